//! Checkpoints of another number of processes, in a directory that all processes share.

use super::disk::{Checkpoint, Choice, Disk, Identity, Manifest, damaged, read_manifests};
use super::remote::{Owner, Peers, SavedLevel, process_directory, saved_level};
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

/// The numbers of other processes that have saved a level of this run in `dir`, with the last one
/// that all of them have.
fn candidates(
    (files, dir): (&Files, &Path),
    identity: &Identity,
    processes: usize,
) -> Result<Vec<(usize, SavedLevel)>, BuildError> {
    let names = files.list(dir).map_err(BuildError::io("list", dir))?;
    let count = |name: &str| name.strip_prefix("topdd-process-0-of-")?.parse::<usize>().ok();
    let counts = names.iter().filter_map(|name| count(name.to_str()?)).filter(|&count| count > 1);
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
    let others = counts.chain([1]).filter(|&count| count != processes);
    Ok(others.filter_map(level).collect())
}

/// The directories in `dir` of the parts of other numbers of processes that this process takes.
pub(super) fn others((files, dir): (&Files, &Path), owner: Owner) -> Vec<PathBuf> {
    let part = |name: &str| -> Option<(usize, usize)> {
        let (part, count) = name.strip_prefix("topdd-process-")?.split_once("-of-")?;
        Some((part.parse().ok()?, count.parse().ok()?))
    };
    let names = files.list(dir).unwrap_or_default();
    let parts = names.iter().filter_map(|name| part(name.to_str()?)).chain([(0, 1)]);
    let taken = parts.filter(|&(part, count)| {
        count != owner.processes && part % owner.processes == owner.process
    });
    taken.map(|(part, count)| process_directory(dir, part, count)).collect()
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
