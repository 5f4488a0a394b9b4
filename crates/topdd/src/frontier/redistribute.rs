//! Resuming the checkpoint of another number of processes.
//!
//! The hash of a state selects the process that stores it, as a range of hashes for each process. So a
//! process reads the parts of those earlier processes whose ranges overlap its own, and keeps the
//! states of its range. The runs of a part are read block by block, and merged like records from other
//! processes.
//!
//! The edges of finished levels refer to states by number. Process `p` of `n` takes those of the parts
//! `p`, `p + n`, ... and appends them one after the other; only the numbers in them are shifted. A
//! state of a pending level that is distributed anew stays a node in the process that has the edges to
//! it: it *forwards* them to the state, by an edge between processes.

use super::bound::UpperBound;
use super::checkpoint::SavedSweep;
use super::disk::{Extent, unfit};
use super::edges::EdgeStore;
use super::level::Level;
use super::monitor::Monitor;
use super::parts::SavedPart;
use super::remote::{Owner, RecordsHeader};
use super::run::{NOT_STATES, Run, segments};
use super::states::RouteHash;
use super::sweep::Sweep;
use super::unreduced::UnreducedLevel;
use crate::BuildError;
use std::collections::{BTreeMap, BTreeSet};

impl Sweep<'_> {
    /// Resumes the sweep that another number of processes has saved, from the part of each process.
    /// Returns whether there are parts. Does nothing if there are none.
    pub(super) fn restore_parts(
        &mut self,
        parts: &[SavedPart],
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<bool, BuildError> {
        let (owner, processes) = (self.owner(), parts.len());
        let own: Vec<u8> = (0..processes as u8).collect();
        let mut ones = Vec::new();
        let mut variables = BTreeSet::new();
        let mut held = Vec::new();
        for (process, (disk, manifest)) in parts.iter().enumerate() {
            let mut saved = self.read_saved(manifest, disk)?;
            // All parts have the same levels, with figures that are totals.
            if process == 0 {
                self.finished_states = saved.reports.iter().map(|level| level.states).sum();
                monitor.resume(std::mem::take(&mut saved.reports), saved.peak_bytes);
                for &UnreducedLevel { variable, forwards, ref holders, .. } in &saved.finished {
                    let holders = if holders.is_empty() { &own } else { holders };
                    let holders = holders.iter().map(|of| of % owner.processes as u8).collect();
                    let level =
                        UnreducedLevel { variable, forwards, holders, ..Default::default() };
                    self.edges.push(level);
                }
            }
            let kind = |level: &UnreducedLevel| (level.variable, level.forwards);
            if !saved.finished.iter().map(kind).eq(self.edges.levels.iter().map(kind)) {
                return Err(unfit(&disk.dir));
            }
            ones.push(std::mem::take(&mut saved.ones));
            let holder = process % owner.processes;
            if overlap(owner, Owner { process, processes }) {
                for (&to, level) in &saved.pending {
                    self.take_states((holder, to), level, monitor)?;
                }
            }
            if self.payload.stores_edges() {
                variables.extend(saved.pending.keys().copied());
                if holder == owner.process {
                    held.push((process, saved));
                }
            }
        }
        self.take_edges(held, variables, monitor)?;
        self.received.clear();
        // The words of all processes are combined at the end, so one of them takes these.
        if owner.process == 0 {
            ones.sort_by_key(|of| of.decided);
            for of in ones {
                if let Some(words) = of.words {
                    self.ones.add(self.payload, of.decided, &words);
                }
            }
        }
        Ok(!parts.is_empty())
    }

    /// Takes the states of this process from a pending level of a part, whose edges `holder` takes.
    fn take_states(
        &mut self,
        (holder, to): (usize, usize),
        level: &Level,
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        let states = level.states();
        // The first block has the bound of all.
        let mut bound = level.bound;
        for (extent, run, count) in blocks(level) {
            let mut bytes = Vec::new();
            run.blob.read(extent, &mut bytes)?;
            let header = RecordsHeader { to, count, width: run.width, bound };
            bound = UpperBound::ZERO;
            let received = (to, &[(holder, header, bytes)][..]);
            let merged = self.merge_received(received, (None, states), monitor)?;
            merged.ok_or_else(|| run.blob.damaged(NOT_STATES))?;
            self.enforce_limits(None, monitor)?;
        }
        Ok(())
    }

    /// Takes the edges of earlier processes. The states of their pending levels, at these variables,
    /// are in the processes that their hashes select. So each level gets a node for each state of the
    /// parts, with an edge to that state.
    fn take_edges(
        &mut self,
        mut held: Vec<(usize, SavedSweep)>,
        variables: BTreeSet<usize>,
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        let sharing = monitor.sharing(None, 0);
        let mut states = 0;
        for (process, SavedSweep { pending, finished, .. }) in &mut held {
            let next = finished.last().map_or(0, |level| level.variable + 1);
            let mut edges = EdgeStore::new(*process, std::mem::take(finished));
            if let Some(level) = pending.get(&next) {
                edges.number_edges(next, &level.numbering(), &self.storage, sharing)?;
            }
            self.edges.append(edges.levels, states, &self.storage)?;
            states += pending.get(&next).map_or(0, |level| level.states());
        }
        let (processes, expander) = (self.owner().processes, self.pool.expander);
        let mut no_lists = expander.new_lists();
        let holders = self.edges.levels.last().map_or(Vec::new(), |level| level.holders.clone());
        let mut sent = BTreeMap::new();
        for variable in variables {
            let sharing = monitor.sharing(None, 0);
            self.edges.begin_level(variable, &[]);
            self.edges.last().forwards = true;
            self.edges.last().holders.clone_from(&holders);
            for (process, SavedSweep { pending, .. }) in &mut held {
                let Some(level) = pending.remove(&variable) else { continue };
                self.edges.append_incoming((&level, *process), &self.storage, sharing)?;
                for (extent, run, count) in blocks(&level) {
                    let (mut bytes, mut owners) = (Vec::new(), Vec::new());
                    run.blob.read(extent, &mut bytes)?;
                    let mut note_owner = |route: RouteHash| {
                        owners.push(route.process(processes) as u8);
                        None
                    };
                    let size = (count, run.width);
                    let read = expander.decode(&bytes, size, &mut note_owner, &mut *no_lists);
                    read.ok_or_else(|| run.blob.damaged(NOT_STATES))?;
                    self.edges.forward(&owners, processes)?;
                }
            }
            sent.append(&mut self.edges.sent);
            self.enforce_limits(None, monitor)?;
        }
        self.edges.sent = sent;
        Ok(())
    }
}

