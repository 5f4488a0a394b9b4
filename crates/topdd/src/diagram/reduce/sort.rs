//! Sorting the nodes of a level, so that equal ones are adjacent and the others are in the order
//! in which they are numbered.
//!
//! Nodes are put into buckets in the order of their heads, each small enough to stay in cache; a
//! bucket into about as many bins as it has nodes; and the few nodes of a bin are sorted by
//! comparing. A bin of many nodes is put into bins again, by the next key where the heads are
//! equal. So every pass is linear, over parts that threads share and that end within
//! milliseconds, however many nodes are equal.

use super::super::store::{Check, NodeId, ZERO};
use super::map::StateMap;
use super::node::{Count, List, Node};
use super::{COUNTED, LevelTask, WATCHED, lengthen};
use crate::BuildError;
use crate::frontier::for_all;
use std::cmp::Ordering;
use std::iter::empty;
use std::ops::{Range, RangeInclusive};
use std::sync::{Mutex, PoisonError};

/// The most buckets that a level is split into.
const MOST_BUCKETS: usize = 256;
/// Nodes that a bucket is meant to contain.
const BUCKET_NODES: usize = 1 << 12;
/// Heads that are looked at for each bucket.
const SAMPLES: usize = 16;
/// Bins of more nodes are not sorted by comparing.
const MOST_COMPARED: usize = 1 << 14;

/// Cuts the range of heads into at most so many parts, each with about the same share of these.
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
    pub(super) nodes: &'s [N],
    /// The ends of the forced nodes, among those that are not marked.
    pub(super) ends: Range<NodeId>,
    /// The distinct nodes among both.
    pub(super) count: Count,
}

/// Sorts the nodes of all lists into `sorted`, whose contents before are not used. Returns them
/// by bucket, together with the forced nodes whose ends are marked in the map.
pub(super) fn sort<'s, N: Node>(
    task: &LevelTask<'_>,
    lists: &[List<N>],
    map: &StateMap,
    sorted: &'s mut Vec<N>,
) -> Result<Vec<Bucket<'s, N>>, BuildError> {
    let total: usize = lists.iter().map(|list| list.nodes.len()).sum();
    if sorted.len() < total {
        // Levels grow little by little, and new memory is dear: some more than needed.
        let more = total.max(sorted.len() / 4 * 5);
        *sorted = Vec::new();
        lengthen(sorted, more, N::default, &|| task.check())?;
    }
    let forced = task.forced;
    let all = total + forced.arrivals.min(forced.ends.len());
    let parts = all.div_ceil(BUCKET_NODES).next_power_of_two().min(MOST_BUCKETS);
    let step = (all / (parts * SAMPLES)).max(1);
    let heads = lists.iter().flat_map(|list| list.nodes.iter().step_by(step).map(N::head));
    let ends = forced.ends.clone().step_by(step).map(|end| N::forced(end, 0).head());
    let bounds = if parts > 1 { cut(heads.chain(ends).collect(), parts) } else { Vec::new() };
    // Bins that are not in use, at most one for each thread.
    let spare = Mutex::new(Vec::new());
    let spare = || spare.lock().unwrap_or_else(PoisonError::into_inner);
    let buckets = scatter(task, lists, &bounds, &mut sorted[..total])?;
    let sorted = for_all(task.workers, buckets, |bucket, nodes: &'s mut [N]| {
        let mut bins: Bins<N> = spare().pop().unwrap_or_default();
        bins.sort(nodes, lists, &|| task.check())?;
        spare().push(bins);
        // The first end whose head is not less.
        let first = |head: &u64| (head >> 32) as NodeId + u32::from(*head as u32 > 0);
        let start = bucket.checked_sub(1).map_or(0, |before| first(&bounds[before]));
        let ends = forced.ends_among(start..bounds.get(bucket).map_or(NodeId::MAX, first));
        let mut count = Count { nodes: forced.count(&ends, map), edges: 0 };
        let of_end = forced.of_end();
        visit(task, nodes, empty(), lists, |node, is_new| {
            let is_marked =
                node.end().and_then(&of_end).is_some_and(|entry| map.get(entry) != ZERO);
            count.nodes += usize::from(is_new && !is_marked);
            count.edges += node.edges() * usize::from(is_new);
        })?;
        Ok(Bucket { nodes, ends, count })
    });
    sorted.into_iter().collect()
}

