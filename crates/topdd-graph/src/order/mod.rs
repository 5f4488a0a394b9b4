//! Orders of edges and vertices in which a sweep has few states.
//!
//! The states of a sweep over the subgraphs of a graph store values for the vertices of the
//! **frontier**: those with both processed and unprocessed edges. So an order with a narrow frontier
//! has few states. An order is of the edges, or of the vertices for families of vertex sets; its [`Unit`] decides. All functions
//! are deterministic.
//!
//! | function | result |
//! | --- | --- |
//! | [`find_order`] | an order with few estimated states |
//! | [`find_orders`] | several different ones, the given order and all reverses included |
//! | [`frontier_widths`] | the width of the frontier after each step |
//! | [`frontier_bits`] | the estimated states before each step |
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

mod beam;
mod closing;
mod hamiltonian;
mod incidence;
mod search;
#[cfg(test)]
mod tests;
mod widths;

use crate::Graph;
use crate::kind::Unit;
use closing::breadth_first;
use incidence::distinct_neighbours;
use search::{SearchEffort, closing_orders, components};

pub use hamiltonian::narrow_order;
pub(crate) use hamiltonian::sides;
pub(crate) use incidence::blocks;
pub use incidence::edges_on_paths;
pub use widths::{Cost, frontier_bits, frontier_widths};

/// The number of different orders that [`find_orders`] searches for.
const ALTERNATIVES: usize = 3;

/// Returns a permutation of the edges or vertices in which a sweep over a family has few states, by the estimate of `cost`.
///
/// Takes tenths of a second for some hundred edges, and a second or two for a million. No recursion.
///
/// # Panics
///
/// If an end of the paths of the cost is not a vertex.
///
/// # Example
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::Unit;
/// use topdd_graph::order::{Cost, find_order, frontier_widths};
///
/// // A path of ten edges, in a bad order.
/// let path = Graph::new(11, (0..10).map(|i| (3 * i % 10, 3 * i % 10 + 1))).unwrap();
/// let order = find_order(&path, Unit::Edge, &Cost::mates());
/// assert_eq!(frontier_widths(&path, Unit::Edge, &order).into_iter().max(), Some(1));
/// let star = Graph::star(3);
/// let order = find_order(&star, Unit::Vertex, &Cost::values(2));
/// assert_eq!(frontier_widths(&star, Unit::Vertex, &order).into_iter().max(), Some(1));
/// ```
pub fn find_order(graph: &Graph, unit: Unit, cost: &Cost) -> Vec<usize> {
    let mut order = found_orders(graph, unit, cost, SearchEffort::full(1)).swap_remove(0);
    if let (Unit::Edge, Some((from, to))) = (unit, cost.ends) {
        // Paths grow from a fixed end if it is processed early.
        let is_at_end = |&edge: &usize| {
            let (a, b) = graph.edges()[edge];
            [a, b].iter().any(|vertex| [from, to].contains(vertex))
        };
        let early = order.iter().position(is_at_end);
        if order.iter().rev().position(is_at_end) < early {
            order.reverse();
        }
    }
    order
}

/// Returns different orders: the best ones that a search finds, breadth-first orders from the ends of paths, the given order,
/// and the reverse of each. [`crate::predict::choose`] chooses among them.
///
/// Time and panics as for [`find_order`].
///
/// # Example
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::Unit;
/// use topdd_graph::order::{Cost, find_orders};
///
/// let square = Graph::new(4, [(0, 1), (2, 3), (1, 2), (3, 0)]).unwrap();
/// let orders = find_orders(&square, Unit::Edge, &Cost::paths(0, 2));
/// assert!(orders.contains(&vec![0, 1, 2, 3]) && orders.contains(&vec![3, 2, 1, 0]));
/// ```
pub fn find_orders(graph: &Graph, unit: Unit, cost: &Cost) -> Vec<Vec<usize>> {
    let mut orders = found_orders(graph, unit, cost, SearchEffort::full(ALTERNATIVES));
    let neighbours = distinct_neighbours(graph);
    for end in cost.ends.into_iter().flat_map(|(from, to)| [from, to]) {
        let mut closing = breadth_first(&neighbours, end);
        let reached = membership(graph.num_vertices(), &closing);
        closing.extend((0..graph.num_vertices()).filter(|&vertex| !reached[vertex]));
        orders.push(of_closing(graph, unit, closing));
    }
    orders.push((0..unit.elements(graph)).collect());
    both_directions(orders)
}

