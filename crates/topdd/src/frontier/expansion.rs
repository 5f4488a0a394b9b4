//! The level in progress: which of its states are expanded, and the passes over its partitions.

use super::disk::Storage;
use super::expander::SweepInput;
use super::level::Level;
use super::payload::{Payload, combiner_at};
use super::places::MergedFiles;
use super::spill_file::SpilledPartition;
use super::states::Pass;
use super::workers::{Workers, for_all};
use crate::BuildError;
use crate::spec::Rule;
use std::ops::Range;

/// The least number of states of a group: scheduling costs more than expanding a smaller one.
pub(super) const MIN_GROUP_STATES: usize = 256;
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
    /// `position` returns to the start of that partition for each of them. A level that was complete
    /// before it was spilled is not read in several passes, but [split](Level::split).
    pub(super) pass: Pass,
    /// For each partition, the indices of the states in its spill files, if edges are stored and the states
    /// have no numbers until their files are merged.
    pub(super) merged_files: Option<Vec<MergedFiles>>,
    /// The number of edges.
    pub(super) edges: u64,
}

/// A partition, and the index of a state in it.
pub(super) type Position = (usize, usize);

/// Successive open states of a level, which one thread expands.
pub(super) struct Group {
    /// The number of the states, at most.
    pub(super) states: usize,
    pub(super) range: Range<Position>,
}

impl LevelExpansion {
    /// The expansion of a level, before its first batch.
    pub(super) fn new(variable: usize, level: Box<Level>, input: SweepInput<'_>) -> Self {
        LevelExpansion {
            variable,
            // Records of edges to the 1-terminal include the variables that are 0 after them.
            end: match input.rule {
                Rule::ZeroSuppressed => input.arities.num_vars(),
                Rule::AnyValue => variable + 1,
            },
            states: level.states(),
            level,
            expanded: 0,
            edges_per_state: input.arities.get(variable) as f64,
            position: (0, 0),
            open: 0,
            pass: Pass::ONLY,
            merged_files: None,
            edges: 0,
        }
    }

    /// Ranges of the states between two positions, each with the index of its partition.
    pub(super) fn ranges(
        &self,
        Range { start, end }: Range<Position>,
    ) -> impl Iterator<Item = (usize, Range<usize>)> {
        let partitions = self.level.partitions.iter().enumerate().take(end.0 + 1).skip(start.0);
        partitions.map(move |(number, partition)| {
            let first = if number == start.0 { start.1 } else { 0 };
            (number, first..if number == end.0 { end.1 } else { partition.len() })
        })
    }

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

    /// Cuts the next open states, at least one, into groups for so many threads.
    pub(super) fn groups(&self, states: usize, threads: usize) -> Vec<Group> {
        if threads == 1 {
            let range = self.position..self.after(self.position, states);
            return vec![Group { states, range }];
        }
        let of_thread = states.div_ceil(threads);
        let whole: usize = GROUP_SHARES.iter().sum();
        let (mut start, mut left, mut groups) = (self.position, states, Vec::new());
        for share in GROUP_SHARES.iter().cycle() {
            if left == 0 {
                break;
            }
            let size = (of_thread * share).div_ceil(whole).max(MIN_GROUP_STATES).min(left);
            let end = self.after(start, size);
            groups.push(Group { states: size, range: start..end });
            (start, left) = (end, left - size);
        }
        groups
    }

    /// The number of states from the current position up to another one.
    pub(super) fn states_until(&self, end: Position) -> usize {
        self.ranges(self.position..end).map(|(_, states)| states.len()).sum()
    }

    /// The positions from the current one up to another one.
    pub(super) fn positions_until(&self, end: Position) -> impl Iterator<Item = Position> {
        let ranges = self.ranges(self.position..end);
        ranges.flat_map(|(partition, states)| states.map(move |state| (partition, state)))
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
    fn next_to_open(&mut self, most: usize, share: usize) -> Range<usize> {
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
            if passes > 1 && self.level.complete && self.level.split(number, passes) {
                continue;
            }
            let passes = if self.level.complete { 1 } else { passes };
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

    /// Opens partitions until `most` states are in memory, if `share` bytes suffice: reads them back from disk if
    /// the level was spilled.
    pub(super) fn open(
        &mut self,
        most: usize,
        share: usize,
        payload: &dyn Payload,
        storage: &Storage,
        workers: &Workers,
    ) -> Result<(), BuildError> {
        if !self.level.is_spilled() {
            self.open = self.level.partitions.len();
            return Ok(());
        }
        let to_read = self.next_to_open(most, share);
        self.open = to_read.end;
        let (pass, level) = (self.pass, &mut *self.level);
        if pass.of > 1 && !level.complete {
            // Every pass reads all files, so the states in memory must be in a file.
            level.spill(to_read.clone(), storage)?;
        }
        let combiner = combiner_at(payload, self.variable);
        let files = &level.files[..];
        let merged = self.merged_files.as_mut();
        let mut merged = merged.map(|merged| merged[to_read.clone()].iter_mut());
        let work = level.partitions[to_read.clone()].iter_mut();
        let work = work.map(|states| (states, merged.as_mut().and_then(Iterator::next)));
        let shared = to_read.len() > 1 && workers.threads > 1;
        let done = for_all(shared.then_some(workers), work, |number, (states, merged)| {
            let spilled = SpilledPartition { files, partition: to_read.start + number };
            spilled.merge_into(&mut **states, pass, combiner, &storage.watch, merged)
        });
        done.into_iter().collect()
    }

    /// Spills the partitions that are not open, except the next `keep` bytes of them.
    pub(super) fn spill_unopened(
        &mut self,
        keep: usize,
        storage: &Storage,
    ) -> Result<(), BuildError> {
        let level = &mut self.level;
        // All partitions of a level that was never spilled are open. From here on, only the partitions
        // up to the one in progress are open.
        if !level.is_spilled() {
            self.open = self.position.0 + 1;
        }
        let count = level.partitions.len();
        let mut kept = 0;
        let fits = |bytes: &usize| {
            kept += bytes;
            kept <= keep
        };
        let unopened = level.partitions.iter().skip(self.open).map(|states| states.bytes());
        let first = self.open + unopened.take_while(fits).count();
        level.spill(first.min(count)..count, storage)
    }

    /// The number of edges to this level, whose states are all expanded, that led to a state already in it.
    pub(super) fn merged(&self) -> u64 {
        // A state in several files counts as several, and these have merged as well.
        self.level.merged + self.states - self.expanded
    }

    pub(super) fn is_expanded(&self) -> bool {
        self.position.0 == self.level.partitions.len() && self.pass.next().is_none()
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let merged = self.merged_files.iter().flatten().map(|of| of.new_indices.len());
        self.level.bytes() + merged.sum::<usize>() * size_of::<u32>()
    }
}
