//! Reliability against the definition, the diagram and the sweep without reductions.

use super::*;
use crate::families::connecting;
use crate::families::tests::{Subset, small_graphs};

/// By all sets of working edges and vertices.
fn reliability_by_definition(
    graph: &Graph,
    works: &[f64],
    vertices: &[f64],
    terminals: &[usize],
) -> f64 {
    let (n, m) = (graph.num_vertices(), graph.num_edges());
    let weight = |bits: usize, works: &[f64]| -> f64 {
        let of = |(i, p): (usize, &f64)| if bits >> i & 1 == 1 { *p } else { 1.0 - p };
        works.iter().enumerate().map(of).product()
    };
    let mut total = 0.0;
    for up in 0..1usize << n {
        let probability = weight(up, vertices);
        if probability == 0.0 || terminals.iter().any(|&t| up >> t & 1 == 0) {
            continue;
        }
        for bits in 0..1usize << m {
            let is_used = |&e: &usize| {
                let (a, b) = graph.edges()[e];
                bits >> e & 1 == 1 && up >> a & 1 == 1 && up >> b & 1 == 1
            };
            let subset = Subset::new(graph, (0..m).filter(is_used).collect());
            let component = |t: &usize| subset.component[*t];
            if terminals.windows(2).all(|pair| component(&pair[0]) == component(&pair[1])) {
                total += probability * weight(bits, works);
            }
        }
    }
    total
}

/// The probability of the diagrams of the blocks.
fn by_diagrams(network: &Reliability<'_>) -> f64 {
    let reduced = network.reduced().unwrap();
    let of_block = |block: &NetworkBlock| {
        let diagram = topdd::bdd(&block.spec()).unwrap();
        assert_eq!(diagram.num_vars(), block.num_vars());
        diagram.probability(&block.probabilities()).unwrap()
    };
    reduced.factor() * reduced.blocks().iter().map(of_block).product::<f64>()
}

#[track_caller]
fn assert_close(a: f64, b: f64, graph: &Graph) {
    assert!((a - b).abs() < 1e-12, "{a} {b} {graph:?}");
}

#[test]
fn reliability_agrees_with_the_definition_and_with_the_diagram() {
    for graph in small_graphs(false) {
        let (n, m) = (graph.num_vertices(), graph.num_edges());
        let works: Vec<f64> = (0..m).map(|e| [0.9, 0.3, 1.0, 0.65, 0.0, 0.5][e % 6]).collect();
        let up: Vec<f64> = (0..n).map(|v| [0.8, 1.0, 0.35, 0.0, 0.9][v % 5]).collect();
        let sure = vec![1.0; n];
        let mut choices = vec![(0..n).collect::<Vec<_>>()];
        choices.extend((n > 0).then(|| vec![0]));
        choices.extend((n > 1).then(|| vec![n - 1, 0]));
        choices.extend((n > 3).then(|| vec![1, 3, n - 1].into_iter().take(n - 2).collect()));
        for terminals in choices {
            for vertices in [&sure, &up] {
                let expected = reliability_by_definition(&graph, &works, vertices, &terminals);
                let network = Reliability::new(&graph, &works).vertex_p(vertices);
                let network = match &terminals[..] {
                    [] => network,
                    terminals => network.terminals(terminals),
                };
                assert_close(network.probability().unwrap(), expected, &graph);
                assert_close(by_diagrams(&network), expected, &graph);
                let unreduced = network.order(Order::Given);
                assert_close(unreduced.probability().unwrap(), expected, &graph);
                assert_close(by_diagrams(&unreduced), expected, &graph);
            }
            if !terminals.is_empty() {
                let zdd = connecting(&graph, &terminals).zdd().unwrap();
                let expected = reliability_by_definition(&graph, &works, &sure, &terminals);
                assert_close(zdd.probability(&works).unwrap(), expected, &graph);
            }
        }
    }
}

/// The probability of a directed path, by all sets of working edges and vertices.
fn path_by_definition(graph: &Graph, works: &[f64], vertices: &[f64], ends: [usize; 2]) -> f64 {
    let (n, m) = (graph.num_vertices(), graph.num_edges());
    let of_item =
        |bits: usize, (i, p): (usize, &f64)| if bits >> i & 1 == 1 { *p } else { 1.0 - p };
    let mut total = 0.0;
    for bits in 0..1usize << (n + m) {
        let all = vertices.iter().chain(works).enumerate();
        let probability: f64 = all.map(|item| of_item(bits, item)).product();
        if probability == 0.0 || bits >> ends[0] & 1 == 0 {
            continue;
        }
        let mut reached = 1 << ends[0];
        for _ in 0..n {
            for (edge, &(a, b)) in graph.edges().iter().enumerate() {
                if bits >> (n + edge) & 1 == 1 && reached >> a & 1 == 1 && bits >> b & 1 == 1 {
                    reached |= 1 << b;
                }
            }
        }
        if reached >> ends[1] & 1 == 1 {
            total += probability;
        }
    }
    total
}

