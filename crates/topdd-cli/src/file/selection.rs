//! Some of the solutions in a file: with certain elements, within bounds of their cost, maximal or minimal ones.

use topdd::{AnyDiagram, Decision, QueryError};
use topdd_graph::families::Unit;
use topdd_problem::names::split_list;
use topdd_problem::{CellTable, On};

use super::formats::read;
use super::{Content, either, failed, name, weights};
use crate::apply;
use crate::args::{FileSelection, Input, Selection, whole_bounds};
use crate::failure::Failure;

#[cfg(test)]
mod tests;

/// The content of a file, with the selected solutions alone. With `values`, variables have numbers instead of names.
pub(super) fn open_selected(
    input: &Input,
    selection: &FileSelection,
    values: bool,
) -> Result<Content, Failure> {
    let mut content = read(input)?;
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
    let failed = |error: QueryError| failed(&input.file, &error);
    if !(with.is_empty() && without.is_empty()) {
        let file = name(&input.file);
        let table = content.table(file, values);
        let decisions = decisions(&table, [with, without])?;
        diagram = either!(diagram, diagram => diagram.restrict(&decisions).map_err(failed)?.into());
    }
    if selection.selection.bounds_cost() {
        let weights = weights::of(content, selection.weights.as_deref(), &input.file)?;
        let bounds = selection.selection.cost_bounds();
        let (scale, [least, most]) = whole_bounds(weights.iter().flatten(), &bounds)?;
        let bounds = least.map_or(i128::MIN, i128::from)..=most.map_or(i128::MAX, i128::from);
        let file = selection.weights.as_ref().unwrap_or(&input.file);
        let weights = weights::scaled(&weights, scale, file)?;
        diagram =
            either!(diagram, diagram => diagram.within(&weights, bounds).map_err(failed)?.into());
    }
    if let Some((flag, condition)) = extremes.condition() {
        check_sets(content, flag, input)?;
        let on = On { graph: None, unit: Unit::Vertex, order: &[] };
        diagram = match diagram {
            AnyDiagram::Zdd(zdd) => apply::restricted(&zdd, &condition, on)?.into(),
            AnyDiagram::Bdd(bdd) => {
                let zdd = bdd.to_zdd().map_err(|error| failed(error.into()))?;
                let zdd = apply::restricted(&zdd, &condition, on)?;
                zdd.to_bdd().map_err(|error| failed(error.into()))?.into()
            }
        };
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

/// Refuses variables of other than two values, for an option about sets.
pub(super) fn check_sets(content: &Content, flag: &str, input: &Input) -> Result<(), Failure> {
    let arities = content.arities();
    match arities.iter().position(|&arity| arity != 2) {
        None => Ok(()),
        Some(variable) => Err(Failure::Usage(format!(
            "{flag} is for sets, and variable {variable} of {} has {} values\nhint: `topdd convert --encode one-hot` \
             makes sets of them",
            name(&input.file),
            arities[variable]
        ))),
    }
}
