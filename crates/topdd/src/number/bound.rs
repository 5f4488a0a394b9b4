//! Upper bounds of numbers and of sums, which decide how many limbs they need.

use crate::Portable;
use std::f64::consts::LN_2;

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
    use super::super::limbs::from_limbs;
    use super::*;
    use num_bigint::BigUint;
    use proptest::prelude::*;

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
