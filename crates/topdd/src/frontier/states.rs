//! The states of one partition: the only part of a level that depends on their type.
//!
//! [`States`] is the interface to the sweep; [`Table`] implements it for each type of state.

use super::blocks::Blocks;
use super::bound::{ANY_WIDTH, has_constant_widths};
use super::checks::Checks;
use super::index::Index;
use super::monitor::Check;
use super::numbering::{Place, Places};
use super::payload::Combiner;
use crate::BuildError;
use crate::limbs;
use crate::spec::{Codec, Portable};
use ahash::RandomState;
use rapidhash::v3::rapidhash_v3;
use std::any::Any;
use std::hash::Hash;
use std::mem::needs_drop;
use std::ops::Range;
use std::sync::Arc;
use std::vec::Drain;

/// The traits of a state.
pub(super) trait State: Clone + Eq + Hash + Send + Sync + 'static {}

impl<S: Clone + Eq + Hash + Send + Sync + 'static> State for S {}

/// The features of states that a run needs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Needs {
    /// Other processes must compute the same routes: those of the same run, or of a run that resumes it.
    pub(super) portable_routes: bool,
    /// The memory that states own on the heap is counted.
    pub(super) heap_bytes: bool,
    /// The states that are checked when they are expanded.
    pub(super) checks: Checks,
}

/// The common properties of all states of a run.
pub(super) struct StateType<S> {
    /// Keyed by constants, so that sweeps are reproducible.
    hasher: RandomState,
    /// The encoding of the states, if they have one.
    codec: Option<Codec<S>>,
    /// Whether other processes compute the same routes.
    portable_routes: bool,
    /// Whether the memory that states own is counted.
    counts_heap: bool,
    /// Joins a state with an equal one that arrives, if equal states may differ.
    pub(super) join: Option<fn(&mut S, S)>,
}

impl<S: State> StateType<S> {
    pub(super) fn new(codec: Option<Codec<S>>, needs: Needs) -> Self {
        let counts_heap = needs.heap_bytes && codec.is_some();
        let hasher = RandomState::with_seeds(
            0x243f_6a88_85a3_08d3,
            0x1319_8a2e_0370_7344,
            0xa409_3822_299f_31d0,
            0x082e_fa98_ec4e_6c89,
        );
        let join = codec.and_then(|codec| codec.join());
        StateType { hasher, codec, portable_routes: needs.portable_routes, counts_heap, join }
    }

    pub(super) fn codec(&self) -> &Codec<S> {
        self.codec.as_ref().expect("states that are encoded have a codec")
    }

    /// Decodes records: `count` states, and then their words, `width` for each. Passes each state
    /// with its encoding and its words to `take`. Returns `None` if `bytes` is not such an encoding.
    pub(super) fn decode(
        &self,
        bytes: &[u8],
        count: usize,
        width: usize,
        mut take: impl FnMut(S, &[u8], &[u64]),
    ) -> Option<()> {
        let of_words = count.checked_mul(width)?.checked_mul(size_of::<u64>())?;
        let (mut states, words) = bytes.split_at(bytes.len().checked_sub(of_words)?);
        let words = words.chunks_exact(size_of::<u64>());
        let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        let words: Vec<u64> = words.map(word).collect();
        let mut next = 0;
        self.codec().read(&mut states, count, |state, encoded| {
            take(state, encoded, &words[next..next + width]);
            next += width;
        })?;
        // Remaining bytes mean that this is not the encoding of `count` states.
        states.is_empty().then_some(())
    }

    /// Size in bytes of the memory that a state owns on the heap, if it is counted.
    #[inline]
    pub(super) fn heap_bytes(&self, state: &S) -> usize {
        // The first test is of a constant: plain states own nothing.
        if needs_drop::<S>() && self.counts_heap { self.codec().heap_bytes(state) } else { 0 }
    }

    /// The hash by which a state is found in the table of its partition.
    #[inline]
    fn hash(&self, state: &S) -> u64 {
        self.hasher.hash_one(state)
    }

