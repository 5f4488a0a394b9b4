//! Knight's tours: every square once, by knight's moves, or by moves of another leaper.
//!
//! [`KnightsTours`] is a set of tours of a board, and [`Leaper`] the piece that moves. Tours are
//! the Hamiltonian cycles and paths of the graph of the moves, with the specs of
//! [`topdd_graph`]: [`ByEdge`](PathEncoding::ByEdge), one variable per pair of opposite moves, or
//! [`ByVertex`](PathEncoding::ByVertex), one variable per square for the moves to later squares,
//! with fewer levels and fewer states. Tours with a [`Symmetry`], and tours with a direction, cover the paths
//! of another graph.
//!
//! [`KnightsTours::count`], [`zdd`](KnightsTours::zdd), [`frontier`](KnightsTours::frontier) and
//! [`spec`](KnightsTours::spec) solve the problem, and [`KnightsTours::reader`] reads the
//! solutions.
//! [`KnightsTours::paths`] returns the [`EdgeSets`] that validate tours as vertices, and
//! [`to_squares`](KnightsTours::to_squares) and [`to_vertices`](KnightsTours::to_vertices)
//! convert between vertices and squares.

#[cfg(feature = "apply")]
mod apply;
mod by_time;
mod covering;
mod encoding;
mod hamiltonian;
mod leaper;
#[cfg(test)]
mod tests;

use super::board::{Board, BoardError, Square};
use super::symmetry::Symmetry;
use hamiltonian::{BoardLines, HamiltonianPaths, SquareNumbering, SquareOrder};
use std::collections::BTreeSet;
use std::sync::Arc;
use thiserror::Error;
use topdd_graph::families::EdgeSets;

pub use encoding::TourReader;
pub use hamiltonian::PathEncoding;
pub use leaper::{Leaper, LeaperError};

/// The knight's tours of a board, closed or open; or the tours of another [`Leaper`].
///
/// A closed tour returns to its first square. Tours are undirected unless they are
/// [`directed`](KnightsTours::directed) or an end is fixed with [`from`](KnightsTours::from) or
/// [`to`](KnightsTours::to): a tour and its reverse are one solution. The starts of a closed tour
/// are never distinguished.
///
/// Squares may be [`missing`](KnightsTours::missing). A board without squares has no tours.
/// The board of one square has one open tour, which makes no move, and no closed one.
///
/// # Example
///
/// ```
/// use topdd_chess::KnightsTours;
/// use topdd_chess::knights::PathEncoding;
///
/// let tours = KnightsTours::closed(5, 6);
/// let zdd = tours.zdd(PathEncoding::ByVertex)?;
/// assert_eq!(zdd.count(), 8u32.into());
///
/// let reader = tours.reader(PathEncoding::ByVertex)?;
/// for solution in zdd.iter() {
///     println!("{}", tours.board().draw_tour(&reader.read(&solution)?));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnightsTours {
    board: Board,
    piece: Leaper,
    missing: BTreeSet<Square>,
    closed: bool,
    from: Option<Square>,
    to: Option<Square>,
    directed: bool,
    symmetry: Option<Symmetry>,
    numbering: SquareNumbering,
}

/// The maximum number of squares times words of a state: a spec stores a few words for each
/// square, and as many more as there are words in a state. Counts of a wide board of this size
/// are out of reach; counts of a narrow one are not.
const MAX_SQUARES: usize = 1 << 20;

/// The maximum number of squares of a board that is known to have no tour. Its spec stores only
/// the arity of the variable of each square.
const MAX_SQUARES_WITHOUT_TOURS: usize = 1 << 24;

/// The maximum number of squares of a board by time. The number of variables is its square.
const MAX_SQUARES_BY_TIME: usize = 1 << 8;

impl KnightsTours {
    /// Makes the problem of the closed tours of a board with `rows` rows and `cols` columns.
    pub fn closed(rows: usize, cols: usize) -> Self {
        Self {
            board: Board::new(rows, cols),
            piece: Leaper::knight(),
            missing: BTreeSet::new(),
            closed: true,
            from: None,
            to: None,
            directed: false,
            symmetry: None,
            numbering: SquareNumbering::default(),
        }
    }

