//! Text for people.

use std::fmt::Display;
use std::io::{self, Write};

use super::shown::{Head, Shown};
use crate::args::Common;
use crate::outcome::Outcome;
use crate::problem::Problem;

/// Writes the answer, what it took, and the solutions that are shown as drawings.
pub(super) fn write(
    out: &mut impl Write,
    problem: &dyn Problem,
    common: &Common,
    outcome: &Outcome,
    shown: Shown<'_>,
) -> io::Result<()> {
    writeln!(out, "{}", problem.title())?;
    match &outcome.classes {
        Some(classes) => {
            let classes = counted(classes, "solution");
            writeln!(out, "{classes} up to symmetry, of {}", outcome.count)?;
        }
        None => writeln!(out, "{}", counted(&outcome.count, "solution"))?,
    }
    if let Some(report) = &outcome.report {
        write!(out, "{}, ", counted(report.states(), "state"))?;
    }
    if let Some(zdd) = &outcome.zdd {
        write!(out, "{}, ", counted(zdd.node_count(), "node"))?;
    }
    writeln!(out, "{:.3} s", outcome.time.as_secs_f64())?;
    for (place, squares) in shown.solutions.enumerate() {
        match &shown.head {
            Head::First => write!(out, "\nfirst solution:")?,
            Head::Numbered(from) => write!(out, "\nsolution {}:", from + place)?,
            Head::Sample(seed) => write!(out, "\nsample {} of seed {seed}:", place + 1)?,
        }
        let line = problem.line(&squares);
        writeln!(out, "{}{line}", if line.is_empty() { "" } else { " " })?;
        out.write_all(problem.draw(&squares, common.pictures.ascii).as_bytes())?;
    }
    Ok(())
}

/// A number of things.
fn counted(number: impl Display, thing: &str) -> String {
    let number = number.to_string();
    let plural = if number == "1" { "" } else { "s" };
    format!("{number} {thing}{plural}")
}
