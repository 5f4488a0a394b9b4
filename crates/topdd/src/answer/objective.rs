//! The best solution by an objective that sees the state.

use crate::bounded::{CostModel, NEVER};
use crate::error::caught;
use crate::frontier::Frontier;
use crate::query::{Best, Goal};
use crate::spec::{Arities, DdSpec, JoinSpec, Portable, Step};
use crate::{Bounded, BuildError, Objective, QueryError};
use std::sync::{Arc, Mutex, PoisonError};

/// The states of the narrow run that finds a weight to prune by.
const NARROW_STATES: u64 = 20_000;

impl<'a, S: DdSpec<State: Portable>> Frontier<'a, S> {
    /// Returns the solution that costs least, or most, by an [`Objective`], which sees the states; the first in
    /// lexicographic order, if there are several. For [`Weights`](crate::Weights), [`minimum`](Frontier::minimum) and
    /// [`maximum`](Frontier::maximum) are faster.
    ///
    /// A short [bounded](Bounded) run comes first. The sweep gives up states that the [bound](Objective::bound) excludes from
    /// being as good as its solution. States do not dominate each other, and are not merged.
    ///
    /// Threads, limits, spilling and checkpoints are as for a count; alike variables are not used, and a checkpoint of a run
    /// that is done is not kept.
    ///
    /// Cost: one sweep. Each state stores its least cost in 16 bytes, and four bytes for each variable before it.
    ///
    /// ```
    /// use topdd::{DdSpec, Frontier, Goal, Step};
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
    /// let best = Frontier::over(&Walk).best_of(&toll, Goal::Minimum)?;
    /// assert_eq!((best.weight, best.solution), (18, vec![0, 0, 1, 0, 1, 0]));
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`count`](Frontier::count); [`QueryError::NoSolutions`] if there are none.
    pub fn best_of<O: Objective<S>>(
        &mut self,
        objective: &'a O,
        goal: Goal,
    ) -> Result<Best, QueryError> {
        let Some(spec) = self.spec.filter(|_| self.engine.is_alone()) else {
            let message =
                "an objective sees the states of a typed spec in one process; use `Frontier::over`";
            return Err(BuildError::InvalidSpec { message: message.to_owned() }.into());
        };
        let costs = caught(|| {
            let arities = Arities::from_spec(spec)?;
            objective.check(spec)?;
            Ok::<_, QueryError>(CostModel::new(spec, objective, goal, arities))
        })?;
        let mut narrow = Bounded::over(spec).width(1000).max_states(NARROW_STATES);
        let known = match goal {
            Goal::Minimum => narrow.minimize(objective),
            Goal::Maximum => narrow.maximize(objective),
        };
        let known = known?.weight().map_or(NEVER, |weight| goal.cost(weight));
        let best = Arc::new(Mutex::new(None));
        self.sweep_joining(CheapestWays { costs, known, best: Arc::clone(&best) })?;
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
struct CheapestWays<'a, S, O> {
    costs: CostModel<'a, S, O>,
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
            // What is out of range is reported as such.
            Step::To(to, state) => (to, Some(state)),
        };
        let last = to.min(self.end());
        let cost = cost + self.costs.of_skipped(from.min(last)..last);
        let rest = state.as_ref().map_or(0, |state| self.costs.bound(state, last));
        if cost + rest > self.known {
            return Step::Zero;
        }
        values.resize(last, 0);
        let beyond = usize::from(to >= self.end() && state.is_some());
        Step::To(to + beyond, (state, (cost, values)))
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
        self.to(self.costs.spec.root(), 0, 0, Vec::new())
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
