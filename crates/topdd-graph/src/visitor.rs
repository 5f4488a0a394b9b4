//! Passing a spec whose type is chosen at run time to code that is generic over specs.

use topdd::spec::{ArraySpec, Arrays, FixedArrays};
use topdd::{BoxedSpec, DdSpec, Frontier, Portable, SpecExt};

/// A function of a spec of any type.
///
/// The width of a state is a parameter of the type of the spec, and it depends on the size of the
/// problem. `Paths::visit` and its counterparts choose the type and pass the spec to a visitor.
//
// Public for topdd-chess, and not part of the API: users call `spec`, `frontier`,
// `zdd` and `count`.
#[doc(hidden)]
pub trait SpecVisitor {
    /// The type of the result.
    type Output;

    /// Applies the function.
    fn visit<S: DdSpec<State: Portable> + Send + 'static>(self, spec: S) -> Self::Output;

    /// Applies the function to an array spec, for which the engine is compiled in the library.
    fn visit_arrays(self, spec: Arrays<'static>) -> Self::Output;

    /// Applies the function to an array spec. If speed matters, and a state has one or two words, these are
    /// a part of the type.
    fn visit_short<S: ArraySpec<Item = u64> + 'static>(self, spec: S, words: usize)
    -> Self::Output;

    /// Applies the function to a boxed spec, for which the engine is compiled in the library.
    fn visit_boxed(self, spec: BoxedSpec<'static>) -> Self::Output;
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

    fn visit_arrays(self, spec: Arrays<'static>) -> Self::Output {
        Frontier::of_arrays(spec)
    }

    fn visit_short<S: ArraySpec<Item = u64> + 'static>(
        self,
        spec: S,
        words: usize,
    ) -> Self::Output {
        const FITS: &str = "a state has this number of words";
        match words {
            1 => Frontier::of(FixedArrays::<S, 1>::new(spec).expect(FITS)),
            2 => Frontier::of(FixedArrays::<S, 2>::new(spec).expect(FITS)),
            _ => Frontier::of_arrays(Arrays::new(spec)),
        }
    }

    fn visit_boxed(self, spec: BoxedSpec<'static>) -> Self::Output {
        Frontier::of_boxed(spec)
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

    fn visit_arrays(self, spec: Arrays<'static>) -> Self::Output {
        spec.boxed()
    }

    fn visit_short<S: ArraySpec<Item = u64> + 'static>(self, spec: S, _: usize) -> Self::Output {
        Arrays::new(spec).boxed()
    }

    fn visit_boxed(self, spec: BoxedSpec<'static>) -> Self::Output {
        spec
    }
}
