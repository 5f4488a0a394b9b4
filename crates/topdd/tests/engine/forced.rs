//! Specs with forced states.

use proptest::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;
use topdd::check::{RandomSpec, contract};
use topdd::{BuildError, CancelToken, DdSpec, Frontier, Limit, Rule, Step, Zdd};

/// A spec that reports its forced states at most of its variables.
struct Forced<S> {
    spec: S,
    /// At every `blind`-th variable it reports no forced state.
    blind: usize,
}

impl<S: DdSpec> DdSpec for Forced<S> {
    type State = S::State;
    fn num_vars(&self) -> usize {
        self.spec.num_vars()
    }
    fn arity(&self, variable: usize) -> usize {
        self.spec.arity(variable)
    }
    fn root(&self) -> Step<Self::State> {
        self.spec.root()
    }
    fn child(&self, state: &Self::State, variable: usize, value: usize) -> Step<Self::State> {
        self.spec.child(state, variable, value)
    }
    fn forced(&self, state: &Self::State, variable: usize) -> topdd::Forced<Self::State> {
        if variable.is_multiple_of(self.blind) {
            return topdd::Forced::Free;
        }
        let steps = (0..self.arity(variable)).map(|v| (v, self.child(state, variable, v)));
        let mut alive = steps.filter(|(_, step)| !step.is_zero());
        match (alive.next(), alive.next()) {
            (None, _) => topdd::Forced::Dead,
            (Some((value, step)), None) => topdd::Forced::Value(value, step),
            _ => topdd::Forced::Free,
        }
    }
}

/// `value` is forced if the condition holds.
fn only_if<S>(condition: bool, value: usize, step: Step<S>) -> topdd::Forced<S> {
    if condition { topdd::Forced::Value(value, step) } else { topdd::Forced::Free }
}

fn states<S: DdSpec>(frontier: &Frontier<'_, S>) -> u64 {
    frontier.report().states()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn forced_changes_only_the_number_of_states(
        arities in prop::collection::vec(prop_oneof![4 => Just(2usize), 1 => 1usize..4], 0..9),
        seed in any::<u64>(),
        blind in 2usize..6,
        threads in 1usize..4,
    ) {
        let plain = RandomSpec::over(arities, seed);
        let forced = Forced { spec: plain.clone(), blind };
        contract(&forced, Rule::ZeroSuppressed, 1000).unwrap();
        let mut over_plain = Frontier::over(&plain);
        let zdd = over_plain.zdd().unwrap();
        let mut frontier = Frontier::over(&forced).threads(threads);
        prop_assert_eq!(&frontier.zdd().unwrap(), &zdd);
        prop_assert!(states(&frontier) <= states(&over_plain));
        // A profile has the levels of a diagram.
        let built = states(&frontier);
        frontier.profile().unwrap();
        prop_assert_eq!(states(&frontier), built);
        // A count stores no forced state.
        prop_assert_eq!(frontier.count().unwrap(), zdd.count());
        prop_assert!(states(&frontier) <= built);
        // Under the other rule `forced` is not called.
        prop_assert_eq!(frontier.bdd().unwrap(), topdd::bdd(&plain).unwrap());
        prop_assert_eq!(frontier.count_bdd().unwrap(), topdd::count_bdd(&plain).unwrap());
        // With a limit or a checkpoint the engine follows fewer forced states.
        let dir = tempfile::tempdir().unwrap();
        let mut frontier = Frontier::over(&forced).memory_limit(1 << 24).spill_to(dir.path());
        prop_assert_eq!(&frontier.zdd().unwrap(), &zdd);
        let mut frontier = Frontier::over(&forced).checkpoint(dir.path(), "key");
        prop_assert_eq!(&frontier.zdd().unwrap(), &zdd);
        prop_assert_eq!(frontier.count().unwrap(), zdd.count());
    }
}

/// A pseudo-random transition system whose levels grow to be wide, and most of whose states
/// have one child; edges skip up to `reach` variables.
#[derive(Clone)]
struct Scatter {
    levels: usize,
    width: u64,
    reach: u64,
    seed: u64,
}

impl DdSpec for Scatter {
    type State = u64;
    fn num_vars(&self) -> usize {
        self.levels
    }
    fn arity(&self, variable: usize) -> usize {
        // Some variables have more than two values; only a count follows forced states there.
        if variable % 7 == 6 { 3 } else { 2 }
    }
    fn root(&self) -> Step<u64> {
        Step::To(0, 0)
    }
    fn child(&self, state: &u64, variable: usize, value: usize) -> Step<u64> {
        let mix = |a: u64| {
            let z = (self.seed ^ a).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z ^ (z >> 29)
        };
        let own = mix(state << 8 | variable as u64);
        // While the levels are narrow, and in half of the states then, no state is forced.
        let free = variable < 16 || own & 1 == 0;
        if !free && value as u64 != (own >> 1) % self.arity(variable) as u64 {
            return Step::Zero;
        }
        let draw = mix(own ^ value as u64);
        let skip = (draw % 4 == 0).then_some((draw >> 8) % self.reach);
        let to = variable + 1 + skip.unwrap_or(0) as usize;
        if to < self.levels { Step::To(to, draw >> 20 & (self.width - 1)) } else { Step::One }
    }
}

