//! Sums of products over all solutions, in any semiring.

use super::pass::{Bottom, up};
use super::semiring::Semiring;
use super::sum::Sum;
use super::weights::Weights;
use crate::QueryError;
use crate::diagram::store::{Store, ZERO};
use crate::diagram::{Diagram, DiagramRule};
use crate::spec::{Arities, BlockProducts, Rule};

impl<R: DiagramRule> Diagram<R> {
    /// Returns the sum over all solutions of the product of the weights of their values, in a
    /// semiring of your own.
    ///
    /// Cost: one linear pass from the bottom up, on all threads where levels are wide. For each
    /// pair of levels, skipped variables need a number of operations logarithmic in their number.
    /// Under the rule of a [`Bdd`](crate::Bdd) the factor of a skipped variable is the sum over all
    /// its values.
    pub fn sum_product<S: Semiring>(&self, semiring: &S) -> S::Value {
        sum_product(&self.store, R::RULE, semiring)
    }

    /// Returns the probability that an assignment is a solution when each variable takes its values
    /// with the given probabilities, independently of the others.
    ///
    /// The result has the precision of `f64`: it is a sum of products of numbers of 0 to 1. Cost: one
    /// linear pass from the bottom up.
    ///
    /// ```
    /// use topdd::Weights;
    ///
    /// let both_work = topdd::Zdd::from_solutions([2; 2], [[1, 1]])?;
    /// let odds = Weights::from(vec![vec![0.5, 0.5], vec![0.25, 0.75]]);
    /// assert_eq!(both_work.probability(&odds)?, 0.375);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is not one probability for each value of each variable, or the probabilities of a
    /// variable are not numbers of 0 to 1 whose sum is 1, within a millionth.
    pub fn probability(&self, probabilities: &Weights<f64>) -> Result<f64, QueryError> {
        probability(&self.store, R::RULE, probabilities)
    }
}

/// Does the same as [`Diagram::sum_product`].
// Not generic over the rule: the semirings of this crate are compiled here, not in its users.
pub(super) fn sum_product<S: Semiring>(store: &Store, rule: Rule, semiring: &S) -> S::Value {
    if store.root == ZERO {
        return semiring.zero();
    }
    let products = BlockProducts::new(store.arities.num_vars());
    let sum = Sum { arities: &store.arities, rule, semiring, products: &products };
    let root = up(store, &sum, false).into_root();
    match sum.skip(0..store.variable_of(store.root)) {
        None => root,
        Some(skipped) => semiring.multiply(&skipped, &root),
    }
}

fn probability(store: &Store, rule: Rule, probabilities: &Weights<f64>) -> Result<f64, QueryError> {
    Probability::check(probabilities, &store.arities)?;
    Ok(sum_product(store, rule, &Probability(probabilities)))
}

/// The semiring of probabilities.
pub(crate) struct Probability<'a>(pub(crate) &'a Weights<f64>);

impl Probability<'_> {
    /// Fails if there is not one probability for each value of each variable, or if the
    /// probabilities of a variable are not numbers of 0 to 1 whose sum is 1, within a millionth.
    pub(crate) fn check(probabilities: &Weights<f64>, arities: &Arities) -> Result<(), QueryError> {
        probabilities.check(arities)?;
        for variable in 0..arities.num_vars() {
            let of = probabilities.variable(variable);
            let bad = |message: String| Err(QueryError::BadProbability { variable, message });
            if let Some(value) = of.iter().position(|p| !(0.0..=1.0).contains(p)) {
                return bad(format!("the probability of value {value} is {}", of[value]));
            }
            let sum: f64 = of.iter().sum();
            if (sum - 1.0).abs() > 1e-6 {
                return bad(format!("their sum is {sum}"));
            }
        }
        Ok(())
    }
}

