//! Resuming the checkpoint of another number of processes.
//!
//! The hash of a state selects the process that stores it, as a range of hashes for each process. So a
//! process reads the parts of those earlier processes whose ranges overlap its own, and keeps the
//! states of its range. The runs of a part are read once, block by block, and merged like records
//! from other processes.

use super::bound::UpperBound;
use super::checkpoint::CheckpointReader;
use super::disk::Extent;
use super::exchange::ReceivedRecords;
use super::level::Level;
use super::monitor::Monitor;
use super::parts::SavedPart;
use super::remote::Owner;
use super::report::LevelReport;
use super::run::{Run, segments};
use super::sweep::Sweep;
use crate::BuildError;
use std::collections::BTreeMap;

impl Sweep<'_> {
    /// Resumes the sweep that the processes of another number have saved. Returns whether there is
    /// one.
    pub(super) fn restore_parts(
        &mut self,
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<bool, BuildError> {
        let parts = std::mem::take(&mut self.storage.parts);
        let (owner, processes) = (self.owner(), parts.len());
        let mut ones = Vec::new();
        for (process, part) in parts.iter().enumerate() {
            let damaged = || part.damaged();
            let files = part.blobs()?.into_iter().collect();
            let mut reader =
                CheckpointReader { bytes: &part.manifest.sweep, files, damaged: &damaged };
            let (_, peak_bytes): (u64, usize) = reader.value()?;
            let reports: Vec<LevelReport> = reader.value()?;
            // The figures of the levels are totals, equal in all parts.
            if process == 0 {
                self.finished_states = reports.iter().map(|level| level.states).sum();
                monitor.resume(reports, peak_bytes);
            }
            ones.push(reader.ones(self.payload, self.arities.num_vars())?);
            if overlap(owner, Owner { process, processes }) {
                self.take_states(part, &mut reader, monitor)?;
            }
        }
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

    /// Takes the states of this process from the pending levels of a part.
    fn take_states(
        &mut self,
        part: &SavedPart,
        reader: &mut CheckpointReader<'_>,
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        for _ in 0..reader.value::<usize>()? {
            let num_vars = self.arities.num_vars();
            let (to, level) = reader.pending(self.payload, num_vars, &self.pool)?;
            let states = level.states();
            // The first block has the bound of all.
            let mut bound = level.bound;
            for (extent, run, count) in blocks(&level) {
                let mut bytes = Vec::new();
                run.blob.read(extent, &mut bytes)?;
                let size = (count, run.width);
                let records = ReceivedRecords::of_file(to, size, bound, bytes);
                bound = UpperBound::ZERO;
                let records = BTreeMap::from([(to, vec![records])]);
                let only = Some(self.owner());
                let merged = self.merge_received(records, (None, states), only, monitor)?;
                merged.ok_or_else(|| part.damaged())?;
                self.spill_until_fits(monitor)?;
                monitor.check_size(None, self.bytes(), self.distinct_states())?;
            }
        }
        Ok(())
    }
}

/// The blocks of a level on disk, each with its run and its number of states.
fn blocks(level: &Level) -> impl Iterator<Item = (Extent, &Run, usize)> {
    let partitions = 0..level.partitions.len();
    let of_partitions = partitions.flat_map(|partition| segments(&level.runs, partition));
    of_partitions.flat_map(|(run, segment)| {
        segment.blocks().map(move |(extent, states)| (extent, run, states))
    })
}

/// Whether two processes, of different numbers, store states of the same hash.
fn overlap(one: Owner, other: Owner) -> bool {
    one.hashes().start < other.hashes().end && other.hashes().start < one.hashes().end
}

#[cfg(test)]
mod tests {
    use super::super::states::PlaceHash;
    use super::*;

    #[test]
    fn a_process_receives_the_states_whose_hash_selects_it() {
        for processes in [1, 2, 3, 7, 64, 100] {
            let mut next = 0;
            for process in 0..processes {
                let range = Owner { process, processes }.hashes();
                assert_eq!(range.start, next);
                for high in [range.start, range.end - 1] {
                    let place = PlaceHash::of_high_bits(high as u16);
                    assert_eq!(place.process(processes), process);
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
