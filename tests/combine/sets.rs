//! Each combinator compared with the set operation on the solutions of its operands, found by brute
//! force, under both rules, on random specs.

use super::{Constant, RULES, Solutions, each_child, solutions};
use proptest::prelude::{prop, prop_assert_eq, proptest};
use std::ops::ControlFlow;
use topdd::check::strategies::{several, specs};
use topdd::check::{self, RandomSpec};
use topdd::spec::combine::Relabel;
use topdd::{
    BoxedSpec, DdSpec, Forced, Frontier, Portable, Report, Rule, Space, SpecExt, Step, all, any,
    constraint,
};

/// Returns every assignment over the variables of a spec.
fn universe<S: DdSpec>(spec: &S) -> Solutions {
    let arities = (0..spec.num_vars()).map(|variable| spec.arity(variable)).collect();
    solutions(&Constant { arities, one: true }, Rule::AnyValue)
}

/// Boxed, so that each combination is compiled once, and not for each type of operand.
fn boxed(specs: &[RandomSpec]) -> Vec<BoxedSpec<'_>> {
    specs.iter().map(SpecExt::boxed).collect()
}

/// The same spec with forced values, except for the states that are `blind`.
struct Telling<S> {
    spec: S,
    blind: u64,
}

impl<S: DdSpec> DdSpec for Telling<S> {
    type State = S::State;
    fn num_vars(&self) -> usize {
        self.spec.num_vars()
    }
    fn arity(&self, variable: usize) -> usize {
        self.spec.arity(variable)
    }
    fn root(&self) -> Step<S::State> {
        self.spec.root()
    }
    fn root_under(&self, rule: Rule) -> Step<S::State> {
        self.spec.root_under(rule)
    }
    fn child(&self, state: &S::State, variable: usize, value: usize) -> Step<S::State> {
        self.spec.child(state, variable, value)
    }
    fn forced(&self, state: &S::State, variable: usize) -> Forced<S::State> {
        let mut alive = Vec::new();
        each_child(&self.spec, state, variable, |value, step| alive.push((value, step)));
        match &alive[..] {
            _ if self.blind >> (variable % 64) & 1 == 1 => Forced::Free,
            [] => Forced::Dead,
            [(value, step)] => Forced::Value(*value, step.clone()),
            _ => Forced::Free,
        }
    }
}

/// A wrapper of a spec without `root_under`.
struct Forgetful<S>(S);

impl<S: DdSpec> DdSpec for Forgetful<S> {
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
    fn child(&self, state: &S::State, variable: usize, value: usize) -> Step<S::State> {
        self.0.child(state, variable, value)
    }
}

