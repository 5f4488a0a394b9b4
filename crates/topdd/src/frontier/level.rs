//! A level under construction: its partitions, and how states find their place.

use super::blocks::{Blocks, Spare};
use super::carry::Carry;
use super::index::Index;
use super::outbox::{Bag, Record};
use super::spilled::{Run, SettledArrivals};
use super::via::Via;
use super::workers::{Workers, for_all};
use crate::Error;
use ahash::RandomState;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::hash::Hash;
use std::ops::Add;

/// The hash of states: keyed by constants, so that a sweep is the same every time.
#[derive(Clone)]
pub(super) struct Hasher(RandomState);

impl Hasher {
    pub(super) fn new() -> Self {
        Hasher(RandomState::with_seeds(
            0x243f_6a88_85a3_08d3,
            0x1319_8a2e_0370_7344,
            0xa409_3822_299f_31d0,
            0x082e_fa98_ec4e_6c89,
        ))
    }

    #[inline]
    pub(super) fn hash<S: Hash>(&self, state: &S) -> u64 {
        self.0.hash_one(state)
    }
}

/// Chooses the partition of a hash: by bits that the table within a partition does not use
/// for the place of a state, which are the lowest.
#[inline]
pub(super) fn partition_of(hash: u64, partitions: usize) -> usize {
    (hash >> 32) as usize & (partitions - 1)
}

/// The most partitions of a level.
const MOST_PARTITIONS: usize = 1 << 10;

/// Records whose places in the table are fetched together.
const AHEAD: usize = 32;

/// A slice of a level, chosen by state hash, small enough to stay in a core's cache
/// while records are merged into it.
// Two threads merge into two partitions that are side by side, so these must not share a line of
// any cache.
#[repr(align(128))]
pub(super) struct Partition<S, G> {
    /// The states, each with what it carries.
    pub(super) records: Blocks<Record<S, G>>,
    /// Finds states in `records`.
    table: Index,
    /// For each record in order of arrival, the index of the state it became. Kept when
    /// the sweep stores edges.
    pub(super) resolved: Vec<u32>,
    /// Of those that arrived over a forced node, the same, by those on the way.
    vias: Vec<(Via, Vec<u32>)>,
    /// How much had arrived when the partition was last spilled.
    pub(super) spilled: u32,
}

impl<S: Eq + Hash + Clone, G: Clone> Partition<S, G> {
    /// An empty one, whose records take blocks from `spare`.
    pub(super) fn new(spare: &Spare<Record<S, G>>) -> Self {
        Partition {
            records: Blocks::new(spare),
            table: Index::default(),
            resolved: Vec::new(),
            vias: Vec::new(),
            spilled: 0,
        }
    }

    /// Gives back what memory the table has.
    pub(super) fn shrink(&mut self) {
        self.table = Index::default();
    }

    /// Whether it has no memory yet.
    pub(super) fn is_bare(&self) -> bool {
        self.table.capacity() == 0 && self.records.is_empty()
    }

    /// Leaves an empty partition in the place of this one.
    pub(super) fn take(&mut self) -> Self {
        let empty = Partition::new(self.records.spare());
        std::mem::replace(self, empty)
    }

    /// How many records have arrived this way, whose order the sweep needs to know.
    pub(super) fn arrived(&self, via: Via) -> u32 {
        if via.is_none() {
            return self.spilled + self.resolved.len() as u32;
        }
        let list = self.vias.iter().find(|&&(other, _)| other == via);
        list.map_or(0, |(_, arrivals)| arrivals.len() as u32)
    }

    /// Puts the arrivals over these forced nodes in the place of those over none, and back.
    fn swap_arrivals(&mut self, via: Via) {
        let known = self.vias.iter().position(|&(other, _)| other == via);
        let number = known.unwrap_or_else(|| {
            self.vias.push((via, Vec::new()));
            self.vias.len() - 1
        });
        std::mem::swap(&mut self.resolved, &mut self.vias[number].1);
    }

