//! The complement of a spec.

use std::ops::ControlFlow;

use super::super::{DdSpec, Rule, Step, root_without_rule};
use super::operand::{OperandState, check_size, visit_unless_zero};

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
