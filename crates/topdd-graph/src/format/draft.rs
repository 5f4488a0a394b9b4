//! A draft is the content of a file before the graph is built. It joins the two directions of an edge in an undirected
//! file, and reports a name that occurs in two Unicode normal forms.

use std::collections::{BTreeSet, HashMap, HashSet};

use unicode_normalization::UnicodeNormalization;

use super::number::{DraftWeight, GivenWeight, GivenWeights};
use super::{
    ElementData, FormatError, FormatFault, GraphFile, GraphFormat, GraphReadOptions, Note,
    NoteKind, Remedy,
};
use crate::directions::opposite;
use crate::families::Unit;
use crate::{Graph, GraphError};

/// What a file states about the directions of its edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stated {
    #[default]
    Nothing,
    Undirected,
    Directed,
}

/// The content of a file, before the graph is made of it.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) stated: Stated,
    /// The line of an edge that is directed in an undirected graph, or the other way round.
    pub(super) mixed: Option<usize>,
    /// Whether the edges come from lists of neighbours.
    pub(super) of_lists: bool,
    pub(super) vertices: Vec<DraftVertex>,
    /// The vertices by id.
    pub(super) ids: HashMap<String, usize>,
    pub(super) edges: Vec<DraftEdge>,
    /// The column of the weights of edges, if there is one with a name.
    pub(super) weight_column: Option<String>,
    pub(super) attributes: AttributeNames,
    pub(super) max_length: Option<usize>,
    pub(super) terminals: Vec<usize>,
    pub(super) notes: Vec<Note>,
}

#[derive(Debug, Default)]
pub(super) struct DraftVertex {
    pub(super) label: String,
    /// The line, if the vertex has one of its own.
    pub(super) line: Option<usize>,
    pub(super) weight: Option<GivenWeight>,
    pub(super) position: Option<(f64, f64)>,
}

#[derive(Debug)]
pub(super) struct DraftEdge {
    pub(super) ends: (usize, usize),
    pub(super) line: usize,
    pub(super) weight: Option<GivenWeight>,
    pub(super) label: Option<String>,
}

/// The names of attributes, or columns.
#[derive(Debug, Default)]
pub(super) struct AttributeNames {
    pub(super) all: BTreeSet<String>,
    /// The names under which edges have numbers.
    pub(super) edges: BTreeSet<String>,
    /// The names under which vertices have numbers.
    pub(super) vertices: BTreeSet<String>,
}

impl Draft {
    /// A draft with the vertices `start..start + count`.
    pub(super) fn numbered_from(start: usize, count: usize) -> Self {
        let numbers = start..start + count;
        let vertex = |v: usize| DraftVertex { label: v.to_string(), ..DraftVertex::default() };
        Self { vertices: numbers.map(vertex).collect(), ..Self::default() }
    }

    /// Returns the vertex with this id, which is added if it is new.
    pub(super) fn vertex(&mut self, id: &str) -> usize {
        if let Some(&vertex) = self.ids.get(id) {
            return vertex;
        }
        let vertex = self.vertices.len();
        self.ids.insert(id.to_owned(), vertex);
        self.vertices.push(DraftVertex { label: id.to_owned(), ..DraftVertex::default() });
        vertex
    }

    /// Adds the node of a line; an error if its id was there before.
    #[cfg(any(feature = "graphml", feature = "json"))]
    pub(super) fn add_node(&mut self, id: &str, line: usize) -> Result<usize, FormatError> {
        let known = self.vertices.len();
        let node = self.vertex(id);
        if node < known {
            let message = format!("the node `{id}` is there twice; each needs its own id");
            return Err(FormatError::at(line, message));
        }
        self.vertices[node].line = Some(line);
        Ok(node)
    }

    /// Returns the node at the end of an edge.
    #[cfg(any(feature = "graphml", feature = "json"))]
    pub(super) fn node(&self, id: &str, line: usize) -> Result<usize, FormatError> {
        self.ids.get(id).copied().ok_or_else(|| {
            let message = format!("the edge ends at `{id}`, which is no node; add the node");
            FormatError::at(line, message)
        })
    }

    /// Adds the name of an attribute.
    pub(super) fn add_attribute(&mut self, unit: Unit, name: &str, is_number: bool) {
        let names = match unit {
            Unit::Edge => &mut self.attributes.edges,
            Unit::Vertex | Unit::Colour => &mut self.attributes.vertices,
        };
        if is_number {
            names.insert(name.to_owned());
        }
        self.attributes.all.insert(name.to_owned());
    }

