//! A spec with an objective, as costs that should be small, and the states that values lead to.

use super::Objective;
use crate::Goal;
use crate::error::BuildError;
use crate::spec::{Arities, DdSpec, Rule, Step, checked_root, each_checked_child};
use std::ops::Range;

/// Less than every cost: no bound is known. Costs have 96 bits at most.
pub(crate) const UNBOUNDED: i128 = i128::MIN / 4;
/// More than every cost.
pub(crate) const NEVER: i128 = i128::MAX / 4;

/// A cost with a bound of what is to come: [`NEVER`] if nothing is to come.
pub(super) fn total(cost: i128, rest: i128) -> i128 {
    // What is to come may have been bounded by `NEVER` and costs.
    if rest >= NEVER / 2 { NEVER } else { (cost + rest).max(UNBOUNDED) }
}

/// A spec with an objective, as costs that should be small.
pub(crate) struct CostModel<'p, S, O> {
    pub(crate) spec: &'p S,
    pub(crate) objective: &'p O,
    pub(crate) goal: Goal,
    pub(crate) arities: Arities,
    /// For each variable, a lower bound of the costs from it on.
    pub(super) rest: Vec<i128>,
}

/// No objective, for counts.
pub(super) struct NoObjective;

impl<S: DdSpec> Objective<S> for NoObjective {
    fn cost(&self, _: &S::State, _: usize, _: usize) -> i64 {
        0
    }
}

/// A state with its way, from which solutions are still to be found.
#[derive(Clone, Debug)]
pub(crate) struct OpenState<State> {
    pub(crate) variable: usize,
    pub(crate) state: State,
    /// The cost of the way.
    pub(crate) cost: i128,
    /// A lower bound of the cost of each solution that begins so.
    pub(crate) bound: i128,
    /// The values of the variables before it.
    pub(crate) values: Box<[u32]>,
}

/// Where values lead to.
pub(crate) enum Arrival<State> {
    Open(OpenState<State>),
    /// The cost of a solution.
    Solution(i128),
}

/// Values in ascending order, with what they lead to.
type NextSteps<State> = Vec<(u32, Arrival<State>)>;

impl<'p, S: DdSpec, O: Objective<S>> CostModel<'p, S, O> {
    pub(crate) fn new(spec: &'p S, objective: &'p O, goal: Goal, arities: Arities) -> Self {
        let mut rest = vec![0; arities.num_vars() + 1];
        for variable in (0..arities.num_vars()).rev() {
            let least = match (objective.extremes(variable), goal) {
                (None, _) => UNBOUNDED,
                (Some((least, _)), Goal::Minimum) => least.into(),
                (Some((_, most)), Goal::Maximum) => -i128::from(most),
            };
            rest[variable] = (rest[variable + 1] + least).max(UNBOUNDED);
        }
        CostModel { spec, objective, goal, arities, rest }
    }

    pub(super) fn num_vars(&self) -> usize {
        self.arities.num_vars()
    }

    pub(crate) fn of_value(&self, state: &S::State, variable: usize, value: usize) -> i128 {
        self.goal.cost(self.objective.cost(state, variable, value).into())
    }

    pub(crate) fn of_skipped(&self, variables: Range<usize>) -> i128 {
        self.goal
            .cost(variables.map(|variable| i128::from(self.objective.of_skipped(variable))).sum())
    }

    /// A lower bound of the costs from a state on.
    pub(crate) fn bound(&self, state: &S::State, variable: usize) -> i128 {
        let own = self.objective.bound(state, variable, self.goal);
        own.map_or(UNBOUNDED, |bound| self.goal.cost(bound.clamp(-NEVER, NEVER)))
            .max(self.rest[variable])
    }

    /// A lower bound of the solutions through a state, from the cost of a way to it.
    pub(crate) fn through(&self, cost: i128, state: &S::State, variable: usize) -> i128 {
        total(cost, self.bound(state, variable))
    }

    /// The start of all solutions; `None` if there are none.
    pub(crate) fn root(&self) -> Result<Option<Arrival<S::State>>, BuildError> {
        Ok(match checked_root(self.spec, Rule::ZeroSuppressed, self.num_vars())? {
            Step::Zero => None,
            Step::One => Some(Arrival::Solution(self.of_skipped(0..self.num_vars()))),
            Step::To(variable, state) => {
                let cost = self.of_skipped(0..variable);
                let bound = self.through(cost, &state, variable);
                let values = vec![0; variable].into();
                Some(Arrival::Open(OpenState { variable, state, cost, bound, values }))
            }
        })
    }

    /// The values of an open state in ascending order, with what they lead to.
    pub(super) fn after(
        &self,
        open: &OpenState<S::State>,
    ) -> Result<NextSteps<S::State>, BuildError> {
        let mut steps = Vec::new();
        self.each_step(&open.state, open.variable, |value, step_cost, next| {
            let (value, cost) = (value as u32, open.cost + step_cost);
            let Some((variable, state)) = next else {
                return steps.push((value, Arrival::Solution(cost)));
            };
            let bound = self.through(cost, &state, variable).max(open.bound);
            let mut values = open.values.to_vec();
            values.push(value);
            values.resize(variable, 0);
            let values = values.into();
            steps.push((value, Arrival::Open(OpenState { variable, state, cost, bound, values })));
        })?;
        Ok(steps)
    }

    /// Follows the values of the first variables: to the state at the next variable or a later one, or to a solution. `None`
    /// if no solution begins with these values, or a skipped variable is not 0.
    pub(super) fn follow(&self, values: &[u32]) -> Result<Option<Arrival<S::State>>, BuildError> {
        let are_zero =
            |from: usize, to: usize| values.iter().take(to).skip(from).all(|&value| value == 0);
        let mut open = match self.root()? {
            Some(Arrival::Open(open)) if are_zero(0, open.variable) => open,
            Some(Arrival::Solution(cost)) if are_zero(0, self.num_vars()) => {
                return Ok(Some(Arrival::Solution(cost)));
            }
            _ => return Ok(None),
        };
        while let Some(&value) = values.get(open.variable) {
            let mut step = None;
            self.each_step(&open.state, open.variable, |of, cost, next| {
                if of == value as usize {
                    step = Some((cost, next));
                }
            })?;
            let Some((cost, next)) = step else { return Ok(None) };
            let end = next.as_ref().map_or(self.num_vars(), |(to, _)| *to);
            if !are_zero(open.variable + 1, end) {
                return Ok(None);
            }
            open.cost += cost;
            match next {
                None => return Ok(Some(Arrival::Solution(open.cost))),
                Some((to, state)) => (open.variable, open.state) = (to, state),
            }
        }
        open.bound = self.through(open.cost, &open.state, open.variable);
        let mut values = values.to_vec();
        values.resize(open.variable, 0);
        open.values = values.into();
        Ok(Some(Arrival::Open(open)))
    }

    /// Visits the steps of a state, with the cost of each up to the variable of the next state.
    pub(crate) fn each_step(
        &self,
        state: &S::State,
        variable: usize,
        mut visit: impl FnMut(usize, i128, Option<(usize, S::State)>),
    ) -> Result<(), BuildError> {
        each_checked_child(self.spec, &self.arities, state, variable, |value, step| {
            let next = match step {
                Step::To(to, next) => Some((to, next)),
                Step::Zero | Step::One => None,
            };
            let end = next.as_ref().map_or(self.num_vars(), |(to, _)| *to);
            let cost = self.of_value(state, variable, value) + self.of_skipped(variable + 1..end);
            visit(value, cost, next);
        })
    }
}
