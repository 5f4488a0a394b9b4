//! A checkpoint of one spec, and a run of another one with the same key.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use topdd::spec::JoinSpec;
use topdd::{BigUint, BuildError, CancelToken, DdSpec, Frontier, SpecExt, Step};

/// Permutations of `0..n` whose neighbours differ by at least `gap`.
#[derive(Clone, Copy)]
struct Apart {
    n: usize,
    gap: usize,
}

impl DdSpec for Apart {
    type State = (u32, u8); // the numbers used, and the last one
    fn num_vars(&self) -> usize {
        self.n
    }
    fn arity(&self, _: usize) -> usize {
        self.n
    }
    fn root(&self) -> Step<(u32, u8)> {
        Step::To(0, (0, 0))
    }
    fn child(&self, &(used, last): &(u32, u8), place: usize, number: usize) -> Step<(u32, u8)> {
        let is_near = place > 0 && number.abs_diff(last.into()) < self.gap;
        if is_near || used >> number & 1 == 1 {
            Step::Zero
        } else if place + 1 == self.n {
            Step::One
        } else {
            Step::To(place + 1, (used | 1 << number, number as u8))
        }
    }
}

/// Runs until some levels are done, and cancels. There is a checkpoint of all but the last of the done levels.
fn stop_after<S: DdSpec>(frontier: Frontier<'_, S>, levels: usize) {
    let token = CancelToken::new();
    let mut done = 0;
    let mut frontier = frontier.cancel_with(&token).on_level(|_| {
        done += 1;
        if done == levels {
            std::thread::sleep(Duration::from_millis(60));
        } else if done > levels {
            token.cancel();
        }
    });
    let stopped = frontier.count();
    assert!(matches!(stopped, Err(BuildError::Cancelled { .. })), "{stopped:?}");
}

/// Asserts that a run is refused because its spec has changed, and names the key and the directory.
fn assert_changed(counted: Result<BigUint, BuildError>, dir: &Path) {
    let error = counted.expect_err("the checkpoint is of another spec");
    let BuildError::SpecChanged { path, key } = &error else { panic!("{error}") };
    assert_eq!((&**path, &key[..]), (dir, "the key"));
    let text = error.to_string();
    assert!(text.contains("the key") && text.contains("spec has changed"), "{text}");
}

#[test]
fn another_gap_under_the_old_key_is_refused_and_the_checkpoint_stays() {
    let dir = tempfile::tempdir().unwrap();
    let two = Apart { n: 16, gap: 2 };
    let three = Apart { gap: 3, ..two };
    stop_after(Frontier::over(&two).checkpoint(dir.path(), "the key"), 9);
    for _ in 0..2 {
        assert_changed(
            Frontier::over(&three).checkpoint(dir.path(), "the key").count(),
            dir.path(),
        );
    }
    let mut first = None;
    let mut same = Frontier::over(&two)
        .checkpoint(dir.path(), "the key")
        .on_level(|level| first = first.or(Some(level.variable)));
    // A002464.
    assert_eq!(same.count().unwrap(), 2_806_878_055_610_u64.into());
    drop(same);
    assert_eq!(first, Some(9));
}

/// A pseudo-random spec, and a change at one of its levels.
#[derive(Clone, Copy)]
struct Changing {
    levels: usize,
    width: u64,
    change: Option<(usize, Change)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    /// All values lead to another variable.
    Target,
    /// Value 1 leads to another state.
    State,
    /// Value 2 leads nowhere.
    Dead,
    /// Value 2 leads to the 1-terminal.
    One,
    /// Some states have another step.
    Some,
}

