//! The check of equal states.

use super::violation::{Violation, equal_states_differ};
use crate::spec::each_child;
use crate::{DdSpec, Step};

/// Fails if a value leads from two equal states to different steps: from the states of a pair at one variable, or from
/// the pairs on a path of at most `length` variables from there. `Eq` may compare less than the steps depend on
/// later, so the path shows differences that the first steps do not. `choose` returns the index of one of several steps.
pub(crate) fn check_twins<S: DdSpec>(
    spec: &S,
    mut variable: usize,
    [mut one, mut other]: [S::State; 2],
    length: usize,
    choose: &mut dyn FnMut(usize) -> usize,
) -> Result<(), Violation> {
    for _ in 0..length {
        let mut of_one = steps(spec, variable, &one);
        let mut of_other = steps(spec, variable, &other);
        if let Some(value) = first_difference(&of_one, &of_other) {
            let [first, second] = [&one, &other].map(|state| spec.child(state, variable, value));
            if first == second {
                // `for_each_child` differs from `child`, which is checked state by state.
                return Ok(());
            }
            let sides = [(&one, String::new(), &first), (&other, String::new(), &second)];
            return Err(equal_states_differ(spec, variable, value, sides));
        }
        if of_one.is_empty() {
            return Ok(());
        }
        let index = choose(of_one.len());
        match (of_one.swap_remove(index).1, of_other.swap_remove(index).1) {
            // A step that breaks the contract is reported when the state is expanded.
            (Step::To(to, next), Step::To(_, twin)) if to > variable && to < spec.num_vars() => {
                (variable, one, other) = (to, next, twin);
            }
            _ => return Ok(()),
        }
    }
    Ok(())
}

/// The steps of a state by value. A value that leads to the 0-terminal may be left out.
fn steps<S: DdSpec>(spec: &S, variable: usize, state: &S::State) -> Vec<(usize, Step<S::State>)> {
    let mut steps = Vec::new();
    each_child(spec, state, variable, |value, step| {
        if !step.is_zero() {
            steps.push((value, step));
        }
    });
    steps
}

/// The least value with different steps in two lists.
fn first_difference<State: PartialEq>(
    one: &[(usize, Step<State>)],
    other: &[(usize, Step<State>)],
) -> Option<usize> {
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let next = [one.get(same), other.get(same)];
    next.into_iter().flatten().map(|(value, _)| *value).min()
}
