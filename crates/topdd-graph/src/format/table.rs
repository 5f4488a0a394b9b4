//! This module splits the text of a file into rows of words. In edge lists and lists of neighbours, blanks separate the
//! words. In CSV, the separator of the columns does, and the first row has the names of the columns.

use std::borrow::Cow;

use super::number::{
    DraftWeight, has_comma_for_point, is_negative, is_number, may_be_thousands, resembles_number,
};
use super::{FormatError, GraphFormat, GraphReadOptions, Note, NoteKind, Remedy};

/// A line with words.
#[derive(Debug)]
pub(super) struct Row<'a> {
    /// Counted from 1.
    pub(super) line: usize,
    /// In lines, a borrowed word has no quotes and is no tuple.
    pub(super) words: Vec<Cow<'a, str>>,
    /// The attributes that networkx writes at the end, in braces.
    pub(super) attributes: Option<&'a str>,
}

impl Row<'_> {
    /// The word of a column; empty if there is none.
    pub(super) fn word(&self, column: usize) -> &str {
        self.words.get(column).map_or("", |word| word)
    }

    /// The number of words, without empty ones at the end.
    pub(super) fn width(&self) -> usize {
        self.words.iter().rposition(|word| !word.is_empty()).map_or(0, |at| at + 1)
    }

    /// Fails if a word is no name of a vertex: a negative number, or a word without quotes that has a sign.
    pub(super) fn check_vertex(&self, column: usize) -> Result<(), FormatError> {
        let word = &self.words[column];
        if is_negative(word) {
            let message =
                format!("the vertex {word} is negative; number vertices from 0, or name them");
            return Err(FormatError::at(self.line, message));
        }
        let Cow::Borrowed(plain) = word else { return Ok(()) };
        let is_end = |&sign: &char| sign == ':' || sign == '.' && is_number(plain);
        let end = plain.chars().next_back().filter(is_end);
        let Some(sign) = plain.chars().find(|sign| SIGNS.contains(sign)).or(end) else {
            return Ok(());
        };
        let message = format!(
            "`{plain}` has the sign `{sign}`; separate words by blanks, and write such a name in double quotes"
        );
        let error = FormatError::at(self.line, message);
        Err(match sign {
            ',' | ';' | '|' => error.or(Remedy::Format(vec![GraphFormat::Csv])),
            ':' => error.or(Remedy::Format(vec![GraphFormat::AdjacencyList])),
            _ => error,
        })
    }

    /// The words with blanks between them.
    pub(super) fn text(&self) -> String {
        self.words.join(" ")
    }
}

/// Signs that are in words with quotes only, because they separate words in other formats.
const SIGNS: &[char] = &[',', ';', '|', '(', ')', '{', '}', '[', ']', '"'];

/// Whether a line, or a word, begins a comment.
pub(super) fn is_comment(content: &str) -> bool {
    ["#", "%", "//"].iter().any(|sign| content.starts_with(sign))
}

/// Splits the lines of a text that are neither empty nor comments.
pub(super) fn rows(text: &str) -> Result<Vec<Row<'_>>, FormatError> {
    let mut rows = Vec::new();
    for (content, line) in text.lines().map(str::trim).zip(1..) {
        if content.is_empty() || is_comment(content) {
            continue;
        }
        let (content, attributes) = split_attributes(content);
        let words = words(content, line)?;
        if words.is_empty() {
            let message = "the attributes have no edge; write both ends before them";
            return Err(FormatError::at(line, message));
        }
        rows.push(Row { line, words, attributes });
    }
    if rows.is_empty() {
        return Err(FormatError::new("each line is a comment, so there are no vertices"));
    }
    Ok(rows)
}

/// Splits off attributes in braces at the end of a line.
fn split_attributes(content: &str) -> (&str, Option<&str>) {
    let start = content
        .find('{')
        .filter(|&start| content[..start].chars().next_back().is_some_and(char::is_whitespace));
    match start {
        Some(start) if content.ends_with('}') => (&content[..start], Some(&content[start..])),
        _ => (content, None),
    }
}

