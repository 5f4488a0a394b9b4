//! The numbering of squares as vertices.

use std::sync::{Arc, OnceLock};

use super::super::board::{Board, Square};
use super::{KnightsTours, MAX_SQUARES};
use topdd_graph::Graph;
use topdd_graph::order::narrow_order;

/// The squares line by line: their *places*. Lines go along the shorter side, so that the
/// frontier is narrow: it takes as many lines as a move reaches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines {
    pub(super) long: usize,
    pub(super) wide: usize,
    /// Whether lines are columns.
    by_column: bool,
}

impl Lines {
    pub(super) fn new(board: Board) -> Self {
        let Board { rows, cols } = board;
        Self { long: rows.max(cols), wide: rows.min(cols), by_column: rows < cols }
    }

    /// The lines of a part of a board: `long` lines of `wide` squares.
    pub(super) fn part(long: usize, wide: usize) -> Self {
        Self { long, wide, by_column: false }
    }

    pub(super) fn place(&self, square: Square) -> usize {
        let Square { row, col } = square;
        if self.by_column { col * self.wide + row } else { row * self.wide + col }
    }

    pub(super) fn square(&self, place: usize) -> Square {
        let (line, along) = (place / self.wide, place % self.wide);
        if self.by_column { Square::new(along, line) } else { Square::new(line, along) }
    }

    /// The target place of a move; `None` if it is not on the board.
    pub(super) fn after(&self, place: usize, (down, across): (isize, isize)) -> Option<usize> {
        let line = (place / self.wide).checked_add_signed(down)?;
        let along = (place % self.wide).checked_add_signed(across)?;
        (line < self.long && along < self.wide).then(|| line * self.wide + along)
    }
}

/// An order of the squares, of those that are not missing.
#[derive(Debug)]
pub(super) struct Order {
    /// The place of each vertex.
    pub(super) places: Vec<usize>,
    /// The vertex of each place; `None` if the square is missing.
    pub(super) vertices: Vec<Option<usize>>,
}

impl Order {
    fn new(squares: usize, places: Vec<usize>) -> Self {
        let mut vertices = vec![None; squares];
        for (vertex, &place) in places.iter().enumerate() {
            vertices[place] = Some(vertex);
        }
        Self { places, vertices }
    }
}

/// The order of the squares, computed at its first use. It is a function of the board, so that it
/// does not take part in comparisons.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbering(OnceLock<Option<Arc<Order>>>);

impl PartialEq for Numbering {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Numbering {}

impl KnightsTours {
    /// The order of the squares, if it is not line by line without gaps.
    pub(super) fn order(&self) -> Option<&Order> {
        self.shared_order().map(Arc::as_ref)
    }

    /// The same order, as a shared pointer.
    pub(super) fn shared_order(&self) -> Option<&Arc<Order>> {
        let find = || {
            self.check_squares(MAX_SQUARES).ok()?;
            let lines = Lines::new(self.board);
            let squares = lines.long * lines.wide;
            let is_there = |&place: &usize| !self.missing.contains(&lines.square(place));
            let natural = (!self.missing.is_empty())
                .then(|| Order::new(squares, (0..squares).filter(is_there).collect()));
            if self.symmetry.is_some() {
                // The search is for the graph as a whole, not for the halves.
                return natural;
            }
            match narrow_order(&self.graph(lines, natural.as_ref())) {
                None => natural,
                Some(order) => {
                    let place = |vertex| natural.as_ref().map_or(vertex, |o| o.places[vertex]);
                    Some(Order::new(squares, order.into_iter().map(place).collect()))
                }
            }
        };
        self.numbering.0.get_or_init(|| find().map(Arc::new)).as_ref()
    }

    /// The moves between the squares in an order, or line by line: edges that ascend, each as (smaller,
    /// larger).
    pub(super) fn graph(&self, lines: Lines, order: Option<&Order>) -> Graph {
        let vertices = order.map_or(lines.long * lines.wide, |order| order.places.len());
        let moves = self.moves_on(lines);
        let edges = (0..vertices).flat_map(|vertex| {
            let place = order.map_or(vertex, |order| order.places[vertex]);
            let targets = moves.iter().filter_map(move |&step| {
                let to = lines.after(place, step)?;
                order.map_or(Some(to), |order| order.vertices[to])
            });
            targets.map(move |other| (vertex.min(other), vertex.max(other)))
        });
        // Each move is made once, from the first of its squares.
        let mut edges: Vec<_> = edges.collect();
        edges.sort_unstable();
        Graph::new(vertices, edges).expect("moves lead to squares")
    }

    /// The moves that fit on a board, one of each two opposite ones: how many lines down, and
    /// how many places across.
    pub(super) fn moves_on(&self, lines: Lines) -> Vec<(isize, isize)> {
        let fits = |&(down, across): &(usize, isize)| {
            down < lines.long && across.unsigned_abs() < lines.wide
        };
        let moves = self.piece.moves().into_iter().filter(fits);
        // Shorter than a side of the board, which may be any number.
        moves.filter_map(|(down, across)| Some((isize::try_from(down).ok()?, across))).collect()
    }

    /// The number of a square as a vertex, if it is not missing. It must be on the board.
    pub(super) fn vertex_of(&self, square: Square) -> Option<usize> {
        let place = Lines::new(self.board).place(square);
        self.order().map_or(Some(place), |order| order.vertices[place])
    }

    /// The number of squares that are not missing.
    pub(super) fn num_vertices(&self) -> usize {
        let Board { rows, cols } = self.board;
        self.order().map_or(rows.saturating_mul(cols), |order| order.places.len())
    }

    /// The square of a vertex.
    pub(super) fn square_of(&self, vertex: usize) -> Square {
        assert!(vertex < self.num_vertices(), "{vertex} is no square of {}", self.board);
        let place = self.order().map_or(vertex, |order| order.places[vertex]);
        Lines::new(self.board).square(place)
    }
}
