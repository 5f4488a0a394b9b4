//! The weights of elements in queries.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use topdd::{BigUint, Weights};
use topdd_problem::condition::value_weights;

use crate::convert::{Integer, NUMBERS, Numbers, call};
use crate::errors::{Failure, Outcome};
use crate::universe::{Objective, PAIRS, Universe, WEIGHTS};

/// The weights of a call, or else of the graph: the weights of edges, or the population of vertices. Without
/// any, each element weighs 1.
pub(crate) fn of_universe(
    universe: &Universe,
    given: Option<&Bound<'_, PyAny>>,
    py: Python<'_>,
) -> Outcome<Arc<Numbers>> {
    if matches!(universe, Universe::Variables(..)) {
        return of_values(universe, given, py);
    }
    universe.check_sets("a sum of weights", PAIRS, py)?;
    if let Some(given) = given {
        let values = universe.per_element(given, "weight")?;
        return Numbers::new(&values, universe.elements().objects(py), "weight");
    }
    let own = universe.graph().map(|graph| graph.weights(universe.unit())).transpose()?.flatten();
    own.cloned().map_or_else(|| Numbers::ones(py, universe.elements().len()), Ok)
}

/// The weight of each value of each variable; by default the objective of a file has them. Without an objective, variables weigh 1
/// with the value of a member of a set.
fn of_values(
    universe: &Universe,
    given: Option<&Bound<'_, PyAny>>,
    py: Python<'_>,
) -> Outcome<Arc<Numbers>> {
    let Some(given) = given else {
        match &universe.elements().objective {
            Objective::None => {}
            Objective::One(own) => return Ok(own.clone()),
            Objective::Several => {
                return Err(Failure::input(
                    "families with different objectives were combined; give weights=",
                ));
            }
        }
        let members = universe.member_values("a sum without weights", WEIGHTS, py)?;
        let of_values = |member| [i64::from(member == 0), i64::from(member == 1)];
        return Numbers::of_whole(py, members.into_iter().flat_map(of_values).collect());
    };
    let given =
        if given.is_callable() { given.clone() } else { universe.per_element(given, "weight")? };
    let all: Vec<usize> = (0..universe.elements().len()).collect();
    universe.weigh(&given, &all, "weight", py)
}

impl Universe {
    /// The numbers of all values of some elements: for each element a number, which is multiplied by the value, or a mapping from
    /// values; or a function of an element and a value.
    pub(crate) fn weigh(
        &self,
        given: &Bound<'_, PyAny>,
        elements: &[usize],
        what: &str,
        py: Python<'_>,
    ) -> Outcome<Arc<Numbers>> {
        let values = self.value_lists(elements, py)?;
        let objects = self.elements().several(py, elements.iter().copied())?;
        let arguments = (given, objects, values, what);
        let (pairs, weights): (Bound<'_, PyTuple>, Bound<'_, PyAny>) =
            call(py, NUMBERS, "per_value", arguments)?.extract()?;
        Numbers::new(&weights, &pairs, what)
    }
}

/// The weights of the values of variables in an order.
pub(crate) fn of_variables(
    universe: &Universe,
    numbers: &Numbers,
    order: &[usize],
) -> Weights<i64> {
    let weights = &numbers.whole;
    if matches!(universe, Universe::Variables(..)) {
        let of_values = value_weights(weights, universe.arities());
        return order.iter().map(|&element| of_values[element].clone()).collect();
    }
    Weights::of_ones(order.iter().map(|&element| weights[element]))
}

/// The probabilities of a call, or else of the graph.
pub(crate) fn probabilities(
    universe: &Universe,
    given: Option<&Bound<'_, PyAny>>,
) -> Outcome<Vec<f64>> {
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
