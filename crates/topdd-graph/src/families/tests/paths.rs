//! Paths and cycles by edge and by vertex, against known counts and brute force. The counts of grids are in the
//! tests of the workspace.

use std::collections::HashSet;

use num_bigint::BigUint;
use proptest::prelude::*;
use topdd::{DdSpec, QueryError, Rule, Zdd, check};

use super::*;
use crate::GraphError;
use crate::by_vertex::ByVertex;

/// The contract under both rules, the number of solutions under each, and the solutions.
fn inspect<S: DdSpec>(spec: &S) -> (BigUint, BigUint, Zdd) {
    for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
        check::contract(spec, rule, 20_000).unwrap();
    }
    let count = topdd::count(spec).unwrap();
    (count, topdd::count_bdd(spec).unwrap(), topdd::zdd(spec).unwrap())
}

/// By edge and by vertex.
fn assert_count(paths: &EdgeSets, expected: impl Into<BigUint>) {
    let expected = expected.into();
    let by_edge = paths.clone().order(Order::Given).count();
    assert_eq!(by_edge.as_ref(), Ok(&expected), "by edge");
    let by_vertex = paths.by_vertex().unwrap().frontier().unwrap().count();
    assert_eq!(by_vertex.as_ref(), Ok(&expected), "by vertex");
}

#[test]
fn transposing_a_grid_keeps_the_counts() {
    // Three lines of 2 k vertices have 2^(k-1).
    assert_count(&hamiltonian_cycles(&Graph::grid(3, 8)), 8u32);
    assert_count(&hamiltonian_cycles(&Graph::grid(8, 3)), 8u32);
}

#[test]
fn petersen_graph_has_the_known_counts() {
    let petersen = Graph::named("petersen").unwrap();
    assert_count(&hamiltonian_cycles(&petersen), 0u32);
    assert_count(&hamiltonian_paths(&petersen), 120u32);
    // 240 directed Hamiltonian paths, 24 from each of the 10 vertices.
    assert_count(&hamiltonian_paths_from(&petersen, 7), 24u32);
}

/// Slots beyond 255, codes of nine bits and more, many words.
#[test]
fn frontiers_of_hundreds_of_vertices_have_the_known_counts() {
    // Spokes from one hub to the rim of a wheel: after the hub, all of the rim is there.
    let wheel = |n: usize| {
        let rim = (1..n).map(move |v| (v, if v + 1 == n { 1 } else { v + 1 }));
        Graph::new(n, (1..n).map(|v| (0, v)).chain(rim)).unwrap()
    };
    // To a neighbour of the end, then around.
    let from_hub = hamiltonian_paths_between(&wheel(261), 0, 1);
    assert!(from_hub.by_vertex().unwrap().problem().words() > 32);
    assert_count(&from_hub, 2u32);
    // All of the rim but one edge.
    assert_count(&hamiltonian_cycles(&wheel(61)), 60u32);

    let too_wide = Graph::new(501, (1..501).map(|v| (0, v))).unwrap();
    let paths = all_paths(&too_wide).by_vertex().unwrap();
    let error = paths.frontier().unwrap_err();
    assert_eq!(error, FamilyError::TooWide { slots: 500, bytes: 72 * 8, most: 512 });
    assert!(error.to_string().contains("needs states of 576 bytes"));
    assert_eq!(topdd::count(&ByVertex::<72>::new(paths.problem()).unwrap()), Ok(125_250u32.into()));
}

/// Vertex numbers that do not fit in sixteen bits.
#[test]
fn paths_of_tens_of_thousands_of_vertices_are_counted() {
    let n = 70_000;
    let line = Graph::grid(n, 1);
    assert_count(&paths(&line, 0, n - 1), 1u32);
    assert_count(&hamiltonian_paths(&line), 1u32);
    assert_count(&paths(&line, 40_000, 33_000), 1u32);
    let ring = Graph::new(n, (0..n).map(|v| (v, (v + 1) % n))).unwrap();
    assert_count(&hamiltonian_cycles(&ring), 1u32);
}

