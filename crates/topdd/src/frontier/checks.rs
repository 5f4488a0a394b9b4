//! Checks of states during a sweep: `for_each_child` and `forced` agree with `child`.

use super::monitor::Watch;
use crate::BuildError;
use crate::spec::contract::{Violation, check_forced, check_like, check_state};
use crate::spec::{Arities, DdSpec, ErasedSpec, ErasedState, Forced, Step};
use std::ops::Range;

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
