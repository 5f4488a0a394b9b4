//! Graphs as files: edge lists, CSV, lists of neighbours, DIMACS, METIS, GraphML, the JSON of networkx, graph6, sparse6.
//!
//! | format | endings | feature | labels | weights | vertex weights | positions | directions in the file |
//! | --- | --- | --- | --- | --- | --- | --- | --- |
//! | [`EdgeList`](GraphFormat::EdgeList) | any other | | yes | yes | | | |
//! | [`Csv`](GraphFormat::Csv) | `.csv`, `.tsv` | `csv` | yes | yes | | | column `Type` |
//! | [`AdjacencyList`](GraphFormat::AdjacencyList) | `.adjlist`, `.adj` | | yes | | | | |
//! | [`Dimacs`](GraphFormat::Dimacs) | `.col`, `.gr`, `.dimacs`, `.clq`, `.mis` | | 1, 2, .. | yes | yes | | `p sp` |
//! | [`Metis`](GraphFormat::Metis) | `.metis`, `.graph` | | 1, 2, .. | yes | yes | | |
//! | [`GraphMl`](GraphFormat::GraphMl) | `.graphml`, `.xml` | `graphml` | yes | yes | yes | yes | yes |
//! | [`Json`](GraphFormat::Json) | `.json` | `json` | yes | yes | yes | yes | yes |
//! | [`Graph6`](GraphFormat::Graph6), [`Sparse6`](GraphFormat::Sparse6) | `.g6`, `.s6` | | 0, 1, .. | | | | |
//!
//! [`read_named`] takes the format from the ending of a name, and [`read`] is given it. The content of
//! a file never selects the format: a file that does not match the grammar of its format, or that begins like a file of
//! another one, is an error. Both return a [`GraphFile`]. [`write()`] writes JSON, which has all properties of a graph. The text of a file is UTF-8 or UTF-16,
//! and the file may be compressed with gzip (feature `gzip`). The option [`GraphReadOptions::directed`] makes the graph of
//! any format directed. Edges keep the order of the file. Weights are whole
//! numbers, unless [`GraphReadOptions::decimal_weights`] is set. If some edges, or vertices, have a weight, the others
//! need one, too: see [`NumberError`]. [`GraphFile::with_vertices`] adds a table of vertices, with weights and positions.
//! GML, GEXF, Pajek, DOT, Matrix Market, TSPLIB and other formats are refused by name.
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
//! assert_eq!(file.edges.lines, [Some(2), Some(3), Some(4)]);
//!
//! let error = format::read(b"p edge 2 1\ne 1 3\n", GraphFormat::Dimacs, &GraphReadOptions::default());
//! assert_eq!(
//!     error.unwrap_err().to_string(),
//!     "line 2: vertex 3 is out of range; the vertices are 1 to 2, by the line `p`"
//! );
//! # Ok::<(), format::FormatError>(())
//! ```

mod adjacency;
#[cfg(all(test, feature = "csv", feature = "graphml", feature = "gzip", feature = "json"))]
mod cases;
mod columns;
mod dimacs;
mod draft;
mod edge_list;
mod error;
mod graph6;
#[cfg(feature = "graphml")]
mod graphml;
#[cfg(feature = "json")]
mod json;
mod known;
mod metis;
mod number;
mod options;
#[cfg(feature = "petgraph")]
mod petgraph;
#[cfg(all(test, feature = "csv", feature = "graphml", feature = "gzip", feature = "json"))]
mod readings;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod unsure;
mod vertices;

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::Graph;
use crate::families::Unit;
use draft::Draft;
pub use draft::note_of_forms;
pub use error::{FormatError, FormatFault, Note, NoteKind, Remedy};
#[cfg(feature = "json")]
pub use json::write;
pub use number::NumberError;
pub use options::GraphReadOptions;
pub use text::unpack;

/// A format of graph files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GraphFormat {
    /// One edge per line: `a b` or `a b weight`, where blanks separate the words. A vertex is a word without the signs
    /// `,;|(){}[]`, text in double quotes, or a tuple of Python, and no negative number. A line with a single vertex adds
    /// it. A line that begins with `#`, `%` or `//` is a comment, as is the rest of a line from such a sign as a word. The
    /// attributes that networkx writes, as in `a b {'weight': 2}`, are read. Vertices are numbered in the order of the
    /// file.
    ///
    /// By a name, a first line that may be the numbers of vertices and edges or the names of columns, third words that
    /// are vertices, and files without edges are refused.
    EdgeList,
    /// A table whose first row has the names of its columns, with an edge per row below. Tabs, semicolons, `|` or
    /// commas separate the columns. Lines above the first row that begin with `#` are comments. Feature `csv`.
    Csv,
    /// One vertex per line, followed by its neighbours: `a b c` or `a: b c`, with the words of an edge list.
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
    /// The graph6 of nauty, for simple graphs: one graph, in one line. It is not written.
    Graph6,
    /// The sparse6 of nauty: one graph, in one line. It is not written.
    Sparse6,
}

