//! Reduction: from the engine's edges to the canonical diagram, level by level from the
//! bottom (Bryant, "Graph-based algorithms for Boolean function manipulation", 1986;
//! under the zero-suppressed rule Minato, "Zero-suppressed BDDs for set manipulation in
//! combinatorial problems", 1993; both carried over to many values).
//!
//! The children of a level are resolved once everything below is reduced (`children`).
//! A node that is redundant under the rule is replaced by its child. The other nodes are sorted by the ids
//! of their children. Equal nodes are then neighbours, and become one. The ids of children are final, so the
//! order of the level is canonical: the result depends on the family alone.
//!
//! A level is reduced in three steps (`level`):
//!
//! 1. Its chunks are read, a span of them by each thread, and its nodes are collected (`nodes`: `PairNode` for
//!    two values, `EdgeRun` for any other number). A level of alike variables has no chunks. The transitions of its class
//!    are read for the states that it marks, and children are found by the number of their state in its class.
//! 2. The nodes are sorted (`level`).
//! 3. The distinct nodes are stored, and `map` receives the node that each state became.
//!
//! Each step is over independent parts (spans or buckets), which the workers share. The next level
//! reuses the buffers of the steps.
//!
//! The sweep goes past nodes with a forced value. They are reduced with the states of their variable
//! (`children`), or alone if it has none.
//!
//! Under a memory limit, a level that is too large is reduced in parts, and read once for each part.
//! Memory must hold one node id for each state of the level, for each state of the level below, and for each
//! long edge to a level further down. If these ids do not fit, the edges of the level are rewritten on disk
//! with node ids as targets, and the ids of the level below are freed.

mod children;
mod level;
mod nodes;
mod shared;
#[cfg(test)]
mod tests;

use super::store::{
    ArrayDisk, Builder, Capacity, FIRST_NODE, MAX_NODES, NodeId, NodeStore, ONE, ZERO,
};
use crate::BuildError;
use crate::error::SizeLimit;
use crate::frontier::unreduced::{
    Chunk, ClassTransitions, EdgeCode, EdgeStack, StateMarks, StoredIncoming, UnreducedDiagram,
    UnreducedLevel, move_resolved,
};
use crate::frontier::{Monitor, Peers, ReducedLevel, Sharing};
use crate::heap::HeapTrimmer;
use crate::spec::Rule;
use children::{ChunkSpan, ForcedLevel, ResolvedChildren, StateMap};
use level::LevelReducer;
use nodes::{EdgeRun, PairNode};
use shared::SharedReduction;
use std::time::Duration;

/// Reduces the result of a sweep, whose memory is freed level by level. With peers, the first process
/// returns the diagram, and the others `None`.
pub(crate) fn reduce(
    memory: ReductionMemory,
    unreduced: UnreducedDiagram,
    rule: Rule,
    monitor: &mut Monitor<'_, '_>,
    peers: Option<Peers<'_>>,
) -> Result<Option<NodeStore>, BuildError> {
    let workers = monitor.workers.clone();
    let widths = unreduced.levels.iter().map(|level| level.nodes as usize + level.forced());
    let shares = workers.shares(widths.max().unwrap_or_default());
    let mut reduction = Reduction::new(memory, unreduced, rule, monitor, peers)?;
    let run = || {
        while let Some(mut level) = reduction.next_level() {
            reduction.reduce_level(&mut level).map_err(|error| error.at(Some(level.variable)))?;
        }
        reduction.finish()
    };
    if shares { workers.enter(run) } else { run() }
}

/// A reduction in progress: the levels up to some variable are reduced.
struct Reduction<'m, 'r, 'c, 'p> {
    rule: Rule,
    monitor: &'m mut Monitor<'r, 'c>,
    memory: ReductionMemory,
    trimmer: HeapTrimmer,
    unreduced: RemainingLevels,
    store: Builder,
    children: ResolvedChildren,
    pairs: LevelReducer<PairNode>,
    runs: LevelReducer<EdgeRun>,
    /// The part that several processes share.
    shared: Option<SharedReduction<'p>>,
    root: NodeId,
    progress: ReductionProgress,
}

/// The levels that are not reduced yet.
struct RemainingLevels {
    levels: Vec<UnreducedLevel>,
    stack: EdgeStack,
    classes: ClassTransitions,
    /// Size in bytes of the levels, with the transitions of classes, and with their chunks in the stack.
    bytes: usize,
}

