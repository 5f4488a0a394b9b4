use super::*;
use crate::Graph;
use crate::families::{
    EdgeSets, Order, VertexSets, at_most, balanced_partitions, connected_dominating_sets,
    connected_induced_subgraphs, cycles, dominating_sets, forests, independent_sets,
    independent_sets_at_distance, matchings, paths, spanning_trees, total_dominating_sets,
    vertex_covers,
};
use crate::kind::Unit;
use crate::order::{Cost, find_order, find_orders, frontier_bits, quick_orders};

fn prediction(family: &EdgeSets, cost: Cost, limit: PilotLimit) -> (Prediction, u64) {
    let graph = family.graph();
    let order = find_order(graph, Unit::Edge, &cost);
    let bits = frontier_bits(graph, Unit::Edge, &order, &cost);
    let sweep = || family.clone().order(Order::Custom(order.clone())).frontier().unwrap();
    let prediction = predict(sweep(), &bits, limit).unwrap();
    let mut whole = sweep();
    whole.profile().unwrap();
    (prediction, whole.report().states())
}

#[test]
fn finished_pilot_is_exact() {
    for family in [forests(&Graph::grid(4, 5)), matchings(&Graph::grid(0, 0))] {
        let (prediction, states) = prediction(&family, Cost::components(), PilotLimit::default());
        assert!(prediction.is_exact);
        assert!((prediction.states - states as f64).abs() < 0.5);
        assert_eq!(prediction.exact_levels, family.graph().num_edges());
    }
}

#[test]
fn prediction_from_a_fortieth_of_the_states_is_within_a_factor_of_four() {
    let cases = [
        (forests(&Graph::grid(8, 8)), Cost::components()),
        (spanning_trees(&Graph::grid(9, 9)), Cost::components()),
        (matchings(&Graph::grid(14, 14)), Cost::degrees(1)),
        (matchings(&Graph::knight(7, 7)), Cost::degrees(1)),
    ];
    for (family, cost) in cases {
        let whole = prediction(&family, cost, PilotLimit::default()).1;
        let limit = PilotLimit { states: whole / 40, time: Duration::from_mins(1) };
        let (prediction, states) = prediction(&family, cost, limit);
        assert!(!prediction.is_exact);
        let ratio = prediction.states / states as f64;
        assert!((0.25..4.0).contains(&ratio), "{ratio} for {states} states");
        assert!(prediction.count_bytes < prediction.build_bytes);
        assert!(prediction.levels.len() == family.graph().num_edges());
    }
}

/// The pilots end in the first rows, before the frontier reaches its maximum width.
#[test]
fn prediction_from_a_thousandth_of_the_states_is_within_a_factor_of_three() {
    let cases = [
        (paths(&Graph::grid(11, 11), 0, 120), Cost::paths(0, 120)),
        (forests(&Graph::grid(9, 9)), Cost::components()),
        (spanning_trees(&Graph::grid(10, 10)), Cost::components()),
        (cycles(&Graph::grid(11, 11)), Cost::mates()),
    ];
    for (family, cost) in cases {
        let whole = prediction(&family, cost, PilotLimit::default()).1;
        let limit = PilotLimit { states: whole / 1000, time: Duration::from_mins(1) };
        let (prediction, _) = prediction(&family, cost, limit);
        assert!(prediction.exact_levels < prediction.levels.len() / 4);
        let ratio = prediction.states / whole as f64;
        assert!((1.0 / 3.0..3.0).contains(&ratio), "{ratio} for {whole} states");
    }
}

#[test]
fn choice_is_the_order_with_the_fewest_states() {
    let ladder = Graph::grid(2, 12);
    let cost = Cost::components();
    let states = |order: &[usize]| {
        let order = Order::Custom(order.to_vec());
        let mut sweep = forests(&ladder).order(order).frontier().unwrap();
        sweep.profile().unwrap();
        sweep.report().states()
    };
    let orders = find_orders(&ladder, Unit::Edge, &cost);
    let least = orders.iter().map(|order| states(order)).min();
    let bits_of = |order: &[usize]| frontier_bits(&ladder, Unit::Edge, order, &cost);
    let chosen = choose(orders, bits_of, |order| {
        forests(&ladder).order(Order::Custom(order.to_vec())).frontier()
    });
    assert_eq!(Some(states(&chosen)), least);
}

