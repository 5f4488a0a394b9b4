//! Natural numbers of a fixed width, for counting where a bound is known.
//!
//! A count starts narrow and is widened when the next sums might exceed a bound. So no addition needs an overflow check, and none ever wraps.

use crate::limbs::{self, from_limbs};
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// Numbers for counts, of several widths.
pub(super) trait Number: Clone + Send + Sync + 'static {
    /// The weight from which on a number might not fit.
    const CAPACITY: f64;
    fn zero() -> Self;
    fn one() -> Self;
    /// The sum must fit.
    fn add(&mut self, other: &Self);
    /// The product must fit.
    fn times(&self, factor: &BigUint) -> Self;
    /// The product must fit.
    fn product(&self, other: &Self) -> Self;
    /// The number, within the accuracy of an `f64`; infinite beyond its range.
    fn weight(&self) -> f64;
    /// Makes the number one that weighs at least as much as itself and the other, and at most twice
    /// as much as the heavier one. This is faster than a comparison.
    fn cover(&mut self, other: &Self);
    fn to_big(&self) -> BigUint;
    /// The number must fit.
    fn from_limbs(limbs: &[u64]) -> Self;
    /// Passes the number as limbs, least significant first.
    fn with_limbs<T>(&self, f: impl FnOnce(&[u64]) -> T) -> T;

    /// The same number in another width, in which it must fit.
    fn convert<M: Number>(&self) -> M {
        self.with_limbs(M::from_limbs)
    }
}

/// A number of `64 * W` bits, least significant limb first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wide<const W: usize>([u64; W]);

/// Two to the power of `n`.
const fn power_of_two(n: u32) -> f64 {
    f64::from_bits((1023 + n as u64) << 52)
}

impl<const W: usize> Wide<W> {
    /// The product with a number of these digits, which must fit.
    #[inline]
    fn multiply(&self, digits: impl Iterator<Item = u64>) -> Self {
        let mut product = [0u64; W];
        limbs::add_product(&mut product, &self.0, digits);
        Wide(product)
    }
}

impl<const W: usize> Number for Wide<W> {
    // One bit less than the width: the weights that are compared with it are sums of rounded
    // numbers, whose relative error is far below a factor of two.
    const CAPACITY: f64 = power_of_two(64 * W as u32 - 1);

    fn zero() -> Self {
        Wide([0; W])
    }

    fn one() -> Self {
        let mut limbs = [0; W];
        limbs[0] = 1;
        Wide(limbs)
    }

    #[inline]
    fn add(&mut self, other: &Self) {
        limbs::add(&mut self.0, &other.0);
    }

    fn times(&self, factor: &BigUint) -> Self {
        self.multiply(factor.iter_u64_digits())
    }

    #[inline]
    fn product(&self, other: &Self) -> Self {
        self.multiply(other.0.iter().copied())
    }

    #[inline]
    fn weight(&self) -> f64 {
        let mut weight = 0.0;
        for &limb in self.0.iter().rev() {
            weight = weight * power_of_two(64) + limb as f64;
        }
        weight
    }

    #[inline]
    fn cover(&mut self, other: &Self) {
        for (limb, other) in self.0.iter_mut().zip(&other.0) {
            *limb |= other;
        }
    }

    fn to_big(&self) -> BigUint {
        from_limbs(&self.0)
    }

    fn from_limbs(limbs: &[u64]) -> Self {
        let mut wide = [0; W];
        for (i, &limb) in limbs.iter().enumerate() {
            if i < W {
                wide[i] = limb;
            } else {
                debug_assert_eq!(limb, 0, "a number was narrowed that does not fit");
            }
        }
        Wide(wide)
    }

    fn with_limbs<T>(&self, f: impl FnOnce(&[u64]) -> T) -> T {
        f(&self.0)
    }
}

impl Number for BigUint {
    const CAPACITY: f64 = f64::INFINITY;

    fn zero() -> Self {
        Zero::zero()
    }

    fn one() -> Self {
        One::one()
    }

    fn add(&mut self, other: &Self) {
        *self += other;
    }

    fn times(&self, factor: &BigUint) -> Self {
        self * factor
    }

    fn product(&self, other: &Self) -> Self {
        self * other
    }

    fn weight(&self) -> f64 {
        // Nothing is too heavy for a number without a width.
        0.0
    }

    // All weigh the same.
    fn cover(&mut self, _: &Self) {}

    fn to_big(&self) -> BigUint {
        self.clone()
    }

    fn from_limbs(limbs: &[u64]) -> Self {
        from_limbs(limbs)
    }

    fn with_limbs<T>(&self, f: impl FnOnce(&[u64]) -> T) -> T {
        f(&self.to_u64_digits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn big(limbs: &[u64]) -> BigUint {
        BigUint::from_limbs(limbs)
    }

    proptest! {
        #[test]
        fn wide_agrees_with_big(a in any::<[u64; 2]>(), b in any::<[u64; 2]>(), c in any::<u64>()) {
            let (x, y) = (Wide::<4>::from_limbs(&a), Wide::<4>::from_limbs(&b));
            let mut sum = x;
            sum.add(&y);
            prop_assert_eq!(sum.to_big(), big(&a) + big(&b));
            prop_assert_eq!(x.times(&big(&b)).to_big(), big(&a) * big(&b));
            prop_assert_eq!(x.times(&BigUint::from(c)).to_big(), big(&a) * c);
            prop_assert_eq!(x.product(&y).to_big(), big(&a) * big(&b));
            prop_assert_eq!(x.convert::<BigUint>(), big(&a));
            prop_assert_eq!(x.convert::<Wide<8>>().convert::<Wide<2>>().to_big(), big(&a));
            let exact = a[1] as f64 * 18446744073709551616.0 + a[0] as f64;
            prop_assert!((x.weight() - exact).abs() <= exact * 1e-15);
            let mut cover = x;
            cover.cover(&y);
            let most = x.to_big().max(y.to_big());
            prop_assert!(cover.to_big() >= most && cover.to_big() < most.max(1u32.into()) * 2u32);
        }
    }

    #[test]
    fn the_capacity_is_half_the_range_and_finite() {
        assert_eq!(Wide::<1>::CAPACITY.to_bits(), 9223372036854775808f64.to_bits());
        assert!(Wide::<8>::CAPACITY.is_finite());
    }
}
