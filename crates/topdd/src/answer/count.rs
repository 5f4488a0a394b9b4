//! The number of solutions, and of each total weight.

use super::best::{Costs, fingerprint};
use crate::frontier::{Engine, Frontier, Payload};
use crate::number::limbs;
use crate::query::{Goal, Weights, inclusive};
use crate::spec::{Arities, DdSpec, Rule};
use crate::{BuildError, QueryError};
use num_bigint::BigUint;
use num_integer::gcd;
use std::collections::BTreeMap;
use std::ops::{Range, RangeBounds, RangeInclusive};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

impl<S> Frontier<'_, S> {
    /// Returns the number of solutions, with skipped variables read as 0: the result of
    /// `zdd()?.count()`, without storing a diagram.
    ///
    /// # Errors
    ///
    /// Fails if the spec breaks its contract or panics, a limit is reached, or the run is cancelled.
    pub fn count(&mut self) -> Result<BigUint, BuildError> {
        self.count_under(Rule::ZeroSuppressed)
    }

    /// Returns the number of solutions, with skipped variables free to take any value: the result of
    /// `bdd()?.count()`, without storing a diagram.
    ///
    /// # Errors
    ///
    /// The errors of [`count`](Frontier::count).
    pub fn count_bdd(&mut self) -> Result<BigUint, BuildError> {
        self.count_under(Rule::AnyValue)
    }

    /// Returns the number of solutions, with skipped variables read by `rule`.
    ///
    /// ```
    /// use topdd::{Frontier, Rule, Zdd};
    ///
    /// let zdd = Zdd::full([2; 70])?;
    /// let mut frontier = Frontier::over(&zdd).threads(1);
    /// assert_eq!(frontier.count_under(Rule::AnyValue)?, topdd::BigUint::from(2u32).pow(70));
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`count`](Frontier::count).
    pub fn count_under(&mut self, rule: Rule) -> Result<BigUint, BuildError> {
        let payload = |arities| Ok::<_, BuildError>(CountPayload { arities, rule });
        let (_, words) = self.engine.words(rule, payload)?;
        Ok(limbs::from_limbs(&words.unwrap_or_default()))
    }
}

/// Returns the number of solutions of `spec`, with skipped variables read as 0, exact and without
/// storing a diagram. [`Frontier::count`] with no limits.
///
/// ```
/// let pairs = topdd::constraint::exactly(1000, 2);
/// assert_eq!(topdd::count(&pairs)?, 499_500u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
///
/// # Errors
///
/// Fails if the spec breaks its contract.
pub fn count<S: DdSpec>(spec: &S) -> Result<BigUint, BuildError> {
    Frontier::over(spec).count()
}

/// Returns the number of solutions of `spec`, with skipped variables free to take any value, exact
/// and without storing a diagram. [`Frontier::count_bdd`] with no limits.
///
/// ```
/// let free = topdd::Bdd::full([2; 100])?; // skips all variables
/// assert_eq!(topdd::count_bdd(&free)?, topdd::BigUint::from(2u32).pow(100));
/// # Ok::<(), topdd::BuildError>(())
/// ```
///
/// # Errors
///
/// Fails if the spec breaks its contract.
pub fn count_bdd<S: DdSpec>(spec: &S) -> Result<BigUint, BuildError> {
    Frontier::over(spec).count_bdd()
}

/// The number of assignments that lead to each state.
struct CountPayload {
    arities: Arc<Arities>,
    rule: Rule,
}

impl Payload for CountPayload {
    fn identity(&self) -> String {
        "counts".to_owned()
    }

    fn lanes(&self, _: usize) -> usize {
        1
    }

    fn grows(&self) -> bool {
        true
    }

    fn steps(&self) -> bool {
        false
    }

    fn skips(&self) -> bool {
        self.rule == Rule::AnyValue
    }

    fn root(&self) -> Vec<u64> {
        vec![1]
    }

    fn skip(&self, words: &[u64], skipped: Range<usize>, out: &mut Vec<u64>) {
        // Most factors have one digit, which is found without allocation.
        if let Some(factor) = self.arities.small_product(skipped.clone()) {
            limbs::multiply(words, [factor], words.len() + 1, out);
            return;
        }
        let factor = self.arities.product(skipped);
        let factor = factor.iter_u64_digits();
        let width = words.len() + factor.len();
        limbs::multiply(words, factor, width, out);
    }

    fn combine(&self, _: usize, into: &mut [u64], from: &[u64]) {
        limbs::add(into, from);
    }
}

/// The most bytes of the copies of a list of counts if memory is not limited.
const UNLIMITED: usize = 1 << 33;

