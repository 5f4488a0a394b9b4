//! Numbers of uses as shares and in few characters.

use num_bigint::BigUint;

/// The ratio of a number to the whole; 0 if the whole is 0.
pub(crate) fn share(part: &BigUint, whole: &BigUint) -> f64 {
    // So few bits of the whole are left that a float has room for them.
    let beyond = whole.bits().saturating_sub(62);
    let [part, whole] = [part, whole].map(|number| number >> beyond);
    match (u64::try_from(part), u64::try_from(whole)) {
        (Ok(part), Ok(whole)) if whole > 0 => (part as f64 / whole as f64).min(1.0),
        _ => 0.0,
    }
}

/// A number in at most seven characters: as it is, or to three digits with `k` for thousands,
/// `M` for millions, or a power of ten.
pub(crate) fn short(number: &BigUint) -> String {
    let digits = number.to_string();
    if digits.len() <= 5 {
        return digits;
    }
    // Three digits, rounded; all are ASCII.
    let leading: u32 = digits[..4].parse().unwrap_or(0);
    let (mut three, mut power) = ((leading + 5) / 10, digits.len() - 1);
    if three == 1000 {
        (three, power) = (100, power + 1);
    }
    let (unit, point) = match power {
        ..6 => ("k".to_owned(), power - 3),
        6..9 => ("M".to_owned(), power - 6),
        _ => (format!("e{power}"), 0),
    };
    let text = three.to_string();
    let (whole, rest) = text.split_at(point + 1);
    let rest = rest.trim_end_matches('0');
    if rest.is_empty() { format!("{whole}{unit}") } else { format!("{whole}.{rest}{unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_cut_short_by_rounding() {
        for (number, text) in [
            (0u64, "0"),
            (99_999, "99999"),
            (100_000, "100k"),
            (123_456, "123k"),
            (999_499, "999k"),
            (999_500, "1M"),
            (1_234_567, "1.23M"),
            (55_488_142, "55.5M"),
            (999_999_999, "1e9"),
            (13_267_364_410_532, "1.33e13"),
        ] {
            assert_eq!(short(&number.into()), text);
        }
    }

    #[test]
    fn shares_of_numbers_of_any_size() {
        let big = BigUint::from(10u32).pow(400);
        assert!((share(&(&big / 4u32), &big) - 0.25).abs() < 1e-9);
        assert!((share(&3u32.into(), &4u32.into()) - 0.75).abs() < 1e-9);
        assert!(share(&BigUint::ZERO, &BigUint::ZERO).abs() < 1e-9);
    }
}
