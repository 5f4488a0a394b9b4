//! Numbers and other arguments of Python.

use std::ops::Deref;
use std::sync::Arc;

use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyBytes, PyDict, PyFrozenSet, PyInt, PyIterator, PyList, PySet, PyTuple,
};
use topdd::BigUint;

use crate::errors::{Failure, Outcome};

/// The modules of the package that convert numbers, graphs, tables, what is in files and pickles, exact covers, arguments
/// of rules, functions in files, and the page of decisions.
pub(crate) const NUMBERS: &str = "topdd._numbers";
pub(crate) const SOURCES: &str = "topdd._sources";
pub(crate) const TABLES: &str = "topdd._tables";
pub(crate) const FILES: &str = "topdd._files";
pub(crate) const CONFIGURE: &str = "topdd._configure";
pub(crate) const COVERS: &str = "topdd._covers";
pub(crate) const FORMULAS: &str = "topdd._formulas";
pub(crate) const RULES: &str = "topdd._rules";
pub(crate) const MANAGERS: &str = "topdd._managers";

/// Calls a function of a module of the package.
pub(crate) fn call<'py>(
    py: Python<'py>,
    module: &str,
    function: &str,
    arguments: impl PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import(module)?.getattr(function)?.call1(arguments)
}

/// An object as a pickle: a function and its arguments.
pub(crate) type Reduced<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>);

/// The pickle of an object that a function of `topdd._files` makes again.
pub(crate) fn reduced<'py>(
    py: Python<'py>,
    function: &str,
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> Outcome<Reduced<'py>> {
    Ok((py.import(FILES)?.getattr(function)?, arguments.into_pyobject(py)?))
}

/// A number of solutions, or a position among them, as an `int`.
#[derive(Clone, Debug)]
pub(crate) struct Integer(pub(crate) BigUint);

impl<'py> IntoPyObject<'py> for Integer {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(small) = u64::try_from(&self.0) {
            return Ok(small.into_pyobject(py)?.into_any());
        }
        let bytes = PyBytes::new(py, &self.0.to_bytes_le());
        py.get_type::<PyInt>().call_method1("from_bytes", (bytes, "little"))
    }
}

impl<'py> FromPyObject<'_, 'py> for Integer {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let bits: usize = given.call_method0("bit_length")?.extract()?;
        let bytes = given.call_method1("to_bytes", (bits / 8 + 1, "little"))?;
        Ok(Integer(BigUint::from_bytes_le(bytes.cast::<PyBytes>()?.as_bytes())))
    }
}

/// Weights of elements as whole numbers with a common denominator.
///
/// The original numbers may be of any type: `topdd/_numbers.py` converts them, and results back.
#[derive(Debug)]
pub(crate) struct Numbers {
    pub(crate) whole: Vec<i64>,
    /// The common denominator and the type of results, as `_numbers` returns it.
    scale: Py<PyAny>,
}

impl Numbers {
    /// Converts the numbers of elements; `what` names them in errors.
    pub(crate) fn new(
        values: &Bound<'_, PyAny>,
        elements: &Bound<'_, PyTuple>,
        what: &str,
    ) -> Outcome<Arc<Self>> {
        let scaled = call(values.py(), NUMBERS, "scaled", (values, elements, what))?;
        let (whole, scale) = scaled.extract()?;
        Ok(Arc::new(Self { whole, scale }))
    }

    /// The weight 1 for each of so many elements.
    pub(crate) fn ones(py: Python<'_>, elements: usize) -> Outcome<Arc<Self>> {
        Self::of_whole(py, vec![1; elements])
    }

    /// Whole numbers.
    pub(crate) fn of_whole(py: Python<'_>, whole: Vec<i64>) -> Outcome<Arc<Self>> {
        let scale = py.import(NUMBERS)?.getattr("WHOLE")?.unbind();
        Ok(Arc::new(Self { whole, scale }))
    }

    /// The sum of the original numbers of some elements.
    pub(crate) fn sum<'py>(
        &self,
        py: Python<'py>,
        members: impl IntoIterator<Item = usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let members: Vec<usize> = members.into_iter().collect();
        let total: i128 = members.iter().map(|&member| i128::from(self.whole[member])).sum();
        call(py, NUMBERS, "restored", (total, &self.scale, members))
    }

    /// A whole number as a sum of the original numbers.
    pub(crate) fn restored<'py>(
        &self,
        py: Python<'py>,
        total: i128,
    ) -> PyResult<Bound<'py, PyAny>> {
        call(py, NUMBERS, "restored", (total, &self.scale, None::<()>))
    }

    /// The greatest sum that is at most `value`, or the least that is at least `value` if `up`.
    pub(crate) fn bound(&self, value: &Bound<'_, PyAny>, up: bool) -> Outcome<i64> {
        Ok(call(value.py(), NUMBERS, "bound", (value, &self.scale, up))?.extract()?)
    }

    /// The original numbers.
    pub(crate) fn values<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        (0..self.whole.len()).map(|element| self.sum(py, [element])).collect()
    }
}

/// A number of rows, vertices or pieces, as an argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size(pub(crate) usize);

impl<'py> FromPyObject<'_, 'py> for Size {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Size(whole(&given, "")?))
    }
}

