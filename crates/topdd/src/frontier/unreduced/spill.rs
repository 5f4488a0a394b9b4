//! Moving chunks to disk.

use super::EdgeCode;
use super::chunk::{Chunk, Location};
use super::stack::EdgeStack;
use crate::BuildError;
use crate::file::Files;
use crate::frontier::disk::Disk;
use crate::frontier::monitor::Watch;
use crate::frontier::storage::Storage;
use std::path::Path;
use std::sync::Arc;

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
    files: &Files,
    dir: &Path,
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
