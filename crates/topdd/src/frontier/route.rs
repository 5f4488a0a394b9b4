//! Routing: the hash that assigns a state to a process, to a partition, and to a pass over a partition.

use rapidhash::v3::rapidhash_v3;

/// The hash that routes a state to its process and its partition. Partitions and passes are chosen by
/// different bits, so that the states of each partition are spread over all passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RouteHash(u64);

impl RouteHash {
    /// The route of a state that only this process computes.
    #[inline]
    pub(super) fn from_table_hash(hash: u64) -> Self {
        RouteHash(hash)
    }

    /// The portable route of a state, from the part of its encoding that is not joined.
    #[inline]
    pub(super) fn from_encoding(encoded: &[u8]) -> Self {
        // A load across several stores waits until they and all earlier ones have reached the cache.
        // A load of one byte does not, nor does a load of a part of a single store.
        if encoded.len() <= 8 {
            let word = encoded.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
            return RouteHash(rapidhash_v3(&word.to_le_bytes()[..encoded.len()]));
        }
        RouteHash(rapidhash_v3(encoded))
    }

    /// The index of the partition. `partitions` is a power of two, at most
    /// [`MAX_PARTITIONS`](super::pool::MAX_PARTITIONS). Uses bits from 32 up: the table within a
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

#[cfg(test)]
mod tests {
    use super::super::pool::MAX_PARTITIONS;
    use super::super::state_type::{Needs, StateType};
    use super::*;
    use crate::spec::Codec;

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
