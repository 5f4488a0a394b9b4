//! Knight's tours: every square once, by knight's moves.
//!
//! [`KnightsTours`] says which tours of which board. They are the Hamiltonian cycles and
//! paths of the graph of the knight's moves, so the specs are those of
//! [`graph`](crate::graph): [`ByEdge`](Encoding::ByEdge), one variable per move there and
//! back, or [`ByVertex`](Encoding::ByVertex), one variable per square that says which
//! moves to later squares are taken, with fewer levels and fewer states.
//!
//! [`KnightsTours::visit`] makes the spec. [`KnightsTours::walks`] gives the [`Walks`]
//! that solutions are read with and tours are judged by, in vertices, and
//! [`to_squares`](KnightsTours::to_squares) and [`to_vertices`](KnightsTours::to_vertices)
//! translate.

use std::sync::{Arc, OnceLock};

use thiserror::Error;
use topdd::{DdSpec, Step};

use super::board::{Board, BoardError, Square};
use crate::SpecVisitor;
use crate::graph::{Graph, Walks, inverse, narrow_order};

/// What the variables of a spec for [`KnightsTours`] are: the edges of a graph are the
/// moves of the knight, there and back, and its vertices are the squares.
#[doc(inline)]
pub use crate::graph::Encoding;

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
/// let walks = tours.walks()?;
/// let zdd = topdd::zdd(&ByVertex::<1>::new(&walks)?)?;
/// assert_eq!(zdd.count(), 8u32.into());
///
/// for solution in zdd.iter() {
///     let tour = tours.to_squares(&walks.to_sequence(Encoding::ByVertex, &solution)?);
///     println!("{}", tours.board().draw_tour(&tour));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnightsTours {
    board: Board,
    closed: bool,
    from: Option<Square>,
    to: Option<Square>,
    numbering: Numbering,
}

/// The order of the squares, found when it is first asked for. It follows from the board,
/// so that of two equal `KnightsTours` one may know it and the other not yet.
#[derive(Clone, Debug, Default)]
struct Numbering(OnceLock<Option<Arc<Order>>>);

impl PartialEq for Numbering {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Numbering {}

/// An order of the squares that is not line by line: places are the numbers that squares
/// have line by line.
#[derive(Debug)]
struct Order {
    /// The place of each vertex.
    places: Vec<usize>,
    /// The vertex of each place.
    vertices: Vec<usize>,
}

/// Why there is no spec for these [`KnightsTours`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KnightsError {
    /// The board has more squares than can be planned for.
    #[error(
        "a {board} board is too large for knight's tours: with a shorter side of {side} there \
         can be at most {most} squares; use a narrower or a smaller one",
        side = .board.rows.min(.board.cols)
    )]
    TooLarge {
        /// The board.
        board: Board,
        /// The most squares there can be on boards as wide.
        most: usize,
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
}

/// The most squares of a board whose states are one word each, and so many times fewer
/// where they are larger: a spec keeps a few words for each square, and as many more as
/// there are words in a state. Nobody could wait for the counts of a wide board this
/// size; those of a narrow one are within reach.
const MAX_SQUARES: usize = 1 << 20;

/// The most squares where it is known that there is no tour, so that all that is kept of
/// a square is how many values its variable has.
const MAX_SQUARES_WITHOUT_TOURS: usize = 1 << 24;

