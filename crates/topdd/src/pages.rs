//! Large arrays in anonymous mappings, which return to the system when they are dropped.
//!
//! The edges of a sweep take hundreds of megabytes and are freed bit by bit while the diagram
//! grows. The allocator would keep the freed memory between other allocations, and the process
//! would occupy twice the memory in use. A mapping returns at once, and on most systems takes
//! memory only where it has been written to.

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
}
