//! Natural numbers that are mostly small.

use super::number::Number;
use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// A natural number of any size, without heap memory below 2^128.
///
/// Always [`Small`](Natural::Small) where it can be, so that the order of the variants is
/// the order of the numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Natural {
    Small(u128),
    Big(BigUint),
}

impl Natural {
    pub(super) const ZERO: Natural = Natural::Small(0);

    /// Makes a number of limbs, the least significant first.
    #[inline]
    pub(super) fn from_limbs(limbs: &[u64]) -> Self {
        match *limbs {
            [low] => Natural::Small(low.into()),
            [low, high] => Natural::Small(u128::from(high) << 64 | u128::from(low)),
            _ => BigUint::from_limbs(limbs).into(),
        }
    }

    pub(super) fn into_big(self) -> BigUint {
        match self {
            Natural::Small(small) => small.into(),
            Natural::Big(big) => big,
        }
    }

    /// Returns the result of an operation, without heap memory if `small` returns one for small numbers.
    #[inline]
    fn apply(
        self,
        other: Natural,
        small: impl Fn(u128, u128) -> Option<u128>,
        big: impl Fn(BigUint, BigUint) -> BigUint,
    ) -> Natural {
        if let (&Natural::Small(a), &Natural::Small(b)) = (&self, &other)
            && let Some(result) = small(a, b)
        {
            return Natural::Small(result);
        }
        big(self.into_big(), other.into_big()).into()
    }

    pub(super) fn plus(self, other: Natural) -> Natural {
        self.apply(other, u128::checked_add, |a, b| a + b)
    }

    /// The other number must not be larger.
    pub(super) fn minus(self, other: Natural) -> Natural {
        self.apply(other, u128::checked_sub, |a, b| a - b)
    }

    pub(super) fn times(self, other: Natural) -> Natural {
        self.apply(other, u128::checked_mul, |a, b| a * b)
    }

    /// Returns the quotient and the remainder of the division by a number that is not 0.
    pub(super) fn div_rem(self, divisor: Natural) -> (Natural, Natural) {
        let quotient = self.clone().apply(divisor.clone(), u128::checked_div, |a, b| a / b);
        (quotient, self.apply(divisor, u128::checked_rem, |a, b| a % b))
    }
}

impl From<BigUint> for Natural {
    fn from(big: BigUint) -> Self {
        big.to_u128().map_or(Natural::Big(big), Natural::Small)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn natural_numbers_agree_with_biguint(a in any::<[u64; 3]>(), b in any::<[u64; 3]>(), cut in 0..4usize, other in 0..4usize) {
            let (a, b) = (&a[..cut.min(3)], &b[..other.min(3)]);
            let (x, y) = (BigUint::from_limbs(a), BigUint::from_limbs(b));
            let (n, m) = (Natural::from_limbs(a), Natural::from_limbs(b));
            prop_assert_eq!(n.cmp(&m), x.cmp(&y));
            let sum = n.clone().plus(m.clone());
            prop_assert_eq!(sum.clone().into_big(), &x + &y);
            prop_assert_eq!(&sum.minus(m.clone()), &n);
            prop_assert_eq!(n.clone().times(m.clone()).into_big(), &x * &y);
            if y != BigUint::ZERO {
                let (q, r) = n.div_rem(m);
                prop_assert_eq!((q.into_big(), r.into_big()), (&x / &y, &x % &y));
            }
        }
    }
}
