//! The attributes that networkx writes into edge lists: a dictionary of Python.

/// Returns the names and the values of a dictionary such as `{'weight': 2.0, 'name': "A1"}`. Texts are returned
/// without their quotes, other values as they are written. `None` if it is no dictionary.
pub(super) fn parse(text: &str) -> Option<Vec<(String, String)>> {
    let inner = text.trim().strip_prefix('{')?.strip_suffix('}')?;
    let mut entries = Vec::new();
    for entry in split(inner, ',')? {
        if entry.trim().is_empty() {
            continue;
        }
        let parts = split(entry, ':')?;
        let (key, value) = (parts.first()?, entry.get(parts.first()?.len() + 1..)?);
        entries.push((unquoted(key), unquoted(value)));
    }
    Some(entries)
}

/// Splits at a sign outside of quotes and brackets.
pub(super) fn split(text: &str, separator: char) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let (mut start, mut depth, mut quote) = (0, 0_usize, None);
    let mut signs = text.char_indices();
    while let Some((offset, sign)) = signs.next() {
        match (quote, sign) {
            (Some(_), '\\') => {
                signs.next();
            }
            (Some(open), _) if open == sign => quote = None,
            (None, '\'' | '"') => quote = Some(sign),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.checked_sub(1)?,
            (None, _) if sign == separator && depth == 0 => {
                parts.push(&text[start..offset]);
                start = offset + sign.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    (quote.is_none() && depth == 0).then_some(parts)
}

/// The text of a word in quotes, or the word.
pub(super) fn unquoted(text: &str) -> String {
    let text = text.trim();
    for quote in ['\'', '"'] {
        let inner = text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
        if let Some(inner) = inner {
            return inner.replace("\\'", "'").replace("\\\"", "\"").replace("\\\\", "\\");
        }
    }
    text.to_owned()
}
