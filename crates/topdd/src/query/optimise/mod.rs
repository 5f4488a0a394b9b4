//! The solutions of least and of most weight.
//!
//! `costs` is the pass that finds the best weight below each node; the
//! best solution, the k best (`k_best`) and all within bounds (`within`) follow it down.

mod costs;
mod intervals;
mod k_best;
#[cfg(test)]
mod tests;
mod within;

pub use k_best::KBest;

use super::semiring::Semiring;
use super::sum_product::sum_product;
use super::weights::Weights;
use crate::QueryError;
use crate::diagram::store::{Store, ZERO};
use crate::diagram::{Diagram, DiagramRule};
use crate::number::Number;
use crate::spec::Rule;
use costs::CostsBelow;
use num_bigint::BigUint;
use std::cmp::Ordering;

/// The direction of an optimisation.
///
/// ```
/// use topdd::{Goal, Weights, Zdd};
///
/// let dice = Zdd::full([6; 2])?;
/// let pips = Weights::from_fn(&dice, |_, value| value as i64 + 1);
/// let best = [Goal::Minimum, Goal::Maximum].map(|goal| dice.best(&pips, goal, 1));
/// assert_eq!(best.map(|mut best| best.as_mut().unwrap().next().unwrap().weight), [2, 12]);
/// # Ok::<(), topdd::QueryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// The smallest weight is the best.
    Minimum,
    /// The largest weight is the best.
    Maximum,
}

impl Goal {
    /// Converts between a weight and a cost, where less is better.
    #[inline]
    pub(crate) fn cost(self, weight: i128) -> i128 {
        match self {
            Goal::Minimum => weight,
            Goal::Maximum => -weight,
        }
    }
}

/// A solution and its weight, the sum of the weights of its values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Best {
    /// The weight. Sums of `i64` over all variables fit.
    pub weight: i128,
    /// The solution: one value for each variable.
    pub solution: Vec<usize>,
}

impl<R: DiagramRule> Diagram<R> {
    /// Returns the solution of least weight; the first in lexicographic order, if there are
    /// several.
    ///
    /// Cost: one linear pass up, which stores 16 bytes for each node, and one path down.
    ///
    /// ```
    /// use topdd::{Best, Goal, Weights};
    ///
    /// let subsets_of_three = topdd::Zdd::full([2; 3])?;
    /// let weights = Weights::of_ones([5, -2, 0]);
    /// let best = subsets_of_three.minimum(&weights)?;
    /// assert_eq!(best, Best { weight: -2, solution: vec![0, 1, 0] });
    /// assert_eq!(subsets_of_three.count_best(&weights, Goal::Minimum)?, 2u32.into());
    /// assert_eq!(subsets_of_three.maximum(&weights)?.weight, 5);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there are no solutions, or not one weight for each value of each variable.
    #[doc(alias = "min_iter")]
    pub fn minimum(&self, weights: &Weights<i64>) -> Result<Best, QueryError> {
        self.first_of(weights, Goal::Minimum)
    }

    /// Returns the solution of greatest weight; the first in lexicographic order, if there are
    /// several. Cost as for [`minimum`](Diagram::minimum).
    ///
    /// # Errors
    ///
    /// When there are no solutions, or not one weight for each value of each variable.
    #[doc(alias = "max_iter")]
    pub fn maximum(&self, weights: &Weights<i64>) -> Result<Best, QueryError> {
        self.first_of(weights, Goal::Maximum)
    }

    /// Returns the best solution; the first in lexicographic order, if there are several.
    fn first_of(&self, weights: &Weights<i64>, goal: Goal) -> Result<Best, QueryError> {
        self.best(weights, goal, 1)?.next().ok_or(QueryError::NoSolutions)
    }

    /// Returns the number of solutions of least, or greatest, weight.
    ///
    /// Cost: one linear pass, with a weight and a number for each node of the levels in use.
    ///
    /// # Errors
    ///
    /// When there are no solutions, or not one weight for each value of each variable.
    pub fn count_best(&self, weights: &Weights<i64>, goal: Goal) -> Result<BigUint, QueryError> {
        count_best(&self.store, R::RULE, weights, goal)
    }

    /// Returns the best `k` solutions, the best first; all solutions, if there are not more than `k`.
    /// Solutions of the same weight come in lexicographic order.
    ///
    /// Lazy after one linear pass up, which stores 16 bytes per node: each solution then takes time
    /// proportional to its variables and the edges of its nodes. The iterator contains a heap of
    /// candidates, at most as many as solutions still to come, hence at most `k`, and at most one
    /// per variable for each solution returned. `usize::MAX` as `k` is no limit.
    ///
    /// After each solution returned, the remaining ones are partitioned by the first variable at
    /// which they deviate from it, and the best of each part is a candidate (Lawler, "A procedure
    /// for computing the K best solutions to discrete optimization problems", 1972). Candidates are
    /// found without a search and stored as the position of the deviation only, as in Eppstein,
    /// "Finding the k shortest paths", 1998.
    ///
    /// ```
    /// use topdd::{Goal, Weights};
    ///
    /// let subsets_of_three = topdd::Zdd::full([2; 3])?;
    /// let weights = Weights::of_ones([5, 2, 4]);
    /// let best = subsets_of_three.best(&weights, Goal::Maximum, 3)?;
    /// assert_eq!(best.map(|best| best.weight).collect::<Vec<_>>(), [11, 9, 7]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is not one weight for each value of each variable. An empty diagram is no error.
    #[doc(alias = "k_best")]
    pub fn best(&self, weights: &Weights<i64>, goal: Goal, k: usize) -> Result<KBest, QueryError> {
        weights.check(&self.store.arities)?;
        Ok(KBest::new(CostsBelow::new(&self.store, R::RULE, weights, goal), k))
    }
}

// Not generic, so it is compiled here.
fn count_best(
    store: &Store,
    rule: Rule,
    weights: &Weights<i64>,
    goal: Goal,
) -> Result<BigUint, QueryError> {
    weights.check(&store.arities)?;
    if store.root == ZERO {
        return Err(QueryError::NoSolutions);
    }
    Ok(sum_product(store, rule, &Cheapest { weights, goal }).1.to_big())
}

/// The semiring of the least cost and the number of solutions that have it; `None` if there are none.
struct Cheapest<'a> {
    weights: &'a Weights<i64>,
    goal: Goal,
}

impl Semiring for Cheapest<'_> {
    type Value = (Option<i128>, Number);

    fn zero(&self) -> Self::Value {
        (None, Number::default())
    }

    fn one(&self) -> Self::Value {
        (Some(0), 1.into())
    }

    fn add(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
        let order = match (a.0, b.0) {
            (Some(x), Some(y)) => x.cmp(&y),
            (Some(_), None) => Ordering::Less,
            _ => Ordering::Greater,
        };
        match order {
            Ordering::Less => a.clone(),
            Ordering::Greater => b.clone(),
            Ordering::Equal => {
                let mut sum = a.clone();
                sum.1.add(b.1.limbs());
                sum
            }
        }
    }

    fn multiply(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
        (a.0.zip(b.0).map(|(x, y)| x + y), a.1.times(b.1.limbs()))
    }

    fn weight(&self, variable: usize, value: usize) -> Self::Value {
        (Some(self.goal.cost(self.weights.variable(variable)[value].into())), 1.into())
    }
}
