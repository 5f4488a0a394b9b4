//! Lines of words: edge lists, CSV, and lists of neighbours.

use std::borrow::Cow;
use std::collections::HashSet;

use super::{FormatError, GraphReadOptions};

/// A line with words.
#[derive(Debug)]
pub(super) struct Row<'a> {
    /// Counted from 1.
    pub(super) line: usize,
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

    /// The advice for a row with a word too many between commas, if its last two words may be a number with a decimal
    /// comma.
    pub(super) fn split_number(&self) -> Option<String> {
        let [.., whole, decimals] = &self.words[..self.width()] else { return None };
        let are_digits = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        let is_split = are_digits(decimals) && are_digits(whole.trim_start_matches(['+', '-']));
        is_split.then(|| {
            format!(
                "`{whole},{decimals}` may be a number with a decimal comma; write a point, put it in double quotes, or \
                 separate the columns by semicolons"
            )
        })
    }
}

/// What is between two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    Blanks,
    Sign(u8),
}

/// The signs that separate words, in the order in which they are looked for.
pub(super) const SIGNS: [u8; 4] = [b'\t', b';', b'|', b','];

/// Whether a line is a comment.
pub(super) fn is_comment(content: &str) -> bool {
    ["#", "%", "//"].iter().any(|sign| content.starts_with(sign))
}

/// Whether a line has no data: a comment, or the separator as Excel states it, such as `sep=;`.
fn is_no_data(content: &str) -> bool {
    is_comment(content)
        || content.to_ascii_lowercase().strip_prefix("sep=").is_some_and(|sign| sign.len() == 1)
}

/// The lines that are neither empty nor comments, with their numbers from 1.
pub(super) fn data_lines(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    let lines = text.lines().enumerate().map(|(index, content)| (index + 1, content));
    lines.filter(|(_, content)| {
        let content = content.trim();
        !content.is_empty() && !is_no_data(content)
    })
}

/// Splits off attributes in braces at the end of a line.
fn split_attributes(content: &str) -> (&str, Option<&str>) {
    let content = content.trim_end();
    let start = content.find('{').filter(|&start| {
        let before = content[..start].chars().next_back();
        before.is_some_and(|sign| sign.is_whitespace() || ",;|".contains(sign))
    });
    match start {
        Some(start) if content.ends_with('}') => (&content[..start], Some(&content[start..])),
        _ => (content, None),
    }
}

/// Chooses what separates the words. Commas within words, as in `0,0 0,1`, separate nothing. The first line may be a
/// title.
pub(super) fn separator(text: &str, options: &GraphReadOptions) -> Separator {
    let lines = || data_lines(text).map(|(_, content)| split_attributes(content).0);
    let has_title = |sign: u8| {
        lines().nth(2).is_some()
            && lines().skip(1).all(|content| has_sign(content, sign))
            && separates(&lines().skip(1), sign)
    };
    // Without quotes, a decimal comma separates nothing.
    let has_decimal_comma = options.decimal_comma && !text.contains('"');
    let mut signs = SIGNS.into_iter().filter(|&sign| sign != b',' || !has_decimal_comma);
    match signs.find(|&sign| separates(&lines(), sign) || has_title(sign)) {
        Some(b'\t') if lines().all(tabs_are_blanks) || lines().all(has_numbers_alone) => {
            Separator::Blanks
        }
        Some(sign) => Separator::Sign(sign),
        None => Separator::Blanks,
    }
}

/// Whether a sign separates the words of all lines.
fn separates<'a>(lines: &(impl Iterator<Item = &'a str> + Clone), sign: u8) -> bool {
    // A line with a single word has no sign.
    let is_word = |content: &str| content.split_whitespace().nth(1).is_none();
    lines.clone().any(|content| has_sign(content, sign))
        && lines.clone().all(|content| has_sign(content, sign) || is_word(content))
        && !lines.clone().all(|content| are_names_with(content, sign))
        && !(sign == b',' && lines.clone().all(|content| content.trim_start().starts_with('(')))
}

/// Whether a word is several numbers with blanks between them.
pub(super) fn are_numbers(word: &str) -> bool {
    word.trim().contains(char::is_whitespace)
        && word.split_whitespace().all(|word| word.parse::<f64>().is_ok())
}

