//! Queens: one in each row, none attacking another.
//!
//! [`Queens`] is the problem. [`Queens::count`], [`Queens::zdd`], [`Queens::frontier`] and
//! [`Queens::spec`] solve it, in one of two [`BoardEncoding`]s:
//!
//! - **By row** ([`BoardEncoding::Row`]): one variable per row; its value is the column of
//!   that row's queen. The arity is the number of columns.
//! - **By cell** ([`BoardEncoding::Cell`]): one two-valued variable per square, row by row;
//!   its value is 1 where a queen stands. The solutions are sets of squares.
//!
//! [`Queens::function`] and [`Queens::family`] are the classic formulation, for the apply
//! engine: the constraints of squares, rows of them, conjoined.
//!
//! Both specs visit every variable and return the 1-terminal from the last one only, so they
//! mean the same as a ZDD and as a BDD. Their states are the same too: which columns and
//! which diagonals are taken, as three sets of columns that move with the row; for
//! [superqueens](Queens::superqueens), two more for the knight's leaps. A set has 16, 32 or 64
//! bits, as the board needs.

#[cfg(feature = "apply")]
mod apply;
mod colouring;
mod specs;
mod threats;

use super::board::{Board, Square};
use super::pieces::{Piece, Pieces, PiecesError};
use super::symmetry::Classes;
use specs::{ByCell, ByRow, frontier_over};
use thiserror::Error;
use threats::{BoardRules, Leaps, Mask, Threats};
use topdd::{BigUint, BoxedSpec, Frontier, Zdd};

pub use colouring::QueensColourings;

/// The maximum number of rows of a spec.
const MAX_ROWS: usize = 1 << 16;

/// Placements of one queen in each row of a board, none attacking another.
///
/// Queens attack along columns and both diagonals; the problem itself places one in each
/// row. There may be fewer rows than columns. With more rows than columns
/// there are no solutions, and a board without rows has one, the empty placement.
///
/// ```
/// use topdd_chess::Queens;
/// use topdd_chess::queens::BoardEncoding;
///
/// let zdd = Queens::new(8).zdd(BoardEncoding::Row)?;
/// assert_eq!(zdd.count(), 92u32.into());
///
/// let first = zdd.iter().next().unwrap();
/// assert_eq!(first, [0, 4, 7, 5, 2, 6, 1, 3]); // the columns, row by row
///
/// let corner = Queens::new(8).given(["a1".parse()?]);
/// assert_eq!(corner.count()?, 4u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queens {
    /// A queen or a superqueen.
    piece: Piece,
    board: Board,
    given: Vec<Square>,
    forbidden: Vec<Square>,
    toroidal: bool,
    forward_check: bool,
}

impl Queens {
    /// Makes the problem of `n` queens on a board of `n` rows and columns.
    pub fn new(n: usize) -> Self {
        Queens::on(n, n)
    }

