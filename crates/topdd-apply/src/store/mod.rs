//! The nodes of a manager: unique table, operation cache, garbage collection.
//!
//! [`Store`] is generic over the [`EdgeRule`]: a manager has one store for the nodes of its functions,
//! and one for the nodes of its families.
//!
//! There are no reference counts in the nodes. A collection marks from the edges of handles
//! ([`Roots`]) and of running operations (their frames, and edges that they
//! [`keep`](Store::keep)). So a collection is safe in the middle of any operation, whenever a
//! node is made.

pub(crate) mod cache;
mod collect;
pub(crate) mod frames;
mod reorder;
mod watch;

use super::Error;
use cache::{Cache, FIRST_TAG, Key};
use collect::Collector;
use frames::{CallFrame, PairFrame};
use std::fmt;
use std::marker::PhantomData;
use std::ops::BitXor;
use std::rc::Rc;
use topdd::diagram::{AnyValue, DiagramRule, ZeroSuppressed};

pub use watch::Progress;

pub(crate) use cache::ROUND;
pub(crate) use collect::Roots;
pub(crate) use reorder::{Interactions, Reorder};
pub(crate) use watch::{OperationWatch, SizeLimits, StoreBudget, Trigger};

/// The maximum number of nodes: edges stay below the tags of the cache.
const MAX_NODES: usize = (FIRST_TAG >> 1) as usize;
/// The maximum number of levels: frames use one bit of a level for a flag.
pub(crate) const MAX_LEVELS: usize = 1 << 30;
/// The number of entries up to which a cache may grow independently of the number of nodes.
const SMALL_CACHE: usize = 1 << 16;
/// The minimum number of buckets of a unique table, a power of two.
const MIN_BUCKETS: usize = 1 << 8;
/// The minimum number of nodes for a collection to be worthwhile.
const WORTH_COLLECTING: usize = 1 << 14;

/// The parts of a manager that a store uses: its own roots, and the parts that both stores have in common.
#[derive(Clone, Debug)]
pub(crate) struct StoreLinks {
    pub(crate) roots: Rc<Roots>,
    pub(crate) budget: Rc<StoreBudget>,
    pub(crate) watch: Rc<OperationWatch>,
    pub(crate) trigger: Rc<Trigger>,
}

/// The edges of running operations, which a collection keeps alive.
#[derive(Debug, Default)]
pub(crate) struct Stacks {
    /// The stack of [`apply`](Store::apply).
    pub(crate) pairs: Vec<PairFrame>,
    /// The stack of [`run`](Store::run).
    pub(crate) calls: Vec<CallFrame>,
    /// Further edges that operations hold.
    pub(crate) kept: Vec<Edge>,
}

impl Stacks {
    pub(crate) fn clear(&mut self) {
        self.pairs.clear();
        self.calls.clear();
        self.kept.clear();
    }
}

/// The nodes of one rule, with a unique table.
///
/// Without links (`L` is `()`), a store can be sent to another thread.
pub(crate) struct Store<R, L = StoreLinks> {
    pub(crate) nodes: Vec<Node>,
    /// The first node of each bucket. The number of buckets is a power of two.
    buckets: Vec<u32>,
    /// The first free slot before the end of `nodes`.
    free: u32,
    /// The slots in `nodes` that are free.
    free_slots: usize,
    /// The number of nodes reserved in the budget.
    granted: usize,
    pub(crate) cache: Cache,
    pub(crate) stacks: Stacks,
    pub(crate) collector: Collector,
    links: L,
    /// The size in bytes recorded in the budget.
    booked: usize,
    /// Whether to collect whenever a node is made. Tests set it to find edges that are not held.
    #[cfg(test)]
    pub(crate) always_collect: bool,
    rule: PhantomData<R>,
}

/// The bucket of the node with children `lo` and `hi` in a table of `len` buckets, a power of two.
///
/// Nodes made in succession have successive numbers, and so have their parents. A bucket that
/// mostly follows the greater of the two numbers has the locality of the nodes, which halves the
/// time on diagrams that do not fit in the processor's cache. The other bits select a bucket in a
/// window of a 128th of the table, so that a node with very many parents does not make a long chain.
#[inline]
fn bucket(lo: Edge, hi: Edge, level: u32, len: usize) -> usize {
    let young = lo.node().max(hi.node()) as usize;
    let mixed = cache::mix(u64::from(lo.0) << 32 | u64::from(hi.0), level) as usize;
    let window = (len - 1) >> 7;
    young.wrapping_add(mixed & window) & (len - 1)
}

