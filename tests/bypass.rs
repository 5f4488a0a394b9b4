//! Specs that say which of their states have no other way than value 0.

use proptest::prelude::*;
use topdd::check::{RandomSpec, contract};
use topdd::{DdSpec, Frontier, Rule, Step};

/// A random spec that knows all its forced states, or some of them.
struct Forced {
    spec: RandomSpec,
    /// Every so many of the variables, it does not look.
    blind: usize,
}

impl DdSpec for Forced {
    type State = <RandomSpec as DdSpec>::State;
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
    fn bypass(&self, state: &Self::State, variable: usize) -> Option<Step<Self::State>> {
        let mut others = 1..self.arity(variable);
        let forced = others.all(|value| self.child(state, variable, value).is_zero());
        (forced && variable % self.blind != 0).then(|| self.child(state, variable, 0))
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn shortcuts_change_nothing_but_the_states(
        seed in any::<u64>(), blind in 1usize..5, threads in 1usize..4,
    ) {
        let spec = RandomSpec::new(seed);
        let forced = Forced { spec: RandomSpec::new(seed), blind };
        contract(&forced, Rule::ZeroSuppressed, 1000).unwrap();
        let mut frontier = Frontier::over(&forced).threads(threads);
        prop_assert_eq!(frontier.zdd().unwrap(), topdd::zdd(&spec).unwrap());
        let states = |frontier: &Frontier<'_, _>| -> u64 {
            frontier.report().levels().iter().map(|level| level.states).sum()
        };
        let stored = states(&frontier);
        prop_assert_eq!(frontier.count().unwrap(), topdd::count(&spec).unwrap());
        prop_assert_eq!(states(&frontier), stored);
        // Under the other rule such a state is a node.
        prop_assert_eq!(frontier.bdd().unwrap(), topdd::bdd(&spec).unwrap());
        prop_assert_eq!(frontier.count_bdd().unwrap(), topdd::count_bdd(&spec).unwrap());
    }
}

#[test]
fn a_shortcut_backwards_is_not_followed() {
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
        fn bypass(&self, state: &u8, variable: usize) -> Option<Step<u8>> {
            (variable < 2).then(|| self.child(state, variable, 0))
        }
    }
    let error = topdd::count(&Backwards).unwrap_err();
    assert!(matches!(error, topdd::Error::BadStep { variable: 1, value: 0, to: 0, .. }), "{error}");
}
