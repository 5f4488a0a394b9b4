//! Sums of products over all solutions, in any semiring, with one weight for each variable and value.

use super::pass::{Bottom, up};
use crate::QueryError;
use crate::diagram::store::{NodeStore, ZERO};
use crate::diagram::{Diagram, DiagramRule, check_variable};
use crate::spec::{Arities, BlockProducts, PerValue, Rule, Space};
use num_traits::{One, Zero};
use smallvec::{SmallVec, smallvec};
use std::ops::{Add, Mul, Range};

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
pub(super) fn sum_product<S: Semiring>(store: &NodeStore, rule: Rule, semiring: &S) -> S::Value {
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

fn probability(
    store: &NodeStore,
    rule: Rule,
    probabilities: &Weights<f64>,
) -> Result<f64, QueryError> {
    probabilities.check_probabilities(&store.arities)?;
    Ok(sum_product(store, rule, probabilities))
}

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
        let values = self.skipped_values(variable);
        self.total(values.map(|value| self.semiring.weight(variable, value)))
    }

    /// The values that a skipped variable may have.
    pub(crate) fn skipped_values(&self, variable: usize) -> Range<usize> {
        match self.rule {
            Rule::ZeroSuppressed => 0..1,
            Rule::AnyValue => 0..self.arities.get(variable),
        }
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

/// A semiring: values with addition and multiplication, and a weight for each value of each
/// variable.
///
/// [`Diagram::sum_product`](crate::Diagram::sum_product) returns the sum, over all solutions, of the
/// product of the [`weight`](Semiring::weight)s of their values. Counting, probabilities, the best weight and the set of
/// all weights are of this form (Kimmig, Van den Broeck and De Raedt, "Algebraic model
/// counting", 2017). [`Weights`] are the semiring of ordinary numbers.
///
/// # Contract
///
/// Addition and multiplication are associative and commutative, multiplication
/// distributes over addition, [`zero`](Semiring::zero) and [`one`](Semiring::one) are neutral, and
/// a product with zero is zero. All of this may hold up to rounding, which then affects the result.
/// The order of operations is fixed for a diagram, for any number of threads.
///
/// # Example
///
/// The least weight, and the number of solutions that have it:
///
/// ```
/// use topdd::Semiring;
///
/// struct Lightest([u32; 3]);
///
/// impl Semiring for Lightest {
///     type Value = (Option<u32>, u64); // the least weight, and how often; `None` of no solutions
///     fn zero(&self) -> Self::Value { (None, 0) }
///     fn one(&self) -> Self::Value { (Some(0), 1) }
///     fn add(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
///         match (a.0, b.0) {
///             (Some(x), Some(y)) if x == y => (Some(x), a.1 + b.1),
///             (Some(x), Some(y)) if x < y => *a,
///             (Some(_), None) => *a,
///             _ => *b,
///         }
///     }
///     fn multiply(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
///         (a.0.zip(b.0).map(|(x, y)| x + y), a.1 * b.1)
///     }
///     fn weight(&self, variable: usize, value: usize) -> Self::Value {
///         (Some(self.0[variable] * value as u32), 1)
///     }
/// }
///
/// let subsets_of_three = topdd::Zdd::full([2; 3])?;
/// // {} and {1}, as number 1 weighs nothing.
/// assert_eq!(subsets_of_three.sum_product(&Lightest([3, 0, 2])), (Some(0), 2));
/// # Ok::<(), topdd::QueryError>(())
/// ```
pub trait Semiring: Sync {
    /// The elements of the semiring.
    type Value: Clone + Send + Sync;

    /// Returns the sum of no solutions, which is neutral in addition.
    fn zero(&self) -> Self::Value;

    /// Returns the product of no values, which is neutral in multiplication.
    fn one(&self) -> Self::Value;

    /// Returns the sum of two values.
    fn add(&self, a: &Self::Value, b: &Self::Value) -> Self::Value;

    /// Returns the product of two values.
    fn multiply(&self, a: &Self::Value, b: &Self::Value) -> Self::Value;

    /// Returns the weight of `value` of `variable`. Called for each edge, so it should be cheap.
    fn weight(&self, variable: usize, value: usize) -> Self::Value;

    /// Returns whether a product with this value changes nothing, so that it may be left out.
    ///
    /// The default is `false`, which is correct but may be slower. Override it if multiplication is
    /// expensive, as for large integers.
    fn is_one(&self, value: &Self::Value) -> bool {
        let _ = value;
        false
    }
}

/// Numbers whose sums and products do not overflow: floats, integers of any size, and fractions of such integers.
///
/// Machine integers are none of them: a sum over many solutions would wrap.
pub trait WeightNumber: Zero + One + PartialEq + Clone + Send + Sync + sealed::Sealed {}

mod sealed {
    pub trait Sealed {}
}

macro_rules! weight_numbers {
    ($($number:ty),*) => {$(
        impl sealed::Sealed for $number {}
        impl WeightNumber for $number {}
    )*};
}

weight_numbers!(f64, crate::BigUint, crate::BigInt, crate::Ratio<crate::BigInt>);

/// Ordinary numbers with these weights.
///
/// ```
/// use topdd::{BigUint, Weights, Zdd};
///
/// // (1 + 2) (1 + 3) (1 + 5), without the set of all three.
/// let weights = Weights::from([2u32, 3, 5].map(|w| [1, w].map(BigUint::from).to_vec()).to_vec());
/// let two = topdd::zdd(&topdd::constraint::at_most(3, 2))?;
/// assert_eq!(two.sum_product(&weights), (3u32 * 4 * 6 - 30).into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
impl<W> Semiring for Weights<W>
where
    W: WeightNumber,
    for<'a> &'a W: Add<Output = W> + Mul<Output = W>,
{
    type Value = W;

    fn zero(&self) -> W {
        W::zero()
    }

    fn one(&self) -> W {
        W::one()
    }

    fn add(&self, a: &W, b: &W) -> W {
        a + b
    }

    fn multiply(&self, a: &W, b: &W) -> W {
        a * b
    }

    fn weight(&self, variable: usize, value: usize) -> W {
        self.variable(variable)[value].clone()
    }

    fn is_one(&self, value: &W) -> bool {
        value.is_one()
    }
}

/// A weight for each value of each variable.
///
/// By the query, the weight of a solution is the sum of the weights of its values
/// ([`minimum`](crate::Diagram::minimum)) or their product
/// ([`probability`](crate::Diagram::probability)). Every query checks that the weights fit the
/// variables of the diagram. Size: one `W` for each value, and one word for each variable.
///
/// ```
/// use topdd::{Weights, Zdd};
///
/// // Two dice: the points of values 0 to 5 of each, by a function and as a list.
/// let dice = Zdd::full([6; 2])?;
/// let pips = Weights::from_fn(&dice, |_die, value| value as i64 + 1);
/// assert_eq!(pips, Weights::from(vec![vec![1, 2, 3, 4, 5, 6]; 2]));
/// assert_eq!(dice.maximum(&pips)?.weight, 12);
///
/// // Two-valued variables of which value 1 has a weight. The type of a weight is `i64` by default.
/// let prices: Weights = Weights::of_ones([30, 5, 20]);
/// assert_eq!(prices, Weights::from(vec![vec![0, 30], vec![0, 5], vec![0, 20]]));
/// # Ok::<(), topdd::QueryError>(())
/// ```
///
/// With the feature `serde`, weights are (de)serialised as a list of lists: by variable, the
/// weights of its values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        into = "Vec<Vec<W>>",
        from = "Vec<Vec<W>>",
        bound(
            serialize = "W: Clone + serde::Serialize",
            deserialize = "W: serde::Deserialize<'de>"
        )
    )
)]
pub struct Weights<W = i64>(PerValue<W>);

