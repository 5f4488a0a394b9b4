//! Pieces that do not attack one another: kings, queens, rooks, bishops, knights.
//!
//! [`Pieces`] is the problem: a [`Piece`], a number of pieces, and a board. Its spec has one
//! two-valued variable per square, row by row from `a1`; its value is 1 if the square has a piece.
//! For symmetric placements, a variable represents an orbit of squares under the symmetries, at the
//! position of its first square. No variable is skipped, so that the solutions are the same as a
//! ZDD and as a BDD.
//!
//! The state contains the attacked squares among the undecided ones, the number of pieces if it is
//! given, and for maximal placements the decided squares that are empty and not yet attacked.
//! It has one bit for each undecided square that a decided square can attack: about a row for
//! kings, two rows for knights, up to the whole board for the others. [`maximal`](Pieces::maximal)
//! placements of kings and knights take twice as many bits, and
//! [`symmetric`](Pieces::symmetric) placements a half or a quarter.

mod by_square;
#[cfg(test)]
mod tests;

use super::board::{Board, BoardError, Square};
use super::symmetry::{Classes, Symmetry};
use by_square::{BoardPlan, BySquare, MAX_BITS, items};
use std::fmt;
use thiserror::Error;
use topdd::{BigUint, BoxedSpec, Frontier, Weights, Zdd};

//
// The spec is independent of chess: `plan` converts the board to *items* that conflict. An item is
// an orbit of squares under the symmetries.

/// The maximum number of squares of a board.
const MAX_SQUARES: usize = 1 << 12;

/// Placements of pieces of one kind on a board, none attacking another.
///
/// Any number of pieces, including none, unless [`exactly`](Pieces::exactly) sets it.
/// Pieces attack over forbidden squares as over any other.
///
/// ```
/// use topdd_chess::{Board, Piece, Pieces};
///
/// let bishops = Pieces::new(Piece::Bishop, Board::new(4, 4));
/// assert_eq!(bishops.clone().exactly(4).count()?, 260u32.into());
///
/// // The maximum number of pieces, and the number of placements of that many.
/// let zdd = bishops.zdd()?;
/// assert_eq!(bishops.most(&zdd), Some(6));
/// assert_eq!(bishops.exactly(6).count()?, 16u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pieces {
    piece: Piece,
    board: Board,
    toroidal: bool,
    given: Vec<Square>,
    forbidden: Vec<Square>,
    number: Option<usize>,
    maximal: bool,
    symmetries: Vec<Symmetry>,
}

impl Pieces {
    /// Makes the problem of any number of the given pieces on a board.
    pub fn new(piece: Piece, board: Board) -> Self {
        Pieces {
            piece,
            board,
            toroidal: false,
            given: Vec::new(),
            forbidden: Vec::new(),
            number: None,
            maximal: false,
            symmetries: Vec::new(),
        }
    }

