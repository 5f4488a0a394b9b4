//! The configuration of a process of a cluster, its processes by rank, and errors of connecting them.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use std::{fmt, io};
use topdd::{BuildError, ProcessFault};

/// The configuration of a process, as in timely dataflow: the addresses of all processes, the rank of this
/// process, and its number of threads. Ranks are numbered from 0.
///
/// ```
/// use topdd_cluster::Config;
///
/// let config = Config::new(["10.0.0.1:4000", "10.0.0.2:4000"], 0).threads(8);
/// assert_eq!(config.size(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Config {
    pub(crate) addresses: Vec<String>,
    pub(crate) rank: usize,
    pub(crate) threads: Option<usize>,
    pub(crate) connect_wait: Duration,
}

impl Config {
    /// Returns the configuration of the process with this rank. The addresses of all processes
    /// (`host:port`), by rank, must be the same in each process.
    pub fn new<A: Into<String>>(addresses: impl IntoIterator<Item = A>, rank: usize) -> Self {
        let addresses = addresses.into_iter().map(Into::into).collect();
        Config { addresses, rank, threads: None, connect_wait: Duration::from_mins(1) }
    }

    /// Returns the configuration of the process with this rank, with the addresses of a host file: one on
    /// each line. Empty lines and lines that start with `#` are ignored.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn from_hosts(path: impl AsRef<Path>, rank: usize) -> Result<Self, ClusterError> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path)
            .map_err(|error| ClusterError::Hosts { path: path.display().to_string(), error })?;
        let lines = text.lines().map(str::trim);
        let addresses = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        Ok(Config::new(addresses, rank))
    }

    /// Sets the number of threads of this process: 1 unless set, 0 for one thread for each core. Processes
    /// may have different numbers. [`Cluster::share`](crate::Cluster::share) keeps the number of the
    /// frontier unless this is set.
    pub fn threads(self, threads: usize) -> Self {
        Config { threads: Some(threads), ..self }
    }

    /// Sets how long [`Cluster::connect`](crate::Cluster::connect) waits for the other processes: 60
    /// seconds unless set.
    pub fn connect_wait(self, wait: Duration) -> Self {
        Config { connect_wait: wait, ..self }
    }

    /// Returns the number of processes.
    pub fn size(&self) -> usize {
        self.addresses.len()
    }
}

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

/// The rank of this process, and the addresses of all processes by rank.
#[derive(Clone, Debug)]
pub(crate) struct ProcessRanks {
    pub(crate) rank: usize,
    pub(crate) addresses: Arc<[String]>,
}

impl ProcessRanks {
    /// The number of processes.
    pub(crate) fn size(&self) -> usize {
        self.addresses.len()
    }

    /// The ranks of the other processes.
    pub(crate) fn remote(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.size()).filter(|&rank| rank != self.rank)
    }

    /// The error for the failure of a process.
    pub(crate) fn error(&self, failure: ProcessFailure) -> BuildError {
        let ProcessFailure { rank, fault, message } = failure;
        BuildError::Process { process: rank, address: self.addresses[rank].clone(), fault, message }
    }
}

/// The failure of a process.
#[derive(Clone, Debug)]
pub(crate) struct ProcessFailure {
    /// The rank of the process.
    pub(crate) rank: usize,
    pub(crate) fault: ProcessFault,
    /// The reason, a sentence without its subject.
    pub(crate) message: String,
}

impl ProcessFailure {
    /// The failure of a process that ended early or has no connection.
    pub(crate) fn lost(rank: usize, message: impl Into<String>) -> Self {
        ProcessFailure { rank, fault: ProcessFault::Lost, message: message.into() }
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
