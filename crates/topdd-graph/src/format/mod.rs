//! Graphs as files: edge lists, DIMACS, METIS, GraphML and the JSON of networkx.
//!
//! | format | endings | feature | labels | weights | vertex weights | positions | directed |
//! | --- | --- | --- | --- | --- | --- | --- | --- |
//! | [`EdgeList`](GraphFormat::EdgeList) | any other | | yes | yes | | | by option |
//! | [`Dimacs`](GraphFormat::Dimacs) | `.col`, `.gr`, `.dimacs` | | 1, 2, .. | yes | yes | | `p sp` |
//! | [`Metis`](GraphFormat::Metis) | `.metis`, `.graph` | | 1, 2, .. | yes | yes | | no |
//! | [`GraphMl`](GraphFormat::GraphMl) | `.graphml`, `.xml` | `graphml` | yes | yes | yes | yes | yes |
//! | [`Json`](GraphFormat::Json) | `.json` | `json` | yes | yes | yes | yes | yes |
//!
//! [`read`] makes a [`GraphFile`] of bytes, and [`write()`] text of a graph. Edges keep the order of
//! the file. Weights are whole numbers, unless [`GraphReadOptions::decimal_weights`] is set; an edge without one
//! has weight 1 if others have one.
//!
//! The feature `petgraph` adds conversions from and to the graphs of that crate.
//!
//! # Example
//!
//! ```
//! use topdd_graph::format::{self, GraphFormat, GraphReadOptions};
//!
//! let text = b"# from to weight\nME NH 5\nNH VT 2\nVT NY 4\nHI\n";
//! let file = format::read(text, GraphFormat::EdgeList, GraphReadOptions::default())?;
//! assert_eq!(file.graph.num_vertices(), 5);
//! assert_eq!(file.graph.vertex("VT"), Some(2));
//! assert_eq!(file.graph.weight(2), 4);
//! assert_eq!(file.edge_lines, [2, 3, 4]);
//!
//! let error = format::read(b"p edge 2 1\ne 1 3\n", GraphFormat::Dimacs, GraphReadOptions::default());
//! assert_eq!(
//!     error.unwrap_err().to_string(),
//!     "line 2: vertex 3 is out of range; the vertices are 1 to 2, by the line `p`"
//! );
//! # Ok::<(), format::FormatError>(())
//! ```

mod dimacs;
mod edge_list;
#[cfg(feature = "graphml")]
mod graphml;
#[cfg(feature = "json")]
mod json;
mod metis;
#[cfg(feature = "petgraph")]
mod petgraph;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;

use thiserror::Error;

use super::Graph;

/// A format of graph files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GraphFormat {
    /// One edge per line: `a b` or `a b weight`. A vertex is any text without blanks, other than a
    /// negative number. A line with a single vertex adds it, and is needed for isolated ones. `#` at
    /// the start of a word begins a comment. Vertices are numbered in the order of the file.
    EdgeList,
    /// The lines of DIMACS: `p edge N M` (or `p col`) with edges `e A B`, undirected, or `p sp N M`
    /// with edges `a A B WEIGHT`, directed. `c` is a comment, `n A WEIGHT` the weight of a vertex.
    /// As in the instances of the International Competition on Graph Counting Algorithms, `l L` is
    /// a largest length and `t A B ..` are terminals. Vertices are numbered from 1.
    Dimacs,
    /// The adjacency lists of METIS: a line `N M [FORMAT [CONSTRAINTS]]`, and one line for each
    /// vertex. `%` is a comment. An edge is in the lists of both its ends. Vertices are numbered
    /// from 1.
    Metis,
    /// GraphML, without nested graphs, hyperedges and ports. The vertices have the labels of the nodes if
    /// these are distinct, and the ids otherwise. Feature `graphml`.
    GraphMl,
    /// The node-link JSON of networkx. The label of a tuple is its JSON, such as `[0,1]`. Feature
    /// `json`.
    Json,
}

