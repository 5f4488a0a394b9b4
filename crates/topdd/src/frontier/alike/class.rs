//! The classes of alike variables, and the states of a class with their transitions.

use super::level::AlikeLevel;
use crate::frontier::chain::ForcedChain;
use crate::frontier::expander::Expander;
use crate::frontier::input::Input;
use crate::frontier::states::States;
use crate::hash::Map;
use std::ops::Range;

/// The number of variables after its own on which a transition may depend to be used for others.
const WINDOW: usize = 16;

/// The classes of the variables.
pub(super) struct Classes {
    /// The number of the class of each variable.
    numbers: Vec<u32>,
    count: usize,
    /// A number for each variable; equal for two variables of a class if the same [`WINDOW`] of classes follows.
    windows: Vec<u32>,
}

impl Classes {
    /// `None` if there are more than half as many classes as variables, or values that a [`Transition`] cannot store.
    pub(super) fn new(input: Input<'_>) -> Option<Self> {
        let num_vars = input.arities.num_vars();
        if (0..num_vars).any(|variable| input.arities.get(variable) > usize::from(u16::MAX)) {
            return None;
        }
        let like = |variable: usize| {
            let earlier = input.expander.like(variable).filter(|&earlier| earlier < variable);
            earlier.filter(|&earlier| input.arities.get(earlier) == input.arities.get(variable))
        };
        let mut numbers: Vec<u32> = Vec::with_capacity(num_vars + WINDOW);
        let mut new = 0..;
        for variable in 0..num_vars {
            let number = like(variable).map(|earlier| numbers[earlier]).or_else(|| new.next());
            numbers.push(number.expect("there are fewer classes than variables"));
        }
        let count = new.start as usize;
        if 2 * count > num_vars {
            return None;
        }
        // What follows the last variables differs from every class.
        numbers.extend(new.take(WINDOW));
        let mut known = Map::default();
        let number = |window| {
            let next = known.len() as u32;
            *known.entry(window).or_insert(next)
        };
        let windows = numbers.windows(WINDOW + 1).map(number).collect();
        Some(Classes { numbers, count, windows })
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
    /// One variable. There are fewer than 2^31 variables, and so there are windows.
    fn only(variable: usize) -> Self {
        Scope(!(variable as u32))
    }
}

/// The ways of transitions.
#[derive(Default)]
pub(super) struct Ways {
    /// For each way the distance to the target, and the forced nodes, relative to the source.
    known: Vec<(usize, ForcedChain)>,
    numbers: Map<(usize, ForcedChain), u16>,
    longest: usize,
}

impl Ways {
    /// The way to the 1-terminal.
    pub(super) const ONE: u16 = u16::MAX;

    /// The number of a way; `None` if there are too many ways.
    pub(super) fn find_or_add(&mut self, distance: usize, chain: ForcedChain) -> Option<u16> {
        if let Some(&number) = self.numbers.get(&(distance, chain)) {
            return Some(number);
        }
        let number = u16::try_from(self.known.len()).ok().filter(|&number| number < Ways::ONE)?;
        self.known.push((distance, chain));
        self.longest = self.longest.max(distance);
        self.numbers.insert((distance, chain), number);
        Some(number)
    }

    #[inline]
    pub(super) fn get(&self, way: u16) -> (usize, ForcedChain) {
        self.known[way as usize]
    }

    pub(super) fn count(&self) -> usize {
        self.known.len()
    }

    /// The greatest distance of all ways.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }
}

/// An edge of a state, for all variables of its class for which it holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transition {
    pub(super) way: u16,
    pub(super) value: u16,
    /// The number of the target state in its class.
    pub(super) state: u32,
}

/// The transitions of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) start: u32,
    pub(super) scope: Scope,
    pub(super) count: u16,
}

/// The states of a class.
pub(super) struct Class {
    pub(super) states: Box<dyn States>,
    /// For the first states, those that have been expanded.
    pub(super) heads: Vec<Head>,
    pub(super) transitions: Vec<Transition>,
    /// Size in bytes when it was counted last.
    counted: usize,
}

impl Class {
    pub(super) fn new(expander: &dyn Expander) -> Self {
        Class {
            states: expander.new_states(0),
            heads: Vec::new(),
            transitions: Vec::new(),
            counted: 0,
        }
    }

    /// Replaces the size in bytes that was counted before in a total.
    pub(super) fn recount(&mut self, total: &mut usize) {
        let bytes = self.states.bytes()
            + self.heads.capacity() * size_of::<Head>()
            + self.transitions.capacity() * size_of::<Transition>();
        *total = *total - std::mem::replace(&mut self.counted, bytes) + bytes;
    }

    /// Sets the transitions of a state.
    pub(super) fn set_head(&mut self, number: usize, head: Head) {
        if number == self.heads.len() {
            self.heads.push(head);
        } else {
            self.heads[number] = head;
        }
    }

    /// The states, as ranges of numbers, whose transitions do not hold for a variable.
    pub(super) fn stale(
        &self,
        level: &AlikeLevel,
        classes: &Classes,
        variable: usize,
    ) -> Vec<Range<usize>> {
        let is_stale = |number: &u32| !classes.hold(self.heads[*number as usize].scope, variable);
        let stale: Vec<u32> = level.states().map(|(number, _)| number).filter(is_stale).collect();
        let ranges = stale.chunk_by(|a, b| a + 1 == *b);
        ranges.map(|range| range[0] as usize..range[0] as usize + range.len()).collect()
    }

    /// The transitions of an expanded state.
    #[inline]
    pub(super) fn transitions(&self, state: u32) -> &[Transition] {
        let Head { start, count, .. } = self.heads[state as usize];
        &self.transitions[start as usize..][..count as usize]
    }
}
