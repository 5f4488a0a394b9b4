//! Whether the first row of a table has the names of its columns.

use std::collections::HashMap;

use super::FormatError;
use super::column_names::{
    OF_VERTICES_ADVICE, count_numbers, is_name, is_number, is_of_vertices, usual,
};
use super::table::{Row, Separator};

/// The most lines of a title above the names of the columns.
const MAX_TITLE: usize = 3;

/// What a first row is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FirstRow {
    /// The names of the columns.
    Names,
    /// An edge, maybe with a note that states that.
    Edge(Option<String>),
}

/// The words of a column, apart from the first row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Empty,
    Numbers,
    Names,
    Mixed,
}

fn kind(rows: &[Row<'_>], column: usize) -> Kind {
    let words = rows.iter().filter_map(|row| row.words.get(column)).filter(|word| !word.is_empty());
    let (numbers, names): (Vec<_>, Vec<_>) = words.partition(|word| is_number(word));
    match (numbers.is_empty(), names.is_empty()) {
        (true, true) => Kind::Empty,
        (false, true) => Kind::Numbers,
        (true, false) => Kind::Names,
        (false, false) => Kind::Mixed,
    }
}

/// Judges the first row by the words below it: a word above numbers is a name of a column, and a number above
/// numbers is none. An error if names above names decide nothing.
pub(super) fn judge(
    rows: &[Row<'_>],
    separator: Separator,
    ends: [usize; 2],
) -> Result<FirstRow, FormatError> {
    let edge = Ok(FirstRow::Edge(None));
    let [first, rest @ ..] = rows else { return edge };
    let last = first.words.iter().rposition(|word| !word.is_empty()).map_or(0, |at| at + 1);
    let words: Vec<&str> = first.words[..last].iter().map(|word| &**word).collect();
    if rest.is_empty() || first.attributes.is_some() || words.len() < 2 {
        return edge;
    }
    let of_edges = |column: usize| [Kind::Names, Kind::Mixed].contains(&kind(rest, column));
    if words[0].is_empty() && kind(rest, 0) != Kind::Empty
        || are_column_numbers(&words)
            && ends.into_iter().any(of_edges)
            && !uses(rest, ends, words[0])
    {
        return Ok(FirstRow::Names);
    }
    if words.iter().any(|word| is_number(word)) {
        return edge;
    }
    let own = ends.map(|end| words.get(end).copied().unwrap_or_default());
    if own.iter().any(|word| uses(rest, ends, word) || word.is_empty()) {
        return edge;
    }
    let above_numbers = |column: &usize| {
        if ends.contains(column) {
            return !words[*column].is_empty() && kind(rest, *column) == Kind::Numbers;
        }
        let numbers = count_numbers(rest.iter().map(|row| row.word(*column)));
        is_name(words[*column]) && numbers.is_some_and(|numbers| numbers > 0)
    };
    let named: Vec<usize> = (0..words.len()).filter(above_numbers).collect();
    let of_vertices = words.iter().any(|word| is_of_vertices(word));
    if named.iter().any(|column| !ends.contains(column))
        && ends.iter().all(|&end| end < words.len())
    {
        return Ok(FirstRow::Names);
    }
    let is_pair = words.len() == 2 || ends != [0, 1];
    if !named.is_empty() && is_pair && rest.len() > 1 && !of_vertices {
        return Ok(FirstRow::Names);
    }
    if !is_pair && !words.iter().all(|word| is_of_vertices(word)) {
        return edge;
    }
    if named.is_empty() && !of_vertices {
        return between_names(rows, separator, ends);
    }
    Err(unsure(first, own))
}

/// Judges a first row of names above names, both of which are no ends of other edges. Blanks separate edges more often
/// than columns, so that the row is an edge if other edges have no common end with another one either.
fn between_names(
    rows: &[Row<'_>],
    separator: Separator,
    ends: [usize; 2],
) -> Result<FirstRow, FormatError> {
    let own = ends.map(|end| rows[0].word(end));
    if separator != Separator::Blanks || rows.len() > 2 && !has_isolated(&rows[1..], ends) {
        return Err(unsure(&rows[0], own));
    }
    let note = format!(
        "line {} is read as the edge from {} to {}; if these are the names of the columns, name them with \
         `GraphReadOptions::columns`",
        rows[0].line, own[0], own[1]
    );
    Ok(FirstRow::Edge(Some(note).filter(|_| rows.len() > 2)))
}

fn unsure(first: &Row<'_>, ends: [&str; 2]) -> FormatError {
    let of_vertices = first.words.iter().any(|word| is_of_vertices(word));
    FormatError::at(
        first.line,
        format!(
            "`{}` may be an edge or the names of columns; if it has names, choose the columns by these, with \
             `GraphReadOptions::columns` {}; if it is an edge, set the format `edges`{}",
            first.words.join(" ").trim_end(),
            for_a_shell(&ends.join(",")),
            if of_vertices { OF_VERTICES_ADVICE } else { "" }
        ),
    )
}

/// The word in quotes if a shell would read it otherwise.
fn for_a_shell(word: &str) -> String {
    let is_plain = |sign: char| sign.is_alphanumeric() || "_-.,".contains(sign);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{word}'") }
}

/// Whether the words are 0, 1, 2, .., as pandas numbers columns, maybe after an empty word for the numbers of rows.
fn are_column_numbers(words: &[&str]) -> bool {
    words.iter().enumerate().all(|(at, word)| word.parse() == Ok(at))
}

/// Whether the word is the end of an edge.
fn uses(rows: &[Row<'_>], ends: [usize; 2], word: &str) -> bool {
    rows.iter().any(|row| ends.into_iter().any(|end| row.word(end) == word))
}

/// Whether an edge has no common end with another one.
fn has_isolated(rows: &[Row<'_>], ends: [usize; 2]) -> bool {
    let mut uses = HashMap::new();
    for row in rows {
        for end in ends {
            *uses.entry(row.word(end)).or_insert(0) += 1;
        }
    }
    rows.iter().any(|row| ends.into_iter().all(|end| uses[row.word(end)] == 1))
}

/// Removes the rows above a row with usual names of columns, which are a title, and returns a note.
pub(super) fn remove_title(rows: &mut Vec<Row<'_>>) -> Option<String> {
    let is_header = |row: &Row<'_>| usual(&row.words).is_some();
    let at = rows.iter().take(MAX_TITLE + 1).position(is_header)?;
    let is_used = |word: &str| {
        let count = rows.iter().flat_map(|row| &row.words).filter(|other| *other == word).count();
        count > 1 && !word.is_empty()
    };
    if at == 0 || at + 1 == rows.len() || rows[at].words.iter().any(|word| is_used(word)) {
        return None;
    }
    let title: Vec<_> = rows.drain(..at).map(|row| row.line).collect();
    let (first, last) = (title.first()?, title.last()?);
    Some(if first == last {
        format!("line {first} is above the names of the columns, and is left out")
    } else {
        format!("lines {first} to {last} are above the names of the columns, and are left out")
    })
}
