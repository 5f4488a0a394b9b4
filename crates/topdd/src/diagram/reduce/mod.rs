//! Reduction: from the engine's edges to the canonical diagram, level by level from the
//! bottom (Bryant, "Graph-based algorithms for Boolean function manipulation", 1986;
//! under the zero-suppressed rule Minato, "Zero-suppressed BDDs for set manipulation in
//! combinatorial problems", 1993; both carried over to many values).
//!
//! Where the edges of a level lead is known once everything below is reduced (`known`).
//! A node that is redundant under the rule is replaced by what it stands for, equal nodes
//! become one, and those that remain are sorted by their children. As these have their
//! final numbers already, so has the level then: the result depends on the family alone.
//!
//! A level is reduced in three steps. Its chunks are read, a `span` of them by each thread,
//! and what is left of the nodes is collected (`pairs` for two values, `runs` for any other
//! number); these are sorted, bucket by bucket (`sort`; those of pairs are chosen by `by_one`);
//! and the distinct ones are stored and every state told which node it became (`map`, by way of
//! `told`). Each step is over independent parts, spans, buckets or lists, which the workers share.
//! The memory for this goes from level to level.
//!
//! Nodes with a forced value that the sweep went past are not in its levels. They are reduced
//! with them all the same (`forced`), and where there is no level, by themselves. As each is known
//! by where it leads, these are not sorted, but are a set (`ends`), merged with the others.
//!
//! Under a memory limit a level that is too large for it is reduced in `parts`, and read from
//! where it is on disk. What must be in memory is a number for each of its states, for each
//! state of the level below, and for each edge that skips variables to a level below that.

mod by_one;
mod ends;
mod forced;
mod known;
mod map;
mod pairs;
mod parts;
mod runs;
mod sort;
mod span;
#[cfg(test)]
mod tests;
mod told;

use super::store::{Builder, Disk, FIRST_NODE, MAX_NODES, Most, NodeId, ONE, Store, ZERO};
use crate::Error;
use crate::frontier::unreduced::{EdgeLog, Unreduced, UnreducedLevel};
use crate::frontier::{Monitor, ReducedLevel, Watch, Workers, for_both};
use crate::spec::Rule;
use forced::Forced;
use known::Known;
use map::StateMap;
use parts::Reducer;
use sort::WATCHED;
use std::ops::Range;
use std::time::Duration;

/// Reduces what a sweep left, freeing it level by level.
pub(crate) fn reduce(
    unreduced: Unreduced,
    rule: Rule,
    monitor: &mut Monitor<'_, '_>,
) -> Result<Store, Error> {
    let room = Room::of(monitor);
    let workers = monitor.workers.clone();
    let widths = unreduced.levels.iter().map(|level| level.nodes as usize + level.forced());
    if workers.shares(widths.max().unwrap_or_default()) {
        workers.enter(|| reduce_within(room, unreduced, rule, monitor))
    } else {
        reduce_within(room, unreduced, rule, monitor)
    }
}

