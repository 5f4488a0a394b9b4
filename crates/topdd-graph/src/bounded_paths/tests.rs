use super::{BoundedPaths, Method};
use crate::Graph;
use crate::families::FamilyError;
use num_bigint::BigUint;
use proptest::prelude::*;
use std::time::Duration;
use topdd::{BuildError, CancelToken, Limit};

/// The number of paths by number of edges, each extended in all ways.
fn brute_force(graph: &Graph, ends: Option<(usize, usize)>) -> Vec<u64> {
    fn extend(graph: &Graph, to: Option<usize>, path: &mut Vec<usize>, counts: &mut [u64]) {
        let last = path[path.len() - 1];
        if path.len() > 1 && to.is_none_or(|to| to == last) {
            counts[path.len() - 1] += 1;
        }
        if to == Some(last) {
            return;
        }
        for other in graph.neighbours(last).collect::<Vec<_>>() {
            if !path.contains(&other) {
                path.push(other);
                extend(graph, to, path, counts);
                path.pop();
            }
        }
    }
    let mut counts = vec![0; graph.num_vertices() + 1];
    let Some((from, to)) = ends else {
        for start in 0..graph.num_vertices() {
            extend(graph, None, &mut vec![start], &mut counts);
        }
        // Each path was found from both ends.
        return counts.into_iter().map(|count| count / 2).collect();
    };
    extend(graph, Some(to), &mut vec![from], &mut counts);
    counts
}

fn counted(paths: &BoundedPaths, method: Method) -> Option<BigUint> {
    paths.count_by(method).map(|count| count.unwrap())
}

proptest! {
    #[test]
    fn counts_are_those_of_brute_force(
        vertices in 2usize..9,
        edges in prop::collection::vec((0usize..9, 0usize..9), 0..18),
    ) {
        let edges = edges.into_iter().map(|(a, b)| (a % vertices, b % vertices));
        let graph = Graph::new(vertices, edges).unwrap();
        for ends in [None, Some((0, 1)), Some((vertices - 1, 0))] {
            let by_length = brute_force(&graph, ends);
            for length in 0..=vertices + 1 {
                let expected: u64 = by_length.iter().take(length + 1).sum();
                let mut paths = BoundedPaths::new(&graph, ends, length).unwrap();
                for method in [Method::Heads, Method::Mates] {
                    let count = counted(&paths, method);
                    prop_assert!(count.is_none_or(|count| count == expected.into()), "{:?}", method);
                }
                prop_assert_eq!(paths.count().unwrap(), expected.into());
            }
        }
    }
}

#[test]
fn methods_and_threads_agree_on_larger_graphs() {
    let petersen = Graph::named("petersen").unwrap();
    for (graph, to, lengths) in [
        (Graph::grid(6, 7), 41, vec![11, 14, 17, 24, 41]),
        (Graph::king(5, 5), 24, vec![4, 5, 7]),
        (petersen, 5, vec![1, 3, 6, 9]),
    ] {
        for length in lengths {
            let paths = BoundedPaths::new(&graph, Some((0, to)), length).unwrap();
            let count = counted(&paths, Method::Heads);
            assert_eq!(count, counted(&paths, Method::Mates), "length {length}");
            assert_eq!(count, counted(&paths.threads(3), Method::Mates));
        }
    }
}

/// A path through a ladder of `n` rungs uses an odd number of rungs, each such set once.
#[test]
fn counts_of_more_than_two_words_are_exact() {
    let rungs = 180;
    let ladder = Graph::grid(2, rungs);
    let all = BoundedPaths::new(&ladder, Some((0, 2 * rungs - 1)), usize::MAX).unwrap();
    let short = BoundedPaths::new(&ladder, Some((0, 2 * rungs - 1)), rungs - 1 + 5).unwrap();
    let choose = |k: u64| (0..k).fold(1u64, |product, i| product * (rungs as u64 - i) / (i + 1));
    for method in [Method::Heads, Method::Mates] {
        assert_eq!(counted(&all, method).unwrap(), BigUint::from(1u32) << (rungs - 1));
        assert_eq!(counted(&short, method).unwrap(), (choose(1) + choose(3) + choose(5)).into());
    }
}

#[test]
fn limits_stop_a_run() {
    let grid = Graph::grid(12, 12);
    let paths = || BoundedPaths::new(&grid, Some((0, 143)), 80).unwrap();
    let small = paths().memory_limit(100_000).count();
    let is_of_bytes = |limit: &Limit| matches!(limit, Limit::Bytes(_));
    assert!(
        matches!(small, Err(FamilyError::Build(BuildError::LimitReached { limit, .. })) if is_of_bytes(&limit))
    );
    let late = paths().time_limit(Duration::ZERO).count();
    assert!(matches!(
        late,
        Err(FamilyError::Build(BuildError::LimitReached { limit: Limit::Time(_), .. }))
    ));
    let token = CancelToken::new();
    token.cancel();
    let cancelled = paths().cancel_with(&token).count();
    assert!(matches!(cancelled, Err(FamilyError::Build(BuildError::Cancelled { .. }))));
}

#[test]
fn ends_must_be_two_vertices() {
    let path = Graph::path(3);
    let refused = |ends| BoundedPaths::new(&path, Some(ends), 2).err();
    assert_eq!(refused((1, 1)), Some(FamilyError::EqualEnds { vertex: 1 }));
    assert_eq!(refused((0, 3)), Some(FamilyError::VertexOutOfRange { vertex: 3, vertices: 3 }));
    let directed = Graph::directed(3, [(0, 1)]).unwrap();
    assert!(BoundedPaths::new(&directed, None, 2).is_err());
}
