//! Edge lists that may be something else, and are refused unless the format is given.

use std::collections::HashSet;

use super::columns::usual;
use super::number::is_number;
use super::table::{Row, is_comment, may_be_matrix};
use super::{FormatError, GraphFormat, Known, Remedy};

/// A row that may be no edge, and what it may be.
type Doubt<'a> = (&'a Row<'a>, &'static str);

/// Fails if the rows may be something else than edges.
pub(super) fn refuse(text: &str, rows: &[Row<'_>], known: Known) -> Result<(), FormatError> {
    for row in rows {
        (0..row.words.len().min(2)).try_for_each(|column| row.check_vertex(column))?;
    }
    let error = |(row, what): Doubt<'_>, format| {
        let message = format!("`{}` may be {what}", row.text());
        FormatError::at(row.line, message).or(format)
    };
    let edges = Remedy::Format(vec![GraphFormat::EdgeList]);
    if let Some((doubt, ends)) = kind_of_edges(rows) {
        return Err(error(doubt, edges).or(Remedy::Columns(ends.map(str::to_owned).into())));
    }
    if let Some(doubt) = first_row(rows).or_else(|| all_rows(text, rows)) {
        return Err(error(doubt, edges));
    }
    match lists(rows).filter(|_| known == Known::ByDefault) {
        None => Ok(()),
        Some(doubt) => {
            let formats = vec![GraphFormat::AdjacencyList, GraphFormat::EdgeList];
            Err(error(doubt, Remedy::Format(formats)))
        }
    }
}

fn is_edge(row: &Row<'_>) -> bool {
    row.words.len() > 1
}