impl KnightsTours {
    /// The closed tours of a board.
    pub fn closed(rows: usize, cols: usize) -> Self {
        Self {
            board: Board::new(rows, cols),
            closed: true,
            from: None,
            to: None,
            numbering: Numbering::default(),
        }
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

    /// The order of the squares, if it is not line by line.
    fn order(&self) -> Option<&Order> {
        let find = || {
            let Board { rows, cols } = self.board;
            self.check_squares(MAX_SQUARES).ok()?;
            let places = narrow_order(&Graph::knight(rows.max(cols), rows.min(cols)))?;
            let vertices = inverse(&places);
            Some(Arc::new(Order { places, vertices }))
        };
        self.numbering.0.get_or_init(find).as_deref()
    }

    /// Whether lines are columns. They go along the shorter side, so that the frontier is
    /// narrow: it takes about two lines.
    fn by_column(&self) -> bool {
        self.board.rows < self.board.cols
    }

    /// The number of a square as a vertex of [`walks`](KnightsTours::walks).
    ///
    /// # Errors
    ///
    /// [`BoardError::OffBoard`] if it is not on the board.
    fn to_vertex(&self, square: Square) -> Result<usize, BoardError> {
        let Square { row, col } = self.board.check(square)?;
        let Board { rows, cols } = self.board;
        let place = if self.by_column() { col * rows + row } else { row * cols + col };
        Ok(self.order().map_or(place, |order| order.vertices[place]))
    }

    /// The squares of these vertices of [`walks`](KnightsTours::walks), which gives the
    /// vertices of a solution in the order they are passed:
    /// [`Walks::to_sequence`].
    ///
    /// A closed tour starts in the corner `a1`, and `a1` is not repeated at the end. An
    /// open one starts on its [`from`](KnightsTours::from) or ends on its
    /// [`to`](KnightsTours::to) where these are given.
    ///
    /// # Panics
    ///
    /// If a number is not that of a square of the board.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_problems::chess::{KnightsTours, Square};
    ///
    /// let tours = KnightsTours::closed(6, 6);
    /// assert_eq!(tours.to_squares(&[0]), ["a1".parse::<Square>().expect("a square")]);
    /// ```
    pub fn to_squares(&self, vertices: &[usize]) -> Vec<Square> {
        let Board { rows, cols } = self.board;
        let order = self.order();
        let square = |&vertex: &usize| {
            let on_board = vertex < rows.saturating_mul(cols);
            assert!(on_board, "{vertex} is no square of {}", self.board);
            let place = order.map_or(vertex, |order| order.places[vertex]);
            if self.by_column() {
                Square::new(place % rows, place / rows)
            } else {
                Square::new(place / cols, place % cols)
            }
        };
        vertices.iter().map(square).collect()
    }

    /// The vertices of [`walks`](KnightsTours::walks) that these squares are, for
    /// [`Walks::validate`] to judge a tour by the definition alone: every square of the
    /// board once, each a knight's move from the one before, and from the last to the
    /// first if it is closed; the ends where they were asked for.
    ///
    /// # Errors
    ///
    /// [`BoardError::OffBoard`] if a square is not on the board.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_problems::chess::{KnightsTours, Square};
    /// use topdd_problems::graph::Flaw;
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
        squares.iter().map(|&square| self.to_vertex(square)).collect()
    }

    /// The tours as paths or cycles of a graph: what to make
    /// [`ByEdge`](crate::graph::ByEdge) and [`ByVertex`](crate::graph::ByVertex) of.
    ///
    /// Square `a1` is vertex 0. The others are numbered in an order that is looked for
    /// when it is first needed, which takes a fraction of a second, such that specs have
    /// few states: where that is better by far than going along the shorter side of the
    /// board, row by row if there are no fewer rows than columns and column by column
    /// otherwise, as it is done on boards that are narrow or very large.
    /// [`to_vertices`](KnightsTours::to_vertices) tells the numbers.
    ///
    /// # Errors
    ///
    /// A [`KnightsError`] if the ends make no sense or the board has more than 2<sup>20</sup>
    /// squares.
    pub fn walks(&self) -> Result<Walks, KnightsError> {
        self.check_ends()?;
        let Board { rows, cols } = self.board;
        self.check_squares(MAX_SQUARES)?;
        let mut walks = self.free(rows.max(cols), rows.min(cols), self.order());
        if let Some(square) = self.from {
            walks = walks.from(self.to_vertex(square)?);
        }
        if let Some(square) = self.to {
            walks = walks.to(self.to_vertex(square)?);
        }
        Ok(walks)
    }

