//! The edge sets of a family as a diagram.

use std::sync::Arc;

use topdd::rand_core::Rng;
use topdd::{BigUint, Goal, QueryError, Zdd};

use super::ordered::{Ordered, OrderedIter};
use crate::Graph;

/// All edge sets of a family, as a diagram and the map between its variables and the edges.
///
/// Edge sets are lists of edges, ascending, by their numbers in
/// [`Graph::edges`](crate::Graph::edges). Variable `i` of the diagram is edge
/// [`edge_order`](EdgeSetDiagram::edge_order)`[i]`.
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::spanning_trees;
/// use topdd::Goal;
///
/// let square = Graph::new(4, [(0, 1), (1, 2), (2, 3), (3, 0)])?.with_weights([4, 7, 1, 2])?;
/// let trees = spanning_trees(&square).zdd()?;
/// assert_eq!(trees.count(), 4u32.into());
/// assert!(trees.contains(&[0, 1, 3]));
/// let best: Vec<_> = trees.cheapest(2)?.collect();
/// assert_eq!(best[0].edges, [0, 2, 3]);
/// assert_eq!([best[0].weight, best[1].weight], [7, 10]);
/// assert_eq!(trees.count_by_size(), [0u32, 0, 0, 4].map(Into::into));
/// assert_eq!(trees.edge_counts(), [3u32; 4].map(Into::into));
/// assert_eq!([trees.minimum()?.weight, trees.maximum()?.weight], [7, 13]);
///
/// let other = trees.best_by(&[1, 0, 0, 0], Goal::Minimum, 1)?.next().unwrap();
/// assert_eq!((other.weight, other.edges), (0, vec![1, 2, 3]));
/// // Exactly three of the edges work.
/// assert!((trees.probability(&[0.5; 4])? - 0.25).abs() < 1e-12);
/// let first = trees.diagram().iter().next().unwrap();
/// assert!(trees.contains(&trees.edges_of(&first)));
/// assert!(!trees.is_empty() && trees.iter().all(|edges| edges.len() == 3));
/// assert_eq!(trees.variables()[trees.edge_order()[0]], 0); // of the edge of variable 0
/// assert_eq!(trees.graph().num_edges(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct EdgeSetDiagram {
    graph: Arc<Graph>,
    sets: Ordered,
}

/// An edge set and its weight.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BestSubgraph {
    /// The sum of the weights of the edges.
    pub weight: i128,
    /// The edges, ascending.
    pub edges: Vec<usize>,
}

impl EdgeSetDiagram {
    pub(crate) fn new(graph: Arc<Graph>, zdd: Zdd, order: Vec<usize>) -> Self {
        Self { graph, sets: Ordered::new(zdd, order) }
    }

    /// Returns the graph.
    /// See the example of [`EdgeSetDiagram`].
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the diagram. Its variables are edges in another order.
    /// See the example of [`EdgeSetDiagram`].
    pub fn diagram(&self) -> &Zdd {
        &self.sets.zdd
    }

    /// Returns the edge of each variable of the diagram.
    /// See the example of [`EdgeSetDiagram`].
    pub fn edge_order(&self) -> &[usize] {
        &self.sets.order
    }

    /// Returns the variable of the diagram of each edge.
    /// See the example of [`EdgeSetDiagram`].
    pub fn variables(&self) -> &[usize] {
        &self.sets.variables
    }

    /// Returns the number of edge sets. Linear in the size of the diagram.
    /// See the example of [`EdgeSetDiagram`].
    pub fn count(&self) -> BigUint {
        self.sets.zdd.count()
    }

    /// Returns whether there is no edge set.
    /// See the example of [`EdgeSetDiagram`].
    pub fn is_empty(&self) -> bool {
        self.sets.zdd.is_empty()
    }

    /// Returns the edge sets, in the lexicographic order of the diagram.
    /// See the example of [`EdgeSetDiagram`].
    pub fn iter(&self) -> EdgeSetsIter {
        EdgeSetsIter(self.sets.iter())
    }

    /// Returns whether a set of edges, in any order, is in the family. An edge that the graph does not
    /// have is in no set.
    /// See the example of [`EdgeSetDiagram`].
    pub fn contains(&self, edges: &[usize]) -> bool {
        self.sets.contains(edges)
    }

    /// The weights of the graph; 1 for each edge if it has none.
    fn own_weights(&self) -> Vec<i64> {
        (0..self.sets.order.len()).map(|edge| self.graph.weight(edge)).collect()
    }

