use super::{BoundedPaths, PathMethod};
use crate::Graph;
use crate::families::FamilyError;
use num_bigint::BigUint;
use proptest::prelude::*;
use std::time::Duration;
use topdd::{BuildError, CancelToken, Limit};

/// The graph 20 of the counting competition for paths between any two vertices: vertices and their later neighbours.
const SPARSE: &str = "\
    0:1,2,3 1:4,5 2:6 3:18,22 4:10,13 5:34,35 6:7,8 7:18,23,24,8 8:25,41 9:10,11,12 10:13,14,15 \
    11:37,42 12:42 14:15,16 16:43 17:18,19 18:20,21 19:26,28 20:21 21:27,32 22:33,32 23:25 24:26 \
    25:26,40 26:27 27:29,30 28:29 29:30,31 32:38,39 34:36 35:36,38,39 38:39 40:41 41:43,44 43:44";

/// The graph 80 of the counting competition for paths between two vertices.
const DENSE: &str = "\
    0:1,3,5,6,7,8,10,11,12,9,2,4 1:2,3,4,5,7,8,9,10,11,12,6 2:3,4,5,7,8,9,10,12,11,6 \
    3:5,6,7,10,11,12,8,4 4:5,7,10,11,12,6,8,9 5:6,7,9,10,11,12,8 6:11,9,12,10,7 7:8,9,10,11,12 \
    8:10,11,12,9 9:11,12,10 10:11,12 11:12";

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

/// The count of a method; `None` if the graph is too large for it.
fn counted(paths: &BoundedPaths, method: PathMethod) -> Option<BigUint> {
    match paths.count_by(&[method], &mut |_| {}) {
        Ok((_, count)) => Some(count),
        Err(FamilyError::TooWide { .. }) => None,
        Err(error) => panic!("{error}"),
    }
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
                for method in [PathMethod::Heads, PathMethod::Mates] {
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
            let count = counted(&paths, PathMethod::Heads);
            assert_eq!(count, counted(&paths, PathMethod::Mates), "length {length}");
            assert_eq!(count, counted(&paths.threads(3), PathMethod::Mates));
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
    for method in [PathMethod::Heads, PathMethod::Mates] {
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

/// The graph of a text such as `0:1,2 1:2`.
fn graph_of(text: &str, vertices: usize) -> Graph {
    let number = |word: &str| word.parse::<usize>().unwrap();
    let edges = text.split_whitespace().flat_map(|line| {
        let (from, others) = line.split_once(':').unwrap();
        others.split(',').map(move |other| (number(from), number(other)))
    });
    Graph::new(vertices, edges).unwrap()
}

#[test]
fn instances_of_the_counting_competition_have_their_answers() {
    let sparse = BoundedPaths::new(&graph_of(SPARSE, 45), None, 6).unwrap();
    let dense = BoundedPaths::new(&graph_of(DENSE, 13), Some((3, 9)), 3).unwrap();
    for method in [PathMethod::Heads, PathMethod::Mates] {
        assert_eq!(counted(&sparse, method), Some(3849u32.into()));
        assert_eq!(counted(&dense, method), Some(119u32.into()));
    }
}

#[test]
fn graphs_that_are_too_large_for_both_methods_are_refused() {
    let dense = (0..70).flat_map(|a| (a + 1..70).map(move |b| (a, b)));
    let long = (70..2100).map(|vertex| (vertex - 1, vertex));
    let graph = Graph::new(2100, dense.chain(long)).unwrap();
    let wide = BoundedPaths::new(&graph, None, 5).unwrap().count();
    assert!(matches!(wide, Err(FamilyError::TooWide { slots: 65.., .. })), "{wide:?}");
}

/// A doubled edge or many vertices are for the sweep over the edges.
#[test]
fn graphs_that_fit_have_few_vertices_and_no_parallel_edges() {
    let fits = |graph: &Graph, ends| BoundedPaths::new(graph, ends, 3).unwrap().fits();
    let large = Graph::grid(70, 70);
    assert!(fits(&Graph::grid(9, 9), None) && !fits(&large, None));
    assert!(fits(&large, Some((0, 71)))); // few vertices are on such paths
    assert!(!fits(&Graph::new(3, [(0, 1), (0, 1), (1, 2)]).unwrap(), None));
}
