//! Conversions from and to the graphs of the crate `petgraph`.

use petgraph::graph::{Graph as Petgraph, IndexType, NodeIndex};
use petgraph::{Directed, EdgeType, Undirected};

use super::super::{Graph, GraphError};

/// Vertices and edges keep their indices; the weights of nodes and edges are left out, for which
/// [`Graph::with_vertex_labels`] and [`Graph::with_weights`] are there. Linear time.
///
/// ```
/// use petgraph::graph::UnGraph;
/// use topdd_graph::Graph;
///
/// let square = UnGraph::<(), i64>::from_edges([(0, 1, 5), (1, 2, 7), (2, 3, 1), (3, 0, 2)]);
/// let graph = Graph::from(&square).with_weights(square.edge_weights().copied())?;
/// assert_eq!(graph.edges(), [(0, 1), (1, 2), (2, 3), (3, 0)]);
/// assert_eq!(graph.weight(1), 7);
/// # Ok::<(), topdd_graph::GraphError>(())
/// ```
impl<N, E, D: EdgeType, I: IndexType> From<&Petgraph<N, E, D, I>> for Graph {
    fn from(graph: &Petgraph<N, E, D, I>) -> Self {
        let edges =
            graph.raw_edges().iter().map(|edge| (edge.source().index(), edge.target().index()));
        let vertices = graph.node_count();
        let graph = if D::is_directed() {
            Graph::directed(vertices, edges)
        } else {
            Graph::new(vertices, edges)
        };
        graph.expect("the ends of edges are nodes")
    }
}

impl Graph {
    /// Returns the graph as one of the crate `petgraph`: nodes have their names as weights, edges
    /// their weights. Vertices and edges keep their indices. Linear time. Feature `petgraph`.
    ///
    /// # Errors
    ///
    /// [`GraphError::Directed`] if the graph is directed; see
    /// [`to_petgraph_directed`](Graph::to_petgraph_directed).
    ///
    /// # Panics
    ///
    /// If there are more vertices or edges than 32-bit indices.
    ///
    /// ```
    /// use topdd_graph::Graph;
    ///
    /// let square = Graph::grid(2, 2).to_petgraph()?;
    /// assert_eq!(petgraph::algo::connected_components(&square), 1);
    /// # Ok::<(), topdd_graph::GraphError>(())
    /// ```
    pub fn to_petgraph(&self) -> Result<Petgraph<String, i64, Undirected>, GraphError> {
        if self.is_directed() { Err(GraphError::Directed) } else { Ok(self.convert()) }
    }

    /// Returns the graph as a directed one of the crate `petgraph`, with the edges in the direction
    /// in which they were given. Linear time. Feature `petgraph`.
    ///
    /// # Panics
    ///
    /// If there are more vertices or edges than 32-bit indices.
    pub fn to_petgraph_directed(&self) -> Petgraph<String, i64, Directed> {
        self.convert()
    }

    fn convert<D: EdgeType>(&self) -> Petgraph<String, i64, D> {
        let mut graph = Petgraph::with_capacity(self.num_vertices(), self.num_edges());
        for vertex in 0..self.num_vertices() {
            graph.add_node(self.vertex_name(vertex));
        }
        for (edge, &(a, b)) in self.edges().iter().enumerate() {
            graph.add_edge(NodeIndex::new(a), NodeIndex::new(b), self.weight(edge));
        }
        graph
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversion_and_back_keeps_edges_and_directions() {
        let edges = [(3, 1), (0, 2), (1, 3), (2, 2), (1, 3)];
        let graph = Graph::new(4, edges).unwrap();
        assert_eq!(Graph::from(&graph.to_petgraph().unwrap()), graph);
        let directed = Graph::directed(4, edges).unwrap();
        assert_eq!(directed.to_petgraph().unwrap_err(), GraphError::Directed);
        assert_eq!(Graph::from(&directed.to_petgraph_directed()), directed);
        let weighted = graph.with_weights([1, 2, 3, 4, 5]).unwrap().to_petgraph().unwrap();
        assert!(weighted.edge_weights().copied().eq(1..=5));
    }
}