impl<W> Weights<W> {
    /// Makes weights by a function of variable and value. `space` names the variables: a spec or a
    /// diagram, `[6; 2]`, or any other source of a [`Space`].
    pub fn from_fn(space: impl Into<Space>, weight: impl FnMut(usize, usize) -> W) -> Self {
        Weights(PerValue::new(space.into().arities(), weight))
    }

    /// Makes weights of two-valued variables, from the weight of the value 1 of each. The weight of the
    /// values 0 is `W::default()`.
    pub fn of_ones(weights: impl IntoIterator<Item = W>) -> Self
    where
        W: Default,
    {
        weights.into_iter().map(|weight| [W::default(), weight]).collect()
    }

    /// Returns the number of variables.
    pub fn num_vars(&self) -> usize {
        self.0.num_vars()
    }

    /// Returns the weights of the values of a variable, by value.
    ///
    /// ```
    /// let prices = topdd::Weights::of_ones([30, 5]);
    /// assert_eq!((prices.num_vars(), prices.variable(1)), (2, &[0, 5][..]));
    /// assert_eq!(prices.get_variable(2), None);
    /// ```
    ///
    /// # Panics
    ///
    /// If there is no such variable; [`get_variable`](Weights::get_variable) returns `None` then.
    #[inline]
    #[track_caller]
    pub fn variable(&self, variable: usize) -> &[W] {
        check_variable(variable, self.num_vars());
        self.0.variable(variable)
    }

    /// Returns the weights of the values of a variable; `None` if there is no such variable.
    pub fn get_variable(&self, variable: usize) -> Option<&[W]> {
        (variable < self.num_vars()).then(|| self.variable(variable))
    }

