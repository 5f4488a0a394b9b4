//! Files of blocks, written in sequence and read back by extent.
//!
//! A [`Disk`] is a directory that the user named. Spilled data goes into files without names, which
//! the kernel removes when the process ends in any way. The files of a [`Checkpoint`] have names
//! that start with `topdd-`; no other file in its directory is changed. Every block has a checksum.

mod checkpoint;
#[cfg(test)]
mod tests;

use super::monitor::Watch;
use crate::BuildError;
use crate::file::{Access, File, Files};
use bytemuck::Pod;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) use checkpoint::Checkpoint;
pub use checkpoint::{BlockWriter, FinishedCheckpoint, RunCheckpoint, SavedBlocks};
pub(super) use checkpoint::{IdentityDifference, Manifest, RunIdentity, read_manifests};

/// A directory, and the file system that it is in.
#[derive(Clone, Copy)]
pub(crate) struct Directory<'a> {
    pub(crate) files: &'a Files,
    pub(crate) path: &'a Path,
}

/// A directory for the files of a run.
#[derive(Debug)]
pub(super) struct Disk {
    files: Files,
    pub(super) dir: PathBuf,
    /// The number of the next file, if files have names.
    next: Option<AtomicU64>,
    pub(super) usage: Arc<DiskUsage>,
}

/// The current and the peak number of bytes on disk.
#[derive(Debug, Default)]
pub(super) struct DiskUsage {
    now: AtomicU64,
    peak: AtomicU64,
}

impl DiskUsage {
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

/// The location of a block in its file, and its checksum (CRC-32).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    offset: u64,
    /// Size of the block.
    pub(super) bytes: usize,
    checksum: u32,
}

crate::portable!(Extent { offset, bytes, checksum });

/// A file of blocks: written in sequence by its first owner, and then shared and read. A file without
/// a name is removed when this is dropped; one with a name stays.
#[derive(Debug)]
pub(super) struct Blob {
    file: File,
    path: PathBuf,
    /// The number in its name.
    pub(super) number: Option<u64>,
    bytes: u64,
    usage: Arc<DiskUsage>,
}

impl Blob {
    /// Bytes after which a file with a name is synced while it is written, so that the sync before a
    /// checkpoint is short: a run cannot be stopped during it.
    const SYNC_BYTES: u64 = 1 << 26;

    /// Opens the file of blocks with this number. Fails if it has fewer than `bytes` bytes.
    fn open(disk: &Disk, number: u64, bytes: u64) -> Result<Self, BuildError> {
        let path = blocks_path(&disk.dir, number);
        let file = match disk.files.open(&path, Access::Read) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(damaged(&path, "it is missing, but the manifest names it"));
            }
            opened => opened.map_err(BuildError::io("open", &path))?,
        };
        let found = file.len().map_err(BuildError::io("find the length of", &path))?.unwrap_or(0);
        if found < bytes {
            let message = format!("it has {found} bytes where {bytes} were written");
            return Err(damaged(&path, &message));
        }
        Ok(Blob { file, path, number: Some(number), bytes, usage: Arc::clone(&disk.usage) })
    }

    /// Appends a block.
    pub(super) fn append(&mut self, block: &[u8]) -> Result<Extent, BuildError> {
        (&self.file).write_all(block).map_err(BuildError::io("write", &self.path))?;
        let (offset, bytes) = (self.bytes, block.len());
        self.bytes += bytes as u64;
        self.usage.add(bytes as u64);
        if self.number.is_some() && self.bytes / Self::SYNC_BYTES > offset / Self::SYNC_BYTES {
            self.sync()?;
        }
        Ok(Extent { offset, bytes, checksum: crc32fast::hash(block) })
    }

    /// Replaces the content of `buffer` by a block. Zeros fill up the last item.
    pub(super) fn read<T: Pod>(
        &self,
        extent: Extent,
        buffer: &mut Vec<T>,
    ) -> Result<(), BuildError> {
        if extent.offset.checked_add(extent.bytes as u64).is_none_or(|end| end > self.bytes) {
            return Err(self.damaged("a block is beyond its end"));
        }
        buffer.clear();
        buffer.resize(extent.bytes.div_ceil(size_of::<T>()), T::zeroed());
        let bytes = &mut bytemuck::cast_slice_mut(buffer)[..extent.bytes];
        let read = self.file.read_exact_at(bytes, extent.offset);
        read.map_err(BuildError::io("read", &self.path))?;
        if crc32fast::hash(bytes) != extent.checksum {
            return Err(self.damaged("a block does not match its checksum"));
        }
        Ok(())
    }

    /// The error for a block with invalid content.
    pub(super) fn damaged(&self, message: &str) -> BuildError {
        damaged(&self.path, message)
    }

    /// Makes the content durable.
    fn sync(&self) -> Result<(), BuildError> {
        self.file.sync().map_err(BuildError::io("sync", &self.path))
    }
}

impl Drop for Blob {
    fn drop(&mut self) {
        // A file with a name stays, and the checkpoint counts its bytes.
        if self.number.is_none() {
            self.usage.remove(self.bytes);
        }
    }
}

/// The directories of a sweep.
pub(super) struct Storage {
    /// The directory for data that does not fit in memory.
    pub(super) spill: Option<Disk>,
    pub(super) checkpoint: Option<Checkpoint>,
    pub(super) watch: Watch,
    /// The memory limit in bytes.
    pub(super) memory_limit: Option<usize>,
}

impl Storage {
    /// The directory of spilled states and edges.
    ///
    /// With a checkpoint, spilled data goes to its directory, so a checkpoint need not copy it.
    ///
    /// # Panics
    ///
    /// Panics if the sweep has no directory.
    pub(super) fn disk(&self) -> &Disk {
        self.disks().last().expect("a sweep that spills has a directory")
    }

    /// Whether a checkpoint is due.
    pub(super) fn is_due(&self) -> bool {
        self.checkpoint.as_ref().is_some_and(Checkpoint::is_due)
    }

    pub(super) fn disks(&self) -> impl Iterator<Item = &Disk> {
        self.spill.iter().chain(self.checkpoint.as_ref().map(|of| &of.disk))
    }
}
