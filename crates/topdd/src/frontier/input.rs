//! The input of a sweep.

use super::expander::Expander;
use super::payload::Payload;
use crate::spec::{Arities, Rule};

/// The input of a sweep.
#[derive(Clone, Copy)]
pub(super) struct Input<'a> {
    pub(super) expander: &'a dyn Expander,
    pub(super) payload: &'a dyn Payload,
    pub(super) arities: &'a Arities,
    pub(super) rule: Rule,
}