/// The minimum number of lists of counts that a sweep has in memory, each with room for carries: one of a
/// state, two buffers, two of records, one of the state that they are merged into, and two of the 1-terminal,
/// for a group and for all.
const COPIES: usize = 10;

/// Size in bytes of the copies of a list of this many counts of one limb, with its least total.
fn list_bytes(counts: u128) -> u128 {
    (counts + 1) * (COPIES * size_of::<u64>()) as u128
}

impl<S> Frontier<'_, S> {
    /// Returns the number of solutions by weight, the sum of the weights of their values, in
    /// ascending order of weight. Weights that no solution has are left out. Skipped variables are
    /// read as 0: the result of `zdd()?.count_by(weights)`, without storing a diagram.
    ///
    /// Cost: two sweeps. The first has 24 bytes for each state. It finds the length of the lists of
    /// the second, and does not call [`on_level`](Frontier::on_level). In the second, each state has a
    /// list with a count for each total from the least one of a path to it. The list is as long as the
    /// states of the level need at most: the greatest total minus the least, divided by a common
    /// divisor of all such differences. A count takes eight bytes for each 64 bits that the counts of
    /// the level need, and an edge takes time proportional to the list.
    ///
    /// Several processes together omit the first sweep, and have lists for the totals of all
    /// assignments.
    ///
    /// ```
    /// use topdd::{Frontier, Weights};
    /// # use topdd::{DdSpec, Step};
    /// # struct Dice; impl DdSpec for Dice {
    /// #     type State = (); fn num_vars(&self) -> usize { 2 }
    /// #     fn arity(&self, _: usize) -> usize { 6 }
    /// #     fn root(&self) -> Step<()> { Step::To(0, ()) }
    /// #     fn child(&self, _: &(), v: usize, _: usize) -> Step<()> {
    /// #         if v == 1 { Step::One } else { Step::To(v + 1, ()) } } }
    /// let pips = Weights::from_fn(&Dice, |_die, value| value as i64 + 1);
    /// let counts = Frontier::over(&Dice).count_by(&pips)?;
    /// assert_eq!(counts.len(), 11); // totals 2 to 12
    /// assert_eq!(counts[&7], 6u32.into());
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`count`](Frontier::count). Also fails if there is not one weight for each value of
    /// each variable, and with [`QueryError::TooManyTotals`] if the lists that are in memory at the
    /// least would take more than the memory limit, or 8 GiB if there is none.
    pub fn count_by(
        &mut self,
        weights: &Weights<i64>,
    ) -> Result<BTreeMap<i128, BigUint>, QueryError> {
        self.count_by_under(Rule::ZeroSuppressed, weights, ..)
    }

    /// Does the same as [`count_by`](Frontier::count_by), for the totals within bounds. One of the bounds drops states: the
    /// upper one, if it is nearer to the least total of all assignments than the lower one is to the greatest; otherwise the
    /// lower one. A tight bound makes the sweep faster, and lists shorter. Totals beyond the other bound are removed at the
    /// end. States of a [`JoinSpec`](crate::spec::JoinSpec) are never dropped, because what is joined may come from them.
    ///
    /// The counts add up to the number of solutions within the bounds. A spec that has the total in its state mostly takes
    /// longer, and many times as long if weights differ. [`within`](crate::Diagram::within) builds the diagram of the
    /// solutions within bounds.
    ///
    /// ```
    /// use topdd::{Frontier, Weights};
    /// # use topdd::{DdSpec, Step};
    /// # struct Any; impl DdSpec for Any {
    /// #     type State = (); fn num_vars(&self) -> usize { 4 }
    /// #     fn root(&self) -> Step<()> { Step::To(0, ()) }
    /// #     fn child(&self, _: &(), v: usize, _: usize) -> Step<()> {
    /// #         if v == 3 { Step::One } else { Step::To(v + 1, ()) } } }
    /// let prices = Weights::of_ones([3, -2, 4, 1_000_000_000_000]);
    /// let counts = Frontier::over(&Any).count_by_within(&prices, ..=2)?;
    /// let expected = [(-2, 1u32), (0, 1), (1, 1), (2, 1)];
    /// assert_eq!(counts, expected.map(|(total, count)| (total, count.into())).into());
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`count_by`](Frontier::count_by).
    pub fn count_by_within(
        &mut self,
        weights: &Weights<i64>,
        bounds: impl RangeBounds<i128>,
    ) -> Result<BTreeMap<i128, BigUint>, QueryError> {
        self.count_by_under(Rule::ZeroSuppressed, weights, bounds)
    }

    /// Does the same as [`count_by`](Frontier::count_by), with skipped variables read by `rule`, for
    /// the totals within bounds, which may be `..`. Under [`Rule::AnyValue`], each value of a skipped
    /// variable takes as much time as an edge.
    ///
    /// # Errors
    ///
    /// The errors of [`count_by`](Frontier::count_by).
    pub fn count_by_under(
        &mut self,
        rule: Rule,
        weights: &Weights<i64>,
        bounds: impl RangeBounds<i128>,
    ) -> Result<BTreeMap<i128, BigUint>, QueryError> {
        let engine = &mut self.engine;
        let counted = count_by(engine, rule, weights, &inclusive(bounds));
        engine.tell_others(counted)
    }
}

