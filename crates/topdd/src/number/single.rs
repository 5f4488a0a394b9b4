//! Numbers that are in no column.

use super::limbs::{self, from_limbs, significant};
use num_bigint::BigUint;
use smallvec::SmallVec;
use std::cmp::Ordering;

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

#[cfg(test)]
mod tests {
    use super::*;
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
}
