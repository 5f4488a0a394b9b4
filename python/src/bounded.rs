//! Runs within bounds, where the diagram does not fit: the best solution, and the number of solutions.

use std::num::NonZero;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyString;
use topdd::Goal;
use topdd_problem::bounded::{self, BoundedOptions, parse_gap};

use crate::convert::{Integer, Numbers, size};
use crate::errors::{Failure, Outcome};
use crate::family::Family;
use crate::run::{ANSWER_GRACE, LimitArgs, Limits};
use crate::solution::Solution;
use crate::specs::raise;
use crate::universe::Universe;
use crate::weights::{of_universe, of_variables};

/// The best solution that ``Family.bounded`` has found, and a bound that no solution is better than.
///
/// >>> import topdd as td
/// >>> best = td.Graph.cycle(9).independent_sets().bounded(max=True, width=2)
/// >>> best.weight, best.bound, best.gap, best.proven, best.stopped_by
/// (4, 4, 0.0, True, None)
/// >>> best
/// <topdd.BoundedBest: weight 4, bound 4, proven>
#[pyclass(frozen, get_all, module = "topdd")]
pub(crate) struct BoundedBest {
    /// The best solution found; ``None`` if there is none.
    solution: Option<Py<Solution>>,
    /// Its weight.
    weight: Option<Py<PyAny>>,
    /// No solution has a better weight; ``None`` if no bound is known, or if there is no solution.
    bound: Option<Py<PyAny>>,
    /// The difference of weight and bound, as a share of the weight; ``None`` if either is unknown.
    gap: Option<f64>,
    /// Whether the solution is proven to be best, or that there is none.
    proven: bool,
    /// What ended the run: "gap", "time", "memory" or "cancel"; ``None`` if the solution is proven.
    stopped_by: Option<&'static str>,
    /// The number of states of all levels.
    states: u64,
}

#[pymethods]
impl BoundedBest {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let text = |number: &Option<Py<PyAny>>| match number {
            Some(number) => number.bind(py).str().map(|text| text.to_string()),
            None => Ok("unknown".to_owned()),
        };
        let (weight, bound) = (text(&self.weight)?, text(&self.bound)?);
        let end = match (self.stopped_by, &self.solution) {
            (None, None) => return Ok("<topdd.BoundedBest: no solution, proven>".to_owned()),
            (None, _) => "proven".to_owned(),
            (Some(limit), _) => format!("stopped by {limit}"),
        };
        Ok(format!("<topdd.BoundedBest: weight {weight}, bound {bound}, {end}>"))
    }
}

/// An estimate of the number of solutions, which ``Family.estimate_count`` returns. It is no bound.
#[pyclass(frozen, get_all, module = "topdd")]
pub(crate) struct CountEstimate {
    /// The mean of the samples.
    mean: f64,
    /// The lower end of an interval that holds the number in about 95 of 100 runs.
    low: f64,
    /// The upper end of the interval.
    high: f64,
    /// The number of samples.
    samples: usize,
}

#[pymethods]
impl CountEstimate {
    fn __repr__(&self) -> String {
        let Self { mean, low, high, .. } = self;
        format!("<topdd.CountEstimate: {mean:.4e}, from {low:.4e} to {high:.4e}>")
    }
}

/// Reads the options of a run.
fn options(
    width: Option<&Bound<'_, PyAny>>,
    gap: Option<&Bound<'_, PyAny>>,
) -> Outcome<BoundedOptions> {
    let of_width = |given: &Bound<'_, PyAny>| {
        NonZero::new(size(given, "width")?).ok_or_else(|| {
            Failure::input("width=0: a level of width 0 has no states; give 1 or more")
        })
    };
    let of_gap = |given: &Bound<'_, PyAny>| {
        let text = if given.is_instance_of::<PyString>() {
            given.to_string()
        } else {
            given.extract::<f64>().map_or_else(|_| String::new(), |share| share.to_string())
        };
        parse_gap(text.trim()).map_err(|_| {
            Failure::Input(format!("gap={given:?}: give a share below 1, such as 0.05, or \"5%\""))
        })
    };
    Ok(BoundedOptions {
        width: width.map(of_width).transpose()?,
        gap: gap.map(of_gap).transpose()?,
    })
}

