//! GraphML (U. Brandes et al., *GraphML progress report*, Graph Drawing 2001): one graph, without
//! nested graphs, hyperedges and ports.
//!
//! The reader uses the data `weight` and `label` of nodes and edges, and `name`, `x` and `y` of nodes. Options select other
//! data for weights and labels. If a node or edge lacks a value, the default of the key applies. From the drawings of yEd,
//! the reader takes labels, and the positions of nodes.

use std::collections::HashMap;
use std::fmt::Write;

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::escape::{escape, resolve_predefined_entity};
use quick_xml::events::attributes::{AttrError, Attribute};
use quick_xml::events::{BytesStart, Event};

use super::draft::{Draft, DraftEdge, Stated};
use super::number::{DraftWeight, is_number};
use super::{FormatError, Graph, GraphReadOptions, LineCounter};
use crate::families::Unit;

/// The element that `data` belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Owner {
    #[default]
    None,
    Node(usize),
    Edge,
}

/// A file while it is read.
#[derive(Default)]
struct GraphMlReader {
    draft: Draft,
    /// The ids of the ends of each edge, which are looked up when all nodes are read.
    ends: Vec<[String; 2]>,
    /// The names of data by the ids of their keys.
    keys: HashMap<String, String>,
    /// The element and the name of the data whose key is being read.
    key: (String, String),
    /// The values of data by the element, or `all`, and the name.
    defaults: HashMap<(String, String), String>,
    /// The labels of nodes that have one.
    names: HashMap<usize, String>,
    owner: Owner,
    /// The data of the owner.
    data: HashMap<String, String>,
    /// The name and the text of the `data` that is being read.
    open: Option<(String, String)>,
    /// Whether a graph was begun.
    in_graph: bool,
}

