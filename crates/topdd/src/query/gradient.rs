//! The derivatives of a sum of products by each weight.

use super::pass::{Targets, Values, up};
use super::sum_product::{Semiring, Sum};
use crate::diagram::store::{FIRST_NODE, LevelView, NodeStore, ONE, Passing, ZERO};
use crate::diagram::{Diagram, DiagramRule};
use crate::spec::{BlockProducts, Rule};
use std::ops::Range;

impl<R: DiagramRule> Diagram<R> {
    /// Returns the derivative of [`sum_product`](Diagram::sum_product) by each weight: for each
    /// variable and each of its values, the sum over the solutions with this value of the product of
    /// the weights of their *other* values.
    ///
    /// The product of a derivative and its weight is the share of the sum that the value has. There
    /// is no division, so weights of 0 lose nothing. With weights of 1 the derivatives are the
    /// [`value_counts`](Diagram::value_counts).
    ///
    /// Cost: one linear pass up, as for `sum_product` with the values of all nodes kept, and one
    /// down on one thread, for all derivatives together. (A. Darwiche, *A differential approach to
    /// inference in Bayesian networks*, Journal of the ACM 50, 2003.)
    ///
    /// ```
    /// use topdd::{Weights, constraint};
    ///
    /// // Two of three items: the sum is w0 w1 + w0 w2 + w1 w2.
    /// let pairs = topdd::zdd(&constraint::exactly(3, 2))?;
    /// let weights = Weights::from(vec![vec![1.0, 2.0], vec![1.0, 3.0], vec![1.0, 5.0]]);
    /// assert_eq!(pairs.sum_product(&weights), 6.0 + 10.0 + 15.0);
    /// assert_eq!(pairs.gradient(&weights), [[15.0, 3.0 + 5.0], [10.0, 2.0 + 5.0], [6.0, 2.0 + 3.0]]);
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn gradient<S: Semiring>(&self, semiring: &S) -> Vec<Vec<S::Value>> {
        gradient(&self.store, R::RULE, semiring)
    }
}

/// Does the same as [`Diagram::gradient`].
pub(super) fn gradient<S: Semiring>(
    store: &NodeStore,
    rule: Rule,
    semiring: &S,
) -> Vec<Vec<S::Value>> {
    let zeros = store.arities.iter().map(|arity| vec![semiring.zero(); arity]).collect();
    if store.root == ZERO {
        return zeros;
    }
    let products = BlockProducts::new(store.arities.num_vars());
    let sum = Sum { arities: &store.arities, rule, semiring, products: &products };
    let below = up(store, &sum, true);
    let ways = vec![Vec::new(); store.level_count()];
    let skipping = Skipping::new(store.arities.num_vars());
    GradientPass { store, sum: &sum, below: &below, ways, derivatives: zeros, skipping }.run()
}

/// A pass down. There must be solutions.
struct GradientPass<'a, S: Semiring> {
    store: &'a NodeStore,
    sum: &'a Sum<'a, S>,
    /// For each node the sum over all ways from it to the 1-terminal.
    below: &'a Values<S::Value>,
    /// By level, for each node the sum over the ways from the top to it; empty if the level is done,
    /// or no way leads to it yet.
    ways: Vec<Vec<Option<S::Value>>>,
    derivatives: Vec<Vec<S::Value>>,
    skipping: Skipping<S::Value>,
}

/// The edges from one level to another, or to the 1-terminal.
struct SumsBelow<V> {
    level: Option<usize>,
    skipped: Range<usize>,
    /// The factor of the skipped variables; `None` if it is 1.
    factor: Option<V>,
    /// The sum over the ways to each node of the level so far.
    ways: Vec<Option<V>>,
    /// The sum over the solutions by these edges, without the factor; `None` if nothing is skipped.
    skipping: Option<V>,
}

