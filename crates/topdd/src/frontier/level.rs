//! Pending levels: their partitions and long edges, and the reuse of partitions.

use super::disk::Storage;
use super::expander::Expander;
use super::monitor::{Monitor, Sharing};
use super::places::{Numbering, Place};
use super::spill_file::{FileSegment, SpillFile, SpilledPartition};
use super::states::States;
use super::unreduced::{EdgeTarget, ForcedChain, StateMarks};
use crate::BuildError;
use crate::number::UpperBound;
use std::collections::BTreeMap;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// The long edges to a level over one chain of forced nodes. A forced node has one edge, so the
/// chain and the target state identify it.
pub(super) struct Incoming {
    pub(super) chain: ForcedChain,
    /// By target partition (for edges from other processes, by source process), the places of the
    /// target states, in order of arrival.
    pub(super) places: Vec<Vec<Place>>,
    /// If a class of alike variables has the edges, the numbers of the target states in their class: each has a place, in the
    /// same order. Empty otherwise.
    pub(super) marks: StateMarks,
}

/// The items of a list that are processed between two checks of the watch.
pub(super) const CHECK_INTERVAL: usize = 1 << 16;

/// The states at one variable. States on disk may have duplicates until their files are merged.
pub(super) struct Level {
    /// Their number is a power of two.
    pub(super) partitions: Vec<Box<dyn States>>,
    /// The number of words of the states; an upper bound for states on disk.
    pub(super) width: usize,
    /// An upper bound of the sum of all lanes of all states, if they grow.
    pub(super) bound: UpperBound,
    /// The long edges to this level, if edges are stored.
    pub(super) incoming: Vec<Incoming>,
    /// The spilled states, the oldest file first.
    pub(super) files: Vec<SpillFile>,
    /// Whether the states have their final numbers, because all had arrived before any was spilled.
    /// Final once the level at the variable before this one has been expanded, or, if there is no such
    /// level, once the expansion of this level begins. The states may be spilled afterwards. False if
    /// edges are not stored.
    pub(super) complete: bool,
    /// The number of records that met an equal state in memory.
    pub(super) merged: u64,
}

impl Level {
    /// An empty level, whose states have `width` words.
    pub(super) fn new(partitions: Vec<Box<dyn States>>, width: usize) -> Self {
        Level {
            partitions,
            width,
            bound: UpperBound::ZERO,
            incoming: Vec::new(),
            files: Vec::new(),
            complete: false,
            merged: 0,
        }
    }

    /// The number of states. A state on disk counts once for each file that contains it.
    pub(super) fn states(&self) -> u64 {
        (0..self.partitions.len()).map(|partition| self.states_in(partition)).sum()
    }

    pub(super) fn states_in(&self, partition: usize) -> u64 {
        self.partitions[partition].len() as u64 + self.spilled_states(partition)
    }

    /// A lower bound of the number of distinct states: excludes spilled states until their files are
    /// merged.
    pub(super) fn distinct_states(&self) -> u64 {
        if self.complete {
            return self.states();
        }
        self.partitions.iter().map(|partition| partition.len() as u64).sum()
    }

    /// Whether some states are on disk.
    pub(super) fn is_spilled(&self) -> bool {
        !self.files.is_empty()
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let places = self.incoming.iter().flat_map(|of| &of.places).map(Vec::capacity);
        self.state_bytes()
            + places.sum::<usize>() * size_of::<Place>()
            + self.files.iter().map(SpillFile::bytes).sum::<usize>()
    }

    /// Size in bytes of the states in memory, which can be spilled.
    pub(super) fn state_bytes(&self) -> usize {
        self.partitions.iter().map(|partition| partition.bytes()).sum()
    }

    /// Returns the index in `incoming` of the edges over a chain. If there is no such entry, adds one
    /// with this number of lists.
    pub(super) fn find_or_add_incoming(&mut self, chain: ForcedChain, lists: usize) -> usize {
        let is_same = |of: &Incoming| of.chain == chain && of.marks.is_empty();
        let found = self.incoming.iter().position(is_same);
        found.unwrap_or_else(|| {
            let (places, marks) = (vec![Vec::new(); lists], StateMarks::default());
            self.incoming.push(Incoming { chain, places, marks });
            self.incoming.len() - 1
        })
    }

    /// The numbers of the states of a level without duplicates.
    pub(super) fn numbering(&self) -> Numbering {
        self.numbering_after(0)
    }

