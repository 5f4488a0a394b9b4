//! States that are rows of 64-bit words.

use std::hash::{Hash, Hasher};
use topdd::spec::ArraySpec;
use topdd::{DdSpec, Forced, Frontier, Portable, Step};

/// A state of `W` words, into which fields of a few bits are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Words<const W: usize>(pub(super) [u64; W]);

// Hashes word by word, without the length prefix of a slice.
impl<const W: usize> Hash for Words<W> {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        for &word in &self.0 {
            hasher.write_u64(word);
        }
    }
}

impl<const W: usize> Portable for Words<W> {
    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }

    #[inline]
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Portable::read(bytes).map(Self)
    }
}

impl<const W: usize> FromWords for Words<W> {
    #[inline]
    fn from_words(words: &[u64]) -> Self {
        let mut all = [0; W];
        all[..words.len()].copy_from_slice(words);
        Self(all)
    }

    #[inline]
    fn write_words(&self, words: &mut [u64]) {
        words.copy_from_slice(&self.0[..words.len()]);
    }
}

impl<const W: usize> Words<W> {
    pub(super) const EMPTY: Self = Self([0; W]);

    /// Changes each word, given its index. `Iterator::zip` is not inlined across the units in which a compiler
    /// without link-time optimisation divides a crate, and would take most of the time of a sweep.
    #[inline]
    pub(super) fn map(mut self, change: impl Fn(usize, u64) -> u64) -> Self {
        let mut index = 0;
        while index < W {
            self.0[index] = change(index, self.0[index]);
            index += 1;
        }
        self
    }
}

/// A state that is stored as words.
//
// Public for topdd-chess, and not part of the API.
pub trait FromWords: Portable {
    /// Reads a state from its words.
    fn from_words(words: &[u64]) -> Self;

    /// Writes a state. If there are fewer words than the type has, the others are 0.
    fn write_words(&self, words: &mut [u64]);
}

/// Makes a sweep over a spec whose states have many words. Only the first `num_words` of them are used, and the
/// engine is not compiled for the type of the spec.
//
// Public for topdd-chess, and not part of the API.
pub fn wide<S>(spec: S, num_words: usize) -> Frontier<'static>
where
    S: DdSpec<State: FromWords> + Send + 'static,
{
    Frontier::of_boxed(Wide { spec, num_words }.boxed())
}

/// A spec whose states are stored as words.
struct Wide<S> {
    spec: S,
    /// The number of words of a state.
    num_words: usize,
}

#[inline]
fn write<T: FromWords>(step: Step<T>, words: &mut [u64]) -> Step<()> {
    step.map(|state| state.write_words(words))
}

impl<S: DdSpec<State: FromWords> + Send> ArraySpec for Wide<S> {
    type Head = ();
    type Item = u64;

    fn num_vars(&self) -> usize {
        self.spec.num_vars()
    }

    fn arity(&self, variable: usize) -> usize {
        self.spec.arity(variable)
    }

    fn len(&self, _: usize) -> usize {
        self.num_words
    }

    fn root(&self, (): &mut (), words: &mut [u64]) -> Step<()> {
        write(self.spec.root(), words)
    }

    #[inline]
    fn child(&self, (): &mut (), words: &mut [u64], variable: usize, value: usize) -> Step<()> {
        write(self.spec.child(&S::State::from_words(words), variable, value), words)
    }

    #[inline]
    fn forced(&self, (): &mut (), words: &mut [u64], variable: usize) -> Forced<()> {
        let forced = self.spec.forced(&S::State::from_words(words), variable);
        forced.map(|step| write(step, words))
    }

    fn describe(&self, (): &(), words: &[u64]) -> String {
        self.spec.describe(&S::State::from_words(words))
    }
}
