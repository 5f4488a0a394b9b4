//! Knight's tours: every square once, by knight's moves.
//!
//! [`KnightsTours`] says which tours of which board. They are the Hamiltonian cycles and
//! paths of the graph of the knight's moves, so the specs are those of
//! [`graph`](crate::graph): by edge, one variable per move there and back, or by square,
//! one variable per square that says which moves to later squares are taken.

use thiserror::Error;

use super::board::{Board, BoardError, Square};
use crate::SpecVisitor;
use crate::graph::{Graph, SequenceError, WalkError, Walks};

/// What the variables of a spec for [`KnightsTours`] are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// One two-valued variable per pair of squares a move apart: whether it is taken.
    Edge,
    /// One variable per square: which moves to later squares are taken, none, one or
    /// two; see [`ByVertex`](crate::graph::ByVertex). Fewer levels and fewer states.
    Square,
}

impl Encoding {
    fn on_graph(self) -> crate::graph::Encoding {
        match self {
            Encoding::Edge => crate::graph::Encoding::ByEdge,
            Encoding::Square => crate::graph::Encoding::ByVertex,
        }
    }
}

/// The knight's tours of a board, closed or open.
///
/// A closed tour returns to where it started. Tours are undirected: a tour and its
/// reverse are one, and a closed tour may be read from any of its squares. The number of
/// directed open tours is twice the number of open tours (on boards of more than one
/// square), unless an end is fixed with [`from`](KnightsTours::from) or
/// [`to`](KnightsTours::to), which is a direction.
///
/// A board without squares has no tours. The board of one square has one open tour,
/// which makes no move, and no closed one.
///
/// # Example
///
/// ```
/// use topdd_problems::chess::KnightsTours;
/// use topdd_problems::chess::knights::Encoding;
/// use topdd_problems::graph::ByVertex;
///
/// let tours = KnightsTours::closed(5, 6);
/// let zdd = topdd::zdd(&ByVertex::<1>::new(&tours.walks()?)?)?;
/// assert_eq!(zdd.count(), 8u32.into());
///
/// let solution = zdd.iter().next().expect("there are 8");
/// let tour = tours.to_squares(Encoding::Square, &solution)?;
/// assert_eq!(tours.validate(&tour), Ok(()));
/// println!("{}", tours.board().draw_tour(&tour));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnightsTours {
    board: Board,
    closed: bool,
    from: Option<Square>,
    to: Option<Square>,
}

