//! The classes of alike variables, and the states of a class with their transitions.

use super::level::AlikeLevel;
use crate::Map;
use crate::frontier::expander::{Expander, SweepInput};
use crate::frontier::states::States;
use crate::frontier::unreduced::ForcedChain;
use std::ops::Range;

/// A transition is used for other variables if it depends on at most this many variables after its own.
const WINDOW: usize = 16;

/// The classes of the variables.
pub(super) struct VariableClasses {
    /// The number of the class of each variable.
    numbers: Vec<u32>,
    count: usize,
    /// A number for each variable; equal for two variables of a class if the same [`WINDOW`] of classes follows.
    windows: Vec<u32>,
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
        let mut known = Map::default();
        let number = |window| {
            let next = known.len() as u32;
            *known.entry(window).or_insert(next)
        };
        let windows = numbers.windows(WINDOW + 1).map(number).collect();
        Some(VariableClasses { numbers, count, windows })
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The number of the class of a variable.
    #[inline]
    pub(super) fn number_of(&self, variable: usize) -> usize {
        self.numbers[variable] as usize
    }

    /// The variables for which transitions hold that were found for `variable` and depend on so many variables after
    /// it.
    pub(super) fn scope(&self, variable: usize, reach: usize) -> Scope {
        if reach <= WINDOW { Scope(self.windows[variable]) } else { Scope::only(variable) }
    }

    /// Whether transitions hold for a variable of their class.
    #[inline]
    fn hold(&self, scope: Scope, variable: usize) -> bool {
        scope == Scope(self.windows[variable]) || scope == Scope::only(variable)
    }
}

/// The variables for which the transitions of a state hold: all variables of its class that are followed by the window
/// with this number, or one variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scope(u32);

impl Scope {
    /// No variable. There are fewer windows.
    pub(super) const NONE: Scope = Scope(1 << 31);

    /// One variable. There are at most 2^31 - 2.
    fn only(variable: usize) -> Self {
        Scope(!(variable as u32))
    }
}

/// The spans of transitions: the distances to their targets, with the forced nodes in between.
pub(super) struct Spans {
    /// For each span the distance to the target, and the forced nodes, relative to the source.
    known: Vec<(usize, ForcedChain)>,
    numbers: Map<(usize, ForcedChain), u16>,
}

impl Spans {
    /// The span to the 1-terminal.
    pub(super) const ONE: u16 = u16::MAX;
    /// The span to the next variable.
    pub(super) const ADJACENT: u16 = 0;

    pub(super) fn new() -> Self {
        let mut spans = Spans { known: Vec::new(), numbers: Map::default() };
        spans.find_or_add(1, ForcedChain::EMPTY);
        spans
    }

    /// The number of a span; `None` if there are too many spans.
    pub(super) fn find_or_add(&mut self, distance: usize, chain: ForcedChain) -> Option<u16> {
        if let Some(&number) = self.numbers.get(&(distance, chain)) {
            return Some(number);
        }
        let number = u16::try_from(self.known.len()).ok().filter(|&number| number < Spans::ONE)?;
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
}

/// An edge of a state, for all variables of its class for which it holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transition {
    pub(super) span: u16,
    pub(super) value: u16,
    /// The number of the target state in its class.
    pub(super) state: u32,
}

/// The transitions of a state.
#[derive(Clone, Copy, Debug)]
struct ClassHead {
    start: u32,
    scope: Scope,
    count: u16,
}

impl ClassHead {
    /// Of a state that was not expanded.
    const NONE: ClassHead = ClassHead { start: 0, scope: Scope::NONE, count: 0 };
}

/// The states of a level that must be expanded.
#[derive(Default)]
pub(super) struct Unexpanded {
    /// Their numbers.
    pub(super) ranges: Vec<Range<usize>>,
    /// How many of them were expanded for other variables.
    pub(super) again: u64,
}

/// The states of a class.
pub(super) struct Class {
    pub(super) states: Box<dyn States>,
    /// For the first states, in the order of their numbers.
    heads: Vec<ClassHead>,
    /// The scope of all states, if it is known to be the same.
    scope: Scope,
    transitions: Vec<Transition>,
    /// Whether all transitions lead to the next variable.
    is_adjacent: bool,
    /// Size in bytes when it was counted last.
    counted: usize,
}

