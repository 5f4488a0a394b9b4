//! The conditions of the methods that restrict a family before a sweep, and a diagram after it.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use topdd_problem::decimal::Scale;
use topdd_problem::{Condition, SumBounds};

use crate::convert::size;
use crate::errors::{Failure, Outcome};
use crate::universe::{Domain, MEMBERS, Universe};
use crate::weights::of_universe;

/// The positional arguments of `at_most`, `at_least` or `exactly`.
pub(crate) fn sized<'py>(k: &Bound<'py, PyAny>) -> Outcome<Bound<'py, PyTuple>> {
    Ok(PyTuple::new(k.py(), [size(k, "k")?])?)
}

/// Makes the condition of a method from its name, its positional arguments and the weights of the call.
pub(crate) fn of_call(
    universe: &Universe,
    name: &str,
    arguments: &Bound<'_, PyTuple>,
    weights: Option<&Bound<'_, PyAny>>,
) -> Outcome<Condition> {
    let is_least = matches!(name, "at_least" | "cost_at_least");
    match name {
        "including" | "excluding" => {
            let elements = universe.arguments(arguments, name)?;
            Ok(Condition::Elements { elements, taken: name == "including" })
        }
        "cost_at_most" | "cost_at_least" => {
            let numbers = of_universe(universe, weights, arguments.py())?;
            let bound = Some(numbers.bound(&arguments.get_item(0)?, is_least)?);
            let (least, most) = if is_least { (bound, None) } else { (None, bound) };
            let (weights, scale) = (numbers.whole.clone(), Scale::default());
            Ok(Condition::Cost(SumBounds { weights, least, most, scale }))
        }
        _ => {
            universe.check_sets(name, MEMBERS, arguments.py())?;
            match name {
                "through" | "avoid" => on_vertices(universe, name, arguments),
                "minimal" => Ok(Condition::Minimal),
                "maximal" => Ok(Condition::Maximal),
                _ => {
                    let k = Some(arguments.get_item(0)?.extract()?);
                    let (least, most) = (k.filter(|_| name != "at_most"), k.filter(|_| !is_least));
                    Ok(Condition::Size { least, most })
                }
            }
        }
    }
}

/// The condition of `through` or `avoid`.
fn on_vertices(
    universe: &Universe,
    name: &str,
    vertices: &Bound<'_, PyTuple>,
) -> Outcome<Condition> {
    let Some(graph) = universe.graph() else {
        return Err(Failure::Input(format!("{name} is for sets of edges and of vertices")));
    };
    let vertices = Universe::Graph(graph.clone(), Domain::Vertices).arguments(vertices, name)?;
    let vertices = vertices.into_iter().map(|(vertex, _)| vertex).collect();
    Ok(Condition::Vertices { vertices, taken: name == "through" })
}
