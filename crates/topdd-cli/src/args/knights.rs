//! `topdd knights`.

use clap::ValueEnum;
use topdd_problems::chess::Square;

use super::common::{Common, side};

/// Knight's tours: every square once, by knight's moves.
///
/// A closed tour, the default, returns to where it started; an open one need not. Tours
/// have no direction: a tour and its reverse are one, and a closed tour may be read from
/// any of its squares. Boards are drawn with the squares numbered as they are visited.
///
/// Squares are named as in chess: columns a to z, then aa, ab and so on; rows from 1,
/// counted from the bottom.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  topdd knights 6 6                         9862 closed tours, and the first of them
  topdd knights 5 5 --open                  864 open tours
  topdd knights 5 5 --open --from a1        those with an end in the corner
  topdd knights 5 5 --open --from a1 --to e5
  topdd knights 6 7 --count-only            no diagram: less memory
  topdd knights 3 10 --all                  every tour, as a board
  topdd knights 5 6 --limit 3 --json        three tours, for a script
  topdd knights 5 6 --encoding edge --dot knights.dot")]
pub(crate) struct Knights {
    /// Rows of the board
    #[arg(value_parser = side, allow_negative_numbers = true)]
    pub(crate) rows: usize,

    /// Columns of the board
    #[arg(value_parser = side, allow_negative_numbers = true)]
    pub(crate) cols: usize,

    /// Count tours that need not return to where they started
    #[arg(long)]
    pub(crate) open: bool,

    /// The square where an open tour starts, such as a1
    #[arg(long, value_name = "SQUARE", requires = "open")]
    pub(crate) from: Option<Square>,

    /// The square where an open tour ends, such as e5
    #[arg(long, value_name = "SQUARE", requires = "open")]
    pub(crate) to: Option<Square>,

    /// What a variable of the diagram is
    #[arg(long, value_enum, default_value_t = KnightsEncoding::Square)]
    pub(crate) encoding: KnightsEncoding,

    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KnightsEncoding {
    /// Two squares a move apart, with the move or without
    Edge,
    /// A square; its value says by which moves it is joined to later squares
    Square,
}
