//! Numbers of edges and vertices in files.

use std::fmt;

use thiserror::Error;

use super::FormatError;
use super::column_names::{has_decimal_comma, is_number, may_be_thousands, resembles_number};
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
            text if may_be_thousands(text, ',') => {
                "in which the comma may be decimal or separate thousands; write a point, or leave it out"
            }
            text if may_be_thousands(text, '.') => {
                "in which the point may separate thousands; leave it out, or write another number of decimals"
            }
            text if has_decimal_comma(text) => {
                "which may have a decimal comma; write a point, or set `GraphReadOptions::decimal_comma`"
            }
            text if text.contains('.') && DraftWeight::parse(text, false).is_ok() => {
                "with a point among decimal commas; write a comma, or no separator of thousands"
            }
            text if has_separators(text) => "with separators of thousands; leave them out",
            text if resembles_number(text) && !is_number(text) => {
                "a number with a unit; write the number alone"
            }
            _ => "which is not a finite number; correct it",
        })
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
            Self::Decimal(number) => Err(FormatError {
                line,
                ..FormatError::new(format!(
                    "the weight `{number}` is not a whole number of 64 bits; scale or round it"
                ))
            }),
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
    /// The weight of each, and its line if it is known.
    pub(super) weights: Vec<(Option<&'a GivenWeight>, Option<usize>)>,
}

/// The weights of all edges or vertices.
#[derive(Default)]
pub(super) struct AllWeights {
    /// As whole numbers, if all are.
    pub(super) whole: Option<Vec<i64>>,
    /// As numbers that may have decimals, if these were asked for.
    pub(super) numbers: Option<Vec<f64>>,
    /// The error of the first that is missing or cannot be read, if that was asked for.
    pub(super) error: Option<FormatError>,
}

impl GivenWeights<'_> {
    /// Reads the weights, of elements with these names. There are none if none is given.
    pub(super) fn read(
        self,
        name: impl Fn(usize) -> String,
        options: &super::GraphReadOptions,
    ) -> Result<AllWeights, FormatError> {
        let is_given = self.weights.iter().any(|(weight, _)| weight.is_some());
        if self.weights.is_empty() || !(is_given || self.are_declared) {
            return Ok(AllWeights::default());
        }
        let mut read = Vec::with_capacity(self.weights.len());
        for (index, &(weight, line)) in self.weights.iter().enumerate() {
            let text = match weight {
                Some(Ok(weight)) => {
                    read.push((*weight, line));
                    continue;
                }
                Some(Err(text)) => Some(text.clone()).filter(|text| !text.is_empty()),
                None => None,
            };
            let (unit, attribute) = (self.unit, self.attribute.to_owned());
            let number = NumberError { unit, index, element: name(index), attribute, text };
            let error = FormatError::of_number(line, number);
            if options.unchecked_weights {
                return Ok(AllWeights { error: Some(error), ..AllWeights::default() });
            }
            return Err(error);
        }
        let whole: Result<Vec<i64>, _> =
            read.iter().map(|(weight, line)| weight.whole(*line)).collect();
        if !options.decimal_weights {
            return Ok(AllWeights { whole: Some(whole?), ..AllWeights::default() });
        }
        let numbers = read.iter().map(|(weight, _)| weight.number()).collect();
        Ok(AllWeights { whole: whole.ok(), numbers: Some(numbers), error: None })
    }
}
