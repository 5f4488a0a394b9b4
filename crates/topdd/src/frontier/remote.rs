//! Sweeps over several processes.
//!
//! The hash of a state selects the process that stores it. The processes expand a level together:
//! each expands its states batch by batch, and sends the records of other processes' states to
//! them, encoded as in a spilled run. A level is complete when all processes have expanded it and
//! all its records are merged; the processes then agree on the next one. So the sweep of a process
//! is that of the engine, with its limits, spilling and checkpoints, and states that
//! arrive from outside.
//!
//! [`Mesh`] is the connection to the other processes. It is implemented in the crate
//! `topdd-cluster`. This module is not covered by semantic versioning.

use super::bound::UpperBound;
use super::disk::{Identity, Manifest};
use super::monitor::Watch;
use super::report::LevelReport;
use crate::BuildError;
use crate::Portable;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::ops::Range;
use std::path::{Path, PathBuf};
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
    fn fail(&mut self, message: &str);
}

/// The messages that a process received.
#[derive(Debug, Default)]
pub struct Received {
    /// The messages, each with the index of its sender. Those of one process are in order.
    pub messages: Vec<(usize, Vec<u8>)>,
    /// The number of batches that the slowest process has ended, of those that have not ended the
    /// level. The messages of these batches have been returned. `None` if all processes have ended the
    /// level: all its messages have been returned, and the next call returns those of the next level.
    pub batches: Option<u64>,
}

/// The position of a process among all: a state belongs to one of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner {
    /// The index of this process.
    pub(crate) process: usize,
    pub(crate) processes: usize,
}

impl Owner {
    /// A sweep of one process.
    pub(super) const ALONE: Owner = Owner { process: 0, processes: 1 };

    /// The high 16 bits of the hashes of the states that the process stores.
    pub(super) fn hashes(self) -> Range<usize> {
        let start = |process: usize| (process << 16).div_ceil(self.processes);
        start(self.process)..start(self.process + 1)
    }
}

/// The batches of a level that a process may be ahead of the slowest one. It bounds the bytes in
/// flight.
pub(super) const WINDOW: u64 = 2;
/// The most bytes of a message of [`Peers::exchange`].
const PIECE: usize = 1 << 20;
/// The wait for messages between two checks of limits and cancellation.
pub(super) const WAIT: Duration = Duration::from_millis(50);

/// The header of a message with records.
pub(super) struct RecordsHeader {
    pub(super) to: usize,
    pub(super) count: usize,
    /// The number of words of a record.
    pub(super) width: usize,
    /// A bound of the sum of their numbers.
    pub(super) bound: UpperBound,
}

crate::portable!(RecordsHeader { to, count, width, bound });

/// Size in bytes of an encoded header: three numbers and a bound.
pub(super) const HEADER_BYTES: usize = 4 * size_of::<u64>();

/// The other processes of a sweep.
pub(crate) struct Peers<'a> {
    pub(super) mesh: &'a mut (dyn Mesh + 'a),
    /// Checked while messages are sent and received.
    watch: Watch,
    /// The variable of the next level.
    pub(super) next: usize,
    /// The identity of this run among those with the same checkpoint. All processes agree on it.
    pub(super) attempt: u64,
    /// The most bytes of parts and messages since [`Peers::take_peak`].
    peak: usize,
}

