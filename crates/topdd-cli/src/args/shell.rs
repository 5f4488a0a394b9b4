//! `topdd completions` and `topdd man`.

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
