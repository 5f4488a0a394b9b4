//! Files of rows of words: edge lists, CSV, and lists of neighbours.

use super::column_names::{self, is_number, is_value};
use super::draft::{Draft, DraftEdge, Labels, check_announced, is_negative};
use super::foreign::{self, FileName};
use super::number::DraftWeight;
use super::table::{self, Row, Separator};
use super::{
    FormatError, GraphFormat, GraphReadOptions, adjacency, attributes, columns, lists, metis, mixed,
};
use columns::Columns;

/// The content of a file.
pub(super) enum Content<'a> {
    /// Rows of words.
    Rows(Plain<'a>),
    /// Another format.
    Format(GraphFormat),
}

/// The rows of a file, and what they mean.
pub(super) struct Plain<'a> {
    pub(super) format: GraphFormat,
    rows: Vec<Row<'a>>,
    columns: Columns,
    /// The number of vertices in a first row, which is then no edge.
    announced: Option<usize>,
    notes: Vec<String>,
}

/// Endings of lists of neighbours, and of edge lists.
const LIST_ENDINGS: [&str; 2] = ["adjlist", "adj"];
const EDGE_ENDINGS: [&str; 4] = ["edges", "edgelist", "ncol", "wel"];

/// Recognises the rows of a text.
pub(super) fn recognise<'a>(
    text: &'a str,
    name: FileName<'_>,
    options: &GraphReadOptions,
) -> Result<Content<'a>, FormatError> {
    let ending = name.ending();
    let lists = adjacency::with_colons(text)?;
    if let Some(rows) = lists.map_or_else(|| lists::of_networkx(text), |rows| Ok(Some(rows)))? {
        return Ok(Content::Rows(Plain::of_lists(rows)));
    }
    if let Some(foreign) = lists::foreign_lines(text) {
        return Err(foreign::refuse_rows(foreign, Separator::Blanks, name));
    }
    let is_table = ["csv", "tsv"].contains(&ending.as_str());
    let separator = separator(text, &ending, options);
    if is_table && separator == Separator::Blanks {
        return Err(one_column(options));
    }
    let mut rows = table::rows(text, separator)?;
    let comments = table::note_of_comments(text, separator, &rows)?;
    if ending == "sif" {
        return Ok(Content::Rows(Plain::of_kinds(rows, comments)));
    }
    let mut columns = columns_of(&mut rows, separator, name, options)?;
    columns.notes.splice(0..0, comments);
    columns.find_decimal_comma(&rows, separator, options);
    columns.notes.extend(mixed::note_of_numbers(&rows, [columns.from, columns.to]));
    let format = match separator {
        Separator::Blanks => GraphFormat::EdgeList,
        Separator::Sign(_) => GraphFormat::Csv,
    };
    if columns.are_named || !options.columns.is_empty() {
        columns.notes.extend(whole_ends(&mut rows, &columns));
        let notes = columns.notes.clone();
        return Ok(Content::Rows(Plain { format, rows, columns, announced: None, notes }));
    }
    rows.iter_mut().for_each(trim_empty);
    if metis_instead(text, &rows)? {
        return Ok(Content::Format(GraphFormat::Metis));
    }
    if let Some(matrix) = lists::matrix(&rows) {
        return Err(foreign::refuse_rows(matrix, separator, name));
    }
    match evidence_of_lists(&rows, &ending)? {
        lists::Evidence::Sure => return Ok(Content::Rows(Plain::of_lists(rows))),
        lists::Evidence::Possible => return Err(lists::unsure(&rows, columns.commas_separate)),
        lists::Evidence::None => {}
    }
    lists::refuse_named_sizes(&rows)?;
    let announced = lists::announced(&rows)?;
    let mut notes = columns.notes.clone();
    notes.extend(whole_ends(&mut rows, &columns));
    if announced.is_some() {
        let line = rows.remove(0).line;
        notes.push(format!("line {line} is read as the numbers of vertices and edges"));
    } else {
        notes.extend(lists::note_of_first_loop(&rows));
    }
    Ok(Content::Rows(Plain { format, rows, columns, announced, notes }))
}

/// Chooses what separates the words of a file with this ending.
fn separator(text: &str, ending: &str, options: &GraphReadOptions) -> Separator {
    // Excel writes tabs into its Unicode text, whatever the ending.
    let has_tabs = || table::data_lines(text).all(|(_, content)| content.contains('\t'));
    match ending {
        "tsv" if text.contains('\t') => Separator::Sign(b'\t'),
        "csv" if has_tabs() => Separator::Sign(b'\t'),
        _ => table::separator(text, options),
    }
}

