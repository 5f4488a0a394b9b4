//! The states of a partition: their interface to the sweep, their hashes and encoding, and the blocks that store them.
//!
//! [`StateTable`](super::table::StateTable) implements [`States`] for each type of state. The rest of the sweep does not depend
//! on that type. [`StateType`] hashes states: [`RouteHash`] assigns one to a process, to a partition, and to a pass over a
//! partition. Words and states are in [`Blocks`], growing lists of blocks, whose items move only while the first block
//! grows, and when the states get more words.
//!
//! A vector that outgrows its memory is copied to twice as much, and leaves a hole that fits no
//! other vector: with a hundred partitions that grow at the same time, the process takes twice the
//! memory of its data. Here full blocks stay in place.

use super::monitor::Check;
use super::payload::Combiner;
use super::places::{Place, Places};
use crate::BuildError;
use crate::number::limbs;
use crate::spec::Codec;
use ahash::RandomState;
use rapidhash::v3::rapidhash_v3;
use std::any::Any;
use std::hash::Hash;
use std::mem::needs_drop;
use std::ops::{Index, IndexMut, Range};
use std::path::{Path, PathBuf};
use std::vec::Drain;

/// Receives the places of the states that records meet.
pub(super) struct ArrivalList<'a> {
    pub(super) places: Places,
    pub(super) list: &'a mut Vec<Place>,
}

/// Receives the indices of the states that encoded states were merged into.
pub(super) struct NewIndices<'a> {
    /// The number of distinct states of earlier passes.
    pub(super) before: u32,
    /// The index for each encoded state, which counts from the first pass on.
    pub(super) list: &'a mut [u32],
}

/// The distinct states of a partition, in order of first arrival, each with the same number of words.
pub(super) trait States: Any + Send + Sync {
    /// An empty container of the same type and width.
    fn fresh(&self) -> Box<dyn States>;

    fn len(&self) -> usize;

    /// Sets the number of words of each state. It may decrease only if there are no states.
    fn set_width(&mut self, width: usize);

    /// Size in bytes of the states, their index, and the growth of the index that is due soon.
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
    fn merge_from(
        &mut self,
        records: &mut dyn Records,
        combiner: Combiner<'_>,
        arrivals: Option<ArrivalList<'_>>,
        check: Check<'_>,
    ) -> Result<u64, BuildError>;

    /// Moves all states to their partitions in a level of `partitions` partitions. If there were n
    /// partitions before, the states of one go to every n-th of the new partitions. `to` contains
    /// these, in order. `moved`, if given, receives the new place of each state.
    fn repartition(
        &mut self,
        partitions: usize,
        to: &mut [Box<dyn States>],
        moved: Option<&mut Vec<Place>>,
        check: Check<'_>,
    ) -> Result<(), BuildError>;

    /// Copies of some states, of `width` words, which are given.
    fn select(
        &self,
        states: &mut dyn Iterator<Item = (u32, &[u64])>,
        width: usize,
    ) -> Box<dyn States>;

    /// Appends the encodings of a range of states to `out`.
    fn write_states(&self, range: Range<usize>, out: &mut Vec<u8>);

    /// Appends the encodings of a range of states, and then their words, to `out`.
    fn write(&self, range: Range<usize>, out: &mut Vec<u8>);

