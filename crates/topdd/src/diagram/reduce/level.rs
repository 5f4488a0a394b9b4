//! The reduction of one level: reading, sorting and storing its nodes.
//!
//! A level whose nodes would take too much memory at a time is reduced in parts. Nodes are sorted by
//! their heads first of all. So the level is read once for each of several ranges of heads, the
//! least first, and only the nodes with these are collected, sorted, and stored behind those of the
//! range before: the result is the same. Nodes of the same head are not taken apart.

use super::super::store::{Builder, FIRST_NODE, MAX_NODES, NodeId};
use super::children::Targets;
use super::map::StateMap;
use super::node::{Count, List, Node, Reader, Room};
use super::sort::{cut, sort, visit};
use super::{LevelTask, Span, WATCHED};
use crate::BuildError;
use crate::frontier::for_all;
use crate::frontier::unreduced::ChunkPage;

/// Reduces levels of one kind of nodes in the same memory.
#[derive(Default)]
pub(super) struct LevelReducer<N> {
    /// The nodes that were read: by span, and then forced ones.
    lists: Vec<List<N>>,
    sorted: Vec<N>,
}

/// Heads that are looked at for each part.
const SAMPLES: usize = 1 << 8;

impl<N: Node> LevelReducer<N> {
    /// Size in bytes of the contents.
    pub(super) fn bytes(&self) -> usize {
        self.lists.iter().map(List::bytes).sum::<usize>() + size_of_val(&self.sorted[..])
    }

    /// Appends the nodes of a level to the store and writes into `map` which of them each of its
    /// states became.
    pub(super) fn reduce(
        &mut self,
        task: &LevelTask<'_>,
        map: &StateMap,
        store: &mut Builder,
    ) -> Result<(), BuildError> {
        let spans = task.spans();
        let targets = task.children.targets(task, &spans)?;
        let nodes = task.level.nodes as usize;
        // As they are read, and as they are sorted, with some more for the next level; their buckets.
        let bytes = nodes * (size_of::<N>() / 4 * 9 + 1) + task.level.edges() * N::EDGE_BYTES * 2;
        if bytes <= task.share {
            self.read(task, &spans, targets, (map, true), |_, _| true)?;
            return self.store(task, map, store);
        }
        debug_assert!(task.forced.of_ways.is_empty(), "under a limit every node is a state");
        let parts = bytes.div_ceil(task.share.max(1)).min(nodes);
        let step = (nodes / (parts * SAMPLES)).max(1) as u32;
        self.read(task, &spans, targets.clone(), (map, true), |_, state| state % step == 0)?;
        let heads: Vec<u64> = self.lists.iter().flat_map(|list| &list.nodes).map(N::head).collect();
        // Many nodes may have turned out to be redundant.
        let kept = (heads.len() as u64 * u64::from(step)).min(nodes as u64);
        let parts = (parts as u64 * kept).div_ceil(nodes as u64).max(1) as usize;
        let starts = cut(heads, parts);
        let ends = starts.iter().copied().chain([u64::MAX]);
        for (start, end) in [0].into_iter().chain(starts.iter().copied()).zip(ends) {
            let keep = |head: u64, _| (start..end).contains(&head);
            self.read(task, &spans, targets.clone(), (map, false), keep)?;
            self.store(task, map, store)?;
        }
        Ok(())
    }

    /// Collects the nodes of these spans, the edges of each of which lead to its `targets`, that are
    /// not redundant and that `keep`, called with the head and the state, is true of; with them the
    /// forced nodes. Writes to the map what the redundant nodes stand for, if that is true.
    fn read(
        &mut self,
        task: &LevelTask<'_>,
        spans: &[Span],
        targets: Vec<Targets<'_>>,
        (map, maps): (&StateMap, bool),
        keep: impl Fn(u64, u32) -> bool + Sync,
    ) -> Result<(), BuildError> {
        let lists = task.forced.of_ways.iter().flat_map(|forced| &forced.nodes);
        let pieces = task.forced.number(lists.flat_map(|list| list.chunks(WATCHED)));
        let pieces = pieces.chunks(pieces.len().div_ceil(task.parts()).max(1));
        let used = spans.len() + pieces.len();
        self.lists.iter_mut().for_each(List::clear);
        self.lists.resize_with(self.lists.len().max(used), List::default);
        let (of_spans, others) = self.lists.split_at_mut(spans.len());
        let work = spans.iter().zip(targets).zip(of_spans);
        let read = for_all(task.workers, work, |list, ((span, targets), out)| {
            let mut reader = Reader { task, targets, map, maps, keep: &keep, list: list as u32 };
            let mut page = ChunkPage::default();
            let mut state = span.first;
            for chunk in span.chunks.clone() {
                let chunk = task.level.chunk(task.log, chunk, &mut page)?;
                state = N::read(&mut reader, chunk, state, out)?;
            }
            Ok(())
        });
        let forced = for_all(task.workers, pieces.zip(others), |_, (pieces, out)| {
            for &(first, piece) in pieces {
                task.check()?;
                task.forced.mark(first, piece, map, |end, entry| {
                    out.nodes.push(N::forced(end, entry));
                });
            }
            Ok(())
        });
        read.into_iter().chain(forced).collect()
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
        let nodes = buckets.iter().map(|bucket| bucket.count.nodes).sum();
        let edges = buckets.iter().map(|bucket| bucket.count.edges).sum();
        let mut first = store.next_id();
        if u64::from(first - FIRST_NODE) + nodes as u64 > MAX_NODES {
            return Err(BuildError::TooLarge {
                what: "the diagram",
                unit: "nodes",
                limit: MAX_NODES,
            });
        }
        if nodes == 0 {
            return Ok(());
        }
        N::push(store, task, Count { nodes, edges }, |mut rest, reach| {
            let mut work = Vec::with_capacity(buckets.len());
            for bucket in buckets {
                let count = bucket.count;
                work.push((bucket, first, rest.split_off(count)));
                first += count.nodes as NodeId;
            }
            let stored = for_all(task.workers, work, |_, (bucket, first, mut room)| {
                let mut reach = reach.clone();
                let mut next = first;
                let forced = task.forced.marked(bucket.ends, map);
                let forced = forced.map(|(end, entry)| N::forced(end, entry));
                visit(task, bucket.nodes, forced, lists, |node, is_new| {
                    if is_new {
                        room.put(node, lists, &mut reach);
                        next += 1;
                    }
                    map.set(node.entry(), next - 1);
                })?;
                Ok(reach.into_levels())
            });
            stored.into_iter().collect()
        })
    }
}
