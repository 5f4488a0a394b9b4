//! Specs of any type as one type.

use super::{DdSpec, Forced, Portable, Rule, Step};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::fmt;
use std::ops::ControlFlow;

/// Any spec as one type, a trait object; made by [`SpecExt::boxed`](super::SpecExt::boxed), which has
/// an example and states the cost.
pub struct BoxedSpec<'a>(Box<dyn Object + 'a>);

/// A state of a [`BoxedSpec`]: the state of the spec in it, encoded by [`Portable`]. Up to 24 bytes
/// are stored without an allocation.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BoxedState(SmallVec<[u8; 24]>);

thread_local! {
    /// A buffer for encoding, so that a short state needs no allocation.
    static ENCODED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

impl<'a> BoxedSpec<'a> {
    pub(super) fn new<S>(spec: S) -> Self
    where
        S: DdSpec<State: Portable> + Send + 'a,
    {
        BoxedSpec(Box::new(spec))
    }
}

impl DdSpec for BoxedSpec<'_> {
    type State = BoxedState;

    fn num_vars(&self) -> usize {
        self.0.num_vars()
    }

    fn arity(&self, variable: usize) -> usize {
        self.0.arity(variable)
    }

    fn root(&self) -> Step<BoxedState> {
        self.0.root()
    }

    fn child(&self, state: &BoxedState, variable: usize, value: usize) -> Step<BoxedState> {
        self.0.child(state, variable, value)
    }

    fn for_each_child<B>(
        &self,
        state: &BoxedState,
        variable: usize,
        mut visit: impl FnMut(usize, Step<BoxedState>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut stop = None;
        let flow = self.0.for_each_child(state, variable, &mut |value, step| {
            visit(value, step).map_break(|reason| stop = Some(reason))
        });
        match stop {
            Some(reason) if flow.is_break() => ControlFlow::Break(reason),
            _ => ControlFlow::Continue(()),
        }
    }

    fn forced(&self, state: &BoxedState, variable: usize) -> Forced<BoxedState> {
        self.0.forced(state, variable)
    }

    fn root_under(&self, rule: Rule) -> Step<BoxedState> {
        self.0.root_under(rule)
    }

    fn validate(&self) -> Result<(), String> {
        self.0.validate()
    }

    fn describe(&self, state: &BoxedState) -> String {
        self.0.describe(state)
    }

    fn refused_by(&self, state: &BoxedState, variable: usize, value: usize) -> Option<String> {
        self.0.refused_by(state, variable, value)
    }

    fn describe_operands(&self, op: &str, state: &BoxedState) -> Option<String> {
        self.0.describe_operands(op, state)
    }
}

impl fmt::Debug for BoxedSpec<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoxedSpec")
            .field("num_vars", &DdSpec::num_vars(self))
            .finish_non_exhaustive()
    }
}

/// The methods of [`DdSpec`] in a form that permits trait objects.
trait Object: Send + Sync {
    fn num_vars(&self) -> usize;
    fn arity(&self, variable: usize) -> usize;
    fn root(&self) -> Step<BoxedState>;
    fn child(&self, state: &BoxedState, variable: usize, value: usize) -> Step<BoxedState>;
    fn for_each_child(
        &self,
        state: &BoxedState,
        variable: usize,
        visit: &mut dyn FnMut(usize, Step<BoxedState>) -> ControlFlow<()>,
    ) -> ControlFlow<()>;
    fn forced(&self, state: &BoxedState, variable: usize) -> Forced<BoxedState>;
    fn root_under(&self, rule: Rule) -> Step<BoxedState>;
    fn validate(&self) -> Result<(), String>;
    fn describe(&self, state: &BoxedState) -> String;
    fn refused_by(&self, state: &BoxedState, variable: usize, value: usize) -> Option<String>;
    fn describe_operands(&self, op: &str, state: &BoxedState) -> Option<String>;
}

impl<S: DdSpec<State: Portable> + Send> Object for S {
    fn num_vars(&self) -> usize {
        DdSpec::num_vars(self)
    }

    fn arity(&self, variable: usize) -> usize {
        DdSpec::arity(self, variable)
    }

    fn root(&self) -> Step<BoxedState> {
        DdSpec::root(self).map(BoxedState::new)
    }

    fn child(&self, state: &BoxedState, variable: usize, value: usize) -> Step<BoxedState> {
        DdSpec::child(self, &state.get(), variable, value).map(BoxedState::new)
    }

    fn for_each_child(
        &self,
        state: &BoxedState,
        variable: usize,
        visit: &mut dyn FnMut(usize, Step<BoxedState>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        DdSpec::for_each_child(self, &state.get(), variable, |value, step| {
            visit(value, step.map(BoxedState::new))
        })
    }

    fn forced(&self, state: &BoxedState, variable: usize) -> Forced<BoxedState> {
        DdSpec::forced(self, &state.get(), variable).map(|step| step.map(BoxedState::new))
    }

    fn root_under(&self, rule: Rule) -> Step<BoxedState> {
        DdSpec::root_under(self, rule).map(BoxedState::new)
    }

    fn validate(&self) -> Result<(), String> {
        DdSpec::validate(self)
    }

    fn describe(&self, state: &BoxedState) -> String {
        DdSpec::describe(self, &state.get())
    }

    fn refused_by(&self, state: &BoxedState, variable: usize, value: usize) -> Option<String> {
        DdSpec::refused_by(self, &state.get(), variable, value)
    }

    fn describe_operands(&self, op: &str, state: &BoxedState) -> Option<String> {
        DdSpec::describe_operands(self, op, &state.get())
    }
}

impl BoxedState {
    // It is passed to `Step::map`, which passes a value.
    #[allow(clippy::needless_pass_by_value)]
    fn new<T: Portable>(state: T) -> Self {
        ENCODED.with_borrow_mut(|encoded| {
            encoded.clear();
            state.write(encoded);
            BoxedState(SmallVec::from_slice(encoded))
        })
    }

    fn get<T: Portable>(&self) -> T {
        let state = T::read(&mut &self.0[..]);
        state.expect("the state was made by this spec")
    }
}

impl Portable for BoxedState {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Portable::read(bytes).map(BoxedState)
    }

    fn heap_bytes(&self) -> usize {
        self.0.heap_bytes()
    }
}

impl fmt::Debug for BoxedState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use crate::check::strategies::specs;
    use crate::{DdSpec, SpecExt, Step};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_boxed_spec_has_the_steps_of_the_spec(spec in specs()) {
            let boxed = (&spec).boxed();
            prop_assert_eq!(crate::zdd(&boxed).unwrap(), crate::zdd(&spec).unwrap());
            prop_assert_eq!(crate::bdd(&boxed).unwrap(), crate::bdd(&spec).unwrap());
            prop_assert_eq!(crate::count(&boxed).unwrap(), crate::count(&spec).unwrap());
            if let (Step::To(_, state), Step::To(_, inner)) = (boxed.root(), spec.root()) {
                prop_assert_eq!(boxed.describe(&state), spec.describe(&inner));
            }
            prop_assert!(boxed.root() == boxed.root());
        }
    }
}
