//! Strategies of the crate `proptest`: random managers, functions and families for property tests.
//!
//! Requires the feature `proptest`. Functions and families are drawn as models, a
//! [truth table](tables) or a [set of sets](sets), or as handles of a
//! manager ([`functions`], [`families`]). The distributions contain hard cases: sparse and
//! dense, with few and with many nodes, and sometimes constant. A failing case shrinks to few
//! ones and few members, under the order 0, 1, 2, ...
//!
//! ```
//! use proptest::prelude::*;
//! use topdd_apply::strategies::{families, managers};
//! use topdd_apply::{Family, Manager};
//!
//! fn two_families() -> impl Strategy<Value = (Family, Family)> {
//!     managers(5).prop_flat_map(|manager: Manager| (families(&manager), families(&manager)))
//! }
//!
//! proptest! {
//!     # /*
//!     #[test]
//!     # */
//!     fn hitting_two_is_hitting_both((f, g) in two_families()) {
//!         let both = f.minimal_hitting_sets().unwrap().join(&g.minimal_hitting_sets().unwrap());
//!         let either = (&f | &g).minimal_hitting_sets().unwrap();
//!         prop_assert_eq!(both.unwrap().minimal().unwrap(), either);
//!     }
//! }
//! # hitting_two_is_hitting_both();
//! ```

use crate::{Family, Function, Manager};
use proptest::collection::{btree_set, vec};
use proptest::prelude::{Just, any};
use proptest::prop_oneof;
use proptest::sample::subsequence;
use proptest::strategy::Strategy;
use std::collections::BTreeSet;

/// Draws orders of `num_vars` variables, for [`ManagerBuilder::order`](crate::ManagerBuilder::order).
///
/// ```
/// use proptest::prelude::*;
/// use topdd_apply::{Manager, strategies};
///
/// proptest! {
///     # /*
///     #[test]
///     # */
///     fn every_order_is_accepted(order in strategies::orders(5)) {
///         let manager = Manager::builder(5).order(order.clone()).build().unwrap();
///         prop_assert_eq!(manager.order(), order);
///     }
/// }
/// # every_order_is_accepted();
/// ```
pub fn orders(num_vars: usize) -> impl Strategy<Value = Vec<usize>> {
    Just((0..num_vars).collect::<Vec<_>>()).prop_shuffle()
}

/// Draws managers of `num_vars` variables, without limits, in any order.
pub fn managers(num_vars: usize) -> impl Strategy<Value = Manager> {
    orders(num_vars).prop_map(move |order| {
        let manager = Manager::builder(num_vars).order(order).build();
        manager.expect("few variables, and the order is a permutation")
    })
}

/// Draws truth tables of `num_vars` variables, at most twelve, for [`Manager::function_of_table`]. A
/// table of `n` variables has 2<sup>n</sup> values. More variables are not refused, but take time and
/// memory in proportion.
///
/// ```
/// use proptest::prelude::*;
/// use topdd_apply::{Manager, strategies};
///
/// proptest! {
///     # /*
///     #[test]
///     # */
///     fn counts_are_of_ones(table in strategies::tables(4)) {
///         let f = Manager::new(4).unwrap().function_of_table(&table).unwrap();
///         prop_assert_eq!(f.count(), table.iter().filter(|&&value| value).count().into());
///     }
/// }
/// # counts_are_of_ones();
/// ```
pub fn tables(num_vars: usize) -> impl Strategy<Value = Vec<bool>> {
    let len = 1_usize << num_vars;
    let of_weight = move |weight| vec(proptest::bool::weighted(weight), len);
    // The exclusive or of a few cubes. A uniformly random table almost always depends on all
    // variables and shares few nodes.
    let simple = vec(literals(num_vars), 1..4).prop_map(move |cubes| {
        let agrees = |index: usize, cube: &Vec<(usize, bool)>| {
            cube.iter().all(|&(v, value)| (index >> (num_vars - 1 - v) & 1 == 1) == value)
        };
        let value = |index| cubes.iter().filter(|cube| agrees(index, cube)).count() % 2 == 1;
        (0..len).map(value).collect::<Vec<_>>()
    });
    prop_oneof![
        1 => Just(vec![false; len]),
        1 => Just(vec![true; len]),
        2 => of_weight(0.125),
        4 => of_weight(0.5),
        2 => of_weight(0.875),
        4 => simple,
    ]
}

