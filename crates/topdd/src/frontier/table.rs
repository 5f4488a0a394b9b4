//! The table of a partition: where equal states merge.

use super::monitor::Check;
use super::payload::Combiner;
use super::places::{Place, Places};
use super::states::{
    ArrivalList, Blocks, EncodedRecords, NewIndices, Pass, Records, State, StateType, States, Twin,
    has_constant_widths, of_type,
};
use crate::BuildError;
use crate::number::{ANY_WIDTH, limbs};
use crate::random::Reservoir;
use crate::spec::Portable;
use std::ops::Range;
use std::sync::Arc;
use std::vec::Drain;

/// The states of a partition, of one type, with the hash index that finds them.
// Threads merge into neighbouring partitions, so these must not share a cache line.
#[repr(align(128))]
pub(super) struct StateTable<S> {
    pub(super) records: Blocks<S>,
    /// Finds states in `records`.
    index: StateIndex,
    state_type: Arc<StateType<S>>,
    /// Size in bytes of the memory that the states own, if it is counted.
    heap: usize,
    /// A sample of the states that met an equal one, each with the index of that state.
    pub(super) twins: Reservoir<(u32, S)>,
}

/// The most states of a table that met an equal one and are kept.
const MAX_TWINS: usize = 64;

/// The number of records whose slots in the table are fetched together.
const AHEAD: usize = 32;

impl<S: State> StateTable<S> {
    /// An empty table, whose states have `width` words.
    pub(super) fn new(state_type: &Arc<StateType<S>>, width: usize) -> Self {
        StateTable {
            records: Blocks::new(width),
            index: StateIndex::default(),
            state_type: Arc::clone(state_type),
            heap: 0,
            twins: Reservoir::default(),
        }
    }

    /// Merges a state. Returns its index and whether it was new.
    pub(super) fn find_or_insert(
        &mut self,
        state: S,
        words: &[u64],
        combiner: Combiner<'_>,
    ) -> (u32, bool) {
        let hash = self.state_type.hash(&state);
        self.find_or_insert_in(self.records.width, hash, state, words, combiner)
    }

    /// As [`find_or_insert`](StateTable::find_or_insert), with the hash of the state and the width of
    /// the table given.
    // Without inlining, calls take a seventh of the instructions of merging.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn find_or_insert_in(
        &mut self,
        width: usize,
        hash: u64,
        state: S,
        words: &[u64],
        combiner: Combiner<'_>,
    ) -> (u32, bool) {
        let (records, state_type) = (&self.records, &self.state_type);
        let found = self.index.find_or_insert(
            hash,
            |i| records[i] == state,
            |i| state_type.hash(&records[i]),
        );
        if let Some(i) = found {
            if let Some((payload, variable)) = combiner {
                payload.combine(variable, self.records.words_mut(width, i), words);
            } else if width > 0 {
                limbs::add(self.records.words_mut(width, i), words);
            }
            if state_type.twin.is_some() {
                self.meet(i, state);
            }
            (i as u32, false)
        } else {
            self.heap += self.state_type.heap_bytes(&state);
            self.records.push(width, state, words);
            (self.records.len() as u32 - 1, true)
        }
    }

    /// Joins a state with an equal one that arrives, or keeps it in the sample.
    #[cold]
    #[inline(never)]
    fn meet(&mut self, index: usize, arrived: S) {
        let Some(Twin::Join(join)) = self.state_type.twin else {
            return self.twins.push((index as u32, arrived), MAX_TWINS);
        };
        let state = &mut self.records[index];
        self.heap -= self.state_type.heap_bytes(state);
        join(state, arrived);
        self.heap += self.state_type.heap_bytes(state);
    }

    /// [`States::merge_from`] for a block of records. `WIDTH` is the number of words of the records
    /// and of the table.
    fn merge_block<const WIDTH: usize, const KEPT: bool>(
        &mut self,
        mut states: Drain<'_, S>,
        all_words: &[u64],
        combiner: Combiner<'_>,
        arrivals: &mut ArrivalList<'_>,
    ) -> u64 {
        let mut merged = 0;
        let (width, width_here) = if WIDTH == ANY_WIDTH {
            (all_words.len().checked_div(states.len()).unwrap_or(0), self.records.width)
        } else {
            (WIDTH, WIDTH)
        };
        let mut all_words = all_words;
        // A copy, which stays in registers: writes may alias the shared one.
        let hasher = self.state_type.hasher.clone();
        let mut hashes = [0; AHEAD];
        loop {
            // Loads the slots of several records before the first is used. The search for a state
            // depends on its slot, so one by one each load would wait for the one before.
            let mut fetched = 0;
            let next = states.as_slice();
            let ahead = next.len().min(AHEAD);
            for (hash, state) in hashes.iter_mut().zip(next) {
                *hash = hasher.hash_one(state);
                fetched ^= self.index.touch(*hash);
            }
            std::hint::black_box(fetched);
            for (&hash, state) in hashes[..ahead].iter().zip(&mut states) {
                let (mut words, rest) = all_words.split_at(width);
                all_words = rest;
                if WIDTH == ANY_WIDTH {
                    // Only a skip makes longer words. Their highest limbs are 0, as the bound of
                    // the level shows.
                    words = &words[..width.min(width_here)];
                }
                let (index, new) = self.find_or_insert_in(width_here, hash, state, words, combiner);
                if KEPT {
                    arrivals.list.push(arrivals.places.get(index));
                }
                merged += u64::from(!new);
            }
            if ahead < AHEAD {
                return merged;
            }
        }
    }
}

