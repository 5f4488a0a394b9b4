//! Problems on graphs.

mod by_edge;
mod by_vertex;
mod frontier;
mod mates;
mod plan;
mod undirected;
mod walks;

pub use by_edge::ByEdge;
pub use by_vertex::{ByVertex, choice};
pub use mates::Mates;
pub use undirected::{Graph, GraphError};
pub use walks::{
    Encoding, Shape, WalkError, Walks, grid_cycles, grid_hamiltonian_cycles,
    grid_hamiltonian_paths, grid_paths,
};
#[cfg(test)]
mod tests;