    /// Requires exactly `number` pieces, including the given ones.
    ///
    /// ```
    /// use topdd_chess::{Board, Piece, Pieces};
    ///
    /// let five = Pieces::new(Piece::Queen, Board::new(6, 6)).exactly(5);
    /// assert_eq!(five.count()?, 248u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn exactly(mut self, number: usize) -> Self {
        self.number = Some(number);
        self
    }

    /// Allows any number of pieces, which is the default.
    ///
    /// ```
    /// use topdd_chess::{Board, Piece, Pieces};
    ///
    /// let rooks = Pieces::new(Piece::Rook, Board::new(2, 2)).exactly(2);
    /// assert_eq!((rooks.wanted(), rooks.count()?), (Some(2), 2u32.into()));
    /// let any = rooks.any();
    /// assert_eq!((any.wanted(), any.count()?), (None, 7u32.into())); // 1 + 4 + 2
    /// # Ok::<(), topdd_chess::PiecesError>(())
    /// ```
    pub fn any(mut self) -> Self {
        self.number = None;
        self
    }

    /// Returns the number of pieces, if [`exactly`](Pieces::exactly) sets it.
    pub fn wanted(&self) -> Option<usize> {
        self.number
    }

    /// Sets whether placements must be maximal: no piece can be added on a square that is not
    /// forbidden. The default is `false`.
    ///
    /// With [`exactly`](Pieces::exactly), placements have that number of pieces and are maximal.
    ///
    /// ```
    /// use topdd_chess::{Board, Piece, Pieces};
    ///
    /// // A king on b2 leaves no room, one in the corner leaves some.
    /// let kings = Pieces::new(Piece::King, Board::new(3, 3)).maximal(true).exactly(1);
    /// assert_eq!(kings.count()?, 1u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn maximal(mut self, maximal: bool) -> Self {
        self.maximal = maximal;
        self
    }

    /// Requires pieces on these squares, in addition to those required before.
    ///
    /// ```
    /// use topdd_chess::{Board, Piece, Pieces};
    ///
    /// let kings = Pieces::new(Piece::King, Board::new(3, 3));
    /// let kings = kings.given(["a1".parse()?]).forbid(["c3".parse()?]);
    /// assert_eq!(kings.count()?, 8u32.into()); // further ones on c1, c2, b3 and a3
    /// assert_eq!(kings.fixed(), (&["a1".parse()?][..], &["c3".parse()?][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn given(mut self, squares: impl IntoIterator<Item = Square>) -> Self {
        self.given.extend(squares);
        self
    }

    /// Forbids pieces on these squares, in addition to those forbidden before.
    pub fn forbid(mut self, squares: impl IntoIterator<Item = Square>) -> Self {
        self.forbidden.extend(squares);
        self
    }

    /// Sets whether the sides of the board are joined, and on a square board the top and the
    /// bottom, too. The default is `false`.
    ///
    /// ```
    /// use topdd_chess::{Board, Piece, Pieces};
    ///
    /// let kings = Pieces::new(Piece::King, Board::new(4, 4)).exactly(4);
    /// assert_eq!(kings.count()?, 79u32.into());
    /// assert!(kings.toroidal(true).count()? < 79u32.into());
    /// # Ok::<(), topdd_chess::PiecesError>(())
    /// ```
    pub fn toroidal(mut self, toroidal: bool) -> Self {
        self.toroidal = toroidal;
        self
    }

    /// Keeps only placements that these symmetries map onto themselves, in addition to symmetries
    /// required before.
    ///
    /// A placement may have more symmetries: a quarter turn implies a half turn.
    ///
    /// ```
    /// use topdd_chess::{Queens, Symmetry};
    ///
    /// // 12 queens that a half turn, or even a quarter turn, maps onto themselves.
    /// let queens = Queens::new(12).placements();
    /// let half = queens.clone().symmetric([Symmetry::Rotate180]);
    /// assert_eq!(half.count()?, 80u32.into());
    /// let quarter = queens.symmetric([Symmetry::Rotate90]);
    /// assert_eq!(quarter.count()?, 8u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn symmetric(mut self, symmetries: impl IntoIterator<Item = Symmetry>) -> Self {
        self.symmetries.extend(symmetries);
        self
    }

    /// Returns the board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Returns the squares that are given, and those that are forbidden.
    pub fn fixed(&self) -> (&[Square], &[Square]) {
        (&self.given, &self.forbidden)
    }

    /// Returns the piece.
    pub fn piece(&self) -> Piece {
        self.piece
    }

    /// Returns the number of variables of the spec: the number of squares, or of orbits of squares
    /// under the symmetries.
    ///
    /// # Errors
    ///
    /// See [`PiecesError`].
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_chess::{Board, Piece, Pieces, Symmetry};
    ///
    /// let kings = Pieces::new(Piece::King, Board::new(4, 4));
    /// assert_eq!(kings.num_vars()?, 16);
    /// assert_eq!(kings.symmetric([Symmetry::Rotate180]).num_vars()?, 8);
    /// # Ok::<(), topdd_chess::PiecesError>(())
    /// ```
    pub fn num_vars(&self) -> Result<usize, PiecesError> {
        Ok(items(self.board, &self.symmetries)?.len())
    }

    /// Makes the spec, to combine it with others, to search it, or to check it.
    ///
    /// The spec decodes a state in each call. [`frontier`](Pieces::frontier),
    /// [`count`](Pieces::count) and [`zdd`](Pieces::zdd) do not, and are faster.
    ///
    /// # Errors
    ///
    /// See [`PiecesError`]. A state has at most 256 bits.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd::Search;
    /// use topdd_chess::{Board, Piece, Pieces};
    ///
    /// let knights = Pieces::new(Piece::Knight, Board::new(6, 6)).exactly(18);
    /// let spec = knights.spec()?;
    /// let solution = Search::over(&spec).first()?.expect("all squares of one colour");
    /// assert!(knights.is_solution(&knights.squares(&solution)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spec(&self) -> Result<BoxedSpec<'static>, PiecesError> {
        Ok(self.frontier()?.into_spec()?)
    }

    /// Makes a sweep over the spec, to set limits, threads or a checkpoint before
    /// building a diagram or counting.
    ///
    /// # Errors
    ///
    /// The errors of [`spec`](Pieces::spec).
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_chess::{Board, Piece, Pieces};
    ///
    /// let mut frontier = Pieces::new(Piece::King, Board::new(5, 5)).frontier()?.threads(1);
    /// assert_eq!(frontier.count()?, 6427u32.into());
    /// println!("{}", frontier.report());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn frontier(&self) -> Result<Frontier<'static>, PiecesError> {
        Ok(Frontier::of_arrays(BySquare::new(&self.plan()?, self)))
    }

    /// Builds the diagram of all placements. [`squares`](Pieces::squares) converts a solution to
    /// squares.
    ///
    /// # Errors
    ///
    /// [`PiecesError::Build`] if the sweep fails; otherwise as for [`spec`](Pieces::spec).
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_chess::{Board, Piece, Pieces};
    ///
    /// let rooks = Pieces::new(Piece::Rook, Board::new(3, 3)).exactly(3);
    /// for solution in &rooks.zdd()? {
    ///     assert!(rooks.is_solution(&rooks.squares(&solution)?));
    /// }
    /// # Ok::<(), topdd_chess::PiecesError>(())
    /// ```
    pub fn zdd(&self) -> Result<Zdd, PiecesError> {
        Ok(self.frontier()?.zdd()?)
    }

    /// Counts the placements without a diagram.
    ///
    /// # Errors
    ///
    /// The errors of [`zdd`](Pieces::zdd).
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_chess::{Board, Piece, Pieces};
    ///
    /// let rooks = Pieces::new(Piece::Rook, Board::new(5, 5)).exactly(5);
    /// assert_eq!(rooks.count()?, 120u32.into());
    /// # Ok::<(), topdd_chess::PiecesError>(())
    /// ```
    pub fn count(&self) -> Result<BigUint, PiecesError> {
        Ok(self.frontier()?.count()?)
    }

    /// Returns the squares of the pieces of a solution, row by row; `solution` has one value for each
    /// variable, as the diagram of the spec lists them.
    ///
    /// # Errors
    ///
    /// See [`PiecesError`].
    pub fn squares(&self, solution: &[usize]) -> Result<Vec<Square>, PiecesError> {
        let items = items(self.board, &self.symmetries)?;
        let taken = items.into_iter().zip(solution).filter(|&(_, &value)| value != 0);
        let mut squares: Vec<Square> = taken.flat_map(|(squares, _)| squares).collect();
        squares.sort_unstable();
        Ok(squares)
    }

    /// Returns the largest number of pieces in a solution of the diagram of the spec; `None` if it
    /// has none, or is of another spec. Cost: one pass over the
    /// diagram.
    pub fn most(&self, solutions: &Zdd) -> Option<usize> {
        let items = items(self.board, &self.symmetries).ok()?;
        // Items have at most eight squares.
        let sizes = Weights::of_ones(
            items.iter().map(|item| i64::try_from(item.len()).unwrap_or(i64::MAX)),
        );
        let most = solutions.maximum(&sizes).ok()?;
        usize::try_from(most.weight).ok()
    }

    /// Returns the classes of placements under the symmetries of the problem. See [`Classes`]. Cost:
    /// linear in the number of squares.
    ///
    /// ```
    /// use topdd_chess::{Board, Piece, Pieces};
    ///
    /// let rooks = Pieces::new(Piece::Rook, Board::new(4, 4)).exactly(4);
    /// let number = rooks.classes()?.count(|symmetry| rooks.clone().symmetric([symmetry]).count())?;
    /// assert_eq!(number, 7u32.into()); // of 24
    /// # Ok::<(), topdd_chess::PiecesError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`PiecesError`].
    pub fn classes(&self) -> Result<Classes, PiecesError> {
        let board = self.board;
        let mut items = items(board, &self.symmetries)?;
        items.sort_unstable();
        let set = |squares: &[Square]| {
            let mut set = squares.to_vec();
            set.sort_unstable();
            set.dedup();
            set
        };
        let (given, forbidden) = (set(&self.given), set(&self.forbidden));
        Ok(Classes::under(board, |symmetry| {
            let keeps = |set: &Vec<Square>| symmetry.image(board, set).as_ref() == Some(set);
            let images = items.iter().map(|item| symmetry.image(board, item));
            let mut images: Vec<_> = images.map(Option::unwrap_or_default).collect();
            images.sort_unstable();
            keeps(&given) && keeps(&forbidden) && images == items
        }))
    }

    /// Returns whether pieces on these squares, each named once, in any order, are a solution.
    ///
    /// Checks the definition, pair by pair, and shares no code with the spec.
    /// Cost: quadratic in the number of pieces; for maximal placements, also proportional to
    /// the number of squares times the number of pieces.
    pub fn is_solution(&self, pieces: &[Square]) -> bool {
        let attack = |one, other| self.attack(one, other);
        let taken = |square: &Square| pieces.contains(square);
        let room = |square: Square| {
            let free = !taken(&square) && !self.forbidden.contains(&square);
            free && !pieces.iter().any(|&piece| attack(piece, square))
        };
        let symmetric = |symmetry: &Symmetry| {
            pieces.iter().all(|&piece| symmetry.of(self.board, piece).as_ref().is_some_and(taken))
        };
        self.number.is_none_or(|number| pieces.len() == number)
            && pieces.iter().all(|&piece| self.board.contains(piece))
            && self.given.iter().all(taken)
            && !self.forbidden.iter().any(taken)
            && pieces.iter().enumerate().all(|(later, &one)| {
                pieces[..later].iter().all(|&other| one != other && !attack(one, other))
            })
            && !(self.maximal && self.board.squares().any(room))
            && self.symmetries.iter().all(symmetric)
    }

    fn attack(&self, one: Square, other: Square) -> bool {
        self.piece.attacks(self.board, self.toroidal, one, other)
    }

    /// Returns an error if given and forbidden squares contradict one another.
    pub(super) fn check(&self) -> Result<(), PiecesError> {
        for &square in self.given.iter().chain(&self.forbidden) {
            self.board.check(square)?;
        }
        for (place, &one) in self.given.iter().enumerate() {
            if self.forbidden.contains(&one) {
                return Err(PiecesError::GivenAndForbidden { square: one });
            }
            // A square that is given twice counts once.
            let attacked = |&&other: &&Square| self.attack(one, other);
            if let Some(&other) = self.given[..place].iter().find(attacked) {
                return Err(PiecesError::GivenAttack { piece: self.piece, one: other, other: one });
            }
        }
        Ok(())
    }

    /// Returns the items and their conflicts, or an error for invalid parameters.
    fn plan(&self) -> Result<BoardPlan, PiecesError> {
        let items = items(self.board, &self.symmetries)?;
        self.check()?;
        let plan = BoardPlan::new(self, items);
        let (bits, most) = (plan.period(self.maximal), MAX_BITS);
        if bits > most {
            let (board, piece) = (self.board, self.piece);
            return Err(PiecesError::TooWide { board, piece, bits, most });
        }
        Ok(plan)
    }
}

