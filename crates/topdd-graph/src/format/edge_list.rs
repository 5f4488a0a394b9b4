//! Edge lists.

use std::fmt::Write;

use super::{Draft, DraftEdge, DraftWeight, FormatError, Graph, Labels, is_negative};

pub(super) fn read(text: &str) -> Result<Draft, FormatError> {
    let mut labels = Labels::default();
    let mut draft = Draft::default();
    for (index, content) in text.lines().enumerate() {
        let line = index + 1;
        let mut words = content.split_whitespace().take_while(|word| !word.starts_with('#'));
        let Some(from) = words.next() else { continue };
        let to = words.next();
        let weight = words.next();
        if let Some(word) = weight.filter(|word| word.parse::<f64>().is_err()) {
            return Err(FormatError::at(
                line,
                format!(
                    "`{word}` is no number; the third word is a weight, and a vertex is one word, without \
                     spaces"
                ),
            ));
        }
        let weight = weight.map(|word| DraftWeight::parse(word, line)).transpose()?;
        if let Some(word) = words.next() {
            return Err(FormatError::at(
                line,
                format!("`{word}` is one word too many; write `a b`, `a b weight`, or `a`"),
            ));
        }
        if let Some(label) = [Some(from), to].into_iter().flatten().find(|word| is_negative(word)) {
            return Err(FormatError::at(
                line,
                format!("the vertex {label} is negative; number vertices from 0, or name them"),
            ));
        }
        let from = labels.number(from);
        if let Some(to) = to {
            let ends = (from, labels.number(to));
            draft.edges.push(DraftEdge { ends, line, weight, label: None });
        }
    }
    draft.labels = labels.labels;
    Ok(draft)
}

pub(super) fn write(graph: &Graph) -> Result<String, FormatError> {
    let names: Vec<String> = (0..graph.num_vertices()).map(|v| graph.vertex_name(v)).collect();
    let is_word = |name: &&String| {
        let words: Vec<&str> = name.split_whitespace().collect();
        words == [name.as_str()] && !name.starts_with('#') && !is_negative(name)
    };
    if let Some(name) = names.iter().find(|name| !is_word(name)) {
        return Err(FormatError::new(format!(
            "an edge list cannot have the vertex `{name}`: a vertex is a word that does not start \
             with `#` and is not negative; write JSON or GraphML"
        )));
    }
    let mut text = String::new();
    // Vertices are numbered in the order of the file.
    let mut first_uses = Vec::with_capacity(names.len());
    let mut used = vec![false; names.len()];
    for end in graph.edges().iter().flat_map(|&(a, b)| [a, b]) {
        if !std::mem::replace(&mut used[end], true) {
            first_uses.push(end);
        }
    }
    if !first_uses.iter().copied().eq(0..names.len()) {
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
