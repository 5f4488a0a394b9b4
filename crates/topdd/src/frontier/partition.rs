//! A slice of a level, and how states find their place in it.

use super::blocks::{Blocks, Spare};
use super::index::Index;
use super::limbs::{self, ANY_WIDTH};
use super::via::Via;
use crate::spec::Codec;
use ahash::RandomState;
use num_bigint::BigUint;
use rapidhash::v3::rapidhash_v3;
use std::hash::Hash;
use std::ops::Add;
use std::vec::Drain;

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

/// The hash by which a state is assigned to a partition of its level, and to one of several
/// passes over that partition.
///
/// Every process that may resume a run must compute the same hash, because the layout of its
/// files depends on it. If states may go to disk, the hash is rapidhash V3 of the encoded state,
/// which never changes. Otherwise it is that of [`Hasher`], which varies with the processor and
/// the version of its crate.
#[derive(Clone)]
pub(super) struct Placement<S> {
    hasher: Hasher,
    codec: Option<Codec<S>>,
}

impl<S: Hash> Placement<S> {
    /// `codec` encodes the states, if they may go to disk.
    pub(super) fn new(codec: Option<Codec<S>>) -> Self {
        Placement { hasher: Hasher::new(), codec }
    }

    /// The place of a state. `encoded` is a buffer of the caller's.
    #[inline]
    pub(super) fn of(&self, state: &S, encoded: &mut Vec<u8>) -> PlaceHash {
        match &self.codec {
            None => PlaceHash(self.hasher.hash(state)),
            Some(codec) => Self::on_disk(codec, state, encoded),
        }
    }

    // A separate function keeps `of` short enough to be inlined into the expansion. Without
    // inlining, calls of `of` took 3 % of the instructions of a sweep.
    #[inline(never)]
    fn on_disk(codec: &Codec<S>, state: &S, encoded: &mut Vec<u8>) -> PlaceHash {
        encoded.clear();
        codec.write(state, encoded);
        PlaceHash(rapidhash_v3(encoded))
    }
}

/// The hash that assigns a state to its place. Partitions and passes are chosen by different bits,
/// so that the states of each partition are spread over all passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlaceHash(u64);

impl PlaceHash {
    /// The index of the partition. `partitions` is a power of two, at most
    /// [`MOST_PARTITIONS`](super::pool::MOST_PARTITIONS). Uses bits from 32 up: the table within
    /// a partition uses the low bits of the in-memory hash.
    #[inline]
    pub(super) fn partition(self, partitions: usize) -> usize {
        (self.0 >> 32) as usize & (partitions - 1)
    }

    /// The index of the pass, below `passes`. Uses the low 32 bits.
    #[inline]
    pub(super) fn pass(self, passes: u64) -> u64 {
        u64::from(self.0 as u32) % passes
    }
}

/// Records whose places in the table are fetched together.
const AHEAD: usize = 32;

/// A slice of a level, chosen by state hash, small enough to stay in a core's cache
/// while records are merged into it.
// Two threads merge into two partitions that are side by side, so these must not share a line of
// any cache.
#[repr(align(128))]
pub(super) struct Partition<S> {
    /// The states, each with its number.
    pub(super) records: Blocks<S>,
    /// Finds states in `records`.
    table: Index,
    /// For each record in order of arrival, the index of the state it became. Kept when
    /// the sweep stores edges.
    pub(super) resolved: Vec<u32>,
    /// Of those that arrived over a forced node, the same, by those on the way.
    pub(super) vias: Vec<(Via, Vec<u32>)>,
    /// How much had arrived when the partition was last spilled.
    pub(super) spilled: u32,
}

impl<S: Eq + Hash + Clone> Partition<S> {
    /// An empty one, whose states take blocks from `spare`, and whose numbers have this width.
    pub(super) fn new(spare: &Spare<S>, width: usize) -> Self {
        Partition {
            records: Blocks::new(spare, width),
            table: Index::default(),
            resolved: Vec::new(),
            vias: Vec::new(),
            spilled: 0,
        }
    }

    /// Gives back what memory the table has, and the arrivals have beyond what they need.
    pub(super) fn shrink(&mut self) {
        self.table = Index::default();
        self.resolved.shrink_to_fit();
    }

    /// How many states it can have before its table grows.
    pub(super) fn room(&self) -> usize {
        self.table.capacity()
    }

    /// Whether it has no memory yet.
    pub(super) fn is_bare(&self) -> bool {
        self.table.capacity() == 0 && self.records.is_empty()
    }