// Not generic, so it is compiled once.
fn count_by(
    engine: &mut Engine<'_>,
    rule: Rule,
    weights: &Weights<i64>,
    bounds: &RangeInclusive<i128>,
) -> Result<BTreeMap<i128, BigUint>, QueryError> {
    let arities = Arc::new(engine.begin()?);
    let limit = engine.config.memory_limit.unwrap_or(UNLIMITED);
    let spans = WeightSpans::new(Totals::new(weights, bounds, limit, rule, &arities)?);
    if engine.is_alone() {
        engine.prepass(&arities, rule, &spans)?;
    } else {
        // Each process would see some of the paths.
        spans.assume_all();
    }
    let counts = spans.counts()?;
    let words = engine.words_over(&arities, rule, &counts)?;
    Ok(counts.by_weight(&words.unwrap_or_default(), bounds))
}

/// The total costs of paths, in units of a common divisor of all costs.
struct Totals {
    arities: Arc<Arities>,
    rule: Rule,
    costs: Costs,
    unit: u64,
    /// The greatest total that is counted, and its weight.
    last: u64,
    last_weight: i128,
    /// The most bytes of the copies of a list of counts.
    limit: usize,
}

impl Totals {
    fn new(
        weights: &Weights<i64>,
        bounds: &RangeInclusive<i128>,
        limit: usize,
        rule: Rule,
        arities: &Arc<Arities>,
    ) -> Result<Self, QueryError> {
        let mut costs = Costs::new(weights, Goal::Minimum, arities)?;
        let range = costs.most.last().copied().unwrap_or(0);
        let (least, greatest) = (costs.weight(0), costs.weight(range));
        let [up, down] =
            [bounds.end().saturating_sub(least), greatest.saturating_sub(*bounds.start())]
                .map(|bound| range.min(bound.max(0).cast_unsigned()));
        if down < up {
            costs = Costs::new(weights, Goal::Maximum, arities)?;
        }
        let range = up.min(down);
        let all =
            || (0..arities.num_vars()).flat_map(|variable| costs.of_values.variable(variable));
        let unit = all().copied().fold(0, gcd).max(1);
        let last = u64::try_from(range / u128::from(unit)).unwrap_or(u64::MAX);
        let last_weight = costs.weight(range);
        let arities = Arc::clone(arities);
        let totals = Totals { arities, rule, costs, unit, last, last_weight, limit };
        // The sum of a greater total and a cost is the greatest number.
        if last == u64::MAX { Err(totals.too_many(u128::from(last))) } else { Ok(totals) }
    }

    /// The error for lists of this many counts.
    fn too_many(&self, counts: u128) -> QueryError {
        let (first, last, limit) = (self.costs.weight(0), self.last_weight, self.limit);
        let (least, most) = (first.min(last), first.max(last));
        QueryError::TooManyTotals { least, most, bytes: list_bytes(counts), limit }
    }

    /// The cost of a value.
    fn cost(&self, variable: usize, value: usize) -> u64 {
        self.costs.of_values.variable(variable)[value] / self.unit
    }

    /// The costs of all values of a variable.
    fn all_costs(&self, variable: usize) -> impl Iterator<Item = u64> {
        self.costs.of_values.variable(variable).iter().map(|cost| cost / self.unit)
    }

    /// The cost of skipped variables that are 0.
    fn of_zeros(&self, skipped: Range<usize>) -> u64 {
        u64::try_from(self.costs.of_zeros(skipped) / u128::from(self.unit)).unwrap_or(u64::MAX)
    }

    /// The weight of a total.
    fn weight(&self, total: u64) -> i128 {
        self.costs.weight(u128::from(total) * u128::from(self.unit))
    }
}

