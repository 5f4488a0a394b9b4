//! Faults seen in existing packages. topdd returns a right result or a clear error for each.

use num_bigint::BigUint;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use topdd::{BuildError, CancelToken, DdSpec, Frontier, Limit, QueryError, Rule, SpecExt, Step};

/// A spec made of closures, to break one rule of the contract at a time. One type for all of them, so
/// that the engine is compiled for it once.
struct Custom {
    arities: Vec<usize>,
    root: Step<u32>,
    child: Box<dyn Fn(u32, usize, usize) -> Step<u32> + Sync>,
}

/// A spec over variables of these arities, with this root and these children.
fn custom(
    arities: Vec<usize>,
    root: Step<u32>,
    child: impl Fn(u32, usize, usize) -> Step<u32> + Sync + 'static,
) -> Custom {
    Custom { arities, root, child: Box::new(child) }
}

impl DdSpec for Custom {
    type State = u32;
    fn num_vars(&self) -> usize {
        self.arities.len()
    }
    fn arity(&self, variable: usize) -> usize {
        self.arities[variable]
    }
    fn root(&self) -> Step<u32> {
        self.root
    }
    fn child(&self, state: &u32, variable: usize, value: usize) -> Step<u32> {
        (self.child)(*state, variable, value)
    }
    fn describe(&self, state: &u32) -> String {
        format!("number {state}")
    }
}

/// All subsets of `0..n` with at most `k` members.
struct AtMost {
    n: usize,
    k: usize,
}

impl DdSpec for AtMost {
    type State = usize;
    fn num_vars(&self) -> usize {
        self.n
    }
    fn root(&self) -> Step<usize> {
        if self.n == 0 { Step::One } else { Step::To(0, 0) }
    }
    fn child(&self, members: &usize, variable: usize, value: usize) -> Step<usize> {
        let members = members + value;
        if members > self.k {
            Step::Zero
        } else if variable + 1 == self.n {
            Step::One
        } else {
            Step::To(variable + 1, members)
        }
    }
}

/// Everything, over variables of the given arities, visited one by one.
fn everything(arities: Vec<usize>) -> Custom {
    let last = arities.len().wrapping_sub(1);
    let root = if arities.is_empty() { Step::One } else { Step::To(0, 0) };
    custom(arities, root, move |_, v, _| if v == last { Step::One } else { Step::To(v + 1, 0) })
}

/// Everything, over variables of the given arities, in one step that skips them all.
fn skipping(arities: Vec<usize>) -> Custom {
    custom(arities, Step::One, move |_, _, _| unreachable!("there are no states"))
}

fn binomial_sum(n: usize, k: usize) -> BigUint {
    let mut term = BigUint::from(1u32);
    let mut sum = term.clone();
    for i in 0..k.min(n) {
        term = term * (n - i) / (i + 1);
        sum += &term;
    }
    sum
}

// ---- Specs

#[test]
fn a_step_to_the_same_an_earlier_or_no_variable_is_an_error_that_names_it() {
    // To its own variable, to an earlier one, beyond the last, far beyond it.
    for to in [2, 1, 0, 5, usize::MAX] {
        let spec = custom(vec![3; 5], Step::To(0, 40), move |s, v, value| match (v, value) {
            (2, 1) => Step::To(to, 0),
            _ if v == 4 => Step::One,
            _ => Step::To(v + 1, s + 1),
        });
        let expected = BuildError::BadStep {
            variable: 2,
            value: 1,
            to,
            num_vars: 5,
            state: "number 42".into(),
        };
        assert_eq!(topdd::zdd(&spec).unwrap_err(), expected);
        assert_eq!(topdd::bdd(&spec).unwrap_err(), expected);
        assert_eq!(topdd::count(&spec).unwrap_err(), expected);
        assert_eq!(topdd::count_bdd(&spec).unwrap_err(), expected);
        assert_eq!(Frontier::over(&spec).profile().unwrap_err(), expected);
        let message = expected.to_string();
        for part in ["value 1", "variable 2", "number 42", &to.to_string()] {
            assert!(message.contains(part), "{message}");
        }
    }
}

