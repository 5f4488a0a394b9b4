//! Errors and notes of graph files: a fault, its place, and the remedies that each front end words.

use std::fmt;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{GraphFormat, NumberError};
use crate::GraphError;

/// A fault of a graph file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FormatFault {
    /// Content that the grammar of the format does not have.
    #[error("{0}")]
    Content(String),
    /// A number that is missing or cannot be read.
    #[error(transparent)]
    Number(NumberError),
    /// Edges in both directions.
    #[error(transparent)]
    Directions(GraphError),
    /// A format that is known by this name, and is not read.
    #[error("the file is {0}, which is not read; write it in one of the formats {names}", names = GraphFormat::names())]
    NotRead(&'static str),
    /// A column that a table does not have.
    #[error("there is no column `{column}`; the first row has {}", .columns.join(", "))]
    NoColumn {
        /// The column that was chosen.
        column: String,
        /// The columns of the table.
        columns: Vec<String>,
    },
    /// An attribute that was chosen as the weight, and that nothing in the file has.
    #[error("there is no attribute `{attribute}`; {}", list_attributes(.attributes))]
    NoAttribute {
        /// The attribute that was chosen.
        attribute: String,
        /// The attributes of the file.
        attributes: Vec<String>,
    },
}

fn list_attributes(names: &[String]) -> String {
    match names {
        [] => "the file has no attributes that can be weights".to_owned(),
        names => format!("the attributes are {}", names.join(", ")),
    }
}

/// A choice of the caller that lets a file be read. [`Display`](fmt::Display) names the option of [`GraphReadOptions`]; a front
/// end has its own words: see [`FormatError::worded`].
///
/// [`GraphReadOptions`]: super::GraphReadOptions
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Give one of the formats.
    Format(Vec<GraphFormat>),
    /// Choose the columns of the ends of edges and of their weights, such as these.
    Columns(Vec<String>),
    /// Choose the columns of a table of vertices.
    VertexColumns,
    /// Read the table as one of vertices.
    VertexTable,
    /// Leave out the columns.
    NoColumns,
    /// Choose another attribute as the label of the vertices.
    LabelAttribute,
    /// Leave out the attribute that is the label.
    NoLabelAttribute,
    /// Read numbers with a decimal comma.
    DecimalComma,
    /// Read numbers with a decimal point, so that commas separate columns.
    NoDecimalComma,
    /// Read two edges in opposite directions as one.
    MergeDirections,
    /// Read two edges in opposite directions as parallel edges.
    KeepDirections,
    /// Read all edges as directed.
    Directed,
    /// Read all edges as undirected.
    Undirected,
    /// Read the file as a formula.
    Formula,
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let option = match self {
            Remedy::Format(formats) => {
                let names: Vec<_> = formats.iter().map(|format| format!("`{format}`")).collect();
                return write!(f, "read it as {}", names.join(" or "));
            }
            Remedy::Columns(columns) if !columns.is_empty() => {
                return write!(f, "set `GraphReadOptions::columns`, such as {}", columns.join(","));
            }
            Remedy::Columns(_) => "name the columns of the ends with `GraphReadOptions::columns`",
            Remedy::VertexColumns => "set `GraphReadOptions::vertex_columns`",
            Remedy::VertexTable => {
                "read it with `GraphFile::with_vertices` if its rows are vertices"
            }
            Remedy::NoColumns => "leave out `GraphReadOptions::columns`",
            Remedy::LabelAttribute => "choose another `GraphReadOptions::label_attribute`",
            Remedy::NoLabelAttribute => "leave out `GraphReadOptions::label_attribute`",
            Remedy::DecimalComma => "set `GraphReadOptions::decimal_comma`",
            Remedy::NoDecimalComma => "leave out `GraphReadOptions::decimal_comma`",
            Remedy::MergeDirections => {
                "set `GraphReadOptions::merge_directions` to true, to join such pairs"
            }
            Remedy::KeepDirections => {
                "set `GraphReadOptions::merge_directions` to false, to keep both"
            }
            Remedy::Directed => "set `GraphReadOptions::directed`",
            Remedy::Undirected => "set `GraphReadOptions::directed` to false",
            Remedy::Formula => return Ok(()),
        };
        f.write_str(option)
    }
}

