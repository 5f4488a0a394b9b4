//! What the expansion of states produces, on its way to where it goes.

use super::blocks::{BlockPool, RecordQueue};
use super::chain::ForcedChain;
use super::states::{Records, State};
use crate::hash::Map;
use std::any::Any;

/// The records of an outbox.
pub(super) trait RecordLists: Send {
    fn as_any_mut(&mut self) -> &mut dyn Any;

    /// Empties all lists. The next level has so many partitions.
    fn reset(&mut self, adjacent: usize);

    /// The lists for the next level, and those of each bag, by partition.
    fn lists(&mut self) -> (ByPartition<'_>, Vec<ByPartition<'_>>);

    /// Size in bytes, without what the states own.
    fn bytes(&self) -> usize;

    /// Size in bytes of the blocks that are given back when the records are merged.
    fn full_bytes(&self) -> usize;

    /// Size in bytes of the memory that the states owned as they were sent, if it is counted.
    fn heap(&self) -> usize;
}

/// The records for one level.
pub(super) type ByPartition<'a> = Vec<&'a mut dyn Records>;

/// [`RecordLists`] of one type of state.
pub(super) struct Lists<S> {
    /// For the next level, by partition.
    pub(super) adjacent: Vec<RecordQueue<S>>,
    /// For each bag, by partition.
    pub(super) long: Vec<Vec<RecordQueue<S>>>,
    spare: Vec<Vec<RecordQueue<S>>>,
    /// Where the memory of the records comes from, and goes when they are merged.
    pub(super) blocks: BlockPool<S>,
    /// Size in bytes of the memory that the states owned as they were sent, if it is counted.
    pub(super) heap: usize,
}

/// Lists that a bag has room for at least: what tells their lengths must not share a line of any
/// cache with the same of another thread's bag.
const LEAST_LISTS: usize = 16;

/// The most spare lists of records. Their bytes are added up after each batch.
const MOST_SPARE: usize = 1 << 8;

impl<S: State> Lists<S> {
    pub(super) fn new(blocks: &BlockPool<S>) -> Self {
        let adjacent = Vec::with_capacity(LEAST_LISTS);
        Lists { adjacent, long: Vec::new(), spare: Vec::new(), blocks: blocks.clone(), heap: 0 }
    }

