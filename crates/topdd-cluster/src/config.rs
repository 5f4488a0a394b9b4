//! The configuration of a process of a cluster.

use crate::ClusterError;
use std::path::Path;
use std::time::Duration;

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
