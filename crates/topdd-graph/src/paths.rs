//! The problem: a set of paths or cycles of a graph.

use thiserror::Error;

use super::choices::arity;
use super::graph::{Graph, GraphError};
use super::path_problem::{PathEncoding, PathProblem, PathRule, TooWide};
use super::simple::{PreparedGraph, SimpleGraph};

/// The cycles, or the open paths, of a simple undirected graph: all of them or the Hamiltonian ones.
/// Open paths have free or fixed ends. A graph that is not simple is refused when a spec is made.
///
/// In this type, a *path* is simple (no vertex twice) and may be closed: then it is a cycle. A path
/// and its reverse are one solution, and a cycle is one solution for all its starts and directions.
/// A cycle has at least three vertices. An open path has at least one edge, with one exception: the
/// Hamiltonian path of the graph with a single vertex, which is that vertex. The empty graph has
/// neither.
///
/// The families [`paths`](crate::families::paths) and [`cycles`](crate::families::cycles) are for any
/// graph, and combine with other families. This type has further encodings, and converts solutions to
/// sequences of vertices.
///
/// [`count`](Paths::count) and [`zdd`](Paths::zdd) solve the problem.
/// [`frontier`](Paths::frontier) makes a sweep with limits and threads, and [`spec`](Paths::spec)
/// makes a spec to combine with others.
///
/// # Example
///
/// ```
/// use topdd_graph::{Graph, Paths};
///
/// let square = Paths::hamiltonian_cycles(Graph::grid(2, 2));
/// assert_eq!(square.validate(&[0, 1, 3, 2]), Ok(()));
///
/// let across = Paths::open(Graph::grid(2, 2)).from(0).to(3);
/// assert_eq!(across.validate(&[0, 2, 3]), Ok(()));
/// assert!(across.validate(&[0, 1]).is_err()); // does not end at 3
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    pub(super) graph: SimpleGraph,
    /// The reason why the graph is not simple; `graph` is empty then.
    refused: Option<GraphError>,
    pub(super) shape: Shape,
    pub(super) hamiltonian: bool,
    pub(super) from: Option<usize>,
    pub(super) to: Option<usize>,
}

/// The shape of [`Paths`]: cycles or paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A closed path, which is a cycle: each of its vertices has degree two.
    Cycle,
    /// An open path: two of its vertices, its ends, have degree one, and the others degree two.
    Path,
}

/// Errors in the parameters of [`Paths`], or of a sweep.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PathError {
    /// A fixed end that is not a vertex.
    #[error("the end {vertex} is out of range: the vertices are 0..{vertices}")]
    EndOutOfRange {
        /// The fixed end.
        vertex: usize,
        /// The number of vertices.
        vertices: usize,
    },
    /// Both ends of a path are fixed at the same vertex.
    #[error("a path cannot start and end at the same vertex, {vertex}; ask for cycles instead")]
    SameEnds {
        /// The vertex given for both ends.
        vertex: usize,
    },
    /// An end of cycles is fixed.
    #[error("a cycle has no ends: `from` and `to` are for paths; leave them out")]
    EndsOfCycle,
    /// The graph is not simple and undirected.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The frontier is too wide for a state.
    #[error(
        "a frontier of {slots} vertices needs states of {bytes} bytes, and there is room for \
         {most}; number the vertices so that neighbours are closer"
    )]
    TooWide {
        /// The largest number of vertices on the frontier at once.
        slots: usize,
        /// The size in bytes that a state would need.
        bytes: usize,
        /// The largest size of a state, in bytes.
        most: usize,
    },
    /// Paths [by time](Paths::spec_by_time) are not Hamiltonian.
    #[error("by time, paths and cycles must pass through every vertex; ask for Hamiltonian ones")]
    NotHamiltonian,
    /// There are too many vertices for a state [by time](Paths::spec_by_time).
    #[error(
        "by time, there can be at most {most} vertices, not {vertices}; choose PathEncoding::ByVertex"
    )]
    TooManyVertices {
        /// The number of vertices.
        vertices: usize,
        /// The largest number of vertices.
        most: usize,
    },
    /// The frontier engine failed.
    #[error(transparent)]
    Build(#[from] topdd::BuildError),
}

impl Paths {
    fn new(graph: PreparedGraph, shape: Shape, hamiltonian: bool) -> Self {
        let (graph, refused) = match graph.0 {
            Ok(graph) => (graph, None),
            Err(error) => (SimpleGraph::grid(0, 0), Some(error)),
        };
        Self { graph, refused, shape, hamiltonian, from: None, to: None }
    }