    /// Makes the problem of the open tours of a board, with free ends.
    ///
    /// ```
    /// use topdd_chess::KnightsTours;
    ///
    /// assert_eq!(KnightsTours::open(3, 4).count()?, 8u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(rows: usize, cols: usize) -> Self {
        Self { closed: false, ..Self::closed(rows, cols) }
    }

    /// Replaces the knight by another piece.
    ///
    /// The tours of the wazir are the Hamiltonian cycles and paths of a grid:
    ///
    /// ```
    /// use topdd_chess::{KnightsTours, Leaper};
    ///
    /// let wazir = KnightsTours::closed(6, 6).piece(Leaper::wazir());
    /// assert_eq!(wazir.count()?, 1072u32.into());
    /// let king = KnightsTours::closed(4, 4).piece(Leaper::king());
    /// assert_eq!(king.count()?, 2830u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn piece(self, piece: Leaper) -> Self {
        Self { piece, numbering: SquareNumbering::default(), ..self }
    }

    /// Removes squares from the board, in addition to those that were missing before.
    ///
    /// ```
    /// use topdd_chess::{KnightsTours, Square};
    ///
    /// // Around the centre of a board on which the centre cannot be reached.
    /// let around = KnightsTours::closed(3, 3).missing([Square::new(1, 1)]);
    /// assert_eq!(around.count()?, 1u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn missing(mut self, squares: impl IntoIterator<Item = Square>) -> Self {
        self.missing.extend(squares);
        Self { numbering: SquareNumbering::default(), ..self }
    }

    /// Keeps only the open tours that start on this square.
    ///
    /// ```
    /// use topdd_chess::KnightsTours;
    ///
    /// let from_corner = KnightsTours::open(5, 5).from("a1".parse()?);
    /// assert_eq!(from_corner.count()?, 304u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from(mut self, square: Square) -> Self {
        self.from = Some(square);
        self
    }

    /// Keeps only the open tours that end on this square.
    ///
    /// ```
    /// use topdd_chess::KnightsTours;
    ///
    /// let across = KnightsTours::open(5, 5).from("a1".parse()?).to("e5".parse()?);
    /// assert!(across.count()? < KnightsTours::open(5, 5).to("e5".parse()?).count()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to(mut self, square: Square) -> Self {
        self.to = Some(square);
        self
    }

    /// Distinguishes the two directions: a tour and its reverse are two solutions.
    ///
    /// This doubles the number of tours, closed or open. It has no effect if an end is fixed, which
    /// fixes the direction, or on the tour of one square.
    ///
    /// ```
    /// use topdd_chess::KnightsTours;
    ///
    /// assert_eq!(KnightsTours::closed(5, 6).directed().count()?, 16u32.into());
    /// # Ok::<(), topdd_chess::KnightsError>(())
    /// ```
    pub fn directed(mut self) -> Self {
        self.directed = true;
        self
    }

    /// Keeps only the tours that a symmetry of the board, a half turn or a mirror, maps to
    /// themselves, as sets of undirected moves.
    ///
    /// A half turn shifts a closed tour by half its length or reverses it; it always reverses an
    /// open tour. The method uses a graph of half as many squares. If the missing squares are not symmetric, there is no such tour.
    ///
    /// ```
    /// use topdd_chess::{KnightsTours, Symmetry};
    /// use topdd_chess::knights::PathEncoding;
    ///
    /// let tours = KnightsTours::closed(6, 6).symmetric(Symmetry::Rotate180);
    /// let zdd = tours.zdd(PathEncoding::ByVertex)?;
    /// assert_eq!(zdd.count(), 78u32.into());
    ///
    /// let reader = tours.reader(PathEncoding::ByVertex)?;
    /// let tour = reader.read(&zdd.iter().next().expect("there are 78"))?;
    /// assert_eq!(Symmetry::Rotate180.of(tours.board(), tour[0]), Some(tour[18]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn symmetric(self, symmetry: Symmetry) -> Self {
        Self { symmetry: Some(symmetry), numbering: SquareNumbering::default(), ..self }
    }

    /// Returns the board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Returns whether the tours are closed.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Returns the squares of the board that are missing, row by row.
    pub fn missing_squares(&self) -> impl Iterator<Item = Square> + '_ {
        self.missing.iter().copied()
    }

    /// Returns the squares of the given vertices of [`paths`](KnightsTours::paths).
    ///
    /// # Panics
    ///
    /// If a number is not a vertex.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_chess::{KnightsTours, Square};
    ///
    /// let tours = KnightsTours::closed(6, 6);
    /// assert_eq!(tours.to_squares(&[0]), ["a1".parse::<Square>().expect("a square")]);
    /// ```
    pub fn to_squares(&self, vertices: &[usize]) -> Vec<Square> {
        vertices.iter().map(|&vertex| self.square_of(vertex)).collect()
    }

    /// Returns the vertices of [`paths`](KnightsTours::paths) that these squares are.
    ///
    /// [`EdgeSets::validate`](topdd_graph::families::GraphSets::validate) checks them by the definition alone, without a spec: every square of the
    /// board occurs once, each is a move from the one before, the last is a move from the first if
    /// the tour is closed, and the ends are those that are fixed.
    ///
    /// # Errors
    ///
    /// [`BoardError::OffBoard`] if a square is not on the board, or missing.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_chess::{KnightsTours, Square};
    /// use topdd_graph::families::Flaw;
    ///
    /// let tours = KnightsTours::open(3, 4);
    /// let paths = tours.paths()?;
    /// let names = ["a1", "c2", "a3", "b1", "d2", "b3", "c1", "a2", "c3", "d1", "b2", "d3"];
    /// let tour = names.map(|name| name.parse::<Square>().expect("a square"));
    ///
    /// let mut vertices = tours.to_vertices(&tour)?;
    /// assert_eq!(paths.validate(&vertices), Ok(()));
    /// vertices.swap(0, 1);
    /// assert!(matches!(paths.validate(&vertices), Err(Flaw::NoEdge { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_vertices(&self, squares: &[Square]) -> Result<Vec<usize>, BoardError> {
        let board = self.board;
        let vertex = |&square: &Square| {
            self.vertex_of(board.check(square)?).ok_or(BoardError::OffBoard { square, board })
        };
        squares.iter().map(vertex).collect()
    }

    /// Returns all tours, without direction and symmetry, as Hamiltonian paths or cycles of the graph of
    /// the moves. The edges ascend, each as (smaller, larger), and variables are in their order.
    ///
    /// Square `a1`, or the first that is not missing, is vertex 0. The default order of the others
    /// is along the shorter side of the board: row by row if there are at least as many rows as
    /// columns, else column by column. The first call searches for an order with fewer states, in a
    /// fraction of a second, unless the board is very large; see
    /// [`narrow_order`](topdd_graph::order::narrow_order).
    /// [`to_vertices`](KnightsTours::to_vertices) returns the vertices of squares.
    ///
    /// # Errors
    ///
    /// A [`KnightsError`] if the fixed ends are invalid or the board has more than 2<sup>20</sup>
    /// squares.
    pub fn paths(&self) -> Result<EdgeSets, KnightsError> {
        Ok(self.paths_in_order()?.family)
    }

    /// The same paths, with their ends.
    fn paths_in_order(&self) -> Result<HamiltonianPaths, KnightsError> {
        self.check()?;
        self.check_squares(MAX_SQUARES)?;
        // Checked: the ends are not missing.
        let ends = [self.from, self.to].map(|end| end.and_then(|square| self.vertex_of(square)));
        Ok(self.hamiltonian(BoardLines::new(self.board), self.order(), ends))
    }

    /// The tours of a board of such lines with fixed ends, the squares being in an order.
    fn hamiltonian(
        &self,
        lines: BoardLines,
        order: Option<&SquareOrder>,
        [from, to]: [Option<usize>; 2],
    ) -> HamiltonianPaths {
        let moves = self.graph(lines, order);
        if self.closed {
            HamiltonianPaths::closed(&moves)
        } else {
            HamiltonianPaths::open(&moves, from, to)
        }
    }

    fn check(&self) -> Result<(), KnightsError> {
        for &square in &self.missing {
            self.board.check(square)?;
        }
        if let Some(symmetry) = self.symmetry {
            if matches!(symmetry, Symmetry::Rotate90 | Symmetry::Rotate270) {
                return Err(KnightsError::QuarterTurn);
            }
            if !symmetry.maps(self.board) {
                return Err(KnightsError::NotSquare { board: self.board });
            }
        }
        if self.closed && (self.from.is_some() || self.to.is_some()) {
            return Err(KnightsError::EndsOfClosed);
        }
        if let Some(square) = self.from.filter(|_| self.from == self.to) {
            return Err(KnightsError::SameEnds { square });
        }
        for square in [self.from, self.to].into_iter().flatten() {
            if self.missing.contains(&self.board.check(square)?) {
                return Err(KnightsError::EndMissing { square });
            }
        }
        Ok(())
    }

    fn check_squares(&self, most: usize) -> Result<(), KnightsError> {
        let board = self.board;
        match board.rows.checked_mul(board.cols) {
            Some(squares) if squares <= most => Ok(()),
            _ => Err(KnightsError::TooLarge { board, most }),
        }
    }
}

