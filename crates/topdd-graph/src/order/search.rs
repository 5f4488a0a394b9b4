//! The search for closing orders of a whole graph.

use super::closing::{Preference, Tie, beam, breadth_first, greedy, improve, total_states};
use super::incidence::{Trees, distinct_neighbours};
use super::widths::Cost;
use crate::Graph;
use crate::graph::reached;
use crate::lists::Lists;
use std::collections::HashMap;

/// The effort of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchEffort {
    /// The work, in visits of an edge. Different components share it.
    work: usize,
    /// The number of different orders to find.
    alternatives: usize,
}

impl SearchEffort {
    /// One order, in some milliseconds.
    pub(super) const QUICK: SearchEffort = SearchEffort { work: 120_000, alternatives: 1 };

    /// Tenths of a second.
    pub(super) const fn full(alternatives: usize) -> Self {
        SearchEffort { work: 12_000_000, alternatives }
    }
}

/// The maximum number of sets of each size that a beam search keeps. More find hardly anything
/// better on road networks and grids of a hundred vertices.
const MAX_BEAM: usize = 200;

/// The minimum width of a beam that is worth a search.
const MIN_BEAM: usize = 8;

/// The maximum number of local moves.
const MAX_MOVES: usize = 4000;

/// The preferences of the greedy searches.
const PREFERENCES: [Preference; 6] = [
    Preference { growth: 1, distance: 0, tie: Tie::Reached },
    Preference { growth: 1, distance: 0, tie: Tie::Smallest },
    Preference { growth: 16, distance: 1, tie: Tie::Reached },
    Preference { growth: 2, distance: 1, tie: Tie::Reached },
    Preference { growth: 1, distance: 1, tie: Tie::Smallest },
    Preference { growth: 1, distance: 0, tie: Tie::Random(1) },
];

/// Returns the vertices of each connected component.
pub(super) fn components(graph: &Lists<usize>) -> Vec<Vec<usize>> {
    let mut seen = vec![false; graph.len()];
    let component =
        |start: usize| reached(&mut seen, start, |vertex| graph[vertex].iter().copied());
    let components = (0..graph.len()).map(component);
    components.filter(|component| !component.is_empty()).collect()
}

/// A component without its trees. Its vertices are numbered in the order of `Kernel::vertices`, so that
/// equal graphs are found.
#[derive(PartialEq, Eq, Hash)]
struct Shape {
    neighbours: Lists<usize>,
    starts: Vec<usize>,
}

/// Returns up to `effort.alternatives` orders of all vertices in which closing them takes few states, the
/// best first. `starts` are vertices to start from in addition to those that the search finds.
///
/// Components of one shape are searched once; the shapes share the work by size.
pub(super) fn closing_orders(
    graph: &Graph,
    cost: &Cost,
    starts: &[usize],
    effort: SearchEffort,
) -> Vec<Vec<usize>> {
    let neighbours = distinct_neighbours(graph);
    let components = components(&neighbours);
    let trees = Trees::new(graph, &neighbours, &components);
    let mut local = vec![usize::MAX; graph.num_vertices()];
    let mut shapes: HashMap<Shape, usize> = HashMap::new();
    let mut kernels = Vec::with_capacity(components.len());
    for component in components {
        let mut kernel = component;
        kernel.retain(|&vertex| !trees.is_removed[vertex]);
        for (index, &vertex) in kernel.iter().enumerate() {
            local[vertex] = index;
        }
        let mut edges = Vec::new();
        for (index, &vertex) in kernel.iter().enumerate() {
            let others = neighbours[vertex].iter().filter(|&&v| !trees.is_removed[v]);
            edges.extend(others.map(|&v| (index, local[v])).filter(|&(a, b)| a < b));
        }
        let ends = starts.iter().map(|&vertex| local[vertex]);
        let ends = ends.filter(|&at| kernel.get(at).is_some_and(|v| starts.contains(v)));
        let both = edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
        let shape = Shape { neighbours: Lists::new(kernel.len(), both), starts: ends.collect() };
        let new = shapes.len();
        kernels.push((*shapes.entry(shape).or_insert(new), kernel));
    }
    let total: usize = shapes.keys().map(|shape| size(&shape.neighbours)).sum();
    let mut found = vec![Vec::new(); shapes.len()];
    for (shape, index) in shapes {
        let work = effort.work as f64 * size(&shape.neighbours) as f64 / total as f64;
        let effort = SearchEffort { work: work as usize, ..effort };
        found[index] = search(&shape.neighbours, cost, &shape.starts, effort);
    }
    let mut orders = vec![Vec::with_capacity(local.len()); effort.alternatives];
    for (shape, kernel) in kernels {
        let found = &found[shape];
        for (index, order) in orders.iter_mut().enumerate() {
            for &vertex in &found[index.min(found.len() - 1)] {
                trees.append(kernel[vertex], order);
                order.push(kernel[vertex]);
            }
        }
    }
    orders.dedup();
    orders
}

