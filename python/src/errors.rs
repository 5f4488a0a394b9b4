//! The exceptions of the package. Their classes are in `topdd/_errors.py`.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use pyo3::PyErrArguments;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use topdd::{BuildError, FileError, IoError, Limit, QueryError};
use topdd_apply::ManagerLimit;
use topdd_chess::{KnightsError, PiecesError, QueensError};
use topdd_graph::GraphError;
use topdd_graph::families::FamilyError;
use topdd_graph::format::{FormatError, Remedy};
use topdd_problem::{ConditionError, ParameterError, ProblemError};

use crate::convert::call;
use crate::specs::exception_of;

/// The reason why a call has no result, before it is an exception.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An argument that the call refuses.
    Input(String),
    /// The memory limit was reached.
    Memory(String, Place),
    /// The time limit was reached; the limit, if it is known.
    Timeout(Option<Duration>, Place),
    /// The content of a file does not fit.
    File(String),
    /// An operation of the system on a file failed.
    System(IoError),
    /// An index that no solution has.
    Index(String),
    /// A number of solutions that `len` cannot return.
    Overflow(String),
    /// A fault of topdd itself.
    Internal(String),
    /// The call was cancelled.
    Cancelled,
    /// An exception of Python code.
    Python(PyErr),
}

/// Where a sweep was.
#[derive(Debug)]
pub(crate) enum Place {
    Unknown,
    /// Before the first level.
    Start,
    /// At a variable, by its number.
    Variable(usize),
    /// At a variable, in words.
    Named(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Unknown => Ok(()),
            Place::Start => f.write_str(" before the first level"),
            Place::Variable(variable) => write!(f, " at variable {variable}"),
            Place::Named(words) => write!(f, " at {words}"),
        }
    }
}

/// The result of a call.
pub(crate) type Outcome<T> = Result<T, Failure>;

impl Failure {
    pub(crate) fn input(error: impl fmt::Display) -> Self {
        Failure::Input(error.to_string())
    }

    /// The memory limit was reached, somewhere.
    pub(crate) fn memory(message: impl Into<String>) -> Self {
        Failure::Memory(message.into(), Place::Unknown)
    }

    /// The failure with words for the variable at which a sweep was.
    pub(crate) fn placed(mut self, words: impl FnOnce(usize) -> Outcome<String>) -> Self {
        if let Failure::Memory(_, place) | Failure::Timeout(_, place) = &mut self
            && let Place::Variable(variable) = *place
            && let Ok(words) = words(variable)
        {
            *place = Place::Named(words);
        }
        self
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        let (class, message) = match failure {
            Failure::Input(message) => ("InputError", message),
            Failure::Memory(message, place) => ("MemoryLimitError", format!("{message}{place}")),
            Failure::Timeout(limit, place) => {
                let limit = limit.map_or_else(String::new, |limit| {
                    format!(" of {} seconds", limit.as_secs_f64())
                });
                let message = format!("the limit{limit} (raise timeout) was reached{place}");
                ("TimeLimitError", message)
            }
            Failure::File(message) => ("FileError", message),
            Failure::System(error) => return of_system(&error),
            Failure::Index(message) => ("RankError", message),
            Failure::Overflow(message) => ("TooManyError", message),
            Failure::Internal(message) => ("InternalError", message),
            Failure::Cancelled => ("CancelledError", "the call was cancelled".to_owned()),
            Failure::Python(error) => return error,
        };
        Python::attach(|py| of_class(py, class, (message,)).unwrap_or_else(|error| error))
    }
}

/// The exception of a class of the package, with its arguments.
pub(crate) fn of_class(
    py: Python<'_>,
    class: &str,
    arguments: impl PyErrArguments + 'static,
) -> PyResult<PyErr> {
    let class = py.import("topdd._errors")?.getattr(class)?.cast_into()?;
    Ok(PyErr::from_type(class, arguments))
}

