//! Panics of a spec, turned into errors.

use crate::Rule;
use crate::error::{call_again, describe_after_panic, panic_message};
use crate::spec::contract::Violation;
use crate::spec::{DdSpec, ErasedSpec, ErasedState, Forced, Step};
use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError};

/// A spec that records where it panics first.
pub(super) struct Guarded<'a> {
    spec: ErasedSpec<'a>,
    panicked: Mutex<Option<Violation>>,
}

/// A call of the spec: the method, and the variable, value and state that it got.
struct CallSite<'a> {
    method: &'static str,
    variable: Option<usize>,
    value: Option<usize>,
    state: Option<&'a ErasedState>,
}

impl<'a> Guarded<'a> {
    pub(super) fn new(spec: &'a impl DdSpec) -> Self {
        let spec = ErasedSpec::new(spec);
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
    fn call<T>(&self, site: &CallSite<'_>, call: impl FnOnce() -> T) -> T {
        catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| {
            self.record(site, &*panic);
            resume_unwind(panic)
        })
    }

    #[cold]
    fn record(&self, site: &CallSite<'_>, panic: &(dyn Any + Send)) {
        let mut panicked = self.panicked.lock().unwrap_or_else(PoisonError::into_inner);
        panicked.get_or_insert_with(|| {
            let CallSite { method, variable, value, state } = *site;
            let describe = |state| describe_after_panic(|| self.spec.describe(state));
            let (state, message) = (state.map(describe), panic_message(panic));
            Violation::Panicked { method, variable, value, state, message }
        });
    }

    /// Returns the least value at which `child` panics.
    fn value_of_panic(&self, state: &ErasedState, variable: usize) -> Option<usize> {
        let child = |value| call_again(|| self.spec.child(state, variable, value));
        (0..self.spec.arity(variable)).find(|&value| child(value).is_none())
    }
}

/// A call without a state.
fn at(method: &'static str, variable: Option<usize>) -> CallSite<'static> {
    CallSite { method, variable, value: None, state: None }
}

impl DdSpec for Guarded<'_> {
    type State = ErasedState;

    fn num_vars(&self) -> usize {
        self.call(&at("num_vars", None), || self.spec.num_vars())
    }

    fn arity(&self, variable: usize) -> usize {
        self.call(&at("arity", Some(variable)), || self.spec.arity(variable))
    }

    fn root(&self) -> Step<ErasedState> {
        self.call(&at("root", None), || self.spec.root())
    }

    fn root_under(&self, rule: Rule) -> Step<ErasedState> {
        self.call(&at("root", None), || self.spec.root_under(rule))
    }

    fn child(&self, state: &ErasedState, variable: usize, value: usize) -> Step<ErasedState> {
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
        state: &ErasedState,
        variable: usize,
        visit: impl FnMut(usize, Step<ErasedState>) -> ControlFlow<B>,
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

    fn forced(&self, state: &ErasedState, variable: usize) -> Forced<ErasedState> {
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

    fn validate(&self) -> Result<(), String> {
        self.call(&at("validate", None), || self.spec.validate())
    }

    fn describe(&self, state: &ErasedState) -> String {
        self.call(&at("describe", None), || self.spec.describe(state))
    }

    fn refused_by(&self, state: &ErasedState, variable: usize, value: usize) -> Option<String> {
        self.spec.refused_by(state, variable, value)
    }
}
