//! A spec over some of the variables of a larger universe.

use super::super::{DdSpec, Forced, Rule, Space, Step};
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
