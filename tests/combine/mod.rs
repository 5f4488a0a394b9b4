//! The combinators compared with brute force, and with the engine.

mod breaches;
mod sets;
mod shapes;

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::ops::ControlFlow;
use topdd::check::{self, RandomSpec};
use topdd::{DdSpec, Frontier, Portable, Rule, SpecExt, Step};

const RULES: [Rule; 2] = [Rule::ZeroSuppressed, Rule::AnyValue];

type Solutions = BTreeSet<Vec<usize>>;

/// Returns the solutions of a spec by brute force. Checks the contract of the spec, and that the
/// engine has the same solutions.
#[track_caller]
fn solutions<S: DdSpec<State: Portable>>(spec: &S, rule: Rule) -> Solutions {
    // Boxed: the checks and the engine of each combination would take long to compile.
    let spec = spec.boxed();
    let found = check::brute_force(&spec, rule).unwrap();
    check::contract(&spec, rule, 10_000).unwrap();
    let built: Vec<_> = match rule {
        Rule::ZeroSuppressed => Frontier::of_boxed(spec).zdd().unwrap().iter().collect(),
        Rule::AnyValue => Frontier::of_boxed(spec).bdd().unwrap().iter().collect(),
    };
    assert_eq!(built, found, "the diagram, and brute force");
    found.into_iter().collect()
}

/// Visits all children of a state.
fn each_child<S: DdSpec>(
    spec: &S,
    state: &S::State,
    variable: usize,
    mut visit: impl FnMut(usize, Step<S::State>),
) {
    let flow = spec.for_each_child(state, variable, |value, step| {
        visit(value, step);
        ControlFlow::<Infallible>::Continue(())
    });
    assert!(flow.is_continue());
}

/// A spec without states.
struct Constant {
    arities: Vec<usize>,
    one: bool,
}

impl DdSpec for Constant {
    type State = ();
    fn num_vars(&self) -> usize {
        self.arities.len()
    }
    fn arity(&self, variable: usize) -> usize {
        self.arities[variable]
    }
    fn root(&self) -> Step<()> {
        if self.one { Step::One } else { Step::Zero }
    }
    fn child(&self, (): &(), _: usize, _: usize) -> Step<()> {
        unreachable!("a constant spec has no states")
    }
}

/// Returns the first drawn spec that has a state and, under both rules, some solutions.
fn nontrivial(arities: &[usize]) -> RandomSpec {
    (0..1000)
        .map(|seed| RandomSpec::over(arities.to_vec(), seed))
        .find(|spec| {
            matches!(spec.root(), Step::To(0, _))
                && RULES.iter().all(|&rule| !solutions(spec, rule).is_empty())
        })
        .expect("most specs are like that")
}
