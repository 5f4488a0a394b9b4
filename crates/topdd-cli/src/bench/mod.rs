//! `topdd bench`: measurements of known problems, each in a process of its own.
//!
//! `cases` lists the problems, `measure` runs in the processes, `table` prints the results. `page`
//! compares the table of the book with saved results.

mod cases;
mod measure;
#[cfg(test)]
mod page;
mod table;

use std::env;
use std::io::{self, BufWriter, Write};
use std::process::{Command, Stdio};

pub(crate) use measure::asked_to_measure;

use crate::args;
use crate::failure::Failure;
use cases::Case;
use measure::{Asked, Measured};
use table::Row;

/// Runs cases and prints a row for each measurement as soon as it is done.
pub(crate) fn bench(asked: &args::Bench) -> Result<(), Failure> {
    let cases: Vec<Case> = cases::all()
        .into_iter()
        .filter(|case| case.quick || !asked.quick)
        .filter(|case| asked.only.iter().all(|part| case.name.contains(part)))
        .collect();
    if cases.is_empty() {
        let names: Vec<String> = cases::all().into_iter().map(|case| case.name).collect();
        let names = names.join("\n  ");
        return Err(Failure::Usage(format!(
            "no case has this in its name; the cases are\n  {names}"
        )));
    }
    let mut out = BufWriter::new(io::stdout().lock());
    let mut print = |text: &str| {
        out.write_all(text.as_bytes())
            .and_then(|()| out.flush())
            .map_err(|error| Failure::of_stdout(&error))
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
        return Err(Failure::Failed(format!("{failed} of {rows} measurements failed")));
    }
    Ok(())
}

/// Measures a case in a process of its own; the error is a message.
fn apart(
    asked: &args::Bench,
    case: &Case,
    diagram: bool,
    threads: usize,
) -> Result<Measured, String> {
    let program = env::current_exe().map_err(|error| format!("cannot find topdd: {error}"))?;
    let mut command = Command::new(program);
    let request = Asked { case: case.name.clone(), diagram, threads, memory: asked.memory_limit };
    request.ask(&mut command, asked.spill_to.as_deref());
    command.stdin(Stdio::null());
    let output = command.output().map_err(|error| format!("cannot start topdd: {error}"))?;
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
