//! The state that both encodings share, and how it moves from row to row.

use topdd::{Portable, Step};

use super::mask::Mask;
use crate::chess::board::{Board, Square};

/// The state: which columns of a row are taken, and by what.
///
/// A bit in `rising` is a diagonal that moves one column up with each row, a bit in
/// `falling` one that moves one column down; diagonals that have left the board are
/// forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Threats<M> {
    /// Columns with a queen below.
    pub columns: M,
    /// Columns where a rising diagonal of a queen below meets this row.
    pub rising: M,
    /// Columns where a falling diagonal of a queen below meets this row.
    pub falling: M,
}

impl<M: Mask> Portable for Threats<M> {
    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        [self.columns, self.rising, self.falling].write(out);
    }

    #[inline]
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let [columns, rising, falling] = Portable::read(bytes)?;
        Some(Threats { columns, rising, falling })
    }
}

/// The squares where queens may stand, and how they threaten one another.
#[derive(Clone, Debug)]
pub(super) struct Rules<M> {
    pub(super) board: Board,
    toroidal: bool,
    forward_check: bool,
    all: M,
    /// For each row, the columns where a queen may stand if none is below. No rows if
    /// there are more rows than columns: then there are no states either.
    open: Vec<M>,
}

impl<M: Mask> Rules<M> {
    /// The rules of a board that has at most `M::BITS` columns.
    pub(super) fn new(
        board: Board,
        toroidal: bool,
        forward_check: bool,
        open: impl Fn(Square) -> bool,
    ) -> Self {
        let columns = |row| {
            (0..board.cols)
                .filter(|&col| open(Square { row, col }))
                .fold(M::EMPTY, |columns, col| columns | M::of(col))
        };
        let rows = if board.rows > board.cols { 0 } else { board.rows };
        Rules {
            board,
            toroidal,
            forward_check,
            all: M::below(board.cols),
            open: (0..rows).map(columns).collect(),
        }
    }

    /// Where both specs start.
    pub(super) fn root(&self) -> Step<Threats<M>> {
        if self.board.rows == 0 {
            return Step::One;
        }
        if self.board.rows > self.board.cols {
            return Step::Zero;
        }
        let none = Threats { columns: M::EMPTY, rising: M::EMPTY, falling: M::EMPTY };
        if self.forward_check && !self.hopeful(none, 0) { Step::Zero } else { Step::To(0, none) }
    }

    /// The columns of `row` where a queen may stand.
    #[inline]
    pub(super) fn free(&self, threats: &Threats<M>, row: usize) -> M {
        self.open[row] & !(threats.columns | threats.rising | threats.falling)
    }

    /// The threats in the row above `row` once a queen stands in column `col` of it, or
    /// `None` if the forward check sees that this leads nowhere.
    ///
    /// Above the last row nothing makes a difference any more: it is always the same
    /// state, in which all columns are taken.
    #[inline]
    pub(super) fn place(&self, threats: &Threats<M>, row: usize, col: usize) -> Option<Threats<M>> {
        if row + 1 == self.board.rows {
            return Some(Threats { columns: self.all, rising: M::EMPTY, falling: M::EMPTY });
        }
        let queen = M::of(col);
        let above = self.above(Threats {
            columns: threats.columns | queen,
            rising: threats.rising | queen,
            falling: threats.falling | queen,
        });
        (!self.forward_check || self.hopeful(above, row + 1)).then_some(above)
    }

    /// The same threats as they meet the row above.
    #[inline]
    fn above(&self, threats: Threats<M>) -> Threats<M> {
        let Threats { columns, rising, falling } = threats;
        let (mut up, mut down) = (rising << 1, falling >> 1);
        if self.toroidal {
            // What leaves the board comes back at the other side. There is at least one
            // column, for there are no states otherwise.
            let last = self.board.cols as u32 - 1;
            up = up | (rising >> last);
            down = down | (falling << last);
        }
        Threats { columns, rising: up & self.all, falling: down & self.all }
    }

    /// The forward check: whether each row from `row` on has a free square, and these
    /// squares lie in at least as many columns as there are such rows.
    #[inline]
    fn hopeful(&self, mut threats: Threats<M>, row: usize) -> bool {
        let mut usable = M::EMPTY;
        for later in row..self.board.rows {
            let free = self.free(&threats, later);
            if free.is_empty() {
                return false;
            }
            usable = usable | free;
            threats = self.above(threats);
        }
        usable.len() as usize >= self.board.rows - row
    }
}
