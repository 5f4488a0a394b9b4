//! A check of the contract of an objective.

#[cfg(test)]
mod tests;

use crate::bounded::{Arrival, CostModel, Objective, UNBOUNDED};
use crate::error::caught;
use crate::spec::contract::counterexample;
use crate::spec::{Arities, DdSpec, Step};
use crate::{BuildError, Goal, Map, QueryError};
use std::collections::BTreeMap;
use thiserror::Error;

/// The number of states of a level that are merged, and that are compared for dominance.
const COMPARED: usize = 64;

/// Checks an [`Objective`] on up to `limit` states of each variable of `spec`, and on merges of them, for one goal.
///
/// | checked | how |
/// | --- | --- |
/// | `cost` | it repeats itself, and is within `extremes` |
/// | `bound` and `extremes` | no completion through visited states is better |
/// | `merge` | the merged state has each completion of its states, at no worse cost; for the first 64 states of a level |
/// | `dominates` | each completion of the other state is one of its own, at no worse cost: pairs of one group among the first 64 states of a level |
///
/// Bounds are checked for merged states as well. The contract of the spec itself is what [`contract`](super::contract)
/// checks.
///
/// Cost: time and memory for the visited states, and a bounded number of steps for each pair that is compared.
///
/// ```
/// use topdd::check::{self, ObjectiveError};
/// use topdd::{DdSpec, Goal, Objective};
///
/// /// Costs 3 for each of five members, and claims that five cost at least 16.
/// struct Wrong;
///
/// impl<S: DdSpec> Objective<S> for Wrong {
///     fn cost(&self, _: &S::State, _: usize, value: usize) -> i64 { 3 * value as i64 }
///     fn bound(&self, _: &S::State, number: usize, _: Goal) -> Option<i128> {
///         (number == 0).then_some(16)
///     }
/// }
///
/// let five = topdd::constraint::exactly(8, 5);
/// let error = check::objective(&five, &Wrong, Goal::Minimum, 1000).unwrap_err();
/// assert!(matches!(error, ObjectiveError::Bound { variable: 0, bound: 16, cost: 15, .. }));
/// ```
///
/// # Errors
///
/// The first breach found. `Ok` means that the states visited show none, and has their number.
pub fn objective<S: DdSpec, O: Objective<S>>(
    spec: &S,
    objective: &O,
    goal: Goal,
    limit: usize,
) -> Result<CheckedObjective, ObjectiveError> {
    caught(|| {
        let arities = Arities::from_spec(spec)?;
        objective.check(spec)?;
        let costs = CostModel::new(spec, objective, goal, arities);
        ObjectiveVisit { costs: &costs, limit, nodes: Vec::new(), all: true }.run()
    })
}

/// What a check of an objective has looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckedObjective {
    /// The number of states, with merged ones.
    pub states: usize,
    /// The number of visited states whose bound was compared with a completion.
    pub bounds: usize,
    /// Whether `limit` left out no state. Merges and dominance are checked among the first 64 states of a level in any case.
    pub all: bool,
}

/// A breach of the contract of an [`Objective`]. States are given as text, as [`DdSpec::describe`] writes them.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ObjectiveError {
    /// The spec breaks its contract, or the spec or the objective panics.
    #[error(transparent)]
    Spec(#[from] BuildError),

    /// The objective does not fit the spec.
    #[error(transparent)]
    Unfit(#[from] QueryError),

    /// A cost differs when it is asked for again.
    #[error(
        "value {value} of variable {variable} costs {first}, and then {again}, from state {state}; `cost` must be pure"
    )]
    Impure {
        /// The variable.
        variable: usize,
        /// Its value.
        value: usize,
        /// The state.
        state: String,
        /// The first cost.
        first: i64,
        /// The next one.
        again: i64,
    },

    /// A cost is outside of the extremes.
    #[error(
        "value {value} of variable {variable} costs {cost} from state {state}, but `extremes` are {least} and {most}"
    )]
    Extremes {
        /// The variable.
        variable: usize,
        /// Its value.
        value: usize,
        /// The state.
        state: String,
        /// The cost.
        cost: i64,
        /// The least cost by `extremes`.
        least: i64,
        /// The greatest cost by `extremes`.
        most: i64,
    },

    /// A completion of a state is better than its bound.
    #[error(
        "the values {completion:?} from variable {variable} on cost {cost} from state {state}, better than its bound {bound}"
    )]
    Bound {
        /// The variable of the state.
        variable: usize,
        /// The state.
        state: String,
        /// The bound of `bound` or of `extremes`.
        bound: i128,
        /// The values of the variables from the one of the state on.
        completion: Vec<usize>,
        /// Their cost.
        cost: i128,
    },

    /// A merged state lacks a completion of one of its states, or has it at worse cost.
    #[error("the merge of two states at variable {variable} is {merged}; {completion}")]
    Merge {
        /// The variable.
        variable: usize,
        /// The merged state.
        merged: String,
        /// The completion.
        completion: WorseCompletion,
    },

    /// A state does not dominate another one: it lacks a completion, or has it at worse cost.
    #[error("state {one} does not dominate the other one at variable {variable}; {completion}")]
    Dominance {
        /// The variable.
        variable: usize,
        /// The state that is said to dominate.
        one: String,
        /// A completion of the other one.
        completion: WorseCompletion,
    },
}

