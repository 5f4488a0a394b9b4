//! Saving and restoring a sweep between two levels.

use super::disk::{Blob, Blobs, Manifest};
use super::level::{Incoming, Level};
use super::monitor::Monitor;
use super::payload::{Ones, Payload, is_width};
use super::pool::{MOST_PARTITIONS, Pool};
use super::report::LevelReport;
use super::run::Run;
use super::sweep::Sweep;
use super::unreduced::UnreducedLevel;
use crate::{BuildError, Portable};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The content of a checkpoint.
pub(super) struct SavedSweep {
    pub(super) peak_bytes: usize,
    pub(super) reports: Vec<LevelReport>,
    pub(super) ones: Ones,
    /// The pending levels by variable.
    pub(super) pending: BTreeMap<usize, Box<Level>>,
    /// The finished levels, if edges are stored.
    pub(super) finished: Vec<UnreducedLevel>,
    /// The items of [`EdgeStore::sent`](super::edges::EdgeStore::sent).
    sent: Vec<(usize, Vec<u32>)>,
}

/// A reader of the content of a checkpoint.
struct CheckpointReader<'a> {
    bytes: &'a [u8],
    files: Blobs,
    /// Returns the error for a checkpoint whose parts do not fit together.
    damaged: &'a dyn Fn() -> BuildError,
}

impl CheckpointReader<'_> {
    fn value<T: Portable>(&mut self) -> Result<T, BuildError> {
        T::read(&mut self.bytes).ok_or_else(self.damaged)
    }

    fn blob(&mut self) -> Result<Arc<Blob>, BuildError> {
        let number: Option<u64> = self.value()?;
        let blob = number.and_then(|number| self.files.get(&number));
        blob.map(Arc::clone).ok_or_else(self.damaged)
    }

    /// A pending level and its variable, for a sweep over so many variables.
    fn pending(
        &mut self,
        payload: &dyn Payload,
        num_vars: usize,
        pool: &Pool<'_>,
    ) -> Result<(usize, Box<Level>), BuildError> {
        let (variable, partitions, width): (usize, usize, usize) = self.value()?;
        let (bound, complete) = self.value()?;
        if !partitions.is_power_of_two()
            || partitions > MOST_PARTITIONS
            || variable >= num_vars
            || !is_width(payload, variable, width)
        {
            return Err((self.damaged)());
        }
        let new = |_| pool.expander.new_states(width);
        let level = Level::new((0..partitions).map(new).collect(), width);
        let mut level = Level { bound, complete, ..level };
        for _ in 0..self.value::<usize>()? {
            let (blob, run_width, segments) = (self.blob()?, self.value()?, self.value()?);
            let run = Run { blob, width: run_width, segments };
            if run.segments.len() != partitions || run.width > width {
                return Err((self.damaged)());
            }
            level.runs.push(run);
        }
        for _ in 0..self.value::<usize>()? {
            let chain = self.value()?;
            let (blob, extent, mut block) = (self.blob()?, self.value()?, Vec::new());
            blob.read(extent, &mut block)?;
            let places = Portable::read(&mut &block[..]).ok_or_else(self.damaged)?;
            level.incoming.push(Incoming { chain, places });
        }
        Ok((variable, Box::new(level)))
    }
}

