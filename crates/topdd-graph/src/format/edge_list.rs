//! Edge lists: lines `a b`, `a b weight` or `a`, and `a b {'weight': 2}` as networkx writes them.

use super::columns::{self, Columns};
use super::draft::Draft;
use super::number::{DraftWeight, is_number, is_value};
use super::table::{self, Row};
use super::{FormatError, GraphFormat, GraphReadOptions, Known, Remedy, unsure};
use crate::families::Unit;

pub(super) fn read(
    text: &str,
    known: Known,
    options: &GraphReadOptions,
) -> Result<Draft, FormatError> {
    let mut rows = table::rows(text)?;
    let is_chosen = !options.columns.is_empty();
    if known != Known::Given && !is_chosen {
        unsure::refuse(text, &rows, known)?;
    }
    let columns = if is_chosen { chosen(&rows, options)? } else { Columns::default() };
    let mut draft = Draft::default();
    table::whole_ends(&mut rows, columns.ends, &mut draft.notes);
    for row in &rows {
        match row.words.len() {
            1 if row.attributes.is_none() && !is_chosen => {
                row.check_vertex(0)?;
                draft.vertex(&row.words[0]);
            }
            _ => edge(row, &columns, options, &mut draft)?,
        }
    }
    Ok(draft)
}

/// The columns that the options choose by their numbers.
fn chosen(rows: &[Row<'_>], options: &GraphReadOptions) -> Result<Columns, FormatError> {
    let width = rows.iter().map(|row| row.words.len()).max().unwrap_or(0);
    if let Some(name) = options.columns.iter().find(|column| column.parse::<usize>().is_err()) {
        let message = format!("an edge list has no column `{name}`; number its columns from 1");
        return Err(FormatError::new(message).or(Remedy::Format(vec![GraphFormat::Csv])));
    }
    let numbers: Vec<String> = (1..=width).map(|number| number.to_string()).collect();
    columns::chosen(&numbers, options, 1)
}

fn edge(
    row: &Row<'_>,
    columns: &Columns,
    options: &GraphReadOptions,
    draft: &mut Draft,
) -> Result<(), FormatError> {
    if options.columns.is_empty() {
        check_words(row)?;
    }
    let mut edge = columns.edge(row, options.decimal_comma, draft)?;
    if let Some(text) = row.attributes {
        let entries = attributes(text).ok_or_else(|| {
            let message =
                format!("the attributes `{text}` cannot be read; write them as {{'weight': 2}}");
            FormatError::at(row.line, message)
        })?;
        for (name, value) in entries {
            let is_weight = name == options.edge_weight_name();
            draft.add_attribute(Unit::Edge, &name, !is_weight && is_number(&value));
            if is_weight {
                edge.weight = Some(DraftWeight::parse(value.trim(), options.decimal_comma));
            } else if name == "label" {
                edge.label = Some(value);
            }
        }
    }
    draft.edges.push(edge);
    Ok(())
}

/// Fails if a row has too many words, or a third one that is no weight.
fn check_words(row: &Row<'_>) -> Result<(), FormatError> {
    let most = if row.attributes.is_some() { 2 } else { 3 };
    let lists = Remedy::Format(vec![GraphFormat::AdjacencyList]);
    if let Some(word) = row.words.get(most) {
        let message = format!(
            "`{word}` is one word too many; write `a b`, `a b weight` or `a`, and a vertex with blanks in double quotes"
        );
        return Err(FormatError::at(row.line, message).or(Remedy::Columns(Vec::new())).or(lists));
    }
    if let Some(word) = row.words.get(2).filter(|word| !is_value(word)) {
        let ends = ["1", "3"].map(str::to_owned);
        let message = format!(
            "`{word}` is no number, and the third word is a weight; write a name with blanks in double quotes"
        );
        return Err(FormatError::at(row.line, message).or(Remedy::Columns(ends.into())).or(lists));
    }
    Ok(())
}

/// The names and the values of a dictionary of Python, such as `{'weight': 2.0, 'name': "A1"}`. Texts are without their
/// quotes, other values as they are written. `None` if it is no dictionary.
fn attributes(text: &str) -> Option<Vec<(String, String)>> {
    let inner = text.trim().strip_prefix('{')?.strip_suffix('}')?;
    let mut entries = Vec::new();
    for entry in split(inner, ',')?.into_iter().filter(|entry| !entry.trim().is_empty()) {
        let key = *split(entry, ':')?.first()?;
        entries.push((unquoted(key), unquoted(entry.get(key.len() + 1..)?)));
    }
    Some(entries)
}

/// Splits at a sign outside of quotes and brackets.
fn split(text: &str, separator: char) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let (mut start, mut depth, mut quote) = (0, 0_usize, None);
    let mut signs = text.char_indices();
    while let Some((offset, sign)) = signs.next() {
        match (quote, sign) {
            (Some(_), '\\') => {
                signs.next();
            }
            (Some(open), _) if open == sign => quote = None,
            (None, '\'' | '"') => quote = Some(sign),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.checked_sub(1)?,
            (None, _) if sign == separator && depth == 0 => {
                parts.push(&text[start..offset]);
                start = offset + sign.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    (quote.is_none() && depth == 0).then_some(parts)
}

/// The text of a word in quotes, or the word.
fn unquoted(text: &str) -> String {
    let text = text.trim();
    for quote in ['\'', '"'] {
        let inner = text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
        if let Some(inner) = inner {
            return inner.replace("\\'", "'").replace("\\\"", "\"").replace("\\\\", "\\");
        }
    }
    text.to_owned()
}