/// The reason why [`Pieces`] are not solved: an invalid parameter, or a failed sweep.
///
/// ```
/// use topdd_chess::{Board, Piece, Pieces, PiecesError, Square};
///
/// let [a1, a8] = [Square::new(0, 0), Square::new(7, 0)];
/// let rooks = Pieces::new(Piece::Rook, Board::new(8, 8)).given([a1, a8]);
/// let attack = PiecesError::GivenAttack { piece: Piece::Rook, one: a1, other: a8 };
/// assert_eq!(rooks.count(), Err(attack));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PiecesError {
    /// The board has too many squares.
    #[error("a {board} board has too many squares; use one of at most {most}")]
    TooManySquares {
        /// The board.
        board: Board,
        /// The largest number of squares.
        most: usize,
    },
    /// Pieces attack so far that a state would need too many bits.
    #[error(
        "{piece} on a {board} board need states of {bits} bits, and there is room for {most}; \
         use a smaller board"
    )]
    TooWide {
        /// The board.
        board: Board,
        /// The piece.
        piece: Piece,
        /// The bits that a state would need.
        bits: usize,
        /// The bits that a state may have.
        most: usize,
    },
    /// The board has no such symmetry.
    #[error("a {board} board cannot be turned by 90 degrees; use a square one")]
    NotSquare {
        /// The board.
        board: Board,
    },
    /// A given or forbidden square is not on the board.
    #[error(transparent)]
    OffBoard(#[from] BoardError),
    /// A square is both given and forbidden.
    #[error("square {square} is both given and forbidden; leave out one of the two")]
    GivenAndForbidden {
        /// The square.
        square: Square,
    },
    /// Pieces on two given squares attack one another.
    #[error("{piece} on the given squares {one} and {other} attack one another; give others")]
    GivenAttack {
        /// The piece.
        piece: Piece,
        /// The square given first.
        one: Square,
        /// The square given later.
        other: Square,
    },
    /// The frontier engine failed.
    #[error(transparent)]
    Build(#[from] topdd::BuildError),
}

/// A piece of chess, as a set of attacked squares.
///
/// ```
/// use topdd_chess::{Board, Piece, Square};
///
/// let board = Board::new(8, 8);
/// let [a1, b3, c3] = ["a1", "b3", "c3"].map(|name| name.parse::<Square>().unwrap());
/// assert!(Piece::Knight.attacks(board, false, a1, b3));
/// assert!(Piece::Bishop.attacks(board, false, a1, c3));
/// assert!(!Piece::Queen.attacks(board, false, a1, b3));
/// assert!(Piece::Superqueen.attacks(board, false, a1, b3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Piece {
    /// Attacks one square in any direction.
    #[cfg_attr(feature = "serde", serde(rename = "kings"))]
    King,
    /// Attacks along rows, columns and diagonals.
    #[cfg_attr(feature = "serde", serde(rename = "queens"))]
    Queen,
    /// Attacks along rows and columns.
    #[cfg_attr(feature = "serde", serde(rename = "rooks"))]
    Rook,
    /// Attacks along diagonals.
    #[cfg_attr(feature = "serde", serde(rename = "bishops"))]
    Bishop,
    /// Attacks by leaps of two squares along one side and one along the other.
    #[cfg_attr(feature = "serde", serde(rename = "knights"))]
    Knight,
    /// Attacks as a queen and as a knight.
    #[cfg_attr(feature = "serde", serde(rename = "superqueens"))]
    Superqueen,
}

