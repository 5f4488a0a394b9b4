//! Simple undirected graphs.

use super::graph::{Graph, GraphError};

/// A simple undirected graph: no loops, no parallel edges, and its edges sorted.
///
/// [`Paths`](crate::Paths) converts a [`Graph`] to this.
///
/// Vertices are numbered `0..vertices()`. Specs visit the vertices in this order, so a numbering
/// with close neighbours has fewer states: along the shorter side of a board, for instance, or in
/// a [`narrow_order`](crate::narrow_order). Edges are stored as `(smaller, larger)` and sorted.
/// The number of an edge is its position in [`edges`](SimpleGraph::edges).
///
/// # Example
///
/// ```
/// use topdd_graph::SimpleGraph;
///
/// let triangle_with_tail = SimpleGraph::new(4, [(0, 1), (2, 1), (0, 2), (2, 3)])?;
/// assert_eq!(triangle_with_tail.edges(), [(0, 1), (0, 2), (1, 2), (2, 3)]);
/// assert_eq!(triangle_with_tail.neighbours(2), [0, 1, 3]);
/// assert_eq!(triangle_with_tail.later_neighbours(1), [2]);
/// assert_eq!(triangle_with_tail.vertices(), 4);
/// # Ok::<(), topdd_graph::GraphError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimpleGraph {
    /// Sorted, each as (smaller, larger).
    edges: Vec<(usize, usize)>,
    /// The neighbours of all vertices, one after the other, each list ascending.
    neighbours: Vec<usize>,
    /// The start of the list of each vertex in `neighbours`, and the length of `neighbours`.
    starts: Vec<usize>,
    /// The start of the neighbours later than the vertex itself, in `neighbours`.
    later: Vec<usize>,
    /// The number of the first edge that has each vertex as its smaller end.
    first_edge: Vec<usize>,
}

impl SimpleGraph {
    /// Makes the graph with vertices `0..vertices` and the given edges, in any order and direction.
    /// Sorts the edges.
    ///
    /// # Errors
    ///
    /// A [`GraphError`] for a loop, an edge given twice, or an end out of range.
    pub fn new(
        vertices: usize,
        edges: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Self, GraphError> {
        let mut sorted = Vec::new();
        for (a, b) in edges {
            let (smaller, larger) = (a.min(b), a.max(b));
            if larger >= vertices {
                let vertex = if a >= vertices { a } else { b };
                return Err(GraphError::VertexOutOfRange { vertex, vertices });
            }
            if smaller == larger {
                return Err(GraphError::Loop { vertex: a });
            }
            sorted.push((smaller, larger));
        }
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(GraphError::DuplicateEdge { edge: pair[0] });
        }
        Ok(Self::from_sorted(vertices, sorted))
    }

    fn from_sorted(vertices: usize, edges: Vec<(usize, usize)>) -> Self {
        let mut starts = vec![0; vertices + 1];
        for &(a, b) in &edges {
            starts[a + 1] += 1;
            starts[b + 1] += 1;
        }
        for vertex in 0..vertices {
            starts[vertex + 1] += starts[vertex];
        }
        // Earlier neighbours first: as the larger end, in the order of the smaller one.
        let mut next = starts.clone();
        let mut neighbours = vec![0; 2 * edges.len()];
        for &(a, b) in &edges {
            neighbours[next[b]] = a;
            next[b] += 1;
        }
        let later = next[..vertices].to_vec();
        // Then the later ones: as the smaller end, in the order of the larger one.
        let mut first_edge = vec![edges.len(); vertices];
        for (number, &(a, b)) in edges.iter().enumerate() {
            if next[a] == later[a] {
                first_edge[a] = number;
            }
            neighbours[next[a]] = b;
            next[a] += 1;
        }
        Self { edges, neighbours, starts, later, first_edge }
    }

    /// Makes the graph of `rows` times `cols` vertices, each joined to the next in its row and in its
    /// column. Vertex `row * cols + col` is in `row` and `col`.
    ///
    /// ```
    /// assert_eq!(topdd_graph::SimpleGraph::grid(2, 3).edges().len(), 7);
    /// ```
    ///
    /// # Panics
    ///
    /// If `rows * cols` overflows.
    pub fn grid(rows: usize, cols: usize) -> Self {
        Self::leaper(rows, cols, 0, 1)
    }

