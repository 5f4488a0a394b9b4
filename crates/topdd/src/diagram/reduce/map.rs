//! The nodes that the states of a level became.

use super::super::store::{Check, NodeId, ONE, ZERO};
use crate::BuildError;
use crate::frontier::unreduced::EdgeCode;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

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
