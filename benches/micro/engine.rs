//! The engine and the diagram on small cases; see `README.md` in this directory.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion};
use topdd::constraint::{at_most, exactly, linear};
use topdd::{Frontier, Goal, SpecExt, Weights, dp};
use topdd_chess::knights::PathEncoding;
use topdd_chess::{KnightsTours, Queens, queens};
use topdd_graph::Graph;
use topdd_graph::families::{
    SubgraphConstraint, grid_hamiltonian_cycles, grid_paths, matchings, paths, spanning_trees,
};

/// Times the build of a diagram, and a count without a diagram.
fn diagram_and_count<E: std::fmt::Debug>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    frontier: Result<Frontier<'_>, E>,
) {
    let mut frontier = frontier.unwrap();
    group.bench_function(format!("{name}/diagram"), |bencher| {
        bencher.iter(|| black_box(&mut frontier).zdd().unwrap());
    });
    group.bench_function(format!("{name}/count"), |bencher| {
        bencher.iter(|| black_box(&mut frontier).count().unwrap());
    });
}

fn sweeps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("sweep");
    // Many values and few children; then the same problem with two values.
    let by_row = Queens::new(10).frontier(queens::BoardEncoding::Row);
    diagram_and_count(&mut group, "queens by row 10", by_row);
    let by_cell = Queens::new(9).frontier(queens::BoardEncoding::Cell);
    diagram_and_count(&mut group, "queens by cell 9", by_cell);
    // Many merges: these families have far more solutions than states.
    let paths = grid_paths(9).frontier();
    diagram_and_count(&mut group, "grid paths by edge 9", paths);
    let cycles = grid_hamiltonian_cycles(8, 8);
    diagram_and_count(&mut group, "grid Hamiltonian cycles by edge 8", cycles.frontier());
    let by_vertex = cycles.by_vertex().and_then(|cycles| cycles.frontier());
    diagram_and_count(&mut group, "grid Hamiltonian cycles by vertex 8", by_vertex);
    // Few merges: most states are reached once.
    let tours = KnightsTours::closed(6, 6).frontier(PathEncoding::ByVertex);
    diagram_and_count(&mut group, "knights closed 6x6", tours);
    group.finish();
}

fn queries(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("query");
    let paths = grid_paths(9).frontier().unwrap().zdd().unwrap();
    group.bench_function("count paths 9", |bencher| bencher.iter(|| black_box(&paths).count()));
    group.bench_function("iterate 10000 paths 9", |bencher| {
        bencher.iter(|| {
            let mut solutions = black_box(&paths).iter();
            for _ in 0..10_000 {
                // Lent, not copied: this times the walk and not the allocator.
                black_box(solutions.advance().expect("there are more"));
            }
        });
    });
    let deep_inside = paths.iter().nth(10_000).expect("there are more");
    group.bench_function("contains paths 9", |bencher| {
        bencher.iter(|| paths.contains(black_box(&deep_inside)).unwrap());
    });
    group.finish();
}

/// Five equations over seven variables of 990 values, as one constraint and as a list of boxed ones. Most values of a
/// state are refused by the last equation only.
fn constraints(criterion: &mut Criterion) {
    const ROWS: [[i64; 7]; 5] = [
        [0, 0, 0, 0, 0, 1, 1],
        [0, 0, 0, 0, 1, 0, 1],
        [0, 0, 0, 1, 0, 1, 0],
        [0, 0, 1, 0, 1, 1, 0],
        [1; 7],
    ];
    const SUMS: [i64; 5] = [8, 5, 11, 11, 28];
    let term = |row: usize| {
        move |variable: usize, value: usize| ROWS[row][variable] * i64::try_from(value).unwrap()
    };
    let one = (0..5).fold(linear([990; 7]), |one, row| one.equal(term(row), SUMS[row]));
    let rows = (0..5).map(|row| linear([990; 7]).equal(term(row), SUMS[row]).boxed());
    let list = topdd::all(rows);
    let mut group = criterion.benchmark_group("constraints");
    group.bench_function("five equations/one linear", |bencher| {
        bencher.iter(|| Frontier::over(black_box(&one)).threads(1).count().unwrap());
    });
    group.bench_function("five equations/list of boxed linear", |bencher| {
        bencher.iter(|| Frontier::over(black_box(&list)).threads(1).count().unwrap());
    });
    group.finish();
}

