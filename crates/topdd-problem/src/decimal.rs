//! Weights with decimals, as exact multiples of a power of ten.

use std::fmt;
use std::str::FromStr;

use num_bigint::{BigInt, BigUint};
use num_rational::Ratio;
use num_traits::Signed;
use serde::{Deserialize, Serialize};
use serde_json::Number;

/// The largest number of decimals.
const MAX_PLACES: u32 = 18;

/// A number with decimals: `digits` divided by ten to the power `places`. It is exact. In JSON it is a text, and is read
/// from a number as well.
///
/// ```
/// use topdd_problem::decimal::{Decimal, Scale};
///
/// let prices: Vec<Decimal> = ["2.50", "4"].map(|price| price.parse().unwrap()).to_vec();
/// let scale = Scale::new(&prices);
/// assert_eq!(scale.whole(prices[0]), Some(25));
/// assert_eq!(scale.text(25 + 40), "6.5");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "NumberOrText", into = "String")]
pub struct Decimal {
    digits: i64,
    /// As few as possible.
    places: u32,
}

impl Decimal {
    /// The decimal number that is written as a floating-point number is; `None` if it has more than 15 digits, which
    /// a floating-point number does not keep.
    pub fn from_f64(number: f64) -> Option<Self> {
        let decimal: Self = format!("{number:e}").parse().ok()?;
        (decimal.digits.unsigned_abs() < 1_000_000_000_000_000).then_some(decimal)
    }

    /// Returns whether the number is below zero.
    pub fn is_negative(self) -> bool {
        self.digits < 0
    }

    /// Reads a number: digits, maybe a sign, a point and an exponent.
    fn parse(text: &str) -> Option<Self> {
        let (number, exponent) = match text.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, exponent.parse().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        // Only whole numbers have a sign.
        if fraction.starts_with(['+', '-']) {
            return None;
        }
        let digits: i64 = format!("{whole}{fraction}").parse().ok()?;
        Self::new(digits, i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?)
    }

    fn new(mut digits: i64, mut places: i32) -> Option<Self> {
        if digits == 0 {
            places = 0;
        }
        while places > 0 && digits % 10 == 0 {
            (digits, places) = (digits / 10, places - 1);
        }
        if places < 0 {
            digits = digits.checked_mul(10i64.checked_pow(places.unsigned_abs())?)?;
        }
        let places = u32::try_from(places.max(0)).ok()?;
        (places <= MAX_PLACES).then_some(Self { digits, places })
    }
}

impl From<i64> for Decimal {
    fn from(digits: i64) -> Self {
        Self { digits, places: 0 }
    }
}

/// A number in JSON.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a number is expected")]
enum NumberOrText {
    Number(Number),
    Text(String),
}

impl From<Decimal> for String {
    fn from(decimal: Decimal) -> Self {
        decimal.to_string()
    }
}

impl TryFrom<NumberOrText> for Decimal {
    type Error = String;

    fn try_from(given: NumberOrText) -> Result<Self, String> {
        let number = match given {
            NumberOrText::Number(number) => number,
            NumberOrText::Text(text) => return text.parse(),
        };
        let whole = number.as_i64().map(Self::from);
        let decimal = || number.as_f64().and_then(Self::from_f64);
        whole.or_else(decimal).ok_or_else(|| format!("{number} has more than 15 digits"))
    }
}

impl FromStr for Decimal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::parse(text).ok_or_else(|| format!("{text:?} is not a decimal number of 64 bits"))
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(self.digits.into(), self.places))
    }
}

/// A whole number divided by a power of ten, without zeros at the end.
fn text(number: i128, places: u32) -> String {
    let places = places as usize;
    let digits = format!("{:0>1$}", number.unsigned_abs(), places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let (sign, fraction) = (if number < 0 { "-" } else { "" }, fraction.trim_end_matches('0'));
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}")
}

