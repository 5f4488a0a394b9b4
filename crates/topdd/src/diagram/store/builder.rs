//! Construction of a store, level by level from the bottom up.

use super::array::{Check, Disk, Growing};
use super::{Edge, FIRST_NODE, LevelEntry, NodeId, Reach, Store};
use crate::BuildError;
use crate::pages::Pages;
use crate::spec::Arities;

/// Upper bounds of the sizes of a store.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Capacity {
    /// Two-valued nodes.
    pub(crate) pairs: usize,
    /// All other nodes, and their edges.
    pub(crate) sparse: usize,
    pub(crate) edges: usize,
}

/// A store to which levels are added.
#[derive(Debug)]
pub(crate) struct Builder {
    pub(crate) arities: Arities,
    levels: Vec<LevelEntry>,
    reach: Vec<u32>,
    pairs: Growing<[NodeId; 2]>,
    starts: Growing<u32>,
    edges: Growing<Edge>,
    disk: Option<Disk>,
    /// Whether the arrays have moved to disk.
    moved: bool,
}

impl Builder {
    /// Bytes that are collected before they are written to disk.
    const LEAST_BYTES: usize = 1 << 20;

    pub(crate) fn new(arities: Arities, most: Capacity, disk: Option<Disk>) -> Self {
        let mut starts = Growing::new(most.sparse + 1);
        starts.push(0);
        Builder {
            arities,
            levels: Vec::new(),
            reach: Vec::new(),
            pairs: Growing::new(most.pairs),
            starts,
            edges: Growing::new(most.edges),
            disk,
            moved: false,
        }
    }

    /// Takes over memory for later nodes. Returns the memory that is not needed.
    pub(crate) fn take_over<T>(&mut self, memory: Vec<Pages<T>>) -> Vec<Pages<T>> {
        let left = memory.into_iter().filter_map(|pages| self.pairs.take_over(pages));
        left.filter_map(|pages| self.edges.take_over(pages)).collect()
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

    /// Appends `count` two-valued nodes, at least one, to the next level up or to the same level as
    /// the last nodes. `write` receives the memory for them, to be filled in ascending order, and a
    /// [`Reach`] to clone for each part that it fills separately; it returns the levels of each
    /// clone. The builder is unusable after an error.
    pub(crate) fn push_pairs(
        &mut self,
        variable: usize,
        count: usize,
        check: Check<'_>,
        write: impl FnOnce(&mut [[NodeId; 2]], &Reach<'_>) -> Result<Vec<Vec<u32>>, BuildError>,
    ) -> Result<(), BuildError> {
        let start = self.pairs.len() as u32;
        let (below, first) = self.below(variable);
        let reach = Reach::new(&self.levels[..below], first);
        let reached = write(self.pairs.grow(count), &reach)?;
        self.push_level(variable, first, start, reached, check)
    }

    /// As [`push_pairs`](Builder::push_pairs), for multi-valued nodes with `edges` edges in all.
    /// `write` receives the memory for the end of each node in the array of all edges, and for the
    /// edges.
    pub(crate) fn push_sparse(
        &mut self,
        variable: usize,
        count: usize,
        edges: usize,
        check: Check<'_>,
        write: impl FnOnce(&mut [u32], &mut [Edge], &Reach<'_>) -> Result<Vec<Vec<u32>>, BuildError>,
    ) -> Result<(), BuildError> {
        let start = self.starts.len() as u32 - 1;
        let (below, first) = self.below(variable);
        let reach = Reach::new(&self.levels[..below], first);
        let reached = write(self.starts.grow(count), self.edges.grow(edges), &reach)?;
        self.push_level(variable, first, start, reached, check)
    }

    /// The number of levels below that of a variable, and the id of the first node of its level.
    fn below(&self, variable: usize) -> (usize, NodeId) {
        match self.levels.last() {
            Some(last) if last.variable == variable as u32 => (self.levels.len() - 1, last.first),
            _ => (self.levels.len(), self.next_id()),
        }
    }

    fn push_level(
        &mut self,
        variable: usize,
        first: NodeId,
        start: u32,
        mut reached: Vec<Vec<u32>>,
        check: Check<'_>,
    ) -> Result<(), BuildError> {
        let variable = variable as u32;
        match self.levels.last() {
            Some(last) if last.variable == variable => {
                reached.push(self.reach.split_off(last.reach));
            }
            _ => self.levels.push(LevelEntry { variable, first, start, reach: self.reach.len() }),
        }
        let mut reached = reached.concat();
        reached.sort_unstable();
        reached.dedup();
        self.reach.extend(reached);

        let Some(disk) = &self.disk else { return Ok(()) };
        self.moved |= self.array_bytes() > disk.share;
        if self.moved {
            self.pairs.move_to_disk(disk, check)?;
            self.starts.move_to_disk(disk, check)?;
            self.edges.move_to_disk(disk, check)?;
        }
        self.flush(Self::LEAST_BYTES, check)
    }

    /// Writes the items of each array that has moved to disk, if they take `least` bytes.
    fn flush(&mut self, least: usize, check: Check<'_>) -> Result<(), BuildError> {
        if let Some(disk) = &self.disk {
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
