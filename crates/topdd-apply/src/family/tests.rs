//! Tests of every operation against a model: a set of sets.

use super::Family;
use crate::error::{Error, ManagerLimit};
use crate::manager::{Manager, StoredRule};
use crate::strategies::{self, managers};
use num_bigint::BigUint;
use proptest::prelude::*;
use std::collections::BTreeSet;
use topdd::diagram::ZeroSuppressed;

type Set = BTreeSet<usize>;
type Sets = BTreeSet<Set>;

const VARS: usize = 7;

/// Managers, some of which collect whenever they make a node.
fn manager() -> impl Strategy<Value = Manager> {
    (managers(VARS), prop::bool::weighted(0.2)).prop_map(|(manager, collect)| {
        ZeroSuppressed::store(&manager.inner).borrow_mut().always_collect = collect;
        manager
    })
}

fn sets() -> impl Strategy<Value = Sets> {
    strategies::sets(VARS)
}

fn family(manager: &Manager, sets: &Sets) -> Family {
    manager.family(sets.iter().cloned()).unwrap()
}

fn sets_of(family: &Family) -> Sets {
    let mut sets = Sets::new();
    for member in family {
        assert!(sets.insert(member.into_iter().collect()), "each member once");
    }
    sets
}

fn check(manager: &Manager, found: &Family, wanted: &Sets) -> Result<(), TestCaseError> {
    prop_assert_eq!(&sets_of(found), wanted);
    prop_assert_eq!(found, &family(manager, wanted), "one form for one family");
    Ok(())
}

/// The results of `make` for all pairs of members.
fn pairs(f: &Sets, g: &Sets, mut make: impl FnMut(&Set, &Set) -> Option<Set>) -> Sets {
    let pairs = f.iter().flat_map(|a| g.iter().map(move |b| (a, b)));
    pairs.filter_map(|(a, b)| make(a, b)).collect()
}

fn keep(f: &Sets, mut wanted: impl FnMut(&Set) -> bool) -> Sets {
    f.iter().filter(|a| wanted(a)).cloned().collect()
}

fn all_sets() -> impl Iterator<Item = Set> {
    (0..1u32 << VARS).map(|bits| (0..VARS).filter(|v| bits >> v & 1 == 1).collect())
}

fn maximal(f: &Sets) -> Sets {
    keep(f, |a| !f.iter().any(|b| a != b && a.is_subset(b)))
}

