//! Each combinator against the set operation on the solutions of its operands, found by
//! brute force, under both rules, on specs drawn from seeds.

use std::collections::BTreeSet;

use proptest::prelude::{
    ProptestConfig, Strategy, any as anything, prop, prop_assert_eq, proptest,
};

use super::super::{DdSpec, Rule, Step};
use super::{Side, SpecExt, all, any};
use crate::check::{self, RandomSpec, Violation};

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
    (arities(), anything::<u64>()).prop_map(|(arities, seed)| RandomSpec::over(arities, seed))
}

/// Specs over the same variables.
fn several(number: usize) -> impl Strategy<Value = Vec<RandomSpec>> {
    (arities(), prop::collection::vec(anything::<u64>(), number)).prop_map(|(arities, seeds)| {
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

    #[test]
    fn lists(number in 1..=6_usize, specs in several(6)) {
        let specs = &specs[..number];
        for rule in RULES {
            let sets: Vec<_> = specs.iter().map(|spec| solutions(spec, rule)).collect();
            let both = sets.iter().cloned().reduce(|x, y| &x & &y).unwrap();
            prop_assert_eq!(solutions(&all(specs.iter().collect()), rule), both);
            let either = sets.iter().cloned().reduce(|x, y| &x | &y).unwrap();
            prop_assert_eq!(solutions(&any(specs.iter().collect()), rule), either);
            let reporting = || specs.iter().map(Reporting).collect();
            let none = &universe(&specs[0]) - &solutions(&any(reporting()), rule);
            let complements = specs.iter().map(SpecExt::not).collect();
            prop_assert_eq!(solutions(&all(complements), rule), none);
            check::contract(&all(reporting()), rule, 10_000).unwrap();
        }
    }

    #[test]
    fn lookahead_drops_the_dead(depth in 0..=4_usize, spec in one()) {
        let ahead = (&spec).lookahead(depth);
        for rule in RULES {
            prop_assert_eq!(solutions(&ahead, rule), solutions(&spec, rule));
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
        spec in one(),
        new in prop::collection::vec((0..=2_usize, 1..=3_usize), 6),
        by in 0..=2_usize,
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
        let relabelled = (&spec).relabel(map.clone(), arities.clone());
        let shifted = (&spec).shift(by);
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
            // Nested: complements and lookahead see the new gaps too.
            prop_assert_eq!(solutions(&(&relabelled).not(), rule), &everything - &y);
            prop_assert_eq!(solutions(&(&relabelled).lookahead(2).not(), rule), &everything - &y);
            prop_assert_eq!(solutions(&(&relabelled).unreduce(), rule), y);

            let first = vec![2; by];
            let gaps = universe(&Constant { arities: first, one: true });
            let y: Solutions = gaps
                .iter()
                .filter(|gap| gap.iter().all(|&value| rule.allows(value)))
                .flat_map(|gap| x.iter().map(|x| [&gap[..], x].concat()))
                .collect();
            prop_assert_eq!(solutions(&shifted, rule), y);
        }
    }

    #[test]
    fn deeply_nested(specs in several(4)) {
        let (a, b, c, d) = (&specs[0], &specs[1], &specs[2], &specs[3]);
        for rule in RULES {
            let [x, y, z, w] = [a, b, c, d].map(|spec| solutions(spec, rule));
            prop_assert_eq!(solutions(&a.and(b).lookahead(2).or(c.and(d).lookahead(1)), rule),
                &(&x & &y) | &(&z & &w));
            prop_assert_eq!(solutions(&a.not().and(b).unreduce().lookahead(3).xor(c), rule),
                &(&y - &x) ^ &z);
            let lists = || any(vec![all(vec![a, b]), all(vec![c, d])]);
            prop_assert_eq!(solutions(&lists(), rule), &(&x & &y) | &(&z & &w));
            prop_assert_eq!(solutions(&lists().not().lookahead(1), rule),
                &universe(a) - &(&(&x & &y) | &(&z & &w)));
        }
    }
}

/// The definition of what lookahead drops.
fn dies(spec: &RandomSpec, depth: usize, state: u32, variable: usize) -> bool {
    depth > 0
        && (0..spec.arity(variable)).all(|value| match spec.child(&state, variable, value) {
            Step::Zero => true,
            Step::One => false,
            Step::To(to, child) => dies(spec, depth - 1, child, to),
        })
}

/// From value 1 of variable 1, leads to any variable one likes.
struct Leads {
    to: usize,
}

impl DdSpec for Leads {
    type State = ();
    fn num_vars(&self) -> usize {
        4
    }
    fn arity(&self, _: usize) -> usize {
        3
    }
    fn root(&self) -> Step<()> {
        Step::To(1, ())
    }
    fn child(&self, (): &(), variable: usize, value: usize) -> Step<()> {
        assert!(variable < 4 && value < 3, "asked about variable {variable}, value {value}");
        match value {
            0 => Step::Zero,
            1 => Step::To(self.to, ()),
            _ => Step::One,
        }
    }
}

/// A breach of the contract shows through each combinator, and never makes it loop or panic.
#[test]
fn breaches_show_through() {
    fn breached<S: DdSpec>(name: &str, spec: &S) {
        for rule in RULES {
            let found = check::contract(spec, rule, 10_000);
            let shows =
                matches!(found, Err(Violation::Backwards { .. } | Violation::OutOfRange { .. }));
            assert!(shows, "{name}: {found:?}");
        }
    }
    for to in [0, 1, 4, 5, u32::MAX as usize, usize::MAX] {
        let spec = &Leads { to };
        let one = &Constant { arities: vec![3; 4], one: true }.read_as(Rule::AnyValue);
        let zero = &Constant { arities: vec![3; 4], one: false };
        breached("itself", spec);
        breached("and", &spec.and(one));
        breached("and", &one.and(spec));
        breached("or", &spec.or(zero));
        breached("or", &zero.or(spec));
        breached("difference", &spec.difference(zero));
        breached("difference", &one.difference(spec));
        breached("xor", &spec.xor(one));
        breached("xor", &one.xor(spec));
        breached("not", &spec.not());
        breached("unreduce", &spec.unreduce());
        breached("read_as", &spec.read_as(Rule::AnyValue));
        breached("lookahead", &spec.lookahead(1));
        breached("lookahead", &spec.lookahead(usize::MAX));
        breached("relabel", &spec.relabel(vec![1, 2, 3, 5], vec![1, 3, 3, 3, 2, 3]));
        breached("shift", &spec.shift(2));
        breached("all", &all(vec![spec, spec]));
        breached("any", &any(vec![spec, spec]));
    }
}

/// Visits a value that its variables do not have.
struct VisitsTooMany;

impl DdSpec for VisitsTooMany {
    type State = ();
    fn num_vars(&self) -> usize {
        1
    }
    fn arity(&self, _: usize) -> usize {
        3
    }
    fn root(&self) -> Step<()> {
        Step::To(0, ())
    }
    fn child(&self, (): &(), _: usize, value: usize) -> Step<()> {
        assert!(value < 3, "asked about value {value}");
        if value == 2 { Step::One } else { Step::Zero }
    }
    fn for_each_child<F>(&self, (): &(), _: usize, mut visit: F)
    where
        F: FnMut(usize, Step<()>),
    {
        visit(2, Step::One);
        visit(usize::MAX, Step::One);
    }
}

#[test]
fn values_outside_the_arity_show_through() {
    fn breached<S: DdSpec>(name: &str, spec: &S) {
        for rule in RULES {
            let found = check::contract(spec, rule, 10);
            let shows = matches!(found, Err(Violation::ValueOutsideArity { value, .. })
                if value == usize::MAX);
            assert!(shows, "{name}: {found:?}");
        }
    }
    let broken = &VisitsTooMany;
    let sound = &nontrivial(&[3]);
    breached("and", &broken.and(sound));
    breached("or", &broken.or(sound));
    breached("or", &sound.or(broken));
    breached("difference", &broken.difference(sound));
    breached("xor", &broken.xor(sound));
    breached("not", &broken.not());
    breached("unreduce", &broken.unreduce());
    breached("lookahead", &broken.lookahead(2));
    breached("shift", &broken.shift(1));
    breached("all", &all(vec![broken]));
    breached("any", &any(vec![broken]));
}

/// The first drawn spec that has a state and, under both rules, some solutions.
fn nontrivial(arities: &[usize]) -> RandomSpec {
    (0..1000)
        .map(|seed| RandomSpec::over(arities.to_vec(), seed))
        .find(|spec| {
            matches!(spec.root(), Step::To(0, _))
                && RULES.iter().all(|&rule| !solutions(spec, rule).is_empty())
        })
        .expect("most specs are like that")
}

#[test]
fn operands_over_different_variables_are_refused() {
    let two = &Constant { arities: vec![2, 2], one: true };
    let three = &Constant { arities: vec![2, 2, 2], one: true };
    let mixed = &Constant { arities: vec![2, 5], one: true };
    assert_eq!(
        two.and(three).validate().unwrap_err(),
        "`and` needs operands over the same variables, but the left one has 2 variables and \
         the right one has 3; `relabel` or `shift` brings a spec to more variables"
    );
    assert_eq!(
        two.xor(mixed).validate().unwrap_err(),
        "`xor` needs operands over the same variables, but variable 1 has arity 2 in the left \
         one and 5 in the right one"
    );
    assert_eq!(
        any(vec![two, two, mixed]).validate().unwrap_err(),
        "`or` needs operands over the same variables, but variable 1 has arity 2 in spec 0 of \
         the list and 5 in spec 2 of the list"
    );
    assert_eq!(two.or(two).validate(), Ok(()));
    assert!(all(Vec::<RandomSpec>::new()).validate().unwrap_err().contains("empty list"));
    assert!(check::brute_force(&any(Vec::<RandomSpec>::new()), Rule::AnyValue).is_err());
}

#[test]
fn operands_are_validated() {
    let two = &Constant { arities: vec![2, 2], one: true };
    let three = &Constant { arities: vec![2, 2, 2], one: true };
    let invalid = &two.and(three);
    let message = invalid.validate();
    assert!(message.is_err());
    assert_eq!(invalid.or(two).validate(), message);
    assert_eq!(two.or(invalid).validate(), message);
    assert_eq!(invalid.not().validate(), message);
    assert_eq!(invalid.unreduce().validate(), message);
    assert_eq!(invalid.lookahead(1).validate(), message);
    assert_eq!(invalid.shift(1).validate(), message);
    assert_eq!(invalid.relabel(vec![0, 1], vec![2, 2]).validate(), message);
    assert!(all(vec![invalid]).validate().is_err());
}

#[test]
fn ill_fitting_maps_are_refused() {
    let spec = &Constant { arities: vec![2, 3], one: true };
    let refused = |map: &[usize], arities: &[usize]| {
        spec.relabel(map.to_vec(), arities.to_vec()).validate().unwrap_err()
    };
    assert_eq!(
        refused(&[0], &[2, 3]),
        "`relabel` needs a new variable for each of the 2 variables of the spec, but the map \
         has 1"
    );
    assert_eq!(
        refused(&[1, 1], &[2, 3]),
        "`relabel` needs a strictly increasing map, but variable 0 becomes 1 and variable 1 \
         becomes 1"
    );
    assert_eq!(
        refused(&[1, 4], &[2, 2, 3]),
        "`relabel` makes variable 1 variable 4, but arities are given for 0..3 only"
    );
    assert_eq!(
        refused(&[1, 2], &[2, 2, 2]),
        "`relabel` makes variable 1, of arity 3, variable 2, of arity 2; they must be equal"
    );
    assert_eq!(spec.relabel(vec![1, 2], vec![9, 2, 3, 1]).validate(), Ok(()));
    assert!(spec.shift(usize::MAX).validate().is_err());
    assert!(spec.shift(u32::MAX as usize).not().validate().is_err());
}

/// What makes no difference any more is not kept in the state.
#[test]
fn done_operands_are_dropped() {
    let one = &Constant { arities: vec![2; 3], one: true };
    let zero = &Constant { arities: vec![2; 3], one: false };
    let spec = &nontrivial(&[2; 3]);
    for rule in RULES {
        let any = rule == Rule::AnyValue;
        assert_eq!(spec.and(zero).root_under(rule), Step::Zero);
        assert_eq!(zero.and(spec).root_under(rule), Step::Zero);
        assert_eq!(zero.difference(spec).root_under(rule), Step::Zero);
        assert_eq!(spec.or(one).root_under(rule) == Step::One, any);
        assert_eq!(one.or(spec).root_under(rule) == Step::One, any);
        assert_eq!(spec.difference(one).root_under(rule) == Step::Zero, any);
        assert_eq!(one.xor(one).root_under(rule), Step::Zero);
        assert_eq!(one.difference(one).root_under(rule), Step::Zero);
        assert_eq!(all(vec![one, one]).root_under(rule), Step::One);
        let Step::To(0, pair) = spec.or(zero).root_under(rule) else { panic!("a state at 0") };
        assert_eq!(pair.right(), &Side::Zero);
        assert!(matches!(pair.left(), Side::To { variable: 0, .. }));
    }
}

#[test]
fn states_are_described() {
    fn root<S: DdSpec>(spec: &S) -> String {
        match spec.root() {
            Step::To(_, state) => spec.describe(&state),
            _ => panic!("a state"),
        }
    }

    let spec = &nontrivial(&[2; 3]);
    let one = &Constant { arities: vec![2; 3], one: true };
    let Step::To(_, state) = spec.root() else { panic!("a state") };
    let inner = spec.describe(&state);
    assert_eq!(root(&spec.and(one)), format!("and({inner} at variable 0, 1-terminal)"));
    assert_eq!(root(&spec.not()), format!("not({inner} at variable 0)"));
    assert_eq!(
        root(&spec.read_as(Rule::AnyValue)),
        format!("unreduce({inner} at variable 0, any value)")
    );
    assert_eq!(root(&spec.shift(2)), inner);
    assert_eq!(
        root(&any(vec![spec, spec])),
        format!("or({inner} at variable 0, {inner} at variable 0)")
    );
}

/// Long skips are ordinary.
#[test]
fn long_skips() {
    let by = 200_000;
    let spec = &nontrivial(&[2; 3]).shift(by);
    for rule in RULES {
        check::contract(&spec.unreduce(), rule, usize::MAX).unwrap();
        check::contract(&spec.not(), rule, usize::MAX).unwrap();
        check::contract(&spec.and(spec).lookahead(2), rule, usize::MAX).unwrap();
        let mut assignment = vec![0; by + 3];
        for value in [0, 1] {
            assignment[by / 2] = value;
            let accepted = check::accepts(spec, rule, &assignment).unwrap();
            assert_eq!(check::accepts(&spec.unreduce(), rule, &assignment), Ok(accepted));
            assert_eq!(check::accepts(&spec.not(), rule, &assignment), Ok(!accepted));
        }
    }
}

/// `for_each_child` takes the values of a sparse operand and tries no others.
#[test]
fn sparse_values_stay_sparse() {
    /// Of a million values, only the one in its state.
    struct Only;

    impl DdSpec for Only {
        type State = usize;
        fn num_vars(&self) -> usize {
            2
        }
        fn arity(&self, _: usize) -> usize {
            1_000_000
        }
        fn root(&self) -> Step<usize> {
            Step::To(0, 7)
        }
        fn child(&self, &only: &usize, variable: usize, value: usize) -> Step<usize> {
            assert!([0, 7, 8].contains(&value), "value {value} is tried");
            match variable {
                _ if value != only => Step::Zero,
                0 => Step::To(1, 8),
                _ => Step::One,
            }
        }
        fn for_each_child<F>(&self, &only: &usize, variable: usize, mut visit: F)
        where
            F: FnMut(usize, Step<usize>),
        {
            visit(only, self.child(&only, variable, only));
        }
    }

    fn visits<S: DdSpec>(spec: &S, rule: Rule) -> Vec<usize> {
        let Step::To(0, state) = spec.root_under(rule) else { panic!("a state at 0") };
        let mut values = Vec::new();
        spec.for_each_child(&state, 0, |value, step| {
            assert!(!step.is_zero());
            values.push(value);
        });
        values
    }

    for rule in RULES {
        assert_eq!(visits(&Only.and(Only), rule), [7]);
        assert_eq!(visits(&Only.or(Only), rule), [7]);
        assert_eq!(visits(&Only.xor(Only), rule), [7]);
        assert_eq!(visits(&Only.difference(Only), rule), [7]);
        assert_eq!(visits(&all(vec![Only, Only, Only]), rule), [7]);
        assert_eq!(visits(&any(vec![Only, Only, Only]), rule), [7]);
        assert_eq!(visits(&Only.unreduce(), rule), [7]);
        assert_eq!(visits(&Only.lookahead(1), rule), [7]);
    }
    // An operand that waits leaves value 0 alone under this rule.
    let late = &Only.relabel(vec![1, 2], vec![1_000_000; 3]);
    let soon = &Only.relabel(vec![0, 2], vec![1_000_000; 3]);
    assert_eq!(visits(&soon.or(late), Rule::ZeroSuppressed), [0, 7]);
    assert_eq!(visits(&late.or(soon), Rule::ZeroSuppressed), [0, 7]);
    assert_eq!(visits(&any(vec![late, soon]), Rule::ZeroSuppressed), [0, 7]);
    assert_eq!(visits(&soon.difference(late), Rule::ZeroSuppressed), [7]);
    assert_eq!(visits(&soon.and(late), Rule::AnyValue), [7]);
    assert_eq!(visits(&late.and(soon), Rule::AnyValue), [7]);
}
