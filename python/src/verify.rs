//! Families compared with a predicate of Python.

use std::sync::Arc;

use pyo3::prelude::*;
use topdd::Rule;
use topdd::check::{Verification, VerifyError};
use topdd_problem::{Problem, ProblemError};

use crate::convert::{RULES, call, flag};
use crate::errors::{Failure, Outcome, of_class};
use crate::family::Family;
use crate::run::{LimitArgs, Limits, Task};
use crate::solution::Solution;
use crate::specs::{Raiser, exception_of};
use crate::universe::Universe;

#[pymethods]
impl Family {
    /// Compares the family with a predicate on all assignments, or sets, and returns a report. It finds states that are equal
    /// and have different futures, steps that are no pure functions, and wrong solutions, of which it raises the least with its
    /// states as a ``VerifyError``.
    ///
    /// With more than 2**22 assignments it compares samples, which prove nothing, and fails unless ``sampled=True``. So verify
    /// small cases in full.
    ///
    /// >>> import topdd as td
    /// >>> apart = td.dp(10, 0, lambda last, at, value: None if last and value else value)
    /// >>> right = lambda days: not any(days[at] and days[at + 1] for at in range(9))
    /// >>> print(apart.verify(right))
    /// verified (zero-suppressed): 144 solutions
    /// states: all 19
    /// assignments: all 1024
    #[pyo3(signature = (predicate, *, sampled=false, **limits))]
    fn verify(
        &self,
        predicate: Bound<'_, PyAny>,
        #[pyo3(from_py_with = flag)] sampled: bool,
        limits: Option<LimitArgs>,
        py: Python<'_>,
    ) -> Outcome<String> {
        if !predicate.is_callable() {
            return Err(Failure::Input(format!(
                "predicate={predicate:?}: give a function of a solution"
            )));
        }
        let (problem, universe) = (self.problem.clone(), Arc::new(self.universe.clone()));
        let (predicate, own) = (predicate.unbind(), universe.clone());
        let verified = Limits::new(py, limits)?
            .run(py, move |task| compare(&problem, &universe, &predicate, sampled, task))?;
        verified.or_else(|difference| Err(difference.error(&own, py)?.into()))
    }
}

/// What a comparison has found, in numbers of variables.
struct Difference {
    text: String,
    /// The element of each variable.
    order: Vec<usize>,
    /// The least solution of only one of both.
    solution: Option<Solution>,
}

/// Compares a problem with a predicate. Returns the report.
fn compare(
    problem: &Problem,
    universe: &Arc<Universe>,
    predicate: &Py<PyAny>,
    sampled: bool,
    task: &Task,
) -> Outcome<Result<String, Difference>> {
    let order = problem.element_order()?;
    let spec = problem.spec(&order, task)?;
    let raiser = Raiser::new();
    let solution = |values: &[usize]| {
        let mut own = vec![0; values.len()];
        for (&element, &value) in order.iter().zip(values) {
            own[element] = value as u8;
        }
        Solution { universe: universe.clone(), values: own.into() }
    };
    let judge = |values: &[usize]| {
        Python::attach(|py| {
            let verdict = predicate.bind(py).call1((solution(values),));
            let verdict = verdict.and_then(|verdict| verdict.is_truthy());
            verdict.unwrap_or_else(|error| raiser.raise(error))
        })
    };
    let settings = Verification::new().under(Rule::ZeroSuppressed).cancel_with(&task.token);
    let settings = if sampled { settings.sampled() } else { settings };
    let run = || settings.run(&spec, judge);
    let error = match Python::attach(|py| py.detach(run)) {
        Ok(verified) => return Ok(Ok(verified.to_string())),
        Err(VerifyError::Failed { error, .. }) => return Err(ProblemError::from(error).into()),
        Err(error) => error,
    };
    let text = match &error {
        VerifyError::SamplesOnly { compared, assignments, report } => format!(
            "no difference in {compared} of {assignments} assignments, which proves nothing; verify a smaller case, or give \
             sampled=True\n{report}"
        ),
        _ => error.to_string(),
    };
    if let Some(error) = exception_of(&text) {
        return Err(Failure::Python(error));
    }
    let VerifyError::Mismatch(mismatch) = error else {
        return Ok(Err(Difference { text, order, solution: None }));
    };
    let is_missing = mismatch.verdicts().predicate;
    let (with, without) =
        if is_missing { ("predicate", "family") } else { ("family", "predicate") };
    let trace = mismatch.trace();
    let text = format!("a solution of the {with}, but not of the {without}\n{trace}");
    let solution = Some(solution(mismatch.assignment()));
    Ok(Err(Difference { text, order, solution }))
}

impl Difference {
    /// The exception, with the names of variables and values.
    fn error(self, universe: &Universe, py: Python<'_>) -> Outcome<PyErr> {
        let Difference { text, order, solution } = self;
        let elements = universe.elements();
        let values = universe.value_lists(&order, py)?;
        let names = elements.several(py, order.iter().copied())?;
        let mut text: String = call(py, RULES, "named", (text, names, values))?.extract()?;
        let solution = solution.map(|solution| Bound::new(py, solution)).transpose()?;
        if let Some(solution) = &solution {
            text = format!("{solution:?} is {text}");
        }
        let error = of_class(py, "VerifyError", (text,))?;
        error.value(py).setattr("solution", solution)?;
        Ok(error)
    }
}
