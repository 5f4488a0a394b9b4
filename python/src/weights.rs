//! The weights of elements in queries.

use pyo3::prelude::*;
use topdd::Weights;

use crate::convert::Numbers;
use crate::errors::{Failure, Outcome};
use crate::graph::{GraphData, check_probabilities};
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
        return Numbers::new(&universe.per_element(given, "weight")?, "weight");
    }
    let own = match universe {
        Universe::Edges(graph, _) => {
            check_same(graph, "weight")?;
            graph.weight.clone()
        }
        Universe::Vertices(graph) => {
            check_same(graph, "population")?;
            graph.population.clone()
        }
        _ => None,
    };
    own.map_or_else(|| Numbers::ones(py, universe.elements().len()), Ok)
}

/// Fails if graphs were combined that have different numbers of this kind.
fn check_same(graph: &GraphData, kind: &str) -> Outcome<()> {
    if graph.differing.contains(&kind) {
        let given = if kind.ends_with('p') { "p" } else { "weights" };
        return Err(Failure::Input(format!(
            "the graphs of the solutions that were combined differ in {kind}; give {given}"
        )));
    }
    Ok(())
}

/// The probabilities of a call, or else of the graph.
pub(crate) fn probabilities(
    universe: &Universe,
    given: Option<&Bound<'_, PyAny>>,
) -> Outcome<Vec<f64>> {
    universe.check_sets("probability")?;
    if let Some(given) = given {
        let works: Vec<f64> = universe.per_element(given, "p")?.extract()?;
        check_probabilities(given.py(), &works, universe.elements())?;
        return Ok(works);
    }
    let own = match universe {
        Universe::Edges(graph, _) => {
            check_same(graph, "p")?;
            graph.p.clone()
        }
        Universe::Vertices(graph) => {
            check_same(graph, "vertex_p")?;
            graph.vertex_p.clone()
        }
        _ => None,
    };
    own.ok_or_else(|| {
        Failure::Input(format!(
            "the {} have no probabilities; give p, a number or one for each",
            universe.nouns()
        ))
    })
}

/// Numbers of elements as weights of the variables that stand for them.
pub(crate) fn by_variable<T: Copy + Default>(numbers: &[T], order: &[usize]) -> Weights<T> {
    Weights::of_ones(order.iter().map(|&element| numbers[element]))
}
