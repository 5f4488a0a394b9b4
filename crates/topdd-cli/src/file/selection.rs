//! Some of the solutions in a file: with certain elements, within bounds of their cost, maximal or minimal ones.

use topdd::{AnyDiagram, Decision};
use topdd_graph::families::Unit;
use topdd_problem::{Condition, On};

use super::{Content, either, failed, name, open, weights};
use crate::args::{Extremes, FileSelection, Input, Selection};
use crate::failure::Failure;
use crate::{apply, saved};
use topdd_problem::dialogue::CellTable;
use topdd_problem::names::split_list;

#[cfg(test)]
mod tests;

/// The content of a file, with the selected solutions alone. With `values`, variables have numbers instead of names.
pub(super) fn open_selected(
    input: &Input,
    selection: &FileSelection,
    values: bool,
) -> Result<Content, Failure> {
    let mut content = open(input)?;
    if !selection.is_everything() {
        content.diagram = selected(&content, input, selection, values)?;
    }
    Ok(content)
}

/// The diagram of the selected solutions.
fn selected(
    content: &Content,
    input: &Input,
    selection: &FileSelection,
    values: bool,
) -> Result<AnyDiagram, Failure> {
    let FileSelection { selection: Selection { with, without, .. }, extremes, .. } = selection;
    let mut diagram = content.diagram.clone();
    let failed = |error| failed(&input.file, &error);
    if !(with.is_empty() && without.is_empty()) {
        let file = name(&input.file).into_owned();
        let table = saved::table(file, &content.diagram, &content.metadata, values);
        let decisions = decisions(&table, [with, without])?;
        diagram = either!(diagram, diagram => diagram.restrict(&decisions).map_err(failed)?.into());
    }
    if selection.selection.bounds_cost() {
        let weights = weights::of(content, selection.weights.as_deref(), &input.file)?;
        let (scale, bounds) = selection.selection.cost_bounds(weights.iter().flatten())?;
        let file = selection.weights.as_ref().unwrap_or(&input.file);
        let weights = weights::scaled(&weights, scale, file)?;
        diagram =
            either!(diagram, diagram => diagram.within(&weights, bounds).map_err(failed)?.into());
    }
    if extremes.are_asked() {
        diagram = extremal(diagram, input, extremes)?;
    }
    Ok(diagram)
}

/// The decisions that the solutions have the first elements, and not the second ones.
pub(crate) fn decisions(
    table: &CellTable,
    [with, without]: [&[String]; 2],
) -> Result<Vec<Decision>, Failure> {
    let mut decisions = Vec::new();
    for (flag, lists) in [("--with", with), ("--without", without)] {
        for list in lists {
            let refused = |message| Failure::Usage(format!("{flag}: {message}"));
            let names = split_list(list, |text| table.parse(text).is_ok()).map_err(refused)?;
            for text in names {
                let cell = table.parse(text).map_err(refused)?;
                let (variable, value) = table.at(cell).expect("the table has the cell");
                decisions.push(match flag {
                    "--with" => Decision::is(variable, value),
                    _ => Decision::is_not(variable, value),
                });
            }
        }
    }
    Ok(decisions)
}

/// The solutions of a diagram that are no parts of others, or of which no other is a part.
fn extremal(
    diagram: AnyDiagram,
    input: &Input,
    extremes: &Extremes,
) -> Result<AnyDiagram, Failure> {
    check_sets(&diagram, if extremes.maximal { "--maximal" } else { "--minimal" }, input)?;
    let failed = |error| failed(&input.file, &error);
    let condition = if extremes.maximal { Condition::Maximal } else { Condition::Minimal };
    let on = On { graph: None, unit: Unit::Vertex, order: &[] };
    match diagram {
        AnyDiagram::Zdd(zdd) => Ok(apply::restricted(&zdd, &condition, on)?.into()),
        AnyDiagram::Bdd(bdd) => {
            let zdd = bdd.to_zdd().map_err(failed)?;
            let zdd = apply::restricted(&zdd, &condition, on)?;
            Ok(zdd.to_bdd().map_err(failed)?.into())
        }
    }
}

/// Refuses variables of other than two values, for an option about sets.
pub(super) fn check_sets(diagram: &AnyDiagram, flag: &str, input: &Input) -> Result<(), Failure> {
    let arity = |variable| either!(diagram, diagram => diagram.arity(variable));
    match (0..diagram.num_vars()).find(|&variable| arity(variable) != 2) {
        None => Ok(()),
        Some(variable) => Err(Failure::Usage(format!(
            "{flag} is for sets, and variable {variable} of {} has {} values\nhint: `topdd convert --encode one-hot` \
             makes sets of them",
            name(&input.file),
            arity(variable)
        ))),
    }
}
