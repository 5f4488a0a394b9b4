#![doc = include_str!("../README.md")]

mod config;
mod connect;
mod connection;
mod dataflow;
mod link;
mod shared;

use config::ProcessRanks;
use connection::MeshConnection;
use topdd::frontier::Mesh;
use topdd::{BuildError, DdSpec, Frontier, Portable, ProcessFault};

pub use config::{ClusterError, Config};
pub use shared::Shared;

/// This process and its connections to the other processes of a cluster.
///
/// All processes call [`connect`](Cluster::connect) with the same addresses, and then make the same
/// runs in the same order. Each run returns the same result in all of them.
///
/// Dropping a cluster waits until all processes have dropped theirs.
pub struct Cluster {
    /// `None` for a cluster of one process.
    connection: Option<MeshConnection>,
    threads: Option<usize>,
}

impl Cluster {
    /// Connects to the other processes. `key` names the problem.
    ///
    /// Binds the address of this process only. Waits for the other processes for the time of
    /// [`Config::connect_wait`].
    ///
    /// # Errors
    ///
    /// Fails if the address of this process cannot be bound, or if another process does not appear, has
    /// another version of topdd or another host file.
    pub fn connect(config: &Config, key: &str) -> Result<Self, ClusterError> {
        let (rank, size) = (config.rank, config.size());
        if rank >= size {
            return Err(ClusterError::NoSuchProcess { rank, size });
        }
        let streams = connect::connect(config)?;
        let ranks = ProcessRanks { rank, addresses: config.addresses.clone().into() };
        let connection = (size > 1)
            .then(|| MeshConnection::start(ranks, key.to_owned(), streams))
            .transpose()
            .map_err(ClusterError::Start)?;
        Ok(Cluster { connection, threads: config.threads })
    }

    /// Returns a run over a spec, owned or borrowed, whose states are distributed over the processes.
    ///
    /// ```
    /// use topdd_cluster::{Cluster, Config};
    ///
    /// // A cluster of one process; a larger one has an address for each process.
    /// let mut cluster = Cluster::connect(&Config::new(["127.0.0.1:4000"], 0), "pairs of 1000")?;
    /// let pairs = topdd::constraint::exactly(1000, 2);
    /// assert_eq!(cluster.over(&pairs).count()?, 499_500u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn over<'a>(&'a mut self, spec: impl DdSpec<State: Portable> + Send + 'a) -> Shared<'a> {
        self.share(Frontier::of(spec).threads(1))
    }

    /// Shares a run among the processes. It has the number of threads of the [`Config`] if that is set.
    pub fn share<'a>(&'a mut self, mut frontier: Frontier<'a>) -> Shared<'a> {
        if let Some(threads) = self.threads {
            frontier = frontier.threads(threads);
        }
        Shared::new(match &mut self.connection {
            Some(connection) => frontier.with_mesh(connection),
            None => frontier,
        })
    }

    /// Sets the name of the problem of the next runs, which all processes must set.
    pub fn set_key(&mut self, key: &str) {
        if let Some(connection) = &mut self.connection {
            connection.set_key(key);
        }
    }

    /// Waits until all processes call this.
    ///
    /// A process that [keeps its checkpoint](Shared::keep_checkpoint) calls it before it removes the
    /// checkpoint, and the process of rank 0 calls it when it has stored the diagram.
    ///
    /// # Errors
    ///
    /// Fails if another process has failed, or ends without this call.
    pub fn wait(&mut self) -> Result<(), BuildError> {
        self.connection.as_mut().map_or(Ok(()), MeshConnection::wait)
    }

    /// Reports a failure of this process outside a run, such as one to store the diagram. All later
    /// calls fail, in all processes.
    pub fn fail(&mut self, message: &str) {
        if let Some(mut connection) = self.connection.as_mut() {
            connection.fail(ProcessFault::Failed, message);
        }
    }

    /// Returns the number of bytes that this process has sent to other processes.
    pub fn bytes_sent(&self) -> u64 {
        self.connection.as_ref().map_or(0, MeshConnection::bytes_sent)
    }
}

impl std::fmt::Debug for Cluster {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cluster").field("threads", &self.threads).finish_non_exhaustive()
    }
}
