//! The `topdd` command.
//!
//! `args` says what can be asked, `problem` what each problem has of its own, `run` does
//! what all have in common, with `apply` for the apply engine, or `first` where a search is
//! enough, and `output` tells what came of it, or `failure` what did not. `file` asks the
//! diagrams that were saved, and `configure` decides on them step by step. `picture` draws.
//! `shell` writes completions and manual pages. `bench` is the table of speed. `target` is a file to write to,
//! `bytes` numbers of bytes, `progress` a bar, `interrupt` Ctrl-C.

mod apply;
mod args;
mod bench;
mod bytes;
mod configure;
mod failure;
mod file;
mod first;
mod interrupt;
mod output;
mod picture;
mod problem;
mod progress;
mod run;
mod shell;
mod target;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
use failure::Failure;

fn main() -> ExitCode {
    // Before a command line is read, which takes more memory than a small problem does.
    let done = bench::asked_to_measure().unwrap_or_else(|| perform(Args::parse().command));
    done.map_or_else(|failure| failure.report(), |()| ExitCode::SUCCESS)
}

fn perform(command: Command) -> Result<(), Failure> {
    interrupt::watch();
    match command {
        Command::Queens(asked) => problem::queens::run(&asked),
        Command::Place(asked) => problem::place::run(&asked),
        Command::Knights(asked) => {
            problem::knights::of(&asked).and_then(|problem| run::run(&problem, &asked.common))
        }
        Command::File(asked) => file::run(&asked),
        Command::Configure(asked) => configure::run(&asked),
        Command::Completions(asked) => shell::completions(&asked),
        Command::Man(asked) => shell::man(&asked),
        Command::Bench(asked) => bench::bench(&asked),
    }
}