/// The number of vertices and edges.
fn size(neighbours: &Lists<usize>) -> usize {
    neighbours.len() + neighbours.num_items() / 2
}

/// The orders found so far, with their estimated states.
struct FoundOrder<'a> {
    graph: &'a Lists<usize>,
    cost: &'a Cost,
    orders: Vec<(f64, Vec<usize>)>,
}

impl FoundOrder<'_> {
    fn add(&mut self, order: Vec<usize>) {
        let states = total_states(self.graph, self.cost, &order);
        self.orders.push((states, order));
    }

    fn sort(&mut self) {
        // A stable sort: of equal orders, the first one found.
        self.orders.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
}

/// Searches for orders of a connected graph, the best first.
fn search(
    graph: &Lists<usize>,
    cost: &Cost,
    starts: &[usize],
    effort: SearchEffort,
) -> Vec<Vec<usize>> {
    let SearchEffort { work, alternatives } = effort;
    let num_vertices = graph.len();
    if num_vertices < 3 {
        return vec![(0..num_vertices).collect()];
    }
    let size = size(graph);
    let far = *breadth_first(graph, 0).last().expect("not empty");
    let opposite = *breadth_first(graph, far).last().expect("not empty");
    let num_starts = (work / (16 * size) / PREFERENCES.len()).clamp(1, num_vertices);
    let spread = (0..num_starts).map(|index| index * num_vertices / num_starts);
    let mut found = FoundOrder { graph, cost, orders: Vec::new() };
    let first = starts.iter().copied().chain([far, opposite]);
    let starts_of_greedy = first.chain(spread.filter(|_| num_starts > 1));
    let searches = starts_of_greedy.flat_map(|start| PREFERENCES.map(|p| (start, p)));
    // Of a large dense graph, a single one takes seconds.
    for (start, preference) in searches.take((work / size).max(1)) {
        found.add(greedy(graph, start, preference));
    }
    for start in [far, opposite] {
        found.add(breadth_first(graph, start));
    }
    found.sort();
    found.orders.dedup_by(|a, b| a.1 == b.1);

    // Candidates of each set are found by a scan of all vertices.
    let beam_work = num_vertices * (num_vertices + 4 * size);
    let width = (work / beam_work).min(MAX_BEAM);
    if width >= MIN_BEAM {
        let mut best: Vec<usize> = Vec::new();
        for (_, order) in &found.orders {
            if !best.contains(&order[0]) && best.len() < width / 2 {
                best.push(order[0]);
            }
        }
        let all = beam(graph, cost, &best, width);
        found.add(all);
        for &start in starts {
            found.add(beam(graph, cost, &[start], width / 2));
        }
        found.sort();
    }
    // A small graph has few moves that differ.
    let moves = (work / (4 * size)).min(MAX_MOVES).min(8 * num_vertices * num_vertices);
    let moves = moves / alternatives.max(1);
    found.orders.truncate(alternatives.max(1));
    if moves >= num_vertices {
        for (states, order) in &mut found.orders {
            *states = improve(graph, cost, order, moves);
        }
        found.sort();
    }
    found.orders.into_iter().map(|(_, order)| order).collect()
}
