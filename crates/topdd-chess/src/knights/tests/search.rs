//! Comparison with a plain search, on small boards with all parameters.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::super::super::symmetry::Symmetry;
use super::super::*;

/// A tour in one direction: from its end, or from its first square if it is closed.
type Tour = Vec<Square>;

/// All tours in both directions, by trying every move.
fn search(tours: &KnightsTours) -> BTreeSet<Tour> {
    let board = tours.board();
    let there: Vec<Square> = board.squares().filter(|s| !tours.missing.contains(s)).collect();
    let mut found = BTreeSet::new();
    let starts = if tours.closed { &there[..there.len().min(1)] } else { &there };
    for &start in starts {
        let mut tour = vec![start];
        extend(tours, &there, &mut tour, &mut found);
    }
    found.retain(|tour| {
        let ends = (tour.first().copied(), tour.last().copied());
        let closes = tour.len() > 2 && is_move(&tours.piece, tour[tour.len() - 1], tour[0]);
        let fits = |end: Option<Square>, wanted: Option<Square>| wanted.is_none() || end == wanted;
        (!tours.closed || closes)
            && fits(ends.0, tours.from)
            && fits(ends.1, tours.to)
            && tours.symmetry.is_none_or(|symmetry| is_symmetric(tours, tour, symmetry))
    });
    found
}

/// As deep as there are squares.
fn extend(tours: &KnightsTours, there: &[Square], tour: &mut Tour, found: &mut BTreeSet<Tour>) {
    if tour.len() == there.len() {
        found.insert(tour.clone());
        return;
    }
    for &next in there {
        if !tour.contains(&next) && is_move(&tours.piece, tour[tour.len() - 1], next) {
            tour.push(next);
            extend(tours, there, tour, found);
            tour.pop();
        }
    }
}

pub(super) fn is_move(piece: &Leaper, from: Square, to: Square) -> bool {
    let (down, across) = (from.row.abs_diff(to.row), from.col.abs_diff(to.col));
    piece.leaps().contains(&(down.min(across), down.max(across)))
}

/// The moves of a tour, there and back.
fn moves(tours: &KnightsTours, tour: &[Square]) -> BTreeSet<[Square; 2]> {
    let closing = tours.closed.then(|| [tour[tour.len() - 1], tour[0]]);
    let moves = tour.windows(2).map(|pair| [pair[0], pair[1]]).chain(closing);
    moves.flat_map(|[a, b]| [[a, b], [b, a]]).collect()
}

pub(super) fn is_symmetric(tours: &KnightsTours, tour: &[Square], symmetry: Symmetry) -> bool {
    let moves = moves(tours, tour);
    let image = |square| symmetry.of(tours.board(), square);
    moves.iter().all(|&[a, b]| image(a).zip(image(b)).is_some_and(|(a, b)| moves.contains(&[a, b])))
        && tour.iter().all(|&square| image(square).is_some_and(|image| tour.contains(&image)))
}

/// The tours of a spec, converted by the reader.
fn tours_of(tours: &KnightsTours, encoding: Option<PathEncoding>) -> Vec<Tour> {
    let (reader, zdd) = match encoding {
        None => (tours.reader_by_time(), tours.frontier_by_time().unwrap().zdd().unwrap()),
        Some(encoding) => {
            let zdd = tours.zdd(encoding).unwrap();
            assert_eq!(tours.num_vars(encoding), Ok(zdd.num_vars()));
            (tours.reader(encoding), zdd)
        }
    };
    let reader = reader.unwrap();
    zdd.iter().map(|values| reader.read(&values).unwrap()).collect()
}

fn assert_as_search(tours: &KnightsTours) {
    let all = search(tours);
    let fixed = tours.from.is_some() || tours.to.is_some();
    let single = tours.board.rows * tours.board.cols - tours.missing.len() == 1;
    let one_way = fixed || single || tours.directed;
    let encodings = [Some(PathEncoding::ByEdge), Some(PathEncoding::ByVertex), None];
    for encoding in encodings {
        if encoding.is_none() && tours.symmetry.is_some() {
            continue;
        }
        let found = tours_of(tours, encoding);
        let expected = if one_way { all.len() } else { all.len() / 2 };
        assert_eq!(found.len(), expected, "{tours:?} {encoding:?}");
        let first = |tour: &Tour| tour.iter().position(|square| tour.iter().all(|s| square <= s));
        let mut seen = BTreeSet::new();
        for mut tour in found {
            if tours.closed {
                let first = first(&tour).unwrap();
                tour.rotate_left(first);
            }
            assert!(all.contains(&tour), "{tours:?} {tour:?}");
            if !one_way {
                let mut back = tour.clone();
                back[usize::from(tours.closed)..].reverse();
                assert!(seen.insert(back), "{tours:?} {tour:?}");
            }
            assert!(seen.insert(tour), "{tours:?}");
        }
    }
    assert!(!tours.none_is_possible() || all.is_empty(), "{tours:?}");
    assert!(!tours.paths_in_order().unwrap().none_is_possible() || all.is_empty(), "{tours:?}");
}

