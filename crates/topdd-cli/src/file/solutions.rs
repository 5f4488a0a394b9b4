//! Some of the solutions of a diagram: a range of them, random ones, the best.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use num_bigint::BigUint;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use topdd::diagram::DiagramRule;
use topdd::{Diagram, Goal, QueryError as Error, Weights};

use super::form::Form;
use super::{either, failed, name, open, print, weights};
use crate::args::{Best, List, Sample};
use crate::decimal::{Decimal, Scale};
use crate::failure::Failure;
use crate::saved::{self, Elements};

/// The most values that get weights: 1 GiB of them.
const MAX_VALUES: usize = 1 << 26;

/// `topdd list`.
pub(crate) fn list(asked: &List) -> Result<(), Failure> {
    let content = open(&asked.input)?;
    let command = Form::command(&content, &asked.drawn);
    let form = Form::new(&content, command.as_ref(), &asked.drawn);
    let solutions = either!(&content.diagram, diagram => match &asked.from {
        None => Ok(diagram.iter()),
        Some(rank) => diagram.index().iter_from(rank),
    });
    let mut solutions = solutions.map_err(|error| failed(&asked.input.file, &error))?;
    let limit = asked.limit.unwrap_or(usize::MAX);
    let from = asked.from.clone().unwrap_or(BigUint::ZERO);
    print(|out| {
        if !asked.input.json {
            for place in 0..limit {
                let Some(solution) = solutions.advance() else { break };
                let head = || format!("solution {}", &from + place);
                form.write(out, place, "", head, solution)?;
            }
            return Ok(());
        }
        write!(out, "{{\"from\":\"{from}\",\"solutions\":[")?;
        for place in 0..limit {
            let Some(solution) = solutions.advance() else { break };
            item(out, place, &form.json(solution))?;
        }
        writeln!(out, "]}}")
    })
}

/// `topdd sample`.
pub(crate) fn sample(asked: &Sample) -> Result<(), Failure> {
    let content = open(&asked.input)?;
    let command = Form::command(&content, &asked.drawn);
    let form = Form::new(&content, command.as_ref(), &asked.drawn);
    either!(&content.diagram, diagram => sample_of(diagram, &form, asked))
}

fn sample_of<R: DiagramRule>(
    diagram: &Diagram<R>,
    form: &Form<'_>,
    asked: &Sample,
) -> Result<(), Failure> {
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
    let drawn = (0..asked.number).map(|place| match &distinct {
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
        write!(out, "{{\"seed\":\"{seed}\",\"solutions\":[")?;
        for (place, solution) in drawn.enumerate() {
            item(out, place, &form.json(&solution))?;
        }
        writeln!(out, "]}}")
    })
}

/// `topdd best`.
pub(crate) fn best(asked: &Best) -> Result<(), Failure> {
    let content = open(&asked.input)?;
    let command = Form::command(&content, &asked.drawn);
    let form = Form::new(&content, command.as_ref(), &asked.drawn);
    let elements = saved::elements(&content.metadata, content.diagram.num_vars());
    either!(&content.diagram, diagram => best_of(diagram, elements.as_ref(), &form, asked))
}

fn best_of<R: DiagramRule>(
    diagram: &Diagram<R>,
    elements: Option<&Elements>,
    form: &Form<'_>,
    asked: &Best,
) -> Result<(), Failure> {
    let failed = |error: Error| failed(&asked.input.file, &error);
    let weights = match (&asked.weights, elements.and_then(|e| e.weights.as_ref())) {
        (Some(path), _) => read_weights(path, diagram, elements)?,
        (None, Some(ones)) => ones.iter().map(|&weight| vec![0.into(), weight]).collect(),
        (None, None) => {
            return Err(Failure::Usage(format!(
                "{} has no weights; give a file of weights, with --weights",
                name(&asked.input.file)
            )));
        }
    };
    let scale = Scale::new(weights.iter().flatten());
    let whole = |&weight: &Decimal| {
        scale.whole(weight).ok_or_else(|| {
            let file = asked.weights.as_ref().unwrap_or(&asked.input.file);
            Failure::Failed(format!(
                "{}: the weight {weight} has more than 64 bits with all decimals; round other weights",
                name(file)
            ))
        })
    };
    let whole = |values: &Vec<Decimal>| values.iter().map(whole).collect::<Result<Vec<_>, _>>();
    let weights = Weights::from(weights.iter().map(whole).collect::<Result<Vec<_>, _>>()?);
    let goal = if asked.max { Goal::Maximum } else { Goal::Minimum };
    if diagram.is_empty() && asked.k > 0 {
        return Err(failed(Error::NoSolutions));
    }
    let best = diagram.k_best(&weights, goal, asked.k).map_err(failed)?;
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

/// Reads a file of weights. Its lines name the edges or vertices of a graph.
fn read_weights<R: DiagramRule>(
    path: &Path,
    diagram: &Diagram<R>,
    elements: Option<&Elements>,
) -> Result<Vec<Vec<Decimal>>, Failure> {
    let text = fs::read_to_string(path).map_err(|error| {
        let hint = match error.kind() {
            ErrorKind::NotFound => {
                "\nhint: such a file has a line for each value that weighs something: its \
                 variable, the value, and the weight, as in: 0 3 100"
            }
            _ => "",
        };
        Failure::Failed(format!("cannot read {}: {error}{hint}", path.display()))
    })?;
    let arities: Vec<usize> = (0..diagram.num_vars()).map(|v| diagram.arity(v)).collect();
    // A file may say that there are billions.
    let values = arities.iter().fold(0usize, |sum, &arity| sum.saturating_add(arity));
    if values > MAX_VALUES {
        return Err(Failure::Failed(format!(
            "the variables have {values} values, but only {MAX_VALUES} can have weights"
        )));
    }
    let names = elements.map(|elements| &elements.names[..]);
    let weights = weights::parse(&text, &arities, names);
    weights.map_err(|(line, message)| {
        Failure::Failed(format!("{}, line {line}: {message}", path.display()))
    })
}

/// Writes an item of a JSON list.
fn item(out: &mut dyn Write, place: usize, value: &Value) -> io::Result<()> {
    write!(out, "{}{value}", if place > 0 { "," } else { "" })
}
