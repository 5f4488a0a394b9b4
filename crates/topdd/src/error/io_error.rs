//! Failures of the system, with the file and the operation.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
