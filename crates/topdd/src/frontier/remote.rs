//! The connection of a process to the others of its run.
//!
//! [`Mesh`] is the connection to the other processes. It is implemented in the crate
//! `topdd-cluster`. This module is not covered by semantic versioning.

use crate::{BuildError, ProcessFault};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The connection of a process to the others of its cluster.
///
/// Time is a sequence of levels, each of one or more batches. A message belongs to the batch in
/// which it was sent. A process sends in a level only after it has received all messages of the last one.
pub trait Mesh: Send {
    /// The number of processes.
    fn processes(&self) -> usize;

    /// The index of this process.
    fn process(&self) -> usize;

    /// The address of a process, for messages.
    fn address(&self, process: usize) -> &str;

    /// The name of the problem, which must be equal in all processes.
    fn key(&self) -> &str;

    /// Sends a message to another process, in the current batch. It may be delivered only after
    /// the batch has ended.
    ///
    /// # Errors
    ///
    /// Fails if another process failed, or the connection to it was lost.
    fn send(&mut self, to: usize, message: Vec<u8>) -> Result<(), BuildError>;

    /// Begins the next batch.
    fn end_batch(&mut self);

    /// Ends the level for this process. It must then call [`receive`](Mesh::receive) until all
    /// processes have ended the level.
    fn end_level(&mut self);

    /// Takes the arrived messages of the first level that is not complete. Waits up to `wait` for one,
    /// or for a change of [`Received::batches`].
    ///
    /// # Errors
    ///
    /// Fails if another process failed, or the connection to it was lost.
    fn receive(&mut self, wait: Duration) -> Result<Received, BuildError>;

    /// Size in bytes of the messages that are stored or not yet delivered.
    fn bytes(&self) -> usize;

    /// The error of the first process that failed or was lost, as soon as one is.
    fn failure(&self) -> Arc<OnceLock<BuildError>>;

    /// Reports a failure of this process to the others. Their next calls fail.
    fn fail(&mut self, fault: ProcessFault, message: &str);
}

/// The messages that a process received.
#[derive(Debug, Default)]
pub struct Received {
    /// The messages, each with the index of its sender. The messages of one process are in order.
    pub messages: Vec<(usize, Vec<u8>)>,
    /// The number of batches that the slowest process has ended, among the processes that have not ended
    /// the level. The messages of the batches have been returned. `None` if all processes have ended the
    /// level: all its messages have been returned, and the next call returns messages of the next level.
    pub batches: Option<u64>,
}
