use super::*;
use crate::{SpecExt, Step};
use std::hash::Hash;
use std::ops::ControlFlow;

/// A counter of variables that breaks its contract in one way.
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
    fn for_each_child<B>(
        &self,
        state: &usize,
        variable: usize,
        mut visit: impl FnMut(usize, Step<usize>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        // The 0-terminal at value 0 is reported: that is allowed.
        visit(0, self.child(state, variable, 0))?;
        match self {
            Broken::LeavesOut if variable == 1 => {}
            Broken::OtherState if variable == 1 => visit(1, Step::To(2, state + 7))?,
            Broken::Descends if variable == 1 => {
                visit(2, self.child(state, variable, 2))?;
                return visit(1, self.child(state, variable, 1));
            }
            _ => visit(1, self.child(state, variable, 1))?,
        }
        visit(2, self.child(state, variable, 2))?;
        if matches!(self, Broken::OutsideArity) && variable == 1 {
            visit(3, Step::One)?;
        }
        ControlFlow::Continue(())
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
fn every_breach_is_reported_with_its_place() {
    assert_eq!(message(&Broken::Invalid), "the spec is invalid: no such spec");
    assert_eq!(
        message(&Broken::Root),
        "the root is at variable 4, but variables are 0..4 (state #0); \
         to start without variables return `Step::One` or `Step::Zero`"
    );
    assert_eq!(
        message(&Broken::Backwards),
        "value 1 of variable 2 leads backwards, to variable 1, from state #2; \
         a step must lead to a later variable"
    );
    assert_eq!(
        message(&Broken::OutOfRange),
        "value 2 of variable 3 leads to variable 9 from state #3, but variables are \
         0..4; after the last variable return `Step::One`"
    );
    assert_eq!(
        message(&Broken::LeavesOut),
        "at variable 1 in state #1, value 1: `child` returns state #2 at variable 2, \
         but `for_each_child` leaves it out"
    );
    assert_eq!(
        message(&Broken::OtherState),
        "at variable 1 in state #1, value 1: `child` returns state #2 at variable 2, \
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

/// A spec whose numbers of variables and values are out of range.
#[derive(Clone)]
struct Sizes {
    num_vars: usize,
    arity: usize,
}

impl DdSpec for Sizes {
    type State = ();
    fn num_vars(&self) -> usize {
        self.num_vars
    }
    fn arity(&self, _: usize) -> usize {
        self.arity
    }
    fn root(&self) -> Step<()> {
        Step::To(0, ())
    }
    fn child(&self, (): &(), _: usize, _: usize) -> Step<()> {
        Step::One
    }
}

#[test]
fn limits_are_checked_before_all_variables_or_values_are_visited() {
    for (num_vars, arity, expected) in [
        (2, usize::MAX, "variable 0 has arity 18446744073709551615"),
        (2, 0, "variable 0 has arity 0"),
        (usize::MAX, 2, "2147483646"),
        (1 << 31, 2, "2147483646"),
    ] {
        let spec = Sizes { num_vars, arity };
        let error = contract(&spec, Rule::ZeroSuppressed, 9).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        let both = spec.clone().and(spec);
        let error = crate::count(&both).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn no_states_beyond_the_limit_are_visited() {
    // The breach is at the third state.
    assert_eq!(contract(&Broken::Backwards, Rule::AnyValue, 2), Ok(()));
    assert!(contract(&Broken::Backwards, Rule::AnyValue, 3).is_err());
}

/// A counter of members. The parameters determine whether `Eq` and `Hash` see the state.
struct AtMost<const EQ: bool, const HASH: bool> {
    n: usize,
    k: usize,
}

#[derive(Clone, Copy, Debug)]
struct Members<const EQ: bool, const HASH: bool>(usize);

impl<const EQ: bool, const HASH: bool> PartialEq for Members<EQ, HASH> {
    fn eq(&self, other: &Self) -> bool {
        !EQ || self.0 == other.0
    }
}

impl<const EQ: bool, const HASH: bool> Eq for Members<EQ, HASH> {}

impl<const EQ: bool, const HASH: bool> Hash for Members<EQ, HASH> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        if HASH {
            self.0.hash(state);
        }
    }
}

impl<const EQ: bool, const HASH: bool> DdSpec for AtMost<EQ, HASH> {
    type State = Members<EQ, HASH>;
    fn num_vars(&self) -> usize {
        self.n
    }
    fn root(&self) -> Step<Self::State> {
        Step::To(0, Members(0))
    }
    fn child(&self, state: &Self::State, variable: usize, value: usize) -> Step<Self::State> {
        let members = state.0 + value;
        if members > self.k {
            Step::Zero
        } else if variable + 1 == self.n {
            Step::One
        } else {
            Step::To(variable + 1, Members(members))
        }
    }
    fn describe(&self, state: &Self::State) -> String {
        format!("{} members", state.0)
    }
}

#[test]
fn an_eq_that_ignores_relevant_facts_is_reported() {
    let error = contract(&AtMost::<false, false> { n: 3, k: 1 }, Rule::AnyValue, 100);
    assert_eq!(
        error.unwrap_err().to_string(),
        "equal states at variable 1 have different futures: value 1 leads from \
         0 members (by 0=0) to state 1 members at variable 2, but from \
         1 members (by 0=1) to the 0-terminal; equal states are merged, so `Eq` and \
         `Hash` must see all that the future depends on"
    );
    // The breach shows far below the level at which the states were first equal.
    for (n, k) in [(10, 5), (30, 15), (100, 45)] {
        let error = contract(&AtMost::<false, false> { n, k }, Rule::AnyValue, 1000);
        assert!(matches!(error, Err(Violation::EqualStatesDiffer { .. })), "{n} {k}");
        assert_eq!(contract(&AtMost::<true, true> { n, k }, Rule::AnyValue, 10_000), Ok(()));
        // A poor hash is no breach.
        assert_eq!(contract(&AtMost::<true, false> { n, k }, Rule::AnyValue, 100), Ok(()));
    }
}

#[test]
fn different_hashes_of_equal_states_are_found() {
    let error = contract(&AtMost::<false, true> { n: 3, k: 2 }, Rule::AnyValue, 100);
    assert_eq!(
        error.unwrap_err().to_string(),
        "states 0 members and 1 members at variable 1 are equal, but `Hash` \
         differs; equal states must have equal hashes"
    );
}

#[test]
fn a_long_path_is_dropped_without_recursion() {
    let spec = AtMost::<true, true> { n: 200_000, k: 0 };
    assert_eq!(contract(&spec, Rule::AnyValue, usize::MAX), Ok(()));
}
