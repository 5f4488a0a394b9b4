//! The exchange of a sweep with the other processes of its run.
//!
//! The hash of a state selects the process that stores it. The processes expand a level together:
//! each expands its states batch by batch, and sends the records of other processes' states to
//! them, encoded as in a spill file. A level is complete when all processes have expanded it and
//! all its records are merged; the processes then agree on the next one. So the sweep of a process
//! is the sweep of the engine, with its limits, spilling and checkpoints, and states that
//! arrive from outside.
//!
//! If a process fails or is lost, the [`Mesh`] reports it (`topdd-cluster` detects the loss). All
//! other processes stop with [`BuildError::Process`] when they next send, receive or call `Watch::check`. They keep
//! their checkpoints, of which the next run takes the last common one.
//!
//! [`Exchange`] is the interface to the sweep. [`Alone`] does nothing; [`Peers`] exchanges over a
//! [`Mesh`]. `peers` merges the received records. `redistribute` finds and resumes
//! the checkpoint of another number of processes.

mod peers;
mod redistribute;

use super::child_records::ByPartition;
use super::disk::{Manifest, RunIdentity};
use super::edges::EdgeStore;
use super::expander::SweepInput;
use super::expansion::LevelExpansion;
use super::memory::WorkingSet;
use super::monitor::Monitor;
use super::payload::{OneTerminal, Payload};
use super::report::LevelReport;
use super::states::Rank;
use super::unreduced::ForcedChain;
use crate::error::SizeLimit;
use crate::number::UpperBound;
use crate::{BuildError, Portable, ProcessFault};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

pub(crate) use peers::Peers;

pub(super) use redistribute::{SavedPart, earlier_directories, find_parts, restore_parts};

/// The records of a batch for states of other processes, at one level.
pub(super) struct RemoteRecords<'a> {
    /// The variable of the level.
    pub(super) to: usize,
    /// The records by rank.
    pub(super) by_rank: ByPartition<'a>,
    /// A bound of the sum of their numbers.
    pub(super) bound: UpperBound,
}

/// The level in progress of a sweep, into whose successors arriving records are merged, with the data and
/// the limits of the sweep.
pub(super) struct CurrentLevel<'l, 's, 'm, 'c> {
    pub(super) level: &'l mut LevelExpansion,
    pub(super) set: &'l mut WorkingSet<'s>,
    pub(super) monitor: &'l mut Monitor<'m, 'c>,
}

/// The agreement of all processes after a level.
pub(super) struct Agreement {
    /// The variable of the next level; the number of variables if there is none.
    pub(super) next: usize,
    /// Whether to save a checkpoint. `None` if each process decides alone.
    pub(super) saves: Option<bool>,
}

/// The number of finished levels in a checkpoint, and the [attempt](Exchange::attempt) that saved it.
///
/// The order of the records from other processes differs between attempts, and with it the order of
/// states and edges. So checkpoints of one level fit to each other only if one attempt saved them.
pub(super) type CheckpointLevel = (u64, u64);

/// The level that a manifest contains.
fn saved_level(manifest: &Manifest) -> Option<CheckpointLevel> {
    let (attempt, levels) = saved_reports(manifest)?;
    Some((levels.len() as u64, attempt))
}

/// The attempt that saved a checkpoint, and the reports of the finished levels.
fn saved_reports(manifest: &Manifest) -> Option<(u64, Vec<LevelReport>)> {
    let (attempt, (_, levels)): (u64, (usize, _)) = Portable::read(&mut &manifest.sweep[..])?;
    Some((attempt, levels))
}

/// The greatest of the values that all lists contain.
fn last_common<T: Copy + Ord>(lists: &[Vec<T>]) -> Option<T> {
    let common = lists[0].iter().filter(|value| lists.iter().all(|of| of.contains(value)));
    common.max().copied()
}

/// The other processes of a sweep. The provided methods serve a process that is alone.
pub(super) trait Exchange: Send {
    /// The rank of this process.
    fn rank(&self) -> Rank {
        Rank::ALONE
    }

    /// The identity of this run among the runs with the same checkpoint. All processes agree on it.
    fn attempt(&self) -> u64 {
        0
    }

    /// Size in bytes of the messages, and of the memory for received records.
    fn bytes(&self) -> usize {
        0
    }

    /// Fails in all processes if the identities of two of them differ.
    fn compare(&mut self, identity: &RunIdentity) -> Result<(), BuildError> {
        let _ = identity;
        Ok(())
    }

