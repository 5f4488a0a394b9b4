//! Placements against the definition and against published counts.

use topdd::BigUint;

use super::*;

const PIECES: [Piece; 6] =
    [Piece::King, Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Superqueen];

fn count(pieces: &Pieces) -> BigUint {
    pieces.zdd().unwrap().count()
}

/// The placements, each row by row, in order.
fn listed(pieces: &Pieces) -> Vec<Vec<Square>> {
    let zdd = pieces.zdd().unwrap();
    let mut list: Vec<_> = zdd.iter().map(|solution| pieces.squares(&solution).unwrap()).collect();
    list.sort();
    assert_eq!(pieces.most(&zdd), list.iter().map(Vec::len).max());
    list
}

/// All sets of squares that do not attack one another, row by row, in order.
fn tried(piece: Piece, board: Board, toroidal: bool) -> Vec<Vec<Square>> {
    let mut list: Vec<Vec<Square>> = vec![vec![]];
    for square in board.squares() {
        for place in 0..list.len() {
            let attacks = |&other: &Square| piece.attacks(board, toroidal, other, square);
            if !list[place].iter().any(attacks) {
                list.push(list[place].iter().copied().chain([square]).collect());
            }
        }
    }
    list.sort();
    list
}

/// Asserts that the listed placements are the members of `all` that satisfy the definition.
fn agree(pieces: &Pieces, all: &[Vec<Square>]) {
    let known: Vec<_> = all.iter().filter(|set| pieces.is_solution(set)).cloned().collect();
    assert_eq!(listed(pieces), known, "{pieces:?}");
}

#[test]
fn every_small_board_agrees_with_the_definition() {
    for (rows, cols) in [(0, 0), (0, 3), (1, 1), (1, 4), (2, 3), (3, 3), (4, 3), (3, 5), (4, 4)] {
        let board = Board::new(rows, cols);
        for piece in PIECES {
            for toroidal in [false, true] {
                let all = tried(piece, board, toroidal);
                let pieces = Pieces::new(piece, board).toroidal(toroidal);
                agree(&pieces, &all);
                agree(&pieces.clone().maximal(true), &all);
                for number in 0..=5 {
                    agree(&pieces.clone().exactly(number), &all);
                    agree(&pieces.clone().exactly(number).maximal(true), &all);
                }
            }
        }
    }
}

#[test]
fn given_and_forbidden_squares_agree_with_the_definition() {
    let board = Board::new(4, 3);
    for piece in PIECES {
        let all = tried(piece, board, false);
        for given in board.squares() {
            let forbidden = [1, 5, 7].map(|step| {
                board.squares().nth((board.index(given).unwrap() + step) % 12).unwrap()
            });
            let pieces = Pieces::new(piece, board).given([given, given]).forbid(forbidden);
            for pieces in [pieces.clone(), pieces.clone().exactly(2), pieces.exactly(3)] {
                agree(&pieces, &all);
                agree(&pieces.maximal(true), &all);
            }
        }
    }
}

#[test]
fn symmetric_placements_agree_with_the_definition() {
    for board in [Board::new(4, 4), Board::new(3, 3), Board::new(3, 4)] {
        for piece in PIECES {
            let all = tried(piece, board, false);
            for symmetry in Symmetry::ALL.into_iter().filter(|symmetry| symmetry.maps(board)) {
                let pieces = Pieces::new(piece, board).symmetric([symmetry]);
                let forbidden = pieces.clone().forbid([Square::new(0, 1)]);
                let given = pieces.clone().given([Square::new(0, 1)]);
                for pieces in [pieces.clone(), forbidden, given, pieces.clone().exactly(4)] {
                    agree(&pieces, &all);
                    agree(&pieces.maximal(true), &all);
                }
                let both = pieces.symmetric([Symmetry::MirrorRows]);
                agree(&both, &all);
            }
        }
    }
}

