//! Every family of vertex sets against its definition on small graphs, and published counts.

// The methods are of one lifetime, and the closures of any.
#![allow(clippy::redundant_closure_for_method_calls)]

use topdd::check;

use super::super::tests::small_graphs;
use super::super::*;
use super::*;
use crate::GraphError;

/// A vertex set, by its definition alone.
struct Subset<'a> {
    graph: &'a Graph,
    vertices: Vec<usize>,
}

impl Subset<'_> {
    fn has(&self, vertex: usize) -> bool {
        self.vertices.contains(&vertex)
    }

    fn joined(&self, a: usize, b: usize) -> bool {
        self.graph.edges().iter().any(|&edge| edge == (a, b) || edge == (b, a))
    }

    fn is_independent(&self) -> bool {
        self.graph.edges().iter().all(|&(a, b)| !(self.has(a) && self.has(b)))
    }

    fn is_cover(&self) -> bool {
        self.graph.edges().iter().all(|&(a, b)| self.has(a) || self.has(b))
    }

    fn is_clique(&self) -> bool {
        self.vertices.iter().all(|&a| self.vertices.iter().all(|&b| a == b || self.joined(a, b)))
    }

    fn has_neighbour(&self, vertex: usize) -> bool {
        self.vertices.iter().any(|&member| self.joined(member, vertex))
    }

    fn dominates(&self) -> bool {
        (0..self.graph.num_vertices()).all(|vertex| self.has(vertex) || self.has_neighbour(vertex))
    }

    fn dominates_totally(&self) -> bool {
        (0..self.graph.num_vertices()).all(|vertex| self.has_neighbour(vertex))
    }

    /// All distances from a vertex, by repeated steps over the whole graph or within the set.
    fn distances(&self, from: usize, within: bool) -> Vec<Option<usize>> {
        let mut distances = vec![None; self.graph.num_vertices()];
        distances[from] = Some(0);
        for step in 0..distances.len() {
            for &(a, b) in self.graph.edges() {
                for (a, b) in [(a, b), (b, a)] {
                    let open = !within || self.has(b);
                    if distances[a] == Some(step) && distances[b].is_none() && open {
                        distances[b] = Some(step + 1);
                    }
                }
            }
        }
        distances
    }

    fn is_connected(&self) -> bool {
        let Some(&first) = self.vertices.first() else { return false };
        let distances = self.distances(first, true);
        self.vertices.iter().all(|&vertex| distances[vertex].is_some())
    }

    fn is_apart(&self, distance: usize) -> bool {
        let looped = |&vertex: &usize| distance >= 2 && self.joined(vertex, vertex);
        let near = |a: usize, b: usize| self.distances(a, false)[b].is_some_and(|d| d < distance);
        let pairs_apart =
            self.vertices.iter().all(|&a| self.vertices.iter().all(|&b| a == b || !near(a, b)));
        pairs_apart && !self.vertices.iter().any(looped)
    }
}

