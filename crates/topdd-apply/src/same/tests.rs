use super::*;
use crate::{Manager, ManagerLimit, assert_same, prop_assert_same};
use proptest::test_runner::TestCaseError;
use std::ops::ControlFlow;
use topdd::check::{RandomSpec, Unequal, same as same_specs};
use topdd::{Limit, Step, constraint};

fn message<S: DdSpec, C: Comparable>(spec: &S, operand: &C) -> String {
    same(spec, operand, &Limits::new()).unwrap_err().to_string()
}

/// Functions of the same bits in a manager of another order.
fn manager(num_vars: usize) -> Manager {
    Manager::builder(num_vars).order((0..num_vars).rev()).build().unwrap()
}

#[test]
fn same_finds_the_difference_that_a_comparison_of_specs_finds() {
    let manager = Manager::builder(4).order([2, 0, 3, 1]).build().unwrap();
    let mut unequal = 0;
    for seed in 0..200 {
        let [a, b] = [seed, seed + 1000].map(|seed| RandomSpec::over(vec![2; 4], seed));
        let (bdd, zdd) = (topdd::bdd(&a).unwrap(), topdd::zdd(&a).unwrap());
        let function = manager.function_of(&bdd).unwrap();
        let family = manager.family_of(&zdd).unwrap();
        assert_same!(a, function);
        assert_same!(&a, &family, Limits::new().max_states(1000));
        assert_same!(a, bdd);
        assert_same!(a, zdd);
        let by_rule = [
            (Rule::AnyValue, same(&b, &function, &Limits::new())),
            (Rule::ZeroSuppressed, same(&b, &family, &Limits::new())),
            (Rule::AnyValue, same(&b, &bdd, &Limits::new())),
            (Rule::ZeroSuppressed, same(&b, &zdd, &Limits::new())),
        ];
        for (rule, found) in by_rule {
            let expected = match same_specs(&a, &b, rule) {
                Err(Unequal::Differ(difference)) => difference,
                other => {
                    other.unwrap();
                    assert_eq!(found, Ok(()));
                    continue;
                }
            };
            unequal += 1;
            let Err(Different::Solutions(found)) = found else { panic!("{found:?}") };
            assert_eq!(found.difference.assignment, expected.assignment);
            let of_spec = found.difference.solution_of == "the spec";
            assert_eq!(of_spec, expected.solution_of == "the second spec");
            assert_eq!(found.trace.accepted(), of_spec);
            let other = match rule {
                Rule::AnyValue => Rule::ZeroSuppressed,
                Rule::ZeroSuppressed => Rule::AnyValue,
            };
            let by_other = same_specs(&(&b).read_as(other), &a, rule);
            assert_eq!(found.is_same_by_other_rule(), by_other.is_ok());
        }
    }
    assert!(unequal > 400, "{unequal}");
}

#[test]
fn a_difference_prints_the_least_counterexample_and_the_states() {
    let m = manager(3);
    let family = m.family([[0, 1], [1, 2]]).unwrap();
    assert_eq!(
        message(&constraint::exactly(3, 2), &family),
        "[1, 0, 1] is a solution of the spec, but not of the family (zero-suppressed)\n\
         the spec has 3 solutions, the family has 2\n\
         root: state exactly: 0 so far at variable 0\n\
         variable 0 = 1: state exactly: 1 so far at variable 1\n\
         variable 1 = 0: state exactly: 1 so far at variable 2\n\
         variable 2 = 1: the 1-terminal\n\
         a solution"
    );
    let any = m.var(0).unwrap() | m.var(1).unwrap() | m.var(2).unwrap();
    let text = message(&constraint::exactly(3, 1), &any);
    let first = "[0, 1, 1] is a solution of the function, but not of the spec (any value)\n\
                 the spec has 3 solutions, the function has 7\n";
    assert!(text.starts_with(first) && text.ends_with("not a solution"), "{text}");
    let diagram = any.to_bdd().unwrap();
    let text = message(&constraint::exactly(3, 1), &diagram);
    assert!(text.contains("is a solution of the diagram"), "{text}");
}

#[test]
fn a_difference_by_the_rule_is_named() {
    // Variable 0 alone decides; 1 is skipped.
    struct First;
    impl DdSpec for First {
        type State = ();
        fn num_vars(&self) -> usize {
            2
        }
        fn root(&self) -> Step<()> {
            Step::To(0, ())
        }
        fn child(&self, (): &(), _: usize, value: usize) -> Step<()> {
            if value == 1 { Step::One } else { Step::Zero }
        }
    }
    let m = manager(2);
    let function = m.var(0).unwrap();
    assert_same!(First, function);
    assert_eq!(
        message(&First, &function.to_family().unwrap()),
        "[1, 1] is a solution of the family, but not of the spec (zero-suppressed)\n\
         the spec has 1 solutions, the family has 2\n\
         under the other rule the spec has the solutions of the family: it skips variables, so compare \
         it with `read_as(Rule::AnyValue)`\n\
         root: state () at variable 0\n\
         variable 0 = 1: the 1-terminal\n\
         variable 1 = 1: skipped, but must be 0 (zero-suppressed)\n\
         not a solution"
    );
    assert_same!(First.read_as(Rule::AnyValue), function.to_family().unwrap());
    let only = m.family([[0]]).unwrap();
    let text = message(&First, &only.to_function().unwrap());
    assert!(text.contains("compare it with `read_as(Rule::ZeroSuppressed)`"), "{text}");
}