    /// The tours of a board so long and so wide, with any ends.
    fn free(&self, long: usize, wide: usize, order: Option<&Order>) -> Walks {
        let mut moves = Graph::knight(long, wide);
        if let Some(order) = order {
            moves = moves.reordered(&order.places);
        }
        if self.closed { Walks::hamiltonian_cycles(moves) } else { Walks::hamiltonian_paths(moves) }
    }

    fn check_ends(&self) -> Result<(), KnightsError> {
        if self.closed && (self.from.is_some() || self.to.is_some()) {
            return Err(KnightsError::EndsOfClosed);
        }
        if let Some(square) = self.from.filter(|_| self.from == self.to) {
            return Err(KnightsError::SameEnds { square });
        }
        for square in [self.from, self.to].into_iter().flatten() {
            self.board.check(square)?;
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

    /// The most squares of a board as wide as this that [`visit`](KnightsTours::visit)
    /// makes a spec of. So few that the states of any are of a width that is to be had.
    fn most_squares(&self, encoding: Encoding) -> usize {
        // The frontier of a few lines is as wide as that of many, and no order is taken that
        // has a wider one than that line by line. A board that is wider
        // than this has too many squares anyway.
        let wide = self.board.rows.min(self.board.cols).min(1 << 10);
        MAX_SQUARES / self.free(8, wide, None).words(encoding)
    }

    /// Whether it is known without looking that there is no such tour, because the board
    /// is too narrow or by the colours of the squares, which alternate. `false` says
    /// nothing.
    ///
    /// A. J. Schwenk, *Which rectangular chessboards have a knight's tour?*, Mathematics
    /// Magazine 64 (1991) says exactly which boards have no closed tour: these, and those
    /// of 3x4, 3x6 and 3x8 squares.
    fn none_is_possible(&self) -> bool {
        let Board { rows, cols } = self.board;
        let wide = rows.min(cols);
        let odd = rows % 2 == 1 && cols % 2 == 1;
        if self.closed {
            return odd || matches!(wide, 0 | 1 | 2 | 4);
        }
        // The corner is dark, and of an odd number of squares one more is dark than light.
        let light = |end: Option<Square>| end.map(|Square { row, col }| (row ^ col) % 2 == 1);
        let wrong_colours = match (light(self.from), light(self.to)) {
            (Some(from), Some(to)) if !odd => from == to,
            (from, to) => odd && (from == Some(true) || to == Some(true)),
        };
        wrong_colours || wide == 0 || wide <= 2 && (rows, cols) != (1, 1)
    }

    /// Makes the spec with states as small as they can be and gives it to a visitor.
    ///
    /// Where it is plain that there is no tour, because the board is too narrow or has the
    /// wrong number of squares, the spec has no states, and the board may be larger than
    /// otherwise.
    ///
    /// # Errors
    ///
    /// A [`KnightsError`] if the ends make no sense or the board is too large: one with
    /// more than 2<sup>20</sup> squares, or fewer where it is wide. What is too large could
    /// not be swept over in a lifetime.
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
    /// let zdd = KnightsTours::closed(3, 10).visit(Encoding::ByEdge, Build)??;
    /// assert_eq!(zdd.count(), 16u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn visit<V: SpecVisitor>(
        &self,
        encoding: Encoding,
        visitor: V,
    ) -> Result<V::Output, KnightsError> {
        self.check_ends()?;
        if self.none_is_possible() {
            self.check_squares(MAX_SQUARES_WITHOUT_TOURS)?;
            return Ok(visitor.visit(NoTours::on(self, encoding)));
        }
        let most = self.most_squares(encoding);
        self.check_squares(most)?;
        // The ends are checked, so that only the width is left to complain about.
        let too_large = |_| KnightsError::TooLarge { board: self.board, most };
        self.walks()?.visit(encoding, visitor).map_err(too_large)
    }
}

/// The spec of a board without tours: the variables of the others, and no solution.
struct NoTours<'t> {
    encoding: Encoding,
    long: usize,
    wide: usize,
    order: Option<&'t Order>,
    variables: usize,
}

