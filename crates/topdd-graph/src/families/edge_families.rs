//! The families of edge sets by name, other than paths and cycles.

use super::conditions::EdgePart;
use super::cut::CutRule;
use super::degrees::Degrees;
use super::partition::PartitionRule;
use super::rules::{Groups, Rules};
use super::{EdgeSets, FamilyError, at_most};
use crate::Graph;
use std::collections::HashSet;
use std::ops::RangeInclusive;

fn with_rules(graph: &Graph, rules: Rules) -> EdgeSets {
    EdgeSets::from_part(graph, EdgePart::Rules(rules))
}

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
    with_rules(graph, Rules { acyclic: true, ..Rules::NONE })
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
#[doc(alias = "trees")]
pub fn spanning_trees(graph: &Graph) -> EdgeSets {
    with_rules(graph, Rules { acyclic: true, groups: Groups::All, ..Rules::NONE })
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
    with_rules(graph, Rules { groups: Groups::All, ..Rules::NONE })
}

/// The edge sets in which no two edges share a vertex, among them the empty set.
///
/// A loop is in no matching.
///
/// The state: for each vertex on the frontier, whether it has an edge. Reference: as for [`degrees`].
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
/// illegal. Reference: J. Kawahara, T. Inoue, H. Iwashita
/// and S. Minato, *Frontier-based search for enumerating all constrained subgraphs with compressed
/// representation*, IEICE Transactions on Fundamentals E100-A (2017).
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
    with_rules(graph, Rules { degrees, ..Rules::NONE }).checked(check)
}

/// The connected edge sets with at least one edge: all edges are in one component.
///
/// The state: for each vertex on the frontier, its component, and whether that has an edge.
/// Reference: as for [`degrees`].
///
/// ```
/// use topdd_graph::{Graph, families::connected_edge_sets};
///
/// // The intervals of a path of three edges.
/// assert_eq!(connected_edge_sets(&Graph::grid(1, 4)).count()?, 6u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn connected_edge_sets(graph: &Graph) -> EdgeSets {
    with_rules(graph, Rules { single: true, nonempty: true, ..Rules::NONE })
}

/// The edge sets in which the vertices of each group are in one component, and vertices of different groups in different ones.
/// Other vertices may be anywhere. No vertex may be in two groups; without groups, all edge sets.
///
/// A group with one vertex keeps other groups away from its component. With degrees, [`forests`] and bounds, these are the
/// conditions of the call `graphs` of Graphillion, which takes no edge outside the components of groups.
///
/// The state: for each vertex on the frontier, its component, and the group of the component. Reference: T. Inoue,
/// H. Iwashita, J. Kawahara and S. Minato, *Graphillion: software library for very large sets of labeled graphs*, STTT 18
/// (2016).
///
/// ```
/// use topdd_graph::{Graph, families::{Degrees, connected_groups, degrees, forests}};
///
/// // Two disjoint paths, each between the corners on its side.
/// let grid = Graph::grid(3, 3);
/// let groups = connected_groups(&grid, &[vec![0, 6], vec![2, 8]]);
/// let ends = |v| if [0, 2, 6, 8].contains(&v) { 1.into() } else { Degrees::of([0, 2]) };
/// let paths = groups.and(forests(&grid)).and(degrees(&grid, (0..9).map(ends).collect()));
/// assert_eq!(paths.count()?, 7u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
#[doc(alias = "graphs")]
pub fn connected_groups(graph: &Graph, groups: &[Vec<usize>]) -> EdgeSets {
    let check = check_vertices(graph, groups.iter().flatten());
    let groups = if groups.is_empty() { Groups::Any } else { Groups::Of(groups.to_vec()) };
    with_rules(graph, Rules { groups, ..Rules::NONE }).checked(check)
}

/// Whether vertices are in range, each once.
pub(super) fn check_vertices<'a>(
    graph: &Graph,
    list: impl IntoIterator<Item = &'a usize>,
) -> Result<(), FamilyError> {
    let vertices = graph.num_vertices();
    let mut seen = vec![false; vertices];
    for &vertex in list {
        match seen.get_mut(vertex) {
            None => return Err(FamilyError::VertexOutOfRange { vertex, vertices }),
            Some(true) => return Err(FamilyError::RepeatedVertex { vertex }),
            Some(seen) => *seen = true,
        }
    }
    Ok(())
}

