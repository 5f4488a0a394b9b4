//! The output of the expansion of states: records by destination, and edges.

use super::blocks::{BlockPool, RecordQueue};
use super::chain::ForcedChain;
use super::payload::Attacher;
use super::remote::RemoteRecords;
use super::states::{Records, State};
use crate::hash::Map;
use std::any::Any;

/// The records of an outbox.
pub(super) trait RecordLists: Send {
    fn as_any_mut(&mut self) -> &mut dyn Any;

    /// Empties all lists. `adjacent` is the number of partitions of the next level.
    fn reset(&mut self, adjacent: usize);

    /// The lists for the next level, and those of each long destination, by partition.
    fn lists(&mut self) -> (ByPartition<'_>, Vec<ByPartition<'_>>);

    /// Size in bytes, without the heap memory of the states.
    fn bytes(&self) -> usize;

    /// Size in bytes of the blocks that return to the pool when the records are merged.
    fn full_bytes(&self) -> usize;

    /// Size in bytes of the heap memory of the states when they were added, if it is counted.
    fn heap(&self) -> usize;
}

/// The records for one level.
pub(super) type ByPartition<'a> = Vec<&'a mut dyn Records>;

/// [`RecordLists`] of one type of state.
pub(super) struct Lists<S> {
    /// For the next level, by partition.
    pub(super) adjacent: Vec<RecordQueue<S>>,
    /// For each long destination, by partition.
    pub(super) long: Vec<Vec<RecordQueue<S>>>,
    /// Empty lists of earlier destinations, for reuse.
    spare: Vec<Vec<RecordQueue<S>>>,
    /// The pool that the blocks of the records come from, and return to when they are merged.
    pub(super) blocks: BlockPool<S>,
    /// Size in bytes of the heap memory of the states when they were added, if it is counted.
    pub(super) heap: usize,
}

/// The least capacity of the lists for one level. The headers of two threads' lists must not share
/// a cache line.
const LEAST_LISTS: usize = 16;

/// The most spare lists of records. Their bytes are added up after each batch.
const MOST_SPARE: usize = 1 << 8;

impl<S: State> Lists<S> {
    pub(super) fn new(blocks: &BlockPool<S>) -> Self {
        let adjacent = Vec::with_capacity(LEAST_LISTS);
        Lists { adjacent, long: Vec::new(), spare: Vec::new(), blocks: blocks.clone(), heap: 0 }
    }

    /// Adds lists for another long destination, a level of `partitions` partitions. Returns
    /// `partitions`.
    pub(super) fn open_destination(&mut self, partitions: usize) -> usize {
        let lists = self.spare.pop();
        let mut lists = lists.unwrap_or_else(|| Vec::with_capacity(LEAST_LISTS));
        Self::reset_lists(&mut lists, partitions, &self.blocks);
        self.long.push(lists);
        partitions
    }

    fn reset_lists(lists: &mut Vec<RecordQueue<S>>, partitions: usize, blocks: &BlockPool<S>) {
        for list in lists.iter_mut() {
            list.clear(blocks);
        }
        lists.resize_with(partitions, RecordQueue::new);
    }
}

fn by_partition<S: State>(lists: &mut [RecordQueue<S>]) -> ByPartition<'_> {
    lists.iter_mut().map(|list| list as &mut dyn Records).collect()
}

impl<S: State> RecordLists for Lists<S> {
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn reset(&mut self, adjacent: usize) {
        Self::reset_lists(&mut self.adjacent, adjacent, &self.blocks);
        self.heap = 0;
        // The lists of the first destination are the first to be used again: the first destination
        // of the next batch is mostly the same level, or a similar one.
        self.spare.extend(self.long.drain(..).rev());
        let excess = self.spare.len().saturating_sub(MOST_SPARE);
        self.spare.drain(..excess);
    }

    fn lists(&mut self) -> (ByPartition<'_>, Vec<ByPartition<'_>>) {
        let long = self.long.iter_mut().map(|lists| by_partition(lists));
        (by_partition(&mut self.adjacent), long.collect())
    }

