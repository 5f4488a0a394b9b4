//! Sweeps over several processes.
//!
//! The hash of a state selects the process that stores it. The processes expand a level together:
//! each expands its states batch by batch, and sends the records of other processes' states to
//! them, encoded as in a spilled run. A level is complete when all processes have expanded it and
//! all its records are merged; the processes then agree on the next one. So the sweep of a process
//! is that of [`sweep`](super::sweep), with its limits, spilling and checkpoints, and states that
//! arrive from outside.
//!
//! [`Mesh`] is the connection to the other processes. It is implemented in the crate
//! `topdd-cluster`. This module is not covered by semantic versioning.

use super::bound::UpperBound;
use super::checkpoint::{finished_levels, is_width};
use super::disk::{Choice, Difference, Identity, Manifest};
use super::level::Level;
use super::merge::{LevelRecords, OutboxRecords, merge};
use super::monitor::{Monitor, Sharing};
use super::outbox::RecordLists;
use super::payload::{Combiner, Ones};
use super::report::LevelReport;
use super::sweep::{Sweep, Widening, expected_states};
use super::workers::for_all;
use crate::BuildError;
use crate::Portable;
use crate::hash::Map;
use crate::spec::Rule;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The connection of a process to the others of its cluster.
///
/// Time is a sequence of levels, each of one or more batches. A message belongs to the batch in
/// which it was sent.
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

    /// Begins the next level.
    fn end_level(&mut self);

    /// Takes the messages of the current level that have arrived. Waits up to `wait` for the first
    /// one, or for a change of [`Received::batches`].
    ///
    /// # Errors
    ///
    /// Fails if another process failed, or the connection to it was lost.
    fn receive(&mut self, wait: Duration) -> Result<Received, BuildError>;

    /// Size in bytes of the messages that are stored or not yet delivered.
    fn bytes(&self) -> usize;

    /// Reports a failure of this process to the others. Their next calls fail.
    fn fail(&mut self, message: &str);
}

/// The messages that a process received.
#[derive(Debug, Default)]
pub struct Received {
    /// The messages. Those of one process are in order.
    pub messages: Vec<Vec<u8>>,
    /// The number of batches of the current level that all processes have ended, and whose messages
    /// were all returned.
    pub batches: u64,
}

/// The position of a process among all: a state belongs to one of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Owner {
    /// The index of this process.
    pub(super) process: usize,
    pub(super) processes: usize,
}

impl Owner {
    /// A sweep of one process.
    pub(super) const ALONE: Owner = Owner { process: 0, processes: 1 };
}

/// The batches of a level that a process may be ahead of the slowest one. It bounds the bytes in
/// flight.
const WINDOW: u64 = 2;
/// The wait for messages between two checks of limits and cancellation.
const WAIT: Duration = Duration::from_millis(50);

/// The first byte of a message.
mod kind {
    /// Records of one level.
    pub(super) const RECORDS: u8 = 0;
    /// The end of the level at its sender, with the number of its batches.
    pub(super) const END: u8 = 1;
    /// A contribution to [`Peers::gather`](super::Peers::gather).
    pub(super) const SHARED: u8 = 2;
}

/// The records of an outbox for the other processes.
#[derive(Default)]
pub(super) struct RemoteRecords {
    /// The indices in `lists`, by destination variable and process.
    indices: Map<(usize, usize), usize>,
    lists: Vec<EncodedRecords>,
}

/// The encoded records of an outbox for one level in one process.
pub(super) struct EncodedRecords {
    to: usize,
    process: usize,
    count: usize,
    states: Vec<u8>,
    words: Vec<u64>,
    /// As [`OutboxRecords::bound`].
    bound: f64,
}

impl RemoteRecords {
    pub(super) fn clear(&mut self) {
        self.indices.clear();
        self.lists.clear();
    }

    /// Adds a record for a level in a process. `write` appends the encoded state.
    pub(super) fn push(
        &mut self,
        (to, process): (usize, usize),
        (words, magnitude): (&[u64], f64),
        write: impl FnOnce(&mut Vec<u8>),
    ) {
        let lists = &mut self.lists;
        let index = *self.indices.entry((to, process)).or_insert_with(|| {
            let (states, words) = (Vec::new(), Vec::new());
            lists.push(EncodedRecords { to, process, count: 0, states, words, bound: 0.0 });
            lists.len() - 1
        });
        let list = &mut lists[index];
        list.count += 1;
        write(&mut list.states);
        list.words.extend_from_slice(words);
        list.bound += magnitude;
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let list = |of: &EncodedRecords| of.states.capacity() + of.words.capacity() * 8;
        self.lists.iter().map(list).sum()
    }
}

