//! The number of assignments to skipped variables.

use super::decision::Mask;
use crate::spec::{Arities, Rule};
use num_bigint::BigUint;
use std::borrow::Cow;
use std::ops::Range;

/// The number of assignments to skipped variables, under the rule and, if there is one, a
/// mask that allows some values only.
pub(super) enum SkippedFactor<'a> {
    /// One: all are 0.
    Zeros,
    /// One, all 0, if the mask allows it. For each number of variables, how many of the first ones
    /// may not be 0.
    SomeZeros(Vec<u32>),
    /// The number of all values, or of the allowed ones.
    Any(Cow<'a, Arities>),
}

impl<'a> SkippedFactor<'a> {
    /// The mask must leave each variable a value.
    pub(super) fn new(arities: &'a Arities, rule: Rule, mask: Option<&Mask>) -> Self {
        let variables = 0..arities.num_vars();
        match (rule, mask) {
            (Rule::ZeroSuppressed, None) => SkippedFactor::Zeros,
            (Rule::AnyValue, None) => SkippedFactor::Any(Cow::Borrowed(arities)),
            (Rule::ZeroSuppressed, Some(mask)) => {
                let mut sum = 0;
                let sums = variables.map(|variable| {
                    sum += u32::from(!mask.values(variable)[0]);
                    sum
                });
                SkippedFactor::SomeZeros(std::iter::once(0).chain(sums).collect())
            }
            (Rule::AnyValue, Some(mask)) => {
                let left = variables.map(|variable| mask.left(variable) as u32);
                SkippedFactor::Any(Cow::Owned(Arities::new(left)))
            }
        }
    }

    /// Returns whether there is one assignment to these variables.
    #[inline]
    pub(super) fn is_one(&self, skipped: &Range<usize>) -> bool {
        match self {
            SkippedFactor::Zeros => true,
            SkippedFactor::SomeZeros(sums) => sums[skipped.start] == sums[skipped.end],
            SkippedFactor::Any(_) => skipped.is_empty(),
        }
    }

    /// Returns whether there is none.
    #[inline]
    pub(super) fn is_zero(&self, skipped: &Range<usize>) -> bool {
        matches!(self, SkippedFactor::SomeZeros(_)) && !self.is_one(skipped)
    }

    /// Returns the number of assignments to these variables.
    pub(super) fn product(&self, skipped: Range<usize>) -> BigUint {
        match self {
            SkippedFactor::Any(arities) => arities.product(skipped),
            _ => u32::from(!self.is_zero(&skipped)).into(),
        }
    }

    /// Returns an upper bound of its base-2 logarithm.
    pub(super) fn log2(&self, skipped: Range<usize>) -> f64 {
        match self {
            SkippedFactor::Any(arities) => arities.log2_product(skipped),
            _ => 0.0,
        }
    }
}
