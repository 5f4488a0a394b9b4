use crate::error::{Error, ManagerLimit};
use crate::manager::Manager;
use crate::strategies::{families, functions, literals, managers, orders};
use crate::{Family, Function, Limits, Sifted, Sifting};
use proptest::prelude::*;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const VARS: usize = 6;

type Cubes = Vec<Vec<(usize, bool)>>;

fn cubes() -> impl Strategy<Value = Cubes> {
    prop::collection::vec(literals(VARS), 0..8)
}

fn function(manager: &Manager, cubes: &Cubes) -> Function {
    manager.dnf(cubes.clone()).unwrap()
}

fn family(manager: &Manager, cubes: &Cubes) -> Family {
    let set = |cube: &Vec<(usize, bool)>| {
        cube.iter().filter(|&&(_, value)| value).map(|&(v, _)| v).collect::<Vec<_>>()
    };
    manager.family(cubes.iter().map(set)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    /// Building the same functions again gives the same handles: the table has no node twice.
    #[test]
    fn reordering_keeps_the_meaning_of_all_handles(given in prop::collection::vec(cubes(), 1..5), orders in prop::collection::vec(orders(VARS), 1..4)) {
        let m = Manager::new(VARS).unwrap();
        let functions: Vec<_> = given.iter().map(|cubes| function(&m, cubes)).collect();
        let families: Vec<_> = given.iter().map(|cubes| family(&m, cubes)).collect();
        let tables: Vec<Vec<_>> = functions.iter().map(|f| f.to_family().unwrap().iter().collect()).collect();
        let members: Vec<Vec<_>> = families.iter().map(|f| f.iter().collect()).collect();
        for wanted in orders {
            m.reorder(wanted.clone()).unwrap();
            prop_assert_eq!(m.order(), wanted.clone());
            let before = m.statistics();
            m.collect();
            let after = m.statistics();
            prop_assert_eq!(before.function_nodes, after.function_nodes, "nothing is garbage");
            prop_assert_eq!(before.family_nodes, after.family_nodes, "nothing is garbage");
            let anew = Manager::builder(VARS).order(wanted).build().unwrap();
            for (i, cubes) in given.iter().enumerate() {
                prop_assert_eq!(&function(&m, cubes), &functions[i]);
                prop_assert_eq!(&family(&m, cubes), &families[i]);
                prop_assert_eq!(functions[i].node_count(), function(&anew, cubes).node_count());
                prop_assert_eq!(families[i].node_count(), family(&anew, cubes).node_count());
                let mut table: Vec<_> = functions[i].to_family().unwrap().iter().collect();
                let mut sets: Vec<_> = families[i].iter().collect();
                let (mut old_table, mut old_sets) = (tables[i].clone(), members[i].clone());
                for list in [&mut table, &mut old_table, &mut sets, &mut old_sets] {
                    list.sort_unstable();
                }
                prop_assert_eq!(table, old_table);
                prop_assert_eq!(sets, old_sets);
            }
        }
    }

    #[test]
    fn sifting_never_adds_nodes(given in prop::collection::vec(cubes(), 1..4), first in orders(VARS)) {
        let m = Manager::builder(VARS).order(first).build().unwrap();
        let functions: Vec<_> = given.iter().map(|cubes| function(&m, cubes)).collect();
        let families: Vec<_> = given.iter().map(|cubes| family(&m, cubes)).collect();
        m.collect();
        let before = m.statistics();
        let sifted = m.sift().unwrap();
        prop_assert!(sifted <= before.function_nodes + before.family_nodes);
        m.collect();
        let after = m.statistics();
        prop_assert_eq!(after.function_nodes + after.family_nodes, sifted);
        for (i, cubes) in given.iter().enumerate() {
            prop_assert_eq!(&function(&m, cubes), &functions[i]);
            prop_assert_eq!(&family(&m, cubes), &families[i]);
        }
    }

    #[test]
    fn reaching_a_limit_keeps_the_meaning_of_all_handles(given in cubes(), wanted in orders(VARS), limit in 10usize..60) {
        let m = Manager::builder(VARS).max_nodes(limit).build().unwrap();
        if let Ok(f) = m.dnf(given.clone()) {
            let free = Manager::new(VARS).unwrap();
            let g = free.dnf(given).unwrap();
            match m.reorder(wanted.clone()) {
                Ok(()) => prop_assert_eq!(m.order(), wanted),
                Err(error) => prop_assert_eq!(error, Error::LimitReached(ManagerLimit::Nodes(limit))),
            }
            prop_assert_eq!(free.copy_function(&f).unwrap(), g);
            prop_assert!(m.statistics().function_nodes <= limit);
        }
    }

    /// Bounds and the table of interactions only leave out levels that are not better.
    #[test]
    fn bounds_change_no_order(given in prop::collection::vec(cubes(), 1..5), first in orders(VARS)) {
        let sifted = |bounded: bool| {
            let m = Manager::builder(VARS).order(first.clone()).build().unwrap();
            let functions: Vec<_> = given.iter().map(|cubes| function(&m, cubes)).collect();
            let families: Vec<_> = given.iter().map(|cubes| family(&m, cubes)).collect();
            let sifting = Sifting { bounded, ..Sifting::new().max_growth(9.0).converge() };
            let sifted = m.sift_with(&sifting).unwrap();
            drop((functions, families));
            (m.order(), sifted.nodes_after, sifted.swaps)
        };
        let (bounded, exhaustive) = (sifted(true), sifted(false));
        prop_assert_eq!(&bounded.0, &exhaustive.0);
        prop_assert_eq!(bounded.1, exhaustive.1);
        prop_assert!(bounded.2 <= exhaustive.2);
    }

    #[test]
    fn groups_stay_together(given in prop::collection::vec(cubes(), 1..4), mixed in orders(VARS), converge in any::<bool>()) {
        let m = Manager::new(VARS).unwrap();
        let functions: Vec<_> = given.iter().map(|cubes| function(&m, cubes)).collect();
        let families: Vec<_> = given.iter().map(|cubes| family(&m, cubes)).collect();
        let groups = [&mixed[..2], &mixed[2..5]];
        let sifting = groups.iter().fold(Sifting::new(), |sifting, group| sifting.group(group.to_vec()));
        let sifting = if converge { sifting.converge() } else { sifting };
        for _ in 0..2 {
            prop_assert!(m.sift_with(&sifting).unwrap().complete);
            let order = m.order();
            for group in groups {
                prop_assert!(order.windows(group.len()).any(|window| window == group));
            }
            for (i, cubes) in given.iter().enumerate() {
                prop_assert_eq!(&function(&m, cubes), &functions[i]);
                prop_assert_eq!(&family(&m, cubes), &families[i]);
            }
        }
    }
}

// Each case is repeated for each point at which sifting may begin or stop.
proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    /// After each operation, and in the middle of it before each of its nodes.
    #[test]
    fn automatic_sifting_at_any_point_changes_no_result(
        (f, g, a, b) in managers(VARS).prop_flat_map(|m| (functions(&m), functions(&m), families(&m), families(&m))), given in cubes()
    ) {
        let m = f.manager().clone();
        let still = Manager::builder(VARS).order(m.order()).build().unwrap();
        let [p, q] = [&f, &g].map(|f| still.copy_function(f).unwrap());
        let [c, d] = [&a, &b].map(|a| still.copy_family(a).unwrap());
        m.sift_automatically(Sifting::new()).unwrap();
        let trigger = &m.inner.automatic.trigger;
        let run = |m: &Manager, [f, g]: [&Function; 2], [a, b]: [&Family; 2]| {
            let functions = [
                f.try_and(g)?, f.try_xor(g)?, f.ite(g, &!f)?, f.and_exists(g, [0, 2])?, f.exists([1])?,
                f.substitute([(3, g)])?, f.restrict([(2, true)])?, m.cnf(given.clone())?, m.cnf_exists(given.clone(), [0, 2, 5])?, a.to_function()?,
            ];
            let families = [
                a.try_union(b)?, a.join(b)?, a.minimal()?, a.minimal_hitting_sets()?, a.supersets_of(b)?,
                a.change(4)?, f.to_family()?, family(m, &given),
            ];
            Ok::<_, Error>((functions.map(|f| f.to_bdd().unwrap()), families.map(|a| a.to_zdd().unwrap())))
        };
        let expected = run(&still, [&p, &q], [&c, &d]).unwrap();
        for fuel in 0.. {
            trigger.set_threshold(if fuel % 2 == 0 { 0 } else { usize::MAX - 1 });
            trigger.fuel.set(Some(fuel));
            prop_assert_eq!(&run(&m, [&f, &g], [&a, &b]).unwrap(), &expected);
            if trigger.fuel.take().is_some() {
                break;
            }
        }
        prop_assert!(m.statistics().siftings > 0);
        prop_assert_eq!(still.copy_function(&f).unwrap(), p);
        prop_assert_eq!(still.copy_family(&a).unwrap(), c);
    }

    #[test]
    fn automatic_sifting_stops_at_any_check_and_limit((f, g) in managers(VARS).prop_flat_map(|m| (functions(&m), functions(&m))), most in 8_usize..80) {
        let m = f.manager().clone();
        let (left, right) = (f.to_bdd().unwrap(), g.to_bdd().unwrap());
        let expected = m.function_of(&left).unwrap().try_xor(&g).unwrap().to_bdd().unwrap();
        m.sift_automatically(Sifting::new()).unwrap();
        for checks in 0..40 {
            m.inner.automatic.trigger.set_threshold(0);
            m.inner.watch.set_fuel(Some(checks));
            let cancelled = m.within(&Limits::new(), || f.try_xor(&g));
            m.inner.watch.set_fuel(None);
            m.inner.automatic.trigger.fuel.set(Some(checks));
            let limited = m.within(&Limits::new().max_states(most as u64), || f.try_xor(&g));
            for result in [cancelled, limited] {
                match result {
                    Ok(found) => prop_assert_eq!(&found.to_bdd().unwrap(), &expected),
                    Err(error) => prop_assert!(matches!(error, Error::Cancelled | Error::LimitReached(_))),
                }
            }
            m.inner.automatic.trigger.fuel.set(None);
            prop_assert_eq!(&f.to_bdd().unwrap(), &left);
            prop_assert_eq!(&g.to_bdd().unwrap(), &right);
        }
    }
}

