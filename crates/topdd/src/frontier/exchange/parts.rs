//! Checkpoints of another number of processes, in a directory that all processes share.

use super::redistribute::SavedPart;
use super::{CheckpointLevel, Exchange, last_common, saved_level};
use crate::BuildError;
use crate::frontier::disk::{
    Checkpoint, Directory, Disk, Identity, Manifest, read_manifests, unfit,
};
use crate::frontier::rank::Rank;
use std::path::PathBuf;
use std::time::Duration;

/// The checkpoint of another number of processes.
#[derive(Default)]
pub(in super::super) struct PartsFound {
    /// The parts, by rank of the processes that saved them. Empty if there is no such checkpoint.
    pub(in super::super) parts: Vec<SavedPart>,
    /// The parts that this process locks, and removes when there is a newer checkpoint.
    pub(in super::super) locked: Vec<Checkpoint>,
}

/// The processes of other numbers that have, or may have, a directory in `dir`.
fn earlier(dir: Directory<'_>, size: usize) -> Result<Vec<Rank>, BuildError> {
    let Directory { files, path: dir } = dir;
    let names = files.list(dir).map_err(BuildError::io("list", dir))?;
    let named = names.iter().filter_map(|name| Rank::from_directory(name.to_str()?));
    // The directory of a process alone is `dir`.
    Ok(named.chain([Rank::ALONE]).filter(|of| of.size != size).collect())
}

/// The directories in `dir` of earlier processes whose parts this process takes.
pub(in super::super) fn earlier_directories(
    dir: Directory<'_>,
    rank: Rank,
) -> Result<Vec<PathBuf>, BuildError> {
    let is_taken = |of: &Rank| of.rank % rank.size == rank.rank;
    let taken = earlier(dir, rank.size)?.into_iter().filter(is_taken);
    Ok(taken.map(|of| of.directory(dir.path)).collect())
}

/// The last level of this run that all processes of another number have saved in `dir`, for each
/// number.
///
/// # Errors
///
/// Fails if a checkpoint is damaged or of another run. Otherwise this run would begin anew without a word.
fn candidates(
    dir: Directory<'_>,
    identity: &Identity,
    size: usize,
) -> Result<Vec<(CheckpointLevel, usize)>, BuildError> {
    let mut candidates = Vec::new();
    for Rank { size, .. } in earlier(dir, size)?.iter().filter(|of| of.rank == 0) {
        let levels = |rank: usize| {
            let path = Rank { rank, size: *size }.directory(dir.path);
            let found = read_manifests(Directory { path: &path, ..dir }, identity)?;
            Ok(found.iter().flatten().filter_map(saved_level).collect())
        };
        let levels = (0..*size).map(levels).collect::<Result<Vec<_>, BuildError>>()?;
        candidates.extend(last_common(&levels).map(|level| (level, *size)));
    }
    Ok(candidates)
}

/// Finds the checkpoint of another number of processes that is the furthest, and locks its parts.
/// Returns empty lists if there is none that all processes see.
///
/// # Errors
///
/// Fails if a file operation fails, if a checkpoint is damaged or of another run, or if one of the
/// earlier processes still runs.
pub(in super::super) fn find_parts(
    dir: Directory<'_>,
    identity: &Identity,
    exchange: &mut dyn Exchange,
    check: &dyn Fn() -> Result<(), BuildError>,
) -> Result<PartsFound, BuildError> {
    let Rank { rank, size } = exchange.rank();
    let found = candidates(dir, identity, size)?;
    let Some((level, count)) = exchange.furthest_common(found)? else {
        return Ok(PartsFound::default());
    };
    let is_level = |of: &Manifest| saved_level(of) == Some(level);
    let mut locked = Vec::new();
    for part in (rank..count).step_by(size) {
        let path = Rank { rank: part, size: count }.directory(dir.path);
        let choose = |found: &[Option<Manifest>; 2]| {
            let chosen = found.iter().position(|of| of.as_ref().is_some_and(is_level));
            if chosen.is_some() { Ok(chosen) } else { Err(unfit(&path)) }
        };
        let dir = Directory { path: &path, ..dir };
        locked.push(Checkpoint::open(dir, identity.clone(), Duration::ZERO, choose, check)?.0);
    }
    // From here on all parts are locked, and the manifest of each is of the level.
    exchange.barrier()?;
    let part = |part: usize| {
        let path = Rank { rank: part, size: count }.directory(dir.path);
        let found = read_manifests(Directory { path: &path, ..dir }, identity)?;
        let manifest = found.into_iter().flatten().find(is_level).ok_or_else(|| unfit(&path))?;
        Ok(SavedPart { disk: Disk::named(dir.files, &path, 0), manifest })
    };
    let parts = (0..count).map(part).collect::<Result<_, BuildError>>()?;
    Ok(PartsFound { parts, locked })
}
