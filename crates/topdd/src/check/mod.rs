//! The spec author's test kit: what a spec means on small cases, told without the
//! engine, and whether it keeps its contract.
//!
//! [`verify`] is the one to use: it holds a spec against a predicate in every way below, and says what it
//! covered. The others are its parts:
//!
//! - [`accepts`] walks one assignment over a spec; [`brute_force`] walks them all.
//!   Both read skipped variables by a [`Rule`](crate::Rule), as a diagram would, and
//!   share no code with the engine, which makes them its judges.
//! - [`equals`] holds a spec against a predicate on assignments and [`same`] against
//!   another spec, by brute force and by diagrams; both answer the smallest assignment on
//!   which the two differ, and [`trace`] tells how the spec comes to its verdict on it.
//! - [`contract`] visits states level by level and answers the first [`Violation`] of
//!   what [`DdSpec`](crate::DdSpec) asks for.
//! - [`RandomSpec`] is a spec drawn from a seed, to try combinators and engines on; the
//!   module `strategies`, behind the feature `proptest`, draws such specs in property tests.
//!
//! ```
//! use topdd::{DdSpec, Rule, Step, check};
//!
//! /// Subsets of `0..n` without two consecutive members.
//! struct NoTwoInARow { n: usize }
//!
//! impl DdSpec for NoTwoInARow {
//!     type State = bool; // is the previous number a member?
//!     fn num_vars(&self) -> usize { self.n }
//!     fn root(&self) -> Step<bool> {
//!         if self.n == 0 { Step::One } else { Step::To(0, false) }
//!     }
//!     fn child(&self, &previous: &bool, number: usize, value: usize) -> Step<bool> {
//!         let member = value == 1;
//!         if previous && member {
//!             Step::Zero
//!         } else if number + 1 == self.n {
//!             Step::One
//!         } else {
//!             Step::To(number + 1, member)
//!         }
//!     }
//! }
//!
//! let spec = NoTwoInARow { n: 3 };
//! check::contract(&spec, Rule::ZeroSuppressed, 1000)?;
//! assert!(check::accepts(&spec, Rule::ZeroSuppressed, &[1, 0, 1])?);
//! assert_eq!(
//!     check::brute_force(&spec, Rule::ZeroSuppressed)?,
//!     [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 0, 1]],
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod compare;
mod contract;
mod forced;
mod random;
#[cfg(any(test, feature = "proptest"))]
pub mod strategies;
mod trace;
mod verify;
mod violation;
mod walk;

pub use compare::{Difference, Unequal, equals, same};
pub use contract::contract;
pub use random::RandomSpec;
pub use trace::{Trace, trace};
pub use verify::{Mismatch, Verdicts, Verification, Verified, VerifyError, verify};
pub use violation::Violation;
pub use walk::{AssignmentError, accepts, brute_force};
