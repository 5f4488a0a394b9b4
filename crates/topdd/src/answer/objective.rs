//! The best solution by an objective that sees the state.

use crate::bounded::{Arrival, CostModel, OpenState, some_cost};
use crate::error::caught;
use crate::frontier::{Frontier, Watch};
use crate::query::{Best, Goal};
use crate::spec::{Arities, DdSpec, JoinSpec, Portable, Step};
use crate::{BuildError, Objective, QueryError};
use std::sync::{Arc, Mutex, PoisonError};

impl<'a, S: DdSpec<State: Portable>> Frontier<'a, S> {
    /// Returns the solution that costs least by an [`Objective`], which sees the states; the first in lexicographic order, if
    /// there are several. For [`Weights`](crate::Weights), [`minimum`](Frontier::minimum) is faster.
    ///
    /// Some narrow levels come first, as of a [bounded run](crate::Bounded), and find a good solution. The sweep drops states whose
    /// [bound](Objective::bound) is worse than that. Equal states merge as in every sweep; [`Objective::dominates`] and
    /// [`DdSpec::merge`] are not used.
    ///
    /// Threads, limits, spilling and checkpoints are as for a count. Alike variables and forced values, which make other sweeps
    /// faster, are not used, and a checkpoint of a run that is done is not kept. Reports, callbacks and errors count one more variable at the end, in which all
    /// solutions meet.
    ///
    /// Cost: one sweep. Each state stores its least cost and the values before it: 16 bytes, a list, and four bytes for
    /// each variable, which each step copies.
    ///
    /// ```
    /// use topdd::{DdSpec, Frontier, Step};
    ///
    /// /// Steps up and down between five places.
    /// struct Walk;
    /// impl DdSpec for Walk {
    ///     type State = u8;
    ///     fn num_vars(&self) -> usize { 6 }
    ///     fn root(&self) -> Step<u8> { Step::To(0, 2) }
    ///     fn child(&self, &place: &u8, at: usize, up: usize) -> Step<u8> {
    ///         let next = if up == 1 { place + 1 } else { place.wrapping_sub(1) };
    ///         if next > 4 { Step::Zero } else if at == 5 { Step::One } else { Step::To(at + 1, next) }
    ///     }
    /// }
    /// let tolls = [3, 1, 4, 1, 5];
    /// let toll = |&place: &u8, _: usize, up: usize| tolls[place as usize] + 2 * up as i64;
    /// let best = Frontier::over(&Walk).minimize(&toll)?;
    /// assert_eq!((best.weight, best.solution), (17, vec![0, 0, 1, 0, 1, 0]));
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`count`](Frontier::count) and of [`Objective::check`]; [`QueryError::NoSolutions`] if there is no solution;
    /// [`BuildError::InvalidSpec`] unless the run was made by [`Frontier::over`] and is in one process.
    pub fn minimize(&mut self, objective: &'a impl Objective<S>) -> Result<Best, QueryError> {
        self.best_of(objective, Goal::Minimum)
    }

    /// Returns the solution that costs most. Otherwise equal to [`minimize`](Frontier::minimize).
    ///
    /// # Errors
    ///
    /// The errors of [`minimize`](Frontier::minimize).
    pub fn maximize(&mut self, objective: &'a impl Objective<S>) -> Result<Best, QueryError> {
        self.best_of(objective, Goal::Maximum)
    }

    fn best_of<O: Objective<S>>(
        &mut self,
        objective: &'a O,
        goal: Goal,
    ) -> Result<Best, QueryError> {
        let Some(spec) = self.spec.filter(|_| self.engine.is_alone()) else {
            let message =
                "an objective sees the states of a typed spec in one process; use `Frontier::over`";
            return Err(BuildError::InvalidSpec { message: message.to_owned() }.into());
        };
        let config = &self.engine.config;
        let watch = Watch::start(config.time_limit, config.cancel.clone());
        let (costs, root) = caught(|| {
            let arities = Arities::from_spec(spec)?;
            objective.check(spec)?;
            let costs = CostModel::new(spec, objective, goal, arities);
            let root = costs.root()?;
            Ok::<_, QueryError>((costs, root))
        })?;
        let root = match root {
            Some(Arrival::Open(root)) => root,
            Some(Arrival::Solution(cost)) => {
                let solution = vec![0; costs.arities.num_vars()];
                return Ok(Best { weight: goal.cost(cost), solution });
            }
            None => return Err(QueryError::NoSolutions),
        };
        let known = caught(|| some_cost(&costs, &root, &watch))?;
        let best = Arc::new(Mutex::new(None));
        self.sweep_joining(CheapestWays { costs, root, known, best: Arc::clone(&best) })?;
        let best = best.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (cost, values) = best.ok_or(QueryError::NoSolutions)?;
        let solution = values.into_iter().map(|value: u32| value as usize).collect();
        Ok(Best { weight: goal.cost(cost), solution })
    }
}

