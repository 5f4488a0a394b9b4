//! Construction of a store, level by level from the bottom up.

use super::array::{ArrayDisk, Check, SpillableVec};
use super::{FIRST_NODE, LevelEntry, NodeId, NodeStore, ValueEdge, ZERO, level_of};
use crate::BuildError;
use crate::error::SizeLimit;
use crate::pages::Pages;
use crate::spec::{Arities, Rule};
use bytemuck::Pod;
use std::collections::BTreeSet;
use std::ops::Range;

const EDGE_LIMIT: SizeLimit =
    SizeLimit { what: "the diagram", unit: "edges of multi-valued nodes", limit: u32::MAX as u64 };

/// The number of nodes and edges in a store or in a part of it, or upper bounds of them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Capacity {
    /// Two-valued nodes.
    pub(crate) pairs: usize,
    /// All other nodes, and their edges.
    pub(crate) sparse: usize,
    pub(crate) edges: usize,
}

crate::portable!(Capacity { pairs, sparse, edges });

impl Capacity {
    /// The number of nodes.
    pub(crate) fn nodes(self) -> usize {
        self.pairs + self.sparse
    }

    #[inline]
    pub(crate) fn plus(self, other: Self) -> Self {
        Capacity {
            pairs: self.pairs + other.pairs,
            sparse: self.sparse + other.sparse,
            edges: self.edges + other.edges,
        }
    }
}

/// The memory in a store for successive nodes of a level, to be filled in ascending order.
pub(crate) struct LevelWriter<'r> {
    pub(crate) pairs: &'r mut [[NodeId; 2]],
    /// For each multi-valued node, the number of edges up to its end, over all levels.
    pub(crate) ends: &'r mut [u32],
    pub(crate) edges: &'r mut [ValueEdge],
    /// The number of edges before the next node.
    pub(crate) end: u32,
    /// The levels that the edges of the nodes written lead to.
    reach: Reach<'r>,
}

impl LevelWriter<'_> {
    /// Takes out the memory for the first nodes and edges.
    pub(crate) fn split_off(&mut self, size: Capacity) -> Self {
        let Capacity { pairs, sparse, edges } = size;
        let end = self.end;
        self.end += edges as u32;
        LevelWriter {
            pairs: self.pairs.split_off_mut(..pairs).expect(COUNTED),
            ends: self.ends.split_off_mut(..sparse).expect(COUNTED),
            edges: self.edges.split_off_mut(..edges).expect(COUNTED),
            end,
            reach: self.reach.clone(),
        }
    }

    /// Writes the next two-valued node.
    #[inline]
    pub(crate) fn put_pair(&mut self, pair: [NodeId; 2]) {
        *self.pairs.split_off_first_mut().expect(COUNTED) = pair;
        self.reach.note(pair[0]);
        self.reach.note(pair[1]);
    }

    /// Writes the next multi-valued node.
    #[inline]
    pub(crate) fn put_run(&mut self, run: &[ValueEdge]) {
        self.edges.split_off_mut(..run.len()).expect(COUNTED).copy_from_slice(run);
        self.end += run.len() as u32;
        *self.ends.split_off_first_mut().expect(COUNTED) = self.end;
        for edge in run {
            self.reach.note(edge.target);
        }
    }
}

/// The reason why the memory suffices.
const COUNTED: &str = "the nodes and edges were counted";

/// A store to which levels are added.
#[derive(Debug)]
pub(crate) struct Builder {
    pub(crate) arities: Arities,
    levels: Vec<LevelEntry>,
    reach: Vec<u32>,
    pairs: SpillableVec<[NodeId; 2]>,
    starts: SpillableVec<u32>,
    edges: SpillableVec<ValueEdge>,
    disk: Option<ArrayDisk>,
}

impl Builder {
    /// Bytes that are collected before they are written to disk.
    const MIN_FLUSHED_BYTES: usize = 1 << 20;

    pub(crate) fn new(arities: Arities, most: Capacity, disk: Option<ArrayDisk>) -> Self {
        let mut starts = SpillableVec::new(most.sparse + 1);
        starts.push(0);
        Builder {
            arities,
            levels: Vec::new(),
            reach: Vec::new(),
            pairs: SpillableVec::new(most.pairs),
            starts,
            edges: SpillableVec::new(most.edges),
            disk,
        }
    }

    /// The id of the next node.
    pub(crate) fn next_id(&self) -> NodeId {
        FIRST_NODE + self.node_count() as NodeId
    }

    /// The first node at this variable or above it; [`next_id`](Builder::next_id) if there is
    /// none.
    pub(crate) fn first_up_from(&self, variable: usize) -> NodeId {
        let below = self.levels.partition_point(|level| level.variable as usize > variable);
        self.levels.get(below).map_or(self.next_id(), |level| level.first)
    }

    pub(crate) fn node_count(&self) -> usize {
        self.pairs.len() + self.starts.len() - 1
    }

    /// Bytes held in memory.
    pub(crate) fn bytes(&self) -> usize {
        self.levels.capacity() * size_of::<LevelEntry>()
            + self.reach.capacity() * size_of::<u32>()
            + self.array_bytes()
            + self.arities.bytes()
    }

    fn array_bytes(&self) -> usize {
        self.pairs.bytes() + self.starts.bytes() + self.edges.bytes()
    }

    /// Takes over memory for later nodes.
    pub(crate) fn take_over<U: Pod>(&mut self, memory: Vec<Pages<U>>) {
        for pages in memory {
            if self.edges.len() > self.pairs.len() {
                self.edges.take_over(pages);
            } else {
                self.pairs.take_over(pages);
            }
        }
    }

