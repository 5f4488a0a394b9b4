//! How many partitions a level is split into, and what becomes of those that are empty.

use super::expand::Expander;
use super::level::Level;
use super::monitor::Sizing;
use super::payload::Payload;
use super::states::States;

/// The most partitions of a level.
pub(super) const MOST_PARTITIONS: usize = 1 << 10;

/// Limbs from which on numbers are wide.
const WIDE: usize = 8;

/// Partitions that were used and emptied: most levels are as wide as the one before, and
/// fresh tables for every level would cost as much in page faults as the merging itself.
pub(super) struct Pool<'a> {
    pub(super) expander: &'a dyn Expander,
    spare: Vec<Box<dyn States>>,
    /// How many were asked for since the spare ones were last trimmed, and between that and
    /// the time before: levels that are skipped to are not begun one by one.
    asked: [usize; 2],
    /// The most partitions that a level is split into.
    most: u64,
    /// About the size in bytes of the memory that a state owns, if it is counted.
    pub(super) heap_of_state: usize,
    sizing: Sizing,
}

impl<'a> Pool<'a> {
    /// States that a partition is meant to hold, of a level that is split.
    const PARTITION_STATES: u64 = 1 << 14;
    /// A level that takes no more bytes is not split, but for threads to share it: it stays in
    /// cache as a whole.
    const WHOLE_BYTES: usize = 1 << 22;
    /// What part of a memory limit such a level may take: one that is split can be spilled bit
    /// by bit.
    const WHOLE_SHARE: usize = 64;
    /// A spare partition larger than this is not handed to a level that needs little:
    /// emptying its table would cost more than a new one.
    const SMALL: usize = 1 << 10;

    pub(super) fn new(expander: &'a dyn Expander, sizing: Sizing, payload: Payload) -> Self {
        // Where edges are stored, the numbers of partitions fit a byte, with some to spare
        // for edges that go elsewhere. Otherwise there may be as many as there are pages that
        // a core can write to by turns.
        let most = if payload.edges() { 128 } else { MOST_PARTITIONS as u64 };
        Pool { expander, spare: Vec::new(), asked: [0; 2], most, heap_of_state: 0, sizing }
    }

    /// A new partition for numbers of this width.
    pub(super) fn partition(&self, width: usize) -> Box<dyn States> {
        self.expander.new_states(width)
    }

    /// Size in bytes of a state with a number of this width, and about what it owns.
    pub(super) fn record_bytes(&self, width: usize) -> usize {
        self.expander.state_bytes() + self.heap_of_state + width * size_of::<u64>()
    }

    pub(super) fn memory_limit(&self) -> Option<usize> {
        self.sizing.memory_limit
    }

    /// The partitions of a level of about `states` states with numbers of this width.
    pub(super) fn partitions(&self, states: u64, width: usize) -> usize {
        // Fewer where numbers are so wide that they take more than all else.
        let of_partition = Self::PARTITION_STATES * WIDE as u64 / width.max(WIDE) as u64;
        let split = states.div_ceil(of_partition.max(1)).next_power_of_two();
        // With its slot in the table, and as much again for it to grow.
        let bytes = states * (self.record_bytes(width) + 2 * size_of::<u32>()) as u64;
        let share = self.sizing.memory_limit.map_or(usize::MAX, |limit| limit / Self::WHOLE_SHARE);
        let wanted = if bytes <= Self::WHOLE_BYTES.min(share) as u64 {
            split.min(self.sizing.threads.next_power_of_two() as u64)
        } else {
            split
        };
        wanted.clamp(1, self.most) as usize
    }

    /// A level for about `states` states with numbers of this width.
    pub(super) fn level(&mut self, states: u64, width: usize) -> Level {
        self.level_of(self.partitions(states, width), states, width)
    }

    /// A level of so many partitions, beside those with so many states.
    pub(super) fn level_of(&mut self, count: usize, states: u64, width: usize) -> Level {
        self.asked[0] += count;
        let small = states < Self::SMALL as u64 / 4;
        let fits = |spare: &dyn States| !small || spare.room() <= Self::SMALL;
        let mut partitions: Vec<_> = (0..count)
            .map(|_| match self.spare.last() {
                Some(spare) if fits(&**spare) => self.spare.pop().expect("there is a last one"),
                _ => self.partition(width),
            })
            .collect();
        for partition in &mut partitions {
            partition.set_width(width);
        }
        // In the order in which they were given back: so each has mostly the memory of the one
        // of its number before, which is in the cache of the core that had that one.
        partitions.reverse();
        Level::new(partitions, width)
    }

    /// Takes an emptied partition back.
    pub(super) fn recycle(&mut self, mut partition: Box<dyn States>) {
        partition.clear();
        self.spare.push(partition);
    }

    /// An empty partition for numbers of this width, with memory that was used before, if there
    /// is one.
    pub(super) fn spare(&mut self, width: usize) -> Option<Box<dyn States>> {
        let mut spare = self.spare.pop()?;
        spare.set_width(width);
        Some(spare)
    }

    /// Keeps no more spare partitions than were asked for of late, or a level as wide as the
    /// last needs, and no more than so many bytes of blocks.
    pub(super) fn trim(&mut self, partitions: usize, bytes: usize) {
        let [asked, asked_before] = self.asked;
        self.spare.truncate(partitions.max(asked).max(asked_before).max(1));
        self.asked = [0, asked];
        self.expander.trim_spare(bytes);
    }

    /// Keeps no spare partitions, and so many bytes.
    pub(super) fn empty(&mut self, bytes: usize) {
        self.spare = Vec::new();
        self.expander.trim_spare(bytes);
    }

    pub(super) fn bytes(&self) -> usize {
        self.spare.iter().map(|partition| partition.bytes()).sum()
    }
}