/// The forests in which each component, an isolated vertex included, contains exactly one of the
/// given roots.
///
/// Without roots, only the empty graph has one. A component of the graph without a root, or a root
/// given twice, leaves none or is an error.
///
/// The state: for each vertex on the frontier, its component, and the root of the component.
/// Reference: T. Inoue and others, *Distribution loss minimization with guaranteed error bound*, IEEE
/// Transactions on Smart Grid 5 (2014).
///
/// ```
/// use topdd_graph::{Graph, families::rooted_forests};
///
/// let path = Graph::grid(1, 4);
/// assert_eq!(rooted_forests(&path, &[0, 3]).count()?, 3u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn rooted_forests(graph: &Graph, roots: &[usize]) -> EdgeSets {
    let groups = Groups::Of(roots.iter().map(|&root| vec![root]).collect());
    let rules = Rules { acyclic: true, covered: true, groups, ..Rules::NONE };
    with_rules(graph, rules).checked(check_vertices(graph, roots))
}

/// The trees with at least one edge, not necessarily spanning.
///
/// A graph without edges other than loops has none.
///
/// The state: for each vertex on the frontier, its component, and whether that has an edge.
/// Reference: as for [`degrees`].
///
/// ```
/// use topdd_graph::{Graph, families::subtrees};
///
/// let triangle = Graph::new(3, [(0, 1), (1, 2), (2, 0)])?;
/// assert_eq!(subtrees(&triangle).count()?, 6u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "trees")]
pub fn subtrees(graph: &Graph) -> EdgeSets {
    let rules = Rules { acyclic: true, single: true, nonempty: true, ..Rules::NONE };
    with_rules(graph, rules)
}

/// The trees that contain all terminals. Leaves may be other vertices.
///
/// With one terminal, the empty set is one: the terminal alone. Terminals that the graph does not
/// connect leave none. No terminals, or one given twice, are an error.
///
/// The state: for each vertex on the frontier, its component, and whether that has an edge or a
/// terminal. Reference: as for [`degrees`].
///
/// ```
/// use topdd_graph::{Graph, families::steiner_trees};
///
/// let square = Graph::grid(2, 2);
/// assert_eq!(steiner_trees(&square, &[0, 3]).count()?, 6u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn steiner_trees(graph: &Graph, terminals: &[usize]) -> EdgeSets {
    steiner(graph, terminals, true)
}

/// The connected edge sets that contain all terminals.
///
/// With one terminal, the empty set is one: the terminal alone. Terminals that the graph does not
/// connect leave none. No terminals, or one given twice, are an error.
///
/// The state: for each vertex on the frontier, its component, and whether that has an edge or a
/// terminal. Reference: as for [`degrees`].
///
/// ```
/// use topdd_graph::{Graph, families::steiner_subgraphs};
///
/// let square = Graph::grid(2, 2);
/// assert_eq!(steiner_subgraphs(&square, &[0, 3]).count()?, 7u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
#[doc(alias = "connected_components")]
pub fn steiner_subgraphs(graph: &Graph, terminals: &[usize]) -> EdgeSets {
    steiner(graph, terminals, false)
}

fn steiner(graph: &Graph, terminals: &[usize], acyclic: bool) -> EdgeSets {
    let groups = Groups::Of(vec![terminals.to_vec()]);
    let rules = Rules { acyclic, single: true, groups, ..Rules::NONE };
    with_rules(graph, rules).checked(check_terminals(graph, terminals))
}

pub(super) fn check_terminals(graph: &Graph, terminals: &[usize]) -> Result<(), FamilyError> {
    if terminals.is_empty() {
        return Err(FamilyError::NoVertices { what: "terminals" });
    }
    check_vertices(graph, terminals)
}

