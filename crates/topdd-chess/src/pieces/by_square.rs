//! One two-valued variable per square, or per item.

use topdd::{DdSpec, Portable, Step};
use topdd_graph::WordState;

use super::Pieces;
use super::bit_set::BitSet;
use super::plan::Plan;

/// [`Pieces`] with one two-valued variable per square, row by row from `a1`; its value is 1
/// if the square has a piece. For symmetric placements, a variable represents an orbit of squares
/// under the symmetries, at the position of its first square.
///
/// The state contains the attacked squares among the undecided ones, the number of pieces if it
/// is given, and for maximal placements the decided squares that are empty and not yet attacked.
/// Only squares within reach of the boundary are stored: the bit of square `s` is `s` modulo their
/// number.
///
/// No variable is skipped, so the solutions are the same as a ZDD and as a BDD.
#[derive(Clone, Debug)]
pub(super) struct BySquare<const N: usize> {
    items: Vec<Item<N>>,
    number: Option<u32>,
    maximal: bool,
    infeasible: bool,
    period: usize,
}

/// The state of [`BySquare`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Live<const N: usize> {
    /// The attacked items among the undecided ones, and the decided items that must still be
    /// attacked.
    bits: BitSet<N>,
    /// The pieces so far, if their number matters.
    placed: u32,
}

impl<const N: usize> Live<N> {
    pub(super) const BITS: usize = BitSet::<N>::BITS;
}

impl<const N: usize> Portable for Live<N> {
    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        self.bits.write(out);
        self.placed.write(out);
    }

    #[inline]
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Some(Live { bits: Portable::read(bytes)?, placed: Portable::read(bytes)? })
    }
}

impl<const N: usize> WordState for Live<N> {
    #[inline]
    fn from_words(words: &[u64]) -> Self {
        let [bits @ .., placed] = words else { unreachable!("a state has a number") };
        Live { bits: BitSet::from_words(bits), placed: *placed as u32 }
    }

    #[inline]
    fn write_words(&self, words: &mut [u64]) {
        let [bits @ .., placed] = words else { unreachable!("a state has a number") };
        self.bits.write_words(bits);
        *placed = self.placed.into();
    }
}

/// The precomputed data of an item.
#[derive(Clone, Debug)]
struct Item<const N: usize> {
    bit: usize,
    pieces: u32,
    usable: bool,
    forced: bool,
    roomy: bool,
    /// The items to come that pieces on this one attack, where that matters.
    attacked: BitSet<N>,
    /// The items to come with pieces that would attack this one.
    helpers: BitSet<N>,
    /// The items behind that pieces on this one attack.
    relieved: BitSet<N>,
    /// This item and those behind that are still remembered.
    behind: BitSet<N>,
    /// The items to come that are remembered.
    ahead: BitSet<N>,
    /// The pieces that must stand on items to come.
    due: u32,
    /// Two upper bounds on the number of pieces on undecided items.
    bounds: [Bound<N>; 2],
}

/// Groups of undecided items; at most one item of each group can have pieces.
#[derive(Clone, Debug, Default)]
struct Bound<const N: usize> {
    /// The pieces in groups that reach beyond the state.
    sure: u32,
    /// The items of the other groups, and the number of pieces that each group can have.
    groups: Vec<(BitSet<N>, u32)>,
}

impl<const N: usize> Bound<N> {
    /// Whether the bound allows this number of additional pieces.
    #[inline]
    fn allows(&self, more: u32, bits: &BitSet<N>) -> bool {
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

impl<const N: usize> BySquare<N> {
    /// The spec of a plan whose period is at most the number of bits of a state.
    pub(super) fn new(plan: &Plan, pieces: &Pieces) -> Self {
        let (count, period, maximal) =
            (plan.items.len(), plan.period(pieces.maximal), pieces.maximal);
        debug_assert!(period <= BitSet::<N>::BITS);
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
            items.push(Item {
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
    fn relievable(&self, bits: BitSet<N>, item: usize) -> bool {
        let at = &self.items[item];
        let mut free = at.ahead;
        free.take_away(&bits);
        bits.common(at.behind).all(|bit| {
            // The last item that has this bit.
            let needy = item - (item + self.period - bit) % self.period;
            self.items[needy].helpers.common(free).next().is_some()
        })
    }

    fn decided(&self, state: &Live<N>, item: usize, value: usize) -> Option<Live<N>> {
        let Live { mut bits, mut placed } = *state;
        let at = &self.items[item];
        let attacked = bits.has(at.bit);
        bits.remove(at.bit);
        match value {
            0 if !at.forced => {
                if self.maximal && at.roomy && !attacked {
                    bits.insert(at.bit);
                }
            }
            1 if at.usable && !attacked => {
                bits.add(&at.attacked);
                if self.maximal {
                    bits.take_away(&at.relieved);
                }
                placed += at.pieces;
            }
            _ => return None,
        }
        if self.maximal && !self.relievable(bits, item) {
            return None;
        }
        let Some(number) = self.number else {
            return Some(Live { bits, placed: 0 });
        };
        let more = number.checked_sub(placed)?;
        if more < at.due || !at.bounds.iter().all(|bound| bound.allows(more, &bits)) {
            return None;
        }
        if more == 0 && !self.maximal {
            // The attacked items make no difference any more.
            bits = BitSet::EMPTY;
        }
        Some(Live { bits, placed })
    }
}

impl<const N: usize> DdSpec for BySquare<N> {
    type State = Live<N>;

    fn num_vars(&self) -> usize {
        self.items.len()
    }

    fn root(&self) -> Step<Live<N>> {
        if self.infeasible {
            Step::Zero
        } else if self.items.is_empty() {
            if self.number.unwrap_or(0) == 0 { Step::One } else { Step::Zero }
        } else {
            Step::To(0, Live { bits: BitSet::EMPTY, placed: 0 })
        }
    }

    #[inline]
    fn child(&self, state: &Live<N>, item: usize, value: usize) -> Step<Live<N>> {
        match self.decided(state, item, value) {
            None => Step::Zero,
            Some(_) if item + 1 == self.items.len() => Step::One,
            Some(next) => Step::To(item + 1, next),
        }
    }
}
