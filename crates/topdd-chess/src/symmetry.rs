//! The symmetries of a board: turns and mirrors.
//!
//! A square board has eight symmetries, any other board four. *Up to symmetry*, solutions that are
//! images of one another count as one. [`Classes`] chooses a representative of each class, and
//! computes the number of classes from counts of symmetric solutions.

use thiserror::Error;
use topdd::BigUint;

use super::board::{Board, Square};

/// A turn or a mirror of a board onto itself.
///
/// Turns are counter-clockwise, as the board is drawn with row 0 at the bottom.
///
/// ```
/// use topdd_chess::{Board, Square, Symmetry};
///
/// let board = Board::new(8, 8);
/// let e1: Square = "e1".parse()?;
/// assert_eq!(Symmetry::Rotate180.of(board, e1), Some("d8".parse()?));
/// assert_eq!(Symmetry::Rotate90.of(board, e1), Some("h5".parse()?));
/// assert_eq!(Symmetry::Rotate90.of(Board::new(8, 9), e1), None); // is not square
/// # Ok::<(), topdd_chess::BoardError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Symmetry {
    /// The identity: all squares stay.
    Identity,
    /// A quarter turn; square boards only.
    Rotate90,
    /// A half turn.
    Rotate180,
    /// Three quarter turns; square boards only.
    Rotate270,
    /// The first column becomes the last.
    MirrorColumns,
    /// The first row becomes the last.
    MirrorRows,
    /// Rows become columns: `a1` stays; square boards only.
    Transpose,
    /// Rows become columns the other way: `a1` becomes the opposite corner; square
    /// boards only.
    AntiTranspose,
}

impl Symmetry {
    /// All eight symmetries of a square board.
    pub const ALL: [Symmetry; 8] = [
        Symmetry::Identity,
        Symmetry::Rotate90,
        Symmetry::Rotate180,
        Symmetry::Rotate270,
        Symmetry::MirrorColumns,
        Symmetry::MirrorRows,
        Symmetry::Transpose,
        Symmetry::AntiTranspose,
    ];

    /// Returns whether the symmetry maps this board onto itself. All do on a square board; the four
    /// that map rows to rows do on any board.
    ///
    /// ```
    /// use topdd_chess::{Board, Symmetry};
    ///
    /// let of = |board| Symmetry::ALL.into_iter().filter(|symmetry| symmetry.maps(board)).count();
    /// assert_eq!((of(Board::new(8, 8)), of(Board::new(8, 9))), (8, 4));
    /// ```
    pub fn maps(self, board: Board) -> bool {
        let keeps_rows = matches!(
            self,
            Symmetry::Identity
                | Symmetry::Rotate180
                | Symmetry::MirrorColumns
                | Symmetry::MirrorRows
        );
        keeps_rows || board.rows == board.cols
    }

    /// Returns the image of a square of the board; `None` if the symmetry does not map the board
    /// onto itself, or if the square is not on the board.
    pub fn of(self, board: Board, square: Square) -> Option<Square> {
        if !self.maps(board) || !board.contains(square) {
            return None;
        }
        let Square { row, col } = square;
        let (up, left) = (board.rows - 1 - row, board.cols - 1 - col);
        Some(match self {
            Symmetry::Identity => square,
            Symmetry::Rotate90 => Square::new(col, up),
            Symmetry::Rotate180 => Square::new(up, left),
            Symmetry::Rotate270 => Square::new(left, row),
            Symmetry::MirrorColumns => Square::new(row, left),
            Symmetry::MirrorRows => Square::new(up, col),
            Symmetry::Transpose => Square::new(col, row),
            Symmetry::AntiTranspose => Square::new(left, up),
        })
    }

