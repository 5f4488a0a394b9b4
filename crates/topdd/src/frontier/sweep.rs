//! The sweep: the order of its steps.
//!
//! A level is begun, expanded batch by batch, and finished. The module `batch` expands states, `merge` merges their
//! children, and `memory` keeps the data of the sweep within the limits. `exchange` has the other processes, and
//! `checkpoint` saves the data between two levels.

use super::batch::{expand_batch, merge_batch};
use super::checkpoint::{self, SavedRun};
use super::disk::Storage;
use super::edges::EdgeStore;
use super::exchange::{CurrentLevel, Exchange, restore_parts};
use super::expander::SweepInput;
use super::expansion::LevelExpansion;
use super::level::{Level, WIDE};
use super::memory::{SweepData, WorkingSet};
use super::monitor::Monitor;
use super::places::{MergedFiles, Numbering};
use super::report::LevelReport;
use crate::BuildError;
use crate::number::{UpperBound, limbs, magnitude};
use crate::spec::Step;

/// The result of a finished sweep.
pub(super) struct Swept {
    /// All levels from the root down, if edges are stored.
    pub(super) edges: EdgeStore,
    /// The words of the 1-terminal; `None` if no path reaches it.
    pub(super) ones: Option<Vec<u64>>,
    pub(super) storage: Storage,
}

/// A sweep in progress.
pub(super) struct Sweep<'a, 'e> {
    set: WorkingSet<'a>,
    exchange: &'e mut dyn Exchange,
    /// The variable of the next level, on which all processes have agreed; the number of variables if there
    /// is none.
    next: usize,
}

