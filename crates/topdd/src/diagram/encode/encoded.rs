//! A multi-valued diagram as a spec over the two-valued variables of an encoding.

use super::{Code, Encoding};
use crate::BuildError;
use crate::diagram::build;
use crate::diagram::store::{FIRST_NODE, NodeId, ONE, Store, ZERO};
use crate::spec::{DdSpec, Rule, Step};

/// The spec of [`Diagram::encode`].
// Not generic, so it is compiled here.
pub(super) struct Encoded<'a> {
    encoding: &'a Encoding,
    store: &'a Store,
    rule: Rule,
}

/// A position of a walk among the two-valued variables of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct CodeState {
    /// The current node of the diagram, or the next one if the value is determined. It may skip the
    /// variable.
    node: NodeId,
    /// The known part of the value: its digits so far in the binary code; in the other codes a lower
    /// bound, the number of two-valued variables so far. `None` if the value is determined and the
    /// remaining bits must be 0. A ZDD has no such state, because its skipped bits are 0.
    digits: Option<u32>,
}

crate::portable!(CodeState { node, digits });

impl<'a> Encoded<'a> {
    pub(super) fn new(encoding: &'a Encoding, store: &'a Store, rule: Rule) -> Self {
        Encoded { encoding, store, rule }
    }

    /// Builds the diagram of the spec.
    pub(super) fn build(&self) -> Result<Store, BuildError> {
        build::boxed(self, self.rule)
    }

    /// Returns the least value of `variable` from `from` on that has solutions, and the child
    /// there.
    fn next(&self, node: NodeId, variable: usize, from: usize) -> Option<(usize, NodeId)> {
        let store = self.store;
        if node >= FIRST_NODE {
            let level = store.level(store.level_of(node, store.level_count()));
            if level.variable == variable {
                let edge = level.edge_from((node - level.first) as usize, from)?;
                return Some((edge.value as usize, edge.target));
            }
        }
        let values = match self.rule {
            Rule::ZeroSuppressed => 1,
            Rule::AnyValue => self.encoding.arities()[variable],
        };
        (from < values).then_some((from, node))
    }

    /// Returns the step to a node, which is not the 0-terminal, when the variables before
    /// `variable` are decided.
    fn enter(&self, mut node: NodeId, mut variable: usize) -> Step<CodeState> {
        let zero_suppressed = self.rule == Rule::ZeroSuppressed;
        loop {
            if zero_suppressed && self.encoding.code() != Code::OneHot {
                // A skipped variable is 0, and so are all its digits.
                variable = self.store.variable_of(node);
            }
            if variable == self.encoding.arities().len() {
                debug_assert_eq!(node, ONE);
                return Step::One;
            }
            let bits = self.encoding.bits(variable);
            let state = CodeState { node, digits: Some(0) };
            if bits.is_empty() {
                // The variable has a single value.
                match self.next(node, variable, 0) {
                    Some((_, target)) => node = target,
                    None => return Step::Zero,
                }
                variable += 1;
            } else if zero_suppressed && self.encoding.code() == Code::OneHot {
                return match self.next(node, variable, 0) {
                    Some((value, _)) => Step::To(bits.start + value, state),
                    None => Step::Zero,
                };
            } else {
                return Step::To(bits.start, state);
            }
        }
    }

    /// Returns the step from the two-valued variable `bit` of `variable` when the value is
    /// determined and leads to `target`.
    fn decided(&self, target: NodeId, variable: usize, bit: usize) -> Step<CodeState> {
        let last = bit + 1 == self.encoding.bits(variable).end;
        if last || self.rule == Rule::ZeroSuppressed {
            self.enter(target, variable + 1)
        } else {
            Step::To(bit + 1, CodeState { node: target, digits: None })
        }
    }
}

impl DdSpec for Encoded<'_> {
    type State = CodeState;

    fn num_vars(&self) -> usize {
        self.encoding.num_vars()
    }

    fn root(&self) -> Step<CodeState> {
        if self.store.root == ZERO { Step::Zero } else { self.enter(self.store.root, 0) }
    }

    fn child(&self, state: &CodeState, bit: usize, value: usize) -> Step<CodeState> {
        let variable = self.encoding.variable_of(bit);
        let bits = self.encoding.bits(variable);
        let (offset, last) = (bit - bits.start, bit + 1 == bits.end);
        let CodeState { node, digits } = *state;
        let Some(digits) = digits else {
            return match value {
                0 => self.decided(node, variable, bit),
                _ => Step::Zero,
            };
        };
        // Whether this value of the two-valued variable determines the value of the variable.
        let decides = match self.encoding.code() {
            Code::OneHot => value == 1,
            Code::Order => value == 0,
            Code::Binary => {
                let digits = (digits as usize) << 1 | value;
                let left = bits.end - 1 - bit;
                // The values that start with these digits are from `least` to `most`.
                let least = digits << left;
                let most = least | ((1 << left) - 1);
                return match self.next(node, variable, least) {
                    Some((found, target)) if found <= most && last => {
                        self.enter(target, variable + 1)
                    }
                    Some((found, _)) if found <= most => {
                        Step::To(bit + 1, CodeState { node, digits: Some(digits as u32) })
                    }
                    _ => Step::Zero,
                };
            }
        };
        if decides {
            return match self.next(node, variable, offset) {
                Some((found, target)) if found == offset => self.decided(target, variable, bit),
                _ => Step::Zero,
            };
        }
        // A greater value, if there is one.
        let Some((found, target)) = self.next(node, variable, offset + 1) else {
            return Step::Zero;
        };
        match self.encoding.code() {
            Code::Order if last => self.enter(target, variable + 1),
            Code::OneHot if self.rule == Rule::ZeroSuppressed => {
                Step::To(bits.start + found, *state)
            }
            _ => Step::To(bit + 1, *state),
        }
    }
}
