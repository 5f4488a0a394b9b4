//! The memory limit of a sweep: the account, sizes of batches, spilling, and reading back.

use super::expansion::LevelExpansion;
use super::level::Level;
use super::monitor::{Monitor, limit_too_small};
use super::outbox::Outbox;
use super::payload::combiner_at;
use super::run::read_partition;
use super::sweep::Sweep;
use super::workers::for_all;
use crate::BuildError;

/// The edges of a batch for each target partition: enough for one visit to the table of a partition
/// to merge many records.
const BATCH_EDGES_PER_PARTITION: usize = 1 << 10;
/// The edges of a batch for each thread: enough for the work to outweigh the overhead of a batch
/// and of synchronization.
const THREAD_EDGES: usize = 1 << 16;
/// The edges of a batch for each thread if memory and states are not limited. So most levels are one
/// batch, and each partition is visited once: diagrams of wide levels take 0.75 to 0.95 of the time, on one
/// thread or two.
const THREAD_EDGES_AT_ONCE: usize = 1 << 20;
/// The most bytes of the records of such a batch, for each thread.
const THREAD_BYTES_AT_ONCE: usize = 1 << 25;
/// The most bytes of the records of such a batch.
const BYTES_AT_ONCE: usize = 1 << 28;
/// The edges of a batch for each thread if edges are not stored. A batch is then most of the memory
/// of the process.
const THREAD_EDGES_NOT_KEPT: usize = 3 << 13;
/// Open partitions that are read from disk may take the memory limit divided by this.
const OPEN_SHARE: usize = 4;
/// The records of a batch may take the limit divided by this.
const BATCH_SHARE: usize = 16;
/// The limit divided by this is the least number of bytes that are worth a file.
const WORTH_SHARE: usize = 16;
/// The limit divided by this is reserved for memory used between two checks.
const SLACK_SHARE: usize = 8;
/// With several threads, the reserve is multiplied by half of this: the allocator caches freed
/// memory for each thread. Measured with two threads.
const THREADS_SLACK: usize = 5;
/// The least number of edges of a batch, for any limit.
const LEAST_BATCH_EDGES: usize = 1 << 8;

