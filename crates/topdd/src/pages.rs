//! Large arrays in anonymous mappings, which return to the system when they are dropped.
//!
//! The edges of a sweep take hundreds of megabytes and are freed bit by bit while the diagram
//! grows. The allocator would keep the freed memory between other allocations, and the process
//! would occupy twice the memory in use. A mapping returns at once, and on most systems takes
//! memory only where it has been written to.

use crate::remap::{self, PAGE};
use bytemuck::Pod;
use memmap2::MmapMut;
use std::ops::{Deref, DerefMut};

/// A fixed number of items, zero at first.
#[derive(Debug)]
pub(crate) struct Pages<T> {
    memory: Items<T>,
    /// The number of items of a mapping. A vector has its own.
    len: usize,
}

#[derive(Debug)]
enum Items<T> {
    Small(Vec<T>),
    Large(MmapMut),
}

/// The minimum size in bytes of a mapping; smaller arrays come from the allocator.
const MIN_MAPPED_BYTES: usize = 1 << 21;

/// The size in bytes of an array up to which it takes over memory. The kernel counts each piece as a
/// mapping of its own, and Linux allows a process 65 530 mappings: the pieces have some megabytes.
const MAX_TAKEN_BYTES: usize = 1 << 34;

impl<T: Pod> Pages<T> {
    pub(crate) fn new(len: usize) -> Self {
        // If the kernel refuses a mapping, the allocator decides.
        Pages::reserve(len)
            .unwrap_or_else(|| Pages { memory: Items::Small(vec![T::zeroed(); len]), len })
    }

    /// Reserves room for `len` items, which takes memory only where it is written to. Returns
    /// `None` if that is too little for a mapping, or if the kernel refuses.
    pub(crate) fn reserve(len: usize) -> Option<Self> {
        let bytes = len.checked_mul(size_of::<T>()).filter(|&bytes| bytes >= MIN_MAPPED_BYTES)?;
        let map = MmapMut::map_anon(bytes).ok()?;
        Some(Pages { memory: Items::Large(map), len })
    }

    /// Moves the memory of another array behind the first `start` items, where items get unspecified
    /// values. Returns the first item behind the moved memory, or `start` if nothing was moved. If the
    /// kernel refuses, copies the first `start` items to another place, and perhaps some more.
    ///
    /// Fresh memory costs more: for each page, an interrupt and clearing it.
    pub(crate) fn take_over<U>(&mut self, start: usize, from: Pages<U>) -> usize {
        let at = (start * size_of::<T>()).next_multiple_of(PAGE);
        let fits = |to: &MmapMut, from: &MmapMut| {
            remap::MOVES
                && from.len().is_multiple_of(PAGE)
                && at + from.len() <= to.len().min(MAX_TAKEN_BYTES)
        };
        let memory = std::mem::replace(&mut self.memory, Items::Small(Vec::new()));
        let (memory, end) = match (memory, from.memory) {
            (Items::Large(to), Items::Large(from)) if fits(&to, &from) => {
                let end = self.len.min((at + from.len()) / size_of::<T>());
                match remap::move_pages(to, at, from) {
                    Ok(moved) => (Items::Large(moved), end),
                    Err(items) => (Items::Small(items), start),
                }
            }
            (memory, _) => (memory, start),
        };
        self.memory = memory;
        end
    }

    /// Makes room for `len` items, unless there is. A mapping cannot be lengthened. Returns the number of
    /// items that have memory, or may have.
    pub(crate) fn lengthen(&mut self, len: usize) -> usize {
        match &mut self.memory {
            Items::Small(items) => {
                items.resize(len.max(items.len()), T::zeroed());
                items.capacity()
            }
            Items::Large(_) => len,
        }
    }

    /// Drops the items behind the first `len`, and frees their memory as far as the system allows.
    pub(crate) fn truncate(&mut self, len: usize) {
        match &mut self.memory {
            Items::Small(items) => {
                items.truncate(len);
                items.shrink_to_fit();
            }
            Items::Large(map) => remap::discard(map, (len * size_of::<T>()).next_multiple_of(PAGE)),
        }
        self.len = len;
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
        for len in
            [0, 1, 1000, MIN_MAPPED_BYTES / 4 - 1, MIN_MAPPED_BYTES / 4, MIN_MAPPED_BYTES + 3]
        {
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
    fn items_before_memory_that_is_taken_over_stay() {
        let mut pages = Pages::<u64>::new(MIN_MAPPED_BYTES);
        pages.fill(1);
        let mut filled = 5;
        for round in 0..4 {
            let end = pages.take_over(filled, Pages::copy_of(&vec![2u32; MIN_MAPPED_BYTES]));
            // There is no room for the second one.
            assert_eq!(end > filled, remap::MOVES && round == 0);
            filled = end;
            assert!(pages[..5].iter().all(|&item| item == 1));
        }
    }
}