/// Compares a family with a predicate on all vertex sets of a graph, in the order that the family
/// chooses, the given one, and one of two others.
#[track_caller]
fn assert_family(family: &VertexSets, is_member: impl Fn(&Subset<'_>) -> bool) {
    assert_family_by(family, &is_member);
}

// Not generic, so it is compiled once.
#[track_caller]
fn assert_family_by(family: &VertexSets, is_member: &dyn Fn(&Subset<'_>) -> bool) {
    let graph = family.graph();
    let vertices = graph.num_vertices();
    let expected: Vec<Vec<usize>> = (0..1usize << vertices)
        .map(|bits| (0..vertices).filter(|vertex| bits >> vertex & 1 == 1).collect())
        .filter(|set: &Vec<usize>| is_member(&Subset { graph, vertices: set.clone() }))
        .collect();
    let is_odd = graph.edges().iter().map(|(a, b)| a + b).sum::<usize>() % 2 == 1;
    let reverse = Order::Custom((0..vertices).rev().collect());
    let other = if is_odd { reverse } else { Order::Bfs };
    for order in [Order::Auto, Order::Given, other] {
        let family = family.clone().order(order.clone());
        let name = || format!("{order:?} of {graph:?}");
        assert_eq!(family.count().unwrap(), expected.len().into(), "{}", name());
        let mut sets: Vec<Vec<usize>> = family.zdd().unwrap().iter().collect();
        sets.sort_unstable_by_key(|set| set.iter().map(|&vertex| 1u64 << vertex).sum::<u64>());
        assert_eq!(sets, expected, "{}", name());
        let spec = family.spec().unwrap();
        assert_eq!(topdd::count_bdd(&spec).unwrap(), expected.len().into(), "{}", name());
        // Slow; the orders do not differ in this.
        let rules = [topdd::Rule::ZeroSuppressed, topdd::Rule::AnyValue];
        for rule in rules.into_iter().filter(|_| order == Order::Given) {
            check::contract(&spec, rule, 200).unwrap();
        }
    }
}

/// The small graphs, and larger random simple ones.
fn graphs() -> impl Iterator<Item = Graph> {
    let random = (0..12).map(|seed| Graph::random_gnm(7, 5 + seed as usize, seed));
    small_graphs(false).into_iter().chain(random)
}

#[test]
fn independent_sets_covers_and_cliques_equal_brute_force() {
    for graph in graphs() {
        assert_family(&independent_sets(&graph), |set| set.is_independent());
        assert_family(&vertex_covers(&graph), |set| set.is_cover());
        assert_family(&cliques(&graph), |set| set.is_clique());
    }
}

#[test]
fn dominating_sets_equal_brute_force() {
    for graph in graphs() {
        assert_family(&dominating_sets(&graph), |set| set.dominates());
        assert_family(&total_dominating_sets(&graph), |set| set.dominates_totally());
    }
}

#[test]
fn connected_sets_equal_brute_force() {
    for graph in graphs() {
        assert_family(&connected_induced_subgraphs(&graph), |set| set.is_connected());
        assert_family(&connected_dominating_sets(&graph), |set| {
            set.is_connected() && set.dominates()
        });
    }
}

#[test]
fn independent_sets_at_a_distance_equal_brute_force() {
    for graph in graphs() {
        for distance in [0, 2, 3, 4] {
            let family = independent_sets_at_distance(&graph, distance);
            assert_family(&family, |set| set.is_apart(distance));
        }
    }
}

#[test]
fn combinations_equal_brute_force() {
    for graph in graphs().filter(|graph| graph.num_vertices() > 2) {
        let family = cliques(&graph).and(dominating_sets(&graph)).and(at_least(2));
        assert_family(&family, |set| set.is_clique() && set.dominates() && set.vertices.len() > 1);
        let family = VertexSets::all(&graph).with([1]).without([0]).and(at_most(2));
        assert_family(&family, |set| set.has(1) && !set.has(0) && set.vertices.len() <= 2);
        let weights: Vec<i64> = (-3..).step_by(2).take(graph.num_vertices()).collect();
        let weighted = SubgraphConstraint::Weight { weights: weights.clone(), least: -2, most: 4 };
        let family = independent_sets(&graph).and(weighted);
        assert_family(&family, |set| {
            let weight: i64 = set.vertices.iter().map(|&vertex| weights[vertex]).sum();
            set.is_independent() && (-2..=4).contains(&weight)
        });
    }
    let none = VertexSets::all(&Graph::path(3)).and(at_least(4));
    assert_eq!(none.count().unwrap(), 0u32.into());
}

/// The coefficients of the chromatic polynomial by deletion and contraction (H. Whitney, 1932), from
/// the constant one.
fn chromatic_polynomial(vertices: usize, edges: &[(usize, usize)]) -> Vec<i64> {
    let Some((&(a, b), rest)) = edges.split_last() else {
        let mut power = vec![0; vertices + 1];
        power[vertices] = 1;
        return power;
    };
    let mut deleted = chromatic_polynomial(vertices, rest);
    if a == b {
        return vec![0; vertices + 1];
    }
    // b becomes a, and the last vertex takes the number of b.
    let name = |vertex: usize| {
        let vertex = if vertex == b { a } else { vertex };
        if vertex == vertices - 1 { b } else { vertex }
    };
    let contracted: Vec<_> = rest.iter().map(|&(a, b)| (name(a), name(b))).collect();
    for (power, coefficient) in chromatic_polynomial(vertices - 1, &contracted).iter().enumerate() {
        deleted[power] -= coefficient;
    }
    deleted
}

#[test]
fn colourings_equal_the_chromatic_polynomial() {
    for graph in graphs() {
        let polynomial = chromatic_polynomial(graph.num_vertices(), graph.edges());
        for colours in 0..5_u8 {
            let value: i64 = polynomial
                .iter()
                .enumerate()
                .map(|(p, c)| c * i64::from(colours).pow(p as u32))
                .sum();
            let family = colourings(&graph, colours.into());
            assert_eq!(family.count().unwrap(), (value as u64).into(), "{colours} of {graph:?}");
            let all = family.zdd().unwrap();
            assert_eq!(all.count(), (value as u64).into());
            for colours in all.iter().take(100) {
                assert!(graph.edges().iter().all(|&(a, b)| colours[a] != colours[b]));
            }
            check::contract(&family.spec().unwrap(), topdd::Rule::ZeroSuppressed, 50).unwrap();
        }
    }
}

#[test]
fn colourings_with_and_without_colours_are_those_of_brute_force() {
    for graph in graphs() {
        let n = graph.num_vertices();
        if n < 2 {
            continue;
        }
        let all = colourings(&graph, 3).zdd().unwrap();
        let fits = |colours: &Vec<usize>| colours[0] == 1 && ![0, 1].contains(&colours[n - 1]);
        let mut some: Vec<_> = all.iter().filter(fits).collect();
        let family = colourings(&graph, 3).with([(0, 1)]).without([(n - 1, 0), (n - 1, 1)]);
        assert_eq!(family.count().unwrap(), some.len().into());
        let mut found: Vec<_> = family.zdd().unwrap().iter().collect();
        some.sort();
        found.sort();
        assert_eq!(found, some);
        check::contract(&family.spec().unwrap(), topdd::Rule::ZeroSuppressed, 50).unwrap();
    }
}

#[test]
fn published_counts_are_reached() {
    let usa = Graph::named("usa").unwrap();
    let sets = independent_sets(&usa).zdd().unwrap();
    assert_eq!(sets.count(), 132_696_010_u32.into());
    assert_eq!(vertex_covers(&usa).count().unwrap(), 132_696_010_u32.into());
    let covers = vertex_covers(&usa).zdd().unwrap();
    let both = sets.maximum().unwrap().weight + covers.minimum().unwrap().weight;
    assert_eq!(both, 48); // T. Gallai
    // OEIS A006506 and A063443.
    assert_eq!(independent_sets(&Graph::grid(8, 8)).count().unwrap(), 660_647_962_955_u64.into());
    assert_eq!(independent_sets(&Graph::king(8, 8)).count().unwrap(), 1_355_115_601_u64.into());
}

#[test]
fn long_graphs_take_linear_time_and_wide_ones_are_refused() {
    let long = 2000;
    for graph in [Graph::path(long), Graph::star(long)] {
        assert!(independent_sets(&graph).count().unwrap().bits() > 1000);
        assert!(dominating_sets(&graph).count().unwrap().bits() > 1000);
        assert!(vertex_covers(&graph).count().unwrap().bits() > 1000);
        assert_eq!(cliques(&graph).count().unwrap(), (2 * graph.num_vertices()).into());
        assert_eq!(colourings(&graph, 1).count().unwrap(), 0u32.into());
    }
    let connected = connected_induced_subgraphs(&Graph::path(long)).count().unwrap();
    assert_eq!(connected, (long as u64 * (long as u64 + 1) / 2).into());
    let wide = independent_sets(&Graph::complete(4200)).order(Order::Given).count();
    assert!(matches!(wide, Err(FamilyError::TooWide { slots: 4199, .. })), "{wide:?}");
    let pairs = independent_sets_at_distance(&Graph::star(10_000), 3).count();
    assert!(matches!(pairs, Err(FamilyError::TooManyPairs { distance: 3, .. })));
}

#[test]
fn long_lists_of_fixed_vertices_take_linear_time() {
    // With a spec for each fixed vertex, this would take minutes.
    let n = 5000;
    let sets = independent_sets(&Graph::path(n)).with([0]).without(1..n - 4);
    assert_eq!(sets.count().unwrap(), 8u32.into());
}

#[test]
fn wrong_parameters_are_errors() {
    let directed = Graph::directed(2, [(0, 1)]).unwrap();
    for error in [
        independent_sets(&directed).count().unwrap_err(),
        colourings(&directed, 2).count().unwrap_err(),
    ] {
        assert_eq!(error, FamilyError::Graph(GraphError::Directed));
    }
    // Such a graph cannot be made undirected without joining its edges.
    let both = Graph::directed(2, [(0, 1), (1, 0)]).unwrap();
    for error in [
        independent_sets(&both).count().unwrap_err(),
        colourings(&both, 2).count().unwrap_err(),
        crate::families::cycles(&both).by_vertex().unwrap_err(),
    ] {
        assert!(matches!(error, FamilyError::Graph(GraphError::BothDirections { .. })), "{error}");
    }
    let path = Graph::path(3);
    let sets = independent_sets(&path);
    let error = |family: VertexSets| family.count().unwrap_err();
    assert_eq!(
        error(sets.clone().with([3])),
        FamilyError::VertexOutOfRange { vertex: 3, vertices: 3 }
    );
    assert_eq!(error(sets.clone().and(avoid(0))), FamilyError::EdgeConstraint);
    assert_eq!(error(sets.clone().and(cliques(&Graph::path(4)))), FamilyError::DifferentGraphs);
    let weights = SubgraphConstraint::Weight { weights: vec![1], least: 0, most: 1 };
    assert!(matches!(
        error(sets.clone().and(weights)),
        FamilyError::WrongLength { given: 1, needed: 3, .. }
    ));
    for order in [vec![0, 1], vec![0, 1, 1], vec![0, 1, 3]] {
        let family = sets.clone().order(Order::Custom(order));
        assert_eq!(error(family), FamilyError::BadOrder { unit: Unit::Vertex, elements: 3 });
    }
    let error = |family: Colourings| family.count().unwrap_err();
    let vertex = FamilyError::VertexOutOfRange { vertex: 3, vertices: 3 };
    assert_eq!(error(colourings(&path, 2).with([(3, 0)])), vertex);
    let colour = FamilyError::ColourOutOfRange { colour: 2, colours: 2 };
    assert_eq!(error(colourings(&path, 2).without([(0, 2)])), colour);
    assert_eq!(colourings(&path, 9).with([(0, 0), (0, 1)]).count().unwrap(), 0u32.into());
    let colours = u32::MAX as usize + 1;
    let error = colourings(&path, colours).count().unwrap_err();
    assert_eq!(error, FamilyError::TooManyColours { colours, most: colours - 1 });
    let both = sets.clone().with([0]).without([0]);
    assert_eq!(both.count().unwrap(), 0u32.into());
    assert_eq!(sets.and(exactly(2)).zdd().unwrap().iter().collect::<Vec<_>>(), [[0, 2]]);
}
