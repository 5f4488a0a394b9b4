//! The way of records from the bags they are in to the partitions of their levels.

use super::level::Level;
use super::monitor::Check;
use super::outbox::ByPartition;
use super::partition::Partition;
use super::states::{Merged, Records};
use super::via::Via;
use super::workers::{Workers, for_all};
use crate::Error;
use num_bigint::BigUint;

/// Records for a level that go the same way.
pub(super) struct Incoming<'a> {
    pub(super) via: Via,
    /// At least the sum of the numbers' values.
    pub(super) weight: f64,
    pub(super) lists: ByPartition<'a>,
}

/// Records for a level.
pub(super) struct Delivery<'a> {
    pub(super) level: &'a mut Level,
    /// Whether it is none but one of those that wait.
    pub(super) waits: bool,
    /// As the states are that they come from, in order.
    pub(super) bags: Vec<Incoming<'a>>,
    /// What their numbers are multiplied by.
    pub(super) factor: Option<BigUint>,
}

impl Delivery<'_> {
    /// # Errors
    ///
    /// When a partition might come to hold more than can be numbered.
    fn check(&self) -> Result<(), Error> {
        let partitions = &self.level.partitions;
        // Indices are 32-bit, and in far arrivals share these with the partition.
        let limit = u64::from(u32::MAX) / partitions.len() as u64;
        for (number, partition) in partitions.iter().enumerate() {
            let incoming: usize = self.bags.iter().map(|bag| bag.lists[number].len()).sum();
            let vias = partition.vias.iter().map(|(_, list)| list.len());
            let arrived = vias.fold(partition.arrived(Via::NONE) as usize, usize::max);
            let there = partition.len().max(arrived);
            if (there + incoming) as u64 > limit {
                return Err(Error::TooLarge { what: "a partition", unit: "states", limit });
            }
        }
        Ok(())
    }
}

/// A partition that records arrive at.
struct Arriving<'a> {
    partition: &'a mut Partition,
    /// As in [`Delivery`].
    waits: bool,
    factor: Option<&'a BigUint>,
}

/// Merges what is delivered to different levels, as arrivals if these are `kept`; partitions are
/// shared out to the workers, if there are any. A group's records come way by way, so that the
/// order of the states depends on how a batch is cut, but nothing that is told of a sweep does.
///
/// # Errors
///
/// - When a partition might come to hold more than can be numbered; then nothing was merged.
/// - The error of `check`, which is called before each block of records.
pub(super) fn absorb(
    kept: bool,
    check: Check<'_>,
    mut deliveries: Vec<Delivery<'_>>,
    workers: Option<&Workers>,
) -> Result<Merged, Error> {
    deliveries.iter().try_for_each(Delivery::check)?;
    let lists = deliveries.iter().map(|of| of.bags.len() * of.level.partitions.len()).sum();
    let most = deliveries.iter().map(|of| of.level.partitions.len()).max().unwrap_or(0);
    let mut levels: Vec<_> = deliveries
        .iter_mut()
        .map(|Delivery { level, waits, bags, factor }| {
            let bags: Vec<_> = bags.drain(..).map(|bag| (bag.via, bag.lists.into_iter())).collect();
            let each = most / level.partitions.len();
            (each, level.partitions.iter_mut(), bags, *waits, factor.as_ref())
        })
        .collect();
    // What each partition gets, bag by bag: its order is that of the states.
    let mut incoming: Vec<(Via, &mut dyn Records)> = Vec::with_capacity(lists);
    let mut targets = Vec::new();
    // Each worker begins with a stretch of the list. With partitions of the same number side by
    // side each gets as much of every level, and mostly the partitions whose states it expands.
    for number in 0..most {
        for (each, partitions, bags, waits, factor) in &mut levels {
            if number % *each > 0 {
                continue;
            }
            let partition = partitions.next().expect("there are as many as were counted");
            let before = incoming.len();
            for (via, lists) in bags {
                let records = lists.next().expect("a list for each partition");
                if records.len() > 0 {
                    incoming.push((*via, records));
                }
            }
            if incoming.len() > before {
                let arriving = Arriving { partition, waits: *waits, factor: *factor };
                targets.push((arriving, incoming.len() - before));
            }
        }
    }
    let mut rest = &mut incoming[..];
    let work = targets.into_iter().map(|(arriving, lists)| {
        let (of_this, others) = std::mem::take(&mut rest).split_at_mut(lists);
        rest = others;
        (arriving, of_this)
    });
    let merged = for_all(workers, work, |_, (arriving, lists)| {
        let Arriving { partition, waits, factor } = arriving;
        let bytes_before = if waits { partition.bytes() } else { 0 };
        let mut merged = Merged::default();
        for number in 0..lists.len() {
            let via = lists[number].0;
            let is_via = kept && !via.is_none();
            if is_via {
                partition.swap_arrivals(via);
            }
            // All at once: to grow bit by bit, the threads would wait for the allocator by turns.
            let room = partition.resolved.capacity() - partition.resolved.len();
            if kept && room < lists[number].1.len() {
                let same_way = lists[number..].iter().filter(|(other, _)| *other == via);
                partition.resolved.reserve(same_way.map(|(_, records)| records.len()).sum());
            }
            let records = &mut *lists[number].1;
            let arrivals = kept.then_some(&mut partition.resolved);
            merged = merged + partition.states.absorb(records, factor, arrivals, check)?;
            if is_via {
                partition.swap_arrivals(via);
            }
        }
        merged.waiting_bytes = if waits { partition.bytes() - bytes_before } else { 0 };
        Ok(merged)
    });
    merged.into_iter().try_fold(Merged::default(), |all, one| Ok(all + one?))
}
