use num_bigint::BigUint;
use topdd::{DdSpec, Zdd};

use super::impossible::NoTours;
use super::*;
use crate::SpecVisitor;
use crate::graph::{ByEdge, ByVertex, Flaw};

const ENCODINGS: [Encoding; 2] = [Encoding::ByEdge, Encoding::ByVertex];

struct Count;

impl SpecVisitor for Count {
    type Output = BigUint;
    fn visit<S: DdSpec>(self, spec: S) -> BigUint {
        topdd::count(&spec).unwrap()
    }
}

/// All boards here are narrow; a type written out spares the compiler the others.
fn build(walks: &Walks, encoding: Encoding) -> Zdd {
    match encoding {
        Encoding::ByEdge => topdd::zdd(&ByEdge::<1>::new(walks).unwrap()).unwrap(),
        Encoding::ByVertex => topdd::zdd(&ByVertex::<1>::new(walks).unwrap()).unwrap(),
    }
}

fn check(tours: &KnightsTours, expected: u64) {
    for encoding in ENCODINGS {
        let count = tours.visit(encoding, Count).unwrap();
        assert_eq!(count, expected.into(), "{tours:?} {encoding:?}");
    }
}

/// A070030, A175881 and A383661 by board; A001230 for squares.
#[test]
fn closed_tours() {
    for (rows, cols, count) in [
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
        (6, 6, 9862),
    ] {
        check(&KnightsTours::closed(rows, cols), count);
    }
}

#[test]
fn larger_closed_tours_by_square() {
    let count = |rows, cols| KnightsTours::closed(rows, cols).visit(Encoding::ByVertex, Count);
    assert_eq!(count(5, 8), Ok(44202u32.into()));
    assert_eq!(count(6, 7), Ok(1067638u32.into()));
}

#[test]
#[ignore = "takes seconds"]
fn large_tours_by_square() {
    let closed = KnightsTours::closed(6, 8).visit(Encoding::ByVertex, Count);
    assert_eq!(closed, Ok(55488142u32.into()));
    let open = KnightsTours::open(6, 6).visit(Encoding::ByVertex, Count);
    assert_eq!(open, Ok(3318960u32.into())); // A165134 counts both directions
}

/// A169696, A079137 and A083386 by board.
#[test]
fn open_tours() {
    for (rows, cols, count) in [
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
        check(&KnightsTours::open(rows, cols), count);
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
        let count = from.visit(Encoding::ByVertex, Count).unwrap();
        assert_eq!(to.visit(Encoding::ByEdge, Count).as_ref(), Ok(&count));
        directed += count;
        for b in board.squares().filter(|&b| a < b) {
            pairs += from.clone().to(b).visit(Encoding::ByEdge, Count).unwrap();
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
        let walks = tours.walks().unwrap();
        let found = ENCODINGS.map(|encoding| {
            let mut squares: Vec<Vec<Square>> = build(&walks, encoding)
                .iter()
                .map(|values| tours.to_squares(&walks.to_sequence(encoding, &values).unwrap()))
                .collect();
            assert!(!squares.is_empty());
            for tour in &squares {
                let vertices = tours.to_vertices(tour).unwrap();
                assert_eq!(walks.validate(&vertices), Ok(()));
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

/// So that what [`Walks::validate`] says of vertices is true of the board.
#[test]
fn the_graph_is_that_of_the_moves() {
    for (rows, cols) in [(1, 1), (3, 4), (4, 3), (2, 7), (6, 6), (5, 9)] {
        let tours = KnightsTours::open(rows, cols);
        let walks = tours.walks().unwrap();
        let squares: Vec<Square> = tours.board().squares().collect();
        let vertices = tours.to_vertices(&squares).unwrap();
        assert_eq!(tours.to_squares(&vertices), squares);
        for (&a, &from) in vertices.iter().zip(&squares) {
            for (&b, &to) in vertices.iter().zip(&squares) {
                let joined = walks.graph().edge_number(a, b).is_some();
                assert_eq!(joined, is_move(from, to), "{from} {to} on {}", tours.board());
            }
        }
    }
}

/// What is known without looking is what is found by looking, and the diagrams are
/// equal, variables and all.
#[test]
fn what_is_known_to_be_impossible_is() {
    let mut known = 0;
    let mut check = |tours: &KnightsTours| {
        if tours.none_is_possible() {
            known += 1;
            for encoding in ENCODINGS {
                let swept = build(&tours.walks().unwrap(), encoding);
                assert!(swept.is_empty(), "{tours:?}");
                let board = tours.full_board(encoding);
                let (variables, arity) = (board.variables(), |variable| board.arity(variable));
                let told = topdd::zdd(&NoTours { variables, arity: &arity }).unwrap();
                assert_eq!(told, swept, "{tours:?} {encoding:?}");
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
            assert_eq!(tours.visit(encoding, Count), Ok(BigUint::ZERO), "{tours:?}");
        }
    }
}

#[test]
fn boards_that_are_too_large_are_refused_before_anything_is_built() {
    struct NotReached;
    impl SpecVisitor for NotReached {
        type Output = ();
        fn visit<S: DdSpec>(self, spec: S) {
            panic!("a spec of {} variables", spec.num_vars());
        }
    }
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
                let error = tours.visit(encoding, NotReached);
                let refused = matches!(error, Err(KnightsError::TooLarge { .. }));
                assert!(refused, "{tours:?} {encoding:?} {error:?}");
            }
        }
    }
    let error = KnightsTours::closed(200, 20000).visit(Encoding::ByEdge, NotReached).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("200x20000") && message.contains("narrower"), "{message}");
    let walks = KnightsTours::closed(6, 1 << 20).walks();
    assert!(matches!(walks, Err(KnightsError::TooLarge { most: MAX_SQUARES, .. })));
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
        assert!(KnightsTours::open(8, widest).free(None).words(encoding) <= 64);
    }
}

#[test]
fn impossible_wishes_are_errors() {
    let [a1, b3, d4] = ["a1", "b3", "d4"].map(|name| name.parse::<Square>().unwrap());
    let error = |tours: KnightsTours| tours.visit(Encoding::ByVertex, Count).unwrap_err();
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
    let walks = tours.walks().unwrap();
    let solution = build(&walks, Encoding::ByEdge).iter().next().unwrap();
    let tour = tours.to_squares(&walks.to_sequence(Encoding::ByEdge, &solution).unwrap());
    let judge = |tours: &KnightsTours, tour: &[Square]| {
        tours.walks().unwrap().validate(&tours.to_vertices(tour).unwrap())
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
