//! The graph files of METIS (G. Karypis and V. Kumar, METIS 5.1 manual, section 4.1.1).

use std::collections::HashMap;
use std::fmt::Write;

use super::draft::{Draft, DraftEdge, Stated};
use super::number::{DraftWeight, parse_count, parse_vertex, parse_weight};
use super::{FormatError, Graph, GraphReadOptions};

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

pub(super) fn read(text: &str, options: &GraphReadOptions) -> Result<Draft, FormatError> {
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
    let draft = Draft { stated: Stated::Undirected, ..Draft::numbered_from(1, header.vertices) };
    let mut reader = MetisReader { header, draft, halves: HashMap::new() };
    for (vertex, &(line, content)) in lists.iter().enumerate() {
        let words: Vec<&str> = content.split_whitespace().collect();
        reader.list(vertex, line, &words)?;
    }
    reader.check_halves()?;
    let MetisReader { header, mut draft, .. } = reader;
    if draft.edges.len() != header.edges {
        return Err(FormatError::at(
            line,
            format!(
                "the first line announces {} edges, and the lists have {}; an edge counts once",
                header.edges,
                draft.edges.len()
            ),
        ));
    }
    if options.directed == Some(true) {
        // Each list has its own directed edges.
        let back = |edge: &DraftEdge| DraftEdge {
            ends: (edge.ends.1, edge.ends.0),
            line: lists[edge.ends.1].0,
            weight: edge.weight.clone(),
            label: None,
        };
        let back: Vec<DraftEdge> = draft.edges.iter().map(back).collect();
        draft.edges.extend(back);
        draft.edges.sort_by_key(|edge| edge.line);
    }
    Ok(draft)
}

/// The lists while they are read.
struct MetisReader {
    header: MetisHeader,
    draft: Draft,
    /// The weights and lines of the edges that are in the list of one end only, so far.
    halves: HashMap<(usize, usize), (Option<DraftWeight>, usize)>,
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
        for pair in neighbours.chunks(step) {
            let other = parse_vertex(pair[0], self.header.vertices, "the first line", line)?;
            let weight = match (self.header.edge_weights, pair.get(1)) {
                (false, _) => None,
                (true, Some(word)) => Some(DraftWeight::Whole(parse_weight(word, line)?)),
                (true, None) => {
                    let message =
                        format!("the neighbour {} has no weight; write it after it", pair[0]);
                    return Err(FormatError::at(line, message));
                }
            };
            self.neighbour(vertex, other, line, weight)?;
        }
        Ok(())
    }

    /// Adds a neighbour of a vertex.
    fn neighbour(
        &mut self,
        vertex: usize,
        other: usize,
        line: usize,
        weight: Option<DraftWeight>,
    ) -> Result<(), FormatError> {
        let ends = (vertex, other);
        let number = other + 1;
        let wrong = |message| Err(FormatError::at(line, message));
        if other == vertex {
            return wrong(format!(
                "vertex {number} is its own neighbour; METIS has no loops, so remove it"
            ));
        }
        if let Some((expected, _)) = self.halves.remove(&(other, vertex)) {
            if expected == weight {
                return Ok(());
            }
            return wrong(format!("the edge to {number} has another weight in that list"));
        }
        if other < vertex {
            return wrong(missing(vertex, other));
        }
        if self.halves.insert(ends, (weight, line)).is_some() {
            return wrong(format!(
                "the neighbour {number} is there twice; METIS has no parallel edges"
            ));
        }
        let weight = weight.map(Ok);
        self.draft.edges.push(DraftEdge { ends, line, weight, label: None });
        Ok(())
    }

    /// Fails if an edge is in one list only.
    fn check_halves(&self) -> Result<(), FormatError> {
        // The first of them, so that the message is always the same.
        match self.halves.iter().map(|(&(a, b), &(_, line))| (line, a, b)).min() {
            None => Ok(()),
            Some((line, a, b)) => Err(FormatError::at(line, missing(a, b))),
        }
    }
}

/// The message for a neighbour whose list does not have the vertex.
fn missing(vertex: usize, neighbour: usize) -> String {
    let (vertex, neighbour) = (vertex + 1, neighbour + 1);
    format!(
        "vertex {vertex} has the neighbour {neighbour}, and the list of vertex {neighbour} does not have \
         {vertex}; add it"
    )
}

pub(super) fn write(graph: &Graph) -> Result<String, FormatError> {
    let format = match (graph.vertex_weights(), graph.weights()) {
        (None, None) => "",
        (None, Some(_)) => " 001",
        (Some(_), None) => " 010",
        (Some(_), Some(_)) => " 011",
    };
    let mut text = format!("{} {}{format}\n", graph.num_vertices(), graph.num_edges());
    for vertex in 0..graph.num_vertices() {
        let mut words = Vec::new();
        if let Some(weights) = graph.vertex_weights() {
            words.push(weights[vertex].to_string());
        }
        let mut neighbours = Vec::new();
        for &edge in graph.incident(vertex) {
            let (a, b) = graph.edges()[edge];
            let other = a ^ b ^ vertex;
            if a == b {
                return Err(FormatError::new(format!(
                    "edge {edge} is a loop, which METIS does not have; write another format"
                )));
            }
            neighbours.push(other);
            words.push((other + 1).to_string());
            if let Some(weights) = graph.weights() {
                words.push(weights[edge].to_string());
            }
        }
        neighbours.sort_unstable();
        let mut pairs = neighbours.iter().zip(neighbours.iter().skip(1));
        if let Some((other, _)) = pairs.find(|(a, b)| a == b) {
            return Err(FormatError::new(format!(
                "vertices {vertex} and {other} have parallel edges, which METIS does not have; write \
                 another format"
            )));
        }
        let _ = writeln!(text, "{}", words.join(" "));
    }
    Ok(text)
}
