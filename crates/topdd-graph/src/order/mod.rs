//! Orders of edges and vertices in which a sweep has few states.
//!
//! The states of a sweep over the subgraphs of a graph store values for the vertices of the
//! **frontier**: those with both processed and unprocessed edges. So an order with a narrow frontier
//! has few states. All functions take a plain list of edges, in which parallel edges and loops may
//! occur, and are deterministic.
//!
//! | function | result |
//! | --- | --- |
//! | [`edge_order`] | an order of the edges with few estimated states |
//! | [`edge_orders`] | several different ones, the given order and all reverses included |
//! | [`vertex_order`], [`vertex_orders`] | the same of the vertices, for families of vertex sets |
//! | [`edge_frontiers`], [`vertex_frontiers`] | the width of the frontier after each step |
//! | [`frontier_bits`], [`vertex_frontier_bits`] | the estimated states before each step |
//! | [`edges_on_paths`] | the edges that paths between two vertices may contain |
//! | [`narrow_order`] | an order of the vertices for Hamiltonian cycles of bipartite graphs, by vertex |
//!
//! Vertices with one neighbour are removed first, repeatedly: trees are processed
//! from their leaves. For each connected component of the rest, the search combines:
//!
//! - greedy search from many vertices: the vertex that adds the fewest vertices to the frontier
//!   is closed next;
//! - beam search over sets of vertices (Y. Inoue and S. Minato, *Acceleration of ZDD construction for
//!   subgraph enumeration via path-width optimization*, 2016);
//! - local moves of single vertices.
//!
//! The estimate of states depends only on the frontiers, and an order and its reverse have the same ones.
//! Their states may differ by a factor of a hundred. [`crate::predict::choose`] compares orders by
//! sweeping the real spec for a short time.

mod closing;
mod hamiltonian;
mod incidence;
mod search;
#[cfg(test)]
mod tests;
mod widths;

use closing::breadth_first;
use incidence::Incidence;
use search::{SearchEffort, closing_orders, components};

pub use hamiltonian::narrow_order;
pub(crate) use incidence::blocks;
pub use incidence::edges_on_paths;
pub use widths::{Cost, edge_frontiers, frontier_bits, vertex_frontier_bits, vertex_frontiers};

/// The number of different orders that [`edge_orders`] searches for.
const ALTERNATIVES: usize = 3;

/// Returns a permutation of the positions in `edges` in which a sweep over a family has few
/// states, by the estimate of `cost`.
///
/// Takes tenths of a second for some hundred edges, and a second or two for a million. No recursion.
///
/// # Panics
///
/// If an end of an edge, or of the paths of the cost, is not below `num_vertices`.
///
/// # Example
///
/// ```
/// use topdd_graph::order::{Cost, edge_frontiers, edge_order};
///
/// // A path of ten edges, in a bad order.
/// let edges: Vec<_> = (0..10).map(|i| (3 * i % 10, 3 * i % 10 + 1)).collect();
/// let order = edge_order(11, &edges, &Cost::mates());
/// assert_eq!(edge_frontiers(11, &edges, &order).into_iter().max(), Some(1));
/// ```
pub fn edge_order(num_vertices: usize, edges: &[(usize, usize)], cost: &Cost) -> Vec<usize> {
    let orders = closings(num_vertices, edges, cost, SearchEffort::full(1));
    let mut order = edges_of(num_vertices, edges, &orders[0]);
    if let Some((from, to)) = cost.ends {
        // Paths grow from a fixed end if it is processed early.
        let position = |end: usize| {
            order.iter().position(|&edge| edges[edge].0 == end || edges[edge].1 == end).unwrap_or(0)
        };
        let last = |end: usize| {
            order
                .iter()
                .rposition(|&edge| edges[edge].0 == end || edges[edge].1 == end)
                .unwrap_or(0)
        };
        let early = position(from).min(position(to));
        let late = order.len().saturating_sub(1 + last(from).max(last(to)));
        if late < early {
            order.reverse();
        }
    }
    order
}

