//! Decision diagrams by apply: Boolean functions and families of sets in a manager.
//!
//! The conventional engine, in addition to the top-down one of the crate `topdd`. A
//! [`Manager`] owns the nodes of all its diagrams, and a [`Function`] (a BDD with
//! complement edges) or a [`Family`] (a ZDD) is a handle to a node. Functions have the Boolean
//! operations, families the algebra of Minato and Knuth.
//!
//! ```
//! use topdd_apply::Manager;
//!
//! let manager = Manager::new(4)?;
//! let [a, b, c, d] = [0, 1, 2, 3].map(|v| manager.var(v).unwrap());
//! let f = (&a | &b) & (&c ^ &d);
//! assert_eq!(f.count(), 6u32.into());
//! assert_eq!(f.exists([0, 1])?, c ^ d);
//!
//! let edges = manager.family([[0, 1], [1, 2], [2, 3]])?;
//! assert_eq!(edges.minimal_hitting_sets()?, manager.family([[0, 2], [1, 2], [1, 3]])?);
//! # Ok::<(), topdd_apply::Error>(())
//! ```
//!
//! # Guarantees
//!
//! - Equal functions, and equal families, are equal handles: `==` is one comparison.
//! - A handle keeps its nodes alive, and cannot dangle. All other nodes are garbage, which is
//!   collected when new nodes need memory.
//! - An operation that reaches a limit on nodes, bytes or time, or is cancelled, returns an [`Error`] and
//!   leaves the manager and all handles unchanged; see [`ManagerBuilder`] and [`Manager::within`].
//! - No operation recurses: a diagram of thousands of levels takes memory, not stack.
//!
//! # Overview
//!
//! - [`Manager`] makes functions and families of variables, reorders, and returns
//!   [`Statistics`]. [`Function`] and [`Family`] have the operations as methods.
//! - A manager stays on one thread. [`DetachedManager`] moves it with its handles to another one; its page
//!   shows how to work on several threads. A [`FunctionKey`] takes the place of a handle that threads share.
//! - [`FamilyAlgebra`] has the operations of families as methods of topdd's ZDDs.
//! - [`Function::write_dddmp`] and [`Manager::function_of_dddmp`] exchange diagrams with CUDD and OxiDD,
//!   [`Function::to_dot`] draws them.
//! - [`assert_same!`] and [`prop_assert_same!`] compare a spec with a function, a family or a diagram in
//!   tests, and print the least counterexample; [`same`] returns it.
//! - [`Function::to_bdd`], [`Family::to_zdd`], [`Manager::function_of`] and
//!   [`Manager::family_of`] convert to and from topdd's diagrams, [`Function::to_bdd_by_level`] and
//!   [`Manager::function_of_variables`] with other orders and numbers. Variables of more than two values
//!   must be [encoded](topdd::Encoding) first.
//! - The module `strategies`, behind the feature `proptest`, draws managers, functions and
//!   families for property tests.
//!
//! Variables are numbered from 0. Unlike in `topdd`, their order from the top of the diagrams down is
//! a property of the manager, and may [change](Manager::sift). Every result is independent of it,
//! unless its documentation names the order.

// `store` contains the nodes, `engine` the loops that run operations, `function` and `family` the
// operations, and `snapshot` the read-only passes.

mod convert;
mod engine;
mod error;
mod family;
mod format;
mod function;
mod levels;
mod manager;
mod same;
mod snapshot;
mod store;
#[cfg(any(test, feature = "proptest"))]
pub mod strategies;
mod zdd;

pub use error::{Error, ManagerLimit};
pub use family::{Family, Members};
pub use function::{
    Assignments, Clauses, CnfFile, Cubes, Function, clause_order, expression_names,
};
pub use manager::{
    DetachedManager, FunctionKey, Limits, Manager, ManagerBuilder, Sifted, Sifting, Statistics,
};
/// The type of counts, from the crate `num-bigint`.
pub use num_bigint::BigUint;
pub use same::{Comparable, Counterexample, Different, same};
pub use store::Progress;
/// Facts about a diagram that its file does not contain; from the crate `topdd`.
pub use topdd::format::interchange::ReadOptions;
pub use zdd::FamilyAlgebra;
/// The types of weights, `Ratio<BigInt>`, from the crates `num-rational` and `num-bigint`.
pub use {num_bigint::BigInt, num_rational::Ratio};

/// A map of a pass over a diagram.
pub(crate) type Map<K, V> = hashbrown::HashMap<K, V, std::hash::BuildHasherDefault<ahash::AHasher>>;
/// A set of a pass over a diagram.
pub(crate) type Set<K> = hashbrown::HashSet<K, std::hash::BuildHasherDefault<ahash::AHasher>>;

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