    /// The same numbers, after `first` other states.
    pub(super) fn numbering_after(&self, first: u32) -> Numbering {
        let partitions = 0..self.partitions.len();
        Numbering::after(first, partitions.map(|partition| self.states_in(partition)))
    }

    /// Moves the states to more partitions, if the level is wider than expected when its first edge
    /// arrived. No state may be on disk.
    pub(super) fn repartition(
        &mut self,
        partitions: usize,
        sharing: Sharing<'_>,
    ) -> Result<(), BuildError> {
        let old_count = self.partitions.len();
        let any_incoming = !self.incoming.is_empty();
        // One more bit of the hash for each doubling: the states of partition `i` go to the
        // partitions `i`, `i + old_count`, `i + 2 * old_count`, ....
        let shares = partitions / old_count;
        let old_partitions = std::mem::take(&mut self.partitions);
        let repartitioned = sharing.for_all(old_partitions, |_, mut old| {
            let mut fresh: Vec<_> = (0..shares).map(|_| old.fresh()).collect();
            let mut moved = Vec::with_capacity(if any_incoming { old.len() } else { 0 });
            let moved_to = any_incoming.then_some(&mut moved);
            old.repartition(partitions, &mut fresh, moved_to, &|| sharing.check())?;
            Ok((fresh.into_iter(), moved))
        })?;
        let (mut fresh, moved): (Vec<_>, Vec<_>) = repartitioned.into_iter().unzip();
        let next = |number: usize| fresh[number % old_count].next().expect("each has its share");
        self.partitions = (0..partitions).map(next).collect();
        let lists = self.incoming.iter_mut().flat_map(|incoming| &mut incoming.places);
        for part in lists.flat_map(|list| list.chunks_mut(CHECK_INTERVAL)) {
            sharing.check()?;
            for place in part {
                let (partition, index) = place.split(old_count);
                *place = moved[partition][index];
            }
        }
        Ok(())
    }

    /// Writes some partitions, except the empty ones, to a spill file.
    pub(super) fn write_file(
        &self,
        partitions: Range<usize>,
        storage: &Storage,
    ) -> Result<SpillFile, BuildError> {
        let mut blob = storage.disk().create()?;
        let mut segments = vec![None; self.partitions.len()];
        for number in partitions {
            let states = &*self.partitions[number];
            segments[number] = FileSegment::write(states, self.width, storage, &mut blob)?;
        }
        Ok(SpillFile { blob: Arc::new(blob), width: self.width, segments })
    }

    /// Moves all partitions to disk, and frees their tables.
    pub(super) fn spill_all(&mut self, storage: &Storage) -> Result<(), BuildError> {
        self.spill(0..self.partitions.len(), storage)
    }

    /// Frees the tables of partitions without states in memory.
    pub(super) fn free_tables(&mut self) {
        for states in self.partitions.iter_mut().filter(|states| states.len() == 0) {
            *states = states.fresh();
        }
    }

    /// Moves partitions to disk, and frees their tables.
    pub(super) fn spill(
        &mut self,
        partitions: Range<usize>,
        storage: &Storage,
    ) -> Result<(), BuildError> {
        self.spill_keeping_tables(partitions.clone(), storage)?;
        for states in &mut self.partitions[partitions] {
            *states = states.fresh();
        }
        Ok(())
    }

    /// Moves partitions to disk. Keeps their hash tables and small last blocks, for the states that are
    /// yet to arrive.
    pub(super) fn spill_keeping_tables(
        &mut self,
        partitions: Range<usize>,
        storage: &Storage,
    ) -> Result<(), BuildError> {
        if self.partitions[partitions.clone()].iter().any(|states| states.len() > 0) {
            let file = self.write_file(partitions.clone(), storage)?;
            self.files.push(file);
        }
        for states in &mut self.partitions[partitions] {
            states.clear();
        }
        Ok(())
    }

