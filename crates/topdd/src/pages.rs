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
    memory: Items<T>,
    len: usize,
}

#[derive(Debug)]
enum Items<T> {
    Small(Vec<T>),
    Large(MmapMut),
}

/// The least size in bytes of a mapping; smaller arrays come from the allocator.
const LEAST_BYTES: usize = 1 << 21;

impl<T: Pod> Pages<T> {
    pub(crate) fn new(len: usize) -> Self {
        // If the kernel refuses a mapping, the allocator decides.
        Pages::reserve(len)
            .unwrap_or_else(|| Pages { memory: Items::Small(vec![T::zeroed(); len]), len })
    }

    /// Reserves room for `len` items, which takes memory only where it is written to. Returns
    /// `None` if that is too little for a mapping, or if the kernel refuses.
    pub(crate) fn reserve(len: usize) -> Option<Self> {
        let bytes = len.checked_mul(size_of::<T>()).filter(|&bytes| bytes >= LEAST_BYTES)?;
        let map = MmapMut::map_anon(bytes).ok()?;
        Some(Pages { memory: Items::Large(map), len })
    }

    /// Moves the memory of another array behind the first `start` items. Items there get unspecified
    /// values. Returns the first item behind the moved memory, or `None` if there is no room for it or the
    /// kernel refuses; the other array is freed then.
    ///
    /// Fresh memory costs more: for each page, an interrupt and clearing it.
    pub(crate) fn refill<U>(&mut self, start: usize, from: Pages<U>) -> Option<usize> {
        let (Items::Large(to), Items::Large(mut from)) = (&mut self.memory, from.memory) else {
            return None;
        };
        let at = (start * size_of::<T>()).next_multiple_of(remap::PAGE);
        let bytes = from.len() / remap::PAGE * remap::PAGE;
        let end = at.checked_add(bytes).filter(|&end| end <= to.len())?;
        remap::move_pages(&mut from[..bytes], &mut to[at..end]).then_some(end / size_of::<T>())
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
            Items::Small(items) => items,
            Items::Large(map) => bytemuck::cast_slice(&map[..self.len * size_of::<T>()]),
        }
    }
}

impl<T: Pod> DerefMut for Pages<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.memory {
            Items::Small(items) => items,
            Items::Large(map) => bytemuck::cast_slice_mut(&mut map[..self.len * size_of::<T>()]),
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
    fn refilled_pages_keep_the_items_before_them() {
        let mut pages = Pages::<u64>::new(LEAST_BYTES);
        pages.fill(1);
        let from = || Pages::<u32>::copy_of(&vec![2; LEAST_BYTES]);
        let mut filled = 5;
        for round in 0..4 {
            let start = filled;
            match pages.refill(start, from()) {
                Some(end) => filled = end,
                // There is no room for a third one, and elsewhere than under Linux for none.
                None => assert!(round != 0 || cfg!(not(target_os = "linux")) || cfg!(miri)),
            }
            assert!(pages[..5].iter().all(|&item| item == 1));
            assert!(filled <= pages.len());
        }
    }
}
