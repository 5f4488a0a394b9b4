//! Boolean operations on two specs.

use std::fmt;
use std::marker::PhantomData;
use std::ops::ControlFlow;

use smallvec::SmallVec;

use super::super::{DdSpec, Forced, Rule, Step, each_child, root_without_rule};
use super::conjunction::Operand;
use super::op::{self, Op};
use super::operand::{
    OperandState, check_same_universe, check_size, like_all, scope_of_all, visit_unless_zero,
};

/// The solutions of both specs; see [`SpecExt::and`](super::SpecExt::and).
pub type And<A, B> = Binary<A, B, op::And>;
/// The solutions of either spec; see [`SpecExt::or`](super::SpecExt::or).
pub type Or<A, B> = Binary<A, B, op::Or>;
/// The solutions of one spec and not of the other; see
/// [`SpecExt::and_not`](super::SpecExt::and_not).
pub type AndNot<A, B> = Binary<A, B, op::AndNot>;
/// The solutions of exactly one of two specs; see [`SpecExt::xor`](super::SpecExt::xor).
pub type Xor<A, B> = Binary<A, B, op::Xor>;

/// A Boolean operation on the solutions of two specs over the same variables.
///
/// Made by [`and`](super::SpecExt::and), [`or`](super::SpecExt::or),
/// [`and_not`](super::SpecExt::and_not) and [`xor`](super::SpecExt::xor), which have examples and
/// state the cost.
pub struct Binary<A, B, O> {
    left: A,
    right: B,
    op: PhantomData<O>,
}

/// The state of a [`Binary`]: the states of its two operands.
///
/// At least one is a state, and the earlier of their variables is the state's own. Where the
/// outcome no longer depends on one operand, that operand is replaced by a terminal, so that equal
/// outcomes merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pair<A, B> {
    left: OperandState<A>,
    right: OperandState<B>,
}

crate::portable!(Pair<A, B> { left, right });

impl<A, B> Pair<A, B> {
    /// Returns the state of the left operand.
    pub fn left(&self) -> &OperandState<A> {
        &self.left
    }

    /// Returns the state of the right operand.
    pub fn right(&self) -> &OperandState<B> {
        &self.right
    }

    #[inline]
    fn rule(&self) -> Rule {
        // One of the two is a state: `join` makes a terminal of all other pairs.
        self.left.rule().or(self.right.rule()).unwrap_or(Rule::ZeroSuppressed)
    }
}

/// Returns the step to a pair, whose operands have distances from `variable`.
#[inline]
fn join<O: Op, A, B>(
    rule: Rule,
    variable: usize,
    left: OperandState<A>,
    right: OperandState<B>,
) -> Step<Pair<A, B>> {
    let outcome = match (left.terminal(), right.terminal()) {
        (Some(left), Some(right)) => Some(O::apply(left, right)),
        (None, None) => None,
        // One operand is at a terminal. The other may make no difference then.
        (Some(_), None) => left
            .constant(rule)
            .filter(|&left| O::apply(left, false) == O::apply(left, true))
            .map(|left| O::apply(left, false)),
        (None, Some(_)) => right
            .constant(rule)
            .filter(|&right| O::apply(false, right) == O::apply(true, right))
            .map(|right| O::apply(false, right)),
    };
    match outcome {
        Some(false) => Step::Zero,
        Some(true) => Step::One,
        None => {
            let by = left.distance().min(right.distance());
            let (left, right) = (left.nearer(by), right.nearer(by));
            Step::To(variable + by, Pair { left, right })
        }
    }
}

/// Whether the outcome is false wherever the left operand is.
#[inline]
fn needs_left<O: Op>() -> bool {
    !O::apply(false, true)
}

/// Whether the outcome is false wherever the right operand is.
#[inline]
fn needs_right<O: Op>() -> bool {
    !O::apply(true, false)
}

impl<A, B, O> Binary<A, B, O> {
    pub(super) fn new(left: A, right: B) -> Self {
        Self { left, right, op: PhantomData }
    }
}

impl<A: DdSpec, B: DdSpec, O: Op> Binary<A, B, O> {
    /// Returns whether a value leads to the 0-terminal without a visit of the operands: one that is
    /// needed waits, and does not allow the value.
    #[inline]
    fn forbidden(state: &Pair<A::State, B::State>, value: usize) -> bool {
        !state.rule().allows(value)
            && (needs_left::<O>() && state.left.state_here().is_none()
                || needs_right::<O>() && state.right.state_here().is_none())
    }

    /// Writes the states of the operands, separated by commas.
    fn operands(&self, state: &Pair<A::State, B::State>) -> String {
        let left = state.left.describe_in::<O, _>(&self.left);
        let right = state.right.describe_in::<O, _>(&self.right);
        format!("{left}, {right}")
    }

    /// Visits the children of all values, one by one.
    #[inline]
    fn visit_all<X>(
        &self,
        state: &Pair<A::State, B::State>,
        variable: usize,
        mut visit: impl FnMut(usize, Step<Pair<A::State, B::State>>) -> ControlFlow<X>,
    ) -> ControlFlow<X> {
        (0..self.arity(variable)).try_for_each(|value| {
            visit_unless_zero(value, self.child(state, variable, value), &mut visit)
        })
    }

