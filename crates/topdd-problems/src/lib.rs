//! Ready-made topdd specs.

pub mod chess;
pub mod graph;