/// Short pilots alone prefer the reverse of the given order: it begins with few states and then has up to
/// 17 times as many.
#[test]
fn choice_has_at_most_half_more_states_than_the_given_order() {
    let states = |family: EdgeSets| {
        let mut sweep = family.frontier().unwrap();
        sweep.profile().unwrap();
        sweep.report().states()
    };
    for family in [
        cycles(&Graph::grid(11, 11)),
        paths(&Graph::grid(9, 9), 0, 80).and(at_most(40)),
        paths(&Graph::grid(9, 9), 0, 80),
    ] {
        let chosen = states(family.clone().order(Order::Auto));
        let given = states(family.order(Order::Given));
        assert!(2 * chosen <= 3 * given, "{chosen} states, and {given} in the given order");
    }
}

#[test]
fn first_to_finish_has_at_most_half_more_states_than_the_other_orders() {
    for (rows, columns) in [(2, 9), (9, 2), (4, 6), (6, 6)] {
        let grid = Graph::grid(rows, columns);
        let cost = Cost::components();
        let bits_of = |order: &[usize]| frontier_bits(&grid, Unit::Edge, order, &cost);
        let sweep =
            |order: &[usize]| forests(&grid).order(Order::Custom(order.to_vec())).frontier();
        let states = |order: &Vec<usize>| {
            let mut sweep = sweep(order).unwrap();
            sweep.profile().unwrap();
            sweep.report().states()
        };
        let orders = quick_orders(&grid, Unit::Edge, &cost);
        let found = first_to_finish(orders.clone(), bits_of, sweep).unwrap();
        assert_eq!(first_to_finish(orders.clone(), bits_of, sweep), Some(found.clone()));
        let most =
            TRIED_FACTOR * orders.iter().map(|o| estimate(&bits_of(o))).fold(f64::MAX, f64::min);
        for other in orders.iter().filter(|order| estimate(&bits_of(order)) <= most) {
            assert!(2 * states(&found) <= 3 * states(other), "{rows} x {columns}");
        }
        // The orders of the long search save no more than that, either.
        for other in &find_orders(&grid, Unit::Edge, &cost) {
            assert!(states(&found) <= 2 * states(other), "{rows} x {columns}");
        }
    }
}

#[test]
fn long_sweeps_are_not_the_first_to_finish() {
    let grid = Graph::grid(12, 12);
    let cost = Cost::components();
    let bits_of = |order: &[usize]| frontier_bits(&grid, Unit::Edge, order, &cost);
    let sweep = |order: &[usize]| forests(&grid).order(Order::Custom(order.to_vec())).frontier();
    assert_eq!(first_to_finish(quick_orders(&grid, Unit::Edge, &cost), bits_of, sweep), None);
    let fails = |_: &[usize]| Err(());
    assert_eq!(first_to_finish(vec![vec![0, 1]], |_| vec![1.0; 2], fails), None);
    assert_eq!(first_to_finish(Vec::new(), |_| Vec::new(), fails), None);
}

/// Many programs list the edges of a grid vertex by vertex, the edge down first. Orders that the search
/// finds have smaller estimates, but 1.5 times as many states.
#[test]
fn choice_keeps_the_order_of_a_grid_that_is_listed_vertex_by_vertex() {
    let n = 13;
    let mut edges = Graph::grid(n, n).edges().to_vec();
    edges.sort_unstable_by_key(|&(a, b)| (a, a + 1 == b));
    let listed = Graph::new(n * n, edges).unwrap();
    let chosen = paths(&listed, 0, n * n - 1).element_order().unwrap();
    assert!(chosen.into_iter().eq(0..listed.num_edges()));
}

#[test]
fn orders_without_a_spec_are_passed_over() {
    let path = Graph::path(3);
    let orders = vec![vec![0, 1], vec![1, 0]];
    let bits_of = |order: &[usize]| frontier_bits(&path, Unit::Edge, order, &Cost::components());
    let chosen = choose(orders.clone(), bits_of, |order| {
        if order[0] == 0 {
            return Err(());
        }
        Ok(forests(&Graph::grid(1, 3)).frontier().unwrap())
    });
    assert_eq!(chosen, orders[1]);
    assert_eq!(choose(orders, bits_of, |_| Err(())), [0, 1]);
}

