//! Saving a checkpoint between two levels, and resuming it.

use super::disk::{Checkpoint, Disk, Manifest, unfit};
use super::exchange::Exchange;
use super::input::Input;
use super::monitor::Monitor;
use super::resume::Saved;
use super::snapshot::{SavedLevel, Snapshot};
use super::working_set::{SweepData, WorkingSet};
use crate::{BuildError, Portable};
use std::path::PathBuf;
use std::time::Instant;

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
    saved: &Saved,
    key: &str,
    set: &mut WorkingSet<'_>,
    exchange: &mut dyn Exchange,
) -> Result<(), BuildError> {
    let WorkingSet { input, storage, .. } = set;
    let dir = |own: &Checkpoint| own.disk.dir.clone();
    let parts: Vec<(PathBuf, &Manifest)> = match saved {
        Saved::None => return Ok(()),
        Saved::Own(manifest) => storage.checkpoint.iter().map(|own| (dir(own), manifest)).collect(),
        Saved::Parts(parts) => parts.iter().map(|of| (of.disk.dir.clone(), &of.manifest)).collect(),
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
    input: Input<'_>,
    data: &mut SweepData,
    exchange: &mut dyn Exchange,
    monitor: &mut Monitor<'_, '_>,
) -> Result<(), BuildError> {
    let saved = Snapshot::read(manifest, disk, input)?;
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
