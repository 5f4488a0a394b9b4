//! The connection of a process to the other processes, as its sweep uses it.

use super::config::{ProcessFailure, ProcessRanks};
use super::dataflow::{DataflowEvent, DataflowThread, SLEEP, Time};
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::net::TcpStream;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use topdd::frontier::{Mesh, Received};
use topdd::{BuildError, ProcessFault};

/// The connection of this process to the other processes.
pub(crate) struct MeshConnection {
    ranks: ProcessRanks,
    key: String,
    dataflow: DataflowThread,
    inbox: Inbox,
    /// The time at which messages are sent.
    now: Time,
    /// Bytes sent, by batch, that may not have been received.
    in_flight: VecDeque<(Time, usize)>,
    /// The first failure of a process.
    failure: Arc<OnceLock<BuildError>>,
}

impl MeshConnection {
    /// Starts the dataflow over these streams.
    pub(crate) fn start(
        ranks: ProcessRanks,
        key: String,
        streams: Vec<Option<TcpStream>>,
    ) -> io::Result<Self> {
        let failure = Arc::default();
        Ok(MeshConnection {
            dataflow: DataflowThread::start(&ranks, streams, &failure)?,
            ranks,
            key,
            inbox: Inbox::new(),
            now: Time::START,
            in_flight: VecDeque::new(),
            failure,
        })
    }

    /// Bytes written to the streams.
    pub(crate) fn bytes_sent(&self) -> u64 {
        self.dataflow.bytes_sent()
    }

    pub(crate) fn set_key(&mut self, key: &str) {
        key.clone_into(&mut self.key);
    }

    /// Waits until all processes call this.
    pub(crate) fn wait(mut self: &mut Self) -> Result<(), BuildError> {
        self.end_level();
        while self.receive(SLEEP)?.batches.is_some() {}
        Ok(())
    }

    fn advance(&mut self, to: Time) {
        self.now = to;
        self.dataflow.advance(to);
    }

    fn take_event(&mut self, event: DataflowEvent) {
        if let DataflowEvent::Frontier(frontier) = event {
            let reached = |time: Time| frontier.is_none_or(|frontier| time < frontier);
            while self.in_flight.front().is_some_and(|&(time, _)| reached(time)) {
                self.in_flight.pop_front();
            }
        }
        self.inbox.add(event);
    }

    /// Fails if a process has failed.
    fn check_failure(&self) -> Result<(), BuildError> {
        self.failure.get().map_or(Ok(()), |error| Err(error.clone()))
    }
}

impl Mesh for &mut MeshConnection {
    fn processes(&self) -> usize {
        self.ranks.size()
    }

    fn process(&self) -> usize {
        self.ranks.rank
    }

    fn address(&self, rank: usize) -> &str {
        &self.ranks.addresses[rank]
    }

    fn key(&self) -> &str {
        &self.key
    }

    fn send(&mut self, to: usize, message: Vec<u8>) -> Result<(), BuildError> {
        self.check_failure()?;
        match self.in_flight.back_mut() {
            Some((time, bytes)) if *time == self.now => *bytes += message.len(),
            _ => self.in_flight.push_back((self.now, message.len())),
        }
        self.dataflow.send(to, message);
        Ok(())
    }

    fn end_batch(&mut self) {
        self.advance(Time { batch: self.now.batch + 1, ..self.now });
    }

    fn end_level(&mut self) {
        self.advance(Time { level: self.now.level + 1, batch: 0 });
    }

    fn receive(&mut self, wait: Duration) -> Result<Received, BuildError> {
        let deadline = Instant::now() + wait;
        loop {
            while let Ok(event) = self.dataflow.events.try_recv() {
                self.take_event(event);
            }
            if let Some(received) = self.inbox.take() {
                return Ok(received);
            }
            self.check_failure()?;
            if let Some(rank) = self.inbox.missing() {
                let failure = ProcessFailure::lost(rank, "ended before the run was done");
                return Err(self.ranks.error(failure));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.dataflow.events.recv_timeout(left) {
                Ok(event) => self.take_event(event),
                Err(RecvTimeoutError::Timeout) => {
                    let batches = self.inbox.ended_batches();
                    return Ok(Received { messages: Vec::new(), batches });
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let message = "has no connection to the others any more";
                    let failure = ProcessFailure::lost(self.ranks.rank, message);
                    let _ = self.failure.set(self.ranks.error(failure));
                }
            }
        }
    }

    fn bytes(&self) -> usize {
        self.inbox.bytes() + self.in_flight.iter().map(|(_, bytes)| bytes).sum::<usize>()
    }

    fn failure(&self) -> Arc<OnceLock<BuildError>> {
        Arc::clone(&self.failure)
    }

    fn fail(&mut self, fault: ProcessFault, message: &str) {
        if self.failure.get().is_none() {
            let rank = self.ranks.rank;
            self.dataflow.fail(ProcessFailure { rank, fault, message: message.to_owned() });
            let message = format!("failed before: {message}");
            // Another process may have failed at the same time.
            let _ = self.failure.set(self.ranks.error(ProcessFailure { rank, fault, message }));
        }
    }
}

/// The messages of other processes that this process has not yet taken.
pub(crate) struct Inbox {
    /// The level whose messages are taken next.
    level: u64,
    /// All messages before this time were received; `None` stands for all messages.
    frontier: Option<Time>,
    /// The last value of [`Received::batches`], or 0 in a new level.
    batches: u64,
    /// The messages with the ranks of their senders, by level: messages of later levels may arrive early.
    messages: BTreeMap<u64, Vec<(usize, Vec<u8>)>>,
    bytes: usize,
    /// The ranks that have left, each with the first level in which it takes no part.
    goodbyes: Vec<(usize, u64)>,
}

impl Inbox {
    pub(crate) fn new() -> Self {
        Inbox {
            level: Time::START.level,
            frontier: Some(Time::START),
            batches: 0,
            messages: BTreeMap::new(),
            bytes: 0,
            goodbyes: Vec::new(),
        }
    }

