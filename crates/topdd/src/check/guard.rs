//! Specs of a user in a cover: panics turned into errors, and numbers in place of the states.

use crate::Map;
use crate::Rule;
use crate::error::{call_again, describe_after_panic, panic_message};
use crate::spec::contract::Violation;
use crate::spec::{DdSpec, ErasedSpec, ErasedState, Forced, Step};
use ahash::AHasher;
use std::any::Any;
use std::hash::{BuildHasher, BuildHasherDefault};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError, RwLock};

/// A spec that records where it panics first.
pub(super) struct Guarded<'a, S> {
    spec: &'a S,
    panicked: Mutex<Option<Violation>>,
}

/// A call of the spec: the method, and the variable, value and state that it got.
struct CallSite<'a, State> {
    method: &'static str,
    variable: Option<usize>,
    value: Option<usize>,
    state: Option<&'a State>,
}

/// Runs a check of `spec`. If the spec panics meanwhile, that is the error.
pub(super) fn guarded<S: DdSpec, T, E: From<Violation>>(
    spec: &S,
    check: impl FnOnce(&ErasedSpec<'_>) -> Result<T, E>,
) -> Result<T, E> {
    // Around the erased spec, so that the guard is compiled once, not for each spec.
    let erased = ErasedSpec::new(spec);
    let spec = Guarded::new(&erased);
    spec.catch(|| check(&ErasedSpec::new(&spec)))
}

impl<'a, S: DdSpec> Guarded<'a, S> {
    pub(super) fn new(spec: &'a S) -> Self {
        Guarded { spec, panicked: Mutex::new(None) }
    }

    /// Runs a check of this spec. If the spec panicked meanwhile, that is the error.
    pub(super) fn catch<T, E: From<Violation>>(
        &self,
        run: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let result = catch_unwind(AssertUnwindSafe(run));
        let panicked = self.panicked.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (panicked, result) {
            (Some(panicked), _) => Err(panicked.into()),
            (None, Ok(result)) => result,
            (None, Err(panic)) => resume_unwind(panic),
        }
    }

    /// Calls a method of the spec, and records a panic of it before it continues.
    fn call<T>(&self, site: &CallSite<'_, S::State>, call: impl FnOnce() -> T) -> T {
        catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| {
            self.record(site, &*panic);
            resume_unwind(panic)
        })
    }

    #[cold]
    fn record(&self, site: &CallSite<'_, S::State>, panic: &(dyn Any + Send)) {
        let mut panicked = self.panicked.lock().unwrap_or_else(PoisonError::into_inner);
        panicked.get_or_insert_with(|| {
            let CallSite { method, variable, value, state } = *site;
            let describe = |state| describe_after_panic(|| self.spec.describe(state));
            let (state, message) = (state.map(describe), panic_message(panic));
            Violation::Panicked { method, variable, value, state, message }
        });
    }

    /// Returns the least value at which `child` panics.
    fn value_of_panic(&self, state: &S::State, variable: usize) -> Option<usize> {
        let child = |value| call_again(|| self.spec.child(state, variable, value));
        (0..self.spec.arity(variable)).find(|&value| child(value).is_none())
    }
}

