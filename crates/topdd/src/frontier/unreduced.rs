//! The unreduced diagram: what a building sweep leaves for reduction to read.
//!
//! Edges are sparse: a node stores only its children that are not the 0-terminal. They
//! are written once, in the order of expansion, and read once, level by level from the
//! bottom, so there is no index: the shape of the nodes (which values have an edge) is a
//! byte stream, and where the edges lead is a stream of 32-bit codes beside it.

use super::disk::{Blob, BlobWriter, Disk, Extent};
use super::log::Log;
pub(crate) use super::log::Place;
use super::monitor::Check;
use super::via::Via;
use crate::pages::Pages;
use crate::spec::Arities;
use crate::{Error, Portable};
use std::sync::Arc;

/// Where an edge leads, in 32 bits, as seen from the level it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    One,
    /// The state of this number at the very next variable.
    Near(u32),
    /// The edge skips variables, on the way and to the level of this entry in
    /// [`UnreducedLevel::far`] and to this partition there; which of the arrivals it is tells
    /// the order of the edges.
    Far {
        entry: u32,
        partition: u8,
    },
}

impl Target {
    const FAR: u32 = 1 << 31;
    /// States in one level are fewer than this.
    pub(crate) const MAX_STATES: u64 = (1 << 31) - 1;
    /// A level has far edges on fewer ways than this.
    pub(crate) const MAX_FAR_LEVELS: u64 = 1 << 24;

    #[inline]
    pub(crate) fn code(self) -> u32 {
        match self {
            Target::One => 0,
            Target::Near(number) => number + 1,
            Target::Far { entry, partition } => Self::FAR | entry << 7 | u32::from(partition),
        }
    }

    #[inline]
    pub(crate) fn is_far(code: u32) -> bool {
        code & Self::FAR != 0
    }

    #[inline]
    pub(crate) fn decode(code: u32) -> Self {
        if code == 0 {
            Target::One
        } else if code & Self::FAR == 0 {
            Target::Near(code - 1)
        } else {
            let code = code & !Self::FAR;
            Target::Far { entry: code >> 7, partition: (code & 0x7f) as u8 }
        }
    }
}

/// A level that edges of another one lead to, skipping variables, on one way. What they lead to has
/// arrived there in their order, partition by partition, without anything in between.
#[derive(Clone, Debug)]
pub(crate) struct FarLevel {
    pub(crate) variable: usize,
    /// The forced nodes on the way: if there are any, each of the edges leads to such a node.
    pub(crate) via: Via,
    /// For each partition, how much had arrived before.
    pub(crate) starts: Box<[u32]>,
}

impl FarLevel {
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.starts.len() * 4
    }
}

/// A run of nodes of one level, in order: where in [`EdgeLog`] it is.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    pub(crate) nodes: usize,
    shape: Place,
    codes: Place,
    /// Whether any of its edges skips variables.
    pub(super) skips: bool,
}

impl Chunk {
    /// The number of edges.
    pub(crate) fn edges(&self) -> usize {
        self.codes.len()
    }

    fn bytes(&self) -> usize {
        self.shape.len() + self.codes.len() * size_of::<u32>()
    }
}

/// The shapes, edges and far arrivals of all levels that are in memory, the last on top: of each
/// its far arrivals, then its chunks.
#[derive(Debug, Default)]
pub(crate) struct EdgeLog {
    shapes: Log<u8>,
    numbers: Log<u32>,
}

/// Memory that a log had, and that goes back to the system when it is dropped.
#[must_use]
#[derive(Debug)]
pub(crate) struct Emptied {
    pub(crate) shapes: Vec<Pages<u8>>,
    pub(crate) numbers: Vec<Pages<u32>>,
}

impl Emptied {
    /// Whether there is none.
    pub(crate) fn is_nothing(&self) -> bool {
        self.shapes.is_empty() && self.numbers.is_empty()
    }
}

/// Room for a chunk.
pub(crate) struct Room<'a> {
    pub(crate) chunk: Chunk,
    /// Which values have an edge, node after node; see [`ShapeWriter`].
    pub(crate) shape: &'a mut [u8],
    /// Where the edges lead, in the same order, as [`Target::code`].
    pub(crate) codes: &'a mut [u32],
}