#[test]
fn a_root_beyond_the_last_variable_is_an_error() {
    for (num_vars, to) in [(0, 0), (3, 3), (3, 9)] {
        let spec = custom(vec![2; num_vars], Step::To(to, 7), move |_, _, _| Step::One);
        let error = topdd::zdd(&spec).unwrap_err();
        assert_eq!(error, BuildError::RootBeyondLast { to, num_vars, state: "number 7".into() });
    }
}

#[test]
fn an_arity_of_zero_is_an_error() {
    let error = topdd::zdd(&everything(vec![2, 0, 2])).unwrap_err();
    assert!(matches!(error, BuildError::BadArity { variable: 1, arity: 0, .. }), "{error}");
}

#[test]
fn for_each_child_with_values_out_of_order_or_range_is_an_error() {
    struct Visits(&'static [usize]);
    impl DdSpec for Visits {
        type State = ();
        fn num_vars(&self) -> usize {
            1
        }
        fn arity(&self, _: usize) -> usize {
            3
        }
        fn root(&self) -> Step<()> {
            Step::To(0, ())
        }
        fn child(&self, (): &(), _: usize, _: usize) -> Step<()> {
            Step::One
        }
        fn for_each_child<B>(
            &self,
            (): &(),
            _: usize,
            mut visit: impl FnMut(usize, Step<()>) -> ControlFlow<B>,
        ) -> ControlFlow<B> {
            self.0.iter().try_for_each(|&value| visit(value, Step::One))
        }
    }
    for (visits, value, previous) in [
        (&[3][..], 3, None),
        (&[0, 1, 2, 3], 3, None),
        (&[1, 0], 0, Some(1)),
        (&[2, 2], 2, Some(2)),
        (&[usize::MAX], usize::MAX, None),
    ] {
        match topdd::zdd(&Visits(visits)).unwrap_err() {
            BuildError::BadValue { variable: 0, value: v, previous: p, arity: 3, .. } => {
                assert_eq!((v, p), (value, previous));
            }
            other => panic!("{other}"),
        }
    }
    let some = Visits(&[0, 2]);
    assert_eq!(Frontier::over(&some).checked(false).count().unwrap(), 2u32.into());
}

#[test]
fn states_that_own_memory_merge() {
    /// The subsets of 10 of 20; the length of a string is the number of members so far.
    struct Strings;
    impl DdSpec for Strings {
        type State = String;
        fn num_vars(&self) -> usize {
            20
        }
        fn root(&self) -> Step<String> {
            Step::To(0, String::new())
        }
        fn child(&self, tally: &String, v: usize, value: usize) -> Step<String> {
            let tally = if value == 1 { format!("{tally}|") } else { tally.clone() };
            match (v, tally.len()) {
                (19, 10) => Step::One,
                (0..19, 0..=10) => Step::To(v + 1, tally),
                _ => Step::Zero,
            }
        }
    }
    let mut frontier = Frontier::over(&Strings);
    let zdd = frontier.zdd().unwrap();
    assert_eq!(zdd.count(), 184_756u32.into());
    assert_eq!(zdd.node_count(), 110);
    assert_eq!(frontier.report().states(), (1..=10).sum::<u64>() + 11 * 10);
}

/// States that count their live instances, so that leaks are found.
static LIVE: AtomicUsize = AtomicUsize::new(0);

#[derive(Debug, PartialEq, Eq, Hash)]
struct Tracked(u32);

impl Tracked {
    fn new(n: u32) -> Self {
        LIVE.fetch_add(1, Ordering::SeqCst);
        Tracked(n)
    }
}

impl Clone for Tracked {
    fn clone(&self) -> Self {
        Tracked::new(self.0)
    }
}

impl Drop for Tracked {
    fn drop(&mut self) {
        LIVE.fetch_sub(1, Ordering::SeqCst);
    }
}

struct Leaky {
    panic_at: usize,
    step_back_at: usize,
}

impl DdSpec for Leaky {
    type State = Tracked;
    fn num_vars(&self) -> usize {
        30
    }
    fn root(&self) -> Step<Tracked> {
        Step::To(0, Tracked::new(0))
    }
    fn child(&self, state: &Tracked, v: usize, value: usize) -> Step<Tracked> {
        assert!(v != self.panic_at, "the spec gave up");
        if v == self.step_back_at {
            Step::To(0, Tracked::new(0))
        } else if v == 29 {
            Step::One
        } else {
            let far = usize::from(state.0 % 3 == 1 && v < 20) * 5;
            Step::To(v + 1 + far, Tracked::new((state.0 * 2 + value as u32) % 97))
        }
    }
}

#[test]
fn nothing_is_leaked_by_a_finished_run_an_error_or_a_panic() {
    let fine = Leaky { panic_at: 99, step_back_at: 99 };
    topdd::zdd(&fine).unwrap();
    topdd::count(&fine).unwrap();
    Frontier::over(&fine).max_states(300).zdd().unwrap_err();
    topdd::zdd(&Leaky { panic_at: 99, step_back_at: 17 }).unwrap_err();
    let panicking = Leaky { panic_at: 17, step_back_at: 99 };
    let error = topdd::zdd(&panicking).unwrap_err();
    let BuildError::SpecPanicked { variable: 17, value: Some(0), message, .. } = &error else {
        panic!("{error}")
    };
    assert_eq!(message, "the spec gave up");
    assert_eq!(LIVE.load(Ordering::SeqCst), 0);
}

/// `forced` is called for a state before that is stored, so the state is none of those being expanded.
struct PanicsInForced;

impl DdSpec for PanicsInForced {
    type State = usize;
    fn num_vars(&self) -> usize {
        9
    }
    fn root(&self) -> Step<usize> {
        Step::To(0, 70)
    }
    fn child(&self, &state: &usize, v: usize, value: usize) -> Step<usize> {
        if v == 8 { Step::One } else { Step::To(v + 1, state + value) }
    }
    fn forced(&self, &state: &usize, v: usize) -> topdd::Forced<usize> {
        match (v, state) {
            (5, 73) => topdd::Forced::Value(1, Step::To(6, 80)),
            (6, 80) => panic!("no rule for 80"),
            _ => topdd::Forced::Free,
        }
    }
}

#[test]
fn a_panic_of_forced_is_reported_with_the_state_that_it_was_called_for() {
    for error in [
        topdd::count(&PanicsInForced).unwrap_err(),
        Frontier::over(&PanicsInForced).checked(false).zdd().unwrap_err(),
    ] {
        let BuildError::SpecPanicked { variable: 6, value: None, state, message } = &error else {
            panic!("{error}")
        };
        assert_eq!((&**state, &**message), ("80", "no rule for 80"));
    }
}

#[test]
fn specs_without_variables_and_terminal_roots_have_their_defined_counts() {
    for num_vars in [0usize, 1, 7] {
        for (root, zdd_count, bdd_count) in
            [(Step::Zero, 0u64, 0), (Step::One, 1, 3u64.pow(num_vars as u32))]
        {
            let spec = custom(vec![3; num_vars], root, move |_, _, _| Step::Zero);
            let zdd = topdd::zdd(&spec).unwrap();
            let bdd = topdd::bdd(&spec).unwrap();
            assert_eq!(zdd.count(), zdd_count.into());
            assert_eq!(bdd.count(), bdd_count.into());
            assert_eq!(topdd::count(&spec).unwrap(), zdd_count.into());
            assert_eq!(topdd::count_bdd(&spec).unwrap(), bdd_count.into());
            assert_eq!(zdd.iter().count() as u64, zdd_count);
            assert_eq!(bdd.iter().count() as u64, bdd_count);
            assert_eq!((zdd.node_count(), bdd.node_count()), (0, 0));
            assert_eq!(zdd.to_bdd().unwrap().count(), zdd_count.into());
            assert_eq!(bdd.to_zdd().unwrap().count(), bdd_count.into());
            assert!(zdd.to_dot().contains("box") && bdd.to_dot().contains("box"));
        }
    }
}

#[test]
fn a_spec_refused_by_its_validate_is_an_error() {
    struct Refuses;
    impl DdSpec for Refuses {
        type State = ();
        fn num_vars(&self) -> usize {
            1
        }
        fn root(&self) -> Step<()> {
            Step::One
        }
        fn child(&self, (): &(), _: usize, _: usize) -> Step<()> {
            Step::One
        }
        fn validate(&self) -> Result<(), String> {
            Err("n must be even; use 2".into())
        }
    }
    let expected = BuildError::InvalidSpec { message: "n must be even; use 2".into() };
    assert_eq!(topdd::zdd(&Refuses).unwrap_err(), expected);
    assert!(expected.to_string().contains("use 2"));
    // Combinations forward it.
    assert_eq!(topdd::count(&Refuses.and(Refuses)).unwrap_err(), expected);
}

// ---- Sizes

#[test]
fn many_values_and_many_variables() {
    // More than 2^16 values; only few are visited.
    let spec = custom(vec![70_000, 2, 70_000], Step::To(0, 0), move |s, v, value| match v {
        0 if value % 1000 == 7 => Step::To(1, value as u32),
        1 => Step::To(2, s),
        2 if value as u32 == s => Step::One,
        _ => Step::Zero,
    });
    let zdd = topdd::zdd(&spec).unwrap();
    assert_eq!(zdd.count(), 140u32.into());
    assert_eq!(zdd.iter().last().unwrap(), [69_007, 1, 69_007]);
    assert!(zdd.contains(&[66_007, 0, 66_007]).unwrap());
}

#[test]
fn counts_grow_past_every_fixed_width() {
    for n in [10, 45, 63, 64, 65, 127, 128, 129, 300, 600, 2000] {
        for (arity, spec) in [(2u32, everything(vec![2; n])), (3, everything(vec![3; n]))] {
            let expected = BigUint::from(arity).pow(n as u32);
            assert_eq!(topdd::count(&spec).unwrap(), expected);
            assert_eq!(topdd::zdd(&spec).unwrap().count(), expected);
            assert_eq!(topdd::bdd(&spec).unwrap().count(), expected);
            assert_eq!(topdd::count_bdd(&spec).unwrap(), expected);
        }
        let skips = skipping((0..n).map(|v| v % 4 + 1).collect());
        let expected: BigUint = (0..n).map(|v| BigUint::from(v % 4 + 1)).product();
        assert_eq!(topdd::count_bdd(&skips).unwrap(), expected);
        assert_eq!(topdd::bdd(&skips).unwrap().count(), expected);
        assert_eq!(topdd::count(&skips).unwrap(), 1u32.into());
    }
}

#[test]
fn counts_are_exact_where_they_just_fit_and_where_they_just_do_not() {
    // One less and one more than a power of two: a chain that leaves early at each variable.
    for n in [62, 63, 64, 65, 126, 127, 128, 129, 255, 256, 257] {
        let not_all_zero = custom(vec![2; n], Step::To(0, 0), move |_, v, value| match value {
            1 => Step::One,
            _ if v + 1 == n => Step::Zero,
            _ => Step::To(v + 1, 0),
        });
        let expected = (BigUint::from(1u32) << n) - 1u32;
        assert_eq!(topdd::count_bdd(&not_all_zero).unwrap(), expected);
        assert_eq!(topdd::bdd(&not_all_zero).unwrap().count(), expected);
        assert_eq!(topdd::count(&not_all_zero).unwrap(), n.into());
        assert_eq!(topdd::zdd(&not_all_zero).unwrap().count(), n.into());
        let as_zdd = topdd::zdd(&(&not_all_zero).read_as(Rule::AnyValue)).unwrap();
        assert_eq!(as_zdd.count(), expected);
    }
}

#[test]
fn a_sum_that_does_not_fit_halfway_through_a_batch_is_widened() {
    // 2^62 ways to the last variable, which has 8 values: 2^65 in one batch.
    let spec = everything([vec![2; 62], vec![8]].concat());
    let expected = BigUint::from(1u32) << 65;
    assert_eq!(topdd::count(&spec).unwrap(), expected);
    assert_eq!(topdd::count_bdd(&spec).unwrap(), expected);
}

/// Skips, each state to several later variables; the reference counts by recursion from
/// the last variable.
#[test]
fn long_skips_are_ordinary() {
    let n = 3000;
    let jumps = [1usize, 2, 700, 1500];
    let spec =
        custom((0..n).map(|v| 4 + v % 2).collect(), Step::To(5, 1), move |s, v, value| match jumps
            .get(value)
        {
            Some(jump) if v + jump < n => Step::To(v + jump, (s * 3 + value as u32) % 5),
            Some(_) => Step::One,
            None => Step::Zero,
        });
    for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
        let free = |range: std::ops::Range<usize>| -> BigUint {
            match rule {
                Rule::ZeroSuppressed => 1u32.into(),
                Rule::AnyValue => range.map(|v| BigUint::from(4 + v % 2)).product(),
            }
        };
        // The future does not depend on the state, so the reference has one count for each variable.
        let mut below = vec![BigUint::ZERO; n];
        for v in (0..n).rev() {
            below[v] = jumps
                .iter()
                .map(|jump| match below.get(v + jump) {
                    Some(there) => there * free(v + 1..v + jump),
                    None => free(v + 1..n),
                })
                .sum();
        }
        let expected = &below[5] * free(0..5);
        assert_eq!(Frontier::over(&spec).count_under(rule).unwrap(), expected);
        let count = match rule {
            Rule::ZeroSuppressed => topdd::zdd(&spec).unwrap().count(),
            Rule::AnyValue => topdd::bdd(&spec).unwrap().count(),
        };
        assert_eq!(count, expected);
    }
}