    /// Merges states as [`write`](States::write) wrote them, in order, if `pass` takes them. Returns
    /// `None` if they are not such an encoding.
    fn merge_encoded(
        &mut self,
        states: EncodedRecords<'_>,
        pass: Pass,
        combiner: Combiner<'_>,
        new_indices: Option<NewIndices<'_>>,
    ) -> Option<()>;
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

/// The traits of a state.
pub(super) trait State: Clone + Eq + Hash + Send + Sync + 'static {}

impl<S: Clone + Eq + Hash + Send + Sync + 'static> State for S {}

/// The limits of the checks of a range. `None` if no state is checked.
pub(super) type Checks = Option<CheckLimits>;

/// The limits of the checks of a range.
#[derive(Clone, Copy, Debug)]
pub(super) struct CheckLimits {
    /// The most states that are checked, evenly spaced.
    pub(super) states: usize,
    /// The number of values, of checked states and of the forced states after them, beyond which the check
    /// ends.
    pub(super) values: usize,
}

/// The checks of a sample.
pub(super) const SAMPLE: CheckLimits = CheckLimits { states: 64, values: 1 << 14 };

/// The checks that the caller chose, or else the default of this build.
pub(super) fn checks(checked: Option<bool>) -> Checks {
    match checked {
        Some(true) => Some(CheckLimits { states: usize::MAX, values: usize::MAX }),
        None if cfg!(debug_assertions) => Some(SAMPLE),
        Some(false) | None => None,
    }
}

/// The features of states that a run needs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StateNeeds {
    /// Other processes must compute the same routes: processes of the same run, or of a run that resumes
    /// it.
    pub(super) portable_routes: bool,
    /// The memory that states own on the heap is counted.
    pub(super) heap_bytes: bool,
    /// The states that are checked when they are expanded.
    pub(super) checks: Checks,
}

/// Encoded records: `count` states, and then their words, `width` for each.
#[derive(Clone, Copy)]
pub(super) struct EncodedRecords<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) count: usize,
    pub(super) width: usize,
}

/// The common properties of all states of a run.
pub(super) struct StateType<S> {
    /// Keyed by constants, so that sweeps are reproducible.
    pub(super) hasher: RandomState,
    /// The encoding of the states, if they have one.
    codec: Option<Codec<S>>,
    /// Whether other processes compute the same routes.
    portable_routes: bool,
    /// Whether the memory that states own is counted.
    counts_heap: bool,
    /// The treatment of a state that arrives and is equal to a stored one. `None` if it is dropped.
    pub(super) twin: Option<Twin<S>>,
}

/// The treatment of a state that arrives and is equal to a stored one.
pub(super) enum Twin<S> {
    /// Joins it with the stored state, because `Eq` does not compare the joined part.
    Join(fn(&mut S, S)),
    /// A sample is kept, to compare its steps with the steps of the stored state.
    Sample,
}

impl<S: State> StateType<S> {
    pub(super) fn new(codec: Option<Codec<S>>, needs: StateNeeds) -> Self {
        let counts_heap = needs.heap_bytes && codec.is_some();
        let hasher = RandomState::with_seeds(
            0x243f_6a88_85a3_08d3,
            0x1319_8a2e_0370_7344,
            0xa409_3822_299f_31d0,
            0x082e_fa98_ec4e_6c89,
        );
        let join = codec.and_then(|codec| codec.join());
        let twin = join.map(Twin::Join).or(needs.checks.map(|_| Twin::Sample));
        StateType { hasher, codec, portable_routes: needs.portable_routes, counts_heap, twin }
    }

    /// Whether equal states are joined.
    #[inline]
    pub(super) fn joins(&self) -> bool {
        matches!(self.twin, Some(Twin::Join(_)))
    }

    pub(super) fn codec(&self) -> &Codec<S> {
        self.codec.as_ref().expect("states that are encoded have a codec")
    }

    /// Decodes records, and passes each state with its encoding and its words to `take`. Returns `None`
    /// if the bytes are not such an encoding.
    pub(super) fn decode(
        &self,
        records: EncodedRecords<'_>,
        mut take: impl FnMut(S, &[u8], &[u64]),
    ) -> Option<()> {
        let EncodedRecords { bytes, count, width } = records;
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

    /// The hash by which a state is found in the table of its partition. `StateTable::merge_block` computes it with a copy
    /// of the hasher.
    #[inline]
    pub(super) fn hash(&self, state: &S) -> u64 {
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
            RouteHash::from_table_hash(self.hash(state))
        }
    }

