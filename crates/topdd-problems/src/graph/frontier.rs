//! What both encodings do to the frontier: join pieces, let vertices leave, give up.

use topdd::Step;

use super::mates::{Code, INNER, Layout, Mates, Place};
use super::plan::{Later, Plan, Schedule, Turn, Watched};
use super::walks::{Encoding, Shape, WalkError, Walks};

/// A plan, and the problem it is for.
#[derive(Clone, Debug)]
pub(super) struct Frontier<const W: usize> {
    plan: Plan<W>,
    root: Step<Mates<W>>,
    pub(super) hamiltonian: bool,
    pub(super) cycles: bool,
    /// Whether there are ends that a vertex may choose to be.
    free_ends: bool,
}

/// What came of joining two pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joined {
    /// A longer piece.
    Open,
    /// The whole: a cycle closed, or both ends of the path met.
    Whole,
}

impl<const W: usize> Frontier<W> {
    pub(super) fn new(walks: &Walks, encoding: Encoding) -> Result<Self, WalkError> {
        walks.check()?;
        let schedule = Schedule::new(walks, encoding);
        let widths = schedule.widths;
        if widths.words > W {
            let (slots, needed) = (widths.slots, widths.words);
            return Err(WalkError::TooWide { slots, words: W, needed });
        }
        let plan = Plan::new(walks, &schedule);
        let graph = &walks.graph;
        let stranded = (0..graph.vertices()).any(|vertex| {
            graph.neighbours(vertex).is_empty() && (walks.hamiltonian || walks.is_fixed_end(vertex))
        });
        let root = match (walks.is_single_vertex(), plan.turns.len()) {
            (true, 0) => Step::One,
            (true, _) => Step::To(0, Mates::DONE),
            (false, turns) if turns == 0 || stranded => Step::Zero,
            (false, _) => Step::To(0, Mates::EMPTY),
        };
        Ok(Self {
            plan,
            root,
            hamiltonian: walks.hamiltonian,
            cycles: walks.shape == Shape::Cycle,
            free_ends: walks.shape == Shape::Path && (walks.from.is_none() || walks.to.is_none()),
        })
    }

    pub(super) fn root(&self) -> Step<Mates<W>> {
        self.root
    }

    pub(super) fn turns(&self) -> usize {
        self.plan.turns.len()
    }

    #[inline]
    pub(super) fn layout(&self) -> &Layout<W> {
        &self.plan.layout
    }

    #[inline]
    pub(super) fn turn(&self, variable: usize) -> &Turn<W> {
        &self.plan.turns[variable]
    }

    #[inline]
    pub(super) fn later(&self, turn: &Turn<W>) -> &[Later] {
        &self.plan.later[turn.later.0 as usize..turn.later.1 as usize]
    }

    /// The code of the vertex whose turn it is, in the state before its turn.
    #[inline]
    pub(super) fn own_code(&self, turn: &Turn<W>, state: &Mates<W>) -> Code {
        match turn.own.place {
            Some(place) => self.layout().get(state, place),
            None => turn.own.fresh,
        }
    }

    /// The frontier of a turn before anything is chosen: without the one whose last turn
    /// it is, with those that enter.
    #[inline]
    pub(super) fn opened(turn: &Turn<W>, state: &Mates<W>) -> Mates<W> {
        let mut mates = *state;
        for (word, (keep, enter)) in mates.0.iter_mut().zip(turn.keep.iter().zip(&turn.enter)) {
            *word = *word & keep | enter;
        }
        mates
    }

    /// How many vertices may still choose to be an end of the whole path. `own` is the
    /// code of the vertex whose turn it is, where it has left the frontier already.
    #[inline]
    pub(super) fn room(&self, turn: &Turn<W>, mates: &Mates<W>, own: Code) -> usize {
        if !self.free_ends {
            return 0;
        }
        let known = self.layout().ends(mates) + usize::from(own == self.layout().end);
        turn.ends.saturating_sub(known)
    }

    /// Makes one piece of two: `a` and `b` are the far ends of what is joined.
    #[inline]
    pub(super) fn join(&self, mates: &mut Mates<W>, a: Code, b: Code) -> Joined {
        let end = self.layout().end;
        if a == end && b == end {
            return Joined::Whole;
        }
        if a != end {
            self.layout().set_mate(mates, a, b);
        }
        if b != end {
            self.layout().set_mate(mates, b, a);
        }
        Joined::Open
    }

