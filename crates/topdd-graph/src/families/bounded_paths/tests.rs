use super::counts::{Addition, CountTable, LengthCounts, hash_of};
use super::saved::PAYLOAD;
use super::{BoundedPaths, PathMethod, PathProgress, ScheduledMethod};
use crate::Graph;
use crate::families::FamilyError;
use num_bigint::BigUint;
use proptest::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;
use topdd::frontier::{BlockWriter, RunCheckpoint};
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
    match paths.count_by(vec![ScheduledMethod::new(method)], None, &mut |_| {}) {
        Ok((_, count)) => Some(count),
        Err(FamilyError::TooWide { .. } | FamilyError::NotForHeads { .. }) => None,
        Err(error) => panic!("{error}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn counts_equal_brute_force(
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
        (Graph::grid(8, 8), 63, vec![30]),
        (Graph::king(5, 5), 24, vec![4, 5, 7]),
        (petersen, 5, vec![1, 3, 6, 9]),
    ] {
        for length in lengths {
            for ends in [Some((0, to)), None].into_iter().take(if length < 15 { 2 } else { 1 }) {
                let paths = BoundedPaths::new(&graph, ends, length).unwrap();
                let count = counted(&paths, PathMethod::Heads);
                assert_eq!(count, counted(&paths, PathMethod::Mates), "length {length}");
                let (paths, states) = (paths.threads(3), paths_states(&graph, ends, length));
                for method in [PathMethod::Heads, PathMethod::Mates] {
                    let before = paths.states();
                    assert_eq!(count, counted(&paths, method));
                    assert_eq!(paths.states() - before, states[method as usize]);
                }
            }
        }
    }
}

/// The states of each method with one thread.
fn paths_states(graph: &Graph, ends: Option<(usize, usize)>, length: usize) -> [u64; 2] {
    [PathMethod::Heads, PathMethod::Mates].map(|method| {
        let paths = BoundedPaths::new(graph, ends, length).unwrap();
        counted(&paths, method).unwrap();
        paths.states()
    })
}

/// The product of `factors` numbers from `most` downwards.
fn falling(most: usize, factors: usize) -> BigUint {
    (0..factors).map(|factor| most - factor).product()
}

/// In a complete graph, a path of `k` edges between two of `n` vertices has `k - 1` others in any order.
#[test]
fn counts_of_complete_graphs_equal_the_formula() {
    for vertices in [14, 22, 30, 46, 60] {
        for length in [4, vertices - 1] {
            let graph = Graph::complete(vertices);
            let inner: BigUint = (0..length).map(|k| falling(vertices - 2, k)).sum();
            let any = &inner * (vertices * (vertices - 1) / 2);
            let one_pair = BoundedPaths::new(&graph, Some((0, 1)), length).unwrap();
            let all_pairs = BoundedPaths::new(&graph, None, length).unwrap();
            for method in [PathMethod::Heads, PathMethod::Mates] {
                assert_eq!(counted(&one_pair, method).as_ref(), Some(&inner), "{method}");
                assert_eq!(counted(&all_pairs, method).as_ref(), Some(&any), "{method}");
            }
        }
    }
}

/// All paths have even lengths, or all have odd ones; the vertices of a side may be exchanged.
#[test]
fn counts_of_complete_bipartite_graphs_equal_the_formula() {
    let sides = 12;
    let graph = Graph::complete_bipartite(sides, sides);
    for (to, first) in [(1, 2), (sides, 1)] {
        for length in [first, first + 1, 7, 10, 2 * sides - 1] {
            // A path of k edges has k / 2 vertices inside on the other side, rounded down, and on the own side as many, or one
            // less if both ends are there.
            let of_length = |k: usize| {
                let (own, other) = if first == 2 { (k / 2 - 1, k / 2) } else { (k / 2, k / 2) };
                let left = |ends: usize, inner: usize| falling(sides - ends, inner);
                if first == 2 {
                    left(2, own) * left(0, other)
                } else {
                    left(1, own) * left(1, other)
                }
            };
            let expected: BigUint = (first..=length).step_by(2).map(of_length).sum();
            let paths = BoundedPaths::new(&graph, Some((0, to)), length).unwrap();
            for method in [PathMethod::Heads, PathMethod::Mates] {
                assert_eq!(counted(&paths, method).as_ref(), Some(&expected), "{method} {length}");
            }
        }
    }
}

/// Distances above 254 are stored as 254.
#[test]
fn distances_above_254_do_not_change_counts() {
    let cycle = Graph::cycle(600);
    for (length, expected) in [(289, 0u32), (290, 1), (309, 1), (310, 2)] {
        let paths = BoundedPaths::new(&cycle, Some((0, 290)), length).unwrap();
        for method in [PathMethod::Heads, PathMethod::Mates] {
            assert_eq!(counted(&paths, method), Some(expected.into()), "{method} {length}");
        }
    }
    let any = BoundedPaths::new(&cycle, None, 300).unwrap();
    assert_eq!(counted(&any, PathMethod::Mates), Some(180_000u32.into()));
}

