//! The expansion of a level in progress.

use super::level::Level;
use super::run::MergedRuns;
use super::states::Pass;
use std::ops::Range;

/// The least number of states of a group: scheduling costs more than expanding a smaller one.
const LEAST_GROUP_STATES: usize = 256;
/// The relative sizes of the groups that the states of each thread in a batch are cut into. A
/// thread that is done early takes groups of other threads, and the last groups are small.
const GROUP_SHARES: [usize; 4] = [3, 3, 1, 1];

/// The expansion of a level in progress.
pub(super) struct LevelExpansion {
    pub(super) variable: usize,
    /// The words of an edge to the 1-terminal include the variables before this one. The rest is
    /// skipped once, for the sum of all such edges.
    pub(super) end: usize,
    pub(super) level: Box<Level>,
    /// The number of states; an upper bound if some were on disk.
    pub(super) states: u64,
    /// The number of states expanded.
    pub(super) expanded: u64,
    /// The mean number of edges of the states of the last batch; at first, the arity.
    pub(super) edges_per_state: f64,
    /// The position of the next state to expand.
    pub(super) position: Position,
    /// The end of the open partitions: those before it are in memory, or expanded and emptied. Those
    /// from it on may be on disk, and are opened when the states before them are expanded.
    pub(super) open: usize,
    /// The current pass over the last open partition. Its states are in memory. With several passes,
    /// `position` returns to the start of that partition for each of them.
    pub(super) pass: Pass,
    /// For each partition, the indices of the states in its runs, if edges are stored and the states
    /// have no numbers until their runs are merged.
    pub(super) merged_runs: Option<Vec<MergedRuns>>,
    /// The number of edges.
    pub(super) edges: u64,
    /// The number of edges that led to a state already in its level.
    pub(super) merged: u64,
}

/// A partition, and the index of a state in it.
pub(super) type Position = (usize, usize);

impl LevelExpansion {
    /// The position of the open state that is `count` open states after a position, or the end of
    /// the open partitions.
    fn after(&self, mut position: Position, mut count: usize) -> Position {
        while position.0 < self.open {
            let left = self.level.partitions[position.0].len() - position.1;
            if count < left {
                return (position.0, position.1 + count);
            }
            count -= left;
            position = (position.0 + 1, 0);
        }
        position
    }

    /// Cuts the next open states, at least one, into groups for so many threads. Returns the size and
    /// the range of each group.
    pub(super) fn groups(&self, states: usize, threads: usize) -> Vec<(usize, Range<Position>)> {
        if threads == 1 {
            return vec![(states, self.position..self.after(self.position, states))];
        }
        let of_thread = states.div_ceil(threads);
        let whole: usize = GROUP_SHARES.iter().sum();
        let (mut start, mut left, mut groups) = (self.position, states, Vec::new());
        for share in GROUP_SHARES.iter().cycle() {
            if left == 0 {
                break;
            }
            let size = (of_thread * share).div_ceil(whole).max(LEAST_GROUP_STATES).min(left);
            let end = self.after(start, size);
            groups.push((size, start..end));
            (start, left) = (end, left - size);
        }
        groups
    }

    /// The number of states of the open partitions that are not yet expanded.
    pub(super) fn open_states(&self) -> usize {
        let (partition, state) = self.position;
        let open = &self.level.partitions[partition..self.open.max(partition)];
        open.iter().map(|states| states.len()).sum::<usize>().saturating_sub(state)
    }

    /// A lower bound of the number of distinct states of the level.
    pub(super) fn distinct_states(&self) -> u64 {
        if self.level.is_spilled() && !self.level.complete {
            self.expanded + self.level.distinct_states() - self.position.1 as u64
        } else {
            self.states
        }
    }

    /// Selects what to open next: the next pass over the last open partition, or further partitions,
    /// until `most` states are open or the next partition does not fit in `share` bytes. Sets `pass`
    /// and `position`. Returns the partitions that must be read. The caller reads these, and sets
    /// `open`.
    pub(super) fn next_to_open(&mut self, most: usize, share: usize) -> Range<usize> {
        // A partition that is read in several passes is open alone, one pass after the other.
        if self.pass.of > 1 {
            if self.position.0 < self.open {
                return self.open..self.open;
            }
            if let Some(next) = self.pass.next() {
                self.pass = next;
                self.position = (self.open - 1, 0);
                return self.position.0..self.open;
            }
            self.pass = Pass::ONLY;
        }
        let mut to_read = self.open..self.open;
        let open = &self.level.partitions[self.position.0..self.open];
        let mut bytes: usize = open.iter().map(|states| states.bytes()).sum();
        let mut states = self.open_states();
        while to_read.end < self.level.partitions.len() && states < most {
            let number = to_read.end;
            let wanted = self.level.bytes_when_read(number);
            let first = number == self.position.0;
            let passes = self.level.passes(number, share);
            if !first && (passes > 1 || bytes + wanted > share) {
                break;
            }
            to_read.end += 1;
            bytes += wanted;
            states += self.level.states_in(number) as usize;
            if passes > 1 {
                self.pass = Pass { number: 0, of: passes as u64 };
                break;
            }
        }
        to_read
    }

    pub(super) fn is_expanded(&self) -> bool {
        self.position.0 == self.level.partitions.len() && self.pass.next().is_none()
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let merged = self.merged_runs.iter().flatten().map(|of| of.new_indices.len());
        self.level.bytes() + merged.sum::<usize>() * size_of::<u32>()
    }
}
