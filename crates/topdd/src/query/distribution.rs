//! The number of solutions of each weight, and for each value of each variable.

use super::count::{Counts, SkippedFactor};
use super::decision::ValueMask;
use super::pass::Targets;
use super::sum_product::{Semiring, Weights, sum_product};
use crate::QueryError;
use crate::diagram::store::{FIRST_NODE, LevelView, NodeStore};
use crate::diagram::{Diagram, DiagramRule};
use crate::number::limbs::{self, from_limbs, is_zero};
use crate::number::{ANY_WIDTH, Column, Number};
use crate::spec::Rule;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::ops::Range;

impl<R: DiagramRule> Diagram<R> {
    /// Returns the number of solutions by size, the number of their variables that are not 0: entry
    /// `k` is the number of solutions of size `k`, up to the largest size. Empty if there are no
    /// solutions.
    ///
    /// Cost: one pass. For each node of the levels in use it stores as many numbers as there are
    /// sizes.
    ///
    /// ```
    /// let subsets_of_four = topdd::Zdd::full([2; 4])?;
    /// assert_eq!(subsets_of_four.count_by_size(), [1u32, 4, 6, 4, 1].map(Into::into));
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    #[doc(alias("set_size", "graph_size"))]
    pub fn count_by_size(&self) -> Vec<BigUint> {
        let sizes = distribution(&self.store, R::RULE, &|_, value| i128::from(value != 0));
        let mut counts =
            vec![BigUint::ZERO; sizes.last().map_or(0, |(most, _)| *most as usize + 1)];
        for (size, count) in sizes {
            counts[size as usize] = count;
        }
        counts
    }

    /// Returns the number of solutions by weight, the sum of the weights of their values, in
    /// ascending order of weight. Weights that no solution has are left out.
    ///
    /// Cost: one pass. For each node of the levels in use it stores as many numbers as there are
    /// different weights below it: up to the number of solutions, if sums seldom coincide.
    ///
    /// ```
    /// use topdd::Weights;
    ///
    /// let two_dice = topdd::Zdd::full([6; 2])?;
    /// let pips = Weights::from_fn(&two_dice, |_, value| value as i64 + 1);
    /// assert_eq!(two_dice.count_by(&pips)?[&7], 6u32.into());
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is not one weight for each value of each variable.
    pub fn count_by(&self, weights: &Weights<i64>) -> Result<BTreeMap<i128, BigUint>, QueryError> {
        weights.check(&self.store.arities)?;
        let counts = distribution(&self.store, R::RULE, &|variable, value| {
            weights.variable(variable)[value].into()
        });
        Ok(counts.into_iter().collect())
    }
}

/// A function from a variable and a value to the weight.
type WeightFn<'a> = &'a (dyn Fn(usize, usize) -> i128 + Sync);

/// Returns the number of solutions by weight, in ascending order.
// Not generic, so it is compiled here.
fn distribution(store: &NodeStore, rule: Rule, weight: WeightFn<'_>) -> Vec<(i128, BigUint)> {
    let counts = sum_product(store, rule, &Polynomials { weight });
    counts.into_iter().map(|(weight, count)| (weight, count.to_big())).collect()
}

/// Numbers of solutions by weight: polynomials with weights as exponents, in ascending
/// order, and coefficients other than 0.
struct Polynomials<'a> {
    weight: WeightFn<'a>,
}

impl Semiring for Polynomials<'_> {
    type Value = Vec<(i128, Number)>;

    fn zero(&self) -> Self::Value {
        Vec::new()
    }

    fn one(&self) -> Self::Value {
        vec![(0, 1.into())]
    }

    fn add(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
        let mut sum = Vec::with_capacity(a.len().max(b.len()));
        let mut b = b.iter().peekable();
        for (weight, count) in a {
            while let Some(earlier) = b.next_if(|(other, _)| other < weight) {
                sum.push(earlier.clone());
            }
            let mut count = count.clone();
            if let Some((_, other)) = b.next_if(|(other, _)| other == weight) {
                count.add(other.limbs());
            }
            sum.push((*weight, count));
        }
        sum.extend(b.cloned());
        sum
    }

    fn multiply(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
        let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
        let shifted = |(weight, count): &(i128, Number)| -> Self::Value {
            many.iter()
                .map(|(other, factor)| (weight + other, count.times(factor.limbs())))
                .collect()
        };
        if few.len() <= 2 {
            return few.iter().map(shifted).reduce(|a, b| self.add(&a, &b)).unwrap_or_default();
        }
        let mut product: BTreeMap<i128, Number> = BTreeMap::new();
        for (weight, count) in few {
            for (other, factor) in many {
                let count = count.times(factor.limbs());
                product.entry(weight + other).or_default().add(count.limbs());
            }
        }
        product.into_iter().collect()
    }

    fn weight(&self, variable: usize, value: usize) -> Self::Value {
        vec![((self.weight)(variable, value), 1.into())]
    }

    fn is_one(&self, value: &Self::Value) -> bool {
        matches!(&value[..], [(0, count)] if count.limbs() == [1])
    }
}

