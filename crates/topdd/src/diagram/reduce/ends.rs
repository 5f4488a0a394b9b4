//! What the forced nodes of a level lead to.
//!
//! As a forced node is known by where its one edge leads, those of a level are a set of ends, which
//! are at a few levels close by, and often most of what is there. So nobody sorts them: each
//! node of these levels has a bit, which tells whether it is an end, and the bits that are set
//! before it tell which (rank in a bit vector, Jacobson, "Space-efficient static trees and graphs",
//! FOCS 1989, with one level of counts).

use super::super::store::NodeId;
use crate::frontier::{Workers, for_all};
use std::ops::Range;

/// A set of nodes that are close together, each of which has a number.
#[derive(Debug, Default)]
pub(super) struct Ends {
    /// The nodes that may be in it.
    range: Range<NodeId>,
    /// A bit for each of these: sets to be joined, and, in the first, what they come to.
    marks: Vec<Vec<u64>>,
    /// How many of these lists are in use.
    used: usize,
    /// How many bits are set before each word.
    ranks: Vec<u32>,
    len: usize,
    numbers: Numbers,
}

/// The numbers of the nodes of a set, in their order.
#[derive(Debug)]
enum Numbers {
    From(NodeId),
    Each(Vec<NodeId>),
}

impl Default for Numbers {
    fn default() -> Self {
        Numbers::From(0)
    }
}

/// Words that are joined at a time.
const PART: usize = 1 << 12;

impl Ends {
    /// Has no nodes, and room for none.
    pub(super) fn clear(&mut self) {
        self.range = 0..0;
        self.used = 0;
        self.ranks.clear();
        self.len = 0;
    }

    /// The words that it takes to mark nodes in this range.
    pub(super) fn words(range: &Range<NodeId>) -> usize {
        range.len().div_ceil(u64::BITS as usize)
    }

    /// Room for so many sets of nodes in this range, each to be begun and then
    /// [`join`](Ends::join)ed.
    pub(super) fn prepare(&mut self, range: Range<NodeId>, sets: usize) -> Vec<Marks<'_>> {
        self.range = if sets > 0 { range } else { 0..0 };
        self.used = sets;
        self.marks.resize_with(self.marks.len().max(sets), Vec::new);
        let range = &self.range;
        self.marks[..sets].iter_mut().map(|words| Marks { range: range.clone(), words }).collect()
    }

    /// Makes one of all sets.
    pub(super) fn join(&mut self, workers: Option<&Workers>) {
        let words = Self::words(&self.range);
        self.ranks.resize(words, 0);
        let Some((all, others)) = self.marks[..self.used].split_first_mut() else {
            return;
        };
        let others = &*others;
        let workers = workers.filter(|workers| workers.shares(words * self.used));
        let parts = all.chunks_mut(PART).zip(self.ranks.chunks_mut(PART));
        let counts = for_all(workers, parts, |part, (all, ranks): (&mut [u64], &mut [u32])| {
            for other in others {
                for (word, other) in all.iter_mut().zip(&other[part * PART..]) {
                    *word |= other;
                }
            }
            let mut before = 0;
            for (rank, word) in ranks.iter_mut().zip(all) {
                *rank = before;
                before += word.count_ones();
            }
            before
        });
        let mut before = 0;
        let mut starts = Vec::with_capacity(counts.len());
        for count in counts {
            starts.push(before);
            before += count;
        }
        let parts = self.ranks.chunks_mut(PART).zip(starts);
        for_all(workers, parts, |_, (ranks, start): (&mut [u32], u32)| {
            if start > 0 {
                for rank in ranks {
                    *rank += start;
                }
            }
        });
        self.len = before as usize;
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn contains(&self, id: NodeId) -> bool {
        let at = id.wrapping_sub(self.range.start) as usize;
        at < self.range.len() && self.marks[0][at / 64] >> (at % 64) & 1 != 0
    }

    /// How many nodes before the one at this place of its range are in it.
    #[inline]
    fn rank(&self, at: usize) -> usize {
        let (word, bit) = (at / 64, at % 64);
        let before = self.marks[0][word] & ((1 << bit) - 1);
        self.ranks[word] as usize + before.count_ones() as usize
    }

    /// How many nodes before this one, which may be beyond its range, are in it.
    pub(super) fn before(&self, id: NodeId) -> usize {
        let Some(at) = id.checked_sub(self.range.start) else { return 0 };
        if id >= self.range.end { self.len } else { self.rank(at as usize) }
    }

    /// The nodes in this range, in order.
    pub(super) fn iter(&self, range: Range<NodeId>) -> impl Iterator<Item = NodeId> {
        let first = range.start.clamp(self.range.start, self.range.end) - self.range.start;
        let end = range.end.clamp(self.range.start, self.range.end) - self.range.start;
        let mut words = first as usize / 64..(end as usize).div_ceil(64);
        let mut at = 0;
        let mut bits = 0;
        std::iter::from_fn(move || {
            while bits == 0 {
                let word = words.next()?;
                at = word as NodeId * 64;
                bits = self.marks[0][word];
                if at < first {
                    bits &= !0 << (first - at);
                }
                if end - at < 64 {
                    bits &= !(!0 << (end - at));
                }
            }
            let bit = bits.trailing_zeros();
            bits &= bits - 1;
            Some(self.range.start + at + bit)
        })
    }

    /// The nodes are numbered in order from here on.
    pub(super) fn number_from(&mut self, first: NodeId) {
        self.numbers = Numbers::From(first);
    }

    /// Takes the list out that the nodes' numbers, in order, are to be written to, all of it.
    pub(super) fn take_numbers(&mut self) -> Vec<NodeId> {
        let mut numbers = match std::mem::take(&mut self.numbers) {
            Numbers::Each(numbers) => numbers,
            Numbers::From(_) => Vec::new(),
        };
        numbers.resize(self.len, 0);
        numbers
    }

    /// These are the numbers of the nodes.
    pub(super) fn number(&mut self, numbers: Vec<NodeId>) {
        self.numbers = Numbers::Each(numbers);
    }

    /// Looks the numbers of nodes up: answers that of a node of the set, and `None` for one beyond
    /// its range. Others must not be asked for.
    #[inline]
    pub(super) fn lookup(&self) -> impl Fn(NodeId) -> Option<NodeId> {
        let (first, numbers) = match &self.numbers {
            Numbers::From(first) => (*first, None),
            Numbers::Each(numbers) => (0, Some(&numbers[..])),
        };
        move |id| {
            let at = id.wrapping_sub(self.range.start) as usize;
            if at >= self.range.len() {
                return None;
            }
            let rank = self.rank(at);
            Some(match numbers {
                Some(numbers) => numbers[rank],
                None => first + rank as NodeId,
            })
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let numbers = match &self.numbers {
            Numbers::From(_) => 0,
            Numbers::Each(numbers) => numbers.capacity(),
        };
        self.marks.iter().map(|words| words.capacity() * size_of::<u64>()).sum::<usize>()
            + self.ranks.capacity() * size_of::<u32>()
            + numbers * size_of::<NodeId>()
    }
}

/// One of the sets that are to be joined.
pub(super) struct Marks<'a> {
    range: Range<NodeId>,
    words: &'a mut Vec<u64>,
}

