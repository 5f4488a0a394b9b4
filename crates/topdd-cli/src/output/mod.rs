//! The answer of a run on standard output: text for people, or JSON for scripts.

mod json;
mod shown;
mod text;

use std::fmt::Display;
use std::io::{self, BufWriter, Write};

pub(crate) use json::texts;
use num_bigint::BigUint;
pub(crate) use shown::{Head, Shown, shown};

use crate::args::Common;
use crate::failure::Failure;
use crate::outcome::Outcome;
use crate::problem::{Part, Problem};

/// A number with its noun: `1 node`, `2 nodes`.
pub(crate) fn counted(number: impl Display, thing: &str) -> String {
    let number = number.to_string();
    match (&number[..], thing) {
        ("1", _) => format!("1 {thing}"),
        (_, "vertex") => format!("{number} vertices"),
        _ => format!("{number} {thing}s"),
    }
}

/// A line for each size that solutions have, such as `3 edges: 8`.
pub(crate) fn by_size(sizes: &[BigUint], unit: &str) -> String {
    let sizes = sizes.iter().enumerate().filter(|(_, count)| **count != BigUint::ZERO);
    let lines: Vec<String> =
        sizes.map(|(size, count)| format!("{}: {count}\n", counted(size, unit))).collect();
    lines.concat()
}

/// A probability with twelve digits: the last ones of a sum depend on the order of its terms.
pub(crate) fn probability(probability: f64) -> String {
    if probability == 0.0 || probability >= 1e-3 {
        format!("{probability:.12}")
    } else {
        format!("{probability:.11e}")
    }
}

/// Writes to standard output, through a buffer.
pub(crate) fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    write(&mut out).and_then(|()| out.flush()).map_err(|error| Failure::of_stdout(&error))
}

/// Writes the answer.
pub(crate) fn write<T: Part>(
    out: &mut impl Write,
    problem: &dyn Problem<T>,
    common: &Common,
    outcome: &Outcome,
    shown: Shown<'_, T>,
) -> io::Result<()> {
    if common.answer.quiet {
        if !(common.answer.is_listed() || matches!(shown.head, Head::Best(_))) {
            return match &outcome.weighted {
                Some(weighted) => writeln!(out, "{weighted}"),
                None => writeln!(out, "{}", outcome.answer()),
            };
        }
        let mut solutions = shown.solutions;
        solutions.try_for_each(|solution| writeln!(out, "{}", problem.line(&solution)))
    } else if common.answer.json {
        json::write(out, problem, outcome, shown)
    } else {
        text::write(out, problem, common, outcome, shown)
    }
}
