//! Graphs as files: edge lists, CSV, lists of neighbours, DIMACS, METIS, GraphML and the JSON of networkx.
//!
//! | format | endings | feature | labels | weights | vertex weights | positions | directed |
//! | --- | --- | --- | --- | --- | --- | --- | --- |
//! | [`EdgeList`](GraphFormat::EdgeList) | any other | | yes | yes | | | by option |
//! | [`Csv`](GraphFormat::Csv) | `.csv`, `.tsv` | `csv` | yes | yes | | | by option |
//! | [`AdjacencyList`](GraphFormat::AdjacencyList) | `.adjlist`, `.adj` | | yes | | | | by option |
//! | [`Dimacs`](GraphFormat::Dimacs) | `.col`, `.gr`, `.dimacs`, `.clq`, `.mis` | | 1, 2, .. | yes | yes | | `p sp` |
//! | [`Metis`](GraphFormat::Metis) | `.metis`, `.graph` | | 1, 2, .. | yes | yes | | no |
//! | [`GraphMl`](GraphFormat::GraphMl) | `.graphml`, `.xml` | `graphml` | yes | yes | yes | yes | yes |
//! | [`Json`](GraphFormat::Json) | `.json` | `json` | yes | yes | yes | yes | yes |
//!
//! [`read_named`] recognises the format by the ending of a name and by the content, and refuses what it
//! cannot decide; [`read`] reads a given format. Both return a [`GraphFile`]. [`write()`] writes text. A file may be
//! packed by gzip (feature `gzip`), and in UTF-8 or UTF-16. Edges keep the order of the file. Weights are whole
//! numbers, unless [`GraphReadOptions::decimal_weights`] is set. If some edges, or vertices, have a weight, the others
//! need one, too: see [`NumberError`]. [`GraphFile::with_vertices`] adds a table of vertices, with weights and positions. GML, GEXF, Pajek, graph6, sparse6, DOT, Matrix Market and other formats are refused with the line of Python
//! that converts them.
//!
//! The feature `petgraph` adds conversions from and to the graphs of that crate.
//!
//! # Example
//!
//! ```
//! use topdd_graph::format::{self, GraphFormat, GraphReadOptions};
//!
//! let text = b"# from to weight\nME NH 5\nNH VT 2\nVT NY 4\nHI\n";
//! let file = format::read_named("map.txt", text, &GraphReadOptions::default())?;
//! assert_eq!(file.graph.num_vertices(), 5);
//! assert_eq!(file.graph.vertex("VT"), Some(2));
//! assert_eq!(file.graph.weight(2), 4);
//! assert_eq!(file.edge_lines, [2, 3, 4]);
//!
//! let error = format::read(b"p edge 2 1\ne 1 3\n", GraphFormat::Dimacs, &GraphReadOptions::default());
//! assert_eq!(
//!     error.unwrap_err().to_string(),
//!     "line 2: vertex 3 is out of range; the vertices are 1 to 2, by the line `p`"
//! );
//! # Ok::<(), format::FormatError>(())
//! ```

mod adjacency;
mod attributes;
#[cfg(all(test, feature = "csv", feature = "graphml", feature = "gzip", feature = "json"))]
mod cases;
mod column_names;
mod columns;
mod dimacs;
mod draft;
mod edge_list;
mod foreign;
#[cfg(feature = "json")]
mod foreign_json;
mod foreign_text;
#[cfg(feature = "graphml")]
mod graphml;
mod header;
#[cfg(feature = "json")]
mod json;
mod lists;
mod metis;
mod mixed;
mod number;
mod options;
mod pairs;
#[cfg(feature = "petgraph")]
mod petgraph;
mod plain;
#[cfg(all(test, feature = "csv", feature = "graphml", feature = "gzip", feature = "json"))]
mod readings;
mod recognise;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod unicode;
mod vertices;

use std::path::{Path, PathBuf};
use std::str::FromStr;

use thiserror::Error;

use super::Graph;
use crate::families::Unit;
use draft::Draft;
use foreign::FileName;
pub use number::NumberError;
pub use options::GraphReadOptions;
pub use recognise::recognise;
pub use text::unpack;
pub use unicode::note_of_forms;

