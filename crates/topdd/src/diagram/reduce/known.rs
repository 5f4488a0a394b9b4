//! What the levels below have become, for those above to look up.

use super::super::store::NodeId;
use super::Task;
use super::forced::{Forced, Way};
use super::map::StateMap;
use super::span::Span;
use crate::Error;
use crate::frontier::for_all;
use crate::frontier::unreduced::{Chunk, ChunkPage, Target, UnreducedLevel};
use crate::hash::Map;
use std::collections::BTreeMap;
use std::slice::Iter;

/// The reduced levels, as far as levels above refer to them.
#[derive(Default)]
pub(super) struct Known {
    /// Which node each state of the last level became.
    near: StateMap,
    /// For levels that edges skip variables to, and the forced nodes on the way, by partition
    /// and order of arrival: what there is at the end, or the forced node.
    far: Map<Way, Vec<Vec<NodeId>>>,
    far_bytes: usize,
    /// Which of `far` nothing above the key refers to.
    far_done: Map<usize, Vec<Way>>,
    /// The forced nodes of levels that have not been reduced yet.
    forced: BTreeMap<usize, Vec<Forced>>,
    spare: StateMap,
}

impl Known {
    /// What the far edges of the level that is to be reduced next lead to, by far level and
    /// partition, in order.
    pub(super) fn arrivals(&self, level: &UnreducedLevel) -> impl Iterator<Item = &[NodeId]> {
        level.far.iter().flat_map(|far| {
            let by_partition = self.far[&(far.variable, far.via)].iter().zip(&far.starts);
            by_partition.map(|(ids, &start)| &ids[start as usize..])
        })
    }

    /// Readers of the edges of a level, one for each of these spans of it.
    pub(super) fn targets(
        &self,
        task: &Task<'_>,
        spans: &[Span],
    ) -> Result<Vec<Targets<'_>>, Error> {
        let level = task.level;
        let mut offsets = Vec::with_capacity(level.far.len());
        let mut offset = 0;
        for far in &level.far {
            offsets.push(offset);
            offset += far.starts.len();
        }
        let arrivals: Vec<&[NodeId]> = self.arrivals(level).collect();
        let near = &self.near;
        if level.far.is_empty() || spans.len() == 1 {
            let far: Vec<_> = arrivals.iter().map(|ids| ids.iter()).collect();
            return Ok(vec![Targets { near, offsets, far }; spans.len()]);
        }
        // A span reads on where those before it end: count what each of them reads.
        let count = |span: &Span| {
            let mut counts = vec![0usize; arrivals.len()];
            let mut page = ChunkPage::default();
            for chunk in span.chunks.clone().filter(|&chunk| level.skips(chunk)) {
                task.check()?;
                let (_, _, codes) = level.chunk(task.log, chunk, &mut page)?;
                for &code in codes {
                    if let Target::Far { entry, partition } = Target::decode(code) {
                        counts[offsets[entry as usize] + partition as usize] += 1;
                    }
                }
            }
            Ok(counts)
        };
        let counts = for_all(task.workers, spans, |_, span| count(span));
        let counts = counts.into_iter().collect::<Result<Vec<_>, Error>>()?;
        let mut starts = vec![0; arrivals.len()];
        let reader = |counts: Vec<usize>| {
            let far = arrivals.iter().zip(&starts).map(|(ids, &start)| ids[start..].iter());
            let targets = Targets { near, offsets: offsets.clone(), far: far.collect() };
            for (start, count) in starts.iter_mut().zip(counts) {
                *start += count;
            }
            targets
        };
        Ok(counts.into_iter().map(reader).collect())
    }

    /// Forgets what was kept for a level.
    pub(super) fn forget(&mut self, level: &UnreducedLevel) {
        // What its edges lead to was the last of what had arrived.
        for far in &level.far {
            let lists = self.far.get_mut(&(far.variable, far.via)).into_iter().flatten();
            lists.zip(&far.starts).for_each(|(ids, &start)| ids.truncate(start as usize));
        }
        for done in self.far_done.remove(&level.variable).unwrap_or_default() {
            let forgotten = self.far.remove(&done).unwrap_or_default();
            self.far_bytes -= arrival_bytes(&forgotten);
        }
    }

    /// Takes note of a level, whose states became `map`, and what had [`arrived`] at it `ends`.
    pub(super) fn level_done(
        &mut self,
        level: &UnreducedLevel,
        map: StateMap,
        ends: Vec<Vec<NodeId>>,
    ) {
        let mut ends = ends.into_iter();
        for incoming in &level.incoming {
            self.keep_forced(Forced {
                way: (level.variable, incoming.via),
                to: incoming.via,
                first: incoming.first,
                nodes: ends.by_ref().take(incoming.arrivals.len()).collect(),
                at: level.variable,
            });
        }
        self.spare = std::mem::replace(&mut self.near, map);
    }

    /// Takes note of what is at the end of a way, which nothing above `first` refers to.
    fn keep(&mut self, way: Way, first: usize, arrivals: Vec<Vec<NodeId>>) {
        self.far_bytes += arrival_bytes(&arrivals);
        self.far.insert(way, arrivals);
        self.far_done.entry(first).or_default().push(way);
    }

    /// The last variable that has forced nodes yet to be reduced.
    pub(super) fn last_forced(&self) -> Option<usize> {
        self.forced.last_key_value().map(|(&variable, _)| variable)
    }

    /// The forced nodes of a variable, each as what its one edge leads to.
    pub(super) fn take_forced(&mut self, variable: usize) -> Vec<Forced> {
        let forced = self.forced.remove(&variable).unwrap_or_default();
        self.far_bytes -= forced.iter().map(Forced::bytes).sum::<usize>();
        forced
    }

    /// What is at the end of a way, or the forced nodes on it that have been reduced: to be the
    /// next of them, or, where there are no more, what those above look up.
    pub(super) fn keep_forced(&mut self, forced: Forced) {
        match forced.to.last() {
            Some((variable, before)) => {
                self.far_bytes += forced.bytes();
                let forced = Forced { to: before, ..forced };
                self.forced.entry(variable).or_default().push(forced);
            }
            None => self.keep(forced.way, forced.first, forced.nodes),
        }
    }

    /// A map to overwrite.
    pub(super) fn spare_map(&mut self) -> StateMap {
        std::mem::take(&mut self.spare)
    }

    /// Keeps no map to overwrite: one as large as the largest level may be too much.
    pub(super) fn drop_spare(&mut self) {
        self.spare = StateMap::default();
    }

    pub(super) fn bytes(&self) -> usize {
        self.near.bytes() + self.spare.bytes() + self.far_bytes
    }
}

