//! Queens in every encoding and with every option, against published counts, against
//! the definition, and against one another.

use std::collections::HashSet;
use std::ops::ControlFlow;

use topdd::{DdSpec, Frontier, Rule, Step, Zdd, check};
use topdd_chess::queens::BoardEncoding;
use topdd_chess::{Board, BoardError, Piece, PiecesError, Queens, QueensError, Square, Symmetry};

/// A000170 from 0 queens on.
const QUEENS: [u64; 13] = [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200];

/// A051906 from 1 queen on.
const TOROIDAL: [u64; 11] = [1, 0, 0, 0, 10, 0, 28, 0, 0, 0, 88];

const ENCODINGS: [BoardEncoding; 2] = [BoardEncoding::Row, BoardEncoding::Cell];

/// The numbers of solutions and of states, without a diagram. The specs skip no variable, so
/// they mean the same under both rules.
fn counted(mut frontier: Frontier<'_>) -> (u64, u64) {
    let known = frontier.count_bdd().unwrap();
    let count = frontier.count().unwrap();
    assert_eq!(count, known);
    (count.try_into().unwrap(), frontier.report().states())
}

/// The solutions, by a diagram of each kind.
fn listed(mut frontier: Frontier<'_>) -> Vec<Vec<usize>> {
    let zdd: Zdd = frontier.zdd().unwrap();
    assert!(frontier.bdd().unwrap().iter().eq(zdd.iter()));
    zdd.iter().collect()
}

/// Checks on every state that `for_each_child` and `child` agree, and that no variable
/// is skipped.
fn agree(queens: &Queens, encoding: BoardEncoding) {
    let spec = queens.spec(encoding).unwrap();
    assert_eq!(spec.num_vars(), queens.num_vars(encoding));
    let mut level = HashSet::new();
    if let Step::To(0, state) = spec.root() {
        level.insert(state);
    }
    for variable in 0..spec.num_vars() {
        let mut next = HashSet::new();
        for state in &level {
            let mut fast = Vec::new();
            let all = spec.for_each_child(state, variable, |value, step| {
                fast.push((value, step));
                ControlFlow::<()>::Continue(())
            });
            assert!(all.is_continue());
            let slow: Vec<_> = (0..spec.arity(variable))
                .map(|value| (value, spec.child(state, variable, value)))
                .filter(|(_, step)| !step.is_zero())
                .collect();
            assert!(fast == slow, "at {}", spec.describe(state));
            assert!(spec.child(state, variable, spec.arity(variable)).is_zero());
            for (_, step) in fast {
                match step {
                    Step::Zero => unreachable!("filtered out above"),
                    Step::One => assert_eq!(variable + 1, spec.num_vars()),
                    Step::To(to, child) => {
                        assert_eq!(to, variable + 1);
                        next.insert(child);
                    }
                }
            }
        }
        level = next;
    }
    assert!(level.is_empty());
    // Also, `forced` agrees with `child`.
    check::contract(&spec, Rule::ZeroSuppressed, 20_000).unwrap();
}

fn count(queens: &Queens, encoding: BoardEncoding) -> u64 {
    counted(queens.frontier(encoding).unwrap()).0
}

/// The solutions as squares, which must be the same in both encodings, with and without
/// the forward check, and solutions by the definition.
fn solutions(queens: &Queens) -> Vec<Vec<Square>> {
    let list = |encoding: BoardEncoding, forward_check| {
        let asked = queens.clone().forward_check(forward_check);
        let list = listed(asked.frontier(encoding).unwrap());
        let mut squares: Vec<_> =
            list.iter().map(|solution| encoding.squares(asked.board(), solution)).collect();
        squares.sort();
        squares
    };
    let by_row = list(BoardEncoding::Row, true);
    assert!(by_row.iter().all(|squares| queens.is_solution(squares)));
    assert_eq!(by_row, list(BoardEncoding::Row, false));
    assert_eq!(by_row, list(BoardEncoding::Cell, true));
    assert_eq!(by_row, list(BoardEncoding::Cell, false));
    by_row
}

/// The solutions by the definition: all ways to put one queen in each row, tried.
fn tried(queens: &Queens) -> Vec<Vec<Square>> {
    let Board { rows, cols } = queens.board();
    (0..cols.pow(rows as u32))
        .map(|mut number| {
            let mut squares = Vec::new();
            for row in 0..rows {
                squares.push(Square::new(row, number % cols));
                number /= cols;
            }
            squares
        })
        .filter(|squares| queens.is_solution(squares))
        .collect()
}

fn square(name: &str) -> Square {
    name.parse().unwrap()
}

