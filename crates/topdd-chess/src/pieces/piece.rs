//! The attacks of a piece.

use std::fmt;

use crate::board::{Board, Square};

/// A piece of chess, as a set of attacked squares.
///
/// ```
/// use topdd_chess::{Board, Piece, Square};
///
/// let board = Board::new(8, 8);
/// let [a1, b3, c3] = ["a1", "b3", "c3"].map(|name| name.parse::<Square>().unwrap());
/// assert!(Piece::Knight.attacks(board, false, a1, b3));
/// assert!(Piece::Bishop.attacks(board, false, a1, c3));
/// assert!(!Piece::Queen.attacks(board, false, a1, b3));
/// assert!(Piece::Superqueen.attacks(board, false, a1, b3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Piece {
    /// Attacks one square in any direction.
    #[cfg_attr(feature = "serde", serde(rename = "kings"))]
    King,
    /// Attacks along rows, columns and diagonals.
    #[cfg_attr(feature = "serde", serde(rename = "queens"))]
    Queen,
    /// Attacks along rows and columns.
    #[cfg_attr(feature = "serde", serde(rename = "rooks"))]
    Rook,
    /// Attacks along diagonals.
    #[cfg_attr(feature = "serde", serde(rename = "bishops"))]
    Bishop,
    /// Attacks by leaps of two squares along one side and one along the other.
    #[cfg_attr(feature = "serde", serde(rename = "knights"))]
    Knight,
    /// Attacks as a queen and as a knight.
    #[cfg_attr(feature = "serde", serde(rename = "superqueens"))]
    Superqueen,
}

impl Piece {
    /// Returns the letter of the piece in notation and drawings, in upper case; superqueens share that
    /// of queens.
    pub fn letter(self) -> char {
        match self {
            Piece::King => 'K',
            Piece::Queen | Piece::Superqueen => 'Q',
            Piece::Rook => 'R',
            Piece::Bishop => 'B',
            Piece::Knight => 'N',
        }
    }

    /// Returns whether pieces on two squares of the board attack one another, if no piece is in
    /// between. A piece does not attack its own square.
    ///
    /// On a `toroidal` board the sides are joined, and if it is square, the top and the
    /// bottom, too; see [`Queens::toroidal`](crate::Queens::toroidal).
    pub fn attacks(self, board: Board, toroidal: bool, one: Square, other: Square) -> bool {
        if one == other {
            return false;
        }
        let way = Way {
            board,
            toroidal,
            rows: one.row.abs_diff(other.row),
            cols: one.col.abs_diff(other.col),
        };
        match self {
            Piece::King => way.is_leap(0, 1) || way.is_leap(1, 1),
            Piece::Queen => way.is_straight() || way.is_diagonal(),
            Piece::Rook => way.is_straight(),
            Piece::Bishop => way.is_diagonal(),
            Piece::Knight => way.is_leap(1, 2),
            Piece::Superqueen => way.is_straight() || way.is_diagonal() || way.is_leap(1, 2),
        }
    }
}

/// The name in the plural, in small letters: `kings`.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Piece::King => "kings",
            Piece::Queen => "queens",
            Piece::Rook => "rooks",
            Piece::Bishop => "bishops",
            Piece::Knight => "knights",
            Piece::Superqueen => "superqueens",
        })
    }
}

/// The distance of two squares.
struct Way {
    board: Board,
    toroidal: bool,
    rows: usize,
    cols: usize,
}

impl Way {
    fn is_straight(&self) -> bool {
        self.rows == 0 || self.cols == 0
    }

    fn is_diagonal(&self) -> bool {
        if self.toroidal {
            // Squares are on the board, so it has columns.
            let width = self.board.cols;
            self.rows % width == self.cols || (self.rows + self.cols).is_multiple_of(width)
        } else {
            self.rows == self.cols
        }
    }

    /// Whether it is `one` row and `other` columns, or the other way round.
    fn is_leap(&self, one: usize, other: usize) -> bool {
        let Board { rows, cols } = self.board;
        let side_to_side = |way, leap| way == leap || self.toroidal && joined(way, leap, cols);
        let up =
            |way, leap| way == leap || self.toroidal && rows == cols && joined(way, leap, rows);
        up(self.rows, one) && side_to_side(self.cols, other)
            || up(self.rows, other) && side_to_side(self.cols, one)
    }
}

/// Whether a leap over a board of this length, joined at its ends, goes this way, in
/// either direction.
fn joined(way: usize, leap: usize, length: usize) -> bool {
    let leap = leap % length;
    way == leap || (way + leap).is_multiple_of(length)
}