    /// Merges a record; `hash` is the hash of `state`. Answers whether the state was new.
    // Counted: calls to it were a seventh of the instructions of merging.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(super) fn merge<C: Carry<Cargo = G>>(
        &mut self,
        hasher: &Hasher,
        hash: u64,
        state: S,
        cargo: G,
    ) -> bool {
        let (index, new) = self.find_or_insert::<C>(hasher, hash, state, cargo);
        if C::EDGES {
            self.resolved.push(index);
        }
        new
    }

    /// Merges a state that is not an arrival. Answers its index and whether it was new.
    // Counted: calls to it were a seventh of the instructions of merging.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(super) fn find_or_insert<C: Carry<Cargo = G>>(
        &mut self,
        hasher: &Hasher,
        hash: u64,
        state: S,
        cargo: G,
    ) -> (u32, bool) {
        let records = &self.records;
        let found = self.table.find_or_insert(
            hash,
            |i| records[i].0 == state,
            |i| hasher.hash(&records[i].0),
        );
        if let Some(i) = found {
            C::merge(&mut self.records[i].1, &cargo);
            (i as u32, false)
        } else {
            self.records.push((state, cargo));
            (self.records.len() as u32 - 1, true)
        }
    }

    /// Adds a state that is known not to be here.
    pub(super) fn insert(&mut self, hasher: &Hasher, hash: u64, state: S, cargo: G) {
        let records = &self.records;
        self.table.find_or_insert(hash, |_| false, |i| hasher.hash(&records[i].0));
        self.records.push((state, cargo));
    }

    /// Merges records in order, their cargos multiplied by `factor` if there is one.
    fn absorb<C: Carry<Cargo = G>>(
        &mut self,
        hasher: &Hasher,
        records: &mut Vec<(S, G)>,
        factor: Option<&BigUint>,
    ) -> Merged {
        let mut merged = Merged { records: records.len() as u64, ..Merged::default() };
        let mut hashes = [0; AHEAD];
        let mut records = records.drain(..);
        loop {
            // All places in the table are asked for before the first is waited for: what comes
            // next depends on what is there, so that one by one they would be fetched in turn.
            let mut fetched = 0;
            let next = records.as_slice();
            let ahead = next.len().min(AHEAD);
            for (hash, (state, _)) in hashes.iter_mut().zip(next) {
                *hash = hasher.hash(state);
                fetched ^= self.table.touch(*hash);
            }
            std::hint::black_box(fetched);
            for (&hash, (state, mut cargo)) in hashes[..ahead].iter().zip(&mut records) {
                if let Some(factor) = factor {
                    cargo = C::skip(&cargo, factor);
                }
                merged.new += u64::from(self.merge::<C>(hasher, hash, state, cargo));
            }
            if ahead < AHEAD {
                return merged;
            }
        }
    }

    /// What it takes of memory: what is in use or was, not what a vector may yet grow into.
    pub(super) fn bytes(&self) -> usize {
        let table = self.table.bytes();
        // The partitions of a level are filled alike, so they all grow at the same time: that
        // has to be seen coming.
        let growing = self.table.len() >= self.table.capacity() / 4 * 3;
        self.records.bytes()
            + self.resolved.len() * size_of::<u32>()
            + self.vias.iter().map(|(_, list)| list.len() * size_of::<u32>()).sum::<usize>()
            + if growing { 2 * table } else { table }
    }

    pub(super) fn clear(&mut self) {
        self.spilled = 0;
        self.records.clear();
        self.table.clear();
        self.resolved.clear();
        self.vias.clear();
    }
}

/// What arrived at a level over nodes with a forced value, all at the same variables.
///
/// Such a node is known by what its one edge leads to, and is not met as a state itself: whoever
/// has an edge to it has an edge here that says so.
#[derive(Clone, Debug)]
pub(super) struct OverForced {
    pub(super) via: Via,
    /// The first variable with an edge to one of them.
    pub(super) first: usize,
    /// As [`Level::far_arrivals`].
    pub(super) arrivals: Vec<Vec<u32>>,
}

impl OverForced {
    pub(super) fn bytes(&self) -> usize {
        self.arrivals.iter().map(|arrivals| arrivals.capacity() * size_of::<u32>()).sum()
    }
}

