//! The hash table that finds equal states.

/// A hash index of items that are stored elsewhere under the indices `0..len`.
///
/// Open addressing with linear probing (Knuth, TAOCP 3, 6.4). A slot is one word: the index of an
/// item in the low bits, and bits of its hash in the rest. A search for a missing state usually
/// reads one cache line, and a search for a present state one more, the line of the state. A table with
/// a separate byte for each slot, as general ones have, would read one more in both cases. When the
/// table grows, it computes the hashes in the order of the indices, which is the order of memory.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// Their number is a power of two or 0. A free slot is 0. Another contains the index plus one
    /// in the low bits, as many as a position has, and above them the uppermost bits of the hash.
    slots: Box<[u32]>,
    len: usize,
    /// The length at which the slots must be cleared or the table must grow.
    room: usize,
    /// Whether the slots contain indices from before the last [`clear`](Index::clear).
    stale: bool,
}

/// The most occupied slots of every four. More would make the probes longer.
const MAX_LOAD_OF_FOUR: usize = 3;
const MIN_SLOTS: usize = 1 << 4;
/// A table is nearly empty if it has fewer items than its capacity divided by this.
const NEARLY_EMPTY: usize = 64;

impl Index {
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
            *self = Index::default();
        }
        self.stale |= self.len > 0;
        self.len = 0;
        self.room = 0;
    }

    /// Reads the slot where the search for this hash starts, to bring it into the cache.
    #[inline]
    pub(super) fn touch(&self, hash: u64) -> u32 {
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
            let mut index = Index::default();
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
