//! Boards of any size: squares, their names, and drawings.
//!
//! Rows and columns are numbered from 0 and squares are named as in chess: the columns
//! are the letters `a` to `z`, then `aa`, `ab` and so on; the rows are numbers from 1,
//! counted from the bottom. So `a1` is row 0, column 0, in the lower left corner.
//!
//! Specs process a board in this order: row 0 first, and each row from left to right. So the
//! first variable of a solution belongs to the row, or the square, at the bottom left of a drawing.
//!
//! ```
//! use topdd_chess::{Board, Square};
//!
//! let board = Board::new(8, 8);
//! let e1 = board.parse("e1")?;
//! assert_eq!((e1, board.index(e1)), (Square::new(0, 4), Some(4)));
//! assert!(board.draw_queens(&[e1]).to_string().contains("1 . . . . Q . . ."));
//! # Ok::<(), topdd_chess::BoardError>(())
//! ```

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A square: a row and a column, both from 0.
///
/// Squares are ordered row by row. The name of a square is its `Display`, and parses.
///
/// ```
/// use topdd_chess::Square;
///
/// let square: Square = "c2".parse()?;
/// assert_eq!(square, Square::new(1, 2));
/// assert_eq!(Square::new(9, 26).to_string(), "aa10");
/// # Ok::<(), topdd_chess::BoardError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "String", into = "String"))]
pub struct Square {
    /// The row, from 0 at the bottom.
    pub row: usize,
    /// The column, from 0 at the left.
    pub col: usize,
}

impl Square {
    /// Returns the square in this row and column, both from 0.
    #[inline]
    pub fn new(row: usize, col: usize) -> Self {
        Square { row, col }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", column_name(self.col), self.row as u128 + 1))
    }
}

impl From<Square> for String {
    fn from(square: Square) -> Self {
        square.to_string()
    }
}

impl TryFrom<String> for Square {
    type Error = BoardError;

    fn try_from(name: String) -> Result<Self, BoardError> {
        name.parse()
    }
}

impl FromStr for Square {
    type Err = BoardError;

    /// Reads a name such as `a1` or `aa10`, in small letters or capitals.
    fn from_str(text: &str) -> Result<Self, BoardError> {
        parse(text).ok_or_else(|| BoardError::NotASquare { text: text.to_owned() })
    }
}

/// The square of this name; `None` if it is not a name, or if a number overflows.
fn parse(text: &str) -> Option<Square> {
    let split = text.find(|c: char| !c.is_ascii_alphabetic())?;
    let (letters, digits) = text.split_at(split);
    if letters.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // Letters count as digits 1..=26 in base 26: there is no zero, so `aa` follows `z`.
    let col = letters.bytes().try_fold(0usize, |number, letter| {
        let digit = usize::from(letter.to_ascii_lowercase() - b'a') + 1;
        number.checked_mul(26)?.checked_add(digit)
    })?;
    let row: usize = digits.parse().ok()?;
    Some(Square { row: row.checked_sub(1)?, col: col - 1 })
}

/// The letters of a column.
fn column_name(col: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = col as u128 + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'a' + (rest % 26) as u8));
        rest /= 26;
    }
    letters.iter().rev().collect()
}

/// The reason why a text or a square is no square of a board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BoardError {
    /// The text is not the name of a square.
    #[error("`{text}` is not a square: write column letters and a row number, such as a1 or c12")]
    NotASquare {
        /// The text.
        text: String,
    },
    /// The square is not on the board.
    #[error("square {square} is not on the {board} board{}", board.range())]
    OffBoard {
        /// The square.
        square: Square,
        /// The board.
        board: Board,
    },
}

/// A board: a number of rows and a number of columns, either of which may be 0.
///
/// ```
/// use topdd_chess::{Board, Square};
///
/// let board = Board::new(2, 3);
/// let names: Vec<String> = board.squares().map(|square| square.to_string()).collect();
/// assert_eq!(names, ["a1", "b1", "c1", "a2", "b2", "c2"]);
/// assert_eq!(board.index(Square::new(1, 2)), Some(5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
}

