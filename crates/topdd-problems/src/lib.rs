//! Ready-made topdd specs.

pub mod chess;
pub mod graph;
mod visit;

pub use visit::SpecVisitor;
