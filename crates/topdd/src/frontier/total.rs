//! The total count: the sum of the numbers that reached the 1-terminal.

use crate::spec::{Arities, Rule};
use num_bigint::BigUint;

/// Returns the number of assignments to all variables.
///
/// `ones` contains pairs of a number of decided variables and the number of assignments to these
/// that reached the 1-terminal, in ascending order. The variables after them are skipped.
pub(super) fn total(arities: &Arities, rule: Rule, ones: &[(usize, BigUint)]) -> BigUint {
    match rule {
        Rule::ZeroSuppressed => ones.iter().map(|(_, number)| number).sum(),
        Rule::AnyValue => sum_before(arities, ones, arities.num_vars()),
    }
}

/// Returns the sum of `ones` as a number of assignments to the variables before `end`, where
/// skipped variables take any value. Applies Horner's rule by halves, so that the factors have
/// similar sizes.
fn sum_before(arities: &Arities, ones: &[(usize, BigUint)], end: usize) -> BigUint {
    match ones {
        [] => BigUint::ZERO,
        [(decided, number)] => number * arities.product(*decided..end),
        _ => {
            let (early, late) = ones.split_at(ones.len() / 2);
            let middle = early.last().map_or(end, |&(decided, _)| decided);
            sum_before(arities, early, middle) * arities.product(middle..end)
                + sum_before(arities, late, end)
        }
    }
}
