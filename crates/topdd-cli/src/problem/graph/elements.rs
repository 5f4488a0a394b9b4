//! The edges and vertices of solutions as they are written, by a run and from a saved diagram.

use std::fmt;

use serde_json::{Value, json};
use topdd_draw::GraphPicture;
use topdd_graph::Graph;
use topdd_graph::families::{self, EdgeSets, FamilyKind, Unit};

use super::{GraphRecord, Part, input};
use crate::args::Family;
use crate::names::{Name, split_list};

/// The empty set in a line.
pub(crate) const NO_ELEMENTS: &str = "(empty)";

/// An edge or a vertex of a solution, or a vertex and its colour.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Element {
    /// The edge, or the vertex, in the order of the file.
    pub(super) index: usize,
    /// The colour; 1 for members of a set.
    pub(super) value: usize,
    name: String,
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl Part for Element {
    type Picture = GraphPicture;
}

/// The edges or vertices of a graph that solutions consist of.
#[derive(Clone, Debug)]
pub(crate) struct GraphElements {
    pub(super) graph: Graph,
    unit: Unit,
    /// The kind of the family; none for a combination of several.
    kind: Option<FamilyKind>,
    /// Of paths and cycles, the family, which finds the order of vertices.
    walks: Option<EdgeSets>,
    /// The vertices that define the family, such as the ends of paths, each with its role.
    #[cfg(feature = "web")]
    roles: Vec<(usize, &'static str)>,
    /// The name of each edge, or vertex.
    names: Vec<Name>,
    /// The same as they are printed.
    printed: Vec<String>,
}

impl GraphElements {
    pub(crate) fn new(family: Option<&Family>, unit: Unit, graph: Graph) -> Self {
        let names = match unit {
            Unit::Edge => input::edge_names(&graph),
            Unit::Vertex | Unit::Colour => input::vertex_names(&graph),
        };
        let kind = family.map(|family| family.kind);
        let find = |text: &str| input::vertex(text, |label| graph.vertex(label));
        let vertices = |(list, role)| {
            let names = split_list(list, |name| find(name).is_some()).unwrap_or_default();
            let vertices = names.into_iter().filter_map(find);
            vertices.map(|vertex| (vertex, role)).collect::<Vec<_>>()
        };
        let lists = family.map_or_else(Vec::new, Family::roles);
        let roles: Vec<_> = lists.into_iter().flat_map(vertices).collect();
        let start = roles.iter().find(|(_, role)| *role == "start").map(|(vertex, _)| *vertex);
        let walks = match (kind, start) {
            (Some(FamilyKind::Paths), Some(start)) => Some(families::paths_from(&graph, start)),
            (Some(FamilyKind::Paths), None) => Some(families::all_paths(&graph)),
            (Some(FamilyKind::Cycles), _) => Some(families::cycles(&graph)),
            _ => None,
        };
        let printed = names.iter().map(Name::printed).collect();
        GraphElements {
            graph,
            unit,
            kind,
            walks,
            #[cfg(feature = "web")]
            roles,
            names,
            printed,
        }
    }

    /// The elements that were stored with a diagram; `None` if they do not fit it.
    pub(crate) fn from_record(
        family: Option<&Family>,
        record: &GraphRecord,
        order: &[usize],
    ) -> Option<Self> {
        let elements = Self::new(family, record.unit, record.graph().ok()?);
        order.iter().all(|&index| index < elements.names.len()).then_some(elements)
    }

    pub(crate) fn record(&self) -> GraphRecord {
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

    pub(crate) fn unit(&self) -> Unit {
        self.unit
    }

    /// The names of the elements, in the order of the file.
    pub(crate) fn names(&self) -> &[Name] {
        &self.names
    }

    /// The map of the graph for the page of the configurator: points, edges, and the element of each variable.
    #[cfg(feature = "web")]
    pub(crate) fn map(&self, order: &[usize]) -> Value {
        json!({
            "of_edges": self.unit == Unit::Edge,
            "coloured": self.unit == Unit::Colour,
            "labels": order.iter().map(|&index| &self.printed[index]).collect::<Vec<_>>(),
            "points": GraphPicture::new(&self.graph).points(),
            "names": (0..self.graph.num_vertices()).map(|v| self.graph.vertex_name(v)).collect::<Vec<_>>(),
            "roles": self.roles,
            "edges": self.graph.edges(),
            "directed": self.graph.is_directed(),
            "order": order,
        })
    }

    /// The elements of a solution, ascending; `order` has the element of each variable.
    pub(crate) fn read(&self, order: &[usize], solution: &[usize]) -> Vec<Element> {
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

    /// The elements in a line.
    pub(crate) fn line(&self, elements: &[Element]) -> String {
        if self.has_blocks() {
            return self.blocks_line(elements);
        }
        if elements.is_empty() {
            return NO_ELEMENTS.to_owned();
        }
        self.walk_line(elements).unwrap_or_else(|| super::names(elements).join(" "))
    }

    /// The elements as JSON.
    pub(crate) fn json(&self, elements: &[Element]) -> Value {
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
        self.kind == Some(FamilyKind::Partitions)
    }

    /// The blocks of a partition in a line.
    fn blocks_line(&self, edges: &[Element]) -> String {
        let name = |vertex| Name::Label(self.graph.vertex_name(vertex)).printed();
        let block = |block: Vec<usize>| block.into_iter().map(name).collect::<Vec<_>>().join(" ");
        self.blocks(edges).into_iter().map(block).collect::<Vec<_>>().join(" | ")
    }

    /// The components of a set of edges, single vertices included, each ascending.
    pub(super) fn blocks(&self, edges: &[Element]) -> Vec<Vec<usize>> {
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
        if self.kind == Some(FamilyKind::Cycles) {
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
