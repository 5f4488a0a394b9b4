//! The pass that sums products over all solutions, and the factors of skipped variables.

use super::pass::Bottom;
use super::semiring::Semiring;
use crate::spec::{Arities, BlockProducts, Rule};
use smallvec::{SmallVec, smallvec};
use std::ops::Range;

/// A pass that sums in a semiring.
pub(crate) struct Sum<'a, S: Semiring> {
    pub(crate) arities: &'a Arities,
    pub(crate) rule: Rule,
    pub(crate) semiring: &'a S,
    /// The products over skipped variables.
    pub(crate) products: &'a BlockProducts<S::Value>,
}

impl<S: Semiring> Sum<'_, S> {
    /// The factor of a skipped variable.
    fn skipped(&self, variable: usize) -> S::Value {
        let values = match self.rule {
            Rule::ZeroSuppressed => 1,
            Rule::AnyValue => self.arities.get(variable),
        };
        self.total((0..values).map(|value| self.semiring.weight(variable, value)))
    }
}

impl<S: Semiring> Sum<'_, S> {
    /// Returns the product over these skipped variables; `None` if it is 1.
    pub(crate) fn skip_product(&self, skipped: Range<usize>) -> Option<S::Value> {
        let multiply = |a: &S::Value, b: &S::Value| self.semiring.multiply(a, b);
        let product = self.products.product(skipped, |variable| self.skipped(variable), multiply);
        product.filter(|product| !self.semiring.is_one(product))
    }

    /// Returns the sum of all terms. Adds sums of equal numbers of terms, as a binary counter
    /// carries: where sums grow with their terms, adding one term at a time would be quadratic.
    fn total(&self, mut terms: impl Iterator<Item = S::Value>) -> S::Value {
        let add = |a: &S::Value, b: &S::Value| self.semiring.add(a, b);
        let Some(first) = terms.next() else { return self.semiring.zero() };
        let Some(second) = terms.next() else { return first };
        let pair = add(&first, &second);
        let Some(third) = terms.next() else { return pair };
        // One sum for each binary digit 1 of the number of terms so far, the largest first.
        let mut sums: SmallVec<[S::Value; 4]> = smallvec![pair];
        for (number, term) in (3_usize..).zip(std::iter::once(third).chain(terms)) {
            let mut sum = term;
            for _ in 0..number.trailing_zeros() {
                let before = sums.pop().expect("one for each digit that carries");
                sum = add(&before, &sum);
            }
            sums.push(sum);
        }
        sums.into_iter().rev().reduce(|sum, before| add(&before, &sum)).expect("there is a term")
    }
}

impl<S: Semiring> Bottom for Sum<'_, S> {
    type Value = S::Value;
    type Skip = Option<S::Value>;
    const COSTLY_SKIPS: bool = true;

    fn one(&self) -> S::Value {
        self.semiring.one()
    }

    fn skip(&self, skipped: Range<usize>) -> Option<S::Value> {
        self.skip_product(skipped)
    }

    fn node<'a>(
        &self,
        variable: usize,
        edges: impl Iterator<Item = (usize, &'a Self::Skip, &'a S::Value)>,
    ) -> S::Value
    where
        Self: 'a,
    {
        let semiring = self.semiring;
        let terms = edges.map(|(value, skip, child)| {
            let weight = semiring.weight(variable, value);
            let product = (!semiring.is_one(&weight)).then(|| semiring.multiply(&weight, child));
            match (skip, product) {
                (None, None) => child.clone(),
                (None, Some(product)) => product,
                (Some(skip), product) => semiring.multiply(skip, product.as_ref().unwrap_or(child)),
            }
        });
        self.total(terms)
    }
}