    /// Returns the [`route`](StateType::route) of a state that was decoded from `encoding`. Encodes it
    /// again, into `encoded`, only if such states are joined.
    pub(super) fn route_of_decoded(
        &self,
        state: &S,
        encoding: &[u8],
        encoded: &mut Vec<u8>,
    ) -> RouteHash {
        if self.portable_routes && !self.joins() {
            RouteHash::from_encoding(encoding)
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
        RouteHash::from_encoding(encoded)
    }
}

/// The hash that routes a state to its process and its partition. Partitions and passes are chosen by
/// different bits, so that the states of each partition are spread over all passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RouteHash(u64);

impl RouteHash {
    /// The route of a state that only this process computes.
    #[inline]
    fn from_table_hash(hash: u64) -> Self {
        RouteHash(hash)
    }

    /// The portable route of a state, from the part of its encoding that is not joined.
    #[inline]
    fn from_encoding(encoded: &[u8]) -> Self {
        // A load across several stores waits until they and all earlier ones have reached the cache.
        // A load of one byte does not, nor does a load of a part of a single store.
        if encoded.len() <= 8 {
            let word = encoded.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
            return RouteHash(rapidhash_v3(&word.to_le_bytes()[..encoded.len()]));
        }
        RouteHash(rapidhash_v3(encoded))
    }

    /// The index of the partition. `partitions` is a power of two, at most
    /// [`MAX_PARTITIONS`](super::level::MAX_PARTITIONS). Uses bits from 32 up: the table within a
    /// partition uses the low bits of its hash.
    #[inline]
    pub(super) fn partition(self, partitions: usize) -> usize {
        (self.0 >> 32) as usize & (partitions - 1)
    }

    #[cfg(test)]
    pub(super) fn from_high_bits(bits: u16) -> Self {
        RouteHash(u64::from(bits) << 48)
    }

    /// The rank of the process, out of `size`, that stores the state. Uses the high 16 bits, as
    /// [`Rank::hashes`](Rank::hashes).
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

/// One of several passes over a spilled partition: it takes the states that their hash assigns to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pass {
    pub(super) number: u64,
    pub(super) of: u64,
}

impl Pass {
    pub(super) const ONLY: Pass = Pass { number: 0, of: 1 };

    #[inline]
    pub(super) fn takes(self, route: impl FnOnce() -> RouteHash) -> bool {
        self.of == 1 || route().pass(self.of) == self.number
    }

    pub(super) fn next(self) -> Option<Pass> {
        let number = self.number + 1;
        (number < self.of).then_some(Pass { number, of: self.of })
    }
}

/// The rank of a process, and the number of processes of its run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rank {
    pub(crate) rank: usize,
    /// The number of processes.
    pub(crate) size: usize,
}

impl Rank {
    /// The only process of a run.
    pub(super) const ALONE: Rank = Rank { rank: 0, size: 1 };

    /// The high 16 bits of the hashes of the states that the process stores.
    pub(super) fn hashes(self) -> Range<usize> {
        let start = |rank: usize| (rank << 16).div_ceil(self.size);
        start(self.rank)..start(self.rank + 1)
    }

    /// The directory for the checkpoints of the process: a subdirectory of `dir`, or `dir` itself if there
    /// is only one process.
    pub(super) fn directory(self, dir: &Path) -> PathBuf {
        match self.size {
            1 => dir.to_owned(),
            size => dir.join(format!("topdd-process-{}-of-{size}", self.rank)),
        }
    }

    /// The process whose directory of checkpoints has this name, if it is one of several.
    pub(super) fn from_directory(name: &str) -> Option<Rank> {
        let (rank, size) = name.strip_prefix("topdd-process-")?.split_once("-of-")?;
        let rank = Rank { rank: rank.parse().ok()?, size: size.parse().ok()? };
        (rank.size > 1).then_some(rank)
    }
}

/// The states of a block. The first block of a list grows to this size.
const BLOCK: usize = 1 << SHIFT;
const SHIFT: u32 = 9;
/// An emptied list keeps its last block if that takes at most so many bytes: there may be thousands of
/// lists, and a block of states with many words takes megabytes.
const KEPT_BYTES: usize = 1 << 16;

/// The largest states, in bytes, for which the hot loops are compiled for constant widths. Work on larger
/// ones takes most of the time.
const MAX_BYTES: usize = 32;

