//! Mistakes planted into a spec that is right: `check::verify` reports each, and a checked sweep those
//! in which `for_each_child` or `forced` disagree with `child`.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use topdd::check::{Verification, Verified, VerifyError, Violation, verify};
use topdd::{BigUint, BuildError, DdSpec, Forced, Frontier, Rule, Step};

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mistake {
    None,
    /// A step to the variable that it leaves.
    StepBack,
    /// A step to a variable that does not exist.
    StepPastTheEnd,
    /// `for_each_child` leaves out the last value.
    Omits,
    /// `for_each_child` visits a value that leads to the 0-terminal.
    Adds,
    /// `for_each_child` visits another step.
    LeadsElsewhere,
    /// `for_each_child` visits the greatest value first.
    OutOfOrder,
    /// `for_each_child` visits a value that the variable does not have.
    OutOfArity,
    /// The state does not say how many members there are.
    Forgets,
    /// The 1-terminal while one more member may come.
    OneTooEarly,
    /// `forced` returns a value, but another value does not lead to the 0-terminal either.
    ForcedIsNot,
    /// `forced` names a step that is not that of the value.
    ForcedLeadsElsewhere,
    /// `forced` says that a state is dead that is not.
    ForcedDead,
    /// Every call with an odd number returns the 0-terminal.
    Impure,
}

/// Subsets of `0..n` without two consecutive members and with at most `k` members; with a mistake at
/// every variable, or at one.
struct Sets {
    n: usize,
    k: usize,
    mistake: Mistake,
    at: Option<usize>,
    calls: AtomicUsize,
}

/// Whether the previous number is a member, and how many members there are.
type Members = (bool, usize);

fn sets(n: usize, mistake: Mistake, at: Option<usize>) -> Sets {
    Sets { n, k: n / 3, mistake, at, calls: AtomicUsize::new(0) }
}

impl Sets {
    fn wrong(&self, mistake: Mistake, variable: usize) -> bool {
        self.mistake == mistake && self.at.is_none_or(|at| at == variable)
    }

    fn right(&self, set: &[usize]) -> bool {
        set.windows(2).all(|pair| pair != [1, 1]) && set.iter().sum::<usize>() <= self.k
    }

    fn verify(&self) -> Result<Verified, VerifyError> {
        verify(self, |set| self.right(set))
    }
}

impl DdSpec for Sets {
    type State = Members;

    fn num_vars(&self) -> usize {
        self.n
    }

    fn root(&self) -> Step<Members> {
        Step::To(0, (false, 0))
    }

    fn child(&self, &(last, members): &Members, v: usize, value: usize) -> Step<Members> {
        let odd = self.calls.fetch_add(1, Ordering::Relaxed) % 2 == 1;
        if self.wrong(Mistake::Impure, v) && odd {
            return Step::Zero;
        }
        let sum = members + value;
        if last && value == 1 || sum > self.k {
            return Step::Zero;
        }
        if self.wrong(Mistake::StepBack, v) && sum == 1 {
            return Step::To(v, (value == 1, sum));
        }
        if self.wrong(Mistake::StepPastTheEnd, v) && sum == 1 {
            return Step::To(self.n, (value == 1, sum));
        }
        if self.wrong(Mistake::OneTooEarly, v) && sum + 1 == self.k || v + 1 == self.n {
            return Step::One;
        }
        let sum = if self.wrong(Mistake::Forgets, v) { sum.min(1) } else { sum };
        Step::To(v + 1, (value == 1, sum))
    }