/// Whether the words of a line that have blanks are several numbers, so that blanks separate them as well.
fn has_numbers_alone(content: &str) -> bool {
    content
        .trim()
        .split('\t')
        .map(str::trim)
        .all(|word| !word.is_empty() && (!word.contains(char::is_whitespace) || are_numbers(word)))
}

/// Whether a line has the sign outside of quotes.
fn has_sign(content: &str, sign: u8) -> bool {
    let (mut in_quotes, mut is_escaped) = (false, false);
    content.trim().bytes().any(|byte| {
        in_quotes ^= byte == b'"' && !is_escaped;
        is_escaped = in_quotes && byte == b'\\' && !is_escaped;
        byte == sign && !in_quotes
    })
}

/// Whether a line has several words, each with as many of the signs: then they belong to names.
fn are_names_with(content: &str, sign: u8) -> bool {
    let mut counts = content.split_whitespace().map(|word| {
        let inside = !word.ends_with(sign as char) && !word.starts_with(sign as char);
        (word.bytes().filter(|&byte| byte == sign).count(), inside)
    });
    let Some((first, true)) = counts.next() else { return false };
    let second = counts.next();
    // The third word may be a weight.
    first > 0 && second == Some((first, true)) && counts.next().is_none_or(|(count, _)| count == 0)
}

/// Whether splitting at tabs gives the same words as splitting at blanks.
fn tabs_are_blanks(content: &str) -> bool {
    let by_tab = content.trim_end().split('\t').map(str::trim);
    by_tab.eq(content.split_whitespace())
}

/// Whether a row is a line of a drawn table, such as `|---|---|`.
fn is_rule(row: &Row<'_>) -> bool {
    row.words.iter().all(|word| word.chars().all(|sign| "-+=:".contains(sign)))
}

/// A note if a comment after data has as many words as a row; an error if ends of edges begin as comments do.
pub(super) fn note_of_comments(
    text: &str,
    separator: Separator,
    rows: &[Row<'_>],
) -> Result<Option<String>, FormatError> {
    let Some(first) = rows.first() else {
        let has_text = text.lines().any(|content| !content.trim().is_empty());
        return Ok(has_text.then(|| "each line is a comment, so there are no vertices".to_owned()));
    };
    let count = |content: &str| {
        let content = split_attributes(content).0;
        match separator {
            Separator::Blanks => content.split_whitespace().count(),
            Separator::Sign(sign) => content.split(char::from(sign)).count(),
        }
    };
    let widths: HashSet<usize> = rows.iter().map(|row| row.words.len()).collect();
    let is_row = |content: &str| {
        let begin = content.trim_start_matches(['#', '%', '/']).chars().next();
        let is_edge = is_comment(content) && begin.is_some_and(|sign| !sign.is_whitespace());
        is_edge && count(content) > 1 && widths.contains(&count(content))
    };
    let mut lines = text.lines().map(str::trim).zip(1..).skip(first.line);
    let Some((content, line)) = lines.find(|(content, _)| is_row(content)) else { return Ok(None) };
    let are_signs = rows.iter().any(|row| row.words.iter().take(2).any(|word| is_comment(word)));
    // Below the names of columns, all rows may begin so.
    if are_signs || rows.len() == 1 {
        return Err(FormatError::at(
            line,
            format!(
                "`{content}` may be a comment or an edge; begin a comment with its sign and a blank, and write names \
                 such as {} in double quotes",
                content.split([' ', '\t', ',', ';', '|']).next().unwrap_or_default()
            ),
        ));
    }
    Ok(Some(format!(
        "line {line} is read as a comment, although it has as many words as an edge; write names that begin with {} \
         in double quotes",
        &content[..1]
    )))
}

/// Splits a text into rows.
pub(super) fn rows(text: &str, separator: Separator) -> Result<Vec<Row<'_>>, FormatError> {
    match separator {
        Separator::Blanks => data_lines(text)
            .map(|(line, content)| {
                let (content, attributes) = split_attributes(content);
                let words = words(content, line)?;
                if words.is_empty() {
                    return Err(without_ends(line));
                }
                Ok(Row { line, words, attributes })
            })
            .collect(),
        Separator::Sign(sign) => {
            let mut rows = separated(text, sign)?;
            rows.retain(|row| sign != b'|' || !is_rule(row));
            // A drawn table has the sign before the first word.
            if sign == b'|' && rows.iter().all(|row| row.words.len() > 1 && row.words[0].is_empty())
            {
                for row in &mut rows {
                    row.words.remove(0);
                }
            }
            Ok(rows)
        }
    }
}

