//! The working set of a sweep: its data, in memory and on disk, within the memory limit.

use super::budget::{Budget, Part, SpillSizes};
use super::child_records::ChildRecords;
use super::edges::EdgeStore;
use super::expander::ForcedPolicy;
use super::expansion::LevelExpansion;
use super::input::Input;
use super::level::{Level, PendingLevels};
use super::monitor::Monitor;
use super::payload::OneTerminal;
use super::pool::Pool;
use super::rank::Rank;
use super::sample::Sample;
use super::storage::Storage;
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
    pub(super) input: Input<'a>,
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
        input: Input<'a>,
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
        part: Part,
        level: Option<&mut LevelExpansion>,
    ) -> Result<(), BuildError> {
        let storage = &self.storage;
        let pending = &mut self.data.pending;
        match (part, level) {
            (Part::Pool, _) => self.pool.empty(),
            (Part::ChildRecords, _) => self.child_records.clear(),
            (Part::Edges, _) => return self.data.edges.spill(storage),
            (Part::States { variable }, _) => {
                return pending.change(variable, |of| of.spill_all(storage));
            }
            (Part::NextStates { variable }, _) => {
                let keep =
                    |of: &mut Level| of.spill_keeping_tables(0..of.partitions.len(), storage);
                return pending.change(variable, keep);
            }
            (Part::Tables { variable }, _) => pending.change(variable, Level::free_tables),
            (Part::Unopened { keep }, Some(level)) => return level.spill_unopened(keep, storage),
            (Part::Unopened { .. }, None) => {}
        }
        Ok(())
    }
}
