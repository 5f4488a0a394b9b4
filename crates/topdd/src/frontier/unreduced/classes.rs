//! Edges that are stored once for the states of a class of alike variables, and the levels that use them.

use super::ForcedChain;
use crate::Map;
use std::ops::Range;

/// The transitions of a state have a place for each value if there are at most so many values.
const MAX_DENSE_ARITY: usize = 8;
/// Transitions are used for another variable if they depend on at most this many variables after their own.
pub(in crate::frontier) const WINDOW: usize = 64;
/// The reach of a state that was not expanded.
const UNEXPANDED: u8 = u8::MAX;

/// The transitions of all classes.
#[derive(Default)]
pub(crate) struct ClassTransitions {
    pub(in crate::frontier) contexts: Vec<Context>,
    pub(crate) spans: Spans,
    bytes: usize,
}

impl ClassTransitions {
    /// The transitions that a level uses.
    pub(crate) fn context(&self, level: &MarkedLevel) -> &Context {
        &self.contexts[level.context]
    }

    /// Size in bytes, when each context was counted last.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Counts a context again.
    pub(in crate::frontier) fn recount(&mut self, context: usize) {
        let context = &mut self.contexts[context];
        let bytes = context.bytes();
        self.bytes = self.bytes - std::mem::replace(&mut context.counted, bytes) + bytes;
    }

    /// Gives spans as many bits of the codes as there are spans. Returns `false`, and changes nothing, if the states of a class, whose
    /// greatest number `states` returns, then have no codes.
    pub(in crate::frontier) fn widen_codes(&mut self, states: impl FnOnce() -> usize) -> bool {
        let bits = self.spans.known.len().next_power_of_two().trailing_zeros();
        let more = bits.saturating_sub(self.spans.bits);
        if more == 0 {
            return true;
        }
        if !Spans::fit_beside(bits, states()) {
            return false;
        }
        for code in self.contexts.iter_mut().flat_map(|context| &mut context.codes) {
            let (span, state) = self.spans.split(*code);
            *code = state << (self.spans.bits + more) | u32::from(span);
        }
        self.spans.bits += more;
        true
    }
}

/// A level of states of a class. Its edges are the transitions of the class.
#[derive(Debug)]
pub(crate) struct MarkedLevel {
    /// The index of the context.
    pub(in crate::frontier) context: usize,
    /// The states, by their numbers in the class. A state of the level has its place among these as its number in the
    /// level.
    pub(crate) marks: StateMarks,
    /// The spans to states that edges of the level have, each with its index in
    /// [`UnreducedLevel::long`](super::UnreducedLevel::long).
    pub(crate) entries: Vec<(u16, u32)>,
    /// The number of edges.
    pub(crate) edges: usize,
}

impl MarkedLevel {
    /// Size in bytes beside the level that contains it.
    pub(super) fn bytes(&self) -> usize {
        self.marks.bytes() + size_of_val(&self.entries[..])
    }
}

/// A set of numbers of states.
#[derive(Clone, Debug, Default)]
pub(crate) struct StateMarks {
    words: Vec<u64>,
}

/// The bits of a word of marks.
const BITS: usize = u64::BITS as usize;

impl StateMarks {
    #[inline]
    pub(in crate::frontier) fn insert(&mut self, number: u32) {
        let word = number as usize / BITS;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (number as usize % BITS);
    }

    pub(in crate::frontier) fn insert_all(&mut self, other: &StateMarks) {
        self.words.resize(self.words.len().max(other.words.len()), 0);
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(crate) fn count(&self) -> usize {
        self.count_in(0..self.words.len())
    }

    /// The number of numbers in a range of words.
    pub(crate) fn count_in(&self, words: Range<usize>) -> usize {
        self.words[words].iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The numbers in order.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        self.iter_in(0..self.words.len())
    }

    /// The numbers in a range of words, in order.
    #[inline]
    pub(crate) fn iter_in(&self, words: Range<usize>) -> impl Iterator<Item = u32> {
        let first = (words.start * BITS) as u32;
        (first..).step_by(BITS).zip(&self.words[words]).flat_map(|(first, &marks)| {
            let without_first = |&marks: &u64| marks.checked_sub(1).map(|less| less & marks);
            let rests = std::iter::successors(Some(marks), without_first);
            rests.take_while(|&rest| rest != 0).map(move |rest| first + rest.trailing_zeros())
        })
    }

    /// The number of words.
    pub(crate) fn words(&self) -> usize {
        self.words.len()
    }

    /// One more than the greatest number, or somewhat more.
    pub(crate) fn end(&self) -> usize {
        self.words.len() * BITS
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.words[..])
    }
}

