//! Text for people.

use std::fmt::Display;
use std::io::{self, Write};

use super::solutions;
use crate::args::Common;
use crate::problem::{Problem, names};
use crate::run::Outcome;

/// Writes the answer, what it took, and the solutions that are listed as drawings.
pub(super) fn write(
    out: &mut impl Write,
    problem: &impl Problem,
    common: &Common,
    outcome: &Outcome,
) -> io::Result<()> {
    writeln!(out, "{}", problem.title())?;
    writeln!(out, "{}", counted(&outcome.count, "solution"))?;
    if let Some(report) = &outcome.report {
        write!(out, "{}, ", counted(report.states(), "state"))?;
    }
    if let Some(zdd) = &outcome.zdd {
        write!(out, "{}, ", counted(zdd.node_count(), "node"))?;
    }
    writeln!(out, "{:.3} s", outcome.time.as_secs_f64())?;
    for (place, solution) in solutions(outcome, common).enumerate() {
        let squares = problem.squares(&solution);
        if common.all || common.limit.is_some() {
            write!(out, "\nsolution {}:", place + 1)?;
        } else {
            write!(out, "\nfirst solution:")?;
        }
        for name in names(&squares) {
            write!(out, " {name}")?;
        }
        writeln!(out)?;
        out.write_all(problem.draw(&squares).as_bytes())?;
    }
    Ok(())
}

/// A number of things.
fn counted(number: impl Display, thing: &str) -> String {
    let number = number.to_string();
    let plural = if number == "1" { "" } else { "s" };
    format!("{number} {thing}{plural}")
}
