//! A batch: the expansion of the next states of a level, in groups that the threads share, and the merge of
//! their children.

use super::child_records::{ChildRecords, Destination};
use super::exchange::{Exchange, RemoteRecords};
use super::expander::{ExpansionInput, Routing};
use super::expansion::{Group, LevelExpansion, Position};
use super::level::{MAX_PARTITIONS, NEIGHBOURS, expected_states};
use super::memory::{BatchShape, WorkingSet};
use super::merge::{LevelRecords, merge};
use super::monitor::{Monitor, Sharing};
use super::states::Rank;
use super::unreduced::ForcedChain;
use crate::BuildError;
use crate::number::UpperBound;
use crate::spec::Rule;
use std::collections::BTreeMap;

/// Expands the next states of a level into child records. Returns the position of the first state that is
/// not expanded, and the sharing of the work on the batch.
pub(super) fn expand_batch<'m>(
    level: &mut LevelExpansion,
    set: &mut WorkingSet<'_>,
    exchange: &dyn Exchange,
    monitor: &'m Monitor<'_, '_>,
) -> Result<(Position, Sharing<'m>), BuildError> {
    let most_edges = batch_edges(level, set, exchange.bytes());
    // The number of states is chosen so that their edges fill a batch.
    let most_states = (most_edges as f64 / level.edges_per_state).max(1.0) as usize;
    let share = set.budget.open_share();
    level.open(most_states, share, set.input.payload, &set.storage, &monitor.workers)?;
    // Expanding a state and merging its children takes as long as two items of other work.
    let items = most_edges.min(2 * level.states) as usize;
    let sharing = monitor.sharing(Some(level.variable), items);
    // Batches have about equal sizes, and so have the groups of a batch: one thread would
    // process a small remainder while the others wait.
    let here = level.open_states();
    let states = here.div_ceil(here.div_ceil(most_states).max(1)).max(1);
    let groups = level.groups(states, sharing.workers.map_or(1, |workers| workers.threads));
    let stop = expand_groups(level, set, &groups, most_edges, exchange.rank(), monitor, sharing)?;
    let position =
        stop.unwrap_or_else(|| groups.last().map_or(level.position, |group| group.range.end));

    let nodes: usize = set.child_records.iter().map(|records| records.output.nodes).sum();
    let edges: u64 = set.child_records.iter().map(|records| records.output.edges).sum();
    level.edges_per_state = (edges as f64 / nodes.max(1) as f64).max(0.25);
    level.expanded += nodes as u64;
    level.edges += edges;
    let heap: usize = set.child_records.iter().map(|records| records.output.heap).sum();
    set.pool.heap_of_state = heap / edges.max(1) as usize;
    set.budget.note_batch(set.child_records.iter().map(|records| records.lists.full_bytes()).sum());
    if set.storage.checkpoint.is_some() {
        set.sample.take(level, position, set.input.expander, monitor)?;
    }
    Ok((position, sharing))
}

/// The number of edges that the next batch of a level should have.
fn batch_edges(level: &LevelExpansion, set: &WorkingSet<'_>, elsewhere: usize) -> u64 {
    let (variable, payload) = (level.variable, set.input.payload);
    let levels = set.data.pending.values().take(1 + NEIGHBOURS);
    let partitions: usize = levels.map(|level| level.partitions.len()).sum();
    let limbs = payload.limbs(variable, level.level.width);
    set.budget.batch_edges(&BatchShape {
        partitions: partitions.min(MAX_PARTITIONS),
        record_bytes: set.pool.record_bytes(payload.width(variable + 1, limbs)),
        owns_memory: set.input.expander.states_own_memory(),
        stores_edges: payload.stores_edges(),
        in_use: if set.budget.depends_on_use() {
            set.bytes_in_use(Some(level), elsewhere)
        } else {
            0
        },
    })
}

