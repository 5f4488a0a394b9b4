//! The number of solutions of each total weight.

use super::costs::Costs;
use crate::QueryError;
use crate::frontier::{Frontier, Payload};
use crate::limbs;
use crate::query::{Goal, Weights};
use crate::spec::{Arities, Rule};
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// The most bytes of the counts of a state if memory is not limited.
const UNLIMITED: usize = 1 << 30;

impl<S> Frontier<'_, S> {
    /// Returns the number of solutions by weight, the sum of the weights of their values, in
    /// ascending order of weight. Weights that no solution has are left out. Skipped variables are
    /// read as 0: the result of `zdd()?.weight_distribution(weights)`, without storing a diagram.
    ///
    /// Cost: one sweep. Each state has a list with a count for each total between the least and the
    /// greatest of the variables before it, divided by the greatest common divisor of the differences
    /// of weights. A count takes eight bytes for each 64 bits that the counts of the level need, and
    /// an edge takes time proportional to the list.
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
    /// As for [`count`](Frontier::count). Also fails if there is not one weight for each value of
    /// each variable, and with [`QueryError::TooManyTotals`] if the counts of one state would take
    /// more than the memory limit, or 1 GiB if there is none.
    pub fn count_by(
        &mut self,
        weights: &Weights<i64>,
    ) -> Result<BTreeMap<i128, BigUint>, QueryError> {
        self.count_by_under(Rule::ZeroSuppressed, weights, None)
    }

    /// Does the same as [`count_by`](Frontier::count_by), for the totals up to `most`. The sweep drops
    /// states whose totals are all greater, so a low bound makes it faster.
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
    /// let counts = Frontier::over(&Any).count_by_up_to(&prices, 2)?;
    /// let expected = [(-2, 1u32), (0, 1), (1, 1), (2, 1)];
    /// assert_eq!(counts, expected.map(|(total, count)| (total, count.into())).into());
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`count_by`](Frontier::count_by).
    pub fn count_by_up_to(
        &mut self,
        weights: &Weights<i64>,
        most: i128,
    ) -> Result<BTreeMap<i128, BigUint>, QueryError> {
        self.count_by_under(Rule::ZeroSuppressed, weights, Some(most))
    }

    /// Does the same as [`count_by`](Frontier::count_by), with skipped variables read by `rule`, for
    /// the totals up to `most` if it is given. Under [`Rule::AnyValue`], each value of a skipped
    /// variable takes as much time as an edge.
    ///
    /// # Errors
    ///
    /// As for [`count_by`](Frontier::count_by).
    pub fn count_by_under(
        &mut self,
        rule: Rule,
        weights: &Weights<i64>,
        most: Option<i128>,
    ) -> Result<BTreeMap<i128, BigUint>, QueryError> {
        let limit = self.engine().memory_limit().unwrap_or(UNLIMITED);
        let payload = |arities| CountBy::new(weights, most, limit, rule, arities);
        let (counts, words) = self.engine().words(rule, payload)?;
        Ok(counts.totals(&words.unwrap_or_default(), most))
    }
}

/// For each state the number of assignments of each cost that lead to it.
///
/// Lane `i` is the count of the assignments of cost `i` times `unit`.
struct CountBy {
    arities: Arc<Arities>,
    rule: Rule,
    costs: Costs,
    /// A common divisor of all costs.
    unit: u64,
    /// The number of lanes at each variable and at the 1-terminal.
    lanes: Vec<usize>,
    /// For each variable, the sum of the costs of the values 0 of those before it; at the end, of
    /// all.
    zeros: Vec<u128>,
}