#[test]
fn wide_levels_with_forced_states_are_equal_for_all_threads_and_limits() {
    for (reach, blind, seed) in [(2, 100, 1), (6, 3, 2), (20, 5, 3)] {
        let plain = Scatter { levels: 34, width: 1 << 15, reach, seed };
        let zdd = topdd::zdd(&plain).unwrap();
        let count = zdd.count();
        let forced = Forced { spec: plain.clone(), blind };
        let built = |frontier: Frontier<'_, Forced<Scatter>>| -> (Zdd, u64) {
            let mut frontier = frontier;
            let zdd = frontier.zdd().unwrap();
            (zdd, states(&frontier))
        };
        let (one, met) = built(Frontier::over(&forced).threads(1));
        assert!(one == zdd, "one thread, seed {seed}");
        let mut over_plain = Frontier::over(&plain);
        over_plain.profile().unwrap();
        assert!(met < states(&over_plain), "{met} states, seed {seed}");
        for threads in [2, 5] {
            let (same, met_here) = built(Frontier::over(&forced).threads(threads));
            assert!(same == zdd, "{threads} threads, seed {seed}");
            assert_eq!(met_here, met);
            assert_eq!(Frontier::over(&forced).threads(threads).count().unwrap(), count);
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        assert!(pool.install(|| topdd::zdd(&forced).unwrap()) == zdd);
        let dir = tempfile::tempdir().unwrap();
        let limited = Frontier::over(&forced).memory_limit(6 << 20).spill_to(dir.path());
        let (same, met_here) = built(limited);
        assert!(same == zdd, "within a limit, seed {seed}");
        // Forced chains stay in memory, so under a limit all states that must take 1 are stored.
        assert!(met_here > met, "{met_here} states, not more than {met}, seed {seed}");
        let (same, met_here) = built(Frontier::over(&forced).checkpoint(dir.path(), "key"));
        assert!(same == zdd, "with a checkpoint, seed {seed}");
        assert!(met_here > met, "{met_here} states, not more than {met}, seed {seed}");
        let limited = &mut Frontier::over(&forced).memory_limit(6 << 20).spill_to(dir.path());
        assert_eq!(limited.count().unwrap(), count);
    }
}

#[test]
fn a_memory_limit_without_disk_keeps_forced_chains() {
    let forced =
        Forced { spec: Scatter { levels: 30, width: 1 << 12, reach: 6, seed: 2 }, blind: 3 };
    // The sizes of the levels, the bytes of the diagram, and the peak of memory.
    let built = |frontier: Frontier<'_, Forced<Scatter>>| {
        let mut frontier = frontier;
        let zdd = frontier.zdd().unwrap();
        let report = frontier.report();
        let levels = report.levels.iter().map(|level| (level.states, level.edges, level.merged));
        let mut bytes = Vec::new();
        zdd.write_to(&mut bytes).unwrap();
        (levels.collect::<Vec<_>>(), bytes, report.peak_bytes)
    };
    for threads in [1, 3] {
        let run = || Frontier::over(&forced).threads(threads);
        let free = built(run());
        assert!(built(run().memory_limit(1 << 40)) == free, "{threads} threads");
        let near = built(run().memory_limit(2 * free.2));
        assert!((near.0, near.1) == (free.0.clone(), free.1.clone()), "{threads} threads");
        // There are chains: with a checkpoint, their states are stored.
        let dir = tempfile::tempdir().unwrap();
        let stored = built(run().checkpoint(dir.path(), "key"));
        assert!(stored.1 == free.1 && stored.0 != free.0, "{threads} threads");
    }
}

