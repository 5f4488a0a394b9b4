//! What the expansion of states produces, on its way to where it goes.

use super::carry::Carry;
use std::collections::HashMap;

/// A state on its way to its level, with what it carries. Its hash has chosen the
/// partition and is computed again there: that costs less than to store it.
pub(super) type Record<S, G> = (S, G);

/// Records for one level, by partition, in order.
pub(super) struct Bag<S, G> {
    /// The variable of the level.
    pub(super) to: usize,
    pub(super) records: Vec<Vec<Record<S, G>>>,
    /// At least the sum of the weights of the records' cargos.
    pub(super) weight: f64,
}

impl<S, G> Bag<S, G> {
    fn new() -> Self {
        Bag { to: 0, records: Vec::new(), weight: 0.0 }
    }

    /// Empties the bag for another level, which has so many partitions.
    fn reset(&mut self, to: usize, partitions: usize) {
        self.to = to;
        self.records.iter_mut().for_each(Vec::clear);
        self.records.resize_with(partitions, Vec::new);
        self.weight = 0.0;
    }

    fn bytes(&self) -> usize {
        let record = size_of::<Record<S, G>>();
        self.records.iter().map(|records| records.capacity() * record).sum()
    }
}

/// Where an edge leads, in a byte: a partition of the next level, or one of these.
pub(super) const TO_ONE: u8 = 254;
pub(super) const TO_FAR: u8 = 255;

/// An edge that skips variables: the number of its bag in the outbox, and the partition.
#[derive(Clone, Copy)]
pub(super) struct FarDestination {
    pub(super) bag: u32,
    pub(super) partition: u8,
}

crate::portable!(FarDestination { bag, partition });

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

/// Levels beyond the next whose bags are found without hashing.
const CLOSE: usize = 32;

/// What the expansion of a run of states produced.
pub(super) struct Outbox<S, G> {
    /// For the next level.
    pub(super) near: Bag<S, G>,
    /// For levels beyond it, in the order in which they were first met.
    pub(super) far: Vec<Bag<S, G>>,
    /// The numbers in `far` of the levels just beyond the next, plus one; 0 where there is none.
    close_numbers: [u32; CLOSE],
    /// Those of all others, by variable.
    distant_numbers: HashMap<usize, usize>,
    spare: Vec<Bag<S, G>>,
    pub(super) written: Written,
    /// What arrived at the 1-terminal, over how many edges, and its weight.
    pub(super) ones: G,
    pub(super) ones_edges: u64,
    pub(super) ones_weight: f64,
    pub(super) edges: u64,
}

impl<S, G: Clone> Outbox<S, G> {
    pub(super) fn new<C: Carry<Cargo = G>>() -> Self {
        Outbox {
            near: Bag::new(),
            far: Vec::new(),
            close_numbers: [0; CLOSE],
            distant_numbers: HashMap::new(),
            spare: Vec::new(),
            written: Written::default(),
            ones: C::nothing(),
            ones_edges: 0,
            ones_weight: 0.0,
            edges: 0,
        }
    }

    /// Empties the box for the expansion of `variable`, whose next level has so many
    /// partitions.
    pub(super) fn reset<C: Carry<Cargo = G>>(&mut self, variable: usize, partitions: usize) {
        self.near.reset(variable + 1, partitions);
        self.spare.append(&mut self.far);
        self.close_numbers = [0; CLOSE];
        self.distant_numbers.clear();
        self.written.clear();
        self.ones = C::nothing();
        self.ones_edges = 0;
        self.ones_weight = 0.0;
        self.edges = 0;
    }

    /// The number of the bag for a level beyond the next, which has so many partitions.
    #[inline]
    pub(super) fn far_bag(&mut self, to: usize, partitions: impl FnOnce() -> usize) -> usize {
        // Most edges that skip variables skip few.
        let slot = to - self.near.to;
        match self.close_numbers.get(slot) {
            Some(&number) if number != 0 => number as usize - 1,
            Some(_) => {
                let number = self.new_bag(to, partitions());
                self.close_numbers[slot] = number as u32 + 1;
                number
            }
            None => self.distant_bag(to, partitions),
        }
    }

    #[inline(never)]
    fn distant_bag(&mut self, to: usize, partitions: impl FnOnce() -> usize) -> usize {
        if let Some(&number) = self.distant_numbers.get(&to) {
            return number;
        }
        let number = self.new_bag(to, partitions());
        self.distant_numbers.insert(to, number);
        number
    }

    #[inline(never)]
    fn new_bag(&mut self, to: usize, partitions: usize) -> usize {
        let mut bag = self.spare.pop().unwrap_or_else(Bag::new);
        bag.reset(to, partitions);
        self.far.push(bag);
        self.far.len() - 1
    }

    pub(super) fn bytes(&self) -> usize {
        self.near.bytes()
            + self.far.iter().chain(&self.spare).map(Bag::bytes).sum::<usize>()
            + self.written.bytes()
    }
}
