//! Objectives: what a bounded run makes small or large.

use crate::spec::{Arities, DdSpec};
use crate::{Goal, QueryError, Weights};

/// A cost for each value of a variable, which may depend on the state: what a solution should have least or most of, in sum.
///
/// The weight of a solution is the sum of the costs of its values. [`Weights`] are the simplest objective: their costs do not depend on the state. A closure
/// `|state, variable, value| -> i64` is one without bounds. Costs are added in 128 bits, in which no sum of `i64` overflows.
///
/// # Contract
///
/// - The functions are pure.
/// - A variable that a step skips costs [`of_skipped`](Objective::of_skipped), since it has no state.
/// - A state [merged](DdSpec::merge) from others has no worse costs than they have.
/// - [`bound`](Objective::bound) and [`extremes`](Objective::extremes) are on the right side of what they bound.
/// - If a state [dominates](Objective::dominates) another one, each completion of the other is one of its own, at no worse cost.
///
/// ```
/// use topdd::{Bounded, DdSpec, Objective, Step};
///
/// /// Tours from town 0 through all towns, and back.
/// struct Tours { distances: Vec<Vec<i64>> }
///
/// impl DdSpec for Tours {
///     type State = (usize, u32); // the last town, and the towns that are left
///     fn num_vars(&self) -> usize { self.distances.len() - 1 }
///     fn arity(&self, _: usize) -> usize { self.distances.len() }
///     fn root(&self) -> Step<Self::State> { Step::To(0, (0, (1 << self.distances.len()) - 2)) }
///     fn child(&self, &(_, left): &Self::State, place: usize, town: usize) -> Step<Self::State> {
///         if left >> town & 1 == 0 { return Step::Zero; }
///         if place + 1 == self.num_vars() { return Step::One; }
///         Step::To(place + 1, (town, left & !(1 << town)))
///     }
/// }
///
/// impl Objective<Tours> for Tours {
///     fn cost(&self, &(last, left): &(usize, u32), _: usize, town: usize) -> i64 {
///         let back = if left.count_ones() == 1 { self.distances[town][0] } else { 0 };
///         self.distances[last][town] + back
///     }
/// }
///
/// let tours = Tours { distances: vec![vec![0, 2, 9, 4], vec![2, 0, 6, 3], vec![9, 6, 0, 8], vec![4, 3, 8, 0]] };
/// let best = Bounded::over(&tours).minimize(&tours)?;
/// assert_eq!((best.weight(), best.is_proven()), (Some(20), true)); // 0, 1, 2, 3, 0
/// # Ok::<(), topdd::QueryError>(())
/// ```
pub trait Objective<S: DdSpec>: Sync {
    /// Returns the cost of `value` of `variable` from `state`, which is at that variable.
    fn cost(&self, state: &S::State, variable: usize, value: usize) -> i64;

    /// Returns the cost of a skipped variable: 0 unless overridden.
    fn of_skipped(&self, variable: usize) -> i64 {
        let _ = variable;
        0
    }

    /// Returns the least and the greatest cost of a value of `variable`, also if it is skipped. `None`, the default, is always
    /// correct. From these the run computes a bound of what all later variables cost.
    fn extremes(&self, variable: usize) -> Option<(i64, i64)> {
        let _ = variable;
        None
    }

    /// Returns a bound of the costs of all completions of `state`, from `variable` on: none costs less for
    /// [`Goal::Minimum`], and none more for [`Goal::Maximum`]. `None`, the default, is always correct.
    ///
    /// The run gives up states which the bound excludes from being better than the best solution so far. It is called a
    /// few times for each state, also for merged ones.
    fn bound(&self, state: &S::State, variable: usize, goal: Goal) -> Option<i128> {
        let _ = (state, variable, goal);
        None
    }

    /// Returns a hash of those parts of `state` in which a state that [dominates](Objective::dominates) it is equal; only
    /// states with equal hashes are compared. `None`, the default, means that no state dominates it.
    fn group(&self, state: &S::State, variable: usize) -> Option<u64> {
        let _ = (state, variable);
        None
    }

    /// Whether each completion of `other` is one of `one`, at no worse cost. Both are at `variable`.
    fn dominates(&self, one: &S::State, other: &S::State, variable: usize) -> bool {
        let _ = (one, other, variable);
        false
    }

    /// Checks that the objective fits the variables.
    ///
    /// # Errors
    ///
    /// If it does not, as [`Weights`] of other variables.
    fn check(&self, spec: &S) -> Result<(), QueryError> {
        let _ = spec;
        Ok(())
    }
}

impl<S: DdSpec> Objective<S> for Weights<i64> {
    #[inline]
    fn cost(&self, _: &S::State, variable: usize, value: usize) -> i64 {
        self.variable(variable)[value]
    }

    fn of_skipped(&self, variable: usize) -> i64 {
        self.variable(variable)[0]
    }

    fn extremes(&self, variable: usize) -> Option<(i64, i64)> {
        let costs = self.variable(variable);
        Some((*costs.iter().min()?, *costs.iter().max()?))
    }

    fn check(&self, spec: &S) -> Result<(), QueryError> {
        Weights::check(self, &Arities::from_spec(spec)?)
    }
}

impl<S, F> Objective<S> for F
where
    S: DdSpec,
    F: Fn(&S::State, usize, usize) -> i64 + Sync,
{
    #[inline]
    fn cost(&self, state: &S::State, variable: usize, value: usize) -> i64 {
        self(state, variable, value)
    }
}