/// For each state the least and the greatest total of a path to it, and a common divisor of the
/// differences of the totals. A first sweep, which finds the length of the lists for the second sweep.
///
/// Totals are mostly dense between the extremes, after division. Grid paths to a state all have the
/// same parity, and placements of queens in the same columns the same sum.
struct WeightSpans {
    totals: Totals,
    /// For each variable and the 1-terminal, the greatest difference of two totals of one state.
    greatest: Vec<AtomicU64>,
    /// A common divisor of the differences of totals of one state, for all states.
    divisor: AtomicU64,
}

impl WeightSpans {
    fn new(totals: Totals) -> Self {
        let greatest = (0..=totals.arities.num_vars()).map(|_| AtomicU64::new(0)).collect();
        WeightSpans { totals, greatest, divisor: AtomicU64::new(0) }
    }

    /// Takes all totals of assignments for possible.
    fn assume_all(&self) {
        for (span, &most) in self.greatest.iter().zip(&self.totals.costs.most) {
            let most = (most / u128::from(self.totals.unit)).min(self.totals.last.into());
            span.store(most as u64, Relaxed);
        }
        self.divisor.store(1, Relaxed);
    }

    /// Notes the totals of a state or a record at a variable.
    fn note(&self, variable: usize, &[least, greatest, divisor]: &[u64; 3]) {
        let (span, most) = (greatest.saturating_sub(least), &self.greatest[variable]);
        // Most records change nothing, and a write would take the line from the other threads.
        if most.load(Relaxed) < span {
            most.fetch_max(span, Relaxed);
        }
        let common = self.divisor.load(Relaxed);
        if common != gcd(common, divisor) {
            let _ = self.divisor.fetch_update(Relaxed, Relaxed, |of| Some(gcd(of, divisor)));
        }
    }

    /// Adds `least` to the least total and `most` to the greatest.
    fn add(&self, words: &mut [u64; 3], least: u64, most: u64) {
        words[0] = words[0].saturating_add(least);
        words[1] = words[1].saturating_add(most).min(self.totals.last);
    }

    /// The payload of the second sweep.
    fn counts(self) -> Result<CountBy, QueryError> {
        let divisor = self.divisor.into_inner().max(1);
        let lanes = self.greatest.into_iter().map(|span| span.into_inner() / divisor + 1);
        let lanes: Vec<u64> = lanes.collect();
        let longest = u128::from(lanes.iter().max().copied().unwrap_or(1));
        if list_bytes(longest) > self.totals.limit as u128 {
            return Err(self.totals.too_many(longest));
        }
        let lanes = lanes.into_iter().map(|lanes| lanes as usize).collect();
        Ok(CountBy { totals: self.totals, divisor, lanes })
    }
}

/// The words of a state in [`WeightSpans`].
fn span_words(words: &[u64]) -> [u64; 3] {
    words.try_into().expect("a state has three words")
}

impl Payload for WeightSpans {
    fn identity(&self) -> String {
        format!("spans of totals of weights {:016x}", self.totals.costs.fingerprint())
    }

    fn lanes(&self, _: usize) -> usize {
        3
    }

    fn root(&self) -> Vec<u64> {
        vec![0; 3]
    }

    fn step(&self, words: &[u64], variable: usize, value: usize, out: &mut Vec<u64>) {
        let (mut words, cost) = (span_words(words), self.totals.cost(variable, value));
        self.add(&mut words, cost, cost);
        self.note(variable + 1, &words);
        out.clear();
        out.extend_from_slice(&words);
    }

    fn skip(&self, words: &[u64], skipped: Range<usize>, out: &mut Vec<u64>) {
        let mut words = span_words(words);
        if self.totals.rule == Rule::ZeroSuppressed {
            let cost = self.totals.of_zeros(skipped.clone());
            self.add(&mut words, cost, cost);
            self.note(skipped.end, &words);
        } else {
            for variable in skipped {
                self.add(&mut words, 0, self.totals.all_costs(variable).max().unwrap_or(0));
                words[2] = self.totals.all_costs(variable).fold(words[2], gcd);
                self.note(variable + 1, &words);
            }
        }
        out.clear();
        out.extend_from_slice(&words);
    }

    fn is_dead(&self, words: &[u64]) -> bool {
        words[0] > self.totals.last
    }

    fn combine(&self, variable: usize, into: &mut [u64], from: &[u64]) {
        let ([a, b, c], [d, e, f]) = (span_words(into), span_words(from));
        let words = [a.min(d), b.max(e), gcd(gcd(c, f), a.abs_diff(d))];
        self.note(variable, &words);
        into.copy_from_slice(&words);
    }
}

