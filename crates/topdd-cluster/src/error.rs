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
        #[source]
        error: io::Error,
    },

    /// The rank of this process has no address.
    #[error("there is no process {rank}: there are addresses of {size}, which are numbered from 0")]
    NoSuchProcess {
        /// The rank of this process.
        rank: usize,
        /// The number of addresses.
        size: usize,
    },

    /// The address of this process could not be bound.
    #[error("cannot listen at {address}, the address of this process: {error}")]
    Bind {
        /// The address.
        address: String,
        /// The error of the system.
        #[source]
        error: io::Error,
    },

    /// Another process did not appear in time.
    #[error("process {rank} ({address}) did not appear within {seconds} seconds")]
    Absent {
        /// The rank of the process.
        rank: usize,
        /// Its address.
        address: String,
        /// The time that this process waited.
        seconds: u64,
    },

    /// Another process does not fit this one.
    #[error("process {rank} ({address}) {message}")]
    Refused {
        /// The rank of the process.
        rank: usize,
        /// Its address.
        address: String,
        /// The difference, a sentence without its subject.
        message: String,
    },

    /// The threads of the connections could not be started.
    #[error("cannot start the connections: {0}")]
    Start(#[source] io::Error),
}

impl fmt::Debug for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Cluster, ClusterError, Config};
    use std::error::Error;

    #[test]
    fn errors_keep_the_error_of_the_system_as_their_source() {
        let hosts = Config::from_hosts("no such directory/hosts", 0).unwrap_err();
        // The documentation addresses of RFC 5737 belong to no machine.
        let bind = Cluster::connect(&Config::new(["192.0.2.1:4000"; 2], 0), "").unwrap_err();
        let start = ClusterError::Start(std::io::ErrorKind::Other.into());
        for error in [hosts, bind, start] {
            let source = error.source().and_then(|source| source.downcast_ref::<std::io::Error>());
            assert!(source.is_some(), "{error}");
        }
    }

    #[test]
    fn a_process_beyond_the_addresses_is_refused_without_a_host_file() {
        let error = Cluster::connect(&Config::new(["127.0.0.1:4000"], 3), "").unwrap_err();
        let expected = "there is no process 3: there are addresses of 1, which are numbered from 0";
        assert_eq!(error.to_string(), expected);
    }
}