    /// The states of a partition on disk.
    pub(super) fn spilled(&self, partition: usize) -> SpilledPartition<'_> {
        SpilledPartition { files: &self.files, partition }
    }

    /// The number of states of a partition on disk. A state counts once for each file that contains
    /// it.
    pub(super) fn spilled_states(&self, partition: usize) -> u64 {
        self.spilled(partition).states()
    }

    /// The approximate size in bytes of a partition when it is read back.
    pub(super) fn bytes_when_read(&self, partition: usize) -> usize {
        let states = self.states_in(partition) as usize;
        let in_memory = &self.partitions[partition];
        let on_disk = || self.spilled(partition).segments();
        let heap = in_memory.heap() + on_disk().map(|segment| segment.heap as usize).sum::<usize>();
        let blocks = on_disk().flat_map(|segment| &segment.blocks);
        // Includes a half-full table, and the buffers of one block.
        states * (in_memory.record_bytes() + 2 * (size_of::<u32>() + 1))
            + heap
            + 2 * blocks.map(|block| block.bytes).max().unwrap_or(0)
    }

    /// The number of passes over a partition that makes each take about `share` bytes, if possible.
    pub(super) fn passes(&self, partition: usize, share: usize) -> usize {
        self.bytes_when_read(partition).div_ceil(share.max(1)).max(1)
    }

    /// Splits a partition of a complete level into partitions of successive blocks, about as many as
    /// given. Returns whether there are several.
    ///
    /// The states have their numbers, and are not looked up by their hash any more. So they are expanded
    /// in this order, and each of the new partitions is read in one pass.
    pub(super) fn split(&mut self, partition: usize, count: usize) -> bool {
        // The partition is in one file, or in memory.
        let blocks = self.spilled(partition).segments().map(|segment| segment.blocks.len()).sum();
        let count = count.min(blocks);
        if count < 2 {
            return false;
        }
        let fresh: Vec<_> = (0..count).map(|_| self.partitions[partition].fresh()).collect();
        self.partitions.splice(partition..=partition, fresh);
        for file in &mut self.files {
            let segments = match &file.segments[partition] {
                Some(segment) => segment.split(count),
                None => vec![None; count],
            };
            file.segments.splice(partition..=partition, segments);
        }
        true
    }
}

/// The levels after the one being expanded, by variable: the next level, and all others that have
/// states. They are usually few, but there may be a hundred thousand.
#[derive(Default)]
pub(super) struct PendingLevels {
    levels: BTreeMap<usize, Box<Level>>,
    sizes: Sizes,
}

/// Sizes of pending levels.
#[derive(Clone, Copy, Default)]
struct Sizes {
    bytes: usize,
    distinct_states: u64,
}

impl From<&Level> for Sizes {
    fn from(level: &Level) -> Self {
        Sizes { bytes: level.bytes(), distinct_states: level.distinct_states() }
    }
}

impl PendingLevels {
    /// The sum of [`Level::bytes`] over all levels.
    pub(super) fn bytes(&self) -> usize {
        self.sizes.bytes
    }

    /// The sum of [`Level::distinct_states`] over all levels.
    pub(super) fn distinct_states(&self) -> u64 {
        self.sizes.distinct_states
    }

    /// Replaces the sizes of a level before a change by its sizes after it.
    fn recount(&mut self, before: Sizes, after: Sizes) {
        self.sizes.bytes = self.sizes.bytes - before.bytes + after.bytes;
        self.sizes.distinct_states =
            self.sizes.distinct_states - before.distinct_states + after.distinct_states;
    }

    pub(super) fn insert(&mut self, variable: usize, level: Box<Level>) {
        self.recount(Sizes::default(), Sizes::from(&*level));
        self.levels.insert(variable, level);
    }

    /// Removes a level, to expand it or to merge records into it.
    pub(super) fn take(&mut self, variable: usize) -> Option<Box<Level>> {
        let level = self.levels.remove(&variable)?;
        self.recount(Sizes::from(&*level), Sizes::default());
        Some(level)
    }

    /// Changes a level by a function, and returns its result.
    pub(super) fn change<R>(&mut self, variable: usize, change: impl FnOnce(&mut Level) -> R) -> R {
        let level = self.levels.get_mut(&variable).expect("the level is pending");
        let before = Sizes::from(&**level);
        let result = change(level);
        let after = Sizes::from(&**level);
        self.recount(before, after);
        result
    }
}

impl Deref for PendingLevels {
    type Target = BTreeMap<usize, Box<Level>>;

    fn deref(&self) -> &Self::Target {
        &self.levels
    }
}

/// The most partitions of a level.
pub(super) const MAX_PARTITIONS: usize = 1 << 10;

/// A trim keeps at least the first spare partitions, up to this number and this many bytes, even if
/// none were requested recently: one level may open many levels by its long edges, and the levels after
/// it none. If the tables of small levels grew again each time, counts of grid cycles 12 would take
/// 1.02 times the instructions.
const MAX_KEPT: usize = 1 << 6;
const KEPT_BYTES: usize = 1 << 20;

