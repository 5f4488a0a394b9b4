//! The content of a file before it is a graph, and the numbers in it.

use std::collections::{BTreeSet, HashMap};

use super::number::{DraftWeight, GivenWeight, GivenWeights};
use super::{FormatError, Graph, GraphFile, GraphFormat, GraphReadOptions, note_of_forms};
use crate::families::Unit;

/// The largest number of vertices that a header may announce beyond those that the size of the
/// file allows.
const MAX_ANNOUNCED: usize = 1 << 20;

/// The content of a file, before the graph is made of it.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) directed: bool,
    /// The line of an edge that is directed in an undirected graph, or the other way round.
    pub(super) mixed: Option<usize>,
    /// Whether the file itself states that the graph is undirected, in a format that could state the opposite.
    pub(super) states_undirected: bool,
    /// Whether the edges come from lists of neighbours.
    pub(super) of_lists: bool,
    /// The label of each vertex.
    pub(super) labels: Vec<String>,
    pub(super) edges: Vec<DraftEdge>,
    /// The column of the weights of edges, if there is one with a name.
    pub(super) weight_column: Option<String>,
    /// Vertices with a line of their own, the weight in it, and its number.
    pub(super) vertex_weights: Vec<(usize, Option<GivenWeight>, usize)>,
    pub(super) positions: Vec<(usize, (f64, f64))>,
    pub(super) max_length: Option<usize>,
    pub(super) terminals: Vec<usize>,
    /// The names of the attributes of edges and vertices.
    pub(super) attributes: BTreeSet<String>,
    /// The names of the attributes of edges that are numbers.
    pub(super) edge_attributes: BTreeSet<String>,
    pub(super) vertex_attributes: BTreeSet<String>,
    pub(super) notes: Vec<String>,
}

#[derive(Debug)]
pub(super) struct DraftEdge {
    pub(super) ends: (usize, usize),
    pub(super) line: usize,
    pub(super) weight: Option<GivenWeight>,
    pub(super) label: Option<String>,
}

impl Draft {
    /// A draft with the vertices `1..=vertices`.
    pub(super) fn numbered_from_one(vertices: usize) -> Self {
        let labels = (1..=vertices).map(|vertex| vertex.to_string()).collect();
        Self { labels, ..Self::default() }
    }

    /// Makes the graph.
    pub(super) fn finish(
        mut self,
        format: GraphFormat,
        options: &GraphReadOptions,
    ) -> Result<GraphFile, FormatError> {
        let vertices = self.labels.len();
        self.check_weight_attribute(options)?;
        self.check_directions(options)?;
        let directed = options.directed.unwrap_or(self.directed);
        let ends: Vec<_> = self.edges.iter().map(|edge| edge.ends).collect();
        let graph =
            if directed { Graph::directed(vertices, ends) } else { Graph::new(vertices, ends) };
        let failed = |error: crate::GraphError| FormatError::new(error.to_string());
        let mut graph = graph.map_err(failed)?;
        self.notes.extend(note_of_forms(self.labels.iter().map(String::as_str)));
        let is_number = |(number, label): (usize, &String)| *label == number.to_string();
        if !self.labels.iter().enumerate().all(is_number) {
            graph = graph.with_vertex_labels(self.labels).map_err(failed)?;
        }
        let of_edges = GivenWeights {
            unit: Unit::Edge,
            attribute: self.weight_column.as_deref().unwrap_or(options.edge_weight_name()),
            are_declared: self.weight_column.is_some(),
            weights: self
                .edges
                .iter()
                .map(|edge| (edge.weight.as_ref(), Some(edge.line)))
                .collect(),
        };
        let edges = of_edges.read(|edge| graph.edge_name(edge), options)?;
        if let Some(weights) = edges.whole {
            graph = graph.with_weights(weights).map_err(failed)?;
        }
        if self.edges.iter().any(|edge| edge.label.is_some()) {
            let labels = self.edges.iter().map(|edge| edge.label.clone().unwrap_or_default());
            graph = graph.with_edge_labels(labels).map_err(failed)?;
        }
        let mut given = vec![(None, None); vertices];
        for (vertex, weight, line) in &self.vertex_weights {
            given[*vertex] = (weight.as_ref(), Some(*line));
        }
        let vertex_lines = given.iter().map(|(_, line)| *line).collect();
        let of_vertices = GivenWeights {
            unit: Unit::Vertex,
            attribute: options.vertex_weight_name(),
            are_declared: false,
            weights: given,
        };
        let of_vertices = of_vertices.read(|vertex| graph.vertex_name(vertex), options)?;
        if let Some(weights) = of_vertices.whole {
            graph = graph.with_vertex_weights(weights).map_err(failed)?;
        }
        let mut positions = vec![None; vertices];
        for (vertex, position) in self.positions {
            positions[vertex] = Some(position);
        }
        // Positions of some of the vertices make no picture.
        if let (true, Some(positions)) =
            (vertices > 0, positions.into_iter().collect::<Option<Vec<_>>>())
        {
            graph = graph.with_positions(positions).map_err(failed)?;
        }
        let edge_lines = self.edges.iter().map(|edge| edge.line).collect();
        Ok(GraphFile {
            graph,
            edge_lines,
            vertex_lines,
            file: None,
            vertex_file: None,
            edge_numbers: edges.numbers,
            vertex_numbers: of_vertices.numbers,
            edge_weight_error: edges.error,
            vertex_weight_error: of_vertices.error,
            max_length: self.max_length,
            terminals: self.terminals,
            edge_attributes: candidates(self.edge_attributes),
            vertex_attributes: candidates(self.vertex_attributes),
            format,
            notes: self.notes,
        })
    }

