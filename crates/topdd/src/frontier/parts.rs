//! Checkpoints of another number of processes, in a directory that all processes share.

use super::disk::{Checkpoint, Choice, Disk, Identity, Manifest, damaged, read_manifests};
use super::remote::{Owner, Peers, SavedLevel, process_directory, process_of, saved_level};
use crate::BuildError;
use crate::file::Files;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The part of a checkpoint that one of the earlier processes saved.
pub(super) struct SavedPart {
    pub(super) disk: Disk,
    pub(super) manifest: Manifest,
}

impl SavedPart {
    /// The error for a part that does not fit to the others, or to this version.
    pub(super) fn damaged(&self) -> BuildError {
        other_parts(&self.disk.dir)
    }
}

fn other_parts(dir: &Path) -> BuildError {
    damaged(dir, "it does not fit to the parts of the other processes")
}

/// The checkpoint of another number of processes, by earlier process; and the parts that this process locks,
/// and removes when there is a newer checkpoint.
type SavedParts = (Vec<SavedPart>, Vec<Checkpoint>);

/// The processes of other numbers that have, or may have, a directory in `dir`.
fn earlier((files, dir): (&Files, &Path), processes: usize) -> Result<Vec<Owner>, BuildError> {
    let names = files.list(dir).map_err(BuildError::io("list", dir))?;
    let named = names.iter().filter_map(|name| process_of(name.to_str()?));
    // The directory of a process alone is `dir`.
    Ok(named.chain([Owner::ALONE]).filter(|of| of.processes != processes).collect())
}

/// The directories in `dir` of earlier processes whose parts this process takes.
pub(super) fn others(place: (&Files, &Path), owner: Owner) -> Result<Vec<PathBuf>, BuildError> {
    let is_taken = |of: &Owner| of.process % owner.processes == owner.process;
    let taken = earlier(place, owner.processes)?.into_iter().filter(is_taken);
    Ok(taken.map(|of| process_directory(place.1, of.process, of.processes)).collect())
}

/// The numbers of other processes that have saved a level of this run in `dir`, with the last one
/// that all of them have.
fn candidates(
    (files, dir): (&Files, &Path),
    identity: &Identity,
    processes: usize,
) -> Result<Vec<(usize, SavedLevel)>, BuildError> {
    let level = |count: usize| {
        let levels = |part: usize| {
            let manifests = read_manifests((files, &process_directory(dir, part, count)), identity);
            manifests.map(|manifest| manifest.as_ref().and_then(saved_level))
        };
        let mut common: Vec<SavedLevel> = levels(0).into_iter().flatten().collect();
        for part in 1..count {
            let levels = levels(part);
            common.retain(|level| levels.contains(&Some(*level)));
        }
        Some((count, common.into_iter().max()?))
    };
    let firsts = earlier((files, dir), processes)?.into_iter().filter(|of| of.process == 0);
    Ok(firsts.filter_map(|of| level(of.processes)).collect())
}

/// Finds the checkpoint of another number of processes that is the furthest, and locks its parts.
/// There are no `peers` if this process is alone. Returns `None` if there is none that all processes see.
///
/// # Errors
///
/// Fails if a file operation fails, or if one of the earlier processes still runs.
pub(super) fn find(
    (files, dir): (&Files, &Path),
    identity: &Identity,
    mut peers: Option<&mut Peers<'_>>,
    check: &dyn Fn() -> Result<(), BuildError>,
) -> Result<Option<SavedParts>, BuildError> {
    let Owner { process, processes } = peers.as_ref().map_or(Owner::ALONE, |of| of.owner());
    let found = candidates((files, dir), identity, processes)?;
    let all = peers.as_mut().map(|peers| peers.gather(&found)).transpose()?;
    let all = all.unwrap_or_else(|| vec![found]);
    let common = all[0].iter().filter(|found| all.iter().all(|of| of.contains(found)));
    let Some(&(count, level)) = common.max_by_key(|&&(count, level)| (level, count)) else {
        return Ok(None);
    };
    let is_level = |manifest: Option<&Manifest>| manifest.and_then(saved_level) == Some(level);
    let mut locked = Vec::new();
    for part in (process..count).step_by(processes) {
        let dir = process_directory(dir, part, count);
        let choose = |found: [Option<&Manifest>; 2]| match found.map(is_level) {
            [true, _] => Ok(Choice::Committed),
            [false, true] => Ok(Choice::Prepared),
            [false, false] => Err(other_parts(&dir)),
        };
        let (place, identity) = ((files, &*dir), identity.clone());
        locked.push(Checkpoint::open(place, identity, Duration::ZERO, choose, check)?.0);
    }
    // All parts are locked, and the manifest of each is that of the level.
    peers.map(|peers| peers.gather(&())).transpose()?;
    let part = |part: usize| {
        let dir = process_directory(dir, part, count);
        let [committed, _] = read_manifests((files, &dir), identity);
        let manifest =
            committed.filter(|of| is_level(Some(of))).ok_or_else(|| other_parts(&dir))?;
        Ok(SavedPart { disk: Disk::named(files, &dir, 0), manifest })
    };
    let parts = (0..count).map(part).collect::<Result<_, BuildError>>()?;
    Ok(Some((parts, locked)))
}
