//! Specs with states of some words, as array specs: the engine for these is compiled in the library.

use topdd::spec::{ArraySpec, Arrays};
use topdd::{DdSpec, Forced, Step};

/// A state of a number of 64-bit words.
//
// Public for topdd-chess, and not part of the API.
#[doc(hidden)]
pub trait WordState {
    /// Reads a state from its words.
    fn from_words(words: &[u64]) -> Self;

    /// Writes a state. If there are fewer words than the type has, the others are 0.
    fn write_words(&self, words: &mut [u64]);
}

/// A spec whose states are stored as words.
struct InWords<S> {
    spec: S,
    /// The number of words of a state.
    words: usize,
}

/// Makes an array spec of a spec whose states have this number of words.
#[doc(hidden)]
pub fn in_words<S>(spec: S, words: usize) -> Arrays<'static>
where
    S: DdSpec<State: WordState> + Send + 'static,
{
    Arrays::new(InWords { spec, words })
}

#[inline]
fn write<T: WordState>(step: Step<T>, words: &mut [u64]) -> Step<()> {
    step.map(|state| state.write_words(words))
}

impl<S: DdSpec<State: WordState> + Send> ArraySpec for InWords<S> {
    type Head = ();
    type Item = u64;

    fn num_vars(&self) -> usize {
        self.spec.num_vars()
    }

    fn arity(&self, variable: usize) -> usize {
        self.spec.arity(variable)
    }

    fn len(&self, _: usize) -> usize {
        self.words
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
