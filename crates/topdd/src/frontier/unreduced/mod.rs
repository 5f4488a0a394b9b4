//! The unreduced diagram: the output of a sweep that builds, and the input of reduction.
//!
//! Edges are sparse: a node stores only its children that are not the 0-terminal. Edges are written
//! in the order of expansion, and read level by level from the bottom, so there is no
//! index. A [`Chunk`] is a list of 32-bit codes, the targets of the edges, and a list of bytes, the
//! shapes of the nodes (which values have an edge), in memory on a stack of levels, or on disk. The edges
//! of alike variables are stored once for all of them (`classes`). A [`ForcedChain`] has the forced nodes on the way of an edge.

mod classes;
mod encoding;
use super::disk::{Blob, Disk, Extent, Storage};
use super::monitor::Watch;
use crate::file::Files;
use crate::pages::Pages;
use crate::spec::Arities;
use crate::{BuildError, Portable};
use std::path::Path;
use std::sync::Arc;

pub(in crate::frontier) use classes::WINDOW;
pub(crate) use classes::{ClassTransitions, Context, MarkedLevel, Spans, StateMarks, Transition};
pub(crate) use encoding::{EdgeCode, EdgeTarget, LongTarget, ShapeReader, ShapeWriter};

/// The unreduced diagram of a sweep.
pub(crate) struct UnreducedDiagram {
    pub(crate) arities: Arities,
    /// Levels that have states, from the root down. A root that is a terminal has none.
    pub(crate) levels: Vec<UnreducedLevel>,
    /// The words of the chunks in memory.
    pub(crate) stack: EdgeStack,
    /// The edges of levels of alike variables.
    pub(crate) classes: ClassTransitions,
    /// Whether the root is the 1-terminal. Without levels, the root is otherwise the 0-terminal.
    pub(crate) root_is_one: bool,
}

/// The nodes of one variable.
#[derive(Debug, Default)]
pub(crate) struct UnreducedLevel {
    pub(crate) variable: usize,
    pub(crate) nodes: u64,
    pub(crate) chunks: Vec<Chunk>,
    /// The states and the edges of a level that has the edges of a class of alike variables, in place of chunks.
    pub(crate) marked: Option<MarkedLevel>,
    /// The number of chunks whose edges to the next level contain places, because its states have
    /// no numbers yet (see [`Numbering`](super::level::Numbering)). 0 when the sweep is done.
    pub(crate) unnumbered: usize,
    /// The destinations of its long edges.
    pub(crate) long: Vec<LongDestination>,
    /// The long edges to this level.
    pub(crate) incoming: Vec<StoredIncoming>,
    /// Whether the nodes are aliases: each has one edge, to the state at the same variable that it
    /// stands for. Such levels are made when another number of processes resumes a build: the old edges lead
    /// to the aliases, and the states have moved to other processes.
    pub(crate) is_alias_level: bool,
    /// For each process of the run that stored the level, the process that has its edges now. Empty
    /// if this run stored it.
    pub(crate) rank_map: Vec<u8>,
}

/// The long edges to a level over one chain of forced nodes.
#[derive(Debug)]
pub(crate) struct StoredIncoming {
    pub(crate) chain: ForcedChain,
    /// The part of the diagram that stores the edges.
    pub(crate) part: usize,
    /// By partition, the numbers of the target states, in order of arrival. Empty if the level has edges of a class.
    pub(crate) arrivals: Vec<Chunk>,
    /// If a class has the edges, the numbers of the target states in their class. Empty otherwise.
    pub(crate) marks: StateMarks,
}

impl StoredIncoming {
    /// The edges of classes to a level of a class.
    pub(super) fn of_class(chain: ForcedChain, marks: StateMarks) -> Self {
        StoredIncoming { chain, part: LongWay::OF_CLASS, arrivals: Vec::new(), marks }
    }

    /// The number of lists of arrivals.
    pub(crate) fn lists(&self) -> usize {
        if self.marks.is_empty() { self.arrivals.len() } else { 1 }
    }

