//! The kinds of families: at run time, and as marks of types.

use std::fmt;

use crate::Graph;

/// What a variable of a family stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "lowercase"))]
pub enum Unit {
    /// Whether an edge is in the set.
    Edge,
    /// Whether a vertex is in the set.
    Vertex,
    /// The colour of a vertex.
    Colour,
}

impl Unit {
    /// Returns the word for one element: `edge` or `vertex`.
    pub fn noun(self) -> &'static str {
        match self {
            Unit::Edge => "edge",
            Unit::Vertex | Unit::Colour => "vertex",
        }
    }

    /// The number of edges or vertices of a graph.
    pub(crate) fn elements(self, graph: &Graph) -> usize {
        match self {
            Unit::Edge => graph.num_edges(),
            Unit::Vertex | Unit::Colour => graph.num_vertices(),
        }
    }
}

/// The edges or vertices that variables stand for.
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unit::Edge => "edges",
            Unit::Vertex | Unit::Colour => "vertices",
        })
    }
}

/// Marks a [`GraphSets`](crate::families::GraphSets) of edge sets.
#[derive(Clone, Copy, Debug)]
pub enum Edges {}

/// Marks a [`GraphSets`](crate::families::GraphSets) of vertex sets.
#[derive(Clone, Copy, Debug)]
pub enum Vertices {}

/// Marks a [`GraphSets`](crate::families::GraphSets) of colourings.
#[derive(Clone, Copy, Debug)]
pub enum Colours {}

/// Marks a [`GraphSets`](crate::families::GraphSets) that may be of any kind; see [`into_any`](crate::families::GraphSets::into_any).
#[derive(Clone, Copy, Debug)]
pub enum Any {}

/// Families of sets: [`Edges`] and [`Vertices`], and [`Any`], which is checked at run time.
pub trait OfSets {}

impl OfSets for Edges {}
impl OfSets for Vertices {}
impl OfSets for Any {}
