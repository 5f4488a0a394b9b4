//! What shells and manual pages know of the command line: `topdd completions`, `topdd man`.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{CommandFactory, ValueHint};
use clap_complete::Shell;

use crate::args::Args;
use crate::failure::Failure;

/// Print what a shell needs to complete command lines of topdd.
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
  topdd man queens > topdd-queens.1              that of one command
  topdd man --to ~/.local/share/man/man1         write all of them")]
pub(crate) struct Man {
    /// The command, such as queens; topdd itself unless given
    #[arg(value_name = "COMMAND", conflicts_with = "to")]
    pub(crate) commands: Vec<String>,

    /// Write the pages of topdd and of all its commands to this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) to: Option<PathBuf>,
}

/// `topdd completions`.
pub(crate) fn completions(asked: &Completions) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(asked.shell, &mut Args::command(), "topdd", &mut text);
    print(&text)
}

/// `topdd man`.
pub(crate) fn man(asked: &Man) -> Result<(), Failure> {
    let mut command = Args::command();
    if let Some(folder) = &asked.to {
        let written = fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(command.disable_help_subcommand(true), folder));
        return written.map_err(|error| {
            Failure::Failed(format!("cannot write to {}: {error}", folder.display()))
        });
    }
    // Only then do commands know what they are called.
    command.build();
    for name in &asked.commands {
        let found = command.find_subcommand(name).cloned();
        command = found.ok_or_else(|| {
            let name = [command.get_bin_name().unwrap_or("topdd"), name].join(" ");
            Failure::Usage(format!("there is no command '{name}'; 'topdd help' lists them"))
        })?;
    }
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text).map_err(|error| Failure::of_stdout(&error))?;
    print(&text)
}

/// Writes to standard output.
fn print(text: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text).and_then(|()| out.flush()).map_err(|error| Failure::of_stdout(&error))
}
