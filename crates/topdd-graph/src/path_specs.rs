//! The specs of paths and their sweeps. The width of the state is chosen here.

use topdd::{DdSpec, Frontier};

use super::path_problem::{PathProblem, TooWide};
use super::words::{FromWords, wide};
use super::{ByEdge, ByVertex, DirectedByEdge};

impl PathProblem {
    /// Makes a sweep over the spec with the smallest states. Each width adds a copy of the spec to the
    /// program, and the first two also a copy of the code that expands its states. So large widths are sparse.
    ///
    /// # Errors
    ///
    /// [`TooWide`] if a state needs more than 64 words.
    pub(crate) fn frontier(&self) -> Result<Frontier<'static>, TooWide> {
        let words = self.words();
        Ok(match (self.by_vertex, self.is_directed(), words) {
            (false, false, 0..=1) => Frontier::of(ByEdge::<1>::new(self)?),
            (false, false, 2) => Frontier::of(ByEdge::<2>::new(self)?),
            (false, false, 3..=4) => wide(ByEdge::<4>::new(self)?, words),
            (false, false, 5..=16) => wide(ByEdge::<16>::new(self)?, words),
            (false, false, _) => wide(ByEdge::<64>::new(self)?, words),
            (false, true, 0..=1) => Frontier::of(DirectedByEdge::<1>::new(self)?),
            (false, true, 2) => Frontier::of(DirectedByEdge::<2>::new(self)?),
            (false, true, 3..=8) => wide(DirectedByEdge::<8>::new(self)?, words),
            (false, true, _) => wide(DirectedByEdge::<64>::new(self)?, words),
            (true, _, 0..=1) => Frontier::of(ByVertex::<1>::new(self)?),
            (true, _, 2) => Frontier::of(ByVertex::<2>::new(self)?),
            (true, _, 3..=4) => wide(ByVertex::<4>::new(self)?, words),
            (true, _, 5..=16) => wide(ByVertex::<16>::new(self)?, words),
            (true, _, _) => wide(ByVertex::<64>::new(self)?, words),
        })
    }

    /// The number of 64-bit words that a state needs.
    pub fn words(&self) -> usize {
        self.schedule.widths.words
    }

    /// The spec by edge of an undirected graph, by its type. `None` if `W` words are too few.
    pub fn by_edge_spec<const W: usize>(
        &self,
    ) -> Option<impl DdSpec<State: FromWords> + Send + use<W>> {
        ByEdge::<W>::new(self).ok()
    }

    /// The spec by vertex, by its type. `None` if `W` words are too few.
    pub fn by_vertex_spec<const W: usize>(
        &self,
    ) -> Option<impl DdSpec<State: FromWords> + Send + use<W>> {
        ByVertex::<W>::new(self).ok()
    }
}
