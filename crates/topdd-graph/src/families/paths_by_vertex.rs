//! Paths and cycles with one variable for each vertex.

use std::sync::Arc;

use topdd::{BoxedSpec, Frontier};

use super::{EdgeSets, FamilyError, SequenceError};
use crate::Graph;
use crate::choices::{arity, choice};
use crate::path_problem::PathProblem;

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
