//! Alike variables: the results are the same without them, and wrong ones are found.

use proptest::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use topdd::check::{self, Violation};
use topdd::spec::{ArraySpec, Automaton, Unrolled};
use topdd::{
    BigUint, BuildError, CancelToken, DdSpec, Forced, Frontier, Rule, SpecExt, Step, constraint,
};

/// A pseudo-random transition system that repeats itself after some variables. Edges skip variables, states may be
/// forced, and some have no solution.
#[derive(Clone, Debug)]
struct Periodic {
    levels: usize,
    period: usize,
    width: u64,
    seed: u64,
    /// Out of 32 states, so many are forced.
    forced: u64,
    /// The greatest distance to a child.
    reach: usize,
    /// Whether it says which variables are alike.
    tells: bool,
    /// The number of values of the second variable of a period.
    wide: usize,
    /// A variable that is not as it says, if there is one.
    odd: Option<usize>,
}

impl Periodic {
    fn draw(&self, state: u64, variable: usize, value: usize) -> u64 {
        let odd = u64::from(self.odd == Some(variable));
        let key = (variable % self.period) as u64 * 64 + value as u64 * 2 + odd;
        let mut z = (self.seed ^ state.rotate_left(32) ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z ^ (z >> 29)
    }

    /// The only value of a state, if it is forced.
    fn only(&self, state: u64, variable: usize) -> Option<usize> {
        let draw = self.draw(state, variable, 31);
        (draw % 32 < self.forced).then_some((draw >> 8) as usize % self.arity(variable))
    }
}

impl DdSpec for Periodic {
    type State = u64;
    fn num_vars(&self) -> usize {
        self.levels
    }
    fn arity(&self, variable: usize) -> usize {
        if variable % self.period == 1 { self.wide } else { 2 }
    }
    fn root(&self) -> Step<u64> {
        Step::To(0, 0)
    }
    fn child(&self, &state: &u64, variable: usize, value: usize) -> Step<u64> {
        if self.only(state, variable).is_some_and(|only| only != value) {
            return Step::Zero;
        }
        let draw = self.draw(state, variable, value);
        let to = variable
            + if draw.is_multiple_of(4) { 1 + (draw >> 8) as usize % self.reach } else { 1 };
        match draw >> 16 & 15 {
            0 => Step::Zero,
            1 if (draw >> 40).is_multiple_of(8) => Step::One,
            _ if to >= self.levels => Step::One,
            _ => Step::To(to, draw >> 20 & (self.width - 1)),
        }
    }
    fn forced(&self, state: &u64, variable: usize) -> Forced<u64> {
        match self.only(*state, variable) {
            None => Forced::Free,
            Some(value) => Forced::to(value, self.child(state, variable, value)),
        }
    }
    fn like(&self, variable: usize) -> Option<usize> {
        let is_like = self.tells && variable >= self.period && variable + self.reach < self.levels;
        is_like.then(|| variable - self.period)
    }
}

fn periodic() -> impl Strategy<Value = Periodic> {
    let shape = (1usize..150, 1usize..6, 0u32..7);
    let forced = prop_oneof![0u64..20, Just(31)];
    let steps =
        (forced, prop_oneof![1usize..4, Just(20), Just(90)], prop_oneof![Just(3usize), Just(11)]);
    (shape, any::<u64>(), steps).prop_map(
        |((levels, period, bits), seed, (forced, reach, wide))| {
            let width = 1 << bits;
            Periodic { levels, period, width, seed, forced, reach, tells: true, wide, odd: None }
        },
    )
}

/// A sweep that is not checked: a check looks at all levels, so a checked sweep does not use that variables are alike.
fn plain(spec: &Periodic) -> Frontier<'_, Periodic> {
    Frontier::over(spec).threads(1).checked(false)
}

