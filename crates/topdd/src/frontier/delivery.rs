//! The way of records from the bags they are in to the partitions of their levels.

use super::carry::Carry;
use super::level::Level;
use super::outbox::Bag;
use super::partition::{Hasher, Merged, Partition};
use super::pool::MOST_PARTITIONS;
use super::via::Via;
use super::workers::{Workers, for_all};
use crate::Error;
use num_bigint::BigUint;
use std::hash::Hash;

/// Bags for a level.
pub(super) struct Delivery<'a, S, G> {
    pub(super) level: &'a mut Level<S, G>,
    /// Whether it is none but one of those that wait.
    pub(super) waits: bool,
    /// As the states are that they come from, in order.
    pub(super) bags: Vec<&'a mut Bag<S, G>>,
    /// What their cargos are multiplied by.
    pub(super) factor: Option<BigUint>,
}

impl<S: Eq + Hash + Clone + Send, G: Clone + Send> Delivery<'_, S, G> {
    /// # Errors
    ///
    /// When a partition might come to hold more than can be numbered.
    fn check(&self) -> Result<(), Error> {
        let partitions = &self.level.partitions;
        // Indices are 32-bit, and in far arrivals share these with the partition.
        let limit = u64::from(u32::MAX) / partitions.len() as u64;
        for (number, partition) in partitions.iter().enumerate() {
            let incoming: usize = self.bags.iter().map(|bag| bag.records[number].len()).sum();
            let vias = partition.vias.iter().map(|(_, list)| list.len());
            let arrived = vias.fold(partition.arrived(Via::NONE) as usize, usize::max);
            let there = partition.records.len().max(arrived);
            if (there + incoming) as u64 > limit {
                return Err(Error::TooLarge { what: "a partition", unit: "states", limit });
            }
        }
        Ok(())
    }
}

/// A partition that records arrive at.
struct Arriving<'a, S, G> {
    partition: &'a mut Partition<S, G>,
    /// As in [`Delivery`].
    waits: bool,
    factor: Option<&'a BigUint>,
}

/// Merges what is delivered to different levels; partitions are shared out to the workers, if
/// there are any. A group's records come way by way, so that the order of the states depends on
/// how a batch is cut, but nothing that is told of a sweep does.
///
/// # Errors
///
/// When a partition might come to hold more than can be numbered; then nothing was merged.
pub(super) fn absorb<C: Carry>(
    hasher: &Hasher,
    mut deliveries: Vec<Delivery<'_, impl Eq + Hash + Clone + Send, C::Cargo>>,
    workers: Option<&Workers>,
) -> Result<Merged, Error> {
    deliveries.iter().try_for_each(Delivery::check)?;
    let lists = deliveries.iter().map(|of| of.bags.len() * of.level.partitions.len()).sum();
    // What each partition gets, bag by bag: its order is that of the states.
    let mut incoming: Vec<(Via, &mut Vec<_>)> = Vec::with_capacity(lists);
    let mut targets = Vec::new();
    for Delivery { level, waits, bags, factor } in &mut deliveries {
        let count = level.partitions.len();
        let mut bags: Vec<_> =
            bags.iter_mut().map(|bag| (bag.via, bag.records.iter_mut())).collect();
        for (number, partition) in level.partitions.iter_mut().enumerate() {
            let before = incoming.len();
            for (via, lists) in &mut bags {
                let records = lists.next().expect("a list for each partition");
                if !records.is_empty() {
                    incoming.push((*via, records));
                }
            }
            if incoming.len() > before {
                let share = number * MOST_PARTITIONS / count;
                let arriving = Arriving { partition, waits: *waits, factor: factor.as_ref() };
                targets.push((share, arriving, incoming.len() - before));
            }
        }
    }
    let mut rest = &mut incoming[..];
    let with_lists = |(share, arriving, lists)| {
        let (of_this, others) = std::mem::take(&mut rest).split_at_mut(lists);
        rest = others;
        (share, arriving, of_this)
    };
    let mut work: Vec<_> = targets.into_iter().map(with_lists).collect();
    // Each worker begins with a stretch of the list. With partitions of the same number side by
    // side each gets as much of every level, and mostly the partitions whose states it expands.
    if workers.is_some() {
        work.sort_by_key(|&(share, ..)| share);
    }
    let merged = for_all(workers, work, |_, (_, arriving, lists)| {
        let Arriving { partition, waits, factor } = arriving;
        let bytes_before = if waits { partition.bytes() } else { 0 };
        let mut merged = Merged::default();
        for (via, records) in lists {
            let is_via = C::EDGES && !via.is_none();
            if is_via {
                partition.swap_arrivals(*via);
            }
            merged = merged + partition.absorb::<C>(hasher, records, factor);
            if is_via {
                partition.swap_arrivals(*via);
            }
        }
        merged.waiting_bytes = if waits { partition.bytes() - bytes_before } else { 0 };
        merged
    });
    Ok(merged.into_iter().fold(Merged::default(), |all, one| all + one))
}
