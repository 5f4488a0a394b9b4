//! What rows of words show: lists of neighbours, matrices, and first rows of numbers.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::FormatError;
use super::column_names::{is_number, usual};
use super::draft::Labels;
use super::foreign::ForeignRows;
use super::table::{self, Row, Separator, data_lines, is_comment};

/// How strongly rows show that they are lists of neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evidence {
    Sure,
    /// They may be edges with weights as well.
    Possible,
    None,
}

/// The rows of lists of neighbours that networkx wrote, which it states in the second line. The words are separated
/// such that each has a line of its own; an error if no separator does that.
pub(super) fn of_networkx(text: &str) -> Result<Option<Vec<Row<'_>>>, FormatError> {
    if !text.lines().nth(1).is_some_and(|line| line.starts_with("# GMT ")) {
        return Ok(None);
    }
    let mut wrong = None;
    for separator in std::iter::once(Separator::Blanks).chain(table::SIGNS.map(Separator::Sign)) {
        let Ok(rows) = table::rows(text, separator) else { continue };
        if rows.iter().any(|row| row.attributes.is_some()) {
            return Ok(None);
        }
        let heads: HashSet<&str> = rows.iter().map(|row| &*row.words[0]).collect();
        let mut words = rows.iter().flat_map(|row| row.words.iter().map(move |word| (row, word)));
        let missing = words.find(|(_, word)| !heads.contains(&***word));
        let is_split = rows.iter().any(|row| row.words.len() > 1);
        match missing {
            None if is_split || separator == Separator::Blanks => return Ok(Some(rows)),
            None => {}
            Some((row, word)) => {
                wrong.get_or_insert((row.line, word.to_string()));
            }
        }
    }
    match wrong {
        None => Ok(None),
        Some((line, word)) => Err(FormatError::at(
            line,
            format!(
                "`{word}` has no line of its own, as each vertex has in lists of neighbours by networkx; if names \
                 have blanks, write the graph with nx.write_graphml(G, 'F.graphml')"
            ),
        )),
    }
}

/// A format that shows in the lines before they are split.
pub(super) fn foreign_lines(text: &str) -> Option<ForeignRows> {
    let mut words = data_lines(text).map(|(_, content)| content.trim());
    if words.clone().next().is_some() {
        if words.clone().all(|word| word.starts_with(':') && is_printed(&word[1..])) {
            return Some(ForeignRows::Sparse6);
        }
        if words.all(is_graph6) {
            return Some(ForeignRows::Graph6);
        }
    }
    if is_lgl(text) {
        return Some(ForeignRows::Lgl);
    }
    is_tgf(text).then_some(ForeignRows::Tgf)
}

fn is_printed(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| (63..127).contains(&byte))
}

/// Whether a word is a graph of 2 to 258047 vertices in graph6, the format of nauty.
fn is_graph6(word: &str) -> bool {
    let digit = |byte: &u8| usize::from(*byte).saturating_sub(63);
    let (vertices, head) = match word.as_bytes() {
        [b'~', number @ .., _] if number.len() > 3 => {
            (number[..3].iter().fold(0, |sum, byte| sum * 64 + digit(byte)), 4)
        }
        [number, ..] if *number != b'~' => (digit(number), 1),
        _ => return false,
    };
    let bytes = (vertices * vertices.saturating_sub(1) / 2).div_ceil(6);
    is_printed(word) && vertices > 1 && word.len() == head + bytes
}

/// LGL: a line `# vertex`, and a line for each neighbour, with its weight.
fn is_lgl(text: &str) -> bool {
    let heads = || {
        text.lines().filter_map(|line| {
            let vertex = line.strip_prefix("# ")?.trim();
            (!vertex.is_empty() && !vertex.contains(char::is_whitespace)).then_some(vertex)
        })
    };
    let first = text.lines().find(|line| !line.trim().is_empty());
    let head = first.and_then(|line| line.strip_prefix('#')).map(str::trim);
    if head.is_none() || head != heads().next() {
        return false;
    }
    let mut neighbours = HashSet::new();
    let (mut single, mut weighted) = (true, true);
    for (_, content) in data_lines(text) {
        let words: Vec<&str> = content.split_whitespace().collect();
        single &= words.len() == 1;
        weighted &= words.len() == 2 && words[1].parse::<f64>().is_ok();
        neighbours.insert(words[0]);
    }
    // `# Oslo` may be a comment: other vertices must be named so, or all second words be weights.
    let named = heads().skip(1).any(|head| neighbours.contains(head));
    let names = neighbours.iter().any(|word| word.parse::<f64>().is_err());
    !neighbours.is_empty() && (single || weighted) && (named || single || names)
}

