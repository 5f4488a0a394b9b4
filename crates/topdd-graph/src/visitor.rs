//! Passing a spec whose type is chosen at run time to code that is generic over specs.

use topdd::{BoxedSpec, DdSpec, Frontier, Portable, SpecExt};

/// A function of a spec of any type.
///
/// The width of a state is a parameter of the type of the spec, and it depends on the size of the
/// problem. `Walks::visit` and its counterparts choose the type and pass the spec to a visitor.
//
// Public for topdd-chess, and not part of the API: users call `spec`, `frontier`,
// `zdd` and `count`.
#[doc(hidden)]
pub trait SpecVisitor {
    /// The type of the result.
    type Output;

    /// Applies the function.
    fn visit<S: DdSpec<State: Portable> + Send + 'static>(self, spec: S) -> Self::Output;
}

/// Makes a [`Frontier`] that owns the spec.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct MakeFrontier;

impl SpecVisitor for MakeFrontier {
    type Output = Frontier<'static>;

    fn visit<S: DdSpec<State: Portable> + Send + 'static>(self, spec: S) -> Self::Output {
        Frontier::of(spec)
    }
}

/// Makes a [`BoxedSpec`] of the spec.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct MakeBoxed;

impl SpecVisitor for MakeBoxed {
    type Output = BoxedSpec<'static>;

    fn visit<S: DdSpec<State: Portable> + Send + 'static>(self, spec: S) -> Self::Output {
        spec.boxed()
    }
}
