//! Boolean operations on lists of specs of one type.

use std::fmt;
use std::marker::PhantomData;
use std::ops::ControlFlow;

use smallvec::{SmallVec, smallvec};

use super::super::{DdSpec, Forced, Rule, Step, each_child, root_without_rule};
use super::conjunction::Operand;
use super::op::{self, Op};
use super::operand::{
    OperandState, check_same_universe, check_size, like_all, scope_of_all, visit_unless_zero,
};

/// The solutions of all specs of a list; see [`all`].
pub type All<S> = Many<S, op::And>;
/// The solutions of any spec of a list; see [`any`].
pub type Any<S> = Many<S, op::Or>;

/// Returns the solutions of all `specs`: [`and`](super::SpecExt::and) over a list whose length is
/// known at run time only.
///
/// Skipped variables are read by the rule of the diagram being built; where all operands skip, so
/// does the result. An empty list has no variables, and [`DdSpec::validate`] refuses it.
///
/// Cost: at most the product of the operands' states at each variable, often far fewer,
/// as every state with an operand at a 0-terminal is dropped. A state is a [row of
/// bits](super#conjunctions-of-ready-constraints) if most operands have few states. Otherwise it holds one operand's
/// state after the other, on the heap where there are more than four.
///
/// ```
/// # mod specs { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/spec/combine/doc_specs.rs")); }
/// # use specs::*;
/// use topdd::{Rule, SpecExt, all, check};
///
/// let without = |member| Contains { n: 3, member }.read_as(Rule::AnyValue).not();
/// let spec = all(vec![without(0), without(2)]);
/// assert_eq!(check::brute_force(&spec, Rule::AnyValue)?, [[0, 0, 0], [0, 1, 0]]);
/// # Ok::<(), check::Violation>(())
/// ```
pub fn all<S: DdSpec>(specs: impl IntoIterator<Item = S>) -> All<S> {
    Many { specs: specs.into_iter().collect(), op: PhantomData }
}

/// Returns the solutions of any of `specs`: [`or`](super::SpecExt::or) over a list whose length is
/// known at run time only.
///
/// Skipped variables are read by the rule of the diagram being built; where all operands skip, so
/// does the result. An empty list has no variables, and [`DdSpec::validate`] refuses it.
///
/// Cost: at most, at each variable, the product of one more than the operands' states
/// there. Under [`Rule::AnyValue`] the result is done when one operand is. A state holds
/// one operand's state after the other, on the heap where there are more than four.
///
/// ```
/// # mod specs { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/spec/combine/doc_specs.rs")); }
/// # use specs::*;
/// use topdd::{Rule, any, check};
///
/// let singletons = any((0..3).map(|member| Contains { n: 3, member }));
/// assert_eq!(
///     check::brute_force(&singletons, Rule::ZeroSuppressed)?,
///     [[0, 0, 1], [0, 1, 0], [1, 0, 0]],
/// );
/// # Ok::<(), check::Violation>(())
/// ```
pub fn any<S: DdSpec>(specs: impl IntoIterator<Item = S>) -> Any<S> {
    Many { specs: specs.into_iter().collect(), op: PhantomData }
}

/// A Boolean operation on the solutions of a list of specs over the same variables.
///
/// Made by [`all`] and [`any`], which have examples and state the cost.
pub struct Many<S, O> {
    specs: Vec<S>,
    op: PhantomData<O>,
}

/// The state of a [`Many`]: the states of its operands, in the order of the list.
///
/// At least one is a state, and the earliest of their variables is the state's own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OperandStates<S>(SmallVec<[OperandState<S>; 4]>);

crate::portable!(OperandStates<S> { 0 });

impl<S> OperandStates<S> {
    /// Returns the states of the operands, in the order of the list.
    pub fn as_slice(&self) -> &[OperandState<S>] {
        &self.0
    }

    #[inline]
    fn rule(&self) -> Rule {
        // One operand is at a state: `step` makes a terminal of all other lists.
        self.0.iter().find_map(OperandState::rule).unwrap_or(Rule::ZeroSuppressed)
    }
}

