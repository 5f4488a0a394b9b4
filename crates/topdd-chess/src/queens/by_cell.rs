//! One two-valued variable per square.

use std::marker::PhantomData;

use topdd::{DdSpec, Forced, Step};

use super::Board;
use super::mask::Mask;
use super::threats::{Memory, Rules};
use super::wide::MaskSpec;

/// [`Queens`](super::Queens) with one two-valued variable per square, row by row from
/// `a1`; its value is 1 where a queen stands.
///
/// The state at a square contains the threats to its row as long as the row has no
/// queen, and the threats to the row above once it has one: the rest of the row
/// makes no difference then. The number of taken columns distinguishes the two cases. Under the
/// ZDD rule, there are states only at squares that may stay empty and may be taken; the others are
/// [`forced`](DdSpec::forced).
#[derive(Clone, Debug)]
pub(super) struct ByCell<M, S> {
    rules: Rules<M>,
    state: PhantomData<S>,
}

impl<M: Mask, S: Memory<M>> ByCell<M, S> {
    pub(super) fn new(rules: Rules<M>) -> Self {
        ByCell { rules, state: PhantomData }
    }

    /// A state at the first free square of a row that has no queen yet.
    #[inline]
    fn first_free(&self, state: &S, row: usize) -> Step<S> {
        if row == self.rules.board.rows {
            return Step::One;
        }
        self.at(state, row, self.rules.free(state, row).first())
    }

    /// A state at a free square; nowhere if the column, the lowest of none, is beyond the masks'.
    #[inline]
    fn at(&self, state: &S, row: usize, col: usize) -> Step<S> {
        let cols = self.rules.board.cols;
        if col < cols { Step::To(row * cols + col, *state) } else { Step::Zero }
    }
}

impl<M: Mask, S: Memory<M>> DdSpec for ByCell<M, S> {
    type State = S;

    fn num_vars(&self) -> usize {
        self.rules.board.rows * self.rules.board.cols
    }

    fn root(&self) -> Step<S> {
        self.rules.root()
    }

    #[inline]
    fn child(&self, state: &S, cell: usize, value: usize) -> Step<S> {
        let Board { rows, cols } = self.rules.board;
        let (row, col) = (cell / cols, cell % cols);
        let has_queen = state.columns().len() as usize > row;
        let free = if has_queen { M::EMPTY } else { self.rules.free(state, row) };
        let next = match value {
            // A row without a queen needs a free square to the right.
            0 if has_queen || !(free & !M::below(col + 1)).is_empty() => *state,
            1 if free.has(col) => match self.rules.place(state, row, col) {
                // So does the row above, all of which is to come.
                Some(above) if row + 1 == rows => above,
                Some(above) if !self.rules.free(&above, row + 1).is_empty() => above,
                _ => return Step::Zero,
            },
            _ => return Step::Zero,
        };
        if cell + 1 == rows * cols { Step::One } else { Step::To(cell + 1, next) }
    }

    /// A square that is threatened, or whose row has its queen, stays empty; the last free one of
    /// a row that has none must be taken.
    // Measured: called, it takes 10 % more instructions of a sweep.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn forced(&self, state: &S, cell: usize) -> Forced<S> {
        let cols = self.rules.board.cols;
        let (row, col) = (cell / cols, cell % cols);
        if state.columns().len() as usize > row {
            return Forced::to(0, self.first_free(state, row + 1));
        }
        let free = self.rules.free(state, row) & !M::below(col);
        if !free.has(col) {
            return Forced::to(0, self.at(state, row, free.first()));
        }
        if !free.without_first().is_empty() {
            return Forced::Free;
        }
        let place = self.rules.place(state, row, col);
        Forced::to(1, place.map_or(Step::Zero, |above| self.first_free(&above, row + 1)))
    }
}

impl<M: Mask, S: Memory<M>> MaskSpec<M> for ByCell<M, S> {
    fn next_value(&self, _: &S, _: usize, value: usize) -> usize {
        value
    }
}
