//! The calls and operators that make a family, as text.

use crate::source::Operation;

/// The most characters of a description.
const MAX_LENGTH: usize = 180;

/// The calls and operators that make a family. A long text is shortened in the middle.
#[derive(Clone, Debug)]
pub(crate) struct Description {
    text: String,
    /// The outermost operator; `None` for a call.
    operation: Option<Operation>,
}

impl From<String> for Description {
    fn from(call: String) -> Self {
        Self { text: shortened(call), operation: None }
    }
}

impl Description {
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The description of a method call on the family.
    pub(crate) fn with_call(&self, call: &str) -> Self {
        format!("{}.{call}", self.operand(None)).into()
    }

    /// The description of an operator on both families.
    pub(crate) fn combined(&self, operation: Operation, other: &Self) -> Self {
        let (left, right) = (self.operand(Some(operation)), other.operand(None));
        let text = shortened(format!("{left} {} {right}", operation.sign()));
        Self { text, operation: Some(operation) }
    }

    /// The description of the complement of the family.
    pub(crate) fn inverted(&self) -> Self {
        // In brackets as an operand, except on the left of a difference, which binds less.
        let text = shortened(format!("~{}", self.operand(None)));
        Self { text, operation: Some(Operation::Difference) }
    }

    /// The text as an operand: in brackets, unless it is a call or a chain of the same operator.
    fn operand(&self, of: Option<Operation>) -> String {
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