/// A state with more words than this is wide.
pub(super) const WIDE: usize = 8;

/// The number of pending levels that two estimates look at: of the states of a new level, and of the
/// partitions that edges lead to.
pub(super) const NEIGHBOURS: usize = 64;

/// The expected number of states of a new level at `to`, whose first edge is a long one from a
/// level of `states`: the number of states of the widest of some levels before it.
pub(super) fn expected_states(to: usize, states: u64, pending: &PendingLevels) -> u64 {
    let before = pending.range(..to).rev().take(NEIGHBOURS);
    before.map(|(_, level)| level.states()).fold(states, u64::max)
}

/// The pool of emptied partitions. Most levels are as wide as the one before, and page faults of
/// new tables for every level would take as long as merging.
pub(super) struct Pool<'a> {
    pub(super) expander: &'a dyn Expander,
    spare: Vec<Box<dyn States>>,
    /// The number of partitions requested since the last trim, and between the two trims before:
    /// levels with long edges to them are created long before their turn.
    asked: [usize; 2],
    /// The most partitions that a level is split into.
    most: u64,
    /// Size in bytes of a state, without its heap memory.
    state_bytes: usize,
    /// The mean size in bytes of the heap memory of a state, if it is counted.
    pub(super) heap_of_state: usize,
    threads: usize,
    /// The memory limit in bytes, if data spills beyond it.
    spill_limit: Option<usize>,
}

impl<'a> Pool<'a> {
    /// The intended number of states of a partition of a split level.
    const PARTITION_STATES: u64 = 1 << 14;
    /// The least number of states of a partition of a split level. Each partition has a list of
    /// records in the output of each group, which takes the memory of some hundred states.
    const MIN_PARTITION_STATES: u64 = 1 << 10;
    /// A level of at most this many bytes fits in the cache, and is split only to share it among
    /// threads.
    const WHOLE_BYTES: usize = 1 << 24;
    /// Such a level may take at most the memory limit divided by this, because a split level can be
    /// spilled in parts.
    const WHOLE_SHARE: usize = 64;
    pub(super) fn new(
        expander: &'a dyn Expander,
        stores_edges: bool,
        monitor: &Monitor<'_, '_>,
    ) -> Self {
        // If edges are not stored, the number of pages that a core can write to alternately is the limit.
        let most = if stores_edges { EdgeTarget::MAX_PARTITIONS } else { MAX_PARTITIONS } as u64;
        let (threads, spill_limit) = (monitor.workers.threads, monitor.config.spill_limit());
        let state_bytes = expander.new_states(0).record_bytes();
        let (spare, asked, heap_of_state) = (Vec::new(), [0; 2], 0);
        Pool { expander, spare, asked, most, state_bytes, heap_of_state, threads, spill_limit }
    }

    /// The mean size in bytes of a state of this width, with its heap memory.
    pub(super) fn record_bytes(&self, width: usize) -> usize {
        self.state_bytes + self.heap_of_state + width * size_of::<u64>()
    }

    /// The number of partitions for a level of about `states` states of this width.
    pub(super) fn partitions(&self, states: u64, width: usize) -> usize {
        // Fewer states for each partition if their words take most of the memory.
        let of_partition = Self::PARTITION_STATES * WIDE as u64 / width.max(WIDE) as u64;
        let of_partition = of_partition.max(Self::MIN_PARTITION_STATES);
        let split = states.div_ceil(of_partition).next_power_of_two();
        // Includes two slots of the table for each state.
        let bytes = states * (self.record_bytes(width) + 2 * size_of::<u32>()) as u64;
        let share = self.spill_limit.map_or(usize::MAX, |limit| limit / Self::WHOLE_SHARE);
        let wanted = if bytes <= Self::WHOLE_BYTES.min(share) as u64 {
            split.min(self.threads.next_power_of_two() as u64)
        } else {
            split
        };
        wanted.clamp(1, self.most) as usize
    }

    /// A level for about `states` states of this width.
    pub(super) fn level(&mut self, states: u64, width: usize) -> Level {
        self.level_of(self.partitions(states, width), width)
    }