    /// Returns the edge set of least weight, by the weights of the graph, or by the number of edges if
    /// it has none.
    /// See the example of [`EdgeSetDiagram`].
    ///
    /// # Errors
    ///
    /// [`QueryError::NoSolutions`] if there is no edge set.
    pub fn minimum(&self) -> Result<BestSubgraph, QueryError> {
        self.best_by(&self.own_weights(), Goal::Minimum, 1)?.next().ok_or(QueryError::NoSolutions)
    }

    /// Returns the edge set of greatest weight, by the weights of the graph, or by the number of edges
    /// if it has none.
    /// See the example of [`EdgeSetDiagram`].
    ///
    /// # Errors
    ///
    /// [`QueryError::NoSolutions`] if there is no edge set.
    pub fn maximum(&self) -> Result<BestSubgraph, QueryError> {
        self.best_by(&self.own_weights(), Goal::Maximum, 1)?.next().ok_or(QueryError::NoSolutions)
    }

    /// Returns the `k` edge sets of least weight, ascending, by the weights of the graph.
    /// See the example of [`EdgeSetDiagram`].
    ///
    /// # Errors
    ///
    /// As for [`Diagram::k_best`](topdd::Diagram::k_best).
    pub fn cheapest(
        &self,
        k: usize,
    ) -> Result<impl Iterator<Item = BestSubgraph> + use<>, QueryError> {
        self.best_by(&self.own_weights(), Goal::Minimum, k)
    }

    /// Returns the `k` best edge sets, the best first, by one weight for each edge.
    /// See the example of [`EdgeSetDiagram`].
    ///
    /// # Errors
    ///
    /// As for [`Diagram::k_best`](topdd::Diagram::k_best).
    pub fn best_by(
        &self,
        weights: &[i64],
        goal: Goal,
        k: usize,
    ) -> Result<impl Iterator<Item = BestSubgraph> + use<>, QueryError> {
        let best = self.sets.best_by(weights, goal, k)?;
        Ok(best.map(|(weight, edges)| BestSubgraph { weight, edges }))
    }

    /// Returns one edge set at random, each with the same probability. Linear in the size of the
    /// diagram; for many, see [`Diagram::index`](topdd::Diagram::index).
    /// See the example of [`Diagram::sample`](topdd::Diagram::sample).
    ///
    /// # Errors
    ///
    /// [`QueryError::NoSolutions`] if there is no edge set.
    pub fn sample<G: Rng + ?Sized>(&self, rng: &mut G) -> Result<Vec<usize>, QueryError> {
        Ok(self.edges_of(&self.sets.zdd.sample(rng)?))
    }

    /// Returns the edges of a solution of the diagram, ascending.
    /// See the example of [`EdgeSetDiagram`].
    ///
    /// # Panics
    ///
    /// If `solution` does not have one value for each variable.
    #[track_caller]
    pub fn edges_of(&self, solution: &[usize]) -> Vec<usize> {
        self.sets.items_of(solution)
    }

    /// Returns the number of edge sets of each size, from 0 to the largest.
    /// See the example of [`EdgeSetDiagram`].
    pub fn count_by_size(&self) -> Vec<BigUint> {
        self.sets.zdd.count_by_size()
    }

    /// Returns, for each edge, the number of edge sets that contain it.
    /// See the example of [`EdgeSetDiagram`].
    pub fn edge_counts(&self) -> Vec<BigUint> {
        self.sets.counts()
    }

    /// Returns the probability that the edges that work are a set of the family, if edge `e` works with
    /// probability `works[e]`, independently of the others.
    /// See the example of [`EdgeSetDiagram`].
    ///
    /// # Errors
    ///
    /// As for [`Diagram::probability`](topdd::Diagram::probability).
    pub fn probability(&self, works: &[f64]) -> Result<f64, QueryError> {
        let ones = self.sets.weights(works);
        let both = (0..ones.num_vars()).map(|v| [1.0 - ones.variable(v)[1], ones.variable(v)[1]]);
        self.sets.zdd.probability(&both.collect())
    }
}

impl IntoIterator for &EdgeSetDiagram {
    type Item = Vec<usize>;
    type IntoIter = EdgeSetsIter;

    fn into_iter(self) -> EdgeSetsIter {
        self.iter()
    }
}

/// The edge sets of [`EdgeSetDiagram`], each ascending; see [`EdgeSetDiagram::iter`].
#[derive(Clone, Debug)]
pub struct EdgeSetsIter(OrderedIter);

impl Iterator for EdgeSetsIter {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        self.0.next()
    }
}
