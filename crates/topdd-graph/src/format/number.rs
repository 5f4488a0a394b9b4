//! Numbers in files, and the weights that a file gives to its edges or vertices.

use std::collections::HashSet;
use std::fmt;

use thiserror::Error;

use super::{ElementData, FormatError, FormatFault, Graph, GraphReadOptions};
use crate::families::Unit;

/// A number that an edge or a vertex lacks, or that cannot be read.
///
/// ```
/// use topdd_graph::families::Unit;
/// use topdd_graph::format::NumberError;
///
/// let missing = NumberError {
///     unit: Unit::Edge,
///     index: 2,
///     element: "See-Tal".to_owned(),
///     attribute: "km".to_owned(),
///     text: None,
/// };
/// assert_eq!(missing.to_string(), "the edge See-Tal has no `km`; write it");
/// let unit = NumberError { text: Some("3 m".to_owned()), ..missing };
/// let message = "the edge See-Tal has the `km` `3 m`, a number with a unit; write the number alone";
/// assert_eq!(unit.to_string(), message);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct NumberError {
    /// Whether an edge or a vertex lacks the number.
    pub unit: Unit,
    /// The position of the edge or vertex in the graph.
    pub index: usize,
    /// The name of the edge or vertex.
    pub element: String,
    /// The name of the number: an attribute, or a column.
    pub attribute: String,
    /// The text in place of the number; `None` if there is none.
    pub text: Option<String>,
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { unit, element, attribute, text, .. } = self;
        let noun = unit.noun();
        let Some(text) = text else {
            return write!(f, "the {noun} {element} has no `{attribute}`; write it");
        };
        write!(f, "the {noun} {element} has the `{attribute}` `{text}`, ")?;
        f.write_str(match text {
            text if [',', '.'].iter().any(|&sign| may_be_thousands(text, sign)) || has_separators(text) => {
                "which may have separators of thousands; leave them out, or write a point and another number of decimals"
            }
            text if has_comma_for_point(text) => "which may have a decimal comma; write a point",
            text if is_number(text) && text.contains('.') => {
                "with a point among decimal commas; write a comma, or no separator of thousands"
            }
            text if resembles_number(text) && !is_number(text) => {
                "a number with a unit; write the number alone"
            }
            _ => "which is not a finite number; correct it",
        })
    }
}

impl NumberError {
    /// Whether a decimal comma would make it a number.
    pub(super) fn may_have_decimal_comma(&self) -> bool {
        let text = self.text.as_deref().unwrap_or_default();
        has_comma_for_point(text) && !may_be_thousands(text, ',')
    }
}

/// Whether the text is digits with several commas or points.
fn has_separators(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']);
    digits.starts_with(|sign: char| sign.is_ascii_digit())
        && digits.matches([',', '.']).count() > 1
        && digits.chars().all(|sign| sign.is_ascii_digit() || ",.".contains(sign))
}

/// A weight, or the text in its place, which may be empty. It matters only if the weight is needed.
pub(super) type GivenWeight = Result<DraftWeight, String>;

/// The weight of an edge or vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum DraftWeight {
    Whole(i64),
    Decimal(f64),
}

impl DraftWeight {
    /// A number that may be written as 2.0.
    pub(super) fn from_number(number: f64) -> Option<Self> {
        // Floating-point numbers are exact integers up to 2^53.
        let is_whole = number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0;
        let weight = if is_whole { Self::Whole(number as i64) } else { Self::Decimal(number) };
        number.is_finite().then_some(weight)
    }

    /// Reads a number; with a decimal comma, points are no part of it.
    pub(super) fn parse(word: &str, decimal_comma: bool) -> GivenWeight {
        let number = match decimal_comma {
            true if word.contains('.') => return Err(word.to_owned()),
            true => word.replacen(',', ".", 1),
            false => word.to_owned(),
        };
        let decimal = || number.parse().ok().and_then(Self::from_number);
        number.parse().ok().map(Self::Whole).or_else(decimal).ok_or_else(|| word.to_owned())
    }

    /// Reads the number in a cell of a table; `None` if it is empty.
    pub(super) fn given(word: &str, decimal_comma: bool) -> Option<GivenWeight> {
        let word = word.trim();
        (!word.is_empty()).then(|| Self::parse(word, decimal_comma))
    }

    pub(super) fn whole(self, line: Option<usize>) -> Result<i64, FormatError> {
        match self {
            Self::Whole(weight) => Ok(weight),
            Self::Decimal(number) => {
                let message = "is not a whole number of 64 bits; scale or round it";
                let message = format!("the weight `{number}` {message}");
                Err(FormatError::of_fault(line, FormatFault::Content(message)))
            }
        }
    }

    pub(super) fn number(self) -> f64 {
        match self {
            Self::Whole(weight) => weight as f64,
            Self::Decimal(number) => number,
        }
    }
}

