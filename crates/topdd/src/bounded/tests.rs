//! Bounded runs against brute force.

use super::*;
use crate::constraint;
use crate::random::SplitMix;
use crate::spec::{BoxedSpec, Rule, SpecExt};
use crate::{Weights, check};
use proptest::prelude::*;

/// The best weight by brute force.
fn brute_force<S: DdSpec>(spec: &S, weights: &Weights<i64>, goal: Goal) -> Option<i128> {
    let solutions = check::brute_force(spec, Rule::ZeroSuppressed).unwrap();
    let weight = |solution: &Vec<usize>| -> i128 {
        solution.iter().enumerate().map(|(v, &value)| i128::from(weights.variable(v)[value])).sum()
    };
    solutions.iter().map(weight).min_by_key(|&weight| goal.cost(weight))
}

/// Up to three ready constraints on six variables.
fn rules(seed: u64) -> BoxedSpec<'static> {
    let mut draw = SplitMix(seed);
    let mut below = move |n: usize| draw.below(n);
    let number = |n: usize| i64::try_from(n).unwrap();
    let space: Vec<usize> = (0..6).map(|_| 2 + below(2)).collect();
    let rules = (0..=below(3)).map(|_| {
        let scope: Vec<usize> = (0..6).filter(|_| below(4) > 0).collect();
        let scope = if scope.is_empty() { vec![0] } else { scope };
        let sizes: Vec<i64> = (0..6).map(|_| number(below(9)) - 2).collect();
        let bound = number(below(12));
        let term = move |at: usize, value: usize| sizes[at] * number(value);
        match below(8) {
            0 => constraint::linear(&space).at_most(term, bound).on(scope).boxed(),
            1 => constraint::linear(&space).at_least(term, bound).on(scope).boxed(),
            2 => constraint::at_most(&space, below(4)).on(scope).boxed(),
            3 => constraint::between(&space, below(3)..=2 + below(3)).on(scope).boxed(),
            4 => constraint::all_different(&space).except([0]).on(scope).boxed(),
            5 => constraint::least_distance(&space, 1 + below(3)).on(scope).boxed(),
            6 => constraint::occurrences(&space, [(0, 0..=2 + below(2)), (1, 1..=4)]).boxed(),
            _ => {
                let clause = || [constraint::is(below(3), 1), constraint::is_not(3 + below(3), 0)];
                let clauses: Vec<_> = std::iter::repeat_with(clause).take(2).collect();
                constraint::clauses(&space, clauses).boxed()
            }
        }
    });
    crate::all(rules.collect::<Vec<_>>()).boxed()
}

/// Random weights of the values of a spec.
fn weights(spec: &impl DdSpec, seed: u64) -> Weights<i64> {
    let mut draw = SplitMix(seed);
    let of = |v| {
        (0..spec.arity(v)).map(|_| i64::try_from(draw.below(21)).unwrap() - 10).collect::<Vec<_>>()
    };
    Weights::from((0..spec.num_vars()).map(of).collect::<Vec<_>>())
}

proptest! {
    #[test]
    fn bounded_runs_prove_the_best_weight(seed: u64, width in 1..6_usize, threads in 1..5_usize) {
        let spec = rules(seed);
        let weights = weights(&spec, seed);
        for goal in [Goal::Minimum, Goal::Maximum] {
            let expected = brute_force(&spec, &weights, goal);
            for width in [Some(width), None] {
                let mut run = Bounded::over(&spec).threads(threads);
                run.settings.width = width;
                let best = run.best(&weights, goal).unwrap();
                prop_assert!(best.is_proven());
                prop_assert_eq!(best.weight(), expected);
                prop_assert_eq!(best.bound(), expected);
                let stopped = Bounded::over(&spec).width(1).max_states(5).best(&weights, goal).unwrap();
                if let Some(weight) = stopped.weight() {
                    prop_assert!(goal.cost(weight) >= goal.cost(expected.unwrap()));
                }
                if let (Some(bound), Some(expected)) = (stopped.bound(), expected) {
                    prop_assert!(goal.cost(bound) <= goal.cost(expected), "{:?}", stopped);
                }
            }
        }
    }

    #[test]
    fn ready_constraints_merge_by_their_contract(seed: u64) {
        check::contract(&rules(seed), Rule::ZeroSuppressed, 1000)?;
    }
}
