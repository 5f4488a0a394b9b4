//! The states at one variable: its partitions, and what is known of who arrived there.

use super::limbs::Weight;
use super::monitor::Check;
use super::partition::Partition;
use super::run::{Run, SettledArrivals};
use super::states::Spread;
use super::via::Via;
use super::workers::{Workers, for_all};
use crate::Error;
use std::collections::BTreeMap;

/// What arrived at a level over nodes with a forced value, all at the same variables.
///
/// Such a node is known by what its one edge leads to, and is not met as a state itself: whoever
/// has an edge to it has an edge here that says so.
#[derive(Clone, Debug)]
pub(super) struct OverForced {
    pub(super) via: Via,
    /// As [`Level::far_arrivals`].
    pub(super) arrivals: Vec<Vec<u32>>,
}

impl OverForced {
    pub(super) fn bytes(&self) -> usize {
        self.arrivals.iter().map(|arrivals| arrivals.capacity() * size_of::<u32>()).sum()
    }
}

/// All that arrived over edges that skip variables at a level that is complete.
#[derive(Clone, Debug, Default)]
pub(super) struct FarArrivals {
    /// The number of the first state of each partition.
    pub(super) bases: Vec<u32>,
    /// As [`Level::far_arrivals`].
    pub(super) arrivals: Vec<Vec<u32>>,
    pub(super) vias: Vec<OverForced>,
}

impl FarArrivals {
    /// Writes the numbers that the states of arrivals have, in the order of the partitions.
    pub(super) fn number(
        &self,
        arrivals: &[u32],
        out: &mut [u32],
        check: Check<'_>,
    ) -> Result<(), Error> {
        // A power of two, by which nothing need be divided; where there is but one partition,
        // the places are the numbers.
        let partitions = self.bases.len() as u32;
        let (mask, shift) = (partitions - 1, partitions.trailing_zeros());
        for (arrivals, out) in arrivals.chunks(WATCHED).zip(out.chunks_mut(WATCHED)) {
            check()?;
            if partitions == 1 {
                out.copy_from_slice(arrivals);
                continue;
            }
            for (out, &place) in out.iter_mut().zip(arrivals) {
                *out = self.bases[(place & mask) as usize] + (place >> shift);
            }
        }
        Ok(())
    }

    pub(super) fn bytes(&self) -> usize {
        let plain = self.arrivals.iter().map(|of| of.capacity() * size_of::<u32>()).sum::<usize>();
        plain + self.vias.iter().map(OverForced::bytes).sum::<usize>()
    }
}

/// Arrivals that are written anew between two looks at the watch.
pub(super) const WATCHED: usize = 1 << 16;

/// The levels that states have arrived at, by variable: few at any one time.
pub(super) type Waiting = BTreeMap<usize, Box<Level>>;

/// All distinct states at one variable, as far as they are known.
pub(super) struct Level {
    /// A power of two of them.
    pub(super) partitions: Vec<Partition>,
    /// How many limbs the numbers of its states have, or at most, as long as some are on disk.
    pub(super) width: usize,
    /// At least the sum of all numbers here.
    pub(super) weight: Weight,
    /// The first variable that has an edge skipping variables to this level.
    pub(super) first_far: Option<usize>,
    /// What arrived over such edges, once nothing more can: by the partition it arrived
    /// at, in order, the partition its state is in and the index there, as one number
    /// (see [`Level::seal_far`]).
    pub(super) far_arrivals: Vec<Vec<u32>>,
    /// What arrived over forced nodes; each partition keeps its arrivals itself until nothing
    /// more can come. Empty where edges are not stored, or may go to disk.
    pub(super) vias: Vec<OverForced>,
    /// What was written to disk to make room, the oldest first.
    pub(super) runs: Vec<Run>,
    /// How much of what arrived came over edges that skip variables, by partition, when
    /// nothing more can, for a level that had been spilled by then.
    pub(super) far_arrived: Option<Vec<u32>>,
    /// Whether no state is in two of the runs, nor in one of them and in memory.
    pub(super) settled: bool,
    /// The arrivals at a level that has just been settled.
    pub(super) arrivals: Option<SettledArrivals>,
}

impl Level {
    /// An empty level, whose numbers have this width.
    pub(super) fn new(partitions: Vec<Partition>, width: usize) -> Self {
        Level {
            partitions,
            width,
            weight: Weight::default(),
            first_far: None,
            far_arrivals: Vec::new(),
            vias: Vec::new(),
            runs: Vec::new(),
            far_arrived: None,
            settled: false,
            arrivals: None,
        }
    }

