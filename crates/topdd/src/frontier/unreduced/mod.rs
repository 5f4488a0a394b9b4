//! The unreduced diagram: the output of a sweep that builds, and the input of reduction.
//!
//! Edges are sparse: a node stores only its children that are not the 0-terminal. Edges are written
//! in the order of expansion, and read level by level from the bottom, so there is no
//! index. A chunk is a list of 32-bit codes, the targets of the edges, and a list of bytes, the
//! shapes of the nodes (which values have an edge). A sweep over alike variables packs most codes into a byte.

mod chunk;
mod edge_code;
mod shape;
mod spill;
mod stack;

use super::chain::ForcedChain;
use super::disk::{Blob, Extent};
use crate::Portable;
use crate::spec::Arities;
pub(crate) use chunk::Chunk;
use chunk::Location;
pub(crate) use edge_code::{EdgeCode, LongTarget, Target};
pub(crate) use shape::{ShapeReader, ShapeWriter};
pub(crate) use spill::move_resolved;
pub(super) use spill::move_to_disk;
pub(super) use stack::{ChunkSizes, ContentsMut};
pub(crate) use stack::{Contents, EdgeStack};
use std::sync::Arc;

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

/// The nodes of one variable.
#[derive(Debug, Default)]
pub(crate) struct UnreducedLevel {
    pub(crate) variable: usize,
    pub(crate) nodes: u64,
    pub(crate) chunks: Vec<Chunk>,
    /// The number of chunks whose edges to the next level contain places, because its states have
    /// no numbers yet (see [`Numbering`](super::numbering::Numbering)). 0 when the sweep is done.
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
            Some(Chunk { nodes, edges, shape_bytes, packed_bytes: None, skips, location })
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
