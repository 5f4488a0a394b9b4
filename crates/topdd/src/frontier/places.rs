//! The identities of states: their places while they arrive, and their final numbers in a level.

use super::unreduced::{EdgeCode, EdgeTarget};
use bytemuck::{Pod, Zeroable};

/// The identity of a state while states arrive: its index in its partition, times the number of
/// partitions, plus the index of the partition.
///
/// Indices count through the spill files of the partition and then through the states in memory, so a
/// state that is in two files has two places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub(super) struct Place(u32);

crate::portable!(Place { 0 });

impl Place {
    /// The target of an adjacent edge to the state, which has no number yet.
    #[inline]
    pub(super) fn target(self) -> EdgeTarget {
        EdgeTarget::Adjacent(self.0)
    }

    /// The index of the partition, out of `partitions`, and the index of the state there.
    #[inline]
    pub(super) fn split(self, partitions: usize) -> (usize, usize) {
        (self.0 as usize % partitions, self.0 as usize / partitions)
    }
}

/// The places of the states of a partition in memory, by their indices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    first: u32,
    step: u32,
}

impl Places {
    /// The places in a partition, out of `partitions`, that has `spilled` states on disk.
    pub(super) fn new(partition: usize, partitions: usize, spilled: u64) -> Self {
        let first = (spilled * partitions as u64) as u32 + partition as u32;
        Places { first, step: partitions as u32 }
    }

    #[inline]
    pub(super) fn get(self, index: u32) -> Place {
        Place(index * self.step + self.first)
    }
}

/// The merged spill files of a partition.
#[derive(Default)]
pub(super) struct MergedFiles {
    /// The number of distinct states.
    pub(super) count: u32,
    /// For each index, the index among the distinct states.
    pub(super) new_indices: Vec<u32>,
}

/// The final numbers of the states of a level.
pub(super) struct Numbering {
    /// The number of the first state of each partition.
    bases: Vec<u32>,
    /// The merged files of each partition; empty if none were merged.
    merged: Vec<MergedFiles>,
}

impl Numbering {
    /// The numbers, after `first` other states, of the states of partitions that have so many distinct
    /// states.
    pub(super) fn after(first: u32, counts: impl Iterator<Item = u64>) -> Self {
        let mut base = first;
        let bases = counts.map(|count| {
            let first = base;
            base += count as u32;
            first
        });
        Numbering { bases: bases.collect(), merged: Vec::new() }
    }

    /// The numbers of the states of partitions whose files were merged.
    pub(super) fn of_merged(merged: Vec<MergedFiles>) -> Self {
        let numbering = Numbering::after(0, merged.iter().map(|of| of.count.into()));
        Numbering { merged, ..numbering }
    }

    /// Whether each number is equal to the place.
    pub(super) fn is_identity(&self) -> bool {
        self.bases == [0] && self.merged.is_empty()
    }

    /// The adjacent edge to the state at a place, which is in this partition and not in a merged file.
    #[inline]
    pub(super) fn adjacent(&self, partition: usize, Place(place): Place) -> EdgeTarget {
        // The number of partitions is a power of two, so no division is needed.
        EdgeTarget::Adjacent(self.bases[partition] + (place >> self.bases.len().trailing_zeros()))
    }

    /// Replaces the places in adjacent edges by numbers. Other edges are not changed.
    pub(super) fn number(&self, codes: &mut [EdgeCode]) {
        let (mask, shift) = (self.bases.len() as u32 - 1, self.bases.len().trailing_zeros());
        for code in codes {
            if let Some(place) = code.adjacent() {
                let (partition, index) = ((place & mask) as usize, place >> shift);
                let merged = self.merged.get(partition);
                let index = merged.map_or(index, |merged| merged.new_indices[index as usize]);
                *code = EdgeTarget::Adjacent(self.bases[partition] + index).code();
            }
        }
    }
}
