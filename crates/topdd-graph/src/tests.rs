//! Tests of both encodings against known counts and brute force.

use std::collections::HashSet;

use num_bigint::BigUint;
use proptest::prelude::*;
use topdd::{DdSpec, Rule, Zdd, check};

use super::by_time::ByTime;
use super::*;

const BOTH: [PathEncoding; 2] = [PathEncoding::ByEdge, PathEncoding::ByVertex];

/// The contract under both rules, the number of solutions under each, and the solutions.
fn inspect<S: DdSpec>(spec: &S) -> (BigUint, BigUint, Zdd) {
    for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
        check::contract(spec, rule, 20_000).unwrap();
    }
    let count = topdd::count(spec).unwrap();
    (count, topdd::count_bdd(spec).unwrap(), topdd::zdd(spec).unwrap())
}

fn assert_count(paths: &Paths, expected: impl Into<BigUint>) {
    let expected = expected.into();
    for encoding in BOTH {
        let count = paths.frontier(encoding).unwrap().count();
        assert_eq!(count.as_ref(), Ok(&expected), "{encoding:?}");
    }
}

/// OEIS A007764.
#[test]
fn grid_paths_have_the_known_counts() {
    for (n, count) in
        [0, 1, 2, 12, 184, 8512, 1262816, 575780564, 789360053252u64].into_iter().enumerate()
    {
        assert_count(&grid_paths(n), count);
    }
}

#[test]
#[ignore = "takes seconds"]
fn long_grid_paths_have_the_known_counts() {
    assert_count(&grid_paths(9), 3266598486981642u64);
    assert_count(&grid_paths(10), 41044208702632496804u128);
}

/// OEIS A140517, indexed by squares instead of vertices.
#[test]
fn grid_cycles_have_the_known_counts() {
    for (n, count) in [0, 0, 1, 13, 213, 9349, 1222363u64].into_iter().enumerate() {
        assert_count(&grid_cycles(n, n), count);
    }
}

/// OEIS A003763, which has boards of even size only.
#[test]
fn grid_hamiltonian_cycles_have_the_known_counts() {
    for (n, count) in [0, 0, 1, 0, 6, 0, 1072u64].into_iter().enumerate() {
        assert_count(&grid_hamiltonian_cycles(n, n), count);
    }
    assert_count(&grid_hamiltonian_cycles(8, 8), 4638576u64);
}

#[test]
#[ignore = "takes seconds"]
fn larger_grid_hamiltonian_cycles_have_the_known_counts() {
    assert_count(&grid_hamiltonian_cycles(10, 10), 467260456608u64);
}

/// OEIS A120443.
#[test]
fn grid_hamiltonian_paths_have_the_known_counts() {
    for (n, count) in [0, 1, 4, 20, 276, 4324, 229348u64].into_iter().enumerate() {
        assert_count(&grid_hamiltonian_paths(n, n), count);
    }
}

#[test]
fn transposing_a_grid_keeps_the_counts() {
    // Three lines of 2 k vertices have 2^(k-1).
    assert_count(&Paths::hamiltonian_cycles(Graph::grid(3, 8)), 8u32);
    assert_count(&Paths::hamiltonian_cycles(Graph::grid(8, 3)), 8u32);
}

#[test]
fn petersen_graph_has_the_known_counts() {
    let outer = (0..5).map(|i| (i, (i + 1) % 5));
    let spokes = (0..5).map(|i| (i, i + 5));
    let inner = (0..5).map(|i| (5 + i, 5 + (i + 2) % 5));
    let petersen = SimpleGraph::new(10, outer.chain(spokes).chain(inner)).unwrap();
    assert_count(&Paths::hamiltonian_cycles(petersen.clone()), 0u32);
    assert_count(&Paths::hamiltonian_paths(petersen.clone()), 120u32);
    // 240 directed Hamiltonian paths, 24 from each of the 10 vertices.
    assert_count(&Paths::hamiltonian_paths(petersen).from(7), 24u32);
}

