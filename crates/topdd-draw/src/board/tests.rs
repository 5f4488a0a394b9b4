//! Tests of the contents of pictures.

use num_bigint::BigUint;
use topdd_chess::{Board, Piece, Square};

use super::{BoardPicture, sheet};
use crate::profile;

fn squares(names: &str) -> Vec<Square> {
    names.split_whitespace().map(|name| name.parse().unwrap()).collect()
}

/// The texts between two texts, each time.
fn between<'a>(text: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    let parts = text.split(start).skip(1);
    parts.map(|part| part.split(end).next().unwrap()).collect()
}

#[test]
fn a_picture_is_the_same_bytes_everywhere() {
    let picture = BoardPicture::new(Board::new(2, 3))
        .title("a rook & <more>")
        .given(squares("a1"))
        .forbidden(squares("c2"))
        .pieces(Piece::Rook, &squares("a1 b2"))
        .picture();
    assert_eq!(picture.svg(), include_str!("golden.svg"));
    assert_eq!(picture.size(), (264, 191));
}

#[test]
fn pieces_stand_on_their_squares() {
    for (piece, class) in [
        (Piece::King, "king"),
        (Piece::Queen, "queen"),
        (Piece::Rook, "rook"),
        (Piece::Bishop, "bishop"),
        (Piece::Knight, "knight"),
        (Piece::Superqueen, "queen"),
    ] {
        // The last is off the board.
        let on = squares("a1 c2 d4 e9");
        let picture = BoardPicture::new(Board::new(4, 4)).pieces(piece, &on).picture();
        let paths = between(picture.svg(), &format!("<path class=\"{class}\" d=\""), "\"");
        assert_eq!(paths.len(), 3);
        for (path, square) in paths.iter().zip(&on) {
            let numbers: Vec<f64> = path.split(' ').filter_map(|word| word.parse().ok()).collect();
            for point in numbers.chunks(2) {
                let [left, top] = [square.col, 3 - square.row].map(|at| at as f64 * 64.0);
                assert!((left..=left + 64.0).contains(&point[0]), "{class} on {square}");
                assert!((top..=top + 64.0).contains(&point[1]), "{class} on {square}");
            }
        }
        assert_eq!(between(picture.svg(), "<title>", "</title>")[1..], ["a1", "c2", "d4"]);
    }
}

#[test]
fn a_tour_is_a_path_through_its_squares_in_order() {
    let tour = squares("a1 c2 a3 b1 c3 a2 c1 b3");
    let middles = "M 32 160 L 160 96 L 32 32 L 96 160 L 160 32 L 32 96 L 160 160 L 96 32";
    for closed in [true, false] {
        let board = BoardPicture::new(Board::new(3, 3)).missing(squares("b2")).tour(&tour, closed);
        let svg = board.picture().to_string();
        let path = between(&svg, "class=\"tour\" d=\"", "\"");
        assert_eq!(path, [middles.to_owned() + if closed { " Z" } else { "" }]);
        assert_eq!(
            between(&svg, "class=\"stop start\"", "/title")[0].split('>').nth(1),
            Some("<title")
        );
        assert_eq!(svg.matches("class=\"stop end\"").count(), usize::from(!closed));
        let stops = between(&svg, "<title>", "</title>");
        assert_eq!(stops[1..4], ["1: a1", "2: c2", "3: a3"]);
        // Eight squares around a hole with four sides.
        assert_eq!(svg.matches("<rect x=").count(), 8);
        let edge = between(&svg, "class=\"edge\" d=\"", "\"");
        assert_eq!(edge[0].matches('M').count(), 4 + 12);
    }
    // A tour of one square makes no move.
    let one = BoardPicture::new(Board::new(1, 1)).tour(&squares("a1"), false).picture();
    assert!(!one.svg().contains("class=\"tour\"") && one.svg().contains("stop start"));
}

#[test]
fn heat_maps_contain_the_number_of_each_square_and_move() {
    let [a1, b1] = [Square::new(0, 0), Square::new(0, 1)];
    let board = BoardPicture::new(Board::new(1, 2));
    let big = BigUint::from(10u32).pow(400);
    let svg = board.clone().heat([(b1, big.clone())], &big).picture().to_string();
    let squares = between(&svg, "<g class=\"squares\">", "</g>")[0];
    let fills = between(squares, "fill=\"#", "\"");
    assert_eq!(fills, ["f7fbff", "08306b"]);
    assert!(svg.contains("<title>a1: 0 of 1000"));
    let moves = [(a1, b1, 3u32.into()), (b1, Square::new(1, 1), 5u32.into())];
    let svg = board.clone().moves(moves, &7u32.into()).picture().to_string();
    assert_eq!(between(&svg, "class=\"move\"", "/>").len(), 1, "{svg}");
    assert!(svg.contains("<title>a1 b1: 3 of 7</title>"));
    // Given squares do not count for the colours, and a cross has no number.
    let counts = [(a1, 8u32.into()), (b1, 2u32.into())];
    let marked = board.clone().heat(counts, &8u32.into()).given([a1]).forbidden([b1]);
    let svg = marked.picture().to_string();
    let squares = between(&svg, "<g class=\"squares\">", "</g>")[0];
    assert_eq!(between(squares, "fill=\"#", "\""), ["08306b", "08306b"]);
    assert_eq!(squares.matches("class=\"text\"").count(), 1);
    // Of no solutions, too.
    assert!(board.heat([], &BigUint::ZERO).picture().svg().contains("<title>b1: 0 of 0"));
}

#[test]
fn sheets_have_a_place_for_each_board() {
    let boards: Vec<_> = (1..=5)
        .map(|number: usize| (BoardPicture::new(Board::new(2, 2)), number.to_string()))
        .collect();
    let picture = sheet(&boards, 3, "five");
    let places = between(picture.svg(), "<g class=\"board\" transform=\"translate(", ")\"");
    let places: Vec<Vec<f64>> = places
        .iter()
        .map(|place| place.split(' ').map(|at| at.parse().unwrap()).collect())
        .collect();
    assert_eq!(places.len(), 5);
    for pair in places[..3].windows(2) {
        assert!(pair[0][0] < pair[1][0] && pair[0][1].to_bits() == pair[1][1].to_bits());
    }
    assert!(places[3][1] > places[0][1] && places[3][0].to_bits() == places[0][0].to_bits());
    let (width, height) = picture.size();
    for place in places {
        assert!(place[0] + 128.0 < f64::from(width) && place[1] + 128.0 < f64::from(height));
    }
}

#[test]
fn boards_without_squares_and_sheets_without_boards_are_pictures() {
    for (rows, cols) in [(0, 0), (0, 3), (3, 0)] {
        let board = BoardPicture::new(Board::new(rows, cols)).pieces(Piece::King, &squares("a1"));
        assert!(board.picture().svg().ends_with("</svg>\n"));
        assert!(sheet(&[(board, String::new())], 4, "none").svg().ends_with("</svg>\n"));
    }
    assert!(sheet(&[], 4, "none").svg().contains("<title>none</title>"));
    let nothing = profile(&topdd::Report::default(), "row", "nothing");
    assert!(nothing.svg().ends_with("</svg>\n"));
}
