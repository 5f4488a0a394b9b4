//! The open states of a search.

use super::StopReason;
use super::costs::{NEVER, OpenState};
use crate::Map;
use crate::error::BuildError;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::hash::Hash;
use std::mem::size_of;

/// Where a search begins.
pub(super) struct SearchStart<State> {
    /// The open states, with their numbers.
    pub(super) open: Vec<Queued<State>>,
    /// The number of states that have been open.
    pub(super) opened: u64,
    /// The number of states of all levels before.
    pub(super) states: u64,
    /// The cost that solutions must be below, and the solution of that cost, if it is known.
    pub(super) below: i128,
    pub(super) values: Option<Vec<u32>>,
}

impl<State> SearchStart<State> {
    /// A search for solutions below one state that cost less than `below`.
    pub(super) fn at(open: OpenState<State>, below: i128) -> Self {
        let open = vec![Queued { open, number: 0 }];
        SearchStart { open, opened: 1, states: 0, below, values: None }
    }
}

/// An open state in a heap whose greatest element is next.
#[derive(Clone)]
pub(super) struct Queued<State> {
    pub(super) open: OpenState<State>,
    /// The number of states that were open before.
    pub(super) number: u64,
}

impl<State> Queued<State> {
    /// The least bound, then the latest variable, then the first found.
    fn key(&self) -> (i128, Reverse<usize>, u64) {
        (self.open.bound, Reverse(self.open.variable), self.number)
    }
}

impl<State> PartialEq for Queued<State> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl<State> Eq for Queued<State> {}

impl<State> PartialOrd for Queued<State> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<State> Ord for Queued<State> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.key().cmp(&self.key())
    }
}

/// The open states and the best solution.
pub(super) struct Queue<State> {
    /// The open states by variable, so that the deepest come first if memory is short.
    heaps: Vec<BinaryHeap<Queued<State>>>,
    /// The number of open states ever.
    pub(super) opened: u64,
    pub(super) len: usize,
    /// The states that threads work on.
    pub(super) active: Vec<Option<Queued<State>>>,
    /// The least cost of a way to states that were open.
    pub(super) known: Map<(usize, State), i128>,
    /// Why the search ends.
    pub(super) end: Option<Result<StopReason, BuildError>>,
    pub(super) states: u64,
}

impl<State: Clone + Eq + Hash> Queue<State> {
    /// The queue at the start of a search of specs with this number of variables.
    pub(super) fn new(start: SearchStart<State>, num_vars: usize, threads: usize) -> Self {
        let mut queue = Queue {
            heaps: (0..num_vars).map(|_| BinaryHeap::new()).collect(),
            opened: start.opened,
            len: 0,
            active: vec![None; threads],
            known: Map::default(),
            end: None,
            states: start.states,
        };
        for queued in start.open {
            queue.put(queued);
        }
        queue
    }

    pub(super) fn push(&mut self, open: OpenState<State>) {
        self.opened += 1;
        self.put(Queued { number: self.opened - 1, open });
    }

    pub(super) fn put(&mut self, queued: Queued<State>) {
        self.len += 1;
        self.heaps[queued.open.variable].push(queued);
    }

    /// The open state of least bound, or of a latest variable.
    pub(super) fn pop(&mut self, deepest: bool) -> Option<Queued<State>> {
        let full = || (0..self.heaps.len()).filter(|&variable| !self.heaps[variable].is_empty());
        let variable = if deepest {
            full().next_back()
        } else {
            full().max_by(|&a, &b| self.heaps[a].peek().cmp(&self.heaps[b].peek()))
        };
        let queued = self.heaps[variable?].pop()?;
        self.len -= 1;
        Some(queued)
    }

    /// The open states, with those that threads work on.
    pub(super) fn all(&self) -> impl Iterator<Item = &Queued<State>> {
        self.active.iter().flatten().chain(self.heaps.iter().flatten())
    }

    /// A lower bound of all solutions that are not found.
    pub(super) fn bound(&self) -> i128 {
        let open = self.heaps.iter().filter_map(BinaryHeap::peek).map(|queued| queued.open.bound);
        let active = self.active.iter().flatten().map(|queued| queued.open.bound);
        open.chain(active).min().unwrap_or(NEVER)
    }

    /// The bytes of the open states and the known ones, without what states own elsewhere.
    pub(super) fn bytes(&self) -> usize {
        let values = 4 * self.heaps.len();
        self.len * (size_of::<Queued<State>>() + values)
            + self.known.capacity() * (size_of::<(usize, State, i128)>() + 1)
    }
}
