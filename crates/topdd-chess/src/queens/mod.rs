//! Queens: one in each row, none attacking another.
//!
//! [`Queens`] says what is asked, [`ByRow`] and [`ByCell`] are the specs that answer it.
//!
//! - **By row** ([`Queens::by_row`]): one variable per row; its value is the column of
//!   that row's queen. The arity is the number of columns.
//! - **By cell** ([`Queens::by_cell`]): one two-valued variable per square, row by row;
//!   its value is 1 where a queen stands. The solutions are sets of squares.
//!
//! [`Queens::function`] and [`Queens::family`] are the classic formulation, for the apply
//! engine: the constraints of squares, rows of them, conjoined.
//!
//! Both specs visit every variable and answer the 1-terminal from the last one only, so they
//! mean the same as a ZDD and as a BDD. Their states are the same too: which columns and
//! which diagonals are taken, as three [`Mask`]s that move with the row; for
//! [superqueens](Queens::superqueens), two more for the knight's leaps.

#[cfg(feature = "apply")]
mod apply;
mod by_cell;
mod by_row;
mod colouring;
mod kind;
mod mask;
mod threats;

use std::marker::PhantomData;

use thiserror::Error;

pub use by_cell::ByCell;
pub use by_row::ByRow;
pub use colouring::Colourings;
pub use kind::{Kind, Plain, Super};
pub use mask::Mask;
pub use threats::{Leaps, Memory, Threats};

use super::board::{Board, Square};
use super::pieces::{Piece, Pieces, PiecesError};
use super::symmetry::Classes;
use threats::Rules;
use topdd_graph::SpecVisitor;

/// The largest number of rows a spec takes.
const MAX_ROWS: usize = 1 << 16;

/// What is asked: one queen in each row of a board, none attacking another.
///
/// Queens attack along columns and both diagonals; one in each row is meant by the
/// problem itself. There may be fewer rows than columns. With more rows than columns
/// there are no solutions, and on a board without rows there is one, the empty one.
///
/// Methods add to what is asked, and [`by_row`](Queens::by_row) or
/// [`by_cell`](Queens::by_cell) make a spec of it.
///
/// ```
/// use topdd_chess::Queens;
///
/// let queens = Queens::new(8).by_row()?;
/// let zdd = topdd::zdd(&queens)?;
/// assert_eq!(zdd.count(), 92u32.into());
///
/// let first = zdd.iter().next().unwrap();
/// assert_eq!(first, [0, 4, 7, 5, 2, 6, 1, 3]); // the columns, row by row
///
/// let corner = Queens::new(8).given(["a1".parse()?]).by_row()?;
/// assert_eq!(topdd::count(&corner)?, 4u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queens<K = Plain> {
    kind: PhantomData<K>,
    board: Board,
    given: Vec<Square>,
    forbidden: Vec<Square>,
    toroidal: bool,
    forward_check: bool,
}

impl Queens {
    /// `n` queens on a board of `n` rows and columns.
    pub fn new(n: usize) -> Self {
        Queens::on(n, n)
    }

    /// As many queens as rows on a board of these rows and columns.
    ///
    /// ```
    /// use topdd_chess::Queens;
    ///
    /// assert_eq!(topdd::count(&Queens::on(2, 8).by_row()?)?, 42u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on(rows: usize, cols: usize) -> Self {
        Queens {
            kind: PhantomData,
            board: Board::new(rows, cols),
            given: Vec::new(),
            forbidden: Vec::new(),
            toroidal: false,
            forward_check: true,
        }
    }

    /// Asks the same of superqueens, which attack as knights do, too.
    ///
    /// ```
    /// use topdd_chess::Queens;
    ///
    /// let superqueens = Queens::new(10).superqueens().by_row()?;
    /// assert_eq!(topdd::count(&superqueens)?, 4u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn superqueens(self) -> Queens<Super> {
        let Queens { board, given, forbidden, toroidal, forward_check, .. } = self;
        Queens { kind: PhantomData, board, given, forbidden, toroidal, forward_check }
    }
}

impl<K: Kind> Queens<K> {
    /// Asks for queens on these squares, besides those asked for before.
    pub fn given(mut self, squares: impl IntoIterator<Item = Square>) -> Self {
        self.given.extend(squares);
        self
    }

    /// Asks for no queen on these squares, besides those forbidden before.
    pub fn forbid(mut self, squares: impl IntoIterator<Item = Square>) -> Self {
        self.forbidden.extend(squares);
        self
    }