/// The header of a message with records.
struct RecordsHeader {
    to: usize,
    count: usize,
    /// The number of words of a record.
    width: usize,
    /// [`UpperBound::bits`] of the sum of their numbers.
    bound: u64,
}

crate::portable!(RecordsHeader { to, count, width, bound });

/// The figures of a process after a level.
struct Status {
    /// The variable of its first pending level, or the number of variables.
    next: usize,
    states: u64,
    edges: u64,
    merged: u64,
    bytes: usize,
    disk_bytes: u64,
    /// Whether it considers a checkpoint due.
    is_due: bool,
}

crate::portable!(Status { next, states, edges, merged, bytes, disk_bytes, is_due });

/// The other processes of a sweep.
pub(super) struct Peers<'a> {
    mesh: &'a mut (dyn Mesh + 'a),
    /// Decoded records, for reuse.
    lists: Vec<Box<dyn RecordLists>>,
    /// The variable of the next level.
    pub(super) next: usize,
    /// Whether a checkpoint is due in all processes.
    pub(super) is_due: bool,
}

/// A check of limits and cancellation.
type CheckRun<'c> = &'c dyn Fn() -> Result<(), BuildError>;

impl<'a> Peers<'a> {
    pub(super) fn new(mesh: &'a mut (dyn Mesh + '_)) -> Self {
        Peers { mesh, lists: Vec::new(), next: 0, is_due: false }
    }

    pub(super) fn owner(&self) -> Owner {
        Owner { process: self.mesh.process(), processes: self.mesh.processes() }
    }

    pub(super) fn key(&self) -> &str {
        self.mesh.key()
    }

    /// Size in bytes of messages and decoded records.
    pub(super) fn bytes(&self) -> usize {
        self.mesh.bytes() + self.lists.iter().map(|lists| lists.bytes()).sum::<usize>()
    }

    fn send_to_others(&mut self, message: &[u8]) -> Result<(), BuildError> {
        let own = self.mesh.process();
        let others = (0..self.mesh.processes()).filter(|&process| process != own);
        others.into_iter().try_for_each(|process| self.mesh.send(process, message.to_vec()))
    }

    /// Exchanges a value of each process. Returns those of all, by process. Takes one level.
    pub(super) fn gather<T: Portable>(
        &mut self,
        value: T,
        check: CheckRun<'_>,
    ) -> Result<Vec<T>, BuildError> {
        let Owner { process, processes } = self.owner();
        let mut message = vec![kind::SHARED];
        process.write(&mut message);
        value.write(&mut message);
        self.send_to_others(&message)?;
        self.mesh.end_batch();
        let mut values: Vec<Option<T>> = (0..processes).map(|_| None).collect();
        values[process] = Some(value);
        while values.iter().any(Option::is_none) {
            check()?;
            for message in self.mesh.receive(WAIT)?.messages {
                let (from, value) = read_shared(&message).ok_or_else(|| self.confused())?;
                *values.get_mut(from).ok_or_else(|| self.confused())? = Some(value);
            }
        }
        self.mesh.end_level();
        Ok(values.into_iter().flatten().collect())
    }

    /// The error for a message that no process of this version sends.
    fn confused(&self) -> BuildError {
        let process = self.mesh.process();
        BuildError::Process {
            process,
            address: self.mesh.address(process).to_owned(),
            message: "received a message that it cannot read".to_owned(),
        }
    }

    /// The directory of this process for checkpoints in `dir`. Creates it if it does not exist.
    pub(super) fn directory(&self, dir: &Path) -> Result<PathBuf, BuildError> {
        let Owner { process, processes } = self.owner();
        let dir = dir.join(format!("topdd-process-{process}-of-{processes}"));
        std::fs::create_dir_all(&dir).map_err(BuildError::io("create the directory", &dir))?;
        Ok(dir)
    }

    /// Chooses the checkpoint to resume: the last level that the committed or the prepared
    /// checkpoint of each process contains. All processes have prepared a checkpoint before one
    /// commits it, so there is such a level unless the files of a process are gone.
    pub(super) fn choose(
        &mut self,
        found: [Option<&Manifest>; 2],
        check: CheckRun<'_>,
    ) -> Result<Choice, BuildError> {
        let own = found.map(|manifest| manifest.and_then(finished_levels));
        let all = self.gather(own.to_vec(), check)?;
        let common = own.into_iter().flatten();
        let common = common.filter(|&level| all.iter().all(|of| of.contains(&Some(level)))).max();
        Ok(match common {
            None => Choice::Neither,
            // If both have this level, both are of this run, and the files of the prepared one are
            // at least as new.
            Some(level) if own[1] == Some(level) => Choice::Prepared,
            Some(_) => Choice::Committed,
        })
    }

    /// Compares the identity of a run with those of the other processes.
    ///
    /// # Errors
    ///
    /// Fails in all processes if two identities differ.
    pub(super) fn compare(
        &mut self,
        identity: &Identity,
        check: CheckRun<'_>,
    ) -> Result<(), BuildError> {
        let all = self.gather(identity.clone(), check)?;
        let own = self.mesh.process();
        let mut differences = all.iter().enumerate();
        let difference =
            differences.find_map(|(process, other)| Some((process, other.difference(&all[own])?)));
        let Some((process, Difference { what, found, expected })) = difference else {
            return Ok(());
        };
        // All processes have found a difference. Each of them reports its own, and not that another
        // one has failed: an error here is of less interest.
        let _ = self.gather((), check);
        let address = self.mesh.address(process).to_owned();
        let message = format!(
            "runs something else: its {what} is {found}, and that of process {own} is {expected}"
        );
        Err(BuildError::Process { process, address, message })
    }
}