    /// Visits the values that one operand, `spec` at `own`, visits; all others lead to the 0-terminal.
    /// `join` returns the step of a value, from the operand's.
    #[inline]
    fn visit_by<S: DdSpec, X>(
        &self,
        spec: &S,
        own: &S::State,
        variable: usize,
        join: impl Fn(usize, Step<S::State>) -> Step<Pair<A::State, B::State>>,
        mut visit: impl FnMut(usize, Step<Pair<A::State, B::State>>) -> ControlFlow<X>,
    ) -> ControlFlow<X> {
        let arity = self.arity(variable);
        spec.for_each_child(own, variable, |value, step| {
            if step.is_zero() {
                return ControlFlow::Continue(());
            }
            // A value out of range is passed on for the engine to report; the other operand must
            // not be called with it.
            if value >= arity {
                return visit(value, Step::One);
            }
            visit_unless_zero(value, join(value, step), &mut visit)
        })
    }

    /// Visits the values for which some operand has a step other than the 0-terminal. Not for an operand
    /// that waits under `AnyValue`: it has a step for all values.
    fn visit_by_either<X>(
        &self,
        state: &Pair<A::State, B::State>,
        variable: usize,
        mut visit: impl FnMut(usize, Step<Pair<A::State, B::State>>) -> ControlFlow<X>,
    ) -> ControlFlow<X> {
        let rule = state.rule();
        // Both lists are collected by a closure that does not depend on `visit`: otherwise the code
        // for nested combinations would grow exponentially.
        let mut lefts = children(&self.left, &state.left, variable).into_iter().peekable();
        let mut rights = children(&self.right, &state.right, variable).into_iter().peekable();
        loop {
            let next = [lefts.peek().map(|child| child.0), rights.peek().map(|child| child.0)];
            let Some(value) = next.into_iter().flatten().min() else {
                return ControlFlow::Continue(());
            };
            let left =
                lefts.next_if(|child| child.0 == value).map_or(OperandState::Zero, |child| child.1);
            let right = rights.next_if(|child| child.0 == value);
            let right = right.map_or(OperandState::Zero, |child| child.1);
            visit_unless_zero(value, join::<O, _, _>(rule, variable, left, right), &mut visit)?;
        }
    }
}

/// Returns the values whose step is not the 0-terminal for an operand, with the operand's next
/// state. An operand that waits, which must be under the zero-suppressed rule, allows value 0 only.
fn children<S: DdSpec>(
    spec: &S,
    side: &OperandState<S::State>,
    variable: usize,
) -> SmallVec<[(usize, OperandState<S::State>); 8]> {
    let mut children = SmallVec::new();
    match (side, side.state_here()) {
        (&OperandState::To { rule, .. }, Some(state)) => {
            each_child(spec, state, variable, |value, step| {
                children.push((value, OperandState::new(step, rule, variable)));
            });
        }
        _ => children.push((0, side.clone())),
    }
    children
}

impl<A: DdSpec, B: DdSpec, O: Op> DdSpec for Binary<A, B, O> {
    type State = Pair<A::State, B::State>;

    fn num_vars(&self) -> usize {
        self.left.num_vars()
    }

    #[inline]
    fn arity(&self, variable: usize) -> usize {
        self.left.arity(variable)
    }

    fn root(&self) -> Step<Self::State> {
        root_without_rule(self)
    }

    fn root_under(&self, rule: Rule) -> Step<Self::State> {
        let left = OperandState::new(self.left.root_under(rule), rule, 0);
        let right = OperandState::new(self.right.root_under(rule), rule, 0);
        join::<O, _, _>(rule, 0, left, right)
    }

    #[inline]
    fn child(&self, state: &Self::State, variable: usize, value: usize) -> Step<Self::State> {
        if Self::forbidden(state, value) {
            return Step::Zero;
        }
        let rule = state.rule();
        let left = state.left.follow(&self.left, rule, variable, value);
        if needs_left::<O>() && left.is_zero() {
            return Step::Zero;
        }
        let right = state.right.follow(&self.right, rule, variable, value);
        join::<O, _, _>(rule, variable, left, right)
    }

