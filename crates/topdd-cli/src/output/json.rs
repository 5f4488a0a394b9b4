//! One JSON object for scripts.

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::Value;
use topdd::{Report, Zdd};

use super::solutions;
use crate::args::Common;
use crate::problem::{Problem, names};
use crate::run::Outcome;

#[derive(Serialize)]
struct Answer<T> {
    problem: Value,
    /// A string: a count may be larger than the numbers of those who read it.
    count: String,
    states: Option<u64>,
    nodes: Option<usize>,
    seconds: f64,
    solutions: T,
}

/// A list that is made while it is written, so that it may be longer than memory.
struct List<F>(F);

impl<F, I> Serialize for List<F>
where
    F: Fn() -> I,
    I: Iterator<Item = Vec<String>>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// Writes the object and a line break.
pub(super) fn write(
    out: &mut impl Write,
    problem: &impl Problem,
    common: &Common,
    outcome: &Outcome,
) -> io::Result<()> {
    let answer = Answer {
        problem: problem.facts(),
        count: outcome.count.to_string(),
        states: outcome.report.as_ref().map(Report::states),
        nodes: outcome.zdd.as_ref().map(Zdd::node_count),
        seconds: outcome.time.as_secs_f64(),
        solutions: List(|| {
            solutions(outcome, common).map(|solution| names(&problem.squares(&solution)))
        }),
    };
    serde_json::to_writer(&mut *out, &answer)?;
    writeln!(out)
}
