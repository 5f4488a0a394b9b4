//! Rows whose words are separated by several signs, or that have a word between the ends of an edge.

use std::borrow::Cow;
use std::collections::HashSet;

use super::FormatError;
use super::column_names::{is_number, usual};
use super::table::{self, Row, Separator};

/// Signs that stand between the ends of an edge.
const ARROWS: [&str; 8] = ["->", "--", "-", "<->", "=>", "|", ",", ";"];
/// Signs that separate words in some files.
const SEPARATORS: [char; 4] = [',', ';', '|', ':'];

fn is_whole(word: &str) -> bool {
    word.parse::<u64>().is_ok()
}

/// Whether a word is several numbers, with separators between them, such as `2,4`.
fn are_numbers(word: &str) -> bool {
    word.contains(SEPARATORS) && word.split(SEPARATORS).all(is_number)
}

/// The rows below the first one, which may have the names of columns, or the only row.
fn below<'a, 'b>(rows: &'a [Row<'b>]) -> &'a [Row<'b>] {
    if rows.len() > 1 { &rows[1..] } else { rows }
}

/// The error for words that seem to contain others. The format reads them as they are.
fn refused(row: &Row<'_>, what: &str, format: &str) -> FormatError {
    FormatError::at(
        row.line,
        format!(
            "{what}; separate the words by one sign, as in `a b weight` or `a,b,weight`, or set the format \
             `{format}` if these are names"
        ),
    )
}