impl<R: DiagramRule> Diagram<R> {
    /// Returns for each variable and each of its values the number of solutions in which the
    /// variable has the value.
    ///
    /// Cost: one linear pass up, as for [`count`](Diagram::count) with all numbers kept, and one
    /// down, which counts the paths to each node.
    ///
    /// ```
    /// // Subsets of 0..3 without neighbours: {}, {0}, {1}, {2}, {0, 2}.
    /// let counts = topdd::zdd(&topdd::constraint::least_distance(3, 2))?.value_counts();
    /// assert_eq!(counts, [[3u32, 2], [4, 1], [3, 2]].map(|of| of.map(Into::into).to_vec()));
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    pub fn value_counts(&self) -> Vec<Vec<BigUint>> {
        value_counts(&self.store, R::RULE, None, &Counts::new(&self.store, R::RULE, None))
    }
}

/// Returns for each value of each variable the number of solutions with it; with a mask, of the
/// solutions that it allows. `counts` belong to the mask.
pub(super) fn value_counts(
    store: &NodeStore,
    rule: Rule,
    mask: Option<&ValueMask>,
    counts: &Counts,
) -> Vec<Vec<BigUint>> {
    if counts.total == BigUint::ZERO {
        let none = |variable| vec![BigUint::ZERO; store.arities.get(variable)];
        return (0..store.arities.num_vars()).map(none).collect();
    }
    ValuePass::new(store, rule, mask, counts).run()
}

/// A pass down, in numbers of one width. There must be solutions.
struct ValuePass<'a> {
    store: &'a NodeStore,
    rule: Rule,
    mask: Option<&'a ValueMask>,
    counts: &'a Counts,
    skips: SkippedFactor<'a>,
    /// The width of all numbers: enough for the number of solutions. There are at most as many paths to a
    /// node with solutions.
    width: usize,
    /// By variable, the number of solutions for each of its values, except the solutions that skip it.
    values: Vec<Column>,
    /// The numbers of solutions that begin to skip variables at each variable, and that end.
    begin: Column,
    end: Column,
    /// By level, the number of paths to each node. Empty if the level is done, or no path leads to it yet.
    ways: Vec<Column>,
}

/// The edges from one level to another, or to the 1-terminal.
struct CountsBelow {
    level: Option<usize>,
    skipped: Range<usize>,
    /// The number of assignments to the skipped variables; `None` if it is 1.
    factor: Option<BigUint>,
    /// The number of paths to each node of the level so far.
    ways: Column,
    /// The number of solutions by these edges, if they skip variables.
    solutions: Column,
}

impl<'a> ValuePass<'a> {
    fn new(
        store: &'a NodeStore,
        rule: Rule,
        mask: Option<&'a ValueMask>,
        counts: &'a Counts,
    ) -> Self {
        let width = counts.total.bits().div_ceil(64) as usize;
        let num_vars = store.arities.num_vars();
        ValuePass {
            store,
            rule,
            mask,
            counts,
            skips: SkippedFactor::new(&store.arities, rule, mask),
            width,
            values: store.arities.iter().map(|arity| Column::zeros(arity, width)).collect(),
            begin: Column::zeros(num_vars + 1, width),
            end: Column::zeros(num_vars + 1, width),
            ways: vec![Column::zeros(0, width); store.level_count()],
        }
    }

    fn run(mut self) -> Vec<Vec<BigUint>> {
        let (store, counts) = (self.store, self.counts);
        let digits = |number: &BigUint| number.iter_u64_digits().collect::<Vec<u64>>();
        self.note_skipped(0..store.variable_of(store.root), &digits(&counts.total));
        if store.root >= FIRST_NODE {
            let top = store.level(store.level_count() - 1);
            self.ways[top.index].push(&digits(&self.skips.product(0..top.variable)));
        }
        let passing = store.passing();
        for level in store.levels().rev() {
            passing.stop_if_cancelled();
            match self.width {
                1 => self.pass_level::<1>(&level),
                2 => self.pass_level::<2>(&level),
                3 => self.pass_level::<3>(&level),
                4 => self.pass_level::<4>(&level),
                _ => self.pass_level::<ANY_WIDTH>(&level),
            }
        }
        self.values_with_skipped()
    }

    /// Notes that some solutions skip these variables.
    fn note_skipped(&mut self, skipped: Range<usize>, solutions: &[u64]) {
        if !skipped.is_empty() {
            limbs::add(self.begin.get_mut(skipped.start), solutions);
            limbs::add(self.end.get_mut(skipped.end), solutions);
        }
    }