/// The progress of a reduction.
struct ReductionProgress {
    begun: Duration,
    /// The first variable that has states.
    top: Option<usize>,
    /// The number of states.
    states: u64,
    /// The number of states that are not reduced yet.
    states_left: u64,
}

impl<'m, 'r, 'c, 'p> Reduction<'m, 'r, 'c, 'p> {
    fn new(
        memory: ReductionMemory,
        unreduced: UnreducedDiagram,
        rule: Rule,
        monitor: &'m mut Monitor<'r, 'c>,
        mut peers: Option<Peers<'p>>,
    ) -> Result<Self, BuildError> {
        let UnreducedDiagram { arities, levels, stack, classes, root_is_one } = unreduced;
        let mut most = Capacity::default();
        let of_nodes = || levels.iter().filter(|level| !level.is_alias_level);
        for level in of_nodes() {
            // An arrival over a chain has up to two forced nodes.
            most.pairs += 2 * level.forced();
            if arities.get(level.variable) == 2 {
                most.pairs += level.nodes as usize;
            } else {
                most.sparse += level.nodes as usize;
                most.edges += level.edges();
            }
        }
        if let Some(peers) = &mut peers {
            // The first process has the nodes of all.
            let all = peers.gather(&most)?;
            let counted = if peers.rank().rank == 0 { &all[..] } else { &[] };
            most = counted.iter().copied().fold(Capacity::default(), Capacity::plus);
        }
        let states = of_nodes().map(|level| level.nodes).sum();
        Ok(Reduction {
            rule,
            progress: ReductionProgress {
                begun: monitor.watch.elapsed(),
                top: levels.first().map(|level| level.variable),
                states,
                states_left: states,
            },
            monitor,
            trimmer: HeapTrimmer::under(memory.limit),
            unreduced: RemainingLevels {
                bytes: levels.iter().map(UnreducedLevel::bytes).sum::<usize>() + classes.bytes(),
                levels,
                stack,
                classes,
            },
            store: Builder::new(arities, most, memory.disk.clone()),
            memory,
            children: ResolvedChildren::default(),
            pairs: LevelReducer::new(),
            runs: LevelReducer::new(),
            shared: peers.map(SharedReduction::new),
            root: if root_is_one { ONE } else { ZERO },
        })
    }

    /// The last level that is not reduced yet, with states or with forced nodes alone.
    fn next_level(&mut self) -> Option<UnreducedLevel> {
        if let Some(forced) = self.children.last_forced()
            && self.unreduced.levels.last().is_none_or(|level| level.variable < forced)
        {
            return Some(UnreducedLevel { variable: forced, ..UnreducedLevel::default() });
        }
        let level = self.unreduced.levels.pop()?;
        self.unreduced.bytes -= level.bytes();
        Some(level)
    }

    /// Reduces a level.
    fn reduce_level(&mut self, level: &mut UnreducedLevel) -> Result<(), BuildError> {
        let forced = self.children.take_forced(level.variable);
        let forced = ForcedLevel::new(forced, level.nodes, &self.store);
        let entries = level.nodes as usize + forced.entries();
        ENTRY_LIMIT.check(entries as u64)?;
        let first = self.next_id();
        let (map, bytes) = self.store_nodes(level, &forced, entries)?;
        if !level.is_alias_level {
            self.progress.states_left -= level.nodes;
            self.report(level, first, bytes);
        }
        // Of several processes, the first one has the root.
        if self.unreduced.levels.is_empty() && level.nodes > 0 {
            self.root = map.get(0);
        }
        self.resolve(level, forced, map)?;
        let freed = self.unreduced.stack.pop(level.all_chunks());
        if self.memory.spills() {
            // Memory must be freed before more is allocated.
            self.children.spare = StateMap::default();
        } else {
            self.store.take_over(freed);
        }
        Ok(())
    }

    /// The id of the next node of the diagram.
    fn next_id(&self) -> NodeId {
        self.shared.as_ref().map_or_else(|| self.store.next_id(), |shared| shared.next_id)
    }

    /// Returns the bytes in memory without the level in progress, with a map of this size.
    fn held(&self, map_bytes: usize) -> usize {
        self.unreduced.bytes + self.store.bytes() + self.children.bytes() + map_bytes
    }

