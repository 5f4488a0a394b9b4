//! The command line and its help.
//!
//! There is a file for each group of commands. `common` has the options that problems share, and `graph/groups` those
//! that families of graphs share.

#![allow(clippy::struct_excessive_bools, reason = "a flag of the command line is a bool")]

mod boards;
mod cnf;
mod common;
mod configure;
mod cover;
mod file;
mod graph;
mod opb;
mod picture;
mod refused;
mod selection;
mod shell;

use std::env;

use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::memory::{self, MemoryLimit};

pub(crate) use boards::{Knights, PiecesPlaced, Place, Queens};
pub(crate) use cnf::Cnf;
pub(crate) use common::{BoundedArgs, Common, Engine, SEEDS};
pub(crate) use configure::{Configure, Decided, How, Weighed};
pub(crate) use cover::Cover;
pub(crate) use file::{
    Best, Combine, Convert, Count, Drawn, FileCommand, Info, Input, List, Sample,
};
pub(crate) use graph::{
    Bicliques, Colourings, Cuts, Ends, Family, FamilyOptions, Graph, GraphInput, Info as GraphInfo,
    Partitions, PerItem, Predict, Question, Reliability, SetConditions, Sets, Terminals,
};
pub(crate) use opb::Opb;
pub(crate) use picture::{Grid, is_png};
pub(crate) use selection::{Extremes, FileSelection, Selection, SumOptions, whole, whole_bounds};
pub(crate) use shell::{Advanced, Completions, Man};

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
  topdd graph paths map.txt         paths, spanning trees, .. of a graph in a file
  topdd cnf model.cnf               models of a formula in a file
  topdd cover tiles.txt             exact covers, such as tilings, in a file
  topdd opb knapsack.opb            solutions of linear constraints in a file

--save FILE saves the diagram. info, count, list, sample, best, combine and convert work on the file.
'topdd configure queens 8' and 'topdd configure FILE' decide step by step.

'topdd COMMAND --help' lists the options of a command. 'topdd help advanced' lists options that
are seldom needed, such as --engine.

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
    /// Reads the command line. Ends the process if it is wrong, or asks for help. The error is a message: an option is
    /// for other problems, or a command is a program of its own.
    pub(crate) fn read() -> Result<Self, String> {
        let mut command = with_negative_numbers(Args::command());
        let matches = command.try_get_matches_from_mut(env::args_os());
        let read = matches.and_then(|matches| Args::from_arg_matches(&matches));
        read.or_else(|error| {
            let error = error.format(&mut command);
            let words = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
            match refused::message(&error, Args::command(), words) {
                Some(message) => Err(message),
                None => error.exit(),
            }
        })
    }
}

/// Lets options take negative numbers, so that the error is worded by the reader of the number.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let option = |arg: Arg| {
        let has_value = !arg.is_positional() && arg.get_action().takes_values();
        if has_value { arg.allow_negative_numbers(true) } else { arg }
    };
    command.mut_args(option).mut_subcommands(with_negative_numbers)
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Queens(Queens),
    Place(Place),
    Knights(Knights),
    // Its texts are in `graph`.
    Graph(Graph),
    Cnf(Cnf),
    Cover(Cover),
    Opb(Opb),
    #[command(flatten)]
    File(FileCommand),
    Configure(Configure),
    Completions(Completions),
    Man(Man),
    Advanced(Advanced),
}

impl Command {
    /// Sets the memory limit of the process, if the command needs much memory. Returns the limit, and whether it is of a
    /// sweep.
    pub(crate) fn limit_memory(&self) -> Option<(MemoryLimit, bool)> {
        let of_run =
            |common: &Common| (common.limits.memory_limit, common.cluster.memory_share, true);
        let (given, share, is_run) = match self {
            Command::File(asked) => (asked.input().memory_limit, None, false),
            Command::Configure(_) => (None, None, true),
            Command::Queens(asked) => of_run(&asked.common),
            Command::Place(asked) => of_run(&asked.common),
            Command::Knights(asked) => of_run(&asked.common),
            Command::Cover(asked) => of_run(&asked.common),
            Command::Cnf(asked) => (asked.limits.memory_limit, None, true),
            Command::Opb(asked) => (asked.limits.memory_limit, None, true),
            Command::Graph(asked) => match &asked.0 {
                Question::Info(asked) => (asked.facts.memory_limit, None, false),
                Question::Predict(asked) => (asked.facts.memory_limit, None, false),
                Question::Reliability(asked) => (asked.limits.memory_limit, None, !asked.predict),
                Question::Family(family) if family.run.predict => {
                    (family.run.common.limits.memory_limit, None, false)
                }
                Question::Family(family) => of_run(&family.run.common),
            },
            _ => return None,
        };
        Some((memory::set(given, share), is_run))
    }
}

/// The command line without hidden commands and options, for completions and manual pages.
pub(crate) fn complete() -> clap::Command {
    let shown = |arg: Arg| match arg.get_id().as_str() {
        "engine" | "no_forward_check" => arg.hide(false),
        _ => arg,
    };
    let problems = ["queens", "knights"].into_iter();
    problems.fold(Args::command(), |command, problem| {
        command.mut_subcommand(problem, |problem| problem.mut_args(shown))
    })
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
