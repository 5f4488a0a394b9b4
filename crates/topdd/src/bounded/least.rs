//! The first of the best solutions in lexicographic order.

use super::costs::{Arrival, CostModel};
use super::queue::SearchStart;
use super::search::{SearchCallbacks, search};
use super::{BoundedProgress, Objective, Settings, StopReason, saved};
use crate::error::{BuildError, Limit};
use crate::frontier::{RunCheckpoint, Watch};
use crate::spec::DdSpec;

/// The first solution of a cost in lexicographic order.
pub(super) struct LeastSolution {
    pub(super) values: Vec<u32>,
    /// What ended the search for smaller ones, if it was not done.
    pub(super) stopped: Option<StopReason>,
    /// The number of states of all levels.
    pub(super) states: u64,
}

/// Replaces a solution, whose cost is proven to be the least one, by the first one of this cost. Each value on its way that
/// might be smaller takes a search for a solution of this cost, which ends with the first that it finds; so pruning and
/// dominance may drop ties. Saves each smaller solution to `file`.
pub(super) fn least<S: DdSpec, O: Objective<S>>(
    costs: &CostModel<'_, S, O>,
    settings: &Settings,
    watch: &Watch,
    (cost, values): (i128, Vec<u32>),
    states: u64,
    mut file: Option<&mut RunCheckpoint>,
    on_progress: &mut (dyn FnMut(&BoundedProgress) + Send),
) -> Result<LeastSolution, BuildError> {
    // A search for one cost has no gap.
    let settings = Settings { gap: None, ..settings.clone() };
    let mut least = LeastSolution { values, stopped: None, states };
    let mut next = costs.root()?;
    while let Some(Arrival::Open(open)) = next.take() {
        let variable = open.variable;
        for (value, reached) in costs.after(&open)? {
            if value == least.values[variable] {
                next = Some(reached);
                break;
            }
            let to = match reached {
                Arrival::Open(to) if to.bound <= cost => to,
                Arrival::Solution(end) if end == cost => {
                    least.values = [&open.values, &[value][..]].concat();
                    least.values.resize(costs.arities.num_vars(), 0);
                    return Ok(least);
                }
                _ => continue,
            };
            if settings.max_states.is_some_and(|limit| least.states >= limit) {
                least.stopped = settings.max_states.map(Limit::States).map(StopReason::Limit);
                return Ok(least);
            }
            let weight = Some(costs.goal.cost(cost));
            let mut on_progress = |now: &BoundedProgress| {
                on_progress(&BoundedProgress { weight, bound: weight, ..*now });
            };
            let callbacks =
                SearchCallbacks { on_better: &mut |_, _| (), on_progress: &mut on_progress };
            let start =
                SearchStart { states: least.states, ..SearchStart::at(to.clone(), cost + 1) };
            let result = search(costs, &settings, watch, start, None, callbacks)?;
            least.states = result.states;
            if let Some((_, values)) = result.best {
                least.values = values;
                if let Some(file) = &mut file {
                    let best = Some((cost, &least.values));
                    saved::save::<S::State>(file, best, 0, least.states, [].iter())?;
                }
                next = Some(Arrival::Open(to));
                break;
            }
            if result.reason != StopReason::Proven {
                least.stopped = Some(result.reason);
                return Ok(least);
            }
        }
    }
    Ok(least)
}
