//! Tests of every operation against truth tables.

use super::Function;
use crate::error::{Error, ManagerLimit};
use crate::manager::{Manager, StoredRule};
use crate::strategies::{literals, managers, tables};
use num_bigint::BigUint;
use proptest::prelude::*;
use std::fmt::Write;
use topdd::diagram::AnyValue;

const VARS: usize = 6;

/// Bit `i` is the value for the assignment in which variable `v` is bit `v` of `i`.
type Table = u64;

/// Managers, some of which collect whenever they make a node.
fn manager() -> impl Strategy<Value = Manager> {
    (managers(VARS), prop::bool::weighted(0.2)).prop_map(|(manager, collect)| {
        AnyValue::store(&manager.inner).borrow_mut().always_collect = collect;
        manager
    })
}

fn table() -> impl Strategy<Value = Table> {
    tables(VARS).prop_map(|values| {
        let ones = (0..64_usize).filter(|&i| values[lexicographic(i)]);
        ones.fold(0, |table, i| table | 1 << i)
    })
}

/// The place of an assignment in a list of all, variable 0 counting most.
fn lexicographic(index: usize) -> usize {
    (0..VARS).fold(0, |place, v| place << 1 | (index >> v & 1))
}

fn some_variables() -> impl Strategy<Value = Vec<usize>> {
    literals(VARS).prop_map(|literals| literals.into_iter().map(|(v, _)| v).collect())
}

fn literal(variable: usize, value: bool) -> Table {
    (0..64).filter(|i| (i >> variable & 1 == 1) == value).fold(0, |table, i| table | 1 << i)
}

fn assignment(index: usize) -> Vec<bool> {
    (0..VARS).map(|v| index >> v & 1 == 1).collect()
}

/// Built node by node from below.
fn function(manager: &Manager, table: Table) -> Function {
    let mut values = [false; 64];
    for i in 0..64 {
        values[lexicographic(i)] = table >> i & 1 == 1;
    }
    manager.function_of_table(&values).unwrap()
}

fn table_of(function: &Function) -> Table {
    let value = |i: &usize| function.eval(&assignment(*i)).unwrap();
    (0..64).filter(value).fold(0, |table, i| table | 1 << i)
}

/// The table with a variable fixed.
fn cofactor(table: Table, variable: usize, value: bool) -> Table {
    let bit = 1usize << variable;
    (0..64usize)
        .filter(|i| table >> (if value { i | bit } else { i & !bit }) & 1 == 1)
        .fold(0, |table, i| table | 1 << i)
}

fn quantify(table: Table, variables: &[usize], by: impl Fn(Table, Table) -> Table) -> Table {
    variables.iter().fold(table, |t, &v| by(cofactor(t, v, false), cofactor(t, v, true)))
}

