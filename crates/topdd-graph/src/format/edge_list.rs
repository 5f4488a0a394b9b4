//! Writing edge lists, CSV, and lists of neighbours.

use std::fmt::Write;

use super::draft::is_negative;
use super::table::quote;
use super::{FormatError, Graph};

/// The names of the vertices, if lines can have them.
fn names(graph: &Graph) -> Result<Vec<String>, FormatError> {
    let names: Vec<String> = (0..graph.num_vertices()).map(|v| graph.vertex_name(v)).collect();
    let is_word =
        |name: &&String| !name.is_empty() && !name.contains(char::is_control) && !is_negative(name);
    match names.iter().find(|name| !is_word(name)) {
        None => Ok(names),
        Some(name) => Err(FormatError::new(format!(
            "a list cannot have the vertex {name:?}: a vertex has no control characters, and is neither empty \
             nor negative; write JSON or GraphML"
        ))),
    }
}

/// The names of the vertices as words of a line.
fn words(graph: &Graph) -> Result<Vec<String>, FormatError> {
    Ok(names(graph)?.iter().map(|name| quote(name).into_owned()).collect())
}

/// Whether vertices are first used in their order by the edges, so that reading numbers them alike.
fn are_in_order(graph: &Graph) -> bool {
    let mut first_uses = Vec::with_capacity(graph.num_vertices());
    let mut used = vec![false; graph.num_vertices()];
    for end in graph.edges().iter().flat_map(|&(a, b)| [a, b]) {
        if !std::mem::replace(&mut used[end], true) {
            first_uses.push(end);
        }
    }
    first_uses.iter().copied().eq(0..graph.num_vertices())
}

pub(super) fn write(graph: &Graph) -> Result<String, FormatError> {
    let names = words(graph)?;
    let mut text = String::new();
    if !are_in_order(graph) {
        text.extend(names.iter().flat_map(|name| [name, "\n"]));
    }
    for (edge, &(a, b)) in graph.edges().iter().enumerate() {
        let _ = match graph.weights() {
            Some(weights) => writeln!(text, "{} {} {}", names[a], names[b], weights[edge]),
            None => writeln!(text, "{} {}", names[a], names[b]),
        };
    }
    Ok(text)
}

/// Writes a row of names, and a row for each edge.
#[cfg(feature = "csv")]
pub(super) fn write_csv(graph: &Graph) -> Result<String, FormatError> {
    let mut used = vec![false; graph.num_vertices()];
    for end in graph.edges().iter().flat_map(|&(a, b)| [a, b]) {
        used[end] = true;
    }
    if let Some(vertex) = used.iter().position(|used| !used) {
        return Err(FormatError::new(format!(
            "the vertex {} has no edge, and a table of edges cannot have it; write another format",
            graph.vertex_name(vertex)
        )));
    }
    let names = names(graph)?;
    if let Some(name) = names.iter().find(|name| name.trim() != **name) {
        return Err(FormatError::new(format!(
            "a table cannot have the vertex {name:?}, which begins or ends with a blank; write JSON or GraphML"
        )));
    }
    let failed =
        |error: &dyn std::fmt::Display| FormatError::new(format!("no table was written: {error}"));
    // A name may begin as a comment, or have another separator.
    let style = csv::QuoteStyle::NonNumeric;
    let mut writer = csv::WriterBuilder::new().quote_style(style).from_writer(Vec::new());
    let weighted = graph.weights().is_some();
    let head = ["from", "to", "weight"];
    writer.write_record(&head[..2 + usize::from(weighted)]).map_err(|error| failed(&error))?;
    for (edge, &(a, b)) in graph.edges().iter().enumerate() {
        let row = [&names[a], &names[b], &graph.weight(edge).to_string()];
        writer.write_record(&row[..2 + usize::from(weighted)]).map_err(|error| failed(&error))?;
    }
    let bytes = writer.into_inner().map_err(|error| failed(&error))?;
    String::from_utf8(bytes).map_err(|error| failed(&error))
}

#[cfg(not(feature = "csv"))]
pub(super) fn write_csv(_graph: &Graph) -> Result<String, FormatError> {
    Err(super::without_feature(super::GraphFormat::Csv))
}

/// Writes each vertex with the later ends of its edges.
pub(super) fn write_lists(graph: &Graph) -> Result<String, FormatError> {
    let names = words(graph)?;
    let mut lists: Vec<Vec<&str>> = names.iter().map(|name| vec![name.as_str()]).collect();
    for &(a, b) in graph.edges() {
        lists[a].push(&names[b]);
    }
    Ok(lists.iter().map(|list| list.join(" ") + "\n").collect())
}
