//! Sets of a few numbers as the bits of some words.

use topdd::Portable;
use topdd_graph::WordState;

/// A set of numbers below `64 * N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct BitSet<const N: usize>([u64; N]);

impl<const N: usize> BitSet<N> {
    pub(super) const EMPTY: Self = BitSet([0; N]);
    /// The capacity: members are below this.
    pub(super) const BITS: usize = 64 * N;

    #[inline]
    pub(super) fn has(&self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    #[inline]
    pub(super) fn insert(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    #[inline]
    pub(super) fn remove(&mut self, bit: usize) {
        self.0[bit / 64] &= !(1 << (bit % 64));
    }

    #[inline]
    pub(super) fn add(&mut self, others: &Self) {
        for (word, other) in self.0.iter_mut().zip(&others.0) {
            *word |= other;
        }
    }

    #[inline]
    pub(super) fn take_away(&mut self, others: &Self) {
        for (word, other) in self.0.iter_mut().zip(&others.0) {
            *word &= !other;
        }
    }

    /// Whether all of these are in `others`.
    #[inline]
    pub(super) fn within(&self, others: &Self) -> bool {
        self.0.iter().zip(&others.0).all(|(word, other)| word & !other == 0)
    }

    /// The members that are in `others`, in ascending order.
    #[inline]
    pub(super) fn common(self, others: Self) -> impl Iterator<Item = usize> {
        (0..N).flat_map(move |index| {
            let mut rest = self.0[index] & others.0[index];
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest.wrapping_sub(1);
                (bit < 64).then_some(index * 64 + bit)
            })
        })
    }
}

impl<const N: usize> Portable for BitSet<N> {
    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }

    #[inline]
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Portable::read(bytes).map(BitSet)
    }
}

impl<const N: usize> WordState for BitSet<N> {
    #[inline]
    fn from_words(words: &[u64]) -> Self {
        BitSet(words.try_into().expect("a set has all its words"))
    }

    #[inline]
    fn write_words(&self, words: &mut [u64]) {
        words.copy_from_slice(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sets_up_to_their_last_bit() {
        let of = |bits: &[usize]| {
            let mut words = BitSet::<2>::EMPTY;
            for &bit in bits {
                words.insert(bit);
            }
            words
        };
        let mut words = of(&[0, 63, 64, 127]);
        assert!(words.has(63) && words.has(127) && !words.has(1));
        assert!(words.common(of(&[1, 63, 64, 126])).eq([63, 64]));
        assert!(of(&[63, 64]).within(&words) && !of(&[63, 65]).within(&words));
        words.remove(63);
        words.add(&of(&[2]));
        words.take_away(&of(&[127, 5]));
        assert_eq!(words, of(&[0, 2, 64]));
        assert_eq!(BitSet::<2>::BITS, 128);
    }
}
