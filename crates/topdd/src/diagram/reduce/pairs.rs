//! Levels of two-valued nodes.

use super::super::store::{Builder, NodeId, Reach, ZERO, is_redundant};
use super::buffer::Buffer;
use super::by_one::ByOne;
use super::ends::{Ends, Marks};
use super::forced::{self, Piece};
use super::known::Targets;
use super::map::StateMap;
use super::parts::Reducer;
use super::sort::{Distinct, Item, Sorter, Splitter, WATCHED};
use super::span::Span;
use super::{Task, check_nodes};
use crate::Error;
use crate::frontier::for_all;
use crate::frontier::unreduced::{ChunkPage, ShapeReader};
use std::cmp::Ordering;
use std::ops::Range;
use std::slice::IterMut;

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
    /// What was read, for each span, and then for each list of forced nodes; and what its states
    /// became, when that is known.
    read: Vec<Buffer<Pair>>,
    /// How much of that belongs in each bucket.
    counts: Vec<Vec<usize>>,
    splitter: ByOne,
    sorter: Sorter<Pair>,
    /// Where the forced nodes lead, but for those that lead elsewhere than expected.
    ends: Ends,
}

impl PairLevels {
    /// The numbers of the forced nodes of the level that was reduced last.
    pub(super) fn ends(&self) -> &Ends {
        &self.ends
    }
}

impl Reducer for PairLevels {
    fn bytes_for(nodes: usize, _edges: usize) -> usize {
        // As they are read, and as they are sorted, with some more for the next level.
        nodes * size_of::<Pair>() / 4 * 9
    }

    fn bytes(&self) -> usize {
        self.read.iter().map(Buffer::bytes).sum::<usize>() + self.sorter.bytes() + self.ends.bytes()
    }

    fn read<const MARKS: bool>(
        &mut self,
        task: &Task<'_>,
        spans: &[Span],
        targets: Vec<Targets<'_>>,
        map: &StateMap,
        keep: impl Fn(u64, u32) -> bool + Sync,
    ) -> Result<(), Error> {
        self.splitter = ByOne::new(task);
        self.ends.clear();
        self.read.iter_mut().for_each(Buffer::clear);
        self.counts.iter_mut().for_each(Vec::clear);
        let range = task.forced_range.clone();
        // There should not be more to join than there is to read.
        let sets = forced::count(task.forced) / Ends::words(&range).max(1);
        let pieces = forced::pieces(task, sets);
        let sets = self.ends.prepare(range, pieces.len());
        let used = spans.len() + pieces.len();
        self.read.resize_with(self.read.len().max(used), Buffer::default);
        self.counts.resize_with(self.read.len(), Vec::new);
        let splitter = &self.splitter;
        self.counts.iter_mut().for_each(|counts| counts.resize(splitter.buckets(), 0));
        let mut lists = self.read.iter_mut().zip(&mut self.counts);
        let spans: Vec<_> = spans.iter().zip(targets).zip(lists.by_ref()).collect();
        let forced: Vec<_> = pieces.into_iter().zip(sets).zip(lists).collect();
        let of_spans = for_all(task.workers, spans, |_, ((span, targets), list)| {
            read::<MARKS>(task, span, targets, map, &keep, splitter, list)
        });
        let of_forced = for_all(task.workers, forced, |_, ((pieces, marks), list)| {
            read_forced(task, pieces, marks, map, splitter, list)
        });
        self.ends.join(task.workers);
        of_spans.into_iter().chain(of_forced).collect()
    }

    fn heads(&self) -> Vec<u64> {
        self.read.iter().flat_map(Buffer::as_slice).map(Item::head).collect()
    }

    fn add(&mut self, task: &Task<'_>, map: &StateMap, store: &mut Builder) -> Result<(), Error> {
        let lists: Vec<&[Pair]> = self.read.iter().map(Buffer::as_slice).collect();
        let (splitter, ends) = (&self.splitter, &self.ends);
        let summary =
            |bucket: &[Pair]| Ok(Distinct { nodes: beside(task, bucket, ends)?, size: 0 });
        let buckets = self.sorter.sort(task, &lists, &self.counts, splitter, &(), summary)?;
        let nodes: usize = buckets.iter().map(|(_, distinct)| distinct.nodes).sum();
        let new = nodes + self.ends.len();
        let first = store.next_id();
        check_nodes(first, new)?;
        if new == 0 {
            return Ok(());
        }
        // Without others in between, the forced nodes have numbers in a row.
        let in_a_row = lists.iter().all(|list| list.is_empty());
        let mut numbers = if in_a_row { Vec::new() } else { self.ends.take_numbers() };
        let ends = &self.ends;
        store.push_pairs(task.level.variable, new, &|| task.check(), |mut rest, reach| {
            let mut work = Vec::with_capacity(buckets.len());
            let mut first = first;
            let mut numbers = &mut numbers[..];
            for (bucket, (pairs, Distinct { nodes, .. })) in buckets.into_iter().enumerate() {
                let range = splitter.range(bucket);
                let forced = ends.before(range.end) - ends.before(range.start);
                let (of_bucket, after) = std::mem::take(&mut rest).split_at_mut(nodes + forced);
                let split = if in_a_row { 0 } else { forced };
                let (of_forced, numbers_after) = std::mem::take(&mut numbers).split_at_mut(split);
                work.push(Bucket { pairs, range, nodes: of_bucket, numbers: of_forced, first });
                first += (nodes + forced) as NodeId;
                (rest, numbers) = (after, numbers_after);
            }
            let store = |_: usize, bucket: Bucket<'_>| bucket.store(task, ends, reach, map);
            for_all(task.workers, work, store).into_iter().collect()
        })?;
        if in_a_row {
            self.ends.number_from(first);
        } else {
            self.ends.number(numbers);
        }
        Ok(())
    }
}

