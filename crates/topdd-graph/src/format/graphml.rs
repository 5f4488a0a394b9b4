//! GraphML (U. Brandes et al., *GraphML progress report*, Graph Drawing 2001): one graph, without
//! nested graphs, hyperedges and ports.
//!
//! The reader uses the data `weight` and `label` of nodes and edges, and `name`, `x` and `y` of nodes. Options select other
//! data for weights and labels. If a node or edge lacks a value, the default of the key applies. From the drawings of yEd,
//! the reader takes labels, and the positions of nodes.

use std::collections::{BTreeMap, HashMap};

use roxmltree::{Document, Error, Node, ParsingOptions};

use super::draft::{Draft, DraftEdge, Stated};
use super::number::{DraftWeight, GivenWeight, is_number};
use super::{FormatError, GraphReadOptions, LineCounter};
use crate::families::Unit;

pub(super) fn read(text: &str, options: &GraphReadOptions) -> Result<Draft, FormatError> {
    let parsing = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, parsing);
    let document = document.map_err(|error| not_xml(&error, text))?;
    let graph = only_graph(&document)?;
    let default = required(graph, "edgedefault")?;
    let directed = either(graph, default, &["directed"], &["undirected"])?;
    let stated = if directed { Stated::Directed } else { Stated::Undirected };
    let mut draft = Draft { stated, ..Draft::default() };
    let keys = Keys::new(&document)?;
    let mut names = HashMap::new();
    let mut lines = LineCounter::new(text);
    for element in elements(&document, "node") {
        let line = lines.at(element.range().start);
        let node = draft.add_node(required(element, "id")?, line)?;
        let data = keys.data(element)?;
        let text = |name: &str| data.get(name).map(|text| text.trim());
        let label = |name: &str| text(name).filter(|label| !label.is_empty());
        let name = match &options.label_attribute {
            Some(chosen) => label(chosen),
            None => label("label").or(label("name")),
        };
        names.extend(name.map(|name| (node, name.to_owned())));
        // Anything may have this name; a picture needs the positions of all vertices.
        let place = |name: &str| text(name)?.parse().ok().filter(|place: &f64| place.is_finite());
        draft.vertices[node].position = place("x").zip(place("y"));
        draft.vertices[node].weight = weight(&mut draft, Unit::Vertex, &data, options);
    }
    let mut lines = LineCounter::new(text);
    for element in elements(&document, "edge") {
        let line = lines.at(element.range().start);
        let [from, to] = [required(element, "source")?, required(element, "target")?];
        let ends = (draft.node(from, line)?, draft.node(to, line)?);
        if let Some(own) = element.attribute("directed")
            && either(element, own, &["true", "1"], &["false", "0"])? != directed
        {
            draft.mixed.get_or_insert(line);
        }
        let mut data = keys.data(element)?;
        let weight = weight(&mut draft, Unit::Edge, &data, options);
        draft.edges.push(DraftEdge { ends, line, weight, label: data.remove("label") });
    }
    draft.name_vertices(names, options.label_attribute.as_deref())?;
    Ok(draft)
}

fn not_xml(error: &Error, text: &str) -> FormatError {
    match error {
        Error::UnclosedRootNode | Error::UnexpectedEndOfStream => {
            let message = "the file ends within an element; is it cut off?";
            FormatError::at(text.split('\n').count(), message)
        }
        Error::UnknownEntityReference(_, place) => {
            FormatError::at(place.row as usize, "the entity is unknown; write its text")
        }
        error => FormatError::at(error.pos().row as usize, format!("the file is not XML: {error}")),
    }
}

/// An error at an element.
fn error(element: Node<'_, '_>, message: impl Into<String>) -> FormatError {
    let place = element.document().text_pos_at(element.range().start);
    FormatError::at(place.row as usize, message)
}

/// The elements of a name, in any namespace.
fn elements<'a, 'i>(
    document: &'a Document<'i>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'i>> {
    document.descendants().filter(move |node| node.has_tag_name(name))
}