#[test]
fn edges_to_every_later_level_take_linear_time() {
    // From the root one edge to each level, and from each level one to the last.
    let n = 40_000;
    let spec = custom(
        [vec![n], (1..n).map(|v| 2 + v % 2).collect()].concat(),
        Step::To(0, 0),
        move |_, v, value| match (v, value) {
            (0, 0) => Step::One,
            (0, _) => Step::To(value, 1),
            _ if v + 1 == n => Step::One,
            (_, 0) => Step::To(n - 1, 1),
            (_, 1) => Step::To(v + 1, 1),
            _ => Step::Zero,
        },
    );
    let count = topdd::count(&spec).unwrap();
    assert_eq!(topdd::zdd(&spec).unwrap().count(), count);
    let spec =
        custom((0..8000).map(|v| 2 + v % 2).collect(), Step::To(0, 0), move |_, v, value| {
            match value {
                _ if v + 1 == 8000 => Step::One,
                0 => Step::To(v + 1, 0),
                1 => Step::To(7999, 1),
                _ => Step::Zero,
            }
        });
    let count = topdd::count_bdd(&spec).unwrap();
    assert_eq!(topdd::bdd(&spec).unwrap().count(), count);
    assert_eq!(topdd::zdd(&(&spec).read_as(Rule::AnyValue)).unwrap().count(), count);
}