/// How many distinct pairs there are that are not forced nodes with these ends.
fn beside(task: &Task<'_>, bucket: &[Pair], ends: &Ends) -> Result<usize, Error> {
    let mut nodes = 0;
    let mut last = None;
    for part in bucket.chunks(WATCHED) {
        task.check()?;
        for pair in part {
            if last != Some(pair.head()) {
                nodes += usize::from(pair.zero != ZERO || !ends.contains(pair.one));
                last = Some(pair.head());
            }
        }
    }
    Ok(nodes)
}

/// The nodes of a bucket, and where they go.
struct Bucket<'a> {
    /// In order.
    pairs: &'a [Pair],
    /// The forced nodes that are of the bucket, by their ends.
    range: Range<NodeId>,
    nodes: &'a mut [[NodeId; 2]],
    /// Where the number of each forced node goes; no places if nobody asks.
    numbers: &'a mut [NodeId],
    /// The number of the first node.
    first: NodeId,
}

impl Bucket<'_> {
    /// Stores the nodes, and writes to the map which of them each state became. Returns the levels
    /// that they reach.
    fn store(
        self,
        task: &Task<'_>,
        ends: &Ends,
        reach: &Reach<'_>,
        map: &StateMap,
    ) -> Result<Vec<u32>, Error> {
        let nodes = self.nodes.iter_mut();
        let mut out = Out { nodes, next: self.first, reach: reach.clone() };
        merge(task, self.pairs, ends.iter(self.range), &mut out, self.numbers, map)?;
        Ok(out.reach.into_levels())
    }
}

/// Where nodes go.
struct Out<'o, 'r> {
    nodes: IterMut<'o, [NodeId; 2]>,
    /// The number of the next one.
    next: NodeId,
    reach: Reach<'r>,
}

impl Out<'_, '_> {
    /// Stores a node, and answers its number.
    #[inline]
    fn put(&mut self, zero: NodeId, one: NodeId) -> NodeId {
        *self.nodes.next().expect("the nodes were counted") = [zero, one];
        self.reach.note(zero);
        self.reach.note(one);
        self.next += 1;
        self.next - 1
    }
}

/// Stores the distinct nodes among pairs, which are in order, and forced nodes, of which `ends`
/// tells the ends, in order. Writes to the map which node each pair's state became, and the number of
/// each forced node to `numbers`, if there is room for any.
fn merge(
    task: &Task<'_>,
    pairs: &[Pair],
    mut ends: impl Iterator<Item = NodeId>,
    out: &mut Out<'_, '_>,
    numbers: &mut [NodeId],
    map: &StateMap,
) -> Result<(), Error> {
    task.check()?;
    let mut numbers = numbers.iter_mut();
    let mut put_forced = |one, out: &mut Out<'_, '_>| {
        let id = out.put(ZERO, one);
        if let Some(number) = numbers.next() {
            *number = id;
        }
        id
    };
    let mut end = ends.next();
    let (mut last, mut id) = (None, ZERO);
    for part in pairs.chunks(WATCHED) {
        task.check()?;
        for pair in part {
            let head = pair.head();
            if last != Some(head) {
                while let Some(one) = end {
                    let forced = Pair { one, ..Pair::default() }.head();
                    if forced > head {
                        break;
                    }
                    id = put_forced(one, out);
                    last = Some(forced);
                    end = ends.next();
                }
                if last != Some(head) {
                    id = out.put(pair.zero, pair.one);
                    last = Some(head);
                }
            }
            map.set(pair.state, id);
        }
    }
    for one in end.into_iter().chain(ends) {
        put_forced(one, out);
    }
    Ok(())
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
        let (nodes, shape, codes) = task.level.chunk(task.log, chunk, &mut page)?;
        out.make_room(nodes);
        let mut shapes = ShapeReader::new(2, shape);
        let mut at = 0;
        for part in (0..nodes).step_by(WATCHED) {
            task.check()?;
            for _ in part..nodes.min(part + WATCHED) {
                let mask = shapes.next_mask();
                // The next code is looked at in any case, and taken if it belongs to the node.
                let mut child = |exists: bool| {
                    let code = codes.get(at).copied().unwrap_or_default();
                    at += usize::from(exists);
                    targets.resolve_if(exists, code)
                };
                let (zero, one) = (child(mask & 1 != 0), child(mask & 2 != 0));
                let redundant = is_redundant([zero, one], task.rule);
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
    }
    Ok(())
}

/// Reads forced nodes: what they lead to is marked; those that lead elsewhere than expected go to
/// `out`, or, if they are redundant, to the map.
fn read_forced(
    task: &Task<'_>,
    pieces: Vec<Piece<'_>>,
    mut marks: Marks<'_>,
    map: &StateMap,
    splitter: &ByOne,
    (out, counts): (&mut Buffer<Pair>, &mut Vec<usize>),
) -> Result<(), Error> {
    marks.begin();
    for (first, ends) in pieces {
        for (part, ends) in ends.chunks(forced::PIECE).enumerate() {
            task.check()?;
            let first = first + (part * forced::PIECE) as u32;
            for (state, &one) in (first..).zip(ends) {
                if marks.add(one) {
                    continue;
                }
                map.set(state, ZERO);
                if one != ZERO {
                    let pair = Pair { zero: ZERO, one, state };
                    out.make_room(1);
                    out.push_if(true, pair);
                    counts[splitter.bucket(pair.head())] += 1;
                }
            }
        }
    }
    Ok(())
}