/// Copies the nodes of all lists to the buckets between these bounds. Returns the buckets.
/// The bucket of each node is searched for once, and stored in one byte until the node is copied.
fn scatter<'s, N: Node>(
    task: &LevelTask<'_>,
    lists: &[List<N>],
    bounds: &[u64],
    mut to: &'s mut [N],
) -> Result<Vec<&'s mut [N]>, BuildError> {
    const { assert!(MOST_BUCKETS <= 1 << u8::BITS) };
    let chosen = for_all(task.workers, lists, |_, list| {
        let mut counts = vec![0; bounds.len() + 1];
        let mut buckets = Vec::with_capacity(list.nodes.len());
        for part in list.nodes.chunks(WATCHED) {
            task.check()?;
            buckets.extend(part.iter().map(|node| {
                let head = node.head();
                let bucket = bounds.partition_point(|&bound| bound <= head);
                counts[bucket] += 1;
                bucket as u8
            }));
        }
        Ok((counts, buckets))
    });
    let chosen = chosen.into_iter().collect::<Result<Vec<_>, BuildError>>()?;
    let (counts, chosen): (Vec<Vec<usize>>, Vec<Vec<u8>>) = chosen.into_iter().unzip();
    // By list and bucket.
    let mut places: Vec<Vec<_>> = lists.iter().map(|_| Vec::new()).collect();
    let mut rest = &mut *to;
    for bucket in 0..=bounds.len() {
        for (counts, places) in counts.iter().zip(&mut places) {
            places.push(rest.split_off_mut(..counts[bucket]).expect(COUNTED).iter_mut());
        }
    }
    let work = lists.iter().zip(chosen).zip(places);
    let done = for_all(task.workers, work, |_, ((list, buckets), mut places)| {
        for (part, buckets) in list.nodes.chunks(WATCHED).zip(buckets.chunks(WATCHED)) {
            task.check()?;
            for (&node, &bucket) in part.iter().zip(buckets) {
                *places[usize::from(bucket)].next().expect(COUNTED) = node;
            }
        }
        Ok(())
    });
    done.into_iter().collect::<Result<(), BuildError>>()?;
    let sizes = (0..=bounds.len()).map(|bucket| counts.iter().map(|of| of[bucket]).sum::<usize>());
    Ok(sizes.map(|size| to.split_off_mut(..size).expect(COUNTED)).collect())
}

/// Calls `each` in order for the nodes of a bucket and these forced nodes, and whether a node differs
/// from the one before.
#[inline]
pub(super) fn visit<N: Node>(
    task: &LevelTask<'_>,
    nodes: &[N],
    mut forced: impl Iterator<Item = N>,
    lists: &[List<N>],
    mut each: impl FnMut(&N, bool),
) -> Result<(), BuildError> {
    let (mut next, mut before) = (forced.next(), 0);
    let mut last: Option<&N> = None;
    for part in nodes.chunks(WATCHED) {
        task.check()?;
        for node in part {
            while let Some(forced_node) = next.filter(|forced| forced.head() <= node.head()) {
                each(&forced_node, true);
                before = forced_node.head();
                next = forced.next();
            }
            let differs = last.is_none_or(|last| last.order(node, lists) != Ordering::Equal);
            each(node, differs & (node.head() != before));
            last = Some(node);
        }
    }
    next.into_iter().chain(forced).for_each(|node| each(&node, true));
    Ok(())
}

/// Memory for sorting a bucket.
#[derive(Default)]
struct Bins<N> {
    ends: Vec<u32>,
    nodes: Vec<N>,
}

impl<N: Node> Bins<N> {
    /// Sorts a bucket by all keys.
    fn sort(
        &mut self,
        bucket: &mut [N],
        lists: &[List<N>],
        check: Check<'_>,
    ) -> Result<(), BuildError> {
        // Nodes that are equal in the keys before some depth, and that depth.
        let mut unsorted = vec![(0..bucket.len(), 0)];
        while let Some((range, depth)) = unsorted.pop() {
            let nodes = &mut bucket[range.clone()];
            let key = |node: &N| node.key(depth, lists);
            let (mut least, mut most) = (u64::MAX, 0);
            for part in nodes.chunks(WATCHED) {
                check()?;
                for key in part.iter().map(key) {
                    (least, most) = (least.min(key), most.max(key));
                }
            }
            if least >= most {
                if most > 0 {
                    unsorted.push((range, depth + 1));
                }
                continue;
            }
            self.split(nodes, key, least..=most, check)?;
            let mut start = 0;
            for part in self.ends.chunks(WATCHED) {
                check()?;
                for end in part.iter().map(|&end| end as usize) {
                    let bin = &mut nodes[start..end];
                    if bin.len() > MOST_COMPARED {
                        unsorted.push((range.start + start..range.start + end, depth));
                    } else if bin.len() > 1 {
                        bin.sort_unstable_by(|a, b| a.order(b, lists));
                    }
                    start = end;
                }
            }
        }
        Ok(())
    }