/// All that arrived over edges that skip variables at a level that is complete.
#[derive(Clone, Debug, Default)]
pub(super) struct FarArrivals {
    /// The number of the first state of each partition.
    pub(super) bases: Vec<u32>,
    /// As [`Level::far_arrivals`].
    pub(super) arrivals: Vec<Vec<u32>>,
    pub(super) vias: Vec<OverForced>,
}

impl FarArrivals {
    /// Writes the numbers that the states of arrivals have, in the order of the partitions.
    pub(super) fn number(&self, arrivals: &[u32], out: &mut [u32]) {
        // A power of two, by which nothing need be divided; where there is but one partition,
        // the places are the numbers.
        let partitions = self.bases.len() as u32;
        if partitions == 1 {
            out.copy_from_slice(arrivals);
            return;
        }
        let (mask, shift) = (partitions - 1, partitions.trailing_zeros());
        for (out, &place) in out.iter_mut().zip(arrivals) {
            *out = self.bases[(place & mask) as usize] + (place >> shift);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let plain = self.arrivals.iter().map(|of| of.capacity() * size_of::<u32>()).sum::<usize>();
        plain + self.vias.iter().map(OverForced::bytes).sum::<usize>()
    }
}

/// How many records were merged, and how many of them were states not met before.
#[derive(Clone, Copy, Default)]
pub(super) struct Merged {
    pub(super) records: u64,
    pub(super) new: u64,
    /// The bytes by which the levels that wait grew.
    pub(super) waiting_bytes: usize,
}

impl Add for Merged {
    type Output = Merged;
    fn add(self, other: Merged) -> Merged {
        Merged {
            records: self.records + other.records,
            new: self.new + other.new,
            waiting_bytes: self.waiting_bytes + other.waiting_bytes,
        }
    }
}

/// The levels that states have arrived at, by variable: few at any one time.
pub(super) type Waiting<S, G> = BTreeMap<usize, Box<Level<S, G>>>;

/// All distinct states at one variable, as far as they are known.
pub(super) struct Level<S, G> {
    /// A power of two of them.
    pub(super) partitions: Vec<Partition<S, G>>,
    /// At least the sum of the weights of all cargos here.
    pub(super) weight: f64,
    /// The first variable that has an edge skipping variables to this level.
    pub(super) first_far: Option<usize>,
    /// What arrived over such edges, once nothing more can: by the partition it arrived
    /// at, in order, the partition its state is in and the index there, as one number
    /// (see [`Level::seal_far`]).
    pub(super) far_arrivals: Vec<Vec<u32>>,
    /// What arrived over forced nodes; each partition keeps its arrivals itself until nothing
    /// more can come. Empty where edges are not stored, or may go to disk.
    pub(super) vias: Vec<OverForced>,
    /// What was written to disk to make room, the oldest first.
    pub(super) runs: Vec<Run>,
    /// How much of what arrived came over edges that skip variables, by partition, when
    /// nothing more can, for a level that had been spilled by then.
    pub(super) far_arrived: Option<Vec<u32>>,
    /// Whether no state is in two of the runs, nor in one of them and in memory.
    pub(super) settled: bool,
    /// The arrivals at a level that has just been settled.
    pub(super) arrivals: Option<SettledArrivals>,
}

/// Bags for a level.
pub(super) struct Delivery<'a, S, G> {
    pub(super) level: &'a mut Level<S, G>,
    /// Whether it is none but one of those that wait.
    pub(super) waits: bool,
    /// As the states are that they come from, in order.
    pub(super) bags: Vec<&'a mut Bag<S, G>>,
    /// What their cargos are multiplied by.
    pub(super) factor: Option<BigUint>,
}

