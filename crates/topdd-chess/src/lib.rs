//! Problems on the chessboard.
//!
//! [`board`] is the common geometry: squares, their names, drawings. Each problem
//! has a module: [`queens`] (one in each row), [`pieces`] (of any kind, none attacking another) and
//! [`knights`] (tours). [`symmetry`] identifies solutions that are images of one another, and
//! [`picture`] draws SVG.

pub mod board;
pub mod knights;
pub mod picture;
pub mod pieces;
pub mod queens;
pub mod symmetry;

pub use board::{Board, BoardError, Square};
pub use knights::{KnightsError, KnightsTours, Leaper, LeaperError};
pub use pieces::{Piece, Pieces, PiecesError};
pub use queens::{Queens, QueensError};
pub use symmetry::{Classes, Symmetry};
