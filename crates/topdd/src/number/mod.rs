//! Natural numbers of any size.
//!
//! A number is a row of *limbs*: words of 64 bits, the least significant first. Numbers that are added to
//! each other, such as the counts of all states or nodes of a level, have the same number of limbs, their
//! *width* (the width of a state, in words, is another one). It follows from an [upper bound](UpperBound) of the sums, and grows with this bound. So no
//! addition needs an overflow check, and none ever wraps.
//!
//! `limbs` has the arithmetic of rows of limbs, and the columns of numbers of the same width. The states of a sweep are
//! stored with their numbers in blocks, see `frontier::states::Blocks`.

pub(crate) mod limbs;

use super::Portable;
use limbs::{from_limbs, significant};
use num_bigint::BigUint;
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::f64::consts::LN_2;

pub(crate) use limbs::Column;

/// Stands for a width that is not a constant. The hot loops are compiled for each of the common
/// widths, and once for all others. Without these copies, the loops take a sixth more instructions.
pub(crate) const ANY_WIDTH: usize = usize::MAX;

/// A number of any size, without heap memory below 2^192.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Number {
    /// Without leading zeros.
    limbs: SmallVec<[u64; 3]>,
}

impl Number {
    #[inline]
    pub(crate) fn limbs(&self) -> &[u64] {
        &self.limbs
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    pub(crate) fn to_big(&self) -> BigUint {
        from_limbs(&self.limbs)
    }

    /// Compares with a number, which may have leading zeros.
    #[inline]
    pub(crate) fn compare(&self, other: &[u64]) -> Ordering {
        if let (Some(a), Some(b)) = (small(&self.limbs), small(other)) {
            return a.cmp(&b);
        }
        let (a, b) = (&self.limbs[..], significant(other));
        a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
    }

    #[inline]
    pub(crate) fn add(&mut self, other: &[u64]) {
        if let (Some(a), Some(b)) = (small(&self.limbs), small(other))
            && let Some(sum) = a.checked_add(b)
        {
            *self = sum.into();
            return;
        }
        let other = significant(other);
        self.limbs.resize(self.limbs.len().max(other.len()), 0);
        if limbs::add_carrying(&mut self.limbs, other) {
            self.limbs.push(1);
        }
    }

    /// Subtracts a number that is not larger.
    #[inline]
    pub(crate) fn subtract(&mut self, other: &[u64]) {
        if let (Some(a), Some(b)) = (small(&self.limbs), small(other)) {
            *self = (a - b).into();
            return;
        }
        limbs::subtract(&mut self.limbs, significant(other));
        self.trim();
    }

    #[inline]
    pub(crate) fn times(&self, other: &[u64]) -> Number {
        match (&self.limbs[..], other) {
            (&[a], &[b]) => (u128::from(a) * u128::from(b)).into(),
            (_, [1]) => self.clone(),
            (a, b) => {
                let mut product = Number { limbs: SmallVec::from_elem(0, a.len() + b.len()) };
                limbs::add_product(&mut product.limbs, a, b.iter().copied());
                product.trim();
                product
            }
        }
    }

    /// The quotient and the remainder of the division by a number that is not 0.
    pub(crate) fn div_rem(&self, divisor: &[u64]) -> (Number, Number) {
        if let (Some(a), Some(b)) = (small(&self.limbs), small(divisor)) {
            return ((a / b).into(), (a % b).into());
        }
        let (number, divisor) = (from_limbs(&self.limbs), from_limbs(divisor));
        (Number::from(&(&number / &divisor)), Number::from(&(number % divisor)))
    }

    /// Removes leading zeros.
    #[inline]
    fn trim(&mut self) {
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
    }
}

impl Clone for Number {
    #[inline]
    fn clone(&self) -> Self {
        // The derived function would copy limb by limb.
        let limbs = match self.limbs[..] {
            [a] => SmallVec::from_buf_and_len([a, 0, 0], 1),
            [a, b] => SmallVec::from_buf_and_len([a, b, 0], 2),
            ref limbs => SmallVec::from_slice(limbs),
        };
        Number { limbs }
    }
}

/// A number of at most two limbs.
#[inline]
fn small(number: &[u64]) -> Option<u128> {
    match *number {
        [] => Some(0),
        [low] => Some(low.into()),
        [low, high] => Some(u128::from(high) << 64 | u128::from(low)),
        _ => None,
    }
}

impl From<u128> for Number {
    #[inline]
    fn from(number: u128) -> Self {
        let (low, high) = (number as u64, (number >> 64) as u64);
        let len = usize::from(number > 0) + usize::from(high > 0);
        Number { limbs: SmallVec::from_buf_and_len([low, high, 0], len) }
    }
}

impl From<&BigUint> for Number {
    fn from(big: &BigUint) -> Self {
        Number { limbs: big.iter_u64_digits().collect() }
    }
}

/// The number of leading limbs that [`magnitude`] reads.
const HEAD: usize = 3;
/// Two to the power of 64: the number of values of a limb.
const LIMB: f64 = 18_446_744_073_709_551_616.0;

/// The approximate sum of the numbers in `lanes` lanes, at least one, divided by two to the power of
/// 64 times [`scale`] of their width.
#[inline]
pub(crate) fn magnitude(lanes: usize, words: &[u64]) -> f64 {
    match (lanes, words) {
        (_, []) => 0.0,
        (1, &[limb]) => limb as f64,
        (1, &[low, high]) => high as f64 * LIMB + low as f64,
        _ => {
            let width = words.len() / lanes;
            let head = words[scale(width) * lanes..].chunks_exact(lanes).rev();
            let value = head.fold(0.0, |value, limbs| {
                value * LIMB + limbs.iter().map(|&limb| limb as f64).sum::<f64>()
            });
            // An upper bound of the remaining limbs.
            if width > HEAD { value + lanes as f64 } else { value }
        }
    }
}

/// The number of limbs that [`magnitude`] ignores in a number of this width.
#[inline]
fn scale(width: usize) -> usize {
    width.saturating_sub(HEAD)
}

/// An upper bound of a sum of numbers of any size, as the logarithm to base 2.
///
/// The bound of a level grows with each batch. Rounding errors are far below the bit that
/// [`limbs`](UpperBound::limbs) reserves.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) struct UpperBound {
    bits: f64,
}