impl<S: Eq + Hash + Clone + Send, G: Clone + Send> Delivery<'_, S, G> {
    /// # Errors
    ///
    /// When a partition might come to hold more than can be numbered.
    fn check(&self) -> Result<(), Error> {
        let partitions = &self.level.partitions;
        // Indices are 32-bit, and in far arrivals share these with the partition.
        let limit = u64::from(u32::MAX) / partitions.len() as u64;
        for (number, partition) in partitions.iter().enumerate() {
            let incoming: usize = self.bags.iter().map(|bag| bag.records[number].len()).sum();
            let vias = partition.vias.iter().map(|(_, list)| list.len());
            let arrived = vias.fold(partition.arrived(Via::NONE) as usize, usize::max);
            let there = partition.records.len().max(arrived);
            if (there + incoming) as u64 > limit {
                return Err(Error::TooLarge { what: "a partition", unit: "states", limit });
            }
        }
        Ok(())
    }
}

/// A partition that records arrive at.
struct Arriving<'a, S, G> {
    partition: &'a mut Partition<S, G>,
    /// As in [`Delivery`].
    waits: bool,
    factor: Option<&'a BigUint>,
}

/// Merges what is delivered to different levels; partitions are shared out to the workers, if
/// there are any. A group's records come way by way, so that the order of the states depends on
/// how a batch is cut, but nothing that is told of a sweep does.
///
/// # Errors
///
/// When a partition might come to hold more than can be numbered; then nothing was merged.
pub(super) fn absorb<C: Carry>(
    hasher: &Hasher,
    mut deliveries: Vec<Delivery<'_, impl Eq + Hash + Clone + Send, C::Cargo>>,
    workers: Option<&Workers>,
) -> Result<Merged, Error> {
    deliveries.iter().try_for_each(Delivery::check)?;
    let lists = deliveries.iter().map(|of| of.bags.len() * of.level.partitions.len()).sum();
    // What each partition gets, bag by bag: its order is that of the states.
    let mut incoming: Vec<(Via, &mut Vec<_>)> = Vec::with_capacity(lists);
    let mut targets = Vec::new();
    for Delivery { level, waits, bags, factor } in &mut deliveries {
        let count = level.partitions.len();
        let mut bags: Vec<_> =
            bags.iter_mut().map(|bag| (bag.via, bag.records.iter_mut())).collect();
        for (number, partition) in level.partitions.iter_mut().enumerate() {
            let before = incoming.len();
            for (via, lists) in &mut bags {
                let records = lists.next().expect("a list for each partition");
                if !records.is_empty() {
                    incoming.push((*via, records));
                }
            }
            if incoming.len() > before {
                let share = number * MOST_PARTITIONS / count;
                let arriving = Arriving { partition, waits: *waits, factor: factor.as_ref() };
                targets.push((share, arriving, incoming.len() - before));
            }
        }
    }
    let mut rest = &mut incoming[..];
    let with_lists = |(share, arriving, lists)| {
        let (of_this, others) = std::mem::take(&mut rest).split_at_mut(lists);
        rest = others;
        (share, arriving, of_this)
    };
    let mut work: Vec<_> = targets.into_iter().map(with_lists).collect();
    // Each worker begins with a stretch of the list. With partitions of the same number side by
    // side each gets as much of every level, and mostly the partitions whose states it expands.
    if workers.is_some() {
        work.sort_by_key(|&(share, ..)| share);
    }
    let merged = for_all(workers, work, |_, (_, arriving, lists)| {
        let Arriving { partition, waits, factor } = arriving;
        let bytes_before = if waits { partition.bytes() } else { 0 };
        let mut merged = Merged::default();
        for (via, records) in lists {
            let is_via = C::EDGES && !via.is_none();
            if is_via {
                partition.swap_arrivals(*via);
            }
            merged = merged + partition.absorb::<C>(hasher, records, factor);
            if is_via {
                partition.swap_arrivals(*via);
            }
        }
        merged.waiting_bytes = if waits { partition.bytes() - bytes_before } else { 0 };
        merged
    });
    Ok(merged.into_iter().fold(Merged::default(), Merged::add))
}

impl<S: Eq + Hash + Clone + Send, G: Clone + Send> Level<S, G> {
    /// The states here; of those on disk, each as often as it was spilled, which is once when
    /// they are settled.
    pub(super) fn states(&self) -> u64 {
        (0..self.partitions.len()).map(|number| self.states_in(number)).sum()
    }

    pub(super) fn states_in(&self, partition: usize) -> u64 {
        self.partitions[partition].records.len() as u64 + self.spilled_states(partition)
    }

