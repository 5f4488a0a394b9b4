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
//! and the distinct ones are stored, and `map` receives the node that each state became. Each step
//! is over independent parts (spans, buckets or lists), which the workers share.
//! The memory for this goes from level to level.
//!
//! Nodes with a forced value that the sweep went past are not in its levels. They are reduced
//! with them all the same (`forced`), and where there is no level, by themselves. As each is known
//! by where it leads, these are not sorted, but are a set (`ends`), merged with the others.
//!
//! Under a memory limit a level that is too large for it is reduced in `parts`, and read from
//! where it is on disk. What must be in memory is a number for each of its states, for each
//! state of the level below, and for each edge that skips variables to a level below that.

mod buffer;
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

use super::store::{Builder, Disk, FIRST_NODE, MAX_NODES, Most, NodeId, ONE, Store, ZERO};
use crate::Error;
use crate::frontier::unreduced::{EdgeLog, Unreduced, UnreducedLevel};
use crate::frontier::{Monitor, ReducedLevel, Watch, Workers, for_all};
use crate::heap::Freed;
use crate::spec::Rule;
use forced::Forced;
use known::Known;
use map::StateMap;
use pairs::PairLevels;
use parts::Reducer;
use runs::RunLevels;
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
    let mut reduction = Reduction::new(room, unreduced, rule, monitor);
    while let Some(level) = reduction.next_level() {
        reduction.level(level)?;
    }
    reduction.finish()
}

/// A reduction in progress: the levels up to some variable are reduced.
struct Reduction<'m, 'r, 'c> {
    rule: Rule,
    monitor: &'m mut Monitor<'r, 'c>,
    memory_limit: Option<usize>,
    freed: Freed,
    /// The levels that are not reduced yet.
    levels: Vec<UnreducedLevel>,
    log: EdgeLog,
    /// What they take.
    waiting_bytes: usize,
    store: Builder,
    known: Known,
    pairs: PairLevels,
    runs: RunLevels,
    root: NodeId,
    /// The first variable that has states.
    top: Option<usize>,
    /// When it began, and how many states there were and are yet to be reduced.
    begun: Duration,
    states: u64,
    states_left: u64,
}

impl<'m, 'r, 'c> Reduction<'m, 'r, 'c> {
    fn new(room: Room, unreduced: Unreduced, rule: Rule, monitor: &'m mut Monitor<'r, 'c>) -> Self {
        let Unreduced { arities, levels, log, root_is_one } = unreduced;
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
        let states = levels.iter().map(|level| level.nodes).sum();
        Reduction {
            rule,
            begun: monitor.watch.elapsed(),
            monitor,
            memory_limit,
            freed: Freed::under(memory_limit),
            waiting_bytes: levels.iter().map(UnreducedLevel::bytes).sum(),
            top: levels.first().map(|level| level.variable),
            levels,
            log,
            store: Builder::new(arities, most, disk),
            known: Known::default(),
            pairs: PairLevels::default(),
            runs: RunLevels::default(),
            root: if root_is_one { ONE } else { ZERO },
            states,
            states_left: states,
        }
    }

    /// The last level that is not reduced yet, with states or with forced nodes alone.
    fn next_level(&mut self) -> Option<UnreducedLevel> {
        if let Some(forced) = self.known.last_forced()
            && self.levels.last().is_none_or(|level| level.variable < forced)
        {
            return Some(UnreducedLevel::without_states(forced));
        }
        let level = self.levels.pop()?;
        self.waiting_bytes -= level.bytes();
        Some(level)
    }

    /// Reduces a level, and notes what its states became for those that lead there.
    fn level(&mut self, mut level: UnreducedLevel) -> Result<(), Error> {
        let forced = self.known.take_forced(level.variable);
        let nodes = level.nodes as usize + forced::count(&forced);
        if nodes > u32::MAX as usize {
            let limit = u32::MAX.into();
            let unit = "states and forced nodes";
            return Err(Error::TooLarge { what: "a level", unit, limit });
        }
        let first = self.store.next_id();
        let (map, bytes) = self.store_nodes(&mut level, &forced, nodes)?;
        self.states_left -= level.nodes;
        self.tell(&level, first, bytes);
        if self.levels.is_empty() {
            self.root = map.get(0);
        }
        self.note(&level, forced, map, nodes)?;
        self.forget(&level);
        Ok(())
    }

    /// What there is in memory beside a level with this much in its map.
    fn held(&self, map_bytes: usize) -> usize {
        self.waiting_bytes + self.store.bytes() + self.known.bytes() + map_bytes
    }

    /// What is left of the limit, but for what the account does not see.
    fn left(&self, held: usize) -> usize {
        let of = |limit: usize| (limit - limit / SLACK).saturating_sub(held);
        self.memory_limit.map_or(usize::MAX, |limit| of(limit).max(limit / LEAST_SHARE))
    }