    /// Puts nodes into bins in the order of their keys, which are in this range, and sets `ends` to
    /// the end of each bin.
    fn split(
        &mut self,
        nodes: &mut [N],
        key: impl Fn(&N) -> u64,
        keys: RangeInclusive<u64>,
        check: Check<'_>,
    ) -> Result<(), BuildError> {
        let range = keys.end() - keys.start();
        // Half as many bins as nodes, or twice as many.
        let bits = u64::BITS - range.leading_zeros();
        let shift = bits.saturating_sub(usize::BITS - nodes.len().leading_zeros());
        let bin = |node: &N| ((key(node) - keys.start()) >> shift) as usize;
        self.ends.clear();
        lengthen(&mut self.ends, (range >> shift) as usize + 1, || 0, check)?;
        self.nodes.clear();
        for part in nodes.chunks(WATCHED) {
            check()?;
            self.nodes.extend_from_slice(part);
            for node in part {
                self.ends[bin(node)] += 1;
            }
        }
        let mut end = 0;
        for count in &mut self.ends {
            end += std::mem::replace(count, end);
        }
        // Where a bin starts becomes where it ends.
        for part in self.nodes.chunks(WATCHED) {
            check()?;
            for node in part {
                let end = &mut self.ends[bin(node)];
                nodes[*end as usize] = *node;
                *end += 1;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::pairs::Pair;
    use super::super::runs::Run;
    use super::*;
    use crate::diagram::store::Edge;
    use proptest::prelude::*;
    use std::cell::Cell;

    /// The nodes with these targets at the values 0, 1, and so on.
    fn runs(nodes: impl Iterator<Item = Vec<NodeId>>) -> List<Run> {
        let mut list = List::default();
        for (state, targets) in (0..).zip(nodes) {
            let start = list.edges.len();
            list.edges.extend((0..).zip(targets).map(|(value, target)| Edge { value, target }));
            list.nodes.push(Run::last(0, &list.edges, start, state));
        }
        list
    }

    /// Sorts the nodes of a list, with a check that fails after so many calls. Returns the number of
    /// calls.
    fn sorted<N: Node>(list: List<N>, allowed: usize) -> (Result<Vec<N>, BuildError>, usize) {
        let calls = Cell::new(0);
        let check = || {
            calls.set(calls.get() + 1);
            if calls.get() > allowed {
                Err(BuildError::Cancelled { variable: None })
            } else {
                Ok(())
            }
        };
        let mut nodes = list.nodes.clone();
        let done = Bins::default().sort(&mut nodes, &[list], &check).map(|()| nodes);
        (done, calls.get())
    }

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
                let nodes = ends.iter().map(|&end| Pair::forced(end, 7)).collect();
                let (sorted, _) = sorted(List { nodes, ..List::default() }, usize::MAX);
                ends.sort_unstable();
                prop_assert!(sorted.unwrap().iter().map(|pair| pair.end().unwrap()).eq(ends));
            }
        }

        /// Nodes with equal first edges land in one bin, too large to be sorted by comparing.
        #[test]
        fn a_large_bin_is_sorted_by_the_next_edges_and_stops_when_the_check_fails(
            seed: u64,
            len in 2 * MOST_COMPARED..5 * MOST_COMPARED,
            same in 0..3usize,
            allowed in 0..30usize,
        ) {
            let drawn = |at: u64| (at ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let targets = |at: usize| {
                let draw = drawn(at as u64);
                let length = 1 + same + (draw >> 62) as usize;
                let drawn = (0..length).map(|edge| (draw >> (8 * edge)) as NodeId % 3 + 1);
                vec![1; same].into_iter().chain(drawn).take(length).collect::<Vec<_>>()
            };
            let list = || runs((0..len).map(targets));
            let mut expected: Vec<Vec<NodeId>> = (0..len).map(targets).collect();
            expected.sort_unstable();
            let (nodes, calls) = sorted(list(), usize::MAX);
            prop_assert!(nodes.unwrap().iter().map(|node| targets(node.entry() as usize)).eq(expected));
            prop_assert!(calls > 2 * (same + 1));
            let (stopped, called) = sorted(list(), allowed);
            prop_assert_eq!(stopped.is_err(), allowed < calls);
            prop_assert_eq!(called, calls.min(allowed + 1));
        }
    }
}
