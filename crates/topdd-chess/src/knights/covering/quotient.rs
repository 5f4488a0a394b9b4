//! The quotient of a graph by an involution: the graph below, and the lifts of its edges.

use std::collections::BTreeMap;

use topdd_graph::Graph;
use topdd_graph::order::narrow_order;

use super::super::PathEncoding;
use super::super::hamiltonian::HamiltonianPaths;
use super::{CoveringPaths, Crossing, LiftLink};

/// The orbits of the involution: vertices below, edges below, and their fixed points.
struct Orbits {
    /// The vertex below of each vertex.
    of: Vec<usize>,
    /// The number of vertices below.
    count: usize,
    /// The vertices below of vertices that are their own images.
    fixed: Vec<usize>,
    /// The hinges, each with its vertex below.
    hinges: Vec<(usize, usize)>,
    /// The other pairs of edges with their crossings, by their ends below.
    edges: BTreeMap<(usize, usize), Vec<LiftLink>>,
}

impl Orbits {
    fn new(graph: &Graph, images: &[usize]) -> Self {
        let mut of = vec![0; images.len()];
        let mut count = 0;
        let mut fixed = Vec::new();
        for (vertex, &image) in images.iter().enumerate() {
            if image < vertex {
                of[vertex] = of[image];
                continue;
            }
            if image == vertex {
                fixed.push(count);
            }
            of[vertex] = count;
            count += 1;
        }
        let is_above = |vertex: usize| vertex <= images[vertex];
        let mut hinges = Vec::new();
        let mut edges: BTreeMap<_, Vec<LiftLink>> = BTreeMap::new();
        for (edge, &(a, b)) in graph.edges().iter().enumerate() {
            let image = graph.edge_between(images[a], images[b]);
            let image = image.expect("a symmetry maps edges to edges");
            if images[a] == b {
                hinges.push((of[a], edge));
            } else if edge <= image {
                let mut both = vec![edge, image];
                // An edge between two fixed vertices is fixed too. No path below contains it,
                // because both vertices are ends.
                both.dedup();
                // An edge to a fixed vertex has a single pair above.
                let loose = images[a] == a || images[b] == b;
                let crosses = !loose && is_above(a) != is_above(b);
                let crossing = if crosses { Crossing::Odd } else { Crossing::Even };
                let ends = (of[a].min(of[b]), of[a].max(of[b]));
                edges.entry(ends).or_default().push(LiftLink { crossing, edges: both });
            }
        }
        Self { of, count, fixed, hinges, edges }
    }
}

/// The paths that an involution maps to themselves. It must be a symmetry of the graph other than
/// the identity.
pub(super) fn lifts(
    paths: HamiltonianPaths,
    images: &[usize],
    encoding: PathEncoding,
) -> CoveringPaths {
    let orbits = Orbits::new(paths.graph(), images);
    let Quotient { below, links, accepted } =
        if paths.closed { cycles(orbits) } else { open_paths(&paths, images, orbits) };
    let below = below.encoded(encoding);
    CoveringPaths { paths, below, links, accepted, directed: false }
}

/// The paths below, the lifts of each edge, and the crossings that a path below may have.
struct Quotient {
    below: HamiltonianPaths,
    links: Vec<Vec<LiftLink>>,
    accepted: [bool; 3],
}

