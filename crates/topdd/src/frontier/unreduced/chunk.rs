//! Chunks of nodes, in memory or on disk.

use super::EdgeCode;
use super::stack::{EdgeStack, Slot};
use crate::BuildError;
use crate::file::Files;
use crate::frontier::disk::{Blob, Disk, Extent};
use crate::frontier::monitor::Watch;
use crate::frontier::storage::Storage;
use std::path::Path;
use std::sync::Arc;

/// Successive nodes of one level with their edges, or a list of numbers without nodes.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    pub(crate) nodes: usize,
    /// The number of edges, or of numbers.
    pub(crate) edges: usize,
    pub(super) shape_bytes: usize,
    /// Whether any of its edges is a long one. False if its codes are those of node ids.
    pub(crate) skips: bool,
    pub(in crate::frontier) location: Location,
}

/// The location of the words of a chunk.
#[derive(Clone, Debug)]
pub(in crate::frontier) enum Location {
    Memory(Slot),
    Disk(Arc<Blob>, Extent),
}

impl Chunk {
    /// The number of words: the codes, and then the shape.
    pub(super) fn words(&self) -> usize {
        self.edges + self.shape_bytes.div_ceil(size_of::<EdgeCode>())
    }

    /// Its slot, if the chunk is in memory.
    pub(in crate::frontier) fn slot(&self) -> Option<Slot> {
        match self.location {
            Location::Memory(slot) => Some(slot),
            Location::Disk(..) => None,
        }
    }

    /// Size in bytes on disk.
    fn disk_bytes(&self) -> usize {
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
    fn swap_codes(&self, words: &mut [EdgeCode]) {
        if cfg!(target_endian = "big") {
            words[..self.edges].iter_mut().for_each(|code| *code = code.to_le());
        }
    }
}

/// Moves chunks, from memory or from another file, to a new file. `change` may change the codes of a
/// chunk; it is called in the order of the chunks.
pub(in crate::frontier) fn move_to_disk<'c>(
    chunks: impl Iterator<Item = &'c mut Chunk>,
    stack: &EdgeStack,
    storage: &Storage,
    mut change: impl FnMut(&mut [EdgeCode]) -> Result<(), BuildError>,
) -> Result<(), BuildError> {
    let mut chunks = chunks.peekable();
    if chunks.peek().is_none() {
        return Ok(());
    }
    let mut blob = storage.disk().create()?;
    let mut page = Vec::new();
    let mut moved = Vec::new();
    for chunk in chunks {
        storage.watch.check(None)?;
        chunk.read_if_on_disk(&mut page)?;
        if let Some(words) = stack.words(chunk) {
            page.clear();
            page.extend_from_slice(words);
        }
        change(&mut page[..chunk.edges])?;
        chunk.swap_codes(&mut page);
        let bytes = &bytemuck::cast_slice(&page)[..chunk.disk_bytes()];
        moved.push((blob.append(bytes)?, chunk));
    }
    let blob = Arc::new(blob);
    for (extent, chunk) in moved {
        chunk.location = Location::Disk(Arc::clone(&blob), extent);
    }
    Ok(())
}

/// Moves chunks to a new file in a directory, and replaces the code of each edge by the node id that
/// `resolve` returns. Calls it in the order of the chunks and of their edges.
pub(crate) fn move_resolved(
    chunks: &mut [Chunk],
    stack: &EdgeStack,
    (files, dir): (&Files, &Path),
    watch: &Watch,
    mut resolve: impl FnMut(EdgeCode) -> u32,
) -> Result<(), BuildError> {
    let (spill, watch) = (Some(Disk::unnamed(files, dir)?), watch.clone());
    let storage = Storage { spill, checkpoint: None, watch, memory_limit: None };
    move_to_disk(chunks.iter_mut(), stack, &storage, |codes| {
        for code in codes {
            *code = EdgeCode::resolved(resolve(*code));
        }
        Ok(())
    })?;
    for chunk in chunks {
        chunk.skips = false;
    }
    Ok(())
}