    fn bytes(&self) -> usize {
        let long = self.long.iter().chain(&self.spare).flatten();
        long.chain(&self.adjacent).map(RecordQueue::bytes).sum()
    }

    fn full_bytes(&self) -> usize {
        self.long.iter().flatten().chain(&self.adjacent).map(RecordQueue::full_bytes).sum()
    }

    fn heap(&self) -> usize {
        self.heap
    }
}

/// A level that long edges of a batch lead to, over one chain of forced nodes. The records are in
/// [`RecordLists`].
#[derive(Clone, Copy)]
pub(super) struct LongDestination {
    /// The variable of the level.
    pub(super) to: usize,
    /// The forced nodes on the way.
    pub(super) chain: ForcedChain,
    /// The number of partitions of the level.
    pub(super) partitions: usize,
    /// An upper bound of the sum of the records' numbers (see
    /// [`magnitude`](super::bound::magnitude)).
    pub(super) bound: f64,
}

/// The destination byte of an edge is a partition of the next level, or one of these: an edge to
/// the 1-terminal, and a long edge.
pub(super) const TO_ONE: u8 = 254;
pub(super) const TO_LONG: u8 = 255;

/// The target of a long edge: the index of its destination in the outbox, and the partition.
#[derive(Clone, Copy)]
pub(super) struct LongEdge {
    code: u32,
}

impl LongEdge {
    /// There are at most 128 partitions. The index fits in 24 bits:
    /// [`long_entry`](super::edges::EdgeStore::long_entry) fails for a level with more
    /// destinations.
    #[inline]
    pub(super) fn new(destination: usize, partition: usize) -> Self {
        LongEdge { code: (destination as u32) << 8 | partition as u32 }
    }

    #[inline]
    pub(super) fn destination(self) -> usize {
        (self.code >> 8) as usize
    }

    #[inline]
    pub(super) fn partition(self) -> u8 {
        self.code as u8
    }
}

/// The edges of a batch of nodes, as expansion writes them: with the partition of each target. The
/// target states are known after the merge.
#[derive(Default)]
pub(super) struct EdgeBatch {
    /// The number of nodes.
    pub(super) nodes: usize,
    /// Their shapes; see [`ShapeWriter`](super::unreduced::ShapeWriter).
    pub(super) shape: Vec<u8>,
    /// A byte for each edge.
    pub(super) destinations: Vec<u8>,
    /// The targets of the edges whose byte is [`TO_LONG`].
    pub(super) long: Vec<LongEdge>,
}

impl EdgeBatch {
    /// Removes all nodes. The memory is kept.
    pub(super) fn clear(&mut self) {
        self.nodes = 0;
        self.shape.clear();
        self.destinations.clear();
        self.long.clear();
    }

    pub(super) fn bytes(&self) -> usize {
        self.shape.capacity()
            + self.destinations.capacity()
            + self.long.capacity() * size_of::<LongEdge>()
    }
}

/// An entry of the cache of [`LongDestinations`], which finds most destinations without hashing.
#[derive(Clone, Copy)]
struct CachedDestination {
    to: usize,
    chain: ForcedChain,
    index: usize,
}

impl CachedDestination {
    /// The free entry: no edge leads to this variable.
    const NONE: Self = CachedDestination { to: usize::MAX, chain: ForcedChain::EMPTY, index: 0 };
}

/// The number of entries of the cache, a power of two.
const CACHE_SLOTS: usize = 128;

/// The destinations of the long edges of an outbox.
pub(super) struct LongDestinations {
    /// In order of their first edges.
    list: Vec<LongDestination>,
    /// The indices of some destinations, each in its [slot](ForcedChain::slot).
    cache: [CachedDestination; CACHE_SLOTS],
    /// The indices of all destinations.
    indices: Map<(usize, ForcedChain), usize>,
    /// The variable of the next level.
    next: usize,
}

