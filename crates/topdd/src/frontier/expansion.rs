//! The level that is being expanded.

use super::level::{Level, MergedRuns};
use super::states::Pass;
use num_bigint::BigUint;
use std::ops::Range;

/// The level that is being expanded.
pub(super) struct LevelExpansion {
    pub(super) variable: usize,
    pub(super) level: Box<Level>,
    /// The number of states, or an upper bound as long as some are on disk.
    pub(super) states: u64,
    pub(super) expanded: u64,
    /// How many edges the states of the last batch had; at first, what they may have.
    pub(super) edges_per_state: f64,
    /// The first partition, and the first state in it, yet to be expanded.
    pub(super) position: (usize, usize),
    /// The partitions before this one are in memory, or done.
    pub(super) open: usize,
    /// Which part of the last of these it is that is in memory, if there are several.
    pub(super) pass: Pass,
    /// If edges are stored, and the numbers of the states are known only after their runs were
    /// merged.
    pub(super) merged_runs: Option<MergedRuns>,
    pub(super) next: Box<Level>,
    /// What arrived at the 1-terminal, and over how many edges.
    pub(super) ones: BigUint,
    pub(super) ones_edges: u64,
    pub(super) edges: u64,
    pub(super) merged: u64,
}

/// States of one partition that are expanded together.
pub(super) struct Stretch {
    pub(super) partition: usize,
    pub(super) states: Range<usize>,
}

impl LevelExpansion {
    /// The next states to expand, as far as they are in memory, in groups of up to these sizes,
    /// none of which is 0; and the position after them.
    pub(super) fn groups(&self, sizes: &[usize]) -> (Vec<Vec<Stretch>>, (usize, usize)) {
        let mut groups = Vec::with_capacity(sizes.len());
        let mut position = self.position;
        for &size in sizes {
            let mut group = Vec::new();
            let mut left = size;
            while left > 0 && position.0 < self.open {
                let partition = position.0;
                let count = self.level.partitions[partition].len();
                let end = count.min(position.1.saturating_add(left));
                let states = position.1..end;
                position = if end == count { (partition + 1, 0) } else { (partition, end) };
                left -= states.len();
                if !states.is_empty() {
                    group.push(Stretch { partition, states });
                }
            }
            if !group.is_empty() {
                groups.push(group);
            }
        }
        // Empty partitions are done.
        let empty = |partition: usize| self.level.partitions[partition].len() == 0;
        while position.1 == 0 && position.0 < self.open && empty(position.0) {
            position.0 += 1;
        }
        (groups, position)
    }

    /// The states in memory that are yet to be expanded, of the partitions that are open.
    pub(super) fn open_states(&self) -> usize {
        let (partition, state) = self.position;
        let open = &self.level.partitions[partition..self.open.max(partition)];
        open.iter().map(|states| states.len()).sum::<usize>().saturating_sub(state)
    }

    /// The states of this level and of the next that are known to be distinct.
    pub(super) fn distinct_states(&self) -> u64 {
        let of_this = if self.level.is_spilled() && !self.level.complete {
            self.expanded + self.level.distinct_states() - self.position.1 as u64
        } else {
            self.states
        };
        of_this + self.next.distinct_states()
    }

    /// The partitions to bring into memory next, so that there are `most` states to expand if
    /// `share` bytes allow.
    pub(super) fn next_to_open(&mut self, most: usize, share: usize) -> Range<usize> {
        // A partition of several parts is open alone: its next part takes its place.
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
        let merged = self.merged_runs.as_ref().map_or(0, MergedRuns::bytes);
        self.level.bytes() + self.next.bytes() + merged
    }
}
