//! The memory limit: the working set of a sweep, in memory and on disk, and the policy that keeps it within the limit.
//!
//! [`WorkingSet::enforce_limits`] measures the data and spills what [`Budget`] selects. Sizes go into the budget, and decisions
//! come out: how many edges a batch has, and which part of the working set is spilled next.
//!
//! Other modules derive sizes of their own from the limit: `expansion` the passes over a partition, `level` the number
//! of partitions, `merge` the spill of a level before it is widened, `sample` its size, and `diagram::reduce` its
//! shares.

use super::child_records::ChildRecords;
use super::disk::Storage;
use super::edges::EdgeStore;
use super::expander::{ForcedPolicy, SweepInput};
use super::expansion::LevelExpansion;
use super::level::{Level, PendingLevels, Pool};
use super::monitor::{Monitor, limit_too_small};
use super::payload::OneTerminal;
use super::sample::Sample;
use super::states::Rank;
use crate::BuildError;
use crate::heap::HeapTrimmer;

/// The data of a sweep between two levels, which a checkpoint stores.
#[derive(Default)]
pub(super) struct SweepData {
    pub(super) pending: PendingLevels,
    pub(super) edges: EdgeStore,
    pub(super) ones: OneTerminal,
    /// The number of states of finished levels, in all processes.
    pub(super) finished_states: u64,
}

/// The data of a sweep, the memory that it uses again, and its directories.
pub(super) struct WorkingSet<'a> {
    pub(super) input: SweepInput<'a>,
    pub(super) data: SweepData,
    pub(super) pool: Pool<'a>,
    /// One for each group of a batch.
    pub(super) child_records: Vec<ChildRecords>,
    pub(super) storage: Storage,
    pub(super) budget: Budget,
    pub(super) forced_policy: ForcedPolicy,
    /// Some states of the finished levels, if the run has a checkpoint.
    pub(super) sample: Sample,
    trimmer: HeapTrimmer,
}

impl<'a> WorkingSet<'a> {
    pub(super) fn new(
        input: SweepInput<'a>,
        storage: Storage,
        rank: Rank,
        monitor: &Monitor<'_, '_>,
    ) -> Self {
        let edges = EdgeStore::new(rank.rank, Vec::new());
        // The nodes of forced chains must be in memory, and in the memory of one process: neither a level
        // that is reduced in parts nor a checkpoint contains chains.
        let in_parts = storage.checkpoint.is_some() || monitor.config.spill_limit().is_some();
        WorkingSet {
            input,
            data: SweepData { edges, ..SweepData::default() },
            forced_policy: ForcedPolicy::new(input.rule, input.payload, in_parts || rank.size > 1),
            pool: Pool::new(input.expander, input.payload.stores_edges(), monitor),
            child_records: Vec::new(),
            budget: Budget::new(monitor),
            storage,
            sample: Sample::default(),
            trimmer: HeapTrimmer::under(monitor.config.memory_limit),
        }
    }

    /// Size in bytes between two batches. `elsewhere` is the size of the messages of other processes.
    pub(super) fn bytes_in_use(&self, level: Option<&LevelExpansion>, elsewhere: usize) -> usize {
        level.map_or(0, LevelExpansion::bytes)
            + self.data.pending.bytes()
            + self.pool.bytes()
            + self.child_records.iter().map(ChildRecords::bytes).sum::<usize>()
            + self.data.edges.bytes()
            + self.input.arities.bytes()
            + self.sample.bytes()
            + elsewhere
    }

    /// Size in bytes with the records of the next batch, without a level in progress.
    pub(super) fn bytes(&self, elsewhere: usize) -> usize {
        self.budget.with_next_batch(self.bytes_in_use(None, elsewhere))
    }

    /// Enforces the limits of bytes and states. Spills until the working set and the next batch fit in
    /// the memory limit.
    pub(super) fn enforce_limits(
        &mut self,
        mut level: Option<&mut LevelExpansion>,
        elsewhere: usize,
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        let variable = level.as_ref().map(|level| level.variable);
        let mut in_use = self.bytes_in_use(level.as_deref(), elsewhere);
        if let Some(target) = self.budget.spill_target() {
            // Notes the bytes before spilling, too, because these are the maximum.
            self.trimmer.note(in_use);
            let most = self.budget.with_next_batch(in_use);
            monitor.report.peak_bytes = monitor.report.peak_bytes.max(most);
            if in_use > target {
                in_use = self.spill(level.as_deref_mut(), target, elsewhere)?;
                self.budget.check_spilled(in_use, variable)?;
            }
        }
        // Returns memory to the system if much was freed: small pieces cannot serve larger requests.
        self.trimmer.note(in_use);
        let here = level.map_or(0, |level| level.distinct_states());
        let states = self.data.finished_states + here + self.data.pending.distinct_states();
        monitor.check_size(variable, self.budget.with_next_batch(in_use), states)
    }

