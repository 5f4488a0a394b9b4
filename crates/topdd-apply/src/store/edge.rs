//! Flagged references to nodes.

use std::fmt;
use std::ops::BitXor;

/// The number of a node, shifted left by one, and a flag in the lowest bit.
///
/// The [`EdgeRule`](super::EdgeRule) defines the meaning of the flag: the complement of a function,
/// or the empty set added to a family. Node 0 is the only terminal. Without the flag it
/// is the constant false or the empty family, with the flag it is true or the family of the empty
/// set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Edge(pub(crate) u32);

impl Edge {
    /// False; the empty family.
    pub(crate) const ZERO: Edge = Edge(0);
    /// True; the family of the empty set.
    pub(crate) const ONE: Edge = Edge(1);

    #[inline]
    pub(crate) fn to_node(node: u32) -> Self {
        Edge(node << 1)
    }

    #[inline]
    pub(crate) fn node(self) -> u32 {
        self.0 >> 1
    }

    #[inline]
    pub(crate) fn flag(self) -> u32 {
        self.0 & 1
    }

    #[inline]
    pub(crate) fn is_terminal(self) -> bool {
        self.0 < 2
    }

    /// The same edge without its flag.
    #[inline]
    pub(crate) fn regular(self) -> Self {
        Edge(self.0 & !1)
    }
}

/// Flips the flag of an edge if the operand is 1.
impl BitXor<u32> for Edge {
    type Output = Edge;

    #[inline]
    fn bitxor(self, flag: u32) -> Edge {
        Edge(self.0 ^ flag)
    }
}

impl fmt::Debug for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.flag() == 1 { "~" } else { "" }, self.node())
    }
}