/// Finds the columns, and removes the row of their names. An error if the rows have more words than those between
/// the separators, or are a matrix.
fn columns_of(
    rows: &mut Vec<Row<'_>>,
    separator: Separator,
    name: FileName<'_>,
    options: &GraphReadOptions,
) -> Result<Columns, FormatError> {
    let is_table = ["csv", "tsv"].contains(&name.ending().as_str());
    let is_chosen = !options.columns.is_empty();
    if !is_chosen {
        let usual = rows.first().and_then(|row| column_names::usual(&row.words));
        let ends = usual.map_or([0, 1], |(from, to)| [from, to]);
        mixed::refuse(rows, separator, ends, is_table)?;
        mixed::refuse_kinds(rows)?;
        if let Some(foreign) = lists::foreign_rows(rows) {
            return Err(foreign::refuse_rows(foreign, separator, name));
        }
    }
    let is_list = LIST_ENDINGS.contains(&name.ending().as_str());
    let columns = columns::find(rows, options, Some(separator).filter(|_| !is_list))?;
    if is_chosen {
        mixed::refuse(rows, separator, [columns.from, columns.to], is_table)?;
    }
    Ok(columns)
}

/// Decides whether rows are lists of neighbours, in a file with this ending.
fn evidence_of_lists(rows: &[Row<'_>], ending: &str) -> Result<lists::Evidence, FormatError> {
    if LIST_ENDINGS.contains(&ending) && rows.iter().all(|row| row.attributes.is_none()) {
        return Ok(lists::Evidence::Sure);
    }
    let evidence = lists::neighbours(rows);
    if evidence != lists::Evidence::Sure && rows.first().is_some_and(|row| row.words.len() == 3) {
        lists::announced(rows)?;
    }
    Ok(match evidence {
        lists::Evidence::Possible if EDGE_ENDINGS.contains(&ending) => lists::Evidence::None,
        evidence => evidence,
    })
}

/// Splits a text into rows of this format.
pub(super) fn exact<'a>(
    text: &'a str,
    format: GraphFormat,
    options: &GraphReadOptions,
) -> Result<Plain<'a>, FormatError> {
    if format == GraphFormat::AdjacencyList {
        let rows = match adjacency::with_colons(text)? {
            Some(rows) => rows,
            None => table::rows(text, table::separator(text, options))?,
        };
        let mut plain = Plain::of_lists(rows);
        plain.notes.clear();
        return Ok(plain);
    }
    let separator = match (format, table::separator(text, options)) {
        (GraphFormat::Csv, Separator::Blanks) if text.contains('\t') => Separator::Sign(b'\t'),
        (GraphFormat::Csv, Separator::Blanks) if !text.trim().is_empty() => {
            return Err(one_column(options));
        }
        (_, separator) => separator,
    };
    let mut rows = table::rows(text, separator)?;
    let comments = table::note_of_comments(text, separator, &rows)?;
    let named = Some(separator).filter(|_| format == GraphFormat::Csv);
    let mut columns = columns::find(&mut rows, options, named)?;
    columns.find_decimal_comma(&rows, separator, options);
    if !columns.are_named && options.columns.is_empty() {
        rows.iter_mut().for_each(trim_empty);
    }
    let mut notes = Vec::from_iter(comments);
    notes.append(&mut columns.notes);
    Ok(Plain { format, rows, columns, announced: None, notes })
}

fn one_column(options: &GraphReadOptions) -> FormatError {
    if options.decimal_comma {
        return FormatError::new(
            "the table has a single column, because commas separate nothing with `GraphReadOptions::decimal_comma` \
             and without double quotes; leave the option out, or put numbers in double quotes",
        );
    }
    FormatError::new(
        "the table has a single column; write one edge per row, with its ends in two columns that commas, \
         semicolons or tabs separate",
    )
}

/// Missing values at the end of a row are no words.
fn trim_empty(row: &mut Row<'_>) {
    while row.words.len() > 1 && row.words.last().is_some_and(|word| word.is_empty()) {
        row.words.pop();
    }
}

