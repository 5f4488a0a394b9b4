//! The first of the best solutions in lexicographic order.

use super::levels::{CostModel, Reached};
use super::search::{SearchCallbacks, SearchStart, search};
use super::{Objective, Settings, StopReason};
use crate::error::{BuildError, Limit};
use crate::frontier::Watch;
use crate::spec::DdSpec;

/// The first solution of a cost in lexicographic order.
pub(super) struct LeastSolution {
    pub(super) values: Vec<u32>,
    /// The limit that ended the search for smaller ones.
    pub(super) limit: Option<StopReason>,
    /// The number of states of all levels.
    pub(super) states: u64,
}

/// Replaces a solution, whose cost is proven to be the least one, by the first one of this cost. Each value on its way that
/// might be smaller takes a search for a solution of this cost, which ends with the first that it finds; so pruning and
/// dominance need not care for ties.
pub(super) fn least<S: DdSpec, O: Objective<S>>(
    costs: &CostModel<'_, S, O>,
    settings: &Settings,
    watch: &Watch,
    (cost, values): (i128, Vec<u32>),
    states: u64,
) -> Result<LeastSolution, BuildError> {
    // A search for one cost has no gap.
    let settings = Settings { gap: None, ..settings.clone() };
    let mut least = LeastSolution { values, limit: None, states };
    let mut next = costs.root()?;
    while let Some(Reached::Open(open)) = next.take() {
        let variable = open.variable;
        for (value, reached) in costs.after(&open)? {
            if value == least.values[variable] {
                next = Some(reached);
                break;
            }
            let to = match reached {
                Reached::Open(to) if to.bound <= cost => to,
                Reached::Solution(end) if end == cost => {
                    least.values = [&open.values, &[value][..]].concat();
                    least.values.resize(costs.arities.num_vars(), 0);
                    return Ok(least);
                }
                _ => continue,
            };
            if settings.max_states.is_some_and(|limit| least.states >= limit) {
                least.limit = settings.max_states.map(Limit::States).map(StopReason::Limit);
                return Ok(least);
            }
            let (on_better, on_progress) = (&mut |_, _: &[u32]| (), &mut |_: &_| ());
            let callbacks = SearchCallbacks { on_better, on_progress };
            let start =
                SearchStart { states: least.states, ..SearchStart::at(to.clone(), cost + 1) };
            let result = search(costs, &settings, watch, start, None, callbacks)?;
            least.states = result.states;
            if let Some((_, values)) = result.best {
                least.values = values;
                next = Some(Reached::Open(to));
                break;
            }
            if result.reason != StopReason::Proven {
                least.limit = Some(result.reason);
                return Ok(least);
            }
        }
    }
    Ok(least)
}
