//! One variable per edge of a directed graph.

use topdd::{DdSpec, Forced, Step};

use super::super::frontier::{Joined, MateFrontier};
use super::super::mates::{Code, INNER, Mates};
use super::super::path_problem::{PathProblem, TooWide};
use super::super::plan::{Later, VariableStep};

/// The spec of a [`PathProblem`] of a directed graph with one two-valued variable per edge. Its value
/// is 1 if the edge is taken. A solution is the set of its edges.
///
/// The state is the state of [`ByEdge`](super::ByEdge), and for each end of a piece, whether it needs an
/// edge in or an edge out.
#[derive(Clone, Debug)]
pub(crate) struct DirectedByEdge<const W: usize> {
    frontier: MateFrontier<W>,
    steps: Vec<DirectedStep>,
}

/// The variable step of an edge: its vertex, and the later vertex.
#[derive(Clone, Debug)]
struct DirectedStep {
    /// Whether the edge leads to the later vertex.
    forward: bool,
    /// Of the vertex and the later one: the numbers of edges out and in that are undecided after the
    /// step, and whether it is a fixed end.
    left: [[u32; 2]; 2],
    fixed_ends: [bool; 2],
    /// Whether some states can only take the edge: a vertex leaves, or may lack edges.
    may_need_edge: bool,
}

impl<const W: usize> DirectedByEdge<W> {
    /// # Errors
    ///
    /// [`TooWide`] if `W` words are too few.
    pub(crate) fn new(problem: &PathProblem) -> Result<Self, TooWide> {
        let frontier = MateFrontier::new(problem)?;
        let mut left = vec![[0; 2]; problem.num_vertices()];
        let ends = |edge: usize| {
            let own = problem.vertex(edge);
            problem.decided(edge).first().map(|&later| [own, later])
        };
        let sides = |edge: usize| if problem.leads_forward(edge) { [0, 1] } else { [1, 0] };
        for edge in 0..problem.num_vars() {
            for (vertex, side) in ends(edge).into_iter().flatten().zip(sides(edge)) {
                left[vertex][side] += 1;
            }
        }
        let mut step = |edge: usize| {
            for (vertex, side) in ends(edge).into_iter().flatten().zip(sides(edge)) {
                left[vertex][side] -= 1;
            }
            let left = ends(edge).map_or([[0; 2]; 2], |ends| ends.map(|vertex| left[vertex]));
            DirectedStep {
                forward: problem.leads_forward(edge),
                left,
                fixed_ends: ends(edge).map_or([false; 2], |ends| {
                    ends.map(|vertex| problem.rule.is_fixed_end(vertex))
                }),
                may_need_edge: left.as_flattened().iter().any(|&left| left <= 1),
            }
        };
        let steps = (0..problem.num_vars()).map(&mut step).collect();
        Ok(Self { frontier, steps })
    }

