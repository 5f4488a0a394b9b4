//! A file of blocks.

use super::{Disk, Usage, blocks_path, damaged};
use crate::BuildError;
use crate::file::{Access, File};
use bytemuck::Pod;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// The location of a block in its file, and its checksum (CRC-32).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Extent {
    pub(super) offset: u64,
    /// Size of the block.
    pub(in super::super) bytes: usize,
    pub(super) checksum: u32,
}

crate::portable!(Extent { offset, bytes, checksum });

/// A file of blocks: written in sequence by its first owner, and then shared and read. A file without
/// a name is removed when this is dropped; one with a name stays.
#[derive(Debug)]
pub(in super::super) struct Blob {
    pub(super) file: File,
    pub(super) path: PathBuf,
    /// The number in its name.
    pub(in super::super) number: Option<u64>,
    pub(super) bytes: u64,
    pub(super) usage: Arc<Usage>,
}

impl Blob {
    /// Bytes after which a file with a name is synced while it is written, so that the sync before a
    /// checkpoint is short: a run cannot be stopped during it.
    const SYNC_BYTES: u64 = 1 << 26;

    /// Opens the file of blocks with this number. Fails if it has fewer than `bytes` bytes.
    pub(super) fn open(disk: &Disk, number: u64, bytes: u64) -> Result<Self, BuildError> {
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
    pub(in super::super) fn append(&mut self, block: &[u8]) -> Result<Extent, BuildError> {
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
    pub(in super::super) fn read<T: Pod>(
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
    pub(in super::super) fn damaged(&self, message: &str) -> BuildError {
        damaged(&self.path, message)
    }

    /// Makes the content durable.
    pub(super) fn sync(&self) -> Result<(), BuildError> {
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
