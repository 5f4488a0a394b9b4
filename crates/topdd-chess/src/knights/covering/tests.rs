//! Hamiltonian paths of small graphs, symmetric, directed and by time, against brute force.

use std::collections::HashSet;

use proptest::prelude::*;
use topdd::{Rule, Step, Zdd, check};
use topdd_graph::Graph;

use super::super::by_time::{self, Directions};
use super::*;

const BOTH: [PathEncoding; 2] = [PathEncoding::ByEdge, PathEncoding::ByVertex];

/// The diagram of a spec, which follows the contract and has the same solutions under both rules.
fn diagram<S: DdSpec>(spec: &S) -> Zdd {
    for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
        check::contract(spec, rule, 20_000).unwrap();
    }
    let zdd = topdd::zdd(spec).unwrap();
    assert_eq!(topdd::count_bdd(spec).unwrap(), zdd.count());
    zdd
}

/// The sets of edges of paths whose vertices are visited in some order, by trying every permutation.
fn brute_force(paths: &HamiltonianPaths) -> HashSet<Vec<usize>> {
    let graph = paths.graph();
    let mut found = HashSet::new();
    let mut open: Vec<Vec<usize>> = (0..graph.num_vertices()).map(|first| vec![first]).collect();
    while let Some(path) = open.pop() {
        let (first, last) = (path[0], path[path.len() - 1]);
        if path.len() < graph.num_vertices() {
            let next = graph.neighbours(last).filter(|next| !path.contains(next));
            open.extend(next.map(|next| [&path[..], &[next]].concat()));
            continue;
        }
        let closing = paths.closed.then_some(first);
        let next = path[1..].iter().copied().chain(closing);
        let edges = path.iter().zip(next).map(|(&a, b)| graph.edge_between(a, b));
        let fits = |end: Option<usize>, found| end.is_none_or(|end| end == found);
        if let Some(mut edges) = edges.collect::<Option<Vec<usize>>>()
            && fits(paths.from, first)
            && fits(paths.to, last)
            && (!paths.closed || path.len() > 2)
        {
            edges.sort_unstable();
            found.insert(edges);
        }
    }
    found
}

/// The edges of a sequence, ascending, which must be valid.
fn edges_of(paths: &HamiltonianPaths, sequence: &[usize]) -> Vec<usize> {
    assert_eq!(paths.family.validate(sequence), Ok(()));
    let next = sequence.iter().skip(1).chain(paths.closed.then(|| &sequence[0]));
    let edge = |(&a, &b): (&usize, &usize)| paths.graph().edge_between(a, b).unwrap();
    let mut edges: Vec<usize> = sequence.iter().zip(next).map(edge).collect();
    edges.sort_unstable();
    edges
}

/// Asserts that the solutions of the specs are the symmetric paths, each once, or once in each direction.
fn assert_as_brute_force(paths: &HamiltonianPaths, images: &[usize]) {
    let image = |&edge: &usize| {
        let (a, b) = paths.graph().edges()[edge];
        paths.graph().edge_between(images[a], images[b]).unwrap()
    };
    let is_symmetric = |edges: &Vec<usize>| {
        let mut other: Vec<_> = edges.iter().map(image).collect();
        other.sort_unstable();
        other == *edges
    };
    let all = brute_force(paths);
    assert!(!paths.none_is_possible() || all.is_empty(), "{paths:?}");
    let expected: HashSet<Vec<usize>> = all.into_iter().filter(is_symmetric).collect();
    for encoding in BOTH {
        let once = CoveringPaths::symmetric(paths.clone(), images, encoding);
        let has_direction = paths.from.is_none()
            && paths.to.is_none()
            && (paths.closed || paths.graph().num_vertices() > 1);
        let twice = has_direction.then(|| once.clone().directed());
        for covering in std::iter::once(once).chain(twice) {
            let directions = if covering.directed { 2 } else { 1 };
            let zdd = diagram(&covering.frontier().unwrap().into_spec().unwrap());
            assert_eq!(zdd.num_vars(), covering.num_vars());
            let mut edges = HashSet::new();
            let mut sequences = HashSet::new();
            for values in &zdd {
                let sequence = covering.to_sequence(&values).unwrap();
                let taken = edges_of(paths, &sequence);
                let mut listed = covering.edges_of(&values).unwrap();
                listed.sort_unstable();
                assert_eq!(listed, taken);
                assert!(edges.insert(taken) || covering.directed);
                assert!(sequences.insert(sequence), "{values:?}");
            }
            assert_eq!(edges, expected, "{paths:?} {images:?} {encoding:?}");
            assert_eq!(sequences.len(), directions * expected.len());
        }
    }
}

