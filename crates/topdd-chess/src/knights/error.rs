//! The errors of knight's tours.

use thiserror::Error;

use super::super::board::{Board, BoardError, Square};

/// Errors in the parameters of [`KnightsTours`](super::KnightsTours), or of a sweep.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KnightsError {
    /// The board has more squares than can be planned for.
    #[error(
        "a {board} board is too large for tours: with a shorter side of {side} there can be at \
         most {most} squares; use a narrower or a smaller one",
        side = .board.rows.min(.board.cols)
    )]
    TooLarge {
        /// The board.
        board: Board,
        /// The most squares there can be on boards as wide.
        most: usize,
    },
    /// An end, or a missing square, is not on the board.
    #[error(transparent)]
    OffBoard(#[from] BoardError),
    /// A tour was asked to start or end on a square that is missing.
    #[error("square {square} is missing, so that no tour starts or ends there; choose another")]
    EndMissing {
        /// The square.
        square: Square,
    },
    /// A tour was asked to end where it starts.
    #[error(
        "an open tour cannot start and end on the same square, {square}; fix one end only, or ask for closed tours"
    )]
    SameEnds {
        /// The square given for both ends.
        square: Square,
    },
    /// Ends were fixed, but a closed tour has none.
    #[error("a closed tour has no ends: `from` and `to` are for open tours; leave them out")]
    EndsOfClosed,
    /// Tours with the symmetry of a quarter turn were asked for.
    #[error("tours that a quarter turn leaves unchanged are not supported; ask for a half turn")]
    QuarterTurn,
    /// A mirror that only square boards have.
    #[error(
        "a {board} board has no such mirror: rows become columns on square boards only; choose another symmetry"
    )]
    NotSquare {
        /// The board.
        board: Board,
    },
    /// Symmetric tours were asked for by time.
    #[error(
        "symmetric tours have variables by move or by square, not by time; choose PathEncoding::ByEdge \
         or ByVertex"
    )]
    SymmetricByTime,
    /// The frontier engine failed.
    #[error(transparent)]
    Build(#[from] topdd::BuildError),
}
