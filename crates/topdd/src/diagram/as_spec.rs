//! A diagram is a spec: it can be combined with specs and built again.

use super::store::{NodeId, ONE, ZERO};
use super::{Diagram, DiagramRule};
use crate::spec::{DdSpec, Rule, Step};
use std::ops::ControlFlow;

/// The state of a [`Diagram`] as a spec: a node, and the variable of the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DiagramState {
    node: NodeId,
    /// The variable that the walk is at, with [`STEPWISE`] when it visits the variables
    /// that the diagram skips.
    place: u32,
}

crate::portable!(DiagramState { node, place });

/// Set when the walk serves a diagram under the other rule, in which a skipped variable would have
/// another meaning: so it skips none.
const STEPWISE: u32 = 1 << 31;

impl DiagramState {
    fn is_stepwise(self) -> bool {
        self.place & STEPWISE != 0
    }
}

impl<R: DiagramRule> Diagram<R> {
    /// Returns the step to `node` when the variables before `next` are decided.
    fn step_to(&self, node: NodeId, next: usize, stepwise: bool) -> Step<DiagramState> {
        let at = match node {
            ZERO => return Step::Zero,
            ONE if !stepwise || next == self.num_vars() => return Step::One,
            _ if stepwise => next,
            _ => self.store.variable_of(node),
        };
        let flag = if stepwise { STEPWISE } else { 0 };
        Step::To(at, DiagramState { node, place: at as u32 | flag })
    }
}

/// The diagram is a spec under its own rule. Built under the other rule, it visits the variables it
/// skips one by one, so that the family stays the same.
impl<R: DiagramRule> DdSpec for Diagram<R> {
    type State = DiagramState;

    fn num_vars(&self) -> usize {
        Diagram::num_vars(self)
    }

    fn arity(&self, variable: usize) -> usize {
        Diagram::arity(self, variable)
    }

    fn root(&self) -> Step<DiagramState> {
        // Right under both rules.
        self.step_to(self.store.root, 0, true)
    }

    fn root_under(&self, rule: Rule) -> Step<DiagramState> {
        self.step_to(self.store.root, 0, rule != R::RULE)
    }

    fn child(&self, state: &DiagramState, variable: usize, value: usize) -> Step<DiagramState> {
        let child = self.store.follow(state.node, variable, value);
        // A node is no child of its own, so the variable is skipped.
        if child == state.node && !R::RULE.allows(value) {
            return Step::Zero;
        }
        self.step_to(child, variable + 1, state.is_stepwise())
    }

    fn for_each_child<B>(
        &self,
        state: &DiagramState,
        variable: usize,
        mut visit: impl FnMut(usize, Step<DiagramState>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let allowed =
            |&(value, child): &(usize, NodeId)| child != state.node || R::RULE.allows(value);
        let mut edges = self.store.edges_at(state.node, variable).take_while(allowed);
        edges.try_for_each(|(value, child)| {
            visit(value, self.step_to(child, variable + 1, state.is_stepwise()))
        })
    }

    fn describe(&self, state: &DiagramState) -> String {
        format!("node {} at variable {}", state.node, state.place & !STEPWISE)
    }
}