#[test]
fn sifting_makes_a_sum_of_products_linear() {
    let n = 10;
    let m = Manager::new(2 * n).unwrap();
    let v = |i| m.var(i).unwrap();
    let f = (0..n).fold(m.constant(false), |f, i| f | v(i) & v(i + n));
    let before = f.count();
    assert_eq!(f.node_count(), (1 << (n + 1)) - 2);
    assert_eq!(m.sift().unwrap(), 2 * n);
    assert_eq!(f.node_count(), 2 * n);
    assert_eq!(f.count(), before);
}

#[test]
fn order_that_is_no_permutation_is_an_error() {
    let m = Manager::new(3).unwrap();
    for order in [vec![0, 1], vec![0, 1, 1], vec![0, 1, 3], vec![0, 1, 2, 3]] {
        assert!(matches!(m.reorder(order), Err(Error::NotAPermutation { num_vars: 3, .. })));
    }
    assert_eq!(m.order(), [0, 1, 2]);
    let none = Manager::new(0).unwrap();
    none.reorder([]).unwrap();
    assert_eq!(none.sift().unwrap(), 0);
}

#[test]
fn limits_of_the_options_end_sifting_early() {
    let n = 8;
    let m = Manager::new(2 * n).unwrap();
    let f = m.dnf((0..n).map(|v| [(v, true), (v + n, true)])).unwrap();
    let reports = Arc::new(Mutex::new(Vec::<Sifted>::new()));
    let sink = reports.clone();
    let sifting = Sifting::new().on_report(move |sifted| sink.lock().unwrap().push(sifted.clone()));
    let stopped = m.sift_with(&sifting.clone().max_swaps(5)).unwrap();
    assert!(!stopped.complete && stopped.nodes_after <= stopped.nodes_before);
    assert!(stopped.swaps < 5 + 2 * n as u64, "{stopped}");
    let no_time = m.sift_with(&sifting.clone().time_limit(Duration::ZERO)).unwrap();
    assert_eq!((no_time.complete, no_time.swaps), (false, 0));
    let sifted = m.sift_with(&sifting).unwrap();
    assert_eq!((sifted.complete, sifted.nodes_after, f.node_count()), (true, 2 * n, 2 * n));
    assert_eq!(*reports.lock().unwrap(), [stopped, no_time, sifted]);
    assert_eq!(m.statistics().siftings, 3);
    assert!(reports.lock().unwrap()[0].to_string().ends_with("stopped at a limit)"));
}

