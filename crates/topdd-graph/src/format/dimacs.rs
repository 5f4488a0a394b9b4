//! This module reads DIMACS files with the header `p edge`, `p col` or `p sp`. It also reads the graph files of the PACE
//! challenges, with headers such as `p tw`, in which the line of an edge has two numbers and no letter.

use std::collections::HashSet;

use super::draft::{Draft, DraftEdge, Stated};
use super::number::{DraftWeight, check_announced, parse_count, parse_vertex};
use super::{FormatError, GraphReadOptions, Note, NoteKind};

/// The line that announces the sizes, in messages.
const HEADER: &str = "the line `p`";

/// The problems of the PACE challenges whose files are graphs.
const PACE: [&str; 7] = ["tw", "td", "vc", "cep", "ds", "fes", "tww"];

/// A file while it is read.
struct DimacsReader<'a> {
    text: &'a str,
    /// Whether numbers have a decimal comma.
    decimal_comma: bool,
    /// Whether the lines of edges are two numbers alone.
    is_pace: bool,
    draft: Draft,
    /// The number of edges that the header announces, and its line.
    announced: Option<(usize, usize)>,
}

pub(super) fn read(text: &str, options: &GraphReadOptions) -> Result<Draft, FormatError> {
    let decimal_comma = options.decimal_comma;
    let (draft, announced) = (Draft::default(), None);
    let mut reader = DimacsReader { text, decimal_comma, is_pace: false, draft, announced };
    for (index, content) in text.lines().enumerate() {
        let words: Vec<&str> = content.split_whitespace().collect();
        if let Some((kind, words)) = words.split_first() {
            reader.line(kind, words, index + 1)?;
        }
    }
    let Some((announced, line)) = reader.announced else {
        return Err(FormatError::new("there is no line `p`; start with `p edge VERTICES EDGES`"));
    };
    let edges = reader.draft.edges.len();
    let mut draft = reader.draft;
    let is_twice = announced == 2 * edges && edges > 0;
    if is_twice || edges > announced && announced > 0 && announced == distinct(&draft) {
        let note = format!(
            "line {line} announces {announced} edges, and the file has {edges}, which are read; \
             one of them counts edges twice, or loops"
        );
        draft.notes.push(Note::new(NoteKind::Content, note));
    } else if edges != announced {
        return Err(FormatError::at(
            line,
            format!(
                "the line `p` announces {announced} edges, and the file has {edges}; correct one of \
                 them"
            ),
        ));
    }
    Ok(draft)
}

fn bad_header(line: usize) -> FormatError {
    FormatError::at(line, "write `p edge VERTICES EDGES`, `p col ..` or `p sp VERTICES EDGES`")
}

/// The number of pairs of different vertices that edges join.
fn distinct(draft: &Draft) -> usize {
    let pairs =
        draft.edges.iter().map(|edge| (edge.ends.0.min(edge.ends.1), edge.ends.0.max(edge.ends.1)));
    pairs.filter(|(a, b)| a != b).collect::<HashSet<_>>().len()
}

impl DimacsReader<'_> {
    fn line(&mut self, kind: &str, words: &[&str], line: usize) -> Result<(), FormatError> {
        match kind {
            "c" => return Ok(()),
            "p" => return self.header(words, line),
            "e" | "a" | "l" | "t" | "n" if self.announced.is_none() => {
                return Err(FormatError::at(
                    line,
                    "the line `p` is missing; write `p edge VERTICES EDGES` first",
                ));
            }
            _ => {}
        }
        let vertices = self.draft.vertices.len();
        let directed = self.draft.stated == Stated::Directed;
        let vertex = |word: &&str| parse_vertex(word, vertices, HEADER, line);
        let decimal_comma = self.decimal_comma;
        let number = |word: &&str| DraftWeight::parse(word, decimal_comma);
        match (kind, words) {
            ("e" | "a", [a, b, weight @ ..])
                if (kind == "a") == directed
                    && (usize::from(directed)..2).contains(&weight.len()) =>
            {
                let weight = weight.first().map(number);
                let ends = (vertex(a)?, vertex(b)?);
                self.draft.edges.push(DraftEdge { ends, line, weight, label: None });
            }
            (a, [b]) if self.is_pace => {
                self.draft.edges.push(DraftEdge::new((vertex(&a)?, vertex(b)?), line));
            }
            ("l", [_]) if self.draft.max_length.is_some() => {
                return Err(FormatError::at(
                    line,
                    "there is a second line `l`; leave one of them out",
                ));
            }
            ("l", [length]) => {
                self.draft.max_length = Some(parse_count(length, "the length", line)?);
            }
            ("t", [_, ..]) => {
                for word in words {
                    self.draft.terminals.push(vertex(word)?);
                }
            }
            ("n", [word, weight]) => {
                let vertex = &mut self.draft.vertices[vertex(word)?];
                (vertex.weight, vertex.line) = (Some(number(weight)), Some(line));
            }
            _ => return Err(self.refused(kind, line)),
        }
        Ok(())
    }

    fn header(&mut self, words: &[&str], line: usize) -> Result<(), FormatError> {
        if self.announced.is_some() {
            return Err(FormatError::at(line, "there is a second line `p`; leave one of them out"));
        }
        let [problem, vertices, edges, more @ ..] = words else { return Err(bad_header(line)) };
        self.is_pace = PACE.contains(problem) && more.is_empty();
        let directed = *problem == "sp";
        let is_known = directed || self.is_pace || ["edge", "edges", "col"].contains(problem);
        if !is_known || more.len() > 1 {
            return Err(bad_header(line));
        }
        let note = |more: &&str| {
            let note = format!(
                "line {line} has one word more than two numbers, `{more}`, which is ignored"
            );
            Note::new(NoteKind::Content, note)
        };
        let notes = more.iter().map(note).collect();
        let vertices = parse_count(vertices, "the number of vertices", line)?;
        check_announced(vertices, self.text, line)?;
        self.announced = Some((parse_count(edges, "the number of edges", line)?, line));
        let stated = if directed { Stated::Directed } else { Stated::Nothing };
        self.draft = Draft { stated, notes, ..Draft::numbered_from(1, vertices) };
        Ok(())
    }

    /// The error for a line of this kind that cannot be read.
    fn refused(&self, kind: &str, line: usize) -> FormatError {
        let directed = self.draft.stated == Stated::Directed;
        let expected = match kind {
            _ if self.is_pace => "an edge is two numbers, `A B`",
            "e" if directed => "after `p sp`, write edges as `a FROM TO WEIGHT`",
            "a" if !directed => "after `p edge`, write edges as `e A B`",
            "e" => "an edge has two ends; write `e A B`",
            "a" => "an edge has two ends and a weight; write `a FROM TO WEIGHT`",
            "l" => "write one length: `l LENGTH`",
            "t" => "write the terminals: `t A B`",
            "n" => "write a vertex and its weight: `n VERTEX WEIGHT`",
            _ => "a line starts with c, p, e, a, n, l or t",
        };
        FormatError::at(line, format!("cannot read the line `{kind} ..`; {expected}"))
    }
}
