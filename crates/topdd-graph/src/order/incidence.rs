//! The edges and neighbours of each vertex, for any list of edges.

/// Lists of items, one list for each vertex, stored one after the other.
#[derive(Clone, Debug)]
struct Lists<T> {
    starts: Vec<usize>,
    items: Vec<T>,
}

impl<T: Copy + Default> Lists<T> {
    /// The lists of the given pairs (vertex, item), each in the order of the pairs.
    fn new(num_vertices: usize, pairs: impl Iterator<Item = (usize, T)> + Clone) -> Self {
        let mut starts = vec![0; num_vertices + 1];
        for (vertex, _) in pairs.clone() {
            starts[vertex + 1] += 1;
        }
        for vertex in 0..num_vertices {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut items = vec![T::default(); starts[num_vertices]];
        for (vertex, item) in pairs {
            items[next[vertex]] = item;
            next[vertex] += 1;
        }
        Self { starts, items }
    }

    #[inline]
    fn list(&self, vertex: usize) -> &[T] {
        &self.items[self.starts[vertex]..self.starts[vertex + 1]]
    }
}

/// The edges and the distinct neighbours of each vertex.
#[derive(Clone, Debug)]
pub(super) struct Incidence {
    /// For each vertex its edges, a loop once, with the other end.
    edges: Lists<(usize, usize)>,
    neighbours: Lists<usize>,
    num_edges: usize,
}

impl Incidence {
    /// Takes time linear in the number of vertices and edges.
    pub(super) fn new(num_vertices: usize, edges: &[(usize, usize)]) -> Self {
        let both_ends = edges.iter().enumerate().flat_map(|(edge, &(a, b))| {
            let other_end = (a != b).then_some((b, (edge, a)));
            std::iter::once((a, (edge, b))).chain(other_end)
        });
        let lists = Lists::new(num_vertices, both_ends);
        // The last vertex that listed each vertex as a neighbour.
        let mut listed_by = vec![usize::MAX; num_vertices];
        let mut pairs = Vec::with_capacity(2 * edges.len());
        for vertex in 0..num_vertices {
            for &(_, other) in lists.list(vertex) {
                if other != vertex && listed_by[other] != vertex {
                    listed_by[other] = vertex;
                    pairs.push((vertex, other));
                }
            }
        }
        let neighbours = Lists::new(num_vertices, pairs.iter().copied());
        Self { edges: lists, neighbours, num_edges: edges.len() }
    }

    #[inline]
    pub(super) fn num_vertices(&self) -> usize {
        self.neighbours.starts.len() - 1
    }

    #[inline]
    pub(super) fn num_edges(&self) -> usize {
        self.num_edges
    }

    /// The edges of a vertex with their other ends, in the order given; a loop once.
    #[inline]
    pub(super) fn edges(&self, vertex: usize) -> &[(usize, usize)] {
        self.edges.list(vertex)
    }

    /// The distinct neighbours of a vertex, without itself.
    #[inline]
    pub(super) fn neighbours(&self, vertex: usize) -> &[usize] {
        self.neighbours.list(vertex)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_edges_and_loops_give_each_neighbour_once() {
        let incidence = Incidence::new(4, &[(0, 1), (1, 0), (1, 1), (2, 1)]);
        assert_eq!(incidence.neighbours(1), [0, 2]);
        assert_eq!(incidence.edges(1), [(0, 0), (1, 0), (2, 1), (3, 2)]);
        assert_eq!(incidence.neighbours(3), [0; 0]);
        assert_eq!((incidence.num_vertices(), incidence.num_edges()), (4, 4));
    }
}
