//! Greedy orders: the vertex that adds the fewest vertices to the frontier is closed next.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::incidence::Incidence;

/// The preference among the vertices that may be closed next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Preference {
    /// The weight of the growth of the frontier.
    pub(super) growth: u32,
    /// The weight of the distance from the start.
    pub(super) distance: u32,
    /// The choice between equal weights.
    pub(super) tie: Tie,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Tie {
    /// The vertex that was reached first.
    Reached,
    /// The smallest vertex.
    Smallest,
    /// The vertex with the smallest of these keys.
    Random(u64),
}

impl Preference {
    fn tie(self, vertex: usize, reached: usize) -> u64 {
        match self.tie {
            Tie::Reached => reached as u64,
            Tie::Smallest => vertex as u64,
            Tie::Random(seed) => super::beam::key(vertex ^ (seed as usize) << 20),
        }
    }
}

/// The vertices that may be closed next, by weight and tie. Entries may be outdated: the weight of a
/// vertex only becomes smaller, and each change adds an entry.
type Queue = BinaryHeap<Reverse<(u32, u64, usize)>>;

/// Returns the vertices of the connected graph in the order of a greedy search that closes `start`
/// first. Takes `m log m` time for `m` edges.
///
/// Source: S. W. Sloan, *An algorithm for profile and wavefront reduction of sparse matrices*, 1986.
pub(super) fn greedy(graph: &Incidence, start: usize, preference: Preference) -> Vec<usize> {
    let num_vertices = graph.num_vertices();
    let mut fresh: Vec<u32> =
        (0..num_vertices).map(|vertex| graph.neighbours(vertex).len() as u32).collect();
    let distances =
        if preference.distance > 0 { distances(graph, start) } else { vec![0; num_vertices] };
    let weight = |growth: u32, vertex: usize| {
        preference
            .growth
            .saturating_mul(growth)
            .saturating_add(preference.distance.saturating_mul(distances[vertex]))
    };
    let mut closed = vec![false; num_vertices];
    // The time at which a vertex was reached; 0 if it was not.
    let mut reached = vec![0; num_vertices];
    let mut time = 0;
    let mut queue = Queue::new();
    let mut order = Vec::with_capacity(num_vertices);
    queue.push(Reverse((0, 0, start)));
    while let Some(Reverse((_, _, vertex))) = queue.pop() {
        if std::mem::replace(&mut closed[vertex], true) {
            continue;
        }
        order.push(vertex);
        for &other in std::iter::once(&vertex).chain(graph.neighbours(vertex)) {
            if reached[other] > 0 {
                continue;
            }
            time += 1;
            reached[other] = time;
            if !closed[other] {
                let tie = preference.tie(other, time);
                queue.push(Reverse((weight(fresh[other], other), tie, other)));
            }
            for &next in graph.neighbours(other) {
                fresh[next] -= 1;
                if closed[next] {
                    continue;
                }
                let is_leaf = graph.neighbours(next).len() == 1;
                if reached[next] > 0 || fresh[next] == 0 {
                    // Not on the frontier, it joins the frontier while its edges are processed.
                    let growth = fresh[next] + u32::from(reached[next] == 0 && !is_leaf);
                    let tie = preference.tie(next, reached[next]);
                    queue.push(Reverse((weight(growth, next), tie, next)));
                }
            }
        }
    }
    order
}

/// Returns the distance of each vertex of the connected graph from `start`.
fn distances(graph: &Incidence, start: usize) -> Vec<u32> {
    let mut distances = vec![0; graph.num_vertices()];
    for vertex in breadth_first(graph, start) {
        for &other in graph.neighbours(vertex) {
            if distances[other] == 0 && other != start {
                distances[other] = distances[vertex] + 1;
            }
        }
    }
    distances
}

/// Returns the vertices of the connected graph in breadth-first order from `start`.
pub(super) fn breadth_first(graph: &Incidence, start: usize) -> Vec<usize> {
    let mut seen = vec![false; graph.num_vertices()];
    seen[start] = true;
    let mut queue = VecDeque::from([start]);
    let mut order = Vec::with_capacity(graph.num_vertices());
    while let Some(vertex) = queue.pop_front() {
        order.push(vertex);
        for &other in graph.neighbours(vertex) {
            if !std::mem::replace(&mut seen[other], true) {
                queue.push_back(other);
            }
        }
    }
    order
}
