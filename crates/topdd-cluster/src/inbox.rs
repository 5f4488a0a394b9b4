//! The received messages of a process.

use crate::dataflow::Event;
use crate::message::Time;
use std::collections::BTreeMap;
use topdd::frontier::Received;

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

    pub(crate) fn add(&mut self, event: Event) {
        match event {
            Event::Message { from, level, bytes } => {
                self.bytes += bytes.len();
                self.messages.entry(level).or_default().push((from, bytes));
            }
            Event::Frontier(frontier) => self.frontier = frontier,
            Event::Goodbye { from, level } => self.goodbyes.push((from, level)),
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
    pub(crate) fn ended_batches(&self) -> Option<u64> {
        match self.frontier {
            Some(frontier) if frontier.level < self.level => Some(0),
            Some(frontier) if frontier.level == self.level => Some(frontier.batch),
            _ => None,
        }
    }

    /// The rank of a process that has left before the level ended.
    pub(crate) fn missing(&self) -> Option<usize> {
        let missing = self.goodbyes.iter().find(|(_, level)| *level <= self.level);
        missing.map(|&(rank, _)| rank)
    }
}