/// A format of graph files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GraphFormat {
    /// One edge per line: `a b` or `a b weight`. A vertex is any text without blanks, other than a
    /// negative number, or text in double quotes, or a tuple of Python. A line with a single vertex adds it, and is
    /// needed for isolated ones. A line that begins with `#`, `%` or `//` is a comment, as is the rest of a line
    /// from `#` alone, or from a word after the ends that begins with `#`. The attributes that networkx writes, as in
    /// `a b {'weight': 2}`, are read. If all lines have the same separator of [`Csv`](Self::Csv), it separates the
    /// words. Vertices are numbered in the order of the file.
    EdgeList,
    /// A table with an edge per row, whose columns are separated by commas, semicolons, tabs or `|`. The first row may
    /// have the names of the columns. Feature `csv`.
    Csv,
    /// One vertex per line, followed by its neighbours: `a b c` or `a: b c`.
    AdjacencyList,
    /// The lines of DIMACS: `p edge N M` (or `p col`) with edges `e A B`, undirected, or `p sp N M`
    /// with edges `a A B WEIGHT`, directed. `c` is a comment, `n A WEIGHT` the weight of a vertex.
    /// A header that counts each edge twice, or has one more word, is read with a note.
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
    const NAMES: [(&'static str, GraphFormat); 7] = [
        ("edges", GraphFormat::EdgeList),
        ("csv", GraphFormat::Csv),
        ("adjlist", GraphFormat::AdjacencyList),
        ("dimacs", GraphFormat::Dimacs),
        ("metis", GraphFormat::Metis),
        ("graphml", GraphFormat::GraphMl),
        ("json", GraphFormat::Json),
    ];

    /// Returns the name: `edges`, `csv`, `adjlist`, `dimacs`, `metis`, `graphml` or `json`. [`FromStr`] reads it.
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

/// A graph read from a file, with the other content of the file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GraphFile {
    /// The graph. Its vertices have labels, unless these would be 0, 1, 2, ..
    pub graph: Graph,
    /// The line of each edge, counted from 1.
    pub edge_lines: Vec<usize>,
    /// The weights of the edges with their decimals, if [`GraphReadOptions::decimal_weights`] is set and
    /// the file has weights.
    pub edge_numbers: Option<Vec<f64>>,
    /// The same for the weights of the vertices.
    pub vertex_numbers: Option<Vec<f64>>,
    /// The error of the first weight of an edge that is missing or no finite number, if the file has weights and
    /// [`GraphReadOptions::unchecked_weights`] is set.
    pub edge_weight_error: Option<FormatError>,
    /// The same for the weights of the vertices.
    pub vertex_weight_error: Option<FormatError>,
    /// The largest length of a path (`l` of DIMACS files).
    pub max_length: Option<usize>,
    /// The terminals (`t` of DIMACS files), as vertices of the graph.
    pub terminals: Vec<usize>,
    /// The names of the attributes of edges, or columns, that are numbers and not the weight, so that
    /// [`GraphReadOptions::weight_attribute`] may be one of them.
    pub edge_attributes: Vec<String>,
    /// The same for the attributes of vertices.
    pub vertex_attributes: Vec<String>,
    /// The format.
    pub format: GraphFormat,
    /// Decisions of the reader that are no errors and that a user should know, as sentences without a full stop.
    pub notes: Vec<String>,
    /// The line of each vertex, if it has one of its own.
    vertex_lines: Vec<Option<usize>>,
    /// The name of the file, if it was read by name, and of the table of vertices.
    file: Option<PathBuf>,
    vertex_file: Option<PathBuf>,
}

impl GraphFile {
    /// Returns the error for the weight of an edge, or of a vertex, that is a number and cannot be used, such as `2` as
    /// a probability, with its file, line and element.
    ///
    /// ```
    /// use topdd_graph::families::Unit;
    /// use topdd_graph::format::{self, GraphReadOptions};
    ///
    /// let file = format::read_named("roads.txt", b"a b 1\nb c 2\n", &GraphReadOptions::default())?;
    /// let error = file.wrong_weight(Unit::Edge, 1, "2", "is no probability");
    /// let message = "roads.txt, line 2: the weight 2 of the edge b-c is no probability";
    /// assert_eq!(error.to_string(), message);
    /// # Ok::<(), format::FormatError>(())
    /// ```
    pub fn wrong_weight(
        &self,
        unit: Unit,
        index: usize,
        weight: &str,
        problem: &str,
    ) -> FormatError {
        let (file, line, element) = match unit {
            Unit::Edge => (&self.file, Some(self.edge_lines[index]), self.graph.edge_name(index)),
            Unit::Vertex | Unit::Colour => {
                (&self.vertex_file, self.vertex_lines[index], self.graph.vertex_name(index))
            }
        };
        let message = format!("the weight {weight} of the {} {element} {problem}", unit.noun());
        FormatError { file: file.clone(), line, ..FormatError::new(message) }
    }
}

