//! Boards whose dimensions alone prove that they have no tours.

use std::sync::Arc;

use super::super::board::{Board, Square};
use super::numbering::{Lines, Order};
use super::{KnightsTours, Leaper, PathEncoding};

impl KnightsTours {
    /// Whether the dimensions of the board prove that there is no tour: the board is too narrow, or
    /// the numbers of dark and light squares, which alternate, differ too much. `false` proves
    /// nothing.
    ///
    /// A. J. Schwenk, *Which rectangular chessboards have a knight's tour?*, Mathematics
    /// Magazine 64 (1991) lists the boards without a closed tour: these, and those
    /// of 3x4, 3x6 and 3x8 squares.
    pub(super) fn none_is_possible(&self) -> bool {
        if !self.missing.is_empty() {
            return false;
        }
        let Board { rows, cols } = self.board;
        let wide = rows.min(cols);
        if wide == 0 {
            return true;
        }
        let knight = self.piece == Leaper::knight();
        let odd = rows % 2 == 1 && cols % 2 == 1;
        if self.closed {
            return odd && self.piece.changes_colour() || knight && matches!(wide, 1 | 2 | 4);
        }
        if knight && wide <= 2 && (rows, cols) != (1, 1) {
            return true;
        }
        // The corner is dark. If the number of squares is odd, there is one more dark square.
        let light = |end: Option<Square>| end.map(|Square { row, col }| (row ^ col) % 2 == 1);
        let wrong_colours = match (light(self.from), light(self.to)) {
            (Some(from), Some(to)) if !odd => from == to,
            (from, to) => odd && (from == Some(true) || to == Some(true)),
        };
        self.piece.changes_colour() && wrong_colours
    }

    /// The variables of the tours of a board without gaps.
    pub(super) fn full_board(&self, encoding: PathEncoding) -> FullBoard {
        let lines = Lines::new(self.board);
        let moves = self.moves_on(lines);
        let order = self.shared_order().cloned();
        FullBoard { lines, moves, order, direction: self.has_direction(), encoding }
    }
}

/// The arity of each variable, computed without a graph, for boards that are too large for one.
pub(super) struct FullBoard {
    lines: Lines,
    moves: Vec<(isize, isize)>,
    order: Option<Arc<Order>>,
    direction: bool,
    encoding: PathEncoding,
}

impl FullBoard {
    pub(super) fn variables(&self) -> usize {
        let Lines { long, wide, .. } = self.lines;
        let ways = |&(down, across): &(isize, isize)| {
            (long - down.unsigned_abs()) * (wide - across.unsigned_abs())
        };
        let variables = match self.encoding {
            PathEncoding::ByEdge => self.moves.iter().map(ways).sum(),
            PathEncoding::ByVertex => long * wide,
        };
        variables + usize::from(self.direction)
    }

    pub(super) fn arity(&self, variable: usize) -> usize {
        let Some(vertex) = variable.checked_sub(usize::from(self.direction)) else { return 2 };
        if self.encoding == PathEncoding::ByEdge {
            return 2;
        }
        let place = self.order.as_ref().map_or(vertex, |order| order.places[vertex]);
        let vertex_at = |to| self.order.as_ref().map_or(Some(to), |order| order.vertices[to]);
        let later = self
            .moves
            .iter()
            .flat_map(|&(down, across)| [(down, across), (-down, -across)])
            .filter_map(|step| self.lines.after(place, step))
            .filter(|&to| vertex_at(to) > Some(vertex))
            .count();
        // None of them, one, or two.
        1 + later + later * later.saturating_sub(1) / 2
    }
}
