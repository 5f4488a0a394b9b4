//! Fractions as integers in the same proportions.

use crate::QueryError;
use crate::query::weights::Weights;
use num_bigint::BigUint;

/// Returns the odds of the values of a variable, multiplied by the least power of two that makes
/// all of them integers. Every `f64` is an integer times a power of two.
pub(super) fn integers(variable: usize, odds: &Weights<f64>) -> Result<Vec<BigUint>, QueryError> {
    let of = odds.variable(variable);
    if let Some(value) = of.iter().position(|odds| !(odds.is_finite() && *odds >= 0.0)) {
        let message = format!("the odds of value {value} are {}", of[value]);
        return Err(QueryError::BadOdds { variable, message });
    }
    let parts: Vec<(u64, u32)> = of.iter().map(|&odds| parts(odds)).collect();
    let powers = parts.iter().filter(|(odd, _)| *odd != 0).map(|&(_, power)| power);
    let least = powers.min().unwrap_or(0);
    let whole = |(odd, power): (u64, u32)| BigUint::from(odd) << power.saturating_sub(least);
    Ok(parts.into_iter().map(whole).collect())
}

/// Returns a number that is neither negative nor infinite as an odd integer and an exponent of two,
/// counted from the least exponent; or 0.
fn parts(number: f64) -> (u64, u32) {
    const FRACTION: u32 = f64::MANTISSA_DIGITS - 1;
    let bits = number.abs().to_bits();
    let (exponent, fraction) = ((bits >> FRACTION) as u32, bits & ((1 << FRACTION) - 1));
    let integer = if exponent == 0 { fraction } else { fraction | 1 << FRACTION };
    if integer == 0 {
        return (0, 0);
    }
    let zeros = integer.trailing_zeros();
    // Subnormal numbers have the exponent of the least normal number.
    (integer >> zeros, exponent.max(1) + zeros)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(odds: &[f64]) -> Result<Vec<BigUint>, QueryError> {
        integers(0, &Weights::from(vec![odds.to_vec()]))
    }

    #[test]
    fn proportions_are_kept_exactly() {
        let expect = |odds: &[f64], integers: &[u64]| {
            let integers: Vec<_> = integers.iter().map(|&integer| BigUint::from(integer)).collect();
            assert_eq!(whole(odds).unwrap(), integers, "{odds:?}");
        };
        expect(&[0.25, 0.75, 0.0, -0.0], &[1, 3, 0, 0]);
        expect(&[6.0, 4.0], &[3, 2]);
        expect(&[0.0, 0.0], &[0, 0]);
        let tenth = 0xc_cccc_cccc_cccd; // The integer nearest to 2^55 / 10, which is odd.
        expect(&[0.1, 0.2], &[tenth, 2 * tenth]);
        expect(&[f64::MAX], &[(1 << 53) - 1]);
        let least = f64::from_bits(1);
        expect(&[least, 3.0 * least, f64::MIN_POSITIVE], &[1, 3, 1 << 52]);
        // 1/3 is the odd integer nearest to 2^54/3, over 2^54.
        expect(&[1.0 / 3.0, 1.0], &[6_004_799_503_160_661, 1 << 54]);
        let far = whole(&[least, f64::MAX]).unwrap();
        assert_eq!(far[0], BigUint::from(1u32));
        assert_eq!(far[1], BigUint::from((1u64 << 53) - 1) << (971 + 1074));
    }

    #[test]
    fn numbers_that_are_no_odds_are_refused() {
        for bad in [-1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(
                matches!(whole(&[1.0, bad]), Err(QueryError::BadOdds { variable: 0, .. })),
                "{bad}"
            );
        }
    }
}