fn assert_by_time_as_brute_force(paths: &HamiltonianPaths) {
    let expected = brute_force(paths);
    let zdd = diagram(&by_time::spec(paths, Directions::One));
    let mut found = HashSet::new();
    for values in &zdd {
        let sequence = by_time::to_sequence(&values, paths.graph().num_vertices()).unwrap();
        // A path in both directions would be found twice.
        assert!(found.insert(edges_of(paths, &sequence)), "{paths:?}");
    }
    assert_eq!(found, expected, "{paths:?}");
    let fixed = paths.from.is_some() || paths.to.is_some() || paths.graph().num_vertices() == 1;
    let directions = if fixed { 1 } else { 2 };
    let both = topdd::count(&by_time::spec(paths, Directions::Both)).unwrap();
    assert_eq!(both, (directions * expected.len()).into(), "{paths:?}");
}

fn every_problem(graph: &Graph, a: usize, b: usize) -> Vec<HamiltonianPaths> {
    let open = |from, to| HamiltonianPaths::open(graph, from, to);
    let mut problems = vec![HamiltonianPaths::closed(graph), open(None, None)];
    problems.extend([open(Some(a), None), open(None, Some(a))]);
    if a != b {
        problems.push(open(Some(a), Some(b)));
    }
    problems
}

/// A graph of up to eight vertices with an involution that is a symmetry of it.
fn symmetric_graphs() -> impl Strategy<Value = (Graph, Vec<usize>)> {
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
                let mut edges: Vec<_> = edges.iter().filter(whole).copied().collect();
                edges.sort_unstable();
                (Graph::new(n, edges).unwrap(), images.clone())
            })
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

    #[test]
    fn covering_paths_of_random_symmetric_graphs_equal_brute_force((graph, images) in symmetric_graphs(), a in 0..8usize, b in 0..8usize) {
        let n = graph.num_vertices();
        for paths in every_problem(&graph, a % n, b % n) {
            assert_as_brute_force(&paths, &images);
            assert_by_time_as_brute_force(&paths);
        }
        for paths in every_problem(&graph, a % n, images[a % n]) {
            assert_as_brute_force(&paths, &images);
        }
    }
}

/// Rings, lines and complete graphs have all kinds of symmetry.
#[test]
fn covering_paths_of_small_graphs_equal_brute_force_for_all_involutions() {
    let sorted = |n: usize, edges: &mut dyn Iterator<Item = (usize, usize)>| {
        let mut edges: Vec<_> = edges.map(|(a, b)| (a.min(b), a.max(b))).collect();
        edges.sort_unstable();
        Graph::new(n, edges).unwrap()
    };
    let ring = |n: usize| sorted(n, &mut (0..n).map(|v| (v, (v + 1) % n)));
    let line = |n: usize| Graph::grid(1, n);
    let complete = |n: usize| sorted(n, &mut (0..n).flat_map(|b| (0..b).map(move |a| (a, b))));
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
        Graph::grid(2, 3),
        Graph::new(2, []).unwrap(),
    ] {
        for images in involutions(graph.num_vertices()) {
            let joins =
                |&(a, b): &(usize, usize)| graph.edge_between(images[a], images[b]).is_some();
            if !graph.edges().iter().all(joins) {
                continue;
            }
            tried += 1;
            for paths in every_problem(&graph, 0, graph.num_vertices() - 1) {
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
fn graph_without_vertices_has_no_paths() {
    let graph = Graph::grid(0, 0);
    for paths in [HamiltonianPaths::closed(&graph), HamiltonianPaths::open(&graph, None, None)] {
        for encoding in BOTH {
            let covering = CoveringPaths::symmetric(paths.clone(), &[], encoding).directed();
            let spec = covering.frontier().unwrap().into_spec().unwrap();
            assert_eq!(spec.root(), Step::Zero);
        }
    }
}

#[test]
fn values_that_are_no_solution_are_errors() {
    let cycles = HamiltonianPaths::closed(&Graph::grid(2, 2));
    let covering = CoveringPaths::symmetric(cycles, &[3, 2, 1, 0], PathEncoding::ByEdge).directed();
    // The direction, and the edge of the two pairs of sides.
    assert_eq!((covering.num_vars(), covering.below.graph().num_vertices()), (2, 2));
    assert_eq!((covering.arity(0), covering.arity(1)), (2, 2));
    assert_eq!(covering.to_sequence(&[0, 1]), Ok(vec![0, 1, 3, 2]));
    assert_eq!(covering.to_sequence(&[1, 1]), Ok(vec![0, 2, 3, 1]));
    for (values, error) in [
        (vec![0], SequenceError::WrongLength { given: 1, variables: 2 }),
        (vec![2, 1], SequenceError::ValueOutOfRange { variable: 0, value: 2 }),
        (vec![0, 2], SequenceError::ValueOutOfRange { variable: 1, value: 2 }),
        (vec![0, 0], SequenceError::NotOnePath),
    ] {
        assert_eq!(covering.to_sequence(&values), Err(error), "{values:?}");
    }
}
