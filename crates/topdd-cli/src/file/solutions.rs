//! Some of the solutions of a diagram: a range of them, random ones, the best.

use std::io::{self, Write};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::json;
use topdd::diagram::DiagramRule;
use topdd::{Diagram, Goal, QueryError as Error, Solutions};

use super::args::{Best, List, Sample};
use super::{either, failed, open, print, weights};
use crate::failure::Failure;

/// `topdd list`.
pub(crate) fn list(asked: &List) -> Result<(), Failure> {
    either!(&open(&asked.input)?, diagram => list_of(diagram, asked))
}

fn list_of<R: DiagramRule>(diagram: &Diagram<R>, asked: &List) -> Result<(), Failure> {
    let mut solutions: Solutions<R> = match &asked.from {
        None => diagram.iter(),
        Some(rank) => {
            diagram.index().iter_from(rank).map_err(|error| failed(&asked.input.file, &error))?
        }
    };
    let limit = asked.limit.unwrap_or(usize::MAX);
    print(|out| {
        if !asked.input.json {
            for _ in 0..limit {
                let Some(solution) = solutions.advance() else { break };
                line(out, solution)?;
            }
            return Ok(());
        }
        let from = asked.from.as_ref().map_or_else(|| "0".to_owned(), ToString::to_string);
        write!(out, "{{\"from\":\"{from}\",\"solutions\":[")?;
        for place in 0..limit {
            let Some(solution) = solutions.advance() else { break };
            out.write_all(if place > 0 { b"," } else { b"" })?;
            serde_json::to_writer(&mut *out, solution)?;
        }
        writeln!(out, "]}}")
    })
}

/// `topdd sample`.
pub(crate) fn sample(asked: &Sample) -> Result<(), Failure> {
    either!(&open(&asked.input)?, diagram => sample_of(diagram, asked))
}

fn sample_of<R: DiagramRule>(diagram: &Diagram<R>, asked: &Sample) -> Result<(), Failure> {
    let failed = |error: Error| failed(&asked.input.file, &error);
    if diagram.is_empty() && asked.number > 0 {
        return Err(failed(Error::NoSolutions));
    }
    let seed = asked.seed.unwrap_or_else(rand::random);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let index = diagram.index();
    let distinct = asked
        .distinct
        .then(|| index.sample_distinct(asked.number, &mut rng).map_err(failed))
        .transpose()?;
    // One by one, unless all had to be known at once.
    let mut drawn = (0..asked.number).map(|place| match &distinct {
        Some(solutions) => solutions[place].clone(),
        None => index.sample(&mut rng).expect("there are solutions"),
    });
    print(|out| {
        if !asked.input.json {
            return drawn.try_for_each(|solution| line(out, &solution));
        }
        write!(out, "{{\"seed\":\"{seed}\",\"solutions\":[")?;
        for (place, solution) in drawn.enumerate() {
            out.write_all(if place > 0 { b"," } else { b"" })?;
            serde_json::to_writer(&mut *out, &solution)?;
        }
        writeln!(out, "]}}")
    })
}

/// `topdd best`.
pub(crate) fn best(asked: &Best) -> Result<(), Failure> {
    either!(&open(&asked.input)?, diagram => best_of(diagram, asked))
}

fn best_of<R: DiagramRule>(diagram: &Diagram<R>, asked: &Best) -> Result<(), Failure> {
    let failed = |error: Error| failed(&asked.input.file, &error);
    let weights = weights::read(&asked.weights, diagram)?;
    let goal = if asked.max { Goal::Maximum } else { Goal::Minimum };
    if diagram.is_empty() && asked.k > 0 {
        return Err(failed(Error::NoSolutions));
    }
    let mut best = diagram.k_best(&weights, goal, asked.k).map_err(failed)?;
    print(|out| {
        if !asked.input.json {
            return best.try_for_each(|best| {
                write!(out, "{}: ", best.weight)?;
                line(out, &best.solution)
            });
        }
        let word = if asked.max { "maximum" } else { "minimum" };
        write!(out, "{{\"goal\":\"{word}\",\"best\":[")?;
        for (place, best) in best.enumerate() {
            out.write_all(if place > 0 { b"," } else { b"" })?;
            let best = json!({ "weight": best.weight.to_string(), "solution": best.solution });
            write!(out, "{best}")?;
        }
        writeln!(out, "]}}")
    })
}

/// Writes a solution as a line.
fn line(out: &mut dyn Write, solution: &[usize]) -> io::Result<()> {
    for (variable, value) in solution.iter().enumerate() {
        let before = if variable > 0 { " " } else { "" };
        write!(out, "{before}{value}")?;
    }
    writeln!(out)
}
