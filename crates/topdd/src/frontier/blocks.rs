//! Growing lists of blocks. Items move only while the first block grows, and when the states get more
//! words.
//!
//! A vector that outgrows its memory is copied to twice as much, and leaves a hole that fits no
//! other vector: with a hundred partitions that grow at the same time, the process takes twice the
//! memory of its data. Here full blocks stay in place.

use crate::number::limbs;
use std::ops::{Index, IndexMut, Range};
use std::vec::Drain;

/// The states of a block. The first block of a list grows to this size.
const BLOCK: usize = 1 << SHIFT;
const SHIFT: u32 = 9;
/// An emptied list keeps its last block if that takes at most so many bytes: there may be thousands of
/// lists, and a block of states with many words takes megabytes.
const KEPT_BYTES: usize = 1 << 16;

/// The largest states, in bytes, for which the hot loops are compiled for constant widths. Work on larger
/// ones takes most of the time.
const MAX_BYTES: usize = 32;

/// Whether the hot loops for states of this type are compiled for constant widths. Not in debug builds: a
/// program whose specs are under test compiles in a tenth less time.
pub(super) const fn has_constant_widths<S>() -> bool {
    !cfg!(debug_assertions) && size_of::<S>() <= MAX_BYTES
}

/// States, each with the same number of words.
#[derive(Debug)]
struct Block<S> {
    states: Vec<S>,
    words: Vec<u64>,
}

impl<S> Block<S> {
    fn new(states: usize, width: usize) -> Self {
        Block { states: Vec::with_capacity(states), words: Vec::with_capacity(states * width) }
    }

    fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<S>() + self.words.capacity() * size_of::<u64>()
    }
}

/// A growing list of states, each with its words: the states of a partition, or records for one. It is
/// filled, and then emptied, repeatedly, and keeps one block: most lists of records never fill one.
#[derive(Debug)]
pub(super) struct Blocks<S> {
    full: Vec<Block<S>>,
    /// The last block, which is not full, or just became full.
    open: Block<S>,
    /// The number of words of each state of a partition: lanes times limbs. A list of records has no width
    /// of its own: all its records have the same.
    pub(super) width: usize,
}

impl<S> Blocks<S> {
    pub(super) fn new(width: usize) -> Self {
        Blocks { full: Vec::new(), open: Block::new(0, width), width }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.full.len() * BLOCK + self.open.states.len()
    }

    /// Appends a state with its words, and zeros up to `width` words. `width` is the width of the list. In a
    /// list of records, it is the same for all of them.
    // Inlined, so that the width is a constant here if it is one in the caller (see `ANY_WIDTH`).
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(super) fn push(&mut self, width: usize, state: S, words: &[u64]) {
        // The compiler merges this test with the same one in `Vec::push`.
        if self.open.states.len() == self.open.states.capacity() {
            self.make_room(width);
        }
        self.open.states.push(state);
        limbs::append(&mut self.open.words, words, width);
    }

