//! Marginals, and how much each element matters: the measures of Birnbaum, Banzhaf and Shapley.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use topdd::{BigInt, BigUint, QueryError, Ratio, Weights, Zdd};

use super::{AsSets, Diagram};
use crate::convert::Integer;
use crate::errors::{Failure, Outcome};
use crate::run::{LimitArgs, check_bytes};
use crate::universe::PAIRS;
use crate::weights::{Odds, odds, probabilities};

/// A number of an element: a fraction if all that it was computed from is exact.
enum Measure {
    Exact(Ratio<BigInt>),
    Float(f64),
}

impl<'py> IntoPyObject<'py> for Measure {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Measure::Float(number) => Ok(number.into_pyobject(py)?.into_any()),
            Measure::Exact(ratio) => {
                let is_negative = *ratio.numer() < BigInt::ZERO;
                let (numerator, denominator) = ratio.into_raw();
                let [numerator, denominator] =
                    [numerator, denominator].map(|part| Integer(part.into_parts().1));
                let fraction = py.import("fractions")?.getattr("Fraction")?;
                let fraction = fraction.call1((numerator, denominator))?;
                if is_negative { fraction.neg() } else { Ok(fraction) }
            }
        }
    }
}

fn exact(numerator: BigInt, denominator: BigUint) -> Measure {
    Measure::Exact(Ratio::new(numerator, denominator.into()))
}

impl Diagram {
    /// A dictionary with a number for each element, from a query whose values take about so many bits at each node.
    fn measures<'py>(
        &self,
        py: Python<'py>,
        limits: Option<LimitArgs>,
        bits: usize,
        sets: AsSets,
        query: impl FnOnce(&Zdd) -> Outcome<Vec<Measure>> + Send + 'static,
    ) -> Outcome<Bound<'py, PyDict>> {
        // Half of the variables are below a node.
        let per_node = size_of::<BigUint>() + bits / 16;
        let by_variable = self.long(py, limits, move |zdd, task| {
            check_bytes(task.memory, zdd.node_count().saturating_mul(per_node))?;
            query(&sets.apply(zdd, task)?)
        })?;
        let mut by_variable: Vec<_> = by_variable.into_iter().map(Some).collect();
        let by_element = self.variables.iter().map(|&variable| by_variable[variable].take());
        Ok(self.universe.elements().mapping(py, by_element)?)
    }

    /// The odds of the variables, and the bits of their products.
    fn in_order(&self, odds: Odds) -> (Odds, usize) {
        match odds {
            Odds::Floats(pairs) => {
                (Odds::Floats(self.order.iter().map(|&element| pairs[element]).collect()), 64)
            }
            Odds::Exact(mut pairs) => {
                let bits = |pair: &[BigUint; 2]| pair[0].bits().max(pair[1].bits()) as usize;
                let bits = self.order.len() + pairs.iter().map(bits).sum::<usize>();
                let pair = |&element: &usize| std::mem::take(&mut pairs[element]);
                (Odds::Exact(self.order.iter().map(pair).collect()), bits)
            }
        }
    }
}

fn weights<W>(pairs: Vec<[W; 2]>) -> Weights<W> {
    pairs.into_iter().collect()
}

