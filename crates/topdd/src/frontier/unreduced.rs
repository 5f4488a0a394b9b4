//! The unreduced diagram: the output of a sweep that builds, and the input of reduction.
//!
//! Edges are sparse: a node stores only its children that are not the 0-terminal. Edges are written
//! in the order of expansion, and read level by level from the bottom, so there is no
//! index. A chunk is a list of 32-bit codes, the targets of the edges, and a list of bytes, the
//! shapes of the nodes (which values have an edge).

use super::chain::ForcedChain;
use super::disk::{Blob, Disk, Extent};
use super::monitor::Watch;
use super::storage::Storage;
use crate::file::Files;
use crate::pages::Pages;
use crate::spec::Arities;
use crate::{BuildError, Portable};
use std::path::Path;
use std::sync::Arc;

/// The target of an edge, relative to the level of its source, in 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    One,
    /// The state with this number at the next variable (an adjacent edge).
    Adjacent(u32),
    /// A state in a partition of a level beyond the next (a long edge). `entry` is the index of the
    /// level and the chain in [`UnreducedLevel::long`]. The arrivals there are in the order of the
    /// edges, which identifies the state.
    Long {
        entry: u32,
        partition: u8,
    },
}

impl Target {
    const LONG: u32 = 1 << 31;
    /// The limit of the number of states of a level, exclusive.
    pub(crate) const MAX_STATES: u64 = (1 << 31) - 1;
    /// The limit of the partitions of a level, and of the processes that build a diagram.
    pub(crate) const MAX_PARTITIONS: usize = 1 << 7;
    /// The limit of the number of entries of [`UnreducedLevel::long`].
    pub(crate) const MAX_LONG: u64 = 1 << 24;

    #[inline]
    pub(crate) fn code(self) -> u32 {
        match self {
            Target::One => 0,
            Target::Adjacent(number) => number + 1,
            Target::Long { entry, partition } => Self::LONG | entry << 7 | u32::from(partition),
        }
    }

    #[inline]
    pub(crate) fn is_long(code: u32) -> bool {
        code & Self::LONG != 0
    }

    /// Returns the entry and the partition of the code of a long edge.
    #[inline]
    pub(crate) fn long(code: u32) -> (u32, u8) {
        let code = code & !Self::LONG;
        (code >> 7, (code & 0x7f) as u8)
    }

    /// Encodes a node id in place of a target. In a level, either all codes are such ids or none is:
    /// the same bits mean a long edge otherwise. `id` must be below
    /// [`RESOLVED_LIMIT`](Self::RESOLVED_LIMIT).
    #[inline]
    pub(crate) fn resolved(id: u32) -> u32 {
        Self::LONG | id
    }

    /// Returns the node id that [`resolved`](Self::resolved) encoded.
    pub(crate) fn resolved_id(code: u32) -> u32 {
        code & !Self::LONG
    }

    /// The limit of a node id in a code, exclusive.
    pub(crate) const RESOLVED_LIMIT: u32 = Self::LONG;

    /// The code of the target if its level has so many more states, or its own so many more entries,
    /// before it.
    pub(super) fn moved(code: u32, states: u32, entries: u32) -> u32 {
        match code {
            0 => code,
            _ if Target::is_long(code) => code + (entries << 7),
            _ => code + states,
        }
    }
}

/// A level that long edges of another level lead to, over one chain of forced nodes. The targets of
/// these edges are consecutive arrivals of each partition there, in the order of the edges. For edges
/// to states of other processes, which may be at the next variable, a process is in the place of a
/// partition.
#[derive(Clone, Debug)]
pub(crate) struct LongDestination {
    /// If there are forced nodes on the way, each of the edges leads to such a node.
    pub(crate) way: Way,
    /// For each partition, the number of earlier arrivals.
    pub(crate) starts: Box<[u32]>,
}

crate::portable!(LongDestination { way, starts });

/// The way of long edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Way {
    /// The variable of the level that they lead to.
    pub(crate) to: usize,
    /// The forced nodes on the way.
    pub(crate) chain: ForcedChain,
    /// The part of the diagram that stores the edges: there are several if several processes build it.
    pub(crate) part: usize,
}

crate::portable!(Way { to, chain, part });

/// Successive nodes of one level with their edges, or a list of numbers without nodes.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    pub(crate) nodes: usize,
    /// The number of edges, or of numbers.
    pub(crate) edges: usize,
    shape_bytes: usize,
    /// Whether any of its edges is a long one. False if its codes are those of node ids.
    pub(crate) skips: bool,
    pub(super) location: Location,
}

