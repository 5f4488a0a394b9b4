//! A diagram is a spec: it can be combined with specs and built again.

use super::store::{FIRST_NODE, NodeId, ONE, ZERO};
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
        let stepwise = state.place & STEPWISE != 0;
        if state.node >= FIRST_NODE {
            let level = self.store.level(self.store.level_of(state.node, self.store.level_count()));
            if level.variable == variable {
                let child = level.child((state.node - level.first) as usize, value);
                return self.step_to(child, variable + 1, stepwise);
            }
        }
        if R::RULE.allows(value) {
            self.step_to(state.node, variable + 1, stepwise)
        } else {
            Step::Zero
        }
    }

    fn for_each_child<B>(
        &self,
        state: &DiagramState,
        variable: usize,
        mut visit: impl FnMut(usize, Step<DiagramState>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let stepwise = state.place & STEPWISE != 0;
        if state.node >= FIRST_NODE {
            let level = self.store.level(self.store.level_of(state.node, self.store.level_count()));
            if level.variable == variable {
                for edge in level.edges((state.node - level.first) as usize) {
                    visit(edge.value as usize, self.step_to(edge.target, variable + 1, stepwise))?;
                }
                return ControlFlow::Continue(());
            }
        }
        let values = match R::RULE {
            Rule::ZeroSuppressed => 1,
            Rule::AnyValue => Diagram::arity(self, variable),
        };
        for value in 0..values {
            visit(value, self.step_to(state.node, variable + 1, stepwise))?;
        }
        ControlFlow::Continue(())
    }

    fn describe(&self, state: &DiagramState) -> String {
        format!("node {} at variable {}", state.node, state.place & !STEPWISE)
    }
}
