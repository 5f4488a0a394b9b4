//! Problems on the chessboard.
//!
//! [`board`] is the geometry they share: squares, their names, drawings. Each problem
//! has a room of its own: [`queens`], [`knights`].

pub mod board;
pub mod knights;
pub mod queens;

pub use board::{Board, BoardError, Square};
pub use knights::{KnightsError, KnightsTours, Leaper, LeaperError};
pub use queens::{Queens, QueensError};
