//! Merging the records of a batch into the partitions of their levels.
//!
//! A partition merges its records in [`StateTable`](super::table::StateTable), where equal states meet.

use super::child_records::ByPartition;
use super::disk::Storage;
use super::expander::SweepInput;
use super::level::{Level, MAX_PARTITIONS, PendingLevels};
use super::monitor::{Check, Sharing};
use super::payload::{Combiner, Payload, combiner_at};
use super::places::{Place, Places};
use super::states::{ArrivalList, Records, States};
use super::unreduced::EdgeTarget;
use crate::number::UpperBound;
use crate::{BuildError, heap};
use std::collections::BTreeMap;

/// The records of a batch for a level.
pub(super) struct LevelRecords<'a> {
    pub(super) level: Box<Level>,
    /// The records of each group, in the order of the source states, with the index in [`Level::incoming`] of
    /// their edges: 0 if `places` is given, or if edges are not stored.
    pub(super) arrivals: Vec<(usize, ByPartition<'a>)>,
    /// An upper bound of the sum of their numbers, if these grow.
    pub(super) bound: UpperBound,
    /// If given, receives the places of the states, by partition, instead of [`Level::incoming`]. Given
    /// if edges are stored, for edges to the next level and for edges from other processes.
    pub(super) places: Option<&'a mut Vec<Vec<Place>>>,
}

/// The merge of one partition.
struct PartitionWork<'a> {
    /// The variable of the level.
    to: usize,
    /// The index of the partition, scaled to a level of [`MAX_PARTITIONS`] partitions. The partitions
    /// of all levels are merged in the order of their positions.
    position: usize,
    states: &'a mut Box<dyn States>,
    /// The places of its states in memory.
    places_here: Places,
    combiner: Combiner<'a>,
    /// The records of each group, each with the index of its edges in [`Level::incoming`].
    records: Vec<(usize, &'a mut dyn Records)>,
    /// For each such index, the list of this partition that receives places, if edges are stored. The
    /// item for edges from other processes, whose lists are by process, is not used.
    places: Vec<Option<&'a mut Vec<Place>>>,
}

impl LevelRecords<'_> {
    /// No records for a level.
    pub(super) fn new(level: Box<Level>) -> Self {
        let (arrivals, bound) = (Vec::new(), UpperBound::ZERO);
        LevelRecords { level, arrivals, bound, places: None }
    }

    /// The merge of each partition.
    ///
    /// # Errors
    ///
    /// Fails if a partition might contain more states than there are places.
    fn work<'w>(
        &'w mut self,
        payload: &'w dyn Payload,
        to: usize,
    ) -> Result<Vec<PartitionWork<'w>>, BuildError> {
        let edges = payload.stores_edges();
        let combiner = combiner_at(payload, to);
        let count = self.level.partitions.len();
        let limit = if edges { EdgeTarget::MAX_STATES } else { u64::from(u32::MAX) } / count as u64;
        let spilled = |partition| if edges { self.level.spilled_states(partition) } else { 0 };
        let spilled: Vec<u64> = (0..count).map(spilled).collect();
        let mut places: Vec<_> = match &mut self.places {
            Some(places) => vec![places.iter_mut()],
            None => self.level.incoming.iter_mut().map(|of| of.places.iter_mut()).collect(),
        };
        let mut arrivals: Vec<_> =
            self.arrivals.drain(..).map(|(index, lists)| (index, lists.into_iter())).collect();
        let mut work = Vec::with_capacity(count);
        for (partition, states) in self.level.partitions.iter_mut().enumerate() {
            let places = places.iter_mut().map(Iterator::next).collect();
            let records = arrivals.iter_mut().map(|(index, lists)| {
                let records: &mut dyn Records = lists.next().expect("a list for each partition");
                (*index, records)
            });
            let records: Vec<_> = records.filter(|(_, records)| records.len() > 0).collect();
            let incoming = records.iter().map(|(_, records)| records.len() as u64).sum::<u64>();
            let before = spilled[partition] + states.len() as u64;
            if before + incoming > limit {
                return Err(BuildError::TooLarge { what: "a partition", unit: "states", limit });
            }
            if incoming == 0 {
                continue;
            }
            work.push(PartitionWork {
                to,
                position: partition * MAX_PARTITIONS / count,
                states,
                places_here: Places::new(partition, count, spilled[partition]),
                combiner,
                records,
                places,
            });
        }
        Ok(work)
    }
}

impl PartitionWork<'_> {
    /// Returns the variable of the level and the number of records that met an equal state.
    fn merge(mut self, check: Check<'_>) -> Result<(usize, u64), BuildError> {
        let mut merged = 0;
        for (index, records) in self.records {
            let Some(Some(places)) = self.places.get_mut(index) else {
                merged += self.states.merge_from(records, self.combiner, None, check)?;
                continue;
            };
            // Reserves once, because threads that grow their lists in small steps contend for the
            // allocator. Moves the list header to the stack, because the headers of other
            // partitions share its cache line.
            let mut list = std::mem::take(*places);
            list.reserve(records.len());
            let arrivals = ArrivalList { places: self.places_here, list: &mut list };
            merged += self.states.merge_from(records, self.combiner, Some(arrivals), check)?;
            **places = list;
        }
        Ok((self.to, merged))
    }
}

