//! The reduction of one level: reading, sorting and storing its nodes.
//!
//! A level whose nodes would take too much memory at a time is reduced in parts. Nodes are sorted by
//! their heads first of all. So the level is read once for each range of heads, in ascending order. Each
//! reading collects, sorts and stores only the nodes whose heads are in the range: the result is the same. Nodes of the same head are not taken apart.
//!
//! Nodes are sorted, so that equal ones are adjacent and the others are in the order in which they are numbered.
//! A level that does not stay in cache, or that threads share, is first split into buckets, in the order of the heads of
//! its nodes. Each bucket is sorted by counting: its nodes are put into more bins than there are nodes, and the few nodes
//! of a bin are sorted by comparing. The ids of children are dense, so that every pass is linear, unless many
//! nodes have the same head. Threads share the parts of a pass.

use super::children::{ChunkSpan, StateMap};
use super::nodes::{NodeBuffer, NodeReader, ReducibleNode};
use super::{LevelTask, NODE_LIMIT, PIECE, parts};
use crate::BuildError;
use crate::diagram::store::{Builder, Capacity, NodeId};
use crate::frontier::unreduced::UnreducedLevel;
use crate::pages::Pages;
use std::cmp::Ordering;
use std::ops::Range;

/// Reduces levels of one kind of nodes in the same memory.
pub(super) struct LevelReducer<N> {
    /// The nodes that were read, by the thread that read them.
    pub(super) lists: Vec<NodeBuffer<N>>,
    pub(super) sorted: Pages<N>,
}

/// Heads that are looked at for each range.
const SAMPLES: usize = 1 << 8;

impl<N: ReducibleNode> LevelReducer<N> {
    pub(super) fn new() -> Self {
        LevelReducer { lists: Vec::new(), sorted: Pages::new(0) }
    }

    /// Size in bytes of the contents.
    pub(super) fn bytes(&self) -> usize {
        self.lists.iter().map(NodeBuffer::bytes).sum::<usize>() + size_of_val(&self.sorted[..])
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
        spans: Vec<ChunkSpan<'_>>,
        map: Option<&StateMap>,
        keep: impl Fn(u64, u32) -> bool + Sync,
    ) -> Result<(), BuildError> {
        self.lists.iter_mut().for_each(NodeBuffer::clear);
        self.lists.resize_with(self.lists.len().max(parts(task.sharing)), NodeBuffer::default);
        let work = spans.into_iter().zip(&mut self.lists);
        let read = task.sharing.for_all(work, |list, (span, out)| {
            let ChunkSpan { first: mut state, chunks, marked, targets } = span;
            let mut reader = NodeReader { task, targets, map, keep: &keep, list };
            if let Some(marked) = &marked {
                for start in marked.words.clone().step_by(PIECE / u64::BITS as usize) {
                    task.sharing.check()?;
                    let words = start..marked.words.end.min(start + PIECE / u64::BITS as usize);
                    let end = state + marked.count(words.clone()) as u32;
                    N::read_marked(&mut reader, state..end, marked, words, out);
                    state = end;
                }
            }
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

/// The most buckets that a level is split into.
const MAX_BUCKETS: usize = 256;
/// Heads that are looked at for each bucket.
const SAMPLES_PER_BUCKET: usize = 16;
/// The reason why no bucket overflows.
const COUNTED: &str = "the nodes of each bucket were counted";

/// Cuts the range of heads into at most so many parts, each with about the same share of the list.
/// Returns the least head of each part but the first.
pub(super) fn cut(mut heads: Vec<u64>, parts: usize) -> Vec<u64> {
    heads.sort_unstable();
    let bound = |part: usize| heads.get(part * heads.len() / parts).copied();
    let mut bounds: Vec<u64> = (1..parts).filter_map(bound).collect();
    bounds.dedup();
    bounds
}

/// Some nodes of a level, in order, and the forced nodes between them.
pub(super) struct Bucket<'s, N> {
    nodes: &'s [N],
    /// The ends of the forced nodes, among those that are not marked.
    ends: Range<NodeId>,
    /// The size of the distinct nodes among both.
    pub(super) size: Capacity,
}

impl<N: ReducibleNode> Bucket<'_, N> {
    /// Calls `each` in order for the nodes and the forced nodes, and whether a node differs from the
    /// one before.
    #[inline]
    pub(super) fn visit(
        &self,
        task: &LevelTask<'_>,
        lists: &[NodeBuffer<N>],
        map: &StateMap,
        mut each: impl FnMut(&N, bool),
    ) {
        let forced = task.forced.marked(self.ends.clone(), map);
        let mut forced = forced.map(|(end, entry)| N::forced(end, entry));
        let (mut next, mut before) = (forced.next(), 0);
        let mut last: Option<&N> = None;
        for node in self.nodes {
            while let Some(forced_node) = next.filter(|forced| forced.head() <= node.head()) {
                each(&forced_node, true);
                before = forced_node.head();
                next = forced.next();
            }
            let differs = last.is_none_or(|last| last.order(node, lists) != Ordering::Equal);
            each(node, differs & (node.head() != before));
            last = Some(node);
        }
        next.into_iter().chain(forced).for_each(|node| each(&node, true));
    }
}

/// The size of the distinct nodes of all buckets.
pub(super) fn size_of_all<N>(buckets: &[Bucket<'_, N>]) -> Capacity {
    buckets.iter().fold(Capacity::default(), |size, bucket| size.plus(bucket.size))
}

/// Sorts the nodes of all lists into `sorted`, whose contents before are not used. Returns them
/// by bucket, together with the forced nodes whose ends are marked in the map.
pub(super) fn sort<'s, N: ReducibleNode>(
    task: &LevelTask<'_>,
    lists: &[NodeBuffer<N>],
    map: &StateMap,
    sorted: &'s mut Pages<N>,
) -> Result<Vec<Bucket<'s, N>>, BuildError> {
    let total: usize = lists.iter().map(|list| list.nodes.len()).sum();
    if sorted.len() < total {
        // Levels grow little by little: some more than needed, which is not touched.
        *sorted = Pages::new(total.max(sorted.len() / 4 * 5));
    }
    let forced = task.forced;
    let all = total + forced.arrivals.min(forced.ends.len());
    let parts = all.div_ceil(N::BUCKET_NODES).max(parts(task.sharing)).next_power_of_two();
    let parts = parts.min(MAX_BUCKETS);
    let step = (all / (parts * SAMPLES_PER_BUCKET)).max(1);
    let heads = lists.iter().flat_map(|list| list.nodes.iter().step_by(step).map(N::head));
    let ends = forced.ends.clone().step_by(step).map(|end| N::forced(end, 0).head());
    let bounds = if parts > 1 { cut(heads.chain(ends).collect(), parts) } else { Vec::new() };
    let sorted = &mut sorted[..total];
    let is_one = bounds.is_empty();
    let buckets = if is_one { vec![sorted] } else { scatter(task, lists, &bounds, sorted)? };
    task.sharing.for_all(buckets, |bucket, nodes: &'s mut [N]| {
        if is_one {
            let unsorted: Vec<&[N]> = lists.iter().map(|list| &list.nodes[..]).collect();
            sort_bucket(&unsorted, nodes, lists);
        } else {
            let unsorted = nodes.to_vec();
            sort_bucket(&[&unsorted], nodes, lists);
        }
        // The head of a forced node is its end, shifted, because its child at 0 is the 0-terminal. This is
        // the first end whose head is not less.
        let first = |head: &u64| (head >> 32) as NodeId + u32::from(*head as u32 > 0);
        let start = bucket.checked_sub(1).map_or(0, |before| first(&bounds[before]));
        let ends = forced.ends_among(start..bounds.get(bucket).map_or(NodeId::MAX, first));
        let bucket = Bucket { nodes, ends, size: Capacity::default() };
        let mut size = Capacity::default();
        bucket.visit(task, lists, map, |node, is_new| {
            if is_new {
                size = size.plus(node.size());
            }
        });
        Ok(Bucket { size, ..bucket })
    })
}

