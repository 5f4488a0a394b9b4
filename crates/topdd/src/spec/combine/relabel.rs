//! Specs over other variables than their operand: over a larger universe, or with the variables that it skips.

use super::operand::check_size;
use crate::spec::{DdSpec, Forced, Portable, Rule, Space, Step, root_without_rule};
use std::ops::ControlFlow;

/// A spec whose variables are numbered anew; see [`SpecExt::relabel`](super::SpecExt::relabel).
#[derive(Clone, Debug)]
pub struct Relabel<S> {
    spec: S,
    /// The new variable of each old one.
    map: Vec<usize>,
    /// The new variables.
    space: Space,
    /// The old variable of each new one; a number out of range for a new variable that has none.
    old: Vec<usize>,
}

impl<S: DdSpec> Relabel<S> {
    pub(super) fn new(spec: S, map: Vec<usize>, space: Space) -> Self {
        let mut old = vec![usize::MAX; space.num_vars()];
        for (variable, &new) in map.iter().enumerate() {
            // `validate` refuses a variable out of range.
            if let Some(old) = old.get_mut(new) {
                *old = variable;
            }
        }
        Self { spec, map, space, old }
    }

    #[inline]
    fn relabel(&self, step: Step<S::State>) -> Step<S::State> {
        let Step::To(variable, state) = step else { return step };
        // A variable out of range stays so, for the engine to report.
        let new = self.map.get(variable).copied();
        Step::To(new.unwrap_or(variable.max(self.space.num_vars())), state)
    }
}

impl<S: DdSpec> DdSpec for Relabel<S> {
    type State = S::State;

    fn num_vars(&self) -> usize {
        self.space.num_vars()
    }

    #[inline]
    fn arity(&self, variable: usize) -> usize {
        self.space.arity(variable)
    }

    fn root(&self) -> Step<Self::State> {
        self.relabel(self.spec.root())
    }

    fn root_under(&self, rule: Rule) -> Step<Self::State> {
        self.relabel(self.spec.root_under(rule))
    }

    #[inline]
    fn child(&self, state: &Self::State, variable: usize, value: usize) -> Step<Self::State> {
        self.relabel(self.spec.child(state, self.old[variable], value))
    }

    #[inline]
    fn for_each_child<B>(
        &self,
        state: &Self::State,
        variable: usize,
        mut visit: impl FnMut(usize, Step<Self::State>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.spec.for_each_child(state, self.old[variable], |value, step| {
            visit(value, self.relabel(step))
        })
    }

    #[inline]
    fn forced(&self, state: &Self::State, variable: usize) -> Forced<Self::State> {
        self.spec.forced(state, self.old[variable]).map(|step| self.relabel(step))
    }

    fn merge(
        &self,
        one: &Self::State,
        other: &Self::State,
        variable: usize,
    ) -> Option<Self::State> {
        self.spec.merge(one, other, self.old[variable])
    }

    fn validate(&self) -> Result<(), String> {
        self.spec.validate()?;
        let (old, new) = (self.spec.num_vars(), self.space.num_vars());
        if self.map.len() != old {
            return Err(format!(
                "`relabel` needs a new variable for each of the {old} variables of the spec, \
                 but the map has {}",
                self.map.len()
            ));
        }
        if let Some(at) = self.map.windows(2).position(|pair| pair[0] >= pair[1]) {
            return Err(format!(
                "`relabel` needs a strictly increasing map, but variable {at} becomes {} and \
                 variable {} becomes {}",
                self.map[at],
                at + 1,
                self.map[at + 1]
            ));
        }
        for (variable, &to) in self.map.iter().enumerate() {
            if to >= new {
                return Err(format!(
                    "`relabel` makes variable {variable} variable {to}, but arities are given \
                     for 0..{new} only"
                ));
            }
            if self.space.arity(to) != self.spec.arity(variable) {
                return Err(format!(
                    "`relabel` makes variable {variable}, of arity {}, variable {to}, of arity \
                     {}; they must be equal",
                    self.spec.arity(variable),
                    self.space.arity(to)
                ));
            }
        }
        Ok(())
    }

    fn describe(&self, state: &Self::State) -> String {
        self.spec.describe(state)
    }

    fn refused_by(&self, state: &Self::State, variable: usize, value: usize) -> Option<String> {
        self.spec.refused_by(state, self.old[variable], value)
    }
}

/// A spec that visits each variable its operand skips; see
/// [`SpecExt::unreduce`](super::SpecExt::unreduce) and
/// [`SpecExt::read_as`](super::SpecExt::read_as).
#[derive(Clone, Copy, Debug)]
pub struct Unreduce<S> {
    spec: S,
    /// The rule of skipped variables; `None` for the rule of the diagram being built.
    rule: Option<Rule>,
}

/// The state of an [`Unreduce`], or of a spec [`on`](crate::constraint::on) some variables: the state of the operand,
/// which may be at a later variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unreduced<S> {
    /// The operand is at the 1-terminal; the variables left are read by the rule.
    One(Rule),
    /// The operand is at a state, or waits for its variable.
    To {
        /// The variable of the operand's state.
        variable: u32,
        /// The rule of skipped variables.
        rule: Rule,
        /// The operand's state.
        state: S,
    },
}

