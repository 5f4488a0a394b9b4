//! Pointers to specs as specs.

use super::{DdSpec, Forced, Rule, Step, Values};
use std::ops::ControlFlow;

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

            #[inline]
            fn forced(&self, state: &Self::State, variable: usize) -> Forced<Self::State> {
                (**self).forced(state, variable)
            }

            fn narrow(&self, state: &Self::State, variable: usize, values: &mut Option<Values>) {
                (**self).narrow(state, variable, values);
            }

            fn like(&self, variable: usize) -> Option<usize> {
                (**self).like(variable)
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
