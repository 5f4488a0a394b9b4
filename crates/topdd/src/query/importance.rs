//! Marginals, and how much each variable matters: the measures of Birnbaum, Banzhaf and Shapley.

use super::gradient::gradient;
use super::sum_product::{Semiring, Weights};
use crate::diagram::{Diagram, DiagramRule};
use crate::number::limbs::from_limbs;
use crate::{BigInt, QueryError, Ratio};
use num_bigint::BigUint;

impl<R: DiagramRule> Diagram<R> {
    /// Returns the marginal of each value of each variable: the weight of the solutions with the
    /// value, divided by the weight of all.
    ///
    /// The weight of a solution is the product of the odds of its values, so this is the probability
    /// that [`sample_by_odds`](Diagram::sample_by_odds) draws the value. If the odds are
    /// probabilities, it is the probability of the value, given that the assignment is a solution.
    ///
    /// The result has the precision of `f64`. Products have exponents of any size, so thousands of
    /// variables neither overflow nor vanish. Exact marginals follow from
    /// [`gradient`](Diagram::gradient). Cost: one pass up and one down, for all marginals together.
    ///
    /// ```
    /// use topdd::{Weights, constraint};
    ///
    /// // One of two items; the second is three times as likely.
    /// let one = topdd::zdd(&constraint::exactly(2, 1))?;
    /// let odds = Weights::from(vec![vec![1.0, 1.0], vec![1.0, 3.0]]);
    /// assert_eq!(one.marginals(&odds)?, [[0.75, 0.25], [0.25, 0.75]]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is not one number for each value of each variable, a number is negative, infinite or
    /// not a number, there are no solutions, or all solutions have weight 0.
    pub fn marginals(&self, odds: &Weights<f64>) -> Result<Vec<Vec<f64>>, QueryError> {
        odds.check(&self.store.arities)?;
        for variable in 0..self.num_vars() {
            odds.checked_odds(variable)?;
        }
        if self.is_empty() {
            return Err(QueryError::NoSolutions);
        }
        let odds = Odds(odds);
        let gradient = gradient(&self.store, R::RULE, &odds);
        let marginals = gradient.iter().enumerate().map(|(variable, derivatives)| {
            let share = |(value, derivative)| odds.weight(variable, value).times(derivative);
            let shares: Vec<Scaled> = derivatives.iter().enumerate().map(share).collect();
            let total = shares.iter().fold(Scaled::ZERO, |sum, share| sum.plus(share));
            if total.mantissa == 0.0 {
                return Err(QueryError::NoWeight);
            }
            Ok(shares.iter().map(|share| share.divided_by(&total)).collect())
        });
        marginals.collect()
    }

    /// Returns the Birnbaum importance of each variable, the derivative of
    /// [`probability`](Diagram::probability) by the probability of its value 1.
    ///
    /// It is the probability of a solution if the variable is 1, minus the probability if it is 0; the
    /// others take their values with the given probabilities, independently. It is negative where the
    /// value 1 does harm. (Z. W. Birnbaum, *On the importance of different components in a
    /// multicomponent system*, 1969.) With probabilities of one half it is the [Banzhaf
    /// value](Diagram::banzhaf).
    ///
    /// Probabilities 0 and 1 lose nothing: there is no division. The probability
    /// has about the same absolute error. Cost: one pass up and one down, for all variables together.
    ///
    /// ```
    /// use topdd::{Weights, Zdd};
    ///
    /// // Two parts in a row: each matters as much as the other is reliable.
    /// let both_work = Zdd::from_solutions([2; 2], [[1, 1]])?;
    /// let odds = Weights::from(vec![vec![0.5, 0.5], vec![0.25, 0.75]]);
    /// assert_eq!(both_work.birnbaum(&odds)?, [0.75, 0.5]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`probability`](Diagram::probability), and if a variable has other than two values;
    /// [`gradient`](Diagram::gradient) returns a derivative for each value.
    pub fn birnbaum(&self, probabilities: &Weights<f64>) -> Result<Vec<f64>, QueryError> {
        self.check_two_valued()?;
        probabilities.check_probabilities(&self.store.arities)?;
        let gradient = gradient(&self.store, R::RULE, probabilities);
        Ok(gradient.iter().map(|of| of[1] - of[0]).collect())
    }

