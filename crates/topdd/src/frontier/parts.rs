//! Checkpoints of another number of processes, in a directory that all processes share.

use super::disk::{Checkpoint, Disk, Identity, Manifest, read_manifests, unfit};
use super::remote::{
    Owner, Peers, SavedLevel, last_common, process_directory, process_of, saved_level,
};
use crate::BuildError;
use crate::file::Files;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The part of a checkpoint that one of the earlier processes saved, and its directory.
pub(super) type SavedPart = (Disk, Manifest);

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
    Ok(taken.map(|of| process_directory(place.1, of)).collect())
}

/// The last level of this run that all processes of another number have saved in `dir`, for each
/// number.
///
/// # Errors
///
/// Fails if a checkpoint is damaged or of another run. Otherwise this run would begin anew without a word.
fn candidates(
    (files, dir): (&Files, &Path),
    identity: &Identity,
    processes: usize,
) -> Result<Vec<(SavedLevel, usize)>, BuildError> {
    let mut candidates = Vec::new();
    for Owner { processes, .. } in
        earlier((files, dir), processes)?.iter().filter(|of| of.process == 0)
    {
        let levels = |process: usize| {
            let place = process_directory(dir, Owner { process, processes: *processes });
            let found = read_manifests((files, &place), identity)?;
            Ok(found.iter().flatten().filter_map(saved_level).collect())
        };
        let levels = (0..*processes).map(levels).collect::<Result<Vec<_>, BuildError>>()?;
        candidates.extend(last_common(&levels).map(|level| (level, *processes)));
    }
    Ok(candidates)
}

/// Finds the checkpoint of another number of processes that is the furthest, and locks its parts.
/// There are no `peers` if this process is alone. Returns empty lists if there is none that all processes see.
///
/// # Errors
///
/// Fails if a file operation fails, if a checkpoint is damaged or of another run, or if one of the
/// earlier processes still runs.
pub(super) fn find(
    (files, dir): (&Files, &Path),
    identity: &Identity,
    mut peers: Option<&mut Peers<'_>>,
    check: &dyn Fn() -> Result<(), BuildError>,
) -> Result<SavedParts, BuildError> {
    let Owner { process, processes } = peers.as_ref().map_or(Owner::ALONE, |of| of.owner());
    let found = candidates((files, dir), identity, processes)?;
    let all = peers.as_mut().map(|peers| peers.gather(&found)).transpose()?;
    let Some((level, count)) = last_common(&all.unwrap_or_else(|| vec![found])) else {
        return Ok((Vec::new(), Vec::new()));
    };
    let is_level = |of: &Manifest| saved_level(of) == Some(level);
    let mut locked = Vec::new();
    for part in (process..count).step_by(processes) {
        let dir = process_directory(dir, Owner { process: part, processes: count });
        let choose = |found: &[Option<Manifest>; 2]| {
            let chosen = found.iter().position(|of| of.as_ref().is_some_and(is_level));
            if chosen.is_some() { Ok(chosen) } else { Err(unfit(&dir)) }
        };
        let (place, identity) = ((files, &*dir), identity.clone());
        locked.push(Checkpoint::open(place, identity, Duration::ZERO, choose, check)?.0);
    }
    // All parts are locked, and the manifest of each is that of the level.
    peers.map(|peers| peers.gather(&())).transpose()?;
    let part = |part: usize| {
        let dir = process_directory(dir, Owner { process: part, processes: count });
        let found = read_manifests((files, &dir), identity)?;
        let manifest = found.into_iter().flatten().find(is_level).ok_or_else(|| unfit(&dir))?;
        Ok((Disk::named(files, &dir, 0), manifest))
    };
    let parts = (0..count).map(part).collect::<Result<_, BuildError>>()?;
    Ok((parts, locked))
}
