//! The families of paths and cycles, by name, and their diagrams with variables for vertices.

use super::conditions::EdgePart;
use super::edge_families::check_vertices;
use super::{EdgeSets, FamilyError, Order, SequenceError};
use crate::Graph;
use crate::by_vertex::{arity, choice, with};
use crate::path_problem::{PathProblem, PathRule};
use std::sync::Arc;
use topdd::diagram::DiagramState;
use topdd::{BoxedSpec, DdSpec, Frontier, QueryError, Rule, Step, Zdd};

fn of_path(graph: &Graph, path: PathRule) -> EdgeSets {
    let ends = path.from.iter().chain(&path.to);
    let check = match path.from {
        Some(vertex) if path.to == path.from => Err(FamilyError::EqualEnds { vertex }),
        _ => check_vertices(graph, ends),
    };
    EdgeSets::from_part(graph, EdgePart::Paths(path)).checked(check)
}

const PATHS: PathRule =
    PathRule { cycle: false, hamiltonian: false, from: None, to: None, trivial: false };

/// The simple paths from `s` to `t`. In a directed graph all edges lead from `s` to `t`.
///
/// There are none if the graph does not connect the two. Both must be vertices, and different.
///
/// The state is the mate array: for each end of a piece of a path on the frontier, its other end.
/// Reference: D. E. Knuth, *The Art of Computer Programming* 4A, 7.1.4, exercise 225 (Simpath).
///
/// ```
/// use topdd_graph::{Graph, families::{at_most, avoid, paths}};
///
/// let grid = Graph::grid(4, 4);
/// assert_eq!(paths(&grid, 0, 15).count()?, 184u32.into());
/// assert_eq!(paths(&grid, 0, 15).and(at_most(6)).and(avoid(5)).count()?, 8u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn paths(graph: &Graph, s: usize, t: usize) -> EdgeSets {
    of_path(graph, PathRule { from: Some(s), to: Some(t), ..PATHS })
}

/// The simple paths from `s` to any other vertex, of at least one edge.
///
/// The state and the reference: as for [`paths`].
///
/// ```
/// use topdd_graph::{Graph, families::paths_from};
///
/// assert_eq!(paths_from(&Graph::grid(2, 2), 0).count()?, 6u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn paths_from(graph: &Graph, s: usize) -> EdgeSets {
    of_path(graph, PathRule { from: Some(s), ..PATHS })
}

/// All simple paths of at least one edge. In an undirected graph, each is one set, whichever of
/// its ends is first.
///
/// A graph without edges other than loops has none.
///
/// The state: as for [`paths`], and how many ends are decided. Reference: as for [`paths`].
///
/// ```
/// use topdd_graph::{Graph, families::all_paths};
///
/// assert_eq!(all_paths(&Graph::grid(2, 2)).count()?, 12u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn all_paths(graph: &Graph) -> EdgeSets {
    of_path(graph, PATHS)
}

/// The simple cycles. In a directed graph all edges lead around.
///
/// A loop is a cycle, and so are two parallel edges, or two opposite ones of a directed graph. A
/// graph without a cycle has none.
///
/// The state and the reference: as for [`paths`].
///
/// ```
/// use topdd_graph::{Graph, families::cycles};
///
/// assert_eq!(cycles(&Graph::grid(4, 4)).count()?, 213u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn cycles(graph: &Graph) -> EdgeSets {
    of_path(graph, PathRule { cycle: true, ..PATHS })
}

/// The cycles through all vertices; see [`cycles`].
///
/// The empty graph has none. Of a single vertex, each loop is one.
///
/// The state and the reference: as for [`paths`]. No vertex leaves the frontier without its edges.
///
/// ```
/// use topdd_graph::{Graph, families::hamiltonian_cycles};
///
/// assert_eq!(hamiltonian_cycles(&Graph::grid(6, 6)).count()?, 1072u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn hamiltonian_cycles(graph: &Graph) -> EdgeSets {
    of_path(graph, PathRule { cycle: true, hamiltonian: true, ..PATHS })
}

/// The paths through all vertices, with any ends; see [`all_paths`].
///
/// The empty graph has none, and neither has a single vertex, as a path has an edge.
///
/// The state and the reference: as for [`paths`]. No vertex leaves the frontier without its edges.
///
/// ```
/// use topdd_graph::{Graph, families::hamiltonian_paths};
///
/// assert_eq!(hamiltonian_paths(&Graph::grid(3, 3)).count()?, 20u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn hamiltonian_paths(graph: &Graph) -> EdgeSets {
    of_path(graph, PathRule { hamiltonian: true, ..PATHS })
}

