//! Problems on the chessboard.
//!
//! [`board`] is the geometry they share: squares, their names, drawings. Each problem
//! has a room of its own: [`queens`].

pub mod board;
pub mod queens;

pub use board::{Board, BoardError, Square};
pub use queens::{Queens, QueensError};