/// The exception for an attribute that an object does not have, with the most similar name.
pub(crate) fn no_attribute(object: &Bound<'_, PyAny>, name: &str) -> PyErr {
    let message = call(object.py(), "topdd._names", "missing", (object.get_type(), name));
    let message = message.and_then(|message| message.extract::<String>());
    message.map_or_else(|error| error, PyAttributeError::new_err)
}

/// The exception for an error of the system, with its number and the name of the file.
fn of_system(error: &IoError) -> PyErr {
    let is_missing = error.kind() == std::io::ErrorKind::NotFound;
    let class = if is_missing { "MissingFileError" } else { "FileError" };
    let made = |py: Python<'_>| match error.io_error().raw_os_error() {
        None => of_class(py, class, (error.to_string(),)),
        Some(number) => {
            let text = call(py, "os", "strerror", (number,))?.unbind();
            let path = error.path().map(|path| path.as_os_str().to_owned());
            of_class(py, class, (number, text, path))
        }
    };
    Python::attach(|py| made(py).unwrap_or_else(|error| error))
}

/// Reads a file.
pub(crate) fn bytes_of(path: &Path) -> Result<Vec<u8>, IoError> {
    std::fs::read(path).map_err(|error| IoError::new("read", Some(path.to_path_buf()), error))
}

impl From<IoError> for Failure {
    fn from(error: IoError) -> Self {
        Failure::System(error)
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Failure::Python(error)
    }
}

/// A remedy of a graph file as an argument of `Graph.read`.
pub(crate) fn remedy(remedy: &Remedy) -> String {
    let argument = match remedy {
        Remedy::Format(formats) => {
            let names: Vec<_> = formats.iter().map(|name| format!("format=\"{name}\"")).collect();
            return format!("give {}", names.join(" or "));
        }
        Remedy::Columns(columns) if !columns.is_empty() => {
            let is_number = |column: &String| column.parse::<usize>().is_ok();
            let columns = if columns.iter().all(is_number) {
                columns.join(", ")
            } else {
                columns.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
            };
            return format!("give columns=[{columns}]");
        }
        Remedy::Columns(_) => "give the columns of the ends with columns=",
        Remedy::VertexTable => "give population= to Graph(..) for a table of vertices",
        Remedy::NoColumns => "leave out columns=",
        Remedy::DecimalComma => "give decimal_comma=True",
        Remedy::NoDecimalComma => "leave out decimal_comma=True",
        Remedy::MergeDirections => "join such pairs with merge=\"equal\"",
        Remedy::KeepDirections => "keep both with merge=False",
        Remedy::Directed => "give directed=True",
        Remedy::Undirected => "give directed=False",
        // `Graph.read` has no arguments for these.
        Remedy::VertexColumns
        | Remedy::LabelAttribute
        | Remedy::NoLabelAttribute
        | Remedy::Formula => "",
    };
    argument.to_owned()
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        if let BuildError::SpecPanicked { message, .. } | BuildError::Panicked { message } = &error
            && let Some(error) = exception_of(message)
        {
            return Failure::Python(error);
        }
        let place = |variable: Option<usize>| variable.map_or(Place::Start, Place::Variable);
        match error {
            BuildError::Cancelled { .. } => Failure::Cancelled,
            BuildError::LimitReached { limit: Limit::Time(time), variable } => {
                Failure::Timeout(Some(time), variable.map_or(Place::Unknown, Place::Variable))
            }
            BuildError::LimitReached { limit: Limit::Bytes(bytes), variable } => Failure::Memory(
                format!("the limit of {bytes} bytes (raise memory, or set spill_to) was reached"),
                place(variable),
            ),
            BuildError::LimitTooSmall { limit, least, variable } => Failure::Memory(
                format!(
                    "the memory limit of {limit} bytes is too small (raise memory): with everything else on disk, at least \
                     {least} bytes are needed"
                ),
                place(variable),
            ),
            BuildError::TooLarge { what, unit, limit } => Failure::memory(format!(
                "{what} has more than {limit} {unit}, which topdd cannot number; count without a diagram \
                 (Family.count), or give a better order of the elements"
            )),
            BuildError::LimitReached { .. } => Failure::memory(error.to_string()),
            BuildError::Io(_)
            | BuildError::Damaged { .. }
            | BuildError::OtherCheckpoint { .. }
            | BuildError::SpecChanged { .. }
            | BuildError::DirectoryInUse { .. } => Failure::File(error.to_string()),
            BuildError::InvalidSpec { .. } | BuildError::TooManyThreads { .. } => {
                Failure::input(error)
            }
            _ => Failure::Internal(error.to_string()),
        }
    }
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::Build(error) => error.into(),
            QueryError::RankOutOfRange { .. } => Failure::Index(error.to_string()),
            QueryError::TooManyTotals { least, most, bytes, limit } => Failure::memory(format!(
                "the weights sum up to {least} to {most}: the lists of counts of a few states take {bytes} bytes, more \
                 than the limit of {limit} bytes (raise memory, or build() a diagram)"
            )),
            QueryError::NoSolutions => Failure::input("there are no solutions"),
            QueryError::NoWeight => {
                Failure::input("every solution has weight 0; give other weights")
            }
            error => Failure::input(error),
        }
    }
}