    /// The number of target states, each as often as it arrives.
    pub(crate) fn arrived(&self) -> usize {
        if self.marks.is_empty() {
            self.arrivals.iter().map(|list| list.edges).sum()
        } else {
            self.marks.count()
        }
    }
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
        forced.map(StoredIncoming::arrived).sum()
    }

    /// The number of edges.
    pub(crate) fn edges(&self) -> usize {
        let marked = self.marked.as_ref().map_or(0, |marked| marked.edges);
        self.chunks.iter().map(|chunk| chunk.edges).sum::<usize>() + marked
    }

    /// Size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let in_memory = self.all_chunks().filter(|chunk| chunk.slot().is_some());
        self.head_bytes() + in_memory.map(Chunk::words).sum::<usize>() * size_of::<EdgeCode>()
    }

    /// Size in bytes without the words of the chunks.
    pub(super) fn head_bytes(&self) -> usize {
        let starts = self.long.iter().map(|long| size_of_val(&long.starts[..])).sum::<usize>();
        size_of::<Self>()
            + self.all_chunks().count() * size_of::<Chunk>()
            + size_of_val(&self.long[..])
            + starts
            + self.rank_map.len()
            + self.marked.as_ref().map_or(0, MarkedLevel::bytes)
            + self.incoming.iter().map(|of| of.marks.bytes()).sum::<usize>()
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
        (self.is_alias_level, self.rank_map.clone()).write(out);
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
        (level.is_alias_level, level.rank_map) = Portable::read(bytes)?;
        let incoming = Vec::<(ForcedChain, usize, usize)>::read(bytes)?;
        let chunks = Vec::<((usize, usize, usize), bool, Option<u64>, Extent)>::read(bytes)?;
        let chunk = |((nodes, edges, shape_bytes), skips, number, extent)| {
            let location = Location::Disk(blob(number)?, extent);
            Some(Chunk { nodes, edges, shape_bytes, skips, location })
        };
        let mut chunks = chunks.into_iter().map(chunk);
        for (chain, part, lists) in incoming {
            let arrivals = chunks.by_ref().take(lists).collect::<Option<_>>()?;
            level.incoming.push(StoredIncoming {
                chain,
                part,
                arrivals,
                marks: StateMarks::default(),
            });
        }
        level.chunks = chunks.collect::<Option<_>>()?;
        Some(level)
    }
}

/// A level that long edges of another level lead to, over one chain of forced nodes. The targets of
/// these edges are consecutive arrivals of each partition there, in the order of the edges. For edges
/// to states of other processes, which may be at the next variable, a process is in the place of a
/// partition.
#[derive(Clone, Debug)]
pub(crate) struct LongDestination {
    /// If there are forced nodes on the way, each of the edges leads to such a node.
    pub(crate) way: LongWay,
    /// For each partition, the number of earlier arrivals.
    pub(crate) starts: Box<[u32]>,
}

crate::portable!(LongDestination { way, starts });

/// The way of long edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LongWay {
    /// The variable of the level that they lead to.
    pub(crate) to: usize,
    /// The forced nodes on the way.
    pub(crate) chain: ForcedChain,
    /// The part of the diagram that stores the edges: there are several if several processes build it.
    pub(crate) part: usize,
}

crate::portable!(LongWay { to, chain, part });

impl LongWay {
    /// The part of all edges of classes.
    pub(crate) const OF_CLASS: usize = usize::MAX;
}

/// Successive nodes of one level with their edges, or a list of numbers without nodes.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    pub(crate) nodes: usize,
    /// The number of edges, or of numbers.
    pub(crate) edges: usize,
    shape_bytes: usize,
    /// Whether any of its edges is a long one. False if its codes are node ids.
    pub(crate) skips: bool,
    pub(super) location: Location,
}

/// The location of the words of a chunk.
#[derive(Clone, Debug)]
pub(super) enum Location {
    Memory(Slot),
    Disk(Arc<Blob>, Extent),
}

