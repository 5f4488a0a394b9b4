//! A tour: its path, and the squares numbered in the order in which they are visited.

use std::fmt::Write;

use topdd_chess::{Board, Square};

use super::{SIDE, middle};
use crate::svg::path::N;
use crate::svg::{Anchor, Style, Svg, lettering, palette};

const RADIUS: f64 = 0.28 * SIDE;

/// Draws the tour over the squares of its board.
pub(super) fn draw(svg: &mut Svg, board: Board, squares: &[Square], closed: bool) {
    let mut d = String::new();
    let on_board: Vec<(usize, Square)> =
        squares.iter().copied().enumerate().filter(|(_, square)| board.contains(*square)).collect();
    for (place, &(_, square)) in on_board.iter().enumerate() {
        let [x, y] = middle(board, square).map(N);
        let command = if place == 0 { "M" } else { " L" };
        // Writing to a string cannot fail.
        let _ = write!(d, "{command} {x} {y}");
    }
    if on_board.len() > 1 {
        if closed {
            d.push_str(" Z");
        }
        svg.stroke("tour", &d, palette::TOUR, SIDE * 0.07);
    }
    for &(step, square) in &on_board {
        let last = step + 1 == squares.len();
        let (class, fill, colour) = match step {
            0 => ("stop start", palette::START, palette::PAPER),
            _ if last && !closed => ("stop end", palette::END, palette::PAPER),
            _ => ("stop", palette::PAPER, palette::INK),
        };
        let edge = if fill == palette::PAPER { palette::TOUR } else { fill };
        let [x, y] = middle(board, square);
        let text = (step + 1).to_string();
        svg.element(
            "circle",
            &[
                ("class", &class),
                ("cx", &N(x)),
                ("cy", &N(y)),
                ("r", &N(RADIUS)),
                ("fill", &fill),
                ("stroke", &edge),
                ("stroke-width", &N(SIDE * 0.035)),
            ],
            Some(&format!("{text}: {square}")),
        );
        let size = lettering::fitting(&text, SIDE * 0.22, RADIUS * 1.55);
        svg.text(x, y, Style { size, colour, anchor: Anchor::Middle }, &text);
    }
}
