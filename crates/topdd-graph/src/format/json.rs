//! The node-link JSON of networkx (`networkx.node_link_data`).
//!
//! `nodes` have `id`, and maybe `weight`, and `x` and `y` or `pos: [x, y]`; `edges` (before
//! networkx 3.4 `links`) have `source` and `target`, and maybe `weight` and `label`. A position that
//! is not two numbers is ignored, and so is a third coordinate. A weight that is not a number is an error.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use serde::Deserialize;
use serde::de::{Error, IgnoredAny};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::draft::{Draft, DraftEdge, Stated};
use super::number::{DraftWeight, GivenWeight};
use super::{FormatError, FormatFault, Graph, GraphReadOptions, LineCounter};
use crate::families::Unit;

#[derive(Deserialize)]
struct NodeLink<'a> {
    directed: Option<bool>,
    // Read later, each with its line.
    #[serde(borrow)]
    nodes: Option<Vec<&'a RawValue>>,
    #[serde(borrow, alias = "links")]
    edges: Option<Vec<&'a RawValue>>,
    // Members of other layouts.
    adjacency: Option<IgnoredAny>,
    features: Option<IgnoredAny>,
    elements: Option<IgnoredAny>,
}

impl NodeLink<'_> {
    /// The name of another layout.
    fn other(&self) -> Option<&'static str> {
        let is_adjacency = self.adjacency.map(|_| "the adjacency JSON of networkx");
        let is_cytoscape = self.elements.map(|_| "the JSON of Cytoscape");
        is_adjacency.or(self.features.map(|_| "GeoJSON")).or(is_cytoscape)
    }
}

#[derive(Deserialize)]
struct Node {
    id: Value,
    #[serde(flatten)]
    more: Map<String, Value>,
}

impl Node {
    fn position(&self) -> Option<(f64, f64)> {
        let number = |name: &str| self.more.get(name).and_then(Value::as_f64);
        let of_list = |pos: &Value| pos.get(0).and_then(Value::as_f64).zip(pos.get(1)?.as_f64());
        self.more.get("pos").and_then(of_list).or(number("x").zip(number("y")))
    }
}

#[derive(Deserialize)]
struct Edge {
    source: Value,
    target: Value,
    #[serde(flatten)]
    more: Map<String, Value>,
}

pub(super) fn read(text: &str, options: &GraphReadOptions) -> Result<Draft, FormatError> {
    let file: NodeLink<'_> = object(text, "nodes and edges").map_err(|error| {
        FormatError::at(error.line().max(1), format!("this is not node-link JSON: {error}"))
    })?;
    let mut lines = LineCounter::new(text);
    // Other programs leave out what is the same for all their files.
    let stated = match file.directed {
        Some(true) => Stated::Directed,
        Some(false) => Stated::Undirected,
        None => Stated::Nothing,
    };
    let other = file.other();
    let (Some(nodes), Some(edges)) = (file.nodes, file.edges) else {
        let missing =
            "this is not node-link JSON, which is an object with the members nodes and edges";
        let fault =
            other.map_or_else(|| FormatFault::Content(missing.to_owned()), FormatFault::NotRead);
        return Err(FormatError::of_fault(Some(1), fault));
    };
    let mut draft = Draft { stated, ..Draft::default() };
    let mut names = HashMap::new();
    for raw in nodes {
        let line = lines.at_part(raw.get());
        let node: Node = part(raw, line, "node", "id")?;
        let vertex = draft.add_node(&name(&node.id, line)?, line)?;
        let label = options.label_attribute.as_ref().and_then(|label| node.more.get(label));
        if let Some(label) = label.filter(|label| !label.is_null()) {
            names.insert(vertex, name(label, line)?);
        }
        draft.vertices[vertex].weight = weight(&node.more, options.vertex_weight_name(), options);
        draft.vertices[vertex].position = node.position();
        for (name, value) in &node.more {
            draft.add_attribute(Unit::Vertex, name, value.is_number());
        }
    }
    if let Some(chosen) = &options.label_attribute {
        draft.name_vertices(names, Some(chosen))?;
    }
    let mut lines = LineCounter::new(text);
    for raw in edges {
        let line = lines.at_part(raw.get());
        let edge: Edge = part(raw, line, "edge", "source and target")?;
        let find = |end: &Value| draft.node(&name(end, line)?, line);
        let ends = (find(&edge.source)?, find(&edge.target)?);
        let weight = weight(&edge.more, options.edge_weight_name(), options);
        let label = edge.more.get("label").filter(|label| !label.is_null());
        let label = label.map(|label| label.as_str().map_or(label.to_string(), str::to_owned));
        draft.edges.push(DraftEdge { ends, line, weight, label });
        for (name, value) in &edge.more {
            draft.add_attribute(Unit::Edge, name, value.is_number());
        }
    }
    Ok(draft)
}

