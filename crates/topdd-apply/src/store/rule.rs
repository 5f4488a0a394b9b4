//! The two reduction rules of topdd, and the meaning of flags under each.

use super::Edge;
use super::node::Node;
use topdd::diagram::{AnyValue, DiagramRule, ZeroSuppressed};

/// The meaning of a skipped level and of a flagged edge.
///
/// Under both rules the low edge of a stored node has no flag, which makes the form
/// canonical: [`normalise`](EdgeRule::normalise) moves the flag to the edge that leads to
/// the node.
pub(crate) trait EdgeRule: DiagramRule {
    /// Whether a node with these children is redundant, and replaced by its low child.
    fn redundant(lo: Edge, hi: Edge) -> bool;

    /// The stored high child if the flag of the low child is `flag`.
    fn normalise(hi: Edge, flag: u32) -> Edge;

    /// The children of the node that `edge` leads to, read through the flag of `edge`.
    fn children(edge: Edge, node: Node) -> (Edge, Edge);

    /// The children of `edge` at a level that it skips.
    fn skip(edge: Edge) -> (Edge, Edge);
}

/// A flag is a complement.
impl EdgeRule for AnyValue {
    #[inline]
    fn redundant(lo: Edge, hi: Edge) -> bool {
        lo == hi
    }

    #[inline]
    fn normalise(hi: Edge, flag: u32) -> Edge {
        hi ^ flag
    }

    #[inline]
    fn children(edge: Edge, node: Node) -> (Edge, Edge) {
        (node.lo ^ edge.flag(), node.hi ^ edge.flag())
    }

    #[inline]
    fn skip(edge: Edge) -> (Edge, Edge) {
        (edge, edge)
    }
}

/// A flag adds the empty set.
impl EdgeRule for ZeroSuppressed {
    #[inline]
    fn redundant(_: Edge, hi: Edge) -> bool {
        hi == Edge::ZERO
    }

    #[inline]
    fn normalise(hi: Edge, _: u32) -> Edge {
        hi
    }

    #[inline]
    fn children(edge: Edge, node: Node) -> (Edge, Edge) {
        (node.lo ^ edge.flag(), node.hi)
    }

    #[inline]
    fn skip(edge: Edge) -> (Edge, Edge) {
        (edge, Edge::ZERO)
    }
}
