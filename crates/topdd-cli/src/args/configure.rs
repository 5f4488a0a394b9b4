//! `topdd configure`.

use std::path::PathBuf;

use clap::Subcommand;
use topdd_problem::dialogue;

use super::boards::{PiecesPlaced, QueensPlaced};
use super::common::seed;
use super::graph::ConfigureGraph;

/// Decide step by step, with all consequences shown at once.
///
/// Shows a board of pieces, the board of a saved diagram, or its variables as a table; of a graph, the page
/// in the browser shows a map. After each decision, each square or value is shown as chosen, forced, free,
/// forbidden or impossible. A piece on a free square can always be completed to a solution. Decisions can be
/// taken back in any order. For an impossible square, the conflicting decisions are shown, and it can be
/// chosen anyway: the fewest decisions that oppose it are taken back. At the end, the decisions are printed.
///
/// The dialogue reads commands, one per line, and replies to each in a line. At a terminal, the board or the table is
/// shown after each decision.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_help = format!("Examples:
  topdd configure queens 8                  a chessboard in the terminal
  topdd configure queens 8 --given d1
  topdd configure queens 6 --any            rows may stay empty
  topdd configure place kings 6 --most      other pieces
  topdd configure graph trees map.txt       the edges of a graph
  topdd configure queens 8 --web --open     a page in the browser
  topdd queens 10 --save q10.tdd
  topdd configure q10.tdd                   a saved diagram: its board, or its variables
  topdd configure q10.tdd --weights w.txt   with the least weight that is left
  echo 'choose a1; why b3; sample' | tr ';' '\\n' | topdd configure queens 8

Commands, where a1 is a square, a variable and its value (3=2), or an edge or vertex:
{}", dialogue::help()))]
pub(crate) struct Configure {
    #[command(subcommand)]
    pub(crate) problem: Option<Decided>,

    /// The file of a diagram, as --save or `topdd convert` wrote it
    #[arg(value_name = "FILE", required = true)]
    pub(crate) file: Option<PathBuf>,

    /// Show the variables and values of FILE, also where it has a board, a graph or the moves of tours
    #[arg(long, requires = "file")]
    pub(crate) values: bool,

    #[command(flatten)]
    pub(crate) weighed: Weighed,

    #[command(flatten)]
    pub(crate) how: How,
}

/// The problems whose solutions can be decided on without a file.
#[derive(Debug, Subcommand)]
pub(crate) enum Decided {
    Queens(ConfigureQueens),
    Place(ConfigurePlace),
    // Its texts are in `graph`.
    Graph(ConfigureGraph),
}

/// Place queens on a board, none attacking another.
///
/// By default one queen in each row; see --exactly, --any and --maximal.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  topdd configure queens 8
  topdd configure queens 6x9 --forbid a1
  topdd configure queens 11 --toroidal
  topdd configure queens 8 --exactly 5 --maximal
  topdd configure queens 12 --symmetric      one decision, two queens")]
pub(crate) struct ConfigureQueens {
    #[command(flatten)]
    pub(crate) placed: QueensPlaced,

    #[command(flatten)]
    pub(crate) how: How,
}

/// Place pieces that do not attack one another.
///
/// By default, as many pieces as the board has rows; see --exactly, --any, --most and --maximal.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  topdd configure place kings 6 --most
  topdd configure place knights 5 --exactly 13
  topdd configure place bishops 6 --maximal")]
pub(crate) struct ConfigurePlace {
    #[command(flatten)]
    pub(crate) placed: PiecesPlaced,

    #[command(flatten)]
    pub(crate) how: How,
}

/// The weights of solutions.
#[derive(Debug, clap::Args)]
pub(crate) struct Weighed {
    /// The file of weights; by default, the weights of the graph, or 1 for each edge or vertex
    ///
    /// `topdd best --help` describes such a file. The least weight that is left is shown after each decision.
    #[arg(long, value_name = "WEIGHTS")]
    pub(crate) weights: Option<PathBuf>,

    /// Show the largest weight in place of the least one
    #[arg(long)]
    pub(crate) max: bool,
}

/// The form of the dialogue.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct How {
    /// The seed of samples; by default, a new one for each run
    #[arg(long, value_name = "NUMBER", value_parser = seed)]
    pub(crate) seed: Option<u64>,

    /// Print only one line for each command, also at a terminal
    #[arg(long)]
    pub(crate) script: bool,

    #[command(flatten)]
    pub(crate) browser: Browser,

    /// Print JSON objects, one per line, for scripts
    ///
    /// Each answer has `command`, `done`, `message`, `left` (a string) and `because`, a list of
    /// decisions. The last object has `title`, `left` and `all` (numbers of solutions, as strings), `weight` (the best
    /// weight left, a string, or null), `decisions`, `commands` (of a script, for these decisions), and the lists `chosen`,
    /// `forced` and `free` of squares or values.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The dialogue as a page in the browser.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Browser {
    /// Decide on a page in the browser
    ///
    /// Prints the address of the page, which only this machine can reach, and serves it until Ctrl-C. The
    /// decisions are in the address, behind the #: they survive reloading, and can be copied.
    #[arg(long, conflicts_with_all = ["script", "json"])]
    pub(crate) web: bool,

    /// Open the page in the browser at once
    #[arg(long, requires = "web")]
    pub(crate) open: bool,
}
