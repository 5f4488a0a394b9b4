//! The arithmetic of rows of limbs, and columns: numbers of the same width. No result may be wider than its row.

use super::ANY_WIDTH;
use num_bigint::BigUint;

/// The number of limbs beyond which the multiplication of `num_bigint` is faster than the simple
/// one.
const MANY: usize = 8;

/// Adds `from`, which is no wider, to `into`. The sum must fit.
#[inline]
pub(crate) fn add(into: &mut [u64], from: &[u64]) {
    let carry = add_carrying(into, from);
    debug_assert!(!carry, "a sum that the bound promised would fit did not");
}

/// Adds `from`, which is no wider, to `into`. Returns whether a limb 1 is missing at the end.
#[inline]
pub(crate) fn add_carrying(into: &mut [u64], from: &[u64]) -> bool {
    match (&mut *into, from) {
        ([a], [b]) => {
            let (sum, carry) = a.overflowing_add(*b);
            *a = sum;
            carry
        }
        ([a, b], [c, d]) => {
            let (low, carry) = a.overflowing_add(*c);
            let (high, first) = b.overflowing_add(*d);
            let (high, second) = high.overflowing_add(u64::from(carry));
            (*a, *b) = (low, high);
            first | second
        }
        _ => {
            let (low, high) = into.split_at_mut(from.len());
            let mut carry = false;
            for (a, &b) in low.iter_mut().zip(from) {
                let (sum, first) = a.overflowing_add(b);
                let (sum, second) = sum.overflowing_add(u64::from(carry));
                *a = sum;
                carry = first | second;
            }
            for a in high {
                if !carry {
                    break;
                }
                (*a, carry) = a.overflowing_add(1);
            }
            carry
        }
    }
}

/// Subtracts `other`, which is neither larger nor wider.
#[inline]
pub(crate) fn subtract(number: &mut [u64], other: &[u64]) {
    let mut borrow = false;
    for (a, b) in number.iter_mut().zip(other.iter().chain(std::iter::repeat(&0))) {
        let (difference, first) = a.overflowing_sub(*b);
        let (difference, second) = difference.overflowing_sub(u64::from(borrow));
        *a = difference;
        borrow = first | second;
    }
    debug_assert!(!borrow, "the difference is negative");
}

/// Appends a number to a list of numbers of `width` limbs. The number may have fewer limbs.
// Inlined, so that the cases of constant widths vanish: otherwise counts take 4 % more instructions.
#[allow(clippy::inline_always)]
#[inline(always)]
pub(crate) fn append(list: &mut Vec<u64>, number: &[u64], width: usize) {
    match (width, number) {
        (0, _) => {}
        (1, &[limb]) => list.push(limb),
        (2, &[low, high]) => list.extend_from_slice(&[low, high]),
        _ => {
            list.extend_from_slice(number);
            list.resize(list.len() + (width - number.len()), 0);
        }
    }
}

/// Replaces the content of `out` by the product of a number and a factor, whose digits are given, in
/// `width` limbs. It must fit.
pub(crate) fn multiply(
    number: &[u64],
    factor: impl IntoIterator<Item = u64, IntoIter: ExactSizeIterator>,
    width: usize,
    out: &mut Vec<u64>,
) {
    out.clear();
    out.resize(width, 0);
    add_product(out, number, factor);
}

/// Adds the product of a number and a factor, whose digits are given. The sum must fit.
#[inline]
pub(crate) fn add_product(
    into: &mut [u64],
    number: &[u64],
    factor: impl IntoIterator<Item = u64, IntoIter: ExactSizeIterator>,
) {
    let factor = factor.into_iter();
    let number = if number.len() > MANY { significant(number) } else { number };
    if number.len() > MANY && factor.len() > MANY {
        let product = from_limbs(number) * from_limbs(&factor.collect::<Vec<u64>>());
        add(into, &product.to_u64_digits());
        return;
    }
    // Most factors are powers of two, whose digits are all 0 except one.
    for (shift, digit) in factor.enumerate().take(into.len()).filter(|&(_, digit)| digit > 0) {
        let end = into.len().min(shift + number.len());
        let mut carry = 0u128;
        for (out, &limb) in into[shift..end].iter_mut().zip(number) {
            let t = u128::from(limb) * u128::from(digit) + u128::from(*out) + carry;
            *out = t as u64;
            carry = t >> 64;
        }
        if carry > 0 {
            add(&mut into[end..], &[carry as u64]);
        }
    }
}

