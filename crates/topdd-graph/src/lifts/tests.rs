use std::collections::HashSet;

use proptest::prelude::*;
use topdd::{Rule, Step, check};

use super::super::tests::brute_force;
use super::super::{Graph, Shape, SimpleGraph};
use super::*;

const BOTH: [PathEncoding; 2] = [PathEncoding::ByEdge, PathEncoding::ByVertex];

fn diagram(lifts: &Lifts, encoding: PathEncoding) -> Zdd {
    let spec = lifts.spec(encoding).unwrap();
    for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
        check::contract(&spec, rule, 20_000).unwrap();
    }
    let zdd = lifts.zdd(encoding).unwrap();
    assert_eq!(lifts.frontier(encoding).unwrap().count_bdd().unwrap(), zdd.count());
    zdd
}

/// Asserts that the solutions of the specs are the symmetric paths, each once, or once in each direction.
fn assert_as_brute_force(paths: &Paths, images: &[usize]) {
    let image = |&(a, b): &(usize, usize)| (images[a].min(images[b]), images[a].max(images[b]));
    let is_symmetric = |edges: &Vec<(usize, usize)>| {
        let mut other: Vec<_> = edges.iter().map(image).collect();
        other.sort_unstable();
        other == *edges
    };
    let expected: HashSet<Vec<(usize, usize)>> =
        brute_force(paths).into_iter().filter(is_symmetric).collect();
    let once = paths.symmetric(images).unwrap();
    let twice = once.clone().directed();
    for lifts in [&once, &twice] {
        let directions = if lifts.is_directed() { 2 } else { 1 };
        for encoding in BOTH {
            let zdd = diagram(lifts, encoding);
            assert_eq!(zdd.num_vars(), lifts.num_vars(encoding));
            let mut edges = HashSet::new();
            let mut sequences = HashSet::new();
            for values in &zdd {
                let mut taken = lifts.to_edges(encoding, &values).unwrap();
                taken.sort_unstable();
                assert!(edges.insert(taken) || lifts.is_directed());
                let sequence = lifts.to_sequence(encoding, &values).unwrap();
                assert_eq!(paths.validate(&sequence), Ok(()));
                assert!(sequences.insert(sequence), "{values:?}");
            }
            assert_eq!(edges, expected, "{paths:?} {images:?} {encoding:?}");
            assert_eq!(sequences.len(), directions * expected.len());
        }
    }
}

fn every_problem(graph: &SimpleGraph, a: usize, b: usize) -> Vec<Paths> {
    let paths = Paths::hamiltonian_paths(graph.clone());
    let mut problems = vec![Paths::hamiltonian_cycles(graph.clone()), paths.clone()];
    problems.extend([paths.clone().from(a), paths.clone().to(a)]);
    if a != b {
        problems.push(paths.from(a).to(b));
    }
    problems
}