    /// Chooses the checkpoint to resume: the committed one of a process (0), or the prepared one (1).
    fn choose(&mut self, found: &[Option<Manifest>; 2]) -> Result<Option<usize>, BuildError> {
        let _ = found;
        Ok(Some(0))
    }

    /// The furthest level that all processes find in the checkpoints of other numbers of processes, and
    /// the number of the processes that saved it.
    fn furthest_common(
        &mut self,
        found: Vec<(CheckpointLevel, usize)>,
    ) -> Result<Option<(CheckpointLevel, usize)>, BuildError> {
        Ok(last_common(&[found]))
    }

    /// Waits until all processes have called this.
    fn barrier(&mut self) -> Result<(), BuildError> {
        Ok(())
    }

    /// Begins a level: edges are sent to later ones only.
    fn begin_level(&mut self, variable: usize) {
        let _ = variable;
    }

    /// Sends records of a batch to the processes that store their states. Returns the index in
    /// [`UnreducedLevel::long`](super::unreduced::UnreducedLevel::long) of their edges, if edges are stored.
    fn send(
        &mut self,
        records: RemoteRecords<'_>,
        input: SweepInput<'_>,
        edges: &mut EdgeStore,
    ) -> Result<Option<u32>, BuildError> {
        let _ = (records, input, edges);
        unreachable!("the states of a process that is alone stay there")
    }

    /// Ends a batch, and merges the records that have arrived. Waits while the other processes are far
    /// behind.
    fn end_batch(&mut self, current: CurrentLevel<'_, '_, '_, '_>) -> Result<(), BuildError> {
        let _ = current;
        Ok(())
    }

    /// Ends the expansion of a level, and merges records until all processes have ended it.
    fn end_level(&mut self, current: CurrentLevel<'_, '_, '_, '_>) -> Result<(), BuildError> {
        let _ = current;
        Ok(())
    }

    /// Agrees on the level after `level`. `next` is the first variable that has states in this process, or
    /// the number of variables. Replaces the figures of the level by the totals.
    fn agree(
        &mut self,
        next: usize,
        is_due: bool,
        level: Option<&mut LevelReport>,
    ) -> Result<Agreement, BuildError> {
        let _ = (is_due, level);
        Ok(Agreement { next, saves: None })
    }

    /// Combines the words of the 1-terminal of all processes.
    fn combine(
        &mut self,
        ones: OneTerminal,
        payload: &dyn Payload,
        num_vars: usize,
    ) -> Result<OneTerminal, BuildError> {
        let _ = (payload, num_vars);
        Ok(ones)
    }

    /// The edges that were sent to other processes. `None` if there are no others.
    fn sent(&mut self) -> Option<&mut SentEdges> {
        None
    }
}

/// The exchange of a process that is alone.
pub(super) struct Alone;

impl Exchange for Alone {}

const SENT_LIMIT: SizeLimit = SizeLimit {
    what: "a level",
    unit: "edges from one process to another",
    limit: u32::MAX as u64,
};

/// For each later variable, the number of edges that were sent to each process.
#[derive(Debug, Default)]
pub(super) struct SentEdges(BTreeMap<usize, Vec<u32>>);

impl Portable for SentEdges {
    fn write(&self, out: &mut Vec<u8>) {
        let sent: Vec<_> = self.0.iter().map(|(to, sent)| (*to, sent.clone())).collect();
        sent.write(out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let sent = Vec::<(usize, Vec<u32>)>::read(bytes)?;
        Some(SentEdges(sent.into_iter().collect()))
    }
}

impl SentEdges {
    /// Forgets the edges to variables up to this one.
    fn forget_up_to(&mut self, variable: usize) {
        self.0 = self.0.split_off(&(variable + 1));
    }

    /// Adds all edges of another list.
    fn append(&mut self, other: &mut SentEdges) {
        self.0.append(&mut other.0);
    }

    /// Counts edges from the last level to states of a process at `to`. Returns the index
    /// in [`UnreducedLevel::long`](crate::frontier::unreduced::UnreducedLevel::long) of such edges.
    fn note(
        &mut self,
        to: usize,
        Rank { rank, size }: Rank,
        count: usize,
        edges: &mut EdgeStore,
    ) -> Result<u32, BuildError> {
        let sent = self.0.entry(to).or_insert_with(|| vec![0; size]);
        let starts = || sent.clone().into_boxed_slice();
        let entry = edges.entry(to, ForcedChain::BETWEEN_PROCESSES, starts)?;
        let total = u64::from(sent[rank]) + count as u64;
        SENT_LIMIT.check(total)?;
        sent[rank] = total as u32;
        Ok(entry)
    }
}

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
