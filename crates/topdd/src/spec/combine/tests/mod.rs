//! The combinators compared with brute force, and with the engine.

mod breaches;
mod sets;
mod shapes;

use crate::Portable;
use std::collections::BTreeSet;

use super::super::{DdSpec, Rule, SpecExt, Step};
use crate::check::{self, RandomSpec};

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
        Rule::ZeroSuppressed => crate::zdd(&spec).unwrap().iter().collect(),
        Rule::AnyValue => crate::bdd(&spec).unwrap().iter().collect(),
    };
    assert_eq!(built, found, "the diagram, and brute force");
    found.into_iter().collect()
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
