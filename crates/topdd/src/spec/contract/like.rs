//! The check of [`DdSpec::like`].

use super::{DdSpec, Step, Violation, describe_step};
use crate::spec::Forced;

/// Fails if a state at a variable has other steps than at the earlier variable that is said to be like it.
pub(super) fn check_like<S: DdSpec>(
    spec: &S,
    state: &S::State,
    variable: usize,
) -> Result<(), Violation> {
    let Some(earlier) = spec.like(variable) else { return Ok(()) };
    let fault = |way: String| {
        Err(Violation::NotAlike { variable, earlier, state: spec.describe(state), way })
    };
    if earlier >= variable {
        return fault("it is not earlier".to_owned());
    }
    let (arity, before) = (spec.arity(variable), spec.arity(earlier));
    if arity != before {
        return fault(format!("their arities are {arity} and {before}"));
    }
    let moved = |step: Step<S::State>| match step {
        Step::To(to, state) => Step::To(to.saturating_add(variable - earlier), state),
        terminal => terminal,
    };
    for value in 0..arity {
        let step = spec.child(state, variable, value);
        let expected = moved(spec.child(state, earlier, value));
        if step != expected {
            let [step, expected] = [step, expected].map(|step| describe_step(spec, &step));
            return fault(format!("value {value} leads to {step} instead of {expected}"));
        }
    }
    let forced = spec.forced(state, variable);
    let expected = match spec.forced(state, earlier) {
        Forced::Value(value, step) => Forced::Value(value, moved(step)),
        forced => forced,
    };
    if forced != expected {
        return fault("`forced` returns something else".to_owned());
    }
    Ok(())
}