/// The states, the edges and the merged edges of each level.
fn levels<S: DdSpec>(frontier: &Frontier<'_, S>) -> Vec<(usize, u64, u64, u64)> {
    let levels = frontier.report().levels.iter();
    levels.map(|level| (level.variable, level.states, level.edges, level.merged)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn results_are_the_same_as_without_alike_variables(spec in periodic(), threads in 1usize..3) {
        let silent = Periodic { tells: false, ..spec.clone() };
        let (mut with, mut without) = (plain(&spec), plain(&silent));
        let [count, expected] = [&mut with, &mut without].map(|of| of.count().unwrap());
        prop_assert_eq!(count, expected.clone());
        prop_assert_eq!(levels(&with), levels(&without));
        prop_assert_eq!(plain(&spec).threads(4).count().unwrap(), expected.clone());
        for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
            let count = plain(&silent).count_under(rule).unwrap();
            prop_assert_eq!(plain(&spec).threads(threads).count_under(rule).unwrap(), count.clone());
            for modulus in [1, 2, 7, 1_000_000_007, (1 << 61) - 1, u64::MAX] {
                let mut without = plain(&silent);
                let residue = without.count_modulo_under(rule, modulus).unwrap();
                prop_assert_eq!(&count % modulus, residue.into());
                let mut with = plain(&spec);
                prop_assert_eq!(with.count_modulo_under(rule, modulus).unwrap(), residue);
                prop_assert_eq!(levels(&with), levels(&without));
            }
            let states = |of| plain(of).profile_under(rule).unwrap().states();
            prop_assert_eq!(states(&spec), states(&silent));
        }
        let (mut with, mut without) = (plain(&spec).threads(threads), plain(&silent));
        let zdd = with.zdd().unwrap();
        prop_assert!(zdd == without.zdd().unwrap());
        prop_assert_eq!(levels(&with), levels(&without));
        prop_assert_eq!(zdd.count(), expected);
        let bdd = plain(&spec).bdd().unwrap();
        prop_assert!(bdd == plain(&silent).bdd().unwrap());
        let boxed = Frontier::of_boxed(spec.clone().boxed()).threads(1).checked(false).zdd().unwrap();
        prop_assert!(boxed == zdd);
    }

    /// Small limits end the sweep over classes in the middle; each level is reported once.
    #[test]
    fn limits_change_no_result(spec in periodic(), limit in 1usize << 14..1 << 20) {
        let expected = plain(&spec).zdd().unwrap();
        let mut told = Vec::new();
        let frontier = plain(&spec).memory_limit(limit);
        let built = frontier.on_level(|level| told.push(level.variable)).zdd();
        match built {
            Ok(zdd) => {
                prop_assert!(zdd == expected);
                prop_assert!(told.is_sorted_by(|a, b| a < b));
            }
            Err(error) => prop_assert!(matches!(error, BuildError::LimitReached { .. }), "{error}"),
        }
        let dir = tempfile::tempdir().unwrap();
        let silent = Periodic { tells: false, ..spec.clone() };
        let [with, without] = [&spec, &silent]
            .map(|spec| plain(spec).memory_limit(limit).spill_to(dir.path()).count());
        prop_assert_eq!(with.ok(), without.ok());
    }

    /// A variable that differs from the ones that it is said to be like.
    #[test]
    fn variables_that_are_not_alike_are_found(spec in periodic(), at in any::<prop::sample::Index>()) {
        let odd = at.index(spec.levels);
        let wrong = Periodic { odd: Some(odd), ..spec };
        prop_assume!(wrong.like(odd).is_some());
        // The first state of a level may have the same steps by chance.
        if let Err(error) = check::contract(&wrong, Rule::ZeroSuppressed, 1000) {
            prop_assert!(matches!(error, Violation::NotAlike { .. }), "{error}");
        }
    }
}

/// A sum modulo 3 of products of values with their variables, which says that these are alike.
#[derive(Clone)]
struct Wrong;

impl DdSpec for Wrong {
    type State = usize;
    fn num_vars(&self) -> usize {
        40
    }
    fn root(&self) -> Step<usize> {
        Step::To(0, 0)
    }
    fn child(&self, &sum: &usize, variable: usize, value: usize) -> Step<usize> {
        let sum = (sum + value * variable) % 3;
        if variable + 1 == 40 { Step::One } else { Step::To(variable + 1, sum) }
    }
    fn like(&self, variable: usize) -> Option<usize> {
        variable.checked_sub(1).filter(|_| variable < 39)
    }
}

