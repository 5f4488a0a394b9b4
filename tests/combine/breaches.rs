//! Operands that break their contract or do not fit: every combinator reports them.

use super::{Constant, RULES, nontrivial};
use std::ops::ControlFlow;
use topdd::check::{self, RandomSpec, Violation};
use topdd::{DdSpec, Portable, Rule, SpecExt, Step, all, any};

/// A spec whose value 1 leads to variable `to`.
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

/// Each combinator reports a breach of the contract, and never loops or panics.
#[test]
fn combinators_report_breaches_of_their_operands() {
    fn breached<S: DdSpec<State: Portable>>(name: &str, spec: &S) {
        let spec = &spec.boxed();
        for rule in RULES {
            let found = check::contract(spec, rule, 10_000);
            let shows =
                matches!(found, Err(Violation::Backwards { .. } | Violation::OutOfRange { .. }));
            assert!(shows, "{name}: {found:?}");
        }
    }
    for to in [0, 1, 4, 5, u32::MAX as usize, usize::MAX] {
        let spec = &Leads { to }.boxed();
        let one = &Constant { arities: vec![3; 4], one: true }.read_as(Rule::AnyValue).boxed();
        let zero = &Constant { arities: vec![3; 4], one: false }.boxed();
        breached("itself", spec);
        breached("and", &spec.and(one));
        breached("and", &one.and(spec));
        breached("or", &spec.or(zero));
        breached("or", &zero.or(spec));
        breached("and_not", &spec.and_not(zero));
        breached("and_not", &one.and_not(spec));
        breached("xor", &spec.xor(one));
        breached("xor", &one.xor(spec));
        breached("not", &spec.not());
        breached("unreduce", &spec.unreduce());
        breached("read_as", &spec.read_as(Rule::AnyValue));
        breached("lookahead", &spec.lookahead(1));
        breached("lookahead", &spec.lookahead(usize::MAX));
        breached("relabel", &spec.relabel(vec![1, 2, 3, 5], vec![1, 3, 3, 3, 2, 3]));
        breached("all", &all(vec![spec, spec]));
        breached("any", &any(vec![spec, spec]));
    }
}

/// A spec that visits a value that its variables do not have.
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
    fn for_each_child<B>(
        &self,
        (): &(),
        _: usize,
        mut visit: impl FnMut(usize, Step<()>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        visit(2, Step::One)?;
        visit(usize::MAX, Step::One)
    }
}

#[test]
fn combinators_report_values_outside_the_arity() {
    fn breached<S: DdSpec<State: Portable>>(name: &str, spec: &S) {
        let spec = &spec.boxed();
        for rule in RULES {
            let found = check::contract(spec, rule, 10);
            let shows = matches!(found, Err(Violation::ValueOutsideArity { value, .. })
                if value == usize::MAX);
            assert!(shows, "{name}: {found:?}");
        }
    }
    let broken = &VisitsTooMany.boxed();
    let sound = &nontrivial(&[3]).boxed();
    breached("and", &broken.and(sound));
    breached("or", &broken.or(sound));
    breached("or", &sound.or(broken));
    breached("and_not", &broken.and_not(sound));
    breached("xor", &broken.xor(sound));
    breached("not", &broken.not());
    breached("unreduce", &broken.unreduce());
    breached("lookahead", &broken.lookahead(2));
    breached("relabel", &broken.relabel([1], [2, 3]));
    breached("all", &all(vec![broken]));
    breached("any", &any(vec![broken]));
    // Boxed specs narrow the values themselves.
    breached("all", &all(vec![VisitsTooMany]));
    breached("any", &any(vec![VisitsTooMany]));
}

#[test]
fn operands_over_different_variables_are_refused() {
    let [two, three, mixed] = &[vec![2, 2], vec![2, 2, 2], vec![2, 5]]
        .map(|arities| Constant { arities, one: true }.boxed());
    assert_eq!(
        two.and(three).validate().unwrap_err(),
        "`and` needs operands over the same variables, but the left one has 2 variables and \
         the right one has 3; `constraint::on` brings a spec to more variables"
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
    let [two, three] =
        &[vec![2, 2], vec![2, 2, 2]].map(|arities| Constant { arities, one: true }.boxed());
    let invalid = &two.and(three).boxed();
    let message = invalid.validate();
    assert!(message.is_err());
    assert_eq!(invalid.or(two).validate(), message);
    assert_eq!(two.or(invalid).validate(), message);
    assert_eq!(invalid.not().validate(), message);
    assert_eq!(invalid.unreduce().validate(), message);
    assert_eq!(invalid.lookahead(1).validate(), message);
    assert_eq!(invalid.relabel(vec![0, 1], vec![2, 2]).validate(), message);
    assert!(all(vec![invalid]).validate().is_err());
}

#[test]
fn ill_fitting_maps_are_refused() {
    let spec = &Constant { arities: vec![2, 3], one: true }.boxed();
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
}
