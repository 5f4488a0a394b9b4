//! The conditions of the methods that restrict a family before a sweep, and a diagram after it.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use topdd_problem::decimal::Scale;
use topdd_problem::{Condition, SumBounds};

use crate::convert::size;
use crate::errors::{Failure, Outcome};
use crate::universe::Universe;
use crate::weights::of_universe;

/// Makes the condition of a method with positional arguments, from its name and the arguments.
pub(crate) type OfArguments = fn(&Universe, &str, &Bound<'_, PyTuple>) -> Outcome<Condition>;

/// The condition of `at_most`, `at_least` or `exactly`, and the number.
pub(crate) fn of_size(
    universe: &Universe,
    name: &str,
    k: &Bound<'_, PyAny>,
) -> Outcome<(Condition, usize)> {
    universe.check_sets(name)?;
    let k = size(k, "k")?;
    let (least, most) = ((name != "at_most").then_some(k), (name != "at_least").then_some(k));
    Ok((Condition::Size { least, most }, k))
}

/// The condition of `including` or `excluding`.
pub(crate) fn on_elements(
    universe: &Universe,
    name: &str,
    elements: &Bound<'_, PyTuple>,
) -> Outcome<Condition> {
    let elements = universe.arguments(elements, name)?;
    Ok(Condition::Elements { elements, taken: name == "including" })
}

/// The condition of `through` or `avoid`.
pub(crate) fn on_vertices(
    universe: &Universe,
    name: &str,
    vertices: &Bound<'_, PyTuple>,
) -> Outcome<Condition> {
    universe.check_sets(name)?;
    let Some(graph) = universe.graph() else {
        return Err(Failure::Input(format!("{name} is for sets of edges and of vertices")));
    };
    let vertices = Universe::Vertices(graph.clone()).arguments(vertices, name)?;
    let vertices = vertices.into_iter().map(|(vertex, _)| vertex).collect();
    Ok(Condition::Vertices { vertices, taken: name == "through" })
}

/// The condition of `cost_at_most` or `cost_at_least`.
pub(crate) fn of_cost(
    universe: &Universe,
    name: &str,
    cost: &Bound<'_, PyAny>,
    weights: Option<&Bound<'_, PyAny>>,
) -> Outcome<Condition> {
    let numbers = of_universe(universe, weights, cost.py())?;
    let is_least = name == "cost_at_least";
    let bound = numbers.bound(cost, is_least)?;
    Ok(Condition::Cost(SumBounds {
        weights: numbers.whole,
        least: is_least.then_some(bound),
        most: (!is_least).then_some(bound),
        scale: Scale::default(),
    }))
}
