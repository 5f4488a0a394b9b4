//! One variable per vertex.

use std::ops::ControlFlow;
use topdd::{DdSpec, Step};

use super::choices::{arity, choice};
use super::frontier::{Frontier, Joined};
use super::mates::{Code, INNER, Mates};
use super::path_problem::{PathProblem, TooWide};
use super::plan::VariableStep;

/// The spec of a [`PathProblem`] with one variable per vertex.
///
/// It has the state and the method of [`ByEdge`](super::ByEdge).
#[derive(Clone, Debug)]
pub(super) struct ByVertex<const W: usize> {
    frontier: Frontier<W>,
}

impl<const W: usize> ByVertex<W> {
    /// # Errors
    ///
    /// [`TooWide`] if `W` words are too few.
    pub(super) fn new(problem: &PathProblem) -> Result<Self, TooWide> {
        Ok(Self { frontier: Frontier::new(problem)? })
    }

    /// The later neighbours whose degree constraints force the edge to them: their number, and the
    /// positions of the first two.
    #[inline]
    fn forced(
        &self,
        var_step: &VariableStep<W>,
        mates: &Mates<W>,
        remaining_ends: usize,
    ) -> (usize, [usize; 2]) {
        let needs = self.frontier.needs(mates);
        let mut count = 0;
        let mut which = [usize::MAX; 2];
        for (i, later) in self.frontier.later(var_step).iter().enumerate() {
            let Some(constraint) = self.frontier.constraint(later) else { continue };
            let deficit = Frontier::deficit(constraint, &needs);
            if deficit > 1 || deficit == 1 && remaining_ends == 0 {
                if let Some(slot) = which.get_mut(count) {
                    *slot = i;
                }
                count += 1;
            }
        }
        (count, which)
    }

    /// Returns the step if the vertex takes no edge.
    #[inline]
    fn none(
        &self,
        vertex: usize,
        var_step: &VariableStep<W>,
        mut mates: Mates<W>,
        own: Code,
    ) -> Step<Mates<W>> {
        let mut joined = Joined::Open;
        if own != INNER && own != var_step.own.untouched {
            joined = self.frontier.join(&mut mates, own, self.frontier.layout().end);
        }
        self.frontier.finish(vertex, var_step, mates, joined)
    }

    /// Returns the step if the vertex takes the edge to its `i`-th later neighbour.
    #[inline]
    fn one(
        &self,
        vertex: usize,
        var_step: &VariableStep<W>,
        mut mates: Mates<W>,
        own: Code,
        i: usize,
    ) -> Step<Mates<W>> {
        let frontier = &self.frontier;
        let later = frontier.later(var_step)[i];
        if frontier.layout().get(&mates, later.place) == INNER {
            return Step::Zero;
        }
        // The later vertex may reuse the slot of this one, and then its name equals the untouched
        // code of this one. Only a vertex that is not untouched has a mate to compare.
        let far = if own == var_step.own.untouched {
            // With only this edge it is an end of the whole path.
            frontier.layout().end
        } else if own == later.name {
            if !frontier.cycles {
                return Step::Zero;
            }
            frontier.layout().set_mate(&mut mates, later.name, INNER);
            return frontier.finish(vertex, var_step, mates, Joined::Whole);
        } else {
            own
        };
        let joined = frontier.attach(&mut mates, &later, far);
        frontier.finish(vertex, var_step, mates, joined)
    }

    /// Returns the step if the vertex takes the edges to its `i`-th and `j`-th later neighbours.
    #[inline]
    fn two(
        &self,
        vertex: usize,
        var_step: &VariableStep<W>,
        mut mates: Mates<W>,
        i: usize,
        j: usize,
    ) -> Step<Mates<W>> {
        let frontier = &self.frontier;
        let layout = frontier.layout();
        let (a, b) = (frontier.later(var_step)[i], frontier.later(var_step)[j]);
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
        frontier.finish(vertex, var_step, mates, joined)
    }

    /// Whether the vertex may take 0, 1 or 2 edges.
    #[inline]
    fn degrees(&self, var_step: &VariableStep<W>, own: Code, remaining_ends: usize) -> [bool; 3] {
        let may_end = remaining_ends > 0 && !var_step.own.fixed_end;
        if own == INNER {
            [true, false, false]
        } else if own == var_step.own.untouched {
            [!self.frontier.hamiltonian, may_end, true]
        } else {
            [may_end, true, false]
        }
    }
}

impl<const W: usize> DdSpec for ByVertex<W> {
    type State = Mates<W>;

    fn num_vars(&self) -> usize {
        self.frontier.num_vars()
    }

    fn arity(&self, vertex: usize) -> usize {
        arity(self.frontier.later(self.frontier.var_step(vertex)).len())
    }

    fn root(&self) -> Step<Mates<W>> {
        self.frontier.root()
    }

    fn child(&self, state: &Mates<W>, vertex: usize, value: usize) -> Step<Mates<W>> {
        if *state == Mates::DONE {
            return if value == 0 { self.frontier.done_after(vertex) } else { Step::Zero };
        }
        let var_step = self.frontier.var_step(vertex);
        let own = self.frontier.own_code(var_step, state);
        let mates = Frontier::opened(var_step, state);
        let remaining_ends = self.frontier.remaining_ends(var_step, &mates, own);
        let degrees = self.degrees(var_step, own, remaining_ends);
        match choice(self.frontier.later(var_step).len(), value) {
            Some((None, _)) if degrees[0] => self.none(vertex, var_step, mates, own),
            Some((Some(i), None)) if degrees[1] => self.one(vertex, var_step, mates, own, i),
            Some((Some(i), Some(j))) if degrees[2] => self.two(vertex, var_step, mates, i, j),
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
        let var_step = self.frontier.var_step(vertex);
        let own = self.frontier.own_code(var_step, state);
        let mates = Frontier::opened(var_step, state);
        let remaining_ends = self.frontier.remaining_ends(var_step, &mates, own);
        let (forced, which) = self.forced(var_step, &mates, remaining_ends);
        let degrees = self.degrees(var_step, own, remaining_ends);
        let later = self.frontier.later(var_step).len();
        let mut visit = |value, step: Step<Mates<W>>| {
            if step.is_zero() { ControlFlow::Continue(()) } else { visit(value, step) }
        };
        if degrees[0] && forced == 0 {
            visit(0, self.none(vertex, var_step, mates, own))?;
        }
        if degrees[1] && forced <= 1 {
            let range = if forced == 1 { which[0]..which[0] + 1 } else { 0..later };
            for i in range {
                visit(1 + i, self.one(vertex, var_step, mates, own, i))?;
            }
        }
        if degrees[2] && forced <= 2 {
            let mut value = 1 + later;
            for i in 0..later {
                for j in i + 1..later {
                    let chosen = |k| k == i || k == j;
                    if which.iter().take(forced).all(|&k| chosen(k)) {
                        visit(value, self.two(vertex, var_step, mates, i, j))?;
                    }
                    value += 1;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
