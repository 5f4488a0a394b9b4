//! Lines of a vertex, a colon, and its neighbours, as people and Python write them.

use std::borrow::Cow;
use std::collections::HashSet;

use super::table::{Row, data_lines};
use super::{FormatError, attributes};

/// The rows of a text whose lines are `vertex: neighbours`; an error if the neighbours have more than their names.
pub(super) fn with_colons(text: &str) -> Result<Option<Vec<Row<'_>>>, FormatError> {
    let mut rows = Vec::new();
    for (line, content) in data_lines(text) {
        let Some((vertex, neighbours)) = split(content.trim()) else { return Ok(None) };
        let words = std::iter::once(vertex).chain(words(neighbours)).collect();
        rows.push(Row { line, words, attributes: None });
    }
    let is_arrow = |row: &Row<'_>| ["->", "--"].iter().any(|arrow| row.words[0].contains(arrow));
    if let Some(row) = rows.first().filter(|_| rows.iter().all(is_arrow)) {
        return Err(FormatError::at(
            row.line,
            format!(
                "`{}` is an edge and no vertex; write one edge per line, as `a b weight`",
                row.words[0]
            ),
        ));
    }
    let heads: HashSet<&str> = rows.iter().map(|row| &*row.words[0]).collect();
    let is_name = |word: &str| {
        heads.contains(word) || !word.contains(['{', '}', '(', ')', '[', ']', ':', '\'', '"'])
    };
    for row in &rows {
        if let Some(word) = row.words.iter().find(|word| !is_name(word)) {
            return Err(FormatError::at(
                row.line,
                format!(
                    "`{word}` is no name of a neighbour; leave out weights and attributes, as in `a: b c`, or write \
                     one edge per line, as `a b weight`"
                ),
            ));
        }
    }
    Ok(Some(rows).filter(|rows| !rows.is_empty()))
}

/// The vertex before the first colon that ends a word, and the text after the colon.
fn split(content: &str) -> Option<(Cow<'_, str>, &str)> {
    let mut quote = None;
    let mut depth = 0_usize;
    let mut at = None;
    let mut signs = content.char_indices();
    while let Some((offset, sign)) = signs.next() {
        match (quote, sign) {
            // A quote after a backslash is part of the name.
            (Some(_), '\\') => {
                signs.next();
            }
            (Some(open), _) if open == sign => quote = None,
            (None, '\'' | '"') => quote = Some(sign),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.checked_sub(1)?,
            (None, ':') if depth == 0 => {
                let after = &content[offset + 1..];
                if after.is_empty()
                    || after.starts_with(|sign: char| sign.is_whitespace() || "[{(".contains(sign))
                {
                    at = Some(offset);
                    break;
                }
            }
            _ => {}
        }
    }
    let (vertex, neighbours) = (content[..at?].trim_end(), content[at? + 1..].trim());
    let name = attributes::unquoted(vertex);
    let is_enclosed = name != vertex || vertex.starts_with('(') && vertex.ends_with(')');
    let is_word =
        !vertex.is_empty() && !vertex.contains([' ', '\t', ',', ';', '{', '"', '\'', '[']);
    (is_enclosed || is_word).then_some((Cow::Owned(name), neighbours))
}

/// The neighbours: a list, a tuple or a set of Python, or words that blanks or commas separate.
fn words(neighbours: &str) -> Vec<Cow<'_, str>> {
    let neighbours = neighbours.strip_suffix(',').unwrap_or(neighbours).trim();
    let inner = [('[', ']'), ('{', '}'), ('(', ')')]
        .into_iter()
        .find_map(|(open, close)| neighbours.strip_prefix(open)?.strip_suffix(close));
    if let Some(parts) = inner.and_then(|inner| attributes::split(inner, ',')) {
        let parts = parts.into_iter().map(|part| Cow::<str>::Owned(attributes::unquoted(part)));
        let parts: Vec<_> = parts.filter(|word| !word.is_empty()).collect();
        // A list of words may have blanks alone between them.
        let has_blank = |word: &Cow<'_, str>| word.contains(char::is_whitespace);
        if !parts.iter().any(has_blank) || neighbours.contains(['\'', '"', '(']) {
            return parts;
        }
    }
    let is_separator = |sign: char| sign.is_whitespace() || sign == ',' || sign == ';';
    let words = inner.unwrap_or(neighbours).split(is_separator);
    words
        .filter(|word| !word.is_empty())
        .map(|word| Cow::Owned(attributes::unquoted(word)))
        .collect()
}
