//! Sorting the nodes of a level, so that equal ones are adjacent and the others are in the order
//! in which they are numbered.
//!
//! A level that does not stay in cache, or that threads share, is first split into buckets, in the order of the heads of
//! its nodes. Each bucket is sorted by counting: its nodes are put into more bins than there are nodes, and the few nodes
//! of a bin are sorted by comparing. The ids of children are dense, so that every pass is linear, unless many
//! nodes have the same head. Threads share the parts of a pass.

use super::super::store::{Capacity, NodeId};
use super::map::StateMap;
use super::node::{List, Node};
use super::{LevelTask, PIECE, parts};
use crate::BuildError;
use crate::pages::Pages;
use std::cmp::Ordering;
use std::ops::Range;

/// The most buckets that a level is split into.
const MAX_BUCKETS: usize = 256;
/// Heads that are looked at for each bucket.
const SAMPLES: usize = 16;
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

impl<N: Node> Bucket<'_, N> {
    /// Calls `each` in order for the nodes and the forced nodes, and whether a node differs from the
    /// one before.
    #[inline]
    pub(super) fn visit(
        &self,
        task: &LevelTask<'_>,
        lists: &[List<N>],
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
pub(super) fn sort<'s, N: Node>(
    task: &LevelTask<'_>,
    lists: &[List<N>],
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
    let step = (all / (parts * SAMPLES)).max(1);
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
pub(super) fn visit_distinct<'s, N: Node, O: Send>(
    task: &LevelTask<'_>,
    lists: &[List<N>],
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
fn scatter<'s, N: Node>(
    task: &LevelTask<'_>,
    lists: &[List<N>],
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
fn sort_bucket<N: Node>(unsorted: &[&[N]], sorted: &mut [N], lists: &[List<N>]) {
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
    use super::super::pairs::Pair;
    use super::super::runs::EdgeRun;
    use super::*;
    use crate::diagram::store::Edge;
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
                let unsorted: Vec<Pair> = ends.iter().map(|&end| Pair::forced(end, 7)).collect();
                let (some, others) = unsorted.split_at(ends.len() / 3);
                let mut nodes = vec![Pair::default(); ends.len()];
                sort_bucket(&[some, others], &mut nodes, &[]);
                ends.sort_unstable();
                let ends = ends.into_iter().map(|end| Pair::forced(end, 7).head());
                prop_assert!(nodes.iter().map(Node::head).eq(ends));
            }
        }

        /// The nodes of two lists, in the order of their edges.
        #[test]
        fn multi_valued_nodes_are_in_the_order_of_their_edges(
            targets in prop::collection::vec(prop::collection::vec(1u32..4, 1..5), 2..60),
        ) {
            let mut lists = vec![List::<EdgeRun>::default(), List::default()];
            for (state, targets) in (0..).zip(&targets) {
                let number = state % 2;
                let list = &mut lists[number];
                let start = list.edges.len();
                list.edges.extend((0..).zip(targets).map(|(value, &target)| Edge { value, target }));
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
