//! Reduction of many operands in a balanced tree.

use crate::Error;
use crate::store::{Edge, EdgeRule, Store};

impl<R: EdgeRule> Store<R> {
    /// Makes an edge of each item and joins the edges pairwise in a balanced tree, so that operands
    /// have similar sizes. Returns [`Edge::ZERO`] if there are no items; it must be neutral for the
    /// join.
    pub(crate) fn balanced<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        make: impl Fn(&mut Self, T) -> Result<Edge, Error>,
        join: impl Fn(&mut Self, Edge, Edge) -> Result<Edge, Error>,
    ) -> Result<Edge, Error> {
        // Partial results, each with its height in the tree.
        let mut pending: Vec<(u32, Edge)> = Vec::new();
        for item in items {
            let mut joined = make(self, item)?;
            let mut rounds = 0;
            while let Some(&(_, other)) = pending.last().filter(|last| last.0 == rounds) {
                joined = join(self, other, joined)?;
                pending.pop();
                self.stacks.kept.pop();
                rounds += 1;
            }
            pending.push((rounds, self.keep(joined)));
        }
        let mut all = Edge::ZERO;
        for (_, last) in pending.into_iter().rev() {
            all = join(self, last, all)?;
        }
        Ok(all)
    }
}
