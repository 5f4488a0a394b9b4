//! What can be asked of a diagram.
//!
//! Everything here is a method of [`Diagram`](crate::Diagram), or a type that such a
//! method hands out: [`Solutions`] for iteration, [`Evaluator`] for passes of one's own.
//! Nothing recurses, so no diagram is too deep.

mod contains;
mod count;
mod evaluate;
mod iterate;

pub use evaluate::{Child, Children, Evaluator};
pub use iterate::Solutions;