    /// Fails if some edges are directed and others are not.
    fn check_directions(&self, options: &GraphReadOptions) -> Result<(), FormatError> {
        if let (None, Some(line)) = (options.directed, self.mixed) {
            let (edge, graph) =
                if self.directed { ("undirected", "directed") } else { ("directed", "undirected") };
            let message = format!(
                "the edge is {edge} in a graph that is {graph}; read all edges as directed or as undirected"
            );
            return Err(FormatError::at(line, message));
        }
        Ok(())
    }

    /// Fails if a weight was asked for by a name that nothing in the file has.
    fn check_weight_attribute(&self, options: &GraphReadOptions) -> Result<(), FormatError> {
        let chosen = options.edge_weight_attribute.iter().chain(&options.weight_attribute);
        let is_empty = self.edges.is_empty() && self.labels.is_empty();
        let missing = chosen.into_iter().find(|&name| !self.attributes.contains(name));
        let Some(name) = missing.filter(|_| !is_empty) else { return Ok(()) };
        let names: Vec<&str> = self.attributes.iter().map(String::as_str).collect();
        Err(FormatError::new(if names.is_empty() {
            format!(
                "there is no attribute `{name}`; the file has no attributes that can be weights"
            )
        } else {
            format!("there is no attribute `{name}`; the attributes are {}", names.join(", "))
        }))
    }
}

/// The attributes that may be weights: neither numbers of elements nor positions.
fn candidates(attributes: BTreeSet<String>) -> Vec<String> {
    let others = ["weight", "id", "key", "index", "source", "target", "x", "y", "group"];
    attributes.into_iter().filter(|name| !others.contains(&name.to_lowercase().as_str())).collect()
}

/// The numbers of vertices by label.
#[derive(Debug, Default)]
pub(super) struct Labels {
    numbers: HashMap<String, usize>,
    pub(super) labels: Vec<String>,
}

impl Labels {
    /// Returns the number of the vertex, which is added if it is new.
    pub(super) fn number(&mut self, label: &str) -> usize {
        if let Some(&number) = self.numbers.get(label) {
            return number;
        }
        let number = self.labels.len();
        self.numbers.insert(label.to_owned(), number);
        self.labels.push(label.to_owned());
        number
    }

    /// Returns the number of a vertex that was added before.
    #[cfg(any(feature = "graphml", feature = "json"))]
    pub(super) fn find(&self, label: &str) -> Option<usize> {
        self.numbers.get(label).copied()
    }
}

/// Whether the text is a minus sign and digits.
pub(super) fn is_negative(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
    })
}

/// Reads a number that counts or numbers something.
pub(super) fn parse_count(word: &str, what: &str, line: usize) -> Result<usize, FormatError> {
    parse_from(0, word, what, line)
}

fn parse_from(least: u8, word: &str, what: &str, line: usize) -> Result<usize, FormatError> {
    word.parse().map_err(|_| {
        let wrong = if is_negative(word) {
            "is negative"
        } else if word.bytes().all(|digit| digit.is_ascii_digit()) && !word.is_empty() {
            "is too large"
        } else {
            "is not a number"
        };
        FormatError::at(line, format!("{what} `{word}` {wrong}; write a whole number from {least}"))
    })
}

/// Reads the number of a vertex, from 1.
pub(super) fn parse_vertex(
    word: &str,
    vertices: usize,
    header: &str,
    line: usize,
) -> Result<usize, FormatError> {
    let vertex = parse_from(1, word, "the vertex", line)?;
    if vertex == 0 || vertex > vertices {
        return Err(FormatError::at(
            line,
            format!(
                "vertex {vertex} is out of range; the vertices are 1 to {vertices}, by {header}"
            ),
        ));
    }
    Ok(vertex - 1)
}

/// Reads a whole weight.
pub(super) fn parse_weight(word: &str, line: usize) -> Result<i64, FormatError> {
    let weight = DraftWeight::parse(word, false).map_err(|word| {
        FormatError::at(line, format!("the weight `{word}` is not a finite number; correct it"))
    })?;
    weight.whole(Some(line))
}

/// Checks the number of vertices that a header announces against the size of the file in bytes.
pub(super) fn check_announced(vertices: usize, text: &str, line: usize) -> Result<(), FormatError> {
    let most = text.len().saturating_add(MAX_ANNOUNCED);
    if vertices > most {
        return Err(FormatError::at(
            line,
            format!(
                "{vertices} vertices are too many for a file of {} bytes; at most {most} are read",
                text.len()
            ),
        ));
    }
    Ok(())
}
