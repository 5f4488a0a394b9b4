//! Large arrays in anonymous mappings, which return to the system when they are dropped.
//!
//! The edges of a sweep take hundreds of megabytes and are freed bit by bit while the diagram
//! grows. The allocator would keep the freed memory between other allocations, and the process
//! would occupy twice the memory in use. A mapping returns at once, and on most systems takes
//! memory only where it has been written to.

use crate::remap;
use bytemuck::Pod;
use memmap2::MmapMut;
use std::ops::{Deref, DerefMut};

/// A fixed number of items, zero at first.
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

/// The least size in bytes of a mapping; smaller arrays come from the allocator.
const LEAST_BYTES: usize = 1 << 21;
/// A multiple of the size of a page, on most systems.
const PAGE_BYTES: usize = 1 << 16;
const HUGE_PAGE_BYTES: usize = 1 << 21;

impl<T: Pod> Pages<T> {
    pub(crate) fn new(len: usize) -> Self {
        // If the kernel refuses a mapping, the allocator decides.
        Pages::reserve(len)
            .unwrap_or_else(|| Pages { memory: Memory::Small(vec![T::zeroed(); len]), len })
    }

    /// Reserves room for `len` items, which takes memory only where it is written to. Returns
    /// `None` if that is too little for a mapping, or if the kernel refuses.
    pub(crate) fn reserve(len: usize) -> Option<Self> {
        let bytes = len.checked_mul(size_of::<T>()).filter(|&bytes| bytes >= LEAST_BYTES)?;
        let map = MmapMut::map_anon(bytes).ok()?;
        Some(Pages { memory: Memory::Large(map), len })
    }

    /// Replaces the memory of the items from `start` or a little further on by that of other pages;
    /// the values of items from `start` on are unspecified then. Returns the index of the item at
    /// which the new memory ends; or the other pages, if there is no room for them or the kernel
    /// refuses.
    pub(crate) fn take_over<U>(
        &mut self,
        start: usize,
        others: Pages<U>,
    ) -> Result<usize, Pages<U>> {
        let Pages { memory, len } = others;
        let refused = match (&mut self.memory, memory) {
            (Memory::Large(to), Memory::Large(from)) => {
                let first = (start * size_of::<T>()).next_multiple_of(PAGE_BYTES);
                // At the same offset from the start of a huge page as the source, so that whole
                // page tables are moved, and huge pages stay whole.
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

    /// Returns the memory of the whole pages from item `start` on to the system. The values of
    /// items from `start` on are unspecified then.
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
    fn new_pages_of_any_size_are_zero() {
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
    fn take_over_keeps_the_items_before_start() {
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
        // Memory of the allocator is not moved.
        assert!(Pages::<u64>::new(10).take_over(0, Pages::<u8>::new(LEAST_BYTES)).is_err());
        assert!(Pages::<u64>::new(items).take_over(0, Pages::<u8>::new(10)).is_err());
    }
}
