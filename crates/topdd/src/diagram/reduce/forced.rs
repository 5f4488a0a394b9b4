//! Nodes with a forced value, which the sweep went past.
//!
//! Such a node has one edge, for value 1, and is known by its *end*, the child of that edge. The
//! sweep does not store it: an edge to it leads to its end instead, and names the variables of the
//! forced nodes on the way, two at most. When everything below such a variable is reduced, the
//! ends of the edges are resolved. The nodes are then reduced with the states of the level.
//!
//! Ends are often most of the nodes of a few levels close by, and each arrives many times. So
//! the map of the level has an entry for each node there. An arrival marks the entry of its
//! end; and the marked ends, which are in order, are merged with the sorted nodes. An end elsewhere,
//! where the node at the end of a way was redundant, is sorted as if its arrival were a state.
//! If the marked ends are sorted instead, grid cycles 12 take 1.07 times the instructions.

use super::map::StateMap;
use crate::diagram::store::{Builder, NodeId, ONE, ZERO};
use crate::frontier::unreduced::{ForcedChain, Way};
use std::ops::Range;

/// The nodes at the end of a way, or the last forced nodes on it.
#[derive(Debug)]
pub(super) struct ForcedNodes {
    pub(super) way: Way,
    /// The forced nodes on the way that are yet to be reduced.
    pub(super) to: ForcedChain,
    /// By partition and order of arrival: the ends of the forced nodes, and once these are reduced,
    /// the nodes themselves.
    pub(super) nodes: Vec<Vec<NodeId>>,
    /// The variable of most of `nodes`. Where the node at the end of a way was redundant, its child further
    /// down takes its place.
    pub(super) at: usize,
}

/// Size in bytes of lists of nodes.
pub(super) fn size_of_lists(lists: &[Vec<NodeId>]) -> usize {
    lists.iter().map(|list| list.capacity() * size_of::<NodeId>()).sum()
}

/// The forced nodes of a level, and their entries in its map: behind the entries of the states, one
/// for each end in a range, then one for each arrival.
#[derive(Debug)]
pub(super) struct ForcedLevel {
    pub(super) of_ways: Vec<ForcedNodes>,
    /// The nodes of the levels where most ends are.
    pub(super) ends: Range<NodeId>,
    /// The entry of the first of them.
    pub(super) first: u32,
    pub(super) arrivals: usize,
}

/// There is an entry for each end only if there are at most so many for each arrival.
const MAX_ENDS: usize = 8;

impl ForcedLevel {
    /// The forced nodes of a level that has so many `states`. The store contains all levels below.
    pub(super) fn new(of_ways: Vec<ForcedNodes>, states: u64, store: &Builder) -> Self {
        let levels = || of_ways.iter().map(|forced| forced.at);
        let arrivals = of_ways.iter().flat_map(|forced| &forced.nodes).map(Vec::len).sum();
        let mut ends = 0..0;
        // Ids ascend from the bottom level up.
        if let (Some(top), Some(bottom)) = (levels().min(), levels().max()) {
            let end = top.checked_sub(1).map_or(store.next_id(), |up| store.first_up_from(up));
            ends = store.first_up_from(bottom)..end;
        }
        let total = states + (arrivals + ends.len()) as u64;
        if ends.len() / MAX_ENDS > arrivals || total > u32::MAX.into() {
            ends = 0..0;
        }
        ForcedLevel { of_ways, ends, first: states as u32, arrivals }
    }