    /// The states here; of those on disk, each as often as it was spilled, which is once when
    /// they are settled.
    pub(super) fn states(&self) -> u64 {
        (0..self.partitions.len()).map(|number| self.states_in(number)).sum()
    }

    pub(super) fn states_in(&self, partition: usize) -> u64 {
        self.partitions[partition].len() as u64 + self.spilled_states(partition)
    }

    /// Whether part of it is on disk.
    pub(super) fn is_spilled(&self) -> bool {
        !self.runs.is_empty()
    }

    pub(super) fn bytes(&self) -> usize {
        let far = self.far_arrivals.iter().map(|arrivals| arrivals.capacity() * size_of::<u32>());
        self.partitions.iter().map(Partition::bytes).sum::<usize>()
            + far.sum::<usize>()
            + self.vias.iter().map(OverForced::bytes).sum::<usize>()
            + self.runs.iter().map(Run::bytes).sum::<usize>()
    }

    /// The number of the first state of each partition, when the states of the level
    /// are numbered partition by partition.
    pub(super) fn bases(&self) -> Vec<u64> {
        let mut base = 0;
        (0..self.partitions.len())
            .map(|number| {
                let this = base;
                base += self.states_in(number);
                this
            })
            .collect()
    }

    /// Notes that edges lead here over these forced nodes.
    pub(super) fn open_via(&mut self, via: Via) {
        if self.vias.iter().all(|over| over.via != via) {
            self.vias.push(OverForced { via, arrivals: Vec::new() });
        }
    }

    /// Sets apart what arrived over edges that skip variables. What arrives from now on
    /// comes from the level just before this one.
    pub(super) fn seal_far(
        &mut self,
        check: Check<'_>,
        workers: Option<&Workers>,
    ) -> Result<(), Error> {
        let count = self.partitions.len();
        let seals = self.first_far.is_some() && self.far_arrivals.is_empty();
        if seals && self.is_spilled() {
            self.far_arrived =
                Some(self.partitions.iter().map(|of| of.arrived(Via::NONE)).collect());
        }
        let seals = seals && !self.is_spilled();
        let plain = |partition: &Partition| if seals { partition.resolved.len() } else { 0 };
        let over = |of: &Partition| of.vias.iter().map(|(_, list)| list.len()).sum::<usize>();
        let arrived = self.partitions.iter().map(|of| plain(of) + over(of)).sum();
        let workers = workers.filter(|workers| workers.shares(arrived));
        let sealed = for_all(workers, &mut self.partitions, |number, partition| {
            let mut vias = std::mem::take(&mut partition.vias);
            let mut plain =
                if seals { std::mem::take(&mut partition.resolved) } else { Vec::new() };
            plain.shrink_to_fit();
            // Where there is but one partition, the places are the numbers.
            let lists = vias.iter_mut().map(|(_, list)| list).chain([&mut plain]);
            for list in lists.filter(|_| count > 1) {
                for part in list.chunks_mut(WATCHED) {
                    check()?;
                    for index in part {
                        *index = *index * count as u32 + number as u32;
                    }
                }
            }
            Ok((vias, plain))
        });
        for (number, sealed) in sealed.into_iter().enumerate() {
            let (vias, plain) = sealed?;
            for (via, arrivals) in vias {
                let over = self.vias.iter_mut().find(|over| over.via == via);
                let over = over.expect("what arrives over a forced node was announced");
                over.arrivals.resize(count, Vec::new());
                over.arrivals[number] = arrivals;
            }
            if seals {
                self.far_arrivals.push(plain);
            }
        }
        Ok(())
    }

    /// Spreads the states over more partitions, for a level that turns out wider than the
    /// first edges to it gave reason to expect. Far arrivals must be sealed and stay true.
    pub(super) fn spread(
        &mut self,
        partitions: usize,
        check: Check<'_>,
        workers: Option<&Workers>,
    ) -> Result<(), Error> {
        let old_count = self.partitions.len();
        let any_far = !self.far_arrivals.is_empty() || !self.vias.is_empty();
        // Of a hash, more bits are looked at: what was in one partition goes to every `old_count`th.
        let shares = partitions / old_count;
        let spread = Spread { old: old_count, new: partitions };
        let spread = for_all(workers, std::mem::take(&mut self.partitions), |_, mut old| {
            let mut fresh: Vec<_> = (0..shares).map(|_| old.states.fresh()).collect();
            let mut moved = Vec::with_capacity(if any_far { old.len() } else { 0 });
            old.states.spread(spread, &mut fresh, any_far.then_some(&mut moved), check)?;
            Ok((fresh.into_iter().map(Partition::new), moved))
        });
        let spread = spread.into_iter().collect::<Result<Vec<_>, Error>>()?;
        let (mut fresh, moved): (Vec<_>, Vec<_>) = spread.into_iter().unzip();
        let next = |number: usize| fresh[number % old_count].next().expect("each has its share");
        self.partitions = (0..partitions).map(next).collect();
        let old_count = old_count as u32;
        let vias = self.vias.iter_mut().flat_map(|via| &mut via.arrivals);
        let lists = self.far_arrivals.iter_mut().chain(vias);
        for part in lists.flat_map(|list| list.chunks_mut(WATCHED)) {
            check()?;
            for place in part {
                *place = moved[(*place % old_count) as usize][(*place / old_count) as usize];
            }
        }
        Ok(())
    }

