//! A stack of lists in large segments, for all edges of a sweep.

use crate::pages::Pages;
use bytemuck::Pod;

/// A stack of lists. Popping returns the memory of emptied segments, some megabytes each.
#[derive(Debug)]
pub(crate) struct SegmentedStack<T> {
    segments: Vec<Segment<T>>,
}

#[derive(Debug)]
struct Segment<T> {
    items: Pages<T>,
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

impl<T> Default for SegmentedStack<T> {
    fn default() -> Self {
        SegmentedStack { segments: Vec::new() }
    }
}

impl<T: Pod> SegmentedStack<T> {
    /// Pushes lists of these lengths. Returns each list for the caller to fill.
    pub(crate) fn push(&mut self, lengths: &[usize]) -> Vec<(Slot, &mut [T])> {
        let slots: Vec<Slot> = lengths.iter().map(|&len| self.slot(len)).collect();
        let lists = self.get_all_mut(&slots);
        slots.into_iter().zip(lists).collect()
    }

    /// Returns the lists in these slots, which must be in the order of pushing.
    pub(crate) fn get_all_mut(&mut self, slots: &[Slot]) -> Vec<&mut [T]> {
        let first = slots.first().map_or(0, |slot| slot.segment as usize);
        let mut lists = Vec::with_capacity(slots.len());
        let mut next = slots.iter().peekable();
        for (number, segment) in self.segments.iter_mut().enumerate().skip(first) {
            let mut rest = &mut segment.items[..];
            let mut at = 0;
            while let Some(slot) = next.next_if(|slot| slot.segment as usize == number) {
                let (start, len) = (slot.start as usize, slot.len as usize);
                let (_, after) = std::mem::take(&mut rest).split_at_mut(start - at);
                let (list, after) = after.split_at_mut(len);
                lists.push(list);
                rest = after;
                at = start + len;
            }
        }
        lists
    }

    /// Allocates a slot on top.
    fn slot(&mut self, len: usize) -> Slot {
        let fits = |segment: &Segment<T>| segment.items.len() - segment.used >= len;
        if !self.segments.last().is_some_and(fits) {
            let bytes = MOST_BYTES.min(FIRST_BYTES << self.segments.len().min(9));
            let items = Pages::new(len.max(bytes / size_of::<T>()));
            self.segments.push(Segment { items, used: 0 });
        }
        let number = self.segments.len() - 1;
        let segment = &mut self.segments[number];
        let slot = Slot { segment: number as u32, start: segment.used as u32, len: len as u32 };
        segment.used += len;
        slot
    }

    pub(crate) fn get(&self, slot: Slot) -> &[T] {
        // The segment of an empty list may have been popped.
        if slot.len == 0 {
            return &[];
        }
        let start = slot.start as usize;
        &self.segments[slot.segment as usize].items[start..start + slot.len as usize]
    }

    /// Pops this list and all above it. Returns the memory that is no longer needed.
    #[must_use]
    pub(crate) fn pop_from(&mut self, slot: Slot) -> Vec<Pages<T>> {
        let first = self.segments.len().min(slot.segment as usize + 1);
        let emptied = self.segments.drain(first..).map(|segment| segment.items).collect();
        if let Some(segment) = self.segments.get_mut(slot.segment as usize) {
            segment.used = slot.start as usize;
        }
        emptied
    }

    /// Size in bytes of the lists.
    pub(crate) fn bytes(&self) -> usize {
        self.segments.iter().map(|segment| segment.used).sum::<usize>() * size_of::<T>()
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
            let mut log = SegmentedStack::<u32>::default();
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
                        drop(log.pop_from(slot));
                    }
                }
                for (slot, list) in &model {
                    prop_assert_eq!(log.get(*slot), &list[..]);
                }
            }
        }
    }
}