impl<R> Store<R, ()> {
    /// An empty store, whose memory is recorded in the budget.
    pub(crate) fn new(budget: &StoreBudget) -> Self {
        let terminal = Node { lo: Edge::ZERO, hi: Edge::ZERO, level: TERMINAL, next: 0 };
        let mut store = Store {
            nodes: vec![terminal],
            buckets: vec![0; MIN_BUCKETS],
            free: 0,
            free_slots: 0,
            granted: 1,
            cache: Cache::new(),
            stacks: Stacks::default(),
            collector: Collector::default(),
            links: (),
            booked: 0,
            #[cfg(test)]
            always_collect: false,
            rule: PhantomData,
        };
        store.booked = store.bytes();
        budget.book(0, 0, store.booked);
        store
    }
}

impl<R: EdgeRule> Store<R> {
    #[inline]
    pub(crate) fn node(&self, edge: Edge) -> Node {
        self.nodes[edge.node() as usize]
    }

    #[inline]
    pub(crate) fn level(&self, edge: Edge) -> u32 {
        self.node(edge).level
    }

    /// The number of nodes, including garbage that is not yet collected.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len() - 1 - self.free_slots
    }

    /// Whether there is a node with this number.
    pub(crate) fn has_node(&self, node: u32) -> bool {
        self.nodes.get(node as usize).is_some_and(|node| node.level != FREE)
    }

    /// The children of `edge` at `level`, which is not below its own.
    #[inline]
    pub(crate) fn children_at(&self, edge: Edge, level: u32) -> (Edge, Edge) {
        let node = self.node(edge);
        if node.level == level { R::children(edge, node) } else { R::skip(edge) }
    }

    /// Holds an edge until the end of the running operation, or of its current step.
    pub(crate) fn keep(&mut self, edge: Edge) -> Edge {
        self.stacks.kept.push(edge);
        edge
    }

    /// Returns the edge to the node with these children, and makes the node if it does not exist.
    ///
    /// May collect nodes. An edge that the caller needs afterwards must be held by a
    /// handle or a frame, be kept, or be `lo` or `hi`.
    #[inline]
    pub(crate) fn mk(&mut self, level: u32, lo: Edge, hi: Edge) -> Result<Edge, Error> {
        if R::redundant(lo, hi) {
            return Ok(lo);
        }
        let flag = lo.flag();
        let (lo, hi) = (lo.regular(), R::normalise(hi, flag));
        debug_assert!(level < self.level(lo) && level < self.level(hi), "children are below");
        #[cfg(test)]
        self.links.trigger.burn()?;
        #[cfg(test)]
        if self.always_collect {
            self.collect(&[lo, hi]);
        }
        let bucket = bucket(lo, hi, level, self.buckets.len());
        if let Some(index) = self.find(bucket, level, lo, hi) {
            return Ok(Edge::to_node(index) ^ flag);
        }
        if self.free == 0 && self.nodes.len() == self.granted {
            return Ok(self.collect_or_grow_and_insert(level, lo, hi)? ^ flag);
        }
        Ok(Edge::to_node(self.insert(bucket, level, lo, hi)) ^ flag)
    }

    /// Finds the node with these children in its bucket.
    #[inline]
    fn find(&self, bucket: usize, level: u32, lo: Edge, hi: Edge) -> Option<u32> {
        let mut index = self.buckets[bucket];
        while index != 0 {
            let node = &self.nodes[index as usize];
            if node.lo == lo && node.hi == hi && node.level == level {
                return Some(index);
            }
            index = node.next;
        }
        None
    }

    /// Adds a new node, for which there is a slot, to its bucket.
    #[inline]
    fn insert(&mut self, bucket: usize, level: u32, lo: Edge, hi: Edge) -> u32 {
        let index = self.take_slot(Node { lo, hi, level, next: self.buckets[bucket] });
        self.buckets[bucket] = index;
        index
    }

    #[inline]
    fn take_slot(&mut self, node: Node) -> u32 {
        if self.free == 0 {
            self.nodes.push(node);
            self.nodes.len() as u32 - 1
        } else {
            let index = self.free;
            let slot = &mut self.nodes[index as usize];
            self.free = slot.next;
            self.free_slots -= 1;
            *slot = node;
            index
        }
    }

    /// Adds a new node when no free slot is left.
    #[cold]
    #[inline(never)]
    fn collect_or_grow_and_insert(
        &mut self,
        level: u32,
        lo: Edge,
        hi: Edge,
    ) -> Result<Edge, Error> {
        self.collect_or_grow(lo, hi)?;
        let bucket = bucket(lo, hi, level, self.buckets.len());
        Ok(Edge::to_node(self.insert(bucket, level, lo, hi)))
    }

    /// Collects if that is likely to free enough nodes, and grows otherwise.
    fn collect_or_grow(&mut self, lo: Edge, hi: Edge) -> Result<(), Error> {
        self.check()?;
        // Without a dropped handle, only intermediate results of operations are garbage.
        let worth = self.granted >= WORTH_COLLECTING
            && (self.links.roots.take_released() || self.granted >= 4 * self.collector.survivors);
        if worth {
            self.collect(&[lo, hi]);
            if self.capacity_left() >= self.granted / 4 {
                return Ok(());
            }
        }
        self.links.trigger.interrupt(self.len())?;
        let grown = self.grow();
        if grown.is_err() {
            if !worth {
                self.collect(&[lo, hi]);
            }
            // With hardly any free slots, the next collection would follow soon.
            if self.capacity_left() > self.granted / 64 {
                return Ok(());
            }
        }
        grown
    }

    /// The number of nodes that can be made before the store must collect or grow.
    fn capacity_left(&self) -> usize {
        self.free_slots + self.granted - self.nodes.len()
    }

    fn grow(&mut self) -> Result<(), Error> {
        self.grant()?;
        let len = self.granted.next_power_of_two();
        if self.buckets.len() < len && self.links.budget.has_bytes((len - self.buckets.len()) * 4) {
            self.rehash(len);
            self.rebook();
        }
        // Half as many cache entries as nodes; both take 16 bytes.
        self.widen_cache(len / 2);
        Ok(())
    }

    /// Reserves half as many nodes as there are, without wider tables.
    fn grant(&mut self) -> Result<(), Error> {
        let wanted = (self.granted / 2).max(1 << 8).min(MAX_NODES - self.granted);
        if wanted == 0 {
            return Err(Error::TooManyNodes { limit: MAX_NODES });
        }
        // There are at least as many buckets as nodes, and at most twice as many.
        let more = self.links.budget.nodes(wanted, size_of::<Node>() + 2 * size_of::<u32>())?;
        self.granted += more;
        self.nodes.reserve_exact(self.granted - self.nodes.len());
        self.links.budget.book(more, 0, 0);
        self.rebook();
        Ok(())
    }

    /// Puts a result into the cache.
    #[inline]
    pub(crate) fn remember(&mut self, key: &Key, result: Edge) -> Result<(), Error> {
        self.cache.put(key, result);
        if self.cache.is_round_full() { self.pause() } else { Ok(()) }
    }

    /// Checks the limits of the manager, and enlarges the cache for operations that have many calls
    /// and make few nodes.
    #[cold]
    #[inline(never)]
    fn pause(&mut self) -> Result<(), Error> {
        if self.cache.is_worn() {
            self.cache.reset_wear();
            let len = 2 * self.cache.len();
            if len <= SMALL_CACHE.max(2 * self.granted) {
                self.widen_cache(len);
            }
        }
        self.finish_round()
    }

    /// Reports that another round of steps is done, and checks as `check` does.
    pub(crate) fn finish_round(&self) -> Result<(), Error> {
        self.links.watch.advance(ROUND as u64, self.len())
    }

    /// Fails if `bytes` more bytes may not be allocated.
    pub(crate) fn require(&self, bytes: usize) -> Result<(), Error> {
        self.links.budget.require(bytes)
    }

    /// Checks as `check` does, whenever another round of edges is kept.
    pub(crate) fn check_each_round(&self) -> Result<(), Error> {
        if self.stacks.kept.len().is_multiple_of(ROUND) { self.check() } else { Ok(()) }
    }

    /// Fails if the token of the manager is cancelled, or the time is over.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.links.watch.check()
    }

    fn widen_cache(&mut self, len: usize) {
        // Both the old and the new table exist while the entries move.
        if self.cache.len() < len && self.links.budget.has_bytes(Cache::bytes_of(len)) {
            self.cache.resize(len);
            self.rebook();
        }
    }

    fn rebook(&mut self) {
        let bytes = self.bytes();
        self.links.budget.book(0, self.booked, bytes);
        self.booked = bytes;
    }

    /// Rebuilds the unique table with `len` buckets.
    fn rehash(&mut self, len: usize) {
        if len == self.buckets.len() {
            self.buckets.fill(0);
        } else {
            // The old table is freed first to limit the peak.
            self.buckets = Vec::new();
            self.buckets = vec![0; len];
        }
        for index in 1..self.nodes.len() {
            let node = &mut self.nodes[index];
            if node.level != FREE {
                let bucket = bucket(node.lo, node.hi, node.level, len);
                node.next = std::mem::replace(&mut self.buckets[bucket], index as u32);
            }
        }
    }
}