impl DdSpec for Changing {
    type State = u64;
    fn num_vars(&self) -> usize {
        self.levels
    }
    fn arity(&self, _: usize) -> usize {
        3
    }
    fn root(&self) -> Step<u64> {
        Step::To(0, 0)
    }
    fn child(&self, &state: &u64, variable: usize, value: usize) -> Step<u64> {
        let change = self.change.filter(|change| change.0 == variable).map(|change| change.1);
        let draw = (state * 3 + value as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 24;
        let (mut to, mut next) = (variable + 1, draw % self.width);
        match (change, value) {
            (Some(Change::Target), _) => to += 1,
            (Some(Change::State), 1) => next = (next + 1) % self.width,
            (Some(Change::Dead), 2) => return Step::Zero,
            (Some(Change::One), 2) => return Step::One,
            (Some(Change::Some), 0) if state % 8 == 5 => next = (next + 1) % self.width,
            _ => {}
        }
        if to >= self.levels { Step::One } else { Step::To(to, next) }
    }
}

#[test]
fn changes_in_finished_levels_are_refused() {
    for width in [60, 20_000] {
        let spec = Changing { levels: 60, width, change: None };
        let dir = tempfile::tempdir().unwrap();
        stop_after(Frontier::over(&spec).checkpoint(dir.path(), "the key"), 50);
        for level in [12, 49] {
            use Change::{Dead, One, Some as Few, State, Target};
            for change in [Target, State, Dead, One, Few] {
                let changed = Changing { change: Some((level, change)), ..spec };
                let mut changed = Frontier::over(&changed).checkpoint(dir.path(), "the key");
                assert_changed(changed.count(), dir.path());
            }
        }
        // A change below changes no state that was saved.
        let below = Changing { change: Some((55, Change::Dead)), ..spec };
        let mut resumed = Frontier::over(&below).checkpoint(dir.path(), "the key");
        assert_eq!(resumed.count().unwrap(), topdd::count(&below).unwrap());
    }
}

#[test]
fn the_options_of_a_run_do_not_change_the_fingerprint() {
    let spill = tempfile::tempdir().unwrap();
    let spec = Changing { levels: 40, width: 5_000, change: None };
    let count = topdd::count(&spec).unwrap();
    let options = |frontier: Frontier<'static>, number: usize| match number {
        0 => frontier.threads(1),
        1 => frontier.threads(4),
        2 => frontier.threads(2).memory_limit(1 << 20).spill_to(spill.path()),
        _ => frontier.threads(3).checked(false),
    };
    for (first, next) in [(0, 1), (1, 2), (2, 3), (3, 0), (2, 2)] {
        let dir = tempfile::tempdir().unwrap();
        let over = |number| options(Frontier::of(spec), number).checkpoint(dir.path(), "the key");
        stop_after(over(first), 10);
        stop_after(over(next), 20);
        assert_eq!(over(first).count().unwrap(), count);
    }
}

/// Sets of so many of the variables, by the number chosen so far. Most states of the first half lead nowhere, only
/// later.
#[derive(Clone, Copy)]
struct Needle {
    levels: usize,
    width: u64,
    change: Option<usize>,
}

impl DdSpec for Needle {
    type State = u64;
    fn num_vars(&self) -> usize {
        self.levels
    }
    fn arity(&self, _: usize) -> usize {
        2
    }
    fn root(&self) -> Step<u64> {
        Step::To(0, 0)
    }
    fn child(&self, &state: &u64, variable: usize, value: usize) -> Step<u64> {
        let half = self.levels / 2;
        let next = if variable < half {
            state * 2 + value as u64
        } else {
            // From the middle on, one state of each two is left.
            if state % 2 != value as u64 || variable > half && state == 0 {
                return Step::Zero;
            }
            state / 2
        };
        let next = next ^ u64::from(self.change == Some(variable));
        let is_cut = variable == half && state.trailing_zeros() < 8;
        match () {
            () if is_cut || next >= self.width => Step::Zero,
            () if variable + 1 == self.levels => Step::One,
            () => Step::To(variable + 1, next),
        }
    }
}

/// None of a thousand states before the middle needs to lead on: the states after it are sampled all the same.
#[test]
fn changes_behind_a_level_that_most_states_do_not_survive_are_refused() {
    let spec = Needle { levels: 32, width: 1 << 16, change: None };
    let dir = tempfile::tempdir().unwrap();
    stop_after(Frontier::over(&spec).checkpoint(dir.path(), "the key"), 24);
    let changed = Needle { change: Some(21), ..spec };
    let counted = Frontier::over(&changed).checkpoint(dir.path(), "the key").count();
    assert_changed(counted, dir.path());
    let mut same = Frontier::over(&spec).checkpoint(dir.path(), "the key");
    assert_eq!(same.count().unwrap(), topdd::count(&spec).unwrap());
}

/// Walks on a line that count the ways to each place. Each state is expanded with all of them.
#[derive(Clone, Copy)]
struct AllWays;

impl JoinSpec for AllWays {
    type State = u64;
    type Joined = u64;
    fn num_vars(&self) -> usize {
        50
    }
    fn root(&self) -> Step<(u64, u64)> {
        Step::To(0, (0, 1))
    }
    fn child(&self, &place: &u64, &ways: &u64, row: usize, right: usize) -> Step<(u64, u64)> {
        // A binomial coefficient.
        let all =
            (0..place).fold(1u128, |all, k| all * u128::from(row as u64 - k) / u128::from(k + 1));
        assert_eq!(u128::from(ways), all, "some of the ways are missing");
        if row + 1 == 50 { Step::One } else { Step::To(row + 1, (place + right as u64, ways)) }
    }
    fn join(one: &u64, other: &u64) -> u64 {
        one + other
    }
}

