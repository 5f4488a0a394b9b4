//! Digits and letters as lines, so that a picture needs no font.
//!
//! Capitals are ten units high, and small letters seven. The line that letters stand on is 0, and up is
//! negative.

use unicode_width::UnicodeWidthChar;

use super::marks::{self, Mark};
use super::path::placed;

/// The width of the lines, as a share of the height of capitals.
pub(crate) const WEIGHT: f64 = 0.13;

/// The height of capitals, as a share of the size of a usual font.
pub(crate) const CAPITALS: f64 = 0.72;

/// The room between two letters.
const GAP: f64 = 2.3;

/// The round part of `a`, `b`, `d`, `o` and others.
macro_rules! bowl {
    ($rest:literal) => {
        concat!(
            "M 5.6 -3.5 C 5.6 -1.6 4.5 0 2.8 0 C 1.1 0 0 -1.6 0 -3.5 ",
            "C 0 -5.4 1.1 -7 2.8 -7 C 4.5 -7 5.6 -5.4 5.6 -3.5 Z ",
            $rest
        )
    };
}

/// The width of a character, and its lines; a blank or a character of a font has no lines.
#[rustfmt::skip]
fn glyph(c: char) -> (f64, &'static str) {
    match c {
        '0' => (6.0, "M 3 -10 C 4.9 -10 6 -8 6 -5 C 6 -2 4.9 0 3 0 C 1.1 0 0 -2 0 -5 C 0 -8 1.1 -10 3 -10 Z"),
        '1' => (6.0, "M 1.2 -7.9 L 3.7 -10 L 3.7 0"),
        '2' => (6.0, "M 0.2 -7.4 C 0.2 -9 1.4 -10 3 -10 C 4.6 -10 5.8 -8.9 5.8 -7.3 C 5.8 -5.8 4.9 -4.8 3.8 -3.7 L 0.2 0 L 6 0"),
        '3' => (6.0, "M 0.3 -8.2 C 0.8 -9.4 1.8 -10 3 -10 C 4.5 -10 5.6 -9 5.6 -7.6 C 5.6 -6.2 4.5 -5.3 2.6 -5.3 C 4.7 -5.3 6 -4.3 6 -2.7 C 6 -1 4.7 0 3 0 C 1.5 0 0.4 -0.7 0 -2"),
        '4' => (6.0, "M 4.5 0 L 4.5 -10 L 0 -3 L 6 -3"),
        '5' => (6.0, "M 5.4 -10 L 1 -10 L 0.5 -5.3 C 1.1 -6 2 -6.4 3 -6.4 C 4.8 -6.4 6 -5.1 6 -3.2 C 6 -1.3 4.8 0 3 0 C 1.6 0 0.5 -0.7 0 -1.9"),
        '6' => (6.0, "M 5.2 -9 C 4.6 -9.7 3.9 -10 3.1 -10 C 1.1 -10 0 -8 0 -4.6 C 0 -1.6 1.1 0 3 0 C 4.8 0 6 -1.3 6 -3.1 C 6 -4.9 4.8 -6.1 3.1 -6.1 C 1.6 -6.1 0.4 -5.2 0 -3.8"),
        '7' => (6.0, "M 0 -10 L 6 -10 L 2.2 0"),
        '8' => (6.0, "M 3 -5.4 C 1.4 -5.4 0.4 -6.3 0.4 -7.7 C 0.4 -9.1 1.4 -10 3 -10 C 4.6 -10 5.6 -9.1 5.6 -7.7 C 5.6 -6.3 4.6 -5.4 3 -5.4 C 1.2 -5.4 0 -4.3 0 -2.7 C 0 -1.1 1.2 0 3 0 C 4.8 0 6 -1.1 6 -2.7 C 6 -4.3 4.8 -5.4 3 -5.4 Z"),
        '9' => (6.0, "M 0.8 -1 C 1.4 -0.3 2.1 0 2.9 0 C 4.9 0 6 -2 6 -5.4 C 6 -8.4 4.9 -10 3 -10 C 1.2 -10 0 -8.7 0 -6.9 C 0 -5.1 1.2 -3.9 2.9 -3.9 C 4.4 -3.9 5.6 -4.8 6 -6.2"),
        'a' => (5.6, bowl!("M 5.6 -7 L 5.6 0")),
        'b' => (5.6, bowl!("M 0 -10 L 0 0")),
        'c' => (5.2, "M 5.2 -5.6 C 4.7 -6.5 3.8 -7 2.8 -7 C 1.1 -7 0 -5.4 0 -3.5 C 0 -1.6 1.1 0 2.8 0 C 3.8 0 4.7 -0.5 5.2 -1.4"),
        'd' => (5.6, bowl!("M 5.6 -10 L 5.6 0")),
        'e' => (5.5, "M 0 -3.7 L 5.5 -3.7 C 5.5 -5.6 4.4 -7 2.8 -7 C 1.1 -7 0 -5.4 0 -3.5 C 0 -1.6 1.1 0 2.8 0 C 3.8 0 4.6 -0.4 5.1 -1.2"),
        'f' => (3.4, "M 3.6 -9.8 C 1.8 -10.2 1.2 -9.2 1.2 -7.8 L 1.2 0 M 0 -7 L 3.2 -7"),
        'g' => (5.6, bowl!("M 5.6 -7 L 5.6 0.2 C 5.6 2 4.5 3 2.8 3 C 1.7 3 0.9 2.7 0.4 2")),
        'h' => (5.0, "M 0 -10 L 0 0 M 0 -4.3 C 0.3 -6 1.4 -7 2.8 -7 C 4.3 -7 5 -6 5 -4.4 L 5 0"),
        'i' => (1.0, "M 0.5 -7 L 0.5 0 M 0.5 -9.7 L 0.5 -9.5"),
        'j' => (1.6, "M 1.3 -7 L 1.3 1.2 C 1.3 2.5 0.7 3.1 -0.4 2.9 M 1.3 -9.7 L 1.3 -9.5"),
        'k' => (5.0, "M 0 -10 L 0 0 M 4.6 -7 L 0 -2.8 M 1.8 -4.4 L 5 0"),
        'l' => (1.0, "M 0.5 -10 L 0.5 0"),
        'm' => (7.8, "M 0 -7 L 0 0 M 0 -4.6 C 0.3 -6.2 1.1 -7 2.2 -7 C 3.4 -7 3.9 -6.2 3.9 -4.8 L 3.9 0 M 3.9 -4.6 C 4.2 -6.2 5 -7 6.1 -7 C 7.3 -7 7.8 -6.2 7.8 -4.8 L 7.8 0"),
        'n' => (5.0, "M 0 -7 L 0 0 M 0 -4.3 C 0.3 -6 1.4 -7 2.8 -7 C 4.3 -7 5 -6 5 -4.4 L 5 0"),
        'o' => (5.6, bowl!("")),
        'p' => (5.6, bowl!("M 0 -7 L 0 3")),
        'q' => (5.6, bowl!("M 5.6 -7 L 5.6 3")),
        'r' => (3.2, "M 0 -7 L 0 0 M 0 -4 C 0.3 -6 1.4 -7.1 3.2 -6.9"),
        's' => (4.8, "M 4.6 -5.7 C 4.2 -6.5 3.4 -7 2.4 -7 C 1.1 -7 0.3 -6.3 0.3 -5.3 C 0.3 -3.1 4.8 -4.2 4.8 -1.9 C 4.8 -0.7 3.8 0 2.5 0 C 1.3 0 0.4 -0.5 0 -1.5"),
        't' => (3.4, "M 1.3 -9.2 L 1.3 -2 C 1.3 -0.6 2 0.2 3.4 -0.1 M 0 -7 L 3.2 -7"),
        'u' => (5.0, "M 0 -7 L 0 -2.6 C 0 -1 0.8 0 2.2 0 C 3.7 0 4.7 -1 5 -2.7 M 5 -7 L 5 0"),
        'v' => (5.2, "M 0 -7 L 2.6 0 L 5.2 -7"),
        'w' => (7.8, "M 0 -7 L 1.9 0 L 3.9 -6.6 L 5.9 0 L 7.8 -7"),
        'x' => (5.0, "M 0.1 -7 L 4.9 0 M 4.9 -7 L 0.1 0"),
        'y' => (5.2, "M 0 -7 L 2.6 0 M 5.2 -7 L 2.2 1.2 C 1.7 2.5 1 3.1 0 2.9"),
        'z' => (5.0, "M 0.2 -7 L 4.8 -7 L 0 0 L 5 0"),
        c => capital(c),
    }
}