    /// Returns the Banzhaf value of each variable, exactly: the mean change that its value 1 makes, over
    /// all assignments to the `n - 1` others.
    ///
    /// An assignment counts 1 if the variable makes it a solution, and -1 if the variable makes it none, as may be
    /// where solutions are not closed under adding values 1. So the result is the number of swings
    /// over `2^(n-1)`, not normalised. (J. F. Banzhaf, *Weighted voting doesn't work*, Rutgers Law
    /// Review 19, 1965.)
    ///
    /// Cost: the same as [`value_counts`](Diagram::value_counts), one pass up and one down.
    ///
    /// ```
    /// use topdd::{Ratio, constraint};
    ///
    /// // Of votes 2, 1 and 1, more than half decide.
    /// let votes = |member: usize, says: usize| [2, 1, 1][member] * says as i64;
    /// let majority = topdd::zdd(&constraint::linear([2; 3]).at_least(votes, 3))?;
    /// let value = |n: i64, d: i64| Ratio::new(n.into(), d.into());
    /// assert_eq!(majority.banzhaf()?, [value(3, 4), value(1, 4), value(1, 4)]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a variable has other than two values.
    pub fn banzhaf(&self) -> Result<Vec<Ratio<BigInt>>, QueryError> {
        self.check_two_valued()?;
        let others = self.num_vars().saturating_sub(1);
        let all = BigInt::from(1) << others;
        let value = |of: Vec<BigUint>| Ratio::new(difference(&of[1], &of[0]), all.clone());
        Ok(self.value_counts().into_iter().map(value).collect())
    }

    /// Returns the Shapley value of each variable, exactly: the mean change when its value turns from 0
    /// to 1, if all `n` variables turn one after the other, in a random order.
    ///
    /// The values add up to the change from all 0 to all 1. The variable changes an assignment of `k` others
    /// with weight `k! (n-1-k)! / n!`. A change is 1 if it leads to a solution, and -1 if it leads
    /// away from one. (L. S. Shapley, *A value for n-person games*, 1953; by decision diagrams:
    /// S. Bolus, *Power indices of simple games and vector-weighted majority games by means of binary
    /// decision diagrams*, European Journal of Operational Research 210, 2011.)
    ///
    /// Cost: one pass up and one down, for all variables together. Each node has the number of assignments
    /// below it for each size: up to `n` numbers of `n` bits, rounded up to words of 64. So `N` nodes need
    /// about `N n² / 8` bytes.
    ///
    /// ```
    /// use topdd::{Ratio, constraint};
    ///
    /// // Of votes 2, 1 and 1, more than half decide.
    /// let votes = |member: usize, says: usize| [2, 1, 1][member] * says as i64;
    /// let majority = topdd::zdd(&constraint::linear([2; 3]).at_least(votes, 3))?;
    /// let value = |n: i64, d: i64| Ratio::new(n.into(), d.into());
    /// assert_eq!(majority.shapley()?, [value(2, 3), value(1, 6), value(1, 6)]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a variable has other than two values.
    pub fn shapley(&self) -> Result<Vec<Ratio<BigInt>>, QueryError> {
        self.check_two_valued()?;
        let n = self.num_vars();
        // A polynomial in the size is one integer: a coefficient is below 2^n, so it fits in a digit.
        let digit = n.div_ceil(64);
        let weights = [BigUint::from(1u32), BigUint::from(1u32) << (64 * digit)];
        let by_size = gradient(&self.store, R::RULE, &Weights::from(vec![weights.to_vec(); n]));
        let factorials: Vec<BigUint> = std::iter::once(BigUint::from(1u32))
            .chain((1..=n).scan(BigUint::from(1u32), |product, factor| {
                *product *= factor;
                Some(product.clone())
            }))
            .collect();
        let orders: Vec<BigUint> =
            (0..n).map(|size| &factorials[size] * &factorials[n - 1 - size]).collect();
        let in_orders = |counts: &BigUint| -> BigUint {
            let digits = counts.to_u64_digits();
            let sizes = digits.chunks(digit).zip(&orders);
            sizes.map(|(count, orders)| from_limbs(count) * orders).sum()
        };
        let all = BigInt::from(factorials[n].clone());
        let value = |of: &Vec<BigUint>| {
            Ratio::new(difference(&in_orders(&of[1]), &in_orders(&of[0])), all.clone())
        };
        Ok(by_size.iter().map(value).collect())
    }

