//! Telling what a run came to: as text for people, or as JSON for scripts.

mod json;
mod text;

use std::io::{self, Write};

use topdd::Zdd;

use crate::args::Common;
use crate::problem::Problem;
use crate::run::Outcome;

/// Writes what was asked for.
pub(crate) fn write(
    out: &mut impl Write,
    problem: &impl Problem,
    common: &Common,
    outcome: &Outcome,
) -> io::Result<()> {
    if common.quiet {
        writeln!(out, "{}", outcome.count)
    } else if common.json {
        json::write(out, problem, common, outcome)
    } else {
        text::write(out, problem, common, outcome)
    }
}

/// The solutions that are listed.
fn solutions(outcome: &Outcome, common: &Common) -> impl Iterator<Item = Vec<usize>> {
    outcome.zdd.iter().flat_map(Zdd::iter).take(common.listed())
}
