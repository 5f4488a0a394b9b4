//! Natural numbers that are mostly small.

use super::number::Number;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::ops::{AddAssign, Mul, SubAssign};

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
            [] => Natural::ZERO,
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

    /// Returns the quotient and the remainder of the division by a number that is not 0.
    pub(super) fn div_rem(self, divisor: &Natural) -> (Natural, Natural) {
        match (self, divisor) {
            (dividend, Natural::Small(1)) => (dividend, Natural::ZERO),
            (Natural::Small(dividend), Natural::Small(divisor)) => {
                (Natural::Small(dividend / divisor), Natural::Small(dividend % divisor))
            }
            (dividend @ Natural::Small(_), Natural::Big(_)) => (Natural::ZERO, dividend),
            (Natural::Big(dividend), divisor) => {
                let divisor = divisor.clone().into_big();
                ((&dividend / &divisor).into(), (dividend % divisor).into())
            }
        }
    }
}

impl From<BigUint> for Natural {
    fn from(big: BigUint) -> Self {
        big.to_u128().map_or(Natural::Big(big), Natural::Small)
    }
}

impl From<u64> for Natural {
    fn from(number: u64) -> Self {
        Natural::Small(number.into())
    }
}

impl AddAssign<&Natural> for Natural {
    fn add_assign(&mut self, other: &Natural) {
        if let (Natural::Small(a), Natural::Small(b)) = (&*self, other)
            && let Some(sum) = a.checked_add(*b)
        {
            *self = Natural::Small(sum);
            return;
        }
        let sum = std::mem::replace(self, Natural::ZERO).into_big();
        *self = match other {
            Natural::Small(small) => sum + small,
            Natural::Big(big) => sum + big,
        }
        .into();
    }
}

/// The number subtracted must not be larger.
impl SubAssign<&Natural> for Natural {
    fn sub_assign(&mut self, other: &Natural) {
        *self = match (std::mem::replace(self, Natural::ZERO), other) {
            (Natural::Small(a), Natural::Small(b)) => Natural::Small(a - b),
            (a, Natural::Small(b)) => (a.into_big() - b).into(),
            (a, Natural::Big(b)) => (a.into_big() - b).into(),
        };
    }
}

impl Mul for Natural {
    type Output = Natural;

    fn mul(self, other: Natural) -> Natural {
        match (self, other) {
            (a, Natural::Small(1)) | (Natural::Small(1), a) => a,
            (Natural::Small(a), Natural::Small(b)) => match a.checked_mul(b) {
                Some(product) => Natural::Small(product),
                None => Natural::Big(BigUint::from(a) * b),
            },
            (a, b) => (a.into_big() * b.into_big()).into(),
        }
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
            let mut sum = n.clone();
            sum += &m;
            prop_assert_eq!(sum.clone().into_big(), &x + &y);
            sum -= &m;
            prop_assert_eq!(&sum, &n);
            prop_assert_eq!((n.clone() * m.clone()).into_big(), &x * &y);
            if y != BigUint::ZERO {
                let (q, r) = n.div_rem(&m);
                prop_assert_eq!((q.into_big(), r.into_big()), (&x / &y, &x % &y));
            }
        }
    }
}
