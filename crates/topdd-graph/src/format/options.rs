//! Options of reading.

use super::{FormatError, GraphFormat, Remedy};

/// Options of [`read`](super::read) and [`read_named`](super::read_named).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GraphReadOptions {
    pub(super) directed: Option<bool>,
    pub(super) decimal_weights: bool,
    pub(super) unchecked_weights: bool,
    pub(super) decimal_comma: bool,
    pub(super) merge_directions: Option<bool>,
    pub(super) weight_attribute: Option<String>,
    pub(super) edge_weight_attribute: Option<String>,
    pub(super) label_attribute: Option<String>,
    pub(super) columns: Vec<String>,
    pub(super) vertex_columns: Vec<String>,
}

impl GraphReadOptions {
    /// Sets whether the graph is directed. By default, that is as the file states; a file in a
    /// format without directions is undirected, and one with edges of both kinds is refused.
    #[must_use]
    pub fn directed(mut self, directed: bool) -> Self {
        self.directed = Some(directed);
        self
    }

    /// Sets whether weights may have decimals, such as probabilities. Then they are in
    /// [`ElementData::numbers`](super::ElementData::numbers), and the graph has weights of
    /// edges, or of vertices, only if all of them are whole.
    ///
    /// ```
    /// use topdd_graph::format::{self, GraphFormat, GraphReadOptions};
    ///
    /// let options = GraphReadOptions::default().decimal_weights(true);
    /// let file = format::read(b"a b 0.95\nb c 1\n", GraphFormat::EdgeList, &options)?;
    /// assert_eq!(file.edges.numbers, Some(vec![0.95, 1.0]));
    /// # Ok::<(), format::FormatError>(())
    /// ```
    #[must_use]
    pub fn decimal_weights(mut self, decimal_weights: bool) -> Self {
        self.decimal_weights = decimal_weights;
        self
    }

    /// Sets whether weights that are missing, or no finite numbers, are left for later. Then the graph has no weights of
    /// edges, or of vertices, and the error is
    /// [`ElementData::weight_error`](super::ElementData::weight_error). By default, reading fails.
    ///
    /// ```
    /// use topdd_graph::format::{self, GraphFormat, GraphReadOptions};
    ///
    /// let options = GraphReadOptions::default().unchecked_weights(true);
    /// let file = format::read(b"a b 3\nb c nan\n", GraphFormat::EdgeList, &options)?;
    /// assert_eq!((file.graph.num_edges(), file.graph.weights()), (2, None));
    /// assert_eq!(file.edges.weight_error.unwrap().line(), Some(2));
    /// # Ok::<(), format::FormatError>(())
    /// ```
    #[must_use]
    pub fn unchecked_weights(mut self, unchecked_weights: bool) -> Self {
        self.unchecked_weights = unchecked_weights;
        self
    }

    /// Sets whether numbers have a decimal comma, as in `30,5`. Then commas do not separate words in edge lists,
    /// or in tables without double quotes. By default, numbers have a decimal comma in tables with semicolons between
    /// the columns, if at least one of the commas cannot separate thousands.
    ///
    /// ```
    /// use topdd_graph::format::{self, GraphFormat, GraphReadOptions};
    ///
    /// let options = GraphReadOptions::default().decimal_weights(true).decimal_comma(true);
    /// let file = format::read(b"a b 30,5\nb c 1,250\n", GraphFormat::EdgeList, &options)?;
    /// assert_eq!(file.edges.numbers, Some(vec![30.5, 1.25]));
    /// # Ok::<(), format::FormatError>(())
    /// ```
    #[must_use]
    pub fn decimal_comma(mut self, decimal_comma: bool) -> Self {
        self.decimal_comma = decimal_comma;
        self
    }