    /// Makes the problem of one queen in each row of a board with so many rows and columns.
    ///
    /// ```
    /// use topdd_chess::Queens;
    ///
    /// assert_eq!(Queens::on(2, 8).count()?, 42u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on(rows: usize, cols: usize) -> Self {
        Queens {
            piece: Piece::Queen,
            board: Board::new(rows, cols),
            given: Vec::new(),
            forbidden: Vec::new(),
            toroidal: false,
            forward_check: true,
        }
    }

    /// Returns the same problem for superqueens, which also attack as knights.
    ///
    /// ```
    /// use topdd_chess::Queens;
    ///
    /// assert_eq!(Queens::new(10).superqueens().count()?, 4u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn superqueens(mut self) -> Self {
        self.piece = Piece::Superqueen;
        self
    }

    /// Requires queens on these squares, in addition to those required before.
    pub fn given(mut self, squares: impl IntoIterator<Item = Square>) -> Self {
        self.given.extend(squares);
        self
    }

    /// Forbids queens on these squares, in addition to those forbidden before.
    ///
    /// ```
    /// use topdd_chess::Queens;
    ///
    /// let no_corner = Queens::new(8).forbid(["a1".parse()?, "h1".parse()?]);
    /// assert_eq!(no_corner.count()?, 84u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forbid(mut self, squares: impl IntoIterator<Item = Square>) -> Self {
        self.forbidden.extend(squares);
        self
    }

    /// Sets whether diagonals wrap around. The default is `false`.
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
    /// assert_eq!(Queens::new(7).toroidal(true).count()?, 28u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn toroidal(mut self, toroidal: bool) -> Self {
        self.toroidal = toroidal;
        self
    }

    /// Sets whether a forward check prunes states without solutions. The default is `true`. The
    /// solutions are the same.
    ///
    /// The check looks at the free squares of all later rows: each must have one, and
    /// together they must lie in at least as many columns as there are rows, which on
    /// a square board means that every column without a queen still has a free square.
    /// By row, it leaves 8.5 of the 20.4 million states of 14 queens and halves the time.
    ///
    /// ```
    /// use topdd_chess::Queens;
    /// use topdd_chess::queens::BoardEncoding;
    ///
    /// let states = |check| {
    ///     let queens = Queens::new(8).forward_check(check);
    ///     queens.frontier(BoardEncoding::Row).unwrap().profile().unwrap().states()
    /// };
    /// assert!(states(true) < states(false));
    /// ```
    pub fn forward_check(mut self, forward_check: bool) -> Self {
        self.forward_check = forward_check;
        self
    }

    /// Returns the piece: a queen or a superqueen.
    pub fn piece(&self) -> Piece {
        self.piece
    }

    /// Returns the board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Returns the number of variables in an encoding.
    ///
    /// ```
    /// use topdd_chess::Queens;
    /// use topdd_chess::queens::BoardEncoding;
    ///
    /// assert_eq!(Queens::new(8).num_vars(BoardEncoding::Row), 8);
    /// assert_eq!(Queens::new(8).num_vars(BoardEncoding::Cell), 64);
    /// ```
    pub fn num_vars(&self, encoding: BoardEncoding) -> usize {
        let Board { rows, cols } = self.board;
        match encoding {
            BoardEncoding::Row => rows,
            BoardEncoding::Cell => rows.saturating_mul(cols),
        }
    }

    /// Makes the spec, to combine it with others, to search it, or to check it.
    ///
    /// The spec decodes a state in each call. [`frontier`](Queens::frontier),
    /// [`count`](Queens::count) and [`zdd`](Queens::zdd) do not, and are faster.
    ///
    /// # Errors
    ///
    /// See [`QueensError`].
    ///
    /// # Example
    ///
    /// ```
    /// use topdd::Search;
    /// use topdd_chess::Queens;
    /// use topdd_chess::queens::BoardEncoding;
    ///
    /// let queens = Queens::new(20);
    /// let spec = queens.spec(BoardEncoding::Row)?;
    /// let solution = Search::over(&spec).restarts(1000).first()?.expect("there are many");
    /// assert!(queens.is_solution(&BoardEncoding::Row.squares(queens.board(), &solution)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spec(&self, encoding: BoardEncoding) -> Result<BoxedSpec<'static>, QueensError> {
        Ok(self.frontier(encoding)?.into_spec()?)
    }

    /// Makes a sweep over the spec, to set limits, threads or a checkpoint before
    /// building a diagram or counting.
    ///
    /// # Errors
    ///
    /// See [`QueensError`].
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_chess::Queens;
    /// use topdd_chess::queens::BoardEncoding;
    ///
    /// let mut frontier = Queens::new(10).frontier(BoardEncoding::Row)?.memory_limit(100 << 20);
    /// assert_eq!(frontier.count()?, 724u32.into());
    /// println!("{}", frontier.report());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn frontier(&self, encoding: BoardEncoding) -> Result<Frontier<'static>, QueensError> {
        match self.board.cols {
            0..=16 => self.narrow(encoding),
            17..=32 => self.wide::<u32>(encoding),
            _ => self.wide::<u64>(encoding),
        }
    }

    /// Builds the diagram of all solutions. [`BoardEncoding::squares`] converts a solution to
    /// squares.
    ///
    /// # Errors
    ///
    /// See [`QueensError`].
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_chess::Queens;
    /// use topdd_chess::queens::BoardEncoding;
    ///
    /// let queens = Queens::new(5);
    /// for solution in &queens.zdd(BoardEncoding::Cell)? {
    ///     assert!(queens.is_solution(&BoardEncoding::Cell.squares(queens.board(), &solution)));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn zdd(&self, encoding: BoardEncoding) -> Result<Zdd, QueensError> {
        Ok(self.frontier(encoding)?.zdd()?)
    }

    /// Counts the solutions without a diagram, by row.
    ///
    /// # Errors
    ///
    /// See [`QueensError`].
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_chess::Queens;
    ///
    /// assert_eq!(Queens::new(6).count()?, 4u32.into());
    /// # Ok::<(), topdd_chess::QueensError>(())
    /// ```
    pub fn count(&self) -> Result<BigUint, QueensError> {
        Ok(self.frontier(BoardEncoding::Row)?.count()?)
    }

    /// Makes a sweep over the spec of a board of up to 16 columns.
    fn narrow(&self, encoding: BoardEncoding) -> Result<Frontier<'static>, QueensError> {
        if self.piece == Piece::Superqueen {
            return self.wide::<u16>(encoding);
        }
        let rules = self.rules::<u16>()?;
        Ok(match encoding {
            BoardEncoding::Row => Frontier::of(ByRow::<_, Threats<_>>::new(rules)),
            BoardEncoding::Cell => Frontier::of(ByCell::<_, Threats<_>>::new(rules)),
        })
    }

    /// Makes a sweep over the spec of a wider board or of superqueens, with states of masks of type `M`.
    fn wide<M>(&self, encoding: BoardEncoding) -> Result<Frontier<'static>, QueensError>
    where
        M: Mask + topdd::bytemuck::Pod,
    {
        let rules = self.rules::<M>()?;
        Ok(match (encoding, self.piece == Piece::Superqueen) {
            (BoardEncoding::Row, false) => frontier_over(ByRow::<M, Threats<M>>::new(rules)),
            (BoardEncoding::Row, true) => frontier_over(ByRow::<M, Leaps<M>>::new(rules)),
            (BoardEncoding::Cell, false) => frontier_over(ByCell::<M, Threats<M>>::new(rules)),
            (BoardEncoding::Cell, true) => frontier_over(ByCell::<M, Leaps<M>>::new(rules)),
        })
    }

    /// Returns whether queens on these squares, in any order, are a solution.
    ///
    /// Checks the definition, pair by pair, and shares no code with the specs. Takes time quadratic
    /// in the number of queens.
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
        self.piece.attacks(self.board, self.toroidal, one, other)
    }

    /// Returns the same problem as [`Pieces`], by square: as many queens as the board has rows.
    ///
    /// [`Pieces`] may be fewer, maximal or symmetric. One queen in each row is counted faster by this
    /// type, by row.
    ///
    /// ```
    /// use topdd_chess::Queens;
    ///
    /// let placements = Queens::new(5).placements();
    /// assert_eq!(placements.count()?, 10u32.into());
    /// assert_eq!(placements.exactly(2).count()?, 140u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn placements(&self) -> Pieces {
        Pieces::new(self.piece, self.board)
            .exactly(self.board.rows)
            .toroidal(self.toroidal)
            .given(self.given.iter().copied())
            .forbid(self.forbidden.iter().copied())
    }

    /// Returns the classes of solutions under the symmetries of the problem. See [`Classes`], which
    /// has an example. Cost: linear in the number of squares.
    ///
    /// # Errors
    ///
    /// See [`QueensError`].
    pub fn classes(&self) -> Result<Classes, QueensError> {
        Ok(self.placements().classes()?)
    }

    /// Returns the rules that both specs share, or an error for invalid parameters.
    fn rules<M: Mask>(&self) -> Result<BoardRules<M>, QueensError> {
        let board = self.board;
        if board.cols > M::BITS as usize {
            return Err(QueensError::TooManyColumns { board, most: M::BITS as usize });
        }
        if board.rows > MAX_ROWS {
            return Err(QueensError::TooManyRows { board, most: MAX_ROWS });
        }
        if self.toroidal && self.piece == Piece::Superqueen {
            return Err(QueensError::ToroidalSuperqueens);
        }
        self.placements().check()?;
        // The squares where a queen can stand at all: those that no given queen attacks.
        let open = |square: Square| {
            !self.forbidden.contains(&square)
                && self.given.iter().all(|&other| other == square || !self.attack(square, other))
        };
        Ok(BoardRules::new(board, self.toroidal, self.forward_check, open))
    }
}

