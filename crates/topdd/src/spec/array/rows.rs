//! Array specs with states of any number of words.

use super::{ArraySpec, WordSpec, write_words};
use crate::spec::{Arities, DdSpec, Forced, Portable, Space, Step};
use smallvec::SmallVec;
use std::fmt::{self, Debug};
use std::ops::ControlFlow;

/// An array spec as an object. A state has the words of its variable.
pub(crate) struct Rows<'a>(Box<dyn WordSpec + 'a>);

/// A state of [`Rows`]: up to three words are stored without an allocation.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct WordRow(pub(super) SmallVec<[u64; 3]>);

impl<'a> Rows<'a> {
    pub(crate) fn new(spec: impl WordSpec + 'a) -> Self {
        Rows(Box::new(spec))
    }

    /// A state of zeros, of the length of the longest.
    fn zeros(&self) -> WordRow {
        WordRow(SmallVec::from_elem(0, self.0.num_words()))
    }

    /// A copy of a state, with zeros up to the length of the longest.
    fn extended(&self, state: &WordRow) -> WordRow {
        let mut next = state.clone();
        next.0.resize(self.0.num_words(), 0);
        next
    }

    /// The step to a state, without the words that a state at its variable does not have.
    fn shortened(&self, step: Step<()>, mut state: WordRow) -> Step<WordRow> {
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

    fn merge(&self, words: &mut [u64], other: &[u64], variable: usize) -> bool {
        self.0.merge(words, other, variable)
    }

    fn validate(&self) -> Result<(), String> {
        self.0.validate()
    }

    fn describe(&self, words: &[u64]) -> String {
        self.0.describe(words)
    }
}

impl DdSpec for Rows<'_> {
    type State = WordRow;

    fn num_vars(&self) -> usize {
        self.0.space().num_vars()
    }

    fn arity(&self, variable: usize) -> usize {
        self.0.space().arity(variable)
    }

    fn root(&self) -> Step<WordRow> {
        let mut state = self.zeros();
        let step = self.0.root(&mut state.0);
        self.shortened(step, state)
    }

    fn child(&self, state: &WordRow, variable: usize, value: usize) -> Step<WordRow> {
        let mut next = self.extended(state);
        let step = self.0.child(&mut next.0, variable, &mut { value }, false);
        self.shortened(step, next)
    }

    fn for_each_child<B>(
        &self,
        state: &WordRow,
        variable: usize,
        mut visit: impl FnMut(usize, Step<WordRow>) -> ControlFlow<B>,
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

    fn forced(&self, state: &WordRow, variable: usize) -> Forced<WordRow> {
        let mut next = self.extended(state);
        let forced = self.0.forced(&mut next.0, variable);
        forced.map(|step| self.shortened(step, next))
    }

    fn like(&self, variable: usize) -> Option<usize> {
        self.0.like(variable)
    }

    fn merge(&self, one: &WordRow, other: &WordRow, variable: usize) -> Option<WordRow> {
        let (mut merged, other) = (self.extended(one), self.extended(other));
        let is_merged = self.0.merge(&mut merged.0, &other.0, variable);
        merged.0.truncate(one.0.len());
        is_merged.then_some(merged)
    }

    fn validate(&self) -> Result<(), String> {
        self.0.validate()
    }

    fn describe(&self, state: &WordRow) -> String {
        self.0.describe(&self.extended(state).0)
    }
}

impl Portable for WordRow {
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
        words.map(WordRow)
    }

    fn heap_bytes(&self) -> usize {
        self.0.heap_bytes()
    }
}

impl Debug for WordRow {
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

/// An [`ArraySpec`] as a [`WordSpec`]. A state consists of the bytes of the head, the bytes of the items at the
/// next aligned position, and zeros up to a whole word.
pub(crate) struct Typed<S> {
    spec: S,
    space: Space,
    /// The number of items of the longest state.
    len: usize,
    /// The number of items at each variable, if they differ.
    lens: Option<Box<[usize]>>,
}

/// The limit of the size in bytes of the items of a state.
const MAX_BYTES: usize = 1 << 30;

impl<S: ArraySpec> Typed<S> {
    /// The position of the first item in bytes.
    const ITEMS_AT: usize = {
        assert!(size_of::<S::Item>() > 0, "an item has a size");
        assert!(align_of::<S::Head>() <= align_of::<u64>(), "the head has the alignment of u64");
        assert!(align_of::<S::Item>() <= align_of::<u64>(), "an item has the alignment of u64");
        size_of::<S::Head>().next_multiple_of(align_of::<S::Item>())
    };

    /// Whether a state consists of items of whole words, so that its slice needs no bounds check.
    const WHOLE_WORDS: bool =
        Self::ITEMS_AT == 0 && size_of::<S::Item>().is_multiple_of(size_of::<u64>());

    /// The limit of the number of items of a state.
    const MAX_ITEMS: usize = MAX_BYTES / size_of::<S::Item>();

