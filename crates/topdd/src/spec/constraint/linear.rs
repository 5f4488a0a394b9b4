//! Linear constraints.

use super::Constraint;
use super::kind::ConstraintKind;
use super::sums::{Row, Sums};
use crate::spec::Space;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Linear inequalities and equations; the kind of [`linear`].
#[derive(Clone, Debug, Default)]
pub struct Linear<'a>(Vec<Inequality<'a>>);

/// A sum that must be within bounds.
#[derive(Clone)]
struct Inequality<'a> {
    coefficient: Coefficient<'a>,
    bounds: RangeInclusive<i64>,
}

/// The term of the sum for a variable and its value.
type Coefficient<'a> = Arc<dyn Fn(usize, usize) -> i64 + Send + Sync + 'a>;

/// Requires linear inequalities and equations, several at once: each sums one coefficient per variable,
/// selected by the value of the variable. Without any, all assignments are solutions. The closures may borrow, and the
/// constraint then lives as long as what they borrow.
///
/// A state contains the sum of each row. A row is dropped from it once the values that follow make
/// no difference. A state is cut off once the values that follow cannot satisfy a row.
///
/// States: at most the product of the numbers of different sums. A row is most efficient where large
/// coefficients come first. The sum of all coefficients must fit into 63 bits.
///
/// ```
/// use topdd::{check, constraint};
///
/// // Items of weight 3, 4 and 5, up to twice each: weight at most 10, value at least 11.
/// let (weight, worth) = ([3, 4, 5], [4, 5, 7]);
/// let knapsack = constraint::linear([3; 3])
///     .at_most(|item, taken| weight[item] * taken as i64, 10)
///     .at_least(|item, taken| worth[item] * taken as i64, 11);
/// assert_eq!(topdd::zdd(&knapsack)?.iter().collect::<Vec<_>>(), [[0, 0, 2], [0, 1, 1], [1, 0, 1], [2, 1, 0]]);
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn linear<'a>(space: impl Into<Space>) -> Constraint<Linear<'a>> {
    Constraint::new(space, Linear::default())
}

impl<'a> Constraint<Linear<'a>> {
    fn row(
        self,
        coefficient: impl Fn(usize, usize) -> i64 + Send + Sync + 'a,
        bounds: RangeInclusive<i64>,
    ) -> Self {
        let coefficient = Arc::new(coefficient);
        self.with(|linear| linear.0.push(Inequality { coefficient, bounds }))
    }

    /// Adds the inequality that the sum of `coefficient(variable, value)` is at most `bound`.
    pub fn at_most(
        self,
        coefficient: impl Fn(usize, usize) -> i64 + Send + Sync + 'a,
        bound: i64,
    ) -> Self {
        self.row(coefficient, i64::MIN..=bound)
    }

    /// Adds the equation that the sum of `coefficient(variable, value)` is `bound`.
    ///
    /// ```
    /// use topdd::constraint::linear;
    ///
    /// // 2 x + 3 y = 12, with x and y of 0 to 6.
    /// let line = linear([7; 2]).equal(|variable, value| [2, 3][variable] * value as i64, 12);
    /// assert!(topdd::zdd(&line)?.iter().eq([[0, 4], [3, 2], [6, 0]]));
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn equal(
        self,
        coefficient: impl Fn(usize, usize) -> i64 + Send + Sync + 'a,
        bound: i64,
    ) -> Self {
        self.row(coefficient, bound..=bound)
    }

    /// Adds the inequality that the sum of `coefficient(variable, value)` is at least `bound`.
    pub fn at_least(
        self,
        coefficient: impl Fn(usize, usize) -> i64 + Send + Sync + 'a,
        bound: i64,
    ) -> Self {
        self.row(coefficient, bound..=i64::MAX)
    }
}

impl ConstraintKind for Linear<'_> {
    type Reader = Sums;

    fn name(&self) -> &'static str {
        "linear"
    }

    fn reader(&self, arities: &[usize]) -> Result<Sums, String> {
        let row = |row: &Inequality<'_>| Row::new(arities, &*row.coefficient, row.bounds.clone());
        Ok(Sums::new(self.0.iter().map(row).collect::<Result<_, _>>()?))
    }
}

impl fmt::Debug for Inequality<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.bounds)
    }
}
