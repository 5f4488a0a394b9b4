//! Checks of states during a sweep: `for_each_child` and `forced` agree with `child`, and merged states have the same
//! steps.

use super::{CHAIN_LENGTH_LIMIT, ExpansionInput, ForcedPolicy, SpecExpander};
use crate::BuildError;
use crate::error::{call_again, describe_after_panic, panic_message};
use crate::frontier::child_records::ChildRecords;
use crate::frontier::monitor::Watch;
use crate::frontier::states::{CheckLimits, SAMPLE};
use crate::frontier::table::StateTable;
use crate::random::SplitMix;
use crate::spec::contract::{Violation, check_forced, check_like, check_state, check_twins};
use crate::spec::{Arities, DdSpec, ErasedSpec, ErasedState, Forced, Step};
use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The pairs of merged states that are compared, in each partition of a level, in addition to one for each
/// [`STATES_PER_PAIR`] expanded states. A pair takes the time of two expansions.
const MIN_PAIRS: usize = 2;
const STATES_PER_PAIR: usize = 64;

/// The number of pairs that are followed along a path at the variables 1, 2, 4, 8 and so on, and the maximum number of
/// variables on such a path.
const PATHS: usize = 2;
const PATH_LENGTH: usize = 64;

/// The properties of a level whose states are checked.
pub(in super::super) struct CheckedLevel<'a> {
    pub(in super::super) arities: &'a Arities,
    pub(in super::super) watch: &'a Watch,
    pub(in super::super) variable: usize,
    /// The most forced states that the expansion follows on one edge.
    pub(in super::super) chain_length: usize,
}

/// Checks the states of a range, and the forced states that the expansion follows from them. `state`
/// returns the state of an index.
pub(in super::super) fn check_states(
    spec: &ErasedSpec<'_>,
    level: &CheckedLevel<'_>,
    state: &dyn Fn(usize) -> ErasedState,
    range: Range<usize>,
    CheckLimits { states, mut values }: CheckLimits,
) -> Result<(), BuildError> {
    let stride = range.len().div_ceil(states).max(1);
    let variable = level.variable;
    let arity = level.arities.get(variable);
    if arity > values {
        return Ok(());
    }
    for index in range.step_by(stride) {
        level.watch.check(Some(variable))?;
        if values == 0 {
            break;
        }
        values = values.saturating_sub(arity);
        let chain = |_, step| check_chain(spec, level, step, &mut values);
        check_state(spec, &state(index), variable, chain)
            .map_err(|violation| BuildError::Violation(Box::new(violation)))?;
    }
    Ok(())
}

/// Compares the steps of the two equal states of each pair, of as many pairs as are allowed for the states of a range.
/// `pair` returns the states of an index in `0..pairs`.
pub(in super::super) fn check_merged(
    spec: &ErasedSpec<'_>,
    level: &CheckedLevel<'_>,
    range: &Range<usize>,
    pairs: usize,
    pair: &dyn Fn(usize) -> [ErasedState; 2],
) -> Result<(), BuildError> {
    let variable = level.variable;
    let arity = level.arities.get(variable);
    if arity > SAMPLE.values || pairs == 0 {
        return Ok(());
    }
    // Only at powers of two, so that the paths take the time of some thousand expansions: a few percent of a wide level.
    let (least, length) = if variable.is_power_of_two() && range.start == 0 {
        (PATHS, PATH_LENGTH.min(SAMPLE.values / arity))
    } else {
        (MIN_PAIRS.min(pairs), 1)
    };
    let allowed = least + (range.len() / STATES_PER_PAIR).min(pairs);
    let mut draw = SplitMix(variable as u64);
    for index in 0..allowed {
        // The first path takes the greatest values, which soon exhaust what the states count.
        let mut choose = |count| if index == 0 { count - 1 } else { draw.below(count) };
        // Evenly spaced, from the first to the last.
        let mut next = Some((variable, pair(index * (pairs - 1) / (allowed - 1).max(1))));
        for _ in 0..if index < least { length } else { 1 } {
            let Some((at, states)) = next else { break };
            level.watch.check(Some(variable))?;
            let check = || check_twins(spec, at, &states, &mut choose);
            next = catch_unwind(AssertUnwindSafe(check))
                .map_err(|panic| panicked(spec, at, &states, &*panic))?
                .map_err(|violation| BuildError::Violation(Box::new(violation)))?;
        }
    }
    Ok(())
}