/// The width of a capital, and its lines.
#[rustfmt::skip]
fn capital(c: char) -> (f64, &'static str) {
    match c {
        'M' => (7.0, "M 0 0 L 0 -10 L 3.5 -4 L 7 -10 L 7 0"),
        'A' => (7.0, "M 0 0 L 3.5 -10 L 7 0 M 1.2 -3.5 L 5.8 -3.5"),
        'B' => (6.0, "M 0 0 L 0 -10 L 3 -10 C 4.7 -10 5.6 -9 5.6 -7.6 C 5.6 -6.2 4.7 -5.3 3 -5.3 L 0 -5.3 M 3 -5.3 C 5 -5.3 6 -4.2 6 -2.7 C 6 -1.1 5 0 3 0 L 0 0"),
        'C' => (6.6, "M 6.6 -7.9 C 6 -9.2 4.9 -10 3.6 -10 C 1.4 -10 0 -7.9 0 -5 C 0 -2.1 1.4 0 3.6 0 C 4.9 0 6 -0.8 6.6 -2.1"),
        'D' => (6.6, "M 0 0 L 0 -10 L 2.6 -10 C 5.1 -10 6.6 -8 6.6 -5 C 6.6 -2 5.1 0 2.6 0 Z"),
        'E' => (5.4, "M 5.4 -10 L 0 -10 L 0 0 L 5.4 0 M 0 -5.3 L 4.6 -5.3"),
        'F' => (5.2, "M 5.2 -10 L 0 -10 L 0 0 M 0 -5.3 L 4.4 -5.3"),
        'G' => (6.8, "M 6.6 -7.9 C 6 -9.2 4.9 -10 3.6 -10 C 1.4 -10 0 -7.9 0 -5 C 0 -2.1 1.4 0 3.6 0 C 5.4 0 6.8 -1.4 6.8 -4.4 L 3.9 -4.4"),
        'H' => (6.4, "M 0 0 L 0 -10 M 6.4 0 L 6.4 -10 M 0 -5.3 L 6.4 -5.3"),
        'I' => (1.0, "M 0.5 0 L 0.5 -10"),
        'J' => (4.4, "M 4.4 -10 L 4.4 -2.8 C 4.4 -1 3.5 0 2.1 0 C 1 0 0.3 -0.6 0 -1.6"),
        'K' => (6.2, "M 0 0 L 0 -10 M 5.8 -10 L 0 -4 M 2.2 -6.2 L 6.2 0"),
        'L' => (5.2, "M 0 -10 L 0 0 L 5.2 0"),
        'N' => (6.6, "M 0 0 L 0 -10 L 6.6 0 L 6.6 -10"),
        'O' => (7.2, "M 3.6 -10 C 5.8 -10 7.2 -7.9 7.2 -5 C 7.2 -2.1 5.8 0 3.6 0 C 1.4 0 0 -2.1 0 -5 C 0 -7.9 1.4 -10 3.6 -10 Z"),
        'P' => (5.8, "M 0 0 L 0 -10 L 3 -10 C 4.8 -10 5.8 -8.9 5.8 -7.3 C 5.8 -5.7 4.8 -4.6 3 -4.6 L 0 -4.6"),
        'Q' => (7.4, "M 3.6 -10 C 5.8 -10 7.2 -7.9 7.2 -5 C 7.2 -2.1 5.8 0 3.6 0 C 1.4 0 0 -2.1 0 -5 C 0 -7.9 1.4 -10 3.6 -10 Z M 4.4 -2.8 L 7.4 0.6"),
        'R' => (6.2, "M 0 0 L 0 -10 L 3 -10 C 4.8 -10 5.8 -8.9 5.8 -7.3 C 5.8 -5.7 4.8 -4.6 3 -4.6 L 0 -4.6 M 3 -4.6 L 6.2 0"),
        'S' => (6.0, "M 5.7 -8.2 C 5.2 -9.4 4.2 -10 3 -10 C 1.4 -10 0.3 -9.1 0.3 -7.6 C 0.3 -4.2 6 -6 6 -2.6 C 6 -1 4.8 0 3.1 0 C 1.6 0 0.5 -0.7 0 -2"),
        'T' => (6.4, "M 0 -10 L 6.4 -10 M 3.2 -10 L 3.2 0"),
        'U' => (6.4, "M 0 -10 L 0 -3.6 C 0 -1.4 1.2 0 3.2 0 C 5.2 0 6.4 -1.4 6.4 -3.6 L 6.4 -10"),
        'V' => (6.8, "M 0 -10 L 3.4 0 L 6.8 -10"),
        'W' => (9.6, "M 0 -10 L 2.4 0 L 4.8 -9 L 7.2 0 L 9.6 -10"),
        'X' => (6.4, "M 0 -10 L 6.4 0 M 6.4 -10 L 0 0"),
        'Y' => (6.6, "M 0 -10 L 3.3 -4.8 L 6.6 -10 M 3.3 -4.8 L 3.3 0"),
        'Z' => (6.2, "M 0.2 -10 L 6.2 -10 L 0 0 L 6.4 0"),
        c => sign(c),
    }
}