/// The same as an automaton and as an array spec.
impl Automaton for Wrong {
    type State = usize;
    fn num_vars(&self) -> usize {
        40
    }
    fn start(&self) -> usize {
        0
    }
    fn next(&self, sum: &usize, variable: usize, value: usize) -> Option<usize> {
        Some((sum + value * variable) % 3)
    }
    fn accepts(&self, sum: &usize) -> bool {
        *sum == 0
    }
    fn like(&self, variable: usize) -> Option<usize> {
        variable.checked_sub(1)
    }
}

impl ArraySpec for Wrong {
    type Head = u64;
    type Item = u8;
    fn num_vars(&self) -> usize {
        40
    }
    fn len(&self, _: usize) -> usize {
        0
    }
    fn root(&self, _: &mut u64, _: &mut [u8]) -> Step<()> {
        Step::To(0, ())
    }
    fn child(&self, sum: &mut u64, _: &mut [u8], variable: usize, value: usize) -> Step<()> {
        *sum = (*sum + (value * variable) as u64) % 3;
        if variable + 1 == 40 { Step::One } else { Step::To(variable + 1, ()) }
    }
    fn like(&self, variable: usize) -> Option<usize> {
        variable.checked_sub(1).filter(|_| variable < 39)
    }
}

/// Sums modulo 2 that are 0, over alike variables.
fn even() -> impl DdSpec<State = usize> + Clone {
    topdd::dp(40, 0).step_alike(|&sum, value| Some((sum + value) % 2)).accept(|&sum| sum == 0)
}

#[test]
fn a_wrong_like_is_named() {
    let error = check::contract(&Wrong, Rule::AnyValue, 1000).unwrap_err().to_string();
    assert!(error.contains("`like` says that variable 1 is like variable 0"), "{error}");
    let error = Frontier::over(&Wrong).checked(true).count().unwrap_err().to_string();
    assert!(error.contains("`like` says that variable 1 is like variable 0"), "{error}");
}

#[test]
fn a_wrong_like_is_found_through_each_kind_of_spec() {
    let wrong = || SpecExt::boxed(Wrong);
    let kinds = [
        ("boxed", wrong()),
        ("automaton", SpecExt::boxed(Unrolled(Wrong))),
        ("array", ArraySpec::boxed(Wrong)),
        ("constraint", constraint::automaton(40, Wrong).boxed()),
        ("and", Wrong.and(even()).boxed()),
        ("or", even().or(Wrong).boxed()),
        ("and not", even().and_not(Wrong).boxed()),
        ("xor", Wrong.xor(even()).boxed()),
        ("not", Wrong.not().boxed()),
        ("all", topdd::all([even().boxed(), wrong()]).boxed()),
        ("any", topdd::any([wrong(), even().boxed()]).boxed()),
    ];
    for (name, spec) in kinds {
        let rule = Rule::ZeroSuppressed;
        let error = check::contract(&spec, rule, 1000).unwrap_err();
        assert!(matches!(error, Violation::NotAlike { .. }), "{name}: {error}");
        let error = Frontier::over(&spec).checked(true).count().unwrap_err();
        let BuildError::Violation(violation) = &error else { panic!("{name}: {error}") };
        assert!(matches!(**violation, Violation::NotAlike { .. }), "{name}: {error}");
    }
}

/// Hides which variables are alike.
struct Silent<S>(S);

impl<S: DdSpec> DdSpec for Silent<S> {
    type State = S::State;
    fn num_vars(&self) -> usize {
        self.0.num_vars()
    }
    fn arity(&self, variable: usize) -> usize {
        self.0.arity(variable)
    }
    fn root(&self) -> Step<S::State> {
        self.0.root()
    }
    fn root_under(&self, rule: Rule) -> Step<S::State> {
        self.0.root_under(rule)
    }
    fn child(&self, state: &S::State, variable: usize, value: usize) -> Step<S::State> {
        self.0.child(state, variable, value)
    }
    fn forced(&self, state: &S::State, variable: usize) -> Forced<S::State> {
        self.0.forced(state, variable)
    }
}