/// As [`reduce`], in this room.
fn reduce_within(
    room: Room,
    unreduced: Unreduced,
    rule: Rule,
    monitor: &mut Monitor<'_, '_>,
) -> Result<Store, Error> {
    let Unreduced { arities, mut levels, mut log, root_is_one } = unreduced;
    let mut root = if root_is_one { ONE } else { ZERO };
    let mut most = Most::default();
    for level in &levels {
        // Up to two for each.
        most.pairs += 2 * level.forced();
        if arities.get(level.variable) == 2 {
            most.pairs += level.nodes as usize;
        } else {
            most.sparse += level.nodes as usize;
            most.edges += level.edges();
        }
    }
    let Room { memory_limit, disk } = room;
    let mut store = Builder::new(arities, most, disk);
    let begun = monitor.watch.elapsed();
    let states: u64 = levels.iter().map(|level| level.nodes).sum();
    let mut states_left = states;
    let mut waiting_bytes: usize = levels.iter().map(UnreducedLevel::bytes).sum();
    let mut known = Known::default();
    let mut pairs = pairs::PairLevels::default();
    let mut runs = runs::RunLevels::default();
    let top = levels.first().map(|level| level.variable);
    loop {
        let next_forced = known.last_forced();
        let mut level = match next_forced {
            // A level that has no states.
            Some(variable) if levels.last().is_none_or(|level| level.variable < variable) => {
                UnreducedLevel::without_states(variable)
            }
            _ => {
                let Some(level) = levels.pop() else { break };
                waiting_bytes -= level.bytes();
                level
            }
        };
        let variable = level.variable;
        let mut forced = known.take_forced(variable);
        let forced_bytes: usize = forced.iter().map(Forced::bytes).sum();
        let nodes = level.nodes as usize + forced::count(&forced);
        if nodes > u32::MAX as usize {
            let limit = u32::MAX.into();
            let unit = "states and forced nodes";
            return Err(Error::TooLarge { what: "a level", unit, limit });
        }
        let arity = store.arities.get(variable);
        if memory_limit.is_some() {
            // Each kind of nodes has buffers of its own.
            if arity == 2 {
                runs = runs::RunLevels::default();
            } else {
                pairs = pairs::PairLevels::default();
            }
        }
        let held = waiting_bytes
            + level.arrival_bytes()
            + store.bytes()
            + known.bytes()
            + StateMap::bytes_for(nodes);
        monitor.check_size(Some(variable), held, 0)?;
        let mut map = known.spare_map();
        let check = || monitor.watch.check(Some(variable));
        map.prepare(nodes, &check)?;
        // How much is left of the limit, but for what the account does not see.
        let left = |held: usize| match memory_limit {
            Some(limit) => (limit - limit / SLACK).saturating_sub(held).max(limit / LEAST_SHARE),
            None => usize::MAX,
        };
        level.load(&mut log, left(held) / 2, &check)?;
        let held = waiting_bytes + level.bytes() + store.bytes() + known.bytes() + map.bytes();
        let first = store.next_id();
        let task = Task {
            level: &level,
            forced: &forced,
            forced_range: forced::range(&forced, &store),
            nodes,
            arity,
            log: &log,
            known: &known,
            rule,
            near_first: store.last_level_first(),
            base: first,
            share: left(held),
            workers: monitor.workers.shares(nodes).then_some(&monitor.workers),
            watch: &monitor.watch,
        };
        if arity == 2 {
            parts::reduce(&mut pairs, &task, &map, &mut store)?;
        } else {
            parts::reduce(&mut runs, &task, &map, &mut store)?;
        }
        let held = waiting_bytes + level.bytes() + store.bytes() + known.bytes() + map.bytes();
        let bytes = held + forced_bytes + pairs.bytes() + runs.bytes();
        monitor.check_size(Some(variable), bytes, 0)?;
        states_left -= level.nodes;
        let elapsed = monitor.watch.elapsed();
        let so_far = elapsed.saturating_sub(begun);
        let share_left = states_left as f64 / (states - states_left).max(1) as f64;
        monitor.level_reduced(ReducedLevel {
            variable,
            states: level.nodes,
            nodes: (store.next_id() - first) as usize,
            bytes,
            elapsed,
            states_left,
            time_left: Duration::try_from_secs_f64(so_far.as_secs_f64() * share_left)
                .unwrap_or(Duration::MAX),
        });
        if levels.is_empty() {
            root = map.get(0);
        }
        known.forget(&level);
        let arrived = known::arrived(&level).collect::<Vec<_>>();
        let arrivals: usize = arrived.iter().map(|place| place.len()).sum();
        let workers = monitor.workers.shares(nodes + arrivals / 2).then_some(&monitor.workers);
        let check = || monitor.watch.check(Some(variable));
        let (done, ends) = for_both(
            workers,
            (forced::to_become(&mut forced, variable, level.nodes), |piece| {
                check()?;
                forced::became(piece, pairs.ends(), &map);
                Ok(())
            }),
            (arrived, |place| {
                let arrivals = log.arrivals(place);
                let mut ends = Vec::with_capacity(arrivals.len());
                for part in arrivals.chunks(WATCHED) {
                    check()?;
                    ends.extend(part.iter().map(|&number| map.get(number)));
                }
                Ok(ends)
            }),
        );
        done.into_iter().collect::<Result<(), Error>>()?;
        for forced in forced {
            known.keep_forced(forced);
        }
        known.level_done(&level, map, ends.into_iter().collect::<Result<_, Error>>()?);
        if memory_limit.is_some() {
            known.drop_spare();
        }
        let mut emptied = log.pop(&level);
        // Within a limit, what is given up has to be back before more is taken.
        if memory_limit.is_none() {
            emptied.numbers = store.take_over(emptied.numbers);
            emptied.shapes = store.take_over(emptied.shapes);
            if !emptied.is_nothing() {
                monitor.workers.drop_aside(emptied);
            }
        }
    }
    let store = store.finish(root, &|| monitor.watch.check(top))?;
    monitor.reduced(store.node_count());
    Ok(store)
}