/// Makes a solution of the values of variables, in an order of the elements.
fn solution(universe: &Arc<Universe>, order: &[usize], found: &[usize]) -> Solution {
    let mut values = vec![0; order.len()];
    for (&element, &value) in order.iter().zip(found) {
        values[element] = value as u8;
    }
    Solution { universe: universe.clone(), values: values.into() }
}

/// The function that is called with each better solution.
fn callback(given: Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
    if given.is_callable() {
        return Ok(given.unbind());
    }
    Err(Failure::Input(format!("on_better={given:?}: give a function of a weight and a solution")))
}

/// The weight of a solution as it was given.
fn weight(solution: &Solution, numbers: &Numbers, py: Python<'_>) -> PyResult<Py<PyAny>> {
    Ok(numbers.sum(py, solution.weighed())?.unbind())
}

#[pymethods]
impl Family {
    /// Finds the solution of least weight, or of greatest weight with ``max=True``, for families whose diagram does not fit:
    /// returns a ``BoundedBest`` with the best solution found, its weight, and a bound that no solution is better than.
    ///
    /// A variable has at most ``width`` states; hundreds to some thousands are usual. Without it, as many as ``memory`` holds.
    /// The run improves weight and bound until they meet, or until they differ by at most the share ``gap`` of the weight. A limit
    /// is no error: it ends the run, and ``stopped_by`` names it. ``on_better(weight, solution)`` is called for each better
    /// solution. Weights are as for ``Diagram.best``. The states of the family must merge: independent,
    /// dominating and covering vertex sets, cliques, edge sets by degrees, and ready constraints do.
    ///
    /// >>> import topdd as td
    /// >>> bag = td.constraints(["tent", "stove", "lamp", "rope"], [0, 1])
    /// >>> bag = bag.linear({"tent": 7, "stove": 4, "lamp": 2, "rope": 5}, "<=", 11)
    /// >>> best = bag.bounded({"tent": 9, "stove": 5, "lamp": 3, "rope": 6}, max=True, width=100, timeout=60)
    /// >>> best.weight, best.solution["tent"], best.proven
    /// (14, 1, True)
    #[expect(clippy::too_many_arguments, reason = "the keyword arguments of Python")]
    #[pyo3(signature = (weights=None, *, max=false, width=None, gap=None, on_better=None, **limits))]
    fn bounded(
        &self,
        weights: Option<&Bound<'_, PyAny>>,
        max: bool,
        width: Option<&Bound<'_, PyAny>>,
        gap: Option<&Bound<'_, PyAny>>,
        on_better: Option<Bound<'_, PyAny>>,
        limits: Option<LimitArgs>,
        py: Python<'_>,
    ) -> Outcome<BoundedBest> {
        self.check_arities("solutions are")?;
        let on_better = on_better.map(callback).transpose()?;
        let numbers = of_universe(&self.universe, weights, py)?;
        let options = options(width, gap)?;
        let goal = if max { Goal::Maximum } else { Goal::Minimum };
        let universe = Arc::new(self.universe.clone());
        let (of_run, weighed) = (universe.clone(), numbers.clone());
        let mut limits = Limits::new(py, limits)?;
        limits.refuse_files("bounded")?;
        limits.grace = ANSWER_GRACE;
        let (best, order) = self.run_within(py, limits, move |problem, task| {
            let order = problem.element_order()?;
            let spec = bounded::spec(problem, &order, task)?;
            let costs = of_variables(&of_run, &weighed, &order);
            let mut run = task.bounded(options.over(&spec));
            if let Some(callback) = &on_better {
                run = run.on_better(|_, found| {
                    let better = solution(&of_run, &order, found);
                    let called = Python::attach(|py| {
                        let weight = weight(&better, &weighed, py)?;
                        callback.bind(py).call1((weight, better)).map(drop)
                    });
                    called.unwrap_or_else(|error| raise(error));
                });
            }
            let best = bounded::best(&mut run, &costs, goal)?;
            drop(run);
            Ok((best, order))
        })?;
        let found = best.solution().map(|found| solution(&universe, &order, found));
        let weight = found.as_ref().map(|found| weight(found, &numbers, py)).transpose()?;
        // Rounded sums of floats differ in their last digits.
        let proven = weight.as_ref().map(|weight| weight.clone_ref(py));
        let restored = |bound| Ok::<_, PyErr>(numbers.restored(py, bound)?.unbind());
        Ok(BoundedBest {
            weight,
            solution: found.map(|found| Py::new(py, found)).transpose()?,
            bound: if best.is_proven() {
                proven
            } else {
                best.bound().map(restored).transpose()?
            },
            gap: best.gap(),
            proven: best.is_proven(),
            stopped_by: bounded::stopped_by(best.reason()),
            states: best.report().states,
        })
    }

