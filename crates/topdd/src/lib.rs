//! topdd builds decision diagrams from the top down.

pub mod check;
pub mod spec;

pub use spec::{DdSpec, Rule, SpecExt, Step};
