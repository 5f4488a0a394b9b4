//! Numbers of uses as colours, in few characters, and with a legend.

use num_bigint::BigUint;

use crate::svg::{Anchor, Style, Svg, lettering, palette};

/// The unit of a legend: the side of a square of a board.
const UNIT: f64 = 64.0;
/// The steps of the legend.
const STEPS: usize = 48;

/// The way in which a share is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bar {
    /// By the colour of an area.
    Area,
    /// By the colour and the width of a line.
    Line,
}

/// The legend of a heat map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Legend<'a> {
    /// The largest number of uses.
    pub(crate) most: &'a BigUint,
    /// The number of solutions.
    pub(crate) all: &'a BigUint,
    pub(crate) bar: Bar,
    /// The end of the caption: use a square, make a move.
    pub(crate) uses: &'static str,
}

impl Legend<'_> {
    /// Draws the legend to the right of a drawing of this width and height, and a line of text
    /// from `below`. Returns the space that it takes, to the right and below.
    pub(crate) fn draw(&self, svg: &mut Svg, width: f64, height: f64, below: f64) -> (f64, f64) {
        let style = |anchor| Style { size: UNIT * 0.2, colour: palette::QUIET, anchor };
        let (bar, gap) = (UNIT * 0.3, UNIT * 0.4);
        let left = width + gap;
        let high = height.min(8.0 * UNIT);
        let top = (height - high) / 2.0;
        svg.group("legend", 0.0, 0.0);
        for step in 0..STEPS {
            let share = (step as f64 + 0.5) / STEPS as f64;
            let each = high / STEPS as f64;
            let y = top + high - each * (step + 1) as f64;
            match self.bar {
                // Each reaches under the next, so that there are no seams.
                Bar::Area => {
                    let over = if step == 0 { 0.0 } else { 1.0 };
                    svg.rect([left, y, bar, each + over], &palette::heat(share));
                }
                Bar::Line => {
                    let wide = line_width(share);
                    let x = left + (bar - wide) / 2.0;
                    svg.rect([x, y, wide, each + 0.5], &line_colour(share));
                }
            }
        }
        let most = short(self.most);
        let x = left + bar + UNIT * 0.12;
        svg.text(x, top + UNIT * 0.1, style(Anchor::Start), &most);
        svg.text(x, top + high - UNIT * 0.1, style(Anchor::Start), "0");
        let right = gap + bar + UNIT * 0.12 + lettering::width(&most).max(0.6) * UNIT * 0.2;
        let caption = format!("how many of {} solutions {}", short(self.all), self.uses);
        let size = lettering::fitting(&caption, UNIT * 0.2, width + right);
        svg.text(0.0, below + UNIT * 0.15, Style { size, ..style(Anchor::Start) }, &caption);
        svg.end();
        (right, UNIT * 0.4)
    }
}

/// The width of a line of this share of the most uses.
pub(crate) fn line_width(share: f64) -> f64 {
    UNIT * (0.02 + 0.16 * share)
}

/// The colour of a line of this share. Lines are thin, and so never as pale as areas.
pub(crate) fn line_colour(share: f64) -> String {
    palette::heat(0.25 + 0.75 * share)
}

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