/// A completion of a state that is missing in another one, or worse there, though that one should be at least as good.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the values {values:?} of {state} {}", match .worse { Some(by) => format!("are worse there, by {by}"), None => "are no completion there".to_owned() })]
pub struct WorseCompletion {
    /// The state.
    pub state: String,
    /// The values of the variables from the one of the state on.
    pub values: Vec<usize>,
    /// By how much they are worse; `None` if they are no completion.
    pub worse: Option<i128>,
}

/// A state that was visited.
struct VisitedNode {
    variable: usize,
    text: String,
    /// The bound of the state.
    bound: i128,
    /// Each value with its cost, and the node that it leads to, if it was visited and is no terminal.
    steps: Vec<(usize, i128, Option<usize>)>,
}

/// The nodes of a level that is not visited yet.
type PendingLevel<State> = (Vec<(State, usize)>, Map<State, usize>);

/// A visit of states and of their merges, level by level.
struct ObjectiveVisit<'v, 'p, S, O> {
    costs: &'v CostModel<'p, S, O>,
    limit: usize,
    nodes: Vec<VisitedNode>,
    /// Whether no state was left out.
    all: bool,
}

impl<S: DdSpec, O: Objective<S>> ObjectiveVisit<'_, '_, S, O> {
    fn run(mut self) -> Result<CheckedObjective, ObjectiveError> {
        let mut levels: BTreeMap<usize, PendingLevel<S::State>> = BTreeMap::new();
        if let Some(Arrival::Open(root)) = self.costs.root()? {
            self.meet(&mut levels, root.variable, &root.state);
        }
        while let Some((variable, (states, mut index))) = levels.pop_first() {
            let exact = states.clone();
            // Before they are compared, so that a step out of range is found first.
            self.expand(&mut levels, variable, states)?;
            self.check_dominance(variable, &exact)?;
            let mut merges = Vec::new();
            for merged in self.merges(variable, &exact)? {
                if !index.contains_key(&merged) {
                    let node = self.add(variable, &merged);
                    index.insert(merged.clone(), node);
                    merges.push((merged, node));
                }
            }
            self.expand(&mut levels, variable, merges)?;
        }
        let bounds = self.check_bounds()?;
        Ok(CheckedObjective { states: self.nodes.len(), bounds, all: self.all })
    }

    /// Takes the steps of states of a level.
    fn expand(
        &mut self,
        levels: &mut BTreeMap<usize, PendingLevel<S::State>>,
        variable: usize,
        states: Vec<(S::State, usize)>,
    ) -> Result<(), ObjectiveError> {
        for (state, node) in states {
            let mut steps = Vec::new();
            self.costs.each_step(&state, variable, |value, cost, next| match next {
                None => steps.push((value, cost, None)),
                Some((to, next)) => {
                    let next = self.meet(levels, to, &next);
                    steps.extend(next.map(|node| (value, cost, Some(node))));
                }
            })?;
            self.nodes[node].steps = steps;
            self.check_costs(variable, &state)?;
        }
        Ok(())
    }

    /// The node of a state; `None` beyond the limit.
    fn meet(
        &mut self,
        levels: &mut BTreeMap<usize, PendingLevel<S::State>>,
        variable: usize,
        state: &S::State,
    ) -> Option<usize> {
        let (states, index) = levels.entry(variable).or_default();
        if let Some(&node) = index.get(state) {
            return Some(node);
        }
        if states.len() >= self.limit {
            self.all = false;
            return None;
        }
        let node = self.add(variable, state);
        index.insert(state.clone(), node);
        states.push((state.clone(), node));
        Some(node)
    }

    fn add(&mut self, variable: usize, state: &S::State) -> usize {
        let (text, bound) = (self.costs.spec.describe(state), self.costs.bound(state, variable));
        self.nodes.push(VisitedNode { variable, text, bound, steps: Vec::new() });
        self.nodes.len() - 1
    }

    fn check_costs(&self, variable: usize, state: &S::State) -> Result<(), ObjectiveError> {
        let CostModel { objective, spec, arities, .. } = self.costs;
        for value in 0..arities.get(variable) {
            if spec.child(state, variable, value).is_zero() {
                continue;
            }
            let [first, again] = [0, 1].map(|_| objective.cost(state, variable, value));
            let state = || spec.describe(state);
            if first != again {
                return Err(ObjectiveError::Impure {
                    variable,
                    value,
                    state: state(),
                    first,
                    again,
                });
            }
            if let Some((least, most)) = objective.extremes(variable)
                && !(least..=most).contains(&first)
            {
                let (cost, state) = (first, state());
                return Err(ObjectiveError::Extremes { variable, value, state, cost, least, most });
            }
        }
        Ok(())
    }

