//! The resolved children of a level: the nodes of the levels below, for those above to look up, and the nodes with a
//! forced value, which the sweep went past.
//!
//! A forced node has one edge, for value 1, and is known by its *end*, the child of that edge. The
//! sweep does not store it: an edge to it leads to its end instead, and names the variables of the
//! forced nodes on the way, two at most. When everything below such a variable is reduced, the
//! ends of the edges are resolved. The nodes are then reduced with the states of the level.
//!
//! Ends are often most of the nodes of a few levels close by, and each arrives many times. So
//! the map of the level has an entry for each node there. An arrival marks the entry of its
//! end; and the marked ends, which are in order, are merged with the sorted nodes. An end elsewhere,
//! where the node at the end of a way was redundant, is sorted as if its arrival were a state.
//! If the marked ends are sorted instead, grid cycles 12 take 1.07 times the instructions.

use super::parts;
use crate::BuildError;
use crate::Map;
use crate::diagram::store::{Builder, Check, NodeId, ONE, ZERO};
use crate::frontier::Sharing;
use crate::frontier::unreduced::{
    Chunk, ClassTransitions, Context, EdgeCode, EdgeStack, ForcedChain, LongDestination,
    LongTarget, LongWay, MarkedLevel, Spans, StateMarks, UnreducedLevel,
};
use std::collections::BTreeMap;
use std::ops::Range;
use std::slice::Iter;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// The source and the target of edges from a process to another, and the nodes that they lead to, in the
/// order of the edges. Both are processes of the run that stored the edges.
pub(super) type Arrivals = (usize, usize, Vec<NodeId>);

/// The nodes of reduced levels that levels above refer to.
#[derive(Default)]
pub(super) struct ResolvedChildren {
    /// The nodes of the level below, by state. Empty if the edges to it were resolved on disk.
    pub(super) adjacent: StateMap,
    /// The children of edges that skip variables, or the forced nodes on the way, by partition and
    /// order of arrival.
    long: Map<LongWay, Vec<Vec<NodeId>>>,
    /// The forced nodes of levels that have not been reduced yet, by variable.
    forced: BTreeMap<usize, Vec<ForcedNodes>>,
    /// Size in bytes of `long` and `forced`. There may be many thousand lists.
    long_bytes: usize,
    /// A map to be overwritten.
    pub(super) spare: StateMap,
}