/// A combination of wrappers without `root_under` is right or refused: never a wrong diagram.
fn refused_or_right<S: DdSpec<State: Portable>>(spec: &S) {
    for rule in RULES {
        let expected = solutions(spec, rule);
        let forgetful = Forgetful(spec.boxed()).boxed();
        let contract = check::contract(&forgetful, rule, 1000);
        let found = match rule {
            Rule::ZeroSuppressed => {
                Frontier::of_boxed(forgetful).zdd().map(|zdd| zdd.iter().collect())
            }
            Rule::AnyValue => Frontier::of_boxed(forgetful).bdd().map(|bdd| bdd.iter().collect()),
        };
        match found {
            Ok(found) => {
                let found: Solutions = found;
                assert_eq!(found, expected);
                contract.unwrap();
            }
            Err(error) => {
                assert!(error.to_string().contains("forward `root_under`"), "{error}");
                let violation = contract.unwrap_err().to_string();
                assert!(violation.contains("forward `root_under`"), "{violation}");
            }
        }
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
    fn for_each_child<B>(
        &self,
        state: &S::State,
        variable: usize,
        mut visit: impl FnMut(usize, Step<S::State>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for value in 0..self.arity(variable) {
            visit(value, self.child(state, variable, value))?;
        }
        ControlFlow::Continue(())
    }
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

/// Puts a two-valued variable before the variables of a spec.
fn behind_one<S: DdSpec>(spec: &S) -> Relabel<&S> {
    let arities: Vec<usize> = std::iter::once(2).chain(Space::from(spec).arities()).collect();
    spec.relabel(1..arities.len(), arities)
}

/// Most values are refused by the last constraint of the list only. The list may have fewer states: values that one constraint
/// excludes are removed from the others.
#[test]
fn a_boxed_list_of_equations_has_at_most_the_states_of_one_linear_constraint() {
    const ROWS: [[i64; 4]; 3] = [[0, 0, 1, -1], [0, 2, 0, 1], [1, 1, 1, 1]];
    let term = |row: usize| {
        move |variable: usize, value: usize| ROWS[row][variable] * i64::try_from(value).unwrap()
    };
    for bounds in [[0, 6, 9], [-2, 3, 4], [1, 40, 9]] {
        let rows = || (0..3).map(|row| constraint::linear([9; 4]).equal(term(row), bounds[row]));
        let list = all(rows().map(SpecExt::boxed));
        let rule = constraint::linear([9; 4]);
        let one = (0..3).fold(rule, |rule, row| rule.equal(term(row), bounds[row]));
        let sum = |row: usize, values: &[usize]| -> i64 {
            values.iter().enumerate().map(|(variable, &value)| term(row)(variable, value)).sum()
        };
        let meets = |values: &[usize]| (0..3).all(|row| sum(row, values) == bounds[row]);
        assert!(check::verify(&list, meets).unwrap().all_states());
        let states = |profile: Report| profile.levels.iter().map(|level| level.states).collect();
        let [listed, single]: [Vec<u64>; 2] = [
            states(Frontier::over(&list).profile().unwrap().clone()),
            states(Frontier::over(&one).profile().unwrap().clone()),
        ];
        assert!(listed.len() <= single.len() && listed.iter().zip(&single).all(|(l, s)| l <= s));
    }
}

proptest! {
    #[test]
    fn binary_operations_have_the_solutions_of_the_set_operation(specs in several(2)) {
        let specs = boxed(&specs);
        let (a, b) = (&specs[0], &specs[1]);
        for rule in RULES {
            let (x, y) = (solutions(a, rule), solutions(b, rule));
            prop_assert_eq!(solutions(&a.and(b), rule), &x & &y);
            prop_assert_eq!(solutions(&a.or(b), rule), &x | &y);
            prop_assert_eq!(solutions(&a.and_not(b), rule), &x - &y);
            prop_assert_eq!(solutions(&a.xor(b), rule), &x ^ &y);
        }
    }

    #[test]
    fn binary_operations_on_specs_that_report_zeros(specs in several(2)) {
        let (a, b) = (&Reporting(&specs[0]).boxed(), &Reporting(&specs[1]).boxed());
        for rule in RULES {
            let (x, y) = (solutions(a, rule), solutions(b, rule));
            prop_assert_eq!(solutions(&a.and(b), rule), &x & &y);
            prop_assert_eq!(solutions(&a.or(b), rule), &x | &y);
            prop_assert_eq!(solutions(&a.and_not(b), rule), &x - &y);
            prop_assert_eq!(solutions(&a.xor(b), rule), &x ^ &y);
            prop_assert_eq!(solutions(&a.not(), rule), &universe(a) - &x);
            prop_assert_eq!(solutions(&a.unreduce(), rule), x);
        }
    }

    #[test]
    fn operations_on_specs_with_forced_values_are_correct(specs in several(3), blind: u64) {
        let telling: Vec<_> =
            specs.iter().map(|spec| Telling { spec, blind }.boxed()).collect();
        let (a, b) = (&telling[0], &telling[1]);
        for rule in RULES {
            let [x, y, z] = [0, 1, 2].map(|i| solutions(&specs[i], rule));
            prop_assert_eq!(&solutions(&a.and(b), rule), &(&x & &y));
            prop_assert_eq!(&solutions(&a.or(b), rule), &(&x | &y));
            prop_assert_eq!(&solutions(&a.and_not(b), rule), &(&x - &y));
            prop_assert_eq!(&solutions(&a.xor(b), rule), &(&x ^ &y));
            prop_assert_eq!(&solutions(&a.not(), rule), &(&universe(a) - &x));
            prop_assert_eq!(&solutions(&a.unreduce(), rule), &x);
            prop_assert_eq!(&solutions(&a.lookahead(2), rule), &x);
            prop_assert_eq!(solutions(&all(&telling), rule), &(&x & &y) & &z);
            prop_assert_eq!(solutions(&any(&telling), rule), &(&x | &y) | &z);
            let moved = solutions(&behind_one(&(&specs[0]).boxed()), rule);
            prop_assert_eq!(solutions(&behind_one(a), rule), moved);
        }
    }

    #[test]
    fn a_wrapper_without_root_under_is_refused(specs in several(2)) {
        let specs = boxed(&specs);
        let (a, b) = (&specs[0], &specs[1]);
        refused_or_right(a);
        refused_or_right(&a.and(b));
        refused_or_right(&a.or(b));
        refused_or_right(&a.not());
        refused_or_right(&a.unreduce());
        refused_or_right(&a.read_as(Rule::AnyValue));
        refused_or_right(&behind_one(&a.or(b)));
        refused_or_right(&all(vec![a, b]).lookahead(1));
        refused_or_right(&Frontier::over(a).zdd().unwrap());
        refused_or_right(&Frontier::over(a).bdd().unwrap());
    }

    #[test]
    fn operations_with_constant_specs_are_correct(spec in specs()) {
        let arities = spec.arities();
        let spec = &(&spec).boxed();
        for rule in RULES {
            let x = solutions(spec, rule);
            for one in [false, true] {
                let constant = &Constant { arities: arities.to_vec(), one }.boxed();
                let y = solutions(constant, rule);
                prop_assert_eq!(solutions(&spec.and(constant), rule), &x & &y);
                prop_assert_eq!(solutions(&constant.and(spec), rule), &x & &y);
                prop_assert_eq!(solutions(&spec.or(constant), rule), &x | &y);
                prop_assert_eq!(solutions(&constant.or(spec), rule), &x | &y);
                prop_assert_eq!(solutions(&spec.and_not(constant), rule), &x - &y);
                prop_assert_eq!(solutions(&constant.and_not(spec), rule), &y - &x);
                prop_assert_eq!(solutions(&spec.xor(constant), rule), &x ^ &y);
                prop_assert_eq!(solutions(&constant.xor(spec), rule), &x ^ &y);
                prop_assert_eq!(solutions(&constant.not(), rule), &universe(constant) - &y);
                prop_assert_eq!(solutions(&constant.unreduce(), rule), y);
            }
        }
    }

    #[test]
    fn a_complement_has_all_other_assignments(spec in specs()) {
        let spec = &(&spec).boxed();
        for rule in RULES {
            let x = solutions(spec, rule);
            prop_assert_eq!(solutions(&spec.not(), rule), &universe(spec) - &x);
            prop_assert_eq!(solutions(&spec.not().not(), rule), x);
        }
    }

    #[test]
    fn unreduce_skips_nothing_and_keeps_the_solutions(spec in specs()) {
        let spec = &(&spec).boxed();
        for rule in RULES {
            let unreduced = spec.unreduce();
            prop_assert_eq!(solutions(&unreduced, rule), solutions(spec, rule));
            assert_visits_all(&unreduced, rule);
            for read_as in RULES {
                let read = spec.read_as(read_as);
                prop_assert_eq!(solutions(&read, rule), solutions(spec, read_as));
                assert_visits_all(&read, rule);
            }
        }
    }

    #[test]
    fn nested_combinations_are_correct(specs in several(3)) {
        let specs = boxed(&specs);
        let (a, b, c) = (&specs[0], &specs[1], &specs[2]);
        for rule in RULES {
            let (x, y, z) = (solutions(a, rule), solutions(b, rule), solutions(c, rule));
            prop_assert_eq!(solutions(&a.and(b.or(c)), rule), &x & &(&y | &z));
            prop_assert_eq!(solutions(&a.xor(b).and_not(c), rule), &(&x ^ &y) - &z);
            prop_assert_eq!(solutions(&a.and(b).unreduce().or(c), rule), &(&x & &y) | &z);
            prop_assert_eq!(solutions(&a.not().and(b.not()), rule), &universe(a) - &(&x | &y));
            prop_assert_eq!(solutions(&a.and_not(b.xor(c)).not(), rule),
                &universe(a) - &(&x - &(&y ^ &z)));
            // Operands with rules of their own.
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

    #[test]
    fn lists_have_the_solutions_of_all_or_any(number in 1..=6_usize, specs in several(6)) {
        let specs = &boxed(&specs)[..number];
        for rule in RULES {
            let sets: Vec<_> = specs.iter().map(|spec| solutions(spec, rule)).collect();
            let both = sets.iter().cloned().reduce(|x, y| &x & &y).unwrap();
            prop_assert_eq!(solutions(&all(specs), rule), both);
            let either = sets.iter().cloned().reduce(|x, y| &x | &y).unwrap();
            prop_assert_eq!(solutions(&any(specs), rule), either);
            let reporting = || specs.iter().map(|spec| Reporting(spec).boxed());
            let none = &universe(&specs[0]) - &solutions(&any(reporting()), rule);
            prop_assert_eq!(solutions(&all(specs.iter().map(SpecExt::not)), rule), none);
            check::contract(&all(reporting()), rule, 10_000).unwrap();
        }
    }

    #[test]
    fn lookahead_removes_dead_states_and_keeps_the_solutions(depth in 0..=4_usize, spec in specs()) {
        let ahead = (&spec).lookahead(depth);
        for rule in RULES {
            prop_assert_eq!(solutions(&(&spec).boxed().lookahead(depth), rule), solutions(&spec, rule));
        }
        let drop = |step| match step {
            Step::To(variable, state) if dies(&spec, depth, state, variable) => Step::Zero,
            step => step,
        };
        prop_assert_eq!(ahead.root(), drop(spec.root()));
        let mut states = vec![spec.root()];
        while let Some(step) = states.pop() {
            let Step::To(variable, state) = step else { continue };
            for value in 0..spec.arity(variable) {
                let step = spec.child(&state, variable, value);
                prop_assert_eq!(ahead.child(&state, variable, value), drop(step));
                states.push(step);
            }
        }
    }

    #[test]
    fn relabelled(
        spec in specs(),
        new in prop::collection::vec((0..=2_usize, 1..=3_usize), 6),
    ) {
        // Up to two new variables before each old one and after the last.
        let (mut map, mut arities) = (Vec::new(), Vec::new());
        for (variable, &(number, arity)) in new.iter().take(spec.num_vars() + 1).enumerate() {
            let room = 7_usize.saturating_sub(spec.num_vars() + arities.len() - map.len());
            arities.extend(vec![arity; number.min(room)]);
            if let Some(&arity) = spec.arities().get(variable) {
                map.push(arities.len());
                arities.push(arity);
            }
        }
        let relabelled = (&spec).boxed().relabel(map.clone(), arities.clone());
        let everything = universe(&relabelled);
        for rule in RULES {
            let x = solutions(&spec, rule);
            let restricted = |y: &Vec<usize>| map.iter().map(|&v| y[v]).collect::<Vec<_>>();
            let gaps = |y: &Vec<usize>| {
                (0..y.len()).all(|v| map.contains(&v) || rule.allows(y[v]))
            };
            let y: Solutions = everything
                .iter()
                .filter(|y| gaps(y) && x.contains(&restricted(y)))
                .cloned()
                .collect();
            prop_assert_eq!(solutions(&relabelled, rule), y.clone());
            // Nested: complements and lookahead see the new gaps as well.
            prop_assert_eq!(solutions(&(&relabelled).not(), rule), &everything - &y);
            prop_assert_eq!(solutions(&(&relabelled).lookahead(2).not(), rule), &everything - &y);
            prop_assert_eq!(solutions(&(&relabelled).unreduce(), rule), y);
        }
    }

    #[test]
    fn deeply_nested_combinations_are_correct(specs in several(4)) {
        let arities = specs[0].arities().to_vec();
        let specs = boxed(&specs);
        let (a, b, c, d) = (&specs[0], &specs[1], &specs[2], &specs[3]);
        for rule in RULES {
            let [x, y, z, w] = [a, b, c, d].map(|spec| solutions(spec, rule));
            prop_assert_eq!(solutions(&a.and(b).lookahead(2).or(c.and(d).lookahead(1)), rule),
                &(&x & &y) | &(&z & &w));
            prop_assert_eq!(solutions(&a.not().and(b).unreduce().lookahead(3).xor(c), rule),
                &(&y - &x) ^ &z);
            // Relabelled combinators get the rule as well.
            let map = || 0..a.num_vars();
            prop_assert_eq!(solutions(&a.or(b).relabel(map(), &arities).and(c), rule),
                &(&x | &y) & &z);
            prop_assert_eq!(solutions(&a.xor(b).relabel(map(), &arities).lookahead(1).and(c), rule),
                &(&x ^ &y) & &z);
            let lists = || any(vec![all(vec![a, b]), all(vec![c, d])]);
            prop_assert_eq!(solutions(&lists(), rule), &(&x & &y) | &(&z & &w));
            prop_assert_eq!(solutions(&lists().not().lookahead(1), rule),
                &universe(a) - &(&(&x & &y) | &(&z & &w)));
        }
    }
}

/// The definition of the states that lookahead removes.
fn dies(spec: &RandomSpec, depth: usize, state: u32, variable: usize) -> bool {
    depth > 0
        && (0..spec.arity(variable)).all(|value| match spec.child(&state, variable, value) {
            Step::Zero => true,
            Step::One => false,
            Step::To(to, child) => dies(spec, depth - 1, child, to),
        })
}
