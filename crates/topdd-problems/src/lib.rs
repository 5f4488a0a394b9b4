//! Ready-made topdd specs.

pub mod chess;
pub mod graph;
pub mod picture;
mod visit;

pub use visit::SpecVisitor;
