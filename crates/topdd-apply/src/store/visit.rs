//! Traversal of all nodes below some edges.

use super::{Edge, EdgeRule, Store};
use crate::hash::Set;

impl<R: EdgeRule> Store<R> {
    /// Visits each node below `roots` once, except the terminal.
    fn visit(&self, roots: &[Edge], mut visit: impl FnMut(u32)) {
        let mut seen: Set<u32> = Set::default();
        let mut stack: Vec<Edge> = roots.to_vec();
        while let Some(edge) = stack.pop() {
            if !edge.is_terminal() && seen.insert(edge.node()) {
                let node = self.node(edge);
                visit(node.level);
                stack.push(node.hi);
                stack.push(node.lo);
            }
        }
    }

    /// The number of nodes below `roots`.
    pub(crate) fn count_nodes(&self, roots: &[Edge]) -> usize {
        let mut count = 0;
        self.visit(roots, |_| count += 1);
        count
    }

    /// The levels that have nodes below `edge`, ascending.
    pub(crate) fn support(&self, edge: Edge) -> Vec<u32> {
        let mut levels: Set<u32> = Set::default();
        self.visit(&[edge], |level| {
            levels.insert(level);
        });
        let mut levels: Vec<_> = levels.into_iter().collect();
        levels.sort_unstable();
        levels
    }
}