    /// The hash by which a state is assigned to a process, to a partition of its level, and to one of
    /// several passes over that partition. `encoded` is a buffer of the caller's.
    ///
    /// If other processes compute routes, too, the hash is rapidhash V3 of the encoded state, without
    /// the part that is joined. It never changes: the owners of states and the layout of files depend
    /// on it. Otherwise it is the hash of the table. That is faster, but varies with the processor and
    /// the version of the crate `ahash`.
    #[inline]
    pub(super) fn route(&self, state: &S, encoded: &mut Vec<u8>) -> RouteHash {
        if self.portable_routes {
            Self::portable_route(self.codec(), state, encoded)
        } else {
            RouteHash(self.hash(state))
        }
    }

    /// Returns the [`route`](StateType::route) of a state that was decoded from `encoding`. Encodes it
    /// again, into `encoded`, only if such states are joined.
    pub(super) fn route_of_decoded(
        &self,
        (state, encoding): (&S, &[u8]),
        encoded: &mut Vec<u8>,
    ) -> RouteHash {
        if self.portable_routes && self.join.is_none() {
            Self::hash_of_encoding(encoding)
        } else {
            self.route(state, encoded)
        }
    }

    /// The index of the partition of a state. Most levels are small and have one partition.
    #[inline]
    pub(super) fn partition(&self, state: &S, count: usize, encoded: &mut Vec<u8>) -> usize {
        if count == 1 { 0 } else { self.route(state, encoded).partition(count) }
    }

    // A separate function keeps `route` short enough to be inlined into the expansion. Without
    // inlining, calls of `route` took 3 % of the instructions of a sweep.
    #[inline(never)]
    pub(super) fn portable_route(codec: &Codec<S>, state: &S, encoded: &mut Vec<u8>) -> RouteHash {
        encoded.clear();
        codec.write_key(state, encoded);
        Self::hash_of_encoding(encoded)
    }

    /// The portable route of a state, from the part of its encoding that is not joined.
    pub(super) fn hash_of_encoding(encoded: &[u8]) -> RouteHash {
        // A load across several stores waits until they and all earlier ones have reached the cache.
        // A load of one byte does not, nor does one of a part of a single store.
        if encoded.len() <= 8 {
            let word = encoded.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
            return RouteHash(rapidhash_v3(&word.to_le_bytes()[..encoded.len()]));
        }
        RouteHash(rapidhash_v3(encoded))
    }
}

/// The hash that routes a state to its process and its partition. Partitions and passes are chosen by
/// different bits, so that the states of each partition are spread over all passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RouteHash(u64);

impl RouteHash {
    pub(super) fn bits(self) -> u64 {
        self.0
    }

    /// The index of the partition. `partitions` is a power of two, at most
    /// [`MAX_PARTITIONS`](super::pool::MAX_PARTITIONS). Uses bits from 32 up: the table within a
    /// partition uses the low bits of its hash.
    #[inline]
    pub(super) fn partition(self, partitions: usize) -> usize {
        (self.0 >> 32) as usize & (partitions - 1)
    }

    #[cfg(test)]
    pub(super) fn of_high_bits(bits: u16) -> Self {
        RouteHash(u64::from(bits) << 48)
    }

    /// The rank of the process, out of `size`, that stores the state. Uses the high 16 bits, as
    /// [`Rank::hashes`](super::rank::Rank::hashes).
    #[inline]
    pub(super) fn rank(self, size: usize) -> usize {
        ((self.0 >> 48) as usize * size) >> 16
    }

    /// The index of the pass, below `passes`. Uses bits from 42 up. The ten bits below select the
    /// partition. The low bits select the slot in the table: if the pass used them, its states would
    /// have few slots. A process has a range of hashes, so its passes get equal shares.
    #[inline]
    fn pass(self, passes: u64) -> u64 {
        (self.0 >> 42) % passes
    }
}

/// One of several passes over a partition on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pass {
    pub(super) number: u64,
    pub(super) of: u64,
}

impl Pass {
    pub(super) const ONLY: Pass = Pass { number: 0, of: 1 };

    #[inline]
    fn takes(self, route: impl FnOnce() -> RouteHash) -> bool {
        self.of == 1 || route().pass(self.of) == self.number
    }

    pub(super) fn next(self) -> Option<Pass> {
        let number = self.number + 1;
        (number < self.of).then_some(Pass { number, of: self.of })
    }
}

/// Receives the places of the states that records meet.
pub(super) struct ArrivalList<'a> {
    pub(super) places: Places,
    pub(super) list: &'a mut Vec<Place>,
}

/// The distinct states of a partition, in order of first arrival, each with the same number of words.
pub(super) trait States: Any + Send + Sync {
    /// An empty container of the same type and width.
    fn fresh(&self) -> Box<dyn States>;