/// Reads a message of [`Peers::gather`]: the index of its sender, and the value.
fn read_shared<T: Portable>(message: &[u8]) -> Option<(usize, T)> {
    let (&kind::SHARED, mut rest) = message.split_first()? else { return None };
    Portable::read(&mut rest)
}

/// Received records, with the level that they belong to.
struct ReceivedRecords {
    header: RecordsHeader,
    message: Vec<u8>,
    /// The position of the records in the message.
    start: usize,
}

impl ReceivedRecords {
    fn read(message: Vec<u8>) -> Option<Self> {
        let mut rest = message.get(1..)?;
        let header = RecordsHeader::read(&mut rest)?;
        let start = message.len() - rest.len();
        Some(ReceivedRecords { header, message, start })
    }

    fn bound(&self) -> UpperBound {
        UpperBound { bits: f64::from_bits(self.header.bound) }
    }
}

impl<'a> Sweep<'a> {
    /// Sends the records of a batch for other processes.
    pub(super) fn send_records(&mut self) -> Result<(), BuildError> {
        let (Some(peers), Some(expansion)) = (&mut self.peers, &self.expansion) else {
            return Ok(());
        };
        let (variable, payload) = (expansion.variable, self.payload);
        let limbs = payload.limbs(variable, expansion.level.width);
        for outbox in &mut self.outboxes {
            for records in outbox.output.remote.lists.drain(..) {
                let EncodedRecords { to, process, count, states, words, bound } = records;
                let mut bound = UpperBound::new(bound, limbs);
                if self.rule == Rule::AnyValue {
                    bound =
                        bound.shifted(self.arities.log2_product(variable + 1..to) * (1.0 + 1e-7));
                }
                let (width, bound) = (words.len() / count, bound.bits.to_bits());
                let header = RecordsHeader { to, count, width, bound };
                let mut message = Vec::with_capacity(64 + states.len() + 8 * words.len());
                message.push(kind::RECORDS);
                header.write(&mut message);
                message.extend_from_slice(&states);
                for word in words {
                    message.extend_from_slice(&word.to_le_bytes());
                }
                peers.mesh.send(process, message)?;
            }
            outbox.output.remote.clear();
        }
        Ok(())
    }

