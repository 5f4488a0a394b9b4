//! The command line and its help.
//!
//! Each command has a file of its own; `common` has the options that problems share.

mod advanced;
mod bench;
mod board;
#[cfg(feature = "cluster")]
mod cluster;
mod common;
mod configure;
mod file;
mod graph;
mod knights;
mod picture;
mod place;
mod queens;
mod shell;

use clap::{CommandFactory, Parser, Subcommand};

use crate::memory::{self, MemoryLimit, Remedies};

pub(crate) use advanced::Advanced;
pub(crate) use bench::Bench;
pub(crate) use common::{Common, Engine};
pub(crate) use configure::{Configure, How, OnBoard};
pub(crate) use file::{
    AsCode, AsRule, Best, Convert, Count, Drawn, FileCommand, Info, Input, List, Sample,
};
pub(crate) use graph::{DegreeCount, Graph, GraphOrder, PerItem, What};
pub(crate) use knights::{Knights, KnightsEncoding};
pub(crate) use picture::{Grid, is_png};
pub(crate) use place::{PiecesPlaced, Place, Rotation};
pub(crate) use queens::{Queens, QueensEncoding, QueensPlaced};
pub(crate) use shell::{Completions, Man};

/// Count, draw and list the solutions of puzzles and of graphs, exactly.
///
/// topdd solves a puzzle one choice at a time. Partial solutions with the same continuations merge,
/// so it counts solutions without listing them. The result is a decision diagram: a small graph
/// whose paths are the solutions.
#[derive(Debug, Parser)]
#[command(
    name = "topdd",
    version,
    propagate_version = true,
    arg_required_else_help = true,
    after_help = "Examples:
  topdd queens 8                    how many ways, and the first of them
  topdd queens 12 --quiet           only the number
  topdd queens 6 --list             every solution, as a board
  topdd queens 8 --unique --list    no board a turned or mirrored image of another
  topdd place kings 8 --most        other pieces that do not attack one another
  topdd knights 6x6                 closed knight's tours, and the first of them
  topdd knights 5x5 --open          open tours
  topdd queens 8 --svg board.svg    draw the board that is shown
  topdd graph trees map.txt         spanning trees, paths, .. of a graph in a file

--save FILE saves the diagram. info, count, list, sample, best and convert work on the file.
'topdd configure queens 8' and 'topdd configure FILE' decide step by step.

'topdd COMMAND --help' lists the options of a command. 'topdd help advanced' lists options and
commands that are seldom needed, such as --engine and bench.

Ranks of solutions, variables and values are counted from 0; rows of a board from 1.
Answers go to standard output; times, progress and errors go to standard error.

Exit codes:
    0  done
    1  failed: a limit was reached, or a file could not be read or written
    2  usage error: wrong arguments, or a problem that does not exist
    3  no such solution: a rank beyond the last one, or a sample of more than there are
  130  interrupted by Ctrl-C or SIGTERM"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Args {
    /// Reads the command line. Ends the process if it is wrong.
    pub(crate) fn read() -> Self {
        let mut args = Args::parse();
        if let Command::Graph(asked) = &mut args.command {
            asked.common.needs_solutions =
                asked.best.is_some() || matches!(asked.what, What::Reliability);
        }
        args
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Queens(Queens),
    Place(Place),
    Knights(Knights),
    Graph(Box<Graph>),
    #[command(flatten)]
    File(FileCommand),
    Configure(Configure),
    Completions(Completions),
    Man(Man),
    #[command(hide = true)]
    Bench(Bench),
    Advanced(Advanced),
}

impl Command {
    /// The options of a problem.
    fn common(&self) -> Option<&Common> {
        match self {
            Command::Queens(asked) => Some(&asked.common),
            Command::Place(asked) => Some(&asked.common),
            Command::Knights(asked) => Some(&asked.common),
            Command::Graph(asked) => Some(&asked.common),
            _ => None,
        }
    }

    /// Sets the memory limit of the process and the remedies of the command, if it needs much memory. Returns the
    /// limit.
    pub(crate) fn limit_memory(&self) -> Option<MemoryLimit> {
        Some(match self {
            Command::File(asked) => memory::set(asked.input().memory, None, Remedies::File),
            Command::Configure(_) => memory::set(None, None, Remedies::Configure),
            _ => {
                let common = self.common()?;
                #[cfg(feature = "cluster")]
                let share = common.cluster.memory_share;
                #[cfg(not(feature = "cluster"))]
                let share = None;
                let remedies = match self {
                    Command::Graph(asked) if asked.has_no_run() => Remedies::File,
                    Command::Graph(_) => common.remedies(true),
                    Command::Queens(asked) if asked.first => Remedies::SEARCH,
                    _ => common.remedies(false),
                };
                memory::set(common.memory, share, remedies)
            }
        })
    }
}

/// The command line without hidden commands and options, for completions and manual pages.
pub(crate) fn complete() -> clap::Command {
    let mut command = Args::command().mut_subcommand("bench", |bench| bench.hide(false));
    for problem in ["queens", "place", "knights", "graph"] {
        let shown = |problem: clap::Command| {
            problem.mut_args(|arg| {
                if ["engine", "no_forward_check"].contains(&arg.get_id().as_str()) {
                    arg.hide(false)
                } else {
                    arg
                }
            })
        };
        command = command.mut_subcommand(problem, shown);
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
        complete().debug_assert();
    }
}
