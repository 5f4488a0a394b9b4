//! One variable per edge.

// Measured: with calls in between, a sweep of a grid takes a fifth longer.
#![allow(clippy::inline_always)]

mod directed;

use super::frontier::{Joined, MateFrontier};
use super::mates::{Code, CodeReader, INNER, Mates, NO_VERTEX};
use super::path_problem::{PathProblem, TooWide};
use std::ops::ControlFlow;
use topdd::{DdSpec, Forced, Step};

pub(super) use directed::DirectedByEdge;

/// The spec of a [`PathProblem`] of an undirected graph with one two-valued variable per edge. Its
/// value is 1 if the edge is taken. A solution is the set of its edges.
///
/// The state is the *mate* array of the frontier, packed into `W` words.
#[derive(Clone, Debug)]
pub(crate) struct ByEdge<const W: usize> {
    frontier: MateFrontier<W>,
    steps: Vec<EdgeStep<W>>,
}

impl<const W: usize> ByEdge<W> {
    /// # Errors
    ///
    /// [`TooWide`] if `W` words are too few.
    pub(super) fn new(problem: &PathProblem) -> Result<Self, TooWide> {
        let frontier = MateFrontier::new(problem)?;
        let steps = (0..frontier.num_vars()).map(|edge| EdgeStep::new(&frontier, edge)).collect();
        Ok(Self { frontier, steps })
    }

    /// The decision about an edge in a state other than [`Mates::DONE`].
    #[inline(always)]
    fn decide(&self, edge: usize, state: Mates<W>) -> EdgeDecision<'_, W> {
        EdgeDecision::new(self, &self.steps[edge], edge, state)
    }

    // The slow paths below are rare. They decode the state again, so that their callers need not
    // keep the decoded values in registers for them.

    /// Whether the edge would be the only edge of the vertex, which may not be an end.
    #[inline(never)]
    fn makes_illegal_end(&self, edge: usize, state: Mates<W>) -> bool {
        let EdgeDecision { var_step: EdgeStep { last, .. }, mates, own, .. } =
            self.decide(edge, state);
        let var_step = self.frontier.var_step(edge);
        *last
            && own == var_step.own.untouched
            && self.frontier.remaining_ends(var_step, &mates, own) == 0
    }

    /// Returns the step of value 0.
    #[inline(never)]
    fn without(&self, edge: usize, state: Mates<W>) -> Step<Mates<W>> {
        let EdgeDecision { var_step: EdgeStep { last, may_leave, .. }, mut mates, own, .. } =
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
        let EdgeDecision { var_step: EdgeStep { last, closes, .. }, own, other, .. } = decision;
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

/// The precomputed data of the variable of one edge. "The vertex" is the end of the edge that the
/// variable belongs to, "the later vertex" the other one.
#[derive(Clone, Debug)]
struct EdgeStep<const W: usize> {
    keep: [u64; W],
    enter: [u64; W],
    /// Reader of the code of the vertex; reads 0 if the vertex enters now.
    own: CodeReader<W>,
    /// The code of the vertex if it enters now.
    fresh: Code,
    later: CodeReader<W>,
    /// The bits of all other codes.
    others: [u64; W],
    /// The codes of the vertex, other than [`INNER`], with which the edge cannot be taken.
    impossible: [Code; 2],
    /// The code of the vertex with which the edge closes a cycle.
    closes: Code,
    /// Whether this is the last variable step of the vertex.
    last: bool,
    /// The code, other than [`INNER`], with which the vertex may leave.
    may_leave: Code,
    /// The code with which the vertex needs both its last edges, this one and the next.
    needs_all: Code,
    /// Whether the slow path is needed: a vertex may become an end of the whole path, or the
    /// later vertex leaves too, or this is the last variable.
    special: bool,
    /// Whether the variable step has degree constraints.
    constrained: bool,
}

impl<const W: usize> EdgeStep<W> {
    fn new(frontier: &MateFrontier<W>, edge: usize) -> Self {
        let var_step = frontier.var_step(edge);
        let layout = frontier.layout();
        let &[later] = frontier.later(var_step) else {
            return Self::without_edge(frontier);
        };
        let mut others = [u64::MAX; W];
        for place in var_step.own.stays.iter().chain([&later.place]) {
            others[place.word as usize] &= !layout.mask(*place);
        }
        let last = var_step.own.stays.is_none();
        // The later vertex may reuse the slot of the vertex, and then its name equals the untouched
        // code of the vertex. Only a vertex that is not untouched has a mate to compare.
        let own_piece = if later.name == var_step.own.untouched { NO_VERTEX } else { later.name };
        // With this as its only edge the vertex would be an end of the whole path.
        let only_edge =
            if last && !frontier.free_ends { var_step.own.untouched } else { NO_VERTEX };
        // A Hamiltonian cycle cannot close before all vertices have entered.
        let may_close = frontier.cycles && (var_step.all_entered || !frontier.hamiltonian);
        let two_left = var_step.own.left == 1;
        let needs_all = frontier.hamiltonian && !var_step.own.fixed_end && two_left;
        Self {
            keep: var_step.keep,
            enter: var_step.enter,
            own: layout.reader(var_step.own.place),
            fresh: if var_step.own.place.is_some() { INNER } else { var_step.own.fresh },
            later: layout.reader(Some(later.place)),
            others,
            impossible: [only_edge, if may_close { NO_VERTEX } else { own_piece }],
            closes: own_piece,
            last,
            needs_all: if needs_all { var_step.own.untouched } else { NO_VERTEX },
            may_leave: if frontier.hamiltonian { INNER } else { var_step.own.untouched },
            special: frontier.free_ends
                || var_step.leaving.0 != var_step.leaving.1
                || frontier.is_last_decision(edge),
            constrained: var_step.constraints.0 != var_step.constraints.1,
        }
    }

    /// The step of a variable that decides no edge. Its vertex reads as inner.
    fn without_edge(frontier: &MateFrontier<W>) -> Self {
        let nothing = frontier.layout().reader(None);
        Self {
            keep: [u64::MAX; W],
            enter: [0; W],
            own: nothing,
            fresh: INNER,
            later: nothing,
            others: [u64::MAX; W],
            impossible: [NO_VERTEX; 2],
            closes: NO_VERTEX,
            last: false,
            may_leave: INNER,
            needs_all: NO_VERTEX,
            special: false,
            constrained: false,
        }
    }
}

/// The decision of a variable step in a state: whether the edge is taken.
///
/// All methods are inlined into the loop over the states of a level. Branches that depend on the
/// edge alone are well predicted there, and a call would cost as much as the method itself.
#[derive(Clone, Copy)]
struct EdgeDecision<'a, const W: usize> {
    spec: &'a ByEdge<W>,
    var_step: &'a EdgeStep<W>,
    edge: usize,
    state: Mates<W>,
    /// The frontier before the decision.
    mates: Mates<W>,
    /// The code of the vertex.
    own: Code,
    /// The code of the later vertex.
    other: Code,
}

