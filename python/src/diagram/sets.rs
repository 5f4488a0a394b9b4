//! The diagram of a list of sets.

use std::ops::Range;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyString, PyTuple};
use topdd::{DdSpec, SpecExt, Step};
use topdd_problem::condition::build;

use super::Diagram;
use crate::convert::{check_unread, collected};
use crate::errors::{Failure, Outcome};
use crate::graph::Graph;
use crate::run::Limits;
use crate::universe::{Reading, Universe};

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
                let objects = collected(elements)?.try_iter()?.collect::<PyResult<Vec<_>>>()?;
                Some(Universe::of_objects(py, &PyTuple::new(py, objects)?)?)
            }
            (None, Some(graph)) => Some(Universe::Edges(graph.get().0.clone(), Reading::default())),
            (None, None) => None,
        };
        let seen = PyDict::new(py);
        let mut list = SetList::default();
        if let Some(sets) = sets {
            list.read(sets, &limits, |object| match &given {
                Some(universe) => universe.number(object),
                None => number_of(object, &seen),
            })?;
        }
        let universe = match given {
            Some(universe) => universe,
            None => Universe::of_objects(py, &PyTuple::new(py, seen.keys())?)?,
        };
        let variables = universe.elements().len();
        list.variables = variables;
        let zdd = limits.run(py, move |task| {
            list.sort();
            task.check()?;
            Ok(build(list.boxed(), task)?)
        })?;
        Ok(Self::new(universe, zdd, (0..variables).collect()))
    }
}

/// The number of an object, by its first use.
fn number_of(object: &Bound<'_, PyAny>, seen: &Bound<'_, PyDict>) -> Outcome<usize> {
    let found = seen.get_item(object).map_err(|error| unhashable(error, object.py()))?;
    if let Some(number) = found {
        return Ok(number.extract()?);
    }
    let number = seen.len();
    seen.set_item(object, number)?;
    Ok(number)
}

/// The error for a set with an element that is not hashable.
fn unhashable(error: PyErr, py: Python<'_>) -> Failure {
    if error.is_instance_of::<PyTypeError>(py) {
        return Failure::Input(format!(
            "{}; use strings, numbers or tuples as elements",
            error.value(py)
        ));
    }
    error.into()
}

/// A list of sets as a spec over variables of two values.
#[derive(Default)]
struct SetList {
    variables: usize,
    /// The members of each set in ascending order, followed by [`END`].
    members: Vec<u32>,
    /// The places of the members of each set.
    sets: Vec<Range<usize>>,
}

/// The end of the members of a set, which is greater than all members.
const END: u32 = u32::MAX;

/// Sets that are next to each other in the sorted list, and have the same first members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct SetRange {
    from: usize,
    to: usize,
    /// The number of members that are decided.
    decided: usize,
}

topdd::portable!(SetRange { from, to, decided });

impl SetList {
    fn read(
        &mut self,
        sets: &Bound<'_, PyAny>,
        limits: &Limits,
        number: impl Fn(&Bound<'_, PyAny>) -> Outcome<usize>,
    ) -> Outcome<()> {
        let refused = || Failure::Input(format!("{sets:?} is no collection of sets"));
        check_unread(sets)?;
        // An iterator is read set by set, within the limits.
        let mut left = BATCH;
        for set in PyIterator::from_object(sets).map_err(|_| refused())? {
            let set = set?;
            if set.is_instance_of::<PyString>() {
                return Err(Failure::Input(format!("{set:?} is a string, and no set of elements")));
            }
            let start = self.members.len();
            for object in set.try_iter().map_err(|_| refused())? {
                self.members.push(number(&object?)? as u32);
                self.check(&mut left, limits, sets.py())?;
            }
            self.check(&mut left, limits, sets.py())?;
            self.end_set(start);
        }
        Ok(())
    }

    /// Checks signals and the memory limit from time to time.
    fn check(&self, left: &mut usize, limits: &Limits, py: Python<'_>) -> Outcome<()> {
        *left -= 1;
        if *left == 0 {
            *left = BATCH;
            py.check_signals()?;
            limits.check_bytes(size_of_val(&self.members[..]) + size_of_val(&self.sets[..]))?;
        }
        Ok(())
    }

    /// Ends the set whose members are those from `start`; one that occurs twice is left out.
    fn end_set(&mut self, start: usize) {
        self.members[start..].sort_unstable();
        let mut end = start;
        for at in start..self.members.len() {
            if end == start || self.members[end - 1] != self.members[at] {
                self.members[end] = self.members[at];
                end += 1;
            }
        }
        self.members.truncate(end);
        self.members.push(END);
        self.sets.push(start..end + 1);
    }

    fn sort(&mut self) {
        let members = &self.members;
        self.sets.sort_unstable_by(|a, b| members[a.clone()].cmp(&members[b.clone()]));
        self.sets.dedup_by(|a, b| members[a.clone()] == members[b.clone()]);
    }

    /// The next member of a set.
    fn next_member(&self, set: usize, decided: usize) -> u32 {
        self.members[self.sets[set].start + decided]
    }

    fn step(&self, range: SetRange) -> Step<SetRange> {
        if range.from == range.to {
            return Step::Zero;
        }
        match self.next_member(range.from, range.decided) {
            // The sets of the range are equal, and there is one of each.
            END => Step::One,
            member => Step::To(member as usize, range),
        }
    }
}

impl DdSpec for SetList {
    type State = SetRange;

    fn num_vars(&self) -> usize {
        self.variables
    }

    fn root(&self) -> Step<SetRange> {
        self.step(SetRange { from: 0, to: self.sets.len(), decided: 0 })
    }

    fn child(&self, &range: &SetRange, variable: usize, value: usize) -> Step<SetRange> {
        let SetRange { from, to, decided } = range;
        let with = self.sets[from..to]
            .partition_point(|set| self.members[set.start + decided] as usize == variable);
        self.step(if value == 1 {
            SetRange { from, to: from + with, decided: decided + 1 }
        } else {
            SetRange { from: from + with, to, decided }
        })
    }
}
