//! States of a level on disk: partitions are written there to make room, and read back one
//! after the other when their turn comes.
//!
//! What is written is a *run*: for each partition the distinct states that arrived since
//! the run before it, with their numbers. Reading a partition merges its runs, so a state
//! that arrived before and after a spill becomes one again. A partition that would not fit
//! in memory as a whole is read in several passes, each of which takes the states whose
//! hash says so: external merging, without writing anything anew.
//!
//! A sweep that stores edges must know where each record went when its level is complete,
//! not when its turn comes. So it merges the runs of a level at once ([`Level::settle`]) and
//! writes the states again, in their final order, and beside them the arrivals. A level that was
//! complete before any of it was spilled has this order already; then a partition that would not
//! fit in memory is read in several parts, one after the other ([`Level::read_in_order`]).

use super::disk::{BlobWriter, Extent};
use super::level::Level;
use super::partition::Partition;
use super::run::{ArrivalWriter, Arrivals, Run, Segment, SettledArrivals, Tools};
use super::states::{Pass, Reading};
use super::unreduced::read_numbers;
use super::via::Via;
use crate::Error;
use std::ops::Range;
use std::sync::Arc;

impl Level {
    /// Writes partitions to disk, which are empty then. Returns how many states that were.
    pub(super) fn spill(
        &mut self,
        partitions: Range<usize>,
        tools: &Tools<'_>,
    ) -> Result<u64, Error> {
        let mut writer = tools.disk.create()?;
        let mut segments = vec![None; self.partitions.len()];
        let mut buffer = Vec::new();
        let mut states = 0;
        for number in partitions {
            let partition = &mut self.partitions[number];
            if partition.is_empty() && partition.resolved.is_empty() {
                continue;
            }
            let segment = Segment::write(partition, self.width, tools, &mut writer, &mut buffer)?;
            states += u64::from(segment.states);
            segments[number] = Some(segment);
            let arrived = partition.arrived(Via::NONE);
            // The tables will be as large again.
            partition.clear();
            partition.spilled = arrived;
        }
        let blob = Arc::new(writer.finish()?);
        self.runs.push(Run { blob, width: self.width, segments });
        Ok(states)
    }

    /// Writes all partitions to disk and keeps them in memory, too.
    pub(super) fn copy(&self, tools: &Tools<'_>) -> Result<Run, Error> {
        let mut writer = tools.disk.create()?;
        let mut segments = vec![None; self.partitions.len()];
        let mut buffer = Vec::new();
        for (partition, segment) in self.partitions.iter().zip(&mut segments) {
            if !partition.is_empty() || !partition.resolved.is_empty() {
                *segment =
                    Some(Segment::write(partition, self.width, tools, &mut writer, &mut buffer)?);
            }
        }
        Ok(Run { blob: Arc::new(writer.finish()?), width: self.width, segments })
    }

    /// Notes for each partition how much arrived before it was spilled, by its runs.
    pub(super) fn count_arrived(&mut self) {
        for (number, partition) in self.partitions.iter_mut().enumerate() {
            let segments = self.runs.iter().filter_map(|run| run.segments[number].as_ref());
            partition.spilled = segments.map(|segment| segment.arrivals.count).sum();
        }
    }

    /// What the runs of a partition hold, in states; those that several of them hold are
    /// counted for each.
    pub(super) fn spilled_states(&self, partition: usize) -> u64 {
        let segments = self.runs.iter().filter_map(|run| run.segments[partition].as_ref());
        segments.map(|segment| u64::from(segment.states)).sum()
    }

    /// At most what a partition takes of memory when it is read back.
    pub(super) fn bytes_when_read(&self, partition: usize) -> usize {
        let there = self.partitions[partition].len();
        let states = self.spilled_states(partition) as usize + there;
        let blocks = || self.segments(partition).flat_map(|(_, segment)| &segment.blocks);
        let of_partition = &self.partitions[partition].states;
        let on_disk: u64 = self.segments(partition).map(|(_, segment)| segment.heap).sum();
        let heap = of_partition.heap() + on_disk as usize;
        // The table, half full at worst, and a block on its way in.
        states * (of_partition.record_bytes() + 2 * (size_of::<u32>() + 1))
            + heap
            + 2 * blocks().map(Extent::len).max().unwrap_or(0)
    }

