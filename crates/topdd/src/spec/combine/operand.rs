//! The states of operands in the state of a combinator.

use super::op::{And, AndNot, Op, Or, Xor};
use crate::spec::{DdSpec, Forced, Portable, Rule, Step};
use std::ops::ControlFlow;

/// The state of one operand of a combinator: a terminal, or a state at the variable of the combinator's state or at
/// a later one.
///
/// A combinator's state contains one for each operand. It is a [`Step`] with the rule by which the
/// operand's skipped variables are read. The rule takes the place of padding, so an operand state
/// is as small as a `Step` with a 32-bit variable. The variable is a distance, so that equal states of a combinator have
/// the same steps at all variables that are [alike](crate::DdSpec::like) for its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperandState<S> {
    /// The 0-terminal.
    Zero,
    /// The 1-terminal; the variables not yet visited are skipped.
    One,
    /// A state. The operand waits if its variable is a later one.
    To {
        /// The number of variables from the combinator's state to this one.
        distance: u32,
        /// The rule of skipped variables.
        rule: Rule,
        /// The operand's state.
        state: S,
    },
}

impl<S> OperandState<S> {
    /// The state after a step of the operand, with its distance from `variable`.
    #[inline]
    pub(super) fn new(step: Step<S>, rule: Rule, variable: usize) -> Self {
        match step {
            Step::Zero => OperandState::Zero,
            Step::One => OperandState::One,
            // A variable beyond 32 bits is out of range, as `validate` checks that variables fit. The
            // saturated value is out of range as well, and 0 is a step backwards: the engine reports both.
            Step::To(to, state) => OperandState::To {
                distance: u32::try_from(to.saturating_sub(variable)).unwrap_or(u32::MAX),
                rule,
                state,
            },
        }
    }

    #[inline]
    pub(super) fn is_zero(&self) -> bool {
        matches!(self, OperandState::Zero)
    }

    /// The terminal as a truth value, if this is one.
    #[inline]
    pub(super) fn terminal(&self) -> Option<bool> {
        match self {
            OperandState::Zero => Some(false),
            OperandState::One => Some(true),
            OperandState::To { .. } => None,
        }
    }

    /// The outcome for *every* assignment to the variables left, if it is the same for all. The
    /// 1-terminal has no such outcome under `ZeroSuppressed`.
    #[inline]
    pub(super) fn constant(&self, rule: Rule) -> Option<bool> {
        self.terminal().filter(|&one| !one || rule == Rule::AnyValue)
    }

    /// The number of variables from the combinator's state to this one; for a terminal, more than there are.
    #[inline]
    pub(super) fn distance(&self) -> usize {
        match self {
            OperandState::To { distance, .. } => *distance as usize,
            _ => usize::MAX,
        }
    }

    /// The same state, from a later variable that is no later than its own.
    #[inline]
    pub(super) fn nearer(self, by: usize) -> Self {
        match self {
            OperandState::To { distance, rule, state } => {
                OperandState::To { distance: distance - by as u32, rule, state }
            }
            terminal => terminal,
        }
    }

    /// The rule of a state; `None` for a terminal.
    #[inline]
    pub(super) fn rule(&self) -> Option<Rule> {
        match self {
            OperandState::To { rule, .. } => Some(*rule),
            _ => None,
        }
    }

    /// The state, if it is at the variable of the combinator's state.
    #[inline]
    pub(super) fn state_here(&self) -> Option<&S> {
        match self {
            OperandState::To { distance: 0, state, .. } => Some(state),
            _ => None,
        }
    }
}

impl<S: Clone + Eq> OperandState<S> {
    /// Returns the operand's state after `value` of `variable`, with the distance from that variable: the step of `spec`
    /// if the state is there, and otherwise the same operand or the 0-terminal, by `rule`.
    #[inline]
    pub(super) fn follow<D>(&self, spec: &D, rule: Rule, variable: usize, value: usize) -> Self
    where
        D: DdSpec<State = S>,
    {
        match self.state_here() {
            Some(state) => OperandState::new(spec.child(state, variable, value), rule, variable),
            None => self.wait(rule, value),
        }
    }

    /// Returns a state with all completions of both; see [`DdSpec::merge`]. The combinator's state is at
    /// `variable`.
    pub(super) fn merge<D>(&self, other: &Self, spec: &D, variable: usize) -> Option<Self>
    where
        D: DdSpec<State = S>,
    {
        match (self, other) {
            _ if self == other => Some(self.clone()),
            (OperandState::Zero, larger) | (larger, OperandState::Zero) => Some(larger.clone()),
            (
                OperandState::To { distance, rule, state: one },
                OperandState::To { distance: same, state: other, .. },
            ) if distance == same => {
                let state = spec.merge(one, other, variable + *distance as usize)?;
                Some(OperandState::To { distance: *distance, rule: *rule, state })
            }
            _ => None,
        }
    }

