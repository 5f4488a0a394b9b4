//! Random solutions by weight.

use super::random_below;
use crate::QueryError;
use crate::diagram::store::{NodeId, ZERO};
use crate::diagram::{Diagram, DiagramRule};
use crate::query::pass::{Bottom, Values, up};
use crate::query::sum_product::{Sum, Weights};
use crate::spec::{BlockProducts, Rule};
use num_bigint::BigUint;
use rand_core::Rng;
use std::ops::Range;

impl<R: DiagramRule> Diagram<R> {
    /// Returns the diagram with the total weight below each node, for random solutions by weight;
    /// see [`WeightedIndex`].
    ///
    /// Cost: one linear pass, and the size that [`WeightedIndex`] states.
    ///
    /// # Errors
    ///
    /// When there is not one weight for each value of each variable.
    pub fn weighted_index(&self, weights: &Weights<u64>) -> Result<WeightedIndex<R>, QueryError> {
        weights.check(&self.store.arities)?;
        Ok(WeightedIndex::new(self, weights.map(|&weight| weight.into())))
    }

    /// Does the same as [`weighted_index`](Diagram::weighted_index), with weights that are
    /// fractions, such as probabilities.
    ///
    /// The result is distributed as if each variable's value were drawn with its odds, independently of
    /// the others, and assignments that are no solutions were rejected. It is exact for the numbers
    /// that the `f64` represent. The odds of a variable need not sum to 1: only their ratios
    /// matter.
    ///
    /// In [`total`](WeightedIndex::total) the odds of each variable are multiplied by the least
    /// power of two that makes all of them integers. Cost as for
    /// [`weighted_index`](Diagram::weighted_index).
    ///
    /// ```
    /// use rand::{SeedableRng, rngs::StdRng};
    /// use topdd::Weights;
    ///
    /// let coins = topdd::Zdd::full([2; 2])?;
    /// let index = coins.index_by_odds(&Weights::from(vec![vec![0.25, 0.75], vec![0.0, 1.0]]))?;
    /// assert_eq!(*index.total(), 4u32.into()); // (1 + 3) * (0 + 1)
    /// assert_eq!(index.sample(&mut StdRng::seed_from_u64(1))?[1], 1);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is not one number for each value of each variable, or a number is negative, infinite
    /// or not a number.
    pub fn index_by_odds(&self, odds: &Weights<f64>) -> Result<WeightedIndex<R>, QueryError> {
        odds.check(&self.store.arities)?;
        let integers = (0..self.num_vars()).map(|variable| proportional_integers(variable, odds));
        Ok(WeightedIndex::new(self, integers.collect::<Result<_, _>>()?))
    }

    /// Returns a random solution, each with a probability proportional to its weight, exactly.
    ///
    /// Cost: a pass over the diagram; a [`WeightedIndex`] serves many samples.
    ///
    /// ```
    /// use rand::{SeedableRng, rngs::StdRng};
    /// use topdd::Weights;
    ///
    /// let coin = topdd::Zdd::full([2])?;
    /// let always_1 = Weights::from(vec![vec![0, 5]]);
    /// assert_eq!(coin.sample_weighted(&always_1, &mut StdRng::seed_from_u64(1))?, [1]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is not one weight for each value of each variable, when there are no solutions, or
    /// when all solutions have weight 0.
    pub fn sample_weighted<G: Rng + ?Sized>(
        &self,
        weights: &Weights<u64>,
        rng: &mut G,
    ) -> Result<Vec<usize>, QueryError> {
        self.weighted_index(weights)?.sample(rng)
    }