impl<S: State> States for StateTable<S> {
    fn fresh(&self) -> Box<dyn States> {
        Box::new(StateTable::new(&self.state_type, self.records.width))
    }

    fn len(&self) -> usize {
        self.records.len()
    }

    fn set_width(&mut self, width: usize) {
        self.records.set_width(width);
    }

    fn bytes(&self) -> usize {
        let table = self.index.bytes();
        // The partitions of a level fill evenly, so their tables grow at about the same time. The
        // account includes this growth before it occurs.
        let growing = self.records.len() >= self.index.capacity() / 4 * 3;
        self.records.bytes()
            + self.heap
            + self.twins.bytes()
            + if growing { 2 * table } else { table }
    }

    fn record_bytes(&self) -> usize {
        size_of::<S>() + self.records.width * size_of::<u64>()
    }

    fn heap(&self) -> usize {
        self.heap
    }

    fn clear(&mut self) {
        self.records.clear();
        self.index.clear();
        self.heap = 0;
        self.twins.clear();
    }

    fn merge_from(
        &mut self,
        records: &mut dyn Records,
        combiner: Combiner<'_>,
        arrivals: Option<ArrivalList<'_>>,
        check: Check<'_>,
    ) -> Result<u64, BuildError> {
        let records: &mut Blocks<S> = of_type(records);
        let kept = arrivals.is_some();
        let mut none = Vec::new();
        let places = Places::new(0, 1, 0);
        let arrivals = &mut arrivals.unwrap_or(ArrivalList { places, list: &mut none });
        let mut merged = 0;
        records.drain(|states, all_words| {
            check()?;
            let width = all_words.len().checked_div(states.len()).unwrap_or(0);
            merged += match (width, self.records.width, combiner) {
                _ if kept => self.merge_block::<0, true>(states, &[], None, arrivals),
                (1, 1, None) if const { has_constant_widths::<S>() } => {
                    self.merge_block::<1, false>(states, all_words, None, arrivals)
                }
                (2, 2, None) if const { has_constant_widths::<S>() } => {
                    self.merge_block::<2, false>(states, all_words, None, arrivals)
                }
                _ => self.merge_block::<ANY_WIDTH, false>(states, all_words, combiner, arrivals),
            };
            Ok(())
        })?;
        Ok(merged)
    }