    /// Makes the graph of a knight's moves on a board of `rows` times `cols` squares, numbered row by
    /// row: `row * cols + col`.
    ///
    /// # Panics
    ///
    /// If `rows * cols` overflows.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_graph::SimpleGraph;
    ///
    /// assert_eq!(SimpleGraph::knight(8, 8).edges().len(), 168);
    /// assert_eq!(SimpleGraph::knight(8, 8).neighbours(0), [10, 17]); // from a corner
    /// ```
    pub fn knight(rows: usize, cols: usize) -> Self {
        Self::leaper(rows, cols, 1, 2)
    }

    /// Makes the graph of the moves of a leaper: `a` squares along one side of the board and `b` along
    /// the other, such as the knight (1, 2) or the camel (1, 3). Squares are numbered row by row. The
    /// leaper (0, 0) does not move: its graph has no edges.
    ///
    /// # Panics
    ///
    /// If `rows * cols` overflows.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_graph::SimpleGraph;
    ///
    /// assert_eq!(SimpleGraph::leaper(2, 4, 1, 3).edges(), [(0, 7), (3, 4)]);
    /// ```
    pub fn leaper(rows: usize, cols: usize, a: usize, b: usize) -> Self {
        let vertices = rows.checked_mul(cols).expect("the number of squares overflows");
        let mut edges = Vec::new();
        // Only moves to squares with larger numbers, so that each edge occurs once.
        for row in 0..rows {
            for col in 0..cols {
                let from = row * cols + col;
                let mut targets: Vec<usize> = [(a, b), (b, a)]
                    .into_iter()
                    .flat_map(|(down, across)| {
                        let to_right = col.checked_add(across).map(|col| (down, col));
                        let to_left = col.checked_sub(across).map(|col| (down, col));
                        [to_left, to_right]
                    })
                    .flatten()
                    .filter(|&(down, col)| down < rows - row && col < cols)
                    .map(|(down, col)| (row + down) * cols + col)
                    .filter(|&to| to > from)
                    .collect();
                targets.sort_unstable();
                targets.dedup();
                edges.extend(targets.into_iter().map(|to| (from, to)));
            }
        }
        Self::from_sorted(vertices, edges)
    }

    /// Returns the same graph with its vertices in another order: vertex `k` of the result is
    /// vertex `order[k]` of `self`.
    ///
    /// # Panics
    ///
    /// If `order` is not a permutation of the vertices.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_graph::SimpleGraph;
    ///
    /// let path = SimpleGraph::grid(1, 3);
    /// assert_eq!(path.reordered(&[1, 0, 2]).edges(), [(0, 1), (0, 2)]);
    /// ```
    pub fn reordered(&self, order: &[usize]) -> Self {
        let ranks = inverse(order);
        assert_eq!(ranks.len(), self.vertices(), "not all vertices are in the order");
        let mut edges: Vec<(usize, usize)> = self
            .edges
            .iter()
            .map(|&(a, b)| (ranks[a].min(ranks[b]), ranks[a].max(ranks[b])))
            .collect();
        edges.sort_unstable();
        Self::from_sorted(order.len(), edges)
    }

    /// Returns the number of vertices.
    pub fn vertices(&self) -> usize {
        self.later.len()
    }

    /// Returns the edges as (smaller, larger), ascending.
    pub fn edges(&self) -> &[(usize, usize)] {
        &self.edges
    }

    /// Returns the neighbours of a vertex, ascending.
    ///
    /// # Panics
    ///
    /// If `vertex` is not below [`vertices`](SimpleGraph::vertices);
    /// [`get_neighbours`](SimpleGraph::get_neighbours) returns `None` then.
    #[inline]
    #[track_caller]
    pub fn neighbours(&self, vertex: usize) -> &[usize] {
        self.check_vertex(vertex);
        &self.neighbours[self.starts[vertex]..self.starts[vertex + 1]]
    }