impl Class {
    pub(super) fn new(expander: &dyn Expander) -> Self {
        Class {
            states: expander.new_states(0),
            heads: Vec::new(),
            scope: Scope::NONE,
            transitions: Vec::new(),
            is_adjacent: true,
            counted: 0,
        }
    }

    /// Replaces the size in bytes that was counted before in a total.
    pub(super) fn recount(&mut self, total: &mut usize) {
        let bytes = self.states.bytes()
            + self.heads.capacity() * size_of::<ClassHead>()
            + self.transitions.capacity() * size_of::<Transition>();
        *total = *total - std::mem::replace(&mut self.counted, bytes) + bytes;
    }

    /// Sets the transitions of a state, in the place of its transitions for other variables if there is room.
    pub(super) fn set(&mut self, number: usize, transitions: &[Transition], scope: Scope) {
        if number >= self.heads.len() {
            self.heads.resize(self.states.len(), ClassHead::NONE);
        }
        self.scope = Scope::NONE;
        self.is_adjacent &= transitions.iter().all(|transition| transition.span == Spans::ADJACENT);
        let head = &mut self.heads[number];
        if transitions.len() > head.count.into() {
            head.start = self.transitions.len() as u32;
            self.transitions.extend_from_slice(transitions);
        } else {
            self.transitions[head.start as usize..][..transitions.len()]
                .copy_from_slice(transitions);
        }
        (head.count, head.scope) = (transitions.len() as u16, scope);
    }

    /// Whether it has more states or transitions than have numbers.
    pub(super) fn overflows(&self) -> bool {
        self.states.len() > u32::MAX as usize / 2 || self.transitions.len() > u32::MAX as usize
    }

    /// The states of a level without transitions that hold for its variable.
    pub(super) fn unexpanded(
        &mut self,
        level: &AlikeLevel,
        classes: &VariableClasses,
        variable: usize,
    ) -> Unexpanded {
        let mut unexpanded = Unexpanded::default();
        let all_expanded = self.heads.len() == self.states.len();
        if all_expanded && classes.hold(self.scope, variable) {
            return unexpanded;
        }
        // One loop for each part of the iterator, which a `for` loop would ask for its part at each state.
        level.states().for_each(|number| {
            let number = number as usize;
            let scope = self.heads.get(number).map_or(Scope::NONE, |head| head.scope);
            if classes.hold(scope, variable) {
                return;
            }
            unexpanded.again += u64::from(scope != Scope::NONE);
            match unexpanded.ranges.last_mut() {
                Some(range) if range.end == number => range.end += 1,
                _ => unexpanded.ranges.push(number..number + 1),
            }
        });
        if let (true, Some(first)) =
            (all_expanded && unexpanded.ranges.is_empty(), self.heads.first())
            && self.heads.iter().all(|head| head.scope == first.scope)
        {
            self.scope = first.scope;
        }
        unexpanded
    }

    /// An upper bound of the number of transitions of expanded states; 0 if some do not lead to the next variable.
    pub(super) fn adjacent_transitions(&self) -> u64 {
        if self.is_adjacent { self.transitions.len() as u64 } else { 0 }
    }

    /// Adds the words of states, the first of which is `first`, to the sums of their target states. 0 stands for no
    /// state. Returns the number of states and of transitions.
    pub(super) fn add_words_to(&self, sums: &mut [u64], first: usize, words: &[u64]) -> (u64, u64) {
        let (mut states, mut edges) = (0, 0);
        for (head, &word) in self.heads.iter().skip(first).zip(words) {
            if word == 0 {
                continue;
            }
            states += 1;
            edges += u64::from(head.count);
            for transition in &self.transitions[head.start as usize..][..head.count.into()] {
                sums[transition.state as usize] += word;
            }
        }
        (states, edges)
    }

    /// The transitions of an expanded state.
    #[inline]
    pub(super) fn transitions(&self, state: u32) -> &[Transition] {
        let ClassHead { start, count, .. } = self.heads[state as usize];
        &self.transitions[start as usize..][..count as usize]
    }
}