impl<'t> NoTours<'t> {
    fn on(tours: &'t KnightsTours, encoding: Encoding) -> Self {
        let board = tours.board;
        let (long, wide) = (board.rows.max(board.cols), board.rows.min(board.cols));
        // Two ways to go down, each from all columns but some and from all lines but some.
        let moves = |down: usize, across: usize| {
            2 * long.saturating_sub(down) * wide.saturating_sub(across)
        };
        let variables = match encoding {
            Encoding::ByEdge => moves(1, 2) + moves(2, 1),
            Encoding::ByVertex => long * wide,
        };
        NoTours { encoding, long, wide, order: tours.order(), variables }
    }
}

impl DdSpec for NoTours<'_> {
    type State = ();

    fn num_vars(&self) -> usize {
        self.variables
    }

    fn arity(&self, variable: usize) -> usize {
        match self.encoding {
            Encoding::ByEdge => 2,
            Encoding::ByVertex => {
                let place = self.order.map_or(variable, |order| order.places[variable]);
                let (line, place) = (place / self.wide, place % self.wide);
                let is_later = |down: isize, across: isize| {
                    let line = line.checked_add_signed(down).filter(|&line| line < self.long);
                    let place = place.checked_add_signed(across).filter(|&p| p < self.wide);
                    line.zip(place).is_some_and(|(line, place)| {
                        let place = line * self.wide + place;
                        self.order.map_or(place, |order| order.vertices[place]) > variable
                    })
                };
                let moves = [(1, 2), (2, 1), (-1, 2), (-2, 1)];
                let later = moves
                    .into_iter()
                    .flat_map(|(down, across)| [(down, across), (down, -across)])
                    .filter(|&(down, across)| is_later(down, across))
                    .count();
                // None of them, one, or two.
                1 + later + later * later.saturating_sub(1) / 2
            }
        }
    }

    fn root(&self) -> Step<()> {
        Step::Zero
    }

    fn child(&self, (): &(), _: usize, _: usize) -> Step<()> {
        Step::Zero
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;
    use topdd::Zdd;

    use super::*;
    use crate::graph::{ByEdge, ByVertex, Flaw};

    const ENCODINGS: [Encoding; 2] = [Encoding::ByEdge, Encoding::ByVertex];

    struct Count;

    impl SpecVisitor for Count {
        type Output = BigUint;
        fn visit<S: DdSpec>(self, spec: S) -> BigUint {
            topdd::count(&spec).unwrap()
        }
    }

    /// All boards here are narrow; a type written out spares the compiler the others.
    fn build(walks: &Walks, encoding: Encoding) -> Zdd {
        match encoding {
            Encoding::ByEdge => topdd::zdd(&ByEdge::<1>::new(walks).unwrap()).unwrap(),
            Encoding::ByVertex => topdd::zdd(&ByVertex::<1>::new(walks).unwrap()).unwrap(),
        }
    }

    fn check(tours: &KnightsTours, expected: u64) {
        for encoding in ENCODINGS {
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
        let count = |rows, cols| KnightsTours::closed(rows, cols).visit(Encoding::ByVertex, Count);
        assert_eq!(count(5, 8), Ok(44202u32.into()));
        assert_eq!(count(6, 7), Ok(1067638u32.into()));
    }

    #[test]
    #[ignore = "takes seconds"]
    fn large_tours_by_square() {
        let closed = KnightsTours::closed(6, 8).visit(Encoding::ByVertex, Count);
        assert_eq!(closed, Ok(55488142u32.into()));
        let open = KnightsTours::open(6, 6).visit(Encoding::ByVertex, Count);
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
            let count = from.visit(Encoding::ByVertex, Count).unwrap();
            assert_eq!(to.visit(Encoding::ByEdge, Count).as_ref(), Ok(&count));
            directed += count;
            for b in board.squares().filter(|&b| a < b) {
                pairs += from.clone().to(b).visit(Encoding::ByEdge, Count).unwrap();
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
            let walks = tours.walks().unwrap();
            let found = ENCODINGS.map(|encoding| {
                let mut squares: Vec<Vec<Square>> = build(&walks, encoding)
                    .iter()
                    .map(|values| tours.to_squares(&walks.to_sequence(encoding, &values).unwrap()))
                    .collect();
                assert!(!squares.is_empty());
                for tour in &squares {
                    let vertices = tours.to_vertices(tour).unwrap();
                    assert_eq!(walks.validate(&vertices), Ok(()));
                    assert!(tour.windows(2).all(|pair| is_move(pair[0], pair[1])));
                    assert!(tours.from.is_none_or(|from| tour.first() == Some(&from)));
                    assert!(tours.to.is_none_or(|to| tour.last() == Some(&to)));
                }
                squares.sort();
                squares
            });
            assert_eq!(found[0], found[1]);
            assert!(found[0].windows(2).all(|pair| pair[0] != pair[1]));
        }
    }

    /// The move of the knight by its definition.
    fn is_move(from: Square, to: Square) -> bool {
        matches!((from.row.abs_diff(to.row), from.col.abs_diff(to.col)), (1, 2) | (2, 1))
    }

    /// So that what [`Walks::validate`] says of vertices is true of the board.
    #[test]
    fn the_graph_is_that_of_the_moves() {
        for (rows, cols) in [(1, 1), (3, 4), (4, 3), (2, 7), (6, 6), (5, 9)] {
            let tours = KnightsTours::open(rows, cols);
            let walks = tours.walks().unwrap();
            let squares: Vec<Square> = tours.board().squares().collect();
            let vertices = tours.to_vertices(&squares).unwrap();
            assert_eq!(tours.to_squares(&vertices), squares);
            for (&a, &from) in vertices.iter().zip(&squares) {
                for (&b, &to) in vertices.iter().zip(&squares) {
                    let joined = walks.graph().edge_number(a, b).is_some();
                    assert_eq!(joined, is_move(from, to), "{from} {to} on {}", tours.board());
                }
            }
        }
    }

    /// What is known without looking is what is found by looking, and the diagrams are
    /// equal, variables and all.
    #[test]
    fn what_is_known_to_be_impossible_is() {
        let mut known = 0;
        let mut check = |tours: &KnightsTours| {
            if tours.none_is_possible() {
                known += 1;
                for encoding in ENCODINGS {
                    let swept = build(&tours.walks().unwrap(), encoding);
                    assert!(swept.is_empty(), "{tours:?}");
                    let told = topdd::zdd(&NoTours::on(tours, encoding)).unwrap();
                    assert_eq!(told, swept, "{tours:?} {encoding:?}");
                }
            }
        };
        for rows in 0..=5 {
            for cols in 0..=5 {
                check(&KnightsTours::closed(rows, cols));
                let open = KnightsTours::open(rows, cols);
                check(&open);
                let ends = [(0, 0), (0, 1), (1, 2), (2, 3)].map(|(row, col)| Square::new(row, col));
                for a in ends.into_iter().filter(|&a| open.board().contains(a)) {
                    check(&open.clone().from(a));
                    check(&open.clone().to(a));
                    for b in ends.into_iter().filter(|&b| a != b && open.board().contains(b)) {
                        check(&open.clone().from(a).to(b));
                    }
                }
            }
        }
        assert!(known > 100, "{known}");
    }

    #[test]
    fn boards_without_tours_may_be_large() {
        for tours in [
            KnightsTours::closed(201, 20001),
            KnightsTours::closed(1, 10_000_000),
            KnightsTours::closed(4, 1 << 20),
            KnightsTours::open(2, 1 << 20),
            KnightsTours::open(2000, 2000).from(Square::new(0, 0)).to(Square::new(1, 1)),
        ] {
            for encoding in ENCODINGS {
                assert_eq!(tours.visit(encoding, Count), Ok(BigUint::ZERO), "{tours:?}");
            }
        }
    }

    #[test]
    fn boards_that_are_too_large_are_refused_before_anything_is_built() {
        struct NotReached;
        impl SpecVisitor for NotReached {
            type Output = ();
            fn visit<S: DdSpec>(self, spec: S) {
                panic!("a spec of {} variables", spec.num_vars());
            }
        }
        for (rows, cols) in [
            (200, 20000),
            (200, 5000),
            (5000, 200),
            (300, 300),
            (155, 156),
            (6, 1 << 20),
            (1 << 20, 1 << 20),
            (usize::MAX, 4),
            (usize::MAX, usize::MAX - 1),
        ] {
            for encoding in ENCODINGS {
                for tours in [KnightsTours::closed(rows, cols), KnightsTours::open(rows, cols)] {
                    let error = tours.visit(encoding, NotReached);
                    let refused = matches!(error, Err(KnightsError::TooLarge { .. }));
                    assert!(refused, "{tours:?} {encoding:?} {error:?}");
                }
            }
        }
        let error =
            KnightsTours::closed(200, 20000).visit(Encoding::ByEdge, NotReached).unwrap_err();
        let message = error.to_string();
        assert!(message.contains("200x20000") && message.contains("narrower"), "{message}");
        let walks = KnightsTours::closed(6, 1 << 20).walks();
        assert!(matches!(walks, Err(KnightsError::TooLarge { most: MAX_SQUARES, .. })));
    }

    /// Among the boards that are let through none is too wide for the states there are.
    #[test]
    fn boards_of_the_largest_size_have_states() {
        for encoding in ENCODINGS {
            let fits = |side: &usize| {
                let tours = KnightsTours::open(*side, *side);
                side * side <= tours.most_squares(encoding)
            };
            let widest = (2..1 << 10).take_while(fits).last().unwrap();
            assert!(widest > 100, "{widest}");
            assert!(KnightsTours::open(8, widest).free(8, widest, None).words(encoding) <= 64);
        }
    }

    #[test]
    fn impossible_wishes_are_errors() {
        let [a1, b3, d4] = ["a1", "b3", "d4"].map(|name| name.parse::<Square>().unwrap());
        let error = |tours: KnightsTours| tours.visit(Encoding::ByVertex, Count).unwrap_err();
        assert_eq!(
            error(KnightsTours::open(3, 4).from(a1).to(a1)),
            KnightsError::SameEnds { square: a1 }
        );
        assert_eq!(error(KnightsTours::closed(3, 4).from(b3)), KnightsError::EndsOfClosed);
        assert!(matches!(error(KnightsTours::open(3, 4).to(d4)), KnightsError::OffBoard(_)));
        assert!(matches!(error(KnightsTours::open(0, 4).to(a1)), KnightsError::OffBoard(_)));
    }

    #[test]
    fn flaws_of_tours_are_named() {
        let tours = KnightsTours::open(3, 4);
        let walks = tours.walks().unwrap();
        let solution = build(&walks, Encoding::ByEdge).iter().next().unwrap();
        let tour = tours.to_squares(&walks.to_sequence(Encoding::ByEdge, &solution).unwrap());
        let judge = |tours: &KnightsTours, tour: &[Square]| {
            tours.walks().unwrap().validate(&tours.to_vertices(tour).unwrap())
        };
        assert_eq!(judge(&tours, &tour), Ok(()));
        assert_eq!(judge(&tours, &tour[1..]), Err(Flaw::TooShort { given: 11, least: 12 }));
        let elsewhere = tours.clone().from(tour[5]);
        assert!(matches!(judge(&elsewhere, &tour), Err(Flaw::WrongEnd { .. })));
        let closed = KnightsTours::closed(3, 4);
        assert!(matches!(judge(&closed, &tour), Err(Flaw::NoEdge { .. })));
        let small = KnightsTours::open(3, 3);
        assert!(matches!(small.to_vertices(&tour), Err(BoardError::OffBoard { .. })));
    }
}