/// Each copy of an edge is in paths of its own.
#[test]
fn parallel_edges_are_different() {
    let edges = (0..3).flat_map(|a| (3..7).map(move |b| (a, b)));
    let graph = Graph::new(7, edges.chain([(0, 3), (0, 3), (1, 4)])).unwrap();
    let heads = BoundedPaths::new(&graph, None, 3).unwrap().method(PathMethod::Heads).count();
    assert!(matches!(heads, Err(FamilyError::NotForHeads { most: 2015 })), "{heads:?}");
    for ends in [None, Some((0, 1)), Some((0, 3)), Some((5, 6))] {
        let by_length = brute_force(&graph, ends);
        for length in 1..7 {
            let expected: u64 = by_length.iter().take(length + 1).sum();
            let mut paths = BoundedPaths::new(&graph, ends, length).unwrap();
            assert_eq!(paths.count().unwrap(), expected.into(), "{ends:?} {length}");
        }
    }
}

/// `mates` starts second, and finishes first where `heads` has many states.
#[test]
fn long_bounds_are_for_mates_and_short_ones_for_heads() {
    let mut long = BoundedPaths::new(&Graph::grid(6, 30), Some((0, 179)), usize::MAX).unwrap();
    let mut levels = Vec::new();
    let count = long.count_with(|level| levels.push(level.clone())).unwrap();
    assert_eq!(long.counted_by(), Some(PathMethod::Mates));
    assert_eq!(Some(count), counted(&long, PathMethod::Mates));
    let is_of = |method: PathMethod| levels.iter().filter(move |level| level.method == method);
    assert!(is_of(PathMethod::Heads).count() > 0);
    assert!(is_of(PathMethod::Mates).map(|level| level.passed).eq(1..=180));
    let mut short = BoundedPaths::new(&Graph::grid(6, 30), Some((0, 179)), 36).unwrap();
    short.count().unwrap();
    assert_eq!(short.counted_by(), Some(PathMethod::Heads));
    assert_eq!(short.frontier_width(), None);
}

/// At the limit of memory, one method is dropped, and the other goes on.
#[test]
fn a_limit_of_memory_stops_one_method() {
    let grid = Graph::grid(9, 9);
    let paths = |method: Option<PathMethod>| {
        let paths = BoundedPaths::new(&grid, Some((0, 80)), usize::MAX).unwrap();
        method.into_iter().fold(paths, BoundedPaths::method)
    };
    let mut mates = paths(Some(PathMethod::Mates));
    let count = mates.count().unwrap();
    let enough = mates.peak_bytes() * 5 / 4;
    let heads = paths(Some(PathMethod::Heads)).memory_limit(enough).count();
    assert!(matches!(heads, Err(FamilyError::Build(BuildError::LimitReached { .. }))), "{heads:?}");
    let mut both = paths(None).memory_limit(enough);
    assert_eq!(both.count().unwrap(), count);
    assert_eq!(both.counted_by(), Some(PathMethod::Mates));
}

/// A path through a ladder of `n` rungs uses an odd number of rungs, each such set once.
#[test]
fn counts_of_more_than_two_limbs_are_exact() {
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
    for method in [PathMethod::Heads, PathMethod::Mates] {
        let token = CancelToken::new();
        // On several threads, in the middle of a run.
        let mut paths = paths().threads(2).method(method).cancel_with(&token);
        let stopped = paths.count_with(|level| {
            if level.states > 1000 {
                token.cancel();
            }
        });
        assert!(matches!(stopped, Err(FamilyError::Build(BuildError::Cancelled { .. }))));
        assert!(paths.states() > 1000);
    }
}

/// A count with a checkpoint in a folder.
fn resumable(
    graph: &Graph,
    ends: Option<(usize, usize)>,
    (length, method): (usize, Option<PathMethod>),
    folder: &Path,
) -> BoundedPaths {
    let paths = BoundedPaths::new(graph, ends, length).unwrap().checkpoint(folder, "paths");
    match method {
        Some(method) => paths.method(method),
        None => paths,
    }
}

/// Counts up to the first level of which `is_last` holds, waits until a save is due, and cancels two levels later.
fn interrupt(paths: BoundedPaths, is_last: impl Fn(&PathProgress) -> bool) {
    let token = CancelToken::new();
    let mut since = None;
    let counted = paths.cancel_with(&token).count_with(|now| {
        since = since.map(|levels| levels + 1);
        if since.is_none() && is_last(now) {
            since = Some(0);
            thread::sleep(Duration::from_millis(60));
        }
        if since == Some(2) {
            token.cancel();
        }
    });
    let is_cancelled = matches!(counted, Err(FamilyError::Build(BuildError::Cancelled { .. })));
    assert!(is_cancelled, "{counted:?}");
}

