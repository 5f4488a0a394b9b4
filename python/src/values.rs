//! The values of elements in assignments: colours of vertices, and values of variables.

use std::sync::Arc;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyFloatMethods, PyInt, PyList, PyMapping, PyTuple};

use crate::convert::Size;
use crate::errors::{Failure, Outcome};
use crate::solution::Solution;
use crate::universe::{Domain, Elements, Universe};

/// The values that an element may have.
#[derive(Clone, Debug)]
pub(crate) enum Values {
    /// The numbers from 0, so many.
    Numbers(usize),
    /// Objects of the user.
    Objects(Arc<Elements>),
}

impl Values {
    pub(crate) fn len(&self) -> usize {
        match self {
            Values::Numbers(count) => *count,
            Values::Objects(objects) => objects.len(),
        }
    }

    pub(crate) fn object<'py>(
        &self,
        py: Python<'py>,
        number: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Values::Numbers(_) => number.into_bound_py_any(py),
            Values::Objects(objects) => objects.object(py, number),
        }
    }

    /// All values, in their order.
    pub(crate) fn objects<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        (0..self.len()).map(|number| self.object(py, number)).collect()
    }

    /// The number of a value; `None` if it is none of them.
    pub(crate) fn find(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        match self {
            // As a dictionary does, of which 1, 1.0 and True are one key.
            Values::Numbers(count) => {
                let float = || object.cast::<PyFloat>().ok().map(PyFloatMethods::value);
                let whole = |float: &f64| float.fract() == 0.0 && *float >= 0.0;
                let number = object.extract().ok();
                let number = number.or_else(|| float().filter(whole).map(|float| float as usize));
                Ok(number.filter(|at| at < count))
            }
            Values::Objects(objects) => objects.find(object),
        }
    }

    /// The numbers of the values that count where none are listed: all but the one that is false, such as `False` or 0. `None`
    /// unless there is one, or all are bools.
    pub(crate) fn marked(&self, py: Python<'_>) -> PyResult<Option<Vec<usize>>> {
        let Values::Objects(_) = self else { return Ok(Some((1..self.len()).collect())) };
        let objects = self.objects(py)?;
        let mut marked = Vec::new();
        for (number, object) in objects.iter().enumerate() {
            if object.is_truthy()? {
                marked.push(number);
            }
        }
        let is_clear = marked.len() + 1 == objects.len()
            || objects.iter().all(PyAnyMethods::is_instance_of::<PyBool>);
        Ok(is_clear.then_some(marked))
    }

    /// The values as text, of which many are left out.
    pub(crate) fn shown(&self, py: Python<'_>) -> PyResult<String> {
        const SHOWN: usize = 12;
        let shown = (0..self.len().min(SHOWN))
            .map(|number| Ok(self.object(py, number)?.repr()?.to_string()));
        let more = if self.len() > SHOWN { ", .." } else { "" };
        Ok(shown.collect::<PyResult<Vec<_>>>()?.join(", ") + more)
    }

    /// Whether these are the same objects. Equal ones may be of other types, such as 1 and `True`.
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Values::Numbers(one), Values::Numbers(two)) => one == two,
            (Values::Objects(one), Values::Objects(two)) => Arc::ptr_eq(one, two),
            _ => false,
        }
    }

    /// Whether the first values of a longer list are these.
    pub(crate) fn begin(&self, longer: &Self, py: Python<'_>) -> PyResult<bool> {
        match (self, longer) {
            (Values::Numbers(_), Values::Numbers(_)) => Ok(true),
            (Values::Objects(one), Values::Objects(two)) if Arc::ptr_eq(one, two) => Ok(true),
            _ => {
                let pairs = self.objects(py)?.into_iter().zip(longer.objects(py)?);
                pairs.map(|(one, two)| one.eq(two)).try_fold(true, |all, same| Ok(all && same?))
            }
        }
    }

    pub(crate) fn same(&self, other: &Self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.len() == other.len() && self.begin(other, py)?)
    }

    /// The values as an object for pickles: their number, or a tuple.
    pub(crate) fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Values::Numbers(count) => count.into_bound_py_any(py),
            Values::Objects(objects) => Ok(objects.objects(py).clone().into_any()),
        }
    }

    /// The values of each variable, from their number or a tuple of them. Tuples that are one object are stored once.
    pub(crate) fn of_states(states: &Bound<'_, PyTuple>) -> Outcome<Arc<[Self]>> {
        let mut known: Vec<(Bound<'_, PyAny>, Self)> = Vec::new();
        let mut all = Vec::with_capacity(states.len());
        for state in states {
            let last = known.iter().rev().take(8).find(|(other, _)| other.is(&state));
            if let Some((_, values)) = last {
                all.push(values.clone());
                continue;
            }
            let values = if state.is_instance_of::<PyInt>() {
                let Size(count) = state.extract()?;
                Values::Numbers(count)
            } else {
                let objects = state.cast::<PyTuple>().map_err(PyErr::from)?;
                Values::Objects(Arc::new(Elements::new(objects.clone(), "value")?))
            };
            all.push(values.clone());
            known.push((state, values));
        }
        Ok(all.into())
    }
}

impl Universe {
    /// The values of an element: of a set, 1 for members and 0 for others.
    pub(crate) fn values(&self, element: usize) -> Values {
        match self {
            Universe::Graph(_, Domain::Colours(colours)) => Values::Numbers(*colours),
            Universe::Variables(_, values) => values[element].clone(),
            _ => Values::Numbers(2),
        }
    }

