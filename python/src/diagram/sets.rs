//! The diagram of a list of sets.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyString, PyTuple};
use topdd::SpecExt;
use topdd::spec::SetList;
use topdd_problem::condition::build;

use super::Diagram;
use crate::convert::{check_order, check_unread, collected};
use crate::errors::{Failure, Outcome};
use crate::graph::Graph;
use crate::run::{Limits, check_bytes};
use crate::universe::Universe;

/// The sets and elements between two checks of signals and of the memory limit.
const BATCH: usize = 1024;

#[pymethods]
impl Diagram {
    /// Makes the diagram of some sets of hashable objects. ``elements`` are the objects in the order of the diagram;
    /// by default they are in the order of their first use. With a ``graph``, the sets are of its edges.
    #[new]
    #[pyo3(signature = (sets=None, *, elements=None, graph=None))]
    fn of_sets(
        sets: Option<&Bound<'_, PyAny>>,
        elements: Option<&Bound<'_, PyAny>>,
        graph: Option<&Bound<'_, Graph>>,
        py: Python<'_>,
    ) -> Outcome<Self> {
        let limits = Limits::new(py, None)?;
        let given = match (elements, graph) {
            (Some(_), Some(_)) => {
                return Err(Failure::input("give elements, or a graph whose edges they are"));
            }
            (Some(elements), None) => {
                check_order(elements, "elements")?;
                let objects = collected(elements)?.try_iter()?.collect::<PyResult<Vec<_>>>()?;
                Some(Universe::of_objects(PyTuple::new(py, objects)?)?)
            }
            (None, Some(graph)) => Some(Universe::of_edges(&graph.get().0)),
            (None, None) => None,
        };
        let seen = PyDict::new(py);
        let number = |object: &Bound<'_, PyAny>| match &given {
            Some(universe) => universe.number(object),
            None => number_of(object, &seen),
        };
        let list = sets.map(|sets| read(sets, &limits, number)).transpose()?.unwrap_or_default();
        let universe = match given {
            Some(universe) => universe,
            None => Universe::of_objects(PyTuple::new(py, seen.keys())?)?,
        };
        let variables = universe.elements().len();
        let zdd = limits.run(py, move |task| Ok(build(list.over(variables).boxed(), task)?))?;
        Ok(Self::new(universe, zdd, (0..variables).collect()))
    }
}

/// The number of an object, by its first use.
fn number_of(object: &Bound<'_, PyAny>, seen: &Bound<'_, PyDict>) -> Outcome<usize> {
    let found = seen.get_item(object).map_err(|error| match error.value(object.py()) {
        value if value.is_instance_of::<PyTypeError>() => {
            Failure::Input(format!("{value}; use strings, numbers or tuples as elements"))
        }
        _ => error.into(),
    })?;
    if let Some(number) = found {
        return Ok(number.extract()?);
    }
    let number = seen.len();
    seen.set_item(object, number)?;
    Ok(number)
}

/// Reads a collection of sets.
fn read(
    sets: &Bound<'_, PyAny>,
    limits: &Limits,
    number: impl Fn(&Bound<'_, PyAny>) -> Outcome<usize>,
) -> Outcome<SetList> {
    let refused = || Failure::Input(format!("{sets:?} is no collection of sets"));
    check_unread(sets)?;
    // An iterator is read set by set, within the limits.
    let (mut list, mut left) = (SetList::default(), BATCH);
    let mut check = |list: &SetList| {
        left -= 1;
        if left == 0 {
            left = BATCH;
            sets.py().check_signals()?;
            check_bytes(limits.memory, list.bytes())?;
        }
        Ok::<_, Failure>(())
    };
    for set in PyIterator::from_object(sets).map_err(|_| refused())? {
        let set = set?;
        if set.is_instance_of::<PyString>() {
            return Err(Failure::Input(format!("{set:?} is a string, and no set of elements")));
        }
        for object in set.try_iter().map_err(|_| refused())? {
            list.add(number(&object?)? as u32);
            check(&list)?;
        }
        list.end_set();
        check(&list)?;
    }
    Ok(list)
}