#[test]
fn given_order_without_a_sweep_does_not_win_an_open_race() {
    let grid = Graph::grid(12, 12);
    let given: Vec<usize> = (0..grid.num_edges()).collect();
    let orders = vec![given.clone(), given.iter().rev().copied().collect()];
    let bits_of = |order: &[usize]| frontier_bits(&grid, Unit::Edge, order, &Cost::mates());
    let chosen = choose(orders.clone(), bits_of, |order| {
        if *order == *given {
            return Err(());
        }
        Ok(cycles(&grid).order(Order::Custom(order.to_vec())).frontier().unwrap())
    });
    assert_eq!(chosen, orders[1]);
}

/// Without the weights, only the states of a frontier of a few vertices would be estimated.
#[test]
fn predictions_contain_the_sums_of_weights_with_bounds() {
    for (rows, columns, most, range) in [(8, 4, 5, 18..=28), (10, 3, 9, 33..=42)] {
        let grid = Graph::grid(rows, columns);
        let weights: Vec<i64> =
            (0..).map(|vertex| 1 + vertex * 7 % most).take(grid.num_vertices()).collect();
        let graph = grid.with_vertex_weights(weights).unwrap();
        let family = balanced_partitions(&graph, 4, range).order(Order::Given);
        let mut whole = family.frontier().unwrap();
        let states = whole.profile().unwrap().states();
        let limit = PilotLimit { states: states / 20, time: Duration::from_mins(1) };
        let prediction = family.predict(limit).unwrap();
        assert!(!prediction.is_exact);
        let ratio = prediction.states / states as f64;
        assert!((0.25..4.0).contains(&ratio), "{ratio} for {states} states");
    }
}

#[test]
fn bounds_on_sums_add_bits_until_they_are_decided() {
    let path = Graph::path(9);
    let bits = |family: EdgeSets| family.order(Order::Given).frontier_bits().unwrap();
    let (all, bounded) = (bits(EdgeSets::all(&path)), bits(EdgeSets::all(&path).and(at_most(2))));
    let more: Vec<f64> = all.iter().zip(&bounded).map(|(all, bounded)| bounded - all).collect();
    // Three sums in the middle; before the last two edges, some are legal whatever follows.
    assert_eq!(more[..3], [0.0, 1.0, 3_f64.log2()]);
    assert_eq!((more[6], more[7]), (3_f64.log2(), 1.0));
}

/// Forced chains, partitions and batches are the same as in a run without a limit.
#[test]
fn a_memory_limit_without_disk_changes_nothing_until_it_stops_the_run() {
    for family in [paths(&Graph::grid(7, 7), 0, 48), forests(&Graph::grid(6, 6))] {
        let family = family.order(Order::Given);
        for threads in [1, 2] {
            let run = |limit: Option<usize>| {
                let mut frontier = family.frontier().unwrap().threads(threads);
                if let Some(bytes) = limit {
                    frontier = frontier.memory_limit(bytes);
                }
                let zdd = frontier.zdd();
                let report = frontier.report();
                let sizes = |level: &topdd::LevelReport| (level.states, level.edges, level.merged);
                let levels: Vec<_> = report.levels.iter().map(sizes).collect();
                (zdd, levels, report.peak_bytes)
            };
            let (free, levels, peak) = run(None);
            let free = free.unwrap();
            let limited = run(Some(1 << 40));
            assert_eq!((limited.0.unwrap(), &limited.1, limited.2), (free.clone(), &levels, peak));
            let narrow = run(Some(2 * peak));
            assert_eq!((narrow.0.unwrap(), &narrow.1), (free, &levels));
            let (stopped, ..) = run(Some(peak / 2));
            let stopped = stopped.unwrap_err();
            assert!(matches!(stopped, BuildError::LimitReached { .. }), "{stopped}");
        }
    }
}

/// The graph of a piece that moves in these directions.
fn lines(rows: usize, cols: usize, directions: &[(isize, isize)]) -> Graph {
    let mut edges = Vec::new();
    for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
        for &(down, right) in directions {
            let next = |(row, col): (usize, usize)| {
                let (row, col) = (row.checked_add_signed(down)?, col.checked_add_signed(right)?);
                (row < rows && col < cols).then_some((row, col))
            };
            let to = std::iter::successors(next((row, col)), |&at| next(at));
            edges.extend(to.map(|to| (row * cols + col, to.0 * cols + to.1)));
        }
    }
    Graph::new(rows * cols, edges).unwrap()
}

