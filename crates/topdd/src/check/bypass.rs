//! Whether a shortcut leads where the way does.

use super::Violation;
use super::violation::describe_step;
use crate::{DdSpec, Step};

/// Refuses a [`bypass`](DdSpec::bypass) of `state`, at `variable`, past a value other than 0
/// that leads on, or to where the values 0 do not lead.
pub(super) fn check_bypass<S: DdSpec>(
    spec: &S,
    state: &S::State,
    variable: usize,
) -> Result<(), Violation> {
    let Some(bypass) = spec.bypass(state, variable) else { return Ok(()) };
    let differs = |way: String| Violation::BypassDiffers {
        variable,
        state: spec.describe(state),
        bypass: describe_step(spec, &bypass),
        way,
    };
    // From one state to the next, as far as the shortcut goes.
    let end = match bypass {
        Step::To(to, _) => to,
        Step::Zero | Step::One => usize::MAX,
    };
    let mut way = Step::To(variable, state.clone());
    while let Step::To(at, state) = &way {
        if *at >= end || *at >= spec.num_vars() {
            break;
        }
        let ways = 1..spec.arity(*at);
        if let Some(value) = ways.into_iter().find(|&v| !spec.child(state, *at, v).is_zero()) {
            let state = spec.describe(state);
            let way = format!("value {value} of variable {at} leads on from {state}");
            return Err(differs(way));
        }
        let next = spec.child(state, *at, 0);
        if matches!(next, Step::To(to, _) if to <= *at) {
            // Reported when that state is visited.
            return Ok(());
        }
        way = next;
    }
    if way == bypass {
        return Ok(());
    }
    Err(differs(format!("values 0 lead to {}", describe_step(spec, &way))))
}

#[cfg(test)]
mod tests {
    use super::super::contract;
    use super::*;
    use crate::Rule;

    /// Sets of at most one of three numbers; `shortcut` is what `bypass` answers once there is one.
    struct AtMostOne {
        shortcut: fn(usize, usize) -> Option<Step<usize>>,
    }

    impl DdSpec for AtMostOne {
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
        fn bypass(&self, &members: &usize, number: usize) -> Option<Step<usize>> {
            (self.shortcut)(members, number)
        }
        fn describe(&self, members: &usize) -> String {
            members.to_string()
        }
    }

    fn verdict(shortcut: fn(usize, usize) -> Option<Step<usize>>) -> Result<(), String> {
        let verdict = contract(&AtMostOne { shortcut }, Rule::ZeroSuppressed, 100);
        verdict.map_err(|violation| violation.to_string())
    }

    #[test]
    fn shortcuts_must_lead_where_the_way_does() {
        assert_eq!(verdict(|_, _| None), Ok(()));
        assert_eq!(verdict(|members, _| (members == 1).then_some(Step::One)), Ok(()));
        let one_step = |members, number| {
            let next = if number == 2 { Step::One } else { Step::To(number + 1, members) };
            (members == 1).then_some(next)
        };
        assert_eq!(verdict(one_step), Ok(()));
        assert_eq!(
            verdict(|_, _| Some(Step::One)).unwrap_err(),
            "at variable 0 `bypass` goes from state 0 to the 1-terminal, but value 1 of variable 0 \
             leads on from 0; it must answer where value 0 leads, and only where all others lead \
             to the 0-terminal",
        );
        let wrong = verdict(|members, _| (members == 1).then_some(Step::Zero)).unwrap_err();
        assert!(wrong.contains("but values 0 lead to the 1-terminal"), "{wrong}");
    }
}
