use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::*;

fn widest(graph: &Graph, unit: Unit, order: &[usize]) -> usize {
    frontier_widths(graph, unit, order).into_iter().max().unwrap_or(0)
}

fn is_permutation(order: &[usize], length: usize) -> bool {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    sorted.into_iter().eq(0..length)
}

fn costs(num_vertices: usize) -> Vec<Cost> {
    let mut costs = vec![Cost::mates(), Cost::components(), Cost::partitions(), Cost::values(3)];
    costs.push(Cost::degrees(1));
    if let Some(last) = num_vertices.checked_sub(1) {
        costs.extend([Cost::paths(0, last), Cost::paths(0, last).max_length(3)]);
    }
    costs
}

/// Multigraphs with loops.
fn graphs() -> impl Strategy<Value = Graph> {
    (1_usize..9).prop_flat_map(|n| {
        prop::collection::vec((0..n, 0..n), 0..16)
            .prop_map(move |edges| Graph::new(n, edges).unwrap())
    })
}

/// Whether a path from `from` to `to` of at most `most` edges contains `through`, by enumeration.
fn on_path(
    edges: &[(usize, usize)],
    through: usize,
    (from, to): (usize, usize),
    most: usize,
) -> bool {
    fn extend(
        edges: &[(usize, usize)],
        path: &mut Vec<usize>,
        (through, used): (usize, bool),
        to: usize,
        most: usize,
    ) -> bool {
        let at = *path.last().unwrap();
        if at == to {
            return used && path.len() > 1;
        }
        for (edge, &(a, b)) in edges.iter().enumerate() {
            let other = if a == at { b } else { a };
            if most == 0 || (a != at && b != at) || path.contains(&other) {
                continue;
            }
            path.push(other);
            if extend(edges, path, (through, used || edge == through), to, most - 1) {
                return true;
            }
            path.pop();
        }
        false
    }
    from != to && extend(edges, &mut vec![from], (through, false), to, most)
}

proptest! {
    #[test]
    fn orders_are_permutations_for_every_cost(graph in graphs()) {
        for cost in costs(graph.num_vertices()) {
            for unit in [Unit::Edge, Unit::Vertex] {
                let elements = unit.elements(&graph);
                let order = find_order(&graph, unit, &cost);
                prop_assert!(is_permutation(&order, elements));
                prop_assert_eq!(&order, &find_order(&graph, unit, &cost));
                for order in find_orders(&graph, unit, &cost) {
                    prop_assert!(is_permutation(&order, elements));
                }
            }
        }
    }

    #[test]
    fn frontiers_equal_their_definition(graph in graphs(), shift in 0_usize..16) {
        let (n, edges) = (graph.num_vertices(), graph.edges());
        let mut order: Vec<usize> = (0..edges.len()).rev().collect();
        order.rotate_left(shift % edges.len().max(1));
        let widths = frontier_widths(&graph, Unit::Edge, &order);
        let has = |edges_of: &[usize], vertex: usize| {
            edges_of.iter().any(|&e| edges[e].0 != edges[e].1
                && (edges[e].0 == vertex || edges[e].1 == vertex))
        };
        for (step, &width) in widths.iter().enumerate() {
            let (done, left) = order.split_at(step + 1);
            let expected = (0..n).filter(|&v| has(done, v) && has(left, v)).count();
            prop_assert_eq!(width, expected);
        }
        let order: Vec<usize> = (0..n).map(|i| (i + shift) % n).collect();
        let widths = frontier_widths(&graph, Unit::Vertex, &order);
        for (step, &width) in widths.iter().enumerate() {
            let (done, left) = order.split_at(step + 1);
            let open = |&&v: &&usize| edges.iter().any(|&(a, b)| {
                a == v && left.contains(&b) || b == v && left.contains(&a)
            });
            prop_assert_eq!(width, done.iter().filter(open).count());
        }
    }

    #[test]
    fn edges_on_paths_equal_enumeration(graph in graphs()) {
        let (n, edges) = (graph.num_vertices(), graph.edges());
        let (from, to) = (0, n - 1);
        let found = edges_on_paths(&graph, from, to, None);
        for (edge, &found) in found.iter().enumerate() {
            prop_assert_eq!(found, on_path(edges, edge, (from, to), n));
        }
        for most in 0..4 {
            let found = edges_on_paths(&graph, from, to, Some(most));
            for (edge, &found) in found.iter().enumerate() {
                prop_assert!(found || !on_path(edges, edge, (from, to), most));
            }
        }
    }
}

