//! The number of solutions of each weight.

use super::semiring::Semiring;
use super::sum_product::sum_product;
use super::weights::Weights;
use crate::QueryError;
use crate::diagram::store::Store;
use crate::diagram::{Diagram, DiagramRule};
use crate::number::Number;
use crate::spec::Rule;
use num_bigint::BigUint;
use std::collections::BTreeMap;

impl<R: DiagramRule> Diagram<R> {
    /// Returns the number of solutions by size, the number of their variables that are not 0: entry
    /// `k` is the number of solutions of size `k`, up to the largest size. Empty if there are no
    /// solutions.
    ///
    /// Cost: one pass. For each node of the levels in use it stores as many numbers as there are
    /// sizes.
    ///
    /// ```
    /// let subsets_of_four = topdd::Zdd::full([2; 4])?;
    /// assert_eq!(subsets_of_four.count_by_size(), [1u32, 4, 6, 4, 1].map(Into::into));
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    #[doc(alias("set_size", "graph_size"))]
    pub fn count_by_size(&self) -> Vec<BigUint> {
        let sizes = distribution(&self.store, R::RULE, &|_, value| i128::from(value != 0));
        let mut counts =
            vec![BigUint::ZERO; sizes.last().map_or(0, |(most, _)| *most as usize + 1)];
        for (size, count) in sizes {
            counts[size as usize] = count;
        }
        counts
    }

    /// Returns the number of solutions by weight, the sum of the weights of their values, in
    /// ascending order of weight. Weights that no solution has are left out.
    ///
    /// Cost: one pass. For each node of the levels in use it stores as many numbers as there are
    /// different weights below it: up to the number of solutions, if sums seldom coincide.
    ///
    /// ```
    /// use topdd::Weights;
    ///
    /// let two_dice = topdd::Zdd::full([6; 2])?;
    /// let pips = Weights::from_fn(&two_dice, |_, value| value as i64 + 1);
    /// assert_eq!(two_dice.count_by(&pips)?[&7], 6u32.into());
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is not one weight for each value of each variable.
    pub fn count_by(&self, weights: &Weights<i64>) -> Result<BTreeMap<i128, BigUint>, QueryError> {
        weights.check(&self.store.arities)?;
        let counts = distribution(&self.store, R::RULE, &|variable, value| {
            weights.variable(variable)[value].into()
        });
        Ok(counts.into_iter().collect())
    }
}

/// A function from a variable and a value to the weight.
type WeightFn<'a> = &'a (dyn Fn(usize, usize) -> i128 + Sync);

/// Returns the number of solutions by weight, in ascending order.
// Not generic, so it is compiled here.
fn distribution(store: &Store, rule: Rule, weight: WeightFn<'_>) -> Vec<(i128, BigUint)> {
    let counts = sum_product(store, rule, &Polynomials { weight });
    counts.into_iter().map(|(weight, count)| (weight, count.to_big())).collect()
}

/// Numbers of solutions by weight: polynomials with weights as exponents, in ascending
/// order, and coefficients other than 0.
struct Polynomials<'a> {
    weight: WeightFn<'a>,
}

impl Semiring for Polynomials<'_> {
    type Value = Vec<(i128, Number)>;

    fn zero(&self) -> Self::Value {
        Vec::new()
    }

    fn one(&self) -> Self::Value {
        vec![(0, 1.into())]
    }

    fn add(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
        let mut sum = Vec::with_capacity(a.len().max(b.len()));
        let mut b = b.iter().peekable();
        for (weight, count) in a {
            while let Some(earlier) = b.next_if(|(other, _)| other < weight) {
                sum.push(earlier.clone());
            }
            let mut count = count.clone();
            if let Some((_, other)) = b.next_if(|(other, _)| other == weight) {
                count.add(other.limbs());
            }
            sum.push((*weight, count));
        }
        sum.extend(b.cloned());
        sum
    }

    fn multiply(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
        let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
        let shifted = |(weight, count): &(i128, Number)| -> Self::Value {
            many.iter()
                .map(|(other, factor)| (weight + other, count.times(factor.limbs())))
                .collect()
        };
        if few.len() <= 2 {
            return few.iter().map(shifted).reduce(|a, b| self.add(&a, &b)).unwrap_or_default();
        }
        let mut product: BTreeMap<i128, Number> = BTreeMap::new();
        for (weight, count) in few {
            for (other, factor) in many {
                let count = count.times(factor.limbs());
                product.entry(weight + other).or_default().add(count.limbs());
            }
        }
        product.into_iter().collect()
    }

    fn weight(&self, variable: usize, value: usize) -> Self::Value {
        vec![((self.weight)(variable, value), 1.into())]
    }

    fn is_one(&self, value: &Self::Value) -> bool {
        matches!(&value[..], [(0, count)] if count.limbs() == [1])
    }
}
