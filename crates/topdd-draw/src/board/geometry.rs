//! The positions of a board and its squares in a picture.

use topdd_chess::{Board, Square};

/// The side of a square.
pub(super) const SIDE: f64 = 64.0;
/// The room for coordinates, left and below.
pub(super) const COORDINATES: f64 = 36.0;

/// Width and height of a board.
pub(super) fn extent(board: Board) -> (f64, f64) {
    (board.cols as f64 * SIDE, board.rows as f64 * SIDE)
}

/// The top left of a square of the board.
pub(super) fn corner(board: Board, square: Square) -> [f64; 2] {
    let from_top = board.rows - 1 - square.row;
    [square.col as f64 * SIDE, from_top as f64 * SIDE]
}

/// The middle of a square of the board.
pub(super) fn middle(board: Board, square: Square) -> [f64; 2] {
    corner(board, square).map(|at| at + SIDE / 2.0)
}
