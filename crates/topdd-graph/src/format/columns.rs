//! The columns of a table of edges.

use super::table::Row;
use super::{FormatError, GraphReadOptions};

/// The positions of the columns that are read.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) weight: Option<usize>,
    /// The column that states whether the edge is directed, as Gephi writes it.
    pub(super) kind: Option<usize>,
    /// Whether the first row had the names of the columns; it is removed then.
    pub(super) are_named: bool,
    /// These names.
    pub(super) names: Vec<String>,
    pub(super) notes: Vec<String>,
}

impl Default for Columns {
    fn default() -> Self {
        let (names, notes) = (Vec::new(), Vec::new());
        Self { from: 0, to: 1, weight: Some(2), kind: None, are_named: false, names, notes }
    }
}

/// Usual names of columns, in lower case and without signs.
const FROM: [&str; 21] = [
    "from",
    "source",
    "src",
    "start",
    "origin",
    "u",
    "node1",
    "vertex1",
    "fromnode",
    "fromid",
    "sourceid",
    "fromnodeid",
    "tail",
    "node",
    "a",
    "i",
    "ego",
    "fromvertex",
    "startnode",
    "von",
    "city1",
];
const TO: [&str; 23] = [
    "to",
    "target",
    "dst",
    "end",
    "destination",
    "v",
    "node2",
    "vertex2",
    "tonode",
    "toid",
    "targetid",
    "tonodeid",
    "head",
    "neighbour",
    "neighbor",
    "b",
    "j",
    "alter",
    "dest",
    "tovertex",
    "endnode",
    "nach",
    "city2",
];
const WEIGHT: [&str; 11] = [
    "weight", "w", "value", "distance", "dist", "length", "cost", "km", "capacity", "weights",
    "time",
];
/// Names of columns in tables of vertices.
const OF_VERTICES: [&str; 14] = [
    "id",
    "label",
    "name",
    "x",
    "y",
    "lat",
    "lon",
    "lng",
    "latitude",
    "longitude",
    "population",
    "degree",
    "color",
    "colour",
];

/// The advice for a table of vertices in place of a table of edges.
const OF_VERTICES_ADVICE: &str =
    "; `GraphFile::with_vertices` reads a table of vertices, beside a file of edges";

fn plain_name(name: &str) -> String {
    name.chars().filter(|sign| sign.is_alphanumeric()).collect::<String>().to_lowercase()
}

fn is_number(word: &str) -> bool {
    word.parse::<f64>().is_ok()
}

/// Finds the columns, and removes the row of their names. Names are looked for if `named` is set.
pub(super) fn find(
    rows: &mut Vec<Row<'_>>,
    options: &GraphReadOptions,
    named: bool,
) -> Result<Columns, FormatError> {
    name_index(rows);
    let Some(first) = rows.first() else { return Ok(Columns::default()) };
    let names: Vec<String> = first.words.iter().map(|word| word.trim().to_owned()).collect();
    let by_number = options.columns.iter().all(|column| column.parse::<usize>().is_ok());
    if !options.columns.is_empty() && !by_number {
        return chosen_by_name(rows, options, names);
    }
    let usual = if named { usual(&names) } else { None };
    let is_header = usual.is_some() || named && is_header(rows, options)?;
    if !options.columns.is_empty() {
        let mut columns = chosen_by_number(rows, options)?;
        if is_header {
            columns.are_named = true;
            columns.names = names;
            rows.remove(0);
        }
        return Ok(columns);
    }
    if !is_header {
        return Ok(Columns::default());
    }
    let line = rows.remove(0).line;
    check_width(&names, rows)?;
    let columns = match usual {
        Some((from, to)) => {
            with_weight(Columns { from, to, ..Columns::default() }, &names, rows, options)
        }
        None => by_position(&names, rows, line)?,
    };
    let mut columns = Columns { are_named: true, ..columns };
    let weight = columns.weight.map_or("they have no weight".to_owned(), |weight| {
        format!("their weight is `{}`", names[weight])
    });
    columns.notes.push(format!(
        "line {line} has the names of the columns: the edges are `{}` to `{}`, and {weight}",
        names[columns.from], names[columns.to]
    ));
    columns.names = names;
    Ok(columns)
}

