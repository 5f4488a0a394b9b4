//! Removal of dead states before they are built.

use smallvec::SmallVec;
use std::ops::ControlFlow;

use super::super::{DdSpec, Forced, Rule, Step};
use super::operand::visit_unless_zero;

/// A spec that drops states all of whose paths soon reach the 0-terminal; see
/// [`SpecExt::lookahead`](super::SpecExt::lookahead).
#[derive(Clone, Copy, Debug)]
pub struct Lookahead<S> {
    spec: S,
    depth: usize,
}

impl<S: DdSpec> Lookahead<S> {
    pub(super) fn new(spec: S, depth: usize) -> Self {
        Self { spec, depth }
    }

    /// Returns the step, or the 0-terminal if its state dies within the depth. `next` is the first
    /// variable that the step may lead to.
    #[inline]
    fn look(&self, step: Step<S::State>, next: usize) -> Step<S::State> {
        match step {
            Step::To(variable, state)
                if self.depth > 0
                    // No lookahead where the contract is broken: the engine reports it.
                    && (next..self.spec.num_vars()).contains(&variable)
                    && self.dies(&state, variable) =>
            {
                Step::Zero
            }
            step => step,
        }
    }

    /// Returns whether all paths from a state reach the 0-terminal within the depth, which is at
    /// least 1.
    #[inline]
    fn dies(&self, state: &S::State, variable: usize) -> bool {
        if self.depth == 1 {
            return !self.any_child(state, variable, |_| true);
        }
        self.dies_deep(state, variable)
    }

    /// Does the same as `dies` for a depth of two or more: depth-first, on a stack of the states
    /// whose children are not yet visited, with the depth left to them.
    fn dies_deep(&self, state: &S::State, variable: usize) -> bool {
        let num_vars = self.spec.num_vars();
        let mut stack = SmallVec::<[(usize, usize, S::State); 8]>::new();
        stack.push((self.depth, variable, state.clone()));
        while let Some((depth, variable, state)) = stack.pop() {
            let alive = self.any_child(&state, variable, |step| match step {
                Step::To(to, child) if depth > 1 && (variable + 1..num_vars).contains(to) => {
                    stack.push((depth - 1, *to, child.clone()));
                    false
                }
                _ => true,
            });
            if alive {
                return false;
            }
        }
        true
    }

    /// Returns whether `holds` is true of some child that is not the 0-terminal. Stops at the first
    /// such child.
    #[inline]
    fn any_child(
        &self,
        state: &S::State,
        variable: usize,
        mut holds: impl FnMut(&Step<S::State>) -> bool,
    ) -> bool {
        let found = self.spec.for_each_child(state, variable, |_, step| {
            if !step.is_zero() && holds(&step) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        found.is_break()
    }
}

impl<S: DdSpec> DdSpec for Lookahead<S> {
    type State = S::State;

    fn num_vars(&self) -> usize {
        self.spec.num_vars()
    }

    #[inline]
    fn arity(&self, variable: usize) -> usize {
        self.spec.arity(variable)
    }

    fn root(&self) -> Step<Self::State> {
        self.look(self.spec.root(), 0)
    }

    fn root_under(&self, rule: Rule) -> Step<Self::State> {
        self.look(self.spec.root_under(rule), 0)
    }

    #[inline]
    fn child(&self, state: &Self::State, variable: usize, value: usize) -> Step<Self::State> {
        self.look(self.spec.child(state, variable, value), variable + 1)
    }

    #[inline]
    fn for_each_child<B>(
        &self,
        state: &Self::State,
        variable: usize,
        mut visit: impl FnMut(usize, Step<Self::State>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.spec.for_each_child(state, variable, |value, step| {
            visit_unless_zero(value, self.look(step, variable + 1), &mut visit)
        })
    }

    #[inline]
    fn forced(&self, state: &Self::State, variable: usize) -> Forced<Self::State> {
        self.spec.forced(state, variable).map(|step| self.look(step, variable + 1))
    }

    fn validate(&self) -> Result<(), String> {
        self.spec.validate()
    }

    fn describe(&self, state: &Self::State) -> String {
        self.spec.describe(state)
    }

    fn refused_by(&self, state: &Self::State, variable: usize, value: usize) -> Option<String> {
        let dies = !self.spec.child(state, variable, value).is_zero()
            && self.child(state, variable, value).is_zero();
        if dies {
            return Some(format!("lookahead of depth {}", self.depth));
        }
        self.spec.refused_by(state, variable, value)
    }
}
