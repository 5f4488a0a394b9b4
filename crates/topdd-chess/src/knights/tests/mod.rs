//! Tests of invalid parameters and infeasible boards. `search` compares all parameters with a plain search.
//! The published counts are in the tests of the workspace.

mod search;

use num_bigint::BigUint;
use topdd::DdSpec;

use super::super::symmetry::Symmetry;
use super::encoding::NoTours;
use super::*;
use topdd_graph::families::Flaw;

const ENCODINGS: [PathEncoding; 2] = [PathEncoding::ByEdge, PathEncoding::ByVertex];

fn count(tours: &KnightsTours, encoding: PathEncoding) -> Result<BigUint, KnightsError> {
    Ok(tours.frontier(encoding)?.count()?)
}

fn check(tours: &KnightsTours, expected: u64) {
    for encoding in ENCODINGS {
        assert_eq!(count(tours, encoding), Ok(expected.into()), "{tours:?} {encoding:?}");
    }
}

#[test]
fn fixed_ends_add_up() {
    let board = Board::new(3, 4);
    let mut directed = BigUint::ZERO;
    let mut pairs = BigUint::ZERO;
    for a in board.squares() {
        let from = KnightsTours::open(3, 4).from(a);
        let to = KnightsTours::open(3, 4).to(a);
        let known = from.count().unwrap();
        assert_eq!(count(&to, PathEncoding::ByEdge).as_ref(), Ok(&known));
        directed += known;
        for b in board.squares().filter(|&b| a < b) {
            pairs += count(&from.clone().to(b), PathEncoding::ByEdge).unwrap();
        }
    }
    assert_eq!(directed, 16u32.into());
    assert_eq!(pairs, 8u32.into());
}

#[test]
fn solutions_are_tours_of_the_real_board() {
    let corner = "a3".parse().unwrap();
    for tours in [
        KnightsTours::closed(3, 10),
        KnightsTours::closed(6, 5),
        KnightsTours::open(4, 3),
        KnightsTours::open(3, 7),
        KnightsTours::open(5, 4).from(corner),
        KnightsTours::open(3, 4).to(corner),
        KnightsTours::open(1, 1),
    ] {
        let paths = tours.paths().unwrap();
        let found = ENCODINGS.map(|encoding| {
            let reader = tours.reader(encoding).unwrap();
            let zdd = tours.zdd(encoding).unwrap();
            let mut squares: Vec<_> =
                zdd.iter().map(|values| reader.read(&values).unwrap()).collect();
            assert!(!squares.is_empty());
            for tour in &squares {
                let vertices = tours.to_vertices(tour).unwrap();
                assert_eq!(paths.validate(&vertices), Ok(()));
                assert!(tour.windows(2).all(|pair| is_move(pair[0], pair[1])));
                assert!(tours.from.is_none_or(|from| tour.first() == Some(&from)));
                assert!(tours.to.is_none_or(|to| tour.last() == Some(&to)));
            }
            squares.sort();
            squares
        });
        assert_eq!(found[0], found[1]);
        assert!(found[0].windows(2).all(|pair| pair[0] != pair[1]));
    }
}

/// The move of the knight by its definition.
fn is_move(from: Square, to: Square) -> bool {
    matches!((from.row.abs_diff(to.row), from.col.abs_diff(to.col)), (1, 2) | (2, 1))
}

/// Ensures that a valid sequence of vertices is a tour of the board.
#[test]
fn the_graph_is_that_of_the_moves() {
    for (rows, cols) in [(1, 1), (3, 4), (4, 3), (2, 7), (6, 6), (5, 9)] {
        let tours = KnightsTours::open(rows, cols);
        let paths = tours.paths().unwrap();
        let squares: Vec<Square> = tours.board().squares().collect();
        let vertices = tours.to_vertices(&squares).unwrap();
        assert_eq!(tours.to_squares(&vertices), squares);
        for (&a, &from) in vertices.iter().zip(&squares) {
            for (&b, &to) in vertices.iter().zip(&squares) {
                let joined = paths.graph().edge_between(a, b).is_some();
                assert_eq!(joined, is_move(from, to), "{from} {to} on {}", tours.board());
            }
        }
    }
}

