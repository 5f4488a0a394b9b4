//! The number of solutions.

use crate::BuildError;
use crate::frontier::{Frontier, Payload};
use crate::number::limbs;
use crate::spec::{Arities, DdSpec, Rule};
use num_bigint::BigUint;
use std::ops::Range;
use std::sync::Arc;

impl<S> Frontier<'_, S> {
    /// Returns the number of solutions, with skipped variables read as 0: the result of
    /// `zdd()?.count()`, without storing a diagram.
    ///
    /// # Errors
    ///
    /// Fails if the spec breaks its contract or panics, a limit is reached, or the run is cancelled.
    pub fn count(&mut self) -> Result<BigUint, BuildError> {
        self.count_under(Rule::ZeroSuppressed)
    }

    /// Returns the number of solutions, with skipped variables free to take any value: the result of
    /// `bdd()?.count()`, without storing a diagram.
    ///
    /// # Errors
    ///
    /// The errors of [`count`](Frontier::count).
    pub fn count_bdd(&mut self) -> Result<BigUint, BuildError> {
        self.count_under(Rule::AnyValue)
    }

    /// Returns the number of solutions, with skipped variables read by `rule`.
    ///
    /// ```
    /// use topdd::{Frontier, Rule, Zdd};
    ///
    /// let zdd = Zdd::full([2; 70])?;
    /// let mut frontier = Frontier::over(&zdd).threads(1);
    /// assert_eq!(frontier.count_under(Rule::AnyValue)?, topdd::BigUint::from(2u32).pow(70));
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`count`](Frontier::count).
    pub fn count_under(&mut self, rule: Rule) -> Result<BigUint, BuildError> {
        let payload = |arities| Ok::<_, BuildError>(Count { arities, rule });
        let (_, words) = self.engine.words(rule, payload)?;
        Ok(limbs::from_limbs(&words.unwrap_or_default()))
    }
}

/// Returns the number of solutions of `spec`, with skipped variables read as 0, exact and without
/// storing a diagram. [`Frontier::count`] with no limits.
///
/// ```
/// let pairs = topdd::constraint::exactly(1000, 2);
/// assert_eq!(topdd::count(&pairs)?, 499_500u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
///
/// # Errors
///
/// Fails if the spec breaks its contract.
pub fn count<S: DdSpec>(spec: &S) -> Result<BigUint, BuildError> {
    Frontier::over(spec).count()
}

/// Returns the number of solutions of `spec`, with skipped variables free to take any value, exact
/// and without storing a diagram. [`Frontier::count_bdd`] with no limits.
///
/// ```
/// let free = topdd::Bdd::full([2; 100])?; // skips all variables
/// assert_eq!(topdd::count_bdd(&free)?, topdd::BigUint::from(2u32).pow(100));
/// # Ok::<(), topdd::BuildError>(())
/// ```
///
/// # Errors
///
/// Fails if the spec breaks its contract.
pub fn count_bdd<S: DdSpec>(spec: &S) -> Result<BigUint, BuildError> {
    Frontier::over(spec).count_bdd()
}

/// The number of assignments that lead to each state.
struct Count {
    arities: Arc<Arities>,
    rule: Rule,
}

impl Payload for Count {
    fn identity(&self) -> String {
        "counts".to_owned()
    }

    fn lanes(&self, _: usize) -> usize {
        1
    }

    fn grows(&self) -> bool {
        true
    }

    fn steps(&self) -> bool {
        false
    }

    fn skips(&self) -> bool {
        self.rule == Rule::AnyValue
    }

    fn root(&self) -> Vec<u64> {
        vec![1]
    }

    fn skip(&self, words: &[u64], skipped: Range<usize>, out: &mut Vec<u64>) {
        // Most factors have one digit, which is found without allocation.
        if let Some(factor) = self.arities.small_product(skipped.clone()) {
            limbs::multiply(words, [factor], words.len() + 1, out);
            return;
        }
        let factor = self.arities.product(skipped);
        let factor = factor.iter_u64_digits();
        let width = words.len() + factor.len();
        limbs::multiply(words, factor, width, out);
    }

    fn combine(&self, _: usize, into: &mut [u64], from: &[u64]) {
        limbs::add(into, from);
    }
}