fn minimal(f: &Sets) -> Sets {
    keep(f, |a| !f.iter().any(|b| a != b && b.is_subset(a)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn set_operations_equal_the_model(m in manager(), f in sets(), g in sets(), v in 0..VARS) {
        let (a, b) = (family(&m, &f), family(&m, &g));
        check(&m, &a, &f)?;
        check(&m, &(&a | &b), &(&f | &g))?;
        check(&m, &(&a & &b), &(&f & &g))?;
        check(&m, &(&a - &b), &(&f - &g))?;
        check(&m, &(&a ^ &b), &(&f ^ &g))?;
        check(&m, &a.subset0(v).unwrap(), &keep(&f, |a| !a.contains(&v)))?;
        let with = keep(&f, |a| a.contains(&v));
        let taken_out = with.into_iter().map(|mut a| { a.remove(&v); a }).collect();
        check(&m, &a.subset1(v).unwrap(), &taken_out)?;
        check(&m, &a.change(v).unwrap(), &f.iter().map(|a| a ^ &Set::from([v])).collect())?;
    }

    #[test]
    fn algebra_equals_the_model(m in manager(), f in sets(), g in sets()) {
        let (a, b) = (family(&m, &f), family(&m, &g));
        check(&m, &a.join(&b).unwrap(), &pairs(&f, &g, |a, b| Some(a | b)))?;
        check(&m, &a.meet(&b).unwrap(), &pairs(&f, &g, |a, b| Some(a & b)))?;
        check(&m, &a.delta(&b).unwrap(), &pairs(&f, &g, |a, b| Some(a ^ b)))?;
        let disjoint = pairs(&f, &g, |a, b| a.is_disjoint(b).then(|| a | b));
        check(&m, &a.disjoint_join(&b).unwrap(), &disjoint)?;
        if g.is_empty() {
            prop_assert_eq!(a.quotient(&b), Err(Error::EmptyDivisor));
            prop_assert_eq!(a.remainder(&b), Err(Error::EmptyDivisor));
        } else {
            let divides = |c: &Set| g.iter().all(|b| b.is_disjoint(c) && f.contains(&(b | c)));
            let quotient: Sets = all_sets().filter(divides).collect();
            check(&m, &a.quotient(&b).unwrap(), &quotient)?;
            let product = pairs(&g, &quotient, |b, c| Some(b | c));
            check(&m, &a.remainder(&b).unwrap(), &(&f - &product))?;
        }
    }

    /// A quotient of random families is nearly always empty; a quotient of a product is not.
    #[test]
    fn quotients_of_products_equal_the_model(m in manager(), f in sets(), g in sets(), h in sets()) {
        let product = &pairs(&f, &g, |a, b| a.is_disjoint(b).then(|| a | b)) | &h;
        let (a, b) = (family(&m, &product), family(&m, &g));
        if !g.is_empty() {
            let divides = |c: &Set| g.iter().all(|b| b.is_disjoint(c) && product.contains(&(b | c)));
            let quotient: Sets = all_sets().filter(divides).collect();
            check(&m, &a.quotient(&b).unwrap(), &quotient)?;
            let covered = pairs(&g, &quotient, |b, c| Some(b | c));
            check(&m, &a.remainder(&b).unwrap(), &(&product - &covered))?;
        }
    }

    #[test]
    fn comparisons_by_inclusion_equal_the_model(m in manager(), f in sets(), g in sets()) {
        let (a, b) = (family(&m, &f), family(&m, &g));
        let is_sub = |a: &Set| g.iter().any(|b| a.is_subset(b));
        let is_super = |a: &Set| g.iter().any(|b| a.is_superset(b));
        check(&m, &a.subsets_of(&b).unwrap(), &keep(&f, is_sub))?;
        check(&m, &a.nonsubsets(&b).unwrap(), &keep(&f, |a| !is_sub(a)))?;
        check(&m, &a.supersets_of(&b).unwrap(), &keep(&f, is_super))?;
        check(&m, &a.nonsupersets(&b).unwrap(), &keep(&f, |a| !is_super(a)))?;
        check(&m, &a.maximal().unwrap(), &maximal(&f))?;
        check(&m, &a.minimal().unwrap(), &minimal(&f))?;
        check(&m, &a.closure().unwrap(), &all_sets().filter(|c| f.iter().any(|a| c.is_subset(a))).collect())?;
        let hits = all_sets().filter(|c| f.iter().all(|a| !a.is_disjoint(c))).collect();
        check(&m, &a.minimal_hitting_sets().unwrap(), &minimal(&hits))?;
    }

    #[test]
    fn queries_equal_the_model(m in manager(), f in sets(), k in 0..VARS + 2) {
        let a = family(&m, &f);
        prop_assert_eq!(a.is_empty(), f.is_empty());
        prop_assert_eq!(a.count(), BigUint::from(f.len()));
        for set in all_sets() {
            prop_assert_eq!(a.contains(set.iter().copied()).unwrap(), f.contains(&set));
        }
        let support: BTreeSet<_> = f.iter().flatten().copied().collect();
        prop_assert_eq!(a.support(), support.into_iter().collect::<Vec<_>>());
        check(&m, &a.exactly(k).unwrap(), &keep(&f, |a| a.len() == k))?;
        let largest = f.iter().map(|a| a.len() + 1).max().unwrap_or(0);
        let sizes: Vec<_> =
            (0..largest).map(|k| BigUint::from(keep(&f, |a| a.len() == k).len())).collect();
        prop_assert_eq!(a.count_by_size(), sizes);
        // The order in which members come: by the values in the order of the manager.
        let rank = |set: &Vec<usize>| m.order().iter().map(|v| set.contains(v)).collect::<Vec<_>>();
        prop_assert!(a.iter().map(|set| rank(&set)).is_sorted());
        // The number of different families under the nodes of a plain ZDD, by brute force.
        let order = m.order();
        let mut nodes = BTreeSet::new();
        for prefix in 0..=order.len() {
            let (above, at) = (&order[..prefix], order.get(prefix).copied());
            let in_above = |a: &Set| a.iter().copied().filter(|v| above.contains(v)).collect::<Set>();
            for start in f.iter().map(in_above).collect::<Sets>() {
                let rest: Sets = f.iter().filter(|a| in_above(a) == start).map(|a| a - &start).collect();
                if at.is_some_and(|at| rest.iter().any(|a| a.contains(&at))) {
                    nodes.insert((at, rest));
                }
            }
        }
        prop_assert_eq!(a.node_count(), nodes.len());
    }

    #[test]
    fn families_made_of_variables_equal_the_model(m in manager(), vars in prop::collection::btree_set(0..VARS, 0..=7), k in 0..9usize, bits: u32) {
        let list = || vars.iter().copied();
        let power: Sets = all_sets().filter(|a| a.is_subset(&vars)).collect();
        check(&m, &m.power_set(list()).unwrap(), &power)?;
        check(&m, &m.combinations(list(), k).unwrap(), &keep(&power, |a| a.len() == k))?;
        check(&m, &m.singletons(list()).unwrap(), &keep(&power, |a| a.len() == 1))?;
        check(&m, &m.set(list()).unwrap(), &Sets::from([vars.clone()]))?;
        let literals = || list().map(|v| (v, bits >> v & 1 == 1));
        let agrees = |a: &Set| literals().all(|(v, value)| a.contains(&v) == value);
        check(&m, &m.family_cube(literals()).unwrap(), &all_sets().filter(agrees).collect())?;
        for v in list() {
            check(&m, &m.singleton(v).unwrap(), &Sets::from([Set::from([v])]))?;
        }
    }

    /// Operations under a limit return the result or an error.
    #[test]
    fn reaching_a_limit_keeps_all_handles(given in prop::collection::vec(sets(), 2..8), limit in 10usize..150) {
        let m = Manager::builder(VARS).max_nodes(limit).build().unwrap();
        let reached = Error::LimitReached(ManagerLimit::Nodes(limit));
        let mut held: Vec<(Family, Sets)> = vec![(m.base(), Sets::from([Set::new()]))];
        for sets in given {
            match m.family(sets.iter().cloned()) {
                Ok(family) => held.push((family, sets)),
                Err(error) => prop_assert_eq!(&error, &reached),
            }
            for other in 0..held.len() {
                let (f, g) = (held[held.len() - 1].clone(), held[other].clone());
                for (result, wanted) in [
                    (f.0.delta(&g.0), pairs(&f.1, &g.1, |a, b| Some(a ^ b))),
                    (f.0.meet(&g.0), pairs(&f.1, &g.1, |a, b| Some(a & b))),
                    (f.0.maximal(), maximal(&f.1)),
                ] {
                    match result {
                        Ok(family) => held.push((family, wanted)),
                        Err(error) => prop_assert_eq!(&error, &reached),
                    }
                }
            }
            for (family, sets) in &held {
                prop_assert_eq!(&sets_of(family), sets);
            }
            prop_assert!(m.statistics().family_nodes <= limit);
            held.truncate(4);
        }
        held.truncate(1);
        prop_assert!(m.set(0..VARS).is_ok());
    }
}

#[test]
fn operations_on_ten_thousand_levels_do_not_overflow_the_stack() {
    let n = 10_000;
    let m = Manager::new(n).unwrap();
    let power = m.power_set(0..n).unwrap();
    assert_eq!(power.count(), BigUint::from(1u8) << n);
    let full = m.set(0..n).unwrap();
    let rest = &power - &full;
    assert_eq!(rest.count(), (BigUint::from(1u8) << n) - 1u32);
    assert_eq!(&rest | &full, power);
    assert_eq!(&rest ^ &power, full);
    assert_eq!(&rest & &power, rest);
    let all = m.singletons(0..n).unwrap();
    assert_eq!(all.count(), BigUint::from(n));
    assert_eq!(all.iter().count(), n);
    assert_eq!(full.closure().unwrap(), power);
    assert_eq!(power.maximal().unwrap(), full);
    assert_eq!(power.minimal().unwrap(), m.base());
    assert_eq!(all.minimal_hitting_sets().unwrap(), full);
    assert_eq!(full.minimal_hitting_sets().unwrap(), all);
    assert_eq!(all.meet(&full).unwrap(), all);
    assert_eq!(all.join(&full).unwrap(), full);
    assert_eq!(all.nonsubsets(&full).unwrap(), m.empty());
    assert_eq!(all.supersets_of(&full).unwrap(), m.empty());
    assert_eq!(full.quotient(&m.singleton(n - 1).unwrap()).unwrap(), m.set(0..n - 1).unwrap());
    assert_eq!(power.subset1(n - 1).unwrap(), m.power_set(0..n - 1).unwrap());
    assert_eq!(full.delta(&full).unwrap(), m.base());
    assert!(power.contains([0, n - 1]).unwrap());
}

#[test]
fn invalid_arguments_are_errors() {
    let m = Manager::new(3).unwrap();
    let other = Manager::new(3).unwrap();
    let f = m.singletons(0..3).unwrap();
    let mixed = Error::MixedManagers { left: 3, right: 3 };
    assert_eq!(f.try_union(&other.base()), Err(mixed.clone()));
    assert_eq!(f.join(&other.base()), Err(mixed.clone()));
    let unknown = Error::UnknownVariable { variable: 3, num_vars: 3 };
    assert_eq!(m.singleton(3).unwrap_err(), unknown);
    assert_eq!(m.family([[0, 3]]).unwrap_err(), unknown);
    assert_eq!(m.power_set(0..4).unwrap_err(), unknown);
    assert_eq!(f.change(3).unwrap_err(), unknown);
    assert_eq!(f.contains([3]).unwrap_err(), unknown);
    assert_eq!(m.family_node(0, &f, &f).unwrap_err(), Error::NotBelow { variable: 0 });
    assert_eq!(
        m.family_cube([(1, true), (1, false)]).unwrap_err(),
        Error::RepeatedVariable { variable: 1 }
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn inclusion_and_disjointness_are_those_of_sets_and_make_no_nodes(m in manager(), a in sets(), b in sets()) {
        let (f, g) = (family(&m, &a), family(&m, &b));
        // Random families are hardly ever comparable.
        let both = &f & &g;
        let rest = &f - &g;
        let nodes = m.statistics().family_nodes;
        prop_assert_eq!(f.is_subset(&g).unwrap(), a.is_subset(&b));
        prop_assert_eq!(f.is_disjoint(&g).unwrap(), a.is_disjoint(&b));
        prop_assert!(both.is_subset(&f).unwrap() && both.is_subset(&g).unwrap());
        prop_assert!(rest.is_disjoint(&g).unwrap());
        prop_assert_eq!(f.is_subset(&rest).unwrap(), a.is_disjoint(&b));
        prop_assert_eq!(m.statistics().family_nodes, nodes);
    }

    #[test]
    fn children_of_the_root_are_the_members_by_the_topmost_variable(m in manager(), a in sets()) {
        let mut unvisited = vec![family(&m, &a)];
        while let Some(f) = unvisited.pop() {
            let Some(variable) = f.top_variable() else {
                prop_assert!(f == m.empty() || f == m.base());
                prop_assert_eq!((f.level(), f.low(), f.high()), (None, None, None));
                continue;
            };
            let order = m.order();
            prop_assert_eq!(f.support().into_iter().min_by_key(|v| order.iter().position(|w| w == v)), Some(variable));
            prop_assert_eq!(order[f.level().unwrap()], variable);
            let (low, high) = (f.low().unwrap(), f.high().unwrap());
            prop_assert_eq!(&low, &f.subset0(variable).unwrap());
            prop_assert_eq!(&high, &f.subset1(variable).unwrap());
            prop_assert_eq!(&m.family_node(variable, &low, &high).unwrap(), &f);
            unvisited.extend([low, high]);
        }
    }
}

#[test]
fn queries_of_two_families_refuse_other_managers() {
    let (small, large) = (Manager::new(2).unwrap(), Manager::new(5).unwrap());
    let mixed = Error::MixedManagers { left: 2, right: 5 };
    let (f, g) = (small.base(), large.base());
    assert_eq!((f.is_subset(&g), f.is_disjoint(&g)), (Err(mixed.clone()), Err(mixed)));
}