/// Boards whose dimensions exclude tours, compared with their full specs, variables included.
#[test]
fn boards_known_to_be_infeasible_have_no_tours() {
    let mut known = 0;
    let mut check = |tours: &KnightsTours| {
        if tours.none_is_possible() {
            known += 1;
            for encoding in ENCODINGS {
                let paths = tours.paths_in_order().unwrap().encoded(encoding);
                let swept = paths.frontier().unwrap().zdd().unwrap();
                assert!(swept.is_empty(), "{tours:?}");
                let built = topdd::zdd(&NoTours::OnBoard(tours.full_board(encoding))).unwrap();
                assert_eq!(built, swept, "{tours:?} {encoding:?}");
            }
        }
    };
    for rows in 0..=5 {
        for cols in 0..=5 {
            check(&KnightsTours::closed(rows, cols));
            let open = KnightsTours::open(rows, cols);
            check(&open);
            let ends = [(0, 0), (0, 1), (1, 2), (2, 3)].map(|(row, col)| Square::new(row, col));
            for a in ends.into_iter().filter(|&a| open.board().contains(a)) {
                check(&open.clone().from(a));
                check(&open.clone().to(a));
                for b in ends.into_iter().filter(|&b| a != b && open.board().contains(b)) {
                    check(&open.clone().from(a).to(b));
                }
            }
        }
    }
    assert!(known > 100, "{known}");
}

#[test]
fn boards_without_tours_may_be_large() {
    for tours in [
        KnightsTours::closed(201, 20001),
        KnightsTours::closed(1, 10_000_000),
        KnightsTours::closed(4, 1 << 20),
        KnightsTours::open(2, 1 << 20),
        KnightsTours::open(2000, 2000).from(Square::new(0, 0)).to(Square::new(1, 1)),
    ] {
        for encoding in ENCODINGS {
            assert_eq!(count(&tours, encoding), Ok(BigUint::ZERO), "{tours:?}");
        }
    }
}

#[test]
fn boards_that_are_too_large_are_refused_before_anything_is_built() {
    for (rows, cols) in [
        (200, 20000),
        (200, 5000),
        (5000, 200),
        (300, 300),
        (155, 156),
        (6, 1 << 20),
        (1 << 20, 1 << 20),
        (usize::MAX, 4),
        (usize::MAX, usize::MAX - 1),
    ] {
        for encoding in ENCODINGS {
            for tours in [KnightsTours::closed(rows, cols), KnightsTours::open(rows, cols)] {
                let error = tours.spec(encoding).map(|spec| spec.num_vars());
                let refused = matches!(error, Err(KnightsError::TooLarge { .. }));
                assert!(refused, "{tours:?} {encoding:?} {error:?}");
            }
        }
    }
    let error = KnightsTours::closed(200, 20000).spec(PathEncoding::ByEdge).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("200x20000") && message.contains("narrower"), "{message}");
    let paths = KnightsTours::closed(6, 1 << 20).paths();
    assert!(matches!(paths, Err(KnightsError::TooLarge { most: MAX_SQUARES, .. })));
}

/// Among the boards that are let through none is too wide for the states there are.
#[test]
fn boards_of_the_largest_size_have_states() {
    for encoding in ENCODINGS {
        let fits = |side: &usize| {
            let tours = KnightsTours::open(*side, *side);
            side * side <= tours.most_squares(encoding)
        };
        let widest = (2..1 << 10).take_while(fits).last().unwrap();
        assert!(widest > 100, "{widest}");
        let lines = BoardLines::part(8, widest);
        let part = KnightsTours::open(8, widest).hamiltonian(lines, None, [None; 2]);
        assert!(part.encoded(encoding).problem().words() <= 64);
    }
}

#[test]
fn invalid_parameters_are_errors() {
    let [a1, b3, d4] = ["a1", "b3", "d4"].map(|name| name.parse::<Square>().unwrap());
    let error = |tours: KnightsTours| tours.count().unwrap_err();
    assert_eq!(
        error(KnightsTours::open(3, 4).from(a1).to(a1)),
        KnightsError::SameEnds { square: a1 }
    );
    assert_eq!(error(KnightsTours::closed(3, 4).from(b3)), KnightsError::EndsOfClosed);
    assert!(matches!(error(KnightsTours::open(3, 4).to(d4)), KnightsError::OffBoard(_)));
    assert!(matches!(error(KnightsTours::open(0, 4).to(a1)), KnightsError::OffBoard(_)));
}

#[test]
fn flaws_of_tours_are_named() {
    let tours = KnightsTours::open(3, 4);
    let paths = tours.paths().unwrap();
    let edges = paths.zdd().unwrap().iter().next().unwrap();
    let tour = tours.to_squares(&paths.to_sequence(&edges).unwrap());
    let judge = |tours: &KnightsTours, tour: &[Square]| {
        tours.paths().unwrap().validate(&tours.to_vertices(tour).unwrap())
    };
    assert_eq!(judge(&tours, &tour), Ok(()));
    assert_eq!(judge(&tours, &tour[1..]), Err(Flaw::TooShort { given: 11, least: 12 }));
    let elsewhere = tours.clone().from(tour[5]);
    assert!(matches!(judge(&elsewhere, &tour), Err(Flaw::WrongEnd { .. })));
    let closed = KnightsTours::closed(3, 4);
    assert!(matches!(judge(&closed, &tour), Err(Flaw::NoEdge { .. })));
    let small = KnightsTours::open(3, 3);
    assert!(matches!(small.to_vertices(&tour), Err(BoardError::OffBoard { .. })));
}

