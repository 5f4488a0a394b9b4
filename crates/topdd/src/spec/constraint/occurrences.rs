//! Bounds of the occurrences of values.

use super::Constraint;
use super::kind::{ConstraintKind, check_value, inclusive};
use super::sums::{Row, Sums};
use crate::spec::Space;
use std::ops::{RangeBounds, RangeInclusive};

/// Bounds of the number of occurrences of values; the kind of [`occurrences`].
#[derive(Clone, Debug)]
pub struct Occurrences(Vec<BoundedValue>);

/// A value, and the bounds of the number of its occurrences.
type BoundedValue = (usize, RangeInclusive<usize>);

/// Requires that the number of occurrences of each listed value is in its range. Other values are not
/// bounded. Also known as the global cardinality constraint. A value that no variable has is an error,
/// and so is an empty range.
///
/// If values may occur at most once, [`all_different`](super::all_different) with
/// [`except`](Constraint::except) needs fewer states.
///
/// States: at most the product of the numbers of occurrences.
///
/// ```
/// use topdd::constraint;
///
/// // Words of four letters over 0, 1 and 2 with one 0 and at most one 1.
/// let words = constraint::occurrences([3; 4], [(0, 1..=1), (1, 0..=1)]);
/// assert_eq!(topdd::count(&words)?, 16u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn occurrences(
    space: impl Into<Space>,
    bounds: impl IntoIterator<Item = (usize, impl RangeBounds<usize>)>,
) -> Constraint<Occurrences> {
    let bounds = bounds.into_iter().map(|(value, range)| (value, inclusive(&range)));
    Constraint::new(space, Occurrences(bounds.collect()))
}

impl ConstraintKind for Occurrences {
    type Reader = Sums;

    fn name(&self) -> &'static str {
        "occurrences"
    }

    fn reader(&self, arities: &[usize]) -> Result<Sums, String> {
        let row = |(counted, bounds): &BoundedValue| {
            check_value(arities, *counted)?;
            Row::counting(arities, |_, value| value == *counted, bounds)
                .map_err(|message| format!("value {counted}: {message}"))
        };
        let rows = Sums::new(self.0.iter().map(row).collect::<Result<_, String>>()?);
        Ok(rows.of_values(self.0.iter().map(|(value, _)| *value).collect()))
    }
}
