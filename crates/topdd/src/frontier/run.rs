//! Runs: partitions of a level in a file.

use super::disk::{Blob, BlobWriter, Disk, Extent};
use super::monitor::Watch;
use super::partition::Partition;
use super::states::{Pass, Reading, States};
use super::unreduced::read_numbers;
use crate::{Error, Portable};
use std::ops::Range;
use std::sync::Arc;

/// The most states in a block, and about the most bytes of their numbers and of what they own.
const BLOCK_STATES: usize = 1 << 14;
const BLOCK_BYTES: usize = 1 << 20;
/// Arrivals that a block holds.
const BLOCK_ARRIVALS: usize = 1 << 16;

/// What is needed to write and read states.
pub(super) struct Tools<'a> {
    pub(super) disk: &'a Disk,
    /// To be looked at before each block: writing may take long.
    pub(super) watch: &'a Watch,
}

/// Partitions of a level in one file.
pub(super) struct Run {
    pub(super) blob: Arc<Blob>,
    /// How many limbs its numbers have.
    pub(super) width: usize,
    /// By partition.
    pub(super) segments: Vec<Option<Segment>>,
}

impl Run {
    /// What is kept of it in memory.
    pub(super) fn bytes(&self) -> usize {
        let blocks = |segment: &Segment| segment.blocks.len() + segment.arrivals.blocks.len();
        self.segments.len() * size_of::<Option<Segment>>()
            + self.segments.iter().flatten().map(blocks).sum::<usize>() * size_of::<Extent>()
    }
}

/// The states of one partition in a run.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) states: u32,
    /// The states in a block; the last one may have fewer.
    pub(super) of_block: u32,
    /// Size in bytes of the memory that they own when they are read, if it is counted.
    pub(super) heap: u64,
    pub(super) blocks: Vec<Extent>,
    /// To which of these states records went, in order of arrival; for a sweep that stores
    /// edges.
    pub(super) arrivals: Arrivals,
}

crate::portable!(Segment { states, of_block, heap, blocks, arrivals });

/// To which states records went, as indices, in blocks of [`BLOCK_ARRIVALS`].
#[derive(Clone, Debug, Default)]
pub(super) struct Arrivals {
    pub(super) count: u32,
    pub(super) blocks: Vec<Extent>,
}

crate::portable!(Arrivals { count, blocks });

/// The arrivals at the partitions of a level that has been settled.
pub(super) struct SettledArrivals {
    pub(super) blob: Arc<Blob>,
    pub(super) by_partition: Vec<Arrivals>,
}

impl SettledArrivals {
    /// Reads the arrivals at a partition in order.
    pub(super) fn reader(&self, partition: usize) -> ArrivalReader<'_> {
        let arrivals = &self.by_partition[partition];
        ArrivalReader {
            blob: &self.blob,
            blocks: arrivals.blocks.iter(),
            block: Vec::new().into_iter(),
        }
    }
}

/// Reads arrivals block by block.
pub(super) struct ArrivalReader<'a> {
    blob: &'a Blob,
    blocks: std::slice::Iter<'a, Extent>,
    block: std::vec::IntoIter<u32>,
}

impl ArrivalReader<'_> {
    /// The next one, which there must be.
    pub(super) fn next(&mut self) -> Result<u32, Error> {
        loop {
            if let Some(arrival) = self.block.next() {
                return Ok(arrival);
            }
            let missing = || self.blob.damaged("it has fewer arrivals than edges");
            let extent = self.blocks.next().ok_or_else(missing)?;
            let mut bytes = Vec::new();
            self.blob.read(*extent, &mut bytes)?;
            self.block = read_numbers(&bytes).into_iter();
        }
    }
}

/// Writes numbers in blocks as they come.
pub(super) struct ArrivalWriter {
    arrivals: Arrivals,
    pending: Vec<u8>,
}

impl ArrivalWriter {
    pub(super) fn new() -> Self {
        ArrivalWriter { arrivals: Arrivals::default(), pending: Vec::new() }
    }

    pub(super) fn push(&mut self, number: u32, to: &mut BlobWriter) -> Result<(), Error> {
        number.write(&mut self.pending);
        self.arrivals.count += 1;
        if self.pending.len() == 4 * BLOCK_ARRIVALS {
            self.arrivals.blocks.push(to.append(&self.pending)?);
            self.pending.clear();
        }
        Ok(())
    }

    pub(super) fn finish(mut self, to: &mut BlobWriter) -> Result<Arrivals, Error> {
        if !self.pending.is_empty() {
            self.arrivals.blocks.push(to.append(&self.pending)?);
        }
        Ok(self.arrivals)
    }
}

impl Segment {
    /// Writes a partition.
    pub(super) fn write(
        partition: &Partition,
        width: usize,
        tools: &Tools<'_>,
        to: &mut BlobWriter,
        buffer: &mut Vec<u8>,
    ) -> Result<Self, Error> {
        let states = partition.len();
        let state_bytes = width * size_of::<u64>() + partition.states.heap() / states.max(1);
        let of_block = (BLOCK_BYTES / state_bytes.max(1)).clamp(1, BLOCK_STATES);
        let mut blocks = Vec::with_capacity(states.div_ceil(of_block));
        for start in (0..states).step_by(of_block) {
            tools.watch.check(None)?;
            buffer.clear();
            partition.states.write(start..states.min(start + of_block), buffer);
            blocks.push(to.append(buffer)?);
        }
        let mut arrivals = ArrivalWriter::new();
        for block in partition.resolved.chunks(BLOCK_ARRIVALS) {
            tools.watch.check(None)?;
            block.iter().try_for_each(|&index| arrivals.push(index, to))?;
        }
        let arrivals = arrivals.finish(to)?;
        let heap = partition.states.heap() as u64;
        Ok(Segment { states: states as u32, of_block: of_block as u32, heap, blocks, arrivals })
    }

    /// Reads the states of some blocks in order. `reading`, called with the numbers
    /// of the states of each block, says what becomes of them.
    pub(super) fn read<'r>(
        &self,
        blocks: Range<usize>,
        run: &Run,
        tools: &Tools<'_>,
        into: &mut dyn States,
        mut reading: impl FnMut(Range<usize>) -> Reading<'r>,
    ) -> Result<(), Error> {
        let damaged = || run.blob.damaged("its blocks do not hold states of this spec");
        let of_block = self.of_block as usize;
        let mut buffer = Vec::new();
        for number in blocks {
            tools.watch.check(None)?;
            run.blob.read(self.blocks[number], &mut buffer)?;
            let first = number * of_block;
            let states = first..(self.states as usize).min(first + of_block);
            let count = states.end.checked_sub(first).ok_or_else(damaged)?;
            into.read(&buffer, count, run.width, reading(states)).ok_or_else(damaged)?;
        }
        Ok(())
    }

    /// All blocks.
    pub(super) fn all(&self) -> Range<usize> {
        0..self.blocks.len()
    }

    /// The blocks that are read in a pass.
    pub(super) fn blocks_of(&self, pass: Pass) -> Range<usize> {
        let bound = |number: u64| (number * self.blocks.len() as u64 / pass.of) as usize;
        bound(pass.number)..bound(pass.number + 1)
    }
}
