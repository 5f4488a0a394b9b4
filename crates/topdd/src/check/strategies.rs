//! Strategies of the crate `proptest` that draw specs, which shrink to small ones.
//!
//! Behind the feature `proptest`. A failing case shrinks to few variables of few values,
//! few states, and steps that mostly lead to the 0-terminal; [`RandomSpec`] prints its table.
//!
//! A property test of the complement of a union:
//!
//! ```
//! use proptest::prelude::*;
//! use topdd::SpecExt;
//! use topdd::check::strategies::several;
//!
//! proptest! {
//!     # /*
//!     #[test]
//!     # */
//!     fn de_morgan(specs in several(2)) {
//!         let (a, b) = (&specs[0], &specs[1]);
//!         let not_either = topdd::zdd(&a.or(b).not()).unwrap();
//!         prop_assert_eq!(not_either, topdd::zdd(&a.not().and(b.not())).unwrap());
//!     }
//! }
//! # de_morgan();
//! ```

use proptest::bool::weighted;
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::Strategy;

use super::RandomSpec;
use crate::Step;

/// The maximum numbers of variables, values of a variable, and states at a variable.
const VARIABLES: usize = 5;
const VALUES: usize = 4;
const STATES: usize = 4;

/// Draws specs over 0 to 5 variables of 1 to 4 values each.
///
/// All shapes of [`RandomSpec`] are drawn: steps that skip variables, terminals at any
/// height, states that reach no 1-terminal, constant specs.
///
/// ```
/// use proptest::prelude::*;
/// use topdd::Rule;
/// use topdd::check::{contract, strategies::specs};
///
/// proptest! {
///     # /*
///     #[test]
///     # */
///     fn the_contract_is_kept(spec in specs()) {
///         contract(&spec, Rule::AnyValue, usize::MAX)?;
///     }
/// }
/// # the_contract_is_kept();
/// ```
pub fn specs() -> impl Strategy<Value = RandomSpec> {
    several(1).prop_map(|mut specs| specs.remove(0))
}

/// Draws `number` specs over the same variables: 0 to 5 variables of 1 to 4 values each. See the
/// example of the [module](self).
pub fn several(number: usize) -> impl Strategy<Value = Vec<RandomSpec>> {
    // A row has a step for the maximum number of values, and only the first `arity` steps count. So the
    // arity can shrink by itself.
    let variable = (1..=VALUES, vec(rows(VALUES), number));
    // Roots shrink first: variables can be left out once all is the same from there.
    (vec(root(), number), vec(variable, 0..=VARIABLES)).prop_map(|(roots, variables)| {
        let arities: Vec<usize> = variables.iter().map(|&(arity, _)| arity).collect();
        let spec = |(i, root): (usize, Draw)| {
            let levels: Vec<_> = variables.iter().map(|(_, levels)| levels[i].clone()).collect();
            build(arities.clone(), root, &levels)
        };
        roots.into_iter().enumerate().map(spec).collect()
    })
}

/// Draws specs over variables of the given arities, which do not change when a case shrinks.
///
/// ```
/// use proptest::prelude::*;
/// use topdd::check::strategies::specs_over;
///
/// proptest! {
///     # /*
///     #[test]
///     # */
///     fn two_of_three(spec in specs_over(&[3, 2])) {
///         prop_assert_eq!(spec.arities(), [3, 2]);
///     }
/// }
/// # two_of_three();
/// ```
pub fn specs_over(arities: &[usize]) -> impl Strategy<Value = RandomSpec> + use<> {
    let arities = arities.to_vec();
    let levels: Vec<_> = arities.iter().map(|&arity| rows(arity)).collect();
    (root(), levels).prop_map(move |(root, levels)| build(arities.clone(), root, &levels))
}

/// A step as drawn, before the numbers of variables and states are known. Smaller numbers are
/// simpler.
#[derive(Clone, Copy, Debug)]
struct Draw {
    kind: SpecKind,
    /// The index of the target among the later variables.
    later: usize,
    /// The index of the state at that variable.
    state: usize,
}

#[derive(Clone, Copy, Debug)]
enum SpecKind {
    Zero,
    One,
    To,
}

/// The states of a variable: whether nearly all steps of a state lead to the 0-terminal, and its
/// steps.
type Rows = Vec<(bool, Vec<Draw>)>;

