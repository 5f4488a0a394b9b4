//! Every family against brute force by an independent definition.

mod merges;
mod named;
mod paths;
mod small;
mod states48;
mod sums;
mod theorems;

use super::*;
use crate::Graph;
pub(super) use small::small_graphs;

/// An edge set, by its definition alone.
pub(super) struct Subset<'a> {
    pub(super) graph: &'a Graph,
    /// Ascending.
    pub(super) edges: Vec<usize>,
    /// The least vertex of the component of each vertex.
    pub(super) component: Vec<usize>,
}

impl<'a> Subset<'a> {
    pub(super) fn new(graph: &'a Graph, edges: Vec<usize>) -> Self {
        let mut component: Vec<usize> = (0..graph.num_vertices()).collect();
        for &edge in &edges {
            let (a, b) = graph.edges()[edge];
            let (a, b) = (component[a], component[b]);
            component.iter_mut().filter(|c| **c == a.max(b)).for_each(|c| *c = a.min(b));
        }
        Self { graph, edges, component }
    }

    pub(super) fn ends(&self) -> impl Iterator<Item = (usize, usize)> {
        self.edges.iter().map(|&edge| self.graph.edges()[edge])
    }

    pub(super) fn out_degree(&self, vertex: usize) -> usize {
        self.ends().filter(|&(a, _)| a == vertex).count()
    }

    pub(super) fn in_degree(&self, vertex: usize) -> usize {
        self.ends().filter(|&(_, b)| b == vertex).count()
    }

    pub(super) fn degree(&self, vertex: usize) -> usize {
        self.out_degree(vertex) + self.in_degree(vertex)
    }

    pub(super) fn vertices(&self) -> std::ops::Range<usize> {
        0..self.graph.num_vertices()
    }

    pub(super) fn num_components(&self) -> usize {
        self.vertices().filter(|&vertex| self.component[vertex] == vertex).count()
    }

    /// A forest has one edge for each vertex that is not the least of its component.
    pub(super) fn is_forest(&self) -> bool {
        self.edges.len() + self.num_components() == self.graph.num_vertices()
    }

    /// Whether all edges are in one component, and there is one.
    pub(super) fn is_connected_with_edge(&self) -> bool {
        let mut ends = self.ends().map(|(a, _)| self.component[a]);
        ends.next().is_some_and(|first| ends.all(|other| other == first))
    }
}

/// The number of vertices, or of edges, from which a family is compared in one order only: there are
/// hundreds of such graphs.
const LARGE: [usize; 2] = [6, 7];

/// Compares a family with a predicate on all edge sets of a graph. If the graph is not [`LARGE`], with
/// all methods, in the order that the family chooses and in one of three others.
#[track_caller]
pub(super) fn assert_family(family: &EdgeSets, is_member: impl Fn(&Subset<'_>) -> bool) {
    assert_family_by(family, &is_member);
}

// Not generic, so it is compiled once.
#[track_caller]
fn assert_family_by(family: &EdgeSets, is_member: &dyn Fn(&Subset<'_>) -> bool) {
    let graph = family.graph();
    let edges = graph.num_edges();
    let expected: Vec<Vec<usize>> = (0..1usize << edges)
        .map(|bits| (0..edges).filter(|edge| bits >> edge & 1 == 1).collect())
        .map(|edges| Subset::new(graph, edges))
        .filter(|subset| is_member(subset))
        .map(|subset| subset.edges)
        .collect();
    let in_order = |mut sets: Vec<Vec<usize>>| {
        sets.sort_unstable_by_key(|set| set.iter().map(|&edge| 1u64 << edge).sum::<u64>());
        sets
    };
    if graph.num_vertices() >= LARGE[0] || edges >= LARGE[1] {
        assert_eq!(in_order(family.zdd().unwrap().iter().collect()), expected, "{graph:?}");
        assert_eq!(family.count().unwrap(), expected.len().into(), "{graph:?}");
        return;
    }
    let mut mixed: Vec<usize> = (0..edges).collect();
    mixed.sort_unstable_by_key(|edge| (edge + 3) * 7919 % 101);
    let reverse = (0..edges).rev().collect();
    let mut others = [Order::Given, Order::Custom(reverse), Order::Custom(mixed)].into_iter();
    let other = graph.edges().iter().map(|(a, b)| a + 2 * b).sum::<usize>() % 3;
    for order in [Order::Auto, others.nth(other).unwrap()] {
        let family = family.clone().order(order.clone());
        let name = || format!("{order:?} of {graph:?}");
        assert_eq!(family.count().unwrap(), expected.len().into(), "{}", name());
        assert_eq!(in_order(family.zdd().unwrap().iter().collect()), expected, "{}", name());
        let spec = family.spec().unwrap();
        assert_eq!(topdd::count_bdd(&spec).unwrap(), expected.len().into(), "{}", name());
        for rule in [topdd::Rule::ZeroSuppressed, topdd::Rule::AnyValue] {
            topdd::check::contract(&spec, rule, 200).unwrap();
        }
    }
}