    /// The values of some elements.
    pub(crate) fn value_lists<'py>(
        &self,
        elements: &[usize],
        py: Python<'py>,
    ) -> PyResult<Vec<Vec<Bound<'py, PyAny>>>> {
        elements.iter().map(|&element| self.values(element).objects(py)).collect()
    }

    /// Whether solutions are assignments of values, and no sets.
    pub(crate) fn has_values(&self) -> bool {
        matches!(self, Universe::Graph(_, Domain::Colours(_)) | Universe::Variables(..))
    }

    /// The number of values of an element.
    pub(crate) fn arity(&self, element: usize) -> usize {
        self.values(element).len()
    }

    /// The number of values of each element.
    pub(crate) fn arities(&self) -> Vec<usize> {
        (0..self.elements().len()).map(|element| self.arity(element)).collect()
    }

    /// The object of an element's value.
    pub(crate) fn value<'py>(
        &self,
        element: usize,
        number: usize,
        py: Python<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.values(element).object(py, number)
    }

    /// The number of an element's value.
    pub(crate) fn value_number(&self, element: usize, value: &Bound<'_, PyAny>) -> Outcome<usize> {
        let values = self.values(element);
        if let Some(number) = values.find(value)? {
            return Ok(number);
        }
        let object = self.elements().object(value.py(), element)?;
        Err(Failure::Input(match self {
            Universe::Variables(..) => {
                let shown = values.shown(value.py())?;
                format!("there is no value {value:?} of {object:?}; its values are {shown}")
            }
            _ => format!(
                "there is no colour {value:?} for {object:?}; there are {} colours, from 0",
                values.len()
            ),
        }))
    }

    /// The numbers of a pair of an element and a value.
    pub(crate) fn pair(&self, pair: &Bound<'_, PyAny>) -> Outcome<(usize, usize)> {
        let noun = if matches!(self, Universe::Variables(..)) { "value" } else { "colour" };
        let parts: (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract().map_err(|_| {
            Failure::Input(format!("{pair:?} is no pair of a {} and a {noun}", self.noun()))
        })?;
        let element = self.number(&parts.0)?;
        Ok((element, self.value_number(element, &parts.1)?))
    }

    /// The numbers of pairs of an element and a value, in tuples or in mappings.
    pub(crate) fn pairs(&self, given: &Bound<'_, PyTuple>) -> Outcome<Vec<(usize, usize)>> {
        let mut pairs = Vec::new();
        for pair in given {
            match pair.cast::<PyMapping>() {
                Ok(mapping) => {
                    for item in mapping.items()? {
                        pairs.push(self.pair(&item)?);
                    }
                }
                Err(_) => pairs.push(self.pair(&pair)?),
            }
        }
        Ok(pairs)
    }

    /// The values of all elements from a mapping, or from pairs.
    pub(crate) fn assignment(&self, given: &Bound<'_, PyAny>) -> Outcome<Vec<u8>> {
        let pairs = match given.cast::<PyMapping>() {
            Ok(mapping) => mapping.items()?.into_any(),
            Err(_) => given.clone(),
        };
        let refused = || {
            let text = match self {
                Universe::Variables(..) => "assignment; give a value for each variable",
                _ => "colouring; give a colour for each vertex",
            };
            Failure::Input(format!("{given:?} is no {text}"))
        };
        let mut values = vec![None; self.elements().len()];
        for pair in pairs.try_iter().map_err(|_| refused())? {
            let (element, value) = self.pair(&pair?)?;
            if values[element].replace(value as u8).is_some() {
                return Err(refused());
            }
        }
        values.into_iter().collect::<Option<_>>().ok_or_else(refused)
    }

    /// Whether both have the same values.
    pub(crate) fn same_values(&self, other: &Self, py: Python<'_>) -> PyResult<bool> {
        match (self, other) {
            (Universe::Variables(_, one), Universe::Variables(_, two)) => {
                let pairs = one.iter().zip(two.iter());
                Ok(one.len() == two.len()
                    && (Arc::ptr_eq(one, two)
                        || pairs
                            .map(|(a, b)| a.same(b, py))
                            .try_fold(true, |all, same| PyResult::Ok(all && same?))?))
            }
            _ => Ok(self.has_values() == other.has_values()
                && (!self.has_values() || self.arities().first() == other.arities().first())),
        }
    }
}

impl Solution {
    /// Fails if the solution is a set.
    fn check_values(&self, what: &str) -> Outcome<()> {
        if self.universe.has_values() {
            return Ok(());
        }
        let kind = self.universe.kind();
        Err(Failure::Input(format!(
            "{what}: this is one of {kind}, without values; iterate over it"
        )))
    }
}

#[pymethods]
impl Solution {
    /// The value of a variable, or the colour of a vertex.
    fn __getitem__<'py>(&self, element: &Bound<'py, PyAny>) -> Outcome<Bound<'py, PyAny>> {
        self.check_values("a solution by its variables")?;
        let number = self.universe.number(element)?;
        Ok(self.universe.value(number, self.values[number].into(), element.py())?)
    }

    /// Returns the variables of an assignment, so that ``dict(solution)`` has their values.
    fn keys<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyTuple>> {
        self.check_values("keys")?;
        Ok(self.universe.elements().objects(py).clone())
    }

    /// Returns the values of an assignment, in the order of the variables.
    fn values<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyTuple>> {
        self.check_values("values")?;
        Ok(PyTuple::new(py, self.value_objects(py)?)?)
    }

    /// Returns pairs of a variable and its value.
    fn items<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyList>> {
        self.check_values("items")?;
        Ok(self.elements(py)?)
    }
}
