//! The two rules as types, so that a ZDD cannot be taken for a BDD.

use crate::spec::Rule;
use std::fmt;

mod sealed {
    pub trait Sealed {}
}

/// A [`Rule`] as a type: [`ZeroSuppressed`] or [`AnyValue`].
pub trait DiagramRule: sealed::Sealed + Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// The rule as a value.
    const RULE: Rule;
    /// What a diagram under this rule is called.
    const NAME: &'static str;
}

/// Skipped variables have the value 0; see [`Rule::ZeroSuppressed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ZeroSuppressed;

/// Skipped variables may have any value; see [`Rule::AnyValue`].
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