/// Reads an object with these members. A list, which serde takes for the fields of a struct, is refused.
fn object<'a, T: Deserialize<'a>>(text: &'a str, members: &str) -> serde_json::Result<T> {
    if text.trim_start().starts_with('[') {
        return Err(Error::custom(format!("write an object with {members}, not a list")));
    }
    serde_json::from_str(text)
}

/// Reads a node or an edge.
fn part<'a, T: Deserialize<'a>>(
    raw: &'a RawValue,
    line: usize,
    what: &str,
    members: &str,
) -> Result<T, FormatError> {
    object(raw.get(), members).map_err(|error| {
        // The error counts lines from the start of the part.
        let line = line + error.line().max(1) - 1;
        FormatError::at(line, format!("this {what} cannot be read: {error}"))
    })
}

/// The label of a node: a text, a number, or the JSON of a list, which is a tuple in networkx.
fn name(id: &Value, line: usize) -> Result<String, FormatError> {
    match id {
        Value::String(text) => Ok(text.clone()),
        Value::Number(_) | Value::Array(_) => Ok(id.to_string()),
        _ => Err(FormatError::at(
            line,
            format!("the node id {id} is neither a text, a number nor a list; use one of these"),
        )),
    }
}

/// The weight among the attributes, which may be written as 2.0.
fn weight(
    more: &Map<String, Value>,
    name: &str,
    options: &GraphReadOptions,
) -> Option<GivenWeight> {
    let weight = more.get(name)?;
    if weight.is_null() || weight.is_string() {
        return Some(DraftWeight::parse(
            weight.as_str().unwrap_or_default(),
            options.decimal_comma,
        ));
    }
    let decimal = || weight.as_f64().and_then(DraftWeight::from_number);
    let whole = weight.as_i64().map(DraftWeight::Whole);
    Some(whole.or_else(decimal).ok_or_else(|| weight.to_string()))
}

/// Writes a graph as node-link JSON, with all its properties.
///
/// # Errors
///
/// A [`FormatError`] if two vertices have one label.
///
/// # Example
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::format::{self, GraphFormat, GraphReadOptions};
///
/// let graph = Graph::path(5);
/// let text = format::write(&graph)?;
/// let file = format::read(text.as_bytes(), GraphFormat::Json, &GraphReadOptions::default())?;
/// assert_eq!(file.graph, graph);
/// # Ok::<(), format::FormatError>(())
/// ```
pub fn write(graph: &Graph) -> Result<String, FormatError> {
    // Vertices without labels have numbers as ids.
    let id = |vertex: usize| match graph.vertex_labels() {
        Some(labels) => Value::from(labels[vertex].as_str()),
        None => Value::from(vertex),
    };
    let mut seen = HashSet::new();
    let mut labels = graph.vertex_labels().unwrap_or(&[]).iter();
    if let Some(label) = labels.find(|label| !seen.insert(*label)) {
        return Err(FormatError::new(format!(
            "two vertices have the label `{label}`; ids must differ"
        )));
    }
    let nodes = (0..graph.num_vertices()).map(|vertex| {
        let mut node = json!({ "id": id(vertex) });
        if let Some(weights) = graph.vertex_weights() {
            node["weight"] = weights[vertex].into();
        }
        if let Some(positions) = graph.positions() {
            node["x"] = positions[vertex].0.into();
            node["y"] = positions[vertex].1.into();
        }
        node.to_string()
    });
    let mut seen = HashSet::new();
    let mut is_new = |&(a, b): &(usize, usize)| {
        seen.insert(if graph.is_directed() { (a, b) } else { (a.min(b), a.max(b)) })
    };
    let parallel = !graph.edges().iter().all(&mut is_new);
    let edges = graph.edges().iter().enumerate().map(|(edge, &(a, b))| {
        let mut object = json!({ "source": id(a), "target": id(b) });
        if let Some(weights) = graph.weights() {
            object["weight"] = weights[edge].into();
        }
        if let Some(labels) = graph.edge_labels() {
            object["label"] = labels[edge].as_str().into();
        }
        if parallel {
            object["key"] = edge.into();
        }
        object.to_string()
    });
    let list = |items: Vec<String>| {
        if items.is_empty() { "[]".to_owned() } else { format!("[\n{}\n]", items.join(",\n")) }
    };
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{{\"directed\": {}, \"multigraph\": {parallel}, \"graph\": {{}},\n\"nodes\": {},\n\"edges\": {}}}",
        graph.is_directed(),
        list(nodes.collect()),
        list(edges.collect()),
    );
    Ok(text)
}
