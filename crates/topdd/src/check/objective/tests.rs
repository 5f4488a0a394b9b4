//! Planted mistakes in objectives.

use super::*;
use crate::{Weights, constraint};
use std::sync::atomic::{AtomicI64, Ordering};

/// Subsets of at most four of eight numbers. A state is the least and the greatest number of members, which differ where
/// states were merged. A member costs the number of those before it.
struct Few {
    goal: Goal,
    plant: Plant,
    calls: AtomicI64,
}

/// The mistake.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Plant {
    None,
    Impure,
    Extremes,
    Bound,
    BoundOfMerged,
    MergeCost,
    MergeLoses,
    DominatesWorse,
    DominatesLess,
    Panic,
}

const MOST: usize = 4;

impl DdSpec for Few {
    type State = (usize, usize);
    fn num_vars(&self) -> usize {
        8
    }
    fn root(&self) -> Step<Self::State> {
        Step::To(0, (0, 0))
    }
    fn child(&self, &(least, most): &Self::State, at: usize, value: usize) -> Step<Self::State> {
        match least + value {
            least if least > MOST => Step::Zero,
            _ if at == 7 => Step::One,
            least => Step::To(at + 1, (least, (most + value).min(MOST))),
        }
    }
    fn merge(&self, one: &Self::State, other: &Self::State, _: usize) -> Option<Self::State> {
        let least = one.0.min(other.0);
        let most = one.1.max(other.1);
        Some(if self.plant == Plant::MergeLoses { (most, most) } else { (least, most) })
    }
}

impl Objective<Few> for Few {
    fn cost(&self, &(least, most): &(usize, usize), _: usize, value: usize) -> i64 {
        assert!(self.plant != Plant::Panic || least < 2, "a planted panic");
        let members = if self.goal == Goal::Minimum { least } else { most };
        let cost = i64::try_from(members * value).unwrap();
        cost + match self.plant {
            Plant::Impure => self.calls.fetch_add(1, Ordering::Relaxed),
            Plant::MergeCost if least < most && self.goal == Goal::Minimum => 1,
            Plant::MergeCost if least < most => -2,
            _ => 0,
        }
    }
    fn extremes(&self, variable: usize) -> Option<(i64, i64)> {
        match self.plant {
            Plant::Impure | Plant::MergeCost => None,
            Plant::Extremes => Some((0, 1)),
            _ => Some((0, i64::try_from(variable).unwrap())),
        }
    }
    fn bound(&self, &(least, most): &(usize, usize), variable: usize, goal: Goal) -> Option<i128> {
        let rest = (MOST - least).min(8 - variable);
        let best: usize = if goal == Goal::Minimum { 0 } else { (most..most + rest).sum() };
        let best = i128::try_from(best).unwrap();
        let better = if goal == Goal::Minimum { best + 1 } else { best - 1 };
        match self.plant {
            Plant::Impure => None,
            Plant::Bound if (least, variable) == (1, 3) => Some(better),
            Plant::BoundOfMerged if least < most && rest > 0 && most < MOST => Some(better),
            _ => Some(best),
        }
    }
    fn group(&self, _: &(usize, usize), _: usize) -> Option<u64> {
        Some(0)
    }
    fn dominates(&self, one: &(usize, usize), other: &(usize, usize), _: usize) -> bool {
        match (self.plant, self.goal) {
            // Fewer members have all completions. More members cost more.
            (Plant::None, Goal::Minimum) | (Plant::DominatesWorse, Goal::Maximum) => {
                one.0 < other.0
            }
            (Plant::DominatesLess, _) => one.0 == other.0 + 1,
            _ => false,
        }
    }
}

fn check(plant: Plant, goal: Goal) -> Result<CheckedObjective, ObjectiveError> {
    let few = Few { goal, plant, calls: AtomicI64::new(0) };
    objective(&few, &few, goal, 10_000)
}

#[test]
fn right_objectives_have_no_breach() {
    let rules = constraint::at_most(6, 3);
    let weights = Weights::of_ones([3, -1, 4, 1, -5, 9]);
    for goal in [Goal::Minimum, Goal::Maximum] {
        let checked = check(Plant::None, goal).unwrap();
        assert!(checked.all && checked.bounds == checked.states);
        for (limit, all) in [(0, false), (1, false), (3, false), (4, true), (1000, true)] {
            let checked = objective(&rules, &weights, goal, limit).unwrap();
            assert_eq!(checked.all, all, "{limit}: {checked:?}");
            assert_eq!(checked.bounds > 0, limit > 0);
        }
    }
    let unfit = objective(&rules, &Weights::of_ones([1]), Goal::Minimum, 10).unwrap_err();
    assert!(matches!(unfit, ObjectiveError::Unfit(_)));
}

#[test]
fn planted_mistakes_are_found() {
    for goal in [Goal::Minimum, Goal::Maximum] {
        let found = |plant| check(plant, goal).unwrap_err();
        assert!(matches!(found(Plant::Impure), ObjectiveError::Impure { .. }));
        assert!(matches!(
            found(Plant::Extremes),
            ObjectiveError::Extremes { value: 1, cost: 2, least: 0, most: 1, .. }
        ));
        match found(Plant::Bound) {
            ObjectiveError::Bound { variable, bound, cost, completion, .. } => {
                assert_eq!((variable, completion.len()), (3, 5));
                assert_eq!((bound - cost).abs(), 1);
            }
            error => panic!("{error}"),
        }
        match found(Plant::BoundOfMerged) {
            ObjectiveError::Bound { state, .. } => assert_eq!(state, "(0, 1)"),
            error => panic!("{error}"),
        }
        match found(Plant::MergeCost) {
            ObjectiveError::Merge { completion, .. } => assert!(completion.worse > Some(0)),
            error => panic!("{error}"),
        }
        match found(Plant::MergeLoses) {
            ObjectiveError::Merge { completion, .. } => {
                // For a minimum, its first completion costs more.
                assert_eq!(completion.worse.is_some(), goal == Goal::Minimum);
                assert!(completion.values.iter().sum::<usize>() <= MOST);
            }
            error => panic!("{error}"),
        }
        match found(Plant::DominatesLess) {
            // More members lack completions, and for a minimum the first one costs more.
            ObjectiveError::Dominance { completion, .. } => {
                assert_eq!(completion.worse.is_some(), goal == Goal::Minimum);
            }
            error => panic!("{error}"),
        }
        assert!(matches!(found(Plant::Panic), ObjectiveError::Spec(BuildError::Panicked { .. })));
    }
    match check(Plant::DominatesWorse, Goal::Maximum).unwrap_err() {
        ObjectiveError::Dominance { completion, .. } => assert!(completion.worse > Some(0)),
        error => panic!("{error}"),
    }
}