    fn len(&self) -> usize;

    /// Sets the number of words of each state. It may decrease only if there are no states.
    fn set_width(&mut self, width: usize);

    /// Size in bytes of the states, the table, and the growth of the table that is due soon.
    fn bytes(&self) -> usize;

    /// Size in bytes of a state with its words, without the heap memory of the state.
    fn record_bytes(&self) -> usize;

    /// Size in bytes of the memory that the states own, if it is counted.
    fn heap(&self) -> usize;

    /// Removes all states. Their memory is kept.
    fn clear(&mut self);

    /// Merges records in order, and empties their list. `arrivals`, given if edges are stored,
    /// receives the place of the state of each record; words are ignored then. Otherwise words are
    /// combined, or added if there is no combiner. Returns the number of records that met an equal
    /// state.
    fn absorb(
        &mut self,
        records: &mut dyn Records,
        combiner: Combiner<'_>,
        arrivals: Option<ArrivalList<'_>>,
        check: Check<'_>,
    ) -> Result<u64, BuildError>;

    /// Moves all states to their partitions in a level of `partitions` partitions. If there were n
    /// partitions before, the states of one go to every n-th of the new partitions. `to` contains
    /// these, in order. `moved`, if given, receives the new place of each state.
    fn spread(
        &mut self,
        partitions: usize,
        to: &mut [Box<dyn States>],
        moved: Option<&mut Vec<Place>>,
        check: Check<'_>,
    ) -> Result<(), BuildError>;

    /// Appends the encodings of a range of states, and then their words, to `out`.
    fn write(&self, range: Range<usize>, out: &mut Vec<u8>);

    /// Reads `count` states with `width` words each, as [`write`](States::write) wrote
    /// them. Returns `None` if `bytes` is not such an encoding.
    fn read(
        &mut self,
        bytes: &[u8],
        count_and_width: (usize, usize),
        pass_and_combiner: (Pass, Combiner<'_>),
        new_indices: Option<(u32, &mut [u32])>,
    ) -> Option<()>;
}

/// [`States`] of one type, with the table that finds them.
// Threads merge into neighbouring partitions, so these must not share a cache line.
#[repr(align(128))]
pub(super) struct Table<S> {
    pub(super) records: Blocks<S>,
    /// Finds states in `records`.
    index: Index,
    state_type: Arc<StateType<S>>,
    /// Size in bytes of the memory that the states own, if it is counted.
    heap: usize,
}

/// The number of records whose slots in the table are fetched together.
const AHEAD: usize = 32;

impl<S: State> Table<S> {
    /// An empty table, whose states have `width` words.
    pub(super) fn new(state_type: &Arc<StateType<S>>, width: usize) -> Self {
        Table {
            records: Blocks::new(width),
            index: Index::default(),
            state_type: Arc::clone(state_type),
            heap: 0,
        }
    }

    /// Merges a state. Returns its index and whether it was new.
    pub(super) fn find_or_insert(
        &mut self,
        state: S,
        words: &[u64],
        combiner: Combiner<'_>,
    ) -> (u32, bool) {
        let hash = self.state_type.hash(&state);
        self.find_or_insert_in(self.records.width, hash, (state, words), combiner)
    }

    /// As [`find_or_insert`](Table::find_or_insert), with the hash of the state and the width of
    /// the table given.
    // Without inlining, calls take a seventh of the instructions of merging.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn find_or_insert_in(
        &mut self,
        width: usize,
        hash: u64,
        (state, words): (S, &[u64]),
        combiner: Combiner<'_>,
    ) -> (u32, bool) {
        let (records, state_type) = (&self.records, &self.state_type);
        let found = self.index.find_or_insert(
            hash,
            |i| records[i] == state,
            |i| state_type.hash(&records[i]),
        );
        if let Some(i) = found {
            if let Some((payload, variable)) = combiner {
                payload.combine(variable, self.records.words_mut(width, i), words);
            } else if width > 0 {
                limbs::add(self.records.words_mut(width, i), words);
            }
            if let Some(join) = state_type.join {
                self.join(i, state, join);
            }
            (i as u32, false)
        } else {
            self.heap += self.state_type.heap_bytes(&state);
            self.records.push(width, state, words);
            (self.records.len() as u32 - 1, true)
        }
    }

