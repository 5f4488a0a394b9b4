//! Files of blocks, written in sequence and read back by extent.
//!
//! A [`Disk`] is a directory that the user named. Spilled data goes into files without names, which
//! the kernel removes when the process ends in any way. The files of a [`Checkpoint`] have names
//! that start with `topdd-`; no other file in its directory is changed. Every block has a checksum.

mod blob;
mod checkpoint;
mod identity;
#[cfg(test)]
mod tests;

pub(super) use blob::{Blob, Extent};
pub(crate) use checkpoint::Checkpoint;
pub(super) use checkpoint::{Manifest, read_manifests};
pub(super) use identity::{Difference, Identity};

use crate::BuildError;
use crate::file::{Access, Files};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A directory, and the file system that it is in.
#[derive(Clone, Copy)]
pub(super) struct Directory<'a> {
    pub(super) files: &'a Files,
    pub(super) path: &'a Path,
}

/// A directory for the files of a run.
#[derive(Debug)]
pub(super) struct Disk {
    files: Files,
    pub(super) dir: PathBuf,
    /// The number of the next file, if files have names.
    next: Option<AtomicU64>,
    pub(super) usage: Arc<Usage>,
}

/// The current and the peak number of bytes on disk.
#[derive(Debug, Default)]
pub(super) struct Usage {
    now: AtomicU64,
    peak: AtomicU64,
}

impl Usage {
    fn add(&self, bytes: u64) {
        let now = self.now.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(now, Ordering::Relaxed);
    }

    fn remove(&self, bytes: u64) {
        self.now.fetch_sub(bytes, Ordering::Relaxed);
    }

    fn set(&self, bytes: u64) {
        self.now.store(bytes, Ordering::Relaxed);
        self.peak.fetch_max(bytes, Ordering::Relaxed);
    }

    pub(super) fn now(&self) -> u64 {
        self.now.load(Ordering::Relaxed)
    }

    pub(super) fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }
}

impl Disk {
    /// Files without names in a directory.
    ///
    /// # Errors
    ///
    /// Fails if the directory does not exist or is not writable.
    pub(super) fn unnamed(files: &Files, dir: &Path) -> Result<Self, BuildError> {
        let files = files.clone();
        let disk = Disk { files, dir: dir.to_owned(), next: None, usage: Arc::default() };
        // Fails now, and not after an hour.
        disk.create()?.append(b"topdd")?;
        Ok(Disk { usage: Arc::default(), ..disk })
    }

    /// Named files in a directory, numbered from `next`.
    pub(super) fn named(files: &Files, dir: &Path, next: u64) -> Self {
        let (files, next) = (files.clone(), Some(AtomicU64::new(next)));
        Disk { files, dir: dir.to_owned(), next, usage: Arc::default() }
    }

    /// Creates a file.
    pub(super) fn create(&self) -> Result<Blob, BuildError> {
        let (file, number, path) = match &self.next {
            None => (self.files.create_unnamed(&self.dir), None, self.dir.clone()),
            Some(next) => {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let path = blocks_path(&self.dir, number);
                (self.files.open(&path, Access::CreateNew), Some(number), path)
            }
        };
        let what = if number.is_some() { "create the file" } else { "create a file in" };
        let file = file.map_err(BuildError::io(what, &path))?;
        Ok(Blob { file, path, number, bytes: 0, usage: Arc::clone(&self.usage) })
    }
}

/// The error for a damaged file, or a directory whose files do not fit together.
pub(super) fn damaged(path: &Path, message: &str) -> BuildError {
    BuildError::Damaged { path: path.to_owned(), message: message.to_owned() }
}

/// The error for a checkpoint whose files do not fit together, or to the files of other processes.
pub(super) fn unfit(dir: &Path) -> BuildError {
    damaged(dir, "its files do not fit together, or to the files of the other processes")
}

/// The path of the file of blocks with this number.
fn blocks_path(dir: &Path, number: u64) -> PathBuf {
    dir.join(format!("topdd-{number:08}.blocks"))
}

/// The number of the file of blocks with this name, if it is one.
fn blocks_number(name: &str) -> Option<u64> {
    name.strip_prefix("topdd-")?.strip_suffix(".blocks")?.parse().ok()
}