    /// Counts the solutions by the values of the variable of a level, and the paths to the nodes below it.
    /// The width is `WIDTH`, unless that is [`ANY_WIDTH`].
    fn pass_level<const WIDTH: usize>(&mut self, level: &LevelView<'_>) {
        let (store, counts, width) = (self.store, self.counts, self.width);
        let mut ways_of =
            |index: usize| std::mem::replace(&mut self.ways[index], Column::zeros(0, width));
        let here = ways_of(level.index);
        let mut targets = Vec::new();
        let by_target = Targets::new(store, level, |index| {
            let skipped = store.skipped(level.variable, index);
            let factor =
                (!self.skips.is_one(&skipped)).then(|| self.skips.product(skipped.clone()));
            let mut ways = index.map_or(Column::zeros(0, width), &mut ways_of);
            ways.reset(index.map_or(0, |index| store.level(index).len()), width);
            targets.push(CountsBelow {
                level: index,
                skipped,
                factor,
                ways,
                solutions: Column::zeros(1, width),
            });
            targets.len() - 1
        });
        let allowed = self.mask.map(|mask| mask.values(level.variable));
        let values = &mut self.values[level.variable];
        let [mut product, mut skipping] = [Column::zeros(1, width), Column::zeros(1, width)];
        for node in 0..level.len() {
            for edge in level.edges(node) {
                if allowed.is_some_and(|allowed| !allowed[edge.value as usize]) {
                    continue;
                }
                let (&target, position) = by_target.get(edge.target);
                let below = &mut targets[target];
                let mut solutions = counts.below(below.level, position);
                if WIDTH == 1 {
                    solutions = &solutions[..1];
                }
                if is_zero(solutions) {
                    continue;
                }
                let mut ways = here.row::<WIDTH>(node);
                if let Some(factor) = &below.factor {
                    let product = product.row_mut::<WIDTH>(0);
                    product.fill(0);
                    limbs::add_product(product, ways, factor.iter_u64_digits());
                    ways = product;
                }
                let solutions = solutions.iter().copied();
                let of_value = values.row_mut::<WIDTH>(edge.value as usize);
                if below.skipped.is_empty() {
                    limbs::add_product(of_value, ways, solutions);
                } else {
                    let product = skipping.row_mut::<WIDTH>(0);
                    product.fill(0);
                    limbs::add_product(product, ways, solutions);
                    limbs::add(of_value, product);
                    limbs::add(below.solutions.row_mut::<WIDTH>(0), product);
                }
                if below.level.is_some() {
                    limbs::add(below.ways.row_mut::<WIDTH>(position), ways);
                }
            }
        }
        for CountsBelow { level, skipped, ways, solutions, .. } in targets {
            self.note_skipped(skipped, solutions.get(0));
            if let Some(level) = level {
                self.ways[level] = ways;
            }
        }
    }

    /// Returns the counts of the values, with the solutions that skip their variables.
    fn values_with_skipped(&self) -> Vec<Vec<BigUint>> {
        let mut skipping = BigUint::ZERO;
        let mut all = Vec::with_capacity(self.values.len());
        for (variable, values) in self.values.iter().enumerate() {
            skipping += from_limbs(self.begin.get(variable));
            skipping -= from_limbs(self.end.get(variable));
            let mut counts: Vec<_> =
                (0..values.len()).map(|value| from_limbs(values.get(value))).collect();
            // The same number for each of the values that a skipped variable may have.
            let may_have = |value: usize| {
                self.rule.allows(value) && self.mask.is_none_or(|mask| mask.values(variable)[value])
            };
            let values: Vec<usize> = (0..counts.len()).filter(|&value| may_have(value)).collect();
            if skipping != BigUint::ZERO {
                let each = &skipping / values.len();
                for value in values {
                    counts[value] += &each;
                }
            }
            all.push(counts);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::testing::{both_rules, drawn};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_the_solutions(seed: u64) {
            both_rules!(check(seed));
        }
    }

    fn check<R: DiagramRule>(seed: u64) {
        let (diagram, solutions) = drawn::<R>(seed);
        let expected: Vec<Vec<BigUint>> = (0..diagram.num_vars())
            .map(|variable| {
                let of = |value| solutions.iter().filter(|s| s[variable] == value).count();
                (0..diagram.arity(variable)).map(|value| of(value).into()).collect()
            })
            .collect();
        assert_eq!(diagram.value_counts(), expected);
    }

    #[test]
    fn counts_of_any_size() {
        use crate::query::testing::free;
        for num_vars in [3, 100, 200, 400, 1000] {
            let half = BigUint::from(1u32) << (num_vars - 1);
            let expected = vec![vec![half; 2]; num_vars];
            assert_eq!(crate::zdd(&free(num_vars)).unwrap().value_counts(), expected);
            assert_eq!(crate::bdd(&free(num_vars)).unwrap().value_counts(), expected);
        }
    }
}
