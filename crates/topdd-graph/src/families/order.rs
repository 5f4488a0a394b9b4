//! The order of the variables.

use std::collections::VecDeque;

use super::FamilyError;
use crate::Graph;
use crate::order::{Cost, edge_order};

/// The order in which a sweep decides the edges.
///
/// The order decides how many states there are: a vertex is on the frontier from its first to its
/// last edge, and the number of states grows exponentially with the width of the frontier.
///
/// ```
/// use topdd_graph::{Graph, families::Order};
///
/// let square = Graph::cycle(4);
/// assert_eq!(Order::Given.of(&square)?, [0, 1, 2, 3]);
/// assert!(Order::Custom(vec![0, 0, 1, 2]).of(&square).is_err());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// An order with few states, chosen by the library: of several orders, the one with the fewest by the
    /// beginning of its sweep and by its frontiers. Of long sweeps, the given order is kept unless its
    /// frontiers are clearly wider. See [`crate::order`] and [`choose`](crate::predict::choose).
    #[default]
    Auto,
    /// The order in which the edges of the graph were given.
    Given,
    /// Breadth-first from vertex 0, and from the least vertex of each further component.
    Bfs,
    /// A permutation of the edges: variable `i` is edge `order[i]`.
    Custom(Vec<usize>),
}

impl Order {
    /// Returns the order as a permutation of the edges.
    /// See the example of [`Order`].
    ///
    /// # Errors
    ///
    /// [`FamilyError::BadOrder`] for a custom order that is no permutation.
    pub fn of(&self, graph: &Graph) -> Result<Vec<usize>, FamilyError> {
        let edges = graph.num_edges();
        match self {
            Order::Auto => Ok(edge_order(graph.num_vertices(), graph.edges(), &Cost::components())),
            Order::Given => Ok((0..edges).collect()),
            Order::Bfs => Ok(breadth_first(graph, 0)),
            Order::Custom(order) => {
                let mut seen = vec![false; edges];
                let is_new =
                    |&edge: &usize| edge < edges && !std::mem::replace(&mut seen[edge], true);
                if order.len() == edges && order.iter().all(is_new) {
                    Ok(order.clone())
                } else {
                    Err(FamilyError::BadOrder { edges })
                }
            }
        }
    }
}

/// The edges by their later ends in a breadth-first numbering of the vertices.
fn breadth_first(graph: &Graph, start: usize) -> Vec<usize> {
    let mut seen = vec![false; graph.num_vertices()];
    let mut decided = vec![false; graph.num_edges()];
    let mut order = Vec::with_capacity(graph.num_edges());
    let mut open = VecDeque::new();
    let starts = std::iter::once(start).filter(|&v| v < graph.num_vertices());
    for start in starts.chain(0..graph.num_vertices()) {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        open.push_back(start);
        while let Some(vertex) = open.pop_front() {
            for &edge in graph.incident(vertex) {
                let (a, b) = graph.edges()[edge];
                let other = a ^ b ^ vertex;
                if !std::mem::replace(&mut decided[edge], true) {
                    order.push(edge);
                }
                if !std::mem::replace(&mut seen[other], true) {
                    open.push_back(other);
                }
            }
        }
    }
    order
}