impl ResolvedChildren {
    /// Cuts the chunks of a level, which are of about the same size, into spans.
    pub(super) fn spans<'a>(
        &'a self,
        level: &'a UnreducedLevel,
        stack: &EdgeStack,
        sharing: Sharing<'_>,
    ) -> Result<Vec<ChunkSpan<'a>>, BuildError> {
        let mut offsets = Vec::with_capacity(level.long.len());
        let mut arrivals: Vec<&[NodeId]> = Vec::new();
        for long in &level.long {
            offsets.push(arrivals.len());
            let lists = self.long[&long.way].iter().zip(&long.starts);
            arrivals.extend(lists.map(|(ids, &start)| &ids[start as usize..]));
        }
        let of_span = level.chunks.len().div_ceil(parts(sharing)).max(1);
        let spans: Vec<&[Chunk]> = level.chunks.chunks(of_span).collect();
        // A span reads on where those before it end: count the edges of each to each list.
        let count = |_, chunks: &&[Chunk]| {
            let mut counts = vec![0; arrivals.len()];
            let mut page = Vec::new();
            for chunk in chunks.iter().filter(|chunk| chunk.skips) {
                sharing.check()?;
                for &code in stack.read(chunk, &mut page)?.codes {
                    if code.is_long() {
                        let LongTarget { entry, partition } = code.long();
                        counts[offsets[entry as usize] + partition as usize] += 1;
                    }
                }
            }
            Ok(counts)
        };
        let before_last = spans.iter().take(spans.len().saturating_sub(1));
        let counts = sharing.for_all(before_last, count)?;
        let mut first = 0;
        let span = |(chunks, counts): (&'a [Chunk], Vec<usize>)| {
            let long = arrivals.iter().map(|ids| ids.iter()).collect();
            let targets =
                ResolvedTargets { adjacent: &self.adjacent, offsets: offsets.clone(), long };
            let span = ChunkSpan { first, chunks, marked: None, targets };
            first += chunks.iter().map(|chunk| chunk.nodes as u32).sum::<u32>();
            for (ids, count) in arrivals.iter_mut().zip(counts) {
                *ids = &ids[count..];
            }
            span
        };
        Ok(spans.into_iter().zip(counts.into_iter().chain([Vec::new()])).map(span).collect())
    }

    /// Cuts the states of a level of a class into spans.
    pub(super) fn marked_spans<'a>(
        &'a self,
        level: &'a UnreducedLevel,
        marked: &'a MarkedLevel,
        classes: &'a ClassTransitions,
        sharing: Sharing<'_>,
    ) -> Vec<ChunkSpan<'a>> {
        let mut children = vec![&[][..]; classes.spans.count()];
        children[usize::from(Spans::NONE)] = &[ZERO];
        children[usize::from(Spans::ONE)] = &[ONE];
        for &(span, entry) in &marked.entries {
            children[usize::from(span)] = &self.long[&level.long[entry as usize].way][0];
        }
        let words = marked.marks.words();
        let of_span = words.div_ceil(parts(sharing)).max(1);
        let mut first = 0;
        let span = |start: usize| {
            let words = start..words.min(start + of_span);
            let targets =
                ResolvedTargets { adjacent: &self.adjacent, offsets: Vec::new(), long: Vec::new() };
            let context = classes.context(marked);
            let children = children.clone();
            let states = MarkedStates {
                marks: &marked.marks,
                words: words.clone(),
                context,
                spans: &classes.spans,
                children,
            };
            let span = ChunkSpan { first, chunks: &[], marked: Some(states), targets };
            first += marked.marks.count_in(words) as u32;
            span
        };
        (0..words).step_by(of_span).map(span).collect()
    }

    /// Forgets the children that no level above this one refers to.
    pub(super) fn forget(&mut self, level: &UnreducedLevel) {
        // Edges of levels above arrive earlier. If there are no earlier arrivals, no level above has
        // edges on this way.
        let is_last = |long: &&LongDestination| long.starts.iter().all(|&start| start == 0);
        for long in level.long.iter().filter(is_last) {
            let nodes = self.long.remove(&long.way);
            self.long_bytes -= nodes.map_or(0, |nodes| size_of_lists(&nodes));
        }
    }

    /// Stores the nodes of a level that is reduced: the nodes of its states, its forced nodes, and the
    /// nodes of the states that long edges lead to, list by list. Returns the nodes that edges between
    /// processes lead to.
    pub(super) fn level_done(
        &mut self,
        level: &UnreducedLevel,
        map: StateMap,
        forced: Vec<ForcedNodes>,
        nodes: Vec<Vec<NodeId>>,
    ) -> Vec<Arrivals> {
        let (at, mut between) = (level.variable, Vec::new());
        for forced in forced {
            self.keep(ForcedNodes { at, ..forced });
        }
        let mut nodes = nodes.into_iter();
        for incoming in &level.incoming {
            let lists = nodes.by_ref().take(incoming.lists());
            if incoming.chain == ForcedChain::BETWEEN_PROCESSES {
                let lists = lists.enumerate().filter(|(_, list)| !list.is_empty());
                between.extend(lists.map(|(source, nodes)| (source, incoming.part, nodes)));
                continue;
            }
            let nodes = lists.collect();
            let to = incoming.chain;
            self.keep(ForcedNodes {
                way: LongWay { to: at, chain: to, part: incoming.part },
                to,
                nodes,
                at,
            });
        }
        self.spare = std::mem::replace(&mut self.adjacent, map);
        between
    }

    /// Stores the nodes of the targets of edges between processes at a level.
    pub(super) fn keep_arrivals(&mut self, at: usize, arrivals: Vec<Arrivals>) {
        for (source, target, nodes) in arrivals {
            let way = LongWay { to: at, chain: ForcedChain::BETWEEN_PROCESSES, part: source };
            let lists = self.long.entry(way).or_default();
            lists.resize(lists.len().max(target + 1), Vec::new());
            self.long_bytes += nodes.capacity() * size_of::<NodeId>();
            lists[target] = nodes;
        }
    }

    /// Keeps nodes at the end of a way for the level of the next forced nodes on it, or, if there
    /// are none, for the levels with edges on this way.
    fn keep(&mut self, forced: ForcedNodes) {
        self.long_bytes += size_of_lists(&forced.nodes);
        match forced.to.split_last() {
            Some((variable, to)) => {
                self.forced.entry(variable).or_default().push(ForcedNodes { to, ..forced });
            }
            None => drop(self.long.insert(forced.way, forced.nodes)),
        }
    }

    /// The last variable with forced nodes.
    pub(super) fn last_forced(&self) -> Option<usize> {
        self.forced.last_key_value().map(|(&variable, _)| variable)
    }

    /// Takes the forced nodes of a variable out.
    pub(super) fn take_forced(&mut self, variable: usize) -> Vec<ForcedNodes> {
        let forced = self.forced.remove(&variable).unwrap_or_default();
        let lists = forced.iter().map(|forced| size_of_lists(&forced.nodes));
        self.long_bytes -= lists.sum::<usize>();
        forced
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.adjacent.bytes() + self.spare.bytes() + self.long_bytes
    }
}

/// Successive chunks of a level, which one thread reads.
#[derive(Clone)]
pub(super) struct ChunkSpan<'a> {
    /// Its first state.
    pub(super) first: u32,
    pub(super) chunks: &'a [Chunk],
    /// The states, in place of chunks, if the level is one of a class.
    pub(super) marked: Option<MarkedStates<'a>>,
    /// The children that its edges lead to.
    pub(super) targets: ResolvedTargets<'a>,
}