/// The location of the words of a chunk.
#[derive(Clone, Debug)]
pub(super) enum Location {
    Memory(Slot),
    Disk(Arc<Blob>, Extent),
}

impl Chunk {
    /// The number of words: the codes, and then the shape.
    fn words(&self) -> usize {
        self.edges + self.shape_bytes.div_ceil(size_of::<u32>())
    }

    /// Its slot, if the chunk is in memory.
    pub(super) fn slot(&self) -> Option<Slot> {
        match self.location {
            Location::Memory(slot) => Some(slot),
            Location::Disk(..) => None,
        }
    }

    /// Size in bytes on disk.
    fn disk_bytes(&self) -> usize {
        self.edges * size_of::<u32>() + self.shape_bytes
    }

    /// Reads the words of a chunk on disk to `page`, which stays as it is if the chunk is in memory.
    fn read_if_on_disk(&self, page: &mut Vec<u32>) -> Result<(), BuildError> {
        let Location::Disk(blob, extent) = &self.location else { return Ok(()) };
        blob.read(*extent, page)?;
        if extent.bytes != self.disk_bytes() {
            return Err(blob.damaged("it does not hold edges where it should"));
        }
        self.swap_codes(page);
        Ok(())
    }

    /// Codes are little-endian on disk.
    fn swap_codes(&self, words: &mut [u32]) {
        if cfg!(target_endian = "big") {
            words[..self.edges].iter_mut().for_each(|code| *code = code.swap_bytes());
        }
    }
}

/// Moves chunks, from memory or from another file, to a new file. `change` may change the codes of a
/// chunk; it is called in the order of the chunks.
pub(super) fn move_to_disk<'c>(
    chunks: impl Iterator<Item = &'c mut Chunk>,
    stack: &EdgeStack,
    storage: &Storage,
    mut change: impl FnMut(&mut [u32]) -> Result<(), BuildError>,
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
    mut resolve: impl FnMut(u32) -> u32,
) -> Result<(), BuildError> {
    let (spill, watch) = (Some(Disk::unnamed(files, dir)?), watch.clone());
    let storage = Storage { spill, checkpoint: None, watch, memory_limit: None };
    move_to_disk(chunks.iter_mut(), stack, &storage, |codes| {
        for code in codes {
            *code = Target::resolved(resolve(*code));
        }
        Ok(())
    })?;
    for chunk in chunks {
        chunk.skips = false;
    }
    Ok(())
}

/// The words of the chunks in memory of all levels: a stack in segments of some megabytes, the last
/// level on top. Each level has its arrivals, then its nodes; a level that forwards has arrivals, then
/// nodes, once for each earlier process whose edges are taken over.
#[derive(Debug, Default)]
pub(crate) struct EdgeStack {
    segments: Vec<Segment>,
}

#[derive(Debug)]
struct Segment {
    words: Pages<u32>,
    used: usize,
}

/// The codes and the shape of a chunk.
type Contents<'a> = (&'a mut [u32], &'a mut [u8]);

/// The location in the stack of the words of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Slot {
    segment: u32,
    start: u32,
}

/// Size in bytes of the first segment. Each further one is twice as large, up to `MOST_BYTES`.
const FIRST_BYTES: usize = 1 << 14;
const MOST_BYTES: usize = 1 << 22;

impl EdgeStack {
    /// Pushes chunks with these numbers of nodes, edges, and bytes of shape. Returns each chunk
    /// with its codes and its shape, for the caller to fill.
    pub(super) fn push(&mut self, sizes: &[(usize, usize, usize)]) -> Vec<(Chunk, Contents<'_>)> {
        let chunk = |&(nodes, edges, shape_bytes): &(usize, usize, usize)| {
            let location = Location::Memory(self.slot(edges + shape_bytes.div_ceil(4)));
            Chunk { nodes, edges, shape_bytes, skips: false, location }
        };
        let chunks: Vec<Chunk> = sizes.iter().map(chunk).collect();
        let contents = self.contents_mut(&chunks);
        chunks.into_iter().zip(contents).collect()
    }

    /// Allocates a slot on top.
    fn slot(&mut self, len: usize) -> Slot {
        let fits = |segment: &Segment| segment.words.len() - segment.used >= len;
        if !self.segments.last().is_some_and(fits) {
            let bytes = MOST_BYTES.min(FIRST_BYTES << self.segments.len().min(8));
            let words = Pages::new(len.max(bytes / size_of::<u32>()));
            self.segments.push(Segment { words, used: 0 });
        }
        let number = self.segments.len() - 1;
        let segment = &mut self.segments[number];
        let slot = Slot { segment: number as u32, start: segment.used as u32 };
        segment.used += len;
        slot
    }