    /// Leaves an empty partition in the place of this one.
    pub(super) fn take(&mut self) -> Self {
        let empty = Partition::new(self.records.spare(), self.records.width());
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
    pub(super) fn swap_arrivals(&mut self, via: Via) {
        let known = self.vias.iter().position(|&(other, _)| other == via);
        let number = known.unwrap_or_else(|| {
            self.vias.push((via, Vec::new()));
            self.vias.len() - 1
        });
        std::mem::swap(&mut self.resolved, &mut self.vias[number].1);
    }

    /// Merges a state that is not an arrival. Answers its index and whether it was new.
    pub(super) fn find_or_insert(
        &mut self,
        hasher: &Hasher,
        hash: u64,
        state: S,
        number: &[u64],
    ) -> (u32, bool) {
        self.find_or_insert_in(self.records.width(), hasher, hash, state, number)
    }

    /// The same, where the caller knows the width of the numbers here.
    // Counted: calls to it were a seventh of the instructions of merging.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn find_or_insert_in(
        &mut self,
        width: usize,
        hasher: &Hasher,
        hash: u64,
        state: S,
        number: &[u64],
    ) -> (u32, bool) {
        let records = &self.records;
        let found =
            self.table.find_or_insert(hash, |i| records[i] == state, |i| hasher.hash(&records[i]));
        if let Some(i) = found {
            if width > 0 {
                self.records.add_in(width, i, number);
            }
            (i as u32, false)
        } else {
            self.records.push_in(width, state, number);
            (self.records.len() as u32 - 1, true)
        }
    }

    /// Adds a state that is known not to be here.
    pub(super) fn insert(&mut self, hasher: &Hasher, hash: u64, state: S, number: &[u64]) {
        let records = &self.records;
        self.table.find_or_insert(hash, |_| false, |i| hasher.hash(&records[i]));
        self.records.push(state, number);
    }

    /// Merges states in order: as arrivals if these are `kept`, where no state has a number; else
    /// with their numbers, multiplied by `factor` if there is one.
    pub(super) fn absorb(
        &mut self,
        hasher: &Hasher,
        states: Drain<'_, S>,
        numbers: &[u64],
        factor: Option<&BigUint>,
        kept: bool,
    ) -> Merged {
        let width = numbers.len().checked_div(states.len()).unwrap_or(0);
        match (width, self.records.width()) {
            _ if kept => self.absorb_in::<0, true>(hasher, states, numbers, factor),
            (1, 1) => self.absorb_in::<1, false>(hasher, states, numbers, factor),
            (2, 2) => self.absorb_in::<2, false>(hasher, states, numbers, factor),
            _ => self.absorb_in::<ANY_WIDTH, false>(hasher, states, numbers, factor),
        }
    }

    /// [`absorb`](Self::absorb) for numbers of this width, here and there.
    fn absorb_in<const WIDTH: usize, const KEPT: bool>(
        &mut self,
        hasher: &Hasher,
        mut states: Drain<'_, S>,
        numbers: &[u64],
        factor: Option<&BigUint>,
    ) -> Merged {
        let mut merged = Merged { records: states.len() as u64, ..Merged::default() };
        let (width, width_here) = if WIDTH == ANY_WIDTH {
            (numbers.len().checked_div(states.len()).unwrap_or(0), self.records.width())
        } else {
            (WIDTH, WIDTH)
        };
        let mut numbers = numbers;
        let mut product = Vec::new();
        let mut hashes = [0; AHEAD];
        loop {
            // All places in the table are asked for before the first is waited for: what comes
            // next depends on what is there, so that one by one they would be fetched in turn.
            let mut fetched = 0;
            let next = states.as_slice();
            let ahead = next.len().min(AHEAD);
            for (hash, state) in hashes.iter_mut().zip(next) {
                *hash = hasher.hash(state);
                fetched ^= self.table.touch(*hash);
            }
            std::hint::black_box(fetched);
            for (&hash, state) in hashes[..ahead].iter().zip(&mut states) {
                let (mut number, rest) = numbers.split_at(width);
                numbers = rest;
                if let (false, Some(factor)) = (KEPT, factor) {
                    limbs::multiply(number, factor, width_here, &mut product);
                    number = &product;
                }
                let (index, new) = self.find_or_insert_in(width_here, hasher, hash, state, number);
                if KEPT {
                    self.resolved.push(index);
                }
                merged.new += u64::from(new);
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

#[cfg(test)]
mod tests {
    use super::super::pool::MOST_PARTITIONS;
    use super::*;

    fn place_on_disk(state: u64) -> PlaceHash {
        Placement::new(Some(Codec::new())).of(&state, &mut Vec::new())
    }

    /// A checkpoint must be readable by later versions, on any processor.
    #[test]
    fn places_on_disk_never_change() {
        let places = [0, 1, 2, u64::MAX].map(place_on_disk);
        let fixed =
            [11456056956516475379, 13745399687937306556, 17104135598132064391, 9950808644265218413];
        assert_eq!(places, fixed.map(PlaceHash));
    }

    #[test]
    fn passes_split_every_partition_evenly() {
        let passes = 8;
        for partitions in [1, 2, 128, 512, MOST_PARTITIONS] {
            let wanted = 400 * passes;
            let mut counts = vec![0u64; passes as usize];
            let in_last = (0..).map(place_on_disk);
            let in_last = in_last.filter(|place| place.partition(partitions) == partitions - 1);
            for place in in_last.take(wanted as usize) {
                counts[place.pass(passes) as usize] += 1;
            }
            assert!(
                counts.iter().all(|count| (300..500).contains(count)),
                "{partitions}: {counts:?}"
            );
        }
    }
}
