//! Positions in a sequence of solutions: indices and slices.

use pyo3::prelude::*;
use pyo3::types::PySlice;
use topdd::BigUint;

use crate::convert::{Integer, call};
use crate::errors::{Failure, Outcome};

/// What an index, or a slice, asks for.
pub(crate) enum IndexOrSlice {
    Index(BigUint),
    Slice(Slice),
}

/// The positions of a slice.
pub(crate) struct Slice {
    pub(crate) start: BigUint,
    pub(crate) count: usize,
    /// The distance of two positions.
    step: BigUint,
    is_backward: bool,
}

impl Slice {
    /// Whether each position follows the one before it.
    pub(crate) fn is_range(&self) -> bool {
        self.count > 0 && !self.is_backward && self.step == BigUint::from(1u32)
    }

    /// The positions in their order.
    pub(crate) fn positions(self) -> impl Iterator<Item = BigUint> {
        (0..self.count).map(move |number| {
            let distance = &self.step * number;
            if self.is_backward { &self.start - distance } else { &self.start + distance }
        })
    }
}

/// The start, the stop and the step of a slice.
type Bounds<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);

/// Reads an index or a slice of a sequence of so many solutions.
pub(crate) fn positions(index: &Bound<'_, PyAny>, count: &BigUint) -> Outcome<IndexOrSlice> {
    // Most positions are small.
    if let (Ok(at), Ok(count)) = (index.extract::<i64>(), i64::try_from(count)) {
        let at = if at < 0 { at + count } else { at };
        if let Some(at) = u64::try_from(at).ok().filter(|_| at < count) {
            return Ok(IndexOrSlice::Index(at.into()));
        }
    }
    let (py, all) = (index.py(), Integer(count.clone()).into_pyobject(index.py())?);
    let position = |at: &Bound<'_, PyAny>| at.extract().map(|Integer(position)| position);
    let Ok(slice) = index.cast::<PySlice>() else {
        let mut at = call(py, "operator", "index", (index,))?;
        if at.lt(0)? {
            at = at.add(&all)?;
        }
        if at.lt(0)? || at.ge(&all)? {
            return Err(Failure::Index(format!("there is no solution {index}; there are {all}")));
        }
        return Ok(IndexOrSlice::Index(position(&at)?));
    };
    if slice.getattr("step")?.eq(0)? {
        return Err(Failure::input("the step of a slice is 0; give another one"));
    }
    let bounds = slice.call_method1("indices", (all,))?;
    let (start, stop, step): Bounds<'_> = bounds.extract()?;
    let range = call(py, "builtins", "range", (&start, stop, &step))?;
    let count = range.len().map_err(|_| {
        Failure::Overflow(
            "the slice has more solutions than fit into memory; take a smaller one".to_owned(),
        )
    })?;
    let is_backward = step.lt(0)?;
    let start = if count == 0 { BigUint::ZERO } else { position(&start)? };
    let step = position(&step.abs()?)?;
    Ok(IndexOrSlice::Slice(Slice { start, count, step, is_backward }))
}