    /// Expands the level together with the other processes.
    pub(super) fn expand_with_peers(
        &mut self,
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        let processes = self.owner().processes;
        // The batches that this process has ended, and the numbers of those of the processes that
        // have ended the level.
        let mut ended = 0;
        let mut ends: Vec<u64> = Vec::with_capacity(processes);
        let mut sent_end = false;
        loop {
            if self.expansion.as_ref().is_some_and(|expansion| !expansion.is_expanded()) {
                self.batch(monitor)?;
            } else if !sent_end {
                let mut message = vec![kind::END];
                ended.write(&mut message);
                self.peers().send_to_others(&message)?;
                ends.push(ended);
                sent_end = true;
            }
            self.peers().mesh.end_batch();
            ended += 1;
            // All processes end as many batches as the one with the most, so that each of them may
            // wait for all.
            loop {
                let received = self.peers().mesh.receive(WAIT)?;
                let batches = received.batches;
                self.take_messages(received.messages, &mut ends, monitor)?;
                let last = ends.iter().max().filter(|_| ends.len() == processes);
                if last.is_some_and(|&last| batches > last) {
                    self.peers().mesh.end_level();
                    return Ok(());
                }
                let needed = last.is_none_or(|&last| ended <= last);
                if needed && ended < batches + WINDOW {
                    break;
                }
                let variable = self.expansion.as_ref().map(|expansion| expansion.variable);
                monitor.watch.check(variable)?;
            }
        }
    }

    /// Merges received records, and notes the ends of the level in other processes.
    fn take_messages(
        &mut self,
        messages: Vec<Vec<u8>>,
        ends: &mut Vec<u64>,
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        let mut records: BTreeMap<usize, Vec<ReceivedRecords>> = BTreeMap::new();
        for message in messages {
            match message.first() {
                Some(&kind::END) => {
                    let end = Portable::read(&mut &message[1..]);
                    ends.push(end.ok_or_else(|| self.peers().confused())?);
                }
                Some(&kind::RECORDS) => {
                    let received = ReceivedRecords::read(message);
                    let received = received.filter(|of| self.may_receive(&of.header));
                    let received = received.ok_or_else(|| self.peers().confused())?;
                    records.entry(received.header.to).or_default().push(received);
                }
                _ => return Err(self.peers().confused()),
            }
        }
        if records.is_empty() {
            return Ok(());
        }
        self.merge_received(records, monitor)?;
        self.spill_until_fits(monitor)?;
        let variable = self.expansion.as_ref().map(|expansion| expansion.variable);
        monitor.check_size(variable, self.bytes(), self.distinct_states())
    }

    /// Whether records with this header may belong to the level being expanded.
    fn may_receive(&self, header: &RecordsHeader) -> bool {
        let &RecordsHeader { to, count, width, bound, .. } = header;
        let bits = f64::from_bits(bound);
        let variable = self.expansion.as_ref().map_or(0, |expansion| expansion.variable);
        to > variable
            && to < self.arities.num_vars()
            && count > 0
            && is_width(self.payload, self.payload.lanes(to), width)
            && bits < f64::INFINITY
    }