    /// Returns the images of squares, row by row.
    ///
    /// `None` if the symmetry does not map the board onto itself, or if a square is not on the board.
    /// Cost: a sort of the squares.
    ///
    /// ```
    /// use topdd_chess::{Board, Square, Symmetry};
    ///
    /// let [a1, b1, c3, d4] = [(0, 0), (0, 1), (2, 2), (3, 3)].map(|(row, col)| Square::new(row, col));
    /// let image = Symmetry::Rotate180.image(Board::new(4, 4), &[a1, b1]);
    /// assert_eq!(image, Some(vec![Square::new(3, 2), d4]));
    /// assert_eq!(Symmetry::Rotate180.image(Board::new(2, 2), &[c3]), None);
    /// ```
    pub fn image(self, board: Board, squares: &[Square]) -> Option<Vec<Square>> {
        let image = squares.iter().map(|&square| self.of(board, square));
        let mut image: Vec<Square> = image.collect::<Option<_>>()?;
        image.sort_unstable();
        Some(image)
    }
}

/// Solutions up to the symmetries that a problem has.
///
/// The symmetries of a problem are the symmetries of the board that map the problem to itself: all of them
/// on an empty board, fewer if squares are given or forbidden. Solutions that they map onto
/// one another form a class. The *first* solution of a class represents it: the lexicographically
/// first list of squares, row by row from `a1` on.
///
/// ```
/// use topdd_chess::Queens;
/// use topdd_chess::queens::BoardEncoding;
///
/// let queens = Queens::new(8);
/// let classes = queens.classes()?;
/// let zdd = queens.zdd(BoardEncoding::Row)?;
/// let firsts = zdd.iter().filter(|columns| {
///     classes.is_first(&BoardEncoding::Row.squares(queens.board(), columns))
/// });
/// assert_eq!(firsts.count(), 12);
///
/// // The same number by Burnside's lemma, without listing the solutions.
/// let placements = queens.placements();
/// let number = classes.count(|symmetry| {
///     placements.clone().symmetric([symmetry]).count()
/// })?;
/// assert_eq!(number, 12u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    board: Board,
    /// The group of symmetries of the problem, with the identity.
    symmetries: Vec<Symmetry>,
}

impl Classes {
    /// The classes under the symmetries of the board for which `keeps` is true. They must form a
    /// group.
    pub(super) fn under(board: Board, keeps: impl Fn(Symmetry) -> bool) -> Self {
        let symmetries = Symmetry::ALL.into_iter();
        let symmetries = symmetries.filter(|symmetry| symmetry.maps(board) && keeps(*symmetry));
        Classes { board, symmetries: symmetries.collect() }
    }

    /// Returns the symmetries of the problem, the identity among them.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// Returns the first solution of the class of this one, row by row.
    ///
    /// Cost: one image for each symmetry.
    ///
    /// ```
    /// use topdd_chess::{Queens, Square};
    ///
    /// let classes = Queens::new(4).classes()?;
    /// let squares = |names: [&str; 4]| names.map(|name| name.parse::<Square>().unwrap());
    /// let (one, other) = (squares(["b1", "d2", "a3", "c4"]), squares(["c1", "a2", "d3", "b4"]));
    /// assert_eq!(classes.first(&other).unwrap(), one); // its mirror image
    /// assert!(classes.is_first(&one) && !classes.is_first(&other));
    /// # Ok::<(), topdd_chess::QueensError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ClassesError::OffBoard`] if a square is not on the board.
    pub fn first(&self, solution: &[Square]) -> Result<Vec<Square>, ClassesError> {
        let images = self.symmetries.iter().map(|symmetry| symmetry.image(self.board, solution));
        let first = images.min().flatten();
        first.ok_or(ClassesError::OffBoard { board: self.board })
    }

    /// Returns whether this solution, its squares row by row, is the first of its class. Cost and
    /// example as for [`first`](Classes::first).
    pub fn is_first(&self, solution: &[Square]) -> bool {
        self.first(solution).is_ok_and(|first| first == solution)
    }

    /// Returns the number of symmetries that map this solution onto itself, at least 1. The size of
    /// its class is [`symmetries`](Classes::symmetries)`.len()` divided by this number.
    ///
    /// Cost: one image for each symmetry.
    ///
    /// ```
    /// use topdd_chess::{Queens, Square};
    ///
    /// let classes = Queens::new(4).classes()?;
    /// let queens = ["b1", "d2", "a3", "c4"].map(|name| name.parse::<Square>().unwrap());
    /// assert_eq!(classes.symmetries().len(), 8);
    /// assert_eq!(classes.stabilizer_size(&queens), 4); // its class has two solutions
    /// # Ok::<(), topdd_chess::QueensError>(())
    /// ```
    pub fn stabilizer_size(&self, solution: &[Square]) -> usize {
        let same = Symmetry::Identity.image(self.board, solution);
        let fixed = |symmetry: &&Symmetry| symmetry.image(self.board, solution) == same;
        self.symmetries.iter().filter(fixed).count()
    }