/// A call without a state.
fn at<State>(method: &'static str, variable: Option<usize>) -> CallSite<'static, State> {
    CallSite { method, variable, value: None, state: None }
}

impl<S: DdSpec> DdSpec for Guarded<'_, S> {
    type State = S::State;

    fn num_vars(&self) -> usize {
        self.call(&at("num_vars", None), || self.spec.num_vars())
    }

    fn arity(&self, variable: usize) -> usize {
        self.call(&at("arity", Some(variable)), || self.spec.arity(variable))
    }

    fn root(&self) -> Step<S::State> {
        self.call(&at("root", None), || self.spec.root())
    }

    fn root_under(&self, rule: Rule) -> Step<S::State> {
        self.call(&at("root", None), || self.spec.root_under(rule))
    }

    fn child(&self, state: &S::State, variable: usize, value: usize) -> Step<S::State> {
        let (variable_at, value_at) = (Some(variable), Some(value));
        let site = CallSite {
            method: "child",
            variable: variable_at,
            value: value_at,
            state: Some(state),
        };
        self.call(&site, || self.spec.child(state, variable, value))
    }

    fn for_each_child<B>(
        &self,
        state: &S::State,
        variable: usize,
        visit: impl FnMut(usize, Step<S::State>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let call = || self.spec.for_each_child(state, variable, visit);
        catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| {
            // Unless `for_each_child` is overridden, `child` panicked.
            let value = self.value_of_panic(state, variable);
            let method = if value.is_some() { "child" } else { "for_each_child" };
            let site = CallSite { method, variable: Some(variable), value, state: Some(state) };
            self.record(&site, &*panic);
            resume_unwind(panic)
        })
    }

    fn forced(&self, state: &S::State, variable: usize) -> Forced<S::State> {
        let site = CallSite {
            method: "forced",
            variable: Some(variable),
            value: None,
            state: Some(state),
        };
        self.call(&site, || self.spec.forced(state, variable))
    }

    fn like(&self, variable: usize) -> Option<usize> {
        self.call(&at("like", Some(variable)), || self.spec.like(variable))
    }

    fn merge(&self, one: &S::State, other: &S::State, variable: usize) -> Option<S::State> {
        let site = CallSite { state: Some(one), ..at("merge", Some(variable)) };
        self.call(&site, || self.spec.merge(one, other, variable))
    }

    fn validate(&self) -> Result<(), String> {
        self.call(&at("validate", None), || self.spec.validate())
    }

    fn describe(&self, state: &S::State) -> String {
        self.call(&at("describe", None), || self.spec.describe(state))
    }

    fn refused_by(&self, state: &S::State, variable: usize, value: usize) -> Option<String> {
        self.spec.refused_by(state, variable, value)
    }
}

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
    use crate::check::{
        AssignmentError, RandomSpec, Unequal, VerifyError, accepts, brute_force, contract, equals,
        to_dot, trace, verify,
    };
    use crate::{Frontier, SpecExt};

    #[test]
    fn every_check_returns_a_panic_of_the_spec_as_an_error() {
        let spec = crate::dp(4, 0)
            .step(|_, variable, value| {
                assert!((variable, value) != (2, 1), "too far");
                Some(0)
            })
            .accept(|_| true);
        let panicked = Violation::Panicked {
            method: "child",
            variable: Some(2),
            value: Some(1),
            state: Some("0".to_owned()),
            message: "too far".to_owned(),
        };
        let in_walk = AssignmentError::Violation(panicked.clone());
        for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
            assert_eq!(contract(&spec, rule, 100), Err(panicked.clone()));
            assert_eq!(accepts(&spec, rule, &[0, 0, 1, 0]), Err(in_walk.clone()));
            assert_eq!(trace(&spec, rule, &[1, 0, 1, 1]), Err(in_walk.clone()));
            assert_eq!(brute_force(&spec, rule), Err(panicked.clone()));
            assert_eq!(to_dot(&spec, rule, 100), Err(panicked.clone()));
            let unequal = equals(&spec, rule, |_| true);
            assert_eq!(unequal, Err(Unequal::Violation(panicked.clone())));
            assert_eq!(accepts(&spec, rule, &[0, 1, 0, 1]), Ok(true));
        }
        assert_eq!(verify(&spec, |_| true), Err(VerifyError::Violation(panicked)));
    }

    #[test]
    #[should_panic(expected = "the predicate")]
    fn panic_of_a_predicate_is_no_panic_of_the_spec() {
        let spec = crate::constraint::at_most(3, 1);
        let _ = equals(&spec, Rule::AnyValue, |_| panic!("the predicate"));
    }

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
