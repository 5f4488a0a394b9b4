//! Answers without a diagram: computed during the sweep, with only the live levels in memory.
//!
//! Each is a method of [`Frontier`](crate::Frontier), with threads, limits, spilling, checkpoints,
//! progress and cancelling as for a diagram, and equals the answer of the diagram.
//!
//! | `Frontier` | result | `Diagram` |
//! | --- | --- | --- |
//! | [`count`], [`count_bdd`] | the number of solutions | [`count`](crate::Diagram::count) |
//! | [`count_modulo`] | the same modulo a number | |
//! | [`count_by`], [`count_by_within`] | the number of solutions of each weight | [`count_by`](crate::Diagram::count_by) |
//! | [`minimum`], [`maximum`] | a best solution and its weight | [`minimum`](crate::Diagram::minimum), [`maximum`](crate::Diagram::maximum) |
//! | [`minimum_weight`], [`maximum_weight`] | the best weight alone, in less memory | |
//! | [`minimize`], [`maximize`] | a best solution by an [`Objective`](crate::Objective), which sees the states | |
//! | [`probability`] | the probability of a solution | [`probability`](crate::Diagram::probability) |
//! | [`sum_product`] | a sum in a [`Semiring`](crate::Semiring) of [`FixedWords`] | [`sum_product`](crate::Diagram::sum_product) |
//!
//! Skipped variables are read as 0. Each method has a twin whose name ends with `_under` and which
//! takes the [`Rule`](crate::Rule); it may unite two of the methods above.
//!
//! A new answer is a file here, with a type that implements `frontier::Payload` and a method of `Frontier` that calls
//! `Engine::words`, such as `best`. A value of fixed size needs a [`Semiring`](crate::Semiring) alone, as
//! [`count_modulo`] does.
//!
//! [`count`]: crate::Frontier::count
//! [`count_bdd`]: crate::Frontier::count_bdd
//! [`count_modulo`]: crate::Frontier::count_modulo
//! [`count_by`]: crate::Frontier::count_by
//! [`count_by_within`]: crate::Frontier::count_by_within
//! [`minimum`]: crate::Frontier::minimum
//! [`maximum`]: crate::Frontier::maximum
//! [`minimize`]: crate::Frontier::minimize
//! [`maximize`]: crate::Frontier::maximize
//! [`minimum_weight`]: crate::Frontier::minimum_weight
//! [`maximum_weight`]: crate::Frontier::maximum_weight
//! [`probability`]: crate::Frontier::probability
//! [`sum_product`]: crate::Frontier::sum_product

mod best;
mod count;
mod objective;
mod sum_product;
#[cfg(test)]
mod tests;

pub use count::{count, count_bdd};
pub use sum_product::FixedWords;