fn check(manager: &Manager, found: &Function, wanted: Table) -> Result<(), TestCaseError> {
    prop_assert_eq!(table_of(found), wanted);
    prop_assert_eq!(found, &function(manager, wanted), "one form for one function");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn boolean_operations_equal_truth_tables(m in manager(), f in table(), g in table(), h in table()) {
        let (a, b, c) = (function(&m, f), function(&m, g), function(&m, h));
        check(&m, &a, f)?;
        check(&m, &!&a, !f)?;
        check(&m, &(&a & &b), f & g)?;
        check(&m, &(&a | &b), f | g)?;
        check(&m, &(&a ^ &b), f ^ g)?;
        check(&m, &a.implies(&b).unwrap(), !f | g)?;
        check(&m, &a.iff(&b).unwrap(), !(f ^ g))?;
        check(&m, &a.ite(&b, &c).unwrap(), f & g | !f & h)?;
        check(&m, &a.ite(&!&a, &c).unwrap(), !f & h)?;
        check(&m, &a.ite(&b, &!&b).unwrap(), !(f ^ g))?;
    }

    #[test]
    fn quantifiers_equal_truth_tables(m in manager(), f in table(), g in table(), vars in some_variables()) {
        let (a, b) = (function(&m, f), function(&m, g));
        let vars = || vars.iter().copied();
        let list: Vec<_> = vars().collect();
        check(&m, &a.exists(vars()).unwrap(), quantify(f, &list, |x, y| x | y))?;
        check(&m, &a.forall(vars()).unwrap(), quantify(f, &list, |x, y| x & y))?;
        check(&m, &a.unique(vars()).unwrap(), quantify(f, &list, |x, y| x ^ y))?;
        check(&m, &a.and_exists(&b, vars()).unwrap(), quantify(f & g, &list, |x, y| x | y))?;
    }

    #[test]
    fn cofactors_equal_truth_tables(m in manager(), f in table(), c in table(), literals in literals(VARS)) {
        let a = function(&m, f);
        let wanted = literals.iter().fold(f, |t, &(v, value)| cofactor(t, v, value));
        let found = a.restrict(literals.iter().copied()).unwrap();
        check(&m, &found, wanted)?;
        prop_assert_eq!(&a.constrain(&m.cube(literals).unwrap()).unwrap(), &found);

        let care = function(&m, c);
        if c == 0 {
            prop_assert_eq!(a.constrain(&care), Err(Error::EmptyCareSet));
        } else {
            // The value at the nearest assignment with care, where a variable counts for
            // more than all below it.
            let order = m.order();
            let rank = |i: usize| order.iter().fold(0, |rank, &v| rank << 1 | (i >> v & 1));
            let wanted = (0..64usize).filter(|&i| {
                let nearest = (0..64usize).filter(|j| c >> j & 1 == 1).min_by_key(|&j| rank(i) ^ rank(j));
                f >> nearest.unwrap() & 1 == 1
            });
            check(&m, &a.constrain(&care).unwrap(), wanted.fold(0, |t, i| t | 1 << i))?;
        }
    }

    #[test]
    fn substitution_equals_truth_tables(
        m in manager(), f in table(), by in prop::collection::vec(table(), VARS), vars in some_variables(),
        names in prop::collection::vec(0..VARS, VARS),
    ) {
        let a = function(&m, f);
        let put: Vec<_> = vars.iter().map(|&v| (v, function(&m, by[v]))).collect();
        let found = a.substitute(put.iter().map(|(v, g)| (*v, g))).unwrap();
        let wanted = (0..64usize).filter(|&i| {
            let value = |v: usize| if vars.contains(&v) { by[v] >> i & 1 == 1 } else { i >> v & 1 == 1 };
            f >> (0..VARS).fold(0, |j, v| j | usize::from(value(v)) << v) & 1 == 1
        });
        check(&m, &found, wanted.fold(0, |t, i| t | 1 << i))?;
        if let Some((v, g)) = put.first() {
            prop_assert_eq!(a.compose(*v, g).unwrap(), a.substitute([(*v, g)]).unwrap());
        }
        let renamed = a.rename(vars.iter().map(|&v| (v, names[v]))).unwrap();
        let wanted = (0..64usize).filter(|&i| {
            let from = |v: usize| if vars.contains(&v) { names[v] } else { v };
            f >> (0..VARS).fold(0, |j, v| j | (i >> from(v) & 1) << v) & 1 == 1
        });
        check(&m, &renamed, wanted.fold(0, |t, i| t | 1 << i))?;
    }

    #[test]
    fn queries_equal_truth_tables(m in manager(), f in table()) {
        let a = function(&m, f);
        let support: Vec<_> =
            (0..VARS).filter(|&v| cofactor(f, v, false) != cofactor(f, v, true)).collect();
        prop_assert_eq!(&a.support(), &support);
        prop_assert_eq!(a.count(), BigUint::from(f.count_ones()));
        for vars in 0..10 {
            match a.count_over(vars) {
                Ok(count) => prop_assert_eq!(count << VARS, BigUint::from(f.count_ones()) << vars),
                Err(error) => prop_assert_eq!(error, Error::TooFewVariables { support: support.len(), asked: vars }),
            }
            prop_assert_eq!(a.count_over(vars).is_ok(), vars >= support.len());
        }
        // In the order of the manager, the topmost variable first.
        let order = m.order();
        let rank = |i: &usize| order.iter().fold(0, |rank, &v| rank << 1 | (i >> v & 1));
        let mut ones: Vec<usize> = (0..64).filter(|i| f >> i & 1 == 1).collect();
        ones.sort_by_key(rank);
        let ones: Vec<_> = ones.into_iter().map(assignment).collect();
        prop_assert_eq!(a.smallest(), ones.first().cloned());
        prop_assert_eq!(a.largest(), ones.last().cloned());
        prop_assert_eq!(a.assignments().collect::<Vec<_>>(), ones);
        // Cubes are disjoint and make the function.
        let cubes: Vec<_> = a.cubes().collect();
        let tables = cubes.iter().map(|cube| cube.iter().fold(!0, |t, &(v, value)| t & literal(v, value)));
        let mut sum = 0;
        for table in tables {
            prop_assert_eq!(sum & table, 0);
            sum |= table;
        }
        prop_assert_eq!(sum, f);
        prop_assert_eq!(a.count_paths(), BigUint::from(cubes.len()));
        prop_assert_eq!(m.dnf(cubes).unwrap(), a.clone());
        prop_assert_eq!(m.cnf(a.clauses()).unwrap(), a.clone());
        prop_assert_eq!(m.shared_node_count([&a, &!&a]).unwrap(), a.node_count());
    }

    #[test]
    fn normal_forms_equal_truth_tables(
        m in manager(), forms in prop::collection::vec(literals(VARS), 0..9), vars in some_variables(),
    ) {
        let cube = |form: &Vec<(usize, bool)>| form.iter().fold(!0, |t, &(v, value)| t & literal(v, value));
        let clause = |form: &Vec<(usize, bool)>| form.iter().fold(0, |t, &(v, value)| t | literal(v, value));
        check(&m, &m.dnf(forms.clone()).unwrap(), forms.iter().map(cube).fold(0, |a, b| a | b))?;
        let cnf = m.cnf(forms.clone()).unwrap();
        let wanted = forms.iter().map(clause).fold(!0, |a, b| a & b);
        check(&m, &cnf, wanted)?;
        let projected = m.cnf_exists(forms.clone(), vars.iter().copied()).unwrap();
        check(&m, &projected, quantify(wanted, &vars, |x, y| x | y))?;
        if let Some(form) = forms.first() {
            check(&m, &m.cube(form.clone()).unwrap(), cube(form))?;
            check(&m, &m.clause(form.clone()).unwrap(), clause(form))?;
        }
        let signed = |&(v, value): &(usize, bool)| {
            let name = i32::try_from(v).unwrap() + 1;
            if value { name } else { -name }
        };
        let signed: Vec<Vec<i32>> = forms.iter().map(|form| form.iter().map(signed).collect()).collect();
        prop_assert_eq!(&m.cnf_signed(signed.clone()).unwrap(), &cnf);
        let mut text = format!("c a comment\np cnf {VARS} {}\n", signed.len());
        for clause in signed {
            for literal in clause {
                writeln!(text, "{literal} {literal}").unwrap();
            }
            text += "0 ";
        }
        prop_assert_eq!(&m.dimacs(&text).unwrap(), &cnf);
    }

    /// Operations under a limit return the result or an error.
    #[test]
    fn reaching_a_limit_keeps_all_handles(tables in prop::collection::vec(table(), 2..8), limit in 20usize..200) {
        let m = Manager::builder(VARS).max_nodes(limit).build().unwrap();
        let mut held: Vec<(Function, Table)> = vec![(m.constant(true), !0)];
        for table in tables {
            let cubes: Vec<Vec<(usize, bool)>> = (0..64)
                .filter(|i| table >> i & 1 == 1)
                .map(|i| assignment(i).into_iter().enumerate().collect())
                .collect();
            match m.dnf(cubes) {
                Ok(function) => held.push((function, table)),
                Err(error) => prop_assert_eq!(error, Error::LimitReached(ManagerLimit::Nodes(limit))),
            }
            for other in 0..held.len() {
                let (f, g) = (&held[held.len() - 1], &held[other]);
                match f.0.try_xor(&g.0) {
                    Ok(function) => {
                        let table = f.1 ^ g.1;
                        held.push((function, table));
                    }
                    Err(error) => prop_assert_eq!(error, Error::LimitReached(ManagerLimit::Nodes(limit))),
                }
            }
            for (function, table) in &held {
                prop_assert_eq!(table_of(function), *table);
            }
            let statistics = m.statistics();
            prop_assert!(statistics.function_nodes <= limit);
            if held.len() > 3 {
                held.remove(1);
            }
        }
        held.truncate(1);
        // Without handles, all nodes can be collected.
        prop_assert!(m.cube((0..VARS).map(|v| (v, true))).is_ok());
    }
}

