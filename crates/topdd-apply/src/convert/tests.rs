//! Tests that conversions and their inverses keep the solutions.

use crate::error::Error;
use crate::manager::{Manager, StoredRule};

use crate::strategies::orders;
use proptest::prelude::*;
use std::collections::BTreeSet;
use topdd::check::RandomSpec;
use topdd::check::strategies::{specs, specs_over};
use topdd::diagram::{AnyValue, ZeroSuppressed};
use topdd::{Bdd, Code, Encoding, Zdd};

/// Managers of random order, half of them ascending. Some collect whenever they make a node.
fn manager(num_vars: usize) -> impl Strategy<Value = Manager> {
    let order = prop_oneof![Just((0..num_vars).collect::<Vec<_>>()), orders(num_vars)];
    (order, prop::bool::weighted(0.2)).prop_map(move |(order, collect)| {
        let manager = Manager::builder(num_vars).order(order).build().unwrap();
        AnyValue::store(&manager.inner).borrow_mut().always_collect = collect;
        ZeroSuppressed::store(&manager.inner).borrow_mut().always_collect = collect;
        manager
    })
}

fn diagrams(spec: &RandomSpec) -> (Bdd, Zdd) {
    let bdd = topdd::bdd(spec).unwrap();
    let zdd = bdd.to_zdd().unwrap();
    (bdd, zdd)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn conversions_of_two_valued_diagrams_keep_the_solutions((m, other) in (manager(6), manager(6)), spec in specs_over(&[2; 6])) {
        let (bdd, zdd) = diagrams(&spec);
        let (f, g) = (m.function_of(&bdd).unwrap(), m.family_of(&zdd).unwrap());
        prop_assert_eq!(f.to_bdd().unwrap(), bdd.clone());
        prop_assert_eq!(g.to_zdd().unwrap(), zdd.clone());
        prop_assert_eq!(&f.to_family().unwrap(), &g);
        prop_assert_eq!(&g.to_function().unwrap(), &f);
        prop_assert_eq!(f.count(), bdd.count());
        prop_assert_eq!(g.count(), zdd.count());
        for solution in &bdd {
            let values: Vec<_> = solution.iter().map(|&value| value == 1).collect();
            prop_assert!(f.eval(&values).unwrap());
            prop_assert!(g.contains((0..6).filter(|&v| values[v])).unwrap());
        }
        if m.order() == [0, 1, 2, 3, 4, 5] {
            prop_assert_eq!(g.node_count(), zdd.node_count());
        }
        let (f2, g2) = (other.copy_function(&f).unwrap(), other.copy_family(&g).unwrap());
        prop_assert_eq!(f2.to_bdd().unwrap(), bdd);
        prop_assert_eq!(g2.to_zdd().unwrap(), zdd);
    }

    /// Encoded diagrams, in a manager that may have more variables.
    #[test]
    fn conversions_of_encoded_diagrams_keep_the_solutions(spec in specs(), m in manager(20)) {
        let (bdd, zdd) = diagrams(&spec);
        let arities = spec.arities();
        for code in [Code::OneHot, Code::Order, Code::Binary] {
            let encoding = Encoding::new(code, arities);
            let family = m.family_of(&zdd.encode(&encoding).unwrap()).unwrap();
            let wanted: BTreeSet<Vec<usize>> = bdd.iter().map(|solution| {
                let bits = encoding.encode_solution(&solution).unwrap();
                (0..bits.len()).filter(|&bit| bits[bit] == 1).collect()
            }).collect();
            prop_assert_eq!(family.iter().collect::<BTreeSet<_>>(), wanted);
            // A function does not depend on the other variables.
            let function = m.function_of(&bdd.encode(&encoding).unwrap()).unwrap();
            let exact = Manager::new(encoding.num_vars()).unwrap();
            let function = exact.copy_function(&function).unwrap();
            prop_assert_eq!(&function.to_family().unwrap(), &exact.copy_family(&family).unwrap());
            prop_assert_eq!(function.to_bdd().unwrap().decode(&encoding).unwrap(), bdd.clone());
        }
    }
}

#[test]
fn deep_diagrams_are_converted_without_recursion() {
    let n = 10_000;
    let m = Manager::new(n).unwrap();
    let all = m.cube((0..n).map(|v| (v, true))).unwrap();
    let full = m.set(0..n).unwrap();
    assert_eq!(all.to_family().unwrap(), full);
    assert_eq!(full.to_function().unwrap(), all);
    assert_eq!(m.constant(true).to_family().unwrap(), m.power_set(0..n).unwrap());
    let (bdd, zdd) = (all.to_bdd().unwrap(), full.to_zdd().unwrap());
    assert_eq!(bdd.node_count(), n);
    assert_eq!(m.function_of(&bdd).unwrap(), all);
    assert_eq!(m.family_of(&zdd).unwrap(), full);
}

#[test]
fn diagram_that_does_not_fit_the_manager_is_an_error() {
    let m = Manager::new(3).unwrap();
    let mismatch = |error: Error| matches!(error, Error::Mismatch { .. });
    let (bdd, zdd) = diagrams(&RandomSpec::over(vec![2; 4], 1));
    assert!(mismatch(m.function_of(&bdd).unwrap_err()));
    assert!(mismatch(m.family_of(&zdd).unwrap_err()));
    let (bdd, zdd) = diagrams(&RandomSpec::over(vec![2, 3], 1));
    assert!(mismatch(m.function_of(&bdd).unwrap_err()));
    assert!(mismatch(m.family_of(&zdd).unwrap_err()));
    let small = Manager::new(1).unwrap();
    let unknown = Error::UnknownVariable { variable: 2, num_vars: 1 };
    assert_eq!(small.copy_function(&m.var(2).unwrap()).unwrap_err(), unknown);
    assert_eq!(small.copy_family(&m.singleton(2).unwrap()).unwrap_err(), unknown);
    assert!(small.copy_function(&m.var(0).unwrap()).is_ok());
}
