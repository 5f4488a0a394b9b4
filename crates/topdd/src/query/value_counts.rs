//! In how many solutions each variable has each value.

use super::counts::Counts;
use super::decision::Places;
use super::pass::Targets;
use crate::diagram::store::{FIRST_NODE, Store, ZERO};
use crate::diagram::{Diagram, DiagramRule};
use crate::frontier::number::{Number, Wide};
use crate::spec::Rule;
use num_bigint::BigUint;

impl<R: DiagramRule> Diagram<R> {
    /// For each variable and each of its values, the number of solutions in which the
    /// variable has the value.
    ///
    /// One linear pass up, as of [`count`](Diagram::count) with all numbers kept, and one
    /// down, which counts the ways to come to each node.
    ///
    /// ```
    /// # use topdd::{DdSpec, Step};
    /// # struct Sparse; impl DdSpec for Sparse {
    /// #     type State = bool; fn num_vars(&self) -> usize { 3 }
    /// #     fn root(&self) -> Step<bool> { Step::To(0, false) }
    /// #     fn child(&self, &taken: &bool, v: usize, value: usize) -> Step<bool> {
    /// #         if taken && value == 1 { Step::Zero }
    /// #         else if v == 2 { Step::One } else { Step::To(v + 1, value == 1) } } }
    /// // Subsets of 0..3 without neighbours: {}, {0}, {1}, {2}, {0, 2}.
    /// let counts = topdd::zdd(&Sparse)?.value_counts();
    /// assert_eq!(counts, [[3u32, 2], [4, 1], [3, 2]].map(|of| of.map(Into::into).to_vec()));
    /// # Ok::<(), topdd::Error>(())
    /// ```
    pub fn value_counts(&self) -> Vec<Vec<BigUint>> {
        let counts = Counts::new(&self.store, R::RULE, None);
        // No number is larger than that of all solutions.
        match counts.total.bits() {
            ..=63 => down::<Wide<1>>(&self.store, R::RULE, &counts),
            64..=127 => down::<Wide<2>>(&self.store, R::RULE, &counts),
            128..=255 => down::<Wide<4>>(&self.store, R::RULE, &counts),
            256..=511 => down::<Wide<8>>(&self.store, R::RULE, &counts),
            _ => down::<BigUint>(&self.store, R::RULE, &counts),
        }
    }
}

/// Solutions that skip variables, to be spread over the values of these in the end.
struct Skipped<N> {
    /// How many begin to skip at each variable, and how many end.
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

/// The pass down, in numbers in which that of all solutions fits.
fn down<N: Number>(store: &Store, rule: Rule, counts: &Counts) -> Vec<Vec<BigUint>> {
    let arities = &store.arities;
    let num_vars = arities.num_vars();
    let places = Places::new(arities);
    let mut values = vec![N::zero(); places.len()];
    let mut skipped =
        Skipped { begin: vec![N::zero(); num_vars + 1], end: vec![N::zero(); num_vars + 1] };
    if store.root != ZERO {
        let total = counts.total.clone();
        skipped.note(0..store.variable_of(store.root), &Number::convert(&total));
    }
    // By level, the ways to come to each node; none once the level is done.
    let mut ways: Vec<Vec<N>> = vec![Vec::new(); store.level_count()];
    if store.root >= FIRST_NODE {
        let top = store.level(store.level_count() - 1);
        let factor = match rule {
            Rule::ZeroSuppressed => 1u32.into(),
            Rule::AnyValue => arities.product(0..top.variable),
        };
        ways[top.index] = vec![Number::convert(&factor)];
    }
    for level in store.levels().rev() {
        let here = std::mem::take(&mut ways[level.index]);
        let mut targets = Vec::new();
        // What each level that is led to gets, taken out to be written to.
        let by_target = Targets::new(store, &level, |index| {
            let between = store.skipped(level.variable, index);
            let factor: Option<N> = (rule == Rule::AnyValue && !between.is_empty())
                .then(|| Number::convert(&arities.product(between.clone())));
            let there = index.map_or(Vec::new(), |index| {
                let there = std::mem::take(&mut ways[index]);
                if there.is_empty() { vec![N::zero(); store.level(index).len()] } else { there }
            });
            targets.push((index, between, there, N::zero()));
            (targets.len() - 1, factor)
        });
        let of_values = &mut values[places.of(level.variable)];
        for (node, ways_here) in here.iter().enumerate() {
            for edge in level.edges(node) {
                let ((target, factor), position) = by_target.of(edge.target);
                let (index, between, there, skipping) = &mut targets[*target];
                let multiplied;
                let ways = match factor {
                    None => ways_here,
                    Some(factor) => {
                        multiplied = ways_here.product(factor);
                        &multiplied
                    }
                };
                let solutions = ways.product(&N::from_limbs(counts.of(*index, position)));
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
    spread(store, rule, &places, &values, &skipped)
}

/// Adds what skipped variables have to the numbers of values.
fn spread<N: Number>(
    store: &Store,
    rule: Rule,
    places: &Places,
    values: &[N],
    skipped: &Skipped<N>,
) -> Vec<Vec<BigUint>> {
    let mut skipping = BigUint::ZERO;
    let mut all = Vec::with_capacity(places.num_vars());
    for variable in 0..places.num_vars() {
        skipping += skipped.begin[variable].to_big();
        skipping -= skipped.end[variable].to_big();
        let mut of: Vec<_> = values[places.of(variable)].iter().map(N::to_big).collect();
        match rule {
            Rule::ZeroSuppressed => of[0] += &skipping,
            Rule::AnyValue => {
                // As many with each value.
                let each = &skipping / store.arities.get(variable);
                for count in &mut of {
                    *count += &each;
                }
            }
        }
        all.push(of);
    }
    all
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
