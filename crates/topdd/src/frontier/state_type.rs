//! The type of the states of a run: their encoding, and the hashes that find and route them.

use super::checks::Checks;
use super::route::RouteHash;
use crate::spec::Codec;
use ahash::RandomState;
use std::hash::Hash;
use std::mem::needs_drop;

/// The traits of a state.
pub(super) trait State: Clone + Eq + Hash + Send + Sync + 'static {}

impl<S: Clone + Eq + Hash + Send + Sync + 'static> State for S {}

/// The features of states that a run needs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Needs {
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
    pub(super) fn new(codec: Option<Codec<S>>, needs: Needs) -> Self {
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

    /// The hash by which a state is found in the table of its partition.
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