/// A fraction with 15 digits, to follow the fraction itself; nothing after a whole number of fewer digits.
pub fn after_fraction(fraction: &Ratio<BigInt>) -> String {
    let (numerator, denominator) = (fraction.numer().magnitude(), fraction.denom().magnitude());
    let length = |number: &BigUint| number.to_string().len().cast_signed() as i64;
    if fraction.is_integer() && length(numerator) <= DIGITS {
        return String::new();
    }
    // With so many places, the number has one or two digits more than `DIGITS`.
    let places = DIGITS + 1 - (length(numerator) - length(denominator));
    let power = |places: i64| {
        BigUint::from(10u32).pow(u32::try_from(places.max(0)).expect("digits fit into memory"))
    };
    let (whole, unit) = (numerator * power(places), denominator * power(-places));
    let digits = (&whole / &unit).to_string();
    let mut exponent = digits.len().cast_signed() as i64 - 1 - places;
    // Rounded to the last of the digits.
    let kept = DIGITS as usize;
    let rounded: u64 = digits[..=kept].parse().expect("sixteen digits fit into 64 bits");
    let mut rounded = rounded / 10 + u64::from(rounded % 10 >= 5);
    if rounded == 10u64.pow(DIGITS as u32) {
        (rounded, exponent) = (rounded / 10, exponent + 1);
    }
    let is_exact =
        (whole % unit) == BigUint::ZERO && digits[kept..].bytes().all(|byte| byte == b'0');
    let sign = if fraction.is_negative() { -1 } else { 1 };
    let number = i128::from(rounded) * sign;
    let text = match exponent {
        -5..DIGITS => text(number, u32::try_from(DIGITS - 1 - exponent).expect("at most 20")),
        _ => format!("{}e{exponent}", text(number, DIGITS as u32 - 1)),
    };
    format!("{}{text}", if is_exact { " = " } else { ", about " })
}

/// The digits of a fraction as a decimal number.
const DIGITS: i64 = 15;

/// A power of ten that makes decimal numbers whole ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scale {
    places: u32,
}

impl Scale {
    /// The least scale of some numbers.
    pub fn new<'a>(numbers: impl IntoIterator<Item = &'a Decimal>) -> Self {
        Self { places: numbers.into_iter().map(|number| number.places).max().unwrap_or(0) }
    }

    /// One of the numbers times the scale; `None` beyond 64 bits.
    pub fn whole(self, number: Decimal) -> Option<i64> {
        number.digits.checked_mul(10i64.pow(self.places - number.places))
    }

    /// A sum of whole numbers, with its decimals.
    pub fn text(self, sum: i128) -> String {
        text(sum, self.places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_exactly_and_written_without_zeros() {
        for (given, written) in [
            ("12.5", "12.5"),
            ("12.50", "12.5"),
            ("-0.05", "-0.05"),
            ("-.5", "-0.5"),
            ("+7.", "7"),
            ("0.10", "0.1"),
            ("-0.0", "0"),
            ("1e3", "1000"),
            ("2.5E-3", "0.0025"),
            ("1000e-2", "10"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("0.123456789012345678", "0.123456789012345678"),
        ] {
            assert_eq!(
                given.parse::<Decimal>().map(|number| number.to_string()),
                Ok(written.to_owned())
            );
        }
        for wrong in [
            "",
            ".",
            "-",
            "1.-5",
            "1,5",
            "0x1",
            "nan",
            "inf",
            "1e",
            "1e19",
            "1e-19",
            "9223372036854775808",
        ] {
            assert!(wrong.parse::<Decimal>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn fractions_have_fifteen_digits() {
        for (fraction, decimal) in [
            ("7", ""),
            ("0", ""),
            ("13/20", " = 0.65"),
            ("-5/4", " = -1.25"),
            ("1/3", ", about 0.333333333333333"),
            ("2/3", ", about 0.666666666666667"),
            ("123456789012345678", ", about 1.23456789012346e17"),
            ("1000000000000000000000000000000", " = 1e30"),
            ("1/1000000000", " = 1e-9"),
            ("1/3000000", ", about 3.33333333333333e-7"),
            ("123456789125/1000", " = 123456789.125"),
            ("9999999999999999/10000000000000000", ", about 1"),
            ("9999999999999999", ", about 1e16"),
        ] {
            let number: Ratio<BigInt> = fraction.parse().expect("a fraction");
            assert_eq!(after_fraction(&number), decimal, "{fraction}");
        }
    }

    #[test]
    fn sums_of_scaled_numbers_have_their_decimals() {
        let numbers = ["0.1", "0.25", "-3"].map(|text| text.parse().expect("a number"));
        let scale = Scale::new(&numbers);
        assert_eq!(numbers.map(|number| scale.whole(number)), [Some(10), Some(25), Some(-300)]);
        assert_eq!(scale.text(35), "0.35");
        assert_eq!(scale.text(-290), "-2.9");
        let large = ["0.001", "9223372036854775807"].map(|text| text.parse().expect("a number"));
        assert_eq!(large.map(|number| Scale::new(&large).whole(number)), [Some(1), None]);
        assert_eq!(Decimal::from_f64(0.1), "0.1".parse().ok());
        assert_eq!(Decimal::from_f64(1e-7), "0.0000001".parse().ok());
        assert_eq!(Decimal::from_f64(0.1 + 0.2), None);
    }
}
