//! One variable per edge.

// Measured: with calls in between, a sweep of a grid takes a fifth longer.
#![allow(clippy::inline_always)]

mod turn;

use std::ops::ControlFlow;
use topdd::{DdSpec, Forced, Step};

use super::frontier::{Frontier, Joined};
use super::mates::{INNER, Mates};
use super::walks::{PathEncoding, WalkError, Walks};
use turn::{Decision, EdgeTurn};

/// The spec of [`Walks`] with one two-valued variable per edge: variable `e` is edge
/// number `e` of [`Graph::edges`](super::Graph::edges), its value 1 where the edge is
/// taken. A solution is the set of its edges.
///
/// The state is the *mate* array of the frontier, packed into `W` words; see [`PathEncoding`].
#[derive(Clone, Debug)]
pub(super) struct ByEdge<const W: usize> {
    frontier: Frontier<W>,
    turns: Vec<EdgeTurn<W>>,
}

impl<const W: usize> ByEdge<W> {
    /// The spec of `walks`.
    ///
    /// # Errors
    ///
    /// - [`WalkError::TooWide`] if `W` words are too few.
    /// - The others of [`WalkError`] if the fixed ends make no sense.
    pub(super) fn new(walks: &Walks) -> Result<Self, WalkError> {
        let frontier = Frontier::new(walks, PathEncoding::ByEdge)?;
        let turns = (0..frontier.turns()).map(|edge| EdgeTurn::new(&frontier, edge)).collect();
        Ok(Self { frontier, turns })
    }

    /// Whether the edge is taken or not, in a state before completion.
    #[inline(always)]
    fn decide(&self, edge: usize, state: Mates<W>) -> Decision<'_, W> {
        Decision::new(self, &self.turns[edge], edge, state)
    }

    // What is left to these is seldom needed. They start afresh, so that those who call them
    // have nothing to keep ready for them.

    /// Whether it would be the only edge of the vertex, and that may not be an end.
    #[inline(never)]
    fn has_no_room(&self, edge: usize, state: Mates<W>) -> bool {
        let Decision { turn: EdgeTurn { last, .. }, mates, own, .. } = self.decide(edge, state);
        let turn = self.frontier.turn(edge);
        *last && own == turn.own.untouched && self.frontier.room(turn, &mates, own) == 0
    }

    /// The step of value 0.
    #[inline(never)]
    fn without(&self, edge: usize, state: Mates<W>) -> Step<Mates<W>> {
        let Decision { turn: EdgeTurn { last, may_leave, .. }, mut mates, own, .. } =
            self.decide(edge, state);
        let frontier = &self.frontier;
        let turn = frontier.turn(edge);
        let mut joined = Joined::Open;
        if *last && own != INNER && own != *may_leave {
            // Where it has a single edge, it is an end of the whole path.
            if own == turn.own.untouched
                || turn.own.fixed_end
                || frontier.room(turn, &mates, own) == 0
            {
                return Step::Zero;
            }
            joined = frontier.join(&mut mates, own, frontier.layout().end);
        }
        frontier.finish(edge, turn, mates, joined)
    }

    /// The step of value 1, if the edge may be taken.
    #[inline(never)]
    fn with(&self, edge: usize, state: Mates<W>) -> Step<Mates<W>> {
        let decision = self.decide(edge, state);
        let Decision { turn: EdgeTurn { last, closes, .. }, own, other, .. } = decision;
        let frontier = &self.frontier;
        let turn = frontier.turn(edge);
        let mut mates = decision.without_both();
        let joined = if own == *closes {
            Joined::Whole
        } else {
            let only = own == turn.own.untouched && *last;
            frontier.join(&mut mates, other, if only { frontier.layout().end } else { own })
        };
        frontier.finish(edge, turn, mates, joined)
    }

    #[inline(never)]
    fn is_viable(&self, edge: usize, mates: Mates<W>) -> bool {
        self.frontier.is_viable(self.frontier.turn(edge), &mates)
    }
}

impl<const W: usize> DdSpec for ByEdge<W> {
    type State = Mates<W>;

    fn num_vars(&self) -> usize {
        self.frontier.turns()
    }

    fn root(&self) -> Step<Mates<W>> {
        self.frontier.root()
    }

    #[inline]
    fn child(&self, state: &Mates<W>, edge: usize, value: usize) -> Step<Mates<W>> {
        if *state == Mates::DONE {
            return if value == 0 { self.frontier.done_after(edge) } else { Step::Zero };
        }
        let decision = self.decide(edge, *state);
        if value == 0 { decision.without() } else { decision.with() }
    }

    #[inline]
    fn for_each_child<B>(
        &self,
        state: &Mates<W>,
        edge: usize,
        mut visit: impl FnMut(usize, Step<Mates<W>>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let done = *state == Mates::DONE;
        let decision = self.decide(edge, *state);
        // One place where they are visited, so that what visits them is compiled into it.
        for value in 0..2 {
            let step = match value {
                0 if done => self.frontier.done_after(edge),
                0 => decision.without(),
                _ if done => Step::Zero,
                _ => decision.with(),
            };
            if !step.is_zero() {
                visit(value, step)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// An edge to a vertex that has both its edges cannot be taken, the last edge of a vertex that
    /// has one must be, and so on; after the last edge of the path or cycle none can.
    #[inline(always)]
    fn forced(&self, state: &Mates<W>, edge: usize) -> Forced<Mates<W>> {
        if *state == Mates::DONE {
            return Forced::Value(0, Step::One);
        }
        let decision = self.decide(edge, *state);
        if !decision.may_take() {
            Forced::Value(0, decision.without())
        } else if decision.must_take() {
            Forced::Value(1, decision.taken())
        } else {
            Forced::Free
        }
    }
}
