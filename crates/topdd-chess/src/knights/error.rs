//! The errors of knight's tours.

use thiserror::Error;

use super::super::board::{Board, BoardError, Square};

/// The reason why [`KnightsTours`](super::KnightsTours) are not solved: an invalid parameter, or a
/// failed sweep.
///
/// ```
/// use topdd_chess::{KnightsError, KnightsTours};
///
/// let tours = KnightsTours::closed(6, 6).from("a1".parse()?);
/// assert_eq!(tours.count(), Err(KnightsError::EndsOfClosed)); // only open tours have ends
/// # Ok::<(), topdd_chess::BoardError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KnightsError {
    /// The board has too many squares.
    #[error(
        "a {board} board is too large for tours: with a shorter side of {side} there can be at \
         most {most} squares; use a narrower or a smaller one",
        side = .board.rows.min(.board.cols)
    )]
    TooLarge {
        /// The board.
        board: Board,
        /// The maximum number of squares of a board of this width.
        most: usize,
    },
    /// An end, or a missing square, is not on the board.
    #[error(transparent)]
    OffBoard(#[from] BoardError),
    /// A fixed end is a missing square.
    #[error("square {square} is missing, so that no tour starts or ends there; choose another")]
    EndMissing {
        /// The square.
        square: Square,
    },
    /// Both ends are fixed at the same square.
    #[error(
        "an open tour cannot start and end on the same square, {square}; fix one end only, or ask for closed tours"
    )]
    SameEnds {
        /// The square given for both ends.
        square: Square,
    },
    /// An end of closed tours is fixed.
    #[error("a closed tour has no ends: `from` and `to` are for open tours; leave them out")]
    EndsOfClosed,
    /// The symmetry is a quarter turn, which is not supported.
    #[error("tours that a quarter turn leaves unchanged are not supported; ask for a half turn")]
    QuarterTurn,
    /// The symmetry requires a square board.
    #[error(
        "a {board} board has no such mirror: rows become columns on square boards only; choose another symmetry"
    )]
    NotSquare {
        /// The board.
        board: Board,
    },
    /// Symmetric tours are not available by time.
    #[error(
        "symmetric tours have variables by move or by square, not by time; choose PathEncoding::ByEdge \
         or ByVertex"
    )]
    SymmetricByTime,
    /// The apply engine failed.
    #[cfg(feature = "apply")]
    #[error(transparent)]
    Apply(#[from] topdd_apply::Error),
    /// The frontier engine failed.
    #[error(transparent)]
    Build(#[from] topdd::BuildError),
}
