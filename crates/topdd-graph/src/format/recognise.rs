//! Recognition of the format by the ending of a name and by the content.

use std::path::Path;

use super::foreign::{self, FileName};
use super::foreign_text;
use super::plain::{self, Content};
use super::table::data_lines;
use super::{FormatError, GraphFormat, GraphReadOptions, dimacs, text};

/// Returns the format of a file by its name and its content. The content decides where they contradict each other.
///
/// ```
/// use topdd_graph::format::{self, GraphFormat};
///
/// assert_eq!(format::recognise("map.txt", b"a b\nb c\n")?, GraphFormat::EdgeList);
/// assert_eq!(format::recognise("map.txt", b"p edge 2 1\ne 1 2\n")?, GraphFormat::Dimacs);
/// let error = format::recognise("map.gml", b"graph [\n").unwrap_err().to_string();
/// assert!(error.starts_with("the file is GML, which is not read; convert it to GraphML with: python"));
/// # Ok::<(), format::FormatError>(())
/// ```
///
/// # Errors
///
/// A [`FormatError`] if the format is none of [`GraphFormat`], with the line of Python that converts it, or if
/// it cannot be decided, with the formats that it may be.
pub fn recognise(name: impl AsRef<Path>, bytes: &[u8]) -> Result<GraphFormat, FormatError> {
    let name = name.as_ref().to_string_lossy();
    let name = FileName(&name);
    foreign::refuse_bytes(bytes, name)?;
    let text = text::decode_file(bytes)?;
    Ok(match of_text(&text, name, &GraphReadOptions::default())? {
        Content::Rows(rows) => rows.format,
        Content::Format(format) => format,
    })
}

/// Recognises the content of a text.
pub(super) fn of_text<'a>(
    text: &'a str,
    name: FileName<'_>,
    options: &GraphReadOptions,
) -> Result<Content<'a>, FormatError> {
    foreign_text::refuse(text, name)?;
    if let Some(format) = by_content(text) {
        return Ok(Content::Format(format));
    }
    foreign::refuse_ending(name)?;
    match by_ending(name) {
        Some(format) => Ok(Content::Format(format)),
        None => plain::recognise(text, name, options),
    }
}

/// The format that the ending names, unless it is one of rows of words.
fn by_ending(name: FileName<'_>) -> Option<GraphFormat> {
    Some(match name.ending().as_str() {
        "col" | "gr" | "dimacs" | "clq" | "mis" => GraphFormat::Dimacs,
        "metis" | "graph" => GraphFormat::Metis,
        "graphml" | "xml" | "graphmlz" => GraphFormat::GraphMl,
        "json" => GraphFormat::Json,
        _ => return None,
    })
}

/// The format that the first words show.
fn by_content(text: &str) -> Option<GraphFormat> {
    let start = text.trim_start();
    if start.starts_with('<') {
        return Some(GraphFormat::GraphMl);
    }
    if start.starts_with('{') || start.starts_with('[') && is_json_list(start) {
        return Some(GraphFormat::Json);
    }
    is_dimacs(text).then_some(GraphFormat::Dimacs)
}

/// Whether the text is a list of objects or lists. The first vertex of an edge list may begin with a bracket.
fn is_json_list(text: &str) -> bool {
    text[1..].trim_start().starts_with(['{', '['])
}

/// Whether the first line that is no comment is a header of DIMACS, or all lines are edges of DIMACS.
fn is_dimacs(text: &str) -> bool {
    let mut lines = text.lines().map(str::split_whitespace);
    let first = lines.find_map(|mut words| {
        let kind = words.next().filter(|&kind| kind != "c")?;
        Some((kind, words.next().unwrap_or_default()))
    });
    if let Some(("p", problem)) = first {
        let problems = ["edge", "edges", "col", "sp", "max", "min", "cnf", "wcnf"];
        return problems.contains(&problem) || dimacs::PACE.contains(&problem);
    }
    let is_edge = |content: &str| {
        let mut words = content.split_whitespace();
        let kind = words.next();
        let are_numbers = words.clone().all(|word| word.parse::<f64>().is_ok());
        matches!(kind, Some("e" | "a")) && (2..4).contains(&words.count()) && are_numbers
    };
    let mut lines = data_lines(text);
    lines.clone().nth(1).is_some() && lines.all(|(_, content)| is_edge(content))
}