/// Slots beyond 255, codes of nine bits and more, many words.
#[test]
fn frontiers_of_hundreds_of_vertices_have_the_known_counts() {
    // Spokes from one hub to the rim of a wheel: after the hub, all of the rim is there.
    let wheel = |n: usize| {
        let rim = (1..n).map(move |v| (v, if v + 1 == n { 1 } else { v + 1 }));
        SimpleGraph::new(n, (1..n).map(|v| (0, v)).chain(rim)).unwrap()
    };
    // To a neighbour of the end, then around.
    let from_hub = Paths::hamiltonian_paths(wheel(261)).from(0).to(1);
    assert!(from_hub.words(PathEncoding::ByVertex) > 32);
    assert_count(&from_hub, 2u32);
    // All of the rim but one edge.
    assert_count(&Paths::hamiltonian_cycles(wheel(61)), 60u32);

    let too_wide = SimpleGraph::new(501, (1..501).map(|v| (0, v))).unwrap();
    let paths = Paths::open(too_wide);
    let error = paths.frontier(PathEncoding::ByVertex).unwrap_err();
    assert_eq!(error, PathError::TooWide { slots: 500, bytes: 72 * 8, most: 512 });
    assert!(error.to_string().contains("needs states of 576 bytes"));
    let problem = paths.problem(PathEncoding::ByVertex).unwrap();
    assert_eq!(topdd::count(&ByVertex::<72>::new(&problem).unwrap()), Ok(125_250u32.into()));
}

/// Vertex numbers that do not fit in sixteen bits.
#[test]
fn paths_of_tens_of_thousands_of_vertices_are_counted() {
    let n = 70_000;
    let line = SimpleGraph::grid(n, 1);
    assert_count(&Paths::open(line.clone()).from(0).to(n - 1), 1u32);
    assert_count(&Paths::hamiltonian_paths(line.clone()), 1u32);
    assert_count(&Paths::open(line).from(40_000).to(33_000), 1u32);
    let ring = SimpleGraph::new(n, (0..n).map(|v| (v, (v + 1) % n))).unwrap();
    assert_count(&Paths::hamiltonian_cycles(ring), 1u32);
}

#[test]
fn small_and_empty_graphs_have_the_known_counts() {
    let problems = |graph: &SimpleGraph| {
        [Paths::cycles, Paths::hamiltonian_cycles, Paths::open, Paths::hamiltonian_paths]
            .map(|problem| problem(graph.clone()))
    };
    for (vertices, hamiltonian_paths) in [(0, 0u32), (1, 1), (2, 0), (3, 0)] {
        let [cycles, hamiltonian_cycles, paths, hamiltonian] =
            problems(&SimpleGraph::new(vertices, []).unwrap());
        assert_count(&cycles, 0u32);
        assert_count(&hamiltonian_cycles, 0u32);
        assert_count(&paths, 0u32);
        assert_count(&hamiltonian, hamiltonian_paths);
    }
    let [cycles, hamiltonian_cycles, paths, hamiltonian] =
        problems(&SimpleGraph::new(2, [(1, 0)]).unwrap());
    assert_count(&cycles, 0u32);
    assert_count(&hamiltonian_cycles, 0u32);
    assert_count(&paths, 1u32);
    assert_count(&hamiltonian, 1u32);
    assert_count(&Paths::hamiltonian_paths(Graph::grid(1, 1)).from(0), 1u32);
    // A fixed end without edges.
    assert_count(&Paths::open(Graph::new(3, [(0, 1)]).unwrap()).from(2), 0u32);
}

#[test]
fn invalid_ends_are_errors() {
    let grid = || SimpleGraph::grid(2, 2);
    let error = |paths: &Paths| paths.count().unwrap_err();
    assert_eq!(
        error(&Paths::open(grid()).to(4)),
        PathError::EndOutOfRange { vertex: 4, vertices: 4 }
    );
    assert_eq!(error(&Paths::open(grid()).from(1).to(1)), PathError::SameEnds { vertex: 1 });
    assert_eq!(error(&Paths::cycles(grid()).from(1)), PathError::EndsOfCycle);
}

