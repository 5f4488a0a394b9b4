//! GraphML (U. Brandes et al., *GraphML progress report*, Graph Drawing 2001): one graph, without
//! nested graphs, hyperedges and ports.
//!
//! Of the data, `weight` and `label` of nodes and edges, `name`, `x` and `y` of nodes are read, or others that the
//! options name, with the defaults of their keys; of the drawings of yEd, the labels and the places of nodes.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::escape::{escape, resolve_predefined_entity};
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

/// The keys of data, before the graph.
#[derive(Default)]
struct Keys {
    /// The names of data by the ids of their keys.
    names: HashMap<String, String>,
    /// The element and the name of the data whose key is being read.
    open: Option<(String, String)>,
    /// The values of data by the element, or `all`, and the name.
    defaults: Vec<((String, String), String)>,
}

/// A file while it is read.
struct GraphMlReader<'a> {
    options: &'a GraphReadOptions,
    draft: Draft,
    /// The ids of the ends of each edge, which are looked up when all nodes are read.
    ends: Vec<[String; 2]>,
    keys: Keys,
    /// The labels of nodes that have one.
    names: HashMap<usize, String>,
    /// The nodes whose label is `label`, which comes before `name`.
    labelled: HashSet<usize>,
    coordinates: Vec<[Option<f64>; 2]>,
    owner: Owner,
    /// The name and the text of the `data` that is being read.
    data: Option<(String, String)>,
    /// Whether a graph was begun.
    in_graph: bool,
}

pub(super) fn read(text: &str, options: &GraphReadOptions) -> Result<Draft, FormatError> {
    let mut reader = Reader::from_str(text);
    let mut content = GraphMlReader {
        options,
        draft: Draft::default(),
        ends: Vec::new(),
        keys: Keys::default(),
        names: HashMap::new(),
        labelled: HashSet::new(),
        coordinates: Vec::new(),
        owner: Owner::None,
        data: None,
        in_graph: false,
    };
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
                content.end(element.name().as_ref());
            }
            Event::End(element) => {
                open -= 1;
                content.end(element.name().as_ref());
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
            Event::Eof => return content.finish(),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
}

/// The attributes of an element.
fn attributes(
    element: &BytesStart<'_>,
    line: usize,
) -> Result<HashMap<String, String>, FormatError> {
    let mut values = HashMap::new();
    for attribute in element.attributes() {
        let read = attribute.map_err(quick_xml::Error::from).and_then(|attribute| {
            let value = attribute.normalized_value(XmlVersion::Implicit1_0)?;
            Ok((attribute.key.as_ref().to_owned(), value.into_owned()))
        });
        let (name, value) = read.map_err(|error| {
            FormatError::at(line, format!("an attribute cannot be read: {error}"))
        })?;
        values.insert(name, value);
    }
    Ok(values)
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
struct Attributes<'a> {
    element: &'a str,
    values: HashMap<String, String>,
    line: usize,
}

impl Attributes<'_> {
    fn take(&mut self, name: &str) -> Option<String> {
        self.values.remove(name)
    }

    fn required(&mut self, name: &str) -> Result<String, FormatError> {
        self.take(name).ok_or_else(|| {
            let message = format!("the {} has no attribute `{name}`; add it", self.element);
            FormatError::at(self.line, message)
        })
    }
}

