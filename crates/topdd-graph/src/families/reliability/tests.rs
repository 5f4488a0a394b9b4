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

/// Sparse random graphs with tails, chains, blocks and parallel edges.
fn sparse_graphs() -> impl Iterator<Item = Graph> {
    (0..40).map(|seed: u64| {
        let (n, m) = (10 + seed as usize % 9, 13 + seed as usize % 13);
        let mut state = seed;
        let mut draw = |below: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        };
        // A tree of short edges, and further edges.
        let edges = (1..n).map(|v| (v, v - 1 - draw(v.min(3)))).collect::<Vec<_>>();
        let more: Vec<_> = (n - 1..m).map(|_| (draw(n), draw(n))).collect();
        Graph::new(n, edges.into_iter().chain(more)).unwrap()
    })
}

#[test]
fn counts_by_size_are_those_of_the_connecting_sets() {
    for graph in sparse_graphs().take(6) {
        let works = vec![0.7; graph.num_edges()];
        let network = Reliability::new(&graph, &works).terminals(&[0, 5, 7]);
        let counts = network.counts_by_size().unwrap();
        let mut expected = connecting(&graph, &[0, 5, 7]).zdd().unwrap().count_by_size();
        expected.resize(counts.len(), BigUint::ZERO);
        assert_eq!(counts, expected);
        let term = |(size, count): (usize, &BigUint)| {
            let rest = graph.num_edges() - size;
            count.to_string().parse::<f64>().unwrap()
                * 0.7f64.powf(size as f64)
                * 0.3f64.powf(rest as f64)
        };
        let sum: f64 = counts.iter().enumerate().map(term).sum();
        assert_close(sum, network.probability().unwrap(), &graph);
    }
    let graph = Graph::cycle(3);
    let failing = Reliability::new(&graph, &[0.5; 3]).vertices(&[1.0, 0.5, 1.0]);
    let refused = failing.counts_by_size().unwrap_err();
    assert_eq!(refused, FamilyError::FailingVertex { vertex: 1 });
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