/// The weights that a file gives to its edges, or to its vertices.
pub(super) struct GivenWeights<'a> {
    pub(super) unit: Unit,
    /// The name of the weights.
    pub(super) attribute: &'a str,
    /// Whether each edge or vertex needs one, although none may have it.
    pub(super) are_declared: bool,
    /// The weight of each.
    pub(super) weights: Vec<Option<&'a GivenWeight>>,
}

impl GivenWeights<'_> {
    /// Gives the edges or vertices of a graph their weights, and sets the numbers and the error of the others. There are
    /// no weights if none is given.
    pub(super) fn apply(
        self,
        graph: Graph,
        data: &mut ElementData,
        options: &GraphReadOptions,
    ) -> Result<Graph, FormatError> {
        (data.numbers, data.weight_error) = (None, None);
        let is_given = self.are_declared || self.weights.iter().any(Option::is_some);
        if self.weights.is_empty() || !is_given {
            return Ok(graph);
        }
        let mut read = Vec::with_capacity(self.weights.len());
        for (index, weight) in self.weights.into_iter().enumerate() {
            let text = match weight {
                Some(Ok(weight)) => {
                    read.push(*weight);
                    continue;
                }
                Some(Err(text)) => Some(text.clone()).filter(|text| !text.is_empty()),
                None => None,
            };
            let element = graph.element_name(self.unit, index);
            let (unit, attribute) = (self.unit, self.attribute.to_owned());
            let number = NumberError { unit, index, element, attribute, text };
            let error = FormatError::of_number(data.lines[index], number);
            if !options.unchecked_weights {
                return Err(error);
            }
            data.weight_error = Some(error);
            return Ok(graph);
        }
        if options.decimal_weights {
            data.numbers = Some(read.iter().map(|weight| weight.number()).collect());
        }
        let whole = read.iter().zip(&data.lines).map(|(weight, line)| weight.whole(*line));
        let whole: Vec<i64> = match whole.collect::<Result<_, _>>() {
            Ok(whole) => whole,
            Err(_) if options.decimal_weights => return Ok(graph),
            Err(error) => return Err(error),
        };
        let graph = match self.unit {
            Unit::Edge => graph.with_weights(whole),
            Unit::Vertex | Unit::Colour => graph.with_vertex_weights(whole),
        };
        graph.map_err(|error| FormatError::new(error.to_string()))
    }
}

pub(super) fn is_number(word: &str) -> bool {
    word.parse::<f64>().is_ok()
}

/// Whether a word is a number with a comma in place of a point.
pub(super) fn has_comma_for_point(word: &str) -> bool {
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

/// Whether a word of a column that has no names is a number.
pub(super) fn is_value(word: &str) -> bool {
    is_number(word) || has_comma_for_point(word)
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

/// Whether the text is a minus sign and digits.
pub(super) fn is_negative(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
    })
}

/// Reads a number that counts or numbers something.
pub(super) fn parse_count(word: &str, what: &str, line: usize) -> Result<usize, FormatError> {
    parse_from(0, word, what, line)
}

fn parse_from(least: u8, word: &str, what: &str, line: usize) -> Result<usize, FormatError> {
    word.parse().map_err(|_| {
        let wrong = if is_negative(word) {
            "is negative"
        } else if word.bytes().all(|digit| digit.is_ascii_digit()) && !word.is_empty() {
            "is too large"
        } else {
            "is not a number"
        };
        FormatError::at(line, format!("{what} `{word}` {wrong}; write a whole number from {least}"))
    })
}

/// Reads the number of a vertex, from 1.
pub(super) fn parse_vertex(
    word: &str,
    vertices: usize,
    header: &str,
    line: usize,
) -> Result<usize, FormatError> {
    let vertex = parse_from(1, word, "the vertex", line)?;
    if vertex == 0 || vertex > vertices {
        return Err(FormatError::at(
            line,
            format!(
                "vertex {vertex} is out of range; the vertices are 1 to {vertices}, by {header}"
            ),
        ));
    }
    Ok(vertex - 1)
}

/// Reads a whole weight.
pub(super) fn parse_weight(word: &str, line: usize) -> Result<i64, FormatError> {
    let weight = DraftWeight::parse(word, false).map_err(|word| {
        FormatError::at(line, format!("the weight `{word}` is not a finite number; correct it"))
    })?;
    weight.whole(Some(line))
}

/// The largest number of vertices that a header may announce beyond those that the size of the
/// file allows.
const MAX_ANNOUNCED: usize = 1 << 20;

/// Checks the number of vertices that a header announces against the size of the file in bytes.
pub(super) fn check_announced(vertices: usize, text: &str, line: usize) -> Result<(), FormatError> {
    let most = text.len().saturating_add(MAX_ANNOUNCED);
    if vertices > most {
        return Err(FormatError::at(
            line,
            format!(
                "{vertices} vertices are too many for a file of {} bytes; at most {most} are read",
                text.len()
            ),
        ));
    }
    Ok(())
}