/// The variables of a solution of [`Queens`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardEncoding {
    /// One variable per row; its value is the column of that row's queen.
    ///
    /// The arity is the number of columns, and 1 on a board without columns. The state contains
    /// the threats to the row.
    Row,
    /// One two-valued variable per square, row by row from `a1`; its value is 1 where a queen
    /// stands.
    ///
    /// The state at a square contains the threats to its row as long as the row has no queen,
    /// and the threats to the row above once it has one. Squares without a choice, which
    /// must stay empty or must be taken, have no states in a ZDD.
    Cell,
}

impl BoardEncoding {
    /// Returns the squares of the queens of a solution, row by row.
    ///
    /// `solution` has one value for each variable, as the diagram of a spec of this
    /// encoding lists them.
    ///
    /// ```
    /// use topdd_chess::Board;
    /// use topdd_chess::queens::BoardEncoding;
    ///
    /// let board = Board::new(2, 3);
    /// let queens = BoardEncoding::Row.squares(board, &[0, 2]);
    /// assert_eq!(queens, BoardEncoding::Cell.squares(board, &[1, 0, 0, 0, 0, 1]));
    /// assert_eq!(queens, ["a1".parse()?, "c2".parse()?]);
    /// # Ok::<(), topdd_chess::BoardError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If it has another number of values, or a value that its variable does not have;
    /// [`get_squares`](BoardEncoding::get_squares) returns `None` then.
    #[track_caller]
    pub fn squares(self, board: Board, solution: &[usize]) -> Vec<Square> {
        match self.get_squares(board, solution) {
            Some(squares) => squares,
            None => panic!(
                "{solution:?} is no assignment to the variables of a {board} board, {self:?}"
            ),
        }
    }

