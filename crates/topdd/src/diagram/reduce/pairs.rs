//! Levels of two-valued nodes.

use super::super::store::{Builder, NodeId, ZERO};
use super::forced;
use super::known::Targets;
use super::map::StateMap;
use super::parts::Reducer;
use super::sort::{self, Buffer, Distinct, Item, Sorter, Splitter};
use super::span::Span;
use super::{Task, check_nodes};
use crate::Error;
use crate::frontier::for_all;
use crate::frontier::unreduced::{ChunkPage, ShapeReader};
use crate::spec::Rule;
use std::cmp::Ordering;

/// A node, and the state that it comes from. Nodes are sorted by the child of value 1
/// first, because under the zero-suppressed rule that one is never the 0-terminal.
#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    zero: NodeId,
    one: NodeId,
    state: u32,
}

impl Item for Pair {
    type Context = ();

    #[inline]
    fn head(&self) -> u64 {
        u64::from(self.one) << 32 | u64::from(self.zero)
    }

    #[inline]
    fn order(&self, other: &Self, (): &()) -> Ordering {
        self.head().cmp(&other.head())
    }

    #[inline]
    fn state(&self) -> u32 {
        self.state
    }
}

/// Reduces levels of two-valued nodes.
#[derive(Default)]
pub(super) struct PairLevels {
    /// What was read, for each span.
    read: Vec<Buffer<Pair>>,
    /// How much of that belongs in each bucket.
    counts: Vec<Vec<usize>>,
    /// How many of these lists are in use.
    used: usize,
    sorter: Sorter<Pair>,
}

impl PairLevels {
    /// Has as many lists as are in use, with counts of so many buckets.
    fn make_lists(&mut self, buckets: usize) {
        self.read.resize_with(self.read.len().max(self.used), Buffer::default);
        self.counts.resize_with(self.read.len(), Vec::new);
        self.counts.iter_mut().for_each(|counts| counts.resize(buckets, 0));
    }
}

impl Reducer for PairLevels {
    fn bytes_for(nodes: usize, _edges: usize) -> usize {
        // As they are read, and as they are sorted, with some more for the next level.
        nodes * size_of::<Pair>() / 4 * 9
    }

    fn bytes(&self) -> usize {
        self.read.iter().map(Buffer::bytes).sum::<usize>() + self.sorter.bytes()
    }

    fn read<const MARKS: bool>(
        &mut self,
        task: &Task<'_>,
        spans: &[Span],
        targets: Vec<Targets<'_>>,
        map: &StateMap,
        keep: impl Fn(u64, u32) -> bool + Sync,
    ) -> Result<(), Error> {
        let splitter = ByOne::new(task);
        self.read.iter_mut().for_each(Buffer::clear);
        self.counts.iter_mut().for_each(Vec::clear);
        self.used = spans.len();
        self.make_lists(splitter.buckets());
        let lists = self.read.iter_mut().zip(&mut self.counts);
        let work: Vec<_> = spans.iter().zip(targets).zip(lists).collect();
        let read = for_all(task.workers, work, |_, ((span, targets), list)| {
            read::<MARKS>(task, span, targets, map, &keep, &splitter, list)
        });
        read.into_iter().collect()
    }

    fn read_forced(&mut self, task: &Task<'_>, map: &StateMap) -> Result<(), Error> {
        let splitter = ByOne::new(task);
        let pieces = forced::pieces(task);
        // Those that have been read are the first of the lists.
        let used = self.used;
        self.used += pieces.len();
        self.make_lists(splitter.buckets());
        let lists = self.read[used..].iter_mut().zip(&mut self.counts[used..]);
        let work: Vec<_> = pieces.into_iter().zip(lists).collect();
        let read = for_all(task.workers, work, |_, (pieces, (out, counts))| {
            for (first, ends) in pieces {
                task.check()?;
                out.make_room(ends.len());
                for (state, &one) in (first..).zip(ends) {
                    let pair = Pair { zero: ZERO, one, state };
                    let keep = one != ZERO;
                    // That of the others is written over.
                    map.set(state, ZERO);
                    out.push_if(keep, pair);
                    counts[splitter.bucket(pair.head())] += usize::from(keep);
                }
            }
            Ok(())
        });
        read.into_iter().collect()
    }

    fn heads(&self) -> Vec<u64> {
        self.read.iter().flat_map(Buffer::as_slice).map(Item::head).collect()
    }