impl EdgeLog {
    /// Room for so many far arrivals of a level on top, and for its chunks, of each of which
    /// `sizes` tells the nodes, the bytes of its shape, and the edges.
    pub(crate) fn push_level(
        &mut self,
        arrivals: &[usize],
        sizes: &[(usize, usize, usize)],
    ) -> (Vec<(Place, &mut [u32])>, Vec<Room<'_>>) {
        let shapes: Vec<usize> = sizes.iter().map(|&(_, shape, _)| shape).collect();
        let codes = sizes.iter().map(|&(_, _, codes)| codes);
        let numbers: Vec<usize> = arrivals.iter().copied().chain(codes).collect();
        let mut numbers = self.numbers.push(&numbers).into_iter();
        let arrivals = numbers.by_ref().take(arrivals.len()).collect();
        let lists = self.shapes.push(&shapes).into_iter().zip(numbers);
        let rooms = lists.zip(sizes).map(|(((shape, bytes), (codes, numbers)), &(nodes, _, _))| {
            let chunk = Chunk { nodes, shape, codes, skips: true };
            Room { chunk, shape: bytes, codes: numbers }
        });
        (arrivals, rooms.collect())
    }

    /// As [`push_level`](EdgeLog::push_level), of chunks alone, on top of what there is of the
    /// level.
    pub(crate) fn push(&mut self, sizes: &[(usize, usize, usize)]) -> Vec<Room<'_>> {
        self.push_level(&[], sizes).1
    }

    /// The shape and the codes of a chunk.
    pub(crate) fn get(&self, chunk: &Chunk) -> (&[u8], &[u32]) {
        (self.shapes.get(chunk.shape), self.numbers.get(chunk.codes))
    }

    /// Room for the far arrivals of one more partition, before the chunks.
    pub(crate) fn push_arrivals(&mut self, length: usize) -> (Place, &mut [u32]) {
        self.push_level(&[length], &[]).0.pop().expect("room for one")
    }

    /// The far arrivals of a partition.
    pub(crate) fn arrivals(&self, place: Place) -> &[u32] {
        self.numbers.get(place)
    }

    /// Takes the level off that is on top. Returns the memory that is not needed any more.
    pub(crate) fn pop(&mut self, level: &UnreducedLevel) -> Emptied {
        let shapes = level.chunks.first().map(|first| self.shapes.pop_from(first.shape));
        // What was put on the log first is the last of these.
        let chunks = level.chunks.first().map(|first| first.codes);
        let arrivals = level.vias.iter().rev().map(|via| &via.arrivals);
        let arrivals = arrivals.chain([&level.far_arrivals]).filter_map(|of| of.first().copied());
        let last = chunks.into_iter().chain(arrivals).last();
        let numbers = last.map(|first| self.numbers.pop_from(first));
        Emptied { shapes: shapes.unwrap_or_default(), numbers: numbers.unwrap_or_default() }
    }

    /// Takes a chunk off that is on top.
    fn pop_chunk(&mut self, chunk: &Chunk) {
        drop((self.shapes.pop_from(chunk.shape), self.numbers.pop_from(chunk.codes)));
    }

    /// Takes all off.
    pub(super) fn clear(&mut self) {
        self.shapes.clear();
        self.numbers.clear();
    }
}

/// The nodes of one variable.
#[derive(Debug)]
pub(crate) struct UnreducedLevel {
    pub(crate) variable: usize,
    pub(crate) nodes: u64,
    pub(crate) chunks: Vec<Chunk>,
    /// The levels that its edges skip variables to.
    pub(crate) far: Vec<FarLevel>,
    /// By partition, the numbers of the states that far edges lead to, in order of arrival: where
    /// in [`EdgeLog`] they are.
    pub(crate) far_arrivals: Vec<Place>,
    /// What arrived over forced nodes.
    pub(crate) vias: Vec<StoredVia>,
    /// The first variable with a far edge to here.
    pub(crate) first_far: Option<usize>,
    /// Where its chunks, and its far arrivals until they are loaded, are when they are not here.
    pub(super) on_disk: Option<ChunksOnDisk>,
}

/// What arrived at a level over forced nodes.
#[derive(Debug)]
pub(crate) struct StoredVia {
    pub(crate) via: Via,
    /// As [`UnreducedLevel::far_arrivals`].
    pub(crate) arrivals: Vec<Place>,
}

/// The chunks and far arrivals of a level in a file.
#[derive(Debug)]
pub(super) struct ChunksOnDisk {
    pub(super) blob: Arc<Blob>,
    /// For each chunk the number of its nodes, its shape and its codes.
    chunks: Vec<(usize, Extent, Extent)>,
    far_arrivals: Vec<Extent>,
}

/// Where a chunk is read to from disk.
#[derive(Default)]
pub(crate) struct ChunkPage {
    shape: Vec<u8>,
    bytes: Vec<u8>,
    codes: Vec<u32>,
}