/// The error for attributes alone.
fn without_ends(line: usize) -> FormatError {
    FormatError::at(line, "the attributes have no edge; write both ends before them")
}

/// The words of a line that blanks separate. A word in double quotes may have blanks, and so may a tuple of
/// Python.
fn words(content: &str, line: usize) -> Result<Vec<Cow<'_, str>>, FormatError> {
    let mut words: Vec<Cow<'_, str>> = Vec::new();
    let mut rest = content.trim_start();
    while !rest.is_empty() {
        if let Some((word, after)) = quoted(rest) {
            words.push(Cow::Owned(word));
            rest = after.trim_start();
            continue;
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let end = tuple_end(rest, end).unwrap_or(end);
        let (word, after) = rest.split_at(end);
        let is_sign = word.chars().all(|sign| "#%/".contains(sign));
        if is_sign || words.len() > 1 && is_comment(word) {
            break;
        }
        if words.len() == 1 && is_comment(word) {
            return Err(FormatError::at(
                line,
                format!(
                    "`{word}` may be a vertex or a comment; write the vertex as \"{word}\", and a comment on a \
                     line of its own"
                ),
            ));
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

/// The end of a tuple, such as `(0, 1)`, whose first word ends at `end`.
fn tuple_end(text: &str, end: usize) -> Option<usize> {
    let first = &text[..end];
    if !(first.starts_with('(') && first.ends_with(',')) {
        return None;
    }
    let close = text.find(')')? + 1;
    let ends = text[close..].is_empty() || text[close..].starts_with(char::is_whitespace);
    ends.then_some(close)
}

/// Writes a name as [`words`] reads it. Signs that might separate words, or begin a comment or another format, are
/// in quotes.
pub(super) fn quote(name: &str) -> Cow<'_, str> {
    let is_plain = |sign: char| sign.is_alphanumeric() || "_-.+'&".contains(sign);
    if !name.is_empty() && name.chars().all(is_plain) && !name.starts_with("LEDA.") {
        return Cow::Borrowed(name);
    }
    Cow::Owned(format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"")))
}

/// The rows of a text whose words are separated by a sign.
#[cfg(feature = "csv")]
fn separated(text: &str, sign: u8) -> Result<Vec<Row<'_>>, FormatError> {
    let mut attributes = std::collections::HashMap::new();
    let mut plain = String::with_capacity(text.len());
    for (index, content) in text.lines().enumerate() {
        if !is_no_data(content.trim()) {
            let (content, found) = split_attributes(content);
            plain.push_str(content);
            attributes.extend(found.map(|found| (index + 1, found)));
        }
        plain.push('\n');
    }
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(sign)
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(plain.as_bytes());
    let (mut line, mut counted) = (1, 0);
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| {
            FormatError::new(format!("the table cannot be read: {error}; check its quotes"))
        })?;
        // The position is before the empty lines that are passed over.
        let start = record.position().map_or(0, csv::Position::byte) as usize;
        let is_blank = |byte: &u8| *byte == b'\n' || *byte == b'\r';
        let start = start + plain[start..].bytes().take_while(is_blank).count();
        line += plain[counted..start].bytes().filter(|&byte| byte == b'\n').count();
        counted = start;
        let found = attributes.get(&line).copied();
        let mut words: Vec<Cow<'_, str>> =
            record.iter().map(|word| Cow::Owned(word.to_owned())).collect();
        if found.is_some() && words.last().is_some_and(|word| word.is_empty()) {
            words.pop();
        }
        if words.iter().any(|word| !word.is_empty()) {
            rows.push(Row { line, words, attributes: found });
        } else if found.is_some() {
            return Err(without_ends(line));
        }
    }
    Ok(rows)
}

#[cfg(not(feature = "csv"))]
fn separated(_text: &str, _sign: u8) -> Result<Vec<Row<'_>>, FormatError> {
    Err(super::without_feature(super::GraphFormat::Csv))
}
