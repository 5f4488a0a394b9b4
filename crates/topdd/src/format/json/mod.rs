//! JSON, for programs that do not use topdd.
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
//! | member | content |
//! | --- | --- |
//! | `format` | `"topdd"` |
//! | `version` | `1` |
//! | `rule` | the rule of skipped variables: `"zero-suppressed"` (0) or `"any-value"` |
//! | `metadata` | optional: the [`Metadata`](crate::format::Metadata), an object; lists of names are lists |
//! | `arities` | a list of the numbers of values of the variables, from the root down |
//! | `root` | the id of the root |
//! | `levels` | a list of the levels that have nodes, from the top |
//! | `variable` | the variable of a level |
//! | `nodes` | a list of its nodes |
//! | `id` | the id of a node; 0 and 1 are the terminals |
//! | `edges` | a list of pairs, of a value and the id of its child; those to the 0-terminal are left out |
//!
//! The text that topdd writes is canonical: the same family gives the same text. A text of another
//! program may differ from it: members, levels and edges may be in any order, members with other
//! names are ignored, ids may be any numbers from 2 on, nodes need not be reduced nor reached from
//! the root, and edges may lead to the 0-terminal. The reader reduces the diagram.

mod read;
#[cfg(test)]
mod tests;
mod write;

#[allow(unused_imports, reason = "the docs link to it")]
use crate::Diagram;

/// The name of this format in errors.
const NAME: &str = "JSON of topdd";
const FORMAT: &str = "topdd";
const VERSION: u64 = 1;
const ZERO_SUPPRESSED: &str = "zero-suppressed";
const ANY_VALUE: &str = "any-value";