    /// Adds lists for another bag, for a level that has so many partitions. Returns that number.
    pub(super) fn open_bag(&mut self, partitions: usize) -> usize {
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
        // The first bag is the first to be used again: it is mostly the same level, or one like
        // it, that is met first.
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

/// States on their way to one level, over the same forced nodes: the lists are in [`RecordLists`].
#[derive(Clone, Copy)]
pub(super) struct Bag {
    /// The variable of the level.
    pub(super) to: usize,
    /// The forced nodes on the way.
    pub(super) chain: ForcedChain,
    pub(super) partitions: usize,
    /// At least the sum of the numbers' values (see [`magnitude`](super::limbs::magnitude)).
    pub(super) bound: f64,
}

/// Where an edge leads, in a byte: a partition of the next level, or one of these.
pub(super) const TO_ONE: u8 = 254;
pub(super) const TO_LONG: u8 = 255;

/// An edge that skips variables: the number of its bag in the outbox, and the partition.
#[derive(Clone, Copy)]
pub(super) struct LongEdge {
    code: u32,
}

impl LongEdge {
    /// There are at most 128 partitions, and of more bags than fit a level is refused when they
    /// are delivered (see [`long_entry`](super::edges::EdgeStore::long_entry)).
    #[inline]
    pub(super) fn new(bag: usize, partition: usize) -> Self {
        LongEdge { code: (bag as u32) << 8 | partition as u32 }
    }

    #[inline]
    pub(super) fn bag(self) -> usize {
        (self.code >> 8) as usize
    }

    #[inline]
    pub(super) fn partition(self) -> u8 {
        self.code as u8
    }
}

/// The edges of a batch of nodes, as expansion writes them: by where they go, not yet by
/// what they lead to.
#[derive(Default)]
pub(super) struct Written {
    /// The number of nodes.
    pub(super) nodes: usize,
    /// Their shapes; see [`ShapeWriter`](super::unreduced::ShapeWriter).
    pub(super) shape: Vec<u8>,
    /// A byte for each edge.
    pub(super) destinations: Vec<u8>,
    /// More about each edge whose byte is [`TO_LONG`].
    pub(super) long: Vec<LongEdge>,
}

impl Written {
    /// Empties it for other nodes.
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

/// A bag that is found without hashing: there is a place for one of each few ways.
#[derive(Clone, Copy)]
struct Close {
    to: usize,
    chain: ForcedChain,
    number: usize,
}

impl Close {
    /// No edge leads to this variable.
    const NONE: Self = Close { to: usize::MAX, chain: ForcedChain::EMPTY, number: 0 };
}

/// A power of two of such places.
const CLOSE: usize = 128;

/// The bags of an outbox.
pub(super) struct Bags {
    /// For levels beyond the next, one for each way, in the order in which they were first met.
    list: Vec<Bag>,
    /// The numbers of the bags for some of the levels and ways; see [`Close`].
    close: [Close; CLOSE],
    /// Those of all.
    numbers: Map<(usize, ForcedChain), usize>,
    /// The next level.
    next: usize,
}

impl Bags {
    fn reset(&mut self, next: usize) {
        self.next = next;
        self.list.clear();
        self.close = [Close::NONE; CLOSE];
        self.numbers.clear();
    }

    #[inline]
    fn close_place(&self, to: usize, chain: ForcedChain) -> usize {
        chain.slot(self.next, to, CLOSE)
    }

    /// The number of the bag for a level beyond the next, and this way to it. If it is new,
    /// `open` is called and returns the partitions of that level.
    #[inline]
    pub(super) fn bag(
        &mut self,
        to: usize,
        chain: ForcedChain,
        open: impl FnOnce() -> usize,
    ) -> usize {
        let place = self.close_place(to, chain);
        let close = &self.close[place];
        if close.to == to && close.chain == chain {
            return close.number;
        }
        let number = self.any_bag(to, chain, open);
        self.close[place] = Close { to, chain, number };
        number
    }

    #[inline(never)]
    fn any_bag(&mut self, to: usize, chain: ForcedChain, open: impl FnOnce() -> usize) -> usize {
        if let Some(&number) = self.numbers.get(&(to, chain)) {
            return number;
        }
        let number = self.list.len();
        self.list.push(Bag { to, chain, partitions: open(), bound: 0.0 });
        self.numbers.insert((to, chain), number);
        number
    }

    pub(super) fn get_mut(&mut self, number: usize) -> &mut Bag {
        &mut self.list[number]
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, Bag> {
        self.list.iter()
    }
}

/// What the expansion of a run of states produced.
// As two threads write to two of them that are side by side, they must not share a line of any
// cache.
#[repr(align(128))]
pub(super) struct Outbox {
    pub(super) lists: Box<dyn RecordLists>,
    pub(super) sent: Sent,
}

/// All that an outbox contains beside the records.
pub(super) struct Sent {
    /// At least the sum of the numbers' values of what goes to the next level.
    pub(super) adjacent_bound: f64,
    pub(super) long: Bags,
    pub(super) written: Written,
    /// What arrived at the 1-terminal: a number of a limb more than the others, in which the sum
    /// of any that can be sent in a batch fits.
    pub(super) ones: Vec<u64>,
    /// Over how many edges.
    pub(super) ones_edges: u64,
    pub(super) edges: u64,
    /// A buffer for [`StateType::place`](super::states::StateType::place).
    pub(super) encoded: Vec<u8>,
}

impl Outbox {
    pub(super) fn new(lists: Box<dyn RecordLists>) -> Self {
        let sent = Sent {
            adjacent_bound: 0.0,
            long: Bags {
                list: Vec::new(),
                close: [Close::NONE; CLOSE],
                numbers: Map::default(),
                next: 0,
            },
            written: Written::default(),
            ones: Vec::new(),
            ones_edges: 0,
            edges: 0,
            encoded: Vec::new(),
        };
        Outbox { lists, sent }
    }

    /// Empties the box for the expansion of `variable`, whose numbers have this width, and whose
    /// next level has so many partitions.
    pub(super) fn reset(&mut self, variable: usize, width: usize, partitions: usize) {
        self.lists.reset(partitions);
        let sent = &mut self.sent;
        sent.adjacent_bound = 0.0;
        sent.long.reset(variable + 1);
        sent.written.clear();
        sent.ones.clear();
        sent.ones.resize(width + 1, 0);
        sent.ones_edges = 0;
        sent.edges = 0;
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.lists.bytes() + self.sent.written.bytes()
    }
}
