//! topdd builds decision diagrams from the top down.

pub mod check;
pub mod diagram;
mod error;
mod format;
pub mod frontier;
pub mod query;
pub mod spec;

pub use diagram::{Bdd, Diagram, Zdd, bdd, zdd};
pub use error::{Error, Limit};
pub use frontier::{CancelToken, Frontier, LevelReport, Report, count, count_bdd};
pub use query::{Child, Children, Evaluator, Solutions};
pub use spec::{DdSpec, Rule, SpecExt, Step};