impl GraphFormat {
    /// All formats, with their names and endings. A file with another ending is an edge list.
    const ALL: [(GraphFormat, &'static str, &'static [&'static str]); 9] = [
        (GraphFormat::EdgeList, "edges", &["edges", "edgelist", "ncol", "wel"]),
        (GraphFormat::Csv, "csv", &["csv", "tsv"]),
        (GraphFormat::AdjacencyList, "adjlist", &["adjlist", "adj"]),
        (GraphFormat::Dimacs, "dimacs", &["col", "gr", "dimacs", "clq", "mis"]),
        (GraphFormat::Metis, "metis", &["metis", "graph"]),
        (GraphFormat::GraphMl, "graphml", &["graphml", "xml", "graphmlz"]),
        (GraphFormat::Json, "json", &["json"]),
        (GraphFormat::Graph6, "graph6", &["g6"]),
        (GraphFormat::Sparse6, "sparse6", &["s6"]),
    ];

    /// Returns the name: `edges`, `csv`, `adjlist`, `dimacs`, `metis`, `graphml`, `json`, `graph6` or `sparse6`.
    /// [`FromStr`] reads it.
    pub fn name(self) -> &'static str {
        let named = Self::ALL.iter().find(|(format, ..)| *format == self);
        named.map_or("", |(_, name, _)| name)
    }

    /// The names of all formats.
    fn names() -> String {
        Self::ALL.map(|(_, name, _)| name).join(", ")
    }

    /// Returns the format of a file with this name by its ending. A file with another ending is an edge list.
    ///
    /// ```
    /// use topdd_graph::format::GraphFormat;
    ///
    /// assert_eq!(GraphFormat::by_name("map.col.gz")?, GraphFormat::Dimacs);
    /// assert_eq!(GraphFormat::by_name("map.txt")?, GraphFormat::EdgeList);
    /// let error = GraphFormat::by_name("map.gml").unwrap_err().to_string();
    /// assert!(error.starts_with("the file is GML, which is not read; write it in one of the formats edges, csv"));
    /// # Ok::<(), topdd_graph::format::FormatError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A [`FormatError`] if the ending is of a format that is known and not read.
    pub fn by_name(name: impl AsRef<Path>) -> Result<Self, FormatError> {
        known::by_name(&name.as_ref().to_string_lossy()).map(|(format, _)| format)
    }
}

impl fmt::Display for GraphFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GraphFormat {
    type Err = FormatError;

