//! Published counts, in every formulation, by counting alone and by diagram.
//!
//! The counts are from the On-Line Encyclopedia of Integer Sequences; the comment at each table names
//! the sequence. Where the solutions are few, each is listed and verified by the definition of the
//! problem, without a spec.
//!
//! Long tests are ignored by default. This command runs them:
//!
//! ```sh
//! cargo test --release --workspace -- --ignored
//! ```

use std::collections::BTreeSet;

use num_bigint::BigUint;
use topdd::Frontier;
use topdd_chess::queens::{self, Queens};
use topdd_chess::{KnightsTours, Leaper};
use topdd_graph::{
    self, PathEncoding, Paths, grid_cycles, grid_hamiltonian_cycles, grid_hamiltonian_paths,
    grid_paths,
};

/// The method of counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// By a sweep that stores no diagram.
    CountOnly,
    /// By the diagram.
    Diagram,
}
use Way::{CountOnly, Diagram};

const BOTH_WAYS: [Way; 2] = [CountOnly, Diagram];

fn count(mut frontier: Frontier<'_>, way: Way) -> BigUint {
    match way {
        CountOnly => frontier.count().unwrap(),
        Diagram => frontier.zdd().unwrap().count(),
    }
}

// ---- Queens ----

const QUEENS_ENCODINGS: [queens::BoardEncoding; 2] =
    [queens::BoardEncoding::Row, queens::BoardEncoding::Cell];

fn assert_queens(queens: &Queens, ways: &[Way], known: u64) {
    for encoding in QUEENS_ENCODINGS {
        for &way in ways {
            let found = count(queens.frontier(encoding).unwrap(), way);
            assert_eq!(found, known.into(), "{queens:?} {encoding:?} {way:?}");
        }
    }
}

/// A000170, from one queen on.
const QUEENS: [u64; 14] = [1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596];

#[test]
fn queens() {
    for (n, known) in (1..=12).zip(QUEENS) {
        let ways: &[Way] = if n <= 10 { &BOTH_WAYS } else { &[CountOnly] };
        assert_queens(&Queens::new(n), ways, known);
    }
}

#[test]
#[ignore = "takes most of a minute and a gigabyte"]
fn more_queens() {
    for (n, known) in (1..).zip(QUEENS).skip(10) {
        assert_queens(&Queens::new(n), &BOTH_WAYS, known);
    }
}

/// One queen in each row of 1 to 8 rows of 8 squares.
#[test]
fn queens_on_rectangles() {
    for (rows, known) in (1..).zip([8, 42, 140, 344, 568, 550, 312, 92]) {
        assert_queens(&Queens::on(rows, 8), &BOTH_WAYS, known);
    }
}

/// A051906, from one queen on.
#[test]
fn queens_on_a_torus() {
    for (n, known) in (1..).zip([1, 0, 0, 0, 10, 0, 28, 0, 0, 0, 88, 0]) {
        let ways: &[Way] = if n <= 9 { &BOTH_WAYS } else { &[CountOnly] };
        assert_queens(&Queens::new(n).toroidal(true), ways, known);
    }
}

#[test]
fn all_placements_of_queens_are_solutions() {
    for (queens, known) in [
        (Queens::new(6), 4),
        (Queens::new(8), 92),
        (Queens::on(4, 8), 344),
        (Queens::new(7).toroidal(true), 28),
    ] {
        let found = QUEENS_ENCODINGS.map(|encoding| -> BTreeSet<_> {
            let zdd = queens.zdd(encoding).unwrap();
            zdd.iter().map(|values| encoding.squares(queens.board(), &values)).collect()
        });
        assert_eq!(found[0].len(), known);
        assert_eq!(found[0], found[1]);
        assert!(found[0].iter().all(|squares| queens.is_solution(squares)));
    }
}

// ---- Paths: knight's tours, and paths and cycles of grids ----

const ENCODINGS: [PathEncoding; 2] = [PathEncoding::ByEdge, PathEncoding::ByVertex];

fn count_paths(paths: &Paths, encoding: PathEncoding, way: Way) -> BigUint {
    count(paths.frontier(encoding).unwrap(), way)
}

