//! Pieces as paths, on a square of 100 by 100 with its top left at 0.

use topdd_chess::Piece;

use crate::svg::Svg;
use crate::svg::palette;
use crate::svg::path::{N, placed};

/// A filled outline, and fine lines upon it.
struct PieceShape {
    name: &'static str,
    outline: &'static str,
    fine: &'static str,
}

const QUEEN: PieceShape = PieceShape {
    name: "queen",
    outline: "M 22 70 L 13 36 C 9 36 6 33 6 29 C 6 25 9 22 13 22 C 17 22 20 25 20 29 C 20 31 19 33 18 34 \
        L 33 53 L 32 26 C 28 25 26 22 26 19 C 26 15 29 12 33 12 C 37 12 40 15 40 19 C 40 22 38 24 36 25 \
        L 43 49 L 49 22 C 45 21 43 18 43 15 C 43 11 46 8 50 8 C 54 8 57 11 57 15 C 57 18 55 21 51 22 \
        L 57 49 L 64 25 C 62 24 60 22 60 19 C 60 15 63 12 67 12 C 71 12 74 15 74 19 C 74 22 72 25 68 26 \
        L 67 53 L 82 34 C 81 33 80 31 80 29 C 80 25 83 22 87 22 C 91 22 94 25 94 29 C 94 33 91 36 87 36 \
        L 78 70 L 76 77 C 80 80 82 84 82 90 L 18 90 C 18 84 20 80 24 77 Z",
    fine: "M 25 70 C 40 65 60 65 75 70 M 26 79 C 40 75 60 75 74 79",
};

const KING: PieceShape = PieceShape {
    name: "king",
    outline: "M 46 6 L 54 6 L 54 13 L 61 13 L 61 21 L 54 21 L 54 29 C 58 31 60 35 60 39 \
        C 66 33 73 31 79 32 C 88 34 93 41 91 50 C 89 58 82 63 77 69 L 76 77 C 80 80 82 84 82 90 L 18 90 \
        C 18 84 20 80 24 77 L 23 69 C 18 63 11 58 9 50 C 7 41 12 34 21 32 C 27 31 34 33 40 39 \
        C 40 35 42 31 46 29 L 46 21 L 39 21 L 39 13 L 46 13 Z",
    fine: "M 27 69 C 40 65 60 65 73 69 M 26 79 C 40 75 60 75 74 79 M 50 62 C 50 52 54 45 62 42 \
        M 50 62 C 50 52 46 45 38 42",
};

const ROOK: PieceShape = PieceShape {
    name: "rook",
    outline: "M 24 13 L 35 13 L 35 21 L 44 21 L 44 13 L 56 13 L 56 21 L 65 21 L 65 13 L 76 13 L 76 30 \
        L 67 38 L 69 67 L 76 74 L 76 80 L 82 80 L 82 90 L 18 90 L 18 80 L 24 80 L 24 74 L 31 67 L 33 38 \
        L 24 30 Z",
    fine: "M 29 31 L 71 31 M 35 39 L 65 39 M 33 66 L 67 66 M 27 79 L 73 79",
};

const BISHOP: PieceShape = PieceShape {
    name: "bishop",
    outline: "M 50 6 C 54 6 57 9 57 13 C 57 15 56 17 55 18 C 65 25 73 36 73 47 C 73 54 69 60 65 64 L 67 73 \
        C 60 76 57 77 56 79 C 66 79 76 78 86 82 L 84 90 C 74 86 60 90 50 86 C 40 90 26 86 16 90 L 14 82 \
        C 24 78 34 79 44 79 C 43 77 40 76 33 73 L 35 64 C 31 60 27 54 27 47 C 27 36 35 25 45 18 \
        C 44 17 43 15 43 13 C 43 9 46 6 50 6 Z",
    fine: "M 36 64 C 44 61 56 61 64 64 M 35 72 C 44 69 56 69 65 72 M 50 32 L 50 50 M 41 41 L 59 41",
};

const KNIGHT: PieceShape = PieceShape {
    name: "knight",
    outline: "M 42 20 L 40 8 L 51 16 C 72 17 87 34 87 62 C 87 72 86 81 86 90 L 34 90 C 34 76 40 68 50 60 \
        C 56 55 58 50 58 44 C 52 51 45 52 38 54 C 33 58 30 64 25 66 C 20 67 14 61 14 55 C 14 51 18 48 21 43 \
        C 24 38 25 34 28 30 C 32 25 37 22 42 20 Z",
    fine: "M 36 35 L 39 33 M 20 57 L 22 55 M 56 23 C 71 28 79 42 79 62 C 79 70 79 76 78 83",
};

fn shape(piece: Piece) -> &'static PieceShape {
    match piece {
        Piece::King => &KING,
        Piece::Queen | Piece::Superqueen => &QUEEN,
        Piece::Rook => &ROOK,
        Piece::Bishop => &BISHOP,
        Piece::Knight => &KNIGHT,
    }
}

/// Draws a piece into the square whose top left is at `x`, `y`.
pub(super) fn draw(svg: &mut Svg, piece: Piece, [x, y]: [f64; 2], side: f64, title: &str) {
    let PieceShape { name, outline, fine } = shape(piece);
    let scale = side / 100.0;
    let put = |path: &str| {
        let mut d = String::new();
        placed(path, x, y, scale, &mut d);
        d
    };
    svg.element(
        "path",
        &[
            ("class", name),
            ("d", &put(outline)),
            ("fill", &palette::INK),
            ("stroke", &palette::FINE),
            ("stroke-width", &N(2.2 * scale)),
            ("stroke-linejoin", &"round"),
        ],
        Some(title),
    );
    svg.stroke("fine", &put(fine), palette::FINE, 3.0 * scale);
}
