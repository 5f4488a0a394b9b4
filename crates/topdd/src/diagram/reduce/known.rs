//! What the levels below have become, for those above to look up.

use super::super::store::{NodeId, ONE};
use super::for_all;
use crate::frontier::Workers;
use crate::frontier::unreduced::{Target, UnreducedLevel};
use std::collections::HashMap;
use std::slice::Iter;

/// The reduced levels, as far as levels above refer to them.
#[derive(Default)]
pub(super) struct Known {
    /// Which node each state of the last level became.
    near: Vec<NodeId>,
    /// For levels that edges skip variables to: by partition and order of arrival.
    far: HashMap<usize, Vec<Vec<NodeId>>>,
    far_bytes: usize,
    /// Which of `far` nothing above the key refers to.
    far_done: HashMap<usize, Vec<usize>>,
    spare: Vec<NodeId>,
}

impl Known {
    /// Readers of the edges of `level`, one for each of its chunks.
    pub(super) fn targets(
        &self,
        level: &UnreducedLevel,
        workers: Option<&Workers>,
    ) -> Vec<Targets<'_>> {
        let mut offsets = Vec::with_capacity(level.far.len());
        let mut arrivals: Vec<&[NodeId]> = Vec::new();
        for far in &level.far {
            offsets.push(arrivals.len());
            let by_partition = self.far[&far.variable].iter().zip(&far.starts);
            arrivals.extend(by_partition.map(|(ids, &start)| &ids[start as usize..]));
        }
        let near = &self.near[..];
        if level.far.is_empty() || level.chunks.len() == 1 {
            let far = arrivals.iter().map(|ids| ids.iter()).collect();
            return vec![Targets { near, offsets, far }; level.chunks.len()];
        }
        // A chunk reads on where those before it end: count what each of them reads.
        let counts = for_all(workers, level.chunks.iter().collect(), |_, chunk| {
            let mut counts = vec![0usize; arrivals.len()];
            for &code in &chunk.codes {
                if let Target::Far { entry, partition } = Target::decode(code) {
                    counts[offsets[entry as usize] + partition as usize] += 1;
                }
            }
            counts
        });
        let mut starts = vec![0; arrivals.len()];
        let reader = |counts: Vec<usize>| {
            let far = arrivals.iter().zip(&starts).map(|(ids, &start)| ids[start..].iter());
            let targets = Targets { near, offsets: offsets.clone(), far: far.collect() };
            for (start, count) in starts.iter_mut().zip(counts) {
                *start += count;
            }
            targets
        };
        counts.into_iter().map(reader).collect()
    }

    /// Takes note of a level, whose states became `map`, and forgets what was kept for it.
    pub(super) fn level_done(&mut self, level: UnreducedLevel, map: Vec<NodeId>) {
        for done in self.far_done.remove(&level.variable).unwrap_or_default() {
            let forgotten = self.far.remove(&done).unwrap_or_default();
            self.far_bytes -= arrival_bytes(&forgotten);
        }
        if let Some(first) = level.first_far {
            let mut arrivals = level.far_arrivals;
            for number in arrivals.iter_mut().flatten() {
                *number = map[*number as usize];
            }
            self.far_bytes += arrival_bytes(&arrivals);
            self.far.insert(level.variable, arrivals);
            self.far_done.entry(first).or_default().push(level.variable);
        }
        self.spare = std::mem::replace(&mut self.near, map);
    }

    /// An empty map with the memory of one that is needed no more.
    pub(super) fn spare_map(&mut self) -> Vec<NodeId> {
        let mut spare = std::mem::take(&mut self.spare);
        spare.clear();
        spare
    }

    pub(super) fn bytes(&self) -> usize {
        (self.near.capacity() + self.spare.capacity()) * size_of::<NodeId>() + self.far_bytes
    }
}

fn arrival_bytes(arrivals: &[Vec<NodeId>]) -> usize {
    arrivals.iter().map(|partition| partition.capacity() * size_of::<NodeId>()).sum()
}

/// Tells where the edges of a chunk lead, one after the other.
#[derive(Clone)]
pub(super) struct Targets<'a> {
    near: &'a [NodeId],
    /// Where in `far` the partitions of each far level start.
    offsets: Vec<usize>,
    /// By far level and partition, what is still to be read of the arrivals.
    far: Vec<Iter<'a, NodeId>>,
}

impl Targets<'_> {
    /// Where the next edge leads.
    #[inline]
    pub(super) fn resolve(&mut self, code: u32) -> NodeId {
        match Target::decode(code) {
            Target::One => ONE,
            Target::Near(number) => self.near[number as usize],
            Target::Far { entry, partition } => {
                let arrivals = &mut self.far[self.offsets[entry as usize] + partition as usize];
                *arrivals.next().expect("every far edge has arrived")
            }
        }
    }
}
