//! Errors of files and pictures, and failures of the system, with the file and the operation.

use super::{BuildError, Position};
use crate::spec::Rule;
use std::borrow::Cow;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, io};

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
    #[error("{}: {format}, {at}: {message}{}", name_of(path.as_deref()), in_parentheses(*remedy))]
    Malformed {
        /// The file, if it is known.
        path: Option<PathBuf>,
        /// The format.
        format: &'static str,
        /// The place of the fault.
        at: Position,
        /// The part found there, and the part expected.
        message: String,
        /// What may help, if that is known.
        remedy: Option<FileRemedy>,
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
         distinguished; it may have {limit} nodes, and twice as many edges (raise the limit, \
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

/// What may help to read a file. `Display` names the function of this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileRemedy {
    /// A reader of another format.
    OtherFormat,
    /// A reader of diagrams under this rule.
    Rule(Rule),
    /// A larger [`ReadOptions::num_vars`](crate::format::interchange::ReadOptions::num_vars).
    MoreVariables,
    /// [`ReadOptions::root`](crate::format::interchange::ReadOptions::root), which selects one of several diagrams.
    Root,
}

impl fmt::Display for FileRemedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FileRemedy::OtherFormat => {
                "files that Diagram::save wrote can be read; the module topdd::format lists the readers of other formats"
            }
            FileRemedy::Rule(Rule::ZeroSuppressed) => "use Zdd::read_dddmp",
            FileRemedy::Rule(Rule::AnyValue) => "use Bdd::read_dddmp",
            FileRemedy::MoreVariables => "raise ReadOptions::num_vars",
            FileRemedy::Root => "ReadOptions::root",
        })
    }
}

/// The remedy in parentheses.
fn in_parentheses(remedy: Option<FileRemedy>) -> String {
    remedy.map_or_else(String::new, |remedy| format!(" ({remedy})"))
}

impl FileError {
    /// The error with what may help.
    pub(crate) fn advised(mut self, advice: FileRemedy) -> Self {
        if let FileError::Malformed { remedy, .. } = &mut self {
            *remedy = Some(advice);
        }
        self
    }

    /// Returns the same error, for a file with this name.
    pub(crate) fn in_file(self, file: &Path) -> Self {
        let named = |path: Option<PathBuf>| Some(path.unwrap_or_else(|| file.to_owned()));
        match self {
            FileError::Malformed { path, format, at, message, remedy } => {
                FileError::Malformed { path: named(path), format, at, message, remedy }
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

/// A failure of the system: the operation, the file or directory, and the [`io::Error`] as its
/// [`source`](Error::source).
///
/// Two are equal (`==`) if they have the same operation, path, kind and message.
///
/// ```
/// use std::error::Error;
/// use topdd::{FileError, Zdd};
///
/// let error = Zdd::load("no such directory/q8.tdd").unwrap_err();
/// let FileError::Io(io) = &error else { panic!("{error}") };
/// assert_eq!(io.kind(), std::io::ErrorKind::NotFound);
/// assert!(error.source().unwrap().is::<std::io::Error>());
/// ```
#[derive(Clone, Debug)]
pub struct IoError {
    what: String,
    path: Option<PathBuf>,
    source: Arc<io::Error>,
}

impl IoError {
    /// Makes an error of a failed operation. `what` is the operation, a verb such as "read", `path`
    /// the file or directory, or `None` for a stream, and `source` the error of the system.
    ///
    /// ```
    /// use std::io::{Error, ErrorKind};
    /// use topdd::IoError;
    ///
    /// let error = IoError::new("read", Some("q8.tdd".into()), Error::from(ErrorKind::NotFound));
    /// assert_eq!(error.what(), "read");
    /// assert_eq!(error.path(), Some("q8.tdd".as_ref()));
    /// assert_eq!(error.kind(), error.io_error().kind());
    /// ```
    pub fn new(what: impl Into<String>, path: Option<PathBuf>, source: io::Error) -> Self {
        IoError { what: what.into(), path, source: Arc::new(source) }
    }

    /// Returns the operation that failed, a verb such as "read".
    pub fn what(&self) -> &str {
        &self.what
    }

    /// Returns the file or directory; `None` for a stream.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns the kind of the [`io::Error`].
    pub fn kind(&self) -> io::ErrorKind {
        self.source.kind()
    }

    /// Returns the error of the system.
    pub fn io_error(&self) -> &io::Error {
        &self.source
    }

    /// Returns the same error, with operation and file if it is an error of a stream.
    pub(crate) fn on(self, what: &str, path: &Path) -> Self {
        match self.path {
            Some(_) => self,
            None => IoError { what: what.to_owned(), path: Some(path.to_owned()), ..self },
        }
    }
}

impl PartialEq for IoError {
    fn eq(&self, other: &Self) -> bool {
        (&self.what, &self.path, self.kind()) == (&other.what, &other.path, other.kind())
            && self.source.to_string() == other.source.to_string()
    }
}

impl Eq for IoError {}

impl fmt::Display for IoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) => {
                let advice = advice(&self.what, self.kind());
                write!(f, "could not {} {}: {}{advice}", self.what, path.display(), self.source)
            }
            None => write!(f, "could not {}: {}", self.what, self.source),
        }
    }
}

impl Error for IoError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.source)
    }
}

fn advice(what: &str, kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::NotFound if what.starts_with("read") => " (check the name)",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded if what.starts_with("save") => {
            " (free some space; a file of that name is as it was)"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            " (free some space, or name a directory that has more; a checkpoint is as it was)"
        }
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            " (create the directory, or name one that exists)"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            " (name a directory that can be written to)"
        }
        _ => "",
    }
}
