//! The processes of a cluster, by rank.

use std::sync::Arc;
use topdd::{BuildError, ProcessFault};

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

    /// The error for the failure of a process.
    pub(crate) fn error(&self, failure: Failure) -> BuildError {
        let Failure { rank, fault, message } = failure;
        BuildError::Process { process: rank, address: self.addresses[rank].clone(), fault, message }
    }
}

/// The failure of a process.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    /// The rank of the process.
    pub(crate) rank: usize,
    pub(crate) fault: ProcessFault,
    /// The reason, a sentence without its subject.
    pub(crate) message: String,
}

impl Failure {
    /// The failure of a process that ended early or has no connection.
    pub(crate) fn lost(rank: usize, message: impl Into<String>) -> Self {
        Failure { rank, fault: ProcessFault::Lost, message: message.into() }
    }
}
