//! Rules that are functions of Python: specs over interned states.
//!
//! The engine sees a state as a number, and Python is called once for each new triple of state, variable and value. A run has a
//! table of its states, which ends with it. The first equal states of a run are compared with each other.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::basic::CompareOp;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use topdd::DdSpec;
use topdd::spec::{Automaton, Unrolled};
use topdd_problem::{Problem, Rules};

use crate::convert::{Kept, RULES, call, caused, truth};
use crate::errors::{Failure, Outcome};
use crate::family::{Family, recipe};
use crate::universe::Universe;

/// The number of merges in a run for which the next steps of both states are compared.
const COMPARED: usize = 1000;

/// The start of the message of a panic that stands for an exception, before its number.
const RAISED: &str = "topdd: the exception ";

/// The exceptions of functions of the user on their way through the engine, by their numbers.
static EXCEPTIONS: Mutex<BTreeMap<u64, PyErr>> = Mutex::new(BTreeMap::new());

/// The number of calls from which exceptions may come.
static CALLS: AtomicUsize = AtomicUsize::new(0);

/// A call from which exceptions may come. The last one drops exceptions that the engine has not passed on, as of several threads
/// that fail one is reported.
pub(crate) struct Raising(());

/// The functions of a rule, and the objects that they get.
struct Functions {
    start: Py<PyAny>,
    step: Py<PyAny>,
    accept: Option<Py<PyAny>>,
    merge: Option<Py<PyAny>>,
    names: Vec<Py<PyAny>>,
    values: Vec<Arc<[Py<PyAny>]>>,
}

/// The states of one run.
struct States {
    /// The number of each state.
    numbers: Py<PyDict>,
    objects: Mutex<Vec<Option<Py<PyAny>>>>,
    compared: AtomicUsize,
}

/// A rule of Python as a spec. A clone has no states yet.
struct Rule {
    functions: Arc<Functions>,
    states: States,
}

impl Functions {
    fn of_universe(
        universe: &Universe,
        start: Py<PyAny>,
        step: Py<PyAny>,
        [accept, merge]: [Option<Py<PyAny>>; 2],
        py: Python<'_>,
    ) -> Outcome<Self> {
        let Universe::Variables(elements, values) = universe else {
            return Err(Failure::input("a rule is for variables with values"));
        };
        let mut lists: Vec<Arc<[Py<PyAny>]>> = Vec::new();
        for (at, own) in values.iter().enumerate() {
            let is_like_last = at > 0 && own.is(&values[at - 1]);
            let list = match lists.last().filter(|_| is_like_last) {
                Some(last) => last.clone(),
                None => own.objects(py)?.into_iter().map(Bound::unbind).collect(),
            };
            lists.push(list);
        }
        let names = elements.objects(py).iter().map(Bound::unbind).collect();
        Ok(Self { start, step, accept, merge, names, values: lists })
    }

    /// Calls `step`, and adds the place to its exception.
    fn call_step<'py>(
        &self,
        state: &Bound<'py, PyAny>,
        variable: usize,
        value: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = state.py();
        let arguments = (state, &self.names[variable], &self.values[variable][value]);
        self.step
            .bind(py)
            .call1(arguments)
            .map_err(|error| self.noted(error, state, variable, value))
    }

    fn noted(
        &self,
        error: PyErr,
        state: &Bound<'_, PyAny>,
        variable: usize,
        value: usize,
    ) -> PyErr {
        let py = state.py();
        let arguments =
            (error.value(py), &self.names[variable], &self.values[variable][value], state);
        call(py, RULES, "note", arguments).map_or_else(|other| other, |_| error)
    }

    /// Fails if an equal state has another next step.
    fn compare(&self, states: [&Bound<'_, PyAny>; 2], variable: usize) -> PyResult<()> {
        for value in 0..self.values[variable].len() {
            let [one, two] = [
                self.call_step(states[0], variable, value)?,
                self.call_step(states[1], variable, value)?,
            ];
            for next in [&one, &two] {
                check_hashable(next)?;
            }
            if one.is_none() != two.is_none() || !equal(&one, &two)? {
                let arguments = (
                    states[0],
                    states[1],
                    &self.names[variable],
                    &self.values[variable][value],
                    one,
                    two,
                );
                let message: String =
                    call(states[0].py(), RULES, "unequal", arguments)?.extract()?;
                return Err(Failure::Input(message).into());
            }
        }
        Ok(())
    }
}

