//! Numbers and paths as SVG has them.

use std::fmt::{self, Display, Write};

/// A number of at most two decimals.
#[derive(Clone, Copy)]
pub(crate) struct N(pub(crate) f64);

impl Display for N {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = (self.0 * 100.0).round() as i64;
        let (sign, whole) = (if hundredths < 0 { "-" } else { "" }, hundredths.unsigned_abs());
        match whole % 100 {
            0 => write!(f, "{sign}{}", whole / 100),
            rest if rest % 10 == 0 => write!(f, "{sign}{}.{}", whole / 100, rest / 10),
            rest => write!(f, "{sign}{}.{rest:02}", whole / 100),
        }
    }
}

/// A path of absolute commands with points only (`M`, `L`, `C`, `Q`, `Z`), each followed by a
/// blank: scaled, then moved.
pub(crate) fn placed(d: &str, x: f64, y: f64, scale: f64, out: &mut String) {
    let mut across = true;
    for word in d.split_ascii_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        match word.parse::<f64>() {
            Err(_) => out.push_str(word),
            Ok(number) => {
                let from = if across { x } else { y };
                across = !across;
                // Writing to a string cannot fail.
                let _ = write!(out, "{}", N(from + number * scale));
            }
        }
    }
}
