//! The `topdd` command.
//!
//! `args` says what can be asked, `problem` what each problem has of its own, `run` does
//! what all have in common, with `apply` for the apply engine, and `output` tells what came
//! of it, or `failure` what did not. `file` asks the diagrams that were saved. `bench` is
//! the table of speed. `target` is a file to write to, `bytes` numbers of bytes, `progress`
//! a bar.

mod apply;
mod args;
mod bench;
mod bytes;
mod failure;
mod file;
mod output;
mod problem;
mod progress;
mod run;
mod target;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match args.command {
        Command::Queens(asked) => run::run(&problem::queens::of(&asked), &asked.common),
        Command::Knights(asked) => run::run(&problem::knights::of(&asked), &asked.common),
        Command::File(asked) => file::run(&asked),
        Command::Bench(asked) => bench::bench(&asked),
        Command::Measure(asked) => bench::measure(&asked),
    };
    done.map_or_else(|failure| failure.report(), |()| ExitCode::SUCCESS)
}
