//! The edges and neighbours of each vertex, for any list of edges; a graph without its trees; and the edges that occur on paths
//! between two vertices.
//!
//! A graph without its trees: the rest when vertices with one neighbour are removed repeatedly.
//!
//! A tree is processed from its leaves to its root, the subtree with the widest frontier first. So its
//! frontier is at most logarithmic, and only its root remains on the frontier.

use crate::Graph;
use crate::graph::distances;
use crate::lists::Lists;

/// The distinct neighbours of each vertex, without itself. Takes linear time.
pub(super) fn distinct_neighbours(graph: &Graph) -> Lists<usize> {
    // The last vertex that listed each vertex as a neighbour.
    let mut listed_by = vec![usize::MAX; graph.num_vertices()];
    let mut pairs = Vec::with_capacity(2 * graph.num_edges());
    for vertex in 0..graph.num_vertices() {
        for other in graph.neighbours(vertex).filter(|&other| other != vertex) {
            if std::mem::replace(&mut listed_by[other], vertex) != vertex {
                pairs.push((vertex, other));
            }
        }
    }
    Lists::new(graph.num_vertices(), pairs.iter().copied())
}

/// The vertices of the trees of a graph.
pub(super) struct Trees {
    /// Whether a vertex is part of a tree, and not the remaining vertex of one.
    pub(super) is_removed: Vec<bool>,
    /// The removed vertices at each vertex, the one with the widest subtree first.
    children: Vec<Vec<usize>>,
}

impl Trees {
    /// Removes vertices with one neighbour while there are any. Of a component without cycles, one
    /// vertex remains, a leaf of it if it has any. Takes linear time.
    pub(super) fn new(graph: &Graph, neighbours: &Lists<usize>, components: &[Vec<usize>]) -> Self {
        let num_vertices = graph.num_vertices();
        let mut degrees: Vec<usize> =
            (0..num_vertices).map(|vertex| neighbours[vertex].len()).collect();
        for component in components {
            let sum: usize = component.iter().map(|&vertex| degrees[vertex]).sum();
            if sum < 2 * component.len() {
                // A tree. Its root is a leaf that is never removed.
                if let Some(&leaf) = component.iter().find(|&&vertex| degrees[vertex] == 1) {
                    degrees[leaf] = usize::MAX;
                }
            }
        }
        let (is_removed, children) = (vec![false; num_vertices], vec![Vec::new(); num_vertices]);
        let mut trees = Self { is_removed, children };
        // The width of the frontier while a subtree is processed.
        let mut widths = vec![1_usize; num_vertices];
        let mut leaves: Vec<usize> = (0..num_vertices).filter(|&v| degrees[v] == 1).collect();
        let mut next = 0;
        while let Some(&leaf) = leaves.get(next) {
            next += 1;
            let mut others = neighbours[leaf].iter();
            let parent = others.find(|&&other| !trees.is_removed[other]);
            let parent = *parent.expect("it has one neighbour");
            trees.is_removed[leaf] = true;
            if graph.neighbours(leaf).filter(|&other| other == parent).count() > 1 {
                // The leaf itself is on the frontier between parallel edges.
                widths[leaf] = widths[leaf].max(2);
            }
            let siblings = &mut trees.children[parent];
            siblings.push(leaf);
            let last = siblings.len() - 1;
            let (widest, other) = if widths[leaf] > widths[siblings[0]] {
                siblings.swap(0, last);
                (leaf, siblings[last])
            } else {
                (siblings[0], leaf)
            };
            let beside = if last == 0 { 0 } else { widths[other] + 1 };
            widths[parent] = widths[parent].max(widths[widest]).max(beside);
            degrees[parent] -= 1;
            if degrees[parent] == 1 {
                leaves.push(parent);
            }
        }
        trees
    }

    /// Appends the trees at a vertex to an order, each vertex after its subtree.
    pub(super) fn append(&self, vertex: usize, order: &mut Vec<usize>) {
        let mut path = vec![(vertex, 0)];
        while let Some(&mut (at, ref mut used)) = path.last_mut() {
            if let Some(&child) = self.children[at].get(*used) {
                *used += 1;
                path.push((child, 0));
            } else {
                path.pop();
                if at != vertex {
                    order.push(at);
                }
            }
        }
    }
}