    fn for_each_child<B>(
        &self,
        state: &Members,
        v: usize,
        mut visit: impl FnMut(usize, Step<Members>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut children: Vec<(usize, Step<Members>)> = (0..2)
            .map(|value| (value, self.child(state, v, value)))
            .filter(|(_, step)| !step.is_zero())
            .collect();
        if self.wrong(Mistake::Omits, v) && children.len() > 1 {
            children.pop();
        }
        if self.wrong(Mistake::Adds, v) && children.len() == 1 {
            children.push((1, children[0].1));
        }
        if self.wrong(Mistake::LeadsElsewhere, v) && children.len() > 1 {
            children[1].1 = children[0].1;
        }
        if self.wrong(Mistake::OutOfOrder, v) {
            children.reverse();
        }
        if self.wrong(Mistake::OutOfArity, v) {
            children.push((2, Step::One));
        }
        children.into_iter().try_for_each(|(value, step)| visit(value, step))
    }

    fn forced(&self, state: &Members, v: usize) -> Forced<Members> {
        let &(last, members) = state;
        let zero = || self.child(state, v, 0);
        if self.wrong(Mistake::ForcedIsNot, v) && !last && members + 1 == self.k {
            Forced::to(0, zero())
        } else if self.wrong(Mistake::ForcedLeadsElsewhere, v) && last {
            Forced::to(0, zero().map(|(last, members)| (!last, members)))
        } else if self.wrong(Mistake::ForcedDead, v) && last {
            Forced::Dead
        } else if last || members == self.k {
            Forced::to(0, zero())
        } else {
            Forced::Free
        }
    }
}

/// Reported at every variable and at one deep one, in small cases and in one of which not all is
/// visited.
#[track_caller]
fn reported(mistake: Mistake, expected: impl Fn(&VerifyError) -> bool) {
    let smaller = Verification::new().assignments(1000).samples(300).states(400);
    for deep in [false, true] {
        let spec = sets(15, mistake, deep.then_some(11));
        let error = spec.verify().expect_err("a mistake");
        assert!(expected(&error), "{mistake:?}: {error}");
        let spec = sets(30, mistake, deep.then_some(22));
        let error = smaller.run(&spec, |set| spec.right(set)).expect_err("a mistake");
        assert!(expected(&error), "{mistake:?} in a large case: {error}");
    }
}

fn mismatch(error: &VerifyError) -> bool {
    matches!(error, VerifyError::Mismatch(_))
}

macro_rules! violation {
    ($kind:ident) => {
        |error: &VerifyError| matches!(error, VerifyError::Violation(Violation::$kind { .. }))
    };
}

fn swept(spec: &Sets, rule: Rule, checked: bool) -> Result<BigUint, BuildError> {
    Frontier::over(spec).checked(checked).count_under(rule)
}

/// Reported by checked sweeps, with the variable of the mistake.
#[track_caller]
fn caught(mistake: Mistake, expected: impl Fn(&Violation) -> Option<usize>) {
    for (n, deep) in [(15, None), (15, Some(11)), (60, Some(44))] {
        let spec = sets(n, mistake, deep);
        let diagram = Frontier::over(&spec).checked(true).zdd().map(|zdd| zdd.count());
        let mut results = vec![swept(&spec, Rule::AnyValue, true)];
        // Where only one value is left, `forced` says so, and `for_each_child` is not called.
        if mistake != Mistake::Adds {
            results.extend([diagram, swept(&spec, Rule::ZeroSuppressed, true)]);
        }
        for error in results.into_iter().map(|result| result.expect_err("a mistake")) {
            let BuildError::Violation(violation) = &error else { panic!("{mistake:?}: {error}") };
            let variable = expected(violation).unwrap_or_else(|| panic!("{mistake:?}: {error}"));
            assert!(deep.is_none_or(|deep| deep == variable), "{mistake:?}: {error}");
        }
    }
}

/// Returns the variable at which `for_each_child` differs from `child`.
fn children_differ(violation: &Violation) -> Option<usize> {
    match violation {
        Violation::ChildrenDiffer { variable, .. } => Some(*variable),
        _ => None,
    }
}

/// Returns the variable at which `forced` differs from `child`.
fn forced_differs(violation: &Violation) -> Option<usize> {
    match violation {
        Violation::ForcedDiffers { variable, .. } => Some(*variable),
        _ => None,
    }
}

#[test]
fn a_checked_sweep_reports_what_an_unchecked_one_counts_wrongly() {
    let right = sets(15, Mistake::None, None);
    for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
        assert_eq!(swept(&right, rule, true), Ok(1350u32.into()));
    }
    let wrong = |mistake, rule| {
        for deep in [None, Some(11)] {
            let count = swept(&sets(15, mistake, deep), rule, false).unwrap();
            assert_ne!(count, 1350u32.into(), "{mistake:?}");
        }
    };
    for mistake in [Mistake::Omits, Mistake::Adds, Mistake::LeadsElsewhere] {
        wrong(mistake, Rule::AnyValue);
        caught(mistake, children_differ);
    }
    for mistake in [Mistake::ForcedIsNot, Mistake::ForcedLeadsElsewhere, Mistake::ForcedDead] {
        wrong(mistake, Rule::ZeroSuppressed);
        caught(mistake, forced_differs);
    }
    caught(Mistake::Impure, |violation| match violation {
        Violation::Impure { variable, .. } => Some(*variable),
        other => children_differ(other),
    });
}