/// The least possible width over all orders of closing the vertices, by dynamic programming over
/// the sets of closed ones.
fn least_width(n: usize, edges: &[(usize, usize)]) -> usize {
    let neighbours = |set: usize| {
        let reached = edges
            .iter()
            .fold(0, |reached, &(a, b)| reached | (set >> a & 1) << b | (set >> b & 1) << a);
        (reached & !set).count_ones() as usize
    };
    let mut least = vec![usize::MAX; 1 << n];
    least[0] = 0;
    for set in 1_usize..1 << n {
        for vertex in (0..n).filter(|vertex| set >> vertex & 1 == 1) {
            let before = least[set ^ 1 << vertex];
            least[set] = least[set].min(before.max(neighbours(set)));
        }
    }
    least[(1 << n) - 1]
}

#[test]
fn orders_of_small_graphs_are_rarely_wider_than_necessary() {
    // The search has no guarantee: one random graph in some ten thousand has a wider order. So the
    // graphs are always the same.
    let mut runner = TestRunner::deterministic();
    let mut wider = [0; 2];
    for _ in 0..1000 {
        let graph = graphs().new_tree(&mut runner).unwrap().current();
        let least = least_width(graph.num_vertices(), graph.edges());
        let order = find_order(&graph, Unit::Edge, &Cost::components());
        let by_edge = widest(&graph, Unit::Edge, &order);
        let order = find_order(&graph, Unit::Vertex, &Cost::values(2));
        let by_vertex = widest(&graph, Unit::Vertex, &order);
        // An edge order has one more: the vertex that is being closed.
        for (wider, width) in wider.iter_mut().zip([by_edge.saturating_sub(1), by_vertex]) {
            assert!(width <= least + 1, "{graph:?}");
            *wider += usize::from(width > least);
        }
    }
    assert!(wider[0] <= 20 && wider[1] <= 60, "{wider:?}");
}

#[test]
fn frontier_of_a_grid_is_its_shorter_side() {
    for (rows, cols) in [(4, 4), (7, 7), (10, 10), (5, 12), (20, 6)] {
        let grid = Graph::grid(rows, cols);
        for (unit, cost) in [(Unit::Edge, Cost::mates()), (Unit::Vertex, Cost::values(2))] {
            let order = find_order(&grid, unit, &cost);
            assert!(widest(&grid, unit, &order) <= rows.min(cols) + 1, "{rows}x{cols}");
        }
    }
}

#[test]
fn trees_have_narrow_frontiers_and_large_graphs_take_no_recursion() {
    let size = 100_000;
    let path: Vec<_> = (1..size).map(|i| (i - 1, i)).collect();
    let star: Vec<_> = (1..size).map(|i| (0, i)).collect();
    let caterpillar: Vec<_> =
        (1..size).map(|i| (if i % 2 == 0 { i - 2 } else { i - 1 }, i)).collect();
    let binary: Vec<_> = (1..size).map(|i| ((i - 1) / 2, i)).collect();
    for (edges, most) in [(path, 1), (star, 1), (caterpillar, 2), (binary, 18)] {
        let graph = Graph::new(size, edges).unwrap();
        for cost in [Cost::components(), Cost::paths(0, size - 1)] {
            let order = find_order(&graph, Unit::Edge, &cost);
            assert!(is_permutation(&order, graph.num_edges()));
            assert!(widest(&graph, Unit::Edge, &order) <= most);
        }
    }
}

#[test]
fn graphs_without_edges_have_an_empty_order() {
    for vertices in [0, 1, 3] {
        for cost in costs(vertices) {
            let graph = Graph::empty(vertices);
            assert_eq!(find_order(&graph, Unit::Edge, &cost), [0; 0]);
            assert_eq!(find_order(&graph, Unit::Vertex, &cost).len(), vertices);
        }
    }
}

#[test]
fn dead_ends_are_processed_without_widening_the_rest() {
    // A path 0-1-2 with a clique of six vertices at 1, which no path from 0 to 2 enters.
    let mut edges = vec![(0, 1), (1, 2)];
    let clique = [1, 3, 4, 5, 6, 7];
    for (i, &a) in clique.iter().enumerate() {
        edges.extend(clique[i + 1..].iter().map(|&b| (a, b)));
    }
    let cost = Cost::paths(0, 2);
    let graph = Graph::new(8, edges).unwrap();
    let order = find_order(&graph, Unit::Edge, &cost);
    let bits = frontier_bits(&graph, Unit::Edge, &order, &cost);
    assert!(bits.into_iter().all(|bits| bits < 2.0));
    assert!(widest(&graph, Unit::Edge, &order) <= 6);
}
