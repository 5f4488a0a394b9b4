//! The two rules as types, so that a ZDD cannot be taken for a BDD.

use crate::spec::Rule;
use std::fmt;

mod sealed {
    pub trait Sealed {}
}

/// A [`Rule`] as a type: [`ZeroSuppressed`] or [`AnyValue`]. Sealed: there are no others.
///
/// ```
/// use topdd::{Bdd, Diagram, Zdd, diagram::DiagramRule};
///
/// fn name<R: DiagramRule>(_: &Diagram<R>) -> String {
///     format!("{}: {:?}", R::NAME, R::RULE)
/// }
///
/// assert_eq!(name(&Zdd::empty([2])?), "Zdd: ZeroSuppressed");
/// assert_eq!(name(&Bdd::empty([2])?), "Bdd: AnyValue");
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub trait DiagramRule: sealed::Sealed + Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// The rule as a value.
    const RULE: Rule;
    /// The name of the type of diagrams under this rule.
    const NAME: &'static str;
}

/// Skipped variables have the value 0: the rule of a [`Zdd`](crate::Zdd). See
/// [`Rule::ZeroSuppressed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ZeroSuppressed;

/// Skipped variables may have any value: the rule of a [`Bdd`](crate::Bdd). See
/// [`Rule::AnyValue`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AnyValue;

impl sealed::Sealed for ZeroSuppressed {}
impl sealed::Sealed for AnyValue {}

impl DiagramRule for ZeroSuppressed {
    const RULE: Rule = Rule::ZeroSuppressed;
    const NAME: &'static str = "Zdd";
}

impl DiagramRule for AnyValue {
    const RULE: Rule = Rule::AnyValue;
    const NAME: &'static str = "Bdd";
}