    /// Returns the neighbours of a vertex, ascending; `None` if there is no such vertex.
    ///
    /// ```
    /// use topdd_graph::SimpleGraph;
    ///
    /// let path = SimpleGraph::grid(1, 3);
    /// assert_eq!(path.get_neighbours(1), Some(&[0, 2][..]));
    /// assert_eq!(path.get_neighbours(3), None);
    /// ```
    pub fn get_neighbours(&self, vertex: usize) -> Option<&[usize]> {
        (vertex < self.vertices()).then(|| self.neighbours(vertex))
    }

    /// Returns the neighbours of a vertex that have larger numbers, ascending.
    ///
    /// # Panics
    ///
    /// If `vertex` is not below [`vertices`](SimpleGraph::vertices);
    /// [`get_later_neighbours`](SimpleGraph::get_later_neighbours) returns `None` then.
    #[inline]
    #[track_caller]
    pub fn later_neighbours(&self, vertex: usize) -> &[usize] {
        self.check_vertex(vertex);
        &self.neighbours[self.later[vertex]..self.starts[vertex + 1]]
    }

    /// Returns the neighbours of a vertex that have larger numbers, ascending; `None` if there is no
    /// such vertex.
    ///
    /// ```
    /// use topdd_graph::SimpleGraph;
    ///
    /// let path = SimpleGraph::grid(1, 3);
    /// assert_eq!(path.get_later_neighbours(1), Some(&[2][..]));
    /// assert_eq!(path.get_later_neighbours(3), None);
    /// ```
    pub fn get_later_neighbours(&self, vertex: usize) -> Option<&[usize]> {
        (vertex < self.vertices()).then(|| self.later_neighbours(vertex))
    }

    #[track_caller]
    #[inline]
    fn check_vertex(&self, vertex: usize) {
        let vertices = self.vertices();
        assert!(vertex < vertices, "there is no vertex {vertex}; the vertices are 0..{vertices}");
    }

    /// Returns the number of the edge between two vertices, its position in
    /// [`edges`](SimpleGraph::edges); `None` if there is no such edge. Binary search: the time is
    /// logarithmic in the degree.
    ///
    /// ```
    /// use topdd_graph::SimpleGraph;
    ///
    /// let path = SimpleGraph::grid(1, 3);
    /// assert_eq!(path.edge_number(2, 1), Some(1));
    /// assert_eq!(path.edge_number(0, 2), None);
    /// ```
    pub fn edge_number(&self, a: usize, b: usize) -> Option<usize> {
        let (smaller, larger) = (a.min(b), a.max(b));
        if larger >= self.vertices() {
            return None;
        }
        let rank = self.later_neighbours(smaller).binary_search(&larger).ok()?;
        Some(self.first_edge[smaller] + rank)
    }
}

impl TryFrom<&Graph> for SimpleGraph {
    type Error = GraphError;

    /// Sorts the edges.
    ///
    /// # Errors
    ///
    /// A [`GraphError`] for a directed graph, a loop, or parallel edges.
    fn try_from(graph: &Graph) -> Result<Self, GraphError> {
        if graph.is_directed() {
            return Err(GraphError::Directed);
        }
        Self::new(graph.num_vertices(), graph.edges().iter().copied())
    }
}

impl From<SimpleGraph> for Graph {
    fn from(graph: SimpleGraph) -> Self {
        Self::new(graph.vertices(), graph.edges().iter().copied())
            .expect("the ends of edges are vertices")
    }
}

impl Graph {
    /// Makes the graph of `rows` times `cols` vertices, each joined to the next in its row and in its
    /// column. Vertex `row * cols + col` is in `row` and `col`.
    ///
    /// ```
    /// assert_eq!(topdd_graph::Graph::grid(2, 3).edges()[0], (0, 1));
    /// ```
    ///
    /// # Panics
    ///
    /// If `rows * cols` overflows.
    pub fn grid(rows: usize, cols: usize) -> Self {
        Self::from(SimpleGraph::grid(rows, cols))
    }