#[test]
fn a_debug_build_checks_a_sample_unless_told_otherwise() {
    let error = topdd::count(&sets(60, Mistake::Omits, Some(44)));
    let caught = matches!(error, Err(BuildError::Violation(_)));
    assert_eq!(caught, cfg!(debug_assertions));
}

#[test]
fn the_spec_without_a_mistake_is_verified() {
    let verified = sets(15, Mistake::None, None).verify().unwrap();
    assert!(verified.all_states() && verified.all_assignments());
    assert_eq!(verified.solutions(), &1350u32.into());
    let spec = sets(60, Mistake::None, None);
    let verified = Verification::new().states(500).run(&spec, |set| spec.right(set)).unwrap();
    assert!(!verified.all_states() && !verified.all_assignments());
    let text = verified.to_string();
    assert!(text.contains("some of each level") && text.contains("3000 drawn"), "{text}");
}

#[test]
fn a_step_back_is_reported() {
    reported(Mistake::StepBack, violation!(Backwards));
}

#[test]
fn a_step_past_the_end_is_reported() {
    reported(Mistake::StepPastTheEnd, violation!(OutOfRange));
}

#[test]
fn a_for_each_child_that_omits_a_value_is_reported() {
    reported(Mistake::Omits, violation!(ChildrenDiffer));
}

#[test]
fn a_for_each_child_that_adds_a_value_is_reported() {
    reported(Mistake::Adds, violation!(ChildrenDiffer));
}

#[test]
fn a_for_each_child_that_leads_elsewhere_is_reported() {
    reported(Mistake::LeadsElsewhere, violation!(ChildrenDiffer));
}

#[test]
fn a_for_each_child_out_of_order_is_reported() {
    reported(Mistake::OutOfOrder, violation!(ChildrenOutOfOrder));
}

#[test]
fn a_for_each_child_out_of_arity_is_reported() {
    reported(Mistake::OutOfArity, violation!(ValueOutsideArity));
}

#[test]
fn a_state_that_forgets_is_reported() {
    reported(Mistake::Forgets, mismatch);
}

#[test]
fn a_one_terminal_before_a_constraint_is_settled_is_reported() {
    reported(Mistake::OneTooEarly, mismatch);
}

#[test]
fn a_wrong_forced_value_is_reported() {
    reported(Mistake::ForcedIsNot, violation!(ForcedDiffers));
    reported(Mistake::ForcedLeadsElsewhere, violation!(ForcedDiffers));
    reported(Mistake::ForcedDead, violation!(ForcedDiffers));
}

#[test]
fn an_impure_child_is_reported() {
    // Where two calls in turn are compared one of them returns the 0-terminal.
    reported(Mistake::Impure, |error| {
        violation!(Impure)(error) || violation!(ChildrenDiffer)(error)
    });
}

#[test]
fn the_least_counterexample_and_its_states_are_printed() {
    let error = sets(6, Mistake::Forgets, None).verify().unwrap_err();
    assert_eq!(
        error.to_string(),
        "[0, 1, 0, 1, 0, 1] is a solution of `child`, the diagram and the search, but not of the \
         predicate (zero-suppressed)\n\
         root: state (false, 0) at variable 0\n\
         variable 0 = 0: state (false, 0) at variable 1\n\
         variable 1 = 1: state (true, 1) at variable 2\n\
         variable 2 = 0: state (false, 1) at variable 3\n\
         variable 3 = 1: state (true, 1) at variable 4\n\
         variable 4 = 0: state (false, 1) at variable 5\n\
         variable 5 = 1: the 1-terminal\n\
         a solution"
    );
}

/// A state with its variable. `Eq` and `Hash` see the number of members, or not: everywhere, or at
/// variable 7 only.
#[derive(Clone, Copy, Debug)]
struct Partial<const EQ: bool, const HASH: bool> {
    members: Members,
    variable: usize,
    deep: bool,
}

impl<const EQ: bool, const HASH: bool> Partial<EQ, HASH> {
    fn is_wrong(&self) -> bool {
        !self.deep || self.variable == 7
    }
}

