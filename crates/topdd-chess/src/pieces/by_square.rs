//! One two-valued variable per square, or per item.

use topdd::Step;
use topdd::spec::ArraySpec;

use super::Pieces;
use super::bit_set::{BitSet, MAX_BITS, contains, insert, remove};
use super::plan::Plan;

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
    items: Vec<Item>,
    number: Option<u32>,
    maximal: bool,
    infeasible: bool,
    period: usize,
}

/// The precomputed data of an item.
#[derive(Clone, Debug)]
struct Item {
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
    pub(super) fn new(plan: &Plan, pieces: &Pieces) -> Self {
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