#[test]
fn max_bytes_limits_memory() {
    let limit = 1 << 20;
    let m = Manager::builder(64).max_bytes(limit).build().unwrap();
    // The sum of products of pairs, far apart, doubles with each pair.
    let mut sum = m.constant(false);
    let mut pairs = 0;
    let error = loop {
        let pair = m.var(pairs).and_then(|x| x.try_and(&m.var(pairs + 32)?));
        match pair.and_then(|pair| sum.try_or(&pair)) {
            Ok(next) => sum = next,
            Err(error) => break error,
        }
        pairs += 1;
        assert!(m.statistics().bytes <= limit);
    };
    assert_eq!(error, Error::LimitReached(ManagerLimit::Bytes(limit)));
    assert!(pairs > 8, "{pairs} pairs");
    // 1 - (3/4)^pairs of all assignments.
    let wanted =
        (BigUint::from(1u8) << 64) - (BigUint::from(3u8).pow(pairs as u32) << (64 - 2 * pairs));
    assert_eq!(sum.count(), wanted);
    drop(sum);
    assert!(m.cube((0..64).map(|v| (v, true))).is_ok());
}

#[test]
fn operations_on_ten_thousand_levels_do_not_overflow_the_stack() {
    let n = 10_000;
    let m = Manager::new(n).unwrap();
    let all = m.cube((0..n).map(|v| (v, true))).unwrap();
    let mut conjunction = m.constant(true);
    for v in (0..n).rev() {
        conjunction = m.var(v).unwrap() & conjunction;
    }
    assert_eq!(conjunction, all);
    assert_eq!(all.node_count(), n);
    assert_eq!(all.count(), 1u32.into());
    let not = !&all;
    assert_eq!(not.count(), (BigUint::from(1u8) << n) - 1u32);
    assert_eq!(not.assignments().nth(1000).unwrap()[n - 10..].iter().filter(|&&b| b).count(), 6);
    assert_eq!(not.cubes().count(), n);
    assert_eq!(all.assignments().collect::<Vec<_>>(), [vec![true; n]]);
    assert_eq!(all.smallest(), Some(vec![true; n]));
    assert_eq!(not.smallest(), Some(vec![false; n]));
    assert!((&all & &not).is_false());
    let parity = (0..n).rev().fold(m.constant(false), |parity, v| parity ^ m.var(v).unwrap());
    assert_eq!(parity.count(), BigUint::from(1u8) << (n - 1));
    // All ones are even, so that the two meet at one assignment only, far down.
    assert_eq!(&parity & &not, parity);
    assert_eq!((&parity | &all).node_count(), 2 * n - 2);
    let even: Vec<_> = (0..n).filter(|v| v % 2 == 0).collect();
    assert_eq!(all.exists(even.clone()).unwrap().node_count(), n / 2);
    assert!(parity.exists(even.clone()).unwrap().is_true());
    assert!(parity.and_exists(&not, even.clone()).unwrap().is_true());
    assert_eq!(parity.unique([n - 1]).unwrap(), m.constant(true));
    assert_eq!(parity.restrict(even.iter().map(|&v| (v, true))).unwrap().support().len(), n / 2);
    assert_eq!(all.constrain(&m.var(n - 1).unwrap()).unwrap().node_count(), n - 1);
    // Even, but not all ones.
    assert!(parity.ite(&all, &not).unwrap().count() + 1u32 == BigUint::from(1u8) << (n - 1));
    let shifted = all.rename((0..n - 1).map(|v| (v, v + 1))).unwrap();
    assert_eq!(shifted.node_count(), n - 1);
    assert!(all.eval(&vec![true; n]).unwrap());
    assert_eq!(m.cnf((0..n).map(|v| [(v, true)])).unwrap(), all);
}

