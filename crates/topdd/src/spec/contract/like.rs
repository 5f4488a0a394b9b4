//! The check of [`DdSpec::like`].

use super::{DdSpec, Step, Violation, describe_step};
use crate::spec::Forced;

/// The most earlier variables that a state is compared at.
const MOST: usize = 16;

/// Fails if a state at a variable has other steps than at an earlier variable that is said to be like it, directly or
/// by way of others.
pub(crate) fn check_like<S: DdSpec>(
    spec: &S,
    state: &S::State,
    variable: usize,
) -> Result<(), Violation> {
    let mut last = variable;
    for _ in 0..MOST {
        let Some(earlier) = spec.like(last) else { break };
        let fault = |difference: String| {
            Err(Violation::NotAlike { variable, earlier, state: spec.describe(state), difference })
        };
        if earlier >= last {
            return fault("it is not earlier".to_owned());
        }
        if let Some(difference) = difference(spec, state, variable, earlier) {
            return fault(difference);
        }
        last = earlier;
    }
    Ok(())
}

/// The first difference of the steps of a state at two variables, as text.
fn difference<S: DdSpec>(
    spec: &S,
    state: &S::State,
    variable: usize,
    earlier: usize,
) -> Option<String> {
    let (arity, before) = (spec.arity(variable), spec.arity(earlier));
    if arity != before {
        return Some(format!("their arities are {arity} and {before}"));
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
            return Some(format!("value {value} leads to {step} instead of {expected}"));
        }
    }
    let expected = match spec.forced(state, earlier) {
        Forced::Value(value, step) => Forced::Value(value, moved(step)),
        forced => forced,
    };
    (spec.forced(state, variable) != expected).then(|| "`forced` returns another step".to_owned())
}
