//! This module gives names to the edges, vertices and colours of solutions, finds them by name, and writes solutions as
//! text.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use topdd_draw::GraphPicture;
use topdd_graph::families::{self, EdgeSets, Unit};
use topdd_graph::{Graph, GraphError};

use crate::family::Family;
use crate::names::{Ambiguous, Name, NameIndex, Nouns, Sign, split_list, unquoted};

/// The empty set in a line.
pub const NO_ELEMENTS: &str = "(empty)";

/// The error for a text that names no element, or for a list of names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// No element has the name.
    #[error("{0}")]
    Unknown(String),
    /// Several elements have the name.
    #[error("several {many} are named {text}; put the labels of their ends in quotes")]
    Ambiguous {
        /// The name.
        text: String,
        /// The word for several elements.
        many: &'static str,
    },
    /// A name is missing in a list.
    #[error("{0}")]
    Missing(String),
    /// A vertex without a colour.
    #[error("{text} has no colour; write a vertex and its colour, such as a=0")]
    NoColour {
        /// The text.
        text: String,
    },
    /// A colour that there is not.
    #[error("{text} names none of the {colours} colours, which are counted from 0")]
    UnknownColour {
        /// The text.
        text: String,
        /// The number of colours.
        colours: usize,
    },
}

/// The names of the vertices and edges of a graph, to find their numbers.
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_problem::GraphNames;
///
/// let road = Graph::new(3, [(0, 1), (1, 2)])?.with_vertex_labels(["Bern", "New York", "Rome"])?;
/// let names = GraphNames::new(&road, "roads.txt");
/// assert_eq!(names.vertices(&["Rome,\"New York\"".to_owned()]), Ok(vec![2, 1]));
/// assert_eq!(names.edges(&["Bern-\"New York\"".to_owned()]), Ok(vec![0]));
/// assert_eq!(
///     names.vertex("Paris").unwrap_err().to_string(),
///     "there is no vertex Paris in roads.txt; it has 3 vertices: Bern, \"New York\", Rome"
/// );
/// # Ok::<(), topdd_graph::GraphError>(())
/// ```
#[derive(Debug)]
pub struct GraphNames<'a> {
    graph: &'a Graph,
    /// The name of the graph in errors.
    place: String,
    /// The first vertex of each label, in a graph with labels.
    by_label: HashMap<&'a str, usize>,
    /// The names of the edges, and their index, once an edge is asked for.
    edges: OnceCell<(Vec<Name>, NameIndex)>,
}

impl<'a> GraphNames<'a> {
    /// Prepares to find names; `place` is the name of the graph in errors. Takes time linear in the labels.
    pub fn new(graph: &'a Graph, place: impl Into<String>) -> Self {
        let labels = graph.vertex_labels().unwrap_or(&[]).iter().enumerate().rev();
        let by_label = labels.map(|(vertex, label)| (&label[..], vertex)).collect();
        Self { graph, place: place.into(), by_label, edges: OnceCell::new() }
    }

    /// Returns the vertex that a text names: the one of this label in quotes, or else of this label.
    ///
    /// # Errors
    ///
    /// [`NameError::Unknown`].
    pub fn vertex(&self, text: &str) -> Result<usize, NameError> {
        self.find_vertex(text).ok_or_else(|| {
            let names = (0..self.graph.num_vertices()).map(|vertex| self.vertex_name(vertex));
            NameError::Unknown(Nouns::VERTICES.unknown(text, &self.place, names))
        })
    }

    /// Returns the vertices of lists with commas.
    ///
    /// # Errors
    ///
    /// [`NameError::Unknown`], [`NameError::Missing`].
    pub fn vertices(&self, lists: &[String]) -> Result<Vec<usize>, NameError> {
        listed(lists, |text| self.find_vertex(text).is_some(), |text| self.vertex(text))
    }

    /// Returns the edges of lists with commas.
    ///
    /// # Errors
    ///
    /// [`NameError::Unknown`], [`NameError::Ambiguous`], [`NameError::Missing`].
    pub fn edges(&self, lists: &[String]) -> Result<Vec<usize>, NameError> {
        let (names, index) = self.edge_index();
        let edge = |text: &str| match index.find(text) {
            Ok(Some(edge)) => Ok(edge),
            Ok(None) => {
                let names = names.iter().map(Name::printed);
                Err(NameError::Unknown(Nouns::EDGES.unknown(text, &self.place, names)))
            }
            Err(Ambiguous) => Err(NameError::Ambiguous { text: text.to_owned(), many: "edges" }),
        };
        listed(lists, |text| matches!(index.find(text), Ok(Some(_))), edge)
    }

