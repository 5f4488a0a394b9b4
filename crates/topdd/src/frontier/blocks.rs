//! Growing lists that do not move what is in them, but for what fits one block, and for numbers
//! that become wider.
//!
//! A vector that outgrows its memory is copied to twice as much, and leaves a hole that
//! nothing fits: with a hundred partitions that grow at the same time, the process takes
//! twice what it holds. Here what is full stays where it is, and the blocks are shared: those
//! given back serve the next list, whichever thread fills it.

use super::limbs;
use std::mem::needs_drop;
use std::ops::{Index, Range};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::vec::Drain;

/// States that a block holds, but for the first while it is the only one.
const BLOCK: usize = 1 << SHIFT;
const SHIFT: u32 = 9;
/// States that the first block of a list has room for at first.
const LEAST: usize = 4;

/// States, each with a number of the same width.
#[derive(Debug)]
struct Block<S> {
    states: Vec<S>,
    limbs: Vec<u64>,
}

impl<S> Block<S> {
    const fn new() -> Self {
        Block { states: Vec::new(), limbs: Vec::new() }
    }

    fn clear(&mut self) {
        self.states.clear();
        self.limbs.clear();
    }

    /// Makes room for more of what is not a whole block, as long as it is the only one.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, width: usize) {
        let there = self.states.len();
        let more = there.max(LEAST).min(BLOCK - there);
        self.states.reserve_exact(more);
        self.limbs.reserve_exact(more * width);
    }

    fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<S>() + self.limbs.capacity() * size_of::<u64>()
    }
}

/// What a whole block takes whose numbers have this width.
fn block_bytes<S>(width: usize) -> usize {
    BLOCK * (size_of::<S>() + width * size_of::<u64>())
}

/// Emptied blocks.
#[derive(Debug)]
struct Emptied<S> {
    blocks: Vec<Block<S>>,
    bytes: usize,
}

impl<S> Emptied<S> {
    fn pop(&mut self) -> Option<Block<S>> {
        let block = self.blocks.pop()?;
        self.bytes -= block.bytes();
        Some(block)
    }
}

/// Blocks that were used and emptied, for any list that needs one.
#[derive(Debug)]
pub(super) struct BlockPool<S>(Arc<Mutex<Emptied<S>>>);

impl<S> Clone for BlockPool<S> {
    fn clone(&self) -> Self {
        BlockPool(Arc::clone(&self.0))
    }
}

impl<S> BlockPool<S> {
    pub(super) fn new() -> Self {
        BlockPool(Arc::new(Mutex::new(Emptied { blocks: Vec::new(), bytes: 0 })))
    }

    fn emptied(&self) -> MutexGuard<'_, Emptied<S>> {
        // Whoever panicked left a list of empty blocks.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, width: usize) -> Block<S> {
        // Not one expression: others need not wait while the allocator is asked.
        let block = self.emptied().pop();
        let mut block = block.unwrap_or_else(|| {
            let (states, limbs) = (Vec::with_capacity(BLOCK), Vec::new());
            Block { states, limbs }
        });
        // It may have served wider numbers before.
        block.limbs.shrink_to(BLOCK * width);
        block.limbs.reserve_exact(BLOCK * width);
        block
    }

    /// Takes emptied blocks back: not those with states, as what it takes to drop these others
    /// would wait for.
    fn give(&self, blocks: impl IntoIterator<Item = Block<S>>) {
        let mut emptied = self.emptied();
        for block in blocks.into_iter().filter(|block| block.states.capacity() == BLOCK) {
            debug_assert!(block.states.is_empty() && block.limbs.is_empty());
            emptied.bytes += block.bytes();
            emptied.blocks.push(block);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.emptied().bytes
    }

    /// Keeps no more than so many bytes of them.
    pub(super) fn trim(&self, bytes: usize) {
        let mut emptied = self.emptied();
        while emptied.bytes > bytes && emptied.pop().is_some() {}
        emptied.blocks.shrink_to_fit();
    }
}

/// A growing list of states, each with a number.
#[derive(Debug)]
pub(super) struct Blocks<S> {
    /// All are full but the last.
    pieces: Vec<Block<S>>,
    len: usize,
    /// How many limbs each number has.
    width: usize,
    spare: BlockPool<S>,
}

