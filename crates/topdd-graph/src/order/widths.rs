//! The frontier of an order after each step, and the estimated number of states there.

use super::incidence::edges_on_paths;
use super::inverse;
use crate::Graph;
use crate::kind::Unit;

/// Returns the width of the frontier after each step of an order: of edges, the number of vertices with both processed and
/// unprocessed edges; of vertices, the number of processed vertices with an unprocessed neighbour. The last entry is 0.
///
/// `order` is a permutation of the edges or vertices. A loop does not affect the frontier. Takes linear time.
///
/// # Panics
///
/// If an edge or a vertex is out of range.
///
/// # Example
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::Unit;
/// use topdd_graph::order::frontier_widths;
///
/// let square = Graph::new(4, [(0, 1), (1, 2), (2, 3), (3, 0)]).unwrap();
/// assert_eq!(frontier_widths(&square, Unit::Edge, &[0, 1, 2, 3]), [2, 2, 2, 0]);
/// assert_eq!(frontier_widths(&square, Unit::Edge, &[0, 2, 1, 3]), [2, 4, 2, 0]);
/// let star = Graph::star(3);
/// assert_eq!(frontier_widths(&star, Unit::Vertex, &[0, 1, 2, 3]), [1, 1, 1, 0]);
/// assert_eq!(frontier_widths(&star, Unit::Vertex, &[1, 2, 3, 0]), [1, 2, 3, 0]);
/// ```
pub fn frontier_widths(graph: &Graph, unit: Unit, order: &[usize]) -> Vec<usize> {
    if unit == Unit::Edge {
        let before = edge_sums(graph, order, &vec![true; order.len()], |_| 1.0);
        let after = before.into_iter().skip(1).chain([0.0]).take(order.len());
        return after.map(|width| width as usize).collect();
    }
    let times = inverse(order);
    let mut leaving = vec![0; order.len()];
    let mut width = 0;
    let after = |(time, &vertex): (usize, &usize)| {
        // The time after which it has no unprocessed neighbour.
        let last = graph.neighbours(vertex).map(|other| times[other]).max();
        leaving[last.unwrap_or(time).max(time)] += 1;
        width = width + 1 - leaving[time];
        width
    };
    order.iter().enumerate().map(after).collect()
}

/// Returns log2 of the estimated states of a family before each step of an order: the estimate of [`Cost`] for the vertices of
/// the [frontier](frontier_widths). Edges that cannot occur in the paths of the cost are ignored.
///
/// `order` is a permutation of the edges or vertices. Takes linear time.
///
/// # Panics
///
/// If an edge or a vertex is out of range.
///
/// # Example
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::Unit;
/// use topdd_graph::order::{Cost, frontier_bits};
///
/// let star = Graph::star(3);
/// let cost = Cost::values(2);
/// assert_eq!(frontier_bits(&star, Unit::Edge, &[0, 1, 2], &cost), [0.0, 1.0, 1.0]);
/// assert_eq!(frontier_bits(&star, Unit::Vertex, &[1, 2, 3, 0], &cost), [0.0, 1.0, 2.0, 3.0]);
/// ```
pub fn frontier_bits(graph: &Graph, unit: Unit, order: &[usize], cost: &Cost) -> Vec<f64> {
    if unit != Unit::Edge {
        let widths = frontier_widths(graph, unit, order);
        let before = std::iter::once(0).chain(widths).take(order.len());
        return before.map(|width| width as f64 * cost.bits(1)).collect();
    }
    let occurs = cost.ends.map_or_else(
        || vec![true; order.len()],
        |(from, to)| edges_on_paths(graph, from, to, cost.max_length),
    );
    edge_sums(graph, order, &occurs, |decided| cost.bits(decided))
}

/// The sum, before each step of an edge order, of the values of the vertices on the frontier, by the number of their decided
/// edges. Counts only edges that occur.
fn edge_sums(
    graph: &Graph,
    order: &[usize],
    occurs: &[bool],
    value: impl Fn(usize) -> f64,
) -> Vec<f64> {
    let ends = |edge: usize| {
        let (a, b) = graph.edges()[edge];
        (a != b && occurs[edge]).then_some([a, b]).into_iter().flatten()
    };
    let mut undecided = vec![0_usize; graph.num_vertices()];
    for end in (0..occurs.len()).flat_map(ends) {
        undecided[end] += 1;
    }
    let mut decided = vec![0_usize; graph.num_vertices()];
    // The value of a vertex, 0 if it is not on the frontier.
    let of_vertex = |decided: usize, undecided: usize| {
        if decided > 0 && undecided > 0 { value(decided) } else { 0.0 }
    };
    let mut sum = 0.0;
    let mut before = Vec::with_capacity(order.len());
    for &edge in order {
        before.push(sum);
        for end in ends(edge) {
            sum -= of_vertex(decided[end], undecided[end]);
            decided[end] += 1;
            undecided[end] -= 1;
            sum += of_vertex(decided[end], undecided[end]);
        }
    }
    before
}

