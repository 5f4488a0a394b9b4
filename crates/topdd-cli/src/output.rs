//! The answer of a run on standard output: text for people, or JSON for scripts.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::{self, BufWriter, Write};

use num_bigint::BigUint;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use topdd::{QueryError, Report, Zdd};
use topdd_problem::decimal;

use crate::args::{Common, SEEDS};
use crate::failure::Failure;
use crate::form::{Head, Shown, Usage, headed, write_object};
use crate::interrupt;
use crate::outcome::Outcome;
use crate::problem::Problem;

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

/// Prints an answer: a JSON object, or text.
pub(crate) fn answer(
    is_json: bool,
    object: impl FnOnce() -> Value,
    text: impl FnOnce() -> String,
) -> Result<(), Failure> {
    let answer = if is_json { format!("{}\n", object()) } else { text() };
    print(|out| out.write_all(answer.as_bytes()))
}

/// Writes the answer of a run.
pub(crate) fn write(
    out: &mut impl Write,
    problem: &dyn Problem,
    common: &Common,
    outcome: &Outcome,
    shown: Shown<'_>,
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
fn write_text(
    out: &mut impl Write,
    problem: &dyn Problem,
    common: &Common,
    outcome: &Outcome,
    shown: Shown<'_>,
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
    for usage in usage(problem, outcome).into_iter().flatten() {
        writeln!(out, "{usage}")?;
    }
    for (place, solution) in shown.solutions.enumerate() {
        let head = shown.head.text(place, &solution);
        let drawing = problem.draw(&solution, common.pictures.ascii).unwrap_or_default();
        write!(out, "\n{}", headed(&head, &problem.line(&solution), &drawing))?;
    }
    Ok(())
}

/// Numbers as strings: numbers of other programs may be too small for them.
pub(crate) fn texts(numbers: &[BigUint]) -> Vec<String> {
    numbers.iter().map(ToString::to_string).collect()
}

/// Writes the object and a line break.
fn write_json(
    out: &mut impl Write,
    problem: &dyn Problem,
    outcome: &Outcome,
    shown: Shown<'_>,
) -> io::Result<()> {
    let Shown { head, solutions } = shown;
    let seed = if let Head::Sample(seed) = head { Some(seed.into()) } else { None };
    let (weights, solutions) = match head {
        Head::Best(weighing) => {
            let best: Vec<_> = solutions.collect();
            let weights: Value = best.iter().map(|solution| weighing.weight(solution)).collect();
            (Some(weights), Shown::new(Head::First, best.into_iter()).solutions)
        }
        _ => (None, solutions),
    };
    let members = [
        ("problem", Some(problem.identity().facts.clone())),
        ("count", Some(outcome.answer().to_string().into())),
        ("total", outcome.classes.as_ref().map(|_| outcome.count.to_string().into())),
        ("weighted_count", outcome.weighted.as_ref().map(|count| count.to_string().into())),
        ("states", Some(json!(outcome.report.as_ref().map(Report::states)))),
        ("nodes", Some(json!(outcome.zdd.as_ref().map(Zdd::node_count)))),
        ("counts_by_size", outcome.sizes.as_ref().map(|sizes| texts(sizes).into())),
        ("usage", usage(problem, outcome).map(|usage| json!(usage))),
        ("seed", seed),
        ("weights", weights),
    ];
    write_object(out, members, "solutions", solutions.map(|solution| problem.json(&solution)))
}

/// How many solutions have each element, if that is asked for.
fn usage(problem: &dyn Problem, outcome: &Outcome) -> Option<Vec<Usage>> {
    let zdd = outcome.zdd.as_ref().filter(|_| problem.counts_elements())?;
    Some(problem.usage(&zdd.value_counts()))
}

/// The solutions that are asked for. Ends early after Ctrl-C.
pub(crate) fn shown<'a>(
    problem: &'a dyn Problem,
    common: &'a Common,
    outcome: &'a Outcome,
) -> Result<Shown<'a>, Failure> {
    let Some(zdd) = &outcome.zdd else {
        return Ok(Shown::new(Head::First, std::iter::empty()));
    };
    if let Some((k, weighing)) = problem.best() {
        let best = match zdd.best(&weighing.weights, weighing.goal, k) {
            Err(QueryError::NoSolutions) => None,
            best => Some(best.map_err(Failure::usage)?),
        };
        let best = best.into_iter().flatten().map(|best| best.solution);
        return Ok(Shown::new(Head::Best(weighing), best));
    }
    let (answer, total) = (&common.answer, outcome.answer());
    if let Some(nth) = &answer.nth {
        if nth >= total {
            return Err(missing(&format!("no solution of rank {nth}"), total));
        }
        let found = match problem.unique() {
            None => zdd.nth(nth).ok(),
            // More than can be counted one by one are never reached.
            Some(_) => all(problem, zdd).nth(usize::try_from(nth).unwrap_or(usize::MAX)),
        };
        interrupt::check()?;
        return Ok(Shown::new(Head::Numbered(nth.clone()), found.into_iter()));
    }
    if let Some(wanted) = answer.sample {
        if BigUint::from(wanted) > *total {
            return Err(missing(&format!("no sample of {wanted} solutions"), total));
        }
        let seed = answer.seed.unwrap_or_else(|| rand::rng().random_range(SEEDS));
        let solutions = sample(problem, zdd, wanted, total, seed)?;
        return Ok(Shown::new(Head::Sample(seed), solutions.into_iter()));
    }
    let numbered = answer.all || answer.limit.is_some() || common.pictures.sheet.is_some();
    let head = if numbered { Head::Numbered(BigUint::ZERO) } else { Head::First };
    Ok(Shown::new(head, all(problem, zdd).take(common.listed())))
}

/// All solutions, up to symmetry if the problem has classes. Ends early after Ctrl-C.
fn all<'a>(problem: &'a dyn Problem, zdd: &'a Zdd) -> impl Iterator<Item = Vec<usize>> + 'a {
    let going = zdd.iter().take_while(|_| interrupt::check().is_ok());
    going.filter(|solution| problem.is_first(solution))
}

/// Different solutions at random, of `total`, drawn by a seed, in ascending order.
fn sample(
    problem: &dyn Problem,
    zdd: &Zdd,
    wanted: usize,
    total: &BigUint,
    seed: u64,
) -> Result<Vec<Vec<usize>>, Failure> {
    let mut rng = StdRng::seed_from_u64(seed);
    if problem.unique().is_none() {
        return zdd.index().sample_distinct(wanted, &mut rng).map_err(Failure::usage);
    }
    if BigUint::from(wanted) * 2u32 > *total {
        let firsts: Vec<_> = all(problem, zdd).collect();
        interrupt::check()?;
        let mut chosen = rand::seq::index::sample(&mut rng, firsts.len(), wanted).into_vec();
        chosen.sort_unstable();
        return Ok(chosen.into_iter().map(|place| firsts[place].clone()).collect());
    }
    let index = zdd.index();
    let mut drawn = BTreeSet::new();
    while drawn.len() < wanted {
        interrupt::check()?;
        // Each class has one solution that is shown, so that all classes have the same probability.
        let solution = index.sample(&mut rng).map_err(Failure::usage)?;
        if problem.is_first(&solution) {
            drawn.insert(solution);
        }
    }
    Ok(drawn.into_iter().collect())
}

/// The failure for a solution, or a sample, that does not exist.
fn missing(what: &str, total: &BigUint) -> Failure {
    let verb = if *total == BigUint::from(1u32) { "is" } else { "are" };
    Failure::Missing(format!("there is {what}: there {verb} {}", counted(total, "solution")))
}