/// Returns different edge orders: the best ones that a search finds, breadth-first order, the given
/// order, and the reverse of each. [`crate::predict::choose`] chooses among them.
///
/// Time and panics as for [`edge_order`].
///
/// # Example
///
/// ```
/// use topdd_graph::order::{Cost, edge_orders};
///
/// let square = [(0, 1), (2, 3), (1, 2), (3, 0)];
/// let orders = edge_orders(4, &square, &Cost::paths(0, 2));
/// assert!(orders.contains(&vec![0, 1, 2, 3]) && orders.contains(&vec![3, 2, 1, 0]));
/// ```
pub fn edge_orders(num_vertices: usize, edges: &[(usize, usize)], cost: &Cost) -> Vec<Vec<usize>> {
    let mut orders: Vec<Vec<usize>> =
        closings(num_vertices, edges, cost, SearchEffort::full(ALTERNATIVES))
            .iter()
            .map(|closing| edges_of(num_vertices, edges, closing))
            .collect();
    let graph = Incidence::new(num_vertices, edges);
    for end in cost.ends.into_iter().flat_map(|(from, to)| [from, to]) {
        let mut closing = breadth_first(&graph, end);
        let reached: Vec<bool> = membership(num_vertices, &closing);
        closing.extend((0..num_vertices).filter(|&vertex| !reached[vertex]));
        orders.push(edges_of(num_vertices, edges, &closing));
    }
    orders.push((0..edges.len()).collect());
    both_directions(orders)
}

/// Returns an order of the edges that a short search finds, the given order, and the reverse of each. Takes some
/// milliseconds.
pub(crate) fn quick_edge_orders(
    num_vertices: usize,
    edges: &[(usize, usize)],
    cost: &Cost,
) -> Vec<Vec<usize>> {
    let closings = closings(num_vertices, edges, cost, SearchEffort::QUICK);
    let found = edges_of(num_vertices, edges, &closings[0]);
    both_directions(vec![found, (0..edges.len()).collect()])
}

/// The orders and their reverses, each once.
fn both_directions(orders: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    for order in orders {
        let reverse: Vec<usize> = order.iter().rev().copied().collect();
        for order in [order, reverse] {
            if !all.contains(&order) {
                all.push(order);
            }
        }
    }
    all
}

/// Returns a permutation of the vertices in which a sweep over a family of vertex sets, or over
/// colourings, has few states.
///
/// Time and panics as for [`edge_order`].
///
/// # Example
///
/// ```
/// use topdd_graph::order::{Cost, vertex_frontiers, vertex_order};
///
/// let star = [(0, 1), (0, 2), (0, 3)];
/// let order = vertex_order(4, &star, &Cost::values(2));
/// assert_eq!(vertex_frontiers(4, &star, &order).into_iter().max(), Some(1));
/// ```
pub fn vertex_order(num_vertices: usize, edges: &[(usize, usize)], cost: &Cost) -> Vec<usize> {
    // The frontier of a vertex order is the frontier of closing the vertices in the reverse order.
    let mut order = closings(num_vertices, edges, cost, SearchEffort::full(1)).swap_remove(0);
    order.reverse();
    order
}

/// Returns different vertex orders: the best ones that a search finds, the given order, and the
/// reverse of each. [`crate::predict::choose`] chooses among them.
///
/// Time and panics as for [`edge_order`].
///
/// # Example
///
/// ```
/// use topdd_graph::order::{Cost, vertex_orders};
///
/// let star = [(0, 1), (0, 2), (0, 3)];
/// let orders = vertex_orders(4, &star, &Cost::values(2));
/// assert!(orders.contains(&vec![0, 1, 2, 3]) && orders.contains(&vec![3, 2, 1, 0]));
/// ```
pub fn vertex_orders(
    num_vertices: usize,
    edges: &[(usize, usize)],
    cost: &Cost,
) -> Vec<Vec<usize>> {
    vertex_orders_with(num_vertices, edges, cost, SearchEffort::full(ALTERNATIVES))
}

/// Returns an order of the vertices that a short search finds, the given order, and the reverse of each. Takes some
/// milliseconds.
pub(crate) fn quick_vertex_orders(
    num_vertices: usize,
    edges: &[(usize, usize)],
    cost: &Cost,
) -> Vec<Vec<usize>> {
    vertex_orders_with(num_vertices, edges, cost, SearchEffort::QUICK)
}

