//! Text for people.

use std::io::{self, Write};

use super::shown::{Head, Shown};
use super::{by_size, counted};
use crate::args::Common;
use crate::outcome::Outcome;
use crate::problem::{Part, Problem};
use topdd_problem::decimal;

/// Writes the problem, the count, the numbers of states and nodes, and drawings of the solutions
/// that are shown.
pub(super) fn write<T: Part>(
    out: &mut impl Write,
    problem: &dyn Problem<T>,
    common: &Common,
    outcome: &Outcome,
    shown: Shown<'_, T>,
) -> io::Result<()> {
    writeln!(out, "{}", problem.identity().title)?;
    match &outcome.classes {
        Some(classes) => {
            let classes = counted(classes, "solution");
            writeln!(out, "{classes} up to symmetry, of {}", outcome.count)?;
        }
        None => writeln!(out, "{}", counted(&outcome.count, "solution"))?,
    }
    if let Some(weighted) = &outcome.weighted {
        writeln!(out, "weighted count: {weighted}{}", decimal::after_fraction(weighted))?;
    }
    let states = outcome.report.as_ref().map(|report| counted(report.states(), "state"));
    let nodes = outcome.zdd.as_ref().map(|zdd| counted(zdd.node_count(), "node"));
    let sizes: Vec<String> = states.into_iter().chain(nodes).collect();
    if !sizes.is_empty() {
        writeln!(out, "{}", sizes.join(", "))?;
    }
    if let Some(sizes) = &outcome.sizes {
        write!(out, "{}", by_size(sizes, problem.identity().unit))?;
    }
    for usage in outcome.zdd.as_ref().and_then(|zdd| problem.usage(zdd)).into_iter().flatten() {
        writeln!(out, "{usage}")?;
    }
    for (place, squares) in shown.solutions.enumerate() {
        match &shown.head {
            Head::First => write!(out, "\nfirst solution:")?,
            Head::Numbered(from) => write!(out, "\nsolution {}:", from + place)?,
            Head::Sample(seed) => write!(out, "\nsample {place} of seed {seed}:")?,
            Head::Best(weights) => write!(out, "\nweight {}:", weights[place])?,
        }
        let line = problem.line(&squares);
        writeln!(out, "{}{line}", if line.is_empty() { "" } else { " " })?;
        out.write_all(problem.draw(&squares, common.pictures.ascii).as_bytes())?;
    }
    Ok(())
}