/// The published numbers of undirected tours, in both directions: A165134.
#[test]
fn directed_tours_are_twice_as_many() {
    let count = |tours: KnightsTours| tours.count().unwrap();
    assert_eq!(count(KnightsTours::open(5, 5).directed()), 1728u32.into());
    assert_eq!(count(KnightsTours::closed(6, 6).directed()), 19724u32.into());
    assert_eq!(count(KnightsTours::open(3, 4).directed()), 16u32.into());
    // A direction is fixed by an end, and there is none without a move.
    let corner = Square::new(0, 0);
    assert_eq!(count(KnightsTours::open(5, 5).directed().from(corner)), 304u32.into());
    assert_eq!(count(KnightsTours::open(1, 1).directed()), 1u32.into());
}

/// A140519 and A339190.
#[test]
fn one_step_tours_of_the_king() {
    for (rows, cols, known) in
        [(2, 2, 3u32), (2, 3, 4), (2, 4, 8), (3, 3, 16), (4, 3, 120), (3, 5, 744), (4, 4, 2830)]
    {
        let king = KnightsTours::closed(rows, cols).piece(Leaper::king());
        assert_eq!(king.count(), Ok(known.into()), "{rows}x{cols}");
    }
}

#[test]
#[ignore = "takes seconds"]
fn larger_one_step_tours() {
    let king = KnightsTours::closed(5, 5).piece(Leaper::king());
    assert_eq!(king.count(), Ok(2462064u32.into()));
    assert_eq!(KnightsTours::open(6, 6).directed().count(), Ok(6637920u32.into()));
}

/// D. E. Knuth, *Leaper graphs*, Mathematical Gazette 78 (1994), theorem 1: the graph of an
/// (r, s)-leaper, 0 < r < s, on m x n squares, 1 < m <= n, is connected just if r + s and
/// r - s have no common divisor, n is at least 2 s and m at least r + s.
#[test]
fn boards_that_a_leaper_cannot_cross_are_known_to_have_no_tours() {
    let gcd = |a: usize, b: usize| {
        (1..=a).rev().find(|d| a.is_multiple_of(*d) && b.is_multiple_of(*d)).unwrap()
    };
    for (r, s) in [(1, 2), (1, 3), (2, 3), (1, 4), (2, 4), (3, 4)] {
        let piece = Leaper::new(r, s).unwrap();
        for m in 2..10 {
            for n in m..10 {
                let connected = gcd(r + s, s - r) == 1 && n >= 2 * s && m >= r + s;
                let tours = KnightsTours::open(m, n).piece(piece.clone());
                // Line by line: the search for a better order would take longer than all else.
                let paths = tours.hamiltonian(BoardLines::new(tours.board()), None, [None; 2]);
                let plain = paths.none_is_possible();
                assert!(connected || plain, "{piece} on {m}x{n}");
                // On the connected boards here, only corners can have too few moves.
                let few = |&v: &usize| paths.graph().degree(v) < 2;
                assert!(!plain || !connected || (0..m * n).filter(few).count() > 2);
            }
        }
    }
}

/// G. P. Jelliss counts 17 closed tours of 6x6 that a half turn leaves as they are, and 5
/// that a quarter turn does, up to turns and mirrors: 17 * 4 + 5 * 2 of them. Howroyd's
/// A328340 has the open ones of 4x3, 4x5, .. up to turns and mirrors, two of each.
#[test]
fn tours_symmetric_under_a_half_turn_have_the_published_counts() {
    let count = |tours: KnightsTours, encoding| {
        count(&tours.symmetric(Symmetry::Rotate180), encoding).unwrap()
    };
    for encoding in ENCODINGS {
        assert_eq!(count(KnightsTours::closed(6, 6), encoding), 78u32.into());
        assert_eq!(count(KnightsTours::closed(6, 6).directed(), encoding), 156u32.into());
        for (cols, known) in [(3, 4u32), (5, 6), (7, 34), (9, 224), (4, 0), (6, 0)] {
            assert_eq!(count(KnightsTours::open(4, cols), encoding), known.into(), "4x{cols}");
        }
    }
}

