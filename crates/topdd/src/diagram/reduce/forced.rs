//! Nodes with a forced value, which the sweep went past.
//!
//! Such a node has one edge, for value 1, and is known by where that leads. So whoever has an
//! edge to it has, in place of that, an edge to where it leads, which says at which variables
//! there are such nodes on the way, two at most. When everything below such a variable is reduced,
//! all that is at the ends of these edges has its number. The nodes are then reduced with the
//! states of the level, as if each arrival were one of these; and by the number that each gets
//! there, those above know it.

use super::super::store::NodeId;
use super::Task;
use super::known::Way;
use super::map::StateMap;
use crate::frontier::via::Via;
use crate::frontier::{Workers, for_all};

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

/// A run of them, and the number of the first as a state.
pub(super) type Piece<'a> = (u32, &'a [NodeId]);

/// Those of a level, in runs of which each thread gets several.
pub(super) fn pieces<'a>(task: &Task<'a>) -> Vec<Vec<Piece<'a>>> {
    let parts = task.workers.map_or(1, |workers| workers.threads() * PIECES_PER_THREAD);
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

/// Puts the nodes that they became, which `map` tells after those of `states` states, in the
/// place of what they lead to.
pub(super) fn became(
    forced: &mut [Forced],
    states: u64,
    map: &StateMap,
    workers: Option<&Workers>,
) {
    let mut first = states as u32;
    let lists = forced.iter_mut().flat_map(|forced| &mut forced.nodes).map(|list| {
        let start = first;
        first += list.len() as u32;
        (start, list)
    });
    let lists: Vec<_> = lists.collect();
    for_all(workers, lists, |_, (start, list): (u32, &mut Vec<NodeId>)| {
        for (state, node) in (start..).zip(list) {
            *node = map.get(state);
        }
    });
}
