//! Diagrams as specs over other variables: encoded in two-valued ones, and decoded to multi-valued ones.

use super::{Code, Encoding};
use crate::BuildError;
use crate::diagram::build;
use crate::diagram::store::{FIRST_NODE, NodeId, NodeStore, Nodes, ONE, ZERO};
use crate::spec::{DdSpec, Rule, Step};
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// The spec of [`Diagram::encode`].
// Not generic, so it is compiled here.
pub(super) struct Encoded<'a> {
    encoding: &'a Encoding,
    store: &'a NodeStore,
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
    pub(super) fn new(encoding: &'a Encoding, store: &'a NodeStore, rule: Rule) -> Self {
        Encoded { encoding, store, rule }
    }

    /// Builds the diagram of the spec.
    pub(super) fn build(&self) -> Result<NodeStore, BuildError> {
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

/// The spec of [`Diagram::decode`]. A state is a node at one of the two-valued variables of the
/// variable.
// Not generic, so it is compiled here.
pub(super) struct Decoded<'a> {
    encoding: &'a Encoding,
    store: &'a NodeStore,
    rule: Rule,
    /// For each node id, the node reached when the two-valued variables from there to the end of
    /// the same variable are 0. Behind the bit that determines the value, these are the code.
    zeros: Vec<NodeId>,
}

impl<'a> Decoded<'a> {
    pub(super) fn new(encoding: &'a Encoding, store: &'a NodeStore, rule: Rule) -> Self {
        let mut zeros = Vec::with_capacity(FIRST_NODE as usize + store.node_count());
        zeros.extend([ZERO, ONE]);
        for level in store.levels() {
            let end = encoding.bits(encoding.variable_of(level.variable)).end;
            if let Nodes::Pairs(pairs) = level.nodes {
                for &[zero, _] in pairs {
                    let within = store.variable_of(zero) < end;
                    zeros.push(if within { zeros[zero as usize] } else { zero });
                }
            }
        }
        Decoded { encoding, store, rule, zeros }
    }

    /// Builds the diagram of the spec.
    pub(super) fn build(&self) -> Result<NodeStore, BuildError> {
        build::boxed(self, self.rule)
    }

    /// Returns the node reached when the two-valued variables up to `end` are 0.
    fn zeros(&self, node: NodeId, end: usize) -> NodeId {
        if self.bit_of(node) < end { self.zeros[node as usize] } else { node }
    }

    /// The two-valued variable of a node; the number of all for a terminal.
    fn bit_of(&self, node: NodeId) -> usize {
        self.store.variable_of(node)
    }

    fn follow(&self, node: NodeId, bit: usize, value: usize) -> NodeId {
        let store = self.store;
        if node >= FIRST_NODE {
            let level = store.level(store.level_of(node, store.level_count()));
            if level.variable == bit {
                return level.child((node - level.first) as usize, value);
            }
        }
        if self.rule.allows(value) { node } else { ZERO }
    }

    /// Returns the step to a node that is at no two-valued variable of a variable before
    /// `variable`.
    fn step(&self, node: NodeId, variable: usize) -> Step<NodeId> {
        if node == ZERO {
            return Step::Zero;
        }
        let at = self.encoding.variable_of(self.bit_of(node));
        // In the other cases a skipped variable and its skipped two-valued variables mean the same.
        if at > variable
            && self.encoding.code() == Code::OneHot
            && self.rule == Rule::ZeroSuppressed
        {
            return Step::Zero;
        }
        if at == self.encoding.arities().len() { Step::One } else { Step::To(at, node) }
    }
}

/// One method for each code. It calls `visit` for the values of a variable, with the node behind its
/// two-valued variables.
impl Decoded<'_> {
    fn visit_one_hot<B>(
        &self,
        mut node: NodeId,
        variable: usize,
        mut visit: impl FnMut(usize, NodeId) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let bits = self.encoding.bits(variable);
        let mut bit = bits.start;
        while node != ZERO && bit < bits.end {
            if self.rule == Rule::ZeroSuppressed {
                // Skipped two-valued variables are 0.
                bit = self.bit_of(node);
                if bit >= bits.end {
                    break;
                }
            }
            let one = self.follow(node, bit, 1);
            visit(bit - bits.start, self.zeros(one, bits.end))?;
            node = self.follow(node, bit, 0);
            bit += 1;
        }
        ControlFlow::Continue(())
    }

    fn visit_order<B>(
        &self,
        mut node: NodeId,
        variable: usize,
        mut visit: impl FnMut(usize, NodeId) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let bits = self.encoding.bits(variable);
        for bit in bits.clone() {
            let zero = self.follow(node, bit, 0);
            visit(bit - bits.start, self.zeros(zero, bits.end))?;
            node = self.follow(node, bit, 1);
            if node == ZERO {
                return ControlFlow::Continue(());
            }
        }
        visit(bits.len(), node)
    }

    fn visit_binary<B>(
        &self,
        node: NodeId,
        variable: usize,
        mut visit: impl FnMut(usize, NodeId) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let bits = self.encoding.bits(variable);
        // Nodes, the digits on the path to them, and the next two-valued variable.
        let mut stack: SmallVec<[(NodeId, usize, usize); 32]> = SmallVec::new();
        stack.push((node, 0, bits.start));
        while let Some((node, digits, bit)) = stack.pop() {
            let left = bits.end - bit;
            if node == ZERO || digits << left >= self.encoding.arities()[variable] {
                continue;
            }
            if left == 0 {
                visit(digits, node)?;
                continue;
            }
            for value in [1, 0] {
                let child = self.follow(node, bit, value);
                stack.push((child, digits << 1 | value, bit + 1));
            }
        }
        ControlFlow::Continue(())
    }
}

impl DdSpec for Decoded<'_> {
    type State = NodeId;

    fn num_vars(&self) -> usize {
        self.encoding.arities().len()
    }

    fn arity(&self, variable: usize) -> usize {
        self.encoding.arities()[variable]
    }

    fn root(&self) -> Step<NodeId> {
        self.step(self.store.root, 0)
    }

    fn child(&self, &node: &NodeId, variable: usize, value: usize) -> Step<NodeId> {
        let bits = self.encoding.bits(variable);
        let count = bits.len();
        let node = bits.enumerate().fold(node, |node, (index, bit)| {
            self.follow(node, bit, usize::from(self.encoding.bit(count, index, value)))
        });
        self.step(node, variable + 1)
    }

    fn for_each_child<B>(
        &self,
        &node: &NodeId,
        variable: usize,
        mut visit: impl FnMut(usize, Step<NodeId>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let visit = |value: usize, node: NodeId| {
            if node == ZERO {
                return ControlFlow::Continue(());
            }
            visit(value, self.step(node, variable + 1))
        };
        match self.encoding.code() {
            Code::OneHot => self.visit_one_hot(node, variable, visit),
            Code::Order => self.visit_order(node, variable, visit),
            Code::Binary => self.visit_binary(node, variable, visit),
        }
    }

    fn describe(&self, node: &NodeId) -> String {
        format!("node {node} of the two-valued diagram")
    }
}
