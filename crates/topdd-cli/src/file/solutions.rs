//! Some of the solutions of a diagram: a range of them, random ones, the best.

use std::io::{self, Write};

use num_bigint::BigUint;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use topdd::diagram::DiagramRule;
use topdd::{Diagram, Goal, QueryError as Error, Solutions};

use super::form::Form;
use super::selection::open_selected;
use super::{either, failed_among, print, weights};
use crate::args::{Best, List, SEEDS, Sample};
use crate::failure::Failure;
use topdd_problem::decimal::{Decimal, Scale};

/// `topdd list`.
pub(crate) fn list(asked: &List) -> Result<(), Failure> {
    asked.selection.refuse_unused_weights(false)?;
    let content = open_selected(&asked.input, &asked.selection, asked.drawn.values)?;
    let form = Form::new(&content, &asked.drawn);
    let solutions = either!(&content.diagram, diagram => match &asked.from {
        None => Ok(diagram.iter()),
        Some(rank) => diagram.index().iter_from(rank),
    });
    let solutions =
        solutions.map_err(|error| failed_among(&asked.input.file, &error, &asked.selection))?;
    let limit = asked.limit.unwrap_or(usize::MAX);
    let from = asked.from.clone().unwrap_or(BigUint::ZERO);
    let mut listing = Listing { from, ..Listing::new(&form, solutions, limit) };
    print(|out| {
        if !asked.input.json {
            return listing.write(out);
        }
        write!(out, "{{\"from\":\"{}\",\"solutions\":[", listing.from)?;
        listing.write_json(out)?;
        writeln!(out, "]}}")
    })
}

/// Solutions in lexicographic order.
pub(super) struct Listing<'a> {
    form: &'a Form,
    solutions: Solutions,
    /// The rank of the first one.
    from: BigUint,
    /// The most that are written.
    limit: usize,
}

impl<'a> Listing<'a> {
    /// The first solutions.
    pub(super) fn new(form: &'a Form, solutions: Solutions, limit: usize) -> Self {
        Listing { form, solutions, from: BigUint::ZERO, limit }
    }

    /// Writes the solutions as text.
    pub(super) fn write(&mut self, out: &mut dyn Write) -> io::Result<()> {
        for place in 0..self.limit {
            let Some(solution) = self.solutions.advance() else { break };
            let head = || format!("solution {}", &self.from + place);
            self.form.write(out, place, "", head, solution)?;
        }
        Ok(())
    }

    /// Writes the solutions as the items of a JSON list.
    pub(super) fn write_json(&mut self, out: &mut dyn Write) -> io::Result<()> {
        for place in 0..self.limit {
            let Some(solution) = self.solutions.advance() else { break };
            item(out, place, &self.form.json(solution))?;
        }
        Ok(())
    }
}

/// `topdd sample`.
pub(crate) fn sample(asked: &Sample) -> Result<(), Failure> {
    asked.selection.refuse_unused_weights(false)?;
    let content = open_selected(&asked.input, &asked.selection, asked.drawn.values)?;
    let form = Form::new(&content, &asked.drawn);
    either!(&content.diagram, diagram => sample_of(diagram, &form, asked))
}

fn sample_of<R: DiagramRule>(
    diagram: &Diagram<R>,
    form: &Form,
    asked: &Sample,
) -> Result<(), Failure> {
    let failed = |error: Error| failed_among(&asked.input.file, &error, &asked.selection);
    if diagram.is_empty() && asked.k > 0 {
        return Err(failed(Error::NoSolutions));
    }
    let seed = asked.seed.unwrap_or_else(|| rand::rng().random_range(SEEDS));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let index = diagram.index();
    let distinct = asked
        .distinct
        .then(|| index.sample_distinct(asked.k, &mut rng).map_err(failed))
        .transpose()?;
    // One by one, unless all had to be known at once.
    let drawn = (0..asked.k).map(|place| match &distinct {
        Some(solutions) => solutions[place].clone(),
        None => index.sample(&mut rng).expect("there are solutions"),
    });
    print(|out| {
        if !asked.input.json {
            for (place, solution) in drawn.enumerate() {
                let head = || format!("sample {place} of seed {seed}");
                form.write(out, place, "", head, &solution)?;
            }
            return Ok(());
        }
        write!(out, "{{\"seed\":{seed},\"solutions\":[")?;
        for (place, solution) in drawn.enumerate() {
            item(out, place, &form.json(&solution))?;
        }
        writeln!(out, "]}}")
    })
}

/// `topdd best`.
pub(crate) fn best(asked: &Best) -> Result<(), Failure> {
    let content = open_selected(&asked.input, &asked.selection, asked.drawn.values)?;
    let form = Form::new(&content, &asked.drawn);
    let weights = weights::of(&content, asked.selection.weights.as_deref(), &asked.input.file)?;
    either!(&content.diagram, diagram => best_of(diagram, &weights, &form, asked))
}

fn best_of<R: DiagramRule>(
    diagram: &Diagram<R>,
    weights: &[Vec<Decimal>],
    form: &Form,
    asked: &Best,
) -> Result<(), Failure> {
    let failed = |error: Error| failed_among(&asked.input.file, &error, &asked.selection);
    let scale = Scale::new(weights.iter().flatten());
    let file = asked.selection.weights.as_ref().unwrap_or(&asked.input.file);
    let weights = weights::scaled(weights, scale, file)?;
    let goal = if asked.max { Goal::Maximum } else { Goal::Minimum };
    if diagram.is_empty() && asked.k > 0 {
        return Err(failed(Error::NoSolutions));
    }
    let best = diagram.best(&weights, goal, asked.k).map_err(failed)?;
    print(|out| {
        if !asked.input.json {
            for (place, best) in best.enumerate() {
                let weight = scale.text(best.weight);
                let head = || format!("weight {weight}");
                form.write(out, place, &format!("{weight}: "), head, &best.solution)?;
            }
            return Ok(());
        }
        let word = if asked.max { "maximum" } else { "minimum" };
        write!(out, "{{\"goal\":\"{word}\",\"best\":[")?;
        for (place, best) in best.enumerate() {
            let (weight, solution) = (scale.text(best.weight), form.json(&best.solution));
            item(out, place, &json!({ "weight": weight, "solution": solution }))?;
        }
        writeln!(out, "]}}")
    })
}

/// Writes an item of a JSON list.
fn item(out: &mut dyn Write, place: usize, value: &Value) -> io::Result<()> {
    write!(out, "{}{value}", if place > 0 { "," } else { "" })
}
