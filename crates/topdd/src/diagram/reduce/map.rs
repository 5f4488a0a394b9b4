//! Which node each state of a level became.

use super::super::store::{Check, NodeId, ONE, ZERO};
use super::buffer::lengthen;
use crate::Error;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The nodes that the states of a level became, to be looked up by the codes of edges.
///
/// All entries of a level are written before any is read. The atomics let threads share the map,
/// and relaxed ones cost as much as plain numbers.
pub(super) struct StateMap {
    /// The 0-terminal, for edges that there are not; the 1-terminal; the nodes.
    ids: Vec<AtomicU32>,
}

impl Default for StateMap {
    fn default() -> Self {
        StateMap { ids: vec![AtomicU32::new(ZERO), AtomicU32::new(ONE)] }
    }
}

impl StateMap {
    /// What a map for so many states takes.
    pub(super) fn bytes_for(states: usize) -> usize {
        (states + 2) * size_of::<AtomicU32>()
    }

    /// Makes room for a level of so many states, whose entries mean nothing yet.
    pub(super) fn prepare(&mut self, states: usize, check: Check<'_>) -> Result<(), Error> {
        lengthen(&mut self.ids, states + 2, || AtomicU32::new(ZERO), check)
    }

    #[inline]
    pub(super) fn get(&self, state: u32) -> NodeId {
        self.ids[state as usize + 2].load(Relaxed)
    }

    #[inline]
    pub(super) fn set(&self, state: u32, id: NodeId) {
        self.ids[state as usize + 2].store(id, Relaxed);
    }

    /// Where an edge with this code, which is not a far one, leads; the 0-terminal if
    /// there is no edge.
    #[inline]
    pub(super) fn target(&self, exists: bool, code: u32) -> NodeId {
        // Without a branch, which nobody could predict.
        let index = (code as usize + 1) & usize::from(exists).wrapping_neg();
        self.ids[index].load(Relaxed)
    }

    /// Bytes in use: what is reserved beyond has never been written to.
    pub(super) fn bytes(&self) -> usize {
        self.ids.len() * size_of::<AtomicU32>()
    }
}