/// Expands groups of states, each into child records of its own. Returns the position at which the first group stopped
/// because it had too many edges, if one did. The groups after it are expanded again in the next batch, and
/// have no child records.
fn expand_groups(
    level: &LevelExpansion,
    set: &mut WorkingSet<'_>,
    groups: &[Group],
    most_edges: u64,
    rank: Rank,
    monitor: &Monitor<'_, '_>,
    sharing: Sharing<'_>,
) -> Result<Option<Position>, BuildError> {
    let WorkingSet { input, data, pool, child_records, forced_policy, .. } = set;
    let (expander, payload, variable) = (input.expander, input.payload, level.variable);
    let (pending, states_here) = (&data.pending, level.states);
    let limbs = payload.limbs(variable, level.level.width);
    let adjacent_partitions = pending[&(variable + 1)].partitions.len();
    let partitions_of = |to| match pending.get(&to) {
        None => {
            pool.partitions(expected_states(to, states_here, pending), payload.width(to, limbs))
        }
        Some(level) => level.partitions.len(),
    };
    let input = ExpansionInput {
        arities: input.arities,
        two_valued: input.arities.are_two_valued(),
        watch: &monitor.watch,
        variable,
        payload,
        steps: payload.steps(),
        skips: payload.skips(),
        width: level.level.width,
        ones_width: payload.width(level.end, limbs + 1),
        end: level.end,
        forced_policy: *forced_policy,
        routing: Routing { rank, adjacent_partitions, partitions_of: &partitions_of },
    };
    child_records.resize_with(groups.len(), || ChildRecords::new(expander.new_lists()));
    // A group may have more edges than its share, up to this factor.
    let share = if groups.len() > 1 { 4 * most_edges } else { 2 * most_edges };
    let states: usize = groups.iter().map(|group| group.states).sum();
    // Returns the position where a group stopped because it had too many edges.
    let expand = |_, (group, records): (&Group, &mut ChildRecords)| {
        records.reset(variable, input.ones_width, adjacent_partitions);
        let most_of_group = (share * group.states as u64).div_ceil(states as u64);
        for (number, range) in level.ranges(group.range.clone()) {
            let (first, count) = (range.start, range.len());
            let states = &*level.level.partitions[number];
            let expanded = expander.expand(&input, states, range, most_of_group, records)?;
            if expanded < count {
                return Ok(Some((number, first + expanded)));
            }
        }
        Ok(None)
    };
    let work = groups.iter().zip(&mut *child_records);
    let stops: Vec<Option<Position>> = sharing.for_all(work, expand)?;
    let Some(group) = stops.iter().position(Option::is_some) else { return Ok(None) };
    child_records.truncate(group + 1);
    Ok(stops[group])
}

/// Merges child records into their levels, or sends them to other processes. Notes the
/// destinations of the edges of each group. Returns the number of records that met an equal state.
pub(super) fn merge_batch(
    level: &LevelExpansion,
    set: &mut WorkingSet<'_>,
    exchange: &mut dyn Exchange,
    sharing: Sharing<'_>,
) -> Result<(), BuildError> {
    let WorkingSet { input, data, pool, child_records, storage, .. } = set;
    let (variable, payload) = (level.variable, input.payload);
    let limbs = payload.limbs(variable, level.level.width);
    let stores = payload.stores_edges();
    let mut levels: BTreeMap<usize, LevelRecords<'_>> = BTreeMap::new();
    for ChildRecords { lists, output, .. } in child_records {
        if output.ones_edges > 0 {
            data.ones.add(payload, level.end, &output.ones);
        }
        for (destination, lists) in output.destinations.iter().zip(lists.lists()) {
            let Destination { to, chain, magnitude } = *destination;
            let mut bound = UpperBound::new(magnitude, limbs);
            if input.rule == Rule::AnyValue {
                // Each number stands for all assignments to the skipped variables.
                bound = bound.shifted(input.arities.log2_product(variable + 1..to));
            }
            if chain == ForcedChain::BETWEEN_PROCESSES {
                let records = RemoteRecords { to, by_rank: lists, bound };
                let entry = exchange.send(records, *input, &mut data.edges)?;
                output.entries.extend(entry);
                continue;
            }
            let of_level = levels.entry(to).or_insert_with(|| {
                let new = || Box::new(pool.level_of(lists.len(), payload.width(to, limbs)));
                LevelRecords::new(data.pending.take(to).unwrap_or_else(new))
            });
            let mut index = 0;
            if to == variable + 1 {
                output.adjacent = lists.iter().map(|records| records.len() as u32).collect();
            } else if stores {
                let level = &mut of_level.level;
                index = level.find_or_add_incoming(chain, level.partitions.len());
                let places = &level.incoming[index].places;
                let starts = || places.iter().map(|list| list.len() as u32).collect();
                output.entries.push(data.edges.entry(to, chain, starts)?);
            }
            of_level.bound = of_level.bound.plus(bound);
            of_level.arrivals.push((index, lists));
        }
    }
    if let Some(next) = levels.get_mut(&(variable + 1)).filter(|_| stores) {
        data.edges.adjacent.resize(next.level.partitions.len(), Vec::new());
        next.places = Some(&mut data.edges.adjacent);
    }
    merge(levels, &mut data.pending, *input, storage, sharing)
}
