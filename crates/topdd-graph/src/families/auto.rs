//! The order that the library chooses for a family, and the prediction of its sweep.

use std::ops::RangeInclusive;

use topdd::Frontier;

use super::edge_sets::Part;
use super::rules::Groups;
use super::{Colourings, EdgeSets, FamilyError, VertexSets, sum_bits};
use crate::Graph;
use crate::order::{
    Cost, edge_order, edge_orders, frontier_bits, vertex_frontier_bits, vertex_order, vertex_orders,
};
use crate::path_problem::PathRule;
use crate::predict::{PilotLimit, Prediction, choose, predict};

/// The numbers of variables for which orders are compared by pilots. A smaller graph has few states in
/// any order; for a larger one, one order is found in nearly linear time.
const COMPARED: RangeInclusive<usize> = 16..=5000;

/// The largest number of edges for which the order found is compared with its reverse. Pilots of more
/// edges take seconds.
const MAX_REVERSED: usize = 100_000;

/// The frontier, in bits, up to which a large graph has few states in both directions.
const NARROW_BITS: f64 = 6.0;

/// Returns an order of the edges with few states. `sweep` makes the sweep of an order, to compare
/// several by pilots.
pub(super) fn best_order<E>(
    graph: &Graph,
    cost: &Cost,
    sweep: impl FnMut(&[usize]) -> Result<Frontier<'static>, E>,
) -> Vec<usize> {
    let (vertices, edges) = (graph.num_vertices(), graph.edges());
    let bits_of = |order: &[usize]| frontier_bits(vertices, edges, order, cost);
    if COMPARED.contains(&edges.len()) {
        return choose(edge_orders(vertices, edges, cost), bits_of, sweep);
    }
    let order = edge_order(vertices, edges, cost);
    let is_narrow = || bits_of(&order).iter().all(|&bits| bits <= NARROW_BITS);
    if edges.len() < *COMPARED.start() || edges.len() > MAX_REVERSED || is_narrow() {
        return order;
    }
    let reverse = order.iter().rev().copied().collect();
    choose(vec![order, reverse], bits_of, sweep)
}

/// Returns an order of the vertices with few states, as [`best_order`] does of the edges.
fn best_vertex_order<E>(
    graph: &Graph,
    cost: &Cost,
    sweep: impl FnMut(&[usize]) -> Result<Frontier<'static>, E>,
) -> Vec<usize> {
    let (vertices, edges) = (graph.num_vertices(), graph.edges());
    if !COMPARED.contains(&vertices) {
        return vertex_order(vertices, edges, cost);
    }
    let bits_of = |order: &[usize]| vertex_frontier_bits(vertices, edges, order, cost);
    choose(vertex_orders(vertices, edges, cost), bits_of, sweep)
}

impl EdgeSets {
    /// The values on the frontier of the family: the largest number over its parts.
    fn cost(&self) -> Cost {
        let by_part = self.parts().iter().find_map(|part| match part {
            Part::Paths(rule) => Some(self.path_cost(rule)),
            Part::Partition(_) => Some(Cost::partitions()),
            Part::Bipartite => Some(Cost::components()),
            Part::Rules(_) | Part::Cuts | Part::Distribution(_) => None,
        });
        by_part.unwrap_or_else(|| {
            let stores_components = self.parts().iter().any(|part| match part {
                Part::Rules(rules) => {
                    rules.acyclic || rules.groups != Groups::Any || rules.single || rules.covered
                }
                _ => false,
            });
            let counts_degrees = self.parts().iter().any(|part| match part {
                Part::Rules(rules) => rules.degrees.iter().any(|degrees| !degrees.is_empty()),
                Part::Distribution(_) => true,
                _ => false,
            });
            match (stores_components, counts_degrees) {
                (true, _) => Cost::components(),
                (false, true) => Cost::degrees(self.max_degree()),
                (false, false) => Cost::values(2),
            }
        })
    }

    /// The cost of paths or cycles of the family.
    fn path_cost(&self, rule: &PathRule) -> Cost {
        let vertices = self.graph().num_vertices();
        match (rule.from, rule.to) {
            (Some(from), Some(to)) if !rule.cycle && from.max(to) < vertices => {
                let cost = Cost::paths(from, to);
                self.max_edges().map_or(cost, |length| cost.max_length(length))
            }
            _ => Cost::mates(),
        }
    }

    /// The largest degree that the states of the family distinguish.
    fn max_degree(&self) -> usize {
        let graph = self.graph();
        let most = (0..graph.num_vertices()).map(|vertex| graph.degree(vertex)).max();
        let most = most.unwrap_or(1);
        let bounds = self.parts().iter().flat_map(|part| match part {
            Part::Rules(rules) => {
                let degrees = rules.degrees.iter().flatten();
                degrees.filter_map(|degrees| degrees.largest_up_to(most)).collect()
            }
            Part::Distribution(bounds) => vec![most.min(bounds.len().saturating_sub(1))],
            _ => Vec::new(),
        });
        bounds.max().unwrap_or(1).max(1)
    }

    /// Chooses the order of the edges. Of a graph with as many edges as [`COMPARED`], several orders are
    /// compared by the first states of their sweeps.
    pub(super) fn choose_order(&self) -> Vec<usize> {
        best_order(self.graph(), &self.cost(), |order| self.frontier_in(order))
    }