impl CountBy {
    fn new(
        weights: &Weights<i64>,
        bound: Option<i128>,
        limit: usize,
        rule: Rule,
        arities: Arc<Arities>,
    ) -> Result<Self, QueryError> {
        let costs = Costs::new(weights, Goal::Minimum, &arities)?;
        let all = || (0..arities.num_vars()).flat_map(|variable| costs.of_values.of(variable));
        let unit = all().copied().fold(0, gcd).max(1);
        let least = costs.weight(0);
        let greatest = costs.most.last().copied().unwrap_or(0);
        let greatest = match bound {
            Some(bound) => greatest.min(bound.saturating_sub(least).max(0) as u128),
            None => greatest,
        };
        let last = greatest / u128::from(unit);
        let bytes = (last + 1) * size_of::<u64>() as u128;
        if bytes > limit as u128 {
            let most = costs.weight(greatest);
            return Err(QueryError::TooManyTotals { least, most, bytes, limit });
        }
        let lanes = |&most: &u128| (most / u128::from(unit)).min(last) as usize + 1;
        let lanes = costs.most.iter().map(lanes).collect();
        let mut sum = 0;
        let mut zeros = vec![0];
        zeros.extend((0..arities.num_vars()).map(|variable| {
            sum += u128::from(costs.of_values.of(variable)[0]);
            sum
        }));
        Ok(CountBy { arities, rule, costs, unit, lanes, zeros })
    }

    /// The number of lanes by which words are shifted for a cost.
    fn shift(&self, cost: u128) -> usize {
        usize::try_from(cost / u128::from(self.unit)).unwrap_or(usize::MAX)
    }

    /// Adds the words at `from`, shifted by a cost, to those at `to`.
    fn add(&self, (into, to): (&mut [u64], usize), (words, from): (&[u64], usize), cost: u128) {
        let (into, words) = ((into, self.lanes[to]), (words, self.lanes[from]));
        limbs::add_lanes(into, words, self.shift(cost));
    }

    /// The total weights with their counts, from the words of the 1-terminal.
    fn totals(&self, words: &[u64], bound: Option<i128>) -> BTreeMap<i128, BigUint> {
        let lanes = self.lanes[self.arities.num_vars()];
        let mut totals = BTreeMap::new();
        for lane in 0..lanes.min(words.len()) {
            let number: Vec<u64> = words[lane..].iter().step_by(lanes).copied().collect();
            let total = self.costs.weight(lane as u128 * u128::from(self.unit));
            if number.iter().any(|&limb| limb > 0) && bound.is_none_or(|bound| total <= bound) {
                totals.insert(total, limbs::from_limbs(&number));
            }
        }
        totals
    }
}

/// The greatest common divisor, where that with 0 is the other number.
fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Payload for CountBy {
    fn identity(&self) -> String {
        let lanes = self.lanes.last().copied().unwrap_or(1);
        format!("counts of {lanes} totals of weights {:016x}", self.costs.fingerprint())
    }

    fn lanes(&self, variable: usize) -> usize {
        self.lanes[variable]
    }

    fn grows(&self) -> bool {
        true
    }

    fn root(&self) -> Vec<u64> {
        vec![1]
    }

    fn step(&self, words: &[u64], variable: usize, value: usize, out: &mut Vec<u64>) {
        let limbs = words.len() / self.lanes[variable];
        out.clear();
        out.resize(limbs * self.lanes[variable + 1], 0);
        let cost = self.costs.of_values.of(variable)[value];
        self.add((out, variable + 1), (words, variable), cost.into());
    }

    fn skip(&self, words: &[u64], skipped: Range<usize>, out: &mut Vec<u64>) {
        let limbs = words.len() / self.lanes[skipped.start];
        out.clear();
        if self.rule == Rule::ZeroSuppressed {
            out.resize(limbs * self.lanes[skipped.end], 0);
            let cost = self.zeros[skipped.end] - self.zeros[skipped.start];
            self.add((out, skipped.end), (words, skipped.start), cost);
            return;
        }
        let bits = self.arities.log2_product(skipped.clone()) * (1.0 + 1e-7) + 1.0;
        let limbs = limbs + (bits / 64.0).ceil() as usize;
        out.extend_from_slice(words);
        for variable in skipped {
            let before = std::mem::take(out);
            out.resize(limbs * self.lanes[variable + 1], 0);
            for &cost in self.costs.of_values.of(variable) {
                self.add((out, variable + 1), (&before, variable), cost.into());
            }
        }
    }

    fn is_dead(&self, words: &[u64]) -> bool {
        words.iter().all(|&limb| limb == 0)
    }

    fn combine(&self, variable: usize, into: &mut [u64], from: &[u64]) {
        self.add((into, variable), (from, variable), 0);
    }
}
