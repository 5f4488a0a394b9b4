//! A stack of lists in large segments, for all edges of a sweep.

use crate::pages::Pages;

/// A stack of lists of words, in segments of some megabytes.
#[derive(Debug, Default)]
pub(crate) struct SegmentedStack {
    segments: Vec<Segment>,
}

#[derive(Debug)]
struct Segment {
    words: Pages<u32>,
    used: usize,
}

/// The location of a list in the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Slot {
    segment: u32,
    start: u32,
    len: u32,
}

/// Size in bytes of the first segment. Each further one is twice as large, up to `MOST_BYTES`.
const FIRST_BYTES: usize = 1 << 14;
const MOST_BYTES: usize = 1 << 23;

impl SegmentedStack {
    /// Pushes lists of these lengths. Returns each list for the caller to fill.
    pub(crate) fn push(&mut self, lengths: &[usize]) -> Vec<(Slot, &mut [u32])> {
        let slots: Vec<Slot> = lengths.iter().map(|&len| self.slot(len)).collect();
        let lists = self.get_all_mut(&slots);
        slots.into_iter().zip(lists).collect()
    }

    /// Returns the lists in these slots, which must be in the order of pushing.
    pub(crate) fn get_all_mut(&mut self, slots: &[Slot]) -> Vec<&mut [u32]> {
        let segments = self.segments.iter_mut();
        let mut rests: Vec<_> = segments.map(|segment| (0, &mut segment.words[..])).collect();
        let list = |slot: &Slot| {
            let (start, rest) = &mut rests[slot.segment as usize];
            let before = std::mem::replace(start, slot.start + slot.len);
            let list = (slot.start - before) as usize..(*start - before) as usize;
            let taken = rest.split_off_mut(..list.end).expect("the slot is in the segment");
            &mut taken[list]
        };
        slots.iter().map(list).collect()
    }

    /// Allocates a slot on top.
    fn slot(&mut self, len: usize) -> Slot {
        let fits = |segment: &Segment| segment.words.len() - segment.used >= len;
        if !self.segments.last().is_some_and(fits) {
            let bytes = MOST_BYTES.min(FIRST_BYTES << self.segments.len().min(9));
            let words = Pages::new(len.max(bytes / size_of::<u32>()));
            self.segments.push(Segment { words, used: 0 });
        }
        let number = self.segments.len() - 1;
        let segment = &mut self.segments[number];
        let slot = Slot { segment: number as u32, start: segment.used as u32, len: len as u32 };
        segment.used += len;
        slot
    }

    pub(crate) fn get(&self, slot: Slot) -> &[u32] {
        // The segment of an empty list may have been popped.
        if slot.len == 0 {
            return &[];
        }
        let start = slot.start as usize;
        &self.segments[slot.segment as usize].words[start..start + slot.len as usize]
    }

    /// Pops this list and all above it. Frees emptied segments.
    pub(crate) fn pop_from(&mut self, slot: Slot) {
        self.segments.truncate(slot.segment as usize + 1);
        if let Some(segment) = self.segments.get_mut(slot.segment as usize) {
            segment.used = slot.start as usize;
        }
    }

    /// Size in bytes of the lists.
    pub(crate) fn bytes(&self) -> usize {
        self.segments.iter().map(|segment| segment.used).sum::<usize>() * size_of::<u32>()
    }

    pub(crate) fn clear(&mut self) {
        self.segments.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A stack of vectors is the model.
        #[test]
        fn lists_are_popped_in_reverse_order(
            rounds in prop::collection::vec(
                (prop::collection::vec(0usize..9000, 0..5), 0usize..4), 0..20,
            ),
        ) {
            let mut log = SegmentedStack::default();
            let mut model: Vec<(Slot, Vec<u32>)> = Vec::new();
            let mut number = 0;
            for (lengths, pops) in rounds {
                for (slot, list) in log.push(&lengths) {
                    for item in list.iter_mut() {
                        *item = number;
                        number += 1;
                    }
                    model.push((slot, list.to_vec()));
                }
                for _ in 0..pops {
                    if let Some((slot, _)) = model.pop() {
                        log.pop_from(slot);
                    }
                }
                for (slot, list) in &model {
                    prop_assert_eq!(log.get(*slot), &list[..]);
                }
            }
        }
    }
}