#[test]
fn a_forced_state_before_the_1_terminal_is_a_node() {
    /// All values are 1 but the first, which may be anything.
    struct Ones;
    impl DdSpec for Ones {
        type State = ();
        fn num_vars(&self) -> usize {
            5
        }
        fn root(&self) -> Step<()> {
            Step::To(0, ())
        }
        fn child(&self, (): &(), variable: usize, value: usize) -> Step<()> {
            match (variable, value) {
                (1.., 0) => Step::Zero,
                (4, _) => Step::One,
                _ => Step::To(variable + 1, ()),
            }
        }
        fn forced(&self, state: &(), variable: usize) -> topdd::Forced<()> {
            only_if(variable > 0, 1, self.child(state, variable, 1))
        }
    }
    let zdd = topdd::zdd(&Ones).unwrap();
    assert_eq!((zdd.node_count(), zdd.count()), (5, 2u32.into()));
    let solutions: Vec<Vec<usize>> = zdd.iter().collect();
    assert_eq!(solutions, [[0, 1, 1, 1, 1], [1, 1, 1, 1, 1]]);
    assert_eq!(topdd::count(&Ones).unwrap(), 2u32.into());
}

#[test]
fn a_forced_step_backwards_is_not_followed() {
    struct Backwards;
    impl DdSpec for Backwards {
        type State = u8;
        fn num_vars(&self) -> usize {
            3
        }
        fn root(&self) -> Step<u8> {
            Step::To(0, 0)
        }
        fn child(&self, _: &u8, variable: usize, value: usize) -> Step<u8> {
            match (variable, value) {
                (2, _) => Step::One,
                (1, 0) => Step::To(0, 0),
                (_, 0) => Step::To(variable + 1, 0),
                _ => Step::Zero,
            }
        }
        fn forced(&self, state: &u8, variable: usize) -> topdd::Forced<u8> {
            only_if(variable < 2, 0, self.child(state, variable, 0))
        }
    }
    let error = Frontier::over(&Backwards).checked(false).count().unwrap_err();
    assert!(
        matches!(error, topdd::BuildError::BadStep { variable: 1, value: 0, to: 0, .. }),
        "{error}"
    );
}

#[test]
fn a_forced_value_out_of_range_is_not_followed() {
    struct TooLarge;
    impl DdSpec for TooLarge {
        type State = ();
        fn num_vars(&self) -> usize {
            2
        }
        fn root(&self) -> Step<()> {
            Step::To(0, ())
        }
        fn child(&self, (): &(), variable: usize, _: usize) -> Step<()> {
            if variable == 0 { Step::To(1, ()) } else { Step::One }
        }
        fn forced(&self, (): &(), variable: usize) -> topdd::Forced<()> {
            only_if(variable == 1, 2, Step::One)
        }
    }
    let unchecked = || Frontier::over(&TooLarge).checked(false);
    assert_eq!(unchecked().count().unwrap(), 4u32.into());
    assert_eq!(unchecked().zdd().unwrap().count(), 4u32.into());
    let violation = contract(&TooLarge, Rule::ZeroSuppressed, 10).unwrap_err().to_string();
    assert!(violation.contains("variable 1 has 2 values"), "{violation}");
}

#[test]
fn a_forced_step_to_the_0_terminal_is_found() {
    /// No state is forced, but `forced` returns value 1 with a step to `to` at variable 1.
    struct Astray {
        to: usize,
    }
    impl DdSpec for Astray {
        type State = ();
        fn num_vars(&self) -> usize {
            3
        }
        fn root(&self) -> Step<()> {
            Step::To(0, ())
        }
        fn child(&self, (): &(), variable: usize, _: usize) -> Step<()> {
            if variable == 2 { Step::One } else { Step::To(variable + 1, ()) }
        }
        fn forced(&self, (): &(), variable: usize) -> topdd::Forced<()> {
            only_if(variable == 1, 1, Step::To(self.to, ()))
        }
    }
    for to in [0, 1, 3, usize::MAX] {
        let astray = Astray { to };
        let unchecked = || Frontier::over(&astray).checked(false);
        assert_eq!(unchecked().zdd().unwrap().count(), 8u32.into());
        assert_eq!(unchecked().count().unwrap(), 8u32.into());
        contract(&astray, Rule::ZeroSuppressed, 10).unwrap_err();
    }
}

#[test]
fn a_long_chain_of_forced_states_is_followed_in_parts() {
    /// From some variable on all values are 1.
    struct AllFrom {
        n: usize,
    }
    impl DdSpec for AllFrom {
        type State = bool;
        fn num_vars(&self) -> usize {
            self.n
        }
        fn root(&self) -> Step<bool> {
            Step::To(0, false)
        }
        fn child(&self, &began: &bool, variable: usize, value: usize) -> Step<bool> {
            if began && value == 0 {
                Step::Zero
            } else if variable + 1 == self.n {
                Step::One
            } else {
                Step::To(variable + 1, value == 1)
            }
        }
        fn forced(&self, began: &bool, variable: usize) -> topdd::Forced<bool> {
            only_if(*began, 1, self.child(began, variable, 1))
        }
    }
    // Each edge follows a limited number of states. Otherwise the calls of the spec would be quadratic in n.
    let n = 20_000;
    assert_eq!(topdd::count(&AllFrom { n }).unwrap(), (n + 1).into());
    assert_eq!(topdd::zdd(&AllFrom { n }).unwrap().count(), (n + 1).into());
}