#[test]
fn published_counts_in_both_encodings_with_and_without_the_forward_check() {
    for (n, &known) in QUEENS.iter().enumerate() {
        for encoding in ENCODINGS {
            for forward_check in [true, false] {
                if n > 10 && !forward_check {
                    continue;
                }
                let queens = Queens::new(n).forward_check(forward_check);
                assert_eq!(count(&queens, encoding), known, "{n} {encoding:?} {forward_check}");
            }
        }
    }
}

#[test]
fn the_forward_check_drops_states_and_no_solutions() {
    for encoding in ENCODINGS {
        let queens = Queens::new(9);
        let (known, checked) = counted(queens.frontier(encoding).unwrap());
        let (same, all) = counted(queens.forward_check(false).frontier(encoding).unwrap());
        assert_eq!(known, same);
        assert!(checked < all, "{checked} < {all}");
    }
}

#[test]
fn rectangular_boards() {
    for (rows, known) in (1..).zip([8, 42, 140, 344, 568, 550, 312, 92]) {
        for encoding in ENCODINGS {
            for forward_check in [true, false] {
                let queens = Queens::on(rows, 8).forward_check(forward_check);
                assert_eq!(count(&queens, encoding), known, "{rows} x 8 {encoding:?}");
            }
        }
    }
}

#[test]
fn every_small_board_agrees_with_the_definition() {
    for rows in 0..=5 {
        for cols in 0..=6 {
            for toroidal in [false, true] {
                let queens = Queens::on(rows, cols).toroidal(toroidal);
                let mut known = tried(&queens);
                known.sort();
                assert_eq!(solutions(&queens), known, "{rows} x {cols}, toroidal: {toroidal}");
            }
        }
    }
}

#[test]
fn boards_without_rows_or_columns_or_with_too_many_rows() {
    for encoding in ENCODINGS {
        assert_eq!(count(&Queens::on(0, 0), encoding), 1);
        assert_eq!(count(&Queens::on(0, 64), encoding), 1);
        assert_eq!(count(&Queens::on(1, 0), encoding), 0);
        assert_eq!(count(&Queens::on(1, 64), encoding), 64);
        assert_eq!(count(&Queens::on(65536, 0), encoding), 0);
        assert_eq!(count(&Queens::on(65536, 64), encoding), 0);
        assert_eq!(count(&Queens::on(2, 1).toroidal(true), encoding), 0);
    }
    // A variable has at least one value, on a board without columns too.
    assert_eq!(Queens::on(3, 0).spec(BoardEncoding::Row).unwrap().arity(0), 1);
}

#[test]
fn toroidal_boards() {
    for (n, known) in (1..).zip(TOROIDAL) {
        assert_eq!(count(&Queens::new(n).toroidal(true), BoardEncoding::Row), known, "{n}");
        if n <= 8 {
            let queens = Queens::new(n).toroidal(true);
            assert_eq!(solutions(&queens).len() as u64, known, "{n}");
        }
    }
}

#[test]
fn completions_are_the_solutions_with_the_given_queens() {
    let all = solutions(&Queens::new(7));
    let board = Board::new(7, 7);
    for given in board.squares() {
        let forbidden = Square::new((given.row + 2) % 7, (given.col + 3) % 7);
        let asked = Queens::new(7).given([given]).forbid([forbidden, square("d4")]);
        if given == square("d4") {
            let error = asked.count().unwrap_err();
            assert_eq!(error, PiecesError::GivenAndForbidden { square: given }.into());
            continue;
        }
        let mut known = all.clone();
        known.retain(|solution| {
            solution.contains(&given)
                && !solution.contains(&forbidden)
                && !solution.contains(&square("d4"))
        });
        assert_eq!(solutions(&asked), known, "{given} given");
    }
}

#[test]
fn completion_of_rectangular_and_toroidal_boards_agrees_with_the_definition() {
    let rectangle = Queens::on(4, 7).given([square("c2"), square("c2")]).forbid([square("a4")]);
    let torus = Queens::new(5).toroidal(true).given([square("b1")]).forbid([square("d2")]);
    for queens in [rectangle, torus] {
        let mut known = tried(&queens);
        known.sort();
        assert!(!known.is_empty());
        assert_eq!(solutions(&queens), known);
    }
}

#[test]
fn a_whole_solution_given_is_the_only_one() {
    let first = solutions(&Queens::new(8)).remove(0);
    let queens = Queens::new(8).given(first.clone());
    assert_eq!(solutions(&queens), std::slice::from_ref(&first));
    // Without one of its squares, and with that square forbidden, there is none.
    let queens = Queens::new(8).given(first[1..].to_vec()).forbid([first[0]]);
    assert_eq!(solutions(&queens).len(), 0);
}

