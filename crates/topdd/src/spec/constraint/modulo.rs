//! Sums modulo a number.

use super::Constraint;
use super::kind::{Kind, Outcome, Reader};
use crate::spec::Space;

/// A remainder of the sum of the values; the kind of [`sum_modulo`], which has an example.
#[derive(Clone, Copy, Debug)]
pub struct SumModulo {
    modulus: usize,
    remainder: usize,
}

/// Requires that the sum of the values is `remainder` modulo `modulus`, where `remainder < modulus`.
/// Modulus 2 is parity.
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
    Constraint::new(space, SumModulo { modulus, remainder })
}

/// The reader of a sum modulo a number.
#[derive(Clone, Copy, Debug)]
pub struct Remainders {
    modulus: u64,
    wanted: u64,
}

impl Kind for SumModulo {
    type Reader = Remainders;

    fn name(&self) -> &'static str {
        "sum_modulo"
    }

    fn reader(&self, _: &[usize]) -> Result<Remainders, String> {
        let SumModulo { modulus, remainder } = *self;
        if remainder >= modulus {
            return Err(format!("no sum is {remainder} modulo {modulus}"));
        }
        Ok(Remainders { modulus: modulus as u64, wanted: remainder as u64 })
    }
}

impl Reader for Remainders {
    type State = u64;

    fn start(&self) -> Outcome<u64> {
        if self.modulus == 1 { Outcome::Met } else { Outcome::Open(0) }
    }

    #[inline]
    fn read(&self, &sum: &u64, _: usize, value: usize) -> Outcome<u64> {
        // In 128 bits, as moduli may be large.
        let sum = (u128::from(sum) + value as u128) % u128::from(self.modulus);
        Outcome::Open(sum as u64)
    }

    fn accepts(&self, &sum: &u64) -> bool {
        sum == self.wanted
    }

    fn describe(&self, sum: &u64) -> String {
        format!("{sum} modulo {}", self.modulus)
    }
}