/// Adds an empty name for the numbers of rows, which pandas and R write without one.
fn name_index(rows: &mut [Row<'_>]) {
    let Some((first, rest)) = rows.split_first_mut() else { return };
    let names: Vec<String> = first.words.iter().map(|word| word.trim().to_owned()).collect();
    let counts_from = |start: usize| {
        rest.iter().zip(start..).all(|(row, index)| {
            row.words.len() == names.len() + 1 && row.words[0].parse() == Ok(index)
        })
    };
    if !rest.is_empty() && usual(&names).is_some() && (counts_from(0) || counts_from(1)) {
        first.words.insert(0, "".into());
    }
}

/// Fails if a row has more words than there are names.
fn check_width(names: &[String], rows: &[Row<'_>]) -> Result<(), FormatError> {
    let words =
        |row: &Row<'_>| row.words.iter().rposition(|word| !word.is_empty()).map_or(0, |at| at + 1);
    match rows.iter().find(|row| words(row) > names.len()) {
        None => Ok(()),
        Some(row) => Err(FormatError::at(
            row.line,
            format!(
                "the row has {} words, and the first row names {} columns; leave out the column without a name, \
                 such as the numbers of rows, or name it",
                words(row),
                names.len()
            ),
        )),
    }
}

/// The columns of the ends, by usual names.
fn usual(names: &[String]) -> Option<(usize, usize)> {
    let plain: Vec<String> = names.iter().map(|name| plain_name(name)).collect();
    let pairs = FROM.iter().flat_map(|from| TO.iter().map(move |to| (from, to)));
    // Short names such as `a` and `b` are vertices in a file of two columns.
    let wordy = |name: &str| name.len() > 1;
    let mut found = pairs.filter_map(|(from, to)| {
        let from = plain.iter().position(|name| name == from)?;
        let to = plain.iter().position(|name| name == to)?;
        Some((from, to))
    });
    let long = found.find(|&(from, to)| wordy(&plain[from]) && wordy(&plain[to]));
    long.or_else(|| {
        let is_weight = |name: &String| WEIGHT.contains(&name.as_str()) && wordy(name);
        let letters = [("u", "v"), ("a", "b"), ("i", "j")].into_iter().find_map(|(from, to)| {
            let from = plain.iter().position(|name| name == from)?;
            Some((from, plain.iter().position(|name| name == to)?))
        });
        letters.filter(|_| plain.iter().any(is_weight))
    })
}

/// Whether the first row can only be names: the weight of an edge is no such word.
fn is_header(rows: &[Row<'_>], options: &GraphReadOptions) -> Result<bool, FormatError> {
    let (first, rest) = (&rows[0], &rows[1..]);
    if rest.is_empty() || first.words.iter().any(|word| is_number(word)) {
        return Ok(false);
    }
    let numeric = |column: usize| {
        let mut words =
            rest.iter().filter_map(|row| row.words.get(column)).filter(|w| !w.is_empty());
        words.clone().next().is_some() && words.all(|word| is_number(word))
    };
    if first.attributes.is_some() || first.words.len() < 2 {
        return Ok(false);
    }
    if (2..first.words.len()).any(|column| !first.words[column].is_empty() && numeric(column)) {
        return Ok(true);
    }
    let ends_are_numbers = numeric(0) && numeric(1);
    let words: Vec<&str> = first.words.iter().map(|word| &**word).collect();
    let elsewhere = |word: &str| rest.iter().any(|row| row.words.iter().any(|other| other == word));
    let isolated = words.len() == 2 && rest.len() > 1 && !words.iter().any(|word| elsewhere(word));
    let of_vertices = words.iter().any(|word| OF_VERTICES.contains(&plain_name(word).as_str()));
    let unsure = isolated && (ends_are_numbers || of_vertices || !has_isolated(rest));
    let are_all_of_vertices = words.iter().all(|w| OF_VERTICES.contains(&plain_name(w).as_str()));
    if options.columns.is_empty()
        && (unsure || are_all_of_vertices && !words.iter().any(|w| elsewhere(w)))
    {
        return Err(FormatError::at(
            first.line,
            format!(
                "`{}` may be an edge or the names of columns; name the columns with \
                 `GraphReadOptions::columns`, or set the format `edges`{}",
                words.join(" "),
                if of_vertices { OF_VERTICES_ADVICE } else { "" }
            ),
        ));
    }
    Ok(false)
}

/// Whether an edge has no common end with another one.
fn has_isolated(rows: &[Row<'_>]) -> bool {
    let mut uses = std::collections::HashMap::new();
    for word in rows.iter().flat_map(|row| row.words.iter().take(2)) {
        *uses.entry(&**word).or_insert(0) += 1;
    }
    rows.iter().any(|row| row.words.iter().take(2).all(|word| uses[&**word] == 1))
}

/// Chooses the column of weights of a table whose ends are known.
fn with_weight(
    mut columns: Columns,
    names: &[String],
    rows: &[Row<'_>],
    options: &GraphReadOptions,
) -> Columns {
    let plain: Vec<String> = names.iter().map(|name| plain_name(name)).collect();
    columns.kind = plain.iter().position(|name| name == "type").filter(|&kind| {
        let values = ["directed", "undirected"];
        rows.iter().all(|row| {
            let value = row.words.get(kind).map(|word| word.to_lowercase()).unwrap_or_default();
            values.contains(&value.as_str())
        })
    });
    if let Some(name) = &options.weight_attribute {
        columns.weight = names.iter().position(|other| other == name);
        return columns;
    }
    let others: Vec<usize> = (0..names.len())
        .filter(|&at| at != columns.from && at != columns.to && columns.kind != Some(at))
        .filter(|&at| !names[at].is_empty())
        .collect();
    let known = WEIGHT
        .iter()
        .find_map(|weight| others.iter().copied().find(|&column| plain[column] == *weight));
    let is_numeric = |&column: &usize| {
        let mut words = rows.iter().filter_map(|row| row.words.get(column));
        words.all(|word| word.is_empty() || is_number(word))
    };
    let only = || match others[..] {
        [one] => {
            Some(one).filter(is_numeric).filter(|_| !["id", "key"].contains(&plain[one].as_str()))
        }
        _ => None,
    };
    columns.weight = known.or_else(only);
    columns
}

/// The columns of a table whose names are none of the usual ones.
fn by_position(names: &[String], rows: &[Row<'_>], line: usize) -> Result<Columns, FormatError> {
    let of_vertices = names.iter().any(|name| OF_VERTICES.contains(&plain_name(name).as_str()));
    if names.len() > 3 || of_vertices || names.iter().any(String::is_empty) {
        return Err(FormatError::at(
            line,
            format!(
                "the columns are {}; name those of the ends of an edge, and of its weight, with \
                 `GraphReadOptions::columns`{}",
                names.join(", "),
                if of_vertices { OF_VERTICES_ADVICE } else { "" }
            ),
        ));
    }
    let columns = Columns::default();
    let is_weight =
        |row: &Row<'_>| row.words.get(2).is_none_or(|word| word.is_empty() || is_number(word));
    Ok(Columns { weight: columns.weight.filter(|_| rows.iter().all(is_weight)), ..columns })
}

fn wrong_number(count: usize) -> FormatError {
    FormatError::new(format!(
        "{count} columns were named; name two or three: the ends of an edge, and its weight"
    ))
}

fn chosen_by_name(
    rows: &mut Vec<Row<'_>>,
    options: &GraphReadOptions,
    names: Vec<String>,
) -> Result<Columns, FormatError> {
    let line = rows[0].line;
    let position = |column: &String| {
        let exact = names.iter().position(|name| name == column);
        let number = || column.parse::<usize>().ok()?.checked_sub(1).filter(|&at| at < names.len());
        let similar = || names.iter().position(|name| plain_name(name) == plain_name(column));
        exact.or_else(number).or_else(similar).ok_or_else(|| {
            let message =
                format!("there is no column `{column}`; the first row has {}", names.join(", "));
            FormatError::at(line, message)
        })
    };
    let at: Vec<usize> = options.columns.iter().map(position).collect::<Result<_, _>>()?;
    let ([from, to], weight) = match at[..] {
        [from, to] => ([from, to], None),
        [from, to, weight] => ([from, to], Some(weight)),
        _ => return Err(wrong_number(at.len())),
    };
    rows.remove(0);
    check_width(&names, rows)?;
    Ok(Columns { from, to, weight, names, are_named: true, ..Columns::default() })
}

fn chosen_by_number(rows: &[Row<'_>], options: &GraphReadOptions) -> Result<Columns, FormatError> {
    let most = rows.iter().map(|row| row.words.len()).max().unwrap_or(0);
    let position = |column: &String| {
        let at = column.parse::<usize>().ok().and_then(|column| column.checked_sub(1));
        at.filter(|&at| at < most).ok_or_else(|| {
            FormatError::new(format!("there is no column {column}; the columns are 1 to {most}"))
        })
    };
    let at: Vec<usize> = options.columns.iter().map(position).collect::<Result<_, _>>()?;
    let (from, to, weight) = match at[..] {
        [from, to] => (from, to, None),
        [from, to, weight] => (from, to, Some(weight)),
        _ => return Err(wrong_number(at.len())),
    };
    Ok(Columns { from, to, weight, ..Columns::default() })
}
