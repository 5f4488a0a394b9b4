//! The configuration of a process of a cluster.

use crate::ClusterError;
use std::path::Path;
use std::time::Duration;

/// The configuration of a process, as for timely dataflow: the addresses of all processes, its own
/// index, and its number of threads.
///
/// ```
/// use topdd_cluster::Config;
///
/// let config = Config::new(["10.0.0.1:4000", "10.0.0.2:4000"], 0).threads(8);
/// assert_eq!(config.processes(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Config {
    pub(crate) addresses: Vec<String>,
    pub(crate) process: usize,
    pub(crate) threads: Option<usize>,
    pub(crate) connect_wait: Duration,
}

impl Config {
    /// The process with this index. The addresses of all processes (`host:port`) must be the same
    /// in each.
    pub fn new<A: Into<String>>(addresses: impl IntoIterator<Item = A>, process: usize) -> Self {
        let addresses = addresses.into_iter().map(Into::into).collect();
        Config { addresses, process, threads: None, connect_wait: Duration::from_mins(1) }
    }

    /// The process with this index, and the addresses of a host file: one on each line. Empty lines
    /// and lines that start with `#` are ignored.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn from_hosts(path: impl AsRef<Path>, process: usize) -> Result<Self, ClusterError> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path)
            .map_err(|error| ClusterError::Hosts { path: path.display().to_string(), error })?;
        let lines = text.lines().map(str::trim);
        let addresses = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        Ok(Config::new(addresses, process))
    }

    /// Sets the number of threads of this process: 1 unless set, 0 for one for each core. Processes
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

    /// The number of processes.
    pub fn processes(&self) -> usize {
        self.addresses.len()
    }
}