/// The edge sets that connect all terminals; the other edges are free.
///
/// One terminal is always connected. Terminals that the graph does not connect leave none. No
/// terminals, or one given twice, are an error.
///
/// The state: for each vertex on the frontier, its component, and whether that has a terminal.
/// Reference: G. Hardy, C. Lucet and N. Limnios, *K-terminal network reliability measures with binary
/// decision diagrams*, IEEE Transactions on Reliability 56 (2007).
///
/// ```
/// use topdd_graph::{Graph, families::connecting};
///
/// let square = Graph::grid(2, 2);
/// assert_eq!(connecting(&square, &[0, 3]).count()?, 7u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn connecting(graph: &Graph, terminals: &[usize]) -> EdgeSets {
    let groups = Groups::Of(vec![terminals.to_vec()]);
    with_rules(graph, Rules { groups, ..Rules::NONE }).checked(check_terminals(graph, terminals))
}

/// The spanning trees of a directed graph whose edges all lead away from `root`.
///
/// A graph in which some vertex cannot be reached from the root has none; one vertex has one, the
/// empty set.
///
/// The state: for each vertex on the frontier, its component, and whether it has an edge into it.
/// Reference: W. T. Tutte, *The dissection of equilateral triangles into equilateral triangles*,
/// 1948, counts them by a determinant.
///
/// ```
/// use topdd_graph::{Graph, families::arborescences};
///
/// let graph = Graph::directed(3, [(0, 1), (0, 2), (1, 2), (2, 1)])?;
/// assert_eq!(arborescences(&graph, 0).count()?, 3u32.into());
/// assert_eq!(arborescences(&graph, 1).count()?, 0u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn arborescences(graph: &Graph, root: usize) -> EdgeSets {
    let check = check_vertices(graph, [&root]).and(check_directed(graph, "arborescences"));
    let into = |vertex| Degrees::from(usize::from(vertex != root));
    let into = (0..graph.num_vertices()).map(into).collect();
    let degrees = [Vec::new(), Vec::new(), into];
    let rules = Rules { acyclic: true, groups: Groups::All, degrees, ..Rules::NONE };
    with_rules(graph, rules).checked(check)
}

pub(super) fn check_directed(graph: &Graph, family: &'static str) -> Result<(), FamilyError> {
    if graph.is_directed() { Ok(()) } else { Err(FamilyError::Undirected { family }) }
}

/// The edge sets in which each vertex is in exactly one edge.
///
/// The empty graph has one, the empty set; a graph with an odd number of vertices has none. A loop
/// is in none.
///
/// The state: for each vertex on the frontier, whether it has an edge. Reference: as for [`degrees`].
///
/// ```
/// use topdd_graph::{Graph, families::perfect_matchings};
///
/// // The tilings of a chessboard by dominoes.
/// assert_eq!(perfect_matchings(&Graph::grid(8, 8)).count()?, 12_988_816u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn perfect_matchings(graph: &Graph) -> EdgeSets {
    degrees(graph, vec![Degrees::from(1); graph.num_vertices()])
}

/// The edge sets in which vertex `v` has at most `b[v]` edges, among them the empty set; with the
/// same `b` everywhere, the `b`-matchings. A loop counts twice.
///
/// The state: for each vertex on the frontier, its degree, unless no future edge can make it too
/// large. Reference: as for [`degrees`].
///
/// ```
/// use topdd_graph::{Graph, families::b_matchings};
///
/// let triangle = Graph::new(3, [(0, 1), (1, 2), (2, 0)])?;
/// assert_eq!(b_matchings(&triangle, &[2, 1, 1]).count()?, 5u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "k_matchings")]
pub fn b_matchings(graph: &Graph, b: &[usize]) -> EdgeSets {
    degrees(graph, b.iter().map(|&b| Degrees::from(..=b)).collect())
}

/// The edge sets in which vertex `v` has exactly `f[v]` edges: the `f`-factors, and with the same
/// number `k` everywhere the `k`-factors. A loop counts twice.
///
/// The state: for each vertex on the frontier, its degree. Reference: as for [`degrees`].
///
/// ```
/// use topdd_graph::{Graph, families::factors};
///
/// // The sets of disjoint cycles through all vertices.
/// assert_eq!(factors(&Graph::grid(4, 4), &[2; 16]).count()?, 18u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
#[doc(alias("k_factors", "f_factors"))]
pub fn factors(graph: &Graph, f: &[usize]) -> EdgeSets {
    degrees(graph, f.iter().map(|&f| Degrees::from(f)).collect())
}