#[test]
fn other_variables_and_encodings_are_named() {
    let two = Manager::new(2).unwrap().var(0).unwrap();
    assert_eq!(
        message(&constraint::exactly(3, 1), &two),
        "the spec has 3 variables, but the function has 2"
    );
    let digits = constraint::exactly([4, 3], 1).of_pairs([(0, 3), (1, 2)]);
    let zdd = topdd::zdd(&digits).unwrap();
    assert_eq!(
        message(&digits, &two),
        "variable 0 has 4 values in the spec, but 2 in the function"
    );
    for code in [Code::Binary, Code::OneHot, Code::Order] {
        let encoded = zdd.encode(&Encoding::new(code, &zdd)).unwrap();
        let m = manager(encoded.num_vars());
        let family = m.family_of(&encoded).unwrap();
        let num_vars = encoded.num_vars();
        let hint = |name| {
            format!(
                "the spec has {} variables, but the {} has {}; encoded by the {code} code, {name} \
                 becomes the other: compare the encoded diagram (Diagram::encode)",
                if name == "the spec" { 2 } else { num_vars },
                if name == "the spec" { "family" } else { "diagram" },
                if name == "the spec" { num_vars } else { 2 },
            )
        };
        assert_eq!(message(&digits, &family), hint("the spec"));
        assert_eq!(message(&encoded, &zdd), hint("the diagram"));
    }
    // One variable of three values in the binary code has two; another variable has one value.
    let one = constraint::exactly([3, 1], 1).of_pairs([(0, 2)]);
    let bdd = topdd::bdd(&one).unwrap();
    let encoded = bdd.encode(&Encoding::new(Code::Binary, &bdd)).unwrap();
    let function = manager(2).function_of(&encoded).unwrap();
    let text = message(&one, &function);
    assert!(
        text.starts_with(
            "variable 0 has 3 values in the spec, but 2 in the function; encoded by the binary"
        ),
        "{text}"
    );
}

#[test]
fn limits_apply_to_both_sides() {
    let parity = constraint::sum_modulo(12, 2, 0);
    let m = manager(12);
    let function = m.function_of(&topdd::bdd(&parity).unwrap()).unwrap();
    assert_same!(parity, function, Limits::new().max_states(100).memory_limit(1 << 24));
    let failed = |what, error: Error| Err(Different::Failed { what, error });
    // Of the spec: each of the 12 levels but the first has two states.
    let limits = Limits::new().max_states(10);
    let reached =
        |variable| BuildError::LimitReached { limit: Limit::States(10), variable: Some(variable) };
    let small = Manager::new(12).unwrap().var(3).unwrap();
    assert_eq!(same(&parity, &small, &limits), failed("the spec", reached(4).into()));
    // Of the operand, in another order and in the same.
    let nodes = Error::LimitReached(ManagerLimit::Nodes(10));
    assert_eq!(same(&parity, &function, &limits), failed("the function", nodes));
    let ascending = Manager::new(12).unwrap().copy_function(&function).unwrap();
    let error = same(&parity, &ascending, &limits).unwrap_err();
    assert!(matches!(error, Different::Failed { what: "the function", .. }), "{error}");
    assert!(error.to_string().starts_with("the function could not be built: the limit of 10"));
}

/// `for_each_child` leaves out value 1 of variable 1.
struct LeavesOut;

impl DdSpec for LeavesOut {
    type State = ();
    fn num_vars(&self) -> usize {
        2
    }
    fn root(&self) -> Step<()> {
        Step::To(0, ())
    }
    fn child(&self, (): &(), variable: usize, _: usize) -> Step<()> {
        if variable == 1 { Step::One } else { Step::To(1, ()) }
    }
    fn for_each_child<B>(
        &self,
        state: &(),
        variable: usize,
        mut visit: impl FnMut(usize, Step<()>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        visit(0, self.child(state, variable, 0))?;
        if variable == 0 { visit(1, Step::To(1, ())) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn a_spec_that_breaks_its_contract_is_named() {
    let all = manager(2).constant(true);
    let text = message(&LeavesOut, &all);
    if cfg!(debug_assertions) {
        // Sweeps are checked.
        assert!(text.starts_with("the spec could not be built: the spec breaks"), "{text}");
    } else {
        assert!(text.starts_with("[0, 1] is a solution of the function, but not"), "{text}");
        assert!(text.contains("the diagram of the spec differs from `child`"), "{text}");
    }
}

#[test]
fn the_assertions_fail_with_the_message() {
    let family = manager(3).family([[0, 1]]).unwrap();
    let spec = constraint::exactly(3, 2);
    let expected = message(&spec, &family);
    let caught = std::panic::catch_unwind(|| {
        let family = manager(3).family([[0, 1]]).unwrap();
        assert_same!(constraint::exactly(3, 2), family);
    });
    let text = caught.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(*text, expected);
    let in_property = || {
        prop_assert_same!(constraint::at_least(3, 3), manager(3).family([[0, 1, 2]]).unwrap());
        prop_assert_same!(spec, family, Limits::new().max_states(100));
        Ok(())
    };
    let Err(TestCaseError::Fail(reason)) = in_property() else { panic!() };
    assert_eq!(reason.message(), expected);
}