    /// Returns all cycles of a graph.
    pub fn cycles(graph: impl Into<PreparedGraph>) -> Self {
        Self::new(graph.into(), Shape::Cycle, false)
    }

    /// Returns the cycles of a graph that pass through every vertex.
    pub fn hamiltonian_cycles(graph: impl Into<PreparedGraph>) -> Self {
        Self::new(graph.into(), Shape::Cycle, true)
    }

    /// Returns all open paths of a graph that have at least one edge. [`from`](Paths::from) and
    /// [`to`](Paths::to) fix their ends.
    pub fn open(graph: impl Into<PreparedGraph>) -> Self {
        Self::new(graph.into(), Shape::Path, false)
    }

    /// Returns the paths of a graph that pass through every vertex. [`from`](Paths::from) and
    /// [`to`](Paths::to) fix their ends.
    ///
    /// ```
    /// use topdd_graph::{Graph, PathEncoding, Paths, Shape};
    ///
    /// let paths = Paths::hamiltonian_paths(Graph::grid(2, 3)).from(0);
    /// assert_eq!(paths.count()?, 3u32.into());
    /// assert_eq!(paths.num_vars(PathEncoding::ByEdge), 7);
    /// assert_eq!(paths.arity(PathEncoding::ByEdge, 0), 2);
    /// assert!(paths.shape() == Shape::Path && paths.is_hamiltonian());
    /// assert_eq!((paths.ends(), paths.graph().vertices()), ((Some(0), None), 6));
    /// # Ok::<(), topdd_graph::PathError>(())
    /// ```
    pub fn hamiltonian_paths(graph: impl Into<PreparedGraph>) -> Self {
        Self::new(graph.into(), Shape::Path, true)
    }

    /// Keeps only the paths that have an end at `vertex`. Their [sequences](Paths::to_sequence)
    /// start there. Checked when a spec is made.
    pub fn from(mut self, vertex: usize) -> Self {
        self.from = Some(vertex);
        self
    }

    /// Keeps only the paths that have an end at `vertex`. Their [sequences](Paths::to_sequence)
    /// end there. Checked when a spec is made.
    pub fn to(mut self, vertex: usize) -> Self {
        self.to = Some(vertex);
        self
    }

    /// Returns the graph with its edges sorted; without vertices if the given graph is not simple.
    pub fn graph(&self) -> &SimpleGraph {
        &self.graph
    }

    /// Returns whether these are cycles or paths.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns whether the paths must pass through every vertex.
    pub fn is_hamiltonian(&self) -> bool {
        self.hamiltonian
    }

    /// Returns the fixed ends: the first and the last vertex of the paths, or `None` for a free end.
    pub fn ends(&self) -> (Option<usize>, Option<usize>) {
        (self.from, self.to)
    }

    /// Returns the number of variables in an encoding: the number of edges, or of vertices.
    pub fn num_vars(&self, encoding: PathEncoding) -> usize {
        match encoding {
            PathEncoding::ByEdge => self.graph.edges().len(),
            PathEncoding::ByVertex => self.graph.vertices(),
        }
    }

    /// Returns the number of values of a variable in an encoding.
    ///
    /// # Panics
    ///
    /// If `variable` is not below [`num_vars`](Paths::num_vars);
    /// [`get_arity`](Paths::get_arity) returns `None` then.
    #[track_caller]
    pub fn arity(&self, encoding: PathEncoding, variable: usize) -> usize {
        expect_variable(self.get_arity(encoding, variable), variable, self.num_vars(encoding))
    }

    /// Returns the number of values of a variable in an encoding; `None` if there is no such variable.
    ///
    /// ```
    /// use topdd_graph::{Graph, PathEncoding, Paths};
    ///
    /// let cycles = Paths::cycles(Graph::grid(2, 2));
    /// assert_eq!(cycles.get_arity(PathEncoding::ByVertex, 0), Some(4)); // none, either, or both
    /// assert_eq!(cycles.get_arity(PathEncoding::ByVertex, 4), None);
    /// ```
    pub fn get_arity(&self, encoding: PathEncoding, variable: usize) -> Option<usize> {
        match encoding {
            PathEncoding::ByEdge => (variable < self.graph.edges().len()).then_some(2),
            PathEncoding::ByVertex => {
                self.graph.get_later_neighbours(variable).map(|later| arity(later.len()))
            }
        }
    }