/// Whether the hot loops for states of this type are compiled for constant widths. Not in debug builds: a
/// program whose specs are under test compiles in a tenth less time.
pub(super) const fn has_constant_widths<S>() -> bool {
    !cfg!(debug_assertions) && size_of::<S>() <= MAX_BYTES
}

/// States, each with the same number of words.
#[derive(Debug)]
struct Block<S> {
    states: Vec<S>,
    words: Vec<u64>,
}

impl<S> Block<S> {
    fn new(states: usize, width: usize) -> Self {
        Block { states: Vec::with_capacity(states), words: Vec::with_capacity(states * width) }
    }

    fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<S>() + self.words.capacity() * size_of::<u64>()
    }
}

/// A growing list of states, each with its words: the states of a partition, or records for one. It is
/// filled, and then emptied, repeatedly, and keeps one block: most lists of records never fill one.
#[derive(Debug)]
pub(super) struct Blocks<S> {
    full: Vec<Block<S>>,
    /// The last block, which is not full, or just became full.
    open: Block<S>,
    /// The number of words of each state of a partition: lanes times limbs. A list of records has no width
    /// of its own: all its records have the same.
    pub(super) width: usize,
}

impl<S> Blocks<S> {
    pub(super) fn new(width: usize) -> Self {
        Blocks { full: Vec::new(), open: Block::new(0, width), width }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.full.len() * BLOCK + self.open.states.len()
    }

    /// Appends a state with its words, and zeros up to `width` words. `width` is the width of the list. In a
    /// list of records, it is the same for all of them.
    // Inlined, so that the width is a constant here if it is one in the caller (see `ANY_WIDTH`).
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(super) fn push(&mut self, width: usize, state: S, words: &[u64]) {
        // The compiler merges this test with the same one in `Vec::push`.
        if self.open.states.len() == self.open.states.capacity() {
            self.make_room(width);
        }
        self.open.states.push(state);
        limbs::append(&mut self.open.words, words, width);
    }

    /// Makes room for another state in the open block. The vectors of the first block grow.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, width: usize) {
        if self.open.states.len() < BLOCK {
            self.open.states.reserve(1);
        } else {
            // If a state has many words, the vector of words grows from a part of a block, so that few
            // states take little memory.
            let parts = (BLOCK * width * size_of::<u64>() / KEPT_BYTES).next_power_of_two();
            let mut block = Block::new(BLOCK, 0);
            block.words.reserve_exact(BLOCK.div_ceil(parts) * width);
            self.full.push(std::mem::replace(&mut self.open, block));
        }
    }

    /// The block of a state.
    #[inline]
    fn block(&self, index: usize) -> &Block<S> {
        self.full.get(index >> SHIFT).unwrap_or(&self.open)
    }

    #[inline]
    fn block_mut(&mut self, index: usize) -> &mut Block<S> {
        self.full.get_mut(index >> SHIFT).unwrap_or(&mut self.open)
    }

    /// The words of a state, with the width of the list given.
    // Inlined for the reason given at `push`.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(super) fn words_mut(&mut self, width: usize, index: usize) -> &mut [u64] {
        debug_assert_eq!(width, self.width);
        let first = (index & (BLOCK - 1)) * width;
        &mut self.block_mut(index).words[first..first + width]
    }

    /// Sets the number of words of each state. It may decrease only if the list is empty.
    pub(super) fn set_width(&mut self, width: usize) {
        if self.width == width {
            return;
        }
        for block in self.full.iter_mut().chain([&mut self.open]) {
            // The capacity of a vector of zero-sized states is unlimited.
            let sized = size_of::<S>() > 0;
            let states = if sized { block.states.capacity() } else { block.states.len() };
            let mut wider = Vec::with_capacity(states * width);
            for words in block.words.chunks_exact(self.width.max(1)) {
                limbs::append(&mut wider, words, width);
            }
            block.words = wider;
        }
        self.width = width;
    }

    /// Removes all states.
    pub(super) fn clear(&mut self) {
        self.full.clear();
        self.open.states.clear();
        self.open.words.clear();
        self.free_large();
    }

    /// Frees the open block, which must be empty, if it is large.
    fn free_large(&mut self) {
        if self.open.bytes() > KEPT_BYTES {
            self.open = Block::new(0, 0);
        }
    }

    /// Passes all states with their words to `take`, block by block, in order, and removes them.
    /// Frees each full block at once. Stops at the first error.
    pub(super) fn drain<E>(
        &mut self,
        mut take: impl FnMut(Drain<'_, S>, &[u64]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut drain = |block: &mut Block<S>| {
            take(block.states.drain(..), &block.words).map(|()| block.words.clear())
        };
        self.full.drain(..).try_for_each(|mut block| drain(&mut block))?;
        drain(&mut self.open)?;
        self.free_large();
        Ok(())
    }

    /// The states of a range with their words, in order, as slices.
    pub(super) fn slices(&self, range: Range<usize>) -> impl Iterator<Item = (&[S], &[u64])> {
        (range.start / BLOCK..range.end.div_ceil(BLOCK)).map(move |number| {
            let at = |index: usize| index.saturating_sub(number * BLOCK).min(BLOCK);
            let (block, states) = (self.block(number * BLOCK), at(range.start)..at(range.end));
            let words = states.start * self.width..states.end * self.width;
            (&block.states[states], &block.words[words])
        })
    }

    pub(super) fn bytes(&self) -> usize {
        self.full_bytes() + self.open.bytes() + self.full.capacity() * size_of::<Block<S>>()
    }

    /// Size in bytes of the blocks that are freed when the list is emptied.
    pub(super) fn full_bytes(&self) -> usize {
        self.full.last().map_or(0, |block| self.full.len() * block.bytes())
    }
}

