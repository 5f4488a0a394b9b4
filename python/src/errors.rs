//! The exceptions of the package. Their classes are in `topdd/_errors.py`.

use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use topdd::{BuildError, FileError, IoError, Limit, QueryError};
use topdd_apply::ManagerLimit;
use topdd_chess::{KnightsError, PiecesError, QueensError};
use topdd_graph::GraphError;
use topdd_graph::families::FamilyError;
use topdd_graph::format::FormatError;

/// The reason why a call has no result, before it is an exception.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An argument that the call refuses.
    Input(String),
    /// The memory limit was reached.
    Memory(String),
    /// The time limit was reached.
    Timeout(String),
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

/// The result of a call.
pub(crate) type Outcome<T> = Result<T, Failure>;

impl Failure {
    pub(crate) fn input(error: impl std::fmt::Display) -> Self {
        Failure::Input(error.to_string())
    }

    fn class_and_message(self) -> Result<(&'static str, String), PyErr> {
        Ok(match self {
            Failure::Input(message) => ("InputError", message),
            Failure::Memory(message) => ("MemoryLimitError", message),
            Failure::Timeout(message) => ("TimeLimitError", message),
            Failure::File(message) => ("FileError", message),
            Failure::System(error) => return Err(of_system(&error)),
            Failure::Index(message) => ("RankError", message),
            Failure::Overflow(message) => ("TooManyError", message),
            Failure::Internal(message) => ("InternalError", message),
            Failure::Cancelled => ("CancelledError", "the call was cancelled".to_owned()),
            Failure::Python(error) => return Err(error),
        })
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        let (class, message) = match failure.class_and_message() {
            Ok(described) => described,
            Err(error) => return error,
        };
        Python::attach(|py| match class_named(py, class) {
            Ok(class) => PyErr::from_type(class, (message,)),
            Err(error) => error,
        })
    }
}

fn class_named<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyType>> {
    Ok(py.import("topdd._errors")?.getattr(name)?.cast_into()?)
}

/// The exception for an attribute that an object does not have, with the most similar name.
pub(crate) fn no_attribute(object: &Bound<'_, PyAny>, name: &str) -> PyErr {
    let message = || -> PyResult<String> {
        let similar = object.py().import("topdd._names")?.getattr("missing")?;
        similar.call1((object.get_type(), name))?.extract()
    };
    message().map_or_else(|error| error, PyAttributeError::new_err)
}

/// The exception for an error of the system, with its number and the name of the file.
fn of_system(error: &IoError) -> PyErr {
    let is_missing = error.kind() == std::io::ErrorKind::NotFound;
    let class = if is_missing { "MissingFileError" } else { "FileError" };
    let made = |py: Python<'_>| -> PyResult<PyErr> {
        let class = class_named(py, class)?;
        let Some(number) = error.io_error().raw_os_error() else {
            return Ok(PyErr::from_type(class, (error.to_string(),)));
        };
        let text = py.import("os")?.call_method1("strerror", (number,))?.unbind();
        let path = error.path().map(|path| path.as_os_str().to_owned());
        Ok(PyErr::from_type(class, (number, text, path)))
    };
    Python::attach(|py| made(py).unwrap_or_else(|error| error))
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

/// The message of an error of the libraries, with the names of the arguments of Python.
pub(crate) fn in_python(error: &dyn std::fmt::Display) -> String {
    let names = [
        ("memory_limit", "memory"),
        ("time_limit", "timeout"),
        ("Frontier::count", "Family.count"),
        ("; the module topdd::format lists the readers of other formats", ""),
        ("Diagram::save", "Diagram.save"),
        ("read it as undirected with `GraphReadOptions::directed`", "give directed=False"),
        ("`GraphReadOptions::directed`", "directed=True"),
        ("`GraphReadOptions::merge_directions(false)`", "merge=False"),
        ("`GraphReadOptions::merge_directions`", "merge=\"equal\""),
        ("`Graph::merge_directions`", "to_undirected(merge=\"equal\")"),
        ("set `GraphReadOptions::decimal_comma`", "give decimal_comma=True"),
        ("`GraphReadOptions::decimal_comma`", "decimal_comma=True"),
        ("set the format", "end the name of the file with the format"),
        ("`GraphReadOptions::columns`", "columns="),
        (
            "`GraphFile::with_vertices` reads a table of vertices, beside a file of edges",
            "give population= to Graph(..) for a table of vertices",
        ),
    ];
    names.iter().fold(error.to_string(), |text, (rust, python)| text.replace(rust, python))
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        let message = in_python(&error);
        match error {
            BuildError::Cancelled { .. } => Failure::Cancelled,
            BuildError::LimitReached { limit: Limit::Time(_), .. } => Failure::Timeout(message),
            BuildError::LimitReached { .. }
            | BuildError::LimitTooSmall { .. }
            | BuildError::TooLarge { .. } => Failure::Memory(message),
            BuildError::Io(_)
            | BuildError::Damaged { .. }
            | BuildError::OtherCheckpoint { .. }
            | BuildError::SpecChanged { .. }
            | BuildError::DirectoryInUse { .. } => Failure::File(message),
            BuildError::InvalidSpec { .. } | BuildError::TooManyThreads { .. } => {
                Failure::Input(message)
            }
            _ => Failure::Internal(message),
        }
    }
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::Build(error) => error.into(),
            QueryError::RankOutOfRange { .. } => Failure::Index(in_python(&error)),
            QueryError::TooManyTotals { .. } => Failure::Memory(in_python(&error)),
            QueryError::NoSolutions => Failure::input("there are no solutions"),
            error => Failure::Input(in_python(&error)),
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

impl From<GraphError> for Failure {
    fn from(error: GraphError) -> Self {
        match error {
            GraphError::Directed => Failure::input(
                "the graph is directed, and this needs an undirected one; make it with to_undirected()",
            ),
            error => Failure::Input(in_python(&error)),
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
                Failure::Timeout(format!("the limit of {time:?} (raise timeout) was reached"))
            }
            Error::LimitReached(ManagerLimit::Bytes(bytes)) => {
                Failure::Memory(format!("the limit of {bytes} bytes (raise memory) was reached"))
            }
            Error::TooManyNodes { .. } => Failure::Memory(error.to_string()),
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
            error => Failure::File(in_python(&error)),
        }
    }
}

impl From<FormatError> for Failure {
    fn from(error: FormatError) -> Self {
        Failure::File(in_python(&error))
    }
}

/// Errors of boards: errors of a sweep are its own.
macro_rules! of_boards {
    ($($error:ident)*) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                match error {
                    $error::Build(error) => error.into(),
                    error => Failure::input(error),
                }
            }
        }
    )*};
}

of_boards!(QueensError PiecesError KnightsError);
