//! The order of the variables.

use std::collections::VecDeque;

use super::FamilyError;
use crate::Graph;

/// The order in which a sweep decides the edges.
///
/// The order decides how many states there are: a vertex is on the frontier from its first to its
/// last edge, and the number of states grows exponentially with the width of the frontier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// An order with a narrow frontier, chosen by the library.
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
    /// The order as a permutation of the edges.
    ///
    /// # Errors
    ///
    /// [`FamilyError::BadOrder`] for a custom order that is no permutation.
    pub fn of(&self, graph: &Graph) -> Result<Vec<usize>, FamilyError> {
        let edges = graph.num_edges();
        match self {
            Order::Auto => Ok(narrow(graph)),
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

/// The better of the given order and of breadth-first orders. Linear time.
//
// The single place where the library chooses an order.
fn narrow(graph: &Graph) -> Vec<usize> {
    let given: Vec<usize> = (0..graph.num_edges()).collect();
    let first = breadth_first(graph, 0);
    let last = first.last().map_or(0, |&edge| graph.edges()[edge].0);
    let candidates = [given, breadth_first(graph, last), first];
    candidates.into_iter().min_by_key(|order| width(graph, order)).unwrap_or_default()
}

/// The largest number of vertices on the frontier, and the sum of the numbers.
fn width(graph: &Graph, order: &[usize]) -> (usize, usize) {
    let degrees: Vec<usize> = (0..graph.num_vertices()).map(|v| graph.degree(v)).collect();
    let mut left = degrees.clone();
    let (mut now, mut most, mut sum) = (0usize, 0, 0);
    for &edge in order {
        let (a, b) = graph.edges()[edge];
        for vertex in [a, b] {
            now += usize::from(left[vertex] == degrees[vertex]);
            left[vertex] -= 1;
        }
        most = most.max(now);
        now -= usize::from(left[a] == 0) + usize::from(a != b && left[b] == 0);
        sum += now;
    }
    (most, sum)
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
