//! `topdd queens`.

use topdd_problem::{QueensEncoding, QueensProblem};

use super::common::{Common, EngineOption, Word, one_of};
use super::place::BoardConditions;

/// Queens, one in each row, none attacking another.
///
/// Queens attack along rows, columns and diagonals. There is one queen in each row, so a board with
/// more rows than columns has no solutions. With --exactly, --any or --maximal, rows may stay empty.
///
/// Squares are named as in chess: columns a to z, then aa, ab and so on; rows from 1,
/// counted from the bottom.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "a flag of the command line is a bool")]
#[command(after_help = "Examples:
  topdd queens 8                            92 solutions, and the first of them
  topdd queens 6x9                          a queen in each of 6 rows
  topdd queens 8 --given a1 --forbid e2,f2  complete a board
  topdd queens 8 --unique --list            12 boards, no two images of each other
  topdd queens 12 --symmetric=90            the same from all four sides
  topdd queens 11 --toroidal                diagonals wrap around
  topdd queens 10 --superqueens             queens that also attack as knights
  topdd queens 8 --exactly 5 --maximal      5 queens that leave no free square
  topdd queens 7 --colouring                7 colours, each a solution
  topdd queens 31 --first                   one solution, by search
  topdd queens 12 --sample 3 --seed 1       three at random
  topdd queens 8 --nth 50 --json            the solution of rank 50, for a script
  topdd queens 14 --count-only              no diagram: less memory
  topdd queens 8 --svg board.svg            a picture of the first board
  topdd queens 8 --unique --list --sheet 4x3 --svg all.svg
  topdd queens 8 --heat --png heat.png      how often each square is used
  topdd queens 12 --profile widths.svg      how wide the levels are
  topdd queens 5 --dot queens.dot           the diagram, for Graphviz

'topdd help advanced' has options that are seldom needed, such as --engine.")]
pub(crate) struct Queens {
    #[command(flatten)]
    pub(crate) placed: QueensPlaced,

    /// Count solutions that are turned or mirrored images of one another as one
    ///
    /// The image whose squares come first, row by row from a1, is shown. If squares are given or
    /// forbidden, only turns and reflections that preserve them are used.
    #[arg(long, conflicts_with = "heat")]
    pub(crate) unique: bool,

    /// Colour all squares so that each colour is a solution; boards up to 11x11
    #[arg(long, visible_alias = "coloring")]
    #[arg(conflicts_with_all = ["exactly", "any", "maximal", "symmetric", "unique", "encoding"])]
    #[arg(conflicts_with = "heat")]
    pub(crate) colouring: bool,

    /// Find one solution by search, without a diagram: for large boards
    ///
    /// Columns are tried in a random order, which is the same for each run. --memory-limit bounds
    /// the table of failed states.
    #[arg(long)]
    #[arg(conflicts_with_all = ["unique", "colouring", "encoding", "no_forward_check"])]
    #[arg(conflicts_with_all = ["count_only", "all", "limit", "nth", "sample", "quiet", "dot", "save"])]
    #[arg(conflicts_with_all = ["report", "engine", "threads", "spill_to", "checkpoint"])]
    #[arg(conflicts_with_all = ["sheet", "heat", "profile"])]
    pub(crate) first: bool,

    /// Do not drop states without solutions early: the same answer, more states
    #[arg(long, hide = true)]
    pub(crate) no_forward_check: bool,

    /// The meaning of a variable of the diagram
    ///
    /// By default a row. With --exactly, --any, --maximal, --symmetric, or --superqueens and --toroidal, it
    /// is a square.
    #[arg(long, value_parser = one_of(ENCODINGS))]
    pub(crate) encoding: Option<QueensEncoding>,

    #[command(flatten)]
    pub(crate) engine: EngineOption,

    #[command(flatten)]
    pub(crate) common: Common,
}

/// The queens, the board, and the squares where they may stand.
#[derive(Debug, clap::Args)]
pub(crate) struct QueensPlaced {
    #[command(flatten)]
    pub(crate) on: BoardConditions,

    /// Queens also attack as knights
    #[arg(long)]
    pub(crate) superqueens: bool,

    /// Place K queens; rows may stay empty
    #[arg(long, value_name = "K", conflicts_with = "any")]
    pub(crate) exactly: Option<usize>,

    /// Place any number of queens, also none; rows may stay empty
    #[arg(long)]
    pub(crate) any: bool,
}

impl Queens {
    /// The flag that makes a square a variable, if there is one.
    pub(crate) fn anywhere(&self) -> Option<&'static str> {
        // The apply engine is always by cell.
        let by_cell = self.encoding == Some(QueensEncoding::Cell) && !self.engine.is_apply();
        let super_by_cell = self.placed.superqueens && by_cell;
        self.placed.anywhere().or(super_by_cell.then_some("--superqueens by cell"))
    }
}

impl QueensPlaced {
    /// The queens as data.
    pub(crate) fn problem(&self, encoding: QueensEncoding) -> QueensProblem {
        let is_any = self.any || self.on.maximal;
        let number = self.exactly.or((!is_any).then_some(self.on.board.0.rows));
        QueensProblem { on: self.on.placing(), superqueens: self.superqueens, number, encoding }
    }

    /// The flag by which queens may stand anywhere, if there is one.
    pub(crate) fn anywhere(&self) -> Option<&'static str> {
        [
            ("--exactly", self.exactly.is_some()),
            ("--any", self.any),
            ("--maximal", self.on.maximal),
            ("--symmetric", self.on.symmetric.is_some()),
            ("--superqueens on a torus", self.superqueens && self.on.toroidal),
        ]
        .into_iter()
        .find_map(|(flag, given)| given.then_some(flag))
    }
}

const ENCODINGS: &[Word<QueensEncoding>] = &[
    ("row", "A row; its value is the column of the queen", QueensEncoding::Row),
    ("cell", "A square, with a queen or without", QueensEncoding::Cell),
];
