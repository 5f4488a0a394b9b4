//! Problems on the chessboard.
//!
//! [`board`] is the common geometry: squares, their names, drawings. Each problem
//! has a module: [`queens`] (one in each row), [`pieces`] (of any kind, none attacking another) and
//! [`knights`] (tours). [`symmetry`] identifies solutions that are images of one another.
//!
//! | problem | diagram | number alone | limits, spilling, checkpoints | spec |
//! | --- | --- | --- | --- | --- |
//! | [`Queens`] | [`zdd`](Queens::zdd) | [`count`](Queens::count) | [`frontier`](Queens::frontier) | [`spec`](Queens::spec) |
//! | [`Pieces`] | [`zdd`](Pieces::zdd) | [`count`](Pieces::count) | [`frontier`](Pieces::frontier) | [`spec`](Pieces::spec) |
//! | [`KnightsTours`] | [`zdd`](KnightsTours::zdd) | [`count`](KnightsTours::count) | [`frontier`](KnightsTours::frontier) | [`spec`](KnightsTours::spec) |
//!
//! ```
//! use topdd_chess::{Board, KnightsTours, Piece, Pieces, Queens};
//!
//! assert_eq!(Queens::new(8).count()?, 92u32.into());
//! assert_eq!(Pieces::new(Piece::King, Board::new(4, 4)).exactly(4).count()?, 79u32.into());
//! assert_eq!(KnightsTours::closed(5, 6).count()?, 8u32.into());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Rows, columns, variables and values are numbered from 0; squares have their names in chess. The
//! cost of each is one sweep: time and memory grow with the number of states, which is
//! exponential in the shorter side of the board.

pub mod board;
pub mod knights;
pub mod pieces;
pub mod queens;
pub mod symmetry;

pub use board::{Board, BoardError, Square};
pub use knights::{KnightsError, KnightsTours, Leaper, LeaperError};
pub use pieces::{Piece, Pieces, PiecesError};
pub use queens::{Queens, QueensError};
pub use symmetry::{Classes, Symmetry};

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