impl GraphFormat {
    /// All formats, with their names.
    const NAMES: [(&'static str, GraphFormat); 5] = [
        ("edges", GraphFormat::EdgeList),
        ("dimacs", GraphFormat::Dimacs),
        ("metis", GraphFormat::Metis),
        ("graphml", GraphFormat::GraphMl),
        ("json", GraphFormat::Json),
    ];

    /// Returns the format by the ending of a name: [`EdgeList`](GraphFormat::EdgeList) if the ending
    /// is none of those in the [table](self).
    ///
    /// ```
    /// use topdd_graph::format::GraphFormat;
    ///
    /// assert_eq!(GraphFormat::of_path("maps/states.col"), GraphFormat::Dimacs);
    /// assert_eq!(GraphFormat::of_path("states.txt"), GraphFormat::EdgeList);
    /// ```
    pub fn of_path(path: impl AsRef<Path>) -> Self {
        let ending = path.as_ref().extension().map(OsStr::to_ascii_lowercase);
        match ending.as_ref().and_then(|ending| ending.to_str()) {
            Some("col" | "gr" | "dimacs") => GraphFormat::Dimacs,
            Some("metis" | "graph") => GraphFormat::Metis,
            Some("graphml" | "xml") => GraphFormat::GraphMl,
            Some("json") => GraphFormat::Json,
            _ => GraphFormat::EdgeList,
        }
    }

    /// Returns the name: `edges`, `dimacs`, `metis`, `graphml` or `json`. [`FromStr`] reads it.
    pub fn name(self) -> &'static str {
        let named = Self::NAMES.iter().find(|(_, format)| *format == self);
        named.map_or("", |(name, _)| name)
    }
}

impl FromStr for GraphFormat {
    type Err = FormatError;

    fn from_str(name: &str) -> Result<Self, FormatError> {
        let named = Self::NAMES.iter().find(|(other, _)| *other == name);
        named.map(|&(_, format)| format).ok_or_else(|| {
            let names = Self::NAMES.map(|(name, _)| name).join(", ");
            FormatError::new(format!("there is no format `{name}`; the formats are {names}"))
        })
    }
}

/// Options of [`read`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GraphReadOptions {
    directed: Option<bool>,
    decimal_weights: bool,
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
    /// [`GraphFile::edge_numbers`] and [`GraphFile::vertex_numbers`], and the graph has weights of
    /// edges, or of vertices, only if all of them are whole.
    ///
    /// ```
    /// use topdd_graph::format::{self, GraphFormat, GraphReadOptions};
    ///
    /// let options = GraphReadOptions::default().decimal_weights(true);
    /// let file = format::read(b"a b 0.95\nb c 1\n", GraphFormat::EdgeList, options)?;
    /// assert_eq!(file.edge_numbers, Some(vec![0.95, 1.0]));
    /// # Ok::<(), format::FormatError>(())
    /// ```
    #[must_use]
    pub fn decimal_weights(mut self, decimal_weights: bool) -> Self {
        self.decimal_weights = decimal_weights;
        self
    }
}

/// A graph read from a file, with the other content of the file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GraphFile {
    /// The graph. Its vertices have labels, unless these would be 0, 1, 2, ..
    pub graph: Graph,
    /// The line of each edge, counted from 1.
    pub edge_lines: Vec<usize>,
    /// The weights of the edges with their decimals, if [`GraphReadOptions::decimal_weights`] is set and
    /// the file has weights. An edge without one has 1.
    pub edge_numbers: Option<Vec<f64>>,
    /// The same for the weights of the vertices.
    pub vertex_numbers: Option<Vec<f64>>,
    /// The largest length of a path (`l` of DIMACS files).
    pub max_length: Option<usize>,
    /// The terminals (`t` of DIMACS files), as vertices of the graph.
    pub terminals: Vec<usize>,
}

/// An error in a graph file: the line, and a message that states the remedy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{message}", .line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct FormatError {
    line: Option<usize>,
    message: String,
}

impl FormatError {
    fn new(message: impl Into<String>) -> Self {
        Self { line: None, message: message.into() }
    }