    /// Returns a random solution by weights that are fractions, such as probabilities, exactly.
    ///
    /// Cost: a pass over the diagram; the [`WeightedIndex`] of
    /// [`index_by_odds`](Diagram::index_by_odds) serves many samples.
    ///
    /// ```
    /// use rand::{SeedableRng, rngs::StdRng};
    /// use topdd::{Weights, constraint};
    ///
    /// // Five coins that show 1 once in four times, given that two of them do.
    /// let two = topdd::zdd(&constraint::exactly(5, 2))?;
    /// let odds = Weights::from(vec![vec![0.75, 0.25]; 5]);
    /// let drawn = two.sample_by_odds(&odds, &mut StdRng::seed_from_u64(1))?;
    /// assert_eq!(drawn.iter().sum::<usize>(), 2);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is not one number for each value of each variable, a number is negative, infinite or
    /// not a number, there are no solutions, or all solutions have weight 0.
    pub fn sample_by_odds<G: Rng + ?Sized>(
        &self,
        odds: &Weights<f64>,
        rng: &mut G,
    ) -> Result<Vec<usize>, QueryError> {
        self.index_by_odds(odds)?.sample(rng)
    }
}

/// A diagram with the total weight below each node, for random solutions by weight.
///
/// The weight of a solution is the *product* of the weights of its values, which are integers that
/// are not negative. With weights of 1 all solutions have the same probability. If a value has
/// twice the weight of another, replacing the other by it doubles the probability of a solution.
///
/// Size: it shares the nodes of the diagram, and adds an integer for each node, which takes about 40
/// bytes if it is below 2^64. The integers have as many bits as all weights on a path together. So
/// with tens of thousands of variables and large weights they dominate time and memory.
///
/// ```
/// use rand::{SeedableRng, rngs::StdRng};
/// use topdd::Weights;
///
/// // Three coins: one fair, one that shows 1 nine times in ten, one that always does.
/// let coins = topdd::Zdd::full([2; 3])?;
/// let weights = Weights::from(vec![vec![1, 1], vec![1, 9], vec![0, 1]]);
/// let index = coins.weighted_index(&weights)?;
/// assert_eq!(*index.total(), 20u32.into());
/// let mut rng = StdRng::seed_from_u64(1);
/// assert_eq!(index.sample(&mut rng)?[2], 1);
/// # Ok::<(), topdd::QueryError>(())
/// ```
#[derive(Clone, Debug)]
pub struct WeightedIndex<R: DiagramRule> {
    diagram: Diagram<R>,
    weights: Weights<BigUint>,
    /// `None` if the diagram is empty.
    below: Option<Values<BigUint>>,
    /// The products of the weights of skipped variables.
    products: BlockProducts<BigUint>,
    total: BigUint,
}

impl<R: DiagramRule> WeightedIndex<R> {
    /// Makes the index. The weights must fit the diagram.
    fn new(diagram: &Diagram<R>, weights: Weights<BigUint>) -> Self {
        let mut index = WeightedIndex {
            diagram: diagram.clone(),
            weights,
            below: None,
            products: BlockProducts::new(diagram.num_vars()),
            total: BigUint::ZERO,
        };
        if !diagram.is_empty() {
            let (store, sum) = (&diagram.store, index.sum());
            let below = up(store, &sum, true);
            let mut total = below.get(store, store.root).clone();
            if let Some(skipped) = sum.skip(0..store.variable_of(store.root)) {
                total *= skipped;
            }
            (index.total, index.below) = (total, Some(below));
        }
        index
    }