impl ChunksOnDisk {
    fn read<'p>(
        &self,
        number: usize,
        page: &'p mut ChunkPage,
    ) -> Result<(usize, &'p [u8], &'p [u32]), Error> {
        let (nodes, shape, codes) = self.chunks[number];
        self.blob.read(shape, &mut page.shape)?;
        self.blob.read(codes, &mut page.bytes)?;
        page.codes.clear();
        page.codes.extend(numbers(&page.bytes));
        Ok((nodes, &page.shape, &page.codes))
    }
}

impl UnreducedLevel {
    /// The level of a variable that has no states.
    pub(crate) fn without_states(variable: usize) -> Self {
        UnreducedLevel {
            variable,
            nodes: 0,
            chunks: Vec::new(),
            far: Vec::new(),
            far_arrivals: Vec::new(),
            vias: Vec::new(),
            first_far: None,
            on_disk: None,
        }
    }

    /// How much arrived over forced nodes.
    pub(crate) fn forced(&self) -> usize {
        self.vias.iter().flat_map(|via| &via.arrivals).map(|place| place.len()).sum()
    }

    /// The number of edges.
    pub(crate) fn edges(&self) -> usize {
        let on_disk = self.on_disk.iter().flat_map(|on_disk| &on_disk.chunks);
        self.chunks.iter().map(Chunk::edges).sum::<usize>()
            + on_disk.map(|(_, _, codes)| codes.len() / size_of::<u32>()).sum::<usize>()
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.chunks.capacity() * size_of::<Chunk>()
            + self.chunks.iter().map(Chunk::bytes).sum::<usize>()
            + self.far.iter().map(FarLevel::bytes).sum::<usize>()
            + self.forced() * size_of::<u32>()
            + self.far_arrivals.iter().map(|a| a.len() * size_of::<u32>()).sum::<usize>()
            + self.on_disk.as_ref().map_or(0, |on_disk| {
                on_disk.chunks.len() * size_of::<(usize, Extent, Extent)>()
                    + on_disk.far_arrivals.len() * size_of::<Extent>()
            })
    }

    /// Copies the chunks and far arrivals to a file, where they stay at least until
    /// [`load`](UnreducedLevel::load). The chunks are to be taken off the log.
    pub(super) fn write_to(
        &mut self,
        log: &EdgeLog,
        to: &mut ChunkWriter,
        check: Check<'_>,
    ) -> Result<(), Error> {
        assert!(self.vias.is_empty(), "where there is a disk every node is met as a state");
        for chunk in std::mem::take(&mut self.chunks) {
            check()?;
            to.append_chunk(&chunk, log)?;
        }
        for arrivals in std::mem::take(&mut self.far_arrivals) {
            check()?;
            to.append_arrivals(arrivals, log)?;
        }
        Ok(())
    }

    /// The chunks and far arrivals are in this file.
    pub(super) fn is_in(&mut self, blob: &Arc<Blob>, saved: Saved) {
        let Saved { chunks, far_arrivals } = saved;
        self.on_disk = Some(ChunksOnDisk { blob: Arc::clone(blob), chunks, far_arrivals });
    }

    /// The bytes of the far arrivals that are on disk.
    pub(crate) fn arrival_bytes(&self) -> usize {
        let on_disk = self.on_disk.iter().flat_map(|on_disk| &on_disk.far_arrivals);
        on_disk.map(Extent::len).sum()
    }

    /// Puts the far arrivals on top of the log, if they are not in memory, and so the chunks,
    /// unless they take more than `most_bytes`.
    pub(crate) fn load(
        &mut self,
        log: &mut EdgeLog,
        most_bytes: usize,
        check: Check<'_>,
    ) -> Result<(), Error> {
        let Some(on_disk) = &mut self.on_disk else { return Ok(()) };
        let mut buffer = Vec::new();
        for of_partition in on_disk.far_arrivals.drain(..) {
            check()?;
            on_disk.blob.read(of_partition, &mut buffer)?;
            let (place, room) = log.push_arrivals(buffer.len() / size_of::<u32>());
            room.iter_mut().zip(numbers(&buffer)).for_each(|(to, number)| *to = number);
            self.far_arrivals.push(place);
        }
        let sizes = on_disk.chunks.iter().map(|(_, shape, codes)| shape.len() + codes.len());
        if sizes.sum::<usize>() > most_bytes {
            return Ok(());
        }
        let mut page = ChunkPage::default();
        for number in 0..on_disk.chunks.len() {
            check()?;
            let (nodes, shape, codes) = on_disk.read(number, &mut page)?;
            for room in log.push(&[(nodes, shape.len(), codes.len())]) {
                room.shape.copy_from_slice(shape);
                room.codes.copy_from_slice(codes);
                self.chunks.push(room.chunk);
            }
        }
        self.on_disk = None;
        Ok(())
    }