    /// Sets whether an edge in both directions, as `a b` and as `b a`, is one edge, or two parallel edges, in files that
    /// are read as undirected. Only edges with the same weight and label become one.
    ///
    /// By default, it is one edge if the file lists every edge in both directions, and a
    /// [note](super::GraphFile::notes) states that. If the file also lists
    /// edges in one direction only, both edges of a pair are kept as parallel edges, and a directed file is an
    /// error. METIS files, and GraphML and JSON files that state that they are undirected,
    /// are read as they are.
    ///
    /// ```
    /// use topdd_graph::format::{self, GraphFormat, GraphReadOptions};
    ///
    /// let text = b"p edge 2 2\ne 1 2\ne 2 1\n";
    /// let edges = |options| {
    ///     format::read(text, GraphFormat::Dimacs, &options).map(|file| file.graph.num_edges())
    /// };
    /// assert_eq!(edges(GraphReadOptions::default())?, 1);
    /// assert_eq!(edges(GraphReadOptions::default().merge_directions(false))?, 2);
    /// # Ok::<(), format::FormatError>(())
    /// ```
    #[must_use]
    pub fn merge_directions(mut self, merge_directions: bool) -> Self {
        self.merge_directions = Some(merge_directions);
        self
    }

    /// Sets the attribute, or the column, that is the weight of edges and of vertices, in place of `weight`.
    /// For GraphML, JSON, CSV, and the attributes that networkx writes into edge lists.
    ///
    /// ```
    /// use topdd_graph::format::{self, GraphFormat, GraphReadOptions};
    ///
    /// let options = GraphReadOptions::default().weight_attribute("km");
    /// let file = format::read(b"a b {'km': 97}\n", GraphFormat::EdgeList, &options)?;
    /// assert_eq!(file.graph.weight(0), 97);
    /// # Ok::<(), format::FormatError>(())
    /// ```
    #[must_use]
    pub fn weight_attribute(mut self, name: impl Into<String>) -> Self {
        self.weight_attribute = Some(name.into());
        self
    }

    /// Sets the attribute, or the column, that is the weight of edges, in place of the one of
    /// [`weight_attribute`](Self::weight_attribute), which stays the weight of vertices.
    #[must_use]
    pub fn edge_weight_attribute(mut self, name: impl Into<String>) -> Self {
        self.edge_weight_attribute = Some(name.into());
        self
    }

    /// Sets the attribute that is the label of a vertex, in place of `label` and `name` in GraphML and of the id
    /// in JSON.
    ///
    /// ```
    /// # #[cfg(feature = "json")] {
    /// use topdd_graph::format::{self, GraphFormat, GraphReadOptions};
    ///
    /// let options = GraphReadOptions::default().label_attribute("city");
    /// let text = br#"{"nodes": [{"id": 0, "city": "Oslo"}], "edges": []}"#;
    /// let file = format::read(text, GraphFormat::Json, &options)?;
    /// assert_eq!(file.graph.vertex("Oslo"), Some(0));
    /// # }
    /// # Ok::<(), topdd_graph::format::FormatError>(())
    /// ```
    #[must_use]
    pub fn label_attribute(mut self, name: impl Into<String>) -> Self {
        self.label_attribute = Some(name.into());
        self
    }

    /// Sets the columns that are the ends of an edge and, if there is a third, its weight: names, or numbers from 1. An
    /// edge list has numbers only.
    ///
    /// ```
    /// # #[cfg(feature = "csv")] {
    /// use topdd_graph::format::{self, GraphFormat, GraphReadOptions};
    ///
    /// let text = b"road,start,end,km\nA1,Bern,Basel,97\n";
    /// let options = GraphReadOptions::default().columns(["start", "end", "km"]);
    /// let file = format::read(text, GraphFormat::Csv, &options)?;
    /// assert_eq!((file.graph.vertex("Basel"), file.graph.weight(0)), (Some(1), 97));
    /// # }
    /// # Ok::<(), topdd_graph::format::FormatError>(())
    /// ```
    #[must_use]
    pub fn columns<C: Into<String>>(mut self, columns: impl IntoIterator<Item = C>) -> Self {
        self.columns = columns.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the columns of a [table of vertices](super::GraphFile::with_vertices) that are the names and, if there is
    /// a second one, the weights: names, or numbers from 1.
    #[must_use]
    pub fn vertex_columns<C: Into<String>>(mut self, columns: impl IntoIterator<Item = C>) -> Self {
        self.vertex_columns = columns.into_iter().map(Into::into).collect();
        self
    }

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