/// A graph of up to eight vertices with an involution that is a symmetry of it.
fn symmetric_graphs() -> impl Strategy<Value = (SimpleGraph, Vec<usize>)> {
    (1..=8usize, 0..=4usize).prop_flat_map(|(n, pairs)| {
        let pairs = pairs.min(n / 2);
        let order = Just((0..n).collect::<Vec<_>>()).prop_shuffle();
        order.prop_flat_map(move |order| {
            let mut images: Vec<usize> = (0..n).collect();
            for pair in order.chunks_exact(2).take(pairs) {
                images.swap(pair[0], pair[1]);
            }
            let mut orbits: Vec<Vec<(usize, usize)>> = Vec::new();
            for b in 0..n {
                for a in 0..b {
                    let image = (images[a].min(images[b]), images[a].max(images[b]));
                    if (a, b) <= image {
                        let mut orbit = vec![(a, b), image];
                        orbit.dedup();
                        orbits.push(orbit);
                    }
                }
            }
            let most = orbits.len().min(8);
            proptest::sample::subsequence(orbits, 0..=most).prop_map(move |orbits| {
                let edges: Vec<_> = orbits.concat().into_iter().take(16).collect();
                let whole = |&&(a, b): &&(usize, usize)| {
                    let image = (images[a].min(images[b]), images[a].max(images[b]));
                    edges.contains(&image)
                };
                let edges: Vec<_> = edges.iter().filter(whole).copied().collect();
                (SimpleGraph::new(n, edges).unwrap(), images.clone())
            })
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

    #[test]
    fn lifts_of_random_symmetric_graphs_equal_brute_force((graph, images) in symmetric_graphs(), a in 0..8usize, b in 0..8usize) {
        let n = graph.vertices();
        for paths in every_problem(&graph, a % n, b % n) {
            assert_as_brute_force(&paths, &images);
        }
        for paths in every_problem(&graph, a % n, images[a % n]) {
            assert_as_brute_force(&paths, &images);
        }
    }
}

/// Rings, lines and complete graphs have all kinds of symmetry.
#[test]
fn lifts_of_small_graphs_equal_brute_force_for_all_involutions() {
    let ring = |n: usize| SimpleGraph::new(n, (0..n).map(|v| (v, (v + 1) % n))).unwrap();
    let line = |n: usize| SimpleGraph::grid(1, n);
    let complete =
        |n: usize| SimpleGraph::new(n, (0..n).flat_map(|b| (0..b).map(move |a| (a, b)))).unwrap();
    let mut tried = 0;
    for graph in [
        line(1),
        line(2),
        line(3),
        line(4),
        line(5),
        ring(3),
        ring(4),
        ring(5),
        ring(6),
        complete(4),
        complete(5),
        SimpleGraph::grid(2, 3),
        SimpleGraph::new(2, []).unwrap(),
    ] {
        for images in involutions(graph.vertices()) {
            let paths = Paths::hamiltonian_cycles(graph.clone());
            if let Err(error) = paths.symmetric(&images) {
                assert!(matches!(error, LiftsError::NotASymmetry { .. }));
                continue;
            }
            tried += 1;
            let last = graph.vertices() - 1;
            for paths in every_problem(&graph, 0, last) {
                assert_as_brute_force(&paths, &images);
            }
        }
    }
    assert!(tried > 60, "{tried}");
}

fn involutions(n: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for vertex in 0..n {
        all = all
            .into_iter()
            .flat_map(|images: Vec<usize>| (0..n).map(move |to| [&images[..], &[to]].concat()))
            .filter(|images| {
                let to = images[vertex];
                to >= vertex && !images[..vertex].contains(&vertex)
                    || images.get(to) == Some(&vertex)
            })
            .collect();
    }
    all.retain(|images| (0..n).all(|v| images[images[v]] == v));
    all
}

#[test]
fn graph_without_vertices_has_no_lifts() {
    for paths in [Paths::hamiltonian_cycles, Paths::hamiltonian_paths] {
        let lifts = paths(SimpleGraph::grid(0, 0)).symmetric(&[]).unwrap().directed();
        assert_eq!(lifts.by_edge::<1>().unwrap().root(), Step::Zero);
        assert_eq!(lifts.by_vertex::<1>().unwrap().root(), Step::Zero);
    }
}

#[test]
fn images_that_are_no_symmetry_are_errors_that_name_the_fault() {
    let grid = || SimpleGraph::grid(2, 3);
    let cycles = Paths::hamiltonian_cycles(grid());
    let error = |images: &[usize]| cycles.symmetric(images).unwrap_err();
    assert_eq!(error(&[0, 1]), LiftsError::WrongLength { given: 2, vertices: 6 });
    for images in [[1, 2, 0, 3, 4, 5], [0, 1, 2, 3, 4, 6]] {
        assert!(matches!(error(&images), LiftsError::NotAnInvolution { .. }), "{images:?}");
    }
    assert_eq!(error(&[1, 0, 2, 3, 4, 5]), LiftsError::NotASymmetry { edge: (0, 3) });
    let half_turn = [5, 4, 3, 2, 1, 0];
    assert_eq!(
        Paths::cycles(grid()).symmetric(&half_turn).unwrap_err(),
        LiftsError::NotHamiltonian
    );
    let ends = Paths::hamiltonian_paths(grid()).from(9).symmetric(&half_turn).unwrap_err();
    assert_eq!(ends, PathError::EndOutOfRange { vertex: 9, vertices: 6 }.into());
}

#[test]
fn values_that_are_no_solution_are_errors() {
    let lifts = Paths::hamiltonian_cycles(Graph::grid(2, 2)).symmetric(&[3, 2, 1, 0]).unwrap();
    let lifts = lifts.directed();
    assert_eq!(lifts.to_sequence(PathEncoding::ByEdge, &[0, 1]), Ok(vec![0, 1, 3, 2]));
    assert_eq!(lifts.to_sequence(PathEncoding::ByEdge, &[1, 1]), Ok(vec![0, 2, 3, 1]));
    for (values, error) in [
        (vec![0], SequenceError::WrongLength { given: 1, variables: 2 }),
        (vec![2, 1], SequenceError::ValueOutOfRange { variable: 0, value: 2 }),
        (vec![0, 2], SequenceError::ValueOutOfRange { variable: 1, value: 2 }),
        (vec![0, 0], SequenceError::NotOnePath { shape: Shape::Cycle }),
    ] {
        assert_eq!(lifts.to_sequence(PathEncoding::ByEdge, &values), Err(error), "{values:?}");
    }
}
