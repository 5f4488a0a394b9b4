//! The memory layout of a node.

use super::Edge;

/// The level of the terminal: below all others.
pub(crate) const TERMINAL: u32 = u32::MAX;
/// The level of a free slot.
pub(crate) const FREE: u32 = u32::MAX - 1;

/// A node of 16 bytes: two edges, the level, and the link of the unique table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The low child, which never has a flag.
    pub(crate) lo: Edge,
    pub(crate) hi: Edge,
    pub(crate) level: u32,
    /// The next node in the same bucket of the unique table, or the next free slot; 0
    /// is the end.
    pub(crate) next: u32,
}
