//! Construction of a store, level by level from the bottom up.

use super::array::{Check, Disk, SpillableVec};
use super::{Edge, FIRST_NODE, LevelEntry, NodeId, Reach, Store};
use crate::BuildError;
use crate::pages::Pages;
use crate::spec::Arities;

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
    pub(crate) edges: &'r mut [Edge],
    /// The number of edges before the next node.
    pub(crate) end: u32,
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
        }
    }

    /// Writes the next two-valued node.
    #[inline]
    pub(crate) fn put_pair(&mut self, pair: [NodeId; 2]) {
        *self.pairs.split_off_first_mut().expect(COUNTED) = pair;
    }

    /// Writes the next multi-valued node.
    #[inline]
    pub(crate) fn put_run(&mut self, run: &[Edge]) {
        self.edges.split_off_mut(..run.len()).expect(COUNTED).copy_from_slice(run);
        self.end += run.len() as u32;
        *self.ends.split_off_first_mut().expect(COUNTED) = self.end;
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
    edges: SpillableVec<Edge>,
    disk: Option<Disk>,
    /// Whether the arrays have moved to disk.
    moved: bool,
}

impl Builder {
    /// Bytes that are collected before they are written to disk.
    const LEAST_BYTES: usize = 1 << 20;

    pub(crate) fn new(arities: Arities, most: Capacity, disk: Option<Disk>) -> Self {
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
            moved: false,
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

    pub(crate) fn edge_count(&self) -> usize {
        self.edges.len()
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
    pub(crate) fn take_over(&mut self, memory: Vec<Pages<u32>>) {
        for pages in memory {
            if self.edges.len() > self.pairs.len() {
                self.edges.take_over(pages);
            } else {
                self.pairs.take_over(pages);
            }
        }
    }

    /// Appends at least one node to the next level up or to the same level as the last nodes. `write`
    /// receives the memory for them, and a [`Reach`] to clone for each part that it fills separately;
    /// it returns the levels of each clone. The builder is unusable after an error.
    pub(crate) fn push(
        &mut self,
        variable: usize,
        size: Capacity,
        check: Check<'_>,
        write: impl FnOnce(LevelWriter<'_>, &Reach<'_>) -> Result<Vec<Vec<u32>>, BuildError>,
    ) -> Result<(), BuildError> {
        let last = self.levels.last().copied();
        let last = last.filter(|last| last.variable == variable as u32);
        let start = if size.pairs > 0 { self.pairs.len() } else { self.starts.len() - 1 } as u32;
        let (first, reach) = (self.next_id(), self.reach.len());
        let new = LevelEntry { variable: variable as u32, first, start, reach };
        let below = &self.levels[..self.levels.len() - usize::from(last.is_some())];
        let end = self.edges.len() as u32;
        let room = LevelWriter {
            pairs: self.pairs.grow(size.pairs),
            ends: self.starts.grow(size.sparse),
            edges: self.edges.grow(size.edges),
            end,
        };
        let mut reached = write(room, &Reach::new(below, last.unwrap_or(new).first))?;
        match last {
            Some(last) => reached.push(self.reach.split_off(last.reach)),
            None => self.levels.push(new),
        }
        let mut reached = reached.concat();
        reached.sort_unstable();
        reached.dedup();
        self.reach.extend(reached);
        self.flush(Self::LEAST_BYTES, check)
    }

    /// Moves the arrays to disk, once they are too large for memory. Then writes the items of each that
    /// take `least` bytes.
    fn flush(&mut self, least: usize, check: Check<'_>) -> Result<(), BuildError> {
        let Some(disk) = &self.disk else { return Ok(()) };
        self.moved |= self.array_bytes() > disk.share;
        if self.moved {
            let least = least.min(disk.share / 4);
            self.pairs.flush(least, disk, check)?;
            self.starts.flush(least, disk, check)?;
            self.edges.flush(least, disk, check)?;
        }
        Ok(())
    }

    /// The finished store.
    pub(crate) fn finish(mut self, root: NodeId, check: Check<'_>) -> Result<Store, BuildError> {
        self.flush(0, check)?;
        self.levels.shrink_to_fit();
        self.reach.shrink_to_fit();
        let dir = self.disk.map(|disk| disk.dir).unwrap_or_default();
        Ok(Store {
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