/// TGF: nodes, a line `#`, and edges.
fn is_tgf(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let at: Vec<usize> = (0..lines.len()).filter(|&at| lines[at] == "#").collect();
    let [at] = at[..] else { return false };
    let is_data =
        |line: Option<&&str>| line.is_some_and(|line| !line.is_empty() && !is_comment(line));
    at > 0 && is_data(lines.get(at - 1)) && is_data(lines.get(at + 1))
}

/// A format that shows in the rows.
pub(super) fn foreign_rows(rows: &[Row<'_>]) -> Option<ForeignRows> {
    let of_one = |row: &Row<'_>| row.attributes.is_some() && row.words.len() == 1;
    if rows.iter().any(of_one) {
        return Some(ForeignRows::Multiline);
    }
    let [head, rest @ ..] = rows else { return None };
    if is_header_of_matrix(head, rest) {
        return matrix(rest).map(|format| match format {
            ForeignRows::Matrix | ForeignRows::NamedMatrix => ForeignRows::HeadedMatrix,
            _ => ForeignRows::DirectedHeadedMatrix,
        });
    }
    // The first field is the name of the column of names, or empty.
    let (first, names) = head.words.split_first()?;
    let is_named = rest.len() > 1
        && names.len() == rest.len()
        && first.parse::<f64>().is_err()
        && !names.contains(first)
        && rest.iter().zip(names).all(|(row, name)| row.words[0] == *name);
    let numbers = numbers(rest, 1).filter(|_| is_named)?;
    let is_symmetric = numbers.len() == numbers[0].len() && is_symmetric(&numbers);
    Some(if is_symmetric { ForeignRows::NamedMatrix } else { ForeignRows::DirectedNamedMatrix })
}

/// Whether the first row has the names, or the numbers, of the columns of a square matrix below it.
fn is_header_of_matrix(head: &Row<'_>, rest: &[Row<'_>]) -> bool {
    let names = &head.words;
    let counts_from =
        |start: usize| names.iter().zip(start..).all(|(name, index)| name.parse() == Ok(index));
    let are_names = names.iter().all(|name| !name.is_empty() && !is_number(name));
    let is_square =
        names.len() == rest.len() && rest.iter().all(|row| row.words.len() == rest.len());
    // Two edges have four numbers as well.
    let are_numbers = rest.len() > 2 && (counts_from(0) || counts_from(1));
    is_square && (are_numbers || are_names && usual(names).is_none())
}

/// The numbers of rows of equal length, from a column on.
fn numbers(rows: &[Row<'_>], from: usize) -> Option<Vec<Vec<f64>>> {
    let width = rows.first()?.words.len();
    let number = |word: &Cow<'_, str>| word.parse::<f64>().ok();
    let row = |row: &Row<'_>| {
        let words = (row.words.len() == width).then(|| row.words.get(from..)).flatten()?;
        words.iter().map(number).collect()
    };
    rows.iter().map(row).collect()
}

fn is_symmetric(numbers: &[Vec<f64>]) -> bool {
    (0..numbers.len()).all(|i| (0..i).all(|j| numbers[i][j].total_cmp(&numbers[j][i]).is_eq()))
}