/// All tours of the boards that have few, each looked at.
#[test]
fn symmetric_tours_are_those_of_all_that_are_symmetric() {
    for (rows, cols) in [(5, 6), (3, 10), (6, 6)] {
        let tours = KnightsTours::closed(rows, cols);
        let reader = tours.reader(PathEncoding::ByVertex).unwrap();
        let all = tours.zdd(PathEncoding::ByVertex).unwrap();
        for symmetry in [Symmetry::Rotate180, Symmetry::MirrorRows, Symmetry::MirrorColumns] {
            let is_symmetric = |values: &Vec<usize>| {
                search::is_symmetric(&tours, &reader.read(values).unwrap(), symmetry)
            };
            let known = all.iter().filter(is_symmetric).count();
            let symmetric = tours.clone().symmetric(symmetry);
            let found = symmetric.count().unwrap();
            assert_eq!(found, known.into(), "{symmetric:?}");
        }
    }
}

/// Of the 13267364410532 closed tours of 8x8 there are 1658420855433 up to turns and mirrors,
/// and a quarter turn fixes none of them; so a half turn fixes 608233 of them, each in four
/// ways.
#[test]
#[ignore = "takes seconds"]
fn chessboard_tours_symmetric_under_a_half_turn_have_the_published_count() {
    // B. D. McKay, Knight's tours of an 8x8 chessboard, 1997.
    let tours = KnightsTours::closed(8, 8).symmetric(Symmetry::Rotate180);
    assert_eq!(tours.count(), Ok((608233u32 * 4).into()));
}

#[test]
fn contradictory_parameters_are_errors_or_have_no_tours() {
    let [a1, b2, d4] = ["a1", "b2", "d4"].map(|name| name.parse::<Square>().unwrap());
    let error = |tours: &KnightsTours| {
        let by_time = tours.spec_by_time().unwrap_err();
        assert_eq!(tours.count().as_ref(), Err(&by_time));
        assert_eq!(tours.num_vars(PathEncoding::ByVertex).as_ref(), Err(&by_time));
        by_time
    };
    let missing = KnightsTours::open(3, 4).missing([a1]);
    assert_eq!(error(&missing.clone().from(a1)), KnightsError::EndMissing { square: a1 });
    assert_eq!(error(&missing.clone().to(a1)), KnightsError::EndMissing { square: a1 });
    let off = error(&missing.clone().missing([d4]));
    assert_eq!(off.to_string(), "square d4 is not on the 3x4 board (a1 to d3)");
    let quarter = KnightsTours::closed(6, 6).symmetric(Symmetry::Rotate90);
    assert_eq!(error(&quarter), KnightsError::QuarterTurn);
    let mirror = KnightsTours::closed(5, 6).symmetric(Symmetry::Transpose);
    assert_eq!(error(&mirror), KnightsError::NotSquare { board: Board::new(5, 6) });
    let half = Symmetry::Rotate180;
    let by_time = KnightsTours::closed(6, 6).symmetric(half).spec_by_time().unwrap_err();
    assert_eq!(by_time, KnightsError::SymmetricByTime);
    let large = KnightsTours::closed(17, 17).spec_by_time().unwrap_err();
    assert!(matches!(large, KnightsError::TooLarge { most: 256, .. }));

    // Symmetric ones on a board that is not, with ends that are not.
    check(&KnightsTours::open(3, 4).missing([b2]).symmetric(half), 0);
    check(&KnightsTours::open(3, 4).from(a1).to(b2).symmetric(half), 0);
    // Nothing is left, or no move, or a move that is too long to be counted.
    check(&KnightsTours::open(1, 2).missing([a1, Square::new(0, 1)]), 0);
    check(&KnightsTours::closed(3, 3).missing(Board::new(3, 3).squares()), 0);
    for long in [3, usize::MAX / 2, usize::MAX] {
        let piece = Leaper::new(long, 1).unwrap();
        check(&KnightsTours::open(3, 3).piece(piece.clone()), 0);
        check(&KnightsTours::closed(2, 2).piece(piece), 0);
    }
}

#[test]
fn by_time_there_are_as_many() {
    for (tours, known) in [
        (KnightsTours::open(3, 4), 8u32),
        (KnightsTours::open(3, 4).directed(), 16),
        (KnightsTours::closed(3, 10), 16),
        (KnightsTours::closed(4, 4), 0),
        (KnightsTours::open(4, 4).piece(Leaper::wazir()), 276),
        (KnightsTours::closed(3, 3).missing([Square::new(1, 1)]).directed(), 2),
        (KnightsTours::open(1, 100).piece(Leaper::wazir()), 1),
    ] {
        let count = tours.frontier_by_time().unwrap().count();
        assert_eq!(count, Ok(known.into()), "{tours:?}");
    }
}