/// Fails for a state that is not hashable.
fn check_hashable(state: &Bound<'_, PyAny>) -> PyResult<()> {
    let Err(error) = state.hash() else { return Ok(()) };
    if !error.is_instance_of::<PyTypeError>(state.py()) {
        return Err(error);
    }
    let advice = "give tuples, numbers, strings or frozensets as states";
    let text = format!("the state {state:?} is not hashable; {advice}");
    Err(caused(state.py(), Failure::Input(text), error))
}

/// Whether two states are equal. Fails if their `==` returns no bool.
fn equal(one: &Bound<'_, PyAny>, two: &Bound<'_, PyAny>) -> PyResult<bool> {
    let compared = one.rich_compare(two, CompareOp::Eq)?;
    truth(&compared, &format!("the comparison {one:?} == {two:?}"))
}

fn exceptions() -> MutexGuard<'static, BTreeMap<u64, PyErr>> {
    EXCEPTIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the work with a panic, for which its error has the exception.
pub(crate) fn raise(error: PyErr) -> ! {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    exceptions().insert(number, error);
    // Without the message that a panic prints.
    resume_unwind(Box::new(format!("{RAISED}{number};")))
}

/// The exception that a panic with this message stands for.
pub(crate) fn exception_of(message: &str) -> Option<PyErr> {
    let (_, rest) = message.split_once(RAISED)?;
    exceptions().remove(&rest.split_once(';')?.0.parse().ok()?)
}

impl Raising {
    pub(crate) fn new() -> Self {
        CALLS.fetch_add(1, Ordering::Relaxed);
        Self(())
    }
}

impl Drop for Raising {
    fn drop(&mut self) {
        if CALLS.fetch_sub(1, Ordering::Relaxed) == 1 {
            // Code of the user may run when they are dropped.
            let lost = std::mem::take(&mut *exceptions());
            drop(lost);
        }
    }
}

impl Rule {
    fn new(functions: Arc<Functions>) -> Self {
        let numbers = Python::attach(|py| PyDict::new(py).unbind());
        let states = States { numbers, objects: Mutex::default(), compared: AtomicUsize::new(0) };
        Self { functions, states }
    }

    fn objects(&self) -> MutexGuard<'_, Vec<Option<Py<PyAny>>>> {
        self.states.objects.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state with a number.
    fn object<'py>(&self, number: u32, py: Python<'py>) -> Bound<'py, PyAny> {
        let object = self
            .objects()
            .get(number as usize)
            .and_then(Option::as_ref)
            .map(|state| state.clone_ref(py));
        object.unwrap_or_else(|| py.None()).into_bound(py)
    }

    /// The number of a state at a variable. Only calls without the lock run code of the user.
    fn number(&self, state: &Bound<'_, PyAny>, variable: usize) -> PyResult<u32> {
        let py = state.py();
        let numbers = self.states.numbers.bind(py);
        let found = numbers.get_item(state).or_else(|error| {
            check_hashable(state)?;
            Err(error)
        })?;
        if let Some(found) = found {
            let number = found.extract()?;
            if self.states.compared.load(Ordering::Relaxed) < COMPARED
                && variable < self.functions.names.len()
            {
                let known = self.object(number, py);
                if !known.is(state) {
                    self.states.compared.fetch_add(1, Ordering::Relaxed);
                    self.functions.compare([&known, state], variable)?;
                }
            }
            return Ok(number);
        }
        let mut objects = self.objects();
        let number = u32::try_from(objects.len())
            .map_err(|_| Failure::input("the rule has more than 2**32 - 1 states"))?;
        objects.push(Some(state.clone().unbind()));
        drop(objects);
        // Another thread may have added an equal state in the meantime.
        numbers.call_method1("setdefault", (state, number))?.extract()
    }
}

impl Clone for Rule {
    fn clone(&self) -> Self {
        Self::new(self.functions.clone())
    }
}

impl Automaton for Rule {
    type State = u32;

    fn num_vars(&self) -> usize {
        self.functions.names.len()
    }

    fn arity(&self, variable: usize) -> usize {
        self.functions.values[variable].len()
    }

    fn start(&self) -> u32 {
        Python::attach(|py| {
            let number = self.number(self.functions.start.bind(py), 0);
            number.unwrap_or_else(|error| raise(error))
        })
    }

