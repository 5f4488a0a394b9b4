//! The processes of a cluster, by rank.

use std::sync::Arc;
use topdd::BuildError;

/// The rank of this process, and the addresses of all processes by rank.
#[derive(Clone, Debug)]
pub(crate) struct Ranks {
    pub(crate) rank: usize,
    pub(crate) addresses: Arc<[String]>,
}

impl Ranks {
    /// The number of processes.
    pub(crate) fn size(&self) -> usize {
        self.addresses.len()
    }

    /// The ranks of the other processes.
    pub(crate) fn remote(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.size()).filter(|&rank| rank != self.rank)
    }

    /// The error of the process of a rank.
    pub(crate) fn error(&self, rank: usize, message: String) -> BuildError {
        BuildError::Process { process: rank, address: self.addresses[rank].clone(), message }
    }
}