/// A level that takes more than the memory limit divided by this is spilled before it is widened.
const WIDENED_SHARE: usize = 16;

/// Adds the bound of records to the bound of the level at `to`, and widens its states if the sums might
/// not fit.
fn widen_for(
    level: &mut Level,
    to: usize,
    bound: UpperBound,
    input: SweepInput<'_>,
    storage: &Storage,
    sharing: Sharing<'_>,
) -> Result<(), BuildError> {
    let SweepInput { payload, arities, .. } = input;
    if !payload.grows() {
        return Ok(());
    }
    // The lanes count different assignments to the variables before the level, so their sum is
    // at most the number of such assignments.
    let max = UpperBound::from_bits(arities.log2_product(0..to));
    level.bound = level.bound.plus(bound).min(max);
    let Some(limbs) = level.bound.widened(payload.limbs(to, level.width), max) else {
        return Ok(());
    };
    // A large level is spilled first, because memory might not suffice for the wider copy.
    let worth = storage.memory_limit.map_or(usize::MAX, |limit| limit / WIDENED_SHARE);
    if storage.spill.is_some() && level.bytes() > worth {
        level.spill_all(storage)?;
        heap::give_back();
    }
    level.width = payload.width(to, limbs);
    let widened = sharing.for_all(&mut level.partitions, |_, partition| {
        partition.set_width(level.width);
        Ok(())
    });
    widened.map(drop)
}

/// Merges records into different levels, which are widened if necessary and become pending. Collects
/// the places of their states if edges are stored. The workers share the partitions. The lists of a
/// partition are merged one after the other. So the order of the states depends on the sizes of the
/// batches, but the result of the sweep does not.
///
/// # Errors
///
/// - Fails if a partition might contain more states than there are places. Then nothing was merged.
/// - Fails with the error of the check, which is called before each block of records.
pub(super) fn merge(
    mut levels: BTreeMap<usize, LevelRecords<'_>>,
    pending: &mut PendingLevels,
    input: SweepInput<'_>,
    storage: &Storage,
    sharing: Sharing<'_>,
) -> Result<(), BuildError> {
    for (&to, of) in &mut levels {
        widen_for(&mut of.level, to, of.bound, input, storage, sharing)?;
    }
    let work = levels.iter_mut().map(|(&to, of)| of.work(input.payload, to));
    let work = work.collect::<Result<Vec<_>, BuildError>>()?;
    let mut work: Vec<_> = work.into_iter().flatten().collect();
    // Each worker begins with a stretch of the list. Partitions at the same position are adjacent in
    // it, so each worker gets an equal part of every level, and mostly the partitions whose states
    // it expands.
    work.sort_by_key(|partition| partition.position);
    let merged = sharing.for_all(work, |_, partition| partition.merge(&|| sharing.check()))?;
    for (to, merged) in merged {
        levels.get_mut(&to).expect("a level of these").level.merged += merged;
    }
    for (to, of) in levels {
        pending.insert(to, of.level);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::monitor::{Sharing, Watch};
    use super::super::payload::NoValues;
    use super::super::states::{Blocks, StateNeeds, StateType};
    use super::super::table::StateTable;
    use super::super::unreduced::ForcedChain;
    use super::*;
    use std::sync::Arc;

    #[test]
    fn places_of_a_chain_are_collected_after_those_of_edges_between_fewer_processes() {
        let state_type = Arc::new(StateType::<u64>::new(None, StateNeeds::default()));
        let partitions = 4;
        let fresh = |_| Box::new(StateTable::new(&state_type, 0)) as Box<dyn States>;
        let mut level = Level::new((0..partitions).map(fresh).collect(), 0);
        level.find_or_add_incoming(ForcedChain::BETWEEN_PROCESSES, 2);
        let index = level.find_or_add_incoming(ForcedChain::EMPTY, partitions);
        let mut lists: Vec<Blocks<u64>> = (0..partitions).map(|_| Blocks::new(0)).collect();
        for (number, list) in lists.iter_mut().enumerate() {
            list.push(0, number as u64, &[]);
        }
        let mut records = LevelRecords::new(Box::new(level));
        records.arrivals =
            vec![(index, lists.iter_mut().map(|of| of as &mut dyn Records).collect())];
        let watch = Watch::start(None, None);
        let check = || Sharing { watch: &watch, variable: None, workers: None }.check();
        for work in records.work(&NoValues::Edges, 9).unwrap() {
            work.merge(&check).unwrap();
        }
        let places = &records.level.incoming[index].places;
        assert!(places.iter().map(Vec::len).eq([1; 4]), "{places:?}");
    }
}