fn only_graph<'a, 'i>(document: &'a Document<'i>) -> Result<Node<'a, 'i>, FormatError> {
    let mut graphs = elements(document, "graph");
    let Some(graph) = graphs.next() else {
        return Err(FormatError::new("there is no element `graph`; is this GraphML?"));
    };
    if let Some(second) = graphs.next() {
        return Err(error(
            second,
            "there is a second or a nested graph; keep one, without nesting",
        ));
    }
    for name in ["hyperedge", "port"] {
        if let Some(element) = elements(document, name).next() {
            let message = format!("there is a {name}; only nodes and edges are read");
            return Err(error(element, message));
        }
    }
    Ok(graph)
}

fn required<'a>(element: Node<'a, '_>, name: &str) -> Result<&'a str, FormatError> {
    let missing = || error(element, format!("the element has no attribute `{name}`; add it"));
    element.attribute(name).ok_or_else(missing)
}

/// Whether a value is one of the first, and not one of the second.
fn either(
    element: Node<'_, '_>,
    value: &str,
    yes: &[&str],
    no: &[&str],
) -> Result<bool, FormatError> {
    let is_yes = yes.contains(&value);
    if is_yes || no.contains(&value) {
        return Ok(is_yes);
    }
    let message = format!("`{value}` is no direction; write `{}` or `{}`", yes[0], no[0]);
    Err(error(element, message))
}

fn text_of(element: Node<'_, '_>) -> String {
    element.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect()
}

/// The data of an element by name.
type Data = BTreeMap<String, String>;

/// The keys of data.
struct Keys<'a> {
    /// Names by ids.
    names: HashMap<&'a str, &'a str>,
    /// The elements, or `all`, the names, and the values of defaults.
    defaults: Vec<(&'a str, &'a str, String)>,
}

impl<'a> Keys<'a> {
    fn new(document: &'a Document<'_>) -> Result<Self, FormatError> {
        let mut keys = Self { names: HashMap::new(), defaults: Vec::new() };
        for key in elements(document, "key") {
            let id = required(key, "id")?;
            let name = key.attribute("attr.name").unwrap_or(id);
            keys.names.insert(id, name);
            if let Some(default) = key.children().find(|child| child.has_tag_name("default")) {
                let owner = key.attribute("for").unwrap_or("all");
                keys.defaults.push((owner, name, text_of(default)));
            }
        }
        Ok(keys)
    }

    /// The data of a node or an edge, and what a drawing of yEd shows.
    fn data(&self, owner: Node<'_, '_>) -> Result<Data, FormatError> {
        let of_owner = |of: &str| of == "all" || owner.has_tag_name(of);
        let defaults = self.defaults.iter().filter(|(of, ..)| of_owner(of));
        let mut data: Data =
            defaults.map(|(_, name, value)| ((*name).to_owned(), value.clone())).collect();
        for item in owner.children().filter(|child| child.has_tag_name("data")) {
            let key = required(item, "key")?;
            if !item.children().any(|child| child.is_element()) {
                let name = self.names.get(key).unwrap_or(&key);
                data.insert((*name).to_owned(), text_of(item));
            }
            for drawn in item.descendants() {
                match drawn.tag_name().name() {
                    "NodeLabel" | "EdgeLabel" => {
                        let label = Some(text_of(drawn).trim().to_owned());
                        let label = label.filter(|label| !label.is_empty());
                        data.extend(label.map(|label| ("label".to_owned(), label)));
                    }
                    "Geometry" => {
                        // A node is placed by a corner.
                        for (place, size) in [("x", "width"), ("y", "height")] {
                            let number = |name| drawn.attribute(name)?.parse::<f64>().ok();
                            let middle = |corner| corner + number(size).unwrap_or(0.0) / 2.0;
                            let place = number(place).map(|at| (place, middle(at).to_string()));
                            data.extend(place.map(|(name, at)| (name.to_owned(), at)));
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(data)
    }
}

/// Notes the attributes of an element, and returns its weight.
fn weight(
    draft: &mut Draft,
    unit: Unit,
    data: &Data,
    options: &GraphReadOptions,
) -> Option<GivenWeight> {
    let weight = match unit {
        Unit::Edge => options.edge_weight_name(),
        Unit::Vertex | Unit::Colour => options.vertex_weight_name(),
    };
    for (name, value) in data {
        draft.add_attribute(unit, name, name != weight && is_number(value.trim()));
    }
    data.get(weight).map(|text| DraftWeight::parse(text.trim(), options.decimal_comma))
}