/// The spans of transitions: the distances to their targets, with the forced nodes in between.
#[derive(Debug)]
pub(crate) struct Spans {
    /// For each span the distance to the target, and the forced nodes, relative to the source.
    known: Vec<(usize, ForcedChain)>,
    numbers: Map<(usize, ForcedChain), u16>,
    /// The number of low bits of a code that contain the span.
    bits: u32,
}

impl Default for Spans {
    fn default() -> Self {
        // The first two lead to no level.
        let known = vec![(0, ForcedChain::EMPTY); usize::from(Spans::FIRST)];
        Spans { known, numbers: Map::default(), bits: 3 }
    }
}

impl Spans {
    /// The span of a value without an edge.
    pub(crate) const NONE: u16 = 0;
    /// The span to the 1-terminal.
    pub(crate) const ONE: u16 = 1;
    /// The first span to a state.
    const FIRST: u16 = 2;

    /// The number of a span; `None` if there are too many spans.
    pub(in crate::frontier) fn find_or_add(
        &mut self,
        distance: usize,
        chain: ForcedChain,
    ) -> Option<u16> {
        if let Some(&number) = self.numbers.get(&(distance, chain)) {
            return Some(number);
        }
        let number = u16::try_from(self.known.len()).ok()?;
        self.known.push((distance, chain));
        self.numbers.insert((distance, chain), number);
        Some(number)
    }

    #[inline]
    pub(in crate::frontier) fn get(&self, span: u16) -> (usize, ForcedChain) {
        self.known[span as usize]
    }

    pub(crate) fn count(&self) -> usize {
        self.known.len()
    }

    /// The code of a transition to a state.
    #[inline]
    fn code(&self, span: u16, state: u32) -> u32 {
        state << self.bits | u32::from(span)
    }

    /// The span and the state of a code.
    #[inline]
    pub(crate) fn split(&self, code: u32) -> (u16, u32) {
        ((code & ((1 << self.bits) - 1)) as u16, code >> self.bits)
    }

    /// Whether a class of so many states has a code for each.
    pub(in crate::frontier) fn fit(&self, states: usize) -> bool {
        Spans::fit_beside(self.bits, states)
    }

    fn fit_beside(bits: u32, states: usize) -> bool {
        states as u64 >> (u32::BITS - bits) == 0
    }
}

/// An edge of a state, for all variables for which it holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transition {
    pub(crate) value: u16,
    pub(crate) span: u16,
    /// The number of the target state in its class.
    pub(crate) state: u32,
}

/// The transitions of some states of a class, which hold for the same variables.
pub(crate) struct Context {
    /// The last variable for which it was used.
    pub(in crate::frontier) variable: usize,
    /// The greatest reach of a state.
    pub(in crate::frontier) furthest: u8,
    arity: usize,
    /// The codes of the transitions: for each state one for each value, or, beyond [`MAX_DENSE_ARITY`], in the places that
    /// `rows` contains, with `values`.
    codes: Vec<u32>,
    rows: Vec<(u32, u32)>,
    values: Vec<u16>,
    /// For each state the number of variables after its own on which its transitions depend, one more than [`WINDOW`] if that is
    /// exceeded.
    reach: Vec<u8>,
    /// The number of expanded states.
    expanded: usize,
    /// Whether there are transitions of a span, by its number.
    spans: Vec<bool>,
    /// Size in bytes when it was counted last.
    pub(in crate::frontier) counted: usize,
}

impl Context {
    pub(in crate::frontier) fn new(variable: usize, arity: usize) -> Self {
        Context {
            variable,
            furthest: 0,
            arity,
            codes: Vec::new(),
            rows: Vec::new(),
            values: Vec::new(),
            reach: Vec::new(),
            expanded: 0,
            spans: vec![false; usize::from(Spans::FIRST)],
            counted: 0,
        }
    }