/// The residue of a number, from 1 to the modulus; 0 for 0.
pub(crate) fn residue(number: &[u64], modulus: u64) -> u64 {
    let mut residue = 0u128;
    let mut is_zero = true;
    for &limb in number.iter().rev() {
        is_zero &= limb == 0;
        residue = (residue << 64 | u128::from(limb)) % u128::from(modulus);
    }
    match residue as u64 {
        0 if !is_zero => modulus,
        residue => residue,
    }
}

/// A number without its leading zero limbs.
pub(crate) fn significant(number: &[u64]) -> &[u64] {
    let length = number.iter().rposition(|&limb| limb > 0).map_or(0, |last| last + 1);
    &number[..length]
}

#[inline]
pub(crate) fn is_zero(number: &[u64]) -> bool {
    number.iter().all(|&limb| limb == 0)
}

/// The number of bits of the largest number in a list of numbers of `width` limbs.
pub(crate) fn max_bits(numbers: &[u64], width: usize) -> usize {
    let union = |a: u64, b: u64| a | b;
    // The compiler vectorises the loops of constant widths.
    let highest = match width {
        1 => [0, numbers.iter().copied().fold(0, union)],
        2 => {
            let both = |a: [u64; 2], b: &[u64; 2]| [a[0] | b[0], a[1] | b[1]];
            numbers.as_chunks::<2>().0.iter().fold([0, 0], both)
        }
        _ => {
            let of_limb = |index: usize| {
                numbers.chunks_exact(width).map(|number| number[index]).fold(0, union)
            };
            let find = |index| Some((index, of_limb(index))).filter(|(_, limb)| *limb > 0);
            return (0..width)
                .rev()
                .find_map(find)
                .map_or(0, |(index, limb)| index * 64 + bits(limb));
        }
    };
    match (width, highest) {
        (1, [_, limb]) | (_, [limb, 0]) => bits(limb),
        (_, [_, high]) => 64 + bits(high),
    }
}

/// The number of bits of a limb without its leading zeros.
fn bits(limb: u64) -> usize {
    (u64::BITS - limb.leading_zeros()) as usize
}

pub(crate) fn from_limbs(limbs: &[u64]) -> BigUint {
    BigUint::new(limbs.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]).collect())
}

/// Adds the numbers of `from` from lane `first` on to the numbers of `into`, each `shift` lanes later. The
/// lanes that would be beyond the end are left out. `into` must have at least as many limbs, and the sums
/// must fit. Both are lists of limbs of all lanes, the lowest limbs first.
pub(crate) fn add_lanes(
    into: &mut [u64],
    into_lanes: usize,
    from: &[u64],
    from_lanes: usize,
    first: usize,
    shift: usize,
) {
    let end = from_lanes.min(into_lanes.saturating_sub(shift));
    if from.len() == from_lanes && into.len() == into_lanes {
        for (a, b) in
            into.iter_mut().skip(first.saturating_add(shift)).zip(&from[first..end.max(first)])
        {
            debug_assert!(a.checked_add(*b).is_some(), "the bound promised that the sum fits");
            *a = a.wrapping_add(*b);
        }
        return;
    }
    for lane in first..end {
        let mut carry = false;
        let mut limbs = from[lane..].iter().step_by(from_lanes);
        for a in into[lane + shift..].iter_mut().step_by(into_lanes) {
            let b = limbs.next();
            if b.is_none() && !carry {
                break;
            }
            let (sum, overflow) = a.overflowing_add(b.copied().unwrap_or(0));
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            *a = sum;
            carry = overflow | second;
        }
        debug_assert!(!carry, "the bound promised that the sum fits");
    }
}