impl LongDestinations {
    fn reset(&mut self, next: usize) {
        self.next = next;
        self.list.clear();
        self.cache = [CachedDestination::NONE; CACHE_SLOTS];
        self.indices.clear();
    }

    #[inline]
    fn cache_slot(&self, to: usize, chain: ForcedChain) -> usize {
        chain.slot(self.next, to, CACHE_SLOTS)
    }

    /// Returns the index of the destination at `to`, a level beyond the next, over this chain. If
    /// it is new, calls `open`, which returns the number of partitions of that level.
    #[inline]
    pub(super) fn find_or_open(
        &mut self,
        to: usize,
        chain: ForcedChain,
        open: impl FnOnce() -> usize,
    ) -> usize {
        let slot = self.cache_slot(to, chain);
        let cached = &self.cache[slot];
        if cached.to == to && cached.chain == chain {
            return cached.index;
        }
        let index = self.find_or_open_uncached(to, chain, open);
        self.cache[slot] = CachedDestination { to, chain, index };
        index
    }

    #[inline(never)]
    fn find_or_open_uncached(
        &mut self,
        to: usize,
        chain: ForcedChain,
        open: impl FnOnce() -> usize,
    ) -> usize {
        if let Some(&index) = self.indices.get(&(to, chain)) {
            return index;
        }
        let index = self.list.len();
        self.list.push(LongDestination { to, chain, partitions: open(), bound: 0.0 });
        self.indices.insert((to, chain), index);
        index
    }

    pub(super) fn get_mut(&mut self, index: usize) -> &mut LongDestination {
        &mut self.list[index]
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, LongDestination> {
        self.list.iter()
    }
}

/// The output of the expansion of a group of states.
// Two threads write to neighbouring outboxes, so these must not share a cache line.
#[repr(align(128))]
pub(super) struct Outbox {
    pub(super) lists: Box<dyn RecordLists>,
    pub(super) output: EdgeOutput,
    pub(super) attacher: Attacher,
}

/// The edges of an outbox, and totals.
pub(super) struct EdgeOutput {
    /// An upper bound of the sum of the numbers of the records for the next level.
    pub(super) adjacent_bound: f64,
    pub(super) long: LongDestinations,
    pub(super) edge_batch: EdgeBatch,
    /// The combined words of the edges to the 1-terminal, with one limb more if they grow, so that
    /// the sum over a batch fits.
    pub(super) ones: Vec<u64>,
    /// The number of edges to the 1-terminal.
    pub(super) ones_edges: u64,
    /// The number of edges.
    pub(super) edges: u64,
    /// The records for other processes.
    pub(super) remote: RemoteRecords,
    /// A buffer for [`StateType::place`](super::states::StateType::place).
    pub(super) encoded: Vec<u8>,
}

impl Outbox {
    pub(super) fn new(lists: Box<dyn RecordLists>) -> Self {
        let output = EdgeOutput {
            adjacent_bound: 0.0,
            long: LongDestinations {
                list: Vec::new(),
                cache: [CachedDestination::NONE; CACHE_SLOTS],
                indices: Map::default(),
                next: 0,
            },
            edge_batch: EdgeBatch::default(),
            ones: Vec::new(),
            ones_edges: 0,
            edges: 0,
            remote: RemoteRecords::default(),
            encoded: Vec::new(),
        };
        Outbox { lists, output, attacher: Attacher::default() }
    }

    /// Empties the outbox for the expansion of `variable`. The next level has `partitions`
    /// partitions, and the 1-terminal `ones` words.
    pub(super) fn reset(&mut self, variable: usize, ones: usize, partitions: usize) {
        self.lists.reset(partitions);
        let output = &mut self.output;
        output.adjacent_bound = 0.0;
        output.long.reset(variable + 1);
        output.edge_batch.clear();
        output.ones.clear();
        output.ones.resize(ones, 0);
        output.ones_edges = 0;
        output.edges = 0;
        output.remote.clear();
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.lists.bytes() + self.output.edge_batch.bytes() + self.output.remote.bytes()
    }
}
