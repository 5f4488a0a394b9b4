//! Knight's tours, and tours of the wazir.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use topdd_chess::knights::PathEncoding;
use topdd_chess::{KnightsTours, Leaper};

use super::paths::{GRID_HAMILTONIAN_CYCLES, GRID_HAMILTONIAN_PATHS, assert_paths};
use super::{BOTH_WAYS, CountOnly, Way, count};

const ENCODINGS: [PathEncoding; 2] = [PathEncoding::ByEdge, PathEncoding::ByVertex];

/// By square.
fn count_tours(tours: &KnightsTours, way: Way) -> BigUint {
    count(tours.frontier(PathEncoding::ByVertex).unwrap(), way)
}

/// In both encodings, and both ways.
fn assert_tours(tours: &KnightsTours, known: u64) {
    let kind = if tours.is_closed() { "closed" } else { "open" };
    let name = format!("{kind} tours of {}", tours.board());
    for encoding in ENCODINGS {
        for way in BOTH_WAYS {
            let found = count(tours.frontier(encoding).unwrap(), way);
            assert_eq!(found, known.into(), "{name} {encoding:?} {way:?}");
        }
    }
    if known == 0 {
        // Simple conditions may have proved it; a sweep also does.
        assert_paths(&name, &tours.paths().unwrap(), known);
    }
}

/// A070030, A175881 and A383661 by board; A001230 for squares.
#[test]
fn closed_tours() {
    for (rows, cols, known) in [
        (0, 0, 0),
        (0, 7, 0),
        (1, 1, 0),
        (1, 2, 0),
        (2, 2, 0),
        (3, 3, 0),
        (3, 10, 16),
        (10, 3, 16),
        (3, 12, 176),
        (4, 5, 0),
        (4, 6, 0),
        (4, 8, 0),
        (5, 5, 0),
        (5, 6, 8),
        (6, 5, 8),
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
        let found = count_tours(&KnightsTours::closed(rows, cols), CountOnly);
        assert_eq!(found, known.into(), "{rows}x{cols}");
    }
}

/// A001230.
#[test]
#[ignore = "takes many minutes and 16 gigabytes"]
fn closed_tours_of_the_chessboard_on_a_large_machine() {
    let found = count_tours(&KnightsTours::closed(8, 8), CountOnly);
    assert_eq!(found, 13267364410532u64.into());
}

/// A169696, A079137 and A083386 by board.
#[test]
fn open_tours() {
    for (rows, cols, known) in [
        (0, 3, 0),
        (1, 1, 1),
        (1, 2, 0),
        (3, 3, 0),
        (3, 4, 8),
        (4, 3, 8),
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
        directed += count_tours(&all.clone().from(square), CountOnly);
    }
    assert_eq!(directed, 1728u32.into());
}

/// A165134, with the variable for the direction of a path without fixed ends.
#[test]
fn directed_open_tours() {
    for way in BOTH_WAYS {
        assert_eq!(count_tours(&KnightsTours::open(5, 5).directed(), way), 1728u32.into());
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
        let found = count_tours(&KnightsTours::open(n, n), CountOnly);
        assert_eq!(found, (known / 2).into(), "{n}x{n}");
    }
}

/// The tours of the wazir, a rook that moves one square, are those of the grid.
#[test]
fn tours_of_the_wazir() {
    for (n, known) in (0..).zip(GRID_HAMILTONIAN_CYCLES).take(9) {
        assert_tours(&KnightsTours::closed(n, n).piece(Leaper::wazir()), known);
    }
    for (n, known) in (0..).zip(GRID_HAMILTONIAN_PATHS) {
        assert_tours(&KnightsTours::open(n, n).piece(Leaper::wazir()), known);
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
            let reader = tours.reader(encoding).unwrap();
            let zdd = tours.zdd(encoding).unwrap();
            zdd.iter().map(|values| reader.read(&values).unwrap()).collect()
        });
        assert_eq!(found[0].len(), known, "{tours:?}");
        assert_eq!(found[0], found[1], "{tours:?}");
        for tour in &found[0] {
            assert_eq!(paths.validate(&tours.to_vertices(tour).unwrap()), Ok(()), "{tours:?}");
        }
    }
}
