//! The classes of alike variables, the states of a class, and their transitions.

use super::level::AlikeLevel;
use crate::Map;
use crate::frontier::expander::{Expander, SweepInput};
use crate::frontier::states::States;
use crate::frontier::unreduced::ForcedChain;
use std::ops::Range;

/// Transitions are used for another variable if they depend on at most this many variables after their own.
const WINDOW: usize = 64;
/// The reach of a state that was not expanded.
const UNEXPANDED: u8 = u8::MAX;
/// The transitions of a state have a place for each value if there are at most so many values.
const MAX_DENSE_ARITY: usize = 8;
/// The most other contexts in which the transitions of a state are looked up.
const MAX_SOURCES: usize = 4;
/// The most contexts of a class.
const MAX_CONTEXTS: usize = 16;

/// The classes of the variables.
pub(super) struct VariableClasses {
    /// The number of the class of each variable.
    numbers: Vec<u32>,
    count: usize,
}

impl VariableClasses {
    /// `None` if there are more than half as many classes as variables, or values that a [`Transition`] cannot store.
    pub(super) fn new(input: SweepInput<'_>) -> Option<Self> {
        let num_vars = input.arities.num_vars();
        if (0..num_vars).any(|variable| input.arities.get(variable) > usize::from(u16::MAX)) {
            return None;
        }
        let like = |variable: usize| {
            let earlier = input.expander.like(variable).filter(|&earlier| earlier < variable);
            earlier.filter(|&earlier| input.arities.get(earlier) == input.arities.get(variable))
        };
        let mut numbers: Vec<u32> = Vec::new();
        let mut new = 0..;
        for variable in 0..num_vars {
            let number = like(variable).map(|earlier| numbers[earlier]).or_else(|| new.next());
            numbers.push(number.expect("there are fewer classes than variables"));
            if 2 * new.start as usize > num_vars {
                return None;
            }
        }
        let count = new.start as usize;
        // What follows the last variables differs from every class.
        numbers.extend(new.take(WINDOW));
        Some(VariableClasses { numbers, count })
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The number of the class of a variable.
    #[inline]
    pub(super) fn number_of(&self, variable: usize) -> usize {
        self.numbers[variable] as usize
    }

    /// The number of variables after two variables, up to [`WINDOW`], that are of the same classes.
    fn common(&self, a: usize, b: usize) -> u8 {
        let after = |variable| &self.numbers[variable + 1..=variable + WINDOW];
        let equal = after(a).iter().zip(after(b)).take_while(|(a, b)| a == b);
        equal.count() as u8
    }
}

/// The spans of transitions: the distances to their targets, with the forced nodes in between.
pub(super) struct Spans {
    /// For each span the distance to the target, and the forced nodes, relative to the source.
    known: Vec<(usize, ForcedChain)>,
    numbers: Map<(usize, ForcedChain), u16>,
    /// The number of low bits of a code that contain the span.
    bits: u32,
}

impl Spans {
    /// The span of a value without an edge.
    pub(super) const NONE: u16 = 0;
    /// The span to the 1-terminal.
    pub(super) const ONE: u16 = 1;
    /// The first span to a state.
    const FIRST: u16 = 2;

    pub(super) fn new() -> Self {
        // The first two lead to no level.
        let known = vec![(0, ForcedChain::EMPTY); usize::from(Spans::FIRST)];
        Spans { known, numbers: Map::default(), bits: 3 }
    }

    /// The number of a span; `None` if there are too many spans.
    pub(super) fn find_or_add(&mut self, distance: usize, chain: ForcedChain) -> Option<u16> {
        if let Some(&number) = self.numbers.get(&(distance, chain)) {
            return Some(number);
        }
        let number = u16::try_from(self.known.len()).ok()?;
        self.known.push((distance, chain));
        self.numbers.insert((distance, chain), number);
        Some(number)
    }

    #[inline]
    pub(super) fn get(&self, span: u16) -> (usize, ForcedChain) {
        self.known[span as usize]
    }

    pub(super) fn count(&self) -> usize {
        self.known.len()
    }

    /// The code of a transition to a state.
    #[inline]
    fn code(&self, span: u16, state: u32) -> u32 {
        state << self.bits | u32::from(span)
    }

    /// The span and the state of a code.
    #[inline]
    pub(super) fn split(&self, code: u32) -> (u16, u32) {
        ((code & ((1 << self.bits) - 1)) as u16, code >> self.bits)
    }

    /// Whether a class of so many states has a code for each.
    fn fit(&self, states: usize) -> bool {
        states as u64 >> (u32::BITS - self.bits) == 0
    }

    /// Gives codes as many bits as there are spans, in all contexts.
    pub(super) fn widen_codes(&mut self, contexts: &mut [Context]) {
        let bits = self.known.len().next_power_of_two().trailing_zeros();
        let more = bits.saturating_sub(self.bits);
        if more == 0 {
            return;
        }
        for code in contexts.iter_mut().flat_map(|context| &mut context.codes) {
            let (span, state) = self.split(*code);
            *code = state << (self.bits + more) | u32::from(span);
        }
        self.bits += more;
    }
}

/// An edge of a state, for all variables for which it holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transition {
    pub(super) value: u16,
    pub(super) span: u16,
    /// The number of the target state in its class.
    pub(super) state: u32,
}

/// The states of a class.
pub(super) struct Class {
    pub(super) states: Box<dyn States>,
    /// The indices of its contexts, the one that was used last at the end.
    contexts: Vec<usize>,
    /// Size in bytes when it was counted last.
    counted: usize,
}