impl<R, L> Store<R, L> {
    /// Size in bytes.
    fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.buckets.len() * 4
            + self.cache.bytes()
            + self.collector.bytes()
    }

    /// The same nodes with other links.
    pub(crate) fn relink<M>(self, links: M) -> Store<R, M> {
        Store {
            nodes: self.nodes,
            buckets: self.buckets,
            free: self.free,
            free_slots: self.free_slots,
            granted: self.granted,
            cache: self.cache,
            stacks: self.stacks,
            collector: self.collector,
            links,
            booked: self.booked,
            #[cfg(test)]
            always_collect: self.always_collect,
            rule: PhantomData,
        }
    }
}

/// The level of the terminal: below all others.
const TERMINAL: u32 = u32::MAX;
/// The level of a free slot.
const FREE: u32 = u32::MAX - 1;

/// A node of 16 bytes: two edges, the level, and the link of the unique table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The low child, which never has a flag.
    pub(crate) lo: Edge,
    pub(crate) hi: Edge,
    pub(crate) level: u32,
    /// The next node in the same bucket of the unique table, or the next free slot; 0
    /// is the end.
    pub(crate) next: u32,
}

/// The number of a node, shifted left by one, and a flag in the lowest bit.
///
/// The [`EdgeRule`](EdgeRule) defines the meaning of the flag: the complement of a function,
/// or the empty set added to a family. Node 0 is the only terminal. Without the flag it
/// is the constant false or the empty family, with the flag it is true or the family of the empty
/// set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Edge(pub(crate) u32);

