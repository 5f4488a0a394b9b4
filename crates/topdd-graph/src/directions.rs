//! Edges in both directions, where directions do not count.

use std::collections::{HashMap, VecDeque};

use crate::{Graph, GraphError};

/// Returns the pairs of edges in opposite directions for which `is_same` holds, each with the earlier edge first. Each
/// edge is in at most one pair. Fails with the first pair of remaining edges in opposite directions.
pub(crate) fn opposite(
    ends: impl IntoIterator<Item = (usize, usize)>,
    is_same: impl Fn(usize, usize) -> bool,
) -> Result<Vec<(usize, usize)>, (usize, usize)> {
    let mut single: HashMap<(usize, usize), VecDeque<usize>> = HashMap::new();
    let mut pairs = Vec::new();
    for (edge, (a, b)) in ends.into_iter().enumerate().filter(|(_, (a, b))| a != b) {
        let partner = single.get_mut(&(b, a)).and_then(|others| {
            others.remove(others.iter().position(|&other| is_same(other, edge))?)
        });
        match partner {
            Some(other) => pairs.push((other, edge)),
            None => single.entry((a, b)).or_default().push_back(edge),
        }
    }
    let first = |(&(a, b), edges): (&(usize, usize), &VecDeque<usize>)| {
        let other = single.get(&(b, a))?.front()?;
        Some((*edges.front()?, *other))
    };
    match single.iter().filter_map(first).min() {
        Some(different) => Err(different),
        None => Ok(pairs),
    }
}

impl GraphError {
    pub(crate) fn differing(edges: [String; 2], attribute: &str, values: [String; 2]) -> Self {
        let (edges, attribute, values) = (edges.into(), attribute.to_owned(), values.into());
        Self::DifferentDirections { edges, attribute, values }
    }
}

impl Graph {
    /// Returns the pairs of edges in opposite directions, each with the earlier edge first; none for an undirected
    /// graph. Parallel edges are in one pair each. Linear time, apart from parallel edges.
    ///
    /// ```
    /// let streets = topdd_graph::Graph::directed(3, [(0, 1), (1, 0), (1, 2)])?.with_weights([5, 6, 7])?;
    /// assert_eq!(streets.opposite_edges(|_, _| true), Ok(vec![(0, 1)]));
    /// let same_weight = |a, b| streets.weight(a) == streets.weight(b);
    /// assert_eq!(streets.opposite_edges(same_weight), Err((0, 1)));
    /// # Ok::<(), topdd_graph::GraphError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first pair that is not the same.
    pub fn opposite_edges(
        &self,
        is_same: impl Fn(usize, usize) -> bool,
    ) -> Result<Vec<(usize, usize)>, (usize, usize)> {
        if self.is_directed() {
            opposite(self.edges().iter().copied(), is_same)
        } else {
            Ok(Vec::new())
        }
    }

    /// Returns the same graph without directions.
    ///
    /// # Errors
    ///
    /// [`GraphError::BothDirections`] if two edges join the same vertices in opposite directions, because they would be
    /// parallel edges: [`merge_directions`](Graph::merge_directions) joins them.
    pub fn to_undirected(&self) -> Result<Self, GraphError> {
        self.check_directions()?;
        Ok(self.without_directions())
    }

    /// Returns the same graph without directions, in which two edges with the same ends in opposite directions, and
    /// with the same weight and label, are one edge, the earlier one. An undirected graph stays as it is.
    ///
    /// ```
    /// use topdd_graph::{Graph, families::spanning_trees};
    ///
    /// let streets = Graph::directed(3, [(0, 1), (1, 0), (1, 2), (2, 1), (0, 2)])?;
    /// assert!(streets.to_undirected().is_err() && spanning_trees(&streets).count().is_err());
    /// let joined = streets.merge_directions()?;
    /// assert_eq!(joined.edges(), [(0, 1), (1, 2), (0, 2)]);
    /// assert_eq!(spanning_trees(&joined).count()?, 3u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`GraphError::DifferentDirections`] with the first pair that differs.
    pub fn merge_directions(&self) -> Result<Self, GraphError> {
        let label = |edge: usize| self.edge_labels().map(|labels| &labels[edge]);
        let is_same = |a, b| self.weight(a) == self.weight(b) && label(a) == label(b);
        let pairs = self.opposite_edges(is_same).map_err(|(edge, other)| {
            let weights = [self.weight(edge), self.weight(other)].map(|weight| weight.to_string());
            let label = |edge| label(edge).cloned().unwrap_or_default();
            let (attribute, values) = if weights[0] == weights[1] {
                ("label", [label(edge), label(other)])
            } else {
                ("weight", weights)
            };
            let edges = [edge, other].map(|edge| self.edge_name(edge));
            GraphError::differing(edges, attribute, values)
        })?;
        let mut is_kept = vec![true; self.num_edges()];
        for (_, later) in pairs {
            is_kept[later] = false;
        }
        self.without_directions().with_edges_kept(&is_kept)
    }