    /// The codes and the shapes of the chunks that are in memory. The chunks must be in the order of
    /// pushing.
    pub(super) fn contents_mut(&mut self, chunks: &[Chunk]) -> Vec<Contents<'_>> {
        let segments = self.segments.iter_mut();
        let mut rests: Vec<_> = segments.map(|segment| (0, &mut segment.words[..])).collect();
        let contents = |(chunk, slot): (&Chunk, Slot)| {
            let (passed, rest) = &mut rests[slot.segment as usize];
            let start = slot.start as usize - *passed;
            *passed = slot.start as usize + chunk.words();
            let taken = rest.split_off_mut(..start + chunk.words());
            let words = &mut taken.expect("the slot is in the segment")[start..];
            let (codes, shape) = words.split_at_mut(chunk.edges);
            (codes, &mut bytemuck::cast_slice_mut(shape)[..chunk.shape_bytes])
        };
        let in_memory = chunks.iter().filter_map(|chunk| Some((chunk, chunk.slot()?)));
        in_memory.map(contents).collect()
    }

    /// The words of a chunk, if it is in memory.
    fn words(&self, chunk: &Chunk) -> Option<&[u32]> {
        let slot = chunk.slot()?;
        let words = &self.segments[slot.segment as usize].words[slot.start as usize..];
        Some(&words[..chunk.words()])
    }

    /// The shape and the codes, or numbers, of a chunk. Reads a chunk on disk into `page`.
    pub(crate) fn read<'a>(
        &'a self,
        chunk: &Chunk,
        page: &'a mut Vec<u32>,
    ) -> Result<(&'a [u8], &'a [u32]), BuildError> {
        chunk.read_if_on_disk(page)?;
        let words = self.words(chunk).unwrap_or(page);
        let (codes, shape) = words.split_at(chunk.edges);
        Ok((&bytemuck::cast_slice(shape)[..chunk.shape_bytes], codes))
    }

    /// Removes chunks, which must be the top of the stack. Returns the memory of the segments above the
    /// lowest of them.
    pub(crate) fn pop<'c>(&mut self, chunks: impl Iterator<Item = &'c Chunk>) -> Vec<Pages<u32>> {
        let Some(first) = chunks.filter_map(Chunk::slot).min() else { return Vec::new() };
        let freed = self.segments.split_off(first.segment as usize + 1);
        self.segments[first.segment as usize].used = first.start as usize;
        freed.into_iter().map(|segment| segment.words).collect()
    }

    /// Size in bytes of all chunks.
    pub(super) fn bytes(&self) -> usize {
        self.segments.iter().map(|segment| segment.used).sum::<usize>() * size_of::<u32>()
    }
}

/// The nodes of one variable.
#[derive(Debug, Default)]
pub(crate) struct UnreducedLevel {
    pub(crate) variable: usize,
    pub(crate) nodes: u64,
    pub(crate) chunks: Vec<Chunk>,
    /// The number of chunks whose edges to the next level contain places, because its states have
    /// no numbers yet (see [`Numbering`](super::level::Numbering)). 0 when the sweep is done.
    pub(crate) unnumbered: usize,
    /// The destinations of its long edges.
    pub(crate) long: Vec<LongDestination>,
    /// The long edges to this level.
    pub(crate) incoming: Vec<StoredIncoming>,
    /// Whether the nodes are placeholders: each has one edge, to the state at the same variable that it
    /// stands for. Such levels are made when another number of processes resumes a build: the old edges lead
    /// to the placeholders, and the states have moved to other processes.
    pub(crate) forwards: bool,
    /// For each process of the run that stored the level, the process that has its edges now. Empty
    /// if this run stored it.
    pub(crate) holders: Vec<u8>,
}

/// The long edges to a level over one chain of forced nodes.
#[derive(Debug)]
pub(crate) struct StoredIncoming {
    pub(crate) chain: ForcedChain,
    /// The part of the diagram that stores the edges.
    pub(crate) part: usize,
    /// By partition, the numbers of the target states, in order of arrival.
    pub(crate) arrivals: Vec<Chunk>,
}

impl UnreducedLevel {
    /// All chunks: the arrivals, then the nodes.
    pub(crate) fn all_chunks(&self) -> impl Iterator<Item = &Chunk> {
        self.incoming.iter().flat_map(|of| &of.arrivals).chain(&self.chunks)
    }

