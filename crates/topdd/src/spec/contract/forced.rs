//! A check of forced values.

use super::violation::{Violation, describe_step};
use crate::{DdSpec, Forced, Step};

/// Fails if a [`forced`](DdSpec::forced) value of `state`, at `variable`, is not the only one with
/// a step other than the 0-terminal, or has another step.
pub(crate) fn check_forced<S: DdSpec>(
    spec: &S,
    state: &S::State,
    variable: usize,
) -> Result<(), Violation> {
    let (forced, step) = match spec.forced(state, variable) {
        Forced::Free => return Ok(()),
        Forced::Value(value, step) => (value, step),
        // Value 0 leads to the 0-terminal, as all others do.
        Forced::Dead => (0, Step::Zero),
    };
    let differs = |way: String| Violation::ForcedDiffers {
        variable,
        state: spec.describe(state),
        value: forced,
        step: describe_step(spec, &step),
        way,
    };
    if forced >= spec.arity(variable) {
        return Err(differs(format!("variable {variable} has {} values", spec.arity(variable))));
    }
    if matches!(step, Step::To(to, _) if to <= variable) {
        return Err(differs("that is no later variable".to_owned()));
    }
    // Follows the path state by state, up to the target of the step.
    let end = match step {
        Step::To(to, _) => to,
        Step::Zero | Step::One => usize::MAX,
    };
    let mut way = Step::To(variable, state.clone());
    while let Step::To(at, state) = &way {
        if *at >= end || *at >= spec.num_vars() {
            break;
        }
        let taken = if *at == variable { forced } else { 0 };
        let mut others = (0..spec.arity(*at)).filter(|&value| value != taken);
        if let Some(value) = others.find(|&value| !spec.child(state, *at, value).is_zero()) {
            let state = spec.describe(state);
            let way = format!("value {value} of variable {at} leads on from {state}");
            return Err(differs(way));
        }
        let next = spec.child(state, *at, taken);
        if matches!(next, Step::To(to, _) if to <= *at) {
            // Reported when that state is visited.
            return Ok(());
        }
        way = next;
    }
    if way == step {
        return Ok(());
    }
    Err(differs(format!("it leads to {}", describe_step(spec, &way))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rule;
    use crate::check::contract;

    /// Sets of at most one of three numbers; `shortcut` is the result of `forced`.
    struct AtMostOne<F> {
        shortcut: F,
    }

    impl<F: Fn(usize, usize) -> Forced<usize> + Sync> DdSpec for AtMostOne<F> {
        type State = usize;
        fn num_vars(&self) -> usize {
            3
        }
        fn root(&self) -> Step<usize> {
            Step::To(0, 0)
        }
        fn child(&self, members: &usize, number: usize, value: usize) -> Step<usize> {
            match members + value {
                2 => Step::Zero,
                _ if number == 2 => Step::One,
                members => Step::To(number + 1, members),
            }
        }
        fn forced(&self, &members: &usize, number: usize) -> Forced<usize> {
            (self.shortcut)(members, number)
        }
    }

    fn verdict(shortcut: impl Fn(usize, usize) -> Forced<usize> + Sync) -> Result<(), String> {
        let verdict = contract(&AtMostOne { shortcut }, Rule::ZeroSuppressed, 100);
        verdict.map_err(|violation| violation.to_string())
    }

    #[test]
    fn a_forced_step_must_agree_with_child() {
        let full = |members, forced| if members == 1 { forced } else { Forced::Free };
        assert_eq!(verdict(|_, _| Forced::Free), Ok(()));
        assert_eq!(verdict(|members, _| full(members, Forced::Value(0, Step::One))), Ok(()));
        let one_step = |members, number| {
            let next = if number == 2 { Step::One } else { Step::To(number + 1, members) };
            full(members, Forced::Value(0, next))
        };
        assert_eq!(verdict(one_step), Ok(()));
        assert_eq!(
            verdict(|_, _| Forced::Value(0, Step::One)).unwrap_err(),
            "at variable 0 `forced` says that state 0 must take 0 to the 1-terminal, but value 1 of \
             variable 0 leads on from 0; it must return a value with its step, and only \
             where all others lead to the 0-terminal",
        );
        let wrong = verdict(|members, _| full(members, Forced::Dead)).unwrap_err();
        assert!(wrong.contains("but it leads to the 1-terminal"), "{wrong}");
        let taken = verdict(|members, _| full(members, Forced::Value(1, Step::Zero))).unwrap_err();
        assert!(taken.contains("value 0 of variable 1 leads on from 1"), "{taken}");
        let none = verdict(|members, _| full(members, Forced::Value(2, Step::Zero))).unwrap_err();
        assert!(
            none.contains("state 1 must take 2 to the 0-terminal, but variable 1 has 2"),
            "{none}"
        );
    }
}
