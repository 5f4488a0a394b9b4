//! topdd builds decision diagrams from the top down.
//!
//! You describe a family of solutions as a transition system, a *spec*: variables that
//! are decided one after the other, and a state: the facts on which later decisions depend.
//! topdd sweeps the spec level by level, merges equal states, and returns a reduced BDD or
//! ZDD, two-valued or multi-valued, or an exact count.
//!
//! # A spec
//!
//! The main method of [`DdSpec`] is [`child`](DdSpec::child): it returns the step of a value of
//! a variable from a state. Queens, one variable per row:
//!
//! ```
//! use topdd::{DdSpec, Frontier, Step};
//!
//! /// One queen per row: variable = row, value = column.
//! struct Queens { n: usize }
//!
//! /// The columns that queens above attack in this row.
//! #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
//! struct Threats { columns: u32, rising: u32, falling: u32 }
//!
//! impl DdSpec for Queens {
//!     type State = Threats;
//!     fn num_vars(&self) -> usize { self.n }
//!     fn arity(&self, _row: usize) -> usize { self.n }
//!     fn root(&self) -> Step<Threats> {
//!         Step::To(0, Threats { columns: 0, rising: 0, falling: 0 })
//!     }
//!     fn child(&self, above: &Threats, row: usize, column: usize) -> Step<Threats> {
//!         let queen = 1 << column;
//!         if (above.columns | above.rising | above.falling) & queen != 0 {
//!             return Step::Zero;
//!         }
//!         if row + 1 == self.n {
//!             return Step::One;
//!         }
//!         let board = (1 << self.n) - 1;
//!         Step::To(row + 1, Threats {
//!             columns: above.columns | queen,
//!             rising: (above.rising | queen) << 1 & board,
//!             falling: (above.falling | queen) >> 1,
//!         })
//!     }
//! }
//!
//! let queens = Queens { n: 8 };
//! let zdd = topdd::zdd(&queens)?;                       // build and reduce
//! assert_eq!(zdd.count(), 92u32.into());                // exact, any size
//! assert_eq!(zdd.iter().next().unwrap(), [0, 4, 7, 5, 2, 6, 1, 3]);
//! assert_eq!(topdd::count(&queens)?, 92u32.into());     // the same, no diagram stored
//!
//! let mut frontier = Frontier::over(&queens)            // every option, each with a default
//!     .memory_limit(4 << 30)
//!     .on_level(|level| println!("row {}: {} states", level.variable, level.states));
//! frontier.zdd()?;
//! println!("{}", frontier.report());
//! # Ok::<(), topdd::BuildError>(())
//! ```
//!
//! # Terms
//!
//! | term | meaning |
//! | --- | --- |
//! | variable | numbered `0..num_vars` from the root down, as solutions are read |
//! | value, arity | a variable `v` takes values `0..arity(v)`; arity may differ per variable |
//! | state | the facts about the past on which the future depends; equal states merge |
//! | step | the target of an edge: the 0-terminal, the 1-terminal, or a state at a later variable |
//! | spec | a type that implements [`DdSpec`] |
//! | level | all distinct states at one variable |
//! | [rule](Rule) | the meaning of a skipped variable: 0 (zero-suppressed, [`Zdd`]) or any value ([`Bdd`]) |
//! | diagram | the reduced, immutable result |
//!
//! # Modules
//!
//! - [`spec`]: the trait, and the combinators ([`SpecExt`]: `and`, `or`, `not`, ...). A
//!   finished diagram is a spec, too. [`dp`] makes specs of closures, and [`constraint`] has
//!   ready-made ones.
//! - [`frontier`]: the engine. [`zdd`], [`bdd`] and [`count`] are its short forms;
//!   [`Frontier`] has limits, spilling to disk, checkpoints, progress, cancelling and a
//!   report. States that go to disk implement [`Portable`].
//! - [`answer`]: counts by weight, optima, probabilities and sums in a semiring, computed by
//!   methods of [`Frontier`] without a diagram.
//! - [`diagram`]: the result. [`query`]: a table of all queries of it. The large ones have types
//!   of their own: [`Index`] (solutions by rank and at random), [`KBest`] (the best of them,
//!   lazily, by [`Weights`]), [`Configurator`] (decisions and their consequences), [`Semiring`]
//!   and [`Evaluator`] (bottom-up passes of your own).
//! - [`bounded`]: optima and counts with a proof of how good they are, where the exact ones do not fit.
//! - [`search`]: the first solution, and solutions one at a time, without a diagram.
//! - [`mod@format`]: diagrams as files and pictures.
//! - [`check`]: the test kit for your own specs. [`check::verify`] compares a spec with a
//!   predicate; its parts are brute force, a contract check, comparisons, and a trace of one
//!   assignment.
//! - Errors: [`BuildError`] of sweeps and searches; [`QueryError`] of queries, a [`BuildError`]
//!   included; [`FileError`] of files and pictures. An argument out of range, such as the variable
//!   of [`Diagram::arity`], panics at the line of the caller; the method `get_*` returns `None`.
//!
//! # Guarantees
//!
//! - A step must go to a later variable; a spec that breaks this gets a [`BuildError`] that
//!   names variable, value and state, never a panic or a wrong result. A panic of the spec is a
//!   [`BuildError`], too.
//! - Skipped variables are read by the rule of the diagram being built, also between the
//!   last state and the 1-terminal. [`count`] reads them as [`zdd`] does, [`count_bdd`]
//!   as [`bdd`] does.
//! - Counts are exact: of assignments over all variables, however many.
//! - The same family gives the same diagram, however it was built.
//! - No recursion whose depth grows with the diagram.

