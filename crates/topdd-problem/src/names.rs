//! Names as they are printed and read: quoted where a list would otherwise be ambiguous.
//!
//! A name is written as a JSON string, such as `"New York"`, if it is empty or contains a blank, a control character, a
//! byte order mark, or one of `, ; = # "`. An edge without a label of its own is its two ends with a sign between them,
//! `a-b` or `a->b`. An end that contains `-` or `>` is quoted, too: `"a-b"-c`. So
//! every printed name is read as the element that it was printed for, whatever the labels contain.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;

/// The sign between the ends of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// `-`, of an undirected edge.
    Line,
    /// `->`, of a directed edge.
    Arrow,
}

impl Sign {
    fn text(self) -> &'static str {
        match self {
            Sign::Line => "-",
            Sign::Arrow => "->",
        }
    }
}

/// A name in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    /// The label of a vertex, or the name of a variable.
    Label(String),
    /// The label of an edge, in a list where other edges have the names of their ends.
    EdgeLabel(String),
    /// The ends of an edge.
    Ends {
        /// The label of the first end.
        from: String,
        /// The sign between them.
        sign: Sign,
        /// The label of the second end.
        to: String,
        /// 1 for the first of parallel edges, 2 for the second.
        nth: usize,
    },
}

impl Name {
    /// The name as it is printed.
    pub fn printed(&self) -> String {
        match self {
            Name::Label(label) => quote(label).into_owned(),
            Name::EdgeLabel(label) => quote_end(label).into_owned(),
            Name::Ends { from, sign, to, nth } => {
                ends([&quote_end(from), &quote_end(to)], *sign, *nth)
            }
        }
    }

    /// The name in a list with commas, for people: blanks need no quotes there.
    pub fn between_commas(&self) -> Cow<'_, str> {
        match self {
            Name::Ends { .. } => self.printed().into(),
            Name::Label(label) | Name::EdgeLabel(label) => quote_between_commas(label),
        }
    }

    /// The name as a text of its own, as it is stored with a diagram: a label without quotes.
    pub fn stored(&self) -> String {
        match self {
            Name::Ends { .. } => self.printed(),
            Name::Label(_) | Name::EdgeLabel(_) => self.plain(),
        }
    }

    /// The same without quotes, which may be the name of several elements.
    pub fn plain(&self) -> String {
        match self {
            Name::Label(text) | Name::EdgeLabel(text) => text.clone(),
            Name::Ends { from, sign, to, nth } => ends([from, to], *sign, *nth),
        }
    }
}

fn ends([from, to]: [&str; 2], sign: Sign, nth: usize) -> String {
    let name = format!("{from}{}{to}", sign.text());
    if nth > 1 { format!("{name}#{nth}") } else { name }
}

/// A name in a list of words, quoted if it would be read otherwise.
pub fn quote(name: &str) -> Cow<'_, str> {
    quote_unless(name, |letter| !is_special(letter))
}

/// The end of an edge, or the label of one.
fn quote_end(name: &str) -> Cow<'_, str> {
    quote_unless(name, is_plain_in_end)
}

/// A label in a list with commas.
pub fn quote_between_commas(name: &str) -> Cow<'_, str> {
    let is_plain = |letter: char| !matches!(letter, ',' | '"') && !letter.is_control();
    if name.trim().len() == name.len() { quote_unless(name, is_plain) } else { quoted(name).into() }
}

/// Whether a letter separates words, or has a meaning in a file of weights or a script. At the start of a file, the
/// byte order mark is no part of a name.
fn is_special(letter: char) -> bool {
    letter.is_whitespace()
        || letter.is_control()
        || matches!(letter, ',' | ';' | '=' | '#' | '"' | '\u{feff}')
}

fn is_plain_in_end(letter: char) -> bool {
    !is_special(letter) && !matches!(letter, '-' | '>')
}

fn quote_unless(name: &str, is_plain: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !name.is_empty() && name.chars().all(is_plain) { name.into() } else { quoted(name).into() }
}

/// A JSON string without control characters, which a terminal would obey.
fn quoted(name: &str) -> String {
    let mut text = String::new();
    for letter in serde_json::Value::from(name).to_string().chars() {
        if letter.is_control() {
            // As JSON escapes them; `escape_unicode` would add braces.
            let _ = write!(text, "\\u{:04x}", u32::from(letter));
        } else {
            text.push(letter);
        }
    }
    text
}

/// The name in quotes at the start of a text, and the text after it.
pub fn quoted_prefix(text: &str) -> Option<(String, &str)> {
    let inside = text.strip_prefix('"')?;
    let mut escaped = false;
    let end = inside.find(|letter| {
        let ends = letter == '"' && !escaped;
        escaped = letter == '\\' && !escaped;
        ends
    })?;
    let (string, rest) = text.split_at(end + 2);
    Some((serde_json::from_str(string).ok()?, rest))
}