#[test]
fn two_hundred_thousand_levels_of_skips_take_linear_time() {
    // Every edge skips a variable; quadratic time in the number of levels would not finish.
    let n = 200_000;
    let spec = custom(vec![2; n], Step::To(0, 0), move |s, v, value| {
        let s = s + value as u32;
        if s > 2 {
            Step::Zero
        } else if v + 2 < n {
            Step::To(v + 2, s)
        } else {
            Step::One
        }
    });
    let half = n / 2;
    let expected = BigUint::from(1 + half + half * (half - 1) / 2);
    assert_eq!(topdd::count(&spec).unwrap(), expected);
    assert_eq!(topdd::zdd(&spec).unwrap().count(), expected);
}

// ---- Limits

#[test]
fn a_reached_limit_is_an_error_that_names_the_limit() {
    let spec = AtMost { n: 300, k: 150 };
    let error = Frontier::over(&spec).max_states(1000).zdd().unwrap_err();
    let BuildError::LimitReached { limit, variable } = &error else { panic!("{error}") };
    assert_eq!(*limit, Limit::States(1000));
    assert!((40..50).contains(&variable.unwrap()), "{error}");
    assert!(error.to_string().contains("1000"));

    let error = Frontier::over(&spec).memory_limit(20_000).zdd().unwrap_err();
    assert!(
        matches!(error, BuildError::LimitReached { limit: Limit::Bytes(20_000), .. }),
        "{error}"
    );

    let error = Frontier::over(&spec).time_limit(Duration::ZERO).count().unwrap_err();
    assert!(matches!(error, BuildError::LimitReached { limit: Limit::Time(_), .. }), "{error}");

    // A limit that is just large enough suffices.
    let states = (1..=150).sum::<u64>() + 150 * 151;
    let mut frontier = Frontier::over(&spec)
        .max_states(states)
        .memory_limit(1 << 30)
        .time_limit(Duration::from_hours(1));
    assert_eq!(frontier.zdd().unwrap().count(), binomial_sum(300, 150));
    assert_eq!(frontier.report().states(), states);
    assert!(frontier.report().peak_bytes < 1 << 20);
    let error = Frontier::over(&spec).max_states(states - 1).count().unwrap_err();
    assert!(matches!(error, BuildError::LimitReached { limit: Limit::States(_), .. }), "{error}");
}