    /// Returns whether no two edges of the graph join the same vertices in opposite directions, so that it can be read
    /// without directions. Linear time.
    ///
    /// # Errors
    ///
    /// [`GraphError::BothDirections`] with the first pair of such edges.
    pub fn check_directions(&self) -> Result<(), GraphError> {
        match self.opposite_edges(|_, _| true).unwrap_or_default().first() {
            None => Ok(()),
            Some(&(edge, other)) => {
                let edges = [edge, other].map(|edge| self.edge_name(edge));
                Err(GraphError::BothDirections { edges })
            }
        }
    }

    /// Fails if the graph is directed. The error states the way to an undirected one.
    pub(crate) fn check_undirected(&self) -> Result<(), GraphError> {
        self.check_directions()?;
        if self.is_directed() { Err(GraphError::Directed) } else { Ok(()) }
    }

    /// Returns the note for an answer under this name that does not depend on directions; none for an undirected
    /// graph.
    ///
    /// ```
    /// let one_way = topdd_graph::Graph::directed(2, [(0, 1)])?;
    /// let note = "matchings: the directions of edges do not count";
    /// assert_eq!(one_way.note_of_directions("matchings").unwrap(), note);
    /// # Ok::<(), topdd_graph::GraphError>(())
    /// ```
    pub fn note_of_directions(&self, name: &str) -> Option<String> {
        self.is_directed().then(|| format!("{name}: the directions of edges do not count"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_edges_find_the_partner_that_is_the_same() {
        let ends = [(0, 1), (1, 0), (1, 0), (0, 1), (1, 1), (2, 0)];
        let graph = Graph::directed(3, ends).unwrap().with_weights([1, 2, 1, 2, 7, 7]).unwrap();
        let same = |a, b| graph.weight(a) == graph.weight(b);
        assert_eq!(graph.opposite_edges(same), Ok(vec![(0, 2), (1, 3)]));
        let joined = graph.merge_directions().unwrap();
        assert_eq!(joined.edges(), [(0, 1), (1, 0), (1, 1), (2, 0)]);
        assert_eq!(joined.weights(), Some(&[1, 2, 7, 7][..]));
        // A third edge without a partner is parallel.
        let graph = Graph::directed(2, [(0, 1), (0, 1), (1, 0)]).unwrap();
        assert_eq!(graph.merge_directions().unwrap().edges(), [(0, 1), (0, 1)]);
    }

    #[test]
    fn undirected_graphs_have_no_opposite_edges() {
        for ends in [[(0, 1), (1, 0)], [(0, 1), (0, 1)]] {
            let parallel = Graph::new(2, ends).unwrap().with_weights([1, 2]).unwrap();
            assert_eq!(parallel.opposite_edges(|_, _| false), Ok(vec![]));
            assert_eq!(parallel.merge_directions().unwrap(), parallel);
        }
    }

    #[test]
    fn errors_name_the_first_pair() {
        let graph = Graph::directed(3, [(1, 2), (0, 1), (2, 1), (1, 0)]).unwrap();
        let graph = graph.with_vertex_labels(["a", "b", "c"]).unwrap();
        let both = graph.to_undirected().unwrap_err().to_string();
        assert!(both.contains("the edges b->c and c->b would be two parallel edges"), "{both}");
        let weighted = graph.clone().with_weights([1, 2, 3, 4]).unwrap();
        let error = weighted.merge_directions().unwrap_err().to_string();
        assert!(
            error.starts_with("the edges b->c and c->b differ in `weight`: 1 and 3"),
            "{error}"
        );
        let labelled = graph.with_edge_labels(["x", "y", "x", ""]).unwrap();
        let error = labelled.merge_directions().unwrap_err().to_string();
        assert!(error.starts_with("the edges a->b and b->a differ in `label`: y and "), "{error}");
        let one_way = Graph::directed(3, [(0, 1), (0, 1), (2, 2)]).unwrap();
        assert!(!one_way.to_undirected().unwrap().is_directed());
    }
}