impl Sweep<'_> {
    /// The expected bytes of the records of the next batch.
    pub(super) fn expected_batch_bytes(&self) -> usize {
        let [this_level, before] = self.most_batch_bytes;
        this_level.max(before)
    }

    /// Size in bytes of the sweep with the records of a batch. If data can spill, the records are
    /// counted up to the memory limit: batches become smaller beyond it.
    pub(super) fn bytes(&self) -> usize {
        self.with_batch(self.bytes_in_use())
    }

    /// Size in bytes of the sweep with `in_use` bytes and the records of a batch.
    fn with_batch(&self, in_use: usize) -> usize {
        let limit = self.storage.memory_limit.filter(|_| self.storage.spill.is_some());
        let room = limit.map_or(usize::MAX, |limit| limit.saturating_sub(in_use));
        in_use + self.expected_batch_bytes().min(room)
    }

    /// Size in bytes of the sweep between two batches.
    pub(super) fn bytes_in_use(&self) -> usize {
        self.expansion.as_ref().map_or(0, LevelExpansion::bytes)
            + self.pending.bytes
            + self.pool.bytes()
            + self.outboxes.iter().map(Outbox::bytes).sum::<usize>()
            + self.edges.bytes()
            + self.arities.bytes()
            + self.peers.as_ref().map_or(0, |peers| peers.mesh.bytes())
            + self.received.iter().map(|lists| lists.bytes()).sum::<usize>()
    }

    /// The number of edges that a batch should have.
    pub(super) fn batch_edges(&self, partitions: usize, monitor: &Monitor<'_, '_>) -> u64 {
        let threads = monitor.workers.threads;
        let LevelExpansion { variable, level, .. } =
            self.expansion.as_ref().expect("a level is being expanded");
        let limbs = self.payload.limbs(*variable, level.width);
        let record = self.pool.record_bytes(self.payload.width(variable + 1, limbs)).max(1);
        let config = monitor.config;
        let is_limited = config.spill_limit().is_some() || config.max_states.is_some();
        // The heap memory of states has an unknown size.
        let may_be_large = !is_limited && !self.pool.expander.states_own_memory();
        let stores_edges = self.payload.stores_edges();
        let of_thread = match threads {
            _ if stores_edges && may_be_large => {
                let bytes = THREAD_BYTES_AT_ONCE.min(BYTES_AT_ONCE / threads);
                THREAD_EDGES_AT_ONCE.min(bytes / record).max(THREAD_EDGES)
            }
            _ if stores_edges => THREAD_EDGES,
            // Larger batches do not speed up a count on one thread.
            1 => 0,
            _ => THREAD_EDGES_NOT_KEPT,
        };
        let wanted = (of_thread * threads).max(BATCH_EDGES_PER_PARTITION * partitions);
        // The capacity of a list may be twice its length, until it is a whole block.
        let unlimited = if stores_edges { 2 * BYTES_AT_ONCE } else { BYTES_AT_ONCE / 2 };
        let share = match (config.spill_limit(), config.memory_limit) {
            (Some(limit), _) => limit / BATCH_SHARE,
            // The states of the batch may take as much again.
            (None, Some(limit)) => unlimited.min(limit.saturating_sub(self.bytes_in_use()) / 2),
            (None, None) => unlimited,
        };
        wanted.min((share / (2 * record)).max(LEAST_BATCH_EDGES)) as u64
    }

    /// The most bytes of the open partitions.
    pub(super) fn open_share(monitor: &Monitor<'_, '_>) -> usize {
        monitor.config.memory_limit.map_or(usize::MAX, |limit| limit / OPEN_SHARE)
    }

    /// Opens partitions of the level being expanded, until `most` states are in memory if the limit
    /// allows.
    pub(super) fn open(
        &mut self,
        most: usize,
        monitor: &Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        let expansion = self.expansion.as_mut().expect("a level is being expanded");
        if !expansion.level.is_spilled() {
            expansion.open = expansion.level.partitions.len();
            return Ok(());
        }
        let to_read = expansion.next_to_open(most, Self::open_share(monitor));
        expansion.open = to_read.end;
        let storage = &self.storage;
        let (pass, level) = (expansion.pass, &mut *expansion.level);
        if pass.of > 1 && !level.complete {
            // Every pass reads all runs, so the states in memory must become a run.
            level.spill(to_read.clone(), storage)?;
        }
        let combiner = combiner_at(self.payload, expansion.variable);
        let (runs, order) = (&level.runs[..], (level.complete, pass));
        let merged = expansion.merged_runs.as_mut();
        let mut merged = merged.map(|merged| merged[to_read.clone()].iter_mut());
        let work = level.partitions[to_read.clone()].iter_mut();
        let work = work.map(|states| (states, merged.as_mut().and_then(Iterator::next)));
        let shared = to_read.len() > 1 && monitor.workers.threads > 1;
        let done = for_all(shared.then_some(&monitor.workers), work, |number, (states, merged)| {
            let runs = (runs, to_read.start + number);
            read_partition(runs, order, combiner, storage, &mut **states, merged)
        });
        done.into_iter().collect()
    }

    /// Enforces the limits of bytes and states. Spills until the sweep and the next batch fit in the
    /// memory limit.
    pub(super) fn enforce_limits(
        &mut self,
        variable: Option<usize>,
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        if let Some(whole) = monitor.config.spill_limit() {
            // Notes the bytes before spilling, too, because these are the maximum.
            self.freed.note(self.bytes_in_use());
            monitor.report.peak_bytes = monitor.report.peak_bytes.max(self.bytes());
            let slack = whole / SLACK_SHARE;
            let threads = monitor.workers.threads;
            let all = whole - if threads > 1 { slack * THREADS_SLACK / 2 } else { slack };
            // At most half of the limit is reserved for the records of the next batch, or
            // everything would be spilled in small pieces.
            let limit = all - self.expected_batch_bytes().min(all / 2);
            if self.bytes_in_use() > limit {
                self.spill(limit, whole)?;
            }
        }
        let in_use = self.bytes_in_use();
        // Returns memory to the system if much was freed: small pieces cannot serve larger requests.
        self.freed.note(in_use);
        monitor.check_size(variable, self.with_batch(in_use), self.distinct_states())
    }

    /// Spills until at most `limit` bytes are in use. `whole` is the memory limit of the run.
    fn spill(&mut self, limit: usize, whole: usize) -> Result<(), BuildError> {
        self.pool.empty();
        if self.bytes_in_use() > limit {
            // Outboxes are empty between two batches, but keep up to a block for each list.
            self.outboxes.clear();
        }
        // Spills in reverse order of the next use, and small parts only if nothing else is left.
        for worth in [limit / WORTH_SHARE, 0] {
            if self.bytes_in_use() > limit && self.edges.stack.bytes() > worth {
                self.edges.spill(&self.storage)?;
            }
            for variable in self.pending.keys().copied().rev().collect::<Vec<_>>() {
                let bytes = self.pending[&variable].state_bytes();
                let expansion = self.expansion.as_ref().filter(|of| !of.is_expanded());
                let is_next = expansion.is_some_and(|of| of.variable + 1 == variable);
                // While the next level is small, spills the unopened rest of this level instead.
                if is_next && self.bytes_in_use() > limit && bytes < limit / OPEN_SHARE {
                    self.spill_rest(limit / OPEN_SHARE)?;
                }
                if self.bytes_in_use() > limit && bytes > worth {
                    let (storage, all) = (&self.storage, |of: &Level| 0..of.partitions.len());
                    let keep = |of: &mut Level| of.spill_keeping_tables(all(of), storage);
                    let free = |of: &mut Level| of.spill(all(of), storage);
                    if is_next {
                        self.pending.change(variable, keep)?;
                    }
                    // Frees the tables of the next level, too, unless `worth` bytes are free while they stay.
                    if self.bytes_in_use() + worth > limit {
                        self.pending.change(variable, free)?;
                    }
                }
            }
            if self.bytes_in_use() > limit {
                self.spill_rest(0)?;
            }
        }
        // Nothing more can be spilled. Now only the limit divided by `SLACK_SHARE` stays reserved.
        if self.bytes_in_use() > whole - whole / SLACK_SHARE {
            let variable = self.expansion.as_ref().map(|expansion| expansion.variable);
            return Err(limit_too_small(whole, self.bytes_in_use(), variable));
        }
        Ok(())
    }

    /// Spills the partitions of this level that are not open, except the next `keep` bytes of them.
    fn spill_rest(&mut self, keep: usize) -> Result<(), BuildError> {
        let Some(LevelExpansion { level, open, position, .. }) = &mut self.expansion else {
            return Ok(());
        };
        // All partitions of a level that was never spilled are open. From here on, only the partitions
        // up to the one in progress are open.
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
        level.spill(first.min(count)..count, &self.storage)
    }
}