/// The name that a text is in quotes.
pub fn unquoted(text: &str) -> Option<String> {
    quoted_prefix(text).filter(|(_, rest)| rest.is_empty()).map(|(name, _)| name)
}

/// The ends that a text names. The ends of an undirected edge are in ascending order, as the edge has no other.
fn ends_of(text: &str) -> Option<Name> {
    let (from, rest) = end_of(text)?;
    let (sign, rest) = match rest.strip_prefix("->") {
        Some(rest) => (Sign::Arrow, rest),
        None => (Sign::Line, rest.strip_prefix('-')?),
    };
    let (to, rest) = end_of(rest)?;
    let nth = match rest.strip_prefix('#') {
        Some(nth) => nth.parse().ok()?,
        None if rest.is_empty() => 1,
        None => return None,
    };
    Some(ascending(Name::Ends { from, sign, to, nth }))
}

/// The end of an edge at the start of a text, and the text after it.
fn end_of(text: &str) -> Option<(String, &str)> {
    if text.starts_with('"') {
        return quoted_prefix(text);
    }
    let end = text.find(|letter| !is_plain_in_end(letter)).unwrap_or(text.len());
    (end > 0).then(|| (text[..end].to_owned(), &text[end..]))
}

fn ascending(name: Name) -> Name {
    match name {
        Name::Ends { from, sign: Sign::Line, to, nth } if to < from => {
            Name::Ends { from: to, sign: Sign::Line, to: from, nth }
        }
        name => name,
    }
}

/// A line of text without its comment, which begins at a `#` at the start of a word, and without
/// blanks at its ends. A `#` in a quoted name begins no comment.
pub fn without_comment(line: &str) -> &str {
    let comment =
        outside_quotes(line).find(|(before, _, letter)| *letter == '#' && before.is_whitespace());
    line[..comment.map_or(line.len(), |(_, at, _)| at)].trim()
}

/// The letters of a text that are not in quotes, each with the letter before it and its position. Quotes open at the
/// start of a word, and of the end of an edge.
fn outside_quotes(text: &str) -> impl Iterator<Item = (char, usize, char)> {
    let (mut rest, mut before) = (text, ' ');
    std::iter::from_fn(move || {
        let opens = before.is_whitespace() || matches!(before, ',' | ';' | '-' | '>');
        if opens && let Some((_, after)) = quoted_prefix(rest) {
            (before, rest) = ('"', after);
        }
        let letter = rest.chars().next()?;
        let found = (before, text.len() - rest.len(), letter);
        (before, rest) = (letter, &rest[letter.len_utf8()..]);
        Some(found)
    })
}

