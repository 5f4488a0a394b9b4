//! One variable per vertex.

use super::frontier::{Joined, MateFrontier};
use super::mates::{Code, INNER, Mates};
use super::path_problem::{PathProblem, TooWide};
use super::plan::VariableStep;
use std::ops::ControlFlow;
use topdd::{DdSpec, Step};

/// The spec of a [`PathProblem`] with one variable per vertex.
///
/// It has the state and the method of [`ByEdge`](super::ByEdge).
#[derive(Clone, Debug)]
pub(super) struct ByVertex<const W: usize> {
    frontier: MateFrontier<W>,
}

impl<const W: usize> ByVertex<W> {
    /// # Errors
    ///
    /// [`TooWide`] if `W` words are too few.
    pub(super) fn new(problem: &PathProblem) -> Result<Self, TooWide> {
        Ok(Self { frontier: MateFrontier::new(problem)? })
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
            let deficit = MateFrontier::deficit(constraint, &needs);
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
        let mates = MateFrontier::opened(var_step, state);
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
        let mates = MateFrontier::opened(var_step, state);
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

/// Returns the later neighbours selected by a value, numbered `0..later`: none, one or two. `None` if the
/// value is not below the arity. Takes time linear in `later`.
pub(super) fn choice(later: usize, value: usize) -> Option<(Option<usize>, Option<usize>)> {
    if value == 0 {
        return Some((None, None));
    }
    if value <= later {
        return Some((Some(value - 1), None));
    }
    let mut rest = value - later - 1;
    for first in 0..later {
        let pairs = later - first - 1;
        if rest < pairs {
            return Some((Some(first), Some(first + 1 + rest)));
        }
        rest -= pairs;
    }
    None
}

/// The value that selects one more neighbour than `value` does, after the neighbours that `value` selects. `None` if
/// these are two. Takes time linear in `later`.
pub(super) fn with(later: usize, value: usize, neighbour: usize) -> Option<usize> {
    match choice(later, value)? {
        (None, _) => Some(1 + neighbour),
        (Some(first), None) => {
            let pairs: usize = (0..first).map(|earlier| later - earlier - 1).sum();
            Some(1 + later + pairs + neighbour - first - 1)
        }
        (Some(_), Some(_)) => None,
    }
}

/// The number of values for `later` later neighbours.
pub(super) fn arity(later: usize) -> usize {
    1 + later + later * later.saturating_sub(1) / 2
}

#[cfg(test)]
#[test]
fn values_are_none_then_single_edges_then_pairs() {
    let all: Vec<_> = (0..8).map(|value| choice(3, value)).collect();
    assert_eq!(all[0], Some((None, None)));
    assert_eq!(all[3], Some((Some(2), None)));
    assert_eq!(all[4..7], [(0, 1), (0, 2), (1, 2)].map(|(a, b)| Some((Some(a), Some(b)))));
    assert_eq!(all[7], None);
    assert_eq!(arity(3), 7);
    for later in 0..6 {
        for value in 0..arity(later) {
            let (first, second) = choice(later, value).unwrap();
            let chosen = first.into_iter().chain(second);
            let grown = chosen.clone().try_fold(0, |value, one| with(later, value, one));
            assert_eq!(grown, Some(value));
            if let Some(last) = chosen.last().filter(|_| second.is_some()) {
                assert!((last + 1..later).all(|more| with(later, value, more).is_none()));
            }
        }
    }
}