impl Board {
    /// Returns the board with so many rows and columns.
    #[inline]
    pub fn new(rows: usize, cols: usize) -> Self {
        Board { rows, cols }
    }

    /// Returns whether the square is on the board.
    #[inline]
    pub fn contains(&self, square: Square) -> bool {
        square.row < self.rows && square.col < self.cols
    }

    /// Returns the square, if it is on the board.
    ///
    /// ```
    /// use topdd_chess::{Board, Square};
    ///
    /// let (board, a4) = (Board::new(3, 4), Square::new(3, 0));
    /// assert!(!board.contains(a4) && board.check(a4).is_err());
    /// assert_eq!(board.check(Square::new(2, 3)), Ok(Square::new(2, 3)));
    /// ```
    ///
    /// # Errors
    ///
    /// [`BoardError::OffBoard`] if it is not.
    pub fn check(&self, square: Square) -> Result<Square, BoardError> {
        if self.contains(square) {
            Ok(square)
        } else {
            Err(BoardError::OffBoard { square, board: *self })
        }
    }

    /// Returns the square of this name.
    ///
    /// # Errors
    ///
    /// [`BoardError::NotASquare`] if the text is no name, [`BoardError::OffBoard`] if
    /// there is no such square on this board.
    ///
    /// ```
    /// use topdd_chess::{Board, Square};
    ///
    /// let board = Board::new(3, 4);
    /// assert_eq!(board.parse("d3"), Ok(Square::new(2, 3)));
    /// assert_eq!(
    ///     board.parse("d4").unwrap_err().to_string(),
    ///     "square d4 is not on the 3x4 board (a1 to d3)",
    /// );
    /// ```
    pub fn parse(&self, text: &str) -> Result<Square, BoardError> {
        self.check(text.parse()?)
    }

    /// Returns the position of a square in the order of [`squares`](Board::squares); `None` if the
    /// square is not on the board or the position overflows.
    pub fn index(&self, square: Square) -> Option<usize> {
        if !self.contains(square) {
            return None;
        }
        square.row.checked_mul(self.cols)?.checked_add(square.col)
    }

    /// Returns all squares, row by row from row 0.
    pub fn squares(self) -> impl Iterator<Item = Square> {
        (0..self.rows).flat_map(move |row| (0..self.cols).map(move |col| Square { row, col }))
    }

    /// Returns a drawing of queens on this board; see the example of [`PiecesDrawing`].
    pub fn draw_queens<'a>(&self, queens: &'a [Square]) -> PiecesDrawing<'a> {
        self.draw_pieces('Q', queens)
    }

    /// Returns a drawing of pieces with this letter, such as [`Piece::letter`](crate::Piece::letter),
    /// on this board; see [`PiecesDrawing`].
    ///
    /// ```
    /// use topdd_chess::{Board, Piece, Square};
    ///
    /// let drawing = Board::new(1, 3).draw_pieces(Piece::King.letter(), &[Square::new(0, 1)]).to_string();
    /// assert_eq!(drawing, "1 . K .\n  a b c\n");
    /// ```
    pub fn draw_pieces<'a>(&self, letter: char, pieces: &'a [Square]) -> PiecesDrawing<'a> {
        PiecesDrawing { board: *self, letter, pieces }
    }

    /// Returns a drawing of this board with the number of its class on each square; see the
    /// example of [`ClassesDrawing`].
    pub fn draw_classes<'a>(&self, classes: &'a [&'a [Square]]) -> ClassesDrawing<'a> {
        ClassesDrawing { board: *self, classes }
    }

    /// Returns a drawing of a tour on this board; see the example of [`TourDrawing`].
    pub fn draw_tour<'a>(&self, tour: &'a [Square]) -> TourDrawing<'a> {
        TourDrawing { board: *self, tour }
    }

    /// The first and last square in parentheses, for error messages.
    fn range(&self) -> String {
        match (self.rows.checked_sub(1), self.cols.checked_sub(1)) {
            (Some(row), Some(col)) => {
                format!(" ({} to {})", Square::new(0, 0), Square::new(row, col))
            }
            _ => " (it has no squares)".to_owned(),
        }
    }

    /// A dot for each square: the initial text of the cells of a drawing.
    fn dots(&self, f: &fmt::Formatter<'_>) -> Vec<String> {
        let dot = if f.alternate() { "·" } else { "." };
        self.squares().map(|_| dot.to_owned()).collect()
    }

    /// Draws `cells`, the texts of the squares row by row, with row 0 at the bottom.
    fn draw(&self, f: &mut fmt::Formatter<'_>, cells: &[String]) -> fmt::Result {
        if self.rows == 0 || self.cols == 0 {
            return writeln!(f, "(a board of {self} has no squares)");
        }
        let margin = self.rows.to_string().len();
        let names: Vec<String> = (0..self.cols).map(column_name).collect();
        let widths = cells.iter().chain(&names).map(|text| text.chars().count());
        let width = widths.max().unwrap_or(1);
        for (row, line) in cells.chunks(self.cols).enumerate().rev() {
            write!(f, "{:>margin$}", row + 1)?;
            for cell in line {
                write!(f, " {cell:>width$}")?;
            }
            writeln!(f)?;
        }
        write!(f, "{:margin$}", "")?;
        for name in &names {
            write!(f, " {name:>width$}")?;
        }
        writeln!(f)
    }
}

