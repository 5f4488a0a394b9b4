//! topdd builds decision diagrams from the top down.

pub mod check;
mod error;
pub mod frontier;
pub mod spec;

pub use error::{Error, Limit};
pub use frontier::{CancelToken, Frontier, LevelReport, Report, count, count_bdd};
pub use spec::{DdSpec, Rule, SpecExt, Step};
