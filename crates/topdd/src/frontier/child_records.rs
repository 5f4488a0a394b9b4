//! The output of the expansion of states: records by destination, and edges.

use super::payload::Attacher;
use super::states::{Blocks, Records, State};
use super::unreduced::{ForcedChain, LongTarget};
use crate::Map;
use std::any::Any;
use std::iter::once;

/// The records of a group of states.
pub(super) trait RecordLists: Any + Send {
    /// Empties all lists, and adds the lists of the next level, which has `adjacent` partitions.
    fn reset(&mut self, adjacent: usize);

    /// The lists of each destination, the next level first, by partition.
    fn lists(&mut self) -> Vec<ByPartition<'_>>;

    /// Size in bytes, without the heap memory of the states.
    fn bytes(&self) -> usize;

    /// Size in bytes of the blocks that are freed when the records are merged.
    fn full_bytes(&self) -> usize;
}

/// The records for one level.
pub(super) type ByPartition<'a> = Vec<&'a mut dyn Records>;

/// [`RecordLists`] of one type of state.
pub(super) struct TypedLists<S> {
    /// For the next level, by partition.
    pub(super) adjacent: Vec<Blocks<S>>,
    /// For each long destination, by partition.
    pub(super) long: Vec<Vec<Blocks<S>>>,
    /// Empty lists of earlier destinations, for reuse.
    spare: Vec<Vec<Blocks<S>>>,
}

/// The least capacity of the lists for one level. The headers of two threads' lists must not share
/// a cache line.
const MIN_LISTS: usize = 16;

/// The most spare lists of records. Their bytes are added up after each batch.
const MAX_SPARE: usize = 1 << 8;

impl<S: State> TypedLists<S> {
    pub(super) fn new() -> Self {
        let adjacent = Vec::with_capacity(MIN_LISTS);
        TypedLists { adjacent, long: Vec::new(), spare: Vec::new() }
    }

    /// Adds lists for another long destination, a level of `partitions` partitions.
    pub(super) fn open(&mut self, partitions: usize) {
        let lists = self.spare.pop();
        let mut lists = lists.unwrap_or_else(|| Vec::with_capacity(MIN_LISTS));
        Self::reset_lists(&mut lists, partitions);
        self.long.push(lists);
    }

    fn reset_lists(lists: &mut Vec<Blocks<S>>, partitions: usize) {
        lists.iter_mut().for_each(Blocks::clear);
        lists.resize_with(partitions, || Blocks::new(0));
    }
}

impl<S: State> RecordLists for TypedLists<S> {
    fn reset(&mut self, adjacent: usize) {
        Self::reset_lists(&mut self.adjacent, adjacent);
        // The lists of the first destination are the first to be used again: the first destination
        // of the next batch is mostly the same level, or a similar one.
        self.spare.extend(self.long.drain(..).rev());
        let excess = self.spare.len().saturating_sub(MAX_SPARE);
        self.spare.drain(..excess);
    }

    fn lists(&mut self) -> Vec<ByPartition<'_>> {
        let all = once(&mut self.adjacent).chain(&mut self.long);
        all.map(|lists| lists.iter_mut().map(|list| list as &mut dyn Records).collect()).collect()
    }

    fn bytes(&self) -> usize {
        once(&self.adjacent).chain(&self.long).chain(&self.spare).flatten().map(Blocks::bytes).sum()
    }

    fn full_bytes(&self) -> usize {
        once(&self.adjacent).chain(&self.long).flatten().map(Blocks::full_bytes).sum()
    }
}

/// A level that edges of a batch lead to, over one chain of forced nodes. The records are in
/// [`RecordLists`]. States of other processes have a destination of their own at each level, over
/// [`ForcedChain::BETWEEN_PROCESSES`], where a process is in the place of a partition.
#[derive(Clone, Copy, Default)]
pub(super) struct Destination {
    /// The variable of the level.
    pub(super) to: usize,
    /// The forced nodes on the way.
    pub(super) chain: ForcedChain,
    /// The sum over the records of the [`magnitude`](crate::number::magnitude) of the words of their
    /// source state.
    pub(super) magnitude: f64,
}

/// The destination byte of an edge is a partition of the next level, or stands for an edge to
/// the 1-terminal or for a long edge.
pub(super) const TO_ONE: u8 = 254;
pub(super) const TO_LONG: u8 = 255;

/// The number of entries of the cache, a power of two.
const CACHE_SLOTS: usize = 128;

/// An entry of the cache: the index of the long destination at `to` over a chain.
#[derive(Clone, Copy)]
struct CachedDestination {
    to: usize,
    chain: ForcedChain,
    index: usize,
}

/// A free entry of the cache: no edge leads to this variable.
const NO_DESTINATION: CachedDestination =
    CachedDestination { to: usize::MAX, chain: ForcedChain::EMPTY, index: 0 };

