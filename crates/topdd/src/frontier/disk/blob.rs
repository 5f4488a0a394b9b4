//! A file of blocks.

use super::{Usage, blocks_path, damaged};
use crate::BuildError;
use crate::file::{Access, File, Files};
use bytemuck::Pod;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The location of a block in its file, and its checksum (CRC-32).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Extent {
    pub(super) offset: u64,
    pub(super) bytes: u64,
    pub(super) checksum: u32,
}

impl Extent {
    /// Size of the block in bytes.
    pub(in super::super) fn len(&self) -> usize {
        self.bytes as usize
    }
}

crate::portable!(Extent { offset, bytes, checksum });

/// A file of blocks, complete and open for reading. A file without a name is removed when this is
/// dropped; one with a name stays.
#[derive(Debug)]
pub(in super::super) struct Blob {
    file: File,
    path: PathBuf,
    /// The number in its name.
    pub(in super::super) number: Option<u64>,
    pub(super) bytes: u64,
    usage: Arc<Usage>,
}

impl Blob {
    /// Opens the file of blocks with this number. Fails if it has fewer than `bytes` bytes.
    pub(super) fn open(
        (files, dir): (&Files, &Path),
        number: u64,
        bytes: u64,
        usage: Arc<Usage>,
    ) -> Result<Self, BuildError> {
        let path = blocks_path(dir, number);
        let file = match files.open(&path, Access::Read) {
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
        Ok(Blob { file, path, number: Some(number), bytes, usage })
    }

    /// Replaces the content of `buffer` by a block. Zeros fill up the last item.
    pub(in super::super) fn read<T: Pod>(
        &self,
        extent: Extent,
        buffer: &mut Vec<T>,
    ) -> Result<(), BuildError> {
        if extent.offset.checked_add(extent.bytes).is_none_or(|end| end > self.bytes) {
            return Err(self.damaged("a block is beyond its end"));
        }
        buffer.clear();
        buffer.resize(extent.len().div_ceil(size_of::<T>()), T::zeroed());
        let bytes = &mut bytemuck::cast_slice_mut(buffer)[..extent.len()];
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

/// A file of blocks that is being written.
pub(in super::super) struct BlobWriter {
    blob: Blob,
    /// Bytes written since the last sync.
    unsynced: usize,
}

impl BlobWriter {
    /// Bytes after which a file with a name is synced, so that the sync before a checkpoint is
    /// short: a run cannot be stopped during it.
    const SYNC_BYTES: usize = 1 << 26;

    pub(super) fn new(file: File, path: PathBuf, number: Option<u64>, usage: Arc<Usage>) -> Self {
        BlobWriter { blob: Blob { file, path, number, bytes: 0, usage }, unsynced: 0 }
    }

    /// Appends a block.
    pub(in super::super) fn append(&mut self, block: &[u8]) -> Result<Extent, BuildError> {
        let blob = &mut self.blob;
        (&blob.file).write_all(block).map_err(BuildError::io("write", &blob.path))?;
        let bytes = block.len() as u64;
        let extent = Extent { offset: blob.bytes, bytes, checksum: crc32fast::hash(block) };
        blob.bytes += bytes;
        blob.usage.add(bytes);
        self.unsynced += block.len();
        if blob.number.is_some() && self.unsynced >= Self::SYNC_BYTES {
            blob.sync()?;
            self.unsynced = 0;
        }
        Ok(extent)
    }

    /// The complete file.
    pub(in super::super) fn finish(self) -> Blob {
        self.blob
    }
}