fn queen(rows: usize, cols: usize) -> Graph {
    lines(rows, cols, &[(0, 1), (1, 0), (1, 1), (1, -1)])
}

fn torus(side: usize) -> Graph {
    let at = |row: usize, col: usize| row % side * side + col % side;
    let edges = (0..side * side).flat_map(|v| {
        let (row, col) = (v / side, v % side);
        [(v, at(row + 1, col)), (v, at(row, col + 1))]
    });
    Graph::new(side * side, edges).unwrap()
}

/// A graph with random edges, drawn by the generator xorshift of G. Marsaglia.
fn random(vertices: usize, edges: usize) -> Graph {
    let mut seed = 7_u64;
    let mut draw = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 20) as usize % vertices
    };
    let mut all = std::collections::BTreeSet::new();
    while all.len() < edges {
        let (a, b) = (draw(), draw());
        if a != b {
            all.insert((a.min(b), a.max(b)));
        }
    }
    Graph::new(vertices, all).unwrap()
}

/// Families of vertex sets of ten kinds of graphs. Each has its number of states, and the ratio of an older forecast to
/// it: by the width of the frontier, after a pilot of a hundredth of the states.
fn vertex_sweeps() -> [(&'static str, VertexSets, u64, f64); 12] {
    [
        ("dominating, queen 5x5", dominating_sets(&queen(5, 5)), 1_097_754, 7.44),
        ("connected, queen 4x6", connected_induced_subgraphs(&queen(4, 6)), 399_761, 101.5),
        ("independent, queen 8x8", independent_sets(&queen(8, 8)), 43_613, 1.1e6),
        (
            "connected dominating, rook 5x5",
            connected_dominating_sets(&lines(5, 5, &[(0, 1), (1, 0)])),
            287_729,
            15.1,
        ),
        ("total dominating, grid 9x9", total_dominating_sets(&Graph::grid(9, 9)), 566_879, 0.159),
        (
            "distance 3, grid 16x16",
            independent_sets_at_distance(&Graph::grid(16, 16), 3),
            1_807_757,
            0.267,
        ),
        ("dominating, torus 6x6", dominating_sets(&torus(6)), 362_857, 0.362),
        ("total dominating, cube 5", total_dominating_sets(&Graph::hypercube(5)), 2_320_949, 0.175),
        (
            "at most 6 dominating, king 12x12",
            dominating_sets(&Graph::king(12, 12)).and(at_most(6)),
            60_709,
            298.0,
        ),
        (
            "maximal independent, knight 8x8",
            independent_sets(&Graph::knight(8, 8)).and(dominating_sets(&Graph::knight(8, 8))),
            497_065,
            5.36,
        ),
        (
            "at most 6 dominating, random 60",
            dominating_sets(&random(60, 180)).and(at_most(6)),
            209_603,
            2604.0,
        ),
        ("vertex covers, random 60", vertex_covers(&random(60, 180)), 191_311, 2.01),
    ]
}

#[test]
fn forecasts_of_vertex_sets_from_a_hundredth_of_the_states_are_within_a_factor_of_four() {
    for (name, family, states, before) in vertex_sweeps() {
        let mut whole = family.frontier().unwrap();
        whole.profile().unwrap();
        let met = whole.report().states();
        let limit = PilotLimit { states: met / 100, time: Duration::from_mins(1) };
        let ratio = family.predict(limit).unwrap().states / met as f64;
        println!("{name}: {states} states, forecast {before} times before, {ratio:.2} now");
        assert_eq!(met, states, "{name}");
        assert!((0.25..4.0).contains(&ratio), "{name}: {ratio} of {met}");
    }
}

/// The whole sweep has 2.5e8 states and takes minutes. By the width of the frontier, the forecast was 3.5e9.
#[test]
fn forecast_of_dominating_sets_of_the_queen_graph_of_6x6_is_within_a_factor_of_four() {
    let limit = PilotLimit { states: 2_500_000, time: Duration::from_mins(1) };
    let states = dominating_sets(&queen(6, 6)).predict(limit).unwrap().states;
    assert!((0.25..4.0).contains(&(states / 2.5e8)), "{states}");
}