/// The part of the memory limit beyond which the diagram goes on on disk: levels to be
/// reduced, what they are looked up in and what they are sorted in need the rest.
const SHARE_OF_LIMIT: usize = 4;
/// What part of the limit is for what the account does not see.
const SLACK: usize = 8;
/// What part of it the nodes of a level may take, however little is left.
const LEAST_SHARE: usize = 16;

/// The memory that reduction may take, and where the diagram may go on on disk.
#[derive(Clone, Debug, Default)]
struct Room {
    memory_limit: Option<usize>,
    disk: Option<Disk>,
}

impl Room {
    fn of(monitor: &Monitor<'_, '_>) -> Self {
        let (dir, memory_limit) = monitor.spill();
        let share = memory_limit.map_or(usize::MAX, |limit| limit / SHARE_OF_LIMIT);
        let files = monitor.files();
        let disk = dir.map(|dir| Disk { files: files.clone(), dir: dir.to_owned(), share });
        Room { memory_limit, disk }
    }
}

/// A level to reduce.
struct Task<'a> {
    level: &'a UnreducedLevel,
    /// The forced nodes of its variable.
    forced: &'a [Forced],
    /// Where they are expected to lead.
    forced_range: Range<NodeId>,
    /// How many there are of both.
    nodes: usize,
    arity: usize,
    /// Its chunks, if they are in memory.
    log: &'a EdgeLog,
    known: &'a Known,
    rule: Rule,
    /// The first node of the level that was reduced last.
    near_first: NodeId,
    /// The number that the first node of the level gets.
    base: NodeId,
    /// The bytes that its nodes may take while they are reduced.
    share: usize,
    /// Who shares the work, if it is worth sharing.
    workers: Option<&'a Workers>,
    watch: &'a Watch,
}

/// The most buckets that a level is split into.
const MOST_BUCKETS: usize = 256;
/// Nodes that a bucket is meant to hold.
const BUCKET_NODES: usize = 1 << 12;

impl Task<'_> {
    /// The number of buckets for the nodes of the level; a power of two.
    fn buckets(&self) -> usize {
        let wanted = self.nodes.div_ceil(BUCKET_NODES).next_power_of_two();
        wanted.min(MOST_BUCKETS)
    }

    /// Whether the run may go on; asked often enough that it stops at once when it may not.
    fn check(&self) -> Result<(), Error> {
        self.watch.check(Some(self.level.variable))
    }
}

/// Refuses nodes that would take the diagram beyond what can be numbered.
fn check_nodes(first: NodeId, new: usize) -> Result<(), Error> {
    if u64::from(first - FIRST_NODE) + new as u64 > MAX_NODES {
        return Err(Error::TooLarge { what: "the diagram", unit: "nodes", limit: MAX_NODES });
    }
    Ok(())
}
