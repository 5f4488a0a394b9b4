//! Durations on the command line, such as `10m`, `1h30m`, `500ms` and `90`.

use std::time::Duration;

/// The units, from the largest to the smallest, with their lengths in milliseconds.
const UNITS: [(&str, f64); 4] = [("h", 3_600_000.0), ("m", 60_000.0), ("s", 1000.0), ("ms", 1.0)];

/// The advice for text that is no duration.
const ADVICE: &str = "write a duration such as 10m, 1h30m, 500ms or 90 (seconds)";

/// Reads a duration: numbers with the units h, m, s and ms, from the largest unit to the smallest,
/// each at most once; or a number of seconds. Numbers may have decimals.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    let whole = |milliseconds: f64| {
        Duration::try_from_secs_f64(milliseconds / 1000.0)
            .map_err(|_| format!("`{text}` is too long for a duration"))
    };
    if let Some(seconds) = number(text) {
        return whole(seconds * 1000.0);
    }
    let (mut rest, mut units, mut milliseconds) = (text, &UNITS[..], 0.0);
    while !rest.is_empty() || milliseconds == 0.0 && units.len() == UNITS.len() {
        let end = rest.find(|c: char| c.is_ascii_alphabetic()).ok_or(ADVICE)?;
        let (digits, after) = rest.split_at(end);
        let end = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        let place = units.iter().position(|(name, _)| *name == unit).ok_or(ADVICE)?;
        milliseconds += number(digits).ok_or(ADVICE)? * units[place].1;
        (rest, units) = (after, &units[place + 1..]);
    }
    whole(milliseconds)
}

/// A number of digits, with at most one point among them.
fn number(text: &str) -> Option<f64> {
    let digit = |c: char| c.is_ascii_digit();
    let is_number = text.starts_with(digit)
        && text.ends_with(digit)
        && text.chars().all(|c| c.is_ascii_digit() || c == '.');
    if is_number { text.parse().ok() } else { None }
}

/// The duration as [`parse`] reads it, to the millisecond.
pub(crate) fn argument(duration: Duration) -> String {
    let milliseconds = duration.as_millis();
    let (seconds, milliseconds) = (milliseconds / 1000, milliseconds % 1000);
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    let parts = [(minutes / 60, "h"), (minutes % 60, "m"), (seconds, "s"), (milliseconds, "ms")];
    let mut text = String::new();
    for (number, unit) in parts.into_iter().filter(|&(number, _)| number > 0) {
        text = text + &number.to_string() + unit;
    }
    if text.is_empty() { "0s".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_and_written() {
        for (text, milliseconds, written) in [
            ("90", 90_000, "1m30s"),
            ("0.5", 500, "500ms"),
            ("10m", 600_000, "10m"),
            ("1h30m", 5_400_000, "1h30m"),
            ("1.5h", 5_400_000, "1h30m"),
            ("500ms", 500, "500ms"),
            ("2m0.25s", 120_250, "2m250ms"),
            ("1h1m1s1ms", 3_661_001, "1h1m1s1ms"),
            ("0", 0, "0s"),
            ("0s", 0, "0s"),
        ] {
            let duration = Duration::from_millis(milliseconds);
            assert_eq!(parse(text), Ok(duration), "{text}");
            assert_eq!(argument(duration), written);
            assert_eq!(parse(written), Ok(duration));
        }
    }

    #[test]
    fn nonsense_is_refused_with_advice() {
        for text in [
            "", " ", "m", "10x", "10 m", "-1", "-1s", "+1", "1m1h", "1m1m", "1m30", "1..5s", ".5s",
            "1.", "inf", "nan", "1e3", "ten", "10mm", "5S", "1s,2", "\u{661}s",
        ] {
            let read = parse(text);
            assert!(
                read.as_ref().is_err_and(|error| error.contains("10m, 1h30m")),
                "{text}: {read:?}"
            );
        }
        assert!(parse(&"9".repeat(30)).is_err_and(|error| error.contains("too long")));
    }
}