impl Class {
    pub(super) fn new(expander: &dyn Expander) -> Self {
        Class { states: expander.new_states(0), contexts: Vec::new(), counted: 0 }
    }

    /// Replaces the size in bytes that was counted before in a total.
    pub(super) fn recount(&mut self, total: &mut usize) {
        let bytes = self.states.bytes();
        *total = *total - std::mem::replace(&mut self.counted, bytes) + bytes;
    }

    /// Whether it has more states than have codes.
    pub(super) fn overflows(&self, spans: &Spans) -> bool {
        !spans.fit(self.states.len())
    }
}

/// The transitions of some states of a class, which hold for the same variables.
pub(super) struct Context {
    /// The last variable for which it was used.
    variable: usize,
    /// The greatest reach of a state.
    furthest: u8,
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
    counted: usize,
}

impl Context {
    fn new(variable: usize, arity: usize) -> Self {
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

    /// Replaces the size in bytes that was counted before in a total.
    pub(super) fn recount(&mut self, total: &mut usize) {
        let bytes = self.codes.capacity() * size_of::<u32>()
            + self.rows.capacity() * size_of::<(u32, u32)>()
            + self.values.capacity() * size_of::<u16>()
            + self.reach.capacity();
        *total = *total - std::mem::replace(&mut self.counted, bytes) + bytes;
    }

    /// The reach of a state that was expanded.
    fn reach(&self, state: usize) -> Option<u8> {
        self.reach.get(state).copied().filter(|&reach| reach != UNEXPANDED)
    }

    /// The states of a level, of a class of so many states, that have no transitions here.
    fn missing(&self, level: &AlikeLevel, states: usize) -> Vec<usize> {
        let mut missing = Vec::new();
        if self.expanded < states {
            // One loop for each part of the iterator, which a `for` loop would ask for its part at each state.
            level.states().for_each(|state| {
                if self.reach(state as usize).is_none() {
                    missing.push(state as usize);
                }
            });
        }
        missing
    }

    /// Stores the transitions of a state that was not expanded.
    pub(super) fn set(
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
    pub(super) fn codes(&self, state: usize) -> &[u32] {
        &self.codes[self.row(state)]
    }

    /// The transitions of a state that was expanded.
    #[inline]
    pub(super) fn transitions(
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
    pub(super) fn spans(&self) -> impl Iterator<Item = u16> {
        (0..)
            .zip(&self.spans)
            .skip(Spans::FIRST.into())
            .filter_map(|(span, &used)| used.then_some(span))
    }

    /// Whether it has more codes than have places.
    pub(super) fn overflows(&self) -> bool {
        self.codes.len() > u32::MAX as usize
    }
}

/// The states of a level that must be expanded.
#[derive(Default)]
pub(super) struct Unexpanded {
    /// Their numbers.
    pub(super) ranges: Vec<Range<usize>>,
    /// The number of states of the level that have transitions in other contexts alone.
    pub(super) again: u64,
}

/// The contexts of all classes.
#[derive(Default)]
pub(super) struct Contexts {
    pub(super) all: Vec<Context>,
}

impl Contexts {
    /// The index of a context whose transitions hold for a variable. Adds it if it is new.
    pub(super) fn find_or_add(
        &mut self,
        variable: usize,
        arity: usize,
        classes: &VariableClasses,
        class: &mut Class,
    ) -> usize {
        let holds = |&index: &usize| {
            let Context { variable: other, furthest, .. } = self.all[index];
            furthest <= classes.common(variable, other)
        };
        let known = class.contexts.iter().copied().rfind(holds);
        let index = known.unwrap_or_else(|| {
            let context = Context::new(variable, arity);
            if class.contexts.len() < MAX_CONTEXTS {
                self.all.push(context);
                return self.all.len() - 1;
            }
            let oldest = class.contexts[0];
            self.all[oldest] = Context { counted: self.all[oldest].counted, ..context };
            oldest
        });
        self.all[index].variable = variable;
        class.contexts.retain(|&other| other != index);
        class.contexts.push(index);
        index
    }

    /// Copies the transitions of states of a level from other contexts of the class to this one, if they hold here. Returns the states
    /// that must be expanded.
    pub(super) fn copy_to(
        &mut self,
        index: usize,
        level: &AlikeLevel,
        variable: usize,
        classes: &VariableClasses,
        class: &Class,
        spans: &Spans,
    ) -> Unexpanded {
        let mut unexpanded = Unexpanded::default();
        let missing = self.all[index].missing(level, class.states.len());
        if missing.is_empty() {
            return unexpanded;
        }
        let mut context = std::mem::replace(&mut self.all[index], Context::new(variable, 0));
        let others = class.contexts.iter().filter(|&&other| other != index);
        let mut sources: Vec<_> = others
            .map(|&other| (classes.common(variable, self.all[other].variable), &self.all[other]))
            .collect();
        sources.sort_by_key(|&(common, _)| std::cmp::Reverse(common));
        sources.truncate(MAX_SOURCES);
        let mut transitions = Vec::new();
        for state in missing {
            let known =
                sources.iter().filter_map(|&(common, of)| Some((common, of.reach(state)?, of)));
            let mut known = known.peekable();
            unexpanded.again += u64::from(known.peek().is_some());
            if let Some((_, reach, of)) = known.find(|(common, reach, _)| reach <= common) {
                transitions.clear();
                transitions.extend(of.transitions(state, spans));
                context.set(state, &transitions, reach.into(), spans);
                continue;
            }
            match unexpanded.ranges.last_mut() {
                Some(range) if range.end == state => range.end += 1,
                _ => unexpanded.ranges.push(state..state + 1),
            }
        }
        self.all[index] = context;
        unexpanded
    }
}