/// Removes the highest limbs of all lanes while they are 0 in all, except the lowest limbs.
pub(crate) fn trim(words: &mut Vec<u64>, lanes: usize) {
    while words.len() > lanes && words[words.len() - lanes..].iter().all(|&limb| limb == 0) {
        words.truncate(words.len() - lanes);
    }
}

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
        append(&mut self.limbs, number, self.width);
    }

    /// Changes the width. The numbers must fit.
    pub(crate) fn set_width(&mut self, width: usize) {
        if self.width == width {
            return;
        }
        let kept = width.min(self.width);
        let mut limbs = Vec::with_capacity(self.limbs.len() / self.width * width);
        for number in self.limbs.chunks_exact(self.width) {
            debug_assert!(is_zero(&number[kept..]), "a number does not fit");
            append(&mut limbs, &number[..kept], width);
        }
        *self = Column { width, limbs };
    }

    /// Reduces the width to the number of limbs of the largest number, at least one.
    pub(crate) fn narrow(&mut self) {
        if self.width > 1 {
            self.set_width(max_bits(&self.limbs, self.width).div_ceil(64).max(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{from_limbs, *};
    use num_bigint::BigUint;
    use proptest::prelude::*;

    fn limbs() -> impl Strategy<Value = Vec<u64>> {
        let limb = prop_oneof![Just(0), Just(u64::MAX), any::<u64>()];
        prop::collection::vec(limb, 1..12)
    }

    proptest! {
        #[test]
        fn sums_and_products_agree_with_big_numbers(a in limbs(), b in limbs(), more in 1usize..3) {
            let width = a.len().max(b.len()) + more;
            let (big_a, big_b) = (from_limbs(&a), from_limbs(&b));
            let mut sum = Vec::new();
            sum.extend_from_slice(&a);
            sum.resize(width, 0);
            add(&mut sum, &b);
            prop_assert_eq!(from_limbs(&sum), &big_a + &big_b);
            let mut product = vec![7];
            multiply(&a, b.iter().copied(), a.len() + b.len(), &mut product);
            prop_assert_eq!(product.len(), a.len() + b.len());
            prop_assert_eq!(from_limbs(&product), &big_a * &big_b);
            multiply(&a, b.iter().copied(), a.len() + b.len() + more, &mut product);
            prop_assert_eq!(from_limbs(&product), big_a * big_b);
        }

        /// Lanes are added like numbers of their own, also shifted and into wider ones.
        #[test]
        fn lanes_are_added_like_numbers(
            a in prop::collection::vec(any::<[u64; 2]>(), 1..6),
            b in prop::collection::vec(any::<[u64; 2]>(), 1..6),
            first in 0usize..2,
            shift in 0usize..7,
            is_wide: bool,
        ) {
            let width = if is_wide { 2 } else { 1 };
            // The sum fits: the highest bit of each number is 0.
            let lanes = |of: &[[u64; 2]], limbs: usize| {
                let limb = |i: usize| move |n: &[u64; 2]| match i {
                    _ if i >= width => 0,
                    _ if i + 1 == width => n[i] >> 1,
                    _ => n[i],
                };
                (0..limbs).flat_map(|i| of.iter().map(limb(i))).collect::<Vec<u64>>()
            };
            let number = |words: &[u64], lanes: usize, lane: usize| {
                from_limbs(&words[lane..].iter().step_by(lanes).copied().collect::<Vec<_>>())
            };
            for more in [0, 1] {
                let (before, from) = (lanes(&a, width + more), lanes(&b, width));
                let mut sum = before.clone();
                add_lanes(&mut sum, a.len(), &from, b.len(), first, shift);
                for lane in 0..a.len() {
                    let mut expected = number(&before, a.len(), lane);
                    if lane >= first + shift && lane - shift < b.len() {
                        expected += number(&from, b.len(), lane - shift);
                    }
                    prop_assert_eq!(number(&sum, a.len(), lane), expected);
                }
                sum.resize((width + more + 3) * a.len(), 0);
                let long = sum.clone();
                trim(&mut sum, a.len());
                let highest = &sum[sum.len() - a.len()..];
                prop_assert!(sum.len() == a.len() || highest.iter().any(|&limb| limb > 0));
                sum.resize(long.len(), 0);
                prop_assert_eq!(sum, long);
            }
        }
    }

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