    /// Reads a partition back: its runs, and after them what is in memory, merged. With
    /// several passes, nothing may be in memory.
    pub(super) fn read(
        runs: &[Run],
        number: usize,
        partition: &mut Partition,
        pass: Pass,
        tools: &Tools<'_>,
    ) -> Result<(), Error> {
        if runs.iter().all(|run| run.segments[number].is_none()) {
            return Ok(());
        }
        let rest = (!partition.is_empty()).then(|| partition.take());
        let states = &mut *partition.states;
        for run in runs {
            if let Some(segment) = &run.segments[number] {
                segment.read(segment.all(), run, tools, states, |_| Reading::Merge {
                    pass,
                    became: None,
                    base: 0,
                })?;
            }
        }
        if let Some(mut rest) = rest {
            states.merge(&mut *rest.states, &|| tools.watch.check(None))?;
        }
        partition.resolved.clear();
        Ok(())
    }

    /// The run that a partition was written to which was complete before any of it was spilled.
    fn only_run(runs: &[Run], number: usize) -> Option<(&Run, &Segment)> {
        let mut segments =
            runs.iter().filter_map(|run| Some((run, run.segments[number].as_ref()?)));
        let only = segments.next();
        debug_assert!(segments.next().is_none(), "what was complete was spilled once");
        only
    }

    /// In how many parts such a partition is read if one is to take no more than `share` bytes,
    /// as far as there are blocks.
    pub(super) fn parts_in_order(&self, number: usize, share: usize) -> usize {
        let Some((_, segment)) = Self::only_run(&self.runs, number) else { return 1 };
        let wanted = self.bytes_when_read(number).div_ceil(share.max(1));
        wanted.min(segment.blocks.len()).max(1)
    }

    /// Reads such a partition back, or what a pass over it takes, in the order in which its
    /// states are numbered. One that was never spilled stays as it is.
    pub(super) fn read_in_order(
        runs: &[Run],
        number: usize,
        partition: &mut Partition,
        pass: Pass,
        tools: &Tools<'_>,
    ) -> Result<(), Error> {
        let Some((run, segment)) = Self::only_run(runs, number) else { return Ok(()) };
        partition.clear();
        let states = &mut *partition.states;
        segment.read(segment.blocks_of(pass), run, tools, states, |_| Reading::Append)
    }

    /// Reads the states of one run, which has been settled.
    pub(super) fn read_settled(
        run: &Run,
        number: usize,
        partition: &mut Partition,
        tools: &Tools<'_>,
    ) -> Result<(), Error> {
        partition.clear();
        if let Some(segment) = &run.segments[number] {
            let states = &mut *partition.states;
            segment.read(segment.all(), run, tools, states, |_| Reading::Append)?;
        }
        Ok(())
    }

    /// Merges the runs of a partition in passes, each within `share` bytes of memory, and writes the
    /// states of each pass to one of `writers`. Returns, for each run of this partition, which state
    /// each of its states became.
    fn merge_runs(
        &self,
        number: usize,
        share: usize,
        tools: &Tools<'_>,
        writers: &mut Vec<(BlobWriter, Vec<Option<Segment>>)>,
    ) -> Result<Vec<Vec<u32>>, Error> {
        let mut buffer = Vec::new();
        let of = self.bytes_when_read(number).div_ceil(share.max(1)).max(1) as u64;
        let mut became: Vec<Vec<u32>> =
            self.segments(number).map(|(_, segment)| vec![0; segment.states as usize]).collect();
        let mut base = 0;
        let mut pass = Some(Pass { number: 0, of });
        while let Some(this) = pass {
            let mut partition = Partition::new(self.partitions[number].states.fresh());
            for ((run, segment), became) in self.segments(number).zip(&mut became) {
                let states = &mut *partition.states;
                let mut became = &mut became[..];
                segment.read(segment.all(), run, tools, states, |block| {
                    let (of_block, rest) = std::mem::take(&mut became).split_at_mut(block.len());
                    became = rest;
                    Reading::Merge { pass: this, became: Some(of_block), base }
                })?;
            }
            base += partition.len() as u32;
            let index = this.number as usize;
            if index == writers.len() {
                writers.push((tools.disk.create()?, vec![None; self.partitions.len()]));
            }
            let (writer, segments) = &mut writers[index];
            segments[number] =
                Some(Segment::write(&partition, self.width, tools, writer, &mut buffer)?);
            pass = this.next();
        }
        Ok(became)
    }

