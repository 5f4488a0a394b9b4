//! `topdd completions`, `topdd man`, and `topdd help advanced`: options left out of the first help pages.

use std::path::PathBuf;

use clap::ValueHint;
use clap_complete::Shell;

/// Print completions of topdd's command lines for a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  topdd completions bash > ~/.local/share/bash-completion/completions/topdd
  topdd completions zsh > ~/.zfunc/_topdd        a folder that is in $fpath
  topdd completions fish > ~/.config/fish/completions/topdd.fish")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// Print the manual page of topdd or of one of its commands.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  topdd man | man -l -                           read it
  topdd man queens > topdd-queens.1              the page of one command
  topdd man --to ~/.local/share/man/man1         write all pages")]
pub(crate) struct Man {
    /// The command, such as queens; by default, topdd itself
    #[arg(value_name = "COMMAND", conflicts_with = "to")]
    pub(crate) commands: Vec<String>,

    /// Write the pages of topdd and of all its commands to this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) to: Option<PathBuf>,
}

/// Options that are seldom needed.
#[derive(Debug, clap::Args)]
#[command(hide = true, help_template = "{about}{after-help}")]
#[command(after_help = "Options of queens and knights:
  --engine ENGINE     The engine that builds the diagram:
      frontier        from the top down, level by level (the default)
      apply           by conjoining the diagrams of constraints: queens row by row, with one
                      variable for each square; knight's tours step by step, with one variable
                      for each time and square. Not for --first and --colouring, nor for
                      queens with --exactly, --any, --maximal or --symmetric. It runs on one
                      thread, and has no --spill-to, --checkpoint or --profile.
  --report            With --engine apply: after each row or other constraint, the live nodes
                      of the manager and the nodes of the result so far, on standard error.

Option of queens:
  --no-forward-check  Do not drop states without solutions early: the same answer, more states

Examples:
  topdd queens 10 --engine apply --report
  topdd knights 5x6 --engine apply --quiet

'topdd man queens' shows all options of queens, those above included.")]
pub(crate) struct Advanced {}
