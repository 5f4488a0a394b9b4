//! Options of reading.

use super::{FormatError, GraphFormat, Remedy};

/// Options of [`read`](super::read) and [`read_named`](super::read_named).
///
/// ```
/// use topdd_graph::format::{self, GraphFormat, GraphReadOptions};
///
/// let options = GraphReadOptions { decimal_weights: true, ..GraphReadOptions::default() };
/// let file = format::read(b"a b 0.95\nb c 1\n", GraphFormat::EdgeList, &options)?;
/// assert_eq!(file.edges.numbers, Some(vec![0.95, 1.0]));
/// # Ok::<(), format::FormatError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphReadOptions {
    /// Whether the graph is directed. By default, that is as the file states; a file in a
    /// format without directions is undirected, and one with edges of both kinds is refused.
    pub directed: Option<bool>,
    /// Whether weights may have decimals, such as probabilities. Then they are in
    /// [`ElementData::numbers`](super::ElementData::numbers), and the graph has weights of
    /// edges, or of vertices, only if all of them are whole.
    pub decimal_weights: bool,
    /// Whether weights that are missing, or no finite numbers, are left for later. Then the graph has no weights of
    /// edges, or of vertices, and the error is
    /// [`ElementData::weight_error`](super::ElementData::weight_error). By default, reading fails.
    pub unchecked_weights: bool,
    /// Whether numbers have a decimal comma, as in `30,5`. Then commas do not separate words in edge lists,
    /// or in tables without double quotes. By default, numbers have a decimal comma in tables with semicolons between
    /// the columns, if at least one of the commas cannot separate thousands.
    pub decimal_comma: bool,
    /// Whether an edge in both directions, as `a b` and as `b a`, is one edge, or two parallel edges, in files that
    /// are read as undirected. Only edges with the same weight and label become one.
    ///
    /// By default, it is one edge if the file lists every edge in both directions, and a
    /// [note](super::GraphFile::notes) states that. If the file also lists
    /// edges in one direction only, both edges of a pair are kept as parallel edges, and a directed file is an
    /// error. METIS files, and GraphML and JSON files that state that they are undirected,
    /// are read as they are.
    pub merge_directions: Option<bool>,
    /// The attribute, or the column, that is the weight of edges and of vertices, in place of `weight`.
    /// For GraphML, JSON, CSV, and the attributes that networkx writes into edge lists.
    pub weight_attribute: Option<String>,
    /// The attribute, or the column, that is the weight of edges, in place of the one of
    /// [`weight_attribute`](Self::weight_attribute), which stays the weight of vertices.
    pub edge_weight_attribute: Option<String>,
    /// The attribute that is the label of a vertex, in place of `label` and `name` in GraphML and of the id
    /// in JSON.
    pub label_attribute: Option<String>,
    /// The columns that are the ends of an edge and, if there is a third, its weight: names, or numbers from 1. An
    /// edge list has numbers only.
    pub columns: Vec<String>,
    /// The columns of a [table of vertices](super::GraphFile::with_vertices) that are the names and, if there is
    /// a second one, the weights: names, or numbers from 1.
    pub vertex_columns: Vec<String>,
}

impl GraphReadOptions {
    /// Fails if an option has no meaning for a format.
    pub(super) fn check(&self, format: GraphFormat) -> Result<(), FormatError> {
        let has_columns = matches!(format, GraphFormat::EdgeList | GraphFormat::Csv);
        let has_labels = matches!(format, GraphFormat::GraphMl | GraphFormat::Json);
        let (what, remedy) = if !self.columns.is_empty() && !has_columns {
            ("columns", Remedy::NoColumns)
        } else if self.label_attribute.is_some() && !has_labels {
            ("attributes of vertices", Remedy::NoLabelAttribute)
        } else {
            return Ok(());
        };
        let message = format!("the file is read as `{format}`, which has no {what}");
        Err(FormatError::new(message).or(remedy))
    }

    /// The attribute that is the weight of edges, if one is set.
    pub(super) fn chosen_edge_weight(&self) -> Option<&String> {
        self.edge_weight_attribute.as_ref().or(self.weight_attribute.as_ref())
    }

    /// The name of the attribute that is the weight of edges.
    pub(super) fn edge_weight_name(&self) -> &str {
        self.chosen_edge_weight().map_or("weight", |name| name)
    }

    /// The name of the attribute that is the weight of vertices.
    pub(super) fn vertex_weight_name(&self) -> &str {
        self.weight_attribute.as_deref().unwrap_or("weight")
    }
}
