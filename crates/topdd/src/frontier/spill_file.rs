//! Spilled states: partitions of a level in files.
//!
//! A *spill file* contains, for each partition, the distinct states that arrived since the file before,
//! with their words. When a partition is opened, its files are read and merged, which removes
//! duplicates: states that arrived before and after a spill. A partition that does not fit in its
//! share of memory is read in several passes. Nothing is written a second time.
//!
//! If edges are stored, the states of a level that was complete before it was spilled have their final
//! numbers already: they are read in order, and a pass is a range of blocks. Otherwise a pass takes
//! the states that their hash assigns to it, and the numbers are known after the last pass.

use super::disk::{Blob, Extent};
use super::numbering::MergedFiles;
use super::payload::Combiner;
use super::states::{Pass, States};
use super::storage::Storage;
use crate::BuildError;
use std::ops::Range;
use std::sync::Arc;

/// The most states in a block, and about the most bytes of their words and heap memory.
const BLOCK_STATES: usize = 1 << 14;
const BLOCK_BYTES: usize = 1 << 20;

/// The fault of a block whose states cannot be read. Its checksum is right.
pub(super) const NOT_STATES: &str = "its blocks do not hold states of this spec: another spec has written \
                                     it, or `Portable::read` of the states refuses what `write` has \
                                     written";

/// Partitions of a level in one file.
pub(super) struct SpillFile {
    pub(super) blob: Arc<Blob>,
    /// The number of words of each of its states.
    pub(super) width: usize,
    /// By partition.
    pub(super) segments: Vec<Option<Segment>>,
}

impl SpillFile {
    /// Size in bytes of the part in memory.
    pub(super) fn bytes(&self) -> usize {
        let blocks = self.segments.iter().flatten().map(|segment| segment.blocks.len());
        self.segments.len() * size_of::<Option<Segment>>()
            + blocks.sum::<usize>() * size_of::<Extent>()
    }
}

/// The states of one partition in a run.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    /// The number of states.
    pub(super) states: u32,
    /// The number of states in each block; the last one may have fewer.
    of_block: u32,
    /// Size in bytes of the heap memory of the states when they are read, if it is counted.
    pub(super) heap: u64,
    pub(super) blocks: Vec<Extent>,
}

crate::portable!(Segment { states, of_block, heap, blocks });

impl Segment {
    /// Writes a partition, if it is not empty.
    pub(super) fn write(
        partition: &dyn States,
        width: usize,
        storage: &Storage,
        to: &mut Blob,
    ) -> Result<Option<Self>, BuildError> {
        let (states, heap) = (partition.len(), partition.heap());
        let state_bytes = width * size_of::<u64>() + heap / states.max(1);
        let of_block = (BLOCK_BYTES / state_bytes.max(1)).clamp(1, BLOCK_STATES);
        let mut blocks = Vec::with_capacity(states.div_ceil(of_block));
        let mut buffer = Vec::new();
        for start in (0..states).step_by(of_block) {
            storage.watch.check(None)?;
            buffer.clear();
            partition.write(start..states.min(start + of_block), &mut buffer);
            blocks.push(to.append(&buffer)?);
        }
        let (count, of_block) = (states as u32, of_block as u32);
        Ok((states > 0).then_some(Segment { states: count, of_block, heap: heap as u64, blocks }))
    }

    /// The blocks, each with the indices of its states.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (Extent, Range<usize>)> {
        let (states, of_block) = (self.states as usize, self.of_block as usize);
        let starts = (0..states).step_by(of_block.max(1));
        let ranges = starts.map(move |start| start..states.min(start + of_block));
        self.blocks.iter().copied().zip(ranges)
    }

    /// The blocks that are read in a pass over states in their final order.
    fn blocks_of(&self, pass: Pass) -> Range<usize> {
        let bound = |number: u64| (number * self.blocks.len() as u64 / pass.of) as usize;
        bound(pass.number)..bound(pass.number + 1)
    }
}

/// The files that contain states of a partition, each with its segment.
pub(super) fn segments(
    files: &[SpillFile],
    partition: usize,
) -> impl Iterator<Item = (&SpillFile, &Segment)> {
    files.iter().filter_map(move |file| Some((file, file.segments[partition].as_ref()?)))
}

/// Merges the files of a partition into its states in memory, in a pass. With several passes, and if
/// `merged` is given, no state may be in memory. `merged` receives the indices of the states.
///
/// A partition of a complete level has one file, or is in memory and stays as it is.
pub(super) fn read_partition(
    (files, partition): (&[SpillFile], usize),
    (complete, pass): (bool, Pass),
    combiner: Combiner<'_>,
    storage: &Storage,
    states: &mut dyn States,
    mut merged: Option<&mut MergedFiles>,
) -> Result<(), BuildError> {
    if let Some(merged) = &mut merged {
        let read = segments(files, partition).map(|(_, segment)| segment.states as usize);
        merged.new_indices.resize(read.sum(), 0);
    }
    let (mut first, mut buffer) = (0, Vec::new());
    for (run, segment) in segments(files, partition) {
        let (blocks, pass) = if complete {
            (segment.blocks_of(pass), Pass::ONLY)
        } else {
            (0..segment.blocks.len(), pass)
        };
        for (extent, range) in segment.blocks().take(blocks.end).skip(blocks.start) {
            storage.watch.check(None)?;
            run.blob.read(extent, &mut buffer)?;
            let count = range.len();
            let range = first + range.start..first + range.end;
            let new_indices = merged.as_mut().map(|of| (of.count, &mut of.new_indices[range]));
            let read = states.read(&buffer, (count, run.width), (pass, combiner), new_indices);
            read.ok_or_else(|| run.blob.damaged(NOT_STATES))?;
        }
        first += segment.states as usize;
    }
    if let Some(merged) = merged {
        merged.count += states.len() as u32;
    }
    Ok(())
}