    fn next(&self, &state: &u32, variable: usize, value: usize) -> Option<u32> {
        Python::attach(|py| {
            let (functions, state) = (&*self.functions, self.object(state, py));
            let next = functions.call_step(&state, variable, value);
            let number = next.and_then(|next| {
                if next.is_none() {
                    return Ok(None);
                }
                let number = self.number(&next, variable + 1);
                number.map(Some).map_err(|error| functions.noted(error, &state, variable, value))
            });
            number.unwrap_or_else(|error| raise(error))
        })
    }

    fn accepts(&self, &state: &u32) -> bool {
        let Some(accept) = &self.functions.accept else { return true };
        Python::attach(|py| {
            let state = self.object(state, py);
            let accepted = accept.bind(py).call1((&state,));
            let accepted = accepted.and_then(|accepted| truth(&accepted, "accept"));
            accepted.unwrap_or_else(|error| {
                let noted = call(py, RULES, "note_of_accept", (error.value(py), &state));
                raise(noted.map_or_else(|other| other, |_| error))
            })
        })
    }

    fn merge(&self, &one: &u32, &other: &u32, variable: usize) -> Option<u32> {
        let merge = self.functions.merge.as_ref()?;
        Python::attach(|py| {
            let merged = merge.bind(py).call1((self.object(one, py), self.object(other, py)));
            let number = merged.and_then(|merged| {
                if merged.is_none() { Ok(None) } else { self.number(&merged, variable).map(Some) }
            });
            number.unwrap_or_else(|error| raise(error))
        })
    }

    fn describe(&self, &state: &u32) -> String {
        Python::attach(|py| format!("{:?}", self.object(state, py)))
    }
}

/// All ways to give each variable one of its values that a rule of your own accepts.
///
/// The variables are decided in their order. ``step(state, variable, value)`` returns the next state, or ``None`` to reject.
/// ``accept(state)`` returns whether the last state is good; by default all are. A state is any hashable object but
/// ``None``, and equal states have the same future. Tuples of ints are fast. ``merge(one, other)``, for ``bounded`` and
/// ``count_bounds``, returns a state from which all values are accepted that one of both accepts, or ``None``.
///
/// >>> import topdd as td
/// >>> apart = td.dp(10, 0, lambda last, at, value: None if last and value else value)
/// >>> apart.count(), apart.exactly(3).count()
/// (144, 56)
#[pyfunction]
#[pyo3(signature = (variables, start, step, accept=None, merge=None))]
pub(crate) fn dp(
    variables: Kept<'_>,
    start: Bound<'_, PyAny>,
    step: Bound<'_, PyAny>,
    accept: Option<Bound<'_, PyAny>>,
    merge: Option<Bound<'_, PyAny>>,
    py: Python<'_>,
) -> Outcome<Family> {
    let is_function = |given: &Bound<'_, PyAny>, name: &str| {
        if given.is_callable() {
            return Ok(());
        }
        Err(Failure::Input(format!("{name}={given:?}: give a function")))
    };
    is_function(&step, "step")?;
    accept.as_ref().map_or(Ok(()), |accept| is_function(accept, "accept"))?;
    merge.as_ref().map_or(Ok(()), |merge| is_function(merge, "merge"))?;
    if start.is_none() {
        return Err(Failure::input(
            "start=None: give a state, such as 0; None stands for no state",
        ));
    }
    check_hashable(&start)?;
    let recipe =
        recipe(py, None::<()>, "dp", (&variables, &start, &step, &accept), (("merge", &merge),))?;
    let parts = call(py, RULES, "variables_of", (variables, None::<()>))?;
    let (names, values): (Bound<'_, PyTuple>, Bound<'_, PyTuple>) = parts.extract()?;
    let universe = Universe::of_variables(names, &values)?;
    let [start, step] = [start, step].map(Bound::unbind);
    let optional = [accept, merge].map(|function| function.map(Bound::unbind));
    let functions = Functions::of_universe(&universe, start, step, optional, py)?;
    let spec = Unrolled(Rule::new(Arc::new(functions)));
    debug_assert_eq!(spec.num_vars(), universe.elements().len());
    let rules = Rules::all(universe.arities()).with(spec, None)?;
    Family::new(universe, Problem::Rules(rules), recipe)
}
