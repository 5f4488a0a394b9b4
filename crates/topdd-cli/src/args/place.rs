//! `topdd place`.

use topdd_chess::{Board, Piece, Square};
use topdd_problem::{PiecesProblem, Placing, Turn};

use super::board::BoardSize;
use super::common::{Common, Word, one_of};

/// Pieces that do not attack one another.
///
/// By default, as many pieces as the board has rows; see --exactly, --any, --most and --maximal.
/// Forbidden squares do not block attacks.
///
/// Squares are named as in chess: columns a to z, then aa, ab and so on; rows from 1,
/// counted from the bottom.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  topdd place bishops 6                       53744 ways to place 6 of them on 6x6
  topdd place kings 8 --any                   any number of them, also none
  topdd place kings 5x8 --most                the largest possible number, and how many ways
  topdd place knights 5 --exactly 13 --list   every way, as a board
  topdd place rooks 4 --maximal               those that leave no free square
  topdd place bishops 6 --unique              images of one another count as one
  topdd place kings 8 --exactly 9 --given a1  complete a board
  topdd place kings 6 --most --png kings.png

'topdd help advanced' has options that are seldom needed.")]
pub(crate) struct Place {
    #[command(flatten)]
    pub(crate) placed: PiecesPlaced,

    /// Count solutions that are turned or mirrored images of one another as one
    ///
    /// The image whose squares come first, row by row from a1, is shown. If squares are given or
    /// forbidden, only turns and reflections that preserve them are used.
    #[arg(long, conflicts_with = "heat")]
    pub(crate) unique: bool,

    #[command(flatten)]
    pub(crate) common: Common,
}

/// The pieces, the board, and the squares where they may stand.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "a flag of the command line is a bool")]
pub(crate) struct PiecesPlaced {
    /// The pieces
    #[arg(value_parser = one_of(PIECES))]
    pub(crate) piece: Piece,

    #[command(flatten)]
    pub(crate) on: BoardConditions,

    /// Place K pieces
    #[arg(long, value_name = "K", conflicts_with_all = ["any", "most"])]
    pub(crate) exactly: Option<usize>,

    /// Place any number of pieces, also none
    #[arg(long, conflicts_with_all = ["most"])]
    pub(crate) any: bool,

    /// Place the largest possible number of pieces
    #[arg(long)]
    pub(crate) most: bool,
}

/// A board, and the conditions on its squares.
#[derive(Debug, clap::Args)]
pub(crate) struct BoardConditions {
    #[command(flatten)]
    pub(crate) board: BoardSize,

    /// Squares that must hold a piece, such as a1,c2
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    pub(crate) given: Vec<Square>,

    /// Squares that must not hold a piece, such as b3
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    pub(crate) forbid: Vec<Square>,

    /// Join the left and the right side, and on a square board top and bottom, so that diagonals wrap around
    #[arg(long)]
    pub(crate) toroidal: bool,

    /// Leave no square free: each is occupied, attacked or forbidden; any number of pieces, unless it is given
    #[arg(long)]
    pub(crate) maximal: bool,

    /// Only boards that look the same after a turn by DEGREES; by default, by 180
    #[arg(long, value_name = "DEGREES", value_parser = one_of(TURNS))]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "180")]
    pub(crate) symmetric: Option<Turn>,
}

/// Pieces, in the plural.
const PIECES: &[Word<Piece>] = &[
    ("kings", "One square in any direction", Piece::King),
    ("queens", "Along rows, columns and diagonals", Piece::Queen),
    ("rooks", "Along rows and columns", Piece::Rook),
    ("bishops", "Along diagonals", Piece::Bishop),
    ("knights", "Two squares one way and one the other", Piece::Knight),
    ("superqueens", "As queens and as knights", Piece::Superqueen),
];

/// Turns of the board.
const TURNS: &[Word<Turn>] = &[
    ("180", "A half turn", Turn::Half),
    ("90", "A quarter turn, on a square board", Turn::Quarter),
];

impl BoardConditions {
    /// The board and its conditions as data.
    pub(crate) fn placing(&self) -> Placing {
        let Board { rows, cols } = self.board.0;
        Placing {
            rows,
            cols,
            given: self.given.clone(),
            forbidden: self.forbid.clone(),
            toroidal: self.toroidal,
            maximal: self.maximal,
            symmetric: self.symmetric,
        }
    }
}

impl PiecesPlaced {
    /// The pieces as data; of --most, their number is any.
    pub(crate) fn problem(&self) -> PiecesProblem {
        let is_any = self.any || self.most || self.on.maximal;
        let number = self.exactly.or((!is_any).then_some(self.on.board.0.rows));
        PiecesProblem { piece: self.piece, on: self.on.placing(), number, most: self.most }
    }
}
