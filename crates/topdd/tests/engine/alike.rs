//! Alike variables: the results are the same without them, and wrong ones are found.

use proptest::prelude::*;
use topdd::check::{self, Violation};
use topdd::{BuildError, DdSpec, Forced, Frontier, Rule, SpecExt, Step};

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
        if variable % self.period == 1 { 3 } else { 2 }
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
    let steps = (prop_oneof![0u64..20, Just(31)], prop_oneof![1usize..4, Just(20)]);
    (shape, any::<u64>(), steps).prop_map(|((levels, period, bits), seed, (forced, reach))| {
        let width = 1 << bits;
        Periodic { levels, period, width, seed, forced, reach, tells: true, odd: None }
    })
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
    #[test]
    fn results_are_the_same_as_without_alike_variables(spec in periodic(), threads in 1usize..3) {
        let silent = Periodic { tells: false, ..spec.clone() };
        let (mut with, mut without) = (plain(&spec), plain(&silent));
        let [count, expected] = [&mut with, &mut without].map(|of| of.count().unwrap());
        prop_assert_eq!(count, expected.clone());
        prop_assert_eq!(levels(&with), levels(&without));
        for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
            let states = |of| plain(of).profile_under(rule).unwrap().states();
            prop_assert_eq!(states(&spec), states(&silent));
        }
        let zdd = plain(&spec).threads(threads).zdd().unwrap();
        let without = plain(&silent).zdd().unwrap();
        prop_assert!(zdd == without);
        prop_assert_eq!(zdd.count(), expected);
        let bdd = plain(&spec).bdd().unwrap();
        prop_assert!(bdd == plain(&silent).bdd().unwrap());
        let boxed = Frontier::of_boxed(spec.clone().boxed()).threads(1).checked(false).zdd().unwrap();
        prop_assert!(boxed == zdd);
    }

    /// Small limits make the sweep begin anew without classes; its levels are reported once.
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

#[test]
fn a_wrong_like_is_named() {
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
    let error = check::contract(&Wrong, Rule::AnyValue, 1000).unwrap_err().to_string();
    assert!(error.contains("`like` says that variable 1 is like variable 0"), "{error}");
    let error = Frontier::over(&Wrong).checked(true).count().unwrap_err().to_string();
    assert!(error.contains("`like` says that variable 1 is like variable 0"), "{error}");
}