impl UpperBound {
    /// The bound of an empty sum.
    pub(crate) const ZERO: UpperBound = UpperBound { bits: f64::NEG_INFINITY };

    /// The bound of a sum of numbers of `limbs` limbs, from the sum of their [`magnitude`]s.
    pub(crate) fn new(magnitude: f64, limbs: usize) -> Self {
        UpperBound { bits: magnitude.log2() }.shifted(64.0 * scale(limbs) as f64)
    }

    /// The bound of numbers with at most this many bits.
    pub(crate) fn from_bits(bits: f64) -> Self {
        UpperBound { bits }
    }

    /// A bound of both of two numbers, from their bounds.
    pub(crate) fn max(self, other: Self) -> Self {
        UpperBound { bits: self.bits.max(other.bits) }
    }

    /// The lower one of two bounds of the same number.
    pub(crate) fn min(self, other: Self) -> Self {
        UpperBound { bits: self.bits.min(other.bits) }
    }

    /// The bound of a sum of two numbers.
    pub(crate) fn plus(self, other: Self) -> Self {
        let (less, more) = (self.bits.min(other.bits), self.bits.max(other.bits));
        // The difference of two empty sums is not a number, which `max` replaces by 0.
        UpperBound { bits: more + (less - more).exp2().max(0.0).ln_1p() / LN_2 }
    }

    /// The bound times two to the power of `bits`.
    pub(crate) fn shifted(self, bits: f64) -> Self {
        UpperBound { bits: self.bits + bits }
    }