/// The paths through all vertices that start at `s` and end anywhere; see [`paths_from`].
///
/// The state and the reference: as for [`paths`]. No vertex leaves the frontier without its edges.
///
/// ```
/// use topdd_graph::{Graph, families::hamiltonian_paths_from};
///
/// assert_eq!(hamiltonian_paths_from(&Graph::grid(3, 3), 0).count()?, 8u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn hamiltonian_paths_from(graph: &Graph, s: usize) -> EdgeSets {
    of_path(graph, PathRule { hamiltonian: true, from: Some(s), ..PATHS })
}

/// The paths through all vertices that end at `t` and start anywhere. In an undirected graph, the sets are
/// as for [`hamiltonian_paths_from`], and only [`EdgeSets::to_sequence`] differs.
///
/// The state and the reference: as for [`paths`]. No vertex leaves the frontier without its edges.
///
/// ```
/// use topdd_graph::{Graph, families::hamiltonian_paths_to};
///
/// let one_way = Graph::directed(3, [(0, 1), (1, 2), (2, 0), (2, 1)])?;
/// assert_eq!(hamiltonian_paths_to(&one_way, 1).count()?, 1u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn hamiltonian_paths_to(graph: &Graph, t: usize) -> EdgeSets {
    of_path(graph, PathRule { hamiltonian: true, to: Some(t), ..PATHS })
}

/// The paths through all vertices from `s` to `t`; see [`paths`].
///
/// The state and the reference: as for [`paths`]. No vertex leaves the frontier without its edges.
///
/// ```
/// use topdd_graph::{Graph, families::hamiltonian_paths_between};
///
/// assert_eq!(hamiltonian_paths_between(&Graph::grid(3, 3), 0, 8).count()?, 2u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn hamiltonian_paths_between(graph: &Graph, s: usize, t: usize) -> EdgeSets {
    of_path(graph, PathRule { hamiltonian: true, from: Some(s), to: Some(t), ..PATHS })
}

/// The simple paths between opposite corners of a grid of `n` times `n` vertices, OEIS A007764 (D. E.
/// Knuth, *Mathematics and Computer Science: Coping with Finiteness*, 1976). Of a single vertex there is
/// one, the empty set. The edges are in the order of the grid.
///
/// ```
/// use topdd_graph::families::grid_paths;
///
/// assert_eq!(grid_paths(5).count()?, 8512u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn grid_paths(n: usize) -> EdgeSets {
    let grid = Graph::grid(n, n);
    let family = match grid.num_vertices() {
        0 => all_paths(&grid),
        1 => return grid_hamiltonian_paths(1, 1),
        vertices => paths(&grid, 0, vertices - 1),
    };
    family.order(Order::Given)
}

/// The simple cycles of a grid of `rows` times `cols` vertices (OEIS A140517 for squares). The vertices and
/// edges are numbered along the shorter side.
///
/// ```
/// use topdd_graph::families::grid_cycles;
///
/// assert_eq!(grid_cycles(3, 3).count()?, 13u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn grid_cycles(rows: usize, cols: usize) -> EdgeSets {
    cycles(&narrow_grid(rows, cols)).order(Order::Given)
}

/// The Hamiltonian cycles of a grid of `rows` times `cols` vertices (OEIS A003763 for squares). The vertices
/// and edges are numbered along the shorter side.
///
/// ```
/// use topdd_graph::families::grid_hamiltonian_cycles;
///
/// assert_eq!(grid_hamiltonian_cycles(4, 4).count()?, 6u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn grid_hamiltonian_cycles(rows: usize, cols: usize) -> EdgeSets {
    hamiltonian_cycles(&narrow_grid(rows, cols)).order(Order::Given)
}

/// The Hamiltonian paths of a grid of `rows` times `cols` vertices, with any ends (OEIS A120443 for squares).
/// Of a single vertex there is one, the empty set. The vertices and edges are numbered along the shorter side.
///
/// ```
/// use topdd_graph::families::grid_hamiltonian_paths;
///
/// assert_eq!(grid_hamiltonian_paths(3, 3).count()?, 20u32.into());
/// assert_eq!(grid_hamiltonian_paths(1, 1).to_sequence(&[])?, [0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn grid_hamiltonian_paths(rows: usize, cols: usize) -> EdgeSets {
    let rule = PathRule { hamiltonian: true, trivial: true, ..PATHS };
    of_path(&narrow_grid(rows, cols), rule).order(Order::Given)
}

fn narrow_grid(rows: usize, cols: usize) -> Graph {
    Graph::grid(rows.max(cols), rows.min(cols))
}