#[test]
fn limits_hold_within_a_batch_of_wide_states() {
    // Each state has 65536 children: a batch is bounded by its edges, not its states.
    let wide = custom(vec![1 << 16; 4], Step::To(0, 0), move |s, v, value| match v {
        0 if value % 128 != 0 => Step::Zero,
        3 => Step::One,
        _ => Step::To(v + 1, s * 65_521 + value as u32),
    });
    let mut frontier = Frontier::over(&wide).memory_limit(50 << 20);
    let error = frontier.count().unwrap_err();
    assert!(matches!(error, BuildError::LimitReached { limit: Limit::Bytes(_), .. }), "{error}");
    assert!(frontier.report().peak_bytes < 100 << 20, "{}", frontier.report());
}

#[test]
fn a_universe_too_large_to_list_costs_nothing_before_the_limit() {
    struct Huge;
    impl DdSpec for Huge {
        type State = ();
        fn num_vars(&self) -> usize {
            30_000_000
        }
        fn root(&self) -> Step<()> {
            Step::To(0, ())
        }
        fn child(&self, (): &(), v: usize, _: usize) -> Step<()> {
            Step::To(v + 1, ())
        }
    }
    let error = Frontier::over(&Huge).max_states(1000).count().unwrap_err();
    assert!(matches!(error, BuildError::LimitReached { variable: Some(999), .. }), "{error}");
}