/// Converts the argument of a name to a number of edges, colours or parts.
pub(crate) fn size(value: &Bound<'_, PyAny>, name: &str) -> Outcome<usize> {
    whole(value, &format!("{name}="))
}

/// Converts a whole number of any type, as `_numbers.whole` does. Bools are none.
fn whole(value: &Bound<'_, PyAny>, before: &str) -> Outcome<usize> {
    let number = if value.is_instance_of::<PyBool>() { None } else { value.extract().ok() };
    number.ok_or_else(|| {
        let shown = value.repr().map_or_else(|_| "the value".to_owned(), |text| text.to_string());
        Failure::Input(format!("{before}{shown}: give a whole number from 0 to 2**64 - 1"))
    })
}

/// Whether an object that a function of the user has returned is true.
pub(crate) fn truth(given: &Bound<'_, PyAny>, function: &str) -> PyResult<bool> {
    given.is_truthy().map_err(|error| {
        let text = format!(
            "{function} returned {given:?}, which is neither true nor false; return True or False"
        );
        caused(given.py(), Failure::Input(text), error)
    })
}

/// The exception of a failure that another exception has caused.
pub(crate) fn caused(py: Python<'_>, failure: Failure, cause: PyErr) -> PyErr {
    let error = PyErr::from(failure);
    error.set_cause(py, Some(cause));
    error
}

/// Converts `True` or `False`. Python adds the name of the argument to the message.
pub(crate) fn flag(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    value.extract().map_err(|_| PyTypeError::new_err(format!("give True or False, not {value:?}")))
}

/// The elements of an iterator as a list, also of iterators in it, and in lists, tuples and dictionaries; any other object as it
/// is.
pub(crate) fn collected<'py>(given: &Bound<'py, PyAny>) -> Outcome<Bound<'py, PyAny>> {
    // A list may contain itself.
    const DEPTH: usize = 4;
    collected_within(given, DEPTH)
}

fn collected_within<'py>(given: &Bound<'py, PyAny>, depth: usize) -> Outcome<Bound<'py, PyAny>> {
    let py = given.py();
    let inner = |part: PyResult<Bound<'py, PyAny>>| match depth {
        0 => Ok(part?),
        _ => collected_within(&part?, depth - 1),
    };
    check_unread(given)?;
    if let Ok(iterator) = given.cast::<PyIterator>() {
        let parts = iterator.try_iter()?.map(inner).collect::<Outcome<Vec<_>>>()?;
        return Ok(PyList::new(py, parts)?.into_any());
    }
    if let Ok(mapping) = given.cast::<PyDict>() {
        let mut changed = Vec::new();
        for (key, value) in mapping {
            let new = inner(Ok(value.clone()))?;
            if !new.is(&value) {
                changed.push((key, new));
            }
        }
        if changed.is_empty() {
            return Ok(given.clone());
        }
        let copy = mapping.copy()?;
        for (key, value) in changed {
            copy.set_item(key, value)?;
        }
        return Ok(copy.into_any());
    }
    if !given.is_instance_of::<PyList>() && !given.is_instance_of::<PyTuple>() {
        return Ok(given.clone());
    }
    let mut is_same = true;
    let mut parts = Vec::new();
    for part in given.try_iter()? {
        let part = part?;
        let new = inner(Ok(part.clone()))?;
        is_same &= new.is(&part);
        parts.push(new);
    }
    Ok(match given.is_instance_of::<PyList>() {
        _ if is_same => given.clone(),
        true => PyList::new(py, parts)?.into_any(),
        false => PyTuple::new(py, parts)?.into_any(),
    })
}

/// An argument that a family keeps: an iterator is read into a list.
#[derive(Clone, IntoPyObject, IntoPyObjectRef)]
pub(crate) struct Kept<'py>(pub(crate) Bound<'py, PyAny>);

impl<'py> FromPyObject<'_, 'py> for Kept<'py> {
    type Error = Failure;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> Outcome<Self> {
        collected(&given).map(Self)
    }
}

impl<'py> Deref for Kept<'py> {
    type Target = Bound<'py, PyAny>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// Whether an object is a set, which has no order.
pub(crate) fn is_set(given: &Bound<'_, PyAny>) -> bool {
    given.is_instance_of::<PySet>() || given.is_instance_of::<PyFrozenSet>()
}

/// Fails for a set, whose order counts. `what` names it in the error.
pub(crate) fn check_order(given: &Bound<'_, PyAny>, what: &str) -> Outcome<()> {
    call(given.py(), NUMBERS, "check_order", (given, what)).map(drop).map_err(Failure::from)
}

/// Fails for a generator that has ended. Other iterators do not tell an end that was read from no elements.
#[pyfunction]
pub(crate) fn check_unread(given: &Bound<'_, PyAny>) -> Outcome<()> {
    let has_ended = given.is_instance_of::<PyIterator>()
        && given.getattr_opt("gi_frame")?.is_some_and(|frame| frame.is_none());
    if has_ended {
        return Err(Failure::Input(format!(
            "{given:?} has nothing left, as an iterator that was read before; give a list"
        )));
    }
    Ok(())
}