    /// The rest of the limit, without the part for unaccounted memory.
    fn left(&self, held: usize) -> usize {
        let of = |limit: usize| (limit - limit / SLACK).saturating_sub(held);
        self.memory.limit.map_or(usize::MAX, |limit| of(limit).max(limit / MIN_SHARE))
    }

    /// Rewrites the edges of a level to a new file, with node ids as targets, and frees the map of the level
    /// below. Does nothing if a map of `map_bytes` bytes fits beside that, or if freeing it gains little.
    fn resolve_on_disk(
        &mut self,
        level: &mut UnreducedLevel,
        map_bytes: usize,
    ) -> Result<(), BuildError> {
        let (Some(limit), Some(disk)) = (self.memory.limit, &self.memory.disk) else {
            return Ok(());
        };
        let variable = Some(level.variable);
        let held = self.held(map_bytes) + level.bytes();
        let least = limit / MIN_SHARE;
        let fits = held + limit / SLACK + least <= limit;
        let gains = held > limit || self.children.adjacent.bytes() >= least;
        // No edge of aliases leads to the level below.
        if fits || !gains || level.is_alias_level || self.next_id() > EdgeCode::RESOLVED_LIMIT {
            return Ok(());
        }
        // One thread, so that there is one span.
        let sharing = self.monitor.sharing(variable, 0);
        let mut spans = self.children.spans(level, &self.unreduced.stack, sharing)?;
        let Some(ChunkSpan { mut targets, .. }) = spans.pop() else { return Ok(()) };
        let mut chunks = level.chunks.clone();
        let ArrayDisk { files, dir, .. } = disk;
        let (stack, watch) = (&mut self.unreduced.stack, &self.monitor.watch);
        let resolve = |code| targets.next(true, code);
        move_resolved(&mut chunks, stack, files, dir, watch, resolve)
            .map_err(|error| error.at(variable))?;
        stack.pop(level.chunks.iter());
        level.chunks = chunks;
        self.children.forget(level);
        level.long.clear();
        self.children.adjacent = StateMap::default();
        Ok(())
    }

    /// The bytes that the nodes of a level take if it is reduced at once.
    fn bytes_of_whole(&self, level: &UnreducedLevel) -> usize {
        match self.store.arities.get(level.variable) {
            2 => LevelReducer::<PairNode>::bytes_for(level),
            _ => LevelReducer::<EdgeRun>::bytes_for(level),
        }
    }

    /// Fails if a level that cannot be reduced in parts exceeds the limit, with `held` bytes beside its nodes.
    fn check_whole(
        &mut self,
        level: &UnreducedLevel,
        forced: &ForcedLevel,
        held: usize,
    ) -> Result<(), BuildError> {
        let sorted = self.bytes_of_whole(level);
        if forced.of_ways.is_empty() || sorted <= self.left(held) {
            return Ok(());
        }
        self.monitor.check_size(Some(level.variable), held + sorted, 0)
    }

    /// Stores the distinct nodes of a level, whose map has so many entries. Returns the map, and
    /// the bytes that were held.
    fn store_nodes(
        &mut self,
        level: &mut UnreducedLevel,
        forced: &ForcedLevel,
        entries: usize,
    ) -> Result<(StateMap, usize), BuildError> {
        let variable = level.variable;
        let arity = self.store.arities.get(variable);
        self.resolve_on_disk(level, StateMap::bytes_for(entries))?;
        let held = self.held(StateMap::bytes_for(entries));
        self.trimmer.note(held);
        self.monitor.check_size(Some(variable), held, 0)?;
        self.check_whole(level, forced, held + level.bytes())?;
        let mut map = std::mem::take(&mut self.children.spare);
        let sharing = self.monitor.sharing(Some(variable), entries);
        map.prepare(entries, &|| sharing.check())?;
        map.clear(forced.first, forced.ends.len());
        let share = self.left(self.held(map.bytes()) + level.bytes());
        let task = LevelTask {
            level,
            forced,
            arity,
            stack: &self.unreduced.stack,
            classes: &self.unreduced.classes,
            children: &self.children,
            rule: self.rule,
            share,
            sharing,
        };
        let store = &mut self.store;
        match (&mut self.shared, arity) {
            _ if level.is_alias_level => task.resolve_aliases(&map)?,
            (None, 2) => self.pairs.reduce(&task, &map, store)?,
            (None, _) => self.runs.reduce(&task, &map, store)?,
            (Some(shared), 2) => shared.reduce(&mut self.pairs, &task, &map, store)?,
            (Some(shared), _) => shared.reduce(&mut self.runs, &task, &map, store)?,
        }
        let shared = self.shared.as_mut().map_or(0, SharedReduction::take_peak);
        let held = self.held(map.bytes()) + level.bytes() + forced.bytes() + shared;
        let reducers = self.pairs.bytes() + self.runs.bytes();
        let mut bytes = held + reducers;
        if self.memory.spills() {
            (self.pairs, self.runs) = (LevelReducer::new(), LevelReducer::new());
        } else if self.memory.limit.is_some_and(|limit| bytes > limit) {
            // The reducers may have kept memory of a wider level, which this one did not need.
            (self.pairs, self.runs) = (LevelReducer::new(), LevelReducer::new());
            bytes = held + reducers.min(self.bytes_of_whole(level));
        }
        self.trimmer.note(bytes);
        self.monitor.check_size(Some(variable), bytes, 0)?;
        Ok((map, bytes))
    }