/// The words of a line. A word in double quotes may have blanks, and so may a tuple of Python.
fn words(content: &str, line: usize) -> Result<Vec<Cow<'_, str>>, FormatError> {
    let mut words: Vec<Cow<'_, str>> = Vec::new();
    let mut rest = content.trim_start();
    while !rest.is_empty() {
        if let Some((word, after)) = quoted(rest) {
            words.push(Cow::Owned(word));
            rest = after.trim_start();
            continue;
        }
        if let Some(end) = tuple_end(rest) {
            words.push(Cow::Owned(rest[..end].to_owned()));
            rest = rest[end..].trim_start();
            continue;
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let is_sign = word.chars().all(|sign| "#%/".contains(sign));
        if is_sign || words.len() > 1 && is_comment(word) {
            break;
        }
        if is_comment(word) {
            let message = format!(
                "`{word}` may be a vertex or a comment; write the vertex as \"{word}\", and a comment on a line of its own"
            );
            return Err(FormatError::at(line, message));
        }
        words.push(Cow::Borrowed(word));
        rest = after.trim_start();
    }
    Ok(words)
}

/// A word in double quotes, and the text after it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut word = String::new();
    let mut signs = text.strip_prefix('"')?.char_indices();
    while let Some((offset, sign)) = signs.next() {
        match sign {
            '\\' => word.push(signs.next()?.1),
            '"' => {
                let rest = &text[offset + 2..];
                let ends = rest.is_empty() || rest.starts_with(char::is_whitespace);
                return ends.then_some((word, rest));
            }
            sign => word.push(sign),
        }
    }
    None
}

/// The end of a tuple, such as `(0, 1)`, at the start of a text.
fn tuple_end(text: &str) -> Option<usize> {
    let close = text.strip_prefix('(')?.find(')')? + 2;
    let ends = text[close..].is_empty() || text[close..].starts_with(char::is_whitespace);
    (ends && text[..close].contains(',')).then_some(close)
}

/// Whether rows may be an adjacency matrix: all words are numbers, and there are as many rows as columns with 0 where they
/// meet, or three columns of 0 and 1.
pub(super) fn may_be_matrix(rows: &[Row<'_>]) -> bool {
    let width = rows.first().map_or(0, |row| row.words.len());
    let is_zero = |word: &str| word.parse() == Ok(0.0);
    let are_numbers = |row: &Row<'_>| {
        row.words.len() == width
            && row.attributes.is_none()
            && row.words.iter().all(|w| is_number(w))
    };
    let are_bits = || {
        let mut words = rows.iter().flat_map(|row| &row.words);
        words.all(|word| is_zero(word) || word.parse() == Ok(1.0))
    };
    let has_diagonal = || rows.iter().enumerate().all(|(at, row)| is_zero(row.word(at)));
    let is_square = rows.len() == width && width > 1;
    rows.iter().all(are_numbers) && (is_square && has_diagonal() || width == 3 && are_bits())
}

/// Writes the ends of edges as whole numbers, and adds a note, if all are whole numbers and some have decimals,
/// as pandas writes them.
pub(super) fn whole_ends(rows: &mut [Row<'_>], ends: [usize; 2], notes: &mut Vec<Note>) {
    let whole = |word: &str| match DraftWeight::from_number(word.parse().ok()?)? {
        DraftWeight::Whole(number) => Some(number.to_string()),
        DraftWeight::Decimal(_) => None,
    };
    let is_decimal = |word: &str| word.contains(['.', 'e', 'E']);
    let words = || rows.iter().flat_map(|row| ends.map(|end| row.word(end)));
    let words = || words().filter(|word| !word.is_empty());
    let Some(first) = words().find(|word| is_decimal(word)).map(str::to_owned) else { return };
    if !words().all(|word| whole(word).is_some()) {
        return;
    }
    for word in rows.iter_mut().flat_map(|row| row.words.iter_mut().enumerate()) {
        if let (true, Some(number)) = (ends.contains(&word.0), whole(word.1)) {
            *word.1 = number.into();
        }
    }
    let note = format!("the ends of edges, such as `{first}`, are read as whole numbers");
    notes.push(Note::new(NoteKind::Content, note));
}

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
    let mut rows = separated_rows(text, start, separator)?;
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
fn separated_rows<'a>(
    text: &str,
    offset: usize,
    separator: u8,
) -> Result<Vec<Row<'a>>, FormatError> {
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
fn separated_rows<'a>(
    _text: &str,
    _offset: usize,
    _separator: u8,
) -> Result<Vec<Row<'a>>, FormatError> {
    Err(super::without_feature(super::GraphFormat::Csv))
}
