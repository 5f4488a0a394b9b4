//! Graphs: undirected or directed, with parallel edges, loops, labels, weights and positions.

use thiserror::Error;

use crate::kind::Unit;
use crate::lists::Lists;

/// A graph, undirected or directed. It may have parallel edges and loops.
///
/// Vertices are numbered `0..num_vertices()`, edges `0..num_edges()`. **Edges keep the order in
/// which they were given**: edge `e` is the `e`-th of them, for weights, labels and results. The
/// order of the variables of a diagram is another one, which the families choose.
///
/// Parallel edges are different edges. A loop joins a vertex to itself; it counts twice in the
/// degree of its vertex, and it is a cycle. Each family states where it takes no loops.
///
/// Labels, weights and positions are optional.
///
/// # Example
///
/// ```
/// use topdd_graph::Graph;
///
/// let triangle_with_tail = Graph::new(4, [(0, 1), (2, 1), (0, 2), (2, 3)])?
///     .with_vertex_labels(["ME", "NH", "VT", "NY"])?
///     .with_weights([5, 2, 4, 3])?;
/// assert_eq!(triangle_with_tail.edges()[1], (2, 1)); // as given
/// assert_eq!(triangle_with_tail.incident(2), [1, 2, 3]);
/// assert_eq!(triangle_with_tail.vertex("VT"), Some(2));
/// assert_eq!(triangle_with_tail.weight(3), 3);
/// assert_eq!(triangle_with_tail.weights(), Some(&[5, 2, 4, 3][..]));
/// assert_eq!((triangle_with_tail.num_vertices(), triangle_with_tail.num_edges()), (4, 4));
///
/// let one_way = Graph::directed(2, [(0, 1), (0, 1), (1, 1)])?;
/// assert!(one_way.is_directed());
/// assert_eq!(one_way.degree(1), 4);
/// assert!(!one_way.to_undirected()?.is_directed());
/// # Ok::<(), topdd_graph::GraphError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    directed: bool,
    /// As given.
    edges: Vec<(usize, usize)>,
    /// The edges at all vertices, one list after the other, each ascending.
    incident: Lists<usize>,
    vertex_labels: Option<Vec<String>>,
    edge_labels: Option<Vec<String>>,
    weights: Option<Vec<i64>>,
    vertex_weights: Option<Vec<i64>>,
    positions: Option<Vec<(f64, f64)>>,
}

/// Errors of graphs.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GraphError {
    /// An edge from a vertex to itself, in a simple graph.
    #[error("the edge {vertex}-{vertex} is a loop; leave it out, as a simple graph has none")]
    Loop {
        /// Both ends of the edge.
        vertex: usize,
    },
    /// An edge that was given twice, in the same or in opposite directions, in a simple graph.
    #[error("the edge {0}-{1} was given twice; give each edge once", .edge.0, .edge.1)]
    DuplicateEdge {
        /// The edge, its smaller end first.
        edge: (usize, usize),
    },
    /// An edge with an end that is not a vertex.
    #[error("vertex {vertex} is out of range: the vertices are 0..{vertices}")]
    VertexOutOfRange {
        /// The end that is not a vertex.
        vertex: usize,
        /// The number of vertices.
        vertices: usize,
    },
    /// A directed graph where only an undirected one may be.
    #[error("the graph is directed, and an undirected one is needed; see `Graph::to_undirected`")]
    Directed,
    /// Two edges with the same ends in opposite directions, where directions do not count; see
    /// [`Graph::merge_directions`].
    #[error(
        "directions do not count here, and the edges {} and {} would be two parallel edges", .edges[0], .edges[1]
    )]
    BothDirections {
        /// The names of the two edges.
        edges: [String; 2],
    },
    /// Two edges in opposite directions that cannot be joined, because their weights or labels differ.
    #[error(
        "the edges {} and {} differ in `{attribute}`: {} and {}; make them equal", .edges[0], .edges[1], .values[0],
        .values[1]
    )]
    DifferentDirections {
        /// The names of the two edges.
        edges: Box<[String; 2]>,
        /// The name of the property in which they differ.
        attribute: String,
        /// The values of this property.
        values: Box<[String; 2]>,
    },
    /// A list of labels, weights or positions of the wrong length.
    #[error("{given} {what} were given, and {needed} are needed, one for each {of}")]
    WrongLength {
        /// The items of the list.
        what: &'static str,
        /// The elements that they belong to.
        of: &'static str,
        /// The length of the list.
        given: usize,
        /// The length that it must have.
        needed: usize,
    },
}