impl<'a, const W: usize> EdgeDecision<'a, W> {
    #[inline(always)]
    fn new(spec: &'a ByEdge<W>, var_step: &'a EdgeStep<W>, edge: usize, state: Mates<W>) -> Self {
        let mates = state.map(|index, word| word & var_step.keep[index] | var_step.enter[index]);
        let own = var_step.own.read(&state) | var_step.fresh;
        let other = var_step.later.read(&mates);
        EdgeDecision { spec, var_step, edge, state, mates, own, other }
    }

    /// Whether the codes of its two ends allow the edge.
    #[inline(always)]
    fn may_take(self) -> bool {
        let own = self.own;
        let [first, second] = self.var_step.impossible;
        // Separate branches would be unpredictable. There is one branch instead: subtracting 1
        // makes a 0 negative, and the disjunction is negative if any operand is.
        let impossible = own.wrapping_sub(1)
            | self.other.wrapping_sub(1)
            | (own ^ first).wrapping_sub(1)
            | (own ^ second).wrapping_sub(1);
        impossible >> 63 == 0
            && !(self.var_step.special && self.spec.makes_illegal_end(self.edge, self.state))
    }

    /// Whether an allowed edge is forced by the code of the vertex alone: without it, the vertex
    /// would leave with a single edge, or with too few edges. `false` does not exclude that the
    /// edge is forced for another reason.
    #[inline(always)]
    fn must_take(self) -> bool {
        let EdgeDecision { var_step, own, .. } = self;
        !var_step.special
            && (var_step.last && own != var_step.may_leave || own == var_step.needs_all)
    }

    /// Returns the step if the edge is not taken.
    #[inline(always)]
    fn without(self) -> Step<Mates<W>> {
        let EdgeDecision { var_step, own, .. } = self;
        if var_step.special {
            return self.spec.without(self.edge, self.state);
        }
        // The vertex would leave with a single edge, or with too few edges.
        if var_step.last && own != INNER && own != var_step.may_leave || own == var_step.needs_all {
            return Step::Zero;
        }
        self.to_next(self.mates)
    }

    /// Returns the step if the edge is taken: the 0-terminal if it is not allowed.
    #[inline(always)]
    fn with(self) -> Step<Mates<W>> {
        if self.may_take() { self.taken() } else { Step::Zero }
    }

    /// Returns the step if the edge is taken. The edge must be allowed.
    #[inline(always)]
    fn taken(self) -> Step<Mates<W>> {
        let EdgeDecision { var_step, own, other, .. } = self;
        let frontier = &self.spec.frontier;
        let end = frontier.layout().end;
        if var_step.special || own == var_step.closes || own == end && other == end {
            return self.spec.with(self.edge, self.state);
        }
        let mut mates = self.without_both();
        frontier.join(&mut mates, other, own);
        self.to_next(mates)
    }

    /// The frontier with both ends of the edge [`INNER`]. [`MateFrontier::join`] sets the code of an end
    /// that is not inner afterwards.
    #[inline(always)]
    fn without_both(self) -> Mates<W> {
        self.mates.map(|index, word| word & self.var_step.others[index])
    }

    /// Returns the step to the next edge, or the 0-terminal if a degree constraint is violated.
    #[inline(always)]
    fn to_next(self, mates: Mates<W>) -> Step<Mates<W>> {
        if self.var_step.constrained && !self.spec.is_viable(self.edge, mates) {
            Step::Zero
        } else {
            Step::To(self.edge + 1, mates)
        }
    }
}
