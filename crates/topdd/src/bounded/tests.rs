//! Bounded runs against brute force.

use super::*;
use crate::constraint;
use crate::file::faulty::{Faulty, Loss, Plan, tempdir};
use crate::random::SplitMix;
use crate::spec::{BoxedSpec, Rule, SpecExt};
use crate::{Weights, check};
use proptest::prelude::*;
use std::path::Path;

/// The best weight by brute force.
fn brute_force<S: DdSpec>(spec: &S, weights: &Weights<i64>, goal: Goal) -> Option<i128> {
    let solutions = check::brute_force(spec, Rule::ZeroSuppressed).unwrap();
    let weight = |solution: &Vec<usize>| -> i128 {
        solution.iter().enumerate().map(|(v, &value)| i128::from(weights.variable(v)[value])).sum()
    };
    solutions.iter().map(weight).min_by_key(|&weight| goal.cost(weight))
}

/// The first of the best solutions by brute force.
fn first_best(spec: &impl DdSpec, weights: &Weights<i64>, goal: Goal) -> Option<Vec<usize>> {
    let best = brute_force(spec, weights, goal)?;
    let weight = |solution: &[usize]| -> i128 {
        solution.iter().enumerate().map(|(v, &value)| i128::from(weights.variable(v)[value])).sum()
    };
    let solutions = check::brute_force(spec, Rule::ZeroSuppressed).unwrap();
    solutions.into_iter().filter(|solution| weight(solution) == best).min()
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
    fn least_is_the_first_of_the_best_solutions(seed: u64, width in 1..6_usize, threads in 1..4_usize) {
        let spec = rules(seed);
        // Few weights, so that many solutions are equal.
        let weights = weights(&spec, seed).map(|weight| weight / 8);
        for goal in [Goal::Minimum, Goal::Maximum] {
            let mut run = Bounded::over(&spec).width(width).threads(threads).gap(0.0).least();
            let best = run.best(&weights, goal).unwrap();
            prop_assert!(best.is_proven());
            let expected = first_best(&spec, &weights, goal);
            prop_assert_eq!(best.solution(), expected.as_deref());
        }
    }

    #[test]
    fn a_run_in_parts_proves_the_best_weight(seed: u64, width in 1..4_usize, part in 1..40_u64) {
        let spec = rules(seed);
        let weights = weights(&spec, seed);
        let folder = tempdir();
        let expected = brute_force(&spec, &weights, Goal::Minimum);
        let mut limit = 0;
        let best = loop {
            limit += part;
            let mut run = Bounded::over(&spec).width(width).max_states(limit).least();
            run = run.checkpoint(folder.path(), "rules");
            let best = run.minimize(&weights).unwrap();
            if best.is_proven() {
                break best;
            }
            if let (Some(bound), Some(expected)) = (best.bound(), expected) {
                prop_assert!(bound <= expected);
            }
        };
        prop_assert_eq!(best.weight(), expected);
        let first = first_best(&spec, &weights, Goal::Minimum);
        prop_assert_eq!(best.solution(), first.as_deref());
        let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
        prop_assert!(left.len() <= 1, "{:?}", left);
    }

    #[test]
    fn ready_constraints_merge_by_their_contract(seed: u64) {
        check::contract(&rules(seed), Rule::ZeroSuppressed, 1000)?;
    }
}

/// A knapsack whose search takes some open states.
fn knapsack() -> (BoxedSpec<'static>, Weights<i64>) {
    let uses = |shift: i64| {
        let size = move |item: usize, taken: usize| {
            if taken == 1 { 5 + (29 * i64::try_from(item).unwrap() + shift) % 31 } else { 0 }
        };
        constraint::linear(16).at_most(size, 120)
    };
    let profits = Weights::of_ones((0..16).map(|item| 10 + 37 * item % 41));
    (crate::all([uses(3), uses(11)]).boxed(), profits)
}

/// A run over the knapsack with a checkpoint in a faulty folder, until it is proven or ends at its limit.
fn in_folder(faulty: &Faulty, folder: &Path, states: u64) -> Result<BoundedBest, QueryError> {
    let (spec, profits) = knapsack();
    let mut run = Bounded::over(&spec).width(3).max_states(states);
    let (files, dir) = (faulty.files(), folder.to_owned());
    run.settings.checkpoint = Some(CheckpointPlace { files, dir, key: "knapsack".to_owned() });
    run.maximize(&profits)
}

#[test]
fn a_run_goes_on_after_any_fault_of_the_disk() {
    let (spec, profits) = knapsack();
    let expected = brute_force(&spec, &profits, Goal::Maximum);
    let attempt = |plan, loss: Option<Loss>| {
        let folder = tempdir();
        let before = Faulty::new(folder.path(), Plan::Nothing);
        assert!(!in_folder(&before, folder.path(), 60).unwrap().is_proven());
        let faulty = Faulty::new(folder.path(), plan);
        let faulted = in_folder(&faulty, folder.path(), 120);
        match &faulted {
            Ok(best) => assert!(!best.is_proven()),
            Err(QueryError::Build(BuildError::Io(_) | BuildError::Damaged { .. })) => {}
            Err(error) => panic!("{plan:?}: {error}"),
        }
        if let Some(loss) = loss {
            faulty.lose_power(loss);
        }
        let after = Faulty::new(folder.path(), Plan::Nothing);
        let best = in_folder(&after, folder.path(), u64::MAX).unwrap();
        assert_eq!((best.weight(), best.is_proven()), (expected, true), "{plan:?}, {loss:?}");
        faulty.calls()
    };
    let calls = attempt(Plan::Nothing, None);
    assert!(calls > 5, "{calls}");
    for (plan, loss) in (0..calls).flat_map(Plan::of_save) {
        attempt(plan, loss);
    }
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let (spec, profits) = knapsack();
    let folder = tempdir();
    let start =
        |key: &str| Bounded::over(&spec).width(3).max_states(100).checkpoint(folder.path(), key);
    assert!(!start("knapsack").maximize(&profits).unwrap().is_proven());
    let other_key = start("another").maximize(&profits).unwrap_err();
    assert!(matches!(other_key, QueryError::Build(BuildError::OtherCheckpoint { .. })));
    let other_goal = start("knapsack").minimize(&profits).unwrap_err();
    assert!(matches!(other_goal, QueryError::Build(BuildError::OtherCheckpoint { .. })));
    let other_costs = start("knapsack").maximize(&profits.map(|profit| profit + 1)).unwrap_err();
    assert!(matches!(other_costs, QueryError::Build(BuildError::SpecChanged { .. })));
    let none = constraint::exactly(16, 16);
    let mut run = Bounded::over(&none).checkpoint(folder.path(), "knapsack");
    let other_spec = run.maximize(&profits).unwrap_err();
    assert!(matches!(other_spec, QueryError::Build(BuildError::SpecChanged { .. })));
}