impl<S> Blocks<S> {
    pub(super) fn new(spare: &BlockPool<S>, width: usize) -> Self {
        Blocks { pieces: Vec::new(), len: 0, width, spare: spare.clone() }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Appends a state with a number that is no wider than those of the list.
    pub(super) fn push(&mut self, state: S, number: &[u64]) {
        self.push_in(self.width, state, number);
    }

    /// The same, where the caller knows the width of the list.
    // So that the width is a constant here where it is one there (see `ANY_WIDTH`).
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(super) fn push_in(&mut self, width: usize, state: S, number: &[u64]) {
        debug_assert_eq!(width, self.width);
        let piece = self.len >> SHIFT;
        if piece == self.pieces.len() {
            let first = piece == 0;
            self.pieces.push(if first { Block::new() } else { self.spare.take(self.width) });
        }
        let block = &mut self.pieces[piece];
        // The same question as `Vec::push` asks, so that it is asked but once.
        if block.states.len() == block.states.capacity() {
            block.grow(width);
        }
        block.states.push(state);
        limbs::append(&mut block.limbs, number, width);
        self.len += 1;
    }

    /// The number of a state.
    #[cfg(test)]
    pub(super) fn number(&self, index: usize) -> &[u64] {
        let first = (index & (BLOCK - 1)) * self.width;
        &self.pieces[index >> SHIFT].limbs[first..first + self.width]
    }

    /// Adds to the number of a state, which must have room for the sum; the caller knows the
    /// width of the list.
    // As above.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(super) fn add_in(&mut self, width: usize, index: usize, number: &[u64]) {
        debug_assert_eq!(width, self.width);
        let block = &mut self.pieces[index >> SHIFT];
        let first = (index & (BLOCK - 1)) * width;
        limbs::add(&mut block.limbs[first..first + width], number);
    }

    /// Gives the numbers this width, which is no less than theirs, unless there are none.
    pub(super) fn set_width(&mut self, width: usize) {
        if self.width == width {
            return;
        }
        if self.is_empty() {
            // What is left of it has room for numbers of the width before.
            self.pieces.clear();
        }
        for block in &mut self.pieces {
            // States of no size have room for any number of them.
            let sized = size_of::<S>() > 0;
            let states = if sized { block.states.capacity() } else { block.states.len() };
            let mut limbs = Vec::with_capacity(states * width);
            for number in block.limbs.chunks_exact(self.width.max(1)) {
                limbs::append(&mut limbs, number, width);
            }
            block.limbs = limbs;
        }
        self.width = width;
    }

    /// Removes all states.
    pub(super) fn clear(&mut self) {
        self.pieces.iter_mut().for_each(Block::clear);
        self.spare.give(self.pieces.drain(1.min(self.pieces.len())..));
        self.len = 0;
    }

    /// Passes all states with their numbers to `take`, in order, and removes them. Calls `check`
    /// before each block and fails with its error.
    pub(super) fn drain<E>(
        &mut self,
        check: impl Fn() -> Result<(), E>,
        mut take: impl FnMut(S, &[u64]),
    ) -> Result<(), E> {
        for block in &mut self.pieces {
            check()?;
            for (number, state) in block.states.drain(..).enumerate() {
                take(state, &block.limbs[number * self.width..][..self.width]);
            }
        }
        self.clear();
        Ok(())
    }

    /// Drops all states if their type owns memory: about 0.1 s per million states. Calls `check`
    /// before each block and fails with its error. The caller must call [`clear`](Blocks::clear)
    /// afterwards in either case.
    pub(super) fn drop_states<E>(&mut self, check: impl Fn() -> Result<(), E>) -> Result<(), E> {
        if needs_drop::<S>() {
            for block in &mut self.pieces {
                check()?;
                block.clear();
            }
        }
        Ok(())
    }

    /// The states.
    #[cfg(test)]
    pub(super) fn iter(&self) -> impl Iterator<Item = &S> {
        self.pieces.iter().flat_map(|block| &block.states)
    }

    /// The states of a range with their numbers, in order, as slices.
    pub(super) fn slices(&self, range: Range<usize>) -> impl Iterator<Item = (&[S], &[u64])> {
        let mut at = range.start;
        std::iter::from_fn(move || {
            if at >= range.end {
                return None;
            }
            let end = range.end.min((at >> SHIFT << SHIFT) + BLOCK);
            let (first, count) = (at & (BLOCK - 1), end - at);
            let block = &self.pieces[at >> SHIFT];
            at = end;
            let numbers = &block.limbs[first * self.width..][..count * self.width];
            Some((&block.states[first..first + count], numbers))
        })
    }

    pub(super) fn bytes(&self) -> usize {
        let states = match &self.pieces[..] {
            [only] => only.bytes(),
            blocks => blocks.len() * block_bytes::<S>(self.width),
        };
        states + self.pieces.capacity() * size_of::<Block<S>>()
    }
}

impl<S> Drop for Blocks<S> {
    fn drop(&mut self) {
        if !self.pieces.is_empty() {
            self.pieces.iter_mut().for_each(Block::clear);
            self.spare.give(self.pieces.drain(..));
        }
    }
}

impl<S> Index<usize> for Blocks<S> {
    type Output = S;

