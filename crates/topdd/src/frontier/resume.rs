//! The directories of a run when it begins, and the checkpoint that it resumes.

use super::disk::{Checkpoint, Directory, Disk, Identity, Manifest};
use super::exchange::{self, Exchange, SavedPart};
use super::monitor::{Config, Watch};
use super::storage::Storage;
use crate::BuildError;
use std::fs;

/// The checkpoint that a run resumes.
pub(super) enum Saved {
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
    config: &Config,
    watch: &Watch,
    identity: impl FnOnce(&str) -> Identity,
    exchange: &mut dyn Exchange,
) -> Result<(Storage, Saved), BuildError> {
    let files = &config.files;
    let spill = config.spill_dir.as_ref().map(|dir| Disk::unnamed(files, dir)).transpose()?;
    let (watch, memory_limit) = (watch.clone(), config.memory_limit);
    let mut storage = Storage { spill, checkpoint: None, watch, memory_limit };
    let Some((dir, key)) = &config.checkpoint else { return Ok((storage, Saved::None)) };
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
        Saved::Own(manifest)
    } else {
        let found =
            exchange::find_parts(Directory { files, path: dir }, &identity, exchange, &check)?;
        checkpoint.replaces = found.locked;
        if found.parts.is_empty() { Saved::None } else { Saved::Parts(found.parts) }
    };
    storage.checkpoint = Some(checkpoint);
    Ok((storage, saved))
}
