//! The frontier of an order after each step.

use super::blocks::edges_on_paths;
use super::cost::Cost;

/// Returns the edge frontier after each step of an edge order: the number of vertices with both
/// processed and unprocessed edges. The last entry is 0.
///
/// `order` is a permutation of the positions in `edges`. A loop does not affect the frontier. Takes
/// linear time.
///
/// # Panics
///
/// If an edge or an end is out of range.
///
/// # Example
///
/// ```
/// use topdd_graph::order::edge_frontiers;
///
/// let square = [(0, 1), (1, 2), (2, 3), (3, 0)];
/// assert_eq!(edge_frontiers(4, &square, &[0, 1, 2, 3]), [2, 2, 2, 0]);
/// assert_eq!(edge_frontiers(4, &square, &[0, 2, 1, 3]), [2, 4, 2, 0]);
/// ```
pub fn edge_frontiers(
    num_vertices: usize,
    edges: &[(usize, usize)],
    order: &[usize],
) -> Vec<usize> {
    let mut undecided = vec![0_usize; num_vertices];
    let ends = |edge: usize| {
        let (a, b) = edges[edge];
        (a != b).then_some([a, b]).into_iter().flatten()
    };
    for end in (0..edges.len()).flat_map(ends) {
        undecided[end] += 1;
    }
    let mut touched = vec![false; num_vertices];
    let mut width = 0;
    let mut widths = Vec::with_capacity(order.len());
    for &edge in order {
        for end in ends(edge) {
            undecided[end] -= 1;
            width += usize::from(!touched[end]);
            touched[end] = true;
            width -= usize::from(undecided[end] == 0);
        }
        widths.push(width);
    }
    widths
}

/// Returns the vertex frontier after each step of a vertex order: the number of processed vertices
/// with an unprocessed neighbour. The last entry is 0.
///
/// `order` is a permutation of `0..num_vertices`. Takes linear time.
///
/// # Panics
///
/// If a vertex is out of range.
///
/// # Example
///
/// ```
/// use topdd_graph::order::vertex_frontiers;
///
/// let star = [(0, 1), (0, 2), (0, 3)];
/// assert_eq!(vertex_frontiers(4, &star, &[0, 1, 2, 3]), [1, 1, 1, 0]);
/// assert_eq!(vertex_frontiers(4, &star, &[1, 2, 3, 0]), [1, 2, 3, 0]);
/// ```
pub fn vertex_frontiers(
    num_vertices: usize,
    edges: &[(usize, usize)],
    order: &[usize],
) -> Vec<usize> {
    let mut times = vec![0; num_vertices];
    for (time, &vertex) in order.iter().enumerate() {
        times[vertex] = time;
    }
    // The time after which each vertex has no unprocessed neighbour.
    let mut leaves = times.clone();
    for &(a, b) in edges {
        leaves[a] = leaves[a].max(times[b]);
        leaves[b] = leaves[b].max(times[a]);
    }
    let mut leaving = vec![0; order.len()];
    let mut width = 0;
    let mut widths = Vec::with_capacity(order.len());
    for (time, &vertex) in order.iter().enumerate() {
        width += 1;
        leaving[leaves[vertex]] += 1;
        width -= leaving[time];
        widths.push(width);
    }
    widths
}

/// Returns log2 of the estimated states of a family before each step of an edge order: the estimate of
/// [`Cost`] for the vertices with both processed and unprocessed edges. Edges that cannot occur in
/// the paths of the cost are ignored.
///
/// `order` is a permutation of the positions in `edges`. Takes linear time.
///
/// # Panics
///
/// If an edge or an end is out of range.
///
/// # Example
///
/// ```
/// use topdd_graph::order::{Cost, frontier_bits};
///
/// let star = [(0, 1), (0, 2), (0, 3)];
/// assert_eq!(frontier_bits(4, &star, &[0, 1, 2], &Cost::values(2)), [0.0, 1.0, 1.0]);
/// ```
pub fn frontier_bits(
    num_vertices: usize,
    edges: &[(usize, usize)],
    order: &[usize],
    cost: &Cost,
) -> Vec<f64> {
    let occurs = cost.ends.map_or_else(
        || vec![true; edges.len()],
        |(from, to)| edges_on_paths(num_vertices, edges, from, to, cost.max_length),
    );
    let mut undecided = vec![0_usize; num_vertices];
    for (&(a, b), _) in edges.iter().zip(&occurs).filter(|((a, b), occurs)| a != b && **occurs) {
        undecided[a] += 1;
        undecided[b] += 1;
    }
    let mut decided = vec![0_usize; num_vertices];
    // The bits of a vertex, 0 if it is not on the frontier.
    let bits_of = |decided: usize, undecided: usize| {
        if decided > 0 && undecided > 0 { cost.bits(decided) } else { 0.0 }
    };
    let mut bits = 0.0;
    let mut result = Vec::with_capacity(order.len());
    for &edge in order {
        result.push(bits);
        let (a, b) = edges[edge];
        for end in (a != b && occurs[edge]).then_some([a, b]).into_iter().flatten() {
            bits -= bits_of(decided[end], undecided[end]);
            decided[end] += 1;
            undecided[end] -= 1;
            bits += bits_of(decided[end], undecided[end]);
        }
    }
    result
}

/// Returns, for each step of a vertex order, log2 of the estimated states before the step, by the
/// values that the cost has for a vertex of the [frontier](vertex_frontiers).
///
/// Takes linear time.
///
/// # Example
///
/// ```
/// use topdd_graph::order::{Cost, vertex_frontier_bits};
///
/// // A path from end to end: two values of the vertex before.
/// let path = [(0, 1), (1, 2)];
/// assert_eq!(vertex_frontier_bits(3, &path, &[0, 1, 2], &Cost::values(2)), [0.0, 1.0, 1.0]);
/// ```
pub fn vertex_frontier_bits(
    num_vertices: usize,
    edges: &[(usize, usize)],
    order: &[usize],
    cost: &Cost,
) -> Vec<f64> {
    let widths = vertex_frontiers(num_vertices, edges, order);
    let before = std::iter::once(0).chain(widths).take(order.len());
    before.map(|width| width as f64 * cost.bits(1)).collect()
}