    /// Spills until at most `target` bytes are in use, or nothing is left. Returns the bytes in use.
    fn spill(
        &mut self,
        mut level: Option<&mut LevelExpansion>,
        target: usize,
        elsewhere: usize,
    ) -> Result<usize, BuildError> {
        let next = level.as_ref().filter(|level| !level.is_expanded());
        let pending = self.data.pending.iter().rev();
        let sizes = SpillSizes {
            edges: self.data.edges.stack.bytes(),
            pending: pending.map(|(&variable, level)| (variable, level.state_bytes())).collect(),
            next: next.map(|level| level.variable + 1),
        };
        let mut in_use = self.bytes_in_use(level.as_deref(), elsewhere);
        for spill in Budget::spills(target, &sizes) {
            if in_use > spill.above {
                self.spill_part(spill.part, level.as_deref_mut())?;
                in_use = self.bytes_in_use(level.as_deref(), elsewhere);
            }
        }
        Ok(in_use)
    }

    fn spill_part(
        &mut self,
        part: SpilledPart,
        level: Option<&mut LevelExpansion>,
    ) -> Result<(), BuildError> {
        let storage = &self.storage;
        let pending = &mut self.data.pending;
        match (part, level) {
            (SpilledPart::Pool, _) => self.pool.empty(),
            (SpilledPart::ChildRecords, _) => self.child_records.clear(),
            (SpilledPart::Edges, _) => return self.data.edges.spill(storage),
            (SpilledPart::States { variable }, _) => {
                return pending.change(variable, |of| of.spill_all(storage));
            }
            (SpilledPart::NextStates { variable }, _) => {
                let keep =
                    |of: &mut Level| of.spill_keeping_tables(0..of.partitions.len(), storage);
                return pending.change(variable, keep);
            }
            (SpilledPart::Tables { variable }, _) => pending.change(variable, Level::free_tables),
            (SpilledPart::Unopened { keep }, Some(level)) => {
                return level.spill_unopened(keep, storage);
            }
            (SpilledPart::Unopened { .. }, None) => {}
        }
        Ok(())
    }
}

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
/// The maximum size in bytes of the records of such a batch, for each thread.
const THREAD_BYTES_AT_ONCE: usize = 1 << 25;
/// The maximum size in bytes of the records of such a batch.
const BYTES_AT_ONCE: usize = 1 << 28;
/// The edges of a batch for each thread if edges are not stored. A batch is then most of the memory
/// of the process.
const THREAD_EDGES_NOT_KEPT: usize = 3 << 13;
/// Open partitions that are read from disk may take the memory limit divided by this.
const OPEN_SHARE: usize = 4;
/// The records of a batch may take the limit divided by this.
const BATCH_SHARE: usize = 16;
/// The records and edges of a batch may take what is left of a limit without disk, divided by this.
const ROOM_SHARE: usize = 2;
/// The most bytes of a stored edge besides its record: its destination, its place, its code, and the target of a long
/// edge.
const EDGE_BYTES: usize = 17;
/// The limit divided by this is the least number of bytes that are worth a file.
const WORTH_SHARE: usize = 16;
/// The limit divided by this is reserved for memory used between two checks.
const SLACK_SHARE: usize = 8;
/// With several threads, the reserve is multiplied by half of this: the allocator caches freed
/// memory for each thread. Measured with two threads.
const THREADS_SLACK: usize = 5;
/// The least number of edges of a batch, for any limit.
const MIN_BATCH_EDGES: usize = 1 << 8;

/// The memory limit of a run, and what a batch is expected to need.
pub(super) struct Budget {
    /// The memory limit in bytes.
    limit: Option<usize>,
    /// The same, if data beyond it goes to disk. Without disk, a run works as without a limit until it stops
    /// there.
    spill_limit: Option<usize>,
    threads: usize,
    /// Whether the states are limited.
    limits_states: bool,
    /// The maximum size in bytes of the records of a batch, for the level being expanded and the one before
    /// it. The next batch will need about as many.
    batch_bytes: [usize; 2],
}

/// The edges of the next batch, as far as their number depends on them.
pub(super) struct BatchShape {
    /// The number of partitions that the edges lead to.
    pub(super) partitions: usize,
    /// Size in bytes of a record.
    pub(super) record_bytes: usize,
    /// Whether states own memory on the heap, whose size is unknown without a limit.
    pub(super) owns_memory: bool,
    pub(super) stores_edges: bool,
    /// The bytes in use before the batch, if the size [depends](Budget::depends_on_use) on them.
    pub(super) in_use: usize,
}