pub(super) fn read(text: &str, options: &GraphReadOptions) -> Result<Draft, FormatError> {
    let mut reader = Reader::from_str(text);
    let mut content = GraphMlReader::default();
    let mut open = 0_usize;
    let mut lines = LineCounter::new(text);
    loop {
        let event = reader.read_event().map_err(|error| {
            let line = lines.at(reader.error_position() as usize);
            FormatError::at(line, format!("the file is not XML: {error}"))
        })?;
        let line = lines.at(reader.buffer_position() as usize);
        match event {
            Event::Start(element) => {
                open += 1;
                content.start(&element, line)?;
            }
            Event::Empty(element) => {
                content.start(&element, line)?;
                content.end(element.name().as_ref(), options);
            }
            Event::End(element) => {
                open -= 1;
                content.end(element.name().as_ref(), options);
            }
            Event::Text(text) => content.text(&text.xml10_content()),
            Event::CData(text) => content.text(&text.xml10_content()),
            Event::GeneralRef(reference) => {
                let named = resolve_predefined_entity(&reference).map(str::to_owned);
                let character = reference.resolve_char_ref().ok().flatten().map(String::from);
                let Some(resolved) = named.or(character) else {
                    return Err(FormatError::at(line, "the entity is unknown; write its text"));
                };
                content.text(&resolved);
            }
            Event::Eof if open > 0 => {
                let message = "the file ends within an element; is it cut off?";
                return Err(FormatError::at(line, message));
            }
            Event::Eof => return content.finish(options),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
}

/// Whether the value of an attribute is one of the words of `yes`, and not one of `no`.
fn either(value: &str, yes: &[&str], no: &[&str], line: usize) -> Result<bool, FormatError> {
    let is_yes = yes.contains(&value);
    if is_yes || no.contains(&value) {
        return Ok(is_yes);
    }
    let message = format!("`{value}` is no direction; write `{}` or `{}`", yes[0], no[0]);
    Err(FormatError::at(line, message))
}

/// The attributes of an element, at a line.
struct Attributes {
    values: HashMap<String, String>,
    line: usize,
}

impl Attributes {
    fn new(element: &BytesStart<'_>, line: usize) -> Result<Self, FormatError> {
        let value = |attribute: Result<Attribute<'_>, AttrError>| {
            let attribute = attribute?;
            let value = attribute.normalized_value(XmlVersion::Implicit1_0)?;
            Ok((attribute.key.as_ref().to_owned(), value.into_owned()))
        };
        let values = element.attributes().map(value).collect::<Result<_, quick_xml::Error>>();
        let values = values.map_err(|error| {
            FormatError::at(line, format!("an attribute cannot be read: {error}"))
        })?;
        Ok(Self { values, line })
    }

    fn take(&mut self, name: &str) -> Option<String> {
        self.values.remove(name)
    }

    fn required(&mut self, name: &str) -> Result<String, FormatError> {
        self.take(name).ok_or_else(|| {
            FormatError::at(self.line, format!("the element has no attribute `{name}`; add it"))
        })
    }
}

impl GraphMlReader {
    fn start(&mut self, element: &BytesStart<'_>, line: usize) -> Result<(), FormatError> {
        let mut attributes = Attributes::new(element, line)?;
        match element.name().as_ref() {
            "graph" => self.start_graph(&mut attributes)?,
            "key" => self.start_key(&mut attributes)?,
            "default" => self.open = Some(Default::default()),
            "node" => {
                let node = self.draft.add_node(&attributes.required("id")?, line)?;
                self.start_owner(Owner::Node(node), "node");
            }
            "edge" => self.start_edge(&mut attributes)?,
            "data" if self.owner != Owner::None => {
                let key = attributes.required("key")?;
                let name = self.keys.get(&key).unwrap_or(&key).clone();
                self.open = Some((name, String::new()));
            }
            "y:NodeLabel" | "y:EdgeLabel" => self.open = Some(("label".to_owned(), String::new())),
            "y:Geometry" => {
                // A node is placed by a corner.
                for (place, size) in [("x", "width"), ("y", "height")] {
                    let mut number = |name| attributes.take(name)?.parse::<f64>().ok();
                    if let (Some(corner), size) = (number(place), number(size).unwrap_or(0.0)) {
                        self.data.insert(place.to_owned(), (corner + size / 2.0).to_string());
                    }
                }
            }
            name @ ("hyperedge" | "port") => {
                let message = format!("there is a {name}; only nodes and edges are read");
                return Err(FormatError::at(line, message));
            }
            _ => {}
        }
        Ok(())
    }

    /// Starts an element with its data that have defaults.
    fn start_owner(&mut self, owner: Owner, element: &str) {
        self.owner = owner;
        let defaults = self.defaults.iter().filter(|((of, _), _)| of == element || of == "all");
        self.data = defaults.map(|((_, name), value)| (name.clone(), value.clone())).collect();
    }

    fn start_graph(&mut self, attributes: &mut Attributes) -> Result<(), FormatError> {
        if self.in_graph {
            let message = "there is a second or a nested graph; keep one, without nesting";
            return Err(FormatError::at(attributes.line, message));
        }
        self.in_graph = true;
        let default = attributes.required("edgedefault")?;
        let directed = either(&default, &["directed"], &["undirected"], attributes.line)?;
        self.draft.stated = if directed { Stated::Directed } else { Stated::Undirected };
        Ok(())
    }

    fn start_key(&mut self, attributes: &mut Attributes) -> Result<(), FormatError> {
        if self.in_graph {
            let message = "the key is after the graph; move it before";
            return Err(FormatError::at(attributes.line, message));
        }
        let id = attributes.required("id")?;
        let name = attributes.take("attr.name").unwrap_or_else(|| id.clone());
        let of = attributes.take("for").unwrap_or_else(|| "all".to_owned());
        self.keys.insert(id, name.clone());
        self.key = (of, name);
        Ok(())
    }

    fn start_edge(&mut self, attributes: &mut Attributes) -> Result<(), FormatError> {
        let line = attributes.line;
        self.ends.push([attributes.required("source")?, attributes.required("target")?]);
        let directed = self.draft.stated == Stated::Directed;
        if let Some(own) = attributes.take("directed")
            && either(&own, &["true", "1"], &["false", "0"], line)? != directed
        {
            self.draft.mixed.get_or_insert(line);
        }
        self.draft.edges.push(DraftEdge::new((0, 0), line));
        self.start_owner(Owner::Edge, "edge");
        Ok(())
    }

    fn text(&mut self, text: &str) {
        if let Some((_, open)) = &mut self.open {
            open.push_str(text);
        }
    }

    fn end(&mut self, element: &str, options: &GraphReadOptions) {
        match element {
            "node" | "edge" => self.end_owner(options),
            "default" => {
                let value = self.open.take().unwrap_or_default().1;
                self.defaults.insert(self.key.clone(), value);
            }
            "data" => self.data.extend(self.open.take()),
            "y:NodeLabel" | "y:EdgeLabel" => {
                let label = self.open.take().map(|(name, text)| (name, text.trim().to_owned()));
                self.data.extend(label.filter(|(_, label)| !label.is_empty()));
            }
            _ => {}
        }
    }

    /// Sets the data of the node or the edge that was read.
    fn end_owner(&mut self, options: &GraphReadOptions) {
        let (owner, mut data) = (std::mem::take(&mut self.owner), std::mem::take(&mut self.data));
        let (unit, weight) = match owner {
            Owner::None => return,
            Owner::Node(_) => (Unit::Vertex, options.vertex_weight_name()),
            Owner::Edge => (Unit::Edge, options.edge_weight_name()),
        };
        for (name, value) in &data {
            self.draft.add_attribute(unit, name, name != weight && is_number(value.trim()));
        }
        let weight = data.get(weight);
        let weight = weight.map(|text| DraftWeight::parse(text.trim(), options.decimal_comma));
        if let Owner::Node(node) = owner {
            let label =
                |name: &str| data.get(name).map(|name| name.trim()).filter(|name| !name.is_empty());
            let name = match &options.label_attribute {
                Some(chosen) => label(chosen),
                None => label("label").or(label("name")),
            };
            self.names.extend(name.map(|name| (node, name.to_owned())));
            // Anything may have this name; a picture needs the positions of all vertices.
            let place = |name: &str| {
                data.get(name)?.trim().parse().ok().filter(|place: &f64| place.is_finite())
            };
            let vertex = &mut self.draft.vertices[node];
            (vertex.weight, vertex.position) = (weight, place("x").zip(place("y")));
        } else if let Some(edge) = self.draft.edges.last_mut() {
            (edge.weight, edge.label) = (weight, data.remove("label"));
        }
    }

    fn finish(self, options: &GraphReadOptions) -> Result<Draft, FormatError> {
        let Self { mut draft, ends, names, .. } = self;
        if !self.in_graph {
            return Err(FormatError::new("there is no element `graph`; is this GraphML?"));
        }
        for (edge, [from, to]) in ends.into_iter().enumerate() {
            let line = draft.edges[edge].line;
            draft.edges[edge].ends = (draft.node(&from, line)?, draft.node(&to, line)?);
        }
        draft.name_vertices(names, options.label_attribute.as_deref())?;
        Ok(draft)
    }
}

pub(super) fn write(graph: &Graph) -> Result<String, FormatError> {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    for (id, owner, kind, given) in [
        ("weight", "edge", "long", graph.weights().is_some()),
        ("label", "edge", "string", graph.edge_labels().is_some()),
        ("vertex-weight", "node", "long", graph.vertex_weights().is_some()),
        ("x", "node", "double", graph.positions().is_some()),
        ("y", "node", "double", graph.positions().is_some()),
    ] {
        if given {
            let name = id.trim_start_matches("vertex-");
            let _ = writeln!(
                text,
                "  <key id=\"{id}\" for=\"{owner}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>"
            );
        }
    }
    let default = if graph.is_directed() { "directed" } else { "undirected" };
    let _ = writeln!(text, "  <graph edgedefault=\"{default}\">");
    let names: Vec<String> = (0..graph.num_vertices()).map(|v| graph.vertex_name(v)).collect();
    let labels = names.iter().chain(graph.edge_labels().unwrap_or(&[]));
    if let Some(label) = labels.into_iter().find(|label| label.chars().any(char::is_control)) {
        return Err(FormatError::new(format!(
            "GraphML cannot have the label {label:?} with a control character; write JSON"
        )));
    }
    for (vertex, name) in names.iter().enumerate() {
        let _ = write!(text, "    <node id=\"{}\">", escape(name));
        if let Some(weights) = graph.vertex_weights() {
            let _ = write!(text, "<data key=\"vertex-weight\">{}</data>", weights[vertex]);
        }
        if let Some(positions) = graph.positions() {
            let (x, y) = positions[vertex];
            let _ = write!(text, "<data key=\"x\">{x}</data><data key=\"y\">{y}</data>");
        }
        text.push_str("</node>\n");
    }
    for (edge, &(a, b)) in graph.edges().iter().enumerate() {
        let (source, target) = (escape(&names[a]), escape(&names[b]));
        let _ = write!(text, "    <edge source=\"{source}\" target=\"{target}\">");
        if let Some(weights) = graph.weights() {
            let _ = write!(text, "<data key=\"weight\">{}</data>", weights[edge]);
        }
        if let Some(labels) = graph.edge_labels() {
            let _ = write!(text, "<data key=\"label\">{}</data>", escape(&labels[edge]));
        }
        text.push_str("</edge>\n");
    }
    text.push_str("  </graph>\n</graphml>\n");
    Ok(text)
}