    /// The data of a step, and the frontier before its decision; `None` if it decides no edge.
    #[inline]
    fn open(&self, state: &Mates<W>, edge: usize) -> Option<Opened<'_, W>> {
        let var_step = self.frontier.var_step(edge);
        let later = self.frontier.later(var_step).first()?;
        let own = self.frontier.own_code(var_step, state);
        let mates = MateFrontier::opened(var_step, state);
        let other = self.frontier.layout().get(&mates, later.place);
        Some(Opened { var_step, later, step: &self.steps[edge], mates, own, other })
    }

    /// Whether the codes of its two ends allow the edge.
    #[inline]
    fn may_take(&self, opened: &Opened<'_, W>) -> bool {
        let Opened { var_step, later, step, own, other, .. } = *opened;
        let is_head = |code: Code| code & self.frontier.layout().head != 0;
        if own == INNER || other == INNER {
            return false;
        }
        let own_is_untouched = own == var_step.own.untouched;
        let (source_is_right, target_is_right) = if step.forward {
            (own_is_untouched || is_head(own), !is_head(other))
        } else {
            (other == later.name || is_head(other), !is_head(own))
        };
        source_is_right && target_is_right && (self.frontier.cycles || !self.closes(opened))
    }

    /// Whether the edge joins the two ends of one piece.
    #[inline]
    fn closes(&self, opened: &Opened<'_, W>) -> bool {
        // The later vertex may reuse the slot of the vertex, and then its name equals the untouched
        // code of the vertex. Only a vertex that is not untouched has a mate to compare.
        let Opened { var_step, later, own, .. } = *opened;
        own != var_step.own.untouched && own & !self.frontier.layout().head == later.name
    }

    /// Takes an edge that [`may_take`](DirectedByEdge::may_take) allows. `None` if it makes a vertex
    /// an end of the path that may not be one.
    #[inline]
    fn take(&self, opened: &mut Opened<'_, W>) -> Option<Joined> {
        let layout = self.frontier.layout();
        let closes = self.closes(opened);
        let Opened { var_step, later, step, mates, own, other } = opened;
        let leaves = var_step.own.stays.is_none();
        let mut far = *own & !layout.head;
        if *own == var_step.own.untouched && leaves {
            // With this as its only edge it is an end of the whole path.
            let [first, last] = self.frontier.may_be_end(mates, INNER);
            if !(if step.forward { first } else { last }) {
                return None;
            }
            far = layout.end;
        }
        if !leaves {
            layout.set_mate(mates, var_step.own.untouched, INNER);
        }
        layout.set_mate(mates, later.name, INNER);
        if closes {
            return Some(Joined::Whole);
        }
        // An untouched vertex is its own far end; joining restores its mate.
        let other = *other & !layout.head;
        let (tail, head) = if step.forward { (far, other) } else { (other, far) };
        Some(self.frontier.join_directed(mates, tail, head))
    }

    /// Leaves the edge. `None` if the vertex leaves and must not.
    #[inline]
    fn leave(&self, opened: &mut Opened<'_, W>) -> Option<Joined> {
        let Opened { var_step, mates, own, .. } = opened;
        if var_step.own.stays.is_some() || *own == INNER {
            return Some(Joined::Open);
        }
        if *own == var_step.own.untouched {
            return (!self.frontier.hamiltonian).then_some(Joined::Open);
        }
        let may_end =
            !var_step.own.fixed_end && self.frontier.may_end_piece(var_step, mates, *own, *own);
        may_end.then(|| self.frontier.end_piece(mates, *own))
    }

    /// Returns the step of a state other than [`Mates::DONE`].
    #[inline]
    fn decide(&self, state: &Mates<W>, edge: usize, taken: bool) -> Step<Mates<W>> {
        let Some(mut opened) = self.open(state, edge) else {
            return if taken { Step::Zero } else { Step::To(edge + 1, *state) };
        };
        let joined = match taken {
            false => self.leave(&mut opened),
            true if self.may_take(&opened) => self.take(&mut opened),
            true => None,
        };
        let Some(joined) = joined else { return Step::Zero };
        let Opened { var_step, mates, .. } = opened;
        match self.frontier.finish(edge, var_step, mates, joined) {
            Step::To(_, after) if after != Mates::DONE && !self.ends_can_go_on(edge, &after) => {
                Step::Zero
            }
            step => step,
        }
    }

    /// Whether the two vertices of a step can still get the edges that they need.
    fn ends_can_go_on(&self, edge: usize, mates: &Mates<W>) -> bool {
        let frontier = &self.frontier;
        let layout = frontier.layout();
        let var_step = frontier.var_step(edge);
        let step = &self.steps[edge];
        let own = var_step.own.stays.map(|place| (place, var_step.own.untouched));
        let later = frontier.later(var_step).iter().map(|later| (later.place, later.name)).next();
        let may_be_end = frontier.may_be_end(mates, INNER);
        [own, later].into_iter().zip(step.left).zip(step.fixed_ends).all(
            |((vertex, [out, into]), is_fixed)| {
                // A vertex that has left, the later one too, needs nothing.
                let Some((place, untouched)) = vertex.filter(|_| out + into > 0) else {
                    return true;
                };
                let code = layout.get(mates, place);
                let [first, last] = may_be_end.map(|may| may && !is_fixed);
                match code {
                    INNER => true,
                    _ if code == untouched => {
                        !frontier.hamiltonian || (into > 0 || first) && (out > 0 || last)
                    }
                    _ if code & layout.head != 0 => out > 0 || last,
                    _ => into > 0 || first,
                }
            },
        )
    }
}

/// A step and the frontier before its decision.
struct Opened<'a, const W: usize> {
    var_step: &'a VariableStep<W>,
    later: &'a Later,
    step: &'a DirectedStep,
    mates: Mates<W>,
    /// The codes of the vertex and the later one.
    own: Code,
    other: Code,
}

impl<const W: usize> DdSpec for DirectedByEdge<W> {
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
        self.decide(state, edge, value == 1)
    }

    #[inline]
    fn forced(&self, state: &Mates<W>, edge: usize) -> Forced<Mates<W>> {
        if *state == Mates::DONE {
            return Forced::Value(0, Step::One);
        }
        let may_take = self.open(state, edge).is_some_and(|opened| self.may_take(&opened));
        if !may_take {
            return Forced::to(0, self.decide(state, edge, false));
        }
        if self.steps[edge].may_need_edge && self.decide(state, edge, false).is_zero() {
            return Forced::to(1, self.decide(state, edge, true));
        }
        Forced::Free
    }
}
