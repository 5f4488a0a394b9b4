//! Tables of edges in CSV: which columns are the ends, the weight, and the directions.

use super::draft::{Draft, DraftEdge, Stated};
use super::number::{DraftWeight, count_numbers, is_value};
use super::table::{self, CsvTable};
use super::table::{Row, whole_ends};
use super::{FormatError, FormatFault, GraphReadOptions, Note, NoteKind, Remedy};
use crate::families::Unit;

/// Usual names of columns, in lower case and without signs.
const FROM: &str = "from source src start origin u node1 vertex1 fromnode fromid sourceid fromnodeid tail node a i ego \
                    fromvertex startnode von city1";
const TO: &str = "to target dst end destination v node2 vertex2 tonode toid targetid tonodeid head neighbour neighbor b \
                  j alter dest tovertex endnode nach city2";
const WEIGHT: &str = "weight w value distance dist length cost km capacity weights time";
/// Names of columns in tables of vertices.
const OF_VERTICES: &str =
    "id label name x y lat lon lng latitude longitude population degree color colour";

/// The positions of the columns that are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    pub(super) ends: [usize; 2],
    pub(super) weight: Option<usize>,
    /// The column that states whether the edge is directed, as Gephi writes it.
    kind: Option<usize>,
}

impl Columns {
    /// The edge of a row.
    pub(super) fn edge(
        &self,
        row: &Row<'_>,
        decimal_comma: bool,
        draft: &mut Draft,
    ) -> Result<DraftEdge, FormatError> {
        if self.ends.iter().any(|&end| row.word(end).is_empty()) {
            return Err(FormatError::at(row.line, "an end of the edge is missing; write both"));
        }
        self.ends.into_iter().try_for_each(|end| row.check_vertex(end))?;
        let [from, to] = self.ends.map(|end| draft.vertex(row.word(end)));
        let weight = self.weight.and_then(|at| DraftWeight::given(row.word(at), decimal_comma));
        Ok(DraftEdge { weight, ..DraftEdge::new((from, to), row.line) })
    }
}

impl Default for Columns {
    fn default() -> Self {
        Self { ends: [0, 1], weight: Some(2), kind: None }
    }
}

pub(super) fn read(text: &str, options: &GraphReadOptions) -> Result<Draft, FormatError> {
    let mut table = table::read(text, options)?;
    if table.names.len() == 1 {
        let message = "the table has a single column; separate the ends of edges, and numbers with a decimal comma, by \
                       semicolons or tabs";
        let error = FormatError::at(table.line, message);
        return Err(if options.decimal_comma { error.or(Remedy::NoDecimalComma) } else { error });
    }
    let columns = with_weight_option(find(&table, options)?, &table.names, options)?;
    if table.rows.is_empty() {
        return Err(FormatError::new("the table has no row below the names of its columns"));
    }
    let mut draft = Draft::default();
    let [from, to] = columns.ends.map(|end| &table.names[end]);
    let weight = columns.weight.map(|at| table.names[at].clone());
    if options.columns.is_empty() {
        let weight = weight.as_ref();
        let weight = weight
            .map_or("they have no weight".to_owned(), |name| format!("their weight is `{name}`"));
        let line = table.line;
        let note = format!(
            "line {line} has the names of the columns: the edges are `{from}` to `{to}`, and {weight}"
        );
        draft.notes.push(Note::new(NoteKind::Columns, note));
    }
    draft.weight_column = weight;
    let decimal_comma = table.has_decimal_comma(columns.weight.as_slice(), options);
    if decimal_comma && !options.decimal_comma {
        let note = "the weights are read with a decimal comma";
        draft.notes.push(Note::new(NoteKind::Content, note));
    }
    whole_ends(&mut table.rows, columns.ends, &mut draft.notes);
    for (at, name) in table.names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        let mut words = table.column(at).filter(|word| !word.is_empty()).peekable();
        let is_read = columns.ends.contains(&at) || columns.weight == Some(at);
        let is_number = !is_read && words.peek().is_some() && words.all(is_value);
        draft.add_attribute(Unit::Edge, name, is_number);
    }
    for row in &table.rows {
        edge(row, columns, decimal_comma, &mut draft)?;
    }
    Ok(draft)
}

fn edge(
    row: &Row<'_>,
    columns: Columns,
    decimal_comma: bool,
    draft: &mut Draft,
) -> Result<(), FormatError> {
    let line = row.line;
    if let Some(kind) = columns.kind {
        let is_directed = row.word(kind).eq_ignore_ascii_case("directed");
        let stated = if is_directed { Stated::Directed } else { Stated::Nothing };
        if draft.edges.is_empty() {
            draft.stated = stated;
        } else if draft.stated != stated {
            draft.mixed.get_or_insert(line);
        }
    }
    let edge = columns.edge(row, decimal_comma, draft)?;
    draft.edges.push(edge);
    Ok(())
}

