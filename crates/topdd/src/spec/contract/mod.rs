//! The contract of [`DdSpec`], checked state by state: for the test kit, and for sweeps that are
//! [`checked`](crate::Frontier::checked).

mod violation;

use super::{DdSpec, Step, each_child};
use crate::Forced;
use std::collections::HashMap;

pub use violation::Violation;

pub(crate) use violation::{
    REPEATS, check_pure, check_root, check_step, check_universe, describe_step, equal_states_differ,
};

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

/// Fails if a [`forced`](DdSpec::forced) value of `state`, at `variable`, is not the only value with
/// a step other than the 0-terminal, or has another step. Fails if a state that is declared dead has a
/// solution. The cause may also be an impure `child`.
pub(crate) fn check_forced<S: DdSpec>(
    spec: &S,
    state: &S::State,
    variable: usize,
) -> Result<(), Violation> {
    compare_forced(spec, state, variable).map_err(|differs| {
        let mut impure = (0..spec.arity(variable)).map(|value| {
            let step = spec.child(state, variable, value);
            check_pure(spec, state, variable, value, &step, REPEATS)
        });
        impure.find_map(Result::err).unwrap_or(differs)
    })
}

/// Compares a forced value with `child`.
fn compare_forced<S: DdSpec>(spec: &S, state: &S::State, variable: usize) -> Result<(), Violation> {
    let (forced, step) = match spec.forced(state, variable) {
        Forced::Free => return Ok(()),
        Forced::Value(value, step) => (value, step),
        Forced::Dead if is_dead(spec, state, variable) => return Ok(()),
        Forced::Dead => {
            return Err(Violation::ForcedDead { variable, state: spec.describe(state) });
        }
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
    if matches!(step, Step::To(to, _) if to <= variable || to >= spec.num_vars()) {
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
        // The steps of other values may lead to states without a solution.
        let leads_on = |value: usize| match spec.child(state, *at, value) {
            step @ Step::To(to, _) if to > *at => !have_same_future(spec, step, Step::Zero),
            step => !step.is_zero(),
        };
        if let Some(value) = others.find(|&value| leads_on(value)) {
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
    if way == step || have_same_future(spec, way.clone(), step.clone()) {
        return Ok(());
    }
    Err(differs(format!("it leads to {}", describe_step(spec, &way))))
}

/// Whether no value of a state leads to a solution.
///
/// A combination may detect that its states have no solution, and still step to them. A step backwards
/// counts as dead: it is reported when the state is visited.
fn is_dead<S: DdSpec>(spec: &S, state: &S::State, variable: usize) -> bool {
    let steps = (0..spec.arity(variable)).map(|value| spec.child(state, variable, value));
    let mut forward = steps.filter(|step| !matches!(step, Step::To(to, _) if *to <= variable));
    forward.all(|step| have_same_future(spec, step, Step::Zero))
}

/// The number of values that are tried before two steps are assumed to have the same future, for each
/// variable and in all. A difference is mostly found on the way back from the last variable.
const TRIED_PER_VARIABLE: usize = 8;
const MIN_TRIED_STEPS: usize = 1 << 10;

/// Whether two steps lead to the same solutions, if skipped variables are 0. Without a proof after many
/// values, the answer is yes.
///
/// Equal states have equal futures, but different states may have equal futures, too: in the states of a
/// combination, an operand may be at its next state or, past variables that must be 0, at a later one.
fn have_same_future<S: DdSpec>(spec: &S, one: Step<S::State>, other: Step<S::State>) -> bool {
    counterexample(spec, [one, other], no_excess, |[one, other], _| one != other).is_none()
}

/// The excess where costs do not matter.
fn no_excess<State>(_: [Option<&State>; 2], _: usize, _: usize) -> i128 {
    0
}

/// Searches for an assignment on which two steps differ, as `differ` judges from whether it is a solution of each, and from
/// the sum of `excess`: by how much a value of a variable costs more from the second state than from the first, where
/// `None` skips the variable. Whether two solutions differ may only become true as the sum grows, from 1 on. Returns its values, which mean nothing for variables before the steps; `None` if many values
/// were tried. Skipped variables are 0.
pub(crate) fn counterexample<S: DdSpec>(
    spec: &S,
    steps: [Step<S::State>; 2],
    excess: impl Fn([Option<&S::State>; 2], usize, usize) -> i128,
    differ: impl Fn([bool; 2], i128) -> bool,
) -> Option<Vec<usize>> {
    let num_vars = spec.num_vars();
    let variable = |step: &Step<S::State>| match step {
        Step::To(variable, _) => *variable,
        Step::Zero | Step::One => num_vars,
    };
    let mut values = vec![0; num_vars];
    // Pairs of steps, each with the first value that was not tried, and the excess so far.
    let mut pairs = vec![(steps, 0, 0)];
    let mut seen: HashMap<[Step<S::State>; 2], i128> = HashMap::new();
    for _ in 0..TRIED_PER_VARIABLE * num_vars + MIN_TRIED_STEPS {
        let (steps, value, sum) = pairs.pop()?;
        let at = steps.iter().map(variable).min().unwrap_or(num_vars);
        if at >= num_vars {
            // A terminal and another one, or a step beyond the last variable, which is reported when
            // its state is visited.
            if differ([0, 1].map(|index: usize| !steps[index].is_zero()), sum) {
                return Some(values);
            }
            continue;
        }
        let states = steps.each_ref().map(|step| match step {
            Step::To(variable, state) if *variable == at => Some(state),
            _ => None,
        });
        let next = [0, 1].map(|index: usize| match states[index] {
            Some(state) => spec.child(state, at, value),
            None if value == 0 => steps[index].clone(),
            None => Step::Zero,
        });
        if next.iter().map(variable).min() <= Some(at) {
            // Reported when that state is visited.
            return None;
        }
        // Where a step leads to the 0-terminal, its value has no cost.
        let has_excess = next.iter().all(|step| !step.is_zero());
        let next_sum = sum + if has_excess { excess(states, at, value) } else { 0 };
        if value + 1 < spec.arity(at) {
            pairs.push((steps, value + 1, sum));
        }
        values[at] = value;
        values[at + 1..].fill(0);
        let may_differ = (next[0] != next[1] || next_sum > 0)
            && (!next[0].is_zero() || differ([false, true], next_sum));
        if may_differ && seen.get(&next).is_none_or(|&before| before < next_sum) {
            seen.insert(next.clone(), next_sum);
            pairs.push((next, 0, next_sum));
        }
    }
    None
}

/// Fails if a completion of one of two states is none of the state that [`DdSpec::merge`] returns for them. Skipped variables
/// are 0. Without a counterexample after many values, the merge is assumed to be right.
pub(crate) fn check_merge<S: DdSpec>(
    spec: &S,
    states: [&S::State; 2],
    variable: usize,
) -> Result<Option<S::State>, Violation> {
    let Some(merged) = spec.merge(states[0], states[1], variable) else { return Ok(None) };
    for state in states {
        let steps = [state, &merged].map(|state| Step::To(variable, state.clone()));
        let loses = |[own, of_merged]: [bool; 2], _| own && !of_merged;
        if let Some(values) = counterexample(spec, steps, no_excess, loses) {
            let values = &values[variable..];
            let completion = format!("the values {values:?} of {}", spec.describe(state));
            return Err(Violation::MergeLoses {
                variable,
                states: states.map(|state| spec.describe(state)).join(" and "),
                merged: spec.describe(&merged),
                completion,
            });
        }
    }
    Ok(Some(merged))
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::contract;
    use crate::{Rule, SpecExt};

    /// Sets of at most one of three numbers; `shortcut` is the result of `forced`.
    struct AtMostOne<'a> {
        shortcut: &'a (dyn Fn(usize, usize) -> Forced<usize> + Sync),
    }

    impl DdSpec for AtMostOne<'_> {
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
        let verdict = contract(&AtMostOne { shortcut: &shortcut }, Rule::ZeroSuppressed, 100);
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
        assert!(wrong.contains("must return `Dead` only where"), "{wrong}");
        let taken = verdict(|members, _| full(members, Forced::Value(1, Step::Zero))).unwrap_err();
        assert!(taken.contains("value 0 of variable 1 leads on from 1"), "{taken}");
        let none = verdict(|members, _| full(members, Forced::Value(2, Step::Zero))).unwrap_err();
        assert!(
            none.contains("state 1 must take 2 to the 0-terminal, but variable 1 has 2"),
            "{none}"
        );
    }

    /// Sets of `left` multiples of 3. `extra` is added to what `forced` says is left.
    struct Multiples {
        numbers: usize,
        left: usize,
        extra: usize,
    }

    impl DdSpec for Multiples {
        type State = usize;
        fn num_vars(&self) -> usize {
            self.numbers
        }
        fn root(&self) -> Step<usize> {
            Step::To(0, self.left)
        }
        fn child(&self, &left: &usize, number: usize, value: usize) -> Step<usize> {
            match left.checked_sub(value) {
                Some(left) if value == 0 || number.is_multiple_of(3) => match number + 1 {
                    next if next < self.numbers => Step::To(next, left),
                    _ if left == 0 => Step::One,
                    _ => Step::Zero,
                },
                _ => Step::Zero,
            }
        }
        fn forced(&self, &left: &usize, number: usize) -> Forced<usize> {
            if left == 0 {
                return Forced::Value(0, Step::One);
            }
            if number.is_multiple_of(3) {
                return Forced::Free;
            }
            Forced::to(0, self.child(&left, number, 0).map(|left| left + self.extra))
        }
    }

    fn is_kept<S: DdSpec + Sync>(spec: &S) -> bool {
        contract(spec, Rule::ZeroSuppressed, 1000).is_ok()
    }

    /// Whether the contract is kept by sets of two, one, ... multiples, and by their combinations.
    fn verdicts(numbers: usize, extra: usize) -> Vec<bool> {
        let with = |left| Multiples { numbers, left, extra }.boxed();
        let (one, other) = (&with(2), &with(1));
        vec![
            is_kept(one),
            is_kept(&one.and(one)),
            is_kept(&one.or(other)),
            is_kept(&one.xor(other)),
            is_kept(&one.and_not(other)),
            is_kept(&one.read_as(Rule::ZeroSuppressed)),
            is_kept(&one.unreduce()),
            is_kept(&one.or(other).or(with(3)).boxed()),
            is_kept(&one.or(other).and(with(1).unreduce())),
        ]
    }

    /// In the states of combinations an operand that skips variables may be at a later state.
    #[test]
    fn a_forced_step_may_lead_to_another_state_of_the_same_future() {
        for numbers in [1, 2, 9, 100] {
            assert!(verdicts(numbers, 0).into_iter().all(|is_kept| is_kept), "{numbers}");
        }
    }

    /// The set of variable 0. Its `forced` goes past the rest.
    struct First;

    impl DdSpec for First {
        type State = ();
        fn num_vars(&self) -> usize {
            2
        }
        fn root(&self) -> Step<()> {
            Step::To(0, ())
        }
        fn child(&self, (): &(), variable: usize, value: usize) -> Step<()> {
            match (variable, value) {
                (0, 1) => Step::To(1, ()),
                (1, 0) => Step::One,
                _ => Step::Zero,
            }
        }
        fn forced(&self, (): &(), variable: usize) -> Forced<()> {
            Forced::Value(1 - variable, Step::One)
        }
    }

    /// The states of a combination may be dead at variable 0 already, and lead on to variable 1.
    #[test]
    fn a_dead_state_may_lead_on_to_dead_states() {
        assert!(is_kept(&First));
        let first = &First.boxed();
        assert!(is_kept(&first.and_not(first)) && is_kept(&first.xor(first)));
        let none = crate::Frontier::of_boxed(first.xor(first).boxed()).checked(true).count();
        assert_eq!(none, Ok(0u32.into()));
    }

    /// One variable, of whose many values one is a solution. `forced` denies it.
    struct Denied;

    impl DdSpec for Denied {
        type State = ();
        fn num_vars(&self) -> usize {
            1
        }
        fn arity(&self, _: usize) -> usize {
            5000
        }
        fn root(&self) -> Step<()> {
            Step::To(0, ())
        }
        fn child(&self, (): &(), _: usize, value: usize) -> Step<()> {
            if value == 4000 { Step::One } else { Step::Zero }
        }
        fn forced(&self, (): &(), _: usize) -> Forced<()> {
            Forced::Dead
        }
    }

    #[test]
    fn every_value_of_a_dead_state_is_looked_at() {
        assert!(!is_kept(&Denied));
    }

    #[test]
    fn a_forced_step_to_another_future_is_found_in_combinations() {
        for numbers in [9, 100, 1000] {
            let found = verdicts(numbers, 1);
            assert!(!found.contains(&true), "{numbers}: {found:?}");
        }
    }
}