/// Successive states of a class.
#[derive(Clone)]
pub(super) struct MarkedStates<'a> {
    marks: &'a StateMarks,
    /// The range of words of the marks.
    pub(super) words: Range<usize>,
    pub(super) context: &'a Context,
    pub(super) spans: &'a Spans,
    /// By span, and by the number of the target in its class.
    children: Vec<&'a [NodeId]>,
}

impl MarkedStates<'_> {
    /// The number of states in a range of words.
    pub(super) fn count(&self, words: Range<usize>) -> usize {
        self.marks.count_in(words)
    }

    /// The numbers of the states in a range of words.
    pub(super) fn numbers(&self, words: Range<usize>) -> impl Iterator<Item = u32> {
        self.marks.iter_in(words)
    }

    /// The child of a transition.
    #[inline]
    pub(super) fn child(&self, span: u16, state: u32) -> NodeId {
        self.children[usize::from(span)][state as usize]
    }
}

/// The children of a span, read edge after edge.
#[derive(Clone)]
pub(super) struct ResolvedTargets<'a> {
    adjacent: &'a StateMap,
    /// For each long destination, the index of its first partition in `long`.
    offsets: Vec<usize>,
    /// By long destination and partition, the children that are yet to be read.
    long: Vec<Iter<'a, NodeId>>,
}

impl ResolvedTargets<'_> {
    /// The child of the next edge, if there is one with this code; the 0-terminal otherwise.
    #[inline]
    pub(super) fn next(&mut self, exists: bool, code: EdgeCode) -> NodeId {
        if code.is_long() && exists {
            self.next_long(code)
        } else {
            self.adjacent.target(exists, code)
        }
    }

    #[inline]
    fn next_long(&mut self, code: EdgeCode) -> NodeId {
        let LongTarget { entry, partition } = code.long();
        // A level without long destinations has such codes only after its edges were resolved on disk.
        let Some(offset) = self.offsets.get(entry as usize) else {
            return code.resolved_id();
        };
        let arrivals = &mut self.long[offset + partition as usize];
        *arrivals.next().expect("every long edge has arrived")
    }
}

/// The node of each state of a level, looked up by the codes of edges.
///
/// All entries of a level are written before any is read as a node. The atomics let threads
/// share the map, and relaxed ones cost as much as plain integers.
pub(super) struct StateMap {
    /// The 0-terminal, for edges that do not exist; the 1-terminal; the nodes.
    ids: Vec<AtomicU32>,
}

/// Entries that are added between two calls of a check: the kernel needs some tenths of a second per
/// GB of new memory.
const LENGTHENED: usize = 1 << 20;

impl Default for StateMap {
    fn default() -> Self {
        StateMap { ids: vec![AtomicU32::new(ZERO), AtomicU32::new(ONE)] }
    }
}

impl StateMap {
    /// The size in bytes of a map of so many entries.
    pub(super) fn bytes_for(entries: usize) -> usize {
        (entries + 2) * size_of::<AtomicU32>()
    }

    /// Makes room for a level of so many entries, whose values are not specified.
    pub(super) fn prepare(&mut self, entries: usize, check: Check<'_>) -> Result<(), BuildError> {
        self.ids.reserve((entries + 2).saturating_sub(self.ids.len()));
        while self.ids.len() < entries + 2 {
            check()?;
            let len = (entries + 2).min(self.ids.len() + LENGTHENED);
            self.ids.resize_with(len, || AtomicU32::new(ZERO));
        }
        Ok(())
    }

    /// Sets `count` entries to the 0-terminal.
    pub(super) fn clear(&mut self, first: u32, count: usize) {
        for id in &mut self.ids[first as usize + 2..][..count] {
            *id.get_mut() = ZERO;
        }
    }

    #[inline]
    pub(super) fn get(&self, state: u32) -> NodeId {
        self.ids[state as usize + 2].load(Relaxed)
    }

    #[inline]
    pub(super) fn set(&self, state: u32, id: NodeId) {
        self.ids[state as usize + 2].store(id, Relaxed);
    }

    /// The child at the end of an edge with this code, which is not a long one; the 0-terminal if
    /// the edge does not exist.
    #[inline]
    pub(super) fn target(&self, exists: bool, code: EdgeCode) -> NodeId {
        // Without a branch, which could not be predicted.
        let index = (code.index() + 1) & usize::from(exists).wrapping_neg();
        self.ids[index].load(Relaxed)
    }

    /// The size in bytes of the entries. The memory reserved beyond them has never been written to.
    pub(super) fn bytes(&self) -> usize {
        self.ids.len() * size_of::<AtomicU32>()
    }
}

/// The nodes at the end of a way, or the last forced nodes on it.
#[derive(Debug)]
pub(super) struct ForcedNodes {
    pub(super) way: LongWay,
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
fn size_of_lists(lists: &[Vec<NodeId>]) -> usize {
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
