//! The node-link JSON of networkx (`networkx.node_link_data`).
//!
//! `nodes` have `id`, and maybe `weight`, and `x` and `y` or `pos: [x, y]`; `edges` (before
//! networkx 3.4 `links`) have `source` and `target`, and maybe `weight` and `label`. Anything may be
//! stored under these names: positions that are no numbers are left out, as is a third coordinate.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write;

use serde::Deserialize;
use serde::de::Error;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::draft::{Draft, DraftEdge, Labels};
use super::number::{DraftWeight, GivenWeight};
use super::{FormatError, Graph, GraphReadOptions};

#[derive(Deserialize)]
struct NodeLink<'a> {
    directed: Option<bool>,
    // Read later, each with its line.
    #[serde(borrow)]
    nodes: Vec<&'a RawValue>,
    #[serde(borrow, alias = "links")]
    edges: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Node {
    id: Value,
    x: Option<Value>,
    y: Option<Value>,
    pos: Option<Value>,
    #[serde(flatten)]
    more: Map<String, Value>,
}

impl Node {
    fn position(&self) -> Option<(f64, f64)> {
        let number = |value: &Option<Value>| value.as_ref().and_then(Value::as_f64);
        let of_list = |pos: &Value| pos.get(0).and_then(Value::as_f64).zip(pos.get(1)?.as_f64());
        self.pos.as_ref().and_then(of_list).or(number(&self.x).zip(number(&self.y)))
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
    let text = &without_nan(text);
    let failed = |error: &serde_json::Error| {
        FormatError::at(error.line().max(1), format!("this is not node-link JSON: {error}"))
    };
    let file: NodeLink<'_> = object(text, "nodes and edges").map_err(|error| failed(&error))?;
    let lines = Lines::of(text);
    let mut labels = Labels::default();
    // Other programs leave out what is the same for all their files.
    let (directed, states_undirected) = (file.directed == Some(true), file.directed == Some(false));
    let mut draft = Draft { directed, states_undirected, ..Draft::default() };
    for raw in file.nodes {
        let line = lines.of_part(raw.get());
        let node: Node = part(raw, line, "node", "id")?;
        let id = name(&node.id, line)?;
        let vertex = labels.number(&id);
        if vertex < draft.labels.len() {
            let message = format!(
                "the node `{id}` is there twice; each needs its own id, and 1 and \"1\" are equal"
            );
            return Err(FormatError::at(line, message));
        }
        draft.labels.push(label(&node, id, options, line)?);
        let weight = weight(&node.more, options.vertex_weight_name(), options);
        draft.vertex_weights.push((vertex, weight, line));
        draft.positions.extend(node.position().map(|position| (vertex, position)));
        draft.vertex_attributes.extend(numbers(&node.more));
        draft.attributes.extend(node.more.into_iter().map(|(name, _)| name));
    }
    check_distinct(&draft.labels)?;
    for raw in file.edges {
        let line = lines.of_part(raw.get());
        let edge: Edge = part(raw, line, "edge", "source and target")?;
        let find = |end: &Value| {
            let end = name(end, line)?;
            labels.find(&end).ok_or_else(|| {
                let message = format!("the edge ends at `{end}`, which is no node; add the node");
                FormatError::at(line, message)
            })
        };
        let ends = (find(&edge.source)?, find(&edge.target)?);
        let weight = weight(&edge.more, options.edge_weight_name(), options);
        let label = edge.more.get("label").filter(|label| !label.is_null());
        let label = label.map(|label| label.as_str().map_or(label.to_string(), str::to_owned));
        draft.edges.push(DraftEdge { ends, line, weight, label });
        draft.edge_attributes.extend(numbers(&edge.more));
        draft.attributes.extend(edge.more.into_iter().map(|(name, _)| name));
    }
    Ok(draft)
}

/// The names of the attributes that are numbers.
fn numbers(more: &Map<String, Value>) -> impl Iterator<Item = String> {
    more.iter().filter(|(_, value)| value.is_number()).map(|(name, _)| name.clone())
}

/// The label of a node: its id, or the attribute that was asked for.
fn label(
    node: &Node,
    id: String,
    options: &GraphReadOptions,
    line: usize,
) -> Result<String, FormatError> {
    let Some(attribute) = &options.label_attribute else { return Ok(id) };
    let value = match attribute.as_str() {
        "id" => return Ok(id),
        "x" => node.x.as_ref(),
        "y" => node.y.as_ref(),
        other => node.more.get(other),
    };
    match value {
        Some(value) if !value.is_null() => name(value, line),
        _ => Err(FormatError::at(
            line,
            format!("the node `{id}` has no attribute `{attribute}`; add it"),
        )),
    }
}

/// Fails if two vertices have the same label.
fn check_distinct(labels: &[String]) -> Result<(), FormatError> {
    let mut seen = HashSet::new();
    match labels.iter().find(|label| !seen.insert(*label)) {
        None => Ok(()),
        Some(label) => Err(FormatError::new(format!(
            "two vertices have the label `{label}`; choose an attribute that differs"
        ))),
    }
}

/// The text with `NaN` and infinities, which Python writes and JSON does not have, as texts.
pub(super) fn without_nan(text: &str) -> Cow<'_, str> {
    if !(text.contains("NaN") || text.contains("Infinity")) {
        return Cow::Borrowed(text);
    }
    let mut replaced = String::with_capacity(text.len() + 64);
    let mut rest = text;
    let mut in_text = false;
    while let Some(sign) = rest.chars().next() {
        let number = ["NaN", "Infinity", "-Infinity"].into_iter();
        let number = number.filter(|_| !in_text).find(|number| rest.starts_with(number));
        let taken = match (number, sign) {
            (Some(number), _) => {
                let _ = write!(replaced, "\"{number}\"");
                rest = &rest[number.len()..];
                continue;
            }
            (None, '\\') => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            (None, sign) => {
                in_text ^= sign == '"';
                sign.len_utf8()
            }
        };
        replaced.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    Cow::Owned(replaced)
}

/// The lines of the parts of a text.
struct Lines<'a> {
    text: &'a str,
    /// The offset of each line break.
    breaks: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self { text, breaks: breaks.map(|(offset, _)| offset).collect() }
    }

    /// The line where a slice of the text starts.
    fn of_part(&self, part: &str) -> usize {
        let offset = part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        1 + self.breaks.partition_point(|&line_break| line_break < offset)
    }
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

pub(super) fn write(graph: &Graph) -> Result<String, FormatError> {
    // Vertices without labels have numbers as ids.
    let id = |vertex: usize| match graph.vertex_labels() {
        Some(labels) => Value::from(labels[vertex].as_str()),
        None => Value::from(vertex),
    };
    let mut distinct = Labels::default();
    for (vertex, label) in graph.vertex_labels().unwrap_or(&[]).iter().enumerate() {
        if distinct.number(label) != vertex {
            return Err(FormatError::new(format!(
                "two vertices have the label `{label}`; ids must differ"
            )));
        }
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
    let parallel = has_parallel_edges(graph);
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

fn has_parallel_edges(graph: &Graph) -> bool {
    let directed = graph.is_directed();
    let mut edges: Vec<_> = graph.edges().to_vec();
    for (a, b) in &mut edges {
        if !directed && a > b {
            std::mem::swap(a, b);
        }
    }
    edges.sort_unstable();
    edges.windows(2).any(|pair| pair[0] == pair[1])
}
