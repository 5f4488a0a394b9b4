//! The graph of a family as it is stored with a diagram.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use topdd_graph::families::Unit;
use topdd_graph::{Graph, GraphError};

/// The graph of a family as it is stored with a diagram, in JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct GraphRecord {
    pub(super) unit: Unit,
    pub(super) directed: bool,
    /// The labels.
    pub(super) vertices: Vec<String>,
    /// The ends of each edge, as positions in `vertices`.
    pub(super) edges: Vec<(usize, usize)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) edge_labels: Option<Vec<String>>,
    /// The position of each vertex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) positions: Option<Vec<(f64, f64)>>,
}

impl GraphRecord {
    pub(super) fn graph(&self) -> Result<Graph, GraphError> {
        let (vertices, edges) = (self.vertices.len(), self.edges.iter().copied());
        let graph = if self.directed {
            Graph::directed(vertices, edges)
        } else {
            Graph::new(vertices, edges)
        };
        let mut graph = graph?.with_vertex_labels(&self.vertices)?;
        if let Some(positions) = &self.positions {
            graph = graph.with_positions(positions.iter().copied())?;
        }
        match &self.edge_labels {
            Some(labels) => graph.with_edge_labels(labels),
            None => Ok(graph),
        }
    }

    /// The union with another graph, in which the vertices and edges of this graph come first, and the element of each
    /// variable. `variables` has the element of both graphs for each variable. `None` if the graphs are of different
    /// kinds, or if the elements of a variable are not the same.
    pub(crate) fn union(
        &self,
        other: &Self,
        variables: &[[Option<usize>; 2]],
    ) -> Option<(Self, Vec<usize>)> {
        let is_of_kind = (self.unit, self.directed) == (other.unit, other.directed);
        if !is_of_kind || self.graph().is_err() || other.graph().is_err() {
            return None;
        }
        let mut union = self.clone();
        let vertices = union.add_vertices(&other.vertices);
        if union.vertices.len() > self.vertices.len() {
            // The vertices of the two graphs need not be on the same map.
            union.positions = None;
        }
        let known = match self.unit {
            Unit::Edge => variables.iter().filter_map(|&[left, right]| right.zip(left)).collect(),
            Unit::Vertex | Unit::Colour => self.known_edges(other, &vertices),
        };
        let edges = union.add_edges(other, &vertices, &known);
        let elements = if self.unit == Unit::Edge { edges } else { vertices };
        let of_variable = |&[left, right]: &[Option<usize>; 2]| {
            let right = right.map(|right| elements.get(right).copied());
            match (left, right) {
                (Some(left), Some(right)) => right.filter(|&right| left == right),
                (left, right) => left.or(right.flatten()),
            }
        };
        Some((union, variables.iter().map(of_variable).collect::<Option<_>>()?))
    }

    /// Adds the vertices of the labels that are new. Returns the vertex of each label.
    fn add_vertices(&mut self, labels: &[String]) -> Vec<usize> {
        let mut known: HashMap<String, usize> = self.vertices.iter().cloned().zip(0..).collect();
        let vertex = |label: &String| {
            *known.entry(label.clone()).or_insert_with(|| {
                self.vertices.push(label.clone());
                self.vertices.len() - 1
            })
        };
        labels.iter().map(vertex).collect()
    }

    /// The ends of an edge, which have no order in an undirected graph.
    fn ends(&self, edge: (usize, usize)) -> (usize, usize) {
        let (a, b) = edge;
        if self.directed { edge } else { (a.min(b), a.max(b)) }
    }

    /// The edges of another graph that have the ends of an edge of this one, which is their value. `vertices` are its
    /// vertices in the union.
    fn known_edges(&self, other: &Self, vertices: &[usize]) -> HashMap<usize, usize> {
        let here: HashMap<_, _> = self.edges.iter().map(|&edge| self.ends(edge)).zip(0..).collect();
        let known = |(edge, &(a, b)): (usize, &(usize, usize))| {
            Some((edge, *here.get(&self.ends((vertices[a], vertices[b])))?))
        };
        other.edges.iter().enumerate().filter_map(known).collect()
    }

    /// Adds the edges of another graph that are not `known`, or that have other ends than the edge known. Returns the
    /// edge of each.
    fn add_edges(
        &mut self,
        other: &Self,
        vertices: &[usize],
        known: &HashMap<usize, usize>,
    ) -> Vec<usize> {
        let mut labels = self.edge_labels.take();
        if other.edge_labels.is_some() {
            labels.get_or_insert_with(|| vec![String::new(); self.edges.len()]);
        }
        let mut edges = Vec::with_capacity(other.edges.len());
        for (edge, &(a, b)) in other.edges.iter().enumerate() {
            let added = (vertices[a], vertices[b]);
            let same = known.get(&edge).copied();
            let same = same.filter(|&same| {
                self.edges.get(same).is_some_and(|&here| self.ends(here) == self.ends(added))
            });
            edges.push(same.unwrap_or_else(|| {
                self.edges.push(added);
                if let Some(labels) = &mut labels {
                    let label = other.edge_labels.as_ref().map(|labels| labels[edge].clone());
                    labels.push(label.unwrap_or_default());
                }
                self.edges.len() - 1
            }));
        }
        self.edge_labels = labels;
        edges
    }
}