    /// The nodes and the edges of each chunk, wherever it is.
    pub(crate) fn chunk_sizes(&self) -> impl Iterator<Item = (usize, usize)> {
        let here = self.chunks.iter().map(|chunk| (chunk.nodes, chunk.edges()));
        let on_disk = self.on_disk.iter().flat_map(|on_disk| &on_disk.chunks);
        here.chain(on_disk.map(|(nodes, _, codes)| (*nodes, codes.len() / size_of::<u32>())))
    }

    /// The nodes, the shape and the codes of a chunk: of one that is not in memory, on `page`.
    pub(crate) fn chunk<'a>(
        &self,
        log: &'a EdgeLog,
        number: usize,
        page: &'a mut ChunkPage,
    ) -> Result<(usize, &'a [u8], &'a [u32]), Error> {
        match &self.on_disk {
            None => {
                let chunk = &self.chunks[number];
                let (shape, codes) = log.get(chunk);
                Ok((chunk.nodes, shape, codes))
            }
            Some(on_disk) => on_disk.read(number, page),
        }
    }

    /// Whether any edge of a chunk skips variables, or may: what was on disk is not known without
    /// reading it.
    pub(crate) fn skips(&self, number: usize) -> bool {
        self.chunks.get(number).is_none_or(|chunk| chunk.skips)
    }

    /// Everything about the level that is in memory when its chunks are on disk.
    pub(super) fn write_head(&self, out: &mut Vec<u8>) {
        (self.variable, self.nodes, self.first_far).write(out);
        self.far.len().write(out);
        for far in &self.far {
            (far.variable, far.starts.to_vec()).write(out);
        }
        if let Some(on_disk) = &self.on_disk {
            on_disk.chunks.write(out);
            on_disk.far_arrivals.write(out);
        }
    }

    /// The level that this describes, whose chunks are in `blob`.
    pub(super) fn read_head(bytes: &mut &[u8], blob: &Arc<Blob>) -> Option<Self> {
        let (variable, nodes, first_far) = Portable::read(bytes)?;
        let far: Vec<(usize, Vec<u32>)> = Portable::read(bytes)?;
        let far = far
            .into_iter()
            .map(|(variable, starts)| (variable, starts.into_boxed_slice()))
            .map(|(variable, starts)| FarLevel { variable, via: Via::NONE, starts });
        let mut level = UnreducedLevel::without_states(variable);
        level.nodes = nodes;
        level.far = far.collect();
        level.first_far = first_far;
        let (chunks, far_arrivals) = Portable::read(bytes)?;
        level.is_in(blob, Saved { chunks, far_arrivals });
        Some(level)
    }
}

/// Where in a file the chunks and far arrivals of a level are.
#[derive(Debug, Default)]
pub(super) struct Saved {
    chunks: Vec<(usize, Extent, Extent)>,
    far_arrivals: Vec<Extent>,
}

/// Writes the chunks and far arrivals of levels to a file.
pub(super) struct ChunkWriter {
    file: BlobWriter,
    level: Saved,
    buffer: Vec<u8>,
}

impl ChunkWriter {
    pub(super) fn new(disk: &Disk) -> Result<Self, Error> {
        Ok(ChunkWriter { file: disk.create()?, level: Saved::default(), buffer: Vec::new() })
    }

    fn append_chunk(&mut self, chunk: &Chunk, log: &EdgeLog) -> Result<(), Error> {
        let (shape, codes) = log.get(chunk);
        let shape = self.file.append(shape)?;
        let codes = self.append_numbers(codes)?;
        self.level.chunks.push((chunk.nodes, shape, codes));
        Ok(())
    }

    fn append_arrivals(&mut self, place: Place, log: &EdgeLog) -> Result<(), Error> {
        let extent = self.append_numbers(log.arrivals(place))?;
        self.level.far_arrivals.push(extent);
        Ok(())
    }

    fn append_numbers(&mut self, numbers: &[u32]) -> Result<Extent, Error> {
        self.buffer.clear();
        self.buffer.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        self.file.append(&self.buffer)
    }

    /// Moves a chunk here that is on top of the log.
    pub(super) fn move_chunk(&mut self, chunk: &Chunk, log: &mut EdgeLog) -> Result<(), Error> {
        self.append_chunk(chunk, log)?;
        log.pop_chunk(chunk);
        Ok(())
    }