/// The error for a panic of the spec at one of two states.
#[cold]
fn panicked(
    spec: &ErasedSpec<'_>,
    variable: usize,
    states: &[ErasedState; 2],
    panic: &(dyn Any + Send),
) -> BuildError {
    let child = |state, value| call_again(|| spec.child(state, variable, value));
    let value_of = |state| (0..spec.arity(variable)).find(|&value| child(state, value).is_none());
    let found = states.iter().find_map(|state| Some((state, value_of(state)?)));
    let state = found.map_or(&states[0], |(state, _)| state);
    BuildError::SpecPanicked {
        variable,
        value: found.map(|(_, value)| value),
        state: describe_after_panic(|| spec.describe(state)),
        message: panic_message(panic),
    }
}

/// Checks the forced states from the target of a step on. `values` is decreased by the number of their
/// values, and the check ends when it is 0.
fn check_chain(
    spec: &ErasedSpec<'_>,
    level: &CheckedLevel<'_>,
    mut step: Step<ErasedState>,
    values: &mut usize,
) -> Result<(), Violation> {
    for _ in 0..level.chain_length {
        let Step::To(variable, state) = step else { break };
        // A step beyond the last variable is reported when its forced state is expanded.
        if variable >= level.arities.num_vars() || level.arities.get(variable) > *values {
            break;
        }
        let forced = spec.forced(&state, variable);
        if matches!(forced, Forced::Free) {
            break;
        }
        *values = values.saturating_sub(level.arities.get(variable));
        check_forced(spec, &state, variable)?;
        check_like(spec, &state, variable)?;
        let Forced::Value(_, next) = forced else { break };
        step = next;
    }
    Ok(())
}

impl<Spec: DdSpec> SpecExpander<Spec> {
    /// Returns the error for a panic of the spec. Expands the states of the range again, one by
    /// one, to find the state and the value, so the sweep need not record its position. Resumes the
    /// panic if it does not occur again.
    #[cold]
    #[inline(never)]
    pub(super) fn locate_panic(
        &self,
        level: &ExpansionInput<'_>,
        table: &StateTable<Spec::State>,
        mut range: Range<usize>,
        out: &mut ChildRecords,
        panic: Box<dyn Any + Send>,
    ) -> BuildError {
        let panics = |index: &usize| {
            out.reset(level.variable, level.ones_width, level.routing.adjacent_partitions);
            let state = *index..index + 1;
            call_again(|| self.expand_range(level, table, state, u64::MAX, out)).is_none()
        };
        let Some(index) = range.find(panics) else { resume_unwind(panic) };
        // The panic may be one of `Clone`.
        let copy = call_again(|| ErasedState::new(table.records[index].clone()));
        let Some(state) = copy else { resume_unwind(panic) };
        panic_error(ErasedSpec::new(&self.spec), &state, level, &*panic)
    }
}

/// The error for a panic of the spec at a state.
fn panic_error(
    spec: ErasedSpec<'_>,
    state: &ErasedState,
    level: &ExpansionInput<'_>,
    panic: &(dyn Any + Send),
) -> BuildError {
    let values = || 0..level.arities.get(level.variable).min(MAX_VALUES);
    let child = |value: usize| call_again(|| spec.child(state, level.variable, value));
    let value = values().find(|&value| child(value).is_none());
    // Otherwise it was perhaps `forced` of a state that was followed.
    let forced = |value| find_panic_of_forced(spec, child(value)?, level.arities.num_vars());
    let may_be = value.is_none() && level.forced_policy != ForcedPolicy::None;
    let of_forced = if may_be { values().find_map(forced) } else { None };
    let followed = of_forced.as_ref().map(|(variable, state)| (*variable, state));
    let (variable, state) = followed.unwrap_or((level.variable, state));
    BuildError::SpecPanicked {
        variable,
        value,
        state: describe_after_panic(|| spec.describe(state)),
        message: panic_message(panic),
    }
}

/// The first state on the path of forced values after a step at which `forced` panics, with its
/// variable.
fn find_panic_of_forced(
    spec: ErasedSpec<'_>,
    mut step: Step<ErasedState>,
    num_vars: usize,
) -> Option<(usize, ErasedState)> {
    for _ in 0..CHAIN_LENGTH_LIMIT {
        let Step::To(to, state) = step else { break };
        if to >= num_vars {
            break;
        }
        step = match call_again(|| spec.forced(&state, to)) {
            None => return Some((to, state)),
            Some(Forced::Value(_, next)) => next,
            Some(Forced::Free | Forced::Dead) => break,
        };
    }
    None
}

/// The number of values that are tried to find the one at which a spec panicked.
const MAX_VALUES: usize = 1 << 16;
