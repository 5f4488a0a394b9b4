//! The two parts of a constraint: its settings, and the reader of values.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{Bound, RangeBounds, RangeInclusive};

/// The settings of a constraint, such as a bound.
///
/// [`Constraint`](super::Constraint) makes a spec of it: it places the variables of the constraint
/// in a larger space, leaves the others free, and ends when no later value can break
/// the constraint.
pub trait ConstraintKind: Clone + Debug + Sync {
    /// The reader of the values.
    type Reader: Reader;

    /// Returns the name of the constraint, for errors and traces.
    fn name(&self) -> &'static str;

    /// Prepares the constraint for variables of the given arities, none of which is 0.
    ///
    /// # Errors
    ///
    /// A message that names the setting or variable that does not fit, and why.
    fn reader(&self, arities: &[usize]) -> Result<Self::Reader, String>;
}

/// A constraint that reads the values of its variables one after the other. The same contract holds
/// as for [`DdSpec`](crate::DdSpec): equal states have the same future.
pub trait Reader: Clone + Debug + Send + Sync {
    /// The state after some values; see [`DdSpec::State`](crate::DdSpec::State).
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;

    /// Returns the status before the first value.
    fn start(&self) -> Outcome<Self::State>;

    /// Returns the status after the variable at `position` of the constraint, counted from 0, took
    /// `value` in `state`.
    fn read(&self, state: &Self::State, position: usize, value: usize) -> Outcome<Self::State>;

    /// Returns the only value of the variable at `position` after which the constraint is not broken, if
    /// one comparison determines it; see [`DdSpec::forced`](crate::DdSpec::forced). `None`, the default, is
    /// always correct, and faster if many forced states follow one another.
    #[inline]
    fn forced(&self, state: &Self::State, position: usize) -> Option<usize> {
        let _ = (state, position);
        None
    }

    /// Returns an earlier position at which all states have the same [`read`](Reader::read) and
    /// [`forced`](Reader::forced), if there is one; see [`DdSpec::like`](crate::DdSpec::like). The variables of positions
    /// with different arities are not taken as alike. `None` is always correct.
    fn like(&self, position: usize) -> Option<usize> {
        let _ = position;
        None
    }

    /// Returns whether the values that led to `state` are a solution. Called after the last variable
    /// of the constraint only. `true` unless overridden.
    fn accepts(&self, state: &Self::State) -> bool {
        let _ = state;
        true
    }

    /// Writes a state as text, for errors and traces: `{state:?}` unless overridden.
    fn describe(&self, state: &Self::State) -> String {
        format!("{state:?}")
    }
}

/// The status of a constraint after some values; returned by [`Reader::start`] and
/// [`Reader::read`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome<S> {
    /// No solution starts with these values.
    Broken,
    /// The constraint holds for any values that follow.
    Met,
    /// The outcome depends on the values that follow.
    Open(S),
}

/// Fails if the variable at `position` does not have the value.
pub(super) fn check_pair(arities: &[usize], position: usize, value: usize) -> Result<(), String> {
    match arities.get(position) {
        None => Err(format!(
            "there is no variable {position}: the constraint has {} variables",
            arities.len()
        )),
        Some(&arity) if value >= arity => Err(format!(
            "variable {position} of the constraint takes values 0..{arity}, not {value} (give the \
             arities first, as in `[3; 24]`)"
        )),
        Some(_) => Ok(()),
    }
}

/// Returns the same range with both ends included; `1..=0` if it is empty.
pub(super) fn inclusive(range: &impl RangeBounds<usize>) -> RangeInclusive<usize> {
    let least = match range.start_bound() {
        Bound::Included(&least) => Some(least),
        Bound::Excluded(&below) => below.checked_add(1),
        Bound::Unbounded => Some(0),
    };
    let most = match range.end_bound() {
        Bound::Included(&most) => Some(most),
        Bound::Excluded(&above) => above.checked_sub(1),
        Bound::Unbounded => Some(usize::MAX),
    };
    let (least, most) = least.zip(most).unwrap_or((1, 0));
    least..=most
}

/// Fails if no number is within the bounds.
pub(super) fn check_bounds(bounds: &RangeInclusive<usize>) -> Result<(), String> {
    if bounds.is_empty() { Err(format!("the range {bounds:?} is empty")) } else { Ok(()) }
}

/// Fails if no variable has the value. Without variables there is nothing to check.
pub(super) fn check_value(arities: &[usize], value: usize) -> Result<(), String> {
    match arities.iter().max() {
        Some(&arity) if value >= arity => Err(format!("no variable has the value {value}")),
        _ => Ok(()),
    }
}