    /// Merges of the first states of a level: of each with the next one, and with all before it.
    fn merges(
        &self,
        variable: usize,
        states: &[(S::State, usize)],
    ) -> Result<Vec<S::State>, ObjectiveError> {
        let mut merges = Vec::new();
        let first = || states.iter().take(COMPARED).map(|(state, _)| state);
        let mut all = first().next().cloned();
        for (one, other) in first().zip(first().skip(1)) {
            let pairs = [Some(one.clone()), all.take()];
            for (index, before) in pairs.into_iter().enumerate() {
                let Some(before) = before else { continue };
                let Some(merged) = self.costs.spec.merge(&before, other, variable) else {
                    continue;
                };
                for state in [&before, other] {
                    if let Some(completion) = self.worse([state, &merged], variable) {
                        let merged = self.costs.spec.describe(&merged);
                        return Err(ObjectiveError::Merge { variable, merged, completion });
                    }
                }
                if index == 1 {
                    all = Some(merged.clone());
                }
                merges.push(merged);
            }
        }
        Ok(merges)
    }

    fn check_dominance(
        &self,
        variable: usize,
        states: &[(S::State, usize)],
    ) -> Result<(), ObjectiveError> {
        let objective = self.costs.objective;
        let first = || states.iter().take(COMPARED).map(|(state, _)| state);
        for one in first() {
            let Some(group) = objective.group(one, variable) else { continue };
            for other in first().filter(|&other| other != one) {
                if objective.group(other, variable) == Some(group)
                    && objective.dominates(one, other, variable)
                    && let Some(completion) = self.worse([other, one], variable)
                {
                    let one = self.costs.spec.describe(one);
                    return Err(ObjectiveError::Dominance { variable, one, completion });
                }
            }
        }
        Ok(())
    }

    /// A completion of the first state that the second one lacks, or has at worse cost.
    fn worse(&self, states: [&S::State; 2], variable: usize) -> Option<WorseCompletion> {
        let spec = self.costs.spec;
        let excess = |states: [Option<&S::State>; 2], at: usize, value: usize| {
            let [own, other] = states.map(|state| match state {
                Some(state) => self.costs.of_value(state, at, value),
                None => self.costs.of_skipped(at..at + 1),
            });
            other - own
        };
        let is_worse = |[own, other]: [bool; 2], excess| own && (!other || excess > 0);
        let steps = states.map(|state| Step::To(variable, state.clone()));
        let values = counterexample(spec, steps, excess, is_worse)?[variable..].to_vec();
        let sums = states.map(|state| self.cost(state, variable, &values));
        let worse = sums[1].zip(sums[0]).map(|(other, own)| other - own);
        Some(WorseCompletion { state: spec.describe(states[0]), values, worse })
    }

    /// The cost of a completion of a state, if it is one.
    fn cost(&self, state: &S::State, variable: usize, values: &[usize]) -> Option<i128> {
        let (mut sum, mut at, mut state) = (0, variable, state.clone());
        loop {
            let value = values[at - variable];
            sum += self.costs.of_value(&state, at, value);
            let step = self.costs.spec.child(&state, at, value);
            let next = match &step {
                Step::Zero => return None,
                Step::One => variable + values.len(),
                Step::To(to, _) => *to,
            };
            let end = next.min(variable + values.len());
            if values[at + 1 - variable..end - variable].iter().any(|&value| value != 0) {
                return None;
            }
            sum += self.costs.of_skipped(at + 1..next);
            let Step::To(to, after) = step else { return Some(sum) };
            (at, state) = (to, after);
        }
    }

    /// Compares the bounds with the best completions that were visited.
    fn check_bounds(&self) -> Result<usize, ObjectiveError> {
        // For each node the least cost of a completion, and its step. Steps lead to later variables.
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_key(|&node| std::cmp::Reverse(self.nodes[node].variable));
        let mut least: Vec<Option<(i128, usize)>> = vec![None; self.nodes.len()];
        let mut compared = 0;
        for node in order {
            let VisitedNode { variable, text, bound, steps } = &self.nodes[node];
            let through = |(index, &(_, cost, to)): (usize, &(usize, i128, Option<usize>))| match to
            {
                None => Some((cost, index)),
                Some(to) => least[to].map(|(rest, _)| (cost + rest, index)),
            };
            least[node] = steps.iter().enumerate().filter_map(through).min();
            let Some((cost, _)) = least[node] else { continue };
            compared += 1;
            if *bound > UNBOUNDED && cost < *bound {
                let goal = self.costs.goal;
                return Err(ObjectiveError::Bound {
                    variable: *variable,
                    state: text.clone(),
                    bound: goal.cost(*bound),
                    completion: self.completion(node, &least),
                    cost: goal.cost(cost),
                });
            }
        }
        Ok(compared)
    }

    /// The values of the best completion of a node.
    fn completion(&self, node: usize, least: &[Option<(i128, usize)>]) -> Vec<usize> {
        let start = self.nodes[node].variable;
        let mut values = vec![0; self.costs.arities.num_vars() - start];
        let mut next = Some(node);
        while let Some(node) = next
            && let Some((_, step)) = least[node]
        {
            let VisitedNode { variable, steps, .. } = &self.nodes[node];
            let (value, _, to) = steps[step];
            values[variable - start] = value;
            next = to;
        }
        values
    }
}