    /// Gives names to the vertices, which have their ids so far: to all of them if an attribute was chosen, and otherwise if
    /// the names are distinct.
    #[cfg(any(feature = "graphml", feature = "json"))]
    pub(super) fn name_vertices(
        &mut self,
        mut names: HashMap<usize, String>,
        chosen: Option<&str>,
    ) -> Result<(), FormatError> {
        // An attribute of this name comes before the ids.
        if chosen == Some("id") && names.is_empty() {
            return Ok(());
        }
        let mut vertices = self.vertices.iter().enumerate();
        let unnamed = vertices.find(|(vertex, _)| !names.contains_key(vertex));
        if let (Some(chosen), Some((_, node))) = (chosen, unnamed) {
            let message = format!("the node `{}` has no attribute `{chosen}`; add it", node.label);
            let error = FormatError::of_fault(node.line, FormatFault::Content(message));
            return Err(error.or(Remedy::LabelAttribute));
        }
        let labels = self.vertices.iter().enumerate();
        let labels = labels.map(|(v, node)| names.remove(&v).unwrap_or_else(|| node.label.clone()));
        let labels: Vec<String> = labels.collect();
        let mut seen = std::collections::HashSet::new();
        match (labels.iter().find(|label| !seen.insert(*label)), chosen) {
            (Some(label), Some(chosen)) => {
                let message = format!("two vertices have the `{chosen}` `{label}`");
                return Err(FormatError::new(message).or(Remedy::LabelAttribute));
            }
            (Some(_), None) => {
                let message =
                    "the labels of the nodes are not distinct, so the vertices have their ids";
                self.notes.push(Note::new(NoteKind::Content, message));
            }
            (None, _) => {
                for (vertex, label) in self.vertices.iter_mut().zip(labels) {
                    vertex.label = label;
                }
            }
        }
        Ok(())
    }

    /// Makes the graph, in which edges in both directions are joined first.
    pub(super) fn finish(
        mut self,
        format: GraphFormat,
        options: &GraphReadOptions,
    ) -> Result<GraphFile, FormatError> {
        let directed = self.check(format, options)?;
        let labels = self.vertices.iter().map(|vertex| &vertex.label[..]);
        self.notes.extend(note_of_forms(labels).map(|note| Note::new(NoteKind::Content, note)));
        let mut edges = ElementData {
            lines: self.edges.iter().map(|edge| Some(edge.line)).collect(),
            attributes: candidates(&self.attributes.edges),
            ..ElementData::default()
        };
        let mut vertices = ElementData {
            lines: self.vertices.iter().map(|vertex| vertex.line).collect(),
            attributes: candidates(&self.attributes.vertices),
            ..ElementData::default()
        };
        let of_edges = GivenWeights {
            unit: Unit::Edge,
            attribute: self.weight_column.as_deref().unwrap_or(options.edge_weight_name()),
            are_declared: self.weight_column.is_some(),
            weights: self.edges.iter().map(|edge| edge.weight.as_ref()).collect(),
        };
        let of_vertices = GivenWeights {
            unit: Unit::Vertex,
            attribute: options.vertex_weight_name(),
            are_declared: false,
            weights: self.vertices.iter().map(|vertex| vertex.weight.as_ref()).collect(),
        };
        let graph = self.graph(directed).map_err(|error| failed(&error))?;
        let graph = of_edges.apply(graph, &mut edges, options)?;
        let graph = of_vertices.apply(graph, &mut vertices, options)?;
        Ok(GraphFile {
            graph,
            edges,
            vertices,
            max_length: self.max_length,
            terminals: self.terminals,
            format,
            notes: self.notes,
        })
    }

    /// Returns whether the graph is directed, after edges in both directions are joined.
    fn check(
        &mut self,
        format: GraphFormat,
        options: &GraphReadOptions,
    ) -> Result<bool, FormatError> {
        options.check(format)?;
        self.check_weight_attribute(options)?;
        let directed = options.directed.unwrap_or(self.stated == Stated::Directed);
        if directed && options.merge_directions == Some(true) {
            let message = "the graph is directed, and edges in both directions are different";
            return Err(FormatError::new(message).or(Remedy::Undirected));
        }
        let states_undirected = self.stated == Stated::Undirected;
        if !directed && (!states_undirected || options.merge_directions == Some(true)) {
            join(self, format, options.merge_directions)?;
        }
        self.check_mixed(options)?;
        Ok(directed)
    }

