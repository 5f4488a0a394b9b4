//! Reliability of sparse networks: the reductions against sweeps over the whole network, and counts by size.

use topdd::BigUint;
use topdd_graph::Graph;
use topdd_graph::families::{FamilyError, Order, Reliability, connecting};

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
fn reductions_keep_the_probability() {
    let mut edges_left = 0;
    for (index, graph) in sparse_graphs().enumerate() {
        let (n, m) = (graph.num_vertices(), graph.num_edges());
        let works: Vec<f64> = (0..m)
            .map(|e| if (e + index) % 7 == 0 { 1.0 } else { 0.97 - 0.03 * e as f64 })
            .collect();
        let up: Vec<f64> = (0..n).map(|v| [0.9, 1.0, 0.7][(v + index) % 3]).collect();
        for terminals in [(0..n).collect(), vec![0, n - 1], vec![1, n / 2, n - 2]] {
            for vertices in [vec![1.0; n], up.clone()] {
                let network =
                    Reliability::new(&graph, &works).vertex_p(&vertices).terminals(&terminals);
                let expected = network.clone().order(Order::Bfs).probability().expect("a sweep");
                let reduced = network.probability().expect("a sweep");
                assert!(expected > 0.0, "{graph:?}");
                assert!((reduced - expected).abs() < 1e-12, "{reduced} {expected} {graph:?}");
                let network = network.reduced().expect("probabilities");
                edges_left += network.blocks().iter().map(|b| b.graph().num_edges()).sum::<usize>();
            }
        }
    }
    // Otherwise only the reductions would be tested, and not the blocks.
    assert!(edges_left > 500, "{edges_left}");
}

#[test]
fn sizes_counted_are_those_of_the_connecting_sets() {
    for graph in sparse_graphs().take(6) {
        let works = vec![0.7; graph.num_edges()];
        let network = Reliability::new(&graph, &works).terminals(&[0, 5, 7]);
        let counts = network.count_by_size().unwrap();
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
        let probability = network.probability().unwrap();
        assert!((sum - probability).abs() < 1e-12, "{sum} {probability} {graph:?}");
    }
    let graph = Graph::cycle(3);
    let failing = Reliability::new(&graph, &[0.5; 3]).vertex_p(&[1.0, 0.5, 1.0]);
    let refused = failing.count_by_size().unwrap_err();
    assert_eq!(refused, FamilyError::FailingVertex { vertex: 1 });
}
