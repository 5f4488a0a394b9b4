//! The exchange over a mesh of several processes.

use super::{
    Agreement, CheckpointLevel, CurrentLevel, Exchange, Mesh, Received, RemoteRecords, SentEdges,
    last_common, saved_level,
};
use crate::frontier::child_records::RecordLists;
use crate::frontier::disk::{IdentityDifference, Manifest, RunIdentity};
use crate::frontier::edges::EdgeStore;
use crate::frontier::expander::SweepInput;
use crate::frontier::level::expected_states;
use crate::frontier::memory::WorkingSet;
use crate::frontier::merge::{LevelRecords, merge};
use crate::frontier::monitor::{Monitor, Sharing, Watch};
use crate::frontier::payload::{OneTerminal, Payload, is_width};
use crate::frontier::report::LevelReport;
use crate::frontier::states::{EncodedRecords, Rank, RouteHash};
use crate::frontier::unreduced::ForcedChain;
use crate::frontier::workers::for_all;
use crate::number::UpperBound;
use crate::{BuildError, Portable, ProcessFault};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// The batches of a level that a process may be ahead of the slowest one. It bounds the bytes in
/// flight.
const WINDOW: u64 = 2;
/// The maximum size in bytes of a message of [`Peers::exchange`].
const PIECE: usize = 1 << 20;
/// The wait for messages between two checks of limits and cancellation.
const WAIT: Duration = Duration::from_millis(50);

/// The other processes of a run.
pub(crate) struct Peers<'a> {
    mesh: &'a mut (dyn Mesh + 'a),
    /// Checked while messages are sent and received.
    watch: Watch,
    attempt: u64,
    /// The maximum size in bytes of parts and messages since [`Peers::take_peak`].
    peak: usize,
    /// The batches of the level that have ended here.
    batches: u64,
    arrivals: RecordMerger,
    sent: SentEdges,
}

