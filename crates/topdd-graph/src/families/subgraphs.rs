//! The edge sets of a family as a diagram.

use std::sync::Arc;

use topdd::diagram::ZeroSuppressed;
use topdd::rand::Rng;
use topdd::{BigUint, Goal, QueryError, Sets, Weights, Zdd};

use crate::Graph;

/// All edge sets of a family, as a diagram and the map between its variables and the edges.
///
/// Edge sets are lists of edges, ascending, by their numbers in
/// [`Graph::edges`](crate::Graph::edges). Variable `i` of the diagram is edge
/// [`edge_order`](Subgraphs::edge_order)`[i]`.
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::spanning_trees;
///
/// let square = Graph::new(4, [(0, 1), (1, 2), (2, 3), (3, 0)])?.with_weights([4, 7, 1, 2])?;
/// let trees = spanning_trees(&square).zdd()?;
/// assert_eq!(trees.count(), 4u32.into());
/// assert!(trees.contains(&[0, 1, 3]));
/// let best: Vec<_> = trees.cheapest(2)?.collect();
/// assert_eq!(best[0].edges, [0, 2, 3]);
/// assert_eq!([best[0].weight, best[1].weight], [7, 10]);
/// assert_eq!(trees.count_by_size(), [0u32, 0, 0, 4].map(Into::into));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Subgraphs {
    graph: Arc<Graph>,
    zdd: Zdd,
    order: Arc<[usize]>,
    /// The variable of each edge.
    variables: Vec<usize>,
}

/// An edge set and its weight.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BestSubgraph {
    /// The sum of the weights of the edges.
    pub weight: i128,
    /// The edges, ascending.
    pub edges: Vec<usize>,
}

/// The edges of a solution, ascending.
fn edges_of(order: &[usize], solution: &[usize]) -> Vec<usize> {
    let ones = order.iter().zip(solution).filter(|&(_, &value)| value == 1);
    let mut edges: Vec<usize> = ones.map(|(&edge, _)| edge).collect();
    edges.sort_unstable();
    edges
}

impl Subgraphs {
    pub(crate) fn new(graph: Arc<Graph>, zdd: Zdd, order: Vec<usize>) -> Self {
        let variables = crate::simple::inverse(&order);
        Self { graph, zdd, order: order.into(), variables }
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The diagram. Its variables are edges in another order.
    pub fn diagram(&self) -> &Zdd {
        &self.zdd
    }

    /// The edge of each variable of the diagram.
    pub fn edge_order(&self) -> &[usize] {
        &self.order
    }

    /// The variable of the diagram of each edge.
    pub fn variables(&self) -> &[usize] {
        &self.variables
    }

    /// The number of edge sets. Linear in the size of the diagram.
    pub fn count(&self) -> BigUint {
        self.zdd.count()
    }

    /// Whether there is no edge set.
    pub fn is_empty(&self) -> bool {
        self.zdd.is_empty()
    }

    /// The edge sets, in the lexicographic order of the diagram.
    pub fn iter(&self) -> EdgeSetsIter {
        let sets = self.zdd.iter_sets().expect("all variables have two values");
        EdgeSetsIter { sets, order: self.order.clone() }
    }

    /// Whether a set of edges, in any order, is in the family. An edge that the graph does not have
    /// is in no set.
    pub fn contains(&self, edges: &[usize]) -> bool {
        let mut solution = vec![0; self.order.len()];
        for &edge in edges {
            match self.variables.get(edge) {
                Some(&variable) => solution[variable] = 1,
                None => return false,
            }
        }
        self.zdd.contains(&solution).expect("one value for each variable")
    }

    /// The weights of edges as weights of variables. The query refuses a list of the wrong length.
    fn weights_by_variable<T: Copy + Default>(&self, weights: &[T]) -> Weights<T> {
        if weights.len() == self.order.len() {
            Weights::of_ones(self.order.iter().map(|&edge| weights[edge]))
        } else {
            Weights::of_ones(weights.iter().copied())
        }
    }

    /// The weights of the graph; 1 for each edge if it has none.
    fn own_weights(&self) -> Vec<i64> {
        (0..self.order.len()).map(|edge| self.graph.weight(edge)).collect()
    }

    /// The edge set of least weight, by the weights of the graph, or by the number of edges if it
    /// has none.
    ///
    /// # Errors
    ///
    /// [`QueryError::NoSolutions`] if there is no edge set.
    pub fn minimum(&self) -> Result<BestSubgraph, QueryError> {
        self.best_by(&self.own_weights(), Goal::Minimum, 1)?.next().ok_or(QueryError::NoSolutions)
    }

    /// The edge set of greatest weight, by the weights of the graph, or by the number of edges if
    /// it has none.
    ///
    /// # Errors
    ///
    /// [`QueryError::NoSolutions`] if there is no edge set.
    pub fn maximum(&self) -> Result<BestSubgraph, QueryError> {
        self.best_by(&self.own_weights(), Goal::Maximum, 1)?.next().ok_or(QueryError::NoSolutions)
    }

    /// The `k` edge sets of least weight, ascending, by the weights of the graph.
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

    /// The `k` best edge sets, the best first, by one weight for each edge.
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
        let order = self.order.clone();
        let best = self.zdd.k_best(&self.weights_by_variable(weights), goal, k)?;
        Ok(best.map(move |best| BestSubgraph {
            weight: best.weight,
            edges: edges_of(&order, &best.solution),
        }))
    }