#[test]
fn invalid_arguments_are_errors() {
    let m = Manager::new(3).unwrap();
    let other = Manager::new(3).unwrap();
    let (x, foreign) = (m.var(0).unwrap(), other.var(0).unwrap());
    assert_ne!(x, foreign);
    let mixed = Error::MixedManagers { left: 3, right: 3 };
    assert_eq!(x.try_and(&foreign), Err(mixed.clone()));
    assert_eq!(x.ite(&x, &foreign), Err(mixed.clone()));
    assert_eq!(x.substitute([(0, &foreign)]), Err(mixed.clone()));
    assert_eq!(m.shared_node_count([&x, &foreign]), Err(mixed.clone()));
    let unknown = Error::UnknownVariable { variable: 3, num_vars: 3 };
    assert_eq!(m.var(3).unwrap_err(), unknown);
    assert_eq!(x.exists([0, 3]).unwrap_err(), unknown);
    assert_eq!(m.cnf_exists([[(0, true)]], [3]).unwrap_err(), unknown);
    assert_eq!(m.cnf_exists([[(3, true)]], [0]).unwrap_err(), unknown);
    assert_eq!(x.restrict([(3, true)]).unwrap_err(), unknown);
    assert_eq!(x.rename([(0, 3)]).unwrap_err(), unknown);
    assert_eq!(m.cube([(3, true)]).unwrap_err(), unknown);
    let repeated = Error::RepeatedVariable { variable: 1 };
    assert_eq!(m.cube([(1, true), (1, true)]).unwrap_err(), repeated);
    assert_eq!(x.restrict([(1, true), (0, true), (1, false)]).unwrap_err(), repeated);
    assert_eq!(x.substitute([(1, &x), (1, &x)]).unwrap_err(), repeated);
    assert_eq!(x.eval(&[true]).unwrap_err(), Error::AssignmentLength { found: 1, num_vars: 3 });
    assert_eq!(m.function_node(0, &x, &x).unwrap_err(), Error::NotBelow { variable: 0 });
    assert_eq!(m.function_node(1, &x, &x).unwrap_err(), Error::NotBelow { variable: 1 });
    assert_eq!(m.cnf_signed([vec![1], vec![2, 0]]).unwrap_err(), Error::ZeroLiteral { clause: 1 });
    for found in [0, 4, 7, 9, 16] {
        let error = m.function_of_table(&vec![true; found]).unwrap_err();
        assert_eq!(error, Error::TableLength { found, num_vars: 3 });
    }
    let too_many = Manager::new(64).unwrap().function_of_table(&[true]).unwrap_err();
    assert_eq!(too_many, Error::TableLength { found: 1, num_vars: 64 });
    assert!(matches!(x.count_over(usize::MAX), Err(Error::TooManyVariables { .. })));
    for order in [vec![0, 1], vec![0, 1, 1], vec![0, 1, 3]] {
        let error = Manager::builder(3).order(order).build().unwrap_err();
        assert!(matches!(error, Error::NotAPermutation { num_vars: 3, .. }));
    }
    assert!(matches!(Manager::new(usize::MAX), Err(Error::TooManyVariables { .. })));
}

