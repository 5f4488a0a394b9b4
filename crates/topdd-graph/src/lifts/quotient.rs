//! The quotient of a graph by an involution: the graph below, and the lifts of its edges.

use std::collections::BTreeMap;

use super::super::simple::inverse;
use super::super::{Paths, Shape, SimpleGraph, narrow_order};
use super::{Crossing, Lifts, Link};

/// The orbits of the involution: vertices below, edges below, and their fixed points.
struct Orbits {
    /// The vertex below of each vertex.
    of: Vec<usize>,
    /// The number of vertices below.
    count: usize,
    /// The vertices below of vertices that are their own images.
    fixed: Vec<usize>,
    /// The hinges, each with its vertex below.
    hinges: Vec<(usize, (usize, usize))>,
    /// The other pairs of edges with their crossings, by their ends below.
    edges: BTreeMap<(usize, usize), Vec<Link>>,
}

impl Orbits {
    fn new(graph: &SimpleGraph, images: &[usize]) -> Self {
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
        let mut edges: BTreeMap<_, Vec<Link>> = BTreeMap::new();
        for &(a, b) in graph.edges() {
            let image = (images[a].min(images[b]), images[a].max(images[b]));
            if images[a] == b {
                hinges.push((of[a], (a, b)));
            } else if (a, b) <= image {
                let mut both = vec![(a, b), image];
                // An edge between two fixed vertices is fixed too. No path below contains it,
                // because both vertices are ends.
                both.dedup();
                // An edge to a fixed vertex has a single pair above.
                let loose = images[a] == a || images[b] == b;
                let crosses = !loose && is_above(a) != is_above(b);
                let crossing = if crosses { Crossing::Odd } else { Crossing::Even };
                let ends = (of[a].min(of[b]), of[a].max(of[b]));
                edges.entry(ends).or_default().push(Link { crossing, edges: both });
            }
        }
        Self { of, count, fixed, hinges, edges }
    }
}

/// The paths that an involution maps to themselves. It must be a symmetry of the graph other than
/// the identity.
pub(super) fn lifts(paths: &Paths, images: &[usize]) -> Lifts {
    let orbits = Orbits::new(&paths.graph, images);
    match paths.shape {
        Shape::Cycle => cycles(paths, orbits),
        Shape::Path => open_paths(paths, images, orbits),
    }
}

fn cycles(paths: &Paths, mut orbits: Orbits) -> Lifts {
    // A reflection of a cycle fixes two things. All fixed vertices are on the cycle; the rest
    // are hinges.
    let hinge = |&(at, edge): &(usize, (usize, usize))| (at, vec![edge]);
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
        let link = Link { crossing: Crossing::Hinged, edges };
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
                    Some(Link { crossing, edges })
                }));
            }
            *links = both;
        }
        orbits.edges.retain(|_, links| !links.is_empty());
        return assemble(paths, orbits, accepted, |graph, _| Paths::hamiltonian_paths(graph));
    }
    assemble(paths, orbits, accepted, |graph, _| Paths::hamiltonian_cycles(graph))
}

fn open_paths(paths: &Paths, images: &[usize], mut orbits: Orbits) -> Lifts {
    // Any number of crossings is accepted, because the middle of the path joins both halves.
    for link in orbits.edges.values_mut().flatten() {
        link.crossing = Crossing::Even;
    }
    let middle = match orbits.fixed.as_slice() {
        [] => {
            let apex = orbits.count;
            orbits.count += 1;
            for &(at, edge) in &orbits.hinges {
                let link = Link { crossing: Crossing::Even, edges: vec![edge] };
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
    let (from, to) = paths.ends();
    if from.zip(to).is_some_and(|(from, to)| images[from] != to) {
        orbits.edges.clear();
    }
    let end = from.or(to).map(|end| orbits.of[end]);
    if end == Some(middle) {
        orbits.edges.clear();
    }
    assemble(paths, orbits, [true; 3], |graph, number| {
        let paths = Paths::hamiltonian_paths(graph).from(number[middle]);
        match end.filter(|&end| end != middle) {
            Some(end) => paths.to(number[end]),
            None => paths,
        }
    })
}

/// Assembles the lifts. `below` makes the paths below from the graph below and the numbers of its
/// vertices.
fn assemble(
    paths: &Paths,
    orbits: Orbits,
    accepted: [bool; 3],
    below: impl Fn(SimpleGraph, &[usize]) -> Paths,
) -> Lifts {
    let Orbits { count, mut edges, .. } = orbits;
    let graph = |edges: &BTreeMap<(usize, usize), Vec<Link>>| {
        SimpleGraph::new(count, edges.keys().copied())
            .expect("orbits are joined once each, and a hinge is no edge of its own")
    };
    let mut number: Vec<usize> = (0..count).collect();
    if let Some(order) = narrow_order(&graph(&edges)) {
        number = inverse(&order);
        let renumbered = |((a, b), links)| {
            let (a, b): (usize, usize) = (number[a], number[b]);
            ((a.min(b), a.max(b)), links)
        };
        edges = edges.into_iter().map(renumbered).collect();
    }
    let below = below(graph(&edges), &number);
    // Sorted by their ends, like the edges of a graph.
    let links = edges.into_values().collect();
    Lifts { paths: paths.clone(), below, links, accepted, directed: false }
}