impl GraphMlReader<'_> {
    fn start(&mut self, element: &BytesStart<'_>, line: usize) -> Result<(), FormatError> {
        let values = attributes(element, line)?;
        let name = element.name();
        let name: &str = name.as_ref();
        let mut attributes = Attributes { element: name, values, line };
        match name {
            "graph" => self.start_graph(&mut attributes)?,
            "key" => self.start_key(&mut attributes)?,
            "default" if self.keys.open.is_some() => {
                self.data = Some((String::new(), String::new()));
            }
            "node" => {
                let node = self.draft.add_node(&attributes.required("id")?, line)?;
                self.coordinates.push([None; 2]);
                self.owner = Owner::Node(node);
                self.set_defaults("node");
            }
            "edge" => self.start_edge(&mut attributes)?,
            "data" if self.owner != Owner::None => {
                let key = attributes.required("key")?;
                let name = self.keys.names.get(&key).unwrap_or(&key).clone();
                self.data = Some((name, String::new()));
            }
            "y:NodeLabel" | "y:EdgeLabel" => {
                self.data = Some(("label".to_owned(), String::new()));
            }
            "y:Geometry" => {
                // A node is placed by a corner.
                let mut number = |name| attributes.take(name)?.parse::<f64>().ok();
                let size = ["width", "height"].map(|name| number(name).unwrap_or(0.0));
                let corner = ["x", "y"].map(number);
                if let (Owner::Node(node), [Some(x), Some(y)]) = (self.owner, corner) {
                    self.coordinates[node] = [Some(x + size[0] / 2.0), Some(y + size[1] / 2.0)];
                }
            }
            "hyperedge" | "port" => {
                let message = format!("there is a {name}; only nodes and edges are read");
                return Err(FormatError::at(line, message));
            }
            _ => {}
        }
        Ok(())
    }

    fn start_graph(&mut self, attributes: &mut Attributes<'_>) -> Result<(), FormatError> {
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

    fn start_key(&mut self, attributes: &mut Attributes<'_>) -> Result<(), FormatError> {
        if self.in_graph {
            let message = "the key is after the graph; move it before";
            return Err(FormatError::at(attributes.line, message));
        }
        let id = attributes.required("id")?;
        let name = attributes.take("attr.name").unwrap_or_else(|| id.clone());
        let of = attributes.take("for").unwrap_or_else(|| "all".to_owned());
        self.keys.names.insert(id, name.clone());
        self.keys.open = Some((of, name));
        Ok(())
    }

    fn start_edge(&mut self, attributes: &mut Attributes<'_>) -> Result<(), FormatError> {
        let line = attributes.line;
        self.ends.push([attributes.required("source")?, attributes.required("target")?]);
        let directed = self.draft.stated == Stated::Directed;
        if let Some(own) = attributes.take("directed")
            && either(&own, &["true", "1"], &["false", "0"], line)? != directed
        {
            self.draft.mixed.get_or_insert(line);
        }
        self.draft.edges.push(DraftEdge { ends: (0, 0), line, weight: None, label: None });
        self.owner = Owner::Edge;
        self.set_defaults("edge");
        Ok(())
    }

    fn text(&mut self, text: &str) {
        if let Some((_, data)) = &mut self.data {
            data.push_str(text);
        }
    }

    fn end(&mut self, element: &str) {
        match element {
            "node" | "edge" => self.owner = Owner::None,
            "key" => self.keys.open = None,
            "default" => {
                if let (Some(key), Some((_, value))) = (&self.keys.open, self.data.take())
                    && self.is_read(&key.1)
                    && ["node", "edge", "all"].contains(&key.0.as_str())
                {
                    self.keys.defaults.retain(|(other, _)| other != key);
                    self.keys.defaults.push((key.clone(), value));
                }
            }
            "y:NodeLabel" | "y:EdgeLabel" => {
                let label = self.data.take().map(|(_, text)| text.trim().to_owned());
                if let Some(label) = label.filter(|label| !label.is_empty()) {
                    self.datum("label", label);
                }
            }
            "data" => {
                if let Some((name, value)) = self.data.take() {
                    self.datum(&name, value);
                }
            }
            _ => {}
        }
    }

    /// Sets the data of an element that have defaults.
    fn set_defaults(&mut self, element: &str) {
        for ((of, name), value) in self.keys.defaults.clone() {
            if of == element || of == "all" {
                self.datum(&name, value);
            }
        }
    }

    /// Whether the data of this name are read.
    fn is_read(&self, name: &str) -> bool {
        let options = self.options;
        let weights = [options.edge_weight_name(), options.vertex_weight_name()];
        ["label", "name", "x", "y"].contains(&name)
            || weights.contains(&name)
            || options.label_attribute.as_deref() == Some(name)
    }

    /// Sets the data of the node or the edge that is being read.
    fn datum(&mut self, name: &str, value: String) {
        let number = value.trim();
        let weight = DraftWeight::parse(number, self.options.decimal_comma);
        match self.owner {
            Owner::None => {}
            Owner::Node(node) => {
                let is_weight = name == self.options.vertex_weight_name();
                self.draft.add_attribute(Unit::Vertex, name, !is_weight && is_number(number));
                self.name(node, name, number);
                if is_weight {
                    self.draft.vertices[node].weight = Some(weight);
                } else if let "x" | "y" = name {
                    // Anything may have this name; a picture needs the positions of all vertices.
                    let place = number.parse().ok().filter(|place: &f64| place.is_finite());
                    self.coordinates[node][usize::from(name == "y")] = place;
                }
            }
            Owner::Edge => {
                let is_weight = name == self.options.edge_weight_name();
                self.draft.add_attribute(Unit::Edge, name, !is_weight && is_number(number));
                let Some(edge) = self.draft.edges.last_mut() else { return };
                if is_weight {
                    edge.weight = Some(weight);
                } else if name == "label" {
                    edge.label = Some(value);
                }
            }
        }
    }

    /// Names a node by a datum, if it is the label.
    fn name(&mut self, node: usize, name: &str, value: &str) {
        let is_label = match &self.options.label_attribute {
            Some(chosen) => chosen == name,
            None => name == "label" || name == "name" && !self.labelled.contains(&node),
        };
        if is_label && !value.is_empty() {
            self.names.insert(node, value.to_owned());
            if name == "label" {
                self.labelled.insert(node);
            }
        }
    }

    fn finish(self) -> Result<Draft, FormatError> {
        let GraphMlReader { options, mut draft, ends, coordinates, names, .. } = self;
        if !self.in_graph {
            return Err(FormatError::new("there is no element `graph`; is this GraphML?"));
        }
        for (edge, [from, to]) in ends.into_iter().enumerate() {
            let line = draft.edges[edge].line;
            draft.edges[edge].ends = (draft.node(&from, line)?, draft.node(&to, line)?);
        }
        for (vertex, place) in draft.vertices.iter_mut().zip(coordinates) {
            vertex.position = place[0].zip(place[1]);
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
