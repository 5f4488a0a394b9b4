//! There and back, and the same solutions on the way.

use super::Encoding;
use crate::error::Error;
use crate::manager::{Kind, Manager};
use crate::store::{AnyValue, ZeroSuppressed};
use crate::strategies::orders;
use proptest::prelude::*;
use std::collections::BTreeSet;
use topdd::check::RandomSpec;
use topdd::check::strategies::{specs, specs_over};
use topdd::{Bdd, Zdd};

/// A manager whose order is drawn, ascending every other time, and which sometimes
/// collects whenever it makes a node.
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
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn two_valued((m, other) in (manager(6), manager(6)), spec in specs_over(&[2; 6])) {
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

    #[test]
    fn multi_valued(spec in specs(), m in manager(20), one_hot: bool) {
        let (bdd, zdd) = diagrams(&spec);
        let arities = spec.arities().to_vec();
        let encoding = if one_hot { Encoding::one_hot(arities) } else { Encoding::binary(arities) };
        let code = |solution: Vec<usize>| -> BTreeSet<usize> {
            let bits = solution.iter().enumerate().flat_map(|(v, &value)| {
                let bits = encoding.bits(v);
                let size = bits.len();
                bits.enumerate().filter(move |&(i, _)| {
                    if one_hot { i == value } else { value / (1 << (size - 1 - i)) % 2 == 1 }
                })
            });
            bits.map(|(_, bit)| bit).collect()
        };
        let wanted: BTreeSet<_> = bdd.iter().map(code).collect();
        // Variables beyond the code are not in any member.
        let family = encoding.family(&m, &zdd).unwrap();
        let members: BTreeSet<_> = family.iter().map(|set| set.into_iter().collect()).collect();
        prop_assert_eq!(&members, &wanted);
        prop_assert_eq!(&encoding.family(&m, &bdd).unwrap(), &family);
        prop_assert_eq!(encoding.decode_family(&family).unwrap(), zdd.clone());
        // A function does not depend on them.
        let function = encoding.function(&m, &bdd).unwrap();
        let exact = Manager::new(encoding.num_vars()).unwrap();
        let codes: BTreeSet<_> = exact.copy_function(&function).unwrap().to_family().unwrap()
            .iter().map(|set| set.into_iter().collect()).collect();
        prop_assert_eq!(&codes, &wanted);
        prop_assert_eq!(&encoding.function(&m, &zdd).unwrap(), &function);
        prop_assert_eq!(encoding.decode_function(&function).unwrap(), bdd);
    }
}

/// What is no code is left out.
#[test]
fn decoding_everything() {
    for encoding in [Encoding::one_hot([3, 1, 2]), Encoding::binary([3, 1, 2])] {
        let m = Manager::new(encoding.num_vars()).unwrap();
        let all = encoding.decode_function(&m.constant(true)).unwrap();
        assert_eq!(all.count(), 6u32.into());
        let all = encoding.decode_family(&m.power_set(0..m.num_vars()).unwrap()).unwrap();
        assert_eq!(all.count(), 6u32.into());
    }
}

#[test]
fn codes_of_too_many_variables_are_refused() {
    let encoding = Encoding::one_hot([usize::MAX, usize::MAX]);
    assert!(matches!(Manager::new(encoding.num_vars()), Err(Error::TooManyVariables { .. })));
}

#[test]
fn deep_diagrams() {
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
fn what_does_not_fit_is_refused() {
    let m = Manager::new(3).unwrap();
    let mismatch = |error: Error| matches!(error, Error::Mismatch { .. });
    let (bdd, zdd) = diagrams(&RandomSpec::over(vec![2; 4], 1));
    assert!(mismatch(m.function_of(&bdd).unwrap_err()));
    assert!(mismatch(m.family_of(&zdd).unwrap_err()));
    let (bdd, zdd) = diagrams(&RandomSpec::over(vec![2, 3], 1));
    assert!(mismatch(m.function_of(&bdd).unwrap_err()));
    assert!(mismatch(m.family_of(&zdd).unwrap_err()));
    assert!(mismatch(Encoding::binary([2, 2]).function(&m, &bdd).unwrap_err()));
    assert!(mismatch(Encoding::one_hot([2, 3]).decode_function(&m.constant(true)).unwrap_err()));
    let small = Manager::new(1).unwrap();
    let unknown = Error::UnknownVariable { variable: 2, num_vars: 1 };
    assert_eq!(small.copy_function(&m.var(2).unwrap()).unwrap_err(), unknown);
    assert_eq!(small.copy_family(&m.singleton(2).unwrap()).unwrap_err(), unknown);
    assert!(small.copy_function(&m.var(0).unwrap()).is_ok());
}
