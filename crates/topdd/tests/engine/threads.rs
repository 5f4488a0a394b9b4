//! Diagrams are equal byte for byte, and counts are equal, for any number of threads.

use num_bigint::BigUint;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use topdd::diagram::{AnyValue, DiagramRule, ZeroSuppressed};
use topdd::{DdSpec, Diagram, Frontier, Rule, Step};

/// A pseudo-random transition system with levels wide enough for several threads. States are numbers
/// below `width`, and some edges skip variables.
struct Scatter {
    levels: usize,
    width: u64,
    seed: u64,
}

impl Scatter {
    fn mix(&self, a: u64, b: u64) -> u64 {
        let mut z = (self.seed ^ a.rotate_left(32) ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z ^ (z >> 29)
    }
}

impl DdSpec for Scatter {
    type State = u64;
    fn num_vars(&self) -> usize {
        self.levels
    }
    fn arity(&self, variable: usize) -> usize {
        if variable % 3 == 2 { 11 } else { 2 + variable % 2 * 2 }
    }
    fn root(&self) -> Step<u64> {
        Step::To(0, 0)
    }
    fn child(&self, state: &u64, variable: usize, value: usize) -> Step<u64> {
        let draw = self.mix(*state, (variable * 16 + value) as u64);
        match draw % 8 {
            0 => Step::Zero,
            1 if draw % 1024 == 1 => Step::One,
            kind => {
                let to = variable + if kind == 2 { 3 } else { 1 };
                if to < self.levels {
                    Step::To(to, draw >> 20 & (self.width - 1))
                } else {
                    Step::One
                }
            }
        }
    }
}

/// The count by definition: from the last variable up, for every possible state.
fn reference(spec: &Scatter, rule: Rule) -> BigUint {
    let n = spec.levels;
    let free = |range: std::ops::Range<usize>| -> BigUint {
        match rule {
            Rule::ZeroSuppressed => 1u32.into(),
            Rule::AnyValue => range.map(|v| BigUint::from(spec.arity(v))).product(),
        }
    };
    let mut below: Vec<Vec<BigUint>> = vec![Vec::new(); n];
    for v in (0..n).rev() {
        let count = |state: u64| -> BigUint {
            let ways = (0..spec.arity(v)).map(|value| match spec.child(&state, v, value) {
                Step::Zero => BigUint::ZERO,
                Step::One => free(v + 1..n),
                Step::To(to, next) => &below[to][next as usize] * free(v + 1..to),
            });
            ways.sum()
        };
        below[v] = (0..spec.width).map(count).collect();
    }
    below[0][0].clone()
}

#[test]
fn wide_levels_with_skips_are_counted_right() {
    // Several partitions, many batches, and numbers that outgrow their width on the way.
    for (levels, width, seed) in [(40, 1 << 13, 5), (90, 1 << 10, 6), (6, 1 << 17, 7)] {
        let spec = Scatter { levels, width, seed };
        let expected = [Rule::ZeroSuppressed, Rule::AnyValue].map(|rule| reference(&spec, rule));
        assert!(expected.iter().all(|count| count.bits() > 64) || levels < 40);
        let counts = [Rule::ZeroSuppressed, Rule::AnyValue]
            .map(|rule| Frontier::over(&spec).count_under(rule).unwrap());
        assert_eq!(counts, expected);
        let diagrams = [topdd::zdd(&spec).unwrap().count(), topdd::bdd(&spec).unwrap().count()];
        assert_eq!(diagrams, expected);
    }
}

#[test]
fn a_level_reached_early_and_filled_late_is_spread_over_partitions() {
    /// The root steps to every level; each level is then filled from the one before.
    struct Early(Scatter);
    impl DdSpec for Early {
        type State = u64;
        fn num_vars(&self) -> usize {
            self.0.levels
        }
        fn arity(&self, _: usize) -> usize {
            12
        }
        fn root(&self) -> Step<u64> {
            Step::To(0, 0)
        }
        fn child(&self, state: &u64, v: usize, value: usize) -> Step<u64> {
            let draw = self.0.mix(*state, (v * 16 + value) as u64) & (self.0.width - 1);
            match value {
                _ if v + 1 == self.0.levels => Step::One,
                8.. if v == 0 => Step::To(value - 2, draw),
                0..5 => Step::To(v + 1, draw),
                _ => Step::Zero,
            }
        }
    }
    let spec = Early(Scatter { levels: 11, width: 1 << 17, seed: 7 });
    let serial = Frontier::over(&spec).threads(1).zdd().unwrap();
    assert_eq!(Frontier::over(&spec).count().unwrap(), serial.count());
    // Five values at each level, except twelve at the last.
    let mut expected = BigUint::ZERO;
    for start in [1, 1, 1, 1, 1, 6, 7, 8, 9] {
        expected += BigUint::from(5u32).pow(10 - start) * 12u32;
    }
    assert_eq!(serial.count(), expected);
    assert!(Frontier::over(&spec).threads(3).zdd().unwrap() == serial);
}

fn same_for_all_threads<R: DiagramRule>(spec: &Scatter) {
    let build = |threads| -> (Diagram<R>, u64) {
        let mut frontier = Frontier::over(spec).threads(threads);
        let diagram = frontier.diagram().unwrap();
        (diagram, frontier.report().merged())
    };
    let (serial, merged) = build(1);
    let count = Frontier::over(spec).threads(1).count_under(R::RULE).unwrap();
    assert_eq!(serial.count(), count);
    for threads in [2, 3, 8] {
        let (diagram, merged_here) = build(threads);
        assert!(diagram == serial, "{threads} threads");
        assert_eq!(merged_here, merged);
        let parallel = Frontier::over(spec).threads(threads).count_under(R::RULE).unwrap();
        assert_eq!(parallel, count);
    }
    // By default a run uses the thread pool of the caller.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    assert!(pool.install(|| Frontier::over(spec).diagram::<R>().unwrap()) == serial);
}

#[test]
fn any_number_of_threads_builds_the_same() {
    let spec = Scatter { levels: 17, width: 1 << 16, seed: 1 };
    same_for_all_threads::<ZeroSuppressed>(&spec);
    let spec = Scatter { levels: 14, width: 1 << 16, seed: 2 };
    same_for_all_threads::<AnyValue>(&spec);
}

#[test]
fn no_thread_is_one_and_too_many_are_an_error() {
    let spec = Scatter { levels: 9, width: 1 << 10, seed: 4 };
    let one = Frontier::over(&spec).threads(1).zdd().unwrap();
    assert!(Frontier::over(&spec).threads(0).zdd().unwrap() == one);
    let error = Frontier::over(&spec).threads(1_000_000).zdd().unwrap_err();
    assert!(
        matches!(error, topdd::BuildError::TooManyThreads { threads: 1_000_000, .. }),
        "{error}"
    );
}

#[test]
fn a_panic_on_a_worker_is_an_error_with_variable_value_and_state() {
    struct Panics(Scatter);
    impl DdSpec for Panics {
        type State = u64;
        fn num_vars(&self) -> usize {
            self.0.num_vars()
        }
        fn root(&self) -> Step<u64> {
            self.0.root()
        }
        fn child(&self, state: &u64, variable: usize, value: usize) -> Step<u64> {
            let fails = variable >= 16 && state % 1000 == 7 && value == 1;
            assert!(!fails, "no child of {state}");
            match self.0.child(state, variable, value) {
                Step::To(_, child) => Step::To(variable + 1, child),
                other => other,
            }
        }
    }
    let spec = Panics(Scatter { levels: 20, width: 1 << 16, seed: 3 });
    let error = Frontier::over(&spec).threads(4).count().unwrap_err();
    let topdd::BuildError::SpecPanicked { variable, value, state, message } = error else {
        panic!("{error}")
    };
    assert!(variable >= 16 && state.parse::<u64>().unwrap() % 1000 == 7, "{variable} {state}");
    assert_eq!((value, message), (Some(1), format!("no child of {state}")));
}

/// A batch ends early if it has more edges than expected, and the states after its end are expanded
/// again. If all states have equally many edges, no state is expanded twice.
#[test]
fn hardly_a_state_is_expanded_twice() {
    /// No value leads to the 0-terminal. Counts the calls of `for_each_child`.
    struct Wide {
        arity: usize,
        asked: AtomicU64,
    }
    impl DdSpec for Wide {
        type State = u64;
        fn num_vars(&self) -> usize {
            4
        }
        fn arity(&self, _: usize) -> usize {
            self.arity
        }
        fn root(&self) -> Step<u64> {
            Step::To(0, 1)
        }
        fn child(&self, state: &u64, variable: usize, value: usize) -> Step<u64> {
            let mixed = (state * 1000 + value as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
            if variable < 3 { Step::To(variable + 1, mixed % 6000) } else { Step::One }
        }
        fn for_each_child<B>(
            &self,
            state: &u64,
            variable: usize,
            mut visit: impl FnMut(usize, Step<u64>) -> ControlFlow<B>,
        ) -> ControlFlow<B> {
            self.asked.fetch_add(1, Relaxed);
            (0..self.arity).try_for_each(|value| visit(value, self.child(state, variable, value)))
        }
    }
    for (arity, limit, threads) in [
        (40, None, 2),
        (500, None, 1),
        (500, None, 2),
        (500, None, 4),
        (40, Some(8 << 20), 2),
        (40, Some(8 << 20), 5),
    ] {
        let spec = Wide { arity, asked: AtomicU64::new(0) };
        let dir = tempfile::tempdir().unwrap();
        let frontier = Frontier::over(&spec).threads(threads).checked(false);
        let mut frontier = match limit {
            Some(limit) => frontier.memory_limit(limit).spill_to(dir.path()),
            None => frontier,
        };
        assert_eq!(frontier.count().unwrap(), BigUint::from(arity).pow(4));
        let (asked, states) = (spec.asked.load(Relaxed), frontier.report().states());
        assert!(
            asked <= states + states / 4,
            "{asked} for {states} states, arity {arity}, {threads} threads, limit {limit:?}"
        );
    }
}

/// Small and wide runs with threads of their own, in the main thread of a process: its arguments make it run this test
/// only, and on the thread of the harness.
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
#[test]
fn threads_are_started_once_and_stay() {
    const CHILD: &str = "TOPDD_TEST_DETACH";
    const NAME: &str = "threads::threads_are_started_once_and_stay";
    if std::env::var_os(CHILD).is_some() {
        return runs_with_threads();
    }
    let dir = tempfile::tempdir().unwrap();
    let library = dir.path().join("slow_detach.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slow_detach.c");
    // The linker of Rust is a C compiler.
    let built =
        Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(source).status();
    assert!(built.unwrap().success());
    let run = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", NAME, "--test-threads=1", "--nocapture"])
        .env(CHILD, "")
        .env("LD_PRELOAD", &library)
        .env("DETACH_LOG", dir.path().join("calls"))
        .output()
        .unwrap();
    assert!(run.status.success(), "{run:?}");
    assert!(String::from_utf8_lossy(&run.stdout).contains("1 passed"), "{run:?}");
}

#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
fn runs_with_threads() {
    let threads = || std::fs::read_dir("/proc/self/task").unwrap().count();
    let detached = || {
        let log = std::env::var_os("DETACH_LOG").unwrap();
        std::fs::metadata(log).map_or(0, |log| log.len())
    };
    let small = topdd::constraint::exactly(30, 10);
    let before = threads();
    for own in [None, Some(2), Some(0)] {
        let mut frontier = Frontier::over(&small);
        if let Some(own) = own {
            frontier = frontier.threads(own);
        }
        let diagram = frontier.zdd().unwrap();
        assert_eq!(diagram.count(), frontier.count().unwrap());
        assert_eq!(diagram.index().count(), &diagram.count());
    }
    assert_eq!(threads(), before, "a sweep of few states starts no thread");
    let wide = Scatter { levels: 9, width: 1 << 14, seed: 3 };
    let count = Frontier::over(&wide).threads(1).count().unwrap();
    let mut at_first = 0;
    for call in 0..500 {
        let counted = Frontier::over(&wide).threads(2 + call % 2).count().unwrap();
        assert_eq!(counted, count);
        if call == 100 {
            at_first = detached();
            assert!(at_first > 0, "the library is loaded, and the pools have threads");
        }
    }
    assert_eq!(detached(), at_first);
}