impl<S> Index<usize> for Blocks<S> {
    type Output = S;

    #[inline]
    fn index(&self, index: usize) -> &S {
        &self.block(index).states[index & (BLOCK - 1)]
    }
}

impl<S> IndexMut<usize> for Blocks<S> {
    #[inline]
    fn index_mut(&mut self, index: usize) -> &mut S {
        &mut self.block_mut(index).states[index & (BLOCK - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::level::MAX_PARTITIONS;
    use super::*;
    use crate::spec::Codec;

    fn route(portable_routes: bool, state: u64) -> RouteHash {
        let needs = StateNeeds { portable_routes, ..StateNeeds::default() };
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

    impl<S> Blocks<S> {
        fn is_empty(&self) -> bool {
            self.len() == 0
        }

        fn words_of(&self, index: usize) -> &[u64] {
            let first = (index & (BLOCK - 1)) * self.width;
            &self.block(index).words[first..first + self.width]
        }

        pub(in super::super) fn iter(&self) -> impl Iterator<Item = &S> {
            self.full.iter().chain([&self.open]).flat_map(|block| &block.states)
        }
    }

    /// The words that belong to a state.
    fn words_of(state: usize, width: usize) -> Vec<u64> {
        (0..width).map(|limb| (state * 7 + limb) as u64).collect()
    }

    /// The expected content of a list of `count` states with `width` words each.
    fn expected(count: usize, width: usize) -> (Vec<usize>, Vec<u64>) {
        ((0..count).collect(), (0..count).flat_map(|state| words_of(state, width)).collect())
    }

    fn drained(list: &mut Blocks<usize>) -> (Vec<usize>, Vec<u64>) {
        let (mut states, mut limbs) = (Vec::new(), Vec::new());
        let done = list.drain(|of_block, numbers| {
            states.extend(of_block);
            limbs.extend_from_slice(numbers);
            Ok::<(), ()>(())
        });
        assert_eq!(done, Ok(()));
        (states, limbs)
    }

    #[test]
    fn a_list_contains_the_items_pushed() {
        for width in [0, 1, 2, 5] {
            let mut list = Blocks::new(width);
            for round in 0..2 {
                let count = BLOCK * 3 + 17 - round;
                (0..count).for_each(|i| list.push(width, i, &words_of(i, width)));
                assert_eq!(list.len(), count);
                assert!(list.iter().copied().eq(0..count));
                for i in [0, BLOCK - 1, BLOCK, count - 1] {
                    assert_eq!((list[i], list.words_of(i)), (i, &words_of(i, width)[..]));
                }
                for range in [0..0, 0..count, 5..BLOCK, BLOCK..count, BLOCK - 1..2 * BLOCK + 1] {
                    let slices = || list.slices(range.clone());
                    assert!(slices().flat_map(|(states, _)| states).copied().eq(range.clone()));
                    let numbers = range.clone().flat_map(|i| words_of(i, width));
                    assert!(slices().flat_map(|(_, numbers)| numbers).copied().eq(numbers));
                }
                limbs::add(list.words_mut(width, BLOCK + 3), &words_of(1, width));
                let sum = words_of(BLOCK + 3, width).into_iter().zip(words_of(1, width));
                assert!(list.words_of(BLOCK + 3).iter().copied().eq(sum.map(|(a, b)| a + b)));
                list.clear();
                assert!(list.is_empty() && list.iter().next().is_none());
            }
        }
    }

    #[test]
    fn a_list_is_widened() {
        let mut list = Blocks::new(1);
        (0..BLOCK + 5).for_each(|i| list.push(1, i, &[i as u64]));
        list.set_width(3);
        list.push(3, BLOCK + 5, &[7, 8]);
        limbs::add(list.words_mut(3, BLOCK), &[1, 2, 3]);
        limbs::add(list.words_mut(3, 0), &[9]);
        assert_eq!(list.words_of(0), [9, 0, 0]);
        assert_eq!(list.words_of(BLOCK - 1), [BLOCK as u64 - 1, 0, 0]);
        assert_eq!(list.words_of(BLOCK), [BLOCK as u64 + 1, 2, 3]);
        assert_eq!(list.words_of(BLOCK + 5), [7, 8, 0]);
        // An empty list may become narrower.
        list.clear();
        list.set_width(2);
        (0..2 * BLOCK).for_each(|i| list.push(2, i, &[i as u64, 1]));
        assert_eq!(list.words_of(2 * BLOCK - 1), [2 * BLOCK as u64 - 1, 1]);
    }

    #[test]
    fn a_list_is_emptied_in_the_order_of_filling() {
        let mut list = Blocks::new(0);
        for width in [0, 1, 3] {
            for count in [0, 1, BLOCK, BLOCK + 1, 3 * BLOCK, 5, 2 * BLOCK - 1] {
                (0..count).for_each(|i| list.push(width, i, &words_of(i, width)));
                assert_eq!(list.len(), count);
                assert!(list.bytes() >= count * (1 + width) * size_of::<usize>());
                assert_eq!(drained(&mut list), expected(count, width));
                assert!(list.is_empty());
            }
        }
        // Of two blocks the last one stays.
        let mut list = Blocks::new(0);
        (0..2 * BLOCK).for_each(|i| list.push(0, i, &[]));
        assert_eq!(list.full_bytes(), BLOCK * size_of::<usize>());
        assert_eq!(drained(&mut list), expected(2 * BLOCK, 0));
        assert_eq!((list.open.states.capacity(), list.full_bytes()), (BLOCK, 0));
        (0..2 * BLOCK).for_each(|i| list.push(0, i, &[]));
        assert_eq!(list.drain(|_, _| Err("enough")), Err("enough"));
        (0..=BLOCK).for_each(|i| list.push(0, i, &[]));
        list.clear();
        assert!(list.is_empty());
    }

    #[test]
    fn zero_sized_states_take_no_memory() {
        let mut list = Blocks::new(0);
        (0..3 * BLOCK).for_each(|_| list.push(0, (), &[]));
        assert_eq!((list.len(), list.full_bytes()), (3 * BLOCK, 0));
        let mut count = 0;
        let drained = list.drain(|block, _| {
            count += block.count();
            Ok::<(), ()>(())
        });
        assert_eq!((drained, count, list.len()), (Ok(()), 3 * BLOCK, 0));
    }
}
