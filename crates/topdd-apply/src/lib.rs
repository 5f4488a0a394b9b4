//! Decision diagrams by apply: Boolean functions and families of sets in a manager.
//!
//! The conventional engine, beside the top-down one of the crate `topdd`. A
//! [`Manager`] owns nodes that all its diagrams share, and a [`Function`] (a BDD with
//! complement edges) or a [`Family`] (a ZDD) is a handle into it. Functions are combined
//! by formula, families by the algebra of Minato and Knuth.
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
//! # What holds
//!
//! - Equal functions, and equal families, are equal handles: `==` is one comparison.
//! - A handle keeps what it needs; the rest is collected when nodes are made and room is
//!   short. A handle cannot dangle.
//! - Limits on nodes and bytes ([`ManagerBuilder`]) turn into an [`Error`] that leaves the
//!   manager and all handles as they were.
//! - Nothing recurses: a diagram of thousands of levels takes memory, not stack.
//!
//! # Where to look
//!
//! - [`Manager`] makes functions and families of variables, reorders, and returns
//!   [`Statistics`]. [`Function`] and [`Family`] have the operations as methods.
//! - [`Function::differs_from`] and [`Family::differs_from`] compare them with specs.
//! - [`Function::to_bdd`], [`Family::to_zdd`], [`Manager::function_of`] and
//!   [`Manager::family_of`] go to and from topdd's diagrams; variables of more values are
//!   [encoded](topdd::Encoding) first.
//! - The module `strategies`, behind the feature `proptest`, draws managers, functions and
//!   families for property tests.
//! - In the source, `store` is where nodes live, `engine` how operations run, `function` and
//!   `family` what they are, `snapshot` the passes that only read.

mod check;
mod convert;
mod engine;
mod error;
mod family;
mod function;
mod hash;
mod manager;
mod reorder;
mod snapshot;
mod store;
#[cfg(any(test, feature = "proptest"))]
pub mod strategies;

pub use error::{Error, ManagerLimit};
pub use family::{Family, Members};
pub use function::{Assignments, Clauses, Cubes, Function};
pub use manager::{Manager, ManagerBuilder, Statistics};
/// The type of counts, of the crate `num-bigint`.
pub use num_bigint::BigUint;