impl<const EQ: bool, const HASH: bool> PartialEq for Partial<EQ, HASH> {
    fn eq(&self, other: &Self) -> bool {
        let ignores = !EQ && self.is_wrong();
        self.members.0 == other.members.0 && (ignores || self.members.1 == other.members.1)
    }
}

impl<const EQ: bool, const HASH: bool> Eq for Partial<EQ, HASH> {}

impl<const EQ: bool, const HASH: bool> Hash for Partial<EQ, HASH> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.members.0.hash(state);
        if HASH || !self.is_wrong() {
            self.members.1.hash(state);
        }
    }
}

struct Ignores<const EQ: bool, const HASH: bool> {
    sets: Sets,
    deep: bool,
}

impl<const EQ: bool, const HASH: bool> Ignores<EQ, HASH> {
    fn partial(&self, step: Step<Members>) -> Step<Partial<EQ, HASH>> {
        match step {
            Step::To(variable, members) => {
                Step::To(variable, Partial { members, variable, deep: self.deep })
            }
            Step::Zero => Step::Zero,
            Step::One => Step::One,
        }
    }
}

impl<const EQ: bool, const HASH: bool> DdSpec for Ignores<EQ, HASH> {
    type State = Partial<EQ, HASH>;

    fn num_vars(&self) -> usize {
        self.sets.n
    }

    fn root(&self) -> Step<Self::State> {
        self.partial(self.sets.root())
    }

    fn child(&self, state: &Self::State, variable: usize, value: usize) -> Step<Self::State> {
        self.partial(self.sets.child(&state.members, variable, value))
    }
}

fn ignores<const EQ: bool, const HASH: bool>(
    n: usize,
    deep: bool,
) -> Result<Verified, VerifyError> {
    let spec = Ignores::<EQ, HASH> { sets: sets(n, Mistake::None, None), deep };
    Verification::new().assignments(1000).states(1000).run(&spec, |set| spec.sets.right(set))
}

#[test]
fn an_eq_or_hash_that_ignores_a_field_is_reported() {
    for (n, deep) in [(9, false), (30, false), (12, true), (30, true)] {
        ignores::<true, true>(n, deep).unwrap();
        let error = ignores::<false, false>(n, deep).unwrap_err();
        assert!(violation!(EqualStatesDiffer)(&error), "{error}");
        let error = ignores::<false, true>(n, deep).unwrap_err();
        assert!(violation!(HashesDiffer)(&error), "{error}");
        let error = ignores::<true, false>(n, deep).unwrap_err();
        assert!(violation!(HashesCollide)(&error), "{error}");
    }
}

#[test]
fn sizes_that_would_not_finish_are_refused() {
    let error = sets(1_000_000, Mistake::None, None).verify().unwrap_err();
    assert!(matches!(error, VerifyError::TooLarge { .. }), "{error}");
    // As many states as subsets.
    let all =
        topdd::dp(40, 0u64).step(|set, v, value| Some(set | (value as u64) << v)).accept(|_| true);
    let error = Verification::new().states(1000).run(&all, |_| true).unwrap_err();
    assert!(matches!(error, VerifyError::TooLarge { .. }), "{error}");
}

#[test]
fn a_spec_that_skips_is_right_under_one_rule_and_the_error_says_so() {
    // Says nothing of the variables after the second member, which are 0 in a ZDD.
    struct Two;
    impl DdSpec for Two {
        type State = usize;
        fn num_vars(&self) -> usize {
            5
        }
        fn root(&self) -> Step<usize> {
            Step::To(0, 0)
        }
        fn child(&self, members: &usize, v: usize, value: usize) -> Step<usize> {
            match members + value {
                2 => Step::One,
                _ if v == 4 => Step::Zero,
                members => Step::To(v + 1, members),
            }
        }
    }
    let two = |set: &[usize]| set.iter().sum::<usize>() == 2;
    let rule = topdd::Rule::ZeroSuppressed;
    Verification::new().under(rule).run(&Two, two).unwrap();
    verify(&topdd::SpecExt::read_as(Two, rule), two).unwrap();
    let error = verify(&Two, two).unwrap_err().to_string();
    assert!(error.contains("(any value)") && error.contains("the spec skips variables"), "{error}");
}