impl Marks<'_> {
    /// Makes the set empty; to be done before nodes are added, by whoever does that.
    pub(super) fn begin(&mut self) {
        self.words.clear();
        self.words.resize(Ends::words(&self.range), 0);
    }

    /// Adds a node if it is in range, and tells whether it is.
    #[inline]
    pub(super) fn add(&mut self, id: NodeId) -> bool {
        let at = id.wrapping_sub(self.range.start) as usize;
        let inside = at < self.range.len();
        if inside {
            self.words[at / 64] |= 1 << (at % 64);
        }
        inside
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        /// A set of numbers is the model.
        #[test]
        fn nodes_are_told_and_numbered(
            start in 2u32..200,
            length in prop_oneof![0u32..300, 260_000u32..270_000],
            sets in prop::collection::vec(
                prop::collection::btree_set(prop_oneof![0u32..600, 0u32..300_000], 0..60), 1..4,
            ),
            cuts in prop::collection::btree_set(0u32..600, 0..5),
            threads in 1usize..3,
        ) {
            let workers = Workers::new(Some(threads)).unwrap();
            let range = start..start + length;
            let mut ends = Ends::default();
            for round in 0..2 {
                // What was there before must not show.
                let sets = &sets[..sets.len() - round.min(sets.len() - 1)];
                let mut model = BTreeSet::new();
                for (mut marks, set) in ends.prepare(range.clone(), sets.len()).into_iter().zip(sets) {
                    marks.begin();
                    for &id in set {
                        prop_assert_eq!(marks.add(id), range.contains(&id));
                    }
                    model.extend(set.iter().copied().filter(|id| range.contains(id)));
                }
                ends.join(Some(&workers));
                prop_assert_eq!(ends.len(), model.len());
                ends.number_from(7);
                for (rank, &id) in model.iter().enumerate() {
                    prop_assert!(ends.contains(id));
                    prop_assert_eq!(ends.before(id), rank);
                    prop_assert_eq!(ends.lookup()(id), Some(7 + rank as u32));
                }
                let mut numbers = ends.take_numbers();
                numbers.iter_mut().zip(&model).for_each(|(number, &id)| *number = !id);
                ends.number(numbers);
                for id in (0..700).chain(range.end - 2..range.end + 2) {
                    prop_assert_eq!(ends.contains(id), model.contains(&id));
                    prop_assert_eq!(ends.before(id), model.range(..id).count());
                    if model.contains(&id) {
                        prop_assert_eq!(ends.lookup()(id), Some(!id));
                    } else if !range.contains(&id) {
                        prop_assert_eq!(ends.lookup()(id), None);
                    }
                }
                let bounds: Vec<u32> = [0].into_iter().chain(cuts.iter().copied()).chain([u32::MAX]).collect();
                let pieces = bounds.windows(2).flat_map(|two| ends.iter(two[0]..two[1]));
                prop_assert!(pieces.eq(model.iter().copied()));
            }
            ends.clear();
            prop_assert_eq!(ends.len(), 0);
            prop_assert!(!ends.contains(start));
            prop_assert_eq!(ends.before(u32::MAX), 0);
            prop_assert_eq!(ends.iter(0..u32::MAX).count(), 0);
            prop_assert_eq!(ends.lookup()(start), None);
        }
    }
}