/// A format, if the rows are an adjacency matrix, or a part of a matrix of 0 and 1.
pub(super) fn matrix(rows: &[Row<'_>]) -> Option<ForeignRows> {
    let rows = match rows {
        // The size of the matrix.
        [size, rest @ ..] if size.words.len() == 1 && size.words[0].parse() == Ok(rest.len()) => {
            rest
        }
        rows => rows,
    };
    let size = rows.len();
    let width = rows.first().map(|row| row.words.len())?;
    if size < 2 || width < 2 {
        return None;
    }
    let numbers = numbers(rows, 0)?;
    let is_symmetric = size == width && is_symmetric(&numbers);
    let is_bit = |number: &f64| [0.0, 1.0].contains(number);
    let is_matrix = if numbers.iter().flatten().all(is_bit) {
        // Parallel edges of two vertices are edges.
        size == width || width != 2 || numbers.iter().any(|row| row[0].total_cmp(&row[1]).is_eq())
    } else {
        let is_free_of_loops = || (0..size).all(|i| numbers[i][i] == 0.0);
        let is_shown = || is_free_of_loops() && (width == 3 || is_symmetric);
        size == width && (width > 3 || is_shown())
    };
    if size != width {
        let ends = |edge: usize| numbers.iter().filter(|row| row[edge] > 0.0).count();
        let is_incidence = (0..width).all(|edge| ends(edge) == 2);
        let format = if is_incidence { ForeignRows::Incidence } else { ForeignRows::Biadjacency };
        return is_matrix.then_some(format);
    }
    let format = if is_symmetric { ForeignRows::Matrix } else { ForeignRows::DirectedMatrix };
    is_matrix.then_some(format)
}

/// Decides whether rows are lists of neighbours.
pub(super) fn neighbours(rows: &[Row<'_>]) -> Evidence {
    let longest = rows.iter().map(|row| row.words.len()).max().unwrap_or(0);
    if longest < 3 || rows.iter().any(|row| row.attributes.is_some()) {
        return Evidence::None;
    }
    let mut heads: HashMap<&str, &Row<'_>> = HashMap::new();
    let distinct = rows.iter().all(|row| heads.insert(&row.words[0], row).is_none());
    let complete =
        distinct && rows.iter().flat_map(|row| &row.words).all(|w| heads.contains_key(&**w));
    if longest > 3 {
        return match (complete, distinct) {
            (true, _) => Evidence::Sure,
            (false, true) => Evidence::Possible,
            _ => Evidence::None,
        };
    }
    let has = |length: usize| rows.iter().any(|row| row.words.len() == length);
    let ends: HashSet<&str> =
        rows.iter().flat_map(|row| row.words.iter().take(2)).map(|word| &**word).collect();
    let mut thirds = rows.iter().filter_map(|row| row.words.get(2));
    let are_ends = thirds.clone().all(|word| ends.contains(&**word));
    if thirds.any(|word| word.parse::<f64>().is_err()) {
        return match (complete, are_ends) {
            (true, _) => Evidence::Sure,
            (_, true) => Evidence::Possible,
            _ => Evidence::None,
        };
    }
    let is_symmetric = || {
        rows.iter().all(|row| {
            row.words[1..].iter().all(|other| heads[&**other].words[1..].contains(&row.words[0]))
        })
    };
    match (complete, has(2)) {
        // The line of a vertex that is also an end of an edge is needed in lists of neighbours only.
        (true, _) if has(1) => Evidence::Sure,
        (true, true) if is_symmetric() => Evidence::Sure,
        (true, false) if is_symmetric() => Evidence::Possible,
        (_, true) if are_ends => Evidence::Possible,
        _ => Evidence::None,
    }
}

/// The error for rows that may be lists of neighbours or edges with weights.
pub(super) fn unsure(rows: &[Row<'_>], commas_separate: bool) -> FormatError {
    // The first of the longest.
    let row = rows.iter().rev().max_by_key(|row| row.words.len());
    let Some(row) = row else { return FormatError::new("the file is empty") };
    let words = row.words.join(" ");
    let other = if row.words.len() > 3 {
        "or a table with more columns than two ends and a weight; set the format `adjlist`, or name the columns \
         with `GraphReadOptions::columns`"
    } else {
        "or an edge and its weight; set the format `adjlist` or `edges`"
    };
    let split = row.split_number().filter(|_| commas_separate && row.words.len() == 4);
    let split = split.map(|split| format!("; {split}")).unwrap_or_default();
    FormatError::at(
        row.line,
        format!("`{words}` may be a vertex and its neighbours, {other}{split}"),
    )
}

/// The numbers of the ends of edges, if all words are numbers.
fn ids(rows: &[Row<'_>]) -> Option<Vec<usize>> {
    rows.iter().flat_map(|row| row.words.iter().take(2)).map(|word| word.parse().ok()).collect()
}

/// The error for a first row that may be data or numbers.
fn may_be(first: &Row<'_>, what: &str) -> FormatError {
    FormatError::at(
        first.line,
        format!(
            "`{}` may be {what}; leave the line out if it is no edge and no vertex, and otherwise set the format \
             `edges`",
            first.words.join(" ")
        ),
    )
}

/// The number of vertices, if the first row is `vertices edges`; an error if that cannot be decided.
pub(super) fn announced(rows: &[Row<'_>]) -> Result<Option<usize>, FormatError> {
    let [first, rest @ ..] = rows else { return Ok(None) };
    let numbers: Option<Vec<usize>> = first.words.iter().map(|word| word.parse().ok()).collect();
    let Some(numbers) = numbers.filter(|_| !rest.is_empty()) else { return Ok(None) };
    let Some(ids) = ids(rest).or_else(|| names_only(rest)) else { return Ok(None) };
    let largest = ids.iter().copied().max().unwrap_or(0);
    let fits = |vertices: usize| largest < vertices || largest == vertices && !ids.contains(&0);
    let edges = rest.iter().filter(|row| row.words.len() > 1).count();
    let of_edges = edges == rest.len();
    let has_loops = rest.iter().any(|row| row.words.len() > 1 && row.words[0] == row.words[1]);
    let unsure = |what: &str| Err(may_be(first, what));
    match numbers[..] {
        [vertices, announced] if of_edges && (fits(vertices) || ids.is_empty()) => {
            let counted = announced == edges;
            let weighted = rest.iter().all(|row| row.words.len() > 2);
            let as_loop = vertices == announced && !has_loops;
            let new = announced > vertices && announced > largest;
            if counted && (as_loop || new || weighted || ids.is_empty()) {
                return Ok(Some(vertices));
            }
            let twice = announced == 2 * edges || 2 * announced == edges;
            if counted || twice && (as_loop || new) {
                return unsure("an edge, or the numbers of vertices and edges");
            }
        }
        [rows, columns, entries] if entries == edges && rows == columns && fits(rows) => {
            return unsure("an edge, or the sizes of a matrix");
        }
        [vertices, announced, _]
            if edges > 0
                && (fits(vertices) || ids.is_empty())
                && (announced == edges
                    || !ids.is_empty() && rest.iter().all(|row| row.words.len() < 3)) =>
        {
            return unsure(
                "an edge and its weight, or numbers such as how many vertices and edges there are",
            );
        }
        [count]
            if edges > 0
                && rest[0].words.len() > 1
                && !ids.contains(&count)
                && (fits(count) || count == edges) =>
        {
            return unsure("a vertex, or a number of vertices or edges");
        }
        [_] if rest[0].words.len() == 1
            && rest.get(1).is_some_and(|row| row.words.len() > 1)
            && rest[0].words[0].parse() == Ok(rest.len() - 1) =>
        {
            return unsure(
                "a vertex, or a number of vertices, with the number of edges in the next line",
            );
        }
        _ => {}
    }
    Ok(None)
}

/// Fails if first rows such as `n 4` may be sizes: all other ends of edges are numbers.
pub(super) fn refuse_named_sizes(rows: &[Row<'_>]) -> Result<(), FormatError> {
    let number = |word: &str| word.parse::<usize>().is_ok();
    let is_size = |row: &&Row<'_>| {
        matches!(&row.words[..], [a, b] if number(a) != number(b)) && row.attributes.is_none()
    };
    let sizes = rows.iter().take_while(is_size).count();
    let [first, ..] = rows else { return Ok(()) };
    let rest = &rows[sizes..];
    if !(1..=3).contains(&sizes) || rest.is_empty() || ids(rest).is_none() {
        return Ok(());
    }
    Err(FormatError::at(
        first.line,
        format!(
            "`{}` may be an edge, or a number of vertices or edges; leave the line out if it is no edge, and \
             otherwise set the format `edges`",
            first.words.join(" ")
        ),
    ))
}

/// The note for a first row that is read as an edge from a vertex to itself, if it may be sizes.
pub(super) fn note_of_first_loop(rows: &[Row<'_>]) -> Option<String> {
    let [first, rest @ ..] = rows else { return None };
    let is_loop = |row: &Row<'_>| matches!(&row.words[..], [a, b] if a == b);
    let may_be_sizes = is_loop(first) && ids(rows).is_some() && !rest.iter().any(is_loop);
    (may_be_sizes && !rest.is_empty()).then(|| {
        format!(
            "line {} is read as an edge from {} to itself; leave the line out if it has the numbers of vertices \
             and edges",
            first.line, first.words[0]
        )
    })
}

/// An empty list if no end of an edge is a number.
fn names_only(rows: &[Row<'_>]) -> Option<Vec<usize>> {
    let mut ends = rows.iter().flat_map(|row| row.words.iter().take(2));
    ends.all(|word| word.parse::<f64>().is_err()).then(Vec::new)
}

/// Adds the vertices that a first row announces, if they are numbered.
pub(super) fn add_announced(
    vertices: usize,
    rows: &[Row<'_>],
    labels: &mut Labels,
) -> Result<(), FormatError> {
    let Some(ids) = ids(rows) else { return Ok(()) };
    let start = usize::from(!ids.contains(&0));
    if start == 1 && !ids.contains(&vertices) {
        return Err(FormatError::at(
            rows[0].line,
            format!(
                "the line before announces {vertices} vertices, and neither vertex 0 nor vertex {vertices} has \
                 edges; add a line with the number of each vertex without edges, and leave that line out"
            ),
        ));
    }
    for vertex in start..vertices + start {
        labels.number(&vertex.to_string());
    }
    Ok(())
}
