//! Spilled states: partitions of a level in files.
//!
//! A *spill file* contains, for each partition, the distinct states that arrived since the file before,
//! with their words. When a partition is opened, its files are read one after the other, and merged
//! ([`SpilledPartition::merge_into`]). This removes duplicates: states that arrived before and after a
//! spill. Nothing is written a second time.
//!
//! A partition that does not fit in its share of memory is read in several passes; the hash of a state
//! selects its pass. If edges are stored, the states get their numbers as they are read.
//!
//! A level that was [complete](super::level::Level::complete) before it was spilled has final numbers and no
//! duplicates, so its order must be kept. A partition of such a level that is too large for one pass is
//! [split](super::level::Level::split) into ranges of blocks instead.

use super::disk::{Blob, Extent, Storage};
use super::monitor::Watch;
use super::payload::Combiner;
use super::places::MergedFiles;
use super::states::{EncodedRecords, NewIndices, Pass, States};
use crate::BuildError;
use std::ops::Range;
use std::sync::Arc;

/// The most states in a block, and about the most bytes of their words and heap memory.
const BLOCK_STATES: usize = 1 << 14;
const BLOCK_BYTES: usize = 1 << 20;

/// The fault of a block whose states cannot be read. Its checksum is right.
const NOT_STATES: &str = "its blocks do not hold states of this spec: another spec has written \
                                     it, or `Portable::read` of the states refuses what `write` has \
                                     written";

/// Partitions of a level in one file.
pub(super) struct SpillFile {
    pub(super) blob: Arc<Blob>,
    /// The number of words of each of its states.
    pub(super) width: usize,
    /// By partition.
    pub(super) segments: Vec<Option<FileSegment>>,
}

impl SpillFile {
    /// Size in bytes of the part in memory.
    pub(super) fn bytes(&self) -> usize {
        let blocks = self.segments.iter().flatten().map(|segment| segment.blocks.len());
        self.segments.len() * size_of::<Option<FileSegment>>()
            + blocks.sum::<usize>() * size_of::<Extent>()
    }
}

/// The states of one partition in a file.
#[derive(Clone, Debug)]
pub(super) struct FileSegment {
    /// The number of states.
    pub(super) states: u32,
    /// The number of states in each block; the last one may have fewer.
    of_block: u32,
    /// Size in bytes of the heap memory of the states when they are read, if it is counted.
    pub(super) heap: u64,
    pub(super) blocks: Vec<Extent>,
}

crate::portable!(FileSegment { states, of_block, heap, blocks });

impl FileSegment {
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
        Ok((states > 0).then_some(FileSegment {
            states: count,
            of_block,
            heap: heap as u64,
            blocks,
        }))
    }

    /// The blocks, each with the number of its states.
    fn blocks(&self) -> impl Iterator<Item = (Extent, usize)> {
        let (states, of_block) = (self.states as usize, self.of_block as usize);
        let starts = (0..states).step_by(of_block.max(1));
        let sizes = starts.map(move |start| of_block.min(states - start));
        self.blocks.iter().copied().zip(sizes)
    }

    /// Segments of successive blocks, at most as many as there are blocks.
    pub(super) fn split(&self, count: usize) -> Vec<Option<Self>> {
        let bound = |part: usize| part * self.blocks.len() / count;
        let part = |part: usize| {
            let range = bound(part)..bound(part + 1);
            let start = range.start as u32 * self.of_block;
            let end = self.states.min(range.end as u32 * self.of_block);
            Some(FileSegment {
                states: end - start,
                of_block: self.of_block,
                heap: self.heap * range.len() as u64 / self.blocks.len() as u64,
                blocks: self.blocks[range].to_vec(),
            })
        };
        (0..count).map(part).collect()
    }
}

/// The spilled states of a partition: its segments in the files of its level, the oldest first.
#[derive(Clone, Copy)]
pub(super) struct SpilledPartition<'a> {
    pub(super) files: &'a [SpillFile],
    pub(super) partition: usize,
}

/// A block of encoded states that was read.
pub(super) struct SpilledBlock<'b> {
    pub(super) bytes: &'b mut Vec<u8>,
    /// The number of words of each state.
    pub(super) width: usize,
    /// The indices of the states, which count through the files of the partition.
    pub(super) indices: Range<usize>,
}

impl<'a> SpilledPartition<'a> {
    pub(super) fn segments(self) -> impl Iterator<Item = &'a FileSegment> {
        let segment = move |file: &'a SpillFile| file.segments[self.partition].as_ref();
        self.files.iter().filter_map(segment)
    }

    /// The number of states. A state counts once for each file that contains it.
    pub(super) fn states(self) -> u64 {
        self.segments().map(|segment| u64::from(segment.states)).sum()
    }

    /// Reads the states block by block, in the order in which they were written. `take` returns `None`
    /// for a block that does not contain encoded states.
    pub(super) fn read(
        self,
        watch: &Watch,
        mut take: impl FnMut(SpilledBlock<'_>) -> Result<Option<()>, BuildError>,
    ) -> Result<(), BuildError> {
        let (mut next, mut buffer) = (0, Vec::new());
        for file in self.files {
            for (extent, states) in
                file.segments[self.partition].iter().flat_map(FileSegment::blocks)
            {
                watch.check(None)?;
                file.blob.read(extent, &mut buffer)?;
                let indices = next..next + states;
                next = indices.end;
                let block = SpilledBlock { bytes: &mut buffer, width: file.width, indices };
                take(block)?.ok_or_else(|| file.blob.damaged(NOT_STATES))?;
            }
        }
        Ok(())
    }

    /// Reads the states back, and merges those that `pass` takes into the states in memory. With
    /// several passes, and if `merged` is given, no state may be in memory. `merged` receives the indices
    /// of the states.
    pub(super) fn merge_into(
        self,
        states: &mut dyn States,
        pass: Pass,
        combiner: Combiner<'_>,
        watch: &Watch,
        mut merged: Option<&mut MergedFiles>,
    ) -> Result<(), BuildError> {
        if let Some(merged) = &mut merged {
            merged.new_indices.resize(self.states() as usize, 0);
        }
        self.read(watch, |SpilledBlock { bytes, width, indices }| {
            let records = EncodedRecords { bytes, count: indices.len(), width };
            let new_indices = merged.as_mut().map(|merged| NewIndices {
                before: merged.count,
                list: &mut merged.new_indices[indices],
            });
            Ok(states.merge_encoded(records, pass, combiner, new_indices))
        })?;
        if let Some(merged) = merged {
            merged.count += states.len() as u32;
        }
        Ok(())
    }
}