impl<S: DdSpec, O: Op> Many<S, O> {
    /// Returns the outcome if one operand alone decides it: an operand with the same outcome for
    /// all assignments that follow.
    #[inline]
    fn decides(rule: Rule, operand: &OperandState<S::State>) -> Option<bool> {
        let one = operand.constant(rule)?;
        let (with_false, with_true) = (O::apply(one, false), O::apply(one, true));
        (with_false == with_true).then_some(with_false)
    }

    /// Writes the states of the operands, separated by commas.
    fn operands(&self, state: &OperandStates<S::State>) -> String {
        let operands = self.specs.iter().zip(&state.0);
        let texts = operands.map(|(spec, operand)| operand.describe_in::<O, _>(spec));
        texts.collect::<Vec<_>>().join(", ")
    }

    /// Returns the step to the given operand states, with distances from `variable`: a terminal if a single operand
    /// decides.
    #[inline]
    fn step(
        rule: Rule,
        variable: usize,
        operands: impl ExactSizeIterator<Item = OperandState<S::State>>,
    ) -> Step<OperandStates<S::State>> {
        let mut list = SmallVec::<[OperandState<_>; 4]>::with_capacity(operands.len());
        let mut nearest = usize::MAX;
        for operand in operands {
            match Self::decides(rule, &operand) {
                Some(false) => return Step::Zero,
                Some(true) => return Step::One,
                None => {}
            }
            nearest = nearest.min(operand.distance());
            list.push(operand);
        }
        let terminals = || list.iter().map(OperandState::terminal);
        if terminals().any(|terminal| terminal.is_none()) {
            for operand in &mut list {
                if let OperandState::To { distance, .. } = operand {
                    *distance -= nearest as u32;
                }
            }
            return Step::To(variable + nearest, OperandStates(list));
        }
        match terminals().flatten().reduce(O::apply) {
            Some(true) => Step::One,
            // No operands at all: `validate` refuses it.
            Some(false) | None => Step::Zero,
        }
    }

    /// Returns the operands that are at the variable of the state, with their states.
    #[inline]
    fn here<'a>(
        &'a self,
        state: &'a OperandStates<S::State>,
    ) -> impl Iterator<Item = (&'a S, &'a S::State)> {
        let operands = self.specs.iter().zip(&state.0);
        operands.filter_map(|(spec, operand)| Some((spec, operand.state_here()?)))
    }

    /// Returns the values that may not lead to the 0-terminal, in ascending order; `None` if all
    /// may.
    fn values(
        &self,
        state: &OperandStates<S::State>,
        variable: usize,
    ) -> Option<SmallVec<[usize; 16]>> {
        let waits =
            |operand: &OperandState<_>| !operand.is_zero() && operand.state_here().is_none();
        let waits = state.0.iter().any(waits);
        let needs_all = !O::apply(false, true);
        let waits_at_zero = waits && state.rule() == Rule::ZeroSuppressed;
        if waits_at_zero && needs_all {
            return Some(smallvec![0]);
        }
        if waits && !waits_at_zero && !needs_all {
            return None;
        }
        let mut values: SmallVec<[usize; 16]> =
            if waits_at_zero { smallvec![0] } else { smallvec![] };
        // If all operands are needed, each value of their conjunction is one of the first operand.
        let operands = self.here(state).take(if needs_all { 1 } else { usize::MAX });
        for (spec, inner) in operands {
            each_child(spec, inner, variable, |value, step| {
                if !step.is_zero() {
                    values.push(value);
                }
            });
        }
        values.sort_unstable();
        values.dedup();
        Some(values)
    }
}

impl<S: DdSpec, O: Op> DdSpec for Many<S, O> {
    type State = OperandStates<S::State>;

    fn num_vars(&self) -> usize {
        self.specs.first().map_or(0, DdSpec::num_vars)
    }

    #[inline]
    fn arity(&self, variable: usize) -> usize {
        self.specs.first().map_or(2, |spec| spec.arity(variable))
    }

    fn root(&self) -> Step<Self::State> {
        root_without_rule(self)
    }

    fn root_under(&self, rule: Rule) -> Step<Self::State> {
        let root = |spec: &S| OperandState::new(spec.root_under(rule), rule, 0);
        Self::step(rule, 0, self.specs.iter().map(root))
    }