/// Draws steps: one in `out_of` is the 0-terminal, and one in `out_of` is the 1-terminal.
fn draws(out_of: u8) -> impl Strategy<Value = Draw> {
    let kind = (0..out_of).prop_map(|kind| match kind {
        0 => SpecKind::Zero,
        1 => SpecKind::One,
        _ => SpecKind::To,
    });
    // Mostly the next variable: a spec of long skips has few states.
    let later = (0..5_u8, any::<u8>()).prop_map(|(how, far)| match how {
        0..=2 => 0,
        3 => usize::from(far) % 2,
        _ => usize::from(far),
    });
    let parts = (kind, later, 0..STATES);
    parts.prop_map(|(kind, later, state)| Draw { kind, later, state })
}

fn root() -> impl Strategy<Value = Draw> {
    draws(20)
}

fn rows(arity: usize) -> impl Strategy<Value = Rows> {
    vec((weighted(0.25), vec(draws(5), arity)), 1..=STATES)
}

fn build(arities: Vec<usize>, root: Draw, levels: &[Rows]) -> RandomSpec {
    let step = |draw: Draw, from: usize| match draw.kind {
        SpecKind::Zero => Step::Zero,
        SpecKind::To if from < levels.len() => {
            let variable = from + draw.later % (levels.len() - from);
            Step::To(variable, (draw.state % levels[variable].len()) as u32)
        }
        SpecKind::One => Step::One,
        // No variable is left.
        SpecKind::To => [Step::Zero, Step::One][draw.state % 2],
    };
    let rows = levels.iter().enumerate().map(|(variable, rows)| {
        let row = |(deadly, draws): &(bool, Vec<Draw>)| {
            let cell = |&draw: &Draw| match draw {
                // Some states are dead or nearly so, as test cases for lookahead.
                Draw { state: 1.., .. } if *deadly => Step::Zero,
                _ => step(draw, variable + 1),
            };
            draws.iter().take(arities[variable]).map(cell).collect()
        };
        rows.iter().map(row).collect()
    });
    let rows = rows.collect();
    RandomSpec::of_table(arities, step(root, 0), rows)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::{RngAlgorithm, TestError, TestRng, TestRunner};

    use super::*;
    use crate::check::{brute_force, contract};
    use crate::{DdSpec, Rule};

    fn drawn(number: usize) -> Vec<RandomSpec> {
        use proptest::strategy::ValueTree;
        let mut runner = TestRunner::deterministic();
        (0..number).map(|_| specs().new_tree(&mut runner).unwrap().current()).collect()
    }

    #[test]
    fn all_shapes_are_drawn_and_keep_the_contract() {
        let specs = drawn(2000);
        for spec in &specs {
            contract(spec, Rule::ZeroSuppressed, usize::MAX).unwrap();
        }
        let some = |shape: &dyn Fn(&RandomSpec) -> bool| specs.iter().any(shape);
        for constant in [Step::Zero, Step::One] {
            assert!(some(&|spec| spec.num_vars() == 0 && spec.root() == constant));
            assert!(some(&|spec| spec.num_vars() > 2 && spec.root() == constant));
        }
        assert!(some(&|spec| matches!(spec.root(), Step::To(2.., _))));
        for arity in 1..=VALUES {
            assert!(some(&|spec| spec.arities().contains(&arity)));
        }
        let many = |spec: &&RandomSpec| brute_force(*spec, Rule::AnyValue).unwrap().len() > 10;
        assert!(specs.iter().filter(many).count() > 300);
    }

    /// The smallest spec that refutes a property.
    fn smallest(property: impl Fn(&RandomSpec) -> bool) -> RandomSpec {
        let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
        let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let mut runner = TestRunner::new_with_rng(config, rng);
        let failed = runner.run(&specs(), |spec| {
            prop_assert!(property(&spec));
            Ok(())
        });
        match failed {
            Err(TestError::Fail(_, spec)) => spec,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn failing_cases_shrink_to_small_specs() {
        let spec = smallest(|spec| brute_force(spec, Rule::AnyValue).unwrap().is_empty());
        assert_eq!((spec.num_vars(), spec.root()), (0, Step::One));
        // The smallest diagram with a node.
        let spec = smallest(|spec| crate::bdd(spec).unwrap().node_count() == 0);
        assert!(spec.num_vars() <= 2, "{spec:?}");
        assert_eq!(crate::bdd(&spec).unwrap().node_count(), 1);
    }

    proptest! {
        #[test]
        fn several_are_over_the_same_variables(specs in several(3)) {
            prop_assert_eq!(specs.len(), 3);
            prop_assert!(specs.iter().all(|spec| spec.arities() == specs[0].arities()));
        }

        #[test]
        fn arities_are_kept(spec in specs_over(&[1, 7, 0, 2])) {
            prop_assert_eq!(spec.arities(), [1, 7, 0, 2]);
        }
    }
}