#[test]
fn the_fast_twin_agrees_with_child() {
    let specs = [
        Queens::new(6),
        Queens::new(6).forward_check(false),
        Queens::on(4, 7).toroidal(true),
        Queens::new(6).given([square("b1")]).forbid([square("d2")]),
    ];
    for queens in specs {
        for encoding in ENCODINGS {
            agree(&queens, encoding);
        }
    }
    for queens in [Queens::new(6), Queens::on(3, 8)] {
        for encoding in ENCODINGS {
            agree(&queens.clone().superqueens(), encoding);
        }
    }
}

#[test]
fn by_cell_squares_without_a_choice_have_no_states() {
    let queens = Queens::new(9);
    // The other rule asks for every square.
    let mut frontier = queens.frontier(BoardEncoding::Cell).unwrap();
    assert_eq!(frontier.bdd().unwrap().count(), 352u32.into());
    let all = frontier.report().states();
    for memory_limit in [None, Some(1 << 30)] {
        let mut frontier = queens.frontier(BoardEncoding::Cell).unwrap();
        if let Some(limit) = memory_limit {
            frontier = frontier.memory_limit(limit);
        }
        assert_eq!(frontier.zdd().unwrap().count(), 352u32.into());
        let met = frontier.report().states();
        assert!(3 * met < all, "{met} of {all}");
    }
}

/// A reduction that keeps the maps of two levels needs more than 4 MiB.
#[test]
fn by_row_a_reduction_that_spills_needs_the_map_of_one_level() {
    let queens = Queens::new(13);
    let limit = 3600 << 10;
    let frontier = queens.frontier(BoardEncoding::Row).unwrap().threads(1);
    let mut frontier = frontier.memory_limit(limit).spill_to(std::env::temp_dir());
    assert_eq!(frontier.zdd().unwrap(), queens.zdd(BoardEncoding::Row).unwrap());
    assert!(frontier.report().reduced.iter().all(|level| level.bytes <= limit));
}

#[test]
fn boards_of_the_maximum_width_of_each_mask_have_the_known_counts() {
    // Two queens on 2 x n: (n - 1)(n - 2) ways; on the torus, n(n - 3).
    for cols in [15, 16, 17, 31, 32, 33, 63, 64] {
        for encoding in ENCODINGS {
            let queens = Queens::on(2, cols);
            let known = (cols as u64 - 1) * (cols as u64 - 2);
            assert_eq!(count(&queens, encoding), known, "2 x {cols}");
            let known = cols as u64 * (cols as u64 - 3);
            assert_eq!(count(&queens.toroidal(true), encoding), known, "2 x {cols} torus");
        }
    }
}

#[test]
fn boards_that_are_too_large_are_errors() {
    for encoding in ENCODINGS {
        let board = Board::new(2, 65);
        let error = Queens::on(2, 65).spec(encoding).unwrap_err();
        assert_eq!(error, QueensError::TooManyColumns { board, most: 64 });
        assert_eq!(
            error.to_string(),
            "a 2x65 board has too many columns for queens; use one of at most 64"
        );
        let error = Queens::on(usize::MAX, 2).spec(encoding).unwrap_err();
        assert!(matches!(error, QueensError::TooManyRows { most: 65536, .. }));
    }
}

#[test]
fn contradictory_squares_are_errors() {
    let [a1, b2, c1, c2, d1] = ["a1", "b2", "c1", "c2", "d1"].map(square);
    let off = BoardError::OffBoard { square: square("e1"), board: Board::new(4, 4) };
    let asked = |given: &[Square], forbidden: &[Square]| {
        let queens = Queens::new(4).given(given.to_vec()).forbid(forbidden.to_vec());
        queens.count().unwrap_err()
    };
    assert_eq!(asked(&[square("e1")], &[]), PiecesError::from(off.clone()).into());
    assert_eq!(asked(&[], &[square("e1")]), PiecesError::from(off).into());
    assert_eq!(asked(&[a1], &[a1]), PiecesError::GivenAndForbidden { square: a1 }.into());
    for (one, other) in [(a1, b2), (a1, c1), (c1, c2), (c1, b2)] {
        let error = asked(&[one, other], &[]);
        assert_eq!(error, PiecesError::GivenAttack { piece: Piece::Queen, one, other }.into());
        assert!(error.to_string().contains(&format!("{one} and {other}")));
    }
    // These two meet around the edge only.
    let wrapped = Queens::new(4).given([d1, square("a2")]);
    assert!(wrapped.spec(BoardEncoding::Row).is_ok());
    assert_eq!(
        wrapped.toroidal(true).count().unwrap_err(),
        PiecesError::GivenAttack { piece: Piece::Queen, one: d1, other: square("a2") }.into()
    );
}

/// A051223 from 1 superqueen on.
const SUPERQUEENS: [u64; 11] = [1, 0, 0, 0, 0, 0, 0, 0, 0, 4, 44];

