//! Combinators: specs made of specs.

/// The combinators as methods of every spec.
pub trait SpecExt: super::DdSpec + Sized {}

impl<S: super::DdSpec> SpecExt for S {}