#[test]
fn combinations_and_constraints_of_alike_variables_have_the_same_results() {
    let thirds = || {
        topdd::dp(40, 0).step_alike(|&sum, value| Some((sum + value) % 3)).accept(|&sum| sum == 1)
    };
    let window = || constraint::window(40, 4, 1..=2);
    let periodic = Periodic {
        levels: 40,
        period: 2,
        width: 8,
        seed: 3,
        forced: 4,
        reach: 3,
        tells: true,
        wide: 3,
        odd: None,
    };
    let binary = Periodic { period: 1, ..periodic };
    let specs = [
        (2, thirds().and(even()).boxed()),
        (20, window().or(thirds()).boxed()),
        (20, thirds().xor(constraint::least_distance(40, 3)).boxed()),
        (20, even().and_not(constraint::longest_run(40, 5)).boxed()),
        (2, thirds().not().boxed()),
        (20, topdd::all([thirds().boxed(), window().boxed(), even().boxed()]).boxed()),
        (20, topdd::any([constraint::sum_modulo(40, 5, 1).boxed(), window().boxed()]).boxed()),
        (2, constraint::precedence([3; 40], [0, 1, 2]).boxed()),
        (20, binary.clone().and(window()).boxed()),
        (20, binary.clone().not().boxed()),
        (20, binary.or(even()).boxed()),
    ];
    for (index, (variable, spec)) in specs.iter().enumerate() {
        assert!(spec.like(*variable).is_some(), "{index}");
        let silent = Silent(spec);
        for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
            check::contract(spec, rule, 2000).unwrap();
            let count = Frontier::over(spec).threads(1).checked(false).count_under(rule).unwrap();
            let expected = Frontier::over(&silent).threads(1).checked(false).count_under(rule);
            assert_eq!(count, expected.unwrap(), "{index} {rule}");
        }
        let zdd = Frontier::over(spec).threads(1).checked(false).zdd().unwrap();
        assert!(zdd == Frontier::over(&silent).threads(1).checked(false).zdd().unwrap(), "{index}");
    }
}

/// A `dp` of many variables with small counts and with counts of several words, beside the loop over its table.
#[test]
fn alike_closures_count_as_a_loop_over_their_table() {
    const STATES: usize = 100;
    let table = |state: usize, value: usize| (state * state + 31 * value + 1) % STATES;
    let spec = |n| {
        topdd::dp(n, 0)
            .step_alike(move |&state, value| Some(table(state, value)))
            .accept(|state| state % 3 == 0)
    };
    for n in [0, 1, 2, 70, 500] {
        let mut counts = vec![BigUint::ZERO; STATES];
        counts[0] += 1u32;
        for _ in 0..n {
            let mut next = vec![BigUint::ZERO; STATES];
            for (state, count) in counts.iter().enumerate() {
                (0..2).for_each(|value| next[table(state, value)] += count);
            }
            counts = next;
        }
        let expected: BigUint = counts.iter().step_by(3).sum();
        for threads in 1..4 {
            let spec = spec(n);
            let mut frontier = Frontier::over(&spec).threads(threads).checked(false);
            assert_eq!(frontier.count().unwrap(), expected);
            assert_eq!(frontier.count_bdd().unwrap(), expected);
            for modulus in [97, 1_000_000_007, u64::MAX - 58] {
                assert_eq!(
                    BigUint::from(frontier.count_modulo(modulus).unwrap()),
                    &expected % modulus
                );
            }
        }
    }
}

/// Words are read in batches, the last of which is beyond the states.
#[test]
fn large_levels_of_alike_variables_are_counted() {
    const STATES: usize = (1 << 15) + 1;
    let spec = topdd::dp(40, 0usize)
        .step_alike(|&state, value| Some((2 * state + value) % STATES))
        .accept(|_| true);
    for threads in 1..4 {
        let mut frontier = Frontier::over(&spec).threads(threads).checked(false);
        assert_eq!(frontier.count().unwrap(), (1u64 << 40).into());
        assert_eq!(frontier.count_modulo(1_000_000_007).unwrap(), (1 << 40) % 1_000_000_007);
        assert_eq!(frontier.report().widest().unwrap().states, STATES as u64);
    }
    // The states of a level are expanded in several groups, and get the same numbers.
    let spec = topdd::dp(20, 0usize)
        .step_alike(|&state, value| Some((2 * state + value) % STATES))
        .accept(|&state| state % 3 == 1);
    let built = |threads| Frontier::over(&spec).threads(threads).checked(false).zdd().unwrap();
    let one = built(1);
    assert!((2..4).all(|threads| built(threads) == one));
}