    pub(super) fn all_chunks_mut(&mut self) -> impl Iterator<Item = &mut Chunk> {
        self.incoming.iter_mut().flat_map(|of| &mut of.arrivals).chain(&mut self.chunks)
    }

    /// The number of arrivals over nonempty chains.
    pub(crate) fn forced(&self) -> usize {
        let forced = self.incoming.iter();
        let forced =
            forced.filter(|of| !of.chain.is_empty() && of.chain != ForcedChain::BETWEEN_PROCESSES);
        forced.flat_map(|of| &of.arrivals).map(|list| list.edges).sum()
    }

    /// The number of edges.
    pub(crate) fn edges(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.edges).sum()
    }

    /// Size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let in_memory = self.all_chunks().filter(|chunk| chunk.slot().is_some());
        self.head_bytes() + in_memory.map(Chunk::words).sum::<usize>() * size_of::<u32>()
    }

    /// Size in bytes without the words of the chunks.
    pub(super) fn head_bytes(&self) -> usize {
        let starts = self.long.iter().map(|long| size_of_val(&long.starts[..])).sum::<usize>();
        size_of::<Self>()
            + self.all_chunks().count() * size_of::<Chunk>()
            + size_of_val(&self.long[..])
            + starts
            + self.holders.len()
    }

    /// Encodes the level, and adds its files to `blobs`. All chunks must be on disk.
    pub(super) fn write(&self, out: &mut Vec<u8>, blobs: &mut Vec<Arc<Blob>>) {
        let incoming = self.incoming.iter().map(|of| (of.chain, of.part, of.arrivals.len()));
        let chunks = self.all_chunks().map(|chunk| {
            let Location::Disk(blob, extent) = &chunk.location else {
                panic!("the chunks of a saved level are on disk");
            };
            blobs.push(Arc::clone(blob));
            let sizes = (chunk.nodes, chunk.edges, chunk.shape_bytes);
            (sizes, chunk.skips, blob.number, *extent)
        });
        (self.variable, self.nodes, self.unnumbered, self.long.clone()).write(out);
        (self.forwards, self.holders.clone()).write(out);
        (incoming.collect::<Vec<_>>(), chunks.collect::<Vec<_>>()).write(out);
    }

    /// Decodes a level that [`write`](UnreducedLevel::write) encoded. `blob` returns the file with
    /// a given number.
    pub(super) fn read(
        bytes: &mut &[u8],
        blob: impl Fn(Option<u64>) -> Option<Arc<Blob>>,
    ) -> Option<Self> {
        let mut level = UnreducedLevel::default();
        (level.variable, level.nodes, level.unnumbered, level.long) = Portable::read(bytes)?;
        (level.forwards, level.holders) = Portable::read(bytes)?;
        let incoming = Vec::<(ForcedChain, usize, usize)>::read(bytes)?;
        let chunks = Vec::<((usize, usize, usize), bool, Option<u64>, Extent)>::read(bytes)?;
        let chunk = |((nodes, edges, shape_bytes), skips, number, extent)| {
            let location = Location::Disk(blob(number)?, extent);
            Some(Chunk { nodes, edges, shape_bytes, skips, location })
        };
        let mut chunks = chunks.into_iter().map(chunk);
        for (chain, part, lists) in incoming {
            let arrivals = chunks.by_ref().take(lists).collect::<Option<_>>()?;
            level.incoming.push(StoredIncoming { chain, part, arrivals });
        }
        level.chunks = chunks.collect::<Option<_>>()?;
        Some(level)
    }
}

/// The unreduced diagram of a sweep.
pub(crate) struct Unreduced {
    pub(crate) arities: Arities,
    /// Levels that have states, from the root down. A root that is a terminal has none.
    pub(crate) levels: Vec<UnreducedLevel>,
    /// The words of the chunks in memory.
    pub(crate) stack: EdgeStack,
    /// Whether the root is the 1-terminal. Without levels, the root is otherwise the 0-terminal.
    pub(crate) root_is_one: bool,
}

/// Up to this arity, the shape of a node is one byte with a bit for each value. Beyond it, the
/// shape is the number of edges and the distances between their values, as variable-length integers
/// with seven bits in a byte.
const MASK_ARITY: usize = 8;

/// An encoder of the shapes of nodes.
pub(crate) struct ShapeWriter {
    masks: bool,
    /// The values of the node being written.
    values: Vec<u32>,
    mask: u8,
}