/// Returns, for each edge, whether a path from `from` to `to` may contain it; with a
/// `max_length`, whether a path of at most so many edges may.
///
/// A simple path from `from` to `to` visits exactly the blocks (biconnected components) on
/// the path between them in the block-cut tree, and each edge of such a block is on such a path. So
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
/// use topdd_graph::Graph;
/// use topdd_graph::order::edges_on_paths;
///
/// // A triangle 0, 1, 2 with a dead end 1-3.
/// let graph = Graph::new(4, [(0, 1), (1, 2), (2, 0), (1, 3)]).unwrap();
/// assert_eq!(edges_on_paths(&graph, 0, 2, None), [true, true, true, false]);
/// assert_eq!(edges_on_paths(&graph, 0, 2, Some(1)), [false, false, true, false]);
/// ```
pub fn edges_on_paths(
    graph: &Graph,
    from: usize,
    to: usize,
    max_length: Option<usize>,
) -> Vec<bool> {
    let (vertices, edges) = (graph.num_vertices(), graph.edges());
    let mut on_paths = vec![false; edges.len()];
    if from == to {
        return on_paths;
    }
    // An edge is on a cycle with another one if they are in the same block.
    let closed = Graph::new(vertices, edges.iter().copied().chain([(from, to)]));
    let blocks = blocks(&closed.expect("the ends are vertices"));
    let of_paths = blocks.iter().find(|block| block.contains(&edges.len()));
    for &edge in of_paths.into_iter().flatten().filter(|&&edge| edge < edges.len()) {
        on_paths[edge] = true;
    }
    if let Some(length) = max_length {
        let allowed = |vertex: usize| {
            let edges = graph.incident(vertex).iter().filter(|&&edge| on_paths[edge]);
            edges.map(move |&edge| graph.other_end(edge, vertex))
        };
        let [before, after] = [from, to].map(|end| distances(vertices, end, allowed));
        for (on_path, &(a, b)) in on_paths.iter_mut().zip(edges) {
            let through = |a: usize, b: usize| before[a].saturating_add(after[b]);
            *on_path &= through(a, b).min(through(b, a)) < length;
        }
    }
    on_paths
}

/// Returns the edges of each block of a graph. A bridge is a block of its own, and a loop is in none.
///
/// Takes linear time, without recursion. Source: J. Hopcroft and R. Tarjan, *Algorithm 447: efficient
/// algorithms for graph manipulation*, Communications of the ACM 16 (1973).
pub(crate) fn blocks(graph: &Graph) -> Vec<Vec<usize>> {
    let num_vertices = graph.num_vertices();
    // The time at which a vertex was found, 0 before, and the least such time among the vertices
    // that its subtree reaches by one edge.
    let mut found = vec![0; num_vertices];
    let mut low = vec![0; num_vertices];
    let mut time = 0;
    let mut pending = Vec::new();
    let mut blocks = Vec::new();
    for start in 0..num_vertices {
        if found[start] > 0 {
            continue;
        }
        time += 1;
        (found[start], low[start]) = (time, time);
        // The vertices of the current path, the edge to each, and the number of its edges seen.
        let mut path = vec![(start, usize::MAX, 0)];
        while let Some(&mut (vertex, via, ref mut seen)) = path.last_mut() {
            if let Some(&edge) = graph.incident(vertex).get(*seen) {
                *seen += 1;
                let other = graph.other_end(edge, vertex);
                if edge == via {
                    continue;
                }
                if found[other] == 0 {
                    time += 1;
                    (found[other], low[other]) = (time, time);
                    pending.push(edge);
                    path.push((other, edge, 0));
                } else if found[other] < found[vertex] {
                    pending.push(edge);
                    low[vertex] = low[vertex].min(found[other]);
                }
                continue;
            }
            path.pop();
            let Some(&(parent, ..)) = path.last() else { continue };
            low[parent] = low[parent].min(low[vertex]);
            if low[vertex] >= found[parent] {
                let first = pending.iter().rposition(|&edge| edge == via);
                blocks.push(pending.split_off(first.expect("a tree edge is pending")));
            }
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_edges_and_loops_give_each_neighbour_once() {
        let graph = Graph::new(4, [(0, 1), (1, 0), (1, 1), (2, 1)]).unwrap();
        let neighbours = distinct_neighbours(&graph);
        assert_eq!(neighbours[1], [0, 2]);
        assert_eq!(neighbours[3], [0; 0]);
    }

    #[test]
    fn blocks_of_two_triangles_at_a_vertex_with_a_tail() {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2), (4, 5), (6, 7), (7, 6)];
        let mut found = blocks(&Graph::new(9, edges).unwrap());
        for block in &mut found {
            block.sort_unstable();
        }
        found.sort_unstable();
        assert_eq!(found, [vec![0, 1, 2], vec![3, 4, 5], vec![6], vec![7, 8]]);
    }
}