#[test]
fn classes_are_counted_as_they_are_listed() {
    let square = |name: &str| name.parse::<Square>().unwrap();
    for board in [Board::new(4, 4), Board::new(3, 3), Board::new(2, 4)] {
        for piece in PIECES {
            let pieces = Pieces::new(piece, board);
            let symmetries = Symmetry::ALL.into_iter().filter(|symmetry| symmetry.maps(board));
            let symmetric = symmetries.map(|symmetry| pieces.clone().symmetric([symmetry]));
            let symmetric: Vec<Pieces> = symmetric.collect();
            let one = pieces.clone().given([square("a1")]);
            let two = pieces.clone().exactly(2).forbid([square("a1"), square("b2")]);
            for pieces in symmetric.into_iter().chain([pieces, one, two]) {
                let classes = pieces.classes().unwrap();
                let list = listed(&pieces);
                let mut firsts: Vec<_> =
                    list.iter().map(|solution| classes.first(solution).unwrap()).collect();
                firsts.sort();
                firsts.dedup();
                // The first of each class is a solution itself.
                assert!(list.iter().filter(|solution| classes.is_first(solution)).eq(&firsts));
                let fixed = |symmetry| Ok::<_, ()>(count(&pieces.clone().symmetric([symmetry])));
                assert_eq!(classes.count(fixed), Ok(firsts.len().into()), "{pieces:?}");
                let members: usize = firsts
                    .iter()
                    .map(|first| classes.symmetries().len() / classes.stabilizer_size(first))
                    .sum();
                assert_eq!(members, list.len());
            }
        }
    }
}

#[test]
fn published_counts() {
    let count = |piece, n, number: Option<usize>| {
        let pieces = Pieces::new(piece, Board::new(n, n));
        let pieces = number.map_or(pieces.clone(), |number| pieces.exactly(number));
        u64::try_from(count(&pieces)).unwrap()
    };
    // A063443
    for (n, known) in (1..).zip([2, 5, 35, 314, 6427, 202841, 12727570]) {
        assert_eq!(count(Piece::King, n, None), known, "kings on {n}");
    }
    // A002465
    for (n, known) in (1..).zip([1, 4, 26, 260, 3368, 53744]) {
        assert_eq!(count(Piece::Bishop, n, Some(n)), known, "bishops on {n}");
    }
    for (n, known) in (1..).zip([1, 2, 6, 24, 120, 720, 5040]) {
        assert_eq!(count(Piece::Rook, n, Some(n)), known, "rooks on {n}");
    }
    // A000170
    for (n, known) in (1..).zip([1, 0, 0, 2, 10, 4, 40, 92]) {
        assert_eq!(count(Piece::Queen, n, Some(n)), known, "queens on {n}");
    }
}

#[test]
fn symmetric_queens() {
    // A032522 and A033148.
    let half = [1, 0, 0, 2, 2, 4, 8, 4, 16, 12, 48, 80];
    let quarter = [1, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 8, 8];
    for (symmetry, known) in [(Symmetry::Rotate180, &half[..]), (Symmetry::Rotate90, &quarter[..])]
    {
        for (n, &known) in (1..).zip(known) {
            let pieces =
                Pieces::new(Piece::Queen, Board::new(n, n)).exactly(n).symmetric([symmetry]);
            assert_eq!(count(&pieces), BigUint::from(known as u32), "{n} {symmetry:?}");
        }
    }
}

#[test]
fn pieces_of_short_reach_are_counted_on_long_boards() {
    // Non-attacking kings on 1 x n are subsets without neighbours: Fibonacci numbers.
    let kings = Pieces::new(Piece::King, Board::new(1, 90));
    assert_eq!(count(&kings), BigUint::from(7540113804746346429u64));
    assert_eq!(count(&kings.exactly(45)), BigUint::from(46u32));
    let knights = Pieces::new(Piece::Knight, Board::new(1, 100)).exactly(50);
    assert!(count(&knights) > BigUint::from(u64::MAX));
}

#[test]
fn invalid_placements_are_errors() {
    let error = |pieces: &Pieces| pieces.spec().unwrap_err();
    let board = Board::new(17, 17);
    let wide = error(&Pieces::new(Piece::Queen, board));
    assert_eq!(wide, PiecesError::TooWide { board, piece: Piece::Queen, bits: 288, most: 256 });
    assert!(wide.to_string().contains("queens on a 17x17 board"));
    for board in [Board::new(65, 64), Board::new(usize::MAX, 2)] {
        let large = error(&Pieces::new(Piece::King, board));
        assert_eq!(large, PiecesError::TooManySquares { board, most: 4096 });
    }
    let [a1, b2, c4] = ["a1", "b2", "c4"].map(|name| name.parse::<Square>().unwrap());
    let kings = Pieces::new(Piece::King, Board::new(3, 4));
    assert_eq!(
        error(&kings.clone().given([a1]).forbid([a1])),
        PiecesError::GivenAndForbidden { square: a1 }
    );
    assert_eq!(
        error(&kings.clone().given([b2, a1])),
        PiecesError::GivenAttack { piece: Piece::King, one: b2, other: a1 }
    );
    assert!(matches!(error(&kings.clone().forbid([c4])), PiecesError::OffBoard(_)));
    assert_eq!(
        error(&kings.symmetric([Symmetry::Rotate90])),
        PiecesError::NotSquare { board: Board::new(3, 4) }
    );
}
