//! Array specs with states of a fixed number of words, for which the engine is compiled.

use super::words::WordSpec;
use crate::spec::{DdSpec, Forced, Portable, Space, Step};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

/// A function of a spec with states of any fixed number of words, or of the spec itself.
pub(crate) trait SizedVisitor<'s> {
    type Output;

    fn visit<S: DdSpec<State: Portable>>(self, spec: &'s S) -> Self::Output;
}

/// A state of [`FixedArrays`](super::FixedArrays): `N` words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ArrayWords<const N: usize>([u64; N]);

/// A spec whose states have at most `N` words, or exactly `N` if `EXACT`. `W` is the spec as an object, or by
/// its type.
pub(crate) struct Fixed<W, const N: usize, const EXACT: bool> {
    spec: W,
    space: Space,
    /// The number of words of the longest state.
    num_words: usize,
}

impl<W: WordSpec, const N: usize> Fixed<W, N, true> {
    /// Makes the spec; `None` unless the longest state has `N` words.
    pub(super) fn new(spec: W, space: Space) -> Option<Self> {
        let num_words = spec.num_words();
        (num_words == N).then_some(Self { spec, space, num_words })
    }
}

impl<W, const N: usize, const EXACT: bool> Fixed<W, N, EXACT> {
    /// The words of a state.
    #[inline]
    fn used<'w>(&self, words: &'w mut [u64; N]) -> &'w mut [u64] {
        // The constant length saves bounds checks.
        if EXACT { words } else { &mut words[..self.num_words] }
    }
}

type Object<'a> = Box<dyn WordSpec + 'a>;

/// Makes an enum of the specs of these sizes.
macro_rules! sizes {
    ($($name:ident $words:literal)*) => {
        /// A spec by the number of words of its longest state. The engine is compiled once for each
        /// size, so larger ones are sparse.
        pub(super) enum SizedSpec<'a> {
            $($name(Fixed<Object<'a>, $words, false>),)*
            Longer(Object<'a>),
        }

        impl<'a> SizedSpec<'a> {
            pub(super) fn new(spec: Object<'a>, space: Space) -> Self {
                let num_words = spec.num_words();
                match num_words {
                    $(0..=$words => SizedSpec::$name(Fixed { spec, space, num_words }),)*
                    _ => SizedSpec::Longer(spec),
                }
            }

            pub(super) fn words(&self) -> &(dyn WordSpec + 'a) {
                match self {
                    $(SizedSpec::$name(fixed) => &*fixed.spec,)*
                    SizedSpec::Longer(spec) => &**spec,
                }
            }

            /// Applies a function to the spec; returns it if a state is longer than any fixed size.
            pub(super) fn visit<'s, V: SizedVisitor<'s>>(&'s self, visitor: V) -> Result<V::Output, V> {
                match self {
                    $(SizedSpec::$name(fixed) => Ok(visitor.visit(fixed)),)*
                    SizedSpec::Longer(_) => Err(visitor),
                }
            }
        }
    };
}

sizes! { One 1 Two 2 Four 4 Eight 8 Sixteen 16 }

impl<W: WordSpec, const N: usize, const EXACT: bool> DdSpec for Fixed<W, N, EXACT> {
    type State = ArrayWords<N>;

    fn num_vars(&self) -> usize {
        self.space.num_vars()
    }

    #[inline]
    fn arity(&self, variable: usize) -> usize {
        // By the type of the spec, the arity is often a constant; otherwise it would be a call.
        if EXACT { self.spec.arity(variable) } else { self.space.arity(variable) }
    }

    fn root(&self) -> Step<ArrayWords<N>> {
        let mut words = [0; N];
        self.spec.root(self.used(&mut words)).map(|()| ArrayWords(words))
    }

    #[inline]
    fn child(&self, state: &ArrayWords<N>, variable: usize, value: usize) -> Step<ArrayWords<N>> {
        let mut words = state.0;
        let step = self.spec.child(self.used(&mut words), variable, &mut { value }, false);
        step.map(|()| ArrayWords(words))
    }

    #[inline]
    fn for_each_child<B>(
        &self,
        state: &ArrayWords<N>,
        variable: usize,
        mut visit: impl FnMut(usize, Step<ArrayWords<N>>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let arity = self.arity(variable);
        let mut value = 0;
        while value < arity {
            let mut words = state.0;
            let step = self.spec.child(self.used(&mut words), variable, &mut value, true);
            if !step.is_zero() {
                visit(value, step.map(|()| ArrayWords(words)))?;
            }
            value = value.saturating_add(1);
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn forced(&self, state: &ArrayWords<N>, variable: usize) -> Forced<ArrayWords<N>> {
        let mut words = state.0;
        let forced = self.spec.forced(self.used(&mut words), variable);
        forced.map(|step| step.map(|()| ArrayWords(words)))
    }

    fn validate(&self) -> Result<(), String> {
        self.spec.validate()
    }

    fn describe(&self, state: &ArrayWords<N>) -> String {
        self.spec.describe(&state.0[..self.num_words])
    }
}

// Hashes word by word, without the length prefix of a slice.
impl<const N: usize> Hash for ArrayWords<N> {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        for &word in &self.0 {
            hasher.write_u64(word);
        }
    }
}

impl<const N: usize> Portable for ArrayWords<N> {
    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }

    #[inline]
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Portable::read(bytes).map(ArrayWords)
    }
}

impl<const N: usize> fmt::Debug for ArrayWords<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_words(&self.0, f)
    }
}

/// Writes words as hexadecimal numbers.
pub(super) fn write_words(words: &[u64], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    words.iter().enumerate().try_for_each(|(i, word)| {
        let space = if i == 0 { "" } else { " " };
        write!(f, "{space}{word:016x}")
    })
}