/// Rows, `x`, columns: `6x9`.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}x{}", self.rows, self.cols))
    }
}

/// Pieces on a board as text, one line per row, with the names of rows and columns at the margins.
///
/// The text is plain ASCII, or, as `{:#}`, has the symbols of Unicode for pieces. Every line
/// ends with a line break. Squares that are not on the board are not drawn.
///
/// ```
/// use topdd_chess::{Board, Square};
///
/// let board = Board::new(4, 4);
/// let queens = ["b1", "d2", "a3", "c4"].map(|name| name.parse::<Square>().unwrap());
/// assert_eq!(
///     board.draw_queens(&queens).to_string(),
///     "4 . . Q .\n\
///      3 Q . . .\n\
///      2 . . . Q\n\
///      1 . Q . .\n  \
///        a b c d\n",
/// );
/// assert!(format!("{:#}", board.draw_queens(&queens)).starts_with("4 · · ♛ ·\n"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PiecesDrawing<'a> {
    board: Board,
    letter: char,
    pieces: &'a [Square],
}

impl fmt::Display for PiecesDrawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut cells = self.board.dots(f);
        let symbol = match self.letter {
            'K' if f.alternate() => '♚',
            'Q' if f.alternate() => '♛',
            'R' if f.alternate() => '♜',
            'B' if f.alternate() => '♝',
            'N' if f.alternate() => '♞',
            letter => letter,
        };
        for &piece in self.pieces {
            if let Some(index) = self.board.index(piece) {
                cells[index] = symbol.to_string();
            }
        }
        self.board.draw(f, &cells)
    }
}

/// A partition of a board into classes as text: every square shows the number of its class, from
/// 1. Squares without a class are dots.
///
/// ```
/// use topdd_chess::{Board, Square};
///
/// let board = Board::new(2, 3);
/// let [one, other] = [["a1", "b2"], ["b1", "c2"]];
/// let classes = [one, other].map(|names| names.map(|name| name.parse::<Square>().unwrap()));
/// assert_eq!(
///     board.draw_classes(&[&classes[0], &classes[1]]).to_string(),
///     "2 . 1 2\n\
///      1 1 2 .\n  \
///        a b c\n",
/// );
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ClassesDrawing<'a> {
    board: Board,
    classes: &'a [&'a [Square]],
}

impl fmt::Display for ClassesDrawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut cells = self.board.dots(f);
        for (class, squares) in self.classes.iter().enumerate() {
            for &square in *squares {
                if let Some(index) = self.board.index(square) {
                    cells[index] = (class + 1).to_string();
                }
            }
        }
        self.board.draw(f, &cells)
    }
}