#[test]
fn paths_of_small_and_empty_graphs_have_the_known_counts() {
    for vertices in 0..4 {
        let graph = Graph::new(vertices, []).unwrap();
        for family in [cycles, hamiltonian_cycles, all_paths, hamiltonian_paths] {
            assert_count(&family(&graph), 0u32);
        }
    }
    let edge = Graph::new(2, [(1, 0)]).unwrap();
    assert_count(&cycles(&edge), 0u32);
    assert_count(&hamiltonian_cycles(&edge), 0u32);
    assert_count(&all_paths(&edge), 1u32);
    assert_count(&hamiltonian_paths(&edge), 1u32);
    // The path of a single vertex is no path from that vertex to another.
    assert_count(&hamiltonian_paths_from(&Graph::grid(1, 1), 0), 0u32);
    // The path without an edge has a size.
    assert_eq!(grid_paths(1).and(at_most(0)).count(), Ok(1u32.into()));
    assert_eq!(grid_paths(1).and(at_least(1)).count(), Ok(0u32.into()));
    // A fixed end without edges.
    assert_count(&paths_from(&Graph::new(3, [(0, 1)]).unwrap(), 2), 0u32);
}

#[test]
fn paths_by_vertex_need_a_simple_undirected_graph_and_no_other_condition() {
    let error = |paths: &EdgeSets| paths.by_vertex().unwrap_err();
    let graph = |edges: &[(usize, usize)]| Graph::new(3, edges.iter().copied()).unwrap();
    let looped = GraphError::Loop { vertex: 2 };
    assert_eq!(error(&cycles(&graph(&[(0, 1), (2, 2)]))), looped.into());
    let twice = GraphError::DuplicateEdge { edge: (0, 1) };
    assert_eq!(error(&cycles(&graph(&[(0, 1), (2, 1), (1, 0)]))), twice.into());
    let directed = Graph::directed(2, [(0, 1)]).unwrap();
    assert_eq!(error(&all_paths(&directed)), GraphError::Directed.into());
    let grid = Graph::grid(2, 2);
    assert_eq!(error(&cycles(&grid).and(at_most(3))), FamilyError::NotPaths);
    assert_eq!(error(&forests(&grid)), FamilyError::NotPaths);
    let out_of_range = FamilyError::VertexOutOfRange { vertex: 4, vertices: 4 };
    assert_eq!(error(&hamiltonian_paths_to(&grid, 4)), out_of_range);
    let by_vertex = cycles(&grid).by_vertex().unwrap();
    // Vertex 0 takes both later neighbours, 1 and 2 the only one they have.
    assert_eq!(by_vertex.elements_of(&[3, 1, 1, 0]), Ok(vec![0, 1, 2, 3]));
    let wrong_length = SequenceError::WrongLength { given: 3, variables: 4 };
    assert_eq!(by_vertex.elements_of(&[3, 1, 1]), Err(wrong_length));
    let no_value = SequenceError::ValueOutOfRange { variable: 1, value: 2 };
    assert_eq!(by_vertex.elements_of(&[3, 2, 1, 0]), Err(no_value));
    let other = topdd::Zdd::from_solutions([4, 2, 2, 2], [[3, 1, 1, 0]]).unwrap();
    assert!(matches!(by_vertex.to_edge_sets(&other), Err(QueryError::DifferentVariables { .. })));
}

/// All solutions by the definition: sets of edges whose degrees are right and that are connected.
fn brute_force(paths: &EdgeSets) -> HashSet<Vec<usize>> {
    let rule = paths.only_path_rule().unwrap();
    let graph = paths.graph();
    let is_path = |edges: &Vec<usize>| {
        let subset = Subset::new(graph, edges.clone());
        let ends: Vec<usize> = subset.vertices().filter(|&v| subset.degree(v) == 1).collect();
        subset.is_connected_with_edge()
            && subset.vertices().all(|v| subset.degree(v) <= 2)
            && ends.len() == if rule.cycle { 0 } else { 2 }
            && rule.from.iter().chain(&rule.to).all(|end| ends.contains(end))
            && (!rule.hamiltonian || subset.vertices().all(|v| subset.degree(v) > 0))
    };
    let edges = graph.num_edges();
    let subset = |bits: u32| (0..edges).filter(|edge| bits >> edge & 1 == 1).collect();
    (0..1u32 << edges).map(subset).filter(is_path).collect()
}

