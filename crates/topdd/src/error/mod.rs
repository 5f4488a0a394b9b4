//! The errors of the library: of builds, queries and files.

mod build;
mod file;
mod query;
#[cfg(test)]
mod tests;

use std::fmt;

pub use build::{BuildError, Limit, ProcessFault, RunProperty};
pub use file::{FileError, FileRemedy, IoError};
pub use query::QueryError;

pub(crate) use build::{
    ReportedError, SizeLimit, call_again, caught, describe_after_panic, panic_message,
};

/// A place in a file or stream.
///
/// ```
/// use topdd::{FileError, Position, Zdd};
///
/// let error = Zdd::read_from(&b"no diagram"[..]).unwrap_err();
/// let FileError::Malformed { at, .. } = &error else { panic!("{error}") };
/// assert!(matches!(at, Position::Byte(0)), "{at}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Position {
    /// The number of bytes from the start.
    Byte(u64),
    /// In a text: line and column, both counted from 1.
    Line(usize, usize),
    /// An item of a document, such as `levels[2].nodes[0]`, counted from 0.
    Item(String),
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::Byte(byte) => write!(f, "byte {byte}"),
            Position::Line(line, column) => write!(f, "line {line}, column {column}"),
            Position::Item(item) => f.write_str(item),
        }
    }
}
