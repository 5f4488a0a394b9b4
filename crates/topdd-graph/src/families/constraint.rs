//! Constraints on the edge sets of a family.

use super::degrees::Degrees;

/// A constraint on sets of edges, to combine with a family by [`GraphSets::and`](super::GraphSets::and). Those on size and
/// weight, and on single elements, are for sets of vertices as well.
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::{
///     at_least, at_most, avoid, cost_at_least, cost_at_most, exactly, matchings, through,
/// };
///
/// let grid = Graph::grid(2, 3);
/// assert_eq!(matchings(&grid).and(exactly(2)).and(avoid(0)).count()?, 4u32.into());
/// let some = matchings(&grid).and(at_least(1)).and(at_most(2));
/// assert_eq!(some.clone().and(through(0)).count()? + some.and(avoid(0)).count()?, 18u32.into());
///
/// let prices = [3, 1, 4, 1, 5, 9, 2];
/// let cheap = matchings(&grid).and(cost_at_most(prices, 4));
/// assert_eq!(cheap.clone().count()?, 8u32.into());
/// assert_eq!(cheap.and(cost_at_least(prices, 1)).count()?, 7u32.into()); // without the empty one
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SubgraphConstraint {
    /// A number of edges, or of vertices, within bounds.
    Size {
        /// The least number.
        least: usize,
        /// The greatest number.
        most: usize,
    },
    /// A sum of the weights of the edges, or of the vertices, within bounds.
    Weight {
        /// The weight of each edge, or vertex.
        weights: Vec<i64>,
        /// The least sum.
        least: i64,
        /// The greatest sum.
        most: i64,
    },
    /// The allowed numbers of edge ends at a vertex, in and out; a loop has two.
    Degree {
        /// The vertex.
        vertex: usize,
        /// Its allowed degrees.
        degrees: Degrees,
    },
    /// The allowed numbers of edges out of a vertex of a directed graph.
    OutDegree {
        /// The vertex.
        vertex: usize,
        /// Its allowed degrees.
        degrees: Degrees,
    },
    /// The allowed numbers of edges into a vertex of a directed graph.
    InDegree {
        /// The vertex.
        vertex: usize,
        /// Its allowed degrees.
        degrees: Degrees,
    },
    /// Whether an edge or a vertex is in the set, or whether a vertex has a colour.
    Element {
        /// The edge, or the vertex.
        element: usize,
        /// 1 for members of a set, or the colour.
        value: usize,
        /// Whether the element has the value.
        taken: bool,
    },
}

/// Bounds the size of a set: at most `most` edges, or vertices in a family of vertex sets.
pub fn at_most(most: usize) -> SubgraphConstraint {
    SubgraphConstraint::Size { least: 0, most }
}

/// Bounds the size of a set: at least `least` edges, or vertices in a family of vertex sets.
pub fn at_least(least: usize) -> SubgraphConstraint {
    SubgraphConstraint::Size { least, most: usize::MAX }
}

/// Fixes the size of a set: `count` edges, or vertices in a family of vertex sets.
pub fn exactly(count: usize) -> SubgraphConstraint {
    SubgraphConstraint::Size { least: count, most: count }
}

/// Bounds the cost of a set: the sum of the weights of its edges, or vertices, is at most `most`.
pub fn cost_at_most(weights: impl Into<Vec<i64>>, most: i64) -> SubgraphConstraint {
    SubgraphConstraint::Weight { weights: weights.into(), least: i64::MIN, most }
}

/// Bounds the cost of a set: the sum of the weights of its edges, or vertices, is at least `least`.
pub fn cost_at_least(weights: impl Into<Vec<i64>>, least: i64) -> SubgraphConstraint {
    SubgraphConstraint::Weight { weights: weights.into(), least, most: i64::MAX }
}

/// Keeps the sets without an edge at `vertex`.
pub fn avoid(vertex: usize) -> SubgraphConstraint {
    SubgraphConstraint::Degree { vertex, degrees: Degrees::from(0) }
}

/// Keeps the sets with an edge at `vertex`.
#[doc(alias("steiner_cycles", "steiner_paths"))]
pub fn through(vertex: usize) -> SubgraphConstraint {
    SubgraphConstraint::Degree { vertex, degrees: Degrees::from(1..) }
}
