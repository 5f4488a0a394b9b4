//! Keeping a sweep within its memory: what is spilled when, and what is read back.

use super::expansion::LevelExpansion;
use super::monitor::Monitor;
use super::run::PartitionReader;
use super::states::States;
use super::sweep::Sweep;
use super::workers::for_all;
use crate::Error;
use std::ops::Range;

/// Edges that are walked before what they lead to is merged, for each partition that this
/// goes to: enough for one visit to a partition's tables to serve many records.
const BATCH_EDGES_PER_PARTITION: usize = 1 << 10;
/// Edges of a batch for each thread: enough for what it takes to bring several together, and to
/// begin and end a batch, to be little beside the work.
const THREAD_EDGES: usize = 1 << 16;
/// The same where memory is not to be spared, and the bytes of their records at most, for each
/// thread and for all: so most levels are merged at once, and each partition is visited once.
/// Measured: diagrams of wide levels take 0.75 to 0.95 of the time, on one thread or two.
const THREAD_EDGES_AT_ONCE: usize = 1 << 20;
const THREAD_BYTES_AT_ONCE: usize = 1 << 25;
const BYTES_AT_ONCE: usize = 1 << 28;
/// The same where edges are not kept, and so a batch is most of what the process holds.
const THREAD_EDGES_NOT_KEPT: usize = 3 << 13;
/// What part of the memory limit the partitions that are being expanded may take, when
/// they are read from disk.
const OPEN_SHARE: usize = 4;
/// What part of it the records of a batch may take.
const BATCH_SHARE: usize = 16;
/// The share of the limit that makes spilling worth a file.
const WORTH_SHARE: usize = 16;
/// What part of it is left for what comes and goes between two looks at the bytes.
const SLACK_SHARE: usize = 8;
/// Twice how much more that is with several threads: the allocator keeps for each what it
/// gave back, and does not hand it to the others. Measured, for two.
const THREADS_SLACK: usize = 5;
/// The fewest edges of a batch, whatever the limit.
const LEAST_BATCH_EDGES: usize = 1 << 8;

