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

use super::draft::{Draft, DraftEdge, Labels};
use super::number::{DraftWeight, GivenWeight};
use super::{FormatError, Graph, GraphReadOptions, line_of};

/// The end of an edge whose node is looked up when all nodes are read.
struct NamedEdge {
    ends: [String; 2],
    line: usize,
    weight: Option<GivenWeight>,
    label: Option<String>,
}

/// The element that `data` belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    None,
    Node(usize),
    Edge,
}

struct Content<'a> {
    options: &'a GraphReadOptions,
    labels: Labels,
    draft: Draft,
    edges: Vec<NamedEdge>,
    /// The names of data by the ids of their keys.
    keys: HashMap<String, String>,
    /// The element and the name of the data whose key is being read.
    open_key: Option<(String, String)>,
    /// The values of data by the element, or `all`, and the name.
    defaults: Vec<((String, String), String)>,
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
    let mut content = Content {
        options,
        labels: Labels::default(),
        draft: Draft::default(),
        edges: Vec::new(),
        keys: HashMap::new(),
        open_key: None,
        defaults: Vec::new(),
        names: HashMap::new(),
        labelled: HashSet::new(),
        coordinates: Vec::new(),
        owner: Owner::None,
        data: None,
        in_graph: false,
    };
    let mut open = 0_usize;
    // The line of the end of the last event, and its offset.
    let (mut line, mut counted) = (1, 0);
    loop {
        let event = reader.read_event().map_err(|error| {
            let line = line_of(text.as_bytes(), reader.error_position() as usize);
            FormatError::at(line, format!("the file is not XML: {error}"))
        })?;
        let end = (reader.buffer_position() as usize).min(text.len());
        line += line_of(&text.as_bytes()[counted..end], usize::MAX) - 1;
        counted = end;
        match event {
            Event::Start(element) => {
                open += 1;
                content.start(&element, line)?;
            }
            Event::Empty(element) => {
                content.start(&element, line)?;
                content.end(element.name().as_ref(), line);
            }
            Event::End(element) => {
                open -= 1;
                content.end(element.name().as_ref(), line);
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
                return Err(FormatError::at(
                    line,
                    "the file ends within an element; is it cut off?",
                ));
            }
            Event::Eof => break,
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
    content.finish()
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

impl Content<'_> {
    fn start(&mut self, element: &BytesStart<'_>, line: usize) -> Result<(), FormatError> {
        let mut attributes = attributes(element, line)?;
        let mut required = |name: &str| {
            attributes.remove(name).ok_or_else(|| {
                let element = element.name();
                let element: &str = element.as_ref();
                FormatError::at(line, format!("the {element} has no attribute `{name}`; add it"))
            })
        };
        let element = element.name();
        match element.as_ref() {
            "graph" => {
                if self.in_graph {
                    let message = "there is a second or a nested graph; keep one, without nesting";
                    return Err(FormatError::at(line, message));
                }
                self.in_graph = true;
                let default = required("edgedefault")?;
                self.draft.directed = either(&default, &["directed"], &["undirected"], line)?;
                self.draft.states_undirected = !self.draft.directed;
            }
            "key" if self.in_graph => {
                return Err(FormatError::at(line, "the key is after the graph; move it before"));
            }
            "key" => {
                let id = required("id")?;
                let name = attributes.remove("attr.name").unwrap_or_else(|| id.clone());
                let of = attributes.remove("for").unwrap_or_else(|| "all".to_owned());
                self.keys.insert(id, name.clone());
                self.open_key = Some((of, name));
            }
            "default" if self.open_key.is_some() => {
                self.data = Some((String::new(), String::new()));
            }
            "node" => {
                let id = required("id")?;
                let known = self.labels.labels.len();
                let node = self.labels.number(&id);
                if node < known {
                    let message = format!("the node `{id}` is there twice; each needs its own id");
                    return Err(FormatError::at(line, message));
                }
                self.coordinates.push([None; 2]);
                self.draft.vertex_weights.push((node, None, line));
                self.owner = Owner::Node(node);
                self.defaults("node", line);
            }
            "edge" => {
                let ends = [required("source")?, required("target")?];
                if let Some(own) = attributes.get("directed")
                    && either(own, &["true", "1"], &["false", "0"], line)? != self.draft.directed
                {
                    self.draft.mixed.get_or_insert(line);
                }
                self.edges.push(NamedEdge { ends, line, weight: None, label: None });
                self.owner = Owner::Edge;
                self.defaults("edge", line);
            }
            "data" if self.owner != Owner::None => {
                let key = required("key")?;
                self.data = Some((self.keys.get(&key).unwrap_or(&key).clone(), String::new()));
            }
            "y:NodeLabel" | "y:EdgeLabel" => {
                self.data = Some(("label".to_owned(), String::new()));
            }
            "y:Geometry" => {
                // A node is placed by a corner.
                let mut number = |name| attributes.remove(name)?.parse::<f64>().ok();
                let size = ["width", "height"].map(|name| number(name).unwrap_or(0.0));
                let corner = ["x", "y"].map(number);
                if let (Owner::Node(node), [Some(x), Some(y)]) = (self.owner, corner) {
                    self.coordinates[node] = [Some(x + size[0] / 2.0), Some(y + size[1] / 2.0)];
                }
            }
            "hyperedge" | "port" => {
                let message =
                    format!("there is a {}; only nodes and edges are read", element.as_ref());
                return Err(FormatError::at(line, message));
            }
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, text: &str) {
        if let Some((_, data)) = &mut self.data {
            data.push_str(text);
        }
    }

    fn end(&mut self, element: &str, line: usize) {
        match element {
            "node" | "edge" => self.owner = Owner::None,
            "key" => self.open_key = None,
            "default" => {
                if let (Some(key), Some((_, value))) = (&self.open_key, self.data.take())
                    && self.is_read(&key.1)
                    && ["node", "edge", "all"].contains(&key.0.as_str())
                {
                    self.defaults.retain(|(other, _)| other != key);
                    self.defaults.push((key.clone(), value));
                }
            }
            "y:NodeLabel" | "y:EdgeLabel" => {
                let label = self.data.take().map(|(_, text)| text.trim().to_owned());
                if let Some(label) = label.filter(|label| !label.is_empty()) {
                    self.datum("label", label, line);
                }
            }
            "data" => {
                if let Some((name, value)) = self.data.take() {
                    self.datum(&name, value, line);
                }
            }
            _ => {}
        }
    }

    /// Sets the data of an element that have defaults.
    fn defaults(&mut self, element: &str, line: usize) {
        for ((of, name), value) in self.defaults.clone() {
            if of == element || of == "all" {
                self.datum(&name, value, line);
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

    fn datum(&mut self, name: &str, value: String, line: usize) {
        if self.owner != Owner::None {
            self.draft.attributes.insert(name.to_owned());
        }
        let is_weight = name
            == match self.owner {
                Owner::Node(_) => self.options.vertex_weight_name(),
                Owner::Edge | Owner::None => self.options.edge_weight_name(),
            };
        if value.trim().parse::<f64>().is_ok() && !is_weight {
            match self.owner {
                Owner::Node(_) => self.draft.vertex_attributes.insert(name.to_owned()),
                Owner::Edge => self.draft.edge_attributes.insert(name.to_owned()),
                Owner::None => false,
            };
        }
        if let (Owner::Node(node), false) = (self.owner, value.trim().is_empty()) {
            let is_label = match &self.options.label_attribute {
                Some(chosen) => chosen == name,
                None => name == "label" || name == "name" && !self.labelled.contains(&node),
            };
            if is_label {
                self.names.insert(node, value.trim().to_owned());
                if name == "label" {
                    self.labelled.insert(node);
                }
            }
        }
        match (self.owner, name) {
            (Owner::Node(node), _) if is_weight => {
                let weight = Some(DraftWeight::parse(value.trim(), self.options.decimal_comma));
                self.draft.vertex_weights.push((node, weight, line));
            }
            (Owner::Node(node), "x" | "y") => {
                // Anything may have this name; a picture needs the positions of all vertices.
                let place = value.trim().parse().ok().filter(|place: &f64| place.is_finite());
                self.coordinates[node][usize::from(name == "y")] = place;
            }
            (Owner::Edge, name) if is_weight || name == "label" => {
                let Some(edge) = self.edges.last_mut() else { return };
                if is_weight {
                    edge.weight =
                        Some(DraftWeight::parse(value.trim(), self.options.decimal_comma));
                } else {
                    edge.label = Some(value);
                }
            }
            _ => {}
        }
    }

    fn finish(self) -> Result<Draft, FormatError> {
        let Content { options, labels, mut draft, edges, coordinates, mut names, .. } = self;
        if !self.in_graph {
            return Err(FormatError::new("there is no element `graph`; is this GraphML?"));
        }
        for NamedEdge { ends: [from, to], line, weight, label } in edges {
            let find = |end: &str| {
                labels.find(end).ok_or_else(|| {
                    FormatError::at(
                        line,
                        format!("the edge ends at `{end}`, which is no node; add the node"),
                    )
                })
            };
            draft.edges.push(DraftEdge { ends: (find(&from)?, find(&to)?), line, weight, label });
        }
        for (node, coordinates) in coordinates.into_iter().enumerate() {
            if let [Some(x), Some(y)] = coordinates {
                draft.positions.push((node, (x, y)));
            }
        }
        // Attributes of this name are chosen before the ids.
        let has_ids = |name: &String| name == "id" && names.is_empty();
        if options.label_attribute.as_ref().is_some_and(has_ids) {
            draft.labels = labels.labels;
            return Ok(draft);
        }
        if let Some(chosen) = &options.label_attribute
            && let Some(id) = (0..labels.labels.len()).find(|node| !names.contains_key(node))
        {
            return Err(FormatError::new(format!(
                "the node `{}` has no attribute `{chosen}`; add it, or choose another attribute",
                labels.labels[id]
            )));
        }
        let named =
            |(node, id): (usize, &String)| names.remove(&node).unwrap_or_else(|| id.clone());
        let named: Vec<String> = labels.labels.iter().enumerate().map(named).collect();
        let are_distinct = named.iter().collect::<HashSet<_>>().len() == named.len();
        if !are_distinct {
            if let Some(chosen) = &options.label_attribute {
                return Err(FormatError::new(format!(
                    "two vertices have the same `{chosen}`; choose an attribute that differs"
                )));
            }
            let note = "the labels of the nodes are not distinct, so the vertices have their ids";
            draft.notes.push(note.to_owned());
        }
        draft.labels = if are_distinct { named } else { labels.labels };
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