    /// Returns the vertices and colours of lists with commas, such as `a=0,b=2`.
    ///
    /// # Errors
    ///
    /// [`NameError::NoColour`], [`NameError::UnknownColour`], and the errors of [`vertices`](GraphNames::vertices).
    pub fn colours(
        &self,
        lists: &[String],
        colours: usize,
    ) -> Result<Vec<(usize, usize)>, NameError> {
        let is_name = |text: &str| {
            text.rsplit_once('=').is_some_and(|(vertex, _)| self.find_vertex(vertex).is_some())
        };
        listed(lists, is_name, |text| {
            let text_of = || text.to_owned();
            let (vertex, colour) =
                text.rsplit_once('=').ok_or_else(|| NameError::NoColour { text: text_of() })?;
            let vertex = self.vertex(vertex)?;
            let colour = colour.parse().ok().filter(|&colour: &usize| colour < colours);
            let unknown = || NameError::UnknownColour { text: text_of(), colours };
            Ok((vertex, colour.ok_or_else(unknown)?))
        })
    }

    /// Returns the name of a vertex as it is printed.
    pub fn vertex_name(&self, vertex: usize) -> String {
        Name::Label(self.graph.vertex_name(vertex)).printed()
    }

    /// Returns the name of an edge or a vertex as it is printed, of a colour with the vertex.
    pub fn element_name(&self, unit: Unit, element: usize, value: usize) -> String {
        match unit {
            Unit::Edge => self.edge_index().0[element].printed(),
            Unit::Vertex => self.vertex_name(element),
            Unit::Colour => format!("{}={value}", self.vertex_name(element)),
        }
    }

    fn edge_index(&self) -> &(Vec<Name>, NameIndex) {
        self.edges.get_or_init(|| {
            let names = edge_names(self.graph);
            let index = NameIndex::new(&names);
            (names, index)
        })
    }

    fn find_vertex(&self, text: &str) -> Option<usize> {
        let label = |label: &str| match self.graph.vertex_labels() {
            // As [`Graph::vertex`], in constant time.
            Some(_) => self.by_label.get(label).copied(),
            None => self.graph.vertex(label),
        };
        unquoted(text).and_then(|text| label(&text)).or_else(|| label(text))
    }
}

/// The elements of lists with commas.
fn listed<T>(
    lists: &[String],
    is_name: impl Fn(&str) -> bool,
    find: impl Fn(&str) -> Result<T, NameError>,
) -> Result<Vec<T>, NameError> {
    let mut found = Vec::new();
    for list in lists {
        for text in split_list(list, &is_name).map_err(NameError::Missing)? {
            found.push(find(text)?);
        }
    }
    Ok(found)
}

/// An edge or a vertex of a solution, or a vertex and its colour.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Element {
    /// The edge, or the vertex, in the order of the graph.
    pub index: usize,
    /// The colour; 1 for members of a set.
    pub value: usize,
    name: String,
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// The edges or vertices of a graph that solutions consist of, and how solutions are written.
#[derive(Clone, Debug)]
pub struct GraphElements {
    graph: Graph,
    unit: Unit,
    /// The family; none for a combination of several.
    family: Option<Family>,
    /// Of paths and cycles, the family, which finds the order of vertices.
    walks: Option<EdgeSets>,
    /// The name of each edge, or vertex.
    names: Vec<Name>,
    /// The same as they are printed.
    printed: Vec<String>,
}

impl GraphElements {
    /// Makes the elements of a graph, of solutions of the family, if it is known.
    pub fn new(family: Option<Family>, unit: Unit, graph: Graph) -> Self {
        let names = match unit {
            Unit::Edge => edge_names(&graph),
            Unit::Vertex | Unit::Colour => vertex_names(&graph),
        };
        let walks = match family {
            Some(Family::Paths { from: Some(from), .. }) => {
                Some(families::paths_from(&graph, from))
            }
            Some(Family::Paths { from: None, .. }) => Some(families::all_paths(&graph)),
            Some(Family::Cycles { .. }) => Some(families::cycles(&graph)),
            _ => None,
        };
        let printed = names.iter().map(Name::printed).collect();
        GraphElements { graph, unit, family, walks, names, printed }
    }

    /// Returns the graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the family; `None` for a combination of several.
    pub fn family(&self) -> Option<&Family> {
        self.family.as_ref()
    }

    /// Makes the elements that were stored with a diagram; `None` if they do not fit it.
    pub fn from_record(
        family: Option<Family>,
        record: &GraphRecord,
        order: &[usize],
    ) -> Option<Self> {
        let elements = Self::new(family, record.unit, record.graph().ok()?);
        order.iter().all(|&index| index < elements.names.len()).then_some(elements)
    }