    /// Joins a state with an equal one that arrives.
    #[cold]
    #[inline(never)]
    fn join(&mut self, index: usize, arrived: S, join: fn(&mut S, S)) {
        let state = &mut self.records[index];
        self.heap -= self.state_type.heap_bytes(state);
        join(state, arrived);
        self.heap += self.state_type.heap_bytes(state);
    }

    /// [`States::absorb`] for a block of records. `WIDTH` is the number of their words and of
    /// those of the table.
    fn absorb_block<const WIDTH: usize, const KEPT: bool>(
        &mut self,
        mut states: Drain<'_, S>,
        all_words: &[u64],
        combiner: Combiner<'_>,
        arrivals: &mut ArrivalList<'_>,
    ) -> u64 {
        let mut merged = 0;
        let (width, width_here) = if WIDTH == ANY_WIDTH {
            (all_words.len().checked_div(states.len()).unwrap_or(0), self.records.width)
        } else {
            (WIDTH, WIDTH)
        };
        let mut all_words = all_words;
        // A copy, which stays in registers: writes may alias the shared one.
        let hasher = self.state_type.hasher.clone();
        let mut hashes = [0; AHEAD];
        loop {
            // Loads the slots of several records before the first is used. The search for a state
            // depends on its slot, so one by one each load would wait for the one before.
            let mut fetched = 0;
            let next = states.as_slice();
            let ahead = next.len().min(AHEAD);
            for (hash, state) in hashes.iter_mut().zip(next) {
                *hash = hasher.hash_one(state);
                fetched ^= self.index.touch(*hash);
            }
            std::hint::black_box(fetched);
            for (&hash, state) in hashes[..ahead].iter().zip(&mut states) {
                let (mut words, rest) = all_words.split_at(width);
                all_words = rest;
                if WIDTH == ANY_WIDTH {
                    // Only a skip makes longer words. Their highest limbs are 0, as the bound of
                    // the level shows.
                    words = &words[..width.min(width_here)];
                }
                let (index, new) =
                    self.find_or_insert_in(width_here, hash, (state, words), combiner);
                if KEPT {
                    arrivals.list.push(arrivals.places.get(index));
                }
                merged += u64::from(!new);
            }
            if ahead < AHEAD {
                return merged;
            }
        }
    }
}

impl<S: State> States for Table<S> {
    fn fresh(&self) -> Box<dyn States> {
        Box::new(Table::new(&self.state_type, self.records.width))
    }

    fn len(&self) -> usize {
        self.records.len()
    }

    fn set_width(&mut self, width: usize) {
        self.records.set_width(width);
    }

    fn bytes(&self) -> usize {
        let table = self.index.bytes();
        // The partitions of a level fill evenly, so their tables grow at about the same time. The
        // account includes this growth before it occurs.
        let growing = self.records.len() >= self.index.capacity() / 4 * 3;
        self.records.bytes() + self.heap + if growing { 2 * table } else { table }
    }

    fn record_bytes(&self) -> usize {
        size_of::<S>() + self.records.width * size_of::<u64>()
    }

    fn heap(&self) -> usize {
        self.heap
    }

    fn clear(&mut self) {
        self.records.clear();
        self.index.clear();
        self.heap = 0;
    }

    fn absorb(
        &mut self,
        records: &mut dyn Records,
        combiner: Combiner<'_>,
        arrivals: Option<ArrivalList<'_>>,
        check: Check<'_>,
    ) -> Result<u64, BuildError> {
        let records: &mut Blocks<S> = of_type(records);
        let kept = arrivals.is_some();
        let mut none = Vec::new();
        let places = Places::new(0, 1, 0);
        let arrivals = &mut arrivals.unwrap_or(ArrivalList { places, list: &mut none });
        let mut merged = 0;
        records.drain(|states, all_words| {
            check()?;
            let width = all_words.len().checked_div(states.len()).unwrap_or(0);
            merged += match (width, self.records.width, combiner) {
                _ if kept => self.absorb_block::<0, true>(states, &[], None, arrivals),
                (1, 1, None) if const { has_constant_widths::<S>() } => {
                    self.absorb_block::<1, false>(states, all_words, None, arrivals)
                }
                (2, 2, None) if const { has_constant_widths::<S>() } => {
                    self.absorb_block::<2, false>(states, all_words, None, arrivals)
                }
                _ => self.absorb_block::<ANY_WIDTH, false>(states, all_words, combiner, arrivals),
            };
            Ok(())
        })?;
        Ok(merged)
    }