/// What arrived at a level over edges that skip variables, list by list.
pub(super) fn arrived(level: &UnreducedLevel) -> impl Iterator<Item = &Chunk> {
    level.incoming.iter().flat_map(|incoming| &incoming.arrivals)
}

fn arrival_bytes(arrivals: &[Vec<NodeId>]) -> usize {
    arrivals.iter().map(|partition| partition.capacity() * size_of::<NodeId>()).sum()
}

/// Tells where the edges of a span lead, one after the other.
#[derive(Clone)]
pub(super) struct Targets<'a> {
    near: &'a StateMap,
    /// Where in `far` the partitions of each far level start.
    offsets: Vec<usize>,
    /// By far level and partition, what is still to be read of the arrivals.
    far: Vec<Iter<'a, NodeId>>,
}

impl Targets<'_> {
    /// Where the next edge leads.
    #[inline]
    pub(super) fn resolve(&mut self, code: u32) -> NodeId {
        self.resolve_if(true, code)
    }

    /// Where the next edge leads, if there is one with this code; the 0-terminal otherwise.
    #[inline]
    pub(super) fn resolve_if(&mut self, exists: bool, code: u32) -> NodeId {
        if Target::is_far(code) && exists {
            self.next_far(code)
        } else {
            self.near.target(exists, code)
        }
    }

    #[inline(never)]
    fn next_far(&mut self, code: u32) -> NodeId {
        let Target::Far { entry, partition } = Target::decode(code) else {
            unreachable!("only far edges are asked for here")
        };
        let arrivals = &mut self.far[self.offsets[entry as usize] + partition as usize];
        *arrivals.next().expect("every far edge has arrived")
    }
}
