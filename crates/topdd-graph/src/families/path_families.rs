//! Paths and cycles by name.

use super::edge_families::check_vertices;
use super::edge_sets::EdgePart;
use super::{EdgeSets, FamilyError, Order};
use crate::Graph;
use crate::path_problem::PathRule;

fn of_path(graph: &Graph, path: PathRule) -> EdgeSets {
    let ends = path.from.iter().chain(&path.to);
    let check = match path.from {
        Some(vertex) if path.to == path.from => Err(FamilyError::EqualEnds { vertex }),
        _ => check_vertices(graph, ends),
    };
    EdgeSets::from_part(graph, EdgePart::Paths(path)).checked(check)
}

const PATHS: PathRule =
    PathRule { cycle: false, hamiltonian: false, from: None, to: None, trivial: false };

/// The simple paths from `s` to `t`. In a directed graph all edges lead from `s` to `t`.
///
/// There are none if the graph does not connect the two. Both must be vertices, and different.
///
/// The state is the mate array: for each end of a piece of a path on the frontier, its other end.
/// Reference: D. E. Knuth, *The Art of Computer Programming* 4A, 7.1.4, exercise 225 (Simpath).
///
/// ```
/// use topdd_graph::{Graph, families::{at_most, avoid, paths}};
///
/// let grid = Graph::grid(4, 4);
/// assert_eq!(paths(&grid, 0, 15).count()?, 184u32.into());
/// assert_eq!(paths(&grid, 0, 15).and(at_most(6)).and(avoid(5)).count()?, 8u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn paths(graph: &Graph, s: usize, t: usize) -> EdgeSets {
    of_path(graph, PathRule { from: Some(s), to: Some(t), ..PATHS })
}

/// The simple paths from `s` to any other vertex, of at least one edge.
///
/// The state and the reference: as for [`paths`].
///
/// ```
/// use topdd_graph::{Graph, families::paths_from};
///
/// assert_eq!(paths_from(&Graph::grid(2, 2), 0).count()?, 6u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn paths_from(graph: &Graph, s: usize) -> EdgeSets {
    of_path(graph, PathRule { from: Some(s), ..PATHS })
}

/// All simple paths of at least one edge. In an undirected graph, each is one set, whichever of
/// its ends is first.
///
/// A graph without edges other than loops has none.
///
/// The state: as for [`paths`], and how many ends are decided. Reference: as for [`paths`].
///
/// ```
/// use topdd_graph::{Graph, families::all_paths};
///
/// assert_eq!(all_paths(&Graph::grid(2, 2)).count()?, 12u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn all_paths(graph: &Graph) -> EdgeSets {
    of_path(graph, PATHS)
}

/// The simple cycles. In a directed graph all edges lead around.
///
/// A loop is a cycle, and so are two parallel edges, or two opposite ones of a directed graph. A
/// graph without a cycle has none.
///
/// The state and the reference: as for [`paths`].
///
/// ```
/// use topdd_graph::{Graph, families::cycles};
///
/// assert_eq!(cycles(&Graph::grid(4, 4)).count()?, 213u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn cycles(graph: &Graph) -> EdgeSets {
    of_path(graph, PathRule { cycle: true, ..PATHS })
}

/// The cycles through all vertices; see [`cycles`].
///
/// The empty graph has none. Of a single vertex, each loop is one.
///
/// The state and the reference: as for [`paths`]. No vertex leaves the frontier without its edges.
///
/// ```
/// use topdd_graph::{Graph, families::hamiltonian_cycles};
///
/// assert_eq!(hamiltonian_cycles(&Graph::grid(6, 6)).count()?, 1072u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn hamiltonian_cycles(graph: &Graph) -> EdgeSets {
    of_path(graph, PathRule { cycle: true, hamiltonian: true, ..PATHS })
}

/// The paths through all vertices, with any ends; see [`all_paths`].
///
/// The empty graph has none, and neither has a single vertex, as a path has an edge.
///
/// The state and the reference: as for [`paths`]. No vertex leaves the frontier without its edges.
///
/// ```
/// use topdd_graph::{Graph, families::hamiltonian_paths};
///
/// assert_eq!(hamiltonian_paths(&Graph::grid(3, 3)).count()?, 20u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn hamiltonian_paths(graph: &Graph) -> EdgeSets {
    of_path(graph, PathRule { hamiltonian: true, ..PATHS })
}

