//! Completions for shells and manual pages.

use std::fs;

use clap::CommandFactory;

use crate::args::{self, Args, Completions, Man};
use crate::failure::Failure;
use crate::output::print;

/// `topdd completions`.
pub(crate) fn completions(asked: &Completions) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(asked.shell, &mut args::complete(), "topdd", &mut text);
    print(|out| out.write_all(&text))
}

/// `topdd man`.
pub(crate) fn man(asked: &Man) -> Result<(), Failure> {
    let mut command = args::complete();
    if let Some(folder) = &asked.to {
        let written = fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(command.disable_help_subcommand(true), folder));
        return written.map_err(|error| {
            Failure::Failed(format!("cannot write to {}: {error}", folder.display()))
        });
    }
    // This sets the full names of the commands.
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
    print(|out| out.write_all(&text))
}

/// `topdd advanced`, the same as `topdd help advanced`.
pub(crate) fn advanced() -> Result<(), Failure> {
    let mut command = Args::command();
    let page = command.find_subcommand_mut("advanced").expect("the command line has this page");
    let text = page.render_help().to_string();
    print(|out| out.write_all(text.as_bytes()))
}
