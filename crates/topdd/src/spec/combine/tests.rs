//! Each combinator against the set operation on the solutions of its operands, found by
//! brute force, under both rules, on specs drawn from seeds.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::super::{DdSpec, Rule, Step};
use super::SpecExt;
use crate::check::{self, RandomSpec};

pub(super) const RULES: [Rule; 2] = [Rule::ZeroSuppressed, Rule::AnyValue];

type Solutions = BTreeSet<Vec<usize>>;

/// The solutions of a spec that is held to its contract on the way.
#[track_caller]
pub(super) fn solutions<S: DdSpec>(spec: &S, rule: Rule) -> Solutions {
    check::contract(spec, rule, 10_000).unwrap();
    check::brute_force(spec, rule).unwrap().into_iter().collect()
}

/// Every assignment over the variables of a spec.
fn universe<S: DdSpec>(spec: &S) -> Solutions {
    let arities = (0..spec.num_vars()).map(|variable| spec.arity(variable)).collect();
    solutions(&Constant { arities, one: true }, Rule::AnyValue)
}

/// A spec without states.
pub(super) struct Constant {
    pub(super) arities: Vec<usize>,
    pub(super) one: bool,
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

/// The same spec with a `for_each_child` that reports 0-terminals, which is allowed.
struct Reporting<S>(S);

impl<S: DdSpec> DdSpec for Reporting<S> {
    type State = S::State;
    fn num_vars(&self) -> usize {
        self.0.num_vars()
    }
    fn arity(&self, variable: usize) -> usize {
        self.0.arity(variable)
    }
    fn root(&self) -> Step<S::State> {
        self.0.root()
    }
    fn root_under(&self, rule: Rule) -> Step<S::State> {
        self.0.root_under(rule)
    }
    fn child(&self, state: &S::State, variable: usize, value: usize) -> Step<S::State> {
        self.0.child(state, variable, value)
    }
    fn for_each_child<F>(&self, state: &S::State, variable: usize, mut visit: F)
    where
        F: FnMut(usize, Step<S::State>),
    {
        for value in 0..self.arity(variable) {
            visit(value, self.child(state, variable, value));
        }
    }
}

fn arities() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(1..=4_usize, 0..=5)
}

fn one() -> impl Strategy<Value = RandomSpec> {
    (arities(), any::<u64>()).prop_map(|(arities, seed)| RandomSpec::over(arities, seed))
}

/// Specs over the same variables.
fn several(number: usize) -> impl Strategy<Value = Vec<RandomSpec>> {
    (arities(), prop::collection::vec(any::<u64>(), number)).prop_map(|(arities, seeds)| {
        seeds.into_iter().map(|seed| RandomSpec::over(arities.clone(), seed)).collect()
    })
}

