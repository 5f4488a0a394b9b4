//! The execution of operations: without recursion, on stacks that a collection can see.
//!
//! [`pairs`] is the loop behind the operations that most time is spent in, those that
//! take two operands level by level and make a node of the two results. [`calls`] runs
//! all others: those that split into other calls, or join the results by another
//! operation. [`balanced`] joins many.

mod balanced;
mod calls;
pub(crate) mod pairs;

pub(crate) use calls::{Begin, Call, CallFrame, Operation, Split};
pub(crate) use pairs::PairFrame;