    /// Returns the graph as it is stored with a diagram.
    pub fn record(&self) -> GraphRecord {
        let graph = &self.graph;
        GraphRecord {
            unit: self.unit,
            directed: graph.is_directed(),
            vertices: (0..graph.num_vertices()).map(|v| graph.vertex_name(v)).collect(),
            edges: graph.edges().to_vec(),
            edge_labels: graph.edge_labels().map(<[_]>::to_vec),
            positions: graph.positions().map(<[_]>::to_vec),
        }
    }

    /// Returns what an element is.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// Returns the names of the elements, in the order of the file.
    pub fn names(&self) -> &[Name] {
        &self.names
    }

    /// Returns the map of the graph for the page of the configurator: points, edges, and the element of each variable.
    pub fn map(&self, order: &[usize]) -> Value {
        json!({
            "of_edges": self.unit == Unit::Edge,
            "coloured": self.unit == Unit::Colour,
            "labels": order.iter().map(|&index| &self.printed[index]).collect::<Vec<_>>(),
            "points": GraphPicture::new(&self.graph).points(),
            "names": (0..self.graph.num_vertices()).map(|v| self.graph.vertex_name(v)).collect::<Vec<_>>(),
            "roles": self.family.as_ref().map(Family::roles).unwrap_or_default(),
            "edges": self.graph.edges(),
            "directed": self.graph.is_directed(),
            "order": order,
        })
    }

    /// Returns the elements of a solution, ascending; `order` has the element of each variable.
    pub fn read(&self, order: &[usize], solution: &[usize]) -> Vec<Element> {
        let all = self.unit == Unit::Colour;
        let values = order.iter().zip(solution).filter(|&(_, &value)| all || value == 1);
        let mut elements: Vec<Element> =
            values.map(|(&index, &value)| self.element(index, value)).collect();
        elements.sort_unstable_by_key(|element| element.index);
        elements
    }

    fn element(&self, index: usize, value: usize) -> Element {
        let name = &self.printed[index];
        let is_coloured = self.unit == Unit::Colour;
        let name = if is_coloured { format!("{name}={value}") } else { name.clone() };
        Element { index, value, name }
    }

    /// Returns the elements in a line.
    pub fn line(&self, elements: &[Element]) -> String {
        if self.has_blocks() {
            return self.blocks_line(elements);
        }
        if elements.is_empty() {
            return NO_ELEMENTS.to_owned();
        }
        self.walk_line(elements).unwrap_or_else(|| texts(elements).join(" "))
    }

    /// Returns the elements as JSON.
    pub fn json(&self, elements: &[Element]) -> Value {
        let name = |vertex| self.graph.vertex_name(vertex);
        let indices = || elements.iter().map(|element| element.index);
        match self.unit {
            Unit::Vertex => return indices().map(name).collect(),
            Unit::Colour => {
                let colours: Vec<usize> = elements.iter().map(|element| element.value).collect();
                let vertices: Vec<String> = indices().map(name).collect();
                return json!({ "vertices": vertices, "colours": colours });
            }
            Unit::Edge => {}
        }
        let ends = indices().map(|edge| <[usize; 2]>::from(self.graph.edges()[edge]).map(name));
        let mut solution = json!({
            "edges": ends.collect::<Vec<_>>(),
            "numbers": indices().collect::<Vec<_>>(),
        });
        if self.names.iter().any(|name| matches!(name, Name::EdgeLabel(_))) {
            let labels = self.graph.edge_labels().unwrap_or(&[]);
            solution["labels"] = indices().map(|edge| &labels[edge][..]).collect();
        }
        if let Some(vertices) = self.walk(elements) {
            solution["vertices"] = vertices.into_iter().map(name).collect();
        }
        if self.has_blocks() {
            let named = |block: Vec<usize>| block.into_iter().map(name).collect::<Value>();
            solution["blocks"] = self.blocks(elements).into_iter().map(named).collect();
        }
        solution
    }

    /// Whether solutions are partitions of the vertices into blocks.
    fn has_blocks(&self) -> bool {
        matches!(self.family, Some(Family::Partitions { .. }))
    }

    /// The blocks of a partition in a line.
    fn blocks_line(&self, edges: &[Element]) -> String {
        let name = |vertex| Name::Label(self.graph.vertex_name(vertex)).printed();
        let block = |block: Vec<usize>| block.into_iter().map(name).collect::<Vec<_>>().join(" ");
        self.blocks(edges).into_iter().map(block).collect::<Vec<_>>().join(" | ")
    }

