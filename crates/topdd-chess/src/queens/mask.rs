//! Sets of columns as the bits of an integer.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, Not, Shl, Shr};
use topdd::Portable;

/// A set of columns: bit `c` stands for column `c`.
///
/// The width in bits is the maximum number of
/// columns of a board. A state has three masks.
pub(super) trait Mask:
    Copy
    + Debug
    + Eq
    + Hash
    + Portable
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The maximum number of columns.
    const BITS: u32;
    /// No columns.
    const EMPTY: Self;
    /// The set of all `BITS` columns.
    const ALL: Self;

    /// The number of columns in the set.
    fn len(self) -> u32;

    /// The set of one column, which must be below [`BITS`](Mask::BITS).
    fn of(col: usize) -> Self;

    /// The lowest column in the set, [`BITS`](Mask::BITS) if there is none.
    fn first(self) -> usize;

    /// The set without its lowest column.
    fn without_first(self) -> Self;

    /// Whether there is no column in the set.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Whether the column, which must be below [`BITS`](Mask::BITS), is in the set.
    #[inline]
    fn has(self, col: usize) -> bool {
        !(self & Self::of(col)).is_empty()
    }

    /// The lowest `cols` columns, at most [`BITS`](Mask::BITS).
    #[inline]
    fn below(cols: usize) -> Self {
        if cols == 0 { Self::EMPTY } else { Self::ALL >> (Self::BITS - cols as u32) }
    }
}

macro_rules! mask {
    ($($word:ty),*) => {$(
        impl Mask for $word {
            const BITS: u32 = <$word>::BITS;
            const EMPTY: Self = 0;
            const ALL: Self = <$word>::MAX;

            #[inline]
            fn len(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn of(col: usize) -> Self {
                1 << col
            }

            #[inline]
            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }

            #[inline]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    )*};
}

mask!(u16, u32, u64);

#[cfg(test)]
mod tests {
    use super::Mask;

    fn sets<M: Mask>() {
        let bits = M::BITS as usize;
        assert_eq!(M::below(0), M::EMPTY);
        assert_eq!(M::below(bits), M::ALL);
        assert_eq!(M::below(bits - 1) | M::of(bits - 1), M::ALL);
        assert_eq!(M::EMPTY.first(), bits);
        assert_eq!(M::EMPTY.without_first(), M::EMPTY);
        let mut rest = M::of(1) | M::of(4) | M::of(bits - 1);
        assert_eq!(rest.len(), 3);
        for col in [1, 4, bits - 1] {
            assert!(rest.has(col));
            assert_eq!(rest.first(), col);
            rest = rest.without_first();
        }
        assert!(rest.is_empty());
    }

    #[test]
    fn masks_are_sets_up_to_their_last_bit() {
        sets::<u16>();
        sets::<u32>();
        sets::<u64>();
    }
}
