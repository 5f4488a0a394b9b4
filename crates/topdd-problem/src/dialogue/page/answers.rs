//! The answers to the page: the state of the dialogue, the solutions that are left in pages, and the diagram with its
//! levels and its picture.

use num_bigint::BigUint;
use serde::Deserialize;
use serde_json::{Value, json};
use topdd::diagram::DiagramRule;
use topdd::{Decision, Status};
use topdd_graph::families::Unit;

use super::super::{Cell, CellTable, Dialogue, Listed, MAX_BEST, short};

/// The most rows of a table on one page. A board has all of its rows.
const ROWS: usize = 100;

/// A request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PageRequest {
    /// The decisions, as commands of a script: `choose a1`.
    decisions: Vec<String>,
    /// A further command.
    #[serde(default)]
    command: Option<String>,
    /// A row of a table, whose page is shown.
    #[serde(default)]
    first: usize,
    /// The order of solutions.
    #[serde(default)]
    order: ListOrder,
    /// The number of solutions before the page, in digits.
    #[serde(default)]
    from: Option<String>,
    /// The stream of the random generator; see [`Dialogue::set_draw`].
    #[serde(default)]
    draw: u64,
}

/// The order of solutions.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ListOrder {
    /// Lexicographic.
    #[default]
    Listed,
    /// A random sample.
    Random,
    /// By weight.
    Best,
}

/// Makes the decisions of a request, performs its command, and returns the state as JSON.
///
/// An error says what is wrong with the request. Decisions that conflict are no error: the state then has no
/// decisions, and a message.
pub(super) fn state<R: DiagramRule>(model: &mut Dialogue<R>, body: &[u8]) -> Result<Value, String> {
    let asked = read(body)?;
    decide(model, &asked.decisions)?;
    model.set_draw(asked.draw);
    let said = model.said().clone();
    let (mut text, mut refused, mut because) = (said.text, said.refused, said.because);
    if !refused && let Some(command) = &asked.command {
        let answer = model.command(command)?;
        (text, refused, because) = (answer.text, !answer.done, answer.because);
    }
    let table = model.table();
    // Pages of a table begin at the same rows, wherever one comes from.
    let first = asked.first.min(table.rows().saturating_sub(1));
    let first = if table.board().is_some() { 0 } else { first - first % ROWS };
    let last = if table.board().is_some() { table.rows() } else { table.rows().min(first + ROWS) };
    let rows = first..last;
    let unit = table.unit();
    let has_sets = table.has_sets();
    let reasons = because.iter().flat_map(|&reason| table.cells_about(reason));
    Ok(json!({
        "title": table.title(),
        "piece": table.piece(),
        "rows": table.rows(),
        "first": first,
        "row_names": rows.clone().map(|row| table.row_name(row)).collect::<Vec<_>>(),
        "col_names": (0..table.cols()).map(|col| table.col_name(col)).collect::<Vec<_>>(),
        // Of a table whose values have names.
        "value_names": rows.clone().map(|row| table.value_names(row)).collect::<Option<Vec<_>>>(),
        "cells": rows.map(|row| statuses(model, row)).collect::<Vec<_>>(),
        "left": short(model.left()),
        "all": short(model.all()),
        "has_weights": model.has_weights(),
        "weight": model.weight_left(),
        "solution": model.solution(),
        // Of a map, all elements are shown.
        "ones": has_sets.then(|| ones(model)),
        "shares": if has_sets { model.shares() } else { None },
        "colours": (unit == Some(Unit::Colour)).then(|| colours(model)),
        "decisions": model.decisions().iter().map(|&taken| shown(table, taken)).collect::<Vec<_>>(),
        "message": text,
        "refused": refused,
        "because": reasons.map(|cell| [cell.row, cell.col]).collect::<Vec<_>>(),
    }))
}

/// Reads a request.
fn read(body: &[u8]) -> Result<PageRequest, String> {
    serde_json::from_slice(body).map_err(|error| error.to_string())
}

/// Makes the decisions of a request. Fails if they conflict.
fn decide_all<R: DiagramRule>(model: &mut Dialogue<R>, lines: &[String]) -> Result<(), String> {
    decide(model, lines)?;
    if model.said().refused { Err(model.said().text.clone()) } else { Ok(()) }
}

/// Makes the decisions of a request, or none if they conflict; the message of the model then says so.
fn decide<R: DiagramRule>(model: &mut Dialogue<R>, lines: &[String]) -> Result<(), String> {
    let decisions: Result<Vec<Decision>, String> =
        lines.iter().map(|line| decision(model.table(), line)).collect();
    model.decide_all(&decisions?);
    Ok(())
}

/// The decision of a command.
fn decision(table: &CellTable, line: &str) -> Result<Decision, String> {
    let (command, cell) = line.split_once(' ').unwrap_or((line, ""));
    let at = table.at(table.parse(cell)?).ok_or("there is no such place")?;
    match command {
        "choose" => Ok(Decision::is(at.0, at.1)),
        "forbid" => Ok(Decision::is_not(at.0, at.1)),
        _ => Err(format!("`{line}` is no decision: write `choose` or `forbid`, and a place")),
    }
}