/// In both encodings, and both ways.
fn assert_paths(name: &str, paths: &Paths, known: impl Into<BigUint>) {
    let known = known.into();
    for encoding in ENCODINGS {
        for way in BOTH_WAYS {
            let found = count_paths(paths, encoding, way);
            assert_eq!(found, known, "{name} {encoding:?} {way:?}");
        }
    }
}

fn assert_tours(tours: &KnightsTours, known: u64) {
    let kind = if tours.is_closed() { "closed" } else { "open" };
    let name = format!("{kind} tours of {}", tours.board());
    assert_paths(&name, &tours.paths().unwrap(), known);
}

/// A070030, A175881 and A383661 by board; A001230 for squares.
#[test]
fn closed_tours() {
    for (rows, cols, known) in [
        (3, 10, 16),
        (3, 12, 176),
        (4, 5, 0),
        (4, 6, 0),
        (4, 8, 0),
        (5, 6, 8),
        (5, 8, 44202),
        (6, 6, 9862),
        (6, 7, 1067638),
    ] {
        assert_tours(&KnightsTours::closed(rows, cols), known);
    }
}

/// A383661.
#[test]
#[ignore = "takes seconds"]
fn closed_tours_of_6_by_8() {
    assert_tours(&KnightsTours::closed(6, 8), 55488142);
}

/// A383661 and A175881, by square and without a diagram.
#[test]
#[ignore = "takes most of a minute and a gigabyte"]
fn closed_tours_of_large_boards() {
    for (rows, cols, known) in [(6, 9, 3374967940), (7, 8, 34524432316u64)] {
        let paths = KnightsTours::closed(rows, cols).paths().unwrap();
        let found = count_paths(&paths, PathEncoding::ByVertex, CountOnly);
        assert_eq!(found, known.into(), "{rows}x{cols}");
    }
}

/// A001230.
#[test]
#[ignore = "takes many minutes and 16 gigabytes"]
fn closed_tours_of_the_chessboard_on_a_large_machine() {
    let paths = KnightsTours::closed(8, 8).paths().unwrap();
    let found = count_paths(&paths, PathEncoding::ByVertex, CountOnly);
    assert_eq!(found, 13267364410532u64.into());
}

/// A169696, A079137 and A083386 by board.
#[test]
fn open_tours() {
    for (rows, cols, known) in [
        (3, 4, 8),
        (3, 5, 0),
        (3, 6, 0),
        (3, 7, 52),
        (3, 8, 396),
        (4, 5, 82),
        (5, 5, 864),
        (5, 6, 18784),
    ] {
        assert_tours(&KnightsTours::open(rows, cols), known);
    }
}

/// A165134, which counts an open tour and its reverse as two.
#[test]
fn directed_open_tours_by_their_first_square() {
    let all = KnightsTours::open(5, 5);
    let mut directed = BigUint::ZERO;
    for square in all.board().squares() {
        let paths = all.clone().from(square).paths().unwrap();
        directed += count_paths(&paths, PathEncoding::ByVertex, CountOnly);
    }
    assert_eq!(directed, 1728u32.into());
}

/// A165134, with the variable for the direction of a path without fixed ends.
#[test]
fn directed_open_tours() {
    let lifts = KnightsTours::open(5, 5).paths().unwrap().directed();
    for way in BOTH_WAYS {
        assert_eq!(count(lifts.frontier(PathEncoding::ByVertex).unwrap(), way), 1728u32.into());
    }
}

/// A165134.
#[test]
#[ignore = "takes seconds"]
fn open_tours_of_6_by_6() {
    assert_tours(&KnightsTours::open(6, 6), 6637920 / 2);
}

/// A165134.
#[test]
#[ignore = "takes a machine with much memory"]
fn open_tours_of_large_boards_on_a_large_machine() {
    for (n, known) in [(7, 165575218320u64), (8, 19591828170979904)] {
        let paths = KnightsTours::open(n, n).paths().unwrap();
        let found = count_paths(&paths, PathEncoding::ByVertex, CountOnly);
        assert_eq!(found, (known / 2).into(), "{n}x{n}");
    }
}

/// A007764, by the number of vertices on a side.
const GRID_PATHS: [u128; 10] =
    [1, 2, 12, 184, 8512, 1262816, 575780564, 789360053252, 3266598486981642, 41044208702632496804];

#[test]
fn corner_to_corner_paths() {
    for (n, known) in (1..).zip(GRID_PATHS) {
        assert_paths(&format!("paths of {n} x {n}"), &grid_paths(n), known);
    }
}

