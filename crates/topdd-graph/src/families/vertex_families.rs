//! The families of vertex sets and the colourings, by name.

use super::vertex_sets::{VertexPart, VertexRule};
use super::{Colourings, VertexSets};
use crate::Graph;

/// Returns the sets of vertices of which no two are neighbours, the empty set included. A vertex with a
/// loop is in none of them. The empty graph has one, the empty set.
///
/// The state has a bit for each vertex of the frontier (C. Bron and J. Kerbosch list the maximal ones,
/// CACM 16, 1973).
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::independent_sets;
///
/// assert_eq!(independent_sets(&Graph::path(10)).count()?, 144u32.into()); // a Fibonacci number
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn independent_sets(graph: &Graph) -> VertexSets {
    VertexSets::from_part(graph, VertexPart::Rule(VertexRule::Independent))
}

/// Returns the sets of vertices of which any two have distance at least `distance`: by 2, the
/// [independent sets](independent_sets); by 1 or 0, all sets. Vertices in different components are at
/// any distance. Loops do not matter beyond distance 2, where they are as for independent sets.
///
/// The state has a bit for each vertex of the frontier of the graph in which vertices closer than
/// `distance` are neighbours. Making it takes time linear in its edges, at most 16 million.
///
/// Reference: H. Eto, F. Guo and E. Miyano, *Distance-d independent set problems for bipartite and
/// chordal graphs*, J. Comb. Optim. 27, 2014.
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::independent_sets_at_distance;
///
/// assert_eq!(independent_sets_at_distance(&Graph::path(6), 3).count()?, 13u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn independent_sets_at_distance(graph: &Graph, distance: usize) -> VertexSets {
    VertexSets::from_part(graph, VertexPart::Distance(distance))
}

/// Returns the sets of vertices of which every two are neighbours, the empty set and single vertices
/// included. Loops do not matter. The empty graph has one, the empty set.
///
/// The state has the neighbours of all members that are still undecided; with the library's order,
/// at most as many as the degeneracy of the graph (D. W. Matula and L. L. Beck, *Smallest-last
/// ordering*, 1983).
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::cliques;
///
/// assert_eq!(cliques(&Graph::king(8, 8)).count()?, 520u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn cliques(graph: &Graph) -> VertexSets {
    VertexSets::from_part(graph, VertexPart::Cliques)
}

/// Returns the sets of vertices such that each vertex is a member or has one as a neighbour. Loops do
/// not matter. The empty graph has one, the empty set.
///
/// The state has two bits for each vertex of the frontier: whether it is a member, and whether it is
/// dominated (C. Berge, *Theory of Graphs*, 1962).
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::dominating_sets;
///
/// assert_eq!(dominating_sets(&Graph::cycle(6)).count()?, 39u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn dominating_sets(graph: &Graph) -> VertexSets {
    VertexSets::from_part(graph, VertexPart::Rule(VertexRule::Dominating))
}

/// Returns the sets of vertices such that each vertex has a member as a neighbour. A vertex with a loop
/// is its own neighbour. There are none if a vertex is isolated; the empty graph has one, the empty
/// set.
///
/// The state is as for [`dominating_sets`] (E. J. Cockayne, R. M. Dawes and S. T. Hedetniemi, *Total
/// domination in graphs*, 1980).
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::total_dominating_sets;
///
/// assert_eq!(total_dominating_sets(&Graph::cycle(4)).count()?, 9u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn total_dominating_sets(graph: &Graph) -> VertexSets {
    VertexSets::from_part(graph, VertexPart::Rule(VertexRule::TotalDominating))
}

/// Returns the [dominating sets](dominating_sets) whose induced subgraph is connected, and not empty.
/// There are none in the empty graph and in disconnected ones.
///
/// The state has, for each vertex of the frontier, its component among the members, or whether it is
/// dominated (E. Sampathkumar and H. B. Walikar, *The connected domination number of a graph*, 1979).
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::connected_dominating_sets;
///
/// // All, all but one, or all but two neighbours.
/// assert_eq!(connected_dominating_sets(&Graph::cycle(6)).count()?, 13u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn connected_dominating_sets(graph: &Graph) -> VertexSets {
    VertexSets::from_part(graph, VertexPart::Connected { dominating: true })
}

/// Returns the sets of vertices such that each edge has a member as an end: the complements of the
/// [independent sets](independent_sets) (T. Gallai, *Über extreme Punkt- und Kantenmengen*, 1959). A
/// vertex with a loop is in all of them. The empty graph has one, the empty set.
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::vertex_covers;
///
/// let covers = vertex_covers(&Graph::named("petersen").unwrap()).zdd()?;
/// assert_eq!(covers.minimum()?.elements.len(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn vertex_covers(graph: &Graph) -> VertexSets {
    VertexSets::from_part(graph, VertexPart::Rule(VertexRule::Cover))
}

/// Returns the sets of vertices, not empty, whose induced subgraph is connected. The empty graph has
/// none.
///
/// The state has, for each vertex of the frontier, its component among the members (J. Kawahara,
/// T. Inoue, H. Iwashita and S. Minato, *Frontier-based search for enumerating all constrained
/// subgraphs with compressed representation*, IEICE Trans. Fundamentals E100-A, 2017).
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::connected_induced_subgraphs;
///
/// assert_eq!(connected_induced_subgraphs(&Graph::path(9)).count()?, 45u32.into());
/// assert_eq!(connected_induced_subgraphs(&Graph::grid(3, 3)).count()?, 218u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
#[doc(alias("induced_graphs", "weighted_induced_graphs"))]
pub fn connected_induced_subgraphs(graph: &Graph) -> VertexSets {
    VertexSets::from_part(graph, VertexPart::Connected { dominating: false })
}

/// Returns the ways to give each vertex one of the colours `0..colours` such that neighbours have
/// different ones. Colours are labelled: exchanging two of them makes another colouring. A graph with a
/// loop has none. The empty graph has one; other graphs have none without colours.
///
/// As a function of the number of colours, the count is the chromatic polynomial (G. D. Birkhoff,
/// *A determinant formula for the number of ways of coloring a map*, 1912). A variable for each vertex
/// has a value for each colour; the state has the colours of the frontier.
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::colourings;
///
/// let petersen = Graph::named("petersen").unwrap();
/// assert_eq!(colourings(&petersen, 3).count()?, 120u32.into());
/// let all = colourings(&petersen, 3).zdd()?;
/// let colours = all.iter().next().unwrap();
/// assert!(petersen.edges().iter().all(|&(a, b)| colours[a] != colours[b]));
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn colourings(graph: &Graph, colours: usize) -> Colourings {
    Colourings::with_colours(graph, colours)
}
