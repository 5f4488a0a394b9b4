//! Checkpoints: finding one when a run begins, saving one between two levels, and resuming it.
//!
//! [`open_storage`] opens the directories of a run and finds its checkpoint. [`save`] writes a [`SweepSnapshot`] of the sweep,
//! and [`restore`] reads it. The files are in [`disk`](super::disk), and the checkpoints of another number of processes in
//! [`exchange`](super::exchange).

use super::disk::{
    Blob, Checkpoint, Directory, Disk, Extent, Manifest, RunIdentity, Storage, unfit,
};
use super::exchange::{self, Exchange, SavedPart};
use super::expander::SweepInput;
use super::level::{Incoming, Level, MAX_PARTITIONS};
use super::memory::{SweepData, WorkingSet};
use super::monitor::{Monitor, RunConfig, Watch};
use super::payload::{OneTerminal, is_width};
use super::report::LevelReport;
use super::spill_file::{FileSegment, SpillFile};
use super::unreduced::{ForcedChain, StateMarks, UnreducedLevel};
use crate::Map;
use crate::number::UpperBound;
use crate::{BuildError, Portable};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The checkpoint that a run resumes.
pub(super) enum SavedRun {
    /// No checkpoint: the run begins anew.
    None,
    /// The checkpoint of this process.
    Own(Manifest),
    /// The parts that another number of processes saved.
    Parts(Vec<SavedPart>),
}

/// Opens the directories of a run, and finds its checkpoint. `identity` returns the identity of the
/// run, from its key. Several processes choose together which checkpoint they resume.
pub(super) fn open_storage(
    config: &RunConfig,
    watch: &Watch,
    identity: impl FnOnce(&str) -> RunIdentity,
    exchange: &mut dyn Exchange,
) -> Result<(Storage, SavedRun), BuildError> {
    let files = &config.files;
    let spill = config.spill_dir.as_ref().map(|dir| Disk::unnamed(files, dir)).transpose()?;
    let (watch, memory_limit) = (watch.clone(), config.memory_limit);
    let mut storage = Storage { spill, checkpoint: None, watch, memory_limit };
    let Some((dir, key)) = &config.checkpoint else { return Ok((storage, SavedRun::None)) };
    let interval = config.checkpoint_interval.unwrap_or(Checkpoint::MIN_INTERVAL);
    let check = || storage.watch.check(None);
    let identity = identity(key);
    let rank = exchange.rank();
    let own = rank.directory(dir);
    if own != *dir {
        fs::create_dir_all(&own).map_err(BuildError::io("create the directory", &own))?;
    }
    let choose = |found: &[Option<Manifest>; 2]| exchange.choose(found);
    let (mut checkpoint, manifest) = Checkpoint::open(
        Directory { files, path: &own },
        identity.clone(),
        interval,
        choose,
        check,
    )?;
    checkpoint.earlier_directories =
        exchange::earlier_directories(Directory { files, path: dir }, rank)?;
    // Of several processes, all have a manifest here or none has, because they chose together.
    let saved = if let Some(manifest) = manifest {
        SavedRun::Own(manifest)
    } else {
        let found =
            exchange::find_parts(Directory { files, path: dir }, &identity, exchange, &check)?;
        checkpoint.replaces = found.locked;
        if found.parts.is_empty() { SavedRun::None } else { SavedRun::Parts(found.parts) }
    };
    storage.checkpoint = Some(checkpoint);
    Ok((storage, saved))
}

/// Saves a checkpoint between two levels.
pub(super) fn save(
    set: &mut WorkingSet<'_>,
    exchange: &mut dyn Exchange,
    monitor: &Monitor<'_, '_>,
) -> Result<(), BuildError> {
    let WorkingSet { data, storage, sample, .. } = set;
    let begun = Instant::now();
    let (mut out, mut blobs) = (Vec::new(), Vec::new());
    (exchange.attempt(), monitor.report.peak_bytes, monitor.report.levels.clone()).write(&mut out);
    data.ones.write(&mut out);
    data.pending.len().write(&mut out);
    for (&variable, level) in data.pending.iter() {
        SavedLevel::new(variable, level, storage, &mut blobs)?.write(&mut out);
    }
    data.edges.spill(storage)?;
    data.edges.levels.len().write(&mut out);
    data.edges.levels.iter().for_each(|level| level.write(&mut out, &mut blobs));
    if let Some(sent) = exchange.sent() {
        sent.write(&mut out);
    }
    let checkpoint = storage.checkpoint.as_mut().expect("one is due");
    checkpoint.prepare(begun, sample.clone(), out, &blobs, || monitor.watch.check(None))?;
    // All processes resume the same level: each keeps its old checkpoint until all have the new
    // one.
    exchange.barrier()?;
    checkpoint.commit()
}

