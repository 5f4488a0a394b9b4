//! Families of paths whose variables are alike: unchecked sweeps, which use that, and checked ones, which do not, find
//! the same.

use proptest::prelude::*;
use topdd_graph::Graph;
use topdd_graph::families::*;

/// Each family of paths and cycles of a graph, between its first and its last vertex.
fn families(graph: &Graph) -> [EdgeSets; 5] {
    let last = graph.num_vertices() - 1;
    let given = |family: EdgeSets| family.order(Order::Given);
    [
        given(paths(graph, 0, last)),
        given(hamiltonian_paths_between(graph, 0, last)),
        given(all_paths(graph)),
        given(cycles(graph)),
        given(hamiltonian_cycles(graph)),
    ]
}

fn compare(graph: &Graph) {
    for family in families(graph) {
        let sweep = |checked| family.frontier().unwrap().threads(1).checked(checked);
        assert_eq!(sweep(false).count().unwrap(), sweep(true).count().unwrap(), "{family:?}");
        let diagrams = [false, true].map(|checked| sweep(checked).zdd().unwrap());
        assert!(diagrams[0] == diagrams[1], "{family:?}");
    }
}

#[test]
fn grids_of_few_rows_and_many_columns() {
    for (rows, cols) in [(2, 40), (3, 16), (4, 10)] {
        compare(&Graph::grid(cols, rows));
        compare(&Graph::grid(cols, rows));
    }
}

#[test]
fn ladders_with_diagonals_and_long_edges() {
    let ladder = (0..40).flat_map(|v| [(v, v + 1), (v, v + 2), (v, v + 5)]);
    compare(&Graph::new(46, ladder.filter(|&(_, b)| b < 46)).unwrap());
    compare(&Graph::cycle(70));
    compare(&Graph::path(80));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]
    /// A pattern of edges that repeats itself, with some edges missing.
    #[test]
    fn patterns_that_repeat_themselves(
        pattern in prop::collection::vec((0usize..3, 1usize..4), 1..5),
        missing in prop::collection::vec(0usize..100, 0..4),
    ) {
        let edges = (0..16).flat_map(|column| {
            pattern.iter().map(move |&(at, distance)| (3 * column + at, 3 * column + at + distance))
        });
        let kept = edges.enumerate().filter(|(edge, _)| !missing.contains(edge)).map(|(_, ends)| ends);
        compare(&Graph::new(56, kept).unwrap());
    }
}