/// The width of a sign, and its lines.
#[rustfmt::skip]
fn sign(c: char) -> (f64, &'static str) {
    match c {
        '_' => (5.0, "M 0 1.5 L 5 1.5"),
        '=' => (4.6, "M 0 -2.6 L 4.6 -2.6 M 0 -5.2 L 4.6 -5.2"),
        '.' => (1.0, "M 0.5 -0.2 L 0.5 0"),
        '…' => (7.0, "M 0.5 -0.2 L 0.5 0 M 3.5 -0.2 L 3.5 0 M 6.5 -0.2 L 6.5 0"),
        ',' => (1.0, "M 0.6 -0.2 L 0.1 1.6"),
        '-' => (3.6, "M 0 -3.6 L 3.6 -3.6"),
        '/' => (4.0, "M 4 -10.5 L 0 0.5"),
        '\'' => (1.0, "M 0.5 -10 L 0.5 -8"),
        '(' => (2.2, "M 2.2 -10.6 C -0.6 -7.4 -0.6 -2 2.2 1.6"),
        ')' => (2.2, "M 0 -10.6 C 2.8 -7.4 2.8 -2 0 1.6"),
        '+' => (4.6, "M 0 -4 L 4.6 -4 M 2.3 -6.3 L 2.3 -1.7"),
        '#' => (6.0, "M 0.4 -3 L 5.4 -3 M 0.8 -6.6 L 5.8 -6.6 M 1.6 -9.4 L 0.8 0 M 5.2 -9.4 L 4.4 0"),
        '&' => (6.8, "M 6.6 0 L 1.4 -7 C 0.6 -8.4 1.4 -10 2.8 -10 C 4.3 -10 5 -8.4 4.2 -7.2 C 3.4 -6 0 -5.2 0 -2.6 C 0 -1 1.2 0 2.8 0 C 4.8 0 6.2 -1.8 6.4 -4.4"),
        '!' => (1.0, "M 0.5 -10 L 0.5 -3 M 0.5 -0.2 L 0.5 0"),
        '?' => (4.6, "M 0 -7.8 C 0.2 -9.2 1 -10 2.3 -10 C 3.7 -10 4.6 -9 4.6 -7.7 C 4.6 -5.6 2.3 -5.4 2.3 -3 M 2.3 -0.2 L 2.3 0"),
        ';' => (1.0, "M 0.6 -0.2 L 0.1 1.6 M 0.5 -5.6 L 0.5 -5.4"),
        ':' => (1.0, "M 0.5 -0.2 L 0.5 0 M 0.5 -5.6 L 0.5 -5.4"),
        c if c == ' ' || c.is_control() => (2.0, ""),
        c => letter(c),
    }
}

