//! What can be asked on the command line, and the help that says so.
//!
//! Each command has a file of its own; `common` is what they share.

mod bench;
mod common;
mod configure;
mod file;
mod knights;
mod picture;
mod place;
mod queens;
mod shell;

use clap::{Parser, Subcommand};

pub(crate) use bench::Bench;
pub(crate) use common::{Common, Engine};
pub(crate) use configure::{Configure, How, OnBoard};
pub(crate) use file::{
    AsCode, AsRule, Best, Convert, Count, FileCommand, Info, Input, List, Sample,
};
pub(crate) use knights::{Knights, KnightsEncoding};
pub(crate) use picture::{Grid, is_png};
pub(crate) use place::{PiecesPlaced, Place, Turn};
pub(crate) use queens::{Queens, QueensEncoding, QueensPlaced};
pub(crate) use shell::{Completions, Man};

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
  topdd queens 6 --list             every solution, as a board
  topdd queens 8 --unique --list    those that are no images of one another
  topdd place kings 8 --most        other pieces that do not attack one another
  topdd knights 6x6                 closed knight's tours, and the first of them
  topdd knights 5x5 --open          open ones
  topdd queens 8 --svg board.svg    draw the board that is shown

With --save FILE a diagram is kept: 'topdd info FILE', count, list, sample, best and convert
work on it, and 'topdd configure queens 8', or FILE, lets you decide step by step.

'topdd queens --help', and so on, say more; 'topdd bench' tells how fast it is.

Exit codes: 0 done, 1 failed, 2 the command line makes no sense or asks for what cannot be done,
130 interrupted."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Queens(Queens),
    Place(Place),
    Knights(Knights),
    #[command(flatten)]
    File(FileCommand),
    Configure(Configure),
    Completions(Completions),
    Man(Man),
    Bench(Bench),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }
}