/// The edge sets in which each vertex has no edge or exactly `k`, among them the empty set: the
/// `k`-regular subgraphs. A loop counts twice.
///
/// The state: for each vertex on the frontier, its degree. Reference: as for [`degrees`].
///
/// ```
/// use topdd_graph::{Graph, families::regular_subgraphs};
///
/// // Three cycles, and no edge at all.
/// assert_eq!(regular_subgraphs(&Graph::grid(2, 3), 2).count()?, 4u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
#[doc(alias = "regular_graphs")]
pub fn regular_subgraphs(graph: &Graph, k: usize) -> EdgeSets {
    degrees(graph, vec![Degrees::of([0, k]); graph.num_vertices()])
}

/// The edge sets of a directed graph with allowed numbers of edges out of and into each vertex.
///
/// The state: for each vertex on the frontier, both degrees, unless no future edge can make them
/// illegal. Reference: as for [`degrees`].
///
/// ```
/// use topdd_graph::{Graph, families::{Degrees, directed_degrees}};
///
/// // The permutations that a graph permits: cycle covers.
/// let graph = Graph::directed(3, [(0, 1), (1, 2), (2, 0), (1, 0), (2, 2)])?;
/// let one = || vec![Degrees::from(1); 3];
/// assert_eq!(directed_degrees(&graph, one(), one()).count()?, 2u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn directed_degrees(graph: &Graph, out: Vec<Degrees>, into: Vec<Degrees>) -> EdgeSets {
    let needed = graph.num_vertices();
    let mut check = check_directed(graph, "out- and in-degrees");
    for given in [out.len(), into.len()] {
        if given != needed {
            let what = "sets of degrees";
            check = check.and(Err(FamilyError::WrongLength { what, given, needed }));
        }
    }
    let rules = Rules { degrees: [Vec::new(), out, into], ..Rules::NONE };
    with_rules(graph, rules).checked(check)
}

/// The edge sets with bounds on the number of vertices of each degree: `vertices[d]` bounds the number
/// of vertices with `d` edges, and no vertex has `vertices.len()` edges or more. Directions do not
/// matter, and a loop counts twice.
///
/// The numbers are of all vertices of the graph: `vertices[0]` bounds those without an edge. A graph
/// without edges has the empty set if `vertices[0]` contains the number of its vertices, and the other
/// bounds contain 0.
///
/// The state: for each vertex on the frontier, its degree, and for each degree with bounds, the number of
/// vertices that have it and left the frontier. Reference: the method `degree_distribution_graphs` of
/// Graphillion; see [`connected_groups`].
///
/// ```
/// use topdd_graph::{Graph, families::{connected_edge_sets, degree_distribution}};
///
/// let grid = Graph::grid(3, 3);
/// let any = 0..=usize::MAX;
/// // Paths of four edges: two ends, three vertices between them.
/// let paths = degree_distribution(&grid, &[any.clone(), 2..=2, 3..=3]).and(connected_edge_sets(&grid));
/// assert_eq!(paths.count()?, 52u32.into());
/// // A cycle with a tail, like the letter P.
/// let letters = degree_distribution(&grid, &[any.clone(), 1..=1, any, 1..=1]);
/// assert_eq!(letters.and(connected_edge_sets(&grid)).count()?, 128u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
#[doc(alias("degree_distribution_graphs", "letter_P_graphs"))]
pub fn degree_distribution(graph: &Graph, vertices: &[RangeInclusive<usize>]) -> EdgeSets {
    EdgeSets::from_part(graph, EdgePart::Distribution(vertices.to_vec()))
}

/// The partitions of the vertices into `k` connected blocks, none of them empty. The edge set of a
/// partition contains the edges whose ends are in one block, loops included.
///
/// The empty graph has one partition, into no blocks. A graph with more than `k` components has
/// none.
///
/// The state: for each vertex on the frontier, its block, and the pairs of blocks that an edge
/// keeps apart. Reference: J. Kawahara, T. Horiyama, K. Hotta and S. Minato, *Generating all patterns
/// of graph partitions within a disparity bound*, WALCOM 2017.
///
/// ```
/// use topdd_graph::{Graph, families::partitions};
///
/// assert_eq!(partitions(&Graph::grid(2, 2), 2).count()?, 6u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn partitions(graph: &Graph, k: usize) -> EdgeSets {
    EdgeSets::from_part(graph, EdgePart::Partition(PartitionRule { blocks: k, weight: None }))
}