    /// The graph without weights.
    fn graph(&self, directed: bool) -> Result<Graph, GraphError> {
        let ends = self.edges.iter().map(|edge| edge.ends);
        let make = if directed { Graph::directed } else { Graph::new };
        let mut graph = make(self.vertices.len(), ends.collect::<Vec<_>>())?;
        let labels = || self.vertices.iter().map(|vertex| &vertex.label);
        if !labels().enumerate().all(|(number, label)| *label == number.to_string()) {
            graph = graph.with_vertex_labels(labels().cloned())?;
        }
        if self.edges.iter().any(|edge| edge.label.is_some()) {
            let labels = self.edges.iter().map(|edge| edge.label.clone().unwrap_or_default());
            graph = graph.with_edge_labels(labels)?;
        }
        // Positions of some of the vertices make no picture.
        let positions: Option<Vec<_>> =
            self.vertices.iter().map(|vertex| vertex.position).collect();
        match positions.filter(|positions| !positions.is_empty()) {
            Some(positions) => graph.with_positions(positions),
            None => Ok(graph),
        }
    }

    /// Fails if some edges are directed and others are not.
    fn check_mixed(&self, options: &GraphReadOptions) -> Result<(), FormatError> {
        let (None, Some(line)) = (options.directed, self.mixed) else { return Ok(()) };
        let (edge, graph) = match self.stated {
            Stated::Directed => ("undirected", "directed"),
            Stated::Nothing | Stated::Undirected => ("directed", "undirected"),
        };
        let message = format!("the edge is {edge} in a graph that is {graph}");
        Err(FormatError::at(line, message).or(Remedy::Directed).or(Remedy::Undirected))
    }

    /// Fails if a weight was asked for by a name that nothing in the file has.
    fn check_weight_attribute(&self, options: &GraphReadOptions) -> Result<(), FormatError> {
        let mut chosen = options.edge_weight_attribute.iter().chain(&options.weight_attribute);
        let missing = chosen.find(|&name| !self.attributes.all.contains(name));
        let Some(name) = missing.filter(|_| !self.vertices.is_empty()) else { return Ok(()) };
        let attributes = self.attributes.all.iter().cloned().collect();
        let fault = FormatFault::NoAttribute { attribute: name.clone(), attributes };
        Err(FormatError::of_fault(None, fault))
    }
}

/// The error for a graph that cannot be made.
pub(super) fn failed(error: &GraphError) -> FormatError {
    FormatError::new(error.to_string())
}

/// The attributes that may be weights: neither numbers of elements nor positions.
fn candidates(attributes: &BTreeSet<String>) -> Vec<String> {
    let others = ["weight", "id", "key", "index", "source", "target", "x", "y", "group"];
    let is_other = |name: &String| others.contains(&name.to_lowercase().as_str());
    attributes.iter().filter(|name| !is_other(name)).cloned().collect()
}

impl DraftEdge {
    pub(super) fn new(ends: (usize, usize), line: usize) -> Self {
        Self { ends, line, weight: None, label: None }
    }

    /// The weight as text.
    pub(super) fn weight_text(&self) -> String {
        match &self.weight {
            Some(Ok(weight)) => DraftWeight::number(*weight).to_string(),
            Some(Err(text)) if !text.is_empty() => text.clone(),
            None | Some(Err(_)) => "none".to_owned(),
        }
    }
}

/// Joins the edges in both directions of an undirected draft. Without an option, joins them only if the file lists every
/// edge in both directions, as METIS files must.
pub(super) fn join(
    draft: &mut Draft,
    format: GraphFormat,
    merge: Option<bool>,
) -> Result<(), FormatError> {
    let is_metis = format == GraphFormat::Metis;
    let merge = merge.filter(|_| !is_metis);
    if merge == Some(false) {
        return Ok(());
    }
    let ends = || draft.edges.iter().map(|edge| edge.ends);
    let paired = opposite(ends(), |_, _| true).unwrap_or_default();
    let edges = ends().filter(|(a, b)| a != b).count();
    let all = 2 * paired.len() == edges;
    if paired.is_empty() && !(is_metis && edges > 0) {
        return Ok(());
    }
    if !all && merge.is_none() {
        return if is_metis {
            Err(one_sided(draft, &paired))
        } else {
            check_some(draft, &paired, edges)
        };
    }
    let is_same = |a: usize, b: usize| {
        let [a, b] = [a, b].map(|edge| &draft.edges[edge]);
        (&a.weight, &a.label) == (&b.weight, &b.label)
    };
    let paired =
        opposite(ends(), is_same).map_err(|(one, two)| different(draft, format, [one, two]))?;
    let mut is_kept = vec![true; draft.edges.len()];
    for (_, later) in paired {
        is_kept[later] = false;
    }
    let mut is_kept = is_kept.into_iter();
    draft.edges.retain(|_| is_kept.next().unwrap_or_default());
    if is_metis {
        return Ok(());
    }
    let which = if all { "every edge is" } else { "some edges are" };
    let note = format!(
        "{which} in the file in both directions, and each pair is read as one edge, {} in all",
        draft.edges.len()
    );
    draft.notes.push(Note::new(NoteKind::Directions, note).or(Remedy::KeepDirections));
    Ok(())
}