    /// Returns the squares of the queens, as [`squares`](BoardEncoding::squares) returns them;
    /// `None` if `solution` does not have one value of each variable.
    ///
    /// ```
    /// use topdd_chess::Board;
    /// use topdd_chess::queens::BoardEncoding;
    ///
    /// let board = Board::new(2, 3);
    /// assert_eq!(BoardEncoding::Row.get_squares(board, &[0, 3]), None);
    /// assert_eq!(BoardEncoding::Cell.get_squares(board, &[0, 1]), None);
    /// ```
    pub fn get_squares(self, board: Board, solution: &[usize]) -> Option<Vec<Square>> {
        let (variables, arity) = match self {
            BoardEncoding::Row => (board.rows, board.cols),
            BoardEncoding::Cell => (board.squares().count(), 2),
        };
        if solution.len() != variables || solution.iter().any(|&value| value >= arity) {
            return None;
        }
        Some(match self {
            BoardEncoding::Row => {
                solution.iter().enumerate().map(|(row, &col)| Square { row, col }).collect()
            }
            BoardEncoding::Cell => board
                .squares()
                .zip(solution)
                .filter_map(|(square, &value)| (value == 1).then_some(square))
                .collect(),
        })
    }
}

/// The reason why [`Queens`] are not solved: an invalid parameter, or a failed sweep.
///
/// ```
/// use topdd_chess::{Board, Queens, QueensError};
///
/// let error = QueensError::TooManyColumns { board: Board::new(65, 65), most: 64 };
/// assert_eq!(Queens::new(65).count(), Err(error));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum QueensError {
    /// The board has more columns than the bits of a mask.
    #[error("a {board} board has too many columns for queens; use one of at most {most}")]
    TooManyColumns {
        /// The board.
        board: Board,
        /// The largest number of columns, 64.
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
    /// Superqueens on a toroidal board are not supported by row or by cell. There, superqueens of
    /// the first two rows attack the last two rows, which no state stores.
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
    /// The frontier engine failed.
    #[error(transparent)]
    Build(#[from] topdd::BuildError),
    /// An error of any placement of pieces, such as given squares that attack one another.
    #[error(transparent)]
    Pieces(#[from] PiecesError),
    /// The apply engine failed.
    #[cfg(feature = "apply")]
    #[error(transparent)]
    Apply(#[from] topdd_apply::Error),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of solutions and of states, in both encodings.
    fn results(frontier: impl Fn(BoardEncoding) -> Frontier<'static>) -> Vec<(BigUint, u64)> {
        let result = |encoding| {
            let mut frontier = frontier(encoding);
            (frontier.count().unwrap(), frontier.report().states())
        };
        [BoardEncoding::Row, BoardEncoding::Cell].map(result).to_vec()
    }

    #[test]
    fn masks_of_every_width_agree() {
        for queens in [Queens::new(8), Queens::new(7).toroidal(true), Queens::on(3, 16)] {
            let narrow = results(|by| queens.narrow(by).unwrap());
            let wide = results(|by| queens.wide::<u32>(by).unwrap());
            let widest = results(|by| queens.wide::<u64>(by).unwrap());
            assert_eq!((&narrow, &narrow), (&wide, &widest));
        }
    }

    #[test]
    fn a_mask_has_room_for_as_many_columns_as_bits() {
        assert_eq!(
            Queens::new(17).narrow(BoardEncoding::Cell).unwrap_err(),
            QueensError::TooManyColumns { board: Board::new(17, 17), most: 16 }
        );
    }
}