    /// The least number of limbs in which such a sum fits, at least one.
    pub(crate) fn limbs(self) -> usize {
        ((self.bits + 1.0).max(0.0) / 64.0) as usize + 1
    }

    /// The number of limbs to which numbers of `limbs` limbs are widened, so that such a sum fits, and no
    /// more than `max` needs. `None` if the sum fits already.
    pub(crate) fn widened(self, limbs: usize, max: Self) -> Option<usize> {
        let needed = self.limbs();
        // At least a quarter more than before, because each widening copies all numbers.
        (needed > limbs).then(|| (limbs + limbs / 4).min(max.limbs()).max(needed))
    }
}

impl Portable for UpperBound {
    fn write(&self, out: &mut Vec<u8>) {
        self.bits.to_bits().write(out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let bits = f64::from_bits(u64::read(bytes)?);
        (bits < f64::INFINITY).then_some(UpperBound { bits })
    }
}

#[cfg(test)]
mod tests {
    use super::limbs::from_limbs;
    use super::*;
    use num_bigint::BigUint;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_agree_with_biguint(a in any::<[u64; 3]>(), b in any::<[u64; 3]>(), cut in 0..4usize, other in 0..4usize) {
            // The other number may have leading zeros.
            let (a, b) = (&a[..cut.min(3)], [&b[..other.min(3)], &[0]].concat());
            let (x, y) = (from_limbs(a), from_limbs(&b));
            let n = Number::from(&x);
            prop_assert_eq!(n.is_zero(), x == BigUint::ZERO);
            prop_assert_eq!(n.compare(&b), x.cmp(&y));
            let mut sum = n.clone();
            sum.add(&b);
            prop_assert_eq!(sum.to_big(), &x + &y);
            sum.subtract(&b);
            prop_assert_eq!(&sum, &n);
            prop_assert_eq!(n.times(&b).to_big(), &x * &y);
            if y != BigUint::ZERO {
                let (q, r) = n.div_rem(&b);
                prop_assert_eq!((q.to_big(), r.to_big()), (&x / &y, &x % &y));
            }
        }
    }

    fn limbs() -> impl Strategy<Value = Vec<u64>> {
        let limb = prop_oneof![Just(0), Just(u64::MAX), any::<u64>()];
        prop::collection::vec(limb, 1..12)
    }

    /// The bound of a single number.
    fn bound_of(number: &[u64]) -> UpperBound {
        UpperBound::new(magnitude(1, number), number.len())
    }

    proptest! {
        /// The limbs of a bound suffice, and are no more than the sizes of the numbers require.
        #[test]
        fn a_sum_fits_the_limbs_of_its_bound(numbers in prop::collection::vec(limbs(), 1..20), bits in 0u32..300) {
            let sum: BigUint = numbers.iter().map(|number| from_limbs(number)).sum();
            let all = numbers.iter().map(|number| bound_of(number));
            let bound = all.fold(UpperBound::ZERO, UpperBound::plus).shifted(f64::from(bits));
            let needed = (sum << bits).bits();
            let width = bound.limbs() as u64;
            prop_assert!(needed <= 64 * width, "{} bits, {:?}", needed, bound);
            // Twenty numbers add five bits, and one bit is reserved.
            let longest = numbers.iter().map(Vec::len).max().unwrap_or(0) as u64;
            let most = 64 * longest + u64::from(bits) + 6;
            prop_assert!(width <= most / 64 + 1, "{} bits, {:?}", most, bound);
        }
    }

    #[test]
    fn bounds_of_huge_sums_are_bounds() {
        let mut sum = UpperBound::ZERO;
        for step in 0..1000 {
            sum = sum.plus(UpperBound::new(1.0, 1)).shifted(f64::from(step));
        }
        let bits = (0..1000).sum::<u64>();
        assert!((bits / 64..bits / 64 + 3).contains(&(sum.limbs() as u64)));
    }
}
