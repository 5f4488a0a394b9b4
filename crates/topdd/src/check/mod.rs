//! The spec author's test kit. It determines the meaning of a spec on small cases without the
//! engine, and checks its contract.
//!
//! [`verify`] is the main function: it compares a spec with a predicate in every way below, and
//! reports the coverage. The others are its parts:
//!
//! - [`accepts`] walks one assignment through a spec, and [`brute_force`] all of them. Both read
//!   skipped variables by a [`Rule`](crate::Rule), as a diagram would. They share no code with the
//!   engine, so they can serve as a reference for it.
//! - [`equals`] compares a spec with a predicate on assignments, by brute force. [`same`] compares
//!   it with another spec, by diagrams. Both return the smallest assignment on which the two
//!   differ, and [`trace`] lists the states of a spec on it.
//! - [`contract`] visits states level by level and returns the first [`Violation`] of the contract
//!   of [`DdSpec`](crate::DdSpec).
//! - [`objective`] checks an [`Objective`](crate::Objective) with its bounds, and what merged and dominating states cost.
//! - [`joined`] checks a [`JoinSpec`](crate::spec::JoinSpec): the laws of its `join`, and its diagram.
//! - [`to_dot`] draws the states of a small spec.
//! - [`RandomSpec`] is a spec drawn from a seed, as a test case for combinators and engines. The
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
mod dot;
mod guard;
mod joined;
mod objective;
mod random;
#[cfg(any(test, feature = "proptest"))]
pub mod strategies;
mod verify;
mod walk;

pub use super::spec::contract::Violation;
pub use compare::{Difference, Unequal, equals, same};
pub use contract::contract;
pub use dot::to_dot;
pub use joined::{JoinError, joined};
pub use objective::{CheckedObjective, ObjectiveError, WorseCompletion, objective};
pub use random::RandomSpec;
pub use verify::{Mismatch, Verdicts, Verification, Verified, VerifyError, verify};
pub use walk::{AssignmentError, Trace, accepts, brute_force, trace};
