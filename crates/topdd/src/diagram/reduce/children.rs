//! The resolved children of a level: the nodes of the levels below, for those above to look up.

use super::forced::{ForcedNodes, size_of_lists};
use super::map::StateMap;
use super::parts;
use crate::BuildError;
use crate::diagram::store::NodeId;
use crate::frontier::Sharing;
use crate::frontier::unreduced::{
    Chunk, EdgeCode, EdgeStack, ForcedChain, LongDestination, LongTarget, UnreducedLevel, Way,
};
use crate::hash::Map;
use std::collections::BTreeMap;
use std::slice::Iter;

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
    long: Map<Way, Vec<Vec<NodeId>>>,
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
    ) -> Result<Vec<Span<'a>>, BuildError> {
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
            let targets = Targets { adjacent: &self.adjacent, offsets: offsets.clone(), long };
            let span = Span { first, chunks, targets };
            first += chunks.iter().map(|chunk| chunk.nodes as u32).sum::<u32>();
            for (ids, count) in arrivals.iter_mut().zip(counts) {
                *ids = &ids[count..];
            }
            span
        };
        Ok(spans.into_iter().zip(counts.into_iter().chain([Vec::new()])).map(span).collect())
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
            let lists = nodes.by_ref().take(incoming.arrivals.len());
            if incoming.chain == ForcedChain::BETWEEN_PROCESSES {
                let lists = lists.enumerate().filter(|(_, list)| !list.is_empty());
                between.extend(lists.map(|(source, nodes)| (source, incoming.part, nodes)));
                continue;
            }
            let nodes = lists.collect();
            let to = incoming.chain;
            self.keep(ForcedNodes {
                way: Way { to: at, chain: to, part: incoming.part },
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
            let way = Way { to: at, chain: ForcedChain::BETWEEN_PROCESSES, part: source };
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
pub(super) struct Span<'a> {
    /// Its first state.
    pub(super) first: u32,
    pub(super) chunks: &'a [Chunk],
    /// The children that its edges lead to.
    pub(super) targets: Targets<'a>,
}

/// The children of a span, read edge after edge.
#[derive(Clone)]
pub(super) struct Targets<'a> {
    adjacent: &'a StateMap,
    /// For each long destination, the index of its first partition in `long`.
    offsets: Vec<usize>,
    /// By long destination and partition, the children that are yet to be read.
    long: Vec<Iter<'a, NodeId>>,
}

impl Targets<'_> {
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
