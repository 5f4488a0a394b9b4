//! The graph files of METIS (G. Karypis and V. Kumar, METIS 5.1 manual, section 4.1.1).

use std::collections::HashSet;

use super::FormatError;
use super::draft::{Draft, DraftEdge};
use super::number::{DraftWeight, parse_count, parse_vertex, parse_weight};

/// The first line.
struct MetisHeader {
    vertices: usize,
    edges: usize,
    /// The number of weights before the neighbours of a vertex: its size, and its weights.
    sizes: usize,
    constraints: usize,
    edge_weights: bool,
}

fn header(words: &[&str], line: usize) -> Result<MetisHeader, FormatError> {
    let [vertices, edges, more @ ..] = words else {
        return Err(FormatError::at(
            line,
            "the first line has the numbers of vertices and edges; write `VERTICES EDGES [FORMAT]`",
        ));
    };
    let vertices = parse_count(vertices, "the number of vertices", line)?;
    let edges = parse_count(edges, "the number of edges", line)?;
    let format = more.first().copied().unwrap_or("0");
    if more.len() > 2 || format.len() > 3 || format.bytes().any(|bit| !matches!(bit, b'0' | b'1')) {
        return Err(FormatError::at(
            line,
            "write at most `VERTICES EDGES FORMAT CONSTRAINTS`, with a format such as 0, 1, 11 or 011",
        ));
    }
    let flag = |place: usize| format.bytes().rev().nth(place) == Some(b'1');
    let constraints = match more.get(1) {
        Some(word) => parse_count(word, "the number of constraints", line)?,
        None => 1,
    };
    let constraints = if flag(1) { constraints } else { 0 };
    Ok(MetisHeader { vertices, edges, sizes: flag(2).into(), constraints, edge_weights: flag(0) })
}

pub(super) fn read(text: &str) -> Result<Draft, FormatError> {
    // A vertex without neighbours is an empty line, so only comments are passed over.
    let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    let mut lines = lines.by_ref().filter(|(_, content)| !content.trim_start().starts_with('%'));
    let first = lines.by_ref().find(|(_, content)| !content.trim().is_empty());
    let Some((line, content)) = first else {
        return Err(FormatError::new("the file is empty; start with the line `VERTICES EDGES`"));
    };
    let words: Vec<&str> = content.split_whitespace().collect();
    let header = header(&words, line)?;
    let mut lists: Vec<(usize, &str)> = lines.collect();
    // There may be more empty lines at the end than isolated vertices, or fewer.
    while lists.len() > header.vertices
        && lists.last().is_some_and(|(_, rest)| rest.trim().is_empty())
    {
        lists.pop();
    }
    if lists.len() != header.vertices {
        return Err(FormatError::at(
            line,
            format!(
                "the first line announces {} vertices, and {} lines follow; write one line for each \
                 vertex, an empty one if it has no neighbours",
                header.vertices,
                lists.len()
            ),
        ));
    }
    let draft = Draft { of_lists: true, ..Draft::numbered_from(1, header.vertices) };
    let mut reader = MetisReader { header, draft };
    for (vertex, &(line, content)) in lists.iter().enumerate() {
        let words: Vec<&str> = content.split_whitespace().collect();
        reader.list(vertex, line, &words)?;
    }
    let MetisReader { header, draft } = reader;
    let listed = draft.edges.len();
    if listed != header.edges.saturating_mul(2) {
        let message = format!(
            "the first line announces {} edges, and the lists have {listed} neighbours; an edge counts once, and is in \
             the lists of both its ends",
            header.edges
        );
        return Err(FormatError::at(line, message));
    }
    Ok(draft)
}

/// The lists while they are read, each with its own edges.
struct MetisReader {
    header: MetisHeader,
    draft: Draft,
}

impl MetisReader {
    /// Reads the list of a vertex.
    fn list(&mut self, vertex: usize, line: usize, words: &[&str]) -> Result<(), FormatError> {
        let before = self.header.sizes.saturating_add(self.header.constraints);
        if words.len() < before {
            let count = words.len();
            let message =
                format!("the line has {count} numbers, and {before} sizes and weights are needed");
            return Err(FormatError::at(line, message));
        }
        let (before, neighbours) = words.split_at(before);
        for (place, word) in before.iter().enumerate() {
            let weight = DraftWeight::Whole(parse_weight(word, line)?);
            if place == self.header.sizes {
                self.draft.vertices[vertex].weight = Some(Ok(weight));
            }
        }
        self.draft.vertices[vertex].line = Some(line);
        let step = if self.header.edge_weights { 2 } else { 1 };
        let mut seen = HashSet::from([vertex]);
        for pair in neighbours.chunks(step) {
            let word = pair[0];
            let other = parse_vertex(word, self.header.vertices, "the first line", line)?;
            if !seen.insert(other) {
                let message = format!(
                    "the neighbour {word} is the vertex itself, or is there twice; METIS has no loops and no parallel edges"
                );
                return Err(FormatError::at(line, message));
            }
            if pair.len() < step {
                let message = format!("the neighbour {word} has no weight; write it after it");
                return Err(FormatError::at(line, message));
            }
            let weight = pair.get(1).map(|word| parse_weight(word, line)).transpose()?;
            let weight = weight.map(|weight| Ok(DraftWeight::Whole(weight)));
            self.draft.edges.push(DraftEdge { weight, ..DraftEdge::new((vertex, other), line) });
        }
        Ok(())
    }
}