    fn repartition(
        &mut self,
        partitions: usize,
        to: &mut [Box<dyn States>],
        mut moved: Option<&mut Vec<Place>>,
        check: Check<'_>,
    ) -> Result<(), BuildError> {
        let mut to: Vec<&mut Self> = to.iter_mut().map(|to| of_type(&mut **to)).collect();
        let (state_type, width) = (&self.state_type, self.records.width);
        let old_partitions = partitions / to.len();
        let mut encoded = Vec::new();
        self.index.clear();
        self.heap = 0;
        self.twins.clear();
        self.records.drain(|states, all_words| {
            check()?;
            for (i, state) in states.enumerate() {
                let partition = state_type.route(&state, &mut encoded).partition(partitions);
                let to = &mut *to[partition / old_partitions];
                let (index, _) = to.find_or_insert(state, &all_words[i * width..][..width], None);
                if let Some(moved) = &mut moved {
                    moved.push(Places::new(partition, partitions, 0).get(index));
                }
            }
            Ok(())
        })
    }

    fn select(
        &self,
        states: &mut dyn Iterator<Item = (u32, &[u64])>,
        width: usize,
    ) -> Box<dyn States> {
        let mut selected = StateTable::new(&self.state_type, width);
        for (index, words) in states {
            selected.find_or_insert(self.records[index as usize].clone(), words, None);
        }
        Box::new(selected)
    }

    fn write_states(&self, range: Range<usize>, out: &mut Vec<u8>) {
        let codec = self.state_type.codec();
        for state in self.records.slices(range).flat_map(|(states, _)| states) {
            codec.write(state, out);
        }
    }

    fn write(&self, range: Range<usize>, out: &mut Vec<u8>) {
        self.write_states(range.clone(), out);
        for word in self.records.slices(range).flat_map(|(_, words)| words) {
            word.write(out);
        }
    }

    fn merge_encoded(
        &mut self,
        states: EncodedRecords<'_>,
        pass: Pass,
        combiner: Combiner<'_>,
        new_indices: Option<NewIndices<'_>>,
    ) -> Option<()> {
        let state_type = Arc::clone(&self.state_type);
        let mut encoded = Vec::new();
        let (before, list) = new_indices.map_or((0, &mut [][..]), |new| (new.before, new.list));
        let mut list = list.iter_mut();
        state_type.decode(states, |state, encoding, words| {
            let new_index = list.next();
            if pass.takes(|| state_type.route_of_decoded(&state, encoding, &mut encoded)) {
                let (index, _) = self.find_or_insert(state, words, combiner);
                if let Some(new_index) = new_index {
                    *new_index = before + index;
                }
            }
        })
    }
}

/// A hash index of items that are stored elsewhere under the indices `0..len`.
///
/// Open addressing with linear probing (Knuth, TAOCP 3, 6.4). A slot is one word: the index of an
/// item in the low bits, and bits of its hash in the rest. A search for a missing state usually
/// reads one cache line, and a search for a present state one more, the line of the state. A table with
/// a separate byte for each slot, as general ones have, would read one more in both cases. When the
/// table grows, it computes the hashes in the order of the indices, which is the order of memory.
#[derive(Debug, Default)]
pub(super) struct StateIndex {
    /// Their number is a power of two or 0. A free slot is 0. Another contains the index plus one
    /// in the low bits, as many as a position has, and above them the uppermost bits of the hash.
    slots: Box<[u32]>,
    len: usize,
    /// The length at which the slots must be cleared or the table must grow.
    room: usize,
    /// Whether the slots contain indices from before the last [`clear`](StateIndex::clear).
    stale: bool,
}

/// The most occupied slots of every four. More would make the probes longer.
const MAX_LOAD_OF_FOUR: usize = 3;
const MIN_SLOTS: usize = 1 << 4;
/// A table is nearly empty if it has fewer items than its capacity divided by this.
const NEARLY_EMPTY: usize = 64;

