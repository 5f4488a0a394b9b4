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
    ///
    /// A vertex can get an edge to a neighbour that is not inner, but not to the other
    /// end of its own piece, unless that closes a cycle that is wanted. Who can get just
    /// what it needs must get it, and no vertex can be what more than two must get, or
    /// more than one if it has an edge already. Whoever goes without one of these edges
    /// becomes an end of the whole path, of which there are not many.
    #[inline]
    fn is_viable(&self, turn: &Turn<W>, mates: &Mates<W>) -> bool {
        let layout = self.layout();
        let available = layout.not_inner(mates);
        let room = self.room(turn, mates, INNER);
        let may_close = self.may_close(turn, &available);
        let mut missing = 0;
        // Those that one, two, three others must get.
        let (mut once, mut twice, mut thrice) = ([0; W], [0; W], [0; W]);
        for watched in &self.plan.watched[turn.watched.0 as usize..turn.watched.1 as usize] {
            let (needed, mate) = self.needs(watched, mates);
            if needed == 0 {
                continue;
            }
            let mut flags = watched.neighbours;
            let mut edges = watched.beyond as usize;
            if let Some(mate) = mate.filter(|_| !may_close) {
                flags[mate.word as usize] &= !layout.flag(mate);
            }
            for (flags, &available) in flags.iter_mut().zip(&available) {
                *flags &= available;
                edges += up_to_three(*flags);
            }
            if edges < needed {
                // Only one that is no fixed end may choose to be an end, and the
                // Hamiltonian cannot leave anyone out.
                missing += 1;
                if needed - edges > 1 || watched.fixed_end || missing > room {
                    return false;
                }
            } else if edges == needed {
                for (i, flags) in flags.into_iter().enumerate() {
                    thrice[i] |= twice[i] & flags;
                    twice[i] |= once[i] & flags;
                    once[i] |= flags;
                }
            }
        }
        let ends = layout.ends_of_pieces(mates);
        for i in 0..W {
            missing += up_to_three(twice[i] & ends[i]) + up_to_three(thrice[i]);
        }
        missing <= room
    }

    /// Whether the two ends of a piece may be joined.
    #[inline]
    fn may_close(&self, turn: &Turn<W>, available: &[u64; W]) -> bool {
        if !self.cycles || !self.hamiltonian {
            return self.cycles;
        }
        turn.all_entered && available.iter().map(|&word| up_to_three(word)).sum::<usize>() <= 2
    }

    /// How many edges a watched vertex needs, and the place of the other end of its piece.
    #[inline]
    fn needs(&self, watched: &Watched<W>, mates: &Mates<W>) -> (usize, Option<Place>) {
        let Some(place) = watched.place else {
            return (if watched.fixed_end { 1 } else { 2 }, None);
        };
        let code = self.layout().get(mates, place);
        if code == INNER {
            (0, None)
        } else if code == watched.untouched {
            (if self.hamiltonian { 2 } else { 0 }, None)
        } else {
            (1, (code != self.layout().end).then(|| self.layout().place_of(code)))
        }
    }

    /// How many edges a watched vertex needs and cannot get, whatever its piece.
    #[inline]
    pub(super) fn lacks(
        &self,
        watched: &Watched<W>,
        mates: &Mates<W>,
        available: &[u64; W],
    ) -> usize {
        let (needed, _) = self.needs(watched, mates);
        let mut edges = watched.beyond as usize;
        for (&neighbours, &available) in watched.neighbours.iter().zip(available) {
            edges += up_to_three(neighbours & available);
        }
        needed - edges.min(needed)
    }

    #[inline]
    pub(super) fn watched(&self, later: &Later) -> Option<&Watched<W>> {
        self.plan.watched.get(later.watch as usize)
    }
}

/// The number of bits that are set, or three if there are more: without the instruction
/// that counts bits, which programs for any machine must do without.
#[inline]
fn up_to_three(word: u64) -> usize {
    let less_one = word & word.wrapping_sub(1);
    let less_two = less_one & less_one.wrapping_sub(1);
    usize::from(word != 0) + usize::from(less_one != 0) + usize::from(less_two != 0)
}