/// The [`partitions`] in which the weight of each block is within bounds: the sum of
/// [`Graph::vertex_weight`].
///
/// The state: as for [`partitions`], and the weight of each block on the frontier.
/// Reference: as for [`partitions`].
///
/// ```
/// use topdd_graph::{Graph, families::balanced_partitions};
///
/// // Halves of two vertices each.
/// assert_eq!(balanced_partitions(&Graph::grid(2, 2), 2, 2..=2).count()?, 2u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn balanced_partitions(graph: &Graph, k: usize, weight: RangeInclusive<i64>) -> EdgeSets {
    let weight = Some(((*weight.start()).into(), (*weight.end()).into()));
    EdgeSets::from_part(graph, EdgePart::Partition(PartitionRule { blocks: k, weight }))
}

/// The edge sets without an odd cycle, among them the empty set: the vertices have two sides such that
/// each edge joins both. A loop is an odd cycle; two parallel edges are not.
///
/// A graph without edges has one, the empty set.
///
/// The state: for each vertex on the frontier, its component, and its side there. Reference: T. Inoue,
/// H. Iwashita, J. Kawahara and S. Minato, *Graphillion: software library for very large sets of
/// labeled graphs*, STTT 18 (2016).
///
/// ```
/// use topdd_graph::{Graph, families::bipartite_subgraphs};
///
/// // All but the triangle itself.
/// assert_eq!(bipartite_subgraphs(&Graph::cycle(3)).count()?, 7u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn bipartite_subgraphs(graph: &Graph) -> EdgeSets {
    EdgeSets::from_part(graph, EdgePart::Bipartite)
}

/// The complete bipartite subgraphs with `a` vertices on one side and `b` on the other: all edges between
/// two disjoint sets of vertices. Other edges of the graph may join vertices of one side. Directions do
/// not matter.
///
/// No side may be empty, and parallel edges are an error. A graph with fewer than `a + b` vertices has
/// none.
///
/// They are the bipartite edge sets in which `a` vertices have `b` edges, and `b` vertices have `a`: if a
/// vertex has `b >= a` edges, the other side has `b` vertices or more, so its own has no more than `a`.
///
/// The state: the states of [`bipartite_subgraphs`] and [`degree_distribution`]. Reference: the method
/// `bicliques` of Graphillion; see [`connected_groups`].
///
/// ```
/// use topdd_graph::{Graph, families::bicliques};
///
/// // The four squares, and a centre with four neighbours.
/// let grid = Graph::grid(3, 3);
/// assert_eq!(bicliques(&grid, 2, 2).count()?, 4u32.into());
/// assert_eq!(bicliques(&grid, 1, 4).count()?, 1u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn bicliques(graph: &Graph, a: usize, b: usize) -> EdgeSets {
    let mut pairs = HashSet::new();
    let check = if a == 0 || b == 0 {
        Err(FamilyError::NoVertices { what: "both sides of bicliques" })
    } else if graph.edges().iter().all(|&(v, w)| pairs.insert((v.min(w), v.max(w)))) {
        Ok(())
    } else {
        Err(FamilyError::ParallelEdges { family: "bicliques" })
    };
    let most = (0..graph.num_vertices()).map(|vertex| graph.degree(vertex)).max().unwrap_or(0);
    // One more degree than there can be stands for all larger ones.
    let mut bounds = vec![0..=0; most + 2];
    for (degree, vertices) in [(a, b), (b, a)] {
        let vertices = if a == b { a.saturating_mul(2) } else { vertices };
        bounds[degree.min(most + 1)] = vertices..=vertices;
    }
    bounds[0] = 0..=usize::MAX;
    bipartite_subgraphs(graph).and(degree_distribution(graph, &bounds)).checked(check)
}

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
