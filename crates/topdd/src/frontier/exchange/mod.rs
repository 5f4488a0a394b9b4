//! The exchange of a sweep with the other processes of its run.
//!
//! The hash of a state selects the process that stores it. The processes expand a level together:
//! each expands its states batch by batch, and sends the records of other processes' states to
//! them, encoded as in a spill file. A level is complete when all processes have expanded it and
//! all its records are merged; the processes then agree on the next one. So the sweep of a process
//! is the sweep of the engine, with its limits, spilling and checkpoints, and states that
//! arrive from outside.
//!
//! If a process fails or is lost, the [`Mesh`](super::remote::Mesh) reports it (`topdd-cluster` detects the loss). All
//! other processes stop with [`BuildError::Process`] when they next send, receive or call `Watch::check`. They keep
//! their checkpoints, of which the next run takes the last common one.
//!
//! [`Exchange`] is the interface to the sweep. [`Alone`] does nothing; [`Peers`] exchanges over a
//! [`Mesh`](super::remote::Mesh). `arrivals` merges the received records. `parts` finds the checkpoint of
//! another number of processes, and `redistribute` resumes it.

mod arrivals;
mod parts;
mod peers;
mod redistribute;
mod sent;

pub(super) use parts::{earlier_directories, find_parts};
pub(crate) use peers::Peers;
pub(super) use redistribute::{SavedPart, restore_parts};

use super::child_records::ByPartition;
use super::disk::{Identity, Manifest};
use super::edges::EdgeStore;
use super::expansion::LevelExpansion;
use super::input::Input;
use super::monitor::Monitor;
use super::payload::{OneTerminal, Payload};
use super::rank::Rank;
use super::report::LevelReport;
use super::working_set::WorkingSet;
use crate::number::UpperBound;
use crate::{BuildError, Portable};
pub(super) use sent::SentEdges;

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
pub(super) fn saved_level(manifest: &Manifest) -> Option<CheckpointLevel> {
    let (attempt, levels) = saved_reports(manifest)?;
    Some((levels.len() as u64, attempt))
}

/// The attempt that saved a checkpoint, and the reports of the finished levels.
pub(super) fn saved_reports(manifest: &Manifest) -> Option<(u64, Vec<LevelReport>)> {
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
    fn compare(&mut self, identity: &Identity) -> Result<(), BuildError> {
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
        input: Input<'_>,
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
