//! Specs of any type as one type: with encoded states, for all uses, and with states of any type, for checks.

use super::{DdSpec, Forced, Operand, Portable, Rows, Rule, Step};
use smallvec::SmallVec;
use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Any spec as one type, a trait object; made by [`SpecExt::boxed`](super::SpecExt::boxed) and
/// [`ArraySpec::boxed`](super::ArraySpec::boxed), which have examples and state the cost.
pub struct BoxedSpec<'a>(Boxed<'a>);

enum Boxed<'a> {
    Any(Box<dyn Object<BoxedState> + Send + 'a>),
    /// An array spec, whose states the engine stores without an encoding.
    Rows(Rows<'a>),
    /// A part of another spec.
    Part(&'a dyn Object<BoxedState>),
}

/// A state of a [`BoxedSpec`]: the state of the spec in it, encoded by [`Portable`]. Up to 24 bytes
/// are stored without an allocation.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BoxedState(SmallVec<[u8; 24]>);

/// Any spec as one type, whose states need no encoding. A check of this type is compiled once, not for each
/// spec.
#[derive(Clone, Copy)]
pub(crate) struct ErasedSpec<'a>(&'a dyn Object<ErasedState>);

/// A state of an [`ErasedSpec`]: the state of the spec in it, in an allocation of its own.
#[derive(Clone)]
pub(crate) struct ErasedState(Arc<dyn StateObject>);

thread_local! {
    /// A buffer for encoding, so that a short state needs no allocation.
    static ENCODED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

impl<'a> BoxedSpec<'a> {
    pub(super) fn new<S>(spec: S) -> Self
    where
        S: DdSpec<State: Portable> + Send + 'a,
    {
        BoxedSpec(Boxed::Any(Box::new(spec)))
    }

    /// Returns the array spec, if it is one.
    pub(crate) fn into_rows(self) -> Result<Rows<'a>, Self> {
        match self.0 {
            Boxed::Rows(rows) => Ok(rows),
            other => Err(BoxedSpec(other)),
        }
    }

    fn object(&self) -> &dyn Object<BoxedState> {
        match &self.0 {
            Boxed::Any(spec) => &**spec,
            Boxed::Rows(rows) => rows,
            Boxed::Part(spec) => *spec,
        }
    }
}

impl<'a> From<Rows<'a>> for BoxedSpec<'a> {
    fn from(rows: Rows<'a>) -> Self {
        BoxedSpec(Boxed::Rows(rows))
    }
}

impl<'a> From<&'a dyn Object<BoxedState>> for BoxedSpec<'a> {
    fn from(spec: &'a dyn Object<BoxedState>) -> Self {
        BoxedSpec(Boxed::Part(spec))
    }
}

impl<'a> ErasedSpec<'a> {
    pub(crate) fn new<S: DdSpec>(spec: &'a S) -> Self {
        ErasedSpec(spec)
    }

    fn object(&self) -> &'a dyn Object<ErasedState> {
        self.0
    }
}

impl ErasedState {
    /// Erases the type of a state. A state of an erased spec stays as it is.
    pub(crate) fn new<T: Eq + Hash + Debug + Send + Sync + 'static>(state: T) -> Self {
        match (&state as &dyn Any).downcast_ref::<Self>() {
            Some(erased) => erased.clone(),
            None => ErasedState(Arc::new(state)),
        }
    }
}

/// Implements [`DdSpec`] for a type whose `object` returns an [`Object`] with such states.
macro_rules! object_spec {
    ($spec:ty, $state:ty) => {
        impl DdSpec for $spec {
            type State = $state;

            fn num_vars(&self) -> usize {
                self.object().num_vars()
            }

            fn arity(&self, variable: usize) -> usize {
                self.object().arity(variable)
            }

            fn root(&self) -> Step<$state> {
                self.object().root()
            }

            fn child(&self, state: &$state, variable: usize, value: usize) -> Step<$state> {
                self.object().child(state, variable, value)
            }

            fn for_each_child<B>(
                &self,
                state: &$state,
                variable: usize,
                mut visit: impl FnMut(usize, Step<$state>) -> ControlFlow<B>,
            ) -> ControlFlow<B> {
                let mut stop = None;
                let flow = self.object().for_each_child(state, variable, &mut |value, step| {
                    visit(value, step).map_break(|reason| stop = Some(reason))
                });
                match stop {
                    Some(reason) if flow.is_break() => ControlFlow::Break(reason),
                    _ => ControlFlow::Continue(()),
                }
            }

            fn forced(&self, state: &$state, variable: usize) -> Forced<$state> {
                self.object().forced(state, variable)
            }

            fn like(&self, variable: usize) -> Option<usize> {
                self.object().like(variable)
            }

            fn merge(&self, one: &$state, other: &$state, variable: usize) -> Option<$state> {
                self.object().merge(one, other, variable)
            }

            fn scope(&self) -> Option<Vec<usize>> {
                self.object().scope()
            }

            fn conjuncts(&self) -> Vec<Operand<'_>> {
                self.object().conjuncts()
            }

            fn root_under(&self, rule: Rule) -> Step<$state> {
                self.object().root_under(rule)
            }

            fn validate(&self) -> Result<(), String> {
                self.object().validate()
            }

            fn describe(&self, state: &$state) -> String {
                self.object().describe(state)
            }

            fn refused_by(&self, state: &$state, variable: usize, value: usize) -> Option<String> {
                self.object().refused_by(state, variable, value)
            }
        }
    };
}

