//! The two readings of a skipped variable.

use std::fmt;

/// The meaning of a variable that a path of a diagram, or a step of a spec, skips.
///
/// The rule belongs to the diagram: the same spec may be built under either. It
/// also determines which nodes are redundant and are removed by reduction.
///
/// ```
/// use topdd::{DdSpec, Rule, Step, check};
///
/// /// Variable 1 is 1; the others are skipped.
/// struct Second;
///
/// impl DdSpec for Second {
///     type State = ();
///     fn num_vars(&self) -> usize { 3 }
///     fn root(&self) -> Step<()> { Step::To(1, ()) }
///     fn child(&self, (): &(), _: usize, value: usize) -> Step<()> {
///         if value == 1 { Step::One } else { Step::Zero }
///     }
/// }
///
/// assert_eq!(check::brute_force(&Second, Rule::ZeroSuppressed)?, [[0, 1, 0]]);
/// assert_eq!(check::brute_force(&Second, Rule::AnyValue)?.len(), 4); // 0 and 2 are free
/// # Ok::<(), check::Violation>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// A skipped variable has the value 0: the diagram is a ZDD.
    ///
    /// A node is redundant when all its values but 0 lead to the 0-terminal.
    ZeroSuppressed,
    /// A skipped variable may have any of its values: the diagram is a BDD (an MDD
    /// where arities exceed two).
    ///
    /// A node is redundant when all its values lead to the same node or terminal.
    AnyValue,
}

impl Rule {
    /// Returns whether a skipped variable may have `value` under this rule.
    ///
    /// ```
    /// use topdd::Rule;
    ///
    /// assert!(Rule::ZeroSuppressed.allows(0) && !Rule::ZeroSuppressed.allows(1));
    /// assert!(Rule::AnyValue.allows(1));
    /// ```
    #[inline]
    pub fn allows(self, value: usize) -> bool {
        value == 0 || self == Rule::AnyValue
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::ZeroSuppressed => "zero-suppressed",
            Rule::AnyValue => "any value",
        })
    }
}