/// A part of the working set that is freed or moved to disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SpilledPart {
    /// Memory for reuse: spare partitions.
    Pool,
    /// Memory for reuse: the lists of records, which are empty between two batches.
    ChildRecords,
    /// The edges.
    Edges,
    /// The unopened partitions of the level in progress, except the next `keep` bytes of them.
    Unopened { keep: usize },
    /// The states of a pending level.
    States { variable: usize },
    /// The states of the next level, but not its tables: most of its states are yet to arrive.
    NextStates { variable: usize },
    /// The tables of a level whose states were spilled.
    Tables { variable: usize },
}

/// A part to spill, if more than `above` bytes are in use when its turn comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spill {
    pub(super) part: SpilledPart,
    pub(super) above: usize,
}

/// The sizes in bytes of the parts that can be spilled.
pub(super) struct SpillSizes {
    pub(super) edges: usize,
    /// The states of each pending level, by descending variable.
    pub(super) pending: Vec<(usize, usize)>,
    /// The variable of the next level, if edges of the level in progress will lead to it.
    pub(super) next: Option<usize>,
}

impl Budget {
    pub(super) fn new(monitor: &Monitor<'_, '_>) -> Self {
        Budget {
            limit: monitor.config.memory_limit,
            spill_limit: monitor.config.spill_limit(),
            threads: monitor.workers.threads,
            limits_states: monitor.config.max_states.is_some(),
            batch_bytes: [0; 2],
        }
    }

    /// Notes the size in bytes of the records of a batch.
    pub(super) fn note_batch(&mut self, bytes: usize) {
        self.batch_bytes[0] = self.batch_bytes[0].max(bytes);
    }

    /// Notes the end of a level.
    pub(super) fn end_level(&mut self) {
        self.batch_bytes = [0, self.batch_bytes[0]];
    }

    /// The expected size in bytes of the records of the next batch.
    fn next_batch_bytes(&self) -> usize {
        let [this_level, before] = self.batch_bytes;
        this_level.max(before)
    }

    /// Adds the records of the next batch to the bytes in use. Counts the records up to what
    /// [`batch_edges`](Budget::batch_edges) allows: batches become smaller near the limit.
    fn with_next_batch(&self, in_use: usize) -> usize {
        let room = match (self.spill_limit, self.limit) {
            (Some(limit), _) => limit.saturating_sub(in_use),
            (None, Some(limit)) => limit.saturating_sub(in_use) / (2 * ROOM_SHARE),
            (None, None) => usize::MAX,
        };
        in_use + self.next_batch_bytes().min(room)
    }

    /// Whether the size of a batch depends on the bytes in use.
    pub(super) fn depends_on_use(&self) -> bool {
        self.spill_limit.is_none() && self.limit.is_some()
    }

    /// The number of edges that a batch should have.
    pub(super) fn batch_edges(&self, shape: &BatchShape) -> u64 {
        let &BatchShape { partitions, record_bytes, owns_memory, stores_edges, in_use } = shape;
        let (record, threads) = (record_bytes.max(1), self.threads);
        // The heap memory of states has an unknown size.
        let may_be_large = self.spill_limit.is_none() && !self.limits_states && !owns_memory;
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
        let most = match (self.spill_limit, self.limit) {
            (Some(limit), _) => limit / BATCH_SHARE / (2 * record),
            // The states of the batch may take as much again.
            (None, Some(limit)) => {
                let edge = if stores_edges { EDGE_BYTES } else { 0 };
                let room = limit.saturating_sub(in_use) / ROOM_SHARE / (2 * record + edge);
                room.min(unlimited / (2 * record))
            }
            (None, None) => unlimited / (2 * record),
        };
        wanted.min(most.max(MIN_BATCH_EDGES)) as u64
    }

    /// The maximum size in bytes of the open partitions, and of the edges that stay in memory for the
    /// reduction.
    pub(super) fn open_share(&self) -> usize {
        self.spill_limit.map_or(usize::MAX, |limit| limit / OPEN_SHARE)
    }

    /// The number of bytes in use down to which data is spilled. `None` if nothing is spilled.
    ///
    /// At most half of the limit is reserved for the records of the next batch, or everything would be
    /// spilled in small pieces.
    fn spill_target(&self) -> Option<usize> {
        let limit = self.spill_limit?;
        let slack = limit / SLACK_SHARE;
        let all = limit - if self.threads > 1 { slack * THREADS_SLACK / 2 } else { slack };
        Some(all - self.next_batch_bytes().min(all / 2))
    }

