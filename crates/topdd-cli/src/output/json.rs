//! One JSON object for scripts.

use std::cell::RefCell;
use std::io::{self, Write};

use num_bigint::BigUint;
use serde::{Serialize, Serializer};
use serde_json::Value;
use topdd::{Report, Zdd};

use super::shown::{Head, Shown};
use crate::outcome::Outcome;
use crate::problem::{Part, Problem};
use crate::usage::Usage;

#[derive(Serialize)]
struct Answer<L> {
    problem: Value,
    /// A string: numbers of other programs may be too small for it.
    count: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weighted_count: Option<String>,
    states: Option<u64>,
    nodes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counts_by_size: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<Vec<Usage>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<Vec<String>>,
    solutions: L,
}

/// A list that is made while it is written, once, so that it may be longer than memory.
struct List<I>(RefCell<I>);

impl<I: Iterator<Item = Value>> Serialize for List<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&mut *self.0.borrow_mut())
    }
}

/// Numbers as strings: numbers of other programs may be too small for them.
pub(crate) fn texts(numbers: &[BigUint]) -> Vec<String> {
    numbers.iter().map(ToString::to_string).collect()
}

/// Writes the object and a line break.
pub(super) fn write<T: Part>(
    out: &mut impl Write,
    problem: &dyn Problem<T>,
    outcome: &Outcome,
    shown: Shown<'_, T>,
) -> io::Result<()> {
    let answer = Answer {
        problem: problem.identity().facts.clone(),
        count: outcome.answer().to_string(),
        total: outcome.classes.as_ref().map(|_| outcome.count.to_string()),
        weighted_count: outcome.weighted.as_ref().map(ToString::to_string),
        states: outcome.report.as_ref().map(Report::states),
        nodes: outcome.zdd.as_ref().map(Zdd::node_count),
        counts_by_size: outcome.sizes.as_ref().map(|sizes| texts(sizes)),
        usage: outcome.zdd.as_ref().and_then(|zdd| problem.usage(zdd)),
        seed: if let Head::Sample(seed) = shown.head { Some(seed) } else { None },
        weights: if let Head::Best(weights) = shown.head { Some(weights) } else { None },
        solutions: List(RefCell::new(shown.solutions.map(|squares| problem.listed(&squares)))),
    };
    serde_json::to_writer(&mut *out, &answer)?;
    writeln!(out)
}