#[test]
fn directed_reliability_agrees_with_the_definition_and_with_the_diagram() {
    let mut positive = 0;
    for graph in small_graphs(true) {
        let (n, m) = (graph.num_vertices(), graph.num_edges());
        if n < 2 || n + m > 15 {
            continue;
        }
        let works: Vec<f64> = (0..m).map(|e| [0.9, 0.3, 1.0, 0.65, 0.0, 0.5][e % 6]).collect();
        let up: Vec<f64> = (0..n).map(|v| [0.8, 0.7, 1.0, 0.35, 0.0][v % 5]).collect();
        for ends in [[0, n - 1], [1, 0]] {
            for vertices in [vec![1.0; n], up.clone()] {
                let expected = path_by_definition(&graph, &works, &vertices, ends);
                let network = Reliability::new(&graph, &works).vertex_p(&vertices);
                let network = network.directed(ends[0], ends[1]);
                assert_close(network.probability().unwrap(), expected, &graph);
                assert_close(by_diagrams(&network), expected, &graph);
                for block in network.reduced().unwrap().blocks() {
                    topdd::check::contract(&block.spec(), Rule::AnyValue, 200).unwrap();
                }
                let unreduced = network.order(Order::Given);
                assert_close(unreduced.probability().unwrap(), expected, &graph);
                positive += usize::from(expected > 0.0);
            }
        }
    }
    assert!(positive > 200, "{positive}");
}

#[test]
fn a_network_with_an_edge_in_both_directions_for_each_has_the_reliability_without_directions() {
    let grid = Graph::grid(4, 4);
    let works: Vec<f64> = (0..24).map(|edge| 0.5 + f64::from(edge) / 60.0).collect();
    let undirected = Reliability::new(&grid, &works).terminals(&[0, 15]).probability().unwrap();
    // An edge that fails fails in both directions, which makes no difference to a path.
    let both = grid.edges().iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
    let directed = Graph::directed(16, both).unwrap();
    let works: Vec<f64> = works.iter().flat_map(|&works| [works; 2]).collect();
    let directed = Reliability::new(&directed, &works).directed(0, 15).probability().unwrap();
    assert_close(directed, undirected, &grid);
}

#[test]
fn wrong_ends_of_directed_paths_are_errors() {
    let (directed, undirected) = (Graph::directed(2, [(0, 1)]).unwrap(), Graph::path(2));
    let error = |graph: &Graph, from, to| {
        Reliability::new(graph, &[0.5]).directed(from, to).probability().unwrap_err()
    };
    assert_eq!(error(&undirected, 0, 1), FamilyError::Undirected { family: "directed paths" });
    assert_eq!(error(&directed, 0, 2), FamilyError::VertexOutOfRange { vertex: 2, vertices: 2 });
    assert_eq!(error(&directed, 1, 1), FamilyError::RepeatedVertex { vertex: 1 });
    let wide = Graph::complete(40);
    let wide = Graph::directed(40, wide.edges().iter().copied()).unwrap();
    let works = vec![0.5; wide.num_edges()];
    let too_wide = Reliability::new(&wide, &works).directed(0, 39).probability();
    assert!(matches!(too_wide, Err(FamilyError::TooWide { slots, most: 136, .. }) if slots > 32));
}

#[test]
fn large_trees_and_cycles_reduce_to_a_factor() {
    let n = 100_000;
    for graph in [Graph::path(n), Graph::star(n), Graph::cycle(n)] {
        let works = vec![1.0 - 1e-6; graph.num_edges()];
        for terminals in [None, Some([0, 1, n / 2])] {
            let network = Reliability::new(&graph, &works);
            let network = match terminals {
                Some(terminals) => network.terminals(&terminals),
                None => network,
            };
            let reduced = network.reduced().unwrap();
            assert!(reduced.blocks().is_empty() && reduced.factor() > 0.8);
        }
    }
}

#[test]
fn wrong_probabilities_and_wide_frontiers_are_errors() {
    let graph = Graph::complete(200);
    let works = vec![0.5; graph.num_edges()];
    let too_wide = Reliability::new(&graph, &works).probability();
    assert!(matches!(too_wide, Err(FamilyError::TooWide { slots, .. }) if slots > 127));
    let wrong = Reliability::new(&Graph::path(3), &[0.5, 1.5]).probability();
    assert_eq!(wrong, Err(FamilyError::BadProbability { at: 1, value: 1.5 }));
    let none = Reliability::new(&Graph::path(2), &[0.5]).terminals(&[]).probability();
    assert_eq!(none, Err(FamilyError::NoVertices { what: "terminals" }));
    let zero = Reliability::new(&Graph::empty(2), &[]).probability();
    assert_eq!(zero, Ok(0.0));
}

/// The importance of an edge is the probability with the edge minus the probability without it.
#[test]
fn importance_is_the_difference_that_an_edge_makes() {
    for graph in small_graphs(false) {
        let m = graph.num_edges();
        let works: Vec<f64> = (0..m).map(|e| [0.9, 0.3, 1.0, 0.65, 0.0, 0.5][e % 6]).collect();
        let network = Reliability::new(&graph, &works);
        let block = network.unreduced().unwrap();
        let diagram = block.frontier().bdd().unwrap();
        let importance = diagram.birnbaum(&block.probabilities()).unwrap();
        for (edge, importance) in block.edge_order().into_iter().zip(importance) {
            let with = |edge_works: f64| {
                let mut works = works.clone();
                works[edge] = edge_works;
                Reliability::new(&graph, &works).probability().unwrap()
            };
            assert_close(importance, with(1.0) - with(0.0), &graph);
        }
    }
}