/// The paths or cycles of a family with one variable for each vertex, made by
/// [`EdgeSets::by_vertex`](super::GraphSets::by_vertex). There are fewer levels than with one variable for
/// each edge.
///
/// The value of a variable selects the edges to *later* neighbours, whose numbers are larger. With the `k`
/// later neighbours numbered `0..k` in ascending order, the value 0 takes none, `1 + i` the edge to
/// neighbour `i`, and the values after that two edges, to the neighbours `(0, 1)`, `(0, 2)`, ..,
/// `(0, k-1)`, `(1, 2)`, .., `(k-2, k-1)` in this order. So the arity is `1 + k + k (k-1) / 2`.
///
/// Variable `v` is vertex `v`. A numbering with close neighbours has fewer states: along the shorter side of
/// a board, for instance, or in a [`narrow_order`](crate::order::narrow_order).
///
/// ```
/// use topdd_graph::{Graph, families::hamiltonian_cycles};
///
/// let tours = hamiltonian_cycles(&Graph::knight(6, 6));
/// let by_vertex = tours.by_vertex()?;
/// let zdd = by_vertex.frontier()?.zdd()?;
/// assert_eq!(zdd.count(), 9862u32.into());
/// let tour = tours.to_sequence(&by_vertex.elements_of(&zdd.iter().next().expect("there are 9862"))?)?;
/// assert_eq!(tours.validate(&tour), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PathsByVertex {
    graph: Arc<Graph>,
    problem: PathProblem,
}

impl EdgeSets {
    /// Returns the same paths or cycles with one variable for each vertex. The graph must be simple and
    /// undirected.
    ///
    /// # Errors
    ///
    /// - [`FamilyError::NotPaths`] for another family, or paths and cycles with other conditions.
    /// - [`FamilyError::Graph`] for a directed graph, a loop or parallel edges.
    /// - Another [`FamilyError`] for wrong parameters of the family.
    pub fn by_vertex(&self) -> Result<PathsByVertex, FamilyError> {
        let rule = self.only_path_rule()?;
        let problem = PathProblem::by_vertex(self.graph(), rule)?;
        Ok(PathsByVertex { graph: self.shared_graph(), problem })
    }

    /// The problem with one variable for each edge.
    //
    // Public for topdd-chess, and not part of the API.
    #[doc(hidden)]
    pub fn by_edge(&self) -> Result<PathProblem, FamilyError> {
        let left = vec![false; self.graph().num_edges()];
        let rule = self.only_path_rule()?;
        Ok(PathProblem::in_order(self.graph(), &self.element_order()?, rule, &left))
    }
}

impl PathsByVertex {
    /// Returns the number of variables, which is the number of vertices.
    pub fn num_vars(&self) -> usize {
        self.graph.num_vertices()
    }

    /// Returns the number of values of a vertex; `None` if there is no such vertex.
    ///
    /// ```
    /// use topdd_graph::{Graph, families::cycles};
    ///
    /// let by_vertex = cycles(&Graph::grid(2, 2)).by_vertex()?;
    /// assert_eq!(by_vertex.get_arity(0), Some(4)); // none, either, or both
    /// assert_eq!((by_vertex.get_arity(4), by_vertex.num_vars()), (None, 4));
    /// # Ok::<(), topdd_graph::families::FamilyError>(())
    /// ```
    pub fn get_arity(&self, vertex: usize) -> Option<usize> {
        (vertex < self.num_vars()).then(|| arity(self.problem.decided(vertex).len()))
    }

    /// Returns the edges that a value of a vertex takes, none, one or two; `None` if the value is not below
    /// the arity. The time is linear in the degree.
    ///
    /// # Panics
    ///
    /// If there is no such vertex.
    pub fn get_edges(&self, vertex: usize, value: usize) -> Option<Vec<usize>> {
        let later = self.problem.decided(vertex);
        let (one, other) = choice(later.len(), value)?;
        let edge = |i: usize| {
            self.graph
                .edge_between(vertex, later[i])
                .expect("an edge joins it to a later neighbour")
        };
        Some(one.into_iter().chain(other).map(edge).collect())
    }

    /// Returns the edges of a solution, ascending by their smaller ends, from the values of the vertices.
    ///
    /// # Errors
    ///
    /// [`SequenceError::WrongLength`] and [`SequenceError::ValueOutOfRange`].
    pub fn elements_of(&self, values: &[usize]) -> Result<Vec<usize>, SequenceError> {
        let (given, variables) = (values.len(), self.num_vars());
        if given != variables {
            return Err(SequenceError::WrongLength { given, variables });
        }
        let mut all = Vec::new();
        for (variable, &value) in values.iter().enumerate() {
            let edges = self.get_edges(variable, value);
            all.extend(edges.ok_or(SequenceError::ValueOutOfRange { variable, value })?);
        }
        Ok(all)
    }

