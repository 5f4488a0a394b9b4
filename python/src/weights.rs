//! The weights of elements in queries.

use pyo3::prelude::*;

use crate::convert::Numbers;
use crate::errors::{Failure, Outcome};
use crate::graph::check_probabilities;
use crate::universe::Universe;

/// The weights of a call, or else of the graph: the weights of edges, or the population of vertices. Without
/// any, each element weighs 1.
pub(crate) fn of_universe(
    universe: &Universe,
    given: Option<&Bound<'_, PyAny>>,
    py: Python<'_>,
) -> Outcome<Numbers> {
    universe.check_sets("a sum of weights")?;
    if let Some(given) = given {
        let values = universe.per_element(given, "weight")?;
        return Numbers::new(&values, universe.elements().objects(py), "weight");
    }
    let own = match universe {
        Universe::Edges(graph, _) => graph.usable("weight", graph.weight.as_ref())?.cloned(),
        Universe::Vertices(graph) => {
            graph.usable("population", graph.population.as_ref())?.cloned()
        }
        _ => None,
    };
    own.map_or_else(|| Numbers::ones(py, universe.elements().len()), Ok)
}

/// The probabilities of a call, or else of the graph.
pub(crate) fn probabilities(
    universe: &Universe,
    given: Option<&Bound<'_, PyAny>>,
) -> Outcome<Vec<f64>> {
    universe.check_sets("probability")?;
    if let Some(given) = given {
        let (py, elements) = (given.py(), universe.elements());
        let values = universe.per_element(given, "p")?;
        let floats = py.import("topdd._numbers")?.getattr("floats")?;
        let works: Vec<f64> = floats.call1((values, elements.objects(py), "p"))?.extract()?;
        check_probabilities(py, &works, elements)?;
        return Ok(works);
    }
    let own = match universe {
        Universe::Edges(graph, _) => graph.usable("p", graph.p.as_ref())?.cloned(),
        Universe::Vertices(graph) => graph.usable("vertex_p", graph.vertex_p.as_ref())?.cloned(),
        _ => None,
    };
    own.ok_or_else(|| {
        Failure::Input(format!(
            "the {} have no probabilities; give p, a number or one for each",
            universe.nouns()
        ))
    })
}