    fn sum(&self) -> Sum<'_, Weights<BigUint>> {
        let store = &self.diagram.store;
        Sum {
            arities: &store.arities,
            rule: R::RULE,
            semiring: &self.weights,
            products: &self.products,
        }
    }

    /// Returns the diagram of the index.
    pub fn diagram(&self) -> &Diagram<R> {
        &self.diagram
    }

    /// Returns the sum of the weights of all solutions.
    pub fn total(&self) -> &BigUint {
        &self.total
    }

    /// Returns a random solution, each with a probability proportional to its weight, exactly:
    /// integers are drawn, without bias.
    ///
    /// The same state of a generator gives the same solution on every machine. Cost: one path down,
    /// with some products of integers as large as [`total`](WeightedIndex::total) for each variable.
    ///
    /// # Errors
    ///
    /// When there are no solutions, or all have weight 0.
    pub fn sample<G: Rng + ?Sized>(&self, rng: &mut G) -> Result<Vec<usize>, QueryError> {
        let Some(below) = &self.below else { return Err(QueryError::NoSolutions) };
        if self.total == BigUint::ZERO {
            return Err(QueryError::NoWeight);
        }
        let store = &*self.diagram.store;
        let sum = self.sum();
        let mut values = vec![0; self.diagram.num_vars()];
        let mut node = store.root;
        let mut variable = store.variable_of(node);
        self.draw_skipped(0..variable, &mut values, rng);
        while variable < values.len() {
            let mut ways: Vec<(usize, NodeId)> = Vec::new();
            let mut weights = Vec::new();
            for (value, to) in store.edges_at(node, variable) {
                debug_assert_ne!(to, ZERO, "edges to the 0-terminal are left out");
                let mut weight = below.get(store, to) * &self.weights.variable(variable)[value];
                if let Some(skipped) = sum.skip(variable + 1..store.variable_of(to)) {
                    weight *= skipped;
                }
                ways.push((value, to));
                weights.push(weight);
            }
            let (value, to) = ways[choose(&weights, rng)];
            values[variable] = value;
            let next = store.variable_of(to);
            self.draw_skipped(variable + 1..next, &mut values, rng);
            (node, variable) = (to, next);
        }
        Ok(values)
    }

    /// Draws the values of skipped variables, independently.
    fn draw_skipped<G: Rng + ?Sized>(
        &self,
        skipped: Range<usize>,
        values: &mut [usize],
        rng: &mut G,
    ) {
        if R::RULE == Rule::AnyValue {
            for variable in skipped {
                values[variable] = choose(self.weights.variable(variable), rng);
            }
        }
    }
}

/// Returns the index of one of the weights, with a probability proportional to it. One is not 0.
fn choose<G: Rng + ?Sized>(weights: &[BigUint], rng: &mut G) -> usize {
    let mut rest = random_below(&weights.iter().sum(), rng);
    for (number, weight) in weights.iter().enumerate() {
        if rest < *weight {
            return number;
        }
        rest -= weight;
    }
    unreachable!("the number drawn is below the sum")
}

/// Returns the odds of the values of a variable, multiplied by the least power of two that makes
/// all of them integers. Every `f64` is an integer times a power of two.
fn proportional_integers(variable: usize, odds: &Weights<f64>) -> Result<Vec<BigUint>, QueryError> {
    let parts: Vec<(u64, u32)> =
        odds.checked_odds(variable)?.iter().map(|&odds| odd_and_power(odds)).collect();
    let powers = parts.iter().filter(|(odd, _)| *odd != 0).map(|&(_, power)| power);
    let least = powers.min().unwrap_or(0);
    let whole = |(odd, power): (u64, u32)| BigUint::from(odd) << power.saturating_sub(least);
    Ok(parts.into_iter().map(whole).collect())
}