    /// Whether part of it is on disk.
    pub(super) fn is_spilled(&self) -> bool {
        !self.runs.is_empty()
    }

    pub(super) fn bytes(&self) -> usize {
        let far = self.far_arrivals.iter().map(|arrivals| arrivals.capacity() * size_of::<u32>());
        self.partitions.iter().map(Partition::bytes).sum::<usize>()
            + far.sum::<usize>()
            + self.vias.iter().map(OverForced::bytes).sum::<usize>()
            + self.runs.iter().map(Run::bytes).sum::<usize>()
    }

    /// The number of the first state of each partition, when the states of the level
    /// are numbered partition by partition.
    pub(super) fn bases(&self) -> Vec<u64> {
        let mut base = 0;
        (0..self.partitions.len())
            .map(|number| {
                let this = base;
                base += self.states_in(number);
                this
            })
            .collect()
    }

    /// Notes that edges from `first` lead here over these forced nodes.
    pub(super) fn open_via(&mut self, via: Via, first: usize) {
        if self.vias.iter().all(|over| over.via != via) {
            self.vias.push(OverForced { via, first, arrivals: Vec::new() });
        }
    }

    /// Sets apart what arrived over edges that skip variables. What arrives from now on
    /// comes from the level just before this one.
    pub(super) fn seal_far(&mut self) {
        let count = self.partitions.len() as u32;
        for (number, partition) in (0..).zip(&mut self.partitions) {
            for (via, mut arrivals) in partition.vias.drain(..) {
                for index in &mut arrivals {
                    *index = *index * count + number;
                }
                let over = self.vias.iter_mut().find(|over| over.via == via);
                let over = over.expect("what arrives over a forced node was announced");
                over.arrivals.resize(count as usize, Vec::new());
                over.arrivals[number as usize] = arrivals;
            }
        }
        if self.first_far.is_none() || !self.far_arrivals.is_empty() {
            return;
        }
        if self.is_spilled() {
            self.far_arrived =
                Some(self.partitions.iter().map(|of| of.arrived(Via::NONE)).collect());
            return;
        }
        let partitions = self.partitions.len() as u32;
        for (number, partition) in (0..).zip(&mut self.partitions) {
            let mut arrivals = std::mem::take(&mut partition.resolved);
            arrivals.shrink_to_fit();
            if partitions > 1 {
                for index in &mut arrivals {
                    *index = *index * partitions + number;
                }
            }
            self.far_arrivals.push(arrivals);
        }
    }

    /// Spreads the states over more partitions, for a level that turns out wider than the
    /// first edges to it gave reason to expect. Far arrivals must be sealed and stay true.
    pub(super) fn spread(&mut self, hasher: &Hasher, partitions: usize, workers: Option<&Workers>) {
        let old_count = self.partitions.len();
        // Of a hash, more bits are looked at: what was in one partition goes to every `old_count`th.
        let shares = partitions / old_count;
        let spread = for_all(workers, std::mem::take(&mut self.partitions), |_, old| {
            let spare = old.records.spare().clone();
            let mut fresh: Vec<_> = (0..shares).map(|_| Partition::new(&spare)).collect();
            let mut moved = Vec::with_capacity(old.records.len());
            for (state, cargo) in old.records {
                let hash = hasher.hash(&state);
                let number = partition_of(hash, partitions);
                let to = &mut fresh[number / old_count];
                moved.push((to.records.len() * partitions + number) as u32);
                to.insert(hasher, hash, state, cargo);
            }
            (fresh, moved)
        });
        let (mut fresh, moved): (Vec<_>, Vec<_>) =
            spread.into_iter().map(|(fresh, moved)| (fresh.into_iter(), moved)).unzip();
        let next = |number: usize| fresh[number % old_count].next().expect("each has its share");
        self.partitions = (0..partitions).map(next).collect();
        let old_count = old_count as u32;
        let vias = self.vias.iter_mut().flat_map(|via| &mut via.arrivals);
        for place in self.far_arrivals.iter_mut().chain(vias).flatten() {
            *place = moved[(*place % old_count) as usize][(*place / old_count) as usize];
        }
    }

