//! The solutions of least and of most weight.

use crate::QueryError;
use crate::frontier::{Frontier, Payload};
use crate::query::{Best, Goal, Weights};
use crate::spec::{Arities, Rule};
use rapidhash::v3::rapidhash_v3;
use std::ops::Range;
use std::sync::Arc;

impl<S> Frontier<'_, S> {
    /// Returns the solution of least weight, the sum of the weights of its values; the first in
    /// lexicographic order, if there are several. Skipped variables are read as 0: the result of
    /// `zdd()?.minimum(weights)`, without storing a diagram.
    ///
    /// Cost: one sweep. Each state stores its least weight, as for
    /// [`minimum_weight`](Frontier::minimum_weight), and the values that attain it: the base-2
    /// logarithm of the arity, rounded up, in bits for each variable before it, in words of 64 bits.
    /// There are no back pointers, so it spills and resumes like a count.
    ///
    /// ```
    /// use topdd::{Best, Frontier, Weights};
    /// # use topdd::{DdSpec, Step};
    /// # struct Any; impl DdSpec for Any {
    /// #     type State = (); fn num_vars(&self) -> usize { 3 }
    /// #     fn root(&self) -> Step<()> { Step::To(0, ()) }
    /// #     fn child(&self, _: &(), v: usize, _: usize) -> Step<()> {
    /// #         if v == 2 { Step::One } else { Step::To(v + 1, ()) } } }
    /// let weights = Weights::of_ones([5, -2, 0]);
    /// let best = Frontier::over(&Any).minimum(&weights)?;
    /// assert_eq!(best, Best { weight: -2, solution: vec![0, 1, 0] });
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`count`](Frontier::count). Also fails with [`QueryError::NoSolutions`] if there are
    /// none, and if there is not one weight for each value of each variable.
    pub fn minimum(&mut self, weights: &Weights<i64>) -> Result<Best, QueryError> {
        self.best_under(Rule::ZeroSuppressed, weights, Goal::Minimum)
    }

    /// Returns the solution of greatest weight. Otherwise equal to [`minimum`](Frontier::minimum).
    ///
    /// # Errors
    ///
    /// The errors of [`minimum`](Frontier::minimum).
    pub fn maximum(&mut self, weights: &Weights<i64>) -> Result<Best, QueryError> {
        self.best_under(Rule::ZeroSuppressed, weights, Goal::Maximum)
    }

    /// Returns the [`minimum`](Frontier::minimum) or the [`maximum`](Frontier::maximum), with
    /// skipped variables read by `rule`.
    ///
    /// # Errors
    ///
    /// The errors of [`minimum`](Frontier::minimum).
    pub fn best_under(
        &mut self,
        rule: Rule,
        weights: &Weights<i64>,
        goal: Goal,
    ) -> Result<Best, QueryError> {
        self.least_cost(rule, weights, goal, true)
    }

    /// Returns the least weight of a solution, without the solution. Skipped variables are read as 0,
    /// as for [`zdd`](Frontier::zdd).
    ///
    /// Cost: one sweep, with eight bytes for each state; 16 if the totals of all assignments range
    /// over 2^64 or more.
    ///
    /// ```
    /// use topdd::{Frontier, Weights};
    /// # use topdd::{DdSpec, Step};
    /// # struct Any; impl DdSpec for Any {
    /// #     type State = (); fn num_vars(&self) -> usize { 3 }
    /// #     fn root(&self) -> Step<()> { Step::To(0, ()) }
    /// #     fn child(&self, _: &(), v: usize, _: usize) -> Step<()> {
    /// #         if v == 2 { Step::One } else { Step::To(v + 1, ()) } } }
    /// let weights = Weights::of_ones([5, -2, 0]);
    /// assert_eq!(Frontier::over(&Any).minimum_weight(&weights)?, -2);
    /// assert_eq!(Frontier::over(&Any).maximum_weight(&weights)?, 5);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`minimum`](Frontier::minimum).
    pub fn minimum_weight(&mut self, weights: &Weights<i64>) -> Result<i128, QueryError> {
        self.best_weight_under(Rule::ZeroSuppressed, weights, Goal::Minimum)
    }

    /// Returns the greatest weight of a solution. Otherwise equal to
    /// [`minimum_weight`](Frontier::minimum_weight).
    ///
    /// # Errors
    ///
    /// The errors of [`minimum`](Frontier::minimum).
    pub fn maximum_weight(&mut self, weights: &Weights<i64>) -> Result<i128, QueryError> {
        self.best_weight_under(Rule::ZeroSuppressed, weights, Goal::Maximum)
    }

    /// Returns the [`minimum_weight`](Frontier::minimum_weight) or the
    /// [`maximum_weight`](Frontier::maximum_weight), with skipped variables read by `rule`.
    ///
    /// # Errors
    ///
    /// The errors of [`minimum`](Frontier::minimum).
    pub fn best_weight_under(
        &mut self,
        rule: Rule,
        weights: &Weights<i64>,
        goal: Goal,
    ) -> Result<i128, QueryError> {
        Ok(self.least_cost(rule, weights, goal, false)?.weight)
    }

    /// Returns the best weight, and the values of the solution if `stores_values` is set.
    fn least_cost(
        &mut self,
        rule: Rule,
        weights: &Weights<i64>,
        goal: Goal,
        stores_values: bool,
    ) -> Result<Best, QueryError> {
        let payload =
            |arities: Arc<Arities>| LeastCost::new(weights, goal, rule, &arities, stores_values);
        let (payload, words) = self.engine.words(rule, payload)?;
        words.map(|words| payload.best(&words)).ok_or(QueryError::NoSolutions)
    }
}

