//! Every family against brute force by an independent definition.

mod named;
mod states48;
mod theorems;

use super::*;
use crate::Graph;

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

/// Graphs of a few vertices and edges: the empty one, all simple graphs of up to four vertices, and
/// random multigraphs with loops.
pub(super) fn small_graphs(directed: bool) -> Vec<Graph> {
    let make = |n: usize, edges: Vec<(usize, usize)>| {
        if directed { Graph::directed(n, edges) } else { Graph::new(n, edges) }.unwrap()
    };
    let mut graphs = vec![make(0, vec![])];
    for n in 1..=4usize {
        let pairs: Vec<_> = (0..n).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        for subset in 0..1usize << pairs.len() {
            let chosen = pairs.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1);
            // Every second edge backwards.
            let edges = chosen.map(|(i, &(a, b))| if i % 2 == 0 { (a, b) } else { (b, a) });
            graphs.push(make(n, edges.collect()));
        }
    }
    let mut seed = 12345u64;
    let mut draw = |below: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below
    };
    for round in 0..60 {
        let n = 1 + draw(6);
        let edges = (0..draw(10)).map(|_| {
            let (a, b) = (draw(n), draw(n));
            // Loops in every third graph.
            if a == b && round % 3 != 0 { (a, (a + 1) % n) } else { (a, b) }
        });
        let edges: Vec<_> = edges.collect();
        graphs.push(make(n, edges));
    }
    graphs
}

/// Compares a family with a predicate on all edge sets of a graph, in four orders of variables.
#[track_caller]
pub(super) fn assert_family(family: &EdgeSets, is_member: impl Fn(&Subset<'_>) -> bool) {
    let graph = family.graph();
    let edges = graph.num_edges();
    let expected: Vec<Vec<usize>> = (0..1usize << edges)
        .map(|bits| (0..edges).filter(|edge| bits >> edge & 1 == 1).collect())
        .filter(|set: &Vec<usize>| is_member(&Subset::new(graph, set.clone())))
        .collect();
    let reverse = Order::Custom((0..edges).rev().collect());
    let mut mixed: Vec<usize> = (0..edges).collect();
    mixed.sort_unstable_by_key(|edge| (edge + 3) * 7919 % 101);
    for order in [Order::Auto, Order::Given, reverse, Order::Custom(mixed)] {
        let family = family.clone().order(order.clone());
        let name = || format!("{order:?} of {graph:?}");
        assert_eq!(family.count().unwrap(), expected.len().into(), "{}", name());
        let mut sets: Vec<Vec<usize>> = family.zdd().unwrap().iter().collect();
        sets.sort_unstable_by_key(|set| set.iter().map(|&edge| 1u64 << edge).sum::<u64>());
        assert_eq!(sets, expected, "{}", name());
        let spec = family.spec().unwrap();
        assert_eq!(topdd::count_bdd(&spec).unwrap(), expected.len().into(), "{}", name());
        for rule in [topdd::Rule::ZeroSuppressed, topdd::Rule::AnyValue] {
            topdd::check::contract(&spec, rule, 200).unwrap();
        }
    }
}
