//! Errors of connecting a cluster.

use std::fmt;
use std::io;

/// The reason why a process could not join its cluster. `Debug` writes the same as `Display`, for an
/// error that `main` returns.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// A host file could not be read.
    #[error("cannot read the host file {path}: {error}")]
    Hosts {
        /// The path of the file.
        path: String,
        /// The error of the system.
        error: io::Error,
    },

    /// The index of this process is not one of the addresses.
    #[error(
        "there is no process {process}: the host file names {processes} (0 to {})",
        processes.saturating_sub(1)
    )]
    NoSuchProcess {
        /// The index of this process.
        process: usize,
        /// The number of addresses.
        processes: usize,
    },

    /// The own address could not be bound.
    #[error("cannot listen at {address}, the address of this process: {error}")]
    Bind {
        /// The address.
        address: String,
        /// The error of the system.
        error: io::Error,
    },

    /// Another process did not appear in time.
    #[error("process {process} ({address}) did not appear within {seconds} seconds")]
    Absent {
        /// The index of the process.
        process: usize,
        /// Its address.
        address: String,
        /// The time that this process waited.
        seconds: u64,
    },

    /// Another process does not fit this one.
    #[error("process {process} ({address}) {message}")]
    Refused {
        /// The index of the process.
        process: usize,
        /// Its address.
        address: String,
        /// The difference, a sentence without its subject.
        message: String,
    },

    /// The threads of the connections could not be started.
    #[error("cannot start the connections: {0}")]
    Start(io::Error),
}

impl fmt::Debug for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