impl Edge {
    /// False; the empty family.
    pub(crate) const ZERO: Edge = Edge(0);
    /// True; the family of the empty set.
    pub(crate) const ONE: Edge = Edge(1);

    #[inline]
    fn to_node(node: u32) -> Self {
        Edge(node << 1)
    }

    #[inline]
    pub(crate) fn node(self) -> u32 {
        self.0 >> 1
    }

    #[inline]
    pub(crate) fn flag(self) -> u32 {
        self.0 & 1
    }

    #[inline]
    pub(crate) fn is_terminal(self) -> bool {
        self.0 < 2
    }

    /// The same edge without its flag.
    #[inline]
    pub(crate) fn regular(self) -> Self {
        Edge(self.0 & !1)
    }
}

/// Flips the flag of an edge if the operand is 1.
impl BitXor<u32> for Edge {
    type Output = Edge;

    #[inline]
    fn bitxor(self, flag: u32) -> Edge {
        Edge(self.0 ^ flag)
    }
}

impl fmt::Debug for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.flag() == 1 { "~" } else { "" }, self.node())
    }
}

/// The meaning of a skipped level and of a flagged edge.
///
/// Under both rules the low edge of a stored node has no flag, which makes the form
/// canonical: [`normalise`](EdgeRule::normalise) moves the flag to the edge that leads to
/// the node.
pub(crate) trait EdgeRule: DiagramRule {
    /// Whether a node with these children is redundant, and replaced by its low child.
    fn redundant(lo: Edge, hi: Edge) -> bool;

    /// The stored high child if the flag of the low child is `flag`.
    fn normalise(hi: Edge, flag: u32) -> Edge;

    /// The children of the node that `edge` leads to, read through the flag of `edge`.
    fn children(edge: Edge, node: Node) -> (Edge, Edge);

    /// The children of `edge` at a level that it skips.
    fn skip(edge: Edge) -> (Edge, Edge);
}

/// A flag is a complement.
impl EdgeRule for AnyValue {
    #[inline]
    fn redundant(lo: Edge, hi: Edge) -> bool {
        lo == hi
    }

    #[inline]
    fn normalise(hi: Edge, flag: u32) -> Edge {
        hi ^ flag
    }

    #[inline]
    fn children(edge: Edge, node: Node) -> (Edge, Edge) {
        (node.lo ^ edge.flag(), node.hi ^ edge.flag())
    }

    #[inline]
    fn skip(edge: Edge) -> (Edge, Edge) {
        (edge, edge)
    }
}

/// A flag adds the empty set.
impl EdgeRule for ZeroSuppressed {
    #[inline]
    fn redundant(_: Edge, hi: Edge) -> bool {
        hi == Edge::ZERO
    }

    #[inline]
    fn normalise(hi: Edge, _: u32) -> Edge {
        hi
    }

    #[inline]
    fn children(edge: Edge, node: Node) -> (Edge, Edge) {
        (node.lo ^ edge.flag(), node.hi)
    }

    #[inline]
    fn skip(edge: Edge) -> (Edge, Edge) {
        (edge, Edge::ZERO)
    }
}
