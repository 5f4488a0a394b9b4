//! The edges of a sweep: the edges of finished levels, and of the level being expanded.

use super::child_records::{ChildRecords, GroupOutput, TO_LONG, TO_ONE};
use super::disk::Storage;
use super::level::{CHECK_INTERVAL, Incoming, Level};
use super::monitor::Sharing;
use super::places::{Numbering, Place};
use super::unreduced::{
    Chunk, ChunkSizes, ClassTransitions, ContentsMut, EdgeCode, EdgeStack, EdgeTarget, ForcedChain,
    LongDestination, LongTarget, LongWay, StoredIncoming, UnreducedLevel, move_to_disk,
};
use crate::BuildError;
use crate::Map;
use crate::error::SizeLimit;

/// A limit of a level.
const fn of_level(unit: &'static str, limit: u64) -> SizeLimit {
    SizeLimit { what: "a level", unit, limit }
}

const STATE_LIMIT: SizeLimit = of_level("states", EdgeTarget::MAX_STATES - 1);
const LONG_LIMIT: SizeLimit =
    of_level("ways on which its edges skip variables", EdgeTarget::MAX_LONG);

/// The edges of a sweep.
#[derive(Default)]
pub(super) struct EdgeStore {
    /// The part that the edges belong to: a diagram of several processes has one for each.
    part: usize,
    /// From the root down; the last is the one being expanded.
    pub(super) levels: Vec<UnreducedLevel>,
    /// The words of the chunks in memory.
    pub(super) stack: EdgeStack,
    /// The edges of levels of alike variables.
    pub(super) classes: ClassTransitions,
    /// For each destination of long edges from the last level, its index in
    /// [`UnreducedLevel::long`].
    entries: Map<LongWay, u32>,
    /// Size in bytes of all levels but the last, without the words of their chunks.
    finished_bytes: usize,
    /// The places at the next level that records of a batch were merged into, by partition: the merge
    /// appends them in the order of the source states, and
    /// [`push_batch`](EdgeStore::push_batch) turns them into targets. Empty between two batches.
    pub(super) adjacent: Vec<Vec<Place>>,
}

impl EdgeStore {
    /// The edges of a part, with these finished levels.
    pub(super) fn new(part: usize, levels: Vec<UnreducedLevel>) -> Self {
        EdgeStore { part, levels, ..EdgeStore::default() }
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let last = self.levels.last().map_or(0, UnreducedLevel::head_bytes);
        let adjacent = self.adjacent.iter().map(Vec::capacity).sum::<usize>() * size_of::<u32>();
        self.finished_bytes + last + self.stack.bytes() + self.classes.bytes() + adjacent
    }

    /// Begins a level with the long edges to it.
    pub(super) fn begin_level(&mut self, variable: usize, incoming: &[Incoming]) {
        self.entries.clear();
        let incoming = self.store_incoming(incoming, self.part);
        self.push(UnreducedLevel { variable, incoming, ..UnreducedLevel::default() });
    }

    /// Stores the long edges to a level of a part.
    fn store_incoming(&mut self, incoming: &[Incoming], part: usize) -> Vec<StoredIncoming> {
        let stored = incoming.iter().map(|of| {
            let size = |list: &Vec<_>| ChunkSizes { edges: list.len(), ..ChunkSizes::default() };
            let sizes: Vec<_> = of.places.iter().map(size).collect();
            let chunks = self.stack.push(&sizes).into_iter().zip(&of.places);
            let arrivals = chunks.map(|((chunk, contents), list)| {
                contents
                    .codes
                    .iter_mut()
                    .zip(list)
                    .for_each(|(code, place)| *code = place.target().code());
                chunk
            });
            let arrivals = arrivals.collect();
            let part = if of.marks.is_empty() { part } else { LongWay::OF_CLASS };
            StoredIncoming { chain: of.chain, part, arrivals, marks: of.marks.clone() }
        });
        stored.collect()
    }

    pub(super) fn push(&mut self, level: UnreducedLevel) {
        self.finished_bytes += self.levels.last().map_or(0, UnreducedLevel::head_bytes);
        self.levels.push(level);
    }

    pub(super) fn last(&mut self) -> &mut UnreducedLevel {
        self.levels.last_mut().expect("a level was begun")
    }

