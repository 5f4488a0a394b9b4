//! Searches compared with brute force.

use super::Search;
use crate::check::strategies::specs;
use crate::check::{RandomSpec, brute_force};
use crate::error::Limit;
use crate::{BuildError, CancelToken, DdSpec, Rule, Step};
use proptest::prelude::*;
use std::ops::ControlFlow;
use std::time::Duration;

const RULES: [Rule; 2] = [Rule::ZeroSuppressed, Rule::AnyValue];

fn all(mut search: Search<'_, RandomSpec>) -> Vec<Vec<usize>> {
    let found: Vec<_> = search.iter().collect::<Result<_, _>>().unwrap();
    assert_eq!(search.report().solutions, found.len() as u64);
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_search_finds_every_solution_once(spec in specs(), memory in 0_usize..2000, seed: u64, unit in 1_u64..20) {
        for rule in RULES {
            let wanted = brute_force(&spec, rule).unwrap();
            let search = || Search::over(&spec).rule(rule);
            // In lexicographic order, with any memory limit.
            prop_assert_eq!(&all(search()), &wanted);
            prop_assert_eq!(&all(search().memory_limit(memory)), &wanted);
            prop_assert_eq!(search().first().unwrap(), wanted.first().cloned());
            // In a random or given order, with and without restarts.
            let key = |variable: usize, value: usize, step: &Step<u32>| match step {
                Step::To(to, state) => (to * variable).wrapping_sub(*state as usize),
                _ => value % 2,
            };
            for search in [
                search().seed(seed),
                search().seed(seed).restarts(unit),
                search().seed(seed).restarts(unit).memory_limit(memory),
                search().order_by(key),
                search().seed(seed).order_by(key).memory_limit(0),
            ] {
                let mut found = all(search);
                found.sort_unstable();
                prop_assert_eq!(&found, &wanted);
            }
            // The same seed gives the same order.
            let drawn = || all(search().seed(seed).restarts(unit).memory_limit(memory));
            prop_assert_eq!(drawn(), drawn());
        }
    }
}

/// Subsets of `0..n` with the sum `sum`, where the numbers count as 1, 2, 3, ..
struct Sum {
    n: usize,
    sum: usize,
}

impl DdSpec for Sum {
    type State = usize;
    fn num_vars(&self) -> usize {
        self.n
    }
    fn root(&self) -> Step<usize> {
        Step::To(0, 0)
    }
    fn child(&self, sum: &usize, variable: usize, value: usize) -> Step<usize> {
        let sum = sum + value * (variable + 1);
        if variable + 1 < self.n {
            Step::To(variable + 1, sum)
        } else if sum == self.sum {
            Step::One
        } else {
            Step::Zero
        }
    }
}

/// Without stored states this takes 2 to the 60 steps.
#[test]
fn stored_dead_states_make_the_search_polynomial() {
    let spec = Sum { n: 60, sum: 1831 }; // more than there is
    let mut search = Search::over(&spec);
    assert_eq!(search.first().unwrap(), None);
    let report = *search.report();
    assert!(report.states < 60 * 1831 && report.dead_hits > 10_000, "{report}");
    assert_eq!(report.dead_evicted, 0);
    // The same with a search that restarts again and again.
    let mut search = Search::over(&spec).restarts(100);
    assert_eq!(search.first().unwrap(), None);
    assert!(search.report().restarts > 10);
    assert!(search.report().states < 200_000, "{}", search.report());
}

#[test]
fn memory_is_bounded() {
    let spec = Sum { n: 14, sum: 106 };
    let mut states = Vec::new();
    for bytes in [0, 100, 1000, 3000, 10_000, 30_000] {
        let mut search = Search::over(&spec).memory_limit(bytes);
        assert_eq!(search.first().unwrap(), None);
        let report = search.report();
        assert!(report.dead_bytes <= bytes, "{report}");
        assert!(
            bytes < 1000 || report.dead_evicted == 0 || report.dead_states > bytes / 50,
            "{report}"
        );
        states.push(report.states);
    }
    // All sums, then hardly more than there are.
    assert_eq!(states[0], (1 << 14) - 1);
    assert!(states[5] < 1000 && states[3] < states[0], "{states:?}");
}