/// The width of a letter that is not in English, and its lines.
#[rustfmt::skip]
fn letter(c: char) -> (f64, &'static str) {
    match c {
        // The `i` that carries a mark.
        'ı' => (1.0, "M 0.5 -7 L 0.5 0"),
        'ß' => (5.4, "M 0 0 L 0 -7.4 C 0 -9 1 -10 2.4 -10 C 3.8 -10 4.7 -9.1 4.7 -7.9 C 4.7 -6.4 2.9 -6.2 2.9 -5 C 2.9 -3.6 5.4 -3.6 5.4 -1.8 C 5.4 -0.7 4.5 0 3.4 0 C 2.7 0 2.2 -0.2 1.8 -0.6"),
        'æ' => (11.0, bowl!("M 5.6 -7 L 5.6 0 M 5.6 -3.7 L 11 -3.7 C 11 -5.6 9.9 -7 8.3 -7 C 6.7 -7 5.6 -5.4 5.6 -3.5 C 5.6 -1.6 6.7 0 8.4 0 C 9.4 0 10.2 -0.4 10.7 -1.2")),
        'œ' => (11.0, bowl!("M 5.6 -3.7 L 11 -3.7 C 11 -5.6 9.9 -7 8.3 -7 C 6.7 -7 5.6 -5.4 5.6 -3.5 C 5.6 -1.6 6.7 0 8.4 0 C 9.4 0 10.2 -0.4 10.7 -1.2")),
        'þ' => (5.6, bowl!("M 0 -10 L 0 3")),
        'ð' => (5.6, bowl!("M 5.6 -3.5 C 5.6 -6.5 4 -8.6 2 -10 M 1.6 -7.8 L 4.6 -9.4")),
        'Æ' => (9.6, "M 0 0 L 4.6 -10 L 9.6 -10 M 4.8 -10 L 4.8 0 L 9.6 0 M 4.8 -5.3 L 9 -5.3 M 1.6 -3.5 L 4.8 -3.5"),
        'Œ' => (10.4, "M 10.4 0 L 3.6 0 C 1.4 0 0 -2.1 0 -5 C 0 -7.9 1.4 -10 3.6 -10 L 10.4 -10 M 5.6 -10 L 5.6 0 M 5.6 -5.3 L 9.8 -5.3"),
        'Þ' => (5.6, "M 0 0 L 0 -10 M 0 -8 L 3 -8 C 4.8 -8 5.6 -7 5.6 -5.4 C 5.6 -3.8 4.8 -2.8 3 -2.8 L 0 -2.8"),
        c => (by_font(c), ""),
    }
}

