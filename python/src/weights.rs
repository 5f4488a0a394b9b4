//! The weights of elements in queries.

use std::sync::Arc;

use pyo3::prelude::*;
use topdd::BigUint;

use crate::convert::{Integer, NUMBERS, Numbers, call};
use crate::errors::{Failure, Outcome};
use crate::universe::Universe;

/// The weights of a call, or else of the graph: the weights of edges, or the population of vertices. Without
/// any, each element weighs 1.
pub(crate) fn of_universe(
    universe: &Universe,
    given: Option<&Bound<'_, PyAny>>,
    py: Python<'_>,
) -> Outcome<Arc<Numbers>> {
    universe.check_sets("a sum of weights")?;
    if let Some(given) = given {
        let values = universe.per_element(given, "weight")?;
        return Numbers::new(&values, universe.elements().objects(py), "weight");
    }
    let own = universe.graph().map(|graph| graph.weights(universe.unit())).transpose()?.flatten();
    own.cloned().map_or_else(|| Numbers::ones(py, universe.elements().len()), Ok)
}

/// The probabilities of a call, or else of the graph.
pub(crate) fn probabilities(
    universe: &Universe,
    given: Option<&Bound<'_, PyAny>>,
) -> Outcome<Vec<f64>> {
    universe.check_sets("probability")?;
    if let Some(given) = given {
        let (values, py) = (universe.per_element(given, "p")?, given.py());
        let arguments = (values, universe.elements().objects(py), "p");
        return Ok(call(py, NUMBERS, "probabilities", arguments)?.extract()?);
    }
    let unit = universe.unit();
    let own = universe.graph().map(|graph| graph.probabilities(unit)).transpose()?.flatten();
    own.cloned().ok_or_else(|| {
        Failure::Input(format!(
            "the {} have no probabilities; give p, a number or one for each",
            universe.nouns()
        ))
    })
}

/// The odds that elements are not in a set, and that they are. Exact ones are integers, as only their ratios matter.
pub(crate) enum Odds {
    Exact(Vec<[BigUint; 2]>),
    Floats(Vec<[f64; 2]>),
}

impl Odds {
    /// The same odds for all sets of so many elements.
    pub(crate) fn ones(elements: usize) -> Self {
        Odds::Exact(vec![[1u32.into(), 1u32.into()]; elements])
    }
}

/// The odds of a call: by the probabilities `p`, or by weights.
pub(crate) fn odds(universe: &Universe, given: &Bound<'_, PyAny>, what: &str) -> Outcome<Odds> {
    let (values, py) = (universe.per_element(given, what)?, given.py());
    let found = call(py, NUMBERS, "odds", (values, universe.elements().objects(py), what))?;
    let (is_exact, pairs): (bool, Bound<'_, PyAny>) = found.extract()?;
    if !is_exact {
        return Ok(Odds::Floats(pairs.extract()?));
    }
    let pairs: Vec<[Integer; 2]> = pairs.extract()?;
    Ok(Odds::Exact(pairs.into_iter().map(|pair| pair.map(|Integer(part)| part)).collect()))
}