#[test]
fn added_variables_keep_existing_functions() {
    for order in [vec![0, 1], vec![1, 0]] {
        let m = Manager::builder(2).order(order).build().unwrap();
        let either = m.var(0).unwrap() | m.var(1).unwrap();
        assert_eq!(either.count(), 3u32.into());
        assert_eq!(m.add_vars(2).unwrap(), 2..4);
        assert_eq!(either.count(), 12u32.into());
        assert_eq!((either & m.var(3).unwrap()).count(), 6u32.into());
        assert_eq!(m.order()[2..], [2, 3]);
    }
}

#[test]
fn dropped_handles_release_their_nodes() {
    let m = Manager::new(20).unwrap();
    let parity = (0..20).fold(m.constant(false), |parity, v| parity ^ m.var(v).unwrap());
    let clone = parity.clone();
    drop(parity);
    m.collect();
    assert_eq!(m.statistics().function_nodes, 20);
    assert_eq!(m.statistics().handles, 1);
    assert_eq!(clone.count(), BigUint::from(1u32 << 19));
    let iterator = clone.assignments();
    drop(clone);
    m.collect();
    assert_eq!(m.statistics().function_nodes, 0);
    assert_eq!(m.statistics().handles, 0);
    drop(m);
    assert_eq!(iterator.take(3).count(), 3);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn leq_and_disjointness_are_those_of_tables_and_make_no_nodes(m in manager(), a in table(), b in table()) {
        let (f, g) = (function(&m, a), function(&m, b));
        // Random tables are hardly ever comparable.
        let both = &f & &g;
        let nodes = m.statistics().function_nodes;
        prop_assert_eq!(f.leq(&g).unwrap(), a & !b == 0);
        prop_assert_eq!(f.is_disjoint(&g).unwrap(), a & b == 0);
        prop_assert!(both.leq(&f).unwrap() && both.leq(&g).unwrap());
        prop_assert!(both.is_disjoint(&!&f).unwrap());
        prop_assert_eq!(f.leq(&both).unwrap(), a & !b == 0);
        prop_assert_eq!(m.statistics().function_nodes, nodes);
    }

    #[test]
    fn children_of_the_root_are_the_cofactors_by_the_topmost_variable(m in manager(), a in table()) {
        let f = function(&m, a);
        let mut visited = vec![f.clone()];
        let mut place = 0;
        while let Some(f) = visited.get(place).cloned() {
            place += 1;
            let Some(variable) = f.top_variable() else {
                prop_assert!(f.is_true() || f.is_false());
                prop_assert_eq!((f.level(), f.low(), f.high()), (None, None, None));
                continue;
            };
            let order = m.order();
            prop_assert_eq!(f.support().into_iter().min_by_key(|v| order.iter().position(|w| w == v)), Some(variable));
            prop_assert_eq!(order[f.level().unwrap()], variable);
            let (low, high) = (f.low().unwrap(), f.high().unwrap());
            prop_assert_eq!((low.clone(), high.clone()), f.cofactors(variable).unwrap());
            prop_assert_eq!(&m.function_node(variable, &low, &high).unwrap(), &f);
            for child in [low, high] {
                if !visited.contains(&child) {
                    visited.push(child);
                }
            }
        }
        // A function and its negation are one node.
        visited.retain(|g| g.top_variable().is_some());
        let mut nodes: Vec<Function> = Vec::new();
        for g in visited {
            if !nodes.contains(&g) && !nodes.contains(&!&g) {
                nodes.push(g);
            }
        }
        prop_assert_eq!(nodes.len(), f.node_count());
    }
}