/// All solutions by the definition: sets of edges whose degrees are right and
/// that are connected.
pub(super) fn brute_force(paths: &Paths) -> HashSet<Vec<(usize, usize)>> {
    let graph = paths.graph();
    let (n, edges) = (graph.vertices(), graph.edges());
    let (from, to) = paths.ends();
    let mut solutions = HashSet::new();
    if paths.is_single_vertex() {
        solutions.insert(Vec::new());
    }
    for subset in 0..1u32 << edges.len() {
        let taken: Vec<(usize, usize)> =
            (0..edges.len()).filter(|&e| subset >> e & 1 == 1).map(|e| edges[e]).collect();
        let mut degree = vec![0; n];
        let mut piece: Vec<usize> = (0..n).collect();
        for &(a, b) in &taken {
            degree[a] += 1;
            degree[b] += 1;
            let (old, new) = (piece[a], piece[b]);
            piece.iter_mut().filter(|p| **p == old).for_each(|p| *p = new);
        }
        let ends: Vec<usize> = (0..n).filter(|&v| degree[v] == 1).collect();
        let visited: Vec<usize> = (0..n).filter(|&v| degree[v] > 0).collect();
        let right_degrees = degree.iter().all(|&d| d <= 2);
        let connected = visited.iter().all(|&v| piece[v] == piece[visited[0]]);
        let right_shape = match paths.shape() {
            Shape::Cycle => ends.is_empty() && !taken.is_empty(),
            Shape::Path => ends.len() == 2,
        };
        let right_ends = [from, to].iter().flatten().all(|end| ends.contains(end));
        let all = !paths.is_hamiltonian() || visited.len() == n;
        if right_degrees && connected && right_shape && right_ends && all {
            solutions.insert(taken);
        }
    }
    solutions
}

/// Every kind of problem on a graph, with `a` and `b` as ends.
fn every_problem(graph: &SimpleGraph, a: usize, b: usize) -> Vec<Paths> {
    let mut problems = vec![Paths::cycles(graph.clone()), Paths::hamiltonian_cycles(graph.clone())];
    for paths in [Paths::open(graph.clone()), Paths::hamiltonian_paths(graph.clone())] {
        problems.push(paths.clone());
        problems.push(paths.clone().from(a));
        problems.push(paths.clone().to(a));
        if a != b {
            problems.push(paths.from(a).to(b));
        }
    }
    problems
}

fn assert_as_brute_force(paths: &Paths) {
    let expected = brute_force(paths);
    assert!(!paths.none_is_possible() || expected.is_empty(), "{paths:?}");
    for encoding in BOTH {
        let size = BigUint::from(expected.len());
        let problem = paths.problem(encoding).unwrap();
        // Explicit types avoid compiling the other widths.
        let (count, count_bdd, zdd) = match encoding {
            PathEncoding::ByEdge => inspect(&ByEdge::<1>::new(&problem).unwrap()),
            PathEncoding::ByVertex => inspect(&ByVertex::<1>::new(&problem).unwrap()),
        };
        assert_eq!((&count, &count_bdd), (&size, &size), "{paths:?} {encoding:?}");
        let mut found = HashSet::new();
        for values in &zdd {
            let sequence = paths.to_sequence(encoding, &values).unwrap();
            assert_eq!(paths.validate(&sequence), Ok(()));
            assert!(found.insert(paths.to_edges(encoding, &values).unwrap()));
        }
        assert_eq!(found, expected, "{paths:?} {encoding:?}");
    }
    if paths.is_hamiltonian() {
        let spec = ByTime::<1>::new(paths).unwrap();
        let (count, count_bdd, zdd) = inspect(&paths.spec_by_time().unwrap());
        let size = BigUint::from(expected.len());
        assert_eq!((&count, &count_bdd), (&size, &size), "{paths:?} by time");
        let mut found = HashSet::new();
        for values in &zdd {
            let sequence = paths.sequence_by_time(&values).unwrap();
            assert_eq!(paths.validate(&sequence), Ok(()));
            let closing = (paths.shape() == Shape::Cycle).then(|| sequence[0]);
            let next = sequence[1..].iter().copied().chain(closing);
            let mut edges: Vec<_> =
                sequence.iter().zip(next).map(|(&a, b)| (a.min(b), a.max(b))).collect();
            edges.sort_unstable();
            // A path in both directions would be found twice.
            assert!(found.insert(edges), "{paths:?} by time");
        }
        assert_eq!(found, expected, "{paths:?} by time");
        for step in [spec.root(), spec.root_under(Rule::AnyValue)] {
            if let topdd::Step::To(_, state) = step {
                let mut bytes = Vec::new();
                topdd::Portable::write(&state, &mut bytes);
                assert_eq!(topdd::Portable::read(&mut &bytes[..]), Some(state));
            }
        }
    }
}