#[test]
fn a_memory_limit_bounds_a_count_too() {
    let spec = AtMost { n: 1000, k: 500 };
    // Two levels of 501 states, each with a number of 1000 bits, and the records between them.
    let mut frontier = Frontier::over(&spec).memory_limit(1 << 19);
    let count = frontier.count().unwrap();
    assert_eq!(count, binomial_sum(1000, 500));
    let peak = frontier.report().peak_bytes;
    assert!((100_000..=1 << 19).contains(&peak), "{}", frontier.report());
    let mut frontier = Frontier::over(&spec).memory_limit(25_000);
    assert!(matches!(frontier.count(), Err(BuildError::LimitReached { .. })));
    assert!(frontier.report().levels.len() > 100, "the report has the levels that were expanded");
}

#[test]
fn a_cancelled_run_stops_and_has_reported_its_levels() {
    let spec = AtMost { n: 500, k: 250 };
    let token = CancelToken::new();
    let mut seen = Vec::new();
    let error = Frontier::over(&spec)
        .cancel_with(&token)
        .on_level(|level| {
            seen.push(*level);
            if level.variable == 20 {
                token.cancel();
            }
        })
        .zdd()
        .unwrap_err();
    assert_eq!(error, BuildError::Cancelled { variable: Some(21) });
    assert_eq!(seen.len(), 21);
    for (v, level) in seen.iter().enumerate() {
        let v = v as u64;
        assert_eq!(
            (level.variable as u64, level.states, level.edges, level.merged),
            (v, v + 1, 2 * (v + 1), v.saturating_sub(1))
        );
        assert!(level.bytes > 0);
    }
    assert!(seen.is_sorted_by_key(|level| level.elapsed));
    // From another thread, while the expansion of one state takes long.
    let token = CancelToken::new();
    let slow = custom(vec![2; 60], Step::To(0, 1), move |s: u32, v, value| {
        std::thread::sleep(Duration::from_micros(20));
        Step::To(v + 1, s.wrapping_mul(2) + value as u32)
    });
    std::thread::scope(|scope| {
        let run = scope.spawn(|| Frontier::over(&slow).cancel_with(&token).count());
        std::thread::sleep(Duration::from_millis(50));
        token.cancel();
        assert!(matches!(run.join().unwrap(), Err(BuildError::Cancelled { .. })));
    });
}