object_spec!(BoxedSpec<'_>, BoxedState);
object_spec!(ErasedSpec<'_>, ErasedState);

impl Debug for BoxedSpec<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoxedSpec")
            .field("num_vars", &DdSpec::num_vars(self))
            .finish_non_exhaustive()
    }
}

/// The methods of [`DdSpec`] in a form that permits trait objects, with another type of states.
pub(super) trait Object<R>: Sync {
    fn num_vars(&self) -> usize;
    fn arity(&self, variable: usize) -> usize;
    fn root(&self) -> Step<R>;
    fn child(&self, state: &R, variable: usize, value: usize) -> Step<R>;
    fn for_each_child(
        &self,
        state: &R,
        variable: usize,
        visit: &mut dyn FnMut(usize, Step<R>) -> ControlFlow<()>,
    ) -> ControlFlow<()>;
    fn forced(&self, state: &R, variable: usize) -> Forced<R>;
    fn like(&self, variable: usize) -> Option<usize>;
    fn merge(&self, one: &R, other: &R, variable: usize) -> Option<R>;
    fn scope(&self) -> Option<Vec<usize>>;
    fn conjuncts(&self) -> Vec<Operand<'_>>;
    fn root_under(&self, rule: Rule) -> Step<R>;
    fn validate(&self) -> Result<(), String>;
    fn describe(&self, state: &R) -> String;
    fn refused_by(&self, state: &R, variable: usize, value: usize) -> Option<String>;
}

/// A type that represents states of type `T`.
trait Represents<T> {
    fn new(state: T) -> Self;

    /// The spec as an object with encoded states, if this is their encoding.
    fn object<S: DdSpec<State = T>>(spec: &S) -> Option<&dyn Object<BoxedState>> {
        let _ = spec;
        None
    }

    /// Applies a function to the state.
    fn with<O>(&self, function: impl FnOnce(&T) -> O) -> O;
}

impl<S: DdSpec, R: Represents<S::State>> Object<R> for S {
    fn num_vars(&self) -> usize {
        DdSpec::num_vars(self)
    }

    fn arity(&self, variable: usize) -> usize {
        DdSpec::arity(self, variable)
    }

    fn root(&self) -> Step<R> {
        DdSpec::root(self).map(R::new)
    }

    fn child(&self, state: &R, variable: usize, value: usize) -> Step<R> {
        state.with(|state| DdSpec::child(self, state, variable, value)).map(R::new)
    }

    fn for_each_child(
        &self,
        state: &R,
        variable: usize,
        visit: &mut dyn FnMut(usize, Step<R>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        state.with(|state| {
            DdSpec::for_each_child(self, state, variable, |value, step| {
                visit(value, step.map(R::new))
            })
        })
    }

    fn forced(&self, state: &R, variable: usize) -> Forced<R> {
        // As it is, for checks: `Forced::map` would replace a value that leads to the 0-terminal.
        match state.with(|state| DdSpec::forced(self, state, variable)) {
            Forced::Free => Forced::Free,
            Forced::Dead => Forced::Dead,
            Forced::Value(value, step) => Forced::Value(value, step.map(R::new)),
        }
    }

    fn like(&self, variable: usize) -> Option<usize> {
        DdSpec::like(self, variable)
    }

    fn merge(&self, one: &R, other: &R, variable: usize) -> Option<R> {
        let merged = one.with(|one| other.with(|other| DdSpec::merge(self, one, other, variable)));
        merged.map(R::new)
    }

    fn scope(&self) -> Option<Vec<usize>> {
        DdSpec::scope(self)
    }

    fn conjuncts(&self) -> Vec<Operand<'_>> {
        let mut operands = DdSpec::conjuncts(self);
        if let [operand] = &mut operands[..] {
            operand.boxed = operand.boxed.or_else(|| R::object(self));
        }
        operands
    }

    fn root_under(&self, rule: Rule) -> Step<R> {
        DdSpec::root_under(self, rule).map(R::new)
    }

    fn validate(&self) -> Result<(), String> {
        DdSpec::validate(self)
    }