    /// Size of the lists in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.of_ways.iter().map(|forced| size_of_lists(&forced.nodes)).sum()
    }

    /// The number of entries.
    pub(super) fn entries(&self) -> usize {
        self.ends.len() + self.arrivals
    }

    /// Pairs each piece with the entry of its first arrival. Together the pieces must be all arrivals, in
    /// order.
    pub(super) fn number<P: AsRef<[NodeId]>>(
        &self,
        pieces: impl Iterator<Item = P>,
    ) -> Vec<(u32, P)> {
        let mut next = self.first + self.ends.len() as u32;
        let number = |piece: P| {
            next += piece.as_ref().len() as u32;
            (next - piece.as_ref().len() as u32, piece)
        };
        pieces.map(number).collect()
    }

    /// Returns a function from nodes to the entries of ends: `None` for nodes out of the range.
    #[inline]
    pub(super) fn of_end(&self) -> impl Fn(NodeId) -> Option<u32> {
        // Copies, which loops that write to memory need not load again.
        let (start, len, first) = (self.ends.start, self.ends.len() as u32, self.first);
        move |end| {
            let at = end.wrapping_sub(start);
            (at < len).then_some(first.wrapping_add(at))
        }
    }

    /// Marks the ends of some arrivals, the first of which has this entry, if they are in the range. Other
    /// ends have entries of their own: calls `other` with the end and the entry, unless the node is
    /// redundant.
    #[inline]
    pub(super) fn mark(
        &self,
        first: u32,
        piece: &[NodeId],
        map: &StateMap,
        mut other: impl FnMut(NodeId, u32),
    ) {
        let of_end = self.of_end();
        for (entry, &end) in (first..).zip(piece) {
            if let Some(of_end) = of_end(end) {
                // `ONE` only marks the entry: the id of the node replaces it when the node is stored.
                map.set(of_end, ONE);
                continue;
            }
            // The entry stays `ZERO` if the node is redundant, because its end is the 0-terminal.
            map.set(entry, ZERO);
            if end != ZERO {
                other(end, entry);
            }
        }
    }

    /// The nodes of a range whose entries may be marked.
    pub(super) fn ends_among(&self, nodes: Range<NodeId>) -> Range<NodeId> {
        let Range { start, end } = self.ends;
        nodes.start.clamp(start, end)..nodes.end.clamp(start, end)
    }

    /// The marked ends of a range, in order, and their entries.
    #[inline]
    pub(super) fn marked(
        &self,
        ends: Range<NodeId>,
        map: &StateMap,
    ) -> impl Iterator<Item = (NodeId, u32)> {
        let first = self.first + (ends.start - self.ends.start);
        ends.zip(first..).filter(|&(_, entry)| map.get(entry) != ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        /// A set is the model.
        #[test]
        fn marked_ends_are_listed_once_and_in_order(
            start in 2u32..200,
            length in 0u32..300,
            states in 0u32..5,
            arrivals in prop::collection::vec(0u32..600, 0..200),
            cuts in prop::collection::btree_set(0u32..600, 0..5),
        ) {
            let ends = start..start + length;
            let (of_ways, first) = (Vec::new(), states + length);
            let arrived = arrivals.len();
            let forced = ForcedLevel { of_ways, ends: ends.clone(), first: states, arrivals: arrived };
            let mut map = StateMap::default();
            map.prepare(states as usize + forced.entries(), &|| Ok(())).unwrap();
            map.clear(states, ends.len());
            let mut others = Vec::new();
            for (first, piece) in forced.number(arrivals.chunks(50)) {
                forced.mark(first, piece, &map, |end, entry| others.push((end, entry)));
            }
            let marked: BTreeSet<u32> =
                arrivals.iter().copied().filter(|end| ends.contains(end)).collect();
            let all: Vec<_> = forced.marked(forced.ends_among(0..NodeId::MAX), &map).collect();
            prop_assert!(all.iter().map(|&(end, _)| end).eq(marked.iter().copied()));
            prop_assert!(all.iter().all(|&(end, entry)| forced.of_end()(end) == Some(entry)));
            let elsewhere = (first..).zip(arrivals).filter(|(_, end)| !ends.contains(end));
            let elsewhere = elsewhere.map(|(entry, end)| (end, entry));
            let (zero, expected): (Vec<_>, Vec<_>) = elsewhere.partition(|&(end, _)| end == ZERO);
            prop_assert_eq!(others, expected);
            prop_assert!(zero.iter().all(|&(_, entry)| map.get(entry) == ZERO));
            let bounds: Vec<u32> = [0].into_iter().chain(cuts).chain([NodeId::MAX]).collect();
            let parts = bounds.windows(2).map(|two| forced.ends_among(two[0]..two[1]));
            let parts: Vec<_> = parts.collect();
            prop_assert!(parts.into_iter().flat_map(|part| forced.marked(part, &map)).eq(all));
        }
    }
}