#[test]
fn queries_of_two_functions_refuse_other_managers() {
    let (small, large) = (Manager::new(2).unwrap(), Manager::new(5).unwrap());
    let (f, g) = (small.var(0).unwrap(), large.var(1).unwrap());
    let mixed = Error::MixedManagers { left: 2, right: 5 };
    assert_eq!((f.leq(&g), f.is_disjoint(&g)), (Err(mixed.clone()), Err(mixed)));
}

/// The product of the nodes, not of the paths: there are 2 to the 1000 paths.
#[test]
fn leq_visits_each_pair_of_nodes_once() {
    let m = Manager::new(1000).unwrap();
    let parity = (0..1000).fold(m.constant(false), |f, v| f ^ m.var(v).unwrap());
    let f = &parity & m.var(999).unwrap();
    assert!(f.leq(&parity).unwrap() && !parity.leq(&f).unwrap());
    assert!(f.is_disjoint(&!&parity).unwrap());
}

/// The order that `Manager::cnf` documents, against the order of the list.
#[test]
fn cnf_takes_a_third_of_the_steps_of_a_loop() {
    let n = 6;
    let mut clauses: Vec<Vec<(usize, bool)>> =
        (0..n).map(|row| (0..n).map(|column| (row * n + column, true)).collect()).collect();
    for (a, b) in (0..n * n).flat_map(|a| (a + 1..n * n).map(move |b| (a, b))) {
        let (rows, columns) = (b / n - a / n, (b % n).abs_diff(a % n));
        if rows == 0 || columns == 0 || rows == columns {
            clauses.push(vec![(a, false), (b, false)]);
        }
    }
    let (by_loop, by_cnf) = (Manager::new(n * n).unwrap(), Manager::new(n * n).unwrap());
    let all = clauses.iter().fold(by_loop.constant(true), |all, clause| {
        all & by_loop.clause(clause.iter().copied()).unwrap()
    });
    assert_eq!(all.count(), 4u32.into());
    assert_eq!(by_cnf.cnf(clauses).unwrap(), by_cnf.copy_function(&all).unwrap());
    let [looped, joined] = [by_loop, by_cnf].map(|manager| manager.statistics().cache_lookups);
    assert!(3 * joined < looped, "{joined} and {looped}");
}
