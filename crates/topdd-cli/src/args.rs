//! What can be asked on the command line, and the help that says so.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};
use topdd_problems::chess::Square;

use crate::bytes;
use crate::file::args::FileCommand;

/// Count, draw and list the solutions of puzzles, exactly.
///
/// topdd walks through a puzzle one choice at a time, merges all beginnings that have
/// the same future, and so counts solutions without listing them. What remains is a
/// decision diagram: a small graph whose paths are the solutions.
#[derive(Debug, Parser)]
#[command(
    name = "topdd",
    version,
    propagate_version = true,
    arg_required_else_help = true,
    after_help = "Examples:
  topdd queens 8                    how many ways, and the first of them
  topdd queens 12 --quiet           just the number
  topdd queens 6 --all              every solution, as a board
  topdd knights 6 6                 closed knight's tours, and the first of them
  topdd knights 5 5 --open          open ones

With --save FILE a diagram is kept: 'topdd info FILE', count, list, sample, best and convert
work on it.

'topdd queens --help' and 'topdd knights --help' say more; 'topdd bench' tells how fast it is.

Exit codes: 0 done, 1 failed, 2 the command line makes no sense or asks for what cannot be done."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Queens(Queens),
    Knights(Knights),
    #[command(flatten)]
    File(FileCommand),
    Bench(Bench),
    /// One measurement of `topdd bench`, which calls this
    #[command(hide = true)]
    Measure(Measure),
}

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

/// Measure what topdd does on problems with known answers: the table of its speed.
///
/// Each case is built as a diagram and counted without one, on one thread and on two, each
/// time in a process of its own, so that the memory told is its own. Each count is held
/// against the published one. Without --memory, the largest cases take several GB and the
/// whole table takes many minutes.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  topdd bench --quick                       the small ones
  topdd bench --quick --only queens         those with \"queens\" in the name
  topdd bench --only \"tours 6x8\" --threads 2
  topdd bench --memory 4G --spill /tmp      the large ones go on on disk
  topdd bench --quick --json                for a script

The table is Markdown. Times are those of the sweep, the reduction and the count; states/s is states of
the sweep per second of that time; bytes/node is what the finished diagram takes.")]
pub(crate) struct Bench {
    /// Only cases with this in their names; may be given again
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,

    /// The numbers of threads to measure with
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = [1, 2])]
    pub(crate) threads: Vec<usize>,

    /// Only the sizes that take about a second or less
    #[arg(long)]
    pub(crate) quick: bool,

    /// Print one JSON object per measurement, each on a line of its own
    #[arg(long)]
    pub(crate) json: bool,

    /// Measure under this limit of memory, such as 500M or 4G
    #[arg(long, value_name = "SIZE", value_parser = bytes::parse)]
    pub(crate) memory: Option<usize>,

    /// Go on on disk, in this directory, where --memory leaves too little room
    #[arg(long, value_name = "DIR", requires = "memory")]
    pub(crate) spill: Option<PathBuf>,
}

/// What the process of one measurement is asked.
#[derive(Debug, clap::Args)]
pub(crate) struct Measure {
    /// The name of the case
    pub(crate) case: String,

    #[command(flatten)]
    pub(crate) common: Common,
}

/// What can be asked of every problem.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "a flag of the command line is a bool")]
pub(crate) struct Common {
    /// Count without storing a diagram: less memory, but no solutions to show
    #[arg(long, help_heading = "Answer")]
    #[arg(conflicts_with_all = ["all", "limit", "dot", "save"])]
    pub(crate) count_only: bool,

    /// List all solutions, in the order of the variables
    #[arg(long, help_heading = "Answer", conflicts_with = "limit")]
    pub(crate) all: bool,

    /// List the first K solutions
    #[arg(long, value_name = "K", help_heading = "Answer")]
    pub(crate) limit: Option<usize>,

    /// Write the diagram to a file, as Graphviz text
    #[arg(long, value_name = "FILE", help_heading = "Answer")]
    pub(crate) dot: Option<PathBuf>,

    /// Save the diagram to a file, which `topdd list FILE` and others read
    ///
    /// Solutions in it are values of variables. Of queens by row, a variable is a row and its
    /// value the column, both counted from 0 and rows from the top.
    #[arg(long, value_name = "FILE", help_heading = "Answer")]
    pub(crate) save: Option<PathBuf>,

    /// Print the count and nothing else
    #[arg(long, short, help_heading = "Answer", conflicts_with_all = ["all", "limit", "json"])]
    pub(crate) quiet: bool,

    /// Print one JSON object, for scripts
    ///
    /// Its members are `problem` (an object), `count` (a string, for it may be larger than
    /// the numbers of other programs), `states` (null for the apply engine, which has
    /// none), `nodes` (null without a diagram),
    /// `seconds`, and `solutions`: the first one, or those that --all or --limit ask for,
    /// each a list of squares.
    #[arg(long, help_heading = "Answer")]
    pub(crate) json: bool,

    /// Tell on standard error what the run came to, level by level, as each is done
    #[arg(long, help_heading = "Answer")]
    pub(crate) report: bool,

    /// How the diagram is made
    ///
    /// The apply engine takes queens by square and knight's tours by time and square,
    /// whatever --encoding says. It works on one thread and knows no --time-limit.
    #[arg(long, value_enum, default_value_t = Engine::Frontier, help_heading = "Engine")]
    pub(crate) engine: Engine,

    /// Work with N threads; as many as there are cores unless given
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) threads: Option<usize>,

    /// Give up when the states need more memory, such as 500M or 4G
    #[arg(long, value_name = "SIZE", help_heading = "Limits", value_parser = bytes::parse)]
    #[arg(alias = "memory-limit")]
    pub(crate) memory: Option<usize>,

    /// Go on on disk, in this directory, where --memory leaves too little room
    ///
    /// The files have no names there and are gone when the run ends, however it ends. With
    /// --checkpoint, they are written to that directory instead, once.
    #[arg(long, value_name = "DIR", help_heading = "Limits", requires = "memory")]
    pub(crate) spill: Option<PathBuf>,

    /// Save each finished level in this directory, and go on from there when called again
    ///
    /// The same command, called again after whatever ended it, goes on with the last
    /// level that was finished. Limits and threads may differ. When the run is done, its
    /// files are removed. Only files named topdd-* are touched.
    #[arg(long, value_name = "DIR", help_heading = "Limits")]
    pub(crate) checkpoint: Option<PathBuf>,

    /// Give up after this many seconds
    #[arg(long, value_name = "SECONDS", help_heading = "Limits", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// From the top down, one level after the other
    Frontier,
    /// By conjoining the diagrams of constraints: rows of queens, steps of knights
    Apply,
}

impl Common {
    /// Whether a diagram is needed for what is asked.
    pub(crate) fn needs_diagram(&self) -> bool {
        self.dot.is_some() || self.save.is_some() || !(self.count_only || self.quiet)
    }

    /// How many solutions are listed.
    pub(crate) fn listed(&self) -> usize {
        if self.all { usize::MAX } else { self.limit.unwrap_or(1) }
    }
}

/// Reads a number of rows or columns.
fn side(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "write a whole number, such as 8".to_owned())
}

/// Reads a time in seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "write a number of seconds, such as 60 or 0.5")?;
    Duration::try_from_secs_f64(number).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn times_are_read() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for text in ["", "-1", "x", "inf", "nan"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
