//! The edges that occur on paths between two vertices.

use std::collections::VecDeque;

use super::incidence::Incidence;

/// Returns, for each edge, whether a path from `from` to `to` may contain it; with a
/// `max_length`, whether a path of at most so many edges may.
///
/// A simple path from `from` to `to` visits exactly the blocks (biconnected components) on
/// the path between them in the block-cut tree, and each edge of these blocks is on such a path. So
/// the answer without a length is exact. With a length, an edge is excluded if the distances
/// from its ends to `from` and `to` are too large; the others may or may not occur. Loops, and all edges
/// if `from` equals `to`, are excluded.
///
/// Takes linear time, without recursion.
///
/// Source: J. Hopcroft and R. Tarjan, *Efficient algorithms for graph manipulation*, 1973.
///
/// # Panics
///
/// If a vertex is out of range.
///
/// # Example
///
/// ```
/// use topdd_graph::order::edges_on_paths;
///
/// // A triangle 0, 1, 2 with a dead end 1-3.
/// let edges = [(0, 1), (1, 2), (2, 0), (1, 3)];
/// assert_eq!(edges_on_paths(4, &edges, 0, 2, None), [true, true, true, false]);
/// assert_eq!(edges_on_paths(4, &edges, 0, 2, Some(1)), [false, false, true, false]);
/// ```
pub fn edges_on_paths(
    num_vertices: usize,
    edges: &[(usize, usize)],
    from: usize,
    to: usize,
    max_length: Option<usize>,
) -> Vec<bool> {
    let graph = Incidence::new(num_vertices, edges);
    let mut on_paths = edges_between(&graph, from, to);
    if let Some(length) = max_length {
        let (before, after) =
            (distances(&graph, from, &on_paths), distances(&graph, to, &on_paths));
        for (on_path, &(a, b)) in on_paths.iter_mut().zip(edges) {
            let through = |a: usize, b: usize| before[a].saturating_add(after[b]);
            *on_path &= through(a, b).min(through(b, a)) < length;
        }
    }
    on_paths
}

/// The distance of each vertex from `from` by allowed edges; `usize::MAX` if there is no path.
fn distances(graph: &Incidence, from: usize, allowed: &[bool]) -> Vec<usize> {
    let mut distances = vec![usize::MAX; graph.num_vertices()];
    distances[from] = 0;
    let mut queue = VecDeque::from([from]);
    while let Some(vertex) = queue.pop_front() {
        for &(edge, other) in graph.edges(vertex) {
            if allowed[edge] && distances[other] == usize::MAX {
                distances[other] = distances[vertex] + 1;
                queue.push_back(other);
            }
        }
    }
    distances
}

/// A depth-first search, with its data for each vertex.
struct DepthFirst {
    /// The time at which a vertex was found; 0 if it was not.
    found: Vec<usize>,
    /// The earliest time that the subtree of a vertex reaches by one edge back.
    low: Vec<usize>,
    /// Whether the subtree of a vertex contains the target.
    has_target: Vec<bool>,
    /// Edges whose block is not complete.
    pending: Vec<usize>,
}

/// The edges of the blocks between two vertices.
fn edges_between(graph: &Incidence, from: usize, to: usize) -> Vec<bool> {
    let num_vertices = graph.num_vertices();
    let mut on_paths = vec![false; graph.num_edges()];
    if from == to {
        return on_paths;
    }
    let mut search = DepthFirst {
        found: vec![0; num_vertices],
        low: vec![0; num_vertices],
        has_target: vec![false; num_vertices],
        pending: Vec::new(),
    };
    search.find(from, 1, to);
    let mut time = 1;
    // Each vertex on the current path, the edge to it, and the number of its edges already used.
    let mut path = vec![(from, usize::MAX, 0)];
    while let Some(&mut (vertex, via, ref mut used)) = path.last_mut() {
        if let Some(&(edge, other)) = graph.edges(vertex).get(*used) {
            *used += 1;
            if edge == via || other == vertex {
                continue;
            }
            if search.found[other] == 0 {
                time += 1;
                search.find(other, time, to);
                search.pending.push(edge);
                path.push((other, edge, 0));
            } else if search.found[other] < search.found[vertex] {
                search.pending.push(edge);
                search.low[vertex] = search.low[vertex].min(search.found[other]);
            }
            continue;
        }
        path.pop();
        if let Some(&(parent, _, _)) = path.last() {
            search.low[parent] = search.low[parent].min(search.low[vertex]);
            search.has_target[parent] |= search.has_target[vertex];
            if search.low[vertex] >= search.found[parent] {
                // The pending edges from this one on are a block, and the target is behind
                // its cut vertex if it is in the subtree.
                let start = search.pending.iter().rposition(|&edge| edge == via);
                for edge in search.pending.drain(start.expect("a tree edge is pending")..) {
                    on_paths[edge] = search.has_target[vertex];
                }
            }
        }
    }
    on_paths
}

impl DepthFirst {
    fn find(&mut self, vertex: usize, time: usize, target: usize) {
        self.found[vertex] = time;
        self.low[vertex] = time;
        self.has_target[vertex] = vertex == target;
    }
}
