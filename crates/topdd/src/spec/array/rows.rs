//! Array specs with states of any number of words.

use super::fixed::write_words;
use super::words::WordSpec;
use crate::spec::{DdSpec, Forced, Portable, Space, Step};
use smallvec::SmallVec;
use std::fmt::{self, Debug};
use std::ops::ControlFlow;

/// An array spec as an object. A state has the words of its variable.
pub(crate) struct Rows<'a>(Box<dyn WordSpec + 'a>);

/// A state of [`Rows`]: up to three words are stored without an allocation.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Row(pub(super) SmallVec<[u64; 3]>);

impl<'a> Rows<'a> {
    pub(crate) fn new(spec: impl WordSpec + 'a) -> Self {
        Rows(Box::new(spec))
    }

    /// A state of zeros, of the length of the longest.
    fn zeros(&self) -> Row {
        Row(SmallVec::from_elem(0, self.0.num_words()))
    }

    /// A copy of a state, with zeros up to the length of the longest.
    fn extended(&self, state: &Row) -> Row {
        let mut next = state.clone();
        next.0.resize(self.0.num_words(), 0);
        next
    }

    /// The step to a state, without the words that a state at its variable does not have.
    fn shortened(&self, step: Step<()>, mut state: Row) -> Step<Row> {
        match step {
            Step::Zero => Step::Zero,
            Step::One => Step::One,
            Step::To(to, ()) => {
                state.0.truncate(self.0.num_words_at(to));
                Step::To(to, state)
            }
        }
    }
}

impl WordSpec for Rows<'_> {
    fn space(&self) -> &Space {
        self.0.space()
    }

    fn arity(&self, variable: usize) -> usize {
        self.0.arity(variable)
    }

    fn num_words(&self) -> usize {
        self.0.num_words()
    }

    fn num_words_at(&self, variable: usize) -> usize {
        self.0.num_words_at(variable)
    }

    fn root(&self, words: &mut [u64]) -> Step<()> {
        self.0.root(words)
    }

    #[inline]
    fn child(
        &self,
        words: &mut [u64],
        variable: usize,
        value: &mut usize,
        skips: bool,
    ) -> Step<()> {
        self.0.child(words, variable, value, skips)
    }

    #[inline]
    fn forced(&self, words: &mut [u64], variable: usize) -> Forced<()> {
        self.0.forced(words, variable)
    }

    fn like(&self, variable: usize) -> Option<usize> {
        self.0.like(variable)
    }

    fn validate(&self) -> Result<(), String> {
        self.0.validate()
    }

    fn describe(&self, words: &[u64]) -> String {
        self.0.describe(words)
    }
}

impl DdSpec for Rows<'_> {
    type State = Row;

    fn num_vars(&self) -> usize {
        self.0.space().num_vars()
    }

    fn arity(&self, variable: usize) -> usize {
        self.0.space().arity(variable)
    }

    fn root(&self) -> Step<Row> {
        let mut state = self.zeros();
        let step = self.0.root(&mut state.0);
        self.shortened(step, state)
    }

    fn child(&self, state: &Row, variable: usize, value: usize) -> Step<Row> {
        let mut next = self.extended(state);
        let step = self.0.child(&mut next.0, variable, &mut { value }, false);
        self.shortened(step, next)
    }

    fn for_each_child<B>(
        &self,
        state: &Row,
        variable: usize,
        mut visit: impl FnMut(usize, Step<Row>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let arity = self.0.space().arity(variable);
        let mut value = 0;
        while value < arity {
            let mut next = self.extended(state);
            let step = self.0.child(&mut next.0, variable, &mut value, true);
            if !step.is_zero() {
                visit(value, self.shortened(step, next))?;
            }
            value = value.saturating_add(1);
        }
        ControlFlow::Continue(())
    }

    fn forced(&self, state: &Row, variable: usize) -> Forced<Row> {
        let mut next = self.extended(state);
        let forced = self.0.forced(&mut next.0, variable);
        forced.map(|step| self.shortened(step, next))
    }

    fn like(&self, variable: usize) -> Option<usize> {
        self.0.like(variable)
    }

    fn validate(&self) -> Result<(), String> {
        self.0.validate()
    }

    fn describe(&self, state: &Row) -> String {
        self.0.describe(&self.extended(state).0)
    }
}

impl Portable for Row {
    fn write(&self, out: &mut Vec<u8>) {
        (self.0.len() as u32).write(out);
        for word in &self.0 {
            word.write(out);
        }
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let count = u32::read(bytes)? as usize;
        if count > bytes.len() / size_of::<u64>() {
            return None;
        }
        let words: Option<_> = (0..count).map(|_| u64::read(bytes)).collect();
        words.map(Row)
    }

    fn heap_bytes(&self) -> usize {
        self.0.heap_bytes()
    }
}

impl Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_words(&self.0, f)
    }
}

impl Debug for Rows<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rows")
            .field("num_vars", &self.0.space().num_vars())
            .field("num_words", &self.0.num_words())
            .finish_non_exhaustive()
    }
}
