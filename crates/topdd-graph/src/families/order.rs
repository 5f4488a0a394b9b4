//! The order of the variables.

use std::collections::VecDeque;

use super::FamilyError;
use super::kind::Unit;
use crate::Graph;
use crate::order::{Cost, edge_order};

/// The order in which a sweep decides the elements of a graph, its edges or its vertices.
///
/// The order decides how many states there are: a vertex is on the frontier from its first to its
/// last edge, and the number of states grows exponentially with the width of the frontier.
///
/// ```
/// use topdd_graph::{Graph, families::Order};
///
/// let square = Graph::cycle(4);
/// assert_eq!(Order::Given.edges(&square)?, [0, 1, 2, 3]);
/// assert!(Order::Custom(vec![0, 0, 1, 2]).edges(&square).is_err());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// An order with few states, chosen by the library: one that is found in some milliseconds, if its sweep has at most
    /// 64 000 states, or else of several orders, the one with the fewest by the beginning of its sweep and by its frontiers. Of long sweeps, the given order is kept unless its
    /// frontiers are clearly wider. See [`crate::order`] and [`choose`](crate::predict::choose).
    #[default]
    Auto,
    /// The order in which the edges, or the vertices, of the graph were given.
    Given,
    /// Breadth-first from vertex 0, and from the least vertex of each further component; of vertices, from one of least
    /// degree.
    Bfs,
    /// A permutation of the elements: variable `i` is element `order[i]`.
    Custom(Vec<usize>),
}

impl Order {
    /// Returns the order as a permutation of the edges. [`Order::Auto`] is the order with the narrowest frontiers.
    ///
    /// # Errors
    ///
    /// [`FamilyError::BadOrder`] for a custom order that is no permutation.
    pub fn edges(&self, graph: &Graph) -> Result<Vec<usize>, FamilyError> {
        match self {
            Order::Auto => Ok(edge_order(graph.num_vertices(), graph.edges(), &Cost::components())),
            order => order.elements(graph, Unit::Edge),
        }
    }

    /// The order as a permutation of the edges or of the vertices, if the family does not choose it.
    pub(super) fn elements(&self, graph: &Graph, unit: Unit) -> Result<Vec<usize>, FamilyError> {
        let elements = unit.elements(graph);
        match self {
            Order::Auto => unreachable!("an order is chosen for a family"),
            Order::Given => Ok((0..elements).collect()),
            Order::Bfs if unit == Unit::Edge => Ok(breadth_first(graph, 0)),
            Order::Bfs => Ok(breadth_first_vertices(graph)),
            Order::Custom(order) => {
                let mut seen = vec![false; elements];
                let is_new = |&element: &usize| {
                    element < elements && !std::mem::replace(&mut seen[element], true)
                };
                if order.len() == elements && order.iter().all(is_new) {
                    Ok(order.clone())
                } else {
                    Err(FamilyError::BadOrder { unit, elements })
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
                let other = graph.other_end(edge, vertex);
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

/// Breadth-first from a vertex of least degree of each component, neighbours of small degree first
/// (E. Cuthill and J. `McKee`, *Reducing the bandwidth of sparse symmetric matrices*, 1969).
fn breadth_first_vertices(graph: &Graph) -> Vec<usize> {
    let vertices = graph.num_vertices();
    let degree = |&vertex: &usize| graph.incident(vertex).len();
    let mut starts: Vec<usize> = (0..vertices).collect();
    starts.sort_by_key(degree);
    let mut seen = vec![false; vertices];
    let mut order = Vec::with_capacity(vertices);
    let mut open = VecDeque::new();
    for start in starts {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        open.push_back(start);
        while let Some(vertex) = open.pop_front() {
            order.push(vertex);
            let first = open.len();
            for other in graph.neighbours(vertex) {
                if !std::mem::replace(&mut seen[other], true) {
                    open.push_back(other);
                }
            }
            open.make_contiguous()[first..].sort_by_key(degree);
        }
    }
    order
}
