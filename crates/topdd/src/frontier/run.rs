//! Spilled states: partitions of a level in files.
//!
//! A *run* contains, for each partition, the distinct states that arrived since the run before,
//! with their words. When a partition is opened, its runs are read and merged, which removes
//! duplicates: states that arrived before and after a spill. A partition that does not fit in its
//! share of memory is read in several passes. Nothing is written a second time.
//!
//! If edges are stored, the states of a level that was complete before it was spilled have their final
//! numbers already: they are read in order, and a pass is a range of blocks. Otherwise a pass takes
//! the states that their hash assigns to it, and the numbers are known after the last pass.

use super::disk::{Blob, Checkpoint, Disk, Extent, Identity, Manifest};
use super::monitor::{Config, Watch};
use super::parts::{self, SavedPart};
use super::payload::Combiner;
use super::remote::{Owner, Peers, process_directory};
use super::states::{Pass, States};
use crate::BuildError;
use std::fs;
use std::ops::Range;
use std::sync::Arc;

/// The most states in a block, and about the most bytes of their words and heap memory.
const BLOCK_STATES: usize = 1 << 14;
const BLOCK_BYTES: usize = 1 << 20;

/// The fault of a block whose states cannot be read. Its checksum is right.
pub(super) const NOT_STATES: &str = "its blocks do not hold states of this spec: another spec has written \
                                     it, or `Portable::read` of the states refuses what `write` has \
                                     written";

/// The directories of a sweep.
pub(super) struct Storage {
    /// The directory for data that does not fit in memory.
    pub(super) spill: Option<Disk>,
    pub(super) checkpoint: Option<Checkpoint>,
    pub(super) watch: Watch,
    /// The memory limit in bytes.
    pub(super) memory_limit: Option<usize>,
}

/// The checkpoint that a run resumes: its manifest, or else the parts that another number of processes
/// saved. Without either, the run begins anew.
pub(super) type ToResume = (Option<Manifest>, Vec<SavedPart>);

impl Storage {
    /// Opens the directories of a run, and finds its checkpoint. `identity` returns the identity of the
    /// run, from its key. Several processes choose together which checkpoint they resume.
    pub(super) fn open(
        config: &Config,
        watch: &Watch,
        identity: impl FnOnce(&str) -> Identity,
        mut peers: Option<&mut Peers<'_>>,
    ) -> Result<(Self, ToResume), BuildError> {
        let files = &config.files;
        let spill = config.spill_dir.as_ref().map(|dir| Disk::unnamed(files, dir)).transpose()?;
        let (watch, memory_limit) = (watch.clone(), config.memory_limit);
        let mut storage = Storage { spill, checkpoint: None, watch, memory_limit };
        let mut to_resume = (None, Vec::new());
        if let Some((dir, key)) = &config.checkpoint {
            let interval = config.checkpoint_interval.unwrap_or(Checkpoint::LEAST_INTERVAL);
            let check = || storage.watch.check(None);
            let identity = identity(key);
            let owner = peers.as_ref().map_or(Owner::ALONE, |peers| peers.owner());
            let own = process_directory(dir, owner);
            if peers.is_some() {
                fs::create_dir_all(&own).map_err(BuildError::io("create the directory", &own))?;
            }
            let choose = |found: &[Option<Manifest>; 2]| {
                peers.as_mut().map_or(Ok(Some(0)), |peers| peers.choose(found))
            };
            let (mut checkpoint, manifest) =
                Checkpoint::open((files, &own), identity.clone(), interval, choose, check)?;
            checkpoint.others = parts::others((files, dir), owner)?;
            // Of several processes, all have a manifest here or none has, because they chose together.
            if manifest.is_none() {
                (to_resume.1, checkpoint.replaces) =
                    parts::find((files, dir), &identity, peers, &check)?;
            }
            (storage.checkpoint, to_resume.0) = (Some(checkpoint), manifest);
        }
        Ok((storage, to_resume))
    }

    /// The directory of spilled states and edges.
    ///
    /// With a checkpoint, spilled data goes to its directory, so a checkpoint need not copy it.
    ///
    /// # Panics
    ///
    /// Panics if the sweep has no directory.
    pub(super) fn disk(&self) -> &Disk {
        self.disks().last().expect("a sweep that spills has a directory")
    }

    /// Whether a checkpoint is due.
    pub(super) fn is_due(&self) -> bool {
        self.checkpoint.as_ref().is_some_and(Checkpoint::is_due)
    }

    pub(super) fn disks(&self) -> impl Iterator<Item = &Disk> {
        self.spill.iter().chain(self.checkpoint.as_ref().map(|of| &of.disk))
    }
}

/// Partitions of a level in one file.
pub(super) struct Run {
    pub(super) blob: Arc<Blob>,
    /// The number of words of each of its states.
    pub(super) width: usize,
    /// By partition.
    pub(super) segments: Vec<Option<Segment>>,
}

impl Run {
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

/// The runs that contain states of a partition, each with its segment.
pub(super) fn segments(runs: &[Run], partition: usize) -> impl Iterator<Item = (&Run, &Segment)> {
    runs.iter().filter_map(move |run| Some((run, run.segments[partition].as_ref()?)))
}

/// The merged runs of a partition.
#[derive(Default)]
pub(super) struct MergedRuns {
    /// The number of distinct states.
    pub(super) count: u32,
    /// For each index, the index among the distinct states.
    pub(super) new_indices: Vec<u32>,
}

/// Merges the runs of a partition into its states in memory, in a pass. With several passes, and if
/// `merged` is given, no state may be in memory. `merged` receives the indices of the states.
///
/// A partition of a complete level has one run, or is in memory and stays as it is.
pub(super) fn read_partition(
    (runs, partition): (&[Run], usize),
    (complete, pass): (bool, Pass),
    combiner: Combiner<'_>,
    storage: &Storage,
    states: &mut dyn States,
    mut merged: Option<&mut MergedRuns>,
) -> Result<(), BuildError> {
    if let Some(merged) = &mut merged {
        let read = segments(runs, partition).map(|(_, segment)| segment.states as usize);
        merged.new_indices.resize(read.sum(), 0);
    }
    let (mut first, mut buffer) = (0, Vec::new());
    for (run, segment) in segments(runs, partition) {
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
