//! Resuming the checkpoint of another number of processes.
//!
//! The hash of a state selects the process that stores it, as a range of hashes for each process. So a
//! process reads the parts of those earlier processes whose ranges overlap its own, and keeps the
//! states of its range. The spill files of a part are read block by block, and merged like records from
//! other processes.
//!
//! The edges of finished levels refer to states by number. Process `p` of `n` takes the edges of the parts
//! `p`, `p + n`, ... and appends them one after the other; only the numbers in them are shifted. A
//! state of a pending level that is distributed anew stays a node in the process that has the edges to
//! it: an *alias* of the state, with an edge between processes to it.

use super::peers::{Arrival, ArrivalSource, RecordMerger, RecordsHeader};
use super::{CheckpointLevel, Exchange, SentEdges, last_common, saved_level};
use crate::BuildError;
use crate::frontier::checkpoint::SweepSnapshot;
use crate::frontier::disk::{
    Checkpoint, Directory, Disk, Manifest, RunIdentity, read_manifests, unfit,
};
use crate::frontier::edges::EdgeStore;
use crate::frontier::level::Level;
use crate::frontier::memory::WorkingSet;
use crate::frontier::monitor::{Monitor, Watch};
use crate::frontier::spill_file::SpilledBlock;
use crate::frontier::states::{EncodedRecords, Rank, RouteHash};
use crate::frontier::unreduced::UnreducedLevel;
use crate::number::UpperBound;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

/// The part of a checkpoint that one of the earlier processes saved, and its directory.
pub(in super::super) struct SavedPart {
    pub(in super::super) disk: Disk,
    pub(in super::super) manifest: Manifest,
}

/// Resumes the sweep that another number of processes has saved, from the part of each process.
/// Returns whether there are parts. Does nothing if there are none.
pub(in super::super) fn restore_parts(
    parts: &[SavedPart],
    set: &mut WorkingSet<'_>,
    exchange: &mut dyn Exchange,
    monitor: &mut Monitor<'_, '_>,
) -> Result<bool, BuildError> {
    if parts.is_empty() {
        return Ok(false);
    }
    let rank = exchange.rank();
    let arrivals = RecordMerger::new(rank);
    let mut task = Redistribution { rank, set, arrivals, sent: SentEdges::default() };
    task.restore(parts, monitor)?;
    if let Some(sent) = exchange.sent() {
        *sent = task.sent;
    }
    Ok(true)
}

/// A redistribution in progress.
struct Redistribution<'r, 's> {
    rank: Rank,
    set: &'r mut WorkingSet<'s>,
    arrivals: RecordMerger,
    sent: SentEdges,
}

impl Redistribution<'_, '_> {
    fn restore(
        &mut self,
        parts: &[SavedPart],
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        let (rank, count) = (self.rank, parts.len());
        let mut ones = Vec::new();
        let mut variables = BTreeSet::new();
        let (mut held, mut merged) = (Vec::new(), Vec::new());
        for (part, SavedPart { disk, manifest }) in parts.iter().enumerate() {
            let mut saved = SweepSnapshot::read(manifest, disk, self.set.input)?;
            // All parts have the same levels, with figures that are totals.
            if part == 0 {
                self.set.data.finished_states =
                    saved.reports.iter().map(|level| level.states).sum();
                monitor.resume(std::mem::take(&mut saved.reports), saved.peak_bytes);
                self.begin_levels(&saved.finished, count);
            }
            let kind = |level: &UnreducedLevel| (level.variable, level.is_alias_level);
            let levels = self.set.data.edges.levels.iter();
            if !saved.finished.iter().map(kind).eq(levels.map(kind)) {
                return Err(unfit(&disk.dir));
            }
            ones.push(std::mem::take(&mut saved.ones));
            let new_rank = part % rank.size;
            if new_rank == rank.rank {
                self.set.sample.extend(&manifest.sample);
                merged.extend(saved.pending.iter().map(|(&to, level)| (to, level.merged)));
            }
            if overlap(rank, Rank { rank: part, size: count }) {
                for (&to, level) in &saved.pending {
                    self.take_states(new_rank, to, level, monitor)?;
                }
            }
            if self.set.input.payload.stores_edges() {
                variables.extend(saved.pending.keys().copied());
                if new_rank == rank.rank {
                    held.push((part, saved));
                }
            }
        }
        self.add_merged(merged);
        self.take_edges(held, variables, monitor)?;
        // The words of all processes are combined at the end, so one of them takes these.
        if rank.rank == 0 {
            ones.sort_by_key(|of| of.decided);
            for of in ones {
                if let Some(words) = of.words {
                    self.set.data.ones.add(self.set.input.payload, of.decided, &words);
                }
            }
        }
        Ok(())
    }