impl Sweep<'_> {
    /// Saves a checkpoint if one is due. No level is being expanded.
    pub(super) fn save(&mut self, monitor: &Monitor<'_, '_>) -> Result<(), BuildError> {
        let is_due = self.peers.as_ref().map_or_else(|| self.storage.is_due(), |of| of.is_due);
        if !is_due {
            return Ok(());
        }
        let begun = Instant::now();
        let mut blobs = Vec::new();
        let mut out = Vec::new();
        self.peers.as_ref().map_or(0, |peers| peers.attempt).write(&mut out);
        (monitor.report.peak_bytes, monitor.report.levels.clone()).write(&mut out);
        self.ones.write(&mut out);
        self.save_pending(&mut out, &mut blobs)?;
        self.edges.spill(&self.storage)?;
        self.edges.levels.len().write(&mut out);
        self.edges.levels.iter().for_each(|level| level.write(&mut out));
        let sent: Vec<_> = self.edges.sent.iter().map(|(to, sent)| (*to, sent.clone())).collect();
        sent.write(&mut out);
        blobs.extend(self.edges.levels.iter().flat_map(UnreducedLevel::blobs));
        let checkpoint = self.storage.checkpoint.as_mut().expect("one is due");
        checkpoint.prepare(begun, out, &blobs, || monitor.watch.check(None))?;
        // All processes resume the same level: each keeps its old checkpoint until all have the new
        // one.
        if let Some(peers) = &mut self.peers {
            peers.gather(&())?;
        }
        checkpoint.publish()
    }

    /// Writes the pending levels. Copies their states in memory to disk.
    fn save_pending(
        &self,
        out: &mut Vec<u8>,
        blobs: &mut Vec<Arc<Blob>>,
    ) -> Result<(), BuildError> {
        let storage = &self.storage;
        self.pending.len().write(out);
        for (&variable, level) in &*self.pending {
            let copy = level.write_run(0..level.partitions.len(), storage)?;
            (variable, level.partitions.len(), level.width).write(out);
            (level.bound, level.complete).write(out);
            (level.runs.len() + 1).write(out);
            for run in level.runs.iter().chain([&copy]) {
                run.blob.number.write(out);
                (run.width, run.segments.clone()).write(out);
            }
            blobs.extend(level.runs.iter().chain([&copy]).map(|run| Arc::clone(&run.blob)));
            level.incoming.len().write(out);
            for incoming in &level.incoming {
                let mut blob = storage.disk().create()?;
                let mut places = Vec::new();
                incoming.places.write(&mut places);
                let extent = blob.append(&places)?;
                (incoming.chain, (blob.number, extent)).write(out);
                blobs.push(Arc::new(blob));
            }
        }
        Ok(())
    }

    /// Resumes the sweep that the checkpoint contains. Returns whether it contains one.
    pub(super) fn restore(&mut self, monitor: &mut Monitor<'_, '_>) -> Result<bool, BuildError> {
        let Some(manifest) = self.storage.manifest.take() else {
            return self.restore_parts(monitor);
        };
        let checkpoint = self.storage.checkpoint.as_ref().expect("its manifest was read");
        let damaged = || checkpoint.damaged("its parts do not fit together");
        let saved = self.read_saved(&manifest, manifest.blobs(&checkpoint.disk)?, &damaged)?;
        self.finished_states = saved.reports.iter().map(|level| level.states).sum();
        monitor.resume(saved.reports, saved.peak_bytes);
        self.ones = saved.ones;
        let pending = saved.pending.into_iter();
        pending.for_each(|(variable, level)| self.pending.insert(variable, level));
        saved.finished.into_iter().for_each(|level| self.edges.push(level));
        self.edges.sent = saved.sent.into_iter().collect();
        Ok(true)
    }

    /// Decodes the content of a checkpoint. `files` are those that its manifest names, and `damaged`
    /// returns the error for a checkpoint whose parts do not fit together.
    pub(super) fn read_saved(
        &self,
        manifest: &Manifest,
        files: Blobs,
        damaged: &dyn Fn() -> BuildError,
    ) -> Result<SavedSweep, BuildError> {
        let (payload, num_vars) = (self.payload, self.arities.num_vars());
        let mut reader = CheckpointReader { bytes: &manifest.sweep, files, damaged };
        let (_, peak_bytes, reports): (u64, _, _) = reader.value()?;
        let ones: Ones = reader.value()?;
        let is_valid = |words: &Vec<u64>| is_width(payload, ones.decided, words.len());
        if ones.decided > num_vars || !ones.words.iter().all(is_valid) {
            return Err(damaged());
        }
        let mut pending = BTreeMap::new();
        for _ in 0..reader.value::<usize>()? {
            let (variable, level) = reader.pending(payload, num_vars, &self.pool)?;
            pending.insert(variable, level);
        }
        let mut finished = Vec::new();
        for _ in 0..reader.value::<usize>()? {
            let file = |number| reader.files.get(&number).map(Arc::clone);
            let level = UnreducedLevel::read(&mut reader.bytes, file);
            finished.push(level.ok_or_else(damaged)?);
        }
        let sent = reader.value()?;
        Ok(SavedSweep { peak_bytes, reports, ones, pending, finished, sent })
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
