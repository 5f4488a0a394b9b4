//! One variable per row.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use topdd::{DdSpec, Step};

use super::kind::Kind;
use super::mask::Mask;
use super::threats::Rules;

/// [`Queens`](super::Queens) with one variable per row, whose value is the column of
/// that row's queen.
///
/// There are as many variables as rows, and their arity is the number of columns (1 on
/// a board without columns, where a spec may not say 0).
#[derive(Clone, Debug)]
pub(super) struct ByRow<M, K> {
    rules: Rules<M>,
    kind: PhantomData<K>,
}

impl<M: Mask, K: Kind> ByRow<M, K> {
    pub(super) fn new(rules: Rules<M>) -> Self {
        ByRow { rules, kind: PhantomData }
    }

    /// The step of a queen on a free square.
    #[inline]
    fn place(&self, state: &K::State<M>, row: usize, col: usize) -> Step<K::State<M>> {
        match self.rules.place(state, row, col) {
            None => Step::Zero,
            Some(_) if row + 1 == self.rules.board.rows => Step::One,
            Some(above) => Step::To(row + 1, above),
        }
    }
}

impl<M: Mask, K: Kind> DdSpec for ByRow<M, K> {
    type State = K::State<M>;

    fn num_vars(&self) -> usize {
        self.rules.board.rows
    }

    #[inline]
    fn arity(&self, _row: usize) -> usize {
        self.rules.board.cols.max(1)
    }

    fn root(&self) -> Step<K::State<M>> {
        self.rules.root()
    }

    fn child(&self, state: &K::State<M>, row: usize, col: usize) -> Step<K::State<M>> {
        if col < self.rules.board.cols && self.rules.free(state, row).has(col) {
            self.place(state, row, col)
        } else {
            Step::Zero
        }
    }

    #[inline]
    fn for_each_child<B>(
        &self,
        state: &K::State<M>,
        row: usize,
        mut visit: impl FnMut(usize, Step<K::State<M>>) -> ControlFlow<B>,
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
