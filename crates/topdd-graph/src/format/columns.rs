//! The columns of a table of edges.

use super::column_names::{
    OF_VERTICES_ADVICE, WEIGHT, count_numbers, have_unsure_points, is_of_vertices, is_value,
    plain_name, shows_decimal_comma, usual,
};
use super::header::{self, FirstRow};
use super::table::{Row, Separator};
use super::{FormatError, GraphReadOptions};

/// The positions of the columns that are read.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) weight: Option<usize>,
    /// The column that states whether the edge is directed, as Gephi writes it.
    pub(super) kind: Option<usize>,
    /// Whether numbers have a decimal comma.
    pub(super) decimal_comma: bool,
    /// Whether commas separate words, so that a decimal comma splits a number.
    pub(super) commas_separate: bool,
    /// Whether the first row had the names of the columns; it is removed then.
    pub(super) are_named: bool,
    /// These names.
    pub(super) names: Vec<String>,
    pub(super) notes: Vec<String>,
}

impl Columns {
    /// The names of the columns of numbers that are not read.
    pub(super) fn other_numbers(&self, rows: &[Row<'_>]) -> impl Iterator<Item = String> {
        let is_read = |at: usize| [Some(self.from), Some(self.to), self.weight].contains(&Some(at));
        let is_numeric = |at: usize| {
            let mut words = rows.iter().map(|row| row.word(at)).filter(|word| !word.is_empty());
            words.clone().next().is_some() && words.all(is_value)
        };
        let names = self.names.iter().enumerate();
        let others =
            names.filter(move |&(at, name)| !name.is_empty() && !is_read(at) && is_numeric(at));
        others.map(|(_, name)| name.clone())
    }

    /// Decides whether weights have a decimal comma.
    pub(super) fn find_decimal_comma(
        &mut self,
        rows: &[Row<'_>],
        separator: Separator,
        options: &GraphReadOptions,
    ) {
        self.commas_separate = separator == Separator::Sign(b',');
        let Some(weight) = self.weight else { return };
        let has_semicolons = separator == Separator::Sign(b';');
        let is_shown = || rows.iter().any(|row| shows_decimal_comma(row.word(weight)));
        if !options.decimal_comma && has_semicolons && is_shown() {
            self.notes.push("the weights are read with a decimal comma".to_owned());
            self.decimal_comma = true;
        }
        let words = rows.iter().map(|row| row.word(weight));
        self.decimal_comma |= options.decimal_comma || has_semicolons && have_unsure_points(words);
    }
}

impl Default for Columns {
    fn default() -> Self {
        Self {
            from: 0,
            to: 1,
            weight: Some(2),
            kind: None,
            decimal_comma: false,
            commas_separate: false,
            are_named: false,
            names: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// Finds the columns, and removes the row of their names. Names are looked for if the separator is given.
pub(super) fn find(
    rows: &mut Vec<Row<'_>>,
    options: &GraphReadOptions,
    separator: Option<Separator>,
) -> Result<Columns, FormatError> {
    let title = separator.and_then(|_| header::remove_title(rows));
    if separator.is_some() {
        name_index(rows);
    }
    let Some(first) = rows.first() else { return Ok(Columns::default()) };
    let names: Vec<String> = first.words.iter().map(|word| word.trim().to_owned()).collect();
    let by_number = options.columns.iter().all(|column| column.parse::<usize>().is_ok());
    if !options.columns.is_empty() && !by_number {
        return chosen_by_name(rows, options, names, separator);
    }
    let chosen = if by_number && !options.columns.is_empty() {
        Some(chosen_by_number(rows, options)?)
    } else {
        None
    };
    let ends = chosen.as_ref().map_or([0, 1], |columns| [columns.from, columns.to]);
    let usual = separator.and_then(|_| usual(&names));
    let first_row = match (usual, separator) {
        (Some(_), _) => FirstRow::Names,
        (None, Some(separator)) => header::judge(rows, separator, ends)?,
        (None, None) => FirstRow::Edge(None),
    };
    if let FirstRow::Edge(note) = first_row {
        let mut columns = chosen.unwrap_or_default();
        columns.notes.extend(note);
        return Ok(columns);
    }
    let line = rows.remove(0).line;
    check_width(&names, rows, separator)?;
    if let Some(columns) = chosen {
        return with_names(columns, names, options);
    }
    let columns = match usual {
        Some((from, to)) => with_weight(Columns { from, to, ..Columns::default() }, &names, rows),
        None => by_position(&names, rows, line)?,
    };
    let mut columns = with_names(columns, names, options)?;
    let weight = columns.weight.map_or("they have no weight".to_owned(), |weight| {
        format!("their weight is `{}`", columns.names[weight])
    });
    columns.notes.extend(title);
    columns.notes.push(format!(
        "line {line} has the names of the columns: the edges are `{}` to `{}`, and {weight}",
        columns.names[columns.from], columns.names[columns.to]
    ));
    Ok(columns)
}

/// Adds the names of the columns, and the weight that the options name.
fn with_names(
    mut columns: Columns,
    names: Vec<String>,
    options: &GraphReadOptions,
) -> Result<Columns, FormatError> {
    if let Some(name) = options.chosen_edge_weight() {
        let weight = names.iter().position(|other| other == name);
        if let (Some(chosen), 3) = (columns.weight, options.columns.len())
            && Some(chosen) != weight
        {
            return Err(FormatError::new(format!(
                "the weight is the third of the chosen columns, `{}`, and the attribute `{name}`; choose one of \
                 them",
                names[chosen]
            )));
        }
        columns.weight = weight;
    }
    Ok(Columns { are_named: true, names, ..columns })
}

/// Adds an empty name for the numbers of rows, which pandas and R write without one.
fn name_index(rows: &mut [Row<'_>]) {
    let Some((first, rest)) = rows.split_first_mut() else { return };
    let is_longer = rest.iter().all(|row| row.words.len() == first.words.len() + 1);
    if is_longer && usual(&first.words).is_some() && (counts_from(0, rest) || counts_from(1, rest))
    {
        first.words.insert(0, "".into());
    }
}

/// Whether the first words of the rows are consecutive numbers from this one.
fn counts_from(start: usize, rows: &[Row<'_>]) -> bool {
    let count = |(row, index): (&Row<'_>, usize)| row.words[0].parse() == Ok(index);
    !rows.is_empty() && rows.iter().zip(start..).all(count)
}

/// Fails if a row has more words than there are names.
fn check_width(
    names: &[String],
    rows: &[Row<'_>],
    separator: Option<Separator>,
) -> Result<(), FormatError> {
    let Some(row) = rows.iter().find(|row| row.width() > names.len()) else { return Ok(()) };
    let has_commas = separator == Some(Separator::Sign(b','));
    let advice = row.split_number().filter(|_| has_commas).unwrap_or_else(|| {
        "leave out the column without a name, such as the numbers of rows, or name it".to_owned()
    });
    let (words, columns) = (row.width(), names.len());
    let message =
        format!("the row has {words} words, and the first row names {columns} columns; {advice}");
    Err(FormatError::at(row.line, message))
}

/// Chooses the column of weights of a table whose ends are known.
fn with_weight(mut columns: Columns, names: &[String], rows: &[Row<'_>]) -> Columns {
    let plain: Vec<String> = names.iter().map(|name| plain_name(name)).collect();
    columns.kind = plain.iter().position(|name| name == "type").filter(|&kind| {
        let values = ["directed", "undirected"];
        rows.iter().all(|row| {
            let value = row.words.get(kind).map(|word| word.to_lowercase()).unwrap_or_default();
            values.contains(&value.as_str())
        })
    });
    let others: Vec<usize> = (0..names.len())
        .filter(|&at| at != columns.from && at != columns.to && columns.kind != Some(at))
        .filter(|&at| !names[at].is_empty())
        .collect();
    let known = WEIGHT
        .iter()
        .find_map(|weight| others.iter().copied().find(|&column| plain[column] == *weight));
    // The weights may be missing in all rows.
    let is_numeric =
        |&column: &usize| count_numbers(rows.iter().map(|row| row.word(column))).is_some();
    let only = || match others[..] {
        [one] => Some(one).filter(is_numeric).filter(|_| !is_index(&plain[one])),
        _ => None,
    };
    columns.weight = known.or_else(only);
    columns
}

/// Whether the name, in lower case and without signs, is one of numbers of rows.
fn is_index(name: &str) -> bool {
    ["id", "key", "index"].contains(&name) || name.starts_with("unnamed")
}

/// The columns of a table whose names are none of the usual ones. An empty name is above the numbers of rows.
fn by_position(names: &[String], rows: &[Row<'_>], line: usize) -> Result<Columns, FormatError> {
    let from = usize::from(names[0].is_empty() && (counts_from(0, rows) || counts_from(1, rows)));
    let given = &names[from..];
    let is_weight = |name: &String| name.len() > 1 && WEIGHT.contains(&plain_name(name).as_str());
    let of_vertices =
        given.iter().any(|name| is_of_vertices(name)) || given.iter().take(2).any(is_weight);
    if !(2..=3).contains(&given.len()) || of_vertices || given.iter().any(String::is_empty) {
        return Err(FormatError::at(
            line,
            format!(
                "the columns are {}; name the columns of the ends of an edge, and of its weight, with \
                 `GraphReadOptions::columns`{}",
                names.join(", "),
                if of_vertices { OF_VERTICES_ADVICE } else { "" }
            ),
        ));
    }
    let weight = from + 2;
    let is_weight = || count_numbers(rows.iter().map(|row| row.word(weight))).is_some();
    let weight = Some(weight).filter(|_| given.len() == 3 && is_weight());
    Ok(Columns { from, to: from + 1, weight, ..Columns::default() })
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
    separator: Option<Separator>,
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
    check_width(&names, rows, separator)?;
    with_names(Columns { from, to, weight, ..Columns::default() }, names, options)
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