impl From<FamilyError> for Failure {
    fn from(error: FamilyError) -> Self {
        match error {
            FamilyError::Build(error) => error.into(),
            FamilyError::Query(error) => error.into(),
            FamilyError::Graph(error) => error.into(),
            FamilyError::Undirected { family } => Failure::Input(format!(
                "the graph is undirected, and {family} need directions; make it with directed=True"
            )),
            error => Failure::input(error),
        }
    }
}

/// The errors that contain others, which are converted as these; all else is refused input.
macro_rules! refusals {
    ($($error:ident: $($inner:ident),*;)*) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                match error {
                    $($error::$inner(error) => error.into(),)*
                    error => Failure::input(error),
                }
            }
        }
    )*};
}

refusals! {
    ParameterError: Family;
    ConditionError: Family, Build, Query, Apply;
    ProblemError: Family, Queens, Pieces, Tours, Build, Query, Apply;
    QueensError: Build;
    PiecesError: Build;
    KnightsError: Build;
}

impl From<GraphError> for Failure {
    fn from(error: GraphError) -> Self {
        match error {
            GraphError::Directed => Failure::input(
                "the graph is directed, and this needs an undirected one; make it with to_undirected()",
            ),
            GraphError::BothDirections { .. } => Failure::Input(format!(
                "{error}; join such pairs with to_undirected(merge=\"equal\")"
            )),
            error => Failure::input(error),
        }
    }
}

impl From<topdd_apply::Error> for Failure {
    fn from(error: topdd_apply::Error) -> Self {
        use topdd_apply::Error;
        match error {
            Error::Cancelled => Failure::Cancelled,
            Error::Diagram(error) => error.into(),
            Error::File(error) => error.into(),
            Error::LimitReached(ManagerLimit::Time(time)) => {
                Failure::Timeout(Some(time), Place::Unknown)
            }
            Error::LimitReached(ManagerLimit::Bytes(bytes)) => {
                Failure::memory(format!("the limit of {bytes} bytes (raise memory) was reached"))
            }
            Error::TooManyNodes { .. } => Failure::memory(error.to_string()),
            error => Failure::input(error),
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Build(error) => error.into(),
            FileError::Io(error) => error.into(),
            FileError::TooLargeToDraw { .. } => Failure::input(error),
            error => Failure::File(error.to_string()),
        }
    }
}

/// An error in a graph file, with its place.
pub(crate) fn in_graph_file(error: &FormatError) -> String {
    let place = error.line().map(|line| format!(", line {line}")).unwrap_or_default();
    let file = error.file().map(|file| format!("{}{place}: ", file.display()));
    file.unwrap_or_default() + &error.worded(remedy)
}

impl From<FormatError> for Failure {
    fn from(error: FormatError) -> Self {
        Failure::File(in_graph_file(&error))
    }
}