    /// Returns the operand's state after `value` of a skipped variable.
    #[inline]
    pub(super) fn wait(&self, rule: Rule, value: usize) -> Self {
        if rule.allows(value) { self.clone() } else { OperandState::Zero }
    }

    /// Returns the value that the operand forces under [`Rule::ZeroSuppressed`], where an operand
    /// that waits forces 0.
    #[inline]
    pub(super) fn forced<D>(&self, spec: &D, variable: usize) -> Forced<S>
    where
        D: DdSpec<State = S>,
    {
        match self {
            OperandState::Zero => Forced::Dead,
            OperandState::One => Forced::Value(0, Step::One),
            OperandState::To { distance: 0, state, .. } => spec.forced(state, variable),
            OperandState::To { distance, state, .. } => {
                Forced::Value(0, Step::To(variable + *distance as usize, state.clone()))
            }
        }
    }

    /// Returns which part of the operand makes a value lead to the 0-terminal, if it does: the operand
    /// itself, by its state, if it names no part.
    pub(super) fn refused_by<D: DdSpec<State = S>>(
        &self,
        spec: &D,
        rule: Rule,
        variable: usize,
        value: usize,
    ) -> Option<String> {
        if !self.follow(spec, rule, variable, value).is_zero() {
            return None;
        }
        let part = |state| spec.refused_by(state, variable, value);
        let text = || self.describe(spec, 0);
        Some(self.state_here().and_then(part).unwrap_or_else(text))
    }

    /// Does the same as [`describe`](OperandState::describe), for an operand of `O`. If the operand is a
    /// combination by the same operation, the name and the parentheses are left out, so that
    /// `a.and(b).and(c)` is written as one combination of three.
    pub(super) fn describe_in<O: Op, D>(&self, spec: &D) -> String
    where
        D: DdSpec<State = S>,
    {
        let text = self.describe(spec, 0);
        let operands = if O::ASSOCIATIVE { operands_of(O::NAME, &text) } else { None };
        operands.map_or_else(|| text.clone(), str::to_owned)
    }

    /// Writes the operand state as text: a state at another distance than this one is written with that.
    pub(super) fn describe<D: DdSpec<State = S>>(&self, spec: &D, usual: usize) -> String {
        match self {
            OperandState::Zero => "0-terminal".to_owned(),
            OperandState::One => "1-terminal".to_owned(),
            OperandState::To { state, .. } if self.distance() == usual => spec.describe(state),
            OperandState::To { distance: 1, state, .. } => {
                format!("{} from the next variable on", spec.describe(state))
            }
            OperandState::To { distance, state, .. } => {
                format!("{} in {distance} variables", spec.describe(state))
            }
        }
    }
}

impl<S: Portable> Portable for OperandState<S> {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            OperandState::Zero => 0u8.write(out),
            OperandState::One => 1u8.write(out),
            OperandState::To { distance, rule, state } => {
                (2 + u8::from(*rule == Rule::AnyValue)).write(out);
                distance.write(out);
                state.write(out);
            }
        }
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let rule = match u8::read(bytes)? {
            0 => return Some(OperandState::Zero),
            1 => return Some(OperandState::One),
            2 => Rule::ZeroSuppressed,
            3 => Rule::AnyValue,
            _ => return None,
        };
        Some(OperandState::To { distance: u32::read(bytes)?, rule, state: S::read(bytes)? })
    }

    fn heap_bytes(&self) -> usize {
        match self {
            OperandState::Zero | OperandState::One => 0,
            OperandState::To { state, .. } => state.heap_bytes(),
        }
    }
}

/// The most steps of the search for a variable that is like another one for several operands.
const MAX_LIKE_STEPS: usize = 256;

/// Returns an earlier variable that is like `variable` for `operands` operands, if it is found quickly. `like` returns
/// one for an operand and a variable.
pub(super) fn like_all(
    variable: usize,
    operands: usize,
    like: impl Fn(usize, usize) -> Option<usize>,
) -> Option<usize> {
    let mut latest = vec![variable; operands];
    for _ in 0..MAX_LIKE_STEPS {
        let common = *latest.iter().min()?;
        match latest.iter().position(|&at| at > common || at == variable) {
            None => return Some(common),
            Some(operand) => latest[operand] = like(operand, latest[operand])?,
        }
    }
    None
}

/// Returns the variables in the scope of any operand, if each has one; see [`DdSpec::scope`].
pub(super) fn scope_of_all(
    num_vars: usize,
    scopes: impl IntoIterator<Item = Option<Vec<usize>>>,
) -> Option<Vec<usize>> {
    let mut in_scope = vec![false; num_vars];
    for scope in scopes {
        scope?.into_iter().for_each(|variable| in_scope[variable] = true);
    }
    Some((0..num_vars).filter(|&variable| in_scope[variable]).collect())
}