/// Asserts that a spec never skips a variable.
fn assert_visits_all<S: DdSpec>(spec: &S, rule: Rule) {
    let num_vars = spec.num_vars();
    let mut level = Vec::new();
    let met = |step, variable: usize, level: &mut Vec<S::State>| match step {
        Step::Zero => {}
        Step::One => assert_eq!(variable, num_vars, "skips before the 1-terminal"),
        Step::To(to, state) => {
            assert_eq!(to, variable, "skips");
            if !level.contains(&state) {
                level.push(state);
            }
        }
    };
    met(spec.root_under(rule), 0, &mut level);
    for variable in 0..num_vars {
        let mut next = Vec::new();
        for state in &level {
            for value in 0..spec.arity(variable) {
                met(spec.child(state, variable, value), variable + 1, &mut next);
            }
        }
        level = next;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn binary_operations(specs in several(2)) {
        let (a, b) = (&specs[0], &specs[1]);
        for rule in RULES {
            let (x, y) = (solutions(a, rule), solutions(b, rule));
            prop_assert_eq!(solutions(&a.and(b), rule), &x & &y);
            prop_assert_eq!(solutions(&a.or(b), rule), &x | &y);
            prop_assert_eq!(solutions(&a.difference(b), rule), &x - &y);
            prop_assert_eq!(solutions(&a.xor(b), rule), &x ^ &y);
        }
    }

    #[test]
    fn binary_operations_on_specs_that_report_zeros(specs in several(2)) {
        let (a, b) = (&Reporting(&specs[0]), &Reporting(&specs[1]));
        for rule in RULES {
            let (x, y) = (solutions(a, rule), solutions(b, rule));
            prop_assert_eq!(solutions(&a.and(b), rule), &x & &y);
            prop_assert_eq!(solutions(&a.or(b), rule), &x | &y);
            prop_assert_eq!(solutions(&a.difference(b), rule), &x - &y);
            prop_assert_eq!(solutions(&a.xor(b), rule), &x ^ &y);
            prop_assert_eq!(solutions(&a.not(), rule), &universe(a) - &x);
            prop_assert_eq!(solutions(&a.unreduce(), rule), x);
        }
    }

    #[test]
    fn operations_with_constants(spec in one()) {
        for rule in RULES {
            let x = solutions(&spec, rule);
            for one in [false, true] {
                let constant = &Constant { arities: spec.arities().to_vec(), one };
                let y = solutions(constant, rule);
                prop_assert_eq!(solutions(&(&spec).and(constant), rule), &x & &y);
                prop_assert_eq!(solutions(&constant.and(&spec), rule), &x & &y);
                prop_assert_eq!(solutions(&(&spec).or(constant), rule), &x | &y);
                prop_assert_eq!(solutions(&constant.or(&spec), rule), &x | &y);
                prop_assert_eq!(solutions(&(&spec).difference(constant), rule), &x - &y);
                prop_assert_eq!(solutions(&constant.difference(&spec), rule), &y - &x);
                prop_assert_eq!(solutions(&(&spec).xor(constant), rule), &x ^ &y);
                prop_assert_eq!(solutions(&constant.xor(&spec), rule), &x ^ &y);
                prop_assert_eq!(solutions(&constant.not(), rule), &universe(constant) - &y);
                prop_assert_eq!(solutions(&constant.unreduce(), rule), y);
            }
        }
    }

    #[test]
    fn complement(spec in one()) {
        for rule in RULES {
            let x = solutions(&spec, rule);
            prop_assert_eq!(solutions(&(&spec).not(), rule), &universe(&spec) - &x);
            prop_assert_eq!(solutions(&(&spec).not().not(), rule), x);
        }
    }

    #[test]
    fn nothing_is_skipped(spec in one()) {
        for rule in RULES {
            let unreduced = (&spec).unreduce();
            prop_assert_eq!(solutions(&unreduced, rule), solutions(&spec, rule));
            assert_visits_all(&unreduced, rule);
            for read_as in RULES {
                let read = (&spec).read_as(read_as);
                prop_assert_eq!(solutions(&read, rule), solutions(&spec, read_as));
                assert_visits_all(&read, rule);
            }
        }
    }

    #[test]
    fn nested(specs in several(3)) {
        let (a, b, c) = (&specs[0], &specs[1], &specs[2]);
        for rule in RULES {
            let (x, y, z) = (solutions(a, rule), solutions(b, rule), solutions(c, rule));
            prop_assert_eq!(solutions(&a.and(b.or(c)), rule), &x & &(&y | &z));
            prop_assert_eq!(solutions(&a.xor(b).difference(c), rule), &(&x ^ &y) - &z);
            prop_assert_eq!(solutions(&a.and(b).unreduce().or(c), rule), &(&x & &y) | &z);
            prop_assert_eq!(solutions(&a.not().and(b.not()), rule), &universe(a) - &(&x | &y));
            prop_assert_eq!(solutions(&a.difference(b.xor(c)).not(), rule),
                &universe(a) - &(&x - &(&y ^ &z)));
            // Operands that are read by rules of their own.
            for (first, second) in [(0, 1), (1, 0)] {
                let mixed = a.read_as(RULES[first]).or(b.read_as(RULES[second]).not()).and(c);
                let x = solutions(a, RULES[first]);
                let y = solutions(b, RULES[second]);
                prop_assert_eq!(solutions(&mixed, rule), &(&x | &(&universe(b) - &y)) & &z);
            }
            let inner = a.or(b).read_as(Rule::AnyValue);
            let x = &solutions(a, Rule::AnyValue) | &solutions(b, Rule::AnyValue);
            prop_assert_eq!(solutions(&inner, rule), x);
        }
    }
}
