//! The contract of [`DdSpec`], checked state by state: for the test kit, and for sweeps that are
//! [`checked`](crate::Frontier::checked).

mod forced;
mod like;
mod twins;
mod violation;

pub(crate) use forced::check_forced;
pub(crate) use like::check_like;
pub(crate) use twins::check_twins;
pub use violation::Violation;
pub(crate) use violation::{
    REPEATS, check_pure, check_root, check_step, check_universe, describe_step, equal_states_differ,
};

use super::{DdSpec, Step, each_child};

/// Checks that the steps of a state lead to later variables, that `child` repeats itself, and that
/// `for_each_child` and `forced` agree with it. Passes each value with its step to `each`.
pub(crate) fn check_state<S: DdSpec>(
    spec: &S,
    state: &S::State,
    variable: usize,
    mut each: impl FnMut(usize, Step<S::State>) -> Result<(), Violation>,
) -> Result<(), Violation> {
    // The first calls of all: a `child` that returns another step from the second call on is impure.
    let mut children = Vec::new();
    for value in 0..spec.arity(variable) {
        let step = spec.child(state, variable, value);
        check_step(spec, state, variable, value, &step)?;
        check_pure(spec, state, variable, value, &step, 1)?;
        if !step.is_zero() {
            children.push((value, step));
        }
    }
    let mut visited = Vec::new();
    each_child(spec, state, variable, |value, step| visited.push((value, step)));
    check_values(spec, state, variable, &visited)?;
    let mut children = children.into_iter().peekable();
    let mut visits = visited.into_iter().peekable();
    for value in 0..spec.arity(variable) {
        let step = children.next_if(|child| child.0 == value).map_or(Step::Zero, |child| child.1);
        // A value left out is a 0-terminal; reporting one is allowed, but slower.
        let visit = visits.next_if(|&(visited, _)| visited == value).map(|(_, step)| step);
        if *visit.as_ref().unwrap_or(&Step::Zero) != step {
            check_pure(spec, state, variable, value, &step, REPEATS)?;
            return Err(Violation::ChildrenDiffer {
                variable,
                value,
                state: spec.describe(state),
                child: describe_step(spec, &step),
                visited: match visit {
                    Some(visit) => format!("visits {}", describe_step(spec, &visit)),
                    None => "leaves it out".to_owned(),
                },
            });
        }
        each(value, step)?;
    }
    check_forced(spec, state, variable)?;
    check_like(spec, state, variable)
}

/// Fails if `for_each_child` visits values out of order or outside the arity.
fn check_values<S: DdSpec>(
    spec: &S,
    state: &S::State,
    variable: usize,
    visited: &[(usize, Step<S::State>)],
) -> Result<(), Violation> {
    let arity = spec.arity(variable);
    let mut previous = None;
    for &(value, _) in visited {
        if value >= arity {
            let state = spec.describe(state);
            return Err(Violation::ValueOutsideArity { variable, value, arity, state });
        }
        if let Some(previous) = previous.filter(|&previous| previous >= value) {
            let state = spec.describe(state);
            return Err(Violation::ChildrenOutOfOrder { variable, value, previous, state });
        }
        previous = Some(value);
    }
    Ok(())
}
