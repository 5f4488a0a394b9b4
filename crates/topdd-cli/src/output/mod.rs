//! Telling what a run came to: as text for people, or as JSON for scripts.

mod json;
mod shown;
mod text;

use std::io::{self, Write};

pub(crate) use shown::{Head, Shown, shown};

use crate::args::Common;
use crate::outcome::Outcome;
use crate::problem::Problem;

/// Writes what was asked for.
pub(crate) fn write(
    out: &mut impl Write,
    problem: &dyn Problem,
    common: &Common,
    outcome: &Outcome,
    shown: Shown<'_>,
) -> io::Result<()> {
    if common.quiet {
        writeln!(out, "{}", outcome.answer())
    } else if common.json {
        json::write(out, problem, outcome, shown)
    } else {
        text::write(out, problem, common, outcome, shown)
    }
}
