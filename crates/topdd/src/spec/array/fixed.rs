//! Array specs with states of a fixed number of words.

use super::words::WordSpec;
use crate::spec::{DdSpec, Forced, Portable, Space, Step};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

/// A state of [`FixedRows`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct FixedRow<const N: usize>([u64; N]);

/// A spec whose states have at most `N` words, or exactly `N` if `EXACT`. `W` is the spec as an object, or by
/// its type, for which the engine is then compiled where it is used.
pub(crate) struct FixedRows<W, const N: usize, const EXACT: bool> {
    spec: W,
    space: Space,
    /// The number of words of the longest state.
    num_words: usize,
}

impl<W: WordSpec, const N: usize, const EXACT: bool> FixedRows<W, N, EXACT> {
    pub(crate) fn new(spec: W) -> Self {
        let (space, num_words) = (spec.space().clone(), spec.num_words());
        debug_assert!(if EXACT { num_words == N } else { num_words <= N });
        FixedRows { spec, space, num_words }
    }

    /// Returns the spec without a fixed number of words.
    pub(crate) fn into_inner(self) -> W {
        self.spec
    }
}

impl<W, const N: usize, const EXACT: bool> FixedRows<W, N, EXACT> {
    /// The words of a state.
    #[inline]
    fn used<'w>(&self, words: &'w mut [u64; N]) -> &'w mut [u64] {
        // The constant length saves bounds checks.
        if EXACT { words } else { &mut words[..self.num_words] }
    }
}

impl<W: WordSpec, const N: usize, const EXACT: bool> DdSpec for FixedRows<W, N, EXACT> {
    type State = FixedRow<N>;

    fn num_vars(&self) -> usize {
        self.space.num_vars()
    }

    #[inline]
    fn arity(&self, variable: usize) -> usize {
        // By the type of the spec, the arity is often a constant; otherwise it would be a call.
        if EXACT { self.spec.arity(variable) } else { self.space.arity(variable) }
    }

    fn root(&self) -> Step<FixedRow<N>> {
        let mut words = [0; N];
        self.spec.root(self.used(&mut words)).map(|()| FixedRow(words))
    }

    #[inline]
    fn child(&self, state: &FixedRow<N>, variable: usize, value: usize) -> Step<FixedRow<N>> {
        let mut words = state.0;
        let step = self.spec.child(self.used(&mut words), variable, &mut { value }, false);
        step.map(|()| FixedRow(words))
    }

    #[inline]
    fn for_each_child<B>(
        &self,
        state: &FixedRow<N>,
        variable: usize,
        mut visit: impl FnMut(usize, Step<FixedRow<N>>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let arity = self.arity(variable);
        let mut value = 0;
        while value < arity {
            let mut words = state.0;
            let step = self.spec.child(self.used(&mut words), variable, &mut value, true);
            if !step.is_zero() {
                visit(value, step.map(|()| FixedRow(words)))?;
            }
            value = value.saturating_add(1);
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn forced(&self, state: &FixedRow<N>, variable: usize) -> Forced<FixedRow<N>> {
        let mut words = state.0;
        let forced = self.spec.forced(self.used(&mut words), variable);
        forced.map(|step| step.map(|()| FixedRow(words)))
    }

    fn like(&self, variable: usize) -> Option<usize> {
        self.spec.like(variable)
    }

    fn validate(&self) -> Result<(), String> {
        self.spec.validate()
    }

    fn describe(&self, state: &FixedRow<N>) -> String {
        self.spec.describe(&state.0[..self.num_words])
    }
}

// Hashes word by word, without the length prefix of a slice.
impl<const N: usize> Hash for FixedRow<N> {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        for &word in &self.0 {
            hasher.write_u64(word);
        }
    }
}

impl<const N: usize> Portable for FixedRow<N> {
    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }

    #[inline]
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Portable::read(bytes).map(FixedRow)
    }
}

impl<const N: usize> fmt::Debug for FixedRow<N> {
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