impl<S: Portable> Portable for Unreduced<S> {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Unreduced::One(rule) => u8::from(*rule == Rule::AnyValue).write(out),
            Unreduced::To { variable, rule, state } => {
                (2 + u8::from(*rule == Rule::AnyValue)).write(out);
                variable.write(out);
                state.write(out);
            }
        }
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let tag = u8::read(bytes)?;
        let rule = if tag & 1 == 0 { Rule::ZeroSuppressed } else { Rule::AnyValue };
        match tag {
            0 | 1 => Some(Unreduced::One(rule)),
            2 | 3 => {
                Some(Unreduced::To { variable: u32::read(bytes)?, rule, state: S::read(bytes)? })
            }
            _ => None,
        }
    }

    fn heap_bytes(&self) -> usize {
        match self {
            Unreduced::One(_) => 0,
            Unreduced::To { state, .. } => state.heap_bytes(),
        }
    }
}

impl<S: DdSpec> Unreduce<S> {
    pub(super) fn new(spec: S, rule: Option<Rule>) -> Self {
        Self { spec, rule }
    }

    /// Returns the operand's step with nothing skipped. `next` is the first variable not yet
    /// visited.
    #[inline]
    fn step(&self, rule: Rule, step: Step<S::State>, next: usize) -> Step<Unreduced<S::State>> {
        match step {
            Step::Zero => Step::Zero,
            Step::One => self.wait_at(Unreduced::One(rule), next),
            Step::To(at, state) => {
                let variable = u32::try_from(at).unwrap_or(u32::MAX);
                let state = Unreduced::To { variable, rule, state };
                if next <= at && at < self.spec.num_vars() {
                    Step::To(next, state)
                } else {
                    // A step backwards or out of range is kept for the engine to report.
                    Step::To(at, state)
                }
            }
        }
    }

    /// Returns the step to a state that waits at `next`; the 1-terminal after the last variable.
    #[inline]
    fn wait_at(&self, state: Unreduced<S::State>, next: usize) -> Step<Unreduced<S::State>> {
        match state {
            Unreduced::One(_) if next >= self.spec.num_vars() => Step::One,
            _ => Step::To(next, state),
        }
    }
}

impl<S: Clone + Eq> Unreduced<S> {
    /// Returns a state with all completions of both; see [`DdSpec::merge`].
    pub(in super::super) fn merge<D>(&self, other: &Self, spec: &D) -> Option<Self>
    where
        D: DdSpec<State = S>,
    {
        match (self, other) {
            _ if self == other => Some(self.clone()),
            (
                Unreduced::To { variable, rule, state: one },
                Unreduced::To { variable: same, state: other, .. },
            ) if variable == same => {
                let state = spec.merge(one, other, *variable as usize)?;
                Some(Unreduced::To { variable: *variable, rule: *rule, state })
            }
            _ => None,
        }
    }
}

