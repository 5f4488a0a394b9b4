//! Errors of files and pictures.

use super::{BuildError, IoError, Position};
use crate::spec::Rule;
use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

/// The reason why a diagram was not read from a file or a stream, or not written to one.
///
/// A file that was to be replaced is unchanged. `Display` writes the cause, the place and advice.
///
/// ```
/// use topdd::{Bdd, FileError, Rule, Zdd};
///
/// let mut bytes = Vec::new();
/// Bdd::full([2; 2])?.write_to(&mut bytes).expect("memory does not fail");
/// let error = Zdd::read_from(&bytes[..]).unwrap_err();
/// let other = FileError::OtherRule {
///     path: None,
///     found: Rule::AnyValue,
///     expected: Rule::ZeroSuppressed,
/// };
/// assert_eq!(error, other);
/// # Ok::<(), topdd::BuildError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// Reading, writing or another operation of the system failed. Its source is the
    /// [`io::Error`](std::io::Error).
    #[error(transparent)]
    Io(#[from] IoError),

    /// The diagram that was read could not be built: it has too many variables or nodes.
    #[error(transparent)]
    Build(#[from] BuildError),

    /// A file or stream is damaged or not in the expected format.
    #[error("{}: {format}, {at}: {message}", name_of(path.as_deref()))]
    Malformed {
        /// The file, if it is known.
        path: Option<PathBuf>,
        /// The format.
        format: &'static str,
        /// The place of the fault.
        at: Position,
        /// The part found there, the part expected, and advice.
        message: String,
    },

    /// A file has a diagram under the other rule.
    #[error(
        "{} has a diagram under the rule {found:?}, where {expected:?} was asked for (read an \
         AnyDiagram, and convert it with to_rule)",
        name_of(path.as_deref())
    )]
    OtherRule {
        /// The file, if it is known.
        path: Option<PathBuf>,
        /// The rule of the diagram.
        found: Rule,
        /// The rule of the type that was to be read.
        expected: Rule,
    },

    /// A picture of a diagram would have too many nodes or edges to be legible.
    #[error(
        "the picture would have {nodes} nodes and at least {edges} edges, which cannot be \
         distinguished; it may have {limit} nodes, and twice as many edges (raise SvgOptions::limit, \
         draw a part of the diagram, or let Graphviz try: write_dot)"
    )]
    TooLargeToDraw {
        /// The nodes of the diagram.
        nodes: usize,
        /// A lower bound of the number of edges drawn.
        edges: usize,
        /// The maximum number of nodes, and half the maximum number of edges.
        limit: usize,
    },

    /// A diagram of variables of other than two values was to be written in a format for two-valued
    /// variables.
    #[error(
        "variable {variable} has {arity} values, but {format} has variables of two values \
         only (encode the diagram first: Encoding::new and Diagram::encode)"
    )]
    NotTwoValued {
        /// The name of the format.
        format: &'static str,
        /// The variable.
        variable: usize,
        /// The number of its values.
        arity: usize,
    },

    /// A diagram is too large for a format.
    #[error(
        "{format} has room for {limit} {unit}, but the diagram has {found} (save it in the format \
         of topdd, which has room for all)"
    )]
    TooLargeForFormat {
        /// The name of the format.
        format: &'static str,
        /// The parts that are too many.
        unit: &'static str,
        /// The maximum number supported.
        limit: u64,
        /// The number in the diagram.
        found: u64,
    },
}

impl FileError {
    /// Returns the same error, for a file with this name.
    pub(crate) fn in_file(self, file: &Path) -> Self {
        let named = |path: Option<PathBuf>| Some(path.unwrap_or_else(|| file.to_owned()));
        match self {
            FileError::Malformed { path, format, at, message } => {
                FileError::Malformed { path: named(path), format, at, message }
            }
            FileError::OtherRule { path, found, expected } => {
                FileError::OtherRule { path: named(path), found, expected }
            }
            other => other,
        }
    }

    /// Makes an error of a failed operation `what` of a reader or a writer.
    pub(crate) fn stream(what: &str) -> impl FnOnce(io::Error) -> Self {
        let what = what.to_owned();
        move |error| IoError::new(what, None, error).into()
    }

    /// Makes an error of a failed operation `what` at `path`.
    pub(crate) fn io(what: &str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let (what, path) = (what.to_owned(), path.to_owned());
        move |error| IoError::new(what, Some(path), error).into()
    }
}

/// Returns the name of a file in a message.
fn name_of(path: Option<&Path>) -> Cow<'_, str> {
    path.map_or("the input".into(), Path::to_string_lossy)
}
