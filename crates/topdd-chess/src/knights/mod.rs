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
mod error;
mod hamiltonian;
mod infeasible;
mod leaper;
mod numbering;

use std::collections::BTreeSet;

use super::board::{Board, BoardError, Square};
use super::symmetry::Symmetry;
use hamiltonian::HamiltonianPaths;
use numbering::{Lines, Numbering, Order};
use topdd_graph::families::EdgeSets;

pub use encoding::TourReader;
pub use error::KnightsError;
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
    numbering: Numbering,
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
            numbering: Numbering::default(),
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
        Self { piece, numbering: Numbering::default(), ..self }
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
        Self { numbering: Numbering::default(), ..self }
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
        Self { symmetry: Some(symmetry), numbering: Numbering::default(), ..self }
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
        Ok(self.hamiltonian(Lines::new(self.board), self.order(), ends))
    }

    /// The tours of a board of such lines with fixed ends, the squares being in an order.
    fn hamiltonian(
        &self,
        lines: Lines,
        order: Option<&Order>,
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

#[cfg(test)]
mod tests;
