//! The chunks in memory: a stack of levels.

use super::EdgeCode;
use super::chunk::{Chunk, Location, Slot};
use crate::BuildError;
use crate::pages::Pages;

/// The words of the chunks in memory of all levels: a stack in segments of some megabytes, the last
/// level on top. Each level has its arrivals, then its nodes; a level of aliases has arrivals, then
/// nodes, once for each earlier process whose edges are taken over.
#[derive(Debug, Default)]
pub(crate) struct EdgeStack {
    segments: Vec<Segment>,
}

#[derive(Debug)]
struct Segment {
    words: Pages<EdgeCode>,
    used: usize,
}

/// The contents of a chunk, for the caller to fill or change.
pub(in crate::frontier) struct ContentsMut<'a> {
    pub(in crate::frontier) codes: &'a mut [EdgeCode],
    /// The encoded shapes, and then the packed codes.
    pub(in crate::frontier) shape: &'a mut [u8],
}

/// The contents of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Contents<'a> {
    /// The encoded shapes of its nodes.
    pub(crate) shape: &'a [u8],
    /// The codes of its edges, or its numbers.
    pub(crate) codes: &'a [EdgeCode],
}

/// The sizes of a new chunk.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::frontier) struct ChunkSizes {
    pub(in crate::frontier) nodes: usize,
    pub(in crate::frontier) edges: usize,
    pub(in crate::frontier) shape_bytes: usize,
    /// Size in bytes of the codes if they are packed.
    pub(in crate::frontier) packed_bytes: Option<usize>,
}

/// Size in bytes of the first segment. Each further one is twice as large, up to `MAX_BYTES`.
const FIRST_BYTES: usize = 1 << 14;
const MAX_BYTES: usize = 1 << 22;

impl EdgeStack {
    /// Pushes chunks of the given sizes. Returns each chunk with its contents, for the caller to fill.
    pub(in crate::frontier) fn push(
        &mut self,
        sizes: &[ChunkSizes],
    ) -> Vec<(Chunk, ContentsMut<'_>)> {
        let chunk = |&ChunkSizes { nodes, edges, shape_bytes, packed_bytes }: &ChunkSizes| {
            let location = Location::Memory(Slot { segment: 0, start: 0 });
            let chunk = Chunk { nodes, edges, shape_bytes, packed_bytes, skips: false, location };
            Chunk { location: Location::Memory(self.slot(chunk.words())), ..chunk }
        };
        let chunks: Vec<Chunk> = sizes.iter().map(chunk).collect();
        let contents = self.contents_mut(&chunks);
        chunks.into_iter().zip(contents).collect()
    }

    /// Allocates a slot on top.
    fn slot(&mut self, len: usize) -> Slot {
        let fits = |segment: &Segment| segment.words.len() - segment.used >= len;
        if !self.segments.last().is_some_and(fits) {
            let bytes = MAX_BYTES.min(FIRST_BYTES << self.segments.len().min(8));
            let words = Pages::new(len.max(bytes / size_of::<EdgeCode>()));
            self.segments.push(Segment { words, used: 0 });
        }
        let number = self.segments.len() - 1;
        let segment = &mut self.segments[number];
        let slot = Slot { segment: number as u32, start: segment.used as u32 };
        segment.used += len;
        slot
    }