    /// Makes room for another state in the open block. The vectors of the first block grow.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, width: usize) {
        if self.open.states.len() < BLOCK {
            self.open.states.reserve(1);
        } else {
            // If a state has many words, the vector of words grows from a part of a block, so that few
            // states take little memory.
            let parts = (BLOCK * width * size_of::<u64>() / KEPT_BYTES).next_power_of_two();
            let mut block = Block::new(BLOCK, 0);
            block.words.reserve_exact(BLOCK.div_ceil(parts) * width);
            self.full.push(std::mem::replace(&mut self.open, block));
        }
    }

    /// The block of a state.
    #[inline]
    fn block(&self, index: usize) -> &Block<S> {
        self.full.get(index >> SHIFT).unwrap_or(&self.open)
    }

    #[inline]
    fn block_mut(&mut self, index: usize) -> &mut Block<S> {
        self.full.get_mut(index >> SHIFT).unwrap_or(&mut self.open)
    }

    /// The words of a state, with the width of the list given.
    // Inlined for the reason given at `push`.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(super) fn words_mut(&mut self, width: usize, index: usize) -> &mut [u64] {
        debug_assert_eq!(width, self.width);
        let first = (index & (BLOCK - 1)) * width;
        &mut self.block_mut(index).words[first..first + width]
    }

    /// Sets the number of words of each state. It may decrease only if the list is empty.
    pub(super) fn set_width(&mut self, width: usize) {
        if self.width == width {
            return;
        }
        for block in self.full.iter_mut().chain([&mut self.open]) {
            // The capacity of a vector of zero-sized states is unlimited.
            let sized = size_of::<S>() > 0;
            let states = if sized { block.states.capacity() } else { block.states.len() };
            let mut wider = Vec::with_capacity(states * width);
            for words in block.words.chunks_exact(self.width.max(1)) {
                limbs::append(&mut wider, words, width);
            }
            block.words = wider;
        }
        self.width = width;
    }

    /// Removes all states.
    pub(super) fn clear(&mut self) {
        self.full.clear();
        self.open.states.clear();
        self.open.words.clear();
        self.free_large();
    }

    /// Frees the open block, which must be empty, if it is large.
    fn free_large(&mut self) {
        if self.open.bytes() > KEPT_BYTES {
            self.open = Block::new(0, 0);
        }
    }

    /// Passes all states with their words to `take`, block by block, in order, and removes them.
    /// Frees each full block at once. Stops at the first error.
    pub(super) fn drain<E>(
        &mut self,
        mut take: impl FnMut(Drain<'_, S>, &[u64]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut drain = |block: &mut Block<S>| {
            take(block.states.drain(..), &block.words).map(|()| block.words.clear())
        };
        self.full.drain(..).try_for_each(|mut block| drain(&mut block))?;
        drain(&mut self.open)?;
        self.free_large();
        Ok(())
    }

    /// The states of a range with their words, in order, as slices.
    pub(super) fn slices(&self, range: Range<usize>) -> impl Iterator<Item = (&[S], &[u64])> {
        (range.start / BLOCK..range.end.div_ceil(BLOCK)).map(move |number| {
            let at = |index: usize| index.saturating_sub(number * BLOCK).min(BLOCK);
            let (block, states) = (self.block(number * BLOCK), at(range.start)..at(range.end));
            let words = states.start * self.width..states.end * self.width;
            (&block.states[states], &block.words[words])
        })
    }

    pub(super) fn bytes(&self) -> usize {
        self.full_bytes() + self.open.bytes() + self.full.capacity() * size_of::<Block<S>>()
    }

    /// Size in bytes of the blocks that are freed when the list is emptied.
    pub(super) fn full_bytes(&self) -> usize {
        self.full.last().map_or(0, |block| self.full.len() * block.bytes())
    }
}

impl<S> Index<usize> for Blocks<S> {
    type Output = S;

    #[inline]
    fn index(&self, index: usize) -> &S {
        &self.block(index).states[index & (BLOCK - 1)]
    }
}

