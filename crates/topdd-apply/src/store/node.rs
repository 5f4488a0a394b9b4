//! A node as it lies in memory.

use super::Edge;

/// The level of the terminal: below all others.
pub(crate) const TERMINAL: u32 = u32::MAX;
/// The level of a slot that holds no node.
pub(crate) const FREE: u32 = u32::MAX - 1;

/// Sixteen bytes: two edges, the level, and the link of the unique table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// Without a flag, always.
    pub(crate) lo: Edge,
    pub(crate) hi: Edge,
    pub(crate) level: u32,
    /// The next node in the same bucket of the unique table, or the next free slot; 0
    /// is the end.
    pub(crate) next: u32,
}