    /// The far arrivals, and those over forced nodes, when nothing more can come.
    pub(super) fn take_far_arrivals(&mut self) -> FarArrivals {
        FarArrivals {
            bases: self.bases().into_iter().map(|base| base as u32).collect(),
            arrivals: std::mem::take(&mut self.far_arrivals),
            vias: std::mem::take(&mut self.vias),
        }
    }

    pub(super) fn convert<H: Clone>(
        self,
        spare: &Spare<Record<S, H>>,
        mut f: impl FnMut(&G) -> H,
    ) -> Level<S, H> {
        let partitions = self.partitions.into_iter().map(|p| Partition {
            records: p.records.map(spare, |(state, cargo)| (state, f(&cargo))),
            table: p.table,
            resolved: p.resolved,
            vias: p.vias,
            spilled: p.spilled,
        });
        Level {
            partitions: partitions.collect(),
            weight: self.weight,
            first_far: self.first_far,
            far_arrivals: self.far_arrivals,
            vias: self.vias,
            runs: self.runs,
            far_arrived: self.far_arrived,
            settled: self.settled,
            arrivals: self.arrivals,
        }
    }
}

/// What decides how far levels are split.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizing {
    /// The threads that share the partitions of a level.
    pub(super) threads: usize,
    /// The bytes that all may take.
    pub(super) memory_limit: Option<usize>,
}

/// Partitions that were used and emptied: most levels are as wide as the one before, and
/// fresh tables for every level would cost as much in page faults as the merging itself.
pub(super) struct Pool<S, G> {
    spare: Vec<Partition<S, G>>,
    /// How many were asked for since the spare ones were last trimmed, and between that and
    /// the time before: levels that are skipped to are not begun one by one.
    asked: [usize; 2],
    pub(super) blocks: Spare<Record<S, G>>,
    /// The most partitions that a level is split into.
    most: u64,
    sizing: Sizing,
}

impl<S: Eq + Hash + Clone, G: Clone> Pool<S, G> {
    /// States that a partition is meant to hold, of a level that is split.
    const PARTITION_STATES: u64 = 1 << 14;
    /// A level that takes no more bytes is not split, but for threads to share it: it stays in
    /// cache as a whole.
    const WHOLE_BYTES: usize = 1 << 22;
    /// What part of a memory limit such a level may take: one that is split can be spilled bit
    /// by bit.
    const WHOLE_SHARE: usize = 64;
    /// A spare partition larger than this is not handed to a level that needs little:
    /// emptying its table would cost more than a new one.
    const SMALL: usize = 1 << 10;

    pub(super) fn new<C: Carry<Cargo = G>>(sizing: Sizing) -> Self {
        // Where edges are stored, the numbers of partitions fit a byte, with some to spare
        // for edges that go elsewhere. Otherwise there may be as many as there are pages that
        // a core can write to by turns.
        let most = if C::EDGES { 128 } else { MOST_PARTITIONS as u64 };
        Pool { spare: Vec::new(), asked: [0; 2], blocks: Spare::new(), most, sizing }
    }

    pub(super) fn sizing(&self) -> Sizing {
        self.sizing
    }

    /// The partitions of a level of about `states` states.
    pub(super) fn partitions(&self, states: u64) -> usize {
        let split = states.div_ceil(Self::PARTITION_STATES).next_power_of_two();
        // With its slot in the table, and as much again for it to grow.
        let bytes = states * (size_of::<Record<S, G>>() + 2 * size_of::<u32>()) as u64;
        let share = self.sizing.memory_limit.map_or(usize::MAX, |limit| limit / Self::WHOLE_SHARE);
        let wanted = if bytes <= Self::WHOLE_BYTES.min(share) as u64 {
            split.min(self.sizing.threads.next_power_of_two() as u64)
        } else {
            split
        };
        wanted.clamp(1, self.most) as usize
    }

