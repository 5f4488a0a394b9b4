//! The calls and operators that make a family: as text, and as calls that make it again.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use topdd_problem::SetOperation;

/// The most characters of a description.
const MAX_LENGTH: usize = 180;

/// A call that makes a family.
pub(crate) struct Call<'py> {
    pub(crate) text: String,
    pub(crate) name: String,
    positional: Bound<'py, PyTuple>,
    keywords: Bound<'py, PyDict>,
}

impl<'py> Call<'py> {
    /// Makes a call with the arguments that are given. One without a name is positional.
    pub(crate) fn new(
        py: Python<'py>,
        name: &str,
        arguments: &[(&str, Option<&Bound<'py, PyAny>>)],
    ) -> PyResult<Self> {
        let (mut shown, mut positional, keywords) = (Vec::new(), Vec::new(), PyDict::new(py));
        // The call is kept, and the user may change the argument.
        let copy = py.import("topdd._files")?.getattr("kept")?;
        for &(argument, value) in arguments {
            let Some(value) = value else { continue };
            let (text, kept) = (value.repr()?, copy.call1((value,))?);
            if argument.is_empty() {
                shown.push(text.to_string());
                positional.push(kept);
            } else {
                shown.push(format!("{argument}={text}"));
                keywords.set_item(argument, kept)?;
            }
        }
        let text = format!("{name}({})", shown.join(", "));
        Ok(Self {
            text,
            name: name.to_owned(),
            positional: PyTuple::new(py, positional)?,
            keywords,
        })
    }

    /// The call as a tuple of Python: the graph or the family that has the method, or `None`, the name and the arguments.
    pub(crate) fn recipe(&self, owner: &Bound<'py, PyAny>) -> PyResult<Py<PyTuple>> {
        let parts = (owner, &self.name, &self.positional, &self.keywords);
        Ok(parts.into_pyobject(owner.py())?.unbind())
    }
}

/// The calls and operators that make a family. A long text is shortened in the middle.
#[derive(Clone, Debug)]
pub(crate) struct Description {
    text: String,
    /// The outermost operator; `None` for a call.
    operation: Option<SetOperation>,
}

impl Description {
    pub(crate) fn of_call(text: String) -> Self {
        Self { text: shortened(text), operation: None }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The description of a method call on the family.
    pub(crate) fn with_call(&self, call: &str) -> Self {
        Self::of_call(format!("{}.{call}", self.operand(None)))
    }

    /// The description of an operator on both families.
    pub(crate) fn combined(&self, operation: SetOperation, other: &Self) -> Self {
        let (left, right) = (self.operand(Some(operation)), other.operand(None));
        let text = shortened(format!("{left} {} {right}", operation.sign()));
        Self { text, operation: Some(operation) }
    }

    /// The description of the complement of the family.
    pub(crate) fn inverted(&self) -> Self {
        // In brackets as an operand, except on the left of a difference, which binds less.
        let text = shortened(format!("~{}", self.operand(None)));
        Self { text, operation: Some(SetOperation::Difference) }
    }

    /// The text as an operand: in brackets, unless it is a call or a chain of the same operator.
    fn operand(&self, of: Option<SetOperation>) -> String {
        if self.operation.is_none() || self.operation == of {
            self.text.clone()
        } else {
            format!("({})", self.text)
        }
    }
}

fn shortened(text: String) -> String {
    const OMITTED: &str = " ... ";
    let count = text.chars().count();
    if count <= MAX_LENGTH {
        return text;
    }
    let kept = (MAX_LENGTH - OMITTED.len()) / 2;
    let first: String = text.chars().take(kept).collect();
    let last: String = text.chars().skip(count - kept).collect();
    [&first, OMITTED, &last].concat()
}
