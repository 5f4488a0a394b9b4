//! Answers without a diagram: computed during the sweep, with only the live levels in memory.
//!
//! Each is a method of [`Frontier`](crate::Frontier), with threads, limits, spilling, checkpoints,
//! progress and cancelling as for a diagram, and equals the answer of the diagram.
//!
//! | `Frontier` | result | `Diagram` |
//! | --- | --- | --- |
//! | [`count`], [`count_bdd`] | the number of solutions | [`count`](crate::Diagram::count) |
//! | [`count_modulo`] | the same modulo a number | |
//! | [`count_by`], [`count_by_up_to`] | the number of solutions of each weight | [`weight_distribution`] |
//! | [`minimum`], [`maximum`] | the best weight | |
//! | [`minimum_solution`], [`maximum_solution`] | a solution that has it | [`minimum`](crate::Diagram::minimum), [`maximum`](crate::Diagram::maximum) |
//! | [`probability`] | the probability of a solution | [`probability`](crate::Diagram::probability) |
//! | [`sum_product`] | a sum in a [`Semiring`](crate::Semiring) of [`FixedWords`] | [`sum_product`](crate::Diagram::sum_product) |
//!
//! Skipped variables are read as 0. Each method has a twin whose name ends with `_under` and which
//! takes the [`Rule`](crate::Rule); it may unite two of the methods above.
//!
//! [`count`]: crate::Frontier::count
//! [`count_bdd`]: crate::Frontier::count_bdd
//! [`count_modulo`]: crate::Frontier::count_modulo
//! [`count_by`]: crate::Frontier::count_by
//! [`count_by_up_to`]: crate::Frontier::count_by_up_to
//! [`minimum`]: crate::Frontier::minimum
//! [`maximum`]: crate::Frontier::maximum
//! [`minimum_solution`]: crate::Frontier::minimum_solution
//! [`maximum_solution`]: crate::Frontier::maximum_solution
//! [`probability`]: crate::Frontier::probability
//! [`sum_product`]: crate::Frontier::sum_product
//! [`weight_distribution`]: crate::Diagram::weight_distribution

mod best;
mod costs;
mod count;
mod count_by;
mod sum_product;
#[cfg(test)]
mod tests;
mod words;

pub use count::{count, count_bdd};
pub use words::FixedWords;