    /// A level for about `states` states.
    pub(super) fn level(&mut self, states: u64) -> Level<S, G> {
        let count = self.partitions(states);
        self.asked[0] += count;
        let small = states < Self::SMALL as u64 / 4;
        let fits = |spare: &Partition<S, G>| !small || spare.table.capacity() <= Self::SMALL;
        let mut partitions: Vec<_> = (0..count)
            .map(|_| match self.spare.last() {
                Some(spare) if fits(spare) => self.spare.pop().expect("there is a last one"),
                _ => Partition::new(&self.blocks),
            })
            .collect();
        // In the order in which they were given back: so each has mostly the memory of the one
        // of its number before, which is in the cache of the core that had that one.
        partitions.reverse();
        Level {
            partitions,
            weight: 0.0,
            first_far: None,
            far_arrivals: Vec::new(),
            vias: Vec::new(),
            runs: Vec::new(),
            far_arrived: None,
            settled: false,
            arrivals: None,
        }
    }

    /// Takes an emptied partition back.
    pub(super) fn recycle(&mut self, mut partition: Partition<S, G>) {
        partition.clear();
        self.spare.push(partition);
    }

    /// A partition with memory that was used before, if there is one.
    pub(super) fn spare(&mut self) -> Option<Partition<S, G>> {
        self.spare.pop()
    }

    /// Keeps no more spare partitions than were asked for of late, or a level as wide as the
    /// last needs, and no more bytes than it.
    pub(super) fn trim(&mut self, partitions: usize, bytes: usize) {
        let [asked, asked_before] = self.asked;
        self.spare.truncate(partitions.max(asked).max(asked_before).max(1));
        self.asked = [0, asked];
        self.blocks.trim(bytes);
    }

    /// Keeps no spare partitions, and so many bytes.
    pub(super) fn empty(&mut self, bytes: usize) {
        self.spare = Vec::new();
        self.blocks.trim(bytes);
    }

    pub(super) fn bytes(&self) -> usize {
        self.spare.iter().map(Partition::bytes).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::carry::Build;
    use super::*;

    type States = Level<u64, ()>;

    /// A level of so many partitions where each of these states arrived from afar.
    fn level(hasher: &Hasher, partitions: usize, states: impl Iterator<Item = u64>) -> States {
        let sizing = Sizing { threads: 1, memory_limit: None };
        let mut pool = Pool::new::<Build>(sizing);
        let mut level: States = pool.level(1);
        level.partitions = (0..partitions).map(|_| Partition::new(&pool.blocks)).collect();
        level.first_far = Some(0);
        for state in states {
            let hash = hasher.hash(&state);
            let partition = &mut level.partitions[partition_of(hash, partitions)];
            partition.merge::<Build>(hasher, hash, state, ());
        }
        level.seal_far();
        level
    }

    /// The states that arrived, as the places tell that stand for them.
    fn arrived(level: &States) -> Vec<Vec<u64>> {
        let count = level.partitions.len();
        let state = |&place: &u32| {
            level.partitions[place as usize % count].records[place as usize / count].0
        };
        level.far_arrivals.iter().map(|list| list.iter().map(state).collect()).collect()
    }

    #[test]
    fn what_is_spread_is_found_in_its_partition_and_by_who_arrived_before() {
        let hasher = Hasher::new();
        let workers = Workers::new(Some(3)).unwrap();
        for (old, new) in [(1, 4), (2, 16), (8, 128)] {
            let states = || (0..20_000u64).map(|number| number * number % 7919);
            let before = arrived(&level(&hasher, old, states()));
            let mut orders = Vec::new();
            for workers in [None, Some(&workers)] {
                let mut level = level(&hasher, old, states());
                let known = level.states();
                level.spread(&hasher, new, workers);
                assert_eq!((level.partitions.len(), level.states()), (new, known));
                assert_eq!(arrived(&level), before);
                for state in states() {
                    let hash = hasher.hash(&state);
                    let partition = &mut level.partitions[partition_of(hash, new)];
                    assert!(!partition.find_or_insert::<Build>(&hasher, hash, state, ()).1);
                }
                let order = level.partitions.iter().flat_map(|of| of.records.iter());
                orders.push(order.copied().collect::<Vec<_>>());
            }
            assert_eq!(orders[0], orders[1]);
        }
    }
}
