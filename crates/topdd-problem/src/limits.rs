//! This module reads and writes sizes in bytes, durations and numbers of threads as text. The command and the Python
//! package use the same notation.

use std::fmt;
use std::time::Duration;

/// A number of bytes in the largest unit of which there is at least one: `100 MiB`, or `1.5 GiB` with one decimal where
/// it does not come out even.
///
/// ```
/// use topdd_problem::limits::Bytes;
///
/// assert_eq!(Bytes(3 << 29).to_string(), "1.5 GiB");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(pub usize);

const BINARY: [(&str, u32); 4] = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)];

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0 as u64;
        match BINARY.iter().find(|(_, shift)| bytes >> shift > 0) {
            None => write!(f, "{bytes} B"),
            Some((unit, shift)) if bytes.trailing_zeros() >= *shift => {
                write!(f, "{} {unit}", bytes >> shift)
            }
            Some((unit, shift)) => write!(f, "{:.1} {unit}", bytes as f64 / (1u64 << shift) as f64),
        }
    }
}

/// Reads a size: `500MB` and `4G` are powers of 1000, `4GiB` is one of 1024. The letters may be small, a blank may
/// precede them, and the number may have decimals.
///
/// # Errors
///
/// A message that says what to write, for other text and for sizes of more than 63 bits.
///
/// ```
/// use topdd_problem::limits::parse_bytes;
///
/// assert_eq!(parse_bytes("4GB"), Ok(4_000_000_000));
/// assert_eq!(parse_bytes("4GiB"), Ok(1 << 32));
/// assert_eq!(parse_bytes("1.5 kB"), Ok(1_500));
/// assert!(parse_bytes("4 tons").is_err());
/// ```
pub fn parse_bytes(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text[digits.len()..].to_ascii_uppercase();
    let unit = unit.strip_suffix('B').unwrap_or(&unit);
    let (unit, base) = unit.strip_suffix('I').map_or((unit, 1000u64), |unit| (unit, 1024));
    let power = match unit {
        "" if base == 1000 => 0,
        "K" => 1,
        "M" => 2,
        "G" => 3,
        "T" => 4,
        _ => return Err(format!("`{text}` has no unit of bytes: write MB, GB, MiB or GiB")),
    };
    let number = number(digits.trim_end()).ok_or("write a number such as 500MB or 4GiB")?;
    let bytes = number * base.pow(power) as f64;
    // Beyond this, a conversion would be to the largest number.
    if bytes < (1u64 << 63) as f64 {
        Ok(bytes as usize)
    } else {
        Err("that is more than can be addressed".to_owned())
    }
}

/// Returns a size of at least `bytes`, as [`parse_bytes`] reads it: a whole number of KiB or MiB.
pub fn bytes_argument(bytes: usize) -> String {
    if bytes < 1 << 20 {
        return format!("{}KiB", bytes.div_ceil(1 << 10));
    }
    format!("{}MiB", bytes.div_ceil(1 << 20))
}

/// The units, from the largest to the smallest, with their lengths in milliseconds.
const TIMES: [(&str, f64); 4] = [("h", 3_600_000.0), ("m", 60_000.0), ("s", 1000.0), ("ms", 1.0)];

/// The advice for text that is no duration.
const ADVICE: &str = "write a duration such as 10m, 1h30m, 500ms or 90 (seconds)";

/// Reads a duration: numbers with the units h, m, s and ms, from the largest unit to the smallest,
/// each at most once; or a number of seconds. Numbers may have decimals.
///
/// # Errors
///
/// A message that says what to write.
///
/// ```
/// use std::time::Duration;
/// use topdd_problem::limits::parse_duration;
///
/// assert_eq!(parse_duration("1h30m"), Ok(Duration::from_secs(5_400)));
/// assert_eq!(parse_duration("0.5"), Ok(Duration::from_millis(500)));
/// ```
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let whole = |milliseconds: f64| {
        Duration::try_from_secs_f64(milliseconds / 1000.0)
            .map_err(|_| format!("`{text}` is too long for a duration"))
    };
    if let Some(seconds) = number(text) {
        return whole(seconds * 1000.0);
    }
    let (mut rest, mut units, mut milliseconds) = (text, &TIMES[..], 0.0);
    while !rest.is_empty() || milliseconds == 0.0 && units.len() == TIMES.len() {
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

/// Returns the duration as [`parse_duration`] reads it, to the millisecond.
pub fn duration_argument(duration: Duration) -> String {
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

/// The most threads of a run; the library refuses more.
pub const MAX_THREADS: usize = 1024;

/// Reads a number of threads, from 1 to [`MAX_THREADS`].
///
/// # Errors
///
/// A message that says what to write.
pub fn parse_threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok().filter(|threads| (1..=MAX_THREADS).contains(threads));
    threads.ok_or_else(|| format!("write a whole number from 1 to {MAX_THREADS}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggested_sizes_are_read_back() {
        for bytes in [0, 1, 1 << 20, (1 << 20) + 1, 5 << 30] {
            let read = parse_bytes(&bytes_argument(bytes)).expect("a number of bytes");
            assert!(read >= bytes && read - bytes < 1 << 20, "{bytes}");
        }
    }

    #[test]
    fn sizes_are_read() {
        for (text, bytes) in [
            ("4G", 4_000_000_000),
            ("4GB", 4_000_000_000),
            ("4GiB", 4 << 30),
            ("500m", 500_000_000),
            ("500 MiB", 500 << 20),
            ("1.5Ki", 1536),
            ("17", 17),
            ("17b", 17),
        ] {
            assert_eq!(parse_bytes(text), Ok(bytes), "{text}");
        }
        for text in ["", "G", "4X", "-1", "1..5G", "99999999T", "4iB", "4 G B", "nan", "1e3"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_written_with_the_largest_unit() {
        for (bytes, text) in [
            (0, "0 B"),
            (17, "17 B"),
            (1023, "1023 B"),
            (1 << 10, "1 KiB"),
            (100 << 20, "100 MiB"),
            (3 << 29, "1.5 GiB"),
            (2 << 40, "2 TiB"),
            ((5 << 20) + 1, "5.0 MiB"),
        ] {
            assert_eq!(Bytes(bytes).to_string(), text);
        }
    }

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
            assert_eq!(parse_duration(text), Ok(duration), "{text}");
            assert_eq!(duration_argument(duration), written);
            assert_eq!(parse_duration(written), Ok(duration));
        }
    }

    #[test]
    fn nonsense_is_refused_with_advice() {
        for text in [
            "", " ", "m", "10x", "10 m", "-1", "-1s", "+1", "1m1h", "1m1m", "1m30", "1..5s", ".5s",
            "1.", "inf", "nan", "1e3", "ten", "10mm", "5S", "1s,2", "\u{661}s",
        ] {
            let read = parse_duration(text);
            assert!(
                read.as_ref().is_err_and(|error| error.contains("10m, 1h30m")),
                "{text}: {read:?}"
            );
        }
        assert!(parse_duration(&"9".repeat(30)).is_err_and(|error| error.contains("too long")));
    }
}
