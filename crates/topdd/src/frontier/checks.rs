//! Checks of states during a sweep: `for_each_child` and `forced` agree with `child`, and merged states have the same
//! steps.

use super::monitor::Watch;
use crate::BuildError;
use crate::draw::SplitMix;
use crate::error::{call_again, describe_after_panic, panic_message};
use crate::spec::contract::{Violation, check_forced, check_like, check_state, check_twins};
use crate::spec::{Arities, DdSpec, ErasedSpec, ErasedState, Forced, Step};
use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The limits of the checks of a range. `None` if no state is checked.
pub(super) type Checks = Option<CheckLimits>;

/// The limits of the checks of a range.
#[derive(Clone, Copy, Debug)]
pub(super) struct CheckLimits {
    /// The most states that are checked, evenly spaced.
    states: usize,
    /// The number of values, of checked states and of the forced states after them, beyond which the check
    /// ends.
    values: usize,
}

/// The checks of a sample.
const SAMPLE: CheckLimits = CheckLimits { states: 64, values: 1 << 14 };

/// The pairs of merged states that are compared, in each partition of a level, in addition to one for each
/// [`STATES_PER_PAIR`] expanded states. A pair takes the time of two expansions.
const MIN_PAIRS: usize = 2;
const STATES_PER_PAIR: usize = 64;

/// The number of pairs that are followed along a path at the variables 1, 2, 4, 8 and so on, and the maximum number of
/// variables on such a path.
const PATHS: usize = 2;
const PATH_LENGTH: usize = 64;

/// The checks that the caller chose, or else the default of this build.
pub(super) fn checks(checked: Option<bool>) -> Checks {
    match checked {
        Some(true) => Some(CheckLimits { states: usize::MAX, values: usize::MAX }),
        None if cfg!(debug_assertions) => Some(SAMPLE),
        Some(false) | None => None,
    }
}

/// The properties of a level whose states are checked.
pub(super) struct CheckedLevel<'a> {
    pub(super) arities: &'a Arities,
    pub(super) watch: &'a Watch,
    pub(super) variable: usize,
    /// The most forced states that the expansion follows on one edge.
    pub(super) chain_length: usize,
}

/// Checks the states of a range, and the forced states that the expansion follows from them. `state`
/// returns the state of an index.
pub(super) fn check_states(
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
pub(super) fn check_merged(
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
