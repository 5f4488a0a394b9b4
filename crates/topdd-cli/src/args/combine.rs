//! `topdd combine`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Drawn, Input};

/// A set operation on the solutions of two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Operation {
    /// The solutions of both files
    And,
    /// The solutions of either file
    Or,
    /// The solutions of FILE that are not solutions of OTHER
    Difference,
    /// The solutions of exactly one of the two files
    Xor,
}

/// Combine the solutions of two files: those in both, in either, or in one and not the other.
///
/// Variables are matched by name if both files have names, as files of `topdd graph` do: edges, or vertices. The files
/// may be of different families, and have their variables in different orders. An edge or vertex that only one of the
/// files has is in no solution of the other. Without names, variables are matched by number. The result keeps the graph
/// and the names, and the problem if both files have the same one.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  topdd combine q10.tdd and a1.tdd                   how many are in both
  topdd combine q10.tdd difference a1.tdd --list
  topdd combine q10.tdd or a1.tdd --save both.tdd    for list, count, best and others

JSON: count, nodes; with --list or --limit solutions (as of `topdd list`).")]
pub(crate) struct Combine {
    #[command(flatten)]
    pub(crate) input: Input,

    /// The operation
    #[arg(value_enum)]
    pub(crate) operation: Operation,

    /// The file of the other diagram; options of reading hold for both files
    #[arg(value_name = "OTHER")]
    pub(crate) other: PathBuf,

    /// Save the result to a file in topdd's own format; - is standard output, in place of the answer
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,

    /// List all solutions
    #[arg(long, conflicts_with = "limit")]
    pub(crate) list: bool,

    /// List the first K solutions
    #[arg(long, value_name = "K")]
    pub(crate) limit: Option<usize>,

    #[command(flatten)]
    pub(crate) drawn: Drawn,
}