/// A spec given by functions.
#[derive(Clone, Copy)]
struct By {
    n: usize,
    arity: usize,
    root: Step<u8>,
    child: fn(variable: usize, value: usize) -> Step<u8>,
    visit_backwards: bool,
}

impl By {
    fn new(n: usize, child: fn(usize, usize) -> Step<u8>) -> Self {
        By { n, arity: 2, root: Step::To(0, 7), child, visit_backwards: false }
    }
}

impl DdSpec for By {
    type State = u8;
    fn num_vars(&self) -> usize {
        self.n
    }
    fn arity(&self, _: usize) -> usize {
        self.arity
    }
    fn root(&self) -> Step<u8> {
        self.root
    }
    fn child(&self, _: &u8, variable: usize, value: usize) -> Step<u8> {
        (self.child)(variable, value)
    }
    fn for_each_child<B>(
        &self,
        state: &u8,
        variable: usize,
        mut visit: impl FnMut(usize, Step<u8>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for value in 0..self.arity {
            let value = if self.visit_backwards { self.arity - 1 - value } else { value };
            visit(value, self.child(state, variable, value))?;
        }
        ControlFlow::Continue(())
    }
    fn validate(&self) -> Result<(), String> {
        if self.n == 13 { Err("13 is not to be had".to_owned()) } else { Ok(()) }
    }
}

#[test]
fn deep_specs_and_long_skips() {
    const N: usize = 200_000;
    // Down to the end, and all the way back.
    let deep = By::new(N, |variable, value| match (variable, value) {
        (0, 1) => Step::One,
        (_, 0) if variable + 1 < N => Step::To(variable + 1, 0),
        _ => Step::Zero,
    });
    let mut search = Search::over(&deep);
    assert_eq!(search.first().unwrap().unwrap()[..2], [1, 0]);
    assert_eq!(search.report().states, N as u64);
    let all = By { root: Step::One, ..deep };
    let mut search = Search::over(&all).rule(Rule::AnyValue);
    assert_eq!(search.iter().nth(5).unwrap().unwrap()[N - 3..], [1, 0, 1]);
    let mut search = Search::over(&all);
    assert_eq!(search.iter().count(), 1);
    let none = By { n: 0, root: Step::One, ..deep };
    assert_eq!(Search::over(&none).first(), Ok(Some(vec![])));
    assert_eq!(Search::over(&By { root: Step::Zero, ..none }).first(), Ok(None));
}

/// A dead state below skipped variables is found dead once, not for each of their values.
#[test]
fn dead_states_below_free_variables_are_entered_once() {
    let spec = By::new(61, |variable, _| if variable == 0 { Step::To(60, 1) } else { Step::Zero });
    for memory in [0, 1000] {
        let mut search = Search::over(&spec).rule(Rule::AnyValue).memory_limit(memory);
        assert_eq!(search.first(), Ok(None));
        assert!(search.report().states <= 3);
    }
}

/// The order is the same on every machine.
#[test]
fn a_seed_gives_the_same_order_on_every_machine() {
    let spec = Sum { n: 8, sum: 12 };
    let first = |seed: u64| {
        let found = Search::over(&spec).seed(seed).restarts(3).first().unwrap().unwrap();
        found
            .into_iter()
            .enumerate()
            .filter(|&(_, value)| value == 1)
            .map(|(v, _)| v + 1)
            .collect::<Vec<_>>()
    };
    let found: Vec<_> = (0..4).map(first).collect();
    assert!(found.iter().all(|set| set.iter().sum::<usize>() == 12));
    assert_eq!(found, [vec![3, 4, 5], vec![1, 2, 4, 5], vec![1, 4, 7], vec![1, 3, 8]]);
    let draws = |seed| {
        let mut search = Search::over(&spec).seed(seed);
        search.iter().map(Result::unwrap).collect::<Vec<_>>()
    };
    assert_ne!(draws(1), draws(2));
}

#[test]
fn broken_specs_are_errors() {
    let forward =
        By::new(4, |variable, _| if variable < 3 { Step::To(variable + 1, 9) } else { Step::One });
    assert_eq!(Search::over(&forward).iter().count(), 16);
    let stuck = By::new(4, |variable, _| Step::To(variable, 9));
    let beyond = By::new(4, |_, value| Step::To(3 + value, 9));
    let bad_step = |variable, value, to, state: &str| BuildError::BadStep {
        variable,
        value,
        to,
        num_vars: 4,
        state: state.to_owned(),
    };
    let bad_value = |value, previous| BuildError::BadValue {
        variable: 0,
        value,
        previous,
        arity: 2,
        state: "7".to_owned(),
    };
    for (spec, error) in [
        (stuck, bad_step(0, 0, 0, "7")),
        (beyond, bad_step(0, 1, 4, "7")),
        (By { visit_backwards: true, ..forward }, bad_value(0, Some(1))),
        (
            By { root: Step::To(4, 7), ..forward },
            BuildError::RootBeyondLast { to: 4, num_vars: 4, state: "7".to_owned() },
        ),
        (
            By { arity: 0, ..forward },
            BuildError::BadArity { variable: 0, arity: 0, limit: u32::MAX as usize },
        ),
        (
            By { n: 13, ..forward },
            BuildError::InvalidSpec { message: "13 is not to be had".to_owned() },
        ),
    ] {
        // The engine reports the same errors.
        assert_eq!(crate::count(&spec).unwrap_err(), error);
        for mut search in [Search::over(&spec), Search::over(&spec).restarts(1)] {
            assert_eq!(search.first().unwrap_err(), error);
            let mut found = search.iter();
            assert_eq!(found.next(), Some(Err(error.clone())));
            assert_eq!(found.next(), None);
        }
    }
}

#[test]
fn a_search_can_be_stopped() {
    let spec = Sum { n: 200, sum: 20_101 };
    let limit = Duration::ZERO;
    let stopped = Search::over(&spec).time_limit(limit).first().unwrap_err();
    assert!(matches!(stopped, BuildError::LimitReached { limit: Limit::Time(Duration::ZERO), .. }));
    let token = CancelToken::new();
    let mut search = Search::over(&spec).cancel_with(&token);
    let other = token.clone();
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        other.cancel();
    });
    assert!(matches!(search.first(), Err(BuildError::Cancelled { .. }) | Ok(None)));
    stopper.join().unwrap();
    assert!(matches!(search.first(), Err(BuildError::Cancelled { .. })));
    // Also where all solutions come from skipped variables.
    let all = By { root: Step::One, ..By::new(100, |_, _| Step::Zero) };
    let token = CancelToken::new();
    let mut search = Search::over(&all).rule(Rule::AnyValue).cancel_with(&token);
    let mut found = search.iter();
    assert!(found.next().is_some_and(|found| found.is_ok()));
    token.cancel();
    assert!(found.any(|found| matches!(found, Err(BuildError::Cancelled { .. }))));
    // In a search that ends, no limit has an effect.
    let spec = Sum { n: 20, sum: 200 };
    let mut search = Search::over(&spec).time_limit(Duration::MAX);
    assert!(search.first().unwrap().is_some());
}

#[test]
fn a_panic_of_the_spec_is_an_error() {
    let spec = By::new(4, |variable, _| match variable {
        2 => panic!("at variable 2"),
        _ => Step::To(variable + 1, 0),
    });
    let message = "at variable 2".to_owned();
    assert_eq!(Search::over(&spec).first(), Err(BuildError::Panicked { message }));
}
