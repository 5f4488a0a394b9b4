//! The exchange over a mesh of several processes.

use super::arrivals::{Arrival, Arrivals, Header, Source};
use super::{
    Agreement, CheckpointLevel, CurrentLevel, Exchange, RemoteRecords, SentEdges, last_common,
    saved_level,
};
use crate::frontier::disk::{Difference, Identity, Manifest};
use crate::frontier::edges::EdgeStore;
use crate::frontier::input::Input;
use crate::frontier::monitor::Watch;
use crate::frontier::payload::{OneTerminal, Payload, is_width};
use crate::frontier::rank::Rank;
use crate::frontier::remote::{Mesh, Received};
use crate::frontier::report::LevelReport;
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
    arrivals: Arrivals,
    sent: SentEdges,
}

impl<'a> Peers<'a> {
    pub(crate) fn new(mesh: &'a mut (dyn Mesh + '_), watch: Watch) -> Self {
        let arrivals = Arrivals::new(Rank { rank: mesh.process(), size: mesh.processes() });
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
        let is_valid = |&Header { to, count, width, .. }: &Header| {
            to > variable
                && to < input.arities.num_vars()
                && count > 0
                && is_width(input.payload, to, width)
        };
        let mut arrivals: BTreeMap<usize, Vec<Arrival>> = BTreeMap::new();
        for (from, mut bytes) in messages {
            let header = Header::split_off(&mut bytes).filter(is_valid);
            let header = header.ok_or_else(|| self.unreadable())?;
            arrivals.entry(header.to).or_default().push(Arrival { from, header, bytes });
        }
        let source = Source { variable: Some(variable), states: level.states };
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

    fn compare(&mut self, identity: &Identity) -> Result<(), BuildError> {
        let attempt = RandomState::new().build_hasher().finish();
        let (all, attempts): (Vec<Identity>, Vec<u64>) =
            self.gather(&(identity.clone(), attempt))?.into_iter().unzip();
        self.attempt = attempts[0];
        let own = self.rank().rank;
        let mut differences = all.iter().enumerate();
        let difference =
            differences.find_map(|(rank, other)| Some((rank, other.difference(&all[own])?)));
        let Some((process, Difference { what, found, expected })) = difference else {
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
        input: Input<'_>,
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
            Header { to, count, width, bound }.write(&mut message);
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
