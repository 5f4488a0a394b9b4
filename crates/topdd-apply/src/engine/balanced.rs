//! Many operands joined pairwise.

use crate::Error;
use crate::store::{Edge, Rule, Store};

impl<R: Rule> Store<R> {
    /// Joins what is made of items, pairwise in a balanced tree, so that what is joined is of
    /// like size; [`Edge::ZERO`] if there are none, which must change nothing when joined.
    pub(crate) fn balanced<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        make: impl Fn(&mut Self, T) -> Result<Edge, Error>,
        join: impl Fn(&mut Self, Edge, Edge) -> Result<Edge, Error>,
    ) -> Result<Edge, Error> {
        // What waits to be joined, each with the number of rounds it has been through.
        let mut waiting: Vec<(u32, Edge)> = Vec::new();
        for item in items {
            let mut joined = make(self, item)?;
            let mut rounds = 0;
            while let Some(&(_, other)) = waiting.last().filter(|last| last.0 == rounds) {
                joined = join(self, other, joined)?;
                waiting.pop();
                self.kept.pop();
                rounds += 1;
            }
            waiting.push((rounds, self.keep(joined)));
        }
        let mut all = Edge::ZERO;
        for (_, last) in waiting.into_iter().rev() {
            all = join(self, last, all)?;
        }
        Ok(all)
    }
}
