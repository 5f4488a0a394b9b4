//! Natural numbers whose width is set at run time: a number of limbs of 64 bits, the least
//! significant first.
//!
//! All numbers of a level have the same width. It grows when an upper bound shows that the next
//! sums might not fit, so no addition needs an overflow check, and none ever wraps. The engine is
//! compiled once for all widths, except its hottest loops.

use num_bigint::BigUint;

/// Stands for a width that is not a constant. The hot loops are compiled for each of the common
/// widths, and once for all others. Without that they take a sixth more instructions.
pub(super) const ANY_WIDTH: usize = usize::MAX;

/// The number of leading limbs that [`magnitude`] reads.
const HEAD: usize = 3;
/// The number of limbs beyond which the multiplication of `num_bigint` is faster than the simple
/// one.
const MANY: usize = 8;

/// Two to the power of 64: the number of values of a limb.
const LIMB: f64 = 18_446_744_073_709_551_616.0;

/// Adds `from`, which is no wider, to `into`. The sum must fit.
#[inline]
pub(crate) fn add(into: &mut [u64], from: &[u64]) {
    let carry = match (&mut *into, from) {
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
    };
    debug_assert!(!carry, "a sum that the bound promised would fit did not");
}

/// Appends a number to a list of numbers of `width` limbs. The number may have fewer limbs.
#[inline]
pub(super) fn append(list: &mut Vec<u64>, number: &[u64], width: usize) {
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

/// Replaces the content of `out` by the product of a number and a factor of these digits, in `width`
/// limbs. It must fit.
pub(crate) fn multiply(
    number: &[u64],
    factor: impl IntoIterator<Item = u64, IntoIter: ExactSizeIterator>,
    width: usize,
    out: &mut Vec<u64>,
) {
    out.clear();
    let factor = factor.into_iter();
    let number = significant(number);
    if number.len() > MANY && factor.len() > MANY {
        let factor: Vec<u64> = factor.collect();
        out.extend((from_limbs(number) * from_limbs(&factor)).iter_u64_digits());
        debug_assert!(out.len() <= width, "a product that the bound promised would fit did not");
        out.resize(width, 0);
        return;
    }
    out.resize(width, 0);
    // Most factors are powers of two, whose digits are all 0 except one.
    for (shift, digit) in factor.enumerate().filter(|&(_, digit)| digit > 0) {
        let (here, above) = out[shift..].split_at_mut(number.len());
        let mut carry = 0u128;
        for (out, &limb) in here.iter_mut().zip(number) {
            let t = u128::from(limb) * u128::from(digit) + u128::from(*out) + carry;
            *out = t as u64;
            carry = t >> 64;
        }
        if carry > 0 {
            add(above, &[carry as u64]);
        }
    }
}

/// A number without its leading zero limbs.
fn significant(number: &[u64]) -> &[u64] {
    let length = number.iter().rposition(|&limb| limb > 0).map_or(0, |last| last + 1);
    &number[..length]
}

pub(crate) fn from_limbs(limbs: &[u64]) -> BigUint {
    BigUint::new(limbs.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]).collect())
}

/// The approximate sum of the numbers in `lanes` lanes, at least one, divided by two to the power of
/// 64 times [`scale`] of their width.
#[inline]
pub(super) fn magnitude(lanes: usize, words: &[u64]) -> f64 {
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

/// Adds the numbers in the lanes of `from` to those in the lanes of `into` that begin `shift`
/// lanes later. The lanes that would be beyond the end are left out. `into` must have at least as
/// many limbs, and the sums must fit. Both are lists of limbs of all lanes, the lowest limbs first.
pub(crate) fn add_lanes(
    (into, into_lanes): (&mut [u64], usize),
    (from, from_lanes): (&[u64], usize),
    shift: usize,
) {
    let lanes = from_lanes.min(into_lanes.saturating_sub(shift));
    if from.len() == from_lanes && into.len() == into_lanes {
        for (a, b) in into.iter_mut().skip(shift).zip(&from[..lanes]) {
            debug_assert!(a.checked_add(*b).is_some(), "the bound promised that the sum fits");
            *a = a.wrapping_add(*b);
        }
        return;
    }
    for lane in 0..lanes {
        let mut carry = false;
        let mut limbs = from[lane..].iter().step_by(from_lanes);
        for a in into[lane + shift..].iter_mut().step_by(into_lanes) {
            let b = limbs.next();
            if b.is_none() && !carry {
                break;
            }
            let (sum, first) = a.overflowing_add(b.copied().unwrap_or(0));
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            *a = sum;
            carry = first | second;
        }
        debug_assert!(!carry, "the bound promised that the sum fits");
    }
}

/// Removes the highest limbs of all lanes while they are 0 in all, except the lowest limbs.
pub(super) fn trim(words: &mut Vec<u64>, lanes: usize) {
    while words.len() > lanes && words[words.len() - lanes..].iter().all(|&limb| limb == 0) {
        words.truncate(words.len() - lanes);
    }
}

/// The number of limbs that [`magnitude`] ignores in a number of this width.
#[inline]
pub(super) fn scale(width: usize) -> usize {
    width.saturating_sub(HEAD)
}

/// An upper bound of a sum of numbers of any size: `value` times two to the power of 64 `scale`.
///
/// The bound of a level grows with each batch. Rounding errors are far below the factor of two that
/// [`width`](UpperBound::width) reserves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct UpperBound {
    pub(super) value: f64,
    pub(super) scale: usize,
}

