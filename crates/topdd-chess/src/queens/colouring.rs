//! Partitions of boards into disjoint solutions.

use topdd::{DdSpec, Step};

use super::{BoardEncoding, Queens, QueensError};
use crate::board::{Board, Square};

/// The maximum number of squares: the bits of a state.
const MAX_SQUARES: usize = 128;
/// The maximum number of solutions with the same first queen. Each state scans the remaining ones.
const MAX_SOLUTIONS: usize = 1 << 14;

/// The ways to colour the squares of a board so that each colour is a solution: as many colours
/// as columns, and no queen attacks one of its own colour.
///
/// The colours have no order: the square of the first row in column `c` has colour `c`. There is a
/// variable for each colour, and its value is an index into the solutions that have their first queen
/// there. The state is the set of squares that have a colour. It is dropped as soon as some other
/// square is in no solution whose squares all have no colour.
///
/// On an `n` x `n` board with `n` prime to 6 there is always a colouring, by queens a knight's leap
/// apart. Of the other sizes, 12 is the smallest that has one (M. Vasquez, "New results on the
/// `queens_n2` graph coloring problem", Journal of Heuristics 10, 2004); it is too large for this spec.
///
/// ```
/// use topdd_chess::Queens;
///
/// let colourings = Queens::new(7).colourings()?;
/// let zdd = topdd::zdd(&colourings)?;
/// assert_eq!(zdd.count(), 4u32.into());
///
/// let first = zdd.iter().next().unwrap();
/// for colour in colourings.colours(&first) {
///     assert!(Queens::new(7).is_solution(&colour));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct QueensColourings {
    board: Board,
    /// For each column of the first row, the solutions that have a queen there, as sets of
    /// squares, in lexicographic order.
    solutions: Vec<Vec<u128>>,
    /// For each square, itself and the solutions that have a queen there; those with the fewest
    /// come first, for they fail first.
    covers: Vec<(u128, Vec<u128>)>,
}

impl Queens {
    /// Makes the spec of the colourings of the board in which each colour is a solution. See the
    /// example of [`QueensColourings`]. Cost: lists all solutions first, and stores each for each of its
    /// squares.
    ///
    /// # Errors
    ///
    /// [`QueensError::TooLargeToColour`] if the board has more than 128 squares, or more
    /// solutions than are tried; otherwise see [`QueensError`].
    pub fn colourings(&self) -> Result<QueensColourings, QueensError> {
        let board = self.board;
        let too_large = QueensError::TooLargeToColour { board };
        if board.rows.checked_mul(board.cols).is_none_or(|squares| squares > MAX_SQUARES) {
            return Err(too_large);
        }
        // Without rows there is nothing to colour.
        let mut solutions = vec![Vec::new(); if board.rows == 0 { 0 } else { board.cols }];
        for columns in &self.zdd(BoardEncoding::Row)? {
            let queens = BoardEncoding::Row.squares(board, &columns);
            let Some(first) = queens.first() else { continue };
            let set =
                queens.iter().fold(0, |set, queen| set | 1 << (queen.row * board.cols + queen.col));
            if solutions[first.col].len() == MAX_SOLUTIONS {
                return Err(too_large);
            }
            solutions[first.col].push(set);
        }
        let squares = (board.rows * board.cols) as u32;
        let cover = |square: u32| {
            let square = 1 << square;
            let covers = solutions.iter().flatten().copied().filter(|set| set & square != 0);
            (square, covers.collect())
        };
        let mut covers: Vec<(u128, Vec<u128>)> = (0..squares).map(cover).collect();
        covers.sort_by_key(|(_, solutions)| solutions.len());
        Ok(QueensColourings { board, solutions, covers })
    }
}

impl QueensColourings {
    /// Returns the board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Returns the squares of each colour, row by row: disjoint solutions that cover the board.
    ///
    /// `solution` has one value for each variable, as the diagram of the spec lists them. See the
    /// example of [`QueensColourings`].
    ///
    /// # Panics
    ///
    /// If it has another number of values, or a value that its variable does not have;
    /// [`get_colours`](QueensColourings::get_colours) returns `None` then.
    #[track_caller]
    pub fn colours(&self, solution: &[usize]) -> Vec<Vec<Square>> {
        match self.get_colours(solution) {
            Some(colours) => colours,
            None => {
                panic!("{solution:?} is no assignment to the colours of a {} board", self.board)
            }
        }
    }

    /// Returns the squares of each colour, as [`colours`](QueensColourings::colours) returns them; `None`
    /// if `solution` does not have one value of each variable.
    ///
    /// ```
    /// use topdd_chess::Queens;
    ///
    /// let colourings = Queens::new(5).colourings()?;
    /// assert_eq!(colourings.get_colours(&[0; 4]), None); // there are five colours
    /// # Ok::<(), topdd_chess::QueensError>(())
    /// ```
    pub fn get_colours(&self, solution: &[usize]) -> Option<Vec<Vec<Square>>> {
        let squares = |set: u128| {
            let indexed = self.board.squares().enumerate();
            indexed.filter(|(index, _)| set >> index & 1 == 1).map(|(_, square)| square).collect()
        };
        if solution.len() != self.solutions.len() {
            return None;
        }
        let sets = self.solutions.iter().zip(solution).map(|(sets, &value)| sets.get(value));
        sets.map(|set| set.copied().map(squares)).collect()
    }

