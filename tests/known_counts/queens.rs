//! Queens.

use std::collections::BTreeSet;

use topdd_chess::queens::{self, Queens};

use super::{BOTH_WAYS, CountOnly, Way, count};

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
fn queens_on_squares() {
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
