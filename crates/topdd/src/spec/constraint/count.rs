//! Bounds of the number of variables that have one of some values.

use super::kind::{ConstraintKind, Reader, inclusive};
use super::marks::Marks;
use super::sums::Row;
use super::{Constraint, Outcome};
use crate::spec::Space;
use std::ops::{RangeBounds, RangeInclusive};

/// Bounds of a number of variables; the kind of [`between`].
#[derive(Clone, Debug)]
pub struct Count {
    /// The name of the function that made the constraint.
    name: &'static str,
    bounds: RangeInclusive<usize>,
    marks: Marks,
}

/// Requires at most `k` nonzero variables, or variables with a value of the pairs given by
/// [`of_pairs`](Constraint::of_pairs).
///
/// States: at most `k + 1` per variable.
///
/// ```
/// use topdd::constraint;
///
/// assert_eq!(topdd::count(&constraint::at_most(4, 2))?, 11u32.into());
/// // Of three variables of three values at most one is 2.
/// let one = constraint::at_most([3; 3], 1).of_pairs((0..3).map(|variable| (variable, 2)));
/// assert_eq!(topdd::count(&one)?, 20u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn at_most(space: impl Into<Space>, k: usize) -> Constraint<Count> {
    bounded("at_most", space, ..=k)
}

/// Requires at least `k` nonzero variables, or variables with a value of the pairs given by
/// [`of_pairs`](Constraint::of_pairs).
///
/// States: at most `k + 1` per variable.
///
/// ```
/// assert_eq!(topdd::count(&topdd::constraint::at_least(4, 3))?, 5u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn at_least(space: impl Into<Space>, k: usize) -> Constraint<Count> {
    bounded("at_least", space, k..)
}

/// Requires exactly `k` nonzero variables, or variables with a value of the pairs given by
/// [`of_pairs`](Constraint::of_pairs).
///
/// States: at most `k + 1` per variable.
///
/// ```
/// assert_eq!(topdd::count(&topdd::constraint::exactly(4, 2))?, 6u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn exactly(space: impl Into<Space>, k: usize) -> Constraint<Count> {
    bounded("exactly", space, k..=k)
}

/// Requires a number of nonzero variables within `bounds`, or of variables with a value of the pairs given
/// by [`of_pairs`](Constraint::of_pairs). An empty range is an error.
///
/// States: at most one more per variable than the greater bound.
///
/// ```
/// use topdd::constraint::between;
///
/// assert_eq!(topdd::count(&between(4, 1..=2))?, 10u32.into());
/// assert_eq!(topdd::count(&between(4, 2..))?, 11u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn between(space: impl Into<Space>, bounds: impl RangeBounds<usize>) -> Constraint<Count> {
    bounded("between", space, bounds)
}

fn bounded(
    name: &'static str,
    space: impl Into<Space>,
    bounds: impl RangeBounds<usize>,
) -> Constraint<Count> {
    let bounds = inclusive(&bounds);
    Constraint::new(space, Count { name, bounds, marks: Marks::default() })
}

impl Constraint<Count> {
    /// Counts the variables that have a value of the given pairs `(variable, value)`, instead of the
    /// nonzero variables.
    pub fn of_pairs(self, pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        self.with(|count| count.marks = Marks::from_pairs(pairs))
    }
}

/// The reader of a count.
#[derive(Clone, Debug)]
pub struct Counter(Row);

impl ConstraintKind for Count {
    type Reader = Counter;

    fn name(&self) -> &'static str {
        self.name
    }

    fn reader(&self, arities: &[usize]) -> Result<Counter, String> {
        let marks = self.marks.table(arities)?;
        let row = Row::counting(arities, |at, value| *marks.get(at, value), &self.bounds)?;
        Ok(Counter(row))
    }
}

impl Reader for Counter {
    type State = u32;

    fn start(&self) -> Outcome<u32> {
        narrow(self.0.start())
    }

    #[inline]
    fn read(&self, &count: &u32, position: usize, value: usize) -> Outcome<u32> {
        narrow(self.0.read(&i64::from(count), position, value))
    }

    fn describe(&self, count: &u32) -> String {
        format!("{count} so far")
    }
}

/// Narrows a count to 32 bits: there are never more variables than that.
#[inline]
fn narrow(outcome: Outcome<i64>) -> Outcome<u32> {
    match outcome {
        Outcome::Open(count) => Outcome::Open(count as u32),
        Outcome::Met => Outcome::Met,
        Outcome::Broken => Outcome::Broken,
    }
}