/// The doubt if the first row may be sizes, or names above numbers.
fn first_row<'a>(rows: &'a [Row<'a>]) -> Option<Doubt<'a>> {
    let (first, rest) = rows.split_first()?;
    let has_name = |row: &Row<'_>| is_edge(row) && row.words.iter().take(2).any(|w| !is_number(w));
    // There may be a row for each size, such as `n 4`.
    let names = rows.iter().take_while(|row| has_name(row)).count();
    let below = &rows[names..];
    let are_above_numbers =
        (1..4).contains(&names) && below.iter().any(is_edge) && !below.iter().any(has_name);
    if usual(&first.words).is_some() || are_above_numbers {
        return Some((
            first,
            "the names of columns, or a number with its name; leave the line out if it is no edge",
        ));
    }
    let sizes: Vec<usize> =
        first.words.iter().map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let ends: HashSet<&str> =
        rest.iter().flat_map(|row| row.words.iter().take(2)).map(|w| &**w).collect();
    let edges = rest.iter().filter(|row| is_edge(row)).count();
    let words: usize = rest.iter().map(|row| row.words.len()).sum();
    let is_loop = |row: &Row<'_>| is_edge(row) && row.words[0] == row.words[1];
    let are_sizes = match sizes[..] {
        _ if edges == 0 => false,
        [count] => {
            let is_next = is_edge(&rest[0]) || rest[0].words[0].parse() == Ok(edges);
            is_next && !ends.contains(first.word(0)) && (count == edges || count == ends.len())
        }
        // METIS has each edge in two lists.
        [vertices, announced, ..] if rest.len() <= vertices && words == 2 * announced => true,
        [vertices, announced] => {
            let is_sole_loop = vertices == announced
                && !rest.iter().any(is_loop)
                && ends.iter().all(|end| is_number(end));
            let are_twice = announced == 2 * edges && announced > vertices;
            is_sole_loop || vertices >= ends.len() && (announced == edges || are_twice)
        }
        [vertices, announced, more] => {
            let are_weighted = rest.iter().any(|row| row.words.len() > 2);
            vertices >= ends.len() && (!are_weighted || announced == edges || more == edges)
        }
        _ => false,
    };
    let what = "the numbers of vertices and edges; leave the line out if it is no edge";
    are_sizes.then_some((first, what))
}

/// The doubt if all rows may be something else than edges.
fn all_rows<'a>(text: &str, rows: &'a [Row<'a>]) -> Option<Doubt<'a>> {
    let first = &rows[0];
    if !rows.iter().any(is_edge) {
        return Some((first, "an edge, as all lines; separate the ends by blanks"));
    }
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_data = |line: &str| !line.is_empty() && !is_comment(line);
    if lines.windows(3).any(|part| part[1] == "#" && is_data(part[0]) && is_data(part[2])) {
        return Some((first, "a node of TGF, whose edges are below a line `#`; keep these alone"));
    }
    if may_be_matrix(rows) || first.words.len() == 1 && may_be_matrix(&rows[1..]) {
        return Some((first, "a row of a matrix; write an edge for each of its entries"));
    }
    let is_weight = |row: &Row<'_>| {
        row.words.len() == 2
            && row.attributes.is_none()
            && !is_number(&row.words[0])
            && is_number(&row.words[1])
    };
    let is_longer = |row: &&Row<'_>| row.words.len() == 3 && !is_number(&row.words[1]);
    if rows.len() > 1
        && rows.iter().any(is_weight)
        && rows.iter().all(|row| is_weight(row) || is_longer(&row))
    {
        let row = rows.iter().find(is_longer).unwrap_or(first);
        return Some((
            row,
            "a vertex and its weight; a weight comes after two ends, and names with blanks are in double quotes",
        ));
    }
    let has_colon = |word: &str| word.contains(':');
    if rows.iter().all(|row| has_colon(row.word(0)) && !has_colon(&row.words[1..].join(" "))) {
        return Some((first, "a vertex and its neighbour; write a blank after the `:`"));
    }
    let are_numbers = |word: &str| {
        word.contains([':', '-', '/']) && word.split([':', '-', '/', '>']).all(is_number)
    };
    let has_numbers = |row: &&Row<'_>| row.words.iter().take(2).any(|word| are_numbers(word));
    let row = rows.iter().find(has_numbers)?;
    Some((row, "several numbers in one word; separate words by blanks"))
}

/// The doubt if all rows have a word between or before two numbers, which are in these columns.
fn kind_of_edges<'a>(rows: &'a [Row<'a>]) -> Option<(Doubt<'a>, [&'static str; 2])> {
    let is_whole = |word: &str| word.parse::<u64>().is_ok();
    let first = &rows[0];
    let is_between = |row: &Row<'_>| match &row.words[..] {
        [from, kind, to] => is_whole(from) && !is_number(kind) && is_whole(to),
        words => words.len() == 1,
    };
    let is_before = |row: &Row<'_>| match &row.words[..] {
        [kind, from, to] => {
            kind == first.word(0) && !is_number(kind) && is_whole(from) && is_whole(to)
        }
        _ => false,
    };
    if rows.iter().any(is_edge) && rows.iter().all(is_between) {
        return Some((
            (first, "the ends of an edge with a word between them; leave it out"),
            ["1", "3"],
        ));
    }
    let what = "the ends of an edge with a word before them; leave it out";
    (rows.len() > 1 && rows.iter().all(is_before)).then_some(((first, what), ["2", "3"]))
}

/// The doubt if the third words are vertices, and the first words differ, as in lists of neighbours.
fn lists<'a>(rows: &'a [Row<'a>]) -> Option<Doubt<'a>> {
    let ends: HashSet<&str> = rows.iter().flat_map(|row| [row.word(0), row.word(1)]).collect();
    let row = rows.iter().find(|row| row.words.len() > 2)?;
    let mut heads = HashSet::new();
    let is_list = |row: &'a Row<'a>| {
        heads.insert(row.word(0)) && row.words.iter().skip(2).all(|word| ends.contains(&**word))
    };
    rows.iter()
        .all(is_list)
        .then_some((row, "a vertex and its neighbours, or an edge and its weight"))
}
