//! Problems on graphs: paths and cycles, Hamiltonian or not.
//!
//! A [`Graph`] says which vertices are neighbours, [`Walks`] which paths or cycles are
//! wanted. Two specs describe them from the top down, [`ByEdge`] with one variable per
//! edge and [`ByVertex`] with one per vertex; both keep the mates of the frontier as
//! their state, packed into as few words as will do ([`Mates`]). [`Walks::visit`] picks
//! the number of words for you. [`Walks::to_sequence`] turns solutions into vertices in
//! order, and [`Walks::validate`] judges such a sequence by the definition alone.
//!
//! # Example
//!
//! The simple paths between opposite corners of a grid of 4 x 4 vertices, with a visitor
//! that follows the first solution it meets:
//!
//! ```
//! use topdd::{DdSpec, Step};
//! use topdd_problems::graph::{self, Encoding, Visit};
//!
//! struct First;
//!
//! impl Visit for First {
//!     type Output = Option<Vec<usize>>;
//!
//!     fn visit<S: DdSpec>(self, spec: &S) -> Option<Vec<usize>> {
//!         fn go<S: DdSpec>(spec: &S, step: Step<S::State>, values: &mut Vec<usize>) -> bool {
//!             let Step::To(variable, state) = step else { return step == Step::One };
//!             (0..spec.arity(variable)).any(|value| {
//!                 values.truncate(variable);
//!                 values.push(value);
//!                 go(spec, spec.child(&state, variable, value), values)
//!             })
//!         }
//!         let mut values = Vec::new();
//!         go(spec, spec.root(), &mut values).then_some(values)
//!     }
//! }
//!
//! let paths = graph::grid_paths(4);
//! let values = paths.visit(Encoding::ByVertex, First)?.expect("there are 184");
//! let corner_to_corner = paths.to_sequence(Encoding::ByVertex, &values)?;
//! assert_eq!(paths.validate(&corner_to_corner), Ok(()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod by_edge;
mod by_vertex;
mod frontier;
mod mates;
mod plan;
mod sequence;
mod undirected;
mod visit;
mod walks;

pub use by_edge::ByEdge;
pub use by_vertex::{ByVertex, choice};
pub use mates::Mates;
pub use sequence::{Flaw, SequenceError};
pub use undirected::{Graph, GraphError};
pub use visit::Visit;
pub use walks::{
    Encoding, Shape, WalkError, Walks, grid_cycles, grid_hamiltonian_cycles,
    grid_hamiltonian_paths, grid_paths,
};

#[cfg(test)]
mod tests;