    fn at(line: usize, message: impl Into<String>) -> Self {
        Self { line: Some(line), message: message.into() }
    }

    /// Returns the line, counted from 1; `None` for errors of the whole file or graph.
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// Returns the message without the line.
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// Reads a graph. Takes time and memory linear in the size of the file; numbers in headers allocate
/// nothing beyond that and some megabytes.
///
/// # Errors
///
/// A [`FormatError`] for bytes that are not a graph in this format, or if the feature of the format is
/// off.
pub fn read(
    bytes: &[u8],
    format: GraphFormat,
    options: GraphReadOptions,
) -> Result<GraphFile, FormatError> {
    let text = str::from_utf8(bytes).map_err(|error| {
        let line = line_of(bytes, error.valid_up_to());
        FormatError::at(line, "the file is not UTF-8 text; convert it, or check the format")
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let draft = match format {
        GraphFormat::EdgeList => edge_list::read(text),
        GraphFormat::Dimacs => dimacs::read(text),
        GraphFormat::Metis => metis::read(text),
        #[cfg(feature = "graphml")]
        GraphFormat::GraphMl => graphml::read(text),
        #[cfg(feature = "json")]
        GraphFormat::Json => json::read(text),
        #[cfg(not(all(feature = "graphml", feature = "json")))]
        _ => Err(without_feature(format)),
    };
    draft?.finish(options)
}

/// Writes a graph as text, without the properties that the format cannot express: see the
/// [table](self).
/// [`EdgeList`](GraphFormat::EdgeList) and [`Metis`](GraphFormat::Metis) leave out directions.
///
/// # Errors
///
/// A [`FormatError`] if a label cannot be written in this format, if METIS is to store a loop or
/// parallel edges, or if the feature of the format is off.
///
/// # Example
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::format::{self, GraphFormat};
///
/// let text = format::write(&Graph::grid(1, 3), GraphFormat::Dimacs)?;
/// assert_eq!(text, "p edge 3 2\ne 1 2\ne 2 3\n");
/// # Ok::<(), format::FormatError>(())
/// ```
pub fn write(graph: &Graph, format: GraphFormat) -> Result<String, FormatError> {
    match format {
        GraphFormat::EdgeList => edge_list::write(graph),
        GraphFormat::Dimacs => Ok(dimacs::write(graph)),
        GraphFormat::Metis => metis::write(graph),
        #[cfg(feature = "graphml")]
        GraphFormat::GraphMl => graphml::write(graph),
        #[cfg(feature = "json")]
        GraphFormat::Json => json::write(graph),
        #[cfg(not(all(feature = "graphml", feature = "json")))]
        _ => Err(without_feature(format)),
    }
}

#[cfg(not(all(feature = "graphml", feature = "json")))]
fn without_feature(format: GraphFormat) -> FormatError {
    let name = format.name();
    FormatError::new(format!(
        "this program was built without the format {name}; enable the feature `{name}` of topdd-graph"
    ))
}

/// The line of a byte, counted from 1.
fn line_of(bytes: &[u8], offset: usize) -> usize {
    let before = &bytes[..offset.min(bytes.len())];
    before.split(|&byte| byte == b'\n').count()
}

/// The largest number of vertices that a header may announce beyond those that the size of the
/// file allows.
const MAX_ANNOUNCED: usize = 1 << 20;

/// The content of a file, before the graph is made of it.
#[derive(Debug, Default)]
struct Draft {
    directed: bool,
    /// The line of an edge that is directed in an undirected graph, or the other way round.
    mixed: Option<usize>,
    /// The label of each vertex.
    labels: Vec<String>,
    edges: Vec<DraftEdge>,
    vertex_weights: Vec<(usize, DraftWeight, usize)>,
    positions: Vec<(usize, (f64, f64))>,
    max_length: Option<usize>,
    terminals: Vec<usize>,
}

#[derive(Debug)]
struct DraftEdge {
    ends: (usize, usize),
    line: usize,
    weight: Option<DraftWeight>,
    label: Option<String>,
}

/// The weight of an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
enum DraftWeight {
    Whole(i64),
    Decimal(f64),
}

impl DraftWeight {
    /// A number that may be written as 2.0.
    fn of(number: f64) -> Option<Self> {
        // Floating-point numbers are exact integers up to 2^53.
        let is_whole = number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0;
        let weight = if is_whole { Self::Whole(number as i64) } else { Self::Decimal(number) };
        number.is_finite().then_some(weight)
    }

    /// Reads the weight of an edge.
    fn parse(word: &str, line: usize) -> Result<Self, FormatError> {
        let decimal = || word.parse().ok().and_then(Self::of);
        word.parse().ok().map(Self::Whole).or_else(decimal).ok_or_else(|| no_number(word, line))
    }

    fn whole(self, line: usize) -> Result<i64, FormatError> {
        match self {
            Self::Whole(weight) => Ok(weight),
            Self::Decimal(number) => {
                let message = format!(
                    "the weight `{number}` is not a whole number of 64 bits; scale or round it"
                );
                Err(FormatError::at(line, message))
            }
        }
    }

    fn number(self) -> f64 {
        match self {
            Self::Whole(weight) => weight as f64,
            Self::Decimal(number) => number,
        }
    }
}

impl Draft {
    /// A draft with the vertices `1..=vertices`.
    fn numbered_from_one(vertices: usize) -> Self {
        let labels = (1..=vertices).map(|vertex| vertex.to_string()).collect();
        Self { labels, ..Self::default() }
    }

    fn finish(self, options: GraphReadOptions) -> Result<GraphFile, FormatError> {
        let vertices = self.labels.len();
        let ends: Vec<_> = self.edges.iter().map(|edge| edge.ends).collect();
        if let (None, Some(line)) = (options.directed, self.mixed) {
            let (edge, graph) =
                if self.directed { ("undirected", "directed") } else { ("directed", "undirected") };
            let message = format!(
                "the edge is {edge} in a graph that is {graph}; read all edges as directed or as undirected"
            );
            return Err(FormatError::at(line, message));
        }
        let graph = if options.directed.unwrap_or(self.directed) {
            Graph::directed(vertices, ends)
        } else {
            Graph::new(vertices, ends)
        };
        let failed = |error: super::GraphError| FormatError::new(error.to_string());
        let mut graph = graph.map_err(failed)?;
        let is_number = |(number, label): (usize, &String)| *label == number.to_string();
        if !self.labels.iter().enumerate().all(is_number) {
            graph = graph.with_vertex_labels(self.labels).map_err(failed)?;
        }
        let edge_weights = self.edges.iter().map(|edge| (edge.weight, edge.line));
        let (weights, edge_numbers) = weights(edge_weights, options)?;
        if let Some(weights) = weights {
            graph = graph.with_weights(weights).map_err(failed)?;
        }
        if self.edges.iter().any(|edge| edge.label.is_some()) {
            let labels = self.edges.iter().map(|edge| edge.label.clone().unwrap_or_default());
            graph = graph.with_edge_labels(labels).map_err(failed)?;
        }
        let mut vertex_weights = vec![(None, 0); vertices];
        for (vertex, weight, line) in self.vertex_weights {
            vertex_weights[vertex] = (Some(weight), line);
        }
        let (weights, vertex_numbers) = self::weights(vertex_weights.into_iter(), options)?;
        if let Some(weights) = weights {
            graph = graph.with_vertex_weights(weights).map_err(failed)?;
        }
        let mut positions = vec![None; vertices];
        for (vertex, position) in self.positions {
            positions[vertex] = Some(position);
        }
        // Positions of some of the vertices make no picture.
        if let (true, Some(positions)) =
            (vertices > 0, positions.into_iter().collect::<Option<Vec<_>>>())
        {
            graph = graph.with_positions(positions).map_err(failed)?;
        }
        let edge_lines = self.edges.iter().map(|edge| edge.line).collect();
        Ok(GraphFile {
            graph,
            edge_lines,
            edge_numbers,
            vertex_numbers,
            max_length: self.max_length,
            terminals: self.terminals,
        })
    }
}

/// Weights as whole numbers, if all are, and as numbers that may have decimals, if these were asked for.
type BothWeights = (Option<Vec<i64>>, Option<Vec<f64>>);

/// Returns the weights of edges or vertices, each given with its line. There are none if none is given.
fn weights(
    given: impl Iterator<Item = (Option<DraftWeight>, usize)> + Clone,
    options: GraphReadOptions,
) -> Result<BothWeights, FormatError> {
    if given.clone().all(|(weight, _)| weight.is_none()) {
        return Ok((None, None));
    }
    let whole = |(weight, line): (Option<DraftWeight>, _)| weight.map_or(Ok(1), |w| w.whole(line));
    let whole: Result<Vec<i64>, _> = given.clone().map(whole).collect();
    if !options.decimal_weights {
        return Ok((Some(whole?), None));
    }
    let number = |(weight, _): (Option<DraftWeight>, _)| weight.map_or(1.0, DraftWeight::number);
    Ok((whole.ok(), Some(given.map(number).collect())))
}

/// The numbers of vertices by label.
#[derive(Debug, Default)]
struct Labels {
    numbers: HashMap<String, usize>,
    labels: Vec<String>,
}

impl Labels {
    /// Returns the number of the vertex, which is added if it is new.
    fn number(&mut self, label: &str) -> usize {
        if let Some(&number) = self.numbers.get(label) {
            return number;
        }
        let number = self.labels.len();
        self.numbers.insert(label.to_owned(), number);
        self.labels.push(label.to_owned());
        number
    }

    /// Returns the number of a vertex that was added before.
    #[cfg(any(feature = "graphml", feature = "json"))]
    fn find(&self, label: &str) -> Option<usize> {
        self.numbers.get(label).copied()
    }
}

/// Whether the text is a minus sign and digits.
fn is_negative(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
    })
}

/// Reads a number that counts or numbers something.
fn parse_count(word: &str, what: &str, line: usize) -> Result<usize, FormatError> {
    parse_from(0, word, what, line)
}

fn parse_from(least: u8, word: &str, what: &str, line: usize) -> Result<usize, FormatError> {
    word.parse().map_err(|_| {
        let wrong = if is_negative(word) {
            "is negative"
        } else if word.bytes().all(|digit| digit.is_ascii_digit()) && !word.is_empty() {
            "is too large"
        } else {
            "is not a number"
        };
        FormatError::at(line, format!("{what} `{word}` {wrong}; write a whole number from {least}"))
    })
}

/// Reads the number of a vertex, from 1.
fn parse_vertex(
    word: &str,
    vertices: usize,
    header: &str,
    line: usize,
) -> Result<usize, FormatError> {
    let vertex = parse_from(1, word, "the vertex", line)?;
    if vertex == 0 || vertex > vertices {
        return Err(FormatError::at(
            line,
            format!(
                "vertex {vertex} is out of range; the vertices are 1 to {vertices}, by {header}"
            ),
        ));
    }
    Ok(vertex - 1)
}

/// Reads a whole weight.
fn parse_weight(word: &str, line: usize) -> Result<i64, FormatError> {
    DraftWeight::parse(word, line)?.whole(line)
}

fn no_number(weight: impl Display, line: usize) -> FormatError {
    FormatError::at(line, format!("the weight `{weight}` is not a finite number; correct it"))
}

/// Checks the number of vertices that a header announces against the size of the file in bytes.
fn check_announced(vertices: usize, text: &str, line: usize) -> Result<(), FormatError> {
    let most = text.len().saturating_add(MAX_ANNOUNCED);
    if vertices > most {
        return Err(FormatError::at(
            line,
            format!(
                "{vertices} vertices are too many for a file of {} bytes; at most {most} are read",
                text.len()
            ),
        ));
    }
    Ok(())
}