    /// Whether each square that is not `taken` is in a solution on such squares.
    fn hopeful(&self, taken: u128) -> bool {
        self.covers.iter().all(|(square, solutions)| {
            taken & square != 0 || solutions.iter().any(|set| set & taken == 0)
        })
    }

    fn step(&self, taken: u128, column: usize, set: u128) -> Step<u128> {
        let next = taken | set;
        if set & taken != 0 || !self.hopeful(next) {
            Step::Zero
        } else if column + 1 == self.board.cols {
            Step::One
        } else {
            Step::To(column + 1, next)
        }
    }
}

impl DdSpec for QueensColourings {
    type State = u128;

    fn num_vars(&self) -> usize {
        self.solutions.len()
    }

    fn arity(&self, column: usize) -> usize {
        self.solutions[column].len().max(1)
    }

    fn root(&self) -> Step<u128> {
        if self.num_vars() == 0 {
            Step::One
        } else if self.hopeful(0) {
            Step::To(0, 0)
        } else {
            Step::Zero
        }
    }

    fn child(&self, &taken: &u128, column: usize, value: usize) -> Step<u128> {
        match self.solutions[column].get(value) {
            Some(&set) => self.step(taken, column, set),
            None => Step::Zero,
        }
    }

    fn describe(&self, taken: &u128) -> String {
        let squares = self.board.squares().enumerate();
        let taken = squares.filter(|(index, _)| taken >> index & 1 == 1);
        let names: Vec<String> = taken.map(|(_, square)| square.to_string()).collect();
        names.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Colours square after square, in all ways that keep queens of a colour apart; those of the
    /// first row are given.
    fn tried(queens: &Queens, colours: &mut Vec<usize>) -> u64 {
        let board = queens.board();
        let squares: Vec<Square> = board.squares().collect();
        let Some(&square) = squares.get(colours.len()) else { return 1 };
        let mut count = 0;
        for colour in 0..board.cols {
            let same = colours.iter().zip(&squares).filter(|&(&other, _)| other == colour);
            let attacked = same.into_iter().any(|(_, &other)| queens.attack(other, square));
            if !attacked && (square.row > 0 || square.col == colour) {
                colours.push(colour);
                count += tried(queens, colours);
                colours.pop();
            }
        }
        count
    }

    #[test]
    fn colourings_are_those_of_the_graph_of_queens() {
        for (n, known) in [(0, 1u32), (1, 1), (2, 0), (4, 0), (5, 2), (6, 0), (7, 4)] {
            let queens = Queens::new(n);
            let colourings = topdd::zdd(&queens.colourings().unwrap()).unwrap();
            assert_eq!(colourings.count(), known.into(), "{n}");
            if n < 7 {
                assert_eq!(tried(&queens, &mut Vec::new()), u64::from(known), "{n}");
            }
        }
        for (rows, cols) in [(1, 3), (2, 4), (2, 5), (3, 5), (3, 6), (0, 3), (3, 0), (3, 2)] {
            for toroidal in [false, true] {
                let queens = Queens::on(rows, cols).toroidal(toroidal);
                let count = topdd::count(&queens.colourings().unwrap()).unwrap();
                // More rows than columns leave colours with fewer queens than rows, if any.
                let known =
                    if rows > cols && cols > 0 { 0 } else { tried(&queens, &mut Vec::new()) };
                assert_eq!(count, known.into(), "{rows} x {cols} {toroidal}");
            }
        }
    }

    #[test]
    fn colours_are_disjoint_solutions_that_cover_the_board() {
        let queens = Queens::new(7);
        let colourings = queens.colourings().unwrap();
        for solution in &topdd::zdd(&colourings).unwrap() {
            let colours = colourings.colours(&solution);
            assert!(colours.iter().all(|colour| queens.is_solution(colour)));
            let mut squares = colours.concat();
            squares.sort();
            assert!(queens.board().squares().eq(squares));
        }
    }

    #[test]
    fn a_board_without_squares_has_one_colouring_without_colours() {
        for (rows, cols) in [(0, 0), (0, 3), (3, 0)] {
            let colourings = Queens::on(rows, cols).colourings().unwrap();
            let solutions: Vec<_> = topdd::zdd(&colourings).unwrap().iter().collect();
            assert_eq!(solutions, [Vec::<usize>::new()]);
            assert!(colourings.colours(&solutions[0]).is_empty());
        }
    }

    #[test]
    fn colouring_a_board_that_is_too_large_is_an_error() {
        let error = Queens::new(12).colourings().unwrap_err();
        assert_eq!(error, QueensError::TooLargeToColour { board: Board::new(12, 12) });
        assert!(error.to_string().contains("12x12"), "{error}");
        assert!(Queens::on(8, 16).colourings().is_err());
        assert!(Queens::on(usize::MAX, 2).colourings().is_err());
    }
}