impl<S> Unreduced<S> {
    #[inline]
    fn rule(&self) -> Rule {
        match self {
            Unreduced::One(rule) | Unreduced::To { rule, .. } => *rule,
        }
    }

    /// The operand's state, if it is at `at`.
    #[inline]
    fn state_at(&self, at: usize) -> Option<&S> {
        match self {
            Unreduced::To { variable, state, .. } if *variable as usize == at => Some(state),
            _ => None,
        }
    }
}

impl<S: DdSpec> DdSpec for Unreduce<S> {
    type State = Unreduced<S::State>;

    fn num_vars(&self) -> usize {
        self.spec.num_vars()
    }

    #[inline]
    fn arity(&self, variable: usize) -> usize {
        self.spec.arity(variable)
    }

    fn root(&self) -> Step<Self::State> {
        match self.rule {
            Some(rule) => self.root_under(rule),
            None => root_without_rule(self),
        }
    }

    fn root_under(&self, rule: Rule) -> Step<Self::State> {
        let rule = self.rule.unwrap_or(rule);
        self.step(rule, self.spec.root_under(rule), 0)
    }

    #[inline]
    fn child(&self, state: &Self::State, variable: usize, value: usize) -> Step<Self::State> {
        let rule = state.rule();
        match state.state_at(variable) {
            Some(inner) => self.step(rule, self.spec.child(inner, variable, value), variable + 1),
            None if rule.allows(value) => self.wait_at(state.clone(), variable + 1),
            None => Step::Zero,
        }
    }

    #[inline]
    fn for_each_child<B>(
        &self,
        state: &Self::State,
        variable: usize,
        mut visit: impl FnMut(usize, Step<Self::State>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let rule = state.rule();
        if let Some(inner) = state.state_at(variable) {
            self.spec.for_each_child(inner, variable, |value, step| {
                visit(value, self.step(rule, step, variable + 1))
            })
        } else {
            let allowed = match rule {
                Rule::ZeroSuppressed => 1,
                Rule::AnyValue => self.arity(variable),
            };
            for value in 0..allowed {
                visit(value, self.wait_at(state.clone(), variable + 1))?;
            }
            ControlFlow::Continue(())
        }
    }

    #[inline]
    fn forced(&self, state: &Self::State, variable: usize) -> Forced<Self::State> {
        let rule = state.rule();
        match state.state_at(variable) {
            // The operand's step may skip variables that must be 0, which is possible under this
            // rule only.
            _ if rule == Rule::AnyValue => Forced::Free,
            Some(inner) => {
                self.spec.forced(inner, variable).map(|step| self.step(rule, step, variable + 1))
            }
            None => Forced::Value(0, self.wait_at(state.clone(), variable + 1)),
        }
    }

    fn merge(&self, one: &Self::State, other: &Self::State, _: usize) -> Option<Self::State> {
        one.merge(other, &self.spec)
    }

    fn scope(&self) -> Option<Vec<usize>> {
        self.rule.map(|_| (0..self.num_vars()).collect())
    }

    fn validate(&self) -> Result<(), String> {
        self.spec.validate()?;
        check_size(&self.spec)
    }

    fn describe(&self, state: &Self::State) -> String {
        match state {
            Unreduced::One(rule) => format!("unreduce(1-terminal, {rule})"),
            Unreduced::To { variable, rule, state } => {
                format!("unreduce({} at variable {variable}, {rule})", self.spec.describe(state))
            }
        }
    }

    fn refused_by(&self, state: &Self::State, variable: usize, value: usize) -> Option<String> {
        state.state_at(variable).and_then(|inner| self.spec.refused_by(inner, variable, value))
    }
}