    /// Stores the distinct nodes of a level. Returns the nodes that its states became, and the bytes
    /// that were held.
    fn store_nodes(
        &mut self,
        level: &mut UnreducedLevel,
        forced: &[Forced],
        nodes: usize,
    ) -> Result<(StateMap, usize), Error> {
        let variable = level.variable;
        let arity = self.store.arities.get(variable);
        if self.memory_limit.is_some() {
            // Each kind of nodes has buffers of its own.
            if arity == 2 {
                self.runs = RunLevels::default();
            } else {
                self.pairs = PairLevels::default();
            }
        }
        let held = self.held(StateMap::bytes_for(nodes)) + level.arrival_bytes();
        self.freed.note(held + self.pairs.bytes() + self.runs.bytes());
        self.monitor.check_size(Some(variable), held, 0)?;
        let mut map = self.known.spare_map();
        let check = || self.monitor.watch.check(Some(variable));
        map.prepare(nodes, &check)?;
        let room = self.left(held) / 2;
        level.load(&mut self.log, room, &check)?;
        let share = self.left(self.held(map.bytes()) + level.bytes());
        let task = Task {
            level,
            forced,
            forced_range: forced::range(forced, &self.store),
            nodes,
            arity,
            log: &self.log,
            known: &self.known,
            rule: self.rule,
            near_first: self.store.last_level_first(),
            base: self.store.next_id(),
            share,
            workers: self.monitor.workers.shares(nodes).then_some(&self.monitor.workers),
            watch: &self.monitor.watch,
        };
        if arity == 2 {
            parts::reduce(&mut self.pairs, &task, &map, &mut self.store)?;
        } else {
            parts::reduce(&mut self.runs, &task, &map, &mut self.store)?;
        }
        let bytes = self.held(map.bytes())
            + level.bytes()
            + forced.iter().map(Forced::bytes).sum::<usize>()
            + self.pairs.bytes()
            + self.runs.bytes();
        self.freed.note(bytes);
        self.monitor.check_size(Some(variable), bytes, 0)?;
        Ok((map, bytes))
    }

    /// Reports a level whose nodes are stored, the first of them `first`.
    fn tell(&mut self, level: &UnreducedLevel, first: NodeId, bytes: usize) {
        let elapsed = self.monitor.watch.elapsed();
        let so_far = elapsed.saturating_sub(self.begun);
        let done = (self.states - self.states_left).max(1);
        let share_left = self.states_left as f64 / done as f64;
        self.monitor.level_reduced(ReducedLevel {
            variable: level.variable,
            states: level.nodes,
            nodes: (self.store.next_id() - first) as usize,
            bytes,
            elapsed,
            states_left: self.states_left,
            time_left: Duration::try_from_secs_f64(so_far.as_secs_f64() * share_left)
                .unwrap_or(Duration::MAX),
        });
    }

    /// Brings what the states became to the forced nodes and the edges that lead there.
    fn note(
        &mut self,
        level: &UnreducedLevel,
        mut forced: Vec<Forced>,
        map: StateMap,
        nodes: usize,
    ) -> Result<(), Error> {
        let variable = level.variable;
        self.known.forget(level);
        let arrived = known::arrived(level).collect::<Vec<_>>();
        let arrivals: usize = arrived.iter().map(|list| list.edges()).sum();
        let workers = &self.monitor.workers;
        let workers = workers.shares(nodes + arrivals / 2).then_some(workers);
        let check = || self.monitor.watch.check(Some(variable));
        let pieces = forced::to_become(&mut forced, variable, level.nodes);
        let done = for_all(workers, pieces, |_, piece| {
            check()?;
            forced::became(piece, self.pairs.ends(), &map);
            Ok(())
        });
        done.into_iter().collect::<Result<(), Error>>()?;
        let ends = for_all(workers, arrived, |_, list| {
            let arrivals = self.log.numbers(list);
            let mut ends = Vec::with_capacity(arrivals.len());
            for part in arrivals.chunks(WATCHED) {
                check()?;
                ends.extend(part.iter().map(|&number| map.get(number)));
            }
            Ok(ends)
        });
        for forced in forced {
            self.known.keep_forced(forced);
        }
        self.known.level_done(level, map, ends.into_iter().collect::<Result<_, Error>>()?);
        Ok(())
    }

    /// Gives up the memory of a level that is reduced.
    fn forget(&mut self, level: &UnreducedLevel) {
        let mut emptied = self.log.pop(level);
        // Within a limit, what is given up has to be back before more is taken.
        if self.memory_limit.is_some() {
            self.known.drop_spare();
            return;
        }
        emptied = self.store.take_over(emptied);
        if !emptied.is_empty() {
            self.monitor.workers.drop_aside(emptied);
        }
    }

    fn finish(self) -> Result<Store, Error> {
        let check = || self.monitor.watch.check(self.top);
        let store = self.store.finish(self.root, &check)?;
        self.monitor.reduced(store.node_count());
        Ok(store)
    }
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