    fn spread(
        &mut self,
        partitions: usize,
        to: &mut [Box<dyn States>],
        mut moved: Option<&mut Vec<Place>>,
        check: Check<'_>,
    ) -> Result<(), BuildError> {
        let mut to: Vec<&mut Self> = to.iter_mut().map(|to| of_type(&mut **to)).collect();
        let (state_type, width) = (&self.state_type, self.records.width);
        let old_partitions = partitions / to.len();
        let mut encoded = Vec::new();
        self.index.clear();
        self.heap = 0;
        self.records.drain(|states, all_words| {
            check()?;
            for (i, state) in states.enumerate() {
                let partition = state_type.route(&state, &mut encoded).partition(partitions);
                let to = &mut *to[partition / old_partitions];
                let (index, _) = to.find_or_insert(state, &all_words[i * width..][..width], None);
                if let Some(moved) = &mut moved {
                    moved.push(Places::new(partition, partitions, 0).get(index));
                }
            }
            Ok(())
        })
    }

    fn write(&self, range: Range<usize>, out: &mut Vec<u8>) {
        let codec = self.state_type.codec();
        for state in self.records.slices(range.clone()).flat_map(|(states, _)| states) {
            codec.write(state, out);
        }
        for word in self.records.slices(range).flat_map(|(_, words)| words) {
            word.write(out);
        }
    }

    fn read(
        &mut self,
        bytes: &[u8],
        (count, width): (usize, usize),
        (pass, combiner): (Pass, Combiner<'_>),
        new_indices: Option<(u32, &mut [u32])>,
    ) -> Option<()> {
        let state_type = Arc::clone(&self.state_type);
        let mut encoded = Vec::new();
        let (base, new_indices) = new_indices.unwrap_or_default();
        let mut new_indices = new_indices.iter_mut();
        state_type.decode(bytes, count, width, |state, encoding, words| {
            let new_index = new_indices.next();
            if pass.takes(|| state_type.route_of_decoded((&state, encoding), &mut encoded)) {
                let (index, _) = self.find_or_insert(state, words, combiner);
                if let Some(new_index) = new_index {
                    *new_index = base + index;
                }
            }
        })
    }
}

/// The records for one partition: states in order, each with its words. The hash for the table is
/// computed when the records are merged, which costs less than storing it.
pub(super) trait Records: Any + Send {
    fn len(&self) -> usize;
}

impl<S: State> Records for Blocks<S> {
    fn len(&self) -> usize {
        Blocks::len(self)
    }
}

/// The value of a known type: all states of a run have one type.
pub(super) fn of_type<T: Any>(value: &mut dyn Any) -> &mut T {
    value.downcast_mut().expect("all states of a run have one type")
}

#[cfg(test)]
mod tests {
    use super::super::pool::MAX_PARTITIONS;
    use super::*;

    fn route(portable_routes: bool, state: u64) -> RouteHash {
        let needs = Needs { portable_routes, ..Needs::default() };
        StateType::new(Some(Codec::new()), needs).route(&state, &mut Vec::new())
    }

    /// A checkpoint must be readable by later versions, on any processor.
    #[test]
    fn portable_routes_never_change() {
        let routes = [0, 1, 2, u64::MAX].map(|state| route(true, state));
        let fixed =
            [11456056956516475379, 13745399687937306556, 17104135598132064391, 9950808644265218413];
        assert_eq!(routes, fixed.map(RouteHash));
    }

    #[test]
    fn passes_split_every_partition_evenly() {
        let passes = 8;
        let cases = [1, 2, 128, 512, MAX_PARTITIONS].map(|of| [(of, true), (of, false)]);
        for (partitions, portable) in cases.into_iter().flatten() {
            let wanted = 400 * passes;
            let mut counts = vec![0u64; passes as usize];
            let in_last = (0..).map(|state| route(portable, state));
            let in_last = in_last.filter(|route| route.partition(partitions) == partitions - 1);
            for route in in_last.take(wanted as usize) {
                counts[route.pass(passes) as usize] += 1;
            }
            assert!(
                counts.iter().all(|count| (300..500).contains(count)),
                "{partitions}: {counts:?}"
            );
        }
    }
}