    /// Reports a level whose nodes are stored, the first of them `first`.
    fn report(&mut self, level: &UnreducedLevel, first: NodeId, bytes: usize) {
        let elapsed = self.monitor.watch.elapsed();
        let &ReductionProgress { begun, states, states_left, .. } = &self.progress;
        let done = (states - states_left).max(1);
        let so_far = elapsed.saturating_sub(begun).as_secs_f64();
        let time_left = so_far * states_left as f64 / done as f64;
        self.monitor.level_reduced(ReducedLevel {
            variable: level.variable,
            states: self.shared.as_ref().map_or(level.nodes, |shared| shared.states),
            nodes: (self.next_id() - first) as usize,
            bytes,
            elapsed,
            states_left,
            time_left: Duration::try_from_secs_f64(time_left).unwrap_or(Duration::MAX),
        });
    }

    /// Resolves the edges that lead to a level and its forced nodes.
    fn resolve(
        &mut self,
        level: &UnreducedLevel,
        mut forced: ForcedLevel,
        map: StateMap,
    ) -> Result<(), BuildError> {
        let variable = level.variable;
        self.children.forget(level);
        let count: usize = level.incoming.iter().map(StoredIncoming::arrived).sum();
        let sharing = self.monitor.sharing(Some(variable), forced.entries() + count);
        let mut of_ways = std::mem::take(&mut forced.of_ways);
        let lists = of_ways.iter_mut().flat_map(|forced| &mut forced.nodes);
        let pieces = forced.number(lists.flat_map(|list| list.chunks_mut(PIECE)));
        sharing.for_all(pieces, |_, (first, piece): (u32, &mut [NodeId])| {
            let of_end = forced.of_end();
            for (entry, node) in (first..).zip(piece) {
                *node = map.get(of_end(*node).unwrap_or(entry));
            }
            Ok(())
        })?;
        let read = |list: &Chunk| {
            let mut nodes = Vec::with_capacity(list.edges);
            let mut page = Vec::new();
            for part in self.unreduced.stack.read(list, &mut page)?.codes.chunks(PIECE) {
                sharing.check()?;
                nodes.extend(part.iter().map(|&code| map.target(true, code)));
            }
            Ok(nodes)
        };
        let by_number = level
            .marked
            .as_ref()
            .filter(|_| count > 0)
            .map(|marked| spread(&marked.marks, (0..).map(|state| map.get(state))));
        let lists = level.incoming.iter().flat_map(|of| {
            let of_class = by_number.is_some().then_some((of, None));
            of_class.into_iter().chain(of.arrivals.iter().map(move |list| (of, Some(list))))
        });
        let nodes = sharing.for_all(lists.collect::<Vec<_>>(), |_, (of, list)| match list {
            Some(list) if of.marks.is_empty() => read(list),
            Some(list) => Ok(spread(&of.marks, read(list)?)),
            None => {
                let nodes = by_number.as_deref().unwrap_or_default();
                Ok(spread(&of.marks, of.marks.iter().map(|number| nodes[number as usize])))
            }
        })?;
        let mut between = self.children.level_done(level, map, of_ways, nodes);
        if let Some(shared) = &mut self.shared {
            between = shared.exchange_arrivals(level, between)?;
        }
        self.children.keep_arrivals(variable, between);
        Ok(())
    }