/// The reason why [`KnightsTours`] are not solved: an invalid parameter, or a
/// failed sweep.
///
/// ```
/// use topdd_chess::{KnightsError, KnightsTours};
///
/// let tours = KnightsTours::closed(6, 6).from("a1".parse()?);
/// assert_eq!(tours.count(), Err(KnightsError::EndsOfClosed)); // only open tours have ends
/// # Ok::<(), topdd_chess::BoardError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KnightsError {
    /// The board has too many squares.
    #[error(
        "a {board} board is too large for tours: with a shorter side of {side} there can be at \
         most {most} squares; use a narrower or a smaller one",
        side = .board.rows.min(.board.cols)
    )]
    TooLarge {
        /// The board.
        board: Board,
        /// The maximum number of squares of a board of this width.
        most: usize,
    },
    /// An end, or a missing square, is not on the board.
    #[error(transparent)]
    OffBoard(#[from] BoardError),
    /// A fixed end is a missing square.
    #[error("square {square} is missing, so that no tour starts or ends there; choose another")]
    EndMissing {
        /// The square.
        square: Square,
    },
    /// Both ends are fixed at the same square.
    #[error(
        "an open tour cannot start and end on the same square, {square}; fix one end only, or ask for closed tours"
    )]
    SameEnds {
        /// The square given for both ends.
        square: Square,
    },
    /// An end of closed tours is fixed.
    #[error("a closed tour has no ends: `from` and `to` are for open tours; leave them out")]
    EndsOfClosed,
    /// The symmetry is a quarter turn, which is not supported.
    #[error("tours that a quarter turn leaves unchanged are not supported; ask for a half turn")]
    QuarterTurn,
    /// The symmetry requires a square board.
    #[error(
        "a {board} board has no such mirror: rows become columns on square boards only; choose another symmetry"
    )]
    NotSquare {
        /// The board.
        board: Board,
    },
    /// Symmetric tours are not available by time.
    #[error(
        "symmetric tours have variables by move or by square, not by time; choose PathEncoding::ByEdge \
         or ByVertex"
    )]
    SymmetricByTime,
    /// The apply engine failed.
    #[cfg(feature = "apply")]
    #[error(transparent)]
    Apply(#[from] topdd_apply::Error),
    /// The frontier engine failed.
    #[error(transparent)]
    Build(#[from] topdd::BuildError),
}

impl KnightsTours {
    /// Whether the dimensions of the board prove that there is no tour: the board is too narrow, or
    /// the numbers of dark and light squares, which alternate, differ too much. `false` proves
    /// nothing.
    ///
    /// A. J. Schwenk, *Which rectangular chessboards have a knight's tour?*, Mathematics
    /// Magazine 64 (1991) lists the boards without a closed tour: these, and those
    /// of 3x4, 3x6 and 3x8 squares.
    fn none_is_possible(&self) -> bool {
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
    fn full_board(&self, encoding: PathEncoding) -> FullBoard {
        let lines = BoardLines::new(self.board);
        let moves = self.moves_on(lines);
        let order = self.shared_order().cloned();
        FullBoard { lines, moves, order, direction: self.has_direction(), encoding }
    }
}

/// The arity of each variable, computed without a graph, for boards that are too large for one.
struct FullBoard {
    lines: BoardLines,
    moves: Vec<(isize, isize)>,
    order: Option<Arc<SquareOrder>>,
    direction: bool,
    encoding: PathEncoding,
}

impl FullBoard {
    fn variables(&self) -> usize {
        let BoardLines { long, wide, .. } = self.lines;
        let ways = |&(down, across): &(isize, isize)| {
            (long - down.unsigned_abs()) * (wide - across.unsigned_abs())
        };
        let variables = match self.encoding {
            PathEncoding::ByEdge => self.moves.iter().map(ways).sum(),
            PathEncoding::ByVertex => long * wide,
        };
        variables + usize::from(self.direction)
    }

    fn arity(&self, variable: usize) -> usize {
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
            .filter_map(|step| self.lines.after(place, step.0, step.1))
            .filter(|&to| vertex_at(to) > Some(vertex))
            .count();
        // None of them, one, or two.
        1 + later + later * later.saturating_sub(1) / 2
    }
}