    /// Begins the finished levels of a number of parts, without nodes.
    fn begin_levels(&mut self, finished: &[UnreducedLevel], parts: usize) {
        let own: Vec<u8> = (0..parts as u8).collect();
        for &UnreducedLevel { variable, is_alias_level, ref rank_map, .. } in finished {
            let rank_map = if rank_map.is_empty() { &own } else { rank_map };
            let rank_map = rank_map.iter().map(|of| of % self.rank.size as u8).collect();
            let level = UnreducedLevel { variable, is_alias_level, rank_map, ..Default::default() };
            self.set.data.edges.push(level);
        }
    }

    /// Takes the states of this process from a pending level of a part. The process `new_rank` takes the
    /// edges to them.
    fn take_states(
        &mut self,
        new_rank: usize,
        to: usize,
        level: &Level,
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        let source = ArrivalSource { variable: None, states: level.states() };
        // The first block has the bound of all.
        let mut bound = level.bound;
        let watch = monitor.watch.clone();
        read_states(level, &watch, |SpilledBlock { bytes, width, indices }| {
            let header = RecordsHeader { to, count: indices.len(), width, bound };
            bound = UpperBound::ZERO;
            let arrivals = [Arrival { from: new_rank, header, bytes: std::mem::take(bytes) }];
            let merged = self.arrivals.merge(to, &arrivals, source, self.set, monitor)?;
            self.set.enforce_limits(None, self.arrivals.bytes(), monitor)?;
            Ok(merged)
        })
    }

    /// Adds the numbers of records that have met an equal state in parts to the levels at these variables.
    fn add_merged(&mut self, merged: Vec<(usize, u64)>) {
        let WorkingSet { input, data, pool, .. } = &mut *self.set;
        for (to, merged) in merged.into_iter().filter(|&(_, merged)| merged > 0) {
            if !data.pending.contains_key(&to) {
                data.pending.insert(to, Box::new(pool.level(0, input.payload.width(to, 1))));
            }
            data.pending.change(to, |level| level.merged += merged);
        }
    }

    /// Takes the edges of earlier processes. The states of their pending levels, at these variables,
    /// are in the processes that their hashes select. So each level gets a node for each state of the
    /// parts, with an edge to that state.
    fn take_edges(
        &mut self,
        mut held: Vec<(usize, SweepSnapshot)>,
        variables: BTreeSet<usize>,
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        let sharing = monitor.sharing(None, 0);
        let (data, storage) = (&mut self.set.data, &self.set.storage);
        let mut states = 0;
        for (part, SweepSnapshot { pending, finished, .. }) in &mut held {
            let next = finished.last().map_or(0, |level| level.variable + 1);
            let mut edges = EdgeStore::new(*part, std::mem::take(finished));
            if let Some(level) = pending.get(&next) {
                edges.number_edges(next, &level.numbering(), storage, sharing)?;
            }
            data.edges.append(edges.levels, states, storage)?;
            states += pending.get(&next).map_or(0, |level| level.states());
        }
        let rank_map = data.edges.levels.last().map_or(Vec::new(), |level| level.rank_map.clone());
        let mut all_sent = SentEdges::default();
        for variable in variables {
            self.set.data.edges.begin_level(variable, &[]);
            let last = self.set.data.edges.last();
            last.is_alias_level = true;
            last.rank_map.clone_from(&rank_map);
            for (part, SweepSnapshot { pending, .. }) in &mut held {
                if let Some(level) = pending.remove(&variable) {
                    self.alias_level(&level, *part, monitor)?;
                }
            }
            all_sent.append(&mut self.sent);
            self.set.enforce_limits(None, self.arrivals.bytes(), monitor)?;
        }
        self.sent = all_sent;
        Ok(())
    }

