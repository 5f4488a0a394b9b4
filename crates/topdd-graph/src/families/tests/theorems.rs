//! Counts by theorems, reliability by two methods, and very large graphs.

use num_bigint::BigUint;
use topdd::Weights;

use super::*;

/// The determinant of a matrix, without fractions: E. H. Bareiss, *Sylvester's identity and
/// multistep integer-preserving Gaussian elimination*, 1968.
fn determinant(mut matrix: Vec<Vec<i128>>) -> i128 {
    let n = matrix.len();
    let (mut before, mut sign) = (1, 1);
    for k in 0..n {
        match (k..n).find(|&row| matrix[row][k] != 0) {
            None => return 0,
            Some(row) if row != k => {
                matrix.swap(row, k);
                sign = -sign;
            }
            Some(_) => {}
        }
        for row in k + 1..n {
            for column in k + 1..n {
                let product = matrix[row][column] * matrix[k][k];
                matrix[row][column] = (product - matrix[row][k] * matrix[k][column]) / before;
            }
        }
        before = matrix[k][k];
    }
    sign * if n == 0 { 1 } else { matrix[n - 1][n - 1] }
}

/// The Laplace matrix of the edges into each vertex, without the row and column of a root.
fn laplace(graph: &Graph, root: usize) -> Vec<Vec<i128>> {
    let n = graph.num_vertices();
    let mut matrix = vec![vec![0; n]; n];
    for &(a, b) in graph.edges().iter().filter(|(a, b)| a != b) {
        matrix[b][b] += 1;
        matrix[a][b] -= 1;
        if !graph.is_directed() {
            matrix[a][a] += 1;
            matrix[b][a] -= 1;
        }
    }
    matrix.remove(root);
    for row in &mut matrix {
        row.remove(root);
    }
    matrix
}

/// A graph of the given numbers of vertices and edges.
fn random_graph(n: usize, edges: usize, directed: bool, mut seed: u64) -> Graph {
    let mut draw = |below: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below
    };
    let edges: Vec<_> = (0..edges).map(|_| (draw(n), draw(n))).collect();
    if directed { Graph::directed(n, edges) } else { Graph::new(n, edges) }.unwrap()
}

/// G. Kirchhoff, 1847; W. T. Tutte, 1948.
#[test]
fn trees_are_counted_by_the_matrix_tree_theorem() {
    for seed in 0..12 {
        let graph = random_graph(9, 22, false, seed);
        let expected = BigUint::try_from(determinant(laplace(&graph, 3))).unwrap();
        assert_eq!(spanning_trees(&graph).count(), Ok(expected), "{graph:?}");
        let graph = random_graph(8, 26, true, seed);
        let expected = BigUint::try_from(determinant(laplace(&graph, 3))).unwrap();
        assert_eq!(arborescences(&graph, 3).count(), Ok(expected), "{graph:?}");
    }
}

/// A random spanning tree, as likely as the product of its weights, has an edge with a probability of its weight times the
/// effective resistance between its ends, if the weights are conductances: G. Kirchhoff, 1847; R. Lyons and Y. Peres,
/// *Probability on trees and networks*, 2016, section 4.2.
#[test]
fn marginals_of_spanning_trees_are_effective_resistances() {
    for seed in 0..8 {
        let graph = random_graph(8, 18, false, seed);
        let weight = |edge: usize| 1 + (edge * 7 + seed as usize) % 5;
        let weights: Weights<BigUint> =
            (0..18).map(|edge| [1, weight(edge)].map(BigUint::from)).collect();
        let odds: Weights<f64> = (0..18).map(|edge| [1.0, weight(edge) as f64]).collect();
        let trees = spanning_trees(&graph).order(Order::Given).zdd().unwrap();
        let trees = trees.diagram();
        if trees.is_empty() {
            continue;
        }
        // A weight is as many parallel edges.
        let edges = graph.edges().iter().enumerate();
        let parallel = edges.flat_map(|(edge, &ends)| vec![ends; weight(edge)]);
        let conductances = Graph::new(8, parallel).unwrap();
        let (gradient, marginals) = (trees.gradient(&weights), trees.marginals(&odds).unwrap());
        for (edge, &(a, b)) in graph.edges().iter().enumerate() {
            let mut without_ends = laplace(&conductances, a);
            let all = determinant(without_ends.clone());
            let contracted = if a == b {
                0
            } else {
                let second = b - usize::from(b > a);
                without_ends.remove(second);
                for row in &mut without_ends {
                    row.remove(second);
                }
                determinant(without_ends)
            };
            assert_eq!(gradient[edge][1], BigUint::try_from(contracted).unwrap(), "{graph:?}");
            let resistance = contracted as f64 / all as f64;
            let expected = weight(edge) as f64 * resistance;
            assert!((marginals[edge][1] - expected).abs() < 1e-12, "{graph:?}");
        }
        let edges: f64 = marginals.iter().map(|of| of[1]).sum();
        assert!((edges - 7.0).abs() < 1e-12, "a tree has seven edges");
    }
}

