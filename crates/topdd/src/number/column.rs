//! Columns: numbers of the same width.

use super::{ANY_WIDTH, limbs};

/// Numbers of the same width, such as the counts of all nodes of a level.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    width: usize,
    /// The limbs of the first number, then the limbs of the second number, and so on.
    limbs: Vec<u64>,
}

impl Column {
    /// A column of `len` zeros.
    pub(crate) fn zeros(len: usize, width: usize) -> Self {
        Column { width, limbs: vec![0; len * width] }
    }

    /// Removes all numbers, and makes room for `len` numbers of another width. Their values are
    /// arbitrary.
    pub(crate) fn reset(&mut self, len: usize, width: usize) {
        self.width = width;
        self.limbs.resize(len * width, 0);
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.limbs)
    }

    /// The number of numbers.
    pub(crate) fn len(&self) -> usize {
        self.limbs.len() / self.width
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> &[u64] {
        self.row::<ANY_WIDTH>(index)
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, index: usize) -> &mut [u64] {
        self.row_mut::<ANY_WIDTH>(index)
    }

    /// The number at `index`. The width must be `WIDTH`, unless that is more than 4 or [`ANY_WIDTH`].
    // Inlined, so that the length of the slice is a constant. Without the constants 3 and 4, a count of a
    // diagram in numbers of three limbs takes a fifth more instructions.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(crate) fn row<const WIDTH: usize>(&self, index: usize) -> &[u64] {
        match WIDTH {
            1 => std::slice::from_ref(&self.limbs[index]),
            2 => &self.limbs.as_chunks::<2>().0[index],
            3 => &self.limbs.as_chunks::<3>().0[index],
            4 => &self.limbs.as_chunks::<4>().0[index],
            _ => &self.limbs[index * self.width..][..self.width],
        }
    }

    /// Does the same as [`row`](Column::row), to change the number.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(crate) fn row_mut<const WIDTH: usize>(&mut self, index: usize) -> &mut [u64] {
        match WIDTH {
            1 => std::slice::from_mut(&mut self.limbs[index]),
            2 => &mut self.limbs.as_chunks_mut::<2>().0[index],
            3 => &mut self.limbs.as_chunks_mut::<3>().0[index],
            4 => &mut self.limbs.as_chunks_mut::<4>().0[index],
            _ => &mut self.limbs[index * self.width..][..self.width],
        }
    }

    /// The limbs of `len` numbers at a time.
    pub(crate) fn parts_mut(&mut self, len: usize) -> std::slice::ChunksMut<'_, u64> {
        self.limbs.chunks_mut(len * self.width)
    }

    /// Appends a number, which may have fewer limbs.
    #[inline]
    pub(crate) fn push(&mut self, number: &[u64]) {
        limbs::append(&mut self.limbs, number, self.width);
    }

    /// Changes the width. The numbers must fit.
    pub(crate) fn set_width(&mut self, width: usize) {
        if self.width == width {
            return;
        }
        let kept = width.min(self.width);
        let mut limbs = Vec::with_capacity(self.limbs.len() / self.width * width);
        for number in self.limbs.chunks_exact(self.width) {
            debug_assert!(limbs::is_zero(&number[kept..]), "a number does not fit");
            limbs::append(&mut limbs, &number[..kept], width);
        }
        *self = Column { width, limbs };
    }

    /// Reduces the width to the number of limbs of the largest number, at least one.
    pub(crate) fn narrow(&mut self) {
        if self.width > 1 {
            self.set_width(limbs::max_bits(&self.limbs, self.width).div_ceil(64).max(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::limbs::from_limbs;
    use num_bigint::BigUint;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_change_of_the_width_keeps_the_numbers(
            numbers in prop::collection::vec(any::<[u64; 3]>(), 1..9),
            width in 1usize..4,
            more in 0usize..3,
        ) {
            let mut column = Column::zeros(0, width);
            for number in &numbers {
                column.push(&number[..width]);
            }
            let values = |column: &Column| -> Vec<BigUint> {
                (0..numbers.len()).map(|index| from_limbs(column.get(index))).collect()
            };
            let expected = values(&column);
            column.set_width(width + more);
            prop_assert_eq!(values(&column), &expected[..]);
            prop_assert_eq!(column.bytes(), 8 * numbers.len() * (width + more));
            column.narrow();
            prop_assert_eq!(values(&column), &expected[..]);
            let longest = expected.iter().map(BigUint::bits).max().unwrap_or(0);
            prop_assert_eq!(column.width() as u64, longest.div_ceil(64).max(1));
        }
    }
}