    /// Moves the far arrivals of a partition here, which are on top of the log.
    pub(super) fn move_arrivals(&mut self, place: Place, log: &mut EdgeLog) -> Result<(), Error> {
        self.append_arrivals(place, log)?;
        drop(log.numbers.pop_from(place));
        Ok(())
    }

    /// Where the level is that was written; then comes the next.
    pub(super) fn end_level(&mut self) -> Saved {
        std::mem::take(&mut self.level)
    }

    /// The file of several levels.
    pub(super) fn finish_file(self) -> Result<Arc<Blob>, Error> {
        self.file.finish().map(Arc::new)
    }

    /// The only level of a file, which was moved here from `log`.
    pub(super) fn finish(mut self, log: &mut EdgeLog) -> Result<ChunksOnDisk, Error> {
        log.shapes.trim();
        log.numbers.trim();
        let Saved { chunks, far_arrivals } = self.end_level();
        Ok(ChunksOnDisk { blob: self.finish_file()?, chunks, far_arrivals })
    }
}

/// Numbers as they are in a block.
pub(super) fn read_numbers(bytes: &[u8]) -> Vec<u32> {
    numbers(bytes).collect()
}

fn numbers(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let words = bytes.chunks_exact(4);
    words.map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")))
}

/// What a building sweep leaves.
pub(crate) struct Unreduced {
    pub(crate) arities: Arities,
    /// Levels that have states, from the root down. A root that is a terminal has none.
    pub(crate) levels: Vec<UnreducedLevel>,
    /// Their chunks and far arrivals.
    pub(crate) log: EdgeLog,
    /// Whether the root is the 1-terminal; tells the two terminals apart when there is
    /// no level.
    pub(crate) root_is_one: bool,
}

/// Up to this arity, a node's shape is one byte with a bit for each value; beyond it,
/// the number of edges and the distances between their values, as variable-length
/// integers of seven bits a byte.
const MASK_ARITY: usize = 8;

/// Writes the shapes of nodes.
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

    /// The node being written has an edge for `value`, which is above the last one.
    #[inline]
    pub(crate) fn edge(&mut self, value: u32) {
        if self.masks {
            self.mask |= 1 << value;
        } else {
            self.values.push(value);
        }
    }

    /// The node is complete.
    #[inline]
    pub(crate) fn end_node(&mut self, out: &mut Vec<u8>) {
        if self.masks {
            out.push(self.mask);
            self.mask = 0;
        } else {
            self.end_values(out);
        }
    }

    // Apart, so that what is left is short enough to be compiled into the loop over the nodes.
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

/// Reads the shapes of nodes back.
pub(crate) struct ShapeReader<'a> {
    masks: bool,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> ShapeReader<'a> {
    pub(crate) fn new(arity: usize, bytes: &'a [u8]) -> Self {
        ShapeReader { masks: arity <= MASK_ARITY, bytes, at: 0 }
    }

    /// The values of the next node's edges as a set of bits; for arities of at most eight.
    #[inline]
    pub(crate) fn next_mask(&mut self) -> u8 {
        debug_assert!(self.masks, "more values than bits");
        let mask = self.bytes[self.at];
        self.at += 1;
        mask
    }

    /// The values of the next node's edges, in order.
    #[inline]
    pub(crate) fn next_node(&mut self, mut edge: impl FnMut(u32)) {
        if self.masks {
            let mut mask = self.bytes[self.at];
            self.at += 1;
            while mask != 0 {
                edge(mask.trailing_zeros());
                mask &= mask - 1;
            }
        } else {
            let count = self.read_varint();
            let mut next = 0;
            for _ in 0..count {
                let value = next + self.read_varint();
                edge(value);
                next = value + 1;
            }
        }
    }

    #[inline]
    fn read_varint(&mut self) -> u32 {
        let mut value = 0;
        let mut shift = 0;
        loop {
            let byte = self.bytes[self.at];
            self.at += 1;
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
                prop_assert_eq!(reader.at, bytes.len());
            }
        }
    }

    #[test]
    fn targets_read_back() {
        for target in [
            Target::One,
            Target::Near(0),
            Target::Near(Target::MAX_STATES as u32 - 2),
            Target::Far { entry: 0, partition: 0 },
            Target::Far { entry: Target::MAX_FAR_LEVELS as u32 - 1, partition: 127 },
        ] {
            assert_eq!(Target::decode(target.code()), target);
        }
    }
}