/// A tour on a board as text: every square shows its position in the tour, from 1.
///
/// The text is plain ASCII, but for the dots of `{:#}`, and every line ends with a line break.
/// Squares that are not visited are dots; squares that are not on the board are not drawn, but
/// are counted.
///
/// ```
/// use topdd_chess::{Board, Square};
///
/// let board = Board::new(2, 3);
/// let tour = ["a1", "c2"].map(|name| name.parse::<Square>().unwrap());
/// assert_eq!(
///     board.draw_tour(&tour).to_string(),
///     "2 . . 2\n\
///      1 1 . .\n  \
///        a b c\n",
/// );
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TourDrawing<'a> {
    board: Board,
    tour: &'a [Square],
}

impl fmt::Display for TourDrawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut cells = self.board.dots(f);
        for (step, &square) in self.tour.iter().enumerate() {
            if let Some(index) = self.board.index(square) {
                cells[index] = (step + 1).to_string();
            }
        }
        self.board.draw(f, &cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_squares_are_one_to_one() {
        for col in [0, 1, 25, 26, 27, 51, 52, 701, 702, 703, 18277, 18278, usize::MAX - 1] {
            for row in [0, 8, 9, 99, usize::MAX - 1] {
                let square = Square::new(row, col);
                assert_eq!(square.to_string().parse(), Ok(square));
            }
        }
        assert_eq!(column_name(25), "z");
        assert_eq!(column_name(26), "aa");
        assert_eq!(column_name(702), "aaa");
        assert_eq!("C12".parse(), Ok(Square::new(11, 2)));
    }

    #[test]
    fn parsing_a_text_that_is_no_square_is_an_error_that_quotes_it() {
        let long = "a".repeat(40) + "1";
        for text in ["", "a", "1", "a0", "1a", "a1b", "a-1", "a+1", " a1", "a 1", "é1", &long] {
            let error = text.parse::<Square>().unwrap_err();
            assert_eq!(error, BoardError::NotASquare { text: text.to_owned() });
            assert!(error.to_string().contains(text));
        }
        assert!("a99999999999999999999999".parse::<Square>().is_err());
    }

    #[test]
    fn squares_off_the_board_are_an_error_that_names_both() {
        let board = Board::new(2, 3);
        let square = Square::new(2, 0);
        assert_eq!(board.parse("a3"), Err(BoardError::OffBoard { square, board }));
        let empty = Board::new(0, 3).parse("a1").unwrap_err();
        assert_eq!(empty.to_string(), "square a1 is not on the 0x3 board (it has no squares)");
    }

    #[test]
    fn indices_count_the_squares() {
        let board = Board::new(3, 5);
        for (index, square) in board.squares().enumerate() {
            assert_eq!(board.index(square), Some(index));
        }
        assert_eq!(board.squares().count(), 15);
        assert_eq!(board.index(Square::new(3, 0)), None);
        assert_eq!(Board::new(0, 5).squares().count(), 0);
        assert_eq!(Board::new(5, 0).squares().count(), 0);
    }

    #[test]
    fn drawings_of_wide_boards_are_aligned() {
        let board = Board::new(11, 28);
        let queens = [Square::new(0, 27), Square::new(10, 0)];
        let text = board.draw_queens(&queens).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 12);
        assert!(lines.iter().all(|line| line.len() == lines[0].len()));
        assert!(lines[0].starts_with("11  Q  ."));
        assert!(lines[10].ends_with(" .  Q"));
        assert!(lines[11].ends_with(" aa ab"));
    }

    #[test]
    fn drawings_of_boards_without_squares_say_so() {
        assert_eq!(
            Board::new(0, 4).draw_queens(&[]).to_string(),
            "(a board of 0x4 has no squares)\n"
        );
    }

    #[test]
    fn tours_are_numbered_with_room_for_the_longest_number() {
        let board = Board::new(2, 5);
        let tour: Vec<Square> = board.squares().collect();
        assert_eq!(
            board.draw_tour(&tour).to_string(),
            "2  6  7  8  9 10\n1  1  2  3  4  5\n   a  b  c  d  e\n"
        );
    }
}