    /// The edges that each variable decides.
    ///
    /// # Errors
    ///
    /// A [`PathError`] if the fixed ends are invalid.
    pub(super) fn problem(&self, encoding: PathEncoding) -> Result<PathProblem, PathError> {
        self.check()?;
        Ok(PathProblem::of_simple(&self.graph, self.rule(), encoding))
    }

    fn rule(&self) -> PathRule {
        let Self { shape, hamiltonian, from, to, .. } = *self;
        PathRule { cycle: shape == Shape::Cycle, hamiltonian, from, to }
    }

    /// Whether the only path is the path without an edge: the vertex of a graph with one vertex.
    pub(super) fn is_single_vertex(&self) -> bool {
        self.shape == Shape::Path && self.hamiltonian && self.graph.vertices() == 1
    }

    /// Checks the fixed ends.
    pub(super) fn check(&self) -> Result<(), PathError> {
        if let Some(error) = &self.refused {
            return Err(error.clone().into());
        }
        let vertices = self.graph.vertices();
        for vertex in [self.from, self.to].into_iter().flatten() {
            if self.shape == Shape::Cycle {
                return Err(PathError::EndsOfCycle);
            }
            if vertex >= vertices {
                return Err(PathError::EndOutOfRange { vertex, vertices });
            }
        }
        match (self.from, self.to) {
            (Some(from), Some(to)) if from == to => Err(PathError::SameEnds { vertex: from }),
            _ => Ok(()),
        }
    }
}

impl From<TooWide> for PathError {
    fn from(TooWide { slots, words, most }: TooWide) -> Self {
        let [bytes, most] = [words, most].map(|words| words * size_of::<u64>());
        Self::TooWide { slots, bytes, most }
    }
}

/// Returns the arity, or panics if it is `None`.
///
/// # Panics
///
/// If there is no such variable.
#[track_caller]
pub(super) fn expect_variable(arity: Option<usize>, variable: usize, num_vars: usize) -> usize {
    match arity {
        Some(arity) => arity,
        None => panic!("there is no variable {variable}; the variables are 0..{num_vars}"),
    }
}

/// Returns the simple paths between opposite corners of a grid of `n` times `n` vertices, OEIS A007764
/// (D. E. Knuth, *Mathematics and Computer Science: Coping with Finiteness*, 1976).
///
/// # Example
///
/// ```
/// use topdd_graph::PathEncoding;
///
/// let paths = topdd_graph::grid_paths(3);
/// assert_eq!(paths.graph().edges().len(), 12);
/// assert_eq!(paths.validate(&[0, 3, 4, 1, 2, 5, 8]), Ok(()));
/// assert_eq!(paths.num_vars(PathEncoding::ByVertex), 9);
/// ```
pub fn grid_paths(n: usize) -> Paths {
    let grid = Graph::grid(n, n);
    match grid.num_vertices() {
        // The path from a corner to itself has no edge: only the Hamiltonian paths contain it.
        1 => Paths::hamiltonian_paths(grid),
        0 => Paths::open(grid),
        vertices => Paths::open(grid).from(0).to(vertices - 1),
    }
}

/// Returns the simple cycles of a grid of `rows` times `cols` vertices (OEIS A140517 for squares).
///
/// ```
/// assert_eq!(topdd_graph::grid_cycles(3, 3).count()?, 13u32.into());
/// # Ok::<(), topdd_graph::PathError>(())
/// ```
pub fn grid_cycles(rows: usize, cols: usize) -> Paths {
    Paths::cycles(Graph::grid(rows.max(cols), rows.min(cols)))
}

/// Returns the Hamiltonian cycles of a grid of `rows` times `cols` vertices (OEIS A003763 for squares).
///
/// ```
/// assert_eq!(topdd_graph::grid_hamiltonian_cycles(4, 4).count()?, 6u32.into());
/// # Ok::<(), topdd_graph::PathError>(())
/// ```
pub fn grid_hamiltonian_cycles(rows: usize, cols: usize) -> Paths {
    Paths::hamiltonian_cycles(Graph::grid(rows.max(cols), rows.min(cols)))
}

/// Returns the Hamiltonian paths of a grid of `rows` times `cols` vertices, with free ends (OEIS
/// A120443 for squares).
///
/// ```
/// assert_eq!(topdd_graph::grid_hamiltonian_paths(3, 3).count()?, 20u32.into());
/// # Ok::<(), topdd_graph::PathError>(())
/// ```
pub fn grid_hamiltonian_paths(rows: usize, cols: usize) -> Paths {
    Paths::hamiltonian_paths(Graph::grid(rows.max(cols), rows.min(cols)))
}
