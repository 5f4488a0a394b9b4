//! Specs of the tests.

use std::ops::ControlFlow;
use topdd::spec::JoinSpec;
use topdd::{DdSpec, Forced, Step};

/// Queens on a board, a variable for each row: states with few bytes and many children.
pub struct Queens(pub usize);

impl DdSpec for Queens {
    /// Threatened columns, and those along both diagonals.
    type State = (u32, u32, u32);

    fn num_vars(&self) -> usize {
        self.0
    }

    fn arity(&self, _: usize) -> usize {
        self.0
    }

    fn validate(&self) -> Result<(), String> {
        if self.0 > 32 { Err("at most 32 queens".to_owned()) } else { Ok(()) }
    }

    fn root(&self) -> Step<Self::State> {
        Step::To(0, (0, 0, 0))
    }

    fn child(
        &self,
        &(down, left, right): &Self::State,
        row: usize,
        col: usize,
    ) -> Step<Self::State> {
        let bit = 1 << col;
        if (down | left | right) & bit != 0 {
            return Step::Zero;
        }
        if row + 1 == self.0 {
            return Step::One;
        }
        let all = (1 << self.0) - 1;
        Step::To(row + 1, (down | bit, (left | bit) << 1 & all, (right | bit) >> 1))
    }
}

/// Ways down a triangle of numbers, to the left or to the right. A place is left out if the least total
/// of a way to it is large: states that are joined.
pub struct Triangle(pub usize);

impl JoinSpec for Triangle {
    /// The place in the row.
    type State = usize;
    /// The least total of a way to it.
    type Joined = u32;

    fn num_vars(&self) -> usize {
        self.0
    }

    fn root(&self) -> Step<(usize, u32)> {
        Step::To(0, (0, 0))
    }

    fn child(&self, place: &usize, least: &u32, row: usize, right: usize) -> Step<(usize, u32)> {
        let place = place + right;
        let total = least + ((place * place + 3 * row) % 7) as u32;
        if total > 2 * row as u32 + 6 {
            Step::Zero
        } else if row + 1 == self.0 {
            Step::One
        } else {
            Step::To(row + 1, (place, total))
        }
    }

    fn join(one: &u32, other: &u32) -> u32 {
        *one.min(other)
    }
}

/// Rows of cells that are free or covered by pieces of one to three cells: states that own memory,
/// steps that skip variables, and forced states.
pub struct Pieces {
    pub cells: usize,
    /// The most pieces of each length minus one.
    pub most: [u8; 3],
}

impl DdSpec for Pieces {
    /// The pieces used, by length minus one, and whether the last cell was free.
    type State = (Vec<u8>, bool);

    fn num_vars(&self) -> usize {
        self.cells
    }

    fn arity(&self, _: usize) -> usize {
        4
    }

    fn root(&self) -> Step<Self::State> {
        Step::To(0, (vec![0; 3], true))
    }

    fn child(&self, (used, free): &Self::State, cell: usize, value: usize) -> Step<Self::State> {
        if value == 0 {
            return self.at(cell + 1, (used.clone(), true));
        }
        // Two pieces must not touch, and the third kind may not come last.
        if !free || cell + value > self.cells {
            return Step::Zero;
        }
        let mut used = used.clone();
        used[value - 1] += 1;
        if used[value - 1] > self.most[value - 1] {
            return Step::Zero;
        }
        self.at(cell + value, (used, false))
    }

    fn for_each_child<B>(
        &self,
        state: &Self::State,
        cell: usize,
        mut visit: impl FnMut(usize, Step<Self::State>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for value in 0..if state.1 { 4 } else { 1 } {
            match self.child(state, cell, value) {
                Step::Zero => {}
                step => visit(value, step)?,
            }
        }
        ControlFlow::Continue(())
    }

    fn forced(&self, state: &Self::State, cell: usize) -> Forced<Self::State> {
        if state.1 { Forced::Free } else { Forced::Value(0, self.child(state, cell, 0)) }
    }
}

impl Pieces {
    fn at(&self, cell: usize, state: (Vec<u8>, bool)) -> Step<(Vec<u8>, bool)> {
        if cell == self.cells { Step::One } else { Step::To(cell, state) }
    }
}

/// A process that fails at a row of a board of queens.
pub struct Failing {
    pub queens: Queens,
    pub row: usize,
    pub with: fn(),
}

impl DdSpec for Failing {
    type State = (u32, u32, u32);

    fn num_vars(&self) -> usize {
        self.queens.num_vars()
    }

    fn arity(&self, row: usize) -> usize {
        self.queens.arity(row)
    }

    fn root(&self) -> Step<Self::State> {
        self.queens.root()
    }

    fn child(&self, state: &Self::State, row: usize, col: usize) -> Step<Self::State> {
        if row == self.row {
            (self.with)();
        }
        self.queens.child(state, row, col)
    }
}