/// Compares the spec with the spec whose sweep is resumed.
///
/// # Errors
///
/// Fails with [`BuildError::SpecChanged`] if sampled states have other steps.
pub(super) fn compare_spec(
    saved: &SavedRun,
    key: &str,
    set: &mut WorkingSet<'_>,
    exchange: &mut dyn Exchange,
) -> Result<(), BuildError> {
    let WorkingSet { input, storage, .. } = set;
    let dir = |own: &Checkpoint| own.disk.dir.clone();
    let parts: Vec<(PathBuf, &Manifest)> = match saved {
        SavedRun::None => return Ok(()),
        SavedRun::Own(manifest) => {
            storage.checkpoint.iter().map(|own| (dir(own), manifest)).collect()
        }
        SavedRun::Parts(parts) => {
            parts.iter().map(|of| (of.disk.dir.clone(), &of.manifest)).collect()
        }
    };
    let (num_vars, check) = (input.arities.num_vars(), || storage.watch.check(None));
    let mut changed = Ok(());
    for (path, manifest) in parts {
        let is_same = manifest.sample.is_of_spec(input.expander, num_vars, &check)?;
        let is_same = is_same.ok_or_else(|| unfit(&path))?;
        if !is_same && changed.is_ok() {
            changed = Err(BuildError::SpecChanged { path, key: key.to_owned() });
        }
    }
    // Each process reports what it has found, and not that another one has failed.
    exchange.barrier()?;
    changed
}

/// Resumes the checkpoint of this process.
pub(super) fn restore(
    manifest: &Manifest,
    disk: &Disk,
    input: SweepInput<'_>,
    data: &mut SweepData,
    exchange: &mut dyn Exchange,
    monitor: &mut Monitor<'_, '_>,
) -> Result<(), BuildError> {
    let saved = SweepSnapshot::read(manifest, disk, input)?;
    if let Some(sent) = exchange.sent() {
        *sent = Portable::read(&mut &saved.sent[..]).ok_or_else(|| unfit(&disk.dir))?;
    }
    data.finished_states = saved.reports.iter().map(|level| level.states).sum();
    monitor.resume(saved.reports, saved.peak_bytes);
    data.ones = saved.ones;
    let pending = saved.pending.into_iter();
    pending.for_each(|(variable, level)| data.pending.insert(variable, level));
    saved.finished.into_iter().for_each(|level| data.edges.push(level));
    Ok(())
}

/// The content of a checkpoint, without the [attempt](super::exchange::Exchange::attempt), which
/// [`saved_level`](super::exchange::saved_level) reads.
pub(super) struct SweepSnapshot {
    pub(super) peak_bytes: usize,
    pub(super) reports: Vec<LevelReport>,
    pub(super) ones: OneTerminal,
    /// The pending levels by variable.
    pub(super) pending: BTreeMap<usize, Box<Level>>,
    /// The finished levels, if edges are stored.
    pub(super) finished: Vec<UnreducedLevel>,
    /// The encoded [`SentEdges`](super::exchange::SentEdges), if the run has several processes.
    pub(super) sent: Vec<u8>,
}

/// A pending level in a checkpoint.
pub(super) struct SavedLevel {
    variable: usize,
    partitions: usize,
    width: usize,
    bound: UpperBound,
    complete: bool,
    merged: u64,
    files: Vec<SavedFile>,
    incoming: Vec<SavedIncoming>,
}

crate::portable!(SavedLevel {
    variable,
    partitions,
    width,
    bound,
    complete,
    merged,
    files,
    incoming,
});

/// A spill file in a checkpoint.
struct SavedFile {
    blob: Option<u64>,
    width: usize,
    segments: Vec<Option<FileSegment>>,
}

crate::portable!(SavedFile { blob, width, segments });

/// The long edges to a pending level over one chain, with the block of their places.
struct SavedIncoming {
    chain: ForcedChain,
    blob: Option<u64>,
    places: Extent,
}

crate::portable!(SavedIncoming { chain, blob, places });

/// The attempt, the peak of the bytes, the reports, the words of the 1-terminal, and the pending levels of a
/// checkpoint, in this order.
type Head = (u64, usize, Vec<LevelReport>, OneTerminal, Vec<SavedLevel>);

/// The files of blocks of a checkpoint, by number.
type Blobs = Map<u64, Arc<Blob>>;

