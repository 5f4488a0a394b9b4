//! Some of the solutions of a diagram: a range of them, random ones, the best.

use num_bigint::BigUint;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::json;
use topdd::diagram::DiagramRule;
use topdd::{Diagram, Goal, QueryError as Error};

use super::selection::open_selected;
use super::{Content, WeightFile, either, failed_among, print, weights};
use crate::args::{Best, Drawn, Input, List, SEEDS, Sample};
use crate::failure::Failure;
use crate::form::{Head, Shown, write_object};

/// `topdd list`.
pub(crate) fn list(asked: &List) -> Result<(), Failure> {
    asked.selection.refuse_unused_weights(false)?;
    let content = open_selected(&asked.input, &asked.selection, asked.drawn.values)?;
    let solutions = either!(&content.diagram, diagram => match &asked.from {
        None => Ok(diagram.iter()),
        Some(rank) => diagram.index().iter_from(rank),
    });
    let solutions =
        solutions.map_err(|error| failed_among(&asked.input.file, &error, &asked.selection))?;
    let head = Head::Numbered(asked.from.clone().unwrap_or(BigUint::ZERO));
    let shown = Shown::new(head, solutions.take(asked.limit.unwrap_or(usize::MAX)));
    write(shown, &content, &asked.input, &asked.drawn)
}

/// Writes solutions, as text or as a JSON object.
fn write(shown: Shown<'_>, content: &Content, input: &Input, drawn: &Drawn) -> Result<(), Failure> {
    let form = content.form(drawn.values);
    print(|out| {
        if !input.json {
            return shown.write(out, &*form, drawn.ascii);
        }
        let Shown { head, solutions } = shown;
        if let Head::Best(weighing) = head {
            let goal = if weighing.goal == Goal::Maximum { "maximum" } else { "minimum" };
            let best = solutions.map(|solution| {
                json!({ "weight": weighing.weight(&solution), "solution": form.json(&solution) })
            });
            return write_object(out, [("goal", Some(goal.into()))], "best", best);
        }
        let fact = match head {
            Head::Sample(seed) => ("seed", Some(seed.into())),
            Head::Numbered(from) => ("from", Some(from.to_string().into())),
            Head::First | Head::Best(_) => ("from", None),
        };
        write_object(out, [fact], "solutions", solutions.map(|solution| form.json(&solution)))
    })
}

/// `topdd sample`.
pub(crate) fn sample(asked: &Sample) -> Result<(), Failure> {
    asked.selection.refuse_unused_weights(false)?;
    let content = open_selected(&asked.input, &asked.selection, asked.drawn.values)?;
    either!(&content.diagram, diagram => sample_of(diagram, &content, asked))
}

fn sample_of<R: DiagramRule>(
    diagram: &Diagram<R>,
    content: &Content,
    asked: &Sample,
) -> Result<(), Failure> {
    let failed = |error: Error| failed_among(&asked.input.file, &error, &asked.selection);
    if diagram.is_empty() && asked.k > 0 {
        return Err(failed(Error::NoSolutions));
    }
    let seed = asked.seed.unwrap_or_else(|| rand::rng().random_range(SEEDS));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let index = diagram.index();
    let shown = if asked.distinct {
        let drawn = index.sample_distinct(asked.k, &mut rng).map_err(failed)?;
        Shown::new(Head::Sample(seed), drawn.into_iter())
    } else {
        let drawn = (0..asked.k).map(|_| index.sample(&mut rng).expect("there are solutions"));
        Shown::new(Head::Sample(seed), drawn)
    };
    write(shown, content, &asked.input, &asked.drawn)
}

/// `topdd best`.
pub(crate) fn best(asked: &Best) -> Result<(), Failure> {
    let Best { input, selection, k, max, drawn } = asked;
    let content = open_selected(input, selection, drawn.values)?;
    let given = selection.weights.as_deref().map(WeightFile::read).transpose()?;
    let goal = if *max { Goal::Maximum } else { Goal::Minimum };
    let weighing = weights::weighed(&content, given.as_ref(), &input.file, goal)?;
    let failed = |error: Error| failed_among(&input.file, &error, selection);
    if either!(&content.diagram, diagram => diagram.is_empty()) && *k > 0 {
        return Err(failed(Error::NoSolutions));
    }
    let best = either!(&content.diagram, diagram => diagram.best(&weighing.weights, goal, *k));
    let best = best.map_err(failed)?;
    let shown = Shown::new(Head::Best(weighing), best.map(|best| best.solution));
    write(shown, &content, input, drawn)
}
