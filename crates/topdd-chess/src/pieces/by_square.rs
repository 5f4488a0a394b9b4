//! One two-valued variable per square, or per item: a board as items that conflict, and its spec.

use super::{MAX_SQUARES, Pieces, PiecesError};
use crate::board::{Board, Square};
use crate::symmetry::Symmetry;
use topdd::Step;
use topdd::spec::ArraySpec;

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
pub(super) struct BoardPlan {
    pub(super) items: Vec<Vec<Square>>,
    /// For each item, whether one with a piece rules out another.
    conflicts: Vec<bool>,
    /// For each item, whether pieces are not excluded.
    pub(super) usable: Vec<bool>,
    /// For each item, whether pieces are required.
    pub(super) forced: Vec<bool>,
    /// For each item, whether one of its squares can have a piece if none attacks it.
    roomy: Vec<bool>,
    /// The maximum distance between two items that conflict.
    pub(super) reach: usize,
}

impl BoardPlan {
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
        let mut plan = BoardPlan {
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
    fn conflict(&self, item: usize, other: usize) -> bool {
        self.conflicts[item * self.items.len() + other]
    }

    /// Whether a required piece is excluded.
    fn is_infeasible(&self) -> bool {
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
    fn cliques(&self, by_row: bool) -> Vec<Vec<usize>> {
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

/// [`Pieces`] with one two-valued variable per square, row by row from `a1`; its value is 1
/// if the square has a piece. For symmetric placements, a variable represents an orbit of squares
/// under the symmetries, at the position of its first square.
///
/// The first word of a state is the number of pieces so far, if a number is given. The others have a bit for
/// each attacked square among the undecided ones, and for maximal placements for each decided square that is
/// empty and not yet attacked. Only squares within reach of the boundary are stored: the bit of square `s` is
/// `s` modulo their number.
///
/// No variable is skipped, so the solutions are the same as a ZDD and as a BDD.
#[derive(Clone, Debug)]
pub(super) struct BySquare {
    items: Vec<BoardItem>,
    number: Option<u32>,
    maximal: bool,
    infeasible: bool,
    period: usize,
}

/// The precomputed data of an item.
#[derive(Clone, Debug)]
struct BoardItem {
    bit: usize,
    pieces: u32,
    usable: bool,
    forced: bool,
    roomy: bool,
    /// The items to come that pieces on this one attack, where that matters.
    attacked: BitSet,
    /// The items to come with pieces that would attack this one.
    helpers: BitSet,
    /// The items behind that pieces on this one attack.
    relieved: BitSet,
    /// This item and those behind that are still remembered.
    behind: BitSet,
    /// The items to come that are remembered.
    ahead: BitSet,
    /// The pieces that must stand on items to come.
    due: u32,
    /// Two upper bounds on the number of pieces on undecided items.
    bounds: [Bound; 2],
}

/// Groups of undecided items; at most one item of each group can have pieces.
#[derive(Clone, Debug, Default)]
struct Bound {
    /// The pieces in groups that reach beyond the state.
    sure: u32,
    /// The items of the other groups, and the number of pieces that each group can have.
    groups: Vec<(BitSet, u32)>,
}

impl Bound {
    /// Whether the bound allows this number of additional pieces.
    #[inline]
    fn allows(&self, more: u32, bits: &[u64]) -> bool {
        let mut room = self.sure;
        let mut groups = self.groups.iter();
        while room < more {
            match groups.next() {
                None => return false,
                Some((items, _)) if items.within(bits) => {}
                Some((_, pieces)) => room += pieces,
            }
        }
        true
    }
}

impl BySquare {
    /// The spec of a plan whose period is at most [`MAX_BITS`].
    pub(super) fn new(plan: &BoardPlan, pieces: &Pieces) -> Self {
        let (count, period, maximal) =
            (plan.items.len(), plan.period(pieces.maximal), pieces.maximal);
        debug_assert!(period <= MAX_BITS);
        let set = |items: &mut dyn Iterator<Item = usize>| {
            items.fold(BitSet::EMPTY, |mut set, item| {
                set.insert(item % period);
                set
            })
        };
        let weight = |item: usize| plan.items[item].len() as u32;
        let cliques = match pieces.number {
            Some(_) => [true, false].map(|by_row| plan.cliques(by_row)),
            None => Default::default(),
        };
        let mut due = 0;
        let mut items = Vec::new();
        for item in (0..count).rev() {
            let conflict = |other: &usize| plan.conflict(item, *other);
            let last = count.min(item + 1 + plan.reach);
            let first = item.saturating_sub(plan.reach);
            let matters = |other: &usize| plan.usable[*other] || maximal && plan.roomy[*other];
            let bound = |cliques: &Vec<Vec<usize>>| {
                let mut bound = Bound::default();
                for clique in cliques {
                    let ahead = || clique.iter().copied().filter(|&other| other > item);
                    let takes = ahead().map(weight).max().unwrap_or(0);
                    if ahead().any(|other| other >= last) {
                        bound.sure += takes;
                    } else if takes > 0 {
                        bound.groups.push((set(&mut ahead()), takes));
                    }
                }
                bound
            };
            items.push(BoardItem {
                bit: item % period,
                pieces: weight(item),
                usable: plan.usable[item],
                forced: plan.forced[item],
                roomy: plan.roomy[item],
                attacked: set(&mut (item + 1..last).filter(conflict).filter(matters)),
                helpers: set(&mut (item + 1..last)
                    .filter(conflict)
                    .filter(|&other| plan.usable[other])),
                relieved: set(&mut (first..item).filter(conflict)),
                behind: if maximal { set(&mut (first..=item)) } else { BitSet::EMPTY },
                ahead: set(&mut (item + 1..last)),
                due,
                bounds: cliques.each_ref().map(bound),
            });
            if plan.forced[item] {
                due += weight(item);
            }
        }
        items.reverse();
        BySquare {
            items,
            // A number that overflows exceeds the number of squares of any board.
            number: pieces.number.map(|number| number.try_into().unwrap_or(u32::MAX)),
            maximal,
            infeasible: plan.is_infeasible(),
            period,
        }
    }

    /// Whether each item behind that must yet be attacked can be, once `item` is decided.
    fn relievable(&self, bits: &[u64], item: usize) -> bool {
        let at = &self.items[item];
        at.behind.common(bits).all(|bit| {
            // The last item that has this bit.
            let needy = item - (item + self.period - bit) % self.period;
            self.items[needy].helpers.any_without(&at.ahead, bits)
        })
    }

    /// Decides an item. Returns whether a solution may follow.
    #[inline]
    fn decide(&self, state: &mut [u64], item: usize, value: usize) -> bool {
        let [placed, bits @ ..] = state else { unreachable!("a state has a number") };
        let at = &self.items[item];
        let attacked = contains(bits, at.bit);
        remove(bits, at.bit);
        match value {
            0 if !at.forced => {
                if self.maximal && at.roomy && !attacked {
                    insert(bits, at.bit);
                }
            }
            1 if at.usable && !attacked => {
                at.attacked.add_to(bits);
                if self.maximal {
                    at.relieved.remove_from(bits);
                }
                if self.number.is_some() {
                    *placed += u64::from(at.pieces);
                }
            }
            _ => return false,
        }
        if self.maximal && !self.relievable(bits, item) {
            return false;
        }
        let Some(number) = self.number else { return true };
        let Some(more) = number.checked_sub(*placed as u32) else { return false };
        if more < at.due || !at.bounds.iter().all(|bound| bound.allows(more, bits)) {
            return false;
        }
        if more == 0 && !self.maximal {
            // The attacked items make no difference any more.
            bits.fill(0);
        }
        true
    }
}

impl ArraySpec for BySquare {
    type Head = ();
    type Item = u64;

    fn num_vars(&self) -> usize {
        self.items.len()
    }

    fn len(&self, _: usize) -> usize {
        1 + self.period.div_ceil(64).max(1)
    }

    fn root(&self, (): &mut (), _: &mut [u64]) -> Step<()> {
        if self.infeasible {
            Step::Zero
        } else if self.items.is_empty() {
            if self.number.unwrap_or(0) == 0 { Step::One } else { Step::Zero }
        } else {
            Step::To(0, ())
        }
    }

    #[allow(clippy::inline_always, reason = "a known number of words saves a twentieth of a sweep")]
    #[inline(always)]
    fn child(&self, (): &mut (), state: &mut [u64], item: usize, value: usize) -> Step<()> {
        if !self.decide(state, item, value) {
            Step::Zero
        } else if item + 1 == self.items.len() {
            Step::One
        } else {
            Step::To(item + 1, ())
        }
    }

    fn describe(&self, (): &(), state: &[u64]) -> String {
        format!("{} pieces, squares {:x?}", state[0], &state[1..])
    }
}

/// The limit of the numbers in a set.
pub(super) const MAX_BITS: usize = 256;

/// The number of words of a [`BitSet`].
const WORDS: usize = MAX_BITS / 64;

/// A set of numbers below [`MAX_BITS`]. A state stores the first words only, as many as its numbers need; so
/// these methods take the sets of states as slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BitSet([u64; WORDS]);

#[inline]
pub(super) fn contains(set: &[u64], bit: usize) -> bool {
    set[bit / 64] >> (bit % 64) & 1 == 1
}

#[inline]
pub(super) fn insert(set: &mut [u64], bit: usize) {
    set[bit / 64] |= 1 << (bit % 64);
}

#[inline]
fn remove(set: &mut [u64], bit: usize) {
    set[bit / 64] &= !(1 << (bit % 64));
}

impl BitSet {
    pub(super) const EMPTY: Self = BitSet([0; WORDS]);

    #[inline]
    pub(super) fn insert(&mut self, bit: usize) {
        insert(&mut self.0, bit);
    }

    /// Adds the members to a set.
    #[inline]
    fn add_to(&self, set: &mut [u64]) {
        for (word, own) in set.iter_mut().zip(&self.0) {
            *word |= own;
        }
    }

    /// Removes the members from a set.
    #[inline]
    fn remove_from(&self, set: &mut [u64]) {
        for (word, own) in set.iter_mut().zip(&self.0) {
            *word &= !own;
        }
    }

    /// Whether all members are in a set.
    #[inline]
    fn within(&self, set: &[u64]) -> bool {
        self.0.iter().zip(set).all(|(own, word)| own & !word == 0)
    }

    /// Whether a member is in `others` and not in a set.
    #[inline]
    fn any_without(&self, others: &Self, set: &[u64]) -> bool {
        let words = self.0.iter().zip(&others.0).zip(set);
        words.map(|((own, other), word)| own & other & !word).any(|common| common != 0)
    }

    /// The members that are in a set, in ascending order.
    #[inline]
    fn common(&self, set: &[u64]) -> impl Iterator<Item = usize> {
        self.0.iter().zip(set).enumerate().flat_map(|(index, (own, word))| {
            let mut rest = own & word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest.wrapping_sub(1);
                (bit < 64).then_some(index * 64 + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sets_up_to_their_last_bit() {
        let set_of = |bits: &[usize]| {
            let mut set = BitSet::EMPTY;
            for &bit in bits {
                set.insert(bit);
            }
            set
        };
        let mut words = [0; 2];
        set_of(&[0, 63, 64, 127]).add_to(&mut words);
        assert!(contains(&words, 63) && contains(&words, 127) && !contains(&words, 1));
        assert!(set_of(&[1, 63, 64, 126]).common(&words).eq([63, 64]));
        assert!(set_of(&[63, 64]).within(&words) && !set_of(&[63, 65]).within(&words));
        assert!(set_of(&[2, 64]).any_without(&set_of(&[2]), &words));
        assert!(!set_of(&[2, 64]).any_without(&set_of(&[64]), &words));
        remove(&mut words, 63);
        insert(&mut words, 2);
        set_of(&[127, 5]).remove_from(&mut words);
        assert_eq!(words, [0b101, 1]);
    }
}