    /// Merges records from other processes into their levels.
    fn merge_received(
        &mut self,
        records: BTreeMap<usize, Vec<ReceivedRecords>>,
        monitor: &Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        let expansion = self.expansion.as_mut().expect("a level is being expanded");
        let (variable, states, payload) = (expansion.variable, expansion.states, self.payload);
        let watch = &monitor.watch;
        let check = || watch.check(Some(variable));
        let count: usize = records.values().flatten().map(|of| of.header.count).sum();
        let shared = monitor.workers.shares(2 * count);
        let sharing = Sharing { check: &check, workers: shared.then_some(&monitor.workers) };
        let widening = Widening {
            storage: &self.storage,
            memory_limit: self.pool.memory_limit,
            arities: self.arities,
            payload,
        };
        let mut levels: Vec<(usize, Box<Level>)> = Vec::new();
        let mut sources: Vec<(usize, ReceivedRecords)> = Vec::new();
        for (to, records) in records {
            let level = self.pending.take(to);
            let mut level = level.unwrap_or_else(|| {
                let width = payload.width(to, payload.limbs(to, records[0].header.width));
                let expected = expected_states(to, states, &self.pending);
                Box::new(self.pool.level(expected, width))
            });
            for records in records {
                widening.expect_bound(&mut level, to, records.bound(), sharing)?;
                sources.push((level.partitions.len(), records));
            }
            levels.push((to, level));
        }
        let peers = self.peers.as_mut().expect("records arrive from other processes");
        let expander = self.pool.expander;
        let missing = sources.len().saturating_sub(peers.lists.len());
        peers.lists.extend((0..missing).map(|_| expander.new_lists()));
        let decode =
            |_, (source, lists): (&(usize, ReceivedRecords), &mut Box<dyn RecordLists>)| {
                let (partitions, ReceivedRecords { header, message, start }) = source;
                let size = (header.count, header.width);
                expander.decode(&message[*start..], size, *partitions, &mut **lists)
            };
        let work = sources.iter().zip(&mut peers.lists);
        let decoded = for_all(sharing.workers, work.collect::<Vec<_>>(), decode);
        if decoded.contains(&None) {
            return Err(peers.confused());
        }
        let mut by_level: BTreeMap<usize, Vec<OutboxRecords<'_>>> = BTreeMap::new();
        for ((_, records), lists) in sources.iter().zip(&mut peers.lists) {
            let arrivals = by_level.entry(records.header.to).or_default();
            let lists = lists.lists().into_iter();
            arrivals.extend(lists.map(|lists| OutboxRecords { way: 0, bound: 0.0, lists }));
        }
        let work = levels.iter_mut().map(|(to, level)| LevelRecords {
            level,
            arrivals: by_level.remove(to).unwrap_or_default(),
            adjacent: None,
            combiner: Combiner::at(payload, *to),
        });
        expansion.merged += merge(false, sharing.check, work.collect(), sharing.workers)?;
        for (to, level) in levels {
            self.pending.insert(to, level);
        }
        Ok(())
    }

    /// The position of this process among all.
    pub(super) fn owner(&self) -> Owner {
        self.peers.as_ref().map_or(Owner::ALONE, Peers::owner)
    }

    fn peers(&mut self) -> &mut Peers<'a> {
        self.peers.as_mut().expect("the sweep has several processes")
    }

    /// Agrees with the other processes on the next level, and on whether to save a checkpoint.
    /// Replaces the figures of the level by the totals.
    pub(super) fn agree(
        &mut self,
        level: Option<&mut LevelReport>,
        monitor: &Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        let num_vars = self.arities.num_vars();
        let next = self.pending.keys().next().copied().unwrap_or(num_vars);
        let is_due = self.storage.is_due();
        let Some(peers) = &mut self.peers else { return Ok(()) };
        let none = (0, 0, 0, 0, 0);
        let (states, edges, merged, bytes, disk_bytes) = level.as_ref().map_or(none, |level| {
            (level.states, level.edges, level.merged, level.bytes, level.disk_bytes)
        });
        let own = Status { next, states, edges, merged, bytes, disk_bytes, is_due };
        let variable = level.as_ref().map(|level| level.variable);
        let all = peers.gather(own, &|| monitor.watch.check(variable))?;
        peers.next = all.iter().map(|of| of.next).min().unwrap_or(num_vars);
        peers.is_due = all[0].is_due;
        if let Some(level) = level {
            level.states = all.iter().map(|of| of.states).sum();
            level.edges = all.iter().map(|of| of.edges).sum();
            level.merged = all.iter().map(|of| of.merged).sum();
            level.bytes = all.iter().map(|of| of.bytes).sum();
            level.disk_bytes = all.iter().map(|of| of.disk_bytes).sum();
        }
        Ok(())
    }

    /// Combines the words of the 1-terminal of all processes.
    pub(super) fn gather_ones(&mut self, monitor: &Monitor<'_, '_>) -> Result<(), BuildError> {
        let Some(peers) = &mut self.peers else { return Ok(()) };
        let own = self.ones.words.take();
        let all = peers.gather(own, &|| monitor.watch.check(None))?;
        let num_vars = self.arities.num_vars();
        let lanes = self.payload.lanes(num_vars);
        let mut ones = Ones { decided: num_vars, words: None };
        for words in all.into_iter().flatten() {
            if !is_width(self.payload, lanes, words.len()) {
                return Err(peers.confused());
            }
            ones.add(self.payload, num_vars, &words);
        }
        self.ones = ones;
        Ok(())
    }
}
