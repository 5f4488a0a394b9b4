//! A slice of a level.

use super::states::States;
use super::via::Via;

/// A slice of a level, chosen by state hash, small enough to stay in a core's cache
/// while records are merged into it.
// As for `Table`.
#[repr(align(128))]
pub(super) struct Partition {
    pub(super) states: Box<dyn States>,
    /// For each record in order of arrival, the index of the state it became. Kept when
    /// the sweep stores edges.
    pub(super) resolved: Vec<u32>,
    /// Of those that arrived over a forced node, the same, by those on the way.
    pub(super) vias: Vec<(Via, Vec<u32>)>,
    /// How much had arrived when the partition was last spilled.
    pub(super) spilled: u32,
}

impl Partition {
    /// One with these states, at which nothing arrived.
    pub(super) fn new(states: Box<dyn States>) -> Self {
        Partition { states, resolved: Vec::new(), vias: Vec::new(), spilled: 0 }
    }

    /// The number of states.
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.states.len() == 0
    }

    /// Gives back what memory the table has, and the arrivals have beyond what they need.
    pub(super) fn shrink(&mut self) {
        self.states.drop_table();
        self.resolved.shrink_to_fit();
    }

    /// Whether it has no memory yet.
    pub(super) fn is_bare(&self) -> bool {
        self.states.room() == 0 && self.is_empty()
    }

    /// Leaves an empty partition in the place of this one.
    pub(super) fn take(&mut self) -> Self {
        let empty = Partition::new(self.states.fresh());
        std::mem::replace(self, empty)
    }

    /// How many records have arrived this way, whose order the sweep needs to know.
    pub(super) fn arrived(&self, via: Via) -> u32 {
        if via.is_none() {
            return self.spilled + self.resolved.len() as u32;
        }
        let list = self.vias.iter().find(|&&(other, _)| other == via);
        list.map_or(0, |(_, arrivals)| arrivals.len() as u32)
    }

    /// Puts the arrivals over these forced nodes in the place of those over none, and back.
    pub(super) fn swap_arrivals(&mut self, via: Via) {
        let known = self.vias.iter().position(|&(other, _)| other == via);
        let number = known.unwrap_or_else(|| {
            self.vias.push((via, Vec::new()));
            self.vias.len() - 1
        });
        std::mem::swap(&mut self.resolved, &mut self.vias[number].1);
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.states.bytes()
            + self.resolved.len() * size_of::<u32>()
            + self.vias.iter().map(|(_, list)| list.len() * size_of::<u32>()).sum::<usize>()
    }

    pub(super) fn clear(&mut self) {
        self.spilled = 0;
        self.states.clear();
        self.resolved.clear();
        self.vias.clear();
    }
}
