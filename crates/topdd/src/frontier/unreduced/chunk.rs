//! Chunks of nodes, in memory or on disk.

use super::EdgeCode;
use crate::BuildError;
use crate::frontier::disk::{Blob, Extent};
use std::sync::Arc;

/// Successive nodes of one level with their edges, or a list of numbers without nodes.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    pub(crate) nodes: usize,
    /// The number of edges, or of numbers.
    pub(crate) edges: usize,
    pub(super) shape_bytes: usize,
    /// Size in bytes of the codes if they are [packed](EdgeCode::pack), behind the shapes. Such a chunk is in memory, and
    /// has no adjacent edges.
    pub(super) packed_bytes: Option<usize>,
    /// Whether any of its edges is a long one. False if its codes are node ids.
    pub(crate) skips: bool,
    pub(in crate::frontier) location: Location,
}

/// The location of the words of a chunk.
#[derive(Clone, Debug)]
pub(in crate::frontier) enum Location {
    Memory(Slot),
    Disk(Arc<Blob>, Extent),
}

/// The location in the stack of the words of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::frontier) struct Slot {
    pub(super) segment: u32,
    pub(super) start: u32,
}

impl Chunk {
    /// The number of words: the codes, and then the bytes.
    pub(super) fn words(&self) -> usize {
        self.code_words() + self.bytes().div_ceil(size_of::<EdgeCode>())
    }

    /// The number of codes that take a word.
    pub(super) fn code_words(&self) -> usize {
        if self.packed_bytes.is_some() { 0 } else { self.edges }
    }

    /// The number of bytes: the shape, and then the packed codes.
    pub(super) fn bytes(&self) -> usize {
        self.shape_bytes + self.packed_bytes.unwrap_or_default()
    }

    /// Its slot, if the chunk is in memory.
    pub(in crate::frontier) fn slot(&self) -> Option<Slot> {
        match self.location {
            Location::Memory(slot) => Some(slot),
            Location::Disk(..) => None,
        }
    }

    /// Size in bytes on disk.
    pub(super) fn disk_bytes(&self) -> usize {
        self.edges * size_of::<EdgeCode>() + self.shape_bytes
    }

    /// Reads the words of a chunk on disk to `page`, which stays as it is if the chunk is in memory.
    pub(super) fn read_if_on_disk(&self, page: &mut Vec<EdgeCode>) -> Result<(), BuildError> {
        let Location::Disk(blob, extent) = &self.location else { return Ok(()) };
        blob.read(*extent, page)?;
        if extent.bytes != self.disk_bytes() {
            return Err(blob.damaged("it does not hold edges where it should"));
        }
        self.swap_codes(page);
        Ok(())
    }

    /// Codes are little-endian on disk.
    pub(super) fn swap_codes(&self, words: &mut [EdgeCode]) {
        if cfg!(target_endian = "big") {
            words[..self.edges].iter_mut().for_each(|code| *code = code.to_le());
        }
    }
}