/// Returns a number that is neither negative nor infinite as an odd integer and an exponent of two,
/// counted from the least exponent; or 0.
fn odd_and_power(number: f64) -> (u64, u32) {
    const FRACTION: u32 = f64::MANTISSA_DIGITS - 1;
    let bits = number.abs().to_bits();
    let (exponent, fraction) = ((bits >> FRACTION) as u32, bits & ((1 << FRACTION) - 1));
    let integer = if exponent == 0 { fraction } else { fraction | 1 << FRACTION };
    if integer == 0 {
        return (0, 0);
    }
    let zeros = integer.trailing_zeros();
    // Subnormal numbers have the exponent of the least normal number.
    (integer >> zeros, exponent.max(1) + zeros)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::testing::{Draw, both_rules, drawn_over, free};
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    /// Pearson's test against the exact probabilities.
    #[test]
    fn probabilities_are_proportional_to_weights() {
        for seed in 0..40 {
            both_rules!(check(seed));
        }
    }

    fn check<R: DiagramRule>(seed: u64) {
        let (diagram, solutions) = drawn_over::<R>(&[2, 3, 1, 2, 2], seed);
        let mut draw = Draw(seed);
        let weights = Weights::from_fn(&diagram, |_, _| draw.below(4) as u64);
        let weigh = |solution: &Vec<usize>| -> u64 {
            solution.iter().enumerate().map(|(v, &value)| weights.variable(v)[value]).product()
        };
        let total: u64 = solutions.iter().map(weigh).sum();
        let index = if seed.is_multiple_of(2) {
            diagram.weighted_index(&weights).unwrap()
        } else {
            // The same ratios for each variable.
            let half = weights.map(|&weight| weight as f64 / 2.0);
            diagram.index_by_odds(&half).unwrap()
        };
        assert!(seed % 2 == 1 || *index.total() == total.into());
        let mut rng = StdRng::seed_from_u64(seed);
        if total == 0 {
            let error = index.sample(&mut rng).unwrap_err();
            let expected =
                if solutions.is_empty() { QueryError::NoSolutions } else { QueryError::NoWeight };
            assert_eq!(error, expected);
            return;
        }
        let samples = 2000;
        let mut seen = vec![0u32; solutions.len()];
        for _ in 0..samples {
            let sample = index.sample(&mut rng).unwrap();
            seen[solutions.binary_search(&sample).unwrap()] += 1;
        }
        let (mut deviation, mut classes) = (0.0, 0);
        for (solution, seen) in solutions.iter().zip(seen) {
            let expected = f64::from(samples) * weigh(solution) as f64 / total as f64;
            if expected == 0.0 {
                assert_eq!(seen, 0);
                continue;
            }
            deviation += (f64::from(seen) - expected).powi(2) / expected;
            classes += 1;
        }
        // The mean of chi-square is the degrees of freedom, its variance twice that.
        let freedom = f64::from(classes - 1);
        assert!(deviation <= freedom + 6.0 * (2.0 * freedom).sqrt(), "seed {seed}: {deviation}");
    }

    #[test]
    fn weights_of_another_shape_are_refused() {
        let diagram = crate::zdd(&free(2)).unwrap();
        let weights = Weights::of_ones([1, 1, 1]);
        let error = QueryError::WeightsLength { found: 3, num_vars: 2 };
        let mut rng = StdRng::seed_from_u64(0);
        assert_eq!(diagram.sample_weighted(&weights, &mut rng), Err(error));
    }

    fn whole(odds: &[f64]) -> Result<Vec<BigUint>, QueryError> {
        proportional_integers(0, &Weights::from(vec![odds.to_vec()]))
    }

    #[test]
    fn proportions_are_kept_exactly() {
        let expect = |odds: &[f64], integers: &[u64]| {
            let integers: Vec<_> = integers.iter().map(|&integer| BigUint::from(integer)).collect();
            assert_eq!(whole(odds).unwrap(), integers, "{odds:?}");
        };
        expect(&[0.25, 0.75, 0.0, -0.0], &[1, 3, 0, 0]);
        expect(&[6.0, 4.0], &[3, 2]);
        expect(&[0.0, 0.0], &[0, 0]);
        let tenth = 0xc_cccc_cccc_cccd; // The integer nearest to 2^55 / 10, which is odd.
        expect(&[0.1, 0.2], &[tenth, 2 * tenth]);
        expect(&[f64::MAX], &[(1 << 53) - 1]);
        let least = f64::from_bits(1);
        expect(&[least, 3.0 * least, f64::MIN_POSITIVE], &[1, 3, 1 << 52]);
        // 1/3 is the odd integer nearest to 2^54/3, over 2^54.
        expect(&[1.0 / 3.0, 1.0], &[6_004_799_503_160_661, 1 << 54]);
        let far = whole(&[least, f64::MAX]).unwrap();
        assert_eq!(far[0], BigUint::from(1u32));
        assert_eq!(far[1], BigUint::from((1u64 << 53) - 1) << (971 + 1074));
    }

    #[test]
    fn numbers_that_are_no_odds_are_refused() {
        for bad in [-1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(
                matches!(whole(&[1.0, bad]), Err(QueryError::BadOdds { variable: 0, .. })),
                "{bad}"
            );
        }
    }
}