    /// Whether diagonals wrap around; they do not unless this is set.
    ///
    /// On a toroidal board of `n` columns, two queens whose rows are `k` apart attack
    /// one another if their columns are `k` apart modulo `n`, in either direction: a
    /// diagonal that leaves the board at one side comes back at the other. On a square
    /// board this makes the rows wrap around as well, for a diagonal that leaves at the
    /// top and comes back at the bottom has columns and rows shifted by the same `n`.
    /// On a board with fewer rows than columns only the sides are joined.
    ///
    /// ```
    /// use topdd_chess::Queens;
    ///
    /// let torus = Queens::new(7).toroidal(true).by_row()?;
    /// assert_eq!(topdd::count(&torus)?, 28u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn toroidal(mut self, toroidal: bool) -> Self {
        self.toroidal = toroidal;
        self
    }

    /// Whether states are dropped early that can be seen to lead nowhere; they are
    /// unless this is unset. The solutions are the same.
    ///
    /// The check looks at the free squares of all later rows: each must have one, and
    /// together they must lie in at least as many columns as there are rows, which on
    /// a square board means that every column without a queen still has a free square.
    /// By row, it leaves 8.5 of the 20.4 million states of 14 queens and halves the time.
    pub fn forward_check(mut self, forward_check: bool) -> Self {
        self.forward_check = forward_check;
        self
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The spec with one variable per row, with room for any board that can be done.
    ///
    /// # Errors
    ///
    /// See [`QueensError`].
    pub fn by_row(&self) -> Result<ByRow<u64, K>, QueensError> {
        self.by_row_in()
    }

    /// The spec with one variable per row, its state in three masks of type `M`.
    ///
    /// # Errors
    ///
    /// See [`QueensError`]; `M` says how many columns are too many.
    ///
    /// ```
    /// use topdd_chess::Queens;
    ///
    /// let small = Queens::new(8).by_row_in::<u16>()?; // six bytes a state
    /// assert_eq!(topdd::count(&small)?, 92u32.into());
    /// assert!(Queens::new(17).by_row_in::<u16>().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn by_row_in<M: Mask>(&self) -> Result<ByRow<M, K>, QueensError> {
        Ok(ByRow::new(self.rules()?))
    }

    /// The spec with one variable per square, with room for any board that can be done.
    ///
    /// # Errors
    ///
    /// See [`QueensError`].
    ///
    /// ```
    /// use topdd_chess::Queens;
    ///
    /// let zdd = topdd::zdd(&Queens::new(6).by_cell()?)?;
    /// assert_eq!(zdd.count(), 4u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn by_cell(&self) -> Result<ByCell<u64, K>, QueensError> {
        self.by_cell_in()
    }

    /// The spec with one variable per square, its state in three masks of type `M`.
    ///
    /// # Errors
    ///
    /// See [`QueensError`]; `M` says how many columns are too many.
    pub fn by_cell_in<M: Mask>(&self) -> Result<ByCell<M, K>, QueensError> {
        Ok(ByCell::new(self.rules()?))
    }

    /// Hands the spec of this encoding to `visitor`, with the narrowest states that
    /// have room for the board.
    ///
    /// # Errors
    ///
    /// See [`QueensError`].
    pub fn visit<V: SpecVisitor>(
        &self,
        encoding: Encoding,
        visitor: V,
    ) -> Result<V::Output, QueensError> {
        match self.board.cols {
            0..=16 => self.visit_in::<u16, V>(encoding, visitor),
            17..=32 => self.visit_in::<u32, V>(encoding, visitor),
            _ => self.visit_in::<u64, V>(encoding, visitor),
        }
    }

    fn visit_in<M: Mask, V: SpecVisitor>(
        &self,
        encoding: Encoding,
        visitor: V,
    ) -> Result<V::Output, QueensError> {
        Ok(match encoding {
            Encoding::Row => visitor.visit(self.by_row_in::<M>()?),
            Encoding::Cell => visitor.visit(self.by_cell_in::<M>()?),
        })
    }

    /// Whether queens on these squares, in any order, are a solution.
    ///
    /// Goes by the definition, pair by pair, and shares nothing with the specs.
    ///
    /// ```
    /// use topdd_chess::{Queens, Square};
    ///
    /// let squares = ["b1", "d2", "a3", "c4"].map(|name| name.parse::<Square>().unwrap());
    /// assert!(Queens::new(4).is_solution(&squares));
    /// assert!(!Queens::new(4).is_solution(&squares[..3]));
    /// ```
    pub fn is_solution(&self, queens: &[Square]) -> bool {
        let in_row = |row| queens.iter().filter(|queen| queen.row == row).count();
        queens.len() == self.board.rows
            && (0..self.board.rows).all(|row| in_row(row) == 1)
            && queens.iter().all(|&queen| self.board.contains(queen))
            && self.given.iter().all(|square| queens.contains(square))
            && !self.forbidden.iter().any(|square| queens.contains(square))
            && queens
                .iter()
                .enumerate()
                .all(|(later, &one)| queens[..later].iter().all(|&other| !self.attack(one, other)))
    }

    /// Whether queens on two different squares of the board attack one another.
    fn attack(&self, one: Square, other: Square) -> bool {
        K::PIECE.attacks(self.board, self.toroidal, one, other)
    }

    /// The same, for pieces that may stand anywhere: as many as the board has rows.
    ///
    /// From there on there may be fewer of them, or only symmetric ones. Queens in each row are
    /// counted faster by row.
    ///
    /// ```
    /// use topdd_chess::Queens;
    ///
    /// let placements = Queens::new(5).placements();
    /// assert_eq!(topdd::count(&placements.clone().by_square::<1>()?)?, 10u32.into());
    /// assert_eq!(topdd::count(&placements.number(2).by_square::<1>()?)?, 140u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn placements(&self) -> Pieces {
        Pieces::new(K::PIECE, self.board)
            .number(self.board.rows)
            .toroidal(self.toroidal)
            .given(self.given.iter().copied())
            .forbid(self.forbidden.iter().copied())
    }

    /// The solutions up to the symmetries of what is asked.
    ///
    /// # Errors
    ///
    /// See [`QueensError`].
    pub fn classes(&self) -> Result<Classes, QueensError> {
        Ok(self.placements().classes()?)
    }

    /// What the two specs share, or what is wrong with what is asked.
    fn rules<M: Mask>(&self) -> Result<Rules<M>, QueensError> {
        let board = self.board;
        if board.cols > M::BITS as usize {
            return Err(QueensError::TooManyColumns { board, most: M::BITS as usize });
        }
        if board.rows > MAX_ROWS {
            return Err(QueensError::TooManyRows { board, most: MAX_ROWS });
        }
        if self.toroidal && K::PIECE == Piece::Superqueen {
            return Err(QueensError::ToroidalSuperqueens);
        }
        self.placements().check()?;
        // The squares where a queen can stand at all: those that no given queen attacks.
        let open = |square: Square| {
            !self.forbidden.contains(&square)
                && self.given.iter().all(|&other| other == square || !self.attack(square, other))
        };
        Ok(Rules::new(board, self.toroidal, self.forward_check, open))
    }
}