/// Returns an order that a short search finds, the given order, and the reverse of each. Takes some milliseconds.
pub(crate) fn quick_orders(graph: &Graph, unit: Unit, cost: &Cost) -> Vec<Vec<usize>> {
    let mut orders = found_orders(graph, unit, cost, SearchEffort::QUICK);
    orders.push((0..unit.elements(graph)).collect());
    both_directions(orders)
}

fn found_orders(graph: &Graph, unit: Unit, cost: &Cost, effort: SearchEffort) -> Vec<Vec<usize>> {
    let closings = closings(graph, cost, effort).into_iter();
    closings.map(|closing| of_closing(graph, unit, closing)).collect()
}

/// The order in which closing the vertices processes edges or vertices.
fn of_closing(graph: &Graph, unit: Unit, mut closing: Vec<usize>) -> Vec<usize> {
    match unit {
        Unit::Edge => edges_of(graph, &closing),
        Unit::Vertex | Unit::Colour => {
            // The frontier of a vertex order is the frontier of closing the vertices in the reverse order.
            closing.reverse();
            closing
        }
    }
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
fn closings(graph: &Graph, cost: &Cost, effort: SearchEffort) -> Vec<Vec<usize>> {
    let Some((from, to)) = cost.ends else { return closing_orders(graph, cost, &[], effort) };
    let (num_vertices, edges) = (graph.num_vertices(), graph.edges());
    let occurs = edges_on_paths(graph, from, to, cost.max_length);
    let possible: Vec<(usize, usize)> =
        edges.iter().zip(&occurs).filter(|(_, occurs)| **occurs).map(|(&edge, _)| edge).collect();
    let mut used = vec![false; num_vertices];
    for &(a, b) in &possible {
        used[a] = true;
        used[b] = true;
    }
    let of = |edges| Graph::new(num_vertices, edges).expect("the ends are vertices");
    let rest = of(edges.iter().copied().filter(|&(a, b)| !used[a] && !used[b]).collect());
    let neighbours = distinct_neighbours(graph);
    let rest_order = closing_orders(&rest, cost, &[], effort).swap_remove(0);
    // The parts of the rest, each in a good order.
    let mut part_of = vec![usize::MAX; num_vertices];
    let mut num_parts = 0;
    for part in components(&distinct_neighbours(&rest)) {
        for &vertex in &part {
            part_of[vertex] = num_parts;
        }
        num_parts += 1;
    }
    let mut parts = vec![Vec::new(); num_parts];
    for &vertex in rest_order.iter().filter(|&&vertex| !used[vertex]) {
        parts[part_of[vertex]].push(vertex);
    }
    let orders = closing_orders(&of(possible), cost, &[from, to], effort);
    let with_rest = |order: &Vec<usize>| {
        let mut parts = parts.clone();
        let mut whole = Vec::with_capacity(num_vertices);
        for &vertex in order.iter().filter(|&&vertex| used[vertex]) {
            for &other in neighbours[vertex].iter().filter(|&&other| !used[other]) {
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
fn edges_of(graph: &Graph, closing: &[usize]) -> Vec<usize> {
    let ranks = inverse(closing);
    let mut reached = vec![false; closing.len()];
    let mut order = Vec::with_capacity(graph.num_edges());
    let mut remaining = Vec::new();
    for (rank, &vertex) in closing.iter().enumerate() {
        reached[vertex] = true;
        let ends = graph.incident(vertex).iter().map(|&edge| (edge, graph.other_end(edge, vertex)));
        let later = ends.filter(|&(_, other)| ranks[other] >= rank);
        remaining.clear();
        remaining.extend(later.map(|(edge, other)| (!reached[other], ranks[other], edge, other)));
        remaining.sort_unstable();
        for &(_, _, edge, other) in &remaining {
            reached[other] = true;
            order.push(edge);
        }
    }
    order
}
