//! A directory that a run can be resumed from, whatever becomes of the process.
//!
//! A checkpoint is a manifest and the files of blocks that it names. A new manifest is
//! written beside the old one and takes its place by renaming when all that it names is on
//! disk; only then are the files removed that it no longer names. So at any moment there is
//! one manifest, and it is true.

use super::{Blob, Disk, Identity, Manifest, blocks_number, blocks_path};
use crate::{Error, Portable};
use fs4::fs_std::FileExt;
use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

const MANIFEST: &str = "topdd-manifest";
const NEW_MANIFEST: &str = "topdd-manifest.new";
const LOCK: &str = "topdd-lock";
/// What a manifest starts with; the last character is the version of the format.
const MAGIC: &[u8; 20] = b"topdd checkpoint\0\0\r3";

/// A checkpoint directory, held by this run alone.
pub(crate) struct Checkpoint {
    dir: PathBuf,
    disk: Disk,
    identity: Identity,
    /// The files that the manifest on disk names.
    committed: HashSet<u64>,
    /// When the last manifest was complete, and how long it had taken.
    last: Instant,
    took: Duration,
    /// Held for its lock.
    _lock: File,
}

impl Checkpoint {
    /// Levels that took less than this share a checkpoint: they are made again as fast as
    /// they are read.
    const LEAST_INTERVAL: Duration = Duration::from_millis(50);

    /// A run that was killed holds its directory until the system has taken its memory back, and
    /// what it was writing is on disk: for so long the next one waits for it.
    const MOST_WAIT: Duration = Duration::from_secs(3);

    /// Takes hold of a directory; answers the manifest of the run that is to be resumed, if
    /// there is one.
    ///
    /// # Errors
    ///
    /// When the directory is not there or not writable, another run holds it and goes on holding
    /// it, or it has the checkpoint of a run with another identity or a damaged one; and when
    /// `check`, asked while this waits, says that the run may not go on.
    pub(in super::super) fn open(
        dir: &Path,
        identity: Identity,
        check: impl Fn() -> Result<(), Error>,
    ) -> Result<(Self, Option<Manifest>), Error> {
        let path = dir.join(LOCK);
        let lock = File::options().create(true).truncate(false).write(true).open(&path);
        let lock = lock.map_err(Error::io("make a file", &path))?;
        let start = Instant::now();
        while !lock.try_lock_exclusive().map_err(Error::io("lock", &path))? {
            if start.elapsed() >= Self::MOST_WAIT {
                return Err(Error::DirectoryInUse { path: dir.to_owned() });
            }
            check()?;
            std::thread::sleep(Duration::from_millis(20));
        }
        let manifest = read_manifest(dir, &identity)?;
        let committed: HashSet<u64> = manifest.iter().flat_map(Manifest::blobs).collect();
        // What a killed run was about to write is of no use; the numbers go on above all.
        let mut next = 0;
        for number in numbers(dir)? {
            next = next.max(number + 1);
            if !committed.contains(&number) {
                remove(&blocks_path(dir, number))?;
            }
        }
        let disk = Disk::named(dir, next);
        disk.usage.set(manifest.as_ref().map_or(0, Manifest::bytes));
        let checkpoint = Checkpoint {
            dir: dir.to_owned(),
            disk,
            identity,
            committed,
            last: Instant::now(),
            took: Duration::ZERO,
            _lock: lock,
        };
        Ok((checkpoint, manifest))
    }

    pub(in super::super) fn disk(&self) -> &Disk {
        &self.disk
    }

    /// Opens a file that the manifest names.
    pub(in super::super) fn blob(&self, number: u64, bytes: u64) -> Result<Arc<Blob>, Error> {
        Blob::open(&self.dir, number, bytes, Arc::clone(&self.disk.usage)).map(Arc::new)
    }

    /// Whether enough has happened since the last time for another checkpoint. One that
    /// takes long to write is not written more than half the time.
    pub(in super::super) fn is_due(&self) -> bool {
        self.last.elapsed() >= Self::LEAST_INTERVAL.max(self.took)
    }

    /// Replaces the checkpoint. `new` are the files that the last one did not name.
    pub(in super::super) fn commit(
        &mut self,
        manifest: &Manifest,
        blobs: &[Arc<Blob>],
    ) -> Result<(), Error> {
        let start = Instant::now();
        for blob in blobs {
            if blob.number().is_some_and(|number| !self.committed.contains(&number)) {
                blob.sync()?;
            }
        }
        let mut bytes = MAGIC.to_vec();
        let mut body = Vec::new();
        self.identity.write(&mut body);
        manifest.write(&mut body);
        crc32fast::hash(&body).write(&mut bytes);
        bytes.extend_from_slice(&body);
        let path = self.dir.join(NEW_MANIFEST);
        let write = || {
            let mut file = File::create(&path)?;
            file.write_all(&bytes)?;
            file.sync_all()?;
            fs::rename(&path, self.dir.join(MANIFEST))?;
            sync_dir(&self.dir)
        };
        write().map_err(Error::io("write", &path))?;
        let named: HashSet<u64> = manifest.blobs().collect();
        for &number in self.committed.difference(&named) {
            remove(&blocks_path(&self.dir, number))?;
        }
        // Spilled on the way and read again since.
        for number in numbers(&self.dir)? {
            if !named.contains(&number) {
                remove(&blocks_path(&self.dir, number))?;
            }
        }
        self.committed = named;
        self.disk.usage.set(manifest.bytes());
        self.last = Instant::now();
        self.took = start.elapsed();
        Ok(())
    }