#[test]
fn sampled_states_are_joined_from_all_their_edges() {
    let dir = tempfile::tempdir().unwrap();
    let over = || Frontier::joining(AllWays).checkpoint(dir.path(), "the key");
    stop_after(over(), 40);
    assert_eq!(over().count().unwrap(), BigUint::from(2u32).pow(50));
}

#[test]
fn diagrams_and_limits_without_disk_are_compared_as_well() {
    let dir = tempfile::tempdir().unwrap();
    let spec = |gap| Apart { n: 13, gap };
    let over =
        |gap| Frontier::of(spec(gap)).memory_limit(1 << 30).checkpoint(dir.path(), "the key");
    let token = CancelToken::new();
    let stopped = over(2).cancel_with(&token).on_level(|level| {
        if level.variable == 8 {
            std::thread::sleep(Duration::from_millis(60));
        } else if level.variable == 9 {
            token.cancel();
        }
    });
    let stopped = { stopped }.zdd();
    assert!(matches!(stopped, Err(BuildError::Cancelled { .. })), "{stopped:?}");
    let changed = over(3).zdd();
    assert!(matches!(changed, Err(BuildError::SpecChanged { .. })), "{changed:?}");
    assert_eq!(over(2).zdd().unwrap(), topdd::zdd(&spec(2)).unwrap());
}

#[test]
fn boxed_and_combined_specs_are_compared_as_well() {
    let dir = tempfile::tempdir().unwrap();
    let spec = |gap| Apart { n: 15, gap };
    let over = |gap| Frontier::of_boxed(spec(gap).boxed()).checkpoint(dir.path(), "the key");
    stop_after(over(3), 9);
    assert_changed(over(4).count(), dir.path());
    assert_eq!(over(3).count().unwrap(), topdd::count(&spec(3)).unwrap());

    let dir = tempfile::tempdir().unwrap();
    let both = |gap| Apart { n: 14, gap }.or(Apart { n: 14, gap: 5 });
    let over = |gap| Frontier::of(both(gap)).checkpoint(dir.path(), "the key");
    stop_after(over(3), 8);
    assert_changed(over(2).count(), dir.path());
    assert_eq!(over(3).count().unwrap(), topdd::count(&both(3)).unwrap());
}

/// Steps on a line, with the least total of a way to each place. Ways with a total above `most` end.
#[derive(Clone, Copy)]
struct Totals {
    most: u64,
    changed: bool,
}

impl JoinSpec for Totals {
    type State = u64;
    type Joined = u64;
    fn num_vars(&self) -> usize {
        60
    }
    fn root(&self) -> Step<(u64, u64)> {
        Step::To(0, (0, 0))
    }
    fn child(&self, place: &u64, least: &u64, row: usize, right: usize) -> Step<(u64, u64)> {
        let place = place + right as u64;
        let added = (place * 7 + row as u64 * 5) % 11 + u64::from(self.changed && row == 20);
        let least = least + added;
        if least > self.most {
            Step::Zero
        } else if row + 1 == 60 {
            Step::One
        } else {
            Step::To(row + 1, (place, least))
        }
    }
    fn join(one: &u64, other: &u64) -> u64 {
        *one.min(other)
    }
}

#[test]
fn joined_parts_are_compared() {
    let dir = tempfile::tempdir().unwrap();
    let spec = Totals { most: 250, changed: false };
    let over = |spec| Frontier::joining(spec).checkpoint(dir.path(), "the key");
    stop_after(over(spec), 40);
    assert_changed(over(Totals { changed: true, ..spec }).count(), dir.path());
    assert_eq!(over(spec).count().unwrap(), Frontier::joining(spec).count().unwrap());
}

/// Panics from some time on.
struct Panicking(Changing, AtomicBool);

impl DdSpec for Panicking {
    type State = u64;
    fn num_vars(&self) -> usize {
        self.0.num_vars()
    }
    fn arity(&self, variable: usize) -> usize {
        self.0.arity(variable)
    }
    fn root(&self) -> Step<u64> {
        self.0.root()
    }
    fn child(&self, state: &u64, variable: usize, value: usize) -> Step<u64> {
        assert!(variable != 5 || !self.1.load(Ordering::Relaxed), "out of luck");
        self.0.child(state, variable, value)
    }
}

#[test]
fn a_panic_while_specs_are_compared_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let changing = Changing { levels: 20, width: 50, change: None };
    let spec = Panicking(changing, AtomicBool::new(false));
    let over = || Frontier::over(&spec).checkpoint(dir.path(), "the key");
    stop_after(over(), 10);
    spec.1.store(true, Ordering::Relaxed);
    let error = over().count().unwrap_err();
    assert!(error.to_string().contains("out of luck"), "{error}");
    spec.1.store(false, Ordering::Relaxed);
    assert_eq!(over().count().unwrap(), topdd::count(&changing).unwrap());
}