    /// Fails if a variable has other than two values.
    fn check_two_valued(&self) -> Result<(), QueryError> {
        match self.store.arities.first_not_two_valued() {
            None => Ok(()),
            Some(variable) => {
                Err(QueryError::NotTwoValued { variable, arity: self.arity(variable) })
            }
        }
    }
}

fn difference(a: &BigUint, b: &BigUint) -> BigInt {
    BigInt::from(a.clone()) - BigInt::from(b.clone())
}

/// The semiring of products of odds.
struct Odds<'a>(&'a Weights<f64>);

impl Semiring for Odds<'_> {
    type Value = Scaled;

    fn zero(&self) -> Scaled {
        Scaled::ZERO
    }

    fn one(&self) -> Scaled {
        Scaled::new(1.0, 0)
    }

    fn add(&self, a: &Scaled, b: &Scaled) -> Scaled {
        a.plus(b)
    }

    fn multiply(&self, a: &Scaled, b: &Scaled) -> Scaled {
        a.times(b)
    }

    fn weight(&self, variable: usize, value: usize) -> Scaled {
        Scaled::new(self.0.variable(variable)[value], 0)
    }
}

/// A number that is not negative, with a larger range than `f64`: the mantissa times 2^512 to the power of the exponent.
/// The mantissa is 0, or from 2^-256 to 2^256.
#[derive(Clone, Copy, Debug)]
struct Scaled {
    mantissa: f64,
    exponent: i64,
}

/// 2^256, and 2^512.
const HALF: f64 = f64::from_bits((1023 + 256) << 52);
const STEP: f64 = HALF * HALF;

impl Scaled {
    const ZERO: Scaled = Scaled { mantissa: 0.0, exponent: 0 };

    /// Makes a number from a mantissa that is finite and not negative.
    fn new(mut mantissa: f64, mut exponent: i64) -> Self {
        while mantissa > HALF {
            (mantissa, exponent) = (mantissa / STEP, exponent + 1);
        }
        while mantissa > 0.0 && mantissa < 1.0 / HALF {
            (mantissa, exponent) = (mantissa * STEP, exponent - 1);
        }
        Scaled { mantissa, exponent }
    }

    fn plus(&self, other: &Scaled) -> Scaled {
        if self.mantissa == 0.0 || other.mantissa == 0.0 {
            return if self.mantissa == 0.0 { *other } else { *self };
        }
        let (large, small) =
            if self.exponent < other.exponent { (other, self) } else { (self, other) };
        let small = match large.exponent - small.exponent {
            0 => small.mantissa,
            1 => small.mantissa / STEP,
            // Less than the rounding of the other one.
            _ => 0.0,
        };
        Scaled::new(large.mantissa + small, large.exponent)
    }

    fn times(&self, other: &Scaled) -> Scaled {
        Scaled::new(self.mantissa * other.mantissa, self.exponent + other.exponent)
    }

