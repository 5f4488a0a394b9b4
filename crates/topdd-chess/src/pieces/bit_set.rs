//! Sets of a few numbers as the bits of some words.

/// The limit of the numbers in a set.
pub(super) const MAX_BITS: usize = 256;

/// The number of words of a [`BitSet`].
const WORDS: usize = MAX_BITS / 64;

/// A set of numbers below [`MAX_BITS`]. A state stores the first words only, as many as its numbers need; so
/// these methods take the sets of states as slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BitSet([u64; WORDS]);

#[inline]
pub(super) fn contains(set: &[u64], bit: usize) -> bool {
    set[bit / 64] >> (bit % 64) & 1 == 1
}

#[inline]
pub(super) fn insert(set: &mut [u64], bit: usize) {
    set[bit / 64] |= 1 << (bit % 64);
}

#[inline]
pub(super) fn remove(set: &mut [u64], bit: usize) {
    set[bit / 64] &= !(1 << (bit % 64));
}

impl BitSet {
    pub(super) const EMPTY: Self = BitSet([0; WORDS]);

    #[inline]
    pub(super) fn insert(&mut self, bit: usize) {
        insert(&mut self.0, bit);
    }

    /// Adds the members to a set.
    #[inline]
    pub(super) fn add_to(&self, set: &mut [u64]) {
        for (word, own) in set.iter_mut().zip(&self.0) {
            *word |= own;
        }
    }

    /// Removes the members from a set.
    #[inline]
    pub(super) fn remove_from(&self, set: &mut [u64]) {
        for (word, own) in set.iter_mut().zip(&self.0) {
            *word &= !own;
        }
    }

    /// Whether all members are in a set.
    #[inline]
    pub(super) fn within(&self, set: &[u64]) -> bool {
        self.0.iter().zip(set).all(|(own, word)| own & !word == 0)
    }

    /// Whether a member is in `others` and not in a set.
    #[inline]
    pub(super) fn any_without(&self, others: &Self, set: &[u64]) -> bool {
        let words = self.0.iter().zip(&others.0).zip(set);
        words.map(|((own, other), word)| own & other & !word).any(|common| common != 0)
    }

    /// The members that are in a set, in ascending order.
    #[inline]
    pub(super) fn common(&self, set: &[u64]) -> impl Iterator<Item = usize> {
        self.0.iter().zip(set).enumerate().flat_map(|(index, (own, word))| {
            let mut rest = own & word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest.wrapping_sub(1);
                (bit < 64).then_some(index * 64 + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sets_up_to_their_last_bit() {
        let set_of = |bits: &[usize]| {
            let mut set = BitSet::EMPTY;
            for &bit in bits {
                set.insert(bit);
            }
            set
        };
        let mut words = [0; 2];
        set_of(&[0, 63, 64, 127]).add_to(&mut words);
        assert!(contains(&words, 63) && contains(&words, 127) && !contains(&words, 1));
        assert!(set_of(&[1, 63, 64, 126]).common(&words).eq([63, 64]));
        assert!(set_of(&[63, 64]).within(&words) && !set_of(&[63, 65]).within(&words));
        assert!(set_of(&[2, 64]).any_without(&set_of(&[2]), &words));
        assert!(!set_of(&[2, 64]).any_without(&set_of(&[64]), &words));
        remove(&mut words, 63);
        insert(&mut words, 2);
        set_of(&[127, 5]).remove_from(&mut words);
        assert_eq!(words, [0b101, 1]);
    }
}