impl Sweep<'_> {
    /// How many edges a batch is to have.
    pub(super) fn batch_edges(&self, partitions: usize, monitor: &Monitor<'_, '_>) -> u64 {
        let threads = monitor.workers.threads();
        let width = self.expansion.as_ref().map_or(0, |expansion| expansion.level.width);
        let record = self.pool.record_bytes(width).max(1);
        // What a state has elsewhere in memory, nobody knows the size of.
        let may_be_large = !monitor.is_held_to_a_size() && !self.pool.expander.states_own_memory();
        let of_thread = match threads {
            _ if self.payload.edges() && may_be_large => {
                let bytes = THREAD_BYTES_AT_ONCE.min(BYTES_AT_ONCE / threads);
                THREAD_EDGES_AT_ONCE.min(bytes / record).max(THREAD_EDGES)
            }
            _ if self.payload.edges() => THREAD_EDGES,
            // A count on one thread gains nothing by larger batches.
            1 => 0,
            _ => THREAD_EDGES_NOT_KEPT,
        };
        let wanted = (of_thread * threads).max(BATCH_EDGES_PER_PARTITION * partitions);
        let Some(limit) = monitor.memory_limit() else { return wanted as u64 };
        // What they lie in may be twice as large as what is in it, while that is not a block.
        let most = (limit / BATCH_SHARE / (2 * record)).max(LEAST_BATCH_EDGES);
        wanted.min(most) as u64
    }

    /// The bytes that the partitions that are open may take.
    pub(super) fn open_share(monitor: &Monitor<'_, '_>) -> usize {
        monitor.memory_limit().map_or(usize::MAX, |limit| limit / OPEN_SHARE)
    }

    /// Brings partitions of the current level into memory, so that there are `most` states
    /// to expand if the limit allows.
    pub(super) fn open(&mut self, most: usize, monitor: &Monitor<'_, '_>) -> Result<(), Error> {
        let expansion = self.expansion.as_mut().expect("a level is being expanded");
        let count = expansion.level.partitions.len();
        if !expansion.level.is_spilled() {
            expansion.open = count;
            return Ok(());
        }
        let to_read = expansion.next_to_open(most, Self::open_share(monitor));
        if to_read.is_empty() {
            return Ok(());
        }
        expansion.open = to_read.end;
        self.read_open(to_read, monitor)
    }

    /// Reads partitions of the current level, as far as its pass takes them.
    fn read_open(&mut self, to_read: Range<usize>, monitor: &Monitor<'_, '_>) -> Result<(), Error> {
        let expansion = self.expansion.as_mut().expect("a level is being expanded");
        let tools = self.storage.tools();
        let (pass, level) = (expansion.pass, &mut *expansion.level);
        if pass.of > 1 && !level.complete {
            // What is in memory takes part in every pass: so it has to be on disk.
            level.spill(to_read.clone(), tools)?;
        }
        for number in to_read.clone() {
            let partition = &level.partitions[number];
            if partition.room() == 0 && partition.len() == 0 {
                let spare = self.pool.spare(level.width);
                level.partitions[number] = spare.unwrap_or_else(|| partition.fresh());
            }
        }
        if let Some(merged) = &mut expansion.merged_runs {
            for number in to_read.clone() {
                merged.became[number].resize(level.spilled_states(number) as usize, 0);
            }
        }
        let reader = PartitionReader { runs: &level.runs, complete: level.complete, pass, tools };
        let mut merged = expansion.merged_runs.as_mut().map(|merged| {
            (merged.became[to_read.clone()].iter_mut(), merged.counts[to_read.clone()].iter_mut())
        });
        let work = level.partitions[to_read.clone()].iter_mut().map(|states| {
            let merged = merged.as_mut();
            (states, merged.and_then(|(became, counts)| became.next().zip(counts.next())))
        });
        let shared = to_read.len() > 1 && monitor.workers.threads() > 1;
        let workers = shared.then_some(&monitor.workers);
        let done = for_all(workers, work.collect::<Vec<_>>(), |number, (states, merged)| {
            let number = to_read.start + number;
            let Some((became, count)) = merged else {
                return reader.read(number, states, (None, 0));
            };
            reader.read(number, states, (Some(became), *count))?;
            *count += states.len() as u32;
            Ok(())
        });
        done.into_iter().collect()
    }

    /// Spills until what is in memory fits in the limit, with what the next batch needs.
    pub(super) fn spill_until_fits(&mut self, monitor: &mut Monitor<'_, '_>) -> Result<(), Error> {
        let Some(whole) = monitor.memory_limit() else { return Ok(()) };
        let held = self.bytes();
        self.freed.note(held);
        if self.storage.spill.is_some() {
            monitor.report.peak_bytes = monitor.report.peak_bytes.max(held);
            let slack = whole / SLACK_SHARE;
            let threads = monitor.workers.threads();
            let all = whole - if threads > 1 { slack * THREADS_SLACK / 2 } else { slack };
            // The next batch takes blocks for its records, which this one gave back. Not for more
            // than half of it, or all would be spilled in small pieces.
            let limit = all - self.batch_bytes().min(all / 2);
            if self.bytes_in_use() > limit {
                self.spill(limit, whole)?;
            }
            // Memory that is ready to be used is part of what the process has.
            self.pool.expander.trim_spare(all.saturating_sub(self.bytes_in_use()));
        }
        // What was freed in pieces serves only pieces that are no larger.
        self.freed.note(self.bytes());
        Ok(())
    }

    /// Spills the edges that reduction will not read soon, if they take much.
    pub(super) fn leave_room(&mut self, monitor: &Monitor<'_, '_>) -> Result<(), Error> {
        if self.storage.spill.is_some() && self.edges.log.bytes() > Self::open_share(monitor) {
            self.edges.spill(self.storage.tools())?;
        }
        Ok(())
    }

    /// Spills until no more than `limit` bytes are in use, of `whole` that may be.
    fn spill(&mut self, limit: usize, whole: usize) -> Result<(), Error> {
        self.pool.empty(limit);
        let worth = limit / WORTH_SHARE;
        // What is wanted last goes first.
        if self.bytes_in_use() > limit && self.edges.log.bytes() > worth {
            self.edges.spill(self.storage.tools())?;
        }
        for variable in self.pending.keys().copied().rev().collect::<Vec<_>>() {
            if self.bytes_in_use() > limit && self.pending[&variable].state_bytes() > worth {
                self.spill_pending(variable)?;
            }
        }
        // The next level, once there is much of it to merge; as long as there is little, the
        // rest of this one.
        if self.bytes_in_use() > limit && self.next_bytes() < limit / OPEN_SHARE {
            self.spill_rest(limit / OPEN_SHARE)?;
        }
        if self.bytes_in_use() > limit && self.next_bytes() > worth {
            self.spill_next()?;
        }
        // Small things, if it comes to that.
        if self.bytes_in_use() > limit {
            self.spill_rest(0)?;
        }
        if self.bytes_in_use() > limit {
            self.edges.spill(self.storage.tools())?;
            self.spill_next()?;
            for variable in self.pending.keys().copied().collect::<Vec<_>>() {
                self.spill_pending(variable)?;
            }
        }
        if self.bytes_in_use() > limit {
            self.drop_tables();
        }
        if self.bytes_in_use() > limit {
            // Empty between two batches, but with up to a block for each list.
            self.outboxes.clear();
        }
        // With nothing more to be had, the slack may be used, too.
        if self.bytes_in_use() > whole - whole / SLACK_SHARE {
            let variable = self.expansion.as_ref().map(|expansion| expansion.variable);
            // With some for the next batch.
            let least = self.bytes_in_use() / 4 * 5;
            // A number that is easily read and written, and not so far above that it is wrong.
            let grain = if least < 1 << 20 { 1 << 16 } else { 1 << 20 };
            let least = least.div_ceil(grain).max(1) * grain;
            return Err(Error::LimitTooSmall { limit: whole, least, variable });
        }
        Ok(())
    }

    fn next_bytes(&self) -> usize {
        self.expansion.as_ref().map_or(0, |expansion| expansion.next.state_bytes())
    }

    /// Gives back the tables of levels that have been spilled.
    fn drop_tables(&mut self) {
        for variable in self.pending.keys().copied().collect::<Vec<_>>() {
            let mut level = self.pending.take(variable).expect("the level is pending");
            drop_empty_tables(&mut level.partitions);
            self.pending.insert(variable, level);
        }
        if let Some(expansion) = &mut self.expansion {
            drop_empty_tables(&mut expansion.next.partitions);
        }
    }

    fn spill_pending(&mut self, variable: usize) -> Result<(), Error> {
        let mut level = self.pending.take(variable).expect("the level is pending");
        level.spill(0..level.partitions.len(), self.storage.tools())?;
        drop_empty_tables(&mut level.partitions);
        self.pending.insert(variable, level);
        Ok(())
    }

    fn spill_next(&mut self) -> Result<(), Error> {
        let Some(expansion) = &mut self.expansion else { return Ok(()) };
        expansion.next.spill(0..expansion.next.partitions.len(), self.storage.tools())
    }

    /// Spills of the current level what is not open, but for so many bytes that come next.
    fn spill_rest(&mut self, keep: usize) -> Result<(), Error> {
        let Some(LevelExpansion { level, open, position, .. }) = &mut self.expansion else {
            return Ok(());
        };
        // Of a level that was never spilled everything is open.
        if !level.is_spilled() {
            *open = position.0 + 1;
        }
        let count = level.partitions.len();
        let mut kept = 0;
        let fits = |bytes: &usize| {
            kept += bytes;
            kept <= keep
        };
        let unopened = level.partitions.iter().skip(*open).map(|states| states.bytes());
        let first = *open + unopened.take_while(fits).count();
        level.spill(first.min(count)..count, self.storage.tools())?;
        if !level.is_spilled() {
            *open = count;
        }
        // Nothing arrives here any more.
        drop_empty_tables(&mut level.partitions[first.min(count)..]);
        Ok(())
    }
}

/// Gives back the tables of partitions without states.
fn drop_empty_tables(partitions: &mut [Box<dyn States>]) {
    partitions.iter_mut().filter(|of| of.len() == 0).for_each(|of| of.drop_table());
}
