//! The apply engine on small cases, compared with the crate `oxidd`, by criterion: for the effect
//! of a change. The table of `cargo bench --bench apply` has the large cases.
//!
//! Each run makes a new manager; that of `oxidd` has 2<sup>20</sup> nodes and 2<sup>14</sup>
//! cache entries, which is enough here.

mod formulations;
mod packages;

use criterion::{BenchmarkId, Criterion};
use formulations::Outcome;
use packages::Room;
use std::hint::black_box;
use std::time::Duration;
use topdd_chess::{KnightsTours, Leaper};

const ROOM: Room = Room { nodes: 1 << 20, cache: 1 << 14 };

/// Both engines on one case, which must agree about it.
fn compare(
    criterion: &mut Criterion,
    case: &str,
    ours: impl Fn() -> Outcome,
    theirs: impl Fn() -> Outcome,
) {
    assert_eq!(ours().unwrap().count, theirs().unwrap().count, "{case}");
    let mut group = criterion.benchmark_group(case);
    group.bench_function(BenchmarkId::from_parameter("topdd"), |bencher| {
        bencher.iter(|| black_box(ours().unwrap().nodes));
    });
    group.bench_function(BenchmarkId::from_parameter("oxidd"), |bencher| {
        bencher.iter(|| black_box(theirs().unwrap().nodes));
    });
    group.finish();
}

fn main() {
    let config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3));
    let mut criterion = config.configure_from_args();
    let bench = &mut criterion;
    for n in [6, 8] {
        compare(
            bench,
            &format!("queens by rows, bdd, {n}"),
            || formulations::queens_bdd(n),
            || packages::queens_bcdd(n, ROOM),
        );
        compare(
            bench,
            &format!("queens by rows, zdd, {n}"),
            || formulations::queens_zdd(n),
            || packages::queens_zbdd(n, ROOM),
        );
    }
    // The tours of the wazir are the Hamiltonian cycles of a grid.
    let grid = KnightsTours::closed(4, 4).piece(Leaper::wazir());
    for (case, tours) in [
        ("grid hamiltonian cycles by time, zdd, 4x4", grid),
        ("knights open by time, zdd, 3x4", KnightsTours::open(3, 4)),
    ] {
        let (ours, theirs) = (|| formulations::by_time(&tours), || packages::by_time(&tours, ROOM));
        compare(bench, case, ours, theirs);
    }
    let (ours, theirs) =
        (|| formulations::random_algebra(500), || packages::random_algebra(500, ROOM));
    compare(bench, "random family algebra, zdd, 500 sets", ours, theirs);
    criterion.final_summary();
}
