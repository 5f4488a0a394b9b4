//! Rows whose words are separated by several signs, or that have a word between the ends of an edge.

use std::borrow::Cow;
use std::collections::HashSet;

use super::FormatError;
use super::column_names::{is_number, usual};
use super::table::{self, Row, Separator};

/// Signs that stand between the ends of an edge.
const ARROWS: [&str; 8] = ["->", "--", "-", "<->", "=>", "|", ",", ";"];
/// Signs that separate words in some files.
const SEPARATORS: [char; 6] = [',', ';', '|', ':', '-', '/'];

fn is_whole(word: &str) -> bool {
    word.parse::<u64>().is_ok()
}

/// Whether a word is several numbers, with separators between them, such as `2,4`.
fn are_numbers(word: &str) -> bool {
    word.contains(SEPARATORS) && !is_number(word) && word.split(SEPARATORS).all(is_number)
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
    let is_item = |row: &&Row<'_>| row.words[0] == "-" || row.words[0].starts_with("- ");
    if let Some(row) = rows.iter().find(is_item) {
        return Err(refused(row, "the line begins with `-`, as an item of a list", "edges"));
    }
    match separator {
        Separator::Blanks => refuse_in_words(rows, ends),
        Separator::Sign(_) => refuse_with_blanks(rows, ends, is_table),
    }
}

/// Fails if another word stands between the ends of each edge, or before them: an arrow, or the kind of the edge.
pub(super) fn refuse_kinds(rows: &[Row<'_>]) -> Result<(), FormatError> {
    if rows.first().is_some_and(|row| usual(&row.words).is_some()) {
        return Ok(());
    }
    let has_edges = |rows: &[Row<'_>]| rows.iter().any(|row| row.words.len() > 1);
    let mut rows = [rows, below(rows)].into_iter().filter(|rows| has_edges(rows));
    let place = rows.find_map(|rows| Some((rows, place_of_kind(rows)?)));
    let Some((rows, column)) = place else { return Ok(()) };
    let Some(row) = rows.iter().find(|row| row.words.len() > 1) else { return Ok(()) };
    let (place, ends) = if column == 0 { ("before", "2,3") } else { ("between", "1,3") };
    Err(FormatError::at(
        row.line,
        format!(
            "`{}` may stand {place} the ends of the edges; leave it out, or read the ends with \
             `GraphReadOptions::columns` {ends}; if it is an end itself, set the format `edges`",
            row.words[column]
        ),
    ))
}

/// The column of the words that are no ends of edges, while the others are numbers, if there is one.
fn place_of_kind(rows: &[Row<'_>]) -> Option<usize> {
    let is_arrow = |row: &Row<'_>| row.words.get(1).is_none_or(|word| ARROWS.contains(&&**word));
    let is_kind = |word: &str| !is_number(word) && !word.is_empty();
    let is_between = |row: &Row<'_>| match &row.words[..] {
        [from, kind, to] => is_whole(from) && is_kind(kind) && is_whole(to),
        words => words.len() == 1,
    };
    let first = &rows[0].words[0];
    let is_before = |row: &Row<'_>| match &row.words[..] {
        [kind, from, to] => kind == first && is_kind(kind) && is_whole(from) && is_whole(to),
        _ => false,
    };
    if rows.iter().all(is_arrow) || rows.iter().all(is_between) {
        Some(1)
    } else {
        (rows.len() > 1 && rows.iter().all(is_before)).then_some(0)
    }
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
    refuse_ends_in_signs(rows)?;
    refuse_lengths(rows)?;
    let has_weight = |word: &str| {
        let behind = word.rsplit_once([',', ';']).map(|(_, number)| number);
        behind.is_some_and(is_number)
    };
    let is_weight = |row: &Row<'_>| {
        row.words.len() == 2 && has_weight(&row.words[1]) && !row.words[0].contains([',', ';'])
    };
    if rows.iter().all(is_weight) {
        return Err(refused(first, "the second words have a number behind a sign", "edges"));
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

/// Fails if the first words end in a sign that belongs to no name.
fn refuse_ends_in_signs(rows: &[Row<'_>]) -> Result<(), FormatError> {
    let mut edges = rows.iter().filter(|row| row.words.len() > 1);
    let Some(first) = edges.clone().next() else { return Ok(()) };
    let sign = first.words[0].chars().next_back().filter(|sign| ",;.)]=>".contains(*sign));
    let Some(sign) = sign else { return Ok(()) };
    let is_closed = |word: &str| word.contains(['(', '[', '<']);
    if edges.all(|row| row.words[0].ends_with(sign) && !is_closed(&row.words[0])) {
        return Err(refused(first, &format!("the first words end in `{sign}`"), "edges"));
    }
    Ok(())
}

/// Fails if names of one and of two words seem to have a number behind them: a number is the second word of all rows of
/// two words, and of no row of three.
fn refuse_lengths(rows: &[Row<'_>]) -> Result<(), FormatError> {
    let of_length = |length: usize| rows.iter().filter(move |row| row.words.len() == length);
    let has_name = |row: &Row<'_>| !is_number(&row.words[0]);
    let Some(row) = of_length(3).next().filter(|_| of_length(2).next().is_some()) else {
        return Ok(());
    };
    if rows.iter().all(has_name)
        && of_length(2).all(|row| is_number(&row.words[1]))
        && of_length(3).all(|row| !is_number(&row.words[1]) && is_number(&row.words[2]))
    {
        let what =
            format!("`{} {}` may be an edge or a name with a blank", row.words[0], row.words[1]);
        return Err(refused(row, &what, "edges"));
    }
    Ok(())
}

/// A note if one end of each edge is a number, and the other is a name, in rows without weights.
pub(super) fn note_of_numbers(rows: &[Row<'_>], ends: [usize; 2]) -> Option<String> {
    let first = rows.first()?;
    let are_mixed = |row: &Row<'_>| {
        let [from, to] = ends.map(|end| row.word(end));
        !from.is_empty() && !is_number(from) && is_number(to) && row.words.len() == 2
    };
    rows.iter().all(are_mixed).then(|| {
        format!(
            "line {} is read as the edge from {} to {}, and the numbers of other lines are vertices as well; a \
             weight comes after two ends",
            first.line,
            first.word(ends[0]),
            first.word(ends[1])
        )
    })
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
