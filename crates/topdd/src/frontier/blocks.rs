//! A growing list that never moves what is in it.
//!
//! A vector that outgrows its memory is copied to twice as much, and leaves a hole that
//! nothing fits: with a hundred partitions that grow at the same time, the process takes
//! twice what it holds. Here what is full stays where it is, and all pieces of memory are
//! alike and shared, so that those given back serve the next list, whichever thread fills it.

use std::ops::{Index, IndexMut, Range};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Items that a block holds, but for the first while it is the only one.
const BLOCK: usize = 1 << SHIFT;
const SHIFT: u32 = 10;

/// Blocks that were used and emptied, for any list that needs one.
#[derive(Debug)]
pub(super) struct Spare<T>(Arc<Mutex<Vec<Vec<T>>>>);

impl<T> Clone for Spare<T> {
    fn clone(&self) -> Self {
        Spare(Arc::clone(&self.0))
    }
}

impl<T> Spare<T> {
    pub(super) fn new() -> Self {
        Spare(Arc::default())
    }

    fn list(&self) -> MutexGuard<'_, Vec<Vec<T>>> {
        // Whoever panicked left a list of empty blocks.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Vec<T> {
        self.list().pop().unwrap_or_else(|| Vec::with_capacity(BLOCK))
    }

    fn give(&self, blocks: impl Iterator<Item = Vec<T>>) {
        self.list().extend(blocks.filter(|block| block.capacity() == BLOCK).map(|mut block| {
            block.clear();
            block
        }));
    }

    pub(super) fn bytes(&self) -> usize {
        self.list().len() * BLOCK * size_of::<T>()
    }

    /// Keeps no more than so many bytes of them.
    pub(super) fn trim(&self, bytes: usize) {
        let mut list = self.list();
        list.truncate(bytes / (BLOCK * size_of::<T>().max(1)));
        list.shrink_to_fit();
    }
}

/// A growing list.
#[derive(Debug)]
pub(super) struct Blocks<T> {
    /// All are full but the last.
    pieces: Vec<Vec<T>>,
    len: usize,
    spare: Spare<T>,
}

impl<T> Blocks<T> {
    pub(super) fn new(spare: &Spare<T>) -> Self {
        Blocks { pieces: Vec::new(), len: 0, spare: spare.clone() }
    }

    /// Where its blocks come from.
    pub(super) fn spare(&self) -> &Spare<T> {
        &self.spare
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub(super) fn push(&mut self, item: T) {
        let block = self.len >> SHIFT;
        if block == self.pieces.len() {
            self.pieces.push(if block == 0 { Vec::new() } else { self.spare.take() });
        }
        self.pieces[block].push(item);
        self.len += 1;
    }

    /// Removes all items.
    pub(super) fn clear(&mut self) {
        self.spare.give(self.pieces.drain(1.min(self.pieces.len())..));
        self.pieces.iter_mut().for_each(Vec::clear);
        self.len = 0;
    }

    /// The same list of what `f` makes of the items.
    pub(super) fn map<U>(self, spare: &Spare<U>, mut f: impl FnMut(T) -> U) -> Blocks<U> {
        let mut list = Blocks::new(spare);
        self.into_iter().for_each(|item| list.push(f(item)));
        list
    }

    /// The items, in order.
    #[cfg(test)]
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.pieces.iter().flatten()
    }

    /// The items of a range, in order, as slices.
    pub(super) fn slices(&self, range: Range<usize>) -> impl Iterator<Item = &[T]> {
        let mut at = range.start;
        std::iter::from_fn(move || {
            if at >= range.end {
                return None;
            }
            let end = range.end.min((at >> SHIFT << SHIFT) + BLOCK);
            let first = at & (BLOCK - 1);
            let slice = &self.pieces[at >> SHIFT][first..first + (end - at)];
            at = end;
            Some(slice)
        })
    }

    pub(super) fn bytes(&self) -> usize {
        let items = match &self.pieces[..] {
            [only] => only.capacity(),
            blocks => blocks.len() * BLOCK,
        };
        items * size_of::<T>() + self.pieces.capacity() * size_of::<Vec<T>>()
    }
}

impl<T> Drop for Blocks<T> {
    fn drop(&mut self) {
        if !self.pieces.is_empty() {
            self.spare.give(self.pieces.drain(..));
        }
    }
}

impl<T> Index<usize> for Blocks<T> {
    type Output = T;

    #[inline]
    fn index(&self, index: usize) -> &T {
        &self.pieces[index >> SHIFT][index & (BLOCK - 1)]
    }
}

impl<T> IndexMut<usize> for Blocks<T> {
    #[inline]
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self.pieces[index >> SHIFT][index & (BLOCK - 1)]
    }
}

impl<T> IntoIterator for Blocks<T> {
    type Item = T;
    type IntoIter = std::iter::Flatten<std::vec::IntoIter<Vec<T>>>;

    fn into_iter(mut self) -> Self::IntoIter {
        std::mem::take(&mut self.pieces).into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_what_was_pushed() {
        let spare = Spare::new();
        let mut list = Blocks::new(&spare);
        for round in 0..2 {
            let count = BLOCK * 3 + 17 - round;
            (0..count).for_each(|i| list.push(i));
            assert_eq!(list.len(), count);
            assert!(list.iter().copied().eq(0..count));
            for i in [0, BLOCK - 1, BLOCK, count - 1] {
                assert_eq!(list[i], i);
            }
            for range in [0..0, 0..count, 5..BLOCK, BLOCK..count, BLOCK - 1..2 * BLOCK + 1] {
                let items: Vec<usize> = list.slices(range.clone()).flatten().copied().collect();
                assert!(items.into_iter().eq(range));
            }
            list[7] = 70;
            assert_eq!(list[7], 70);
            list.clear();
            assert!(list.is_empty() && list.iter().next().is_none());
            // All but the first, which grew.
            assert_eq!(spare.bytes(), 3 * BLOCK * size_of::<usize>());
        }
        spare.trim(BLOCK * size_of::<usize>());
        assert_eq!(spare.bytes(), BLOCK * size_of::<usize>());
        list.push(1);
        assert_eq!(list.into_iter().collect::<Vec<_>>(), [1]);
    }
}
