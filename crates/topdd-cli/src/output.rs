//! The answer of a run on standard output: text for people, or JSON for scripts.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::{self, BufWriter, Write};

use num_bigint::BigUint;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde::{Serialize, Serializer};
use serde_json::Value;
use topdd::{Index, Report, Zdd};
use topdd_problem::decimal;

use crate::args::{Common, SEEDS};
use crate::failure::Failure;
use crate::interrupt;
use crate::outcome::{Outcome, Usage};
use crate::problem::{Part, Problem, UpToSymmetry};

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
        write_json(out, problem, outcome, shown)
    } else {
        write_text(out, problem, common, outcome, shown)
    }
}

/// Writes the problem, the count, the numbers of states and nodes, and drawings of the solutions
/// that are shown.
fn write_text<T: Part>(
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

#[derive(Serialize)]
struct JsonAnswer<L> {
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
struct JsonList<I>(RefCell<I>);

impl<I: Iterator<Item = Value>> Serialize for JsonList<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&mut *self.0.borrow_mut())
    }
}

/// Numbers as strings: numbers of other programs may be too small for them.
pub(crate) fn texts(numbers: &[BigUint]) -> Vec<String> {
    numbers.iter().map(ToString::to_string).collect()
}

/// Writes the object and a line break.
fn write_json<T: Part>(
    out: &mut impl Write,
    problem: &dyn Problem<T>,
    outcome: &Outcome,
    shown: Shown<'_, T>,
) -> io::Result<()> {
    let answer = JsonAnswer {
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
        solutions: JsonList(RefCell::new(shown.solutions.map(|squares| problem.listed(&squares)))),
    };
    serde_json::to_writer(&mut *out, &answer)?;
    writeln!(out)
}

/// Solutions, and the form of their headings.
pub(crate) struct Shown<'a, T> {
    pub(crate) head: Head,
    pub(crate) solutions: Box<dyn Iterator<Item = Vec<T>> + 'a>,
}

/// The heading of a solution.
pub(crate) enum Head {
    /// For the first solution, shown by default.
    First,
    /// The rank of the solution; the first one has this rank.
    Numbered(BigUint),
    /// For samples, drawn by this seed.
    Sample(u64),
    /// For the best solutions, with these weights.
    Best(Vec<String>),
}

/// The solutions that are asked for. Ends early after Ctrl-C.
pub(crate) fn shown<'a, T: Part>(
    problem: &'a dyn Problem<T>,
    common: &'a Common,
    outcome: &'a Outcome,
) -> Result<Shown<'a, T>, Failure> {
    let Some(zdd) = &outcome.zdd else {
        return Ok(Shown { head: Head::First, solutions: Box::new(std::iter::empty()) });
    };
    if let Some(best) = problem.best(zdd)? {
        let (weights, solutions): (Vec<_>, Vec<_>) = best.into_iter().unzip();
        let solutions = Box::new(solutions.into_iter());
        return Ok(Shown { head: Head::Best(weights), solutions });
    }
    let (answer, total) = (&common.answer, outcome.answer());
    if let Some(nth) = &answer.nth {
        if nth >= total {
            return Err(missing(&format!("no solution of rank {nth}"), total));
        }
        let found = match problem.unique() {
            None => zdd.nth(nth).ok().map(|solution| problem.squares(&solution)),
            // More than can be counted one by one are never reached.
            Some(_) => all(problem, zdd).nth(usize::try_from(nth).unwrap_or(usize::MAX)),
        };
        interrupt::check()?;
        let head = Head::Numbered(nth.clone());
        return Ok(Shown { head, solutions: Box::new(found.into_iter()) });
    }
    if let Some(wanted) = answer.sample {
        if BigUint::from(wanted) > *total {
            return Err(missing(&format!("no sample of {wanted} solutions"), total));
        }
        let seed = answer.seed.unwrap_or_else(|| rand::rng().random_range(SEEDS));
        let solutions = sample(problem, zdd, wanted, total, seed)?;
        return Ok(Shown { head: Head::Sample(seed), solutions: Box::new(solutions.into_iter()) });
    }
    let numbered = answer.all || answer.limit.is_some() || common.pictures.sheet.is_some();
    let head = if numbered { Head::Numbered(BigUint::ZERO) } else { Head::First };
    Ok(Shown { head, solutions: Box::new(all(problem, zdd).take(common.listed())) })
}

/// All solutions, up to symmetry if the problem has classes. Ends early after Ctrl-C.
fn all<'a, T: Part>(
    problem: &'a dyn Problem<T>,
    zdd: &'a Zdd,
) -> impl Iterator<Item = Vec<T>> + 'a {
    let unique = problem.unique();
    let going = zdd.iter().take_while(|_| interrupt::check().is_ok());
    let squares = going.map(|solution| problem.squares(&solution));
    squares.filter(move |squares| unique.is_none_or(|unique| unique.is_first(squares)))
}

/// Different solutions at random, of `total`, drawn by a seed.
fn sample<T: Part>(
    problem: &dyn Problem<T>,
    zdd: &Zdd,
    wanted: usize,
    total: &BigUint,
    seed: u64,
) -> Result<Vec<Vec<T>>, Failure> {
    let mut rng = StdRng::seed_from_u64(seed);
    let Some(unique) = problem.unique() else {
        let drawn = zdd.index().sample_distinct(wanted, &mut rng).map_err(Failure::usage)?;
        return Ok(drawn.iter().map(|solution| problem.squares(solution)).collect());
    };
    if BigUint::from(wanted) * 2u32 > *total {
        let firsts: Vec<_> = all(problem, zdd).collect();
        interrupt::check()?;
        let mut chosen = rand::seq::index::sample(&mut rng, firsts.len(), wanted).into_vec();
        chosen.sort_unstable();
        return Ok(chosen.into_iter().map(|place| firsts[place].clone()).collect());
    }
    let index = zdd.index();
    // In ascending order, each once.
    let mut drawn = BTreeSet::new();
    while drawn.len() < wanted {
        interrupt::check()?;
        drawn.insert(class(problem, &index, unique, &mut rng)?);
    }
    Ok(drawn.into_iter().collect())
}

/// The first solution of a random class, all classes with the same probability. A random solution
/// is of a class with a probability proportional to the size of the class, which is inversely
/// proportional to the number of symmetries of the solution. So the solution is kept with a
/// probability proportional to that number.
fn class<T: Part>(
    problem: &dyn Problem<T>,
    solutions: &Index<topdd::diagram::ZeroSuppressed>,
    unique: &dyn UpToSymmetry<T>,
    rng: &mut StdRng,
) -> Result<Vec<T>, Failure> {
    loop {
        let solution = solutions.sample(rng).map_err(Failure::usage)?;
        let squares = problem.squares(&solution);
        if rng.random_range(0..unique.symmetries()) < unique.stabilizer_size(&squares) {
            return unique.first(&squares);
        }
    }
}

/// The failure for a solution, or a sample, that does not exist.
fn missing(what: &str, total: &BigUint) -> Failure {
    let verb = if *total == BigUint::from(1u32) { "is" } else { "are" };
    Failure::Missing(format!("there is {what}: there {verb} {}", counted(total, "solution")))
}