/// Judges edges of which only some are in both directions.
fn check_some(
    draft: &mut Draft,
    paired: &[(usize, usize)],
    edges: usize,
) -> Result<(), FormatError> {
    if draft.of_lists {
        return Err(one_sided(draft, paired).or(Remedy::MergeDirections));
    }
    if draft.stated == Stated::Directed {
        let edges = [paired[0].0, paired[0].1];
        let line = draft.edges[edges[1]].line;
        let error = GraphError::BothDirections { edges: edges.map(|edge| name(draft, edge)) };
        let error = FormatError::of_fault(Some(line), FormatFault::Directions(error));
        return Err(error.or(Remedy::MergeDirections));
    }
    if 4 * paired.len() > edges {
        let pairs = paired.len();
        let note = format!(
            "{pairs} pairs of edges are in both directions, and other edges are not, so all are read as parallel edges"
        );
        draft.notes.push(Note::new(NoteKind::Directions, note).or(Remedy::MergeDirections));
    }
    Ok(())
}

/// The name of an edge with its direction.
fn name(draft: &Draft, edge: usize) -> String {
    let (a, b) = draft.edges[edge].ends;
    format!("{}->{}", draft.vertices[a].label, draft.vertices[b].label)
}

/// The error for lists of neighbours of which only some have both ends of an edge.
fn one_sided(draft: &Draft, paired: &[(usize, usize)]) -> FormatError {
    let paired: HashSet<usize> = paired.iter().flat_map(|&(edge, other)| [edge, other]).collect();
    let mut edges = draft.edges.iter().enumerate();
    let single = edges.find(|(at, edge)| edge.ends.0 != edge.ends.1 && !paired.contains(at));
    let edge = single.map_or(&draft.edges[0], |(_, edge)| edge);
    let [a, b] = [edge.ends.0, edge.ends.1].map(|vertex| &draft.vertices[vertex].label);
    let message = format!(
        "{b} is a neighbour of {a}, and {a} is none of {b}, while other edges are in the lists of both ends; correct the \
         lists"
    );
    FormatError::at(edge.line, message)
}

/// The error for edges in opposite directions that are not the same.
fn different(draft: &Draft, format: GraphFormat, pair: [usize; 2]) -> FormatError {
    let edges = pair.map(|edge| &draft.edges[edge]);
    let are_labels = edges[0].weight == edges[1].weight;
    let (attribute, values) = if are_labels {
        ("label", edges.map(|edge| edge.label.clone().unwrap_or_default()))
    } else {
        ("weight", edges.map(DraftEdge::weight_text))
    };
    let error = GraphError::differing(pair.map(|edge| name(draft, edge)), attribute, values);
    let error = FormatError::of_fault(Some(edges[1].line), FormatFault::Directions(error));
    let has_columns = matches!(format, GraphFormat::EdgeList | GraphFormat::Csv) && !are_labels;
    let ends = ["1", "2"].map(str::to_owned);
    let error = if has_columns { error.or(Remedy::Columns(ends.into())) } else { error };
    let error = if format == GraphFormat::Metis { error } else { error.or(Remedy::KeepDirections) };
    error.or(Remedy::Directed)
}

/// Returns a note about the first two names that are the same in two forms of Unicode, and so are two vertices; `None`
/// if there are none.
///
/// ```
/// use topdd_graph::format::note_of_forms;
///
/// let note = note_of_forms(["Bern", "Z\u{fc}rich", "Zu\u{308}rich"]).unwrap();
/// assert!(note.starts_with(r"`Z\u{fc}rich` and `Zu\u{308}rich` are the same name in two forms of Unicode"));
/// assert_eq!(note_of_forms(["Bern", "Z\u{fc}rich"]), None);
/// ```
pub fn note_of_forms<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut seen = HashMap::new();
    let mut names = names.into_iter().filter(|name| !name.is_ascii());
    names.find_map(|name| {
        let first = *seen.entry(composed(name)).or_insert(name);
        (first != name).then(|| {
            format!(
                "`{}` and `{}` are the same name in two forms of Unicode, and are read as two vertices; write one of \
                 them only",
                first.escape_default(),
                name.escape_default()
            )
        })
    })
}

/// The composed form of a name.
pub(super) fn composed(name: &str) -> String {
    name.nfc().collect()
}
