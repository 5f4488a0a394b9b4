//! The check of equal states.

use super::violation::{Violation, equal_states_differ};
use crate::spec::each_child;
use crate::{DdSpec, Step};

/// Two equal states, with their variable.
type Twins<State> = (usize, [State; 2]);

/// Fails if a value leads from two equal states at a variable to different steps. Otherwise returns the pair of states,
/// with their variable, to which one of the values leads; `choose` returns the index of one of several. `Eq` may compare
/// less than later steps depend on, so the next pairs show differences that the first does not.
pub(crate) fn check_twins<S: DdSpec>(
    spec: &S,
    variable: usize,
    [one, other]: &[S::State; 2],
    choose: &mut dyn FnMut(usize) -> usize,
) -> Result<Option<Twins<S::State>>, Violation> {
    let mut of_one = steps(spec, variable, one);
    let mut of_other = steps(spec, variable, other);
    if let Some(value) = first_difference(&of_one, &of_other) {
        let [first, second] = [one, other].map(|state| spec.child(state, variable, value));
        if first == second {
            // `for_each_child` differs from `child`, which is checked state by state.
            return Ok(None);
        }
        let (states, notes) = ([one, other], [String::new(), String::new()]);
        let steps = [&first, &second];
        return Err(equal_states_differ(spec, variable, value, states, notes, steps));
    }
    if of_one.is_empty() {
        return Ok(None);
    }
    let index = choose(of_one.len());
    Ok(match (of_one.swap_remove(index).1, of_other.swap_remove(index).1) {
        // A step that breaks the contract is reported when the state is expanded.
        (Step::To(to, next), Step::To(_, twin)) if to > variable && to < spec.num_vars() => {
            Some((to, [next, twin]))
        }
        _ => None,
    })
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
