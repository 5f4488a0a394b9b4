//! The level being expanded: what there is of it, and what it leaves.

use super::carry::Carry;
use super::disk::{Blob, Extent};
use super::level::{Level, Partition};
use super::outbox::{TO_FAR, TO_ONE, Written};
use super::spilled::{ArrivalReader, Pass};
use super::unreduced::{Chunk, FarLevel, Target, UnreducedLevel};
use super::workers::{Workers, for_all};
use crate::{Error, Portable};
use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;
use std::sync::Arc;

/// The level being expanded.
pub(super) struct Current<S, C: Carry> {
    pub(super) variable: usize,
    pub(super) level: Box<Level<S, C::Cargo>>,
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
    pub(super) next: Box<Level<S, C::Cargo>>,
    pub(super) ones: C::Cargo,
    pub(super) ones_weight: f64,
    pub(super) ones_edges: u64,
    pub(super) edges: u64,
    pub(super) merged: u64,
    pub(super) written: Vec<Kept>,
    pub(super) written_bytes: usize,
    /// The levels that edges from here skip variables to.
    pub(super) far: Vec<FarLevel>,
    /// Their numbers in `far`, by variable.
    pub(super) far_entries: HashMap<usize, u32>,
    pub(super) far_arrivals: Vec<Vec<u32>>,
}

/// A run of nodes with its edges, which say where they go but not yet to which state.
pub(super) struct WrittenRun {
    pub(super) written: Written,
    /// For each far bag of the run, the number of its level in [`Current::far`].
    pub(super) bags: Vec<u32>,
}

crate::portable!(WrittenRun { written, bags });

impl WrittenRun {
    /// The nodes with edges that say which state they lead to; `near` tells the number of the
    /// next state of the next level that an edge to this partition of it leads to.
    fn into_chunk(
        self,
        near: &mut impl FnMut(usize) -> Result<u32, Error>,
    ) -> Result<Chunk, Error> {
        let WrittenRun { written, bags } = self;
        let mut far = written.far.iter();
        let mut codes = Vec::with_capacity(written.destinations.len());
        for &destination in &written.destinations {
            let target = match destination {
                TO_ONE => Target::One,
                TO_FAR => {
                    let to = far.next().expect("every far edge was written");
                    Target::Far { entry: bags[to.bag as usize], partition: to.partition }
                }
                partition => Target::Near(near(usize::from(partition))?),
            };
            codes.push(target.code());
        }
        let mut shape = written.shape;
        shape.shrink_to_fit();
        Ok(Chunk { nodes: written.nodes, shape, codes })
    }
}

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

impl<S, C> Current<S, C>
where
    S: Clone + Eq + Hash + Send,
    C: Carry,
{
    /// The next states to expand, at least `most` of them unless those end that are in
    /// memory, in groups of about `group_states`; and the position after them.
    pub(super) fn groups(
        &self,
        most: usize,
        group_states: usize,
    ) -> (Vec<Vec<Stretch>>, (usize, usize)) {
        let mut groups = Vec::new();
        let mut group = Vec::new();
        let mut room = group_states;
        let mut position = self.position;
        let mut left = most;
        while left > 0 && position.0 < self.open {
            let partition = position.0;
            let count = self.level.partitions[partition].records.len();
            let end = count.min(position.1.saturating_add(room));
            let states = position.1..end;
            position = if end == count { (partition + 1, 0) } else { (partition, end) };
            left = left.saturating_sub(states.len());
            room -= states.len();
            if !states.is_empty() {
                group.push(Stretch { partition, states });
            }
            if room == 0 {
                groups.push(std::mem::take(&mut group));
                room = group_states;
            }
        }
        if !group.is_empty() {
            groups.push(group);
        }
        (groups, position)
    }

    pub(super) fn is_expanded(&self) -> bool {
        self.position.0 == self.level.partitions.len() && self.pass.next().is_none()
    }

    /// The number in `far` of the level at `to`, which more is about to arrive at.
    pub(super) fn far_entry(
        &mut self,
        to: usize,
        level: &Level<S, C::Cargo>,
    ) -> Result<u32, Error> {
        if let Some(&entry) = self.far_entries.get(&to) {
            return Ok(entry);
        }
        if self.far.len() as u64 >= Target::MAX_FAR_LEVELS {
            return Err(Error::TooLarge {
                what: "a level",
                unit: "later levels that its edges skip variables to",
                limit: Target::MAX_FAR_LEVELS,
            });
        }
        let entry = self.far.len() as u32;
        let starts = level.partitions.iter().map(Partition::arrived);
        self.far.push(FarLevel { variable: to, starts: starts.collect() });
        self.far_entries.insert(to, entry);
        Ok(entry)
    }

    /// The level with its edges, now that the states of the next one have their numbers.
    pub(super) fn store(&mut self, workers: Option<&Workers>) -> Result<UnreducedLevel, Error> {
        if self.next.states() >= Target::MAX_STATES {
            let limit = Target::MAX_STATES;
            return Err(Error::TooLarge { what: "a level", unit: "states", limit });
        }
        let bases = self.next.bases();
        let in_memory = self.written.iter().all(|kept| matches!(kept, Kept::Here(_)));
        let written = std::mem::take(&mut self.written);
        let chunks = match &self.next.arrivals {
            None if in_memory && workers.is_some() => self.store_shared(written, &bases, workers),
            arrivals => {
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
                written.into_iter().map(|kept| kept.load()?.into_chunk(&mut near)).collect()
            }
        }?;
        self.next.arrivals = None;
        for partition in &mut self.next.partitions {
            partition.resolved.clear();
        }
        self.far.shrink_to_fit();
        Ok(UnreducedLevel {
            variable: self.variable,
            nodes: self.states,
            chunks,
            far: std::mem::take(&mut self.far),
            far_arrivals: std::mem::take(&mut self.far_arrivals),
            first_far: self.level.first_far,
            on_disk: None,
        })
    }

    /// The chunks of runs that are all in memory, shared out to the workers.
    fn store_shared(
        &self,
        written: Vec<Kept>,
        bases: &[u64],
        workers: Option<&Workers>,
    ) -> Result<Vec<Chunk>, Error> {
        // A run reads on where those before it end: count what each of them reads.
        let counts = for_all(workers, &written, |_, kept| {
            let mut counts = [0u32; 256];
            if let Kept::Here(run) = kept {
                run.written.destinations.iter().for_each(|&to| counts[usize::from(to)] += 1);
            }
            counts
        });
        let mut starts = vec![0; bases.len()];
        let work = written.into_iter().zip(counts).map(|(kept, counts)| {
            let of_this = starts.clone();
            starts.iter_mut().zip(counts).for_each(|(start, count)| *start += count as usize);
            (kept, of_this)
        });
        let resolved: Vec<&[u32]> =
            self.next.partitions.iter().map(|of| &of.resolved[..]).collect();
        let chunks = for_all(workers, work, |_, (kept, starts)| {
            let arrivals = resolved.iter().zip(starts);
            let mut arrivals: Vec<_> = arrivals.map(|(of, start)| of[start..].iter()).collect();
            kept.load()?.into_chunk(&mut |partition| {
                let index = arrivals[partition].next().expect("every record was resolved");
                Ok(bases[partition] as u32 + index)
            })
        });
        chunks.into_iter().collect()
    }
}
