//! Weights of literals in files.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, Signed};

/// The largest exponent of ten in a text: a power of more digits than a user means would fill the memory.
const MAX_EXPONENT: u32 = 10_000;

/// Reads a whole number, a decimal number, with or without an exponent, or a fraction of two whole numbers. The
/// error is a message.
pub(super) fn parse_weight(text: &str) -> Result<Ratio<BigInt>, String> {
    let read = if text.contains('/') { text.parse().ok() } else { parse_decimal(text) };
    read.ok_or_else(|| {
        format!("\"{text}\" is not a decimal number or a fraction, such as 0.25 or 1/4")
    })
}

fn parse_decimal(text: &str) -> Option<Ratio<BigInt>> {
    let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    if !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits: BigInt = format!("{whole}{decimals}").parse().ok()?;
    let places = i64::try_from(decimals.len()).ok()? - i64::from(exponent.parse::<i32>().ok()?);
    let power = u32::try_from(places.unsigned_abs()).ok().filter(|&power| power <= MAX_EXPONENT)?;
    let scale = BigInt::from(10).pow(power);
    Some(match places {
        ..=0 => (digits * scale).into(),
        1.. => Ratio::new(digits, scale),
    })
}

/// Returns 1 minus the weight, if the weight is from 0 to 1.
pub(super) fn complement(weight: &Ratio<BigInt>) -> Option<Ratio<BigInt>> {
    let rest = Ratio::one() - weight;
    (!weight.is_negative() && !rest.is_negative()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::{complement, parse_weight};

    #[test]
    fn weights_are_read_exactly_and_written_in_lowest_terms() {
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
            assert_eq!(parse_weight(given).unwrap().to_string(), written, "{given}");
        }
        for wrong in [
            "",
            ".",
            "-",
            "e3",
            "1e",
            "1/0",
            "/2",
            "1/2/3",
            "0.5/2",
            "1.-5",
            "1,5",
            "nan",
            "1e10001",
            "1e99999999999",
        ] {
            let error = parse_weight(wrong).unwrap_err();
            assert!(error.ends_with("such as 0.25 or 1/4"), "{wrong}: {error}");
        }
    }

    #[test]
    fn complements_are_shares_of_one() {
        let complement_of = |text| complement(&parse_weight(text).unwrap());
        assert_eq!(complement_of("0.3").unwrap().to_string(), "7/10");
        assert_eq!(complement_of("1").unwrap().to_string(), "0");
        assert_eq!((complement_of("1.5"), complement_of("-0.5")), (None, None));
    }
}
