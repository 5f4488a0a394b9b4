//! Problems on graphs: paths and cycles, Hamiltonian or not, and other families of subgraphs.
//!
//! A [`Graph`] stores vertices and edges. [`families`] contains families of its edge sets, such as paths,
//! cycles, trees, matchings, cuts and partitions, of its vertex sets, and of its colourings. The order of
//! the variables is chosen by the library.
//!
//! | method | result |
//! | --- | --- |
//! | [`count`](families::GraphSets::count) | the number of solutions, without a diagram |
//! | [`zdd`](families::GraphSets::zdd) | the diagram of all solutions |
//! | [`frontier`](families::GraphSets::frontier) | a sweep: limits, threads, files, checkpoints, progress |
//! | [`spec`](families::GraphSets::spec) | a spec, to combine with others, or to search for a few solutions |
//!
//! Paths and cycles convert to sequences of vertices with
//! [`to_sequence`](families::GraphSets::to_sequence), and have a second formulation, with one variable for
//! each vertex: [`by_vertex`](families::GraphSets::by_vertex).
//!
//! # Example
//!
//! The simple paths between opposite corners of a grid of 5 x 5 vertices:
//!
//! ```
//! use topdd_graph::{Graph, families::paths};
//!
//! let paths = paths(&Graph::grid(5, 5), 0, 24);
//! let diagram = paths.zdd()?;
//! assert_eq!(diagram.count(), 8512u32.into());
//!
//! let edges = diagram.iter().next().expect("there are 8512");
//! let corner_to_corner = paths.to_sequence(&edges)?;
//! assert_eq!(paths.validate(&corner_to_corner), Ok(()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod by_edge;
mod by_vertex;
mod directions;
pub mod families;
pub mod format;
mod frontier;
mod generators;
mod graph;
mod kind;
mod lists;
mod mates;
pub mod order;
mod path_problem;
mod plan;
pub mod predict;
mod words;

pub use graph::{Graph, GraphError};

// For topdd-chess, and not part of the API.
#[doc(hidden)]
pub use path_problem::PathProblem;
#[doc(hidden)]
pub use words::{FromWords, wide};

use by_edge::{ByEdge, DirectedByEdge};
use by_vertex::ByVertex;

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
