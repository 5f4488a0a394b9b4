//! The specs, frontiers, diagrams and counts of paths. The width of the state is chosen here.

use topdd::{BigUint, BoxedSpec, DdSpec, Frontier, Zdd};

use super::PathEncoding;
use super::in_words::in_words;
use super::mates::Mates;
use super::path_problem::{PathProblem, TooWide};
use super::paths::{PathError, Paths};
use super::visitor::{MakeBoxed, MakeFrontier};
use super::{ByEdge, ByVertex, DirectedByEdge};
use crate::SpecVisitor;

/// A function of a spec of paths or cycles with any width of states.
pub(crate) trait PathVisitor {
    type Output;

    /// Applies the function to a spec with states of one or two words.
    fn visit<const W: usize, S>(self, spec: S) -> Self::Output
    where
        S: DdSpec<State = Mates<W>> + Send + 'static;

    /// Applies the function to a spec with longer states, of which the first `words` words are used.
    fn visit_wide<const W: usize, S>(self, spec: S, words: usize) -> Self::Output
    where
        S: DdSpec<State = Mates<W>> + Send + 'static;
}

/// A visitor of any spec, of paths and cycles.
struct OfPaths<V>(V);

impl<V: SpecVisitor> PathVisitor for OfPaths<V> {
    type Output = V::Output;

    fn visit<const W: usize, S>(self, spec: S) -> V::Output
    where
        S: DdSpec<State = Mates<W>> + Send + 'static,
    {
        self.0.visit(spec)
    }

    fn visit_wide<const W: usize, S>(self, spec: S, words: usize) -> V::Output
    where
        S: DdSpec<State = Mates<W>> + Send + 'static,
    {
        self.0.visit_arrays(in_words(spec, words))
    }
}

/// Instantiates a spec with the smallest sufficient width of states, in words. Each width adds a copy of
/// the spec to the program, and the first two also one of the code that expands its states. So large
/// widths are sparse.
macro_rules! with_width {
    ($problem:expr, $spec:ident, $visitor:expr, $($wide:literal)*) => {
        match $problem.schedule.widths.words {
            0..=1 => Ok($visitor.visit($spec::<1>::new($problem)?)),
            2 => Ok($visitor.visit($spec::<2>::new($problem)?)),
            $(words if words <= $wide => {
                Ok($visitor.visit_wide($spec::<$wide>::new($problem)?, words))
            })*
            // Wider than 64 words: `new` returns the error.
            words => $spec::<64>::new($problem).map(|spec| $visitor.visit_wide(spec, words)),
        }
    };
}

impl PathProblem {
    /// Makes the spec with the smallest states, and passes it to a visitor.
    ///
    /// # Errors
    ///
    /// [`TooWide`] if a state needs more than 64 words.
    pub(crate) fn visit<V: SpecVisitor>(&self, visitor: V) -> Result<V::Output, TooWide> {
        match self.encoding {
            PathEncoding::ByEdge => self.visit_by_edge(OfPaths(visitor)),
            PathEncoding::ByVertex => with_width!(self, ByVertex, OfPaths(visitor), 4 16),
        }
    }

    /// As [`visit`](PathProblem::visit), of a problem with one variable per edge.
    pub(crate) fn visit_by_edge<V: PathVisitor>(&self, visitor: V) -> Result<V::Output, TooWide> {
        if self.is_directed() {
            with_width!(self, DirectedByEdge, visitor, 8)
        } else {
            with_width!(self, ByEdge, visitor, 4 16)
        }
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

    /// Makes the spec with the smallest states, and passes it to a visitor.
    fn visit<V: SpecVisitor>(
        &self,
        encoding: PathEncoding,
        visitor: V,
    ) -> Result<V::Output, PathError> {
        Ok(self.problem(encoding)?.visit(visitor)?)
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
        self.visit(encoding, MakeBoxed)
    }

    /// Makes a sweep over the spec, to set limits, threads or a checkpoint before
    /// building a diagram or counting.
    ///
    /// # Errors
    ///
    /// As for [`spec`](Paths::spec).
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
        self.visit(encoding, MakeFrontier)
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
    /// As for [`zdd`](Paths::zdd).
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