    /// Writes to which states the records of a partition went, now that these are merged: the first
    /// so many, those over far edges, to a list, and the others to the writer.
    fn settle_arrivals(
        &self,
        number: usize,
        became: &[Vec<u32>],
        mut far: Option<(u32, &mut Vec<u32>)>,
        tools: &Tools<'_>,
        writer: &mut BlobWriter,
    ) -> Result<Arrivals, Error> {
        let count = self.partitions.len() as u32;
        let mut buffer = Vec::new();
        let mut arrivals = ArrivalWriter::new();
        for ((run, segment), became) in self.segments(number).zip(became) {
            for &extent in &segment.arrivals.blocks {
                tools.watch.check(None)?;
                run.blob.read(extent, &mut buffer)?;
                for arrival in read_numbers(&buffer) {
                    let index = became[arrival as usize];
                    match &mut far {
                        Some((left, list)) if *left > 0 => {
                            *left -= 1;
                            list.push(index * count + number as u32);
                        }
                        _ => arrivals.push(index, writer)?,
                    }
                }
            }
        }
        arrivals.finish(writer)
    }

    /// The runs that have states of a partition, with these.
    fn segments(&self, number: usize) -> impl Iterator<Item = (&Run, &Segment)> {
        self.runs.iter().filter_map(move |run| Some((run, run.segments[number].as_ref()?)))
    }

    /// Merges the runs of a level that is complete, partition by partition within `share`
    /// bytes of memory, and writes its states again, in their final order, and the
    /// arrivals. What had arrived over far edges joins [`Level::far_arrivals`].
    pub(super) fn settle(&mut self, share: usize, tools: &Tools<'_>) -> Result<(), Error> {
        let count = self.partitions.len();
        let mut writers = Vec::new();
        let mut arrival_writer = tools.disk.create()?;
        let mut by_partition = Vec::with_capacity(count);
        let far_arrived = self.far_arrived.take();
        let mut far_arrivals = std::mem::take(&mut self.far_arrivals);
        if let Some(arrived) = &far_arrived {
            far_arrivals = arrived.iter().map(|&of| Vec::with_capacity(of as usize)).collect();
        }
        let mut firsts = Vec::new();
        for number in 0..count {
            tools.watch.check(None)?;
            // What is in memory becomes the last run, so that there is but one kind.
            if self.partitions[number].arrived(Via::NONE) > self.partitions[number].spilled
                || !self.partitions[number].is_empty()
            {
                self.spill(number..number + 1, tools)?;
            }
            let became = self.merge_runs(number, share, tools, &mut writers)?;
            let far =
                far_arrived.as_ref().map(|arrived| (arrived[number], &mut far_arrivals[number]));
            by_partition.push(self.settle_arrivals(
                number,
                &became,
                far,
                tools,
                &mut arrival_writer,
            )?);
            // What was set apart before anything was spilled refers to the first run.
            let first = became.into_iter().next().unwrap_or_default();
            let is_here = far_arrived.is_none() && !far_arrivals.is_empty();
            if is_here && far_arrivals.len() == count {
                let first = |_| &first[..];
                far_arrivals[number].iter_mut().for_each(|place| moved(place, count, first));
            } else if is_here {
                firsts.push(first);
            }
        }
        // Of a level that was spread, the states of one list are in several partitions.
        if !firsts.is_empty() {
            let first = |partition: usize| &firsts[partition][..];
            for list in &mut far_arrivals {
                tools.watch.check(None)?;
                for place in list {
                    moved(place, count, first);
                }
            }
        }
        self.far_arrivals = far_arrivals;
        let blob = Arc::new(arrival_writer.finish()?);
        self.arrivals = Some(SettledArrivals { blob, by_partition });
        self.settled = true;
        self.runs = writers
            .into_iter()
            .map(|(writer, segments)| {
                Ok(Run { blob: Arc::new(writer.finish()?), width: self.width, segments })
            })
            .collect::<Result<_, Error>>()?;
        Ok(())
    }
}

/// Corrects the place of a far arrival (see [`Level::far_arrivals`]) whose state is another now:
/// `became` tells for each partition which its states are.
fn moved<'b>(place: &mut u32, partitions: usize, became: impl Fn(usize) -> &'b [u32]) {
    let partitions = partitions as u32;
    let (index, partition) = (*place / partitions, *place % partitions);
    *place = became(partition as usize)[index as usize] * partitions + partition;
}