/// A spec where each value of the first variable leads to a chain of `length` forced states. Each
/// of these must take `value`. Counts the calls of `forced`, and runs `stop` in call `stop_at`.
struct Chains<F> {
    arity: usize,
    length: usize,
    value: usize,
    stop_at: usize,
    stop: F,
    calls: AtomicUsize,
}

impl<F: Fn()> Chains<F> {
    fn calls_after_stop(&self) -> usize {
        self.calls.load(Relaxed).saturating_sub(self.stop_at)
    }
}

impl<F: Fn() + Sync> DdSpec for Chains<F> {
    type State = usize;
    fn num_vars(&self) -> usize {
        self.length + 2
    }
    fn arity(&self, variable: usize) -> usize {
        if variable == 0 { self.arity } else { 2 }
    }
    fn root(&self) -> Step<usize> {
        Step::To(0, 0)
    }
    fn child(&self, chain: &usize, variable: usize, value: usize) -> Step<usize> {
        match variable {
            0 => Step::To(1, value),
            _ if variable > self.length => Step::One,
            _ if value != self.value => Step::Zero,
            _ => Step::To(variable + 1, *chain),
        }
    }
    fn forced(&self, chain: &usize, variable: usize) -> topdd::Forced<usize> {
        if self.calls.fetch_add(1, Relaxed) + 1 == self.stop_at {
            (self.stop)();
        }
        only_if(variable <= self.length, self.value, Step::To(variable + 1, *chain))
    }
}

/// The most calls of `forced` after the stop: far fewer than the whole run would make.
const FEW_CALLS: usize = 100_000;

#[test]
fn chains_of_forced_states_are_cancelled_in_the_middle() {
    // Stops in one of 1000 long chains, in one of 4 long chains, and among a million short ones.
    let cases = [(1000, 1_000_000, 300_000), (4, 1_000_000, 2_300_000), (1_000_000, 8, 500_000)];
    for (arity, length, stop_at) in cases {
        for (value, diagram) in [(0, false), (0, true), (1, false), (1, true)] {
            let token = CancelToken::new();
            let stop = || token.cancel();
            let calls = AtomicUsize::new(0);
            let chains = Chains { arity, length, value, stop_at, stop, calls };
            let mut frontier =
                Frontier::over(&chains).threads(1).checked(false).cancel_with(&token);
            let done = if diagram { frontier.zdd().map(drop) } else { frontier.count().map(drop) };
            let error = done.unwrap_err();
            assert!(matches!(error, BuildError::Cancelled { .. }), "{error}");
            let calls = chains.calls_after_stop();
            assert!(calls < FEW_CALLS, "{calls} calls, {arity} chains of {length} with {value}");
        }
    }
}

#[test]
fn chains_of_forced_states_end_at_the_time_limit() {
    let limit = Duration::from_millis(400);
    let stop = || thread::sleep(limit);
    let calls = AtomicUsize::new(0);
    let chains = Chains { arity: 1000, length: 1_000_000, value: 0, stop_at: 300_000, stop, calls };
    let mut frontier = Frontier::over(&chains).threads(1).checked(false).time_limit(limit);
    let error = frontier.count().unwrap_err();
    assert!(matches!(error, BuildError::LimitReached { limit: Limit::Time(_), .. }), "{error}");
    assert!(chains.calls_after_stop() < FEW_CALLS, "{} calls", chains.calls_after_stop());
}

/// One state with very many values, most of which lead to the 0-terminal.
struct Wide {
    visited: AtomicUsize,
    token: CancelToken,
}

impl DdSpec for Wide {
    type State = ();
    fn num_vars(&self) -> usize {
        1
    }
    fn arity(&self, _: usize) -> usize {
        10_000_000
    }
    fn root(&self) -> Step<()> {
        Step::To(0, ())
    }
    fn child(&self, (): &(), _: usize, value: usize) -> Step<()> {
        if self.visited.fetch_add(1, Relaxed) == 20_000 {
            self.token.cancel();
        }
        if value.is_multiple_of(3) { Step::One } else { Step::Zero }
    }
}

#[test]
fn a_state_with_ten_million_values_is_cancelled_in_the_middle() {
    let token = CancelToken::new();
    let spec = Wide { visited: AtomicUsize::new(0), token: token.clone() };
    let error = Frontier::over(&spec).cancel_with(&token).count().unwrap_err();
    assert!(matches!(error, BuildError::Cancelled { variable: Some(0) }), "{error}");
}
