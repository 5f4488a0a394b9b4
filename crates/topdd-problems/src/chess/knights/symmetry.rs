//! The ways to turn a board over onto itself.

use std::fmt;

use super::super::board::{Board, Square};

/// A symmetry of a rectangular board that, done twice, changes nothing.
///
/// ```
/// use topdd_problems::chess::{Board, Square};
/// use topdd_problems::chess::knights::Symmetry;
///
/// let (board, corner) = (Board::new(3, 4), Square::new(0, 0));
/// assert_eq!(Symmetry::HalfTurn.image(board, corner), "d3".parse()?);
/// assert_eq!(Symmetry::LeftRight.image(board, corner), "d1".parse()?);
/// assert_eq!(Symmetry::TopBottom.image(board, corner), "a3".parse()?);
/// # Ok::<(), topdd_problems::chess::BoardError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// By 180 degrees around the centre.
    HalfTurn,
    /// A mirror between left and right.
    LeftRight,
    /// A mirror between top and bottom.
    TopBottom,
}

impl Symmetry {
    /// Where a square of the board goes.
    ///
    /// # Panics
    ///
    /// If the square is not on the board.
    pub fn image(self, board: Board, square: Square) -> Square {
        assert!(board.contains(square), "{square} is not on the {board} board");
        let (row, col) = (board.rows - 1 - square.row, board.cols - 1 - square.col);
        match self {
            Symmetry::HalfTurn => Square { row, col },
            Symmetry::LeftRight => Square { col, ..square },
            Symmetry::TopBottom => Square { row, ..square },
        }
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Symmetry::HalfTurn => "half-turn",
            Symmetry::LeftRight => "left-right",
            Symmetry::TopBottom => "top-bottom",
        })
    }
}
