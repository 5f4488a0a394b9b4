//! The vertex sets of a family as a diagram.

use std::sync::Arc;

use topdd::rand_core::Rng;
use topdd::{BigUint, Goal, QueryError, Zdd};

use super::super::ordered::{Ordered, OrderedIter};
use crate::Graph;

/// All vertex sets of a family, as a diagram and the map between its variables and the vertices.
///
/// Vertex sets are lists of vertices, ascending. Variable `i` of the diagram is vertex
/// [`vertex_order`](VertexSetDiagram::vertex_order)`[i]`.
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::independent_sets;
/// use topdd::Goal;
///
/// let sets = independent_sets(&Graph::cycle(5).with_vertex_weights([3, 1, 4, 1, 5])?).zdd()?;
/// assert_eq!(sets.count(), 11u32.into());
/// assert!(sets.contains(&[3, 1]));
/// assert_eq!(sets.maximum()?.vertices, [2, 4]);
/// assert_eq!(sets.count_by_size(), [1u32, 5, 5].map(Into::into));
/// assert_eq!(sets.vertex_counts(), [3u32; 5].map(Into::into));
///
/// let best = sets.best_by(&[1, 1, 0, 0, 0], Goal::Maximum, 1)?.next().unwrap();
/// assert_eq!(best.weight, 1);
/// let first = sets.diagram().iter().next().unwrap();
/// assert!(sets.contains(&sets.vertices_of(&first)));
/// assert!(!sets.is_empty() && sets.iter().all(|vertices| vertices.len() <= 2));
/// assert_eq!(sets.variables()[sets.vertex_order()[0]], 0); // of the vertex of variable 0
/// assert_eq!((sets.graph().num_vertices(), sets.minimum()?.weight), (5, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct VertexSetDiagram {
    graph: Arc<Graph>,
    sets: Ordered,
}

/// A vertex set and its weight.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BestVertexSet {
    /// The sum of the weights of the vertices.
    pub weight: i128,
    /// The vertices, ascending.
    pub vertices: Vec<usize>,
}

impl VertexSetDiagram {
    pub(super) fn new(graph: Arc<Graph>, zdd: Zdd, order: Vec<usize>) -> Self {
        Self { graph, sets: Ordered::new(zdd, order) }
    }

    /// Returns the graph.
    /// See the example of [`VertexSetDiagram`].
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the diagram. Its variables are vertices in another order.
    /// See the example of [`VertexSetDiagram`].
    pub fn diagram(&self) -> &Zdd {
        &self.sets.zdd
    }

    /// Returns the vertex of each variable of the diagram.
    /// See the example of [`VertexSetDiagram`].
    pub fn vertex_order(&self) -> &[usize] {
        &self.sets.order
    }

    /// Returns the variable of the diagram of each vertex.
    /// See the example of [`VertexSetDiagram`].
    pub fn variables(&self) -> &[usize] {
        &self.sets.variables
    }

    /// Returns the number of vertex sets. Linear in the size of the diagram.
    /// See the example of [`VertexSetDiagram`].
    pub fn count(&self) -> BigUint {
        self.sets.zdd.count()
    }

    /// Returns whether there is no vertex set.
    /// See the example of [`VertexSetDiagram`].
    pub fn is_empty(&self) -> bool {
        self.sets.zdd.is_empty()
    }

    /// Returns the vertex sets, in the lexicographic order of the diagram.
    /// See the example of [`VertexSetDiagram`].
    pub fn iter(&self) -> VertexSetsIter {
        VertexSetsIter(self.sets.iter())
    }

    /// Returns whether a set of vertices, in any order, is in the family. A vertex that the graph does
    /// not have is in no set.
    /// See the example of [`VertexSetDiagram`].
    pub fn contains(&self, vertices: &[usize]) -> bool {
        self.sets.contains(vertices)
    }

    /// The weights of the graph; 1 for each vertex if it has none.
    fn own_weights(&self) -> Vec<i64> {
        (0..self.sets.order.len()).map(|vertex| self.graph.vertex_weight(vertex)).collect()
    }

    /// Returns the vertex set of least weight, by the weights of the vertices of the graph, or by the
    /// number of vertices if it has none.
    /// See the example of [`VertexSetDiagram`].
    ///
    /// # Errors
    ///
    /// [`QueryError::NoSolutions`] if there is no vertex set.
    pub fn minimum(&self) -> Result<BestVertexSet, QueryError> {
        self.best_by(&self.own_weights(), Goal::Minimum, 1)?.next().ok_or(QueryError::NoSolutions)
    }

    /// Returns the vertex set of greatest weight, by the weights of the vertices of the graph, or by
    /// the number of vertices if it has none.
    /// See the example of [`VertexSetDiagram`].
    ///
    /// # Errors
    ///
    /// [`QueryError::NoSolutions`] if there is no vertex set.
    pub fn maximum(&self) -> Result<BestVertexSet, QueryError> {
        self.best_by(&self.own_weights(), Goal::Maximum, 1)?.next().ok_or(QueryError::NoSolutions)
    }

    /// Returns the `k` best vertex sets, the best first, by one weight for each vertex.
    /// See the example of [`VertexSetDiagram`].
    ///
    /// # Errors
    ///
    /// As for [`Diagram::k_best`](topdd::Diagram::k_best).
    pub fn best_by(
        &self,
        weights: &[i64],
        goal: Goal,
        k: usize,
    ) -> Result<impl Iterator<Item = BestVertexSet> + use<>, QueryError> {
        let best = self.sets.best_by(weights, goal, k)?;
        Ok(best.map(|(weight, vertices)| BestVertexSet { weight, vertices }))
    }

    /// Returns one vertex set at random, each with the same probability. Linear in the size of the
    /// diagram; for many, see [`Diagram::index`](topdd::Diagram::index).
    /// See the example of [`Diagram::sample`](topdd::Diagram::sample).
    ///
    /// # Errors
    ///
    /// [`QueryError::NoSolutions`] if there is no vertex set.
    pub fn sample<G: Rng + ?Sized>(&self, rng: &mut G) -> Result<Vec<usize>, QueryError> {
        Ok(self.vertices_of(&self.sets.zdd.sample(rng)?))
    }

    /// Returns the vertices of a solution of the diagram, ascending.
    /// See the example of [`VertexSetDiagram`].
    ///
    /// # Panics
    ///
    /// If `solution` does not have one value for each variable.
    #[track_caller]
    pub fn vertices_of(&self, solution: &[usize]) -> Vec<usize> {
        self.sets.items_of(solution)
    }

    /// Returns the number of vertex sets of each size, from 0 to the largest.
    /// See the example of [`VertexSetDiagram`].
    pub fn count_by_size(&self) -> Vec<BigUint> {
        self.sets.zdd.count_by_size()
    }

    /// Returns, for each vertex, the number of vertex sets that contain it.
    /// See the example of [`VertexSetDiagram`].
    pub fn vertex_counts(&self) -> Vec<BigUint> {
        self.sets.counts()
    }
}

impl IntoIterator for &VertexSetDiagram {
    type Item = Vec<usize>;
    type IntoIter = VertexSetsIter;

    fn into_iter(self) -> VertexSetsIter {
        self.iter()
    }
}

/// The vertex sets of [`VertexSetDiagram`], each ascending; see [`VertexSetDiagram::iter`].
#[derive(Clone, Debug)]
pub struct VertexSetsIter(OrderedIter);

impl Iterator for VertexSetsIter {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        self.0.next()
    }
}
