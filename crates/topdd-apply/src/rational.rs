//! Exact fractions, for the weights of model counting.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use std::fmt;
use std::str::FromStr;

/// The largest exponent of ten in a text: a power of more digits than a user means would fill the memory.
const MAX_EXPONENT: u32 = 10_000;

/// An exact fraction in lowest terms: the weight of a literal, or a weighted count.
///
/// Read from a whole number, a decimal number, with or without an exponent, or a fraction of two whole numbers.
/// `Display` writes a whole number or a fraction.
///
/// ```
/// use topdd_apply::Rational;
///
/// let read = |text: &str| text.parse::<Rational>();
/// assert_eq!(read("0.250")?, read("1/4")?);
/// assert_eq!(read("25e-2")?.to_string(), "1/4");
/// assert_eq!(read("-2.0")?.to_string(), "-2");
/// assert!(read("1/0").is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rational {
    numerator: BigInt,
    denominator: BigUint,
}

impl Rational {
    /// Makes the fraction in lowest terms.
    ///
    /// # Panics
    ///
    /// If the denominator is 0.
    ///
    /// ```
    /// use topdd_apply::Rational;
    ///
    /// let half = Rational::new(3.into(), 6u32.into());
    /// assert_eq!((half.numerator(), half.denominator()), (&1.into(), &2u32.into()));
    /// ```
    pub fn new(numerator: BigInt, denominator: BigUint) -> Self {
        assert!(denominator != BigUint::ZERO, "the denominator of a fraction is not 0");
        let divisor = numerator.magnitude().gcd(&denominator);
        let denominator = denominator / &divisor;
        Rational { numerator: numerator / BigInt::from(divisor), denominator }
    }

    /// The numerator, with the sign.
    pub fn numerator(&self) -> &BigInt {
        &self.numerator
    }

    /// The denominator, at least 1.
    pub fn denominator(&self) -> &BigUint {
        &self.denominator
    }

    /// Returns 1 minus the fraction, if that is not negative.
    pub(crate) fn complement(&self) -> Option<Self> {
        let rest = BigInt::from(self.denominator.clone()) - &self.numerator;
        let is_share = self.numerator.sign() != Sign::Minus && rest.sign() != Sign::Minus;
        is_share.then(|| Rational { numerator: rest, denominator: self.denominator.clone() })
    }
}

impl From<u32> for Rational {
    fn from(number: u32) -> Self {
        Rational { numerator: number.into(), denominator: 1u32.into() }
    }
}

/// The error is a message.
impl FromStr for Rational {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        parse(text).ok_or_else(|| {
            format!("\"{text}\" is not a decimal number or a fraction, such as 0.25 or 1/4")
        })
    }
}

fn parse(text: &str) -> Option<Rational> {
    if let Some((numerator, denominator)) = text.split_once('/') {
        let denominator: BigUint = denominator.parse().ok()?;
        let numerator = numerator.parse().ok()?;
        let is_number = denominator != BigUint::ZERO;
        return is_number.then(|| Rational::new(numerator, denominator));
    }
    let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    if !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits: BigInt = format!("{whole}{decimals}").parse().ok()?;
    let places = i64::try_from(decimals.len()).ok()? - i64::from(exponent.parse::<i32>().ok()?);
    let power = u32::try_from(places.unsigned_abs()).ok().filter(|&power| power <= MAX_EXPONENT)?;
    let scale = BigUint::from(10u32).pow(power);
    Some(match places {
        ..=0 => Rational::new(digits * BigInt::from(scale), 1u32.into()),
        1.. => Rational::new(digits, scale),
    })
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.numerator)?;
        if self.denominator == BigUint::ONE { Ok(()) } else { write!(f, "/{}", self.denominator) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_read_exactly_and_written_in_lowest_terms() {
        for (given, written) in [
            ("0", "0"),
            ("-0.0", "0"),
            ("007", "7"),
            ("0.1", "1/10"),
            (".5", "1/2"),
            ("5.", "5"),
            ("-1.25", "-5/4"),
            ("+6/4", "3/2"),
            ("12e2", "1200"),
            ("1.5E-3", "3/2000"),
            (
                "0.3333333333333333333333333333",
                "3333333333333333333333333333/10000000000000000000000000000",
            ),
        ] {
            assert_eq!(given.parse::<Rational>().unwrap().to_string(), written, "{given}");
        }
        for wrong in [
            "",
            ".",
            "-",
            "e3",
            "1e",
            "1/0",
            "1/-2",
            "1/2/3",
            "0.5/2",
            "1.-5",
            "1,5",
            "nan",
            "1e10001",
            "1e99999999999",
        ] {
            let error = wrong.parse::<Rational>().unwrap_err();
            assert!(error.ends_with("such as 0.25 or 1/4"), "{wrong}: {error}");
        }
    }

    #[test]
    fn complements_are_shares_of_one() {
        let of = |text: &str| text.parse::<Rational>().unwrap().complement();
        assert_eq!(of("0.3").unwrap().to_string(), "7/10");
        assert_eq!(of("1").unwrap().to_string(), "0");
        assert_eq!((of("1.5"), of("-0.5")), (None, None));
    }
}