    /// Returns bounds of the number of solutions, by two sweeps with at most ``width`` states for each variable: the number of
    /// solutions that the first one finds, and the number that a relaxation has, or ``None`` if the states do not merge.
    ///
    /// >>> import topdd as td
    /// >>> few = td.constraints(40, [0, 1]).at_most(12)
    /// >>> lower, upper = few.count_bounds(width=8)
    /// >>> lower < few.count() < upper
    /// True
    #[pyo3(signature = (*, width=None, **limits))]
    fn count_bounds(
        &self,
        width: Option<&Bound<'_, PyAny>>,
        limits: Option<LimitArgs>,
        py: Python<'_>,
    ) -> Outcome<(Integer, Option<Integer>)> {
        let options = options(width, None)?;
        let limits = Limits::new(py, limits)?;
        limits.refuse_files("count_bounds")?;
        let bounds = self.run_within(py, limits, move |problem, task| {
            let spec = problem.spec(&problem.element_order()?, task)?;
            Ok(task.bounded(options.over(&spec)).count_bounds()?)
        })?;
        Ok((Integer(bounds.lower().clone()), bounds.upper().cloned().map(Integer)))
    }

    /// Estimates the number of solutions by ``samples`` random ways, which the states of a sweep of this ``width`` guide: returns a
    /// ``CountEstimate`` with the mean and an interval. It is no bound. The same ``seed`` gives the same estimate.
    ///
    /// >>> import topdd as td
    /// >>> estimate = td.constraints(40, [0, 1]).at_most(12).estimate_count(2000, seed=1, width=8)
    /// >>> estimate.low <= estimate.mean <= estimate.high
    /// True
    #[pyo3(signature = (samples=None, *, seed=None, width=None, **limits), text_signature = "(self, samples=1000, *, seed=0, width=None, **limits)")]
    fn estimate_count(
        &self,
        samples: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        width: Option<&Bound<'_, PyAny>>,
        limits: Option<LimitArgs>,
        py: Python<'_>,
    ) -> Outcome<CountEstimate> {
        let options = options(width, None)?;
        let number = |given: Option<&Bound<'_, PyAny>>, name, default| {
            given.map_or(Ok(default), |given| size(given, name))
        };
        let (samples, seed) = (number(samples, "samples", 1000)?, number(seed, "seed", 0)? as u64);
        let limits = Limits::new(py, limits)?;
        limits.refuse_files("estimate_count")?;
        let estimate = self.run_within(py, limits, move |problem, task| {
            let spec = problem.spec(&problem.element_order()?, task)?;
            Ok(task.bounded(options.over(&spec)).estimate_count(samples, seed)?)
        })?;
        let topdd::bounded::CountEstimate { mean, low, high, samples } = estimate;
        Ok(CountEstimate { mean, low, high, samples })
    }
}
