//! The usual names of columns, and what their words are.

use std::collections::HashSet;
use std::iter;

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
pub(super) const WEIGHT: [&str; 11] = [
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
pub(super) const OF_VERTICES_ADVICE: &str =
    "; `GraphFile::with_vertices` reads a table of vertices, beside a file of edges";

/// Whether the name is one of a column in a table of vertices.
pub(super) fn is_of_vertices(name: &str) -> bool {
    OF_VERTICES.contains(&plain_name(name).as_str())
}

pub(super) fn plain_name(name: &str) -> String {
    name.chars().filter(|sign| sign.is_alphanumeric()).collect::<String>().to_lowercase()
}

pub(super) fn is_number(word: &str) -> bool {
    word.parse::<f64>().is_ok()
}

/// Whether a word is a number with a comma in place of a point.
pub(super) fn has_decimal_comma(word: &str) -> bool {
    !word.contains('.') && word.contains(',') && is_number(&word.replacen(',', ".", 1))
}

/// Whether a comma or a point in a word may separate thousands: it has three digits behind it, and one to three before
/// it.
pub(super) fn may_be_thousands(word: &str, sign: char) -> bool {
    word.split_once(sign).is_some_and(|(before, after)| {
        let before = before.trim_start_matches(['+', '-']);
        let are_digits = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        after.len() == 3
            && (1..4).contains(&before.len())
            && !before.starts_with('0')
            && are_digits(before)
            && are_digits(after)
    })
}

/// Whether a word shows that commas are before decimals.
pub(super) fn shows_decimal_comma(word: &str) -> bool {
    has_decimal_comma(word) && !may_be_thousands(word, ',')
}

/// Whether points in numbers between semicolons are no decimal points for sure: each may separate thousands.
pub(super) fn have_unsure_points<'a>(words: impl Iterator<Item = &'a str>) -> bool {
    let mut words = words.map(str::trim).filter(|word| word.contains('.') && is_number(word));
    words
        .next()
        .is_some_and(|first| iter::once(first).chain(words).all(|word| may_be_thousands(word, '.')))
}

/// Whether a word of a column that has no names is a number.
pub(super) fn is_value(word: &str) -> bool {
    is_number(word) || has_decimal_comma(word)
}

/// Whether a word is meant as a number: it may have a comma, or a unit.
pub(super) fn resembles_number(word: &str) -> bool {
    let word = word.trim_start_matches(|sign: char| !sign.is_alphanumeric());
    let end = word.find(|sign: char| !sign.is_ascii_digit() && !".,".contains(sign));
    let (number, unit) = word.split_at(end.unwrap_or(word.len()));
    let unit = unit.trim();
    let is_unit = |sign: char| !sign.is_whitespace() && !sign.is_numeric() && !":-_".contains(sign);
    is_number(word) || !number.is_empty() && unit.chars().count() < 6 && unit.chars().all(is_unit)
}

/// Whether a word above numbers is the name of their column.
pub(super) fn is_name(word: &str) -> bool {
    word.contains(char::is_alphanumeric) && !resembles_number(word)
}

/// The number of words that are meant as numbers, if the words may be of a column of numbers. Then they are most words,
/// or as many different ones as the others: `n/a` in many cells is one word, and street names are many. A sign such as
/// `?` is no word.
pub(super) fn count_numbers<'a>(words: impl Iterator<Item = &'a str>) -> Option<usize> {
    let words = words.map(str::trim).filter(|word| word.contains(char::is_alphanumeric));
    let (numbers, others): (Vec<&str>, Vec<&str>) = words.partition(|word| resembles_number(word));
    let distinct = |words: &[&str]| words.iter().collect::<HashSet<_>>().len();
    let are_most = numbers.len() > others.len() || distinct(&numbers) >= distinct(&others);
    are_most.then_some(numbers.len())
}

/// The columns of the ends, by usual names.
pub(super) fn usual<T: AsRef<str>>(names: &[T]) -> Option<(usize, usize)> {
    let plain: Vec<String> = names.iter().map(|name| plain_name(name.as_ref())).collect();
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