// ---- Diagrams

#[test]
fn assignments_of_wrong_length_or_range_are_refused() {
    let zdd = topdd::zdd(&everything(vec![2, 3, 2])).unwrap();
    for wrong in [&[][..], &[0, 0], &[0, 0, 0, 0]] {
        let expected = QueryError::AssignmentLength { found: wrong.len(), num_vars: 3 };
        assert_eq!(zdd.contains(wrong).unwrap_err(), expected);
        assert_eq!(zdd.iter_from(wrong).unwrap_err(), expected);
    }
    let expected = QueryError::ValueOutOfRange { variable: 1, value: 3, arity: 3 };
    assert_eq!(zdd.contains(&[0, 3, 0]).unwrap_err(), expected);
    assert_eq!(zdd.iter_from(&[0, 3, 5]).unwrap_err(), expected);
    assert!(expected.to_string().contains("0..3"));
}

#[test]
fn a_diagram_stores_its_rule_and_its_variables() {
    // The same structure, counted by each rule, with variables that no node tests.
    let spec =
        custom(
            vec![2, 4, 3],
            Step::To(1, 0),
            move |_, _, value| if value == 2 { Step::One } else { Step::Zero },
        );
    let (zdd, bdd) = (topdd::zdd(&spec).unwrap(), topdd::bdd(&spec).unwrap());
    assert_eq!(zdd.count(), 1u32.into());
    assert_eq!(bdd.count(), 6u32.into());
    assert_eq!(zdd.iter().collect::<Vec<_>>(), [[0, 2, 0]]);
    assert_eq!(bdd.iter().count(), 6);
    assert_eq!(bdd.iter().last().unwrap(), [1, 2, 2]);
    assert_ne!(zdd.rule(), bdd.rule());
    // Built under the other rule, a diagram keeps its family.
    assert_eq!(topdd::bdd(&zdd).unwrap().count(), 1u32.into());
    assert_eq!(topdd::zdd(&bdd).unwrap().count(), 6u32.into());
    assert_eq!(topdd::count_bdd(&zdd).unwrap(), 1u32.into());
    assert_eq!(topdd::count(&bdd).unwrap(), 6u32.into());
}

#[test]
fn diagrams_are_values() {
    fn is_a_value<T: Clone + Eq + std::hash::Hash + std::fmt::Debug + Send + Sync + 'static>(
        _: &T,
    ) {
    }
    let zdd = topdd::zdd(&AtMost { n: 30, k: 2 }).unwrap();
    is_a_value(&zdd);
    assert_eq!(topdd::zdd(&std::sync::Arc::new(zdd.clone())).unwrap(), zdd);
    assert_eq!(topdd::zdd(&Box::new(zdd.clone())).unwrap(), zdd);
    let again = topdd::zdd(&AtMost { n: 30, k: 30 }.and(AtMost { n: 30, k: 2 })).unwrap();
    assert_eq!(zdd, again);
    assert_ne!(zdd, topdd::zdd(&AtMost { n: 30, k: 3 }).unwrap());
    assert_ne!(zdd, topdd::zdd(&AtMost { n: 31, k: 2 }).unwrap());
    assert_eq!(std::collections::HashSet::from([zdd.clone(), again]).len(), 1);
    let text = format!("{zdd:?}");
    assert!(text.starts_with("Zdd, 30 variables, 58 nodes, 466 solutions: {{}, {29}, "), "{text}");
    // The iterator may outlive the handle.
    let mut solutions = zdd.iter();
    drop(zdd);
    assert_eq!(solutions.by_ref().count(), 466);
    assert_eq!(solutions.next(), None);
}

#[test]
fn two_problems_live_side_by_side_and_threads_share_a_diagram() {
    let specs: Vec<AtMost> = (1..5).map(|k| AtMost { n: 20, k }).collect();
    let shared = topdd::zdd(&specs[3]).unwrap();
    std::thread::scope(|scope| {
        for spec in &specs {
            let shared = &shared;
            scope.spawn(move || {
                let zdd = topdd::zdd(&spec.and(shared)).unwrap();
                assert_eq!(zdd.count(), binomial_sum(20, spec.k));
            });
        }
    });
}
