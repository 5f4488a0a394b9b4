//! The level being expanded: what there is of it, and what it leaves.

use super::disk::{Blob, Disk, Extent};
use super::level::{FarArrivals, Level};
use super::monitor::Check;
use super::outbox::{TO_FAR, TO_ONE, Written};
use super::partition::Partition;
use super::run::ArrivalReader;
use super::states::Pass;
use super::unreduced::{
    Chunk, ChunkWriter, EdgeLog, FarLevel, Place, Room, StoredVia, Target, UnreducedLevel,
};
use super::via::Via;
use super::workers::{Workers, for_all};
use crate::hash::Map;
use crate::{Error, Portable};
use num_bigint::BigUint;
use std::ops::Range;
use std::sync::Arc;

/// The level being expanded.
pub(super) struct Current {
    pub(super) variable: usize,
    pub(super) level: Box<Level>,
    /// How many states there are, or at most, as long as some are on disk.
    pub(super) states: u64,
    pub(super) expanded: u64,
    /// How many edges the states of the last batch had; at first, what they may have.
    pub(super) edges_per_state: f64,
    /// The first partition, and the first state in it, yet to be expanded.
    pub(super) position: (usize, usize),
    /// The partitions before this one are in memory, or done.
    pub(super) open: usize,
    /// Which part of the last of these it is that is in memory, if there are several.
    pub(super) pass: Pass,
    pub(super) next: Box<Level>,
    /// What arrived at the 1-terminal, and over how many edges.
    pub(super) ones: BigUint,
    pub(super) ones_edges: u64,
    pub(super) edges: u64,
    pub(super) merged: u64,
    pub(super) written: Vec<Kept>,
    pub(super) written_bytes: usize,
    /// The levels that edges from here skip variables to, and the ways there.
    pub(super) far: Vec<FarLevel>,
    /// Their numbers in `far`, by variable and forced nodes.
    pub(super) far_entries: Map<(usize, Via), u32>,
    pub(super) far_arrivals: FarArrivals,
}

/// A run of nodes with its edges, which say where they go but not yet to which state.
pub(super) struct WrittenRun {
    pub(super) written: Written,
    /// For each far bag of the run, the number of its way in [`Current::far`].
    pub(super) bags: Vec<u32>,
    /// How many edges lead to each partition of the next level.
    pub(super) near: Vec<u32>,
}

crate::portable!(WrittenRun { written, bags, near });

impl WrittenRun {
    /// The nodes with edges that say which state they lead to; `near` tells the number of the
    /// next state of the next level that an edge to this partition of it leads to.
    fn write_chunk(
        &self,
        room: Room<'_>,
        near: &mut impl FnMut(usize) -> Result<u32, Error>,
    ) -> Result<Chunk, Error> {
        let WrittenRun { written, bags, .. } = self;
        let mut far = written.far.iter();
        for (&destination, code) in written.destinations.iter().zip(room.codes) {
            let target = match destination {
                TO_ONE => Target::One,
                TO_FAR => {
                    let to = far.next().expect("every far edge was written");
                    Target::Far { entry: bags[to.bag()], partition: to.partition() }
                }
                partition => Target::Near(near(usize::from(partition))?),
            };
            *code = target.code();
        }
        room.shape.copy_from_slice(&written.shape);
        let mut chunk = room.chunk;
        chunk.skips = !written.far.is_empty();
        Ok(chunk)
    }

    /// What [`EdgeLog::push`] needs to know.
    fn size(&self) -> (usize, usize, usize) {
        (self.written.nodes, self.written.shape.len(), self.written.destinations.len())
    }
}

/// A chunk, and the memory of the run that it was, if that is kept.
type Stored = (Chunk, Option<Written>);

/// A run that waits for the states of the next level to have their numbers.
pub(super) enum Kept {
    Here(WrittenRun),
    OnDisk(Arc<Blob>, Extent),
}

impl Kept {
    fn load(self) -> Result<WrittenRun, Error> {
        match self {
            Kept::Here(run) => Ok(run),
            Kept::OnDisk(blob, extent) => {
                let mut bytes = Vec::new();
                blob.read(extent, &mut bytes)?;
                WrittenRun::read(&mut &bytes[..])
                    .ok_or_else(|| blob.damaged("it does not hold edges where it should"))
            }
        }
    }
}

/// The arrivals at a partition, read in order.
enum Arriving<'a> {
    Here(std::slice::Iter<'a, u32>),
    OnDisk(ArrivalReader<'a>),
}

impl Arriving<'_> {
    #[inline]
    fn next(&mut self) -> Result<u32, Error> {
        match self {
            Arriving::Here(arrivals) => Ok(*arrivals.next().expect("every record was resolved")),
            Arriving::OnDisk(arrivals) => arrivals.next(),
        }
    }
}

/// States of one partition that are expanded together.
pub(super) struct Stretch {
    pub(super) partition: usize,
    pub(super) states: Range<usize>,
}