/// How solutions are written as values of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// One variable per row; its value is the column of the queen. See [`ByRow`].
    Row,
    /// One two-valued variable per square, row by row. See [`ByCell`].
    Cell,
}

impl Encoding {
    /// The squares of the queens of a solution, row by row.
    ///
    /// `solution` holds a value for each variable, as the diagram of a spec of this
    /// encoding lists them.
    ///
    /// ```
    /// use topdd_chess::Board;
    /// use topdd_chess::queens::Encoding;
    ///
    /// let board = Board::new(2, 3);
    /// let queens = Encoding::Row.squares(board, &[0, 2]);
    /// assert_eq!(queens, Encoding::Cell.squares(board, &[1, 0, 0, 0, 0, 1]));
    /// assert_eq!(queens, ["a1".parse()?, "c2".parse()?]);
    /// # Ok::<(), topdd_chess::BoardError>(())
    /// ```
    pub fn squares(self, board: Board, solution: &[usize]) -> Vec<Square> {
        match self {
            Encoding::Row => {
                solution.iter().enumerate().map(|(row, &col)| Square { row, col }).collect()
            }
            Encoding::Cell => board
                .squares()
                .zip(solution)
                .filter_map(|(square, &value)| (value != 0).then_some(square))
                .collect(),
        }
    }
}

/// What is wrong with what is asked of [`Queens`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum QueensError {
    /// The board has more columns than a mask has bits.
    #[error("a {board} board has too many columns for queens; use one of at most {most}")]
    TooManyColumns {
        /// The board.
        board: Board,
        /// The largest number of columns: 64, or what a narrower mask asked for holds.
        most: usize,
    },
    /// The board has more than 65536 rows.
    #[error(
        "a {board} board has too many rows for queens; use one of at most {most} \
         (with more rows than columns there are no solutions)"
    )]
    TooManyRows {
        /// The board.
        board: Board,
        /// The largest number of rows.
        most: usize,
    },
    /// Superqueens are asked for on a toroidal board by row or by cell: there, those of the
    /// first two rows attack the last two, which no state keeps.
    #[error(
        "superqueens on a toroidal board are not solved by row or by cell; \
         use Queens::placements"
    )]
    ToroidalSuperqueens,
    /// The board has too many squares or solutions for [`Queens::colourings`].
    #[error(
        "a {board} board is too large to be coloured by disjoint solutions; \
         use one of at most 11x11"
    )]
    TooLargeToColour {
        /// The board.
        board: Board,
    },
    /// The frontier engine could not go on.
    #[error(transparent)]
    Build(#[from] topdd::Error),
    /// What is wrong with any placement of pieces, too, such as given squares that attack one
    /// another.
    #[error(transparent)]
    Pieces(#[from] PiecesError),
    /// The apply engine could not go on.
    #[cfg(feature = "apply")]
    #[error(transparent)]
    Apply(#[from] topdd_apply::Error),
}
