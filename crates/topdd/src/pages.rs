//! Memory in large pieces, which goes back to the system as soon as it is given up.
//!
//! What a build leaves behind takes hundreds of megabytes and is given up bit by bit while
//! the diagram grows. The allocator would keep what is given up, between other things that are
//! still needed, and the process would come to have twice what it holds. A mapping of its own
//! goes back at once, and on most systems takes room only where it has been written to.

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
}
