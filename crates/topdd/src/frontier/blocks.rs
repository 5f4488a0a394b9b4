//! Growing lists that never move what is in them, but for what fits one block.
//!
//! A vector that outgrows its memory is copied to twice as much, and leaves a hole that
//! nothing fits: with a hundred partitions that grow at the same time, the process takes
//! twice what it holds. Here what is full stays where it is, and all pieces of memory are
//! alike and shared, so that those given back serve the next list, whichever thread fills it.

use std::ops::{Index, IndexMut, Range};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::vec::Drain;

/// Items that a block holds, but for the first while it is the only one.
const BLOCK: usize = 1 << SHIFT;
const SHIFT: u32 = 9;
/// Items that the first block of a [`Pile`] has room for at first.
const LEAST: usize = 4;

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
        // Not one expression: others need not wait while the allocator is asked.
        let block = self.list().pop();
        block.unwrap_or_else(|| Vec::with_capacity(BLOCK))
    }

    /// Takes emptied blocks back: not those with items, as what it takes to drop these others
    /// would wait for.
    fn give(&self, blocks: impl IntoIterator<Item = Vec<T>>) {
        let whole = blocks.into_iter().filter(|block| block.capacity() == BLOCK);
        self.list().extend(whole.inspect(|block| debug_assert!(block.is_empty())));
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
        self.pieces.iter_mut().for_each(Vec::clear);
        self.spare.give(self.pieces.drain(1.min(self.pieces.len())..));
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
            self.pieces.iter_mut().for_each(Vec::clear);
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

/// A list that is filled and then emptied from its first item on, again and again. Each block
/// serves others as soon as it is empty; the last stays, as there are many lists that never have
/// a whole one.
#[derive(Debug)]
pub(super) struct Pile<T> {
    full: Vec<Vec<T>>,
    open: Vec<T>,
}

impl<T> Pile<T> {
    pub(super) fn new() -> Self {
        Pile { full: Vec::new(), open: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.full.iter().map(Vec::len).sum::<usize>() + self.open.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    #[inline]
    pub(super) fn push(&mut self, item: T, spare: &Spare<T>) {
        // The same question as `Vec::push` asks, so that it is asked but once.
        if self.open.len() == self.open.capacity() {
            self.make_room(spare);
        }
        self.open.push(item);
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self, spare: &Spare<T>) {
        if self.open.len() < BLOCK {
            let more = self.open.len().max(LEAST).min(BLOCK - self.open.len());
            self.open.reserve_exact(more);
        } else {
            self.full.push(std::mem::replace(&mut self.open, spare.take()));
        }
    }

    /// Hands the items to `take`, block by block, in order, up to where it answers an error.
    pub(super) fn empty<E>(
        &mut self,
        spare: &Spare<T>,
        mut take: impl FnMut(Drain<'_, T>) -> Result<(), E>,
    ) -> Result<(), E> {
        for mut block in self.full.drain(..) {
            take(block.drain(..))?;
            spare.give([block]);
        }
        take(self.open.drain(..))
    }

    /// Removes all items.
    pub(super) fn clear(&mut self, spare: &Spare<T>) {
        // There are thousands of lists that are empty: not a lock for each.
        if !self.full.is_empty() {
            self.full.iter_mut().for_each(Vec::clear);
            spare.give(self.full.drain(..));
        }
        self.open.clear();
    }

    pub(super) fn bytes(&self) -> usize {
        self.full_bytes()
            + self.open.capacity() * size_of::<T>()
            + self.full.capacity() * size_of::<Vec<T>>()
    }

    /// Those of the blocks that it gives back when it is emptied.
    pub(super) fn full_bytes(&self) -> usize {
        self.full.len() * BLOCK * size_of::<T>()
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

    #[test]
    fn a_pile_is_emptied_as_it_was_filled() {
        let spare = Spare::new();
        let mut pile = Pile::new();
        for count in [0, 1, BLOCK, BLOCK + 1, 3 * BLOCK, 5, 2 * BLOCK - 1] {
            (0..count).for_each(|i| pile.push(i, &spare));
            assert_eq!((pile.len(), pile.is_empty()), (count, count == 0));
            assert!(pile.bytes() >= count * size_of::<usize>());
            let mut items = Vec::new();
            let emptied = pile.empty(&spare, |block| {
                items.extend(block);
                Ok::<(), ()>(())
            });
            assert_eq!(emptied, Ok(()));
            assert!(items.into_iter().eq(0..count));
            assert_eq!((pile.len(), pile.is_empty()), (0, true));
        }
        // Two of three are given back, the last stays.
        assert_eq!(spare.bytes(), 2 * BLOCK * size_of::<usize>());
        (0..2 * BLOCK).for_each(|i| pile.push(i, &spare));
        assert_eq!(pile.full_bytes(), BLOCK * size_of::<usize>());
        assert_eq!(spare.bytes(), BLOCK * size_of::<usize>());
        assert_eq!(pile.empty(&spare, |_| Err("enough")), Err("enough"));
        (0..=BLOCK).for_each(|i| pile.push(i, &spare));
        pile.clear(&spare);
        assert_eq!((pile.len(), pile.is_empty()), (0, true));
    }

    #[test]
    fn a_block_goes_from_a_pile_to_a_list() {
        let spare = Spare::new();
        let (mut pile, mut list) = (Pile::new(), Blocks::new(&spare));
        (0..4 * BLOCK).for_each(|i| pile.push(i, &spare));
        let moved = pile.empty(&spare, |block| {
            block.for_each(|i| list.push(i));
            Ok::<(), ()>(())
        });
        assert_eq!(moved, Ok(()));
        assert!(list.iter().copied().eq(0..4 * BLOCK));
        // Three were emptied, and served as the second and those after it.
        assert_eq!(spare.bytes(), 0);
    }

    #[test]
    fn nothing_takes_no_memory() {
        let spare = Spare::new();
        let mut pile = Pile::new();
        (0..3 * BLOCK).for_each(|_| pile.push((), &spare));
        assert_eq!((pile.len(), pile.bytes(), pile.full_bytes()), (3 * BLOCK, 0, 0));
        let mut count = 0;
        let emptied = pile.empty(&spare, |block| {
            count += block.count();
            Ok::<(), ()>(())
        });
        assert_eq!((emptied, count, pile.is_empty()), (Ok(()), 3 * BLOCK, true));
    }
}