    /// Returns the index in [`UnreducedLevel::long`] of the edges from the last level over a chain to a
    /// variable. `starts` returns the number of earlier arrivals, for each partition there.
    pub(super) fn entry(
        &mut self,
        to: usize,
        chain: ForcedChain,
        starts: impl FnOnce() -> Box<[u32]>,
    ) -> Result<u32, BuildError> {
        let way = LongWay { to, chain, part: self.part };
        if let Some(&entry) = self.entries.get(&way) {
            return Ok(entry);
        }
        let long = &mut self.last().long;
        LONG_LIMIT.check(long.len() as u64 + 1)?;
        let entry = long.len() as u32;
        long.push(LongDestination { way, starts: starts() });
        self.entries.insert(way, entry);
        Ok(entry)
    }

    /// Stores the nodes and edges of a batch, a chunk for each group. The targets of the edges are
    /// numbers if a numbering of the next level is given, and places otherwise.
    pub(super) fn push_batch(
        &mut self,
        child_records: &[ChildRecords],
        numbering: Option<&Numbering>,
        sharing: Sharing<'_>,
    ) -> Result<(), BuildError> {
        let adjacent = &mut self.adjacent;
        let outputs = || child_records.iter().map(|records| &records.output);
        let size = |output: &GroupOutput| ChunkSizes {
            nodes: output.nodes,
            edges: output.edge_bytes.len(),
            shape_bytes: output.shapes.len(),
        };
        let sizes: Vec<_> = outputs().map(size).collect();
        // The places of the groups to come, by partition.
        let mut rest: Vec<_> = adjacent.iter().map(|places| places.iter()).collect();
        let work = outputs().zip(self.stack.push(&sizes)).map(|(output, room)| {
            let places = rest.clone();
            for (rest, &count) in rest.iter_mut().zip(&output.adjacent) {
                *rest = rest.as_slice()[count as usize..].iter();
            }
            (output, room, places)
        });
        let chunks = sharing.for_all(work, |_, (output, room, mut places)| {
            let (mut chunk, ContentsMut { codes, shape }) = room;
            let mut long = output.long.iter();
            for (&destination, code) in output.edge_bytes.iter().zip(codes) {
                let target = match destination {
                    TO_ONE => EdgeTarget::One,
                    TO_LONG => {
                        let to = long.next().expect("every long edge has a target");
                        EdgeTarget::Long(LongTarget {
                            entry: output.entries[to.entry as usize],
                            ..*to
                        })
                    }
                    partition => {
                        let partition = usize::from(partition);
                        let place = *places[partition].next().expect("every record has a place");
                        match numbering {
                            Some(numbering) => numbering.adjacent(partition, place),
                            None => place.target(),
                        }
                    }
                };
                *code = target.code();
            }
            shape.copy_from_slice(&output.shapes);
            chunk.skips = !output.long.is_empty();
            Ok(chunk)
        })?;
        adjacent.iter_mut().for_each(Vec::clear);
        let level = self.last();
        level.chunks.extend(chunks);
        if numbering.is_none() {
            level.unnumbered = level.chunks.len();
        }
        Ok(())
    }

    /// Appends the edges of another part, which has the same levels. The adjacent edges of its last level
    /// lead to states that come after `next` other states. Copies the chunks, which must be on disk.
    pub(super) fn append(
        &mut self,
        mut levels: Vec<UnreducedLevel>,
        next: u64,
        storage: &Storage,
    ) -> Result<(), BuildError> {
        let mut before = Vec::new();
        for (index, (level, of)) in self.levels.iter().zip(&levels).enumerate() {
            STATE_LIMIT.check(level.nodes + of.nodes)?;
            LONG_LIMIT.check((level.long.len() + of.long.len()) as u64)?;
            let next = self.levels.get(index + 1).map_or(next, |level| level.nodes) as u32;
            let arrivals = of.incoming.iter().flat_map(|of| &of.arrivals);
            before.extend(arrivals.map(|_| (level.nodes as u32, 0)));
            before.extend(of.chunks.iter().map(|_| (next, level.long.len() as u32)));
        }
        let mut before = before.into_iter();
        let chunks = levels.iter_mut().flat_map(UnreducedLevel::all_chunks_mut);
        move_to_disk(chunks, &self.stack, storage, |codes| {
            let (states, entries) = before.next().expect("there is one for each chunk");
            for code in codes {
                *code = code.moved(states, entries);
            }
            Ok(())
        })?;
        for (level, of) in self.levels.iter_mut().zip(levels) {
            level.nodes += of.nodes;
            level.chunks.extend(of.chunks);
            level.long.extend(of.long);
            level.incoming.extend(of.incoming);
        }
        let finished = self.levels.split_last().map_or(&[][..], |(_, finished)| finished);
        self.finished_bytes = finished.iter().map(UnreducedLevel::head_bytes).sum();
        Ok(())
    }