    /// Returns the components of a set of edges, single vertices included, each ascending.
    pub fn blocks(&self, edges: &[Element]) -> Vec<Vec<usize>> {
        let ends = edges.iter().map(|edge| self.graph.edges()[edge.index]);
        let graph = Graph::new(self.graph.num_vertices(), ends).expect("the edges of a graph");
        let mut blocks: Vec<Vec<usize>> = vec![Vec::new(); graph.num_vertices()];
        for (vertex, block) in graph.components().into_iter().enumerate() {
            blocks[block].push(vertex);
        }
        blocks.retain(|block| !block.is_empty());
        blocks
    }

    /// The vertices of a path or cycle in a line.
    fn walk_line(&self, edges: &[Element]) -> Option<String> {
        let name = |vertex| Name::Label(self.graph.vertex_name(vertex)).printed();
        let names: Vec<String> = self.walk(edges)?.into_iter().map(name).collect();
        let names = names.join(if self.graph.is_directed() { " > " } else { " - " });
        let parallel = edges.iter().filter(|edge| self.has_parallel(edge.index));
        let parallel: Vec<&str> = parallel.map(|edge| &edge.name[..]).collect();
        if parallel.is_empty() {
            return Some(names);
        }
        // The vertices do not determine the edges.
        Some(format!("{names} ({})", parallel.join(", ")))
    }

    /// The vertices of a path or cycle in their order, the first vertex of a cycle also as the last; `None` for
    /// other families.
    fn walk(&self, edges: &[Element]) -> Option<Vec<usize>> {
        let edges: Vec<usize> = edges.iter().map(|edge| edge.index).collect();
        let mut vertices = self.walks.as_ref()?.to_sequence(&edges).ok()?;
        if matches!(self.family, Some(Family::Cycles { .. })) {
            vertices.push(vertices[0]);
        }
        Some(vertices)
    }

    /// Whether another edge joins the same vertices, in a directed graph in the same direction.
    fn has_parallel(&self, edge: usize) -> bool {
        let (a, b) = self.graph.edges()[edge];
        let joins = |&other: &usize| {
            let ends = self.graph.edges()[other];
            other != edge && (ends == (a, b) || !self.graph.is_directed() && ends == (b, a))
        };
        self.graph.incident(a).iter().any(joins)
    }
}

/// The texts of elements.
fn texts(elements: &[Element]) -> Vec<String> {
    elements.iter().map(ToString::to_string).collect()
}

/// Returns the names of the vertices.
pub fn vertex_names(graph: &Graph) -> Vec<Name> {
    (0..graph.num_vertices()).map(|vertex| Name::Label(graph.vertex_name(vertex))).collect()
}

/// Returns the names of the edges: their labels if these are distinct, the labels of their ends otherwise. An
/// edge without a label has the name of its ends. Of parallel edges, the second and later ones have a
/// number.
pub fn edge_names(graph: &Graph) -> Vec<Name> {
    let sign = if graph.is_directed() { Sign::Arrow } else { Sign::Line };
    let mut seen: HashMap<(usize, usize), usize> = HashMap::new();
    let by_ends = graph.edges().iter().map(|&(a, b)| {
        let ends = if graph.is_directed() { (a, b) } else { (a.min(b), a.max(b)) };
        let nth = *seen.entry(ends).and_modify(|count| *count += 1).or_insert(1);
        Name::Ends { from: graph.vertex_name(a), sign, to: graph.vertex_name(b), nth }
    });
    let by_ends: Vec<Name> = by_ends.collect();
    let Some(labels) = graph.edge_labels() else { return by_ends };
    let named = labels.iter().zip(&by_ends).map(|(label, ends)| match &label[..] {
        "" => ends.clone(),
        label => Name::EdgeLabel(label.to_owned()),
    });
    let named: Vec<Name> = named.collect();
    // A label such as `a-b` would be taken for the ends of another edge.
    let are_distinct = named.iter().map(Name::plain).collect::<HashSet<_>>().len() == named.len();
    if are_distinct { named } else { by_ends }
}

/// The graph of a family as it is stored with a diagram, in JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphRecord {
    /// What an element is.
    pub unit: Unit,
    /// Whether edges have directions.
    pub directed: bool,
    /// The labels.
    pub vertices: Vec<String>,
    /// The ends of each edge, as positions in `vertices`.
    pub edges: Vec<(usize, usize)>,
    /// The labels of the edges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge_labels: Option<Vec<String>>,
    /// The position of each vertex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<Vec<(f64, f64)>>,
}

impl GraphRecord {
    /// Makes the graph.
    ///
    /// # Errors
    ///
    /// The errors of [`Graph::new`] and of labels and positions, if the file is forged.
    pub fn graph(&self) -> Result<Graph, GraphError> {
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

    /// Returns the union with another graph, in which the vertices and edges of this graph come first, and the element of each
    /// variable. `variables` has the element of both graphs for each variable. `None` if the graphs are of different
    /// kinds, or if the elements of a variable are not the same.
    pub fn union(
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
