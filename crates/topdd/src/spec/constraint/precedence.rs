//! The order in which values occur first.

use super::Constraint;
use super::kind::{ConstraintKind, Outcome, Reader, check_value};
use crate::spec::Space;

/// An order in which values occur first; the kind of [`precedence`].
#[derive(Clone, Debug)]
pub struct Precedence(Vec<usize>);

/// Requires that no value of the list occurs before all values that precede it in the list. Other values
/// occur anywhere. A value that no variable has is an error.
///
/// This removes symmetric solutions where values are interchangeable, as the colours of a colouring are.
///
/// States: at most one more per variable than the list has values.
///
/// Reference: Y. C. Law and J. H. M. Lee, "Global constraints for integer and set value precedence", 2004.
///
/// ```
/// // Partitions of four items into at most three classes.
/// assert_eq!(topdd::count(&topdd::constraint::precedence([3; 4], [0, 1, 2]))?, 14u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn precedence(
    space: impl Into<Space>,
    values: impl IntoIterator<Item = usize>,
) -> Constraint<Precedence> {
    Constraint::new(space, Precedence(values.into_iter().collect()))
}

/// The reader of first occurrences.
#[derive(Clone, Debug)]
pub struct Firsts {
    values: usize,
    /// The position of each value in the list.
    places: Vec<Option<usize>>,
}

impl ConstraintKind for Precedence {
    type Reader = Firsts;

    fn name(&self) -> &'static str {
        "precedence"
    }

    fn reader(&self, arities: &[usize]) -> Result<Firsts, String> {
        let mut places = vec![None; arities.iter().copied().max().unwrap_or(0)];
        for (place, &value) in self.0.iter().enumerate() {
            check_value(arities, value)?;
            if let Some(Some(first)) = places.get(value) {
                return Err(format!("value {value} is listed twice, at {first} and {place}"));
            }
            if let Some(at) = places.get_mut(value) {
                *at = Some(place);
            }
        }
        Ok(Firsts { values: self.0.len(), places })
    }
}

impl Firsts {
    fn outcome(&self, seen: usize) -> Outcome<u32> {
        if seen == self.values { Outcome::Met } else { Outcome::Open(seen as u32) }
    }
}

impl Reader for Firsts {
    type State = u32;

    fn start(&self) -> Outcome<u32> {
        self.outcome(0)
    }

    #[inline]
    fn read(&self, &seen: &u32, _: usize, value: usize) -> Outcome<u32> {
        let seen = seen as usize;
        match self.places[value] {
            Some(place) if place > seen => Outcome::Broken,
            Some(place) if place == seen => self.outcome(seen + 1),
            _ => Outcome::Open(seen as u32),
        }
    }

    fn like(&self, position: usize) -> Option<usize> {
        position.checked_sub(1)
    }

    fn describe(&self, seen: &u32) -> String {
        format!("{seen} of {} seen", self.values)
    }
}
