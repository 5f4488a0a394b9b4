//! A walk over the states of a spec that holds it to its contract.

use std::collections::{HashSet, VecDeque};

use super::Violation;
use super::violation::{check_root, check_step, check_universe, describe_step};
use crate::{DdSpec, Rule, Step};

/// Visits up to `limit` distinct states of `spec`, breadth-first from its root under
/// `rule`, and answers the first breach of the contract of [`DdSpec`].
///
/// Looked for are steps that lead backwards or out of range, a `for_each_child` that
/// disagrees with `child`, comes out of order or leaves the arity, and what can be seen
/// without taking a step: an invalid spec, a variable without values.
///
/// What no walk can see is whether equal states have equal futures; hold the spec
/// against another description of its solutions with [`brute_force`](super::brute_force).
///
/// ```
/// use topdd::check::{self, Violation};
/// use topdd::{DdSpec, Rule, Step};
///
/// /// Never leaves its first variable.
/// struct Stuck;
///
/// impl DdSpec for Stuck {
///     type State = u8;
///     fn num_vars(&self) -> usize { 3 }
///     fn root(&self) -> Step<u8> { Step::To(0, 7) }
///     fn child(&self, state: &u8, variable: usize, _: usize) -> Step<u8> {
///         Step::To(variable, *state)
///     }
///     fn describe(&self, state: &u8) -> String { format!("{state:?}") }
/// }
///
/// let violation = check::contract(&Stuck, Rule::AnyValue, 100).unwrap_err();
/// assert_eq!(
///     violation.to_string(),
///     "value 0 of variable 0 leads backwards, to variable 0, from state 7; \
///      a step must lead to a later variable",
/// );
/// ```
///
/// # Errors
///
/// The first violation found. `Ok` says that there is none among the states visited.
pub fn contract<S: DdSpec>(spec: &S, rule: Rule, limit: usize) -> Result<(), Violation> {
    check_universe(spec)?;
    let root = spec.root_under(rule);
    check_root(spec, &root)?;

    let mut seen = HashSet::new();
    let mut waiting = VecDeque::new();
    let mut meet = |waiting: &mut VecDeque<(usize, S::State)>, step| {
        if let Step::To(variable, state) = step {
            let found = (variable, state);
            if seen.len() < limit && seen.insert(found.clone()) {
                waiting.push_back(found);
            }
        }
    };
    meet(&mut waiting, root);
    let mut visited = Vec::new();
    while let Some((variable, state)) = waiting.pop_front() {
        visited.clear();
        spec.for_each_child(&state, variable, |value, step| visited.push((value, step)));
        check_values(spec, &state, variable, &visited)?;

        let mut visits = visited.drain(..).peekable();
        for value in 0..spec.arity(variable) {
            let step = spec.child(&state, variable, value);
            check_step(spec, &state, variable, value, &step)?;
            // A value left out is a 0-terminal; reporting one is allowed and merely slower.
            let visit = visits.next_if(|&(visited, _)| visited == value).map(|(_, step)| step);
            if *visit.as_ref().unwrap_or(&Step::Zero) != step {
                return Err(Violation::ChildrenDiffer {
                    variable,
                    value,
                    state: spec.describe(&state),
                    child: describe_step(spec, &step),
                    visited: match visit {
                        Some(visit) => format!("visits {}", describe_step(spec, &visit)),
                        None => "leaves it out".to_owned(),
                    },
                });
            }
            meet(&mut waiting, step);
        }
    }
    Ok(())
}