/// Why there is no spec for these [`KnightsTours`], or no tour in these values.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KnightsError {
    /// The board has more squares than can be numbered.
    #[error("a board of {board} has too many squares")]
    TooManySquares {
        /// The board.
        board: Board,
    },
    /// An end is not on the board.
    #[error(transparent)]
    OffBoard(#[from] BoardError),
    /// A tour was asked to end where it starts.
    #[error("an open tour cannot start and end on the same square, {square}")]
    SameEnds {
        /// The square given for both ends.
        square: Square,
    },
    /// Ends were fixed, but a closed tour has none.
    #[error("a closed tour has no ends: `from` and `to` are for open tours")]
    EndsOfClosed,
    /// The board is too wide for any spec that [`KnightsTours::visit`] knows.
    #[error(transparent)]
    TooWide(WalkError),
    /// The values are not a tour.
    #[error(transparent)]
    NotATour(#[from] SequenceError),
}

/// The most squares: a graph keeps a few words for each of them.
const MAX_SQUARES: usize = 1 << 24;

impl KnightsTours {
    /// The closed tours of a board.
    pub fn closed(rows: usize, cols: usize) -> Self {
        Self { board: Board::new(rows, cols), closed: true, from: None, to: None }
    }

    /// The open tours of a board, from anywhere to anywhere.
    ///
    /// ```
    /// use topdd_problems::chess::KnightsTours;
    /// use topdd_problems::graph::ByVertex;
    ///
    /// let spec = ByVertex::<1>::new(&KnightsTours::open(3, 4).walks()?)?;
    /// assert_eq!(topdd::count(&spec)?, 8u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(rows: usize, cols: usize) -> Self {
        Self { closed: false, ..Self::closed(rows, cols) }
    }

    /// Only the open tours that start on this square.
    ///
    /// ```
    /// use topdd_problems::chess::KnightsTours;
    /// use topdd_problems::graph::ByVertex;
    ///
    /// let from_corner = KnightsTours::open(5, 5).from("a1".parse()?);
    /// let spec = ByVertex::<1>::new(&from_corner.walks()?)?;
    /// assert_eq!(topdd::count(&spec)?, 304u32.into());
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

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Whether the tours are closed.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether vertices are numbered column by column. They are numbered along the
    /// shorter side, so that the frontier is narrow: it takes about two lines of it.
    fn by_column(&self) -> bool {
        self.board.rows < self.board.cols
    }

    /// The number of a square as a vertex of [`walks`](KnightsTours::walks).
    fn vertex(&self, square: Square) -> Result<usize, BoardError> {
        let Square { row, col } = self.board.check(square)?;
        let Board { rows, cols } = self.board;
        Ok(if self.by_column() { col * rows + row } else { row * cols + col })
    }

    fn square(&self, vertex: usize) -> Square {
        let Board { rows, cols } = self.board;
        if self.by_column() {
            Square::new(vertex % rows, vertex / rows)
        } else {
            Square::new(vertex / cols, vertex % cols)
        }
    }

    /// The tours as paths or cycles of a graph: what to make
    /// [`ByEdge`](crate::graph::ByEdge) and [`ByVertex`](crate::graph::ByVertex) of.
    ///
    /// The squares are numbered along the shorter side of the board, row by row if there
    /// are no fewer rows than columns and column by column otherwise.
    ///
    /// # Errors
    ///
    /// A [`KnightsError`] if the ends make no sense or the board is too large.
    pub fn walks(&self) -> Result<Walks, KnightsError> {
        let Board { rows, cols } = self.board;
        if rows.checked_mul(cols).is_none_or(|squares| squares > MAX_SQUARES) {
            return Err(KnightsError::TooManySquares { board: self.board });
        }
        if self.closed && (self.from.is_some() || self.to.is_some()) {
            return Err(KnightsError::EndsOfClosed);
        }
        if let Some(square) = self.from.filter(|_| self.from == self.to) {
            return Err(KnightsError::SameEnds { square });
        }
        let moves = Graph::knight(rows.max(cols), rows.min(cols));
        if self.closed {
            return Ok(Walks::hamiltonian_cycles(moves));
        }
        let mut walks = Walks::hamiltonian_paths(moves);
        if let Some(square) = self.from {
            walks = walks.from(self.vertex(square)?);
        }
        if let Some(square) = self.to {
            walks = walks.to(self.vertex(square)?);
        }
        Ok(walks)
    }

    /// Makes the spec with states as small as they can be and gives it to a visitor.
    ///
    /// # Errors
    ///
    /// A [`KnightsError`] if the ends make no sense or the board is too large.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd::{DdSpec, Error, Zdd};
    /// use topdd_problems::SpecVisitor;
    /// use topdd_problems::chess::KnightsTours;
    /// use topdd_problems::chess::knights::Encoding;
    ///
    /// struct Build;
    ///
    /// impl SpecVisitor for Build {
    ///     type Output = Result<Zdd, Error>;
    ///     fn visit<S: DdSpec>(self, spec: S) -> Self::Output { topdd::zdd(&spec) }
    /// }
    ///
    /// let zdd = KnightsTours::closed(3, 10).visit(Encoding::Edge, Build)??;
    /// assert_eq!(zdd.count(), 16u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn visit<V: SpecVisitor>(
        &self,
        encoding: Encoding,
        visitor: V,
    ) -> Result<V::Output, KnightsError> {
        self.walks()?.visit(encoding.on_graph(), visitor).map_err(KnightsError::TooWide)
    }

    /// The squares of a tour in the order they are visited, from the values of a
    /// solution's variables.
    ///
    /// A closed tour starts in the corner `a1`, and `a1` is not repeated at the end. An
    /// open one starts on its [`from`](KnightsTours::from) or ends on its
    /// [`to`](KnightsTours::to) where these are given.
    ///
    /// # Errors
    ///
    /// [`KnightsError::NotATour`] if the values are not a solution, and those of
    /// [`walks`](KnightsTours::walks).
    pub fn to_squares(
        &self,
        encoding: Encoding,
        values: &[usize],
    ) -> Result<Vec<Square>, KnightsError> {
        let vertices = self.walks()?.to_sequence(encoding.on_graph(), values)?;
        Ok(vertices.into_iter().map(|vertex| self.square(vertex)).collect())
    }

    /// Judges a tour by the definition alone: every square of the board once, each a
    /// knight's move from the one before, and from the last to the first if it is
    /// closed; the ends where they were asked for.
    ///
    /// # Errors
    ///
    /// The first [`TourFlaw`] found.
    pub fn validate(&self, tour: &[Square]) -> Result<(), TourFlaw> {
        let Board { rows, cols } = self.board;
        let mut seen = std::collections::HashSet::new();
        for &square in tour {
            if !self.board.contains(square) {
                return Err(TourFlaw::OffBoard { square });
            }
            if !seen.insert(square) {
                return Err(TourFlaw::Repeated { square });
            }
        }
        // Squares given twice are out, so as many as there are is all of them.
        if rows.checked_mul(cols) != Some(tour.len()) || tour.is_empty() {
            return Err(TourFlaw::Incomplete { visited: tour.len() });
        }
        let (first, last) = (tour[0], tour[tour.len() - 1]);
        let closing = self.closed.then_some((last, first));
        let moves = tour.windows(2).map(|pair| (pair[0], pair[1]));
        for (from, to) in moves.chain(closing) {
            let distance = (from.row.abs_diff(to.row), from.col.abs_diff(to.col));
            if !matches!(distance, (1, 2) | (2, 1)) {
                return Err(TourFlaw::NotAMove { from, to });
            }
        }
        for (wanted, found) in [(self.from, first), (self.to, last)] {
            if let Some(wanted) = wanted.filter(|&wanted| wanted != found) {
                return Err(TourFlaw::WrongEnd { wanted, found });
            }
        }
        Ok(())
    }
}