/// Every kind of paths of a graph, with `a` and `b` as ends.
fn every_kind(graph: &Graph, a: usize, b: usize) -> Vec<EdgeSets> {
    let mut kinds = vec![
        cycles(graph),
        hamiltonian_cycles(graph),
        all_paths(graph),
        paths_from(graph, a),
        hamiltonian_paths(graph),
        hamiltonian_paths_from(graph, a),
        hamiltonian_paths_to(graph, a),
    ];
    if a != b {
        kinds.extend([paths(graph, a, b), hamiltonian_paths_between(graph, a, b)]);
    }
    kinds
}

/// By edge and by vertex; every sequence is valid.
fn assert_as_brute_force(paths: &EdgeSets) {
    let expected = brute_force(paths);
    let size = BigUint::from(expected.len());
    let by_vertex = paths.by_vertex().unwrap();
    let by_edge = paths.clone().order(Order::Given);
    let edges_of = |values: &[usize], is_by_vertex: bool| {
        let ones = || (0..values.len()).filter(|&edge| values[edge] == 1).collect();
        if is_by_vertex { by_vertex.elements_of(values).unwrap() } else { ones() }
    };
    for is_by_vertex in [false, true] {
        let spec = if is_by_vertex { by_vertex.spec() } else { by_edge.spec() }.unwrap();
        let (count, count_bdd, zdd) = inspect(&spec);
        assert_eq!((&count, &count_bdd), (&size, &size), "{paths:?} {is_by_vertex}");
        let mut found = HashSet::new();
        for values in &zdd {
            let mut edges = edges_of(&values, is_by_vertex);
            let sequence = paths.to_sequence(&edges).unwrap();
            assert_eq!(paths.validate(&sequence), Ok(()));
            edges.sort_unstable();
            assert!(found.insert(edges));
        }
        assert_eq!(found, expected, "{paths:?} {is_by_vertex}");
    }
    let zdd = by_vertex.frontier().unwrap().zdd().unwrap();
    let (sets, edges) = by_vertex.to_edge_sets(&zdd).unwrap();
    assert_eq!(sets.count(), size);
    let taken = |values: Vec<usize>| edges.iter().zip(values).filter(|&(_, value)| value == 1);
    let mut found: Vec<Vec<usize>> =
        sets.iter().map(|values| taken(values).map(|(&edge, _)| edge).collect()).collect();
    for edges in &mut found {
        edges.sort_unstable();
    }
    assert_eq!(found.into_iter().collect::<HashSet<_>>(), expected, "{paths:?}");
}

fn graphs() -> impl Strategy<Value = Graph> {
    (2..=7usize).prop_flat_map(|n| {
        let pairs: Vec<_> = (0..n).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        let most = pairs.len().min(12);
        proptest::sample::subsequence(pairs, 0..=most)
            .prop_map(move |edges| Graph::new(n, edges).unwrap())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]

    #[test]
    fn paths_of_random_graphs_equal_brute_force(graph in graphs(), a in 0..7usize, b in 0..7usize) {
        let n = graph.num_vertices();
        for paths in every_kind(&graph, a % n, b % n) {
            assert_as_brute_force(&paths);
        }
    }
}

#[test]
fn paths_of_complete_graphs_have_the_known_counts() {
    for paths in every_kind(&Graph::complete(5), 3, 1) {
        assert_as_brute_force(&paths);
    }
    // (n - 1)! / 2 tours of the complete graph.
    let complete = Graph::complete(9);
    assert_count(&hamiltonian_cycles(&complete), 20160u32);
    assert_count(&hamiltonian_paths(&complete), 181440u32);
    assert_count(&hamiltonian_paths_between(&complete, 4, 2), 5040u32);
}

#[test]
fn sequence_fits_the_ends_of_all_families_that_are_combined() {
    let line = Graph::new(4, [(0, 1), (1, 2), (2, 3)]).unwrap();
    let paths = all_paths(&line).and(paths_from(&line, 3));
    let sequence = paths.to_sequence(&[0, 1, 2]).unwrap();
    assert_eq!(sequence, [3, 2, 1, 0]);
    assert_eq!(paths.validate(&sequence), Ok(()));
    // No sequence begins at both ends: it fits the first family.
    let both = paths_from(&line, 3).and(paths_from(&line, 0));
    assert_eq!(both.to_sequence(&[0, 1, 2]).unwrap(), [3, 2, 1, 0]);
}
