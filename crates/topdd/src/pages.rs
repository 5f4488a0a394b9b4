//! Memory in large pieces, which goes back to the system as soon as it is given up.
//!
//! What a build leaves behind takes hundreds of megabytes and is given up bit by bit while
//! the diagram grows. The allocator would keep what is given up, between other things that are
//! still needed, and the process would come to have twice what it holds. A mapping of its own
//! goes back at once, and on most systems takes room only where it has been written to.

use crate::remap;
use bytemuck::Pod;
use memmap2::MmapMut;
use std::ops::{Deref, DerefMut};

/// So many items, zero at first.
#[derive(Debug)]
pub(crate) struct Pages<T> {
    memory: Memory<T>,
    len: usize,
}

#[derive(Debug)]
enum Memory<T> {
    Small(Vec<T>),
    Large(MmapMut),
}

/// Less is not worth a mapping.
const LEAST_BYTES: usize = 1 << 21;
/// A multiple of the size of a page, on most systems.
const PAGE_BYTES: usize = 1 << 16;
const HUGE_PAGE_BYTES: usize = 1 << 21;

impl<T: Pod> Pages<T> {
    pub(crate) fn new(len: usize) -> Self {
        // Where the system refuses, the allocator has the last word.
        Pages::reserve(len)
            .unwrap_or_else(|| Pages { memory: Memory::Small(vec![T::zeroed(); len]), len })
    }

    /// Room for so many items, that takes memory only where it is written to; `None` if that
    /// is not worth a mapping, or more than the system promises.
    pub(crate) fn reserve(len: usize) -> Option<Self> {
        let bytes = len.checked_mul(size_of::<T>()).filter(|&bytes| bytes >= LEAST_BYTES)?;
        let map = MmapMut::map_anon(bytes).ok()?;
        Some(Pages { memory: Memory::Large(map), len })
    }

    /// Puts the memory of others in the place of its own, from the item `start` on or a little
    /// further: what is there from then on is not specified. Answers up to which item it
    /// reaches; or the others, if there is no room for them or the system does not go along.
    pub(crate) fn take_over<U>(
        &mut self,
        start: usize,
        others: Pages<U>,
    ) -> Result<usize, Pages<U>> {
        let Pages { memory, len } = others;
        let refused = match (&mut self.memory, memory) {
            (Memory::Large(to), Memory::Large(from)) => {
                let first = (start * size_of::<T>()).next_multiple_of(PAGE_BYTES);
                // As far from a huge page's beginning as where it comes from: so that whole
                // tables of pages are moved, and huge pages stay whole.
                let here = to.as_ptr() as usize + first;
                let gap = (from.as_ptr() as usize).wrapping_sub(here) % HUGE_PAGE_BYTES;
                let end = first + gap + from.len();
                let moved = if end <= to.len() {
                    remap::move_into(to, first + gap, from)
                } else {
                    Err(from)
                };
                match moved {
                    Ok(()) => return Ok(end / size_of::<T>()),
                    Err(from) => Memory::Large(from),
                }
            }
            (_, memory) => memory,
        };
        Err(Pages { memory: refused, len })
    }

    /// Gives back the memory of most items from `start` on, whose values are not specified then.
    pub(crate) fn give_back_from(&mut self, start: usize) {
        if let Memory::Large(map) = &mut self.memory {
            let at = (start * size_of::<T>()).next_multiple_of(PAGE_BYTES);
            remap::give_back_from(map, at);
        }
    }

    pub(crate) fn copy_of(items: &[T]) -> Self {
        let mut pages = Pages::new(items.len());
        pages.copy_from_slice(items);
        pages
    }
}

impl<T: Pod> Deref for Pages<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.memory {
            Memory::Small(items) => items,
            Memory::Large(map) => bytemuck::cast_slice(&map[..self.len * size_of::<T>()]),
        }
    }
}

impl<T: Pod> DerefMut for Pages<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.memory {
            Memory::Small(items) => items,
            Memory::Large(map) => bytemuck::cast_slice_mut(&mut map[..self.len * size_of::<T>()]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sizes_are_zero_at_first() {
        for len in [0, 1, 1000, LEAST_BYTES / 4 - 1, LEAST_BYTES / 4, LEAST_BYTES + 3] {
            let mut pages = Pages::<u32>::new(len);
            assert_eq!(pages.len(), len);
            assert!(pages.iter().all(|&item| item == 0));
            if let Some(last) = pages.last_mut() {
                *last = 7;
            }
            assert_eq!(*Pages::copy_of(&pages), *pages);
        }
    }

    #[test]
    fn memory_of_others_leaves_what_is_before_it() {
        let items = 4 * LEAST_BYTES / 8;
        for start in [0, 1, PAGE_BYTES / 8, PAGE_BYTES / 8 + 1, items / 2, items - 1] {
            let mut pages = Pages::<u64>::new(items);
            pages.fill(7);
            let mut others = Pages::<u8>::new(LEAST_BYTES);
            others.fill(1);
            match pages.take_over(start, others) {
                Ok(end) => {
                    let taken = u64::from_ne_bytes([1; 8]);
                    assert!(start + LEAST_BYTES / 8 <= end && end <= items);
                    assert!(pages[end - LEAST_BYTES / 8..end].iter().all(|&item| item == taken));
                }
                Err(others) => assert!(others.len() == LEAST_BYTES && others[0] == 1),
            }
            assert!(pages[..start].iter().all(|&item| item == 7));
            pages.give_back_from(start);
            assert!(pages[..start].iter().all(|&item| item == 7));
            pages.fill(8);
            assert!(pages.iter().all(|&item| item == 8));
        }
        // What is in no mapping of its own stays where it is.
        assert!(Pages::<u64>::new(10).take_over(0, Pages::<u8>::new(LEAST_BYTES)).is_err());
        assert!(Pages::<u64>::new(items).take_over(0, Pages::<u8>::new(10)).is_err());
    }
}