impl Piece {
    /// Returns the letter of the piece in notation and drawings, in upper case; superqueens share that
    /// of queens.
    pub fn letter(self) -> char {
        match self {
            Piece::King => 'K',
            Piece::Queen | Piece::Superqueen => 'Q',
            Piece::Rook => 'R',
            Piece::Bishop => 'B',
            Piece::Knight => 'N',
        }
    }

    /// Returns whether pieces on two squares of the board attack one another, if no piece is in
    /// between. A piece does not attack its own square.
    ///
    /// On a `toroidal` board the sides are joined, and if it is square, the top and the
    /// bottom, too; see [`Queens::toroidal`](crate::Queens::toroidal).
    pub fn attacks(self, board: Board, toroidal: bool, one: Square, other: Square) -> bool {
        if one == other {
            return false;
        }
        let way = SquareDistance {
            board,
            toroidal,
            rows: one.row.abs_diff(other.row),
            cols: one.col.abs_diff(other.col),
        };
        match self {
            Piece::King => way.is_leap(0, 1) || way.is_leap(1, 1),
            Piece::Queen => way.is_straight() || way.is_diagonal(),
            Piece::Rook => way.is_straight(),
            Piece::Bishop => way.is_diagonal(),
            Piece::Knight => way.is_leap(1, 2),
            Piece::Superqueen => way.is_straight() || way.is_diagonal() || way.is_leap(1, 2),
        }
    }
}