/// Passes each distinct node of some buckets to `add`, with the output of its bucket, and returns the
/// outputs. Writes to the map the id of each node: `first` for the first distinct one, and so on.
pub(super) fn visit_distinct<'s, N: ReducibleNode, O: Send>(
    task: &LevelTask<'_>,
    lists: &[NodeBuffer<N>],
    map: &StateMap,
    buckets: impl Iterator<Item = (&'s Bucket<'s, N>, O)>,
    mut first: u32,
    add: impl Fn(&N, &mut O) + Sync,
) -> Result<Vec<O>, BuildError> {
    let work = buckets.map(|(bucket, out)| {
        first += bucket.size.nodes() as u32;
        (first - bucket.size.nodes() as u32, bucket, out)
    });
    task.sharing.for_all(work, |_, (mut next, bucket, mut out)| {
        bucket.visit(task, lists, map, |node, is_new| {
            if is_new {
                add(node, &mut out);
                next += 1;
            }
            map.set(node.entry(), next - 1);
        });
        Ok(out)
    })
}

/// Copies the nodes of all lists to the buckets between these bounds. Returns the buckets.
/// The bucket of each node is searched for once, and stored in one byte until the node is copied.
fn scatter<'s, N: ReducibleNode>(
    task: &LevelTask<'_>,
    lists: &[NodeBuffer<N>],
    bounds: &[u64],
    mut to: &'s mut [N],
) -> Result<Vec<&'s mut [N]>, BuildError> {
    const { assert!(MAX_BUCKETS <= 1 << u8::BITS) };
    let pieces: Vec<&[N]> = lists.iter().flat_map(|list| list.nodes.chunks(PIECE)).collect();
    let chosen = task.sharing.for_all(&pieces, |_, piece| {
        let mut sizes = vec![0; bounds.len() + 1];
        let choose = |node: &N| {
            let head = node.head();
            let bucket = bounds.partition_point(|&bound| bound <= head);
            sizes[bucket] += 1;
            bucket as u8
        };
        let buckets: Vec<u8> = piece.iter().map(choose).collect();
        Ok((sizes, buckets))
    })?;
    // By piece and bucket.
    let mut places: Vec<Vec<_>> = pieces.iter().map(|_| Vec::new()).collect();
    let mut rest = &mut *to;
    for bucket in 0..=bounds.len() {
        for ((sizes, _), places) in chosen.iter().zip(&mut places) {
            places.push(rest.split_off_mut(..sizes[bucket]).expect(COUNTED).iter_mut());
        }
    }
    let work = pieces.iter().zip(&chosen).zip(places);
    task.sharing.for_all(work, |_, ((piece, (_, buckets)), mut places)| {
        for (&node, &bucket) in piece.iter().zip(buckets) {
            *places[usize::from(bucket)].next().expect(COUNTED) = node;
        }
        Ok(())
    })?;
    let size = |bucket: usize| chosen.iter().map(|(sizes, _)| sizes[bucket]).sum::<usize>();
    let bucket = |number: usize| to.split_off_mut(..size(number)).expect(COUNTED);
    Ok((0..=bounds.len()).map(bucket).collect())
}