    /// Returns the number of classes by Burnside's lemma: the mean, over all symmetries, of the
    /// number of solutions that the symmetry maps onto themselves.
    ///
    /// `fixed` returns that number for a symmetry; for the identity it is the number of all
    /// solutions. It is called once for each symmetry except [`Rotate270`](Symmetry::Rotate270),
    /// which fixes the same solutions as [`Rotate90`](Symmetry::Rotate90).
    ///
    /// # Errors
    ///
    /// The first error of `fixed`.
    pub fn count<E>(
        &self,
        mut fixed: impl FnMut(Symmetry) -> Result<BigUint, E>,
    ) -> Result<BigUint, E> {
        let mut sum = BigUint::default();
        let mut by_quarter_turn = None;
        for &symmetry in &self.symmetries {
            let number = match &by_quarter_turn {
                Some(known) if symmetry == Symmetry::Rotate270 => BigUint::clone(known),
                _ => fixed(symmetry)?,
            };
            sum += &number;
            if symmetry == Symmetry::Rotate90 {
                by_quarter_turn = Some(number);
            }
        }
        Ok(sum / self.symmetries.len())
    }
}

/// The reason why a solution has no class of [`Classes`].
///
/// ```
/// use topdd_chess::{Board, Queens, Square, symmetry::ClassesError};
///
/// let classes = Queens::new(4).classes()?;
/// let error = classes.first(&[Square::new(4, 0)]).unwrap_err();
/// assert_eq!(error, ClassesError::OffBoard { board: Board::new(4, 4) });
/// # Ok::<(), topdd_chess::QueensError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ClassesError {
    /// A square is not on the board.
    #[error(
        "the solution has a square that is not on the {board} board; give solutions of that board"
    )]
    OffBoard {
        /// The board.
        board: Board,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_are_permutations_that_make_a_group() {
        for board in [Board::new(3, 3), Board::new(4, 4), Board::new(2, 5), Board::new(0, 3)] {
            let squares: Vec<Square> = board.squares().collect();
            let tables: Vec<Vec<Square>> = Symmetry::ALL
                .iter()
                .filter_map(|symmetry| {
                    squares.iter().map(|&square| symmetry.of(board, square)).collect()
                })
                .collect();
            let symmetries = Classes::under(board, |_| true).symmetries().len();
            assert_eq!(symmetries, if board.rows == board.cols { 8 } else { 4 });
            for one in &tables {
                let mut sorted = one.clone();
                sorted.sort();
                assert_eq!(sorted, squares);
                for other in &tables {
                    let both = one.iter().map(|&at| other[board.index(at).unwrap()]);
                    assert!(tables.contains(&both.collect()));
                }
            }
        }
    }

    #[test]
    fn rotations_turn_and_mirrors_undo_themselves() {
        let board = Board::new(5, 5);
        for square in board.squares() {
            let quarter = |square| Symmetry::Rotate90.of(board, square).unwrap();
            let half = quarter(quarter(square));
            assert_eq!(Some(half), Symmetry::Rotate180.of(board, square));
            assert_eq!(Some(quarter(half)), Symmetry::Rotate270.of(board, square));
            for mirror in &Symmetry::ALL[4..] {
                let there = mirror.of(board, square).unwrap();
                assert_eq!(mirror.of(board, there), Some(square));
            }
        }
    }

    #[test]
    fn squares_off_the_board_have_no_image() {
        let classes = Classes::under(Board::new(2, 2), |_| true);
        let off = [Square::new(2, 0)];
        let error = classes.first(&off).unwrap_err();
        assert_eq!(error, ClassesError::OffBoard { board: Board::new(2, 2) });
        assert!(!classes.is_first(&off));
        assert_eq!(Symmetry::Transpose.image(Board::new(2, 3), &[Square::new(0, 0)]), None);
    }
}
