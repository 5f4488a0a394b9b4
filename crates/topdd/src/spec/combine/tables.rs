//! The steps of an operand of a conjunction as a table of numbers.

use super::super::contract::{check_state, check_twins};
use super::super::{DdSpec, Forced, Rule, Step};
use crate::Map;
use std::hash::Hash;
use std::ops::ControlFlow;

/// The step of a value that leads to the 0-terminal, instead of a number of a state.
pub(super) const DEAD: u16 = u16::MAX;
/// The status of a state that forces no value, instead of the value.
pub(super) const FREE: u16 = u16::MAX - 1;

/// The steps of an operand as numbers of states. The state before the first variable in scope has the number 0, and so has
/// each state after the last one.
pub(super) struct Table {
    /// The variables in scope in ascending order, with the index of the steps of each.
    pub(super) scope: Vec<(usize, usize)>,
    pub(super) steps: Vec<Steps>,
    pub(super) bits: u32,
}

/// The steps of all states at a variable, or at variables that are alike.
pub(super) struct Steps {
    pub(super) arity: usize,
    /// The number of the next state, for each state and value; empty for a state that does not occur.
    pub(super) next: Vec<Vec<u16>>,
    /// The value that each state forces, [`FREE`] or [`DEAD`].
    pub(super) forced: Vec<u16>,
}

/// The limits of the tables of a conjunction.
pub(super) struct Budget<'a> {
    /// The number of steps of all operands that may still be computed.
    pub(super) steps: usize,
    /// Whether each state is checked; see [`Frontier::checked`](crate::Frontier::checked).
    pub(super) checks: bool,
    /// Whether the run must stop.
    pub(super) stops: &'a dyn Fn() -> bool,
}

/// The states of an operand that have numbers.
struct Numbers<T> {
    known: Map<T, u16>,
    states: Vec<T>,
}

impl<T: Clone + Eq + Hash> Numbers<T> {
    fn new() -> Self {
        Numbers { known: Map::default(), states: Vec::new() }
    }

    /// The number of a state; `None` if there are too many, or if there is an equal one and `is_same` denies that they are the
    /// same.
    fn find_or_add(&mut self, state: T, is_same: impl Fn(&T, &T) -> bool) -> Option<u16> {
        if let Some(&number) = self.known.get(&state) {
            return is_same(&self.states[usize::from(number)], &state).then_some(number);
        }
        let number = u16::try_from(self.states.len()).ok().filter(|&number| number < FREE)?;
        self.states.push(state.clone());
        self.known.insert(state, number);
        Some(number)
    }
}

impl Table {
    /// Calls the spec for each state; see [`Conjunct::table`](super::conjunction::Conjunct::table) for when there is no table.
    pub(super) fn new<S: DdSpec>(
        spec: &S,
        scope: &[usize],
        budget: &mut Budget<'_>,
    ) -> Option<Self> {
        let num_vars = spec.num_vars();
        let Step::To(0, root) = spec.root_under(Rule::ZeroSuppressed) else { return None };
        // The state stays the same to the end.
        if scope.is_empty() && spec.child(&root, num_vars - 1, 0) != Step::One {
            return None;
        }
        // All states of variables that are alike have numbers of their own. Otherwise the numbers begin anew at each
        // variable.
        let like = |variable: usize| {
            let later = variable + 1 < num_vars && scope.len() == num_vars;
            if later { spec.like(variable).filter(|&earlier| earlier < variable) } else { None }
        };
        let is_alike = scope.iter().any(|&variable| like(variable).is_some());
        let mut table = Table { scope: Vec::new(), steps: Vec::new(), bits: 0 };
        let mut after = Numbers::new();
        let mut here = vec![after.find_or_add(root, |_, _| true)?];
        for &variable in scope {
            let at = like(variable).map_or(table.steps.len(), |earlier| table.scope[earlier].1);
            if at == table.steps.len() {
                // Values have numbers below the two that stand for no value.
                let arity = Some(spec.arity(variable)).filter(|&arity| arity < FREE.into())?;
                table.steps.push(Steps { arity, next: Vec::new(), forced: Vec::new() });
            }
            table.scope.push((variable, at));
            let is_last = table.scope.len() == scope.len();
            let before = (!is_alike).then(|| std::mem::replace(&mut after, Numbers::new()).states);
            let steps = &mut table.steps[at];
            let mut reached = Vec::new();
            for number in here {
                let number = usize::from(number);
                budget.steps = budget.steps.checked_sub(1).filter(|_| !(budget.stops)())?;
                if steps.next.get(number).is_none_or(Vec::is_empty) {
                    budget.steps = budget.steps.checked_sub(steps.arity)?;
                    let state = before.as_ref().unwrap_or(&after.states)[number].clone();
                    if budget.checks {
                        check_state(spec, &state, variable, |_, _| Ok(())).ok()?;
                    }
                    let at = StateAt { number, variable, is_last };
                    steps.add(spec, &state, at, budget.checks, &mut after)?;
                }
                reached.extend(steps.next[number].iter().filter(|&&next| next != DEAD));
            }
            reached.sort_unstable();
            reached.dedup();
            here = reached;
            let greatest = here.last().copied().unwrap_or(0);
            table.bits = table.bits.max(u16::BITS - greatest.leading_zeros());
        }
        Some(table)
    }
}

/// A state of an operand: its number, its variable, and whether that is the last one in scope.
#[derive(Clone, Copy)]
struct StateAt {
    number: usize,
    variable: usize,
    is_last: bool,
}

impl Steps {
    /// Adds the steps of a state, and numbers for the states that follow. Fails if the spec skips a variable, or if equal states have
    /// different steps and `checks` compares them.
    fn add<S: DdSpec>(
        &mut self,
        spec: &S,
        state: &S::State,
        StateAt { number, variable, is_last }: StateAt,
        checks: bool,
        after: &mut Numbers<S::State>,
    ) -> Option<()> {
        let is_same = |one: &S::State, other: &S::State| {
            let twins = [one.clone(), other.clone()];
            !checks || check_twins(spec, variable + 1, &twins, &mut |_| 0).is_ok()
        };
        let num_vars = spec.num_vars();
        let mut values = vec![DEAD; self.arity];
        let flow = spec.for_each_child(state, variable, |value, step| {
            let next = match step {
                Step::Zero => Some(DEAD),
                Step::One if variable + 1 == num_vars => Some(0),
                // The state stays the same to the end.
                Step::To(to, next) if to == variable + 1 && to < num_vars && is_last => {
                    match spec.child(&next, num_vars - 1, 0) {
                        Step::Zero => Some(DEAD),
                        Step::One => Some(0),
                        Step::To(..) => None,
                    }
                }
                Step::To(to, next) if to == variable + 1 && to < num_vars => {
                    after.find_or_add(next, is_same)
                }
                Step::One | Step::To(..) => None,
            };
            match (values.get_mut(value), next) {
                (Some(place), Some(next)) => *place = next,
                _ => return ControlFlow::Break(()),
            }
            ControlFlow::Continue(())
        });
        if flow.is_break() {
            return None;
        }
        if self.next.len() <= number {
            self.next.resize(number + 1, Vec::new());
            self.forced.resize(number + 1, FREE);
        }
        self.next[number] = values;
        self.forced[number] = match spec.forced(state, variable) {
            Forced::Free => FREE,
            Forced::Dead => DEAD,
            // A value beyond the arity breaks the contract: the sweep over the spec itself names the state.
            Forced::Value(value, _) if value >= self.arity => return None,
            Forced::Value(value, _) => value as u16,
        };
        Some(())
    }
}