impl<S> IndexMut<usize> for Blocks<S> {
    #[inline]
    fn index_mut(&mut self, index: usize) -> &mut S {
        &mut self.block_mut(index).states[index & (BLOCK - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl<S> Blocks<S> {
        fn is_empty(&self) -> bool {
            self.len() == 0
        }

        fn words_of(&self, index: usize) -> &[u64] {
            let first = (index & (BLOCK - 1)) * self.width;
            &self.block(index).words[first..first + self.width]
        }

        pub(in super::super) fn iter(&self) -> impl Iterator<Item = &S> {
            self.full.iter().chain([&self.open]).flat_map(|block| &block.states)
        }
    }

    /// The words that belong to a state.
    fn words_of(state: usize, width: usize) -> Vec<u64> {
        (0..width).map(|limb| (state * 7 + limb) as u64).collect()
    }

    /// The expected content of a list of `count` states with `width` words each.
    fn expected(count: usize, width: usize) -> (Vec<usize>, Vec<u64>) {
        ((0..count).collect(), (0..count).flat_map(|state| words_of(state, width)).collect())
    }

    fn drained(list: &mut Blocks<usize>) -> (Vec<usize>, Vec<u64>) {
        let (mut states, mut limbs) = (Vec::new(), Vec::new());
        let done = list.drain(|of_block, numbers| {
            states.extend(of_block);
            limbs.extend_from_slice(numbers);
            Ok::<(), ()>(())
        });
        assert_eq!(done, Ok(()));
        (states, limbs)
    }

    #[test]
    fn a_list_contains_the_items_pushed() {
        for width in [0, 1, 2, 5] {
            let mut list = Blocks::new(width);
            for round in 0..2 {
                let count = BLOCK * 3 + 17 - round;
                (0..count).for_each(|i| list.push(width, i, &words_of(i, width)));
                assert_eq!(list.len(), count);
                assert!(list.iter().copied().eq(0..count));
                for i in [0, BLOCK - 1, BLOCK, count - 1] {
                    assert_eq!((list[i], list.words_of(i)), (i, &words_of(i, width)[..]));
                }
                for range in [0..0, 0..count, 5..BLOCK, BLOCK..count, BLOCK - 1..2 * BLOCK + 1] {
                    let slices = || list.slices(range.clone());
                    assert!(slices().flat_map(|(states, _)| states).copied().eq(range.clone()));
                    let numbers = range.clone().flat_map(|i| words_of(i, width));
                    assert!(slices().flat_map(|(_, numbers)| numbers).copied().eq(numbers));
                }
                limbs::add(list.words_mut(width, BLOCK + 3), &words_of(1, width));
                let sum = words_of(BLOCK + 3, width).into_iter().zip(words_of(1, width));
                assert!(list.words_of(BLOCK + 3).iter().copied().eq(sum.map(|(a, b)| a + b)));
                list.clear();
                assert!(list.is_empty() && list.iter().next().is_none());
            }
        }
    }

    #[test]
    fn a_list_is_widened() {
        let mut list = Blocks::new(1);
        (0..BLOCK + 5).for_each(|i| list.push(1, i, &[i as u64]));
        list.set_width(3);
        list.push(3, BLOCK + 5, &[7, 8]);
        limbs::add(list.words_mut(3, BLOCK), &[1, 2, 3]);
        limbs::add(list.words_mut(3, 0), &[9]);
        assert_eq!(list.words_of(0), [9, 0, 0]);
        assert_eq!(list.words_of(BLOCK - 1), [BLOCK as u64 - 1, 0, 0]);
        assert_eq!(list.words_of(BLOCK), [BLOCK as u64 + 1, 2, 3]);
        assert_eq!(list.words_of(BLOCK + 5), [7, 8, 0]);
        // An empty list may become narrower.
        list.clear();
        list.set_width(2);
        (0..2 * BLOCK).for_each(|i| list.push(2, i, &[i as u64, 1]));
        assert_eq!(list.words_of(2 * BLOCK - 1), [2 * BLOCK as u64 - 1, 1]);
    }

    #[test]
    fn a_list_is_emptied_in_the_order_of_filling() {
        let mut list = Blocks::new(0);
        for width in [0, 1, 3] {
            for count in [0, 1, BLOCK, BLOCK + 1, 3 * BLOCK, 5, 2 * BLOCK - 1] {
                (0..count).for_each(|i| list.push(width, i, &words_of(i, width)));
                assert_eq!(list.len(), count);
                assert!(list.bytes() >= count * (1 + width) * size_of::<usize>());
                assert_eq!(drained(&mut list), expected(count, width));
                assert!(list.is_empty());
            }
        }
        // Of two blocks the last one stays.
        let mut list = Blocks::new(0);
        (0..2 * BLOCK).for_each(|i| list.push(0, i, &[]));
        assert_eq!(list.full_bytes(), BLOCK * size_of::<usize>());
        assert_eq!(drained(&mut list), expected(2 * BLOCK, 0));
        assert_eq!((list.open.states.capacity(), list.full_bytes()), (BLOCK, 0));
        (0..2 * BLOCK).for_each(|i| list.push(0, i, &[]));
        assert_eq!(list.drain(|_, _| Err("enough")), Err("enough"));
        (0..=BLOCK).for_each(|i| list.push(0, i, &[]));
        list.clear();
        assert!(list.is_empty());
    }

    #[test]
    fn zero_sized_states_take_no_memory() {
        let mut list = Blocks::new(0);
        (0..3 * BLOCK).for_each(|_| list.push(0, (), &[]));
        assert_eq!((list.len(), list.full_bytes()), (3 * BLOCK, 0));
        let mut count = 0;
        let drained = list.drain(|block, _| {
            count += block.count();
            Ok::<(), ()>(())
        });
        assert_eq!((drained, count, list.len()), (Ok(()), 3 * BLOCK, 0));
    }
}