/// The paths through all vertices that start at `s` and end anywhere; see [`paths_from`].
///
/// The state and the reference: as for [`paths`]. No vertex leaves the frontier without its edges.
///
/// ```
/// use topdd_graph::{Graph, families::hamiltonian_paths_from};
///
/// assert_eq!(hamiltonian_paths_from(&Graph::grid(3, 3), 0).count()?, 8u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn hamiltonian_paths_from(graph: &Graph, s: usize) -> EdgeSets {
    of_path(graph, PathRule { hamiltonian: true, from: Some(s), ..PATHS })
}

/// The paths through all vertices that end at `t` and start anywhere. In an undirected graph, the sets are
/// as for [`hamiltonian_paths_from`], and only [`EdgeSets::to_sequence`] differs.
///
/// The state and the reference: as for [`paths`]. No vertex leaves the frontier without its edges.
///
/// ```
/// use topdd_graph::{Graph, families::hamiltonian_paths_to};
///
/// let one_way = Graph::directed(3, [(0, 1), (1, 2), (2, 0), (2, 1)])?;
/// assert_eq!(hamiltonian_paths_to(&one_way, 1).count()?, 1u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn hamiltonian_paths_to(graph: &Graph, t: usize) -> EdgeSets {
    of_path(graph, PathRule { hamiltonian: true, to: Some(t), ..PATHS })
}

/// The paths through all vertices from `s` to `t`; see [`paths`].
///
/// The state and the reference: as for [`paths`]. No vertex leaves the frontier without its edges.
///
/// ```
/// use topdd_graph::{Graph, families::hamiltonian_paths_between};
///
/// assert_eq!(hamiltonian_paths_between(&Graph::grid(3, 3), 0, 8).count()?, 2u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn hamiltonian_paths_between(graph: &Graph, s: usize, t: usize) -> EdgeSets {
    of_path(graph, PathRule { hamiltonian: true, from: Some(s), to: Some(t), ..PATHS })
}

/// The simple paths between opposite corners of a grid of `n` times `n` vertices, OEIS A007764 (D. E.
/// Knuth, *Mathematics and Computer Science: Coping with Finiteness*, 1976). Of a single vertex there is
/// one, the empty set. The edges are in the order of the grid.
///
/// ```
/// use topdd_graph::families::grid_paths;
///
/// assert_eq!(grid_paths(5).count()?, 8512u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn grid_paths(n: usize) -> EdgeSets {
    let grid = Graph::grid(n, n);
    let family = match grid.num_vertices() {
        0 => all_paths(&grid),
        1 => return grid_hamiltonian_paths(1, 1),
        vertices => paths(&grid, 0, vertices - 1),
    };
    family.order(Order::Given)
}

/// The simple cycles of a grid of `rows` times `cols` vertices (OEIS A140517 for squares). The vertices and
/// edges are numbered along the shorter side.
///
/// ```
/// use topdd_graph::families::grid_cycles;
///
/// assert_eq!(grid_cycles(3, 3).count()?, 13u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn grid_cycles(rows: usize, cols: usize) -> EdgeSets {
    cycles(&narrow_grid(rows, cols)).order(Order::Given)
}

/// The Hamiltonian cycles of a grid of `rows` times `cols` vertices (OEIS A003763 for squares). The vertices
/// and edges are numbered along the shorter side.
///
/// ```
/// use topdd_graph::families::grid_hamiltonian_cycles;
///
/// assert_eq!(grid_hamiltonian_cycles(4, 4).count()?, 6u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn grid_hamiltonian_cycles(rows: usize, cols: usize) -> EdgeSets {
    hamiltonian_cycles(&narrow_grid(rows, cols)).order(Order::Given)
}

/// The Hamiltonian paths of a grid of `rows` times `cols` vertices, with any ends (OEIS A120443 for squares).
/// Of a single vertex there is one, the empty set. The vertices and edges are numbered along the shorter side.
///
/// ```
/// use topdd_graph::families::grid_hamiltonian_paths;
///
/// assert_eq!(grid_hamiltonian_paths(3, 3).count()?, 20u32.into());
/// assert_eq!(grid_hamiltonian_paths(1, 1).to_sequence(&[])?, [0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn grid_hamiltonian_paths(rows: usize, cols: usize) -> EdgeSets {
    let rule = PathRule { hamiltonian: true, trivial: true, ..PATHS };
    of_path(&narrow_grid(rows, cols), rule).order(Order::Given)
}

fn narrow_grid(rows: usize, cols: usize) -> Graph {
    Graph::grid(rows.max(cols), rows.min(cols))
}