/// The words of a text, between separators outside quotes.
pub fn words(text: &str, is_separator: impl Fn(char) -> bool) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let separators = outside_quotes(text).filter(|&(_, _, letter)| is_separator(letter));
    for (end, length) in
        separators.map(|(_, at, letter)| (at, letter.len_utf8())).chain([(text.len(), 0)])
    {
        words.push(&text[start..end]);
        start = end + length;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Splits a text at its last `=` that is not quoted, as in `NAME=VALUE`.
pub fn split_value(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.rsplit_once('=')?;
    // A value has no quotes.
    (!value.contains('"')).then(|| (name.trim(), value.trim()))
}

/// Returns the names in a list with commas. If the whole list is a name, by `is_name`, it is the only one. Otherwise a name ends
/// at the first comma outside quotes at which it is a name, or else at the first comma.
///
/// # Errors
///
/// A message if a name is missing.
pub fn split_list(list: &str, is_name: impl Fn(&str) -> bool) -> Result<Vec<&str>, String> {
    if is_name(list) {
        return Ok(vec![list]);
    }
    let letters = outside_quotes(list).filter(|&(_, _, letter)| letter == ',');
    let commas: Vec<usize> = letters.map(|(_, at, _)| at).collect();
    let mut names = Vec::new();
    let mut start = 0;
    while start < list.len() {
        let ends = || commas.iter().copied().filter(|&end| end >= start).chain([list.len()]);
        let end = ends().find(|&end| is_name(list[start..end].trim())).or_else(|| ends().next());
        let end = end.unwrap_or(list.len());
        names.push(list[start..end].trim());
        start = end + 1;
    }
    if names.is_empty() || names.iter().any(|name| name.is_empty() && !is_name(name)) {
        return Err(format!("a name is missing in the list `{list}`"));
    }
    Ok(names)
}

/// The word for an element, and for several.
#[derive(Clone, Copy, Debug)]
pub struct Nouns {
    one: &'static str,
    many: &'static str,
}

impl Nouns {
    /// Edges.
    pub const EDGES: Self = Nouns { one: "edge", many: "edges" };
    /// Vertices.
    pub const VERTICES: Self = Nouns { one: "vertex", many: "vertices" };
    /// Variables.
    pub const VARIABLES: Self = Nouns { one: "variable", many: "variables" };

    /// The message that no element of a file has the name `text`. `printed` are the names of the elements.
    pub fn unknown(
        self,
        text: &str,
        file: &str,
        printed: impl ExactSizeIterator<Item = String>,
    ) -> String {
        let Nouns { one, many } = self;
        let number = printed.len();
        let some: Vec<String> = printed.take(4).collect();
        let more = if number > some.len() { ", .." } else { "" };
        let some = some.join(", ");
        format!("there is no {one} {text} in {file}; it has {number} {many}: {some}{more}")
    }
}

/// The name of several elements; it does not tell which one is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ambiguous;

/// The elements by their names.
#[derive(Debug)]
pub struct NameIndex {
    /// `None` for several elements.
    labels: HashMap<String, Option<usize>>,
    ends: HashMap<String, Option<usize>>,
    plain: HashMap<String, Option<usize>>,
}

impl NameIndex {
    /// An index of the elements with these names, in their order.
    pub fn new(names: &[Name]) -> Self {
        let mut index =
            NameIndex { labels: HashMap::new(), ends: HashMap::new(), plain: HashMap::new() };
        let add = |map: &mut HashMap<String, Option<usize>>, text: String, element: usize| {
            map.entry(text).and_modify(|first| *first = None).or_insert(Some(element));
        };
        for (element, name) in names.iter().enumerate() {
            add(&mut index.plain, name.plain(), element);
            match name {
                Name::Ends { .. } => {
                    add(&mut index.ends, ascending(name.clone()).printed(), element);
                }
                Name::Label(_) | Name::EdgeLabel(_) => {
                    add(&mut index.labels, name.plain(), element);
                }
            }
        }
        index
    }

    /// The element that a text names: first as names are printed, then as a name without the quotes that it needs.
    ///
    /// # Errors
    ///
    /// [`Ambiguous`] if several elements have the name.
    pub fn find(&self, text: &str) -> Result<Option<usize>, Ambiguous> {
        let ends = ends_of(text).and_then(|ends| self.ends.get(&ends.printed()));
        let quoted = unquoted(text);
        let label = || quoted.as_ref().and_then(|label| self.labels.get(label));
        // Tables of other programs quote any name.
        let in_quotes = || quoted.as_ref().and_then(|name| self.plain.get(name));
        let found = ends
            .or_else(label)
            .or_else(|| self.labels.get(text))
            .or_else(|| self.plain.get(text))
            .or_else(in_quotes);
        found.map_or(Ok(None), |element| element.map(Some).ok_or(Ambiguous))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn label(text: &str) -> Name {
        Name::Label(text.to_owned())
    }

    fn edge(from: &str, sign: Sign, to: &str, nth: usize) -> Name {
        Name::Ends { from: from.to_owned(), sign, to: to.to_owned(), nth }
    }

    #[test]
    fn only_names_that_need_quotes_have_them() {
        for (name, printed) in [
            ("Bern", "Bern"),
            ("0.0", "0.0"),
            ("New-York", "New-York"),
            ("L'Aquila", "L'Aquila"),
            ("Zürich", "Zürich"),
            ("New York", "\"New York\""),
            ("[0,1]", "\"[0,1]\""),
            ("#2", "\"#2\""),
            ("a=1", "\"a=1\""),
            ("\u{feff}a", "\"\u{feff}a\""),
            ("", "\"\""),
            ("say \"x\\y\"", r#""say \"x\\y\"""#),
            ("a\nb\u{85}", r#""a\nb\u0085""#),
        ] {
            assert_eq!(label(name).printed(), printed);
            assert_eq!(unquoted(&quoted(name)).as_deref(), Some(name));
        }
        for (name, printed) in [
            (edge("a", Sign::Line, "b", 1), "a-b"),
            (edge("a", Sign::Arrow, "b", 2), "a->b#2"),
            (edge("a", Sign::Line, "b-c", 1), "a-\"b-c\""),
            (edge("a-b", Sign::Line, "c", 1), "\"a-b\"-c"),
            (edge("a b", Sign::Arrow, "", 1), "\"a b\"->\"\""),
            (Name::EdgeLabel("a-b".to_owned()), "\"a-b\""),
        ] {
            assert_eq!(name.printed(), printed);
        }
        let row = ["row 1", "a, b", " c"].map(quote_between_commas);
        assert_eq!(row.join(", "), "row 1, \"a, b\", \" c\"");
    }

    #[test]
    fn names_without_their_quotes_are_read_where_they_are_clear() {
        let names = [
            edge("a b", Sign::Line, "c", 1),
            edge("a", Sign::Line, "b-c", 1),
            edge("a-b", Sign::Line, "c", 1),
            edge("x", Sign::Line, "y", 1),
            edge("y", Sign::Line, "x", 2),
        ];
        let index = NameIndex::new(&names);
        for (text, found) in [
            ("a b-c", Ok(Some(0))),
            ("\"a b-c\"", Ok(Some(0))),
            ("a-b-c", Err(Ambiguous)),
            ("\"b-c\"-a", Ok(Some(1))),
            ("\"x\"-y", Ok(Some(3))),
            ("\"x-y\"", Ok(Some(3))),
            ("x-y#2", Ok(Some(4))),
            ("y-x#2", Ok(Some(4))),
            ("x->y", Ok(None)),
            ("x", Ok(None)),
            ("\"x", Ok(None)),
        ] {
            assert_eq!(index.find(text), found, "{text}");
        }
    }

    #[test]
    fn quoted_signs_begin_no_comment_and_no_value() {
        for (line, text) in [
            ("a 1 # dear", "a 1"),
            ("\"# 1\" 2 # dear", "\"# 1\" 2"),
            ("a-\" # \"#2 5 #", "a-\" # \"#2 5"),
            ("5\" # inches", "5\""),
            ("\"open # end", "\"open"),
            (" # all", ""),
        ] {
            assert_eq!(without_comment(line), text, "{line}");
        }
        assert_eq!(split_value("a = 1"), Some(("a", "1")));
        assert_eq!(split_value("\"a=1\"=0"), Some(("\"a=1\"", "0")));
        assert_eq!(split_value("\"a=1\""), None);
    }

    #[test]
    fn separators_in_quotes_end_no_word() {
        let is_separator = |letter: char| letter.is_whitespace() || ",;".contains(letter);
        for (text, expected) in [
            ("\"New York\"-L.A., 1;7", &["\"New York\"-L.A.", "1", "7"][..]),
            ("a-\"b,c\" 2 ", &["a-\"b,c\"", "2"]),
            ("a\"b c", &["a\"b", "c"]),
            (" ,; ", &[]),
        ] {
            assert_eq!(words(text, is_separator), expected, "{text}");
        }
    }

    #[test]
    fn lists_end_names_at_commas_where_they_are_names() {
        let is_name = |text: &str| ["a", "b", "a,b", "\"c,d\"-e", "(0,0)", "(0,1)"].contains(&text);
        for (list, names) in [
            ("a,b", &["a,b"][..]),
            ("b,a", &["b", "a"]),
            ("b, a,", &["b", "a"]),
            ("a,\"c,d\"-e", &["a", "\"c,d\"-e"]),
            ("(0,0),(0,1)", &["(0,0)", "(0,1)"]),
            ("x,a", &["x", "a"]),
        ] {
            assert_eq!(split_list(list, is_name).as_deref(), Ok(names), "{list}");
        }
        for list in ["", ",", " ", "a,,x", ",x"] {
            assert!(split_list(list, is_name).is_err(), "{list}");
        }
        assert_eq!(split_list("a,,x", str::is_empty), Ok(vec!["a", "", "x"]));
    }

    fn strange() -> impl Strategy<Value = String> {
        prop_oneof![
            "[ab \\-->#,;=\"\\\\\n\t\u{85}ü(']{0,4}",
            Just("a-b".to_owned()),
            Just("b".to_owned()),
            Just("b-c#2".to_owned()),
        ]
    }

    proptest! {
        #[test]
        fn every_printed_name_is_read_as_the_element_it_is_printed_for(
            labels in prop::collection::hash_set(strange(), 2..5),
            arrows: bool,
        ) {
            let labels: Vec<String> = labels.into_iter().collect();
            let sign = if arrows { Sign::Arrow } else { Sign::Line };
            let ends = labels.iter().flat_map(|a| labels.iter().map(move |b| (a, b)));
            let ends = ends.filter(|(a, b)| arrows || a <= b);
            let mut edges: Vec<Name> =
                ends.flat_map(|(a, b)| [edge(a, sign, b, 1), edge(a, sign, b, 2)]).collect();
            edges.extend(labels.iter().map(|label| Name::EdgeLabel(label.clone())));
            let vertices: Vec<Name> = labels.iter().map(|text| label(text)).collect();
            for names in [edges, vertices] {
                let index = NameIndex::new(&names);
                for (element, name) in names.iter().enumerate() {
                    let printed = name.printed();
                    prop_assert_eq!(index.find(&printed), Ok(Some(element)), "{}", &printed);
                    let line = format!("{printed} # a comment");
                    prop_assert_eq!(without_comment(&line), &printed);
                    prop_assert!(!printed.chars().any(char::is_control));
                    let decided = format!("{printed} = 1");
                    prop_assert_eq!(split_value(&decided), Some((&printed[..], "1")));
                }
            }
        }
    }
}