    /// One edge set at random, each with the same probability. Linear in the size of the diagram;
    /// for many, see [`Diagram::index`](topdd::Diagram::index).
    ///
    /// # Errors
    ///
    /// [`QueryError::NoSolutions`] if there is no edge set.
    pub fn sample<G: Rng + ?Sized>(&self, rng: &mut G) -> Result<Vec<usize>, QueryError> {
        Ok(self.edges_of(&self.zdd.sample(rng)?))
    }

    /// The edges of a solution of the diagram, ascending.
    pub fn edges_of(&self, solution: &[usize]) -> Vec<usize> {
        edges_of(&self.order, solution)
    }

    /// The number of edge sets of each size, from 0 to the largest.
    pub fn count_by_size(&self) -> Vec<BigUint> {
        self.zdd.count_by_size()
    }

    /// For each edge, the number of edge sets that contain it.
    pub fn edge_counts(&self) -> Vec<BigUint> {
        let mut counts = self.zdd.value_counts();
        self.variables.iter().map(|&variable| counts[variable].pop().unwrap_or_default()).collect()
    }

    /// The probability that the edges that work are a set of the family, if edge `e` works with
    /// probability `works[e]`, independently of the others.
    ///
    /// # Errors
    ///
    /// As for [`Diagram::probability`](topdd::Diagram::probability).
    pub fn probability(&self, works: &[f64]) -> Result<f64, QueryError> {
        let ones = self.weights_by_variable(works);
        let both = (0..ones.num_vars()).map(|v| [1.0 - ones[(v, 1)], ones[(v, 1)]]);
        self.zdd.probability(&both.collect())
    }
}

impl IntoIterator for &Subgraphs {
    type Item = Vec<usize>;
    type IntoIter = EdgeSetsIter;

    fn into_iter(self) -> EdgeSetsIter {
        self.iter()
    }
}

/// The edge sets of [`Subgraphs`], each ascending; see [`Subgraphs::iter`].
#[derive(Clone, Debug)]
pub struct EdgeSetsIter {
    sets: Sets<ZeroSuppressed>,
    order: Arc<[usize]>,
}

impl Iterator for EdgeSetsIter {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let set = self.sets.next()?;
        let mut edges: Vec<usize> = set.into_iter().map(|variable| self.order[variable]).collect();
        edges.sort_unstable();
        Some(edges)
    }
}