/// The name in the plural, in small letters: `kings`.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Piece::King => "kings",
            Piece::Queen => "queens",
            Piece::Rook => "rooks",
            Piece::Bishop => "bishops",
            Piece::Knight => "knights",
            Piece::Superqueen => "superqueens",
        })
    }
}

/// The distance of two squares.
struct SquareDistance {
    board: Board,
    toroidal: bool,
    rows: usize,
    cols: usize,
}

impl SquareDistance {
    fn is_straight(&self) -> bool {
        self.rows == 0 || self.cols == 0
    }

    fn is_diagonal(&self) -> bool {
        if self.toroidal {
            // Squares are on the board, so it has columns.
            let width = self.board.cols;
            self.rows % width == self.cols || (self.rows + self.cols).is_multiple_of(width)
        } else {
            self.rows == self.cols
        }
    }

    /// Whether it is `one` row and `other` columns, or the other way round.
    fn is_leap(&self, one: usize, other: usize) -> bool {
        let Board { rows, cols } = self.board;
        let side_to_side = |way, leap| way == leap || self.toroidal && joined(way, leap, cols);
        let up =
            |way, leap| way == leap || self.toroidal && rows == cols && joined(way, leap, rows);
        up(self.rows, one) && side_to_side(self.cols, other)
            || up(self.rows, other) && side_to_side(self.cols, one)
    }
}

/// Whether a leap over a board of this length, joined at its ends, goes this way, in
/// either direction.
fn joined(way: usize, leap: usize, length: usize) -> bool {
    let leap = leap % length;
    way == leap || (way + leap).is_multiple_of(length)
}