#[pymethods]
impl Diagram {
    /// Returns a dictionary with the share of the sets that contain each element.
    ///
    /// Without arguments, all sets are equally likely. With ``weights``, a set is as likely as the product of the weights
    /// of its elements. With ``p``, it is the probability that an element works, given that the elements that work are a
    /// set of the diagram. The numbers are fractions, or floats if some of those given are.
    ///
    /// >>> import topdd as td
    /// >>> triangle = td.Graph([(0, 1), (1, 2), (0, 2)]).spanning_trees().build()
    /// >>> triangle.marginals([1, 1, 2])
    /// {(0, 1): Fraction(3, 5), (1, 2): Fraction(3, 5), (0, 2): Fraction(4, 5)}
    #[pyo3(signature = (weights=None, *, p=None, **limits))]
    fn marginals<'py>(
        &self,
        weights: Option<&Bound<'py, PyAny>>,
        p: Option<&Bound<'py, PyAny>>,
        limits: Option<LimitArgs>,
        py: Python<'py>,
    ) -> Outcome<Bound<'py, PyDict>> {
        let sets = self.as_sets("marginals", PAIRS, py)?;
        let odds = match (weights, p) {
            (Some(_), Some(_)) => return Err(Failure::input("give weights or p, not both")),
            (None, None) => Odds::ones(self.order.len()),
            (Some(given), None) => odds(&self.universe, given, "weight")?,
            (None, Some(given)) => odds(&self.universe, given, "p")?,
        };
        let (odds, bits) = self.in_order(odds);
        self.measures(py, limits, bits, sets, move |zdd| match odds {
            Odds::Floats(pairs) => {
                let marginals = zdd.marginals(&self::weights(pairs))?;
                Ok(marginals.iter().map(|of| Measure::Float(of[1])).collect())
            }
            Odds::Exact(pairs) => exact_marginals(zdd, pairs),
        })
    }

    /// Returns a dictionary with the Birnbaum importance of each element: the derivative of ``probability`` by its ``p``.
    ///
    /// It is the probability if the element works, minus the probability if it fails; it is negative where an element
    /// does harm. ``p`` is by default ``p`` of the graph. The numbers are floats, or fractions if all of ``p`` are exact.
    ///
    /// >>> import topdd as td
    /// >>> series = td.Graph([(0, 1), (1, 2)]).connected().build()
    /// >>> series.birnbaum([0.5, 0.25])
    /// {(0, 1): 0.25, (1, 2): 0.5}
    #[pyo3(signature = (p=None, **limits))]
    fn birnbaum<'py>(
        &self,
        p: Option<&Bound<'py, PyAny>>,
        limits: Option<LimitArgs>,
        py: Python<'py>,
    ) -> Outcome<Bound<'py, PyDict>> {
        let sets = self.as_sets("birnbaum", PAIRS, py)?;
        let odds = if let Some(given) = p {
            odds(&self.universe, given, "p")?
        } else {
            let works = probabilities(&self.universe, None)?;
            Odds::Floats(works.into_iter().map(|works| [1.0 - works, works]).collect())
        };
        let (odds, bits) = self.in_order(odds);
        self.measures(py, limits, bits, sets, move |zdd| match odds {
            Odds::Floats(pairs) => {
                let importance = zdd.birnbaum(&self::weights(pairs))?;
                Ok(importance.into_iter().map(Measure::Float).collect())
            }
            Odds::Exact(pairs) => {
                let denominators: Vec<_> =
                    pairs.iter().map(|[fails, works]| fails + works).collect();
                let product: BigUint = denominators.iter().product();
                let gradient = zdd.gradient(&self::weights(pairs));
                let importance = gradient.into_iter().zip(denominators).map(|(of, denominator)| {
                    let [fails, works] = [0, 1].map(|value| BigInt::from(of[value].clone()));
                    exact((works - fails) * BigInt::from(denominator), product.clone())
                });
                Ok(importance.collect())
            }
        })
    }

    /// Returns a dictionary with the Banzhaf value of each element, a fraction: the mean change that it makes, over all
    /// sets of the other elements.
    ///
    /// A change is 1 if the element makes a set one of the diagram, and -1 if it makes it none. All ``elements`` count.
    ///
    /// >>> import topdd as td
    /// >>> td.Diagram([("a", "b"), ("a", "c"), ("a", "b", "c")]).banzhaf()    # who wins a vote: a and another one
    /// {'a': Fraction(3, 4), 'b': Fraction(1, 4), 'c': Fraction(1, 4)}
    #[pyo3(signature = (**limits))]
    fn banzhaf<'py>(
        &self,
        limits: Option<LimitArgs>,
        py: Python<'py>,
    ) -> Outcome<Bound<'py, PyDict>> {
        let sets = self.as_sets("banzhaf", PAIRS, py)?;
        self.measures(py, limits, self.order.len(), sets, |zdd| {
            Ok(zdd.banzhaf()?.into_iter().map(Measure::Exact).collect())
        })
    }

    /// Returns a dictionary with the Shapley value of each element, a fraction: the mean change that it makes when all
    /// elements join an empty set, one after the other, in a random order.
    ///
    /// A change is 1 if the element makes the set one of the diagram, and -1 if it makes it none. All ``elements`` count.
    ///
    /// >>> import topdd as td
    /// >>> td.Diagram([("a", "b"), ("a", "c"), ("a", "b", "c")]).shapley()    # who wins a vote: a and another one
    /// {'a': Fraction(2, 3), 'b': Fraction(1, 6), 'c': Fraction(1, 6)}
    #[pyo3(signature = (**limits))]
    fn shapley<'py>(
        &self,
        limits: Option<LimitArgs>,
        py: Python<'py>,
    ) -> Outcome<Bound<'py, PyDict>> {
        let sets = self.as_sets("shapley", PAIRS, py)?;
        let elements = self.order.len();
        self.measures(py, limits, elements * elements.next_multiple_of(64), sets, |zdd| {
            Ok(zdd.shapley()?.into_iter().map(Measure::Exact).collect())
        })
    }
}

fn exact_marginals(zdd: &Zdd, pairs: Vec<[BigUint; 2]>) -> Outcome<Vec<Measure>> {
    if zdd.is_empty() {
        return Err(QueryError::NoSolutions.into());
    }
    let gradient = zdd.gradient(&weights(pairs.clone()));
    let marginals = gradient.into_iter().zip(pairs).map(|(derivatives, pair)| {
        let [without, with] = [0, 1].map(|value| &derivatives[value] * &pair[value]);
        let total = without + &with;
        if total == BigUint::ZERO {
            return Err(QueryError::NoWeight.into());
        }
        Ok(exact(with.into(), total))
    });
    marginals.collect()
}