fn graphs() -> impl Strategy<Value = SimpleGraph> {
    (2..=7usize).prop_flat_map(|n| {
        let pairs: Vec<_> = (0..n).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        let most = pairs.len().min(12);
        proptest::sample::subsequence(pairs, 0..=most)
            .prop_map(move |edges| SimpleGraph::new(n, edges).unwrap())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]

    #[test]
    fn paths_of_random_graphs_equal_brute_force(graph in graphs(), a in 0..7usize, b in 0..7usize) {
        let n = graph.vertices();
        for paths in every_problem(&graph, a % n, b % n) {
            assert_as_brute_force(&paths);
        }
    }
}

#[test]
fn spec_by_time_requires_hamiltonian_paths_of_at_most_256_vertices() {
    let refused = |paths: Paths| paths.spec_by_time().unwrap_err();
    assert_eq!(refused(grid_paths(3)), PathError::NotHamiltonian);
    assert_eq!(refused(grid_hamiltonian_cycles(4, 4).to(3)), PathError::EndsOfCycle);
    assert_eq!(
        refused(grid_hamiltonian_cycles(20, 20)),
        PathError::TooManyVertices { vertices: 400, most: 256 }
    );
    // Two words and more.
    let mut wide = grid_hamiltonian_paths(1, 100).frontier_by_time().unwrap();
    assert_eq!(wide.count(), Ok(1u32.into()));
    let paths = grid_hamiltonian_paths(1, 2);
    assert_eq!(paths.sequence_by_time(&[0, 1, 1, 0]), Ok(vec![1, 0]));
    let wrong_length = SequenceError::WrongLength { given: 3, variables: 4 };
    assert_eq!(paths.sequence_by_time(&[0, 1, 1]), Err(wrong_length));
    let no_value = SequenceError::ValueOutOfRange { variable: 2, value: 2 };
    assert_eq!(paths.sequence_by_time(&[0, 1, 2, 0]), Err(no_value));
    let not_one = SequenceError::NotOnePath { shape: Shape::Path };
    assert_eq!(paths.sequence_by_time(&[1, 1, 0, 0]), Err(not_one));
}

#[test]
fn complete_graphs_have_the_known_counts() {
    let complete = SimpleGraph::new(5, (0..5).flat_map(|b| (0..b).map(move |a| (a, b)))).unwrap();
    for paths in every_problem(&complete, 3, 1) {
        assert_as_brute_force(&paths);
    }
    // (n - 1)! / 2 tours of the complete graph.
    let complete = SimpleGraph::new(9, (0..9).flat_map(|b| (0..b).map(move |a| (a, b)))).unwrap();
    assert_count(&Paths::hamiltonian_cycles(complete.clone()), 20160u32);
    assert_count(&Paths::hamiltonian_paths(complete.clone()), 181440u32);
    assert_count(&Paths::hamiltonian_paths(complete).from(4).to(2), 5040u32);
}