    fn is_dense(&self) -> bool {
        self.arity <= MAX_DENSE_ARITY
    }

    /// Size in bytes.
    fn bytes(&self) -> usize {
        self.codes.capacity() * size_of::<u32>()
            + self.rows.capacity() * size_of::<(u32, u32)>()
            + self.values.capacity() * size_of::<u16>()
            + self.reach.capacity()
            + self.spans.len()
            + size_of::<Context>()
    }

    /// The reach of a state that was expanded.
    pub(in crate::frontier) fn reach(&self, state: usize) -> Option<u8> {
        self.reach.get(state).copied().filter(|&reach| reach != UNEXPANDED)
    }

    /// The states without transitions here among some states of a class, which has `of_class` states.
    pub(in crate::frontier) fn missing(
        &self,
        states: impl Iterator<Item = u32>,
        of_class: usize,
    ) -> Vec<usize> {
        let mut missing = Vec::new();
        if self.expanded < of_class {
            // One loop for each part of the iterator, which a `for` loop would ask for its part at each state.
            states.for_each(|state| {
                if self.reach(state as usize).is_none() {
                    missing.push(state as usize);
                }
            });
        }
        missing
    }

    /// Stores the transitions of a state that was not expanded.
    pub(in crate::frontier) fn set(
        &mut self,
        state: usize,
        transitions: &[Transition],
        reach: usize,
        spans: &Spans,
    ) {
        if state >= self.reach.len() {
            self.reach.resize(state + 1, UNEXPANDED);
            match self.arity {
                arity if self.is_dense() => self.codes.resize((state + 1) * arity, 0),
                _ => self.rows.resize(state + 1, (0, 0)),
            }
        }
        if !self.is_dense() {
            self.rows[state] = (self.codes.len() as u32, transitions.len() as u32);
        }
        for &Transition { value, span, state: target } in transitions {
            let code = spans.code(span, target);
            if self.is_dense() {
                self.codes[state * self.arity + usize::from(value)] = code;
            } else {
                self.codes.push(code);
                self.values.push(value);
            }
            if usize::from(span) >= self.spans.len() {
                self.spans.resize(usize::from(span) + 1, false);
            }
            self.spans[usize::from(span)] = true;
        }
        let reach = reach.min(WINDOW + 1) as u8;
        self.furthest = self.furthest.max(reach);
        self.reach[state] = reach;
        self.expanded += 1;
    }

    /// The places of the codes of a state that was expanded.
    #[inline]
    fn row(&self, state: usize) -> Range<usize> {
        if self.is_dense() {
            return state * self.arity..(state + 1) * self.arity;
        }
        let (start, count) = self.rows[state];
        start as usize..(start + count) as usize
    }

    /// The codes of the transitions of a state that was expanded; [`Spans::NONE`] stands for no transition.
    #[inline]
    pub(crate) fn codes(&self, state: usize) -> &[u32] {
        &self.codes[self.row(state)]
    }

    /// The transitions of a state that was expanded.
    #[inline]
    pub(crate) fn transitions(
        &self,
        state: usize,
        spans: &Spans,
    ) -> impl Iterator<Item = Transition> {
        let row = self.row(state);
        let first = row.start;
        let transition = move |(place, &code): (usize, &u32)| {
            let (span, state) = spans.split(code);
            let value = if self.is_dense() { place as u16 } else { self.values[first + place] };
            Transition { value, span, state }
        };
        let all = self.codes[row].iter().enumerate().map(transition);
        all.filter(|transition| transition.span != Spans::NONE)
    }

    /// The spans of transitions to states.
    pub(in crate::frontier) fn spans(&self) -> impl Iterator<Item = u16> {
        (0..)
            .zip(&self.spans)
            .skip(Spans::FIRST.into())
            .filter_map(|(span, &used)| used.then_some(span))
    }

    /// Whether it has more codes than have places.
    pub(in crate::frontier) fn overflows(&self) -> bool {
        self.codes.len() > u32::MAX as usize
    }
}