#[test]
fn a_count_that_was_interrupted_goes_on_at_its_checkpoint() {
    let (square, chords) = (Graph::grid(6, 6), graph_of(DENSE, 13));
    for (graph, ends, length) in
        [(&square, Some((0, 35)), 20), (&square, None, 12), (&chords, Some((0, 12)), 9)]
    {
        for method in [None, Some(PathMethod::Heads), Some(PathMethod::Mates)] {
            let folder = TempDir::new().unwrap();
            let new = || resumable(graph, ends, (length, method), folder.path());
            let mut whole = new();
            let count = whole.count().unwrap();
            assert!(whole.take_checkpoint().unwrap().remove().is_empty());
            for passed in [[2, 4], [1, 5]] {
                for passed in passed {
                    interrupt(new(), |now| now.passed == passed);
                }
                let (mut resumed, mut at) = (new().threads(2), Vec::new());
                let again = resumed.count_with(|now| at.push((now.resumed, now.passed))).unwrap();
                assert_eq!((&again, resumed.states()), (&count, whole.states()));
                assert!(at[0].0 && at[0].1 > 0 && !at[at.len() - 1].0, "{at:?}");
                assert!(resumed.take_checkpoint().unwrap().remove().is_empty());
                assert!(resumed.take_checkpoint().is_none());
            }
        }
    }
}

/// The counts have more than one limb, and both methods have started.
#[test]
fn a_method_that_exceeds_the_memory_limit_is_not_resumed() {
    let (graph, ends) = (Graph::grid(6, 30), Some((0, 179)));
    let folder = TempDir::new().unwrap();
    let new = || resumable(&graph, ends, (usize::MAX, None), folder.path());
    let expected = BoundedPaths::new(&graph, ends, usize::MAX).unwrap().count().unwrap();
    let begin = || interrupt(new(), |now| now.method == PathMethod::Mates && now.passed == 120);
    begin();
    // The method that has counted, by the methods that were resumed.
    let mut outcomes = BTreeMap::new();
    for bits in 12..28 {
        let mut methods = Vec::new();
        let mut paths = new().memory_limit(1 << bits);
        let counted = paths.count_with(|now| {
            if now.resumed {
                methods.push(now.method.to_string());
            }
        });
        match counted {
            Ok(count) => {
                assert_eq!(count, expected);
                assert!(paths.take_checkpoint().unwrap().remove().is_empty());
                begin();
            }
            Err(FamilyError::Build(BuildError::LimitReached {
                limit: Limit::Bytes(_), ..
            })) => {}
            Err(error) => panic!("{error}"),
        }
        outcomes.insert(methods, paths.counted_by());
    }
    let methods: Vec<_> = outcomes.keys().map(|methods| methods.join(" ")).collect();
    assert_eq!(methods, ["", "heads mates", "mates"], "{outcomes:?}");
}

#[test]
fn a_method_that_memory_has_stopped_begins_anew_with_more() {
    let graph = Graph::grid(10, 10);
    let folder = TempDir::new().unwrap();
    let new = || resumable(&graph, Some((0, 99)), (40, None), folder.path());
    let expected = BoundedPaths::new(&graph, Some((0, 99)), 40).unwrap().count().unwrap();
    let stopped = new().memory_limit(1 << 22).count_with(|now| {
        // A save is due after each of the last levels.
        thread::sleep(Duration::from_millis(if now.passed > 14 { 60 } else { 0 }));
    });
    assert!(matches!(stopped, Err(FamilyError::Build(BuildError::LimitReached { .. }))));
    let mut levels = Vec::new();
    let mut resumed = new();
    assert_eq!(resumed.count_with(|now| levels.push((now.method, now.resumed))).unwrap(), expected);
    // The memory limit has stopped `mates` before the last save.
    let resumed_methods: Vec<_> = levels.iter().filter(|level| level.1).collect();
    assert_eq!(resumed_methods, [&(PathMethod::Heads, true)]);
    assert_eq!(resumed.counted_by(), Some(PathMethod::Mates));
}