    /// Predicts states, memory and time of a sweep from its first states and the frontier of its
    /// order.
    ///
    /// Expands about a fortieth of the states, but at least half a million, and takes at most half a second by
    /// default; see [`predict`](crate::predict::predict()).
    ///
    /// # Errors
    ///
    /// As for [`count`](EdgeSets::count).
    ///
    /// ```
    /// use topdd_graph::Graph;
    /// use topdd_graph::families::spanning_trees;
    /// use topdd_graph::predict::PilotLimit;
    ///
    /// let trees = spanning_trees(&Graph::grid(5, 5));
    /// let prediction = trees.predict(PilotLimit::default())?;
    /// assert!(prediction.is_exact && prediction.states < 10_000.0);
    /// assert_eq!(trees.frontier_bits()?.len(), 40); // one for each edge
    /// # Ok::<(), topdd_graph::families::FamilyError>(())
    /// ```
    pub fn predict(&self, limit: PilotLimit) -> Result<Prediction, FamilyError> {
        Ok(predict(self.frontier()?, &self.frontier_bits()?, limit)?)
    }

    /// Returns log2 of the estimated states before each variable, which takes no sweep: the states of the frontier,
    /// and the sums of weights that have bounds. Mostly far too many: [`predict`](EdgeSets::predict) is
    /// better.
    ///
    /// # Errors
    ///
    /// As for [`edge_order`](EdgeSets::edge_order).
    pub fn frontier_bits(&self) -> Result<Vec<f64>, FamilyError> {
        let (graph, order) = (self.graph(), self.edge_order()?);
        let mut bits = frontier_bits(graph.num_vertices(), graph.edges(), &order, &self.cost());
        for part in self.parts() {
            match part {
                Part::Partition(rule) => {
                    sum_bits::add(&mut bits, &sum_bits::of_blocks(graph, rule, &order));
                }
                Part::Rules(rules) => {
                    for rule in &rules.linear {
                        sum_bits::add(&mut bits, &sum_bits::of_rule(rule, &order));
                    }
                }
                Part::Paths(_) | Part::Cuts | Part::Bipartite | Part::Distribution(_) => {}
            }
        }
        Ok(bits)
    }
}

impl VertexSets {
    /// Chooses the order of the vertices. Values of neighbours in `graph` depend on one another.
    pub(super) fn choose_order(&self, graph: &Graph) -> Vec<usize> {
        best_vertex_order(graph, &self.cost(), |order| self.frontier_in(order))
    }

    /// Does the same as [`EdgeSets::predict`].
    ///
    /// # Errors
    ///
    /// As for [`count`](VertexSets::count).
    pub fn predict(&self, limit: PilotLimit) -> Result<Prediction, FamilyError> {
        Ok(predict(self.frontier()?, &self.frontier_bits()?, limit)?)
    }

    /// Does the same as [`EdgeSets::frontier_bits`].
    ///
    /// # Errors
    ///
    /// As for [`vertex_order`](VertexSets::vertex_order).
    pub fn frontier_bits(&self) -> Result<Vec<f64>, FamilyError> {
        let (graph, order) = (self.graph(), self.vertex_order()?);
        let (vertices, edges) = (graph.num_vertices(), graph.edges());
        let mut bits = vertex_frontier_bits(vertices, edges, &order, &self.cost());
        for rule in self.linear_rules() {
            sum_bits::add(&mut bits, &sum_bits::of_rule(&rule, &order));
        }
        Ok(bits)
    }
}

impl Colourings {
    fn cost(&self) -> Cost {
        Cost::values(self.colours())
    }

    /// Chooses the order of the vertices.
    pub(super) fn choose_order(&self) -> Vec<usize> {
        best_vertex_order(self.graph(), &self.cost(), |order| self.frontier_in(order))
    }

    /// Does the same as [`EdgeSets::predict`].
    ///
    /// # Errors
    ///
    /// As for [`count`](Colourings::count).
    pub fn predict(&self, limit: PilotLimit) -> Result<Prediction, FamilyError> {
        Ok(predict(self.frontier()?, &self.frontier_bits()?, limit)?)
    }

    /// Does the same as [`EdgeSets::frontier_bits`].
    ///
    /// # Errors
    ///
    /// As for [`vertex_order`](Colourings::vertex_order).
    pub fn frontier_bits(&self) -> Result<Vec<f64>, FamilyError> {
        let (graph, order) = (self.graph(), self.vertex_order()?);
        Ok(vertex_frontier_bits(graph.num_vertices(), graph.edges(), &order, &self.cost()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Graph;
    use crate::families::{
        Order, at_most, connected_dominating_sets, dominating_sets, forests,
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
        let reverse = family.edge_order().unwrap().into_iter().rev().collect();
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
        let order = paths(&grid, 0, 168).edge_order().unwrap();
        assert!(order.into_iter().eq(0..grid.num_edges()));
    }

    #[test]
    fn chosen_order_is_the_same_in_every_call() {
        let graph = Graph::grid(5, 6);
        for family in [forests(&graph), matchings(&graph), paths(&graph, 3, 20)] {
            let order = family.edge_order().unwrap();
            assert_eq!(order, family.clone().order(Order::Auto).edge_order().unwrap());
        }
    }
}
