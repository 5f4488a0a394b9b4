//! Recognition of formats that are not read by the first words of a text.

use std::collections::HashMap;

use super::FormatError;
use super::foreign::{
    DIRECTED_MATRIX_MARKET, DOT, DOT_OF_NAMES, FileName, Foreign, GEXF, GML, GML_FOR_IGRAPH,
    GML_OF_IDS, GML_OF_NAMES, GRAPH6, HTML, LATEX, LEDA, LGF, MATRIX_MARKET, PAJEK,
    PAJEK_OF_NUMBERS, SPARSE6, STP, TSPLIB, UCINET, XML_TABLE,
};

/// Fails if the text is plainly in a format that is not read.
pub(super) fn refuse(text: &str, name: FileName<'_>) -> Result<(), FormatError> {
    match by_content(text) {
        Some(format) => Err(format.error(name)),
        None => Ok(()),
    }
}

/// The format that the first words of a text name.
fn by_content(text: &str) -> Option<&'static Foreign> {
    let text = text.trim_start();
    if text.starts_with(">>graph6<<") || text.starts_with(">>digraph6<<") {
        return Some(&GRAPH6);
    }
    if text.starts_with(">>sparse6<<") {
        return Some(&SPARSE6);
    }
    if text.starts_with("%%MatrixMarket") {
        let is_directed = !is_symmetric_matrix_market(text);
        return Some(if is_directed { &DIRECTED_MATRIX_MARKET } else { &MATRIX_MARKET });
    }
    if text.starts_with('<') {
        return markup(text);
    }
    // The texts of JSON may have lines that begin as another format.
    if text.starts_with(['{', '[']) {
        return None;
    }
    if let Some(format) = by_keyword(text) {
        return Some(format);
    }
    if text.starts_with("\\documentclass") || text.starts_with("\\begin{") {
        return Some(&LATEX);
    }
    if is_dot(text) {
        let names = text.contains("\n    name=");
        return Some(if names { &DOT_OF_NAMES } else { &DOT });
    }
    if let Some(gml) = gml(text) {
        return Some(gml);
    }
    pajek(text)
}

/// The format whose keyword begins a text, or a line.
fn by_keyword(text: &str) -> Option<&'static Foreign> {
    let first = text.lines().next().unwrap_or_default().to_ascii_lowercase();
    let has_line = |words: &[&str]| {
        text.lines().any(|line| words.contains(&line.split([':', ' ']).next().unwrap_or_default()))
    };
    if first.starts_with("leda.graph") {
        Some(&LEDA)
    } else if first.starts_with("33d32945") || has_line(&["SECTION"]) && has_line(&["END"]) {
        Some(&STP)
    } else if has_line(&["EDGE_WEIGHT_TYPE", "NODE_COORD_SECTION", "EDGE_DATA_SECTION"]) {
        Some(&TSPLIB)
    } else if has_line(&["@nodes", "@arcs", "@edges"]) {
        Some(&LGF)
    } else if first.starts_with("dl ") && first.contains('=') {
        Some(&UCINET)
    } else {
        None
    }
}

/// XML and HTML other than GraphML.
fn markup(text: &str) -> Option<&'static Foreign> {
    let head: String = text.chars().take(2000).collect();
    if head.contains("<gexf") {
        return Some(&GEXF);
    }
    if text.contains("<graph") {
        return None;
    }
    let head = head.to_ascii_lowercase();
    let is_html = ["<!doctype html", "<html", "<table"].iter().any(|tag| head.contains(tag));
    if is_html {
        return Some(&HTML);
    }
    // A table has an element for each column of a row.
    let is_table = text.starts_with("<?xml") && text.matches("</").nth(2).is_some();
    is_table.then_some(&XML_TABLE)
}

/// Whether a matrix states that it is symmetric, or has each entry in both triangles.
fn is_symmetric_matrix_market(text: &str) -> bool {
    if !text.lines().next().unwrap_or_default().trim_end().ends_with("general") {
        return true;
    }
    let lines = text.lines().filter(|line| !line.starts_with('%') && !line.trim().is_empty());
    let entries: Option<HashMap<(&str, &str), Vec<&str>>> = lines
        .skip(1)
        .map(|line| {
            let mut words = line.split_whitespace();
            Some(((words.next()?, words.next()?), words.collect()))
        })
        .collect();
    entries.is_some_and(|entries| {
        !entries.is_empty()
            && entries
                .iter()
                .all(|(&(row, column), value)| entries.get(&(column, row)) == Some(value))
    })
}

/// GML: `graph [`, after comments and entries such as `Creator "..."`.
fn gml(text: &str) -> Option<&'static Foreign> {
    let mut lines = text.lines().map(str::trim);
    let mut lines = lines.by_ref().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let start = lines.by_ref().find(|line| {
        let key = line.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
        !["creator", "version", "comment"].contains(&key.as_str())
    })?;
    let rest = start.strip_prefix("graph")?.trim_start();
    if !(rest.starts_with('[') || rest.is_empty() && lines.next()?.starts_with('[')) {
        return None;
    }
    let has = |key: &str| text.lines().any(|line| line.trim_start().starts_with(key));
    let by_igraph = text.trim_start().starts_with("Creator \"igraph");
    Some(if by_igraph && has("name ") || !text.is_ascii() {
        &GML_FOR_IGRAPH
    } else if has("label ") || text.contains(" label ") {
        &GML
    } else if has("name ") {
        &GML_OF_NAMES
    } else {
        &GML_OF_IDS
    })
}

/// DOT: `[strict] graph|digraph [ID] {`, after comments.
fn is_dot(text: &str) -> bool {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if rest.starts_with("//") || rest.starts_with('#') {
            rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
        } else if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, rest)| rest);
        } else {
            break;
        }
    }
    let Some((head, _)) = rest.split_once('{') else { return false };
    let head = head.to_ascii_lowercase();
    let mut words = head.split_whitespace().peekable();
    words.next_if_eq(&"strict");
    matches!(words.next(), Some("graph" | "digraph")) && !head.contains('\n')
        || matches!(head.trim(), "graph" | "digraph" | "strict graph" | "strict digraph")
}

/// Pajek: a line such as `*Vertices 4`, after comments.
fn pajek(text: &str) -> Option<&'static Foreign> {
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('%'))?;
    let first = first.trim_start().to_ascii_lowercase();
    let keys = ["*vertices", "*network", "*edges", "*arcs", "*edgeslist", "*arcslist", "*matrix"];
    if !keys.iter().any(|key| first.starts_with(key)) {
        return None;
    }
    // networkx needs the names of the vertices.
    let mut lines =
        text.lines().skip_while(|line| !line.to_ascii_lowercase().starts_with("*vertices"));
    let after = lines.nth(1).unwrap_or("1");
    Some(if after.starts_with('*') { &PAJEK_OF_NUMBERS } else { &PAJEK })
}
