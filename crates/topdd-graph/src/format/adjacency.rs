//! Lists of neighbours: each line has a vertex and then its neighbours, written as in an edge list.

use std::borrow::Cow;
use std::collections::HashSet;

use super::FormatError;
use super::draft::{Draft, DraftEdge};
use super::table::{self, Row};

pub(super) fn read(text: &str) -> Result<Draft, FormatError> {
    let mut rows = table::rows(text)?;
    // A colon may follow the vertex, on all lines or on none.
    let has_colon = |row: &Row<'_>| row.words[0].len() > 1 && row.words[0].ends_with(':');
    if rows.iter().all(has_colon) {
        for row in &mut rows {
            row.words[0] = match &row.words[0] {
                Cow::Borrowed(word) => Cow::Borrowed(&word[..word.len() - 1]),
                Cow::Owned(word) => Cow::Owned(word[..word.len() - 1].to_owned()),
            };
        }
    }
    if text.lines().nth(1).is_some_and(|line| line.starts_with("# GMT ")) {
        check_networkx(&rows)?;
    }
    let mut draft = Draft { of_lists: true, ..Draft::default() };
    for row in &rows {
        if row.attributes.is_some() {
            let message = "a list of neighbours has no attributes; leave them out";
            return Err(FormatError::at(row.line, message));
        }
        let mut ends = Vec::with_capacity(row.words.len());
        for (column, word) in row.words.iter().enumerate() {
            row.check_vertex(column)?;
            ends.push(draft.vertex(word));
        }
        let edge = |&to: &usize| DraftEdge::new((ends[0], to), row.line);
        draft.edges.extend(ends[1..].iter().map(edge));
    }
    Ok(draft)
}

/// Fails if a word is no vertex in lists by networkx, in which each vertex has a line: then names have blanks.
fn check_networkx(rows: &[Row<'_>]) -> Result<(), FormatError> {
    let heads: HashSet<&str> = rows.iter().map(|row| row.word(0)).collect();
    let mut words = rows.iter().flat_map(|row| row.words.iter().map(move |word| (row, word)));
    let Some((row, word)) = words.find(|(_, word)| !heads.contains(&***word)) else {
        return Ok(());
    };
    let message = format!(
        "`{word}` has no line of its own, as each vertex has in lists of neighbours by networkx; write names with \
         blanks in double quotes"
    );
    Err(FormatError::at(row.line, message))
}