fn vertex_orders_with(
    num_vertices: usize,
    edges: &[(usize, usize)],
    cost: &Cost,
    effort: SearchEffort,
) -> Vec<Vec<usize>> {
    let mut orders = closings(num_vertices, edges, cost, effort);
    for order in &mut orders {
        order.reverse();
    }
    orders.push((0..num_vertices).collect());
    both_directions(orders)
}

/// The position of each number in a permutation.
pub(crate) fn inverse(order: &[usize]) -> Vec<usize> {
    let mut ranks = vec![usize::MAX; order.len()];
    for (rank, &element) in order.iter().enumerate() {
        assert_eq!(ranks[element], usize::MAX, "{element} is in the order twice");
        ranks[element] = rank;
    }
    ranks
}

fn membership(num_vertices: usize, vertices: &[usize]) -> Vec<bool> {
    let mut members = vec![false; num_vertices];
    for &vertex in vertices {
        members[vertex] = true;
    }
    members
}

/// Returns orders in which to close the vertices. Edges that cannot occur are ignored: the vertices that
/// have only such edges are inserted where they first make a difference.
fn closings(
    num_vertices: usize,
    edges: &[(usize, usize)],
    cost: &Cost,
    effort: SearchEffort,
) -> Vec<Vec<usize>> {
    let Some((from, to)) = cost.ends else {
        let graph = Incidence::new(num_vertices, edges);
        return closing_orders(&graph, cost, &[], effort);
    };
    let occurs = edges_on_paths(num_vertices, edges, from, to, cost.max_length);
    let possible: Vec<(usize, usize)> =
        edges.iter().zip(&occurs).filter(|(_, occurs)| **occurs).map(|(&edge, _)| edge).collect();
    let mut used = vec![false; num_vertices];
    for &(a, b) in &possible {
        used[a] = true;
        used[b] = true;
    }
    let rest: Vec<(usize, usize)> =
        edges.iter().copied().filter(|&(a, b)| !used[a] && !used[b]).collect();
    let graph = Incidence::new(num_vertices, edges);
    let rest = Incidence::new(num_vertices, &rest);
    let rest_order = closing_orders(&rest, cost, &[], effort).swap_remove(0);
    // The parts of the rest, each in a good order.
    let mut part_of = vec![usize::MAX; num_vertices];
    let mut num_parts = 0;
    for part in components(&rest) {
        for &vertex in &part {
            part_of[vertex] = num_parts;
        }
        num_parts += 1;
    }
    let mut parts = vec![Vec::new(); num_parts];
    for &vertex in rest_order.iter().filter(|&&vertex| !used[vertex]) {
        parts[part_of[vertex]].push(vertex);
    }
    let orders =
        closing_orders(&Incidence::new(num_vertices, &possible), cost, &[from, to], effort);
    let with_rest = |order: &Vec<usize>| {
        let mut parts = parts.clone();
        let mut whole = Vec::with_capacity(num_vertices);
        for &vertex in order.iter().filter(|&&vertex| used[vertex]) {
            for &other in graph.neighbours(vertex).iter().filter(|&&other| !used[other]) {
                whole.append(&mut parts[part_of[other]]);
            }
            whole.push(vertex);
        }
        whole.extend(parts.into_iter().flatten());
        whole
    };
    orders.iter().map(with_rest).collect()
}

/// The edges in the order in which closing the vertices processes them. Of each vertex, those to
/// vertices on the frontier come first, so that it leaves when the last new one enters. Parallel
/// edges are adjacent.
fn edges_of(num_vertices: usize, edges: &[(usize, usize)], closing: &[usize]) -> Vec<usize> {
    let graph = Incidence::new(num_vertices, edges);
    let mut ranks = vec![0; num_vertices];
    for (rank, &vertex) in closing.iter().enumerate() {
        ranks[vertex] = rank;
    }
    let mut reached = vec![false; num_vertices];
    let mut order = Vec::with_capacity(edges.len());
    let mut remaining = Vec::new();
    for (rank, &vertex) in closing.iter().enumerate() {
        reached[vertex] = true;
        let later = graph.edges(vertex).iter().filter(|&&(_, other)| ranks[other] >= rank);
        remaining.clear();
        remaining.extend(later.map(|&(edge, other)| (!reached[other], ranks[other], edge, other)));
        remaining.sort_unstable();
        for &(_, _, edge, other) in &remaining {
            reached[other] = true;
            order.push(edge);
        }
    }
    order
}
