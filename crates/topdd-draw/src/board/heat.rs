//! Heat maps: the number of solutions that use each square or move.

use num_bigint::BigUint;
use topdd_chess::{Board, Square};

use super::background;
use super::{SIDE, corner, middle};
use crate::heat::{Bar, Legend, line_colour, line_width, share, short};
use crate::svg::path::N;
use crate::svg::{Anchor, Style, Svg, lettering, palette};

/// The squares or moves, with their numbers of uses.
#[derive(Clone, Debug)]
pub(super) enum UseCounts {
    Squares(Vec<(Square, BigUint)>),
    Moves(Vec<([Square; 2], BigUint)>),
}

/// The numbers of uses, and the number of solutions.
#[derive(Clone, Debug)]
pub(super) struct Heat {
    used: UseCounts,
    most: BigUint,
    solutions: BigUint,
}

impl Heat {
    pub(super) fn new(used: UseCounts, solutions: &BigUint) -> Self {
        let mut heat = Heat { used, most: BigUint::ZERO, solutions: solutions.clone() };
        heat.scale_without(&[]);
        heat
    }

    /// Scales the colours by the maximum number of uses, without `given` squares.
    pub(super) fn scale_without(&mut self, given: &[Square]) {
        let most = match &self.used {
            UseCounts::Squares(squares) => {
                let free = squares.iter().filter(|(square, _)| !given.contains(square));
                free.map(|(_, count)| count).max()
            }
            UseCounts::Moves(moves) => moves.iter().map(|(_, count)| count).max(),
        };
        self.most = most.cloned().unwrap_or_default();
    }

    /// The picture in words, for screen readers.
    pub(super) fn about(&self) -> String {
        let Heat { used, most, solutions } = self;
        let thing = if matches!(used, UseCounts::Squares(_)) { "square" } else { "move" };
        format!("how many of {solutions} solutions use each {thing}: at most {most}")
    }

    /// Draws the squares in their colours, or pale if moves are to come. On those that are
    /// `crossed` there is no room for a number.
    pub(super) fn squares(
        &self,
        svg: &mut Svg,
        board: Board,
        there: &dyn Fn(&Square) -> bool,
        crossed: &[Square],
    ) {
        let UseCounts::Squares(squares) = &self.used else {
            return background::squares(svg, board, there, palette::PALE);
        };
        let mut counts = vec![BigUint::ZERO; board.rows * board.cols];
        for (square, count) in squares {
            if let Some(index) = board.index(*square) {
                counts[index].clone_from(count);
            }
        }
        svg.group("squares", 0.0, 0.0);
        for (square, count) in board.squares().zip(&counts) {
            if there(&square) {
                self.square(svg, board, square, count, !crossed.contains(&square));
            }
        }
        svg.end();
    }

    fn square(&self, svg: &mut Svg, board: Board, square: Square, count: &BigUint, numbered: bool) {
        let [x, y] = corner(board, square);
        let share = share(count, &self.most);
        let text = format!("{square}: {count} of {}", self.solutions);
        // The ground shows as a fine line between squares.
        let side = SIDE - 1.0;
        let place = [x + 0.5, y + 0.5, side, side];
        svg.titled_rect(place, &palette::heat(share), Some(&text));
        if !numbered {
            return;
        }
        let text = short(count);
        let size = lettering::fitting(&text, SIDE * 0.25, SIDE * 0.74);
        let colour = palette::on_heat(share);
        let style = Style { size, colour, anchor: Anchor::Middle };
        svg.text(x + SIDE / 2.0, y + SIDE / 2.0, style, &text);
    }

    /// Draws the moves of a heat map of moves, with the most used moves on top.
    pub(super) fn lines(&self, svg: &mut Svg, board: Board, there: &dyn Fn(&Square) -> bool) {
        let UseCounts::Moves(moves) = &self.used else { return };
        let on_board = |(ends, _): &&([Square; 2], BigUint)| ends.iter().all(there);
        let mut moves: Vec<_> = moves.iter().filter(on_board).collect();
        moves.sort_by(|(one, fewer), (other, more)| fewer.cmp(more).then(one.cmp(other)));
        for ([from, to], count) in moves {
            if *count == BigUint::ZERO {
                continue;
            }
            let share = share(count, &self.most);
            let [[x1, y1], [x2, y2]] = [*from, *to].map(|square| middle(board, square).map(N));
            let attributes: [(&str, &dyn std::fmt::Display); 8] = [
                ("class", &"move"),
                ("x1", &x1),
                ("y1", &y1),
                ("x2", &x2),
                ("y2", &y2),
                ("stroke", &line_colour(share)),
                ("stroke-width", &N(line_width(share))),
                ("stroke-linecap", &"round"),
            ];
            let text = format!("{from} {to}: {count} of {}", self.solutions);
            svg.element("line", &attributes, Some(&text));
        }
        for square in board.squares().filter(there) {
            let [x, y] = middle(board, square).map(N);
            let attributes: [(&str, &dyn std::fmt::Display); 6] = [
                ("cx", &x),
                ("cy", &y),
                ("r", &N(SIDE * 0.1)),
                ("fill", &palette::PAPER),
                ("stroke", &palette::INK),
                ("stroke-width", &N(SIDE * 0.025)),
            ];
            svg.element("circle", &attributes, None);
        }
    }

    /// Draws the legend of a board of this width and height.
    pub(super) fn legend(&self, svg: &mut Svg, width: f64, height: f64, below: f64) -> (f64, f64) {
        let (bar, uses) = match self.used {
            UseCounts::Squares(_) => (Bar::Area, "use a square"),
            UseCounts::Moves(_) => (Bar::Line, "make a move"),
        };
        let legend = Legend { most: &self.most, all: &self.solutions, bar, uses };
        legend.draw(svg, width, height, below)
    }
}