impl<S: Semiring> GradientPass<'_, S> {
    fn run(mut self) -> Vec<Vec<S::Value>> {
        let (store, sum) = (self.store, self.sum);
        let top = 0..store.variable_of(store.root);
        if !top.is_empty() {
            self.skipping.add(sum, top.clone(), self.below.get(store, store.root).clone());
        }
        if store.root >= FIRST_NODE {
            let factor = sum.skip_product(top).unwrap_or_else(|| sum.semiring.one());
            *self.ways.last_mut().expect("the level of the root") = vec![Some(factor)];
        }
        let passing = store.passing();
        for level in store.levels().rev() {
            self.pass_level(&level, &passing);
        }
        let skipping = self.skipping.into_variables(sum);
        for (variable, share) in skipping.enumerate() {
            let Some(share) = share else { continue };
            for value in sum.skipped_values(variable) {
                let derivative = &mut self.derivatives[variable][value];
                *derivative = sum.semiring.add(derivative, &share);
            }
        }
        self.derivatives
    }

    /// Adds the solutions through a level to the derivatives of its variable, and the ways through it to
    /// the ways of the levels below.
    fn pass_level(&mut self, level: &LevelView<'_>, passing: &Passing<'_>) {
        let GradientPass { store, sum, below, .. } = *self;
        let (semiring, variable) = (sum.semiring, level.variable);
        let here = std::mem::take(&mut self.ways[level.index]);
        let mut targets = Vec::new();
        let by_target = Targets::new(store, level, |index| {
            // The levels have an incoming edge; the 1-terminal may have none.
            let is_used = index.is_some() || level.leads_to(ONE);
            let skipped = if is_used { store.skipped(variable, index) } else { 0..0 };
            let factor = sum.skip_product(skipped.clone());
            let mut ways = index.map_or(Vec::new(), |index| std::mem::take(&mut self.ways[index]));
            ways.resize(index.map_or(0, |index| store.level(index).len()), None);
            targets.push(SumsBelow { level: index, skipped, factor, ways, skipping: None });
            targets.len() - 1
        });
        let derivatives = &mut self.derivatives[variable];
        for (node, ways) in here.into_iter().enumerate() {
            passing.stop_if_cancelled();
            let ways = ways.expect("a way leads to each node");
            for edge in level.edges(node) {
                let (&target, position) = by_target.get(edge.target);
                let target = &mut targets[target];
                let value = edge.value as usize;
                let weight = semiring.weight(variable, value);
                let weight = (!semiring.is_one(&weight)).then_some(weight);
                let below = match target.level {
                    Some(index) => &below.levels[index][position],
                    None => below.get(store, ONE),
                };
                let share = semiring.multiply(&ways, below);
                if !target.skipped.is_empty() {
                    let weighted = times(semiring, share.clone(), weight.as_ref());
                    accumulate(semiring, &mut target.skipping, weighted);
                }
                let share = times(semiring, share, target.factor.as_ref());
                derivatives[value] = semiring.add(&derivatives[value], &share);
                if target.level.is_some() {
                    let ways = times(semiring, ways.clone(), weight.as_ref());
                    let ways = times(semiring, ways, target.factor.as_ref());
                    accumulate(semiring, &mut target.ways[position], ways);
                }
            }
        }
        for SumsBelow { level, skipped, ways, skipping, .. } in targets {
            if let Some(skipping) = skipping {
                self.skipping.add(sum, skipped, skipping);
            }
            if let Some(level) = level {
                self.ways[level] = ways;
            }
        }
    }
}

/// Returns the product with a factor; `None` is 1.
fn times<S: Semiring>(semiring: &S, value: S::Value, factor: Option<&S::Value>) -> S::Value {
    match factor {
        Some(factor) => semiring.multiply(&value, factor),
        None => value,
    }
}

/// Adds to a sum, which is `None` before its first term.
fn accumulate<S: Semiring>(semiring: &S, sum: &mut Option<S::Value>, term: S::Value) {
    *sum = Some(match sum {
        Some(sum) => semiring.add(sum, &term),
        None => term,
    });
}

/// The sums over solutions that skip a range of variables, without the factor of the range.
///
/// They are shared out to the variables of the range, each with the factors of the others, without a
/// division. A range is cut into aligned blocks, as in [`BlockProducts`], and in the end each
/// block passes its sum on to its halves. So a range of `n` variables costs a number of operations of
/// the order of the square of log `n`.
struct Skipping<V> {
    /// The sums of the blocks of one variable, of two, of four, and so on.
    blocks: Vec<Vec<Option<V>>>,
}

impl<V> Skipping<V> {
    fn new(num_vars: usize) -> Self {
        let half = |size: &usize| (*size > 1).then_some(size / 2);
        let sizes = std::iter::successors(Some(num_vars), half);
        Skipping { blocks: sizes.map(|size| (0..size).map(|_| None).collect()).collect() }
    }