/// The destinations of the edges of a group.
#[derive(Default)]
pub(super) struct Destinations {
    pub(super) next: Destination,
    /// In order of their first edges.
    pub(super) long: Vec<Destination>,
    /// The last variable of a forced state on a way of the current state that ends at a terminal.
    pub(super) furthest: usize,
    /// For each node, if it is wanted: the number of variables after its own that decided about its edges to terminals, also
    /// about edges to the 0-terminal, which are not stored.
    pub(super) reach: Option<Vec<usize>>,
    /// Some long destinations, each in its [slot](ForcedChain::slot). Finds most of them without hashing.
    cache: Vec<CachedDestination>,
    /// The indices of all long destinations.
    indices: Map<(usize, ForcedChain), usize>,
}

impl Destinations {
    fn reset(&mut self, next: usize) {
        self.next = Destination { to: next, chain: ForcedChain::EMPTY, magnitude: 0.0 };
        self.long.clear();
        self.furthest = 0;
        self.reach.iter_mut().for_each(Vec::clear);
        self.cache.clear();
        self.cache.resize(CACHE_SLOTS, NO_DESTINATION);
        self.indices.clear();
    }

    /// Ends a node at a variable: keeps its reach, if it is wanted.
    #[inline]
    pub(super) fn end_node(&mut self, variable: usize) {
        if let Some(reach) = &mut self.reach {
            reach.push(std::mem::take(&mut self.furthest).saturating_sub(variable));
        }
    }

    /// All destinations, the next level first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Destination> {
        once(&self.next).chain(&self.long)
    }

    /// Returns the index of the destination at `to`, a level beyond the next, over this chain. If
    /// it is new, calls `open`, which adds its lists.
    #[inline]
    pub(super) fn find_or_open(
        &mut self,
        to: usize,
        chain: ForcedChain,
        open: impl FnOnce(),
    ) -> usize {
        let slot = chain.slot(self.next.to, to, CACHE_SLOTS);
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
        open: impl FnOnce(),
    ) -> usize {
        if let Some(&index) = self.indices.get(&(to, chain)) {
            return index;
        }
        open();
        let index = self.long.len();
        self.long.push(Destination { to, chain, magnitude: 0.0 });
        self.indices.insert((to, chain), index);
        index
    }
}

/// The output of the expansion of a group of states.
// Two threads write to neighbouring child records, so these must not share a cache line.
#[repr(align(128))]
pub(super) struct ChildRecords {
    pub(super) lists: Box<dyn RecordLists>,
    pub(super) output: GroupOutput,
    pub(super) attacher: Attacher,
}

/// The edges of a group, and totals.
#[derive(Default)]
pub(super) struct GroupOutput {
    pub(super) destinations: Destinations,
    /// The number of nodes.
    pub(super) nodes: usize,
    /// If edges are stored: the shapes of the nodes; see
    /// [`ShapeWriter`](super::unreduced::ShapeWriter).
    pub(super) shapes: Vec<u8>,
    /// A destination byte for each edge. The target states are known after the merge.
    pub(super) edge_bytes: Vec<u8>,
    /// The target of each edge whose byte is [`TO_LONG`]. Its entry is the index of a long destination. [`entry`](super::edges::EdgeStore::entry)
    /// fails for a level with more destinations than entries.
    pub(super) long: Vec<LongTarget>,
    /// If edges are stored, set by the merge: for each long destination, its index in
    /// [`UnreducedLevel::long`](super::unreduced::UnreducedLevel::long).
    pub(super) entries: Vec<u32>,
    /// Set by the merge: the number of edges to each partition of the next level.
    pub(super) adjacent: Vec<u32>,
    /// The combined words of the edges to the 1-terminal, with one limb more if they grow, so that
    /// the sum over a batch fits.
    pub(super) ones: Vec<u64>,
    /// The number of edges to the 1-terminal.
    pub(super) ones_edges: u64,
    /// The number of edges.
    pub(super) edges: u64,
    /// Size in bytes of the heap memory of the states of the records, if it is counted.
    pub(super) heap: usize,
    /// A buffer for [`StateType::route`](super::states::StateType::route).
    pub(super) encoded: Vec<u8>,
}

impl ChildRecords {
    pub(super) fn new(lists: Box<dyn RecordLists>) -> Self {
        ChildRecords { lists, output: GroupOutput::default(), attacher: Attacher::default() }
    }

    /// Empties the records for the expansion of `variable`. The next level has `partitions`
    /// partitions, and the 1-terminal `ones` words.
    pub(super) fn reset(&mut self, variable: usize, ones: usize, partitions: usize) {
        self.lists.reset(partitions);
        let output = &mut self.output;
        output.destinations.reset(variable + 1);
        output.nodes = 0;
        output.shapes.clear();
        output.edge_bytes.clear();
        output.long.clear();
        output.entries.clear();
        output.ones.clear();
        output.ones.resize(ones, 0);
        output.ones_edges = 0;
        output.edges = 0;
        output.heap = 0;
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let GroupOutput { shapes, edge_bytes, long, .. } = &self.output;
        let of_long = long.capacity() * size_of::<LongTarget>();
        self.lists.bytes() + shapes.capacity() + edge_bytes.capacity() + of_long
    }
}