    /// Gives the one in `place` its second edge, to a piece whose far end is `far`.
    #[inline]
    pub(super) fn attach(&self, mates: &mut Mates<W>, place: Place, far: Code) -> Joined {
        let own = self.layout().get(mates, place);
        self.layout().set(mates, place, INNER);
        // Where it was untouched it is its own far end, and gets its mate back here.
        self.join(mates, own, far)
    }

    /// Where the state after completion goes.
    #[inline]
    pub(super) fn done_after(&self, variable: usize) -> Step<Mates<W>> {
        if variable + 1 == self.turns() { Step::One } else { Step::To(variable + 1, Mates::DONE) }
    }

    /// Ends a turn: lets the others leave whose last turn it is, and gives up where
    /// there is no hope.
    #[inline]
    pub(super) fn finish(
        &self,
        variable: usize,
        turn: &Turn<W>,
        mut mates: Mates<W>,
        mut joined: Joined,
    ) -> Step<Mates<W>> {
        if turn.leaving.0 != turn.leaving.1
            && joined == Joined::Open
            && !self.settle(turn, &mut mates, &mut joined)
        {
            return Step::Zero;
        }
        if joined == Joined::Whole {
            let nothing_else = if self.hamiltonian {
                turn.all_entered && mates == Mates::EMPTY
            } else {
                self.layout().no_piece(&mates)
            };
            return if nothing_else { self.done_after(variable) } else { Step::Zero };
        }
        if variable + 1 == self.turns() || !self.is_viable(turn, &mates) {
            return Step::Zero;
        }
        Step::To(variable + 1, mates)
    }

    /// Lets the others leave whose last turn it is; answers whether they can.
    fn settle(&self, turn: &Turn<W>, mates: &mut Mates<W>, joined: &mut Joined) -> bool {
        for leaving in &self.plan.leaving[turn.leaving.0 as usize..turn.leaving.1 as usize] {
            let code = self.layout().get(mates, leaving.place);
            if code == INNER {
                continue;
            }
            if code == leaving.untouched {
                if self.hamiltonian {
                    return false;
                }
            } else if leaving.fixed_end || self.room(turn, mates, INNER) == 0 {
                return false;
            } else {
                // It is an end of the whole path.
                *joined = self.join(mates, code, self.layout().end);
            }
            self.layout().set(mates, leaving.place, INNER);
            if *joined == Joined::Whole {
                return true;
            }
        }
        true
    }

    /// Whether, as far as is cheap to see, all can still get the edges they need.
    #[inline]
    fn is_viable(&self, turn: &Turn<W>, mates: &Mates<W>) -> bool {
        let available = self.layout().not_inner(mates);
        let mut missing = 0;
        for watched in &self.plan.watched[turn.watched.0 as usize..turn.watched.1 as usize] {
            match self.lacks(watched, mates, &available) {
                0 => {}
                // Only one that is no fixed end may choose to be an end, and the
                // Hamiltonian cannot leave anyone out.
                1 if self.free_ends && !watched.fixed_end => missing += 1,
                _ => return false,
            }
        }
        missing == 0 || missing <= self.room(turn, mates, INNER)
    }

    /// How many edges a watched vertex needs and cannot get.
    #[inline]
    pub(super) fn lacks(
        &self,
        watched: &Watched<W>,
        mates: &Mates<W>,
        available: &[u64; W],
    ) -> usize {
        let code = self.layout().get(mates, watched.place);
        let needed = if code == INNER {
            return 0;
        } else if code != watched.untouched {
            1
        } else if self.hamiltonian {
            2
        } else {
            return 0;
        };
        let mut edges = watched.beyond as usize;
        for (&neighbours, &available) in watched.neighbours.iter().zip(available) {
            let both = neighbours & available;
            // Two are enough.
            edges += usize::from(both != 0) + usize::from(both & both.wrapping_sub(1) != 0);
        }
        needed - edges.min(needed)
    }

    #[inline]
    pub(super) fn watched(&self, later: &Later) -> Option<&Watched<W>> {
        self.plan.watched.get(later.watch as usize)
    }
}