    /// Adds a sum over solutions that skip a range of variables, which is not empty.
    fn add<S: Semiring<Value = V>>(&mut self, sum: &Sum<'_, S>, range: Range<usize>, share: V)
    where
        V: Clone,
    {
        let mut at = range.start;
        while at < range.end {
            let level = BlockProducts::<V>::block_level(at..range.end);
            let next = at + (1 << level);
            let before = sum.skip_product(range.start..at);
            let after = sum.skip_product(next..range.end);
            let share = times(sum.semiring, share.clone(), before.as_ref());
            let share = times(sum.semiring, share, after.as_ref());
            accumulate(sum.semiring, &mut self.blocks[level][at >> level], share);
            at = next;
        }
    }

    /// Returns the sum of each variable, with the factors of the other variables that are skipped with it.
    fn into_variables<S: Semiring<Value = V>>(
        mut self,
        sum: &Sum<'_, S>,
    ) -> impl Iterator<Item = Option<V>> + use<S, V>
    where
        V: Clone,
    {
        for level in (1..self.blocks.len()).rev() {
            for (index, share) in std::mem::take(&mut self.blocks[level]).into_iter().enumerate() {
                let Some(share) = share else { continue };
                for half in [2 * index, 2 * index + 1] {
                    let other = (half ^ 1) << (level - 1);
                    let factor = sum.skip_product(other..other + (1 << (level - 1)));
                    let share = times(sum.semiring, share.clone(), factor.as_ref());
                    accumulate(sum.semiring, &mut self.blocks[level - 1][half], share);
                }
            }
        }
        self.blocks.swap_remove(0).into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Weights;
    use crate::query::testing::{Draw, Modulo, both_rules, drawn, free, once};
    use num_bigint::BigUint;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_the_list_of_solutions(seed: u64) {
            both_rules!(check(seed));
        }
    }

    /// Some weights are 0, so that a division would show.
    fn check<R: DiagramRule>(seed: u64) {
        let (diagram, solutions) = drawn::<R>(seed);
        let mut draw = Draw(seed);
        let weights = Weights::from_fn(&diagram, |_, _| {
            if draw.below(4) == 0 { 0 } else { draw.below(1 << 30) as u64 }
        });
        let semiring = Modulo(weights);
        let mut expected: Vec<Vec<u64>> =
            (0..diagram.num_vars()).map(|variable| vec![0; diagram.arity(variable)]).collect();
        for solution in &solutions {
            for (variable, &value) in solution.iter().enumerate() {
                let others = solution.iter().enumerate().filter(|&(other, _)| other != variable);
                let product = others
                    .fold(1, |p, (v, &value)| semiring.multiply(&p, &semiring.weight(v, value)));
                let sum = &mut expected[variable][value];
                *sum = semiring.add(sum, &product);
            }
        }
        assert_eq!(diagram.gradient(&semiring), expected);
        let ones = Weights::from_fn(&diagram, |_, _| BigUint::from(1u32));
        assert_eq!(diagram.gradient(&ones), diagram.value_counts());
    }

    #[test]
    fn constant_diagrams_have_derivatives() {
        let weights = Weights::from(vec![vec![2.0, 3.0], vec![0.0, 5.0]]);
        let full = crate::bdd(&free(2)).unwrap();
        assert_eq!(full.gradient(&weights), [[5.0; 2]; 2]);
        let empty = full.complement().unwrap();
        assert_eq!(empty.gradient(&weights), [[0.0; 2]; 2]);
        let nothing = crate::Zdd::full([]).unwrap();
        assert!(nothing.gradient(&Weights::<f64>::from(vec![])).is_empty());
    }

    /// Each level skips all that follow: nothing is quadratic.
    #[test]
    fn long_skips_are_shared_out_in_blocks() {
        let num_vars = 10_000;
        let zdd = crate::zdd(&once(num_vars)).unwrap();
        let weights = Weights::from(vec![vec![1.0, 0.5]; num_vars]);
        let gradient = zdd.gradient(&weights);
        assert!(gradient.iter().all(|of| of == &[0.5 * (num_vars - 1) as f64, 1.0]));
        let bdd = zdd.to_bdd().unwrap();
        assert_eq!(bdd.gradient(&weights), gradient);
    }
}