    /// The far arrivals, and those over forced nodes, when nothing more can come.
    pub(super) fn take_far_arrivals(&mut self) -> FarArrivals {
        FarArrivals {
            bases: self.bases().into_iter().map(|base| base as u32).collect(),
            arrivals: std::mem::take(&mut self.far_arrivals),
            vias: std::mem::take(&mut self.vias),
        }
    }

    /// Notes that numbers of this width are about to arrive, whose sum is no more than `weight`; the
    /// sum of all that ever arrive is no more than `most`. Answers whether the numbers here have to
    /// be widened for that.
    pub(super) fn expects(&mut self, weight: Weight, most: Weight, width: usize) -> bool {
        self.weight = self.weight.plus(weight).min(most);
        self.weight.width().max(width) > self.width
    }

    /// Widens the numbers here so that what is expected fits: by a quarter, but not to more than
    /// `most` needs, as each time all of them are written anew. `check` is asked before each partition.
    pub(super) fn widen(
        &mut self,
        width: usize,
        most: Weight,
        check: Check<'_>,
        workers: Option<&Workers>,
    ) -> Result<(), Error> {
        let wanted = self.weight.width().max(width);
        let width = (self.width + self.width / 4).min(most.width()).max(wanted);
        self.width = width;
        let done = for_all(workers, &mut self.partitions, |_, partition| {
            check()?;
            partition.states.set_width(width);
            Ok(())
        });
        done.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::states::{Kind, Needs, Table};
    use super::*;
    use std::sync::Arc;

    /// The table of a partition.
    fn table(partition: &mut Partition) -> &mut Table<u64> {
        partition.states.as_any_mut().downcast_mut().unwrap()
    }

    /// A level of so many partitions where each of these states arrived from afar.
    fn level(kind: &Arc<Kind<u64>>, partitions: usize, states: impl Iterator<Item = u64>) -> Level {
        let fresh = || Partition::new(Box::new(Table::new(kind, 0)));
        let mut level = Level::new((0..partitions).map(|_| fresh()).collect(), 0);
        level.first_far = Some(0);
        for state in states {
            let place = kind.place(&state, &mut Vec::new());
            let partition = &mut level.partitions[place.partition(partitions)];
            let (index, _) = table(partition).find_or_insert(state, &[]);
            partition.resolved.push(index);
        }
        level.seal_far(&|| Ok(()), None).unwrap();
        level
    }

    /// The states that arrived, as the places tell that stand for them.
    fn arrived(level: &mut Level) -> Vec<Vec<u64>> {
        let count = level.partitions.len();
        let lists = level.far_arrivals.clone();
        let mut state = |&place: &u32| {
            table(&mut level.partitions[place as usize % count]).records[place as usize / count]
        };
        lists.iter().map(|list| list.iter().map(&mut state).collect()).collect()
    }

    #[test]
    fn what_is_spread_is_found_in_its_partition_and_by_who_arrived_before() {
        let kind = Arc::new(Kind::new(None, Needs::default()));
        let workers = Workers::new(Some(3)).unwrap();
        for (old, new) in [(1, 4), (2, 16), (8, 128)] {
            let states = || (0..20_000u64).map(|number| number * number % 7919);
            let before = arrived(&mut level(&kind, old, states()));
            let mut orders = Vec::new();
            for workers in [None, Some(&workers)] {
                let mut level = level(&kind, old, states());
                let known = level.states();
                level.spread(new, &|| Ok(()), workers).unwrap();
                assert_eq!((level.partitions.len(), level.states()), (new, known));
                assert_eq!(arrived(&mut level), before);
                for state in states() {
                    let place = kind.place(&state, &mut Vec::new());
                    let partition = &mut level.partitions[place.partition(new)];
                    assert!(!table(partition).find_or_insert(state, &[]).1);
                }
                let partitions = level.partitions.iter_mut();
                let order = partitions.flat_map(|of| table(of).records.iter().copied());
                orders.push(order.collect::<Vec<_>>());
            }
            assert_eq!(orders[0], orders[1]);
        }
    }
}
