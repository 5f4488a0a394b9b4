//! Keeping a sweep within its memory: what is spilled when, and what is read back.

use super::current::{Current, Kept};
use super::disk::Disk;
use super::level::Level;
use super::monitor::{Check, Monitor};
use super::partition::Partition;
use super::sweep::Sweep;
use super::unreduced::{ChunkWriter, EdgeLog, UnreducedLevel};
use super::workers::for_all;
use crate::{Error, Portable};
use std::ops::Range;
use std::sync::Arc;

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
/// they are read from disk, and the merging of a level that is being settled.
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
        let width = self.current.as_ref().map_or(0, |current| current.level.width);
        let record = self.pool.record_bytes(width).max(1);
        // What a state has elsewhere in memory, nobody knows the size of.
        let may_be_large = !monitor.is_held_to_a_size() && !self.pool.expander.states_own_memory();
        let of_thread = match threads {
            _ if self.carry.edges() && may_be_large => {
                let bytes = THREAD_BYTES_AT_ONCE.min(BYTES_AT_ONCE / threads);
                THREAD_EDGES_AT_ONCE.min(bytes / record).max(THREAD_EDGES)
            }
            _ if self.carry.edges() => THREAD_EDGES,
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

    /// The bytes that it takes to finish the current level.
    pub(super) fn coming(&self, monitor: &Monitor<'_, '_>) -> usize {
        let Some(current) = &self.current else { return 0 };
        let edges = if self.edges_go_to_disk(monitor) { 0 } else { current.edge_bytes() };
        let settling = if current.next.is_spilled() { Self::open_share(monitor) } else { 0 };
        edges.saturating_add(settling)
    }

    /// Whether the edges of the current level go to disk as they are resolved, since they take
    /// much of the memory limit.
    pub(super) fn edges_go_to_disk(&self, monitor: &Monitor<'_, '_>) -> bool {
        let bytes = self.current.as_ref().map_or(0, Current::edge_bytes);
        self.storage.tools().is_some() && bytes > Self::open_share(monitor)
    }

    /// Brings partitions of the current level into memory, so that there are `most` states
    /// to expand if the limit allows.
    pub(super) fn open(&mut self, most: usize, monitor: &Monitor<'_, '_>) -> Result<(), Error> {
        let current = self.current.as_mut().expect("a level is being expanded");
        let count = current.level.partitions.len();
        if !current.level.is_spilled() {
            current.open = count;
            return Ok(());
        }
        let to_read = current.next_to_open(most, Self::open_share(monitor), self.carry.edges());
        if to_read.is_empty() {
            return Ok(());
        }
        current.open = to_read.end;
        self.read_open(to_read, monitor)
    }

    /// Reads partitions of the current level, as far as its pass takes them.
    fn read_open(&mut self, to_read: Range<usize>, monitor: &Monitor<'_, '_>) -> Result<(), Error> {
        let current = self.current.as_mut().expect("a level is being expanded");
        let pass = current.pass;
        // A sweep that stores edges settles a level unless it was complete before any of it was
        // spilled: its states have their numbers, and must keep them.
        let in_order = self.carry.edges() && !current.level.settled;
        if pass.of > 1 && !current.level.settled && !in_order {
            // What is in memory takes part in every pass: so it has to be on disk.
            let number = to_read.start;
            if !current.level.partitions[number].is_empty() {
                let tools = self.storage.tools().expect("what was spilled can be");
                self.uncertain += current.level.spill(number..number + 1, &tools)?;
            }
        }
        let level = &mut *current.level;
        for partition in &mut level.partitions[to_read.clone()] {
            if partition.is_bare() {
                *partition = self.pool.spare(level.width).unwrap_or_else(|| partition.take());
            }
        }
        // States on disk are known once for each run that has them; now it shows how many
        // they are.
        if !level.settled {
            for number in to_read.clone() {
                if pass.number == 0 {
                    self.known -= level.states_in(number);
                    self.uncertain -= level.spilled_states(number);
                }
            }
        }
        let (runs, settled) = (&level.runs, level.settled);
        let tools = self.storage.tools();
        let tools = &tools.expect("what was spilled can be read");
        let read = |number: usize, partition: &mut Partition| {
            let number = to_read.start + number;
            if settled {
                Level::read_settled(&runs[pass.number as usize], number, partition, tools)
            } else if in_order {
                Level::read_in_order(runs, number, partition, pass, tools)
            } else {
                Level::read(runs, number, partition, pass, tools)
            }
        };
        let shared = to_read.len() > 1 && monitor.workers.threads() > 1;
        let workers = shared.then_some(&monitor.workers);
        let done = for_all(workers, &mut level.partitions[to_read.clone()], read);
        done.into_iter().collect::<Result<(), Error>>()?;
        if !settled {
            for partition in &level.partitions[to_read] {
                self.known += partition.len() as u64;
            }
        }
        Ok(())
    }

    /// Spills what takes the most room, if there is too little for what there is and so many
    /// bytes more.
    pub(super) fn make_room(
        &mut self,
        coming: usize,
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<(), Error> {
        let Some(whole) = monitor.memory_limit() else { return Ok(()) };
        let held = self.bytes();
        self.freed.note(held);
        if self.storage.spill.is_some() {
            monitor.report.peak_bytes = monitor.report.peak_bytes.max(held);
            let slack = whole / SLACK_SHARE;
            let threads = monitor.workers.threads();
            let limit = whole - if threads > 1 { slack * THREADS_SLACK / 2 } else { slack };
            // Not for more than half of it, or all would be spilled in small pieces.
            let all = limit - coming.min(limit / 2);
            // The next batch takes blocks for its records, which this one gave back.
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
        let share = Self::open_share(monitor);
        if self.storage.spill.is_some() && self.stored_bytes > share {
            self.spill_stored()?;
        }
        Ok(())
    }

    /// Spills until no more than `limit` bytes are in use, of `whole` that may be.
    fn spill(&mut self, limit: usize, whole: usize) -> Result<(), Error> {
        self.pool.empty(limit);
        let worth = limit / WORTH_SHARE;
        // What is wanted last goes first.
        if self.bytes_in_use() > limit && self.stored_bytes > worth {
            self.spill_stored()?;
        }
        for variable in self.waiting.keys().copied().rev().collect::<Vec<_>>() {
            if self.bytes_in_use() > limit && self.waiting[&variable].bytes() > worth {
                self.spill_waiting(variable)?;
            }
        }
        // The next level, once there is much of it to merge; as long as there is little, the
        // rest of this one.
        if self.bytes_in_use() > limit && self.next_bytes() < limit / OPEN_SHARE {
            self.spill_rest(limit / OPEN_SHARE)?;
        }
        if self.bytes_in_use() > limit {
            self.spill_written()?;
        }
        if self.bytes_in_use() > limit && self.next_bytes() > worth {
            self.spill_next()?;
        }
        // Small things, if it comes to that.
        if self.bytes_in_use() > limit {
            self.spill_rest(0)?;
        }
        if self.bytes_in_use() > limit {
            self.spill_stored()?;
            self.spill_next()?;
            for variable in self.waiting.keys().copied().collect::<Vec<_>>() {
                self.spill_waiting(variable)?;
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
            let variable = self.current.as_ref().map(|current| current.variable);
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
        self.current.as_ref().map_or(0, |current| current.next.bytes())
    }

    /// Gives back the tables of levels that have been spilled.
    fn drop_tables(&mut self) {
        let next = self.current.as_mut().map(|current| &mut current.next);
        for level in self.waiting.values_mut().chain(next).filter(|level| level.is_spilled()) {
            let empty = level.partitions.iter_mut().filter(|of| of.is_empty());
            empty.for_each(Partition::shrink);
        }
        self.waiting_bytes = self.waiting.values().map(|level| level.bytes()).sum();
    }

    fn spill_waiting(&mut self, variable: usize) -> Result<(), Error> {
        let tools = self.storage.tools().expect("there is where to spill to");
        let level = self.waiting.get_mut(&variable).expect("the level is waiting");
        self.waiting_bytes -= level.bytes();
        self.uncertain += level.spill(0..level.partitions.len(), &tools)?;
        level.partitions.iter_mut().for_each(Partition::shrink);
        self.waiting_bytes += level.bytes();
        Ok(())
    }

    fn spill_next(&mut self) -> Result<(), Error> {
        let tools = self.storage.tools().expect("there is where to spill to");
        if let Some(current) = &mut self.current {
            let partitions = 0..current.next.partitions.len();
            self.uncertain += current.next.spill(partitions, &tools)?;
        }
        Ok(())
    }

    /// Spills of the current level what is not open, but for so many bytes that come next.
    fn spill_rest(&mut self, keep: usize) -> Result<(), Error> {
        let tools = self.storage.tools().expect("there is where to spill to");
        let Some(current) = &mut self.current else { return Ok(()) };
        // Of a level that was never spilled everything is open.
        let spilled = current.level.is_spilled();
        let mut first = if spilled { current.open } else { current.position.0 + 1 };
        let count = current.level.partitions.len();
        let mut kept = 0;
        while first < count && kept + current.level.partitions[first].bytes() <= keep {
            kept += current.level.partitions[first].bytes();
            first += 1;
        }
        let rest = &current.level.partitions[first.min(count)..];
        if rest.iter().all(Partition::is_empty) {
            return Ok(());
        }
        if !current.level.is_spilled() {
            current.open = current.position.0 + 1;
        }
        if current.level.settled {
            // Read from disk and not yet expanded: it is there still.
            current.level.partitions[first..].iter_mut().for_each(|p| drop(p.take()));
            return Ok(());
        }
        self.uncertain += current.level.spill(first..count, &tools)?;
        // Nothing arrives here any more.
        current.level.partitions[first..].iter_mut().for_each(Partition::shrink);
        Ok(())
    }

    /// Spills the edges of the levels that are done.
    fn spill_stored(&mut self) -> Result<(), Error> {
        if self.stored.iter().all(|level| level.on_disk.is_some()) {
            return Ok(());
        }
        let tools = self.storage.tools();
        let tools = tools.expect("there is where to spill to");
        let check = || tools.watch.check(None);
        store_on(tools.disk, &mut self.stored, &mut self.log, &check)?;
        self.stored_bytes = self.stored.iter().map(UnreducedLevel::bytes).sum();
        Ok(())
    }

    /// Spills the edges of the current level, as far as they are written.
    fn spill_written(&mut self) -> Result<(), Error> {
        let tools = self.storage.tools().expect("there is where to spill to");
        let Some(current) = &mut self.current else { return Ok(()) };
        let mut writer = tools.disk.create()?;
        let mut extents = Vec::with_capacity(current.written.len());
        let mut buffer = Vec::new();
        for kept in &current.written {
            if let Kept::Here(run) = kept {
                tools.watch.check(None)?;
                buffer.clear();
                run.write(&mut buffer);
                extents.push(writer.append(&buffer)?);
            }
        }
        if extents.is_empty() {
            return Ok(());
        }
        let blob = Arc::new(writer.finish()?);
        let here = current.written.iter_mut().filter(|kept| matches!(kept, Kept::Here(_)));
        for (kept, extent) in here.zip(extents) {
            *kept = Kept::OnDisk(Arc::clone(&blob), extent);
        }
        current.written_bytes = current.written.len() * size_of::<Kept>();
        Ok(())
    }

    /// Merges the runs of a level that is complete, for a sweep that stores edges.
    pub(super) fn settle(
        &mut self,
        level: &mut Level,
        monitor: &Monitor<'_, '_>,
    ) -> Result<(), Error> {
        if !self.carry.edges() || !level.is_spilled() || level.settled {
            return Ok(());
        }
        let share = Self::open_share(monitor);
        let tools = self.storage.tools().expect("what was spilled can be");
        let partitions = level.partitions.len();
        let spilled: u64 = (0..partitions).map(|number| level.spilled_states(number)).sum();
        self.uncertain -= spilled;
        self.known -= level.states();
        level.settle(share, &tools)?;
        self.known += level.states();
        Ok(())
    }
}

/// Writes the chunks of all levels that are in memory, those in `log`, to a file of `disk`.
pub(super) fn store_on(
    disk: &Disk,
    levels: &mut [UnreducedLevel],
    log: &mut EdgeLog,
    check: Check<'_>,
) -> Result<(), Error> {
    if levels.iter().all(|level| level.on_disk.is_some()) {
        return Ok(());
    }
    let mut writer = ChunkWriter::new(disk)?;
    let mut saved = Vec::new();
    for level in levels.iter_mut().filter(|level| level.on_disk.is_none()) {
        level.write_to(log, &mut writer, check)?;
        saved.push((writer.end_level(), level));
    }
    let blob = writer.finish_file()?;
    for (saved, level) in saved {
        level.is_in(&blob, saved);
    }
    log.clear();
    Ok(())
}