/// For each state the least cost of a path to it, and the first such path in lexicographic order.
///
/// The words of a state are its cost, the high word first, and then the values of the variables
/// before it, in as many bits as their arities need, the first variable in the highest bits. So the
/// order of the words is the order of cost and path.
struct LeastCost {
    rule: Rule,
    costs: Costs,
    /// The number of words of a cost.
    cost_words: usize,
    /// For each variable, the position of the bits of its value; at the end, the number of all
    /// bits. All are 0 if values are not stored.
    bits: Vec<usize>,
}

impl LeastCost {
    fn new(
        weights: &Weights<i64>,
        goal: Goal,
        rule: Rule,
        arities: &Arities,
        stores_values: bool,
    ) -> Result<Self, QueryError> {
        let costs = Costs::new(weights, goal, arities)?;
        let cost_words = if costs.most.last().is_some_and(|&most| most >> 64 > 0) { 2 } else { 1 };
        let mut bits = vec![0];
        for variable in 0..arities.num_vars() {
            let most = arities.get(variable) - 1;
            let of_value = if stores_values { usize::BITS - most.leading_zeros() } else { 0 };
            bits.push(bits[variable] + of_value as usize);
        }
        Ok(LeastCost { rule, costs, cost_words, bits })
    }

    fn cost(&self, words: &[u64]) -> u128 {
        words[..self.cost_words].iter().fold(0, |cost, &word| cost << 64 | u128::from(word))
    }

    fn add_cost(&self, words: &mut [u64], cost: u128) {
        let mut sum = self.cost(words) + cost;
        for word in words[..self.cost_words].iter_mut().rev() {
            *word = sum as u64;
            sum >>= 64;
        }
    }

    /// The word that contains the highest bit of a value, and the distance of its lowest bit from
    /// the lowest bit of the next word. Below 64, lowest bits are in the next word.
    fn place(&self, variable: usize) -> (usize, usize) {
        let (start, end) = (self.bits[variable], self.bits[variable + 1]);
        let word = start / 64;
        (self.cost_words + word, 64 * (word + 2) - end)
    }

    /// Sets the bits of a value, which are 0.
    fn set(&self, words: &mut [u64], variable: usize, value: usize) {
        if self.bits[variable] < self.bits[variable + 1] && value > 0 {
            let (word, shift) = self.place(variable);
            let value = (value as u128) << shift;
            words[word] |= (value >> 64) as u64;
            if shift < 64 {
                words[word + 1] |= value as u64;
            }
        }
    }

    fn value(&self, words: &[u64], variable: usize) -> usize {
        let bits = self.bits[variable + 1] - self.bits[variable];
        if bits == 0 {
            return 0;
        }
        let (word, shift) = self.place(variable);
        let low = if shift < 64 { words[word + 1] } else { 0 };
        let both = u128::from(words[word]) << 64 | u128::from(low);
        (both >> shift) as usize & ((1 << bits) - 1)
    }

    fn best(&self, words: &[u64]) -> Best {
        let values = (0..self.bits.len() - 1).map(|variable| self.value(words, variable));
        Best { weight: self.costs.weight(self.cost(words)), solution: values.collect() }
    }
}

