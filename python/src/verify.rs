//! Families compared with a predicate of Python.

use std::sync::Arc;

use pyo3::prelude::*;
use topdd::check::{Verification, VerifyError, Violation};
use topdd::{BoxedSpec, DdSpec, Rule, Step};
use topdd_problem::{Problem, ProblemError};

use crate::convert::{flag, truth};
use crate::errors::{Failure, Outcome, of_class};
use crate::family::Family;
use crate::run::{LimitArgs, Limits, Task};
use crate::solution::Solution;
use crate::specs::{exception_of, raise};
use crate::universe::Universe;

#[pymethods]
impl Family {
    /// Compares the family with a predicate on all assignments, or sets, and returns a report. It finds states that are equal
    /// and have different futures, steps that are no pure functions, and wrong solutions, of which it raises the least with its
    /// states as a ``VerifyError``.
    ///
    /// With more than 2**22 assignments it compares samples, which prove nothing, and fails unless ``sampled=True``. So verify
    /// small cases in full. Limits are ``timeout``, ``threads``, ``progress`` and ``cancel``.
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
        self.check_arities("comparisons are")?;
        if let Some(given) = &limits {
            for name in ["memory", "spill_to", "checkpoint"] {
                if given.bind(py).contains(name)? {
                    return Err(Failure::Input(format!(
                        "verify keeps at most 2 million states, in memory; leave out {name}=, and verify a small case"
                    )));
                }
            }
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
    reason: Reason,
    /// The element of each variable.
    order: Vec<usize>,
}

enum Reason {
    /// A solution of the family, or of the predicate, but not of both.
    Solution {
        of_family: bool,
        least: Solution,
        trace: Trace,
    },
    /// A rule that returned another step in its second call.
    Impure {
        variable: usize,
        value: usize,
        state: String,
        steps: [String; 2],
    },
    Other(String),
}

/// The steps of a spec on an assignment, up to a terminal.
struct Trace {
    root: String,
    steps: Vec<TraceStep>,
}

/// The treatment of a variable with a value.
struct TraceStep {
    variable: usize,
    value: usize,
    text: String,
    /// The variable of the state after it.
    next: Option<usize>,
}

/// The steps at the end of a trace that an error shows.
const SHOWN: usize = 16;

impl Trace {
    fn of(spec: &BoxedSpec<'_>, assignment: &[usize]) -> Self {
        let text = |step: &Step<_>| match step {
            Step::To(variable, state) => {
                (format!("state {}", spec.describe(state)), Some(*variable))
            }
            Step::One => ("a solution".to_owned(), None),
            Step::Zero => ("no solution".to_owned(), None),
        };
        let mut at = spec.root_under(Rule::ZeroSuppressed);
        let (root, mut steps) = (text(&at).0, Vec::new());
        for (variable, &value) in assignment.iter().enumerate() {
            let (text, next) = match &at {
                Step::To(here, state) if *here == variable => {
                    let next = spec.child(state, variable, value);
                    let is_zero = matches!(next, Step::Zero);
                    let by = spec.refused_by(state, variable, value).filter(|_| is_zero);
                    at = next;
                    let (text, variable) = text(&at);
                    (text + &by.map_or_else(String::new, |part| format!(", by {part}")), variable)
                }
                Step::Zero => break,
                _ if value == 0 => ("skipped".to_owned(), None),
                _ => {
                    at = Step::Zero;
                    ("skipped, but must have the first value".to_owned(), None)
                }
            };
            steps.push(TraceStep { variable, value, text, next });
        }
        Self { root, steps }
    }

    /// The steps with the names of variables and values, a line each.
    fn text(&self, names: &[Bound<'_, PyAny>], values: &[Vec<Bound<'_, PyAny>>]) -> String {
        let first = self.steps.len().saturating_sub(SHOWN);
        let root = match first {
            0 => format!("root: {}", self.root),
            _ => format!("... ({first} of {} variables)", names.len()),
        };
        let line = |TraceStep { variable, value, text, next }: &TraceStep| {
            let next = next.map_or_else(String::new, |next| format!(" at {:?}", names[next]));
            format!("{:?} = {:?}: {text}{next}", names[*variable], values[*variable][*value])
        };
        let lines = self.steps[first..].iter().map(line);
        std::iter::once(root).chain(lines).collect::<Vec<_>>().join("\n")
    }
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
            let verdict = verdict.and_then(|verdict| truth(&verdict, "the predicate"));
            verdict.unwrap_or_else(|error| raise(error))
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
    if let Some(error) = exception_of(&error.to_string()) {
        return Err(Failure::Python(error));
    }
    let reason = match error {
        VerifyError::Mismatch(mismatch) => Reason::Solution {
            of_family: !mismatch.verdicts().predicate,
            least: solution(mismatch.assignment()),
            trace: Trace::of(&spec, mismatch.assignment()),
        },
        VerifyError::Violation(Violation::Impure { variable, value, state, first, second }) => {
            // The next variable follows from the first one.
            let step = |text: String| match text.rsplit_once(" at variable ") {
                Some((step, _)) => step.to_owned(),
                None => text,
            };
            Reason::Impure { variable, value, state, steps: [first, second].map(step) }
        }
        VerifyError::SamplesOnly { compared, assignments, report } => Reason::Other(format!(
            "no difference in {compared} of {assignments} assignments, which proves nothing; verify a smaller case, or give \
             sampled=True\n{report}"
        )),
        error => Reason::Other(error.to_string()),
    };
    Ok(Err(Difference { reason, order }))
}

impl Difference {
    /// The exception, with the names of variables and values.
    fn error(self, universe: &Universe, py: Python<'_>) -> Outcome<PyErr> {
        let names = universe.elements().several(py, self.order.iter().copied())?;
        let values = universe.value_lists(&self.order, py)?;
        let (text, solution) = match self.reason {
            Reason::Solution { of_family, least, trace } => {
                let solution = Bound::new(py, least)?;
                let (with, without) =
                    if of_family { ("family", "predicate") } else { ("predicate", "family") };
                let steps = trace.text(&names, &values);
                let text =
                    format!("{solution:?} is a solution of the {with}, but not of the {without}");
                (format!("{text}\n{steps}"), Some(solution))
            }
            Reason::Impure { variable, value, state, steps: [first, second] } => {
                let (name, value) = (&names[variable], &values[variable][value]);
                let text = format!(
                    "the rule returns {first} for {value:?} of {name:?} in state {state}, and {second} when it is called \
                     again; it must be a pure function"
                );
                (text, None)
            }
            Reason::Other(text) => (text, None),
        };
        let error = of_class(py, "VerifyError", (text,))?;
        error.value(py).setattr("solution", solution)?;
        Ok(error)
    }
}
