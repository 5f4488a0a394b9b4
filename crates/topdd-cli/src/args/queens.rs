//! `topdd queens`.

use clap::ValueEnum;
use topdd_problems::chess::Square;

use super::common::{Common, side};

/// Queens, one in each row, none attacking another.
///
/// Queens attack along rows, columns and diagonals. The board is N x N, or any other
/// with --rows and --cols: there is one queen in each row, so there may be fewer rows
/// than columns, and with more rows than columns there are no solutions.
///
/// Squares are named as in chess: columns a to z, then aa, ab and so on; rows from 1,
/// counted from the bottom.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  topdd queens 8                            92 solutions, and the first of them
  topdd queens --rows 6 --cols 9            a queen in each of 6 rows
  topdd queens 8 --given a1 --forbid e2,f2  complete a board
  topdd queens 11 --toroidal                diagonals wrap around
  topdd queens 14 --count-only              no diagram: less memory
  topdd queens 6 --all                      every solution, as a board
  topdd queens 8 --limit 3 --json           three solutions, for a script
  topdd queens 5 --dot queens.dot           the diagram, for Graphviz")]
pub(crate) struct Queens {
    /// Rows and columns of a square board
    #[arg(value_name = "N", required_unless_present_any = ["rows", "cols"])]
    #[arg(conflicts_with_all = ["rows", "cols"], value_parser = side, allow_negative_numbers = true)]
    pub(crate) size: Option<usize>,

    /// Rows, each with one queen
    #[arg(long, value_name = "R", requires = "cols", value_parser = side)]
    pub(crate) rows: Option<usize>,

    /// Columns, at most 64
    #[arg(long, value_name = "C", requires = "rows", value_parser = side)]
    pub(crate) cols: Option<usize>,

    /// Squares that must hold a queen, such as a1,c2
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    pub(crate) given: Vec<Square>,

    /// Squares that must not hold a queen, such as b3
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    pub(crate) forbid: Vec<Square>,

    /// Diagonals wrap around the edges of the board
    #[arg(long)]
    pub(crate) toroidal: bool,

    /// Keep states that can be seen to lead nowhere: the same answer, more states
    #[arg(long)]
    pub(crate) no_forward_check: bool,

    /// What a variable of the diagram is
    #[arg(long, value_enum, default_value_t = QueensEncoding::Row)]
    pub(crate) encoding: QueensEncoding,

    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum QueensEncoding {
    /// A row; its value is the column of the queen
    Row,
    /// A square, with a queen or without
    Cell,
}