/// Refuses values that `for_each_child` visits out of order or outside the arity.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts variables in its state; breaks its contract in the way asked for.
    enum Broken {
        No,
        Root,
        Backwards,
        OutOfRange,
        LeavesOut,
        OtherState,
        Descends,
        OutsideArity,
        Invalid,
    }

    impl DdSpec for Broken {
        type State = usize;
        fn num_vars(&self) -> usize {
            4
        }
        fn arity(&self, _: usize) -> usize {
            3
        }
        fn root(&self) -> Step<usize> {
            match self {
                Broken::Root => Step::To(4, 0),
                _ => Step::To(0, 0),
            }
        }
        fn child(&self, &state: &usize, variable: usize, value: usize) -> Step<usize> {
            match self {
                Broken::Backwards if (variable, value) == (2, 1) => Step::To(1, state),
                Broken::OutOfRange if (variable, value) == (3, 2) => Step::To(9, state),
                _ if value == 0 => Step::Zero,
                _ if variable == 3 => Step::One,
                _ => Step::To(variable + 1, state + 1),
            }
        }
        fn for_each_child<F>(&self, state: &usize, variable: usize, mut visit: F)
        where
            F: FnMut(usize, Step<usize>),
        {
            // The 0-terminal at value 0 is reported: that is allowed.
            visit(0, self.child(state, variable, 0));
            match self {
                Broken::LeavesOut if variable == 1 => {}
                Broken::OtherState if variable == 1 => visit(1, Step::To(2, state + 7)),
                Broken::Descends if variable == 1 => {
                    visit(2, self.child(state, variable, 2));
                    visit(1, self.child(state, variable, 1));
                    return;
                }
                _ => visit(1, self.child(state, variable, 1)),
            }
            visit(2, self.child(state, variable, 2));
            if matches!(self, Broken::OutsideArity) && variable == 1 {
                visit(3, Step::One);
            }
        }
        fn validate(&self) -> Result<(), String> {
            match self {
                Broken::Invalid => Err("no such spec".to_owned()),
                _ => Ok(()),
            }
        }
        fn describe(&self, state: &usize) -> String {
            format!("#{state}")
        }
    }

    fn message(spec: &Broken) -> String {
        contract(spec, Rule::AnyValue, 100).unwrap_err().to_string()
    }

    #[test]
    fn a_sound_spec_passes() {
        assert_eq!(contract(&Broken::No, Rule::AnyValue, 100), Ok(()));
        assert_eq!(contract(&Broken::No, Rule::ZeroSuppressed, 0), Ok(()));
    }

    #[test]
    fn every_breach_is_named() {
        assert_eq!(message(&Broken::Invalid), "the spec is invalid: no such spec");
        assert_eq!(
            message(&Broken::Root),
            "the root is at variable 4, but variables are 0..4 (state #0); \
             to start without variables answer `Step::One` or `Step::Zero`"
        );
        assert_eq!(
            message(&Broken::Backwards),
            "value 1 of variable 2 leads backwards, to variable 1, from state #2; \
             a step must lead to a later variable"
        );
        assert_eq!(
            message(&Broken::OutOfRange),
            "value 2 of variable 3 leads to variable 9 from state #3, but variables are \
             0..4; after the last variable answer `Step::One`"
        );
        assert_eq!(
            message(&Broken::LeavesOut),
            "at variable 1 in state #1, value 1: `child` answers state #2 at variable 2, \
             but `for_each_child` leaves it out"
        );
        assert_eq!(
            message(&Broken::OtherState),
            "at variable 1 in state #1, value 1: `child` answers state #2 at variable 2, \
             but `for_each_child` visits state #8 at variable 2"
        );
        assert_eq!(
            message(&Broken::Descends),
            "`for_each_child` visits value 1 after value 2, at variable 1 in state #1; \
             values must come in ascending order"
        );
        assert_eq!(
            message(&Broken::OutsideArity),
            "`for_each_child` visits value 3 of variable 1 in state #1, but that \
             variable takes values 0..3"
        );
    }

    #[test]
    fn the_limit_is_kept() {
        // The breach is at the third state.
        assert_eq!(contract(&Broken::Backwards, Rule::AnyValue, 2), Ok(()));
        assert!(contract(&Broken::Backwards, Rule::AnyValue, 3).is_err());
    }
}