/// The width of a character of a usual font, about: wide ones are as wide as high.
fn by_font(c: char) -> f64 {
    match c.width() {
        Some(2) => 10.0 / CAPITALS - GAP,
        Some(1) => 5.8,
        // Signs upon the letter before.
        _ => -GAP,
    }
}

/// The width of a character, its lines, and its accent.
fn with_mark(c: char) -> (f64, &'static str, Option<Mark>) {
    let (base, mark) = marks::split(c).map_or((c, None), |(base, mark)| (base, Some(mark)));
    let (width, lines) = glyph(base);
    (width, lines, mark)
}

/// Whether a character can be drawn without a font.
pub(crate) fn has_lines(c: char) -> bool {
    c == ' ' || c.is_control() || !with_mark(c).1.is_empty()
}

/// The width of a text whose capitals are 1 high.
pub(crate) fn width(text: &str) -> f64 {
    let widths: f64 = text.chars().map(|c| with_mark(c).0 + GAP).sum();
    // The letters of wide fonts are wider than the lines.
    let factor = if text.chars().all(has_lines) { 0.1 } else { 0.115 };
    (widths - GAP).max(0.0) * factor
}

/// The path of a text that starts at `x` on a line at `y`, its capitals `size` high.
pub(crate) fn path(text: &str, mut x: f64, y: f64, size: f64) -> String {
    let mut d = String::new();
    let unit = size / 10.0;
    for c in text.chars() {
        let (width, lines, mark) = with_mark(c);
        placed(lines, x, y, unit, &mut d);
        if let Some(Mark { lines, lift }) = mark {
            placed(lines, x + width / 2.0 * unit, y - lift * unit, unit, &mut d);
        }
        x += (width + GAP) * unit;
    }
    d
}

/// The size at which a text is no wider than this, at most `size`.
pub(crate) fn fitting(text: &str, size: f64, room: f64) -> f64 {
    let width = width(text);
    if width * size > room { room / width } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_of_coordinates_captions_and_names_has_lines() {
        let english = ('a'..='z').chain('A'..='Z').chain('0'..='9');
        for c in english.chain(".…,-/:_='()+#&!?;ıßæœþðÆŒÞ".chars()).chain(marks::letters())
        {
            let (width, lines, mark) = with_mark(c);
            assert!(width > 0.0 && !lines.is_empty(), "{c}");
            let lines = format!("{lines} {}", mark.map_or("", |mark| mark.lines));
            let numbers = lines.split(' ').filter(|word| word.parse::<f64>().is_ok()).count();
            let known = |word: &str| word.is_empty() || matches!(word, "M" | "L" | "C" | "Z");
            let all = lines.split(' ').all(|word| word.parse::<f64>().is_ok() || known(word));
            assert!(numbers % 2 == 0 && all, "{c}");
        }
    }

    #[test]
    fn accents_add_lines_and_no_width() {
        for (accented, plain) in
            [("Malmö", "Malmo"), ("Łódź", "Lodz"), ("Çeşme", "Cesme"), ("São", "Sao")]
        {
            assert!((width(accented) - width(plain)).abs() < 1e-9, "{accented}");
            let [long, short] = [accented, plain].map(|text| path(text, 0.0, 0.0, 10.0));
            assert!(long.len() > short.len() + 10, "{accented}: {long}");
        }
        assert!(!has_lines('日') && !has_lines('ж'));
    }

    #[test]
    fn texts_fit_where_they_are_put() {
        let size = fitting("123456", 20.0, 50.0);
        assert!((width("123456") * size - 50.0).abs() < 1e-9);
        assert!((fitting("1", 20.0, 50.0) - 20.0).abs() < 1e-9);
        assert!(width("").abs() < 1e-9 && path("", 0.0, 0.0, 1.0).is_empty());
    }
}
