//! `topdd combine`.

use serde_json::json;
use topdd::diagram::DiagramRule;
use topdd::{AnyDiagram, BoxedSpec, BuildError, Diagram, Frontier, QueryError, SpecExt};

use super::form::Form;
use super::matching::{Matching, Operand};
use super::solutions::Listing;
use super::{Content, either, name, open, print, refuse_other_format};
use crate::args::{Combine, Input, Operation};
use crate::failure::Failure;
use crate::interrupt;
use crate::progress::say;
use crate::target::Target;
use topdd_problem::record::{self, Kept};

#[cfg(test)]
mod tests;

/// `topdd combine`.
pub(crate) fn combine(asked: &Combine) -> Result<(), Failure> {
    let Combine { input, operation, other, .. } = asked;
    let other = Input { file: other.clone(), ..input.clone() };
    if input.is_stdin() && other.is_stdin() {
        return Err(Failure::usage("only one of the files can be standard input"));
    }
    let mut save = None;
    if let Some(path) = &asked.save {
        refuse_other_format(path)?;
        let target = save.insert(Target::at(path)?);
        if target.is_stdout() && input.json {
            let message = "--save and --json would both be written to standard output; name a file";
            return Err(Failure::usage(message));
        }
    }
    let contents = [open(input)?, open(&other)?];
    let files = [name(&input.file), name(&other.file)];
    let operands = [0, 1].map(|side| Operand { file: &files[side], content: &contents[side] });
    let Combined { content, notes } = combined(operands, *operation)?;
    for note in notes {
        say(format_args!("note: {note}"));
    }
    if let Some(target) = save {
        let is_stdout = target.is_stdout();
        target.write(|out| content.diagram.write_with(out, &content.metadata))?;
        if is_stdout {
            return Ok(());
        }
    }
    write(asked, &content)
}

/// Writes the count, and the solutions that are asked for.
fn write(asked: &Combine, content: &Content) -> Result<(), Failure> {
    let count = content.diagram.count().to_string();
    let form = Form::new(content, &asked.drawn);
    let limit = if asked.list { usize::MAX } else { asked.limit.unwrap_or(0) };
    let solutions = either!(&content.diagram, diagram => diagram.iter());
    let mut listing = Listing::new(&form, solutions, limit);
    print(|out| {
        if !asked.input.json {
            writeln!(out, "{count}")?;
            return listing.write(out);
        }
        let answer = json!({ "count": count, "nodes": content.diagram.node_count() }).to_string();
        if !asked.list && asked.limit.is_none() {
            return writeln!(out, "{answer}");
        }
        write!(out, "{},\"solutions\":[", answer.trim_end_matches('}'))?;
        listing.write_json(out)?;
        writeln!(out, "]}}")
    })
}

/// The combination of two diagrams, with messages about it.
struct Combined {
    content: Content,
    notes: Vec<String>,
}

/// Combines two diagrams.
fn combined(operands: [Operand<'_>; 2], operation: Operation) -> Result<Combined, Failure> {
    let matching = Matching::new(operands)?;
    let [left, right] = operands.map(|operand| &operand.content.diagram);
    let diagram = match (left, right) {
        (AnyDiagram::Zdd(left), AnyDiagram::Zdd(right)) => {
            built(&matching, left, Ok(right.clone()), operation).map(AnyDiagram::from)
        }
        (AnyDiagram::Zdd(left), AnyDiagram::Bdd(right)) => {
            built(&matching, left, right.to_rule(), operation).map(AnyDiagram::from)
        }
        (AnyDiagram::Bdd(left), AnyDiagram::Zdd(right)) => {
            built(&matching, left, right.to_rule(), operation).map(AnyDiagram::from)
        }
        (AnyDiagram::Bdd(left), AnyDiagram::Bdd(right)) => {
            built(&matching, left, Ok(right.clone()), operation).map(AnyDiagram::from)
        }
    };
    let diagram = diagram.map_err(|error| match error {
        QueryError::Build(BuildError::Cancelled { .. }) => {
            Failure::Interrupted("interrupted while the diagrams were combined".to_owned())
        }
        error => Failure::Failed(error.to_string()),
    })?;
    let mut notes = matching.notes;
    let word = match operation {
        Operation::And => "and",
        Operation::Or => "or",
        Operation::Difference => "without",
        Operation::Xor => "xor",
    };
    let (metadata, kept) = record::combined(
        operands.map(|operand| &operand.content.metadata),
        &matching.variables,
        matching.names.as_deref(),
        word,
    );
    let [left, right] = operands.map(|operand| operand.file);
    let different = "the files are of different problems; the result keeps";
    notes.extend(match kept {
        Kept::All => None,
        Kept::Graph { is_union, has_weights } => {
            let graph = if is_union { "the union of both graphs" } else { "the graph" };
            let weights = if has_weights {
                String::new()
            } else {
                format!(
                    ", and no weights: the weights of {left} and {right} differ; for `topdd best` and bounds of the \
                     cost, give --weights FILE"
                )
            };
            Some(format!("{different} {graph} and the names{weights}"))
        }
        Kept::Names => Some(format!("{different} the names of the variables alone")),
    });
    Ok(Combined { content: Content { diagram, metadata }, notes })
}

/// Builds the combination of two diagrams of the same rule, of which the right one may have been converted to it.
fn built<R: DiagramRule>(
    matching: &Matching,
    left: &Diagram<R>,
    right: Result<Diagram<R>, BuildError>,
    operation: Operation,
) -> Result<Diagram<R>, QueryError> {
    let boxed = |diagram: &Diagram<R>, side| -> Result<BoxedSpec<'static>, QueryError> {
        let (diagram, places) = matching.aligned(diagram, side)?;
        Ok(diagram.relabel(places, &matching.arities[..]).boxed())
    };
    let (left, right) = (boxed(left, 0)?, boxed(&right?, 1)?);
    let spec = match operation {
        Operation::And => left.and(right).boxed(),
        Operation::Or => left.or(right).boxed(),
        Operation::Difference => left.and_not(right).boxed(),
        Operation::Xor => left.xor(right).boxed(),
    };
    Ok(Frontier::over(&spec).cancel_with(interrupt::token()).diagram()?)
}