/// Writes the nodes of some slices to `sorted`, in order.
fn sort_bucket<N: ReducibleNode>(unsorted: &[&[N]], sorted: &mut [N], lists: &[NodeBuffer<N>]) {
    let heads = || unsorted.iter().copied().flatten().map(N::head);
    let (Some(least), Some(most)) = (heads().min(), heads().max()) else { return };
    // As many bins as nodes, or up to four times as many.
    let bits = u64::BITS - (most - least).leading_zeros();
    let shift = bits.saturating_sub(usize::BITS - sorted.len().leading_zeros() + 1);
    let bin = |node: &N| ((node.head() - least) >> shift) as usize;
    let mut ends = vec![0u32; ((most - least) >> shift) as usize + 1];
    for nodes in unsorted {
        for node in *nodes {
            ends[bin(node)] += 1;
        }
    }
    let mut end = 0;
    for count in &mut ends {
        end += std::mem::replace(count, end);
    }
    // Where a bin starts becomes where it ends.
    for nodes in unsorted {
        for node in *nodes {
            let end = &mut ends[bin(node)];
            sorted[*end as usize] = *node;
            *end += 1;
        }
    }
    let mut start = 0;
    for end in ends {
        let bin = &mut sorted[start..end as usize];
        if bin.len() > 1 {
            bin.sort_unstable_by(|a, b| a.order(b, lists));
        }
        start = end as usize;
    }
}

#[cfg(test)]
mod tests {
    use super::super::nodes::{EdgeRun, PairNode};
    use super::*;
    use crate::diagram::store::ValueEdge;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_head_is_in_one_part(
            heads in prop::collection::vec(prop_oneof![1u64..5, any::<u64>()], 0..50),
            parts in 1usize..9,
        ) {
            let bounds = cut(heads.clone(), parts);
            prop_assert!(bounds.len() < parts);
            prop_assert!(bounds.windows(2).all(|two| two[0] < two[1]));
            prop_assert!(bounds.iter().all(|bound| heads.contains(bound)));
        }

        #[test]
        fn buckets_of_pairs_are_sorted(
            narrow in prop::collection::vec(1u32..40, 0..300),
            wide in prop::collection::vec(1u32.., 0..300),
        ) {
            for mut ends in [narrow.clone(), wide.clone(), [narrow, wide].concat()] {
                let unsorted: Vec<PairNode> = ends.iter().map(|&end| PairNode::forced(end, 7)).collect();
                let (some, others) = unsorted.split_at(ends.len() / 3);
                let mut nodes = vec![PairNode::default(); ends.len()];
                sort_bucket(&[some, others], &mut nodes, &[]);
                ends.sort_unstable();
                let ends = ends.into_iter().map(|end| PairNode::forced(end, 7).head());
                prop_assert!(nodes.iter().map(ReducibleNode::head).eq(ends));
            }
        }

        /// The nodes of two lists, in the order of their edges.
        #[test]
        fn multi_valued_nodes_are_in_the_order_of_their_edges(
            targets in prop::collection::vec(prop::collection::vec(1u32..4, 1..5), 2..60),
        ) {
            let mut lists = vec![NodeBuffer::<EdgeRun>::default(), NodeBuffer::default()];
            for (state, targets) in (0..).zip(&targets) {
                let number = state % 2;
                let list = &mut lists[number];
                let start = list.edges.len();
                list.edges.extend((0..).zip(targets).map(|(value, &target)| ValueEdge { value, target }));
                list.nodes.push(EdgeRun::last(number, &list.edges, start, state as u32));
            }
            let unsorted: Vec<&[EdgeRun]> = lists.iter().map(|list| &list.nodes[..]).collect();
            let mut nodes = vec![EdgeRun::default(); targets.len()];
            sort_bucket(&unsorted, &mut nodes, &lists);
            let mut expected = targets.clone();
            expected.sort_unstable();
            prop_assert!(nodes.iter().map(|node| &targets[node.entry() as usize]).eq(&expected));
        }
    }
}