impl Semiring for Probability<'_> {
    type Value = f64;

    fn zero(&self) -> f64 {
        0.0
    }

    fn one(&self) -> f64 {
        1.0
    }

    fn add(&self, a: &f64, b: &f64) -> f64 {
        a + b
    }

    fn multiply(&self, a: &f64, b: &f64) -> f64 {
        a * b
    }

    fn weight(&self, variable: usize, value: usize) -> f64 {
        self.0.variable(variable)[value]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::testing::{Draw, Modulo, both_rules, drawn, free};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_the_list_of_solutions(seed: u64) {
            both_rules!(check(seed));
        }
    }

    fn check<R: DiagramRule>(seed: u64) {
        let (diagram, solutions) = drawn::<R>(seed);
        let mut draw = Draw(seed);
        let weights = Weights::from_fn(&diagram, |_, _| draw.below(1 << 30) as u64);
        let semiring = Modulo(weights);
        let product = |solution: &Vec<usize>| {
            let values = solution.iter().enumerate();
            values.fold(1, |p, (v, &value)| semiring.multiply(&p, &semiring.weight(v, value)))
        };
        let sum = solutions.iter().map(product).fold(0, |a, b| semiring.add(&a, &b));
        assert_eq!(diagram.sum_product(&semiring), sum);

        let odds = Weights::from_fn(&diagram, |_, _| 1.0 + draw.below(9) as f64);
        let odds: Weights<f64> = (0..diagram.num_vars())
            .map(|variable| {
                let sum: f64 = odds.variable(variable).iter().sum();
                odds.variable(variable).iter().map(|p| p / sum).collect::<Vec<_>>()
            })
            .collect();
        let of = |solution: &Vec<usize>| -> f64 {
            solution.iter().enumerate().map(|(v, &value)| odds.variable(v)[value]).product()
        };
        let expected: f64 = solutions.iter().map(of).sum();
        assert!((diagram.probability(&odds).unwrap() - expected).abs() < 1e-12);

        let mut sizes = vec![0u32; diagram.num_vars() + 1];
        for solution in &solutions {
            sizes[solution.iter().filter(|&&value| value != 0).count()] += 1;
        }
        while sizes.last() == Some(&0) {
            sizes.pop();
        }
        let sizes: Vec<_> = sizes.into_iter().map(num_bigint::BigUint::from).collect();
        assert_eq!(diagram.count_by_size(), sizes);
    }

    #[test]
    fn numbers_that_are_no_probabilities_are_refused() {
        let diagram = crate::zdd(&free(2)).unwrap();
        for bad in [[0.5, 0.4], [1.5, -0.5], [f64::NAN, 1.0], [f64::INFINITY, 0.0]] {
            let odds = Weights::from(vec![vec![0.5, 0.5], bad.to_vec()]);
            let error = diagram.probability(&odds).unwrap_err();
            assert!(matches!(error, QueryError::BadProbability { variable: 1, .. }), "{error}");
        }
    }

    /// Products over variables that no edge skips are not computed, for weights without common
    /// values and edges that skip few variables.
    #[test]
    fn products_over_variables_not_skipped_are_not_computed() {
        let mut only = vec![vec![0; 64]; 4];
        for (i, solution) in only.iter_mut().enumerate() {
            (solution[0], solution[63]) = (i / 2, i % 2);
        }
        only.sort_unstable();
        let bdd = crate::query::testing::diagram_of::<crate::diagram::AnyValue>(&[2; 64], only);
        assert_eq!(bdd.node_count(), 62);
        let weights = Weights::of_ones((0..64).map(|variable| 1 << variable.min(62)));
        let expected = [0, 1, 1 << 62, (1 << 62) + 1].map(|weight| (weight, 1u32.into()));
        assert_eq!(bdd.count_by(&weights).unwrap(), expected.into());
    }

    /// Every value of a variable has its own weight, skipped or not.
    #[test]
    fn values_of_different_weights_are_summed() {
        let arity = 20_000;
        let skipped = crate::query::testing::diagram_of::<crate::diagram::AnyValue>(
            &[arity, 2],
            (0..arity).map(|value| vec![value, 1]).collect(),
        );
        assert_eq!(skipped.node_count(), 1);
        let weights = (0..2).map(|v| if v == 0 { (0..20_000).collect() } else { vec![0; 2] });
        let weights: Weights<i64> = weights.collect();
        let distribution = skipped.count_by(&weights).unwrap();
        assert!(distribution.into_iter().eq((0..20_000).map(|weight| (weight, 1u32.into()))));
        let decided = skipped.to_zdd().unwrap();
        assert_eq!(decided.count_by(&weights).unwrap().len(), arity);
    }

    #[test]
    fn sums_may_have_any_size() {
        for num_vars in [40, 100, 200, 600] {
            let zdd = crate::zdd(&free(num_vars)).unwrap();
            let sizes = zdd.count_by_size();
            assert_eq!(sizes.iter().sum::<num_bigint::BigUint>(), zdd.count());
            assert_eq!(sizes[2], (num_vars * (num_vars - 1) / 2).into());
            assert_eq!(crate::bdd(&free(num_vars)).unwrap().count_by_size(), sizes);
        }
    }
}
