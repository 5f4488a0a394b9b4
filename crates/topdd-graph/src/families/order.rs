//! The order of the variables: the one that the caller chooses, or the library for a family, and the prediction of its sweep.

use super::FamilyError;
use super::conditions::EdgePart;
use super::parts::{PartList, Parts};
use super::paths::max_edges;
use super::rules::{Bounds, Groups};
use super::sums::{add_bits, block_bits, rule_bits};
use super::vertex_sets::{self, VertexPart, closer_than, label_bits, smallest_first};
use crate::Graph;
use crate::graph::reached;
use crate::kind::Unit;
use crate::order::{Cost, find_order, find_orders, frontier_bits, quick_orders};
use crate::path_problem::PathRule;
use crate::predict::{Estimate, choose, first_to_finish};
use std::ops::RangeInclusive;
use topdd::Frontier;

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
            Order::Auto => Ok(find_order(graph, Unit::Edge, &Cost::components())),
            order => order.elements(graph, Unit::Edge),
        }
    }

    /// The order as a permutation of the edges or of the vertices, if the family does not choose it.
    pub(super) fn elements(&self, graph: &Graph, unit: Unit) -> Result<Vec<usize>, FamilyError> {
        let elements = unit.elements(graph);
        match self {
            Order::Auto => unreachable!("an order is chosen for a family"),
            Order::Given => Ok((0..elements).collect()),
            Order::Bfs if unit == Unit::Edge => Ok(breadth_first(graph)),
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
fn breadth_first(graph: &Graph) -> Vec<usize> {
    let mut seen = vec![false; graph.num_vertices()];
    let mut decided = vec![false; graph.num_edges()];
    let of_start = |start: usize| reached(&mut seen, start, |vertex| graph.neighbours(vertex));
    let vertices = (0..graph.num_vertices()).flat_map(of_start);
    let edges = vertices.flat_map(|vertex| graph.incident(vertex).iter().copied());
    edges.filter(|&edge| !std::mem::replace(&mut decided[edge], true)).collect()
}

/// Breadth-first from a vertex of least degree of each component, neighbours of small degree first
/// (E. Cuthill and J. `McKee`, *Reducing the bandwidth of sparse symmetric matrices*, 1969).
fn breadth_first_vertices(graph: &Graph) -> Vec<usize> {
    let vertices = graph.num_vertices();
    let degree = |&vertex: &usize| graph.incident(vertex).len();
    let mut starts: Vec<usize> = (0..vertices).collect();
    starts.sort_by_key(degree);
    let mut seen = vec![false; vertices];
    let neighbours = |vertex: usize| {
        let mut neighbours: Vec<usize> = graph.neighbours(vertex).collect();
        neighbours.sort_by_key(degree);
        neighbours
    };
    starts.into_iter().flat_map(|start| reached(&mut seen, start, neighbours)).collect()
}

/// The numbers of variables for which orders are compared by pilots. A smaller graph has few states in
/// any order; for a larger one, one order is found in nearly linear time.
const COMPARED: RangeInclusive<usize> = 16..=5000;

/// The largest number of edges for which the order found is compared with its reverse. Pilots of more
/// edges take seconds.
const MAX_REVERSED: usize = 100_000;

/// The frontier, in bits, up to which a large graph has few states in both directions.
const NARROW_BITS: f64 = 6.0;

/// The sweep of a family in an order of its elements.
type Sweep<E> = Result<Frontier<'static>, E>;

/// Returns an order of the edges with few states. `sweep` makes the sweep of an order, to compare
/// several by pilots. If the sweep of an order that is found quickly is short, there is no search for others.
pub(super) fn best_order<E>(
    graph: &Graph,
    cost: &Cost,
    mut sweep: impl FnMut(&[usize]) -> Sweep<E>,
) -> Vec<usize> {
    let quick = quick_order(graph, cost, Unit::Edge, &mut sweep);
    quick.unwrap_or_else(|| searched_order(graph, cost, Unit::Edge, sweep))
}

/// Returns an order that is found quickly, if its sweep is short.
fn quick_order<E>(
    graph: &Graph,
    cost: &Cost,
    unit: Unit,
    sweep: impl FnMut(&[usize]) -> Sweep<E>,
) -> Option<Vec<usize>> {
    if !COMPARED.contains(&unit.elements(graph)) {
        return None;
    }
    let bits_of = |order: &[usize]| frontier_bits(graph, unit, order, cost);
    first_to_finish(quick_orders(graph, unit, cost), bits_of, sweep)
}

/// Returns the best of the orders that a search finds.
fn searched_order<E>(
    graph: &Graph,
    cost: &Cost,
    unit: Unit,
    sweep: impl FnMut(&[usize]) -> Sweep<E>,
) -> Vec<usize> {
    let bits_of = |order: &[usize]| frontier_bits(graph, unit, order, cost);
    let elements = unit.elements(graph);
    if COMPARED.contains(&elements) {
        return choose(find_orders(graph, unit, cost), bits_of, sweep);
    }
    let order = find_order(graph, unit, cost);
    let is_narrow = || bits_of(&order).iter().all(|&bits| bits <= NARROW_BITS);
    let is_compared = unit == Unit::Edge && (*COMPARED.end()..=MAX_REVERSED).contains(&elements);
    if !is_compared || is_narrow() {
        return order;
    }
    let reverse = order.iter().rev().copied().collect();
    choose(vec![order, reverse], bits_of, sweep)
}

/// Chooses the order of the elements of a family. If there are as many as [`COMPARED`], several orders are
/// compared by the first states of their sweeps. If the sweep is short without bounds on sums of weights, the order is
/// chosen for that.
pub(super) fn choose_order(parts: &Parts, graph: &Graph) -> Result<Vec<usize>, FamilyError> {
    let (unit, cost) = (parts.unit(), cost(parts, graph));
    let related = match &parts.list {
        PartList::Vertices(conditions) => {
            let distance = conditions.iter().find_map(|part| match part {
                VertexPart::Distance(distance) => Some(*distance),
                _ => None,
            });
            let has_frontier = |part: &VertexPart| {
                matches!(part, VertexPart::Rule(_) | VertexPart::Connected { .. })
            };
            match distance {
                // Values of vertices that are closer depend on one another.
                Some(distance) => &closer_than(graph, distance)?,
                None if conditions.iter().any(has_frontier) => graph,
                None => return Ok(smallest_first(graph)),
            }
        }
        PartList::Edges(_) | PartList::Colours(_) => graph,
    };
    let sweep = |order: &[usize]| parts.frontier(graph, order);
    let (rest, sums) = parts.split_sums();
    let without_sums = |order: &[usize]| rest.frontier(graph, order);
    let without_sums = || quick_order(related, &cost, unit, without_sums);
    let quick = if sums.is_empty() { None } else { without_sums() };
    let quick = quick.or_else(|| quick_order(related, &cost, unit, sweep));
    Ok(quick.unwrap_or_else(|| searched_order(related, &cost, unit, sweep)))
}

/// The values on the frontier of a family: the largest number over its parts.
fn cost(parts: &Parts, graph: &Graph) -> Cost {
    match &parts.list {
        PartList::Edges(list) => edge_cost(list, &parts.bounds, graph),
        PartList::Vertices(list) => vertex_sets::cost(list),
        PartList::Colours(colours) => Cost::values(*colours),
    }
}

fn edge_cost(parts: &[EdgePart], bounds: &Bounds, graph: &Graph) -> Cost {
    let by_part = parts.iter().find_map(|part| match part {
        EdgePart::Paths(rule) => Some(path_cost(rule, bounds, graph)),
        EdgePart::Partition(_) => Some(Cost::partitions()),
        EdgePart::Bipartite => Some(Cost::components()),
        EdgePart::Cuts(rule) if rule.minimal => Some(Cost::components()),
        EdgePart::Rules(_) | EdgePart::Cuts(_) | EdgePart::Distribution(_) => None,
    });
    by_part.unwrap_or_else(|| {
        let stores_components = parts.iter().any(|part| match part {
            EdgePart::Rules(rules) => {
                rules.acyclic || rules.groups != Groups::Any || rules.single || rules.covered
            }
            _ => false,
        });
        let counts_degrees = parts.iter().any(|part| match part {
            EdgePart::Rules(rules) => rules.degrees.iter().any(|degrees| !degrees.is_empty()),
            EdgePart::Distribution(_) => true,
            _ => false,
        });
        match (stores_components, counts_degrees) {
            (true, _) => Cost::components(),
            (false, true) => Cost::degrees(max_degree(parts, graph)),
            (false, false) => Cost::values(2),
        }
    })
}

/// The cost of paths or cycles.
fn path_cost(rule: &PathRule, bounds: &Bounds, graph: &Graph) -> Cost {
    match (rule.from, rule.to) {
        (Some(from), Some(to)) if !rule.cycle && from.max(to) < graph.num_vertices() => {
            let cost = Cost::paths(from, to);
            max_edges(bounds).map_or(cost, |length| cost.max_length(length))
        }
        _ => Cost::mates(),
    }
}

/// The largest degree that the states of the family distinguish.
fn max_degree(parts: &[EdgePart], graph: &Graph) -> usize {
    let most = (0..graph.num_vertices()).map(|vertex| graph.degree(vertex)).max();
    let most = most.unwrap_or(1);
    let bounds = parts.iter().flat_map(|part| match part {
        EdgePart::Rules(rules) => {
            let degrees = rules.degrees.iter().flatten();
            degrees.filter_map(|degrees| degrees.largest_up_to(most)).collect()
        }
        EdgePart::Distribution(bounds) => vec![most.min(bounds.len().saturating_sub(1))],
        _ => Vec::new(),
    });
    bounds.max().unwrap_or(1).max(1)
}

/// log2 of the estimated states before each variable: the states of the frontier, and the sums of weights that have
/// bounds.
pub(super) fn family_bits(parts: &Parts, graph: &Graph, order: &[usize]) -> Vec<f64> {
    let mut bits = frontier_bits(graph, parts.unit(), order, &cost(parts, graph));
    if let PartList::Edges(list) = &parts.list {
        for part in list {
            if let EdgePart::Partition(rule) = part {
                add_bits(&mut bits, &block_bits(graph, rule, order));
            }
        }
    }
    parts.bounds.linear.iter().for_each(|rule| add_bits(&mut bits, &rule_bits(rule, order)));
    bits
}

/// The estimate of the states before each variable, for a forecast.
pub(super) fn family_estimate(parts: &Parts, graph: &Graph, order: &[usize]) -> Estimate {
    let of_labels = || {
        let PartList::Vertices(list) = &parts.list else { return None };
        let mut labels = label_bits(list, &parts.bounds, graph, order)?;
        for rule in parts.bounds.linear.iter().filter(|rule| !rule.is_size()) {
            add_bits(&mut labels, &rule_bits(rule, order));
        }
        let spec = parts.frontier(graph, order).ok()?.into_spec().ok()?;
        Some(Estimate::of_labels(labels, &spec))
    };
    of_labels().unwrap_or_else(|| Estimate::of_frontier(family_bits(parts, graph, order)))
}

#[cfg(test)]
mod tests {
    use crate::Graph;
    use crate::families::{
        EdgeSets, Order, at_most, connected_dominating_sets, dominating_sets, forests,
        independent_sets_at_distance, matchings, paths,
    };

    /// A road network of 145 vertices: its order of edges in the file is bad for paths.
    fn network() -> Graph {
        let numbers = include_str!("tests/network145.txt").split_whitespace();
        let numbers: Vec<usize> = numbers.map(|number| number.parse().unwrap()).collect();
        Graph::new(145, numbers.chunks(2).map(|edge| (edge[0], edge[1]))).unwrap()
    }

    fn states(family: &EdgeSets) -> u64 {
        let mut sweep = family.frontier().unwrap();
        sweep.profile().unwrap();
        sweep.report().states()
    }

    #[test]
    fn chosen_order_of_a_network_has_few_states() {
        let family = paths(&network(), 0, 99);
        let count = family.count().unwrap();
        assert!(states(&family) < 5000, "{}", states(&family));
        let reverse = family.element_order().unwrap().into_iter().rev().collect();
        let reversed = family.order(Order::Custom(reverse));
        assert_eq!(reversed.count().unwrap(), count);
    }

    #[test]
    fn impossible_edges_do_not_change_counts() {
        // Two triangles that share vertex 2, with a tail and a second component.
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2), (4, 5), (6, 7)];
        let graph = Graph::new(8, edges).unwrap();
        for (from, to, most, expected) in
            [(0, 1, 8, 2_u32), (0, 4, 8, 4), (0, 4, 2, 1), (0, 5, 3, 1), (0, 6, 8, 0), (6, 7, 1, 1)]
        {
            let family = paths(&graph, from, to).and(at_most(most));
            assert_eq!(family.count().unwrap(), expected.into(), "{from} {to} {most}");
        }
    }

    /// Each of the copies of a component takes the work of one search otherwise: minutes.
    #[test]
    fn order_of_many_components_takes_the_work_of_one_search() {
        let grid = Graph::grid(6, 6);
        let copies = |count: usize| {
            let edges = (0..count).flat_map(|copy| {
                grid.edges().iter().map(move |&(a, b)| (36 * copy + a, 36 * copy + b))
            });
            Graph::new(36 * count, edges).unwrap()
        };
        let (one, many) = (forests(&grid), forests(&copies(2000)));
        let widest =
            |family: &EdgeSets| family.frontier_bits().unwrap().into_iter().fold(0.0, f64::max);
        assert!(widest(&many) <= widest(&one));
        // Of components that all differ, each has a part of the work.
        let lengths = 3..400;
        let mut edges = Vec::new();
        let mut first = 0;
        for length in lengths {
            edges.extend((0..length).map(|at| (first + at, first + (at + 1) % length)));
            edges.push((first, first + length / 2));
            first += length;
        }
        let family = forests(&Graph::new(first, edges).unwrap());
        assert!(widest(&family) <= 8.0);
    }

    #[test]
    fn chosen_vertex_order_has_at_most_half_more_states_than_the_given_order_and_its_reverse() {
        for family in [
            connected_dominating_sets(&Graph::grid(7, 7)),
            dominating_sets(&network()),
            independent_sets_at_distance(&Graph::grid(5, 9), 3),
        ] {
            let mut sweep = family.frontier().unwrap();
            sweep.profile().unwrap();
            let chosen = sweep.report().states();
            let given: Vec<usize> = (0..family.graph().num_vertices()).collect();
            let reverse = given.iter().rev().copied().collect();
            for order in [given, reverse] {
                // More states than the chosen order has are not of interest.
                let other = family.clone().order(Order::Custom(order)).frontier().unwrap();
                let mut other = other.max_states(chosen);
                if other.profile().is_ok() {
                    let other = other.report().states();
                    assert!(2 * chosen <= 3 * other, "{chosen} states, and {other}");
                }
            }
        }
    }

    /// The order of its rows has the fewest states, but its first levels grow fast.
    #[test]
    fn chosen_order_of_a_large_grid_is_that_of_its_rows() {
        let grid = Graph::grid(13, 13);
        let order = paths(&grid, 0, 168).element_order().unwrap();
        assert!(order.into_iter().eq(0..grid.num_edges()));
    }

    #[test]
    fn chosen_order_is_the_same_in_every_call() {
        let graph = Graph::grid(5, 6);
        for family in [forests(&graph), matchings(&graph), paths(&graph, 3, 20)] {
            let order = family.element_order().unwrap();
            assert_eq!(order, family.clone().order(Order::Auto).element_order().unwrap());
        }
    }
}