impl UpperBound {
    pub(super) fn new(value: f64, scale: usize) -> Self {
        // Keeps `value` so small that sums of bounds do not overflow.
        let mut bound = UpperBound { value, scale };
        while bound.value >= LIMB * LIMB * LIMB {
            bound.value /= LIMB;
            bound.scale += 1;
        }
        bound
    }

    /// The value in units of `scale`, which must be at least the own scale.
    fn value_in(self, scale: usize) -> f64 {
        let mut value = self.value;
        for _ in self.scale..scale {
            if value < f64::MIN_POSITIVE {
                break;
            }
            value /= LIMB;
        }
        value
    }

    /// Two to the power of `bits`.
    pub(super) fn of_bits(bits: f64) -> Self {
        UpperBound::new(1.0, 0).shifted(bits)
    }

    pub(super) fn min(self, other: Self) -> Self {
        let scale = self.scale.max(other.scale);
        if self.value_in(scale) <= other.value_in(scale) { self } else { other }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        let scale = self.scale.max(other.scale);
        UpperBound::new(self.value_in(scale) + other.value_in(scale), scale)
    }

    /// The bound times two to the power of `bits`.
    pub(super) fn shifted(self, bits: f64) -> Self {
        let limbs = (bits / 64.0).floor();
        UpperBound::new(self.value * (bits - 64.0 * limbs).exp2(), self.scale + limbs as usize)
    }

    /// The least number of limbs in which such a sum fits, at least one.
    pub(super) fn width(self) -> usize {
        let mut width = self.scale + 1;
        let mut value = self.value;
        while value >= LIMB / 2.0 {
            value /= LIMB;
            width += 1;
        }
        width
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn limbs() -> impl Strategy<Value = Vec<u64>> {
        let limb = prop_oneof![Just(0), Just(u64::MAX), any::<u64>()];
        prop::collection::vec(limb, 1..12)
    }

    /// The bound of a single number.
    fn bound_of(number: &[u64]) -> UpperBound {
        UpperBound::new(magnitude(1, number), scale(number.len()))
    }

    proptest! {
        #[test]
        fn sums_and_products_agree_with_big_numbers(a in limbs(), b in limbs(), more in 1usize..3) {
            let width = a.len().max(b.len()) + more;
            let (big_a, big_b) = (from_limbs(&a), from_limbs(&b));
            let mut sum = Vec::new();
            append(&mut sum, &a, width);
            prop_assert_eq!((sum.len(), from_limbs(&sum)), (width, big_a.clone()));
            add(&mut sum, &b);
            prop_assert_eq!(from_limbs(&sum), &big_a + &big_b);
            let mut product = vec![7];
            multiply(&a, b.iter().copied(), a.len() + b.len(), &mut product);
            prop_assert_eq!(product.len(), a.len() + b.len());
            prop_assert_eq!(from_limbs(&product), &big_a * &big_b);
            multiply(&a, b.iter().copied(), a.len() + b.len() + more, &mut product);
            prop_assert_eq!(from_limbs(&product), big_a * big_b);
        }

        /// The width of a bound is sufficient, and no more than the sizes of the numbers require.
        #[test]
        fn a_sum_fits_the_width_of_its_bound(numbers in prop::collection::vec(limbs(), 1..20), bits in 0u32..300) {
            let sum: BigUint = numbers.iter().map(|number| from_limbs(number)).sum();
            let all = numbers.iter().map(|number| bound_of(number));
            let bound = all.fold(UpperBound::default(), UpperBound::plus).shifted(f64::from(bits));
            let needed = (sum << bits).bits();
            let width = bound.width() as u64;
            prop_assert!(needed <= 64 * width, "{} bits, {:?}", needed, bound);
            // Twenty numbers add five bits, and one bit is reserved.
            let longest = numbers.iter().map(Vec::len).max().unwrap_or(0) as u64;
            let most = 64 * longest + u64::from(bits) + 6;
            prop_assert!(width <= most / 64 + 1, "{} bits, {:?}", most, bound);
        }
    }

    #[test]
    fn bounds_of_huge_sums_are_bounds() {
        let mut sum = UpperBound::default();
        for step in 0..1000 {
            sum = sum.plus(UpperBound::new(1.0, 0)).shifted(f64::from(step));
        }
        let bits = (0..1000).sum::<u64>();
        assert!((bits / 64..bits / 64 + 3).contains(&(sum.width() as u64)));
    }
}