    /// The run is done: nothing is to be resumed.
    pub(crate) fn finish(&mut self) -> Result<(), Error> {
        // Without its manifest the rest means nothing, should this be interrupted.
        let manifest = self.dir.join(MANIFEST);
        if manifest.exists() {
            remove(&manifest)?;
        }
        self.committed.clear();
        Ok(())
    }

    /// The error for a checkpoint of another run, in which this is not the same.
    pub(in super::super) fn other(&self, what: String, [found, expected]: [u64; 2]) -> Error {
        let [found, expected] = [found, expected].map(|print| format!("{print:016x}"));
        Error::OtherCheckpoint { path: self.dir.clone(), what, found, expected }
    }

    /// The error for a checkpoint that does not hang together.
    pub(in super::super) fn damaged(&self, message: &str) -> Error {
        Error::Damaged { path: self.dir.join(MANIFEST), message: message.to_owned() }
    }
}

impl Drop for Checkpoint {
    /// Leaves nothing but what the manifest names; nothing at all when there is none.
    fn drop(&mut self) {
        for number in numbers(&self.dir).unwrap_or_default() {
            if !self.committed.contains(&number) {
                let _ = remove(&blocks_path(&self.dir, number));
            }
        }
        let _ = fs::remove_file(self.dir.join(NEW_MANIFEST));
        if !self.dir.join(MANIFEST).exists() {
            let _ = fs::remove_file(self.dir.join(LOCK));
        }
    }
}

/// Reads the manifest of a directory, if there is one.
fn read_manifest(dir: &Path, identity: &Identity) -> Result<Option<Manifest>, Error> {
    let path = dir.join(MANIFEST);
    if !path.exists() {
        return Ok(None);
    }
    let damaged =
        |message: &str| Error::Damaged { path: path.clone(), message: message.to_owned() };
    let bytes = fs::read(&path).map_err(Error::io("read", &path))?;
    let Some(mut body) = bytes.strip_prefix(MAGIC) else {
        return Err(damaged("it is not a checkpoint of this version of topdd"));
    };
    let checksum = u32::read(&mut body);
    if checksum != Some(crc32fast::hash(body)) {
        return Err(damaged("it does not match its checksum"));
    }
    let found = Identity::read(&mut body).ok_or_else(|| damaged("it does not say of what"))?;
    for ((what, found), (_, expected)) in found.facts.into_iter().zip(&identity.facts) {
        if found != *expected {
            let (path, expected) = (dir.to_owned(), expected.clone());
            return Err(Error::OtherCheckpoint { path, what, found, expected });
        }
    }
    let manifest = Manifest::read(&mut body).ok_or_else(|| damaged("it breaks off"))?;
    Ok(Some(manifest))
}

/// The numbers of the files of blocks in a directory.
fn numbers(dir: &Path) -> Result<Vec<u64>, Error> {
    let entries = fs::read_dir(dir).map_err(Error::io("list", dir))?;
    Ok(entries.flatten().filter_map(|entry| blocks_number(entry.file_name().to_str()?)).collect())
}

fn remove(path: &Path) -> Result<(), Error> {
    fs::remove_file(path).map_err(Error::io("remove", path))
}

/// Makes sure that the names in a directory are on disk.
fn sync_dir(dir: &Path) -> std::io::Result<()> {
    if cfg!(unix) { File::open(dir)?.sync_all() } else { Ok(()) }
}

impl Manifest {
    /// What is in the files that it names.
    fn bytes(&self) -> u64 {
        let waiting = self.waiting.iter().flat_map(|level| &level.runs);
        let waiting = waiting.map(|run| (run.blob, run.bytes));
        let stored = self
            .stored
            .iter()
            .flat_map(|level| [(level.blob, level.bytes), (level.index, level.index_bytes)]);
        // Several levels may be in one file.
        let files: HashMap<u64, u64> = waiting.chain(stored).collect();
        files.values().sum()
    }

    /// The files that it names.
    fn blobs(&self) -> impl Iterator<Item = u64> {
        let waiting = self.waiting.iter().flat_map(|level| &level.runs).map(|run| run.blob);
        waiting.chain(self.stored.iter().flat_map(|level| [level.blob, level.index]))
    }
}
