//! Counts that are much wider than a word, and whose widths rise and fall from level to level.

use topdd::{BigUint, DdSpec, Frontier, Rule, Step, constraint};

/// All assignments of two-valued variables. The edges visit every `gap`-th variable.
struct Jumps {
    variables: usize,
    gap: usize,
}

impl DdSpec for Jumps {
    type State = ();
    fn num_vars(&self) -> usize {
        self.variables
    }
    fn root(&self) -> Step<()> {
        Step::To(0, ())
    }
    fn child(&self, (): &(), variable: usize, _: usize) -> Step<()> {
        let to = variable + self.gap;
        if to < self.variables { Step::To(to, ()) } else { Step::One }
    }
}

#[test]
fn long_skips_widen_numbers_no_more_than_they_need() {
    for gap in [1, 63, 64, 65, 191, 200, 5000] {
        let spec = Jumps { variables: 20_000, gap };
        // A hundred times the size of the widest number.
        let mut frontier = Frontier::over(&spec).memory_limit(20_000 / 8 * 100);
        assert_eq!(frontier.count_bdd().unwrap(), BigUint::from(1u32) << 20_000, "{gap}");
    }
}

#[test]
fn a_long_skip_takes_no_longer_than_its_factor_is_long() {
    // Some 10^10 steps if the time per record were quadratic in the words of the factor.
    let spec = Jumps { variables: 10_000_000, gap: 5_000_000 };
    let count = Frontier::over(&spec).count_bdd().unwrap();
    assert_eq!(count, BigUint::from(1u32) << 10_000_000);
}

/// A chain along which counts double, and a long edge from its start to a tree that skips every second
/// variable.
struct FarTree {
    way: usize,
    depth: usize,
}

impl DdSpec for FarTree {
    type State = usize;
    fn num_vars(&self) -> usize {
        self.way + 2 * self.depth
    }
    fn root(&self) -> Step<usize> {
        Step::To(0, 0)
    }
    fn child(&self, &node: &usize, variable: usize, value: usize) -> Step<usize> {
        if variable == 0 && value == 1 {
            Step::To(self.way, 1)
        } else if variable + 1 < self.way {
            Step::To(variable + 1, 0)
        } else if variable < self.way || variable + 2 >= self.num_vars() {
            Step::One
        } else {
            Step::To(variable + 2, 2 * node + value)
        }
    }
}

#[test]
fn counts_become_narrow_again_after_wide_levels() {
    let dir = tempfile::tempdir().unwrap();
    let spec = FarTree { way: 1000, depth: 13 };
    for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
        let known = match rule {
            Rule::ZeroSuppressed => Frontier::over(&spec).zdd().unwrap().count(),
            Rule::AnyValue => Frontier::over(&spec).bdd().unwrap().count(),
        };
        assert!(known.bits() > 999);
        for threads in [1, 2] {
            let here = || Frontier::over(&spec).threads(threads);
            assert_eq!(here().count_under(rule).unwrap(), known);
            let mut limited = here().memory_limit(1 << 20).spill_to(dir.path());
            assert_eq!(limited.count_under(rule).unwrap(), known);
        }
    }
}

/// So many variables that a recursion from level to level would overflow the stack of a test.
const DEEP: usize = 100_000;

/// At most three of [`DEEP`] variables, and their number.
fn deep() -> (impl DdSpec, BigUint) {
    let n = DEEP as u64;
    let count = 1 + n + n * (n - 1) / 2 + n * (n - 1) / 2 * (n - 2) / 3;
    (constraint::at_most(DEEP, 3), count.into())
}

#[test]
fn a_zdd_of_many_variables_is_built_counted_and_iterated() {
    let (spec, expected) = deep();
    assert_eq!(topdd::count(&spec).unwrap(), expected);
    let zdd = topdd::zdd(&spec).unwrap();
    assert_eq!(zdd.count(), expected);
    let mut solutions = zdd.iter();
    assert!(solutions.advance().unwrap().iter().all(|&value| value == 0));
    assert_eq!(solutions.advance().unwrap()[DEEP - 2..], [0, 1]);
    assert_eq!(solutions.advance().unwrap()[DEEP - 2..], [1, 0]);
    let mut last = vec![0; DEEP];
    last[..3].fill(1);
    assert!(zdd.contains(&last).unwrap());
    assert_eq!(zdd.iter_from(&last).unwrap().count(), 1);
}

#[test]
fn a_bdd_of_many_variables_is_built_and_counted() {
    let (spec, expected) = deep();
    assert_eq!(topdd::count_bdd(&spec).unwrap(), expected);
    assert_eq!(topdd::bdd(&spec).unwrap().count(), expected);
}