impl Graph {
    /// Makes the undirected graph with vertices `0..vertices` and the given edges. Linear time.
    ///
    /// # Errors
    ///
    /// [`GraphError::VertexOutOfRange`] for an end that is not a vertex.
    pub fn new(
        vertices: usize,
        edges: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Self, GraphError> {
        Self::from_edges(vertices, edges.into_iter().collect(), false)
    }

    /// Makes the directed graph with vertices `0..vertices` and the given edges, each from its first to
    /// its second vertex. Linear time.
    ///
    /// # Errors
    ///
    /// [`GraphError::VertexOutOfRange`] for an end that is not a vertex.
    pub fn directed(
        vertices: usize,
        edges: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Self, GraphError> {
        Self::from_edges(vertices, edges.into_iter().collect(), true)
    }

    fn from_edges(
        vertices: usize,
        edges: Vec<(usize, usize)>,
        directed: bool,
    ) -> Result<Self, GraphError> {
        let mut ends = edges.iter().flat_map(|&(a, b)| [a, b]);
        if let Some(vertex) = ends.find(|&vertex| vertex >= vertices) {
            return Err(GraphError::VertexOutOfRange { vertex, vertices });
        }
        let ends = edges.iter().enumerate().flat_map(|(edge, &(a, b))| {
            std::iter::once((a, edge)).chain((a != b).then_some((b, edge)))
        });
        let incident = Lists::new(vertices, ends);
        Ok(Self {
            directed,
            edges,
            incident,
            vertex_labels: None,
            edge_labels: None,
            weights: None,
            vertex_weights: None,
            positions: None,
        })
    }

    /// Sets the label of each vertex.
    ///
    /// # Errors
    ///
    /// [`GraphError::WrongLength`] unless there is one for each vertex.
    pub fn with_vertex_labels<L: Into<String>>(
        mut self,
        labels: impl IntoIterator<Item = L>,
    ) -> Result<Self, GraphError> {
        let labels = labels.into_iter().map(Into::into).collect();
        self.vertex_labels = Some(one_each(labels, "labels", "vertex", self.num_vertices())?);
        Ok(self)
    }

    /// Sets the label of each edge, in the order of [`edges`](Graph::edges).
    ///
    /// # Errors
    ///
    /// [`GraphError::WrongLength`] unless there is one for each edge.
    pub fn with_edge_labels<L: Into<String>>(
        mut self,
        labels: impl IntoIterator<Item = L>,
    ) -> Result<Self, GraphError> {
        let labels = labels.into_iter().map(Into::into).collect();
        self.edge_labels = Some(one_each(labels, "labels", "edge", self.num_edges())?);
        Ok(self)
    }

    /// Sets the weight of each edge, in the order of [`edges`](Graph::edges).
    ///
    /// # Errors
    ///
    /// [`GraphError::WrongLength`] unless there is one for each edge.
    pub fn with_weights(
        mut self,
        weights: impl IntoIterator<Item = i64>,
    ) -> Result<Self, GraphError> {
        let weights = weights.into_iter().collect();
        self.weights = Some(one_each(weights, "weights", "edge", self.num_edges())?);
        Ok(self)
    }

    /// Sets the weight of each vertex.
    ///
    /// # Errors
    ///
    /// [`GraphError::WrongLength`] unless there is one for each vertex.
    pub fn with_vertex_weights(
        mut self,
        weights: impl IntoIterator<Item = i64>,
    ) -> Result<Self, GraphError> {
        let weights = weights.into_iter().collect();
        self.vertex_weights = Some(one_each(weights, "weights", "vertex", self.num_vertices())?);
        Ok(self)
    }

    /// Sets the position of each vertex in a picture: right and up, as longitude and latitude, in any unit.
    ///
    /// ```
    /// use topdd_graph::Graph;
    ///
    /// let graph = Graph::new(2, [(0, 1)])?
    ///     .with_vertex_labels(["Bern", "Basel"])?
    ///     .with_edge_labels(["A1"])?
    ///     .with_vertex_weights([134, 178])?
    ///     .with_positions([(0.0, 1.0), (0.3, 0.0)])?;
    /// assert_eq!((graph.vertex_name(1), graph.vertex_weight(1)), ("Basel".to_owned(), 178));
    /// assert_eq!(graph.edge_labels().unwrap(), ["A1"]);
    /// assert_eq!(graph.positions().unwrap()[0], (0.0, 1.0));
    /// assert_eq!(graph.num_components(), 1);
    /// # Ok::<(), topdd_graph::GraphError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`GraphError::WrongLength`] unless there is one for each vertex.
    pub fn with_positions(
        mut self,
        positions: impl IntoIterator<Item = (f64, f64)>,
    ) -> Result<Self, GraphError> {
        let positions = positions.into_iter().collect();
        self.positions = Some(one_each(positions, "positions", "vertex", self.num_vertices())?);
        Ok(self)
    }

    /// Returns the number of vertices.
    pub fn num_vertices(&self) -> usize {
        self.incident.len()
    }

    /// Returns the number of edges.
    pub fn num_edges(&self) -> usize {
        self.edges.len()
    }

    /// Returns the edges in the order and the directions in which they were given.
    pub fn edges(&self) -> &[(usize, usize)] {
        &self.edges
    }

    /// Returns whether edges have a direction.
    pub fn is_directed(&self) -> bool {
        self.directed
    }

    /// Returns the edges at a vertex, in and out, ascending. A loop is listed once.
    ///
    /// # Panics
    ///
    /// If `vertex` is not below [`num_vertices`](Graph::num_vertices);
    /// [`get_incident`](Graph::get_incident) returns `None` then.
    #[track_caller]
    pub fn incident(&self, vertex: usize) -> &[usize] {
        self.check_vertex(vertex);
        &self.incident[vertex]
    }

    /// Returns the edges at a vertex, in and out, ascending; `None` if there is no such vertex.
    ///
    /// ```
    /// use topdd_graph::Graph;
    ///
    /// let path = Graph::path(3);
    /// assert_eq!((path.get_incident(1), path.get_incident(3)), (Some(&[0, 1][..]), None));
    /// ```
    pub fn get_incident(&self, vertex: usize) -> Option<&[usize]> {
        (vertex < self.num_vertices()).then(|| self.incident(vertex))
    }

    /// Returns the other ends of the edges at a vertex, in and out, in the order of the edges. A loop
    /// ends at the vertex itself.
    ///
    /// ```
    /// let knight = topdd_graph::Graph::knight(8, 8);
    /// assert!(knight.neighbours(0).eq([10, 17])); // from a corner
    /// ```
    ///
    /// # Panics
    ///
    /// If `vertex` is not below [`num_vertices`](Graph::num_vertices).
    #[track_caller]
    pub fn neighbours(&self, vertex: usize) -> impl DoubleEndedIterator<Item = usize> + '_ {
        self.incident(vertex).iter().map(move |&edge| self.other_end(edge, vertex))
    }

    /// The other end of an edge at a vertex.
    pub(crate) fn other_end(&self, edge: usize, vertex: usize) -> usize {
        let (a, b) = self.edges[edge];
        a ^ b ^ vertex
    }

    /// Returns the first edge from one vertex to another; in an undirected graph, the first that joins
    /// them. `None` if there is no such edge or vertex. The time is linear in the degree.
    ///
    /// ```
    /// let path = topdd_graph::Graph::path(3);
    /// assert_eq!((path.edge_between(2, 1), path.edge_between(0, 2)), (Some(1), None));
    /// ```
    pub fn edge_between(&self, from: usize, to: usize) -> Option<usize> {
        let joins = |&edge: &usize| {
            let ends = self.edges[edge];
            ends == (from, to) || !self.directed && ends == (to, from)
        };
        self.get_incident(from)?.iter().copied().find(joins)
    }

    /// Returns the number of ends of edges at a vertex, in and out. A loop has two ends there.
    ///
    /// # Panics
    ///
    /// If `vertex` is not below [`num_vertices`](Graph::num_vertices).
    #[track_caller]
    pub fn degree(&self, vertex: usize) -> usize {
        let incident = self.incident(vertex);
        let is_loop = |&&edge: &&usize| self.edges[edge].0 == self.edges[edge].1;
        incident.len() + incident.iter().filter(is_loop).count()
    }

    /// Returns the labels of the vertices, if there are any.
    pub fn vertex_labels(&self) -> Option<&[String]> {
        self.vertex_labels.as_deref()
    }

    /// Returns the labels of the edges, if there are any.
    pub fn edge_labels(&self) -> Option<&[String]> {
        self.edge_labels.as_deref()
    }

    /// Returns the weights of the edges, if there are any.
    pub fn weights(&self) -> Option<&[i64]> {
        self.weights.as_deref()
    }

    /// Returns the weights of the vertices, if there are any.
    pub fn vertex_weights(&self) -> Option<&[i64]> {
        self.vertex_weights.as_deref()
    }

    /// Returns the positions of the vertices, if there are any.
    pub fn positions(&self) -> Option<&[(f64, f64)]> {
        self.positions.as_deref()
    }

    /// Returns the weight of an edge: 1 if the graph has no weights.
    ///
    /// # Panics
    ///
    /// If `edge` is not below [`num_edges`](Graph::num_edges).
    #[track_caller]
    pub fn weight(&self, edge: usize) -> i64 {
        let edges = self.num_edges();
        assert!(edge < edges, "there is no edge {edge}; the edges are 0..{edges}");
        self.weights.as_ref().map_or(1, |weights| weights[edge])
    }

    /// Returns the weight of a vertex: 1 if the graph has no weights of vertices.
    ///
    /// # Panics
    ///
    /// If `vertex` is not below [`num_vertices`](Graph::num_vertices).
    #[track_caller]
    pub fn vertex_weight(&self, vertex: usize) -> i64 {
        self.check_vertex(vertex);
        self.vertex_weights.as_ref().map_or(1, |weights| weights[vertex])
    }

    #[track_caller]
    fn check_vertex(&self, vertex: usize) {
        let vertices = self.num_vertices();
        assert!(vertex < vertices, "there is no vertex {vertex}; the vertices are 0..{vertices}");
    }

    /// Returns the label of a vertex; its number as text if the graph has no labels.
    ///
    /// # Panics
    ///
    /// If `vertex` is not below [`num_vertices`](Graph::num_vertices).
    #[track_caller]
    pub fn vertex_name(&self, vertex: usize) -> String {
        self.check_vertex(vertex);
        self.vertex_labels
            .as_ref()
            .map_or_else(|| vertex.to_string(), |labels| labels[vertex].clone())
    }

    /// The names of the ends of an edge.
    pub(crate) fn element_name(&self, unit: Unit, element: usize) -> String {
        match unit {
            Unit::Edge => self.edge_name(element),
            Unit::Vertex | Unit::Colour => self.vertex_name(element),
        }
    }

    pub(crate) fn edge_name(&self, edge: usize) -> String {
        let (a, b) = self.edges[edge];
        let sign = if self.directed { "->" } else { "-" };
        format!("{}{sign}{}", self.vertex_name(a), self.vertex_name(b))
    }

    /// Returns the first vertex with a label; without labels, the vertex of that number. Linear in the
    /// number of vertices.
    pub fn vertex(&self, label: &str) -> Option<usize> {
        match &self.vertex_labels {
            Some(labels) => labels.iter().position(|other| other == label),
            None => label.parse().ok().filter(|&vertex| vertex < self.num_vertices()),
        }
    }

    /// The same graph without directions. Two edges in opposite directions are parallel then.
    pub(crate) fn without_directions(&self) -> Self {
        Self { directed: false, ..self.clone() }
    }

    /// The same graph without weights of vertices.
    pub(crate) fn without_vertex_weights(self) -> Self {
        Self { vertex_weights: None, ..self }
    }

    /// The same graph with so many vertices, the last of which may have no edges, and without data of vertices.
    pub(crate) fn with_vertices(mut self, vertices: usize) -> Self {
        self.incident.resize(vertices);
        Self { vertex_weights: None, vertex_labels: None, positions: None, ..self }
    }

    /// The same graph with some of its edges.
    pub(crate) fn with_edges_kept(self, is_kept: &[bool]) -> Result<Self, GraphError> {
        fn kept<T>(is_kept: &[bool], list: Vec<T>) -> Vec<T> {
            list.into_iter().zip(is_kept).filter_map(|(item, kept)| kept.then_some(item)).collect()
        }
        let vertices = self.num_vertices();
        Ok(Self {
            edge_labels: self.edge_labels.map(|labels| kept(is_kept, labels)),
            weights: self.weights.map(|weights| kept(is_kept, weights)),
            vertex_labels: self.vertex_labels,
            vertex_weights: self.vertex_weights,
            positions: self.positions,
            ..Self::from_edges(vertices, kept(is_kept, self.edges), self.directed)?
        })
    }

    /// Returns the number of connected components, an isolated vertex included. Directions do not
    /// matter. Linear time.
    pub fn num_components(&self) -> usize {
        let components = self.components();
        components.iter().enumerate().filter(|&(vertex, component)| vertex == *component).count()
    }

    /// Returns the connected component of each vertex, as its least vertex. Directions do not matter.
    /// Linear time.
    pub fn components(&self) -> Vec<usize> {
        let (mut components, mut seen) =
            (vec![0; self.num_vertices()], vec![false; self.num_vertices()]);
        for start in 0..self.num_vertices() {
            for vertex in reached(&mut seen, start, |vertex| self.neighbours(vertex)) {
                components[vertex] = start;
            }
        }
        components
    }
}

/// Returns the vertices that are reached from `start` past those that were seen before, in breadth-first order, and marks
/// them.
pub(crate) fn reached<I: IntoIterator<Item = usize>>(
    seen: &mut [bool],
    start: usize,
    neighbours: impl Fn(usize) -> I,
) -> Vec<usize> {
    let mut order = Vec::new();
    if !std::mem::replace(&mut seen[start], true) {
        order.push(start);
    }
    let mut next = 0;
    while let Some(&vertex) = order.get(next) {
        next += 1;
        let others = neighbours(vertex).into_iter();
        order.extend(others.filter(|&other| !std::mem::replace(&mut seen[other], true)));
    }
    order
}

/// Returns the list if it has one item for each vertex or edge.
/// The number of steps from a vertex to each one; `usize::MAX` if no steps lead there.
pub(crate) fn distances<I: IntoIterator<Item = usize>>(
    vertices: usize,
    start: usize,
    neighbours: impl Fn(usize) -> I,
) -> Vec<usize> {
    let mut distances = vec![usize::MAX; vertices];
    distances[start] = 0;
    for vertex in reached(&mut vec![false; vertices], start, &neighbours) {
        for other in neighbours(vertex) {
            distances[other] = distances[other].min(distances[vertex] + 1);
        }
    }
    distances
}

fn one_each<T>(
    items: Vec<T>,
    what: &'static str,
    of: &'static str,
    needed: usize,
) -> Result<Vec<T>, GraphError> {
    let given = items.len();
    if given == needed {
        Ok(items)
    } else {
        Err(GraphError::WrongLength { what, of, given, needed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_keep_their_order_and_direction() {
        let edges = [(3, 1), (0, 2), (1, 3), (2, 2)];
        let graph = Graph::new(4, edges).unwrap();
        assert_eq!(graph.edges(), edges);
        assert_eq!(graph.incident(3), [0, 2]);
        assert_eq!(graph.incident(2), [1, 3]);
        assert_eq!(graph.degree(2), 3);
        let no_vertex = std::panic::catch_unwind(|| graph.vertex_name(4)).unwrap_err();
        let message = no_vertex.downcast_ref::<String>().unwrap();
        assert_eq!(message, "there is no vertex 4; the vertices are 0..4");
        assert_eq!(graph.num_components(), 2);
        assert_eq!(Graph::new(0, []).unwrap().num_components(), 0);
    }

    #[test]
    fn errors_name_the_vertex_or_the_lengths() {
        assert_eq!(
            Graph::new(3, [(0, 3)]),
            Err(GraphError::VertexOutOfRange { vertex: 3, vertices: 3 })
        );
        let error = Graph::grid(2, 2).with_weights([1, 2]).unwrap_err();
        assert_eq!(error.to_string(), "2 weights were given, and 4 are needed, one for each edge");
    }
}
