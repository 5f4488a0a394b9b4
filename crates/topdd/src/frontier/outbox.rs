//! What the expansion of states produces, on its way to where it goes.

use super::blocks::{Pile, Spare};
use super::via::Via;
use crate::hash::Map;

/// States on their way to one level, by partition, in order, each with its number. Their hashes
/// have chosen the partitions and are computed again there: that costs less than to store them.
pub(super) struct Bag<S> {
    /// The variable of the level.
    pub(super) to: usize,
    /// The forced nodes on the way.
    pub(super) via: Via,
    pub(super) records: Vec<Pile<S>>,
    /// At least the sum of the numbers' values (see [`value`](super::limbs::value)).
    pub(super) weight: f64,
}

/// Lists that a bag has room for at least: what tells their lengths must not share a line of any
/// cache with the same of another thread's bag.
const LEAST_LISTS: usize = 16;

impl<S> Bag<S> {
    fn new() -> Self {
        Bag { to: 0, via: Via::NONE, records: Vec::with_capacity(LEAST_LISTS), weight: 0.0 }
    }

    /// Empties the bag for another level, which has so many partitions.
    fn reset(&mut self, (to, via): (usize, Via), partitions: usize, blocks: &Spare<S>) {
        self.to = to;
        self.via = via;
        self.records.iter_mut().for_each(|records| records.clear(blocks));
        self.records.resize_with(partitions, Pile::new);
        self.weight = 0.0;
    }

    fn bytes(&self) -> usize {
        self.records.iter().map(Pile::bytes).sum()
    }
}

/// Where an edge leads, in a byte: a partition of the next level, or one of these.
pub(super) const TO_ONE: u8 = 254;
pub(super) const TO_FAR: u8 = 255;

/// An edge that skips variables: the number of its bag in the outbox, and the partition.
#[derive(Clone, Copy)]
pub(super) struct FarDestination {
    code: u32,
}

crate::portable!(FarDestination { code });

