//! Sums modulo a number.

use super::Constraint;
use super::kind::{ConstraintKind, Outcome, Reader};
use super::marks::Marks;
use crate::spec::{PerValue, Space};

/// A remainder of the sum of the values; the kind of [`sum_modulo`].
#[derive(Clone, Debug)]
pub struct SumModulo {
    modulus: usize,
    remainder: usize,
    /// The pairs to count instead.
    pairs: Option<Marks>,
}

/// Requires that the sum of the values, or the number of variables with a value of the pairs given by
/// [`of_pairs`](Constraint::of_pairs), is `remainder` modulo `modulus`, where `remainder < modulus`. Modulus 2 is
/// parity.
///
/// States: at most `modulus` per variable.
///
/// ```
/// assert_eq!(topdd::count(&topdd::constraint::sum_modulo([6, 6], 4, 3))?, 8u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn sum_modulo(
    space: impl Into<Space>,
    modulus: usize,
    remainder: usize,
) -> Constraint<SumModulo> {
    Constraint::new(space, SumModulo { modulus, remainder, pairs: None })
}

impl Constraint<SumModulo> {
    /// Counts the variables that have a value of the given pairs `(variable, value)`, instead of adding
    /// the values.
    ///
    /// ```
    /// use topdd::constraint::sum_modulo;
    ///
    /// // Words of four letters over 0, 1 and 2 in which the number of 2s is divisible by 3.
    /// let words = sum_modulo([3; 4], 3, 0).of_pairs((0..4).map(|variable| (variable, 2)));
    /// assert_eq!(topdd::count(&words)?, 24u32.into());
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn of_pairs(self, pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        self.with(|sum| sum.pairs = Some(Marks::from_pairs(pairs)))
    }
}

/// The reader of a sum modulo a number.
#[derive(Clone, Debug)]
pub struct Remainders {
    modulus: u64,
    wanted: u64,
    /// The values that count 1 each, the others 0; all count by their size where there is no table.
    counted: Option<PerValue<bool>>,
}

impl ConstraintKind for SumModulo {
    type Reader = Remainders;

    fn name(&self) -> &'static str {
        "sum_modulo"
    }

    fn reader(&self, arities: &[usize]) -> Result<Remainders, String> {
        let SumModulo { modulus, remainder, .. } = *self;
        if remainder >= modulus {
            return Err(format!("no sum is {remainder} modulo {modulus}"));
        }
        let counted = self.pairs.as_ref().map(|pairs| pairs.table(arities)).transpose()?;
        Ok(Remainders { modulus: modulus as u64, wanted: remainder as u64, counted })
    }
}

impl Reader for Remainders {
    type State = u64;

    fn start(&self) -> Outcome<u64> {
        if self.modulus == 1 { Outcome::Met } else { Outcome::Open(0) }
    }

    #[inline]
    fn read(&self, &sum: &u64, position: usize, value: usize) -> Outcome<u64> {
        let value = match &self.counted {
            None => value,
            Some(counted) => usize::from(*counted.get(position, value)),
        };
        // In 128 bits, as moduli may be large.
        let sum = (u128::from(sum) + value as u128) % u128::from(self.modulus);
        Outcome::Open(sum as u64)
    }

    fn like(&self, position: usize) -> Option<usize> {
        match &self.counted {
            None => position.checked_sub(1),
            Some(counted) => counted.equal_before(position),
        }
    }

    fn accepts(&self, &sum: &u64) -> bool {
        sum == self.wanted
    }

    fn describe(&self, sum: &u64) -> String {
        format!("{sum} modulo {}", self.modulus)
    }
}