/// Sums modulo a number, with the variable if reuse is rare, over variables that are said to be alike. Counts the calls of
/// `child`.
struct Counted {
    levels: usize,
    states: u64,
    is_reuse_rare: bool,
    tells: bool,
    calls: AtomicU64,
}

impl DdSpec for Counted {
    type State = (u64, usize);

    fn num_vars(&self) -> usize {
        self.levels
    }

    fn root(&self) -> Step<Self::State> {
        Step::To(0, (1, 0))
    }

    fn child(&self, &(sum, at): &Self::State, variable: usize, value: usize) -> Step<Self::State> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let sum = (2 * sum + value as u64) % self.states;
        match variable + 1 {
            end if end == self.levels => Step::One,
            _ if sum % 5 == 4 => Step::Zero,
            to => Step::To(to, (sum, if self.is_reuse_rare { at + 1 } else { 0 })),
        }
    }

    fn like(&self, variable: usize) -> Option<usize> {
        (self.tells && (1..self.levels - 1).contains(&variable)).then(|| variable - 1)
    }
}

#[test]
fn a_sweep_that_leaves_alike_variables_goes_on_where_it_is() {
    let of_limits = [(true, None), (true, Some(1 << 21)), (false, Some(1 << 20))];
    for ((is_reuse_rare, limit), threads) in
        of_limits.into_iter().flat_map(|of| [(of, 1), (of, 2), (of, 4)])
    {
        let spec = |tells| Counted {
            levels: 300,
            states: 3001,
            is_reuse_rare,
            tells,
            calls: AtomicU64::new(0),
        };
        let (telling, silent) = (spec(true), spec(false));
        let frontier = |spec| {
            let frontier = Frontier::over(spec).threads(threads).checked(false);
            match limit {
                Some(limit) => frontier.memory_limit(limit),
                None => frontier,
            }
        };
        let (mut with, mut without) = (frontier(&telling), frontier(&silent));
        assert_eq!(with.count().unwrap(), without.count().unwrap());
        assert_eq!(levels(&with), levels(&without));
        let calls = |spec: &Counted| spec.calls.swap(0, Ordering::Relaxed);
        let (calls_with, calls_without) = (calls(&telling), calls(&silent));
        assert!(
            calls_with <= calls_without,
            "{is_reuse_rare}, {limit:?}: {calls_with} {calls_without}"
        );
        assert_eq!(
            frontier(&telling).count_modulo(97).unwrap(),
            frontier(&silent).count_modulo(97).unwrap()
        );
        if limit.is_none() {
            let (zdd, expected) =
                (frontier(&telling).zdd().unwrap(), frontier(&silent).zdd().unwrap());
            assert!(zdd == expected);
        }
    }
}

#[test]
fn the_memory_of_a_count_does_not_grow_with_the_number_of_alike_variables() {
    let peak = |n| {
        let spec = topdd::dp(n, 0u32)
            .step_alike(|&state, value| Some((state * 2 + value as u32) % 64))
            .accept(|_| true);
        let mut frontier = Frontier::over(&spec).threads(1).checked(false);
        frontier.count_modulo(1_000_000_007).unwrap();
        frontier.report().peak_bytes
    };
    assert_eq!(peak(10_000), peak(1000));
}

#[test]
fn runs_over_alike_variables_report_levels_and_stop_when_cancelled() {
    let token = CancelToken::new();
    let spec = topdd::dp(100_000, 0)
        .step_alike(|&sum, value| Some((sum + value) % 7))
        .accept(|&sum| sum == 0);
    let mut levels = 0;
    let mut frontier =
        Frontier::over(&spec).threads(1).checked(false).cancel_with(&token).on_level(|level| {
            levels = level.variable;
            if levels == 1000 {
                token.cancel();
            }
        });
    let error = frontier.count_modulo(13).unwrap_err();
    assert!(matches!(error, BuildError::Cancelled { variable: Some(1001) }), "{error}");
    drop(frontier);
    assert_eq!(levels, 1000);
    let mut frontier =
        Frontier::over(&spec).threads(1).checked(false).time_limit(std::time::Duration::ZERO);
    assert!(matches!(frontier.count_modulo(13), Err(BuildError::LimitReached { .. })));
}