    /// Returns the quotient by a number that is not smaller, and not 0.
    fn divided_by(&self, other: &Scaled) -> f64 {
        if self.mantissa == 0.0 {
            return 0.0;
        }
        let quotient = self.mantissa / other.mantissa;
        match self.exponent - other.exponent {
            1 => quotient * STEP,
            0 => quotient,
            -1 => quotient / STEP,
            -2 => quotient / STEP / STEP,
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint;
    use crate::query::testing::{Draw, both_rules, diagram_of, drawn, drawn_over, free};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn marginals_agree_with_the_list_of_solutions(seed: u64) {
            both_rules!(check_marginals(seed));
        }

        #[test]
        fn importance_agrees_with_all_assignments(seed: u64, num_vars in 0usize..7) {
            both_rules!(check_importance(seed, num_vars));
        }
    }

    fn check_marginals<R: DiagramRule>(seed: u64) {
        let (diagram, solutions) = drawn::<R>(seed);
        let mut draw = Draw(seed);
        let odds = Weights::from_fn(&diagram, |_, _| draw.below(4) as f64);
        let weigh = |solution: &&Vec<usize>| -> f64 {
            solution.iter().enumerate().map(|(v, &value)| odds.variable(v)[value]).product()
        };
        let total: f64 = solutions.iter().map(|solution| weigh(&solution)).sum();
        let marginals = match diagram.marginals(&odds) {
            Err(error) if solutions.is_empty() => {
                return assert_eq!(error, QueryError::NoSolutions);
            }
            Err(error) => {
                assert_eq!(error, QueryError::NoWeight);
                return assert!(total <= 0.0);
            }
            Ok(marginals) => marginals,
        };
        for (variable, of_values) in marginals.iter().enumerate() {
            for (value, marginal) in of_values.iter().enumerate() {
                let with = solutions.iter().filter(|solution| solution[variable] == value);
                let expected = with.map(|solution| weigh(&solution)).sum::<f64>() / total;
                assert!((marginal - expected).abs() < 1e-12, "{marginal} is not {expected}");
            }
        }
    }

    /// Some probabilities are 0 or 1.
    fn check_importance<R: DiagramRule>(seed: u64, num_vars: usize) {
        let (diagram, solutions) = drawn_over::<R>(&vec![2; num_vars], seed);
        let mut draw = Draw(seed);
        let works: Vec<f64> = (0..num_vars).map(|_| draw.below(5) as f64 / 4.0).collect();
        let odds: Weights<f64> = works.iter().map(|works| [1.0 - works, *works]).collect();
        let (birnbaum, banzhaf, shapley) = (
            diagram.birnbaum(&odds).unwrap(),
            diagram.banzhaf().unwrap(),
            diagram.shapley().unwrap(),
        );
        let one = BigInt::from(1);
        let factorial = |n: usize| (1..=n).map(BigInt::from).product::<BigInt>();
        for variable in 0..num_vars {
            let (mut change, mut swings, mut orders) = (0.0, 0, BigInt::ZERO);
            for solution in &solutions {
                let sign = if solution[variable] == 1 { 1 } else { -1 };
                let others = (0..num_vars).filter(|&other| other != variable);
                let chance: f64 =
                    others.clone().map(|other| odds.variable(other)[solution[other]]).product();
                let size: usize = others.map(|other| solution[other]).sum();
                change += f64::from(sign) * chance;
                swings += sign;
                orders += factorial(size) * factorial(num_vars - 1 - size) * sign;
            }
            assert!((birnbaum[variable] - change).abs() < 1e-12);
            let mean = Ratio::new(BigInt::from(swings), one.clone() << (num_vars - 1));
            assert_eq!(banzhaf[variable], mean);
            assert_eq!(shapley[variable], Ratio::new(orders, factorial(num_vars)));
        }
        let value =
            |assignment: Vec<usize>| BigInt::from(u8::from(solutions.contains(&assignment)));
        let sum: Ratio<BigInt> = shapley.iter().sum();
        if num_vars > 0 {
            assert_eq!(sum, Ratio::from(value(vec![1; num_vars]) - value(vec![0; num_vars])));
        }
    }

    fn ratio(numerator: i64, denominator: i64) -> Ratio<BigInt> {
        Ratio::new(numerator.into(), denominator.into())
    }

    /// Nine of fifteen members, with all of the five that have a veto.
    #[test]
    fn power_in_the_security_council_is_known() {
        let votes = |member, says| if member < 5 { 7 } else { 1 } * i64::from(says == 1);
        let council = crate::zdd(&constraint::linear([2; 15]).at_least(votes, 39)).unwrap();
        let (shapley, banzhaf) = (council.shapley().unwrap(), council.banzhaf().unwrap());
        for member in 0..15 {
            let (turns, swings) = if member < 5 { (421, 848) } else { (4, 84) };
            assert_eq!(shapley[member], ratio(turns, 2145));
            assert_eq!(banzhaf[member], ratio(swings, 1 << 14));
        }
        let bdd = council.to_bdd().unwrap();
        assert_eq!((bdd.shapley().unwrap(), bdd.banzhaf().unwrap()), (shapley, banzhaf));
    }

    /// Sizes beyond one word: each of 150 members is the one that makes the majority in equally many orders.
    #[test]
    fn equal_members_have_equal_shapley_values() {
        let majority = crate::zdd(&constraint::at_least(150, 76)).unwrap();
        assert_eq!(majority.shapley().unwrap(), vec![ratio(1, 150); 150]);
        let dictator = crate::bdd(
            &constraint::linear([2; 70]).at_least(|v, value| i64::from(v == 3 && value == 1), 1),
        )
        .unwrap();
        let expected: Vec<_> = (0..70).map(|member| ratio((member == 3).into(), 1)).collect();
        assert_eq!(dictator.shapley().unwrap(), expected);
        assert_eq!(dictator.banzhaf().unwrap(), expected);
    }

    /// Parts 0 and 1 in a row, and part 2 beside them: p0 p1 + p2 - p0 p1 p2.
    #[test]
    fn importance_in_a_network_of_series_and_parallel_parts_is_known() {
        let works = vec![vec![0, 0, 1], vec![0, 1, 1], vec![1, 0, 1], vec![1, 1, 0], vec![1, 1, 1]];
        let network = diagram_of::<crate::diagram::ZeroSuppressed>(&[2; 3], works);
        for [p, q, r] in [[0.9, 0.8, 0.7], [0.0, 1.0, 0.5], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]] {
            let odds = [p, q, r].map(|works| vec![1.0 - works, works]);
            let importance = network.birnbaum(&odds.to_vec().into()).unwrap();
            let expected = [q * (1.0 - r), p * (1.0 - r), 1.0 - p * q];
            for (importance, expected) in importance.iter().zip(expected) {
                assert!((importance - expected).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn marginals_of_thousands_of_variables_neither_overflow_nor_vanish() {
        let all = crate::zdd(&free(3000)).unwrap();
        for odds in [[1.0, 1.0], [1e300, 1e300], [5e-324, 5e-324], [3e-300, 1e-300]] {
            let expected = odds.map(|of| of / (odds[0] + odds[1]));
            let marginals = all.marginals(&vec![odds.to_vec(); 3000].into()).unwrap();
            assert!(
                marginals
                    .iter()
                    .flatten()
                    .zip(expected.iter().cycle())
                    .all(|(marginal, expected)| (marginal - expected).abs() < 1e-10)
            );
        }
        // The odds of one value are as nothing beside the other, but none is lost.
        let two = crate::zdd(&constraint::exactly(2000, 2)).unwrap();
        let odds = vec![vec![1e200, 1e-200]; 2000];
        let marginals = two.marginals(&odds.into()).unwrap();
        assert!(marginals.iter().all(|of| (of[1] - 0.001).abs() < 1e-12));
        let far = Weights::from(vec![vec![1.0, 1e-160], vec![1e-160, 1.0]]);
        let marginals = crate::zdd(&free(2)).unwrap().marginals(&far).unwrap();
        assert_eq!(marginals, [[1.0, 1e-160], [1e-160, 1.0]]);
    }

    #[test]
    fn bad_input_is_refused() {
        let two = crate::zdd(&free(2)).unwrap();
        let three = crate::Zdd::full([2, 3]).unwrap();
        let error = QueryError::NotTwoValued { variable: 1, arity: 3 };
        assert_eq!(three.banzhaf(), Err(error.clone()));
        assert_eq!(three.shapley(), Err(error.clone()));
        let thirds = Weights::from(vec![vec![0.5, 0.5], vec![1.0, 0.0, 0.0]]);
        assert_eq!(three.birnbaum(&thirds), Err(error));
        assert!(three.marginals(&thirds).is_ok());
        let length = QueryError::WeightsLength { found: 1, num_vars: 2 };
        let short = Weights::from(vec![vec![0.5, 0.5]]);
        assert_eq!(two.birnbaum(&short), Err(length.clone()));
        assert_eq!(two.marginals(&short), Err(length));
        for bad in [[0.5, 0.4], [1.5, -0.5], [f64::NAN, 1.0], [f64::INFINITY, 0.0]] {
            let odds = Weights::from(vec![vec![0.5, 0.5], bad.to_vec()]);
            let error = two.birnbaum(&odds).unwrap_err();
            assert!(matches!(error, QueryError::BadProbability { variable: 1, .. }), "{error}");
            let is_bad = bad.iter().any(|odds| !odds.is_finite() || *odds < 0.0);
            let result = two.marginals(&odds);
            assert_eq!(matches!(result, Err(QueryError::BadOdds { variable: 1, .. })), is_bad);
        }
    }
}
