//! The number of partitions of a level, and the pool of emptied partitions.

use super::expander::Expander;
use super::level::{Level, PendingLevels};
use super::monitor::Monitor;
use super::states::States;
use super::unreduced::Target;

/// The most partitions of a level.
pub(super) const MAX_PARTITIONS: usize = 1 << 10;

/// A trim keeps at least the first spare partitions, up to this number and this many bytes, even if
/// none were requested recently: one level may open many levels by its long edges, and the levels after
/// it none. If the tables of small levels grew again each time, counts of grid cycles 12 would take
/// 1.02 times the instructions.
const MAX_KEPT: usize = 1 << 6;
const KEPT_BYTES: usize = 1 << 20;

/// A state with more words than this is wide.
pub(super) const WIDE: usize = 8;

/// The number of pending levels that two estimates look at: of the states of a new level, and of the
/// partitions that edges lead to.
pub(super) const NEIGHBOURS: usize = 64;

/// The expected number of states of a new level at `to`, whose first edge is a long one from a
/// level of `states`: the number of states of the widest of some levels before it.
pub(super) fn expected_states(to: usize, states: u64, pending: &PendingLevels) -> u64 {
    let before = pending.range(..to).rev().take(NEIGHBOURS);
    before.map(|(_, level)| level.states()).fold(states, u64::max)
}

/// The pool of emptied partitions. Most levels are as wide as the one before, and page faults of
/// new tables for every level would take as long as merging.
pub(super) struct Pool<'a> {
    pub(super) expander: &'a dyn Expander,
    spare: Vec<Box<dyn States>>,
    /// The number of partitions requested since the last trim, and between the two trims before:
    /// levels with long edges to them are created long before their turn.
    asked: [usize; 2],
    /// The most partitions that a level is split into.
    most: u64,
    /// Size in bytes of a state, without its heap memory.
    state_bytes: usize,
    /// The mean size in bytes of the heap memory of a state, if it is counted.
    pub(super) heap_of_state: usize,
    threads: usize,
    /// The memory limit in bytes, if data spills beyond it.
    spill_limit: Option<usize>,
}

impl<'a> Pool<'a> {
    /// The intended number of states of a partition of a split level.
    const PARTITION_STATES: u64 = 1 << 14;
    /// The least number of states of a partition of a split level. Each partition has a list of
    /// records in the output of each group, which takes the memory of some hundred states.
    const MIN_PARTITION_STATES: u64 = 1 << 10;
    /// A level of at most this many bytes fits in the cache, and is split only to share it among
    /// threads.
    const WHOLE_BYTES: usize = 1 << 24;
    /// Such a level may take at most the memory limit divided by this, because a split level can be
    /// spilled in parts.
    const WHOLE_SHARE: usize = 64;
    pub(super) fn new(
        expander: &'a dyn Expander,
        stores_edges: bool,
        monitor: &Monitor<'_, '_>,
    ) -> Self {
        // If edges are not stored, the number of pages that a core can write to alternately is the limit.
        let most = if stores_edges { Target::MAX_PARTITIONS } else { MAX_PARTITIONS } as u64;
        let (threads, spill_limit) = (monitor.workers.threads, monitor.config.spill_limit());
        let state_bytes = expander.new_states(0).record_bytes();
        let (spare, asked, heap_of_state) = (Vec::new(), [0; 2], 0);
        Pool { expander, spare, asked, most, state_bytes, heap_of_state, threads, spill_limit }
    }

    /// The mean size in bytes of a state of this width, with its heap memory.
    pub(super) fn record_bytes(&self, width: usize) -> usize {
        self.state_bytes + self.heap_of_state + width * size_of::<u64>()
    }

