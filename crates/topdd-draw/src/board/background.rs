//! The background of a board: squares, marks, the edge, coordinates.

use std::fmt::Write;

use topdd_chess::{Board, Square};

use super::{COORDINATES, SIDE, corner, extent};
use crate::svg::path::N;
use crate::svg::{Anchor, Style, Svg, lettering, palette};

/// Draws the squares that are there, in two colours.
pub(super) fn squares(
    svg: &mut Svg,
    board: Board,
    there: &dyn Fn(&Square) -> bool,
    [dark, light]: [&str; 2],
) {
    svg.group("squares", 0.0, 0.0);
    for square in board.squares().filter(there) {
        let [x, y] = corner(board, square);
        let colour = if (square.row + square.col) % 2 == 0 { dark } else { light };
        svg.rect([x, y, SIDE, SIDE], colour);
    }
    svg.end();
}

/// Draws the squares in the colours of their classes, with their numbers.
pub(super) fn class_squares(svg: &mut Svg, board: Board, classes: &[Vec<Square>]) {
    svg.group("squares", 0.0, 0.0);
    for square in board.squares() {
        let [x, y] = corner(board, square);
        let class = classes.iter().position(|class| class.contains(&square));
        let colours = &palette::CLASSES;
        let colour = class.map_or(palette::PAPER, |class| colours[class % colours.len()]);
        svg.rect([x, y, SIDE, SIDE], colour);
        if let Some(class) = class {
            let text = (class + 1).to_string();
            let size = lettering::fitting(&text, SIDE * 0.3, SIDE * 0.7);
            let style = Style { size, colour: palette::INK, anchor: Anchor::Middle };
            svg.text(x + SIDE / 2.0, y + SIDE / 2.0, style, &text);
        }
    }
    svg.end();
}

/// Crosses out a square.
pub(super) fn cross(svg: &mut Svg, board: Board, square: Square) {
    let [x, y] = corner(board, square);
    let [near, far] = [0.32 * SIDE, 0.68 * SIDE].map(|d| [N(x + d), N(y + d)]);
    let [[x0, y0], [x1, y1]] = [near, far];
    let d = format!("M {x0} {y0} L {x1} {y1} M {x1} {y0} L {x0} {y1}");
    svg.stroke("forbidden", &d, palette::FORBIDDEN, SIDE * 0.08);
}

/// Draws a frame around a square.
pub(super) fn frame(svg: &mut Svg, board: Board, square: Square, colour: &str) {
    let [x, y] = corner(board, square);
    let [x, y] = [x, y].map(|at| N(at + SIDE * 0.04));
    let side = N(SIDE * 0.92);
    svg.element(
        "rect",
        &[
            ("class", &"given"),
            ("x", &x),
            ("y", &y),
            ("width", &side),
            ("height", &side),
            ("rx", &N(SIDE * 0.06)),
            ("fill", &"none"),
            ("stroke", &colour),
            ("stroke-width", &N(SIDE * 0.06)),
        ],
        None,
    );
}

/// Draws a line around the squares that are there, where some are not.
pub(super) fn coast(svg: &mut Svg, board: Board, there: &dyn Fn(&Square) -> bool) {
    let mut d = String::new();
    for square in board.squares().filter(there) {
        let [left, top] = corner(board, square);
        let [right, bottom] = [left + SIDE, top + SIDE];
        let Square { row, col } = square;
        for (neighbour, line) in [
            (Some(Square::new(row + 1, col)), [left, top, right, top]),
            (row.checked_sub(1).map(|row| Square::new(row, col)), [left, bottom, right, bottom]),
            (col.checked_sub(1).map(|col| Square::new(row, col)), [left, top, left, bottom]),
            (Some(Square::new(row, col + 1)), [right, top, right, bottom]),
        ] {
            if !neighbour.is_some_and(|square| there(&square)) {
                let [x1, y1, x2, y2] = line.map(N);
                let blank = if d.is_empty() { "" } else { " " };
                // Writing to a string cannot fail.
                let _ = write!(d, "{blank}M {x1} {y1} L {x2} {y2}");
            }
        }
    }
    svg.stroke("edge", &d, palette::BOARD_EDGE, 2.0);
}

/// Draws a line around the board.
pub(super) fn edge(svg: &mut Svg, board: Board) {
    let (width, height) = extent(board);
    if width * height <= 0.0 {
        return;
    }
    svg.element(
        "rect",
        &[
            ("class", &"edge"),
            ("x", &"-1"),
            ("y", &"-1"),
            ("width", &N(width + 2.0)),
            ("height", &N(height + 2.0)),
            ("fill", &"none"),
            ("stroke", &palette::BOARD_EDGE),
            ("stroke-width", &"2"),
        ],
        None,
    );
}

/// Draws the names of rows and columns.
pub(super) fn coordinates(svg: &mut Svg, board: Board) {
    let Board { rows, cols } = board;
    let style = |text: &str| Style {
        size: lettering::fitting(text, SIDE * 0.21, COORDINATES * 0.9),
        colour: palette::QUIET,
        anchor: Anchor::Middle,
    };
    svg.group("coordinates", 0.0, 0.0);
    for row in 0..rows {
        let text = (row + 1).to_string();
        let y = corner(board, Square::new(row, 0))[1] + SIDE / 2.0;
        svg.text(-COORDINATES * 0.55, y, style(&text), &text);
    }
    for col in 0..cols {
        let name = Square::new(0, col).to_string();
        let text = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let x = (col as f64 + 0.5) * SIDE;
        let y = rows as f64 * SIDE + COORDINATES * 0.55;
        svg.text(x, y, style(text), text);
    }
    svg.end();
}
