//! The families of cuts, by name.

use super::cut::CutRule;
use super::edge_families::check_terminals;
use super::edge_sets::EdgePart;
use super::{EdgeSets, at_most};
use crate::Graph;

/// The sets of edges between a set of vertices and its complement, neither of them empty. Each edge
/// set counts once. Directions do not matter, and loops are in no cut.
///
/// The empty set is a cut of a disconnected graph. Graphs with fewer than two vertices have none.
///
/// The state: for each vertex on the frontier, its side. Reference: R. Diestel, *Graph Theory*, section
/// 1.9: cuts are determined by sides relative to one vertex of each component.
///
/// ```
/// use topdd_graph::{Graph, families::cuts};
///
/// // Of a connected graph with n vertices, 2^(n - 1) - 1.
/// assert_eq!(cuts(&Graph::grid(3, 3)).count()?, 255u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn cuts(graph: &Graph) -> EdgeSets {
    with_rule(graph, CutRule { apart: None, minimal: false })
}

/// The [`cuts`] between a set of vertices with `s` and its complement with `t`.
///
/// ```
/// use topdd_graph::{Graph, families::cuts_between};
///
/// // The other seven vertices are on any side.
/// assert_eq!(cuts_between(&Graph::grid(3, 3), 0, 8).count()?, 128u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn cuts_between(graph: &Graph, s: usize, t: usize) -> EdgeSets {
    let family = with_rule(graph, CutRule { apart: Some((s, t)), minimal: false });
    family.checked(check_terminals(graph, &[s, t]))
}

/// The minimal [`cuts`]: the sets of edges without which the graph is not connected, and that need each of their
/// edges for that. Of a connected graph, they are the bonds: the cuts with two connected sides.
///
/// A disconnected graph has one, the empty set.
///
/// The state: for each vertex on the frontier, its side, and its component within that; and whether a side is
/// complete. Reference: R. Diestel, *Graph Theory*, section 1.9.
///
/// ```
/// use topdd_graph::{Graph, families::minimal_cuts};
///
/// assert_eq!(minimal_cuts(&Graph::cycle(6)).count()?, 15u32.into()); // any two edges
/// assert_eq!(minimal_cuts(&Graph::grid(2, 2).with_weights([1, 2, 3, 4])?).zdd()?.minimum()?.weight, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("bonds", "cutsets"))]
pub fn minimal_cuts(graph: &Graph) -> EdgeSets {
    if graph.num_components() > 1 {
        return empty_set(graph);
    }
    with_rule(graph, CutRule { apart: None, minimal: true })
}

/// The minimal [`cuts_between`] two vertices: the sets of edges without which no path connects `s` and `t`, and that
/// need each of their edges for that.
///
/// If no path connects `s` and `t`, there is one, the empty set.
///
/// The state: as for [`minimal_cuts`]. Reference: the sets that meet all paths between two terminals, of which
/// network reliability takes the minimal ones; C. J. Colbourn, *The Combinatorics of Network Reliability*, 1987.
///
/// ```
/// use topdd_graph::{Graph, families::minimal_cuts_between};
///
/// assert_eq!(minimal_cuts_between(&Graph::cycle(6), 0, 2).count()?, 8u32.into()); // 2 edges times 4
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn minimal_cuts_between(graph: &Graph, s: usize, t: usize) -> EdgeSets {
    let check = check_terminals(graph, &[s, t]);
    let components = if check.is_ok() { graph.components() } else { Vec::new() };
    if components.get(s) != components.get(t) {
        return empty_set(graph);
    }
    with_rule(graph, CutRule { apart: Some((s, t)), minimal: true }).checked(check)
}

fn with_rule(graph: &Graph, rule: CutRule) -> EdgeSets {
    EdgeSets::from_part(graph, EdgePart::Cuts(rule))
}

/// The family of the empty set.
fn empty_set(graph: &Graph) -> EdgeSets {
    EdgeSets::all(graph).and(at_most(0))
}
