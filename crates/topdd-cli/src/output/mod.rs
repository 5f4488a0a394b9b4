//! The answer of a run on standard output: text for people, or JSON for scripts.

mod json;
mod shown;
mod text;

use std::fmt::Display;
use std::io::{self, Write};

pub(crate) use shown::{Head, Shown, shown};

use crate::args::Common;
use crate::outcome::Outcome;
use crate::problem::{Part, Problem};

/// A number with its noun: `1 node`, `2 nodes`.
fn counted(number: impl Display, thing: &str) -> String {
    let number = number.to_string();
    let plural = if number == "1" { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

/// Writes the answer.
pub(crate) fn write<T: Part>(
    out: &mut impl Write,
    problem: &dyn Problem<T>,
    common: &Common,
    outcome: &Outcome,
    shown: Shown<'_, T>,
) -> io::Result<()> {
    if common.quiet {
        writeln!(out, "{}", outcome.answer())
    } else if common.json {
        json::write(out, problem, outcome, shown)
    } else {
        text::write(out, problem, common, outcome, shown)
    }
}