    /// The contents of the chunks that are in memory. The chunks must be in the order of pushing.
    pub(in crate::frontier) fn contents_mut(&mut self, chunks: &[Chunk]) -> Vec<ContentsMut<'_>> {
        let segments = self.segments.iter_mut();
        let mut rests: Vec<_> = segments.map(|segment| (0, &mut segment.words[..])).collect();
        let contents = |(chunk, slot): (&Chunk, Slot)| {
            let (passed, rest) = &mut rests[slot.segment as usize];
            let start = slot.start as usize - *passed;
            *passed = slot.start as usize + chunk.words();
            let taken = rest.split_off_mut(..start + chunk.words());
            let words = &mut taken.expect("the slot is in the segment")[start..];
            let (codes, shape) = words.split_at_mut(chunk.code_words());
            let shape = &mut bytemuck::cast_slice_mut(shape)[..chunk.bytes()];
            ContentsMut { codes, shape }
        };
        let in_memory = chunks.iter().filter_map(|chunk| Some((chunk, chunk.slot()?)));
        in_memory.map(contents).collect()
    }

    /// The words of a chunk, if it is in memory.
    pub(super) fn words(&self, chunk: &Chunk) -> Option<&[EdgeCode]> {
        let slot = chunk.slot()?;
        let words = &self.segments[slot.segment as usize].words[slot.start as usize..];
        Some(&words[..chunk.words()])
    }

    /// The contents of a chunk. Reads a chunk on disk, or packed codes, into `page`.
    pub(crate) fn read<'a>(
        &'a self,
        chunk: &Chunk,
        page: &'a mut Vec<EdgeCode>,
    ) -> Result<Contents<'a>, BuildError> {
        chunk.read_if_on_disk(page)?;
        if chunk.packed_bytes.is_some()
            && let Some(words) = self.words(chunk)
        {
            let (shape, codes) = bytemuck::cast_slice(words).split_at(chunk.shape_bytes);
            page.clear();
            EdgeCode::unpack(codes, chunk.edges, page);
            return Ok(Contents { shape, codes: page });
        }
        let words = self.words(chunk).unwrap_or(page);
        let (codes, shape) = words.split_at(chunk.edges);
        Ok(Contents { shape: &bytemuck::cast_slice(shape)[..chunk.shape_bytes], codes })
    }

    /// Removes chunks, which must be the top of the stack. Returns the memory of the segments above the
    /// lowest of them.
    pub(crate) fn pop<'c>(
        &mut self,
        chunks: impl Iterator<Item = &'c Chunk>,
    ) -> Vec<Pages<EdgeCode>> {
        let Some(first) = chunks.filter_map(Chunk::slot).min() else { return Vec::new() };
        let freed = self.segments.split_off(first.segment as usize + 1);
        self.segments[first.segment as usize].used = first.start as usize;
        freed.into_iter().map(|segment| segment.words).collect()
    }

    /// Size in bytes of all chunks.
    pub(in crate::frontier) fn bytes(&self) -> usize {
        self.segments.iter().map(|segment| segment.used).sum::<usize>() * size_of::<EdgeCode>()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Target, UnreducedLevel};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A stack of vectors is the model.
        #[test]
        fn levels_are_popped_in_reverse_order(
            rounds in prop::collection::vec(
                (prop::collection::vec((0usize..9000, 0usize..50), 0..5), 0usize..4), 0..20,
            ),
        ) {
            let mut stack = EdgeStack::default();
            let mut model: Vec<(UnreducedLevel, Vec<_>)> = Vec::new();
            let mut number = 0;
            for (sizes, pops) in rounds {
                let size = |&(edges, shape_bytes)| ChunkSizes { edges, shape_bytes, ..ChunkSizes::default() };
                let sizes: Vec<_> = sizes.iter().map(size).collect();
                let (mut level, mut contents) = (UnreducedLevel::default(), Vec::new());
                for (chunk, ContentsMut { codes, shape }) in stack.push(&sizes) {
                    number += 1;
                    codes.fill(Target::Adjacent(number).code());
                    shape.fill(number as u8);
                    contents.push((shape.to_vec(), codes.to_vec()));
                    level.chunks.push(chunk);
                }
                model.push((level, contents));
                for _ in 0..pops {
                    if let Some((level, _)) = model.pop() {
                        stack.pop(level.all_chunks());
                    }
                }
                for (level, contents) in &model {
                    for (chunk, (shape, codes)) in level.chunks.iter().zip(contents) {
                        let mut page = Vec::new();
                        prop_assert_eq!(stack.read(chunk, &mut page).unwrap(), Contents { shape, codes });
                    }
                }
            }
        }
    }
}
