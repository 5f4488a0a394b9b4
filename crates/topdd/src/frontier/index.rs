//! The table by which a state finds its equal.

/// Numbers `0..len` of things elsewhere, to be found by their hashes.
///
/// Open addressing with linear probing (Knuth, TAOCP 3, 6.4). A slot is one word: the number
/// in as many bits as the table may need for it, and in all the others bits of the hash. So a
/// look at a state that is not there reads one line of memory as a rule, and one at a state
/// that is there reads one more, of the state; a table that also had a byte for each slot apart,
/// as general ones do, would read one more each time. It grows by asking for the hashes in the
/// order of the numbers, which is that of memory.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// A power of two of them, or none: 0 where it is free; else the number, plus one, in the
    /// lowest `bits` bits, and the uppermost bits of the hash above them.
    slots: Box<[u32]>,
    /// How many bits tell one slot from the other.
    bits: u32,
    len: usize,
    /// How many numbers there may come to be before something has to be done about it.
    room: usize,
    /// Whether the slots tell of numbers that have been forgotten.
    stale: bool,
}

/// Of four slots, how many are taken at most: the more, the longer the probes.
const MOST_OF_FOUR: usize = 3;
const LEAST_BITS: u32 = 4;

impl Index {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// How many numbers it has room for without growing.
    pub(super) fn capacity(&self) -> usize {
        self.slots.len() / 4 * MOST_OF_FOUR
    }

    /// What it takes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.slots.len() * size_of::<u32>()
    }

    /// Forgets all numbers. The slots are freed when there are others, by whoever has these: that
    /// takes as long as a table is large.
    pub(super) fn clear(&mut self) {
        self.stale |= self.len > 0;
        self.len = 0;
        self.room = 0;
    }

    /// Reads where the search for this hash starts, so that it is at hand soon after.
    #[inline]
    pub(super) fn touch(&self, hash: u64) -> u32 {
        let mask = self.slots.len().wrapping_sub(1);
        self.slots.get(hash as usize & mask).copied().unwrap_or_default()
    }

    /// The number that has this hash and of which `is_it` is true, or else, with `None`, the
    /// next number, `len()`, with this hash. `hash_of` tells the hash of a number that there is.
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

    /// Makes the table ready for more numbers.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, hash_of: impl FnMut(usize) -> u64) {
        if std::mem::take(&mut self.stale) {
            self.slots.fill(0);
        }
        if self.len >= self.capacity() {
            self.grow(hash_of);
        }
        self.room = self.capacity();
    }

    /// Doubles the table.
    fn grow(&mut self, mut hash_of: impl FnMut(usize) -> u64) {
        self.bits = (self.bits + 1).max(LEAST_BITS);
        // Written, and not just known to be zero: a page that is read before it is written to
        // costs two faults, the second of which interrupts every other thread.
        let mut slots = Vec::with_capacity(1 << self.bits);
        slots.resize(1 << self.bits, std::hint::black_box(0));
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        /// Few different hashes, so that they collide in every part.
        #[test]
        fn finds_what_was_inserted(
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
                    prop_assert_eq!(index.len(), list.len());
                    prop_assert!(index.len() <= index.capacity());
                }
                index.clear();
            }
        }
    }
}
