//! The families by name.

use super::degrees::Degrees;
use super::rules::{Groups, Rules};
use super::{EdgeSets, FamilyError};
use crate::Graph;

/// The edge sets without a cycle, among them the empty set.
///
/// A loop is a cycle, and so are two parallel edges. A graph without edges has one forest.
///
/// The state: for each vertex on the frontier, its component. Reference: K. Sekine, H. Imai and S.
/// Tani, *Computing the Tutte polynomial of a graph of moderate size*, ISAAC 1995.
///
/// ```
/// use topdd_graph::{Graph, families::forests};
///
/// let triangle = Graph::new(3, [(0, 1), (1, 2), (2, 0)])?;
/// assert_eq!(forests(&triangle).count()?, 7u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn forests(graph: &Graph) -> EdgeSets {
    EdgeSets::with_rules(graph, Rules { acyclic: true, ..Rules::NONE })
}

/// The sets of edges without a cycle that connect all vertices.
///
/// A disconnected graph has none. The empty graph and the graph with one vertex have one, the empty
/// set.
///
/// The state: for each vertex on the frontier, its component. Reference: K. Sekine, H. Imai and S.
/// Tani, *Computing the Tutte polynomial of a graph of moderate size*, ISAAC 1995.
///
/// ```
/// use topdd_graph::{Graph, families::spanning_trees};
///
/// assert_eq!(spanning_trees(&Graph::grid(4, 4)).count()?, 100_352u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn spanning_trees(graph: &Graph) -> EdgeSets {
    EdgeSets::with_rules(graph, Rules { acyclic: true, groups: Groups::All, ..Rules::NONE })
}

/// The edge sets that connect all vertices.
///
/// A disconnected graph has none. The empty graph has one, the empty set; with one vertex, every
/// set of loops is one.
///
/// The state: for each vertex on the frontier, its component. Reference: K. Sekine, H. Imai and S.
/// Tani, *Computing the Tutte polynomial of a graph of moderate size*, ISAAC 1995.
///
/// ```
/// use topdd_graph::{Graph, families::connected};
///
/// let triangle = Graph::new(3, [(0, 1), (1, 2), (2, 0)])?;
/// assert_eq!(connected(&triangle).count()?, 4u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn connected(graph: &Graph) -> EdgeSets {
    EdgeSets::with_rules(graph, Rules { groups: Groups::All, ..Rules::NONE })
}

/// The edge sets in which no two edges share a vertex, among them the empty set.
///
/// A loop is in no matching.
///
/// The state: for each vertex on the frontier, whether it has an edge.
///
/// ```
/// use topdd_graph::{Graph, families::matchings};
///
/// let path = Graph::grid(1, 4);
/// assert_eq!(matchings(&path).count()?, 5u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn matchings(graph: &Graph) -> EdgeSets {
    degrees(graph, vec![Degrees::from(..=1); graph.num_vertices()])
}

/// The edge sets in which the degree of each vertex, in and out, is allowed. A loop counts twice.
///
/// The state: for each vertex on the frontier, its degree, unless no future edge can make it
/// illegal.
///
/// ```
/// use topdd_graph::{Graph, families::{Degrees, degrees}};
///
/// // Even subgraphs: all degrees are even.
/// let even = vec![Degrees::of([0, 2, 4]); 9];
/// assert_eq!(degrees(&Graph::grid(3, 3), even).count()?, 16u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn degrees(graph: &Graph, degrees: Vec<Degrees>) -> EdgeSets {
    let (given, needed) = (degrees.len(), graph.num_vertices());
    let check = if given == needed {
        Ok(())
    } else {
        Err(FamilyError::WrongLength { what: "sets of degrees", given, needed })
    };
    let degrees = [degrees, Vec::new(), Vec::new()];
    EdgeSets::with_rules(graph, Rules { degrees, ..Rules::NONE }).checked(check)
}

/// The connected edge sets with at least one edge: all edges are in one component.
///
/// The state: for each vertex on the frontier, its component, and whether that has an edge.
///
/// ```
/// use topdd_graph::{Graph, families::connected_edge_sets};
///
/// // The intervals of a path of three edges.
/// assert_eq!(connected_edge_sets(&Graph::grid(1, 4)).count()?, 6u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn connected_edge_sets(graph: &Graph) -> EdgeSets {
    EdgeSets::with_rules(graph, Rules { single: true, nonempty: true, ..Rules::NONE })
}
