//! `topdd-bench`: measurements of problems with known counts, each in a process of its own.
//!
//! `cases` lists the problems, `measure` runs in the processes, `table` prints the results. `page`
//! compares the table of the book with saved results.

mod args;
mod cases;
mod measure;
#[cfg(test)]
mod page;
mod table;

use std::env;
use std::io::{self, BufWriter, Write};
use std::process::{Command, ExitCode, Stdio};

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use args::Args;
use cases::Case;
use measure::{Measured, Request};
use table::Row;

fn main() -> ExitCode {
    // Before a command line is read, which takes more memory than a small problem does.
    let done = measure::requested().unwrap_or_else(|| bench(&Args::parse()));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Runs cases and prints a row for each measurement as soon as it is done. The error is a message.
fn bench(asked: &Args) -> Result<(), String> {
    let cases: Vec<Case> = cases::all()
        .into_iter()
        .filter(|case| case.quick || !asked.quick)
        .filter(|case| asked.only.iter().all(|part| case.name.contains(part)))
        .collect();
    if cases.is_empty() {
        let names: Vec<String> = cases::all().into_iter().map(|case| case.name).collect();
        let names = names.join("\n  ");
        let message = format!("no case has this in its name; the cases are\n  {names}");
        Args::command().error(ErrorKind::InvalidValue, message).exit();
    }
    let mut out = BufWriter::new(io::stdout().lock());
    let mut print = |text: &str| {
        out.write_all(text.as_bytes())
            .and_then(|()| out.flush())
            .map_err(|error| format!("cannot write to standard output: {error}"))
    };
    if !asked.json {
        print(&table::head())?;
    }
    let (mut rows, mut failed) = (0, 0);
    for case in &cases {
        for diagram in [true, false] {
            for &threads in &asked.threads {
                let row =
                    Row { case, diagram, threads, came: apart(asked, case, diagram, threads) };
                rows += 1;
                failed += u32::from(!row.is_right());
                print(&if asked.json { row.json() } else { row.markdown() })?;
            }
        }
    }
    if failed > 0 {
        return Err(format!("{failed} of {rows} measurements failed"));
    }
    Ok(())
}

/// Measures a case in a process of its own; the error is a message.
fn apart(asked: &Args, case: &Case, diagram: bool, threads: usize) -> Result<Measured, String> {
    let program =
        env::current_exe().map_err(|error| format!("cannot find topdd-bench: {error}"))?;
    let mut command = Command::new(program);
    let request = Request { case: case.name.clone(), diagram, threads, memory: asked.memory_limit };
    request.pass(&mut command, asked.spill_to.as_deref());
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot start topdd-bench: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        // Without a first line, the process was killed.
        return Err(match said.lines().next() {
            Some(line) => line.trim_start_matches("error: ").to_owned(),
            None => output.status.to_string(),
        });
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("no measurement: {error}"))
}
