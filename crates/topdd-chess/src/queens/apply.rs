//! The classic formulation, for the apply engine.
//!
//! One variable per square, row by row. The constraint of one square requires a queen there
//! and none on the squares that it attacks: a chain of nodes. The constraint of a row is the
//! disjunction over its squares, and the constraint of the board the conjunction of the rows, from the first
//! on. This is the common formulation for packages of decision diagrams.

use topdd_apply::{Family, Function, Manager};

use super::{Queens, QueensError};
use crate::board::Square;

impl Queens {
    /// Builds the solutions as a function: variable `row * columns + column` is true if the square
    /// has a queen.
    ///
    /// `on_row` is called after each row, with its number and the conjunction so far.
    ///
    /// ```
    /// use topdd_apply::Manager;
    /// use topdd_chess::Queens;
    ///
    /// let manager = Manager::new(64)?;
    /// let queens = Queens::new(8).function(&manager, |row, board| {
    ///     println!("row {row}: {} nodes", board.node_count());
    /// })?;
    /// assert_eq!(queens.count(), 92u32.into());
    /// assert_eq!(queens.node_count(), 2450);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`QueensError`]; the manager needs a variable for each square.
    pub fn function(
        &self,
        manager: &Manager,
        mut on_row: impl FnMut(usize, &Function),
    ) -> Result<Function, QueensError> {
        self.rules::<u64>()?;
        let mut board = manager.constant(true);
        for row in 0..self.board.rows {
            let mut any = manager.constant(false);
            for square in self.candidates(row) {
                any = any.try_or(&manager.cube(self.decided(square))?)?;
            }
            board = board.try_and(&any)?;
            on_row(row, &board);
        }
        Ok(board)
    }

    /// Builds the solutions as a family of sets of squares: variable `row * columns + column` is
    /// a member if the square has a queen.
    ///
    /// `on_row` is called after each row, with its number and the conjunction so far.
    ///
    /// ```
    /// use topdd_apply::Manager;
    /// use topdd_chess::Queens;
    ///
    /// let manager = Manager::new(64)?;
    /// let queens = Queens::new(8).family(&manager, |row, board| {
    ///     println!("row {row}: {} nodes", board.node_count());
    /// })?;
    /// assert_eq!(queens.count(), 92u32.into());
    /// assert_eq!(queens.node_count(), 373);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`QueensError`]; the manager needs a variable for each square.
    pub fn family(
        &self,
        manager: &Manager,
        mut on_row: impl FnMut(usize, &Family),
    ) -> Result<Family, QueensError> {
        self.rules::<u64>()?;
        let squares = self.board.rows * self.board.cols;
        // Variables that are no squares are members of no solution.
        let beyond = (squares..manager.num_vars()).map(|variable| (variable, false));
        let mut board = manager.family_cube(beyond.clone())?;
        for row in 0..self.board.rows {
            let mut any = manager.empty();
            for square in self.candidates(row) {
                let decided = self.decided(square).chain(beyond.clone());
                any = any.try_union(&manager.family_cube(decided)?)?;
            }
            board = board.try_intersection(&any)?;
            on_row(row, &board);
        }
        Ok(board)
    }

    /// The squares of a row on which given and forbidden squares allow a queen.
    fn candidates(&self, row: usize) -> impl Iterator<Item = Square> + '_ {
        let free = |square: &Square| {
            let attacked = |given: &Square| given != square && self.attack(*given, *square);
            !self.forbidden.contains(square) && !self.given.iter().any(attacked)
        };
        (0..self.board.cols).map(move |col| Square { row, col }).filter(free)
    }

    /// The squares that a queen on this one decides: its own, and all that it attacks.
    fn decided(&self, queen: Square) -> impl Iterator<Item = (usize, bool)> + '_ {
        self.board.squares().enumerate().filter_map(move |(variable, square)| {
            let here = square == queen;
            (here || self.attack(queen, square)).then_some((variable, here))
        })
    }
}