    fn finish(self) -> Result<Option<NodeStore>, BuildError> {
        let nodes = (self.next_id() - FIRST_NODE) as usize;
        let top = self.progress.top;
        let check = || self.monitor.watch.check(top);
        let process = self.shared.as_ref().map_or(0, |of| of.peers.rank().rank);
        let store = (process == 0).then(|| self.store.finish(self.root, &check)).transpose()?;
        if let Some(mut shared) = self.shared {
            // The others keep their checkpoints until the first process has the diagram.
            shared.peers.gather(&()).map_err(|error| error.at(top))?;
        }
        self.monitor.reduced(nodes);
        Ok(store)
    }
}

/// The nodes of some states of a class, given in order, by the numbers of the states in the class.
fn spread(marks: &StateMarks, nodes: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
    let mut by_number = vec![ZERO; marks.end()];
    marks.iter().zip(nodes).for_each(|(number, node)| by_number[number as usize] = node);
    by_number
}

const ENTRY_LIMIT: SizeLimit =
    SizeLimit { what: "a level", unit: "states and forced nodes", limit: u32::MAX as u64 };
const NODE_LIMIT: SizeLimit = SizeLimit { what: "the diagram", unit: "nodes", limit: MAX_NODES };

/// The part of the memory limit beyond which the diagram spills to disk: the levels that are not
/// reduced yet, the resolved children and the nodes being sorted need the rest.
const SHARE_OF_LIMIT: usize = 4;
/// The part of the limit for unaccounted memory.
const SLACK: usize = 8;
/// The nodes of a level may take the limit divided by this, however little is left.
const MIN_SHARE: usize = 16;

/// The memory that reduction may take, and where the diagram spills to.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReductionMemory {
    limit: Option<usize>,
    disk: Option<ArrayDisk>,
}

impl ReductionMemory {
    /// Whether data beyond the limit goes to disk.
    fn spills(&self) -> bool {
        self.limit.is_some() && self.disk.is_some()
    }

    pub(super) fn for_run(monitor: &Monitor<'_, '_>) -> Self {
        let (config, limit) = (monitor.config, monitor.config.memory_limit);
        let share = limit.map_or(usize::MAX, |limit| limit / SHARE_OF_LIMIT);
        let disk = |dir| ArrayDisk { files: config.files.clone(), dir, share };
        ReductionMemory { limit, disk: config.spill_dir.clone().map(disk) }
    }
}

/// A level to be reduced.
struct LevelTask<'a> {
    level: &'a UnreducedLevel,
    forced: &'a ForcedLevel,
    arity: usize,
    /// Its chunks, if they are in memory.
    stack: &'a EdgeStack,
    classes: &'a ClassTransitions,
    children: &'a ResolvedChildren,
    rule: Rule,
    /// The bytes that its nodes may take while they are reduced.
    share: usize,
    sharing: Sharing<'a>,
}

/// Parts for each thread, so that one that ends early finds more to do.
const PARTS_PER_THREAD: usize = 4;
/// Nodes that a thread works at between two calls of `check`.
const PIECE: usize = 1 << 16;

impl LevelTask<'_> {
    /// Whether the level cannot be reduced in parts: forced nodes are merged with all of its nodes. A
    /// build that spills has none.
    fn is_whole(&self) -> bool {
        !self.forced.of_ways.is_empty()
    }

    /// Writes the node of the state that each node stands for into `map`.
    fn resolve_aliases(&self, map: &StateMap) -> Result<(), BuildError> {
        let resolve = |_, ChunkSpan { first, chunks, mut targets, .. }: ChunkSpan<'_>| {
            let (mut states, mut page) = (first.., Vec::new());
            for chunk in chunks {
                self.sharing.check()?;
                for (&code, state) in
                    self.stack.read(chunk, &mut page)?.codes.iter().zip(&mut states)
                {
                    map.set(state, targets.next(true, code));
                }
            }
            Ok(())
        };
        self.sharing.for_all(self.spans()?, resolve).map(drop)
    }

    fn spans(&self) -> Result<Vec<ChunkSpan<'_>>, BuildError> {
        match &self.level.marked {
            Some(marked) => {
                Ok(self.children.marked_spans(self.level, marked, self.classes, self.sharing))
            }
            None => self.children.spans(self.level, self.stack, self.sharing),
        }
    }
}

/// Returns the number of parts that the workers share.
fn parts(sharing: Sharing<'_>) -> usize {
    sharing.workers.map_or(1, |workers| workers.threads * PARTS_PER_THREAD)
}