impl Current {
    /// The next states to expand, as far as they are in memory, in groups of up to these sizes,
    /// none of which is 0; and the position after them.
    pub(super) fn groups(&self, sizes: &[usize]) -> (Vec<Vec<Stretch>>, (usize, usize)) {
        let mut groups = Vec::with_capacity(sizes.len());
        let mut position = self.position;
        for &size in sizes {
            let mut group = Vec::new();
            let mut room = size;
            while room > 0 && position.0 < self.open {
                let partition = position.0;
                let count = self.level.partitions[partition].len();
                let end = count.min(position.1.saturating_add(room));
                let states = position.1..end;
                position = if end == count { (partition + 1, 0) } else { (partition, end) };
                room -= states.len();
                if !states.is_empty() {
                    group.push(Stretch { partition, states });
                }
            }
            if !group.is_empty() {
                groups.push(group);
            }
        }
        // What there is nothing of is done.
        let empty = |partition: usize| self.level.partitions[partition].is_empty();
        while position.1 == 0 && position.0 < self.open && empty(position.0) {
            position.0 += 1;
        }
        (groups, position)
    }

    /// How many states there are in memory that are yet to be expanded.
    pub(super) fn states_here(&self) -> usize {
        let (partition, state) = self.position;
        let open = &self.level.partitions[partition..self.open.max(partition)];
        open.iter().map(Partition::len).sum::<usize>().saturating_sub(state)
    }

    /// The partitions to bring into memory next, so that there are `most` states to expand if
    /// `share` bytes allow; and in how many passes. In order, if the sweep stores edges.
    pub(super) fn next_to_open(&mut self, most: usize, share: usize, edges: bool) -> Range<usize> {
        // A partition of several parts is open alone: its next part takes its place.
        if self.pass.of > 1 {
            if self.position.0 < self.open {
                return self.open..self.open;
            }
            if let Some(next) = self.pass.next() {
                self.pass = next;
                self.position = (self.open - 1, 0);
                return self.position.0..self.open;
            }
            self.pass = Pass::ONLY;
        }
        let mut to_read = self.open..self.open;
        let open = &self.level.partitions[self.position.0..self.open];
        let mut bytes: usize = open.iter().map(Partition::bytes).sum();
        let mut states = self.states_here();
        while to_read.end < self.level.partitions.len() && states < most {
            let number = to_read.end;
            let wanted = self.level.bytes_when_read(number);
            let first = number == self.position.0;
            let parts = if self.level.settled {
                self.level.runs.len()
            } else if edges {
                self.level.parts_in_order(number, share)
            } else {
                wanted.div_ceil(share)
            };
            if !first && (parts > 1 || bytes + wanted > share) {
                break;
            }
            to_read.end += 1;
            bytes += wanted;
            states += self.level.states_in(number) as usize;
            if parts > 1 {
                self.pass = Pass { number: 0, of: parts as u64 };
                break;
            }
        }
        to_read
    }

    /// Size in bytes of the edges, once it is known to which states they lead.
    pub(super) fn edge_bytes(&self) -> usize {
        self.edges as usize * size_of::<u32>()
    }

    pub(super) fn is_expanded(&self) -> bool {
        self.position.0 == self.level.partitions.len() && self.pass.next().is_none()
    }

    /// The number in `far` of this way to the level at `to`, which more is about to arrive by.
    pub(super) fn far_entry(&mut self, to: usize, via: Via, level: &Level) -> Result<u32, Error> {
        if let Some(&entry) = self.far_entries.get(&(to, via)) {
            return Ok(entry);
        }
        if self.far.len() as u64 >= Target::MAX_FAR_LEVELS {
            return Err(Error::TooLarge {
                what: "a level",
                unit: "ways on which its edges skip variables",
                limit: Target::MAX_FAR_LEVELS,
            });
        }
        let entry = self.far.len() as u32;
        let starts = level.partitions.iter().map(|partition| partition.arrived(via)).collect();
        self.far.push(FarLevel { variable: to, via, starts });
        self.far_entries.insert((to, via), entry);
        Ok(entry)
    }

