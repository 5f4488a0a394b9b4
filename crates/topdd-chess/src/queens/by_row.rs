//! One variable per row.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use topdd::{DdSpec, Step};

use super::mask::Mask;
use super::threats::{Memory, Rules};
use super::wide::MaskSpec;

/// [`Queens`](super::Queens) with one variable per row, whose value is the column of
/// that row's queen.
///
/// There are as many variables as rows, and their arity is the number of columns (1 on
/// a board without columns, as an arity must not be 0).
#[derive(Clone, Debug)]
pub(super) struct ByRow<M, S> {
    rules: Rules<M>,
    state: PhantomData<S>,
}

impl<M: Mask, S: Memory<M>> ByRow<M, S> {
    pub(super) fn new(rules: Rules<M>) -> Self {
        ByRow { rules, state: PhantomData }
    }

    /// The step of a queen on a free square.
    #[inline]
    fn place(&self, state: &S, row: usize, col: usize) -> Step<S> {
        match self.rules.place(state, row, col) {
            None => Step::Zero,
            Some(_) if row + 1 == self.rules.board.rows => Step::One,
            Some(above) => Step::To(row + 1, above),
        }
    }
}

impl<M: Mask, S: Memory<M>> DdSpec for ByRow<M, S> {
    type State = S;

    fn num_vars(&self) -> usize {
        self.rules.board.rows
    }

    #[inline]
    fn arity(&self, _row: usize) -> usize {
        self.rules.board.cols.max(1)
    }

    fn root(&self) -> Step<S> {
        self.rules.root()
    }

    fn child(&self, state: &S, row: usize, col: usize) -> Step<S> {
        if col < self.rules.board.cols && self.rules.free(state, row).has(col) {
            self.place(state, row, col)
        } else {
            Step::Zero
        }
    }

    #[inline]
    fn for_each_child<B>(
        &self,
        state: &S,
        row: usize,
        mut visit: impl FnMut(usize, Step<S>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut free = self.rules.free(state, row);
        while !free.is_empty() {
            let col = free.first();
            free = free.without_first();
            let step = self.place(state, row, col);
            if !step.is_zero() {
                visit(col, step)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl<M: Mask, S: Memory<M>> MaskSpec<M> for ByRow<M, S> {
    fn next_value(&self, state: &S, row: usize, col: usize) -> usize {
        (self.rules.free(state, row) & !M::below(col)).first()
    }
}