/// The value that a spec stores for each vertex of its frontier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stored {
    /// The other end of its piece of a path: paths and cycles.
    Mate,
    /// Its component: trees, forests, connected sets, reliability.
    Component,
    /// Its component, and the components that it must not join: partitions.
    Block,
    /// Its degree, up to a maximum: matchings, factors.
    Degree(usize),
    /// One of a number of values: vertex sets, colourings.
    Value(usize),
}

/// The objective of an order: the values on the frontier of a family, and the edges that its
/// members may contain.
///
/// The estimate of the states at a frontier is a product over its vertices:
///
/// | cost | value | factor |
/// | --- | --- | --- |
/// | [`mates`](Cost::mates), [`paths`](Cost::paths) | mate | 3 after one edge, then 4 |
/// | [`components`](Cost::components) | component | 4 |
/// | [`partitions`](Cost::partitions) | component, and its pairs that must stay apart | 8 |
/// | [`degrees`](Cost::degrees) | degree | the number of degrees that the processed edges allow |
/// | [`values`](Cost::values) | one of `k` | `k` |
///
/// The factors of mates and components are those by which the numbers of planar pairings (Motzkin
/// paths, with two colours after two edges) and of planar partitions (Catalan numbers) grow; the factor of
/// [`partitions`](Cost::partitions) was measured on grids. The estimate compares frontiers. As a number of states it is too large;
/// [`predict`](crate::predict::predict) is better.
///
/// # Example
///
/// ```
/// use topdd_graph::order::Cost;
///
/// let paths = Cost::paths(0, 8).max_length(10);
/// assert_ne!(paths, Cost::mates());
/// let others = [Cost::components(), Cost::degrees(2), Cost::values(3)];
/// assert!(!others.contains(&paths));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    stored: Stored,
    pub(super) ends: Option<(usize, usize)>,
    pub(super) max_length: Option<usize>,
}

/// The maximum of the estimate, in bits: sums of it must not overflow.
const MAX_BITS: f64 = 900.0;

impl Cost {
    fn new(stored: Stored) -> Self {
        Self { stored, ends: None, max_length: None }
    }

    /// Paths and cycles: the frontier stores the other end of each piece.
    pub fn mates() -> Self {
        Self::new(Stored::Mate)
    }

    /// Paths between two vertices, as [`mates`](Cost::mates). Edges on no such path are
    /// ignored by the estimate.
    pub fn paths(from: usize, to: usize) -> Self {
        Self { ends: Some((from, to)), ..Self::mates() }
    }

    /// Paths of at most `length` edges. Changes only [`paths`](Cost::paths).
    pub fn max_length(self, length: usize) -> Self {
        Self { max_length: Some(length), ..self }
    }

    /// Trees, forests, connected edge sets: the frontier stores components.
    pub fn components() -> Self {
        Self::new(Stored::Component)
    }

    /// Partitions: the frontier stores components, and which of them must stay apart.
    pub fn partitions() -> Self {
        Self::new(Stored::Block)
    }

    /// Families with degrees up to `max`: matchings (`max` is 1), factors, regular subgraphs.
    pub fn degrees(max: usize) -> Self {
        Self::new(Stored::Degree(max))
    }

    /// Families with one of `k` values for each vertex of the frontier: 2 for independent sets and
    /// cliques, 3 for dominating sets, the number of colours for colourings.
    pub fn values(k: usize) -> Self {
        Self::new(Stored::Value(k))
    }

    /// log2 of the factor of a vertex with `decided` processed edges.
    #[inline]
    pub(super) fn bits(&self, decided: usize) -> f64 {
        match self.stored {
            Stored::Mate if decided < 2 => 1.585,
            Stored::Mate | Stored::Component => 2.0,
            Stored::Block => 3.0,
            Stored::Degree(max) => (decided.min(max) as f64 + 1.0).log2(),
            Stored::Value(k) => (k as f64).max(1.0).log2(),
        }
        // A vertex that cannot make a difference still takes space in the state.
        .max(0.1)
    }

    /// The estimated states of a step with the given bits at its frontier.
    #[inline]
    pub(super) fn states(bits: f64) -> f64 {
        bits.clamp(0.0, MAX_BITS).exp2()
    }
}