impl StateIndex {
    /// The number of items that fit without growing.
    pub(super) fn capacity(&self) -> usize {
        self.slots.len() / 4 * MAX_LOAD_OF_FOUR
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.slots.len() * size_of::<u32>()
    }

    /// Removes all items. The slots are cleared at the next insertion, by the thread that inserts,
    /// because clearing takes time linear in the size of the table. Frees a table that was nearly
    /// empty: a small level after a large one needs a small table.
    pub(super) fn clear(&mut self) {
        if self.len < self.capacity() / NEARLY_EMPTY {
            *self = StateIndex::default();
        }
        self.stale |= self.len > 0;
        self.len = 0;
        self.room = 0;
    }

    /// Reads the slot where the search for this hash starts, to bring it into the cache.
    #[inline]
    fn touch(&self, hash: u64) -> u32 {
        let mask = self.slots.len().wrapping_sub(1);
        self.slots.get(hash as usize & mask).copied().unwrap_or_default()
    }

    /// Returns the index of the item that has this hash and for which `is_it` returns true. If
    /// there is none, inserts an item with this hash under the next index, `len()`, and returns
    /// `None`. `hash_of` returns the hash of the item with a given index.
    #[inline]
    pub(super) fn find_or_insert(
        &mut self,
        hash: u64,
        mut is_it: impl FnMut(usize) -> bool,
        hash_of: impl FnMut(usize) -> u64,
    ) -> Option<usize> {
        if self.len >= self.room {
            self.make_room(hash_of);
        }
        let mask = self.slots.len() - 1;
        let numbers = mask as u32;
        let sought = (hash >> 32) as u32 & !numbers;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                self.len += 1;
                self.slots[at] = sought | self.len as u32;
                return None;
            }
            if (slot ^ sought) & !numbers == 0 {
                let number = (slot & numbers) as usize - 1;
                if is_it(number) {
                    return Some(number);
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// Clears or doubles the table, so that another item fits.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, mut hash_of: impl FnMut(usize) -> u64) {
        if std::mem::take(&mut self.stale) {
            self.slots.fill(0);
        }
        if self.len >= self.capacity() {
            let count = (2 * self.slots.len()).max(MIN_SLOTS);
            // Writes the zeros instead of mapping zero pages: a page that is read before it is written
            // to costs two faults, the second of which interrupts every other thread.
            let mut slots = Vec::with_capacity(count);
            slots.resize(count, std::hint::black_box(0));
            self.slots = slots.into_boxed_slice();
            let mask = self.slots.len() - 1;
            for number in 0..self.len {
                let hash = hash_of(number);
                let mut at = hash as usize & mask;
                while self.slots[at] != 0 {
                    at = (at + 1) & mask;
                }
                self.slots[at] = (hash >> 32) as u32 & !(mask as u32) | (number as u32 + 1);
            }
        }
        self.room = self.capacity();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        /// Few different hashes, so that they collide in every part.
        #[test]
        fn inserted_states_are_found(
            keys in prop::collection::vec((0u64..4, 0u64..4, 0u64..8), 0..400),
        ) {
            let hash = |&(high, low, _): &(u64, u64, u64)| high << 62 | low;
            let mut index = StateIndex::default();
            for _ in 0..2 {
                let mut list = Vec::new();
                let mut numbers = HashMap::new();
                for key in &keys {
                    let found =
                        index.find_or_insert(hash(key), |i| list[i] == *key, |i| hash(&list[i]));
                    prop_assert_eq!(found, numbers.get(key).copied());
                    if found.is_none() {
                        numbers.insert(*key, list.len());
                        list.push(*key);
                    }
                    prop_assert_eq!(index.len, list.len());
                    prop_assert!(index.len <= index.capacity());
                }
                index.clear();
            }
        }
    }
}