    /// Appends at least one node to the next level up or to the same level as the last nodes. `write`
    /// receives the memory for them, and returns it, or the parts that it was split into. The builder is
    /// unusable after an error.
    pub(crate) fn push(
        &mut self,
        variable: usize,
        size: Capacity,
        check: Check<'_>,
        write: impl FnOnce(LevelWriter<'_>) -> Result<Vec<LevelWriter<'_>>, BuildError>,
    ) -> Result<(), BuildError> {
        EDGE_LIMIT.check((self.edges.len() + size.edges) as u64)?;
        let last = self.levels.last().copied();
        let last = last.filter(|last| last.variable == variable as u32);
        let start = if size.pairs > 0 { self.pairs.len() } else { self.starts.len() - 1 } as u32;
        let (first, reach) = (self.next_id(), self.reach.len());
        let new = LevelEntry { variable: variable as u32, first, start, reach };
        let below = &self.levels[..self.levels.len() - usize::from(last.is_some())];
        let room = LevelWriter {
            end: self.edges.len() as u32,
            pairs: self.pairs.grow(size.pairs),
            ends: self.starts.grow(size.sparse),
            edges: self.edges.grow(size.edges),
            reach: Reach::new(below, last.unwrap_or(new).first),
        };
        let levels = write(room)?.into_iter().flat_map(|room| room.reach.into_levels());
        let mut reached: BTreeSet<u32> = levels.collect();
        match last {
            Some(last) => reached.extend(self.reach.split_off(last.reach)),
            None => self.levels.push(new),
        }
        self.reach.extend(reached);
        self.flush(Self::MIN_FLUSHED_BYTES, check)
    }

    /// Does nothing until the arrays exceed their share of memory. From then on, writes the items of each
    /// array that take at least `least` bytes to disk.
    fn flush(&mut self, least: usize, check: Check<'_>) -> Result<(), BuildError> {
        let Some(disk) = &self.disk else { return Ok(()) };
        // The starts are never empty, so they have a file if the arrays have moved.
        if self.starts.has_file() || self.array_bytes() > disk.share {
            let least = least.min(disk.share / 4);
            self.pairs.flush(least, disk, check)?;
            self.starts.flush(least, disk, check)?;
            self.edges.flush(least, disk, check)?;
        }
        Ok(())
    }

    /// The finished store.
    pub(crate) fn finish(
        mut self,
        root: NodeId,
        check: Check<'_>,
    ) -> Result<NodeStore, BuildError> {
        self.flush(0, check)?;
        self.levels.shrink_to_fit();
        self.reach.shrink_to_fit();
        let dir = self.disk.map(|disk| disk.dir).unwrap_or_default();
        Ok(NodeStore {
            arities: self.arities,
            root,
            levels: self.levels,
            reach: self.reach,
            pairs: self.pairs.finish(&dir)?,
            starts: self.starts.finish(&dir)?,
            edges: self.edges.finish(&dir)?,
        })
    }
}

/// Whether a two-valued node is redundant and replaced by its child at value 0.
#[inline]
pub(crate) fn is_redundant([zero, one]: [NodeId; 2], rule: Rule) -> bool {
    match rule {
        Rule::ZeroSuppressed => one == ZERO,
        Rule::AnyValue => zero == one,
    }
}

/// The node that replaces a node with these edges, if that is redundant. The edges must exclude those
/// to the 0-terminal and be in ascending order of value.
#[inline]
pub(crate) fn stands_for(edges: &[ValueEdge], rule: Rule, arity: usize) -> Option<NodeId> {
    match (rule, edges) {
        (_, []) => Some(ZERO),
        (Rule::ZeroSuppressed, [ValueEdge { value: 0, target }]) => Some(*target),
        (Rule::AnyValue, [first, rest @ ..])
            if edges.len() == arity && rest.iter().all(|edge| edge.target == first.target) =>
        {
            Some(first.target)
        }
        _ => None,
    }
}

/// The levels that edges of a new level lead to, while they are collected. Most edges lead to the
/// last level, and many others to one of the last two levels found.
#[derive(Clone)]
pub(super) struct Reach<'a> {
    /// The levels below.
    levels: &'a [LevelEntry],
    adjacent_first: NodeId,
    reaches_adjacent: bool,
    last: [Range<NodeId>; 2],
    /// The indices of the levels found, but for the last level.
    found: BTreeSet<u32>,
}

impl<'a> Reach<'a> {
    /// Of a level whose first node is `next`, and the levels below it.
    pub(super) fn new(levels: &'a [LevelEntry], next: NodeId) -> Self {
        Reach {
            levels,
            adjacent_first: levels.last().map_or(next, |level| level.first),
            reaches_adjacent: false,
            last: [0..0, 0..0],
            found: BTreeSet::new(),
        }
    }

    /// Adds the target of an edge.
    #[inline]
    pub(super) fn note(&mut self, id: NodeId) {
        if id >= self.adjacent_first {
            self.reaches_adjacent = true;
        } else if id >= FIRST_NODE && !self.last.iter().any(|last| last.contains(&id)) {
            self.note_long(id);
        }
    }

    #[cold]
    fn note_long(&mut self, id: NodeId) {
        self.last.swap(0, 1);
        let index = level_of(self.levels, id);
        // The last level is not looked for here.
        self.last[0] = self.levels[index].first..self.levels[index + 1].first;
        self.found.insert(index as u32);
    }

    /// The indices of the levels, from the bottom up.
    fn into_levels(mut self) -> BTreeSet<u32> {
        if self.reaches_adjacent {
            self.found.insert(self.levels.len() as u32 - 1);
        }
        self.found
    }
}