#[test]
fn superqueens() {
    for (n, known) in (1..).zip(SUPERQUEENS) {
        let superqueens = Queens::new(n).superqueens();
        assert_eq!(count(&superqueens, BoardEncoding::Row), known, "{n}");
        if n < 11 {
            assert_eq!(count(&superqueens, BoardEncoding::Cell), known, "{n}");
        }
    }
    for (rows, cols) in [(0, 0), (1, 3), (2, 4), (2, 6), (3, 7), (4, 8), (5, 7)] {
        let superqueens = Queens::on(rows, cols).forbid([square("a1")].into_iter().take(rows));
        let superqueens = superqueens.superqueens();
        let mut known = tried(&superqueens);
        known.sort();
        assert_eq!(solutions(&superqueens), known, "{rows} x {cols}");
    }
    let given = Queens::new(10).given([square("c1")]).superqueens();
    let mut all = solutions(&Queens::new(10).superqueens());
    all.retain(|solution| solution.contains(&square("c1")));
    assert_eq!(solutions(&given), all);
    agree(&given, BoardEncoding::Row);
    agree(&given, BoardEncoding::Cell);
}

#[test]
fn invalid_superqueens_are_errors() {
    let superqueens = Queens::new(6).given([square("a1"), square("b3")]).superqueens();
    let (one, other) = (square("a1"), square("b3"));
    let attack = PiecesError::GivenAttack { piece: Piece::Superqueen, one, other };
    assert_eq!(superqueens.count().unwrap_err(), attack.into());
    let error = Queens::new(11).superqueens().toroidal(true).count().unwrap_err();
    assert_eq!(error, QueensError::ToroidalSuperqueens);
    assert!(Queens::new(11).superqueens().toroidal(true).placements().spec().is_ok());
}

#[test]
fn placements_are_the_same_solutions() {
    let squares = |names: &[&str]| names.iter().map(|name| square(name)).collect::<Vec<_>>();
    for queens in [
        Queens::new(6),
        Queens::on(4, 6).toroidal(true),
        Queens::on(4, 5).given(squares(&["b2"])).forbid(squares(&["d1", "e3"])),
        Queens::on(3, 2),
        Queens::on(0, 3),
    ] {
        let placements = queens.placements();
        let zdd = listed(placements.frontier().unwrap());
        let mut listed: Vec<_> =
            zdd.iter().map(|solution| placements.squares(solution).unwrap()).collect();
        listed.sort();
        assert_eq!(listed, solutions(&queens));
    }
}

/// A002562 from 1 queen on.
const UP_TO_SYMMETRY: [u64; 11] = [1, 0, 0, 1, 2, 1, 6, 12, 46, 92, 341];

#[test]
fn solutions_up_to_symmetry() {
    for (n, known) in (1..).zip(UP_TO_SYMMETRY) {
        let queens = Queens::new(n);
        let classes = queens.classes().unwrap();
        let number = classes.count(|symmetry| {
            let fixed = queens.placements().symmetric([symmetry]);
            let count = if symmetry == Symmetry::Identity {
                count(&queens, BoardEncoding::Row)
            } else {
                counted(fixed.frontier()?).0
            };
            Ok::<_, PiecesError>(count.into())
        });
        assert_eq!(number, Ok(known.into()), "{n}");
        if n <= 8 {
            let all = solutions(&queens);
            let firsts = all.iter().filter(|solution| classes.is_first(solution));
            assert_eq!(firsts.count() as u64, known, "{n}");
        }
    }
    // Given squares remove symmetries: here all but one mirror.
    let corner = Queens::new(8).given([square("a1")]);
    assert_eq!(corner.classes().unwrap().symmetries(), [Symmetry::Identity, Symmetry::Transpose]);
}

#[test]
#[ignore = "takes seconds when optimised, and minutes otherwise"]
fn more_published_counts() {
    // A002562 and A000170
    for (n, known, all) in
        [(12, 1787u64, 14200u64), (13, 9233, 73712), (14, 45752, 365596), (15, 285053, 2279184)]
    {
        let queens = Queens::new(n);
        assert_eq!(count(&queens, BoardEncoding::Row), all, "{n}");
        let number = queens.classes().unwrap().count(|symmetry| match symmetry {
            Symmetry::Identity => Ok::<_, PiecesError>(all.into()),
            _ => queens.placements().symmetric([symmetry]).count(),
        });
        assert_eq!(number, Ok(known.into()), "{n}");
    }
    // A051223
    for (n, known) in (12..).zip([156, 1876, 5180]) {
        assert_eq!(count(&Queens::new(n).superqueens(), BoardEncoding::Row), known, "{n}");
    }
}