impl FarDestination {
    /// There are at most 128 partitions, and of more bags than fit a level is refused when they
    /// are delivered (see [`far_entry`](super::current::Current::far_entry)).
    #[inline]
    pub(super) fn new(bag: usize, partition: usize) -> Self {
        FarDestination { code: (bag as u32) << 8 | partition as u32 }
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

/// The edges of a run of nodes, as expansion writes them: by where they go, not yet by
/// what they lead to.
#[derive(Default)]
pub(super) struct Written {
    /// The number of nodes.
    pub(super) nodes: usize,
    /// Their shapes; see [`ShapeWriter`](super::unreduced::ShapeWriter).
    pub(super) shape: Vec<u8>,
    /// A byte for each edge.
    pub(super) destinations: Vec<u8>,
    /// More about each edge whose byte is [`TO_FAR`].
    pub(super) far: Vec<FarDestination>,
}

crate::portable!(Written { nodes, shape, destinations, far });

impl Written {
    /// Empties it for other nodes.
    pub(super) fn clear(&mut self) {
        self.nodes = 0;
        self.shape.clear();
        self.destinations.clear();
        self.far.clear();
    }

    /// Its memory, emptied.
    pub(super) fn cleared(mut self) -> Self {
        self.clear();
        self
    }

    pub(super) fn bytes(&self) -> usize {
        self.shape.capacity()
            + self.destinations.capacity()
            + self.far.capacity() * size_of::<FarDestination>()
    }
}

/// A bag that is found without hashing: there is a place for one of each few ways.
#[derive(Clone, Copy)]
struct Close {
    to: usize,
    via: Via,
    number: usize,
}

impl Close {
    /// No edge leads to this variable.
    const NONE: Self = Close { to: usize::MAX, via: Via::NONE, number: 0 };
}

/// A power of two of such places.
const CLOSE: usize = 128;

/// What the expansion of a run of states produced.
// As two threads write to two of them that are side by side, they must not share a line of any
// cache.
#[repr(align(128))]
pub(super) struct Outbox<S> {
    /// For the next level.
    pub(super) near: Bag<S>,
    /// For levels beyond it, one for each way, in the order in which they were first met.
    pub(super) far: Vec<Bag<S>>,
    /// The numbers in `far` of some of the levels and ways; see [`Close`].
    close: [Close; CLOSE],
    /// Those of all.
    numbers: Map<(usize, Via), usize>,
    spare: Vec<Bag<S>>,
    /// Where the memory of the records comes from, and goes when they are merged.
    pub(super) blocks: Spare<S>,
    pub(super) written: Written,
    /// What arrived at the 1-terminal: a number of a limb more than the others, in which the sum
    /// of any that can be sent in a batch fits.
    pub(super) ones: Vec<u64>,
    /// Over how many edges.
    pub(super) ones_edges: u64,
    pub(super) edges: u64,
    /// How many forced states were gone past since the watch was last looked at for their sake.
    pub(super) chained: usize,
    /// A buffer for [`Placement`](super::partition::Placement).
    pub(super) encoded: Vec<u8>,
}

impl<S> Outbox<S> {
    pub(super) fn new(blocks: &Spare<S>) -> Self {
        Outbox {
            near: Bag::new(),
            far: Vec::new(),
            close: [Close::NONE; CLOSE],
            numbers: Map::default(),
            spare: Vec::new(),
            blocks: blocks.clone(),
            written: Written::default(),
            ones: Vec::new(),
            ones_edges: 0,
            edges: 0,
            chained: 0,
            encoded: Vec::new(),
        }
    }

    /// Empties the box for the expansion of `variable`, whose numbers have this width, and whose
    /// next level has so many partitions.
    pub(super) fn reset(&mut self, variable: usize, width: usize, partitions: usize) {
        self.near.reset((variable + 1, Via::NONE), partitions, &self.blocks);
        // The first bag is the first to be used again: it is mostly the same level, or one like
        // it, that is met first.
        self.spare.extend(self.far.drain(..).rev());
        self.close = [Close::NONE; CLOSE];
        self.numbers.clear();
        self.written.clear();
        self.ones.clear();
        self.ones.resize(width + 1, 0);
        self.ones_edges = 0;
        self.edges = 0;
    }

    /// The number of the bag for a level beyond the next, which has so many partitions, and this
    /// way to it.
    #[inline]
    pub(super) fn far_bag(
        &mut self,
        to: usize,
        via: Via,
        partitions: impl FnOnce() -> usize,
    ) -> usize {
        let place = via.number_of_way(self.near.to, to, CLOSE);
        let close = &self.close[place];
        if close.to == to && close.via == via {
            return close.number;
        }
        let number = self.any_bag(to, via, partitions);
        self.close[place] = Close { to, via, number };
        number
    }

    #[inline(never)]
    fn any_bag(&mut self, to: usize, via: Via, partitions: impl FnOnce() -> usize) -> usize {
        if let Some(&number) = self.numbers.get(&(to, via)) {
            return number;
        }
        let number = self.new_bag(to, via, partitions());
        self.numbers.insert((to, via), number);
        number
    }

    fn new_bag(&mut self, to: usize, via: Via, partitions: usize) -> usize {
        let mut bag = self.spare.pop().unwrap_or_else(Bag::new);
        bag.reset((to, via), partitions, &self.blocks);
        self.far.push(bag);
        self.far.len() - 1
    }

    /// How many records there are for each partition of the next level.
    pub(super) fn near_counts(&self) -> Vec<u32> {
        self.near.records.iter().map(|records| records.len() as u32).collect()
    }

    pub(super) fn bytes(&self) -> usize {
        self.near.bytes()
            + self.far.iter().chain(&self.spare).map(Bag::bytes).sum::<usize>()
            + self.written.bytes()
    }

    /// Those of the blocks that are given back when the records are merged.
    pub(super) fn full_bytes(&self) -> usize {
        let bags = self.far.iter().chain([&self.near]);
        bags.flat_map(|bag| &bag.records).map(Pile::full_bytes).sum()
    }
}