/// Calls `visit` unless the step is the 0-terminal.
#[inline]
pub(super) fn visit_unless_zero<S, B>(
    value: usize,
    step: Step<S>,
    visit: &mut impl FnMut(usize, Step<S>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    if step.is_zero() { ControlFlow::Continue(()) } else { visit(value, step) }
}

/// Fails if the spec has more variables than an operand state can number.
pub(super) fn check_size<S: DdSpec>(spec: &S) -> Result<(), String> {
    let num_vars = spec.num_vars();
    if u32::try_from(num_vars).is_ok() {
        Ok(())
    } else {
        Err(format!(
            "the operand of a combinator has {num_vars} variables; at most {} are possible",
            u32::MAX
        ))
    }
}

/// Fails if the operands, named `left` and `right`, have different variables.
pub(super) fn check_same_universe<A: DdSpec, B: DdSpec>(
    op: &str,
    left: &str,
    a: &A,
    right: &str,
    b: &B,
) -> Result<(), String> {
    let (n, m) = (a.num_vars(), b.num_vars());
    if n != m {
        return Err(format!(
            "`{op}` needs operands over the same variables, but {left} has {n} variables and \
             {right} has {m}; `constraint::on` brings a spec to more variables"
        ));
    }
    match (0..n).find(|&variable| a.arity(variable) != b.arity(variable)) {
        None => Ok(()),
        Some(variable) => Err(format!(
            "`{op}` needs operands over the same variables, but variable {variable} has arity \
             {} in {left} and {} in {right}",
            a.arity(variable),
            b.arity(variable)
        )),
    }
}

/// The text between the parentheses of `op(..)`, if `text` is of this form.
fn operands_of<'t>(op: &str, text: &'t str) -> Option<&'t str> {
    let operands = text.strip_prefix(op)?.strip_prefix('(')?.strip_suffix(')')?;
    let mut depth = 0_i32;
    // The last parenthesis must be the counterpart of the first.
    let stays_inside = operands.chars().all(|symbol| {
        depth += i32::from(symbol == '(') - i32::from(symbol == ')');
        depth >= 0
    });
    (stays_inside && depth == 0).then_some(operands)
}

/// Splits operands at the commas that are in no brackets.
fn split(operands: &str) -> Vec<&str> {
    let mut depth = 0_i32;
    let is_end = |symbol: char| {
        depth += i32::from("([{".contains(symbol)) - i32::from(")]}".contains(symbol));
        symbol == ',' && depth == 0
    };
    operands.split(is_end).map(str::trim_start).collect()
}

/// Returns the text of a state of a combination, `after`, in which each run of operands that are the same in the
/// text of an earlier state, `before`, is replaced by their number. Other text is returned as it is.
pub(crate) fn changed_operands(before: &str, after: &str) -> String {
    let operands = |op| Some((op, split(operands_of(op, before)?), split(operands_of(op, after)?)));
    let names = [And::NAME, Or::NAME, AndNot::NAME, Xor::NAME];
    let Some((op, old, new)) =
        names.into_iter().find_map(operands).filter(|(_, old, new)| old.len() == new.len())
    else {
        return after.to_owned();
    };
    let pairs: Vec<_> = old.into_iter().zip(new).collect();
    let runs = pairs.chunk_by(|one, other| one.0 == one.1 && other.0 == other.1);
    let texts = runs.map(|run| match run {
        [(old, new)] if old != new => changed_operands(old, new),
        same => format!("{} unchanged", same.len()),
    });
    format!("{op}({})", texts.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_takes_no_space() {
        assert_eq!(size_of::<OperandState<()>>(), 8);
        assert_eq!(size_of::<OperandState<u16>>(), 8);
        assert_eq!(size_of::<OperandState<u32>>(), 12);
        assert_eq!(size_of::<OperandState<u64>>(), 16);
    }

    #[test]
    fn unchanged_operands_are_replaced_by_their_number() {
        for (before, after, expected) in [
            (
                "and(a: 1, b: 1, c: 1)",
                "and(a: 1, b: 2, c: 1)",
                "and(1 unchanged, b: 2, 1 unchanged)",
            ),
            ("and(1, 2, 3)", "and(1, 2, 3)", "and(3 unchanged)"),
            ("or(f(1, 2), [3, 4])", "or(f(1, 2), [3, 5])", "or(1 unchanged, [3, 5])"),
            ("xor(and(1, 2), 3)", "xor(and(1, 4), 5)", "xor(and(1 unchanged, 4), 5)"),
            ("and(1, 2)", "and(1, 1-terminal)", "and(1 unchanged, 1-terminal)"),
            // These are not the same operands.
            ("and(1, 2)", "or(1, 2)", "or(1, 2)"),
            ("and(1, 2)", "and(1, 2, 3)", "and(1, 2, 3)"),
            ("(1, 2)", "(1, 3)", "(1, 3)"),
            ("", "and(1, 2)", "and(1, 2)"),
        ] {
            assert_eq!(changed_operands(before, after), expected);
        }
    }
}