#[test]
fn a_checkpoint_of_another_count_or_a_damaged_one_is_refused() {
    let (graph, ends) = (Graph::grid(6, 6), Some((0, 35)));
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let new = |graph: &Graph, ends, length, method| resumable(graph, ends, (length, method), path);
    let own = || new(&graph, ends, 20, None);
    interrupt(own(), |now| now.passed == 8);
    let error = |mut paths: BoundedPaths| match paths.count() {
        Err(FamilyError::Build(error)) => error,
        other => panic!("{other:?}"),
    };
    let more = Graph::new(37, graph.edges().iter().copied()).unwrap();
    for other in [
        new(&Graph::grid(4, 9), ends, 20, None),
        new(&more, ends, 20, None),
        new(&graph, Some((0, 34)), 20, None),
        new(&graph, None, 20, None),
        new(&graph, ends, 20, Some(PathMethod::Mates)),
        new(&graph, ends, 22, None),
    ] {
        assert!(matches!(error(other), BuildError::SpecChanged { .. }));
    }
    let key = BoundedPaths::new(&graph, ends, 20).unwrap().checkpoint(path, "cycles");
    assert!(matches!(error(key), BuildError::OtherCheckpoint { .. }));
    let open = || RunCheckpoint::open(path, "paths", PAYLOAD, || Ok(())).unwrap();
    let blocks = open().1.unwrap();
    let blocks: Vec<_> = (0..blocks.len()).map(|index| blocks.read(index).unwrap()).collect();
    let save = |blocks: &[Vec<u8>]| {
        let write =
            |all: &mut BlockWriter| blocks.iter().try_for_each(|of| all.append(of).map(drop));
        open().0.save(write).unwrap();
    };
    assert!(blocks.len() > 10, "{}", blocks.len());
    for (index, block) in blocks.iter().enumerate() {
        let mut shorter = blocks.clone();
        shorter[index].truncate(block.len() / 2);
        save(&shorter);
        assert!(matches!(error(own()), BuildError::Damaged { .. }), "{index}");
    }
    save(&blocks);
    let count = BoundedPaths::new(&graph, ends, 20).unwrap().count().unwrap();
    assert_eq!(own().count().unwrap(), count);
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
fn counts_equal_published_answers() {
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

/// Counts by length, each of one or two limbs.
type Listed = Vec<(u64, u64)>;

proptest! {
    /// A table has the sums of what was added, however the records move and the counts grow.
    #[test]
    fn sums_of_a_table_equal_those_of_a_map(
        stride in 1usize..3,
        additions in prop::collection::vec(
            (
                (0u64..4, 0u64..2),
                (0usize..9, prop::collection::vec((any::<u64>(), 0u64..3), 1..5) , prop::bool::ANY),
                prop::sample::select(vec![1, 2, 3, 1 << 63, u64::MAX]),
                0usize..14,
            ),
            1..60,
        ),
    ) {
        let mut table = CountTable::<2>::new(stride);
        let mut expected: HashMap<[u64; 2], BTreeMap<usize, BigUint>> = HashMap::new();
        let of = |row: [u64; 2], (low, list, is_wide): &(usize, Listed, bool)| {
            // All lengths of a state have the same parity, for a stride of 2.
            let low = stride * low + row[0] as usize % stride;
            let limbs: Vec<u64> = list.iter().flat_map(|&(a, b)| {
                // The upper bit is kept free.
                if *is_wide { vec![a, b] } else { vec![a >> 1] }
            }).collect();
            (low, limbs, if *is_wide { 2 } else { 1 })
        };
        for batch in additions.chunks(7) {
            let listed: Vec<_> = batch.iter().map(|&((a, b), ref counts, times, least)| {
                ([a, b], of([a, b], counts), times, least)
            }).collect();
            table.add_all(listed.iter().map(|&(ref row, (low, ref limbs, width), times, least)| {
                let counts = LengthCounts { low, limbs, width, stride };
                Addition { hash: hash_of(row), row, counts, times, least }
            }));
            for (row, (low, limbs, width), times, least) in listed {
                let to = expected.entry(row).or_default();
                for (length, count) in (low..).step_by(stride).zip(limbs.chunks(width)) {
                    let digits = count.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]);
                    let clamped = low + least.saturating_sub(low) / stride * stride;
                    let sum = BigUint::new(digits.collect()) * times;
                    *to.entry(length.max(clamped)).or_default() += sum;
                }
            }
        }
        prop_assert_eq!(table.len(), expected.len());
        let mut seen = 0;
        for (row, counts) in table.iter() {
            seen += 1;
            for (length, count) in (counts.low..).step_by(stride).zip(counts.limbs.chunks(counts.width)) {
                let digits = count.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]);
                let sum = expected[row].get(&length).cloned().unwrap_or_default();
                prop_assert_eq!(BigUint::new(digits.collect()), sum);
            }
            let high = counts.low + (counts.limbs.len() / counts.width - 1) * stride;
            let lengths = &expected[row];
            prop_assert_eq!((counts.low, high), (*lengths.keys().min().unwrap(), *lengths.keys().max().unwrap()));
        }
        prop_assert_eq!(seen, expected.len());
    }
}
