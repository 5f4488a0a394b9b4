//! Knight's tours: every square once, by knight's moves, or by those of another leaper.
//!
//! [`KnightsTours`] says which tours of which board, and [`Leaper`] by which moves. They are
//! the Hamiltonian cycles and paths of the graph of the moves, so the specs are those of
//! [`topdd_graph`]: [`ByEdge`](PathEncoding::ByEdge), one variable per move there and
//! back, or [`ByVertex`](PathEncoding::ByVertex), one variable per square that says which
//! moves to later squares are taken, with fewer levels and fewer states. Tours with a
//! [`Symmetry`], and those that have a direction, are [`Lifts`](topdd_graph::Lifts).
//!
//! [`KnightsTours::count`], [`zdd`](KnightsTours::zdd), [`frontier`](KnightsTours::frontier) and
//! [`spec`](KnightsTours::spec) solve the problem, and [`KnightsTours::reader`] reads the
//! solutions.
//! [`KnightsTours::walks`] gives the [`Walks`] that tours are judged by, in vertices, and
//! [`to_squares`](KnightsTours::to_squares) and [`to_vertices`](KnightsTours::to_vertices)
//! translate.

mod encoding;
mod error;
mod infeasible;
mod leaper;
mod numbering;

use std::collections::BTreeSet;

use super::board::{Board, BoardError, Square};
use super::symmetry::Symmetry;
use numbering::{Lines, Numbering, Order};
use topdd_graph::Walks;

pub use encoding::TourReader;
pub use error::KnightsError;
pub use leaper::{Leaper, LeaperError};
/// What the variables of a spec for [`KnightsTours`] are: the edges of a graph are the
/// moves of the knight, there and back, and its vertices are the squares.
#[doc(inline)]
pub use topdd_graph::PathEncoding;

/// The knight's tours of a board, closed or open; or those of another [`Leaper`].
///
/// A closed tour returns to where it started. Tours are undirected: a tour and its
/// reverse are one, and a closed tour may be read from any of its squares; unless they are
/// asked for as [`directed`](KnightsTours::directed), or an end is fixed with
/// [`from`](KnightsTours::from) or [`to`](KnightsTours::to), which is a direction.
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

/// The most squares of a board whose states are one word each, and so many times fewer
/// where they are larger: a spec keeps a few words for each square, and as many more as
/// there are words in a state. Counts of a wide board of this size
/// are out of reach; those of a narrow one are not.
const MAX_SQUARES: usize = 1 << 20;

/// The most squares where it is known that there is no tour, so that all that is kept of
/// a square is how many values its variable has.
const MAX_SQUARES_WITHOUT_TOURS: usize = 1 << 24;

/// The most squares of a board by time, where as many variables as this squared are made.
const MAX_SQUARES_BY_TIME: usize = 1 << 8;

impl KnightsTours {
    /// The closed tours of a board.
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

    /// The open tours of a board, from anywhere to anywhere.
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

    /// The tours of another piece than the knight.
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

    /// The board without these squares, and without those that were missing before.
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

    /// Only the open tours that start on this square.
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

    /// Only the open tours that end on this square.
    pub fn to(mut self, square: Square) -> Self {
        self.to = Some(square);
        self
    }

    /// The tours in both directions, a tour and its reverse being two.
    ///
    /// So there are twice as many, closed or open: a closed tour may still be read from any
    /// of its squares. Where an end is fixed, the direction is fixed already and this changes
    /// nothing; nor does it change the one tour that makes no move.
    pub fn directed(mut self) -> Self {
        self.directed = true;
        self
    }

    /// Only the tours that look the same after this symmetry of the board, a half turn or a
    /// mirror: the moves go to moves, in whatever direction.
    ///
    /// A half turn takes a closed tour forward by half its length, or reverses it; an open
    /// one it always reverses. [`Lifts`](topdd_graph::Lifts) explains how these are found, on
    /// a graph of half as many squares. If the missing squares are not symmetric, there is
    /// no such tour.
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

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Whether the tours are closed.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The squares of the board that are missing, in order.
    pub fn missing_squares(&self) -> impl Iterator<Item = Square> + '_ {
        self.missing.iter().copied()
    }

    /// The squares of these vertices of [`walks`](KnightsTours::walks).
    ///
    /// # Panics
    ///
    /// If a number is not that of a square of the board.
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

    /// The vertices of [`walks`](KnightsTours::walks) that these squares are, for
    /// [`Walks::validate`] to judge a tour by the definition alone: every square of the
    /// board once, each a move from the one before, and from the last to the
    /// first if it is closed; the ends where they were asked for.
    ///
    /// # Errors
    ///
    /// [`BoardError::OffBoard`] if a square is not on the board, or missing.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_chess::{KnightsTours, Square};
    /// use topdd_graph::Flaw;
    ///
    /// let tours = KnightsTours::open(3, 4);
    /// let walks = tours.walks()?;
    /// let names = ["a1", "c2", "a3", "b1", "d2", "b3", "c1", "a2", "c3", "d1", "b2", "d3"];
    /// let tour = names.map(|name| name.parse::<Square>().expect("a square"));
    ///
    /// let mut vertices = tours.to_vertices(&tour)?;
    /// assert_eq!(walks.validate(&vertices), Ok(()));
    /// vertices.swap(0, 1);
    /// assert!(matches!(walks.validate(&vertices), Err(Flaw::NoEdge { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_vertices(&self, squares: &[Square]) -> Result<Vec<usize>, BoardError> {
        let board = self.board;
        let vertex = |&square: &Square| {
            self.vertex_of(board.check(square)?).ok_or(BoardError::OffBoard { square, board })
        };
        squares.iter().map(vertex).collect()
    }

    /// All tours, whatever their direction and symmetry, as paths or cycles of a graph.
    ///
    /// Square `a1`, or the first that is not missing, is vertex 0. The others are numbered in
    /// an order that is looked for when it is first needed, which takes a fraction of a second,
    /// such that specs have few states: where that is better by far than going along the shorter
    /// side of the board, row by row if there are no fewer rows than columns and column by column
    /// otherwise, as it is done on boards that are narrow or very large.
    /// [`to_vertices`](KnightsTours::to_vertices) returns the vertices of squares.
    ///
    /// # Errors
    ///
    /// A [`KnightsError`] if the ends make no sense or the board has more than 2<sup>20</sup>
    /// squares.
    pub fn walks(&self) -> Result<Walks, KnightsError> {
        self.check()?;
        self.check_squares(MAX_SQUARES)?;
        let mut walks = self.free(Lines::of(self.board), self.order());
        // Checked: the ends are not missing.
        if let Some(vertex) = self.from.and_then(|square| self.vertex_of(square)) {
            walks = walks.from(vertex);
        }
        if let Some(vertex) = self.to.and_then(|square| self.vertex_of(square)) {
            walks = walks.to(vertex);
        }
        Ok(walks)
    }

    /// The tours of these lines with any ends, the squares being in this order.
    fn free(&self, lines: Lines, order: Option<&Order>) -> Walks {
        let moves = self.graph(lines, order);
        if self.closed { Walks::hamiltonian_cycles(moves) } else { Walks::hamiltonian_paths(moves) }
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
