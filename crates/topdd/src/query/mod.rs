//! What can be asked of a diagram.
//!
//! Everything here is a method of [`Diagram`](crate::Diagram), or a type that such a
//! method hands out: [`Solutions`] for iteration, [`Evaluator`] for passes of one's own.
//! Nothing recurses, so no diagram is too deep.

mod contains;
mod count;
mod counts;
mod decision;
mod distribution;
mod evaluate;
mod fold;
mod index;
mod iterate;
mod natural;
mod optimise;
mod pass;
mod skips;
#[cfg(test)]
mod testing;
mod value_counts;
mod weights;

pub use decision::{Conflict, Decision};
pub use evaluate::{Child, Children, Evaluator};
pub use fold::Semiring;
pub use index::Index;
pub use iterate::Solutions;
pub use optimise::{Best, Goal, KBest};
pub use weights::Weights;