    fn describe(&self, state: &R) -> String {
        state.with(|state| DdSpec::describe(self, state))
    }

    fn refused_by(&self, state: &R, variable: usize, value: usize) -> Option<String> {
        state.with(|state| DdSpec::refused_by(self, state, variable, value))
    }
}

impl<T: Portable> Represents<T> for BoxedState {
    fn new(state: T) -> Self {
        ENCODED.with_borrow_mut(|encoded| {
            encoded.clear();
            state.write(encoded);
            BoxedState(SmallVec::from_slice(encoded))
        })
    }

    fn object<S: DdSpec<State = T>>(spec: &S) -> Option<&dyn Object<BoxedState>> {
        Some(spec)
    }

    fn with<O>(&self, function: impl FnOnce(&T) -> O) -> O {
        let state = T::read(&mut &self.0[..]);
        function(&state.expect("the state was made by this spec"))
    }
}

/// The methods of states in a form that permits trait objects.
trait StateObject: Any + Debug + Send + Sync {
    fn equals(&self, other: &dyn StateObject) -> bool;

    fn hash_into(&self, hasher: &mut dyn Hasher);
}

impl<T: Eq + Hash + Debug + Send + Sync + 'static> StateObject for T {
    fn equals(&self, other: &dyn StateObject) -> bool {
        (other as &dyn Any).downcast_ref::<T>().is_some_and(|other| other == self)
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }
}

impl<T: Eq + Hash + Debug + Send + Sync + 'static> Represents<T> for ErasedState {
    fn new(state: T) -> Self {
        ErasedState::new(state)
    }

    fn with<O>(&self, function: impl FnOnce(&T) -> O) -> O {
        let is_erased = TypeId::of::<T>() == TypeId::of::<Self>();
        let state: &dyn Any = if is_erased { self } else { &*self.0 };
        function(state.downcast_ref().expect("the state was made by this spec"))
    }
}

impl PartialEq for ErasedState {
    fn eq(&self, other: &Self) -> bool {
        (*self.0).equals(&*other.0)
    }
}

impl Eq for ErasedState {}

impl Hash for ErasedState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (*self.0).hash_into(hasher);
    }
}

impl Debug for ErasedState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (*self.0).fmt(f)
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

impl Debug for BoxedState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Implements [`DdSpec`] for pointers to a spec, so that specs and diagrams can be shared.
macro_rules! pointer_is_spec {
    ($(<$($lifetime:lifetime,)? $spec:ident> $pointer:ty),*) => {$(
        impl<$($lifetime,)? $spec: DdSpec> DdSpec for $pointer
        where
            $pointer: Sync,
        {
            type State = $spec::State;

            fn num_vars(&self) -> usize {
                (**self).num_vars()
            }

            #[inline]
            fn arity(&self, variable: usize) -> usize {
                (**self).arity(variable)
            }

            fn root(&self) -> Step<Self::State> {
                (**self).root()
            }

            #[inline]
            fn child(
                &self,
                state: &Self::State,
                variable: usize,
                value: usize,
            ) -> Step<Self::State> {
                (**self).child(state, variable, value)
            }

            #[inline]
            fn for_each_child<B>(&self, state: &Self::State, variable: usize, visit: impl FnMut(usize, Step<Self::State>) -> ControlFlow<B>) -> ControlFlow<B> {
                (**self).for_each_child(state, variable, visit)
            }

            #[allow(clippy::inline_always, reason = "calls took a tenth of a sweep over small states")]
            #[inline(always)]
            fn forced(&self, state: &Self::State, variable: usize) -> Forced<Self::State> {
                (**self).forced(state, variable)
            }

            fn like(&self, variable: usize) -> Option<usize> {
                (**self).like(variable)
            }

            fn merge(
                &self,
                one: &Self::State,
                other: &Self::State,
                variable: usize,
            ) -> Option<Self::State> {
                (**self).merge(one, other, variable)
            }

            fn scope(&self) -> Option<Vec<usize>> {
                (**self).scope()
            }

            fn conjuncts(&self) -> Vec<Operand<'_>> {
                (**self).conjuncts()
            }

            fn root_under(&self, rule: Rule) -> Step<Self::State> {
                (**self).root_under(rule)
            }

            fn validate(&self) -> Result<(), String> {
                (**self).validate()
            }

            fn describe(&self, state: &Self::State) -> String {
                (**self).describe(state)
            }

            fn refused_by(
                &self,
                state: &Self::State,
                variable: usize,
                value: usize,
            ) -> Option<String> {
                (**self).refused_by(state, variable, value)
            }
        }
    )*};
}

pointer_is_spec!(<'a, S> &'a S, <S> Box<S>, <S> std::sync::Arc<S>);

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
