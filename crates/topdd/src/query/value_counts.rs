//! The number of solutions for each value of each variable.

use super::counts::Counts;
use super::decision::Mask;
use super::number::{Number, Wide};
use super::pass::Targets;
use super::skipped::SkippedFactor;
use crate::diagram::store::{FIRST_NODE, Store};
use crate::diagram::{Diagram, DiagramRule};
use crate::spec::{PerValue, Rule};
use num_bigint::BigUint;

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
    store: &Store,
    rule: Rule,
    mask: Option<&Mask>,
    counts: &Counts,
) -> Vec<Vec<BigUint>> {
    if counts.total == BigUint::ZERO {
        let none = |variable| vec![BigUint::ZERO; store.arities.get(variable)];
        return (0..store.arities.num_vars()).map(none).collect();
    }
    let skips = SkippedFactor::new(&store.arities, rule, mask);
    let pass = ValuePass { store, rule, mask, counts, skips };
    // There are at most as many paths to a node with solutions as there are solutions.
    match counts.total.bits() {
        ..=63 => pass.run::<Wide<1>>(),
        64..=127 => pass.run::<Wide<2>>(),
        128..=255 => pass.run::<Wide<4>>(),
        256..=511 => pass.run::<Wide<8>>(),
        _ => pass.run::<BigUint>(),
    }
}

/// The numbers of solutions that skip variables. They are added to the counts of the values at the end.
struct Skipped<N> {
    /// The numbers that begin to skip at each variable, and that end.
    begin: Vec<N>,
    end: Vec<N>,
}

impl<N: Number> Skipped<N> {
    fn note(&mut self, skipped: std::ops::Range<usize>, solutions: &N) {
        if !skipped.is_empty() {
            self.begin[skipped.start].add(solutions);
            self.end[skipped.end].add(solutions);
        }
    }
}

/// A pass down.
struct ValuePass<'a> {
    store: &'a Store,
    rule: Rule,
    mask: Option<&'a Mask>,
    counts: &'a Counts,
    skips: SkippedFactor<'a>,
}

impl ValuePass<'_> {
    /// Runs the pass, in numbers that are wide enough. There must be solutions.
    fn run<N: Number>(&self) -> Vec<Vec<BigUint>> {
        let ValuePass { store, mask, counts, skips, .. } = self;
        let arities = &store.arities;
        let num_vars = arities.num_vars();
        let mut values = PerValue::new(arities.iter(), |_, _| N::zero());
        let mut skipped =
            Skipped { begin: vec![N::zero(); num_vars + 1], end: vec![N::zero(); num_vars + 1] };
        skipped.note(0..store.variable_of(store.root), &Number::convert(&counts.total));
        // By level, the number of paths to each node; empty once the level is done.
        let mut ways: Vec<Vec<N>> = vec![Vec::new(); store.level_count()];
        if store.root >= FIRST_NODE {
            let top = store.level(store.level_count() - 1);
            ways[top.index] = vec![Number::convert(&skips.product(0..top.variable))];
        }
        for level in store.levels().rev() {
            let here = std::mem::take(&mut ways[level.index]);
            let mut targets = Vec::new();
            // The addends of each level that edges lead to, taken out to be written.
            let by_target = Targets::new(store, &level, |index| {
                let between = store.skipped(level.variable, index);
                let factor: Option<N> = (!skips.is_one(&between)).then(|| {
                    let factor = skips.product(between.clone());
                    // If it is larger, there are no solutions by this edge.
                    if factor > counts.total { N::zero() } else { Number::convert(&factor) }
                });
                let there = index.map_or(Vec::new(), |index| {
                    let there = std::mem::take(&mut ways[index]);
                    if there.is_empty() { vec![N::zero(); store.level(index).len()] } else { there }
                });
                targets.push((index, between, there, N::zero()));
                (targets.len() - 1, factor)
            });
            let allowed = mask.map(|mask| mask.values(level.variable));
            let of_values = values.variable_mut(level.variable);
            for (node, ways_here) in here.iter().enumerate() {
                for edge in level.edges(node) {
                    if allowed.is_some_and(|allowed| !allowed[edge.value as usize]) {
                        continue;
                    }
                    let ((target, factor), position) = by_target.get(edge.target);
                    let (index, between, there, skipping) = &mut targets[*target];
                    let below = counts.of(*index, position);
                    if below.iter().all(|&limb| limb == 0) {
                        continue;
                    }
                    let multiplied;
                    let ways = match factor {
                        None => ways_here,
                        Some(factor) => {
                            multiplied = ways_here.product(factor);
                            &multiplied
                        }
                    };
                    let solutions = ways.product(&N::from_limbs(below));
                    of_values[edge.value as usize].add(&solutions);
                    if between.start < between.end {
                        skipping.add(&solutions);
                    }
                    if index.is_some() {
                        there[position].add(ways);
                    }
                }
            }
            for (index, between, there, skipping) in targets {
                skipped.note(between, &skipping);
                if let Some(index) = index {
                    ways[index] = there;
                }
            }
        }
        self.spread(&values, &skipped)
    }

    /// Adds the numbers of solutions that skip variables to the counts of the values.
    fn spread<N: Number>(&self, values: &PerValue<N>, skipped: &Skipped<N>) -> Vec<Vec<BigUint>> {
        let mut skipping = BigUint::ZERO;
        let mut all = Vec::with_capacity(values.num_vars());
        for variable in 0..values.num_vars() {
            skipping += skipped.begin[variable].to_big();
            skipping -= skipped.end[variable].to_big();
            let mut of: Vec<_> = values.variable(variable).iter().map(N::to_big).collect();
            // The same number for each of the values that a skipped variable may have.
            let may_have = |value: usize| {
                self.rule.allows(value) && self.mask.is_none_or(|mask| mask.values(variable)[value])
            };
            let values: Vec<usize> = (0..of.len()).filter(|&value| may_have(value)).collect();
            if skipping != BigUint::ZERO {
                let each = &skipping / values.len();
                for value in values {
                    of[value] += &each;
                }
            }
            all.push(of);
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
        use crate::query::testing::Free;
        for num_vars in [3, 100, 200, 400, 1000] {
            let half = BigUint::from(1u32) << (num_vars - 1);
            let expected = vec![vec![half; 2]; num_vars];
            assert_eq!(crate::zdd(&Free { num_vars }).unwrap().value_counts(), expected);
            assert_eq!(crate::bdd(&Free { num_vars }).unwrap().value_counts(), expected);
        }
    }
}