    #[inline]
    fn index(&self, index: usize) -> &S {
        &self.pieces[index >> SHIFT].states[index & (BLOCK - 1)]
    }
}

/// A list of states, each with a number, that is filled and then emptied from its first one on,
/// again and again. Each block serves others as soon as it is empty; the last stays, as there are
/// many lists that never have a whole one.
#[derive(Debug)]
pub(super) struct RecordQueue<S> {
    full: Vec<Block<S>>,
    open: Block<S>,
}

impl<S> RecordQueue<S> {
    pub(super) fn new() -> Self {
        RecordQueue { full: Vec::new(), open: Block::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.full.iter().map(|block| block.states.len()).sum::<usize>() + self.open.states.len()
    }

    /// Appends a state with a number that has the width of those before it.
    // As above, and called for each edge.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(super) fn push(&mut self, state: S, number: &[u64], spare: &BlockPool<S>) {
        // The same question as `Vec::push` asks, so that it is asked but once.
        if self.open.states.len() == self.open.states.capacity() {
            self.make_room(number.len(), spare);
        }
        self.open.states.push(state);
        limbs::append(&mut self.open.limbs, number, number.len());
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self, width: usize, spare: &BlockPool<S>) {
        if self.open.states.len() < BLOCK {
            self.open.grow(width);
        } else {
            self.full.push(std::mem::replace(&mut self.open, spare.take(width)));
        }
    }