/// Draws literals of some of `num_vars` variables, in any order, for [`Manager::cube`] and
/// [`Manager::clause`].
///
/// ```
/// use proptest::prelude::*;
/// use topdd_apply::{Manager, strategies};
///
/// proptest! {
///     # /*
///     #[test]
///     # */
///     fn a_clause_is_false_where_no_literal_holds(literals in strategies::literals(4)) {
///         let manager = Manager::new(4).unwrap();
///         let negated = literals.iter().map(|&(variable, value)| (variable, !value));
///         let clause = manager.clause(literals.clone()).unwrap();
///         prop_assert_eq!(!clause, manager.cube(negated).unwrap());
///     }
/// }
/// # a_clause_is_false_where_no_literal_holds();
/// ```
pub fn literals(num_vars: usize) -> impl Strategy<Value = Vec<(usize, bool)>> {
    let variables = subsequence((0..num_vars).collect::<Vec<_>>(), 0..=num_vars).prop_shuffle();
    (variables, vec(any::<bool>(), num_vars))
        .prop_map(|(variables, values)| variables.into_iter().map(|v| (v, values[v])).collect())
}

/// Draws sets of sets of `num_vars` variables, with up to 60 members, for [`Manager::family`].
///
/// ```
/// use proptest::prelude::*;
/// use topdd_apply::{Manager, strategies};
///
/// proptest! {
///     # /*
///     #[test]
///     # */
///     fn counts_are_of_members(sets in strategies::sets(4)) {
///         let family = Manager::new(4).unwrap().family(sets.clone()).unwrap();
///         prop_assert_eq!(family.count(), sets.len().into());
///     }
/// }
/// # counts_are_of_members();
/// ```
pub fn sets(num_vars: usize) -> impl Strategy<Value = BTreeSet<BTreeSet<usize>>> {
    let set = |num_vars: usize| {
        subsequence((0..num_vars).collect::<Vec<_>>(), 0..=num_vars)
            .prop_map(|set| set.into_iter().collect::<BTreeSet<_>>())
    };
    let few = num_vars.min(4);
    let dense = (0..=num_vars - few, btree_set(set(few), 0..16)).prop_map(|(first, sets)| {
        let shifted = |set: BTreeSet<usize>| set.into_iter().map(|v| v + first).collect();
        sets.into_iter().map(shifted).collect()
    });
    prop_oneof![
        1 => Just(BTreeSet::new()),
        1 => Just(BTreeSet::from([BTreeSet::new()])),
        4 => btree_set(set(num_vars), 0..12),
        2 => btree_set(set(num_vars), 0..60),
        5 => dense,
    ]
}

/// Draws functions of a manager of at most twelve variables.
///
/// ```
/// use proptest::prelude::*;
/// use topdd_apply::strategies::{functions, managers};
///
/// proptest! {
///     # /*
///     #[test]
///     # */
///     fn excluded_middle(f in managers(4).prop_flat_map(|manager| functions(&manager))) {
///         prop_assert!((&f | &!&f).is_true());
///     }
/// }
/// # excluded_middle();
/// ```
///
/// # Panics
///
/// Drawing a function panics if a limit of the manager is reached.
pub fn functions(manager: &Manager) -> impl Strategy<Value = Function> + use<> {
    let manager = manager.clone();
    tables(manager.num_vars()).prop_map(move |table| match manager.function_of_table(&table) {
        Ok(function) => function,
        Err(error) => panic!("a function could not be drawn: {error}"),
    })
}

/// Draws families of a manager, with up to 60 members.
///
/// # Panics
///
/// Drawing a family panics if a limit of the manager is reached.
pub fn families(manager: &Manager) -> impl Strategy<Value = Family> + use<> {
    let manager = manager.clone();
    sets(manager.num_vars()).prop_map(move |sets| match manager.family(sets) {
        Ok(family) => family,
        Err(error) => panic!("a family could not be drawn: {error}"),
    })
}