    /// Appends the edges to the states of a pending level of another part to the last level, behind the
    /// edges of earlier parts.
    pub(super) fn append_incoming(
        &mut self,
        level: &Level,
        part: usize,
        storage: &Storage,
        sharing: Sharing<'_>,
    ) -> Result<(), BuildError> {
        let first = self.last().nodes;
        STATE_LIMIT.check(first + level.states())?;
        let numbering = level.numbering_after(first as u32);
        let mut incoming = self.store_incoming(&level.incoming, part);
        for of in &mut incoming {
            number(&mut self.stack, &mut of.arrivals, &numbering, storage, sharing)?;
        }
        self.last().incoming.extend(incoming);
        Ok(())
    }

    /// Appends aliases of states at its variable to the last level. Each has one edge, of the
    /// long destination `entry`, to the list with its index in `lists`.
    pub(super) fn push_aliases(&mut self, entry: u32, lists: &[u8]) {
        let (nodes, edges) = (lists.len(), lists.len());
        let sizes = ChunkSizes { nodes, edges, ..ChunkSizes::default() };
        let (mut chunk, contents) = self.stack.push(&[sizes]).remove(0);
        for (code, &partition) in contents.codes.iter_mut().zip(lists) {
            *code = EdgeTarget::Long(LongTarget { entry, partition }).code();
        }
        chunk.skips = true;
        self.last().chunks.push(chunk);
        self.last().nodes += lists.len() as u64;
    }

    /// Replaces places by numbers in the edges from the level before `variable` to that level, if
    /// they contain places.
    pub(super) fn number_edges(
        &mut self,
        variable: usize,
        numbering: &Numbering,
        storage: &Storage,
        sharing: Sharing<'_>,
    ) -> Result<(), BuildError> {
        let Some(level) = self.levels.iter_mut().rfind(|level| level.variable + 1 == variable)
        else {
            return Ok(());
        };
        let unnumbered = std::mem::take(&mut level.unnumbered);
        let chunks = &mut level.chunks[..unnumbered];
        number(&mut self.stack, chunks, numbering, storage, sharing)
    }

    /// Replaces places by numbers in the long edges to the last level.
    pub(super) fn number_incoming(
        &mut self,
        numbering: &Numbering,
        storage: &Storage,
        sharing: Sharing<'_>,
    ) -> Result<(), BuildError> {
        let level = self.levels.last_mut().expect("a level was begun");
        let mut lists = level.incoming.iter_mut().map(|incoming| &mut incoming.arrivals[..]);
        lists.try_for_each(|list| number(&mut self.stack, list, numbering, storage, sharing))
    }

    /// Moves all chunks that are in memory to disk.
    pub(super) fn spill(&mut self, storage: &Storage) -> Result<(), BuildError> {
        let chunks = self.levels.iter_mut().flat_map(UnreducedLevel::all_chunks_mut);
        let in_memory = chunks.filter(|chunk| chunk.slot().is_some());
        move_to_disk(in_memory, &self.stack, storage, |_| Ok(()))?;
        self.stack = EdgeStack::default();
        Ok(())
    }
}

/// Replaces places by numbers in chunks. Chunks on disk are written to a new file.
fn number(
    stack: &mut EdgeStack,
    chunks: &mut [Chunk],
    numbering: &Numbering,
    storage: &Storage,
    sharing: Sharing<'_>,
) -> Result<(), BuildError> {
    if numbering.is_identity() {
        return Ok(());
    }
    let number = |codes: &mut [EdgeCode]| {
        codes.chunks_mut(CHECK_INTERVAL).try_for_each(|codes| {
            sharing.check()?;
            numbering.number(codes);
            Ok(())
        })
    };
    sharing.for_all(stack.contents_mut(chunks), |_, contents| number(contents.codes))?;
    let on_disk = chunks.iter_mut().filter(|chunk| chunk.slot().is_none());
    move_to_disk(on_disk, stack, storage, number)
}