/// The cost of a way, and its values.
type Way = (i128, Vec<u32>);

/// The cheapest way to each state. After the last variable comes another one, with one value and one state, `None`, in
/// which all solutions meet.
struct CheapestWays<'a, S: DdSpec, O> {
    costs: CostModel<'a, S, O>,
    root: OpenState<S::State>,
    /// The cost of a known solution: no way whose bound is above it is followed.
    known: i128,
    /// The cheapest solution, when the sweep is done.
    best: Arc<Mutex<Option<Way>>>,
}

impl<S: DdSpec, O: Objective<S>> CheapestWays<'_, S, O> {
    fn end(&self) -> usize {
        self.costs.arities.num_vars()
    }

    /// The step to a state after a way of this cost, past skipped variables.
    fn to(
        &self,
        step: Step<S::State>,
        from: usize,
        cost: i128,
        mut values: Vec<u32>,
    ) -> Step<(Option<S::State>, Way)> {
        let (to, state) = match step {
            Step::Zero => return Step::Zero,
            Step::One => (self.end(), None),
            // The engine reports a step out of range, of which nothing else is asked.
            Step::To(to, state) if to < from || to >= self.end() => {
                return Step::To(
                    to.saturating_add(usize::from(to >= from)),
                    (Some(state), (cost, values)),
                );
            }
            Step::To(to, state) => (to, Some(state)),
        };
        let cost = cost + self.costs.of_skipped(from..to);
        let bound = state.as_ref().map_or(cost, |state| self.costs.through(cost, state, to));
        if bound > self.known {
            return Step::Zero;
        }
        values.resize(to, 0);
        Step::To(to, (state, (cost, values)))
    }
}

impl<S: DdSpec<State: Portable>, O: Objective<S>> JoinSpec for CheapestWays<'_, S, O> {
    type State = Option<S::State>;
    type Joined = Way;

    fn num_vars(&self) -> usize {
        self.end() + 1
    }

    fn arity(&self, variable: usize) -> usize {
        if variable == self.end() { 1 } else { self.costs.arities.get(variable) }
    }

    fn root(&self) -> Step<(Self::State, Way)> {
        let OpenState { variable, state, cost, values, .. } = self.root.clone();
        Step::To(variable, (Some(state), (cost, values.into())))
    }

    fn child(
        &self,
        state: &Self::State,
        (cost, values): &Way,
        variable: usize,
        value: usize,
    ) -> Step<(Self::State, Way)> {
        let Some(state) = state else {
            // All solutions have met.
            let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
            *best = Some((*cost, values.clone()));
            return Step::One;
        };
        let step = self.costs.spec.child(state, variable, value);
        if step.is_zero() {
            return Step::Zero;
        }
        let cost = cost + self.costs.of_value(state, variable, value);
        let values = [&values[..], &[value as u32]].concat();
        self.to(step, variable + 1, cost, values)
    }

    fn join(one: &Way, other: &Way) -> Way {
        one.min(other).clone()
    }

    fn validate(&self) -> Result<(), String> {
        self.costs.spec.validate()
    }

    fn describe(&self, state: &Self::State, (cost, _): &Way) -> String {
        let cost = self.costs.goal.cost(*cost);
        match state {
            Some(state) => format!("{} at cost {cost}", self.costs.spec.describe(state)),
            None => format!("the end at cost {cost}"),
        }
    }
}
