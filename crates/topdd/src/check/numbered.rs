//! Specs with numbers in place of their states.

use crate::Rule;
use crate::hash::Map;
use crate::spec::{DdSpec, ErasedSpec, ErasedState, Forced, Step};
use ahash::AHasher;
use std::hash::{BuildHasher, BuildHasherDefault};
use std::ops::ControlFlow;
use std::sync::{PoisonError, RwLock};

/// The number of shards: threads that add states at the same time seldom wait.
const SHARDS: usize = 64;

/// A spec with numbers in place of its states. So checks sweep by the engine for boxed specs, which the library
/// contains; an engine for this type of states would take seconds to compile.
///
/// Equal states have one number. All states stay in memory.
pub(super) struct Numbered<'a> {
    spec: ErasedSpec<'a>,
    /// Each state is in the shard that its hash determines.
    shards: Vec<RwLock<Shard>>,
}

#[derive(Default)]
struct Shard {
    states: Vec<ErasedState>,
    indices: Map<ErasedState, usize>,
}

impl<'a> Numbered<'a> {
    pub(super) fn new(spec: &ErasedSpec<'a>) -> Self {
        let shards = (0..SHARDS).map(|_| RwLock::default()).collect();
        Numbered { spec: *spec, shards }
    }

    /// Returns the number of a state: the index in its shard, and the shard.
    fn number(&self, state: ErasedState) -> u64 {
        let hash = BuildHasherDefault::<AHasher>::default().hash_one(&state);
        let shard = hash as usize % SHARDS;
        let number = |index: usize| (index * SHARDS + shard) as u64;
        let lock = &self.shards[shard];
        let known =
            lock.read().unwrap_or_else(PoisonError::into_inner).indices.get(&state).copied();
        known.map_or_else(
            || {
                let mut shard = lock.write().unwrap_or_else(PoisonError::into_inner);
                let Shard { states, indices } = &mut *shard;
                number(*indices.entry(state).or_insert_with_key(|state| {
                    states.push(state.clone());
                    states.len() - 1
                }))
            },
            number,
        )
    }

    fn state(&self, number: u64) -> ErasedState {
        let (index, shard) = (number as usize / SHARDS, number as usize % SHARDS);
        self.shards[shard].read().unwrap_or_else(PoisonError::into_inner).states[index].clone()
    }

    fn numbered(&self, step: Step<ErasedState>) -> Step<u64> {
        step.map(|state| self.number(state))
    }
}

impl DdSpec for Numbered<'_> {
    type State = u64;

    fn num_vars(&self) -> usize {
        self.spec.num_vars()
    }

    fn arity(&self, variable: usize) -> usize {
        self.spec.arity(variable)
    }

    fn root(&self) -> Step<u64> {
        self.numbered(self.spec.root())
    }

    fn root_under(&self, rule: Rule) -> Step<u64> {
        self.numbered(self.spec.root_under(rule))
    }

    fn child(&self, &number: &u64, variable: usize, value: usize) -> Step<u64> {
        self.numbered(self.spec.child(&self.state(number), variable, value))
    }

    fn for_each_child<B>(
        &self,
        &number: &u64,
        variable: usize,
        mut visit: impl FnMut(usize, Step<u64>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let visit = |value, step| visit(value, self.numbered(step));
        self.spec.for_each_child(&self.state(number), variable, visit)
    }

    fn forced(&self, &number: &u64, variable: usize) -> Forced<u64> {
        // As it is, for checks: `Forced::map` would replace a value that leads to the 0-terminal.
        match self.spec.forced(&self.state(number), variable) {
            Forced::Free => Forced::Free,
            Forced::Dead => Forced::Dead,
            Forced::Value(value, step) => Forced::Value(value, self.numbered(step)),
        }
    }

    fn like(&self, variable: usize) -> Option<usize> {
        self.spec.like(variable)
    }

    fn validate(&self) -> Result<(), String> {
        self.spec.validate()
    }

    fn describe(&self, &number: &u64) -> String {
        self.spec.describe(&self.state(number))
    }

    fn refused_by(&self, &number: &u64, variable: usize, value: usize) -> Option<String> {
        self.spec.refused_by(&self.state(number), variable, value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::RandomSpec;
    use crate::{Frontier, SpecExt};

    #[test]
    fn numbered_specs_have_the_diagrams_and_descriptions_of_the_spec() {
        for seed in 0..200 {
            let spec = RandomSpec::new(seed);
            let erased = ErasedSpec::new(&spec);
            let numbered = Numbered::new(&erased);
            let boxed = || Frontier::of_boxed((&numbered).boxed()).checked(true);
            assert_eq!(boxed().zdd().unwrap(), crate::zdd(&spec).unwrap());
            assert_eq!(boxed().bdd().unwrap(), crate::bdd(&spec).unwrap());
            assert_eq!(boxed().count().unwrap(), crate::count(&spec).unwrap());
            if let (Step::To(_, number), Step::To(_, state)) = (numbered.root(), spec.root()) {
                assert_eq!(numbered.describe(&number), spec.describe(&state));
                assert_eq!(numbered.root(), numbered.root());
            }
        }
    }
}