    /// Converts a diagram of the paths or cycles into a diagram with one variable for each edge. Also returns the edge of
    /// each variable. The edges ascend as pairs of a smaller and a larger vertex.
    ///
    /// Cost: a sweep. The result has at most as many nodes as the diagram has edges, times the largest degree.
    ///
    /// ```
    /// use topdd_graph::{Graph, families::hamiltonian_cycles};
    ///
    /// let by_vertex = hamiltonian_cycles(&Graph::grid(2, 4)).by_vertex()?;
    /// let (by_edge, edges) = by_vertex.to_edge_sets(&by_vertex.frontier()?.zdd()?)?;
    /// // The rectangle around the grid: all edges but the two inner rungs.
    /// let cycle = by_edge.iter().next().expect("there is one");
    /// assert_eq!((edges.len(), cycle.iter().sum::<usize>(), by_edge.count()), (10, 8, 1u32.into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`QueryError::DifferentVariables`] if the diagram has other variables; [`QueryError::Build`] if the result
    /// has more nodes than can be numbered.
    pub fn to_edge_sets(&self, zdd: &Zdd) -> Result<(Zdd, Vec<usize>), QueryError> {
        let arities = (0..self.num_vars()).filter_map(|vertex| self.get_arity(vertex));
        if !arities.eq((0..zdd.num_vars()).map(|variable| zdd.arity(variable))) {
            let message = "each variable must be a vertex of the paths".to_owned();
            return Err(QueryError::DifferentVariables { message });
        }
        let (mut starts, mut edges) = (vec![0], Vec::new());
        for vertex in 0..self.num_vars() {
            let later = self.problem.decided(vertex).iter();
            edges.extend(later.filter_map(|&other| self.graph.edge_between(vertex, other)));
            starts.push(edges.len());
        }
        Ok((topdd::zdd(&ByEdges { zdd, starts })?, edges))
    }

    /// Makes a sweep over the spec, to set limits, threads or a checkpoint before building or counting.
    ///
    /// # Errors
    ///
    /// [`FamilyError::TooWide`] if a state needs more than 512 bytes, which happens only with a frontier of
    /// more than 448 vertices.
    pub fn frontier(&self) -> Result<Frontier<'static>, FamilyError> {
        Ok(self.problem.frontier()?)
    }

    /// Makes the spec, to combine it with others, to search it, or to check it. The spec decodes a state in
    /// each call, and a [`frontier`](PathsByVertex::frontier) does not.
    ///
    /// # Errors
    ///
    /// The errors of [`frontier`](PathsByVertex::frontier).
    pub fn spec(&self) -> Result<BoxedSpec<'static>, FamilyError> {
        Ok(self.frontier()?.into_spec()?)
    }

    /// The problem with one variable for each vertex.
    //
    // Public for topdd-chess, and not part of the API.
    #[doc(hidden)]
    pub fn problem(&self) -> &PathProblem {
        &self.problem
    }
}

/// A diagram of paths by vertex, as a spec over the edges.
struct ByEdges<'a> {
    zdd: &'a Zdd,
    /// The first edge to a later neighbour of each vertex; at the end, the number of all edges.
    starts: Vec<usize>,
}

/// A position of a walk among the edges to later neighbours of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ByEdgesState {
    /// The state of the diagram at the vertex.
    at: DiagramState,
    /// The value that selects the edges taken so far.
    value: usize,
}

topdd::portable!(ByEdgesState { at, value });

impl ByEdges<'_> {
    /// Returns the step to the next vertex with later neighbours.
    fn enter(&self, mut step: Step<DiagramState>) -> Step<ByEdgesState> {
        loop {
            match step {
                Step::Zero => return Step::Zero,
                Step::One => return Step::One,
                Step::To(vertex, at) if self.starts[vertex] == self.starts[vertex + 1] => {
                    step = self.zdd.child(&at, vertex, 0);
                }
                Step::To(vertex, at) => {
                    return Step::To(self.starts[vertex], ByEdgesState { at, value: 0 });
                }
            }
        }
    }
}

impl DdSpec for ByEdges<'_> {
    type State = ByEdgesState;

    fn num_vars(&self) -> usize {
        self.starts[self.zdd.num_vars()]
    }

    fn root(&self) -> Step<ByEdgesState> {
        self.enter(self.zdd.root_under(Rule::ZeroSuppressed))
    }

    fn child(&self, state: &ByEdgesState, edge: usize, taken: usize) -> Step<ByEdgesState> {
        let vertex = self.starts.partition_point(|&start| start <= edge) - 1;
        let (start, end) = (self.starts[vertex], self.starts[vertex + 1]);
        let value = match taken {
            0 => Some(state.value),
            _ => with(end - start, state.value, edge - start),
        };
        match value {
            None => Step::Zero,
            Some(value) if edge + 1 == end => self.enter(self.zdd.child(&state.at, vertex, value)),
            Some(value) => Step::To(edge + 1, ByEdgesState { value, ..*state }),
        }
    }
}