    /// Appends the edges to a pending level of a part, and a node for each of its states, to the last level.
    fn alias_level(
        &mut self,
        level: &Level,
        part: usize,
        monitor: &Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        let WorkingSet { input, data, storage, .. } = &mut *self.set;
        let sharing = monitor.sharing(None, 0);
        data.edges.append_incoming(level, part, storage, sharing)?;
        let size = self.rank.size;
        let mut no_lists = input.expander.new_lists();
        read_states(level, &monitor.watch, |SpilledBlock { bytes, width, indices }| {
            let mut ranks = Vec::new();
            let mut note_rank = |route: RouteHash| {
                ranks.push(route.rank(size) as u8);
                None
            };
            let records = EncodedRecords { bytes, count: indices.len(), width };
            let read = input.expander.decode(records, &mut note_rank, &mut *no_lists);
            if read.is_none() {
                return Ok(None);
            }
            let variable = data.edges.last().variable;
            let mut entry = 0;
            for rank in 0..size {
                let count = ranks.iter().filter(|&&of| usize::from(of) == rank).count();
                entry = self.sent.note(variable, Rank { rank, size }, count, &mut data.edges)?;
            }
            data.edges.push_aliases(entry, &ranks);
            Ok(Some(()))
        })
    }
}

/// Reads the states of a level on disk, partition by partition, block by block.
fn read_states(
    level: &Level,
    watch: &Watch,
    mut take: impl FnMut(SpilledBlock<'_>) -> Result<Option<()>, BuildError>,
) -> Result<(), BuildError> {
    let mut partitions = 0..level.partitions.len();
    partitions.try_for_each(|partition| level.spilled(partition).read(watch, &mut take))
}

/// Whether two processes, of different numbers, store states of the same hash.
fn overlap(one: Rank, other: Rank) -> bool {
    one.hashes().start < other.hashes().end && other.hashes().start < one.hashes().end
}

/// The checkpoint of another number of processes.
#[derive(Default)]
pub(in super::super) struct PartsFound {
    /// The parts, by rank of the processes that saved them. Empty if there is no such checkpoint.
    pub(in super::super) parts: Vec<SavedPart>,
    /// The parts that this process locks, and removes when there is a newer checkpoint.
    pub(in super::super) locked: Vec<Checkpoint>,
}

/// The processes of other numbers that have, or may have, a directory in `dir`.
fn earlier(dir: Directory<'_>, size: usize) -> Result<Vec<Rank>, BuildError> {
    let Directory { files, path: dir } = dir;
    let names = files.list(dir).map_err(BuildError::io("list", dir))?;
    let named = names.iter().filter_map(|name| Rank::from_directory(name.to_str()?));
    // The directory of a process alone is `dir`.
    Ok(named.chain([Rank::ALONE]).filter(|of| of.size != size).collect())
}

/// The directories in `dir` of earlier processes whose parts this process takes.
pub(in super::super) fn earlier_directories(
    dir: Directory<'_>,
    rank: Rank,
) -> Result<Vec<PathBuf>, BuildError> {
    let is_taken = |of: &Rank| of.rank % rank.size == rank.rank;
    let taken = earlier(dir, rank.size)?.into_iter().filter(is_taken);
    Ok(taken.map(|of| of.directory(dir.path)).collect())
}

/// The last level of this run that all processes of another number have saved in `dir`, for each
/// number.
///
/// # Errors
///
/// Fails if a checkpoint is damaged or of another run. Otherwise this run would begin anew without a word.
fn candidates(
    dir: Directory<'_>,
    identity: &RunIdentity,
    size: usize,
) -> Result<Vec<(CheckpointLevel, usize)>, BuildError> {
    let mut candidates = Vec::new();
    for Rank { size, .. } in earlier(dir, size)?.iter().filter(|of| of.rank == 0) {
        let levels = |rank: usize| {
            let path = Rank { rank, size: *size }.directory(dir.path);
            let found = read_manifests(Directory { path: &path, ..dir }, identity)?;
            Ok(found.iter().flatten().filter_map(saved_level).collect())
        };
        let levels = (0..*size).map(levels).collect::<Result<Vec<_>, BuildError>>()?;
        candidates.extend(last_common(&levels).map(|level| (level, *size)));
    }
    Ok(candidates)
}

/// Finds the checkpoint of another number of processes that is the furthest, and locks its parts.
/// Returns empty lists if there is none that all processes see.
///
/// # Errors
///
/// Fails if a file operation fails, if a checkpoint is damaged or of another run, or if one of the
/// earlier processes still runs.
pub(in super::super) fn find_parts(
    dir: Directory<'_>,
    identity: &RunIdentity,
    exchange: &mut dyn Exchange,
    check: &dyn Fn() -> Result<(), BuildError>,
) -> Result<PartsFound, BuildError> {
    let Rank { rank, size } = exchange.rank();
    let found = candidates(dir, identity, size)?;
    let Some((level, count)) = exchange.furthest_common(found)? else {
        return Ok(PartsFound::default());
    };
    let is_level = |of: &Manifest| saved_level(of) == Some(level);
    let mut locked = Vec::new();
    for part in (rank..count).step_by(size) {
        let path = Rank { rank: part, size: count }.directory(dir.path);
        let choose = |found: &[Option<Manifest>; 2]| {
            let chosen = found.iter().position(|of| of.as_ref().is_some_and(is_level));
            if chosen.is_some() { Ok(chosen) } else { Err(unfit(&path)) }
        };
        let dir = Directory { path: &path, ..dir };
        locked.push(Checkpoint::open(dir, identity.clone(), Duration::ZERO, choose, check)?.0);
    }
    // From here on all parts are locked, and the manifest of each is of the level.
    exchange.barrier()?;
    let part = |part: usize| {
        let path = Rank { rank: part, size: count }.directory(dir.path);
        let found = read_manifests(Directory { path: &path, ..dir }, identity)?;
        let manifest = found.into_iter().flatten().find(is_level).ok_or_else(|| unfit(&path))?;
        Ok(SavedPart { disk: Disk::named(dir.files, &path, 0), manifest })
    };
    let parts = (0..count).map(part).collect::<Result<_, BuildError>>()?;
    Ok(PartsFound { parts, locked })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_receives_the_states_whose_hash_selects_it() {
        for size in [1, 2, 3, 7, 64, 100] {
            let mut next = 0;
            for rank in 0..size {
                let range = Rank { rank, size }.hashes();
                assert_eq!(range.start, next);
                for high in [range.start, range.end - 1] {
                    let route = RouteHash::from_high_bits(high as u16);
                    assert_eq!(route.rank(size), rank);
                }
                next = range.end;
            }
            assert_eq!(next, 1 << 16);
        }
    }

    #[test]
    fn ranges_that_share_a_hash_overlap() {
        let at = |rank, size| Rank { rank, size };
        assert!(overlap(at(0, 2), at(0, 3)) && overlap(at(0, 2), at(1, 3)));
        assert!(!overlap(at(0, 2), at(2, 3)) && !overlap(at(1, 2), at(0, 3)));
        assert!(!overlap(at(0, 2), at(2, 4)) && overlap(at(1, 2), at(2, 4)));
    }
}