/// The placements of nine queens by cell: as a list of constraints on rows, columns and diagonals, and as closures.
fn lists(criterion: &mut Criterion) {
    const SIZE: usize = 9;
    const CELLS: usize = SIZE * SIZE;
    let line = |holds: &dyn Fn(usize, usize) -> bool| -> Vec<usize> {
        (0..CELLS).filter(|cell| holds(cell / SIZE, cell % SIZE)).collect()
    };
    let rows = (0..SIZE).map(|r| line(&|row, _| row == r));
    let columns = (0..SIZE).map(|c| line(&|_, column| column == c));
    let rising = (0..2 * SIZE - 1).map(|d| line(&|row, column| row + column == d));
    let falling = (0..2 * SIZE - 1).map(|d| line(&|row, column| row + SIZE - 1 - column == d));
    let full = rows.chain(columns).map(|line| exactly(CELLS, 1).on(line));
    let list = topdd::all(full.chain(rising.chain(falling).map(|line| at_most(CELLS, 1).on(line))));
    let closures = dp(CELLS, (0u32, 0u32, 0u32, false)).step(
        |&(columns, rising, falling, full), cell, queen| {
            let (row, column) = (cell / SIZE, cell % SIZE);
            let is_last = column + 1 == SIZE;
            if queen == 0 {
                return (full || !is_last).then_some((columns, rising, falling, full && !is_last));
            }
            let lines = [1 << column, 1 << (row + column), 1 << (row + SIZE - 1 - column)];
            let free = !full
                && columns & lines[0] == 0
                && rising & lines[1] == 0
                && falling & lines[2] == 0;
            free.then_some((columns | lines[0], rising | lines[1], falling | lines[2], !is_last))
        },
    );
    let closures = closures.accept(|_| true);
    let mut group = criterion.benchmark_group("constraints");
    group.bench_function("queens by cell/list", |bencher| {
        bencher.iter(|| Frontier::over(black_box(&list)).threads(1).count().unwrap());
    });
    group.bench_function("queens by cell/closures", |bencher| {
        bencher.iter(|| Frontier::over(black_box(&closures)).threads(1).count().unwrap());
    });
    group.finish();
}

/// A number that looks random, below a bound.
fn scattered(index: usize, bound: i64) -> i64 {
    let number = (index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
    i64::try_from(number).unwrap() % bound
}

/// Bounds on sums of weights, and the choice of an order, both with the time to choose the order.
fn families(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("family");
    for (name, bound) in [("100", 100), ("1000000", 1_000_000)] {
        let grid = Graph::grid(5, 5);
        let weights: Vec<i64> = (0..grid.num_edges()).map(|edge| scattered(edge, bound)).collect();
        let trees = spanning_trees(&grid).zdd().unwrap();
        let by_variable = trees.element_order().iter().map(|&edge| weights[edge]);
        let by_variable = Weights::of_ones(by_variable);
        let (least, most) = [Goal::Minimum, Goal::Maximum]
            .map(|goal| trees.best(&weights, goal, 1).unwrap().next().unwrap().weight)
            .into();
        let most = least + (most - least) / 4;
        group.bench_function(format!("trees within a cost, weights to {name}"), |bencher| {
            bencher.iter(|| trees.diagram().within(black_box(&by_variable), ..=most).unwrap());
        });
        let bound = SubgraphConstraint::Weight { weights, least: i64::MIN, most: most as i64 };
        group.bench_function(format!("trees and a cost, weights to {name}"), |bencher| {
            bencher.iter(|| spanning_trees(&grid).and(black_box(bound.clone())).zdd().unwrap());
        });
    }
    let grid = Graph::grid(9, 9);
    group.bench_function("grid paths 9, order and count", |bencher| {
        bencher.iter(|| paths(black_box(&grid), 0, 80).count().unwrap());
    });
    let grid = Graph::grid(11, 11);
    group.bench_function("grid matchings 11, order and count", |bencher| {
        bencher.iter(|| matchings(black_box(&grid)).count().unwrap());
    });
    group.finish();
}

/// A count over 100 000 alike variables with 100 states, modulo a prime, beside a plain loop over the same table.
fn alike(criterion: &mut Criterion) {
    const VARIABLES: usize = 100_000;
    const PRIME: u64 = 1_000_000_007;
    let table: Vec<[usize; 2]> =
        (0..100).map(|state| [(state + 1) % 100, (state * state + 7) % 100]).collect();
    let plain = || {
        let mut counts = vec![0; table.len()];
        counts[0] = 1;
        let mut next = counts.clone();
        for _ in 0..VARIABLES {
            next.fill(0);
            for (count, targets) in counts.iter().zip(&table) {
                for &to in targets {
                    next[to] = (next[to] + count) % PRIME;
                }
            }
            std::mem::swap(&mut counts, &mut next);
        }
        counts.iter().step_by(2).sum::<u64>() % PRIME
    };
    let step = |&state: &usize, value: usize| Some(table[state][value]);
    let spec = dp(VARIABLES, 0).step_alike(step).accept(|state| state % 2 == 0);
    let count = || Frontier::over(&spec).threads(1).count_modulo(PRIME).unwrap();
    assert_eq!(count(), plain());
    let mut group = criterion.benchmark_group("alike");
    group.bench_function("closures", |bencher| bencher.iter(count));
    group.bench_function("plain loop", |bencher| bencher.iter(plain));
    group.finish();
}

/// Short runs: the noise of a machine is larger than the gain of more samples.
fn config() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(5))
}

// The functions that `criterion_group!` and `criterion_main!` make, but for a public function without docs.
fn main() {
    let mut criterion = config().configure_from_args();
    sweeps(&mut criterion);
    queries(&mut criterion);
    constraints(&mut criterion);
    lists(&mut criterion);
    families(&mut criterion);
    alike(&mut criterion);
    criterion.final_summary();
}