/// What is wrong with a tour; see [`KnightsTours::validate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TourFlaw {
    /// A square that is not on the board.
    #[error("{square} is not on the board")]
    OffBoard {
        /// The square.
        square: Square,
    },
    /// A square is visited twice.
    #[error("{square} is visited twice")]
    Repeated {
        /// The square.
        square: Square,
    },
    /// Not every square is visited.
    #[error("only {visited} squares are visited")]
    Incomplete {
        /// How many are.
        visited: usize,
    },
    /// Two consecutive squares, or the last and the first of a closed tour, are not a
    /// knight's move apart.
    #[error("a knight does not move from {from} to {to}")]
    NotAMove {
        /// The one.
        from: Square,
        /// The next.
        to: Square,
    },
    /// An end that was asked for is elsewhere.
    #[error("the tour should have an end on {wanted}, not on {found}")]
    WrongEnd {
        /// Where it should be.
        wanted: Square,
        /// Where it is.
        found: Square,
    },
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;
    use topdd::{DdSpec, Zdd};

    use super::*;
    use crate::graph::{ByEdge, ByVertex};

    struct Count;

    impl SpecVisitor for Count {
        type Output = BigUint;
        fn visit<S: DdSpec>(self, spec: S) -> BigUint {
            topdd::count(&spec).unwrap()
        }
    }

    /// All boards here are narrow; a type written out spares the compiler the others.
    fn build(tours: &KnightsTours, encoding: Encoding) -> Zdd {
        let walks = tours.walks().unwrap();
        match encoding {
            Encoding::Edge => topdd::zdd(&ByEdge::<1>::new(&walks).unwrap()).unwrap(),
            Encoding::Square => topdd::zdd(&ByVertex::<1>::new(&walks).unwrap()).unwrap(),
        }
    }

    fn check(tours: &KnightsTours, expected: u64) {
        for encoding in [Encoding::Edge, Encoding::Square] {
            let count = tours.visit(encoding, Count).unwrap();
            assert_eq!(count, expected.into(), "{tours:?} {encoding:?}");
        }
    }

    /// A070030, A175881 and A383661 by board; A001230 for squares.
    #[test]
    fn closed_tours() {
        for (rows, cols, count) in [
            (0, 0, 0),
            (0, 7, 0),
            (1, 1, 0),
            (1, 2, 0),
            (2, 2, 0),
            (3, 3, 0),
            (3, 10, 16),
            (10, 3, 16),
            (3, 12, 176),
            (4, 5, 0),
            (4, 6, 0),
            (4, 8, 0),
            (5, 5, 0),
            (5, 6, 8),
            (6, 5, 8),
            (6, 6, 9862),
        ] {
            check(&KnightsTours::closed(rows, cols), count);
        }
    }

    #[test]
    fn larger_closed_tours_by_square() {
        let count = |rows, cols| KnightsTours::closed(rows, cols).visit(Encoding::Square, Count);
        assert_eq!(count(5, 8), Ok(44202u32.into()));
        assert_eq!(count(6, 7), Ok(1067638u32.into()));
    }

    #[test]
    #[ignore = "takes seconds"]
    fn large_tours_by_square() {
        let closed = KnightsTours::closed(6, 8).visit(Encoding::Square, Count);
        assert_eq!(closed, Ok(55488142u32.into()));
        let open = KnightsTours::open(6, 6).visit(Encoding::Square, Count);
        assert_eq!(open, Ok(3318960u32.into())); // A165134 counts both directions
    }

    /// A169696, A079137 and A083386 by board.
    #[test]
    fn open_tours() {
        for (rows, cols, count) in [
            (0, 3, 0),
            (1, 1, 1),
            (1, 2, 0),
            (3, 3, 0),
            (3, 4, 8),
            (4, 3, 8),
            (3, 5, 0),
            (3, 6, 0),
            (3, 7, 52),
            (3, 8, 396),
            (4, 5, 82),
            (5, 5, 864),
            (5, 6, 18784),
        ] {
            check(&KnightsTours::open(rows, cols), count);
        }
    }

    #[test]
    fn fixed_ends_add_up() {
        let board = Board::new(3, 4);
        let mut directed = BigUint::ZERO;
        let mut pairs = BigUint::ZERO;
        for a in board.squares() {
            let from = KnightsTours::open(3, 4).from(a);
            let to = KnightsTours::open(3, 4).to(a);
            let count = from.visit(Encoding::Square, Count).unwrap();
            assert_eq!(to.visit(Encoding::Edge, Count).as_ref(), Ok(&count));
            directed += count;
            for b in board.squares().filter(|&b| a < b) {
                pairs += from.clone().to(b).visit(Encoding::Edge, Count).unwrap();
            }
        }
        assert_eq!(directed, 16u32.into());
        assert_eq!(pairs, 8u32.into());
    }

    #[test]
    fn solutions_are_tours_of_the_real_board() {
        let corner = "a3".parse().unwrap();
        for tours in [
            KnightsTours::closed(3, 10),
            KnightsTours::closed(6, 5),
            KnightsTours::open(4, 3),
            KnightsTours::open(3, 7),
            KnightsTours::open(5, 4).from(corner),
            KnightsTours::open(3, 4).to(corner),
            KnightsTours::open(1, 1),
        ] {
            let mut found = Vec::new();
            for encoding in [Encoding::Edge, Encoding::Square] {
                let zdd = build(&tours, encoding);
                let mut squares: Vec<_> =
                    zdd.iter().map(|values| tours.to_squares(encoding, &values).unwrap()).collect();
                assert!(!squares.is_empty());
                for tour in &squares {
                    assert_eq!(tours.validate(tour), Ok(()));
                }
                squares.sort();
                found.push(squares);
            }
            assert_eq!(found[0], found[1]);
            assert!(found[0].windows(2).all(|pair| pair[0] != pair[1]));
        }
    }

    #[test]
    fn impossible_wishes_are_errors() {
        let [a1, b3, d4] = ["a1", "b3", "d4"].map(|name| name.parse::<Square>().unwrap());
        let error = |tours: KnightsTours| tours.visit(Encoding::Square, Count).unwrap_err();
        assert_eq!(
            error(KnightsTours::open(3, 4).from(a1).to(a1)),
            KnightsError::SameEnds { square: a1 }
        );
        assert_eq!(error(KnightsTours::closed(3, 4).from(b3)), KnightsError::EndsOfClosed);
        assert!(matches!(error(KnightsTours::open(3, 4).to(d4)), KnightsError::OffBoard(_)));
        assert!(matches!(error(KnightsTours::open(0, 4).to(a1)), KnightsError::OffBoard(_)));
        assert!(matches!(
            error(KnightsTours::open(usize::MAX, 4)),
            KnightsError::TooManySquares { .. }
        ));
        assert!(matches!(error(KnightsTours::open(300, 300)), KnightsError::TooWide(_)));
    }

    #[test]
    fn flaws_of_tours_are_named() {
        let tours = KnightsTours::open(3, 4);
        let zdd = build(&tours, Encoding::Edge);
        let tour = tours.to_squares(Encoding::Edge, &zdd.iter().next().unwrap()).unwrap();
        assert_eq!(tours.validate(&tour), Ok(()));
        assert_eq!(tours.validate(&tour[1..]), Err(TourFlaw::Incomplete { visited: 11 }));
        assert_eq!(tours.validate(&[]), Err(TourFlaw::Incomplete { visited: 0 }));
        let twice = [&tour[..], &tour[..1]].concat();
        assert_eq!(tours.validate(&twice), Err(TourFlaw::Repeated { square: tour[0] }));
        let mut swapped = tour.clone();
        swapped.swap(0, 1);
        assert!(matches!(tours.validate(&swapped), Err(TourFlaw::NotAMove { .. })));
        let elsewhere = tours.clone().from(tour[5]);
        let wrong = TourFlaw::WrongEnd { wanted: tour[5], found: tour[0] };
        assert_eq!(elsewhere.validate(&tour), Err(wrong));
        let closed = KnightsTours::closed(3, 4);
        assert!(matches!(closed.validate(&tour), Err(TourFlaw::NotAMove { .. })));
        let off = TourFlaw::OffBoard { square: tour[0] };
        assert_eq!(KnightsTours::open(0, 0).validate(&tour), Err(off));
    }
}
