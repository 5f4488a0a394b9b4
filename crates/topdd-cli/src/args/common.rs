//! What can be asked of every problem.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use num_bigint::BigUint;
use topdd_chess::Board;

use super::picture::{Grid, Pictures};
use crate::bytes;

/// What can be asked of every problem.
#[derive(Debug, Default, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "a flag of the command line is a bool")]
pub(crate) struct Common {
    /// Count without storing a diagram: less memory, but no solutions to show
    #[arg(long, help_heading = "Answer")]
    #[arg(conflicts_with_all = ["all", "limit", "nth", "sample", "dot", "save", "picture"])]
    pub(crate) count_only: bool,

    /// List all solutions, in the order of the variables
    #[arg(long, visible_alias = "list", help_heading = "Answer")]
    #[arg(conflicts_with_all = ["limit", "nth", "sample"])]
    pub(crate) all: bool,

    /// List the first K solutions
    #[arg(long, value_name = "K", help_heading = "Answer", conflicts_with_all = ["nth", "sample"])]
    pub(crate) limit: Option<usize>,

    /// Show the K-th solution, the first being number 1
    #[arg(long, value_name = "K", help_heading = "Answer", conflicts_with = "sample")]
    #[arg(value_parser = place, allow_negative_numbers = true)]
    pub(crate) nth: Option<BigUint>,

    /// Show K different solutions at random, all with the same chance
    #[arg(long, value_name = "K", help_heading = "Answer")]
    pub(crate) sample: Option<usize>,

    /// Draw the same sample again: any number, told with each sample
    #[arg(long, value_name = "NUMBER", help_heading = "Answer", requires = "sample")]
    pub(crate) seed: Option<u64>,

    /// Write the diagram to a file, as Graphviz text
    #[arg(long, value_name = "FILE", help_heading = "Answer")]
    pub(crate) dot: Option<PathBuf>,

    /// Save the diagram to a file, which `topdd list FILE` and others read
    ///
    /// Solutions in it are values of variables. Of queens by row, a variable is a row and its
    /// value the column, both counted from 0, rows from the bottom.
    #[arg(long, value_name = "FILE", help_heading = "Answer")]
    pub(crate) save: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) pictures: Pictures,

    /// Print the count and nothing else
    #[arg(long, short, help_heading = "Answer")]
    #[arg(conflicts_with_all = ["all", "limit", "nth", "sample", "json"])]
    pub(crate) quiet: bool,

    /// Print one JSON object, for scripts
    ///
    /// Its members are `problem` (an object), `count` (a string, for it may be larger than
    /// the numbers of other programs), `states` (null for the apply engine, which has
    /// none), `nodes` (null without a diagram),
    /// `seconds`, and `solutions`: the first one, or those that --all, --limit, --nth or
    /// --sample ask for, each a list of squares. With --unique, `total` is the count without
    /// it; with --sample, `seed` is what it was drawn by.
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

    /// Save finished levels in this directory, and resume from there when called again
    ///
    /// After any failure, the same command resumes from the last saved level. Limits and threads
    /// may differ. The files are removed once the answer has been printed and stored; topdd-lock
    /// stays. Only files named topdd-* are changed. The searches for --most and --unique before and
    /// after the run have no checkpoint.
    #[arg(long, value_name = "DIR", help_heading = "Limits")]
    pub(crate) checkpoint: Option<PathBuf>,

    /// Give up after this many seconds
    #[arg(long, value_name = "SECONDS", help_heading = "Limits", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// From the top down, one level after the other
    #[default]
    Frontier,
    /// By conjoining the diagrams of constraints: rows of queens, steps of knights
    Apply,
}

impl Common {
    /// Whether a diagram is needed for what is asked.
    pub(crate) fn needs_diagram(&self) -> bool {
        let written = self.dot.is_some() || self.save.is_some() || self.pictures.to_file();
        written || !(self.count_only || self.quiet)
    }

    /// How many solutions are listed.
    pub(crate) fn listed(&self) -> usize {
        let room = self.pictures.sheet.map_or(1, Grid::boards);
        if self.all { usize::MAX } else { self.limit.unwrap_or(room) }
    }
}

/// Reads the size of a board: the side of a square one, such as 8, or rows and columns, such
/// as 6x9.
pub(super) fn size(text: &str) -> Result<Board, String> {
    let advice = || "write a whole number, such as 8, or rows and columns, such as 6x9".to_owned();
    let (rows, cols) = text.split_once(['x', 'X']).unwrap_or((text, text));
    match (rows.parse(), cols.parse()) {
        (Ok(rows), Ok(cols)) => Ok(Board::new(rows, cols)),
        _ => Err(advice()),
    }
}

/// Reads a number of rows or columns.
pub(super) fn side(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "write a whole number, such as 8".to_owned())
}

/// Reads the place of a solution.
fn place(text: &str) -> Result<BigUint, String> {
    match text.parse() {
        Ok(place) if place == BigUint::ZERO => Err("the first solution is number 1".to_owned()),
        Ok(place) => Ok(place),
        Err(_) => Err("write a whole number, such as 1".to_owned()),
    }
}

/// Reads a time in seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "write a number of seconds, such as 60 or 0.5")?;
    Duration::try_from_secs_f64(number).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_places_are_read() {
        assert_eq!(size("8"), Ok(Board::new(8, 8)));
        assert_eq!(size("6x9"), Ok(Board::new(6, 9)));
        for text in ["", "x", "6x", "x9", "6x9x2", "-3", "eight"] {
            assert!(size(text).is_err_and(|error| error.contains("whole number")), "{text}");
        }
        assert_eq!(place("12345678901234567890123"), Ok(12345678901234567890123u128.into()));
        assert!(place("0").is_err() && place("-1").is_err() && place("one").is_err());
    }

    #[test]
    fn times_are_read() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for text in ["", "-1", "x", "inf", "nan"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
