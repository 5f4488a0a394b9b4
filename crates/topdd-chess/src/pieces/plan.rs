//! The plan of a spec: a board as items that conflict.

use super::{MAX_SQUARES, Pieces, PiecesError};
use crate::board::{Board, Square};
use crate::symmetry::Symmetry;

/// The squares of each item, row by row, in the order of their first squares: the orbits of the squares
/// under these symmetries, single squares without any.
pub(super) fn items(
    board: Board,
    symmetries: &[Symmetry],
) -> Result<Vec<Vec<Square>>, PiecesError> {
    if board.rows.checked_mul(board.cols).is_none_or(|squares| squares > MAX_SQUARES) {
        return Err(PiecesError::TooManySquares { board, most: MAX_SQUARES });
    }
    if !symmetries.iter().all(|symmetry| symmetry.maps(board)) {
        return Err(PiecesError::NotSquare { board });
    }
    let mut met = vec![false; board.rows * board.cols];
    let mut items = Vec::new();
    for square in board.squares() {
        let mut orbit = vec![square];
        let mut done = 0;
        while let Some(&next) = orbit.get(done) {
            done += 1;
            let images = symmetries.iter().filter_map(|symmetry| symmetry.of(board, next));
            for image in images {
                if !orbit.contains(&image) {
                    orbit.push(image);
                }
            }
        }
        let place = |square: &Square| square.row * board.cols + square.col;
        if !met[place(&square)] {
            for square in &orbit {
                met[place(square)] = true;
            }
            orbit.sort_unstable();
            items.push(orbit);
        }
    }
    Ok(items)
}

/// The items, with the constraints that hold before the first is decided.
pub(super) struct Plan {
    pub(super) items: Vec<Vec<Square>>,
    /// For each item, whether one with a piece rules out another.
    conflicts: Vec<bool>,
    /// For each item, whether pieces are not excluded.
    pub(super) usable: Vec<bool>,
    /// For each item, whether pieces are required.
    pub(super) forced: Vec<bool>,
    /// For each item, whether one of its squares can have a piece if none attacks it.
    pub(super) roomy: Vec<bool>,
    /// The maximum distance between two items that conflict.
    pub(super) reach: usize,
}

impl Plan {
    pub(super) fn new(pieces: &Pieces, items: Vec<Vec<Square>>) -> Self {
        let number = items.len();
        // Symmetries that fix an item map any of its squares to any other, and attacks to
        // attacks: so one square represents all.
        let conflicts = items.iter().flat_map(|item| {
            items
                .iter()
                .map(move |other| other.iter().any(|&square| pieces.attack(item[0], square)))
        });
        let conflicts: Vec<bool> = conflicts.collect();
        let forced = |item: &Vec<Square>| item.iter().any(|square| pieces.given.contains(square));
        let allowed = |square: &Square| !pieces.forbidden.contains(square);
        let mut plan = Plan {
            forced: items.iter().map(forced).collect(),
            usable: items.iter().map(|item| item.iter().all(allowed)).collect(),
            roomy: items.iter().map(|item| item.iter().any(allowed)).collect(),
            items,
            conflicts,
            reach: 0,
        };
        for item in 0..number {
            // Pieces on all squares of the item attack one another.
            plan.usable[item] &= !plan.conflict(item, item);
            if plan.forced[item] {
                for other in (0..number).filter(|&other| other != item) {
                    if plan.conflict(item, other) {
                        plan.usable[other] = false;
                        plan.roomy[other] = false;
                    }
                }
            }
        }
        let later =
            |item: usize| (item + 1..number).rev().find(|&other| plan.conflict(item, other));
        let reach = (0..number).filter_map(|item| later(item).map(|other| other - item));
        plan.reach = reach.max().unwrap_or(0);
        plan
    }

    /// Whether pieces on one item rule out pieces on the other.
    #[inline]
    pub(super) fn conflict(&self, item: usize, other: usize) -> bool {
        self.conflicts[item * self.items.len() + other]
    }

    /// Whether a required piece is excluded.
    pub(super) fn is_infeasible(&self) -> bool {
        self.forced.iter().zip(&self.usable).any(|(&forced, &usable)| forced && !usable)
    }

    /// The number of items in a state: undecided items that a decided one may attack, and for
    /// maximal placements also decided items that an undecided one may attack.
    pub(super) fn period(&self, maximal: bool) -> usize {
        let live = if maximal { 2 * self.reach + 1 } else { self.reach };
        live.min(self.items.len()).max(1)
    }

    /// Groups the usable items such that at most one item of each group can have pieces. The
    /// number of groups bounds the number of items with pieces.
    ///
    /// Greedy, starting from `a1` row by row, or else from the last column, column by column:
    /// for queens and rooks, the one finds rows and the other columns, and for bishops the
    /// diagonals of either direction.
    pub(super) fn cliques(&self, by_row: bool) -> Vec<Vec<usize>> {
        let mut order: Vec<usize> = (0..self.items.len()).filter(|&i| self.usable[i]).collect();
        if !by_row {
            order.sort_by_key(|&item| {
                let Square { row, col } = self.items[item][0];
                (std::cmp::Reverse(col), row)
            });
        }
        let mut cliques: Vec<Vec<usize>> = Vec::new();
        let mut met = vec![false; self.items.len()];
        for (place, &first) in order.iter().enumerate() {
            if met[first] {
                continue;
            }
            let mut clique = vec![first];
            for &item in &order[place + 1..] {
                if !met[item] && clique.iter().all(|&other| self.conflict(item, other)) {
                    met[item] = true;
                    clique.push(item);
                }
            }
            cliques.push(clique);
        }
        cliques
    }
}
