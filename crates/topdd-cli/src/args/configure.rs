//! `topdd configure`.

use std::path::PathBuf;

use clap::Subcommand;

use super::place::PiecesPlaced;
use super::queens::QueensPlaced;

/// Decide step by step, with all consequences shown at once.
///
/// A board of pieces, or the variables of a diagram in a file. After each decision every
/// square, or value, is shown as chosen, forced, free, forbidden or impossible, and what is free
/// can be completed to a solution. Decisions are taken back in any order; what is impossible
/// tells which decisions rule it out. When it ends, what was decided is printed.
///
/// Where standard input is no terminal, or with --script, commands are read from it, one in a
/// line: choose, forbid, free, why and is, each with a square (a1) or a variable and a value (3=2);
/// undo, redo, sample, clear, left, decisions, show, quit. Each is answered in a line.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_help = "Examples:
  topdd configure queens 8                  a chessboard in the terminal
  topdd configure queens 8 --given d1
  topdd configure queens 6 --any            rows may stay empty
  topdd configure place kings 6 --most      other pieces
  topdd queens 10 --save q10.tdd
  topdd configure q10.tdd                   any saved diagram, as a table of values
  echo 'choose a1; why b3; sample' | tr ';' '\\n' | topdd configure queens 8

Keys: arrows or hjkl move, Home, End and PageUp, PageDown far; Tab goes to the next free square;
Enter or space chooses or takes back; x forbids or lifts that; ? tells why; u undoes, r does it
again; s completes at random, all solutions with the same chance; c clears; q ends.")]
pub(crate) struct Configure {
    #[command(subcommand)]
    pub(crate) board: Option<OnBoard>,

    /// The file of a diagram, as --save or `topdd convert` wrote it
    #[arg(value_name = "FILE", required = true)]
    pub(crate) file: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) how: How,
}

/// The boards that can be configured.
#[derive(Debug, Subcommand)]
pub(crate) enum OnBoard {
    Queens(ConfigureQueens),
    Place(ConfigurePlace),
}

/// Place queens on a board, none attacking another.
///
/// One queen in each row, unless --queens, --any or --maximal says otherwise.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  topdd configure queens 8
  topdd configure queens 6x9 --forbid a1
  topdd configure queens 11 --toroidal
  topdd configure queens 8 --queens 5 --maximal
  topdd configure queens 12 --symmetric      one decision, two queens")]
pub(crate) struct ConfigureQueens {
    #[command(flatten)]
    pub(crate) placed: QueensPlaced,

    #[command(flatten)]
    pub(crate) how: How,
}

/// Place pieces that do not attack one another, wherever they stand.
///
/// As many as the board has rows, unless --count, --any, --most or --maximal says otherwise.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  topdd configure place kings 6 --most
  topdd configure place knights 5 --count 13
  topdd configure place bishops 6 --maximal")]
pub(crate) struct ConfigurePlace {
    #[command(flatten)]
    pub(crate) placed: PiecesPlaced,

    #[command(flatten)]
    pub(crate) how: How,
}

/// How the dialogue is held.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct How {
    /// Draw the same samples again: any number
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,

    /// Read commands from standard input, one in a line
    #[arg(long)]
    pub(crate) script: bool,

    /// Answer and end with JSON objects, one in a line, for scripts
    ///
    /// Each answer has `command`, `done`, `message`, `left` (a string) and `because`, a list of
    /// decisions; the last object tells `left`, `decisions` and the values, or squares, that still
    /// stand.
    #[arg(long)]
    pub(crate) json: bool,
}