impl<'a, 'e> Sweep<'a, 'e> {
    /// Runs a sweep to its end, from the data of a sweep that has begun, or from the checkpoint if there is one.
    pub(super) fn run(
        input: SweepInput<'a>,
        storage: Storage,
        saved: SavedRun,
        begun: Option<SweepData>,
        exchange: &'e mut dyn Exchange,
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<Swept, BuildError> {
        let rank = exchange.rank();
        let set = WorkingSet::new(input, storage, rank, monitor);
        let mut sweep = Sweep { set, exchange, next: 0 };
        if let Some((_, key)) = &monitor.config.checkpoint {
            checkpoint::compare_spec(&saved, key, &mut sweep.set, sweep.exchange)?;
        }
        // Of several processes, the first one has the root.
        if let Some(begun) = begun {
            sweep.set.data = begun;
        } else if sweep.restore(saved, monitor)? {
            monitor.resumed();
        } else if rank.rank == 0 {
            sweep.place_root()?;
        }
        sweep.agree(None)?;
        sweep.expand_levels(None, monitor)?;
        sweep.finish()
    }

    /// Restores the data of the checkpoint. Returns whether there is one.
    fn restore(
        &mut self,
        saved: SavedRun,
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<bool, BuildError> {
        let WorkingSet { input, data, storage, sample, .. } = &mut self.set;
        match (saved, &storage.checkpoint) {
            (SavedRun::Own(manifest), Some(of)) => {
                *sample = manifest.sample.clone();
                let (disk, exchange) = (&of.disk, &mut *self.exchange);
                checkpoint::restore(&manifest, disk, *input, data, exchange, monitor)?;
            }
            (SavedRun::Parts(parts), _) => {
                restore_parts(&parts, &mut self.set, self.exchange, monitor)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Puts the root into its level.
    fn place_root(&mut self) -> Result<(), BuildError> {
        let WorkingSet { input, data, .. } = &mut self.set;
        let (payload, num_vars) = (input.payload, input.arities.num_vars());
        let mut bound = UpperBound::ZERO;
        let root = input.expander.root(input.rule, &mut |to| {
            let mut words = payload.root();
            if (1..num_vars).contains(&to) && payload.skips() {
                payload.skip(&payload.root(), 0..to, &mut words);
            }
            if to < num_vars && payload.grows() {
                let lanes = payload.lanes(to);
                limbs::trim(&mut words, lanes);
                bound = UpperBound::new(magnitude(lanes, &words), words.len() / lanes);
                words.resize(payload.width(to, bound.limbs()), 0);
            }
            words
        });
        match root {
            Step::Zero => {}
            Step::One => data.ones.add(payload, 0, &payload.root()),
            Step::To(to, root) if to < num_vars => {
                let width = payload.width(to, bound.limbs());
                let level = Level { bound, ..Level::new(vec![root], width) };
                data.pending.insert(to, Box::new(level));
            }
            Step::To(to, root) => {
                let state = input.expander.describe(&*root);
                return Err(BuildError::RootBeyondLast { to, num_vars, state });
            }
        }
        Ok(())
    }

    /// Agrees with the other processes on the next level. Replaces the figures of `level` by the totals.
    /// Returns whether to save a checkpoint; `None` if this process decides alone.
    fn agree(&mut self, level: Option<&mut LevelReport>) -> Result<Option<bool>, BuildError> {
        let num_vars = self.set.input.arities.num_vars();
        let next = self.set.data.pending.keys().next().copied().unwrap_or(num_vars);
        let agreement = self.exchange.agree(next, self.set.storage.is_due(), level)?;
        self.next = agreement.next;
        Ok(agreement.saves)
    }

    /// Expands level by level, `begun` first if it is given. Enters the thread pool at the first level that
    /// is wide enough.
    fn expand_levels(
        &mut self,
        mut begun: Option<LevelExpansion>,
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        while begun.is_some() || self.next < self.set.input.arities.num_vars() {
            let level = match begun.take() {
                Some(level) => level,
                None => self.begin_level(monitor)?,
            };
            if monitor.workers.shares(level.states as usize) && monitor.workers.is_outside() {
                let workers = monitor.workers.clone();
                return workers.enter(|| self.expand_levels(Some(level), monitor));
            }
            // Errors of disk operations do not contain the level.
            let variable = Some(level.variable);
            self.expand_level(level, monitor).map_err(|error| error.at(variable))?;
        }
        Ok(())
    }

    /// Begins the expansion of the next level.
    fn begin_level(&mut self, monitor: &Monitor<'_, '_>) -> Result<LevelExpansion, BuildError> {
        let WorkingSet { input, data, pool, storage, .. } = &mut self.set;
        let (variable, payload) = (self.next, input.payload);
        let mut level = data.pending.take(variable).unwrap_or_else(|| {
            // The level has states in other processes only.
            Box::new(pool.level(0, payload.width(variable, 1)))
        });
        let mut merged_files = None;
        if payload.stores_edges() {
            if level.is_spilled() && !level.complete {
                // Spills the rest, too: indices of states then count through the files.
                level.spill_all(storage)?;
                let partitions = 0..level.partitions.len();
                merged_files = Some(partitions.map(|_| MergedFiles::default()).collect());
            } else {
                level.complete = true;
            }
            let incoming = std::mem::take(&mut level.incoming);
            self.exchange.begin_level(variable);
            data.edges.begin_level(variable, &incoming);
            if level.complete {
                let lists = incoming.iter().flat_map(|of| &of.places);
                let sharing = monitor.sharing(Some(variable), lists.map(Vec::len).sum());
                data.edges.number_incoming(&level.numbering(), storage, sharing)?;
            }
        }
        let mut level = LevelExpansion::new(variable, level, *input);
        level.merged_files = merged_files;
        self.prepare_next(&level, monitor)?;
        Ok(level)
    }

    /// Makes the next level, or repartitions it into more partitions if it is too wide for the ones it has.
    fn prepare_next(
        &mut self,
        level: &LevelExpansion,
        monitor: &Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        let WorkingSet { input, data, pool, .. } = &mut self.set;
        let (variable, next, payload) = (level.variable, level.variable + 1, input.payload);
        // Most levels are about as wide as the one before. Growth to more than double is rare.
        let wanted = level.states + level.states / 2;
        let width = payload.width(next, payload.limbs(variable, level.level.width));
        if !data.pending.contains_key(&next) {
            data.pending.insert(next, Box::new(pool.level(wanted, width)));
            return Ok(());
        }
        data.pending.change(next, |next| {
            let partitions = pool.partitions(wanted, width);
            let there = next.states();
            // Moving a state takes longer than merging one with a cache miss, so a level is not
            // repartitioned if most of its expected states have arrived.
            let is_worth_it = 2 * there <= wanted
                || next.partitions.len() < monitor.workers.threads
                || monitor.config.spill_limit().is_some();
            if partitions >= 4 * next.partitions.len() && is_worth_it && !next.is_spilled() {
                next.repartition(partitions, monitor.sharing(Some(variable), there as usize))?;
            }
            Ok(())
        })
    }

    /// Expands a level, together with the other processes, and finishes it.
    fn expand_level(
        &mut self,
        mut level: LevelExpansion,
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        while !level.is_expanded() {
            self.expand_batch(&mut level, monitor)?;
            let set = &mut self.set;
            self.exchange.end_batch(CurrentLevel { level: &mut level, set, monitor })?;
        }
        let set = &mut self.set;
        self.exchange.end_level(CurrentLevel { level: &mut level, set, monitor })?;
        self.finish_level(level, monitor)
    }

    /// Expands a batch of states, merges their children, stores its edges, and drops the partitions that are
    /// expanded.
    fn expand_batch(
        &mut self,
        level: &mut LevelExpansion,
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        let rank = self.exchange.rank();
        let (position, sharing) = expand_batch(level, &mut self.set, self.exchange, monitor)?;
        merge_batch(level, &mut self.set, self.exchange, sharing)?;
        let WorkingSet { input, data, pool, child_records, .. } = &mut self.set;
        for done in &mut level.level.partitions[level.position.0..position.0] {
            sharing.check()?;
            let fresh = done.fresh();
            pool.recycle(std::mem::replace(done, fresh));
        }
        level.position = position;
        if input.payload.stores_edges() {
            // With the last batch the next level is complete, but for records of other processes.
            let is_last = level.is_expanded() && rank.size == 1;
            let numbering = data.pending.change(level.variable + 1, |next| {
                next.complete = is_last && !next.is_spilled();
                next.complete.then(|| next.numbering())
            });
            data.edges.push_batch(child_records, numbering.as_ref(), sharing)?;
        }
        self.set.enforce_limits(Some(level), self.exchange.bytes(), monitor)
    }

    /// Finishes a level: numbers its edges, reports, and saves a checkpoint if one is due.
    fn finish_level(
        &mut self,
        level: LevelExpansion,
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        let merged = level.merged();
        let LevelExpansion { variable, expanded: states, edges, .. } = level;
        if self.set.input.payload.stores_edges() {
            self.number_edges(level, monitor)?;
        }
        self.set.data.finished_states += states;
        self.release_level(variable + 1);
        self.set.enforce_limits(None, self.exchange.bytes(), monitor)?;
        let disks = || self.set.storage.disks();
        monitor.report.peak_disk_bytes = disks().map(|disk| disk.usage.peak()).sum();
        let mut report = LevelReport {
            variable,
            states,
            edges,
            merged,
            bytes: self.set.bytes(self.exchange.bytes()),
            disk_bytes: disks().map(|disk| disk.usage.now()).sum(),
            elapsed: monitor.watch.elapsed(),
        };
        let is_due = self.agree(Some(&mut report))?;
        // The states of the other processes count as well: a checkpoint contains totals.
        self.set.data.finished_states += report.states - states;
        monitor.level_done(report);
        // A process that is alone decides after the callback, which may have taken long. After the last level the run is
        // done, unless its edges are still to be reduced.
        let WorkingSet { input, data, storage, .. } = &self.set;
        let is_done = data.pending.is_empty() && !input.payload.stores_edges();
        let is_kept = monitor.config.keeps_checkpoint;
        if is_due.unwrap_or_else(|| (!is_done || is_kept) && storage.is_due()) {
            checkpoint::save(&mut self.set, self.exchange, monitor)?;
        }
        Ok(())
    }

    /// Numbers the edges of a level that is expanded.
    fn number_edges(
        &mut self,
        level: LevelExpansion,
        monitor: &Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        let WorkingSet { data, storage, .. } = &mut self.set;
        let variable = level.variable;
        // All records have arrived. A level that was complete before may have been spilled since.
        data.pending.change(variable + 1, |next| next.complete |= !next.is_spilled());
        let last = data.edges.last();
        last.nodes = level.expanded;
        last.long.shrink_to_fit();
        last.chunks.shrink_to_fit();
        let sharing = monitor.sharing(Some(variable), 2 * level.edges as usize);
        if let Some(merged) = level.merged_files {
            let numbering = Numbering::of_merged(merged);
            data.edges.number_incoming(&numbering, storage, sharing)?;
            data.edges.number_edges(variable, &numbering, storage, sharing)?;
        }
        let next = &data.pending[&(variable + 1)];
        if next.complete {
            let numbering = next.numbering();
            data.edges.number_edges(variable + 1, &numbering, storage, sharing)?;
        }
        Ok(())
    }

    /// Frees memory that the level after a finished one, at `variable`, does not need.
    fn release_level(&mut self, variable: usize) {
        let WorkingSet { data, pool, child_records, budget, .. } = &mut self.set;
        let next = &data.pending[&variable];
        if next.width > WIDE {
            // Blocks of wide states are large, and allocating them takes little of the time.
            pool.empty();
            child_records.clear();
        }
        pool.trim(next.partitions.len());
        budget.end_level();
        if next.states() == 0 && next.merged == 0 {
            let next = data.pending.take(variable).expect("it is pending");
            next.partitions.into_iter().for_each(|partition| pool.recycle(partition));
        }
    }

    /// The result, after the last level.
    fn finish(self) -> Result<Swept, BuildError> {
        let Sweep { set, exchange, .. } = self;
        let WorkingSet { input, mut data, storage, budget, .. } = set;
        debug_assert_eq!(data.pending.bytes(), 0, "no level is left");
        // Leaves memory for the reduction.
        if storage.spill.is_some() && data.edges.stack.bytes() > budget.open_share() {
            data.edges.spill(&storage)?;
        }
        let num_vars = input.arities.num_vars();
        data.ones.skip_to(input.payload, num_vars);
        let ones = exchange.combine(data.ones, input.payload, num_vars)?;
        Ok(Swept { edges: data.edges, ones: ones.words, storage })
    }
}