    /// Hands the states and their numbers to `take`, block by block, in order, up to where it
    /// answers an error.
    pub(super) fn empty<E>(
        &mut self,
        spare: &BlockPool<S>,
        mut take: impl FnMut(Drain<'_, S>, &[u64]) -> Result<(), E>,
    ) -> Result<(), E> {
        for mut block in self.full.drain(..) {
            take(block.states.drain(..), &block.limbs)?;
            block.limbs.clear();
            spare.give([block]);
        }
        let done = take(self.open.states.drain(..), &self.open.limbs);
        self.open.limbs.clear();
        done
    }

    /// Removes all states.
    pub(super) fn clear(&mut self, spare: &BlockPool<S>) {
        // There are thousands of lists that are empty: not a lock for each.
        if !self.full.is_empty() {
            self.full.iter_mut().for_each(Block::clear);
            spare.give(self.full.drain(..));
        }
        self.open.clear();
    }

    pub(super) fn bytes(&self) -> usize {
        self.full_bytes() + self.open.bytes() + self.full.capacity() * size_of::<Block<S>>()
    }

    /// Those of the blocks that it gives back when it is emptied.
    pub(super) fn full_bytes(&self) -> usize {
        self.full.iter().map(Block::bytes).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number that belongs to a state.
    fn number(state: usize, width: usize) -> Vec<u64> {
        (0..width).map(|limb| (state * 7 + limb) as u64).collect()
    }

    /// What lists of states with numbers of this width hold for so many states.
    fn expected(count: usize, width: usize) -> (Vec<usize>, Vec<u64>) {
        ((0..count).collect(), (0..count).flat_map(|state| number(state, width)).collect())
    }

    fn emptied(pile: &mut RecordQueue<usize>, spare: &BlockPool<usize>) -> (Vec<usize>, Vec<u64>) {
        let (mut states, mut limbs) = (Vec::new(), Vec::new());
        let done = pile.empty(spare, |of_block, numbers| {
            states.extend(of_block);
            limbs.extend_from_slice(numbers);
            Ok::<(), ()>(())
        });
        assert_eq!(done, Ok(()));
        (states, limbs)
    }

    #[test]
    fn a_list_is_what_was_pushed() {
        for width in [0, 1, 2, 5] {
            let spare = BlockPool::new();
            let mut list = Blocks::new(&spare, width);
            for round in 0..2 {
                let count = BLOCK * 3 + 17 - round;
                (0..count).for_each(|i| list.push(i, &number(i, width)));
                assert_eq!(list.len(), count);
                assert!(list.iter().copied().eq(0..count));
                for i in [0, BLOCK - 1, BLOCK, count - 1] {
                    assert_eq!((list[i], list.number(i)), (i, &number(i, width)[..]));
                }
                for range in [0..0, 0..count, 5..BLOCK, BLOCK..count, BLOCK - 1..2 * BLOCK + 1] {
                    let slices = || list.slices(range.clone());
                    assert!(slices().flat_map(|(states, _)| states).copied().eq(range.clone()));
                    let numbers = range.clone().flat_map(|i| number(i, width));
                    assert!(slices().flat_map(|(_, numbers)| numbers).copied().eq(numbers));
                }
                list.add_in(width, BLOCK + 3, &number(1, width));
                let sum = number(BLOCK + 3, width).into_iter().zip(number(1, width));
                assert!(list.number(BLOCK + 3).iter().copied().eq(sum.map(|(a, b)| a + b)));
                list.clear();
                assert!(list.is_empty() && list.iter().next().is_none());
                // All but the first, which grew.
                assert_eq!(spare.bytes(), 3 * block_bytes::<usize>(width));
            }
            spare.trim(block_bytes::<usize>(width));
            assert_eq!(spare.bytes(), block_bytes::<usize>(width));
            list.push(1, &number(1, width));
            let mut drained = Vec::new();
            let all = || Ok::<(), ()>(());
            list.drain(all, |state, limbs| drained.push((state, limbs.to_vec()))).unwrap();
            assert_eq!(drained, [(1, number(1, width))]);
            assert!(list.is_empty());
        }
    }

    #[test]
    fn a_list_is_widened() {
        let spare = BlockPool::new();
        let mut list = Blocks::new(&spare, 1);
        (0..BLOCK + 5).for_each(|i| list.push(i, &[i as u64]));
        list.set_width(3);
        list.push(BLOCK + 5, &[7, 8]);
        list.add_in(3, BLOCK, &[1, 2, 3]);
        list.add_in(3, 0, &[9]);
        assert_eq!(list.number(0), [9, 0, 0]);
        assert_eq!(list.number(BLOCK - 1), [BLOCK as u64 - 1, 0, 0]);
        assert_eq!(list.number(BLOCK), [BLOCK as u64 + 1, 2, 3]);
        assert_eq!(list.number(BLOCK + 5), [7, 8, 0]);
        // What is empty may become narrower, and what is spare is no less so.
        list.clear();
        list.set_width(2);
        (0..2 * BLOCK).for_each(|i| list.push(i, &[i as u64, 1]));
        assert_eq!(list.number(2 * BLOCK - 1), [2 * BLOCK as u64 - 1, 1]);
    }

    #[test]
    fn a_pile_is_emptied_as_it_was_filled() {
        let spare = BlockPool::new();
        let mut pile = RecordQueue::new();
        for width in [0, 1, 3] {
            for count in [0, 1, BLOCK, BLOCK + 1, 3 * BLOCK, 5, 2 * BLOCK - 1] {
                (0..count).for_each(|i| pile.push(i, &number(i, width), &spare));
                assert_eq!(pile.len(), count);
                assert!(pile.bytes() >= count * (1 + width) * size_of::<usize>());
                assert_eq!(emptied(&mut pile, &spare), expected(count, width));
                assert_eq!(pile.len(), 0);
            }
        }
        spare.trim(0);
        // One of two is given back, the last stays.
        (0..2 * BLOCK).for_each(|i| pile.push(i, &[], &spare));
        let whole = pile.full_bytes();
        assert!(whole >= block_bytes::<usize>(0));
        assert_eq!(emptied(&mut pile, &spare), expected(2 * BLOCK, 0));
        assert_eq!(spare.bytes(), whole);
        (0..2 * BLOCK).for_each(|i| pile.push(i, &[], &spare));
        assert_eq!(pile.empty(&spare, |_, _| Err("enough")), Err("enough"));
        (0..=BLOCK).for_each(|i| pile.push(i, &[], &spare));
        pile.clear(&spare);
        assert_eq!(pile.len(), 0);
    }

    #[test]
    fn a_block_goes_from_a_pile_to_a_list() {
        let spare = BlockPool::new();
        let (mut pile, mut list) = (RecordQueue::new(), Blocks::new(&spare, 2));
        (0..4 * BLOCK).for_each(|i| pile.push(i, &[i as u64], &spare));
        let moved = pile.empty(&spare, |states, numbers| {
            states.zip(numbers).for_each(|(i, &limb)| list.push(i, &[limb]));
            Ok::<(), ()>(())
        });
        assert_eq!(moved, Ok(()));
        assert!(list.iter().copied().eq(0..4 * BLOCK));
        assert!((0..4 * BLOCK).all(|i| list.number(i) == [i as u64, 0]));
        // Three were emptied, and served as the second and those after it.
        assert_eq!(spare.bytes(), 0);
    }

    #[test]
    fn nothing_takes_no_memory() {
        let spare = BlockPool::new();
        let mut pile = RecordQueue::new();
        (0..3 * BLOCK).for_each(|_| pile.push((), &[], &spare));
        assert_eq!((pile.len(), pile.bytes(), pile.full_bytes()), (3 * BLOCK, 0, 0));
        let mut count = 0;
        let emptied = pile.empty(&spare, |block, _| {
            count += block.count();
            Ok::<(), ()>(())
        });
        assert_eq!((emptied, count, pile.len()), (Ok(()), 3 * BLOCK, 0));
    }
}
