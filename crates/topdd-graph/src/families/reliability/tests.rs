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
                let network = Reliability::new(&graph, &works).vertices(vertices);
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

#[test]
fn large_trees_and_cycles_reduce_to_a_factor() {
    let n = 100_000;
    for graph in [Graph::path(n), Graph::star(n), Graph::cycle(n)] {
        let works = vec![1.0 - 1e-6; graph.num_edges()];
        for terminals in [None, Some(vec![0, 1, n / 2])] {
            let network = Reliability::new(&graph, &works);
            let network = Reliability { terminals, ..network };
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