    /// The parts to spill, in reverse order of their next use, and small parts only if nothing else is left.
    pub(super) fn spills(target: usize, sizes: &SpillSizes) -> Vec<Spill> {
        let worth = target / WORTH_SHARE;
        let step = |part| Spill { part, above: target };
        let mut spills = vec![step(SpilledPart::Pool), step(SpilledPart::ChildRecords)];
        for is_worth in [true, false] {
            let is_due = |bytes: usize| bytes > 0 && (bytes > worth) == is_worth;
            if is_due(sizes.edges) {
                spills.push(step(SpilledPart::Edges));
            }
            for &(variable, bytes) in &sizes.pending {
                let is_next = sizes.next == Some(variable);
                // While the next level is small, the unopened rest of this level is spilled instead.
                if is_next && is_worth && bytes < target / OPEN_SHARE {
                    spills.push(step(SpilledPart::Unopened { keep: target / OPEN_SHARE }));
                }
                if !is_due(bytes) {
                    continue;
                }
                if is_next {
                    spills.push(step(SpilledPart::NextStates { variable }));
                    // The tables stay only if `worth` bytes are free besides.
                    let above = target - worth;
                    spills.push(Spill { part: SpilledPart::Tables { variable }, above });
                } else {
                    spills.push(step(SpilledPart::States { variable }));
                }
            }
            spills.push(step(SpilledPart::Unopened { keep: 0 }));
        }
        let tables = sizes.next.map(|variable| step(SpilledPart::Tables { variable }));
        spills.extend(tables);
        spills
    }

    /// Fails if the limit is too small for the bytes in use after everything was spilled. Only the limit
    /// divided by [`SLACK_SHARE`] stays reserved.
    fn check_spilled(&self, in_use: usize, variable: Option<usize>) -> Result<(), BuildError> {
        match self.spill_limit {
            Some(limit) if in_use > limit - limit / SLACK_SHARE => {
                Err(limit_too_small(limit, in_use, variable))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(limit: usize) -> Budget {
        Budget {
            limit: Some(limit),
            spill_limit: Some(limit),
            threads: 1,
            limits_states: false,
            batch_bytes: [0; 2],
        }
    }

    #[test]
    fn parts_are_spilled_in_reverse_order_of_use_and_small_ones_last() {
        let budget = budget(800);
        let target = budget.spill_target().unwrap();
        assert_eq!(target, 700);
        let sizes =
            SpillSizes { edges: 10, pending: vec![(9, 300), (8, 20), (6, 100)], next: Some(6) };
        let spills = Budget::spills(target, &sizes);
        let parts: Vec<SpilledPart> = spills.iter().map(|spill| spill.part).collect();
        let expected = [
            SpilledPart::Pool,
            SpilledPart::ChildRecords,
            SpilledPart::States { variable: 9 },
            SpilledPart::Unopened { keep: 175 },
            SpilledPart::NextStates { variable: 6 },
            SpilledPart::Tables { variable: 6 },
            SpilledPart::Unopened { keep: 0 },
            SpilledPart::Edges,
            SpilledPart::States { variable: 8 },
            SpilledPart::Unopened { keep: 0 },
            SpilledPart::Tables { variable: 6 },
        ];
        assert_eq!(parts, expected);
        let tables = spills.iter().find(|spill| spill.part == SpilledPart::Tables { variable: 6 });
        assert_eq!(tables.map(|spill| spill.above), Some(700 - 700 / WORTH_SHARE));
    }

    #[test]
    fn a_limit_without_disk_reserves_what_the_next_batch_may_take() {
        let mut budget = Budget { spill_limit: None, ..budget(1 << 20) };
        budget.note_batch(1 << 30);
        for in_use in [0, 1 << 19, 1 << 20, 1 << 21] {
            let shape = BatchShape {
                partitions: 1 << 10,
                record_bytes: 8,
                owns_memory: false,
                stores_edges: false,
                in_use,
            };
            let records = 8 * budget.batch_edges(&shape) as usize;
            let reserved = budget.with_next_batch(in_use) - in_use;
            assert!(reserved <= records, "{in_use}: {reserved} for {records}");
            assert!(in_use > 1 << 20 || in_use + 2 * reserved <= 1 << 20);
        }
        let edges = |stores_edges| {
            let (partitions, record_bytes, owns_memory) = (1 << 10, 2, false);
            let in_use = 0;
            let shape = BatchShape { partitions, record_bytes, owns_memory, stores_edges, in_use };
            budget.batch_edges(&shape)
        };
        assert!(edges(true) * 21 <= 1 << 19 && edges(true) < edges(false));
    }

    #[test]
    fn a_batch_reserves_at_most_half_of_the_limit() {
        let mut budget = budget(800);
        budget.note_batch(10_000);
        assert_eq!(budget.spill_target(), Some(350));
        assert_eq!(budget.with_next_batch(500), 800);
        budget.end_level();
        budget.end_level();
        assert_eq!(budget.spill_target(), Some(700));
    }
}