fn pieces() -> impl Strategy<Value = Leaper> {
    let names = ["knight", "wazir", "king", "wazir", "ferz", "dabbaba", "camel", "zebra", "gnu"];
    let names = names.into_iter().chain(["0,1+0,2", "0,1+1,2", "1,2+2,2", "9,1"]);
    proptest::sample::select(names.collect::<Vec<_>>()).prop_map(|name| name.parse().unwrap())
}

fn problems() -> impl Strategy<Value = KnightsTours> {
    let sides = (1..=5usize, 1..=5usize).prop_filter("few squares", |(r, c)| r * c <= 15);
    let asked = (pieces(), 0..5usize, any::<bool>(), any::<bool>(), 0..9usize, any::<[u8; 6]>());
    (sides, asked).prop_map(|((rows, cols), (piece, holes, closed, directed, symmetry, random))| {
        let board = Board::new(rows, cols);
        let squares: Vec<Square> = board.squares().collect();
        let mut numbers = random.into_iter().map(|number| squares[number as usize % squares.len()]);
        let mut tours =
            if closed { KnightsTours::closed(rows, cols) } else { KnightsTours::open(rows, cols) };
        tours = tours.piece(piece);
        let symmetry = Symmetry::ALL.get(symmetry).copied();
        let quarter = |s: &Symmetry| matches!(s, Symmetry::Rotate90 | Symmetry::Rotate270);
        let symmetry = symmetry.filter(|s| s.maps(board) && !quarter(s));
        // Never so few that a search takes long: a king goes many ways.
        let least = squares.len().saturating_sub(12).div_ceil(2);
        for hole in numbers.by_ref().take(4).take(holes.max(least)) {
            tours = tours.missing([hole]);
            tours = tours.missing(symmetry.and_then(|symmetry| symmetry.of(board, hole)));
        }
        if let Some(symmetry) = symmetry {
            tours = tours.symmetric(symmetry);
        }
        if directed {
            tours = tours.directed();
        }
        if !closed && random[0] % 3 == 0 {
            let mut ends = numbers.filter(|end| !tours.missing.contains(end));
            let (from, to) = (ends.next(), ends.next());
            tours.from = from.filter(|_| random[1] % 3 > 0);
            tours.to = to.filter(|&to| Some(to) != tours.from);
        }
        tours
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn random_boards(tours in problems()) {
        assert_as_search(&tours);
    }
}

#[test]
fn boards_with_tours() {
    let squares = |names: &str| -> Vec<Square> {
        names.split(' ').map(|name| name.parse().unwrap()).collect()
    };
    let piece = |name: &str| name.parse::<Leaper>().unwrap();
    let boards = [
        KnightsTours::closed(3, 3).missing(squares("b2")),
        KnightsTours::open(3, 3).missing(squares("b2")),
        KnightsTours::open(3, 4),
        KnightsTours::open(4, 3).missing(squares("a1 c4")),
        KnightsTours::closed(3, 4).piece(piece("wazir")),
        KnightsTours::closed(2, 2).piece(piece("wazir")),
        KnightsTours::open(3, 3).piece(piece("wazir")),
        KnightsTours::closed(3, 3).piece(piece("king")),
        KnightsTours::open(2, 3).piece(piece("king")),
        KnightsTours::closed(2, 4).piece(piece("0,1+0,3")),
        KnightsTours::open(1, 7).piece(piece("0,1+0,3")),
        KnightsTours::open(1, 1),
        KnightsTours::open(1, 2).piece(piece("wazir")),
    ];
    for tours in boards {
        assert!(!search(&tours).is_empty(), "{tours:?}");
        let symmetries = Symmetry::ALL.into_iter().filter(|symmetry| {
            let quarter = matches!(symmetry, Symmetry::Rotate90 | Symmetry::Rotate270);
            symmetry.maps(tours.board()) && !quarter
        });
        for symmetry in symmetries.map(Some).chain([None]) {
            let mut tours = tours.clone();
            tours.symmetry = symmetry;
            assert_as_search(&tours);
            assert_as_search(&tours.directed());
        }
    }
}
