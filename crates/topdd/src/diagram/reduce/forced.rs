//! Nodes with a forced value, which the sweep went past.
//!
//! Such a node has one edge, for value 1, and is known by where that leads. So whoever has an
//! edge to it has, in place of that, an edge to where it leads, which says at which variables
//! there are such nodes on the way, two at most. When everything below such a variable is reduced,
//! all that is at the ends of these edges has its number. The nodes are then reduced with the
//! states of the level, as the set of these ends; the few that are not where they should be, as
//! if each arrival were a state. By the number that each gets there, those above know it.

use super::super::store::{Builder, NodeId};
use super::Task;
use super::ends::Ends;
use super::map::StateMap;
use crate::frontier::via::Via;
use std::ops::Range;

/// A level, and the forced nodes on the way there.
pub(super) type Way = (usize, Via);

/// The last forced nodes of one way that have not been reduced, by partition and order of
/// arrival: at first what their edges lead to, and, once they are reduced, the nodes themselves.
#[derive(Debug)]
pub(super) struct Forced {
    pub(super) way: Way,
    /// The nodes on the way to these.
    pub(super) to: Via,
    /// The first variable with an edge to one of them.
    pub(super) first: usize,
    pub(super) nodes: Vec<Vec<NodeId>>,
    /// The variable of the level that these are at, or above where they are.
    pub(super) at: usize,
}

impl Forced {
    pub(super) fn bytes(&self) -> usize {
        self.nodes.iter().map(|list| list.capacity() * size_of::<NodeId>()).sum()
    }
}

/// How many there are, each as often as it has arrived.
pub(super) fn count(forced: &[Forced]) -> usize {
    forced.iter().flat_map(|forced| &forced.nodes).map(Vec::len).sum()
}

/// Runs for each thread, so that one that ends early finds more to do.
const PIECES_PER_THREAD: usize = 4;

/// Nodes that are looked up at a time.
pub(super) const PIECE: usize = 1 << 13;

/// A run of them, and the number of the first as a state.
pub(super) type Piece<'a> = (u32, &'a [NodeId]);

/// The nodes of the levels that forced nodes lead to; but what a node there stands for may be
/// elsewhere.
pub(super) fn range(forced: &[Forced], store: &Builder) -> Range<NodeId> {
    let levels = || forced.iter().map(|forced| forced.at);
    let (Some(least), Some(most)) = (levels().min(), levels().max()) else { return 0..0 };
    let end = least.checked_sub(1).map_or(store.next_id(), |above| store.first_up_from(above));
    store.first_up_from(most)..end
}

/// Those of a level, in up to so many lists, at least one, of runs: of which each thread gets
/// several.
pub(super) fn pieces<'a>(task: &Task<'a>, most: usize) -> Vec<Vec<Piece<'a>>> {
    let parts = task.workers.map_or(1, |workers| workers.threads() * PIECES_PER_THREAD);
    let parts = parts.min(most).max(1);
    let most = count(task.forced).div_ceil(parts).max(1);
    let mut pieces = Vec::with_capacity(parts + 1);
    let mut piece = Vec::new();
    let mut room = most;
    let mut first = task.level.nodes as u32;
    for list in task.forced.iter().flat_map(|forced| &forced.nodes) {
        let mut rest = &list[..];
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(room));
            piece.push((first, now));
            first += now.len() as u32;
            room -= now.len();
            rest = later;
            if room == 0 {
                pieces.push(std::mem::take(&mut piece));
                room = most;
            }
        }
    }
    if !piece.is_empty() {
        pieces.push(piece);
    }
    pieces
}

/// What they lead to, where what they became is to be written: in runs, with the number of the
/// first of each as a state, after those of `states` states. They are now at this variable.
pub(super) fn to_become(
    forced: &mut [Forced],
    variable: usize,
    states: u64,
) -> Vec<(u32, &mut [NodeId])> {
    let mut first = states as u32;
    let mut pieces = Vec::new();
    for forced in forced {
        forced.at = variable;
        for piece in forced.nodes.iter_mut().flat_map(|list| list.chunks_mut(PIECE)) {
            let start = first;
            first += piece.len() as u32;
            pieces.push((start, piece));
        }
    }
    pieces
}

/// Puts the nodes that a run of them became in the place of what they lead to: as `ends` tells,
/// or, where it does not, `map`.
pub(super) fn became((first, piece): (u32, &mut [NodeId]), ends: &Ends, map: &StateMap) {
    let lookup = ends.lookup();
    for (state, node) in (first..).zip(piece) {
        *node = lookup(*node).unwrap_or_else(|| map.get(state));
    }
}