/// The blocks of a level on disk, each with its run and its number of states.
fn blocks(level: &Level) -> impl Iterator<Item = (Extent, &Run, usize)> {
    let partitions = 0..level.partitions.len();
    let of_partitions = partitions.flat_map(|partition| segments(&level.runs, partition));
    of_partitions.flat_map(|(run, segment)| {
        segment.blocks().map(move |(extent, states)| (extent, run, states.len()))
    })
}

/// Whether two processes, of different numbers, store states of the same hash.
fn overlap(one: Owner, other: Owner) -> bool {
    one.hashes().start < other.hashes().end && other.hashes().start < one.hashes().end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_receives_the_states_whose_hash_selects_it() {
        for processes in [1, 2, 3, 7, 64, 100] {
            let mut next = 0;
            for process in 0..processes {
                let range = Owner { process, processes }.hashes();
                assert_eq!(range.start, next);
                for high in [range.start, range.end - 1] {
                    let route = RouteHash::of_high_bits(high as u16);
                    assert_eq!(route.process(processes), process);
                }
                next = range.end;
            }
            assert_eq!(next, 1 << 16);
        }
    }

    #[test]
    fn ranges_that_share_a_hash_overlap() {
        let at = |process, processes| Owner { process, processes };
        assert!(overlap(at(0, 2), at(0, 3)) && overlap(at(0, 2), at(1, 3)));
        assert!(!overlap(at(0, 2), at(2, 3)) && !overlap(at(1, 2), at(0, 3)));
        assert!(!overlap(at(0, 2), at(2, 4)) && overlap(at(1, 2), at(2, 4)));
    }
}
