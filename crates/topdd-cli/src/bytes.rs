//! Sizes in bytes, written and read with units.

use std::fmt;

/// A number of bytes in the largest unit of which there is at least one: `100 MiB`, or
/// `1.5 GiB` with one decimal where it does not come out even.
pub(crate) struct Bytes(pub(crate) usize);

const UNITS: [(&str, u32); 4] = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)];

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0 as u64;
        match UNITS.iter().find(|(_, shift)| bytes >> shift > 0) {
            None => write!(f, "{bytes} B"),
            Some((unit, shift)) if bytes.trailing_zeros() >= *shift => {
                write!(f, "{} {unit}", bytes >> shift)
            }
            Some((unit, shift)) => write!(f, "{:.1} {unit}", bytes as f64 / (1u64 << shift) as f64),
        }
    }
}

/// Reads a number of bytes, with K, M, G or T for powers of 1024.
pub(crate) fn parse(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        "T" | "TB" | "TIB" => 40,
        unit => return Err(format!("unknown unit `{unit}`: write K, M, G or T")),
    };
    let number: usize = digits.parse().map_err(|_| "write a number such as 500M or 4G")?;
    number.checked_mul(1 << shift).ok_or_else(|| "that is more than can be addressed".to_owned())
}

/// A size of at least `bytes`, as [`parse`] reads it.
pub(crate) fn argument(bytes: usize) -> String {
    if bytes < 1 << 20 {
        return format!("{}K", bytes.div_ceil(1 << 10));
    }
    format!("{}M", bytes.div_ceil(1 << 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggested_sizes_are_read_back() {
        for bytes in [0, 1, 1 << 20, (1 << 20) + 1, 5 << 30] {
            let read = parse(&argument(bytes)).expect("a number of bytes");
            assert!(read >= bytes && read - bytes < 1 << 20, "{bytes}");
        }
    }

    #[test]
    fn sizes_are_read() {
        assert_eq!(parse("4G"), Ok(4 << 30));
        assert_eq!(parse("500m"), Ok(500 << 20));
        assert_eq!(parse("17"), Ok(17));
        for text in ["", "G", "4X", "-1", "1.5G", "99999999T"] {
            assert!(parse(text).is_err(), "{text}");
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
}
