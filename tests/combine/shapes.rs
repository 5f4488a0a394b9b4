//! The shape of the states of combinators, and the number of values visited.

use super::{Constant, RULES, each_child, nontrivial};
use std::ops::ControlFlow;
use topdd::check;
use topdd::spec::combine::OperandState;
use topdd::{DdSpec, Rule, SpecExt, Step, all, any};

/// A state does not contain facts that no longer matter.
#[test]
fn done_operands_are_dropped() {
    let [one, zero] = &[true, false].map(|one| Constant { arities: vec![2; 3], one }.boxed());
    let spec = &nontrivial(&[2; 3]).boxed();
    for rule in RULES {
        let any = rule == Rule::AnyValue;
        assert_eq!(spec.and(zero).root_under(rule), Step::Zero);
        assert_eq!(zero.and(spec).root_under(rule), Step::Zero);
        assert_eq!(zero.and_not(spec).root_under(rule), Step::Zero);
        assert_eq!(spec.or(one).root_under(rule) == Step::One, any);
        assert_eq!(one.or(spec).root_under(rule) == Step::One, any);
        assert_eq!(spec.and_not(one).root_under(rule) == Step::Zero, any);
        assert_eq!(one.xor(one).root_under(rule), Step::Zero);
        assert_eq!(one.and_not(one).root_under(rule), Step::Zero);
        assert_eq!(all(vec![one, one]).root_under(rule), Step::One);
        let Step::To(0, pair) = spec.or(zero).root_under(rule) else { panic!("a state at 0") };
        assert_eq!(pair.right(), &OperandState::Zero);
        assert!(matches!(pair.left(), OperandState::To { distance: 0, .. }));
    }
}

#[test]
fn states_of_combinators_are_described_by_their_operands() {
    fn root<S: DdSpec>(spec: &S) -> String {
        match spec.root() {
            Step::To(_, state) => spec.describe(&state),
            _ => panic!("a state"),
        }
    }

    let spec = &nontrivial(&[2; 3]).boxed();
    let one = &Constant { arities: vec![2; 3], one: true }.boxed();
    let Step::To(_, state) = spec.root() else { panic!("a state") };
    let inner = spec.describe(&state);
    assert_eq!(root(&spec.and(one)), format!("and({inner}, 1-terminal)"));
    assert_eq!(root(&spec.not()), format!("not({inner})"));
    assert_eq!(
        root(&spec.read_as(Rule::AnyValue)),
        format!("unreduce({inner} at variable 0, any value)")
    );
    assert_eq!(root(&spec.relabel(2..5, 5)), inner);
    assert_eq!(root(&any(vec![spec, spec])), format!("or({inner}, {inner})"));
}

/// Long skips are cheap.
#[test]
fn long_skips_are_combined_without_recursion() {
    let by = 100_000;
    let spec = &nontrivial(&[2; 3]).boxed().relabel(by..by + 3, by + 3);
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

/// `for_each_child` visits the values of a sparse operand and no others.
#[test]
fn only_the_values_of_a_sparse_operand_are_visited() {
    /// A spec that allows one of a million values, that in its state.
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
        fn for_each_child<B>(
            &self,
            &only: &usize,
            variable: usize,
            mut visit: impl FnMut(usize, Step<usize>) -> ControlFlow<B>,
        ) -> ControlFlow<B> {
            visit(only, self.child(&only, variable, only))
        }
    }

    fn visits<S: DdSpec>(spec: &S, rule: Rule) -> Vec<usize> {
        let Step::To(0, state) = spec.root_under(rule) else { panic!("a state at 0") };
        let mut values = Vec::new();
        each_child(spec, &state, 0, |value, step| {
            assert!(!step.is_zero());
            values.push(value);
        });
        values
    }

    let only = &Only.boxed();
    for rule in RULES {
        assert_eq!(visits(&only.and(only), rule), [7]);
        assert_eq!(visits(&only.or(only), rule), [7]);
        assert_eq!(visits(&only.xor(only), rule), [7]);
        assert_eq!(visits(&only.and_not(only), rule), [7]);
        assert_eq!(visits(&all(vec![only, only, only]), rule), [7]);
        assert_eq!(visits(&any(vec![only, only, only]), rule), [7]);
        // Boxed specs narrow the values themselves.
        assert_eq!(visits(&all(vec![Only, Only, Only]), rule), [7]);
        assert_eq!(visits(&any(vec![Only, Only, Only]), rule), [7]);
        assert_eq!(visits(&only.unreduce(), rule), [7]);
        assert_eq!(visits(&only.lookahead(1), rule), [7]);
    }
    // An operand that waits allows only value 0 under this rule.
    let late = &only.relabel(vec![1, 2], vec![1_000_000; 3]);
    let soon = &only.relabel(vec![0, 2], vec![1_000_000; 3]);
    assert_eq!(visits(&soon.or(late), Rule::ZeroSuppressed), [0, 7]);
    assert_eq!(visits(&late.or(soon), Rule::ZeroSuppressed), [0, 7]);
    assert_eq!(visits(&any(vec![late, soon]), Rule::ZeroSuppressed), [0, 7]);
    assert_eq!(visits(&soon.and_not(late), Rule::ZeroSuppressed), [7]);
    assert_eq!(visits(&soon.and(late), Rule::AnyValue), [7]);
    assert_eq!(visits(&late.and(soon), Rule::AnyValue), [7]);
}
