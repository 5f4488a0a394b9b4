//! Problems on graphs: paths and cycles, Hamiltonian or not, and other families of subgraphs.
//!
//! [`families`] contains families of edge sets of any graph: paths, cycles, trees, matchings, cuts,
//! partitions and more, with the order of the variables chosen by the library. The rest of this page
//! is about [`Paths`]: paths and cycles of simple undirected graphs in two encodings.
//!
//! A [`Graph`] stores vertices and edges. [`Paths`] is a set of paths or of cycles of a graph. A
//! [`PathEncoding`] is the choice of variables: one per edge, or one per vertex. The state of a
//! spec is the mate array of the frontier, packed into as few 64-bit words as possible.
//!
//! | method | result |
//! | --- | --- |
//! | [`Paths::count`] | the number of paths, without a diagram |
//! | [`Paths::zdd`] | the diagram of all paths |
//! | [`Paths::frontier`] | a sweep: limits, threads, files, checkpoints, progress |
//! | [`Paths::spec`] | a spec, to combine with others, or to search for a few paths |
//!
//! [`Paths::to_sequence`] converts a solution to a sequence of vertices, and [`Paths::validate`]
//! checks such a sequence by the definition alone, independently of the specs.
//!
//! [`Paths::symmetric`] returns the paths that a symmetry of the graph maps to themselves, and
//! [`Paths::directed`] the paths with a direction. Both are [`Lifts`], which has the same methods.
//!
//! [`Paths::spec_by_time`] and [`Paths::frontier_by_time`] use one variable for each time and
//! vertex. These are the variables of the classic formulation for the apply engine
//! (`Paths::by_time`, feature `apply`).
//!
//! # Example
//!
//! The simple paths between opposite corners of a grid of 5 x 5 vertices:
//!
//! ```
//! use topdd_graph::PathEncoding;
//!
//! let paths = topdd_graph::grid_paths(5);
//! let zdd = paths.zdd(PathEncoding::ByVertex)?;
//! assert_eq!(zdd.count(), 8512u32.into());
//!
//! let solution = zdd.iter().next().expect("there are 8512");
//! let corner_to_corner = paths.to_sequence(PathEncoding::ByVertex, &solution)?;
//! assert_eq!(paths.validate(&corner_to_corner), Ok(()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "apply")]
mod apply;
mod by_edge;
mod by_time;
mod by_vertex;
mod choices;
pub mod families;
pub mod format;
mod frontier;
mod generators;
mod graph;
mod infeasible;
mod lifts;
mod mates;
pub mod order;
mod path_problem;
mod path_specs;
mod paths;
mod plan;
pub mod predict;
mod sequence;
mod simple;
mod words;

#[cfg(feature = "apply")]
pub use apply::{ByTimeError, ByTimeStep};
pub use graph::{Graph, GraphError};
pub use lifts::{Lifts, LiftsError};
pub use order::narrow_order;
pub use path_problem::PathEncoding;
pub use paths::{
    PathError, Paths, Shape, grid_cycles, grid_hamiltonian_cycles, grid_hamiltonian_paths,
    grid_paths,
};
pub use sequence::{Flaw, SequenceError};
pub use simple::{PreparedGraph, SimpleGraph};

// For topdd-chess, and not part of the API.
#[doc(hidden)]
pub use by_time::Directions;
#[doc(hidden)]
pub use choices::choice;

use by_edge::{ByEdge, DirectedByEdge};
use by_vertex::ByVertex;

#[cfg(test)]
mod tests;

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