    #[inline]
    fn child(&self, state: &Self::State, variable: usize, value: usize) -> Step<Self::State> {
        let rule = state.rule();
        let operands = self.specs.iter().zip(&state.0);
        Self::step(
            rule,
            variable,
            operands.map(|(spec, operand)| operand.follow(spec, rule, variable, value)),
        )
    }

    fn for_each_child<B>(
        &self,
        state: &Self::State,
        variable: usize,
        mut visit: impl FnMut(usize, Step<Self::State>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let arity = self.arity(variable);
        let try_value = |value| {
            // A value out of range is passed on for the engine to report.
            let step = if value < arity { self.child(state, variable, value) } else { Step::One };
            visit_unless_zero(value, step, &mut visit)
        };
        // With two values there is little to skip, so a list does not pay.
        let values = if arity > 2 { self.values(state, variable) } else { None };
        match values {
            Some(values) => values.into_iter().try_for_each(try_value),
            None => (0..arity).try_for_each(try_value),
        }
    }

    fn forced(&self, state: &Self::State, variable: usize) -> Forced<Self::State> {
        if state.rule() == Rule::AnyValue {
            return Forced::Free;
        }
        // Where all operands are needed, a value forced by one is forced; otherwise only a value
        // forced by all.
        let needs_all = !O::apply(false, true);
        let mut forced = None;
        for (spec, operand) in self.specs.iter().zip(&state.0) {
            match operand.forced(spec, variable) {
                Forced::Free if needs_all => {}
                Forced::Free => return Forced::Free,
                Forced::Dead if needs_all => return Forced::Dead,
                Forced::Dead => {}
                Forced::Value(value, _) if *forced.get_or_insert(value) == value => {}
                Forced::Value(..) => return if needs_all { Forced::Dead } else { Forced::Free },
            }
        }
        match forced {
            Some(value) => Forced::to(value, self.child(state, variable, value)),
            None if needs_all => Forced::Free,
            None => Forced::Dead,
        }
    }

    fn like(&self, variable: usize) -> Option<usize> {
        like_all(variable, self.specs.len(), |operand, variable| self.specs[operand].like(variable))
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
        let operands = self.specs.iter().zip(&one.0).zip(&other.0);
        let merged = operands.map(|((spec, one), other)| one.merge(other, spec, variable));
        merged.collect::<Option<_>>().map(OperandStates)
    }

    fn scope(&self) -> Option<Vec<usize>> {
        scope_of_all(self.num_vars(), self.specs.iter().map(DdSpec::scope))
    }

    fn conjuncts(&self) -> Vec<Operand<'_>> {
        if O::apply(false, true) {
            return vec![Operand::new(self)];
        }
        self.specs.iter().flat_map(DdSpec::conjuncts).collect()
    }

    fn validate(&self) -> Result<(), String> {
        let Some(first) = self.specs.first() else {
            return Err("`all` or `any` of an empty list of specs has no variables; put a spec \
                        into the list, such as one whose root is a terminal"
                .to_owned());
        };
        check_size(first)?;
        for (index, spec) in self.specs.iter().enumerate() {
            spec.validate().map_err(|message| format!("spec {index} of a list: {message}"))?;
            let name = format!("spec {index} of the list");
            check_same_universe(O::NAME, "spec 0 of the list", first, &name, spec)?;
        }
        Ok(())
    }

    fn describe(&self, state: &Self::State) -> String {
        format!("{}({})", O::NAME, self.operands(state))
    }

    fn refused_by(&self, state: &Self::State, variable: usize, value: usize) -> Option<String> {
        // Unless all operands are needed, none alone refuses a value.
        let mut operands = self.specs.iter().zip(&state.0).filter(|_| !O::apply(false, true));
        let rule = state.rule();
        operands.find_map(|(spec, operand)| operand.refused_by(spec, rule, variable, value))
    }
}

impl<S: Clone, O> Clone for Many<S, O> {
    fn clone(&self) -> Self {
        Self { specs: self.specs.clone(), op: PhantomData }
    }
}

impl<S: fmt::Debug, O: Op> fmt::Debug for Many<S, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple(O::NAME).field(&self.specs).finish()
    }
}
