//! The reduction of one level: reading, sorting and storing its nodes.
//!
//! A level whose nodes would take too much memory at a time is reduced in parts. Nodes are sorted by
//! their heads first of all. So the level is read once for each range of heads, in ascending order. Each
//! reading collects, sorts and stores only the nodes whose heads are in the range: the result is the same. Nodes of the same head are not taken apart.

use super::super::store::Builder;
use super::children::Span;
use super::map::StateMap;
use super::node::{List, Node, NodeReader};
use super::sort::{cut, size_of_all, sort, visit_distinct};
use super::{LevelTask, NODE_LIMIT, PIECE, parts};
use crate::BuildError;
use crate::frontier::unreduced::UnreducedLevel;
use crate::pages::Pages;

/// Reduces levels of one kind of nodes in the same memory.
pub(super) struct LevelReducer<N> {
    /// The nodes that were read, by the thread that read them.
    pub(super) lists: Vec<List<N>>,
    pub(super) sorted: Pages<N>,
}

/// Heads that are looked at for each range.
const SAMPLES: usize = 1 << 8;

impl<N: Node> LevelReducer<N> {
    pub(super) fn new() -> Self {
        LevelReducer { lists: Vec::new(), sorted: Pages::new(0) }
    }

    /// Size in bytes of the contents.
    pub(super) fn bytes(&self) -> usize {
        self.lists.iter().map(List::bytes).sum::<usize>() + size_of_val(&self.sorted[..])
    }

    /// Size in bytes of the nodes of a level while they are sorted.
    pub(super) fn bytes_for(level: &UnreducedLevel) -> usize {
        // For each node: as it is read, as it is sorted, with a quarter more for the next level, and a byte
        // for its bucket.
        let of_node = size_of::<N>() / 4 * 9 + 1;
        level.nodes as usize * of_node + level.edges() * N::EDGE_BYTES * 2
    }

    /// Appends the nodes of a level to the store and writes into `map` which of them each of its
    /// states became.
    pub(super) fn reduce(
        &mut self,
        task: &LevelTask<'_>,
        map: &StateMap,
        store: &mut Builder,
    ) -> Result<(), BuildError> {
        let spans = task.spans()?;
        let nodes = task.level.nodes as usize;
        let bytes = Self::bytes_for(task.level);
        if bytes <= task.share || task.is_whole() {
            self.read(task, spans, Some(map), |_, _| true)?;
            self.read_forced(task, map)?;
            return self.store(task, map, store);
        }
        let ranges = bytes.div_ceil(task.share.max(1)).min(nodes);
        let step = (nodes / (ranges * SAMPLES)).max(1) as u32;
        // Collects a sample of the nodes. Also writes the entry of each redundant node, which the reads
        // below do not write again.
        self.read(task, spans.clone(), Some(map), |_, state| state % step == 0)?;
        let heads: Vec<u64> = self.lists.iter().flat_map(|list| &list.nodes).map(N::head).collect();
        // Many nodes may have turned out to be redundant.
        let kept = (heads.len() as u64 * u64::from(step)).min(nodes as u64);
        let ranges = (ranges as u64 * kept).div_ceil(nodes as u64).max(1) as usize;
        let bounds = [vec![0], cut(heads, ranges), vec![u64::MAX]].concat();
        for range in bounds.windows(2) {
            let keep = |head: u64, _| (range[0]..range[1]).contains(&head);
            self.read(task, spans.clone(), None, keep)?;
            self.store(task, map, store)?;
        }
        Ok(())
    }

    /// Collects the nodes of some spans that are not redundant and for which `keep` returns true; it
    /// receives the head and the state. Writes the children that replace redundant nodes to the map, if
    /// there is one.
    pub(super) fn read(
        &mut self,
        task: &LevelTask<'_>,
        spans: Vec<Span<'_>>,
        map: Option<&StateMap>,
        keep: impl Fn(u64, u32) -> bool + Sync,
    ) -> Result<(), BuildError> {
        self.lists.iter_mut().for_each(List::clear);
        self.lists.resize_with(self.lists.len().max(parts(task.sharing)), List::default);
        let work = spans.into_iter().zip(&mut self.lists);
        let read = task.sharing.for_all(work, |list, (span, out)| {
            let Span { first: mut state, chunks, targets } = span;
            let mut reader = NodeReader { task, targets, map, keep: &keep, list };
            let mut page = Vec::new();
            for chunk in chunks {
                task.sharing.check()?;
                let end = state + chunk.nodes as u32;
                N::read(&mut reader, state..end, task.stack.read(chunk, &mut page)?, out);
                state = end;
            }
            Ok(())
        });
        read.map(drop)
    }

    /// Adds the forced nodes whose ends have no entries, and marks the entries of the other ends.
    fn read_forced(&mut self, task: &LevelTask<'_>, map: &StateMap) -> Result<(), BuildError> {
        let lists = task.forced.of_ways.iter().flat_map(|forced| &forced.nodes);
        let pieces = task.forced.number(lists.flat_map(|list| list.chunks(PIECE)));
        let work =
            pieces.chunks(pieces.len().div_ceil(parts(task.sharing)).max(1)).zip(&mut self.lists);
        let read = task.sharing.for_all(work, |_, (pieces, out)| {
            for &(first, piece) in pieces {
                task.sharing.check()?;
                let other = |end, entry| out.nodes.push(N::forced(end, entry));
                task.forced.mark(first, piece, map, other);
            }
            Ok(())
        });
        read.map(drop)
    }

    /// Appends the nodes that were read to the store and writes into `map` which node each of
    /// them became.
    fn store(
        &mut self,
        task: &LevelTask<'_>,
        map: &StateMap,
        store: &mut Builder,
    ) -> Result<(), BuildError> {
        let lists = &self.lists[..];
        let buckets = sort(task, lists, map, &mut self.sorted)?;
        let size = size_of_all(&buckets);
        NODE_LIMIT.check((store.node_count() + size.nodes()) as u64)?;
        if size.nodes() == 0 {
            return Ok(());
        }
        let first = store.next_id();
        store.push(task.level.variable, size, &|| task.sharing.check(), |mut rest| {
            let work = buckets.iter().map(|bucket| (bucket, rest.split_off(bucket.size)));
            visit_distinct(task, lists, map, work, first, |node, room| node.put(lists, room))
        })
    }
}
