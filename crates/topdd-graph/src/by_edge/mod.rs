//! One variable per edge.

// Measured: with calls in between, a sweep of a grid takes a fifth longer.
#![allow(clippy::inline_always)]

mod directed;
mod edge_step;

use std::ops::ControlFlow;
use topdd::{DdSpec, Forced, Step};

use super::frontier::{Frontier, Joined};
use super::mates::{INNER, Mates};
use super::path_problem::{PathProblem, TooWide};
pub(super) use directed::DirectedByEdge;
use edge_step::{Decision, EdgeStep};

/// The spec of a [`PathProblem`] of an undirected graph with one two-valued variable per edge. Its
/// value is 1 if the edge is taken. A solution is the set of its edges.
///
/// The state is the *mate* array of the frontier, packed into `W` words.
#[derive(Clone, Debug)]
pub(crate) struct ByEdge<const W: usize> {
    frontier: Frontier<W>,
    steps: Vec<EdgeStep<W>>,
}

impl<const W: usize> ByEdge<W> {
    /// # Errors
    ///
    /// [`TooWide`] if `W` words are too few.
    pub(super) fn new(problem: &PathProblem) -> Result<Self, TooWide> {
        let frontier = Frontier::new(problem)?;
        let steps = (0..frontier.num_vars()).map(|edge| EdgeStep::new(&frontier, edge)).collect();
        Ok(Self { frontier, steps })
    }

    /// The decision about an edge in a state other than [`Mates::DONE`].
    #[inline(always)]
    fn decide(&self, edge: usize, state: Mates<W>) -> Decision<'_, W> {
        Decision::new(self, &self.steps[edge], edge, state)
    }

    // The slow paths below are rare. They decode the state again, so that their callers need not
    // keep the decoded values in registers for them.

    /// Whether the edge would be the only edge of the vertex, which may not be an end.
    #[inline(never)]
    fn makes_illegal_end(&self, edge: usize, state: Mates<W>) -> bool {
        let Decision { var_step: EdgeStep { last, .. }, mates, own, .. } = self.decide(edge, state);
        let var_step = self.frontier.var_step(edge);
        *last
            && own == var_step.own.untouched
            && self.frontier.remaining_ends(var_step, &mates, own) == 0
    }

    /// Returns the step of value 0.
    #[inline(never)]
    fn without(&self, edge: usize, state: Mates<W>) -> Step<Mates<W>> {
        let Decision { var_step: EdgeStep { last, may_leave, .. }, mut mates, own, .. } =
            self.decide(edge, state);
        let frontier = &self.frontier;
        let var_step = frontier.var_step(edge);
        let mut joined = Joined::Open;
        if *last && own != INNER && own != *may_leave {
            // With a single edge it is an end of the whole path.
            if own == var_step.own.untouched
                || var_step.own.fixed_end
                || frontier.remaining_ends(var_step, &mates, own) == 0
            {
                return Step::Zero;
            }
            joined = frontier.join(&mut mates, own, frontier.layout().end);
        }
        frontier.finish(edge, var_step, mates, joined)
    }

    /// Returns the step of value 1. The edge must be allowed.
    #[inline(never)]
    fn with(&self, edge: usize, state: Mates<W>) -> Step<Mates<W>> {
        let decision = self.decide(edge, state);
        let Decision { var_step: EdgeStep { last, closes, .. }, own, other, .. } = decision;
        let frontier = &self.frontier;
        let var_step = frontier.var_step(edge);
        let mut mates = decision.without_both();
        let joined = if own == *closes {
            Joined::Whole
        } else {
            let only = own == var_step.own.untouched && *last;
            frontier.join(&mut mates, other, if only { frontier.layout().end } else { own })
        };
        frontier.finish(edge, var_step, mates, joined)
    }

    #[inline(never)]
    fn is_viable(&self, edge: usize, mates: Mates<W>) -> bool {
        self.frontier.is_viable(self.frontier.var_step(edge), &mates)
    }
}

impl<const W: usize> DdSpec for ByEdge<W> {
    type State = Mates<W>;

    fn num_vars(&self) -> usize {
        self.frontier.num_vars()
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
        // A single call of `visit`, so that the compiler inlines the closure.
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

    fn like(&self, edge: usize) -> Option<usize> {
        self.frontier.like(edge)
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