    #[inline]
    fn for_each_child<X>(
        &self,
        state: &Self::State,
        variable: usize,
        mut visit: impl FnMut(usize, Step<Self::State>) -> ControlFlow<X>,
    ) -> ControlFlow<X> {
        // The values whose step may not be the 0-terminal: for an operand at its state, the values that
        // it visits; for an operand that waits, 0 under `ZeroSuppressed` and all under `AnyValue`.
        if Self::forbidden(state, 1) {
            return visit_unless_zero(0, self.child(state, variable, 0), &mut visit);
        }
        let (left, right) = (state.left.state_here(), state.right.state_here());
        let all_allowed = state.rule() == Rule::AnyValue
            && (left.is_none() && !state.left.is_zero()
                || right.is_none() && !state.right.is_zero());
        let rule = state.rule();
        match (left, right) {
            (Some(left), _) if needs_left::<O>() => {
                let join = |value, step| {
                    let right = state.right.follow(&self.right, rule, variable, value);
                    join::<O, _, _>(rule, variable, OperandState::new(step, rule, variable), right)
                };
                self.visit_by(&self.left, left, variable, join, visit)
            }
            (_, Some(right)) if needs_right::<O>() => {
                let join = |value, step| {
                    let left = state.left.follow(&self.left, rule, variable, value);
                    join::<O, _, _>(rule, variable, left, OperandState::new(step, rule, variable))
                };
                self.visit_by(&self.right, right, variable, join, visit)
            }
            // With two values there is little to leave out, so a list does not pay.
            _ if all_allowed || self.arity(variable) <= 2 => self.visit_all(state, variable, visit),
            _ => self.visit_by_either(state, variable, visit),
        }
    }

    #[inline]
    fn forced(&self, state: &Self::State, variable: usize) -> Forced<Self::State> {
        let rule = state.rule();
        if rule == Rule::AnyValue {
            return Forced::Free;
        }
        let go_on = |left, right| join::<O, _, _>(rule, variable, left, right);
        let operand = |step| OperandState::new(step, rule, variable);
        let (left, right) =
            (state.left.forced(&self.left, variable), state.right.forced(&self.right, variable));
        match (left, right) {
            (Forced::Dead, Forced::Dead) => Forced::Dead,
            (Forced::Dead, _) if needs_left::<O>() => Forced::Dead,
            (_, Forced::Dead) if needs_right::<O>() => Forced::Dead,
            (Forced::Value(value, _), Forced::Value(other, _)) if value != other => {
                match (needs_left::<O>(), needs_right::<O>()) {
                    (true, true) => Forced::Dead,
                    (true, false) => Forced::to(value, self.child(state, variable, value)),
                    (false, true) => Forced::to(other, self.child(state, variable, other)),
                    (false, false) => Forced::Free,
                }
            }
            (Forced::Value(value, left), Forced::Value(_, right)) => {
                Forced::to(value, go_on(operand(left), OperandState::new(right, rule, variable)))
            }
            (Forced::Value(value, left), Forced::Dead) => {
                Forced::to(value, go_on(operand(left), OperandState::Zero))
            }
            (Forced::Dead, Forced::Value(value, right)) => Forced::to(
                value,
                go_on(OperandState::Zero, OperandState::new(right, rule, variable)),
            ),
            (Forced::Value(value, _), Forced::Free) if needs_left::<O>() => {
                Forced::to(value, self.child(state, variable, value))
            }
            (Forced::Free, Forced::Value(value, _)) if needs_right::<O>() => {
                Forced::to(value, self.child(state, variable, value))
            }
            _ => Forced::Free,
        }
    }

    fn like(&self, variable: usize) -> Option<usize> {
        like_all(variable, 2, |operand, variable| match operand {
            0 => self.left.like(variable),
            _ => self.right.like(variable),
        })
    }

    fn merge(
        &self,
        one: &Self::State,
        other: &Self::State,
        variable: usize,
    ) -> Option<Self::State> {
        if !op::is_monotone::<O>() {
            return None;
        }
        Some(Pair {
            left: one.left.merge(&other.left, &self.left, variable)?,
            right: one.right.merge(&other.right, &self.right, variable)?,
        })
    }

    fn scope(&self) -> Option<Vec<usize>> {
        scope_of_all(self.num_vars(), [self.left.scope(), self.right.scope()])
    }

    fn conjuncts(&self) -> Vec<Operand<'_>> {
        if needs_left::<O>() && needs_right::<O>() {
            let mut operands = self.left.conjuncts();
            operands.append(&mut self.right.conjuncts());
            return operands;
        }
        vec![Operand::new(self)]
    }

    fn validate(&self) -> Result<(), String> {
        self.left.validate()?;
        self.right.validate()?;
        check_size(&self.left)?;
        check_same_universe(O::NAME, "the left one", &self.left, "the right one", &self.right)
    }

    fn describe(&self, state: &Self::State) -> String {
        format!("{}({})", O::NAME, self.operands(state))
    }

    fn refused_by(&self, state: &Self::State, variable: usize, value: usize) -> Option<String> {
        let rule = state.rule();
        let left = || state.left.refused_by(&self.left, rule, variable, value);
        let right = || state.right.refused_by(&self.right, rule, variable, value);
        let left = if needs_left::<O>() { left() } else { None };
        left.or_else(|| if needs_right::<O>() { right() } else { None })
    }
}

impl<A: Clone, B: Clone, O> Clone for Binary<A, B, O> {
    fn clone(&self) -> Self {
        Self::new(self.left.clone(), self.right.clone())
    }
}

impl<A: Copy, B: Copy, O> Copy for Binary<A, B, O> {}

impl<A: fmt::Debug, B: fmt::Debug, O: Op> fmt::Debug for Binary<A, B, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple(O::NAME).field(&self.left).field(&self.right).finish()
    }
}