    /// Size in bytes of the messages.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn add(&mut self, event: DataflowEvent) {
        match event {
            DataflowEvent::Message { from, level, bytes } => {
                self.bytes += bytes.len();
                self.messages.entry(level).or_default().push((from, bytes));
            }
            DataflowEvent::Frontier(frontier) => self.frontier = frontier,
            DataflowEvent::Goodbye { from, level } => self.goodbyes.push((from, level)),
        }
    }

    /// Takes the messages of the level, if there are any or [`Received::batches`] has changed.
    pub(crate) fn take(&mut self) -> Option<Received> {
        let messages = self.messages.remove(&self.level).unwrap_or_default();
        let batches = self.ended_batches();
        if messages.is_empty() && batches == Some(self.batches) {
            return None;
        }
        self.bytes -= messages.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
        self.level += u64::from(batches.is_none());
        self.batches = batches.unwrap_or(0);
        Some(Received { messages, batches })
    }

    /// The present value of [`Received::batches`].
    fn ended_batches(&self) -> Option<u64> {
        match self.frontier {
            Some(frontier) if frontier.level < self.level => Some(0),
            Some(frontier) if frontier.level == self.level => Some(frontier.batch),
            _ => None,
        }
    }

    /// The rank of a process that has left before the level ended.
    fn missing(&self) -> Option<usize> {
        let missing = self.goodbyes.iter().find(|(_, level)| *level <= self.level);
        missing.map(|&(rank, _)| rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::SILENCE;
    use std::net::TcpListener;

    /// Two ends of a connection.
    fn connected() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let dialled = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (dialled, listener.accept().unwrap().0)
    }

    #[test]
    fn a_loss_that_one_process_sees_is_named_by_all() {
        let addresses: Arc<[String]> = ["a", "b", "c"].map(str::to_owned).into();
        let start = |rank, streams| {
            let ranks = ProcessRanks { rank, addresses: Arc::clone(&addresses) };
            MeshConnection::start(ranks, String::new(), streams).unwrap()
        };
        let (first_to_second, second_to_first) = connected();
        let (first_to_lost, lost_to_first) = connected();
        // It stays silent, like the connection to a machine without power.
        let (second_to_lost, _lost_to_second) = connected();
        let first = start(0, vec![None, Some(first_to_second), Some(first_to_lost)]);
        let mut second = start(1, vec![Some(second_to_first), None, Some(second_to_lost)]);
        drop(lost_to_first);
        let begun = Instant::now();
        let ends = std::thread::spawn(move || {
            let mut first = first;
            first.wait().unwrap_err()
        });
        let error = second.wait().unwrap_err().to_string();
        assert!(error.contains("process 2 (c)"), "{error}");
        assert_eq!(ends.join().unwrap().to_string(), error);
        assert!(begun.elapsed() < SILENCE / 2, "{:?}", begun.elapsed());
    }

    #[test]
    fn a_process_that_leaves_does_not_end_a_level_for_the_others() {
        let addresses: Arc<[String]> = ["a", "b"].map(str::to_owned).into();
        for waits_first in [false, true].repeat(5) {
            let (first_to_second, second_to_first) = connected();
            let start = |rank, stream| {
                let ranks = ProcessRanks { rank, addresses: Arc::clone(&addresses) };
                let mut streams = vec![Some(stream)];
                streams.insert(rank, None);
                MeshConnection::start(ranks, String::new(), streams).unwrap()
            };
            let mut first = start(0, first_to_second);
            let second = start(1, second_to_first);
            let waits = std::thread::spawn(move || first.wait().unwrap_err().to_string());
            if waits_first {
                std::thread::sleep(Duration::from_millis(50));
            }
            drop(second);
            let error = waits.join().unwrap();
            assert!(error.contains("process 1 (b) ended before the run was done"), "{error}");
        }
    }
}