/// Fails if words seem to contain other words. The ending of a table shows that names may have blanks.
pub(super) fn refuse(
    rows: &[Row<'_>],
    separator: Separator,
    ends: [usize; 2],
    is_table: bool,
) -> Result<(), FormatError> {
    match separator {
        Separator::Blanks => refuse_in_words(rows, ends),
        Separator::Sign(_) => refuse_with_blanks(rows, ends, is_table),
    }
}

/// Fails if another word stands between the ends of each edge: an arrow, or the kind of the edge.
pub(super) fn refuse_between(rows: &[Row<'_>]) -> Result<(), FormatError> {
    let is_arrow = |row: &Row<'_>| row.words.get(1).is_none_or(|word| ARROWS.contains(&&**word));
    let is_kind = |row: &Row<'_>| match &row.words[..] {
        [from, kind, to] => is_whole(from) && !is_number(kind) && !kind.is_empty() && is_whole(to),
        words => words.len() == 1,
    };
    if rows.first().is_some_and(|row| usual(&row.words).is_some()) {
        return Ok(());
    }
    let rest = below(rows);
    let has_edges = |rows: &[Row<'_>]| rows.iter().any(|row| row.words.len() > 1);
    let are_kinds = |rows: &&[Row<'_>]| has_edges(rows) && rows.iter().all(is_kind);
    let (rows, stands) = if has_edges(rest) && rest.iter().all(is_arrow) {
        (rows, "stands")
    } else if let Some(rows) = [rows, rest].into_iter().find(are_kinds) {
        (rows, "may stand")
    } else {
        return Ok(());
    };
    let Some(row) = rows.iter().find(|row| row.words.len() > 1) else { return Ok(()) };
    Err(FormatError::at(
        row.line,
        format!(
            "`{}` {stands} between the ends of the edges; leave it out, or read the ends with \
             `GraphReadOptions::columns` 1,3; if it is an end itself, set the format `edges`",
            row.words[1]
        ),
    ))
}

/// Fails if words that blanks separate contain other separators.
fn refuse_in_words(rows: &[Row<'_>], ends: [usize; 2]) -> Result<(), FormatError> {
    let Some(first) = rows.first() else { return Ok(()) };
    let edges = || rows.iter().filter(|row| row.words.len() > 1);
    let is_single = edges().next().is_none();
    let signs = ["->", "--", "|", ";", ",", "-", ":", "="];
    let has = |sign: &&&str| {
        rows.iter().all(|row| row.words[0].trim_matches('-').contains(**sign)) && is_single
    };
    if let Some(sign) = signs.iter().find(has) {
        return Err(refused(first, &format!("each line is a single word with `{sign}`"), "edges"));
    }
    refuse_numbers(rows, ends, "edges")?;
    let ends_in_sign = |row: &Row<'_>| row.words[0].ends_with([',', ';']);
    if !is_single && edges().all(ends_in_sign) {
        return Err(refused(first, "the words have commas or semicolons", "edges"));
    }
    let mut heads = HashSet::new();
    let is_list = |row: &Row<'_>| {
        let head = row.words[0].split_once(':').map(|(head, _)| head.to_owned());
        let of_others = row.words[1..].iter().any(|word| word.contains(':'));
        head.is_some_and(|head| heads.insert(head)) && !of_others
    };
    if !is_single && rows.iter().all(is_list) {
        return Err(FormatError::at(
            first.line,
            format!(
                "`{}` may be a vertex and its neighbour; write a blank after the `:`, or set the format `edges` if \
                 it is a name",
                first.words[0]
            ),
        ));
    }
    Ok(())
}

/// Fails if some ends of edges are numbers, and others are several numbers.
fn refuse_numbers(rows: &[Row<'_>], ends: [usize; 2], format: &str) -> Result<(), FormatError> {
    let words = || rows.iter().flat_map(|row| ends.map(|end| (row, row.word(end))));
    let is_single =
        !rows.iter().any(|row| row.words.iter().filter(|word| !word.is_empty()).count() > 1);
    let Some((row, word)) = words().find(|(_, word)| are_numbers(word)) else { return Ok(()) };
    if is_single || words().any(|(_, word)| is_number(word)) {
        let what = format!("`{word}` is several numbers, and other words are single numbers");
        let what = if is_single { "each line is several numbers" } else { &what };
        return Err(refused(row, what, format));
    }
    Ok(())
}

/// Fails if blanks seem to separate words as well as the sign does.
fn refuse_with_blanks(
    rows: &[Row<'_>],
    ends: [usize; 2],
    is_table: bool,
) -> Result<(), FormatError> {
    let Some(first) = rows.first() else { return Ok(()) };
    let mut words = rows.iter().flat_map(|row| ends.map(|end| (row, row.word(end))));
    if let Some((row, word)) = words.find(|(_, word)| table::are_numbers(word)) {
        return Err(refused(row, &format!("`{word}` is several numbers"), "csv"));
    }
    refuse_numbers(rows, ends, "csv")?;
    if rows.iter().all(|row| row.words.iter().filter(|word| !word.is_empty()).count() < 2) {
        return Err(refused(first, "no line has two words between its separators", "csv"));
    }
    let ends_with_number = |word: &Cow<'_, str>| {
        word.rsplit_once(' ').is_some_and(|(_, number)| number.parse::<f64>().is_ok())
    };
    let is_weight_behind = |row: &Row<'_>| {
        row.words.last().is_some_and(ends_with_number) && !ends_with_number(&row.words[0])
    };
    if !is_table && rows.iter().all(is_weight_behind) {
        return Err(refused(first, "the last words have a blank before a number", "csv"));
    }
    let is_phrases = |rows: &&[Row<'_>]| {
        let pairs: Vec<[&str; 2]> = rows.iter().map(|row| ends.map(|end| row.word(end))).collect();
        are_phrases(&pairs, !is_table && rows.iter().all(|row| row.words.len() == 2))
    };
    if let Some([row, ..]) = [rows, below(rows)].into_iter().find(is_phrases) {
        let [from, to] = ends.map(|end| row.word(end));
        let what =
            format!("`{from}` and `{to}` may be more than two words, or have a decimal comma");
        return Err(refused(row, &what, "csv"));
    }
    Ok(())
}

/// Whether one end of each edge is several words, and the other end is one, such that blanks may separate words: the
/// words are at other places elsewhere, or the other words may be weights, as the only ones of a pair.
fn are_phrases(pairs: &[[&str; 2]], is_pair: bool) -> bool {
    let count = |word: &str| word.split_whitespace().count();
    (0..2).any(|end| {
        let (phrases, others) =
            (|| pairs.iter().map(|pair| pair[end]), || pairs.iter().map(|pair| pair[1 - end]));
        let size = phrases().next().map_or(0, count);
        if size < 2
            || !phrases().all(|word| count(word) == size)
            || !others().all(|word| count(word) == 1)
        {
            return false;
        }
        let firsts: HashSet<&str> =
            phrases().filter_map(|word| word.split_whitespace().next()).collect();
        let mut later = phrases().flat_map(|word| word.split_whitespace().skip(1));
        let numbers = end == 0 && is_pair && others().all(is_number);
        numbers || later.any(|word| firsts.contains(word))
    })
}