    /// A level of `count` partitions for states of this width.
    pub(super) fn level_of(&mut self, count: usize, width: usize) -> Level {
        self.asked[0] += count;
        // In the order in which they were returned: each partition mostly gets the memory of the
        // last one with its index, which is in the cache of the core that processed it.
        let mut partitions = self.spare.split_off(self.spare.len().saturating_sub(count));
        partitions.resize_with(count, || self.expander.new_states(width));
        for partition in &mut partitions {
            partition.set_width(width);
        }
        Level::new(partitions, width)
    }

    /// Clears a partition and adds it to the pool.
    pub(super) fn recycle(&mut self, mut partition: Box<dyn States>) {
        partition.clear();
        self.spare.push(partition);
    }

    /// Trims the pool to the number of partitions that were requested recently, or to `partitions` or
    /// to those that survive in any case (see [`MAX_KEPT`]), if that is more.
    pub(super) fn trim(&mut self, partitions: usize) {
        let [asked, asked_before] = self.asked;
        let share = self.spill_limit.map_or(usize::MAX, |limit| limit / Self::WHOLE_SHARE);
        let mut bytes = 0;
        let small = self.spare.iter().take(MAX_KEPT).take_while(|partition| {
            bytes += partition.bytes();
            bytes <= KEPT_BYTES.min(share)
        });
        self.spare.truncate(small.count().max(partitions).max(asked).max(asked_before));
        self.asked = [0, asked];
    }

    /// Frees all pooled partitions.
    pub(super) fn empty(&mut self) {
        self.spare = Vec::new();
    }