/// The location in the stack of the words of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Slot {
    segment: u32,
    start: u32,
}

impl Chunk {
    /// The number of words: the codes, and then the shapes.
    fn words(&self) -> usize {
        self.edges + self.shape_bytes.div_ceil(size_of::<EdgeCode>())
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
        self.edges * size_of::<EdgeCode>() + self.shape_bytes
    }

    /// Reads the words of a chunk on disk to `page`, which stays as it is if the chunk is in memory.
    fn read_if_on_disk(&self, page: &mut Vec<EdgeCode>) -> Result<(), BuildError> {
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
pub(super) struct ContentsMut<'a> {
    pub(super) codes: &'a mut [EdgeCode],
    /// The encoded shapes of its nodes.
    pub(super) shape: &'a mut [u8],
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
pub(super) struct ChunkSizes {
    pub(super) nodes: usize,
    pub(super) edges: usize,
    pub(super) shape_bytes: usize,
}

/// Size in bytes of the first segment. Each further one is twice as large, up to `MAX_BYTES`.
const FIRST_BYTES: usize = 1 << 14;
const MAX_BYTES: usize = 1 << 22;

impl EdgeStack {
    /// Pushes chunks of the given sizes. Returns each chunk with its contents, for the caller to fill.
    pub(super) fn push(&mut self, sizes: &[ChunkSizes]) -> Vec<(Chunk, ContentsMut<'_>)> {
        let chunk = |&ChunkSizes { nodes, edges, shape_bytes }: &ChunkSizes| {
            let location = Location::Memory(Slot { segment: 0, start: 0 });
            let chunk = Chunk { nodes, edges, shape_bytes, skips: false, location };
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
    pub(super) fn contents_mut(&mut self, chunks: &[Chunk]) -> Vec<ContentsMut<'_>> {
        let segments = self.segments.iter_mut();
        let mut rests: Vec<_> = segments.map(|segment| (0, &mut segment.words[..])).collect();
        let contents = |(chunk, slot): (&Chunk, Slot)| {
            let (passed, rest) = &mut rests[slot.segment as usize];
            let start = slot.start as usize - *passed;
            *passed = slot.start as usize + chunk.words();
            let taken = rest.split_off_mut(..start + chunk.words());
            let words = &mut taken.expect("the slot is in the segment")[start..];
            let (codes, shape) = words.split_at_mut(chunk.edges);
            let shape = &mut bytemuck::cast_slice_mut(shape)[..chunk.shape_bytes];
            ContentsMut { codes, shape }
        };
        let in_memory = chunks.iter().filter_map(|chunk| Some((chunk, chunk.slot()?)));
        in_memory.map(contents).collect()
    }

    /// The words of a chunk, if it is in memory.
    fn words(&self, chunk: &Chunk) -> Option<&[EdgeCode]> {
        let slot = chunk.slot()?;
        let words = &self.segments[slot.segment as usize].words[slot.start as usize..];
        Some(&words[..chunk.words()])
    }

    /// The contents of a chunk. Reads a chunk on disk into `page`.
    pub(crate) fn read<'a>(
        &'a self,
        chunk: &Chunk,
        page: &'a mut Vec<EdgeCode>,
    ) -> Result<Contents<'a>, BuildError> {
        chunk.read_if_on_disk(page)?;
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
    pub(super) fn bytes(&self) -> usize {
        self.segments.iter().map(|segment| segment.used).sum::<usize>() * size_of::<EdgeCode>()
    }
}

/// Moves chunks, from memory or from another file, to a new file. `change` may change the codes of a
/// chunk; it is called in the order of the chunks.
pub(super) fn move_to_disk<'c>(
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

/// The variables of the forced nodes that an edge skips: none, one, or two.
///
/// Each of the nodes has one edge, for value 1. It leads to the next node of the chain, and from
/// the last node to the target of the skipping edge.
// The first variable plus one, shifted by eight bits, and in the last byte the distance from there
// to the second variable. 0 stands for "none" in both places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct ForcedChain(u64);

crate::portable!(ForcedChain { 0 });

impl ForcedChain {
    pub(crate) const EMPTY: ForcedChain = ForcedChain(0);

    /// Marks edges that lead from one process to another. They skip no forced nodes. The lists of
    /// their targets are by process instead of by partition.
    pub(crate) const BETWEEN_PROCESSES: ForcedChain = ForcedChain(u64::MAX);

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self == ForcedChain::EMPTY
    }

    /// The chain followed by a node at `variable`, which is later than all of its own. `None` if it
    /// has two nodes already, or the first one is more than 255 variables away.
    #[inline]
    pub(crate) fn extended(self, variable: usize) -> Option<Self> {
        if self.is_empty() {
            return Some(ForcedChain((variable as u64 + 1) << 8));
        }
        let distance = u8::try_from(variable as u64 + 1 - (self.0 >> 8)).ok()?;
        (self.0 as u8 == 0).then_some(ForcedChain(self.0 | u64::from(distance)))
    }

    /// The last variable, and the chain before it. `None` for the empty chain.
    pub(crate) fn split_last(self) -> Option<(usize, Self)> {
        let first = (self.0 >> 8).checked_sub(1)? as usize;
        let distance = usize::from(self.0 as u8);
        let before = if distance == 0 { ForcedChain::EMPTY } else { ForcedChain(self.0 & !0xff) };
        Some((first + distance, before))
    }

    /// The chain with variables counted from this one, which is before all of its own.
    pub(super) fn relative_to(self, variable: usize) -> Self {
        if self.is_empty() { self } else { ForcedChain(self.0 - ((variable as u64) << 8)) }
    }

    /// The opposite of [`relative_to`](ForcedChain::relative_to).
    pub(super) fn from(self, variable: usize) -> Self {
        if self.is_empty() { self } else { ForcedChain(self.0 + ((variable as u64) << 8)) }
    }

    /// A slot below `count`, a power of two, for the way to level `to` over this chain. Ways to
    /// levels close to `variable` mostly have different slots. Neither `to` nor a node of the chain
    /// may be before `variable`.
    #[inline]
    pub(super) fn slot(self, variable: usize, to: usize, count: usize) -> usize {
        let first = (self.0 >> 8) as usize;
        let first = if first == 0 { 0 } else { first - variable };
        // Found by exhaustive search: with these factors, all ways of up to six variables have
        // different slots out of 128.
        (to - variable + 15 * first + 21 * usize::from(self.0 as u8)) & (count - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::{EdgeTarget, UnreducedLevel, *};
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
                    codes.fill(EdgeTarget::Adjacent(number).code());
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

    #[test]
    fn split_last_undoes_extended() {
        for first in [0, 1, 7, 1 << 40] {
            let one = ForcedChain::EMPTY.extended(first).unwrap();
            assert!(!one.is_empty());
            assert_eq!(one.split_last(), Some((first, ForcedChain::EMPTY)));
            for second in [first + 1, first + 2, first + 255] {
                let two = one.extended(second).unwrap();
                assert_eq!(two.split_last(), Some((second, one)));
                assert_eq!(two.extended(second + 1), None);
            }
            assert_eq!(one.extended(first + 256), None);
        }
        assert_eq!(ForcedChain::EMPTY.split_last(), None);
    }

    #[test]
    fn short_ways_have_different_slots() {
        for variable in [0, 5, 1000] {
            let mut ways = 0;
            let mut slots = std::collections::HashSet::new();
            for to in variable..=variable + 6 {
                let mut chains = vec![ForcedChain::EMPTY];
                for first in variable..to {
                    let one = ForcedChain::EMPTY.extended(first).unwrap();
                    chains.push(one);
                    chains.extend((first + 1..to).map(|second| one.extended(second).unwrap()));
                }
                ways += chains.len();
                slots.extend(chains.iter().map(|chain| chain.slot(variable, to, 128)));
            }
            assert_eq!(slots.len(), ways);
        }
    }
}