#[test]
fn groups_of_unknown_or_repeated_variables_are_errors() {
    let m = Manager::new(3).unwrap();
    for (groups, error) in [
        (vec![vec![0, 3]], Error::UnknownVariable { variable: 3, num_vars: 3 }),
        (vec![vec![0, 1], vec![1, 2]], Error::RepeatedVariable { variable: 1 }),
    ] {
        let sifting = groups.into_iter().fold(Sifting::new(), Sifting::group);
        assert_eq!(m.sift_with(&sifting), Err(error.clone()));
        assert_eq!(m.sift_automatically(sifting), Err(error));
    }
    assert!(m.sift_with(&Sifting::new().group([]).group([2])).unwrap().complete);
}

#[test]
fn automatic_sifting_moves_with_a_detached_manager() {
    let m = Manager::new(40).unwrap();
    m.sift_automatically(Sifting::new().start_at(100)).unwrap();
    let one = m.var(0).unwrap();
    let pairs = || (0..20).map(|v| [(v, true), (v + 20, true)]);
    let f = m.dnf(pairs()).unwrap();
    assert!(f.node_count() < 1000 && m.statistics().siftings > 0, "{}", f.node_count());
    // The second one is a copy.
    let (moved, ..) = m.clone().detach([], []).unwrap().attach();
    drop((f, one));
    let (back, ..) = m.detach([], []).unwrap().attach();
    for manager in [moved, back] {
        assert!(manager.reorder(0..40).is_ok());
        assert!(manager.dnf(pairs()).unwrap().node_count() < 1000);
    }
}