/// A decision as the page lists it: the command, the words and the cells.
fn shown(table: &CellTable, decision: Decision) -> Value {
    json!({
        "command": table.command(decision),
        "text": table.describe(decision),
        "cells": table.cells_about(decision).iter().map(|cell| [cell.row, cell.col]).collect::<Vec<_>>(),
    })
}

/// The statuses of a row, a letter for each cell.
fn statuses<R: DiagramRule>(model: &Dialogue<R>, row: usize) -> String {
    (0..model.table().cols_in(row)).map(|col| letter(model, Cell { row, col })).collect()
}

/// The statuses of the values 1, a letter for each variable.
fn ones<R: DiagramRule>(model: &Dialogue<R>) -> String {
    (0..model.table().rows()).map(|row| letter(model, Cell { row, col: 1 })).collect()
}

/// The colour of each vertex that has only one left, and the letter of its status.
fn colours<R: DiagramRule>(model: &Dialogue<R>) -> Vec<Option<(usize, char)>> {
    let colour = |row| statuses(model, row).char_indices().find(|(_, of)| matches!(of, 'c' | 'f'));
    (0..model.table().rows()).map(colour).collect()
}

fn letter<R: DiagramRule>(model: &Dialogue<R>, cell: Cell) -> char {
    match model.status(cell) {
        Some(Status::Chosen) => 'c',
        Some(Status::Forced) => 'f',
        Some(Status::Forbidden) => 'x',
        Some(Status::Impossible) => '-',
        Some(Status::Free) | None => '.',
    }
}

/// The solutions on a page.
const PAGE: usize = 12;

/// Returns a page of solutions as JSON. An error says what is wrong with the request.
pub(super) fn solutions<R: DiagramRule>(
    model: &mut Dialogue<R>,
    body: &[u8],
) -> Result<Value, String> {
    let asked = read(body)?;
    decide_all(model, &asked.decisions)?;
    let from: BigUint = match &asked.from {
        Some(digits) => digits.parse().map_err(|_| format!("`{digits}` is no number"))?,
        None => BigUint::ZERO,
    };
    if from >= *model.left() {
        return Err(format!("there are only {} solutions", short(model.left())));
    }
    let listed = match asked.order {
        ListOrder::Listed => model.list_from(&from, PAGE),
        ListOrder::Random => {
            model.set_draw(asked.draw);
            model.list_samples(PAGE)
        }
        ListOrder::Best => model.list_best(usize::try_from(&from).unwrap_or(usize::MAX), PAGE)?,
    };
    let is_random = matches!(asked.order, ListOrder::Random);
    let place = |index: usize, listed: &Listed| {
        if is_random { &listed.rank + 1u32 } else { &from + index + 1u32 }
    };
    let next = &from + listed.len();
    let is_listed = |next: &BigUint| match asked.order {
        ListOrder::Listed => next < model.left(),
        ListOrder::Random => false,
        ListOrder::Best => next < model.left() && next + PAGE <= MAX_BEST.into(),
    };
    let is_later = from > BigUint::ZERO && !is_random;
    let previous = is_later.then(|| &from - BigUint::from(PAGE).min(from.clone()));
    Ok(json!({
        "first": (&from + 1u32).to_string(),
        "last": next.to_string(),
        "count": short(model.left()),
        "previous": previous.map(|from| from.to_string()),
        "next": is_listed(&next).then(|| next.to_string()),
        "solutions": listed.iter().enumerate().map(|(index, listed)| json!({
            "place": place(index, listed).to_string(),
            "rank": listed.rank.to_string(),
            "weight": listed.weight,
            "text": model.table().solution_text(&listed.values),
            "cells": model.table().solution_cells(&listed.values).iter()
                .map(|cell| [cell.row, cell.col]).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    }))
}

/// The most nodes that are drawn.
const MAX_NODES: usize = 3000;
/// The most levels whose widths are listed.
const MAX_LEVELS: usize = 1000;

/// Returns the diagram as JSON, with the part on the paths of the solutions that are left. An error says what is wrong
/// with the request.
pub(super) fn diagram<R: DiagramRule>(
    model: &mut Dialogue<R>,
    body: &[u8],
) -> Result<Value, String> {
    let asked = read(body)?;
    decide_all(model, &asked.decisions)?;
    let widths = model.widths();
    let levels = widths.iter().take(MAX_LEVELS).enumerate();
    let levels = levels.map(|(variable, [nodes, left])| {
        json!({ "name": model.table().level_name(variable), "nodes": nodes, "left": left })
    });
    Ok(json!({
        "nodes": widths.iter().map(|[nodes, _]| nodes).sum::<usize>(),
        "left": widths.iter().map(|[_, left]| left).sum::<usize>(),
        "most": MAX_NODES,
        "variables": widths.len(),
        "levels": levels.collect::<Vec<_>>(),
        "picture": model.picture(MAX_NODES),
    }))
}
