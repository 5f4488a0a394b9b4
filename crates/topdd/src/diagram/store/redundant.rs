//! The test whether a node is redundant under a rule.

use super::{Edge, NodeId, ZERO};
use crate::spec::Rule;

/// Whether a two-valued node is redundant and replaced by its child at value 0.
#[inline]
pub(crate) fn is_redundant([zero, one]: [NodeId; 2], rule: Rule) -> bool {
    match rule {
        Rule::ZeroSuppressed => one == ZERO,
        Rule::AnyValue => zero == one,
    }
}

/// The node that replaces a node with these edges, if that is redundant. The edges must exclude those
/// to the 0-terminal and be in ascending order of value.
#[inline]
pub(crate) fn stands_for(edges: &[Edge], rule: Rule, arity: usize) -> Option<NodeId> {
    match (rule, edges) {
        (_, []) => Some(ZERO),
        (Rule::ZeroSuppressed, [Edge { value: 0, target }]) => Some(*target),
        (Rule::AnyValue, [first, rest @ ..])
            if edges.len() == arity && rest.iter().all(|edge| edge.target == first.target) =>
        {
            Some(first.target)
        }
        _ => None,
    }
}
