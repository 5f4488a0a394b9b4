//! Weights as costs of 0 or more.

use crate::QueryError;
use crate::query::{Goal, Weights};
use crate::spec::Arities;
use rapidhash::v3::rapidhash_v3;
use std::ops::Range;

/// The cost of each value: the difference of its weight to the best weight of its variable.
///
/// So costs are natural numbers, also if weights are negative, and the cost of a path never
/// decreases.
pub(super) struct Costs {
    pub(super) of_values: Weights<u64>,
    pub(super) goal: Goal,
    /// The sum of the best weights of all variables.
    best: i128,
    /// For each variable, the greatest total cost of those before it; at the end, of all.
    pub(super) most: Vec<u128>,
    /// For each variable, the cost of the value 0 for all before it; at the end, for all.
    zeros: Vec<u128>,
}

impl Costs {
    /// Fails if the weights do not have the shape of these variables. No sum overflows: there are
    /// fewer than 2^31 variables, and each adds less than 2^64.
    pub(super) fn new(
        weights: &Weights<i64>,
        goal: Goal,
        arities: &Arities,
    ) -> Result<Self, QueryError> {
        weights.check(arities)?;
        let mut best = 0;
        let (mut most, mut zeros) = (vec![0], vec![0]);
        let of_variable = |variable| {
            let of = weights.variable(variable);
            let extreme = match goal {
                Goal::Minimum => of.iter().min(),
                Goal::Maximum => of.iter().max(),
            };
            let extreme = *extreme.expect("each variable has a value");
            best += i128::from(extreme);
            let costs: Vec<u64> = of.iter().map(|weight| weight.abs_diff(extreme)).collect();
            let greatest = *costs.iter().max().expect("each variable has a value");
            most.push(most[variable] + u128::from(greatest));
            zeros.push(zeros[variable] + u128::from(costs[0]));
            costs
        };
        let of_values = (0..arities.num_vars()).map(of_variable).collect();
        Ok(Costs { of_values, goal, best, most, zeros })
    }

    /// Returns the cost of the value 0 for all skipped variables.
    pub(super) fn of_zeros(&self, skipped: Range<usize>) -> u128 {
        self.zeros[skipped.end] - self.zeros[skipped.start]
    }

    /// The weight of an assignment of this cost.
    pub(super) fn weight(&self, cost: u128) -> i128 {
        self.best + self.goal.cost(cost.cast_signed())
    }

    /// A hash of the weights.
    pub(super) fn fingerprint(&self) -> u64 {
        let all = (0..self.of_values.num_vars()).flat_map(|v| self.of_values.variable(v));
        let best = [self.best as u64, (self.best >> 64) as u64];
        fingerprint(best.into_iter().chain(all.copied()))
    }
}

/// A hash of a list of words that is the same on every machine.
pub(super) fn fingerprint(words: impl Iterator<Item = u64>) -> u64 {
    words.fold(0, |hash, word| {
        let mut bytes = hash.to_le_bytes().to_vec();
        bytes.extend_from_slice(&word.to_le_bytes());
        rapidhash_v3(&bytes)
    })
}