/// For each state the number of paths of each total that lead to it.
///
/// Lane 0 is the least total, in its lowest limb; the engine takes it for another number. Lane `i + 1`
/// is the number of paths whose total is the least plus `i` times `divisor`.
struct CountBy {
    totals: Totals,
    divisor: u64,
    /// The number of counts at each variable and at the 1-terminal.
    lanes: Vec<usize>,
}

impl CountBy {
    /// Adds the counts `words` at variable `from`, with `cost` added to their totals, to the counts
    /// `into` at variable `to`, which may be longer numbers.
    fn add(&self, into: &mut [u64], to: usize, words: &[u64], from: usize, cost: u64) {
        let shift = words[0].saturating_add(cost).saturating_sub(into[0]) / self.divisor;
        let shift = usize::try_from(shift).unwrap_or(usize::MAX);
        limbs::add_lanes(into, self.lanes(to), words, self.lanes(from), 1, shift);
    }

    /// Replaces `out` by a list at a variable without paths whose totals begin at `least`.
    fn clear(&self, out: &mut Vec<u64>, limbs: usize, variable: usize, least: u64) {
        out.clear();
        out.resize(limbs * self.lanes(variable), 0);
        out[0] = least;
    }

    /// The total weights with their counts, from the words of the 1-terminal.
    fn by_weight(&self, words: &[u64], bounds: &RangeInclusive<i128>) -> BTreeMap<i128, BigUint> {
        let lanes = self.lanes(self.totals.arities.num_vars());
        let mut by_weight = BTreeMap::new();
        for lane in 1..lanes.min(words.len()) {
            let number: Vec<u64> = words[lane..].iter().step_by(lanes).copied().collect();
            if number.iter().any(|&limb| limb > 0) {
                let weight = self.totals.weight(words[0] + (lane as u64 - 1) * self.divisor);
                if bounds.contains(&weight) {
                    by_weight.insert(weight, limbs::from_limbs(&number));
                }
            }
        }
        by_weight
    }
}

impl Payload for CountBy {
    fn identity(&self) -> String {
        let CountBy { totals, divisor, lanes } = self;
        let layout = fingerprint(lanes.iter().map(|&lanes| lanes as u64).chain([*divisor]));
        let (last, weights) = (totals.last, totals.costs.fingerprint());
        format!("counts of totals up to {last} of weights {weights:016x}, layout {layout:016x}")
    }

    fn lanes(&self, variable: usize) -> usize {
        1 + self.lanes[variable]
    }

    fn grows(&self) -> bool {
        true
    }

    fn root(&self) -> Vec<u64> {
        vec![0, 1]
    }

    fn step(&self, words: &[u64], variable: usize, value: usize, out: &mut Vec<u64>) {
        let limbs = words.len() / self.lanes(variable);
        let cost = self.totals.cost(variable, value);
        self.clear(out, limbs, variable + 1, words[0].saturating_add(cost));
        self.add(out, variable + 1, words, variable, cost);
    }

    fn skip(&self, words: &[u64], skipped: Range<usize>, out: &mut Vec<u64>) {
        let limbs = words.len() / self.lanes(skipped.start);
        if self.totals.rule == Rule::ZeroSuppressed {
            let cost = self.totals.of_zeros(skipped.clone());
            self.clear(out, limbs, skipped.end, words[0].saturating_add(cost));
            self.add(out, skipped.end, words, skipped.start, cost);
            return;
        }
        let bits = self.totals.arities.log2_product(skipped.clone());
        let limbs = limbs + (bits / 64.0).ceil() as usize;
        out.clear();
        out.extend_from_slice(words);
        for variable in skipped {
            let before = std::mem::take(out);
            self.clear(out, limbs, variable + 1, words[0]);
            for cost in self.totals.all_costs(variable) {
                self.add(out, variable + 1, &before, variable, cost);
            }
        }
    }

    fn is_dead(&self, words: &[u64]) -> bool {
        words[0] > self.totals.last
    }

    fn combine(&self, variable: usize, into: &mut [u64], from: &[u64]) {
        if from[0] < into[0] {
            // Moves the counts to the lanes of their totals from the new least one on.
            let lanes = self.lanes(variable);
            let shift = (into[0] - from[0]) / self.divisor;
            let shift = usize::try_from(shift).unwrap_or(lanes).min(lanes - 1);
            for limbs in into.chunks_exact_mut(lanes) {
                limbs.copy_within(1..lanes - shift, 1 + shift);
                limbs[1..=shift].fill(0);
            }
            into[0] = from[0];
        }
        self.add(into, variable, from, variable, 0);
    }
}