/// An error in a graph file: the file, if it was read by name, the line, the fault, and choices that are remedies.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{}", self.place(), self.worded(Remedy::to_string))]
pub struct FormatError {
    file: Option<PathBuf>,
    line: Option<usize>,
    fault: Box<FormatFault>,
    remedies: Vec<Remedy>,
}

impl FormatError {
    pub(super) fn of_fault(line: Option<usize>, fault: FormatFault) -> Self {
        Self { file: None, line, fault: Box::new(fault), remedies: Vec::new() }
    }

    pub(super) fn new(message: impl Into<String>) -> Self {
        Self::of_fault(None, FormatFault::Content(message.into()))
    }

    pub(super) fn at(line: usize, message: impl Into<String>) -> Self {
        Self::of_fault(Some(line), FormatFault::Content(message.into()))
    }

    pub(super) fn of_number(line: Option<usize>, number: NumberError) -> Self {
        let has_comma = number.may_have_decimal_comma();
        let error = Self::of_fault(line, FormatFault::Number(number));
        if has_comma { error.or(Remedy::DecimalComma) } else { error }
    }

    /// Adds a remedy.
    pub(super) fn or(mut self, remedy: Remedy) -> Self {
        self.remedies.push(remedy);
        self
    }

    pub(super) fn in_file(mut self, name: &Path) -> Self {
        self.file = Some(name.to_owned());
        self
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

    /// Returns the line, counted from 1; `None` for errors of the whole file or graph.
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// Returns the fault, without its place and its remedies.
    pub fn fault(&self) -> &FormatFault {
        &self.fault
    }

    /// Returns the choices each of which lets the file be read.
    pub fn remedies(&self) -> &[Remedy] {
        &self.remedies
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
        match self.fault() {
            FormatFault::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the message without the place, with the remedies in these words. A remedy without words is left out.
    ///
    /// ```
    /// use topdd_graph::format::{self, GraphReadOptions, Remedy};
    ///
    /// let error = format::read_named("a.txt", b"a b c\nb c\n", &GraphReadOptions::default()).unwrap_err();
    /// let message = error.worded(|remedy| match remedy {
    ///     Remedy::Format(formats) => format!("add --format {}", formats[0]),
    ///     _ => String::new(),
    /// });
    /// assert!(message.ends_with("; add --format adjlist"), "{message}");
    /// ```
    pub fn worded(&self, words: impl Fn(&Remedy) -> String) -> String {
        with_remedies(self.fault.to_string(), &self.remedies, words)
    }
}

/// Advice within a message comes after a semicolon.
fn with_remedies(
    mut message: String,
    remedies: &[Remedy],
    words: impl Fn(&Remedy) -> String,
) -> String {
    for remedy in remedies.iter().map(words).filter(|remedy| !remedy.is_empty()) {
        message += if message.contains("; ") { ", or " } else { "; " };
        message += &remedy;
    }
    message
}

/// A decision of the reader that is no error and that a user should know: a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What it is about.
    pub kind: NoteKind,
    message: String,
    remedies: Vec<Remedy>,
}

/// The subject of a [`Note`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoteKind {
    /// The columns of a table, which are mostly those that are meant.
    Columns,
    /// Edges in both directions.
    Directions,
    /// Another content.
    Content,
}

impl Note {
    pub(super) fn new(kind: NoteKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), remedies: Vec::new() }
    }

    /// Adds a remedy.
    pub(super) fn or(mut self, remedy: Remedy) -> Self {
        self.remedies.push(remedy);
        self
    }

    /// Returns the note, with the remedies in these words.
    pub fn worded(&self, words: impl Fn(&Remedy) -> String) -> String {
        with_remedies(self.message.clone(), &self.remedies, words)
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.worded(Remedy::to_string))
    }
}