/// A007764 again, where counts no longer fit into 64 bits.
#[test]
fn long_corner_to_corner_paths() {
    let known: BigUint = "182413291514248049241470885236".parse().unwrap();
    for encoding in ENCODINGS {
        assert_eq!(count_paths(&grid_paths(12), encoding, CountOnly), known);
    }
}

/// A003763 and A120443 again, as tours of the wazir, a rook that moves one square.
#[test]
fn tours_of_the_wazir() {
    for (n, known) in [(2, 1), (4, 6), (6, 1072), (8, 4638576)] {
        assert_tours(&KnightsTours::closed(n, n).piece(Leaper::wazir()), known);
    }
    for (n, known) in (2..).zip([4, 20, 276, 4324, 229348]) {
        assert_tours(&KnightsTours::open(n, n).piece(Leaper::wazir()), known);
    }
}

/// A140517, which counts the squares of a side, one fewer than its vertices.
#[test]
fn cycles() {
    for (squares, known) in (1..).zip([1u32, 13, 213, 9349, 1222363, 487150371]) {
        let n = squares + 1;
        assert_paths(&format!("cycles of {n} x {n}"), &grid_cycles(n, n), known);
    }
}

/// A003763, which counts pairs of vertices on a side.
#[test]
fn hamiltonian_cycles() {
    for (pairs, known) in (1..).zip([1u64, 6, 1072, 4638576, 467260456608]) {
        let n = 2 * pairs;
        let name = format!("Hamiltonian cycles of {n} x {n}");
        assert_paths(&name, &grid_hamiltonian_cycles(n, n), known);
    }
}

/// A120443, from two vertices on a side.
#[test]
fn hamiltonian_paths() {
    for (n, known) in (2..).zip([4u32, 20, 276, 4324, 229348]) {
        let name = format!("Hamiltonian paths of {n} x {n}");
        assert_paths(&name, &grid_hamiltonian_paths(n, n), known);
    }
}

/// The listed tours of a board are tours, distinct and complete, in both formulations.
#[test]
fn all_tours_are_tours() {
    for (tours, known) in [
        (KnightsTours::closed(3, 10), 16),
        (KnightsTours::closed(5, 6), 8),
        (KnightsTours::closed(6, 6), 9862),
        (KnightsTours::open(3, 4), 8),
        (KnightsTours::open(7, 3), 52),
        (KnightsTours::open(4, 5), 82),
        (KnightsTours::open(5, 5), 864),
        (KnightsTours::open(5, 5).from("a1".parse().unwrap()), 304),
    ] {
        let paths = tours.paths().unwrap();
        let found = ENCODINGS.map(|encoding| -> BTreeSet<_> {
            paths
                .zdd(encoding)
                .unwrap()
                .iter()
                .map(|values| tours.to_squares(&paths.to_sequence(encoding, &values).unwrap()))
                .collect()
        });
        assert_eq!(found[0].len(), known, "{tours:?}");
        assert_eq!(found[0], found[1], "{tours:?}");
        for tour in &found[0] {
            assert_eq!(paths.validate(&tours.to_vertices(tour).unwrap()), Ok(()), "{tours:?}");
        }
    }
}

/// The same for the paths and cycles of grids.
#[test]
fn all_paths_are_paths() {
    for (paths, known) in [
        (topdd_graph::grid_paths(1), 1),
        (topdd_graph::grid_paths(3), 12),
        (topdd_graph::grid_paths(5), 8512),
        (topdd_graph::grid_cycles(5, 5), 9349),
        (topdd_graph::grid_hamiltonian_cycles(6, 6), 1072),
        (topdd_graph::grid_hamiltonian_paths(5, 5), 4324),
    ] {
        let found = ENCODINGS.map(|encoding| -> BTreeSet<_> {
            let zdd = paths.zdd(encoding).unwrap();
            zdd.iter().map(|values| paths.to_sequence(encoding, &values).unwrap()).collect()
        });
        assert_eq!(found[0].len(), known, "{paths:?}");
        assert_eq!(found[0], found[1], "{paths:?}");
        for sequence in &found[0] {
            assert_eq!(paths.validate(sequence), Ok(()), "{paths:?}");
        }
    }
}
