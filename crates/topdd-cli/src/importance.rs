//! How much each element matters, as a table.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{Signed, ToPrimitive};
use serde_json::{Map, Value, json};
use topdd_problem::Name;

use crate::output;

/// A number of an element.
#[derive(Clone, Debug)]
pub(crate) enum Measure {
    Float(f64),
    Exact(Ratio<BigInt>),
}

impl Measure {
    /// The number with twelve digits.
    fn text(&self) -> String {
        let number = match self {
            Measure::Float(number) => *number,
            Measure::Exact(ratio) => nearest(ratio),
        };
        let sign = if number < 0.0 { "-" } else { "" };
        sign.to_owned() + &output::probability(number.abs())
    }

    /// The number, or the fraction as a string.
    fn json(&self) -> Value {
        match self {
            Measure::Float(number) => json!(number),
            Measure::Exact(ratio) => json!(ratio.to_string()),
        }
    }
}

/// A fraction as a float: numerator and denominator may be too large for one.
fn nearest(ratio: &Ratio<BigInt>) -> f64 {
    let (numerator, denominator) = (ratio.numer(), ratio.denom());
    let places = (64 + denominator.bits()).saturating_sub(numerator.bits());
    let quotient = ((numerator.abs() << places) / denominator).to_f64().unwrap_or(f64::INFINITY);
    let number = i32::try_from(places).map_or(0.0, |places| quotient * 2f64.powi(-places));
    if numerator.is_negative() { -number } else { number }
}

/// Measures of elements: a row for each element, and a column for each measure.
pub(crate) struct MeasureTable {
    pub(crate) names: Vec<Name>,
    pub(crate) columns: Vec<(&'static str, Vec<Measure>)>,
}

impl MeasureTable {
    /// A list of an object for each element.
    pub(crate) fn json(&self) -> Value {
        let object = |(row, name): (usize, &Name)| {
            let measures = self.columns.iter().map(|(of, all)| ((*of).to_owned(), all[row].json()));
            let name = ("name".to_owned(), json!(name.stored()));
            Value::Object(std::iter::once(name).chain(measures).collect::<Map<_, _>>())
        };
        self.names.iter().enumerate().map(object).collect()
    }

    /// Lines with a heading.
    pub(crate) fn text(&self) -> String {
        let names = self.names.iter().map(Name::printed);
        let mut lines: Vec<String> = std::iter::once("element".to_owned()).chain(names).collect();
        for (of, measures) in &self.columns {
            let cells = std::iter::once((*of).to_owned()).chain(measures.iter().map(Measure::text));
            let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
            for (line, cell) in lines.iter_mut().zip(cells) {
                let blanks = width - line.chars().count() + 2;
                *line = format!("{line}{:blanks$}{cell}", "");
            }
        }
        lines.join("\n") + "\n"
    }
}