    /// Returns the weight of a value; `None` if there is no such variable or value.
    ///
    /// ```
    /// let prices = topdd::Weights::of_ones([30, 5]);
    /// assert_eq!((prices.get(1, 1), prices.get(1, 2), prices.get(2, 0)), (Some(&5), None, None));
    /// ```
    pub fn get(&self, variable: usize, value: usize) -> Option<&W> {
        self.get_variable(variable)?.get(value)
    }

    /// Returns weights of the same shape: `change` of each weight.
    ///
    /// ```
    /// use topdd::Weights;
    ///
    /// let euros = Weights::of_ones([30, 5]);
    /// assert_eq!(euros.map(|euros| euros * 100), Weights::of_ones([3000, 500]));
    /// ```
    pub fn map<V>(&self, change: impl FnMut(&W) -> V) -> Weights<V> {
        Weights(self.0.map(change))
    }

    /// Fails if there is not one weight for each value of each variable.
    pub(crate) fn check(&self, arities: &Arities) -> Result<(), QueryError> {
        let (found, num_vars) = (self.num_vars(), arities.num_vars());
        if found != num_vars {
            return Err(QueryError::WeightsLength { found, num_vars });
        }
        for variable in 0..num_vars {
            let (found, arity) = (self.variable(variable).len(), arities.get(variable));
            if found != arity {
                return Err(QueryError::WeightsArity { variable, found, arity });
            }
        }
        Ok(())
    }
}

impl Weights<f64> {
    /// Fails if there is not one probability for each value of each variable, or if the
    /// probabilities of a variable are not numbers of 0 to 1 whose sum is 1, within a millionth.
    pub(crate) fn check_probabilities(&self, arities: &Arities) -> Result<(), QueryError> {
        self.check(arities)?;
        for variable in 0..arities.num_vars() {
            let of = self.variable(variable);
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

    /// Returns the odds of the values of a variable. Fails if they are not finite numbers of at least 0.
    pub(crate) fn checked_odds(&self, variable: usize) -> Result<&[f64], QueryError> {
        let of = self.variable(variable);
        match of.iter().position(|odds| !(odds.is_finite() && *odds >= 0.0)) {
            None => Ok(of),
            Some(value) => {
                let message = format!("the odds of value {value} are {}", of[value]);
                Err(QueryError::BadOdds { variable, message })
            }
        }
    }
}

/// For each variable the weights of its values.
impl<W, V: IntoIterator<Item = W>> FromIterator<V> for Weights<W> {
    fn from_iter<I: IntoIterator<Item = V>>(variables: I) -> Self {
        Weights(variables.into_iter().collect())
    }
}

/// For each variable the weights of its values.
impl<W> From<Vec<Vec<W>>> for Weights<W> {
    fn from(variables: Vec<Vec<W>>) -> Self {
        variables.into_iter().collect()
    }
}

/// By variable, the weights of its values.
impl<W> From<Weights<W>> for Vec<Vec<W>> {
    fn from(weights: Weights<W>) -> Self {
        weights.0.into_lists()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::testing::{Draw, Modulo, both_rules, drawn, free, panic_of};
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

    #[test]
    fn weights_out_of_range_panic_at_the_line_of_the_caller() {
        let weights = Weights::from(vec![vec![1, 2], vec![3]]);
        let (at, message) = panic_of(|| weights.variable(2).len());
        assert_eq!(at, (file!().to_owned(), line!() - 1));
        assert_eq!(message, "there is no variable 2; the variables are 0..2");
        assert_eq!((weights.get_variable(1), weights.get_variable(2)), (Some(&[3][..]), None));
    }

    #[test]
    fn weights_convert_to_lists_and_back() {
        let lists = vec![vec![1, 2], vec![], vec![3]];
        assert_eq!(Vec::from(Weights::from(lists.clone())), lists);
    }

    #[cfg(feature = "serde")]
    #[test]
    fn weights_and_decisions_survive_serialisation() {
        use crate::Decision;
        let weights = Weights::from(vec![vec![1, 2], vec![3]]);
        let json = serde_json::to_string(&weights).unwrap();
        assert_eq!(json, "[[1,2],[3]]");
        assert_eq!(serde_json::from_str::<Weights<i64>>(&json).unwrap(), weights);
        let decisions = [Decision::is(3, 0), Decision::is_not(1, 2)];
        let json = serde_json::to_string(&decisions).unwrap();
        let expected = r#"[{"is":{"variable":3,"value":0}},{"is_not":{"variable":1,"value":2}}]"#;
        assert_eq!(json, expected);
        assert_eq!(serde_json::from_str::<[Decision; 2]>(&json).unwrap(), decisions);
        let of_before = json.replace("is_not", "not");
        assert_eq!(serde_json::from_str::<[Decision; 2]>(&of_before).unwrap(), decisions);
    }
}