impl<'a> Peers<'a> {
    pub(crate) fn new(mesh: &'a mut (dyn Mesh + '_), watch: Watch) -> Self {
        let arrivals = RecordMerger::new(Rank { rank: mesh.process(), size: mesh.processes() });
        let sent = SentEdges::default();
        Peers { mesh, watch, attempt: 0, peak: 0, batches: 0, arrivals, sent }
    }

    pub(crate) fn rank(&self) -> Rank {
        self.arrivals.rank
    }

    /// The maximum size in bytes of the parts and messages of [`exchange`](Peers::exchange) since the last
    /// call.
    pub(crate) fn take_peak(&mut self) -> usize {
        std::mem::take(&mut self.peak)
    }

    fn note_parts(&mut self, bytes: usize) {
        self.peak = self.peak.max(bytes + self.mesh.bytes());
    }

    /// Sends a value to all processes. Returns the values of all, by rank. Takes one level.
    pub(crate) fn gather<T: Portable>(&mut self, value: &T) -> Result<Vec<T>, BuildError> {
        let mut part = Vec::new();
        value.write(&mut part);
        let parts = self.exchange(vec![part; self.rank().size])?;
        let values = parts.iter().map(|part| {
            let mut rest = &part[..];
            T::read(&mut rest).filter(|_| rest.is_empty())
        });
        values.collect::<Option<_>>().ok_or_else(|| self.unreadable())
    }

    /// Sends a part of some data to each process, `parts[i]` to rank `i`. Returns the parts that
    /// this process receives, by their senders. Takes one level.
    pub(crate) fn exchange(&mut self, mut parts: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, BuildError> {
        let Rank { rank, size } = self.rank();
        let mut received = vec![Vec::new(); size];
        received[rank] = std::mem::take(&mut parts[rank]);
        let mut held: usize = received[rank].len() + parts.iter().map(Vec::len).sum::<usize>();
        for (to, part) in parts.into_iter().enumerate().filter(|&(to, _)| to != rank) {
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
    pub(crate) fn unreadable(&self) -> BuildError {
        let process = self.rank().rank;
        BuildError::Process {
            process,
            address: self.mesh.address(process).to_owned(),
            fault: ProcessFault::Unreadable,
            message: "received a message that it cannot read".to_owned(),
        }
    }

    /// The name of the run and of its checkpoint, for [`compare`](Exchange::compare).
    pub(crate) fn key(&self, checkpoint: Option<&String>) -> String {
        format!("{} (checkpoint: {checkpoint:?})", self.mesh.key())
    }

    /// Waits for records, and merges them. Returns [`Received::batches`].
    fn receive(
        &mut self,
        current: &mut CurrentLevel<'_, '_, '_, '_>,
    ) -> Result<Option<u64>, BuildError> {
        let CurrentLevel { level, set, monitor } = current;
        monitor.watch.check(None)?;
        let Received { messages, batches } = self.mesh.receive(WAIT)?;
        if messages.is_empty() {
            return Ok(batches);
        }
        let (variable, input) = (level.variable, set.input);
        let is_valid = |&RecordsHeader { to, count, width, .. }: &RecordsHeader| {
            to > variable
                && to < input.arities.num_vars()
                && count > 0
                && is_width(input.payload, to, width)
        };
        let mut arrivals: BTreeMap<usize, Vec<Arrival>> = BTreeMap::new();
        for (from, mut bytes) in messages {
            let header = RecordsHeader::split_off(&mut bytes).filter(is_valid);
            let header = header.ok_or_else(|| self.unreadable())?;
            arrivals.entry(header.to).or_default().push(Arrival { from, header, bytes });
        }
        let source = ArrivalSource { variable: Some(variable), states: level.states };
        for (&to, arrivals) in &arrivals {
            let merged = self.arrivals.merge(to, arrivals, source, set, monitor)?;
            merged.ok_or_else(|| self.unreadable())?;
        }
        set.enforce_limits(Some(level), self.bytes(), monitor)?;
        Ok(batches)
    }
}

impl Exchange for Peers<'_> {
    fn rank(&self) -> Rank {
        self.rank()
    }

    fn attempt(&self) -> u64 {
        self.attempt
    }

    fn bytes(&self) -> usize {
        self.mesh.bytes() + self.arrivals.bytes()
    }

    fn compare(&mut self, identity: &RunIdentity) -> Result<(), BuildError> {
        let attempt = RandomState::new().build_hasher().finish();
        let (all, attempts): (Vec<RunIdentity>, Vec<u64>) =
            self.gather(&(identity.clone(), attempt))?.into_iter().unzip();
        self.attempt = attempts[0];
        let own = self.rank().rank;
        let mut differences = all.iter().enumerate();
        let difference =
            differences.find_map(|(rank, other)| Some((rank, other.difference(&all[own])?)));
        let Some((process, IdentityDifference { what, found, expected })) = difference else {
            return Ok(());
        };
        // All processes have found a difference. Each of them reports its own, and not that another
        // one has failed: an error here is of less interest.
        let _ = self.gather(&());
        let address = self.mesh.address(process).to_owned();
        let message = format!(
            "runs something else: its {what} is {found}, and the {what} of process {own} is {expected}"
        );
        Err(BuildError::Process { process, address, fault: ProcessFault::Different, message })
    }

    /// Chooses the last checkpoint that is the committed or the prepared one of each process. All
    /// processes have prepared a checkpoint before one commits it, so there is such a checkpoint unless the
    /// files of a process are gone.
    fn choose(&mut self, found: &[Option<Manifest>; 2]) -> Result<Option<usize>, BuildError> {
        let own = found.each_ref().map(|of| of.as_ref().and_then(saved_level));
        let all = self.gather(&own.into_iter().flatten().collect::<Vec<_>>())?;
        Ok(last_common(&all).and_then(|last| own.iter().position(|&of| of == Some(last))))
    }

    fn furthest_common(
        &mut self,
        found: Vec<(CheckpointLevel, usize)>,
    ) -> Result<Option<(CheckpointLevel, usize)>, BuildError> {
        Ok(last_common(&self.gather(&found)?))
    }

    fn barrier(&mut self) -> Result<(), BuildError> {
        self.gather(&()).map(drop)
    }

    fn begin_level(&mut self, variable: usize) {
        self.sent.forget_up_to(variable);
    }

    fn send(
        &mut self,
        records: RemoteRecords<'_>,
        input: SweepInput<'_>,
        edges: &mut EdgeStore,
    ) -> Result<Option<u32>, BuildError> {
        let RemoteRecords { to, by_rank, bound } = records;
        let size = self.rank().size;
        let mut entry = None;
        let by_rank = by_rank.into_iter().enumerate();
        for (rank, records) in by_rank.filter(|(_, records)| records.len() > 0) {
            let count = records.len();
            if input.payload.stores_edges() {
                entry = Some(self.sent.note(to, Rank { rank, size }, count, edges)?);
            }
            let mut message = Vec::new();
            let width = input.expander.encode(records, &mut message)?;
            RecordsHeader { to, count, width, bound }.write(&mut message);
            // It is counted by its length.
            message.shrink_to_fit();
            self.mesh.send(rank, message)?;
        }
        Ok(entry)
    }

    fn end_batch(&mut self, mut current: CurrentLevel<'_, '_, '_, '_>) -> Result<(), BuildError> {
        self.mesh.end_batch();
        self.batches += 1;
        let is_ahead = |of_all: u64, own: u64| own >= of_all + WINDOW;
        while self.receive(&mut current)?.is_some_and(|all| is_ahead(all, self.batches)) {}
        Ok(())
    }

    fn end_level(&mut self, mut current: CurrentLevel<'_, '_, '_, '_>) -> Result<(), BuildError> {
        self.mesh.end_level();
        while self.receive(&mut current)?.is_some() {}
        self.batches = 0;
        Ok(())
    }

    fn agree(
        &mut self,
        next: usize,
        is_due: bool,
        level: Option<&mut LevelReport>,
    ) -> Result<Agreement, BuildError> {
        let report = level.as_deref().copied().unwrap_or_default();
        let all = self.gather(&(next, is_due, report))?;
        if let Some(level) = level {
            let reports = || all.iter().map(|of| of.2);
            level.states = reports().map(|of| of.states).sum();
            level.edges = reports().map(|of| of.edges).sum();
            level.merged = reports().map(|of| of.merged).sum();
            level.bytes = reports().map(|of| of.bytes).sum();
            level.disk_bytes = reports().map(|of| of.disk_bytes).sum();
        }
        let next = all.iter().map(|of| of.0).min().unwrap_or(next);
        Ok(Agreement { next, saves: Some(all[0].1) })
    }

    fn combine(
        &mut self,
        mut ones: OneTerminal,
        payload: &dyn Payload,
        num_vars: usize,
    ) -> Result<OneTerminal, BuildError> {
        let all = self.gather(&ones.words.take())?;
        let mut combined = OneTerminal { decided: num_vars, words: None };
        for words in all.into_iter().flatten() {
            if !is_width(payload, num_vars, words.len()) {
                return Err(self.unreadable());
            }
            combined.add(payload, num_vars, &words);
        }
        Ok(combined)
    }

    fn sent(&mut self) -> Option<&mut SentEdges> {
        Some(&mut self.sent)
    }
}

/// The description of a list of encoded records, behind them in a message.
pub(super) struct RecordsHeader {
    pub(super) to: usize,
    pub(super) count: usize,
    /// The number of words of a record.
    pub(super) width: usize,
    /// A bound of the sum of their numbers.
    pub(super) bound: UpperBound,
}

crate::portable!(RecordsHeader { to, count, width, bound });

impl RecordsHeader {
    /// Size in bytes of an encoded header: three numbers and a bound.
    const BYTES: usize = 4 * size_of::<u64>();

    /// Splits the header off the end of a message.
    pub(super) fn split_off(message: &mut Vec<u8>) -> Option<Self> {
        let start = message.len().checked_sub(Self::BYTES)?;
        RecordsHeader::read(&mut &message.split_off(start)[..])
    }
}

/// Records of one process.
pub(super) struct Arrival {
    /// The rank of the process that has the edges to their states.
    pub(super) from: usize,
    pub(super) header: RecordsHeader,
    /// The encoded states, then the words of each.
    pub(super) bytes: Vec<u8>,
}

/// The source of arrivals.
#[derive(Clone, Copy)]
pub(super) struct ArrivalSource {
    /// The variable of the level that is being expanded. `None` for a file of another number of processes,
    /// which also has the states of others: only the states of this process are merged.
    pub(super) variable: Option<usize>,
    /// The number of states of that level.
    pub(super) states: u64,
}

/// The merge of arrivals, with memory that is used again.
pub(super) struct RecordMerger {
    pub(super) rank: Rank,
    lists: Vec<Box<dyn RecordLists>>,
}

impl RecordMerger {
    pub(super) fn new(rank: Rank) -> Self {
        RecordMerger { rank, lists: Vec::new() }
    }

    /// Size in bytes of the memory for decoded records.
    pub(super) fn bytes(&self) -> usize {
        self.lists.iter().map(|lists| lists.bytes()).sum()
    }

    /// Merges arrivals into the level at `to`. Returns `None` if the bytes are no records.
    pub(super) fn merge(
        &mut self,
        to: usize,
        arrivals: &[Arrival],
        source: ArrivalSource,
        set: &mut WorkingSet<'_>,
        monitor: &Monitor<'_, '_>,
    ) -> Result<Option<()>, BuildError> {
        let payload = set.input.payload;
        let count: usize = arrivals.iter().map(|arrival| arrival.header.count).sum();
        let sharing = monitor.sharing(source.variable, 2 * count);
        let level = set.data.pending.take(to).unwrap_or_else(|| {
            let width = payload.width(to, payload.limbs(to, arrivals[0].header.width));
            let expected = expected_states(to, source.states, &set.data.pending);
            Box::new(set.pool.level(expected, width))
        });
        let partitions = level.partitions.len();
        let Some(orders) = self.decode(arrivals, partitions, source, set.input, sharing) else {
            return Ok(None);
        };
        let mut records = LevelRecords::new(level);
        let bounds = arrivals.iter().map(|arrival| arrival.header.bound);
        records.bound = bounds.fold(UpperBound::ZERO, UpperBound::plus);
        let lists = self.lists[..arrivals.len()].iter_mut().flat_map(|lists| lists.lists());
        records.arrivals = lists.map(|lists| (0, lists)).collect();
        let mut places = vec![Vec::new(); partitions];
        records.places = payload.stores_edges().then_some(&mut places);
        let levels = BTreeMap::from([(to, records)]);
        merge(levels, &mut set.data.pending, set.input, &set.storage, sharing)?;
        if payload.stores_edges() {
            let mut places: Vec<_> = places.into_iter().map(Vec::into_iter).collect();
            set.data.pending.change(to, |level| {
                let between = ForcedChain::BETWEEN_PROCESSES;
                let index = level.find_or_add_incoming(between, self.rank.size);
                for (arrival, order) in arrivals.iter().zip(orders) {
                    // The order in which the records were sent.
                    let in_order = order.into_iter().map(|partition| {
                        let in_partition = &mut places[usize::from(partition)];
                        in_partition.next().expect("every record has a place")
                    });
                    level.incoming[index].places[arrival.from].extend(in_order);
                }
            });
        }
        Ok(Some(()))
    }

    /// Decodes arrivals, each into lists of its own, for a level of so many partitions. Returns the
    /// partitions of the records of each arrival, in order, if edges are stored, and an empty list
    /// otherwise. Returns `None` if the bytes are no records.
    fn decode(
        &mut self,
        arrivals: &[Arrival],
        partitions: usize,
        source: ArrivalSource,
        input: SweepInput<'_>,
        sharing: Sharing<'_>,
    ) -> Option<Vec<Vec<u8>>> {
        let (expander, stores) = (input.expander, input.payload.stores_edges());
        let rank = self.rank;
        let lists = &mut self.lists;
        lists.resize_with(lists.len().max(arrivals.len()), || expander.new_lists());
        let decode = |_, (arrival, lists): (&Arrival, &mut Box<dyn RecordLists>)| {
            let mut order = Vec::new();
            let mut partition_of = |route: RouteHash| {
                if source.variable.is_none() && route.rank(rank.size) != rank.rank {
                    return None;
                }
                let partition = route.partition(partitions);
                if stores {
                    order.push(partition as u8);
                }
                Some(partition)
            };
            lists.reset(partitions);
            let RecordsHeader { count, width, .. } = arrival.header;
            let records = EncodedRecords { bytes: &arrival.bytes, count, width };
            expander.decode(records, &mut partition_of, &mut **lists)?;
            Some(order)
        };
        let decoded = for_all(sharing.workers, arrivals.iter().zip(lists), decode);
        decoded.into_iter().collect()
    }
}