impl ShapeWriter {
    pub(crate) fn new(arity: usize) -> Self {
        ShapeWriter { masks: arity <= MASK_ARITY, values: Vec::new(), mask: 0 }
    }

    /// Adds an edge for `value` to the current node. Values must ascend.
    #[inline]
    pub(crate) fn edge(&mut self, value: u32) {
        if self.masks {
            self.mask |= 1 << value;
        } else {
            self.values.push(value);
        }
    }

    /// Writes the shape of the current node, and begins the next one.
    #[inline]
    pub(crate) fn end_node(&mut self, out: &mut Vec<u8>) {
        if self.masks {
            out.push(self.mask);
            self.mask = 0;
        } else {
            self.end_values(out);
        }
    }

    // A separate function keeps `end_node` short enough to be inlined into the loop over the nodes.
    #[inline(never)]
    fn end_values(&mut self, out: &mut Vec<u8>) {
        write_varint(out, self.values.len() as u32);
        let mut next = 0;
        for &value in &self.values {
            write_varint(out, value - next);
            next = value + 1;
        }
        self.values.clear();
    }
}

/// A decoder of the shapes of nodes.
pub(crate) struct ShapeReader<'a> {
    masks: bool,
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> ShapeReader<'a> {
    pub(crate) fn new(arity: usize, bytes: &'a [u8]) -> Self {
        ShapeReader { masks: arity <= MASK_ARITY, bytes: bytes.iter() }
    }

    /// Returns the next byte: up to [`MASK_ARITY`], the values of the edges of the next node.
    #[inline]
    pub(crate) fn next_byte(&mut self) -> u8 {
        *self.bytes.next().expect("a shape for every node")
    }

    /// Passes the values of the edges of the next node to `edge`, in order.
    #[inline]
    pub(crate) fn next_node(&mut self, mut edge: impl FnMut(u32)) {
        if self.masks {
            let mut mask = self.next_byte();
            while mask != 0 {
                edge(mask.trailing_zeros());
                mask &= mask - 1;
            }
        } else {
            let mut next = 0;
            for _ in 0..self.read_varint() {
                let value = next + self.read_varint();
                edge(value);
                next = value + 1;
            }
        }
    }

    #[inline]
    fn read_varint(&mut self) -> u32 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.next_byte();
            value |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return value;
            }
            shift += 7;
        }
    }
}

#[inline]
fn write_varint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn shapes_read_back(
            nodes in prop::collection::vec(prop::collection::btree_set(0u32..9, 0..9), 0..50),
            wide in prop::collection::vec(prop::collection::btree_set(0u32..4_000_000_000, 0..9), 0..50),
        ) {
            for (arity, nodes) in [(9, nodes.clone()), (usize::MAX, wide), (8, nodes)] {
                let mut writer = ShapeWriter::new(arity);
                let mut bytes = Vec::new();
                let nodes: Vec<BTreeSet<u32>> = nodes
                    .into_iter()
                    .map(|n| n.into_iter().filter(|&v| (v as usize) < arity).collect())
                    .collect();
                for node in &nodes {
                    for &value in node {
                        writer.edge(value);
                    }
                    writer.end_node(&mut bytes);
                }
                let mut reader = ShapeReader::new(arity, &bytes);
                for node in &nodes {
                    let mut read = BTreeSet::new();
                    reader.next_node(|value| { read.insert(value); });
                    prop_assert_eq!(node, &read);
                }
                prop_assert!(reader.bytes.next().is_none());
            }
        }
    }

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
                let sizes: Vec<_> = sizes.iter().map(|&(edges, shape)| (0, edges, shape)).collect();
                let (mut level, mut contents) = (UnreducedLevel::default(), Vec::new());
                for (chunk, (codes, shape)) in stack.push(&sizes) {
                    number += 1;
                    codes.fill(number);
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
                        prop_assert_eq!(stack.read(chunk, &mut page).unwrap(), (&shape[..], &codes[..]));
                    }
                }
            }
        }
    }

    #[test]
    fn targets_read_back() {
        let last = Target::Adjacent(Target::MAX_STATES as u32 - 2);
        for target in [Target::One, Target::Adjacent(0), last] {
            assert!(!Target::is_long(target.code()));
        }
        for (entry, partition) in [(0, 0), (Target::MAX_LONG as u32 - 1, 127)] {
            let code = Target::Long { entry, partition }.code();
            assert!(Target::is_long(code));
            assert_eq!(Target::long(code), (entry, partition));
        }
    }
}