/// For any two vertices, the number of Hamiltonian paths from the first to the second: M. Held and R. M.
/// Karp, *A dynamic programming approach to sequencing problems*, 1962.
fn hamiltonian_paths_by_ends(graph: &Graph) -> Vec<Vec<u64>> {
    let n = graph.num_vertices();
    let mut edges = vec![vec![0; n]; n];
    for &(a, b) in graph.edges().iter().filter(|(a, b)| a != b) {
        edges[a][b] += 1;
        edges[b][a] += u64::from(!graph.is_directed());
    }
    let from = |first: usize| {
        // By the set of visited vertices and the last of them.
        let mut counts = vec![vec![0; n]; 1 << n];
        counts[1 << first][first] = 1;
        for set in 0..1usize << n {
            for (last, count) in counts[set].clone().into_iter().enumerate() {
                for next in (0..n).filter(|next| set >> next & 1 == 0) {
                    counts[set | 1 << next][next] += count * edges[last][next];
                }
            }
        }
        counts.pop().expect("the set of all vertices")
    };
    (0..n).map(from).collect()
}

#[test]
fn hamiltonian_paths_are_counted_by_dynamic_programming() {
    let mut found = 0;
    for seed in 0..12 {
        for directed in [false, true] {
            let graph = random_graph(9, 26, directed, seed);
            let expected = hamiltonian_paths_by_ends(&graph);
            let all = expected.iter().flatten().sum::<u64>() / if directed { 1 } else { 2 };
            let from: u64 = expected[3].iter().sum();
            assert_eq!(hamiltonian_paths(&graph).count(), Ok(all.into()), "{graph:?}");
            assert_eq!(hamiltonian_paths_from(&graph, 3).count(), Ok(from.into()), "{graph:?}");
            let between = hamiltonian_paths_between(&graph, 3, 5).count();
            assert_eq!(between, Ok(expected[3][5].into()), "{graph:?}");
            found += expected[3][5];
        }
    }
    assert!(found > 0);
}

/// The numbers of matchings by size, by the recurrence of the matching polynomial.
fn matching_polynomial(edges: &[(usize, usize)]) -> Vec<u64> {
    let Some((&(a, b), rest)) = edges.split_first() else {
        return vec![1];
    };
    let mut counts = matching_polynomial(rest);
    if a != b {
        let apart = |&&(c, d): &&(usize, usize)| ![c, d].iter().any(|v| [a, b].contains(v));
        let left: Vec<_> = rest.iter().filter(apart).copied().collect();
        let with = matching_polynomial(&left);
        counts.resize(counts.len().max(with.len() + 1), 0);
        with.iter().enumerate().for_each(|(size, count)| counts[size + 1] += count);
    }
    counts
}

#[test]
fn matchings_by_size_are_the_matching_polynomial() {
    for seed in 0..12 {
        let graph = random_graph(9, 16, false, seed);
        let expected: Vec<BigUint> =
            matching_polynomial(graph.edges()).into_iter().map(BigUint::from).collect();
        assert_eq!(matchings(&graph).zdd().unwrap().count_by_size(), expected);
    }
}

/// Every family of a graph, with vertices 0 and `last` where it needs some.
fn every_family(graph: &Graph, last: usize) -> Vec<EdgeSets> {
    let n = graph.num_vertices();
    let mut families = vec![
        EdgeSets::all(graph),
        forests(graph),
        spanning_trees(graph),
        connected(graph),
        connected_edge_sets(graph),
        subtrees(graph),
        matchings(graph),
        perfect_matchings(graph),
        factors(graph, &vec![2; n]),
        regular_subgraphs(graph, 2),
        all_paths(graph),
        hamiltonian_paths(graph),
        cycles(graph),
        hamiltonian_cycles(graph),
        partitions(graph, 2),
        cuts(graph),
        minimal_cuts(graph),
        bipartite_subgraphs(graph),
    ];
    if n > 1 {
        families.extend([
            rooted_forests(graph, &[0, last]),
            steiner_trees(graph, &[0, last]),
            steiner_subgraphs(graph, &[0, last]),
            connecting(graph, &[0, last]),
            cuts_between(graph, 0, last),
            minimal_cuts_between(graph, 0, last),
            paths(graph, 0, last),
            paths_from(graph, 0).and(at_most(3)),
        ]);
    }
    families
}

/// A path, a star, and a caterpillar: every second vertex hangs at the one before it.
fn long_graphs(n: usize) -> [Graph; 3] {
    let caterpillar = |v: usize| if v % 2 == 1 { v - 1 } else { v - 2 };
    [
        Graph::new(n, (1..n).map(|v| (v - 1, v))).unwrap(),
        Graph::new(n, (1..n).map(|v| (0, v))).unwrap(),
        Graph::new(n, (1..n).map(|v| (caterpillar(v), v))).unwrap(),
    ]
}

#[test]
fn families_of_long_graphs_are_swept_in_linear_time() {
    for graph in long_graphs(20_000) {
        for family in every_family(&graph, graph.num_vertices() - 1) {
            family.spec().unwrap();
        }
    }
    for graph in long_graphs(200) {
        let last = graph.num_vertices() - 1;
        for family in every_family(&graph, last) {
            let mut frontier = family.frontier().unwrap();
            assert!(frontier.profile().unwrap().states() < 20 * 200);
        }
        assert_eq!(paths(&graph, 0, last).zdd().unwrap().count(), 1u32.into());
        assert_eq!(spanning_trees(&graph).count(), Ok(1u32.into()));
    }
}

#[test]
fn graphs_without_edges_have_at_most_the_empty_set() {
    for n in 0..3 {
        for family in every_family(&Graph::new(n, []).unwrap(), n.saturating_sub(1)) {
            assert!(family.count().unwrap() <= 1u32.into());
        }
    }
}