    /// The level with its edges, now that the states of the next one have their numbers; and
    /// the memory of its runs, emptied, if it is to be kept. The edges go to the log, or, if it
    /// is given, to a file of `disk`.
    pub(super) fn store(
        &mut self,
        (log, disk): (&mut EdgeLog, Option<&Disk>),
        check: Check<'_>,
        workers: Option<&Workers>,
        keep: bool,
    ) -> Result<(UnreducedLevel, Vec<Written>), Error> {
        if self.next.states() >= Target::MAX_STATES {
            let limit = Target::MAX_STATES;
            return Err(Error::TooLarge { what: "a level", unit: "states", limit });
        }
        let far = std::mem::take(&mut self.far_arrivals);
        let lists = || far.arrivals.iter().chain(far.vias.iter().flat_map(|via| &via.arrivals));
        let bases = self.next.bases();
        let in_memory = self.written.iter().all(|kept| matches!(kept, Kept::Here(_)));
        let written = std::mem::take(&mut self.written);
        let mut saved = disk.map(ChunkWriter::new).transpose()?;
        let (places, stored) = match &self.next.arrivals {
            None if in_memory && saved.is_none() => {
                let arrivals: Vec<&[u32]> = lists().map(Vec::as_slice).collect();
                self.store_shared(written, (&far, arrivals), log, (check, workers), keep)?
            }
            arrivals => {
                let mut places = Vec::new();
                for list in lists() {
                    let (place, room) = log.push_arrivals(list.len());
                    far.number(list, room, check)?;
                    match &mut saved {
                        None => places.push(place),
                        Some(saved) => saved.move_arrivals(place, log)?,
                    }
                }
                let mut arrivals: Vec<Arriving<'_>> = match arrivals {
                    None => {
                        let partitions = self.next.partitions.iter();
                        partitions.map(|of| Arriving::Here(of.resolved.iter())).collect()
                    }
                    Some(arrivals) => (0..self.next.partitions.len())
                        .map(|partition| Arriving::OnDisk(arrivals.reader(partition)))
                        .collect(),
                };
                let mut near =
                    |partition: usize| Ok(bases[partition] as u32 + arrivals[partition].next()?);
                let mut stored = Vec::new();
                for kept in written {
                    check()?;
                    let run = kept.load()?;
                    let room = log.push(&[run.size()]).pop().expect("room for one");
                    let chunk = run.write_chunk(room, &mut near)?;
                    match &mut saved {
                        None => stored.push((chunk, None)),
                        Some(saved) => saved.move_chunk(&chunk, log)?,
                    }
                }
                (places, stored)
            }
        };
        let mut places = places.into_iter();
        let far_arrivals = places.by_ref().take(far.arrivals.len()).collect();
        let vias = far.vias.iter().map(|via| StoredVia {
            via: via.via,
            arrivals: places.by_ref().take(via.arrivals.len()).collect(),
        });
        let vias = vias.collect();
        let (chunks, spare): (Vec<_>, Vec<_>) = stored.into_iter().unzip();
        self.next.arrivals = None;
        for partition in &mut self.next.partitions {
            partition.resolved.clear();
            if !keep {
                partition.resolved.shrink_to_fit();
            }
        }
        self.far.shrink_to_fit();
        let level = UnreducedLevel {
            variable: self.variable,
            nodes: self.states,
            chunks,
            far: std::mem::take(&mut self.far),
            far_arrivals,
            vias,
            first_far: self.level.first_far,
            on_disk: saved.map(|saved| saved.finish(log)).transpose()?,
        };
        Ok((level, spare.into_iter().flatten().collect()))
    }

    /// Stores the far arrivals, and the chunks of runs that are all in memory: shared out to the
    /// workers, if there are any.
    fn store_shared(
        &self,
        written: Vec<Kept>,
        (far, lists): (&FarArrivals, Vec<&[u32]>),
        log: &mut EdgeLog,
        (check, workers): (Check<'_>, Option<&Workers>),
        keep: bool,
    ) -> Result<(Vec<Place>, Vec<Stored>), Error> {
        let runs = written.into_iter().map(Kept::load).collect::<Result<Vec<_>, Error>>()?;
        let sizes: Vec<_> = runs.iter().map(WrittenRun::size).collect();
        let lengths: Vec<usize> = lists.iter().map(|list| list.len()).collect();
        let (of_lists, of_runs) = log.push_level(&lengths, &sizes);
        let (places, of_lists): (Vec<_>, Vec<_>) = of_lists.into_iter().unzip();
        let bases = self.next.bases();
        // A run reads on where those before it end.
        let mut starts = vec![0; bases.len()];
        let runs = runs.into_iter().zip(of_runs).map(|(run, room)| {
            let of_this = starts.clone();
            let counts = starts.iter_mut().zip(&run.near);
            counts.for_each(|(start, &count)| *start += count as usize);
            (run, room, of_this)
        });
        let resolved: Vec<&[u32]> =
            self.next.partitions.iter().map(|of| &of.resolved[..]).collect();
        let stored = for_all(workers, runs, |_, (run, room, starts)| {
            check()?;
            let arrivals = resolved.iter().zip(starts);
            let mut arrivals: Vec<_> = arrivals.map(|(of, start)| of[start..].iter()).collect();
            let chunk = run.write_chunk(room, &mut |partition| {
                let index = arrivals[partition].next().expect("every record was resolved");
                Ok(bases[partition] as u32 + index)
            })?;
            Ok((chunk, keep.then(|| run.written.cleared())))
        });
        let lists = lists.into_iter().zip(of_lists);
        let numbered = for_all(workers, lists, |_, (list, room)| far.number(list, room, check));
        numbered.into_iter().collect::<Result<(), Error>>()?;
        Ok((places, stored.into_iter().collect::<Result<_, Error>>()?))
    }
}