/// Finds the columns: those that were chosen, or those with usual names.
fn find(table: &CsvTable<'_>, options: &GraphReadOptions) -> Result<Columns, FormatError> {
    let names = &table.names;
    let usual = usual(names);
    let columns = match (&options.columns[..], usual) {
        ([], Some(ends)) => return Ok(with_weight(ends, table)),
        ([], None) => Columns::default(),
        (_, _) => chosen(names, options, table.line)?,
    };
    let is_end =
        |name: &String| columns.ends.iter().any(|&end| table.column(end).any(|word| word == name));
    let by_name = options.columns.iter().any(|column| column.parse::<usize>().is_err());
    if !by_name && usual.is_none() && (!table.has_names() || names.iter().any(is_end)) {
        return Err(table::no_head(names, table.line));
    }
    if !options.columns.is_empty() {
        return Ok(columns);
    }
    let list = names.join(", ");
    let message = format!(
        "the columns are {list}, and none of them are usual names of ends, such as from and to"
    );
    // Of more columns, any two may be the ends.
    let ends = if names.len() == 2 { names.clone() } else { Vec::new() };
    let error = FormatError::at(table.line, message).or(Remedy::Columns(ends));
    let of_vertices = names.iter().any(|name| is_one_of(OF_VERTICES, name));
    Err(if of_vertices { error.or(Remedy::VertexTable) } else { error })
}

/// The columns that the options choose, of columns with these names.
pub(super) fn chosen(
    names: &[String],
    options: &GraphReadOptions,
    line: usize,
) -> Result<Columns, FormatError> {
    let position = |column: &String| position(names, column, line);
    let at: Vec<usize> = options.columns.iter().map(position).collect::<Result<_, _>>()?;
    match at[..] {
        [from, to] => Ok(Columns { ends: [from, to], weight: None, kind: None }),
        [from, to, weight] => Ok(Columns { ends: [from, to], weight: Some(weight), kind: None }),
        _ => Err(FormatError::new(format!(
            "{} columns were named; name two or three: the ends of an edge, and its weight",
            at.len()
        ))),
    }
}

/// The position of a column by its name, its number from 1, or the similar name.
pub(super) fn position(names: &[String], column: &str, line: usize) -> Result<usize, FormatError> {
    let exact = names.iter().position(|name| name == column);
    let number = || column.parse::<usize>().ok()?.checked_sub(1).filter(|&at| at < names.len());
    let similar = || names.iter().position(|name| plain_name(name) == plain_name(column));
    exact.or_else(number).or_else(similar).ok_or_else(|| {
        let fault = FormatFault::NoColumn { column: column.to_owned(), columns: names.to_vec() };
        FormatError::of_fault(Some(line), fault)
    })
}

/// Chooses the column of weights that the options name.
fn with_weight_option(
    columns: Columns,
    names: &[String],
    options: &GraphReadOptions,
) -> Result<Columns, FormatError> {
    let Some(name) = options.chosen_edge_weight() else { return Ok(columns) };
    let weight = names.iter().position(|other| other == name);
    match columns.weight {
        Some(chosen) if options.columns.len() == 3 && weight != Some(chosen) => {
            Err(FormatError::new(format!(
                "the weight is the third of the chosen columns, `{}`, and the attribute `{name}`; choose one of them",
                names[chosen]
            )))
        }
        _ => Ok(Columns { weight, ..columns }),
    }
}

/// Chooses the column of weights of a table whose ends are known.
fn with_weight(ends: [usize; 2], table: &CsvTable<'_>) -> Columns {
    let plain: Vec<String> = table.names.iter().map(|name| plain_name(name)).collect();
    let is_direction =
        |word: &str| ["directed", "undirected"].iter().any(|kind| word.eq_ignore_ascii_case(kind));
    let kind = plain.iter().position(|name| name == "type");
    let kind = kind.filter(|&kind| table.column(kind).all(is_direction));
    let is_other =
        |at: &usize| !ends.contains(at) && kind != Some(*at) && !table.names[*at].is_empty();
    let others: Vec<usize> = (0..plain.len()).filter(is_other).collect();
    let known = WEIGHT
        .split_whitespace()
        .find_map(|weight| others.iter().copied().find(|&column| plain[column] == weight));
    let is_index =
        |name: &str| ["id", "key", "index"].contains(&name) || name.starts_with("unnamed");
    // The weights may be missing in all rows.
    let is_numeric =
        |at: &usize| count_numbers(table.column(*at)).is_some() && !is_index(&plain[*at]);
    let only = || others.first().copied().filter(|_| others.len() == 1).filter(is_numeric);
    Columns { ends, weight: known.or_else(only), kind }
}

/// The columns of the ends, by usual names.
pub(super) fn usual<T: AsRef<str>>(names: &[T]) -> Option<[usize; 2]> {
    let plain: Vec<String> = names.iter().map(|name| plain_name(name.as_ref())).collect();
    let place = |name: &str| plain.iter().position(|other| other == name);
    let pair = |from: &str, to: &str| Some([place(from)?, place(to)?]);
    // Short names such as `a` and `b` are vertices in a file of two columns.
    let wordy = |list: &'static str| list.split_whitespace().filter(|name| name.len() > 1);
    let long = wordy(FROM).find_map(|from| wordy(TO).find_map(|to| pair(from, to)));
    long.or_else(|| {
        let has_weight = wordy(WEIGHT).any(|weight| place(weight).is_some());
        let mut letters = [("u", "v"), ("a", "b"), ("i", "j")].into_iter();
        letters.find_map(|(from, to)| pair(from, to)).filter(|_| has_weight)
    })
}

fn is_one_of(list: &str, name: &str) -> bool {
    let name = plain_name(name);
    list.split_whitespace().any(|other| other == name)
}

fn plain_name(name: &str) -> String {
    name.chars().filter(|sign| sign.is_alphanumeric()).collect::<String>().to_lowercase()
}