    fn from_str(name: &str) -> Result<Self, FormatError> {
        let named = Self::ALL.iter().find(|(_, other, _)| *other == name);
        named.map(|&(format, ..)| format).ok_or_else(|| {
            let names = Self::names();
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
    /// What the file states about the edges beside the graph.
    pub edges: ElementData,
    /// What the file, or the table of vertices, states about the vertices beside the graph.
    pub vertices: ElementData,
    /// The largest length of a path (`l` of DIMACS files).
    pub max_length: Option<usize>,
    /// The terminals (`t` of DIMACS files), as vertices of the graph.
    pub terminals: Vec<usize>,
    /// The format.
    pub format: GraphFormat,
    /// Decisions of the reader that are no errors and that a user should know.
    pub notes: Vec<Note>,
}

/// What a file states about its edges, or its vertices, beside the graph.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ElementData {
    /// The line of each, counted from 1, if it has one of its own.
    pub lines: Vec<Option<usize>>,
    /// The weights with their decimals, if [`GraphReadOptions::decimal_weights`] is set and the file has weights.
    pub numbers: Option<Vec<f64>>,
    /// The error of the first weight that is missing or no finite number, if the file has weights and
    /// [`GraphReadOptions::unchecked_weights`] is set.
    pub weight_error: Option<FormatError>,
    /// The names of the attributes, or columns, that are numbers and not the weight, so that
    /// [`GraphReadOptions::weight_attribute`] may be one of them.
    pub attributes: Vec<String>,
    /// The name of the file, if it was read by name.
    file: Option<PathBuf>,
}

impl GraphFile {
    /// Returns what the file states about the edges, or about the vertices.
    pub fn elements(&self, unit: Unit) -> &ElementData {
        match unit {
            Unit::Edge => &self.edges,
            Unit::Vertex | Unit::Colour => &self.vertices,
        }
    }

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
        let element = self.graph.element_name(unit, index);
        let data = self.elements(unit);
        let message = format!("the weight {weight} of the {} {element} {problem}", unit.noun());
        let error = FormatError::of_fault(data.lines[index], FormatFault::Content(message));
        data.file.iter().fold(error, |error, file| error.in_file(file))
    }
}

/// How the format of a file is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// The caller gave it.
    Given,
    /// The ending of the name is one of the format.
    ByEnding,
    /// The ending of the name is none of any format.
    ByDefault,
}

/// Reads a graph in a given format. Takes time and memory linear in the size of the file; numbers in headers
/// allocate nothing beyond that and some megabytes, and packed files 64 megabytes or a hundred times their size.
///
/// # Errors
///
/// A [`FormatError`] for bytes that are not a graph in this format, or that begin as another one, or if the
/// feature of the format is off.
pub fn read(
    bytes: &[u8],
    format: GraphFormat,
    options: &GraphReadOptions,
) -> Result<GraphFile, FormatError> {
    read_bytes(bytes, format, Known::Given, options)
}

/// Reads a graph in the format of [`GraphFormat::by_name`]. The name is the name of a file, which is not opened. Time and
/// memory are the same as for [`read`].
///
/// ```
/// use topdd_graph::format::{self, GraphReadOptions};
///
/// let options = GraphReadOptions::default();
/// let file = format::read_named("square.adjlist", b"1 2 4\n2 3\n3 4\n4\n", &options)?;
/// assert_eq!(file.graph.num_edges(), 4);
/// let error = format::read_named("square.txt", b"4 4\n1 2\n2 3\n3 4\n4 1\n", &options).unwrap_err();
/// assert!(error.to_string().starts_with("square.txt, line 1: `4 4` may be the numbers of vertices and edges"));
/// # Ok::<(), format::FormatError>(())
/// ```
///
/// # Errors
///
/// A [`FormatError`] as of [`read`] and [`GraphFormat::by_name`], and for an edge list that may be something else.
pub fn read_named(
    name: impl AsRef<Path>,
    bytes: &[u8],
    options: &GraphReadOptions,
) -> Result<GraphFile, FormatError> {
    read_file(name, bytes, None, options)
}

/// Reads a graph in a given format, or in the format of [`GraphFormat::by_name`]. Errors have the name of the file.
///
/// # Errors
///
/// A [`FormatError`] as of [`read`] or [`read_named`].
pub fn read_file(
    name: impl AsRef<Path>,
    bytes: &[u8],
    format: Option<GraphFormat>,
    options: &GraphReadOptions,
) -> Result<GraphFile, FormatError> {
    let path = name.as_ref();
    let format = match format {
        Some(format) => Ok((format, Known::Given)),
        None => known::by_name(&path.to_string_lossy()),
    };
    let file = format.and_then(|(format, known)| read_bytes(bytes, format, known, options));
    let mut file = file.map_err(|error| error.in_file(path))?;
    for data in [&mut file.edges, &mut file.vertices] {
        data.weight_error = data.weight_error.take().map(|error| error.in_file(path));
        data.file = Some(path.to_owned());
    }
    Ok(file)
}

fn read_bytes(
    bytes: &[u8],
    format: GraphFormat,
    known: Known,
    options: &GraphReadOptions,
) -> Result<GraphFile, FormatError> {
    let bytes = text::unpack(bytes)?;
    known::refuse_marks(&bytes, format)?;
    let text = text::decode(&bytes)?;
    if text.trim().is_empty() {
        return Err(FormatError::new("the file is empty; check that it is the right one"));
    }
    read_text(&text, format, known, options)?.finish(format, options)
}

/// Reads text in a given format.
fn read_text(
    text: &str,
    format: GraphFormat,
    known: Known,
    options: &GraphReadOptions,
) -> Result<Draft, FormatError> {
    match format {
        GraphFormat::EdgeList => edge_list::read(text, known, options),
        GraphFormat::Csv => columns::read(text, options),
        GraphFormat::AdjacencyList => adjacency::read(text),
        GraphFormat::Dimacs => dimacs::read(text, options),
        GraphFormat::Metis => metis::read(text),
        #[cfg(feature = "graphml")]
        GraphFormat::GraphMl => graphml::read(text, options),
        #[cfg(feature = "json")]
        GraphFormat::Json => json::read(text, options),
        GraphFormat::Graph6 => graph6::read(text),
        GraphFormat::Sparse6 => graph6::read_sparse(text),
        #[cfg(not(all(feature = "graphml", feature = "json")))]
        _ => Err(without_feature(format)),
    }
}

#[cfg(not(all(feature = "csv", feature = "graphml", feature = "json")))]
fn without_feature(format: GraphFormat) -> FormatError {
    FormatError::new(format!(
        "this program was built without the format {format}; enable the feature `{format}` of topdd-graph"
    ))
}

/// Counts the lines of a text, at offsets that ascend.
#[cfg(any(feature = "csv", feature = "graphml", feature = "json"))]
struct LineCounter<'a> {
    text: &'a str,
    offset: usize,
    line: usize,
}

#[cfg(any(feature = "csv", feature = "graphml", feature = "json"))]
impl<'a> LineCounter<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, offset: 0, line: 1 }
    }

    /// The line of a byte, counted from 1.
    fn at(&mut self, offset: usize) -> usize {
        let offset = offset.clamp(self.offset, self.text.len());
        let between = &self.text.as_bytes()[self.offset..offset];
        self.line += between.split(|&byte| byte == b'\n').count() - 1;
        self.offset = offset;
        self.line
    }

    /// The line where a part of the text starts.
    #[cfg(feature = "json")]
    fn at_part(&mut self, part: &str) -> usize {
        self.at(part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr()))
    }
}
