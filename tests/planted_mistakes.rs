//! Mistakes planted into a spec that is right: `check::verify` reports each, and a checked sweep those
//! in which `for_each_child` or `forced` disagree with `child`.

use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use topdd::check::{Verification, Verified, VerifyError, Violation};
use topdd::check::{contract, equals, same, verify};
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
    /// The state does not contain the number of members.
    Forgets,
    /// The 1-terminal while one more member may come.
    OneTooEarly,
    /// `forced` returns a value, but another value does not lead to the 0-terminal either.
    ForcedIsNot,
    /// `forced` names a step that is not that of the value.
    ForcedLeadsElsewhere,
    /// `forced` returns `Dead` for a state that has solutions.
    ForcedDead,
    /// Every call with an odd number returns the 0-terminal.
    Impure,
    /// Every hundredth call returns the 0-terminal.
    SeldomImpure,
    /// Every call but the first with the same arguments returns the 0-terminal.
    RightOnce,
}

/// Subsets of `0..n` without two consecutive members and with at most `k` members; with a mistake at
/// every variable, or at one.
struct Sets {
    n: usize,
    k: usize,
    mistake: Mistake,
    at: Option<usize>,
    calls: AtomicUsize,
    /// The arguments of all calls, if they are needed.
    arguments: Mutex<HashSet<(bool, usize, usize, usize)>>,
}

/// Whether the previous number is a member, and how many members there are.
type Members = (bool, usize);