    fn add(&mut self, task: &Task<'_>, map: &StateMap, store: &mut Builder) -> Result<(), Error> {
        let lists: Vec<&[Pair]> = self.read.iter().map(Buffer::as_slice).collect();
        let splitter = ByOne::new(task);
        let buckets = self.sorter.sort(task, &lists, &self.counts, &splitter, &())?;
        let new = buckets.iter().map(|(_, distinct)| distinct.nodes).sum();
        let first = store.next_id();
        check_nodes(first, new)?;
        if new == 0 {
            return Ok(());
        }
        store.push_pairs(task.level.variable, new, &|| task.check(), |mut rest, reach| {
            let mut work = Vec::with_capacity(buckets.len());
            let mut first = first;
            for (bucket, Distinct { nodes, .. }) in buckets {
                let (of_bucket, after) = std::mem::take(&mut rest).split_at_mut(nodes);
                work.push((bucket, of_bucket, first));
                first += nodes as NodeId;
                rest = after;
            }
            let reached = for_all(task.workers, work, |_, (bucket, out, first)| {
                task.check()?;
                let mut reach = reach.clone();
                let mut out = out.iter_mut();
                sort::number(bucket, first, map, &(), |pair| {
                    *out.next().expect("the nodes were counted") = [pair.zero, pair.one];
                    reach.note(pair.zero);
                    reach.note(pair.one);
                });
                Ok(reach.into_levels())
            });
            reached.into_iter().collect()
        })
    }
}

/// Chooses buckets by the child of value 1.
///
/// Most children are on the level that was reduced last, so three quarters of the buckets
/// are for these.
struct ByOne {
    buckets: usize,
    /// The first node of the level that was reduced last.
    near_first: NodeId,
    far_buckets: usize,
    /// Buckets for each node, times 2^32.
    near_scale: u64,
    far_scale: u64,
}

impl ByOne {
    fn new(task: &Task<'_>) -> Self {
        let buckets = task.buckets();
        let near_first = task.near_first;
        let far_buckets = buckets / 4;
        let scale =
            |buckets: usize, nodes: NodeId| ((buckets as u64) << 32) / u64::from(nodes.max(1));
        ByOne {
            buckets,
            near_first,
            far_buckets,
            near_scale: scale(buckets - far_buckets, task.base - near_first),
            far_scale: scale(far_buckets, near_first),
        }
    }
}

impl Splitter for ByOne {
    fn buckets(&self) -> usize {
        self.buckets
    }

    #[inline]
    fn bucket(&self, head: u64) -> usize {
        let one = (head >> 32) as NodeId;
        match one.checked_sub(self.near_first) {
            Some(near) => self.far_buckets + ((u64::from(near) * self.near_scale) >> 32) as usize,
            None => ((u64::from(one) * self.far_scale) >> 32) as usize,
        }
    }
}

/// Reads a span: what its redundant nodes stand for goes to the map, if `MARKS`, and those of
/// the others that are to be kept to `out`, counted by bucket.
fn read<const MARKS: bool>(
    task: &Task<'_>,
    span: &Span,
    mut targets: Targets<'_>,
    map: &StateMap,
    keep: impl Fn(u64, u32) -> bool,
    splitter: &ByOne,
    (out, counts): (&mut Buffer<Pair>, &mut Vec<usize>),
) -> Result<(), Error> {
    let mut page = ChunkPage::default();
    let mut state = span.first;
    for chunk in span.chunks.clone() {
        task.check()?;
        let (nodes, shape, codes) = task.level.chunk(task.log, chunk, &mut page)?;
        out.make_room(nodes);
        let mut shapes = ShapeReader::new(2, shape);
        let mut at = 0;
        for _ in 0..nodes {
            let mask = shapes.next_mask();
            // The next code is looked at in any case, and taken if it belongs to the node.
            let mut child = |exists: bool| {
                let code = codes.get(at).copied().unwrap_or_default();
                at += usize::from(exists);
                targets.resolve_if(exists, code)
            };
            let (zero, one) = (child(mask & 1 != 0), child(mask & 2 != 0));
            let redundant = match task.rule {
                Rule::ZeroSuppressed => one == ZERO,
                Rule::AnyValue => zero == one,
            };
            if MARKS {
                // That of the others is written over.
                map.set(state, zero);
            }
            let pair = Pair { zero, one, state };
            let keep = !redundant & keep(pair.head(), state);
            out.push_if(keep, pair);
            counts[splitter.bucket(pair.head())] += usize::from(keep);
            state += 1;
        }
    }
    Ok(())
}
