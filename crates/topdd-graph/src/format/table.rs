//! Tables in CSV, whose first row has the names of the columns.

use super::number::{has_comma_for_point, is_number, may_be_thousands, resembles_number};
use super::rows::Row;
use super::{FormatError, Graph, GraphReadOptions};

/// A table.
pub(super) struct CsvTable<'a> {
    /// The names of the columns, and their line.
    pub(super) names: Vec<String>,
    pub(super) line: usize,
    /// The rows below.
    pub(super) rows: Vec<Row<'a>>,
    /// The sign between the columns.
    pub(super) separator: u8,
}

impl CsvTable<'_> {
    /// Whether the words of the first row may be names. The first may be empty, above the numbers of rows.
    pub(super) fn has_names(&self) -> bool {
        let is_name = |name: &String| {
            name.is_empty() || name.contains(char::is_alphanumeric) && !resembles_number(name)
        };
        self.names.iter().all(is_name) && !(self.names.len() == 2 && self.names[1].is_empty())
    }

    /// Whether numbers in these columns have a decimal comma: by the option, or between semicolons by a number that shows
    /// it, or because each point may separate thousands.
    pub(super) fn has_decimal_comma(&self, columns: &[usize], options: &GraphReadOptions) -> bool {
        let words = || columns.iter().flat_map(|&column| self.column(column).map(str::trim));
        let has_point = |word: &&str| word.contains('.') && is_number(word);
        let are_unsure = || {
            let mut points = words().filter(has_point).peekable();
            points.peek().is_some() && points.all(|word| may_be_thousands(word, '.'))
        };
        let is_shown = |word: &str| has_comma_for_point(word) && !may_be_thousands(word, ',');
        options.decimal_comma || self.separator == b';' && (words().any(is_shown) || are_unsure())
    }

    /// The words of a column.
    pub(super) fn column(&self, at: usize) -> impl Iterator<Item = &str> {
        self.rows.iter().map(move |row| row.word(at))
    }
}

/// Reads a table. The first row has the separator; comments, and the line `sep=;` of Excel, may be above it.
pub(super) fn read<'a>(
    text: &str,
    options: &GraphReadOptions,
) -> Result<CsvTable<'a>, FormatError> {
    let mut start = 0;
    let mut head = "";
    for line in text.split_inclusive('\n') {
        head = line.trim();
        let is_separator = head.len() == 5 && head.to_ascii_lowercase().starts_with("sep=");
        if !(head.is_empty() || head.starts_with('#') || is_separator) {
            break;
        }
        start += line.len();
    }
    // Without quotes, a decimal comma separates nothing.
    let has_comma = !options.decimal_comma || text.contains('"');
    let signs = [b'\t', b';', b'|', b','].into_iter().filter(|&sign| sign != b',' || has_comma);
    let other = if has_comma { b',' } else { b';' };
    let separator = signs.into_iter().find(|&sign| has_sign(head, sign)).unwrap_or(other);
    let mut rows = rows(text, start, separator)?;
    if rows.is_empty() {
        return Err(FormatError::new("each line is a comment, so the table has no columns"));
    }
    let first = rows.remove(0);
    let names: Vec<String> = first.words.iter().map(|word| word.trim().to_owned()).collect();
    if let Some(row) = rows.iter().find(|row| row.width() > names.len()) {
        let message = format!(
            "the row has {} words, and the first row names {} columns; name all columns, and put a number with a decimal \
             comma in double quotes",
            row.width(),
            names.len()
        );
        return Err(FormatError::at(row.line, message));
    }
    Ok(CsvTable { names, line: first.line, rows, separator })
}

/// The error for a first row that has no names of columns.
pub(super) fn no_head(names: &[String], line: usize) -> FormatError {
    let words = names.join(",");
    let message = format!(
        "`{words}` is no row of names of columns, with which a table begins; add one, such as from,to,weight of edges or \
         name,weight of vertices"
    );
    FormatError::at(line, message)
}

/// Whether a line has the sign outside of quotes.
fn has_sign(content: &str, sign: u8) -> bool {
    let mut in_quotes = false;
    content.bytes().any(|byte| {
        in_quotes ^= byte == b'"';
        byte == sign && !in_quotes
    })
}

/// The rows of a text from an offset on.
#[cfg(feature = "csv")]
fn rows<'a>(text: &str, offset: usize, separator: u8) -> Result<Vec<Row<'a>>, FormatError> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(&text.as_bytes()[offset..]);
    let mut lines = super::LineCounter::new(text);
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| {
            FormatError::new(format!("the table cannot be read: {error}; check its quotes"))
        })?;
        // The position is before the empty lines that are passed over.
        let start = offset + record.position().map_or(0, csv::Position::byte) as usize;
        let is_blank = |byte: &u8| *byte == b'\n' || *byte == b'\r';
        let line = lines.at(start + text[start..].bytes().take_while(is_blank).count());
        if record.iter().any(|word| !word.is_empty()) {
            let words = record.iter().map(|word| word.to_owned().into()).collect();
            rows.push(Row { line, words, attributes: None });
        }
    }
    Ok(rows)
}

#[cfg(not(feature = "csv"))]
fn rows<'a>(_text: &str, _offset: usize, _separator: u8) -> Result<Vec<Row<'a>>, FormatError> {
    Err(super::without_feature(super::GraphFormat::Csv))
}

/// Writes a row of names, and a row for each edge.
#[cfg(feature = "csv")]
pub(super) fn write(graph: &Graph) -> Result<String, FormatError> {
    let mut used = vec![false; graph.num_vertices()];
    for end in graph.edges().iter().flat_map(|&(a, b)| [a, b]) {
        used[end] = true;
    }
    if let Some(vertex) = used.iter().position(|used| !used) {
        return Err(FormatError::new(format!(
            "the vertex {} has no edge, and a table of edges cannot have it; write another format",
            graph.vertex_name(vertex)
        )));
    }
    let mut writer =
        csv::WriterBuilder::new().quote_style(csv::QuoteStyle::NonNumeric).from_writer(Vec::new());
    let width = 2 + usize::from(graph.weights().is_some());
    let mut rows = vec![["from", "to", "weight"].map(str::to_owned)];
    rows.extend(graph.edges().iter().enumerate().map(|(edge, &(a, b))| {
        [graph.vertex_name(a), graph.vertex_name(b), graph.weight(edge).to_string()]
    }));
    let failed =
        |error: &dyn std::fmt::Display| FormatError::new(format!("no table was written: {error}"));
    for row in rows {
        writer.write_record(&row[..width]).map_err(|error| failed(&error))?;
    }
    let bytes = writer.into_inner().map_err(|error| failed(&error))?;
    String::from_utf8(bytes).map_err(|error| failed(&error))
}

#[cfg(not(feature = "csv"))]
pub(super) fn write(_graph: &Graph) -> Result<String, FormatError> {
    Err(super::without_feature(super::GraphFormat::Csv))
}