fn sets(n: usize, mistake: Mistake, at: Option<usize>) -> Sets {
    Sets { n, k: n / 3, mistake, at, calls: AtomicUsize::new(0), arguments: Mutex::default() }
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
        let fails = |call: usize| {
            self.wrong(Mistake::Impure, v) && call % 2 == 1
                || self.wrong(Mistake::SeldomImpure, v) && call % 100 == 99
                || self.wrong(Mistake::RightOnce, v)
                    && !self.arguments.lock().unwrap().insert((last, members, v, value))
        };
        if fails(self.calls.fetch_add(1, Ordering::Relaxed)) {
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
    let smaller = Verification::new().max_assignments(1000).samples(300).max_states(400);
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
        // Where only one value is left, `forced` returns it, and `for_each_child` is not called.
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

/// Returns the variable at which `child` is impure.
fn impure(violation: &Violation) -> Option<usize> {
    match violation {
        Violation::Impure { variable, .. } => Some(*variable),
        _ => None,
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
        Violation::ForcedDiffers { variable, .. } | Violation::ForcedDead { variable, .. } => {
            Some(*variable)
        }
        _ => None,
    }
}

#[test]
fn a_checked_sweep_reports_a_mistake_that_an_unchecked_one_counts_wrongly() {
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
    caught(Mistake::Impure, impure);
}

#[test]
fn a_debug_build_checks_a_sample_by_default() {
    let error = topdd::count(&sets(60, Mistake::Omits, Some(44)));
    let caught = matches!(error, Err(BuildError::Violation(_)));
    assert_eq!(caught, cfg!(debug_assertions));
}

#[test]
fn a_debug_build_compares_merged_states_by_default() {
    for (n, deep) in [(9, false), (12, false), (30, false), (30, true)] {
        let spec = Ignores::<false, false> { sets: sets(n, Mistake::None, None), deep };
        let right = topdd::count(&spec.sets).unwrap();
        let unchecked = Frontier::over(&spec).checked(false).count().unwrap();
        assert!(unchecked != right, "{n}");
        for threads in [1, 2] {
            let counted = Frontier::over(&spec).threads(threads).count();
            let built = Frontier::over(&spec).threads(threads).zdd().map(|zdd| zdd.count());
            if !cfg!(debug_assertions) {
                assert_eq!((counted, built), (Ok(unchecked.clone()), Ok(unchecked.clone())));
                continue;
            }
            assert_eq!(counted, built);
            let text = counted.unwrap_err().to_string();
            assert!(text.contains("have different futures: value "), "{n}: {text}");
            assert!(text.contains("members: (false, "), "{n}: {text}");
        }
        assert!(Frontier::over(&spec).checked(true).count().is_err());
    }
}

#[test]
fn the_spec_without_a_mistake_is_verified() {
    let verified = sets(15, Mistake::None, None).verify().unwrap();
    assert!(verified.all_states() && verified.all_assignments());
    assert_eq!(verified.solutions(), Some(&1350u32.into()));
    let spec = sets(60, Mistake::None, None);
    let few = Verification::new().sampled().max_states(500);
    let verified = few.run(&spec, |set| spec.right(set)).unwrap();
    assert!(!verified.all_states() && !verified.all_assignments());
    let text = verified.to_string();
    assert!(text.starts_with("sampled, no difference found (zero-suppressed and"), "{text}");
    assert!(
        text.contains("some of each level") && text.contains("- 1000 uniform ones: "),
        "{text}"
    );
    assert!(!verified.all_solutions() && verified.independent_solutions() > 1000, "{text}");
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
    reported(Mistake::ForcedDead, violation!(ForcedDead));
}

#[test]
fn an_impure_child_is_reported_by_every_check() {
    reported(Mistake::Impure, violation!(Impure));
    reported(Mistake::RightOnce, violation!(Impure));
    let right = sets(12, Mistake::None, None);
    let rule = Rule::ZeroSuppressed;
    for mistake in [Mistake::Impure, Mistake::SeldomImpure] {
        let wrong = || sets(12, mistake, None);
        for message in [
            contract(&wrong(), rule, 1000).unwrap_err().to_string(),
            equals(&wrong(), rule, |set| right.right(set)).unwrap_err().to_string(),
            same(&right, &wrong(), rule).unwrap_err().to_string(),
            wrong().verify().unwrap_err().to_string(),
            swept(&wrong(), rule, true).unwrap_err().to_string(),
        ] {
            assert!(message.contains("it must be a pure function"), "{mistake:?}: {message}");
        }
    }
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
    Verification::new()
        .sampled()
        .max_assignments(1000)
        .max_states(1000)
        .run(&spec, |set| spec.sets.right(set))
}

#[test]
fn an_eq_or_hash_that_ignores_a_field_is_reported() {
    for (n, deep) in [(9, false), (30, false), (12, true), (30, true)] {
        assert!(ignores::<true, true>(n, deep).unwrap().states() > 10);
        let error = ignores::<false, false>(n, deep).unwrap_err();
        assert!(violation!(EqualStatesDiffer)(&error), "{error}");
        let error = ignores::<false, true>(n, deep).unwrap_err();
        assert!(violation!(HashesDiffer)(&error), "{error}");
        let error = ignores::<true, false>(n, deep).unwrap_err();
        assert!(violation!(HashesCollide)(&error), "{error}");
    }
}

/// Each assignment takes a step for each variable.
#[test]
fn few_assignments_to_many_variables_are_sampled() {
    let space: Vec<usize> = [vec![2; 18], vec![1; 10_000]].concat();
    let spec = topdd::constraint::exactly(space, 9);
    let right = |values: &[usize]| values.iter().sum::<usize>() == 9;
    let few = Verification::new().sampled().max_assignments(1 << 18).samples(10);
    let verified = few.run(&spec, right).unwrap();
    assert!(verified.all_states() && !verified.all_assignments());
}

#[test]
fn a_limit_on_states_is_reported_and_is_no_error() {
    // More variables than states.
    let spec = sets(5000, Mistake::None, None);
    let smaller = Verification::new().sampled().max_states(1000).samples(10);
    let text = smaller.run(&spec, |set| spec.right(set)).unwrap().to_string();
    assert!(text.contains("states: 1000, of the first levels\n"), "{text}");
    // As many states as subsets.
    let all = |n: usize, spec: bool| {
        topdd::dp(n, 0u64)
            .step(move |set, v, value| {
                (v + 1 < n || !spec || value == 0).then_some(set | (value as u64) << v)
            })
            .accept(|_| true)
    };
    let smaller = Verification::new().sampled().max_states(1000);
    let verified = smaller.run(&all(40, false), |_| true).unwrap();
    assert!(verified.solutions().is_none() && verified.assignments() > 3000);
    let text = verified.to_string();
    let line = "no diagram: more than 10 000 states (zero-suppressed), so `child` and the predicate were \
                compared; `Verification::max_states(n)` allows `10 * n` states";
    assert!(text.contains(line), "{text}");
    // Where all assignments are compared, that suffices.
    let full = Verification::new().max_states(1000).run(&all(14, false), |_| true).unwrap();
    assert!(full.all_assignments() && full.to_string().contains("no diagram"), "{full}");
    assert_eq!(full.solutions(), Some(&(1u32 << 14).into()));
    // Mistakes are found nevertheless: wrong solutions, and missing ones.
    for (n, spec, mistake) in [(40, false, true), (40, true, false), (14, true, false)] {
        let right = |set: &[usize]| !mistake || set[n - 1] == 0;
        let error = smaller.run(&all(n, spec), right).unwrap_err();
        let VerifyError::Mismatch(found) = error else { panic!("{error}") };
        assert_eq!((found.assignment()[n - 1], found.verdicts().diagram), (1, None));
        assert_eq!(found.verdicts().predicate, spec);
    }
}

#[test]
fn samples_are_an_error_unless_they_are_accepted() {
    let spec = || topdd::constraint::exactly([vec![2; 24], vec![3; 12]].concat(), 9);
    let right = |values: &[usize]| values.iter().filter(|&&value| value > 0).count() == 9;
    let error = verify(&spec(), right).unwrap_err();
    let VerifyError::SamplesOnly { compared, assignments, report } = &error else {
        panic!("{error}")
    };
    assert_eq!((*compared, assignments.as_str()), (report.assignments(), "2^24 * 3^12"));
    let (text, start) = (error.to_string(), "no difference in 66 360 of ");
    let remedy = "66 360 of 2^24 * 3^12 assignments, which proves nothing: verify a smaller size, raise \
                  `max_assignments`, or accept samples with `Verification::new().sampled()`\n";
    assert!(text.starts_with(start) && text.contains(remedy), "{text}");
    assert!(text.ends_with(&report.to_string()), "{text}");
    let sampled = Verification::new().sampled();
    assert_eq!(sampled.run(&spec(), right).as_ref(), Ok(&**report));
    // A mistake is a counterexample, with or without.
    for verification in [sampled, Verification::new()] {
        let error = verification.run(&spec(), |values| right(values) && values[0] == 0);
        assert!(mismatch(&error.unwrap_err()));
    }
    // Up to 2^22 assignments are compared.
    let [full, beyond] = [22, 23].map(|n| {
        let spec =
            topdd::dp(n, ()).step(|(), _, value| (value == 0).then_some(())).accept(|()| true);
        Verification::new().under(Rule::AnyValue).run(&spec, |set| set.iter().all(|&v| v == 0))
    });
    assert!(full.unwrap().assignments() == 1 << 22);
    assert!(matches!(beyond, Err(VerifyError::SamplesOnly { .. })));
}

/// Permutations of `n` without a falling subsequence of length 3, and without those that `planted` refuses, by place
/// and value.
fn unfalling(n: usize, planted: fn(usize, usize, usize) -> bool) -> impl DdSpec {
    // The used values; the largest value, and the largest end of a falling pair, both plus one.
    topdd::dp(n, (0u16, 0usize, 0usize))
        .arity(n)
        .step(move |&(used, largest, end), place, value| {
            let next = value + 1;
            if used >> value & 1 == 1 || next < end || planted(n, place, value) {
                return None;
            }
            let used = used | 1 << value;
            Some(if next > largest { (used, next, end) } else { (used, largest, next) })
        })
        .accept(|_| true)
}

fn is_unfalling(values: &[usize]) -> bool {
    let greater = |to: usize| (0..to).filter(move |&at| values[at] > values[to]);
    (0..values.len()).all(|i| !values[..i].contains(&values[i]))
        && (0..values.len()).all(|k| greater(k).all(|j| greater(j).next().is_none()))
}

#[test]
fn rules_that_lose_a_quarter_of_all_permutations_are_reported() {
    for (n, solutions) in [(7, 429u32), (9, 4862), (12, 208_012)] {
        assert_eq!(topdd::count(&unfalling(n, |_, _, _| false)).unwrap(), solutions.into());
        let largest_never_last = |n, place, value| place + 1 == n && value + 1 == n;
        let zero_never_first = |_, place, value| place == 0 && value == 0;
        let rules: [fn(usize, usize, usize) -> bool; 2] = [largest_never_last, zero_never_first];
        for planted in rules {
            let error = Verification::new().sampled().run(&unfalling(n, planted), is_unfalling);
            let VerifyError::Mismatch(found) = error.unwrap_err() else { panic!() };
            assert!(found.verdicts().predicate && !found.verdicts().child);
            if n == 7 {
                let error = verify(&unfalling(n, planted), is_unfalling).unwrap_err();
                assert!(mismatch(&error), "{error}");
            }
        }
    }
    assert!(verify(&unfalling(7, |_, _, _| false), is_unfalling).unwrap().all_assignments());
}

#[test]
fn the_error_of_a_spec_that_skips_names_the_rule_under_which_it_is_right() {
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
    let under = Verification::new().under(rule).run(&Two, two).unwrap();
    let read_as = verify(&topdd::SpecExt::read_as(Two, rule), two).unwrap();
    assert_eq!(under.solutions(), read_as.solutions());
    let error = verify(&Two, two).unwrap_err().to_string();
    assert!(error.contains("(any value)") && error.contains("the spec skips variables"), "{error}");
}

/// The square and triangular numbers up to `n`.
fn parts(n: usize) -> Vec<usize> {
    let is_part = |&p: &usize| (1..=p).any(|i| i * i == p || i * (i + 1) / 2 == p);
    (1..=n).filter(is_part).collect()
}

/// Ordered sums to `n` of at most `k` distinct parts, where value 0 is no more terms. The set of
/// used parts has `bits` bits.
fn sums(n: usize, k: usize, bits: usize) -> impl DdSpec {
    let parts = parts(n);
    topdd::dp(k, (0u32, 0))
        .arity(parts.len() + 1)
        .step(move |&(used, sum), _, value| {
            if value == 0 {
                return (sum == n).then_some((0, n));
            }
            let (next, bit) = (sum + parts[value - 1], 1 << (value % bits));
            let used = (used & bit == 0 && next <= n).then_some(used | bit)?;
            Some((if next == n { 0 } else { used }, next))
        })
        .accept(move |&(_, sum)| sum == n)
}

fn is_sum(n: usize, values: &[usize]) -> bool {
    let parts = parts(n);
    let terms: Vec<usize> = values.iter().take_while(|&&v| v > 0).map(|&v| parts[v - 1]).collect();
    values[terms.len()..].iter().all(|&v| v == 0)
        && terms.iter().sum::<usize>() == n
        && (0..terms.len()).all(|i| !terms[..i].contains(&terms[i]))
}

#[test]
fn a_set_of_too_few_bits_lacks_solutions_and_is_reported() {
    let sampled = Verification::new().sampled();
    let verified = sampled.run(&sums(50, 12, 32), |values| is_sum(50, values)).unwrap();
    assert!(!verified.all_assignments() && verified.all_solutions());
    assert_eq!(verified.solutions(), Some(&3_740u32.into()));
    assert!(verified.to_string().contains("- all 3740 solutions of the spec"), "{verified}");
    let wrong = sums(50, 12, 8);
    assert_eq!(topdd::count(&wrong), Ok(1502u32.into()));
    for seed in 0..2 {
        let verification = Verification::new().seed(seed);
        let error = verification.run(&wrong, |values| is_sum(50, values)).unwrap_err();
        let VerifyError::Mismatch(mismatch) = error else { panic!("{error}") };
        assert!(mismatch.verdicts().predicate && !mismatch.verdicts().child);
    }
}

/// Words over 0, 1 and 2 without 22 and 00000 in which the number of 1s is divisible by 3. At one
/// position, a 2 does not end a run of four 0s.
fn words(n: usize, wrong_at: Option<usize>) -> impl DdSpec {
    topdd::dp(n, (false, 0u8, 0u8))
        .arity(3)
        .step(move |&(two, ones, zeros), v, letter| match letter {
            0 => (zeros < 4).then_some((false, ones, zeros + 1)),
            1 => Some((false, (ones + 1) % 3, 0)),
            _ => (!two).then_some((true, ones, u8::from(wrong_at == Some(v) && zeros == 4))),
        })
        .accept(|&(_, ones, _)| ones == 0)
}

fn is_word(word: &[usize]) -> bool {
    word.windows(2).all(|two| two != [2, 2])
        && word.windows(5).all(|five| five != [0; 5])
        && word.iter().filter(|&&letter| letter == 1).count() % 3 == 0
}

#[test]
fn a_wrong_state_at_one_position_is_reported() {
    let verified = Verification::new().sampled().run(&words(24, None), is_word).unwrap();
    assert!(!verified.all_solutions() && verified.independent_solutions() > 10, "{verified}");
    // Needs four 0s at one place of one of 200 drawn solutions: 4 of 5 seeds have them on average.
    let run = |seed| Verification::new().seed(seed).run(&words(24, Some(17)), is_word);
    let is_found = |error: &VerifyError| !matches!(error, VerifyError::SamplesOnly { .. });
    let errors: Vec<_> = (0..5).filter_map(|seed| run(seed).err()).filter(is_found).collect();
    assert!(errors.len() >= 2, "{errors:?}");
    for error in errors {
        let VerifyError::Mismatch(mismatch) = error else { panic!("{error}") };
        assert!(mismatch.verdicts().predicate && !mismatch.verdicts().child);
        assert_eq!(&mismatch.assignment()[13..18], [0, 0, 0, 0, 2]);
    }
}

#[test]
fn a_wrong_solution_among_few_is_reported() {
    // 3000 solutions, of which one is wrong.
    let spec = topdd::dp(40, 0u32)
        .step(|&number, _, value| Some(number << 1 | value as u32).filter(|&n| n < 3000))
        .accept(|_| true);
    let number = |set: &[usize]| set.iter().fold(0u64, |number, &v| number << 1 | v as u64);
    let verified = Verification::new().sampled().run(&spec, |set| number(set) < 3000).unwrap();
    assert!(verified.all_solutions() && verified.independent_solutions() >= 10);
    let error = verify(&spec, |set| number(set) < 3000 && number(set) != 2777).unwrap_err();
    let VerifyError::Mismatch(mismatch) = error else { panic!("{error}") };
    assert_eq!(number(mismatch.assignment()), 2777);
}

#[test]
fn a_report_warns_that_samples_hardly_find_missing_solutions() {
    // One of 2^40 assignments is a solution.
    let spec = topdd::dp(40, ()).step(|(), _, value| (value == 1).then_some(())).accept(|()| true);
    let sampled = Verification::new().sampled();
    let verified = sampled.run(&spec, |set| set.iter().all(|&v| v == 1)).unwrap();
    assert_eq!(verified.independent_solutions(), 0);
    let text = verified.to_string();
    assert!(text.contains("missing solutions would hardly be noticed: 0 of"), "{text}");
}

#[test]
fn a_panic_of_the_spec_names_variable_value_and_state() {
    for n in [3, 40] {
        let parts = [1, 3, 4];
        let spec = topdd::dp(n, 7usize)
            .arity(5)
            .step(move |state, _, value| Some(state + parts[value]))
            .accept(|_| true);
        let error = verify(&spec, |_| true).unwrap_err();
        let VerifyError::Violation(violation) = &error else { panic!("{error}") };
        assert_eq!(contract(&spec, Rule::AnyValue, 1000), Err(violation.clone()));
        let Violation::Panicked { method, variable, value, state, message } = violation else {
            panic!("{error}")
        };
        assert_eq!((*method, *variable, *value), ("child", Some(0), Some(3)));
        assert!(state.as_ref().unwrap().contains('7') && message.contains("index is 3"), "{error}");
        assert!(error.to_string().contains("at value 3 of variable 0"), "{error}");
    }
}

#[test]
fn a_panic_of_the_root_is_an_error() {
    struct Rootless;
    impl DdSpec for Rootless {
        type State = ();
        fn num_vars(&self) -> usize {
            3
        }
        fn root(&self) -> Step<()> {
            panic!("no root")
        }
        fn child(&self, (): &(), _: usize, _: usize) -> Step<()> {
            Step::Zero
        }
    }
    let error = verify(&Rootless, |_| true).unwrap_err();
    assert_eq!(error.to_string(), "the spec panicked in `root`: no root");
    assert_eq!(VerifyError::from(contract(&Rootless, Rule::AnyValue, 9).unwrap_err()), error);
}

#[test]
fn a_panic_of_the_predicate_shows_the_assignment() {
    for n in [4, 40] {
        let spec = sets(n, Mistake::None, None);
        let error = verify(&spec, |set| set[n] == 0).unwrap_err();
        let VerifyError::PredicatePanicked { assignment, message } = &error else {
            panic!("{error}")
        };
        assert!(assignment.len() == n && message.contains("out of bounds"), "{error}");
        assert!(error.to_string().contains(&format!("of {n} values")), "{error}");
        // `main` prints an error that it returns by `Debug`.
        assert_eq!(format!("{error:?}"), error.to_string());
    }
}
