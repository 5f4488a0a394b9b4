//! Decisions: values that a variable must or must not have.

use crate::QueryError;
use crate::spec::{Arities, PerValue, Rule};
use std::fmt;

/// A decision that a variable has, or does not have, a value.
///
/// [`Diagram::restrict`](crate::Diagram::restrict) takes a list of them, and a
/// [`Configurator`](crate::Configurator) one after the other.
///
/// With the feature `serde`, a decision is (de)serialised as
/// `{"is": {"variable": 3, "value": 0}}` or `{"is_not": ..}`.
///
/// ```
/// use topdd::Decision;
///
/// let decision = Decision::is_not(3, 0);
/// assert_eq!((decision.variable(), decision.value()), (3, 0));
/// assert!(decision.allows(1) && !decision.allows(0));
/// assert_eq!(decision.to_string(), "variable 3 != 0");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Decision {
    /// The variable has the value.
    Is {
        /// The variable.
        variable: usize,
        /// The value chosen.
        value: usize,
    },
    /// The variable has any other value.
    #[cfg_attr(feature = "serde", serde(alias = "not"))] // the word of version 0.1
    IsNot {
        /// The variable.
        variable: usize,
        /// The value ruled out.
        value: usize,
    },
}

impl Decision {
    /// Makes the decision that `variable` has `value`.
    pub fn is(variable: usize, value: usize) -> Self {
        Decision::Is { variable, value }
    }

    /// Makes the decision that `variable` has a value other than `value`.
    pub fn is_not(variable: usize, value: usize) -> Self {
        Decision::IsNot { variable, value }
    }

    /// Returns the variable of the decision.
    pub fn variable(&self) -> usize {
        match *self {
            Decision::Is { variable, .. } | Decision::IsNot { variable, .. } => variable,
        }
    }

    /// Returns the value that is chosen or ruled out.
    pub fn value(&self) -> usize {
        match *self {
            Decision::Is { value, .. } | Decision::IsNot { value, .. } => value,
        }
    }

    /// Returns whether a solution in which the variable has this `value` agrees with the decision.
    pub fn allows(&self, value: usize) -> bool {
        match *self {
            Decision::Is { value: chosen, .. } => value == chosen,
            Decision::IsNot { value: forbidden, .. } => value != forbidden,
        }
    }

    /// Fails if the variable or the value does not exist.
    pub(super) fn check(&self, arities: &Arities) -> Result<(), QueryError> {
        let (variable, value) = (self.variable(), self.value());
        let num_vars = arities.num_vars();
        if variable >= num_vars {
            return Err(QueryError::NoSuchVariable { variable, num_vars });
        }
        let arity = arities.get(variable);
        if value >= arity {
            return Err(QueryError::ValueOutOfRange { variable, value, arity });
        }
        Ok(())
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Decision::Is { variable, value } => write!(f, "variable {variable} = {value}"),
            Decision::IsNot { variable, value } => write!(f, "variable {variable} != {value}"),
        }
    }
}

/// The reason why a decision is impossible: no solution agrees with the decision and with some other
/// decisions. `Display` writes it as a sentence.
///
/// ```
/// use topdd::{QueryError, Zdd};
///
/// let mut game = Zdd::from_solutions([2, 2], [[0, 1], [1, 0]])?.configure()?;
/// game.choose(0, 1)?;
/// let Err(QueryError::Impossible(conflict)) = game.choose(1, 1) else { panic!() };
/// assert_eq!(
///     conflict.to_string(),
///     "variable 1 = 1 is impossible: variable 0 = 1 rules it out (take that back first)",
/// );
/// # Ok::<(), QueryError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Conflict {
    /// The impossible decision.
    pub decision: Decision,
    /// The decisions in force that rule it out together, in the order in which they were taken.
    /// Without any one of them they do not. Empty if no solution of the diagram agrees with the
    /// decision.
    pub because: Vec<Decision>,
    /// Whether no smaller set of decisions in force rules it out. `false` only if the search for a
    /// smaller set took too long.
    pub smallest: bool,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is impossible: ", self.decision)?;
        match &self.because[..] {
            [] => f.write_str("no solution of the diagram has it"),
            [one] => write!(f, "{one} rules it out (take that back first)"),
            [first, rest @ ..] => {
                write!(f, "{first}")?;
                rest.iter().try_for_each(|decision| write!(f, ", {decision}"))?;
                f.write_str(" rule it out together (take one of them back first)")
            }
        }
    }
}

/// The values that each variable may have.
#[derive(Clone, Debug)]
pub(super) struct Mask {
    allowed: PerValue<bool>,
    /// The number of values allowed, by variable.
    left: Vec<u32>,
    /// The number of variables without an allowed value.
    none_left: usize,
}

impl Mask {
    /// Allows all values.
    pub(super) fn all(arities: &Arities) -> Self {
        let allowed = PerValue::new(arities.iter(), |_, _| true);
        Mask { allowed, left: arities.iter().map(|arity| arity as u32).collect(), none_left: 0 }
    }

    /// Allows the values that agree with all decisions, which must have been checked.
    pub(super) fn new<'a>(
        arities: &Arities,
        decisions: impl IntoIterator<Item = &'a Decision>,
    ) -> Self {
        let mut mask = Self::all(arities);
        for decision in decisions {
            mask.restrict(decision);
        }
        mask
    }

    /// Removes the values that do not agree with a decision.
    pub(super) fn restrict(&mut self, decision: &Decision) {
        let variable = decision.variable();
        for (value, allowed) in self.allowed.variable_mut(variable).iter_mut().enumerate() {
            if *allowed && !decision.allows(value) {
                *allowed = false;
                self.left[variable] -= 1;
                self.none_left += usize::from(self.left[variable] == 0);
            }
        }
    }

    /// The values of a variable, allowed or not.
    #[inline]
    pub(super) fn values(&self, variable: usize) -> &[bool] {
        self.allowed.variable(variable)
    }

    /// The number of values of a variable that are allowed.
    pub(super) fn left(&self, variable: usize) -> usize {
        self.left[variable] as usize
    }

    /// Returns whether no assignment is allowed, because some variable has no value left.
    pub(super) fn is_empty(&self) -> bool {
        self.none_left > 0
    }

    /// Returns whether the mask changes the reading of a skipped variable.
    pub(super) fn changes_skipped(&self, variable: usize, rule: Rule) -> bool {
        let of = self.values(variable);
        match rule {
            Rule::ZeroSuppressed => !of[0],
            Rule::AnyValue => self.left(variable) < of.len(),
        }
    }
}