    pub(super) fn bytes(&self) -> usize {
        self.spare.iter().map(|partition| partition.bytes()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::disk::Disk;
    use super::super::expander::SpecExpander;
    use super::super::monitor::Watch;
    use super::super::places::Places;
    use super::super::states::{Pass, StateNeeds, StateType, of_type};
    use super::super::table::StateTable;
    use super::super::workers::Workers;
    use super::*;
    use crate::constraint;
    use crate::file::Files;
    use crate::spec::{Codec, Rule, Step};
    use std::sync::Arc;

    /// The table of a partition.
    fn table(partition: &mut Box<dyn States>) -> &mut StateTable<u64> {
        of_type(&mut **partition)
    }

    /// A level of `partitions` partitions, where each of `states` arrived over a long edge.
    fn level(
        state_type: &Arc<StateType<u64>>,
        partitions: usize,
        states: impl Iterator<Item = u64>,
    ) -> Level {
        let fresh = || Box::new(StateTable::new(state_type, 0)) as Box<dyn States>;
        let mut level = Level::new((0..partitions).map(|_| fresh()).collect(), 0);
        let incoming = level.find_or_add_incoming(ForcedChain::EMPTY, partitions);
        for state in states {
            let route = state_type.route(&state, &mut Vec::new());
            let number = route.partition(partitions);
            let (index, _) = table(&mut level.partitions[number]).find_or_insert(state, &[], None);
            let places = Places::new(number, partitions, 0);
            level.incoming[incoming].places[number].push(places.get(index));
        }
        level
    }

    /// The states that arrived, by their places.
    fn arrived(level: &mut Level) -> Vec<Vec<u64>> {
        let count = level.partitions.len();
        let lists = level.incoming[0].places.clone();
        let mut state = |place: &Place| {
            let (partition, index) = place.split(count);
            table(&mut level.partitions[partition]).records[index]
        };
        lists.iter().map(|list| list.iter().map(&mut state).collect()).collect()
    }

    #[test]
    fn spilled_states_leave_their_tables_or_nothing() {
        let state_type = Arc::new(StateType::new(Some(Codec::new()), StateNeeds::default()));
        let spill = Disk::unnamed(&Files::default(), &std::env::temp_dir()).unwrap();
        let watch = Watch::start(None, None);
        let storage = Storage { spill: Some(spill), checkpoint: None, watch, memory_limit: None };
        let mut level = level(&state_type, 4, 0..40_000);
        let full = level.state_bytes();
        level.spill_keeping_tables(0..4, &storage).unwrap();
        let tables = level.state_bytes();
        // The slots stay, at least four bytes for each state. Nearly all of the eight bytes for each
        // state are freed.
        assert!((40_000 * 4..full - 40_000 * 7).contains(&tables), "{tables} of {full}");
        level.spill(1..4, &storage).unwrap();
        assert!((tables / 5..tables / 3).contains(&level.state_bytes()));
        level.spill(0..4, &storage).unwrap();
        assert_eq!(level.state_bytes(), 0);
        // Empty partitions make no run.
        assert_eq!((level.files.len(), level.states()), (1, 40_000));
    }

    /// The numbers of a complete level are the order of its states.
    #[test]
    fn parts_of_a_split_partition_are_read_in_the_order_of_its_states() {
        let state_type = Arc::new(StateType::new(Some(Codec::new()), StateNeeds::default()));
        let spill = Disk::unnamed(&Files::default(), &std::env::temp_dir()).unwrap();
        let watch = Watch::start(None, None);
        let storage = Storage {
            spill: Some(spill),
            checkpoint: None,
            watch: watch.clone(),
            memory_limit: None,
        };
        let states = |level: &mut Level| {
            let partitions = level.partitions.iter_mut();
            let states = partitions.flat_map(|states| table(states).records.iter().copied());
            states.collect::<Vec<_>>()
        };
        // Four blocks, the last of them smaller, in each of two partitions.
        for (count, parts) in [(2, 2), (3, 3), (100, 4)] {
            let mut level =
                level(&state_type, 2, (0..120_000).map(|number| number * 7919 % 120_011));
            level.complete = true;
            let (before, total) = (states(&mut level), level.states());
            assert!(!level.split(0, count), "it is in memory");
            level.spill(1..2, &storage).unwrap();
            level.spill(0..1, &storage).unwrap();
            assert!(level.split(1, count) && level.split(0, count));
            assert_eq!((level.partitions.len(), level.states()), (2 * parts, total));
            for partition in 0..level.partitions.len() {
                let spilled = SpilledPartition { files: &level.files, partition };
                let states = &mut *level.partitions[partition];
                spilled.merge_into(states, Pass::ONLY, None, &watch, None).unwrap();
            }
            assert_eq!(states(&mut level), before);
        }
    }

    #[test]
    fn repartitioned_states_are_found_in_their_partitions_and_by_earlier_edges() {
        let state_type = Arc::new(StateType::new(None, StateNeeds::default()));
        let workers = Workers::new(Some(3)).unwrap();
        let watch = Watch::start(None, None);
        for (old, new) in [(1, 4), (2, 16), (8, 128)] {
            let states = || (0..20_000u64).map(|number| number * number % 7919);
            let before = arrived(&mut level(&state_type, old, states()));
            let mut orders = Vec::new();
            for workers in [None, Some(&workers)] {
                let mut level = level(&state_type, old, states());
                let known = level.states();
                level.repartition(new, Sharing { watch: &watch, variable: None, workers }).unwrap();
                assert_eq!((level.partitions.len(), level.states()), (new, known));
                assert_eq!(arrived(&mut level), before);
                for state in states() {
                    let route = state_type.route(&state, &mut Vec::new());
                    let partition = &mut level.partitions[route.partition(new)];
                    assert!(!table(partition).find_or_insert(state, &[], None).1);
                }
                let partitions = level.partitions.iter_mut();
                let order = partitions.flat_map(|of| table(of).records.iter().copied());
                orders.push(order.collect::<Vec<_>>());
            }
            assert_eq!(orders[0], orders[1]);
        }
    }

    #[test]
    fn few_small_partitions_stay_that_were_not_requested_recently() {
        let spec = constraint::at_most(9, 2);
        let expander = SpecExpander::new(&spec, None, StateNeeds::default());
        // An emptied partition keeps the memory for its one state, 8 kB of words.
        let emptied = || {
            let root = expander.root(Rule::ZeroSuppressed, &mut |_| vec![0; 1 << 10]);
            let Step::To(_, mut partition) = root else { panic!("the root is a state") };
            partition.clear();
            partition
        };
        let of_bytes = |bytes: usize| bytes / emptied().bytes();
        for (count, spill_limit, expected) in [
            (300, None, MAX_KEPT),
            (300, Some(1 << 24), of_bytes((1 << 24) / Pool::WHOLE_SHARE)),
            (300, Some(1 << 10), 5),
            (3, None, 3),
        ] {
            let mut pool = Pool {
                expander: &expander,
                spare: Vec::new(),
                asked: [0; 2],
                most: 1,
                state_bytes: 0,
                heap_of_state: 0,
                threads: 1,
                spill_limit,
            };
            (0..count).for_each(|_| pool.recycle(emptied()));
            pool.trim(5);
            assert_eq!(pool.spare.len(), expected, "{count} {spill_limit:?}");
        }
    }
}
