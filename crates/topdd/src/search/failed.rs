//! A set of states without solutions, limited in bytes.

use ahash::RandomState;
use std::hash::Hash;

/// The states that are known to have no solution, as many as fit.
///
/// When the set is full, the CLOCK algorithm evicts the first state without credit; each state that
/// the hand passes loses half of its credit. A state starts with credit according to the work that
/// found it dead, and gains credit at each lookup that finds it. Evictions depend on the order of
/// insertions and not on hashes, so they are the same on all machines.
#[derive(Debug)]
pub(super) struct FailedStates<State> {
    entries: Vec<FailedEntry<State>>,
    /// The first entry of each chain, or [`NONE`]; a power of two of them.
    chains: Vec<u32>,
    hasher: RandomState,
    /// The maximum number of entries.
    most: usize,
    hand: usize,
    pub(super) evicted: u64,
}

#[derive(Debug)]
struct FailedEntry<State> {
    state: State,
    variable: u32,
    /// The next entry of the chain, or [`NONE`].
    next: u32,
    credit: u8,
}

const NONE: u32 = u32::MAX;

/// The least number of chains.
const CHAINS: usize = 16;

impl<State: Eq + Hash> FailedStates<State> {
    /// Makes an empty set of at most `bytes`.
    pub(super) fn within(bytes: usize) -> Self {
        FailedStates {
            entries: Vec::new(),
            chains: Vec::new(),
            hasher: RandomState::with_seeds(1, 2, 3, 4),
            most: most(bytes, size_of::<FailedEntry<State>>()),
            hand: 0,
            evicted: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<FailedEntry<State>>()
            + self.chains.len() * size_of::<u32>()
    }

    /// Returns whether the state is in the set. If so, the state gains credit.
    pub(super) fn meet(&mut self, variable: usize, state: &State) -> bool {
        if self.entries.is_empty() {
            return false;
        }
        let variable = variable as u32;
        let mut number = self.chains[self.chain(variable, state)];
        while number != NONE {
            let entry = &mut self.entries[number as usize];
            if entry.variable == variable && entry.state == *state {
                entry.credit = entry.credit.saturating_add(2);
                return true;
            }
            number = entry.next;
        }
        false
    }

    /// Adds a state that is not in the set; `work` is the number of steps that found it dead.
    pub(super) fn remember(&mut self, variable: usize, state: State, work: u64) {
        if self.most == 0 {
            return;
        }
        let credit = work.checked_ilog2().unwrap_or(0) as u8;
        let entry = FailedEntry { state, variable: variable as u32, next: NONE, credit };
        if self.entries.len() == self.most {
            let number = self.forget();
            self.entries[number] = entry;
            self.link(number);
            return;
        }
        if self.entries.len() == self.entries.capacity() {
            let more = self.entries.len().max(CHAINS).min(self.most - self.entries.len());
            self.entries.reserve_exact(more);
        }
        self.entries.push(entry);
        if self.entries.len() > self.chains.len() {
            let chains = chains(self.entries.len());
            self.chains.clear();
            self.chains.reserve_exact(chains);
            self.chains.resize(chains, NONE);
            (0..self.entries.len()).for_each(|number| self.link(number));
        } else {
            self.link(self.entries.len() - 1);
        }
    }

    /// Returns the index of the chain of a state.
    fn chain(&self, variable: u32, state: &State) -> usize {
        self.hasher.hash_one((variable, state)) as usize & (self.chains.len() - 1)
    }

    /// Makes an entry the first of its chain.
    fn link(&mut self, number: usize) {
        let FailedEntry { state, variable, .. } = &self.entries[number];
        let chain = self.chain(*variable, state);
        self.entries[number].next = std::mem::replace(&mut self.chains[chain], number as u32);
    }

    /// Takes an entry out of its chain and returns its index.
    fn forget(&mut self) -> usize {
        let number = loop {
            let number = self.hand;
            self.hand = (self.hand + 1) % self.entries.len();
            let credit = &mut self.entries[number].credit;
            if *credit == 0 {
                break number;
            }
            *credit /= 2;
        };
        self.evicted += 1;
        let FailedEntry { state, variable, next, .. } = &self.entries[number];
        let (chain, next) = (self.chain(*variable, state), *next);
        let mut at = self.chains[chain];
        if at as usize == number {
            self.chains[chain] = next;
        } else {
            while self.entries[at as usize].next as usize != number {
                at = self.entries[at as usize].next;
            }
            self.entries[at as usize].next = next;
        }
        number
    }
}

/// Returns the number of chains for a number of entries.
fn chains(entries: usize) -> usize {
    entries.next_power_of_two().max(CHAINS)
}

/// Returns the maximum number of entries that fit into `bytes`, together with their chains.
fn most(bytes: usize, entry: usize) -> usize {
    let fits = |entries: usize| entries * entry + chains(entries) * size_of::<u32>() <= bytes;
    let (mut low, mut high) = (0, (bytes / entry).min(NONE as usize - 1) + 1);
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if fits(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn stored_states_are_found_and_stay_within_the_byte_limit() {
        for bytes in [0, 80, 300, 1000, 5000, 20_000, 100_000] {
            let mut dead = FailedStates::within(bytes);
            let mut draw = crate::random::SplitMix(bytes as u64);
            let mut added = HashSet::new();
            let mut met = 0;
            for _ in 0..20_000 {
                let (variable, state) = (draw.below(3), draw.below(2000));
                let known = dead.meet(variable, &state);
                assert!(!known || added.contains(&(variable, state)));
                met += usize::from(known);
                if !known {
                    dead.remember(variable, state, draw.below(100) as u64);
                    added.insert((variable, state));
                }
                assert!(dead.bytes() <= bytes);
                assert!(dead.len() as u64 + dead.evicted >= added.len() as u64 || bytes < 90);
            }
            // There are more states than fit.
            assert_eq!(dead.evicted > 0, bytes >= 100, "{bytes}");
            assert!(met > dead.len() || bytes < 1000, "{bytes}: {met}, {}", dead.len());
        }
        let mut dead = FailedStates::within(1 << 20);
        (0..10_000_u64).for_each(|state| dead.remember(7, state, state));
        assert!((0..10_000).all(|state| dead.meet(7, &state) && !dead.meet(8, &state)));
    }

    /// Costly states and states often looked up outlive the others.
    #[test]
    fn states_with_more_credit_stay() {
        let mut dead = FailedStates::within(4096);
        let most = dead.most as u64;
        dead.remember(0, u64::MAX, 1 << 40);
        dead.remember(0, u64::MAX - 1, 1);
        for state in 0..4 * most {
            assert!(dead.meet(0, &(u64::MAX - 1)));
            dead.remember(1, state, 1);
        }
        assert!(dead.meet(0, &u64::MAX));
        assert_eq!(dead.len() as u64, most);
        assert!(!dead.meet(1, &0));
    }
}
