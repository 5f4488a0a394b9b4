//! Pages of the solutions that are left.

use num_bigint::BigUint;
use serde::Deserialize;
use serde_json::{Value, json};
use topdd::diagram::DiagramRule;

use super::state;
use topdd_problem::dialogue::{Dialogue, Listed, MAX_BEST, short};

/// The solutions on a page.
const PAGE: usize = 12;

/// A request for solutions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SolutionsRequest {
    decisions: Vec<String>,
    order: Order,
    /// The number of solutions before the page, in digits.
    #[serde(default)]
    from: Option<String>,
    /// The stream of the random generator; see [`Dialogue::set_draw`].
    #[serde(default)]
    draw: u64,
}

/// The order of solutions.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Order {
    /// Lexicographic.
    Listed,
    /// A random sample.
    Random,
    /// By weight.
    Best,
}

/// Returns a page of solutions as JSON. An error says what is wrong with the request.
pub(super) fn answer<R: DiagramRule>(
    model: &mut Dialogue<R>,
    body: &[u8],
) -> Result<Value, String> {
    let asked: SolutionsRequest = state::read(body)?;
    state::decide_all(model, &asked.decisions)?;
    let from: BigUint = match &asked.from {
        Some(digits) => digits.parse().map_err(|_| format!("`{digits}` is no number"))?,
        None => BigUint::ZERO,
    };
    if from >= *model.left() {
        return Err(format!("there are only {} solutions", short(model.left())));
    }
    let listed = match asked.order {
        Order::Listed => model.list_from(&from, PAGE),
        Order::Random => {
            model.set_draw(asked.draw);
            model.list_samples(PAGE)
        }
        Order::Best => model.list_best(usize::try_from(&from).unwrap_or(usize::MAX), PAGE)?,
    };
    let is_random = matches!(asked.order, Order::Random);
    let place = |index: usize, listed: &Listed| {
        if is_random { &listed.rank + 1u32 } else { &from + index + 1u32 }
    };
    let next = &from + listed.len();
    let is_listed = |next: &BigUint| match asked.order {
        Order::Listed => next < model.left(),
        Order::Random => false,
        Order::Best => next < model.left() && next + PAGE <= MAX_BEST.into(),
    };
    let previous = if is_random { None } else { before(&from) };
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

/// The start of the page before a page that starts at `from`.
fn before(from: &BigUint) -> Option<BigUint> {
    let page = BigUint::from(PAGE);
    (*from > BigUint::ZERO).then(|| if *from > page { from - page } else { BigUint::ZERO })
}
