//! The specs, frontiers, diagrams and counts of paths. The width of the state is chosen here.

use topdd::{BigUint, BoxedSpec, Frontier, Zdd};

use super::PathEncoding;
use super::path_problem::{PathProblem, TooWide};
use super::paths::{PathError, Paths};
use super::words::wide;
use super::{ByEdge, ByVertex, DirectedByEdge};

impl PathProblem {
    /// Makes a sweep over the spec with the smallest states. Each width adds a copy of the spec to the
    /// program, and the first two also a copy of the code that expands its states. So large widths are sparse.
    ///
    /// # Errors
    ///
    /// [`TooWide`] if a state needs more than 64 words.
    pub(crate) fn frontier(&self) -> Result<Frontier<'static>, TooWide> {
        let words = self.schedule.widths.words;
        Ok(match (self.encoding, self.is_directed(), words) {
            (PathEncoding::ByEdge, false, 0..=1) => Frontier::of(ByEdge::<1>::new(self)?),
            (PathEncoding::ByEdge, false, 2) => Frontier::of(ByEdge::<2>::new(self)?),
            (PathEncoding::ByEdge, false, 3..=4) => wide(ByEdge::<4>::new(self)?, words),
            (PathEncoding::ByEdge, false, 5..=16) => wide(ByEdge::<16>::new(self)?, words),
            (PathEncoding::ByEdge, false, _) => wide(ByEdge::<64>::new(self)?, words),
            (PathEncoding::ByEdge, true, 0..=1) => Frontier::of(DirectedByEdge::<1>::new(self)?),
            (PathEncoding::ByEdge, true, 2) => Frontier::of(DirectedByEdge::<2>::new(self)?),
            (PathEncoding::ByEdge, true, 3..=8) => wide(DirectedByEdge::<8>::new(self)?, words),
            (PathEncoding::ByEdge, true, _) => wide(DirectedByEdge::<64>::new(self)?, words),
            (PathEncoding::ByVertex, _, 0..=1) => Frontier::of(ByVertex::<1>::new(self)?),
            (PathEncoding::ByVertex, _, 2) => Frontier::of(ByVertex::<2>::new(self)?),
            (PathEncoding::ByVertex, _, 3..=4) => wide(ByVertex::<4>::new(self)?, words),
            (PathEncoding::ByVertex, _, 5..=16) => wide(ByVertex::<16>::new(self)?, words),
            (PathEncoding::ByVertex, _, _) => wide(ByVertex::<64>::new(self)?, words),
        })
    }
}

impl Paths {
    /// Returns the number of 64-bit words that a state needs; 0 if the fixed ends are invalid.
    //
    // Public for topdd-chess, and not part of the API.
    #[doc(hidden)]
    pub fn words(&self, encoding: PathEncoding) -> usize {
        self.problem(encoding).map_or(0, |problem| problem.schedule.widths.words)
    }

    /// Makes the spec, to combine it with others, to search it, or to check it.
    ///
    /// The spec decodes a state in each call. [`frontier`](Paths::frontier),
    /// [`count`](Paths::count) and [`zdd`](Paths::zdd) do not, and are faster.
    ///
    /// # Errors
    ///
    /// - [`PathError::TooWide`] if a state needs more than 512 bytes, which happens only with a
    ///   frontier of more than 448 vertices.
    /// - Another [`PathError`] if the fixed ends are invalid.
    ///
    /// # Example
    ///
    /// The paths between opposite corners of a grid that do not use its first edge:
    ///
    /// ```
    /// use topdd::{DdSpec, SpecExt, Step};
    /// use topdd_graph::{PathEncoding, grid_paths};
    ///
    /// /// The sets of edges without the first one.
    /// struct WithoutFirst { edges: usize }
    ///
    /// impl DdSpec for WithoutFirst {
    ///     type State = ();
    ///     fn num_vars(&self) -> usize { self.edges }
    ///     fn root(&self) -> Step<()> { Step::To(0, ()) }
    ///     fn child(&self, _: &(), edge: usize, value: usize) -> Step<()> {
    ///         if edge == 0 && value == 1 { Step::Zero }
    ///         else if edge + 1 == self.edges { Step::One }
    ///         else { Step::To(edge + 1, ()) }
    ///     }
    /// }
    ///
    /// let paths = grid_paths(5);
    /// let spec = paths.spec(PathEncoding::ByEdge)?;
    /// let rest = spec.and(WithoutFirst { edges: paths.num_vars(PathEncoding::ByEdge) });
    /// // A path or its mirror image.
    /// assert_eq!(topdd::count(&rest)?, (8512u32 / 2).into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spec(&self, encoding: PathEncoding) -> Result<BoxedSpec<'static>, PathError> {
        Ok(self.frontier(encoding)?.into_spec()?)
    }

    /// Makes a sweep over the spec, to set limits, threads or a checkpoint before
    /// building a diagram or counting.
    ///
    /// # Errors
    ///
    /// The errors of [`spec`](Paths::spec).
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_graph::{PathEncoding, grid_paths};
    ///
    /// let mut frontier = grid_paths(8).frontier(PathEncoding::ByEdge)?.threads(1);
    /// assert_eq!(frontier.count()?, 789360053252u64.into());
    /// println!("{}", frontier.report());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn frontier(&self, encoding: PathEncoding) -> Result<Frontier<'static>, PathError> {
        Ok(self.problem(encoding)?.frontier()?)
    }

    /// Builds the diagram of all paths. [`to_sequence`](Paths::to_sequence) converts a solution to
    /// a path. Time and memory are proportional to the number of states, which may be exponential
    /// in the width of the frontier.
    ///
    /// # Errors
    ///
    /// [`PathError::Build`] if the sweep fails; otherwise as for [`spec`](Paths::spec).
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_graph::{Graph, PathEncoding, Paths};
    ///
    /// let wheel = Graph::new(5, [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (2, 3), (3, 4), (1, 4)])?;
    /// let tours = Paths::hamiltonian_cycles(wheel);
    /// let zdd = tours.zdd(PathEncoding::ByEdge)?;
    /// assert_eq!(zdd.count(), 4u32.into());
    /// for solution in &zdd {
    ///     let tour = tours.to_sequence(PathEncoding::ByEdge, &solution)?;
    ///     assert_eq!(tours.validate(&tour), Ok(()));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn zdd(&self, encoding: PathEncoding) -> Result<Zdd, PathError> {
        Ok(self.frontier(encoding)?.zdd()?)
    }

    /// Counts the paths without a diagram, with one variable for each edge.
    ///
    /// # Errors
    ///
    /// The errors of [`zdd`](Paths::zdd).
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(topdd_graph::grid_hamiltonian_cycles(6, 6).count()?, 1072u32.into());
    /// # Ok::<(), topdd_graph::PathError>(())
    /// ```
    pub fn count(&self) -> Result<BigUint, PathError> {
        Ok(self.frontier(PathEncoding::ByEdge)?.count()?)
    }
}
