//! JSON, for programs that are not written with topdd.
//!
//! [`Diagram::write_json`] and [`Diagram::to_json`] write it, [`Diagram::read_json`] and
//! [`AnyDiagram::read_json`](crate::AnyDiagram::read_json) read it. A document is one object,
//! here of the family {{2}, {1, 2}} of {0, 1, 2}:
//!
//! ```json
//! {
//! "format": "topdd", "version": 1, "rule": "zero-suppressed",
//! "arities": [2, 2, 2],
//! "root": 3,
//! "levels": [
//! {"variable": 1, "nodes": [
//! {"id": 3, "edges": [[0, 2], [1, 2]]}
//! ]},
//! {"variable": 2, "nodes": [
//! {"id": 2, "edges": [[1, 1]]}
//! ]}
//! ]
//! }
//! ```
//!
//! | member | what |
//! | --- | --- |
//! | `format` | `"topdd"` |
//! | `version` | `1` |
//! | `rule` | what skipped variables mean: `"zero-suppressed"` (0) or `"any-value"` |
//! | `arities` | a list of the numbers of values of the variables, from the root down |
//! | `root` | the number of the root |
//! | `levels` | a list of the levels that have nodes, from the top |
//! | `variable` | the variable of a level |
//! | `nodes` | a list of its nodes |
//! | `id` | the number of a node; 0 and 1 are the terminals |
//! | `edges` | a list of pairs, of a value and the number of the child it leads to; those to the 0-terminal are left out |
//!
//! What topdd writes is canonical: the same family gives the same text. What it reads may
//! come from others: members may be in any order, and those with other names are passed
//! over; levels may come in any order; nodes may have any numbers from 2 on, and need not
//! be reduced, nor reached from the root; edges may come in any order and may lead to the
//! 0-terminal. The diagram is reduced on the way in.

mod read;
#[cfg(test)]
mod tests;
mod write;

#[allow(unused_imports, reason = "the docs link to it")]
use crate::Diagram;

/// What errors call this format.
const NAME: &str = "JSON of topdd";
const FORMAT: &str = "topdd";
const VERSION: u64 = 1;
const ZERO_SUPPRESSED: &str = "zero-suppressed";
const ANY_VALUE: &str = "any-value";
