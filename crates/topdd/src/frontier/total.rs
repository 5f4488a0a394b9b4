//! From what arrived at the 1-terminal to the number of assignments in all.

use crate::spec::{Arities, Rule};
use num_bigint::BigUint;

/// The number of assignments in all, from what arrived at the 1-terminal level by level.
///
/// `ones` holds pairs of the number of variables decided and the number of assignments
/// to these, in ascending order; the variables after them are skipped.
pub(super) fn total(arities: &Arities, rule: Rule, ones: &[(usize, BigUint)]) -> BigUint {
    match rule {
        Rule::ZeroSuppressed => ones.iter().map(|(_, number)| number).sum(),
        Rule::AnyValue => sum_before(arities, ones, arities.num_vars()),
    }
}

/// Horner's rule by halves, so that the numbers grow evenly: the sum of `ones`, as
/// assignments to the variables before `end`, skipped variables taking any value.
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