impl SweepSnapshot {
    /// Decodes the content of a checkpoint in the directory of `disk`.
    pub(super) fn read(
        manifest: &Manifest,
        disk: &Disk,
        input: SweepInput<'_>,
    ) -> Result<Self, BuildError> {
        let blobs = manifest.blobs(disk)?;
        let damaged = || unfit(&disk.dir);
        let bytes = &mut &manifest.sweep[..];
        let (_, peak_bytes, reports, ones, levels) = Head::read(bytes).ok_or_else(damaged)?;
        let (payload, num_vars) = (input.payload, input.arities.num_vars());
        let is_valid = |words: &Vec<u64>| is_width(payload, ones.decided, words.len());
        if ones.decided > num_vars || !ones.words.iter().all(is_valid) {
            return Err(damaged());
        }
        let mut pending = BTreeMap::new();
        for level in levels {
            let variable = level.variable;
            let level = level.load(input, &blobs)?.ok_or_else(damaged)?;
            pending.insert(variable, Box::new(level));
        }
        let count = usize::read(bytes).ok_or_else(damaged)?;
        let blob = |number: Option<u64>| blobs.get(&number?).cloned();
        let finished = (0..count).map(|_| UnreducedLevel::read(bytes, blob));
        let finished = finished.collect::<Option<_>>().ok_or_else(damaged)?;
        Ok(SweepSnapshot { peak_bytes, reports, ones, pending, finished, sent: bytes.to_vec() })
    }
}

impl SavedLevel {
    /// The form of a level in a checkpoint. Writes its states and places to files, which are added to
    /// `blobs`.
    pub(super) fn new(
        variable: usize,
        level: &Level,
        storage: &Storage,
        blobs: &mut Vec<Arc<Blob>>,
    ) -> Result<Self, BuildError> {
        let partitions = level.partitions.len();
        let (mut files, mut incoming) = (Vec::new(), Vec::new());
        for file in level.files.iter().chain([&level.write_file(0..partitions, storage)?]) {
            let segments = file.segments.clone();
            files.push(SavedFile { blob: file.blob.number, width: file.width, segments });
            blobs.push(Arc::clone(&file.blob));
        }
        for of in &level.incoming {
            let mut blob = storage.disk().create()?;
            let mut places = Vec::new();
            of.places.write(&mut places);
            let places = blob.append(&places)?;
            incoming.push(SavedIncoming { chain: of.chain, blob: blob.number, places });
            blobs.push(Arc::new(blob));
        }
        let &Level { width, bound, complete, merged, .. } = level;
        Ok(SavedLevel { variable, partitions, width, bound, complete, merged, files, incoming })
    }

    /// Whether the level may be one of the run.
    fn is_valid(&self, input: SweepInput<'_>) -> bool {
        let fits =
            |file: &SavedFile| file.width <= self.width && file.segments.len() == self.partitions;
        self.partitions.is_power_of_two()
            && self.partitions <= MAX_PARTITIONS
            && self.variable < input.arities.num_vars()
            && is_width(input.payload, self.variable, self.width)
            && self.files.iter().all(fits)
    }

    /// Makes the level. Returns `None` if its data is not valid.
    fn load(self, input: SweepInput<'_>, blobs: &Blobs) -> Result<Option<Level>, BuildError> {
        if !self.is_valid(input) {
            return Ok(None);
        }
        let new = |_| input.expander.new_states(self.width);
        let level = Level::new((0..self.partitions).map(new).collect(), self.width);
        let SavedLevel { bound, complete, merged, .. } = self;
        let mut level = Level { bound, complete, merged, ..level };
        let blob = |number: Option<u64>| blobs.get(&number?).cloned();
        for SavedFile { blob: number, width, segments } in self.files {
            let Some(blob) = blob(number) else { return Ok(None) };
            level.files.push(SpillFile { blob, width, segments });
        }
        for SavedIncoming { chain, blob: number, places } in self.incoming {
            let Some(blob) = blob(number) else { return Ok(None) };
            let mut block = Vec::new();
            blob.read(places, &mut block)?;
            let Some(places) = Portable::read(&mut &block[..]) else { return Ok(None) };
            level.incoming.push(Incoming { chain, places, marks: StateMarks::default() });
        }
        Ok(Some(level))
    }
}

impl Portable for LevelReport {
    fn write(&self, out: &mut Vec<u8>) {
        let LevelReport { variable, states, edges, merged, bytes, disk_bytes, elapsed } = *self;
        (variable, states, edges, merged, bytes, disk_bytes, elapsed.as_nanos() as u64).write(out);
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        let (variable, states, edges, merged, bytes, disk_bytes, nanos) = Portable::read(input)?;
        let elapsed = Duration::from_nanos(nanos);
        Some(LevelReport { variable, states, edges, merged, bytes, disk_bytes, elapsed })
    }
}
