//! The turn of one edge: its precomputed facts, and its decision in a state.

use topdd::Step;

use super::super::frontier::Frontier;
use super::super::mates::{Code, INNER, Mates, NOBODY, Reader};
use super::ByEdge;

/// The facts about the variable of one edge.
#[derive(Clone, Debug)]
pub(super) struct EdgeTurn<const W: usize> {
    keep: [u64; W],
    enter: [u64; W],
    /// Reads the code of the vertex of the turn; 0 if it enters now.
    own: Reader<W>,
    /// Its code if it enters now.
    fresh: Code,
    later: Reader<W>,
    /// The bits of all other codes.
    others: [u64; W],
    /// The codes of the vertex, other than [`INNER`], with which the edge cannot be taken.
    impossible: [Code; 2],
    /// The code of the vertex with which the edge closes a cycle.
    pub(super) closes: Code,
    /// Whether this is the last turn of the vertex.
    pub(super) last: bool,
    /// The code, other than [`INNER`], with which the vertex may leave.
    pub(super) may_leave: Code,
    /// The code with which the vertex needs both its last edges, this one and the next.
    needs_all: Code,
    /// Whether more is to be checked: a vertex may become an end of the whole path, or the later
    /// vertex leaves as well, or it is the last turn of all.
    special: bool,
    /// Whether some vertex may run short of edges.
    watches: bool,
}

impl<const W: usize> EdgeTurn<W> {
    pub(super) fn new(frontier: &Frontier<W>, edge: usize) -> Self {
        let turn = frontier.turn(edge);
        let layout = frontier.layout();
        let &[later] = frontier.later(turn) else { unreachable!("an edge has one larger end") };
        let mut others = [u64::MAX; W];
        for place in turn.own.stays.iter().chain([&later.place]) {
            others[place.word as usize] &= !layout.mask(*place);
        }
        let last = turn.own.stays.is_none();
        // The later vertex may have the slot of the vertex of the turn, so that its name is the
        // untouched code of that vertex. Only a vertex that is not untouched has a mate to compare.
        let own_piece = if later.name == turn.own.untouched { NOBODY } else { later.name };
        // With this as its only edge it would be an end of the whole path.
        let only_edge = if last && !frontier.free_ends { turn.own.untouched } else { NOBODY };
        // A cycle that is to visit all cannot close while a vertex is still to come.
        let may_close = frontier.cycles && (turn.all_entered || !frontier.hamiltonian);
        // Whether its last turn is the next one.
        let two_left = !last && frontier.turn(edge + 1).own.stays.is_none();
        let needs_all = frontier.hamiltonian && !turn.own.fixed_end && two_left;
        Self {
            keep: turn.keep,
            enter: turn.enter,
            own: layout.reader(turn.own.place),
            fresh: if turn.own.place.is_some() { INNER } else { turn.own.fresh },
            later: layout.reader(Some(later.place)),
            others,
            impossible: [only_edge, if may_close { NOBODY } else { own_piece }],
            closes: own_piece,
            last,
            needs_all: if needs_all { turn.own.untouched } else { NOBODY },
            may_leave: if frontier.hamiltonian { INNER } else { turn.own.untouched },
            special: frontier.free_ends
                || turn.leaving.0 != turn.leaving.1
                || edge + 1 == frontier.turns(),
            watches: turn.watched.0 != turn.watched.1,
        }
    }
}

/// The decision of a turn in a state: whether the edge between the vertex of the turn and a later one
/// is taken.
///
/// All of it is to be compiled into the loop over the states of a level, where what depends on
/// the edge alone is foreseen by the processor, and calls would cost as much as what they do.
#[derive(Clone, Copy)]
pub(super) struct Decision<'a, const W: usize> {
    spec: &'a ByEdge<W>,
    pub(super) turn: &'a EdgeTurn<W>,
    edge: usize,
    state: Mates<W>,
    /// The frontier before anything is chosen.
    pub(super) mates: Mates<W>,
    /// The code of the vertex whose turn it is.
    pub(super) own: Code,
    /// The code of the later vertex.
    pub(super) other: Code,
}

impl<'a, const W: usize> Decision<'a, W> {
    #[inline(always)]
    pub(super) fn new(
        spec: &'a ByEdge<W>,
        turn: &'a EdgeTurn<W>,
        edge: usize,
        state: Mates<W>,
    ) -> Self {
        let mut mates = state;
        for (word, (keep, enter)) in mates.0.iter_mut().zip(turn.keep.iter().zip(&turn.enter)) {
            *word = *word & keep | enter;
        }
        let own = turn.own.read(&state) | turn.fresh;
        let other = turn.later.read(&mates);
        Decision { spec, turn, edge, state, mates, own, other }
    }

    /// Whether the edge may be taken, as far as its ends determine that.
    #[inline(always)]
    pub(super) fn may_take(self) -> bool {
        let own = self.own;
        let [first, second] = self.turn.impossible;
        // Which of these makes it impossible cannot be predicted. So that there is
        // but one branch, what is 0 becomes negative, which one of them alone makes them all.
        let impossible = own.wrapping_sub(1)
            | self.other.wrapping_sub(1)
            | (own ^ first).wrapping_sub(1)
            | (own ^ second).wrapping_sub(1);
        impossible >> 63 == 0
            && !(self.turn.special && self.spec.has_no_room(self.edge, self.state))
    }

    /// Whether the edge, which may be taken, must be, as far as is known at once: the vertex
    /// would leave with a single edge, or where it needs two.
    #[inline(always)]
    pub(super) fn must_take(self) -> bool {
        let Decision { turn, own, .. } = self;
        !turn.special && (turn.last && own != turn.may_leave || own == turn.needs_all)
    }

    /// The edge is not taken.
    #[inline(always)]
    pub(super) fn without(self) -> Step<Mates<W>> {
        let Decision { turn, own, .. } = self;
        if turn.special {
            return self.spec.without(self.edge, self.state);
        }
        // It would leave with a single edge, or where it needs two.
        if turn.last && own != INNER && own != turn.may_leave || own == turn.needs_all {
            return Step::Zero;
        }
        self.go_on(self.mates)
    }

    /// The edge is taken, if it may be.
    #[inline(always)]
    pub(super) fn with(self) -> Step<Mates<W>> {
        if self.may_take() { self.taken() } else { Step::Zero }
    }

    /// The edge is taken, which it may be.
    #[inline(always)]
    pub(super) fn taken(self) -> Step<Mates<W>> {
        let Decision { turn, own, other, .. } = self;
        let frontier = &self.spec.frontier;
        let end = frontier.layout().end;
        if turn.special || own == turn.closes || own == end && other == end {
            return self.spec.with(self.edge, self.state);
        }
        let mut mates = self.without_both();
        frontier.join(&mut mates, other, own);
        self.go_on(mates)
    }

    /// The frontier with both having all their edges; who has not gets its mate when the
    /// pieces are joined.
    #[inline(always)]
    pub(super) fn without_both(self) -> Mates<W> {
        let mut mates = self.mates;
        for (word, others) in mates.0.iter_mut().zip(&self.turn.others) {
            *word &= others;
        }
        mates
    }

    /// To the next edge, unless there is no hope.
    #[inline(always)]
    fn go_on(self, mates: Mates<W>) -> Step<Mates<W>> {
        if self.turn.watches && !self.spec.is_viable(self.edge, mates) {
            Step::Zero
        } else {
            Step::To(self.edge + 1, mates)
        }
    }
}
