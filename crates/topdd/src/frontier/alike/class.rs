//! The classes of alike variables, the states of a class, and their transitions.

use super::level::AlikeLevel;
use crate::frontier::expander::{Expander, SweepInput};
use crate::frontier::states::States;
use crate::frontier::unreduced::{ClassTransitions, Context, Spans, WINDOW};
use std::ops::Range;

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
    /// `None` if there are more than half as many classes as variables, or values that a transition cannot store.
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

/// The states of a level that must be expanded.
#[derive(Default)]
pub(super) struct Unexpanded {
    /// Their numbers.
    pub(super) ranges: Vec<Range<usize>>,
    /// The number of states of the level whose transitions were copied, or are in other contexts but do not hold here.
    pub(super) again: u64,
}

impl ClassTransitions {
    /// The index of a context whose transitions hold for a variable. Adds it if it is new, in place of another one unless all are kept.
    pub(super) fn find_or_add(
        &mut self,
        variable: usize,
        arity: usize,
        classes: &VariableClasses,
        class: &mut Class,
        keeps: bool,
    ) -> usize {
        let holds = |&index: &usize| {
            let Context { variable: other, furthest, .. } = self.contexts[index];
            furthest <= classes.common(variable, other)
        };
        let known = class.contexts.iter().copied().rfind(holds);
        let index = known.unwrap_or_else(|| {
            let context = Context::new(variable, arity);
            let is_full = class.contexts.len() == MAX_CONTEXTS;
            if let Some(oldest) = is_full.then(|| class.contexts.remove(0)).filter(|_| !keeps) {
                let old = std::mem::replace(&mut self.contexts[oldest], context);
                self.contexts[oldest].counted = old.counted;
                return oldest;
            }
            self.contexts.push(context);
            self.contexts.len() - 1
        });
        self.contexts[index].variable = variable;
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
    ) -> Unexpanded {
        let mut unexpanded = Unexpanded::default();
        let missing = self.contexts[index].missing(level.states(), class.states.len());
        if missing.is_empty() {
            return unexpanded;
        }
        let mut context = std::mem::replace(&mut self.contexts[index], Context::new(variable, 0));
        let others = class.contexts.iter().filter(|&&other| other != index);
        let mut sources: Vec<_> = others
            .map(|&other| {
                (classes.common(variable, self.contexts[other].variable), &self.contexts[other])
            })
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
                transitions.extend(of.transitions(state, &self.spans));
                context.set(state, &transitions, reach.into(), &self.spans);
                continue;
            }
            match unexpanded.ranges.last_mut() {
                Some(range) if range.end == state => range.end += 1,
                _ => unexpanded.ranges.push(state..state + 1),
            }
        }
        self.contexts[index] = context;
        unexpanded
    }
}