    pub(crate) fn new(spec: S) -> Self {
        let num_vars = spec.num_vars();
        if num_vars > Arities::MAX_VARS {
            // The engine refuses it.
            return Typed { spec, space: num_vars.into(), len: 0, lens: None };
        }
        let arities = (0..num_vars).map(|variable| spec.arity(variable));
        let space = Space::from(arities.collect::<Vec<_>>());
        let lens: Box<[usize]> = (0..num_vars).map(|variable| spec.len(variable)).collect();
        let len = lens.iter().copied().max().unwrap_or(0);
        let lens = lens.iter().any(|&other| other != len).then_some(lens);
        Typed { spec, space, len, lens }
    }

    /// The number of words of a state of `len` items.
    fn words_for(len: usize) -> usize {
        // `validate` refuses a length that overflows.
        let bytes = len.saturating_mul(size_of::<S::Item>()).saturating_add(Self::ITEMS_AT);
        bytes.div_ceil(size_of::<u64>())
    }

    #[allow(clippy::inline_always, reason = "calls took a tenth of a sweep over small states")]
    #[inline(always)]
    fn split<'w>(&self, words: &'w mut [u64]) -> (&'w mut S::Head, &'w mut [S::Item]) {
        if Self::WHOLE_WORDS {
            let (head, items) = words.split_at_mut(0);
            let head = bytemuck::from_bytes_mut(bytemuck::cast_slice_mut(head));
            return (head, bytemuck::cast_slice_mut(items));
        }
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(words);
        let (head, items) = bytes.split_at_mut(Self::ITEMS_AT);
        let items = &mut items[..self.len * size_of::<S::Item>()];
        let head = bytemuck::from_bytes_mut(&mut head[..size_of::<S::Head>()]);
        (head, bytemuck::cast_slice_mut(items))
    }

    #[inline]
    fn split_ref<'w>(&self, words: &'w [u64]) -> (&'w S::Head, &'w [S::Item]) {
        let bytes: &[u8] = bytemuck::cast_slice(words);
        let items = &bytes[Self::ITEMS_AT..][..self.len * size_of::<S::Item>()];
        (bytemuck::from_bytes(&bytes[..size_of::<S::Head>()]), bytemuck::cast_slice(items))
    }

    /// Drops the items that a state at the next variable does not have.
    #[inline]
    fn drop_items(&self, items: &mut [S::Item], step: &Step<()>) {
        // The engine reports a step to a variable that does not exist.
        if let (Some(lens), &Step::To(to, ())) = (&self.lens, step)
            && let Some(&len) = lens.get(to)
        {
            items[len..].fill(bytemuck::Zeroable::zeroed());
        }
    }
}

impl<S: ArraySpec> WordSpec for Typed<S> {
    fn space(&self) -> &Space {
        &self.space
    }

    #[inline]
    fn arity(&self, variable: usize) -> usize {
        self.spec.arity(variable)
    }

    fn num_words(&self) -> usize {
        Self::words_for(self.len)
    }

    fn num_words_at(&self, variable: usize) -> usize {
        let len = self.lens.as_ref().and_then(|lens| lens.get(variable));
        Self::words_for(len.copied().unwrap_or(self.len))
    }

    fn root(&self, words: &mut [u64]) -> Step<()> {
        let (head, items) = self.split(words);
        let step = self.spec.root(head, items);
        self.drop_items(items, &step);
        step
    }

    #[allow(clippy::inline_always, reason = "calls took a tenth of a sweep over small states")]
    #[inline(always)]
    fn child(
        &self,
        words: &mut [u64],
        variable: usize,
        value: &mut usize,
        skips: bool,
    ) -> Step<()> {
        let (head, items) = self.split(words);
        if skips {
            // A smaller value would be visited twice.
            let next = self.spec.next_value(head, items, variable, *value);
            if next > *value {
                *value = next;
                if next >= self.spec.arity(variable) {
                    return Step::Zero;
                }
            }
        }
        let step = self.spec.child(head, items, variable, *value);
        self.drop_items(items, &step);
        step
    }

    #[allow(clippy::inline_always, reason = "calls took a tenth of a sweep over small states")]
    #[inline(always)]
    fn forced(&self, words: &mut [u64], variable: usize) -> Forced<()> {
        let (head, items) = self.split(words);
        let forced = self.spec.forced(head, items, variable);
        if let Forced::Value(_, step) = &forced {
            self.drop_items(items, step);
        }
        forced
    }

    fn like(&self, variable: usize) -> Option<usize> {
        self.spec.like(variable)
    }

    fn merge(&self, words: &mut [u64], other: &[u64], variable: usize) -> bool {
        let (head, items) = self.split(words);
        let (other_head, other_items) = self.split_ref(other);
        self.spec.merge(head, items, other_head, other_items, variable)
    }

    fn validate(&self) -> Result<(), String> {
        self.spec.validate()?;
        let (len, most) = (self.len, Self::MAX_ITEMS);
        if len <= most {
            return Ok(());
        }
        let variable =
            self.lens.as_ref().and_then(|lens| lens.iter().position(|&other| other == len));
        Err(format!(
            "`len` of variable {} is {len}; at most {most} items of this size are possible",
            variable.unwrap_or(0)
        ))
    }

    fn describe(&self, words: &[u64]) -> String {
        let (head, items) = self.split_ref(words);
        self.spec.describe(head, items)
    }
}