fn cycles(mut orbits: Orbits) -> Quotient {
    // A reflection of a cycle fixes two things. All fixed vertices are on the cycle; the rest
    // are hinges.
    let hinge = |&(at, edge): &(usize, usize)| (at, vec![edge]);
    let mut pairs = Vec::new();
    match orbits.fixed.as_slice() {
        [] => {
            let hinges: Vec<_> = orbits.hinges.iter().map(hinge).collect();
            for (i, (a, edge)) in hinges.iter().enumerate() {
                pairs.extend(
                    hinges[..i].iter().map(|(b, other)| {
                        ((*a.min(b), *a.max(b)), [edge.as_slice(), other].concat())
                    }),
                );
            }
        }
        &[fixed] => pairs.extend(
            orbits
                .hinges
                .iter()
                .map(hinge)
                .map(|(at, edge)| ((at.min(fixed), at.max(fixed)), edge)),
        ),
        &[a, b] => pairs.push(((a, b), Vec::new())),
        _ => orbits.edges.clear(), // There is none.
    }
    for (ends, edges) in pairs {
        let link = LiftLink { crossing: Crossing::Hinged, edges };
        orbits.edges.entry(ends).or_default().push(link);
    }
    let half_turns = orbits.fixed.is_empty();
    if !half_turns {
        // Under a reflection only the hinges matter, not the number of other crossings.
        for link in orbits.edges.values_mut().flatten() {
            if link.crossing == Crossing::Odd {
                link.crossing = Crossing::Even;
            }
        }
    }
    let accepted = [false, half_turns, true];
    if orbits.count == 2 {
        // With two vertices below, the cycle below goes there and back, over two parallel edges.
        for links in orbits.edges.values_mut() {
            let mut both = Vec::new();
            for (i, link) in links.iter().enumerate() {
                both.extend(links[..i].iter().filter_map(|other| {
                    let crossing = link.crossing.and(other.crossing)?;
                    let edges = [other.edges.as_slice(), &link.edges].concat();
                    Some(LiftLink { crossing, edges })
                }));
            }
            *links = both;
        }
        orbits.edges.retain(|_, links| !links.is_empty());
        return assemble(orbits, accepted, |graph, _| HamiltonianPaths::open(graph, None, None));
    }
    assemble(orbits, accepted, |graph, _| HamiltonianPaths::closed(graph))
}

fn open_paths(paths: &HamiltonianPaths, images: &[usize], mut orbits: Orbits) -> Quotient {
    // Any number of crossings is accepted, because the middle of the path joins both halves.
    for link in orbits.edges.values_mut().flatten() {
        link.crossing = Crossing::Even;
    }
    let middle = match orbits.fixed.as_slice() {
        [] => {
            let apex = orbits.count;
            orbits.count += 1;
            for &(at, edge) in &orbits.hinges {
                let link = LiftLink { crossing: Crossing::Even, edges: vec![edge] };
                orbits.edges.entry((at, apex)).or_default().push(link);
            }
            apex
        }
        &[fixed] => fixed,
        // Two fixed vertices cannot both be in the middle: there is no such path.
        &[fixed, ..] => {
            orbits.edges.clear();
            fixed
        }
    };
    let &HamiltonianPaths { from, to, .. } = paths;
    if from.zip(to).is_some_and(|(from, to)| images[from] != to) {
        orbits.edges.clear();
    }
    let end = from.or(to).map(|end| orbits.of[end]);
    if end == Some(middle) {
        orbits.edges.clear();
    }
    assemble(orbits, [true; 3], |graph, ranks| {
        let end = end.filter(|&end| end != middle).map(|end| ranks[end]);
        HamiltonianPaths::open(graph, Some(ranks[middle]), end)
    })
}

/// Assembles the quotient. `below` makes the paths below from the graph below and the ranks of its
/// vertices in its order.
fn assemble(
    orbits: Orbits,
    accepted: [bool; 3],
    below: impl Fn(&Graph, &[usize]) -> HamiltonianPaths,
) -> Quotient {
    let Orbits { count, mut edges, .. } = orbits;
    let graph = |edges: &BTreeMap<(usize, usize), Vec<LiftLink>>| {
        Graph::new(count, edges.keys().copied()).expect("the ends are orbits")
    };
    let mut ranks: Vec<usize> = (0..count).collect();
    if let Some(order) = narrow_order(&graph(&edges)) {
        for (rank, &vertex) in order.iter().enumerate() {
            ranks[vertex] = rank;
        }
        let renumbered = |((a, b), links)| {
            let (a, b): (usize, usize) = (ranks[a], ranks[b]);
            ((a.min(b), a.max(b)), links)
        };
        edges = edges.into_iter().map(renumbered).collect();
    }
    let below = below(&graph(&edges), &ranks);
    // Sorted by their ends, like the edges of the graph.
    Quotient { below, links: edges.into_values().collect(), accepted }
}