/// An error in a graph file: the file, if it was read by name, the line, and a message that states the remedy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{message}", self.place())]
pub struct FormatError {
    file: Option<PathBuf>,
    line: Option<usize>,
    message: String,
    number: Option<Box<NumberError>>,
}

impl FormatError {
    fn new(message: impl Into<String>) -> Self {
        Self { file: None, line: None, message: message.into(), number: None }
    }

    fn at(line: usize, message: impl Into<String>) -> Self {
        Self { line: Some(line), ..Self::new(message) }
    }

    fn of_number(line: Option<usize>, number: NumberError) -> Self {
        let message = number.to_string();
        Self { line, number: Some(Box::new(number)), ..Self::new(message) }
    }

    fn in_file(self, name: &Path) -> Self {
        Self { file: Some(name.to_owned()), ..self }
    }

    /// The file and the line, to precede the message.
    fn place(&self) -> String {
        let file = self.file.as_ref().map(|file| file.display().to_string());
        let line = self.line.map(|line| format!("line {line}"));
        let place: Vec<String> = file.into_iter().chain(line).collect();
        if place.is_empty() { String::new() } else { place.join(", ") + ": " }
    }

    /// Returns the name of the file, of the graph or of the table of vertices; `None` if it was not read by name.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Returns the number that is missing or cannot be read, if that is the error.
    ///
    /// ```
    /// use topdd_graph::format::{self, GraphReadOptions};
    ///
    /// let text = b"from,to,km\nMoor,Tal,30\nMoor,See,\n";
    /// let error = format::read_named("roads.csv", text, &GraphReadOptions::default()).unwrap_err();
    /// assert_eq!(error.to_string(), "roads.csv, line 3: the edge Moor-See has no `km`; write it");
    /// assert_eq!(error.number().unwrap().index, 1);
    /// ```
    pub fn number(&self) -> Option<&NumberError> {
        self.number.as_deref()
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

/// Reads a graph in a given format. Takes time and memory linear in the size of the file; numbers in headers
/// allocate nothing beyond that and some megabytes, and packed files 64 megabytes or a hundred times their size.
///
/// # Errors
///
/// A [`FormatError`] for bytes that are not a graph in this format, or that are plainly in another one, or if the
/// feature of the format is off.
pub fn read(
    bytes: &[u8],
    format: GraphFormat,
    options: &GraphReadOptions,
) -> Result<GraphFile, FormatError> {
    let name = FileName("");
    foreign::refuse_bytes(bytes, name)?;
    let text = text::decode_file(bytes)?;
    foreign_text::refuse(&text, name)?;
    finish(read_text(&text, format, options)?, format, options)
}

/// Reads a graph in the format that [`recognise`] returns for the name and the content. The name is the name of a
/// file, which is not opened. Time and memory are the same as for [`read`].
///
/// ```
/// use topdd_graph::format::{self, GraphReadOptions};
///
/// let file = format::read_named("square.txt", b"4 4\n1 2\n2 3\n3 4\n4 1\n", &GraphReadOptions::default())?;
/// assert_eq!(file.graph.num_edges(), 4);
/// assert_eq!(file.notes, ["line 1 is read as the numbers of vertices and edges"]);
/// # Ok::<(), format::FormatError>(())
/// ```
///
/// # Errors
///
/// A [`FormatError`] as of [`read`], and for content whose meaning cannot be decided.
pub fn read_named(
    name: impl AsRef<Path>,
    bytes: &[u8],
    options: &GraphReadOptions,
) -> Result<GraphFile, FormatError> {
    let path = name.as_ref();
    let mut file = read_unnamed(path, bytes, options).map_err(|error| error.in_file(path))?;
    for error in [&mut file.edge_weight_error, &mut file.vertex_weight_error] {
        *error = error.take().map(|error| error.in_file(path));
    }
    (file.file, file.vertex_file) = (Some(path.to_owned()), Some(path.to_owned()));
    Ok(file)
}

/// Reads a graph whose name is not yet in errors.
fn read_unnamed(
    path: &Path,
    bytes: &[u8],
    options: &GraphReadOptions,
) -> Result<GraphFile, FormatError> {
    let name = path.to_string_lossy();
    let name = FileName(&name);
    foreign::refuse_bytes(bytes, name)?;
    let text = text::decode_file(bytes)?;
    let (format, draft) = match recognise::of_text(&text, name, options)? {
        plain::Content::Rows(rows) => (rows.format, rows.draft(&text, options)),
        plain::Content::Format(format) => (format, read_text(&text, format, options)),
    };
    #[cfg(feature = "json")]
    if draft.is_err() && format == GraphFormat::Json {
        foreign_json::refuse(&text, name)?;
    }
    finish(draft?, format, options)
}

/// Makes the graph of a draft, in which edges in both directions are joined first.
fn finish(
    mut draft: Draft,
    format: GraphFormat,
    options: &GraphReadOptions,
) -> Result<GraphFile, FormatError> {
    options.check(format)?;
    let directed = options.directed.unwrap_or(draft.directed);
    if directed && options.merge_directions == Some(true) {
        return Err(FormatError::new(
            "the graph is directed, and edges in both directions are different; read it as undirected with \
             `GraphReadOptions::directed` to merge them",
        ));
    }
    if !directed && (!draft.states_undirected || options.merge_directions == Some(true)) {
        pairs::join(&mut draft, format, options.merge_directions)?;
    }
    draft.finish(format, options)
}

/// Reads text in a given format.
fn read_text(
    text: &str,
    format: GraphFormat,
    options: &GraphReadOptions,
) -> Result<Draft, FormatError> {
    match format {
        GraphFormat::EdgeList | GraphFormat::Csv | GraphFormat::AdjacencyList => {
            plain::exact(text, format, options)?.draft(text, options)
        }
        GraphFormat::Dimacs => dimacs::read(text, options),
        GraphFormat::Metis => metis::read(text, options),
        #[cfg(feature = "graphml")]
        GraphFormat::GraphMl => graphml::read(text, options),
        #[cfg(feature = "json")]
        GraphFormat::Json => json::read(text, options),
        #[cfg(not(all(feature = "graphml", feature = "json")))]
        _ => Err(without_feature(format)),
    }
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
        GraphFormat::EdgeList => check_written(edge_list::write(graph)?, graph, format),
        GraphFormat::Csv => check_written(edge_list::write_csv(graph)?, graph, format),
        GraphFormat::AdjacencyList => check_written(edge_list::write_lists(graph)?, graph, format),
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

/// Refuses a file without rows, and reads rows of names back, because a name such as `NODE_COORD_SECTION` may begin another format.
fn check_written(text: String, graph: &Graph, format: GraphFormat) -> Result<String, FormatError> {
    if graph.num_vertices() == 0 {
        return Err(FormatError::new(
            "a graph without vertices would be an empty file, which is refused; write JSON or GraphML",
        ));
    }
    if graph.vertex_labels().is_none() {
        return Ok(text);
    }
    let options = GraphReadOptions::default().merge_directions(false);
    let reason = match read(text.as_bytes(), format, &options) {
        Ok(file) if sorted_edges(&file.graph) == sorted_edges(graph) => return Ok(text),
        Ok(_) => "they would be read as others".to_owned(),
        Err(error) => format!("they would be refused: {}", error.message()),
    };
    let name = format.name();
    Err(FormatError::new(format!(
        "the names of the vertices cannot be in the format {name}, because {reason}; write JSON or GraphML"
    )))
}

/// The names of both ends of each edge, which is undirected, in alphabetical order.
fn sorted_edges(graph: &Graph) -> Vec<[String; 2]> {
    let ends = |&(a, b): &(usize, usize)| [graph.vertex_name(a), graph.vertex_name(b)];
    let mut edges: Vec<[String; 2]> = graph.edges().iter().map(ends).collect();
    for ends in &mut edges {
        ends.sort_unstable();
    }
    edges.sort_unstable();
    edges
}

#[cfg(not(all(feature = "csv", feature = "graphml", feature = "json")))]
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
