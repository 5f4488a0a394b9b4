//! Problems on graphs: paths and cycles, Hamiltonian or not.
//!
//! A [`Graph`] says which vertices are neighbours, [`Walks`] which paths or cycles are
//! wanted. Two specs describe them from the top down, [`ByEdge`] with one variable per
//! edge and [`ByVertex`] with one per vertex; both keep the mates of the frontier as
//! their state, packed into as few words as will do ([`Mates`]). [`Walks::visit`] picks
//! the number of words for you. [`Walks::to_sequence`] turns solutions into vertices in
//! order, and [`Walks::validate`] judges such a sequence by the definition alone.
//!
//! [`Walks::symmetric`] are the walks that a symmetry of the graph keeps, and
//! [`Walks::directed`] those with a direction: [`Lifts`].
//!
//! [`Walks::by_time`] is the classic formulation, for the apply engine: a variable for each
//! time and vertex. [`ByTime`] is the spec with the same variables and the same diagram.
//!
//! # Example
//!
//! The simple paths between opposite corners of a grid of 5 x 5 vertices:
//!
//! ```
//! use topdd_graph::{ByVertex, Encoding};
//!
//! let paths = topdd_graph::grid_paths(5);
//! let zdd = topdd::zdd(&ByVertex::<1>::new(&paths)?)?;
//! assert_eq!(zdd.count(), 8512u32.into());
//!
//! let solution = zdd.iter().next().expect("there are 8512");
//! let corner_to_corner = paths.to_sequence(Encoding::ByVertex, &solution)?;
//! assert_eq!(paths.validate(&corner_to_corner), Ok(()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A problem of one's own, whose width is not known beforehand:
//!
//! ```
//! use topdd::{DdSpec, Error, Zdd};
//! use topdd_graph::SpecVisitor;
//! use topdd_graph::{Encoding, Graph, Walks};
//!
//! struct Build;
//!
//! impl SpecVisitor for Build {
//!     type Output = Result<Zdd, Error>;
//!     fn visit<S: DdSpec>(self, spec: S) -> Self::Output { topdd::zdd(&spec) }
//! }
//!
//! let wheel = Graph::new(5, [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (2, 3), (3, 4), (1, 4)])?;
//! let tours = Walks::hamiltonian_cycles(wheel).visit(Encoding::ByEdge, Build)??;
//! assert_eq!(tours.count(), 4u32.into());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "apply")]
mod apply;
mod by_edge;
mod by_time;
mod by_vertex;
mod frontier;
mod hopeless;
mod lifts;
mod mates;
mod order;
mod plan;
mod sequence;
mod undirected;
mod visit;
mod visitor;
mod walks;

#[cfg(feature = "apply")]
pub use apply::{ByTimeError, ByTimeStep};
pub use by_edge::ByEdge;
pub use by_time::{ByTime, Passed};
pub use by_vertex::{ByVertex, choice};
pub use lifts::{Crossing, Lifted, LiftedState, Lifts, SymmetryError};
pub use mates::Mates;
pub use order::narrow_order;
pub use sequence::{Flaw, SequenceError};
pub use undirected::{Graph, GraphError};
pub use visitor::SpecVisitor;
pub use walks::{
    Encoding, Shape, WalkError, Walks, grid_cycles, grid_hamiltonian_cycles,
    grid_hamiltonian_paths, grid_paths,
};

#[cfg(test)]
mod tests;