    /// The number of partitions for a level of about `states` states of this width.
    pub(super) fn partitions(&self, states: u64, width: usize) -> usize {
        // Fewer states for each partition if their words take most of the memory.
        let of_partition = Self::PARTITION_STATES * WIDE as u64 / width.max(WIDE) as u64;
        let of_partition = of_partition.max(Self::MIN_PARTITION_STATES);
        let split = states.div_ceil(of_partition).next_power_of_two();
        // Includes two slots of the table for each state.
        let bytes = states * (self.record_bytes(width) + 2 * size_of::<u32>()) as u64;
        let share = self.spill_limit.map_or(usize::MAX, |limit| limit / Self::WHOLE_SHARE);
        let wanted = if bytes <= Self::WHOLE_BYTES.min(share) as u64 {
            split.min(self.threads.next_power_of_two() as u64)
        } else {
            split
        };
        wanted.clamp(1, self.most) as usize
    }

    /// A level for about `states` states of this width.
    pub(super) fn level(&mut self, states: u64, width: usize) -> Level {
        self.level_of(self.partitions(states, width), width)
    }

    /// A level of `count` partitions for states of this width.
    pub(super) fn level_of(&mut self, count: usize, width: usize) -> Level {
        self.asked[0] += count;
        // In the order in which they were returned: each partition mostly gets the memory of the
        // last one with its index, which is in the cache of the core that processed it.
        let mut partitions = self.spare.split_off(self.spare.len().saturating_sub(count));
        partitions.resize_with(count, || self.expander.new_states(width));
        for partition in &mut partitions {
            partition.set_width(width);
        }
        Level::new(partitions, width)
    }

    /// Clears a partition and adds it to the pool.
    pub(super) fn recycle(&mut self, mut partition: Box<dyn States>) {
        partition.clear();
        self.spare.push(partition);
    }

    /// Trims the pool to the number of partitions that were requested recently, or to `partitions` or
    /// to those that survive in any case (see [`MAX_KEPT`]), if that is more.
    pub(super) fn trim(&mut self, partitions: usize) {
        let [asked, asked_before] = self.asked;
        let share = self.spill_limit.map_or(usize::MAX, |limit| limit / Self::WHOLE_SHARE);
        let mut bytes = 0;
        let small = self.spare.iter().take(MAX_KEPT).take_while(|partition| {
            bytes += partition.bytes();
            bytes <= KEPT_BYTES.min(share)
        });
        self.spare.truncate(small.count().max(partitions).max(asked).max(asked_before));
        self.asked = [0, asked];
    }

    /// Frees all pooled partitions.
    pub(super) fn empty(&mut self) {
        self.spare = Vec::new();
    }

    pub(super) fn bytes(&self) -> usize {
        self.spare.iter().map(|partition| partition.bytes()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::expander::SpecExpander;
    use super::super::state_type::Needs;
    use super::*;
    use crate::constraint;
    use crate::spec::{Rule, Step};

    #[test]
    fn few_small_partitions_stay_that_were_not_requested_recently() {
        let spec = constraint::at_most(9, 2);
        let expander = SpecExpander::new(&spec, None, Needs::default());
        // An emptied partition keeps the memory for its one state, 8 kB of words.
        let emptied = || {
            let root = expander.root(Rule::ZeroSuppressed, &mut |_| vec![0; 1 << 10]);
            let Step::To(_, mut partition) = root else { panic!("the root is a state") };
            partition.clear();
            partition
        };
        let of_bytes = |bytes: usize| bytes / emptied().bytes();
        for (count, spill_limit, expected) in [
            (300, None, MAX_KEPT),
            (300, Some(1 << 24), of_bytes((1 << 24) / Pool::WHOLE_SHARE)),
            (300, Some(1 << 10), 5),
            (3, None, 3),
        ] {
            let mut pool = Pool {
                expander: &expander,
                spare: Vec::new(),
                asked: [0; 2],
                most: 1,
                state_bytes: 0,
                heap_of_state: 0,
                threads: 1,
                spill_limit,
            };
            (0..count).for_each(|_| pool.recycle(emptied()));
            pool.trim(5);
            assert_eq!(pool.spare.len(), expected, "{count} {spill_limit:?}");
        }
    }
}