/// Writes the ends of edges as whole numbers, and returns a note, if all are whole numbers and some have decimals,
/// as pandas writes them.
fn whole_ends(rows: &mut [Row<'_>], columns: &Columns) -> Option<String> {
    let whole = |word: &str| match DraftWeight::from_number(word.parse().ok()?)? {
        DraftWeight::Whole(number) => Some(number.to_string()),
        DraftWeight::Decimal(_) => None,
    };
    let is_decimal = |word: &str| word.contains(['.', 'e', 'E']) && !word.ends_with('.');
    let ends = [columns.from, columns.to];
    let words =
        || rows.iter().flat_map(|row| ends.into_iter().filter_map(|end| row.words.get(end)));
    let first = words().find(|word| is_decimal(word))?.to_string();
    // Every word of a column has decimals, or none has them.
    let is_column = |column: usize| {
        let mut words = rows.iter().filter_map(|row| row.words.get(column));
        words.clone().all(|word| is_decimal(word)) || !words.any(|word| is_decimal(word))
    };
    if !ends.into_iter().all(is_column) || !words().all(|word| whole(word).is_some()) {
        return None;
    }
    for row in rows {
        for column in ends {
            if let Some(word) = row.words.get_mut(column).filter(|word| is_decimal(word)) {
                *word = whole(word)?.into();
            }
        }
    }
    Some(format!("the ends of edges, such as `{first}`, are read as whole numbers"))
}

/// Whether the text is METIS; an error if it might be an edge list as well.
fn metis_instead(text: &str, rows: &[Row<'_>]) -> Result<bool, FormatError> {
    let [first, rest @ ..] = rows else { return Ok(false) };
    let are_numbers = first.words.iter().all(|word| word.parse::<usize>().is_ok());
    if !(2..=4).contains(&first.words.len()) || !are_numbers || rest.is_empty() {
        return Ok(false);
    }
    if metis::read(text, &GraphReadOptions::default()).is_ok_and(|draft| !draft.edges.is_empty()) {
        if rest.iter().any(|row| row.words.len() > 3) {
            return Ok(true);
        }
        return Err(FormatError::at(
            first.line,
            "the file may be METIS, with a list of neighbours for each vertex, or an edge list; set the format \
             `metis` or `edges`",
        ));
    }
    Ok(false)
}

impl<'a> Plain<'a> {
    fn of_lists(rows: Vec<Row<'a>>) -> Self {
        Plain {
            format: GraphFormat::AdjacencyList,
            rows,
            columns: Columns::default(),
            announced: None,
            notes: vec![
                "the file is read as lists of neighbours: the first word of a line is a vertex, and the others \
                 are its neighbours"
                    .to_owned(),
            ],
        }
    }

    /// Rows of a vertex, the kind of its edges, and their other ends, as Cytoscape writes them.
    fn of_kinds(rows: Vec<Row<'a>>, notes: Option<String>) -> Self {
        let mut edges = Vec::new();
        for Row { line, words, .. } in rows {
            let words: Vec<_> = words.into_iter().filter(|word| !word.is_empty()).collect();
            let mut row = |words| edges.push(Row { line, words, attributes: None });
            match &words[..] {
                [from, _, ends @ ..] if !ends.is_empty() => {
                    for to in ends {
                        row(vec![from.clone(), to.clone()]);
                    }
                }
                _ => row(words),
            }
        }
        let mut notes = Vec::from_iter(notes);
        notes.push(
            "the file is read as SIF: the second word of a line is the kind of the edges"
                .to_owned(),
        );
        let format = GraphFormat::EdgeList;
        Plain { format, rows: edges, columns: Columns::default(), announced: None, notes }
    }

    /// Makes a draft of the rows.
    pub(super) fn draft(
        self,
        text: &str,
        options: &GraphReadOptions,
    ) -> Result<Draft, FormatError> {
        let mut labels = Labels::default();
        let mut draft = Draft { notes: self.notes, ..Draft::default() };
        if let (Some(vertices), Some(first)) = (self.announced, self.rows.first()) {
            check_announced(vertices, text, first.line)?;
            lists::add_announced(vertices, &self.rows, &mut labels)?;
        }
        if self.format == GraphFormat::AdjacencyList {
            draft.of_lists = true;
            for row in &self.rows {
                list(row, &mut labels, &mut draft)?;
            }
        } else {
            if self.columns.are_named && self.rows.is_empty() {
                return Err(FormatError::new(
                    "the table has no row below the names of its columns",
                ));
            }
            draft.attributes.extend(self.columns.names.iter().cloned());
            let column = self.columns.weight.and_then(|at| self.columns.names.get(at));
            draft.weight_column = column.cloned();
            draft.edge_attributes.extend(self.columns.other_numbers(&self.rows));
            for row in &self.rows {
                edge(row, &self.columns, options, (&mut labels, &mut draft))?;
            }
        }
        if let (Some(vertices), Some(first)) = (self.announced, self.rows.first())
            && labels.labels.len() != vertices
        {
            return Err(FormatError::at(
                first.line,
                format!(
                    "the line before announces {vertices} vertices, and the edges have {}; add a line with the \
                     name of each other vertex, and leave that line out",
                    labels.labels.len()
                ),
            ));
        }
        draft.labels = labels.labels;
        Ok(draft)
    }
}

/// Reads a vertex and its neighbours.
fn list(row: &Row<'_>, labels: &mut Labels, draft: &mut Draft) -> Result<(), FormatError> {
    if row.attributes.is_some() {
        return Err(FormatError::at(
            row.line,
            "a list of neighbours has no attributes; leave them out",
        ));
    }
    let words = row.words.iter().filter(|word| !word.is_empty());
    let mut ends = Vec::new();
    for word in words {
        ends.push(vertex(word, row.line, labels)?);
    }
    let Some((&from, neighbours)) = ends.split_first() else { return Ok(()) };
    for &to in neighbours {
        draft.edges.push(DraftEdge { ends: (from, to), line: row.line, weight: None, label: None });
    }
    Ok(())
}

fn vertex(word: &str, line: usize, labels: &mut Labels) -> Result<usize, FormatError> {
    if is_negative(word) {
        return Err(FormatError::at(
            line,
            format!("the vertex {word} is negative; number vertices from 0, or name them"),
        ));
    }
    Ok(labels.number(word))
}

/// Reads an edge, or a single vertex.
fn edge(
    row: &Row<'_>,
    columns: &Columns,
    options: &GraphReadOptions,
    (labels, draft): (&mut Labels, &mut Draft),
) -> Result<(), FormatError> {
    let line = row.line;
    let word = |column: usize| row.words.get(column).map(|word| &**word).filter(|w| !w.is_empty());
    let is_table = columns.are_named || !options.columns.is_empty();
    if !is_table {
        refuse_words(row, columns.commas_separate)?;
    }
    let (from, to) = match (word(columns.from), word(columns.to)) {
        (Some(from), Some(to)) => (from, to),
        (Some(only), None) if !is_table && row.words.len() == 1 => {
            if row.attributes.is_some() {
                return Err(FormatError::at(line, "the edge has one end; write `a b`"));
            }
            vertex(only, line, labels)?;
            return Ok(());
        }
        _ => return Err(FormatError::at(line, "an end of the edge is missing; write both")),
    };
    let mut weight = columns
        .weight
        .and_then(word)
        .and_then(|word| DraftWeight::given(word, columns.decimal_comma));
    let mut label = None;
    if let Some(text) = row.attributes {
        let entries = attributes::parse(text).ok_or_else(|| {
            FormatError::at(
                line,
                format!("the attributes `{text}` cannot be read; write them as {{'weight': 2}}"),
            )
        })?;
        for (name, value) in entries {
            if name == options.edge_weight_name() {
                weight = Some(DraftWeight::parse(value.trim(), options.decimal_comma));
            } else if name == "label" {
                label = Some(value);
            } else if is_number(&value) {
                draft.edge_attributes.insert(name.clone());
            }
            draft.attributes.insert(name);
        }
    }
    if let Some(kind) = columns.kind.and_then(word) {
        let directed = kind.eq_ignore_ascii_case("directed");
        if draft.edges.is_empty() {
            draft.directed = directed;
        } else if draft.directed != directed {
            draft.mixed.get_or_insert(line);
        }
    }
    let ends = (vertex(from, line, labels)?, vertex(to, line, labels)?);
    draft.edges.push(DraftEdge { ends, line, weight, label });
    Ok(())
}

/// Fails if a row of an edge list has too many words, or a third one that is no weight.
fn refuse_words(row: &Row<'_>, commas_separate: bool) -> Result<(), FormatError> {
    let most = if row.attributes.is_some() { 2 } else { 3 };
    if let Some(word) = row.words.get(most) {
        let split = row.split_number().filter(|_| commas_separate);
        let advice = if let Some(split) = &split {
            split
        } else if row.attributes.is_some() {
            "separate the words by tabs or commas if vertices have blanks"
        } else {
            "write `a b`, `a b weight`, or `a`, and a vertex with blanks in double quotes; name the columns of a \
             larger table with `GraphReadOptions::columns`"
        };
        return Err(FormatError::at(row.line, format!("`{word}` is one word too many; {advice}")));
    }
    if let Some(word) = row.words.get(2).filter(|word| !is_value(word)) {
        return Err(FormatError::at(
            row.line,
            format!(
                "`{word}` is no number, and the third word is a weight; if it is an end, choose the columns of the \
                 ends, such as 1,3, with `GraphReadOptions::columns`; write a name with blanks in double quotes"
            ),
        ));
    }
    Ok(())
}
