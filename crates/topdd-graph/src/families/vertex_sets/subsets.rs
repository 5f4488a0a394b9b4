//! The vertex sets of a family as a diagram.

use std::sync::Arc;

use topdd::diagram::ZeroSuppressed;
use topdd::rand::Rng;
use topdd::{BigUint, Goal, QueryError, Sets, Weights, Zdd};

use crate::Graph;

/// All vertex sets of a family, as a diagram and the map between its variables and the vertices.
///
/// Vertex sets are lists of vertices, ascending. Variable `i` of the diagram is vertex
/// [`vertex_order`](VertexSubsets::vertex_order)`[i]`.
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::independent_sets;
///
/// let sets = independent_sets(&Graph::cycle(5).with_vertex_weights([3, 1, 4, 1, 5])?).zdd()?;
/// assert_eq!(sets.count(), 11u32.into());
/// assert!(sets.contains(&[3, 1]));
/// assert_eq!(sets.maximum()?.vertices, [2, 4]);
/// assert_eq!(sets.count_by_size(), [1u32, 5, 5].map(Into::into));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct VertexSubsets {
    graph: Arc<Graph>,
    zdd: Zdd,
    order: Arc<[usize]>,
    /// The variable of each vertex.
    variables: Vec<usize>,
}

/// A vertex set and its weight.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BestVertexSet {
    /// The sum of the weights of the vertices.
    pub weight: i128,
    /// The vertices, ascending.
    pub vertices: Vec<usize>,
}

/// The vertices of a solution, ascending.
fn vertices_of(order: &[usize], solution: &[usize]) -> Vec<usize> {
    let ones = order.iter().zip(solution).filter(|&(_, &value)| value == 1);
    let mut vertices: Vec<usize> = ones.map(|(&vertex, _)| vertex).collect();
    vertices.sort_unstable();
    vertices
}

impl VertexSubsets {
    pub(super) fn new(graph: Arc<Graph>, zdd: Zdd, order: Vec<usize>) -> Self {
        let variables = crate::simple::inverse(&order);
        Self { graph, zdd, order: order.into(), variables }
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The diagram. Its variables are vertices in another order.
    pub fn diagram(&self) -> &Zdd {
        &self.zdd
    }

    /// The vertex of each variable of the diagram.
    pub fn vertex_order(&self) -> &[usize] {
        &self.order
    }

    /// The variable of the diagram of each vertex.
    pub fn variables(&self) -> &[usize] {
        &self.variables
    }

    /// The number of vertex sets. Linear in the size of the diagram.
    pub fn count(&self) -> BigUint {
        self.zdd.count()
    }

    /// Whether there is no vertex set.
    pub fn is_empty(&self) -> bool {
        self.zdd.is_empty()
    }

    /// The vertex sets, in the lexicographic order of the diagram.
    pub fn iter(&self) -> VertexSetsIter {
        let sets = self.zdd.iter_sets().expect("all variables have two values");
        VertexSetsIter { sets, order: self.order.clone() }
    }

    /// Whether a set of vertices, in any order, is in the family. A vertex that the graph does not
    /// have is in no set.
    pub fn contains(&self, vertices: &[usize]) -> bool {
        let mut solution = vec![0; self.order.len()];
        for &vertex in vertices {
            match self.variables.get(vertex) {
                Some(&variable) => solution[variable] = 1,
                None => return false,
            }
        }
        self.zdd.contains(&solution).expect("one value for each variable")
    }

    /// The weights of the graph; 1 for each vertex if it has none.
    fn own_weights(&self) -> Vec<i64> {
        (0..self.order.len()).map(|vertex| self.graph.vertex_weight(vertex)).collect()
    }

    /// The vertex set of least weight, by the weights of the vertices of the graph, or by the number
    /// of vertices if it has none.
    ///
    /// # Errors
    ///
    /// [`QueryError::NoSolutions`] if there is no vertex set.
    pub fn minimum(&self) -> Result<BestVertexSet, QueryError> {
        self.best_by(&self.own_weights(), Goal::Minimum, 1)?.next().ok_or(QueryError::NoSolutions)
    }

    /// The vertex set of greatest weight, by the weights of the vertices of the graph, or by the
    /// number of vertices if it has none.
    ///
    /// # Errors
    ///
    /// [`QueryError::NoSolutions`] if there is no vertex set.
    pub fn maximum(&self) -> Result<BestVertexSet, QueryError> {
        self.best_by(&self.own_weights(), Goal::Maximum, 1)?.next().ok_or(QueryError::NoSolutions)
    }

    /// The `k` best vertex sets, the best first, by one weight for each vertex.
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
        let ones = if weights.len() == self.order.len() {
            Weights::of_ones(self.order.iter().map(|&vertex| weights[vertex]))
        } else {
            // The query refuses a list of another length.
            Weights::of_ones(weights.iter().copied())
        };
        let order = self.order.clone();
        let best = self.zdd.k_best(&ones, goal, k)?;
        Ok(best.map(move |best| BestVertexSet {
            weight: best.weight,
            vertices: vertices_of(&order, &best.solution),
        }))
    }

    /// One vertex set at random, each with the same probability. Linear in the size of the diagram;
    /// for many, see [`Diagram::index`](topdd::Diagram::index).
    ///
    /// # Errors
    ///
    /// [`QueryError::NoSolutions`] if there is no vertex set.
    pub fn sample<G: Rng + ?Sized>(&self, rng: &mut G) -> Result<Vec<usize>, QueryError> {
        Ok(self.vertices_of(&self.zdd.sample(rng)?))
    }

    /// The vertices of a solution of the diagram, ascending.
    pub fn vertices_of(&self, solution: &[usize]) -> Vec<usize> {
        vertices_of(&self.order, solution)
    }

    /// The number of vertex sets of each size, from 0 to the largest.
    pub fn count_by_size(&self) -> Vec<BigUint> {
        self.zdd.count_by_size()
    }

    /// For each vertex, the number of vertex sets that contain it.
    pub fn vertex_counts(&self) -> Vec<BigUint> {
        let mut counts = self.zdd.value_counts();
        self.variables.iter().map(|&variable| counts[variable].pop().unwrap_or_default()).collect()
    }
}

impl IntoIterator for &VertexSubsets {
    type Item = Vec<usize>;
    type IntoIter = VertexSetsIter;

    fn into_iter(self) -> VertexSetsIter {
        self.iter()
    }
}

/// The vertex sets of [`VertexSubsets`], each ascending; see [`VertexSubsets::iter`].
#[derive(Clone, Debug)]
pub struct VertexSetsIter {
    sets: Sets<ZeroSuppressed>,
    order: Arc<[usize]>,
}

impl Iterator for VertexSetsIter {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let set = self.sets.next()?;
        let mut vertices: Vec<usize> =
            set.into_iter().map(|variable| self.order[variable]).collect();
        vertices.sort_unstable();
        Some(vertices)
    }
}