impl<'a> Peers<'a> {
    pub(crate) fn new(mesh: &'a mut (dyn Mesh + '_), watch: Watch) -> Self {
        Peers { mesh, watch, next: 0, attempt: 0, peak: 0 }
    }

    pub(crate) fn owner(&self) -> Owner {
        Owner { process: self.mesh.process(), processes: self.mesh.processes() }
    }

    /// The most bytes of the parts and messages of [`exchange`](Peers::exchange) since the last call.
    pub(crate) fn take_peak(&mut self) -> usize {
        std::mem::take(&mut self.peak)
    }

    fn note_parts(&mut self, bytes: usize) {
        self.peak = self.peak.max(bytes + self.mesh.bytes());
    }

    /// Sends a value to all processes. Returns those of all, by process. Takes one level.
    pub(crate) fn gather<T: Portable>(&mut self, value: &T) -> Result<Vec<T>, BuildError> {
        let mut part = Vec::new();
        value.write(&mut part);
        let parts = self.exchange(vec![part; self.mesh.processes()])?;
        let values = parts.iter().map(|part| {
            let mut rest = &part[..];
            T::read(&mut rest).filter(|_| rest.is_empty())
        });
        values.collect::<Option<_>>().ok_or_else(|| self.confused())
    }

    /// Sends a part of some data to each process, `parts[i]` to process `i`. Returns the parts that
    /// this process receives, by their senders. Takes one level.
    pub(crate) fn exchange(&mut self, mut parts: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, BuildError> {
        let Owner { process, processes } = self.owner();
        let mut received = vec![Vec::new(); processes];
        received[process] = std::mem::take(&mut parts[process]);
        let mut held: usize = received[process].len() + parts.iter().map(Vec::len).sum::<usize>();
        for (to, part) in parts.into_iter().enumerate().filter(|&(to, _)| to != process) {
            for piece in part.chunks(PIECE) {
                self.watch.check(None)?;
                self.mesh.send(to, piece.to_vec())?;
            }
            self.note_parts(held);
            held -= part.len();
        }
        self.mesh.end_level();
        loop {
            self.watch.check(None)?;
            let Received { messages, batches } = self.mesh.receive(WAIT)?;
            for (from, piece) in messages {
                self.note_parts(held + piece.len());
                received[from].extend_from_slice(&piece);
                held += piece.len();
            }
            if batches.is_none() {
                return Ok(received);
            }
        }
    }

    /// The error for a message that no process of this version sends.
    pub(crate) fn confused(&self) -> BuildError {
        let process = self.mesh.process();
        BuildError::Process {
            process,
            address: self.mesh.address(process).to_owned(),
            message: "received a message that it cannot read".to_owned(),
        }
    }

    /// Chooses the checkpoint to resume: the last one that is the committed or the prepared one of
    /// each process. All processes have prepared a checkpoint before one commits it, so there is
    /// such a checkpoint unless the files of a process are gone.
    pub(super) fn choose(
        &mut self,
        found: &[Option<Manifest>; 2],
    ) -> Result<Option<usize>, BuildError> {
        let own = found.each_ref().map(|of| of.as_ref().and_then(saved_level));
        let all = self.gather(&own.into_iter().flatten().collect::<Vec<_>>())?;
        Ok(last_common(&all).and_then(|last| own.iter().position(|&of| of == Some(last))))
    }

    /// Compares the identity of a run with those of the other processes, and agrees on an
    /// [`attempt`](Peers::attempt).
    ///
    /// # Errors
    ///
    /// Fails in all processes if two identities differ.
    pub(super) fn compare(&mut self, identity: &Identity) -> Result<(), BuildError> {
        let attempt = RandomState::new().build_hasher().finish();
        let (all, attempts): (Vec<Identity>, Vec<u64>) =
            self.gather(&(identity.clone(), attempt))?.into_iter().unzip();
        self.attempt = attempts[0];
        let own = self.mesh.process();
        let mut differences = all.iter().enumerate();
        let difference =
            differences.find_map(|(process, other)| Some((process, other.difference(&all[own])?)));
        let Some((process, (what, found, expected))) = difference else {
            return Ok(());
        };
        // All processes have found a difference. Each of them reports its own, and not that another
        // one has failed: an error here is of less interest.
        let _ = self.gather(&());
        let address = self.mesh.address(process).to_owned();
        let message = format!(
            "runs something else: its {what} is {found}, and that of process {own} is {expected}"
        );
        Err(BuildError::Process { process, address, message })
    }
}

/// The directory for the checkpoints of a process: a subdirectory of `dir`, or `dir` itself if there is
/// only one process.
pub(super) fn process_directory(dir: &Path, Owner { process, processes }: Owner) -> PathBuf {
    match processes {
        1 => dir.to_owned(),
        _ => dir.join(format!("topdd-process-{process}-of-{processes}")),
    }
}

/// The process whose directory of checkpoints has this name, if it is one of several.
pub(super) fn process_of(name: &str) -> Option<Owner> {
    let (process, processes) = name.strip_prefix("topdd-process-")?.split_once("-of-")?;
    let owner = Owner { process: process.parse().ok()?, processes: processes.parse().ok()? };
    (owner.processes > 1).then_some(owner)
}

/// The number of finished levels in a checkpoint, and the [`attempt`](Peers::attempt) that saved it.
///
/// The order of the records from other processes differs between attempts, and with it the order of
/// states and edges. So checkpoints of one level fit to each other only if one attempt saved them.
pub(super) type SavedLevel = (u64, u64);

pub(super) fn saved_level(manifest: &Manifest) -> Option<SavedLevel> {
    let (attempt, levels) = saved_reports(manifest)?;
    Some((levels.len() as u64, attempt))
}

/// The attempt that saved a checkpoint, and the reports of the finished levels.
pub(super) fn saved_reports(manifest: &Manifest) -> Option<(u64, Vec<LevelReport>)> {
    let (attempt, (_, levels)): (u64, (usize, _)) = Portable::read(&mut &manifest.sweep[..])?;
    Some((attempt, levels))
}

/// The greatest of the values that all lists contain.
pub(super) fn last_common<T: Copy + Ord>(lists: &[Vec<T>]) -> Option<T> {
    let common = lists[0].iter().filter(|value| lists.iter().all(|of| of.contains(value)));
    common.max().copied()
}
