//! The execution of operations: without recursion, on stacks that a collection can see.
//!
//! [`pairs`] is the loop of the operations that take most of the time: binary operations that
//! work level by level and make a node of the two results. [`calls`] runs
//! all others, which split into other calls or join the results by another
//! operation. [`balanced`] reduces many operands.

mod balanced;
mod calls;
pub(crate) mod pairs;

pub(crate) use calls::{Begin, Call, CallFrame, Operation, Split};
pub(crate) use pairs::PairFrame;
