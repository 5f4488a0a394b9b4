//! The complement of a spec, and the removal of dead states before they are built.

use super::operand::{OperandState, check_size, visit_unless_zero};
use crate::spec::{DdSpec, Forced, Rule, Step, root_without_rule};
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// The assignments that are not solutions of a spec; see [`SpecExt::not`](super::SpecExt::not).
///
/// Its state contains the state of the *spec*. Under [`Rule::AnyValue`] that is never a terminal.
/// Under [`Rule::ZeroSuppressed`] it may be the 0-terminal, from which all assignments are
/// solutions of the complement, or the 1-terminal.
#[derive(Clone, Copy, Debug)]
pub struct Not<S> {
    spec: S,
}

impl<S: DdSpec> Not<S> {
    pub(super) fn new(spec: S) -> Self {
        Self { spec }
    }

    /// Returns the complement's step for the spec's step `operand`, with the distance from `variable`. `next` is the
    /// first variable not yet visited.
    #[inline]
    fn step(
        &self,
        rule: Rule,
        operand: OperandState<S::State>,
        variable: usize,
        next: usize,
    ) -> Step<OperandState<S::State>> {
        // Under `ZeroSuppressed` a skipped variable would be 0, so all variables are visited, also
        // after a terminal of the spec.
        let skips = rule == Rule::AnyValue;
        let ends = skips || next >= self.spec.num_vars();
        match operand {
            OperandState::To { distance, .. } => {
                let at = variable + distance as usize;
                // A step of the spec that leads backwards or out of range is kept for the engine to
                // report.
                let sound = next <= at && at < self.spec.num_vars();
                let to = if sound && !skips { next } else { at };
                Step::To(to, operand.nearer(to - variable))
            }
            OperandState::Zero if ends => Step::One,
            OperandState::One if ends => Step::Zero,
            OperandState::Zero | OperandState::One => Step::To(next, operand),
        }
    }

    /// Returns the rule of a state: terminals are states under `ZeroSuppressed` only.
    #[inline]
    fn rule(state: &OperandState<S::State>) -> Rule {
        state.rule().unwrap_or(Rule::ZeroSuppressed)
    }
}

impl<S: DdSpec> DdSpec for Not<S> {
    type State = OperandState<S::State>;

    fn num_vars(&self) -> usize {
        self.spec.num_vars()
    }

    #[inline]
    fn arity(&self, variable: usize) -> usize {
        self.spec.arity(variable)
    }

    fn root(&self) -> Step<Self::State> {
        root_without_rule(self)
    }

    fn root_under(&self, rule: Rule) -> Step<Self::State> {
        self.step(rule, OperandState::new(self.spec.root_under(rule), rule, 0), 0, 0)
    }

    #[inline]
    fn child(&self, state: &Self::State, variable: usize, value: usize) -> Step<Self::State> {
        let rule = Self::rule(state);
        self.step(rule, state.follow(&self.spec, rule, variable, value), variable, variable + 1)
    }

    #[inline]
    fn for_each_child<B>(
        &self,
        state: &Self::State,
        variable: usize,
        mut visit: impl FnMut(usize, Step<Self::State>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let rule = Self::rule(state);
        let arity = self.arity(variable);
        if let Some(inner) = state.state_here() {
            // The values that the spec does not visit lead it to the 0-terminal.
            let left_out = self.step(rule, OperandState::Zero, variable, variable + 1);
            let mut next = 0;
            self.spec.for_each_child(inner, variable, |value, step| {
                (next..value.min(arity)).try_for_each(|value| visit(value, left_out.clone()))?;
                next = value.saturating_add(1);
                if value < arity {
                    let operand = OperandState::new(step, rule, variable);
                    let step = self.step(rule, operand, variable, variable + 1);
                    visit_unless_zero(value, step, &mut visit)
                } else {
                    // A value out of range is passed on for the engine to report.
                    visit(value, Step::One)
                }
            })?;
            (next..arity).try_for_each(|value| visit(value, left_out.clone()))
        } else {
            (0..arity).try_for_each(|value| {
                let step = self.step(rule, state.wait(rule, value), variable, variable + 1);
                visit_unless_zero(value, step, &mut visit)
            })
        }
    }

    fn like(&self, variable: usize) -> Option<usize> {
        // The last variable leads to terminals.
        self.spec.like(variable).filter(|_| variable + 1 < self.num_vars())
    }

    fn scope(&self) -> Option<Vec<usize>> {
        self.spec.scope()
    }

    fn validate(&self) -> Result<(), String> {
        self.spec.validate()?;
        check_size(&self.spec)
    }

    fn describe(&self, state: &Self::State) -> String {
        format!("not({})", state.describe(&self.spec, state.distance()))
    }

    fn refused_by(&self, state: &Self::State, variable: usize, value: usize) -> Option<String> {
        let inner = state.state_here()?;
        let part = self.spec.refused_by(inner, variable, value)?;
        Some(format!("not({part})"))
    }
}

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

    fn merge(
        &self,
        one: &Self::State,
        other: &Self::State,
        variable: usize,
    ) -> Option<Self::State> {
        self.spec.merge(one, other, variable)
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