impl Payload for LeastCost {
    fn identity(&self) -> String {
        let (goal, hash) = (self.costs.goal, self.costs.fingerprint());
        let with = if self.bits.last() == Some(&0) { "" } else { " with its values" };
        format!("{goal:?}{with} of weights {hash:016x}").to_lowercase()
    }

    fn lanes(&self, variable: usize) -> usize {
        self.cost_words + self.bits[variable].div_ceil(64)
    }

    fn root(&self) -> Vec<u64> {
        vec![0; self.cost_words]
    }

    fn step(&self, words: &[u64], variable: usize, value: usize, out: &mut Vec<u64>) {
        out.clear();
        out.extend_from_slice(words);
        out.resize(self.lanes(variable + 1), 0);
        self.add_cost(out, self.costs.of_values.variable(variable)[value].into());
        self.set(out, variable, value);
    }

    fn skip(&self, words: &[u64], skipped: Range<usize>, out: &mut Vec<u64>) {
        out.clear();
        out.extend_from_slice(words);
        out.resize(self.lanes(skipped.end), 0);
        match self.rule {
            Rule::ZeroSuppressed => self.add_cost(out, self.costs.of_zeros(skipped)),
            // The first value of cost 0.
            Rule::AnyValue if self.bits.last() > Some(&0) => {
                for variable in skipped {
                    let costs = self.costs.of_values.variable(variable);
                    let value = costs.iter().position(|&cost| cost == 0);
                    self.set(out, variable, value.expect("the best weight has cost 0"));
                }
            }
            Rule::AnyValue => {}
        }
    }

    fn combine(&self, _: usize, into: &mut [u64], from: &[u64]) {
        if *from < *into {
            into.copy_from_slice(from);
        }
    }
}

/// The cost of each value: the difference of its weight to the best weight of its variable.
///
/// So costs are natural numbers, also if weights are negative, and the cost of a path never
/// decreases.
pub(super) struct Costs {
    pub(super) of_values: Weights<u64>,
    pub(super) goal: Goal,
    /// The sum of the best weights of all variables.
    best: i128,
    /// For each variable, the greatest total cost of those before it; at the end, of all.
    pub(super) most: Vec<u128>,
    /// For each variable, the cost of the value 0 for all before it; at the end, for all.
    zeros: Vec<u128>,
}

impl Costs {
    /// Fails if the weights do not have the shape of the variables. No sum overflows: there are
    /// fewer than 2^31 variables, and each adds less than 2^64.
    pub(super) fn new(
        weights: &Weights<i64>,
        goal: Goal,
        arities: &Arities,
    ) -> Result<Self, QueryError> {
        weights.check(arities)?;
        let mut best = 0;
        let (mut most, mut zeros) = (vec![0], vec![0]);
        let of_variable = |variable| {
            let of = weights.variable(variable);
            let extreme = match goal {
                Goal::Minimum => of.iter().min(),
                Goal::Maximum => of.iter().max(),
            };
            let extreme = *extreme.expect("each variable has a value");
            best += i128::from(extreme);
            let costs: Vec<u64> = of.iter().map(|weight| weight.abs_diff(extreme)).collect();
            let greatest = *costs.iter().max().expect("each variable has a value");
            most.push(most[variable] + u128::from(greatest));
            zeros.push(zeros[variable] + u128::from(costs[0]));
            costs
        };
        let of_values = (0..arities.num_vars()).map(of_variable).collect();
        Ok(Costs { of_values, goal, best, most, zeros })
    }

    /// Returns the cost of the value 0 for all skipped variables.
    pub(super) fn of_zeros(&self, skipped: Range<usize>) -> u128 {
        self.zeros[skipped.end] - self.zeros[skipped.start]
    }

    /// The weight of an assignment of this cost.
    pub(super) fn weight(&self, cost: u128) -> i128 {
        self.best + self.goal.cost(cost.cast_signed())
    }

    /// A hash of the weights.
    pub(super) fn fingerprint(&self) -> u64 {
        let all = (0..self.of_values.num_vars()).flat_map(|v| self.of_values.variable(v));
        let best = [self.best as u64, (self.best >> 64) as u64];
        fingerprint(best.into_iter().chain(all.copied()))
    }
}

/// A hash of a list of words that is the same on every machine.
pub(super) fn fingerprint(words: impl Iterator<Item = u64>) -> u64 {
    words.fold(0, |hash, word| {
        let mut bytes = hash.to_le_bytes().to_vec();
        bytes.extend_from_slice(&word.to_le_bytes());
        rapidhash_v3(&bytes)
    })
}
