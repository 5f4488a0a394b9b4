//! One variable per vertex.

use std::ops::ControlFlow;
use topdd::{DdSpec, Step};

use super::choices::{arity, choice};
use super::frontier::{Frontier, Joined};
use super::mates::{Code, INNER, Mates};
use super::plan::Turn;
use super::walks::{PathEncoding, WalkError, Walks};

/// The spec of [`Walks`] with one variable per vertex, [`PathEncoding::ByVertex`].
///
/// State and method are those of [`ByEdge`](super::ByEdge).
#[derive(Clone, Debug)]
pub(super) struct ByVertex<const W: usize> {
    frontier: Frontier<W>,
}

impl<const W: usize> ByVertex<W> {
    /// The spec of `walks`.
    ///
    /// # Errors
    ///
    /// - [`WalkError::TooWide`] if `W` words are too few.
    /// - The others of [`WalkError`] if the fixed ends make no sense.
    pub(super) fn new(walks: &Walks) -> Result<Self, WalkError> {
        Ok(Self { frontier: Frontier::new(walks, PathEncoding::ByVertex)? })
    }

    /// The later neighbours that must be chosen because they lack other edges: their number, and the
    /// first two of them.
    #[inline]
    fn forced(&self, turn: &Turn<W>, mates: &Mates<W>, room: usize) -> (usize, [usize; 2]) {
        let needs = self.frontier.needs(mates);
        let mut count = 0;
        let mut which = [usize::MAX; 2];
        for (i, later) in self.frontier.later(turn).iter().enumerate() {
            let Some(watched) = self.frontier.watched(later) else { continue };
            let lacks = Frontier::lacks(watched, &needs);
            if lacks > 1 || lacks == 1 && room == 0 {
                if let Some(slot) = which.get_mut(count) {
                    *slot = i;
                }
                count += 1;
            }
        }
        (count, which)
    }

    /// The step if the vertex takes no edge.
    #[inline]
    fn none(
        &self,
        vertex: usize,
        turn: &Turn<W>,
        mut mates: Mates<W>,
        own: Code,
    ) -> Step<Mates<W>> {
        let mut joined = Joined::Open;
        if own != INNER && own != turn.own.untouched {
            joined = self.frontier.join(&mut mates, own, self.frontier.layout().end);
        }
        self.frontier.finish(vertex, turn, mates, joined)
    }

    /// The step if the vertex takes the edge to its `i`-th later neighbour.
    #[inline]
    fn one(
        &self,
        vertex: usize,
        turn: &Turn<W>,
        mut mates: Mates<W>,
        own: Code,
        i: usize,
    ) -> Step<Mates<W>> {
        let frontier = &self.frontier;
        let later = frontier.later(turn)[i];
        if frontier.layout().get(&mates, later.place) == INNER {
            return Step::Zero;
        }
        // The later vertex may have the slot of this one, so that its name is the untouched code of
        // this one. Only a vertex that is not untouched has a mate to compare.
        let far = if own == turn.own.untouched {
            // With only this edge it is an end of the whole path.
            frontier.layout().end
        } else if own == later.name {
            if !frontier.cycles {
                return Step::Zero;
            }
            frontier.layout().set_mate(&mut mates, later.name, INNER);
            return frontier.finish(vertex, turn, mates, Joined::Whole);
        } else {
            own
        };
        let joined = frontier.attach(&mut mates, &later, far);
        frontier.finish(vertex, turn, mates, joined)
    }

    /// The step if the vertex takes the edges to its `i`-th and `j`-th later neighbours.
    #[inline]
    fn two(
        &self,
        vertex: usize,
        turn: &Turn<W>,
        mut mates: Mates<W>,
        i: usize,
        j: usize,
    ) -> Step<Mates<W>> {
        let frontier = &self.frontier;
        let layout = frontier.layout();
        let (a, b) = (frontier.later(turn)[i], frontier.later(turn)[j]);
        let (far_a, far_b) = (layout.get(&mates, a.place), layout.get(&mates, b.place));
        if far_a == INNER || far_b == INNER {
            return Step::Zero;
        }
        layout.set_mate(&mut mates, a.name, INNER);
        layout.set_mate(&mut mates, b.name, INNER);
        let joined = if far_a == b.name {
            if !frontier.cycles {
                return Step::Zero;
            }
            Joined::Whole
        } else {
            frontier.join(&mut mates, far_a, far_b)
        };
        frontier.finish(vertex, turn, mates, joined)
    }

    /// The number of edges that the vertex may take: 0, 1 or 2.
    #[inline]
    fn degrees(&self, turn: &Turn<W>, own: Code, room: usize) -> [bool; 3] {
        let may_end = room > 0 && !turn.own.fixed_end;
        if own == INNER {
            [true, false, false]
        } else if own == turn.own.untouched {
            [!self.frontier.hamiltonian, may_end, true]
        } else {
            [may_end, true, false]
        }
    }
}

impl<const W: usize> DdSpec for ByVertex<W> {
    type State = Mates<W>;

    fn num_vars(&self) -> usize {
        self.frontier.turns()
    }

    fn arity(&self, vertex: usize) -> usize {
        arity(self.frontier.later(self.frontier.turn(vertex)).len())
    }

    fn root(&self) -> Step<Mates<W>> {
        self.frontier.root()
    }

    fn child(&self, state: &Mates<W>, vertex: usize, value: usize) -> Step<Mates<W>> {
        if *state == Mates::DONE {
            return if value == 0 { self.frontier.done_after(vertex) } else { Step::Zero };
        }
        let turn = self.frontier.turn(vertex);
        let own = self.frontier.own_code(turn, state);
        let mates = Frontier::opened(turn, state);
        let room = self.frontier.room(turn, &mates, own);
        let degrees = self.degrees(turn, own, room);
        match choice(self.frontier.later(turn).len(), value) {
            Some((None, _)) if degrees[0] => self.none(vertex, turn, mates, own),
            Some((Some(i), None)) if degrees[1] => self.one(vertex, turn, mates, own, i),
            Some((Some(i), Some(j))) if degrees[2] => self.two(vertex, turn, mates, i, j),
            _ => Step::Zero,
        }
    }

    #[inline]
    fn for_each_child<B>(
        &self,
        state: &Mates<W>,
        vertex: usize,
        mut visit: impl FnMut(usize, Step<Mates<W>>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if *state == Mates::DONE {
            return visit(0, self.frontier.done_after(vertex));
        }
        let turn = self.frontier.turn(vertex);
        let own = self.frontier.own_code(turn, state);
        let mates = Frontier::opened(turn, state);
        let room = self.frontier.room(turn, &mates, own);
        let (forced, which) = self.forced(turn, &mates, room);
        let degrees = self.degrees(turn, own, room);
        let later = self.frontier.later(turn).len();
        let mut visit = |value, step: Step<Mates<W>>| {
            if step.is_zero() { ControlFlow::Continue(()) } else { visit(value, step) }
        };
        if degrees[0] && forced == 0 {
            visit(0, self.none(vertex, turn, mates, own))?;
        }
        if degrees[1] && forced <= 1 {
            let range = if forced == 1 { which[0]..which[0] + 1 } else { 0..later };
            for i in range {
                visit(1 + i, self.one(vertex, turn, mates, own, i))?;
            }
        }
        if degrees[2] && forced <= 2 {
            let mut value = 1 + later;
            for i in 0..later {
                for j in i + 1..later {
                    let chosen = |k| k == i || k == j;
                    if which.iter().take(forced).all(|&k| chosen(k)) {
                        visit(value, self.two(vertex, turn, mates, i, j))?;
                    }
                    value += 1;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
