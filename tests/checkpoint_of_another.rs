//! A checkpoint of a spec that answers otherwise is refused, also where only deep levels differ:
//! what was swept by one spec and is gone on with by another gives the answer of neither.

use std::fmt::Debug;
use std::path::Path;
use std::time::Duration;
use topdd::{CancelToken, DdSpec, Error, Frontier, Portable, Step};

/// Permutations: by row, which columns are taken. One square may be forbidden.
#[derive(Clone)]
struct Permutations {
    n: usize,
    forbidden: Option<(usize, usize)>,
}

impl DdSpec for Permutations {
    type State = u32;
    fn num_vars(&self) -> usize {
        self.n
    }
    fn arity(&self, _: usize) -> usize {
        self.n
    }
    fn root(&self) -> Step<u32> {
        Step::To(0, 0)
    }
    fn child(&self, &taken: &u32, row: usize, column: usize) -> Step<u32> {
        if taken >> column & 1 == 1 || self.forbidden == Some((row, column)) {
            return Step::Zero;
        }
        if row + 1 == self.n { Step::One } else { Step::To(row + 1, taken | 1 << column) }
    }
}

/// Subsets of so many of `n`, without the banned one: whoever is asked for that one must take 0,
/// so that a sweep with a checkpoint goes past all of its level.
#[derive(Clone)]
struct Subsets {
    n: usize,
    size: usize,
    banned: Option<usize>,
}

impl DdSpec for Subsets {
    type State = u32;
    fn num_vars(&self) -> usize {
        self.n
    }
    fn root(&self) -> Step<u32> {
        Step::To(0, 0)
    }
    fn child(&self, &taken: &u32, variable: usize, value: usize) -> Step<u32> {
        let taken = taken + value as u32;
        let left = self.n - 1 - variable;
        let size = self.size as u32;
        if taken > size || taken + (left as u32) < size {
            return Step::Zero;
        }
        if value == 1 && self.banned == Some(variable) {
            return Step::Zero;
        }
        if left == 0 { Step::One } else { Step::To(variable + 1, taken) }
    }
}

/// Counts under a name, and is stopped when so many levels are done.
fn stopped_after<S: DdSpec<State: Portable>>(levels: usize, spec: &S, dir: &Path, name: &str) {
    let token = CancelToken::new();
    let stop = token.clone();
    let mut done = 0;
    let frontier = Frontier::over(spec).checkpoint(dir).named(name).cancel_with(&token);
    let mut frontier = frontier.on_level(|_| {
        // Long enough for each level to be worth a checkpoint of its own.
        std::thread::sleep(Duration::from_millis(60));
        done += 1;
        if done >= levels {
            stop.cancel();
        }
    });
    assert!(matches!(frontier.count(), Err(Error::Cancelled { .. })));
    assert!(dir.join("topdd-manifest").exists());
}

fn is_refused(result: Result<impl Debug, Error>, what: &str) {
    let error = result.unwrap_err();
    assert!(matches!(error, Error::OtherCheckpoint { .. }), "{error}");
    assert!(error.to_string().contains(what), "{error}");
}

/// Each is stopped and refused to go on as the other, and goes on as itself.
fn are_told_apart<S: DdSpec<State: Portable>>(levels: usize, specs: [&S; 2]) {
    for (one, other) in [(specs[0], specs[1]), (specs[1], specs[0])] {
        let dir = tempfile::tempdir().unwrap();
        stopped_after(levels, one, dir.path(), "");
        is_refused(Frontier::over(other).checkpoint(dir.path()).count(), "fingerprint");
        let resumed = Frontier::over(one).checkpoint(dir.path()).count().unwrap();
        assert_eq!(resumed, Frontier::over(one).count().unwrap());
        assert_eq!(dir.path().read_dir().unwrap().count(), 0);
    }
}

#[test]
fn specs_that_differ_in_a_deep_level_are_told_apart() {
    let any = Permutations { n: 18, forbidden: None };
    for row in [14, 15] {
        are_told_apart(17, [&any, &Permutations { forbidden: Some((row, 3)), ..any.clone() }]);
    }
}

#[test]
fn specs_that_differ_in_what_the_sweep_goes_past_are_told_apart() {
    let any = Subsets { n: 60, size: 50, banned: None };
    are_told_apart(58, [&any, &Subsets { banned: Some(56), ..any.clone() }]);
}

/// What is to come is expanded by whoever goes on.
#[test]
fn levels_to_come_may_differ() {
    let any = Permutations { n: 9, forbidden: None };
    let other = Permutations { forbidden: Some((8, 3)), ..any.clone() };
    let dir = tempfile::tempdir().unwrap();
    stopped_after(5, &any, dir.path(), "");
    match Frontier::over(&other).checkpoint(dir.path()).count() {
        Ok(count) => assert_eq!(count, (362_880u32 - 40_320).into()),
        Err(error) => assert!(matches!(error, Error::OtherCheckpoint { .. }), "{error}"),
    }
}

#[test]
fn a_name_tells_runs_apart() {
    let dir = tempfile::tempdir().unwrap();
    let spec = Permutations { n: 8, forbidden: None };
    stopped_after(4, &spec, dir.path(), "mine");
    let over = || Frontier::over(&spec).checkpoint(dir.path());
    is_refused(over().named("yours").count(), "its name is mine, that of this run is yours");
    is_refused(over().count(), "name");
    assert_eq!(over().named("mine").count().unwrap(), 40_320u32.into());
}
