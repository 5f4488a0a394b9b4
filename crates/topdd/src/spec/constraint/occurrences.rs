//! Bounds of the occurrences of values.

use super::Constraint;
use super::kind::{ConstraintKind, check_bounds, check_value, ends};
use super::sums::{Row, Sums};
use crate::spec::Space;
use std::ops::RangeBounds;

/// Bounds of the number of occurrences of values; the kind of [`occurrences`].
#[derive(Clone, Debug)]
pub struct Occurrences(Vec<BoundedValue>);

/// A value, and the least and the greatest number of its occurrences.
type BoundedValue = (usize, (usize, usize));

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
    let bounds = bounds.into_iter().map(|(value, range)| (value, ends(&range)));
    Constraint::new(space, Occurrences(bounds.collect()))
}

impl ConstraintKind for Occurrences {
    type Reader = Sums;

    fn name(&self) -> &'static str {
        "occurrences"
    }

    fn reader(&self, arities: &[usize]) -> Result<Sums, String> {
        for &(value, (least, most)) in &self.0 {
            check_value(arities, value)?;
            check_bounds(least, most).map_err(|message| format!("value {value}: {message}"))?;
        }
        let row = |&(counted, (least, most)): &BoundedValue| {
            let bound = |k: usize| i64::try_from(k).unwrap_or(i64::MAX);
            let term = |_, value| i64::from(value == counted);
            Row::new(arities, term, bound(least)..=bound(most))
        };
        let rows = Sums::new(self.0.iter().map(row).collect::<Result<_, _>>()?);
        Ok(rows.of_values(self.0.iter().map(|&(value, _)| value).collect()))
    }
}
