//! Saving and restoring a sweep between two levels.

use super::bound::UpperBound;
use super::chain::ForcedChain;
use super::disk::{Disk, Extent, Manifest, unfit};
use super::fingerprint::SampleSweep;
use super::level::{Incoming, Level};
use super::monitor::Monitor;
use super::payload::{Ones, is_width};
use super::pool::MOST_PARTITIONS;
use super::remote::saved_reports;
use super::report::LevelReport;
use super::run::{Run, Segment, ToResume};
use super::sweep::Sweep;
use super::unreduced::UnreducedLevel;
use crate::{BuildError, Portable};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The content of a checkpoint, without the [attempt](super::remote::Peers::attempt), which
/// [`saved_level`](super::remote::saved_level) reads.
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

/// A pending level: its variable, the number of its partitions, its width and bound, and whether it
/// is complete; the file, the width and the segments of each run; and the long edges, with the block
/// of their places.
type PendingData = (
    (usize, usize, usize, UpperBound, bool),
    Vec<(Option<u64>, usize, Vec<Option<Segment>>)>,
    Vec<(ForcedChain, Option<u64>, Extent)>,
);

impl Sweep<'_> {
    /// Saves a checkpoint. No level is being expanded.
    pub(super) fn save(&mut self, monitor: &Monitor<'_, '_>) -> Result<(), BuildError> {
        let begun = Instant::now();
        let fingerprint = self.fingerprint(&monitor.report.levels)?;
        let (mut out, mut blobs) = (Vec::new(), Vec::new());
        let attempt = self.peers.as_ref().map_or(0, |peers| peers.attempt);
        (attempt, monitor.report.peak_bytes, monitor.report.levels.clone()).write(&mut out);
        self.ones.write(&mut out);
        let storage = &self.storage;
        self.pending.len().write(&mut out);
        for (&variable, level) in &*self.pending {
            let partitions = level.partitions.len();
            let (mut runs, mut incoming) = (Vec::new(), Vec::new());
            for run in level.runs.iter().chain([&level.write_run(0..partitions, storage)?]) {
                runs.push((run.blob.number, run.width, run.segments.clone()));
                blobs.push(Arc::clone(&run.blob));
            }
            for of in &level.incoming {
                let mut blob = storage.disk().create()?;
                let mut places = Vec::new();
                of.places.write(&mut places);
                incoming.push((of.chain, blob.number, blob.append(&places)?));
                blobs.push(Arc::new(blob));
            }
            let head = (variable, partitions, level.width, level.bound, level.complete);
            let level: PendingData = (head, runs, incoming);
            level.write(&mut out);
        }
        self.edges.spill(&self.storage)?;
        self.edges.levels.len().write(&mut out);
        self.edges.levels.iter().for_each(|level| level.write(&mut out, &mut blobs));
        let sent: Vec<_> = self.edges.sent.iter().map(|(to, sent)| (*to, sent.clone())).collect();
        sent.write(&mut out);
        let checkpoint = self.storage.checkpoint.as_mut().expect("one is due");
        checkpoint.prepare(begun, (fingerprint, out), &blobs, || monitor.watch.check(None))?;
        // All processes resume the same level: each keeps its old checkpoint until all have the new
        // one.
        if let Some(peers) = &mut self.peers {
            peers.gather(&())?;
        }
        checkpoint.commit()
    }

    /// The fingerprint of the spec in these levels, which are the finished ones.
    fn fingerprint(&mut self, finished: &[LevelReport]) -> Result<u64, BuildError> {
        let (expander, watch) = (self.pool.expander, &self.storage.watch);
        let new = || SampleSweep::new(expander, self.rule, self.arities.num_vars());
        let sample = self.sample.get_or_insert_with(new);
        sample.fingerprint(expander, finished, || watch.check(None))
    }

    /// Compares the spec with the one whose sweep is resumed.
    ///
    /// # Errors
    ///
    /// Fails with [`BuildError::SpecChanged`] if their fingerprints differ.
    pub(super) fn compare_spec(
        &mut self,
        (manifest, parts): &ToResume,
        key: &str,
    ) -> Result<(), BuildError> {
        let own = self.storage.checkpoint.as_ref().map(|own| own.disk.dir.clone());
        let own = own.zip(manifest.as_ref());
        let parts = parts.iter().map(|(disk, manifest)| (disk.dir.clone(), manifest));
        let mut changed = Ok(());
        let mut resumes = false;
        // The parts have the same levels, so only the first one takes time.
        for (path, manifest) in own.into_iter().chain(parts) {
            let (_, finished) = saved_reports(manifest).ok_or_else(|| unfit(&path))?;
            if changed.is_ok() && self.fingerprint(&finished)? != manifest.fingerprint {
                changed = Err(BuildError::SpecChanged { path, key: key.to_owned() });
            }
            resumes = true;
        }
        // Each process reports what it has found, and not that another one has failed.
        if let Some(peers) = self.peers.as_mut().filter(|_| resumes) {
            peers.gather(&())?;
        }
        changed
    }

    /// Resumes the sweep of a checkpoint. Returns whether there is a checkpoint.
    pub(super) fn restore(
        &mut self,
        (manifest, parts): ToResume,
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<bool, BuildError> {
        let Some(manifest) = manifest else { return self.restore_parts(&parts, monitor) };
        let checkpoint = self.storage.checkpoint.as_ref().expect("its manifest was read");
        let saved = self.read_saved(&manifest, &checkpoint.disk)?;
        self.finished_states = saved.reports.iter().map(|level| level.states).sum();
        monitor.resume(saved.reports, saved.peak_bytes);
        self.ones = saved.ones;
        let pending = saved.pending.into_iter();
        pending.for_each(|(variable, level)| self.pending.insert(variable, level));
        saved.finished.into_iter().for_each(|level| self.edges.push(level));
        self.edges.sent = saved.sent.into_iter().collect();
        Ok(true)
    }

    /// Decodes the content of a checkpoint in the directory of `disk`.
    pub(super) fn read_saved(
        &self,
        manifest: &Manifest,
        disk: &Disk,
    ) -> Result<SavedSweep, BuildError> {
        let (payload, num_vars) = (self.payload, self.arities.num_vars());
        let damaged = || unfit(&disk.dir);
        let files = manifest.blobs(disk)?;
        let blob = |number: Option<u64>| files.get(&number?).cloned();
        let bytes = &mut &manifest.sweep[..];
        let read: Option<(u64, _, _, Ones, Vec<PendingData>)> = Portable::read(bytes);
        let (_, peak_bytes, reports, ones, levels) = read.ok_or_else(damaged)?;
        let is_valid = |words: &Vec<u64>| is_width(payload, ones.decided, words.len());
        if ones.decided > num_vars || !ones.words.iter().all(is_valid) {
            return Err(damaged());
        }
        let mut pending = BTreeMap::new();
        for ((variable, partitions, width, bound, complete), runs, incoming) in levels {
            let fits = |run: &(_, usize, Vec<_>)| run.1 <= width && run.2.len() == partitions;
            if !partitions.is_power_of_two()
                || partitions > MOST_PARTITIONS
                || variable >= num_vars
                || !is_width(payload, variable, width)
                || !runs.iter().all(fits)
            {
                return Err(damaged());
            }
            let new = |_| self.pool.expander.new_states(width);
            let level = Level::new((0..partitions).map(new).collect(), width);
            let mut level = Level { bound, complete, ..level };
            for (number, width, segments) in runs {
                level.runs.push(Run { blob: blob(number).ok_or_else(damaged)?, width, segments });
            }
            for (chain, number, extent) in incoming {
                let mut block = Vec::new();
                blob(number).ok_or_else(damaged)?.read(extent, &mut block)?;
                let places = Portable::read(&mut &block[..]).ok_or_else(damaged)?;
                level.incoming.push(Incoming { chain, places });
            }
            pending.insert(variable, Box::new(level));
        }
        let levels = 0..usize::read(bytes).ok_or_else(damaged)?;
        let finished = levels.map(|_| UnreducedLevel::read(bytes, blob)).collect::<Option<_>>();
        let finished = finished.ok_or_else(damaged)?;
        let sent = Portable::read(bytes).ok_or_else(damaged)?;
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