pub mod answer;
mod available;
pub mod bounded;
pub mod check;
pub mod diagram;
mod error;
mod file;
pub mod format;
pub mod frontier;
mod heap;
mod number;
mod pages;
pub mod query;
mod random;
mod remap;
pub mod search;
pub mod spec;
mod threads;

pub use answer::{count, count_bdd};
pub use available::{available_memory, available_threads};
pub use bounded::{Bounded, Objective};
/// The crate of [`bytemuck::Pod`], the trait of plain data such as the states of
/// [`ArraySpec`](spec::ArraySpec).
pub use bytemuck;
pub use diagram::{Bdd, Code, Diagram, Encoding, Meaning, Zdd, bdd, zdd};
pub use error::{
    BuildError, FileError, FileRemedy, IoError, Limit, Position, ProcessFault, QueryError,
    RunProperty,
};
pub use format::AnyDiagram;
pub use frontier::{CancelToken, FinishedCheckpoint, Frontier, LevelReport, ReducedLevel, Report};
/// The types of counts, and of values with a sign, of the crate `num-bigint`.
pub use num_bigint::{BigInt, BigUint};
/// The type of exact fractions, `Ratio<BigInt>`, of the crate `num-rational`.
pub use num_rational::Ratio;
pub use query::{
    Best, Child, Children, Configurator, Conflict, Decision, Evaluator, Goal, Index, KBest,
    Semiring, Sets, Solutions, Status, WeightNumber, WeightedIndex, Weights,
};
/// The crate of the trait `Rng`: the generators that solutions are drawn with ([`Index::sample`] and
/// others) implement it. The crate `rand` has such generators.
pub use rand_core;
pub use search::Search;
pub use spec::combine::{all, any};
pub use spec::{BoxedSpec, DdSpec, Forced, Portable, Rule, Space, SpecExt, Step, constraint, dp};
pub use threads::Threads;

/// A map for keys that no adversary chooses, with a fast hash function of fixed seed.
pub(crate) type Map<K, V> =
    std::collections::HashMap<K, V, std::hash::BuildHasherDefault<ahash::AHasher>>;

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