    /// Makes the graph of a knight's moves on a board of `rows` times `cols` squares, numbered row by
    /// row: `row * cols + col`.
    ///
    /// # Panics
    ///
    /// If `rows * cols` overflows.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_graph::Graph;
    ///
    /// assert_eq!(Graph::knight(8, 8).num_edges(), 168);
    /// ```
    pub fn knight(rows: usize, cols: usize) -> Self {
        Self::from(SimpleGraph::knight(rows, cols))
    }

    /// Makes the graph of the moves of a leaper: `a` squares along one side of the board and `b` along
    /// the other, such as the knight (1, 2) or the camel (1, 3). Squares are numbered row by row. The
    /// leaper (0, 0) does not move: its graph has no edges.
    ///
    /// # Panics
    ///
    /// If `rows * cols` overflows.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_graph::Graph;
    ///
    /// assert_eq!(Graph::leaper(2, 4, 1, 3).edges(), [(0, 7), (3, 4)]);
    /// ```
    pub fn leaper(rows: usize, cols: usize, a: usize, b: usize) -> Self {
        Self::from(SimpleGraph::leaper(rows, cols, a, b))
    }
}

/// A simple graph, or the reason why a graph is not simple.
#[derive(Clone, Debug)]
pub struct PreparedGraph(pub(crate) Result<SimpleGraph, GraphError>);

impl From<SimpleGraph> for PreparedGraph {
    fn from(graph: SimpleGraph) -> Self {
        Self(Ok(graph))
    }
}

impl From<&Graph> for PreparedGraph {
    fn from(graph: &Graph) -> Self {
        Self(graph.try_into())
    }
}

impl From<Graph> for PreparedGraph {
    fn from(graph: Graph) -> Self {
        Self::from(&graph)
    }
}

/// The position of each number in a permutation.
pub(crate) fn inverse(order: &[usize]) -> Vec<usize> {
    let mut ranks = vec![usize::MAX; order.len()];
    for (rank, &vertex) in order.iter().enumerate() {
        assert_eq!(ranks[vertex], usize::MAX, "{vertex} is in the order twice");
        ranks[vertex] = rank;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_of_a_graph_names_the_edge_or_vertex() {
        assert_eq!(SimpleGraph::new(3, [(0, 1), (2, 2)]), Err(GraphError::Loop { vertex: 2 }));
        assert_eq!(
            SimpleGraph::new(3, [(0, 1), (2, 1), (1, 0)]),
            Err(GraphError::DuplicateEdge { edge: (0, 1) })
        );
        assert_eq!(
            SimpleGraph::new(3, [(0, 3)]),
            Err(GraphError::VertexOutOfRange { vertex: 3, vertices: 3 })
        );
        // A loop at a number that is not a vertex is out of range first.
        assert!(matches!(SimpleGraph::new(0, [(0, 0)]), Err(GraphError::VertexOutOfRange { .. })));
    }

    #[test]
    fn neighbours_and_edge_numbers_agree_with_edges() {
        for graph in [
            SimpleGraph::grid(3, 4),
            SimpleGraph::grid(1, 1),
            SimpleGraph::grid(0, 5),
            SimpleGraph::knight(5, 6),
            SimpleGraph::leaper(4, 4, 0, 0),
            SimpleGraph::leaper(6, 7, 1, 3),
            SimpleGraph::leaper(5, 5, 2, 2),
            SimpleGraph::new(6, [(5, 0), (3, 1), (1, 0)]).unwrap(),
        ] {
            let n = graph.vertices();
            for a in 0..n {
                assert!(graph.neighbours(a).is_sorted());
                let later: Vec<usize> =
                    graph.neighbours(a).iter().copied().filter(|&b| b > a).collect();
                assert_eq!(graph.later_neighbours(a), later);
                for b in 0..n {
                    let number = graph.edges().iter().position(|&e| e == (a.min(b), a.max(b)));
                    assert_eq!(graph.edge_number(a, b), number);
                    assert_eq!(graph.neighbours(a).contains(&b), number.is_some());
                }
            }
        }
        assert_eq!(SimpleGraph::grid(3, 4).edges().len(), 17);
        assert_eq!(SimpleGraph::leaper(4, 4, 0, 0).edges().len(), 0);
    }
}
